// test_amplification -- amplification matrices of the kernels, and what cards declare, against theory.
//
//   test_amplification [METHOD...]     only these, and only their matrices
//
// The methods are those of the catalog, their settings are made from their cards: a method is tested by being there,
// and one without equations on its card fails, and one without a row of closed forms.
#include "support/built_in.h"
#include "support/matrix_case.h"

// Matrices are compared at the first Omegas.
enum { COMPARED = 5, SEVERAL = 20, LIMIT_ZETAS = 6 };

static const double limit_zetas[LIMIT_ZETAS] = {0.0, 0.05, 0.2, 0.5, 1.0, 1.5};

// What the functions of tests/support/closed_forms.c stand for: parameters in the order of p, the radius at infinity,
// the limit.
typedef struct Declared {
    const char *method;
    const char *parameters[CASE_PARAMETERS];  // NULL behind the last
    const char *rho_infinity, *critical;
} Declared;

static const Declared declared[] = {
    {"backward_euler", {NULL}, "0", "infinite"},
    {"bathe", {"rho_inf"}, "rho_inf", "infinite"},
    {"bdf2", {NULL}, "0", "infinite"},
    {"central_difference", {"r_m"}, "", "2"},
    {"chung_lee", {"beta"}, "", "2*(sqrt(4*zeta^2 + 4*beta - 3) - 2*zeta)/(4*beta - 3)"},
    {"dopri5", {NULL}, "", "0.99718900863253 at zeta 0, a root of O^6 - 25 O^4 + 225 O^2 - 200"},
    {"explicit_euler", {NULL}, "", "2*(zeta - sqrt(max(zeta^2 - 1, 0)))"},
    {"generalized_alpha",
     {"rho_inf", "alpha_m", "alpha_f", "gamma", "beta"},
     "rho_inf",
     "infinite at 2 beta >= gamma >= 1/2 + max(alpha_f - alpha_m, 0), as by rho_inf"},
    {"hht_alpha",
     {"alpha", "gamma", "beta"},
     "max((1 + alpha)/(1 - alpha), -alpha/(1 + alpha))",
     "infinite at 2 beta >= gamma >= 1/2 - alpha, as by alpha alone"},
    {"implicit_midpoint", {NULL}, "1", "infinite"},
    {"incremental_newmark",
     {"beta", "gamma"},
     "1 at beta 1/4 and gamma 1/2",
     "infinite at 2 beta >= gamma >= 1/2, sqrt(4 zeta^2 + 2/(gamma - 2 beta)) - 2 zeta at a smaller beta"},
    {"incremental_potential", {NULL}, "0", "infinite"},
    {"newmark",
     {"beta", "gamma"},
     "sqrt((abs(beta - gamma/2 - 1/4) + sqrt(max((gamma + 1/2)^2/4 - beta, 0)))^2 + max(beta - (gamma + 1/2)^2/4, "
     "0))/beta",
     "infinite at 2 beta >= gamma >= 1/2, (z + sqrt(c + z^2))/c at a smaller beta, c = gamma/2 - beta, z = zeta (gamma "
     "- 1/2)"},
    {"rk2",
     {NULL},
     "",
     "the root of O^3 - 4 zeta O^2 + 8 zeta^2 O - 8 zeta for zeta <= 1, 2 (zeta - sqrt(zeta^2 - 1)) above"},
    {"rk4", {NULL}, "", "2 sqrt(2) at zeta 0"},
    {"sofa_euler",
     {"r_m", "r_k"},
     "0",
     "infinite for z <= 1, 2 (z - sqrt(z^2 - 1)) above, z = zeta - r_m/(2 omega) - r_k omega/2"},
    {"sofa_newmark",
     {"beta", "gamma", "r_m", "r_k"},
     "1 at beta 1/4, gamma 1/2 and zeta 0",
     "at beta 1/4 and gamma 1/2 infinite for zeta = 0, 2 (sqrt(1 + zeta^2) - zeta) for zeta > 0 and r_m = r_k = 0"},
    {"symplectic_euler", {NULL}, "", "2*(sqrt(1 + zeta^2) - zeta)"},
    {"theta1", {"theta1"}, "(1 - theta1)/theta1", "infinite"},
    {"theta2", {"theta"}, "3*(1 - theta)/(3 + theta)", "infinite"},
    {"tr_bdf2", {"gamma"}, "0", "infinite"},
    {"trapezoidal", {NULL}, "1", "infinite"},
    {"variational_explicit", {"r_m"}, "", "2*(sqrt(1 + (zeta + r_m/(2*omega))^2) - zeta - r_m/(2*omega))"},
    {"variational_implicit", {NULL}, "1", "infinite"},
    {"velocity_verlet", {NULL}, "", "2*(sqrt(4*zeta^2 + 1) - 2*zeta)"},
    {"wbz_alpha", {"alpha"}, "(1 + alpha)/(1 - alpha)", "infinite"},
    {"yoshida4", {NULL}, "", "2 sqrt(3 (1 - 2^(-1/3))) at zeta 0"},
};
enum { DECLARED = sizeof declared / sizeof *declared };

static const Declared *find_declared(const char *method)
{
    for (size_t i = 0; i < DECLARED; ++i)
        if (strcmp(declared[i].method, method) == 0)
            return &declared[i];
    fail_msg("tests/kernels/test_amplification.c: `declared` lacks '%s'", method);
    return NULL;
}

// That must be what the card says, word for word.
static void check_card(const Tested *tested)
{
    const ClosedForms *known = tested->known;
    const Declared    *due = find_declared(known->method);
    for (size_t i = 0; i < CASE_PARAMETERS && due->parameters[i]; ++i) {
        assert_true(i < tested->card->parameter_count);
        assert_string_equal(due->parameters[i], tested->card->parameters[i].name);
    }
    assert_true(tested->card->parameter_count == CASE_PARAMETERS || !due->parameters[tested->card->parameter_count]);
    if (strcmp(due->rho_infinity, tested->card->rho_infinity) != 0)
        fail_msg("%s: rho_infinity is '%s' on the card, '%s' in this test", known->method, tested->card->rho_infinity,
                 due->rho_infinity);
    if (strcmp(due->critical, tested->card->critical) != 0)
        fail_msg("%s: critical is '%s' on the card, '%s' in this test", known->method, tested->card->critical,
                 due->critical);
    assert_int_equal(known->radius == NULL, due->rho_infinity[0] == '\0');
    assert_int_equal(known->limit == NULL, due->critical[0] == '\0');
}

static double error_of(Matrix found, Matrix theory)
{
    double worst = 0.0;
    assert_int_equal(found.n, theory.n);
    for (size_t i = 0; i < found.n; ++i)
        for (size_t j = 0; j < found.n; ++j) {
            const double error = fabs(found.a[i][j] - theory.a[i][j]);
            worst = error <= worst ? worst : error;
        }
    return worst / fmax(1.0, largest_of(theory));
}

// How far the kernel's matrices at the five Omegas are from theory; at most `bound`.
static double check_matrices(const Tested *tested, const Matrix *matrices, double bound)
{
    double worst = 0.0;
    for (size_t s = 0; s < tested->setting_count; ++s)
        for (size_t o = 0; o < COMPARED; ++o)
            for (size_t z = 0; z < ZETAS; ++z) {
                const double error =
                    error_of(matrices[matrix_number(s, o, z)],
                             theory_matrix(tested->theory, matrix_omegas[o], matrix_zetas[z], tested->settings[s]));
                if (!(error <= bound))
                    fail_msg("%s, setting %zu, Omega %g, zeta %g: the kernel's matrix is off by %g", tested->card->name,
                             s, matrix_omegas[o], matrix_zetas[z], error);
                worst = fmax(worst, error);
            }
    return worst;
}

// At Omega = 1e8 the eigenvalues have come to within Omega^(-1/2) of their limits; three that coincide move by the cube
// root of rounding, less than that.
static void check_infinity(const Tested *tested, const Matrix *matrices)
{
    const size_t infinity = OMEGAS - 1;
    size_t       checked = 0;
    for (size_t s = 0; s < tested->setting_count && tested->known->radius; ++s)
        for (size_t z = 0; z < ZETAS; ++z) {
            const double limit = tested->known->radius(matrix_zetas[z], tested->settings[s]);
            const double radius = matrix_radius(matrices[matrix_number(s, infinity, z)]);
            if (isnan(limit))
                continue;
            ++checked;
            if (!(fabs(radius - limit) <= 1.0 / sqrt(matrix_omegas[infinity])))
                fail_msg("%s, setting %zu, zeta %g: spectral radius at infinity %.9g, the card has %.9g",
                         tested->card->name, s, matrix_zetas[z], radius, limit);
        }
    assert_true(checked > 0 || !tested->known->radius);
}

// The kernel's own limits, by search, against the closed forms; where these are infinite the search goes up to 1e4.
static void check_limits(const Tested *tested, Probe *probe)
{
    double found[LIMIT_ZETAS], worst = 0.0;
    if (!tested->known->limit)
        return;
    assert_true(tested->known->limit(0.0, tested->settings[0]) >= 0.0);
    for (size_t s = 0; s < tested->setting_count; ++s) {
        assert_fine(spectrum_search(probe, tested->settings[s], limit_zetas, LIMIT_ZETAS, found, &err));
        for (size_t z = 0; z < LIMIT_ZETAS; ++z) {
            const double limit = tested->known->limit(limit_zetas[z], tested->settings[s]);
            if (isnan(limit) || (isinf(limit) && found[z] > SPECTRUM_LARGEST))
                continue;
            if (!(fabs(found[z] - limit) <= 1e-6))
                fail_msg("%s, setting %zu, zeta %g: stable up to Omega %.9g, the card has %.9g", tested->card->name, s,
                         limit_zetas[z], found[z], limit);
            worst = fmax(worst, fabs(found[z] - limit));
        }
    }
    print_message("%-22s limits differ by %.1e\n", tested->card->name, worst);
}

// What the equations themselves give at infinity, of stability and at low frequencies, against the closed forms.
static void check_ends(const Tested *tested)
{
    const Theory *theory = tested->theory;
    for (size_t s = 0; s < tested->setting_count; ++s) {
        const double      *p = tested->settings[s];
        const LowFrequency low = theory_low(theory, p), due = tested->known->low(p);
        if (low.power != due.power && fabs(due.coefficient) > 1e-12)
            fail_msg("%s, setting %zu: damping begins with Omega^%d, not %d", tested->card->name, s, low.power,
                     due.power);
        assert_near(low.coefficient, due.coefficient, 1e-13);
        for (size_t z = 0; z < LIMIT_ZETAS; ++z) {
            const double zeta = limit_zetas[z];
            const double radius = tested->known->radius ? tested->known->radius(zeta, p) : (double)INFINITY,
                         limit = tested->known->limit ? tested->known->limit(zeta, p) : (double)NAN;
            if (!isnan(radius))
                assert_true(theory_radius(theory, zeta, p) == radius ||
                            fabs(theory_radius(theory, zeta, p) - radius) <= 1e-14);
            if (!isnan(limit) && !(theory_limit(theory, zeta, p) == limit ||
                                   fabs(theory_limit(theory, zeta, p) - limit) <= 1e-7 * limit))
                fail_msg("%s, setting %zu, zeta %g: the equations are stable up to Omega %.17g, not %.17g",
                         tested->card->name, s, zeta, theory_limit(theory, zeta, p), limit);
        }
    }
}

static void add_axis(Text *text, const char *name, const Tested *tested, size_t parameter)
{
    text_add(text, "%s: [", name);
    for (size_t i = 0; i < tested->setting_count * OMEGAS * ZETAS; ++i) {
        const double setting = parameter < CASE_PARAMETERS ? tested->settings[i / (OMEGAS * ZETAS)][parameter] : 0.0;
        const double value = strcmp(name, "step") == 0   ? matrix_omegas[i / ZETAS % OMEGAS]
                             : strcmp(name, "zeta") == 0 ? matrix_zetas[i % ZETAS]
                                                         : setting;
        text_add(text, "%s%.17g", i ? ", " : "", value);
    }
    text_add(text, "]");
}

static Matrix times(Matrix left, Matrix right)
{
    Matrix m = {.n = left.n};
    for (size_t i = 0; i < m.n; ++i)
        for (size_t j = 0; j < m.n; ++j)
            for (size_t k = 0; k < m.n; ++k)
                m.a[i][j] += left.a[i][k] * right.a[k][j];
    return m;
}

// The state after several steps from x = 0.7, v = 0.4. What is kept besides is the method's to make: an acceleration
// that fits, and after a first step of theta1 the point before.
static Matrix several_steps(const Tested *tested, size_t setting, double omega, double zeta)
{
    const double *p = tested->settings[setting];
    const Matrix  A = theory_matrix(tested->theory, omega, zeta, p);
    const double  x0 = 0.7, v0 = 0.4 * omega;  // scaled
    Matrix        y = {.n = A.n};
    y.a[0][0] = x0;
    y.a[1][0] = v0;
    double damping = 2.0 * zeta;
    for (size_t i = 0; i < tested->card->parameter_count; ++i)
        damping += is_rayleigh(&tested->card->parameters[i]) ? p[i] : 0.0;
    if (tested->card->state_count > 0)
        y.a[2][0] = -omega * omega * x0 - damping * omega * v0;
    if (tested->card->history) {
        const double theta = strcmp(tested->card->name, "bdf2") == 0 ? 1.0 : p[0], theta1 = 0.5 + theta / 50.0;
        const Matrix first = theory_matrix(theory_named("theta1"), omega, zeta, &theta1);
        y.a[2][0] = x0;
        y.a[3][0] = v0;
        y.a[0][0] = first.a[0][0] * x0 + first.a[0][1] * v0;
        y.a[1][0] = first.a[1][0] * x0 + first.a[1][1] * v0;
    }
    for (int i = tested->card->history ? 1 : 0; i < SEVERAL; ++i)
        y = times(A, y);
    return y;
}

// From t = 0: twenty steps are the twentieth power. omega = 1, so that the step is Omega.
static void check_several_steps(const Tested *tested)
{
    const Card *card = tested->card;
    Text        text SCOPED(text_free) = {0};
    text_add(&text, "problem: harmonic_oscillator\ndesign: zip\nparameters: {omega: 1, x0: 0.7, v0: 0.4, ");
    add_axis(&text, "zeta", tested, CASE_PARAMETERS);
    text_add(&text, "}\nmethods:\n  - %s: {", card->name);
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (!card->parameters[i].derived) {
            text_add(&text, "%s", i == 0 ? "" : ", ");
            add_axis(&text, card->parameters[i].name, tested, i);
        }
    text_add(&text, "}\n");
    add_axis(&text, "step", tested, CASE_PARAMETERS);
    text_add(&text, "\nsteps: %d\nnewton: {tolerance: 0, jacobian: %s}\nmetrics: [status, x_final, v_final]\n", SEVERAL,
             probe_rule(card) == JACOBIAN_ANALYTIC ? "analytic" : "central");
    RUN(ran, tested->device, 1, text.text);
    for (size_t s = 0; s < tested->setting_count; ++s)
        for (size_t o = 0; matrix_omegas[o] <= 1.0; ++o)
            for (size_t z = 0; z < ZETAS; ++z) {
                const size_t point = matrix_number(s, o, z);
                const Matrix y = several_steps(tested, s, matrix_omegas[o], matrix_zetas[z]);
                const double bound = 1e-13 * SEVERAL * fmax(1.0, hypot(y.a[0][0], y.a[1][0]));
                assert_status(&ran, 0, point, STATUS_OK);
                assert_near(number(&ran, 0, "x_final", point), y.a[0][0], bound);
                assert_near(number(&ran, 0, "v_final", point) * matrix_omegas[o], y.a[1][0], bound);
            }
}

static void check_method(Device *device, const Catalog *catalog, const Card *card)
{
    Matrix        matrices[MOST_MATRICES] = {0};
    const Tested  tested = make_tested(device, card);
    const double *p = tested.settings[0];
    check_card(&tested);
    assert_int_equal(probe_size(card), theory_matrix(tested.theory, 1.0, 0.0, p).n);
    Probe *probe = make_probe(&tested, catalog, probe_rule(card), 1);
    probe_all(&tested, probe, matrices);
    print_message("%-22s differs by %.1e from theory, %zu settings\n", card->name,
                  check_matrices(&tested, matrices, 1e-12), tested.setting_count);
    check_infinity(&tested, matrices);
    check_ends(&tested);
    check_limits(&tested, probe);
    probe_free(probe);
    check_several_steps(&tested);
}

TEST(test_every_method_has_its_matrix)
{
    const Chosen  *chosen = *state;
    const Catalog *catalog = built_in();
    size_t         adaptive = 0, checked = 0;
    for (const Card *card = NULL; (card = built_in_next(CARD_METHOD, card)) != NULL;) {
        if (!chosen_has(chosen, card->name))
            continue;
        if (card->adaptive) {
            // Its step is no matrix, so that nothing may be said of one.
            assert_true(equations_given(card));
            assert_string_equal(card->rho_infinity, "");
            assert_string_equal(card->critical, "");
            ++adaptive;
            continue;
        }
        ++checked;
        check_method(chosen->device, catalog, card);
    }
    if (chosen->name_count == 0) {
        assert_int_equal(checked, closed_form_count);
        assert_int_equal(checked, DECLARED);
        assert_true(adaptive > 0);
    }
    assert_true(checked > 0);
}

// One member of each family gives the same bits one by one as eight at a time.
TEST(test_lanes)
{
    const Chosen *chosen = *state;
    if (chosen->name_count > 0)
        skip();
    static const char *const names[] = {"bathe", "generalized_alpha", "rk4", "theta2"};
    const Catalog           *catalog = built_in();
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        Matrix       matrices[2][MOST_MATRICES] = {0};
        const Tested tested = make_tested(chosen->device, catalog_find(catalog, CARD_METHOD, names[i]));
        for (int k = 0; k < 2; ++k) {
            Probe *probe = make_probe(&tested, catalog, JACOBIAN_CENTRAL, k ? 8 : 1);
            probe_all(&tested, probe, matrices[k]);
            probe_free(probe);
        }
        assert_memory_equal(matrices[0], matrices[1], sizeof matrices[0]);
    }
}

// With a Jacobian by differences the one update of a linearised method is off by the differences' rounding, some
// cbrt(u)^2 = 4e-11 of what it is multiplied with.
TEST(test_linearised_by_differences)
{
    const Chosen *chosen = *state;
    if (chosen->name_count > 0)
        skip();
    const Catalog *catalog = built_in();
    size_t         count = 0;
    for (size_t i = 0; i < catalog->card_count; ++i) {
        if (catalog->cards[i].kind != CARD_METHOD || catalog->cards[i].solver != SOLVER_LINEARISED)
            continue;
        Matrix       matrices[MOST_MATRICES] = {0};
        const Tested tested = make_tested(chosen->device, &catalog->cards[i]);
        Probe       *probe = make_probe(&tested, catalog, JACOBIAN_CENTRAL, 1);
        probe_all(&tested, probe, matrices);
        const double worst = check_matrices(&tested, matrices, 1e-9);
        print_message("%-22s by differences differs by %.1e\n", catalog->cards[i].name, worst);
        assert_true(worst > 1e-14);
        probe_free(probe);
        ++count;
    }
    assert_true(count > 0);
}

int main(int argc, char **argv)
{
    return chosen_run(argc, argv);
}
