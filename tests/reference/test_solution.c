// test_solution -- tables of solutions, and the metrics that compare with them.
#include "support/kernel_case.h"

#include "reference/reference.h"

AROUND_ALL(open_device, close_device)

TEST(test_samples)
{
    assert_int_equal(solution_every(1), 1);
    assert_int_equal(solution_samples(1), 2);
    assert_int_equal(solution_every(SOLUTION_SAMPLES), 1);
    assert_int_equal(solution_samples(SOLUTION_SAMPLES), SOLUTION_SAMPLES + 1);
    assert_int_equal(solution_every(2 * SOLUTION_SAMPLES + 1), 2);
    assert_int_equal(solution_samples(2 * SOLUTION_SAMPLES + 1), SOLUTION_SAMPLES + 2);  // the last step is odd
}

// Every point finds the table that holds its own parameters and step, and tables are as many as there are motions.
TEST(test_tables)
{
    Ran ran SCOPED(ran_free) = {0};
    build_text(&ran, *state, 1,
               "problem: pendulum\nparameters: {x0: [0.5, 1, 2], g: [1, 2]}\n"
               "methods:\n  - theta2: {theta: [0, 0.5]}\n  - rk4\n"
               "step: [0.1, 0.05]\nend: 1\nmetrics: [error_max]\n");
    const Group           *group = group_at(&ran, 0);
    const ReferenceOptions options = {.threads = 2};
    Solution               solution SCOPED(solution_free);
    assert_int_equal(solution_tables(group), 12);
    assert_true(solve_group(&ran.made.plan, group, &options, &solution, &err));
    assert_int_equal(solution.unsolved, 0);
    for (uint64_t point = 0; point < group->point_count; ++point) {
        const size_t          table = solution_table(group, point);
        const SolutionSamples samples = solution_of(&solution, group, point, group_steps(group, point));
        assert_true(table < 12);
        for (size_t i = 0; i < group->problem->parameter_count; ++i)
            assert_true(group_value(group, group->problem_parameters[i], point) ==
                            group_value(group, group->problem_parameters[i], solution_point(group, table)) ||
                        isnan(group_value(group, group->problem_parameters[i], point)));
        assert_true(group_step(group, point) == group_step(group, solution_point(group, table)));
        assert_true(solution_at(&samples, 0)[0] == group_value(group, group->problem_parameters[2], point));  // x0
    }
    assert_true(solution_serves(group, group_at(&ran, 1)));
}

// Points of a zip that differ in their method alone have one motion.
TEST(test_tables_of_a_zip)
{
    PLAN(made, "problem: pendulum\ndesign: zip\nmethods: [theta2: {theta: [0, 0.5, 0.5]}, rk4]\nstep: 0.1\nend: 1\n"
               "metrics: [error_max]\n");
    assert_int_equal(solution_tables(&made.plan.groups[0]), 1);
    assert_int_equal(solution_table(&made.plan.groups[0], 2), 0);
    assert_int_equal(solution_point(&made.plan.groups[0], 0), 0);
    assert_int_equal(solution_tables(&made.plan.groups[1]), 1);
    PLAN(own, "problem: pendulum\ndesign: zip\nparameters: {x0: [1, 1, 2]}\nmethods: [theta2: {theta: [0, 0.5, 1]}]\n"
              "step: 0.1\nend: 1\nmetrics: [error_max]\n");
    assert_int_equal(solution_tables(&own.plan.groups[0]), 3);
    assert_int_equal(solution_table(&own.plan.groups[0], 2), 2);
}

// Sweeps in units in which lengths are l times as many, and times t.
static void write_duffing(double l, double t, char text[1024])
{
    snprintf(
        text, 1024,
        "problem: duffing\nparameters: {delta: %.17g, alpha: %.17g, beta: %.17g, force: %.17g, force_omega: %.17g, "
        "x0: %.17g, v0: %.17g}\nmethods: [rk4]\nstep: %.17g\nend: %.17g\nmetrics: [error_max]\n",
        0.17 / t, -0.9 / (t * t), 1.4 / (t * t * l * l), 0.33 * l / (t * t), 0.9 / t, 0.7 * l, 0.2 * l / t, 0.05 * t,
        40.0 * t);
}

static void write_reaction(double l, double t, char text[1024])
{
    assert_true(l == 1.0);
    snprintf(text, 1024,
             "problem: robertson\nparameters: {k1: %.17g, k2: %.17g, k3: %.17g}\nmethods: [rk4]\nstep: %.17g\n"
             "end: %.17g\nmetrics: [error_max]\n",
             0.04 / t, 3e3 / t, 1e2 / t, 0.05 * t, 40.0 * t);
}

static void compare_units(void write(double, double, char[1024]), double l, double t)
{
    const ReferenceOptions options = {.threads = 1};
    const double           units[2][2] = {{1.0, 1.0}, {l, t}};
    Made                   made[2];
    Solution               solutions[2];
    for (int i = 0; i < 2; ++i) {
        char text[1024];
        write(units[i][0], units[i][1], text);
        plan_from(&made[i], text, (const char *)NULL);
        assert_true(made[i].fine && solve_group(&made[i].plan, &made[i].plan.groups[0], &options, &solutions[i], &err));
    }
    const size_t count = solutions[0].sample_count * made[0].plan.groups[0].solution.rows;
    assert_true(solutions[0].sample_count == 801 && solutions[1].sample_count == 801 && solutions[0].unsolved == 0);
    for (size_t k = 0; k < count; ++k)
        assert_true(solutions[0].numbers[k] == solutions[1].numbers[k] / l);
    for (int i = 0; i < 2; ++i) {
        solution_free(&solutions[i]);
        made_free(&made[i]);
    }
}

// Units that are powers of two leave every bit of a table.
TEST(test_units)
{
    compare_units(write_duffing, 0x1p40, 1.0);
    compare_units(write_duffing, 0x1p-33, 0x1p20);
    compare_units(write_reaction, 1.0, 0x1p-25);
}

// A fine fifth-order run is within 1e-11 of the table, more steps than samples or fewer; a coarse one is off by what
// its final state is off.
TEST(test_error)
{
    RUN(ran, *state, 0,
        "problem: pendulum\nparameters: {x0: 1}\nmethods: [dopri5, trapezoidal]\n"
        "step: [0.001, 0.02]\nend: 10\nmetrics: [error_max, error_final, x_final]\n");
    for (size_t p = 0; p < 2; ++p) {
        const double off = fabs(number(&ran, 1, "x_final", p) - number(&ran, 0, "x_final", 0));
        assert_true(number(&ran, 0, "error_max", p) < (p == 0 ? 1e-12 : 1e-9));
        assert_true(number(&ran, 0, "error_final", p) <= number(&ran, 0, "error_max", p));
        assert_true(fabs(number(&ran, 1, "error_final", p) - off) <= 1e-3 * off + 1e-12);
        assert_true(number(&ran, 1, "error_max", p) >= number(&ran, 1, "error_final", p) && off > 1e-9);
    }
}

// As eps falls the elastic pendulum goes the way of the rigid one, its distance in proportion to eps.
TEST(test_limit)
{
    RUN(ran, *state, 0,
        "problem: elastic_pendulum_polar\nparameters: {eps: [0.2, 0.01, 0.001]}\n"
        "methods: [{dopri5_adaptive: {rtol: 1.0e-9}}]\nstep: 0.01\nend: 5\nsubsteps: {budget: 10000}\n"
        "metrics: [error_max, angle_error_max, visually_correct, {visually_correct: {to: 0.1, label: early}}]\n");
    assert_true(number(&ran, 0, "visually_correct", 0) == 0.0 && number(&ran, 0, "visually_correct", 1) == 1.0);
    assert_true(number(&ran, 0, "early", 1) == 1.0);
    const double ratio = number(&ran, 0, "angle_error_max", 1) / number(&ran, 0, "angle_error_max", 2);
    assert_true(ratio > 8.0 && ratio < 12.0);
    assert_true(number(&ran, 0, "error_max", 2) < 1e-6);
}

// Angles are compared around the circle: a pendulum that goes over the top in polar coordinates is as far from the
// limit as in Cartesian ones, whose angle jumps.
TEST(test_around)
{
    double      far[2];
    const char *names[] = {"polar", "cartesian"};
    static char text[512];
    for (int i = 0; i < 2; ++i) {
        snprintf(text, sizeof text,
                 "problem: elastic_pendulum_%s\nparameters: {eps: 0.3, k: 6}\n"
                 "methods: [dopri5]\nstep: 0.001\nend: 8\nmetrics: [angle_error_max, status]\n",
                 names[i]);
        RUN(ran, *state, 0, text);
        far[i] = number(&ran, 0, "angle_error_max", 0);
    }
    assert_true(far[0] <= M_PI && fabs(far[0] - far[1]) < 1e-6);
}

// What cannot be compared is refused with the sweep, before a file is made.
TEST(test_refusals)
{
    static const char many[] =
        "problem: pendulum\nparameters: {x0: {linear: [0, 3, 100000]}, g: {linear: [1, 2, 10000]}}\n"
        "methods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [error_max]\n";
    static const char large[] = "problem: pendulum\nparameters: {x0: {linear: [0, 3, 1000000]}}\n"
                                "methods: [rk4]\nstep: 0.001\nend: 1\nmetrics: [error_max]\n";
    const char       *texts[] = {many, large};
    for (int i = 0; i < 2; ++i) {
        Made made SCOPED(made_free);
        plan_from(&made, texts[i], (const char *)NULL);
        assert_false(made.fine);
        assert_int_equal(made.err.kind, ERROR_INPUT);
        assert_non_null(strstr(made.err.message, "leave these metrics out"));
    }
}
