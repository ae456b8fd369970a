// test_solution -- the tight solver against closed forms, and the metrics that compare with its tables.
#include "support/kernel_case.h"

#include "reference/reference.h"
#include "reference/tight.h"

// x'' = -k x with k = params[0], started anywhere.
static void spring(double t, const double *x, const double *v, const void *params, double *a)
{
    const double *k = params;
    (void)t;
    (void)v;
    a[0] = -k[0] * x[0];
}

static void gravity_pendulum(double t, const double *x, const double *v, const void *params, double *a)
{
    (void)t;
    (void)v;
    (void)params;
    a[0] = -sin(x[0]);
}

static double advance_to(void (*acceleration)(double, const double *, const double *, const void *, double *),
                         const double *params, double end, double *x, double *v)
{
    Tight tight = {.n = 1, .params = params, .acceleration = acceleration, .most = 100000000};
    assert_true(tight_advance(&tight, 0.0, end, x, v));
    return (double)tight.evaluations;
}

// Ten units of time of ever stiffer springs: to rounding, at a cost in proportion to the frequency.
static void test_springs(void **state)
{
    (void)state;
    for (double omega = 1.0; omega < 2e4; omega *= 10.0) {
        const double k = omega * omega;
        double       x = 0.3, v = omega;
        const double cost = advance_to(spring, &k, 10.0, &x, &v);
        const double right = 0.3 * cos(omega * 10.0) + sin(omega * 10.0);
        if (!(fabs(x - right) <= 2e-13 * fmax(10.0, omega)))
            fail_msg("omega %g: x is off by %g", omega, x - right);
        if (!(cost < 500.0 + 100.0 * 10.0 * omega))  // the first step has to be found
            fail_msg("omega %g: %g evaluations", omega, cost);
    }
}

// After one period, 4 K(sin(1/2)) by the arithmetic-geometric mean, the pendulum is where it was.
static void test_pendulum_period(void **state)
{
    (void)state;
    double a = 1.0, b = cos(0.5), x = 1.0, v = 0.0;
    for (int i = 0; i < 6; ++i) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    advance_to(gravity_pendulum, NULL, 2.0 * M_PI / a, &x, &v);
    assert_true(fabs(x - 1.0) < 1e-12 && fabs(v) < 1e-12);
}

// Landing at many times on the way is the same motion.
static void test_landings(void **state)
{
    (void)state;
    Tight  tight = {.n = 1, .acceleration = gravity_pendulum, .most = 1000000};
    double x = 2.0, v = 0.0, once_x = 2.0, once_v = 0.0;
    for (int i = 0; i < 1000; ++i)
        assert_true(tight_advance(&tight, i * 0.01, (i + 1) * 0.01, &x, &v));
    advance_to(gravity_pendulum, NULL, 10.0, &once_x, &once_v);
    assert_true(fabs(x - once_x) < 2e-12 && fabs(v - once_v) < 2e-12);
}

static void test_gives_up(void **state)
{
    (void)state;
    const double k = 1e12;
    Tight        tight = {.n = 1, .params = &k, .acceleration = spring, .most = 5000};
    double       x = 1.0, v = 0.0;
    assert_false(tight_advance(&tight, 0.0, 10.0, &x, &v));
    assert_true(tight.evaluations < 6000);
}

static void test_samples(void **state)
{
    (void)state;
    assert_int_equal(solution_every(1), 1);
    assert_int_equal(solution_samples(1), 2);
    assert_int_equal(solution_every(SOLUTION_SAMPLES), 1);
    assert_int_equal(solution_samples(SOLUTION_SAMPLES), SOLUTION_SAMPLES + 1);
    assert_int_equal(solution_every(2 * SOLUTION_SAMPLES + 1), 2);
    assert_int_equal(solution_samples(2 * SOLUTION_SAMPLES + 1), SOLUTION_SAMPLES + 2);  // the last step is odd
}

// Every point finds the table that holds its own parameters and step, and tables are as many as there are motions.
static void test_tables(void **state)
{
    Ran ran;
    build_text(&ran, *state, 1,
               "problem: pendulum\nparameters: {x0: [0.5, 1, 2], g: [1, 2]}\n"
               "methods:\n  - theta2: {theta: [0, 0.5]}\n  - rk4\n"
               "step: [0.1, 0.05]\nend: 1\nmetrics: [error_max]\n");
    const Group           *group = group_at(&ran, 0);
    const ReferenceOptions options = {.threads = 2};
    Solution               solution;
    Error                  err = {0};
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
    solution_free(&solution);
    ran_free(&ran);
}

// Points of a zip that differ in their method alone have one motion.
static void test_tables_of_a_zip(void **state)
{
    (void)state;
    PLAN(made, "problem: pendulum\ndesign: zip\nmethods: [theta2: {theta: [0, 0.5, 0.5]}, rk4]\nstep: 0.1\nend: 1\n"
               "metrics: [error_max]\n");
    assert_int_equal(solution_tables(&made.plan.groups[0]), 1);
    assert_int_equal(solution_table(&made.plan.groups[0], 2), 0);
    assert_int_equal(solution_point(&made.plan.groups[0], 0), 0);
    assert_int_equal(solution_tables(&made.plan.groups[1]), 1);
    made_free(&made);
    PLAN(own, "problem: pendulum\ndesign: zip\nparameters: {x0: [1, 1, 2]}\nmethods: [theta2: {theta: [0, 0.5, 1]}]\n"
              "step: 0.1\nend: 1\nmetrics: [error_max]\n");
    assert_int_equal(solution_tables(&own.plan.groups[0]), 3);
    assert_int_equal(solution_table(&own.plan.groups[0], 2), 2);
    made_free(&own);
}

// A fine fifth-order run is within 1e-11 of the table, more steps than samples or fewer; a coarse one is off by what
// its final state is off.
static void test_error(void **state)
{
    Ran ran;
    run_text(&ran, *state, 0,
             "problem: pendulum\nparameters: {x0: 1}\nmethods: [dopri5, trapezoidal]\n"
             "step: [0.001, 0.02]\nend: 10\nmetrics: [error_max, error_final, x_final]\n");
    for (size_t p = 0; p < 2; ++p) {
        const double off = fabs(number(&ran, 1, "x_final", p) - number(&ran, 0, "x_final", 0));
        assert_true(number(&ran, 0, "error_max", p) < (p == 0 ? 1e-12 : 1e-9));
        assert_true(number(&ran, 0, "error_final", p) <= number(&ran, 0, "error_max", p));
        assert_true(fabs(number(&ran, 1, "error_final", p) - off) <= 1e-3 * off + 1e-12);
        assert_true(number(&ran, 1, "error_max", p) >= number(&ran, 1, "error_final", p) && off > 1e-9);
    }
    ran_free(&ran);
}

// As eps falls the elastic pendulum goes the way of the rigid one, its distance in proportion to eps.
static void test_limit(void **state)
{
    Ran ran;
    run_text(&ran, *state, 0,
             "problem: elastic_pendulum_polar\nparameters: {eps: [0.2, 0.01, 0.001]}\n"
             "methods: [{dopri5_adaptive: {rtol: 1.0e-9}}]\nstep: 0.01\nend: 5\nsubsteps: {budget: 10000}\n"
             "metrics: [error_max, angle_error_max, visually_correct, {visually_correct: {to: 0.1, label: early}}]\n");
    assert_true(number(&ran, 0, "visually_correct", 0) == 0.0 && number(&ran, 0, "visually_correct", 1) == 1.0);
    assert_true(number(&ran, 0, "early", 1) == 1.0);
    const double ratio = number(&ran, 0, "angle_error_max", 1) / number(&ran, 0, "angle_error_max", 2);
    assert_true(ratio > 8.0 && ratio < 12.0);
    assert_true(number(&ran, 0, "error_max", 2) < 1e-6);
    ran_free(&ran);
}

// Angles are compared around the circle: a pendulum that goes over the top in polar coordinates is as far from the
// limit as in Cartesian ones, whose angle jumps.
static void test_around(void **state)
{
    double      far[2];
    const char *names[] = {"polar", "cartesian"};
    static char text[512];
    for (int i = 0; i < 2; ++i) {
        Ran ran;
        snprintf(text, sizeof text,
                 "problem: elastic_pendulum_%s\nparameters: {eps: 0.3, k: 6}\n"
                 "methods: [dopri5]\nstep: 0.001\nend: 8\nmetrics: [angle_error_max, status]\n",
                 names[i]);
        run_text(&ran, *state, 0, text);
        far[i] = number(&ran, 0, "angle_error_max", 0);
        ran_free(&ran);
    }
    assert_true(far[0] <= M_PI && fabs(far[0] - far[1]) < 1e-6);
}

// What cannot be compared is refused with the sweep, before a file is made.
static void test_refusals(void **state)
{
    static const char many[] =
        "problem: pendulum\nparameters: {x0: {linear: [0, 3, 100000]}, g: {linear: [1, 2, 10000]}}\n"
        "methods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [error_max]\n";
    static const char large[] = "problem: pendulum\nparameters: {x0: {linear: [0, 3, 1000000]}}\n"
                                "methods: [rk4]\nstep: 0.001\nend: 1\nmetrics: [error_max]\n";
    const char       *texts[] = {many, large};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        Made made;
        plan_from(&made, texts[i], (const char *)NULL);
        assert_false(made.fine);
        assert_int_equal(made.err.kind, ERROR_INPUT);
        assert_non_null(strstr(made.err.message, "leave these metrics out"));
        made_free(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_springs),         cmocka_unit_test(test_pendulum_period), cmocka_unit_test(test_landings),
        cmocka_unit_test(test_gives_up),        cmocka_unit_test(test_samples),         cmocka_unit_test(test_tables),
        cmocka_unit_test(test_tables_of_a_zip), cmocka_unit_test(test_error),           cmocka_unit_test(test_limit),
        cmocka_unit_test(test_refusals),        cmocka_unit_test(test_around),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
