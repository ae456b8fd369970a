// test_measures -- certificates of metrics: they pass what the kernels give, and refuse any number that is not that.
#include "support/kernel_case.h"

#include "analysis/conform/walk/certify.h"

AROUND_ALL(open_native, close_device)

static MeasuresCount judge(const Ran *ran, Certifier *certifier, const Results *results)
{
    const Group     *group = group_at(ran, 0);
    Batch            batch = batch_make(group, 0, group->block_count);
    Certified        certified = {0};
    const RunOptions options = {0};
    batch.solution = &ran->engines[0].solution;
    assert_fine(certify_batch(certifier, &batch, results, &options, &certified, &err));
    return certified.measured;
}

// A number that is off by a millionth, or by 1 where it is a count; NaN becomes a number, and the other way round.
static double spoiled(const Variable *variable, double value)
{
    if (variable->type != TYPE_F64 && variable->type != TYPE_F32)
        return value + 1.0;
    return isnan(value) ? 1.0 : value == 0.0 ? 1e-6 : value * (1.0 + 1e-6);
}

// Every variable of every point, one after the other: the certificate of that one alone fails.
static void assert_spoiled_found(const Ran *ran, Certifier *certifier)
{
    const Group   *group = group_at(ran, 0);
    const Results *results = &ran->results[0];
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        const double    value = results_value(results, i, 0, 0);
        results_put(results, i, 0, 0, spoiled(variable, value));
        const MeasuresCount count = judge(ran, certifier, results);
        if (count.certified + 1 != count.metrics || count.worst.share <= 1.0)
            fail_msg("%s: %llu of %llu certified, worst %g in %s", variable->name, (unsigned long long)count.certified,
                     (unsigned long long)count.metrics, count.worst.share, count.worst.equation);
        results_put(results, i, 0, 0, value);
    }
}

static void assert_certified(Device *device, const char *text)
{
    Certifier *certifier;
    RUN(ran, device, 0, text);
    assert_fine(certify_open(&ran.made.plan, group_at(&ran, 0), device, 1, &certifier, &err));
    const MeasuresCount count = judge(&ran, certifier, &ran.results[0]);
    if (count.certified != count.metrics)
        fail_msg("%llu of %llu certified, worst %g in %s", (unsigned long long)count.certified,
                 (unsigned long long)count.metrics, count.worst.share, count.worst.equation);
    assert_int_equal(count.open, 0);
    assert_true(count.worst.share > 0.0);
    assert_spoiled_found(&ran, certifier);
    certify_close(certifier);
}

TEST(measured_motion)
{
    assert_certified(
        *state,
        "problem: modal_oscillators\n"
        "parameters: {d1: [0.05, 0.1], k1: 20, k2: 60}\n"
        "methods: [generalized_alpha]\n"
        "step: 0.1\n"
        "end: 8\n"
        "metrics: [status, x_final, v_final, energy_initial, energy_final, energy_drift, energy_ratio, energy_loss,\n"
        "  log_decrement, log_decrement_first, log_decrement_last, log_decrement_error, damping_state, x_max,\n"
        "  amplitude_initial, amplitude_final, decay_rate, damping_ratio, period, error_max, error_final,\n"
        "  high_frequency_amplitude, radius_error_max, angle_error_max, visually_correct, kinetic_max,\n"
        "  {kinetic_integral: {from: 2, to: 7.55}}, steps, updates, residual_evaluations, condition_mean,\n"
        "  condition_last, condition_max, {decay_rate: {of: fast, label: decay_of_fast}}]\n"
        "trajectory: {every: 20, fields: [x, v, energy, kinetic, error, fast, slow, condition, updates]}\n");
}

TEST(failed_points)
{
    assert_certified(
        *state, "problem: elastic_pendulum_polar\n"
                "parameters: {eps: [1.0e-4, 1.0e-5]}\n"
                "methods: [{generalized_alpha: {}, newton: {mode: paper, tolerance: 1.0e-8}, substeps: {budget: 20}}]\n"
                "step: 0.05\n"
                "end: 20\n"
                "metrics: [status, x_final, energy_drift, damping_state, updates, substeps, failed_solves, depth_max]\n"
                "trajectory: {every: 100, fields: [x, energy]}\n");
}

// What the user wrote has no formula, and that is said.
TEST(users_metric)
{
    PLAN(made, "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [status, x_max, updates]\n");
    const Group *group = &made.plan.groups[0];
    Card         own = *group->instances[0].card;
    for (size_t i = 0; i < group->variable_count; ++i)
        assert_true(measures_knows(group, &group->variables[i]));
    own.text = "//: metric: extent\n";
    const Card *shipped = group->instances[0].card;
    group->instances[0].card = &own;
    assert_false(measures_knows(group, find_variable(group, "x_max")));
    group->instances[0].card = shipped;
}
