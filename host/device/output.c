// output -- maps, unpacks and unmaps a set of output buffers without holding up the device: device rows of columns
// become runs of each point.
#include "device/output.h"

#include <inttypes.h>
#include <math.h>

// Numbers of a tile that are turned at a time.
enum { PIECE = 4096 };

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
    return (raw->slots + raw->tile - 1) / raw->tile * raw->tile * raw->group->trajectory.sample_count *
           raw->rows.frame * number_bytes(raw);
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

static int64_t whole_at(const RawBatch *raw, const void *row, size_t i)
{
    return raw->single ? ((const int32_t *)row)[i] : ((const int64_t *)row)[i];
}

static const void *row_of(const RawBatch *raw, size_t row)
{
    return (const char *)raw->results + row * raw->columns * number_bytes(raw);
}

static void unpack_row(const RawBatch *raw, size_t row, bool whole, size_t variable, size_t element,
                       const Results *results)
{
    const void *from = row_of(raw, row);
    for (size_t i = 0; i < raw->points; ++i)
        results_put(results, variable, raw->point[i], element,
                    whole         ? (double)whole_at(raw, from, i)
                    : raw->single ? (double)((const float *)from)[i]
                                  : ((const double *)from)[i]);
}

// The common cases without a decision per number: numbers that keep their type, and statuses.
#define UNPACK(name, From, To, value)                                                                          \
    static void name(const RawBatch *raw, size_t row, size_t variable, size_t element, const Results *results) \
    {                                                                                                          \
        const From  *from = row_of(raw, row);                                                                  \
        const size_t width = results->group->variables[variable].width;                                        \
        To          *to = (To *)results_at(results, variable, 0) + element;                                    \
        for (size_t i = 0; i < raw->points; ++i)                                                               \
            to[raw->point[i] * width] = value(from[i]);                                                        \
    }
UNPACK(unpack_doubles, double, double, plain_nan)
UNPACK(unpack_widened, float, double, plain_nan)
UNPACK(unpack_wholes, int64_t, int64_t, )

static void unpack_statuses(const RawBatch *raw, size_t row, size_t variable, const Results *results)
{
    const void *from = row_of(raw, row);
    int8_t     *to = results_at(results, variable, 0);
    for (size_t i = 0; i < raw->points; ++i) {
        const int64_t status = whole_at(raw, from, i);
        to[raw->point[i]] = (int8_t)(status < INT8_MIN ? INT8_MIN : status > INT8_MAX ? INT8_MAX : status);
    }
}

static void unpack_column(const RawBatch *raw, size_t row, bool whole, size_t variable, size_t element,
                          const Results *results)
{
    const VariableType type = results->group->variables[variable].type;
    if (!whole && !raw->single && type == TYPE_F64)
        unpack_doubles(raw, row, variable, element, results);
    else if (!whole && raw->single && type == TYPE_F64)
        unpack_widened(raw, row, variable, element, results);
    else if (whole && !raw->single && type == TYPE_I64)
        unpack_wholes(raw, row, variable, element, results);
    else if (type == TYPE_I8)
        unpack_statuses(raw, row, variable, results);
    else
        unpack_row(raw, row, whole, variable, element, results);
}

static void unpack_results(const RawBatch *raw, const Results *results)
{
    const Group *group = raw->group;
    const size_t dofs = group->dofs;
    size_t       metric = RESULT_METRICS(dofs), samples = raw->rows.numbers;
    for (size_t v = 0; v < group->variable_count; ++v) {
        const Variable *variable = &group->variables[v];
        const bool      status = variable->source == SOURCE_STATUS, of_metric = variable->source == SOURCE_METRIC;
        const bool      counted = of_metric || variable->source == SOURCE_METRIC_D;
        const bool      derivative = variable->source == SOURCE_X_FINAL_D || variable->source == SOURCE_V_FINAL_D;
        if (variable->trajectory)
            continue;
        const size_t row =
            status              ? RESULT_STATUS(dofs)
            : variable->sampled ? samples
            : counted           ? metric++
            : derivative ? raw->rows.tangents + 2 * dofs * variable->tangent + (variable->source == SOURCE_V_FINAL_D)
            : variable->source == SOURCE_V_FINAL ? dofs
                                                 : 0;
        samples += variable->sampled ? variable->width : 0;
        const bool whole =
            status || (of_metric && group->instances[variable->instance].card->results[variable->result].whole);
        if (whole && !variable_applies(group, variable)) {
            for (size_t i = 0; i < raw->points; ++i)
                results_put(results, v, raw->point[i], 0, (double)NAN);
            continue;
        }
        for (size_t e = 0; e < variable->width; ++e)
            unpack_column(raw, row + (derivative ? 2 : 1) * e, whole, v, e, results);
    }
}

// The samples that the kernel says it took of the trajectory in a frame column.
static int64_t count_samples(const RawBatch *raw, size_t column)
{
    return whole_at(raw, row_of(raw, raw->rows.numbers - 1), column);
}

// Samples first..end - 1 of one number of a point, `stride` apart in the tile, become every `dofs`-th element of a
// trajectory; samples from `count` on do not exist.
#define TURN(name, Number, plain)                                                                          \
    static void name(const Number *from, size_t stride, Number *to, size_t dofs, size_t first, size_t end, \
                     size_t count)                                                                         \
    {                                                                                                      \
        for (size_t k = first; k < end; ++k)                                                               \
            to[k * dofs] = plain(k < count ? from[k * stride] : (Number)NAN);                              \
    }
TURN(turn_doubles, double, plain_nan)
TURN(turn_floats, float, plain_nan_float)

// Samples first..end - 1 of frame column c, all frame rows. Trajectories have the precision of the kernel.
static void turn_column(const RawBatch *raw, size_t c, size_t first, size_t end, const Results *results)
{
    const Group *group = raw->group;
    const size_t stride = raw->rows.frame * raw->tile, samples = group->trajectory.sample_count,
                 tile = c / raw->tile * samples * stride + c % raw->tile, count = (size_t)count_samples(raw, c);
    size_t row = 0;
    for (size_t v = 0; v < group->variable_count; ++v) {
        const size_t dofs = group->variables[v].per_dof ? group->dofs : 1;
        if (!group->variables[v].trajectory)
            continue;
        void *to = results_at(results, v, raw->slot[c]);
        for (size_t d = 0; d < dofs; ++d, ++row)
            if (raw->single)
                turn_floats((const float *)raw->frames + tile + row * raw->tile, stride, (float *)to + d, dofs, first,
                            end, count);
            else
                turn_doubles((const double *)raw->frames + tile + row * raw->tile, stride, (double *)to + d, dofs,
                             first, end, count);
    }
}

static void unpack_frames(const RawBatch *raw, const Results *results)
{
    const size_t samples = raw->group->trajectory.sample_count, wide = PIECE / (raw->rows.frame * raw->tile),
                 piece = wide > 8 ? wide : 8;
    for (size_t begin = 0; begin < raw->slots; begin += raw->tile)
        for (size_t first = 0; first < samples; first += piece)
            for (size_t c = begin; c < begin + raw->tile && c < raw->slots; ++c)
                turn_column(raw, c, first, first + piece < samples ? first + piece : samples, results);
}

// Fills the results of the points that were computed, in pieces that stay in the nearest cache. NaN becomes the plain
// pattern; samples that a point never reached are NaN.
static void unpack(const RawBatch *raw, const Results *results)
{
    unpack_results(raw, results);
    if (raw->slots)
        unpack_frames(raw, results);
}

// Whether every stored trajectory has as many samples as there is room for, or fewer.
static bool check_samples(const Output *output, Error *err)
{
    const Group *group = output->raw.group;
    for (size_t i = 0; i < output->raw.slots; ++i) {
        const int64_t count = count_samples(&output->raw, i);
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
