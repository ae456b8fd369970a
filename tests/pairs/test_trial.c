// test_trial -- a trial's numbers are, bit by bit, those of a sweep over the same values.
#include "analysis/pairs/trial.h"

#include "support/kernel_case.h"

AROUND_ALL(open_device, close_device)

enum { POINTS = 37, MANY = 5000, MOST_METRICS = 8 };

// A method of the catalog with one parameter free.
typedef struct Free {
    Catalog catalog;
    Family  family;
} Free;

// fixed: "NAME=VALUE" of another parameter, or NULL
static void free_parameter(Free *made, const char *method, const char *fixed)
{
    Setting *settings = NULL;
    *made = (Free){0};
    read_catalog(&made->catalog);
    assert_fine(setting_read_all(&fixed, fixed != NULL, &arena, &settings, &err) &&
                family_make(&made->catalog, method, settings, fixed != NULL, &arena, &made->family, &err));
}

static Trial *make(Device *device, const Free *of, const TrialSetting *setting)
{
    Trial *trial = NULL;
    assert_fine(trial_make(device, &of->catalog, &of->family, setting, &trial, &err));
    return trial;
}

// A trial at values between two ends, in no order.
typedef struct Tried {
    Free    of;
    Trial  *trial;
    size_t  count;
    double *values, *numbers;  // [count], [metric][count]
    Status *status;
} Tried;

static void run(const Tried *tried, const double *values, size_t count, double *numbers, Status *status)
{
    assert_fine(trial_run(tried->trial, values, count, numbers, status, &err));
}

static void scatter(double least, double most, size_t count, double *values)
{
    for (size_t i = 0; i < count; ++i)
        values[i] = least + (most - least) * (double)((7 * i + 3) % count) / (double)(count - 1);
}

static void run_between(Tried *tried, Device *device, const char *method, const char *fixed,
                        const TrialSetting *setting, double least, double most, size_t count)
{
    free_parameter(&tried->of, method, fixed);
    *tried = (Tried){tried->of,
                     make(device, &tried->of, setting),
                     count,
                     test_take(count, sizeof(double)),
                     test_take(count * setting->metric_count, sizeof(double)),
                     test_take(count, sizeof(Status))};
    scatter(least, most, count, tried->values);
    run(tried, tried->values, count, tried->numbers, tried->status);
}

static void release(Tried *tried)
{
    trial_free(tried->trial);
    catalog_free(&tried->of.catalog);
}

// The numbers of the variables after the status are those of the sweep whose text is `sweep`, the values and `rest`.
static void expect_sweep(const Tried *tried, Device *device, const char *sweep, const char *rest)
{
    Text         text SCOPED(text_free) = {0};
    const size_t count = tried->count;
    add_list(&text, sweep, tried->values, count);
    text_add(&text, "%s", rest);
    RUN(ran, device, 0, text.text);
    const Group *group = group_at(&ran, 0);
    assert_int_equal(group->point_count, count);
    for (size_t i = 0; i < count; ++i) {
        const int due = (int)number(&ran, 0, "status", i);
        assert_int_equal(tried->status[i], due);
        for (size_t v = 1; v < group->variable_count; ++v) {
            const double stored = results_value(&ran.results[0], v, i, 0), found = tried->numbers[(v - 1) * count + i],
                         expected = due == STATUS_OK ? stored : plain_nan((double)NAN);
            if (memcmp(&found, &expected, sizeof found) != 0)
                fail_msg("%s at point %zu: %.17g, in the sweep %.17g", group->variables[v].name, i, found, expected);
        }
    }
}

static void assert_all_well(const Tried *tried)
{
    for (size_t i = 0; i < tried->count; ++i)
        assert_int_equal(tried->status[i], STATUS_OK);
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
    static double others[2][MOST_METRICS * POINTS];
    double        values[POINTS];
    Tried         tried SCOPED(release) = {0};
    run_between(&tried, *state, "generalized_alpha", NULL, &pendulum, 0.0, 1.0, POINTS);
    assert_all_well(&tried);
    scatter(0.3, 0.5, POINTS, values);
    for (size_t i = 0; i < 2; ++i) {
        run(&tried, values, POINTS, others[i], NULL);
        run(&tried, tried.values, POINTS, tried.numbers, tried.status);
    }
    expect_sweep(&tried, *state, PENDULUM_SWEEP "methods: [generalized_alpha: {rho_inf", "}]\n");
    assert_memory_equal(others[0], others[1], sizeof others[0]);
    assert_memory_not_equal(others[0], tried.numbers, pendulum.metric_count * POINTS * sizeof(double));
    assert_true(trial_step(tried.trial) == 0.1);
    assert_true(trial_steps(tried.trial) == 200.0);
    // Numbers do not depend on their neighbours, in whatever number they come.
    for (size_t i = 0; i < 5; ++i) {
        double alone[MOST_METRICS];
        run(&tried, &tried.values[i], 1, alone, NULL);
        for (size_t m = 0; m < pendulum.metric_count; ++m)
            assert_memory_equal(&alone[m], &tried.numbers[m * POINTS + i], sizeof alone[m]);
    }
    run(&tried, NULL, 0, NULL, NULL);
}

TEST(a_tied_parameter_is_a_zip)
{
    double betas[POINTS];
    Tried  tried SCOPED(release) = {0};
    Text   rest SCOPED(text_free) = {0};
    run_between(&tried, *state, "newmark", NULL, &pendulum, 0.5, 1.0, POINTS);
    for (size_t i = 0; i < POINTS; ++i) {
        const double gamma = tried.values[i];
        double       both[2];
        family_at(&tried.of.family, gamma, both);
        betas[i] = both[tried.of.family.tied];
        assert_true(fabs(betas[i] - (gamma + 0.5) * (gamma + 0.5) / 4.0) < 1e-15);
    }
    add_list(&rest, ", beta", betas, POINTS);
    text_add(&rest, "}]\n");
    expect_sweep(&tried, *state, PENDULUM_SWEEP "design: zip\nmethods: [newmark: {gamma", rest.text);
}

TEST(a_fixed_parameter_stays)
{
    Tried tried SCOPED(release) = {0};
    run_between(&tried, *state, "newmark", "gamma=0.6", &pendulum, 0.3025, 1.0, POINTS);
    assert_all_well(&tried);
    expect_sweep(&tried, *state, PENDULUM_SWEEP "methods: [newmark: {gamma: 0.6, beta", "}]\n");
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
    Tried                    tried SCOPED(release) = {0};
    run_between(&tried, *state, "theta2", NULL, &setting, 0.0, 1.0, POINTS);
    assert_all_well(&tried);
    expect_sweep(
        &tried, *state,
        "problem: elastic_pendulum_polar\nparameters: {eps: 0.1}\nstep: 0.05\nend: 10\n"
        "newton: {tolerance: 1.0e-10, jacobian: analytic}\n"
        "metrics: [updates, radius_error_max, angle_error_max, residual_evaluations]\nmethods: [theta2: {theta",
        "}]\n");
    assert_true(trial_steps(tried.trial) == 200.0);
}

// More values than one launch takes. Beyond their limit, 2/sqrt(4 beta - 3), explicit steps run away.
TEST(points_fail_one_by_one)
{
    static const char *const metrics[] = {"x_max", "steps"};
    const TrialSetting       setting = {.problem = "harmonic_oscillator",
                                        .defaults = "step: 1.9\nsteps: 5000\nparameters: {zeta: 0}\n",
                                        .metrics = metrics,
                                        .metric_count = 2};
    size_t                   failed = 0;
    Tried                    tried SCOPED(release) = {0};
    run_between(&tried, *state, "chung_lee", NULL, &setting, 1.0, 28.0 / 27.0, MANY);
    expect_sweep(&tried, *state,
                 "problem: harmonic_oscillator\nparameters: {zeta: 0}\nstep: 1.9\nsteps: 5000\n"
                 "metrics: [x_max, {steps: {label: taken}}]\nmethods: [chung_lee: {beta",
                 "}]\n");
    for (size_t i = 0; i < MANY; ++i) {
        const bool ok = tried.status[i] == STATUS_OK;
        failed += !ok;
        assert_true(isnan(tried.numbers[i]) == !ok && isnan(tried.numbers[MANY + i]) == !ok);
        if (!ok) {
            assert_int_equal(tried.status[i], STATUS_NOT_FINITE);
            assert_true(1.9 > 2.0 / sqrt(4.0 * tried.values[i] - 3.0));
        }
    }
    assert_true(failed > MANY / 10 && failed < MANY - MANY / 10);
}

static void expect_refusal(Device *device, const Free *of, const TrialSetting *setting, const char *message)
{
    Trial *trial = NULL;
    assert_refused(trial_make(device, &of->catalog, &of->family, setting, &trial, &err), ERROR_USAGE, "");
    assert_null(trial);
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
    catalog_free(&of.catalog);
}
