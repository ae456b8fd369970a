// run_summary -- the end of a run: its summary, for people or as an object, and whether points failed.
#pragma once

#include "run/run.h"

typedef enum SummaryForm { SUMMARY_TEXT, SUMMARY_JSON, SUMMARY_NONE } SummaryForm;
typedef enum FailOn { FAIL_ON_NOTHING, FAIL_ON_ANY, FAIL_ON_ALL } FailOn;

// The run that was asked for.
typedef struct RunSummaryOf {
    bool     resumed, retried;
    uint64_t shards;  // of which the file is one; 0: of none
} RunSummaryOf;

// Adds the summary of a run: a few lines, one JSON object, or nothing.
void run_summary_add(const RunSummary *summary, const RunSummaryOf *what, SummaryForm form, Text *text);

// Looks for points of the result file that did not end with ok, whichever run computed them. Points that were not run
// do not count.
//   path  of the result file
// Errors: ERROR_FAILED (some points failed, or with FAIL_ON_ALL every one), those of store_read_open().
bool run_summary_check(const char *path, FailOn rule, Error *err);
