// output -- maps, unpacks and unmaps a set of output buffers without holding up the device.
#include "device/output.h"

#include <stdlib.h>

static size_t number_bytes(const RawBatch *raw)
{
    return raw->single ? sizeof(float) : sizeof(double);
}

static size_t results_bytes(const RawBatch *raw)
{
    return raw->rows.results * raw->columns * number_bytes(raw);
}

static size_t frames_bytes(const RawBatch *raw)
{
    return unpack_frame_numbers(raw) * number_bytes(raw);
}

static bool await(const Device *device, cl_event *event, Error *err)
{
    if (!*event)
        return true;
    const cl_int code = clWaitForEvents(1, event);
    clReleaseEvent(*event);
    *event = NULL;
    return opencl_check(device, code, "moving results", err);
}

// Notes which column and which slot of the batch each frame column belongs to: the selected points in the order of
// their columns.
static bool map_frames(Output *output, const Batch *batch, Error *err)
{
    const uint32_t *point = output->raw.point;
    const size_t    bytes = (batch->slot_count + 1) * sizeof(uint32_t);
    free(output->column);
    free(output->slot);
    output->raw.column = output->column = malloc(bytes);
    output->raw.slot = output->slot = malloc(bytes);
    if (!output->column || !output->slot)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0, frame = 0; frame < batch->slot_count && i < batch->point_count; ++i) {
        bool           selected = false;
        const uint64_t slot = group_slot(batch->group, batch->first_point + (point ? point[i] : i), &selected);
        if (!selected)
            continue;
        output->column[frame] = (uint32_t)i;
        output->slot[frame++] = (uint32_t)(slot - batch->first_slot);
    }
    return true;
}

bool output_prepare(const Device *device, Output *output, const Batch *batch, const RawBatch *raw, Error *err)
{
    output->raw = *raw;
    return map_frames(output, batch, err) && await(device, &output->freed, err) &&
           buffer_reserve(device, &output->results, results_bytes(raw), err) &&
           buffer_reserve(device, &output->frames, frames_bytes(raw), err);
}

bool output_send(const Device *device, Output *output, Error *err)
{
    const Buffer *const buffers[2] = {&output->results, &output->frames};
    const size_t        bytes[2] = {results_bytes(&output->raw), frames_bytes(&output->raw)};
    for (int i = 0; i < 2 && bytes[i]; ++i) {
        cl_int code;
        // The queue is in order: the last event is all of them.
        if (output->arrived)
            clReleaseEvent(output->arrived);
        output->arrived = NULL;
        output->mapped[i] = clEnqueueMapBuffer(device->transfers, buffers[i]->memory, CL_FALSE, CL_MAP_READ, 0,
                                               bytes[i], 0, NULL, &output->arrived, &code);
        if (code != CL_SUCCESS)
            output->mapped[i] = NULL;
        if (!opencl_check(device, code, "mapping memory", err))
            return false;
    }
    return opencl_check(device, clFlush(device->transfers), "mapping memory", err);
}

static bool unmap(const Device *device, Output *output, Error *err)
{
    const Buffer *const buffers[2] = {&output->results, &output->frames};
    cl_int              code = CL_SUCCESS;
    for (int i = 0; i < 2 && code == CL_SUCCESS; ++i) {
        if (!output->mapped[i])
            continue;
        if (output->freed)
            clReleaseEvent(output->freed);
        output->freed = NULL;
        code =
            clEnqueueUnmapMemObject(device->transfers, buffers[i]->memory, output->mapped[i], 0, NULL, &output->freed);
        output->mapped[i] = NULL;
    }
    return opencl_check(device, code, "unmapping memory", err) &&
           opencl_check(device, clFlush(device->transfers), "unmapping memory", err);
}

bool output_fetch(const Device *device, Output *output, const Results *results, Error *err)
{
    if (!await(device, &output->arrived, err))
        return false;
    output->raw.results = output->mapped[0];
    output->raw.frames = output->mapped[1];
    unpack(&output->raw, results);
    return unmap(device, output, err);
}

void output_free(const Device *device, Output *output)
{
    Error ignored;
    await(device, &output->arrived, &ignored);
    unmap(device, output, &ignored);
    await(device, &output->freed, &ignored);
    buffer_free(&output->results);
    buffer_free(&output->frames);
    free(output->column);
    free(output->slot);
    *output = (Output){0};
}
