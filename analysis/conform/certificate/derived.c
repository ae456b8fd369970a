// derived -- lines differentiated, with bounds, and their demands.
#include "analysis/conform/certificate/derived.h"
#include "analysis/conform/judgement/scale.h"

#include <string.h>

static const Ball zero = {0.0L, 0.0L}, one = {1.0L, 0.0L};

bool derived_make(const Group *group, const Equations *equations, Arena *arena, Derived **made, Error *err)
{
    const size_t        n = group->dofs, count = group->derivative_count;
    const EquationPart *parts[] = {&equations->step, &equations->first, &equations->start};
    *made = NULL;
    if (count == 0)
        return true;
    Derived *room = arena_take(arena, 1, sizeof *room, err);
    if (!room)
        return false;
    *room = (Derived){.group = group, .n = n, .vectors = walk_vectors(group)};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (parts[i]->vector_count > room->line_vectors)
            room->line_vectors = parts[i]->vector_count;
    *made = room;
    return partials_make(group->problem, n, arena, &room->partials, err) &&
           (room->lines = arena_take(arena, count * room->line_vectors, sizeof *room->lines, err)) &&
           (room->known = arena_take(arena, count, sizeof *room->known, err)) &&
           (room->matrix = arena_take(arena, n * n, sizeof *room->matrix, err)) &&
           (room->factors = arena_take(arena, n * n, sizeof *room->factors, err)) &&
           (room->inverse = arena_take(arena, n * n, sizeof *room->inverse, err)) &&
           (room->order = arena_take(arena, n, sizeof *room->order, err)) &&
           (room->right = arena_take(arena, n, sizeof *room->right, err));
}

static const double nowhere[CERTIFICATE_DOFS] = {0};

// The derivatives of a state by one name, as its method sees them (kernels/first_order.h).
typedef struct TangentState {
    const double *x, *v, *own, *previous_x, *previous_v;
} TangentState;

static TangentState enter(const Derived *room, const double *numbers, const double *previous)
{
    const size_t n = room->n;
    if (room->group->problem->first_order)
        return (TangentState){nowhere, numbers, numbers + 2 * n, nowhere, previous};
    return (TangentState){numbers, numbers + n, numbers + 2 * n, previous, previous ? previous + n : NULL};
}

static TangentState state_of(const Judge *judge, const WalkState *state, size_t j)
{
    const Derived *room = judge->substep->tangents;
    return enter(room, state->tangents + j * room->vectors * room->n,
                 room->previous ? room->previous + j * room->previous_stride : NULL);
}

static Vector *line_of(const Derived *room, size_t j, size_t vector)
{
    return &room->lines[j * room->line_vectors + vector];
}

static bool all_finite(const double *numbers, size_t count)
{
    bool finite = true;
    for (size_t i = 0; i < count; ++i)
        finite = finite && isfinite(numbers[i]);
    return finite;
}

void derived_step(const Judge *judge)
{
    Derived     *room = judge->substep->tangents;
    const size_t n = room->n, states = judge->substep->method->state_count;
    for (size_t j = 0; j < room->group->derivative_count; ++j) {
        const TangentState before = state_of(judge, &judge->substep->before, j);
        *line_of(room, j, EQUATIONS_X) = equations_known(judge, before.x);
        *line_of(room, j, EQUATIONS_V) = equations_known(judge, before.v);
        room->known[j] = all_finite(before.x, n) && all_finite(before.v, n) && all_finite(before.own, states * n);
        if (before.previous_v) {
            *line_of(room, j, EQUATIONS_X_EARLIER) = equations_known(judge, before.previous_x);
            *line_of(room, j, EQUATIONS_V_EARLIER) = equations_known(judge, before.previous_v);
            room->known[j] = room->known[j] && all_finite(before.previous_x, n) && all_finite(before.previous_v, n);
        }
        for (size_t k = 0; k < states; ++k)
            *line_of(room, j, EQUATIONS_STATE + k) = equations_known(judge, before.own + k * n);
    }
}

// Demands that the kernel has a vector. Derivatives may overflow where the state does not: a number that is not finite
// must then be too large, or something on the way to it.
static void demand(Judge *judge, size_t j, const char *text, const Vector *vector, const double *kernel)
{
    judge->derivative = judge->substep->tangents->group->derivatives[j].name;
    for (size_t i = 0; i < judge->n; ++i)
        if (isfinite(kernel[i]))
            equations_number(judge, text, i, vector->i[i], kernel[i]);
        else if ((fabsl(vector->i[i].at) + vector->i[i].off) / smaller_of(1.0L, judge->h.at) <
                 0x1p-60L * equations_limit(judge))
            equations_fail(judge, text, kernel[i], vector->i[i].at);
    judge->derivative = NULL;
}

// The kernel's numbers for the derivative of an end, or NULL.
static const double *end_of(const Judge *judge, size_t j, size_t end, bool start)
{
    const CertificateSubstep *substep = judge->substep;
    const TangentState        after = state_of(judge, &substep->after, j);
    const size_t              states = substep->method->state_count;
    if (end == EQUATIONS_NONE)
        return NULL;
    if (start)
        return after.own + end * judge->n;
    if (end < 2)
        return end == 0 ? after.x : after.v;
    const size_t own = end - 2, kept = substep->newton->extrapolated ? substep->method->guess_state_count : 0;
    return after.own + (own < states ? own : own + kept) * judge->n;
}

static bool are_finite(const Judge *judge, const double *kernel)
{
    return all_finite(kernel, judge->n);
}

static Ball by_of(const Derived *room, size_t j, size_t i)
{
    const Tangent *by = &room->group->derivatives[j];
    return by->by == BY_PARAMETER ? room->partials.by[problem_c_slope(room->group->problem, by->index) * room->n + i]
                                  : zero;
}

// a_x dx + a_v dv + a_c. A vector may be NULL, which is zero.
static Vector apply(const Judge *judge, size_t j, const Vector *dx, const Vector *dv)
{
    const Derived  *room = judge->substep->tangents;
    const Partials *p = &room->partials;
    const Roundoff  u = judge->u;
    const bool      places = dx && !room->group->problem->first_order;
    Vector          da;
    for (size_t i = 0; i < judge->n; ++i) {
        da.i[i] = by_of(room, j, i);
        for (size_t k = 0; k < judge->n; ++k) {
            if (places)
                da.i[i] = ball_add(u, da.i[i], ball_mul(u, p->in_x[i * judge->n + k], dx->i[k]));
            if (dv)
                da.i[i] = ball_add(u, da.i[i], ball_mul(u, p->in_v[i * judge->n + k], dv->i[k]));
        }
    }
    return da;
}

static const Vector *operand(const Derived *room, size_t j, size_t vector)
{
    return vector == EQUATIONS_NONE ? NULL : line_of(room, j, vector);
}

// --- partial derivatives beside differences of the acceleration

typedef struct TangentWay {
    Ball           t;
    const Vector  *x, *v;    // the place
    const Vector  *dx, *dv;  // the way, NULL is zero
    const Tangent *by;
} TangentWay;

// The acceleration at a part of the way.
static void at_part(const Judge *judge, const TangentWay *way, long double part, long double *a)
{
    const ExactPoint *point = judge->substep->point;
    const void       *params = point->params;
    long double       x[CERTIFICATE_DOFS], v[CERTIFICATE_DOFS];
    for (size_t i = 0; i < judge->n; ++i) {
        x[i] = way->x->i[i].at + (way->dx ? part * way->dx->i[i].at : 0.0L);
        v[i] = way->v->i[i].at + (way->dv ? part * way->dv->i[i].at : 0.0L);
    }
    if (way->by->by == BY_PARAMETER) {
        memcpy(point->moved_values, point->values, point->problem->parameter_count * sizeof *point->values);
        point->moved_values[way->by->index] += part;
        point->exact->load(point->moved_params, point->moved_values);
        params = point->moved_params;
    }
    point->exact->acceleration(way->t.at, x, v, params, a);
}

typedef struct WholeWay {
    const Judge      *judge;
    const TangentWay *way;
} WholeWay;

static void ask_part(const void *user, long double part, long double *rows)
{
    const WholeWay *whole = user;
    at_part(whole->judge, whole->way, part, rows);
}

// How far along the way nothing moves by more than a 2^-11 of its size.
static long double reach(const Judge *judge, const TangentWay *way)
{
    long double most_x = 0.0L, most_v = 0.0L, part = INFINITY;
    bool        unsized = false;
    for (size_t i = 0; i < judge->n; ++i) {
        most_x = larger_of(most_x, fabsl(way->x->i[i].at));
        most_v = larger_of(most_v, fabsl(way->v->i[i].at));
    }
    for (size_t i = 0; i < judge->n; ++i) {
        const bool by_x = way->dx && way->dx->i[i].at != 0.0L, by_v = way->dv && way->dv->i[i].at != 0.0L;
        if (by_x && most_x > 0.0L)
            part = smaller_of(part, most_x / fabsl(way->dx->i[i].at));
        if (by_v && most_v > 0.0L)
            part = smaller_of(part, most_v / fabsl(way->dv->i[i].at));
        unsized = unsized || (by_x && !(most_x > 0.0L)) || (by_v && !(most_v > 0.0L));
    }
    const long double value = way->by->by == BY_PARAMETER ? judge->substep->point->values[way->by->index] : 0.0L;
    if (value != 0.0L)
        part = smaller_of(part, fabsl(value));
    // A parameter that is 0, or a state, has no size of its own.
    if ((way->by->by == BY_PARAMETER && value == 0.0L) || unsized) {
        const WholeWay whole = {judge, way};
        long double    found = scale_find(ask_part, &whole, judge->n, NULL);
        part = found > 0.0L ? smaller_of(part, found) : part < INFINITY ? part : 1.0L;
    }
    return part < INFINITY ? ldexpl(0x1p-11L, ilogbl(part)) : 0.0L;
}

// The slope along the way by differences of the widths w, w/2 and w/4, extrapolated (Richardson), in column.c's manner.
// Returns the largest of its errors.
static long double slope(const Judge *judge, const TangentWay *way, long double w, long double *at, long double *off)
{
    long double by_width[3][CERTIFICATE_DOFS], ahead[CERTIFICATE_DOFS], behind[CERTIFICATE_DOFS], most = 0.0L;
    long double rounding[CERTIFICATE_DOFS];
    for (int k = 0; k < 3; ++k) {
        const long double part = ldexpl(w, -k);
        at_part(judge, way, part, ahead);
        at_part(judge, way, -part, behind);
        for (size_t i = 0; i < judge->n; ++i) {
            by_width[k][i] = (ahead[i] - behind[i]) / (2.0L * part);
            rounding[i] = (fabsl(ahead[i]) + fabsl(behind[i])) * 0x1p-58L / part;
        }
    }
    for (size_t i = 0; i < judge->n; ++i) {
        const long double first = (4.0L * by_width[1][i] - by_width[0][i]) / 3.0L,
                          second = (4.0L * by_width[2][i] - by_width[1][i]) / 3.0L;
        at[i] = (16.0L * second - first) / 15.0L;
        off[i] = 4.0L * fabsl(at[i] - second) + rounding[i];
        most = larger_of(most, off[i]);
    }
    return most;
}

// Demands that the partial derivatives along the way are the slope of the acceleration there, by the best of some
// widths.
static void demand_slope(Judge *judge, size_t j, const TangentWay *way)
{
    enum { WIDTHS = 4 };
    long double at[CERTIFICATE_DOFS], off[CERTIFICATE_DOFS], best[CERTIFICATE_DOFS], within[CERTIFICATE_DOFS],
        least = INFINITY, w = reach(judge, way);
    const Vector da = apply(judge, j, way->dx, way->dv);
    for (int k = 0; k < WIDTHS && w > 0.0L; ++k, w *= 0x1p-5L) {
        const long double most = slope(judge, way, w, at, off);
        if (!(most < least))
            continue;
        least = most;
        memcpy(best, at, sizeof best);
        memcpy(within, off, sizeof within);
    }
    judge->derivative = way->by->name;
    for (size_t i = 0; i < judge->n && least < INFINITY; ++i)
        equations_number(judge, "the acceleration, by differences", i,
                         (Ball){da.i[i].at - best[i], da.i[i].off + within[i]}, 0.0);
    judge->derivative = NULL;
}

// --- solves

// Factors of a matrix by rows. Kernels choose pivots of rows over the sizes of their components, the reference of rows
// as they are. False where a pivot is 0.
static bool factor(const Judge *judge, const Vector *v, const Ball *matrix)
{
    const Derived *room = judge->substep->tangents;
    const size_t   n = judge->n;
    const double  *scale = judge->substep->reference ? NULL : judge->substep->before.scale;
    long double   *lu = room->factors;
    for (size_t i = 0; i < n; ++i) {
        room->order[i] = i;
        for (size_t k = 0; k < n; ++k)
            lu[i * n + k] = matrix[i * n + k].at;
    }
    for (size_t k = 0; k < n; ++k) {
        size_t      pivot = k;
        long double largest = -1.0L;
        for (size_t i = k; i < n; ++i) {
            const size_t      row = room->order[i];
            const long double size = scale ? larger_of(scale[row], fabsl(v->i[row].at)) : 1.0L,
                              entry = fabsl(lu[i * n + k]) / (size > 0.0L ? size : 0x1p-1000L);
            if (entry > largest) {
                largest = entry;
                pivot = i;
            }
        }
        for (size_t c = 0; pivot != k && c < n; ++c) {
            const long double up = lu[pivot * n + c];
            lu[pivot * n + c] = lu[k * n + c];
            lu[k * n + c] = up;
        }
        const size_t row = room->order[pivot];
        room->order[pivot] = room->order[k];
        room->order[k] = row;
        if (!(fabsl(lu[k * n + k]) > 0.0L))
            return false;
        for (size_t i = k + 1; i < n; ++i) {
            lu[i * n + k] /= lu[k * n + k];
            for (size_t c = k + 1; c < n; ++c)
                lu[i * n + c] -= lu[i * n + k] * lu[k * n + c];
        }
    }
    return true;
}

static void solve(const Derived *room, const long double *right, long double *solution)
{
    const size_t n = room->n;
    for (size_t i = 0; i < n; ++i) {
        solution[i] = right[room->order[i]];
        for (size_t k = 0; k < i; ++k)
            solution[i] -= room->factors[i * n + k] * solution[k];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; ++k)
            solution[i] -= room->factors[i * n + k] * solution[k];
        solution[i] /= room->factors[i * n + i];
    }
}

// The residual of the linear equation at du, off by what elimination may leave.
static void residual(const Judge *judge, const Ball *matrix, const Vector *right, const Vector *du, Vector *f)
{
    const Derived *room = judge->substep->tangents;
    const size_t   n = judge->n;
    const Roundoff u = judge->u;
    long double    upper[CERTIFICATE_DOFS];
    for (size_t i = 0; i < n; ++i) {
        f->i[i] = (Ball){-right->i[i].at, right->i[i].off};
        upper[i] = 0.0L;
        for (size_t k = 0; k < n; ++k) {
            f->i[i] = ball_add(u, f->i[i], ball_mul(u, matrix[i * n + k], du->i[k]));
            upper[i] += k >= i ? fabsl(room->factors[i * n + k] * du->i[k].at) : 0.0L;
        }
    }
    for (size_t i = 0; i < n; ++i) {
        long double sum = upper[i];
        for (size_t k = 0; k < i; ++k)
            sum += fabsl(room->factors[i * n + k]) * upper[k];
        f->i[room->order[i]].off += (long double)(4 * n + 8) * u * sum;
    }
}

// The inverse of the matrix, by columns.
static void invert(const Derived *room)
{
    const size_t n = room->n;
    for (size_t k = 0; k < n; ++k) {
        for (size_t i = 0; i < n; ++i)
            room->right[i] = i == k ? 1.0L : 0.0L;
        solve(room, room->right, room->inverse + k * n);
    }
}

// Solves for du in long double, with the bound of the kernel's.
static Vector solved(const Judge *judge, const Ball *matrix, const Vector *right)
{
    const Derived *room = judge->substep->tangents;
    const size_t   n = judge->n;
    long double    at[CERTIFICATE_DOFS];
    Vector         du, f;
    for (size_t i = 0; i < n; ++i)
        room->right[i] = right->i[i].at;
    solve(room, room->right, at);
    for (size_t i = 0; i < n; ++i)
        du.i[i] = ball(at[i]);
    residual(judge, matrix, right, &du, &f);
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < n; ++k)
            du.i[i].off += 1.125L * fabsl(room->inverse[k * n + i]) * f.i[k].off;
    return du;
}

// Finds the kernel's derivative of an unknown as the unknown itself is found (demand.c); false where it is not known.
static bool find_unknown(const Judge *judge, const EquationLine *line, const Ball *numbers, size_t j, bool start,
                         Vector *du)
{
    const Derived *room = judge->substep->tangents;
    const Ball     A = numbers[line->A], q = numbers[line->q];
    const double  *kept = end_of(judge, j, line->end, start), *force = end_of(judge, j, line->back.solved, start),
                 *other = end_of(judge, j, line->back.end, start);
    if (kept && are_finite(judge, kept)) {
        *du = equations_known(judge, kept);
        return true;
    }
    if (force && q.at != 0.0L && are_finite(judge, force)) {
        const Vector a = equations_known(judge, force);
        for (size_t i = 0; i < judge->n; ++i) {
            const Ball rest = line->rest == EQUATIONS_NONE ? zero : line_of(room, j, line->rest)->i[i],
                       sum = ball_add(judge->u, rest, ball_mul(judge->u, q, a.i[i]));
            du->i[i] = A.at == 1.0L && A.off == 0.0L ? sum : ball_div(judge->u, sum, A);
        }
        return true;
    }
    if (!other || !are_finite(judge, other))
        return false;
    const Ball factor = numbers[line->back.factor];
    for (size_t i = 0; i < judge->n; ++i) {
        Ball others = zero;
        for (size_t k = 0; k < line->back.count; ++k) {
            const EquationTerm *term = &line->back.terms[k];
            others = ball_add(judge->u, others,
                              ball_mul(judge->u, numbers[term->factor], line_of(room, j, term->vector)->i[i]));
        }
        const Ball end = {other[i], judge->u * fabsl((long double)other[i])},
                   sum = {end.at - others.at, end.off + others.off};
        du->i[i] = (Ball){sum.at / factor.at, (sum.off + fabsl(sum.at / factor.at) * factor.off) / fabsl(factor.at)};
    }
    return true;
}

// The matrix of a solve, from the partial derivatives, and its factors. False where it is singular.
static bool make_matrix(const Judge *judge, Ball A, Ball q, Ball cx, Ball cv, const Vector *v)
{
    const Derived  *room = judge->substep->tangents;
    const Partials *p = &room->partials;
    const size_t    n = judge->n;
    const Roundoff  u = judge->u;
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < n; ++k) {
            const Ball in_x = ball_mul(u, cx, p->in_x[i * n + k]), in_v = ball_mul(u, cv, p->in_v[i * n + k]),
                       moved = ball_mul(u, q, ball_add(u, in_x, in_v));
            room->matrix[i * n + k] = ball_sub(u, i == k ? A : zero, moved);
        }
    return factor(judge, v, room->matrix);
}

static void take_solve(Judge *judge, const EquationLine *line, const Ball *numbers, const Vector *vectors, Ball time,
                       bool start)
{
    Derived       *room = judge->substep->tangents;
    const size_t   n = judge->n;
    const Roundoff u = judge->u;
    // A position depends on the unknown in a system of second order only.
    const Ball q = numbers[line->q], cx = room->group->problem->first_order ? zero : numbers[line->cx],
               cv = numbers[line->cv];
    const Vector *unknown = &vectors[line->target],
                 x = equations_ahead(judge, line->x == EQUATIONS_NONE ? NULL : &vectors[line->x], cx, unknown),
                 v = equations_ahead(judge, line->v == EQUATIONS_NONE ? NULL : &vectors[line->v], cv, unknown);
    partials_find(judge->substep->point, time, x.i, v.i, judge->plain, &room->partials);
    const bool regular = make_matrix(judge, numbers[line->A], q, cx, cv, &v);
    bool       inverted = false;
    for (size_t j = 0; j < room->group->derivative_count; ++j) {
        const Vector *dx = operand(room, j, line->x), *dv = operand(room, j, line->v),
                     *rest = operand(room, j, line->rest);
        const Vector da = apply(judge, j, dx, dv);
        Vector      *du = line_of(room, j, line->target), right, f;
        room->known[j] = room->known[j] && regular;
        if (!room->known[j])
            continue;
        for (size_t i = 0; i < n; ++i)
            right.i[i] = ball_add(u, rest ? rest->i[i] : zero, ball_mul(u, q, da.i[i]));
        if (find_unknown(judge, line, numbers, j, start, du)) {
            residual(judge, room->matrix, &right, du, &f);
            judge->derivative = room->group->derivatives[j].name;
            for (size_t i = 0; i < n; ++i)
                equations_number(judge, line->text, i, f.i[i], 0.0);
            judge->derivative = NULL;
        } else {
            if (!inverted)
                invert(room);
            inverted = true;
            *du = solved(judge, room->matrix, &right);
        }
        if (room->searched && !judge->plain) {
            const Vector along_x = equations_ahead(judge, dx, cx, du), along_v = equations_ahead(judge, dv, cv, du);
            demand_slope(judge, j, &(TangentWay){time, &x, &v, &along_x, &along_v, &room->group->derivatives[j]});
        }
    }
}

static void take_force(Judge *judge, const EquationLine *line, const Vector *vectors, Ball time)
{
    static const Vector nothing;
    Derived            *room = judge->substep->tangents;
    const Vector       *x = line->x == EQUATIONS_NONE ? &nothing : &vectors[line->x],
                 *v = line->v == EQUATIONS_NONE ? &nothing : &vectors[line->v];
    partials_find(judge->substep->point, time, x->i, v->i, judge->plain, &room->partials);
    for (size_t j = 0; j < room->group->derivative_count; ++j) {
        const Vector *dx = operand(room, j, line->x), *dv = operand(room, j, line->v);
        *line_of(room, j, line->target) = apply(judge, j, dx, dv);
        if (room->searched && !judge->plain && room->known[j])
            demand_slope(judge, j, &(TangentWay){time, x, v, dx, dv, &room->group->derivatives[j]});
    }
}

static void take_sum(const Judge *judge, const EquationLine *line, const Ball *numbers)
{
    const Derived *room = judge->substep->tangents;
    Term           summands[EQUATIONS_TERMS];
    for (size_t j = 0; j < room->group->derivative_count; ++j) {
        for (size_t k = 0; k < line->count; ++k)
            summands[k] = (Term){numbers[line->terms[k].factor], line_of(room, j, line->terms[k].vector)};
        *line_of(room, j, line->target) = equations_sum(judge, line->count, summands);
    }
}

void derived_line(Judge *judge, const EquationPart *part, const EquationLine *line, const Ball *numbers,
                  const Vector *vectors, Ball time, bool start)
{
    const Derived *room = judge->substep->tangents;
    const bool     weighed = line->kind == EQUATION_SOLVED && numbers[part->lines[line->of].q].at != 0.0L;
    if (line->kind == EQUATION_SOLVE) {
        take_solve(judge, line, numbers, vectors, time, start);
        return;
    }
    if (line->kind == EQUATION_SUM)
        take_sum(judge, line, numbers);
    else if (!weighed)
        take_force(judge, line, vectors, time);
    for (size_t j = 0; j < room->group->derivative_count; ++j) {
        const double *kernel = end_of(judge, j, line->end, start);
        Vector       *vector = line_of(room, j, line->target);
        if (!kernel || !room->known[j])
            continue;
        const bool looked_at = !(line->position && !start && room->group->problem->first_order);
        if (looked_at && !weighed)
            demand(judge, j, line->text ? line->text : "an end of the step", vector, kernel);
        room->known[j] = are_finite(judge, kernel);
        *vector = equations_known(judge, kernel);
    }
}

void derived_start(Judge *judge)
{
    Derived     *room = judge->substep->tangents;
    const size_t n = judge->n;
    const bool   first_order = room->group->problem->first_order;
    partials_start(judge->substep->point, &room->partials);
    for (size_t j = 0; j < room->group->derivative_count; ++j) {
        const Tangent     *by = &room->group->derivatives[j];
        const TangentState after = state_of(judge, &judge->substep->after, j);
        Vector             x = {0}, v = {0};
        for (size_t i = 0; i < n; ++i) {
            const bool   itself = by->by != BY_PARAMETER && by->index == i;
            const size_t at = by->by == BY_PARAMETER ? problem_c_slope(room->group->problem, by->index) * n + i : 0;
            const Ball   in_x = by->by == BY_PARAMETER              ? room->partials.by[at]
                                : itself && by->by == BY_COORDINATE ? one
                                                                    : zero,
                       in_v = by->by == BY_PARAMETER            ? room->partials.by_v[at]
                              : itself && by->by == BY_VELOCITY ? one
                                                                : zero;
            x.i[i] = first_order ? zero : in_x;
            v.i[i] = first_order ? in_x : in_v;
        }
        if (!first_order)
            demand(judge, j, "x_0", &x, after.x);
        demand(judge, j, "v_0", &v, after.v);
        *line_of(room, j, EQUATIONS_X) = equations_known(judge, after.x);
        *line_of(room, j, EQUATIONS_V) = equations_known(judge, after.v);
        room->known[j] = all_finite(after.x, n) && all_finite(after.v, n);
        if (after.previous_v && room->known[j]) {
            if (!first_order)
                demand(judge, j, "the earlier x of a point that begins", line_of(room, j, EQUATIONS_X),
                       after.previous_x);
            demand(judge, j, "the earlier v of a point that begins", line_of(room, j, EQUATIONS_V), after.previous_v);
        }
    }
}
