// test_morris -- trajectories: moves, levels, orders, directions, and the choice of those that are far apart.
#include "support/design_case.h"
#include "support/test.h"

#include "design/draw.h"

enum { FACTORS = 5, CANDIDATES = 60, CHOSEN = 9 };

static Sampling trajectories(uint64_t samples, unsigned levels, size_t factors, uint64_t seed, uint64_t candidates)
{
    Sampling sampling = {.kind = SAMPLING_MORRIS,
                         .samples = samples,
                         .levels = levels,
                         .seed = seed,
                         .optimise = candidates,
                         .factors = design_units,
                         .factor_count = factors};
    design_case_make(&sampling);
    assert_true(sampling.roles == 1 + factors && sampling.point_count == samples * (1 + factors));
    return sampling;
}

// The level of a factor: its share of the probability in units of 1 / (levels - 1).
static int level(const Sampling *sampling, size_t factor, uint64_t point)
{
    const double value = sampling_value(sampling, factor, point) * (sampling->levels - 1);
    assert_true(fabs(value - floor(value + 0.5)) < 1e-9 && value > -0.5 && value < sampling->levels - 0.5);
    return (int)floor(value + 0.5);
}

// Each group moves once: all of its factors by half of the levels, its first in the direction of the role.
static void check_trajectories(const Sampling *sampling)
{
    const double delta = sampling->levels / (2.0 * (sampling->levels - 1.0));
    for (uint64_t point = 0; point < sampling->point_count; ++point) {
        const int role = sampling_role(sampling, point);
        assert_int_equal(sampling_sample(sampling, point), point / sampling->roles);
        assert_int_equal(role == 0, point % sampling->roles == 0);
        assert_true((size_t)abs(role) <= sampling->group_count);
        for (uint64_t back = 1; back <= point % sampling->roles; ++back)
            assert_true(abs(sampling_role(sampling, point - back)) != abs(role));
        bool first = true;
        for (size_t f = 0; f < sampling->factor_count; ++f) {
            const size_t group = sampling->group_of ? sampling->group_of[f] : f;
            const int    here = level(sampling, f, point), before = role == 0 ? here : level(sampling, f, point - 1);
            const bool   moves = (size_t)abs(role) == 1 + group;
            assert_int_equal(abs(here - before), moves ? (int)sampling->levels / 2 : 0);
            assert_true(fabs(sampling_move(sampling, f, point) - delta) < 1e-15);
            if (moves && first)
                assert_int_equal(here > before, role > 0);
            first = first && !moves;
        }
    }
}

TEST(each_group_moves_once)
{
    const size_t group_of[FACTORS] = {2, 0, 1, 0, 2};
    for (unsigned levels = 2; levels <= 8; levels += 2) {
        Sampling sampling = trajectories(40, levels, FACTORS, levels, 0);
        check_trajectories(&sampling);
        sampling.group_of = group_of;
        sampling.group_count = 3;
        design_case_make(&sampling);
        assert_int_equal(sampling.point_count, 40 * 4);
        check_trajectories(&sampling);
        sampling.optimise = 50;
        design_case_make(&sampling);
        check_trajectories(&sampling);
    }
}

// Factors of a group go each their own way.
TEST(factors_of_a_group_have_their_own_directions)
{
    enum { COUNT = 4000 };
    const size_t group_of[2] = {0, 0};
    Sampling     sampling = {.kind = SAMPLING_MORRIS,
                             .samples = COUNT,
                             .levels = 4,
                             .factors = design_units,
                             .factor_count = 2,
                             .group_of = group_of,
                             .group_count = 1};
    int          together = 0;
    design_case_make(&sampling);
    for (uint64_t t = 0; t < COUNT; ++t)
        together += (level(&sampling, 0, 2 * t + 1) > level(&sampling, 0, 2 * t)) ==
                    (level(&sampling, 1, 2 * t + 1) > level(&sampling, 1, 2 * t));
    assert_true(fabs(together - COUNT / 2.0) < 4.0 * sqrt(COUNT / 4.0));
}

static void check_even(const int *cells, size_t count, double total, const char *what)
{
    const double sum = design_chi_square(cells, count, total / (double)count);
    if (!(fabs(sum - (double)(count - 1)) < 4.5 * sqrt(2.0 * (double)(count - 1))))
        fail_msg("%s: chi-square %g of %zu cells", what, sum, count);
}

// Levels of the start, alone and of two factors; directions; levels of the last point.
TEST(levels_and_directions_are_even)
{
    enum { COUNT = 12000, LEVELS = 6 };
    const Sampling sampling = trajectories(COUNT, LEVELS, 3, 1, 0);
    int            start[3][LEVELS] = {{0}}, last[LEVELS] = {0}, two[LEVELS * LEVELS] = {0}, up[3][2] = {{0}};
    for (uint64_t t = 0; t < COUNT; ++t) {
        for (size_t f = 0; f < 3; ++f)
            ++start[f][level(&sampling, f, 4 * t)];
        ++two[level(&sampling, 0, 4 * t) * LEVELS + level(&sampling, 1, 4 * t)];
        ++last[level(&sampling, 2, 4 * t + 3)];
        for (size_t s = 1; s < 4; ++s) {
            const int role = sampling_role(&sampling, 4 * t + s);
            ++up[abs(role) - 1][role > 0];
        }
    }
    for (size_t f = 0; f < 3; ++f) {
        check_even(start[f], LEVELS, COUNT, "levels of the start");
        check_even(up[f], 2, COUNT, "directions");
    }
    check_even(last, LEVELS, COUNT, "levels of the end");
    check_even(two, LEVELS * LEVELS, COUNT, "levels of two factors");
}

TEST(orders_are_even)
{
    enum { COUNT = 12000 };
    const Sampling sampling = trajectories(COUNT, 4, 4, 5, 0);
    int            orders[256] = {0}, cells[24], found = 0, with[8] = {0};
    for (uint64_t t = 0; t < COUNT; ++t) {
        size_t order = 0;
        for (size_t s = 1; s <= 4; ++s)
            order = order * 4 + (size_t)abs(sampling_role(&sampling, 5 * t + s)) - 1;
        ++orders[order];
        // Orders do not depend on levels: who moves first, and which pair of levels the last factor has.
        ++with[order / 64 + (level(&sampling, 3, 5 * t) % 2 ? 4 : 0)];
    }
    for (size_t i = 0; i < 256; ++i)
        if (orders[i] && found < 24)
            cells[found++] = orders[i];
    assert_int_equal(found, 24);
    check_even(cells, 24, COUNT, "orders");
    check_even(with, 8, COUNT, "orders and levels");
}

// Distance of Campolongo, Cariboni and Saltelli 2007, eq. 10: the sum over all pairs of points of their distances.
static double apart(const Sampling *sampling, uint64_t a, uint64_t b)
{
    double sum = 0.0;
    for (uint64_t i = 0; i < sampling->roles; ++i)
        for (uint64_t j = 0; j < sampling->roles; ++j) {
            double squares = 0.0;
            for (size_t f = 0; f < sampling->factor_count; ++f) {
                const double d = sampling_value(sampling, f, a * sampling->roles + i) -
                                 sampling_value(sampling, f, b * sampling->roles + j);
                squares += d * d;
            }
            sum += sqrt(squares);
        }
    return sum;
}

static double distances[CANDIDATES][CANDIDATES];

static double spread(const size_t *chosen, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i)
        for (size_t j = 0; j < i; ++j)
            sum += distances[chosen[i]][chosen[j]] * distances[chosen[i]][chosen[j]];
    return sqrt(sum);
}

// Pairs first, then one by one by the spread of all that would be chosen.
static void choose_slowly(size_t *chosen, size_t wanted)
{
    for (size_t a = 0; a < CANDIDATES; ++a)
        for (size_t b = 0; b < a; ++b)
            if ((a == 1 && b == 0) || distances[a][b] > distances[chosen[0]][chosen[1]])
                chosen[0] = a, chosen[1] = b;
    for (size_t count = 2; count < wanted; ++count) {
        double most = -1.0;
        size_t best = 0;
        for (size_t c = 0; c < CANDIDATES; ++c) {
            bool taken = false;
            for (size_t i = 0; i < count; ++i)
                taken = taken || chosen[i] == c;
            chosen[count] = c;
            if (!taken && spread(chosen, count + 1) > most) {
                most = spread(chosen, count + 1);
                best = c;
            }
        }
        chosen[count] = best;
    }
}

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

// The chosen trajectories are candidates, in their order, those of an independent slow choice, and farther apart than
// the first ones.
TEST(chosen_trajectories_are_far_apart)
{
    for (uint64_t seed = 0; seed < 4; ++seed) {
        const Sampling all = trajectories(CANDIDATES, 6, FACTORS, seed, 0),
                       few = trajectories(CHOSEN, 6, FACTORS, seed, CANDIDATES);
        size_t chosen[CHOSEN], first[CHOSEN];
        for (size_t a = 0; a < CANDIDATES; ++a)
            for (size_t b = 0; b <= a; ++b)
                distances[a][b] = distances[b][a] = a == b ? 0.0 : apart(&all, a, b);
        choose_slowly(chosen, CHOSEN);
        qsort(chosen, CHOSEN, sizeof *chosen, compare_sizes);
        for (size_t i = 0; i < CHOSEN; ++i) {
            first[i] = i;
            for (size_t s = 0; s < 1 + FACTORS; ++s) {
                const uint64_t point = i * (1 + FACTORS) + s, origin = chosen[i] * (1 + FACTORS) + s;
                for (size_t f = 0; f < FACTORS; ++f)
                    assert_true(sampling_value(&few, f, point) == sampling_value(&all, f, origin));
                assert_int_equal(sampling_role(&few, point), sampling_role(&all, origin));
            }
        }
        assert_true(spread(chosen, CHOSEN) > spread(first, CHOSEN));
    }
}

TEST(as_many_candidates_as_trajectories_are_all)
{
    const Sampling all = trajectories(12, 4, 3, 2, 0), chosen = trajectories(12, 4, 3, 2, 12),
                   one = trajectories(1, 4, 3, 2, 12);
    for (uint64_t point = 0; point < all.point_count; ++point)
        for (size_t f = 0; f < 3; ++f)
            assert_true(sampling_value(&all, f, point) == sampling_value(&chosen, f, point));
    check_trajectories(&one);
}
