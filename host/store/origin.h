// origin -- the sweep that a result file was made from, read back from the file and planned again.
#pragma once

#include "plan/plan.h"
#include "store/store_read.h"

// Zero-initialise it; release with origin_free(). The plan points into the other two: it must not move.
typedef struct Origin {
    Catalog catalog;
    Spec    spec;
    Plan    plan;  // computed_by is the file's
    bool    same;  // the fingerprint is the file's: the computer of the file computes the same numbers now
} Origin;

// Reads the sweep and its overrides from a file, and makes their plan.
//   sweep   a sweep file of the user's: files that it names are opened, beside it; NULL: the result file's sweep may
//           name none
//   origin  zeroed; written
// Errors: ERROR_INPUT (the file has no sweep, its settings differ from the plan's: names the first difference, or it
// names a file that `sweep` does not), those of catalog_read() and plan_make().
bool origin_read(const StoreFile *file, const Spec *sweep, Origin *origin, Error *err);

// Gives a sweep that goes on with a file the samples of tables that the file keeps, for those whose own files are gone.
// A file that cannot be read gives none: whoever resumes it says why.
//   spec  its list of tables is written
void origin_lend_tables(const char *path, Spec *spec);
void origin_free(Origin *origin);
