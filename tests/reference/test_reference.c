// test_reference -- the orders of the reference's methods, and its matrices against closed forms.
#include "support/built_in.h"
#include "support/reference_case.h"

#include "reference/eigen.h"

// Motions over two seconds: undamped; damped, with a closed form; damped and driven, so that times matter.
typedef enum Motion { UNDAMPED, DAMPED, DRIVEN, MOTIONS } Motion;

static const char *const motion_problems[MOTIONS] = {"pendulum", "harmonic_oscillator", "pendulum"};
static const Setting     motion_settings[MOTIONS][7] = {
        {{"x0", 1.5}, {"v0", 0.3}},
        {{"omega", 1.3}, {"zeta", 0.2}, {"x0", 1.0}, {"v0", 0.5}},
        {{"x0", 1.5}, {"v0", 0.3}, {"zeta", 0.2}, {"forcing", 1.0}, {"force", 0.7}, {"force_omega", 2.3}},
};

static Case order_case(Motion motion, const char *method, uint64_t steps)
{
    Case c = {.problem = motion_problems[motion], .method = method, .h = 2.0 / (double)steps, .steps = steps};
    memcpy(c.settings, motion_settings[motion], sizeof motion_settings[motion]);
    return c;
}

static double error_against(const Case *c, const double *solution)
{
    RUN_TO(STATUS_OK, run, c);
    double error =
        fmax(fabs(case_number(&run, "x_final") - solution[0]), fabs(case_number(&run, "v_final") - solution[1]));
    return error;
}

static double measured_order(Motion motion, const Card *method, const double *solution)
{
    uint64_t steps = method->order == 5 ? 64 : method->order == 4 ? 32 : 512;
    Case     coarse = order_case(motion, method->name, steps), fine = order_case(motion, method->name, 2 * steps);
    return log2(error_against(&coarse, solution) / error_against(&fine, solution));
}

// The state of the pendulum at time 2 by rk4 at a step whose error is far below those measured.
static void tight_solution(Motion motion, double *solution)
{
    Case tight = order_case(motion, "rk4", 8192);
    RUN_CASE(run, &tight);
    solution[0] = case_number(&run, "x_final");
    solution[1] = case_number(&run, "v_final");
}

TEST(every_method_has_its_declared_order)
{
    double solutions[MOTIONS][2];
    tight_solution(UNDAMPED, solutions[UNDAMPED]);
    tight_solution(DRIVEN, solutions[DRIVEN]);
    // x'' + 2 s x' + omega^2 x = 0 in closed form.
    double omega = 1.3, s = 0.2 * omega, w = sqrt(omega * omega - s * s), t = 2.0, b = (0.5 + s * 1.0) / w;
    solutions[DAMPED][0] = exp(-s * t) * (cos(w * t) + b * sin(w * t));
    solutions[DAMPED][1] = exp(-s * t) * ((b * w - s) * cos(w * t) - (w + s * b) * sin(w * t));

    size_t methods = 0;
    for (const Card *card = NULL; (card = built_in_next(CARD_METHOD, card)) != NULL;) {
        assert_true(equations_given(card));
        ++methods;
        if (card->adaptive)
            continue;
        double measured[MOTIONS];
        for (Motion motion = UNDAMPED; motion < MOTIONS; ++motion)
            measured[motion] = measured_order(motion, card, solutions[motion]);
        print_message("%-21s order %d: %.3f undamped, %.3f damped, %.3f driven\n", card->name, card->order,
                      measured[UNDAMPED], measured[DAMPED], measured[DRIVEN]);
        // Two error terms of about equal size are left to an order of 5 before rounding is.
        double bound = card->order == 5 ? 0.4 : 0.15;
        assert_near(measured[UNDAMPED], card->order, bound);
        assert_near(measured[DAMPED], card->order_damped, bound);
        assert_near(measured[DRIVEN], fmin(card->order_damped, card->order_driven), bound);
    }
    assert_true(methods >= 30);
}

TEST(conditions_equal_their_closed_forms)
{
    // [[1, 2], [3, 4]] has squared Frobenius norm T = 30 and determinant -2: (T + sqrt(T^2 - 4 D^2))/(2 D).
    assert_near(eigen_condition(2, (double[]){1, 2, 3, 4}), (30.0 + sqrt(884.0)) / 4.0, 1e-13);
    double hilbert[9];
    for (size_t i = 0; i < 9; ++i)
        hilbert[i] = 1.0 / (double)(i / 3 + i % 3 + 1);
    assert_near(eigen_condition(3, hilbert), 524.0567775860644, 1e-10);
    assert_true(isinf(eigen_condition(2, (double[]){1, 2, 2, 4})));
    assert_near(eigen_condition(1, (double[]){7}), 1.0, 0.0);
    double right[2] = {5.0, 11.0};
    assert_true(eigen_solve(2, (double[]){1, 2, 3, 4}, right));
    assert_near(right[0], 1.0, 1e-14);
    assert_near(right[1], 2.0, 1e-14);
    assert_false(eigen_solve(2, (double[]){1, 2, 2, 4}, right));
    assert_false(eigen_solve(2, (double[]){NAN, 0, 0, 1}, right));

    // One free and one stiff mode, eps = 1e-3, h = 0.05.
    Case   c = {.problem = "modal_oscillators",
                .method = "generalized_alpha",
                .settings = {{"k1", 0.0}, {"k2", 1e6}, {"rho_inf", 0.6}, {"theta", 0.07}},
                .h = 0.05,
                .steps = 20,
                .jacobian = JACOBIAN_ANALYTIC};
    double am = 0.2 / 1.6, af = 0.6 / 1.6, beta = (1.0 - am + af) * (1.0 - am + af) / 4.0;
    double alpha = 1.0 + (1.0 - af) * beta * 2500.0 / (1.0 - am);
    double weight = 0.05 * (0.5 + 0.07 / 6.0), theta = 1.0 + weight * weight * 1e6;
    assert_near(alpha, 698.5, 0.05);
    assert_near(theta, 655.5, 0.05);
    assert_near(number_of(&c, "condition_last"), alpha, 1e-9);
    assert_near(number_of(&c, "condition_mean"), alpha, 1e-9);
    assert_near(number_of(&c, "condition_max"), alpha, 1e-9);
    c.method = "theta2";
    assert_near(number_of(&c, "condition_last"), theta, 1e-9);
}

TEST(analytic_and_difference_jacobians_agree)
{
    for (size_t i = 0; i < built_in()->card_count; ++i) {
        const Card *card = &built_in()->cards[i];
        if (card->kind != CARD_PROBLEM || !card_provides(card, "jacobian"))
            continue;
        for (int j = 0; j < 4; ++j) {
            const char *other = card->first_order ? "tr_bdf2" : "generalized_alpha";
            Case        c = {.problem = card->name, .method = j % 2 ? "theta2" : other, .h = 0.02, .steps = 50};
            c.settings[0] = (Setting){"variant", j / 2};
            Run analytic SCOPED(run_free) = {0}, central SCOPED(run_free) = {0};
            c.jacobian = JACOBIAN_ANALYTIC;
            run_case(&c, &analytic);
            c.jacobian = JACOBIAN_CENTRAL;
            run_case(&c, &central);
            assert_int_equal(status(&analytic), STATUS_OK);
            // Tolerance 0 with the floor guard: both are solved to rounding, and condition the same matrix.
            for (size_t k = 0; k < analytic.group.dofs; ++k)
                assert_near(case_element(&analytic, "x_final", 0, k), case_element(&central, "x_final", 0, k), 1e-11);
            assert_near(case_number(&analytic, "condition_mean") / case_number(&central, "condition_mean"), 1.0, 1e-6);
        }
    }
}
