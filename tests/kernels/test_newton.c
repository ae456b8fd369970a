// test_newton -- Newton's method, one solve at a time: failure, units, rounding floor, and the Jacobian's differences.
#include "support/kernel_case.h"
#include "support/problem_text.h"

AROUND_ALL(open_device, close_device)

// With backward Euler and h = 1 Newton's equation is arctan u = 0 from the guess v0, and Newton's method diverges
// from 1.39 on.
static const char diverging[] = PROBLEM_TEXT("//: problem: diverging\n"
                                             "//: title: Newton's method overshoots\n"
                                             "//: equation: x'' = v - arctan v - v0\n"
                                             "//: dofs: 1\n"
                                             "//: provides: [jacobian]\n"
                                             "//: parameters:\n"
                                             "//:   start: {default: 1.0, unit: m/s, about: \"v0\"}\n",
                                             "    x[0] = ZERO;\n"
                                             "    v[0] = p->start;\n",
                                             "    a[0] = v[0] - real_atan2(v[0], ZERO + 1.0) - p->start;\n",
                                             PROBLEM_JACOBIAN("    dadx[0][0] = ZERO;\n"
                                                              "    dadv[0][0] = 1.0 - 1.0 / (1.0 + v[0] * v[0]);\n"));

#define JACOBIANS                                                             \
    "methods:\n"                                                              \
    "  - {label: central, backward_euler: {}}\n"                              \
    "  - {label: forward, backward_euler: {}, newton: {jacobian: forward}}\n" \
    "  - {label: analytic, backward_euler: {}, newton: {jacobian: analytic}}\n"

// A solve whose first three updates bring nothing is given up; what an update costs depends on the Jacobian.
TEST(test_three_updates_without_decrease)
{
    RUN_BESIDE(ran, *state, 8, "diverging", diverging,
               "problem: ./diverging.cl\nparameters: {start: [2, 1, -2]}\nstep: 1\nsteps: 1\n"
               "newton: {mode: paper, tolerance: 1.0e-12}\nsubsteps: {max_depth: 0}\n" JACOBIANS
               "metrics: [status, {steps: {label: taken}}, substeps, updates, residual_evaluations, failed_solves, "
               "depth_max, v_final]\n");
    for (size_t g = 0; g < 3; ++g) {
        const double each = 3.0 - (double)g;  // residuals an update: 1 and those of the Jacobian
        for (size_t p = 0; p < 3; p += 2) {
            assert_status(&ran, g, p, STATUS_NEWTON_FAILED);
            assert_counts(&ran, g, p, (Counts){1, 0, 3, 1 + 3 * each, 0, 0});
        }
        const double updates = number(&ran, g, "updates", 1);
        assert_status(&ran, g, 1, STATUS_OK);
        assert_counts(&ran, g, 1, (Counts){0, 0, updates, 1 + updates * each, 0, 1});
        assert_near(number(&ran, g, "v_final", 1), 0, 1e-12);
    }
}

// What modified Newton makes of arctan u = 0 from a guess, in closed form: updates of slope 1 + guess^2.
static double chord_updates(double guess)
{
    double u = guess, updates = 0.0;
    while (updates < 50.0 && (updates == 0.0 || fabs(atan(u)) > 1e-12)) {
        u -= atan(u) * (1.0 + guess * guess);
        updates += 1.0;
    }
    return updates;
}

// Modified Newton makes one Jacobian a solve, which costs its residuals once. From 1/2 every update leaves a quarter;
// from 1 the slope is twice that at the solution, and 50 updates do not do; from 2 three updates bring nothing.
TEST(test_modified)
{
    const double starts[] = {0.25, 0.5, 1.0, 2.0};
    RUN_BESIDE(ran, *state, 8, "diverging", diverging,
               "problem: ./diverging.cl\nparameters: {start: [0.25, 0.5, 1, 2]}\nstep: 1\nsteps: 1\n"
               "newton: {mode: paper, tolerance: 1.0e-12, update: modified}\nsubsteps: {max_depth: 0}\n" JACOBIANS
               "  - {label: full, backward_euler: {}, newton: {update: full}}\n"
               "metrics: [status, {steps: {label: taken}}, substeps, updates, jacobians, residual_evaluations, "
               "failed_solves, depth_max, v_final]\n");
    for (size_t p = 0; p < 4; ++p) {
        const bool   solved = p < 2;
        const double updates = p == 3 ? 3.0 : chord_updates(starts[p]);
        assert_true(solved == (updates < 50.0 && p < 3));
        for (size_t g = 0; g < 3; ++g) {
            assert_status(&ran, g, p, solved ? STATUS_OK : STATUS_NEWTON_FAILED);
            assert_counts(&ran, g, p, (Counts){!solved, 0, updates, 1 + updates + (2.0 - (double)g), 0, solved});
            assert_near(number(&ran, g, "jacobians", p), 1, 0);
            if (solved)
                assert_near(number(&ran, g, "v_final", p), 0, 2e-12);
        }
        assert_near(number(&ran, 3, "jacobians", p), number(&ran, 3, "updates", p), 0);
        assert_true(number(&ran, 3, "updates", p) <= updates);
    }
}

// Newton's updates of arctan u = 0 from a guess, in closed form; three where they bring nothing.
static double newton_updates(double guess)
{
    double u = guess, updates = 0.0;
    while (updates == 0.0 || (fabs(atan(u)) > 1e-12 && (updates < 3.0 || fabs(u) < fabs(guess)))) {
        u -= atan(u) * (1.0 + u * u);
        updates += 1.0;
    }
    return updates;
}

// With h = 1 the explicit Euler method leads from v0 to v0 + a(v0) = v0 - arctan v0: from v0 = 2 to where Newton's
// method converges, from 4 to where it does not.
TEST(test_extrapolated_guess)
{
    const double starts[] = {0.25, 1.0, 2.0, 4.0};
    RUN_BESIDE(ran, *state, 8, "diverging", diverging,
               "problem: ./diverging.cl\nparameters: {start: [0.25, 1, 2, 4]}\nstep: 1\nsteps: 1\n"
               "newton: {mode: paper, tolerance: 1.0e-12, jacobian: analytic}\nsubsteps: {max_depth: 0}\n"
               "methods:\n"
               "  - {label: last, backward_euler: {}, newton: {guess: last}}\n"
               "  - {label: extrapolated, backward_euler: {}, newton: {guess: extrapolated}}\n"
               "metrics: [status, {steps: {label: taken}}, substeps, updates, residual_evaluations, failed_solves, "
               "depth_max, v_final]\n");
    for (size_t g = 0; g < 2; ++g)
        for (size_t p = 0; p < 4; ++p) {
            const double guess = g == 0 ? starts[p] : starts[p] - atan(starts[p]), updates = newton_updates(guess);
            const bool   solved = fabs(guess) < 1.39;
            assert_int_equal(solved, g == 0 ? p < 2 : p < 3);
            assert_status(&ran, g, p, solved ? STATUS_OK : STATUS_NEWTON_FAILED);
            assert_counts(&ran, g, p, (Counts){!solved, 0, updates, 1 + updates, 0, solved});
            if (solved)
                assert_near(number(&ran, g, "v_final", p), 0, 2e-12);
        }
    assert_true(number(&ran, 1, "updates", 0) < number(&ran, 0, "updates", 0));
    assert_same_alone(&ran);
}

// Newmark's method at (1/4, 1/2) on x'' = -sin x from (2, 0), by Newton's method with the exact slope: the updates that
// it makes in so many steps.
//   points  accelerations that a guess goes through at most
static double newmark_updates(double h, int steps, double tolerance, int points)
{
    const double weights[3][3] = {{1.0, 0.0, 0.0}, {2.0, -1.0, 0.0}, {3.0, -3.0, 1.0}};
    double       x = 2.0, v = 0.0, a[3] = {-sin(2.0), 0.0, 0.0}, updates = 0.0;
    for (int n = 0; n < steps; ++n) {
        const double *weight = weights[n < points ? n : points - 1];
        double        u = weight[0] * a[0] + weight[1] * a[1] + weight[2] * a[2];
        const double  known = x + h * v + 0.25 * h * h * a[0];
        do {
            const double at = known + 0.25 * h * h * u;
            u -= (u + sin(at)) / (1.0 + 0.25 * h * h * cos(at));
            updates += 1.0;
        } while (fabs(u + sin(known + 0.25 * h * h * u)) > tolerance);
        x = known + 0.25 * h * h * u;
        v += 0.5 * h * (a[0] + u);
        a[2] = a[1];
        a[1] = a[0];
        a[0] = u;
    }
    return updates;
}

// The guess of the first step is a_0, that of the second goes through two accelerations, those after it through three.
TEST(test_extrapolated_accelerations)
{
    const double strides[] = {0.1, 0.4}, tolerances[] = {1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4};
    double       saved = 0.0;
    RUN_OK(ran, *state, 8,
           "problem: pendulum\nparameters: {x0: 2}\nstep: [0.1, 0.4]\nsteps: 50\n"
           "newton: {mode: paper, jacobian: analytic, tolerance: [1.0e-11, 1.0e-10, 1.0e-9, 1.0e-8, 1.0e-7, 1.0e-6, "
           "1.0e-5, 1.0e-4]}\n"
           "methods:\n"
           "  - {label: last, newmark: {}}\n"
           "  - {label: extrapolated, newmark: {}, newton: {guess: extrapolated}}\n"
           "metrics: [status, updates, failed_solves]\n");
    for (size_t h = 0; h < 2; ++h)
        for (size_t t = 0; t < 8; ++t) {
            const double last = newmark_updates(strides[h], 50, tolerances[t], 1),
                         ahead = newmark_updates(strides[h], 50, tolerances[t], 3);
            assert_near(number(&ran, 0, "updates", 8 * h + t), last, 0);
            assert_near(number(&ran, 1, "updates", 8 * h + t), ahead, 0);
            assert_near(number(&ran, 1, "failed_solves", 8 * h + t), 0, 0);
            saved += last - ahead;
        }
    print_message("%.0f updates saved\n", saved);
    assert_true(saved > 100.0);
}

// Duffing's oscillator, and the same at 2^-100 of its size with a cubic spring 2^200 times as stiff. A scaled residual
// is compared with the size of its own velocity, and no bit differs. A raw one is below any tolerance of an ordinary
// size in the small unit: each solve takes its one update.
TEST(test_scaled_residuals)
{
    RUN_OK(
        ran, *state, 8,
        "problem: duffing\nparameters: {x0: 1, beta: 5, force: 0}\nstep: 0.0625\nsteps: 200\n"
        "methods:\n"
        "  - {label: alpha, generalized_alpha: {}}\n"
        "  - {label: alpha_small, generalized_alpha: {},\n"
        "     parameters: {x0: 7.888609052210118e-31, beta: 8.034690221294951e+60}}\n"
        "  - {label: theta, theta2: {}}\n"
        "  - {label: theta_small, theta2: {}, parameters: {x0: 7.888609052210118e-31, beta: 8.034690221294951e+60}}\n"
        "  - {label: raw, theta2: {}, newton: {residual: raw},\n"
        "     parameters: {x0: 7.888609052210118e-31, beta: 8.034690221294951e+60}}\n"
        "metrics: [status, updates, stagnated_solves, x_final]\n");
    for (size_t g = 0; g < 4; g += 2) {
        assert_point(&ran, g, 0, {"x_final", ldexp(number(&ran, g + 1, "x_final", 0), 100), 0},
                     {"updates", number(&ran, g + 1, "updates", 0), 0},
                     {"stagnated_solves", number(&ran, g + 1, "stagnated_solves", 0), 0});
        assert_true(number(&ran, g, "updates", 0) > 220.0);
    }
    assert_near(number(&ran, 4, "updates", 0), 200, 0);
}

// A residual of stiff springs is rounding long before it is zero. The guard knows how much: even from x = 0, where it
// is the velocity that is rounded, every solve at tolerance 0 is accepted, none fails, and none needs many updates.
TEST(test_rounding_floor)
{
    RUN_OK(ran, *state, 8,
           "problem: harmonic_oscillator\n"
           "parameters: {omega: {log: [1.0e+1, 1.0e+6, 96]}, x0: 0, v0: 1}\n"
           "methods: [generalized_alpha, theta2]\n"
           "step: 0.05\n"
           "steps: 1\n"
           "newton: {tolerance: 0}\n"
           "metrics: [status, failed_solves, stagnated_solves, updates]\n");
    for (size_t g = 0; g < 2; ++g) {
        double stagnated = 0.0;
        for (size_t p = 0; p < 96; ++p) {
            assert_near(number(&ran, g, "failed_solves", p), 0, 0);
            assert_true(number(&ran, g, "updates", p) <= 3);
            assert_true(number(&ran, g, "stagnated_solves", p) <= 1);
            stagnated += number(&ran, g, "stagnated_solves", p);
        }
        print_message("%s: %.0f of 96 solves end at the floor\n", group_at(&ran, g)->label, stagnated);
        assert_true(stagnated > 48.0);
    }
}

// Backward Euler with h = 1 from rest in x: at the guess (v0, 0) Newton's matrix is diagonal, 1 + 1 for the spring and
// for the other 1, but for what differences over s leave of a square and a cube: k2 s + k3 s^2 ahead only, k3 s^2 ahead
// and behind. Where the other moves by v2 it has 3 k3 v2^2 of the cube as well, and ahead only 3 k3 v2 s.
static const char curved[] =
    PROBLEM_TEXT("//: problem: curved\n"
                 "//: title: A spring, and friction that differences see\n"
                 "//: equation: x1'' = -x1, x2'' = -k2 v2^2 - k3 v2^3\n"
                 "//: dofs: 2\n"
                 "//: parameters:\n"
                 "//:   k2:    {default: 0.0, unit: 1/m, about: \"square\"}\n"
                 "//:   k3:    {default: 0.0, unit: s/m2, about: \"cube\"}\n"
                 "//:   start: {default: 1.0, unit: m/s, about: \"v0 of the spring\"}\n"
                 "//:   other: {default: 0.0, unit: m/s, about: \"v0 of what has friction\"}\n",
                 "    x[0] = ZERO;\n"
                 "    x[1] = ZERO;\n"
                 "    v[0] = p->start;\n"
                 "    v[1] = p->other;\n",
                 "    a[0] = -x[0];\n"
                 "    a[1] = -v[1] * v[1] * (p->k2 + p->k3 * v[1]);\n",
                 "");

#define STENCILS                                                                                  \
    "methods:\n"                                                                                  \
    "  - {label: cbrt_central, backward_euler: {}, newton: {stencil: cbrt}}\n"                    \
    "  - {label: sqrt_central, backward_euler: {}, newton: {stencil: sqrt}}\n"                    \
    "  - {label: cbrt_forward, backward_euler: {}, newton: {stencil: cbrt, jacobian: forward}}\n" \
    "  - {label: sqrt_forward, backward_euler: {}, newton: {stencil: sqrt, jacobian: forward}}\n" \
    "metrics: [status, updates, condition_max]\n"

TEST(test_stencils)
{
    const double k2 = 1e6, k3 = 1e10, starts[] = {0.1, 1.0, 4.0};
    RUN_BESIDE(ran, *state, 8, "curved", curved,
               "problem: ./curved.cl\n"
               "parameters: {k2: 1.0e+6, k3: 1.0e+10, start: [0.1, 1, 4]}\n"
               "step: 1\n"
               "steps: 1\n"
               "newton: {tolerance: 1.0e+9, residual: raw}\n" STENCILS);
    assert_all_ok(&ran);
    for (size_t g = 0; g < 4; ++g)
        for (size_t p = 0; p < 3; ++p) {
            const double s = (g % 2 ? 0x1p-26 : cbrt(0x1p-52)) * fmax(starts[p], 1.0);
            const double other = 1.0 + k3 * s * s + (g < 2 ? 0.0 : k2 * s);
            assert_near(number(&ran, g, "updates", p), 1, 0);
            assert_near(number(&ran, g, "condition_max", p), fmax(other, 2.0) / fmin(other, 2.0), 1e-7);
        }
}

// Where the residual is scaled a difference reaches by the size of its own component, to a power of two, however large
// the others are; where nothing has a size the column is the identity.
TEST(test_scaled_stencils)
{
    const double others[] = {0.75, 0x1p-60, 0.0, -6.0};
    RUN_BESIDE(ran, *state, 8, "curved", curved,
               "problem: ./curved.cl\n"
               "parameters: {k3: 1, start: 1.0e+9, other: [0.75, 8.673617379884035e-19, 0, -6]}\n"
               "step: 1\n"
               "steps: 1\n"
               "newton: {tolerance: 1.0e+9}\n" STENCILS);
    assert_all_ok(&ran);
    for (size_t g = 0; g < 4; ++g)
        for (size_t p = 0; p < 4; ++p) {
            const double v = others[p], s = (g % 2 ? 0x1p-26 : 0x1p-17) * (v == 0.0 ? 0.0 : exp2(floor(log2(fabs(v)))));
            const double other = 1.0 + 3.0 * v * v + s * s + (g < 2 ? 0.0 : 3.0 * v * s);
            assert_near(number(&ran, g, "updates", p), 1, 0);
            assert_near(number(&ran, g, "condition_max", p) / (fmax(other, 2.0) / fmin(other, 2.0)), 1.0, 4e-8);
        }
}

// A component that rests goes by the least size that the sweep file sets: over the step, which is 1/4, in a system of
// second order. Another component's is nothing to it, nor is one that is smaller than what it has of its own.
TEST(test_least_sizes)
{
    const double h = 0.25, sizes[] = {3.0 / h, 3.0 / h, 0.0, 48.0 / h, 0.75}, moving = 0.75;
    RUN_BESIDE(ran, *state, 8, "curved", curved,
               "problem: ./curved.cl\n"
               "parameters: {k3: 1.0e+10, start: 1.0e+9}\n"
               "step: 0.25\n"
               "steps: 1\n"
               "newton: {tolerance: 1.0e+9, scale: {x1: 3}}\n"
               "methods:\n"
               "  - {label: rests, backward_euler: {}}\n"
               "  - {label: both, backward_euler: {}, newton: {scale: {x0: 1.0e+12, x1: 3}}}\n"
               "  - {label: other, backward_euler: {}, newton: {scale: {x0: 3}}}\n"
               "  - {label: larger, backward_euler: {}, newton: {scale: {x1: 48}}}\n"
               "  - {label: smaller, backward_euler: {}, newton: {jacobian: forward, scale: {x1: 1.0e-3}},\n"
               "     parameters: {k3: 1, other: 0.75}}\n"
               "metrics: [status, updates, condition_max]\n");
    assert_all_ok(&ran);
    for (size_t g = 0; g < 5; ++g) {
        const double v = g == 4 ? moving : 0.0, k3 = g == 4 ? 1.0 : 1e10;
        const double s = sizes[g] > 0.0 ? 0x1p-17 * exp2(floor(log2(sizes[g]))) : 0.0;
        const double other = 1.0 + h * k3 * (3.0 * v * v + 3.0 * v * s + s * s), spring = 1.0 + h * h;
        assert_near(number(&ran, g, "updates", 0), 1, 0);
        assert_near(number(&ran, g, "condition_max", 0) / (fmax(other, spring) / fmin(other, spring)), 1.0, 1e-7);
    }
}

// Of a system of first order a least size is the coordinate's own, whatever the step.
TEST(test_least_sizes_of_first_order)
{
    const double h = 0.25, k3 = 1e10, s = 0x1p-17 * 2.0, other = 1.0 + h * k3 * s * s;
    RUN_OK(ran, *state, 8,
           "problem:\n  coordinates: [x, y]\n  rate: [\"0*x\", \"-k3*y^3\"]\n  start: [1, 0]\n"
           "  parameters: {k3: 1.0e+10}\n"
           "step: 0.25\nsteps: 1\nnewton: {jacobian: central, scale: {y: 3}}\nmethods: [backward_euler]\n"
           "metrics: [status, updates, condition_max]\n");
    assert_near(number(&ran, 0, "condition_max", 0) / other, 1.0, 1e-7);
}

// The force on y is only what rounding makes of it, and no derivative sees it: y is never small of itself. Where the
// sweep says how small it may be every solve takes one update, and x is the same.
TEST(test_rounding_at_rest)
{
    RUN_OK(ran, *state, 8,
           "problem:\n  coordinates: [x, y]\n  acceleration: [\"-x\", \"sin(x)^2 + cos(x)^2 - 1 - 0.1*y\"]\n"
           "  start: [1, 0]\n  start_velocity: [0, 0]\n"
           "step: 0.05\nsteps: 400\n"
           "methods:\n"
           "  - generalized_alpha\n"
           "  - theta2\n"
           "  - tr_bdf2\n"
           "  - {label: alpha, generalized_alpha: {}, newton: {scale: {y: 1.0e-6}}}\n"
           "  - {label: theta, theta2: {}, newton: {scale: {y: 1.0e-6}}}\n"
           "  - {label: composite, tr_bdf2: {}, newton: {scale: {y: 1.0e-6}}}\n"
           "metrics: [status, updates, x_final]\n");
    for (size_t g = 0; g < 3; ++g) {
        const double stages = g == 2 ? 2.0 : 1.0;
        assert_near(number(&ran, g + 3, "updates", 0), 400 * stages, 0);
        assert_true(number(&ran, g, "updates", 0) > 480 * stages);
        for (size_t i = 0; i < 2; ++i)
            assert_near(element(&ran, g + 3, "x_final", 0, i), element(&ran, g, "x_final", 0, i), 1e-14);
    }
}
