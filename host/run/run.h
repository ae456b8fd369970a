// run -- the straight path: sweep file, plan, source, device, store.
#pragma once

#include "run/request.h"

// Runs a sweep into its result file. Ranks share its blocks: each writes a file of its own, and the first puts them
// together at the end; its summary is that of all.
// Errors: those of spec_read, plan_make, compose, device_choose, device_build, store_open and store_write;
// ERROR_STOPPED after a signal: computed blocks are committed and the message says how to resume.
bool run_sweep(const RunRequest *request, RunSummary *summary, Error *err);
