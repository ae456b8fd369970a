// results -- results of a batch of points, laid out as in the result file.
//
// The device and the reference fill the same Results, so that they can be compared and either can be stored.
#pragma once

#include "plan/batch.h"
#include "plan/plan.h"

#include <string.h>

// Buffers of one batch, one per variable of the group. Allocated once for the largest batch and used again.
typedef struct Results {
    const Group *group;  // borrowed
    void       **data;   // [variable_count] -> [point or slot of the batch][width] in the variable's type
    size_t       point_capacity, slot_capacity;
    Arena        arena;
} Results;

// Buffers for batches of up to that many points and slots. Release with results_free().
// Errors: ERROR_INTERNAL (memory).
bool results_make(const Group *group, size_t point_capacity, size_t slot_capacity, Results *results, Error *err);
void results_free(Results *results);

// Pointer to the numbers of a point (or, for trajectories, of a slot) in the batch.
void *results_at(const Results *results, size_t variable, size_t point_or_slot);

// The number itself, or the one NaN that result files hold, whatever NaN the processor made.
static inline double plain_nan(double value)
{
    const uint64_t bits = UINT64_C(0x7FF8000000000000);
    if (value != value)
        memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float plain_nan_float(float value)
{
    const uint32_t bits = UINT32_C(0x7FC00000);
    if (value != value)
        memcpy(&value, &bits, sizeof value);
    return value;
}

// Value of an integer metric where it was not computed: netCDF's fill value of its type, and 0 of a type that has none.
int64_t results_fill(VariableType type);

// Writes a number into a variable's buffer, converted to its type (rounded to float, cut to an integer). NaN is stored
// as the one pattern 0x7FF8000000000000 (0x7FC00000), in an integer as results_fill().
void results_put(const Results *results, size_t variable, size_t point_or_slot, size_t element, double value);

// Reads it back as a double; a number that was not computed is NaN.
double results_value(const Results *results, size_t variable, size_t point_or_slot, size_t element);

// Checks for results that no kernel computes: they come from a broken device or driver. Of every point of a batch the
// status is one that a point can end with; its final state is finite where that is ok, and NaN where it is not; an ok
// point took its steps and no point more; updates stay within the budget, which the last attempt may exceed by its own,
// and halvings within their depth. Counters without a bound are not looked at: in single precision they may overflow.
// Errors: ERROR_DEVICE (names the point and its claim).
bool plausible_results(const Batch *batch, const Results *results, Error *err);
