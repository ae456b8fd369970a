// test_coverage_samples -- how often intervals hold the true index: of ranks on random rows, of elementary effects, of
// derivative-based measures and of Shapley effects, each index by itself.
#include "support/design_case.h"

#include "analysis/sensitivity/dgsm.h"
#include "analysis/sensitivity/effects.h"
#include "analysis/sensitivity/given.h"
#include "analysis/sensitivity/shapley_given.h"
#include "base/philox.h"

#include "support/known_indices.h"
#include "support/test.h"

enum { D = KNOWN_INDICES_FACTORS, MOST = 1 << 16 };

typedef double Model(const double *u, size_t d);

static double rows[D][MOST], y[MOST], slopes[D][MOST];

// Four deviations of a binomial count are left to chance.
static void demand(const size_t *held, size_t count, size_t seeds, double least, double most, const char *what,
                   size_t size)
{
    const double n = (double)seeds;
    double       fewest = 1.0, largest = 0.0;
    for (size_t i = 0; i < count; ++i) {
        fewest = fmin(fewest, (double)held[i] / n);
        largest = fmax(largest, (double)held[i] / n);
    }
    print_message("%zu of %s, %zu indices: %.3f to %.3f of %zu seeds\n", size, what, count, fewest, largest, seeds);
    if (fewest < least - 4.0 * sqrt(least * (1.0 - least) / n) || largest > most + 4.0 * sqrt(most * (1.0 - most) / n))
        fail_msg("%zu of %s: held with %.3f to %.3f of the seeds", size, what, fewest, largest);
}

static void draw_rows(Model *model, size_t d, uint64_t seed, size_t n)
{
    for (size_t k = 0; k < n; ++k) {
        double u[D];
        for (size_t i = 0; i < d; ++i)
            rows[i][k] = u[i] = philox_unit(philox_bits(seed, i, k));
        y[k] = model(u, d);
    }
}

static void cover_ranks(Model *model, const KnownIndices *known, size_t d, size_t n, size_t seeds)
{
    size_t held[D] = {0};
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        draw_rows(model, d, seed, n);
        for (size_t i = 0; i < d; ++i) {
            Arena      room = {0};
            GivenOrder order;
            GivenFirst found;
            assert_true(given_make_order(rows[i], n, 1, &room, &order, &err));
            assert_true(given_find_first(&order, y, &(GivenOptions){0}, &found, &err));
            assert_int_equal(found.estimator, GIVEN_RANKS);
            held[i] += fabs(found.value - known->first[i]) <= found.conf;
            arena_free(&room);
        }
    }
    demand(held, d, seeds, 0.92, 0.98, "ranks", n);
}

TEST(intervals_of_ranks)
{
    static const size_t sizes[][2] = {{64, 3000}, {256, 1000}, {1024, 400}, {4096, 200}};
    const KnownIndices  ishigami = known_indices_of_ishigami(), g = known_indices_of_g(D);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        cover_ranks(known_indices_ishigami, &ishigami, 3, sizes[s][0], sizes[s][1]);
        cover_ranks(known_indices_g, &g, D, sizes[s][0], sizes[s][1]);
    }
}

enum { LEVELS = 4, TRAJECTORIES = 1024 };

// The mean magnitude of the effects of a factor over all places of the grid of levels.
static double mean_magnitude(Model *model, size_t d, size_t factor)
{
    const double step = (double)LEVELS / 2.0 / (LEVELS - 1.0);
    size_t       places = 1;
    double       sum = 0.0;
    for (size_t i = 0; i < d; ++i)
        places *= LEVELS;
    for (size_t place = 0; place < places; ++place) {
        double u[D], from, to;
        size_t rest = place;
        for (size_t i = 0; i < d; ++i, rest /= LEVELS)
            u[i] = (double)(rest % LEVELS) / (LEVELS - 1.0);
        from = model(u, d);
        u[factor] += u[factor] < 0.5 ? step : -step;
        to = model(u, d);
        sum += fabs(to - from) / step;
    }
    return sum / (double)places;
}

// The effects of a design of the program's own.
static void find_effects(Model *model, size_t d, size_t trajectories, uint64_t seed, Arena *room, Effects *found)
{
    static double   outputs[TRAJECTORIES * (D + 1)], steps[TRAJECTORIES * D];
    static uint32_t moved[TRAJECTORIES * D];
    Sampling        sampling = {.kind = SAMPLING_MORRIS,
                                .samples = trajectories,
                                .seed = seed,
                                .levels = LEVELS,
                                .factors = design_units,
                                .factor_count = d};
    assert_true(sampling_refuses(&sampling) == NULL && sampling_make(&sampling, room, &err));
    for (size_t t = 0; t < trajectories; ++t)
        for (size_t s = 0; s <= d; ++s) {
            double       u[D];
            const size_t point = t * (d + 1) + s;
            const int    role = sampling_role(&sampling, point);
            for (size_t i = 0; i < d; ++i)
                u[i] = sampling_value(&sampling, i, point);
            outputs[point] = model(u, d);
            if (s > 0) {
                moved[t * d + s - 1] = (uint32_t)abs(role) - 1;
                steps[t * d + s - 1] = copysign((double)LEVELS / 2.0 / (LEVELS - 1.0), role);
            }
        }
    const EffectsDesign design = {d, trajectories, moved, steps, NULL};
    assert_true(effects_find(&design, outputs, room, found, &err));
}

static void cover_effects(Model *model, size_t d, size_t trajectories, size_t seeds)
{
    size_t held[D] = {0}, count = 0;
    double truth[D];
    for (size_t i = 0; i < d; ++i)
        truth[i] = mean_magnitude(model, d, i);
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        Arena   room = {0};
        Effects found;
        find_effects(model, d, trajectories, seed, &room, &found);
        count = 0;
        for (size_t i = 0; i < d; ++i) {
            // Ishigami's second factor has one magnitude in all places: there is nothing to be held.
            if (d == 3 && i == 1)
                assert_true(fabs(found.factors[i].mu_star - truth[i]) <= 1e-12 * truth[i]);
            else
                held[count++] += fabs(found.factors[i].mu_star - truth[i]) <= found.factors[i].mu_star_conf;
        }
        arena_free(&room);
    }
    demand(held, count, seeds, 0.92, 0.98, "trajectories", trajectories);
}

TEST(intervals_of_effects)
{
    static const size_t sizes[][2] = {{EFFECTS_LEAST, 1000}, {32, 1000}, {64, 1000}, {256, 400}, {TRAJECTORIES, 200}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        cover_effects(known_indices_ishigami, 3, sizes[s][0], sizes[s][1]);
        cover_effects(known_indices_g, D, sizes[s][0], sizes[s][1]);
    }
}

// The derivatives of the g function: |4 u - 2| + a has the slope 4 or -4.
static void derive_g(size_t n)
{
    static const double a[D] = {0, 1, 4.5, 9, 99, 99, 99, 99};
    for (size_t k = 0; k < n; ++k)
        for (size_t i = 0; i < D; ++i)
            slopes[i][k] = copysign(4.0, rows[i][k] - 0.5) * y[k] / (fabs(4.0 * rows[i][k] - 2.0) + a[i]);
}

// nu is 16 / (1 + a)^2 times the mean square of the product of the others: 16 D / (1 + v) 3 v, D the mean square of
// all.
static void cover_measures(size_t n, size_t seeds)
{
    const double a[D] = {0, 1, 4.5, 9, 99, 99, 99, 99}, pi = 3.14159265358979323846;
    double       product = 1.0;
    size_t       held[2 * D] = {0};
    for (size_t i = 0; i < D; ++i)
        product *= 1.0 + 1.0 / (3.0 * (1.0 + a[i]) * (1.0 + a[i]));
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        draw_rows(known_indices_g, D, seed, n);
        derive_g(n);
        for (size_t i = 0; i < D; ++i) {
            const double v = 1.0 / (3.0 * (1.0 + a[i]) * (1.0 + a[i])), nu = 48.0 * v * product / (1.0 + v);
            const double bound = nu / (pi * pi) / (product - 1.0);
            Dgsm         found;
            dgsm_find(y, slopes[i], n, 1.0 / (pi * pi), &found);
            held[2 * i] += fabs(found.nu - nu) <= found.nu_conf;
            held[2 * i + 1] += fabs(found.bound - bound) <= found.bound_conf;
        }
    }
    demand(held, 2 * D, seeds, 0.92, 0.98, "derivatives", n);
}

TEST(intervals_of_measures)
{
    cover_measures(64, 1000);
    cover_measures(256, 1000);
    cover_measures(1024, 400);
    cover_measures(4096, 200);
}

// Of Ishigami's function S1 and half of what a and c do together. Of the g function the part of each set of factors is
// the product of theirs, shared equally among them.
static void find_shapley(const KnownIndices *known, size_t d, double *effects)
{
    double product = 1.0, v[D];
    if (d == 3) {
        for (size_t i = 0; i < 3; ++i)
            effects[i] = known->first[i] + 0.5 * (known->total[i] - known->first[i]);
        return;
    }
    const double a[D] = {0, 1, 4.5, 9, 99, 99, 99, 99};
    for (size_t i = 0; i < d; ++i) {
        effects[i] = 0.0;
        v[i] = 1.0 / (3.0 * (1.0 + a[i]) * (1.0 + a[i]));
        product *= 1.0 + v[i];
    }
    for (size_t set = 1; set < (size_t)1 << d; ++set) {
        double part = 1.0 / (product - 1.0);
        for (size_t i = 0; i < d; ++i)
            part *= set >> i & 1 ? v[i] : 1.0;
        for (size_t i = 0; i < d; ++i)
            effects[i] += set >> i & 1 ? part / __builtin_popcountll(set) : 0.0;
    }
}

// Walks from one independent point to another, the factors in a random order.
static void cover_walks(Model *model, const KnownIndices *known, size_t d, size_t walks, size_t seeds)
{
    static double   outputs[TRAJECTORIES * (D + 1)];
    static uint32_t moved[TRAJECTORIES * D];
    size_t          held[D] = {0};
    double          truth[D];
    find_shapley(known, d, truth);
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        for (size_t t = 0; t < walks; ++t) {
            double   u[D];
            uint32_t order[D];
            for (size_t i = 0; i < d; ++i) {
                u[i] = philox_unit(philox_bits(seed, i, t));
                order[i] = (uint32_t)i;
            }
            outputs[t * (d + 1)] = model(u, d);
            for (size_t s = 0; s < d; ++s) {
                const size_t   other = s + philox_below((uint32_t)philox_bits(seed, 2 * D + s, t), d - s);
                const uint32_t factor = order[other];
                order[other] = order[s];
                moved[t * d + s] = order[s] = factor;
                u[factor] = philox_unit(philox_bits(seed, D + factor, t));
                outputs[t * (d + 1) + s + 1] = model(u, d);
            }
        }
        const EffectsDesign design = {d, walks, moved, NULL, NULL};
        ShapleyGiven        found;
        assert_true(shapley_given_walk(&design, outputs, &found, &err));
        for (size_t i = 0; i < d; ++i)
            held[i] += fabs(found.effects[i] - truth[i]) <= found.conf[i];
    }
    demand(held, d, seeds, 0.92, 0.98, "walks", walks);
}

TEST(intervals_of_walks)
{
    static const size_t sizes[][2] = {{SHAPLEY_WALKS_LEAST_INTERVAL, 2000}, {256, 1000}, {TRAJECTORIES, 400}};
    const KnownIndices  ishigami = known_indices_of_ishigami(), g = known_indices_of_g(D);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        cover_walks(known_indices_ishigami, &ishigami, 3, sizes[s][0], sizes[s][1]);
        cover_walks(known_indices_g, &g, D, sizes[s][0], sizes[s][1]);
    }
}

// y = 1.5 a + 1.5 b + c of normal factors, b and c with the correlation 0.8 (Iooss and Prieur 2019, section 3.2).
static void draw_linear(uint64_t seed, size_t n)
{
    for (size_t k = 0; k < n; ++k) {
        for (size_t i = 0; i < 3; ++i)
            rows[i][k] = distribution_normal_quantile(philox_unit(philox_bits(seed, i, k)));
        rows[2][k] = 0.8 * rows[1][k] + 0.6 * rows[2][k];
        y[k] = 1.5 * rows[0][k] + 1.5 * rows[1][k] + rows[2][k];
    }
}

static void cover_neighbours(bool linear, size_t n, size_t seeds)
{
    const double v = 1.5 * 1.5 + 1.5 * 1.5 + 1.0 + 2.0 * 0.8 * 1.5, swap = 0.5 * 0.64 * (1.0 - 1.5 * 1.5);
    const double shared = 0.8 * 1.5, of_linear[] = {2.25 / v, (2.25 + shared + swap) / v, (1.0 + shared - swap) / v};
    const double *const x[] = {rows[0], rows[1], rows[2]};
    const KnownIndices  ishigami = known_indices_of_ishigami();
    size_t              held[3] = {0};
    double              truth[3];
    find_shapley(&ishigami, 3, truth);
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        ShapleyGiven found;
        if (linear)
            draw_linear(seed, n);
        else
            draw_rows(known_indices_ishigami, 3, seed, n);
        assert_true(shapley_given_find(x, y, 3, n, 1, &found, &err));
        for (size_t i = 0; i < 3; ++i)
            held[i] += fabs(found.effects[i] - (linear ? of_linear : truth)[i]) <= found.conf[i];
    }
    demand(held, 3, seeds, 0.92, 0.98, "neighbours", n);
}

TEST(intervals_of_neighbours)
{
    static const size_t sizes[][2] = {{SHAPLEY_GIVEN_LEAST_INTERVAL, 1000}, {1024, 400}, {4096, 200}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        cover_neighbours(false, sizes[s][0], sizes[s][1]);
        cover_neighbours(true, sizes[s][0], sizes[s][1]);
    }
}

// Of fewer points there is none.
TEST(no_intervals_of_few)
{
    const double *const x[] = {rows[0], rows[1], rows[2]};
    const size_t        most = SHAPLEY_GIVEN_LEAST_INTERVAL;
    ShapleyGiven        found;
    draw_rows(known_indices_ishigami, 3, 1, most);
    assert_true(shapley_given_find(x, y, 3, most - 1, 1, &found, &err) && isnan(found.conf[0]));
    assert_true(shapley_given_find(x, y, 3, most, 1, &found, &err) && found.conf[0] > 0.0);
}
