// test_damping -- the measured logarithmic decrement and energy loss against closed forms, linear theory and averaging.
#include "support/closed_forms.h"
#include "support/kernel_case.h"

AROUND_ALL(open_device, close_device)

enum { MEASURED, NO_OSCILLATION, FEW_CYCLES, UNDERSAMPLED, IRREGULAR, GROWING, UNFINISHED };

#define DAMPING_METRICS                                                                              \
    "metrics: [status, decay_rate, period, log_decrement, log_decrement_first, log_decrement_last, " \
    "log_decrement_error, "                                                                          \
    "damping_state, energy_loss]\n"
static const char *const real_results[] = {"log_decrement", "log_decrement_first", "log_decrement_last",
                                           "log_decrement_error"};

static int state_of(const Ran *ran, size_t group, size_t point)
{
    return (int)number(ran, group, "damping_state", point);
}

static void assert_no_value(const Ran *ran, size_t group, size_t point, int state)
{
    assert_int_equal(state_of(ran, group, point), state);
    for (size_t i = 0; i < sizeof real_results / sizeof *real_results; ++i)
        assert_true(isnan(number(ran, group, real_results[i], point)));
}

// The value, and that it is within the bound that is given with it.
static double assert_measured(const Ran *ran, size_t group, size_t point, double expected)
{
    const double value = number(ran, group, "log_decrement", point),
                 error = number(ran, group, "log_decrement_error", point);
    const int state = state_of(ran, group, point);
    if (state != MEASURED && state != GROWING)
        fail_msg("group %s point %zu: state %d, not measured", group_at(ran, group)->label, point, state);
    assert_near(value, expected, error);
    return value;
}

static double viscous(double zeta)
{
    return 2.0 * acos(-1.0) * zeta / sqrt(1.0 - zeta * zeta);
}

// Linear theory's decrement of a method on the oscillator.
static double theoretical(const char *method, double omega_h, double zeta, double parameter)
{
    const Matrix m = theory_matrix(theory_named(method), omega_h, zeta, FIRST_ALONE(parameter));
    return 2.0 * acos(-1.0) * matrix_mode(m, omega_h).damping_ratio;
}

// x0 = 1 at rest: extrema at k pi/w, w the damped frequency, of which those from k = 1 on have observations to both
// sides.
static double oscillator_loss(double zeta, double end)
{
    const double half = acos(-1.0) / sqrt(1.0 - zeta * zeta);
    const int    last = (int)floor(end / half);
    return 0.5 * (exp(-2.0 * zeta * half) - exp(-2.0 * zeta * half * last)) / (0.5 * (last - 1));
}

TEST(test_viscous_damping)
{
    static const double zetas[] = {0.001, 0.003, 0.01, 0.03, 0.1};
    RUN_OK(ran, *state, 8,
           "problem: harmonic_oscillator\nparameters: {zeta: [0.001, 0.003, 0.01, 0.03, 0.1]}\nmethods: [rk4]\n"
           "step: 0.0234375\nend: 100\n" DAMPING_METRICS);
    for (size_t p = 0; p < 5; ++p) {
        const double expected = viscous(zetas[p]);
        assert_near(assert_measured(&ran, 0, p, theoretical("rk4", 0.0234375, zetas[p], 0.0)), expected, 1e-8);
        assert_int_equal(state_of(&ran, 0, p), MEASURED);
        assert_near(number(&ran, 0, "log_decrement_first", p), expected, 1e-8);
        assert_near(number(&ran, 0, "log_decrement_last", p), expected, 1e-8);
        assert_true(number(&ran, 0, "log_decrement_error", p) < 1e-7);
        assert_near(number(&ran, 0, "energy_loss", p), oscillator_loss(zetas[p], 100.0), 1e-9);
    }

    // The first extremum is half a step from an observation, where 1e-5 of the energy goes.
    run_text(&ran, *state, 8,
             "problem: harmonic_oscillator\nparameters: {zeta: 0.1}\nmethods: [rk4]\nstep: 0.1288\nend: "
             "12\n" DAMPING_METRICS);
    assert_near(number(&ran, 0, "energy_loss", 0), oscillator_loss(0.1, 12.0), 1e-6);
}

// What the quartic leaves, Omega^6/200 of an amplitude, differs from extremum to extremum, and over 60 cycles and more
// little of it is left: the bound here is what comes out, times 2.5. The parabola's decrement, decay_rate times period,
// is beyond it.
TEST(test_numerical_damping)
{
    static const double steps[] = {0.05, 0.1, 0.2, 0.35, 0.5}, rho[] = {0.3, 0.6, 0.9, 1.0},
                        theta[] = {0, 0.07, 0.5, 1};
    const double     *values[] = {rho, theta};
    const char *const methods[] = {"generalized_alpha", "theta2"};
    size_t            worse = 0;
    RUN_OK(ran, *state, 8,
           "problem: harmonic_oscillator\nmethods: [{generalized_alpha: {rho_inf: [0.3, 0.6, 0.9, 1]}}, "
           "{theta2: {theta: [0, 0.07, 0.5, 1]}}]\nstep: [0.05, 0.1, 0.2, 0.35, 0.5]\nend: 400\n" DAMPING_METRICS);
    for (size_t g = 0; g < 2; ++g)
        for (size_t p = 0; p < 20; ++p) {
            const double h = steps[p / 4], expected = theoretical(methods[g], h, 0.0, values[g][p % 4]);
            const double value = assert_measured(&ran, g, p, expected);
            const double old = number(&ran, g, "decay_rate", p) * number(&ran, g, "period", p);
            const double bound = 1e-5 * pow(h, 6) + 1e-12;
            assert_near(value, expected, bound);
            assert_true(number(&ran, g, "log_decrement_error", p) < 2e-3 * pow(h, 6) + 2e-10);
            worse += fabs(old - expected) > bound;
        }
    assert_true(worse >= 36);
}

// Where half a cycle is nearly a whole number M of observations, every extremum lies alike between them, and what the
// quartic leaves drifts slowly: no scatter tells of it. The trapezoidal rule turns by 2 atan(Omega/2) a step.
TEST(test_extrema_in_step)
{
    static const double whole[] = {5, 7, 10, 16};
    Text                text SCOPED(text_free) = {0};
    size_t              measured = 0;
    text_add(
        &text,
        "problem: harmonic_oscillator\nparameters: {x0: [1, 0.7, 0], v0: [0.5, 1]}\nmethods: [trapezoidal]\nstep: [");
    for (int i = 0; i < 24; ++i)
        text_add(&text, "%s%.17g", i ? ", " : "",
                 2.0 * tan(0.5 * acos(-1.0) / whole[i % 4] * (1.0 + 1e-4 * pow(2.0, i / 4))));
    text_add(&text, "]\nsteps: [60, 150, 600]\n" DAMPING_METRICS);
    RUN_OK(ran, *state, 8, text.text);
    for (size_t p = 0; p < group_at(&ran, 0)->point_count; ++p)
        if (state_of(&ran, 0, p) == MEASURED) {
            assert_measured(&ran, 0, p, 0.0);
            ++measured;
        } else {
            assert_true(state_of(&ran, 0, p) == IRREGULAR || state_of(&ran, 0, p) == FEW_CYCLES);
        }
    print_message("%zu of %zu measured\n", measured, (size_t)group_at(&ran, 0)->point_count);
    assert_true(measured > 50);
}

// A problem file of the tests' own: an oscillator about `offset`, with viscous and Coulomb friction. No energy.
static const char dragged[] =
    "//: problem: dragged\n//: title: Oscillator about an offset, with friction\n"
    "//: equation: x'' = offset - x - 2 zeta x' - friction sign x'\n//: dofs: 1\n//: parameters:\n"
    "//:   offset:   {default: 0.0, unit: m, about: where it rests}\n"
    "//:   zeta:     {default: 0.0, unit: \"1\", about: damping ratio}\n"
    "//:   friction: {default: 0.0, unit: m/s2, about: Coulomb friction}\n\n"
    "static void initial_state(const Params *p, real x[DOF], real v[DOF])\n"
    "{\n    x[0] = p->offset + 1.0;\n    v[0] = ZERO;\n}\n\n"
    "static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])\n"
    "{\n    a[0] = p->offset - x[0] - 2.0 * p->zeta * v[0] - p->friction * v[0] / real_sqrt(v[0] * v[0] + 1e-8);\n}\n";

#define LOG_METRICS \
    "metrics: [status, log_decrement, log_decrement_first, log_decrement_last, log_decrement_error, damping_state]\n"

TEST(test_offset)
{
    RUN_BESIDE(ran, *state, 8, "dragged", dragged,
               "problem: ./dragged.cl\nparameters: {offset: [-1000, 0, 1000], zeta: [0, 0.002]}\nmethods: [rk4]\n"
               "step: 0.05\nend: 200\n" LOG_METRICS);
    assert_all_ok(&ran);
    for (size_t p = 0; p < 6; ++p) {
        const double expected = theoretical("rk4", 0.05, p % 2 ? 0.002 : 0.0, 0.0);
        assert_near(assert_measured(&ran, 0, p, expected), expected, 1e-10);
    }
}

// Coulomb friction F takes 2 F off the amplitude at each extremum: height 1 - 2 F k at number k, counted from the
// start.
TEST(test_friction)
{
    RUN_BESIDE(ran, *state, 8, "dragged", dragged,
               "problem: ./dragged.cl\nparameters: {friction: [0.001, 0.003, 0.012]}\nmethods: [rk4]\nstep: 0.01\n"
               "end: 94\n" LOG_METRICS);
    assert_all_ok(&ran);
    const int    last = 29;  // extrema 1 to 29 make amplitudes 1 to 28
    const double F[] = {0.001, 0.003, 0.012};
    for (size_t p = 0; p < 2; ++p) {
        // Of amplitude k, between extrema k and k + 1.
        const double first = 1.0 - F[p] * 3.0, third = first - 4.0 * F[p];
        const double final = 1.0 - F[p] * (2.0 * (last - 1) + 1.0), before = final + 4.0 * F[p];
        const double average = 2.0 * log(first / final) / (last - 2);
        const double value = assert_measured(&ran, 0, p, average);
        assert_near(number(&ran, 0, "log_decrement_first", p), log(first / third), 2e-6);
        assert_near(number(&ran, 0, "log_decrement_last", p), log(before / final), 2e-6);
        assert_true(number(&ran, 0, "log_decrement_first", p) < value &&
                    value < number(&ran, 0, "log_decrement_last", p));
    }
    // From an amplitude of 0.96 to one of 0.3: no one number.
    assert_no_value(&ran, 0, 2, IRREGULAR);
}

typedef struct Spring {
    double linear, cubic;  // force -linear x - cubic x^3; linear 0: -sin x
} Spring;

static double force(const Spring *s, double x)
{
    return s->linear > 0.0 ? s->linear * x + s->cubic * x * x * x : sin(x);
}

static double height_between(const Spring *s, double x, double top)
{
    if (s->linear > 0.0)
        return 0.5 * (top - x) * (top + x) * (s->linear + 0.5 * s->cubic * (top * top + x * x));
    return 2.0 * sin(0.5 * (top - x)) * sin(0.5 * (top + x));
}

// The decrement of amplitude a with the friction 2 c x', by averaging: the energy U(a) loses 2 c times the integral of
// v dx over the cycle, v = sqrt(2 (U(a) - U(x))), x = a sin phi.
static double local_decrement(const Spring *s, double c, double a)
{
    enum { PARTS = 2000 };
    double integral = 0.0;
    for (int i = 0; i < PARTS; ++i) {
        const double phi = acos(-1.0) * ((i + 0.5) / PARTS - 0.5), x = a * sin(phi);
        integral += sqrt(2.0 * height_between(s, x, a)) * a * cos(phi) * acos(-1.0) / PARTS;
    }
    return 4.0 * c * integral / (a * force(s, a));
}

// A damping that depends on the amplitude: the first and last cycles have what averaging says of their amplitudes, and
// the whole lies between.
static void check_amplitude_dependence(const Ran *ran, size_t point, const Spring *spring, double c, double start,
                                       double end)
{
    const double first = number(ran, 0, "log_decrement_first", point),
                 last = number(ran, 0, "log_decrement_last", point);
    const double value = number(ran, 0, "log_decrement", point), error = number(ran, 0, "log_decrement_error", point);
    // The first two amplitudes lie about three quarters of a cycle after the start, the last two as much before the
    // end.
    const double low = local_decrement(spring, c, start * exp(-1.25 * first)),
                 high = local_decrement(spring, c, end * exp(1.25 * last));
    print_message("first %.6f (averaging %.6f), all %.6f +- %.1g, last %.6f (%.6f)\n", first, low, value, error, last,
                  high);
    assert_int_equal(state_of(ran, 0, point), MEASURED);
    assert_near(first, low, 0.01 * low);
    assert_near(last, high, 0.01 * high);
    assert_true(fmin(first, last) < value && value < fmax(first, last));
    assert_true(fabs(first - last) > 2.0 * error);
}

TEST(test_amplitude_dependence)
{
    RUN_OK(ran, *state, 8,
           "problem: pendulum\nparameters: {x0: 1.8, zeta: 0.002}\nmethods: [rk4]\nstep: 0.05\nend: 100\n"
           "metrics: [status, log_decrement, log_decrement_first, log_decrement_last, log_decrement_error, "
           "damping_state, amplitude_final]\n");
    check_amplitude_dependence(&ran, 0, &(Spring){0}, 0.002, 1.8, number(&ran, 0, "amplitude_final", 0));
    run_ok(&ran, *state, 8,
           "problem: duffing\nparameters: {alpha: 1, beta: 3, delta: 0.004, force: 0, x0: 1.5}\nmethods: [rk4]\n"
           "step: 0.02\nend: 150\n"
           "metrics: [status, log_decrement, log_decrement_first, log_decrement_last, log_decrement_error, "
           "damping_state, amplitude_final]\n");
    check_amplitude_dependence(&ran, 0, &(Spring){1.0, 3.0}, 0.002, 1.5, number(&ran, 0, "amplitude_final", 0));
}

TEST(test_states)
{
    // Overdamped; at rest; 1.5 cycles, after the first half; 4.2 observations per cycle.
    RUN(ran, *state, 8,
        "problem: harmonic_oscillator\nparameters: {zeta: [2, 0]}\nmethods: [trapezoidal]\nstep: 0.05\nend: "
        "100\n" DAMPING_METRICS);
    assert_no_value(&ran, 0, 0, NO_OSCILLATION);
    assert_true(isnan(number(&ran, 0, "energy_loss", 0)));
    assert_measured(&ran, 0, 1, 0.0);
    run_text(&ran, *state, 8,
             "problem: harmonic_oscillator\nparameters: {x0: [0, 1]}\nmethods: [trapezoidal]\nstep: 0.05\n"
             "steps: [60, 100, 200, 310, 330]\n" DAMPING_METRICS);
    const int expected[] = {NO_OSCILLATION, NO_OSCILLATION, FEW_CYCLES, FEW_CYCLES, MEASURED};
    for (size_t p = 0; p < 10; ++p)
        if (p % 2 == 0)
            assert_no_value(&ran, 0, p, NO_OSCILLATION);
        else if (expected[p / 2] == MEASURED)
            assert_measured(&ran, 0, p, 0.0);
        else
            assert_no_value(&ran, 0, p, expected[p / 2]);
    assert_true(isnan(number(&ran, 0, "energy_loss", 3)));
    assert_near(number(&ran, 0, "energy_loss", 5), 0.0, 1e-12);
    run_text(&ran, *state, 8,
             "problem: harmonic_oscillator\nparameters: {omega: [1, 1.5, 30]}\nmethods: [theta2]\nstep: 1\nend: "
             "200\n" DAMPING_METRICS);
    for (size_t p = 0; p < 3; ++p) {
        assert_no_value(&ran, 0, p, UNDERSAMPLED);
        assert_true(isnan(number(&ran, 0, "energy_loss", p)));
    }

    // The amplitude grows by sqrt(1 + Omega^2) a step, of which a cycle has 2 pi/atan Omega; in the end it overflows.
    run_text(
        &ran, *state, 8,
        "problem: harmonic_oscillator\nmethods: [explicit_euler]\nstep: 0.1\nsteps: [1000, 200000]\n" DAMPING_METRICS);
    const double growth = acos(-1.0) * log(1.01) / atan(0.1);
    assert_int_equal(state_of(&ran, 0, 0), GROWING);
    assert_near(assert_measured(&ran, 0, 0, -growth), -growth, 1e-8);
    assert_true(number(&ran, 0, "log_decrement", 0) < -number(&ran, 0, "log_decrement_error", 0));
    assert_true(number(&ran, 0, "energy_loss", 0) < 0.0);
    assert_status(&ran, 0, 1, STATUS_NOT_FINITE);
    assert_no_value(&ran, 0, 1, UNFINISHED);
    assert_true(isnan(number(&ran, 0, "energy_loss", 1)));

    // A window sees what lies in it, both ends included, and needs two observations to each side of an extremum.
    run_text(&ran, *state, 8,
             "problem: harmonic_oscillator\nparameters: {zeta: 0.01}\nmethods: [rk4]\nstep: 0.03125\nend: 60\n"
             "metrics: [status, {log_decrement: {from: 10, to: 30, label: some}}, "
             "{damping_state: {from: 10, to: 30, label: some_state}}, {damping_state: {from: 10, to: 20, label: few}}, "
             "{damping_state: {from: 70, label: none}}, {energy_loss: {from: 10, to: 30, label: loss}}]\n");
    const double half = acos(-1.0) / sqrt(1.0 - 1e-4);  // extrema 4 to 9 are past 10 and before 30
    assert_near(number(&ran, 0, "some", 0), viscous(0.01), 1e-8);
    assert_int_equal((int)number(&ran, 0, "some_state", 0), MEASURED);
    assert_int_equal((int)number(&ran, 0, "few", 0), FEW_CYCLES);
    assert_int_equal((int)number(&ran, 0, "none", 0), NO_OSCILLATION);
    assert_near(number(&ran, 0, "loss", 0), (exp(-0.08 * half) - exp(-0.18 * half)) / 5.0, 1e-9);
}

// Two modes in one coordinate, each with the damping 2 c x': a beat lasts 2 pi/detuning, the amplitudes are 1 and
// `other`.
static const char beating[] =
    "//: problem: beating\n//: title: Two modes in one coordinate\n"
    "//: equation: x_i'' = -(w_i^2 + c^2) x_i - 2 c x_i'\n//: dofs: 2\n//: provides: [slow, energy]\n//: "
    "parameters:\n"
    "//:   detuning: {default: 0.05, unit: rad/s, about: of the second mode}\n"
    "//:   other:    {default: 0.5, unit: m, about: amplitude of the second mode}\n"
    "//:   phase:    {default: 0.0, unit: rad, about: of the second mode}\n"
    "//:   c:        {default: 0.0, unit: 1/s, about: half the damping}\n\n"
    "static void initial_state(const Params *p, real x[DOF], real v[DOF])\n"
    "{\n    const real w = 1.0 + p->detuning;\n    x[0] = ZERO + 1.0;\n    v[0] = -p->c * x[0];\n"
    "    x[1] = p->other * real_cos(p->phase);\n    v[1] = -p->other * w * real_sin(p->phase) - p->c * x[1];\n}\n\n"
    "static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])\n"
    "{\n    const real w = 1.0 + p->detuning, s = p->c * p->c;\n    a[0] = -(1.0 + s) * x[0] - 2.0 * p->c * v[0];\n"
    "    a[1] = -(w * w + s) * x[1] - 2.0 * p->c * v[1];\n}\n\n"
    "static real slow(const real x[DOF], const Params *p) { return x[0] + x[1]; }\n\n"
    "static real energy(const real x[DOF], const real v[DOF], const Params *p)\n"
    "{\n    const real w = 1.0 + p->detuning, s = p->c * p->c;\n"
    "    return 0.5 * (v[0] * v[0] + v[1] * v[1] + (1.0 + s) * x[0] * x[0] + (w * w + s) * x[1] * x[1]);\n}\n";

// Beats of every depth and phase, with and without damping, in windows of 0.5, 1, 1.5 and 3.3 beats. What is true is c
// times the length of a cycle, which is between those of the two modes and with strong beats can be anything.
TEST(test_beats)
{
    size_t measured = 0, points = 0;
    RUN_BESIDE(ran, *state, 8, "beating", beating,
               "problem: ./beating.cl\nparameters: {detuning: 0.05, other: [0.0001, 0.003, 0.02, 0.1, 0.5, 0.97], "
               "phase: {linear: [0, 6, 13]}, c: [0, 0.002, 0.02]}\nmethods: [rk4]\nstep: 0.05\n"
               "steps: [1257, 2513, 3770, 8294]\n" DAMPING_METRICS);
    assert_all_ok(&ran);
    points = group_at(&ran, 0)->point_count;
    double worst = 0.0;
    for (size_t p = 0; p < points; ++p) {
        const double c = p % 3 == 0 ? 0.0 : p % 3 == 1 ? 0.002 : 0.02, cycle = 2.0 * acos(-1.0);
        const double value = number(&ran, 0, "log_decrement", p), error = number(&ran, 0, "log_decrement_error", p);
        if (c == 0.0)
            assert_near(number(&ran, 0, "energy_loss", p), 0.0, 1e-6);
        if (state_of(&ran, 0, p) == IRREGULAR)
            continue;
        ++measured;
        const double off = fmax(fmax(value - c * cycle, c * cycle / 1.05 - value), 0.0);
        worst = fmax(worst, off / error);
        if (!(off <= error))
            print_message("point %zu: %.6g +- %.2g, not %.6g, state %d\n", p, value, error, c * cycle,
                          state_of(&ran, 0, p));
    }
    print_message("%zu of %zu measured, the worst off by %.2f of its bound\n", measured, points, worst);
    assert_true(worst <= 1.0 && measured > points / 10 && measured < points);
}

// An eighth of a beat, where it is steep, is a decay to whoever sees one coordinate. The energy tells.
TEST(test_part_of_a_beat)
{
    RUN_BESIDE(ran, *state, 8, "beating", beating,
               "problem: ./beating.cl\nparameters: {detuning: 0.01, other: 0.1, phase: 1.2}\nmethods: [rk4]\n"
               "step: 0.05\nend: 79\n" DAMPING_METRICS);
    assert_all_ok(&ran);
    assert_int_equal(state_of(&ran, 0, 0), MEASURED);
    assert_true(number(&ran, 0, "log_decrement", 0) > 4e-3);
    assert_near(number(&ran, 0, "energy_loss", 0), 0.0, 1e-7);
}

// What damping.cl says: implicit_midpoint at a step 8 times smaller shows the physical part of the damping, and the
// rest is the method's: of a small swing, what linear theory has for the method with this damping beyond the damping
// itself.
TEST(test_physical_and_numerical)
{
    static const char common[] = "problem: pendulum\nparameters: {x0: [0.05, 1], zeta: 0.01}\nend: 60\n" LOG_METRICS;
    const char *const each[] = {"methods: [{generalized_alpha: {rho_inf: 0.5}}]\nstep: 0.2\n",
                                "methods: [implicit_midpoint]\nstep: 0.025\n", "methods: [rk4]\nstep: 0.0125\n"};
    double            value[3][2];
    for (size_t i = 0; i < 3; ++i) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", common, each[i]);
        RUN_OK(ran, *state, 8, text);
        for (size_t p = 0; p < 2; ++p) {
            assert_int_equal(state_of(&ran, 0, p), MEASURED);
            value[i][p] = number(&ran, 0, "log_decrement", p);
        }
    }
    const double expected = theoretical("generalized_alpha", 0.2, 0.01, 0.5) - viscous(0.01);
    for (size_t p = 0; p < 2; ++p) {
        print_message("total %.6g, physical %.6g (exact %.6g), numerical %.6g\n", value[0][p], value[1][p], value[2][p],
                      value[0][p] - value[1][p]);
        assert_near(value[1][p], value[2][p], 1.5e-4 * value[2][p]);
        assert_near(value[0][p] - value[1][p], expected, (p == 0 ? 0.05 : 0.3) * expected);
    }
}

// Where the energy jumps by orders of magnitude about an extremum, no interpolation says what it was there; where it is
// kept, level at the turns to the last bits, it is said.
TEST(test_energy_that_jumps)
{
    static const char chain[] = "problem: spring_chain\nparameters: {n: 3, cubic: 0.5, %s}\nmethods: [%s]\nstep: [%s]\n"
                                "end: %s\nmetrics: [status, energy_loss]\n";
    char              text[512];
    // The first point's energy goes from 1.95 J at the first turn to somewhere between the 1084 J and 1884 J of the
    // observations about the last one, in 1.5 cycles. In the last three steps of the second it goes from 1e98 to 1e290.
    snprintf(text, sizeof text, chain, "eps: 0.1", "explicit_euler", "0.02164698, 0.026683496156031546", "2");
    RUN_OK(ran, *state, 8, text);
    const double gain = -number(&ran, 0, "energy_loss", 0);
    assert_true(gain > (1084.0 - 2.0) / 1.5 && gain < 1885.0 / 1.5);
    assert_true(isnan(number(&ran, 0, "energy_loss", 1)));
    // Energies of the observations next to the first point's turns make it 0.0088884 J in each of 9.5 cycles. Of the
    // second's 3.18 J a step leaves 0.14 J, just before the first turn.
    snprintf(text, sizeof text, chain, "eps: 0.01, r_k: 0.01", "{generalized_alpha: {rho_inf: 0.3}}",
             "0.01, 0.0676550836498855", "30");
    run_ok(&ran, *state, 8, text);
    assert_near(number(&ran, 0, "energy_loss", 0), 0.0088884, 2e-6);
    assert_true(isnan(number(&ran, 0, "energy_loss", 1)));
    run_ok(&ran, *state, 8,
           "problem: pendulum\nparameters: {x0: [0.5, 1, 1.5707963267948966, 2.5]}\nmethods: [implicit_midpoint]\n"
           "step: [0.005, 0.02, 0.1]\nend: 30\nmetrics: [status, energy_loss]\n");
    for (size_t p = 0; p < group_at(&ran, 0)->point_count; ++p)
        assert_near(number(&ran, 0, "energy_loss", p), 0.0, 1e-7);
}

// The default metrics leave out energy_loss where there is no energy, and two instances share their header.
TEST(test_what_is_needed)
{
    RUN_BESIDE(ran, *state, 1, "dragged", dragged,
               "problem: ./dragged.cl\nparameters: {zeta: 0.01}\nmethods: [rk4]\nstep: 0.05\nend: 60\n");
    assert_non_null(find_variable(group_at(&ran, 0), "log_decrement"));
    assert_null(find_variable(group_at(&ran, 0), "energy_loss"));
    assert_near(number(&ran, 0, "log_decrement", 0), viscous(0.01), 1e-7);
}
