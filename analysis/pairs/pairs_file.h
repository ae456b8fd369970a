// pairs_file -- pairs as a result file, in the layout of sweeps.
//
// The file has one group, `pairs`, whose axis is FROM's parameter: a dimension of its own where all values differ, else
// a coordinate along `point`, as in a zip. Variables are `status` (ok, or not_run where there is no equivalent), TO's
// parameter, the columns of pairs_words, `root_count` (how many equivalents there are) and, where some value has more
// than one, `root_2`, `root_3`, ...: the further ones. Everything that is not a number of a pair is in the attribute
// `settings`, and the group's attributes are FROM's fixed parameters, and step and steps of the problem's run (NaN and
// 0 where they are not known).
#pragma once

#include "analysis/pairs/pairs.h"

// Whether a name is one of a result file: it ends with .h5.
bool pairs_file_is(const char *path);

// Checks that there is room for a file of so many pairs, before anything is computed.
// Errors: ERROR_IO (no such folder, not writable, no space).
bool pairs_file_check(const char *path, size_t count, Error *err);

// Writes the file.
// Errors: those of store_open() and store_write(), ERROR_INTERNAL.
bool pairs_file_write(const char *path, bool replace, const Pairs *pairs, Error *err);
