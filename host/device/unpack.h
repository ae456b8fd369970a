// unpack -- conversion of a kernel's output, device rows of columns, to the layout of results, runs of each point.
#pragma once

#include "compose/compose.h"
#include "plan/results.h"

// A batch as a kernel leaves it.
typedef struct RawBatch {
    const Group *group;
    Rows         rows;
    bool         single;   // numbers are floats and 32-bit integers, else doubles and 64-bit integers
    size_t       points;   // of the batch that are computed
    size_t       columns;  // of a device row of results: the points, padded
    uint32_t    *point;    // [columns] the batch's point in each column
    const void  *results;  // [rows.results][columns]
    size_t       slots;    // frame columns: stored trajectories of these, in the first columns of results
    size_t       tile;     // frame columns side by side
    uint32_t    *slot;     // [slots] the batch's slot in each frame column
    const void  *frames;   // [tiles][samples][rows.frame][tile]; unused where there are no slots
} RawBatch;

// The numbers that frames of so many slots and samples take.
size_t unpack_frame_numbers(const RawBatch *raw);

// The samples that the kernel says it took of the trajectory in a frame column.
int64_t unpack_samples(const RawBatch *raw, size_t column);

// Fills the results of the points that were computed. NaN becomes the plain pattern; samples that a point never reached
// are NaN.
void unpack(const RawBatch *raw, const Results *results);
