// test_halving -- solves that fail, steps that are halved, and how points end: forced, and counted by hand.
#include "support/built_in.h"
#include "support/kernel_case.h"
#include "support/problem_text.h"

#include "reference/reference.h"

#include "support/swing.h"
#include "support/turn.h"

AROUND_ALL(open_device, close_device)

// What a failed point has: counters, and nothing else.
static void assert_nothing_left(const Ran *ran, size_t group, size_t point)
{
    const Group *g = group_at(ran, group);
    for (size_t i = 0; i < g->variable_count; ++i) {
        const Variable *v = &g->variables[i];
        if (v->type == TYPE_F64 && !v->trajectory)
            for (size_t e = 0; e < v->width; ++e)
                assert_true(isnan(results_value(&ran->results[group], i, point, e)));
    }
}

// Samples of a point that completed `steps` steps: those are numbers, the later ones are not.
static void assert_samples_end(const Ran *ran, size_t group, size_t point, size_t steps)
{
    const size_t samples = find_variable(group_at(ran, group), "updates_so_far")->width;
    for (size_t k = 0; k < samples; ++k)
        assert_int_equal(isnan(element(ran, group, "x", point, k)), k > steps);
}

// The reference on the same plan: equal status and counts, states to rounding.
static void assert_as_reference(const Ran *ran)
{
    for (size_t g = 0; g < ran->made.plan.group_count; ++g) {
        Results                results SCOPED(results_free);
        const Group           *group = group_at(ran, g);
        const Batch            all = batch_make(group, 0, group->block_count);
        const ReferenceOptions options = {.threads = 1};
        assert_fine(results_make(group, all.point_count, all.slot_count, &results, &err) &&
                    reference_run(&ran->made.plan, &all, &options, &results, &err));
        for (size_t v = 0; v < group->variable_count; ++v) {
            const Variable *variable = &group->variables[v];
            const size_t    rows = variable->trajectory ? all.slot_count : all.point_count;
            for (size_t row = 0; row < rows; ++row)
                for (size_t e = 0; e < variable->width; ++e) {
                    const double found = results_value(&ran->results[g], v, row, e);
                    const double due = results_value(&results, v, row, e);
                    const double bound = variable->type == TYPE_F64 ? 1e-11 * fmax(1.0, fabs(due)) : 0.0;
                    if (found != due && !(fabs(found - due) <= bound) && !(isnan(found) && isnan(due)))
                        fail_msg("%s, %s[%zu][%zu]: %.17g, the reference has %.17g", group->label, variable->name, row,
                                 e, found, due);
                }
        }
    }
}

// A step in two halves: the first begins anew, the second has the start of the step behind it.
static Swing halves(Swing start, double half, double theta, double theta1)
{
    return second_order(start, first_order(start, half, theta1), half, theta);
}

static void assert_swing(const Ran *ran, size_t group, size_t point, Swing end)
{
    assert_status(ran, group, point, STATUS_OK);
    assert_near(number(ran, group, "x_final", point), end.x, 1e-9);
    assert_near(number(ran, group, "v_final", point), end.v, 1e-9);
}

// The points, one per value of the zipped axes. In every group each has its own end, beside the others in one group of
// lanes.
enum { HOPELESS, HALVED_ONCE, WHOLE_AFTER_HALVED, HALVED_TWICE, EASY, SHORT };

static const char theta_sweep[] =
    "problem: pendulum\n"
    "design: zip\n"
    "parameters: {x0: 2, v0: 0.5}\n"
    "step:  [0.5, 0.5, 1, 1, 0.5, 0.05]\n"
    "steps: [10, 3, 3, 1, 7, 2]\n"
    "newton:\n"
    "  mode: paper\n"
    "  jacobian: analytic\n"
    "  tolerance:   [0, 1.0e-10, 1.0e-10, 1.0e-10, 1.0e-10, 1.0e-10]\n"
    "  max_updates: [1, 2, 3, 2, 50, 50]\n"
    "substeps: {max_depth: 3}\n"
    "methods:\n"
    "  - theta2: {theta: 0.4}\n"
    "  - {label: trapezoidal_start, theta2: {theta: 0.4}, substeps: {start: trapezoidal}}\n"
    "  - {label: small_budget, theta2: {theta: 0.4}, substeps: {budget: 0.35}}\n"
    "  - {label: no_halving, theta2: {theta: 0.4}, substeps: {max_depth: 0}}\n"
    "metrics: [status, {steps: {label: taken}}, substeps, updates, updates_per_step_max, residual_evaluations, "
    "failed_solves, stagnated_solves,\n"
    "  depth_max, condition_max, condition_mean, condition_last, x_final, v_final, energy_final, x_max]\n"
    "trajectory: {every: 1, fields: [x, v, condition, updates]}\n";

// With h and N of each point; each solve costs one evaluation more than it has updates.
static void check_halved(const Ran *ran, size_t group, double theta1)
{
    const double theta = 0.4;
    const Swing  start = {2.0, 0.5};
    Swing        y[4] = {start};
    // One update never is enough: each try at the left end fails at its only one.
    assert_status(ran, group, HOPELESS, STATUS_DEPTH_EXCEEDED);
    assert_counts(ran, group, HOPELESS, (Counts){4, 0, 4, 8, 3, 0});
    assert_nothing_left(ran, group, HOPELESS);
    assert_samples_end(ran, group, HOPELESS, 0);
    // Two updates do not solve a step of 0.5, but do its halves: three solves a step.
    for (int i = 0; i < 3; ++i)
        y[i + 1] = halves(y[i], 0.25, theta, theta1);
    assert_swing(ran, group, HALVED_ONCE, y[3]);
    assert_counts(ran, group, HALVED_ONCE, (Counts){3, 6, 18, 27, 1, 3});
    assert_near(number(ran, group, "updates_per_step_max", HALVED_ONCE), 6, 0);
    assert_samples_end(ran, group, HALVED_ONCE, 3);
    // Three updates: steps 1 and 2 are halved, step 3 is whole and has the end of step 1 behind it.
    y[1] = halves(y[0], 0.5, theta, theta1);
    y[2] = halves(y[1], 0.5, theta, theta1);
    y[3] = second_order(y[1], y[2], 1.0, theta);
    assert_swing(ran, group, WHOLE_AFTER_HALVED, y[3]);
    assert_counts(ran, group, WHOLE_AFTER_HALVED, (Counts){2, 4, 21, 28, 1, 3});
    // Both halves are halved again, and each begins anew.
    y[1] = halves(y[0], 0.25, theta, theta1);
    y[2] = halves(y[1], 0.25, theta, theta1);
    assert_swing(ran, group, HALVED_TWICE, y[2]);
    assert_counts(ran, group, HALVED_TWICE, (Counts){3, 4, 14, 21, 2, 1});
    // No failure: the first step is the starter's.
    y[1] = first_order(start, 0.05, theta1);
    y[2] = second_order(start, y[1], 0.05, theta);
    assert_swing(ran, group, SHORT, y[2]);
    assert_near(number(ran, group, "failed_solves", EASY), 0, 0);
    assert_near(number(ran, group, "depth_max", EASY), 0, 0);
}

TEST(test_halved_steps_of_a_two_step_method)
{
    Ran ran SCOPED(ran_free) = {0}, single SCOPED(ran_free) = {0};
    run_text(&ran, *state, 8, theta_sweep);
    check_halved(&ran, 0, 0.5 + 0.4 / 50.0);
    check_halved(&ran, group_number(&ran, "trapezoidal_start"), 0.5);

    // Three updates in ten steps; one in three; after which a point ends before its next solve.
    const size_t budget = group_number(&ran, "small_budget");
    assert_status(&ran, budget, HOPELESS, STATUS_BUDGET_EXCEEDED);
    assert_counts(&ran, budget, HOPELESS, (Counts){3, 0, 3, 6, 2, 0});
    assert_status(&ran, budget, HALVED_ONCE, STATUS_BUDGET_EXCEEDED);
    assert_counts(&ran, budget, HALVED_ONCE, (Counts){1, 0, 2, 3, 0, 0});
    assert_nothing_left(&ran, budget, HALVED_ONCE);
    // 0.35 of two steps and of one are no update at all.
    assert_status(&ran, budget, SHORT, STATUS_BUDGET_EXCEEDED);
    assert_counts(&ran, budget, SHORT, (Counts){0});
    assert_status(&ran, budget, HALVED_TWICE, STATUS_BUDGET_EXCEEDED);
    assert_counts(&ran, budget, HALVED_TWICE, (Counts){0});

    const size_t never = group_number(&ran, "no_halving");
    for (size_t p = HOPELESS; p <= HALVED_TWICE; ++p) {
        assert_status(&ran, never, p, STATUS_NEWTON_FAILED);
        assert_nothing_left(&ran, never, p);
        assert_samples_end(&ran, never, p, 0);
    }
    assert_counts(&ran, never, HOPELESS, (Counts){1, 0, 1, 2, 0, 0});
    assert_counts(&ran, never, WHOLE_AFTER_HALVED, (Counts){1, 0, 3, 4, 0, 0});
    assert_status(&ran, never, EASY, STATUS_OK);
    assert_status(&ran, never, SHORT, STATUS_OK);

    assert_same_alone(&ran);
    assert_as_reference(&ran);
    run_text(&single, *state, 1, theta_sweep);
    assert_same(&ran, &single, "at one lane");
}

// A one-step method goes on from whatever its substeps left: halved steps are the whole steps of that size, bit for
// bit.
TEST(test_halved_steps_of_one_step_methods)
{
    const Catalog *catalog = built_in();
    Text           text SCOPED(text_free) = {0};
    text_add(&text, "problem: pendulum\ndesign: zip\nparameters: {x0: 2, v0: 0.5}\n"
                    "step: [1, 0.5, 0.25, 0.125, 0.0625]\nsteps: [1, 2, 4, 8, 16]\n"
                    "newton: {mode: paper, tolerance: 1.0e-12, jacobian: analytic, max_updates: 2}\n"
                    "metrics: [status, failed_solves, substeps, depth_max, x_final, v_final]\nmethods:\n");
    for (size_t i = 0; i < catalog->card_count; ++i)
        if (catalog->cards[i].kind == CARD_METHOD && catalog->cards[i].unknown != UNKNOWN_NONE &&
            catalog->cards[i].solver != SOLVER_LINEARISED && !catalog->cards[i].history && !catalog->cards[i].adaptive)
            text_add(&text, "  - %s\n", catalog->cards[i].name);
    RUN_OK(ran, *state, 8, text.text);
    for (size_t g = 0; g < ran.made.plan.group_count; ++g) {
        const size_t depth = (size_t)number(&ran, g, "depth_max", 0);
        // Its solve is linear where the acceleration does not depend on the velocity.
        if (strcmp(group_at(&ran, g)->method->name, "central_difference") == 0) {
            assert_int_equal(depth, 0);
            continue;
        }
        assert_true(depth >= 1 && depth <= 4);
        // Every substep has the same size, so that there are whole steps to compare with.
        assert_near(number(&ran, g, "substeps", 0), ldexp(1.0, (int)depth), 0);
        assert_near(number(&ran, g, "failed_solves", 0), ldexp(1.0, (int)depth) - 1.0, 0);
        assert_near(number(&ran, g, "failed_solves", depth), 0, 0);
        assert_near(number(&ran, g, "x_final", 0), number(&ran, g, "x_final", depth), 0);
        assert_near(number(&ran, g, "v_final", 0), number(&ran, g, "v_final", depth), 0);
    }
}

// Upside down, the trapezoidal rule with h = 2 has the Jacobian 1 + (h/2)^2 cos x = 0.
TEST(test_singular)
{
    RUN(ran, *state, 8,
        "problem: pendulum\ndesign: zip\n"
        "parameters: {x0: [3.141592653589793, 1, 3.141592653589793]}\nstep: [2, 2, 1]\nsteps: 2\n"
        "newton: {jacobian: analytic}\n"
        "methods:\n"
        "  - {label: no_halving, trapezoidal: {}, substeps: {max_depth: 0}}\n"
        "  - {label: halving, trapezoidal: {}}\n"
        "  - {label: modified, trapezoidal: {}, newton: {update: modified}, substeps: {max_depth: 0}}\n"
        "metrics: [status, {steps: {label: taken}}, substeps, updates, jacobians, residual_evaluations, "
        "failed_solves, depth_max, x_final,\n"
        "  condition_max]\n"
        "trajectory: {every: 1, fields: [x, updates]}\n");
    assert_status(&ran, 0, 0, STATUS_SINGULAR);
    assert_counts(&ran, 0, 0, (Counts){1, 0, 0, 1, 0, 0});
    assert_status(&ran, 2, 0, STATUS_SINGULAR);
    assert_counts(&ran, 2, 0, (Counts){1, 0, 0, 1, 0, 0});
    for (size_t g = 0; g < 3; g += 2)
        assert_near(number(&ran, g, "jacobians", 0), 1, 0);
    assert_nothing_left(&ran, 0, 0);
    assert_samples_end(&ran, 0, 0, 0);
    assert_status(&ran, 0, 2, STATUS_OK);
    // Halving cures it: one failure and two substeps a step.
    assert_status(&ran, 1, 0, STATUS_OK);
    assert_point(&ran, 1, 0, {"failed_solves", 2, 0}, {"substeps", 4, 0}, {"condition_max", 1, 0});
    assert_status(&ran, 1, 1, STATUS_OK);
    assert_as_reference(&ran);
    assert_same_alone(&ran);
}

// A problem of the user's with two traps: a force that is not a number once t > until, and a Jacobian that is not once
// t > smooth.
static const char trap[] =
    PROBLEM_TEXT("//: problem: trap\n"
                 "//: title: Oscillator with traps\n"
                 "//: equation: x'' = -x\n"
                 "//: dofs: 1\n"
                 "//: provides: [jacobian]\n"
                 "//: parameters:\n"
                 "//:   until:  {default: 1.0e+9, unit: s, about: \"end of the force\"}\n"
                 "//:   smooth: {default: 1.0e+9, unit: s, about: \"end of the derivative\"}\n",
                 "    x[0] = ZERO + 1.0;\n"
                 "    v[0] = ZERO;\n",
                 "    a[0] = choose(t > p->until, ZERO / ZERO, -x[0]);\n",
                 PROBLEM_JACOBIAN("    dadx[0][0] = choose(t > p->smooth, ZERO / ZERO, ZERO - 1.0);\n"
                                  "    dadv[0][0] = ZERO;\n"));

// h = 1/4, so that step 5, which begins at t = 1, is the first to look behind it.
TEST(test_not_finite)
{
    RUN_BESIDE(ran, *state, 8, "trap", trap,
               "problem: ./trap.cl\ndesign: zip\n"
               "parameters:\n"
               "  until:  [1, 1.0e+9, 1.0e+9, 2, -1]\n"
               "  smooth: [1.0e+9, 1, 1.0e+9, 1.0e+9, 1.0e+9]\n"
               "step: 0.25\nsteps: 8\n"
               "newton: {mode: paper, jacobian: analytic, tolerance: 1.0e-12}\n"
               "substeps: {max_depth: 3}\n"
               "methods: [theta2, generalized_alpha, rk4]\n"
               "metrics: [status, {steps: {label: taken}}, substeps, updates, residual_evaluations, failed_solves, "
               "depth_max, x_final,\n"
               "  x_max, period, condition_max]\n"
               "trajectory: {every: 1, fields: [x, updates]}\n");
    // Linear: one update and two evaluations a step; then four tries, each ended by its first residual or by its pivot.
    for (size_t g = 0; g < 2; ++g) {
        assert_status(&ran, g, 0, STATUS_NOT_FINITE);
        assert_counts(&ran, g, 0, (Counts){4, 0, 4, 8 + 4, 3, 4});
        assert_status(&ran, g, 1, STATUS_SINGULAR);
        assert_counts(&ran, g, 1, (Counts){4, 0, 4, 8 + 4, 3, 4});
        assert_counts(&ran, g, 2, (Counts){0, 0, 8, 16, 0, 8});
    }
    assert_status(&ran, 2, 0, STATUS_NOT_FINITE);
    assert_counts(&ran, 2, 0, (Counts){0, 0, 0, 0, 0, 4});
    assert_status(&ran, 2, 1, STATUS_OK);
    for (size_t g = 0; g < 3; ++g) {
        assert_nothing_left(&ran, g, 0);
        assert_samples_end(&ran, g, 0, 4);
        assert_status(&ran, g, 2, STATUS_OK);
        assert_samples_end(&ran, g, 2, 8);
        assert_status(&ran, g, 3, STATUS_OK);  // it ends at t = 2 and asks for nothing behind it
        assert_status(&ran, g, 4, STATUS_NOT_FINITE);
        assert_near(number(&ran, g, "taken", 4), 0, 0);
    }
    assert_same_alone(&ran);
}

// A guess that is extrapolated is the point's own: whatever lanes, company and slices, the counts are the reference's.
TEST(test_extrapolated_guess)
{
    static const char        sweep[] = "problem: double_pendulum\n"
                                       "parameters: {th1: [1, 2.5], w1: 0.3}\n"
                                       "methods: [%s]\n"
                                       "step: [0.2, 0.5]\nsteps: 6\n"
                                       "newton: {tolerance: 1.0e-10, max_updates: [2, 3], guess: %s}\n"
                                       "metrics: [status, {steps: {label: taken}}, substeps, updates, updates_per_step_max, "
                                       "residual_evaluations, failed_solves, depth_max, x_final, v_final]\n";
    static const char *const parts[] = {
        "theta2: {theta: 0.4}, generalized_alpha, newmark, bdf2",
        "{label: variable, theta2: {theta: 0.4}, substeps: {start: variable}}, trapezoidal, wbz_alpha",
        "theta1: {theta1: 0.7}, backward_euler, hht_alpha: {alpha: -0.3}",
    };
    Ran  last SCOPED(ran_free) = {0}, eight SCOPED(ran_free) = {0}, one SCOPED(ran_free) = {0};
    Text methods SCOPED(text_free) = {0};
    char text[2 * sizeof sweep];
    for (size_t i = 0; i < 3; ++i)
        if (turn_takes(i, 3))
            text_add(&methods, "%s%s", methods.text ? ", " : "", parts[i]);
    (void)snprintf(text, sizeof text, sweep, methods.text, "last");
    run_text(&last, *state, 8, text);
    (void)snprintf(text, sizeof text, sweep, methods.text, "extrapolated");
    run_text(&eight, *state, 8, text);
    for (size_t g = 0; g < eight.made.plan.group_count; ++g) {
        double halved[2] = {0.0, 0.0};
        for (size_t p = 0; p < group_at(&eight, g)->point_count; ++p) {
            halved[0] += number(&last, g, "substeps", p);
            halved[1] += number(&eight, g, "substeps", p);
        }
        print_message("%s: %.0f substeps from the last value, %.0f extrapolated\n", group_at(&eight, g)->label,
                      halved[0], halved[1]);
        // v_n is wrong by O(h), v_n + h a_n by O(h^2). The next order, of lines and parabolas through a_n, is hardly
        // any better with steps as long as these.
        const bool velocity = group_at(&eight, g)->method->unknown == UNKNOWN_VELOCITY;
        assert_true(halved[1] > 100.0 && halved[1] < (velocity ? 0.6 : 1.05) * halved[0]);
    }
    assert_same_alone(&eight);
    assert_as_reference(&eight);
    run_text(&one, *state, 1, text);
    assert_same(&eight, &one, "at one lane");
}

// Tolerances below the rounding floor make for thousands of substeps, so that launches end inside steps, at other
// places for every lane count and company; the bits are the same.
TEST(test_slices_leave_no_trace)
{
    static const char sweep[] = "problem: elastic_pendulum_polar\n"
                                "parameters: {eps: [1.0e-4, 1.1e-4, 1.0e-2]}\n"
                                "methods:\n"
                                "  - {generalized_alpha: {rho_inf: 0.6}, newton: {tolerance: [1.0e-9, 1.0e-6]}}\n"
                                "  - {theta2: {theta: 0.07}, newton: {tolerance: [3.0e-11, 1.0e-6]}}\n"
                                "  - label: extrapolated\n"
                                "    generalized_alpha: {rho_inf: 0.6}\n"
                                "    newton: {tolerance: [1.0e-9, 1.0e-6], guess: extrapolated}\n"
                                "step: 0.05\nsteps: 500\n"
                                "newton: {mode: paper, max_updates: 6}\n"
                                "substeps: {budget: 100}\n"
                                "metrics: [status, {steps: {label: taken}}, substeps, updates, updates_per_step_max, "
                                "residual_evaluations, failed_solves,\n"
                                "  depth_max, condition_mean, energy_drift, x_final, v_final]\n"
                                "trajectory: {every: 50, fields: [x, v, condition, updates]}\n";
    Ran               eight SCOPED(ran_free) = {0}, one SCOPED(ran_free) = {0};
    run_text(&eight, *state, 8, sweep);
    for (size_t g = 0; g < 3; ++g) {
        print_message("%s: %.0f substeps, %.0f failed solves, %s, in %zu slices\n", group_at(&eight, g)->label,
                      number(&eight, g, "substeps", 0), number(&eight, g, "failed_solves", 0),
                      plan_status_names[(size_t)number(&eight, g, "status", 0)], eight.slices[g]);
        assert_true(eight.slices[g] >= 4);
        assert_true(number(&eight, g, "failed_solves", 0) > 1000.0);
        assert_status(&eight, g, 5, STATUS_OK);
    }
    run_text(&one, *state, 1, sweep);
    assert_same(&eight, &one, "at one lane");
    assert_same_alone(&eight);
}
