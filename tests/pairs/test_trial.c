// test_trial -- a trial's numbers are, bit by bit, those of a sweep over the same values.
#include "analysis/pairs/trial.h"

#include "support/kernel_case.h"

AROUND_ALL(open_device, close_device)

enum { POINTS = 37, MANY = 5000, MOST_METRICS = 8 };

// A method of the catalog with one parameter free.
typedef struct Free {
    Catalog catalog;
    Arena   arena;
    Family  family;
} Free;

// fixed: "NAME=VALUE" of another parameter, or NULL
static void free_parameter(Free *made, const char *method, const char *fixed)
{
    Error    err = {0};
    Setting *settings = NULL;
    *made = (Free){0};
    read_catalog(&made->catalog);
    if (!setting_read_all(&fixed, fixed != NULL, &made->arena, &settings, &err) ||
        !family_make(&made->catalog, method, settings, fixed != NULL, &made->arena, &made->family, &err))
        fail_msg("%s", err.message);
}

static void release(Free *made)
{
    arena_free(&made->arena);
    catalog_free(&made->catalog);
}

static Trial *make(Device *device, const Free *of, const TrialSetting *setting)
{
    Error  err = {0};
    Trial *trial = NULL;
    if (!trial_make(device, &of->catalog, &of->family, setting, &trial, &err))
        fail_msg("%s", err.message);
    return trial;
}

static void run(Trial *trial, const double *values, size_t count, double *numbers, Status *status)
{
    Error err = {0};
    if (!trial_run(trial, values, count, numbers, status, &err))
        fail_msg("%s", err.message);
}

// Values between two ends, in no order.
static void scatter(double least, double most, size_t count, double *values)
{
    for (size_t i = 0; i < count; ++i)
        values[i] = least + (most - least) * (double)((7 * i + 3) % count) / (double)(count - 1);
}

// The numbers of the group's variables after the status, as a trial gives them.
static void expect_numbers(const Ran *ran, size_t count, const double *numbers, const Status *status)
{
    const Group *group = group_at(ran, 0);
    assert_int_equal(group->point_count, count);
    for (size_t i = 0; i < count; ++i) {
        const int due = (int)number(ran, 0, "status", i);
        assert_int_equal(status[i], due);
        for (size_t v = 1; v < group->variable_count; ++v) {
            const double stored = results_value(&ran->results[0], v, i, 0), found = numbers[(v - 1) * count + i],
                         expected = due == STATUS_OK ? stored : plain_nan((double)NAN);
            if (memcmp(&found, &expected, sizeof found) != 0)
                fail_msg("%s at point %zu: %.17g, in the sweep %.17g", group->variables[v].name, i, found, expected);
        }
    }
}

static const char *const pendulum_metrics[] = {
    "updates",   "residual_evaluations",           "period", "amplitude_final", "condition_max",
    "error_max", "{decay_rate: {from: 2, to: 15}}"};
static const TrialSetting pendulum = {.problem = "pendulum",
                                      .defaults = "step: 0.1\nend: 20\nnewton: {tolerance: 1.0e-12}\n",
                                      .metrics = pendulum_metrics,
                                      .metric_count = 7};
#define PENDULUM_SWEEP                                                                              \
    "problem: pendulum\nstep: 0.1\nend: 20\nnewton: {tolerance: 1.0e-12}\nmetrics: [updates, "      \
    "residual_evaluations, period, amplitude_final, condition_max, error_max, {decay_rate: {from: " \
    "2, to: 15}}]\n"

// A grid of one axis; other values at the same trial, and the first again.
TEST(one_parameter_is_a_grid)
{
    static double numbers[3][MOST_METRICS * POINTS];
    double        values[2][POINTS];
    Status        status[POINTS];
    Free          of;
    Ran           ran;
    Text          text = {0};
    free_parameter(&of, "generalized_alpha", NULL);
    Trial *trial = make(*state, &of, &pendulum);
    scatter(0.0, 1.0, POINTS, values[0]);
    scatter(0.3, 0.5, POINTS, values[1]);
    run(trial, values[1], POINTS, numbers[1], NULL);
    run(trial, values[0], POINTS, numbers[0], status);
    run(trial, values[1], POINTS, numbers[2], NULL);
    text_add(&text, PENDULUM_SWEEP "methods: [generalized_alpha: {rho_inf: ");
    add_list(&text, values[0], POINTS);
    text_add(&text, "}]\n");
    run_text(&ran, *state, 0, text.text);
    assert_all_ok(&ran);
    expect_numbers(&ran, POINTS, numbers[0], status);
    assert_memory_equal(numbers[1], numbers[2], sizeof numbers[1]);
    assert_memory_not_equal(numbers[1], numbers[0], sizeof numbers[1]);
    assert_true(trial_step(trial) == 0.1);
    assert_true(trial_steps(trial) == 200.0);
    // Numbers do not depend on their neighbours, in whatever number they come.
    for (size_t i = 0; i < 5; ++i) {
        double alone[MOST_METRICS];
        run(trial, &values[0][i], 1, alone, NULL);
        for (size_t m = 0; m < pendulum.metric_count; ++m)
            assert_memory_equal(&alone[m], &numbers[0][m * POINTS + i], sizeof alone[m]);
    }
    run(trial, NULL, 0, NULL, NULL);
    trial_free(trial);
    text_free(&text);
    ran_free(&ran);
    release(&of);
}

TEST(a_tied_parameter_is_a_zip)
{
    static double numbers[MOST_METRICS * POINTS];
    double        gammas[POINTS], betas[POINTS];
    Status        status[POINTS];
    Free          of;
    Ran           ran;
    Text          text = {0};
    free_parameter(&of, "newmark", NULL);
    Trial *trial = make(*state, &of, &pendulum);
    scatter(0.5, 1.0, POINTS, gammas);
    for (size_t i = 0; i < POINTS; ++i) {
        double both[2];
        family_at(&of.family, gammas[i], both);
        betas[i] = both[of.family.tied];
        assert_true(fabs(betas[i] - (gammas[i] + 0.5) * (gammas[i] + 0.5) / 4.0) < 1e-15);
    }
    run(trial, gammas, POINTS, numbers, status);
    text_add(&text, PENDULUM_SWEEP "design: zip\nmethods: [newmark: {beta: ");
    add_list(&text, betas, POINTS);
    text_add(&text, ", gamma: ");
    add_list(&text, gammas, POINTS);
    text_add(&text, "}]\n");
    run_text(&ran, *state, 0, text.text);
    expect_numbers(&ran, POINTS, numbers, status);
    trial_free(trial);
    text_free(&text);
    ran_free(&ran);
    release(&of);
}

TEST(a_fixed_parameter_stays)
{
    static double numbers[MOST_METRICS * POINTS];
    double        betas[POINTS];
    Status        status[POINTS];
    Free          of;
    Ran           ran;
    Text          text = {0};
    free_parameter(&of, "newmark", "gamma=0.6");
    Trial *trial = make(*state, &of, &pendulum);
    scatter(0.3025, 1.0, POINTS, betas);
    run(trial, betas, POINTS, numbers, status);
    text_add(&text, PENDULUM_SWEEP "methods: [newmark: {gamma: 0.6, beta: ");
    add_list(&text, betas, POINTS);
    text_add(&text, "}]\n");
    run_text(&ran, *state, 0, text.text);
    assert_all_ok(&ran);
    expect_numbers(&ran, POINTS, numbers, status);
    trial_free(trial);
    text_free(&text);
    ran_free(&ran);
    release(&of);
}

// Overrides come after the defaults; those of another method are nobody's here.
TEST(overrides_replace_the_defaults)
{
    static const char *const overrides[] = {"parameters.eps=0.1", "step=0.05", "newton.tolerance=1e-10",
                                            "methods.theta2.newton={jacobian: analytic}",
                                            "methods.newmark.newton.tolerance=1e9"};
    static const char *const metrics[] = {"updates", "radius_error_max", "angle_error_max", "residual_evaluations"};
    const TrialSetting       setting = {.problem = "elastic_pendulum_polar",
                                        .defaults = "step: 0.1\nend: 10\nparameters: {eps: 1.0e-2}\n",
                                        .overrides = overrides,
                                        .override_count = 5,
                                        .metrics = metrics,
                                        .metric_count = 4};
    static double            numbers[4 * POINTS];
    double                   values[POINTS];
    Status                   status[POINTS];
    Free                     of;
    Ran                      ran;
    Text                     text = {0};
    free_parameter(&of, "theta2", NULL);
    Trial *trial = make(*state, &of, &setting);
    scatter(0.0, 1.0, POINTS, values);
    run(trial, values, POINTS, numbers, status);
    text_add(&text,
             "problem: elastic_pendulum_polar\nparameters: {eps: 0.1}\nstep: 0.05\nend: 10\n"
             "newton: {tolerance: 1.0e-10, jacobian: analytic}\n"
             "metrics: [updates, radius_error_max, angle_error_max, residual_evaluations]\nmethods: [theta2: {theta: ");
    add_list(&text, values, POINTS);
    text_add(&text, "}]\n");
    run_text(&ran, *state, 0, text.text);
    assert_all_ok(&ran);
    expect_numbers(&ran, POINTS, numbers, status);
    assert_true(trial_steps(trial) == 200.0);
    trial_free(trial);
    text_free(&text);
    ran_free(&ran);
    release(&of);
}

// More values than one launch takes. Beyond their limit, 2/sqrt(4 beta - 3), explicit steps run away.
TEST(points_fail_one_by_one)
{
    static const char *const metrics[] = {"x_max", "steps"};
    const TrialSetting       setting = {.problem = "harmonic_oscillator",
                                        .defaults = "step: 1.9\nsteps: 5000\nparameters: {zeta: 0}\n",
                                        .metrics = metrics,
                                        .metric_count = 2};
    static double            numbers[2 * MANY], values[MANY];
    static Status            status[MANY];
    size_t                   failed = 0;
    Free                     of;
    Ran                      ran;
    Text                     text = {0};
    free_parameter(&of, "chung_lee", NULL);
    Trial *trial = make(*state, &of, &setting);
    scatter(1.0, 28.0 / 27.0, MANY, values);
    run(trial, values, MANY, numbers, status);
    text_add(&text, "problem: harmonic_oscillator\nparameters: {zeta: 0}\nstep: 1.9\nsteps: 5000\n"
                    "metrics: [x_max, {steps: {label: taken}}]\nmethods: [chung_lee: {beta: ");
    add_list(&text, values, MANY);
    text_add(&text, "}]\n");
    run_text(&ran, *state, 0, text.text);
    expect_numbers(&ran, MANY, numbers, status);
    for (size_t i = 0; i < MANY; ++i) {
        const bool ok = status[i] == STATUS_OK;
        failed += !ok;
        assert_true(isnan(numbers[i]) == !ok && isnan(numbers[MANY + i]) == !ok);
        if (!ok) {
            assert_int_equal(status[i], STATUS_NOT_FINITE);
            assert_true(1.9 > 2.0 / sqrt(4.0 * values[i] - 3.0));
        }
    }
    assert_true(failed > MANY / 10 && failed < MANY - MANY / 10);
    trial_free(trial);
    text_free(&text);
    ran_free(&ran);
    release(&of);
}

static void expect_refusal(Device *device, const Free *of, const TrialSetting *setting, const char *message)
{
    Error  err = {0};
    Trial *trial = NULL;
    assert_false(trial_make(device, &of->catalog, &of->family, setting, &trial, &err));
    assert_null(trial);
    assert_int_equal(err.kind, ERROR_USAGE);
    if (strstr(err.message, message) != err.message || strchr(err.message, '\n'))
        fail_msg("'%s', not '%s'", err.message, message);
}

TEST(mistakes_are_the_callers)
{
    static const char *const overrides[][2] = {
        {"parameters.g=[1, 2]", "-s parameters.g: one value, not an axis"},
        {"parameters={g: {linear: [1, 2, 4096]}}", "-s parameters: one value, not an axis"},
        {"newton.tolerance={log: [1e-9, 1e-8, 2]}", "-s newton.tolerance: one value, not an axis"},
        {"methods.generalized_alpha.parameters.g=[1]",
         "-s methods.generalized_alpha.parameters.g: one value, not an axis"},
        {"methods.generalized_alpha.rho_inf=0.5",
         "-s methods.generalized_alpha.rho_inf: parameters of the method are not to be set here"},
        {"problem=duffing", "-s problem: 'problem' is not to be set here"},
        {"design=grid", "-s design: 'design' is not to be set here"},
        {"metrics=[updates]", "-s metrics: 'metrics' is not to be set here"},
        {"trajectory.every=1", "-s trajectory.every: 'trajectory' is not to be set here"},
        {"methods=[theta2]", "-s methods: 'methods' is not to be set here"},
        {"methods.thete2.theta=1", "-s methods.thete2.theta: no method is labelled 'thete2'"},
        {"parameters.gg=1", "-s parameters.gg: pendulum has no parameter 'gg'"},
        {"ned=1", "-s ned: unknown key 'ned'"},
        {"step=-1", "-s step: step: -1 is too small"},
        {"step", "-s step: expected KEY=VALUE"},
    };
    static const char *const metrics[][2] = {
        {"perod", "generalized_alpha on pendulum: unknown metric 'perod'; did you mean 'period'?"},
        {"x_final", NULL},
        {"radius_error_max",
         "generalized_alpha on pendulum: metric 'radius_error_max' needs 'fast', which problem 'pendulum'"},
        {"updates, period", "generalized_alpha on pendulum: 2 metrics in place of 1"},
        {"{period: {of: x7}}", "generalized_alpha on pendulum: of: 'x7' is not observed"},
        {"]", "generalized_alpha on pendulum: "},
    };
    Free         of;
    TrialSetting setting = pendulum;
    free_parameter(&of, "generalized_alpha", NULL);
    setting.problem = "pendulun";
    expect_refusal(*state, &of, &setting, "unknown problem 'pendulun'; did you mean 'pendulum'?");
    setting = pendulum;
    setting.override_count = 1;
    for (size_t i = 0; i < sizeof overrides / sizeof *overrides; ++i) {
        setting.overrides = overrides[i];
        expect_refusal(*state, &of, &setting, overrides[i][1]);
    }
    setting = pendulum;
    setting.metric_count = 1;
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; ++i) {
        setting.metrics = metrics[i];
        if (metrics[i][1])
            expect_refusal(*state, &of, &setting, metrics[i][1]);
    }
    // Of one degree of freedom it is a number, of two it is none.
    setting.metrics = metrics[1];
    trial_free(make(*state, &of, &setting));
    setting.problem = "elastic_pendulum_polar";
    expect_refusal(*state, &of, &setting,
                   "generalized_alpha on elastic_pendulum_polar: metric 'x_final' has 2 numbers a point, not one");
    trial_free(NULL);
    release(&of);
}
