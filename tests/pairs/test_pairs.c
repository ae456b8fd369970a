// test_pairs -- equivalents against closed forms and against eigenvalues computed another way.
#include "analysis/pairs/pairs.h"

#include "support/own_modes.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 20 };

static Catalog catalog;

static const char *const named[] = {
    "generalized_alpha", "hht_alpha", "wbz_alpha", "newmark", "theta1", "theta2", "bathe", "chung_lee"};
enum { NAMED = sizeof named / sizeof *named };

static double own_number(Criterion criterion, const char *method, double p, double omega)
{
    switch (criterion) {
    case CRITERION_RADIUS: return own_mode(method, p, omega).damping;
    case CRITERION_DECAY: return own_mode(method, p, omega).damping / omega;
    case CRITERION_DAMPING_RATIO: return own_mode(method, p, omega).ratio;
    case CRITERION_MAX_DECAY: return own_max_decay(method, p);
    default: return (double)NAN;
    }
}

static PairsRequest request_of(const char *from, const char *to, Criterion criterion, double omega)
{
    return (PairsRequest){.catalog = &catalog,
                          .methods = {from, to},
                          .criterion = criterion,
                          .omega_h = {omega, 0.0},
                          .range = {(double)NAN, (double)NAN},
                          .problem = "none"};
}

static Pairs found(const PairsRequest *request)
{
    Error err = {0};
    Pairs pairs;
    if (!pairs_find(request, &pairs, &err))
        fail_msg("%s to %s: %s", request->methods[0], request->methods[1], err.message);
    return pairs;
}

static void refused(const PairsRequest *request, ErrorKind kind, const char *part)
{
    Error err = {0};
    Pairs pairs;
    assert_false(pairs_find(request, &pairs, &err));
    if (err.kind != kind || !strstr(err.message, part))
        fail_msg("%d '%s' has no '%s'", (int)err.kind, err.message, part);
}

// A method whose file was added without a row of theory: theta1 under another name.
static void refuse_method_without_theory(void)
{
    const Catalog own = {.cards = calloc(catalog.card_count, sizeof *own.cards), .card_count = catalog.card_count};
    PairsRequest  request = request_of("bathe", "heun", CRITERION_RADIUS, 1.0);
    assert_non_null(own.cards);
    memcpy(own.cards, catalog.cards, catalog.card_count * sizeof *own.cards);
    own.cards[catalog_find(&catalog, CARD_METHOD, "theta1") - catalog.cards].name = "heun";
    request.catalog = &own;
    refused(&request, ERROR_USAGE,
            "linear theory has no row for method 'heun': pairs are found by --criterion measured only");
    free(own.cards);
}

// 20 values of rho_inf between 0 and 1, and what they are evenly.
static double rho_at(int i)
{
    return (i + 0.5) / VALUES;
}

static double closed_low(const char *to, double d3)
{
    // c = d^3/2 for each method's coefficient c.
    if (strcmp(to, "theta2") == 0)
        return 3.0 * (sqrt(1.0 + 16.0 * d3) - 1.0 - 4.0 * d3) / (2.0 * (1.0 - 2.0 * d3));
    return 1.0 + d3;  // chung_lee
}

TEST(test_low_frequency)
{
    static const char *const to[] = {"theta2", "chung_lee"};
    static const double      least[] = {0.11501, 0.5}, most[] = {1.0, 28.0 / 27.0};
    double                   values[VALUES + 1];
    for (int i = 0; i < VALUES; ++i)
        values[i] = rho_at(i);
    values[VALUES] = 1.0;
    for (int m = 0; m < 2; ++m) {
        PairsRequest request = request_of("generalized_alpha", to[m], CRITERION_LOW_FREQUENCY, 0.0);
        request.values = values;
        request.value_count = VALUES + 1;
        Pairs pairs = found(&request);
        for (int i = 0; i <= VALUES; ++i) {
            const double d = (1.0 - values[i]) / (1.0 + values[i]), closed = closed_low(to[m], d * d * d);
            assert_int_equal(isnan(pairs.pairs[i].to), closed > most[m]);
            assert_int_equal(pairs.pairs[i].reason[0] == '\0', closed <= most[m]);
            if (closed <= most[m])
                assert_true(fabs(pairs.pairs[i].to - closed) < 1e-10 && pairs.pairs[i].root_count == 0);
        }
        assert_int_equal(pairs.range_count, 1);
        assert_true(fabs(pairs.ranges[0].low - least[m]) < 1e-5 && pairs.ranges[0].high == 1.0);
        pairs_free(&pairs);
    }
}

// What the coefficients rest on: each is the limit of the damping that eigenvalues give.
TEST(test_coefficients)
{
    static const double values[][3] = {{0.9, 0.6, 0.1},  {-0.05, -0.2, -0.3}, {-0.05, -0.4, -0.9},
                                       {0.55, 0.7, 1.4}, {0.55, 0.7, 1.0},    {0.07, 0.5, 1.0},
                                       {0.9, 0.6, 0.1},  {1.005, 1.02, 1.037}};
    for (int m = 0; m < NAMED; ++m)
        for (int i = 0; i < 3; ++i) {
            const double       p = values[m][i], beta = 0.25 * (p + 0.5) * (p + 0.5);
            const double       newmark[] = {beta, p};
            const Theory      *theory = theory_find(named[m]);
            const LowFrequency low = theory->low(strcmp(named[m], "newmark") == 0 ? newmark : &p);
            // c = f(Omega) - a Omega^2 - b Omega^4 - ...: two extrapolations from three values.
            const double f[] = {own_mode(named[m], p, 0.01).damping / pow(0.01, low.power),
                                own_mode(named[m], p, 0.02).damping / pow(0.02, low.power),
                                own_mode(named[m], p, 0.04).damping / pow(0.04, low.power)};
            const double once[] = {f[0] + (f[0] - f[1]) / 3.0, f[1] + (f[1] - f[2]) / 3.0};
            const double twice = once[0] + (once[0] - once[1]) / 15.0;
            if (!(fabs(twice / low.coefficient - 1.0) < 1e-7))
                fail_msg("%s at %g: %.12g, closed form %.12g", named[m], p, twice, low.coefficient);
        }
}

// The pair's damping by a row's own matrix.
static double pair_damping(const Theory *theory, const double *p, double omega)
{
    const Mode mode = matrix_mode(theory->matrix(omega, 0.0, p), omega);
    return mode.damping_ratio * omega / (1.0 + mode.period_error);
}

// Every row of theory, at the card's defaults and with other values: the first power and its coefficient are those of
// its matrix.
TEST(test_every_row)
{
    for (size_t t = 0; t < theory_row_count; ++t) {
        const Theory *theory = &theory_rows[t];
        const Card   *card = catalog_find(&catalog, CARD_METHOD, theory->method);
        for (int other = 0; other < 2; ++other) {
            double p[THEORY_PARAMETERS] = {0.0};
            for (size_t i = 0; i < card->parameter_count; ++i) {
                const CardParameter *parameter = &card->parameters[i];
                p[i] = parameter->initial;
                if (other)
                    p[i] = isfinite(parameter->most) ? 0.4 * parameter->least + 0.6 * parameter->most
                                                     : 0.03 * (double)(i + 1);
            }
            const LowFrequency low = theory->low(p);
            if (low.power == 0) {
                assert_true(low.coefficient == 0.0);
                if (!(fabs(pair_damping(theory, p, 0.1)) < 1e-14))
                    fail_msg("%s damps %g", theory->method, pair_damping(theory, p, 0.1));
                continue;
            }
            double       f[3];
            const double least = low.power > 2 ? 0.1 : 0.01;  // where rounding leaves enough of it
            for (int i = 0; i < 3; ++i)
                f[i] = pair_damping(theory, p, least * (1 << i)) / pow(least * (1 << i), low.power);
            // The next power is one or two higher.
            const double step = low.power == 1 ? 2.0 : 4.0;
            const double once[] = {f[0] + (f[0] - f[1]) / (step - 1.0), f[1] + (f[1] - f[2]) / (step - 1.0)};
            const double twice = once[0] + (once[0] - once[1]) / (step * step - 1.0);
            if (!(fabs(twice / low.coefficient - 1.0) < 2e-3))
                fail_msg("%s: %g, not %g Omega^%d", theory->method, twice, low.coefficient, low.power);
        }
    }
}

TEST(test_high_frequency)
{
    double values[VALUES + 2] = {0.0, 1.0};
    for (int i = 0; i < VALUES; ++i)
        values[i + 2] = rho_at(i);
    for (int m = 1; m < NAMED; ++m) {
        PairsRequest request = request_of("generalized_alpha", named[m], CRITERION_HIGH_FREQUENCY, 0.0);
        request.values = values;
        request.value_count = VALUES + 2;
        Pairs pairs = found(&request);
        for (int i = 0; i < VALUES + 2; ++i) {
            const double rho = values[i], d = (1.0 - rho) / (1.0 + rho);
            const double closed[] = {0.0, -d,         -d, 0.5 + d, 1.0 / (1.0 + rho), 3.0 * (1.0 - rho) / (3.0 + rho),
                                     rho, (double)NAN};
            const double least = strcmp(named[m], "hht_alpha") == 0 ? -1.0 / 3.0 : -2.0;
            const bool   exists = closed[m] >= least;
            if (isnan(pairs.pairs[i].to) == exists || (exists && !(fabs(pairs.pairs[i].to - closed[m]) < 1e-10)))
                fail_msg("%s at rho_inf = %g: %.15g, not %.15g", named[m], rho, pairs.pairs[i].to, closed[m]);
        }
        pairs_free(&pairs);
    }
}

// Every ordered pair from the first methods under a criterion: what is returned has FROM's number, and where nothing is
// returned TO, looked at on a fine grid, has it nowhere.
static void check_all(Criterion criterion, double omega, int from_count, int value_count)
{
    enum { GRID = 400 };
    double *grid = calloc(NAMED * (GRID + 1), sizeof *grid), *numbers = calloc(NAMED * (GRID + 1), sizeof *numbers);
    assert_non_null(grid);
    assert_non_null(numbers);
    int answered = 0, missing = 0;
    for (int a = 0; a < from_count; ++a)
        for (int b = 0; b < NAMED; ++b) {
            if (a == b)
                continue;
            PairsRequest request = request_of(named[a], named[b], criterion, omega);
            double       values[VALUES];
            Family       family;
            Arena        arena = {0};
            Error        err = {0};
            assert_true(family_make(&catalog, named[a], NULL, 0, &arena, &family, &err));
            for (int i = 0; i < value_count; ++i)
                values[i] = family.least + (family.most - family.least) * (i + 0.5) / value_count;
            arena_free(&arena);
            request.values = values;
            request.value_count = (size_t)value_count;
            Pairs         pairs = found(&request);
            const Family *to = &pairs.families[PAIR_TO];
            double       *q = grid + b * (GRID + 1), *f = numbers + b * (GRID + 1);
            for (int i = 0; i <= GRID && q[GRID] == 0.0 && f[GRID] == 0.0; ++i) {
                q[i] = to->least + (to->most - to->least) * i / GRID;
                f[i] = criterion == CRITERION_MAX_DECAY && i % 10 ? (double)NAN
                                                                  : own_number(criterion, named[b], q[i], omega);
            }
            for (int i = 0; i < value_count; ++i) {
                const Pair  *pair = &pairs.pairs[i];
                const double target = own_number(criterion, named[a], values[i], omega);
                answered += !isnan(pair->to);
                missing += isnan(pair->to);
                assert_true(isnan(pair->to) == (pair->reason[0] != '\0'));
                for (size_t r = 0; r <= pair->root_count && !isnan(pair->to); ++r) {
                    const double at = r == 0 ? pair->to : pair->roots[r - 1].at,
                                 miss = fabs(own_number(criterion, named[b], at, omega) - target);
                    // Eigenvalues in double precision know no more of a small damping, nor where they coincide, as
                    // chung_lee's do where it damps most.
                    const bool coincide = criterion == CRITERION_MAX_DECAY &&
                                          (strcmp(named[a], "chung_lee") == 0 || strcmp(named[b], "chung_lee") == 0);
                    const double known = coincide ? 1e-8 : criterion_noise(criterion, omega);
                    if (!(miss <= 1e-8 * fabs(target) + known))
                        fail_msg("%s %g, %s %.15g: %s %g off", named[a], values[i], named[b], at,
                                 criterion_names[criterion], miss);
                }
                size_t crossings = 0;
                double before = (double)NAN;
                for (int k = 0; k <= GRID; ++k) {
                    if (isnan(f[k]))
                        continue;
                    crossings += !isnan(before) && (before < target) != (f[k] < target);
                    before = f[k];
                }
                const size_t roots = isnan(pair->to) ? 0 : 1 + pair->root_count;
                // Two roots may lie between two places of the grid; none may be lost.
                if (roots < crossings || (roots - crossings) % 2 != 0)
                    fail_msg("%s %g to %s: %zu roots, %zu crossings (%s)", named[a], values[i], named[b], roots,
                             crossings, pair->reason);
            }
            pairs_free(&pairs);
        }
    print_message("%s: %d answered, %d refused\n", criterion_names[criterion], answered, missing);
    assert_true(answered > 0);
    free(grid);
    free(numbers);
}

// A residual covers what rounding makes of the pair, also where that is much: at small Omega.
TEST(test_residuals)
{
    static const double omegas[] = {0.01, 0.03, 0.1, 0.3};
    double              values[VALUES];
    size_t              compared = 0;
    for (int i = 0; i < VALUES; ++i)
        values[i] = rho_at(i);
    for (size_t o = 0; o < sizeof omegas / sizeof *omegas; ++o)
        for (int m = 1; m < NAMED; ++m) {
            PairsRequest request = request_of("generalized_alpha", named[m], CRITERION_RADIUS, omegas[o]);
            request.values = values;
            request.value_count = VALUES;
            Pairs pairs = found(&request);
            for (int i = 0; i < VALUES; ++i) {
                const Pair *pair = &pairs.pairs[i];
                if (isnan(pair->to))
                    continue;
                const double off = own_number(CRITERION_RADIUS, named[m], pair->to, omegas[o]) /
                                       own_number(CRITERION_RADIUS, "generalized_alpha", values[i], omegas[o]) -
                                   1.0;
                ++compared;
                if (!(fabs(off) <= pair->residual))
                    fail_msg("%s at %g, Omega %g: %g off, residual %g", named[m], values[i], omegas[o], off,
                             pair->residual);
            }
            pairs_free(&pairs);
        }
    print_message("%zu residuals\n", compared);
    assert_true(compared > 300);
}

TEST(test_radius)
{
    check_all(CRITERION_RADIUS, 0.5, NAMED, VALUES);
    check_all(CRITERION_RADIUS, 1.5, NAMED, VALUES);
    check_all(CRITERION_RADIUS, 20.0, NAMED, VALUES);
}

TEST(test_damping_ratio)
{
    check_all(CRITERION_DAMPING_RATIO, 0.3, NAMED, VALUES);
    check_all(CRITERION_DAMPING_RATIO, 1.0, NAMED, VALUES);
}

TEST(test_decay)
{
    check_all(CRITERION_DECAY, 0.7, NAMED, VALUES);
}

TEST(test_max_decay)
{
    // The first of the methods is generalized_alpha.
    check_all(CRITERION_MAX_DECAY, 0.0, 1, VALUES);
    check_all(CRITERION_MAX_DECAY, 0.0, NAMED, 3);
}

// The limits, for every ordered pair: equal by the rows' closed forms, which the tests above hold to eigenvalues, or a
// reason.
TEST(test_limits)
{
    static const Criterion limits[] = {CRITERION_LOW_FREQUENCY, CRITERION_HIGH_FREQUENCY};
    int                    answered = 0, refused_count = 0;
    for (int i = 0; i < 2 * NAMED * NAMED; ++i) {
        const Criterion criterion = limits[i % 2];
        const char     *from = named[i / 2 / NAMED], *to = named[i / 2 % NAMED];
        if (from == to)
            continue;
        PairsRequest request = request_of(from, to, criterion, 0.0);
        Pairs        pairs = found(&request);
        for (size_t k = 0; k < pairs.count; ++k) {
            const Pair *pair = &pairs.pairs[k];
            double      p[2][THEORY_PARAMETERS];
            answered += !isnan(pair->to);
            refused_count += isnan(pair->to);
            assert_true(isnan(pair->to) == (pair->reason[0] != '\0'));
            if (isnan(pair->to))
                continue;
            family_at(&pairs.families[PAIR_FROM], pair->from, p[PAIR_FROM]);
            family_at(&pairs.families[PAIR_TO], pair->to, p[PAIR_TO]);
            const double a = criterion_number(criterion, pairs.families[PAIR_FROM].theory, p[PAIR_FROM], 0.0),
                         b = criterion_number(criterion, pairs.families[PAIR_TO].theory, p[PAIR_TO], 0.0);
            if (!(fabs(a - b) <= 1e-12))
                fail_msg("%s %g, %s %.15g: %g and %g", from, pair->from, to, pair->to, a, b);
        }
        pairs_free(&pairs);
    }
    print_message("limits: %d answered, %d refused\n", answered, refused_count);
    assert_true(answered > 1000 && refused_count > 500);
}

// Where nothing can be equal, every value says why.
TEST(test_reasons)
{
    static const struct {
        const char *from, *to;
        Criterion   criterion;
        double      value;
        const char *reason;
    } cases[] = {
        {"theta1", "theta2", CRITERION_LOW_FREQUENCY, 0.6, "theta1 damps as Omega^2, theta2 as Omega^4"},
        {"generalized_alpha", "newmark", CRITERION_LOW_FREQUENCY, 0.6, "no common limit"},
        {"generalized_alpha", "chung_lee", CRITERION_HIGH_FREQUENCY, 0.6, "chung_lee is explicit"},
        {"chung_lee", "bathe", CRITERION_HIGH_FREQUENCY, 1.02, "chung_lee is explicit"},
        {"generalized_alpha", "theta2", CRITERION_LOW_FREQUENCY, 0.1, "generalized_alpha at rho_inf = 0.1 has 0.27"},
        {"chung_lee", "theta2", CRITERION_RADIUS, 1.037, "it is unstable"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        PairsRequest request = request_of(cases[i].from, cases[i].to, cases[i].criterion,
                                          criterion_takes_omega(cases[i].criterion) ? 2.5 : 0.0);
        request.values = &cases[i].value;
        request.value_count = 1;
        Pairs pairs = found(&request);
        if (!isnan(pairs.pairs[0].to) || !strstr(pairs.pairs[0].reason, cases[i].reason))
            fail_msg("%zu: '%s' has no '%s'", i, pairs.pairs[0].reason, cases[i].reason);
        pairs_free(&pairs);
    }
    // At a small Omega rounding hides the damping, and does not pass for an answer.
    {
        const double values[] = {0.6, 0.9, 1.0};
        PairsRequest request = request_of("generalized_alpha", "theta2", CRITERION_RADIUS, 1e-3);
        request.values = values;
        request.value_count = 3;
        Pairs pairs = found(&request);
        assert_true(strstr(pairs.pairs[0].reason, "hardly more than rounding"));
        assert_true(strstr(pairs.pairs[1].reason, "hardly more than rounding"));
        assert_true(pairs.pairs[2].to < 1e-6);
        pairs_free(&pairs);
        // With a larger one it is an answer: where the limit and Omega = 0.1 lead to, over Omega^2.
        double at[3];
        for (int i = 0; i < 3; ++i) {
            const double omegas[] = {0.0, 0.1, 1e-2};
            request.criterion = omegas[i] == 0.0 ? CRITERION_LOW_FREQUENCY : CRITERION_RADIUS;
            request.omega_h[PAIR_FROM] = omegas[i];
            pairs = found(&request);
            at[i] = pairs.pairs[0].to;
            if (i == 2) {
                assert_true(fabs(at[2] / (at[0] + 0.01 * (at[1] - at[0])) - 1.0) < pairs.pairs[0].residual);
                assert_true(pairs.pairs[0].residual < 1e-4);
            }
            pairs_free(&pairs);
        }
    }
    // Both damp nothing: that is equal whatever the power.
    const double none = 0.5;
    PairsRequest request = request_of("theta1", "generalized_alpha", CRITERION_LOW_FREQUENCY, 0.0);
    request.values = &none;
    request.value_count = 1;
    Pairs pairs = found(&request);
    assert_true(pairs.pairs[0].to == 1.0 && pairs.pairs[0].residual == 0.0);
    pairs_free(&pairs);
}

TEST(test_wrong_requests)
{
    PairsRequest request = request_of("theta1", "theta3", CRITERION_RADIUS, 1.0);
    refused(&request, ERROR_USAGE, "did you mean 'theta");
    request = request_of("theta1", "theta1", CRITERION_RADIUS, 1.0);
    refused(&request, ERROR_USAGE, "twice");
    request = request_of("theta1", "trapezoidal", CRITERION_RADIUS, 1.0);
    refused(&request, ERROR_USAGE, "no parameter");
    request = request_of("theta1", "dopri5_adaptive", CRITERION_RADIUS, 1.0);
    request.settings = (const char *const[]){"atol=1e-9"};
    request.setting_count = 1;
    refused(&request, ERROR_USAGE, "method 'dopri5_adaptive' chooses its substeps");
    refuse_method_without_theory();
    request = request_of("theta1", "theta2", CRITERION_DECAY, 1.0);
    request.band[0] = 0.1;
    request.band[1] = 1.0;
    refused(&request, ERROR_USAGE, "--band");
    request = request_of("theta1", "theta2", CRITERION_RADIUS, 1.0);
    request.values = (const double[]){0.7, 1.2};
    request.value_count = 2;
    refused(&request, ERROR_USAGE, "1.2 is out of range");
    request = request_of("theta1", "theta2", CRITERION_MEASURED, 0.0);
    request.problem = NULL;
    refused(&request, ERROR_DEVICE, "no device");
    request = request_of("theta1", "newmark", CRITERION_RADIUS, 1.0);
    request.settings = (const char *const[]){"theta=0.5"};
    request.setting_count = 1;
    refused(&request, ERROR_USAGE, "-p theta");
    request.settings = (const char *const[]){"beta=0.25", "gamma=0.5"};
    request.setting_count = 2;
    refused(&request, ERROR_USAGE, "every parameter is fixed");
    request = request_of("theta1", "sofa_euler", CRITERION_RADIUS, 1.0);
    refused(&request, ERROR_USAGE, "2 free parameters");
}

// One of two parameters fixed, the other found.
TEST(test_fixed_parameter)
{
    const double rho = 0.8;
    PairsRequest request = request_of("generalized_alpha", "newmark", CRITERION_RADIUS, 0.5);
    request.settings = (const char *const[]){"newmark.beta=0.4"};
    request.setting_count = 1;
    request.range[0] = 0.5;
    request.range[1] = 0.8;
    request.values = &rho;
    request.value_count = 1;
    Pairs        pairs = found(&request);
    const double gamma = pairs.pairs[0].to, p[] = {0.4, gamma};
    assert_string_equal(pairs.columns[PAIR_TO], "gamma");
    assert_true(gamma > 0.5 && gamma < 0.8);
    assert_true(fabs(criterion_number(CRITERION_RADIUS, theory_find("newmark"), p, 0.5) /
                         own_number(CRITERION_RADIUS, "generalized_alpha", rho, 0.5) -
                     1.0) < 1e-9);
    pairs_free(&pairs);
}

// Decay over a fixed time with half the step: the larger step needs less damping of its own.
TEST(test_two_steps)
{
    const double rho = 0.8;
    PairsRequest request = request_of("generalized_alpha", "theta2", CRITERION_DECAY, 0.2);
    request.omega_h[PAIR_TO] = 0.4;
    request.values = &rho;
    request.value_count = 1;
    Pairs pairs = found(&request);
    assert_true(fabs(own_number(CRITERION_DECAY, "theta2", pairs.pairs[0].to, 0.4) /
                         own_number(CRITERION_DECAY, "generalized_alpha", rho, 0.2) -
                     1.0) < 1e-8);
    pairs_free(&pairs);
}

// The best of a band cannot be bettered: the largest misses to either side are equally large, and beside it some miss
// is larger.
TEST(test_band)
{
    static const double    band[2] = {0.2, 2.0}, values[] = {0.3, 0.6, 0.9, 1.0};
    static const Criterion both[] = {CRITERION_RADIUS, CRITERION_DAMPING_RATIO};
    for (int c = 0; c < 2; ++c) {
        PairsRequest request = request_of("generalized_alpha", "theta2", both[c], 0.0);
        request.band[0] = band[0];
        request.band[1] = band[1];
        request.values = values;
        request.value_count = 4;
        Pairs pairs = found(&request);
        assert_true(pairs.pairs[3].to < 1e-6 && pairs.pairs[3].residual < 1e-12);
        for (int i = 0; i < 3; ++i)
            for (int side = -1; side <= 1; ++side) {
                const double theta = pairs.pairs[i].to * (1.0 + 1e-3 * side);
                double       most = 0.0, least = 0.0;
                for (int k = 0; k <= 4000; ++k) {
                    const double omega = band[0] * pow(band[1] / band[0], k / 4000.0),
                                 a = own_number(both[c], "generalized_alpha", values[i], omega),
                                 b = own_number(both[c], "theta2", theta, omega), apart = c == 0 ? a - b : log(b / a);
                    most = fmax(most, apart);
                    least = fmin(least, apart);
                }
                const double largest = fmax(most, -least);
                if (side == 0) {
                    assert_true(fabs(largest / pairs.pairs[i].residual - 1.0) < 1e-5);
                    assert_true(fabs(most / -least - 1.0) < 1e-4);
                } else {
                    assert_true(largest > pairs.pairs[i].residual);
                }
            }
        pairs_free(&pairs);
    }
    const double rho = 0.05;
    PairsRequest request = request_of("generalized_alpha", "theta2", CRITERION_RADIUS, 0.0);
    request.band[0] = 0.01;
    request.band[1] = 0.02;
    request.values = &rho;
    request.value_count = 1;
    Pairs pairs = found(&request);
    assert_true(isnan(pairs.pairs[0].to) && strstr(pairs.pairs[0].reason, "damps less in all of the band"));
    pairs_free(&pairs);
}

static int open_catalog(void **state)
{
    Error err = {0};
    (void)state;
    if (!catalog_read(&catalog, &err))
        fail_msg("%s", err.message);
    return 0;
}

static int close_catalog(void **state)
{
    (void)state;
    catalog_free(&catalog);
    return 0;
}

AROUND_ALL(open_catalog, close_catalog)
