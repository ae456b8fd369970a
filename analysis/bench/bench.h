// bench -- speed of devices on the standard workloads or on the groups of sweep files, and its ratio to plain C loops.
#pragma once

#include "analysis/bench/race.h"
#include "terminal/table.h"

// One group on one device. A spread of zeros was not measured.
typedef struct BenchResult {
    const char        *workload;  // its name, or SWEEP.yaml:LABEL
    const RaceRequest *asked;     // borrowed for the report
    const DeviceInfo  *device;
    size_t             device_number;  // from 0, in the order of the run
    RaceResult         race;
    double             updates_per_step;  // NaN where the group does not list them
    double             flops_per_step;    // counted (plain_newton.h); NaN for a sweep file's
    double             peak_flops;        // of the device in that precision, measured
    double             peak_fraction;     // counted operations a second over the peak; NaN for a sweep file's
} BenchResult;

typedef struct BenchRequest {
    Words    workloads;  // names; none: all, unless there are sweeps
    Words    sweeps;     // paths
    Words    overrides;  // KEY=VALUE, for the sweeps
    Words    devices;    // as device_open(); none: all there are
    uint64_t steps;      // of a workload's points
    uint64_t repetitions;
    double   seconds;                           // of a repetition, about
    int      lanes;                             // of a work item; 0: as a run would take
    bool     try_shapes;                        // first look for the shape in which the device is fastest
    void (*say)(const char *line, void *user);  // the workloads left out, and why
    bool (*report)(const BenchResult *result, void *user, Error *err);  // after each
    void *user;
} BenchRequest;

// Measures all that is asked for, device by device. A device that was not named and has no double precision is left out
// of the workloads that need it.
// Errors: ERROR_USAGE (an unknown workload), ERROR_DEVICE (also: this processor lacks what the plain loops were
// compiled for), those of spec_read(), plan_make(), race_run() and peak_measure(), and the report's.
bool bench_run(const BenchRequest *request, Error *err);

// A result's line, of a new device with the device and the head of the columns in front.
void bench_print_lines(const BenchResult *result, bool new_device, Text *text);

// A table row; the table around it is the caller's.
void bench_print_json(const BenchResult *result, Table *table);

// A page: where and when it was made; as bench_print_lines(); the meaning of the columns.
//   words  the command's own, which make the page again
void bench_print_page_begin(const char *words, Text *text);
void bench_print_page(const BenchResult *result, bool new_device, Text *text);
void bench_print_page_end(bool gpu, Text *text);
