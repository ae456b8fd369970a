// test_plan -- every key of the sweep grammar and what it does to the plan.
#include "support/built_in.h"
#include "support/plan_from.h"

#include "plan/metric.h"

#define TIMES "step: 0.1\nend: 1\n"
#define POLAR "problem: elastic_pendulum_polar\n"

static size_t parameter_index(const Card *card, const char *name)
{
    return (size_t)(built_in_parameter(card, name) - card->parameters);
}

TEST(defaults_are_the_documented_ones)
{
    PLAN(made, "problem: pendulum\nmethods: [theta2]\n" TIMES);
    const Plan  *plan = &made.plan;
    const Group *group = &plan->groups[0];
    assert_string_equal(plan->title, plan->problem->title);
    assert_int_equal(plan->precision, PRECISION_DOUBLE);
    assert_int_equal(plan->group_count, 1);
    assert_int_equal(plan->point_count, 1);
    assert_int_equal(plan->warning_count, 0);
    assert_string_equal(group->label, "theta2");
    assert_string_equal(group->method->name, "theta2");
    assert_int_equal(group->design, DESIGN_GRID);
    assert_int_equal(group->axis_count, 0);
    assert_true(group->newton.scaled_residual && group->newton.cube_root_stencil && group->newton.floor_guard);
    assert_false(group->newton.modified || group->newton.extrapolated);
    assert_int_equal(group->newton.jacobian, JACOBIAN_ANALYTIC);
    assert_true(group->newton.tolerance.value == 1e-8 && group->newton.tolerance.axis == -1);
    assert_true(group->newton.max_updates.value == 50.0 && group->newton.max_updates.axis == -1);
    assert_int_equal(group->substeps.max_depth, 20);
    assert_true(group->substeps.budget == 200.0);
    assert_int_equal(group->substeps.start, START_THETA1);
    assert_false(group->trajectory.stored);
    for (size_t i = 0; i < plan->problem->parameter_count; ++i)
        assert_true(group->problem_parameters[i].value == plan->problem->parameters[i].initial &&
                    group->problem_parameters[i].axis == -1);
}

TEST(newton_keys_take_effect)
{
    PLAN(made,
         "problem: pendulum\n" TIMES "newton: {mode: paper, tolerance: 0, max_updates: 7}\n"
         "methods:\n"
         "- theta2\n"
         "- {label: mixed, theta2: , newton: {residual: scaled, stencil: cbrt, floor_guard: true, jacobian: forward}}\n"
         "- {label: robust, theta2: {}, newton: {mode: robust, residual: raw, jacobian: analytic, tolerance: 2}}\n"
         "- {label: sqrt, theta2: {}, newton: {mode: robust, stencil: sqrt, floor_guard: false, jacobian: central}}\n"
         "- {label: chord, theta2: {}, newton: {update: modified}}\n"
         "- {label: ahead, theta2: {}, newton: {guess: extrapolated}}\n"
         "- {label: own, theta2: {}, newton: {mode: robust}}\n");
    const Newton *paper = &made.plan.groups[0].newton, *mixed = &made.plan.groups[1].newton,
                 *robust = &made.plan.groups[2].newton, *root = &made.plan.groups[3].newton;
    assert_false(paper->scaled_residual || paper->cube_root_stencil || paper->floor_guard);
    assert_true(paper->tolerance.value == 0.0 && paper->max_updates.value == 7.0);
    assert_true(mixed->scaled_residual && mixed->cube_root_stencil && mixed->floor_guard);
    assert_int_equal(mixed->jacobian, JACOBIAN_FORWARD);
    assert_true(paper->jacobian == JACOBIAN_CENTRAL && root->jacobian == JACOBIAN_CENTRAL);
    assert_int_equal(made.plan.groups[6].newton.jacobian, JACOBIAN_ANALYTIC);
    assert_true(!robust->scaled_residual && robust->cube_root_stencil && robust->floor_guard);
    assert_int_equal(robust->jacobian, JACOBIAN_ANALYTIC);
    assert_true(robust->tolerance.value == 2.0 && robust->max_updates.value == 7.0);
    assert_true(root->scaled_residual && !root->cube_root_stencil && !root->floor_guard);
    assert_true(made.plan.groups[4].newton.modified && !paper->modified);
    assert_true(made.plan.groups[5].newton.extrapolated && !made.plan.groups[4].newton.extrapolated);
}

// By name or number; an entry's own sizes stand in place of the sweep's.
TEST(coordinates_may_have_a_least_size)
{
    PLAN(made, POLAR TIMES "newton: {scale: {theta: 0.5}}\n"
                           "methods:\n"
                           "- theta2\n"
                           "- {label: own, theta2: {}, newton: {scale: {x0: 2}, tolerance: 1.0e-6}}\n"
                           "- {label: none, theta2: {}, newton: {scale: {}}}\n"
                           "- {label: paper, theta2: {}, newton: {mode: paper, scale: {}}}\n"
                           "- rk4\n");
    const double *all = made.plan.groups[0].newton.scale, *own = made.plan.groups[1].newton.scale;
    assert_true(all[0] == 0.0 && all[1] == 0.5);
    assert_true(own[0] == 2.0 && own[1] == 0.0);
    for (size_t g = 2; g < 5; ++g)
        assert_null(made.plan.groups[g].newton.scale);
    assert_non_null(strstr(made.plan.settings, "max_updates: 50, scale: {theta: 0.5}}\n"));
    assert_non_null(strstr(made.plan.settings, "tolerance: 9.9999999999999995e-07, max_updates: 50, scale: {r: 2}}\n"));
    PLAN(chain, "problem: spring_chain\nparameters: {n: 12}\n" TIMES "methods: [theta2]\n", "newton.scale.u11=3",
         "newton.scale.x2=4");
    const double *many = chain.plan.groups[0].newton.scale;
    assert_true(many[11] == 3.0 && many[2] == 4.0 && many[0] == 0.0);
    assert_non_null(strstr(chain.plan.settings, "scale: {u2: 4, u11: 3}}\n"));
}

// A sweep's word holds for an entry that has other keys, and says nothing to an explicit method.
TEST(guesses_may_be_extrapolated)
{
    PLAN(made,
         "problem: pendulum\n" TIMES "newton: {guess: extrapolated}\n"
         "methods: [theta2, rk4, {label: own, theta1: {}, newton: {tolerance: 1}}, {label: last, bdf2: {}, newton: "
         "{guess: last}}]\n");
    assert_true(made.plan.groups[0].newton.extrapolated && made.plan.groups[2].newton.extrapolated);
    assert_false(made.plan.groups[3].newton.extrapolated);
}

TEST(substeps_keys_take_effect)
{
    PLAN(made, "problem: pendulum\n" TIMES "substeps: {max_depth: 0, budget: 2.5, start: trapezoidal}\n"
               "methods: [theta2, {label: own, theta2: {}, substeps: {start: theta1, max_depth: 20}}]\n");
    const Substeps *all = &made.plan.groups[0].substeps, *own = &made.plan.groups[1].substeps;
    assert_int_equal(all->max_depth, 0);
    assert_true(all->budget == 2.5 && all->start == START_TRAPEZOIDAL);
    assert_int_equal(own->max_depth, 20);
    assert_true(own->budget == 2.5 && own->start == START_THETA1);
}

TEST(methods_may_be_written_in_many_ways)
{
    PLAN(made, "problem: pendulum\n" TIMES
               "methods:\n- rk4\n- rk4:\n- {rk4: {}}\n- {rk4: ~, label: rk4_3}\n- rk4: {}\n  label: own\n"
               "- 'rk4'\n- {label: theta2, bdf2: {}}\n- theta2\n");
    static const char *const labels[] = {"rk4", "rk4_2", "rk4_4", "rk4_3", "own", "rk4_5", "theta2", "theta2_2"};
    assert_int_equal(made.plan.group_count, 8);
    for (size_t i = 0; i < 8; ++i)
        assert_string_equal(made.plan.groups[i].label, labels[i]);
    assert_string_equal(made.plan.groups[6].method->name, "bdf2");
    assert_string_equal(made.plan.groups[7].method->name, "theta2");
}

TEST(axes_come_in_the_promised_order)
{
    PLAN(made, POLAR "newton: {max_updates: [5, 6], tolerance: [1e-8, 1e-6, 1e-4]}\n"
                     "methods: [{newmark: {gamma: [0.5, 0.6], beta: {linear: [0.25, 0.5, 2]}}, parameters: {eps: [0.5, "
                     "0.25], g: [1, 2]},"
                     " newton: {tolerance: [1e-9]}}, {newmark: {}, newton: {tolerance: 0, max_updates: 9}}]\n"
                     "parameters: {k: [1, 2, 3], eps: 0.1}\nend: 1\nstep: {log: [1e-3, 1e-1, 3]}\n");
    const Group             *group = &made.plan.groups[0];
    static const char *const names[] = {"step", "k", "eps", "g", "gamma", "beta", "max_updates", "tolerance"};
    static const size_t      counts[] = {3, 3, 2, 2, 2, 2, 2, 1};
    static const AxisRole    roles[] = {AXIS_STEP,   AXIS_PROBLEM, AXIS_PROBLEM, AXIS_PROBLEM,
                                        AXIS_METHOD, AXIS_METHOD,  AXIS_NEWTON,  AXIS_NEWTON};
    uint64_t                 product = 1;
    assert_int_equal(group->axis_count, 8);
    for (size_t i = 0; i < 8; ++i) {
        assert_string_equal(group->axes[i].name, names[i]);
        assert_int_equal(group->axes[i].count, counts[i]);
        assert_int_equal(group->axes[i].role, roles[i]);
        assert_true(group->axes[i].unit && group->axes[i].about);
        product *= counts[i];
    }
    assert_int_equal(group->point_count, product);
    assert_int_equal(group->newton.tolerance.axis, 7);
    assert_int_equal(group->step.axis, 0);
    // The last axis is the fastest; counted by hand for one point.
    const uint64_t point = ((((((2 * 3 + 1) * 2 + 1) * 2 + 0) * 2 + 1) * 2 + 0) * 2 + 1) * 1;
    assert_true(group_step(group, point) == group->axes[0].values[2] && group->axes[0].values[2] == 1e-1);
    assert_true(group_value(group, group->problem_parameters[parameter_index(group->problem, "k")], point) == 2.0);
    assert_true(group_value(group, group->problem_parameters[parameter_index(group->problem, "eps")], point) == 0.25);
    assert_true(group_value(group, group->problem_parameters[parameter_index(group->problem, "g")], point) == 1.0);
    assert_true(group_value(group, group->method_parameters[parameter_index(group->method, "gamma")], point) == 0.6);
    assert_true(group_value(group, group->method_parameters[parameter_index(group->method, "beta")], point) == 0.25);
    assert_true(group_value(group, group->newton.max_updates, point) == 6.0);
    assert_true(group_value(group, group->newton.tolerance, point) == 1e-9);
    // An entry's numbers stand in for the sweep's axes.
    assert_int_equal(made.plan.groups[1].axis_count, 2);
    assert_true(made.plan.groups[1].newton.max_updates.value == 9.0 &&
                made.plan.groups[1].newton.max_updates.axis == -1);
}

TEST(axis_values_are_exact_at_their_ends)
{
    PLAN(made, POLAR TIMES
         "methods: [rk4]\nparameters: {eps: {log: [1.0e-5, 1.0e-1, 41]}, k: {linear: [-0.3, 0.7, 11]}, g: [7]}\n");
    const Axis *eps = &made.plan.groups[0].axes[0], *k = &made.plan.groups[0].axes[1],
               *g = &made.plan.groups[0].axes[2];
    assert_int_equal(eps->count, 41);
    assert_true(eps->values[0] == 1e-5 && eps->values[40] == 1e-1);
    for (size_t i = 1; i < 41; ++i)
        assert_true(fabs(eps->values[i] / eps->values[i - 1] / pow(10.0, 0.1) - 1.0) < 1e-14);
    // Powers of ten come out to the last bit but one.
    for (int i = 1; i < 4; ++i)
        assert_true(fabs(eps->values[10 * i] / pow(10.0, i - 5) - 1.0) <= 2.3e-16);
    assert_int_equal(k->count, 11);
    assert_true(k->values[0] == -0.3 && k->values[10] == 0.7 && fabs(k->values[3]) < 1e-16 && k->values[4] > 0.0999999);
    assert_int_equal(g->count, 1);
    assert_true(g->values[0] == 7.0);
    assert_int_equal(made.plan.groups[0].point_count, 451);

    // Ends whose interpolation is off by an ulp for many counts.
    for (int n = 2; n < 60; ++n) {
        char text[256];
        snprintf(text, sizeof text,
                 POLAR TIMES
                 "methods: [rk4]\nparameters: {eps: {log: [0.0123, 0.77, %d]}, k: {linear: [0.1, 0.7, %d]}}\n",
                 n, n);
        PLAN(ends, text);
        const Axis *axes = ends.plan.groups[0].axes;
        assert_true(axes[0].values[0] == 0.0123 && axes[0].values[n - 1] == 0.77);
        assert_true(axes[1].values[0] == 0.1 && axes[1].values[n - 1] == 0.7);
    }

    PLAN(single, POLAR TIMES "methods: [rk4]\nparameters: {eps: {log: [0.5, 0.5, 1]}, k: {linear: [0.1, 0.3, 2]}}\n");
    assert_true(single.plan.groups[0].axes[0].values[0] == 0.5 && single.plan.groups[0].axes[1].values[1] == 0.3);
}

TEST(words_are_choices)
{
    PLAN(made, POLAR TIMES
         "methods: [rk4, {label: p, rk4: {}, parameters: {variant: printed}}]\nparameters: {variant: right}\n");
    const size_t variant = parameter_index(made.plan.problem, "variant");
    assert_true(made.plan.groups[0].problem_parameters[variant].value == 0.0);
    assert_true(made.plan.groups[1].problem_parameters[variant].value == 1.0);
}

// Nor do linear stages: every point would run twice.
TEST(explicit_methods_have_no_newton_axes)
{
    PLAN(made, "problem: pendulum\n" TIMES "methods: [rk4, theta2, rodas5p]\nnewton: {tolerance: [1e-8, 1e-6]}\n");
    assert_int_equal(made.plan.group_count, 3);
    for (size_t g = 0; g < 3; ++g) {
        const bool solves = g == 1;
        assert_int_equal(made.plan.groups[g].axis_count, solves);
        assert_true((made.plan.groups[g].newton.tolerance.axis == -1) == !solves);
    }
    // Results that do not depend on a number have the same settings with another one.
    PLAN(loose, "problem: pendulum\n" TIMES "methods: [rk4, rodas5p]\nnewton: {tolerance: 1e-6, max_updates: 3}\n");
    PLAN(tight, "problem: pendulum\n" TIMES "methods: [rk4, rodas5p]\nnewton: {tolerance: 1e-9}\n");
    assert_string_equal(loose.plan.settings, tight.plan.settings);
}

TEST(precision_sets_types)
{
    static const char text[] =
        "problem: pendulum\nmethods: [theta2]\n" TIMES "trajectory: {every: 1, fields: [x, energy, updates]}\n";
    PLAN(single, text, "precision=single");
    PLAN(twice, text, "precision=double");
    assert_int_equal(single.plan.precision, PRECISION_SINGLE);
    const Group *group = &single.plan.groups[0];
    assert_int_equal(find_variable(group, "x")->type, TYPE_F32);
    assert_int_equal(find_variable(group, "updates_so_far")->type, TYPE_F32);
    assert_int_equal(find_variable(group, "x_final")->type, TYPE_F64);
    assert_int_equal(find_variable(&twice.plan.groups[0], "energy")->type, TYPE_F64);
    assert_true(single.plan.fingerprint != twice.plan.fingerprint);
}

static void expect_observed(const Group *group, size_t variable, Observed of, size_t dof, const char *name)
{
    const MetricInstance *instance = &group->instances[group->variables[variable].instance];
    assert_int_equal(instance->of, of);
    assert_int_equal(instance->of_dof, dof);
    assert_string_equal(metric_observed(group, instance), name);
}

// A name and a number say the same. A name that looks like a number is a name.
TEST(coordinates_are_observed_by_name)
{
    PLAN(polar, POLAR TIMES "methods: [theta2]\nmetrics: [{maximum: {of: v_theta}}, {maximum: {of: v1, label: b}}, "
                            "{maximum: {of: theta, label: c}}, {maximum: {of: x0, label: d}}, x_final, v_final]\n");
    const Group *group = &polar.plan.groups[0];
    expect_observed(group, 1, OBSERVED_V, 1, "v_theta");
    assert_int_equal(group->variables[1].instance, group->variables[2].instance);
    expect_observed(group, 3, OBSERVED_X, 1, "theta");
    expect_observed(group, 4, OBSERVED_X, 0, "r");
    assert_string_equal(group->variables[5].unit, "");
    assert_string_equal(group->variables[6].unit, "");

    PLAN(own,
         "problem: {coordinates: {x1: m, x2: m}, acceleration: [\"-x1\", \"-x2\"]}\n" TIMES
         "methods: [rk4]\nmetrics: [{maximum: {of: x1}}, {maximum: {of: x0, label: b}}, {maximum: {of: v_x2, label: "
         "c}}, x_final, v_final]\ntrajectory: {every: 1}\n");
    group = &own.plan.groups[0];
    expect_observed(group, 1, OBSERVED_X, 0, "x1");
    assert_int_equal(group->variables[1].instance, group->variables[2].instance);
    expect_observed(group, 3, OBSERVED_V, 1, "v_x2");
    for (size_t i = 4; i < 8; ++i)
        assert_string_equal(group->variables[i].unit, i % 2 == 0 ? "m" : "m/s");
}

TEST(metrics_are_kept_in_order)
{
    PLAN(
        made, POLAR TIMES
        "methods: [theta2]\nmetrics: [decay_rate, updates, {decay_rate: {of: fast, from: 2, to: 9, label: fast_decay}},"
        " x_final, period, {damping_ratio: {of: x1}}, {damping_ratio: {of: x0, label: other}}, depth_max, "
        "{kinetic_max: {from: 0.5}}, condition_last, {updates: {label: n}}, {kinetic_max: {from: 0.5, to: 3, label: "
        "early}},"
        " status]\n");
    const Group             *group = &made.plan.groups[0];
    static const char *const names[] = {
        "status", "decay_rate", "updates",     "fast_decay",     "x_final", "period", "damping_ratio",
        "other",  "depth_max",  "kinetic_max", "condition_last", "n",       "early"};
    static const VariableType types[] = {TYPE_I8,  TYPE_F64, TYPE_I64, TYPE_F64, TYPE_F64, TYPE_F64, TYPE_F64,
                                         TYPE_F64, TYPE_I32, TYPE_F64, TYPE_F64, TYPE_I64, TYPE_F64};
    assert_int_equal(group->variable_count, 13);
    for (size_t i = 0; i < 13; ++i) {
        assert_string_equal(group->variables[i].name, names[i]);
        assert_int_equal(group->variables[i].type, types[i]);
        assert_int_equal(group->variables[i].width, i == 4 ? 2 : 1);
        assert_int_equal(group->variables[i].per_dof, i == 4);
        assert_false(group->variables[i].trajectory);
        assert_true(group->variables[i].unit && group->variables[i].about);
        if (group->variables[i].source == SOURCE_METRIC)
            assert_true(group->variables[i].instance < group->instance_count);
    }
    assert_int_equal(group->variables[0].source, SOURCE_STATUS);
    // decay_rate and period observe the same coordinate: one run of the file serves both.
    assert_int_equal(group->variables[1].instance, group->variables[5].instance);
    assert_int_equal(group->variables[2].instance, group->variables[11].instance);
    assert_int_equal(group->instance_count, 8);
    const MetricInstance *slow = &group->instances[group->variables[1].instance],
                         *fast = &group->instances[group->variables[3].instance],
                         *dof = &group->instances[group->variables[6].instance],
                         *other = &group->instances[group->variables[7].instance],
                         *window = &group->instances[group->variables[9].instance],
                         *early = &group->instances[group->variables[12].instance];
    assert_true(slow->of == OBSERVED_SLOW && slow->from == 0.0 && isinf(slow->to));
    assert_true(fast->of == OBSERVED_FAST && fast->from == 2.0 && fast->to == 9.0);
    assert_true(dof->of == OBSERVED_X && dof->of_dof == 1);
    assert_true(other->of == OBSERVED_X && other->of_dof == 0);
    assert_true(window->from == 0.5 && isinf(window->to));
    assert_true(early->from == 0.5 && early->to == 3.0);
    assert_string_equal(fast->card->results[group->variables[3].result].name, "decay_rate");
    assert_ptr_equal(group_variable(group, SOURCE_X_FINAL), &group->variables[4]);
    assert_null(group_variable(group, SOURCE_V_FINAL));

    PLAN(none, "problem: pendulum\nmethods: [rk4]\n" TIMES "metrics: []\n");
    assert_int_equal(none.plan.groups[0].variable_count, 1);
}

// A file's name lists all its results, and a label stands before their names. Arguments are numbers, words of the card
// and formulas, which have a value at each point.
TEST(a_metric_takes_arguments)
{
    PLAN(made, "problem: duffing\nparameters: {force: [0.5, 2], delta: 0.25}\nmethods: [rk4]\n" TIMES
               "metrics: [{events: {level: 'force^2 - delta', direction: both, label: rise}}, {steady: {share: 0.25}},"
               " {event_last: {level: 'force^2 - delta', direction: both}}, {events: {of: v0, result: event_count}},"
               " {steady_amplitude: {share: 0.5, label: longer}}]\n");
    const Group             *group = &made.plan.groups[0];
    static const char *const names[] = {"status",
                                        "rise_event_count",
                                        "rise_event_first",
                                        "rise_event_last",
                                        "rise_event_interval",
                                        "steady_amplitude",
                                        "steady_offset",
                                        "steady_change",
                                        "event_last",
                                        "event_count",
                                        "longer"};
    assert_int_equal(group->variable_count, 11);
    for (size_t i = 0; i < 11; ++i)
        assert_string_equal(group->variables[i].name, names[i]);
    // The same formula and options: one run of the file serves both entries. Another share is another run.
    assert_int_equal(group->instance_count, 4);
    assert_true(metric_argument(group, &group->instances[3], 0, 0) == 0.5);
    assert_int_equal(group->variables[1].instance, group->variables[8].instance);
    const MetricInstance *events = &group->instances[0], *steady = &group->instances[1], *turns = &group->instances[2];
    assert_true(metric_argument(group, events, 0, 0) == 0.0 && metric_argument(group, events, 0, 1) == 3.75);
    assert_true(metric_argument(group, events, 1, 1) == 2.0);
    assert_true(metric_argument(group, steady, 0, 1) == 0.25);
    assert_true(turns->of == OBSERVED_V && metric_argument(group, turns, 0, 0) == 0.0);
    assert_non_null(strstr(made.plan.settings, "level: \"force^2 - delta\", direction: both"));

    // A file lists what the problem can give: no dissipation where there is none, one of first order no velocities.
    PLAN(free, "problem: double_pendulum\nmethods: [rk4]\n" TIMES "metrics: [balance]\n");
    assert_int_equal(free.plan.groups[0].variable_count, 2);
    PLAN(first, "problem: lorenz\nmethods: [rk4]\n" TIMES "metrics: [{poincare: {period: 0.5, samples: 7}}]\n");
    group = &first.plan.groups[0];
    assert_int_equal(group->variable_count, 3);
    assert_true(group->variables[1].sampled && group->variables[1].per_dof && group->variables[1].width == 21);

    // What a formula gives outside the range that the card permits is no number.
    PLAN(outside, "problem: duffing\nparameters: {force: [0.5, 2]}\nmethods: [rk4]\n" TIMES
                  "metrics: [{steady: {share: force}}]\n");
    group = &outside.plan.groups[0];
    assert_true(metric_argument(group, &group->instances[0], 0, 0) == 0.5);
    assert_true(isnan(metric_argument(group, &group->instances[0], 0, 1)));
}

// What a result needs is there where it is made by default, and every result that can be made is.
TEST(default_metrics_are_all_that_apply)
{
    const Catalog *catalog = built_in();
    for (size_t p = 0; p < catalog->card_count; ++p) {
        if (catalog->cards[p].kind != CARD_PROBLEM)
            continue;
        char text[256];
        snprintf(text, sizeof text, "problem: %s\nmethods: [rk4, theta2]\n" TIMES, catalog->cards[p].name);
        PLAN(made, text);
        for (size_t g = 0; g < 2; ++g) {
            const Group *group = &made.plan.groups[g];
            size_t       expected = group->problem->first_order ? 2 : 3;  // status, x_final, v_final
            for (size_t m = 0; m < catalog->card_count; ++m)
                for (size_t r = 0; r < catalog->cards[m].result_count; ++r) {
                    const Card       *card = &catalog->cards[m];
                    const CardResult *result = &card->results[r];
                    bool              applies = !card->listed;
                    for (size_t n = 0; n < card->need_count + result->need_count; ++n) {
                        const char *need = n < card->need_count ? card->needs[n] : result->needs[n - card->need_count];
                        // Without a closed form a solution to compare with costs time, and is made where it is asked
                        // for.
                        const char *needed = strcmp(need, "solution") == 0 ? "exact" : need;
                        applies =
                            applies && (strcmp(needed, "newton") == 0 ? g == 1 : card_provides(group->problem, needed));
                    }
                    expected += applies;
                    assert_int_equal(find_variable(group, result->name) != NULL, applies);
                }
            assert_int_equal(group->variable_count, expected);
        }
    }
    // Named by the user, it is kept for explicit methods too: their value is NaN.
    PLAN(made, "problem: pendulum\nmethods: [rk4, theta2]\n" TIMES "metrics: [condition_max]\n");
    assert_non_null(find_variable(&made.plan.groups[0], "condition_max"));
}

// A problem file of a user's, in /tmp as the sweep files of these tests are; `more` ends its text.
static void write_problem(char path[64], const char *more)
{
    snprintf(path, 64, "/tmp/pendula_test_%ld.cl", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "//: problem: pendula_test_%ld\n//: title: T\n//: equation: E\n//: dofs: 2\n//: parameters:\n"
            "//:   beta: {default: 1, unit: m, about: A}\n%s",
            (long)getpid(), more);
    fclose(file);
}

TEST(problems_may_be_files)
{
    char path[64], text[256];
    write_problem(path, "");
    // A path beginning ./ is taken from the sweep file's folder.
    snprintf(text, sizeof text,
             "problem: ./%s\nmethods: [{newmark: {beta: [0.25, 0.5]}}]\nparameters: {beta: [3, 4, 5]}\n" TIMES
             "trajectory: {every: 5, where: {newmark.beta: 0.5}}\n",
             path + strlen("/tmp/"));
    PLAN(made, text);
    const Group *group = &made.plan.groups[0];
    assert_int_equal(group->problem->dofs, 2);
    // Where problem and method have a parameter of the same name, the method's has another name.
    assert_string_equal(group->axes[0].name, "beta");
    assert_string_equal(group->axes[1].name, "newmark.beta");
    assert_int_equal(group->axes[1].role, AXIS_METHOD);
    assert_int_equal(group->trajectory.slot_count, 3);
    assert_null(find_variable(group, "energy_drift"));
    // The file's text counts, not only its card.
    write_problem(path, "// another body\n");
    PLAN(changed, text);
    assert_string_equal(made.plan.settings, changed.plan.settings);
    assert_true(made.plan.fingerprint != changed.plan.fingerprint);
    unlink(path);
}

TEST(settings_and_fingerprint_tell_plans_apart)
{
    static const char text[] =
        "problem: pendulum\nmethods: [{theta2: {theta: 0.5}}]\nstep: 0.1\nend: 1\nmetrics: [updates]\n";
    PLAN(made, text);
    assert_string_equal(
        made.plan.settings,
        "problem: pendulum\nprecision: double\ndesign: grid\ngroups:\n  - label: theta2\n    method: theta2\n"
        "    parameters: {g: 1, zeta: 0, x0: 1, v0: 0, forcing: none, force: 0, force_omega: 1}\n    "
        "method_parameters: {theta: 0.5}\n"
        "    step: 0.10000000000000001\n    end: 1\n"
        "    newton: {residual: scaled, stencil: cbrt, floor_guard: true, jacobian: analytic, update: full, guess: "
        "last, tolerance: "
        "1e-08, "
        "max_updates: 50}\n    substeps: {max_depth: 20, budget: 200, start: theta1}\n"
        "    metrics: [status, {updates: {label: updates}}]\n");
    // Said in other words it is the same plan.
    PLAN(same, "# a comment\nproblem: pendulum\ntitle: Other\nmethods:\n- theta2:\n    theta: 5e-1\nend: 1.0\nstep: "
               "1e-1\nmetrics: [status, updates]\n"
               "newton: {mode: robust}\nparameters: {zeta: 0}\n");
    assert_string_equal(made.plan.settings, same.plan.settings);
    assert_true(made.plan.fingerprint == same.plan.fingerprint);
    // A long axis is there by its ends and a hash of what lies between.
    PLAN(even, "problem: pendulum\nparameters: {x0: {linear: [1, 2, 2000]}}\nmethods: [rk4]\nstep: 0.1\nend: 1\n");
    PLAN(uneven, "problem: pendulum\nparameters: {x0: {log: [1, 2, 2000]}}\nmethods: [rk4]\nstep: 0.1\nend: 1\n");
    assert_non_null(strstr(even.plan.settings, "x0: {first: 1, last: 2, count: 2000, hash: "));
    assert_string_not_equal(even.plan.settings, uneven.plan.settings);
    static const char *const changes[] = {"end=2",
                                          "step=0.05",
                                          "step=[0.1]",
                                          "newton.mode=paper",
                                          "newton.tolerance=1e-9",
                                          "newton.max_updates=51",
                                          "newton.jacobian=forward",
                                          "newton.update=modified",
                                          "newton.guess=extrapolated",
                                          "newton.scale.x0=1",
                                          "newton.scale.x0=2",
                                          "substeps.start=trapezoidal",
                                          "substeps.budget=100",
                                          "substeps.max_depth=3",
                                          "parameters.x0=2",
                                          "methods.theta2.theta=0.25",
                                          "methods.theta2.label=t",
                                          "metrics=[steps]",
                                          "metrics=[{updates: {label: u}}]",
                                          "trajectory.every=1",
                                          "precision=single",
                                          "design=zip",
                                          "parameters.x0={linear: [0, 1, 2000]}",
                                          "parameters.x0={linear: [0, 1, 2001]}",
                                          "methods=[bdf2]",
                                          "problem=harmonic_oscillator"};
    enum { CHANGES = sizeof changes / sizeof *changes };
    uint64_t seen[CHANGES + 1] = {made.plan.fingerprint};
    for (size_t i = 0; i < CHANGES; ++i) {
        PLAN(other, text, changes[i]);
        seen[i + 1] = other.plan.fingerprint;
        for (size_t k = 0; k <= i; ++k)
            if (seen[k] == seen[i + 1])
                fail_msg("-s %s has the fingerprint of %s", changes[i], k == 0 ? "the plain sweep" : changes[k - 1]);
    }
}

TEST(titles_are_kept)
{
    PLAN(made, "title: Ein Pendel\nproblem: pendulum\nmethods: [rk4]\n" TIMES);
    assert_string_equal(made.plan.title, "Ein Pendel");
}
