// settings -- the first difference between the settings of two sweeps, in a few words.
#pragma once

#include "base/error.h"

// Names the first setting in which a file and a sweep differ: "of another sweep: group 'a': parameters.eps has 81
// values in the file, 161 in the sweep". Both texts are canonical YAML as the attribute `settings` has it: a key per
// line, its value in flow style. Always false: ERROR_INPUT.
bool settings_fail(const char *stored, const char *wanted, Error *err);
