// column -- differences of the kernel's widths, and extrapolated ones for derivatives that it has in closed form.
#include "analysis/conform/certificate/column.h"

// (f(u + w e_j) - f(u - w e_j))/2w, or forward from f; off: the residuals' bounds through it.
static MatrixColumn difference(const Judge *judge, const Solve *solve, const Vector *u, size_t j, long double w,
                               const Vector *f)
{
    Vector       ahead, behind, moved = *u;
    MatrixColumn column;
    moved.i[j].at = u->i[j].at + w;
    solve_residual(judge, solve, &moved, &ahead);
    moved.i[j].at = u->i[j].at - w;
    if (f)
        behind = *f;
    else
        solve_residual(judge, solve, &moved, &behind);
    const long double across = f ? w : 2.0L * w;
    for (size_t i = 0; i < judge->n; ++i) {
        column.at[i] = (ahead.i[i].at - behind.i[i].at) / across;
        column.off[i] = (ahead.i[i].off + behind.i[i].off) / across;
    }
    return column;
}

// Central differences of the widths w, w/2 and w/4, extrapolated (Richardson). They are off by the change in the last
// extrapolation, and by long double's rounding through the narrowest.
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
//   off  the column's error, over its largest entry
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

// The size of an unknown; by the absolute rule of the largest, at least 1.
static long double size_of(const Judge *judge, const Solve *solve, const Vector *u, size_t j, const Vector *f)
{
    long double largest = 1.0L;
    Sizes       sizes;
    solve_sizes(judge, solve, u, false, f, &sizes);
    for (size_t i = 0; i < judge->n; ++i)
        largest = larger_of(largest, fabsl(u->i[i].at));
    return solve_scaled(judge) ? sizes.most[j] : largest;
}

// A derivative that the kernel has in closed form, by differences that are narrow for the unknown and the coordinate it
// moves. The other estimates of its size may be larger by any factor, and a force far away may be as smooth as it is
// wrong: they are used only where these show nothing. All are powers of two, which move a number without rounding.
static MatrixColumn derivative(const Judge *judge, const Solve *solve, const Vector *u, size_t j, const Vector *f)
{
    const Vector      x = equations_ahead(judge, solve->x, solve->cx, u);
    const long double cx = fabsl(solve->cx.at), ahead = cx > 0.0L ? fabsl(x.i[j].at) / cx : 0.0L,
                      here = larger_of(fabsl(u->i[j].at), ahead);
    const long double any = size_of(judge, solve, u, j, f), near = ldexpl(0x1p-11L, ilogbl(here > 0.0L ? here : any)),
                      far = ldexpl(0x1p-11L, ilogbl(any));
    long double        off, other;
    const MatrixColumn column = narrowed(judge, solve, u, j, near, &off);
    if (off <= 0x1p-20L)
        return column;
    const MatrixColumn wide = narrowed(judge, solve, u, j, far, &other);
    return other < off ? wide : column;
}

MatrixColumn column_between(const Judge *judge, const Solve *solve, const Vector *u, size_t j, long double least,
                            long double most, const Vector *from)
{
    MatrixColumn column = difference(judge, solve, u, j, most, from);
    if (least == most)
        return column;
    const MatrixColumn other = difference(judge, solve, u, j, least, from);
    for (size_t i = 0; i < judge->n; ++i)
        column.off[i] = larger_of(column.off[i], other.off[i]) + fabsl(column.at[i] - other.at[i]);
    return column;
}

// A column of the matrix of a linear stage, A - q (cx a_x + cv a_v).
static MatrixColumn linear(const Judge *judge, const Solve *solve, size_t j)
{
    const Roundoff u = judge->u;
    MatrixColumn   column;
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball in_x = ball_mul(u, solve->cx, solve->slopes->in_x[j].i[i]),
                   in_v = ball_mul(u, solve->cv, solve->slopes->in_v[j].i[i]),
                   moved = ball_mul(u, solve->q, ball_add(u, in_x, in_v)),
                   entry = ball_sub(u, i == j ? solve->A : ball(0.0L), moved);
        column.at[i] = entry.at;
        column.off[i] = entry.off;
    }
    return column;
}

MatrixColumn column_find(const Judge *judge, const Solve *solve, const Vector *u, size_t j, const Vector *f)
{
    const Newton *newton = judge->substep->newton;
    if (solve->slopes)
        return linear(judge, solve, j);
    if (newton->jacobian == JACOBIAN_ANALYTIC)
        return derivative(judge, solve, u, j, f);
    Sizes widths;
    solve_widths(judge, solve, u, true, f, &widths);
    return column_between(judge, solve, u, j, widths.least[j], widths.most[j],
                          newton->jacobian == JACOBIAN_FORWARD ? f : NULL);
}

MatrixColumn column_near(const Judge *judge, const Solve *solve, const Vector *u, size_t j, const Vector *f)
{
    Judge plain = *judge;
    plain.plain = true;
    return difference(&plain, solve, u, j, sqrtl(2.0L * judge->u) * size_of(judge, solve, u, j, f), f);
}
