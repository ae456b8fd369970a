// equations -- sums, accelerations, demands.
#include "analysis/conform/judgement/equations.h"

#include "analysis/conform/judgement/scalars.h"

#include <float.h>
#include <string.h>

Vector equations_known(const Judge *judge, const double *numbers)
{
    Vector vector;
    for (size_t i = 0; i < judge->n; ++i)
        vector.i[i] = ball(numbers[i]);
    return vector;
}

const double *equations_own(const Judge *judge, const WalkState *state, const char *name)
{
    const Card *method = judge->substep->method;
    size_t      k = 0;
    while (k + 1 < method->state_count && strcmp(method->state[k], name) != 0)
        ++k;
    return state->own + k * judge->n;
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

long double equations_limit(const Judge *judge)
{
    return judge->u < 0x1p-40L ? DBL_MAX : FLT_MAX;
}

// Notes where the kernel may find no acceleration: an argument or a number on the way is too large for it.
static void note_overflow(const Judge *judge, Ball t, const Vector *x, const Vector *v, const Vector *a)
{
    const CertificateSubstep *substep = judge->substep;
    long double               place[CERTIFICATE_DOFS], speed[CERTIFICATE_DOFS];
    if (!substep->narrow)
        return;
    for (size_t i = 0; i < judge->n; ++i) {
        place[i] = x->i[i].at;
        speed[i] = v->i[i].at;
    }
    bool fits = substep->narrow->finite(t.at, place, speed, substep->narrow_params);
    for (size_t i = 0; i < judge->n; ++i)
        fits = fits && fabsl(a->i[i].at) < 0.5L * equations_limit(judge);
    *judge->overflow = *judge->overflow || !fits;
}

// Forces see no time beyond the breaks around them.
static Ball seen_by_forces(const Judge *judge, Ball t)
{
    const long double from = judge->substep->from, below = judge->substep->below;
    if (!judge->substep->breaks)
        return t;
    const long double least = smaller_of(larger_of(t.at - t.off, from), below),
                      most = smaller_of(larger_of(t.at + t.off, from), below);
    return (Ball){least + 0.5L * (most - least), 0.5L * (most - least)};
}

Vector equations_acceleration(const Judge *judge, Ball time, const Vector *x, const Vector *v)
{
    const Ball t = seen_by_forces(judge, time);
    Vector     a;
    scalars_acceleration(judge->substep->point, t, x->i, v->i, judge->plain, a.i);
    note_overflow(judge, t, x, v, &a);
    return a;
}

CertificateShare equations_share(const char *equation, size_t dof, long double difference, long double bound)
{
    const bool        known = isnan(difference) || bound < INFINITY;
    const long double share = difference == 0.0L || !known ? 0.0L : difference / bound;
    return (CertificateShare){
        isnan(share) ? INFINITY : (double)share, equation, dof, (double)difference, (double)bound, NULL};
}

static void note(Judge *judge, const char *equation, size_t dof, long double difference, long double bound)
{
    CertificateShare share = equations_share(equation, dof, difference, bound);
    share.derivative = judge->derivative;
    if (!(share.share <= judge->worst.share))
        judge->worst = share;
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
    if (!judge->substep->point->problem->first_order)
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
    judge->worst = (CertificateShare){(double)INFINITY, what, 0, (double)kernel, (double)wanted, judge->derivative};
}

void equations_below(Judge *judge, const char *equation, size_t dof, Ball number, long double limit)
{
    const long double over = number.at - limit;
    note(judge, equation, dof, over <= 0.0L ? 0.0L : over, number.off);
}
