// roots -- all solutions of f(q) = target in an interval, for many targets at once.
//
// The function is looked at along a grid and at its extrema between grid points, which cuts the interval into pieces
// where it rises or falls. A piece holds at most one root of each target, and all brackets of all targets are narrowed
// together by Chandrupatla's method (1997), so that each round is one call: a launch on a device, where f runs there.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

// Golden section: an interval around an extremum, with two inner points of which a round needs one anew.
#define GOLDEN_PART 0.6180339887498949

// A place where a function was computed.
typedef struct GoldenNode {
    double q, f;
} GoldenNode;

typedef struct Golden {
    double     low, high;
    GoldenNode inner[2];  // ascending; the caller computes f
} Golden;

static inline Golden golden_begin(double low, double high)
{
    const double part = GOLDEN_PART * (high - low);
    return (Golden){low, high, {{high - part, 0.0}, {low + part, 0.0}}};
}

// The inner point with the larger sign * f.
static inline const GoldenNode *golden_best(const Golden *g, double sign)
{
    return &g->inner[sign * g->inner[0].f > sign * g->inner[1].f ? 0 : 1];
}

// Drops the part of the interval beyond the other one. Returns the inner point whose f is to be computed. Where f is
// not defined the comparison sends the search elsewhere.
static inline GoldenNode *golden_narrow(Golden *g, double sign)
{
    if (golden_best(g, sign) == &g->inner[0]) {
        g->high = g->inner[1].q;
        g->inner[1] = g->inner[0];
        g->inner[0].q = g->high - GOLDEN_PART * (g->high - g->low);
        return &g->inner[0];
    }
    g->low = g->inner[0].q;
    g->inner[0] = g->inner[1];
    g->inner[1].q = g->low + GOLDEN_PART * (g->high - g->low);
    return &g->inner[1];
}

// The state of Chandrupatla's method: the root lies between `a`, the latest point, and `b`; `c` is the one before. For
// searches that compute f themselves, of many brackets at once: the ends of profiles of a fit are found by it too.
typedef struct RootBracket {
    double     wanted;  // value of f
    GoldenNode a, b, c;
    double     part;  // of the way from a to b where f is looked at next
    bool       done;
} RootBracket;

// Begins between two places, of which one has f below the wanted value and the other above it. f is looked at next in
// their middle.
RootBracket roots_bracket(double wanted, GoldenNode from, GoldenNode to);

// Where f is to be computed; takes it in; and says where it is to be computed then, or that the search is done: f is
// met exactly, or the bracket is at most as wide as the tolerance, or as q's last bits.
double roots_next(const RootBracket *bracket);
void   roots_take(RootBracket *bracket, GoldenNode next);  // f NaN: there is a gap, not a root, and the search is done
void   roots_narrow(RootBracket *bracket, double tolerance);

// The end of a bracket with f nearer to the wanted value. Returns by how much f misses it; NaN: there is a gap.
double roots_best(const RootBracket *bracket, GoldenNode *best);

// Computes values[count] at q[count]. NaN: f is not defined there; roots are looked for in between only.
typedef bool RootFunction(void *user, const double *q, size_t count, double *values, Error *err);

// Where f takes the target.
typedef struct Root {
    double at;
    double low, high;  // of the bracket when the search ended; both `at` where f was met exactly
    double value;      // f(at)
} Root;

// Ascending in `at`.
typedef struct Roots {
    Root  *roots;  // [count]
    size_t count;
} Roots;

typedef struct RootSearch {
    RootFunction *function;
    void         *user;
    double        least, most;
    size_t        grid;   // values looked at first, >= 3
    double        noise;  // by how much rounding may put f off: an end of a piece that misses a target by no more
                          // meets it. roots_find() makes it at least
    double noise_part;    // this part of the spread of f
    double tolerance;     // of q, relative to most - least: brackets are narrowed to that, or to q's last bits
    // Written by roots_find(): the least and largest values of f, for saying why a target has no root.
    double lowest, highest;
} RootSearch;

// Finds the roots of every target.
//   targets  [target_count]
//   answers  [target_count] written; the arena owns the roots
// Errors: those of the function, ERROR_INTERNAL.
bool roots_find(RootSearch *search, const double *targets, size_t target_count, Arena *arena, Roots *answers,
                Error *err);
