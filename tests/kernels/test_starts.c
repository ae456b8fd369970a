// test_starts -- how theta2 begins a substep without a point behind it: its order where steps are halved, and what it
// leaves of a mode that is too stiff for the step.
#include "analysis/linear/theory.h"
#include "support/kernel_case.h"

AROUND_ALL(open_device, close_device)

// y = x - e^t moves by y'' = -stiffness y - k y^2, whose last term is there in every second step of size `stride` only:
// it makes Newton's equation quadratic, and what one update leaves of its residual is k c (c du)^2, c du the change of
// y in the update. A tolerance between that of the step and those of its halves has exactly these steps halved, and
// with y = 0 it changes nothing.
static const char gate[] =
    "//: problem: gate\n"
    "//: title: A motion that is hard to find in every second step\n"
    "//: equation: x'' = e^t - stiffness (x - e^t) - k (x - e^t)^2\n"
    "//: dofs: 1\n"
    "//: provides: [jacobian, exact]\n"
    "//: parameters:\n"
    "//:   stride:    {default: 1.0, above: 0, unit: s, about: \"step\"}\n"
    "//:   stiffness: {default: 1.0, unit: 1/s2, about: \"of the way back to e^t\"}\n"
    "//:   offset:    {default: 0.0, unit: m, about: \"from e^t at the start\"}\n"
    "//:   height:    {default: 1.0, unit: 1/s2, about: \"k in every second step\"}\n"
    "\n"
    "static void initial_state(const Params *p, real x[DOF], real v[DOF])\n"
    "{\n"
    "    x[0] = 1.0 + p->offset;\n"
    "    v[0] = ZERO + 1.0;\n"
    "}\n"
    "\n"
    "static real k_at(real t, const Params *p)\n"
    "{\n"
    "    return choose(real_sin(PI * (t / p->stride - 0.01)) < ZERO, p->height, ZERO);\n"
    "}\n"
    "\n"
    "static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])\n"
    "{\n"
    "    const real e = real_exp(t), off = x[0] - e;\n"
    "    a[0] = e - p->stiffness * off - k_at(t, p) * off * off;\n"
    "}\n"
    "\n"
    "static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF],\n"
    "                     real dadv[DOF][DOF])\n"
    "{\n"
    "    dadx[0][0] = -p->stiffness - 2.0 * k_at(t, p) * (x[0] - real_exp(t));\n"
    "    dadv[0][0] = ZERO;\n"
    "}\n"
    "\n"
    "static void exact(real t, const Params *p, real x[DOF], real v[DOF])\n"
    "{\n"
    "    x[0] = real_exp(t);\n"
    "    v[0] = real_exp(t);\n"
    "}\n";

// What every second step being halved makes of theta2's order. theta1's start above 1/2 makes it 1, with a constant so
// small that at these steps order 2 still shows.
TEST(test_order_with_halved_steps)
{
    const struct {
        const char *start;
        double      order, within;
    } starts[START_COUNT] = {{"theta1", 1, 0.3}, {"trapezoidal", 2, 0.05}, {"variable", 2, 0.05}};
    for (size_t i = 0; i < START_COUNT; ++i) {
        enum { COARSE = 128 };
        double steps[2], strides[2], tolerances[2];
        Text   text = {0};
        Ran    ran;
        for (int k = 0; k < 2; ++k) {
            steps[k] = COARSE << k;
            strides[k] = 0.5 / steps[k];
            tolerances[k] = 0.14 * 100.0 * pow(strides[k], 5.0);
        }
        text_add(&text, "problem: ./gate.cl\ndesign: zip\nend: 0.5\nsteps: ");
        add_list(&text, steps, 2);
        text_add(&text, "\nparameters: {height: 100, stride: ");
        add_list(&text, strides, 2);
        text_add(&text, "}\nnewton: {mode: paper, jacobian: analytic, max_updates: 1, tolerance: ");
        add_list(&text, tolerances, 2);
        text_add(&text,
                 "}\nmethods: [theta2: {theta: 1}]\nsubsteps: {start: %s}\n"
                 "metrics: [status, failed_solves, substeps, depth_max, error_max]\n",
                 starts[i].start);
        run_beside(&ran, *state, 1, "gate", gate, text.text);
        assert_all_ok(&ran);
        const double order = log2(number(&ran, 0, "error_max", 0) / number(&ran, 0, "error_max", 1));
        print_message("theta2, every second step halved, start %s: order %.3f, error %.1e\n", starts[i].start, order,
                      number(&ran, 0, "error_max", 1));
        for (size_t k = 0; k < 2; ++k) {
            assert_near(number(&ran, 0, "failed_solves", k), 0.5 * steps[k], 0);
            assert_near(number(&ran, 0, "substeps", k), steps[k], 0);
            assert_near(number(&ran, 0, "depth_max", k), 1, 0);
        }
        assert_near(order, starts[i].order, starts[i].within);
        ran_free(&ran);
        text_free(&text);
    }
}

// What the start does to a mode that is far too stiff for the step: it leaves -(1 - theta1)/theta1 of it, all of it by
// the trapezoidal rule, and -e/c by theta2's own formula for a half behind a whole step, h (e, c) =
// (h/2) ((1 - theta)/2, (1 - theta)/2 + theta (1 + r)/(1 + 2 r)), r = 1/2. Here step 1 is a start, step 2 is halved,
// and its second half leaves -3 (1 - theta)/(3 + theta).
TEST(test_damping_of_starts)
{
    const double theta = 0.5, h = 1e-3, k = 1e9, theta1 = 0.5 + theta / 50.0;
    const double first = -(1.0 - theta1) / theta1, right = -3.0 * (1.0 - theta) / (3.0 + theta);
    const double e = 0.5 * (1.0 - theta), own = -e / (e + theta * 1.5 / 2.0);
    const struct {
        const char *start;
        double      left;  // what the first half leaves
        double      step;  // what step 1 leaves
        // What one update leaves of the residual, in units of h k, is 14.02 in the step and 11.39 in its halves; 15.14
        // and 13.34; 14.02 and 3.31.
        double tolerance;
    } starts[START_COUNT] = {
        {"theta1", first, first, 12.6}, {"trapezoidal", -1.0, -1.0, 14.2}, {"variable", own, first, 7.0}};
    for (size_t i = 0; i < START_COUNT; ++i) {
        char text[512];
        Ran  ran;
        snprintf(text, sizeof text,
                 "{problem: ./gate.cl, step: %.17g, steps: 2, methods: [theta2: {theta: %g}], "
                 "parameters: {stride: %.17g, stiffness: 1.0e+14, offset: 1, height: %g}, substeps: {start: %s}, "
                 "newton: {mode: paper, jacobian: analytic, max_updates: 1, tolerance: %.17g}, "
                 "metrics: [status, failed_solves, substeps, x_final]}",
                 h, theta, h, k, starts[i].start, starts[i].tolerance * h * k);
        run_beside(&ran, *state, 1, "gate", gate, text);
        assert_all_ok(&ran);
        const double y = number(&ran, 0, "x_final", 0) - exp(2.0 * h);
        print_message("theta2, start %s: the start leaves %.4f of a stiff mode, the step %.4f\n", starts[i].start,
                      y / (right * starts[i].step), y / starts[i].step);
        assert_near(number(&ran, 0, "failed_solves", 0), 1, 0);
        assert_near(number(&ran, 0, "substeps", 0), 2, 0);
        assert_near(y, starts[i].step * starts[i].left * right, 1e-3);
        ran_free(&ran);
    }
}

// `start: trapezoidal` makes the first step one of the trapezoidal rule; with `variable` it is theta1's, as by default.
TEST(test_first_steps)
{
    static const char *const starts[] = {"theta1", "trapezoidal", "variable"};
    const double             thetas[] = {0.07, 1.0};
    for (size_t i = 0; i < 3; ++i) {
        char text[512];
        Ran  ran;
        snprintf(text, sizeof text,
                 "{problem: harmonic_oscillator, parameters: {x0: 0.7, v0: 0.4, zeta: 0.2}, "
                 "methods: [theta2: {theta: [0.07, 1]}], step: 0.5, steps: 1, substeps: {start: %s}, "
                 "newton: {tolerance: 0}, metrics: [status, x_final, v_final]}",
                 starts[i]);
        run_text(&ran, *state, 1, text);
        for (size_t p = 0; p < 2; ++p) {
            const double theta1 = i == 1 ? 0.5 : 0.5 + thetas[p] / 50.0;
            const Matrix A = theory_find("theta1")->matrix(0.5, 0.2, &theta1);
            assert_near(number(&ran, 0, "x_final", p), A.a[0][0] * 0.7 + A.a[0][1] * 0.2, 1e-15);
            assert_near(number(&ran, 0, "v_final", p), 2.0 * (A.a[1][0] * 0.7 + A.a[1][1] * 0.2), 2e-15);
        }
        ran_free(&ran);
    }
}
