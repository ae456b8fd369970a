// shapley_given -- walks from one point to another, and nearest neighbours by a tree of each set of factors.
#include "analysis/sensitivity/shapley_given.h"
#include "analysis/sensitivity/resample.h"
#include "base/philox.h"
#include "base/arena.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = SHAPLEY_FACTORS, GROUPS = 16 };

static const double tie = 1e-6;

static bool check_count(size_t d, Error *err)
{
    return (d > 0 && d <= MOST) || fail(err, ERROR_INPUT, "%zu factors: Shapley effects are found of 1 to %d", d, MOST);
}

// What a walk says of each factor, and of the variance. False where an output is not finite.
static bool find_shares(const EffectsDesign *design, const double *y, size_t walk, double *shares, double *variance)
{
    const size_t  d = design->factor_count;
    const double *at = y + walk * (d + 1);
    bool          finite = isfinite(at[0]);
    for (size_t s = 0; s < d; ++s)
        shares[s] = 0.0;
    for (size_t s = 0; s < d; ++s) {
        finite = finite && isfinite(at[s + 1]);
        shares[design->moved[walk * d + s]] = (at[0] - 0.5 * (at[s] + at[s + 1])) * (at[s] - at[s + 1]);
    }
    *variance = 0.5 * (at[0] - at[d]) * (at[0] - at[d]);
    return finite;
}

// Degrees of freedom of the variance of the terms share - effect variance, whose mean is 0.
static void find_freedom(const EffectsDesign *design, const double *y, const ShapleyGiven *found, double *freedom)
{
    const size_t d = design->factor_count;
    double       squares[MOST] = {0.0}, fourth[MOST] = {0.0}, shares[MOST], variance;
    for (size_t t = 0; t < design->trajectory_count; ++t) {
        const bool finite = find_shares(design, y, t, shares, &variance);
        for (size_t i = 0; finite && i < d; ++i) {
            const double term = (shares[i] - found->effects[i] * variance) / found->variance;
            squares[i] += term * term;
            fourth[i] += term * term * term * term;
        }
    }
    for (size_t i = 0; i < d; ++i) {
        const double kurtosis = fourth[i] * (double)found->count / (squares[i] * squares[i]);
        freedom[i] = 2.0 * (double)found->count / fmax(kurtosis - 1.0, 1e-3);
    }
}

bool shapley_given_walk(const EffectsDesign *design, const double *y, ShapleyGiven *found, Error *err)
{
    const size_t d = design->factor_count;
    ShapleySums  sums = {0};
    *found = (ShapleyGiven){0};
    if (!check_count(d, err))
        return false;
    for (size_t t = 0; t < design->trajectory_count; ++t) {
        double shares[MOST], variance;
        if (!find_shares(design, y, t, shares, &variance))
            continue;
        shapley_add(&sums, d, shares, variance);
        ++found->count;
    }
    double errors[MOST], freedom[MOST];
    shapley_ratios(&sums, d, (double)found->count, found->effects, errors, &found->variance);
    find_freedom(design, y, found, freedom);
    for (size_t i = 0; i < d; ++i)
        found->conf[i] = found->count < SHAPLEY_WALKS_LEAST_INTERVAL ? (double)NAN
                         : errors[i] > 0.0                           ? resample_student(freedom[i]) * errors[i]
                                                                     : 0.0;
    return true;
}

// Points in a random order, so that those with the same numbers are neighbours by chance.
typedef struct Cloud {
    size_t    d;
    double   *ranks[MOST];  // [count] of each factor, 0 to 1; equal values have the same
    double   *y;            // [count]
    double   *costs;        // [count][2^d]
    uint32_t *tree;         // [count]
} Cloud;

// A tree of points first .. first + count - 1: the middle one of a part is the median along one axis, those before it
// are not above, those behind it not below; the next axis divides both halves.
typedef struct CloudSearch {
    const Cloud *cloud;
    size_t       axes[MOST], axis_count;
    uint32_t     point, nearest;
    double       distance;  // squared
} CloudSearch;

static double rank_of(const CloudSearch *search, size_t depth, uint32_t point)
{
    return search->cloud->ranks[search->axes[depth % search->axis_count]][point];
}

// Hoare's selection.
static void divide(const CloudSearch *search, size_t depth, uint32_t *tree, size_t count)
{
    for (size_t low = 0, high = count - 1, middle = count / 2; low < high;) {
        const double pivot = rank_of(search, depth, tree[middle]);
        size_t       i = low, j = high;
        while (i <= j) {
            while (rank_of(search, depth, tree[i]) < pivot)
                ++i;
            while (rank_of(search, depth, tree[j]) > pivot)
                --j;
            if (i <= j) {
                const uint32_t point = tree[i];
                tree[i++] = tree[j];
                tree[j] = point;
                if (j-- == 0)
                    break;
            }
        }
        if (middle < i && (j == SIZE_MAX || middle > j))
            return;
        if (j != SIZE_MAX && middle <= j)
            high = j;
        else
            low = i;
    }
}

static void grow(const CloudSearch *search, size_t depth, uint32_t *tree, size_t count)
{
    if (count < 2)
        return;
    divide(search, depth, tree, count);
    grow(search, depth + 1, tree, count / 2);
    grow(search, depth + 1, tree + count / 2 + 1, count - count / 2 - 1);
}

static void look(CloudSearch *search, size_t depth, const uint32_t *tree, size_t count)
{
    if (count == 0)
        return;
    const uint32_t at = tree[count / 2];
    double         distance = 0.0;
    for (size_t k = 0; k < search->axis_count; ++k) {
        const double apart = rank_of(search, k, at) - rank_of(search, k, search->point);
        distance += apart * apart;
    }
    if (at != search->point && distance < search->distance) {
        search->nearest = at;
        search->distance = distance;
    }
    const double    apart = rank_of(search, depth, search->point) - rank_of(search, depth, at);
    const uint32_t *behind = tree + count / 2 + 1;
    const size_t    before_count = count / 2, behind_count = count - count / 2 - 1;
    look(search, depth + 1, apart < 0.0 ? tree : behind, apart < 0.0 ? before_count : behind_count);
    if (apart * apart < search->distance)
        look(search, depth + 1, apart < 0.0 ? behind : tree, apart < 0.0 ? behind_count : before_count);
}

// What a set costs at each point, by the tree of the factors outside it.
static void find_costs(Cloud *cloud, size_t set, uint32_t first, size_t count)
{
    const size_t sets = (size_t)1 << cloud->d;
    CloudSearch  search = {.cloud = cloud};
    for (size_t i = 0; i < cloud->d; ++i)
        if (!(set >> i & 1))
            search.axes[search.axis_count++] = i;
    for (size_t i = 0; i < count; ++i)
        cloud->tree[i] = first + (uint32_t)i;
    grow(&search, 0, cloud->tree, count);
    for (size_t i = 0; i < count; ++i) {
        search.point = search.nearest = first + (uint32_t)i;
        search.distance = INFINITY;
        look(&search, 0, cloud->tree, count);
        const double apart = cloud->y[search.point] - cloud->y[search.nearest];
        cloud->costs[search.point * sets + set] = 0.5 * apart * apart;
    }
}

// The effects of points first .. first + count - 1.
static void find_effects(Cloud *cloud, uint32_t first, size_t count, double *effects, double *variance)
{
    const size_t   d = cloud->d, sets = (size_t)1 << d;
    double         weights[MOST], shares[MOST], errors[MOST];
    ShapleySums    sums = {0};
    ResampleSpread spread = {0};
    shapley_weights(d, weights);
    for (size_t i = 0; i < count; ++i)
        resample_add(&spread, cloud->y[first + i]);
    for (size_t set = 1; set + 1 < sets; ++set)
        find_costs(cloud, set, first, count);
    for (size_t i = 0; i < count; ++i) {
        double      *costs = &cloud->costs[(first + i) * sets];
        const double apart = cloud->y[first + i] - spread.mean;
        costs[0] = 0.0;
        costs[sets - 1] = apart * apart * (double)count / ((double)count - 1.0);
        shapley_share(d, weights, costs, shares);
        shapley_add(&sums, d, shares, costs[sets - 1]);
    }
    shapley_ratios(&sums, d, (double)count, effects, errors, variance);
}

typedef struct CloudNode {
    double   value;
    uint32_t point;
} CloudNode;

static int compare(const void *left, const void *right)
{
    const CloudNode *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

// Equal values have their middle rank, but for a millionth of their order, which is that of chance: each then has a
// neighbour of its own among them.
static void rank(CloudNode *nodes, size_t count, double *ranks)
{
    qsort(nodes, count, sizeof *nodes, compare);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && nodes[end].value == nodes[i].value;)
            ++end;
        for (size_t k = i; k < end; ++k)
            ranks[nodes[k].point] = (0.5 * (double)(i + end - 1) * (1.0 - tie) + (double)k * tie) / (double)count;
    }
}

// Takes `used` of the points, in a random order (Fisher and Yates).
static bool make_cloud(const double *const *x, const double *y, size_t count, size_t used, uint64_t seed, Arena *arena,
                       Cloud *cloud, Error *err)
{
    uint32_t  *order = arena_take(arena, count, sizeof *order, err);
    CloudNode *nodes = arena_take(arena, used, sizeof *nodes, err);
    cloud->y = arena_take(arena, used, sizeof *cloud->y, err);
    cloud->tree = arena_take(arena, used, sizeof *cloud->tree, err);
    cloud->costs = arena_take(arena, used << cloud->d, sizeof *cloud->costs, err);
    if (!order || !nodes || !cloud->y || !cloud->tree || !cloud->costs)
        return false;
    for (size_t i = 0; i < count; ++i)
        order[i] = (uint32_t)i;
    for (size_t i = 0; i < used; ++i) {
        const size_t   other = i + (size_t)(philox_unit(philox_bits(seed, i, 0)) * (double)(count - i));
        const uint32_t point = order[other];
        order[other] = order[i];
        order[i] = point;
        cloud->y[i] = y[point];
    }
    for (size_t f = 0; f < cloud->d; ++f) {
        cloud->ranks[f] = arena_take(arena, used, sizeof **cloud->ranks, err);
        if (!cloud->ranks[f])
            return false;
        for (size_t i = 0; i < used; ++i)
            nodes[i] = (CloudNode){x[f][order[i]], (uint32_t)i};
        rank(nodes, used, cloud->ranks[f]);
    }
    return true;
}

bool shapley_given_find(const double *const *x, const double *y, size_t factor_count, size_t count, uint64_t seed,
                        ShapleyGiven *found, Error *err)
{
    Arena          room SCOPED(arena_free) = {0};
    Cloud          cloud = {.d = factor_count};
    ResampleSpread groups[MOST] = {{0}};
    double         effects[MOST], variance;
    *found = (ShapleyGiven){0};
    if (!check_count(factor_count, err))
        return false;
    const size_t affordable = (size_t)SHAPLEY_GIVEN_COSTS >> factor_count;
    found->count = count < affordable ? count : affordable;
    if (!make_cloud(x, y, count, found->count, seed, &room, &cloud, err))
        return false;
    for (size_t g = 0; g < GROUPS && found->count >= SHAPLEY_GIVEN_LEAST_INTERVAL; ++g) {
        const size_t first = g * found->count / GROUPS;
        find_effects(&cloud, (uint32_t)first, (g + 1) * found->count / GROUPS - first, effects, &variance);
        for (size_t i = 0; i < factor_count; ++i)
            resample_add(&groups[i], effects[i]);
    }
    find_effects(&cloud, 0, found->count, found->effects, &found->variance);
    const double bias = factor_count > 1 ? pow(GROUPS, 2.0 / (double)(factor_count - 1)) - 1.0 : INFINITY;
    // Without groups the deviation is NaN, and so is the interval.
    for (size_t i = 0; i < factor_count; ++i)
        found->conf[i] = resample_half_width(resample_deviation(&groups[i]) / sqrt(GROUPS)) +
                         fabs(groups[i].mean - found->effects[i]) / bias;
    return true;
}
