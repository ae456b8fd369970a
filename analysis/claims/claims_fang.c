// claims_fang -- Fang 2018 (TR-2018-01): four explicit and implicit methods on a damped oscillator.
#include "analysis/claims/claims_measure.h"
#include "analysis/claims/claims_tables.h"

#include <math.h>

static const char *const methods[] = {"explicit_euler", "symplectic_euler", "backward_euler", "chung_lee"};

// The entries of a matrix of two rows.
static Matrix two(double a, double b, double c, double d)
{
    return (Matrix){2, {{a, b}, {c, d}}};
}

static double matrices_apart(Lab *lab, const char *method, double value, double zeta, double omega, Matrix printed)
{
    Matrix found;
    lab_matrices(lab, method, value, zeta, &omega, 1, &found);
    return found.n == printed.n ? matrix_largest(matrix_plus(found, -1.0, printed)) : (double)NAN;
}

static void measure_oscillator(Lab *lab, const Claim *claim, double *n)
{
    for (int i = 0; i < 4; ++i)
        n[i] = lab_number(lab, LAB_FANG, methods[i], claim->word, NOWHERE);
}

static void judge_most_accurate(const Claim *claim, const double *n, Finding *finding)
{
    const double next = fmin(n[0], fmin(n[1], n[2]));
    finding_say(finding,
                "largest errors of the displacement: explicit Euler %.4e, half-implicit %.4e, implicit %.4e, Chung and "
                "Lee %.4e",
                n[0], n[1], n[2], n[3]);
    finding_judge(finding, claim->given[0] * n[3] <= next);
}

static void judge_settling(const Claim *claim, const double *n, Finding *finding)
{
    (void)claim;
    finding_say(finding,
                "kinetic energy over the last 4 s, integrated: explicit Euler %.4e, half-implicit %.4e, implicit %.4e, "
                "Chung and Lee %.4e J s",
                n[0], n[1], n[2], n[3]);
    finding_judge(finding, n[0] > n[1] && n[0] > n[3] && n[2] < n[1] && n[2] < n[3] && n[2] < n[0]);
}

static void measure_orders(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    for (int z = 0; z < 2; ++z) {
        const double zeta = z == 0 ? 0.0 : 0.2;
        for (int i = 0; i < 3; ++i)
            n[5 * z + i] = measure_order(lab, methods[i], NULL, 0.0, zeta);
        n[5 * z + 3] = measure_order(lab, "chung_lee", "beta", 1.0, zeta);
        n[5 * z + 4] = measure_order(lab, "chung_lee", "beta", 28.0 / 27.0, zeta);
    }
}

static void judge_first_order(const Claim *claim, const double *n, Finding *finding)
{
    bool holds = true;
    for (int z = 0; z < 2; ++z)
        for (int i = 0; i < 3; ++i)
            holds = holds && fabs(n[5 * z + i] - 1.0) <= claim->given[0];
    finding_say(finding, "explicit, half-implicit, implicit: %.2f, %.2f, %.2f undamped, %.2f, %.2f, %.2f damped", n[0],
                n[1], n[2], n[5], n[6], n[7]);
    finding_judge(finding, holds);
}

static void judge_second_order(const Claim *claim, const double *n, Finding *finding)
{
    bool holds = true;
    for (int z = 0; z < 2; ++z)
        for (int i = 3; i < 5; ++i)
            holds = holds && fabs(n[5 * z + i] - 2.0) <= claim->given[0];
    finding_say(finding, "beta 1 and 28/27: %.2f and %.2f undamped, %.2f and %.2f damped", n[3], n[4], n[8], n[9]);
    finding_judge(finding, holds);
}

static void measure_unconditional(Lab *lab, const Claim *claim, double *n)
{
    static const double zeta[] = {0.0, 0.2, 1.0};
    for (int i = 0; i < 3; ++i) {
        n[i] = measure_largest_radius(lab, claim->word, 0.0, zeta[i]);
        n[6 + i] = 2.0 * (sqrt(1.0 + zeta[i] * zeta[i]) - zeta[i]);
    }
    lab_limits(lab, claim->word, 0.0, zeta, 3, n + 3);
}

static void judge_unconditional(const Claim *claim, const double *n, Finding *finding)
{
    const double most = fmax(n[0], fmax(n[1], n[2]));
    finding_say(finding, "largest radius for Omega from 0.01 to 1e4, at zeta 0, 0.2, 1: %.3g, %.3g, %.3g", n[0], n[1],
                n[2]);
    if (isfinite(n[3]))
        finding_say(finding,
                    "; stable up to %.6f, %.6f, %.6f (closed form 2 (sqrt(1 + zeta^2) - zeta): %.6f, %.6f, %.6f)", n[3],
                    n[4], n[5], n[6], n[7], n[8]);
    finding_judge(finding, most <= claim->given[0] && !isnan(n[0] + n[1] + n[2]));
}

// The zeta from which explicit Euler is stable further than Chung and Lee, between two of the kernel's limits at a
// time.
static double crossing(Lab *lab, double beta)
{
    enum { ZETAS = 21 };
    double low = 0.0, high = 1.0, zetas[ZETAS], euler[ZETAS], chung[ZETAS];
    for (int turn = 0; turn < 3; ++turn) {
        int i = 0;
        for (int k = 0; k < ZETAS; ++k)
            zetas[k] = low + (high - low) * k / (ZETAS - 1);
        lab_limits(lab, "explicit_euler", 0.0, zetas, ZETAS, euler);
        lab_limits(lab, "chung_lee", beta, zetas, ZETAS, chung);
        while (i < ZETAS && euler[i] <= chung[i])
            ++i;
        if (i == 0 || i == ZETAS)
            return i == 0 ? low : (double)INFINITY;
        low = zetas[i - 1];
        high = zetas[i];
    }
    return 0.5 * (low + high);
}

static void measure_smallest(Lab *lab, const Claim *claim, double *n)
{
    static const double zetas[] = {0.1, 0.5, 1.0};
    (void)claim;
    n[0] = crossing(lab, 1.0);
    n[1] = crossing(lab, 28.0 / 27.0);
    lab_limits(lab, "explicit_euler", 0.0, zetas, 3, n + 2);
    lab_limits(lab, "symplectic_euler", 0.0, zetas, 3, n + 5);
    lab_limits(lab, "chung_lee", 1.0, zetas, 3, n + 8);
}

static void judge_smallest(const Claim *claim, const double *n, Finding *finding)
{
    (void)claim;
    finding_say(
        finding,
        "limits at zeta 0.1, 0.5, 1: explicit %.4f, %.4f, %.4f; half-implicit %.4f, %.4f, %.4f; Chung and Lee "
        "with beta 1 %.4f, %.4f, %.4f; explicit Euler passes it at zeta %.4f (1/sqrt 5 = %.4f), with beta 28/27 "
        "at %.4f",
        n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[0], sqrt(0.2), n[1]);
    finding_judge(finding, n[0] > 1.0 && n[1] > 1.0);
    if (n[0] > 0.0 && n[0] <= 1.0)
        finding_only_if(finding, "zeta is below %.3f (with beta 28/27 below %.3f)", n[0], n[1]);
}

static void measure_chung_limits(Lab *lab, const Claim *claim, double *n)
{
    enum { ZETAS = 11 };
    double zetas[ZETAS];
    (void)claim;
    for (int i = 0; i < ZETAS; ++i)
        zetas[i] = i / (ZETAS - 1.0);
    lab_limits(lab, "chung_lee", 28.0 / 27.0, zetas, ZETAS, n);
    lab_limits(lab, "chung_lee", 1.0, zetas, ZETAS, n + ZETAS);
}

static void judge_chung_limits(const Claim *claim, const double *n, Finding *finding)
{
    bool falls = true;
    (void)claim;
    for (int i = 0; i < 21; ++i)
        falls = falls && (i == 10 || n[i + 1] < n[i]);
    finding_say(finding,
                "with beta 28/27 from %.4f at zeta 0 over %.4f at 0.5 to %.4f at 1; with beta 1 from %.4f to %.4f",
                n[0], n[5], n[10], n[11], n[21]);
    finding_judge(finding, falls);
}

// Eq. 22 as printed, iterated over the 8 s of section 4.1.
static double printed_error(double zeta, double omega, double h)
{
    const double O = omega * h, free = sqrt(1.0 - zeta * zeta) * omega;
    const Matrix A = two(2.0 - O * O, 1.0 - 2.0 * zeta * O, -O * O, 1.0 - 2.0 * zeta * O);
    double       x = 1.0, v = h, largest = 0.0;
    for (int i = 1; i <= 800; ++i) {
        const double t = i * h, x1 = A.a[0][0] * x + A.a[0][1] * v, decay = exp(-zeta * omega * t);
        v = A.a[1][0] * x + A.a[1][1] * v;
        x = x1;
        largest = fmax(largest, fabs(x - decay * (cos(free * t) + (1.0 + zeta * omega) / free * sin(free * t))));
    }
    return largest;
}

static void measure_eq_22(Lab *lab, const Claim *claim, double *n)
{
    const double zeta = 0.2, omega = acos(-1.0), h = 0.01, O = omega * h, d = 1.0 - 2.0 * zeta * O;
    (void)claim;
    n[0] = matrix_radius(two(2.0 - O * O, d, -O * O, d));
    n[1] = measure_radius(lab, "symplectic_euler", 0.0, O, zeta);
    n[2] = printed_error(zeta, omega, h);
    n[3] = lab_number(lab, LAB_FANG, "symplectic_euler", "error_max", NOWHERE);
    n[4] = matrices_apart(lab, "symplectic_euler", 0.0, zeta, O, two(1.0 - O * O, d, -O * O, d));
}

static void judge_eq_22(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(
        finding,
        "radius %.4f and an error of %.1e over 8 s as printed, %.6f and %.4e with 1 - Omega^2, which the kernel's "
        "matrix has within %.0e",
        n[0], n[2], n[1], n[3], n[4]);
    finding_judge(finding, fabs(n[0] - n[1]) <= claim->given[0]);
}

static void measure_eq_11_18(Lab *lab, const Claim *claim, double *n)
{
    static const double omega[] = {0.0314, 1.5};
    const double        zeta = 0.2;
    (void)claim;
    for (int i = 0; i < 2; ++i) {
        const double O = omega[i];
        n[i] = matrices_apart(lab, "explicit_euler", 0.0, zeta, O, two(1.0, 1.0, -O * O, 1.0 - 2.0 * zeta * O));
        n[2 + i] = matrices_apart(lab, "backward_euler", 0.0, zeta, O,
                                  matrix_inverse(two(1.0, -1.0, O * O, 1.0 + 2.0 * zeta * O)));
    }
}

static void measure_eq_26(Lab *lab, const Claim *claim, double *n)
{
    static const double omega[] = {0.0314, 1.5}, betas[] = {1.0, 28.0 / 27.0};
    const double        zeta = 0.2;
    (void)claim;
    for (int i = 0; i < 4; ++i) {
        const double O = omega[i / 2], beta = betas[i % 2], d = 2.0 * zeta * O;
        const Matrix printed = {
            3,
            {{1.0 - beta * O * O, 1.0 - beta * d, 0.5 - beta}, {-1.5 * O * O, 1.0 - 1.5 * d, -0.5}, {-O * O, -d, 0.0}}};
        n[i] = matrices_apart(lab, "chung_lee", beta, zeta, O, printed);
    }
}

// The characteristic polynomial of explicit Euler: trace and determinant.
static void measure_eq_12(Lab *lab, const Claim *claim, double *n)
{
    static const double omega[] = {0.0314, 1.5};
    const double        zeta = 0.2;
    Matrix              found[2];
    (void)claim;
    lab_matrices(lab, "explicit_euler", 0.0, zeta, omega, 2, found);
    for (int i = 0; i < 2; ++i) {
        const double O = omega[i];
        n[i] = fabs(-found[i].a[0][0] - found[i].a[1][1] - 2.0 * (zeta * O - 1.0));
        n[2 + i] = fabs(matrix_determinant(found[i]) - (O * O - 2.0 * zeta * O + 1.0));
    }
}

static void judge_four_differences(const Claim *claim, const double *n, Finding *finding)
{
    bool   holds = true;
    double most = 0.0;
    for (int i = 0; i < 4; ++i) {
        holds = holds && n[i] <= claim->given[0];
        most = n[i] <= most ? most : n[i];
    }
    finding_say(finding, "the kernel's differs by %.0e at most", most);
    finding_judge(finding, holds);
}

#define OSCILLATOR_RUN "oscillator, omega pi, zeta 0.2, from (1, 1), step 0.01, 8 s"
#define ORDER_RUN "pendulum from (1, 0.5) to t = 2, 100 and 200 steps, zeta 0 and 0.2"
#define MATRIX_RUN "kernel's matrix at Omega 0.0314 and 1.5, zeta 0.2"

static const Claim rows[] = {
    {"section 4.1, figure 2", "Chung's method is more accurate than the three Euler methods.", OSCILLATOR_RUN,
     "a tenth of the error of the next", measure_oscillator, judge_most_accurate, .word = "error_max", .given = {10}},
    {"section 4.1", "The three Euler methods are first-order.", ORDER_RUN, "1 within 0.1, in x and v", measure_orders,
     judge_first_order, .given = {0.1}},
    {"section 3.4, eq. 27", "Chung's method is second-order for beta from 1 to 28/27.", ORDER_RUN,
     "2 within 0.1, in x and v", measure_orders, judge_second_order, .given = {0.1}},
    {"section 4.2, figure 3", "Explicit Euler takes longest to settle and implicit Euler settles fastest.",
     OSCILLATOR_RUN, "most and least kinetic energy over the last 4 s", measure_oscillator, judge_settling,
     .word = "kinetic_integral"},
    {"section 4.3, figure 4, implicit Euler", "Implicit Euler is unconditionally stable.",
     "kernel's matrix, zeta 0, 0.2, 1", "radius at most 1 + 1e-6 for Omega from 0.01 to 1e4", measure_unconditional,
     judge_unconditional, .word = "backward_euler", .given = {1.0 + 1e-6}},
    {"section 4.3, figure 4, half-implicit Euler", "Half-implicit Euler is unconditionally stable.",
     "kernel's matrix, zeta 0, 0.2, 1", "radius at most 1 + 1e-6 for Omega from 0.01 to 1e4", measure_unconditional,
     judge_unconditional, .word = "symplectic_euler", .given = {1.0 + 1e-6}},
    {"section 4.3, figure 4, explicit Euler", "Explicit Euler has the smallest stability region.",
     "limits of the kernels for zeta from 0 to 1", "no further than Chung's method, the next, for every zeta",
     measure_smallest, judge_smallest, .given = {0}},
    {"section 4.3, figure 5", "The stability region of Chung's method shrinks as zeta grows.",
     "limits of the kernel for zeta from 0 to 1, beta 28/27 and 1", "every limit below the one before",
     measure_chung_limits, judge_chung_limits, .given = {0}},
    {"eq. 11 and 18", "These are the matrices of explicit and implicit Euler.", MATRIX_RUN, "within 1e-12",
     measure_eq_11_18, judge_four_differences, .given = {1e-12}},
    {"eq. 12", "This is the characteristic polynomial of explicit Euler.", MATRIX_RUN, "within 1e-12", measure_eq_12,
     judge_four_differences, .given = {1e-12}},
    {"eq. 22", "Half-implicit Euler has the matrix with entry 2 - Omega^2.", OSCILLATOR_RUN,
     "the kernel's spectral radius within 1e-6 as printed", measure_eq_22, judge_eq_22, .given = {1e-6}},
    {"eq. 26", "This is the matrix of Chung's method.", MATRIX_RUN ", beta 1 and 28/27", "within 1e-12", measure_eq_26,
     judge_four_differences, .given = {1e-12}},
};

const ClaimTable claims_fang = {"Fang 2018 (TR-2018-01)", rows, sizeof rows / sizeof *rows};
