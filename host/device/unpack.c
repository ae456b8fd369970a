// unpack -- reads device rows and tiles in pieces that stay in the nearest cache.
#include "device/unpack.h"

#include <math.h>

// Numbers of a tile that are turned at a time.
enum { PIECE = 4096 };

static int64_t whole_at(const RawBatch *raw, const void *row, size_t i)
{
    return raw->single ? ((const int32_t *)row)[i] : ((const int64_t *)row)[i];
}

static const void *row_of(const RawBatch *raw, size_t row)
{
    const size_t bytes = raw->single ? sizeof(float) : sizeof(double);
    return (const char *)raw->results + row * raw->columns * bytes;
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

// The common cases without a decision per number: 64-bit numbers that keep their type.
static void unpack_doubles(const RawBatch *raw, size_t row, size_t variable, size_t element, const Results *results)
{
    const double *from = row_of(raw, row);
    const size_t  width = results->group->variables[variable].width;
    double       *to = (double *)results_at(results, variable, 0) + element;
    for (size_t i = 0; i < raw->points; ++i)
        to[raw->point[i] * width] = plain_nan(from[i]);
}

static void unpack_wholes(const RawBatch *raw, size_t row, size_t variable, size_t element, const Results *results)
{
    const int64_t *from = row_of(raw, row);
    const size_t   width = results->group->variables[variable].width;
    int64_t       *to = (int64_t *)results_at(results, variable, 0) + element;
    for (size_t i = 0; i < raw->points; ++i)
        to[raw->point[i] * width] = from[i];
}

static void leave_out(const RawBatch *raw, size_t variable, const Results *results)
{
    for (size_t i = 0; i < raw->points; ++i)
        results_put(results, variable, raw->point[i], 0, (double)NAN);
}

static void unpack_results(const RawBatch *raw, const Results *results)
{
    const Group *group = raw->group;
    const size_t dofs = group->dofs;
    size_t       metric = RESULT_METRICS(dofs), samples = raw->rows.numbers;
    for (size_t v = 0; v < group->variable_count; ++v) {
        const Variable *variable = &group->variables[v];
        const bool      status = variable->source == SOURCE_STATUS, of_metric = variable->source == SOURCE_METRIC;
        if (variable->trajectory)
            continue;
        const size_t row = status                               ? RESULT_STATUS(dofs)
                           : variable->sampled                  ? samples
                           : of_metric                          ? metric++
                           : variable->source == SOURCE_V_FINAL ? dofs
                                                                : 0;
        samples += variable->sampled ? variable->width : 0;
        const bool whole =
            status || (of_metric && group->instances[variable->instance].card->results[variable->result].whole);
        if (whole && !variable_applies(group, variable)) {
            leave_out(raw, v, results);
            continue;
        }
        for (size_t e = 0; e < variable->width; ++e)
            if (!whole && !raw->single && variable->type == TYPE_F64)
                unpack_doubles(raw, row + e, v, e, results);
            else if (whole && !raw->single && variable->type == TYPE_I64)
                unpack_wholes(raw, row + e, v, e, results);
            else
                unpack_row(raw, row + e, whole, v, e, results);
    }
}

int64_t unpack_samples(const RawBatch *raw, size_t column)
{
    return whole_at(raw, row_of(raw, raw->rows.numbers - 1), column);
}

// Samples first..end - 1 of one number of a point, `stride` apart in the tile, become every `dofs`-th element of a
// trajectory; samples from `count` on do not exist.
static void turn_doubles(const double *from, size_t stride, double *to, size_t dofs, size_t first, size_t end,
                         size_t count)
{
    size_t k = first;
    for (; k < end && k < count; ++k)
        to[k * dofs] = plain_nan(from[k * stride]);
    for (; k < end; ++k)
        to[k * dofs] = plain_nan(NAN);
}

static void turn_floats(const float *from, size_t stride, float *to, size_t dofs, size_t first, size_t end,
                        size_t count)
{
    size_t k = first;
    for (; k < end && k < count; ++k)
        to[k * dofs] = plain_nan_float(from[k * stride]);
    for (; k < end; ++k)
        to[k * dofs] = plain_nan_float(NAN);
}

// Samples first..end - 1 of frame column c, all frame rows. Trajectories have the precision of the kernel.
static void turn_column(const RawBatch *raw, size_t c, size_t first, size_t end, const Results *results)
{
    const Group *group = raw->group;
    const size_t stride = raw->rows.frame * raw->tile, samples = group->trajectory.sample_count,
                 tile = c / raw->tile * samples * stride + c % raw->tile, count = (size_t)unpack_samples(raw, c);
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

size_t unpack_frame_numbers(const RawBatch *raw)
{
    return (raw->slots + raw->tile - 1) / raw->tile * raw->tile * raw->group->trajectory.sample_count * raw->rows.frame;
}

void unpack(const RawBatch *raw, const Results *results)
{
    unpack_results(raw, results);
    if (raw->slots)
        unpack_frames(raw, results);
}
