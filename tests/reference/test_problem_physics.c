// test_problem_physics -- what is known of single problems: resonance, drives, two coordinate systems, barrier,
// friction.
#include "support/subject.h"

// Undamped and from rest, x = 2 force sin((omega - W) t/2) sin((omega + W) t/2)/(omega^2 - W^2), and in resonance force
// t sin(omega t)/(2 omega). No digits are lost on the way from one to the other, nor by damping that is next to
// nothing.
TEST(resonance_grows_in_proportion_to_time)
{
    const double omega = 1.25, force = 0.8, t = 7.0;
    Subject      oscillator = subject_named("harmonic_oscillator");
    subject_draw(&oscillator, 0);
    subject_set(&oscillator, "forcing", 1.0);
    subject_set(&oscillator, "force", force);
    subject_set(&oscillator, "omega", omega);
    subject_set(&oscillator, "x0", 0.0);
    for (int k = 0; k <= 20; ++k) {
        const double W = omega * (1.0 - pow(10.0, -k)), beat = 0.5 * (omega - W), mean = 0.5 * (omega + W);
        const double grown = beat == 0.0 ? t : sin(beat * t) / beat;
        const double expected = 0.5 * force * grown * sin(mean * t) / mean;
        const double rate = 0.5 * force * (cos(beat * t) * sin(mean * t) / mean + grown * cos(mean * t));
        for (int damped = 0; damped < 2; ++damped) {
            double x, v;
            subject_set(&oscillator, "zeta", damped ? 1e-18 : 0.0);
            subject_set(&oscillator, "force_omega", W);
            oscillator.problem->exact(t, oscillator.params, &x, &v);
            subject_close(&oscillator, "exact in resonance", 0, x, expected, 3e-14);
            subject_close(&oscillator, "exact velocity in resonance", 0, v, rate, 3e-14);
        }
    }
}

TEST(a_drive_that_is_off_leaves_no_trace)
{
    static const char *const names[] = {"harmonic_oscillator", "pendulum"};
    for (size_t i = 0; i < 2; ++i) {
        Subject off = subject_named(names[i]);
        double  force;
        subject_draw(&off, 0);
        Subject zero = off;
        subject_set(&off, "force", 3.0);
        const double without = subject_acceleration(&zero, 0), with = subject_acceleration(&off, 0);
        assert_memory_equal(&with, &without, sizeof with);
        subject_drive(&off, &force);
        assert_true(force == 0.0);
        assert_true(off.problem->period(off.params) > 0.0);
        subject_set(&off, "forcing", 1.0);
        subject_close(&off, "driven acceleration", 0, subject_acceleration(&off, 0) - without, 3.0 * cos(off.t), 1e-14);
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
TEST(elastic_pendulums_agree)
{
    static const char *const shared[] = {"eps", "k", "g", "gravity"};
    Subject                  polar = subject_named("elastic_pendulum_polar");
    Subject                  plane = subject_named("elastic_pendulum_cartesian");
    double                   x[2], v[2];
    int                      directions[2] = {0};
    subject_draw(&plane, 0);
    for (int trial = 0; trial < 2 * TRIALS; ++trial) {
        subject_draw(&polar, trial);
        subject_set(&polar, "variant", 0.0);
        for (size_t i = 0; i < sizeof shared / sizeof *shared; ++i)
            subject_set(&plane, shared[i], *subject_value(&polar, shared[i]));
        ++directions[(int)*subject_value(&polar, "gravity")];
        place_as(&plane, &polar);
        const double c = cos(polar.x[1]), s = sin(polar.x[1]), r = polar.x[0], w = polar.v[1];
        const double out = subject_acceleration(&polar, 0) - r * w * w;
        const double across = r * subject_acceleration(&polar, 1) + 2.0 * polar.v[0] * w;
        const double bound = 1e-14 / pow(*subject_value(&polar, "eps"), 2.0);
        subject_close(&plane, "acceleration", 0, subject_acceleration(&plane, 0), out * c - across * s, bound);
        subject_close(&plane, "acceleration", 1, subject_acceleration(&plane, 1), out * s + across * c, bound);
        subject_close(&plane, "energy", 0, subject_energy(&plane, 0), subject_energy(&polar, 0), bound);
        subject_close(&plane, "fast", 0, plane.problem->fast(plane.x, plane.params),
                      polar.problem->fast(polar.x, polar.params), 1e-14);
        subject_close(&plane, "slow", 0, plane.problem->slow(plane.x, plane.params),
                      polar.problem->slow(polar.x, polar.params), 1e-14);
        polar.problem->initial_state(polar.params, polar.x, polar.v);
        plane.problem->initial_state(plane.params, x, v);
        place_as(&plane, &polar);
        for (size_t i = 0; i < 2; ++i) {
            subject_close(&plane, "initial place", i, x[i], plane.x[i], 1e-14);
            subject_close(&plane, "initial velocity", i, v[i], plane.v[i], 1e-14);
        }
    }
    assert_true(directions[0] > 5 && directions[1] > 5);
}

// Where the pendulum hangs still, neither equation pulls it to a side: the way gravity goes.
TEST(elastic_pendulum_hangs_along_gravity)
{
    static const double rest[2][2] = {{1.0, 0.0}, {0.0, -1.0}};
    Subject             plane = subject_named("elastic_pendulum_cartesian");
    subject_draw(&plane, 0);
    for (int gravity = 0; gravity < 2; ++gravity) {
        subject_set(&plane, "gravity", gravity);
        const double length = 1.0 + *subject_value(&plane, "g") * pow(*subject_value(&plane, "eps"), 2.0);
        for (size_t i = 0; i < 2; ++i) {
            plane.x[i] = length * rest[gravity][i];
            plane.v[i] = 0.0;
        }
        for (size_t i = 0; i < 2; ++i)
            subject_close(&plane, "acceleration at rest", i, subject_acceleration(&plane, i), 0.0, 1e-11);
    }
}

TEST(barrier_is_infinite_on_the_ground_and_ends_at_d_hat)
{
    Subject particle = subject_named("barrier_particle");
    subject_draw(&particle, 0);
    const double d_hat = *subject_value(&particle, "d_hat"), g = *subject_value(&particle, "g");
    for (int k = 0; k < 3; ++k) {
        double dadx, dadv;
        particle.x[0] = -0.5 * k * d_hat;
        particle.problem->jacobian(0.0, particle.x, particle.v, particle.params, &dadx, &dadv);
        assert_true(isnan(subject_acceleration(&particle, 0)) && isnan(dadx));
        assert_true(isinf(subject_potential(&particle, 0)) && subject_potential(&particle, 0) > 0.0);
        particle.x[0] = d_hat * (1.0 + 0.5 * k);
        particle.problem->jacobian(0.0, particle.x, particle.v, particle.params, &dadx, &dadv);
        assert_true(subject_acceleration(&particle, 0) == -g && dadx == 0.0);
    }
    // Half way down, by hand: (d - d_hat)^2 ln(1/2) = -d_hat^2 ln(2)/4.
    particle.x[0] = 0.5 * d_hat;
    subject_close(&particle, "barrier", 0, subject_potential(&particle, 0) - g * 0.5 * d_hat,
                  *subject_value(&particle, "kappa") * d_hat * d_hat * log(2.0) / 4.0, 1e-14);
}

TEST(friction_is_coulombs_beyond_v_smooth)
{
    Subject block = subject_named("friction_block");
    subject_draw(&block, 0);
    const double e = *subject_value(&block, "v_smooth"), phi = *subject_value(&block, "phi"),
                 g = *subject_value(&block, "g");
    const double friction = *subject_value(&block, "mu") * g * cos(phi), fall = g * sin(phi);
    // (v/e, f0'(v)) with f0' = 2 y/e - (y/e)^2.
    static const double shares[][2] = {{0.0, 0.0}, {0.5, 0.75}, {1.0, 1.0}, {7.0, 1.0}};
    for (size_t i = 0; i < 4; ++i)
        for (int sign = -1; sign <= 1; sign += 2) {
            block.v[0] = sign * shares[i][0] * e;
            subject_close(&block, "acceleration", 0, subject_acceleration(&block, 0),
                          fall - sign * friction * shares[i][1], 1e-14);
        }
    // f0(e) = e and f0(0) = e/3, times mu N.
    block.v[0] = e;
    subject_close(&block, "dissipation", 0, subject_dissipation(&block, 0), friction * e, 1e-14);
    block.v[0] = 0.0;
    subject_close(&block, "dissipation at rest", 0, subject_dissipation(&block, 0), friction * e / 3.0, 1e-14);
}

// The springs, from the Jacobian at rest: k at the wall, k/eps^2 at the free end, one ratio between neighbours. The
// slow coordinate is the elongation of the first, the fast one that of the last.
TEST(chain_stiffens_towards_its_free_end)
{
    size_t lengths = 0;
    for (size_t i = 0; i < reference_problem_count; ++i) {
        Subject chain = subject_of(reference_problems[i]);
        if (!subject_is(&chain, "spring_chain"))
            continue;
        const size_t n = chain.problem->dofs;
        double       dadx[REFERENCE_DOFS * REFERENCE_DOFS], dadv[REFERENCE_DOFS * REFERENCE_DOFS], beyond = 0.0;
        subject_draw(&chain, 1);
        memset(chain.x, 0, sizeof chain.x);
        chain.problem->jacobian(0.0, chain.x, chain.v, chain.params, dadx, dadv);
        const double k = *subject_value(&chain, "k"), eps = *subject_value(&chain, "eps"),
                     mass = *subject_value(&chain, "mass");
        for (size_t row = n; row-- > 0;) {
            const double here = -dadx[row * n + row] * mass - beyond;
            const double expected = n == 1 ? k : k * pow(eps, -2.0 * (double)row / (double)(n - 1));
            subject_close(&chain, "stiffness", row, here, expected, 1e-12 * k / (eps * eps));
            beyond = here;
            for (size_t j = 0; j < n; ++j)
                subject_close(&chain, "Rayleigh damping", row, dadv[row * n + j],
                              *subject_value(&chain, "r_k") * dadx[row * n + j] -
                                  (row == j ? *subject_value(&chain, "r_m") : 0.0),
                              1e-12 * k / (eps * eps * mass));
        }
        for (size_t row = 0; row < n; ++row)
            chain.x[row] = row + 1 < n ? 0.5 : 0.75;
        assert_true(chain.problem->slow(chain.x, chain.params) == chain.x[0]);
        assert_true(chain.problem->fast(chain.x, chain.params) == (n == 1 ? 0.75 : 0.25));
        ++lengths;
    }
    assert_int_equal(lengths, 32);  // the most that its card has
}
