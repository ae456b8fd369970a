// output -- inside of the device layer: a set of output buffers, from computing to fetching.
//
// A set is free, or holds a computed batch. On a CPU device its memory is the host's already; from a GPU it is copied
// in a queue of its own, while the next batch is computed into the other set.
#pragma once

#include "compose/compose.h"
#include "device/opencl.h"
#include "plan/order.h"
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

typedef struct Output {
    Buffer   results, frames;
    Batch    batch;
    RawBatch raw;
    Arena    maps;            // of `raw`
    void    *mapped[2];       // results and frames; NULL: not
    cl_event arrived, freed;  // the host has them; the device has them back. NULL: nothing to wait for
} Output;

// Prepares a set for a batch: waits until the device has its memory back, makes room for the results, and puts the
// points in order.
//   raw    all but the maps and the device's results
//   spare  [raw->columns] overwritten
// Errors: ERROR_DEVICE, ERROR_INTERNAL.
bool output_prepare(const Device *device, Output *output, const Batch *batch, const RawBatch *raw, const Order *order,
                    uint32_t *spare, Error *err);

// Begins to bring a computed batch to the host. Errors: ERROR_DEVICE.
bool output_send(const Device *device, Output *output, Error *err);

// Fills the results when all is there, and gives the memory back.
// Errors: ERROR_DEVICE (a call failed, or no kernel computes such results).
bool output_fetch(const Device *device, Output *output, const Results *results, Error *err);

void output_free(const Device *device, Output *output);
