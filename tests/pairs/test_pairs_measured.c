// test_pairs_measured -- pairs through the kernels: on the oscillator, and measured on problems and run again.
#include "analysis/pairs/pairs.h"
#include "analysis/linear/probe.h"

#include "support/built_in.h"
#include "support/kernel_case.h"
#include "support/turn.h"

static const double none = (double)NAN;

AROUND_ALL(open_device, close_device)

static PairsRequest request_of(Device *device, const char *from, const char *to, Criterion criterion, double omega,
                               const double *values, size_t count)
{
    return (PairsRequest){.catalog = built_in(),
                          .device = device,
                          .methods = {from, to},
                          .criterion = criterion,
                          .omega_h = {omega, 0.0},
                          .values = values,
                          .value_count = count,
                          .range = {none, none},
                          .problem = criterion == CRITERION_MEASURED ? NULL : "none"};
}

static Pairs found(const PairsRequest *request)
{
    Pairs pairs;
    if (!pairs_find(request, &pairs, &err))
        fail_msg("%s to %s: %s", request->methods[0], request->methods[1], err.message);
    return pairs;
}

// The radius of one step of a family's kernel at its values.
static void probe_radii(Device *device, const Family *family, double omega, const double *values, size_t count,
                        double *radii)
{
    enum { MOST = 8 };
    const ProbeOptions options = {.lanes = 1, .jacobian = probe_rule(family->method)};
    double             parameters[MOST][4];
    ProbePoint         points[MOST];
    Matrix             matrices[MOST];
    Probe             *probe = NULL;
    assert_true(count <= MOST);
    assert_fine(probe_make(device, built_in(), family->method, &options, &probe, &err));
    for (size_t i = 0; i < count; ++i) {
        family_at(family, values[i], parameters[i]);
        points[i] = (ProbePoint){omega, 0.0, parameters[i]};
    }
    assert_fine(probe_matrices(probe, points, count, matrices, &err));
    for (size_t i = 0; i < count; ++i)
        radii[i] = matrix_radius(matrices[i]);
    probe_free(probe);
}

// A step of both kernels at a pair takes the same part of the amplitude.
TEST(kernels_damp_alike)
{
    static const char *const to[] = {"theta2", "hht_alpha", "wbz_alpha", "newmark", "theta1", "bathe", "chung_lee"};
    static const double      values[] = {0.55, 0.7, 0.8, 0.9, 0.95};
    enum { COUNT = sizeof values / sizeof *values };
    const double omega = 0.5;
    double       radii[PAIR_SIDES][COUNT];
    size_t       compared = 0;
    for (size_t m = 0; m < sizeof to / sizeof *to; ++m) {
        PairsRequest request = request_of(*state, "generalized_alpha", to[m], CRITERION_RADIUS, omega, values, COUNT);
        Pairs        pairs SCOPED(pairs_free) = found(&request);
        double       found_values[COUNT], known[COUNT];
        size_t       count = 0;
        for (size_t i = 0; i < COUNT; ++i)
            if (!isnan(pairs.pairs[i].to)) {
                known[count] = values[i];
                found_values[count++] = pairs.pairs[i].to;
            }
        probe_radii(*state, &pairs.families[PAIR_FROM], omega, known, count, radii[PAIR_FROM]);
        probe_radii(*state, &pairs.families[PAIR_TO], omega, found_values, count, radii[PAIR_TO]);
        for (size_t i = 0; i < count; ++i) {
            const double off = log(radii[PAIR_TO][i]) / log(radii[PAIR_FROM][i]) - 1.0;
            if (!(fabs(off) < 1e-6))
                fail_msg("%s at %g: %g off", to[m], known[i], off);
        }
        compared += count;
    }
    assert_true(compared >= 20);
}

// Two groups of one value each, run by a sweep: generalized_alpha at rho_inf and theta2 at theta.
static void run_pair(Ran *ran, Device *device, const char *head, double rho, double theta)
{
    Text text SCOPED(text_free) = {0};
    text_add(&text, "%smethods:\n  - generalized_alpha: {rho_inf: %.17g}\n  - theta2: {theta: %.17g}\n", head, rho,
             theta);
    run_text(ran, device, 1, text.text);
}

// Runs of the oscillator lose the same part of the amplitude in a cycle.
TEST(runs_damp_alike)
{
    static const double values[] = {0.3, 0.6, 0.8};
    PairsRequest request = request_of(*state, "generalized_alpha", "theta2", CRITERION_DAMPING_RATIO, 0.1, values, 3);
    Pairs        pairs SCOPED(pairs_free) = found(&request);
    for (size_t i = 0; i < 3; ++i) {
        Ran ran SCOPED(ran_free) = {0};
        run_pair(
            &ran, *state,
            "problem: harmonic_oscillator\nstep: 0.1\nend: 400\nnewton: {tolerance: 0}\nmetrics: [log_decrement]\n",
            values[i], pairs.pairs[i].to);
        const double from = number(&ran, 0, "log_decrement", 0), to = number(&ran, 1, "log_decrement", 0);
        assert_true(fabs(to - from) < 1e-6);
        assert_true(fabs(to / from - 1.0) < 1e-3);
        // A step is damped by xi |arg mu|, a cycle of 2 pi/|arg mu| steps by 2 pi xi.
        assert_true(fabs(from / (2.0 * M_PI * pairs.pairs[i].number[PAIR_FROM]) - 1.0) < 1e-3);
    }
}

// Measured pairs of the pendulum, run again for longer, with another number of lanes and the usual tolerance, and seen
// by another metric too.
TEST(measured_pairs_hold)
{
    static const double values[] = {0.2, 0.5, 0.7, 0.9};
    PairsRequest        request = request_of(*state, "generalized_alpha", "theta2", CRITERION_MEASURED, 0.0, values, 4);
    Pairs               pairs SCOPED(pairs_free) = found(&request);
    assert_true(fabs(pairs.physical) < 1e-12);
    for (size_t i = 0; i < 4; ++i) {
        Ran ran SCOPED(ran_free) = {0};
        assert_true(pairs.pairs[i].residual < 1e-6);
        run_pair(&ran, *state,
                 "problem: pendulum\nstep: 0.1\nend: 400\nnewton: {tolerance: 1.0e-12}\nmetrics: [log_decrement, "
                 "decay_rate, energy_loss]\n",
                 values[i], pairs.pairs[i].to);
        static const char *const metrics[] = {"log_decrement", "decay_rate", "energy_loss"};
        for (int m = 0; m < 3; ++m) {
            const double off = number(&ran, 1, metrics[m], 0) / number(&ran, 0, metrics[m], 0) - 1.0;
            if (!(fabs(off) < 0.01))
                fail_msg("rho_inf %g, %s: %g off", values[i], metrics[m], off);
        }
    }
}

// The loss of the problem itself is printed, and does not hide that of the methods.
TEST(physical_damping_is_told_apart)
{
    static const double      value = 0.5;
    static const char *const overrides[] = {"parameters.zeta=1.0e-4", "step=0.3", "parameters.x0=0.1"};
    PairsRequest request = request_of(*state, "generalized_alpha", "theta2", CRITERION_MEASURED, 0.0, &value, 1);
    request.overrides = overrides + 1;
    request.override_count = 2;
    Pairs plain SCOPED(pairs_free) = found(&request);
    request.overrides = overrides;
    request.override_count = 3;
    Pairs        damped SCOPED(pairs_free) = found(&request);
    const double numerical = damped.pairs[0].number[PAIR_FROM] - damped.physical;
    // Nearly the linear oscillator's, 2 pi zeta.
    assert_true(fabs(damped.physical / (2.0 * M_PI * 1e-4) - 1.0) < 0.005);
    assert_true(fabs(numerical / plain.pairs[0].number[PAIR_FROM] - 1.0) < 0.02);
    assert_true(damped.pairs[0].residual < 1e-6);
    assert_true(fabs(damped.pairs[0].to / plain.pairs[0].to - 1.0) < 0.02);
}

// A thousand values, each with its own equivalent, in order.
TEST(a_thousand_values)
{
    enum { COUNT = 1000 };
    double       values[COUNT];
    PairsRequest request = request_of(*state, "generalized_alpha", "theta2", CRITERION_MEASURED, 0.0, values, COUNT);
    for (int i = 0; i < COUNT; ++i)
        values[i] = 0.12 + 0.88 * i / (COUNT - 1);
    Pairs pairs SCOPED(pairs_free) = found(&request);
    assert_int_equal(pairs.count, COUNT);
    for (int i = 0; i < COUNT; ++i) {
        const Pair  *pair = &pairs.pairs[i];
        const double d = (1.0 - values[i]) / (1.0 + values[i]), d3 = d * d * d;
        const double closed = 3.0 * (sqrt(1.0 + 16.0 * d3) - 1.0 - 4.0 * d3) / (2.0 * (1.0 - 2.0 * d3));
        assert_true(pair->from == values[i]);
        // The pendulum's Omega is near 0.09: close to the limit of low frequencies.
        if (!(fabs(pair->to - closed) < 0.01 * closed + 1e-4))
            fail_msg("rho_inf %g: theta %g, at low frequency %g", values[i], pair->to, closed);
    }
}

// Problems with a fast and a slow coordinate, and metrics other than the default.
TEST(other_problems)
{
    static const struct {
        const char *problem, *metric, *overrides[2];
    } cases[] = {
        {"modal_oscillators", NULL, {"step=0.05", "end=100"}},
        {"modal_oscillators", "{log_decrement: {of: fast}}", {"step=0.02", "end=20"}},
        {"elastic_pendulum_polar", NULL, {"parameters.eps=1.0e-2", "end=50"}},
        {"duffing", "decay_rate", {"step=0.2", "end=100"}},
    };
    static const double value = 0.4;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        PairsRequest request = request_of(*state, "generalized_alpha", "theta2", CRITERION_MEASURED, 0.0, &value, 1);
        request.problem = cases[i].problem;
        request.metric = cases[i].metric;
        request.overrides = cases[i].overrides;
        request.override_count = 2;
        Pairs       pairs SCOPED(pairs_free) = found(&request);
        const Pair *pair = &pairs.pairs[0];
        if (!(pair->residual < 1e-5 && fabs(pair->to - 0.335) < 0.05))
            fail_msg("%s: theta %g, residual %g: %s", cases[i].problem, pair->to, pair->residual, pair->reason);
    }
}

// The ordered pairs of the methods named, half of them in a run: an equal decrement, or a reason.
TEST(all_pairs_answer)
{
    static const char *const named[] = {
        "generalized_alpha", "hht_alpha", "wbz_alpha", "newmark", "theta1", "theta2", "bathe", "chung_lee"};
    static const char *const overrides[] = {"end=50"};
    enum { NAMED = sizeof named / sizeof *named };
    int answered = 0, refused = 0;
    for (int i = 0; i < NAMED * NAMED; ++i) {
        if (i / NAMED == i % NAMED || !turn_takes((size_t)(i / NAMED + i % NAMED) % 2, 2))
            continue;
        PairsRequest request = request_of(*state, named[i / NAMED], named[i % NAMED], CRITERION_MEASURED, 0.0, NULL, 0);
        request.overrides = overrides;
        request.override_count = 1;
        Pairs pairs SCOPED(pairs_free) = found(&request);
        for (size_t k = 0; k < pairs.count; ++k) {
            const Pair *pair = &pairs.pairs[k];
            answered += !isnan(pair->to);
            refused += isnan(pair->to);
            assert_true(isnan(pair->to) == (pair->reason[0] != '\0'));
            if (!isnan(pair->to) &&
                !(fabs(pair->number[PAIR_TO] - pair->number[PAIR_FROM]) <= 1e-6 * fabs(pair->number[PAIR_FROM]) + 1e-8))
                fail_msg("%s %g, %s %g: %g and %g", named[i / NAMED], pair->from, named[i % NAMED], pair->to,
                         pair->number[PAIR_FROM], pair->number[PAIR_TO]);
        }
    }
    print_message("%d answered, %d refused\n", answered, refused);
    assert_true(answered > 200 && refused > 0);
}
