// test_sampling -- random designs: independent points, saltelli's matrices, single moves, correlations, refusals.
#include "support/design_case.h"
#include "support/test.h"

#include "base/philox.h"
#include "design/sampling.h"
#include "design/sobol.h"

enum { MOST = SAMPLING_FACTORS + 1 };

// A design of factors whose values are shares of the probability.
static Sampling of_units(SamplingKind kind, uint64_t samples, size_t factors)
{
    return (Sampling){.kind = kind,
                      .samples = samples,
                      .seed = 4,
                      .levels = 4,
                      .step = 0.5,
                      .factors = design_units,
                      .factor_count = factors};
}

// Moments of five factors, products of two of them, and of a point with the next one: all within 4.5 deviations.
TEST(random_points_are_even_and_independent)
{
    enum { COUNT = 20000, FACTORS = 5 };
    Sampling sampling = of_units(SAMPLING_RANDOM, COUNT, FACTORS);
    design_case_make(&sampling);
    assert_true(sampling.point_count == COUNT && sampling.roles == 1);
    double sums[FACTORS] = {0}, products[2 * FACTORS][2 * FACTORS] = {{0}};
    for (uint64_t p = 0; p < COUNT; ++p) {
        double z[2 * FACTORS];
        for (size_t f = 0; f < FACTORS; ++f) {
            z[f] = (sampling_value(&sampling, f, p) - 0.5) * sqrt(12.0);
            z[FACTORS + f] = (sampling_value(&sampling, f, p + 1) - 0.5) * sqrt(12.0);
            sums[f] += z[f];
        }
        for (size_t a = 0; a < 2 * FACTORS; ++a)
            for (size_t b = 0; b <= a; ++b)
                products[a][b] += z[a] * z[b];
        assert_true(sampling_sample(&sampling, p) == p && sampling_role(&sampling, p) == 0);
    }
    for (size_t a = 0; a < 2 * FACTORS; ++a) {
        if (a < FACTORS)
            assert_true(fabs(sums[a]) < 4.5 * sqrt(COUNT));
        // The fourth moment of a uniform number is 9/5 of the squared variance.
        assert_true(fabs(products[a][a] - COUNT) < 4.5 * sqrt(0.8 * COUNT));
        for (size_t b = 0; b < a; ++b)
            assert_true(fabs(products[a][b]) < 4.5 * sqrt(COUNT));
    }
}

// Of seed 0 the first value is Random123's known answer to key and counter 0: 6627e8d5 e169c58d ...; 52 bits of it.
TEST(random_values_are_those_of_their_counters)
{
    const uint64_t points[] = {0, 1, 77, UINT64_C(1) << 32, (UINT64_C(1) << 40) - 1};
    Sampling       sampling = of_units(SAMPLING_RANDOM, 1, SAMPLING_FACTORS);
    sampling.seed = 0;
    design_case_make(&sampling);
    assert_true(sampling_value(&sampling, 0, 0) == (0xe169c58d6627ep0 + 0.5) * 0x1p-52);
    sampling.seed = UINT64_C(0x123456789abcdef0);
    for (size_t i = 0; i < sizeof points / sizeof *points; ++i)
        for (size_t f = 0; f < SAMPLING_FACTORS; f += 51)
            assert_true(sampling_value(&sampling, f, points[i]) ==
                        philox_unit(philox_bits(sampling.seed, points[i], f)));
}

static void check_same(const Sampling *few, const Sampling *many)
{
    for (uint64_t p = 0; p < few->point_count; ++p) {
        for (size_t f = 0; f < few->factor_count; ++f)
            assert_true(sampling_value(few, f, p) == sampling_value(many, f, p));
        assert_int_equal(sampling_role(few, p), sampling_role(many, p));
        assert_true(sampling_sample(few, p) == sampling_sample(many, p));
    }
}

// N base samples are the first N of 2 N, whatever point is asked first; another seed makes others.
TEST(designs_go_on_where_they_ended)
{
    const SamplingKind kinds[] = {SAMPLING_RANDOM, SAMPLING_SOBOL, SAMPLING_SALTELLI, SAMPLING_MORRIS};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        for (int second_order = 0; second_order < 2; ++second_order) {
            Sampling few = of_units(kinds[k], 37, 4), many = of_units(kinds[k], 74, 4), other = many;
            few.second_order = many.second_order = second_order;
            other.seed = UINT64_C(4) + (UINT64_C(1) << 32);
            design_case_make(&few), design_case_make(&many), design_case_make(&other);
            check_same(&few, &many);
            size_t same = 0;
            for (uint64_t p = few.point_count; p-- > 0;)
                same += sampling_value(&few, 1, p) == sampling_value(&other, 1, p);
            assert_true(same < few.point_count * (kinds[k] == SAMPLING_MORRIS ? 2 : 1) / 3);
        }
}

// A dimension of the sequence, scrambled as the column that it is of a design.
static double column_of(size_t dimension, size_t column, uint64_t sample, uint64_t seed)
{
    uint32_t directions[SOBOL_BITS];
    sobol_find_directions(dimension, directions);
    return philox_unit(sobol_scramble(sobol_coordinate(directions, (uint32_t)sample), seed, column));
}

static double unit_of(size_t dimension, uint64_t sample, uint64_t seed)
{
    return column_of(dimension, dimension, sample, seed);
}

TEST(sobol_takes_a_dimension_for_each_factor)
{
    Sampling plain = of_units(SAMPLING_SOBOL, UINT64_C(1) << 32, SAMPLING_FACTORS), scrambled = plain;
    plain.plain = true;
    design_case_make(&plain), design_case_make(&scrambled);
    const uint64_t points[] = {0, 1, 2, 3, 1000, 0x89abcdef, UINT32_MAX};
    for (size_t i = 0; i < sizeof points / sizeof *points; ++i)
        for (size_t f = 0; f < SAMPLING_FACTORS; f += 15) {
            uint32_t directions[SOBOL_BITS];
            sobol_find_directions(f, directions);
            const double expected = sobol_coordinate(directions, (uint32_t)points[i]) * 0x1p-32;
            assert_true(sampling_value(&plain, f, points[i]) == expected);
            assert_true(sampling_value(&scrambled, f, points[i]) == unit_of(f, points[i], 4));
        }
}

// The value of a column of the matrices [A B].
static double matrix_value(const Sampling *sampling, size_t column, uint64_t sample)
{
    const size_t n = sampling->factor_count;
    return sampling_value(sampling, column % n, sample * sampling->roles + column / n);
}

// The dimension that a column is, by all of its samples; 2 n: none.
static size_t dimension_of(const Sampling *sampling, size_t column)
{
    for (size_t dimension = 0; dimension < 2 * sampling->factor_count; ++dimension) {
        uint64_t k = 0;
        while (k < sampling->samples &&
               matrix_value(sampling, column, k) == column_of(dimension, column, k, sampling->seed))
            ++k;
        if (k == sampling->samples)
            return dimension;
    }
    return 2 * sampling->factor_count;
}

// Each of the sequence's dimensions is one column.
static void check_dimensions(const Sampling *sampling)
{
    const size_t columns = 2 * sampling->factor_count;
    bool         seen[2 * MOST] = {false};
    for (size_t column = 0; column < columns; ++column) {
        const size_t dimension = dimension_of(sampling, column);
        assert_true(dimension < columns && !seen[dimension]);
        seen[dimension] = true;
    }
}

// Saltelli 2002, Saltelli et al. 2010: A and B are the two halves of a point of twice as many dimensions; AB_i is A
// with the columns of group i from B, BA_i is B with those from A.
static void check_matrices(const Sampling *sampling, const size_t *group_of, size_t groups)
{
    const size_t n = sampling->factor_count, roles = 2 + groups * (sampling->second_order ? 2 : 1);
    assert_true(sampling->roles == roles && sampling->point_count == sampling->samples * roles);
    check_dimensions(sampling);
    for (uint64_t p = 0; p < sampling->point_count; ++p) {
        const uint64_t sample = p / roles, role = p % roles;
        assert_true(sampling_sample(sampling, p) == sample && sampling_role(sampling, p) == (int)role);
        for (size_t f = 0; f < n; ++f) {
            const double a = matrix_value(sampling, f, sample), b = matrix_value(sampling, n + f, sample);
            double       expected = role == 0 ? a : b;
            if (role >= 2 && role < 2 + groups)
                expected = role - 2 == group_of[f] ? b : a;
            else if (role >= 2)
                expected = role - 2 - groups == group_of[f] ? a : b;
            assert_true(sampling_value(sampling, f, p) == expected);
        }
    }
}

TEST(saltelli_mixes_two_matrices)
{
    const size_t single[5] = {0, 1, 2, 3, 4}, groups[5] = {1, 0, 1, 2, 0};
    for (int second_order = 0; second_order < 2; ++second_order) {
        Sampling sampling = of_units(SAMPLING_SALTELLI, 20, 5);
        sampling.second_order = second_order;
        design_case_make(&sampling);
        check_matrices(&sampling, single, 5);
        sampling.group_of = groups;
        sampling.group_count = 3;
        design_case_make(&sampling);
        check_matrices(&sampling, groups, 3);
    }
    Sampling largest = of_units(SAMPLING_SALTELLI, 1024, SAMPLING_FACTORS);
    design_case_make(&largest);
    check_dimensions(&largest);
}

// Over the seeds each column is each dimension as often: a share of a fourth, but for 4.5 deviations.
TEST(saltelli_draws_the_dimensions)
{
    enum { SEEDS = 1600, COLUMNS = 4 };
    size_t times[COLUMNS][COLUMNS + 1] = {{0}};
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        Sampling sampling = of_units(SAMPLING_SALTELLI, 16, COLUMNS / 2);
        sampling.seed = seed;
        design_case_make(&sampling);
        for (size_t column = 0; column < COLUMNS; ++column)
            ++times[column][dimension_of(&sampling, column)];
    }
    for (size_t column = 0; column < COLUMNS; ++column)
        for (size_t dimension = 0; dimension < COLUMNS; ++dimension)
            assert_true(fabs((double)times[column][dimension] - SEEDS / 4.0) < 4.5 * sqrt(SEEDS * 0.25 * 0.75));
}

// The centre is where all factors have their medians; a group's factors are in the middle of their levels.
TEST(one_at_a_time_moves_one_group)
{
    const size_t group_of[3] = {1, 0, 1};
    for (unsigned levels = 1; levels <= 5; ++levels) {
        Sampling sampling = of_units(SAMPLING_ONE_AT_A_TIME, 1, 3);
        sampling.levels = levels;
        sampling.group_of = group_of;
        sampling.group_count = 2;
        design_case_make(&sampling);
        assert_int_equal(sampling.point_count, 1 + 2 * levels);
        for (uint64_t p = 0; p < sampling.point_count; ++p) {
            const size_t group = p == 0 ? 2 : (p - 1) / levels;
            const double moved = p == 0 ? 0.5 : ((double)((p - 1) % levels) + 0.5) / levels;
            for (size_t f = 0; f < 3; ++f) {
                assert_true(sampling_value(&sampling, f, p) == (group == group_of[f] ? moved : 0.5));
                assert_true(sampling_move(&sampling, f, p) == 0.0);
            }
            const int role = sampling_role(&sampling, p);
            assert_int_equal(abs(role), p == 0 ? 0 : 1 + group);
            assert_true(p == 0 || (role < 0) == (moved < 0.5));
            assert_true(sampling_sample(&sampling, p) == 0);
        }
    }
}

// Quartiles: of a uniform factor half its width, of a normal one 1.3489795 deviations, of this logarithm 10 and 1000.
TEST(local_moves_by_shares_of_quartiles)
{
    const Distribution factors[3] = {{.kind = DISTRIBUTION_UNIFORM, .numbers = {2.0, 10.0}},
                                     {.kind = DISTRIBUTION_NORMAL, .numbers = {5.0, 3.0}},
                                     {.kind = DISTRIBUTION_LOGUNIFORM, .numbers = {1.0, 1e4}}};
    const double       centre[3] = {6.0, 5.0, 100.0}, quartiles[3] = {4.0, 3.0 * 1.3489795003921634, 990.0};
    for (unsigned halvings = 0; halvings <= 20; halvings += 4) {
        Sampling sampling = of_units(SAMPLING_LOCAL, 1, 3);
        sampling.factors = factors;
        sampling.step = 0.05;
        sampling.halvings = halvings;
        design_case_make(&sampling);
        assert_int_equal(sampling.point_count, 1 + 3u * 2u * (halvings + 1u));
        uint64_t p = 1;
        for (size_t f = 0; f < 3; ++f)
            assert_true(fabs(sampling_value(&sampling, f, 0) / centre[f] - 1.0) < 1e-14);
        assert_int_equal(sampling_role(&sampling, 0), 0);
        for (int factor = 0; factor < 3; ++factor)
            for (unsigned halving = 0; halving <= halvings; ++halving)
                for (int sign = 1; sign >= -1; sign -= 2, ++p)
                    for (size_t f = 0; f < 3; ++f) {
                        const bool   moves = (size_t)factor == f;
                        const double move = moves ? sign * 0.05 * quartiles[f] * pow(0.5, halving) : 0.0;
                        assert_true(fabs(sampling_move(&sampling, f, p) - move) <= 1e-13 * fabs(move));
                        assert_true(fabs(sampling_value(&sampling, f, p) - centre[f] - move) < 1e-14 * 1000.0);
                        assert_int_equal(sampling_role(&sampling, p), sign * (1 + factor));
                    }
    }
}

enum { MIXED = 4, LARGE = 1 << 14 };

static const double correlations[MIXED * MIXED] = {1.0,  0.8,  -0.5, 0.0, 0.8, 1.0, -0.2, 0.0,
                                                   -0.5, -0.2, 1.0,  0.3, 0.0, 0.0, 0.3,  1.0};

static const Distribution mixed[MIXED] = {{.kind = DISTRIBUTION_NORMAL, .numbers = {3.0, 2.0}},
                                          {.kind = DISTRIBUTION_UNIFORM, .numbers = {-1.0, 1.0}},
                                          {.kind = DISTRIBUTION_BETA, .numbers = {2.0, 5.0, 0.0, 4.0}},
                                          {.kind = DISTRIBUTION_LOGUNIFORM, .numbers = {1e-3, 1.0}}};

static double columns[MIXED][LARGE];

static size_t sorting;

static int compare_places(const void *a, const void *b)
{
    const double x = columns[sorting][*(const size_t *)a], y = columns[sorting][*(const size_t *)b];
    return (x > y) - (x < y);
}

// In place of each value its rank; the largest difference of their distribution from the factor's own.
static double rank_column(size_t factor)
{
    static size_t places[LARGE];
    double        most = 0.0;
    for (size_t i = 0; i < LARGE; ++i)
        places[i] = i;
    sorting = factor;
    qsort(places, LARGE, sizeof *places, compare_places);
    for (size_t i = 0; i < LARGE; ++i) {
        const double share = distribution_probability(&mixed[factor], columns[factor][places[i]]);
        most = fmax(most, fmax(fabs(share - (double)i / LARGE), fabs(share - (double)(i + 1) / LARGE)));
    }
    for (size_t i = 0; i < LARGE; ++i)
        columns[factor][places[i]] = (double)i;
    return most;
}

static void check_correlations(SamplingKind kind, bool grouped)
{
    const size_t groups[MIXED] = {0, 0, 1, 1};
    Sampling     sampling = of_units(kind, LARGE, MIXED);
    sampling.factors = mixed;
    sampling.correlation = correlations;
    sampling.group_of = grouped ? groups : NULL;
    sampling.group_count = grouped ? 2 : 0;
    design_case_make(&sampling);
    static double scores[MIXED][LARGE];
    for (size_t f = 0; f < MIXED; ++f)
        for (size_t i = 0; i < LARGE; ++i) {
            columns[f][i] = sampling_value(&sampling, f, i);
            scores[f][i] = distribution_normal_quantile(distribution_probability(&mixed[f], columns[f][i]));
        }
    for (size_t f = 0; f < MIXED; ++f) {
        const double apart = rank_column(f);
        // Kolmogorov and Smirnov: 1.95 / sqrt(n) is exceeded once in a thousand.
        if (!(apart < 1.95 / sqrt(LARGE)))
            fail_msg("%s: distribution of factor %zu is off by %g", sampling_names[kind], f, apart);
    }
    for (size_t a = 0; a < MIXED; ++a)
        for (size_t b = 0; b < a; ++b) {
            const double r = correlations[a * MIXED + b];
            assert_true(fabs(design_correlation(scores[a], scores[b], LARGE) - r) < 4.0 * (1.0 - r * r) / sqrt(LARGE));
            assert_true(fabs(design_correlation(columns[a], columns[b], LARGE) - 6.0 / acos(-1.0) * asin(r / 2.0)) <
                        0.02);
        }
}

TEST(correlated_factors_have_their_correlations)
{
    check_correlations(SAMPLING_RANDOM, false);
    check_correlations(SAMPLING_SOBOL, false);
    check_correlations(SAMPLING_LHS, false);
    check_correlations(SAMPLING_RANDOM, true);
}

// A correlation of 0 changes nothing but the last digit.
TEST(uncorrelated_factors_keep_their_values)
{
    const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    Sampling     alone = of_units(SAMPLING_LHS, 1000, 3), together = alone;
    together.correlation = none;
    design_case_make(&alone), design_case_make(&together);
    for (uint64_t p = 0; p < 1000; ++p)
        for (size_t f = 0; f < 3; ++f)
            assert_true(fabs(sampling_value(&alone, f, p) - sampling_value(&together, f, p)) < 1e-15);
}

static const double       whole[4] = {1.0, 0.5, 0.5, 1.0};
static const Distribution normal = {.kind = DISTRIBUTION_NORMAL, .numbers = {0.0, 1.0}},
                          wide = {.kind = DISTRIBUTION_LOGUNIFORM, .numbers = {1.0, 1e4}},
                          skewed = {.kind = DISTRIBUTION_LOGNORMAL, .numbers = {0.0, 1.0}},
                          upwards = {.kind = DISTRIBUTION_BETA, .numbers = {1.0, 0.2, 0.0, 1.0}},
                          discrete = {.kind = DISTRIBUTION_INTEGER, .numbers = {0.0, 3.0}};

static void check_reason(Sampling sampling, const char *part)
{
    const char *reason = sampling_refuses(&sampling);
    if (!reason != !part || (part && !strstr(reason, part)))
        fail_msg("%s: %s, not %s", sampling_names[sampling.kind], reason ? reason : "accepted",
                 part ? part : "accepted");
}

#define REFUSED(change, part)         \
    do {                              \
        Sampling sampling = good;     \
        change;                       \
        check_reason(sampling, part); \
    } while (0)

TEST(impossible_designs_are_refused)
{
    for (size_t kind = 0; kind < SAMPLING_COUNT; ++kind) {
        const Sampling good = of_units((SamplingKind)kind, 2, 2);
        const bool     mixes = kind == SAMPLING_RANDOM || kind == SAMPLING_LHS || kind == SAMPLING_SOBOL;
        REFUSED((void)0, NULL);
        REFUSED(sampling.factor_count = 0, "nothing has a distribution");
        REFUSED(sampling.factor_count = 256, NULL);
        REFUSED(sampling.factor_count = 257, "at most 256 factors");
        REFUSED(sampling.samples = 0, "1 to 2^32 samples");
        REFUSED(sampling.samples = 1, kind == SAMPLING_SALTELLI ? "no variance to be divided" : NULL);
        REFUSED(sampling.samples = UINT64_C(1) << 32, NULL);
        REFUSED(sampling.samples = (UINT64_C(1) << 32) + 1, "1 to 2^32 samples");
        REFUSED(sampling.correlation = whole, mixes ? NULL : "do not move one by one");
        REFUSED((sampling.factors = &normal, sampling.factor_count = 1),
                kind == SAMPLING_MORRIS ? "morris takes the ends" : NULL);
        REFUSED((sampling.factors = &discrete, sampling.factor_count = 1),
                kind == SAMPLING_LOCAL ? "local takes differences" : NULL);
    }
}

TEST(impossible_settings_are_refused)
{
    Sampling good = of_units(SAMPLING_LHS, 4096, 2);
    REFUSED(sampling.optimise = 100000, NULL);
    REFUSED(sampling.optimise = 100001, "at most 100000 exchanges");
    REFUSED((sampling.optimise = 1, sampling.samples = 4097), "at most 4096 samples");
    REFUSED(sampling.samples = 4097, NULL);
    good = of_units(SAMPLING_SOBOL, 8, 1);
    good.plain = true;
    REFUSED((void)0, NULL);
    REFUSED(sampling.factors = &normal, "infinite");
    REFUSED((sampling.factor_count = 2, sampling.correlation = whole), "scramble it");
    REFUSED((sampling.factors = &normal, sampling.plain = false), NULL);
    good = of_units(SAMPLING_MORRIS, 10, 2);
    REFUSED(sampling.levels = 0, "even number of levels");
    REFUSED(sampling.levels = 3, "even number of levels");
    REFUSED(sampling.levels = 2, NULL);
    REFUSED(sampling.levels = 1024, NULL);
    REFUSED(sampling.levels = 1026, "even number of levels");
    REFUSED(sampling.optimise = 9, "more candidates than trajectories");
    REFUSED(sampling.optimise = 10, NULL);
    REFUSED(sampling.optimise = 2000, NULL);
    REFUSED(sampling.optimise = 2001, "at most 2000");
    good = of_units(SAMPLING_ONE_AT_A_TIME, 1, 2);
    REFUSED(sampling.levels = 0, "1 to 1024 levels");
    REFUSED(sampling.levels = 1024, NULL);
    REFUSED(sampling.levels = 1025, "1 to 1024 levels");
    good = of_units(SAMPLING_LOCAL, 1, 2);
    REFUSED(sampling.step = 0.0, "a step greater than 0");
    REFUSED(sampling.step = 1.0, NULL);
    REFUSED(sampling.step = 1.001, "a step greater than 0");
    REFUSED(sampling.step = (double)NAN, "a step greater than 0");
    REFUSED(sampling.halvings = 20, NULL);
    // Quartiles 10 and 1000 about 100, ends 1 and 10^4; and the lognormal one, about 1, without an upper end.
    REFUSED((sampling.factors = &wide, sampling.factor_count = 1, sampling.step = 0.0999), NULL);
    REFUSED((sampling.factors = &wide, sampling.factor_count = 1, sampling.step = 0.1001), "beyond its ends");
    REFUSED((sampling.factors = &skewed, sampling.factor_count = 1, sampling.step = 0.6), NULL);
    REFUSED((sampling.factors = &skewed, sampling.factor_count = 1, sampling.step = 0.9), "beyond its ends");
    REFUSED((sampling.factors = &upwards, sampling.factor_count = 1, sampling.step = 0.6), "beyond its ends");
    REFUSED(sampling.halvings = 21, "at most 20 halvings");
    const size_t together[2] = {0, 0}, apart[2] = {1, 0};
    REFUSED((sampling.group_of = together, sampling.group_count = 1), "a group of factors has no derivative");
    REFUSED((sampling.group_of = apart, sampling.group_count = 2), NULL);
}

TEST(impossible_correlations_and_sizes_are_errors)
{
    const double indefinite[9] = {1.0, 0.9, 0.9, 0.9, 1.0, -0.9, 0.9, -0.9, 1.0};
    Sampling     sampling = of_units(SAMPLING_RANDOM, 10, 3);
    sampling.correlation = indefinite;
    assert_refused(sampling_make(&sampling, &arena, &err), ERROR_INPUT, "");
    assert_string_equal(err.message, "no factors have all these correlations at once");
    sampling = of_units(SAMPLING_MORRIS, UINT64_C(1) << 32, 256);
    assert_refused(sampling_make(&sampling, &arena, &err), ERROR_INPUT, "");
    assert_string_equal(err.message, "the design has more than 2^40 points, use fewer samples");
    sampling = of_units(SAMPLING_MORRIS, UINT64_C(1) << 32, 255);
    design_case_make(&sampling);
    assert_true(sampling.point_count == UINT64_C(1) << 40);
}
