// test_conservation -- what a card says that its method conserves: areas of phase space, quadratic invariants.
#include "support/built_in.h"
#include "support/matrix_case.h"

AROUND_ALL(open_device, close_device)

// Determinant of the undamped step on [x, h v], where an acceleration is what x makes it.
static double undamped_determinant(Matrix A, double omega)
{
    Matrix part = {2, {{A.a[0][0], A.a[0][1]}, {A.a[1][0], A.a[1][1]}}};
    for (size_t i = 0; i < 2 && A.n == 3; ++i)
        part.a[i][0] -= omega * omega * A.a[i][2];
    return matrix_determinant(part);
}

static void check_determinants(const Tested *tested, const Catalog *catalog)
{
    Matrix matrices[MOST_MATRICES] = {0};
    Probe *probe = make_probe(tested, catalog, JACOBIAN_CENTRAL, 1);
    probe_all(tested, probe, matrices);
    probe_free(probe);
    for (size_t s = 0; s < tested->setting_count; ++s) {
        bool damped = false;
        for (size_t i = 0; i < tested->card->parameter_count; ++i)
            damped = damped || (is_rayleigh(&tested->card->parameters[i]) && tested->settings[s][i] > 0.0);
        for (size_t o = 0; matrix_omegas[o] <= 2.0 && !damped; ++o) {
            const Matrix A = matrices[matrix_number(s, o, 0)];
            const double bound = 1e-12 * fmax(1.0, largest_of(A) * largest_of(A));
            assert_near(undamped_determinant(A, matrix_omegas[o]), 1.0, bound);
        }
    }
}

// Two long runs, the second twice as long, and single steps about some states of the pendulum.
enum { LONG, TWICE_LONG, STATES = 3, SIDES = 4, PENDULUM_POINTS = 2 + STATES * SIDES };
static const double side = 1e-5;

static void run_pendulum(Ran *ran, Device *device, const char *method)
{
    // 0.2 a step, 6.7 a period: 10^4 periods.
    const double places[STATES][2] = {{1.0, 0.3}, {2.0, -0.8}, {-0.4, 1.2}};
    double       x0[PENDULUM_POINTS] = {1.0, 1.0}, v0[PENDULUM_POINTS] = {0.0, 0.0};
    double       steps[PENDULUM_POINTS] = {167500, 335000}, h[PENDULUM_POINTS] = {0.2, 0.2};
    Text         text SCOPED(text_free) = {0};
    for (size_t i = 0; i < STATES * SIDES; ++i) {
        const double off = i % 2 ? -side : side;
        x0[2 + i] = places[i / SIDES][0] + (i % SIDES < 2 ? off : 0.0);
        v0[2 + i] = places[i / SIDES][1] + (i % SIDES < 2 ? 0.0 : off);
        steps[2 + i] = 1.0;
        h[2 + i] = 0.3;
    }
    add_list(&text, "problem: pendulum\ndesign: zip\nparameters: {x0", x0, PENDULUM_POINTS);
    add_list(&text, ", v0", v0, PENDULUM_POINTS);
    add_list(&text, "}\nstep", h, PENDULUM_POINTS);
    add_list(&text, "\nsteps", steps, PENDULUM_POINTS);
    text_add(&text, "\nnewton: {tolerance: 0}\nmetrics: [status, x_final, v_final, energy_drift]\nmethods: [%s]\n",
             method);
    run_ok(ran, device, 1, text.text);
}

// Determinant of the derivative of the step about a state, by differences: what the step does to areas.
static double area(const Ran *ran, size_t place)
{
    double d[2][2];
    for (size_t k = 0; k < 2; ++k) {
        const size_t ahead = 2 + place * SIDES + 2 * k;
        d[0][k] = (number(ran, 0, "x_final", ahead) - number(ran, 0, "x_final", ahead + 1)) / (2.0 * side);
        d[1][k] = (number(ran, 0, "v_final", ahead) - number(ran, 0, "v_final", ahead + 1)) / (2.0 * side);
    }
    return d[0][0] * d[1][1] - d[0][1] * d[1][0];
}

// A symplectic step keeps areas, and the energy stays within what it has strayed early on.
static void check_symplectic(Device *device, const Card *card, bool symplectic)
{
    Ran    ran SCOPED(ran_free) = {0};
    double worst = 0.0;
    run_pendulum(&ran, device, card->name);
    for (size_t i = 0; i < STATES; ++i)
        worst = fmax(worst, fabs(area(&ran, i) - 1.0));
    const double drift = number(&ran, 0, "energy_drift", LONG), later = number(&ran, 0, "energy_drift", TWICE_LONG);
    print_message("%-22s areas change by %.1e; energy strays by %.2e, in twice the time by %.2e\n", card->name, worst,
                  drift, later);
    assert_int_equal(worst <= 1e-7, symplectic);
    assert_int_equal(later <= 1.2 * drift, symplectic);
}

TEST(test_symplectic_methods)
{
    const Catalog *catalog = built_in();
    size_t         count = 0;
    for (const Card *card = NULL; (card = built_in_next(CARD_METHOD, card)) != NULL;) {
        if (strncmp(card->conserves, "symplectic", 10) != 0)
            continue;
        const Tested tested = make_tested(*state, card);
        check_determinants(&tested, catalog);
        check_symplectic(*state, card, true);
        ++count;
    }
    assert_true(count > 0);
    // The measure decides: rk4 is so accurate that it might pass, and does not.
    check_symplectic(*state, catalog_find(catalog, CARD_METHOD, "rk4"), false);
}

// The energy of the oscillator is a quadratic invariant.
TEST(test_quadratic_invariants)
{
    size_t count = 0;
    for (const Card *card = NULL; (card = built_in_next(CARD_METHOD, card)) != NULL;) {
        const bool keeps = strstr(card->conserves, "quadratic invariants") != NULL;
        char       text[512];
        if (!keeps && strcmp(card->name, "symplectic_euler") != 0)
            continue;
        snprintf(text, sizeof text,
                 "{problem: harmonic_oscillator, parameters: {v0: 0.4}, methods: [%s], step: 0.3, steps: 20000, "
                 "newton: {tolerance: 0}, metrics: [status, energy_drift]}",
                 card->name);
        RUN_OK(ran, *state, 1, text);
        const double drift = number(&ran, 0, "energy_drift", 0);
        print_message("%-22s the oscillator's energy strays by %.1e\n", card->name, drift);
        assert_int_equal(drift <= 1e-10, keeps);
        count += keeps;
    }
    assert_true(count > 0);
}
