// variance -- the sums of the base samples, kept in bundles; indices from them, their bootstrap, and the choice of an
// estimator.
#include "analysis/sensitivity/variance.h"
#include "analysis/sensitivity/resample.h"
#include "reference/eigen.h"

#include <string.h>

// The sums of a bundle begin with these; then come sums of each factor, then the sum of q_i p_j of each pair. a, b, p
// and q are outputs of A, B, AB_i and BA_i minus the centre.
enum { SUM_COUNT, SUM_A, SUM_B, SUM_AA, SUM_BB, SUM_AB, SUM_FACTORS };

// Sums of a factor.
enum {
    SUM_P,
    SUM_PP,
    SUM_Q,
    SUM_TOTAL,  // (a - p)^2
    SUM_FIRST,  // (b - p)^2
    SUM_CROSS,  // b (p - a)
    SUMS_OF_FACTOR
};

static size_t sums_of(size_t factor)
{
    return SUM_FACTORS + SUMS_OF_FACTOR * factor;
}

size_t variance_role_count(size_t factor_count, bool second_order)
{
    return 2 + (second_order ? 2 : 1) * factor_count;
}

static size_t pair_count(size_t factor_count, bool second_order)
{
    return second_order ? factor_count * (factor_count - 1) / 2 : 0;
}

size_t variance_pair(size_t factor_count, size_t i, size_t j)
{
    return i * (2 * factor_count - i - 1) / 2 + j - i - 1;
}

// How many base samples the largest net has.
static uint64_t longest_net(uint64_t base_count, size_t nets)
{
    return base_count / nets + (base_count % nets > 0);
}

bool variance_make(size_t factor_count, bool second_order, uint64_t base_count, size_t net_count, size_t bundle_limit,
                   Arena *arena, Variance *variance, Error *err)
{
    const size_t   limit = bundle_limit ? bundle_limit : VARIANCE_BUNDLES, runs = limit / net_count;
    const uint64_t longest = longest_net(base_count, net_count);
    if (factor_count == 0)
        return fail(err, ERROR_INPUT, "a design without factors has no sensitivity indices");
    if (base_count > UINT64_MAX / limit)
        return fail(err, ERROR_INPUT, "%llu base samples are too many", (unsigned long long)base_count);
    *variance = (Variance){.factor_count = factor_count,
                           .role_count = variance_role_count(factor_count, second_order),
                           .bundle_count = net_count * (longest < runs ? (size_t)longest : runs),
                           .net_count = net_count,
                           .sum_count = sums_of(factor_count) + pair_count(factor_count, second_order),
                           .base_count = base_count,
                           .second_order = second_order};
    variance->sums = arena_take(arena, variance->bundle_count, variance->sum_count * sizeof *variance->sums, err);
    return variance->sums != NULL;
}

static void add_pairs(const Variance *variance, const double *y, double *sums)
{
    const size_t d = variance->factor_count;
    for (size_t i = 0; i < d; ++i) {
        const double q = y[2 + d + i] - variance->centre;
        for (size_t j = i + 1; j < d; ++j)
            *sums++ += q * (y[2 + j] - variance->centre);
    }
}

// Of each net as many bundles, each of consecutive base samples.
static size_t bundle_of(const Variance *variance, uint64_t k)
{
    const size_t nets = variance->net_count, runs = variance->bundle_count / nets;
    return (size_t)(k / nets * runs / longest_net(variance->base_count, nets)) * nets + (size_t)(k % nets);
}

// How many base samples the first bundles have.
static uint64_t count_samples(const Variance *variance, size_t bundles)
{
    const size_t nets = variance->net_count, runs = variance->bundle_count / nets;
    if (bundles == variance->bundle_count)
        return variance->base_count;
    return (longest_net(variance->base_count, nets) * (bundles / nets) + runs - 1) / runs * nets;
}

void variance_add(Variance *variance, uint64_t k, const double *y)
{
    const size_t d = variance->factor_count;
    if (!eigen_all_finite(variance->role_count, y))
        return;
    // Any number near the outputs will do: sums of squares then lose few digits. Where A and B are constant, it is
    // exact.
    if (!variance->begun)
        variance->centre = 0.5 * y[0] + 0.5 * y[1];
    variance->begun = true;
    for (size_t i = 0; i < variance->role_count; ++i)
        variance->largest = fmax(variance->largest, fabs(y[i]));
    double      *sums = variance->sums + bundle_of(variance, k) * variance->sum_count;
    const double a = y[0] - variance->centre, b = y[1] - variance->centre;
    sums[SUM_COUNT] += 1.0;
    sums[SUM_A] += a;
    sums[SUM_B] += b;
    sums[SUM_AA] += a * a;
    sums[SUM_BB] += b * b;
    sums[SUM_AB] += a * b;
    for (size_t i = 0; i < d; ++i) {
        double      *own = sums + sums_of(i);
        const double p = y[2 + i] - variance->centre;
        own[SUM_P] += p;
        own[SUM_PP] += p * p;
        own[SUM_Q] += variance->second_order ? y[2 + d + i] - variance->centre : 0.0;
        own[SUM_TOTAL] += (a - p) * (a - p);
        own[SUM_FIRST] += (b - p) * (b - p);
        own[SUM_CROSS] += b * (p - a);
    }
    if (variance->second_order)
        add_pairs(variance, y, sums + sums_of(d));
}

// An estimator is taken in place of Saltelli's where its variance is below this part of it: intervals a tenth narrower.
static const double MATERIAL = 0.8;

// Room for one search, and its results. The values of an estimate follow each other: S1 by each estimator
// [VARIANCE_ESTIMATORS][d], ST [d], S2 [pair].
typedef struct VarianceSearch {
    const Variance *variance;
    size_t          d, value_count;
    const double  **bundles;  // [bundle_count]: the sums of the first ones that have base samples
    size_t          bundle_count;
    double         *nets;        // [net_count][sum_count]: the sums of each
    uint32_t       *times;       // [bundle_count]: how often each counts
    double         *all;         // [sum_count] of these bundles
    double         *totals;      // [sum_count] of those that count
    double         *values;      // [value_count]
    double         *drawn;       // [value_count]: values of a replicate
    ResampleSpread *spreads;     // [value_count]
    double         *deviations;  // [value_count] of the values
} VarianceSearch;

static bool make_search(const Variance *variance, size_t bundles, Arena *arena, VarianceSearch *search, Error *err)
{
    const size_t d = variance->factor_count;
    const size_t value_count = (VARIANCE_ESTIMATORS + 1) * d + pair_count(d, variance->second_order);
    *search = (VarianceSearch){.variance = variance, .d = d, .value_count = value_count};
    search->bundles = arena_take(arena, bundles, sizeof *search->bundles, err);
    search->times = arena_take(arena, bundles + 1, sizeof *search->times, err);
    search->totals = arena_take(arena, variance->sum_count + 2 * value_count, sizeof *search->totals, err);
    search->all = arena_take(arena, variance->sum_count, sizeof *search->all, err);
    search->nets = arena_take(arena, variance->net_count, variance->sum_count * sizeof *search->nets, err);
    search->spreads = arena_take(arena, value_count, sizeof *search->spreads, err);
    search->deviations = arena_take(arena, value_count, sizeof *search->deviations, err);
    if (!search->bundles || !search->times || !search->totals || !search->all || !search->nets || !search->spreads ||
        !search->deviations)
        return false;
    search->values = search->totals + variance->sum_count;
    search->drawn = search->values + value_count;
    for (size_t g = 0; g < bundles; ++g) {
        const double *sums = variance->sums + g * variance->sum_count;
        search->times[search->bundle_count] = 1;
        if (sums[SUM_COUNT] > 0.0)
            search->bundles[search->bundle_count++] = sums;
        for (size_t s = 0; s < variance->sum_count; ++s)
            search->nets[g % variance->net_count * variance->sum_count + s] += sums[s];
    }
    return true;
}

static void add_up(VarianceSearch *search)
{
    const size_t count = search->variance->sum_count;
    for (size_t s = 0; s < count; ++s)
        search->totals[s] = 0.0;
    for (size_t g = 0; g < search->bundle_count; ++g) {
        const double  times = search->times[g];
        const double *sums = search->bundles[g];
        for (size_t s = 0; times > 0.0 && s < count; ++s)
            search->totals[s] += times * sums[s];
    }
}

// Mean of all outputs minus the centre.
static double mean_of(const VarianceSearch *search)
{
    double sum = search->totals[SUM_A] + search->totals[SUM_B];
    for (size_t i = 0; i < search->d; ++i) {
        const double *own = search->totals + sums_of(i);
        sum += own[SUM_P] + own[SUM_Q];
    }
    return sum / (search->totals[SUM_COUNT] * (double)search->variance->role_count);
}

static double pooled_variance(double count, double sum, double squares)
{
    const double mean = sum / (2.0 * count);
    return squares / (2.0 * count) - mean * mean;
}

static double variance_of(const VarianceSearch *search)
{
    const double *t = search->totals;
    return pooled_variance(t[SUM_COUNT], t[SUM_A] + t[SUM_B], t[SUM_AA] + t[SUM_BB]);
}

static Outcome outcome(const VarianceSearch *search)
{
    const double *t = search->totals;
    double        variance = variance_of(search);
    // V is a difference, of squares and the squared mean: with constant outputs this much is left by rounding.
    if (variance <= 64.0 * DBL_EPSILON * (t[SUM_AA] + t[SUM_BB]) / (2.0 * t[SUM_COUNT]))
        variance = 0.0;
    for (size_t s = 0; s < search->variance->sum_count; ++s)
        variance = isfinite(t[s]) ? variance : (double)NAN;
    return outcome_of((size_t)t[SUM_COUNT], 1, variance, search->variance->largest);
}

// The estimates of the totals.
static void estimate(const VarianceSearch *search, double *values)
{
    const size_t  d = search->d;
    const double *t = search->totals;
    const double  n = t[SUM_COUNT], mean = mean_of(search), variance = variance_of(search);
    double       *saltelli = values + VARIANCE_SALTELLI * d, *second = values + (VARIANCE_ESTIMATORS + 1) * d;
    for (size_t i = 0; i < d; ++i) {
        const double *own = t + sums_of(i);
        const double  pooled = pooled_variance(n, t[SUM_B] + own[SUM_P], t[SUM_BB] + own[SUM_PP]);
        saltelli[i] = (own[SUM_CROSS] - mean * (own[SUM_P] - t[SUM_A])) / n / variance;
        values[VARIANCE_JANSEN * d + i] = 1.0 - own[SUM_FIRST] / (2.0 * n) / variance;
        // T_N^X is this, since 2 b p = b^2 + p^2 - (b - p)^2.
        values[VARIANCE_JANON * d + i] = 1.0 - own[SUM_FIRST] / (2.0 * n) / pooled;
        values[VARIANCE_ESTIMATORS * d + i] = own[SUM_TOTAL] / (2.0 * n) / variance;
    }
    const double *products = t + sums_of(d);
    for (size_t i = 0; search->variance->second_order && i < d; ++i)
        for (size_t j = i + 1; j < d; ++j) {
            const double linear = t[sums_of(i) + SUM_Q] + t[sums_of(j) + SUM_P] - t[SUM_A] - t[SUM_B];
            const double closed = (*products++ - t[SUM_AB] - mean * linear) / n / variance;
            *second++ = closed - saltelli[i] - saltelli[j];
        }
}

// The deviations by the bootstrap. A replicate whose outputs are constant has no indices, and is left out.
static void bootstrap(VarianceSearch *search, const VarianceOptions *options)
{
    for (size_t r = 0; search->bundle_count > 1 && r < options->replicates; ++r) {
        resample_draw(options->seed, r, search->bundle_count, search->times);
        add_up(search);
        if (outcome(search) != OUTCOME_FOUND)
            continue;
        estimate(search, search->drawn);
        for (size_t i = 0; i < search->value_count; ++i)
            resample_add(&search->spreads[i], search->drawn[i]);
    }
    for (size_t i = 0; i < search->value_count; ++i)
        search->deviations[i] = resample_deviation(&search->spreads[i]);
}

// The deviations of the estimates by the jackknife, from what remains where one of the parts is left out. Parts without
// base samples are none. Estimates without a number, of constant outputs, are left out.
static void jackknife(VarianceSearch *search, const double *const *parts, size_t count)
{
    for (size_t i = 0; i < search->value_count; ++i)
        search->spreads[i] = (ResampleSpread){0};
    for (size_t part = 0; part < count; ++part) {
        for (size_t s = 0; s < search->variance->sum_count; ++s)
            search->totals[s] = search->all[s] - parts[part][s];
        if (outcome(search) != OUTCOME_FOUND)
            continue;
        estimate(search, search->drawn);
        for (size_t i = 0; i < search->value_count; ++i)
            resample_add(&search->spreads[i], search->drawn[i]);
    }
    for (size_t i = 0; i < search->value_count; ++i) {
        const double n = (double)search->spreads[i].count;
        search->deviations[i] = (n - 1.0) / sqrt(n) * resample_deviation(&search->spreads[i]);
    }
}

// What the estimators' deviations are compared by.
static void resample(VarianceSearch *search, const VarianceOptions *options)
{
    if (search->variance->net_count == 1)
        bootstrap(search, options);
    else if (options->replicates > 0)
        jackknife(search, search->bundles, search->bundle_count);
}

// The jackknife by nets. Returns the degrees of freedom: how many nets have base samples, but one.
static size_t compare_nets(VarianceSearch *search)
{
    const Variance *variance = search->variance;
    const double   *parts[VARIANCE_NETS] = {0};
    size_t          count = 0;
    for (size_t net = 0; net < variance->net_count; ++net) {
        const double *sums = search->nets + net * variance->sum_count;
        if (sums[SUM_COUNT] > 0.0)
            parts[count++] = sums;
    }
    jackknife(search, parts, count);
    return count - 1;
}

static void choose(const VarianceSearch *search, const VarianceOptions *options, VarianceIndices *found)
{
    VarianceEstimator best = VARIANCE_SALTELLI;
    for (size_t e = 0; e < VARIANCE_ESTIMATORS; ++e) {
        found->spreads[e] = 0.0;
        for (size_t i = 0; i < search->d; ++i) {
            const double deviation = search->deviations[e * search->d + i];
            found->spreads[e] += deviation * deviation;
        }
        if (found->spreads[e] < found->spreads[best])
            best = (VarianceEstimator)e;
    }
    const double saltelli = found->spreads[VARIANCE_SALTELLI];
    found->estimator = options->estimator;
    found->reason = "it was asked for";
    if (options->estimator != VARIANCE_AUTO)
        return;
    found->estimator = found->spreads[best] < MATERIAL * saltelli ? best : VARIANCE_SALTELLI;
    found->reason = isnan(saltelli)                         ? "there are no variances to compare"
                    : found->estimator == VARIANCE_SALTELLI ? "no other estimator has a materially smaller variance"
                                                            : "it has the smallest variance, summed over the factors";
}

// Half widths of intervals are so many deviations.
static void answer(const VarianceSearch *search, size_t start, size_t count, double deviations, VarianceIndex *indices)
{
    for (size_t i = 0; i < count; ++i)
        indices[i] = (VarianceIndex){search->values[start + i], deviations * search->deviations[start + i]};
}

static bool take_arrays(const Variance *variance, Arena *arena, VarianceIndices *found, Error *err)
{
    const size_t d = variance->factor_count;
    found->first = arena_take(arena, d, sizeof *found->first, err);
    found->total = arena_take(arena, d, sizeof *found->total, err);
    if (variance->second_order)
        found->second = arena_take(arena, pair_count(d, true), sizeof *found->second, err);
    return found->first && found->total && (found->second || !variance->second_order);
}

static void find(VarianceSearch *search, const VarianceOptions *options, VarianceIndices *found)
{
    const size_t    d = search->d, pairs = found->second ? pair_count(d, true) : 0;
    const Variance *variance = search->variance;
    double          deviations = resample_half_width(1.0);
    add_up(search);
    memcpy(search->all, search->totals, variance->sum_count * sizeof *search->all);
    found->outcome = outcome(search);
    found->used = (uint64_t)search->totals[SUM_COUNT];
    found->skipped = found->base_count - found->used;
    found->mean = variance->centre + mean_of(search);
    found->variance = variance_of(search);
    for (size_t i = 0; i < search->value_count; ++i)
        search->values[i] = search->deviations[i] = (double)NAN;
    const bool known = found->outcome == OUTCOME_FOUND,
               nets = known && variance->net_count > 1 && options->replicates > 0;
    if (known) {
        estimate(search, search->values);
        resample(search, options);
    }
    choose(search, options, found);
    if (nets)
        deviations = resample_student((double)compare_nets(search));
    answer(search, found->estimator * d, d, deviations, found->first);
    answer(search, VARIANCE_ESTIMATORS * d, d, deviations, found->total);
    answer(search, (VARIANCE_ESTIMATORS + 1) * d, pairs, deviations, found->second);
    for (size_t i = 0; nets && i < d; ++i)
        found->total[i].conf = resample_skewed(found->total[i].value, found->total[i].conf);
}

bool variance_find(const Variance *variance, const VarianceOptions *options, Arena *arena, VarianceIndices *found,
                   Error *err)
{
    const size_t   all = variance->bundle_count;
    const size_t   wanted = options->bundles == 0 || options->bundles > all ? all : options->bundles;
    const size_t   bundles = wanted < variance->net_count ? all : wanted - wanted % variance->net_count;
    VarianceSearch search;
    Arena          room = {0};
    *found = (VarianceIndices){0};
    found->base_count = count_samples(variance, bundles);
    const bool ok = take_arrays(variance, arena, found, err) && make_search(variance, bundles, &room, &search, err);
    if (ok)
        find(&search, options, found);
    arena_free(&room);
    return ok;
}

uint64_t variance_find_base_count(uint64_t base_count, double conf, double wanted)
{
    const double ratio = conf / wanted, needed = (double)base_count * ratio * ratio;
    uint64_t     count = 1;
    if (!isfinite(conf) || !(wanted > 0.0) || !(needed <= 0x1p61))
        return 0;
    if (conf <= wanted)
        return base_count;
    while ((double)count < needed)
        count *= 2;
    return count;
}
