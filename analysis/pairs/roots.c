// roots -- cuts the interval into pieces where f rises or falls, and narrows all brackets together.
#include "analysis/pairs/roots.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// Rounds after which a search ends whatever is left: bisection alone takes a double from 1 to its last bit in 53.
enum { GOLDEN_ROUNDS = 80, MOST_ROUNDS = 200 };

// Places in ascending order, between neighbours of which f rises or falls, or is not defined at one of them.
typedef struct Nodes {
    GoldenNode *items;  // [count]; room for twice the grid
    size_t      count;
} Nodes;

// A bracket and the number of its target.
typedef struct Bracket {
    size_t      target;
    RootBracket of;
} Bracket;

static bool compute(const RootSearch *search, GoldenNode *const *nodes, size_t count, Error *err)
{
    double *q = calloc(2 * count + 1, sizeof *q), *values = q + count;
    bool    ok = q != NULL || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; ok && i < count; ++i)
        q[i] = nodes[i]->q;
    ok = ok && (count == 0 || search->function(search->user, q, count, values, err));
    for (size_t i = 0; ok && i < count; ++i)
        nodes[i]->f = values[i];
    free(q);
    return ok;
}

// 1: a top between its neighbours, -1: a bottom, 0: neither, or no higher than rounding makes it.
static int turn_at(const GoldenNode *node, double noise)
{
    const double before = node[0].f - node[-1].f, after = node[0].f - node[1].f;
    if (before > noise && after > noise)
        return 1;
    return before < -noise && after < -noise ? -1 : 0;
}

// Between three points around an extremum.
typedef struct Extremum {
    double sign;  // of the turn
    Golden section;
} Extremum;

static bool are_wide(const RootSearch *search, const Extremum *extrema, size_t count)
{
    const double least = search->tolerance * (search->most - search->least);
    bool         wide = false;
    for (size_t i = 0; i < count; ++i) {
        const Golden *section = &extrema[i].section;
        const double  size = fmax(fabs(section->low), fabs(section->high));
        wide = wide || section->high - section->low > fmax(least, 2.0 * DBL_EPSILON * size);
    }
    return wide;
}

static bool narrow_extrema(const RootSearch *search, Extremum *extrema, size_t count, GoldenNode **at, Error *err)
{
    bool ok = true;
    for (size_t i = 0; i < 2 * count; ++i)
        at[i] = &extrema[i / 2].section.inner[i % 2];
    ok = compute(search, at, 2 * count, err);
    // At a kink f is as far off as its place is: the sections end where a place has no more bits.
    for (int round = 0; ok && round < GOLDEN_ROUNDS && are_wide(search, extrema, count); ++round) {
        for (size_t i = 0; i < count; ++i)
            at[i] = golden_narrow(&extrema[i].section, extrema[i].sign);
        ok = compute(search, at, count, err);
    }
    return ok;
}

static int ascending(const void *left, const void *right)
{
    const GoldenNode *a = left, *b = right;
    return (a->q > b->q) - (a->q < b->q);
}

// Adds the extrema between grid points to the nodes.
static bool add_extrema(const RootSearch *search, Nodes *nodes, Extremum *extrema, GoldenNode **at, Error *err)
{
    size_t count = 0;
    for (size_t i = 1; i + 1 < nodes->count; ++i) {
        const int sign = turn_at(&nodes->items[i], search->noise);
        if (sign != 0)
            extrema[count++] = (Extremum){sign, golden_begin(nodes->items[i - 1].q, nodes->items[i + 1].q)};
    }
    if (!narrow_extrema(search, extrema, count, at, err))
        return false;
    for (size_t i = 0; i < count; ++i)
        nodes->items[nodes->count++] = *golden_best(&extrema[i].section, extrema[i].sign);
    qsort(nodes->items, nodes->count, sizeof *nodes->items, ascending);
    return true;
}

static void find_spread(RootSearch *search, const Nodes *nodes)
{
    search->lowest = search->highest = (double)NAN;
    for (size_t i = 0; i < nodes->count; ++i) {
        search->lowest = fmin(search->lowest, nodes->items[i].f);
        search->highest = fmax(search->highest, nodes->items[i].f);
    }
}

static bool make_nodes(RootSearch *search, Arena *arena, Nodes *nodes, Error *err)
{
    const size_t grid = search->grid;
    Extremum    *extrema = arena_take(arena, grid, sizeof *extrema, err);
    GoldenNode **at = arena_take(arena, 2 * grid, sizeof *at, err);
    nodes->items = arena_take(arena, 2 * grid, sizeof *nodes->items, err);
    nodes->count = grid;
    if (!extrema || !at || !nodes->items)
        return false;
    for (size_t i = 0; i < grid; ++i) {
        at[i] = &nodes->items[i];
        nodes->items[i].q = i + 1 == grid
                                ? search->most
                                : search->least + (search->most - search->least) * (double)i / (double)(grid - 1);
    }
    if (!compute(search, at, grid, err))
        return false;
    find_spread(search, nodes);
    search->noise = fmax(search->noise, search->noise_part * (search->highest - search->lowest));
    if (!add_extrema(search, nodes, extrema, at, err))
        return false;
    find_spread(search, nodes);
    return true;
}

static bool crosses_after(const Nodes *nodes, size_t i, double target)
{
    const GoldenNode *left = &nodes->items[i], *right = left + 1;
    return i + 1 < nodes->count && ((left->f < target && target < right->f) || (right->f < target && target < left->f));
}

static bool is_near(const RootSearch *search, const Nodes *nodes, size_t i, double target)
{
    return fabs(nodes->items[i].f - target) <= search->noise;
}

// Whether f touches the target at an extremum, which rounding has put beyond it: one root, not two.
static bool touches(const RootSearch *search, const Nodes *nodes, size_t i, double target)
{
    return is_near(search, nodes, i, target) && i > 0 && crosses_after(nodes, i - 1, target) &&
           crosses_after(nodes, i, target);
}

// Whether a node begins a run of nodes that all meet the target within rounding, without a piece that crosses it there.
static bool meets(const RootSearch *search, const Nodes *nodes, size_t i, double target)
{
    if (i > 0 && (is_near(search, nodes, i - 1, target) || crosses_after(nodes, i - 1, target)))
        return false;
    const size_t first = i;
    for (; i < nodes->count && is_near(search, nodes, i, target); ++i)
        if (crosses_after(nodes, i, target))
            return false;
    return i > first;
}

// Without brackets it only counts.
static size_t find_brackets(const RootSearch *search, const Nodes *nodes, const double *targets, size_t target_count,
                            Bracket *brackets)
{
    size_t count = 0;
    for (size_t t = 0; t < target_count; ++t)
        for (size_t i = 0; i < nodes->count; ++i) {
            const GoldenNode *node = &nodes->items[i];
            const bool        touched = touches(search, nodes, i, targets[t]);
            if (touched || meets(search, nodes, i, targets[t])) {
                if (brackets)
                    brackets[count] = (Bracket){t, {targets[t], *node, *node, *node, 0.5, true}};
                ++count;
            }
            if (!touched && crosses_after(nodes, i, targets[t]) && !touches(search, nodes, i + 1, targets[t])) {
                if (brackets)
                    brackets[count] = (Bracket){t, roots_bracket(targets[t], *node, node[1])};
                ++count;
            }
        }
    return count;
}

RootBracket roots_bracket(double wanted, GoldenNode from, GoldenNode to)
{
    return (RootBracket){wanted, from, to, to, 0.5, false};
}

double roots_best(const RootBracket *b, GoldenNode *best)
{
    const double a = fabs(b->a.f - b->wanted), other = fabs(b->b.f - b->wanted);
    *best = a < other ? b->a : b->b;
    return fmin(a, other);
}

// Chandrupatla 1997: inverse quadratic interpolation where the three points permit it, else bisection.
void roots_narrow(RootBracket *b, double tolerance)
{
    GoldenNode   best;
    const double miss = roots_best(b, &best), width = fabs(b->b.q - b->a.q);
    const double least = fmax(2.0 * DBL_EPSILON * fabs(best.q), tolerance);
    if (miss == 0.0 || width <= least) {
        b->done = true;
        return;
    }
    const double fa = b->a.f - b->wanted, fb = b->b.f - b->wanted, fc = b->c.f - b->wanted;
    const double xi = (b->a.q - b->b.q) / (b->c.q - b->b.q), phi = (fa - fb) / (fc - fb);
    const double edge = 0.5 * least / width;
    b->part = 0.5;
    if (phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi)
        b->part =
            fa / (fb - fa) * fc / (fb - fc) + (b->c.q - b->a.q) / (b->b.q - b->a.q) * fa / (fc - fa) * fb / (fc - fb);
    b->part = fmin(fmax(b->part, edge), 1.0 - edge);
}

double roots_next(const RootBracket *b)
{
    return b->a.q + b->part * (b->b.q - b->a.q);
}

void roots_take(RootBracket *b, GoldenNode next)
{
    if (isnan(next.f)) {
        b->a.f = b->b.f = (double)NAN;
        b->done = true;
        return;
    }
    if ((next.f > b->wanted) == (b->a.f > b->wanted)) {
        b->c = b->a;
    } else {
        b->c = b->b;
        b->b = b->a;
    }
    b->a = next;
}

static bool narrow(const RootSearch *search, Bracket *brackets, size_t count, Arena *arena, Error *err)
{
    GoldenNode  *nodes = arena_take(arena, count, sizeof *nodes, err);
    GoldenNode **at = arena_take(arena, count, sizeof *at, err);
    bool         ok = nodes && at;
    for (int round = 0; ok && round < MOST_ROUNDS; ++round) {
        size_t open = 0;
        for (size_t i = 0; i < count; ++i) {
            RootBracket *b = &brackets[i].of;
            if (!b->done && round > 0)
                roots_narrow(b, search->tolerance * (search->most - search->least));
            if (b->done)
                continue;
            nodes[i].q = roots_next(b);
            at[open++] = &nodes[i];
        }
        if (open == 0)
            break;
        ok = compute(search, at, open, err);
        for (size_t i = 0; ok && i < count; ++i)
            if (!brackets[i].of.done)
                roots_take(&brackets[i].of, nodes[i]);
    }
    return ok;
}

// The brackets of a target follow each other, and so do its roots.
static bool collect(const Bracket *brackets, size_t count, size_t target_count, Arena *arena, Roots *answers,
                    Error *err)
{
    Root *root = arena_take(arena, count, sizeof *root, err);
    for (size_t t = 0; root && t < target_count; ++t)
        answers[t] = (Roots){0};
    for (const Bracket *bracket = brackets; root && bracket < brackets + count; ++bracket) {
        Roots     *found = &answers[bracket->target];
        GoldenNode best;
        if (isnan(roots_best(&bracket->of, &best)))
            continue;
        const bool   exact = best.f == bracket->of.wanted;
        const double a = exact ? best.q : bracket->of.a.q, b = exact ? best.q : bracket->of.b.q;
        *root = (Root){best.q, fmin(a, b), fmax(a, b), best.f};
        found->roots = found->count++ == 0 ? root : found->roots;
        ++root;
    }
    return root != NULL;
}

bool roots_find(RootSearch *search, const double *targets, size_t target_count, Arena *arena, Roots *answers,
                Error *err)
{
    Nodes nodes = {0};
    if (!make_nodes(search, arena, &nodes, err))
        return false;
    const size_t count = find_brackets(search, &nodes, targets, target_count, NULL);
    Bracket     *brackets = arena_take(arena, count, sizeof *brackets, err);
    if (!brackets)
        return false;
    find_brackets(search, &nodes, targets, target_count, brackets);
    return narrow(search, brackets, count, arena, err) && collect(brackets, count, target_count, arena, answers, err);
}
