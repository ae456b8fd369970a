// program -- inside of the device layer: a group's kernel on a device, its buffers, and a batch under way.
#pragma once

#include "catalog/curve.h"
#include "compose/compose.h"
#include "device/binary.h"
#include "device/build.h"
#include "device/output.h"
#include "plan/order.h"
#include "plan/solution.h"

// Buffers that the kernel reads and keeps; the last three serve points that move to other columns.
enum {
    BUFFER_STATE,
    BUFFER_PARAMETERS,
    BUFFER_TALLY,
    BUFFER_TABLES,
    BUFFER_COST,
    BUFFER_STATE_MOVED,
    BUFFER_PARAMETERS_MOVED,
    BUFFER_SOURCE,
    BUFFER_COUNT
};

// Arguments of the kernels.
#define ARGUMENT(NAME, type, name) ARGUMENT_##NAME,
enum { SWEEP_ARGUMENTS(ARGUMENT, ARGUMENT) };
#undef ARGUMENT
#define ARGUMENT(NAME, type, name) REGROUP_##NAME,
enum { REGROUP_ARGUMENTS(ARGUMENT, ARGUMENT) };
#undef ARGUMENT

// A group's source, compiled for a number of lanes and a size of work groups. Zero-initialise it; release with
// program_built_free().
typedef struct Built {
    cl_program program;
    cl_kernel  kernel, regroup;
    Kept       kept;
    bool       ran, moved;    // once at least, each kernel: some drivers compile at the first launch
    int        lanes;         // points of a work item
    size_t     local_size;    // work items of a work group
    size_t     regroup_size;  // the same of the kernel that moves columns
} Built;

struct Program {
    Device         *device;  // borrowed
    const Plan     *plan;    // borrowed
    const Group    *group;   // borrowed
    const char     *source;  // borrowed
    Built           built;
    Built           others[SHAPES_MOST - 1];  // shapes that wait for a trial; zero where one did not compile
    size_t          other_count;
    bool            settled;  // its shape was asked for, remembered or found by a trial
    Rows            rows;
    size_t          number_bytes;  // of a real
    size_t          columns;       // most points at work at a time
    uint64_t        table_bytes;   // of the solution that its metrics compare with, and of the sweep's tables
    bool            alone;         // it takes more than half the memory: no other program may be there
    Buffer          buffers[BUFFER_COUNT];
    Output          outputs[PROGRAM_SETS];
    const Solution *solution;  // borrowed; whose tables the buffer holds
    const CurveSet *curves;    // borrowed; whose numbers the buffer holds before them; NULL: there are none
    Order           order;
    uint32_t       *spare;           // [spare_capacity] for sorting points and listing columns
    size_t          spare_capacity;  // at least the places of a batch
    void           *staged;          // [staged_capacity] parameters on their way to the device
    size_t          staged_capacity;
    cl_uint         work;    // work limit of the next slice, learned from the last ones
    bool            uneven;  // lanes wait for each other, so that new points are tried for a short while first
};

// A batch under way. Places are its points in the order in which they begin; columns belong to the buffers, and there
// may be fewer: points that have ended leave, and waiting points take their columns.
typedef struct Run {
    const Batch *batch;
    Output      *output;
    size_t       places;           // of the batch's points, padded to whole launches
    size_t       columns;          // of the buffers
    size_t       live;             // columns of points that have begun, padded likewise
    size_t       begun;            // places that have begun
    int64_t      fixed_steps;      // all points take so many; 0: their own number
    uint64_t     steps_begun;      // that the points begun are to take
    uint64_t     steps, reported;  // taken so far; of them reported before the batch had to begin anew
} Run;

// The sweep's tables stand at the beginning of the buffer of tables: so many samples of the solution behind them long.
size_t program_curve_samples(const Group *group);

// Bytes of that buffer.
uint64_t program_table_bytes(const Program *program);

// Builds the source for so many lanes and for work groups of a size, or smaller where its registers need it.
//   built  written; zeroed on failure
// Errors: those of device_build().
bool program_built_make(const Program *program, int lanes, size_t local_size, Built *built, Error *err);
void program_built_free(Built *built);

// Launches over no columns, which does nothing but let a driver compile what it left to the first launch. Errors:
// ERROR_DEVICE.
bool program_built_launch(const Device *device, const Built *built, Error *err);

// Fits the columns to the shape, the group's points and the device's memory. False: not even one block finds room.
bool program_fit(Program *program);

// Points padded to whole lane groups and work groups.
static inline size_t program_padded(const Program *program, size_t points)
{
    const size_t unit = (size_t)program->built.lanes * program->built.local_size;
    return (points + unit - 1) / unit * unit;
}

// Prepares a set and the columns of a batch for it; nothing has begun.
//   fixed_steps  that all points take; 0: their own number
//   all          every point has a column from the first
// Errors: ERROR_DEVICE, ERROR_INTERNAL.
bool program_load(Program *program, int set, const Batch *batch, int64_t fixed_steps, bool all, Run *run, Error *err);

// Sets the kernel's arguments but for `first` and `work_limit`. Errors: ERROR_DEVICE.
bool program_set_arguments(const Program *program, const Run *run, Error *err);

// Element i of device rows, numbers of the program's precision: reals and integers lie in the same rows.
void   rows_put(const Program *program, void *rows, size_t i, double value);
void   rows_put_whole(const Program *program, void *rows, size_t i, int64_t value);
double rows_value(const Program *program, const void *rows, size_t i);

// Fills the parameter rows of `count` columns with the places that begin next. Places beyond the last point take its
// parameters and no step. Returns the steps that they are to take together.
//   rows   [program->rows.parameters][count] overwritten
//   alike  [program->rows.parameters] zeroed; set where all columns have the first one's number, and only that is
//          written; NULL: all are written
uint64_t rows_fill(const Program *program, const Run *run, size_t count, void *rows, bool *alike);

// Work limits of a program's first slice. A GPU has so many columns that more could take longer than its watchdog
// waits.
enum { SLICE_FIRST_WORK = 256, SLICE_FIRST_WORK_GPU = 4 };

// Lets waiting points take the free columns; end receives where they end. Errors: ERROR_DEVICE.
bool slices_begin(Program *program, Run *run, size_t *end, Error *err);

// One slice: points in the columns before run->live go on, points from there to `end` begin; run->live becomes end.
// Errors: ERROR_DEVICE.
bool slices_run_one(Program *program, Run *run, size_t end, cl_uint work, uint64_t tally[TALLY_COUNT], Error *err);

// Launches slices until no point runs and none waits. Errors: ERROR_DEVICE, ERROR_STOPPED, ERROR_INTERNAL (memory).
bool slices_run(Program *program, Run *run, const RunOptions *options, Error *err);
