// output -- maps, unpacks and unmaps a set of output buffers without holding up the device.
#include "device/output.h"

#include <inttypes.h>

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

// Points with a stored trajectory come first, and each frame column is the place of its point.
static bool map_points(Output *output, const Batch *batch, const Order *order, uint32_t *spare, Error *err)
{
    RawBatch *raw = &output->raw;
    arena_free(&output->maps);
    raw->point = arena_take(&output->maps, raw->columns, sizeof *raw->point, err);
    raw->slot = arena_take(&output->maps, raw->slots, sizeof *raw->slot, err);
    if (!raw->point || !raw->slot)
        return false;
    order_batch(order, batch, raw->point, spare);
    for (size_t i = 0; i < raw->slots; ++i)
        raw->slot[i] =
            (uint32_t)(group_slot(batch->group, batch->first_point + raw->point[i], NULL) - batch->first_slot);
    return true;
}

bool output_prepare(const Device *device, Output *output, const Batch *batch, const RawBatch *raw, const Order *order,
                    uint32_t *spare, Error *err)
{
    output->raw = *raw;
    output->batch = *batch;
    return map_points(output, batch, order, spare, err) && await(device, &output->freed, err) &&
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

// Whether every stored trajectory has as many samples as there is room for, or fewer.
static bool check_samples(const Output *output, Error *err)
{
    const Group *group = output->raw.group;
    for (size_t i = 0; i < output->raw.slots; ++i) {
        const int64_t count = unpack_samples(&output->raw, i);
        if (count < 0 || (uint64_t)count > group->trajectory.sample_count)
            return fail(err, ERROR_DEVICE, "point %" PRIu64 " of group '%s' counts %" PRId64 " samples, of at most %zu",
                        output->batch.first_point + output->raw.point[i], group->label, count,
                        group->trajectory.sample_count);
    }
    return true;
}

bool output_fetch(const Device *device, Output *output, const Results *results, Error *err)
{
    if (!await(device, &output->arrived, err))
        return false;
    output->raw.results = output->mapped[0];
    output->raw.frames = output->mapped[1];
    if (!check_samples(output, err))
        return opencl_distrust(device, err);
    unpack(&output->raw, results);
    return unmap(device, output, err) &&
           (plausible_results(&output->batch, results, err) || opencl_distrust(device, err));
}

void output_free(const Device *device, Output *output)
{
    Error ignored;
    await(device, &output->arrived, &ignored);
    unmap(device, output, &ignored);
    await(device, &output->freed, &ignored);
    buffer_free(&output->results);
    buffer_free(&output->frames);
    arena_free(&output->maps);
    *output = (Output){0};
}
