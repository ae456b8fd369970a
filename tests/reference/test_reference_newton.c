// test_reference_newton -- the reference's Newton solver, statuses and halving against counts and steps by hand.
#include "support/reference_case.h"
#include "support/swing.h"

// f(u) = arctan u, whose Newton iteration diverges from |u| > 1.39.
static void arctangent(UNUSED const void *context, const double *u, double *f)
{
    f[0] = atan(u[0]);
}

static void no_extent(UNUSED const void *context, UNUSED const double *u, double *sizes)
{
    sizes[0] = 0.0;
}

TEST(newton_gives_up_after_three_updates_without_decrease)
{
    Equation    equation = {.n = 1, .residual = arctangent, .extent = no_extent};
    NewtonRules rules = {
        .cube_root_stencil = true, .tolerance = 1e-12, .max_updates = 50, .widen = 1.0, .differences = 1};
    Tally  tally = {.condition_max = NAN};
    double u = 2.0;
    assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_FAILED);
    assert_int_equal(tally.updates, 3);
    assert_int_equal(tally.residual_evaluations, 1 + 3 * 3);
    assert_int_equal(tally.failed_solves, 1);

    // From 1 it converges, quadratically and more: arctan is odd.
    tally = (Tally){.condition_max = NAN};
    rules.jacobian = JACOBIAN_FORWARD;
    u = 1.0;
    assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_ACCEPTED);
    assert_int_equal(tally.failed_solves, 0);
    assert_int_equal(tally.residual_evaluations, 1 + 2 * tally.updates);
    assert_near(u, 0.0, 1e-12);

    // A guess that is the solution still takes one update.
    tally = (Tally){.condition_max = NAN};
    u = 0.0;
    assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_ACCEPTED);
    assert_int_equal(tally.updates, 1);
}

// f(u) = u - 5, keeping where it was evaluated.
typedef struct Trace {
    double *seen;
    size_t *count;
} Trace;

static void traced(const void *context, const double *u, double *f)
{
    const Trace *trace = context;
    trace->seen[(*trace->count)++] = u[0];
    f[0] = u[0] - 5.0;
}

TEST(stencils_have_their_widths)
{
    const double guesses[] = {0.1, 4.0};
    for (int i = 0; i < 8; ++i) {
        double      seen[16], u = guesses[i % 2];
        size_t      count = 0;
        Trace       trace = {seen, &count};
        Equation    equation = {.n = 1, .context = &trace, .residual = traced, .extent = no_extent};
        Tally       tally = {.condition_max = NAN};
        NewtonRules rules = {.cube_root_stencil = i / 2 % 2 == 1,
                             .jacobian = i / 4 ? JACOBIAN_FORWARD : JACOBIAN_CENTRAL,
                             .tolerance = 1e-6,
                             .max_updates = 50,
                             .widen = 1.0,
                             .differences = 1};
        double      s = (rules.cube_root_stencil ? 0x1p-17 * cbrt(0.5) : 0x1p-26) * fmax(u, 1.0);
        assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_ACCEPTED);
        assert_near(seen[0], guesses[i % 2], 0);
        assert_near(seen[1], guesses[i % 2] + s, 1e-15);
        if (i / 4 == 0)
            assert_near(seen[2], guesses[i % 2] - s, 1e-15);
    }
}

// Duffing's oscillator at 2^-100 of its size, its cubic spring 2^200 times as stiff: the same numbers to the last bit.
// What a user's units are is nothing to a scaled residual.
TEST(scaled_residuals_have_no_unit)
{
    const char *const methods[] = {"generalized_alpha", "theta2", "trapezoidal", "bdf2", "bathe"};
    const double      unit = 0x1p-100;
    for (int i = 0; i < 5; ++i) {
        Case plain = {.problem = "duffing",
                      .method = methods[i],
                      .h = 0.0625,
                      .steps = 200,
                      .tolerance = 1e-8,
                      .settings = {{"x0", 1.0}, {"v0", 0.0}, {"force", 0.0}, {"beta", 5.0}, {"alpha", -1.0}}};
        Case small = plain;
        small.settings[0].value = unit;
        small.settings[3].value = 5.0 / (unit * unit);
        assert_true(number_of(&plain, "x_final") == number_of(&small, "x_final") / unit);
        assert_near(number_of(&plain, "updates"), number_of(&small, "updates"), 0);
        assert_true(number_of(&plain, "updates") > 1.1 * (double)plain.steps);
    }
}

// L = u arctan u - ln(1 + u^2)/2, least at 0, and its derivative arctan: Newton's steps from beyond 1.39 climb.
static Objective arctangent_area(UNUSED const void *context, const double *u)
{
    double value = u[0] * atan(u[0]) - 0.5 * log1p(u[0] * u[0]);
    return (Objective){value, fabs(value)};
}

// L = (u^2 - 1)^2/4: its derivative u^3 - u falls between the wells, where Newton's steps lead to the top.
static void well_slope(UNUSED const void *context, const double *u, double *f)
{
    f[0] = u[0] * (u[0] * u[0] - 1.0);
}

static Objective well(UNUSED const void *context, const double *u)
{
    double value = 0.25 * (u[0] * u[0] - 1.0) * (u[0] * u[0] - 1.0);
    return (Objective){value, value};
}

// Nowhere lower than where the first call was: the context counts the calls.
static Objective rising(const void *context, UNUSED const double *u)
{
    size_t *const *calls = context;
    return (Objective){(double)(**calls)++, 0.0};
}

TEST(searches_go_downhill)
{
    double   mass = 2.0, u = 20.0;
    Equation equation = {
        .n = 1, .residual = arctangent, .extent = no_extent, .objective = arctangent_area, .masses = &mass};
    NewtonRules rules = {
        .cube_root_stencil = true, .tolerance = 1e-12, .max_updates = 50, .widen = 1.0, .differences = 1};
    Tally tally = {.condition_max = NAN};
    // From 20 the whole step, -609, and its halves are refused down to a sixteenth, which ends at -18.07.
    rules.max_updates = 1;
    assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_FAILED);
    assert_near(u, 20.0 - atan(20.0) * 401.0 / 16.0, 1e-6);
    rules.max_updates = 50;
    assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_ACCEPTED);
    assert_near(u, 0.0, 1e-12);

    // From 0.1 along -f, whose whole step is 0.099; then Newton's, once the curvature is that of a well.
    equation.residual = well_slope;
    equation.objective = well;
    rules.max_updates = 1;
    u = 0.1;
    assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_FAILED);
    assert_near(u, 0.199, 1e-12);
    rules.max_updates = 50;
    assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_ACCEPTED);
    assert_near(u, 1.0, 1e-11);

    // 41 tries, none good: the update counts, and so does the residual after it.
    size_t  calls = 0;
    size_t *counter = &calls;
    equation.objective = rising;
    equation.context = &counter;
    tally = (Tally){.condition_max = NAN};
    u = 0.3;
    assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_FAILED);
    assert_int_equal(calls, 1 + 41);
    assert_int_equal(tally.updates, 1);
    assert_int_equal(tally.residual_evaluations, 1 + 2 + 1);
    assert_int_equal(tally.failed_solves, 1);
}

TEST(linearised_equations_take_one_update)
{
    Equation    equation = {.n = 1, .residual = arctangent, .extent = no_extent, .linearised = true};
    NewtonRules rules = {
        .cube_root_stencil = true, .floor_guard = true, .max_updates = 50, .widen = 1.0, .differences = 1};
    Tally  tally = {.condition_max = NAN};
    double u = 2.0;
    assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_ACCEPTED);
    assert_near(u, 2.0 - atan(2.0) * 5.0, 1e-8);
    assert_int_equal(tally.updates, 1);
    assert_int_equal(tally.residual_evaluations, 4);
    assert_int_equal(tally.accepted_solves, 1);
    assert_int_equal(tally.stagnated_solves, 0);
    u = NAN;
    assert_int_equal(newton_solve(&equation, &rules, &tally, &u), SOLVE_NOT_FINITE);
}

TEST(hopeless_solves_are_counted_and_end_with_a_status)
{
    // One update is never enough: each solve of the leftmost branch fails at its only one, after 1 + 2 + 1 evaluations.
    Case c = {.problem = "pendulum",
              .method = "theta2",
              .h = 0.5,
              .steps = 10,
              .paper = true,
              .max_updates = 1,
              .max_depth = 3};
    RUN_TO(STATUS_DEPTH_EXCEEDED, run, &c);
    assert_numbers(&run, {"failed_solves", 4, 0}, {"updates", 4, 0}, {"residual_evaluations", 16, 0},
                   {"depth_max", 3, 0}, {"substeps", 0, 0}, {"steps", 0, 0}, {"x_final", NAN, 0},
                   {"energy_drift", NAN, 0}, {"condition_max", NAN, 0});

    c.budget = 0.35;  // 3 updates of 10 steps
    run_to(STATUS_BUDGET_EXCEEDED, &c, &run);
    assert_near(case_number(&run, "updates"), 3, 0);
    assert_near(case_number(&run, "depth_max"), 2, 0);

    c.budget = 0.0;
    c.no_halving = true;
    run_to(STATUS_NEWTON_FAILED, &c, &run);
    assert_near(case_number(&run, "failed_solves"), 1, 0);
}

TEST(singular_and_overflowing_points_say_so)
{
    // Upside down at h = 2 the trapezoidal rule's Jacobian 1 + (h/2)^2 cos x is exactly zero.
    Case c = {.problem = "pendulum",
              .method = "trapezoidal",
              .settings = {{"x0", 3.14159265358979323846}},
              .h = 2.0,
              .steps = 1,
              .jacobian = JACOBIAN_ANALYTIC,
              .no_halving = true};
    RUN_TO(STATUS_SINGULAR, run, &c);
    assert_near(case_number(&run, "updates"), 0, 0);
    assert_near(case_number(&run, "residual_evaluations"), 1, 0);
    c.no_halving = false;
    run_to(STATUS_OK, &c, &run);
    assert_near(case_number(&run, "substeps"), 2, 0);

    c = (Case){
        .problem = "harmonic_oscillator", .method = "theta1", .settings = {{"omega", 1e200}}, .h = 0.1, .steps = 5};
    run_to(STATUS_NOT_FINITE, &c, &run);
    assert_near(case_number(&run, "failed_solves"), 21, 0);
    c.method = "rk4";
    run_to(STATUS_NOT_FINITE, &c, &run);
    assert_numbers(&run, {"steps", 0, 0}, {"updates", 0, 0}, {"residual_evaluations", 0, 0});
}

// The second-order formula where the earlier point is at another spacing: h is r times that.
static Swing spaced(Swing before, Swing now, double h, double r, double theta)
{
    double back = theta * r * r / (1.0 + 2.0 * r), half = (1.0 - theta) * h / 2.0;
    return swing_solve(now.x + half * now.v + back * (now.x - before.x),
                       now.v - half * sin(now.x) + back * (now.v - before.v),
                       half + theta * h * (1.0 + r) / (1.0 + 2.0 * r));
}

// A split of the interval: two halves, the second with the start as its history.
static Swing split(Swing start, double half, double theta, double theta1)
{
    return second_order(start, first_order(start, half, theta1), half, theta);
}

static void assert_swing(const Case *c, double failed, double substeps, double updates, double evaluations, Swing end)
{
    RUN_TO(STATUS_OK, run, c);
    assert_numbers(&run, {"failed_solves", failed, 0}, {"substeps", substeps, 0}, {"updates", updates, 0},
                   {"residual_evaluations", evaluations, 0}, {"x_final", end.x, 1e-9}, {"v_final", end.v, 1e-9});
}

TEST(halved_steps_follow_the_history_rules)
{
    double theta = 0.4, theta1 = 0.5 + 0.4 / 50.0;
    Swing  y[4] = {{2.0, 0.5}};
    Case   c = {.problem = "pendulum",
                .method = "theta2",
                .settings = {{"theta", theta}, {"x0", 2.0}, {"v0", 0.5}},
                .paper = true,
                .tolerance = 1e-10,
                .jacobian = JACOBIAN_ANALYTIC};

    // Two updates do not solve a step of 0.5, but do its halves: per step 3 solves of 2 updates and 3 evaluations.
    c.h = 0.5;
    c.steps = 3;
    c.max_updates = 2;
    for (int i = 0; i < 3; ++i)
        y[i + 1] = split(y[i], 0.25, theta, theta1);
    assert_swing(&c, 3, 6, 18, 27, y[3]);
    assert_near(number_of(&c, "updates_per_step_max"), 6, 0);
    assert_near(number_of(&c, "depth_max"), 1, 0);
    assert_near(number_of(&c, "steps"), 3, 0);

    // The same with the trapezoidal rule as starter.
    c.start = START_TRAPEZOIDAL;
    for (int i = 0; i < 3; ++i)
        y[i + 1] = split(y[i], 0.25, theta, 0.5);
    assert_swing(&c, 3, 6, 18, 27, y[3]);

    // Its own formula: theta1's only where nothing is earlier, then half a step from the last whole one.
    c.start = START_VARIABLE;
    y[1] = split(y[0], 0.25, theta, theta1);
    for (int i = 1; i < 3; ++i)
        y[i + 1] = second_order(y[i], spaced(y[i - 1], y[i], 0.25, 0.5, theta), 0.25, theta);
    assert_swing(&c, 3, 6, 18, 27, y[3]);
    c.start = START_THETA1;

    // Three updates: steps 1 and 2 are halved, step 3 is whole and has the end of step 1 as its history.
    c.h = 1.0;
    c.max_updates = 3;
    y[1] = split(y[0], 0.5, theta, theta1);
    y[2] = split(y[1], 0.5, theta, theta1);
    y[3] = second_order(y[1], y[2], 1.0, theta);
    assert_swing(&c, 2, 4, 21, 28, y[3]);

    // Two updates: both halves of step 1 are halved again, each starting anew.
    c.steps = 1;
    c.max_updates = 2;
    y[1] = split(y[0], 0.25, theta, theta1);
    y[2] = split(y[1], 0.25, theta, theta1);
    assert_swing(&c, 3, 4, 14, 21, y[2]);
    assert_near(number_of(&c, "depth_max"), 2, 0);

    // The same at unequal spacing, twice: quarters follow a quarter, or a half or a whole earlier point at ratio 1/2 or
    // 1/4.
    c.start = START_VARIABLE;
    c.steps = 2;
    Swing q[9] = {y[0]};
    q[1] = first_order(q[0], 0.25, theta1);
    q[2] = second_order(q[0], q[1], 0.25, theta);
    q[3] = spaced(q[0], q[2], 0.25, 0.5, theta);
    q[4] = second_order(q[2], q[3], 0.25, theta);
    q[5] = spaced(q[0], q[4], 0.25, 0.25, theta);
    q[6] = second_order(q[4], q[5], 0.25, theta);
    q[7] = spaced(q[4], q[6], 0.25, 0.5, theta);
    q[8] = second_order(q[6], q[7], 0.25, theta);
    assert_swing(&c, 6, 8, 28, 42, q[8]);
}

TEST(one_step_methods_continue_from_their_substeps)
{
    const char *const methods[] = {"generalized_alpha",
                                   "newmark",
                                   "hht_alpha",
                                   "wbz_alpha",
                                   "theta1",
                                   "trapezoidal",
                                   "backward_euler",
                                   "implicit_midpoint",
                                   "variational_implicit",
                                   "bathe",
                                   "tr_bdf2",
                                   "incremental_potential",
                                   "incremental_newmark"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        Case halved = {.problem = "pendulum",
                       .method = methods[i],
                       .settings = {{"x0", 2.0}, {"v0", 0.5}},
                       .h = 1.0,
                       .steps = 1,
                       .paper = true,
                       .tolerance = 1e-12,
                       .max_updates = 2,
                       .jacobian = JACOBIAN_ANALYTIC};
        Run  one SCOPED(run_free) = {0}, other SCOPED(run_free) = {0};
        run_to(STATUS_OK, &halved, &one);
        assert_true(case_number(&one, "failed_solves") > 0.0);
        // A chain of whole steps at the finest spacing, where that spacing is the same all along.
        uint64_t parts = (uint64_t)1 << (unsigned)case_number(&one, "depth_max");
        assert_near(case_number(&one, "substeps"), (double)parts, 0);
        halved.h /= (double)parts;
        halved.steps = parts;
        run_case(&halved, &other);
        assert_numbers(&other, {"failed_solves", 0, 0}, {"x_final", case_number(&one, "x_final"), 0},
                       {"v_final", case_number(&one, "v_final"), 0});
    }
}
