// failures -- statuses counted in one pass, or in two where the range of a factor must be found first.
#include "store/failures.h"

#include <math.h>
#include <stdlib.h>

// An axis in parts: its values, as many together where they are many; or equal parts of the range of a factor.
typedef struct AxisParts {
    const Points     *points;
    const PointsAxis *axis;
    double           *values;     // of a slab, where points have values of their own
    bool              each, own;  // a part for each value; points have values of their own
    double            low, high;  // of these
    size_t            count;
    Failures         *found;
    Error            *err;
    bool              ok, ranging;
} AxisParts;

static double value_of(const AxisParts *parts, uint64_t first, size_t i)
{
    const PointsAxis *axis = parts->axis;
    return axis->values ? axis->values[points_index(parts->points, axis->dim, first + i)] : parts->values[i];
}

static size_t part_of(const AxisParts *parts, uint64_t first, size_t i)
{
    if (!parts->own)
        return points_index(parts->points, parts->axis->dim, first + i) * parts->count / parts->axis->count;
    const double part = (value_of(parts, first, i) - parts->low) / (parts->high - parts->low) * (double)parts->count;
    return part >= (double)parts->count ? parts->count - 1 : part > 0.0 ? (size_t)part : 0;
}

// Factors of a design lie along the last dimension: a slab is read where its points stand in it.
static void read_factor(AxisParts *parts, uint64_t first, size_t count)
{
    const size_t along = parts->points->dims[parts->axis->dim].count, at = (size_t)(first % along);
    free(parts->values);
    parts->values = malloc((count + 1) * sizeof *parts->values);
    parts->ok = parts->values || fail(parts->err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; parts->ok && i < count;) {
        const size_t start = (at + i) % along, some = count - i < along - start ? count - i : along - start;
        parts->ok = points_read_axis(parts->points, parts->axis, start, some, parts->values + i, parts->err);
        i += some;
    }
}

static void see_statuses(uint64_t first, size_t count, double *const *numbers, void *user)
{
    AxisParts *parts = user;
    if (parts->ok && !parts->axis->values)
        read_factor(parts, first, count);
    for (size_t i = 0; parts->ok && i < count; ++i) {
        if (parts->ranging) {
            parts->low = fmin(parts->low, value_of(parts, first, i));
            parts->high = fmax(parts->high, value_of(parts, first, i));
            continue;
        }
        const size_t part = part_of(parts, first, i);
        parts->found->computed[part] += numbers[0][i] != (double)STATUS_NOT_RUN;
        parts->found->failed[part] += numbers[0][i] != (double)STATUS_OK && numbers[0][i] != (double)STATUS_NOT_RUN;
    }
}

static bool scan(AxisParts *parts, Error *err)
{
    return points_scan(parts->points, &parts->points->status, 1, see_statuses, parts, err) && parts->ok;
}

static void find_ends(const AxisParts *parts, Failures *failures)
{
    const double *values = parts->axis->values, width = (parts->high - parts->low) / (double)parts->count;
    const size_t  all = parts->axis->count;
    for (size_t k = 0; k < parts->count; ++k) {
        const size_t first = (k * all + parts->count - 1) / parts->count,
                     last = ((k + 1) * all + parts->count - 1) / parts->count - 1;
        failures->low[k] = parts->own ? parts->low + width * (double)k : values[first];
        failures->high[k] = parts->own ? failures->low[k] + width : values[last];
    }
}

bool failures_count(const Points *points, const PointsAxis *axis, Failures *failures, Error *err)
{
    AxisParts parts = {
        .points = points, .axis = axis, .found = failures, .low = INFINITY, .high = -INFINITY, .ok = true, .err = err};
    *failures = (Failures){.axis = axis};
    parts.own = !axis->values || points->dims[axis->dim].together;
    parts.each = !parts.own && axis->count <= FAILURES_MOST;
    parts.count = parts.each ? axis->count : FAILURES_PARTS;
    parts.ranging = parts.own;
    bool ok = !parts.own || scan(&parts, err);
    parts.ranging = false;
    if (ok && parts.own && !(parts.high > parts.low))
        parts.count = 1;
    ok = ok && scan(&parts, err);
    failures->count = parts.count;
    failures->each = parts.each;
    if (ok)
        find_ends(&parts, failures);
    free(parts.values);
    return ok;
}
