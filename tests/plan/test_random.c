// test_random -- random designs of sweep files: dimensions, factors, groups, correlations, settings.
#include "support/plan_from.h"

#define POLAR "problem: elastic_pendulum_polar\nstep: 0.1\nend: 1\nmetrics: []\n"

// The points of a design lie along the last dimension, whatever stands before its factors.
TEST(factors_lie_along_the_last_dimension)
{
    PLAN(made, POLAR
         "parameters: {eps: {loguniform: [1e-4, 1e-1]}, k: [1, 2, 3], g: {normal: [9.81, 0.1]}}\n"
         "methods: [{theta2: {theta: [0.1, 0.3]}}, rk4]\ndesign: {random: {samples: 5, seed: 3}, inside: grid}\n");
    const Group *group = &made.plan.groups[0];
    assert_int_equal(group->design, DESIGN_RANDOM);
    assert_int_equal(group->dim_count, 3);
    assert_string_equal(group->dims[0].name, "k");
    assert_string_equal(group->dims[1].name, "theta");
    assert_string_equal(group->dims[2].name, "point");
    assert_true(group->dims[2].together && !group->dims[1].together);
    assert_int_equal(group->point_count, 30);
    assert_int_equal(group->axis_count, 4);
    assert_string_equal(group->axes[0].name, "eps");
    assert_null(group->axes[0].values);
    assert_string_equal(group->axes[0].distribution, "{loguniform: [0.0001, 0.1]}");
    const size_t eps = card_parameter(group->problem, "eps"), k = card_parameter(group->problem, "k"),
                 g = card_parameter(group->problem, "g");
    for (uint64_t p = 0; p < 30; ++p) {
        assert_true(group_value(group, group->problem_parameters[k], p) == (double)(1 + p / 10));
        assert_true(group_value(group, group->problem_parameters[eps], p) == sampling_value(group->sampling, 0, p % 5));
        assert_true(group_value(group, group->problem_parameters[g], p) == sampling_value(group->sampling, 1, p % 5));
    }
    // A method without a parameter has the same points.
    assert_int_equal(made.plan.groups[1].point_count, 15);
    assert_true(group_value(&made.plan.groups[1], made.plan.groups[1].problem_parameters[g], 3) ==
                group_value(group, group->problem_parameters[g], 3));
    double least, most;
    group_find_ends(group, group->problem_parameters[eps], &least, &most);
    assert_true(least == 1e-4 && most == 1e-1);
    group_find_ends(group, group->problem_parameters[k], &least, &most);
    assert_true(least == 1.0 && most == 3.0);
}

// What a plan says of its design can be read as YAML, and is all that its points depend on.
TEST(settings_say_the_design)
{
    PLAN(made, POLAR "parameters: {eps: {uniform: [0.1, 0.5]}, k: {choice: [1, 4]}, g: {integer: [9, 11]}}\n"
                     "methods: [{theta2: {theta: {uniform: [0.25, 0.5]}}}]\n"
                     "design: {saltelli: {samples: 8, second_order: true}, groups: {forces: [g, theta]}}\n");
    const Group *group = &made.plan.groups[0];
    assert_string_equal(group->sampling_text,
                        "{saltelli: {samples: 8, seed: 1, second_order: true}, groups: {eps: [eps], k: [k], forces: "
                        "[g, theta]}}");
    assert_non_null(strstr(made.plan.settings, group->sampling_text));
    assert_non_null(strstr(made.plan.settings, "k: {choice: [1, 4]}, g: {integer: [9, 11]}"));
    assert_int_equal(group->sampling->group_count, 3);
    assert_int_equal(group->sampling->roles, 8);
    assert_int_equal(group->point_count, 64);
    const uint64_t fingerprint = made.plan.fingerprint;
    PLAN(other, POLAR "parameters: {eps: {uniform: [0.1, 0.5]}, k: {choice: [1, 4]}, g: {integer: [9, 11]}}\n"
                      "methods: [{theta2: {theta: {uniform: [0.25, 0.5]}}}]\n"
                      "design: {saltelli: {samples: 8, second_order: true, seed: 2}, groups: {forces: [g, theta]}}\n");
    assert_true(other.plan.fingerprint != fingerprint);

    static const char *const designs[][2] = {
        {"{random: {samples: 7}}", "{random: {samples: 7, seed: 1}}"},
        {"{lhs: {samples: 7, optimise: 3}}", "{lhs: {samples: 7, seed: 1, optimise: 3}}"},
        {"{sobol: {samples: 8, scramble: false}}", "{sobol: {samples: 8, seed: 1, scramble: false}}"},
        {"{morris: {trajectories: 4, candidates: 9}}",
         "{morris: {trajectories: 4, seed: 1, levels: 4, candidates: 9}}"},
        {"one_at_a_time", "{one_at_a_time: {levels: 10}}"},
        {"{one_at_a_time: }", "{one_at_a_time: {levels: 10}}"},
        {"local", "{local: {step: 0.1, halvings: 4}}"}};
    for (size_t i = 0; i < sizeof designs / sizeof *designs; ++i) {
        char text[512];
        snprintf(text, sizeof text, POLAR "parameters: {eps: {uniform: [0.1, 0.5]}}\nmethods: [rk4]\ndesign: %s\n",
                 designs[i][0]);
        PLAN(one, text);
        assert_string_equal(one.plan.groups[0].sampling_text, designs[i][1]);
    }
}

// Rank correlations become those of normals; a factor that a method lacks is left out of its group's.
TEST(factors_are_correlated)
{
    PLAN(made,
         POLAR "parameters: {eps: {uniform: [0.1, 0.5]}, k: {normal: [1, 0.1]}}\n"
               "methods: [{theta2: {theta: {uniform: [0.25, 0.5]}}}, rk4]\ndesign: {sobol: {samples: 8}}\n"
               "correlated: [{of: [k, eps], spearman: 0.5}, {of: [theta, k], spearman: [[1, -0.25], [-0.25, 1]]}]\n");
    const double *matrix = made.plan.groups[0].sampling->correlation;
    const double  a = 2.0 * sin(M_PI * 0.5 / 6.0), b = 2.0 * sin(-M_PI * 0.25 / 6.0);
    const double  expected[] = {1.0, a, 0.0, a, 1.0, b, 0.0, b, 1.0};
    for (size_t i = 0; i < 9; ++i)
        assert_true(fabs(matrix[i] - expected[i]) < 1e-15);
    assert_non_null(strstr(made.plan.groups[0].sampling_text, ", correlation: [[1, 0.517"));
    matrix = made.plan.groups[1].sampling->correlation;
    assert_true(matrix[1] == made.plan.groups[0].sampling->correlation[1] && matrix[3] == 1.0);
}

// Steps, settings and trajectories follow factors as they follow axes.
TEST(steps_may_be_factors)
{
    PLAN(made, "problem: pendulum\nmethods: [theta2]\nsteps: {integer: [10, 40]}\nend: 2\n"
               "newton: {tolerance: {loguniform: [1e-10, 1e-4]}}\ndesign: {lhs: {samples: 64}}\n"
               "trajectory: {every: 4}\nmetrics: []\n");
    const Group *group = &made.plan.groups[0];
    assert_int_equal(group->trajectory.sample_count, 11);
    for (uint64_t p = 0; p < 64; ++p) {
        const uint64_t steps = group_steps(group, p);
        assert_in_range(steps, 10, 40);
        assert_true(group_step(group, p) == 2.0 / (double)steps);
        assert_int_equal(group_samples(group, p), steps / 4 + 1);
    }
    assert_int_equal(group->axes[1].role, AXIS_NEWTON);
    PLAN(step,
         "problem: pendulum\nmethods: [rk4]\nstep: {uniform: [0.01, 0.1]}\nend: 1\ndesign: {random: {samples: 9}}\n");
    assert_int_equal(step.plan.warning_count, 1);
    assert_non_null(
        strstr(step.plan.warnings[0], ":3:7: step: whole steps do not reach end 1 where the step is random"));
}

// One point of a design alone is what it is in the design.
TEST(points_are_picked_from_designs)
{
    PLAN(made, POLAR "parameters: {eps: {uniform: [0.1, 0.5]}, k: {lognormal: [0, 0.1]}}\nmethods: [rk4]\n"
                     "design: {saltelli: {samples: 16}}\ntrajectory: {every: 5, where: {eps: 0.3}}\n");
    const uint64_t points[] = {17, 3, 63};
    const Group   *group = &made.plan.groups[0];
    Group          picked;
    assert_true(group_pick(group, points, 3, &arena, &picked, &made.err));
    assert_null(picked.sampling);
    for (size_t i = 0; i < 3; ++i)
        for (size_t a = 0; a < 2; ++a)
            assert_true(picked.axes[a].values[i] == group_axis_value(group, a, points[i]));
    // `where` takes the nearest value, which A and AB_k share.
    assert_int_equal(made.plan.warning_count, 1);
    assert_int_equal(group->trajectory.slot_count, 2);
}

TEST(uneven_nets_are_warned_of)
{
    PLAN(made, POLAR "parameters: {eps: {uniform: [0.1, 0.5]}}\nmethods: [rk4]\ndesign: {sobol: {samples: 1000}}\n");
    assert_int_equal(made.plan.warning_count, 1);
    assert_non_null(strstr(made.plan.warnings[0], "take 512 or 1024 samples rather than 1000"));
    PLAN(even, POLAR "parameters: {eps: {uniform: [0.1, 0.5]}}\nmethods: [rk4]\ndesign: {sobol: {samples: 1024}}\n");
    assert_int_equal(even.plan.warning_count, 0);
}
