// test_kernels -- periods, metrics and samples of the kernels against closed forms.
#include "support/built_in.h"
#include "support/kernel_case.h"
#include "support/swing.h"
#include "support/turn.h"

AROUND_ALL(open_device, close_device)

enum { SAMPLES = 17, REFINEMENTS = 3, SWINGS = 4, SWING_STEPS = 2, MOST_POINTS = SWINGS * SWING_STEPS };

typedef struct State {
    long double x, v;
} State;

// The free motion of x'' + 2 zeta omega x' + omega^2 x = 0 below critical damping.
typedef struct Oscillator {
    double omega, zeta, x0, v0;
} Oscillator;

static State oscillate(const Oscillator *o, double time)
{
    const long double s = (long double)o->zeta * o->omega, w = sqrtl((long double)o->omega * o->omega - s * s),
                      t = time;
    const long double c = cosl(w * t), n = sinl(w * t), slope = o->v0 + s * o->x0;
    return (State){expl(-s * t) * (o->x0 * c + slope / w * n),
                   expl(-s * t) * (o->v0 * c - (s * slope / w + o->x0 * w) * n)};
}

// Errors of x and v, the largest over the samples, so that none passes through zero by chance.
static void sample_errors(const Ran *ran, size_t group, size_t point, const State exact[SAMPLES], double error[2])
{
    error[0] = error[1] = 0.0;
    for (size_t k = 0; k < SAMPLES; ++k) {
        error[0] = fmax(error[0], (double)fabsl(element(ran, group, "x", point, k) - exact[k].x));
        error[1] = fmax(error[1], (double)fabsl(element(ran, group, "v", point, k) - exact[k].v));
    }
}

// The third of all methods whose turn it is, with their own parameters, counted from another one for each test; `rest`
// holds the problem's settings, the axes and the metrics.
static void run_methods(Ran *ran, Device *device, size_t first, const char *rest)
{
    const Catalog *catalog = built_in();
    Text           text SCOPED(text_free) = {0};
    const char    *separator = "[";
    text_add(&text,
             "%s\ndesign: zip\ntrajectory: {samples: %d, fields: [x, v]}\nnewton: {tolerance: 0}\nmethods: ", rest,
             SAMPLES);
    for (size_t i = 0; i < catalog->card_count; ++i)
        if (catalog->cards[i].kind == CARD_METHOD && turn_takes((first + i) % 3, 3)) {
            text_add(&text, "%s%s", separator, catalog->cards[i].name);
            separator = ", ";
        }
    text_add(&text, "]");
    run_ok(ran, device, 8, text.text);
}

// A method of order p has a relative period error of some C h^p. At small angles linear theory has 1/12 for the
// trapezoidal rule and 1/3, the largest of all second-order methods here, for bdf2; a first-order method changes the
// amplitude, and the period depends on it. To this comes that a crossing is found on a straight line while |x''| = |sin
// x| is up to h |v|: it is off by h^3/8 at most.
static double period_bound(const Card *method, double h, double exact)
{
    const double C = method->order == 1 ? 5.0 : 0.5;
    return C * pow(h, method->order) * exact + 0.25 * h * h * h;
}

static void check_periods(const Ran *ran, size_t group)
{
    const Group *g = group_at(ran, group);
    for (size_t p = 0; p < MOST_POINTS; ++p) {
        const double x0 = element(ran, group, "x", p, 0), exact = swing_period(x0);
        const double found = number(ran, group, "period", p), bound = period_bound(g->method, group_step(g, p), exact);
        // A first-order method loses (or gains) a good part of a large amplitude, and the period with it.
        if (g->method->order == 1 && x0 > 1.5)
            continue;
        assert_near(found, exact, bound);
        assert_near(number(ran, group, "period_error", p), found / exact - 1.0, 1e-15);
    }
}

TEST(test_pendulum_with_every_method)
{
    const double angles[SWINGS] = {0.1, 1.0, 2.0, 2.8};
    double       h[MOST_POINTS], steps[MOST_POINTS], x0[MOST_POINTS];
    Text         text SCOPED(text_free) = {0};
    Ran          ran SCOPED(ran_free) = {0};
    for (size_t i = 0; i < MOST_POINTS; ++i) {
        h[i] = i % 2 ? 0.01 : 0.02;
        steps[i] = i % 2 ? 3000.0 : 1500.0;
        x0[i] = angles[i / 2];
    }
    add_list(&text, "problem: pendulum\nmetrics: [status, x_final, v_final, period, period_error]\nparameters: {x0", x0,
             MOST_POINTS);
    add_list(&text, "}\nstep", h, MOST_POINTS);
    add_list(&text, "\nsteps", steps, MOST_POINTS);
    run_methods(&ran, *state, 0, text.text);
    for (size_t g = 0; g < ran.made.plan.group_count; ++g)
        check_periods(&ran, g);
    // Points of 1500 and 3000 steps shared lane groups.
    assert_same_alone(&ran);
}

TEST(test_oscillator_with_every_method)
{
    const Oscillator damped = {2.0, 0.1, 1.0, 0.5};
    State            exact[SAMPLES];
    Ran              ran SCOPED(ran_free) = {0};
    run_methods(&ran, *state, 1,
                "problem: harmonic_oscillator\nparameters: {omega: 2, x0: 1, v0: 0.5, zeta: [0.1, 0.1, 0.1, 0]}\n"
                "end: 3\nsteps: [64, 128, 256, 2000]\n"
                "metrics: [status, x_final, v_final, error_max, error_final, energy_drift]");
    for (size_t k = 0; k < SAMPLES; ++k)
        exact[k] = oscillate(&damped, 3.0 * (double)k / (SAMPLES - 1));
    for (size_t g = 0; g < ran.made.plan.group_count; ++g) {
        for (size_t p = 0; p < REFINEMENTS; ++p) {
            double error[2];
            sample_errors(&ran, g, p, exact, error);
            const double last = fabs(number(&ran, g, "x_final", p) - (double)exact[SAMPLES - 1].x);
            assert_near(number(&ran, g, "error_final", p), last, 2e-15);
            assert_true(number(&ran, g, "error_max", p) >= error[0] - 2e-15);
            assert_true(number(&ran, g, "error_max", p) <= 1.1 * error[0]);
        }
        // Average acceleration conserves the energy of the undamped oscillator to rounding, and no more than that in
        // 2000 steps.
        const char *name = group_at(&ran, g)->method->name;
        if (strcmp(name, "trapezoidal") == 0 || strcmp(name, "newmark") == 0)
            assert_near(number(&ran, g, "energy_drift", REFINEMENTS), 0.0, 2000.0 * 0x1p-53);
        if (strcmp(name, "backward_euler") == 0)
            assert_near(number(&ran, g, "energy_drift", REFINEMENTS), 1.0 - pow(1.0 + 9e-6, -2000.0), 1e-12);
    }
    assert_same_alone(&ran);
}

// What metrics see of an oscillator: exact observations at n h, all of them or those in a window.
typedef struct Window {
    double h, from, to;
    size_t steps;
} Window;

static bool inside(const Window *w, size_t n)
{
    return (double)n * w->h >= w->from && (double)n * w->h <= w->to;
}

static double kinetic(const Oscillator *o, double t)
{
    const long double v = oscillate(o, t).v;
    return (double)(0.5L * v * v);
}

static double kinetic_integral(const Oscillator *o, const Window *w)
{
    double sum = 0.0;
    for (size_t n = 1; n <= w->steps; ++n)
        if (inside(w, n - 1) && inside(w, n))
            sum += 0.5 * w->h * (kinetic(o, (double)(n - 1) * w->h) + kinetic(o, (double)n * w->h));
    return sum;
}

static double kinetic_max(const Oscillator *o, const Window *w)
{
    double largest = 0.0;
    for (size_t n = 0; n <= w->steps; ++n)
        if (inside(w, n))
            largest = fmax(largest, kinetic(o, (double)n * w->h));
    return largest;
}

// The times of the extrema: v = 0 at the first t > 0 where tan w t = v0 w/(omega^2 x0 + s v0), and every half period
// after.
static double extremum(const Oscillator *o, int number)
{
    const double s = o->zeta * o->omega, w = sqrt(o->omega * o->omega - s * s);
    const double first = atan2(o->v0 * w, o->omega * o->omega * o->x0 + s * o->v0);
    return (first + acos(-1.0) * number) / w;
}

static double height(const Oscillator *o, double t)
{
    return (double)fabsl(oscillate(o, t).x);
}

// Omega 3 and zeta 0.05 over 10 s, in steps so small that rk4 is off by less than 1e-7, (omega h)^4/120 omega t: what
// is left is what the metrics are.
static const Oscillator ringing = {3.0, 0.05, 1.0, 0.5};
static const double     ringing_step = 1.0 / 128.0, ringing_error = 1e-7;
enum { RINGING_STEPS = 1280 };

static const char ringing_sweep[] =
    "problem: harmonic_oscillator\n"
    "parameters: {omega: 3, zeta: 0.05, x0: 1, v0: 0.5}\n"
    "methods: [rk4]\n"
    "step: 0.0078125\n"
    "end: 10\n"
    "trajectory: {every: 1, fields: [x, v, energy]}\n"
    "metrics:\n"
    "  [status, steps, updates, condition_max, x_final, v_final, x_max, error_max, error_final,\n"
    "  energy_initial, energy_final, energy_drift, energy_ratio,\n"
    "  kinetic_max, {kinetic_max: {from: 2, to: 6, label: late_max}}, {kinetic_max: {from: 11, label: beyond_max}},\n"
    "  kinetic_integral, {kinetic_integral: {from: 2, to: 6, label: late_integral}},\n"
    "  {kinetic_integral: {from: 2.003, to: 5.998, label: odd_integral}},\n"
    "  {kinetic_integral: {from: 11, label: beyond_integral}},\n"
    "  amplitude_initial, amplitude_final, decay_rate, damping_ratio, period, period_error,\n"
    "  {amplitude_initial: {of: x0, from: 3, to: 8, label: late_initial}},\n"
    "  {amplitude_final: {of: x0, from: 3, to: 8, label: late_final}},\n"
    "  {decay_rate: {of: x0, from: 3, to: 8, label: late_decay}},\n"
    "  {period: {of: x0, from: 3, to: 8, label: late_period}},\n"
    "  {decay_rate: {to: 1, label: short_decay}}, {period: {to: 2, label: short_period}},\n"
    "  {amplitude_initial: {to: 0.04, label: short_amplitude}},\n"
    "  {amplitude_initial: {from: %.17g, label: edge}}]\n";

// Against the trajectory, observation by observation.
static void check_whole_run(const Ran *ran)
{
    const Oscillator *o = &ringing;
    const double      start = 0.5 * o->v0 * o->v0 + 0.5 * o->omega * o->omega * o->x0 * o->x0;
    const double      end = element(ran, 0, "energy", 0, RINGING_STEPS);
    double            error = 0.0, last = 0.0, x_max = 0.0, drift = 0.0;
    for (size_t n = 0; n <= RINGING_STEPS; ++n) {
        const double x = element(ran, 0, "x", 0, n), v = element(ran, 0, "v", 0, n);
        const double energy = 0.5 * v * v + 0.5 * o->omega * o->omega * x * x;
        last = fabs((double)(x - oscillate(o, (double)n * ringing_step).x));
        error = fmax(error, last);
        x_max = fmax(x_max, fabs(x));
        drift = fmax(drift, fabs(energy - start));
        assert_near(element(ran, 0, "energy", 0, n), energy, 4e-15);
    }
    assert_true(error > 0.01 * ringing_error && error < ringing_error);
    assert_point(ran, 0, 0, {"error_max", error, 2e-15}, {"error_final", last, 2e-15}, {"x_max", x_max, 0},
                 {"energy_initial", start, 1e-15}, {"energy_final", end, 0}, {"energy_ratio", end / start, 1e-15},
                 {"energy_drift", drift / start, 1e-14}, {"x_final", (double)oscillate(o, 10.0).x, ringing_error},
                 {"v_final", (double)oscillate(o, 10.0).v, 3 * ringing_error}, {"steps", RINGING_STEPS, 0},
                 {"updates", 0, 0}, {"condition_max", NAN, 0});
}

static void check_kinetic(const Ran *ran)
{
    const Window all = {ringing_step, 0.0, INFINITY, RINGING_STEPS}, late = {ringing_step, 2.0, 6.0, RINGING_STEPS};
    const Window odd = {ringing_step, 2.003, 5.998, RINGING_STEPS};
    const double bound = 20 * ringing_error;
    assert_point(ran, 0, 0, {"kinetic_max", kinetic_max(&ringing, &all), bound},
                 {"late_max", kinetic_max(&ringing, &late), bound},
                 {"kinetic_integral", kinetic_integral(&ringing, &all), bound},
                 {"late_integral", kinetic_integral(&ringing, &late), bound},
                 {"odd_integral", kinetic_integral(&ringing, &odd), bound});
    // An observation more or less, at either end of the window, is a thousand times the bound.
    assert_true(0.5 * ringing_step * fmin(kinetic(&ringing, 2.0), kinetic(&ringing, 6.0)) > 100 * bound);
    assert_true(isnan(number(ran, 0, "beyond_max", 0)));
    assert_near(number(ran, 0, "beyond_integral", 0), 0, 0);
}

// The parabola through an extremum misses its height by less than (omega h)^4. Crossings are found on straight lines,
// and with x'' = -2 s v there each is off by at most h^2 s/4, s = zeta omega.
static void check_oscillation(const Ran *ran)
{
    const Oscillator *o = &ringing;
    const double      s = o->zeta * o->omega, period = 2.0 * acos(-1.0) / sqrt(o->omega * o->omega - s * s);
    const double      first = extremum(o, 0), crossing = 0.25 * ringing_step * ringing_step * s, top = 1e-6;
    const int         end = (int)floor((10.0 - first) / (0.5 * period));
    const int         late_begin = (int)ceil((3.0 - first) / (0.5 * period)),
              late_end = (int)floor((8.0 - first) / (0.5 * period));
    assert_point(ran, 0, 0, {"amplitude_initial", height(o, first), top},
                 {"amplitude_final", height(o, extremum(o, end)), top}, {"decay_rate", s, top},
                 {"period", period, crossing}, {"damping_ratio", o->zeta / sqrt(1.0 - o->zeta * o->zeta), top},
                 {"period_error", number(ran, 0, "period", 0) / period - 1.0, 1e-15},
                 {"late_initial", height(o, extremum(o, late_begin)), top},
                 {"late_final", height(o, extremum(o, late_end)), top}, {"edge", height(o, extremum(o, 2)), top},
                 {"late_decay", s, top}, {"late_period", period, crossing});
    // Fewer than two extrema, than two crossings, than three observations.
    assert_point(ran, 0, 0, {"short_decay", NAN, 0}, {"short_period", NAN, 0}, {"short_amplitude", NAN, 0});
}

TEST(test_metrics_on_the_damped_oscillator)
{
    // A window that begins at the observation nearest to extremum 1, which so has nothing before it: the first inside
    // is 2.
    const double edge = ringing_step * round(extremum(&ringing, 1) / ringing_step);
    char         text[2048];
    snprintf(text, sizeof text, ringing_sweep, edge);
    RUN_OK(ran, *state, 8, text);
    check_whole_run(&ran);
    check_kinetic(&ran);
    check_oscillation(&ran);
}

// Two modes: 1 with Rayleigh damping by mass, 2 with damping of its own.
TEST(test_metrics_of_slow_and_fast)
{
    const Oscillator slow = {1.0, 0.05, 1.0, 0.0}, fast = {4.0, 0.075, 0.5, 0.0};
    const size_t     steps = 2562;
    const double     h = 1.0 / 128.0;
    RUN_OK(
        ran, *state, 8,
        "problem: modal_oscillators\nparameters: {k1: 2, m1: 2, k2: 16, d2: 0.5, r_m: 0.1, x02: 0.5}\nmethods: [rk4]\n"
        "step: 0.0078125\nsteps: 2562\n"
        "metrics: [status, high_frequency_amplitude, radius_error_max, decay_rate, period, error_max, x_max, x_final,\n"
        "  {decay_rate: {of: fast, label: fast_decay}}, {period: {of: fast, label: fast_period}},\n"
        "  {amplitude_initial: {of: x1, from: 0.5, label: x1_amplitude}}, energy_initial]\n");
    double sum = 0.0, count = 0.0;
    for (size_t n = 0; n <= steps; ++n) {
        const double y = (double)oscillate(&fast, (double)n * h).x;
        if (4 * n >= 3 * steps) {
            sum += y * y;
            count += 1.0;
        }
    }
    assert_point(&ran, 0, 0, {"high_frequency_amplitude", sqrt(sum / count), 1e-8}, {"radius_error_max", 0.5, 0},
                 {"x_max", 1.0, 0}, {"energy_initial", 0.5 * 2.0 + 0.5 * 16.0 * 0.25, 1e-15});
    assert_true(number(&ran, 0, "error_max", 0) < 1e-6);
    assert_near(element(&ran, 0, "x_final", 0, 0), (double)oscillate(&slow, (double)steps * h).x, 1e-8);
    assert_near(element(&ran, 0, "x_final", 0, 1), (double)oscillate(&fast, (double)steps * h).x, 1e-6);
    assert_point(&ran, 0, 0, {"decay_rate", 0.05, 1e-7}, {"fast_decay", 0.3, 2e-6},
                 {"period", 2.0 * acos(-1.0) / sqrt(1.0 - 0.0025), 0.25 * h * h * 0.05},
                 {"fast_period", 2.0 * acos(-1.0) / sqrt(16.0 - 0.09), 0.25 * h * h * 0.3},
                 {"x1_amplitude", height(&fast, extremum(&fast, 1)), 1e-6});
}

// The same small sweep with its samples taken in different ways: 50 and 100 steps, three initial angles.
static void run_sampled(Ran *ran, Device *device, const char *times, const char *trajectory)
{
    char text[1024];
    snprintf(text, sizeof text,
             "problem: pendulum\n%s\nmethods: [theta2]\nmetrics: [status, updates, x_final, v_final]\n"
             "trajectory: {fields: [x, v, energy, condition, updates], %s}\n",
             times, trajectory);
    run_ok(ran, device, 8, text);
}

static void assert_same_sample(const Ran *ran, size_t slot, size_t k, const Ran *base, size_t base_slot, size_t step)
{
    const char *const names[] = {"x", "v", "energy", "condition", "updates_so_far"};
    for (size_t i = 0; i < 5; ++i) {
        const double found = element(ran, 0, names[i], slot, k), due = element(base, 0, names[i], base_slot, step);
        if (!(found == due || (isnan(found) && isnan(due))))
            fail_msg("%s, slot %zu, sample %zu: %.17g, but step %zu has %.17g", names[i], slot, k, found, step, due);
    }
}

TEST(test_samples)
{
    static const char grid[] = "step: [0.1, 0.05]\nend: 5\nparameters: {x0: [1, 2, 3]}";
    Ran               base SCOPED(ran_free) = {0}, ran SCOPED(ran_free) = {0};
    run_sampled(&base, *state, grid, "every: 1");
    assert_same_alone(&base);
    for (size_t p = 0; p < 6; ++p) {
        const size_t steps = p < 3 ? 50 : 100;
        assert_true(isnan(element(&base, 0, "condition", p, 0)));
        assert_near(element(&base, 0, "condition", p, 1), 1, 0);
        assert_near(element(&base, 0, "updates_so_far", p, 0), 0, 0);
        assert_near(element(&base, 0, "updates_so_far", p, steps), number(&base, 0, "updates", p), 0);
        assert_near(element(&base, 0, "x", p, 0), (double)(p % 3 + 1), 0);
        assert_near(element(&base, 0, "x", p, steps), number(&base, 0, "x_final", p), 0);
        assert_near(element(&base, 0, "v", p, steps), number(&base, 0, "v_final", p), 0);
        assert_near(element(&base, 0, "energy", p, 0), 1.0 - cos((double)(p % 3 + 1)), 1e-15);
        for (size_t k = steps + 1; k <= 100; ++k)
            assert_true(isnan(element(&base, 0, "x", p, k)) && isnan(element(&base, 0, "updates_so_far", p, k)));
    }

    run_sampled(&ran, *state, grid, "every: 7");
    assert_int_equal(find_variable(group_at(&ran, 0), "x")->width, 15);
    for (size_t p = 0; p < 6; ++p)
        for (size_t k = 0; k < 15; ++k)
            if (7 * k <= (p < 3 ? 50u : 100u))
                assert_same_sample(&ran, p, k, &base, p, 7 * k);
            else
                assert_true(isnan(element(&ran, 0, "x", p, k)));

    run_sampled(&ran, *state, grid, "samples: 9");
    assert_int_equal(find_variable(group_at(&ran, 0), "x")->width, 9);
    for (size_t p = 0; p < 6; ++p)
        for (size_t k = 0; k < 9; ++k)
            assert_same_sample(&ran, p, k, &base, p, k * (p < 3 ? 50 : 100) / 8);
    assert_same_alone(&ran);

    // Slots are the selected points, in the order of the points: x0 = 1 and 3 at the finer step.
    run_sampled(&ran, *state, grid, "every: 1, where: {x0: [3, 1], step: 0.05}");
    for (size_t k = 0; k <= 100; ++k) {
        assert_same_sample(&ran, 0, k, &base, 3, k);
        assert_same_sample(&ran, 1, k, &base, 5, k);
    }
    assert_same_alone(&ran);

    // end/steps are the same steps, and zip pairs them with the angles.
    run_sampled(&ran, *state, "end: 5\nsteps: [50, 100]\nparameters: {x0: [1, 2, 3]}", "every: 1");
    for (size_t p = 0; p < 6; ++p)
        for (size_t k = 0; k <= 100; ++k)
            assert_same_sample(&ran, p, k, &base, p, k);
    run_sampled(&ran, *state, "design: zip\nend: 5\nsteps: [100, 50]\nparameters: {x0: [2, 3]}", "every: 1");
    for (size_t k = 0; k <= 100; ++k) {
        assert_same_sample(&ran, 0, k, &base, 4, k);
        assert_same_sample(&ran, 1, k, &base, 2, k);
    }
}

// Single precision: the same motion to a few times 1e-7, the same bits at every lane count.
TEST(test_single_precision)
{
    static const char sweep[] = "problem: pendulum\nparameters: {x0: [0.5, 1, 2]}\nmethods: [generalized_alpha, rk4]\n"
                                "step: 0.0625\nsteps: 320\nnewton: {tolerance: 1.0e-6}\n"
                                "metrics: [status, updates, period, energy_initial, x_final, v_final]\n"
                                "trajectory: {every: 16, fields: [x, v]}\n";
    char              text[512];
    Ran               full SCOPED(ran_free) = {0}, sixteen SCOPED(ran_free) = {0}, one SCOPED(ran_free) = {0};
    snprintf(text, sizeof text, "%sprecision: single\n", sweep);
    run_text(&full, *state, 8, sweep);
    run_text(&sixteen, *state, 16, text);
    run_text(&one, *state, 1, text);
    assert_all_ok(&sixteen);
    assert_same(&sixteen, &one, "at one lane");
    double worst = 0.0;
    for (size_t g = 0; g < 2; ++g)
        for (size_t p = 0; p < 3; ++p) {
            assert_near(number(&sixteen, g, "energy_initial", p), number(&full, g, "energy_initial", p), 2e-7);
            assert_near(number(&sixteen, g, "period", p), number(&full, g, "period", p), 2e-5);
            for (size_t k = 0; k <= 20; ++k)
                worst = fmax(worst, fabs(element(&sixteen, g, "x", p, k) - element(&full, g, "x", p, k)));
        }
    // Rounding of 320 steps, not of the one in double.
    print_message("single precision is off by %.2g\n", worst);
    assert_true(worst > 1e-8 && worst < 2e-5);
}
