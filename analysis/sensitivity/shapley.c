// shapley -- all sets of factors, redrawn at each point given the others.
#include "analysis/sensitivity/shapley.h"

#include "base/arena.h"
#include "base/philox.h"

#include <math.h>

// The table of a distribution whose quantiles are slow, Beta's: normals from -TABLE_END to TABLE_END.
enum { MOST = SHAPLEY_FACTORS, TABLE_END = 9, TABLE_STEPS = 256, TABLE_NODES = 2 * TABLE_END * TABLE_STEPS + 1 };

// A pivot below this makes a correlation singular: one normal is all but a sum of the others.
static const double least_pivot = 1e-10;

// How a set of factors is drawn given the others: these first, then the set, under the Cholesky factor of the
// correlation in that order.
typedef struct ShapleyDraw {
    size_t order[MOST], given;  // number of factors outside the set
    double factor[MOST][MOST];
} ShapleyDraw;

// Data shared by all points.
typedef struct ShapleyWork {
    const Shapley *shapley;
    ShapleyDraw   *draws;         // [set]
    double        *costs;         // [set]
    double        *tables[MOST];  // [TABLE_NODES]: quantiles at even steps of z; NULL: they are fast
    Arena          arena;
} ShapleyWork;

static bool make_draw(const Shapley *shapley, size_t set, ShapleyDraw *draw)
{
    const size_t d = shapley->factor_count;
    size_t       count = 0;
    for (int inside = 0; inside < 2; ++inside) {
        for (size_t i = 0; i < d; ++i)
            if ((set >> i & 1) == (size_t)inside)
                draw->order[count++] = i;
        draw->given = inside == 0 ? count : draw->given;
    }
    for (size_t i = 0; i < d; ++i)
        for (size_t j = 0; j <= i; ++j) {
            double sum =
                shapley->correlation ? shapley->correlation[draw->order[i] * d + draw->order[j]] : (i == j ? 1.0 : 0.0);
            for (size_t k = 0; k < j; ++k)
                sum -= draw->factor[i][k] * draw->factor[j][k];
            if (i == j && !(sum > least_pivot))
                return false;
            draw->factor[i][j] = i == j ? sqrt(sum) : sum / draw->factor[j][j];
        }
    return true;
}

// Standard normal numbers of a point and a set.
static void find_normals(uint64_t seed, uint64_t point, uint64_t set, size_t count, double *normals)
{
    for (size_t i = 0; i < count; ++i)
        normals[i] = distribution_normal_quantile(philox_unit(philox_bits(seed, point, set << 8 | i)));
}

// Draws the set anew at the normals z, the factors' in their own order.
static void redraw(const ShapleyDraw *draw, size_t d, const double *normals, const double *z, double *drawn)
{
    double independent[MOST];
    for (size_t i = 0; i < d; ++i) {
        double sum = 0.0;
        for (size_t k = 0; k < i; ++k)
            sum += draw->factor[i][k] * independent[k];
        const size_t at = draw->order[i];
        if (i < draw->given) {
            independent[i] = (z[at] - sum) / draw->factor[i][i];
            drawn[at] = z[at];
        } else {
            independent[i] = normals[i - draw->given];
            drawn[at] = sum + draw->factor[i][i] * independent[i];
        }
    }
}

// The value of a factor from its table, by the cubic through the four nodes next to z, between the inner two.
static double look_up(const double *table, double z)
{
    const double  place = (fmin(fmax(z, -TABLE_END), TABLE_END) + TABLE_END) * TABLE_STEPS;
    const size_t  last = TABLE_NODES - 3, at = (size_t)place < 1 ? 1 : (size_t)place > last ? last : (size_t)place;
    const double *node = &table[at], t = place - (double)at;
    const double  value = -node[-1] * t * (t - 1.0) * (t - 2.0) / 6.0 +
                         node[0] * (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0 - node[1] * (t + 1.0) * t * (t - 2.0) / 2.0 +
                         node[2] * (t + 1.0) * t * (t - 1.0) / 6.0;
    return fmin(fmax(value, table[t < 0.0 ? at - 1 : at]), table[t > 1.0 ? at + 2 : at + 1]);
}

// The output at z; x holds the values of the factors outside the set already.
static double find_output(const ShapleyWork *work, size_t set, const double *z, double *x)
{
    const Shapley *shapley = work->shapley;
    for (size_t i = 0; i < shapley->factor_count; ++i)
        if (set >> i & 1)
            x[i] = work->tables[i] ? look_up(work->tables[i], z[i])
                                   : distribution_quantile(&shapley->distributions[i], distribution_normal(z[i]));
    return shapley->function(shapley->user, x);
}

// The costs of all sets at one point, sampled. False where the function is not finite.
static bool find_costs(const ShapleyWork *work, uint64_t point)
{
    const Shapley     *shapley = work->shapley;
    const ShapleyDraw *draws = work->draws;
    double            *costs = work->costs;
    const size_t       d = shapley->factor_count, all = ((size_t)1 << d) - 1;
    double             normals[MOST], nowhere[MOST] = {0.0}, z[MOST], drawn[MOST], x[MOST], moved[MOST];
    find_normals(shapley->seed, point, 0, d, normals);
    redraw(&draws[all], d, normals, nowhere, z);
    const double y = find_output(work, all, z, x);
    costs[0] = 0.0;
    for (size_t set = 1; set <= all; ++set) {
        for (size_t i = 0; i < d; ++i)
            moved[i] = x[i];
        find_normals(shapley->seed, point, set, d - draws[set].given, normals);
        redraw(&draws[set], d, normals, z, drawn);
        const double difference = y - find_output(work, set, drawn, moved);
        costs[set] = 0.5 * difference * difference;
        if (!isfinite(costs[set]))
            return false;
    }
    return true;
}

void shapley_weights(size_t d, double *weights)
{
    double binomial = 1.0;
    for (size_t size = 0; size < d; ++size) {
        weights[size] = 1.0 / ((double)d * binomial);
        binomial *= (double)(d - 1 - size) / (double)(size + 1);
    }
}

void shapley_share(size_t d, const double *weights, const double *costs, double *shares)
{
    const size_t all = ((size_t)1 << d) - 1;
    for (size_t i = 0; i < d; ++i) {
        shares[i] = 0.0;
        for (size_t set = 0; set <= all; ++set)
            if (!(set >> i & 1)) {
                const int size = __builtin_popcountll(set);
                shares[i] += weights[size] * (costs[set | (size_t)1 << i] - costs[set]);
            }
    }
}

void shapley_add(ShapleySums *sums, size_t d, const double *shares, double variance)
{
    sums->variance += variance;
    sums->variance_square += variance * variance;
    for (size_t i = 0; i < d; ++i) {
        sums->share[i] += shares[i];
        sums->square[i] += shares[i] * shares[i];
        sums->mixed[i] += shares[i] * variance;
    }
}

void shapley_ratios(const ShapleySums *sums, size_t d, double samples, double *effects, double *errors,
                    double *variance)
{
    *variance = sums->variance / samples;
    for (size_t i = 0; i < d; ++i) {
        const double ratio = sums->share[i] / sums->variance;
        const double spread = sums->square[i] - 2.0 * ratio * sums->mixed[i] + ratio * ratio * sums->variance_square;
        effects[i] = ratio;
        errors[i] = sqrt(fmax(spread, 0.0) / (samples * (samples - 1.0))) / *variance;
    }
}

static bool make_table(const Distribution *distribution, Arena *arena, double **table, Error *err)
{
    *table = arena_take(arena, TABLE_NODES, sizeof **table, err);
    for (int i = 0; *table && i < TABLE_NODES; ++i)
        (*table)[i] =
            distribution_quantile(distribution, distribution_normal((double)i / TABLE_STEPS - (double)TABLE_END));
    return *table != NULL;
}

static bool make_work(const Shapley *shapley, ShapleyWork *work, Error *err)
{
    const size_t sets = (size_t)1 << shapley->factor_count;
    work->draws = arena_take(&work->arena, sets, sizeof *work->draws, err);
    work->costs = arena_take(&work->arena, sets, sizeof *work->costs, err);
    if (!work->draws || !work->costs)
        return false;
    for (size_t set = 0; set < sets; ++set)
        if (!make_draw(shapley, set, &work->draws[set]))
            return fail(err, ERROR_INPUT, "the correlation of the factors is not positive definite");
    for (size_t i = 0; i < shapley->factor_count; ++i)
        if (shapley->distributions[i].kind == DISTRIBUTION_BETA &&
            !make_table(&shapley->distributions[i], &work->arena, &work->tables[i], err))
            return false;
    return true;
}

static size_t find_samples(const Shapley *shapley)
{
    const size_t affordable = (size_t)SHAPLEY_EVALUATIONS >> shapley->factor_count;
    if (shapley->samples > 0)
        return shapley->samples;
    return affordable < SHAPLEY_SAMPLES ? affordable : SHAPLEY_SAMPLES;
}

static bool sum_points(const ShapleyWork *work, ShapleySums *sums, Error *err)
{
    const size_t d = work->shapley->factor_count, samples = find_samples(work->shapley);
    double       weights[MOST], shares[MOST];
    shapley_weights(d, weights);
    for (size_t point = 0; point < samples; ++point) {
        if (!find_costs(work, point))
            return fail(err, ERROR_INPUT, "the output is not finite near point %zu of the sample", point);
        shapley_share(d, weights, work->costs, shares);
        shapley_add(sums, d, shares, work->costs[((size_t)1 << d) - 1]);
    }
    return true;
}

bool shapley_find(const Shapley *shapley, double *effects, double *errors, double *variance, Error *err)
{
    const size_t d = shapley->factor_count;
    ShapleyWork  work = {.shapley = shapley};
    ShapleySums  sums = {0};
    if (d == 0 || d > MOST)
        return fail(err, ERROR_INPUT, "%zu factors: Shapley effects are found of 1 to %d", d, MOST);
    if (shapley->samples == 1)
        return fail(err, ERROR_INPUT, "one sample has no standard error");
    const bool ok = make_work(shapley, &work, err) && sum_points(&work, &sums, err);
    if (ok)
        shapley_ratios(&sums, d, (double)find_samples(shapley), effects, errors, variance);
    arena_free(&work.arena);
    return ok;
}
