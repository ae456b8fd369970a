// search -- backtracking in long double, with intervals about the objective.
#include "analysis/conform/search.h"

#include "analysis/conform/minimum.h"

#include <math.h>

enum { MOST_HALVINGS = 40 };

void search_guess(const Judge *judge, const Solve *solve, Vector *guess)
{
    long double room;
    const Ball  begin = minimum_objective(judge, solve, guess, &room);
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
static Ball find_slope(const Judge *judge, const Solve *solve, const SearchStart *start)
{
    Ball slope = ball(0.0L);
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball force = ball_mul(judge->u, ball(solve->masses[i]), start->f.i[i]);
        slope = ball_add(judge->u, slope, ball_mul(judge->u, force, start->way.i[i]));
    }
    return slope;
}

// Turns the way where it climbs. Where rounding leaves that open, it is off by as much as the two ways are apart.
static Ball turn(const Judge *judge, const Solve *solve, SearchStart *start)
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

SearchPart search_part(const Judge *judge, const Solve *solve, SearchStart *start)
{
    const Ball  slope = turn(judge, solve, start);
    long double room, unused;
    const Ball  here = minimum_objective(judge, solve, &start->u, &room);
    SearchPart  part = {.found = false};
    long double s = 1.0L;
    for (int halving = 0; halving <= MOST_HALVINGS; ++halving, s /= 2.0L) {
        Vector trial = start->u;
        for (size_t i = 0; i < judge->n; ++i)
            trial.i[i] = (Ball){trial.i[i].at + s * start->way.i[i].at, trial.i[i].off + s * start->way.i[i].off};
        const Ball        there = minimum_objective(judge, solve, &trial, &unused);
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
