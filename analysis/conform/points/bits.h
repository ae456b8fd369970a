// bits -- points on devices and lane counts, which must agree in every bit.
#pragma once

#include "engine/engine.h"

enum { BITS_DEVICES = 8, BITS_LANES = 6 };

// The lane counts that a device is to run with; none: the counts that it is used with.
typedef struct BitsLanes {
    int    counts[BITS_LANES];
    size_t count;
} BitsLanes;

// A device's part.
typedef struct BitsDevice {
    const char *name;
    const char *arithmetic;  // the rule that the device does not keep, or NULL; see device/arithmetic.h
    BitsLanes   lanes;       // from bits_lanes()
    uint64_t    differing;   // points with other bits than the first lane count of the first device, at any of its own
} BitsDevice;

typedef struct Bits {
    BitsDevice devices[BITS_DEVICES];
    size_t     device_count;
    uint64_t   points, same;  // run; with the same bits everywhere
    double ulps;  // the largest difference of two numbers, in the last place of the larger; infinite where one is not
                  // finite, or they are integers
    uint64_t point;    // where that is
    double  *shown;    // [points of the group] such a difference of each, owned; NULL: nobody asks
    Engine  *engines;  // [device][lane]
    Results  first, other;
} Bits;

// How far two results of a point of a group are apart, in units of the last place; 0: the same bits.
//   v  the variable, where that is
double bits_apart(const Group *group, const Results *a, const Results *b, size_t point, size_t *v);

// The lane counts that a device runs a group with: 1 alone where its compiler has no vectors, else the counts asked
// for. Where none are, they are 1 and what a run of the group takes by default (build_lanes()); and on a CPU 8 and 16,
// as far as the group has room for them. A GPU's compiler needs minutes for more than its 1.
BitsLanes bits_lanes(const DeviceInfo *info, Precision precision, const Group *group, const BitsLanes *asked);

// Builds a group's kernel for all devices and lane counts.
//   group    or a part of it; whole: all of it
//   lanes    asked for
//   bits     zeroed but for `shown`; written; release with bits_close()
//   points   of the largest batch
//   signals  not NULL: give up before the next kernel when it is non-zero
// Errors: those of engine_compose(), engine_build(), results_make(); ERROR_STOPPED.
bool bits_open(const Plan *plan, const Group *group, const Group *whole, Device *const *devices, size_t device_count,
               const BitsLanes *lanes, size_t points, const volatile sig_atomic_t *signals, Bits *bits, Error *err);
void bits_close(Bits *bits);

// Runs a batch everywhere; bits->first has its results. Errors: those of engine_run().
bool bits_run(Bits *bits, const Batch *batch, const RunOptions *options, Error *err);
