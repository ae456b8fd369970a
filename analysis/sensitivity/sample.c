// sample -- takes points of a study while it is scanned.
#include "analysis/sensitivity/sample.h"

#include <math.h>
#include <stdlib.h>

static void take(uint64_t number, const double *numbers, void *user)
{
    Sample *sample = user;
    for (size_t r = 0; r < sample->roles && number % sample->stride == 0 && sample->count < sample->most; ++r)
        sample->y[sample->count++] = numbers ? numbers[r] : (double)NAN;
}

bool sample_take(const SensitivityRequest *request, SensitivityTable *table, uint64_t most, Arena *arena,
                 Sample *sample, Error *err)
{
    const Study *study = table->study;
    uint64_t     count = study->samples;
    *sample = (Sample){.stride = 1, .roles = study->random && study->kind == SAMPLING_SALTELLI ? 2 : study->roles};
    if (count > most / sample->roles && study->random)
        count = most / sample->roles;
    else if (count > most)
        sample->stride = (count - 1) / most + 1;
    sample->most = (size_t)((count - 1) / sample->stride + 1) * sample->roles;
    sample->y = arena_take(arena, sample->most, sizeof *sample->y, err);
    if (!sample->y || !study_scan(study, table->output, table->row, request->failed, take, sample, &table->tally, err))
        return false;
    sensitivity_describe(table, sample->y, sample->count);
    return true;
}

// Of rows in an order of another program's.
static bool read_by_roles(const Study *study, const PointsAxis *axis, const Sample *sample, double *x, Error *err)
{
    double *values = malloc(axis->count * sizeof *values);
    bool    ok = values || fail(err, ERROR_INTERNAL, "out of memory for the values of a factor");
    ok = ok && points_read_axis(&study->points, axis, 0, axis->count, values, err);
    for (size_t i = 0; ok && i < sample->count; ++i)
        x[i] = values[rows_find(&study->rows, i / sample->roles * sample->stride, i % sample->roles)];
    free(values);
    return ok;
}

bool sample_read_factor(const SensitivityTable *table, size_t factor, const Sample *sample, double *x, Error *err)
{
    enum { PART = 1 << 16 };
    const Study      *study = table->study;
    const Points     *points = &study->points;
    const PointsAxis *axis = study->factors[factor];
    if (study->rows.kind == ROWS_SALTELLI)
        return read_by_roles(study, axis, sample, x, err);
    if (axis->values) {
        for (size_t i = 0; i < sample->count; ++i)
            x[i] = points_axis_value(points, (size_t)(axis - points->axes), i * sample->stride);
        return true;
    }
    double *values = malloc(PART * sizeof *values);
    bool    ok = values || fail(err, ERROR_INTERNAL, "out of memory for the values of a factor");
    size_t  next = 0;
    for (uint64_t first = 0; ok && first < axis->count && next < sample->count; first += PART) {
        const size_t count = axis->count - first < PART ? (size_t)(axis->count - first) : PART;
        ok = points_read_axis(points, axis, first, count, values, err);
        for (size_t i = 0; ok && i < count; ++i) {
            const uint64_t number = (first + i) / study->roles;
            if (number % sample->stride == 0 && (first + i) % study->roles < sample->roles && next < sample->count)
                x[next++] = values[i];
        }
    }
    free(values);
    return ok;
}

bool sample_is_whole_grid(const Study *study)
{
    for (size_t d = 0; d < study->points.dim_count; ++d)
        if (study->points.dims[d].together && study->rows.kind != ROWS_GRID)
            return false;
    return !study->random;
}

bool sample_is_net(const Study *study)
{
    return study->random && (study->kind == SAMPLING_SOBOL || study->kind == SAMPLING_SALTELLI);
}
