// oracle_lapack -- LAPACK's eigenvalues of the matrices that the kernels have, against linear theory.
//
// One step of x'' + 2 zeta omega x' + omega^2 x = 0 is probed as in test_amplification, which compares the entries.
// Here the eigenvalues mu are compared with the roots of the method's characteristic equation, and with what follows
// for damping and period error as Omega -> 0, for the radius where it has a closed form, and as Omega -> infinity.
#include "support/built_in.h"
#include "support/kernel_case.h"
#include "linear_theory.h"

#include <float.h>
#include <lapacke.h>

AROUND_ALL(open_device, close_device)

enum { ZETAS = 2, OMEGAS = 9, LOW = 4 };

// The first four are low, each twice the one before; the last stands for infinity.
static const double omegas[OMEGAS] = {0.05, 0.1, 0.2, 0.4, 0.5, 1.0, 1.9, 5.0, 1e4};
static const double zetas[ZETAS] = {0.0, 0.2};

// All roots at once, by Durand and Kerner's iteration, which ends at their rounding.
static void roots(const Complex c[MOST_SIZE], int degree, Complex found[MOST_SIZE])
{
    for (int i = 0; i < degree; ++i)
        found[i] = cpowl(0.4L + 0.9L * I, i);
    for (int turn = 0; turn < 200; ++turn)
        for (int i = 0; i < degree; ++i) {
            Complex value = c[degree], others = c[degree];
            for (int k = degree - 1; k >= 0; --k)
                value = value * found[i] + c[k];
            for (int k = 0; k < degree; ++k)
                others *= k == i ? 1.0L : found[i] - found[k];
            if (cabsl(others) > 0.0L)
                found[i] -= value / others;
        }
}

// Every eigenvalue that theory has for a point.
static void theory(const Row *row, double omega, double zeta, const double *p, size_t n, Complex found[MOST_SIZE])
{
    const long double across = sqrtl(1.0L - (long double)zeta * zeta);
    const Complex     z[2] = {omega * (-zeta + I * across), omega * (-zeta - I * across)};
    size_t            count = 0;
    for (int i = 0; i < (row->whole ? 1 : 2); ++i) {
        Complex   c[MOST_SIZE] = {0}, some[MOST_SIZE];
        const int degree = row->characteristic(z[i], p, c);
        roots(c, degree, some);
        assert_true(count + (size_t)degree <= n);
        for (int k = 0; k < degree; ++k)
            found[count++] = some[k];
    }
    assert_int_equal(count, n);
}

// The eigenvalues of a kernel's matrix, and how much each moves with it: by at most condition times the size of the
// change.
typedef struct Spectrum {
    size_t  n;
    Complex values[MOST_SIZE];
    double  condition[MOST_SIZE];
    double  size;  // of the matrix, the Frobenius norm
    double  omega;
} Spectrum;

// Rows of a method's state: x, v, its own vectors, and x and v one step back.
static size_t state_size(const Card *method)
{
    const size_t size = 2 + method->state_count + (method->history ? 2 : 0);
    assert_true(size <= MOST_SIZE);
    return size;
}

// What row i of the state is multiplied by to have the unit of x.
static double unit_of(const Card *method, size_t i, double h)
{
    const size_t own = 2 + method->state_count;
    return i == 0 || i == own ? 1.0 : i == 1 || i == own + 1 ? h : h * h;
}

static size_t setting_count(const Row *row)
{
    return row->setting_count > 0 ? row->setting_count : 1;
}

// Points: every setting, Omega and zeta, each as often as there are unit states.
static size_t point_number(size_t setting, size_t omega, size_t zeta, size_t n)
{
    return ((setting * OMEGAS + omega) * ZETAS + zeta) * n;
}

static void add_axis(Text *text, const char *name, const Row *row, size_t n, int which)
{
    double values[MOST_SETTINGS * OMEGAS * ZETAS * MOST_SIZE];
    size_t count = 0;
    for (size_t s = 0; s < setting_count(row); ++s)
        for (size_t o = 0; o < OMEGAS; ++o)
            for (size_t z = 0; z < ZETAS; ++z)
                for (size_t unit = 0; unit < n; ++unit)
                    values[count++] = which == -2 ? omegas[o] : which == -1 ? zetas[z] : row->settings[s][which];
    add_list(text, name, values, count);
}

static void build_method(Ran *ran, Device *device, const Row *row, size_t n)
{
    Text text SCOPED(text_free) = {0};
    text_add(&text, "problem: harmonic_oscillator\ndesign: zip\nparameters: {omega: 1, ");
    add_axis(&text, "zeta", row, n, -1);
    text_add(&text, "}\nmethods:\n  - %s: {", row->method);
    for (int i = 0; i < MOST_PARAMETERS && row->parameters[i]; ++i) {
        text_add(&text, "%s", i == 0 ? "" : ", ");
        add_axis(&text, row->parameters[i], row, n, i);
    }
    text_add(&text, "}\n");
    add_axis(&text, "step", row, n, -2);
    text_add(&text, "\nsteps: 1\nnewton: {tolerance: 0}\nmetrics: [status]\n");
    build_text(ran, device, 1, text.text);
}

// One step from unit states. That of x is added to the others: the floor guard measures rounding by x and v, so that a
// solve to the last bit needs a state where they do not vanish.
static void probe(Ran *ran, size_t n, double *states)
{
    const Group *group = group_at(ran, 0);
    const size_t count = (size_t)group->point_count;
    for (size_t i = 0; i < n; ++i)
        for (size_t p = 0; p < count; ++p)
            states[i * count + p] = i == 0 || i == p % n ? 1.0 / unit_of(group->method, i, group_step(group, p)) : 0.0;
    if (!program_probe(ran->engines[0].program, count, n, states, &err))
        fail_msg("%s: %s", group->label, err.message);
    for (size_t i = 0; i < n; ++i)
        for (size_t p = 0; p < count; ++p)
            states[i * count + p] *= unit_of(group->method, i, group_step(group, p));
}

// dgeev gives unit left and right eigenvectors y and x of each eigenvalue, whose condition is 1/|y* x|; those of a pair
// stand in two columns, real and imaginary part.
static Spectrum spectrum(const double *states, size_t n, size_t count, size_t point, double omega)
{
    double           a[MOST_SIZE * MOST_SIZE], re[MOST_SIZE], im[MOST_SIZE];
    double           left[MOST_SIZE * MOST_SIZE], right[MOST_SIZE * MOST_SIZE], sum = 0.0;
    Spectrum         s = {.n = n, .omega = omega};
    const lapack_int size = (lapack_int)n;
    for (size_t i = 0; i < n; ++i)
        for (size_t unit = 0; unit < n; ++unit) {
            const double *became = &states[i * count + point];
            a[i * n + unit] = unit == 0 ? became[0] : became[unit] - became[0];
            sum += a[i * n + unit] * a[i * n + unit];
        }
    s.size = sqrt(sum);
    assert_int_equal(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'V', 'V', size, a, size, re, im, left, size, right, size), 0);
    for (size_t k = 0; k < n; ++k) {
        const size_t first = im[k] < 0.0 ? k - 1 : k;
        Complex      product = 0.0L;
        for (size_t i = 0; i < n; ++i) {
            const double *y = &left[i * n + first], *x = &right[i * n + first];
            product += im[k] == 0.0 ? (Complex)(y[0] * x[0]) : (y[0] - I * y[1]) * (x[0] + I * x[1]);
        }
        s.values[k] = re[k] + I * im[k];
        s.condition[k] = (double)(1.0L / cabsl(product));
    }
    return s;
}

// Rounding of the matrix that was probed, a few units for each of its entries, and of dgeev, which is exact for a
// matrix as near: eight units of its size together.
static double unsure(const Row *row, const Spectrum *s, size_t k)
{
    return 8.0 * 0.5 * DBL_EPSILON * fmax(1.0, row->cancelling * s->omega) * (1.0 + s->size) * s->condition[k];
}

// Pairs every root of theory with the eigenvalue nearest to it, each taken once. Returns the largest distance in units
// of its bound.
static double compare(const Row *row, size_t setting, double zeta, const Spectrum *s)
{
    Complex expected[MOST_SIZE];
    bool    taken[MOST_SIZE] = {false};
    double  worst = 0.0;
    theory(row, s->omega, zeta, row->settings[setting], s->n, expected);
    for (size_t i = 0; i < s->n; ++i) {
        size_t nearest = s->n;
        for (size_t k = 0; k < s->n; ++k)
            if (!taken[k] &&
                (nearest == s->n || cabsl(s->values[k] - expected[i]) < cabsl(s->values[nearest] - expected[i])))
                nearest = k;
        assert_true(nearest < s->n);
        taken[nearest] = true;
        const double distance = (double)cabsl(s->values[nearest] - expected[i]), bound = unsure(row, s, nearest);
        if (!(distance <= bound))
            fail_msg("%s, setting %zu, Omega %g, zeta %g: eigenvalue %.17g %+.17g i, theory %.17g %+.17g i, bound %.1e",
                     row->method, setting, s->omega, zeta, (double)creall(s->values[nearest]),
                     (double)cimagl(s->values[nearest]), (double)creall(expected[i]), (double)cimagl(expected[i]),
                     bound);
        worst = fmax(worst, distance / bound);
    }
    return worst;
}

// Index of the eigenvalue of largest modulus.
static size_t principal(const Spectrum *s)
{
    size_t most = 0;
    for (size_t k = 1; k < s->n; ++k)
        if (cabsl(s->values[k]) > cabsl(s->values[most]))
            most = k;
    return most;
}

// Index of the upper one of the pair that is the oscillation. A real eigenvalue may have the same modulus: which of
// them is larger is rounding, and LAPACKs differ in it.
static size_t oscillation(const Spectrum *s)
{
    size_t upper = s->n;
    for (size_t k = 0; k < s->n; ++k)
        if (cimagl(s->values[k]) > 0.0L && (upper == s->n || cabsl(s->values[k]) > cabsl(s->values[upper])))
            upper = k;
    assert_true(upper < s->n);
    return upper;
}

// A quantity at Omega, 2 Omega and 4 Omega over its limit's Omega^power is 1 + O(Omega^2): two extrapolations from
// neighbours leave out the square, and differ by 15 times what the better one is off by. Three of the low values serve,
// the larger ones for a high power, which is soon lost in rounding.
static double check_limit(const char *method, size_t setting, const char *what, double limit, int power,
                          const double values[LOW], double rounding)
{
    const int first = power > 4 ? 1 : 0;
    double    ratio[3];
    for (int i = 0; i < 3; ++i)
        ratio[i] = values[first + i] / (limit * pow(omegas[first + i], power));
    const double better = (4.0 * ratio[0] - ratio[1]) / 3.0, worse = (4.0 * ratio[1] - ratio[2]) / 3.0;
    const double bound = 0.2 * fabs(better - worse) + 2.0 * rounding / fabs(limit * pow(omegas[first], power));
    if (!(fabs(better - 1.0) <= bound && bound <= 0.01))
        fail_msg("%s, setting %zu: %s is %.9g of its limit for Omega -> 0, bound %.1e", method, setting, what, better,
                 bound);
    return fabs(better - 1.0);
}

static void check_low(const Row *row, size_t setting, const Spectrum low[LOW], double worst[2])
{
    const Limits limits = row->limits ? row->limits(row->settings[setting]) : row->known;
    const bool   none = fabs(limits.damping) < 1e-15;  // rounding of a formula that has 0 there
    double       decay[LOW], late[LOW], noise = 0.0;
    for (int i = 0; i < LOW; ++i) {
        const size_t  k = oscillation(&low[i]);
        const Complex mu = low[i].values[k];
        decay[i] = -(double)logl(cabsl(mu));
        late[i] = (double)(omegas[i] / cargl(mu) - 1.0L);
        noise = fmax(noise, unsure(row, &low[i], k));
        if (none)
            assert_near(decay[i], 0.0, unsure(row, &low[i], k));
    }
    if (!isnan(limits.damping) && !none)
        worst[0] = fmax(
            worst[0], check_limit(row->method, setting, "damping", limits.damping, limits.damping_power, decay, noise));
    if (!isnan(limits.period))
        worst[1] = fmax(worst[1], check_limit(row->method, setting, "period error", limits.period, limits.period_power,
                                              late, noise / omegas[0]));
}

// Double roots there (theta2 at theta = 1) are approached as Omega^(-1/2), the triple ones of the alpha family faster.
static void check_infinity(const Row *row, size_t setting, const Spectrum *s)
{
    const double radius = (double)cabsl(s->values[principal(s)]), limit = row->radius_infinity(row->settings[setting]);
    if (!(fabs(radius - limit) <= 1.0 / sqrt(omegas[OMEGAS - 1])))
        fail_msg("%s, setting %zu: spectral radius %.9g at Omega %g, its limit is %.9g", row->method, setting, radius,
                 omegas[OMEGAS - 1], limit);
}

static void check_row(Device *device, const Card *method, const Row *row)
{
    const size_t n = state_size(method);
    double       share = 0.0, worst[2] = {NAN, NAN};
    Ran          ran SCOPED(ran_free) = {0};
    build_method(&ran, device, row, n);
    const size_t count = (size_t)group_at(&ran, 0)->point_count;
    double      *states = test_take(n * count, sizeof *states);
    probe(&ran, n, states);
    for (size_t setting = 0; setting < setting_count(row); ++setting) {
        Spectrum undamped[OMEGAS];
        for (size_t o = 0; o < OMEGAS - (row->radius_infinity ? 0 : 1); ++o)
            for (size_t z = 0; z < ZETAS; ++z) {
                const Spectrum s = spectrum(states, n, count, point_number(setting, o, z, n), omegas[o]);
                share = fmax(share, compare(row, setting, zetas[z], &s));
                if (z == 0)
                    undamped[o] = s;
            }
        check_low(row, setting, undamped, worst);
        for (size_t o = 0; row->radius && o < OMEGAS - 1; ++o) {
            const size_t k = principal(&undamped[o]);
            assert_near((double)cabsl(undamped[o].values[k]), row->radius(omegas[o]), unsure(row, &undamped[o], k));
        }
        if (row->radius_infinity)
            check_infinity(row, setting, &undamped[OMEGAS - 1]);
    }
    print_message("%-18s eigenvalues at %.2f of their bound", row->method, share);
    for (int i = 0; i < 2; ++i)
        if (!isnan(worst[i]))
            print_message(", %s within %.0e of its limit", i == 0 ? "damping" : "period error", worst[i]);
    print_message("\n");
}

TEST(test_eigenvalues)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const Card *method = catalog_find(built_in(), CARD_METHOD, rows[i].method);
        if (!method)
            fail_msg("the catalog has no method '%s'", rows[i].method);
        check_row(*state, method, &rows[i]);
    }
}
