// engine -- the points of a group, made ready on a device or on the reference, and run into Results.
//
//   plan or memory                                    a caller's thread
//        |
//      Group --engine_compose--> source --engine_build--> program --.
//        |                                                          +--engine_run--> Results
//        '-----------------engine_solve--> solution ----------------'
//
// Everything that runs points does it here: runs, comparisons, measurements and tests. An Engine is one group on one
// device; it keeps nothing outside itself, so that there may be several in a process, each used by a thread at a time.
// A failure is an Error; the callback of RunOptions reports how far a batch has come, and its signals stop it.
#pragma once

#include "base/text.h"
#include "device/device.h"
#include "plan/solution.h"

// Zero-initialise it; release with engine_free(). Of plan, group and device all is borrowed.
typedef struct Engine {
    const Plan  *plan;
    const Group *group;
    Device      *device;    // NULL: the reference
    Text         source;    // the composed kernel
    Program     *program;   // NULL until it is built, and on the reference
    Solution     solution;  // for the group's metrics to compare with; empty until it is solved for
} Engine;

// Composes the kernel of a group.
//   engine  zeroed; written
// Errors: those of compose().
bool engine_compose(Engine *engine, const Plan *plan, const Group *group, Error *err);

// Builds the composed kernel for a device, in place of the program built before.
//   device  NULL: the reference, for which nothing is built
//   lanes   as device_build()
// Errors: those of device_build().
bool engine_build(Engine *engine, Device *device, int lanes, Error *err);

// Takes the program of another engine, whose group has the same kernel; false where it has another, or none.
bool engine_take(Engine *engine, Engine *from);

// Takes the source and the program of another engine on the same device, whose group differs in the values of points
// alone: nothing is composed. False where it has none, or does not serve.
//   engine  zeroed; written
//   device  NULL: the reference
bool engine_take_alike(Engine *engine, Device *device, const Plan *plan, const Group *group, Engine *from);

// Makes the solution that the group's metrics compare with, where they need one.
//   stop  not NULL: give up soon after it becomes non-zero
// Errors: those of solve_group().
bool engine_solve(Engine *engine, const volatile sig_atomic_t *stop, Error *err);

// Gives the metrics blank numbers to compare with: a measurement of speed takes the same time with them.
// Errors: ERROR_INTERNAL.
bool engine_leave_unsolved(Engine *engine, Error *err);

// Composes, builds and solves. Errors: those of the three.
bool engine_make(Engine *engine, Device *device, const Plan *plan, const Group *group, int lanes, Error *err);

// Gives a point of a zipped group a value of the caller's in place of the plan's; nothing where the quantity has no
// axis. It counts from the next run on.
void engine_place(Group *group, Quantity quantity, size_t point, double value);

// Runs a batch of the group; nothing where a signal has come before.
//   batch    its solution, where it has none, is the engine's
//   results  buffers at least as large as the batch
// Errors: those of program_run() and reference_run(); ERROR_STOPPED; ERROR_INTERNAL (for a device, and not built).
bool engine_run(const Engine *engine, const Batch *batch, const RunOptions *options, Results *results, Error *err);

// Runs all points of the group as one batch.
//   results  zeroed; made here, and released by the caller with results_free()
// Errors: those of results_make() and engine_run().
bool engine_run_all(const Engine *engine, const RunOptions *options, Results *results, Error *err);

void engine_free(Engine *engine);
