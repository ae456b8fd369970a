// partials -- the entries where nothing has moved, and the changes that moves make.
#include "analysis/conform/judgement/partials.h"

#include <string.h>

// A place at which the entries are asked for. Members can be moved one by one.
typedef struct PartialsPlace {
    const ExactPoint *point;
    const Partials   *partials;
    bool              start, loads;  // of the initial state; the moved parameters are loaded before
    long double       t, x[CARD_DOFS], v[CARD_DOFS];
} PartialsPlace;

bool partials_make(const Card *problem, size_t dofs, Arena *arena, Partials *partials, Error *err)
{
    const size_t square = dofs * dofs, slopes = (problem->parameter_count + 1) * dofs, count = 2 * (square + slopes);
    *partials = (Partials){.n = dofs, .parameters = problem->parameter_count, .count = count};
    if (!(partials->entries = arena_take(arena, count, sizeof *partials->entries, err)) ||
        !(partials->at = arena_take(arena, count, sizeof *partials->at, err)) ||
        !(partials->ahead = arena_take(arena, count, sizeof *partials->ahead, err)) ||
        !(partials->behind = arena_take(arena, count, sizeof *partials->behind, err)))
        return false;
    partials->in_x = partials->entries;
    partials->in_v = partials->in_x + square;
    partials->by = partials->in_v + square;
    partials->by_v = partials->by + slopes;
    return true;
}

static void ask(const PartialsPlace *place, long double *numbers)
{
    const ExactPoint *point = place->point;
    const Exact      *exact = point->exact;
    const size_t      n = place->partials->n, square = n * n, slopes = (place->partials->parameters + 1) * n;
    const void       *params = place->loads ? point->moved_params : point->params;
    long double      *by = numbers + 2 * square;
    if (place->loads)
        exact->load(point->moved_params, point->moved_values);
    if (place->start) {
        exact->start_slopes(params, by, by + slopes);
        return;
    }
    exact->jacobian(place->t, place->x, place->v, params, numbers, numbers + square);
    exact->slopes(place->t, place->x, place->v, params, by);
}

// Adds the effect of a number that may be off.
static void move(const PartialsPlace *place, long double *number, long double off)
{
    const Partials   *p = place->partials;
    const long double here = *number;
    long double       size = 0.0L, widest = 0.0L, bend = 0.0L;
    if (off == 0.0L)
        return;
    *number = here + off;
    ask(place, p->ahead);
    *number = here - off;
    ask(place, p->behind);
    *number = here;
    for (size_t i = 0; i < p->count; ++i) {
        const long double change = larger_of(fabsl(p->ahead[i] - p->at[i]), fabsl(p->behind[i] - p->at[i]));
        p->entries[i].off += change;
        size = larger_of(size, fabsl(p->at[i]));
        widest = larger_of(widest, change);
        bend = larger_of(bend, fabsl(p->ahead[i] + p->behind[i] - 2.0L * p->at[i]));
    }
    if (!isfinite(off) || (widest > 0x1p-10L * size && bend > 0.25L * widest))
        for (size_t i = 0; i < p->count; ++i)
            p->entries[i].off = INFINITY;
}

// Adds the effect of the rounding of each function of elementary.h that the text calls.
static void move_functions(const PartialsPlace *place, int calls, long double by)
{
    const Partials *p = place->partials;
    for (int call = 1; call <= calls; ++call) {
        place->point->exact->move(call, by);
        ask(place, p->ahead);
        for (size_t i = 0; i < p->count; ++i)
            p->entries[i].off += fabsl(p->ahead[i] - p->at[i]);
    }
    place->point->exact->move(0, 0.0L);
}

static void move_parameters(PartialsPlace *place, long double inside)
{
    const ExactPoint *point = place->point;
    memcpy(point->moved_values, point->values, place->partials->parameters * sizeof *point->values);
    place->loads = true;
    for (size_t k = 0; k < place->partials->parameters; ++k)
        if (!point->problem->parameters[k].choices)
            move(place, &point->moved_values[k], inside * fabsl(point->values[k]));
    place->loads = false;
}

// The entries with their own rounding. Returns how many functions the text calls.
static int begin(const PartialsPlace *place, long double inside, long double least)
{
    const Partials *p = place->partials;
    const Exact    *exact = place->point->exact;
    memset(p->at, 0, p->count * sizeof *p->at);
    memset(p->ahead, 0, p->count * sizeof *p->ahead);
    memset(p->behind, 0, p->count * sizeof *p->behind);
    exact->move(0, 0.0L);
    ask(place, p->at);
    for (size_t i = 0; i < p->count; ++i)
        p->entries[i] = (Ball){p->at[i], p->at[i] == 0.0L ? 0.0L : inside * fabsl(p->at[i]) + least};
    return exact->elementary ? exact->calls() : 0;
}

static long double roundings(const ExactPoint *point)
{
    return (long double)(point->exact->operations + (int)point->dofs);
}

void partials_find(const ExactPoint *point, Ball t, const Ball *x, const Ball *v, bool plain, Partials *partials)
{
    const long double inside = roundings(point) * point->unit, least = roundings(point) * ball_least(point->unit);
    PartialsPlace     place = {.point = point, .partials = partials, .t = t.at};
    for (size_t i = 0; i < partials->n; ++i) {
        place.x[i] = x[i].at;
        place.v[i] = v[i].at;
    }
    const int calls = begin(&place, inside, least);
    if (plain)
        return;
    move_functions(&place, calls, inside);
    for (size_t i = 0; i < partials->n; ++i) {
        move(&place, &place.x[i], x[i].off + inside * fabsl(x[i].at));
        move(&place, &place.v[i], v[i].off + inside * fabsl(v[i].at));
    }
    move(&place, &place.t, t.off + inside * fabsl(t.at));
    move_parameters(&place, inside);
}

void partials_start(const ExactPoint *point, Partials *partials)
{
    const long double inside = roundings(point) * point->unit, least = roundings(point) * ball_least(point->unit);
    PartialsPlace     place = {.point = point, .partials = partials, .start = true};
    move_functions(&place, begin(&place, inside, least), inside);
    move_parameters(&place, inside);
}
