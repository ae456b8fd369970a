// replay_trail -- tries of a side, and two trails laid side by side.
#include "analysis/replay/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ReplayTry *replay_add_try(Replay *replay, ReplayTrail *trail, Error *err)
{
    const Group *group = &replay->group;
    trail->dofs = group->dofs;
    trail->vectors = group->method->state_count ? 3 : 2;
    if (trail->count == trail->capacity) {
        const size_t capacity = trail->capacity ? 2 * trail->capacity : 256;
        ReplayTry   *grown = realloc(trail->tries, capacity * sizeof *grown);
        if (!grown) {
            fail(err, ERROR_INTERNAL, "out of memory");
            return NULL;
        }
        trail->tries = grown;
        trail->capacity = capacity;
    }
    const size_t numbers = (trail->vectors + 1) * trail->dofs, earlier = group->method->history ? 2 * trail->dofs : 0;
    ReplayTry   *try = &trail->tries[trail->count];
    *try = (ReplayTry){.error = NAN};
    try->state = arena_take(&replay->arena, numbers + earlier, sizeof *try->state, err);
    if (!try->state)
        return NULL;
    try->scale = try->state + trail->vectors * trail->dofs;
    try->previous = try->state + numbers;
    // A substep that is not accepted leaves the state as it was.
    if (trail->count++ > 0)
        memcpy(try->state, try[-1].state, numbers * sizeof *try->state);
    return try;
}

// Which of two tries comes first in time: less than 0, 0 or more.
static int order(const ReplayTry *a, const ReplayTry *b)
{
    const int64_t of_a[] = {a->h > 0.0, a->step, a->index, a->level},
                  of_b[] = {b->h > 0.0, b->step, b->index, b->level};
    for (size_t i = 0; i < sizeof of_a / sizeof *of_a; ++i)
        if (of_a[i] != of_b[i])
            return of_a[i] < of_b[i] ? -1 : 1;
    return 0;
}

static double ulp_of(const Replay *replay, double size)
{
    if (replay->origin.plan.precision == PRECISION_SINGLE)
        return (double)nextafterf((float)size, INFINITY) - (double)(float)size;
    return nextafter(size, INFINITY) - size;
}

// How far the two sides' states at a place are apart, in ulps of the largest component of each vector.
static void measure(const Replay *replay, ReplayRow *row)
{
    static const char  names[] = "xva";
    const ReplayTrail *trail = &replay->kernel;
    row->apart = row->kernel && row->reference ? 0.0 : (double)NAN;
    for (size_t k = 0; row->kernel && row->reference && k < trail->vectors; ++k) {
        const double *a = row->kernel->state + k * trail->dofs, *b = row->reference->state + k * trail->dofs;
        double        size = 0.0;
        for (size_t i = 0; i < trail->dofs; ++i)
            size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
        for (size_t i = 0; i < trail->dofs; ++i) {
            const double other = point_input_number(&replay->origin.plan, b[i]);
            if (memcmp(&a[i], &other, sizeof other) == 0 || (isnan(a[i]) && isnan(other)))
                continue;
            const double apart = fabs(a[i] - other) / ulp_of(replay, size);
            if (!row->differ || apart > row->apart || isnan(apart))
                snprintf(row->where, sizeof row->where, "%c[%zu]", names[k], i);
            row->differ = true;
            row->apart = apart > row->apart ? apart : row->apart;
        }
    }
}

static bool decides_otherwise(const ReplayRow *row)
{
    return !row->kernel || !row->reference || row->kernel->accepted != row->reference->accepted ||
           row->kernel->updates != row->reference->updates;
}

bool replay_compare(Replay *replay, Error *err)
{
    const ReplayTrail *kernel = &replay->kernel, *reference = &replay->reference;
    const bool         both = kernel->ran && reference->ran;
    size_t             k = 0, r = 0;
    replay->rows = calloc(kernel->count + reference->count + 1, sizeof *replay->rows);
    if (!replay->rows)
        return fail(err, ERROR_INTERNAL, "out of memory");
    replay->parted = replay->decided = SIZE_MAX;
    while (k < kernel->count || r < reference->count) {
        const int  which = k == kernel->count      ? 1
                           : r == reference->count ? -1
                                                   : order(&kernel->tries[k], &reference->tries[r]);
        ReplayRow *row = &replay->rows[replay->row_count];
        row->kernel = which <= 0 ? &kernel->tries[k++] : NULL;
        row->reference = which >= 0 ? &reference->tries[r++] : NULL;
        measure(replay, row);
        if (both && row->differ && replay->parted == SIZE_MAX)
            replay->parted = replay->row_count;
        if (both && decides_otherwise(row) && replay->decided == SIZE_MAX)
            replay->decided = replay->row_count;
        ++replay->row_count;
    }
    return true;
}
