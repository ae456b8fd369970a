// test_tight -- the tight solver against closed forms, in any unit, and where rounding or a jump has the say.
#include "reference/tight.h"

#include "support/swing.h"
#include "support/test.h"

enum { MOST = 8, BALLS = 4 };

typedef void Acceleration(double t, const double *x, const double *v, const void *params, double *a);

#define ACCELERATION(name)                                                                                       \
    static void name(UNUSED double t, UNUSED const double *x, UNUSED const double *v, UNUSED const void *params, \
                     double *a)

// One that is a formula.
#define FORCE(name, formula) \
    ACCELERATION(name)       \
    {                        \
        a[0] = formula;      \
    }

// A motion, and the one that it is in other units.
typedef struct Motion {
    const char   *name;
    Acceleration *acceleration;
    size_t        n;
    bool          first_order;  // v is the state
    double        x[MOST], v[MOST], end;
    int           samples;
} Motion;

// x'' = -k x with k = params[0].
FORCE(spring, -((const double *)params)[0] * x[0])

FORCE(gravity_pendulum, -sin(x[0]))

FORCE(duffing, 0.3 * cos(1.2 * t) - 0.1 * v[0] + x[0] - x[0] * x[0] * x[0])

// On a spring, beside what it hangs on.
ACCELERATION(elastic)
{
    const double r = sqrt(x[0] * x[0] + x[1] * x[1]), pull = 400.0 * (1.0 - 1.0 / r);
    a[0] = -pull * x[0];
    a[1] = -pull * x[1] - 1.0;
}

// A <-> B -> C by the law of mass action, beside the temperature that the second reaction gives and that hastens it.
ACCELERATION(kinetics)
{
    const double first = 3.0 * v[0] - 0.5 * v[1], second = 2.0 * exp(-1000.0 / v[3]) * v[1] * v[1];
    a[0] = -first;
    a[1] = first - second;
    a[2] = second;
    a[3] = 40.0 * second - 0.1 * (v[3] - 300.0);
}

// A blow goes down a line of masses: the last ones move as a high power of the time.
ACCELERATION(line)
{
    for (int i = 0; i < MOST; ++i)
        a[i] = (i > 0 ? x[i - 1] - x[i] : 0.0) - (i < MOST - 1 ? x[i] - x[i + 1] : 0.0);
}

static double push(double closer)
{
    return closer > 0.0 ? closer * sqrt(closer) : 0.0;
}

// Hertz's balls: none of them begins as a power series does.
ACCELERATION(balls)
{
    for (int i = 0; i < BALLS; ++i)
        a[i] = (i > 0 ? push(x[i - 1] - x[i]) : 0.0) - (i < BALLS - 1 ? push(x[i] - x[i + 1]) : 0.0);
}

// The second is at rest but for rounding.
ACCELERATION(noise)
{
    a[0] = -x[0];
    a[1] = ((x[0] + 0.1) - 0.1 - x[0]) - x[1];
}

ACCELERATION(squares)
{
    a[0] = -x[0];
    a[1] = sin(x[0]) * sin(x[0]) + cos(x[0]) * cos(x[0]) - 1.0 - 0.1 * x[1];
}

// A mass between two springs that pull it up and down alike.
ACCELERATION(between)
{
    const double d = 0.3, up = sqrt(x[0] * x[0] + (x[1] - d) * (x[1] - d)),
                 down = sqrt(x[0] * x[0] + (x[1] + d) * (x[1] + d));
    a[0] = -x[0] * (2.0 - 0.2 / up - 0.2 / down);
    a[1] = -(x[1] - d) * (1.0 - 0.2 / up) - (x[1] + d) * (1.0 - 0.2 / down);
}

// Modes of 1, 7 and 30 in axes that are turned: one component is nearly a difference of the others.
ACCELERATION(turned)
{
    static const double axes[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0.0}, {0.48, 0.64, 0.6}},
                        stiffness[] = {1.0, 49.0, 900.0};
    a[0] = a[1] = a[2] = 0.0;
    for (int mode = 0; mode < 3; ++mode) {
        double q = 0.0;
        for (int i = 0; i < 3; ++i)
            q += axes[i][mode] * x[i];
        for (int i = 0; i < 3; ++i)
            a[i] -= axes[i][mode] * stiffness[mode] * q;
    }
}

// A force that ends at a sample.
FORCE(pulse, -x[0] + (t < 5.0 ? 1.0 : 0.0))

// Dry friction, from rest.
FORCE(dry, 1.0 - 0.3 * (double)((v[0] > 0.0) - (v[0] < 0.0)))

// Softer from where it begins on.
FORCE(threshold, -x[0] - 0.1 * v[0] - (x[0] >= 1.0 ? 0.0 : 5.0 * x[0]))

static const Motion motions[] = {
    {"spring", spring, 1, .x = {0.3}, .v = {1.0}, .end = 20.0, .samples = 7},
    {"pendulum", gravity_pendulum, 1, .x = {2.0}, .end = 20.0, .samples = 7},
    {"duffing", duffing, 1, .v = {0.1}, .end = 40.0, .samples = 100},
    {"elastic", elastic, 2, .x = {0.6, -0.8}, .v = {0.1}, .end = 10.0, .samples = 10},
    {"kinetics", kinetics, 4, true, .v = {1.0, 0.0, 0.0, 300.0}, .end = 10.0, .samples = 10},
    {"line", line, MOST, .v = {1.0}, .end = 12.0, .samples = 10},
    {"balls", balls, BALLS, .v = {1.0}, .end = 12.0, .samples = 10},
    {"noise", noise, 2, .x = {1.0}, .end = 20.0, .samples = 100},
    {"squares", squares, 2, .x = {1.0}, .end = 50.0, .samples = 10},
    {"between", between, 2, .x = {0.4, 1e-13}, .end = 20.0, .samples = 100},
    {"turned", turned, 3, .x = {-0.8, 0.0, 0.6}, .end = 20.0, .samples = 10},
    {"pulse", pulse, 1, .end = 10.0, .samples = 10},
    {"dry", dry, 1, .end = 10.0, .samples = 10},
    {"threshold", threshold, 1, .x = {1.0}, .end = 2.0, .samples = 10},
};

static const double one = 1.0;

// A motion of which lengths are multiplied, each coordinate's by its own number, and times.
typedef struct Units {
    const Motion *motion;
    double        length[MOST], time;
} Units;

static double velocity(const Units *units, size_t i)
{
    return units->motion->first_order ? units->length[i] : units->length[i] / units->time;
}

static void in_units(double t, const double *x, const double *v, const void *params, double *a)
{
    const Units *units = params;
    double       own_x[MOST], own_v[MOST];
    for (size_t i = 0; i < units->motion->n; ++i) {
        own_x[i] = x[i] / (velocity(units, i) * units->time);
        own_v[i] = v[i] / velocity(units, i);
    }
    units->motion->acceleration(t / units->time, own_x, own_v, &one, a);
    for (size_t i = 0; i < units->motion->n; ++i)
        a[i] *= velocity(units, i) / units->time;
}

static Tight begin(const Units *units, double *x, double *v)
{
    const Motion *motion = units->motion;
    for (size_t i = 0; i < motion->n; ++i) {
        x[i] = motion->x[i] * units->length[i];
        v[i] = motion->v[i] * velocity(units, i);
    }
    return (Tight){.n = motion->n,
                   .params = units,
                   .acceleration = in_units,
                   .first_order = motion->first_order,
                   .most = 20000000};
}

static void advance(Tight *tight, const Units *units, int sample, double *x, double *v)
{
    const double part = units->motion->end / units->motion->samples * units->time;
    if (!tight_advance(tight, sample * part, (sample + 1) * part, x, v))
        fail_msg("%s is lost at %g after %g evaluations", units->motion->name, sample * part,
                 (double)tight->evaluations);
}

static Units as_they_are(const Motion *motion)
{
    Units units = {motion, .time = 1.0};
    for (int i = 0; i < MOST; ++i)
        units.length[i] = 1.0;
    return units;
}

// Whether a motion has the same bits in both.
static void compare(const Units *units)
{
    const Units own = as_they_are(units->motion);
    double      x[MOST], v[MOST], own_x[MOST], own_v[MOST];
    Tight       tight = begin(units, x, v), own_tight = begin(&own, own_x, own_v);
    for (int sample = 0; sample < own.motion->samples; ++sample) {
        advance(&tight, units, sample, x, v);
        advance(&own_tight, &own, sample, own_x, own_v);
        for (size_t i = 0; i < own.motion->n; ++i)
            if (x[i] != own_x[i] * velocity(units, i) * units->time || v[i] != own_v[i] * velocity(units, i))
                fail_msg("%s: component %zu after sample %d is %a, %a in units, and %a, %a", own.motion->name, i,
                         sample, x[i], v[i], own_x[i], own_v[i]);
        assert_int_equal(tight.evaluations, own_tight.evaluations);
    }
}

// All coordinates alike, the time, and each coordinate by its own power of two.
TEST(units_leave_the_bits)
{
    static const int own[MOST] = {-60, 47, -3, 60, 21, -38, 0, 33};
    for (size_t m = 0; m < sizeof motions / sizeof *motions; ++m) {
        Units small = as_they_are(&motions[m]), slow = small, mixed = small;
        slow.time = 0x1p40;
        mixed.time = 0x1p-30;
        for (int i = 0; i < MOST; ++i) {
            small.length[i] = 0x1p-60;
            mixed.length[i] = ldexp(1.0, own[i]);
        }
        compare(&small);
        compare(&slow);
        compare(&mixed);
    }
}

// An oscillator, a fall and a slow oscillator, side by side: nothing is coupled.
ACCELERATION(side_by_side)
{
    a[0] = -9.0 * x[0];
    a[1] = -9.81;
    a[2] = -0.01 * x[2];
}

// Decays, one of them much faster than a sample, and one towards what the time makes of it.
ACCELERATION(decays)
{
    a[0] = -v[0];
    a[1] = -0.3 * v[1];
    a[2] = -1000.0 * (v[2] - cos(t));
}

static const Motion known_motion = {"side by side", side_by_side,  3, .x = {1.0, 5.0, 0.0}, .v = {0.0, 2.0, 0.1},
                                    .end = 10.0,    .samples = 100},
                    known_decay = {"decays", decays, 3, true, .v = {1.0, 2.0, 0.0}, .end = 3.0, .samples = 30};

// Where known_motion or known_decay is.
static void find_known(const Motion *motion, double t, double *x)
{
    const double rate = 1000.0, per = rate / (rate * rate + 1.0);
    if (motion->first_order) {
        x[0] = exp(-t);
        x[1] = 2.0 * exp(-0.3 * t);
        x[2] = per * (rate * cos(t) + sin(t) - rate * exp(-rate * t));
    } else {
        x[0] = cos(3.0 * t);
        x[1] = 5.0 + t * (2.0 - 0.5 * 9.81 * t);
        x[2] = sin(0.1 * t);
    }
}

static void check_known(const Units *units)
{
    double x[MOST], v[MOST], known[MOST] = {0}, size[MOST] = {0};
    Tight  tight = begin(units, x, v);
    for (int sample = 0; sample < units->motion->samples; ++sample) {
        advance(&tight, units, sample, x, v);
        find_known(units->motion, (sample + 1) * units->motion->end / units->motion->samples, known);
        for (size_t i = 0; i < units->motion->n; ++i) {
            const double is = units->motion->first_order ? v[i] : x[i], unit = units->length[i];
            size[i] = fmax(size[i], fabs(known[i]));
            if (!(fabs(is / unit - known[i]) <= 1e-12 * size[i]))
                fail_msg("%s in units of %g and %g: component %zu is off by %g of its size", units->motion->name, unit,
                         units->time, i, fabs(is / unit - known[i]) / size[i]);
        }
    }
}

TEST(components_are_right_in_any_unit)
{
    static const double units[] = {1e-12, 1.0, 1e12};
    const Motion       *known[] = {&known_motion, &known_decay};
    for (int all = 0; all < 2 * 3 * 3 * 3 * 3; ++all)
        check_known(&(Units){
            known[all % 2], {units[all / 2 % 3], units[all / 6 % 3], units[all / 18 % 3]}, units[all / 54 % 3]});
}

FORCE(decay, -v[0])

FORCE(critical, -x[0] - 2.0 * v[0])

// What dies away is right to the end of it, in steps of any length, also where a rate is their inverse or a multiple.
TEST(decays_are_right)
{
    static const double ends[] = {3.0, 9.0, 30.0, 90.0, 300.0};
    static const int    parts[] = {1, 2, 3, 10, 30, 100, 300};
    for (int end = 0; end < 5; ++end)
        for (int p = 0; p < 7; ++p)
            for (int order = 1; order <= 2; ++order) {
                Tight tight = {.n = 1, .acceleration = order == 1 ? decay : critical, .most = 20000};
                tight.first_order = order == 1;
                double       x[] = {order == 1 ? 0.0 : 1.0}, v[] = {1.0};
                const double part = ends[end] / parts[p];
                for (int i = 0; i < parts[p]; ++i) {
                    assert_true(tight_advance(&tight, i * part, (i + 1) * part, x, v));
                    const double t = (i + 1) * part, right = exp(-t) * (order == 1 ? 1.0 : 1.0 + 2.0 * t),
                                 is = order == 1 ? v[0] : x[0];
                    if (!(fabs(is - right) <= 3e-13))
                        fail_msg("of order %d, after %d parts of %g it is off by %g", order, i + 1, part, is - right);
                }
                // Each time it is less than before, it matters less.
                assert_true(parts[p] > 1 || tight.evaluations < 10000);
            }
}

static double advance_to(Acceleration *acceleration, const double *params, double end, double *x, double *v)
{
    Tight tight = {.n = 1, .params = params, .acceleration = acceleration, .most = 100000000};
    assert_true(tight_advance(&tight, 0.0, end, x, v));
    return (double)tight.evaluations;
}

// Ten units of time of ever stiffer springs: to rounding, at a cost in proportion to the frequency.
TEST(springs_cost_their_frequency)
{
    for (double omega = 1.0; omega < 2e4; omega *= 10.0) {
        const double k = omega * omega;
        double       x = 0.3, v = omega;
        const double cost = advance_to(spring, &k, 10.0, &x, &v);
        const double right = 0.3 * cos(omega * 10.0) + sin(omega * 10.0);
        if (!(fabs(x - right) <= 2e-13 * fmax(10.0, omega)))
            fail_msg("omega %g: x is off by %g", omega, x - right);
        if (!(cost < 500.0 + 100.0 * 10.0 * omega))  // the first step has to be found
            fail_msg("omega %g: %g evaluations", omega, cost);
    }
}

// After one period the pendulum is where it was.
TEST(pendulum_comes_back)
{
    double x = 1.0, v = 0.0;
    advance_to(gravity_pendulum, NULL, swing_period(1.0), &x, &v);
    assert_true(fabs(x - 1.0) < 1e-12 && fabs(v) < 1e-12);
}

// Landing at many times on the way is the same motion.
TEST(landings_do_not_matter)
{
    Tight  tight = {.n = 1, .acceleration = gravity_pendulum, .most = 1000000};
    double x = 2.0, v = 0.0, once_x = 2.0, once_v = 0.0;
    for (int i = 0; i < 1000; ++i)
        assert_true(tight_advance(&tight, i * 0.01, (i + 1) * 0.01, &x, &v));
    advance_to(gravity_pendulum, NULL, 10.0, &once_x, &once_v);
    assert_true(fabs(x - once_x) < 2e-12 && fabs(v - once_v) < 2e-12);
}

ACCELERATION(fast_and_slow)
{
    a[0] = -1e6 * x[0];
    a[1] = -x[1];
}

// The steps are those of the fast one: neither the times, of ten thousand of them, nor their rounding is lost.
TEST(slow_is_right_beside_fast)
{
    Tight  tight = {.n = 2, .acceleration = fast_and_slow, .most = 20000000};
    double x[] = {1.0, 1.0}, v[] = {0.0, 0.0};
    for (int i = 0; i < 1000; ++i) {
        assert_true(tight_advance(&tight, i * 0.01, (i + 1) * 0.01, x, v));
        const double t = (i + 1) * 0.01;
        if (!(fabs(x[0] - cos(1000.0 * t)) < 1e-10 && fabs(x[1] - cos(t)) < 1e-13))
            fail_msg("after %g the fast one is off by %g, the slow one by %g", t, x[0] - cos(1000.0 * t),
                     x[1] - cos(t));
    }
}

ACCELERATION(falls_over)
{
    a[0] = x[0];
    a[1] = -x[1];
}

// Something that grows from next to nothing beside something large.
TEST(small_things_grow_right)
{
    Tight  tight = {.n = 2, .acceleration = falls_over, .most = 1000000};
    double x[] = {1e-30, 1.0}, v[] = {1e-30, 0.0};
    assert_true(tight_advance(&tight, 0.0, 40.0, x, v));
    assert_true(fabs(x[0] / (1e-30 * exp(40.0)) - 1.0) < 1e-12);
}

static const Motion *motion_named(const char *name)
{
    for (size_t m = 0; m < sizeof motions / sizeof *motions; ++m)
        if (strcmp(motions[m].name, name) == 0)
            return &motions[m];
    fail_msg("no motion %s", name);
    return NULL;
}

// Runs a motion to its end; what it has taken.
static double run(const char *name, double *x, double *v)
{
    const Units units = as_they_are(motion_named(name));
    Tight       tight = begin(&units, x, v);
    for (int sample = 0; sample < units.motion->samples; ++sample)
        advance(&tight, &units, sample, x, v);
    return (double)tight.evaluations;
}

// What rounding alone moves stays as small, and takes no more than what moves by itself.
TEST(rounding_costs_nothing)
{
    static const char *names[] = {"noise", "squares", "between"};
    for (int i = 0; i < 3; ++i) {
        double       x[MOST], v[MOST];
        const double taken = run(names[i], x, v);
        if (!(fabs(x[1]) < 1e-12 && taken < 20000.0))
            fail_msg("%s: %g after %g evaluations", names[i], x[1], taken);
    }
}

// Only the mode of 30 moves: what it turns to 0 is rounding.
TEST(turned_modes_are_right)
{
    double       x[MOST], v[MOST];
    const double taken = run("turned", x, v), right = cos(30.0 * 20.0);
    assert_true(fabs(x[0] + 0.8 * right) < 1e-10 && fabs(x[1]) < 1e-10 && fabs(x[2] - 0.6 * right) < 1e-10);
    assert_true(taken < 200000.0);
}

FORCE(to_and_fro, x[0] < 0.0 ? 1.0 : -1.0)

// Where the time is rounded by more than a step would have to be short: the last of halvings is taken.
TEST(late_jumps_are_taken)
{
    Tight  tight = {.n = 1, .acceleration = to_and_fro, .most = 100000};
    double x = 0.45, v = 0.0;
    assert_true(tight_advance(&tight, 5e7, 5e7 + 4.0 * sqrt(2.0 * x), &x, &v));
    assert_true(fabs(x - 0.45) < 1e-7 && fabs(v) < 1e-7);
}

// Jumps: at a sample, at the start, and in what no step has seen.
TEST(jumps_are_right)
{
    double x[MOST], v[MOST];
    assert_true(run("pulse", x, v) < 20000.0 && fabs(x[0] - (cos(5.0) - cos(10.0))) < 1e-10);
    assert_true(run("dry", x, v) < 20000.0 && fabs(x[0] - 35.0) < 1e-11);
    // Below 1 it is a damped oscillator. Until it is below, by the rounding of 1, it is the softer one.
    const double omega = sqrt(6.0 - 0.0025), damped = exp(-0.1) * (cos(2.0 * omega) + 0.05 / omega * sin(2.0 * omega));
    const double taken = run("threshold", x, v);
    if (!(fabs(x[0] - damped) < 1e-6 && taken < 20000.0))
        fail_msg("it is off by %g after %g evaluations", x[0] - damped, taken);
}

// Momentum and energy are kept, and so they are from where nothing has a size.
TEST(fronts_are_right)
{
    static const char  *names[] = {"line", "balls"};
    static const double powers[] = {2.0, 2.5};
    for (int m = 0; m < 2; ++m) {
        double x[MOST], v[MOST];
        assert_true(run(names[m], x, v) < 200000.0);
        double    momentum = 0.0, energy = 0.0;
        const int n = (int)motion_named(names[m])->n;
        for (int i = 0; i < n; ++i) {
            const double closer = i > 0 ? x[i - 1] - x[i] : 0.0;
            momentum += v[i];
            energy += 0.5 * v[i] * v[i] + (m == 0 || closer > 0.0 ? pow(fabs(closer), powers[m]) / powers[m] : 0.0);
        }
        if (!(fabs(momentum - 1.0) < 1e-12 && fabs(energy - 0.5) < 1e-9 && fabs(v[n - 1]) > 0.1))
            fail_msg("%s: momentum %.17g, energy %.17g, the last at %g", names[m], momentum, energy, v[n - 1]);
    }
}

ACCELERATION(stiff_pendulum)
{
    a[0] = -*(const double *)params * sin(x[0]);
    a[1] = -x[1];
}

// Far too long a step leads where rounding is all there is: this is not taken for the motion.
TEST(what_takes_too_long_is_given_up)
{
    for (double k = 1e12; k < 1e50; k *= 1e4) {
        Tight  tight = {.n = 1, .params = &k, .acceleration = spring, .most = 15000};
        double x[] = {1.0, 1.0}, v[] = {0.0, 0.0};
        assert_false(tight_advance(&tight, 0.0, 10.0, x, v));
        assert_true(tight.evaluations < 16000 && x[0] == 1.0);
        for (size_t n = 1; n <= 2; ++n) {
            tight = (Tight){.n = n, .params = &k, .acceleration = stiff_pendulum, .most = 15000};
            assert_false(tight_advance(&tight, 0.0, 10.0, x, v));
        }
    }
}
