// test_amplification -- one step of the damped oscillator by every method against its amplification matrix.
//
// A method of the catalog has a row in the table below: its matrix A on the state scaled by the step, [x, h v] and then
// h^2 a or [x, h v] one step back, as a function of Omega = omega h, zeta and its parameters. What unit states become
// in a kernel's step is the matrix that the kernel has.
#include "kernel_case.h"

#include <lapacke.h>

enum { MOST_SIZE = 4, MOST_SETTINGS = 3, MOST_PARAMETERS = 2, ZETAS = 2, OMEGAS = 6, SEVERAL = 20, WIDTHS = 2 };

typedef struct Matrix {
    size_t n;
    double a[MOST_SIZE][MOST_SIZE];
} Matrix;

typedef struct Setting {
    double values[MOST_PARAMETERS];  // of the method's parameters
    bool   at_infinity;              // the card's rho_infinity holds for them
} Setting;

typedef struct Row {
    const char *method;
    Matrix (*matrix)(double omega, double zeta, const double *p);
    const char *rho_infinity;           // what the card says of it
    double (*radius)(const double *p);  // the same as a function
    Setting settings[MOST_SETTINGS];
    size_t  setting_count;
} Row;

// The last Omega stands for infinity; the others are where matrices are compared.
static const double omegas[OMEGAS] = {0.1, 0.5, 1.0, 2.0, 5.0, 1e8};
static const double zetas[ZETAS] = {0.0, 0.2};
static const int    lane_counts[WIDTHS] = {1, 8};

static Matrix identity(size_t n)
{
    Matrix m = {.n = n};
    for (size_t i = 0; i < n; ++i)
        m.a[i][i] = 1.0;
    return m;
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

// left + factor right
static Matrix plus(Matrix left, double factor, Matrix right)
{
    for (size_t i = 0; i < left.n; ++i)
        for (size_t j = 0; j < left.n; ++j)
            left.a[i][j] += factor * right.a[i][j];
    return left;
}

static Matrix inverse_of_two(Matrix m)
{
    const double det = m.a[0][0] * m.a[1][1] - m.a[0][1] * m.a[1][0];
    return (Matrix){2, {{m.a[1][1] / det, -m.a[0][1] / det}, {-m.a[1][0] / det, m.a[0][0] / det}}};
}

// h times the derivative of [x, h v].
static Matrix oscillator(double omega, double zeta)
{
    return (Matrix){2, {{0.0, 1.0}, {-omega * omega, -2.0 * zeta * omega}}};
}

static Matrix theta_first(double omega, double zeta, double theta1)
{
    const Matrix L = oscillator(omega, zeta);
    return times(inverse_of_two(plus(identity(2), -theta1, L)), plus(identity(2), 1.0 - theta1, L));
}

static Matrix theta_second(double omega, double zeta, double theta)
{
    const Matrix L = oscillator(omega, zeta), S = inverse_of_two(plus(identity(2), -0.5 - theta / 6.0, L));
    const Matrix now = times(S, plus(plus((Matrix){.n = 2}, 1.0 + theta / 3.0, identity(2)), 0.5 * (1.0 - theta), L));
    Matrix       m = {.n = 4};
    for (size_t i = 0; i < 2; ++i) {
        for (size_t j = 0; j < 2; ++j) {
            m.a[i][j] = now.a[i][j];
            m.a[i][2 + j] = -theta / 3.0 * S.a[i][j];
        }
        m.a[2 + i][i] = 1.0;
    }
    return m;
}

static Matrix alpha_family(double omega, double zeta, double am, double af, double beta, double gamma)
{
    const double square = omega * omega, damping = 2.0 * zeta * omega;
    const double den = 1.0 - am + damping * (1.0 - af) * gamma + square * (1.0 - af) * beta;
    const double rx = -square / den, rv = -(damping + square * (1.0 - af)) / den;
    const double ra = -(am + damping * (1.0 - af) * (1.0 - gamma) + square * (1.0 - af) * (0.5 - beta)) / den;
    return (Matrix){3,
                    {{1.0 + beta * rx, 1.0 + beta * rv, 0.5 - beta + beta * ra},
                     {gamma * rx, 1.0 + gamma * rv, 1.0 - gamma + gamma * ra},
                     {rx, rv, ra}}};
}

static Matrix backward_euler(double omega, double zeta, const double *p)
{
    (void)p;
    return theta_first(omega, zeta, 1.0);
}

static Matrix trapezoidal(double omega, double zeta, const double *p)
{
    (void)p;
    return theta_first(omega, zeta, 0.5);
}

static Matrix theta1(double omega, double zeta, const double *p)
{
    return theta_first(omega, zeta, p[0]);
}

static Matrix bdf2(double omega, double zeta, const double *p)
{
    (void)p;
    return theta_second(omega, zeta, 1.0);
}

static Matrix theta2(double omega, double zeta, const double *p)
{
    return theta_second(omega, zeta, p[0]);
}

static Matrix newmark(double omega, double zeta, const double *p)
{
    return alpha_family(omega, zeta, 0.0, 0.0, p[0], p[1]);
}

static Matrix generalized_alpha(double omega, double zeta, const double *p)
{
    const double am = (2.0 * p[0] - 1.0) / (p[0] + 1.0), af = p[0] / (p[0] + 1.0);
    return alpha_family(omega, zeta, am, af, (1.0 - am + af) * (1.0 - am + af) / 4.0, 0.5 - am + af);
}

// The exponential up to the fourth power.
static Matrix rk4(double omega, double zeta, const double *p)
{
    const Matrix L = oscillator(omega, zeta), square = times(L, L);
    (void)p;
    return plus(plus(plus(plus(identity(2), 1.0, L), 1.0 / 2.0, square), 1.0 / 6.0, times(square, L)), 1.0 / 24.0,
                times(square, square));
}

static double radius_zero(const double *p)
{
    return (void)p, 0.0;
}

static double radius_one(const double *p)
{
    return (void)p, 1.0;
}

static double radius_parameter(const double *p)
{
    return p[0];
}

static double radius_theta1(const double *p)
{
    return (1.0 - p[0]) / p[0];
}

static double radius_theta2(const double *p)
{
    return 3.0 * (1.0 - p[0]) / (3.0 + p[0]);
}

static const Row rows[] = {
    {"backward_euler", backward_euler, "0", radius_zero, {{{0}, true}}, 1},
    {"bdf2", bdf2, "0", radius_zero, {{{0}, true}}, 1},
    {"generalized_alpha",
     generalized_alpha,
     "rho_inf",
     radius_parameter,
     {{{0.6}, true}, {{0.0}, true}, {{1.0}, true}},
     3},
    {"newmark",
     newmark,
     "1 at beta 1/4 and gamma 1/2",
     radius_one,
     {{{0.25, 0.5}, true}, {{0.3025, 0.6}, false}, {{0.0, 0.5}, false}},
     3},
    {"rk4", rk4, "", NULL, {{{0}, false}}, 1},
    {"theta1", theta1, "(1 - theta1)/theta1", radius_theta1, {{{0.55}, true}, {{0.5}, true}, {{0.8}, true}}, 3},
    {"theta2", theta2, "3 (1 - theta)/(3 + theta)", radius_theta2, {{{0.07}, true}, {{0.0}, true}, {{0.6}, true}}, 3},
    {"trapezoidal", trapezoidal, "1", radius_one, {{{0}, true}}, 1},
};

static const Row *find_row(const char *method)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (strcmp(rows[i].method, method) == 0)
            return &rows[i];
    fail_msg("method '%s' has no amplification matrix here: add a row to the table of test_amplification.c", method);
    return NULL;
}

// Rows of a method's state: x, v, its own vectors, and x and v one step back.
static size_t state_size(const Card *method)
{
    const size_t size = 2 + method->state_count + (method->history ? 2 : 0);
    assert_true(size <= MOST_SIZE && method->parameter_count <= MOST_PARAMETERS);
    return size;
}

// What row i of the state is multiplied by to have the unit of x.
static double unit_of(const Card *method, size_t i, double h)
{
    const size_t own = 2 + method->state_count;
    return i == 0 || i == own ? 1.0 : i == 1 || i == own + 1 ? h : h * h;
}

// The points are every setting, Omega and zeta, each as often as there are unit states.
static size_t point_number(size_t setting, size_t omega, size_t zeta, size_t n)
{
    return ((setting * OMEGAS + omega) * ZETAS + zeta) * n;
}

static void add_axis(Text *text, const char *name, const Row *row, size_t n, int which)
{
    double values[MOST_SETTINGS * OMEGAS * ZETAS * MOST_SIZE];
    size_t count = 0;
    for (size_t s = 0; s < row->setting_count; ++s)
        for (size_t o = 0; o < OMEGAS; ++o)
            for (size_t z = 0; z < ZETAS; ++z)
                for (size_t unit = 0; unit < n; ++unit)
                    values[count++] = which == -2 ? omegas[o] : which == -1 ? zetas[z] : row->settings[s].values[which];
    text_add(text, "%s: ", name);
    add_list(text, values, count);
}

// omega = 1, so that the step is Omega. x0 and v0 are those of the several steps below; probes have their own.
static void build_method(Ran *ran, Device *device, int lanes, const Card *method, const Row *row)
{
    const size_t n = state_size(method);
    Text         text = {0};
    text_add(&text, "problem: harmonic_oscillator\ndesign: zip\nparameters: {omega: 1, x0: 0.7, v0: 0.4, ");
    add_axis(&text, "zeta", row, n, -1);
    text_add(&text, "}\nmethods:\n  - %s: {", method->name);
    for (size_t i = 0; i < method->parameter_count; ++i) {
        text_add(&text, "%s", i == 0 ? "" : ", ");
        add_axis(&text, method->parameters[i].name, row, n, (int)i);
    }
    text_add(&text, "}\n");
    add_axis(&text, "step", row, n, -2);
    text_add(&text, "\nsteps: %d\nnewton: {tolerance: 0}\nmetrics: [status, x_final, v_final]\n", SEVERAL);
    build_text(ran, device, lanes, text.text);
    text_free(&text);
}

// Fills states [n][count], takes one step with each, and scales. Unit `unit` of a point is the unit vector, to which
// that of x is added: the floor guard measures rounding by x and v, so that a solve to the last bit needs a state where
// they do not vanish.
static void probe(Ran *ran, size_t n, double *states)
{
    Error        err = {0};
    const Group *group = group_at(ran, 0);
    const size_t count = (size_t)group->point_count;
    for (size_t i = 0; i < n; ++i)
        for (size_t p = 0; p < count; ++p)
            states[i * count + p] = i == 0 || i == p % n ? 1.0 / unit_of(group->method, i, group_step(group, p)) : 0.0;
    if (!program_probe(ran->programs[0], count, n, states, &err))
        fail_msg("%s: %s", group->label, err.message);
    for (size_t i = 0; i < n; ++i)
        for (size_t p = 0; p < count; ++p)
            states[i * count + p] *= unit_of(group->method, i, group_step(group, p));
}

// Column `unit` of the matrix of a point is what its unit vector became.
static Matrix probed(const double *states, size_t n, size_t count, size_t point)
{
    Matrix m = {.n = n};
    for (size_t i = 0; i < n; ++i) {
        const double *became = &states[i * count + point];
        for (size_t unit = 0; unit < n; ++unit)
            m.a[i][unit] = unit == 0 ? became[0] : became[unit] - became[0];
    }
    return m;
}

static double spectral_radius(Matrix m)
{
    double a[MOST_SIZE * MOST_SIZE], real[MOST_SIZE], imaginary[MOST_SIZE], none, radius = 0.0;
    for (size_t i = 0; i < m.n; ++i)
        for (size_t j = 0; j < m.n; ++j)
            a[i * m.n + j] = m.a[i][j];
    const lapack_int n = (lapack_int)m.n;
    assert_int_equal(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, a, n, real, imaginary, &none, 1, &none, 1), 0);
    for (size_t i = 0; i < m.n; ++i)
        radius = fmax(radius, hypot(real[i], imaginary[i]));
    return radius;
}

static double largest_entry(Matrix m)
{
    double largest = 0.0;
    for (size_t i = 0; i < m.n; ++i)
        for (size_t j = 0; j < m.n; ++j)
            largest = fmax(largest, fabs(m.a[i][j]));
    return largest;
}

// The kernel's matrices at the five Omegas, and how far they are from theory.
static double check_matrices(const Row *row, const double *states, size_t n, size_t count)
{
    double worst = 0.0;
    for (size_t s = 0; s < row->setting_count; ++s)
        for (size_t o = 0; o + 1 < OMEGAS; ++o)
            for (size_t z = 0; z < ZETAS; ++z) {
                const Matrix theory = row->matrix(omegas[o], zetas[z], row->settings[s].values);
                const Matrix found = probed(states, n, count, point_number(s, o, z, n));
                const double bound = 1e-12 * fmax(1.0, largest_entry(theory));
                assert_int_equal(theory.n, n);
                for (size_t i = 0; i < n; ++i)
                    for (size_t j = 0; j < n; ++j) {
                        const double error = fabs(found.a[i][j] - theory.a[i][j]);
                        if (!(error <= bound))
                            fail_msg("%s, setting %zu, Omega %g, zeta %g: A[%zu][%zu] is %.17g, not %.17g", row->method,
                                     s, omegas[o], zetas[z], i, j, found.a[i][j], theory.a[i][j]);
                        worst = fmax(worst, error);
                    }
            }
    return worst;
}

// At Omega = 1e8 the eigenvalues have come to within Omega^(-1/2) of their limits; three that coincide move by the cube
// root of rounding, less than that.
static void check_infinity(const Row *row, const Card *method, const double *states, size_t n, size_t count)
{
    assert_string_equal(row->rho_infinity, method->rho_infinity);
    for (size_t s = 0; s < row->setting_count; ++s)
        for (size_t z = 0; z < ZETAS && row->settings[s].at_infinity; ++z) {
            const Matrix found = probed(states, n, count, point_number(s, OMEGAS - 1, z, n));
            const double radius = spectral_radius(found), limit = row->radius(row->settings[s].values);
            if (!(fabs(radius - limit) <= 1.0 / sqrt(omegas[OMEGAS - 1])))
                fail_msg("%s, setting %zu, zeta %g: spectral radius %.9g, the card has %.9g", row->method, s, zetas[z],
                         radius, limit);
        }
}

// The state after the first step: what is kept besides x and v is the method's to make.
static Matrix several_steps(const Row *row, const Card *method, size_t setting, double omega, double zeta)
{
    const double *p = row->settings[setting].values;
    const Matrix  A = row->matrix(omega, zeta, p);
    const double  x0 = 0.7, v0 = 0.4 * omega;  // scaled
    const double  theta = strcmp(method->name, "bdf2") == 0 ? 1.0 : p[0];
    Matrix        y = {.n = A.n};
    y.a[0][0] = x0;
    y.a[1][0] = v0;
    if (method->state_count > 0)
        y.a[2][0] = -omega * omega * x0 - 2.0 * zeta * omega * v0;
    if (method->history) {
        const Matrix first = theta_first(omega, zeta, 0.5 + theta / 50.0);
        y.a[2][0] = x0;
        y.a[3][0] = v0;
        y.a[0][0] = first.a[0][0] * x0 + first.a[0][1] * v0;
        y.a[1][0] = first.a[1][0] * x0 + first.a[1][1] * v0;
    }
    for (int i = method->history ? 1 : 0; i < SEVERAL; ++i)
        y = times(A, y);
    return y;
}

// From t = 0: twenty steps are the twentieth power, from an acceleration that fits and after a first step of its own
// where there is no earlier point.
static void check_several_steps(Ran *ran, const Row *row, const Card *method, size_t n)
{
    const Batch all = batch_make(group_at(ran, 0), 0, group_at(ran, 0)->block_count);
    run_batch(ran, 0, &all, &ran->results[0], &ran->slices[0]);
    for (size_t s = 0; s < row->setting_count; ++s)
        for (size_t o = 0; omegas[o] <= 1.0; ++o)
            for (size_t z = 0; z < ZETAS; ++z) {
                const size_t point = point_number(s, o, z, n);
                const Matrix y = several_steps(row, method, s, omegas[o], zetas[z]);
                assert_status(ran, 0, point, STATUS_OK);
                assert_near(number(ran, 0, "x_final", point), y.a[0][0], 1e-13 * SEVERAL);
                assert_near(number(ran, 0, "v_final", point) * omegas[o], y.a[1][0], 1e-13 * SEVERAL);
            }
}

static void check_method(Device *device, const Card *method)
{
    const Row   *row = find_row(method->name);
    const size_t n = state_size(method);
    double      *states[WIDTHS];
    size_t       count = 0;
    for (int w = 0; w < WIDTHS; ++w) {
        Ran ran;
        build_method(&ran, device, lane_counts[w], method, row);
        count = (size_t)group_at(&ran, 0)->point_count;
        states[w] = calloc(n * count, sizeof *states[w]);
        assert_non_null(states[w]);
        probe(&ran, n, states[w]);
        if (w == 0)
            check_several_steps(&ran, row, method, n);
        ran_free(&ran);
    }
    assert_memory_equal(states[0], states[1], n * count * sizeof *states[0]);
    print_message("%-18s differs by %.1e from theory\n", method->name, check_matrices(row, states[0], n, count));
    if (method->rho_infinity[0] != '\0')
        check_infinity(row, method, states[0], n, count);
    for (int w = 0; w < WIDTHS; ++w)
        free(states[w]);
}

static void test_every_method_has_its_matrix(void **state)
{
    Catalog catalog;
    Error   err = {0};
    if (!catalog_read(&catalog, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < catalog.card_count; ++i)
        if (catalog.cards[i].kind == CARD_METHOD)
            check_method(*state, &catalog.cards[i]);
    catalog_free(&catalog);
}

// `start: trapezoidal` makes the first step one of the trapezoidal rule.
static void test_start_trapezoidal(void **state)
{
    Ran ran;
    run_text(&ran, *state, 8,
             "{problem: harmonic_oscillator, parameters: {x0: 0.7, v0: 0.4, zeta: 0.2}, "
             "methods: [theta2: {theta: [0.07, 1]}], step: 0.5, steps: 1, substeps: {start: trapezoidal}, "
             "newton: {tolerance: 0}, metrics: [status, x_final, v_final]}");
    const Matrix A = theta_first(0.5, 0.2, 0.5);
    for (size_t p = 0; p < 2; ++p) {
        assert_near(number(&ran, 0, "x_final", p), A.a[0][0] * 0.7 + A.a[0][1] * 0.2, 1e-15);
        assert_near(number(&ran, 0, "v_final", p), 2.0 * (A.a[1][0] * 0.7 + A.a[1][1] * 0.2), 2e-15);
    }
    ran_free(&ran);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_has_its_matrix),
        cmocka_unit_test(test_start_trapezoidal),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
