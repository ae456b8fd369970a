// test_point -- the steps, samples, stored trajectories and blocks of points, and the buffers of their results.
#include "support/plan_from.h"

#define TIMES "step: 0.1\nend: 1\n"
#define POLAR "problem: elastic_pendulum_polar\n"

TEST(steps_follow_step_and_end)
{
    PLAN(made, "problem: pendulum\nmethods: [rk4]\nstep: [0.1, 0.3, 0.25, 1]\nend: 1\n");
    const Group          *group = &made.plan.groups[0];
    static const uint64_t steps[] = {10, 3, 4, 1};
    assert_true(group->step_given && group->end_given && !group->steps_given);
    for (uint64_t p = 0; p < 4; ++p) {
        assert_int_equal(group_steps(group, p), steps[p]);
        assert_true(group_step(group, p) == group->axes[0].values[p]);
    }
    assert_int_equal(made.plan.warning_count, 1);
    assert_non_null(strstr(made.plan.warnings[0],
                           ":3:7: step: whole steps do not reach end 1 for 1 of 4 values; step 0.3 misses it by 0.1"));
    // The rounding of 0.1 is not a miss, nor is 1e-9 of the end; a little more is.
    PLAN(near, "problem: pendulum\nmethods: [rk4]\nstep: 0.1000000000999\nend: 1\n");
    assert_int_equal(near.plan.warning_count, 0);
    PLAN(off, "problem: pendulum\nmethods: [rk4]\nstep: 0.1000000001001\nend: 1\n");
    assert_int_equal(off.plan.warning_count, 1);
}

TEST(step_follows_end_and_steps)
{
    PLAN(made, "problem: pendulum\nmethods: [rk4]\nsteps: [1, 3, 7, 1000]\nend: 0.7\n");
    const Group *group = &made.plan.groups[0];
    assert_int_equal(group->axes[0].role, AXIS_STEPS);
    assert_string_equal(group->axes[0].name, "steps");
    for (uint64_t p = 0; p < 4; ++p) {
        assert_int_equal(group_steps(group, p), (uint64_t)group->axes[0].values[p]);
        assert_true(group_step(group, p) == 0.7 / group->axes[0].values[p]);
    }
    // The counter of that name gives way to the axis.
    assert_null(find_variable(group, "steps"));
    assert_non_null(find_variable(group, "updates"));

    PLAN(both, "problem: pendulum\nmethods: [rk4]\nsteps: [10, 20]\nstep: [0.5, 0.25, 0.125]\n");
    assert_int_equal(both.plan.groups[0].point_count, 6);
    assert_string_equal(both.plan.groups[0].axes[0].name, "step");
    assert_int_equal(group_steps(&both.plan.groups[0], 3), 20);
    assert_true(group_step(&both.plan.groups[0], 3) == 0.25);
}

TEST(zip_pairs_its_axes)
{
    PLAN(
        made,
        "problem: pendulum\nmethods: [{generalized_alpha: {rho_inf: [0.9, 0.6, 0.6]}}]\nstep: [0.1, 0.2, 0.5]\nend: 1\n"
        "parameters: {x0: {linear: [1, 2, 3]}}\ndesign: zip\n");
    const Group *group = &made.plan.groups[0];
    assert_int_equal(group->design, DESIGN_ZIP);
    assert_int_equal(group->point_count, 3);
    assert_int_equal(group->axis_count, 3);
    assert_int_equal(group->dim_count, 1);
    assert_string_equal(group->dims[0].name, "point");
    for (uint64_t p = 0; p < 3; ++p) {
        assert_int_equal(group_index(group, 0, p), p);
        for (size_t a = 0; a < 3; ++a)
            assert_true(group_axis_value(group, a, p) == group->axes[a].values[p]);
    }
    assert_true(group_step(group, 1) == 0.2 && group_value(group, group->method_parameters[0], 0) == 0.9);
}

// Points of a grid, in any order, with the trajectories that the grid stores of them.
TEST(points_are_picked)
{
    PLAN(made, POLAR "methods: [theta2: {theta: [0.1, 0.2, 0.3]}]\nstep: [0.1, 0.05]\nend: 1\nmetrics: []\n"
                     "trajectory: {every: 5, where: {theta: [0.1, 0.3], step: 0.05}}\n");
    const uint64_t points[] = {4, 5, 0, 3};
    const Group   *group = &made.plan.groups[0];
    Group          picked;
    assert_true(group_pick(group, points, 4, &arena, &picked, &made.err));
    assert_int_equal(picked.point_count, 4);
    assert_int_equal(picked.dim_count, 1);
    assert_int_equal(picked.block_count, 1);
    for (uint64_t i = 0; i < 4; ++i) {
        bool stored = false, was = false;
        assert_true(group_step(&picked, i) == group_step(group, points[i]));
        assert_int_equal(group_steps(&picked, i), group_steps(group, points[i]));
        assert_true(group_value(&picked, picked.method_parameters[0], i) ==
                    group_value(group, group->method_parameters[0], points[i]));
        group_slot(&picked, i, &stored);
        group_slot(group, points[i], &was);
        assert_int_equal(stored, was);
    }
    assert_int_equal(picked.trajectory.slot_count, 2);
    assert_int_equal(group_slot(&picked, 3, NULL), 1);
}

TEST(trajectories_are_sampled)
{
    PLAN(made, POLAR "methods: [theta2]\nstep: [0.1, 0.01]\nend: 1\ntrajectory: {every: 3, fields: [condition, x, "
                     "updates]}\nmetrics: []\n");
    const Group *group = &made.plan.groups[0];
    assert_true(group->trajectory.stored);
    assert_int_equal(group->trajectory.every, 3);
    assert_int_equal(group->trajectory.sample_count, 34);
    assert_int_equal(group_samples(group, 0), 4);
    assert_int_equal(group_samples(group, 1), 34);
    assert_int_equal(group_sample_step(group, 0, 3), 9);
    assert_int_equal(group->trajectory.slot_count, 2);
    assert_int_equal(group->variable_count, 4);
    assert_string_equal(group->variables[1].name, "condition");
    assert_string_equal(group->variables[2].name, "x");
    assert_string_equal(group->variables[3].name, "updates_so_far");
    assert_int_equal(group->variables[1].width, 34);
    assert_int_equal(group->variables[2].width, 68);
    assert_true(group->variables[2].per_dof && group->variables[2].trajectory && !group->variables[1].per_dof);
    // status for 2 points; 34 + 68 + 34 doubles for each of 2 slots
    assert_int_equal(made.plan.data_bytes, 2 + 2 * 8 * (34 + 68 + 34));

    PLAN(samples, POLAR "methods: [theta2]\nsteps: [10, 1000]\nend: 1\ntrajectory: {samples: 8}\nmetrics: []\n");
    group = &samples.plan.groups[0];
    assert_int_equal(group->trajectory.every, 0);
    for (size_t k = 0; k < 8; ++k) {
        assert_int_equal(group_sample_step(group, 0, k), k * 10 / 7);
        assert_int_equal(group_sample_step(group, 1, k), k * 1000 / 7);
    }
    assert_int_equal(group_samples(group, 0), 8);
    assert_string_equal(group->variables[1].name, "x");
    assert_string_equal(group->variables[2].name, "v");
}

// No product of large numbers overflows: floor(k N/(M - 1)) for N = 2^52.
TEST(samples_of_long_runs_are_exact)
{
    PLAN(made, "problem: pendulum\nmethods: [rk4]\nsteps: 4503599627370496\nend: 1\ntrajectory: {samples: "
               "1000001}\nmetrics: []\n");
    const Group *group = &made.plan.groups[0];
    assert_int_equal(group_sample_step(group, 0, 1000000), UINT64_C(4503599627370496));
    assert_int_equal(group_sample_step(group, 0, 1), UINT64_C(4503599627));
    assert_int_equal(group_sample_step(group, 0, 999999), UINT64_C(4503595123770868));
}

// group_slot() against counting point by point.
static void check_slots(const Group *group)
{
    uint64_t slots = 0;
    for (uint64_t point = 0; point <= group->point_count; ++point) {
        bool selected = false;
        assert_int_equal(group_slot(group, point, &selected), slots);
        slots += selected;
    }
    assert_int_equal(slots, group->trajectory.slot_count);
}

TEST(where_selects_trajectories)
{
    PLAN(
        made, POLAR TIMES
        "methods: [{generalized_alpha: {rho_inf: [0.3, 0.5, 0.6, 0.9]}}, rk4, {theta2: {theta: {linear: [0, 1, 5]}}}]\n"
        "parameters: {eps: {log: [1e-5, 1e-1, 5]}, k: [1, 2, 3]}\n"
        "trajectory: {every: 1, where: {eps: [1e-2, 1.0e-4, 0.0101], rho_inf: 0.6, theta: {linear: [0, 1, 2]}}}\n");
    const Group *alpha = &made.plan.groups[0], *rk4 = &made.plan.groups[1], *theta2 = &made.plan.groups[2];
    assert_int_equal(alpha->trajectory.selected_count[0], 2);
    assert_int_equal(alpha->trajectory.selected[0][0], 1);
    assert_int_equal(alpha->trajectory.selected[0][1], 3);
    assert_int_equal(alpha->trajectory.selected_count[1], 3);
    assert_int_equal(alpha->trajectory.selected_count[2], 1);
    assert_int_equal(alpha->trajectory.selected[2][0], 2);
    assert_int_equal(alpha->trajectory.slot_count, 6);
    assert_int_equal(rk4->trajectory.slot_count, 6);
    assert_int_equal(theta2->trajectory.slot_count, 12);
    check_slots(alpha);
    check_slots(rk4);
    check_slots(theta2);
    assert_int_equal(made.plan.warning_count, 1);
    assert_non_null(strstr(made.plan.warnings[0], ": trajectory.where: axis 'eps' has no value 0.0101, 0.01 is taken"));

    PLAN(zip,
         POLAR TIMES "methods: [rk4]\ndesign: zip\nparameters: {eps: [0.1, 0.2, 0.1, 0.2, 0.1], k: [1, 1, 2, 2, 1]}\n"
                     "trajectory: {samples: 2, where: {eps: 0.1, k: 1}}\n");
    const Group *pairs = &zip.plan.groups[0];
    assert_int_equal(pairs->trajectory.slot_count, 2);
    assert_int_equal(pairs->trajectory.selected[0][0], 0);
    assert_int_equal(pairs->trajectory.selected[0][1], 4);
    check_slots(pairs);

    PLAN(single, POLAR TIMES "methods: [rk4]\ntrajectory: {every: 1}\n");
    assert_int_equal(single.plan.groups[0].trajectory.slot_count, 1);
    check_slots(&single.plan.groups[0]);
    PLAN(none, POLAR TIMES "methods: [rk4]\nparameters: {k: [1, 2]}\n");
    check_slots(&none.plan.groups[0]);
}

TEST(blocks_follow_from_the_plan)
{
    PLAN(plain, POLAR TIMES "methods: [rk4, theta2]\nparameters: {k: {linear: [0, 1, 2500]}}\nmetrics: []\n");
    assert_int_equal(plain.plan.groups[0].block_points, 1024);
    assert_int_equal(plain.plan.groups[0].block_count, 3);
    assert_int_equal(plain.plan.groups[1].first_block, 3);
    assert_int_equal(plain.plan.block_count, 6);
    assert_int_equal(plain.plan.point_count, 5000);
    assert_int_equal(plain.plan.data_bytes, 5000);
    // 1001 samples of x and v of 2 dofs: 32032 bytes each, 523 in 16 MiB.
    PLAN(stored, POLAR
         "step: 0.1\nend: 100\nmethods: [rk4]\nparameters: {k: {linear: [0, 1, 2500]}}\ntrajectory: {every: 1}\n");
    assert_int_equal(stored.plan.groups[0].block_points, 523);
    assert_int_equal(stored.plan.groups[0].block_count, 5);
    // Longer than 16 MiB: one point to a block.
    PLAN(large, POLAR "step: 1.0e-5\nend: 100\nmethods: [rk4]\nparameters: {k: [1, 2]}\ntrajectory: {every: 1}\n");
    assert_int_equal(large.plan.groups[0].block_points, 1);
    assert_int_equal(large.plan.groups[0].block_count, 2);
}

// A sweep of 10^12 points is counted, and costs no memory by point.
TEST(many_points_are_only_counted)
{
    PLAN(made, POLAR TIMES
         "methods: [rk4]\nmetrics: [updates]\nparameters: {eps: {linear: [1, 2, 10000]}, k: {linear: [1, 2, 10000]},"
         " g: {linear: [1, 2, 10000]}}\ntrajectory: {every: 1, where: {k: 1}}\n");
    const Group *group = &made.plan.groups[0];
    assert_int_equal(made.plan.point_count, UINT64_C(1000000000000));
    assert_int_equal(made.plan.data_bytes, UINT64_C(9000000000000) + UINT64_C(100000000) * 11 * 4 * 8);
    assert_int_equal(group_index(group, 0, UINT64_C(999999999999)), 9999);
    assert_int_equal(group_index(group, 1, UINT64_C(123456789012)), 5678);
    assert_int_equal(group_slot(group, UINT64_C(123400005678), NULL), UINT64_C(12345678));
}

TEST(results_hold_every_type)
{
    PLAN(made, POLAR TIMES "methods: [theta2]\nprecision: single\nparameters: {k: {linear: [0, 1, 1500]}}\n"
                           "metrics: [updates, depth_max, x_final, decay_rate]\ntrajectory: {every: 5, fields: [x], "
                           "where: {k: [0, 1]}}\n");
    const Group *group = &made.plan.groups[0];
    Results      results;
    const Batch  first = batch_make(group, 0, 1), last = batch_make(group, 1, 1), both = batch_make(group, 0, 99);
    assert_true(first.first_point == 0 && first.point_count == 1024 && first.first_slot == 0 && first.slot_count == 1);
    assert_true(last.first_point == 1024 && last.point_count == 476 && last.first_slot == 1 && last.slot_count == 1);
    assert_true(both.point_count == 1500 && both.slot_count == 2);
    assert_true(results_make(group, 10, 2, &results, &err));
    const double values[] = {1, 1e10, 20, 0.1, -2.5, 1.0 / 3.0};  // status, updates, depth_max, x_final, decay_rate, x
    const double stored[] = {1, 1e10, 20, 0.1, -2.5, (double)(float)(1.0 / 3.0)};
    for (size_t i = 0; i < group->variable_count; ++i) {
        const size_t row = group->variables[i].trajectory ? 1 : 9, last_element = group->variables[i].width - 1;
        results_put(&results, i, row, last_element, values[i]);
        assert_true(results_value(&results, i, row, last_element) == stored[i]);
        assert_true(results_value(&results, i, row - 1, last_element) == 0.0);
    }
    uint64_t bits64;
    uint32_t bits32;
    results_put(&results, 4, 3, 0, -NAN);
    memcpy(&bits64, results_at(&results, 4, 3), sizeof bits64);
    assert_true(bits64 == UINT64_C(0x7FF8000000000000));
    results_put(&results, 5, 0, 0, -NAN);
    memcpy(&bits32, results_at(&results, 5, 0), sizeof bits32);
    assert_true(bits32 == UINT32_C(0x7FC00000));
    assert_true(isnan(results_value(&results, 5, 0, 0)));
    results_put(&results, 2, 0, 0, 1e300);
    assert_true(results_value(&results, 2, 0, 0) == 2147483647.0);
    results_put(&results, 1, 0, 0, 2.9);
    assert_true(results_value(&results, 1, 0, 0) == 2.0);
    results_free(&results);
    assert_null(results.data);
}

TEST(statuses_have_names)
{
    static const char *const names[] = {"not_run",         "ok",         "newton_failed", "depth_exceeded",
                                        "budget_exceeded", "not_finite", "singular",      "chatter"};
    assert_int_equal(STATUS_COUNT, 8);
    for (size_t i = 0; i < STATUS_COUNT; ++i)
        assert_string_equal(plan_status_names[i], names[i]);
    assert_int_equal(group_type_bytes(TYPE_I8) + group_type_bytes(TYPE_I32) + group_type_bytes(TYPE_I64) +
                         group_type_bytes(TYPE_F32) + group_type_bytes(TYPE_F64),
                     25);
}
