// subset -- levels, chains and their correlation; the estimate of each run and of all runs.
#include "analysis/rare/subset.h"

#include "base/philox.h"
#include "base/sort.h"
#include "design/distribution.h"

#include <math.h>
#include <string.h>

// The acceptance that is aimed at, and the scale with which chains begin (Papaioannou et al. 2015, section 4).
static const double aim = 0.44, first_scale = 0.6;

// Purposes of random numbers.
typedef enum SubsetDraw { DRAW_POINT, DRAW_SEED } SubsetDraw;

// A run's points as its chains move.
typedef struct SubsetWalk {
    double *points;       // [samples][dimension] of the level, in the order [step][chain]
    double *seeds;        // [chains][dimension] of the next one
    double *seed_values;  // [chains]
    double *spread;       // [dimension] deviations of the seeds
    double  scale;        // lambda: of the spread
    double  next;         // threshold of the next event
    size_t  accepted;
    bool    ended;
} SubsetWalk;

typedef struct SubsetWork {
    Subset     *subset;
    SubsetWalk *walks;    // [runs]
    double     *wanted;   // [runs * samples][dimension] points of a batch
    double     *values;   // [runs * samples] of it
    double     *sorted;   // [samples]
    size_t     *members;  // [samples]
    size_t      chains;
} SubsetWork;

static uint64_t draw(const SubsetWork *work, size_t run, SubsetDraw purpose, size_t step, size_t item,
                     size_t coordinate)
{
    const uint64_t level = work->subset->level;
    return philox_bits(work->subset->request->seed, (uint64_t)item << 32 | coordinate,
                       (uint64_t)purpose << 56 | (uint64_t)run << 40 | level << 20 | step);
}

static double draw_normal(const SubsetWork *work, size_t run, size_t step, size_t item, size_t coordinate)
{
    return distribution_normal_quantile(philox_unit(draw(work, run, DRAW_POINT, step, item, coordinate)));
}

static bool make_run(SubsetWork *work, size_t run, Error *err)
{
    Subset              *subset = work->subset;
    const SubsetRequest *request = subset->request;
    SubsetWalk          *walk = &work->walks[run];
    walk->points = arena_take(&subset->arena, request->samples * request->dimension, sizeof(double), err);
    walk->seeds = arena_take(&subset->arena, work->chains * request->dimension, sizeof(double), err);
    walk->seed_values = arena_take(&subset->arena, work->chains, sizeof(double), err);
    walk->spread = arena_take(&subset->arena, request->dimension, sizeof(double), err);
    walk->scale = first_scale;
    return walk->points && walk->seeds && walk->seed_values && walk->spread;
}

static bool make(SubsetWork *work, Error *err)
{
    Subset              *subset = work->subset;
    const SubsetRequest *request = subset->request;
    const size_t         all = request->runs * request->samples;
    work->chains = request->samples / SUBSET_CHAIN;
    subset->runs = arena_take(&subset->arena, request->runs, sizeof *subset->runs, err);
    subset->nearest = arena_take(&subset->arena, request->dimension, sizeof(double), err);
    work->walks = arena_take(&subset->arena, request->runs, sizeof *work->walks, err);
    work->wanted = arena_take(&subset->arena, all * request->dimension, sizeof(double), err);
    work->values = arena_take(&subset->arena, all, sizeof(double), err);
    work->sorted = arena_take(&subset->arena, request->samples, sizeof(double), err);
    work->members = arena_take(&subset->arena, request->samples, sizeof *work->members, err);
    if (!subset->runs || !subset->nearest || !work->walks || !work->wanted || !work->values || !work->sorted ||
        !work->members)
        return false;
    subset->distance = INFINITY;
    subset->active = request->runs;
    for (size_t r = 0; r < request->runs; ++r)
        if (!make_run(work, r, err))
            return false;
    return true;
}

// A point that lies in the event and nearer to the origin than those before.
static void look_at(Subset *subset, const double *point, double value)
{
    double squares = 0.0;
    if (!(value > subset->request->threshold))
        return;
    for (size_t i = 0; i < subset->request->dimension; ++i)
        squares += point[i] * point[i];
    if (sqrt(squares) >= subset->distance)
        return;
    subset->distance = sqrt(squares);
    memcpy(subset->nearest, point, subset->request->dimension * sizeof *point);
}

static bool evaluate(SubsetWork *work, size_t count, Error *err)
{
    Subset              *subset = work->subset;
    const SubsetRequest *request = subset->request;
    if (!request->evaluate(work->wanted, count, work->values, request->user, err))
        return false;
    subset->point_count += count;
    for (size_t i = 0; i < count; ++i)
        look_at(subset, work->wanted + i * request->dimension, work->values[i]);
    return true;
}

// Takes a level's array of values and its entry.
static bool begin_level(SubsetWork *work, SubsetRun *run, double threshold, double probability, Error *err)
{
    Subset *subset = work->subset;
    run->values[subset->level] = arena_take(&subset->arena, subset->request->samples, sizeof(double), err);
    run->levels[subset->level] = (SubsetLevel){
        .threshold = threshold, .share = (double)NAN, .acceptance = (double)NAN, .probability = probability};
    run->level_count = subset->level + 1;
    return run->values[subset->level] != NULL;
}

static bool run_first(SubsetWork *work, Error *err)
{
    Subset              *subset = work->subset;
    const SubsetRequest *request = subset->request;
    const size_t         n = request->samples, d = request->dimension;
    for (size_t r = 0; r < request->runs; ++r) {
        if (!begin_level(work, &subset->runs[r], -INFINITY, 1.0, err))
            return false;
        for (size_t k = 0; k < n; ++k)
            for (size_t i = 0; i < d; ++i)
                work->wanted[(r * n + k) * d + i] = draw_normal(work, r, 0, k, i);
    }
    if (!evaluate(work, request->runs * n, err))
        return false;
    for (size_t r = 0; r < request->runs; ++r) {
        memcpy(work->walks[r].points, work->wanted + r * n * d, n * d * sizeof(double));
        memcpy(subset->runs[r].values[0], work->values + r * n, n * sizeof(double));
    }
    return true;
}

// How much less the points of chains count than independent ones: gamma of Au and Beck, equations 26 to 29, for the
// indicator of the next event.
static double find_correlation(size_t n, size_t number, const double *values, double threshold, bool strict,
                               double share)
{
    const size_t chains = n / SUBSET_CHAIN;
    const double variance = share * (1.0 - share);
    double       sum = 0.0;
    if (number == 0 || variance == 0.0)
        return 0.0;
    for (size_t lag = 1; lag < SUBSET_CHAIN; ++lag) {
        const size_t pairs = n - lag * chains;
        size_t       both = 0;
        for (size_t k = 0; k < pairs; ++k) {
            const double a = values[k], b = values[k + lag * chains];
            both += strict ? a > threshold && b > threshold : a >= threshold && b >= threshold;
        }
        const double covariance = (double)both / (double)pairs - share * share;
        sum += (1.0 - (double)lag / SUBSET_CHAIN) * covariance / variance;
    }
    // The estimate may fall below -1, which no variance does.
    return fmax(2.0 * sum, -1.0);
}

// The level's points in the next event, in an order by chance: the seeds of the next chains.
static void take_seeds(SubsetWork *work, size_t r, double threshold)
{
    const SubsetRequest *request = work->subset->request;
    const double        *values = work->subset->runs[r].values[work->subset->level];
    SubsetWalk          *walk = &work->walks[r];
    const size_t         d = request->dimension;
    size_t               count = 0;
    for (size_t k = 0; k < request->samples; ++k)
        if (values[k] >= threshold)
            work->members[count++] = k;
    for (size_t c = 0; c < work->chains; ++c) {
        const size_t other = c + philox_below((uint32_t)draw(work, r, DRAW_SEED, 0, c, 0), count - c),
                     member = work->members[other];
        work->members[other] = work->members[c];
        memcpy(walk->seeds + c * d, walk->points + member * d, d * sizeof(double));
        walk->seed_values[c] = values[member];
    }
}

// The deviations of the seeds, which scale the chains' steps in each coordinate.
static void find_spread(const SubsetWork *work, SubsetWalk *walk)
{
    const size_t d = work->subset->request->dimension, chains = work->chains;
    for (size_t i = 0; i < d; ++i) {
        double mean = 0.0, squares = 0.0;
        for (size_t c = 0; c < chains; ++c)
            mean += walk->seeds[c * d + i] / (double)chains;
        for (size_t c = 0; c < chains; ++c)
            squares += (walk->seeds[c * d + i] - mean) * (walk->seeds[c * d + i] - mean);
        walk->spread[i] = sqrt(squares / (double)(chains - 1));
    }
}

static bool say_stuck(const SubsetWork *work, double threshold, Error *err)
{
    return fail(err, ERROR_FAILED,
                "level %zu ends at %.6g, no higher than it began: points have equal values there, or none of them "
                "moves; look at the metric, or take more samples",
                work->subset->level, threshold);
}

// Ends the level of a run: it has reached V, or its next event is known and its seeds are taken.
static bool end_level(SubsetWork *work, size_t r, Error *err)
{
    Subset              *subset = work->subset;
    const SubsetRequest *request = subset->request;
    SubsetRun           *run = &subset->runs[r];
    SubsetLevel         *level = &run->levels[subset->level];
    const double        *values = run->values[subset->level];
    const size_t         n = request->samples;
    memcpy(work->sorted, values, n * sizeof(double));
    sort_numbers(work->sorted, n);
    double     next = work->sorted[n - work->chains];
    const bool last = next >= request->threshold;
    size_t     count = 0;
    next = last ? request->threshold : next;
    for (size_t k = 0; k < n; ++k)
        count += last ? values[k] > next : values[k] >= next;
    if (count == 0)
        return say_stuck(work, next, err);
    level->share = (double)count / (double)n;
    level->correlation = find_correlation(n, subset->level, values, next, last, level->share);
    run->probability = level->probability * level->share;
    run->variation += (1.0 - level->share) / (level->share * (double)n) * (1.0 + level->correlation);
    if (last) {
        work->walks[r].ended = true;
        --subset->active;
        return true;
    }
    if (!(next > level->threshold))
        return say_stuck(work, next, err);
    if (subset->level + 1 == SUBSET_LEVELS)
        return fail(err, ERROR_FAILED,
                    "no tenth of the points lies above %.6g after %d levels, whose last threshold is %.6g: the "
                    "probability is below %.0e, or the metric does not get there",
                    request->threshold, SUBSET_LEVELS, next, run->probability);
    work->walks[r].next = next;
    take_seeds(work, r, next);
    find_spread(work, &work->walks[r]);
    return true;
}

// The first points of the chains: the seeds, which were evaluated in the level before.
static bool plant(SubsetWork *work, size_t r, Error *err)
{
    SubsetRun  *run = &work->subset->runs[r];
    SubsetWalk *walk = &work->walks[r];
    if (!begin_level(work, run, walk->next, run->probability, err))
        return false;
    walk->accepted = 0;
    memcpy(walk->points, walk->seeds, work->chains * work->subset->request->dimension * sizeof(double));
    memcpy(run->values[work->subset->level], walk->seed_values, work->chains * sizeof(double));
    return true;
}

// A candidate is correlated with the point before by rho in each coordinate, so that it is normal as that one is.
static void propose(const SubsetWork *work, size_t r, size_t step, double *wanted)
{
    const SubsetWalk *walk = &work->walks[r];
    const size_t      d = work->subset->request->dimension;
    for (size_t c = 0; c < work->chains; ++c)
        for (size_t i = 0; i < d; ++i) {
            const double sigma = fmin(1.0, walk->scale * walk->spread[i]), rho = sqrt(1.0 - sigma * sigma),
                         now = walk->points[((step - 1) * work->chains + c) * d + i];
            wanted[c * d + i] = rho * now + sigma * draw_normal(work, r, step, c, i);
        }
}

// A candidate outside of the event is refused: the chain stays. Then the scale follows the acceptance.
static void accept(SubsetWork *work, size_t r, size_t step, const double *wanted, const double *found)
{
    SubsetRun   *run = &work->subset->runs[r];
    SubsetWalk  *walk = &work->walks[r];
    const size_t level = work->subset->level, d = work->subset->request->dimension, chains = work->chains;
    size_t       accepted = 0;
    for (size_t c = 0; c < chains; ++c) {
        const size_t to = step * chains + c, from = to - chains;
        const bool   inside = found[c] >= run->levels[level].threshold;
        memcpy(walk->points + to * d, inside ? wanted + c * d : walk->points + from * d, d * sizeof(double));
        run->values[level][to] = inside ? found[c] : run->values[level][from];
        accepted += inside;
    }
    walk->accepted += accepted;
    walk->scale *= exp(((double)accepted / (double)chains - aim) / sqrt((double)step));
    run->levels[level].acceptance = (double)walk->accepted / (double)(step * chains);
}

static bool run_level(SubsetWork *work, Error *err)
{
    Subset      *subset = work->subset;
    const size_t runs = subset->request->runs, chains = work->chains, d = subset->request->dimension;
    for (size_t r = 0; r < runs; ++r)
        if (!work->walks[r].ended && !plant(work, r, err))
            return false;
    for (size_t step = 1; step < SUBSET_CHAIN; ++step) {
        size_t count = 0;
        for (size_t r = 0; r < runs; ++r)
            if (!work->walks[r].ended) {
                propose(work, r, step, work->wanted + count * d);
                count += chains;
            }
        if (!evaluate(work, count, err))
            return false;
        count = 0;
        for (size_t r = 0; r < runs; ++r)
            if (!work->walks[r].ended) {
                accept(work, r, step, work->wanted + count * d, work->values + count);
                count += chains;
            }
    }
    return true;
}

// The interval of a lognormal distribution with this coefficient of variation.
static IntervalEstimate judge_one(double probability, double variation)
{
    const double half = -distribution_normal_quantile(0.025) * sqrt(log1p(variation * variation));
    return (IntervalEstimate){probability, probability * exp(-half), probability * exp(half)};
}

// The mean of the runs, with Student's interval of their logarithms around it.
static IntervalEstimate judge_all(const double *probabilities, size_t n)
{
    double mean = 0.0, mean_log = 0.0, squares = 0.0;
    for (size_t r = 0; r < n; ++r) {
        mean += probabilities[r] / (double)n;
        mean_log += log(probabilities[r]) / (double)n;
    }
    for (size_t r = 0; r < n; ++r) {
        const double apart = log(probabilities[r]) - mean_log;
        squares += apart * apart;
    }
    const IntervalEstimate log_mean = interval_mean(n, log(mean), sqrt(squares / (double)(n - 1)));
    return (IntervalEstimate){mean, exp(log_mean.low), exp(log_mean.high)};
}

// A run's probability beyond a threshold, by the points of the last level whose event holds it.
static double find_beyond(const SubsetRequest *request, const SubsetRun *run, double threshold, double *variation)
{
    const size_t n = request->samples;
    size_t       last = run->level_count - 1, count = 0;
    double       squares = 0.0;
    while (last > 0 && run->levels[last].threshold > threshold)
        --last;
    for (size_t k = 0; k < n; ++k)
        count += run->values[last][k] > threshold;
    const double share = (double)count / (double)n;
    for (size_t i = 0; i <= last; ++i) {
        const double part = i < last ? run->levels[i].share : share;
        const double correlation =
            i < last ? run->levels[i].correlation : find_correlation(n, i, run->values[i], threshold, true, share);
        squares += (1.0 - part) / (part * (double)n) * (1.0 + correlation);
    }
    *variation = sqrt(squares);
    return run->levels[last].probability * share;
}

IntervalEstimate subset_beyond(const Subset *subset, double threshold)
{
    const SubsetRequest *request = subset->request;
    double               probabilities[SUBSET_RUNS], variation = 0.0;
    for (size_t r = 0; r < request->runs; ++r)
        probabilities[r] = find_beyond(request, &subset->runs[r], threshold, &variation);
    return request->runs == 1 ? judge_one(probabilities[0], variation) : judge_all(probabilities, request->runs);
}

static void judge(Subset *subset)
{
    for (size_t r = 0; r < subset->request->runs; ++r) {
        SubsetRun *run = &subset->runs[r];
        run->variation = sqrt(run->variation);
        run->interval = judge_one(run->probability, run->variation);
    }
    subset->probability = subset_beyond(subset, subset->request->threshold);
}

static bool check(const SubsetRequest *request, Error *err)
{
    if (request->samples < SUBSET_LEAST || request->samples > SUBSET_MOST || request->samples % SUBSET_CHAIN)
        return fail(err, ERROR_USAGE, "a level has %d to %d samples, a multiple of %d, not %zu", SUBSET_LEAST,
                    SUBSET_MOST, SUBSET_CHAIN, request->samples);
    if (request->runs < 1 || request->runs > SUBSET_RUNS)
        return fail(err, ERROR_USAGE, "there are 1 to %d runs, not %zu", SUBSET_RUNS, request->runs);
    return (request->dimension >= 1 && request->dimension <= SUBSET_DIMENSION) ||
           fail(err, ERROR_USAGE, "there are 1 to %d coordinates, not %zu", SUBSET_DIMENSION, request->dimension);
}

bool subset_run(const SubsetRequest *request, Subset *subset, Error *err)
{
    *subset = (Subset){.request = request};
    SubsetWork work = {.subset = subset};
    bool       ok = check(request, err) && make(&work, err) && run_first(&work, err);
    while (ok) {
        for (size_t r = 0; ok && r < request->runs; ++r)
            ok = work.walks[r].ended || end_level(&work, r, err);
        if (ok && request->level)
            request->level(subset, request->user);
        if (!ok || subset->active == 0)
            break;
        ++subset->level;
        ok = run_level(&work, err);
    }
    if (ok)
        judge(subset);
    return ok;
}

void subset_free(Subset *subset)
{
    arena_free(&subset->arena);
    *subset = (Subset){0};
}
