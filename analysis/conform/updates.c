// updates -- Newton's iteration in long double, with intervals about what it decides by.
#include "analysis/conform/updates.h"

#include "analysis/conform/condition.h"
#include "analysis/conform/search.h"

#include <string.h>

// The share of a floor by which the rounding of the kernel's matrix may change it.
#define FLOOR_ROUNDING 0x1p-10L

typedef long double Matrix32[CERTIFICATE_DOFS][CERTIFICATE_DOFS];

// An iterate and what is known of it.
typedef struct Iterate {
    Vector      u, f;                     // the residual's bounds are its own rounding
    long double off[CERTIFICATE_DOFS];    // how far the kernel's residual may be from f
    long double moved[CERTIFICATE_DOFS];  // how far its iterate may be from u
    Matrix32    J, inverse, slopes;       // the matrix, and the derivatives
    Matrix32    error;                    // what the entries of the kernel's matrix may be off
    bool        finite, fits;             // the residual is a number; it is one in the kernel's precision too
    bool        singular, pivots;         // no pivots in long double; the kernel has some in any case
} Iterate;

static void find_residual(const Judge *judge, const Solve *solve, Iterate *it)
{
    Judge one = *judge;
    bool  overflow = false;
    one.overflow = &overflow;
    equations_residual(&one, solve, &it->u, &it->f);
    it->finite = true;
    for (size_t i = 0; i < judge->n; ++i) {
        it->finite = it->finite && isfinite(it->f.i[i].at);
        overflow = overflow || !(fabsl(it->f.i[i].at) < 0.5L * equations_limit(judge));
    }
    it->fits = !overflow;
}

static long double norm(const Judge *judge, const Vector *vector)
{
    long double largest = 0.0L;
    for (size_t i = 0; i < judge->n; ++i)
        largest = larger_of(largest, fabsl(vector->i[i].at));
    return largest;
}

// The width of the kernel's differences (section 2.1.1, with a floor of 1).
static long double stencil(const Judge *judge, const Vector *u)
{
    const long double epsilon = 2.0L * judge->u;
    return (judge->substep->newton->cube_root_stencil ? cbrtl(epsilon) : sqrtl(epsilon)) *
           larger_of(norm(judge, u), 1.0L);
}

// The matrix in closed form. An entry is a sum of terms that may cancel, of the matrix's size.
static void find_derivative(const Judge *judge, const Solve *solve, Iterate *it)
{
    const size_t n = judge->n;
    long double  largest = 0.0L;
    for (size_t j = 0; j < n; ++j) {
        const MatrixColumn column = equations_column(judge, solve, &it->u, j, &it->f);
        for (size_t i = 0; i < n; ++i) {
            it->J[i][j] = column.at[i];
            it->error[i][j] = column.off[i];
            largest = larger_of(largest, fabsl(column.at[i]));
        }
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            it->error[i][j] += (long double)(judge->substep->exact->operations + 4) * judge->u * largest;
    it->pivots = true;
}

// The matrix by the differences that the kernel takes; an analytic one as exactly as can be.
static void find_matrix(const Judge *judge, const Solve *solve, Iterate *it)
{
    const Newton     *newton = judge->substep->newton;
    const size_t      n = judge->n;
    const long double s = stencil(judge, &it->u);
    Judge             plain = *judge;
    Vector            moved = it->u, ahead, behind;
    bool              overflow = false;
    plain.plain = true;
    plain.overflow = &overflow;
    if (newton->jacobian == JACOBIAN_ANALYTIC) {
        find_derivative(judge, solve, it);
        return;
    }
    for (size_t j = 0; j < n; ++j) {
        moved.i[j].at = it->u.i[j].at + s;
        equations_residual(&plain, solve, &moved, &ahead);
        moved.i[j].at = it->u.i[j].at - s;
        if (newton->jacobian != JACOBIAN_FORWARD)
            equations_residual(&plain, solve, &moved, &behind);
        moved.i[j] = it->u.i[j];
        for (size_t i = 0; i < n; ++i) {
            const bool forward = newton->jacobian == JACOBIAN_FORWARD;
            it->J[i][j] = forward ? (ahead.i[i].at - it->f.i[i].at) / s : (ahead.i[i].at - behind.i[i].at) / (2.0L * s);
            // Where a difference leads to larger numbers than the iterate has, they are rounded by more.
            it->error[i][j] = larger_of(it->f.i[i].off, ahead.i[i].off) / s;
            if (!forward)
                it->error[i][j] = larger_of(it->error[i][j], behind.i[i].off / s);
            it->error[i][j] *= forward ? 2.0L : 1.0L;
        }
    }
    it->pivots = !overflow;
}

// Gauss and Jordan's elimination with the largest pivot of each column.
static void invert(const Judge *judge, Iterate *it)
{
    const size_t n = judge->n;
    Matrix32     a;
    it->singular = false;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            a[i][j] = it->J[i][j];
            it->inverse[i][j] = i == j ? 1.0L : 0.0L;
        }
    for (size_t k = 0; k < n && !it->singular; ++k) {
        size_t best = k;
        for (size_t i = k + 1; i < n; ++i)
            best = fabsl(a[i][k]) > fabsl(a[best][k]) ? i : best;
        it->singular = !(fabsl(a[best][k]) > 0.0L);
        for (size_t j = 0; j < n && best != k; ++j) {
            const long double x = a[k][j], y = it->inverse[k][j];
            a[k][j] = a[best][j], a[best][j] = x;
            it->inverse[k][j] = it->inverse[best][j], it->inverse[best][j] = y;
        }
        for (size_t i = 0; i < n; ++i) {
            const long double share = i == k ? 1.0L - 1.0L / a[k][k] : a[i][k] / a[k][k];
            for (size_t j = 0; j < n; ++j) {
                a[i][j] -= share * a[k][j];
                it->inverse[i][j] -= share * it->inverse[k][j];
            }
        }
    }
}

// The kernel's matrix may be singular where what its entries are off may be as much as its inverse leaves.
static void look_at_pivots(const Judge *judge, Iterate *matrix)
{
    const size_t n = judge->n;
    bool         few = true;
    for (size_t i = 0; i < n && !matrix->singular; ++i) {
        long double row = 0.0L;
        for (size_t j = 0; j < n; ++j)
            for (size_t k = 0; k < n; ++k)
                row += fabsl(matrix->inverse[i][j]) * matrix->error[j][k];
        few = few && row < 0.5L;
    }
    matrix->pivots = matrix->pivots && !matrix->singular && few;
}

// Bounds the condition number that the kernel has of the matrix.
//   from  the iterate before that of the matrix; NULL: that is the guess
static void bound_condition(const Judge *judge, const Iterate *matrix, const Iterate *from, UpdateRecord *record)
{
    const size_t  n = judge->n;
    const Newton *newton = judge->substep->newton;
    Matrix32      off;
    long double   bounds[2], way = 0.0L, moved = 0.0L;
    for (size_t j = 0; from && j < n; ++j) {
        way = larger_of(way, fabsl(matrix->u.i[j].at - from->u.i[j].at));
        moved = larger_of(moved, matrix->moved[j]);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            off[i][j] = matrix->error[i][j];
            if (from && moved > 0.0L)
                off[i][j] += way > moved ? fabsl(matrix->J[i][j] - from->J[i][j]) * moved / way : INFINITY;
        }
    condition_bound(n, CERTIFICATE_DOFS, &matrix->J[0][0], &off[0][0], judge->u, equations_limit(judge),
                    newton->jacobian == JACOBIAN_ANALYTIC ? 1.0L : 2.0L * stencil(judge, &matrix->u),
                    !judge->substep->conditions->summed, bounds);
    record->least = bounds[0];
    record->most = bounds[1];
}

// Nothing is known of a product with a number of which nothing is known, be the other one 0.
static long double times_off(long double size, long double off)
{
    return off < INFINITY ? size * off : INFINITY;
}

// u - J^-1 f, or a part of that way, and how far the kernel's may be from it. False where no part may do.
//   ends  written: no part must do
static bool step_to(const Judge *judge, const Solve *solve, const Iterate *from, const Iterate *matrix, Iterate *to,
                    bool *ends)
{
    const size_t n = judge->n;
    SearchStart  start = {.u = &from->u, .f = &from->f};
    SearchPart   part = {1.0L, 1.0L, true};
    long double  noise[CERTIFICATE_DOFS];
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j)
            start.way[i] -= matrix->inverse[i][j] * from->f.i[j].at;
    }
    for (size_t i = 0; i < n; ++i) {
        noise[i] = from->f.i[i].off;
        for (size_t j = 0; j < n; ++j)
            noise[i] += (matrix->error[i][j] + judge->u * fabsl(matrix->J[i][j]) * (long double)(4 * n + 4)) *
                        fabsl(start.way[j]);
    }
    // Of such a matrix nothing is known to first order.
    for (size_t i = 0; i < n && !matrix->pivots; ++i)
        noise[i] = INFINITY;
    if (solve->objective) {
        for (size_t i = 0; i < n; ++i) {
            start.off[i] = from->moved[i];
            for (size_t j = 0; j < n; ++j)
                start.off[i] += times_off(fabsl(matrix->inverse[i][j]), noise[j]);
        }
        part = search_part(judge, solve, &start);
    }
    *ends = part.last == 0.0L;
    for (size_t i = 0; i < n; ++i)
        to->u.i[i] = ball(from->u.i[i].at + part.first * start.way[i]);
    find_residual(judge, solve, to);
    // A part of the way leaves a part of what the iterate was off.
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            const long double slope = fabsl(matrix->J[i][j]);
            noise[i] += 2.0L * judge->u * slope * fabsl(to->u.i[j].at);
            if (part.last < 1.0L || part.first < 1.0L)
                noise[i] +=
                    times_off(slope, (part.first - part.last) * fabsl(start.way[j]) + from->moved[j] + start.off[j]);
        }
    memcpy(to->off, noise, sizeof noise);
    return part.found;
}

// The derivatives at an iterate, which the matrix need not be near to: its differences may be wide, or another
// iterate's.
//   from  the iterate before
static void find_slopes(const Judge *judge, const Solve *solve, const Iterate *from, Iterate *it)
{
    const size_t n = judge->n;
    Judge        plain = *judge;
    Vector       moved = it->u, ahead, behind;
    bool         overflow = false;
    plain.plain = true;
    plain.overflow = &overflow;
    for (size_t j = 0; j < n; ++j) {
        const long double here = it->u.i[j].at, way = fabsl(here - from->u.i[j].at), size = larger_of(fabsl(here), way),
                          w = size > 0.0L ? 0x1p-20L * size : 0x1p-20L;
        moved.i[j].at = here + w;
        equations_residual(&plain, solve, &moved, &ahead);
        moved.i[j].at = here - w;
        equations_residual(&plain, solve, &moved, &behind);
        moved.i[j] = it->u.i[j];
        for (size_t i = 0; i < n; ++i)
            it->slopes[i][j] = (ahead.i[i].at - behind.i[i].at) / (2.0L * w);
    }
}

static void multiply_sizes(const Judge *judge, const Matrix32 a, const Matrix32 b, const long double *x, long double by,
                           long double *sum)
{
    for (size_t i = 0; i < judge->n; ++i)
        for (size_t j = 0; j < judge->n; ++j)
            sum[i] += times_off(by * fabsl(a[i][j] - b[i][j]), x[j]);
}

// Carries what the iterate before was off through the update. That leads to J^-1 (J - D) of it, D the derivatives
// there; a matrix that is made anew changes with the iterate, by as much of its change on the way as the iterate is off
// of the way, which moves the update; and so do the derivatives. The residual is then off by D' = J + (D' - J) of that,
// D' the derivatives at the new iterate.
//   off  the iterate before was off at all
static void carry(const Judge *judge, const Iterate *from, const Iterate *matrix, bool off, Iterate *to)
{
    const size_t n = judge->n;
    long double  way = 0.0L, most = 0.0L;
    for (size_t j = 0; off && j < n; ++j) {
        way = larger_of(way, fabsl(to->u.i[j].at - from->u.i[j].at));
        most = larger_of(most, from->moved[j]);
    }
    if (off)
        multiply_sizes(judge, matrix->J, from->slopes, from->moved, 1.0L, to->off);
    if (off && !judge->substep->newton->modified)
        multiply_sizes(judge, to->J, from->J, from->moved, 1.0L, to->off);
    if (off && way > 0.0L && most < INFINITY)
        multiply_sizes(judge, to->slopes, from->slopes, from->moved, most / way, to->off);
    for (size_t i = 0; i < n; ++i) {
        to->moved[i] = 0.0L;
        for (size_t j = 0; j < n; ++j)
            to->moved[i] += times_off(fabsl(matrix->inverse[i][j]), to->off[j]);
    }
    multiply_sizes(judge, to->slopes, matrix->J, to->moved, 1.0L, to->off);
    for (size_t i = 0; i < n; ++i)
        to->off[i] += to->f.i[i].off;
}

// Whether a residual may be accepted, below the tolerance or at the floor, and whether it must.
static void judge_residual(const Judge *judge, const Solve *solve, const Iterate *it, const long double *rows,
                           UpdateRecord *record, bool *must)
{
    const CertificateSubstep *substep = judge->substep;
    const long double         tolerance = substep->tolerance / solve->scale;
    const bool                guard = substep->newton->floor_guard;
    long double               floors[CERTIFICATE_DOFS] = {0};
    bool                      below = true, at_floor = guard;
    record->tolerance = true;
    record->floor = guard;
    if (guard)
        equations_floor(judge, solve, &it->u, rows, floors);
    for (size_t i = 0; i < judge->n; ++i) {
        // The floor has the rounding of the kernel's matrix.
        const long double size = fabsl(it->f.i[i].at), limit = larger_of(tolerance, floors[i]),
                          off = it->off[i] + FLOOR_ROUNDING * floors[i], slack = 2.0L * judge->u * tolerance;
        record->tolerance = record->tolerance && !(size - it->off[i] > tolerance + slack);
        record->floor = record->floor && !(size - off > limit + slack);
        below = below && size + it->off[i] <= tolerance - slack;
        at_floor = at_floor && size + off <= limit - slack;
    }
    record->floor = record->floor && !below;
    *must = below || at_floor;
}

// Whether all residuals up to this one may be no smaller than the first, and whether they must be.
static void judge_rise(const Judge *judge, const Iterate *it, const Iterate *first, bool *may, bool *must)
{
    long double off = 0.0L, start = 0.0L;
    for (size_t i = 0; i < judge->n; ++i) {
        off = larger_of(off, it->off[i]);
        start = larger_of(start, first->f.i[i].off);
    }
    const long double size = norm(judge, &it->f), from = norm(judge, &first->f);
    *may = *may && !(size + off < from - start);
    *must = *must && size - off >= from + start;
}

// Sets what the first iterate is. A guess that is known within bounds only is off by them.
static void begin(const Judge *judge, const Solve *solve, Iterate *it)
{
    it->u = *solve->guess;
    if (solve->objective)
        search_guess(judge, solve, &it->u);
    for (size_t i = 0; i < judge->n; ++i) {
        it->off[i] = 0.0L;
        it->moved[i] = it->u.i[i].off;
    }
    find_residual(judge, solve, it);
}

static void add_failure(Updates *possible, CertificateEnd end, uint64_t updates)
{
    if (possible->failure_count < UPDATES_FAILURES)
        possible->failures[possible->failure_count++] = (UpdateFailure){end, updates};
    else
        possible->failures[UPDATES_FAILURES - 1] = (UpdateFailure){end, updates};
}

// Notes that the solve may be accepted here.
static void add_end(const Judge *judge, const Iterate *it, const long double *rows, uint64_t k, Updates *possible)
{
    if (!possible->accepted) {
        possible->least = k;
        possible->u = it->u;
        for (size_t i = 0; i < judge->n; ++i)
            possible->u.i[i].off = 0.0L;
    }
    possible->accepted = true;
    possible->most = k;
    for (size_t i = 0; i < judge->n; ++i) {
        Ball *u = &possible->u.i[i];
        u->off = larger_of(u->off, fabsl(it->u.i[i].at - u->at) + it->moved[i]);
        possible->rows[i] = larger_of(possible->rows[i], rows[i]);
    }
}

// Keeps the iterate to which as many updates lead as are counted.
static void keep_last(const Judge *judge, const Iterate *it, Updates *possible)
{
    possible->reached = true;
    possible->last = it->u;
    for (size_t i = 0; i < judge->n; ++i)
        possible->last.i[i].off = it->moved[i];
}

// Notes that the solve may end in any way after update k: its matrix is singular, but not as the kernel has it, whose
// entries are differences that are rounded; the reference makes as many updates.
static void add_anything(const Judge *judge, const Iterate *it, uint64_t k, Updates *possible)
{
    Iterate           anywhere = *it;
    const long double rows[CERTIFICATE_DOFS] = {0};
    for (size_t i = 0; i < judge->n; ++i)
        anywhere.moved[i] = INFINITY;
    for (; k <= judge->substep->counts.updates; ++k) {
        add_failure(possible, CERTIFICATE_SINGULAR, k);
        add_failure(possible, CERTIFICATE_NOT_FINITE, k);
        add_failure(possible, CERTIFICATE_MISSED, k);
        add_end(judge, &anywhere, rows, k, possible);
        if (k <= UPDATES_RECORDED)
            possible->records[k - 1] = (UpdateRecord){true, judge->substep->newton->floor_guard, 1.0L, INFINITY};
    }
}

// Row sums of the matrix but for A, at their most.
static void sum_rows(const Judge *judge, const Solve *solve, const Iterate *matrix, bool most, long double *rows)
{
    for (size_t i = 0; i < judge->n; ++i) {
        rows[i] = 0.0L;
        for (size_t j = 0; j < judge->n; ++j)
            rows[i] += fabsl(matrix->J[i][j] - (i == j ? solve->A.at : 0.0L)) + (most ? matrix->error[i][j] : 0.0L);
    }
}

// What an update has led to: whether the solve ends there in any case.
static bool judge_update(const Judge *judge, const Solve *solve, const Iterate *to, const Iterate *matrix, uint64_t k,
                         Updates *possible)
{
    UpdateRecord unrecorded, *record = k <= UPDATES_RECORDED ? &possible->records[k - 1] : &unrecorded;
    long double  rows[CERTIFICATE_DOFS];
    bool         must = true;
    sum_rows(judge, solve, matrix, false, rows);
    if (judge->substep->method->solver == SOLVER_LINEARISED)
        record->tolerance = true;
    else
        judge_residual(judge, solve, to, rows, record, &must);
    sum_rows(judge, solve, matrix, true, rows);
    if (record->tolerance || record->floor)
        add_end(judge, to, rows, k, possible);
    return must;
}

void updates_possible(const Judge *judge, const Solve *solve, Updates *possible)
{
    const CertificateSubstep *substep = judge->substep;
    const bool                linearised = substep->method->solver == SOLVER_LINEARISED;
    const uint64_t            most = linearised ? 1 : substep->max_updates;
    Iterate                   iterates[3], *matrix = NULL;  // the first is kept
    bool                      rise_may = true, rise_must = true, ends;
    *possible = (Updates){.accepted = false};
    begin(judge, solve, &iterates[0]);
    if (!iterates[0].fits)
        add_failure(possible, CERTIFICATE_NOT_FINITE, 0);
    if (!iterates[0].finite)
        return;
    for (uint64_t k = 1; k <= most; ++k) {
        Iterate *from = &iterates[k == 1 ? 0 : 1 + k % 2], *to = &iterates[1 + (k + 1) % 2];
        if (k == 1)
            find_matrix(judge, solve, from);
        if (k == 1 || !substep->newton->modified) {
            const Iterate *before = k == 1 ? NULL : k == 2 ? &iterates[0] : to;
            if (substep->conditions && k <= UPDATES_RECORDED)
                bound_condition(judge, from, before, &possible->records[k - 1]);
            matrix = from;
            invert(judge, matrix);
            look_at_pivots(judge, matrix);
        }
        if (!matrix->pivots)
            add_failure(possible, CERTIFICATE_SINGULAR, k - 1);
        if (matrix->singular && substep->counted)
            add_anything(judge, from, k, possible);
        if (matrix->singular || k > substep->counts.updates)
            return;
        const bool found = step_to(judge, solve, from, matrix, to, &ends);
        if (ends)
            add_failure(possible, CERTIFICATE_MISSED, k);
        if (!found)
            return;
        if (!to->fits)
            add_failure(possible, CERTIFICATE_NOT_FINITE, k);
        if (!to->finite)
            return;
        if (k > 1 && !substep->newton->modified)
            find_matrix(judge, solve, to);
        find_slopes(judge, solve, from, to);
        carry(judge, from, matrix, k > 1, to);
        if (k == substep->counts.updates)
            keep_last(judge, to, possible);
        if (judge_update(judge, solve, to, matrix, k, possible))
            return;
        if (k == 1 && k < most && !substep->newton->modified)
            find_matrix(judge, solve, to);
        judge_rise(judge, to, &iterates[0], &rise_may, &rise_must);
        if (k == 3 && rise_may)
            add_failure(possible, CERTIFICATE_MISSED, k);
        if (k == 3 && rise_must)
            return;
    }
    add_failure(possible, CERTIFICATE_MISSED, most);
}

bool updates_may_end(const Updates *possible, uint64_t updates, bool *tolerance, bool *floor)
{
    const bool within = possible->accepted && updates >= possible->least && updates <= possible->most,
               recorded = within && updates <= UPDATES_RECORDED;
    *tolerance = recorded ? possible->records[updates - 1].tolerance : within;
    *floor = recorded ? possible->records[updates - 1].floor : within;
    return *tolerance || *floor;
}
