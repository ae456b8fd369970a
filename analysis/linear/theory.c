// theory -- walks a method's equations with maps of the state in place of vectors; limits as Omega goes to 0 and to
// infinity, and the stability limit; the card held to them.
//
// With h = 1 a state is [x, v], the vectors that the method keeps, and [x, v] one step back. A map is a row vector of
// numbers or of power series: in Omega for the limit at 0, in 1/Omega for the limit at infinity.
#include "analysis/linear/theory.h"
#include "expression/evaluate.h"

#include <math.h>
#include <string.h>

enum { SERIES_MOST = 16 };

// A power series in one small number, cut off: c_0 s^lead + c_1 s^(lead + 1) + ...
//
// The first coefficient of a nonzero series is not 0. Every operation keeps as many as its operands know. With one
// coefficient they are plain numbers. They are of long double: damping of a millionth is the difference of numbers near
// 1.
typedef struct PowerSeries {
    int         lead;
    size_t      count;  // coefficients that are known; 0: zero
    long double c[SERIES_MOST];
} PowerSeries;

// factor s^power. `count` coefficients are kept of whatever it is combined with.
static PowerSeries series_power(long double factor, int power, size_t count)
{
    PowerSeries s = {.lead = power};
    if (factor != 0.0L) {
        s.count = count;
        s.c[0] = factor;
    }
    return s;
}

static PowerSeries series_number(long double number, size_t count)
{
    return series_power(number, 0, count);
}

// Without coefficients of 0 at its beginning.
static PowerSeries begun(PowerSeries a)
{
    size_t zeros = 0;
    while (zeros < a.count && a.c[zeros] == 0.0L)
        ++zeros;
    if (zeros == a.count)
        return (PowerSeries){0};
    for (size_t i = 0; i + zeros < a.count; ++i)
        a.c[i] = a.c[i + zeros];
    a.lead += (int)zeros;
    a.count -= zeros;
    return a;
}

// Coefficient of s^power; 0 where that is before its first.
static long double series_coefficient(PowerSeries a, int power)
{
    return power >= a.lead && power < a.lead + (int)a.count ? a.c[power - a.lead] : 0.0L;
}

static PowerSeries added(PowerSeries a, long double sign, PowerSeries b)
{
    if (a.count == 0 || b.count == 0) {
        for (size_t i = 0; a.count == 0 && i < b.count; ++i)
            b.c[i] *= sign;
        return a.count == 0 ? b : a;
    }
    const int   lead = a.lead < b.lead ? a.lead : b.lead, a_end = a.lead + (int)a.count, b_end = b.lead + (int)b.count;
    PowerSeries sum = {.lead = lead, .count = (size_t)((a_end < b_end ? a_end : b_end) - lead)};
    if ((a_end < b_end ? a_end : b_end) <= lead)
        return a.lead < b.lead ? a : b;
    for (size_t i = 0; i < sum.count; ++i)
        sum.c[i] = series_coefficient(a, lead + (int)i) + sign * series_coefficient(b, lead + (int)i);
    return begun(sum);
}

static PowerSeries series_plus(PowerSeries a, PowerSeries b)
{
    return added(a, 1.0L, b);
}

static PowerSeries series_minus(PowerSeries a, PowerSeries b)
{
    return added(a, -1.0L, b);
}

static PowerSeries series_times(PowerSeries a, PowerSeries b)
{
    if (a.count == 0 || b.count == 0)
        return (PowerSeries){0};
    PowerSeries product = {.lead = a.lead + b.lead, .count = a.count < b.count ? a.count : b.count};
    for (size_t i = 0; i < product.count; ++i)
        for (size_t k = 0; k <= i; ++k)
            product.c[i] += a.c[k] * b.c[i - k];
    return begun(product);
}

// Of a b that is not zero; else of infinite coefficients.
static PowerSeries series_over(PowerSeries a, PowerSeries b)
{
    if (b.count == 0)
        return series_number((long double)NAN, a.count);
    if (a.count == 0)
        return a;
    PowerSeries quotient = {.lead = a.lead - b.lead, .count = a.count < b.count ? a.count : b.count};
    for (size_t i = 0; i < quotient.count; ++i) {
        long double rest = a.c[i];
        for (size_t k = 1; k <= i; ++k)
            rest -= b.c[k] * quotient.c[i - k];
        quotient.c[i] = rest / b.c[0];
    }
    return quotient;
}

static bool is_number(PowerSeries a)
{
    bool number = a.count == 0 || a.lead == 0;
    for (size_t i = 1; i < a.count; ++i)
        number = number && a.c[i] == 0.0L;
    return number;
}

// A Function, of series that are numbers.
static PowerSeries series_call(int function, PowerSeries a, PowerSeries b)
{
    const long double value = evaluate_call_long(function, series_coefficient(a, 0), series_coefficient(b, 0));
    return series_number(is_number(a) && is_number(b) ? value : (long double)NAN, a.count > 0 ? a.count : SERIES_MOST);
}

// The value at s = 0: infinite where the series begins with a negative power.
static long double series_at_zero(PowerSeries a)
{
    if (a.count > 0 && a.lead < 0)
        return (long double)INFINITY;
    return series_coefficient(a, 0);
}

// The same with every coefficient below `least` taken for 0: it is left by rounding.
static PowerSeries series_clean(PowerSeries a, long double least)
{
    for (size_t i = 0; i < a.count; ++i)
        if (fabsl(a.c[i]) < least)
            a.c[i] = 0.0L;
    return begun(a);
}

// A vector of a step as a map of the state at its beginning.
typedef struct TheoryMap {
    PowerSeries of[MATRIX_MOST];
} TheoryMap;

// How Omega stands in the series: it is s, or 1/s, or the number omega_h.
typedef struct TheoryOmega {
    int    power;  // 1, -1, 0
    double omega_h;
    size_t terms;  // coefficients that are kept
} TheoryOmega;

typedef struct MapWalk {
    const Theory *theory;
    const double *p;
    TheoryOmega   omega;
    PowerSeries   square, damping;  // Omega^2, 2 zeta Omega
    PowerSeries   numbers[EQUATIONS_NUMBERS];
    TheoryMap     vectors[EQUATIONS_VECTORS];
} MapWalk;

static PowerSeries omega_to(const MapWalk *walk, long double factor, int power)
{
    const TheoryOmega *omega = &walk->omega;
    return omega->power == 0 ? series_number(factor * powl(omega->omega_h, power), omega->terms)
                             : series_power(factor, omega->power * power, omega->terms);
}

static PowerSeries parameter(const MapWalk *walk, size_t index)
{
    const Card *card = walk->theory->method;
    if (!equations_leaf(card, &index)) {
        const char *unit = card->parameters[index].unit;
        return omega_to(walk, walk->p[index], strcmp(unit, "1/s") == 0 ? 1 : strcmp(unit, "s") == 0 ? -1 : 0);
    }
    return index < EQUATIONS_OWN ? series_number(1.0, walk->omega.terms) : walk->numbers[index - EQUATIONS_OWN];
}

static PowerSeries evaluate(const MapWalk *walk, const Node *node)
{
    const PowerSeries a = node->left ? evaluate(walk, node->left) : (PowerSeries){0},
                      b = node->right ? evaluate(walk, node->right) : (PowerSeries){0};
    switch (node->kind) {
    case NODE_NUMBER: return series_number(node->number, walk->omega.terms);
    case NODE_PI: return series_number(acosl(-1.0L), walk->omega.terms);
    case NODE_PARAMETER: return parameter(walk, node->index);
    case NODE_NEGATE: return series_minus((PowerSeries){0}, a);
    case NODE_ADD: return series_plus(a, b);
    case NODE_SUBTRACT: return series_minus(a, b);
    case NODE_MULTIPLY: return series_times(a, b);
    case NODE_DIVIDE: return series_over(a, b);
    case NODE_POWER: {
        PowerSeries power = series_number(1.0, walk->omega.terms);
        for (int k = (int)series_coefficient(b, 0); k > 0; --k)
            power = series_times(power, a);
        return power;
    }
    case NODE_CALL: return series_call(node->function, a, b);
    default: return series_number((double)NAN, walk->omega.terms);
    }
}

static void add(const MapWalk *walk, TheoryMap *sum, PowerSeries factor, size_t vector)
{
    for (size_t j = 0; vector != EQUATIONS_NONE && j < walk->theory->n; ++j)
        sum->of[j] = series_plus(sum->of[j], series_times(factor, walk->vectors[vector].of[j]));
}

// Adds factor accel(x, v) = factor (-Omega^2 x - 2 zeta Omega v), h being 1.
static void add_force(const MapWalk *walk, TheoryMap *sum, PowerSeries factor, const EquationLine *line)
{
    add(walk, sum, series_minus((PowerSeries){0}, series_times(factor, walk->square)), line->x);
    add(walk, sum, series_minus((PowerSeries){0}, series_times(factor, walk->damping)), line->v);
}

// (A + q (Omega^2 cx + 2 zeta Omega cv)) u = rest + q accel(x, v)
static void solve(const MapWalk *walk, TheoryMap *u, const EquationLine *line)
{
    const PowerSeries A = walk->numbers[line->A], q = walk->numbers[line->q],
                      stiff = series_times(walk->square, walk->numbers[line->cx]),
                      viscous = series_times(walk->damping, walk->numbers[line->cv]),
                      whole = series_plus(A, series_times(q, series_plus(stiff, viscous)));
    add(walk, u, series_number(1.0, walk->omega.terms), line->rest);
    add_force(walk, u, q, line);
    for (size_t j = 0; j < walk->theory->n; ++j)
        u->of[j] = series_over(u->of[j], whole);
}

static void take_line(MapWalk *walk, const EquationLine *line)
{
    const PowerSeries one = series_number(1.0, walk->omega.terms);
    TheoryMap         result = {0};
    switch (line->kind) {
    case EQUATION_SUM:
        for (size_t k = 0; k < line->count; ++k)
            add(walk, &result, walk->numbers[line->terms[k].factor], line->terms[k].vector);
        break;
    case EQUATION_FORCE:
    case EQUATION_SOLVED: add_force(walk, &result, one, line); break;
    case EQUATION_STIFF: add(walk, &result, walk->square, line->v); break;
    case EQUATION_SOLVE: solve(walk, &result, line); break;
    }
    walk->vectors[line->target] = result;
}

// Fills the rows of the matrix [n][n].
static void walk_step(const Theory *theory, TheoryOmega omega, double zeta, const double *p,
                      TheoryMap rows[MATRIX_MOST])
{
    const EquationPart *part = &theory->equations.step;
    const size_t        kept = theory->method->state_count, history = theory->method->history ? 2 : 0;
    MapWalk             walk = {.theory = theory, .p = p, .omega = omega};
    walk.square = omega_to(&walk, 1.0, 2);
    walk.damping = omega_to(&walk, 2.0L * zeta, 1);
    for (size_t j = 0; j < 2 + kept; ++j)
        walk.vectors[j < 2 ? j : EQUATIONS_STATE + j - 2].of[j] = series_number(1.0, omega.terms);
    for (size_t j = 0; j < history; ++j)
        walk.vectors[EQUATIONS_X_EARLIER + j].of[2 + kept + j] = series_number(1.0, omega.terms);
    for (size_t k = 0; k < part->number_count; ++k)
        walk.numbers[k] = isnan(equations_given_number(part, k, p)) ? evaluate(&walk, part->numbers[k])
                                                                    : parameter(&walk, part->given[k]);
    for (size_t k = 0; k < part->line_count; ++k)
        take_line(&walk, &part->lines[k]);
    for (size_t i = 0; i < 2 + kept; ++i)
        rows[i] = walk.vectors[part->ends[i]];
    for (size_t i = 0; i < history; ++i)
        rows[2 + kept + i] = walk.vectors[i];
}

Matrix theory_matrix(const Theory *theory, double omega_h, double zeta, const double *p)
{
    TheoryMap rows[MATRIX_MOST];
    Matrix    m = {.n = theory->n};
    walk_step(theory, (TheoryOmega){.omega_h = omega_h, .terms = 1}, zeta, p, rows);
    for (size_t i = 0; i < m.n; ++i)
        for (size_t j = 0; j < m.n; ++j)
            m.a[i][j] = (double)series_coefficient(rows[i].of[j], 0);
    return m;
}

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

// Where eigenvalues coincide, it is off by their shift from rounding.
static double walk_radius(const Theory *theory, double zeta, const double *p)
{
    TheoryMap rows[MATRIX_MOST];
    Matrix    m = {.n = theory->n};
    walk_step(theory, (TheoryOmega){.power = -1, .terms = HIGH_TERMS}, zeta, p, rows);
    for (size_t i = 0; i < m.n; ++i)
        for (size_t j = 0; j < m.n; ++j)
            if (!isfinite(m.a[i][j] = (double)series_at_zero(rows[i].of[j])))
                return (double)INFINITY;
    return matrix_radius(m);
}

// Whether all of the equations' numbers are those of their formulas; the card's formulas are of such a method.
static bool derives_all(const Theory *theory, const double *p)
{
    const EquationPart *part = &theory->equations.step;
    for (size_t k = 0; k < part->number_count; ++k)
        if (!isnan(equations_given_number(part, k, p)))
            return false;
    return true;
}

double theory_radius(const Theory *theory, double zeta, const double *p)
{
    return theory->radius && derives_all(theory, p) ? formula(theory, theory->radius, zeta, p)
                                                    : walk_radius(theory, zeta, p);
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
    walk_step(theory, (TheoryOmega){.power = 1, .terms = LOW_TERMS}, zeta, p, rows);
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

// By search; to 1e-7 of itself where eigenvalues coincide there.
static double walk_limit(const Theory *theory, double zeta, const double *p)
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

double theory_limit(const Theory *theory, double zeta, const double *p)
{
    return theory->limit && derives_all(theory, p) ? formula(theory, theory->limit, zeta, p)
                                                   : walk_limit(theory, zeta, p);
}

// A formula of the card, of its parameters, zeta and omega, which is 1; left NULL where the text is none.
static bool read_formula(const Card *card, const char *text, Arena *arena, const Node **formula, Error *err)
{
    Expressions *table = arena_take(arena, 1, sizeof *table, err);
    size_t       where;
    const char  *why = NULL;
    if (!table)
        return false;
    *table = (Expressions){.arena = arena, .err = err};
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (!expression_name(table, card->parameters[i].name, expression_leaf(table, NODE_PARAMETER, i)))
            return false;
    if (!expression_name(table, "zeta", expression_leaf(table, NODE_PARAMETER, card->parameter_count)) ||
        !expression_name(table, "omega", expression_number(table, 1.0)))
        return false;
    *formula = *text ? expression_read(table, text, &where, &why) : NULL;
    return *formula || why || !*text;
}

// Whether the radius is finite. Checks the card's claims at the method's defaults, without Rayleigh damping: the
// radius, up to the rounding of eigenvalues that coincide, the order, which is at most the order of the motion's
// eigenvalue, and the stability limit.
static bool look_at_defaults(Theory *theory, Error *err)
{
    const Card *card = theory->method;
    double      p[THEORY_PARAMETERS];
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const char *unit = card->parameters[i].unit;
        p[i] = strcmp(unit, "1/s") == 0 || strcmp(unit, "s") == 0 ? 0.0 : card->parameters[i].initial;
        if (isnan(p[i]) && !card->parameters[i].derived)
            return true;
    }
    const double found = walk_radius(theory, 0.0, p), claimed = theory->radius ? theory_radius(theory, 0.0, p) : found;
    theory->bounded = isfinite(found);
    const LinearOrder order = theory_order(theory, 0.0, p), damped = theory_order(theory, 0.25, p);
    if ((order.constant != 0.0 && order.order < card->order) ||
        (damped.constant != 0.0 && damped.order < card->order_damped))
        return fail(err, ERROR_INPUT, "%s: order: the equations have order %d, and %d with damping, not %d and %d",
                    card->path, order.order, damped.order, card->order, card->order_damped);
    if (claimed != found && !(fabs(claimed - found) <= 1e-4))
        return fail(err, ERROR_INPUT, "%s: rho_infinity: the equations have %.6g at the defaults, not %.6g", card->path,
                    found, claimed);
    const double limit = theory->limit ? theory_limit(theory, 0.25, p) : 0.0,
                 searched = theory->limit ? walk_limit(theory, 0.25, p) : 0.0;
    return limit == searched || fabs(limit - searched) <= 1e-5 * searched ||
           fail(err, ERROR_INPUT, "%s: critical: the equations have %.6g at the defaults and zeta 0.25, not %.6g",
                card->path, searched, limit);
}

bool theory_make(const Card *method, Arena *arena, const Theory **theory, Error *err)
{
    const size_t n = 2 + method->state_count + (method->history ? 2 : 0);
    *theory = NULL;
    if (method->adaptive || !equations_given(method) || n > MATRIX_MOST || method->parameter_count > THEORY_PARAMETERS)
        return true;
    Theory *made = arena_take(arena, 1, sizeof *made, err);
    if (!made)
        return false;
    made->method = method;
    made->n = n;
    if (!equations_read(method, arena, &made->equations, err) ||
        !read_formula(method, method->rho_infinity, arena, &made->radius, err) ||
        !read_formula(method, method->critical, arena, &made->limit, err) || !look_at_defaults(made, err))
        return false;
    *theory = made;
    return true;
}
