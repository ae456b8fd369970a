// theory_ends -- limits of linear theory as Omega goes to 0 and to infinity, and the stability limit.
#include "analysis/linear/theory_walk.h"

#include "expression/evaluate.h"

#include <math.h>

// A coefficient of a series below this is left by rounding, and stands for 0.
#define NO_COEFFICIENT 1e-16L
enum { LOW_TERMS = 14, HIGH_TERMS = 8, NEWTON_ROUNDS = 5 };

// The values at which a formula of a card is evaluated. omega is 1: quantities that depend on it count in units of it.
typedef struct CardPlace {
    const Card   *method;
    const double *p;
    double        zeta;
} CardPlace;

static double leaf(const void *user, size_t index)
{
    const CardPlace *place = user;
    return index < place->method->parameter_count ? place->p[index] : place->zeta;
}

static double formula(const Theory *theory, const Node *node, double zeta, const double *p)
{
    return expression_evaluate(node, (double)NAN, leaf, &(CardPlace){theory->method, p, zeta});
}

double theory_radius(const Theory *theory, double zeta, const double *p)
{
    return theory->radius ? formula(theory, theory->radius, zeta, p) : theory_walk_radius(theory, zeta, p);
}

double theory_walk_radius(const Theory *theory, double zeta, const double *p)
{
    TheoryMap rows[MATRIX_MOST];
    Matrix    m = {.n = theory->n};
    theory_walk(theory, (TheoryOmega){.power = -1, .terms = HIGH_TERMS}, zeta, p, rows);
    for (size_t i = 0; i < m.n; ++i)
        for (size_t j = 0; j < m.n; ++j)
            if (!isfinite(m.a[i][j] = (double)series_at_zero(rows[i].of[j])))
                return (double)INFINITY;
    return matrix_radius(m);
}

// A complex power series.
typedef struct Wave {
    PowerSeries re, im;
} Wave;

static Wave plus(Wave a, Wave b)
{
    return (Wave){series_plus(a.re, b.re), series_plus(a.im, b.im)};
}

static Wave minus(Wave a, Wave b)
{
    return (Wave){series_minus(a.re, b.re), series_minus(a.im, b.im)};
}

static Wave times(Wave a, Wave b)
{
    return (Wave){series_minus(series_times(a.re, b.re), series_times(a.im, b.im)),
                  series_plus(series_times(a.re, b.im), series_times(a.im, b.re))};
}

static PowerSeries modulus_squared(Wave a)
{
    return series_plus(series_times(a.re, a.re), series_times(a.im, a.im));
}

static Wave over(Wave a, Wave b)
{
    const PowerSeries size = modulus_squared(b);
    const Wave        product = times(a, (Wave){b.re, series_minus((PowerSeries){0}, b.im)});
    return (Wave){series_over(product.re, size), series_over(product.im, size)};
}

static Wave clean(Wave a)
{
    return (Wave){series_clean(a.re, NO_COEFFICIENT), series_clean(a.im, NO_COEFFICIENT)};
}

// exp(factor s)
static Wave exponential(long double re, long double im)
{
    Wave sum = {series_number(1.0, LOW_TERMS), {0}}, term = sum;
    for (int k = 1; k < LOW_TERMS; ++k) {
        const Wave step = {series_power(re / k, 1, LOW_TERMS), series_power(im / k, 1, LOW_TERMS)};
        term = times(term, step);
        sum = plus(sum, term);
    }
    return sum;
}

// The characteristic polynomial by the method of Faddeev and Le Verrier: mu^n + c[n - 1] mu^(n - 1) + ... + c[0].
static void find_polynomial(const TheoryMap *rows, size_t n, PowerSeries c[MATRIX_MOST + 1])
{
    PowerSeries power[MATRIX_MOST][MATRIX_MOST] = {0};
    c[n] = series_number(1.0, LOW_TERMS);
    for (size_t k = 1; k <= n; ++k) {
        PowerSeries next[MATRIX_MOST][MATRIX_MOST] = {0}, trace = {0};
        for (size_t i = 0; i < n; ++i)
            power[i][i] = series_plus(power[i][i], c[n - k + 1]);
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j)
                for (size_t m = 0; m < n; ++m)
                    next[i][j] = series_plus(next[i][j], series_times(rows[i].of[m], power[m][j]));
        for (size_t i = 0; i < n; ++i)
            trace = series_plus(trace, next[i][i]);
        c[n - k] = series_times(series_number(-1.0L / (long double)k, LOW_TERMS), trace);
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j)
                power[i][j] = next[i][j];
    }
}

// The eigenvalue that is the motion's, by Newton's method from exp(lambda h), lambda h = Omega (re + i im).
static Wave find_motion(const Theory *theory, double zeta, const double *p, Wave exact)
{
    TheoryMap   rows[MATRIX_MOST];
    PowerSeries c[MATRIX_MOST + 1];
    Wave        mu = exact;
    theory_walk(theory, (TheoryOmega){.power = 1, .terms = LOW_TERMS}, zeta, p, rows);
    find_polynomial(rows, theory->n, c);
    for (int round = 0; round < NEWTON_ROUNDS; ++round) {
        Wave f = {{0}, {0}}, slope = f;
        for (size_t k = theory->n + 1; k-- > 0;) {
            slope = plus(times(slope, mu), f);
            f = plus(times(f, mu), (Wave){c[k], {0}});
        }
        f = clean(f);
        if (f.re.count == 0 && f.im.count == 0)
            break;
        mu = minus(mu, over(f, clean(slope)));
    }
    return mu;
}

// The first power whose coefficient is one.
static int first_power(PowerSeries a, int from, int *power)
{
    for (*power = from; *power < a.lead + (int)a.count; ++*power)
        if (fabsl(series_coefficient(a, *power)) >= NO_COEFFICIENT)
            return true;
    return false;
}

LowFrequency theory_low(const Theory *theory, const double *p)
{
    const Wave        mu = find_motion(theory, 0.0, p, exponential(0.0, 1.0));
    const PowerSeries size = modulus_squared(mu);
    int               power;
    // -ln|mu| = -1/2 ln(1 + e) begins as -e/2 does.
    if (!first_power(size, 1, &power))
        return (LowFrequency){0, 0.0};
    return (LowFrequency){power, (double)(-0.5L * series_coefficient(size, power))};
}

LinearOrder theory_order(const Theory *theory, double zeta, const double *p)
{
    const Wave exact = exponential(-zeta, sqrtl(1.0L - (long double)zeta * zeta)),
               part = over(minus(find_motion(theory, zeta, p, exact), exact), exact);
    int        re = 0, im = 0;
    const bool real = first_power(part.re, 1, &re), imaginary = first_power(part.im, 1, &im);
    if (!real && !imaginary)
        return (LinearOrder){0, 0.0};
    const int power = !real ? im : !imaginary ? re : re < im ? re : im;
    return (LinearOrder){power - 1,
                         (double)hypotl(series_coefficient(part.re, power), series_coefficient(part.im, power))};
}

// Where a limit is looked for, and how far the spectral radius may be above 1 for rounding.
#define LEAST 1e-3
#define LARGEST 1e8
#define EXCESS 1e-15
enum { PLACES = 11 * 32 };

double theory_limit(const Theory *theory, double zeta, const double *p)
{
    return theory->limit ? formula(theory, theory->limit, zeta, p) : theory_walk_limit(theory, zeta, p);
}

double theory_walk_limit(const Theory *theory, double zeta, const double *p)
{
    double low = 0.0, high = (double)INFINITY;
    if (zeta == 0.0 && theory_low(theory, p).coefficient < 0.0)
        return 0.0;
    for (int k = 0; k <= PLACES && isinf(high); ++k) {
        const double at = LEAST * pow(LARGEST / LEAST, (double)k / PLACES);
        *(matrix_is_within(theory_matrix(theory, at, zeta, p), EXCESS, 1.0) ? &low : &high) = at;
    }
    while (isfinite(high) && low < 0.5 * (low + high) && 0.5 * (low + high) < high) {
        const double at = 0.5 * (low + high);
        *(matrix_is_within(theory_matrix(theory, at, zeta, p), EXCESS, 1.0) ? &low : &high) = at;
    }
    return high;
}
