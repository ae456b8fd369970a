// equations -- sums, accelerations, demands.
#include "analysis/conform/judgement/equations.h"

#include <float.h>
#include <string.h>

Vector equations_known(const Judge *judge, const double *numbers)
{
    Vector vector;
    for (size_t i = 0; i < judge->n; ++i)
        vector.i[i] = ball(numbers[i]);
    return vector;
}

size_t equations_own(const Judge *judge, const char *name)
{
    const Card *method = judge->substep->method;
    size_t      k = 0;
    while (k + 1 < method->state_count && strcmp(method->state[k], name) != 0)
        ++k;
    return k;
}

long double equations_size(const Judge *judge, const double *numbers)
{
    long double largest = 0.0L;
    for (size_t i = 0; i < judge->n; ++i)
        largest = larger_of(largest, fabsl((long double)numbers[i]));
    return largest;
}

Vector equations_sum(const Judge *judge, size_t count, const Term *terms)
{
    Vector sum;
    for (size_t i = 0; i < judge->n; ++i) {
        sum.i[i] = ball(0.0L);
        for (size_t k = 0; k < count; ++k)
            sum.i[i] = ball_add(judge->u, sum.i[i], ball_mul(judge->u, terms[k].factor, terms[k].vector->i[i]));
    }
    return sum;
}

Vector equations_ahead(const Judge *judge, const Vector *base, Ball factor, const Vector *u)
{
    const bool whole = factor.at == 1.0L && factor.off == 0.0L, still = factor.at == 0.0L && factor.off == 0.0L;
    Vector     sum;
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball way = whole ? u->i[i] : still ? ball(0.0L) : ball_mul(judge->u, factor, u->i[i]);
        sum.i[i] = !base ? way : still ? base->i[i] : ball_add(judge->u, base->i[i], way);
    }
    return sum;
}

// Where an acceleration is asked.
typedef struct Asked {
    long double  t, x[CERTIFICATE_DOFS], v[CERTIFICATE_DOFS];
    long double *values;  // of the problem's parameters; NULL: the substep's
} Asked;

static void find_acceleration(const Judge *judge, const Asked *asked, long double *a)
{
    const CertificateSubstep *substep = judge->substep;
    if (asked->values)
        substep->exact->load(substep->moved_params, asked->values);
    substep->exact->acceleration(asked->t, asked->x, asked->v, asked->values ? substep->moved_params : substep->params,
                                 a);
}

long double equations_limit(const Judge *judge)
{
    return judge->u < 0x1p-40L ? DBL_MAX : FLT_MAX;
}

// Notes where the kernel may find no acceleration: an argument or a number on the way is too large for it.
static void note_overflow(const Judge *judge, const Asked *asked, const long double *a)
{
    const CertificateSubstep *substep = judge->substep;
    if (!substep->narrow)
        return;
    bool fits = substep->narrow->finite(asked->t, asked->x, asked->v, substep->narrow_params);
    for (size_t i = 0; i < judge->n; ++i)
        fits = fits && fabsl(a[i]) < 0.5L * equations_limit(judge);
    *judge->overflow = *judge->overflow || !fits;
}

// Whether an acceleration is linear in an argument as far as that may be off: the change at `ahead` of it is in
// proportion on the way there and behind.
static bool is_linear(const Judge *judge, const Asked *asked, long double *argument, long double off,
                      const long double *a, const long double *ahead, long double widest)
{
    static const long double parts[] = {-1.0L, -0.5L, 0.5L};
    const long double        here = *argument;
    bool                     linear = true;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        long double there[CERTIFICATE_DOFS];
        *argument = here + parts[k] * off;
        find_acceleration(judge, asked, there);
        for (size_t i = 0; i < judge->n; ++i)
            linear = linear && fabsl(there[i] - a[i] - parts[k] * (ahead[i] - a[i])) <= 0.25L * widest;
    }
    *argument = here;
    return linear;
}

// Adds the effect of an argument that may be off to each component's bound: the difference that it makes. An
// acceleration is not known where this is a large part of it and not linear, as at an angle of so many turns that the
// last digit is a turn: its bound is infinite.
static void spread(const Judge *judge, const Asked *asked, long double *argument, long double off, const long double *a,
                   Vector *result)
{
    const size_t      n = judge->n;
    const long double here = *argument;
    long double       ahead[CERTIFICATE_DOFS], size = 0.0L, widest = 0.0L;
    if (off == 0.0L)
        return;
    *argument = here + off;
    find_acceleration(judge, asked, ahead);
    // A function of elementary.h may jump behind: the larger of the two differences counts.
    if (judge->substep->exact->elementary) {
        long double behind[CERTIFICATE_DOFS];
        *argument = here - off;
        find_acceleration(judge, asked, behind);
        for (size_t i = 0; i < n; ++i)
            if (fabsl(behind[i] - a[i]) > fabsl(ahead[i] - a[i]))
                ahead[i] = 2.0L * a[i] - behind[i];
    }
    *argument = here;
    for (size_t i = 0; i < n; ++i) {
        size = larger_of(size, fabsl(a[i]));
        widest = larger_of(widest, fabsl(ahead[i] - a[i]));
        result->i[i].off += fabsl(ahead[i] - a[i]);
    }
    if (!isfinite(off) || (widest > 0x1p-10L * size && !is_linear(judge, asked, argument, off, a, ahead, widest)))
        for (size_t i = 0; i < n; ++i)
            result->i[i].off = INFINITY;
}

// Adds the effect of the roundings of each function that the text calls.
static void spread_calls(const Judge *judge, const Asked *asked, int calls, long double by, const long double *a,
                         Vector *result)
{
    const Exact *exact = judge->substep->exact;
    for (int call = 1; call <= calls; ++call) {
        long double moved[CERTIFICATE_DOFS];
        exact->move(call, by);
        find_acceleration(judge, asked, moved);
        for (size_t i = 0; i < judge->n; ++i)
            result->i[i].off += fabsl(moved[i] - a[i]);
    }
    exact->move(0, 0.0L);
}

static bool is_zero(Ball a)
{
    return a.at == 0.0L && a.off == 0.0L;
}

Vector equations_acceleration(const Judge *judge, Ball t, const Vector *x, const Vector *v)
{
    const CertificateSubstep *substep = judge->substep;
    const size_t              n = judge->n, parameters = substep->problem->parameter_count;
    // The possible rounding of an argument inside, relative and, where it is too small for its digits, absolute:
    // products with a place and a velocity of 0 are 0.
    const long double roundings = (long double)(substep->exact->operations + (int)n), inside = roundings * judge->u,
                      least = roundings * ball_least(judge->u);
    bool        at_rest = true;
    Asked       asked = {.t = t.at};
    long double a[CERTIFICATE_DOFS];
    Vector      result;
    for (size_t j = 0; j < n; ++j) {
        asked.x[j] = x->i[j].at;
        asked.v[j] = v->i[j].at;
        at_rest = at_rest && is_zero(x->i[j]) && is_zero(v->i[j]);
    }
    substep->exact->move(0, 0.0L);
    find_acceleration(judge, &asked, a);
    const int calls = substep->exact->elementary ? substep->exact->calls() : 0;
    for (size_t i = 0; i < n; ++i)
        result.i[i] = (Ball){a[i], at_rest && a[i] == 0.0L ? 0.0L : inside * fabsl(a[i]) + least};
    note_overflow(judge, &asked, a);
    if (judge->plain)
        return result;
    spread_calls(judge, &asked, calls, inside, a, &result);
    for (size_t j = 0; j < n && !at_rest; ++j) {
        spread(judge, &asked, &asked.x[j], x->i[j].off + inside * fabsl(asked.x[j]) + least, a, &result);
        spread(judge, &asked, &asked.v[j], v->i[j].off + inside * fabsl(asked.v[j]) + least, a, &result);
    }
    spread(judge, &asked, &asked.t, t.off + inside * fabsl(t.at), a, &result);
    asked.values = substep->moved_values;
    memcpy(asked.values, substep->values, parameters * sizeof *asked.values);
    for (size_t k = 0; k < parameters; ++k)
        if (!substep->problem->parameters[k].choices)
            spread(judge, &asked, &asked.values[k], inside * fabsl(asked.values[k]), a, &result);
    return result;
}

static void note(Judge *judge, const char *equation, size_t dof, long double difference, long double bound)
{
    // No bound permits a difference that is NaN. Where nothing is known, nothing is demanded: infinite bounds make
    // others NaN.
    const bool        known = isnan(difference) || bound < INFINITY;
    const long double share = difference == 0.0L || !known ? 0.0L : difference / bound;
    if (!(share <= judge->worst.share))
        judge->worst = (CertificateShare){isnan(share) ? INFINITY : (double)share, equation, dof, (double)difference,
                                          (double)bound};
}

// Where the kernel's is not finite, the exact one must be too large for it, or something on the way to it. The kernels
// multiply by no less than the step as the last thing.
static void demand_overflow(Judge *judge, const char *equation, Ball number)
{
    const long double size = (fabsl(number.at) + number.off) / smaller_of(1.0L, judge->h.at),
                      limit = equations_limit(judge);
    if (!*judge->overflow && size < 0.5L * limit)
        equations_fail(judge, equation, size, limit);
}

void equations_position(Judge *judge, const char *equation, const Vector *vector, const double *kernel)
{
    if (!judge->substep->problem->first_order)
        equations_equal(judge, equation, vector, kernel);
}

void equations_equal(Judge *judge, const char *equation, const Vector *vector, const double *kernel)
{
    if (!judge->substep->accepted)
        return;
    for (size_t i = 0; i < judge->n; ++i)
        if (judge->substep->lost && !isfinite(kernel[i]))
            demand_overflow(judge, equation, vector->i[i]);
        else
            note(judge, equation, i, fabsl(kernel[i] - vector->i[i].at), vector->i[i].off);
}

void equations_number(Judge *judge, const char *equation, size_t dof, Ball number, double kernel)
{
    note(judge, equation, dof, fabsl(kernel - number.at), number.off);
}

void equations_fail(Judge *judge, const char *what, long double kernel, long double wanted)
{
    judge->worst = (CertificateShare){(double)INFINITY, what, 0, (double)kernel, (double)wanted};
}

void equations_below(Judge *judge, const char *equation, size_t dof, Ball number, long double limit)
{
    const long double over = number.at - limit;
    note(judge, equation, dof, over <= 0.0L ? 0.0L : over, number.off);
}

void equations_at_most(Judge *judge, const char *equation, Ball number, Ball limit)
{
    if (!judge->substep->accepted)
        return;
    const long double above = number.at - limit.at;
    note(judge, equation, 0, isfinite(number.at) ? larger_of(above, 0.0L) : INFINITY, number.off + limit.off);
}
