// given_pawn -- Kolmogorov-Smirnov statistics of slices in one pass over the points by ascending y.
#include "analysis/sensitivity/given_sample.h"
#include "base/philox.h"
#include "base/sort.h"

#include <stdlib.h>

typedef struct PawnNode {
    double   y;
    uint32_t slice;
} PawnNode;

typedef struct Pawn {
    size_t    count, slice_count;
    PawnNode *nodes;      // [count] by ascending y
    size_t   *starts;     // [slice_count + 1]: of the slices, in the order of x
    size_t   *seen;       // [slice_count]: points of each slice so far
    double   *distances;  // [slice_count]
    double   *dummies;    // [3][permutations]
} Pawn;

static int compare(const void *left, const void *right)
{
    const PawnNode *a = left, *b = right;
    return (a->y > b->y) - (a->y < b->y);
}

static bool make_pawn(const GivenSample *sample, size_t slices, size_t permutations, Arena *arena, Pawn *pawn,
                      Error *err)
{
    *pawn = (Pawn){.count = sample->count,
                   .nodes = arena_take(arena, sample->count, sizeof *pawn->nodes, err),
                   .starts = arena_take(arena, slices + 2, sizeof *pawn->starts, err),
                   .seen = arena_take(arena, slices, sizeof *pawn->seen, err),
                   .distances = arena_take(arena, slices, sizeof *pawn->distances, err),
                   .dummies = arena_take(arena, permutations, 3 * sizeof *pawn->dummies, err)};
    if (!pawn->nodes || !pawn->starts || !pawn->seen || !pawn->distances || !pawn->dummies)
        return false;
    pawn->slice_count = given_sample_cut(sample, slices, pawn->starts);
    for (size_t s = 0; s < pawn->slice_count; ++s)
        for (size_t i = pawn->starts[s]; i < pawn->starts[s + 1]; ++i)
            pawn->nodes[i] = (PawnNode){sample->y[i], (uint32_t)s};
    if (pawn->count > 1)
        qsort(pawn->nodes, pawn->count, sizeof *pawn->nodes, compare);
    return true;
}

// Compares the distributions at the node's y, of which `seen` and `below` points have been passed.
static void note_distance(Pawn *pawn, const PawnNode *node, size_t below)
{
    const size_t size = pawn->starts[node->slice + 1] - pawn->starts[node->slice];
    const double distance = fabs((double)pawn->seen[node->slice] / (double)size - (double)below / (double)pawn->count);
    pawn->distances[node->slice] = fmax(pawn->distances[node->slice], distance);
}

// Between two points of a slice its distribution stays, and that of all points rises: the largest distance is just
// before or at a point of the slice. Points of the same y are passed together.
static void find_distances(Pawn *pawn)
{
    const PawnNode *nodes = pawn->nodes;
    for (size_t s = 0; s < pawn->slice_count; ++s) {
        pawn->seen[s] = 0;
        pawn->distances[s] = 0.0;
    }
    for (size_t i = 0, end; i < pawn->count; i = end) {
        for (end = i; end < pawn->count && nodes[end].y == nodes[i].y; ++end)
            note_distance(pawn, &nodes[end], i);
        for (size_t k = i; k < end; ++k)
            ++pawn->seen[nodes[k].slice];
        for (size_t k = i; k < end; ++k)
            note_distance(pawn, &nodes[k], end);
    }
}

static GivenLevels levels_of(Pawn *pawn)
{
    const size_t count = pawn->slice_count;
    double      *distances = pawn->distances, sum = 0.0;
    find_distances(pawn);
    sort_numbers(distances, count);
    for (size_t s = 0; s < count; ++s)
        sum += distances[s];
    return (GivenLevels){0.5 * (distances[(count - 1) / 2] + distances[count / 2]), sum / (double)count,
                         distances[count - 1]};
}

// Fisher and Yates.
static void permute(Pawn *pawn, uint64_t seed, uint64_t permutation)
{
    Philox four = {{0}};
    for (size_t left = pawn->count, draw = 0; left > 1; --left, ++draw) {
        if (draw % 4 == 0)
            four = philox(seed, draw / 4, 1 + permutation);
        PawnNode      *a = &pawn->nodes[left - 1], *b = &pawn->nodes[philox_below(four.word[draw % 4], left)];
        const uint32_t slice = a->slice;
        a->slice = b->slice;
        b->slice = slice;
    }
}

// The level that one of 20 exceeds: with these permutations and the factor's own order, all are equally likely to be
// the largest.
static double find_level(double *numbers, size_t count)
{
    const size_t rank = (19 * (count + 1) + 19) / 20;
    sort_numbers(numbers, count);
    return rank <= count ? numbers[rank - 1] : (double)NAN;
}

static GivenLevels find_dummy(Pawn *pawn, size_t permutations, uint64_t seed)
{
    double *median = pawn->dummies, *mean = median + permutations, *most = mean + permutations;
    for (size_t p = 0; p < permutations; ++p) {
        permute(pawn, seed, p);
        const GivenLevels levels = levels_of(pawn);
        median[p] = levels.median;
        mean[p] = levels.mean;
        most[p] = levels.most;
    }
    return (GivenLevels){find_level(median, permutations), find_level(mean, permutations),
                         find_level(most, permutations)};
}

bool given_find_pawn(const GivenOrder *order, const double *y, size_t slices, size_t permutations, uint64_t seed,
                     GivenPawn *found, Error *err)
{
    const GivenLevels unknown = {(double)NAN, (double)NAN, (double)NAN};
    GivenSample       sample;
    Pawn              pawn = {0};
    Arena             room = {0};
    const bool        ok =
        given_sample_make(order, y, &room, &sample, err) && make_pawn(&sample, slices, permutations, &room, &pawn, err);
    *found = (GivenPawn){.count = sample.count, .slice_count = pawn.slice_count, .distance = unknown, .dummy = unknown};
    found->outcome = outcome_of(sample.count, 2, sample.variance, sample.largest);
    // Only the order of y matters: no value is too large.
    if (found->outcome == OUTCOME_TOO_LARGE)
        found->outcome = OUTCOME_FOUND;
    if (ok && pawn.slice_count > 0) {
        found->distance = levels_of(&pawn);
        found->dummy = find_dummy(&pawn, permutations, seed);
    }
    arena_free(&room);
    return ok;
}
