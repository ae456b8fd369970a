// device -- OpenCL devices: choose one, build a group's source for it, run batches of points on it.
#pragma once

#include "plan/results.h"

#include <signal.h>

enum { LANES_MOST = 32 };

typedef struct DeviceInfo {
    char     name[256], platform[128], driver[128], version[128];
    char     platform_version[256];  // e.g. "OpenCL 3.0 PoCL 3.1+debian Linux, ..., LLVM 15.0.6, ..."; "": not said
    bool     gpu;
    bool     fp64;
    bool     vectors;          // its compiler has vector types: there can be more than one lane
    bool     wide;             // and vectors of 32 numbers, which no OpenCL has to have
    bool     rounds_single;    // single precision: division and square root are correctly rounded
    bool     denormal_single;  // single precision: denormals are kept
    unsigned compute_units;
    uint64_t memory, largest_buffer;      // bytes
    size_t   work_group;                  // most work items of one
    int      lanes_double, lanes_single;  // lanes that a sweep uses there by default
} DeviceInfo;

typedef struct Device  Device;   // an open device: context and queue
typedef struct Program Program;  // a group's kernel, built for one device, lane count and precision

// Lists the devices of the machine; *infos is [*count], released with free().
// Errors: ERROR_DEVICE (no OpenCL platform at all is an empty list, not an error), ERROR_IO (no place for compiled
// programs), ERROR_INTERNAL.
bool device_list(DeviceInfo **infos, size_t *count, Error *err);

// Opens a device: "gpu" or "cpu" (the first one, with the precision where there is such), "native" (the first compiler
// of device/native.h), an index of the list, a name, a platform, part of a name or platform (case-insensitive), or NULL
// for the first GPU with the precision, else a CPU device that has it. Release with device_close(). Errors:
// ERROR_DEVICE (names the devices there are), ERROR_USAGE (several are meant: names them), ERROR_IO (no place for
// compiled programs).
bool device_open(const char *which, Precision precision, Device **device, Error *err);

enum { DEVICES_MOST = 64, NATIVE_NUMBER = DEVICES_MOST };

// The number by which a device of the list is opened: its place, but of the first device of `native` NATIVE_NUMBER.
// That one is opened without a look at the others, since a driver takes longer to be loaded than a small sweep to run.
size_t device_number(const DeviceInfo *infos, size_t place);

// Finds the devices that a list means: names as of device_open() with commas between them, or `all`: the devices of all
// drivers that have the precision, and `native` where none is a CPU. A comma does not separate where a device has it in
// its name.
//   numbers  written: [*count] numbers as of device_number()
// Errors: those of device_open(); ERROR_USAGE (a device is named twice).
bool device_choose(const char *which, Precision precision, size_t numbers[DEVICES_MOST], size_t *count, Error *err);

// Opens the device of a number. Errors: ERROR_DEVICE, ERROR_IO, ERROR_INTERNAL.
bool device_open_number(size_t number, Device **device, Error *err);

// Lets a device's programs take no more than so many bytes of its memory, all their buffers together.
void device_limit(Device *device, uint64_t bytes);

const DeviceInfo *device_info(const Device *device);

// Whether a part of a program may be compiled at its first launch only: by all drivers but the program's own.
bool device_compiles_late(const Device *device);

void device_close(Device *device);

// Whether a call failed for lack of the device's memory, so that asking for less may help.
bool device_lacks_memory(const Error *err);

// Whether a call failed and nothing speaks against the device's earlier results, so that another may do the rest.
bool device_is_lost(const Error *err);

// One line that a user should see about the cache of compiled programs, or NULL.
const char *device_notice(const Device *device);

// Defects of a device's arithmetic, as a sentence: the rules for equal bits on all devices (arithmetic.c) that it does
// not keep; NULL where it keeps all or lacks the precision. The first call for a precision may compile and run a
// kernel, later calls cost nothing.
const char *device_arithmetic(Device *device, Precision precision);

// Measures the peak rate of a device, in floating-point operations per second of independent chains of fused
// multiply-adds (two each), with the device's own lanes, on all of its units. It takes about a quarter of a second and
// the time to compile. Errors: ERROR_DEVICE (no double precision, a call failed), ERROR_KERNEL, ERROR_INTERNAL.
bool peak_measure(Device *device, Precision precision, double *flops_per_second, Error *err);

// Builds a group's composed source, or takes its program from the cache. lanes: a power of 2 up to LANES_MOST, or 0 for
// the number that a trial found best on the device (shapes.h), else the device's own. Errors: ERROR_KERNEL (the message
// holds the compiler's log), ERROR_DEVICE (no fp64), ERROR_INTERNAL.
bool device_build(Device *device, const Plan *plan, const Group *group, const char *source, int lanes,
                  Program **program, Error *err);

// Lets the driver compile what it leaves to a program's first launch, where it is known to. Errors: ERROR_DEVICE.
bool device_compile_rest(Device *device, const Program *program, Error *err);

// Lets a program serve a group that has the same source; all is borrowed. False: memory is short, the host's or the
// device's for one block, and the program is only to be freed.
bool program_serve(Program *program, const Plan *plan, const Group *group, const char *source);

// Releases a program; one that has run is put into the cache of compiled programs.
void program_free(Program *program);
int  program_lanes(const Program *program);

// How many blocks one batch should span on this device: `least` fill it; up to `most`, which the memory that it says to
// have holds, are better where they do not take long, since waiting points take the place of finished ones.
// Errors: ERROR_DEVICE (not even one block fits).
bool program_batch_blocks(const Program *program, uint64_t *least, uint64_t *most, Error *err);

// Whether the program needs so much of the device's memory that no other may have buffers there.
bool program_is_alone(const Program *program);

// Told after every slice of a running batch.
typedef struct Progress {
    uint64_t steps;        // steps taken by this slice, all points together
    size_t   running;      // points of the batch not yet ended
    double   seconds;      // kernel time of this slice, without compilation at a first launch
    uint64_t used, spent;  // substeps tried and updates made: by points; by lanes, waiting ones included
} Progress;

typedef struct RunOptions {
    const volatile sig_atomic_t
        *signals;  // number of stop signals so far; NULL: none. 1: finish within 2 s; 2: abandon at once
    void (*progress)(const Progress *progress, void *user);  // or NULL
    void *user;
} RunOptions;

// A program has two sets of output buffers, so that a batch can be computed while the one before is fetched; a trial
// compares so many shapes of it (device/shapes.h).
enum { PROGRAM_SETS = 2, SHAPES_MOST = 4 };

// Computes a batch, in slices of bounded work, into set 0 or 1, and begins to bring it to the host. The set's batch
// before must have been fetched, if it was computed without error. Results are the same bits on every device and lane
// width. Where memory is scarce, fewer points are at work at a time.
// Errors: ERROR_DEVICE (device_lacks_memory() says whether fewer blocks may help), ERROR_STOPPED (signals; the set
// holds nothing), ERROR_INTERNAL.
bool program_compute(Program *program, int set, const Batch *batch, const RunOptions *options, Error *err);

// Fills results with the batch that a set holds. A thread may fetch one set while another computes into the other.
// Errors: ERROR_DEVICE.
bool program_fetch(Program *program, int set, const Results *results, Error *err);

// Both, one after the other. Errors: those of both.
bool program_run(Program *program, const Batch *batch, const RunOptions *options, const Results *results, Error *err);

// One step of each of `count` harmonic-oscillator-like points whose state is given, for probing a method: unit states
// become the columns of the amplification matrix.
//   rows   [row_count][count] the leading state rows: x, v, then the method's own vectors; overwritten with the state
//          after one step
// The points take the group's parameters at `point` numbers 0..count-1.
// Errors: as program_run().
bool program_probe(Program *program, size_t count, size_t row_count, double *rows, Error *err);

// A point of a walk, before or after it was to be advanced by one substep.
typedef struct WalkState {
    const double *x, *v;     // [dofs]
    const double *own;       // [group_kept_vectors() + scratch_count][dofs] of the method's card
    const double *previous;  // [2][dofs] x and v of the earlier point that a two-step method has, else NULL
    const double *scale;     // [dofs] sizes of velocities; NULL: they are not kept
    int64_t       step, index, level, status;
    struct {
        int64_t substeps, updates, updates_this_step, updates_per_step_max, halved_steps, other_solves, jacobians,
            failed_solves, stagnated_solves, depth_max;
    } n;
    struct {
        double largest, last, log_sum, product;
    } condition;
    double        reached, proposed, unsolved, forced;  // of an adaptive method
    double        passed, next, begun, gap;             // where the sweep has breaks or events
    double        low, high, spared, crowd, ended;      // where it has events
    const double *side, *seen, *times;                  // [events], [events], [times of all events]
    const double *metrics;  // [metric rows] states and counts of the group's metrics, as in memory
    // [derivatives of the group][walk_vectors()][dofs] the derivatives of x, v, own and previous, in this order
    const double *tangents;
} WalkState;

// View of a walk after a launch: columns of points, before and after one substep.
typedef struct Walk {
    const Group    *group;
    size_t          count;           // of points in the batch
    const uint32_t *point;           // [count] the batch's point in each column
    const double   *before, *after;  // [count][rows] numbers, integers as they are; before: NULL at t = 0
    size_t          rows;
} Walk;

// How many vectors of a walk's state have derivatives.
size_t walk_vectors(const Group *group);

// A column of a walk.
//   states  the walk's `before` or `after`; the state's vectors point into it
void walk_state(const Walk *walk, const double *states, size_t column, WalkState *state);

// Advances the points of a batch by a substep at a time, and shows each: at t = 0 and after every launch. The program's
// group is `walked`. The options' progress is called after every launch.
//   visit  called by the calling thread; false ends the walk
// Errors: those of program_run() and of visit.
bool device_walk(Program *program, const Batch *batch, const RunOptions *options,
                 bool (*visit)(const Walk *walk, void *user, Error *err), void *user, Error *err);
