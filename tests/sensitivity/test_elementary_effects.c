// test_elementary_effects -- elementary effects of functions whose effects are known, and what a wrong trajectory does.
#include "analysis/sensitivity/effects.h"
#include "base/philox.h"

#include "support/test.h"

enum { MOST_FACTORS = 20, MOST_TRAJECTORIES = 400 };

typedef double Model(const double *u, size_t d);

// Morris' design with four levels: steps of 2/3 up or down, factors in random order.
typedef struct Case {
    size_t   d, r;
    uint32_t moved[MOST_TRAJECTORIES * MOST_FACTORS];
    double   steps[MOST_TRAJECTORIES * MOST_FACTORS];
    double   from[MOST_TRAJECTORIES * MOST_FACTORS];  // the factor before its step
    double   y[MOST_TRAJECTORIES * (MOST_FACTORS + 1)];
} Case;

static void walk(Case *walked, Model *model, size_t t, uint64_t seed)
{
    const size_t d = walked->d;
    uint32_t    *moved = walked->moved + t * d;
    double       u[MOST_FACTORS] = {0};
    for (size_t i = 0; i < d; ++i) {
        const Philox   random = philox(seed, i, t);
        const uint32_t other = philox_below(random.word[0], i + 1);
        u[i] = philox_below(random.word[1], 4) / 3.0;
        moved[i] = moved[other];
        moved[other] = (uint32_t)i;
    }
    walked->y[t * (d + 1)] = model(u, d);
    for (size_t s = 0; s < d; ++s) {
        const double step = u[moved[s]] < 0.5 ? 2.0 / 3.0 : -2.0 / 3.0;
        walked->from[t * d + s] = u[moved[s]];
        walked->steps[t * d + s] = step;
        u[moved[s]] += step;
        walked->y[t * (d + 1) + s + 1] = model(u, d);
    }
}

static void walk_all(Case *walked, Model *model, size_t d, size_t r, uint64_t seed)
{
    memset(walked, 0, sizeof *walked);
    walked->d = d;
    walked->r = r;
    for (size_t t = 0; t < r; ++t)
        walk(walked, model, t, seed);
}

static EffectsDesign design_of(const Case *walked)
{
    return (EffectsDesign){walked->d, walked->r, walked->moved, walked->steps, NULL};
}

static Effects find(const EffectsDesign *design, const double *y)
{
    Effects found;
    assert_true(effects_find(design, y, &arena, &found, &err));
    return found;
}

static Case walked;

// The effects along new trajectories, left in `walked`.
static Effects walk_and_find(Model *model, size_t d, size_t r, uint64_t seed)
{
    walk_all(&walked, model, d, r, seed);
    const EffectsDesign design = design_of(&walked);
    return find(&design, walked.y);
}

static double linear(const double *u, size_t d)
{
    double sum = 5.0;
    for (size_t i = 0; i < d; ++i)
        sum += ((double)i - 1.0) * u[i];
    return sum;
}

static double squares(const double *u, size_t d)
{
    double sum = 0.0;
    for (size_t i = 0; i < d; ++i)
        sum += (double)(i + 1) * (u[i] - 0.55) * (u[i] - 0.55);
    return sum * (1.0 + u[0]);
}

// Morris 1991, section 4, with 0 for the coefficients that are drawn at random there.
static double morris(const double *u, size_t d)
{
    double w[MOST_FACTORS], y = 0.0;
    for (size_t i = 0; i < d; ++i)
        w[i] = i == 2 || i == 4 || i == 6 ? 2.0 * (1.1 * u[i] / (u[i] + 0.1) - 0.5) : 2.0 * (u[i] - 0.5);
    for (size_t i = 0; i < 10; ++i)
        y += 20.0 * w[i];
    for (size_t i = 0; i < 6; ++i)
        for (size_t j = i + 1; j < 6; ++j)
            y -= 15.0 * w[i] * w[j];
    for (size_t i = 0; i < 5; ++i)
        for (size_t j = i + 1; j < 5; ++j)
            for (size_t l = j + 1; l < 5; ++l)
                y -= 10.0 * w[i] * w[j] * w[l];
    return y + 5.0 * w[0] * w[1] * w[2] * w[3];
}

TEST(effects_of_a_linear_function_are_its_slopes)
{
    for (size_t d = 1; d <= 6; d += 5) {
        const Effects found = walk_and_find(linear, d, 10, 1);
        assert_int_equal(found.used, 10);
        assert_int_equal(found.dropped, 0);
        for (size_t i = 0; i < d; ++i) {
            assert_near(found.factors[i].mu, (double)i - 1.0, 1e-13);
            assert_near(found.factors[i].mu_star, fabs((double)i - 1.0), 1e-13);
            assert_near(found.factors[i].sigma, 0.0, 1e-13);
            assert_near(found.factors[i].mu_star_conf, 0.0, 1e-13);
        }
    }
}

// Factors 8 to 10 act alone and linearly, 7 alone and by one of two amounts, 11 to 20 not at all.
TEST(effects_of_morris_function)
{
    const Effects found = walk_and_find(morris, 20, 100, 2);
    double        low = 0.0;
    for (size_t i = 0; i < 100 * 20; ++i)
        if (walked.moved[i] == 6)
            low += fmin(walked.from[i], walked.from[i] + walked.steps[i]) < 0.1 ? 0.01 : 0.0;
    const double first = 40 * 1.1 / (2.0 / 3 + 0.1), third = 40 * (1.1 / 1.1 - 1.1 / 3 / (1.0 / 3 + 0.1)) * 1.5;
    assert_true(low > 0.3 && low < 0.7);
    assert_near(found.factors[6].mu, low * first + (1 - low) * third, 1e-11);
    assert_near(found.factors[6].sigma, (first - third) * sqrt(low * (1 - low) * 100 / 99), 1e-11);
    for (size_t i = 0; i < 20; ++i) {
        const Effect effect = found.factors[i];
        assert_true(i >= 10 || effect.mu_star > 25.0);
        assert_true(i >= 6 || effect.sigma > 15.0);
        assert_true(i < 10 || (effect.mu_star < 1e-12 && effect.sigma < 1e-12));
    }
    for (size_t i = 7; i < 10; ++i) {
        assert_near(found.factors[i].mu, 40.0, 1e-11);
        assert_near(found.factors[i].sigma, 0.0, 1e-11);
    }
}

// By the definition, one factor at a time, in two passes.
TEST(effects_are_those_of_plain_sums)
{
    enum { D = 5, R = 200 };
    const Effects found = walk_and_find(squares, D, R, 3);
    for (size_t i = 0; i < D; ++i) {
        long double mu = 0, star = 0, sigma = 0, spread = 0, effects[R];
        for (size_t t = 0; t < R; ++t)
            for (size_t s = 0; s < D; ++s)
                if (walked.moved[t * D + s] == i) {
                    const double *y = walked.y + t * (D + 1) + s;
                    effects[t] = ((long double)y[1] - y[0]) / walked.steps[t * D + s];
                    mu += effects[t] / R;
                    star += fabsl(effects[t]) / R;
                }
        for (size_t t = 0; t < R; ++t) {
            sigma += powl(effects[t] - mu, 2) / (R - 1);
            spread += powl(fabsl(effects[t]) - star, 2) / R;
        }
        assert_near(found.factors[i].mu, (double)mu, 1e-12);
        assert_near(found.factors[i].mu_star, (double)star, 1e-12);
        assert_near(found.factors[i].sigma, sqrt((double)sigma), 1e-12);
        // The 97.5 % quantile of Student's t of 199 degrees of freedom, from tables; the longer side of the logarithm.
        const double half = 1.9719565 * sqrt((double)spread / (R - 1));
        assert_near(found.factors[i].mu_star_conf, (double)star * (exp(half / (double)star) - 1.0), 1e-6 * half);
    }
}

static void same(double a, double b)
{
    assert_true(a == b || (isnan(a) && isnan(b)));
}

TEST(joint_factors_have_magnitudes_only)
{
    const bool    joint[3] = {false, true, false};
    EffectsDesign design;
    walk_all(&walked, squares, 3, 20, 4);
    design = design_of(&walked);
    const Effects alone = find(&design, walked.y);
    design.joint = joint;
    const Effects found = find(&design, walked.y);
    for (size_t i = 0; i < 3; ++i) {
        same(found.factors[i].mu, joint[i] ? (double)NAN : alone.factors[i].mu);
        same(found.factors[i].sigma, joint[i] ? (double)NAN : alone.factors[i].sigma);
        same(found.factors[i].mu_star, alone.factors[i].mu_star);
        same(found.factors[i].mu_star_conf, alone.factors[i].mu_star_conf);
    }
}

TEST(trajectories_that_are_not_finite_are_dropped)
{
    enum { D = 3, R = 30 };
    const double  bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    static Case   kept;
    EffectsDesign design;
    walk_all(&walked, squares, D, R, 5);
    kept = walked;
    kept.r = 0;
    for (size_t t = 0; t < R; ++t) {
        if (t % 4 == 1) {
            walked.y[t * (D + 1) + t / 4 % (D + 1)] = bad[t % 3];
            continue;
        }
        memcpy(kept.moved + kept.r * D, walked.moved + t * D, D * sizeof *kept.moved);
        memcpy(kept.steps + kept.r * D, walked.steps + t * D, D * sizeof *kept.steps);
        memcpy(kept.y + kept.r++ * (D + 1), walked.y + t * (D + 1), (D + 1) * sizeof *kept.y);
    }
    design = design_of(&walked);
    const Effects found = find(&design, walked.y);
    design = design_of(&kept);
    const Effects expected = find(&design, kept.y);
    assert_int_equal(found.used, kept.r);
    assert_int_equal(found.dropped, R - kept.r);
    for (size_t i = 0; i < D; ++i) {
        same(found.factors[i].mu, expected.factors[i].mu);
        same(found.factors[i].sigma, expected.factors[i].sigma);
        same(found.factors[i].mu_star_conf, expected.factors[i].mu_star_conf);
    }
}

TEST(few_trajectories_have_no_spread)
{
    walk_all(&walked, squares, 2, 1, 6);
    EffectsDesign design = design_of(&walked);
    const Effects one = find(&design, walked.y);
    assert_near(one.factors[0].mu_star, fabs(one.factors[0].mu), 0.0);
    assert_true(isfinite(one.factors[0].mu));
    assert_true(isnan(one.factors[0].sigma) && isnan(one.factors[0].mu_star_conf));
    design.trajectory_count = 0;
    const Effects none = find(&design, walked.y);
    assert_int_equal(none.used, 0);
    assert_true(isnan(none.factors[1].mu) && isnan(none.factors[1].mu_star) && isnan(none.factors[1].sigma));
    assert_true(isnan(walk_and_find(squares, 2, EFFECTS_LEAST - 1, 6).factors[0].mu_star_conf));
    assert_true(walk_and_find(squares, 2, EFFECTS_LEAST, 6).factors[0].mu_star_conf > 0.0);
}

TEST(wrong_trajectories_are_refused)
{
    Effects found;
    for (int wrong = 0; wrong < 4; ++wrong) {
        walk_all(&walked, squares, 3, 4, 7);
        if (wrong < 2)
            walked.moved[2 * 3 + 1] = wrong == 0 ? walked.moved[2 * 3] : 3;
        else
            walked.steps[2 * 3 + 1] = wrong == 2 ? 0.0 : (double)NAN;
        const EffectsDesign design = design_of(&walked);
        assert_refused(effects_find(&design, walked.y, &arena, &found, &err), ERROR_INPUT, "");
        assert_string_equal(err.message, "Morris trajectory 2 does not move each factor once");
    }
}
