// test_starts -- the order of methods where steps are halved, how theta2 begins a substep without a point behind it,
// and what it leaves of a mode that is too stiff for the step.
#include "support/closed_forms.h"
#include "support/kernel_case.h"
#include "support/problem_text.h"

AROUND_ALL(open_device, close_device)

// y = x - e^t moves by y'' = -stiffness y - k y^2, whose last term is there in every second step of size `stride` only:
// it makes Newton's equation quadratic, and what one update leaves of its residual is k c (c du)^2, c du the change of
// y in the update. A tolerance between that of the step and those of its halves has exactly these steps halved, and
// with y = 0 it changes nothing.
static const char gate[] =
    PROBLEM_TEXT("//: problem: gate\n"
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
                 "static real k_at(real t, const Params *p)\n"
                 "{\n"
                 "    return choose(real_sin(PI * (t / p->stride - 0.01)) < ZERO, p->height, ZERO);\n"
                 "}\n",
                 "    x[0] = 1.0 + p->offset;\n"
                 "    v[0] = ZERO + 1.0;\n",
                 "    const real e = real_exp(t), off = x[0] - e;\n"
                 "    a[0] = e - p->stiffness * off - k_at(t, p) * off * off;\n",
                 PROBLEM_JACOBIAN("    dadx[0][0] = -p->stiffness - 2.0 * k_at(t, p) * (x[0] - real_exp(t));\n"
                                  "    dadv[0][0] = ZERO;\n") PROBLEM_EXACT("    x[0] = real_exp(t);\n"
                                                                            "    v[0] = real_exp(t);\n"));

typedef struct Halved {
    const char *method;  // entry under `methods`
    double      coarse;  // steps of the first of two points; the second has twice as many
    double      height;
    double      part, power;    // the tolerance is part height h^power
    double      order, within;  // measured over these steps
} Halved;

static void check_order(Device *device, const Halved *h)
{
    double steps[2], strides[2], tolerances[2], errors[2];
    Text   text SCOPED(text_free) = {0};
    for (int i = 0; i < 2; ++i) {
        steps[i] = ldexp(h->coarse, i);
        strides[i] = 0.5 / steps[i];
        tolerances[i] = h->part * h->height * pow(strides[i], h->power);
    }
    add_list(&text, "problem: ./gate.cl\ndesign: zip\nend: 0.5\nsteps", steps, 2);
    text_add(&text, "\nparameters: {height: %.17g", h->height);
    add_list(&text, ", stride", strides, 2);
    add_list(&text, "}\nnewton: {mode: paper, jacobian: analytic, max_updates: 1, tolerance", tolerances, 2);
    text_add(&text, "}\nmethods: [%s]\nmetrics: [status, failed_solves, substeps, depth_max, error_max]\n", h->method);
    RUN_BESIDE(ran, device, 8, "gate", gate, text.text);
    assert_all_ok(&ran);
    for (size_t i = 0; i < 2; ++i) {
        assert_point(&ran, 0, i, {"failed_solves", 0.5 * steps[i], 0}, {"substeps", steps[i], 0}, {"depth_max", 1, 0});
        errors[i] = number(&ran, 0, "error_max", i);
    }
    print_message("%s, every second step halved: order %.3f\n", h->method, log2(errors[0] / errors[1]));
    assert_near(log2(errors[0] / errors[1]), h->order, h->within);
}

// generalized_alpha's a belongs to t - d h with the h of its step, theta2 begins every halved step anew: both fall to
// order 1 (whose constant is small, so that at these steps order 2 still shows), but for theta2 with the trapezoidal
// rule or its own formula to begin with.
TEST(test_order_with_halved_steps)
{
    const Halved cases[] = {
        {"trapezoidal", 64, 100, 0.06, 5, 2, 0.05},
        {"generalized_alpha: {rho_inf: 0.6}", 64, 1000, 0.03, 6, 1, 0.3},
        {"{theta2: {theta: 1}, substeps: {start: trapezoidal}}", 128, 100, 0.14, 5, 2, 0.05},
        {"{theta2: {theta: 1}, substeps: {start: variable}}", 128, 100, 0.14, 5, 2, 0.05},
        {"theta2: {theta: 1}", 128, 100, 0.14, 5, 1, 0.3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_order(*state, &cases[i]);
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
        snprintf(text, sizeof text,
                 "{problem: ./gate.cl, step: %.17g, steps: 2, methods: [theta2: {theta: %g}], "
                 "parameters: {stride: %.17g, stiffness: 1.0e+14, offset: 1, height: %g}, substeps: {start: %s}, "
                 "newton: {mode: paper, jacobian: analytic, max_updates: 1, tolerance: %.17g}, "
                 "metrics: [status, failed_solves, substeps, x_final]}",
                 h, theta, h, k, starts[i].start, starts[i].tolerance * h * k);
        RUN_BESIDE(ran, *state, 1, "gate", gate, text);
        assert_all_ok(&ran);
        const double y = number(&ran, 0, "x_final", 0) - exp(2.0 * h);
        print_message("theta2, start %s: the start leaves %.4f of a stiff mode, the step %.4f\n", starts[i].start,
                      y / (right * starts[i].step), y / starts[i].step);
        assert_near(number(&ran, 0, "failed_solves", 0), 1, 0);
        assert_near(number(&ran, 0, "substeps", 0), 2, 0);
        assert_near(y, starts[i].step * starts[i].left * right, 1e-3);
    }
}

// `start: trapezoidal` makes the first step one of the trapezoidal rule; with `variable` it is theta1's, as by default.
TEST(test_first_steps)
{
    static const char *const starts[] = {"theta1", "trapezoidal", "variable"};
    const double             thetas[] = {0.07, 1.0};
    for (size_t i = 0; i < 3; ++i) {
        char text[512];
        snprintf(text, sizeof text,
                 "{problem: harmonic_oscillator, parameters: {x0: 0.7, v0: 0.4, zeta: 0.2}, "
                 "methods: [theta2: {theta: [0.07, 1]}], step: 0.5, steps: 1, substeps: {start: %s}, "
                 "newton: {tolerance: 0}, metrics: [status, x_final, v_final]}",
                 starts[i]);
        RUN(ran, *state, 1, text);
        for (size_t p = 0; p < 2; ++p) {
            const double theta1 = i == 1 ? 0.5 : 0.5 + thetas[p] / 50.0;
            const Matrix A = theory_matrix(theory_named("theta1"), 0.5, 0.2, &theta1);
            assert_near(number(&ran, 0, "x_final", p), A.a[0][0] * 0.7 + A.a[0][1] * 0.2, 1e-15);
            assert_near(number(&ran, 0, "v_final", p), 2.0 * (A.a[1][0] * 0.7 + A.a[1][1] * 0.2), 2e-15);
        }
    }
}
