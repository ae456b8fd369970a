// equations -- sums, accelerations and their derivatives, demands.
#include "analysis/conform/equations.h"

#include "analysis/conform/sizes.h"
#include "analysis/conform/updates.h"

#include <float.h>
#include <string.h>

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
    long double *values;  // of the problem's parameters; NULL: those of the substep
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

// Whether an acceleration is linear in an argument as far as that may be off: what `ahead` of it has changed is changed
// in proportion on the way there and behind.
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

// Adds to each component's bound what an argument does that may be off: the difference that it makes. An acceleration
// is not known where this is a large part of it and not linear, as at an angle of so many turns that the last digit is
// a turn: its bound is infinite.
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

// Adds what the roundings of each function do that the text calls.
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
    // What rounding inside may do to an argument, relative and, where it is too small for its digits, absolute:
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

Ball equations_reach(const Judge *judge, Ball cx)
{
    return judge->substep->problem->first_order ? ball(0.0L) : cx;
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

static long double norm(const Judge *judge, const Vector *vector)
{
    long double largest = 0.0L;
    for (size_t i = 0; i < judge->n; ++i)
        largest = larger_of(largest, fabsl(vector->i[i].at));
    return largest;
}

void equations_residual(const Judge *judge, const Solve *solve, const Vector *u, Vector *f)
{
    const Roundoff unit = judge->u;
    const Vector x = equations_ahead(judge, solve->x, solve->cx, u), v = equations_ahead(judge, solve->v, solve->cv, u),
                 a = equations_acceleration(judge, solve->t, &x, &v);
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball known = ball_sub(unit, ball_mul(unit, solve->A, u->i[i]), solve->rest->i[i]);
        f->i[i] = ball_sub(unit, known, ball_mul(unit, solve->q, a.i[i]));
    }
}

void equations_floor(const Judge *judge, const Solve *solve, const Vector *u, const long double *rows,
                     long double *floors)
{
    for (size_t i = 0; i < judge->n; ++i) {
        const long double known = solve->cx.at == 0.0L ? fabsl(solve->rest->i[i].at) : 0.0L;
        floors[i] = 4.0L * judge->u * (rows[i] + known + fabsl(u->i[i].at));
    }
}

// (f(u + w e_j) - f(u - w e_j))/2w, or forward from f; off: the residuals' bounds through it.
static MatrixColumn difference(const Judge *judge, const Solve *solve, const Vector *u, size_t j, long double w,
                               const Vector *f)
{
    Vector       ahead, behind, moved = *u;
    MatrixColumn column;
    moved.i[j].at = u->i[j].at + w;
    equations_residual(judge, solve, &moved, &ahead);
    moved.i[j].at = u->i[j].at - w;
    if (f)
        behind = *f;
    else
        equations_residual(judge, solve, &moved, &behind);
    const long double across = f ? w : 2.0L * w;
    for (size_t i = 0; i < judge->n; ++i) {
        column.at[i] = (ahead.i[i].at - behind.i[i].at) / across;
        column.off[i] = (ahead.i[i].off + behind.i[i].off) / across;
    }
    return column;
}

// Central differences of the widths w, w/2 and w/4, extrapolated (Richardson). They are off by what the last
// extrapolation changed, and by long double's rounding through the narrowest.
//   off  the largest of that
static MatrixColumn extrapolated(const Judge *judge, const Solve *solve, const Vector *u, size_t j, long double w,
                                 long double *off)
{
    const MatrixColumn wide = difference(judge, solve, u, j, w, NULL),
                       mid = difference(judge, solve, u, j, w / 2, NULL),
                       narrow = difference(judge, solve, u, j, w / 4, NULL);
    MatrixColumn column = {0};
    *off = 0.0L;
    for (size_t i = 0; i < judge->n; ++i) {
        const long double first = (4.0L * mid.at[i] - wide.at[i]) / 3.0L,
                          second = (4.0L * narrow.at[i] - mid.at[i]) / 3.0L;
        column.at[i] = (16.0L * second - first) / 15.0L;
        column.off[i] = fabsl(column.at[i] - second) + 2.0L * narrow.off[i] * 0x1p-64L / judge->u;
        *off = larger_of(*off, column.off[i]);
    }
    return column;
}

// The same of the width w and of narrower ones: a force may bend within a small part of the unknown's size. While one
// is off by more than 2^-40 of the column, and the next by less, the next is taken.
//   off  what it is off, over the column's largest
static MatrixColumn narrowed(const Judge *judge, const Solve *solve, const Vector *u, size_t j, long double w,
                             long double *off)
{
    enum { NARROWER = 4 };
    MatrixColumn best = {0};
    long double  least = INFINITY;
    *off = INFINITY;
    for (int k = 0; k <= NARROWER && *off > 0x1p-40L; ++k, w *= 0x1p-5L) {
        long double        largest = 0.0L, most;
        const MatrixColumn column = extrapolated(judge, solve, u, j, w, &most);
        if (k > 0 && !(most < least))
            break;
        for (size_t i = 0; i < judge->n; ++i)
            largest = larger_of(largest, fabsl(column.at[i]));
        best = column;
        least = most;
        *off = most > 0.0L ? most / largest : 0.0L;
    }
    return best;
}

// A derivative that the kernel has in closed form, by differences that are narrow for the unknown and the coordinate it
// moves. What else is known of its size may be more by any factor, and a force far away may be as smooth as it is
// wrong: it is asked only where these show nothing. All are powers of two, which move a number without rounding.
static MatrixColumn derivative(const Judge *judge, const Solve *solve, const Vector *u, size_t j, const Vector *f)
{
    const Vector      x = equations_ahead(judge, solve->x, solve->cx, u);
    const long double cx = fabsl(solve->cx.at), ahead = cx > 0.0L ? fabsl(x.i[j].at) / cx : 0.0L,
                      here = larger_of(fabsl(u->i[j].at), ahead);
    Sizes sizes;
    sizes_unknowns(judge, solve, u, false, f, &sizes);
    const long double any = sizes_relative(judge) ? sizes.most[j] : larger_of(norm(judge, u), 1.0L),
                      near = ldexpl(0x1p-11L, ilogbl(here > 0.0L ? here : any)), far = ldexpl(0x1p-11L, ilogbl(any));
    long double        off, other;
    const MatrixColumn column = narrowed(judge, solve, u, j, near, &off);
    if (off <= 0x1p-20L)
        return column;
    const MatrixColumn wide = narrowed(judge, solve, u, j, far, &other);
    return other < off ? wide : column;
}

MatrixColumn equations_column(const Judge *judge, const Solve *solve, const Vector *u, size_t j, const Vector *f)
{
    const Newton *newton = judge->substep->newton;
    if (newton->jacobian == JACOBIAN_ANALYTIC)
        return derivative(judge, solve, u, j, f);
    Sizes         widths;
    const Vector *from = newton->jacobian == JACOBIAN_FORWARD ? f : NULL;
    sizes_widths(judge, solve, u, true, f, &widths);
    MatrixColumn column = difference(judge, solve, u, j, widths.most[j], from);
    if (widths.least[j] == widths.most[j])
        return column;
    // Where rounding decides between two widths, the kernel's may be either.
    const MatrixColumn other = difference(judge, solve, u, j, widths.least[j], from);
    for (size_t i = 0; i < judge->n; ++i)
        column.off[i] = larger_of(column.off[i], other.off[i]) + fabsl(column.at[i] - other.at[i]);
    return column;
}

static void note_residual(Judge *judge, const Solve *solve, const Vector *u, const Vector *f, const long double *floors)
{
    Sizes rows;
    sizes_rows(judge, solve, u, &rows);
    for (size_t i = 0; i < judge->n; ++i)
        note(judge, solve->equation, i, fabsl(f->i[i].at),
             larger_of(judge->substep->tolerance * rows.most[i], floors[i]) + f->i[i].off);
}

static bool is_below(const Judge *judge, const Solve *solve, const Vector *u, const Vector *f, long double part,
                     const long double *floors)
{
    Sizes rows;
    bool  below = true;
    sizes_rows(judge, solve, u, &rows);
    for (size_t i = 0; i < judge->n; ++i)
        below = below && fabsl(f->i[i].at) <= larger_of(judge->substep->tolerance * rows.least[i], part * floors[i]);
    return below;
}

// The floor by the matrix at the solution, next to the kernel's, whose differences reach farther.
static void find_near_floor(const Judge *judge, const Solve *solve, const Vector *u, const Vector *f,
                            long double *floors)
{
    Judge       plain = *judge;
    long double rows[CERTIFICATE_DOFS] = {0}, root = sqrtl(2.0L * judge->u);
    Sizes       sizes, extent;
    plain.plain = true;
    sizes_unknowns(judge, solve, u, false, f, &sizes);
    sizes_extent(judge, solve, u, &extent);
    for (size_t j = 0; j < judge->n; ++j) {
        const long double  size = sizes_relative(judge) ? sizes.most[j] : larger_of(norm(judge, u), 1.0L);
        const MatrixColumn column = difference(&plain, solve, u, j, root * size, f);
        for (size_t i = 0; i < judge->n; ++i)
            rows[i] += fabsl(column.at[i] - (i == j ? solve->A.at : 0.0L)) * extent.most[j];
    }
    equations_floor(judge, solve, u, rows, floors);
}

void equations_follow(Judge *judge, const Solve *solve)
{
    if (judge->plain)
        judge->worst.share = INFINITY;
    else
        updates_possible(judge, solve, &judge->solves[judge->solve_count++]);
}

// Of one solve, the unknown is the iterate to which its updates lead.
static void note_iterate(Judge *judge, const Vector *u, const Vector *last)
{
    for (size_t i = 0; i < judge->n; ++i)
        note(judge, "the iterate that the updates lead to", i, fabsl(u->i[i].at - last->i[i].at),
             u->i[i].off + last->i[i].off);
}

// Where a residual misses the tolerance, the floor is that of the matrix which the last update was made by, for which
// the solve is followed. Below half of the floor at the solution it need not be.
void equations_solved(Judge *judge, const Solve *solve, const Vector *u)
{
    const CertificateSubstep *substep = judge->substep;
    const bool                counts = substep->followed;
    long double               floors[CERTIFICATE_DOFS] = {0};
    Vector                    f;
    bool                      floor = false;
    if (substep->accepted) {
        equations_residual(judge, solve, u, &f);
        floor = substep->newton->floor_guard && !is_below(judge, solve, u, &f, 1.0L, floors);
        if (floor && !counts && !substep->newton->modified) {
            find_near_floor(judge, solve, u, &f, floors);
            floor = !is_below(judge, solve, u, &f, 0.5L, floors);
        }
    }
    if (floor && judge->plain) {
        judge->worst.share = INFINITY;
        return;
    }
    Updates *possible = floor || counts ? &judge->solves[judge->solve_count++] : NULL;
    if (possible)
        updates_possible(judge, solve, possible);
    if (floor)
        equations_floor(judge, solve, u, possible->rows, floors);
    if (substep->accepted)
        note_residual(judge, solve, u, &f, floors);
    if (counts && possible->reached && substep->accepted && substep->method->stages == 1)
        note_iterate(judge, u, &possible->last);
}

// Each entry is rounded in the solution of the linear equation; one in closed form by the operations of the problem
// too, whose terms may cancel in an entry but are of the matrix's size.
void equations_linear(Judge *judge, const Solve *solve, const Vector *guess, const Vector *u)
{
    const CertificateSubstep *substep = judge->substep;
    const size_t              n = judge->n;
    MatrixColumn              columns[CERTIFICATE_DOFS];
    Vector                    f;
    long double               largest = 0.0L;
    if (substep->followed)
        updates_possible(judge, solve, &judge->solves[judge->solve_count++]);
    if (!substep->accepted)
        return;
    equations_residual(judge, solve, guess, &f);
    for (size_t j = 0; j < n; ++j) {
        columns[j] = equations_column(judge, solve, guess, j, &f);
        for (size_t i = 0; i < n; ++i)
            largest = larger_of(largest, fabsl(columns[j].at[i]));
    }
    const long double inside = substep->newton->jacobian == JACOBIAN_ANALYTIC
                                   ? (long double)substep->exact->operations * judge->u * largest
                                   : 0.0L;
    Vector            sum = f;
    for (size_t j = 0; j < n; ++j)
        for (size_t i = 0; i < n; ++i) {
            const long double slope = columns[j].at[i], way = u->i[j].at - guess->i[j].at;
            sum.i[i].at += slope * way;
            sum.i[i].off +=
                (columns[j].off[i] + inside + (long double)(4 * n + 8) * judge->u * fabsl(slope)) * fabsl(way) +
                fabsl(slope) * u->i[j].off;
        }
    for (size_t i = 0; i < n; ++i)
        note(judge, solve->equation, i, fabsl(sum.i[i].at), sum.i[i].off);
}
