// shapes -- the number of lanes, and the size of work groups, with which a group's kernel is fastest, found by a trial.
//
// A shape changes no bit of any result. Which one is fastest depends on the kernel, the compiler and the processor's
// registers, so that it is measured: each shape takes the same points of the group for some tenths of a second, in
// turns, and the results are thrown away. The shape found is kept in the cache, and a program that is built without a
// wish for lanes begins with it.
#pragma once

#include "base/text.h"
#include "device/device.h"

typedef struct Shape {
    int    lanes;
    size_t local_size;  // work items of a work group
} Shape;

typedef struct ShapeTrial {
    size_t   count;
    Shape    shapes[SHAPES_MOST];  // [count] the first is the one by default
    double   rates[SHAPES_MOST];   // [count] substeps tried and updates made, a second; 0: not to be had
    size_t   taken;
    uint32_t work;  // limit of a turn's slice
} ShapeTrial;

// The shapes that a trial compares: on a CPU half as many and twice as many lanes, on a GPU other work groups.
//   by_default  its own, which comes first
//   points      of the group: no more lanes than they fill
// Returns how many; 1: there is nothing to compare.
size_t shapes_list(const DeviceInfo *info, Shape by_default, uint64_t points, Shape shapes[SHAPES_MOST]);

// The shape that is built first: that of the lanes asked for, else the one that a trial found, else the device's own.
//   program  its device, plan, group and source
//   settled  written: it is not the last of these
Shape shapes_first(const Program *program, int lanes, bool *settled);

// Whether a trial has something to find: no lanes were asked for, nothing is remembered, and there is a choice.
bool shapes_pending(const Program *program);

// Compiles the next of the shapes that a trial is to compare; another thread may run the program meanwhile. One that
// does not compile is left out. False: all are compiled.
bool shapes_build_next(Program *program);

// Compares the shapes that were built, takes that of shapes_choose(), and remembers it.
//   set    an output set that holds nothing
//   batch  of the group; its first points are tried
//   trial  written
// Errors: ERROR_DEVICE, ERROR_STOPPED, ERROR_INTERNAL. Where it fails the program has the shape by default.
bool shapes_trial(Program *program, int set, const Batch *batch, const RunOptions *options, ShapeTrial *trial,
                  Error *err);

// The fastest of the shapes, or the one by default where none is faster by 2 %.
size_t shapes_choose(const ShapeTrial *trial);

// Adds the text of a line: "16 lanes 1.000, 8 lanes 0.853, 32 lanes 1.094: 32 lanes taken".
void shapes_describe(const ShapeTrial *trial, Text *text);
