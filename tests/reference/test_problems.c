// test_problems -- problem files agree with themselves: forces, energies, derivatives, closed forms.
//
// Acceleration, Jacobian, potential, dissipation, drive, masses, energy and exact solution of a file are written one by
// one, and each follows from the others. The bounds are what central differences leave: with a relative step of
// cbrt(2^-52) about 1e-10 of the numbers that are subtracted.

// cmocka defines a macro fail(), so the product's headers come first.
#include "catalog/catalog.h"
#include "reference/problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PARAMETERS = 24, TRIALS = 20 };

// A problem with parameters and a state, all drawn.
typedef struct Subject {
    const ReferenceProblem *problem;
    const Card             *card;
    uint64_t                seed;
    double                  values[MOST_PARAMETERS];
    max_align_t             params[24];
    double                  t, x[REFERENCE_DOFS], v[REFERENCE_DOFS];
    double                  reach;  // over which the problem's functions change: differences take a share of it
} Subject;

static double uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*seed >> 11) + 0.5) * 0x1p-53;
}

static bool is_named(const Subject *subject, const char *name)
{
    return strcmp(subject->problem->name, name) == 0;
}

static double *value_of(Subject *subject, const char *name)
{
    for (size_t i = 0; i < subject->card->parameter_count; ++i)
        if (strcmp(subject->card->parameters[i].name, name) == 0)
            return &subject->values[i];
    return NULL;
}

static void load(Subject *subject)
{
    subject->problem->load(subject->params, subject->values);
}

static void set(Subject *subject, const char *name, double value)
{
    double *place = value_of(subject, name);
    assert_non_null(place);
    *place = value;
    load(subject);
}

// The printed equations of the elastic pendulums have the energy of the right ones.
static bool is_printed(Subject *subject)
{
    const double *variant = value_of(subject, "variant");
    return variant && *variant != 0.0;
}

// Half to twice the default, or -1 to 1 about 0, within the range.
static double draw_value(uint64_t *seed, const CardParameter *parameter)
{
    if (parameter->choice_count)
        return floor(uniform(seed, 0.0, (double)parameter->choice_count));
    const double half = 0.5 * parameter->initial, twice = 2.0 * parameter->initial;
    const double low = half == 0.0 ? -1.0 : fmin(half, twice), high = half == 0.0 ? 1.0 : fmax(half, twice);
    return uniform(seed, fmax(low, parameter->least), fmin(high, parameter->most));
}

static void draw_state(Subject *subject)
{
    uint64_t *seed = &subject->seed;
    subject->t = uniform(seed, 0.0, 10.0);
    subject->reach = 1.0;
    for (size_t i = 0; i < subject->problem->dofs; ++i) {
        subject->x[i] = uniform(seed, -1.2, 1.2);
        subject->v[i] = uniform(seed, -1.2, 1.2);
    }
    if (is_named(subject, "elastic_pendulum_polar"))
        subject->x[0] = uniform(seed, 0.6, 1.4);
    if (is_named(subject, "elastic_pendulum_cartesian")) {
        const double r = uniform(seed, 0.6, 1.4), angle = uniform(seed, -3.0, 3.0);
        subject->x[0] = r * cos(angle);
        subject->x[1] = r * sin(angle);
    }
    if (is_named(subject, "barrier_particle"))
        subject->reach = subject->x[0] = *value_of(subject, "d_hat") * uniform(seed, 0.05, 1.5);
    if (is_named(subject, "friction_block"))
        subject->v[0] = *value_of(subject, "v_smooth") * uniform(seed, -2.0, 2.0);
}

// The first trial has the defaults.
static void draw(Subject *subject, int trial)
{
    const Card *card = subject->card;
    assert_true(card->parameter_count <= MOST_PARAMETERS);
    assert_true(subject->problem->params_bytes <= sizeof subject->params);
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        subject->values[i] = trial == 0 ? parameter->initial : draw_value(&subject->seed, parameter);
        if (card->dofs_parameter && strcmp(card->dofs_parameter, parameter->name) == 0)
            subject->values[i] = (double)subject->problem->dofs;
    }
    load(subject);
    draw_state(subject);
}

static Subject subject_of(const Catalog *catalog, const ReferenceProblem *problem)
{
    Subject subject = {
        .problem = problem, .card = catalog_find(catalog, CARD_PROBLEM, problem->name), .seed = 1000u + problem->dofs};
    assert_non_null(subject.card);
    return subject;
}

static Subject subject_named(const Catalog *catalog, const char *name)
{
    for (size_t i = 0; i < reference_problem_count; ++i)
        if (strcmp(reference_problems[i]->name, name) == 0)
            return subject_of(catalog, reference_problems[i]);
    fail_msg("the reference has no problem '%s'", name);
    return (Subject){0};
}

// Runs a check in all trials of all problems; it returns whether it found anything to check. Returns for how many
// problems it did, those of one name counted once.
static size_t check_all(const Catalog *catalog, bool (*check)(Subject *subject))
{
    size_t      count = 0;
    const char *last = "";
    for (size_t i = 0; i < reference_problem_count; ++i) {
        Subject subject = subject_of(catalog, reference_problems[i]);
        bool    checked = false;
        for (int trial = 0; trial < TRIALS; ++trial) {
            draw(&subject, trial);
            checked = check(&subject) || checked;
        }
        count += checked && strcmp(last, subject.problem->name) != 0;
        if (checked)
            last = subject.problem->name;
    }
    return count;
}

static void assert_close(const Subject *subject, const char *what, size_t i, double value, double expected,
                         double bound)
{
    if (fabs(value - expected) <= bound)
        return;
    print_error("%s, %zu dofs: %s, row %zu, is %.17g, not %.17g +- %g, at\n", subject->problem->name,
                subject->problem->dofs, what, i, value, expected, bound);
    for (size_t k = 0; k < subject->card->parameter_count; ++k)
        print_error("  %s = %.17g\n", subject->card->parameters[k].name, subject->values[k]);
    for (size_t k = 0; k < subject->problem->dofs; ++k)
        print_error("  x[%zu] = %.17g, v[%zu] = %.17g\n", k, subject->x[k], k, subject->v[k]);
    print_error("  t = %.17g\n", subject->t);
    fail();
}

// A number that depends on the state.
typedef double Field(const Subject *subject, size_t row);

static double acceleration_of(const Subject *subject, size_t row)
{
    double a[REFERENCE_DOFS];
    subject->problem->acceleration(subject->t, subject->x, subject->v, subject->params, a);
    return a[row];
}

static double energy_of(const Subject *subject, size_t row)
{
    (void)row;
    return subject->problem->energy(subject->x, subject->v, subject->params);
}

static double potential_of(const Subject *subject, size_t row)
{
    (void)row;
    return subject->problem->potential(subject->x, subject->params);
}

static double dissipation_of(const Subject *subject, size_t row)
{
    (void)row;
    return subject->problem->dissipation(subject->x, subject->v, subject->params);
}

// Its derivative by the component of x, or of v.
static double slope(const Subject *subject, Field *field, size_t row, bool of_velocity, size_t component)
{
    Subject      moved = *subject;
    double      *place = (of_velocity ? moved.v : moved.x) + component;
    const double middle = *place, step = cbrt(DBL_EPSILON) * subject->reach;
    *place = middle + step;
    const double far = *place, above = field(&moved, row);
    *place = middle - step;
    const double near = *place, below = field(&moved, row);
    return (above - below) / (far - near);
}

static bool check_jacobian(Subject *subject)
{
    const size_t n = subject->problem->dofs;
    double       dadx[REFERENCE_DOFS * REFERENCE_DOFS], dadv[REFERENCE_DOFS * REFERENCE_DOFS];
    if (!subject->problem->jacobian)
        return false;
    for (size_t i = 0; i < n * n; ++i)
        dadx[i] = dadv[i] = NAN;
    subject->problem->jacobian(subject->t, subject->x, subject->v, subject->params, dadx, dadv);
    for (size_t i = 0; i < n; ++i) {
        double row = fabs(acceleration_of(subject, i)) / subject->reach;
        for (size_t j = 0; j < n; ++j)
            row = fmax(row, fmax(fabs(dadx[i * n + j]), fabs(dadv[i * n + j])));
        for (size_t j = 0; j < n; ++j) {
            const double by_x = slope(subject, acceleration_of, i, false, j),
                         by_v = slope(subject, acceleration_of, i, true, j);
            assert_close(subject, "dadx", i, dadx[i * n + j], by_x, 1e-7 * fabs(by_x) + 1e-9 * row);
            assert_close(subject, "dadv", i, dadv[i * n + j], by_v, 1e-7 * fabs(by_v) + 1e-9 * row);
        }
    }
    return true;
}

static void jacobians_are_the_derivatives_of_accelerations(void **state)
{
    assert_true(check_all(*state, check_jacobian) >= 11);
}

static void drive_of(const Subject *subject, double *force)
{
    memset(force, 0, subject->problem->dofs * sizeof *force);
    if (subject->problem->drive)
        subject->problem->drive(subject->t, subject->params, force);
}

static double friction_of(const Subject *subject, size_t i)
{
    return subject->problem->dissipation ? slope(subject, dissipation_of, 0, true, i) : 0.0;
}

static bool check_force(Subject *subject)
{
    const ReferenceProblem *problem = subject->problem;
    double                  mass[REFERENCE_DOFS], force[REFERENCE_DOFS];
    if (!problem->masses || is_printed(subject))
        return false;
    problem->masses(subject->params, mass);
    drive_of(subject, force);
    assert_non_null(problem->potential);
    const double potential = fabs(potential_of(subject, 0)) / subject->reach;
    const double losses = problem->dissipation ? dissipation_of(subject, 0) : 0.0;
    for (size_t i = 0; i < problem->dofs; ++i) {
        const double pull = slope(subject, potential_of, 0, false, i), drag = friction_of(subject, i);
        assert_close(subject, "mass times acceleration", i, mass[i] * acceleration_of(subject, i),
                     force[i] - pull - drag,
                     1e-7 * (fabs(pull) + fabs(drag) + fabs(force[i])) + 1e-9 * (potential + losses));
    }
    return true;
}

static void forces_are_the_gradients_of_potential_and_dissipation(void **state)
{
    assert_true(check_all(*state, check_force) >= 8);
}

static bool check_sum(Subject *subject)
{
    const ReferenceProblem *problem = subject->problem;
    if (!problem->energy || !problem->kinetic || !problem->potential)
        return false;
    const double kinetic = problem->kinetic(subject->x, subject->v, subject->params);
    const double potential = potential_of(subject, 0);
    assert_close(subject, "energy", 0, energy_of(subject, 0), kinetic + potential,
                 4.0 * DBL_EPSILON * (fabs(kinetic) + fabs(potential)));
    return true;
}

static void energy_is_kinetic_and_potential(void **state)
{
    assert_true(check_all(*state, check_sum) >= 10);
}

// dE/dt along the motion is what the drive gives less what friction takes.
static bool check_balance(Subject *subject)
{
    const ReferenceProblem *problem = subject->problem;
    double                  force[REFERENCE_DOFS], change = 0.0, expected = 0.0, size = 0.0, speed = 0.0;
    const bool              self_excited = is_named(subject, "van_der_pol");
    if (!problem->energy || is_printed(subject) || (!problem->potential && !self_excited))
        return false;
    drive_of(subject, force);
    for (size_t i = 0; i < problem->dofs; ++i) {
        const double by_x = slope(subject, energy_of, 0, false, i) * subject->v[i];
        const double a = acceleration_of(subject, i), by_v = slope(subject, energy_of, 0, true, i) * a;
        change += by_x + by_v;
        size += fabs(by_x) + fabs(by_v);
        speed += fabs(subject->v[i]) + fabs(a);
        expected += subject->v[i] * (force[i] - friction_of(subject, i));
    }
    if (self_excited)
        expected = *value_of(subject, "mu") * (1.0 - subject->x[0] * subject->x[0]) * subject->v[0] * subject->v[0];
    assert_close(subject, "dE/dt", 0, change, expected,
                 1e-8 * size + 1e-10 * fabs(energy_of(subject, 0)) * speed / subject->reach);
    return true;
}

static void energy_changes_by_drive_and_friction_alone(void **state)
{
    assert_true(check_all(*state, check_balance) >= 11);
}

// The closed form of one degree of freedom at t: its velocity is the derivative of x, and its acceleration that of v.
// Differences take a share of the time in which that degree of freedom moves.
static void check_exact_at(Subject *subject, double t, size_t i)
{
    const ReferenceProblem *problem = subject->problem;
    const size_t            n = problem->dofs;
    double dadx[REFERENCE_DOFS * REFERENCE_DOFS], dadv[REFERENCE_DOFS * REFERENCE_DOFS], x0[REFERENCE_DOFS],
        v0[REFERENCE_DOFS], x1[REFERENCE_DOFS], v1[REFERENCE_DOFS];
    problem->initial_state(subject->params, x0, v0);
    problem->exact(t, subject->params, subject->x, subject->v);
    problem->jacobian(t, subject->x, subject->v, subject->params, dadx, dadv);
    const double rate = 1.0 + sqrt(fabs(dadx[i * n + i])) + fabs(dadv[i * n + i]);
    const double size = fabs(x0[i]) + fabs(subject->x[i]) + (fabs(v0[i]) + fabs(subject->v[i])) / rate;
    const double before = t - cbrt(DBL_EPSILON) / rate, after = t + cbrt(DBL_EPSILON) / rate;
    problem->exact(before, subject->params, x0, v0);
    problem->exact(after, subject->params, x1, v1);
    subject->t = t;
    assert_close(subject, "velocity of the exact motion", i, subject->v[i], (x1[i] - x0[i]) / (after - before),
                 5e-9 * rate * size);
    assert_close(subject, "acceleration of the exact motion", i, acceleration_of(subject, i),
                 (v1[i] - v0[i]) / (after - before), 5e-9 * rate * rate * size);
}

static void check_exact(Subject *subject)
{
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
    subject->problem->exact(0.0, subject->params, x, v);
    subject->problem->initial_state(subject->params, subject->x, subject->v);
    for (size_t i = 0; i < subject->problem->dofs; ++i) {
        assert_close(subject, "exact start", i, x[i], subject->x[i], 1e-14);
        assert_close(subject, "exact initial velocity", i, v[i], subject->v[i], 1e-14);
    }
    for (int k = 1; k <= TRIALS; ++k)
        for (size_t i = 0; i < subject->problem->dofs; ++i)
            check_exact_at(subject, uniform(&subject->seed, 0.0, (double)k), i);
}

static void exact_motions_obey_their_equations(void **state)
{
    static const double dampings[] = {0.0, 1e-12, 1e-4, 0.05, 0.499, 0.5, 0.95, 1.0, 1.5, 4.0};
    static const double offsets[] = {0.0, 1e-15, 1e-9, 1e-3, 0.4, 1.0};  // of the drive's frequency, from omega to rest
    Subject             oscillator = subject_named(*state, "harmonic_oscillator");
    for (int forcing = 0; forcing < 2; ++forcing)
        for (size_t i = 0; i < sizeof dampings / sizeof *dampings; ++i)
            for (size_t j = 0; j < sizeof offsets / sizeof *offsets; ++j) {
                draw(&oscillator, 1);
                set(&oscillator, "zeta", dampings[i]);
                set(&oscillator, "forcing", forcing);
                set(&oscillator, "force", 1.7);
                set(&oscillator, "force_omega", *value_of(&oscillator, "omega") * (1.0 - offsets[j]));
                check_exact(&oscillator);
            }
    Subject modes = subject_named(*state, "modal_oscillators");
    for (int trial = 0; trial < TRIALS; ++trial) {
        draw(&modes, trial);
        check_exact(&modes);
    }
}

// Undamped and from rest, x = 2 force sin((omega - W) t/2) sin((omega + W) t/2)/(omega^2 - W^2), and in resonance force
// t sin(omega t)/(2 omega). No digits are lost on the way from one to the other, nor by damping that is next to
// nothing.
static void resonance_grows_in_proportion_to_time(void **state)
{
    const double omega = 1.25, force = 0.8, t = 7.0;
    Subject      oscillator = subject_named(*state, "harmonic_oscillator");
    draw(&oscillator, 0);
    set(&oscillator, "forcing", 1.0);
    set(&oscillator, "force", force);
    set(&oscillator, "omega", omega);
    set(&oscillator, "x0", 0.0);
    for (int k = 0; k <= 20; ++k) {
        const double W = omega * (1.0 - pow(10.0, -k)), beat = 0.5 * (omega - W), mean = 0.5 * (omega + W);
        const double grown = beat == 0.0 ? t : sin(beat * t) / beat;
        const double expected = 0.5 * force * grown * sin(mean * t) / mean;
        const double rate = 0.5 * force * (cos(beat * t) * sin(mean * t) / mean + grown * cos(mean * t));
        for (int damped = 0; damped < 2; ++damped) {
            double x, v;
            set(&oscillator, "zeta", damped ? 1e-18 : 0.0);
            set(&oscillator, "force_omega", W);
            oscillator.problem->exact(t, oscillator.params, &x, &v);
            assert_close(&oscillator, "exact in resonance", 0, x, expected, 3e-14);
            assert_close(&oscillator, "exact velocity in resonance", 0, v, rate, 3e-14);
        }
    }
}

static void a_drive_that_is_off_leaves_no_trace(void **state)
{
    static const char *const names[] = {"harmonic_oscillator", "pendulum"};
    for (size_t i = 0; i < 2; ++i) {
        Subject off = subject_named(*state, names[i]);
        double  force;
        draw(&off, 0);
        Subject zero = off;
        set(&off, "force", 3.0);
        const double without = acceleration_of(&zero, 0), with = acceleration_of(&off, 0);
        assert_memory_equal(&with, &without, sizeof with);
        drive_of(&off, &force);
        assert_true(force == 0.0);
        assert_true(off.problem->period(off.params) > 0.0);
        set(&off, "forcing", 1.0);
        assert_close(&off, "driven acceleration", 0, acceleration_of(&off, 0) - without, 3.0 * cos(off.t), 1e-14);
        assert_true(!(off.problem->period(off.params) > 0.0));
    }
}

// Puts the Cartesian pendulum where the polar one is: q = r e_r, q' = r' e_r + r th' e_th.
static void place_as(Subject *plane, const Subject *polar)
{
    const double r = polar->x[0], c = cos(polar->x[1]), s = sin(polar->x[1]), across = r * polar->v[1];
    plane->x[0] = r * c;
    plane->x[1] = r * s;
    plane->v[0] = polar->v[0] * c - across * s;
    plane->v[1] = polar->v[0] * s + across * c;
}

// The two elastic pendulums are one: q'' = (r'' - r th'^2) e_r + (r th'' + 2 r' th') e_th.
static void elastic_pendulums_agree(void **state)
{
    static const char *const shared[] = {"eps", "k", "g", "gravity"};
    Subject                  polar = subject_named(*state, "elastic_pendulum_polar");
    Subject                  plane = subject_named(*state, "elastic_pendulum_cartesian");
    double                   x[2], v[2];
    int                      directions[2] = {0};
    draw(&plane, 0);
    for (int trial = 0; trial < 2 * TRIALS; ++trial) {
        draw(&polar, trial);
        set(&polar, "variant", 0.0);
        for (size_t i = 0; i < sizeof shared / sizeof *shared; ++i)
            set(&plane, shared[i], *value_of(&polar, shared[i]));
        ++directions[(int)*value_of(&polar, "gravity")];
        place_as(&plane, &polar);
        const double c = cos(polar.x[1]), s = sin(polar.x[1]), r = polar.x[0], w = polar.v[1];
        const double out = acceleration_of(&polar, 0) - r * w * w;
        const double across = r * acceleration_of(&polar, 1) + 2.0 * polar.v[0] * w;
        const double bound = 1e-14 / pow(*value_of(&polar, "eps"), 2.0);
        assert_close(&plane, "acceleration", 0, acceleration_of(&plane, 0), out * c - across * s, bound);
        assert_close(&plane, "acceleration", 1, acceleration_of(&plane, 1), out * s + across * c, bound);
        assert_close(&plane, "energy", 0, energy_of(&plane, 0), energy_of(&polar, 0), bound);
        assert_close(&plane, "fast", 0, plane.problem->fast(plane.x, plane.params),
                     polar.problem->fast(polar.x, polar.params), 1e-14);
        assert_close(&plane, "slow", 0, plane.problem->slow(plane.x, plane.params),
                     polar.problem->slow(polar.x, polar.params), 1e-14);
        polar.problem->initial_state(polar.params, polar.x, polar.v);
        plane.problem->initial_state(plane.params, x, v);
        place_as(&plane, &polar);
        for (size_t i = 0; i < 2; ++i) {
            assert_close(&plane, "initial place", i, x[i], plane.x[i], 1e-14);
            assert_close(&plane, "initial velocity", i, v[i], plane.v[i], 1e-14);
        }
    }
    assert_true(directions[0] > 5 && directions[1] > 5);
}

// Where the pendulum hangs still, neither equation pulls it to a side: the way gravity goes.
static void elastic_pendulum_hangs_along_gravity(void **state)
{
    static const double rest[2][2] = {{1.0, 0.0}, {0.0, -1.0}};
    Subject             plane = subject_named(*state, "elastic_pendulum_cartesian");
    draw(&plane, 0);
    for (int gravity = 0; gravity < 2; ++gravity) {
        set(&plane, "gravity", gravity);
        const double length = 1.0 + *value_of(&plane, "g") * pow(*value_of(&plane, "eps"), 2.0);
        for (size_t i = 0; i < 2; ++i) {
            plane.x[i] = length * rest[gravity][i];
            plane.v[i] = 0.0;
        }
        for (size_t i = 0; i < 2; ++i)
            assert_close(&plane, "acceleration at rest", i, acceleration_of(&plane, i), 0.0, 1e-11);
    }
}

static void barrier_is_infinite_on_the_ground_and_ends_at_d_hat(void **state)
{
    Subject particle = subject_named(*state, "barrier_particle");
    draw(&particle, 0);
    const double d_hat = *value_of(&particle, "d_hat"), g = *value_of(&particle, "g");
    for (int k = 0; k < 3; ++k) {
        double dadx, dadv;
        particle.x[0] = -0.5 * k * d_hat;
        particle.problem->jacobian(0.0, particle.x, particle.v, particle.params, &dadx, &dadv);
        assert_true(isnan(acceleration_of(&particle, 0)) && isnan(dadx));
        assert_true(isinf(potential_of(&particle, 0)) && potential_of(&particle, 0) > 0.0);
        particle.x[0] = d_hat * (1.0 + 0.5 * k);
        particle.problem->jacobian(0.0, particle.x, particle.v, particle.params, &dadx, &dadv);
        assert_true(acceleration_of(&particle, 0) == -g && dadx == 0.0);
    }
    // Half way down, by hand: (d - d_hat)^2 ln(1/2) = -d_hat^2 ln(2)/4.
    particle.x[0] = 0.5 * d_hat;
    assert_close(&particle, "barrier", 0, potential_of(&particle, 0) - g * 0.5 * d_hat,
                 *value_of(&particle, "kappa") * d_hat * d_hat * log(2.0) / 4.0, 1e-14);
}

static void friction_is_coulombs_beyond_v_smooth(void **state)
{
    Subject block = subject_named(*state, "friction_block");
    draw(&block, 0);
    const double e = *value_of(&block, "v_smooth"), phi = *value_of(&block, "phi"), g = *value_of(&block, "g");
    const double friction = *value_of(&block, "mu") * g * cos(phi), fall = g * sin(phi);
    // (v/e, f0'(v)) with f0' = 2 y/e - (y/e)^2.
    static const double shares[][2] = {{0.0, 0.0}, {0.5, 0.75}, {1.0, 1.0}, {7.0, 1.0}};
    for (size_t i = 0; i < 4; ++i)
        for (int sign = -1; sign <= 1; sign += 2) {
            block.v[0] = sign * shares[i][0] * e;
            assert_close(&block, "acceleration", 0, acceleration_of(&block, 0), fall - sign * friction * shares[i][1],
                         1e-14);
        }
    // f0(e) = e and f0(0) = e/3, times mu N.
    block.v[0] = e;
    assert_close(&block, "dissipation", 0, dissipation_of(&block, 0), friction * e, 1e-14);
    block.v[0] = 0.0;
    assert_close(&block, "dissipation at rest", 0, dissipation_of(&block, 0), friction * e / 3.0, 1e-14);
}

// The springs, from the Jacobian at rest: k at the wall, k/eps^2 at the free end, one ratio between neighbours. The
// slow coordinate is the elongation of the first, the fast one that of the last.
static void chain_stiffens_towards_its_free_end(void **state)
{
    size_t lengths = 0;
    for (size_t i = 0; i < reference_problem_count; ++i) {
        Subject chain = subject_of(*state, reference_problems[i]);
        if (!is_named(&chain, "spring_chain"))
            continue;
        const size_t n = chain.problem->dofs;
        double       dadx[REFERENCE_DOFS * REFERENCE_DOFS], dadv[REFERENCE_DOFS * REFERENCE_DOFS], beyond = 0.0;
        draw(&chain, 1);
        memset(chain.x, 0, sizeof chain.x);
        chain.problem->jacobian(0.0, chain.x, chain.v, chain.params, dadx, dadv);
        const double k = *value_of(&chain, "k"), eps = *value_of(&chain, "eps"), mass = *value_of(&chain, "mass");
        for (size_t row = n; row-- > 0;) {
            const double here = -dadx[row * n + row] * mass - beyond;
            const double expected = n == 1 ? k : k * pow(eps, -2.0 * (double)row / (double)(n - 1));
            assert_close(&chain, "stiffness", row, here, expected, 1e-12 * k / (eps * eps));
            beyond = here;
            for (size_t j = 0; j < n; ++j)
                assert_close(&chain, "Rayleigh damping", row, dadv[row * n + j],
                             *value_of(&chain, "r_k") * dadx[row * n + j] - (row == j ? *value_of(&chain, "r_m") : 0.0),
                             1e-12 * k / (eps * eps * mass));
        }
        for (size_t row = 0; row < n; ++row)
            chain.x[row] = row + 1 < n ? 0.5 : 0.75;
        assert_true(chain.problem->slow(chain.x, chain.params) == chain.x[0]);
        assert_true(chain.problem->fast(chain.x, chain.params) == (n == 1 ? 0.75 : 0.25));
        ++lengths;
    }
    assert_int_equal(lengths, REFERENCE_DOFS);
}

static int open_catalog(void **state)
{
    static Catalog catalog;
    Error          err = {0};
    if (!catalog_read(&catalog, &err)) {
        print_error("%s\n", err.message);
        return -1;
    }
    *state = &catalog;
    return 0;
}

static int close_catalog(void **state)
{
    catalog_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobians_are_the_derivatives_of_accelerations),
        cmocka_unit_test(forces_are_the_gradients_of_potential_and_dissipation),
        cmocka_unit_test(energy_is_kinetic_and_potential),
        cmocka_unit_test(energy_changes_by_drive_and_friction_alone),
        cmocka_unit_test(exact_motions_obey_their_equations),
        cmocka_unit_test(resonance_grows_in_proportion_to_time),
        cmocka_unit_test(a_drive_that_is_off_leaves_no_trace),
        cmocka_unit_test(elastic_pendulums_agree),
        cmocka_unit_test(elastic_pendulum_hangs_along_gravity),
        cmocka_unit_test(barrier_is_infinite_on_the_ground_and_ends_at_d_hat),
        cmocka_unit_test(friction_is_coulombs_beyond_v_smooth),
        cmocka_unit_test(chain_stiffens_towards_its_free_end),
    };
    return cmocka_run_group_tests(tests, open_catalog, close_catalog);
}
