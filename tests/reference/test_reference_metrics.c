// test_reference_metrics -- the reference's metrics, trajectories and options against closed forms.
#include "support/built_in.h"
#include "support/reference_case.h"
#include "support/swing.h"

// x = cos t: zero crossings upward at 3 pi/2 + 2 pi n, kinetic energy sin^2(t)/2.
static Case cosine(double end, uint64_t steps)
{
    return (Case){.problem = "harmonic_oscillator", .method = "rk4", .h = end / (double)steps, .steps = steps};
}

TEST(an_undamped_oscillator)
{
    Case c = cosine(20.0 * M_PI, 8000);
    RUN_TO(STATUS_OK, run, &c);
    assert_numbers(&run, {"steps", 8000, 0}, {"energy_initial", 0.5, 0}, {"energy_final", 0.5, 1e-9},
                   {"energy_ratio", 1.0, 1e-9});
    assert_true(case_number(&run, "energy_drift") < 1e-9 && case_number(&run, "energy_drift") > 0.0);
    assert_numbers(&run, {"kinetic_max", 0.5, 1e-9}, {"kinetic_integral", 5.0 * M_PI, 1e-7},
                   {"amplitude_initial", 1.0, 1e-8}, {"amplitude_final", 1.0, 1e-8}, {"decay_rate", 0.0, 1e-9},
                   {"period", 2.0 * M_PI, 1e-8}, {"period_error", 0.0, 1e-8}, {"x_max", 1.0, 1e-9},
                   {"error_max", 0.0, 1e-8}, {"error_final", fabs(case_number(&run, "x_final") - 1.0), 1e-12});
}

TEST(windows_hold_both_ends)
{
    // Steps of 1/64 are exact, so observations fall on both ends of the window [1, 3].
    Case c = {.problem = "harmonic_oscillator", .method = "rk4", .h = 1.0 / 64.0, .steps = 640, .from = 1.0, .to = 3.0};
    RUN_CASE(run, &c);
    // The trapezoidal rule on sin^2(t)/2 is off by h^2/12 times the change of its derivative, sin(2 t)/2.
    double exact = 0.25 * (2.0 - 0.5 * (sin(6.0) - sin(2.0)));
    double correction = (sin(6.0) - sin(2.0)) / 2.0 / (12.0 * 64.0 * 64.0);
    assert_near(case_number(&run, "kinetic_integral"), exact + correction, 1e-8);
    // sin^2/2 is largest at pi/2, at most half a step from an observation. No turning point before pi, no upward
    // crossing before 3 pi/2.
    assert_numbers(&run, {"kinetic_max", 0.5, 3.1e-5}, {"amplitude_initial", NAN, 0}, {"decay_rate", NAN, 0},
                   {"period", NAN, 0});

    // Past t = 4 the turning points are at 2 pi and 3 pi.
    c.from = 4.0;
    c.to = 0.0;
    assert_near(number_of(&c, "amplitude_initial"), 1.0, 1e-6);
    assert_near(number_of(&c, "decay_rate"), 0.0, 1e-6);
    assert_true(isnan(number_of(&c, "period")));
    c.from = 20.0;
    assert_true(isnan(number_of(&c, "kinetic_max")));
    assert_near(number_of(&c, "kinetic_integral"), 0.0, 0);
}

TEST(a_damped_oscillator)
{
    double omega = 2.0, zeta = 0.05, w = omega * sqrt(1.0 - zeta * zeta);
    Case   c = {.problem = "harmonic_oscillator",
                .method = "rk4",
                .settings = {{"omega", omega}, {"zeta", zeta}},
                .h = 0.005,
                .steps = 6000};
    RUN_CASE(run, &c);
    // The first turning point is half a period on.
    assert_numbers(&run, {"amplitude_initial", exp(-zeta * omega * M_PI / w), 1e-7}, {"decay_rate", zeta * omega, 1e-7},
                   {"period", 2.0 * M_PI / w, 1e-6}, {"period_error", 0.0, 1e-6},
                   {"damping_ratio", zeta / sqrt(1.0 - zeta * zeta), 1e-6}, {"error_max", 0.0, 1e-8});

    // At rest in the middle: no extremum, no scale.
    Case still = {.problem = "harmonic_oscillator", .method = "rk4", .settings = {{"x0", 0.0}}, .h = 0.1, .steps = 50};
    run_case(&still, &run);
    assert_numbers(&run, {"amplitude_final", NAN, 0}, {"damping_ratio", NAN, 0}, {"x_max", 0.0, 0});
}

TEST(fast_and_slow_coordinates)
{
    // x = (cos t, cos 10 t).
    Case c = {.problem = "modal_oscillators", .method = "rk4", .h = 0.001, .steps = 20000};
    RUN_CASE(run, &c);
    double squares = 0.0;
    for (int n = 15000; n <= 20000; ++n)
        squares += cos(0.01 * n) * cos(0.01 * n);
    assert_numbers(&run, {"high_frequency_amplitude", sqrt(squares / 5001.0), 1e-6}, {"radius_error_max", 1.0, 1e-12},
                   {"period", 2.0 * M_PI, 1e-6});
    c.of = OBSERVED_SLOW;
    assert_near(number_of(&c, "period"), 2.0 * M_PI, 1e-6);
    c.of = OBSERVED_FAST;
    assert_near(number_of(&c, "period"), 0.2 * M_PI, 1e-6);

    // The angle of the Cartesian pendulum is not a degree of freedom. On a nearly rigid spring it swings like the
    // pendulum of energy 1/4 - cos(pi/4), whose amplitude is arccos(cos(pi/4) - 1/4).
    Case swing = {.problem = "elastic_pendulum_cartesian",
                  .method = "rk4",
                  .settings = {{"eps", 1e-3}, {"k", 0.0}},
                  .h = 2e-4,
                  .steps = 50000,
                  .of = OBSERVED_SLOW};
    run_case(&swing, &run);
    assert_near(case_number(&run, "amplitude_initial"), acos(cos(M_PI / 4.0) - 0.25), 2e-3);
}

TEST(the_pendulum_has_its_period)
{
    Case c = {.problem = "pendulum", .method = "rk4", .settings = {{"x0", 2.0}}, .h = 0.005, .steps = 10000};
    assert_near(number_of(&c, "period"), swing_period(2.0), 1e-7);
    assert_near(number_of(&c, "period_error"), 0.0, 1e-7);
}

TEST(trajectories_are_sampled_to_the_failure)
{
    Case c = cosine(2.0, 20);
    c.method = "trapezoidal";
    c.every = 6;
    RUN_CASE(run, &c);
    // Samples after steps 0, 6, 12, 18 of a linear problem: one update per step, but for rounding.
    double O = 0.1, angle = 2.0 * atan(O / 2.0);
    for (size_t k = 0; k < 4; ++k) {
        double n = 6.0 * (double)k;
        assert_near(case_element(&run, "x", 0, k), cos(n * angle), 1e-14);
        assert_near(case_element(&run, "v", 0, k), -sin(n * angle), 1e-14);
        assert_near(case_element(&run, "energy", 0, k), 0.5, 1e-14);
        assert_true(case_element(&run, "updates_so_far", 0, k) >= n);
        assert_true(k == 0 ? isnan(case_element(&run, "condition", 0, k))
                           : case_element(&run, "condition", 0, k) == 1.0);
    }
    assert_near(case_element(&run, "updates_so_far", 0, 0), 0, 0);

    // A budget of 10 updates ends the point in step 11 at the latest: samples 0 and 6 stand, those after are NaN.
    c.tolerance = 1e-8;
    c.budget = 0.5;
    run_to(STATUS_BUDGET_EXCEEDED, &c, &run);
    assert_near(case_number(&run, "steps"), 10, 0);
    assert_near(case_number(&run, "updates"), 10, 0);
    assert_near(case_element(&run, "x", 0, 1), cos(6.0 * angle), 1e-9);
    const char *const fields[] = {"x", "v", "energy", "condition", "updates_so_far"};
    for (size_t i = 0; i < 5; ++i)
        assert_true(isnan(case_element(&run, fields[i], 0, 2)) && isnan(case_element(&run, fields[i], 0, 3)));
}

TEST(inputs_are_rounded_in_single_precision)
{
    Case c = {.problem = "harmonic_oscillator",
              .method = "rk4",
              .settings = {{"x0", 0.1}, {"v0", 0.7}},
              .h = 0.1,
              .steps = 1,
              .every = 1,
              .precision = PRECISION_SINGLE};
    RUN_CASE(run, &c);
    double h = (double)0.1f, x = (double)0.1f, v = (double)0.7f;
    assert_near(case_element(&run, "x", 0, 0), x, 0);
    assert_near(case_number(&run, "x_final"), x * (1 - h * h / 2 + h * h * h * h / 24) + v * (h - h * h * h / 6),
                1e-16);
}

// The results of each of the moved runs, as reference_run_nudged() orders them; release them with results_free().
static void run_nudged(const Case *c, Run *run, Results results[REFERENCE_NUDGES], bool *close_calls)
{
    case_plan(run, c);
    Group *group = &run->group;
    Batch batch = {.group = group, .point_count = (size_t)group->point_count, .slot_count = (size_t)group->point_count};
    ReferenceOptions options = {.threads = c->threads};
    for (int i = 0; i < REFERENCE_NUDGES; ++i)
        assert_true(results_make(group, batch.point_count, batch.slot_count, &results[i], &err));
    assert_fine(reference_run_nudged(&run->plan, &batch, &options, results, close_calls, &err));
}

static double moved_element(const Run *run, const Results *results, const char *name, size_t i)
{
    return results_value(results, variable_of(run, name), 0, i);
}

TEST(a_nudge_moves_by_ulps)
{
    static const int nudges[REFERENCE_NUDGES] = {0, -1, 1, -2, 2, -3, 3, -4, 4};
    Case             c = {.problem = "elastic_pendulum_polar",
                          .method = "rk4",
                          .settings = {{"eps", 0.5}},
                          .h = 0.1,
                          .steps = 1,
                          .every = 1};
    Run              run SCOPED(run_free) = {0};
    Results          results[REFERENCE_NUDGES];
    bool             close_call;
    run_nudged(&c, &run, results, &close_call);
    for (int n = 0; n < REFERENCE_NUDGES; ++n) {
        // One ulp of 1.5 for r and theta, one of 0.7 for their rates.
        assert_near(moved_element(&run, &results[n], "x", 0), 1.5 + nudges[n] * 0x1p-52, 0);
        assert_near(moved_element(&run, &results[n], "x", 1), M_PI / 4 + nudges[n] * 0x1p-52, 0);
        assert_near(moved_element(&run, &results[n], "v", 0), M_SQRT1_2 + nudges[n] * 0x1p-53, 0);
        assert_near(moved_element(&run, &results[n], "v", 1), -M_SQRT1_2 + nudges[n] * 0x1p-53, 0);
        results_free(&results[n]);
    }

    c = (Case){.problem = "pendulum",
               .method = "rk4",
               .settings = {{"x0", 0.1}},
               .h = 0.1,
               .steps = 1,
               .every = 1,
               .precision = PRECISION_SINGLE};
    run_nudged(&c, &run, results, &close_call);
    assert_near(moved_element(&run, &results[0], "x", 0), (double)0.1f, 0);
    assert_near(moved_element(&run, &results[1], "x", 0), (double)nextafterf(0.1f, 0.0f), 0);
    assert_near(moved_element(&run, &results[1], "v", 0), 0.0, 0);
    for (int n = 0; n < REFERENCE_NUDGES; ++n)
        results_free(&results[n]);
}

// A tolerance that a residual just meets: whichever way it falls, rounding decided. Half and twice that are clear.
TEST(a_close_call_is_noticed)
{
    Case   c = {.problem = "pendulum",
                .method = "generalized_alpha",
                .h = 0.5,
                .steps = 1,
                .paper = true,
                .jacobian = JACOBIAN_ANALYTIC,
                .no_halving = true};
    double low = 1e-16, high = 1.0;
    for (int i = 0; i < 200; ++i) {
        c.tolerance = sqrt(low * high);
        *(number_of(&c, "updates") > 1.0 ? &low : &high) = c.tolerance;
    }
    const double edge = high, tolerances[] = {edge, edge / 2.0, edge * 2.0};
    for (int i = 0; i < 3; ++i) {
        Run     run SCOPED(run_free) = {0};
        Results results[REFERENCE_NUDGES];
        bool    close_call;
        c.tolerance = tolerances[i];
        run_nudged(&c, &run, results, &close_call);
        assert_int_equal(close_call, i == 0);
        for (int n = 0; n < REFERENCE_NUDGES; ++n)
            results_free(&results[n]);
    }
}

TEST(threads_do_not_change_results)
{
    Case c = {.problem = "elastic_pendulum_polar",
              .method = "theta2",
              .axis = "eps",
              .values = {1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4},
              .value_count = 7,
              .h = 0.05,
              .steps = 100,
              .every = 10,
              .threads = 1};
    Run  one SCOPED(run_free) = {0}, three SCOPED(run_free) = {0};
    run_case(&c, &one);
    c.threads = 3;
    run_case(&c, &three);
    for (size_t i = 0; i < one.group.variable_count; ++i) {
        size_t numbers = one.group.variables[i].width * 7;
        assert_memory_equal(one.results.data[i], three.results.data[i],
                            numbers * group_type_bytes(one.group.variables[i].type));
    }
    // Each point is its own: 1 + eps is where the radius begins.
    for (size_t p = 0; p < 7; ++p)
        assert_near(case_element(&one, "x", p, 0), 1.0 + c.values[p], 0);
}

TEST(a_raised_stop_ends_the_run)
{
    const volatile sig_atomic_t stop = 1;
    Case                        c = {.problem = "pendulum", .method = "theta2", .h = 0.1, .steps = 10};
    Run                         run SCOPED(run_free) = {0};
    assert_refused(case_try(&c, &stop, &run), ERROR_STOPPED, "");
}

static void assert_no_formula(const Card *problem, const Card *method, const char *word)
{
    Case c = {.problem = "pendulum", .method = "rk4", .h = 0.1, .steps = 10};
    RUN_CASE(run, &c);
    run.group.problem = problem;
    run.group.method = method;
    Batch batch = {.group = &run.group, .point_count = 1};
    assert_refused(reference_run(&run.plan, &batch, &(ReferenceOptions){0}, &run.results, &err), ERROR_DEVICE, word);
}

TEST(what_has_no_formula_is_refused)
{
    const Card *pendulum = catalog_find(built_in(), CARD_PROBLEM, "pendulum");
    const Card *rk4 = catalog_find(built_in(), CARD_METHOD, "rk4");
    Card        method = *rk4, problem = *pendulum;
    method.tableau = NULL;
    assert_no_formula(pendulum, &method, "rk4");
    // A user's file of a built-in name.
    problem.path = "mine/pendulum.cl";
    assert_no_formula(&problem, rk4, "mine/pendulum.cl");
}
