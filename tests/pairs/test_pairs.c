// test_pairs -- equivalents against closed forms and against eigenvalues computed another way.
#include "analysis/pairs/pairs.h"

#include "support/built_in.h"
#include "support/closed_forms.h"
#include "support/own_modes.h"
#include "support/test.h"

enum { VALUES = 20 };

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

static PairsRequest request_of(const char *from, const char *to, Criterion criterion, double omega,
                               const double *values, size_t count)
{
    return (PairsRequest){.catalog = built_in(),
                          .methods = {from, to},
                          .criterion = criterion,
                          .omega_h = {omega, 0.0},
                          .values = values,
                          .value_count = count,
                          .range = {(double)NAN, (double)NAN},
                          .problem = "none"};
}

static Pairs found(const PairsRequest *request)
{
    Pairs pairs;
    if (!pairs_find(request, &pairs, &err))
        fail_msg("%s to %s: %s", request->methods[0], request->methods[1], err.message);
    return pairs;
}

static void refused(const PairsRequest *request, ErrorKind kind, const char *part)
{
    Pairs pairs;
    assert_refused(pairs_find(request, &pairs, &err), kind, part);
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
        PairsRequest request = request_of("generalized_alpha", to[m], CRITERION_LOW_FREQUENCY, 0.0, values, VALUES + 1);
        Pairs        pairs SCOPED(pairs_free) = found(&request);
        for (int i = 0; i <= VALUES; ++i) {
            const double d = (1.0 - values[i]) / (1.0 + values[i]), closed = closed_low(to[m], d * d * d);
            assert_int_equal(isnan(pairs.pairs[i].to), closed > most[m]);
            assert_int_equal(pairs.pairs[i].reason[0] == '\0', closed <= most[m]);
            if (closed <= most[m])
                assert_true(fabs(pairs.pairs[i].to - closed) < 1e-10 && pairs.pairs[i].root_count == 0);
        }
        assert_int_equal(pairs.range_count, 1);
        assert_true(fabs(pairs.ranges[0].low - least[m]) < 1e-5 && pairs.ranges[0].high == 1.0);
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
            const Theory      *theory = theory_named(named[m]);
            const LowFrequency low = theory_low(theory, strcmp(named[m], "newmark") == 0 ? newmark : FIRST_ALONE(p));
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
    const Mode mode = matrix_mode(theory_matrix(theory, omega, 0.0, p), omega);
    return mode.damping_ratio * omega / (1.0 + mode.period_error);
}

// Every row of theory, at the card's defaults and with other values: the first power and its coefficient are those of
// its matrix.
TEST(test_every_row)
{
    for (size_t t = 0; t < closed_form_count; ++t) {
        const Theory *theory = theory_named(closed_forms[t].method);
        const Card   *card = theory->method;
        for (int other = 0; other < 2; ++other) {
            double p[THEORY_PARAMETERS] = {0.0};
            for (size_t i = 0; i < card->parameter_count; ++i) {
                const CardParameter *parameter = &card->parameters[i];
                p[i] = parameter->initial;
                if (other)
                    p[i] = isfinite(parameter->most) ? 0.4 * parameter->least + 0.6 * parameter->most
                                                     : 0.03 * (double)(i + 1);
            }
            const LowFrequency low = theory_low(theory, p);
            if (low.power == 0) {
                assert_true(low.coefficient == 0.0);
                if (!(fabs(pair_damping(theory, p, 0.1)) < 1e-14))
                    fail_msg("%s damps %g", card->name, pair_damping(theory, p, 0.1));
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
                fail_msg("%s: %g, not %g Omega^%d", card->name, twice, low.coefficient, low.power);
        }
    }
}

TEST(test_high_frequency)
{
    double values[VALUES + 2] = {0.0, 1.0};
    for (int i = 0; i < VALUES; ++i)
        values[i + 2] = rho_at(i);
    for (int m = 1; m < NAMED; ++m) {
        PairsRequest request =
            request_of("generalized_alpha", named[m], CRITERION_HIGH_FREQUENCY, 0.0, values, VALUES + 2);
        Pairs pairs SCOPED(pairs_free) = found(&request);
        for (int i = 0; i < VALUES + 2; ++i) {
            const double rho = values[i], d = (1.0 - rho) / (1.0 + rho);
            const double closed[] = {0.0, -d,         -d, 0.5 + d, 1.0 / (1.0 + rho), 3.0 * (1.0 - rho) / (3.0 + rho),
                                     rho, (double)NAN};
            const double least = strcmp(named[m], "hht_alpha") == 0 ? -1.0 / 3.0 : -2.0;
            const bool   exists = closed[m] >= least;
            if (isnan(pairs.pairs[i].to) == exists || (exists && !(fabs(pairs.pairs[i].to - closed[m]) < 1e-10)))
                fail_msg("%s at rho_inf = %g: %.15g, not %.15g", named[m], rho, pairs.pairs[i].to, closed[m]);
        }
    }
}

// Is the root a double one, where TO's greatest decay has its extremum? hht_alpha decays fastest at -1/3, where it is
// generalized_alpha of rho_inf = 1/2.
static bool touches(Criterion criterion, const char *method, double root, const Family *to, double target)
{
    const double away = 1e-3 * (to->most - to->least);
    if (criterion != CRITERION_MAX_DECAY || root - away < to->least || root + away > to->most)
        return false;
    return (own_number(criterion, method, root - away, 0.0) < target) ==
           (own_number(criterion, method, root + away, 0.0) < target);
}

// Every ordered pair from the first methods under a criterion: what is returned has FROM's number, and where nothing is
// returned TO, looked at on a fine grid, has it nowhere.
static void check_all(Criterion criterion, double omega, int from_count, int value_count)
{
    enum { GRID = 400 };
    double *grid = test_take(NAMED * (GRID + 1), sizeof *grid),
           *numbers = test_take(NAMED * (GRID + 1), sizeof *numbers);
    int answered = 0, missing = 0;
    for (int a = 0; a < from_count; ++a)
        for (int b = 0; b < NAMED; ++b) {
            if (a == b)
                continue;
            PairsRequest request = request_of(named[a], named[b], criterion, omega, NULL, 0);
            double       values[VALUES];
            Family       family;
            assert_true(family_make(built_in(), named[a], NULL, 0, &arena, &family, &err));
            for (int i = 0; i < value_count; ++i)
                values[i] = family.least + (family.most - family.least) * (i + 0.5) / value_count;
            request.values = values;
            request.value_count = (size_t)value_count;
            Pairs         pairs SCOPED(pairs_free) = found(&request);
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
                size_t crossings = 0, touching = 0;
                for (size_t r = 0; r <= pair->root_count && !isnan(pair->to); ++r)
                    touching += touches(criterion, named[b], r == 0 ? pair->to : pair->roots[r - 1].at, to, target);
                double before = (double)NAN;
                for (int k = 0; k <= GRID; ++k) {
                    if (isnan(f[k]))
                        continue;
                    crossings += !isnan(before) && (before < target) != (f[k] < target);
                    before = f[k];
                }
                const size_t roots = isnan(pair->to) ? 0 : 1 + pair->root_count + touching;
                // Two roots may lie between two places of the grid; none may be lost.
                if (roots < crossings || (roots - crossings) % 2 != 0)
                    fail_msg("%s %g to %s: %zu roots, %zu crossings (%s)", named[a], values[i], named[b], roots,
                             crossings, pair->reason);
            }
        }
    print_message("%s: %d answered, %d refused\n", criterion_names[criterion], answered, missing);
    assert_true(answered > 0);
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
            PairsRequest request =
                request_of("generalized_alpha", named[m], CRITERION_RADIUS, omegas[o], values, VALUES);
            Pairs pairs SCOPED(pairs_free) = found(&request);
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
        PairsRequest request = request_of(from, to, criterion, 0.0, NULL, 0);
        Pairs        pairs SCOPED(pairs_free) = found(&request);
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
        double      omega, value;
        const char *reason;
    } cases[] = {
        {"theta1", "theta2", CRITERION_LOW_FREQUENCY, 0, 0.6, "theta1 damps as Omega^2, theta2 as Omega^4"},
        {"generalized_alpha", "newmark", CRITERION_LOW_FREQUENCY, 0, 0.6, "no common limit"},
        {"generalized_alpha", "chung_lee", CRITERION_HIGH_FREQUENCY, 0, 0.6, "chung_lee is explicit"},
        {"chung_lee", "bathe", CRITERION_HIGH_FREQUENCY, 0, 1.02, "chung_lee is explicit"},
        {"generalized_alpha", "theta2", CRITERION_LOW_FREQUENCY, 0, 0.1, "generalized_alpha at rho_inf = 0.1 has 0.27"},
        {"chung_lee", "theta2", CRITERION_RADIUS, 2.5, 1.037, "it is unstable"},
        // At a small Omega rounding hides the damping, and does not pass for an answer.
        {"generalized_alpha", "theta2", CRITERION_RADIUS, 1e-3, 0.6, "hardly more than rounding"},
        {"generalized_alpha", "theta2", CRITERION_RADIUS, 1e-3, 0.9, "hardly more than rounding"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        PairsRequest request =
            request_of(cases[i].from, cases[i].to, cases[i].criterion, cases[i].omega, &cases[i].value, 1);
        Pairs pairs SCOPED(pairs_free) = found(&request);
        if (!isnan(pairs.pairs[0].to) || !strstr(pairs.pairs[0].reason, cases[i].reason))
            fail_msg("%zu: '%s' has no '%s'", i, pairs.pairs[0].reason, cases[i].reason);
    }
}

// The first equivalent of one value, and its residual.
static double equivalent(const char *from, const char *to, Criterion criterion, double omega, double value,
                         double *residual)
{
    PairsRequest request = request_of(from, to, criterion, omega, &value, 1);
    Pairs        pairs SCOPED(pairs_free) = found(&request);
    *residual = pairs.pairs[0].residual;
    return pairs.pairs[0].to;
}

TEST(test_small_damping)
{
    double residual;
    // Up to here the damping of theta2, of p (3 + p)/(4 (3 - p)^2) Omega^4, is within rounding of none.
    assert_true(equivalent("generalized_alpha", "theta2", CRITERION_RADIUS, 1e-3, 1.0, &residual) < 0.022);
    // With a larger Omega it is an answer: where the limit and Omega = 0.1 lead to, over Omega^2.
    const double limit = equivalent("generalized_alpha", "theta2", CRITERION_LOW_FREQUENCY, 0.0, 0.6, &residual),
                 tenth = equivalent("generalized_alpha", "theta2", CRITERION_RADIUS, 0.1, 0.6, &residual),
                 small = equivalent("generalized_alpha", "theta2", CRITERION_RADIUS, 1e-2, 0.6, &residual);
    assert_true(fabs(small / (limit + 0.01 * (tenth - limit)) - 1.0) < residual);
    assert_true(residual < 1e-4);
    // Both damp nothing: that is equal whatever the power.
    assert_true(equivalent("theta1", "generalized_alpha", CRITERION_LOW_FREQUENCY, 0.0, 0.5, &residual) == 1.0);
    assert_true(residual == 0.0);
}

TEST(test_wrong_requests)
{
    static const double beyond[] = {0.7, 1.2};
    const struct {
        const char  *to;
        PairsRequest change;  // in place of what a request from theta1 has otherwise
        const char  *part;
    } cases[] = {
        {"theta3", {0}, "did you mean 'theta"},
        {"theta1", {0}, "twice"},
        {"trapezoidal", {0}, "no parameter"},
        {"dopri5_adaptive",
         {.settings = (const char *const[]){"atol=1e-9"}, .setting_count = 1},
         "method 'dopri5_adaptive' chooses its substeps"},
        {"theta2", {.band = {0.1, 1.0}}, "--band"},
        {"theta2", {.values = beyond, .value_count = 2}, "1.2 is out of range"},
        {"newmark", {.settings = (const char *const[]){"theta=0.5"}, .setting_count = 1}, "-p theta"},
        {"newmark",
         {.settings = (const char *const[]){"beta=0.25", "gamma=0.5"}, .setting_count = 2},
         "every parameter is fixed"},
        {"sofa_euler", {0}, "2 free parameters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const PairsRequest *change = &cases[i].change;
        PairsRequest        request =
            request_of("theta1", cases[i].to, change->band[0] > 0.0 ? CRITERION_DECAY : CRITERION_RADIUS, 1.0,
                       change->values, change->value_count);
        request.settings = change->settings;
        request.setting_count = change->setting_count;
        memcpy(request.band, change->band, sizeof request.band);
        refused(&request, ERROR_USAGE, cases[i].part);
    }
    PairsRequest request = request_of("theta1", "theta2", CRITERION_MEASURED, 0.0, NULL, 0);
    request.problem = NULL;
    refused(&request, ERROR_DEVICE, "no device");

    // A method whose card has no equations: theta1's under another name.
    const Catalog own = {.cards = test_take(built_in()->card_count, sizeof *own.cards),
                         .card_count = built_in()->card_count};
    memcpy(own.cards, built_in()->cards, built_in()->card_count * sizeof *own.cards);
    Card *heun = &own.cards[catalog_find(built_in(), CARD_METHOD, "theta1") - built_in()->cards];
    heun->name = "heun";
    heun->equations = NULL;
    request = request_of("bathe", "heun", CRITERION_RADIUS, 1.0, NULL, 0);
    request.catalog = &own;
    refused(&request, ERROR_USAGE,
            "the card of method 'heun' has no equations: its pairs are found by --criterion measured only");
}

// One of two parameters fixed, the other found.
TEST(test_fixed_parameter)
{
    const double rho = 0.8;
    PairsRequest request = request_of("generalized_alpha", "newmark", CRITERION_RADIUS, 0.5, &rho, 1);
    request.settings = (const char *const[]){"newmark.beta=0.4"};
    request.setting_count = 1;
    request.range[0] = 0.5;
    request.range[1] = 0.8;
    Pairs        pairs SCOPED(pairs_free) = found(&request);
    const double gamma = pairs.pairs[0].to, p[] = {0.4, gamma};
    assert_string_equal(pairs.columns[PAIR_TO], "gamma");
    assert_true(gamma > 0.5 && gamma < 0.8);
    assert_true(fabs(criterion_number(CRITERION_RADIUS, theory_named("newmark"), p, 0.5) /
                         own_number(CRITERION_RADIUS, "generalized_alpha", rho, 0.5) -
                     1.0) < 1e-9);
}

// Decay over a fixed time with half the step: the larger step needs less damping of its own.
TEST(test_two_steps)
{
    const double rho = 0.8;
    PairsRequest request = request_of("generalized_alpha", "theta2", CRITERION_DECAY, 0.2, &rho, 1);
    request.omega_h[PAIR_TO] = 0.4;
    Pairs pairs SCOPED(pairs_free) = found(&request);
    assert_true(fabs(own_number(CRITERION_DECAY, "theta2", pairs.pairs[0].to, 0.4) /
                         own_number(CRITERION_DECAY, "generalized_alpha", rho, 0.2) -
                     1.0) < 1e-8);
}

// The best of a band cannot be bettered: the largest misses to either side are equally large, and beside it some miss
// is larger.
TEST(test_band)
{
    static const double    band[2] = {0.2, 2.0}, values[] = {0.3, 0.6, 0.9, 1.0};
    static const Criterion both[] = {CRITERION_RADIUS, CRITERION_DAMPING_RATIO};
    for (int c = 0; c < 2; ++c) {
        PairsRequest request = request_of("generalized_alpha", "theta2", both[c], 0.0, values, 4);
        request.band[0] = band[0];
        request.band[1] = band[1];
        Pairs pairs SCOPED(pairs_free) = found(&request);
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
    }
    const double rho = 0.05;
    PairsRequest request = request_of("generalized_alpha", "theta2", CRITERION_RADIUS, 0.0, &rho, 1);
    request.band[0] = 0.01;
    request.band[1] = 0.02;
    Pairs pairs SCOPED(pairs_free) = found(&request);
    assert_true(isnan(pairs.pairs[0].to) && strstr(pairs.pairs[0].reason, "damps less in all of the band"));
}
