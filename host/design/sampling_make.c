// sampling_make -- values, roles and samples of the points of random designs.
#include "design/sampling.h"
#include "base/philox.h"
#include "design/draw.h"
#include "design/sobol.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

const char *const sampling_names[SAMPLING_COUNT] = {"random", "lhs",           "sobol", "saltelli",
                                                    "morris", "one_at_a_time", "local"};

static const uint64_t most_points = UINT64_C(1) << 40, most_samples = UINT64_C(1) << 32;

static bool has_unbounded(const Sampling *sampling)
{
    double least = 0.0, most = 0.0;
    for (size_t i = 0; i < sampling->factor_count && isfinite(least) && isfinite(most); ++i)
        distribution_support(&sampling->factors[i], &least, &most);
    return !isfinite(least) || !isfinite(most);
}

static bool has_discrete(const Sampling *sampling)
{
    size_t i = 0;
    while (i < sampling->factor_count && !distribution_is_discrete(&sampling->factors[i]))
        ++i;
    return i < sampling->factor_count;
}

// The distance between the quartiles, in which steps of local are measured.
static double quartile_distance(const Distribution *factor)
{
    return distribution_quantile(factor, 0.75) - distribution_quantile(factor, 0.25);
}

static const char *refuse_local(const Sampling *sampling)
{
    if (!(sampling->step > 0.0 && sampling->step <= 1.0) || sampling->halvings > SAMPLING_HALVINGS)
        return "local needs a step greater than 0 and at most 1, and at most 20 halvings";
    if (has_discrete(sampling))
        return "local takes differences, which a choice or an integer does not have";
    if (sampling->group_of && sampling->group_count < sampling->factor_count)
        return "a group of factors has no derivative: leave groups out of a local design";
    for (size_t i = 0; i < sampling->factor_count; ++i) {
        double       least, most;
        const double centre = distribution_quantile(&sampling->factors[i], 0.5),
                     move = sampling->step * quartile_distance(&sampling->factors[i]);
        distribution_support(&sampling->factors[i], &least, &most);
        if (centre - move < least || centre + move > most)
            return "a step of local leads from the median of a factor beyond its ends: use a smaller step";
    }
    return NULL;
}

static const char *refuse_morris(const Sampling *sampling)
{
    if (sampling->levels < 2 || sampling->levels % 2 || sampling->levels > SAMPLING_LEVELS)
        return "morris needs an even number of levels, 2 to 1024";
    if (has_unbounded(sampling))
        return "morris takes the ends of a factor as levels, and a distribution without ends has none: use "
               "truncated_normal";
    if (sampling->optimise && sampling->optimise < sampling->samples)
        return "morris chooses its trajectories among `optimise` candidates: give more candidates than trajectories";
    if (sampling->optimise > SAMPLING_MORRIS_MOST)
        return "morris compares each candidate with each other one: at most 2000";
    return NULL;
}

static const char *refuse_kind(const Sampling *sampling)
{
    switch (sampling->kind) {
    case SAMPLING_LHS:
        if (sampling->optimise > SAMPLING_EXCHANGES)
            return "at most 100000 exchanges are tried to optimise a Latin hypercube";
        return sampling->optimise && sampling->samples > SAMPLING_LHS_MOST
                   ? "an optimised Latin hypercube has at most 4096 samples; sobol is as even, for any number"
                   : NULL;
    case SAMPLING_SOBOL:
        if (sampling->plain && sampling->correlation)
            return "an unscrambled Sobol' sequence begins with 0, where no normal copula has a value: scramble it";
        return sampling->plain && has_unbounded(sampling)
                   ? "an unscrambled Sobol' sequence begins with 0, where a distribution without ends is infinite"
                   : NULL;
    case SAMPLING_MORRIS: return refuse_morris(sampling);
    case SAMPLING_ONE_AT_A_TIME:
        return sampling->levels < 1 || sampling->levels > SAMPLING_LEVELS
                   ? "one_at_a_time needs 1 to 1024 levels of each factor"
                   : NULL;
    case SAMPLING_LOCAL: return refuse_local(sampling);
    case SAMPLING_SALTELLI:
        if (sampling->samples < 2)
            return "one sample of saltelli has no variance to be divided: take 2 or more, 256 to be of use";
        return sampling->nets > 1 && sampling->samples < 2 * sampling->nets
                   ? "each net of saltelli needs two samples: use fewer nets or more samples"
                   : NULL;
    case SAMPLING_RANDOM:
    case SAMPLING_COUNT: break;
    }
    return NULL;
}

const char *sampling_refuses(const Sampling *sampling)
{
    const bool independent =
        sampling->kind != SAMPLING_RANDOM && sampling->kind != SAMPLING_LHS && sampling->kind != SAMPLING_SOBOL;
    if (sampling->factor_count == 0)
        return "nothing has a distribution: give a parameter one, such as {uniform: [0, 1]}";
    if (sampling->factor_count > SAMPLING_FACTORS)
        return "a design has at most 256 factors";
    if (sampling->samples < 1 || sampling->samples > most_samples)
        return "a design has 1 to 2^32 samples";
    if (sampling->correlation && independent)
        return "correlated factors do not move one by one: use random, lhs or sobol";
    return refuse_kind(sampling);
}

// The lower Cholesky factor of the correlation.
static bool make_mixing(Sampling *sampling, Arena *arena, Error *err)
{
    const size_t n = sampling->factor_count;
    double      *factor = arena_take(arena, n * n, sizeof *factor, err);
    if (!factor)
        return false;
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k <= i; ++k)
            factor[i * n + k] = sampling->correlation[i * n + k];
    if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', (lapack_int)n, factor, (lapack_int)n) != 0)
        return fail(err, ERROR_INPUT, "no factors have all these correlations at once");
    sampling->mixing = factor;
    return true;
}

static size_t net_count(const Sampling *sampling)
{
    return sampling->nets > 1 ? sampling->nets : 1;
}

// How many dimensions of the sequence a net has.
static size_t net_dimensions(const Sampling *sampling)
{
    return sampling->factor_count * (sampling->kind == SAMPLING_SALTELLI ? 2 : 1);
}

// Some pairs of the sequence's dimensions are less even than independent points, for some numbers of points and
// whatever the scrambling. Which factor has them in A or B is drawn too: no factor then has larger errors on average,
// and intervals that take points as independent cover them.
static void shuffle(uint64_t seed, size_t net, size_t count, uint32_t (*directions)[SOBOL_BITS])
{
    uint32_t kept[SOBOL_BITS];
    for (size_t i = count - 1; i > 0; --i) {
        const size_t other = philox_below(philox(seed, i, draw_for(DRAW_DIMENSION, net)).word[0], i + 1);
        memcpy(kept, directions[i], sizeof kept);
        memmove(directions[i], directions[other], sizeof kept);
        memcpy(directions[other], kept, sizeof kept);
    }
}

static bool make_directions(Sampling *sampling, Arena *arena, Error *err)
{
    const size_t count = net_dimensions(sampling), nets = net_count(sampling);
    uint32_t(*directions)[SOBOL_BITS] = arena_take(arena, nets * count, sizeof *directions, err);
    for (size_t net = 0; directions && net < nets; ++net) {
        for (size_t i = 0; i < count; ++i)
            sobol_find_directions(i, directions[net * count + i]);
        if (sampling->kind == SAMPLING_SALTELLI)
            shuffle(sampling->seed, net, count, directions + net * count);
    }
    sampling->directions = (const uint32_t(*)[SOBOL_BITS])directions;
    return directions != NULL;
}

static bool make_table(Sampling *sampling, Arena *arena, Error *err)
{
    const bool   lhs = sampling->kind == SAMPLING_LHS;
    const size_t rows = lhs ? sampling->factor_count : 1;
    uint32_t    *table = arena_take(arena, rows * (size_t)sampling->samples, sizeof *table, err);
    sampling->table = table;
    return table && (lhs ? lhs_optimise(sampling, table, err) : morris_choose(sampling, table, err));
}

size_t sampling_count_roles(const Sampling *sampling)
{
    const size_t g = sampling->group_count;
    switch (sampling->kind) {
    case SAMPLING_SALTELLI: return 2 + (sampling->second_order ? 2 * g : g);
    case SAMPLING_MORRIS: return 1 + g;
    case SAMPLING_ONE_AT_A_TIME: return 1 + g * sampling->levels;
    case SAMPLING_LOCAL: return 1 + g * 2 * (1 + sampling->halvings);
    case SAMPLING_RANDOM:
    case SAMPLING_LHS:
    case SAMPLING_SOBOL:
    case SAMPLING_COUNT: break;
    }
    return 1;
}

bool sampling_make(Sampling *sampling, Arena *arena, Error *err)
{
    if (!sampling->group_of)
        sampling->group_count = sampling->factor_count;
    sampling->roles = sampling_count_roles(sampling);
    if (__builtin_mul_overflow(sampling->samples, (uint64_t)sampling->roles, &sampling->point_count) ||
        sampling->point_count > most_points)
        return fail(err, ERROR_INPUT, "the design has more than 2^40 points, use fewer samples");
    if (sampling->correlation && !make_mixing(sampling, arena, err))
        return false;
    if ((sampling->kind == SAMPLING_SOBOL || sampling->kind == SAMPLING_SALTELLI) &&
        !make_directions(sampling, arena, err))
        return false;
    return !sampling->optimise || make_table(sampling, arena, err);
}

uint64_t sampling_sample(const Sampling *sampling, uint64_t point)
{
    return point / sampling->roles;
}

// Which of the sequence's dimensions a point of saltelli takes for a factor: that of matrix A, or that of B.
static bool takes_b(const Sampling *sampling, size_t factor, size_t role)
{
    const size_t g = sampling->group_count, group = sampling_group(sampling, factor);
    if (role < 2)
        return role == 1;
    return role < 2 + g ? role - 2 == group : role - 2 - g != group;
}

static double sobol_unit(const Sampling *sampling, size_t dimension, uint64_t sample)
{
    const size_t   nets = net_count(sampling), row = (size_t)(sample % nets) * net_dimensions(sampling) + dimension;
    const uint32_t coordinate = sobol_coordinate(sampling->directions[row], (uint32_t)(sample / nets));
    if (sampling->plain)
        return (double)coordinate * 0x1p-32;
    return philox_unit(sobol_scramble(coordinate, sampling->seed, row));
}

// A sum may round up to 1, where a distribution without ends is infinite.
static double below_one(double unit)
{
    return fmin(unit, 1.0 - 0x1p-53);
}

static double lhs_unit(const Sampling *sampling, size_t factor, uint64_t point)
{
    const double inside = philox_unit(philox_bits(sampling->seed, point, draw_for(DRAW_VALUE, factor)));
    const double stratum = sampling->table ? (double)sampling->table[factor * sampling->samples + point]
                                           : (double)lhs_stratum(sampling, factor, point);
    return below_one((stratum + inside) / (double)sampling->samples);
}

static uint64_t trajectory_of(const Sampling *sampling, uint64_t point)
{
    const uint64_t sample = point / sampling->roles;
    return sampling->table ? sampling->table[sample] : sample;
}

static double morris_unit(const Sampling *sampling, size_t factor, uint64_t point)
{
    return (double)morris_level(sampling, factor, trajectory_of(sampling, point), (size_t)(point % sampling->roles)) /
           (double)(sampling->levels - 1);
}

static double one_at_a_time_unit(const Sampling *sampling, size_t factor, uint64_t point)
{
    if (point == 0 || (point - 1) / sampling->levels != sampling_group(sampling, factor))
        return 0.5;
    return ((double)((point - 1) % sampling->levels) + 0.5) / (double)sampling->levels;
}

// The probability below a point's value of a factor, before correlation.
static double find_unit(const Sampling *sampling, size_t factor, uint64_t point)
{
    const uint64_t sample = point / sampling->roles;
    switch (sampling->kind) {
    case SAMPLING_LHS: return lhs_unit(sampling, factor, point);
    case SAMPLING_SOBOL: return sobol_unit(sampling, factor, sample);
    case SAMPLING_SALTELLI:
        return sobol_unit(sampling,
                          takes_b(sampling, factor, (size_t)(point % sampling->roles)) ? sampling->factor_count + factor
                                                                                       : factor,
                          sample);
    case SAMPLING_MORRIS: return morris_unit(sampling, factor, point);
    case SAMPLING_ONE_AT_A_TIME: return one_at_a_time_unit(sampling, factor, point);
    case SAMPLING_LOCAL: return 0.5;
    case SAMPLING_RANDOM:
    case SAMPLING_COUNT: break;
    }
    return philox_unit(philox_bits(sampling->seed, point, draw_for(DRAW_VALUE, factor)));
}

// The factor's normal variable is a sum of independent ones: a row of the Cholesky factor.
static double correlate(const Sampling *sampling, size_t factor, uint64_t point)
{
    const double *row = &sampling->mixing[factor * sampling->factor_count];
    double        sum = 0.0;
    for (size_t k = 0; k <= factor; ++k)
        if (row[k] != 0.0)
            sum += row[k] * distribution_normal_quantile(find_unit(sampling, k, point));
    return below_one(distribution_normal(sum));
}

// Points of local come in pairs, the longest step first: 1 + group * 2 (1 + halvings) + 2 * halving is above the
// centre, the next one below.
double sampling_move(const Sampling *sampling, size_t factor, uint64_t point)
{
    const size_t role = (size_t)(point % sampling->roles), each = 2 * (1 + (size_t)sampling->halvings);
    if (sampling->kind == SAMPLING_MORRIS)
        return sampling->levels / (2.0 * (sampling->levels - 1.0));
    if (sampling->kind != SAMPLING_LOCAL || role == 0 || (role - 1) / each != sampling_group(sampling, factor))
        return 0.0;
    return ldexp(sampling->step * quartile_distance(&sampling->factors[factor]), -(int)((role - 1) % each / 2)) *
           ((role - 1) % 2 ? -1.0 : 1.0);
}

double sampling_share(const Sampling *sampling, size_t factor, uint64_t point)
{
    return sampling->mixing ? correlate(sampling, factor, point) : find_unit(sampling, factor, point);
}

double sampling_value(const Sampling *sampling, size_t factor, uint64_t point)
{
    const double share = sampling_share(sampling, factor, point);
    const double value = distribution_quantile(&sampling->factors[factor], share);
    return sampling->kind == SAMPLING_LOCAL ? value + sampling_move(sampling, factor, point) : value;
}

int sampling_role(const Sampling *sampling, uint64_t point)
{
    const size_t role = (size_t)(point % sampling->roles);
    bool         up = true;
    size_t       moved = 0;
    if (sampling->kind == SAMPLING_SALTELLI)
        return (int)role;
    if (role == 0)
        return 0;
    if (sampling->kind == SAMPLING_MORRIS) {
        moved = morris_moved(sampling, trajectory_of(sampling, point), role, &up);
    } else if (sampling->kind == SAMPLING_ONE_AT_A_TIME) {
        moved = 1 + (role - 1) / sampling->levels;
        up = 2 * ((role - 1) % sampling->levels) + 1 >= sampling->levels;
    } else if (sampling->kind == SAMPLING_LOCAL) {
        moved = 1 + (role - 1) / (2 * (1 + (size_t)sampling->halvings));
        up = (role - 1) % 2 == 0;
    }
    return up ? (int)moved : -(int)moved;
}
