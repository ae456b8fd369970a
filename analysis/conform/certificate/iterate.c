// iterate -- the steps of Newton's iteration in long double, and how far the kernel's may be from them.
#include "analysis/conform/certificate/iterate.h"

#include "analysis/conform/certificate/column.h"
#include "analysis/conform/certificate/minimum.h"

#include <string.h>

enum { SPARE = CERTIFICATE_ITERATES * CERTIFICATE_OF_ITERATE };

void iterate_make(const Judge *judge, size_t which, Iterate *it)
{
    const SolveMatrix *own = judge->substep->matrices + which * CERTIFICATE_OF_ITERATE;
    it->J = own[0];
    it->inverse = own[1];
    it->slopes = own[2];
    it->bends = own[3];
    it->error = own[4];
}

SolveMatrix iterate_spare(const Judge *judge)
{
    return judge->substep->matrices[SPARE];
}

static void find_residual(const Judge *judge, const Solve *solve, Iterate *it)
{
    Judge one = *judge;
    bool  overflow = false;
    one.overflow = &overflow;
    solve_residual(&one, solve, &it->u, &it->f);
    it->finite = true;
    for (size_t i = 0; i < judge->n; ++i) {
        it->finite = it->finite && isfinite(it->f.i[i].at);
        overflow = overflow || !(fabsl(it->f.i[i].at) < 0.5L * equations_limit(judge));
    }
    it->fits = !overflow;
    Sizes sizes;
    solve_sizes(judge, solve, &it->u, it->first, &it->f, &sizes);
    for (size_t i = 0; i < judge->n; ++i)
        it->size[i] = solve->slopes ? solve->slopes->size[i] : sizes.most[i];
}

Vector iterate_known(const Judge *judge, const Iterate *it)
{
    Vector u = it->u;
    for (size_t i = 0; i < judge->n; ++i)
        u.i[i].off = it->moved[i];
    return u;
}

// The residual, with how far the kernel's may be from it.
static Vector residual_of(const Judge *judge, const Iterate *it)
{
    Vector f = it->f;
    for (size_t i = 0; i < judge->n; ++i)
        f.i[i].off = larger_of(f.i[i].off, it->off[i]);
    return f;
}

// The matrix in closed form. An entry is a sum of terms that may cancel, of the matrix's size.
static void find_derivative(const Judge *judge, const Solve *solve, Iterate *it)
{
    const size_t n = judge->n;
    long double  largest = 0.0L;
    for (size_t j = 0; j < n; ++j) {
        const MatrixColumn column = column_find(judge, solve, &it->u, j, &it->f);
        for (size_t i = 0; i < n; ++i) {
            it->J[i][j] = column.at[i];
            it->error[i][j] = column.off[i];
            largest = larger_of(largest, fabsl(column.at[i]));
        }
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            it->error[i][j] += (long double)(judge->substep->point->exact->operations + 4) * judge->u * largest;
    it->pivots = true;
}

// Column j by differences of a width.
static bool find_column(const Judge *plain, const Solve *solve, const Iterate *it, size_t j, long double width,
                        MatrixColumn *column)
{
    const bool forward = plain->substep->newton->jacobian == JACOBIAN_FORWARD;
    Vector     moved = it->u, ahead, behind;
    bool       overflow = false;
    Judge      judge = *plain;
    judge.overflow = &overflow;
    moved.i[j].at = it->u.i[j].at + width;
    solve_residual(&judge, solve, &moved, &ahead);
    moved.i[j].at = it->u.i[j].at - width;
    if (!forward)
        solve_residual(&judge, solve, &moved, &behind);
    for (size_t i = 0; i < judge.n; ++i) {
        column->at[i] =
            forward ? (ahead.i[i].at - it->f.i[i].at) / width : (ahead.i[i].at - behind.i[i].at) / (2.0L * width);
        // Where a difference leads to larger numbers than the iterate has, they are rounded by more.
        column->off[i] = larger_of(it->f.i[i].off, ahead.i[i].off) / width;
        if (!forward)
            column->off[i] = larger_of(column->off[i], behind.i[i].off / width);
        column->off[i] *= forward ? 2.0L : 1.0L;
    }
    return !overflow;
}

void iterate_matrix(const Judge *judge, const Solve *solve, Iterate *it)
{
    const size_t n = judge->n;
    Judge        plain = *judge;
    const Vector u = iterate_known(judge, it), f = residual_of(judge, it);
    Sizes        widths, own;
    plain.plain = true;
    if (judge->substep->newton->jacobian == JACOBIAN_ANALYTIC || solve->slopes) {
        find_derivative(judge, solve, it);
        return;
    }
    solve_widths(judge, solve, &u, it->first, &f, &widths);
    solve_widths(judge, solve, &it->u, it->first, &it->f, &own);
    it->pivots = true;
    for (size_t j = 0; j < n; ++j) {
        // Where nothing is known of the iterate, or sizes overflow, the kernel's matrix may be any.
        const bool known = widths.most[j] < 0x1p-20L * equations_limit(judge);
        if (!known)
            widths.least[j] = widths.most[j] = own.most[j];
        it->pivots = known && it->pivots;
        const bool   either = widths.least[j] != widths.most[j];
        MatrixColumn column, other;
        it->pivots = find_column(&plain, solve, it, j, widths.most[j], &column) && it->pivots;
        // Where rounding decides between two widths, the kernel's may be either.
        if (either)
            it->pivots = find_column(&plain, solve, it, j, widths.least[j], &other) && it->pivots;
        for (size_t i = 0; i < n; ++i) {
            it->J[i][j] = column.at[i];
            it->error[i][j] = column.off[i];
            if (either)
                it->error[i][j] = larger_of(column.off[i], other.off[i]) + fabsl(column.at[i] - other.at[i]);
        }
    }
}

// Gauss and Jordan's elimination with the largest pivot of each column, over the size of its row.
static void invert(const Judge *judge, Iterate *it)
{
    const size_t      n = judge->n;
    size_t            row[CERTIFICATE_DOFS];  // which row of the matrix stands there
    const SolveMatrix a = iterate_spare(judge);
    it->singular = false;
    for (size_t i = 0; i < n; ++i)
        row[i] = i;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            a[i][j] = it->J[i][j];
            it->inverse[i][j] = i == j ? 1.0L : 0.0L;
        }
    for (size_t k = 0; k < n && !it->singular; ++k) {
        size_t best = k;
        for (size_t i = k + 1; i < n; ++i)
            best = fabsl(a[i][k]) * it->size[row[best]] > fabsl(a[best][k]) * it->size[row[i]] ? i : best;
        it->singular = !(fabsl(a[best][k]) > 0.0L);
        const size_t there = row[best];
        row[best] = row[k], row[k] = there;
        for (size_t j = 0; j < n && best != k; ++j) {
            const long double x = a[k][j], y = it->inverse[k][j];
            a[k][j] = a[best][j], a[best][j] = x;
            it->inverse[k][j] = it->inverse[best][j], it->inverse[best][j] = y;
        }
        for (size_t i = 0; i < n; ++i) {
            const long double share = i == k ? 0.0L : a[i][k] / a[k][k];
            for (size_t j = 0; j < n; ++j) {
                a[i][j] -= share * a[k][j];
                it->inverse[i][j] -= share * it->inverse[k][j];
            }
        }
        const long double pivot = a[k][k];
        for (size_t j = 0; j < n; ++j) {
            a[k][j] /= pivot;
            it->inverse[k][j] /= pivot;
        }
    }
}

// The kernel's matrix may be singular where the error of its entries may be as large as its inverse leaves room for.
static void look_at_pivots(const Judge *judge, Iterate *matrix)
{
    const size_t n = judge->n;
    bool         few = true;
    for (size_t i = 0; i < n && !matrix->singular; ++i) {
        long double row = 0.0L;
        for (size_t j = 0; j < n; ++j)
            for (size_t k = 0; k < n; ++k)
                row += fabsl(matrix->inverse[i][j]) * matrix->error[j][k] * (matrix->size[k] / matrix->size[i]);
        few = few && row < 0.5L;
    }
    matrix->pivots = matrix->pivots && !matrix->singular && few;
}

// Nothing is known of a product with a number of which nothing is known, be the other one 0; nor of one that is too
// large for a kernel.
static long double times_off(long double size, long double off)
{
    const long double product = size * off;
    return product < 0x1p1024L ? product : INFINITY;
}

// Error of an entry of M J: by the kernel's matrix, its elimination and the sum that is the slope.
static long double weighed_error(const Judge *judge, const Solve *solve, const Iterate *matrix, size_t i, size_t j)
{
    const long double roundings = (long double)(5 * judge->n + 4);
    return fabsl(solve->masses[i]) * (matrix->error[i][j] + roundings * judge->u * fabsl(matrix->J[i][j]));
}

// Whether Newton's way leads down whatever the residual is: the symmetric part of M J is positive definite, by more
// than its error in the norm of row sums. By Cholesky's pivots.
static bool leads_down(const Judge *judge, const Solve *solve, const Iterate *matrix)
{
    const size_t      n = judge->n;
    const SolveMatrix a = iterate_spare(judge);
    long double       off = 0.0L;
    for (size_t i = 0; i < n; ++i) {
        long double row = 0.0L;
        for (size_t j = 0; j < n; ++j) {
            const long double size = matrix->size[i] * matrix->size[j];
            a[i][j] = 0.5L * size * (solve->masses[i] * matrix->J[i][j] + solve->masses[j] * matrix->J[j][i]);
            row +=
                0.5L * size * (weighed_error(judge, solve, matrix, i, j) + weighed_error(judge, solve, matrix, j, i));
        }
        off = larger_of(off, row);
    }
    for (size_t k = 0; k < n; ++k) {
        if (!(a[k][k] > off))
            return false;
        for (size_t i = k + 1; i < n; ++i)
            for (size_t j = k + 1; j < n; ++j)
                a[i][j] -= a[i][k] * a[k][j] / (a[k][k] - off);
    }
    return true;
}

// Where a line search begins.
//   noise  error of the residual at the end of Newton's way, without the iterate's
static void begin_search(const Judge *judge, const Iterate *from, const Iterate *matrix, const long double *noise,
                         MinimumStart *start)
{
    start->u = iterate_known(judge, from);
    start->f = residual_of(judge, from);
    for (size_t i = 0; i < judge->n; ++i) {
        Ball *way = &start->way.i[i];
        way->off = from->moved[i];
        for (size_t j = 0; j < judge->n; ++j)
            way->off += times_off(fabsl(matrix->inverse[i][j]), noise[j]);
    }
}

// Error of a step: to->moved where the way was turned, else the residual's bounds before they are carried.
static void bound_step(const Judge *judge, const Iterate *from, const Iterate *matrix, const MinimumStart *start,
                       const MinimumPart *part, const long double *noise, Iterate *to)
{
    const size_t n = judge->n;
    to->turned = start->turned;
    for (size_t i = 0; i < n; ++i) {
        const Ball       *way = &start->way.i[i];
        const long double ends = (part->first - part->last) * fabsl(way->at);
        to->moved[i] = ends + from->moved[i] + way->off + 2.0L * judge->u * fabsl(to->u.i[i].at);
        to->off[i] = noise[i];
    }
    // A part of the way leaves a part of the iterate's error.
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            const Ball       *way = &start->way.i[j];
            const long double slope = fabsl(matrix->J[i][j]);
            to->off[i] += 2.0L * judge->u * slope * fabsl(to->u.i[j].at);
            if (part->last < 1.0L || part->first < 1.0L)
                to->off[i] += times_off(slope, (part->first - part->last) * fabsl(way->at) + from->moved[j] + way->off);
        }
}

bool iterate_step(const Judge *judge, const Solve *solve, const Iterate *from, const Iterate *matrix, Iterate *to,
                  bool *ends)
{
    const size_t n = judge->n;
    MinimumStart start = {.turned = false};
    MinimumPart  part = {1.0L, 1.0L, true};
    long double  noise[CERTIFICATE_DOFS];
    for (size_t i = 0; i < n; ++i) {
        start.way.i[i] = ball(0.0L);
        for (size_t j = 0; j < n; ++j)
            start.way.i[i].at -= matrix->inverse[i][j] * from->f.i[j].at;
    }
    for (size_t i = 0; i < n; ++i) {
        noise[i] = from->f.i[i].off;
        for (size_t j = 0; j < n; ++j)
            noise[i] += (matrix->error[i][j] + judge->u * fabsl(matrix->J[i][j]) * (long double)(4 * n + 4)) *
                        fabsl(start.way.i[j].at);
    }
    // Of such a matrix nothing is known to first order.
    for (size_t i = 0; i < n && !matrix->pivots; ++i)
        noise[i] = INFINITY;
    if (solve->masses) {
        begin_search(judge, from, matrix, noise, &start);
        start.down = leads_down(judge, solve, matrix);
        part = minimum_part(judge, solve, &start);
    }
    *ends = part.last == 0.0L;
    for (size_t i = 0; i < n; ++i)
        to->u.i[i] = ball(from->u.i[i].at + part.first * start.way.i[i].at);
    to->first = false;
    find_residual(judge, solve, to);
    bound_step(judge, from, matrix, &start, &part, noise, to);
    return part.found;
}

// The derivatives at a place, by central differences in long double.
//   sizes  [n] sizes that the differences are narrow for, beside the place itself; where both are 0 it is `unit`
static void find_slopes(const Judge *judge, const Solve *solve, const Vector *at, const long double *sizes,
                        const long double *unit, SolveMatrix slopes)
{
    const size_t n = judge->n;
    Judge        plain = *judge;
    Vector       moved = *at, ahead, behind;
    bool         overflow = false;
    plain.plain = true;
    plain.overflow = &overflow;
    for (size_t j = 0; j < n; ++j) {
        const long double here = at->i[j].at, size = larger_of(fabsl(here), sizes[j]),
                          w = 0x1p-20L * (size > 0.0L ? size : unit[j]);
        moved.i[j].at = here + w;
        solve_residual(&plain, solve, &moved, &ahead);
        moved.i[j].at = here - w;
        solve_residual(&plain, solve, &moved, &behind);
        moved.i[j] = at->i[j];
        for (size_t i = 0; i < n; ++i)
            slopes[i][j] = (ahead.i[i].at - behind.i[i].at) / (2.0L * w);
    }
}

// Adds |a - b| x, times a number; b NULL: of zeros.
static void multiply_sizes(const Judge *judge, SolveMatrix a, SolveMatrix b, const long double *x, long double by,
                           long double *sum)
{
    for (size_t i = 0; i < judge->n; ++i)
        for (size_t j = 0; j < judge->n; ++j)
            sum[i] += times_off(by * fabsl(a[i][j] - (b ? b[i][j] : 0.0L)), x[j]);
}

static long double largest_of(const Judge *judge, const long double *x, const long double *sizes)
{
    long double largest = 0.0L;
    for (size_t i = 0; i < judge->n; ++i)
        largest = larger_of(largest, x[i] / sizes[i]);
    return largest;
}

static long double place_of(const Judge *judge, const Iterate *it)
{
    long double largest = 0.0L;
    for (size_t i = 0; i < judge->n; ++i)
        largest = larger_of(largest, fabsl(it->u.i[i].at) / it->size[i]);
    return largest;
}

// How much the derivatives change for each unit of a way: the way here, unless it is short for the widths of
// find_slopes() and does not show it, or that along which the iterate before was off, whichever is more.
static void find_bends(const Judge *judge, const Solve *solve, const Iterate *from, const long double *ways,
                       Iterate *to)
{
    const size_t      n = judge->n;
    const long double way = largest_of(judge, ways, to->size), off = largest_of(judge, from->moved, to->size);
    const bool        here = way > 0x1p-20L * place_of(judge, to), there = off > 0.0L && off < INFINITY;
    Vector            beside = from->u;
    const SolveMatrix slopes = iterate_spare(judge);
    for (size_t j = 0; there && j < n; ++j)
        beside.i[j].at += from->moved[j];
    if (there)
        find_slopes(judge, solve, &beside, from->moved, to->size, slopes);
    to->bent = here || there || from->bent;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            const long double on_way = here ? fabsl(to->slopes[i][j] - from->slopes[i][j]) / way : 0.0L,
                              on_off = there ? fabsl(slopes[i][j] - from->slopes[i][j]) / off : 0.0L;
            to->bends[i][j] = larger_of(on_way, on_off);
            if (!here && from->bent)
                to->bends[i][j] = larger_of(to->bends[i][j], from->bends[i][j]);
        }
}

// Adds the error of the residual here where the derivatives differ from the derivatives there, by as much as the
// iterate there was off.
static void add_bends(const Judge *judge, const Iterate *from, Iterate *to)
{
    const long double most = largest_of(judge, from->moved, to->size);
    if (most < INFINITY)
        multiply_sizes(judge, to->bends, NULL, from->moved, most, to->off);
}

// Carries the error of the iterate before through Newton's update. The update makes it J^-1 (J - D) times the error, D
// the derivatives there; a matrix that is made anew changes with the iterate, by as much of its change on the way as
// the iterate is off of the way, which moves the update; and so do the derivatives. The new residual's error is that
// times D' = J + (D' - J), D' the derivatives at the new iterate. After an update of steepest descent, whose bounds are
// known already, it is D' times them.
//   off  the iterate before was off at all
static void carry(const Judge *judge, const Iterate *from, const Iterate *matrix, bool off, Iterate *to)
{
    if (to->turned)
        memset(to->off, 0, sizeof to->off);
    else if (off)
        multiply_sizes(judge, matrix->J, from->slopes, from->moved, 1.0L, to->off);
    if (!to->turned && off && !judge->substep->newton->modified)
        multiply_sizes(judge, to->J, from->J, from->moved, 1.0L, to->off);
    if (to->turned || off)
        add_bends(judge, from, to);
    for (size_t i = 0; !to->turned && i < judge->n; ++i) {
        to->moved[i] = 0.0L;
        for (size_t j = 0; j < judge->n; ++j)
            to->moved[i] += times_off(fabsl(matrix->inverse[i][j]), to->off[j]);
    }
    multiply_sizes(judge, to->slopes, to->turned ? NULL : matrix->J, to->moved, 1.0L, to->off);
    for (size_t i = 0; i < judge->n; ++i)
        to->off[i] += to->f.i[i].off;
}

void iterate_invert(const Judge *judge, Iterate *matrix)
{
    invert(judge, matrix);
    look_at_pivots(judge, matrix);
}

void iterate_carry(const Judge *judge, const Solve *solve, const Iterate *from, const Iterate *matrix, bool off,
                   Iterate *to)
{
    long double ways[CERTIFICATE_DOFS];
    for (size_t j = 0; j < judge->n; ++j)
        ways[j] = fabsl(to->u.i[j].at - from->u.i[j].at);
    find_slopes(judge, solve, &to->u, ways, to->size, to->slopes);
    for (size_t i = 0; i < judge->n; ++i)
        memset(to->bends[i], 0, judge->n * sizeof *to->bends[i]);
    to->bent = false;
    if (off)
        find_bends(judge, solve, from, ways, to);
    carry(judge, from, matrix, off, to);
}

// A guess that is known within bounds only is off by them, and its residual by the derivatives times these.
void iterate_begin(const Judge *judge, const Solve *solve, Iterate *it)
{
    it->u = *solve->guess;
    it->bent = it->turned = false;
    if (solve->masses)
        minimum_guess(judge, solve, &it->u);
    for (size_t i = 0; i < judge->n; ++i) {
        it->off[i] = 0.0L;
        it->moved[i] = it->u.i[i].off;
    }
    it->first = true;
    find_residual(judge, solve, it);
    if (!iterate_is_off(judge, it))
        return;
    find_slopes(judge, solve, &it->u, it->moved, it->size, it->slopes);
    multiply_sizes(judge, it->slopes, NULL, it->moved, 1.0L, it->off);
    for (size_t i = 0; i < judge->n; ++i)
        it->off[i] += it->f.i[i].off;
}

bool iterate_is_off(const Judge *judge, const Iterate *it)
{
    return largest_of(judge, it->moved, it->size) > 0.0L;
}
