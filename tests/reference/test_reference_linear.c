// test_reference_linear -- the reference's methods on the damped oscillator against their amplification matrices.
#include "support/reference_case.h"

AROUND_ALL(catalog_setup, catalog_teardown)

// Square matrices of up to four rows, on [x, h v] and what else a method keeps.
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
static const double Omega = 1.3 * 0.9, damping = 2.0 * 0.15 * 1.3 * 0.9;

static void begin(double *y)
{
    y[0] = linear_x0;
    y[1] = linear_h * linear_v0;
    y[2] = -Omega * Omega * y[0] - damping * y[1];  // h^2 a_0
    y[3] = 0.0;
}

static void take_steps(Matrix a, double *y)
{
    begin(y);
    for (int i = 0; i < LINEAR_STEPS; ++i)
        apply(&a, y);
}

// Runs the method with up to four parameters and compares [x, h v] after ten steps.
static void assert_linear_within(const char *method, const Setting *settings, const double *y, double bound)
{
    Case c = {
        .problem = "harmonic_oscillator",
        .method = method,
        .settings = {{"omega", linear_omega}, {"zeta", linear_zeta}, {"x0", linear_x0}, {"v0", linear_v0}},
        .h = linear_h,
        .steps = LINEAR_STEPS,
        .jacobian = JACOBIAN_ANALYTIC,
        .tolerance = 1e-15,
    };
    for (size_t i = 0; settings && i < 4 && settings[i].name; ++i)
        c.settings[4 + i] = settings[i];
    Run run;
    run_case(&c, &run);
    assert_int_equal(status(&run), STATUS_OK);
    assert_near(case_number(&run, "x_final"), y[0], bound);
    assert_near(case_number(&run, "v_final") * linear_h, y[1], bound);
    run_free(&run);
}

static void assert_linear(const char *method, const Setting *settings, const double *y)
{
    assert_linear_within(method, settings, y, 2e-14);
}

// The settings of a call: one or more {name, value}.
#define WITH(...) ((const Setting[4]){__VA_ARGS__})

static void alpha_theory(double am, double af, double gamma, double beta, double *y)
{
    double den = 1.0 - am + damping * (1.0 - af) * gamma + Omega * Omega * (1.0 - af) * beta;
    double rx = -Omega * Omega / den, rv = -(damping + Omega * Omega * (1.0 - af)) / den;
    double ra = -(am + damping * (1.0 - af) * (1.0 - gamma) + Omega * Omega * (1.0 - af) * (0.5 - beta)) / den;
    take_steps((Matrix){3,
                        {{1.0 + beta * rx, 1.0 + beta * rv, 0.5 - beta + beta * ra},
                         {gamma * rx, 1.0 + gamma * rv, 1.0 - gamma + gamma * ra},
                         {rx, rv, ra}}},
               y);
}

TEST(alpha_family)
{
    double y[4];
    for (double rho = 0.0; rho <= 1.0; rho += 0.25) {
        double am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0), d = 1.0 - am + af;
        alpha_theory(am, af, d - 0.5, d * d / 4.0, y);
        assert_linear("generalized_alpha", WITH({"rho_inf", rho}), y);
    }
    for (double beta = 0.0; beta <= 0.5; beta += 0.125) {
        alpha_theory(0.0, 0.0, 0.6, beta, y);
        assert_linear("newmark", WITH({"beta", beta}, {"gamma", 0.6}), y);
    }
    // The force's lag is -alpha in one, the inertia's alpha in the other.
    for (double alpha = -0.3; alpha <= 0.0; alpha += 0.1) {
        alpha_theory(0.0, -alpha, 0.5 - alpha, (1.0 - alpha) * (1.0 - alpha) / 4.0, y);
        assert_linear("hht_alpha", WITH({"alpha", alpha}), y);
        alpha_theory(alpha, 0.0, 0.5 - alpha, (1.0 - alpha) * (1.0 - alpha) / 4.0, y);
        assert_linear("wbz_alpha", WITH({"alpha", alpha}), y);
    }
}

// I + q L with L the matrix of [x, h v]' h.
static Matrix forward(double q)
{
    return (Matrix){2, {{1.0, q}, {-q * Omega * Omega, 1.0 - q * damping}}};
}

// (I - p L)^-1
static Matrix backward(double p)
{
    double det = 1.0 + p * damping + p * p * Omega * Omega;
    return (Matrix){2, {{(1.0 + p * damping) / det, p / det}, {-p * Omega * Omega / det, 1.0 / det}}};
}

static Matrix times(Matrix left, Matrix right)
{
    Matrix out = {.n = 2};
    for (size_t i = 0; i < 2; ++i)
        for (size_t j = 0; j < 2; ++j)
            out.m[i][j] = left.m[i][0] * right.m[0][j] + left.m[i][1] * right.m[1][j];
    return out;
}

// a A + b B
static Matrix blend(double a, Matrix A, double b, Matrix B)
{
    Matrix out = {.n = 2};
    for (size_t i = 0; i < 2; ++i)
        for (size_t j = 0; j < 2; ++j)
            out.m[i][j] = a * A.m[i][j] + b * B.m[i][j];
    return out;
}

static Matrix theta1_matrix(double theta1)
{
    return times(backward(theta1), forward(1.0 - theta1));
}

static void theta2_theory(double theta, double starter, double *y)
{
    double third = theta / 3.0, before[4];
    Matrix s = backward(0.5 + theta / 6.0), first = theta1_matrix(starter);
    // (1 + theta/3) I + (1 - theta)/2 L
    Matrix now = times(s, blend(1.0, forward(0.5 * (1.0 - theta)), third, forward(0.0)));
    Matrix a = {.n = 4, .m = {[2] = {1.0}, [3] = {0.0, 1.0}}};
    for (size_t i = 0; i < 2; ++i) {
        for (size_t j = 0; j < 2; ++j) {
            a.m[i][j] = now.m[i][j];
            a.m[i][j + 2] = -third * s.m[i][j];
        }
    }
    begin(before);
    memcpy(y, before, sizeof before);
    apply(&first, y);
    y[2] = before[0];
    y[3] = before[1];
    for (int i = 1; i < LINEAR_STEPS; ++i)
        apply(&a, y);
}

TEST(theta_family)
{
    double y[4];
    for (double theta = 0.0; theta <= 1.0; theta += 0.25) {
        theta2_theory(theta, 0.5 + theta / 50.0, y);
        assert_linear("theta2", WITH({"theta", theta}), y);
        take_steps(theta1_matrix(0.5 + 0.5 * theta), y);
        assert_linear("theta1", WITH({"theta1", 0.5 + 0.5 * theta}), y);
    }
    theta2_theory(1.0, 0.52, y);
    assert_linear("bdf2", NULL, y);
    take_steps(theta1_matrix(0.5), y);
    assert_linear("trapezoidal", NULL, y);
    // On a linear equation the midpoint rule is the trapezoidal rule.
    assert_linear("implicit_midpoint", NULL, y);
    assert_linear("variational_implicit", NULL, y);
    take_steps(theta1_matrix(1.0), y);
    assert_linear("backward_euler", NULL, y);
    assert_linear("incremental_potential", NULL, y);
}

TEST(composite_family)
{
    double y[4];
    for (double rho = 0.0; rho <= 1.0; rho += 0.25) {
        // A = (I - q2 L)^-1 (I + q0 L + q1 L A_g), A_g the trapezoidal rule's over g h.
        double g = 2.0 / (2.0 + sqrt(2.0 + 2.0 * rho)), q1 = (rho + 1.0) / (2.0 * g * (rho - 1.0) + 4.0);
        double q0 = (g - 1.0) * q1 + 0.5, q2 = 0.5 - g * q1;
        Matrix inner = times(backward(g / 2.0), forward(g / 2.0)), L = blend(1.0, forward(1.0), -1.0, forward(0.0));
        take_steps(times(backward(q2), blend(1.0, forward(q0), q1, times(L, inner))), y);
        assert_linear("bathe", WITH({"rho_inf", rho}), y);
    }
    for (double g = 0.2; g < 1.0; g += 0.2) {
        Matrix inner = times(backward(g / 2.0), forward(g / 2.0));
        double over = 1.0 / (g * (2.0 - g));
        take_steps(
            times(backward((1.0 - g) / (2.0 - g)), blend(over, inner, -(1.0 - g) * (1.0 - g) * over, forward(0.0))), y);
        assert_linear("tr_bdf2", WITH({"gamma", g}), y);
    }
}

// Damping is taken at both ends of the step: D = (2 zeta omega + r_m) h.
TEST(central_differences)
{
    double y[4];
    for (double r_m = 0.0; r_m <= 0.6; r_m += 0.3) {
        double D = damping + linear_h * r_m, O = Omega * Omega / 2.0;
        // v' = v - O x - D/2 v in the middle, x1 = x + v', v1 = (v' - O x1)/(1 + D/2).
        double mx = -O, mv = 1.0 - D / 2.0, over = 1.0 + D / 2.0;
        Matrix a = {2, {{1.0 + mx, mv}, {(mx - O * (1.0 + mx)) / over, (mv - O * mv) / over}}};
        take_steps(a, y);
        assert_linear("central_difference", WITH({"r_m", r_m}), y);
    }
}

// Degletagne 2015, sections 2.2 and 3, with the damping of the problem in the external force.
TEST(sofa_family)
{
    double y[4], h = linear_h, K = linear_omega * linear_omega, c = 2.0 * linear_zeta * linear_omega;
    for (int i = 0; i < 8; ++i) {
        double  r_m = i & 1 ? 0.4 : 0.0, r_k = i & 2 ? 0.3 : 0.0, beta = 0.3, gamma = i & 4 ? 0.6 : 0.5;
        double  x = linear_x0, v = linear_v0;
        Setting rayleigh[] = {{"r_m", r_m}, {"r_k", r_k}, {"beta", beta}, {"gamma", gamma}};
        for (int n = 0; n < LINEAR_STEPS; ++n) {
            double force = -K * x - c * v;
            v += h * (force + v * (-(r_k + h) * K - r_m)) / (h * (h + r_k) * K + 1.0 + h * r_m);
            x += h * v;
        }
        assert_linear("sofa_euler", rayleigh, (double[]){x, h * v});

        begin(y);
        x = y[0];
        v = y[1] / h;
        double a = y[2] / (h * h) - (r_m + r_k * K) * v;
        for (int n = 0; n < LINEAR_STEPS; ++n) {
            double force = -K * x - c * v;
            double of_a = -r_m * (1.0 - gamma) - h * (0.5 - beta) * K - r_k * (1.0 - gamma) * K;
            double of_v = -r_m - (h + r_k) * K;
            double now =
                (force + h * of_a * a + of_v * v) / ((h * h * beta + h * gamma * r_k) * K + 1.0 + h * gamma * r_m);
            x += h * v + 0.5 * h * h * (1.0 - 2.0 * beta) * a + h * h * beta * now;
            v += h * (1.0 - gamma) * a + h * gamma * now;
            a = now;
        }
        // K v of the first acceleration is a difference.
        assert_linear_within("sofa_newmark", rayleigh, (double[]){x, h * v}, r_k > 0.0 ? 1e-10 : 2e-14);
    }
}

static void truncated_exponential(const double *factors, int degree, double *y)
{
    Matrix l = {2, {{0.0, 1.0}, {-Omega * Omega, -damping}}};
    begin(y);
    for (int i = 0; i < LINEAR_STEPS; ++i) {
        double term[4] = {y[0], y[1]};
        for (int k = 1; k <= degree; ++k) {
            apply(&l, term);
            y[0] += factors[k] * term[0];
            y[1] += factors[k] * term[1];
        }
    }
}

TEST(runge_kutta_methods)
{
    // The last of degree 6 is what six stages of order 5 leave open.
    static const double factors[] = {1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 600};
    double              y[4];
    truncated_exponential(factors, 2, y);
    assert_linear("rk2", NULL, y);
    truncated_exponential(factors, 4, y);
    assert_linear("rk4", NULL, y);
    truncated_exponential(factors, 6, y);
    assert_linear("dopri5", NULL, y);
    // No error is too large: every step is one trial.
    assert_linear("dopri5_adaptive", WITH({"rtol", 1.0}, {"atol", 1e3}), y);
}

// Fang 2018, eqs. (11), (22) with 1 - Omega^2, and (26).
TEST(explicit_methods)
{
    double y[4], O = Omega * Omega;
    take_steps((Matrix){2, {{1.0, 1.0}, {-O, 1.0 - damping}}}, y);
    assert_linear("explicit_euler", NULL, y);
    take_steps((Matrix){2, {{1.0 - O, 1.0 - damping}, {-O, 1.0 - damping}}}, y);
    assert_linear("symplectic_euler", NULL, y);
    assert_linear("variational_explicit", NULL, y);
    double D = damping + linear_h * 0.3;
    take_steps((Matrix){2, {{1.0 - O, 1.0 - D}, {-O, 1.0 - D}}}, y);
    assert_linear("variational_explicit", WITH({"r_m", 0.3}), y);

    for (double beta = 1.0; beta < 1.04; beta += 1.0 / 54.0) {
        take_steps((Matrix){3,
                            {{1.0 - beta * O, 1.0 - beta * damping, 0.5 - beta},
                             {-1.5 * O, 1.0 - 1.5 * damping, -0.5},
                             {-O, -damping, 0.0}}},
                   y);
        assert_linear("chung_lee", WITH({"beta", beta}), y);
    }

    // x1 = x + v + a/2; a1 = -O x1 - D (v + a); v1 = v + (a + a1)/2.
    double row[3] = {-O, -O - damping, -O / 2.0 - damping};
    take_steps(
        (Matrix){3,
                 {{1.0, 1.0, 0.5}, {row[0] / 2.0, 1.0 + row[1] / 2.0, 0.5 + row[2] / 2.0}, {row[0], row[1], row[2]}}},
        y);
    assert_linear("velocity_verlet", NULL, y);
}

static Matrix drift(double s)
{
    return (Matrix){2, {{1.0, s}, {0.0, 1.0}}};
}

// v1 = v + s a(x, v + s/2 a(x, v)), a = -O x - D v: 1 - s D + s^2 D^2/2 on v, and on x -s O (1 - s D/2).
static Matrix kick(double s)
{
    double D = s * damping;
    return (Matrix){2, {{1.0, 0.0}, {-s * Omega * Omega * (1.0 - D / 2.0), 1.0 - D + D * D / 2.0}}};
}

static Matrix leap(double s)
{
    return times(drift(s / 2.0), times(kick(s), drift(s / 2.0)));
}

TEST(yoshida)
{
    double y[4], w1 = 1.0 / (2.0 - cbrt(2.0)), w0 = -cbrt(2.0) * w1;
    take_steps(times(leap(w1), times(leap(w0), leap(w1))), y);
    assert_linear("yoshida4", NULL, y);
}

// (1 + beta (O + D)) u = v + (1/2 - beta) a - beta O x, and a1 = -O x1 - D u at x1 = x + u; u, v in units of 1/h.
TEST(incremental_newmark)
{
    double O = Omega * Omega, D = damping;
    for (double beta = 0.0; beta <= 0.5; beta += 0.125) {
        double y[4], gamma = 0.6, over = 1.0 + beta * (O + D);
        double u[3] = {-beta * O / over, 1.0 / over, (0.5 - beta) / over};
        double x[3] = {1.0 + u[0], u[1], u[2]}, a[3];
        for (int k = 0; k < 3; ++k)
            a[k] = -O * x[k] - D * u[k];
        take_steps((Matrix){3,
                            {{x[0], x[1], x[2]},
                             {gamma * a[0], 1.0 + gamma * a[1], 1.0 - gamma + gamma * a[2]},
                             {a[0], a[1], a[2]}}},
                   y);
        assert_linear("incremental_newmark", WITH({"beta", beta}, {"gamma", gamma}), y);
    }
}
