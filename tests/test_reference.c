// test_reference -- the reference's methods and matrices against linear theory and closed forms.
#include "reference_case.h"

#include "reference/eigen.h"

static const Setting pendulum_settings[] = {{"x0", 1.5}, {"v0", 0.3}};

static Case order_case(const char *problem, const char *method, uint64_t steps)
{
    Case c = {.problem = problem, .method = method, .h = 2.0 / (double)steps, .steps = steps};
    if (strcmp(problem, "pendulum") == 0)
        memcpy(c.settings, pendulum_settings, sizeof pendulum_settings);
    else
        memcpy(c.settings, (Setting[]){{"omega", 1.3}, {"zeta", 0.2}, {"x0", 1.0}, {"v0", 0.5}}, 4 * sizeof(Setting));
    return c;
}

static double error_against(const Case *c, double x, double v)
{
    Run run;
    run_case(c, &run);
    assert_int_equal(status(&run), STATUS_OK);
    double error = fmax(fabs(number(&run, "x_final") - x), fabs(number(&run, "v_final") - v));
    run_free(&run);
    return error;
}

static double measured_order(const char *problem, const Card *method, double x, double v)
{
    uint64_t steps = method->order >= 4 ? 32 : 512;
    Case     coarse = order_case(problem, method->name, steps), fine = order_case(problem, method->name, 2 * steps);
    return log2(error_against(&coarse, x, v) / error_against(&fine, x, v));
}

static void every_method_has_its_declared_order(void **state)
{
    (void)state;
    // The pendulum's state at time 2 by rk4 at a step whose error is far below those measured.
    Case tight = order_case("pendulum", "rk4", 8192);
    Run  run;
    run_case(&tight, &run);
    double x = number(&run, "x_final"), v = number(&run, "v_final");
    run_free(&run);
    // x'' + 2 s x' + omega^2 x = 0 in closed form.
    double omega = 1.3, s = 0.2 * omega, w = sqrt(omega * omega - s * s), t = 2.0;
    double b = (0.5 + s * 1.0) / w, damped_x = exp(-s * t) * (cos(w * t) + b * sin(w * t));
    double damped_v = exp(-s * t) * ((b * w - s) * cos(w * t) - (w + s * b) * sin(w * t));

    size_t methods = 0;
    for (size_t i = 0; i < catalog.card_count; ++i) {
        const Card *card = &catalog.cards[i];
        if (card->kind != CARD_METHOD)
            continue;
        assert_true(reference_has(card));
        double pendulum = measured_order("pendulum", card, x, v);
        double oscillator = measured_order("harmonic_oscillator", card, damped_x, damped_v);
        print_message("%-18s order %d: %.3f on the pendulum, %.3f on the damped oscillator\n", card->name, card->order,
                      pendulum, oscillator);
        assert_near(pendulum, card->order, 0.15);
        assert_near(oscillator, card->order, 0.15);
        ++methods;
    }
    assert_true(methods >= 8);
}

// Square matrices of up to four rows, for the linear theory.
typedef struct Matrix {
    size_t n;
    double m[4][4];
} Matrix;

static void apply(const Matrix *matrix, double *y)
{
    double out[4] = {0};
    for (size_t i = 0; i < matrix->n; ++i)
        for (size_t j = 0; j < matrix->n; ++j)
            out[i] += matrix->m[i][j] * y[j];
    memcpy(y, out, sizeof out);
}

enum { LINEAR_STEPS = 10 };
static const double linear_omega = 1.3, linear_zeta = 0.15, linear_h = 0.9, linear_x0 = 0.8, linear_v0 = -0.4;

// Runs the method and compares [x, h v] after ten steps.
static void assert_linear(const char *method, Setting setting, Setting more, const double *y)
{
    Case c = {
        .problem = "harmonic_oscillator",
        .method = method,
        .settings =
            {{"omega", linear_omega}, {"zeta", linear_zeta}, {"x0", linear_x0}, {"v0", linear_v0}, setting, more},
        .h = linear_h,
        .steps = LINEAR_STEPS,
    };
    Run run;
    run_case(&c, &run);
    assert_int_equal(status(&run), STATUS_OK);
    assert_near(number(&run, "x_final"), y[0], 2e-14);
    assert_near(number(&run, "v_final") * linear_h, y[1], 2e-14);
    run_free(&run);
}

static const double Omega = 1.3 * 0.9, damping = 2.0 * 0.15 * 1.3 * 0.9;

static void alpha_theory(double am, double af, double gamma, double beta, double *y)
{
    double den = 1.0 - am + damping * (1.0 - af) * gamma + Omega * Omega * (1.0 - af) * beta;
    double rx = -Omega * Omega / den, rv = -(damping + Omega * Omega * (1.0 - af)) / den;
    double ra = -(am + damping * (1.0 - af) * (1.0 - gamma) + Omega * Omega * (1.0 - af) * (0.5 - beta)) / den;
    Matrix a = {3,
                {{1.0 + beta * rx, 1.0 + beta * rv, 0.5 - beta + beta * ra},
                 {gamma * rx, 1.0 + gamma * rv, 1.0 - gamma + gamma * ra},
                 {rx, rv, ra}}};
    y[0] = linear_x0;
    y[1] = linear_h * linear_v0;
    y[2] = -Omega * Omega * y[0] - damping * y[1];
    for (int i = 0; i < LINEAR_STEPS; ++i)
        apply(&a, y);
}

static void alpha_family_equals_its_amplification_matrix(void **state)
{
    double y[4] = {0};
    (void)state;
    for (double rho = 0.0; rho <= 1.0; rho += 0.25) {
        double am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0), d = 1.0 - am + af;
        alpha_theory(am, af, d - 0.5, d * d / 4.0, y);
        assert_linear("generalized_alpha", (Setting){"rho_inf", rho}, (Setting){0}, y);
    }
    for (double beta = 0.0; beta <= 0.5; beta += 0.125) {
        alpha_theory(0.0, 0.0, 0.6, beta, y);
        assert_linear("newmark", (Setting){"beta", beta}, (Setting){"gamma", 0.6}, y);
    }
}

// (I - p L)^-1 (I + q L) with L the matrix of [x, h v]' h.
static Matrix rational(double p, double q)
{
    double det = 1.0 + p * damping + p * p * Omega * Omega;
    Matrix s = {2, {{(1.0 + p * damping) / det, p / det}, {-p * Omega * Omega / det, 1.0 / det}}};
    Matrix r = {2, {{1.0, q}, {-q * Omega * Omega, 1.0 - q * damping}}}, out = {.n = 2};
    for (size_t i = 0; i < 2; ++i)
        for (size_t j = 0; j < 2; ++j)
            out.m[i][j] = s.m[i][0] * r.m[0][j] + s.m[i][1] * r.m[1][j];
    return out;
}

static void theta1_theory(double theta1, double *y)
{
    Matrix a = rational(theta1, 1.0 - theta1);
    y[0] = linear_x0;
    y[1] = linear_h * linear_v0;
    for (int i = 0; i < LINEAR_STEPS; ++i)
        apply(&a, y);
}

static void theta2_theory(double theta, double starter, double *y)
{
    double p = 0.5 + theta / 6.0, q = 0.5 * (1.0 - theta), third = theta / 3.0;
    // S ((1 + theta/3) I + q L) = (1 + theta/3) S (I + q/(1 + theta/3) L)
    Matrix s = rational(p, 0.0), now = rational(p, q / (1.0 + third)), first = rational(starter, 1.0 - starter);
    Matrix a = {.n = 4, .m = {[2] = {1.0}, [3] = {0.0, 1.0}}};
    for (size_t i = 0; i < 2; ++i) {
        for (size_t j = 0; j < 2; ++j) {
            a.m[i][j] = (1.0 + third) * now.m[i][j];
            a.m[i][j + 2] = -third * s.m[i][j];
        }
    }
    double before[4] = {linear_x0, linear_h * linear_v0};
    memcpy(y, before, sizeof before);
    apply(&first, y);
    y[2] = before[0];
    y[3] = before[1];
    for (int i = 1; i < LINEAR_STEPS; ++i)
        apply(&a, y);
}

static void theta_family_equals_its_amplification_matrix(void **state)
{
    double y[4] = {0};
    (void)state;
    for (double theta = 0.0; theta <= 1.0; theta += 0.25) {
        theta2_theory(theta, 0.5 + theta / 50.0, y);
        assert_linear("theta2", (Setting){"theta", theta}, (Setting){0}, y);
        theta1_theory(0.5 + 0.5 * theta, y);
        assert_linear("theta1", (Setting){"theta1", 0.5 + 0.5 * theta}, (Setting){0}, y);
    }
    theta2_theory(1.0, 0.52, y);
    assert_linear("bdf2", (Setting){0}, (Setting){0}, y);
    theta1_theory(0.5, y);
    assert_linear("trapezoidal", (Setting){0}, (Setting){0}, y);
    theta1_theory(1.0, y);
    assert_linear("backward_euler", (Setting){0}, (Setting){0}, y);
}

static void rk4_equals_the_truncated_exponential(void **state)
{
    double y[4] = {linear_x0, linear_h * linear_v0};
    Matrix l = {2, {{0.0, 1.0}, {-Omega * Omega, -damping}}};
    (void)state;
    for (int i = 0; i < LINEAR_STEPS; ++i) {
        double term[4] = {y[0], y[1]}, factor = 1.0;
        for (int k = 1; k <= 4; ++k) {
            apply(&l, term);
            factor /= k;
            y[0] += factor * term[0];
            y[1] += factor * term[1];
        }
    }
    assert_linear("rk4", (Setting){0}, (Setting){0}, y);
}

static void conditions_equal_their_closed_forms(void **state)
{
    (void)state;
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

static void analytic_and_difference_jacobians_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < catalog.card_count; ++i) {
        const Card *card = &catalog.cards[i];
        if (card->kind != CARD_PROBLEM || !card_lists(card->provides, card->provide_count, "jacobian"))
            continue;
        for (int j = 0; j < 4; ++j) {
            Case c = {.problem = card->name, .method = j % 2 ? "theta2" : "generalized_alpha", .h = 0.02, .steps = 50};
            c.settings[0] = (Setting){"variant", j / 2};
            Run analytic, central;
            c.jacobian = JACOBIAN_ANALYTIC;
            run_case(&c, &analytic);
            c.jacobian = JACOBIAN_CENTRAL;
            run_case(&c, &central);
            assert_int_equal(status(&analytic), STATUS_OK);
            // Tolerance 0 with the floor guard: both are solved to rounding, and condition the same matrix.
            for (size_t k = 0; k < card->dofs; ++k)
                assert_near(element(&analytic, "x_final", 0, k), element(&central, "x_final", 0, k), 1e-11);
            assert_near(number(&analytic, "condition_mean") / number(&central, "condition_mean"), 1.0, 1e-6);
            run_free(&analytic);
            run_free(&central);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_its_declared_order),
        cmocka_unit_test(alpha_family_equals_its_amplification_matrix),
        cmocka_unit_test(theta_family_equals_its_amplification_matrix),
        cmocka_unit_test(rk4_equals_the_truncated_exponential),
        cmocka_unit_test(conditions_equal_their_closed_forms),
        cmocka_unit_test(analytic_and_difference_jacobians_agree),
    };
    return cmocka_run_group_tests(tests, catalog_setup, catalog_teardown);
}
