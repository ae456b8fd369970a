// equations -- sums, accelerations and their derivatives, demands.
#include "analysis/conform/equations.h"

#include "analysis/conform/updates.h"

#include <float.h>
#include <string.h>

// Relative step of a derivative by forward differences, 2^-24: its error is of the same order, which changes a bound in
// its eighth digit.
static const long double nudge = 0x1p-24L;

Ball equations_parameter(const Judge *judge, const char *name)
{
    const Card *method = judge->substep->method;
    for (size_t i = 0; i < method->parameter_count; ++i)
        if (strcmp(method->parameters[i].name, name) == 0)
            return ball(judge->substep->parameters[i]);
    return ball(NAN);
}

Vector equations_known(const Judge *judge, const double *numbers)
{
    Vector vector;
    for (size_t i = 0; i < judge->n; ++i)
        vector.i[i] = ball(numbers[i]);
    return vector;
}

long double equations_size(const Judge *judge, const double *numbers)
{
    long double largest = 0.0L;
    for (size_t i = 0; i < judge->n; ++i)
        largest = fmaxl(largest, fabsl((long double)numbers[i]));
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

// Adds to each component's bound what an argument does that may be off by `off`: a difference along it, times that.
static void spread(const Judge *judge, const long double *a, const long double *moved, long double step,
                   long double off, Vector *bound)
{
    for (size_t i = 0; i < judge->n; ++i)
        bound->i[i].off += fabsl(moved[i] - a[i]) / step * off;
}

static long double step_of(long double argument)
{
    return nudge * fmaxl(fabsl(argument), nudge);
}

Vector equations_acceleration(const Judge *judge, Ball t, const Vector *x, const Vector *v)
{
    const CertificateSubstep *substep = judge->substep;
    const Exact              *exact = substep->exact;
    const size_t              n = judge->n;
    // What rounding inside may do to an argument.
    const long double inside = (long double)(exact->operations + (int)n) * judge->u;
    long double       at[2][CERTIFICATE_DOFS] = {0}, a[CERTIFICATE_DOFS] = {0}, moved[CERTIFICATE_DOFS];
    const Vector     *arguments[2] = {x, v};
    Vector            result;
    for (size_t j = 0; j < n; ++j) {
        at[0][j] = x->i[j].at;
        at[1][j] = v->i[j].at;
    }
    exact->acceleration(t.at, at[0], at[1], substep->params, a);
    for (size_t i = 0; i < n; ++i)
        result.i[i] = (Ball){a[i], inside * fabsl(a[i])};
    if (judge->plain)
        return result;
    for (int which = 0; which < 2; ++which)
        for (size_t j = 0; j < n; ++j) {
            const long double here = at[which][j], step = step_of(here);
            at[which][j] = here + step;
            exact->acceleration(t.at, at[0], at[1], substep->params, moved);
            at[which][j] = here;
            spread(judge, a, moved, step, arguments[which]->i[j].off + inside * fabsl(here), &result);
        }
    const long double step = step_of(t.at);
    exact->acceleration(t.at + step, at[0], at[1], substep->params, moved);
    spread(judge, a, moved, step, t.off + inside * fabsl(t.at), &result);
    long double *values = substep->moved_values;
    memcpy(values, substep->values, substep->problem->parameter_count * sizeof *values);
    for (size_t k = 0; k < substep->problem->parameter_count; ++k) {
        if (substep->problem->parameters[k].choices || values[k] == 0.0L)
            continue;
        const long double here = values[k], along = step_of(here);
        values[k] = here + along;
        exact->load(substep->moved_params, values);
        values[k] = here;
        exact->acceleration(t.at, at[0], at[1], substep->moved_params, moved);
        spread(judge, a, moved, along, inside * fabsl(here), &result);
    }
    return result;
}

static void note(Judge *judge, const char *equation, size_t dof, long double difference, long double bound)
{
    // A difference that is no number is none that a bound permits.
    const long double share = difference == 0.0L ? 0.0L : difference / bound;
    if (!(share <= judge->worst.share))
        judge->worst = (CertificateShare){isnan(share) ? INFINITY : (double)share, equation, dof, (double)difference,
                                          (double)bound};
}

void equations_equal(Judge *judge, const char *equation, const Vector *vector, const double *kernel)
{
    if (!judge->substep->accepted)
        return;
    for (size_t i = 0; i < judge->n; ++i)
        note(judge, equation, i, fabsl(kernel[i] - vector->i[i].at), vector->i[i].off);
}

void equations_number(Judge *judge, const char *equation, size_t dof, Ball number, double kernel)
{
    note(judge, equation, dof, fabsl(kernel - number.at), number.off);
}

void equations_below(Judge *judge, const char *equation, size_t dof, Ball number, long double limit)
{
    const long double over = number.at - limit;
    note(judge, equation, dof, over <= 0.0L ? 0.0L : over, number.off);
}

static long double norm(const Judge *judge, const Vector *vector)
{
    long double largest = 0.0L;
    for (size_t i = 0; i < judge->n; ++i)
        largest = fmaxl(largest, fabsl(vector->i[i].at));
    return largest;
}

void equations_floor(const Judge *judge, const Solve *solve, const Vector *u, const Vector *f, const long double *rows,
                     long double *floors)
{
    const bool        still = solve->cx.at == 0.0L;
    const long double size = still ? norm(judge, u) : solve->extent, per = still ? 1.0L : fabsl(1.0L / solve->cx.at);
    for (size_t i = 0; i < judge->n; ++i) {
        const long double own = u->i[i].at, known = still ? fabsl(f->i[i].at - solve->A.at * own) : 0.0L;
        floors[i] = 4.0L * judge->u * (rows[i] * per * size + known + fabsl(own));
    }
}

// Row sums of the residual's derivative by u, without A.
static void find_rows(const Judge *judge, const Solve *solve, const Vector *u, const Vector *f, long double *rows)
{
    const size_t n = judge->n;
    Judge        plain = *judge;
    Vector       moved = *u, there;
    plain.plain = true;
    for (size_t i = 0; i < n; ++i)
        rows[i] = 0.0L;
    for (size_t j = 0; j < n; ++j) {
        const long double here = u->i[j].at, step = nudge * fmaxl(fabsl(here), 1.0L);
        moved.i[j].at = here + step;
        solve->residual(&plain, solve->context, &moved, &there);
        moved.i[j].at = here;
        for (size_t i = 0; i < n; ++i)
            rows[i] += fabsl((there.i[i].at - f->i[i].at) / step - (i == j ? solve->A.at : 0.0L));
    }
}

static void check_residual(Judge *judge, const Solve *solve, const Vector *u)
{
    const CertificateSubstep *substep = judge->substep;
    const long double         tolerance = substep->tolerance / solve->scale;
    long double               floors[CERTIFICATE_DOFS] = {0}, rows[CERTIFICATE_DOFS];
    Vector                    f;
    bool                      within = true;
    solve->residual(judge, solve->context, u, &f);
    for (size_t i = 0; i < judge->n; ++i)
        within = within && fabsl(f.i[i].at) <= tolerance;
    if (!within && substep->newton->floor_guard) {
        find_rows(judge, solve, u, &f, rows);
        equations_floor(judge, solve, u, &f, rows, floors);
    }
    for (size_t i = 0; i < judge->n; ++i)
        note(judge, solve->equation, i, fabsl(f.i[i].at), fmaxl(tolerance, floors[i]) + f.i[i].off);
}

void equations_solved(Judge *judge, const Solve *solve, const Vector *u)
{
    if (judge->substep->accepted)
        check_residual(judge, solve, u);
    if (!solve->guess || judge->substep->counted)
        return;
    const Updates possible = updates_possible(judge, solve);
    // Of a substep that failed, an earlier solve may have been accepted.
    for (int i = 0; i < 2 && possible.failed && !judge->failed; ++i)
        judge->fails[i] = judge->least + possible.fails[i];
    judge->failed = judge->failed || possible.failed;
    judge->least += possible.accepted ? possible.least : judge->substep->max_updates + 1;
    judge->most += possible.most;
}

void equations_linear(Judge *judge, const Solve *solve, const Vector *guess, const Vector *u)
{
    const Newton     *newton = judge->substep->newton;
    const size_t      n = judge->n;
    const long double epsilon = 2.0L * judge->u, root = newton->cube_root_stencil ? cbrtl(epsilon) : sqrtl(epsilon),
                      s = root * fmaxl(norm(judge, guess), 1.0L);
    Vector f, ahead, behind, moved = *guess;
    solve->residual(judge, solve->context, guess, &f);
    Vector sum = f;
    for (size_t j = 0; j < n; ++j) {
        const long double width = newton->jacobian == JACOBIAN_ANALYTIC ? nudge * s : s,
                          way = u->i[j].at - guess->i[j].at;
        moved.i[j].at = guess->i[j].at + width;
        solve->residual(judge, solve->context, &moved, &ahead);
        moved.i[j].at = guess->i[j].at - width;
        solve->residual(judge, solve->context, &moved, &behind);
        moved.i[j] = guess->i[j];
        const bool        forward = newton->jacobian == JACOBIAN_FORWARD;
        const Vector     *other = forward ? &f : &behind;
        const long double across = forward ? width : 2.0L * width;
        for (size_t i = 0; i < n; ++i) {
            const long double slope = (ahead.i[i].at - other->i[i].at) / across;
            // The differences' rounding, over the width that the kernel has; then the solution's of the linear
            // equation.
            const long double off = newton->jacobian == JACOBIAN_ANALYTIC
                                        ? 0.0L
                                        : (ahead.i[i].off + other->i[i].off) / (forward ? s : 2.0L * s);
            sum.i[i].at += slope * way;
            sum.i[i].off +=
                (off + (long double)(4 * n + 8) * judge->u * fabsl(slope)) * fabsl(way) + fabsl(slope) * u->i[j].off;
        }
    }
    for (size_t i = 0; i < n; ++i)
        note(judge, solve->equation, i, fabsl(sum.i[i].at), sum.i[i].off);
}
