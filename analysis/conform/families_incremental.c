// families_incremental -- equations of methods that take a step as a minimum of the incremental potential.
//
// Chern 2024 (CSE 291), "Incremental variation", "Newmark algorithm" and "Numerical optimization"; Kane, Marsden, Ortiz
// and West 2000. With u = (x1 - x)/h the step minimises
//
//     L(u) = 1/2 |u - w|_M^2 + b [U(x + h u) + h R(x, u) - F(t + h) . h u].
//
// A minimum is certified by its equation, by an objective that is a number there and no greater than where the solve
// began, and by as many updates as the line search lets the solve take (search.h).
#include "analysis/conform/families.h"
#include "analysis/conform/search.h"

#include <string.h>

static const Ball zero = {0.0L, 0.0L}, one = {1.0L, 0.0L}, half = {0.5L, 0.0L}, two = {2.0L, 0.0L};

typedef struct Incremental {
    Ball   b, t;  // weight of the potential; t + h
    Vector w;
} Incremental;

static Vector moved_by(const Judge *judge, const Vector *u)
{
    const Vector x = equations_known(judge, judge->substep->before.x);
    return SUM(judge, {one, &x}, {judge->h, u});
}

// U + h R - F . h u, its terms' magnitudes, and the masses.
typedef struct LineBracket {
    long double value, size, mass[CERTIFICATE_DOFS];
} LineBracket;

// Where it is asked.
typedef struct IncrementalPlace {
    long double t, x[CERTIFICATE_DOFS], u[CERTIFICATE_DOFS];
} IncrementalPlace;

static LineBracket find_bracket(const Judge *judge, const IncrementalPlace *place, const void *params)
{
    const Exact *exact = judge->substep->exact;
    long double  old[CERTIFICATE_DOFS] = {0}, force[CERTIFICATE_DOFS] = {0}, work = 0.0L, lost = 0.0L;
    LineBracket  bracket = {.value = 0.0L};
    for (size_t i = 0; i < judge->n; ++i)
        old[i] = judge->substep->before.x[i];
    if (exact->drive)
        exact->drive(place->t, params, force);
    if (exact->dissipation)
        lost = judge->h.at * exact->dissipation(old, place->u, params);
    for (size_t i = 0; i < judge->n; ++i)
        work += judge->h.at * force[i] * place->u[i];
    const long double stored = exact->potential(place->x, params);
    exact->masses(params, bracket.mass);
    bracket.value = stored + lost - work;
    bracket.size = fabsl(stored) + fabsl(lost) + fabsl(work);
    return bracket;
}

// Adds what an argument does that may be off by `off`: a difference along it, times that.
static long double spread(const Judge *judge, IncrementalPlace *place, long double *argument, long double off,
                          long double value)
{
    const long double here = *argument, step = 0x1p-24L * larger_of(fabsl(here), 0x1p-24L);
    *argument = here + step;
    const long double moved = find_bracket(judge, place, judge->substep->params).value;
    *argument = here;
    return fabsl(moved - value) / step * off;
}

// The bracket with its bound: every argument and parameter is off by what rounding inside may do.
static Ball bracket_at(const Judge *judge, Ball t, const Vector *x, const Vector *u, long double *size)
{
    const CertificateSubstep *substep = judge->substep;
    const long double         inside = (long double)(substep->exact->operations + (int)judge->n) * judge->u;
    IncrementalPlace          place = {.t = t.at};
    for (size_t i = 0; i < judge->n; ++i) {
        place.x[i] = x->i[i].at;
        place.u[i] = u->i[i].at;
    }
    substep->exact->move(0, 0.0L);
    const LineBracket bracket = find_bracket(judge, &place, substep->params);
    const int         calls = substep->exact->elementary ? substep->exact->calls() : 0;
    *size = bracket.size;
    // The products with h and the sums of the terms.
    Ball result = {bracket.value, (inside + (long double)(judge->n + 4) * BALL_ROUNDINGS * judge->u) * bracket.size};
    for (int call = 1; call <= calls; ++call) {
        substep->exact->move(call, inside);
        result.off += fabsl(find_bracket(judge, &place, substep->params).value - bracket.value);
    }
    substep->exact->move(0, 0.0L);
    result.off += spread(judge, &place, &place.t, t.off + inside * fabsl(t.at), bracket.value);
    for (size_t i = 0; i < judge->n; ++i) {
        result.off += spread(judge, &place, &place.x[i], x->i[i].off + inside * fabsl(x->i[i].at), bracket.value);
        result.off += spread(judge, &place, &place.u[i], u->i[i].off + inside * fabsl(u->i[i].at), bracket.value);
    }
    long double *values = substep->moved_values;
    memcpy(values, substep->values, substep->problem->parameter_count * sizeof *values);
    for (size_t k = 0; k < substep->problem->parameter_count; ++k) {
        if (substep->problem->parameters[k].choices || values[k] == 0.0L)
            continue;
        const long double here = values[k], step = 0x1p-24L * fabsl(here);
        values[k] = here + step;
        substep->exact->load(substep->moved_params, values);
        values[k] = here;
        const long double moved = find_bracket(judge, &place, substep->moved_params).value;
        result.off += fabsl(moved - bracket.value) / step * inside * fabsl(here);
    }
    return result;
}

static long double extent(const Judge *judge, size_t i)
{
    const CertificateState *before = &judge->substep->before;
    return fabsl((long double)before->x[i]) + judge->h.at * fabsl((long double)before->v[i]);
}

// By how much an update may raise the objective ("Line search", with the room that rounding needs): 8 u (S + F/h), S
// the size of its terms, F the sum of |M b h a| X, X the extent.
static long double room(const Judge *judge, const Incremental *increment, const Vector *u, const Vector *x1,
                        const long double *mass, long double size)
{
    Judge       plain = *judge;
    long double work = 0.0L;
    plain.plain = true;
    const Vector a = equations_acceleration(&plain, increment->t, x1, u);
    for (size_t i = 0; i < judge->n; ++i)
        work += mass[i] * fabsl(increment->b.at * judge->h.at * a.i[i].at) * extent(judge, i);
    return 8.0L * judge->u * (size + work / judge->h.at);
}

static Ball objective(const Judge *judge, const void *context, const Vector *u, long double *own_room)
{
    const Incremental *increment = context;
    const Roundoff     unit = judge->u;
    const long double  inside = (long double)judge->substep->exact->operations * unit;
    const Vector       x1 = moved_by(judge, u);
    long double        size, mass[CERTIFICATE_DOFS] = {0};
    Ball               inertia = zero;
    const Ball         bracket = bracket_at(judge, increment->t, &x1, u, &size);
    judge->substep->exact->masses(judge->substep->params, mass);
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball apart = ball_sub(unit, u->i[i], increment->w.i[i]), m = {mass[i], inside * fabsl(mass[i])};
        inertia = ball_add(unit, inertia, ball_mul(unit, ball_mul(unit, half, m), ball_mul(unit, apart, apart)));
    }
    *own_room = room(judge, increment, u, &x1, mass, inertia.at + increment->b.at * size);
    return ball_add(unit, inertia, ball_mul(unit, increment->b, bracket));
}

// Each update of the search lowers the objective but for the room, which is asked here at both ends.
static void judge_decrease(Judge *judge, const Solve *solve, const Vector *u)
{
    if (!judge->substep->accepted)
        return;
    Vector      guess = *solve->guess;
    long double rooms[2];
    search_guess(judge, solve, &guess);
    const Ball there = objective(judge, solve->context, u, &rooms[0]),
               begin = objective(judge, solve->context, &guess, &rooms[1]);
    const long double rise = (long double)judge->substep->max_updates * larger_of(rooms[0], rooms[1]);
    equations_at_most(judge, "an objective that falls", there, (Ball){begin.at, begin.off + rise});
}

// The gradient of L over the masses is 0: u - w - b h a(t + h, x + h u, u). The search begins with the old velocity.
static void minimum(Judge *judge, const Incremental *increment, const Vector *u)
{
    const Vector guess = equations_known(judge, judge->substep->before.v),
                 x = equations_known(judge, judge->substep->before.x);
    long double mass[CERTIFICATE_DOFS] = {0};
    judge->substep->exact->masses(judge->substep->params, mass);
    const Solve solve = {.equation = "the equation of the minimum",
                         .A = one,
                         .q = ball_mul(judge->u, increment->b, judge->h),
                         .t = increment->t,
                         .cx = judge->h,
                         .cv = one,
                         .rest = &increment->w,
                         .x = &x,
                         .guess = &guess,
                         .objective = objective,
                         .context = increment,
                         .masses = mass};
    equations_solved(judge, &solve, u);
    judge_decrease(judge, &solve, u);
}

// x_pred = x + h v: w = v, and v1 = u.
void families_incremental_potential(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const Incremental         increment = {
                .b = one, .t = ball_add(judge->u, judge->t, judge->h), .w = equations_known(judge, substep->before.v)};
    const Vector u = equations_known(judge, substep->after.v), x1 = moved_by(judge, &u);
    equations_equal(judge, "x_{n+1} = x_n + h v_{n+1}", &x1, substep->after.x);
    minimum(judge, &increment, &u);
}

// At beta = 0 no force moves the minimum, the kernel's u stands in x1 = x + h u alone, and a1 is the force there.
static void judge_unweighed(Judge *judge, const Incremental *increment)
{
    const CertificateSubstep *substep = judge->substep;
    const Vector              x1 = equations_known(judge, substep->after.x);
    Vector                    u;
    for (size_t i = 0; i < judge->n; ++i) {
        const long double way = (long double)substep->after.x[i] - substep->before.x[i];
        u.i[i] = (Ball){way / judge->h.at, judge->u * fabsl(substep->after.x[i]) / judge->h.at};
    }
    minimum(judge, increment, &u);
    const Vector force = equations_acceleration(judge, increment->t, &x1, &u);
    equations_equal(judge, "a_{n+1}, the force at x_{n+1}", &force, substep->after.own[0]);
}

// x_pred = x + h v + (h^2/2) (1 - 2 beta) a, and M a1 = -dU: where the minimum is, u - w = beta h a1, by which the
// unknown is found again. x1 and v1 are then Newmark's.
void families_incremental_newmark(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const Roundoff            unit = judge->u;
    const Ball                beta = equations_parameter(judge, "beta"), gamma = equations_parameter(judge, "gamma");
    const Vector x = equations_known(judge, substep->before.x), v = equations_known(judge, substep->before.v),
                 a = equations_known(judge, substep->before.own[0]), a1 = equations_known(judge, substep->after.own[0]);
    const Ball old = ball_mul(unit, ball_mul(unit, half, judge->h), ball_sub(unit, one, ball_mul(unit, two, beta))),
               new = ball_mul(unit, beta, judge->h);
    const Incremental increment = {
        .b = beta, .t = ball_add(unit, judge->t, judge->h), .w = SUM(judge, {one, &v}, {old, &a})};
    const Vector v1 = SUM(judge, {one, &v}, {ball_mul(unit, judge->h, ball_sub(unit, one, gamma)), &a},
                          {ball_mul(unit, judge->h, gamma), &a1});
    equations_equal(judge, "v_{n+1} of Newmark's rule", &v1, substep->after.v);
    if (beta.at == 0.0L) {
        judge_unweighed(judge, &increment);
        return;
    }
    const Vector x1 = SUM(judge, {one, &x}, {judge->h, &v}, {ball_mul(unit, judge->h, old), &a},
                          {ball_mul(unit, judge->h, new), &a1}),
                 u = SUM(judge, {one, &increment.w}, {new, &a1});
    equations_equal(judge, "x_{n+1} of Newmark's rule", &x1, substep->after.x);
    minimum(judge, &increment, &u);
}
