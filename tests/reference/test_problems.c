// test_problems -- problem files agree with themselves: forces, energies, derivatives, closed forms.
//
// Acceleration, Jacobian, potential, dissipation, drive, masses, energy and exact solution of a file are written one by
// one, and each follows from the others. The bounds are what central differences leave: with a relative step of
// cbrt(2^-52) about 1e-10 of the numbers that are subtracted.

#include "support/subject.h"

#include <float.h>

// The printed equations of the elastic pendulums have the energy of the right ones.
static bool is_printed(Subject *subject)
{
    const double *variant = subject_value(subject, "variant");
    return variant && *variant != 0.0;
}

// Runs a check in all trials of all problems; it returns whether it found anything to check. Returns for how many
// problems it did, those of one name counted once.
static size_t check_all(bool (*check)(Subject *subject))
{
    size_t      count = 0;
    const char *last = "";
    for (size_t i = 0; i < reference_problem_count; ++i) {
        Subject subject = subject_of(reference_problems[i]);
        bool    checked = false;
        for (int trial = 0; trial < TRIALS; ++trial) {
            subject_draw(&subject, trial);
            checked = check(&subject) || checked;
        }
        count += checked && strcmp(last, subject.problem->name) != 0;
        if (checked)
            last = subject.problem->name;
    }
    return count;
}

// A number that depends on the state.
typedef double Field(const Subject *subject, size_t row);

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
        double row = fabs(subject_acceleration(subject, i)) / subject->reach;
        for (size_t j = 0; j < n; ++j)
            row = fmax(row, fmax(fabs(dadx[i * n + j]), fabs(dadv[i * n + j])));
        for (size_t j = 0; j < n; ++j) {
            const double by_x = slope(subject, subject_acceleration, i, false, j),
                         by_v = slope(subject, subject_acceleration, i, true, j);
            subject_close(subject, "dadx", i, dadx[i * n + j], by_x, 1e-7 * fabs(by_x) + 1e-9 * row);
            subject_close(subject, "dadv", i, dadv[i * n + j], by_v, 1e-7 * fabs(by_v) + 1e-9 * row);
        }
    }
    return true;
}

TEST(jacobians_are_the_derivatives_of_accelerations)
{
    assert_true(check_all(check_jacobian) >= 11);
}

static double friction_of(const Subject *subject, size_t i)
{
    return subject->problem->dissipation ? slope(subject, subject_dissipation, 0, true, i) : 0.0;
}

static bool check_force(Subject *subject)
{
    const ReferenceProblem *problem = subject->problem;
    double                  mass[REFERENCE_DOFS], force[REFERENCE_DOFS];
    if (!problem->masses || is_printed(subject))
        return false;
    problem->masses(subject->params, mass);
    subject_drive(subject, force);
    assert_non_null(problem->potential);
    const double potential = fabs(subject_potential(subject, 0)) / subject->reach;
    const double losses = problem->dissipation ? subject_dissipation(subject, 0) : 0.0;
    for (size_t i = 0; i < problem->dofs; ++i) {
        const double pull = slope(subject, subject_potential, 0, false, i), drag = friction_of(subject, i);
        subject_close(subject, "mass times acceleration", i, mass[i] * subject_acceleration(subject, i),
                      force[i] - pull - drag,
                      1e-7 * (fabs(pull) + fabs(drag) + fabs(force[i])) + 1e-9 * (potential + losses));
    }
    return true;
}

TEST(forces_are_the_gradients_of_potential_and_dissipation)
{
    assert_true(check_all(check_force) >= 8);
}

static bool check_sum(Subject *subject)
{
    const ReferenceProblem *problem = subject->problem;
    if (!problem->energy || !problem->kinetic || !problem->potential)
        return false;
    const double kinetic = problem->kinetic(subject->x, subject->v, subject->params);
    const double potential = subject_potential(subject, 0);
    subject_close(subject, "energy", 0, subject_energy(subject, 0), kinetic + potential,
                  4.0 * DBL_EPSILON * (fabs(kinetic) + fabs(potential)));
    return true;
}

TEST(energy_is_kinetic_and_potential)
{
    assert_true(check_all(check_sum) >= 10);
}

// dE/dt along the motion is what the drive gives less what friction takes.
static bool check_balance(Subject *subject)
{
    const ReferenceProblem *problem = subject->problem;
    double                  force[REFERENCE_DOFS], change = 0.0, expected = 0.0, size = 0.0, speed = 0.0;
    const bool              self_excited = subject_is(subject, "van_der_pol");
    if (!problem->energy || is_printed(subject) || (!problem->potential && !self_excited))
        return false;
    subject_drive(subject, force);
    for (size_t i = 0; i < problem->dofs; ++i) {
        const double by_x = slope(subject, subject_energy, 0, false, i) * subject->v[i];
        const double a = subject_acceleration(subject, i), by_v = slope(subject, subject_energy, 0, true, i) * a;
        change += by_x + by_v;
        size += fabs(by_x) + fabs(by_v);
        speed += fabs(subject->v[i]) + fabs(a);
        expected += subject->v[i] * (force[i] - friction_of(subject, i));
    }
    if (self_excited)
        expected =
            *subject_value(subject, "mu") * (1.0 - subject->x[0] * subject->x[0]) * subject->v[0] * subject->v[0];
    subject_close(subject, "dE/dt", 0, change, expected,
                  1e-8 * size + 1e-10 * fabs(subject_energy(subject, 0)) * speed / subject->reach);
    return true;
}

TEST(energy_changes_by_drive_and_friction_alone)
{
    assert_true(check_all(check_balance) >= 11);
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
    subject_close(subject, "velocity of the exact motion", i, subject->v[i], (x1[i] - x0[i]) / (after - before),
                  5e-9 * rate * size);
    subject_close(subject, "acceleration of the exact motion", i, subject_acceleration(subject, i),
                  (v1[i] - v0[i]) / (after - before), 5e-9 * rate * rate * size);
}

static void check_exact(Subject *subject)
{
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
    subject->problem->exact(0.0, subject->params, x, v);
    subject->problem->initial_state(subject->params, subject->x, subject->v);
    for (size_t i = 0; i < subject->problem->dofs; ++i) {
        subject_close(subject, "exact start", i, x[i], subject->x[i], 1e-14);
        subject_close(subject, "exact initial velocity", i, v[i], subject->v[i], 1e-14);
    }
    for (int k = 1; k <= TRIALS; ++k)
        for (size_t i = 0; i < subject->problem->dofs; ++i)
            check_exact_at(subject, subject_uniform(&subject->seed, 0.0, (double)k), i);
}

TEST(exact_motions_obey_their_equations)
{
    static const double dampings[] = {0.0, 1e-12, 1e-4, 0.05, 0.499, 0.5, 0.95, 1.0, 1.5, 4.0};
    static const double offsets[] = {0.0, 1e-15, 1e-9, 1e-3, 0.4, 1.0};  // of the drive's frequency, from omega to rest
    Subject             oscillator = subject_named("harmonic_oscillator");
    for (int forcing = 0; forcing < 2; ++forcing)
        for (size_t i = 0; i < sizeof dampings / sizeof *dampings; ++i)
            for (size_t j = 0; j < sizeof offsets / sizeof *offsets; ++j) {
                subject_draw(&oscillator, 1);
                subject_set(&oscillator, "zeta", dampings[i]);
                subject_set(&oscillator, "forcing", forcing);
                subject_set(&oscillator, "force", 1.7);
                subject_set(&oscillator, "force_omega", *subject_value(&oscillator, "omega") * (1.0 - offsets[j]));
                check_exact(&oscillator);
            }
    Subject modes = subject_named("modal_oscillators");
    for (int trial = 0; trial < TRIALS; ++trial) {
        subject_draw(&modes, trial);
        check_exact(&modes);
    }
}
