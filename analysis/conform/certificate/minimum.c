// minimum -- the objective with its bound, backtracking by it, and the demands on a minimum.
#include "analysis/conform/certificate/minimum.h"

#include <string.h>

enum { MOST_HALVINGS = 40 };

// U + h R - F . h u, its terms' magnitudes, and the masses.
typedef struct LineBracket {
    long double value, size, mass[CERTIFICATE_DOFS];
} LineBracket;

// Where it is asked.
typedef struct IncrementalPlace {
    long double t, x[CERTIFICATE_DOFS], u[CERTIFICATE_DOFS];
} IncrementalPlace;

static LineBracket find_bracket(const Judge *judge, const IncrementalPlace *place, const void *params)
{
    const Exact *exact = judge->substep->point->exact;
    long double  old[CERTIFICATE_DOFS] = {0}, force[CERTIFICATE_DOFS] = {0}, work = 0.0L, lost = 0.0L;
    LineBracket  bracket = {.value = 0.0L};
    for (size_t i = 0; i < judge->n; ++i)
        old[i] = judge->substep->before.x[i];
    if (exact->drive)
        exact->drive(place->t, params, force);
    if (exact->dissipation)
        lost = judge->h.at * exact->dissipation(old, place->u, params);
    for (size_t i = 0; i < judge->n; ++i)
        work += judge->h.at * force[i] * place->u[i];
    const long double stored = exact->potential(place->x, params);
    exact->masses(params, bracket.mass);
    bracket.value = stored + lost - work;
    bracket.size = fabsl(stored) + fabsl(lost) + fabsl(work);
    return bracket;
}

// The effect of an argument that may be off by `off`: a difference along it, times that.
static long double spread(const Judge *judge, IncrementalPlace *place, long double *argument, long double off,
                          long double value)
{
    const long double here = *argument, step = 0x1p-24L * larger_of(fabsl(here), 0x1p-24L);
    *argument = here + step;
    const long double moved = find_bracket(judge, place, judge->substep->point->params).value;
    *argument = here;
    return fabsl(moved - value) / step * off;
}

// The bracket with its bound: every argument and parameter is off by the rounding inside.
static Ball bracket_at(const Judge *judge, Ball t, const Vector *x, const Vector *u, long double *size)
{
    const CertificateSubstep *substep = judge->substep;
    const long double         inside = (long double)(substep->point->exact->operations + (int)judge->n) * judge->u;
    IncrementalPlace          place = {.t = t.at};
    for (size_t i = 0; i < judge->n; ++i) {
        place.x[i] = x->i[i].at;
        place.u[i] = u->i[i].at;
    }
    substep->point->exact->move(0, 0.0L);
    const LineBracket bracket = find_bracket(judge, &place, substep->point->params);
    const int         calls = substep->point->exact->elementary ? substep->point->exact->calls() : 0;
    *size = bracket.size;
    // The products with h and the sums of the terms.
    Ball result = {bracket.value, (inside + (long double)(judge->n + 4) * BALL_ROUNDINGS * judge->u) * bracket.size};
    for (int call = 1; call <= calls; ++call) {
        substep->point->exact->move(call, inside);
        result.off += fabsl(find_bracket(judge, &place, substep->point->params).value - bracket.value);
    }
    substep->point->exact->move(0, 0.0L);
    result.off += spread(judge, &place, &place.t, t.off + inside * fabsl(t.at), bracket.value);
    for (size_t i = 0; i < judge->n; ++i) {
        result.off += spread(judge, &place, &place.x[i], x->i[i].off + inside * fabsl(x->i[i].at), bracket.value);
        result.off += spread(judge, &place, &place.u[i], u->i[i].off + inside * fabsl(u->i[i].at), bracket.value);
    }
    long double *values = substep->point->moved_values;
    memcpy(values, substep->point->values, substep->point->problem->parameter_count * sizeof *values);
    for (size_t k = 0; k < substep->point->problem->parameter_count; ++k) {
        if (substep->point->problem->parameters[k].choices || values[k] == 0.0L)
            continue;
        const long double here = values[k], step = 0x1p-24L * fabsl(here);
        values[k] = here + step;
        substep->point->exact->load(substep->point->moved_params, values);
        values[k] = here;
        const long double moved = find_bracket(judge, &place, substep->point->moved_params).value;
        result.off += fabsl(moved - bracket.value) / step * inside * fabsl(here);
    }
    return result;
}

static long double extent(const Judge *judge, size_t i)
{
    const WalkState *before = &judge->substep->before;
    return fabsl((long double)before->x[i]) + judge->h.at * fabsl((long double)before->v[i]);
}

// By how much an update may raise the objective ("Line search", with the room that rounding needs): 8 u (S + F/h), S
// the size of its terms, F the sum of |M q a| X, X the extent.
static long double room_of(const Judge *judge, const Solve *solve, const Vector *u, const Vector *x1,
                           const long double *mass, long double size)
{
    Judge       plain = *judge;
    long double work = 0.0L;
    plain.plain = true;
    const Vector a = equations_acceleration(&plain, solve->t, x1, u);
    for (size_t i = 0; i < judge->n; ++i)
        work += mass[i] * fabsl(solve->q.at * a.i[i].at) * extent(judge, i);
    return 8.0L * judge->u * (size + work / solve->cx.at);
}

// L at u, and how much an update may raise it for its rounding.
static Ball objective(const Judge *judge, const Solve *solve, const Vector *u, long double *room)
{
    const Roundoff    unit = judge->u;
    const long double inside = (long double)judge->substep->point->exact->operations * unit;
    const Vector      x1 = equations_ahead(judge, solve->x, solve->cx, u);
    const Ball        weight = ball_div(unit, solve->q, solve->cx);
    long double       size, mass[CERTIFICATE_DOFS] = {0};
    Ball              inertia = ball(0.0L);
    const Ball        bracket = bracket_at(judge, solve->t, &x1, u, &size);
    judge->substep->point->exact->masses(judge->substep->point->params, mass);
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball apart = ball_sub(unit, u->i[i], solve->rest->i[i]), m = {mass[i], inside * fabsl(mass[i])};
        inertia = ball_add(unit, inertia, ball_mul(unit, ball_mul(unit, ball(0.5L), m), ball_mul(unit, apart, apart)));
    }
    *room = room_of(judge, solve, u, &x1, mass, inertia.at + weight.at * size);
    return ball_add(unit, inertia, ball_mul(unit, weight, bracket));
}

void minimum_guess(const Judge *judge, const Solve *solve, Vector *guess)
{
    long double room;
    const Ball  begin = objective(judge, solve, guess, &room);
    long double largest = equations_size(judge, judge->substep->before.x);
    for (size_t i = 0; i < judge->n; ++i)
        largest = larger_of(largest, fabsl(guess->i[i].at));
    // On the way to the objective stand squares and fourth powers, which may be too large where it is not.
    if (largest > powl(equations_limit(judge), 0.25L)) {
        for (size_t i = 0; i < judge->n; ++i)
            guess->i[i].off = INFINITY;
        return;
    }
    for (size_t i = 0; i < judge->n && !(fabsl(begin.at) <= equations_limit(judge)); ++i)
        guess->i[i] = ball(0.0L);
}

// The gradient along the way.
static Ball find_slope(const Judge *judge, const Solve *solve, const MinimumStart *start)
{
    Ball slope = ball(0.0L);
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball force = ball_mul(judge->u, ball(solve->masses[i]), start->f.i[i]);
        slope = ball_add(judge->u, slope, ball_mul(judge->u, force, start->way.i[i]));
    }
    return slope;
}

// Turns the way where it climbs. Where rounding leaves that open, it is off by as much as the two ways are apart.
static Ball turn(const Judge *judge, const Solve *solve, MinimumStart *start)
{
    const Ball slope = find_slope(judge, solve, start);
    const bool may = !start->down && !(slope.at + slope.off < 0.0L);
    start->turned = may && !(slope.at - slope.off < 0.0L);
    for (size_t i = 0; may && i < judge->n; ++i) {
        Ball      *way = &start->way.i[i];
        const Ball steepest = {-start->f.i[i].at, start->f.i[i].off};
        *way = start->turned ? steepest
                             : (Ball){way->at, larger_of(way->off, fabsl(steepest.at - way->at) + steepest.off)};
    }
    return may ? find_slope(judge, solve, start) : slope;
}

MinimumPart minimum_part(const Judge *judge, const Solve *solve, MinimumStart *start)
{
    const Ball  slope = turn(judge, solve, start);
    long double room, unused;
    const Ball  here = objective(judge, solve, &start->u, &room);
    MinimumPart part = {.found = false};
    long double s = 1.0L;
    for (int halving = 0; halving <= MOST_HALVINGS; ++halving, s /= 2.0L) {
        Vector trial = start->u;
        for (size_t i = 0; i < judge->n; ++i)
            trial.i[i] = (Ball){trial.i[i].at + s * start->way.i[i].at, trial.i[i].off + s * start->way.i[i].off};
        const Ball        there = objective(judge, solve, &trial, &unused);
        const long double over = there.at - here.at - 1e-4L * s * slope.at - room,
                          off = there.off + here.off + 1e-4L * s * slope.off + 0x1p-10L * room;
        if (!isfinite(there.at) || over > off)
            continue;
        part.first = part.found ? part.first : s;
        part.found = true;
        if (over + off <= 0.0L) {
            part.last = s;
            break;
        }
    }
    return part;
}

void minimum_demand(Judge *judge, const Solve *solve, const Vector *u)
{
    if (!judge->substep->accepted)
        return;
    Vector      guess = *solve->guess;
    long double rooms[2];
    minimum_guess(judge, solve, &guess);
    const Ball        there = objective(judge, solve, u, &rooms[0]), begin = objective(judge, solve, &guess, &rooms[1]);
    const long double rise = (long double)judge->substep->max_updates * larger_of(rooms[0], rooms[1]);
    const Ball        above = {isfinite(there.at) ? larger_of(there.at - begin.at, 0.0L) : INFINITY,
                        there.off + (begin.off + rise)};
    equations_below(judge, "an objective that falls", 0, above, 0.0L);
}
