// retry -- points of a result file that failed, computed again with other rules of Newton's method or of substeps.
//
// The file is made anew beside the old one, FILE.h5.retry, a result file like any other: it can be interrupted and gone
// on with. Points that are not tried again are copied. When it is complete it takes the place of FILE.h5. Its
// `settings` come from the last retry; the attribute `history` has a line for each, with the rules before it,
// and the variable `attempt` of a group says for each point by which its results were made: 0 by the first run, else by
// that retry.
#pragma once

#include "store/reuse.h"

// Reads the history of a result file into a plan that continues it; nothing where it has none.
// Errors: those of store_read_open(); ERROR_INTERNAL.
bool retry_adopt(const char *path, Plan *plan, Error *err);

// Turns a plan into the retry of a complete file, and finds the points to copy from it.
//   path      the file
//   statuses  bit s: points of status s are tried again
//   plan      with the rules of the retry; its history and its attempts are set
//   points    written: how many are tried again
//   reuse     written: has the others; released by the caller with reuse_close()
// Errors: those of older_open(); ERROR_INCOMPLETE (not complete); ERROR_INPUT (damaged, or more differs than the
// rules), ERROR_INTERNAL.
bool retry_prepare(const char *path, unsigned statuses, Plan *plan, uint64_t *points, Reuse **reuse, Error *err);

// The name under which the file of a retry is made. NULL with err filled on failure.
const char *retry_name(const char *path, Arena *arena, Error *err);

// Gives the complete file of a retry the place of the old one, whose log takes up its lines. Errors: ERROR_IO.
bool retry_settle(const char *name, const char *path, Error *err);

// Reads "failed", or names of statuses separated by commas. False where one is none, or "ok" or "not_run".
bool retry_read(const char *text, unsigned *statuses);
