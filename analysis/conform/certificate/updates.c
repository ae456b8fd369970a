// updates -- Newton's iteration in long double, with intervals about the numbers that it decides by.
#include "analysis/conform/certificate/updates.h"

#include "analysis/conform/certificate/iterate.h"
#include "reference/eigen.h"
#include "reference/problem.h"

// The part of a floor by which the rounding of the kernel's matrix may change it.
#define FLOOR_ROUNDING 0x1p-10L

// A solve fails whose residual has not fallen after so many updates.
enum { RISES = 3 };

// Whether a solve is one update, whose end is not looked at.
static bool once(const Card *method)
{
    return method->solver == SOLVER_LINEARISED || method->solver == SOLVER_ROSENBROCK;
}

// Whether all residuals so far may be no smaller than the first, and whether they must be.
typedef struct Rise {
    bool may, must;
} Rise;

// Sums of the rows of the matrix without A, each entry times the size that an evaluation rounds there, at their least
// and most.
//   wider  with the error of the kernel's matrix
static void sum_rows(const Judge *judge, const Solve *solve, const Iterate *at, const Iterate *matrix, bool wider,
                     long double *least, long double *most)
{
    const Vector u = iterate_known(judge, at);
    Sizes        extent;
    solve_extent(judge, solve, &u, &extent);
    for (size_t i = 0; i < judge->n; ++i) {
        least[i] = most[i] = 0.0L;
        for (size_t j = 0; j < judge->n; ++j) {
            const long double slope =
                fabsl(matrix->J[i][j] - (i == j ? solve->A.at : 0.0L)) + (wider ? matrix->error[i][j] : 0.0L);
            least[i] += slope * extent.least[j];
            most[i] += slope * extent.most[j];
        }
    }
}

// Whether a residual may be accepted, below the tolerance or at the floor, and whether it must.
//   matrix  that of the next update
static void judge_residual(const Judge *judge, const Solve *solve, const Iterate *it, const Iterate *matrix,
                           UpdateRecord *record, bool *must)
{
    const CertificateSubstep *substep = judge->substep;
    const bool                guard = substep->newton->floor_guard;
    long double               rows[2][CERTIFICATE_DOFS], floors[2][CERTIFICATE_DOFS] = {{0}};
    bool                      below = true, at_floor = guard;
    const Vector              u = iterate_known(judge, it);
    Sizes                     sizes;
    record->tolerance = true;
    record->floor = guard;
    solve_row_sizes(judge, solve, &u, &sizes);
    if (guard) {
        sum_rows(judge, solve, it, matrix, false, rows[0], rows[1]);
        solve_floor(judge, solve, &it->u, rows[0], floors[0]);
        solve_floor(judge, solve, &it->u, rows[1], floors[1]);
    }
    for (size_t i = 0; i < judge->n; ++i) {
        // The floor has the rounding of the kernel's matrix.
        const long double size = fabsl(it->f.i[i].at), off = it->off[i], matrix_off = FLOOR_ROUNDING * floors[1][i],
                          slack = 2.0L * judge->u, least = substep->tolerance * sizes.least[i] * (1.0L - slack),
                          most = substep->tolerance * sizes.most[i] * (1.0L + slack);
        record->tolerance = record->tolerance && !(size - off > most);
        record->floor = record->floor && !(size - off - matrix_off > larger_of(most, floors[1][i]));
        below = below && size + off <= least;
        at_floor = at_floor && size + off + matrix_off <= larger_of(least, floors[0][i]);
    }
    record->floor = record->floor && !below;
    *must = below || at_floor;
}

// The failure rule's factor of a row of the residual: 1 over the power of two at the size of the velocity before or
// below, or at the first residual where that is 0; at its least and most.
static void weigh_row(const Judge *judge, const Solve *solve, const Iterate *first, size_t i, long double weights[2])
{
    const long double duration = solve->acceleration ? judge->h.at : 1.0L, kept = judge->substep->before.scale[i],
                      f = duration * fabsl(first->f.i[i].at),
                      off = duration * larger_of(first->f.i[i].off, first->off[i]), most = kept > 0.0L ? kept : f + off,
                      least = kept > 0.0L ? kept : larger_of(f - off, 0.0L);
    weights[0] = most > 0.0L ? duration * ldexpl(1.0L, -ilogbl(most)) : 0.0L;
    weights[1] = least > 0.0L ? duration * ldexpl(1.0L, -ilogbl(least)) : most > 0.0L ? INFINITY : 0.0L;
}

// Bounds of a residual's size in its largest row.
static void size_residual(const Judge *judge, const Solve *solve, const Iterate *it, const Iterate *first,
                          long double bounds[2])
{
    bounds[0] = bounds[1] = 0.0L;
    for (size_t i = 0; i < judge->n; ++i) {
        const long double size = fabsl(it->f.i[i].at), off = larger_of(it->f.i[i].off, it->off[i]);
        long double       weights[2] = {1.0L, 1.0L};
        if (solve_scaled(judge))
            weigh_row(judge, solve, first, i, weights);
        bounds[0] = larger_of(bounds[0], (size - off) * weights[0]);
        if (size + off > 0.0L)
            bounds[1] = larger_of(bounds[1], (size + off) * weights[1]);
    }
}

static void add_failure(Updates *possible, SolveEnd end, uint64_t updates)
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

// Notes that the solve may end in any way after update k: its matrix is singular, but not as the kernel has it, whose
// entries are differences that are rounded, and the reference, where there is one, makes as many updates; or it begins
// anywhere.
static void add_anything(const Judge *judge, const Iterate *it, uint64_t k, Updates *possible)
{
    Iterate           anywhere = *it;
    const long double rows[CERTIFICATE_DOFS] = {0};
    for (size_t i = 0; i < judge->n; ++i)
        anywhere.moved[i] = INFINITY;
    for (; k <= judge->substep->counts.updates; ++k) {
        add_failure(possible, SOLVE_SINGULAR, k);
        add_failure(possible, SOLVE_NOT_FINITE, k);
        add_failure(possible, SOLVE_FAILED, k);
        add_end(judge, &anywhere, rows, k, possible);
        if (k <= UPDATES_RECORDED)
            possible->records[k - 1] = (UpdateRecord){true, judge->substep->newton->floor_guard, {1.0L, INFINITY}};
    }
}

// Whether the solve goes on from its guess. Of the inner point of a substep, where its first solve was lost, nothing is
// known.
static bool may_begin(const Judge *judge, const Iterate *guess, Updates *possible)
{
    for (size_t i = 0; i < judge->n; ++i)
        if (!(guess->moved[i] < INFINITY)) {
            add_failure(possible, SOLVE_SINGULAR, 0);
            add_failure(possible, SOLVE_NOT_FINITE, 0);
            add_anything(judge, guess, 1, possible);
            return false;
        }
    if (!guess->fits)
        add_failure(possible, SOLVE_NOT_FINITE, 0);
    return guess->finite;
}

// Condition numbers. By Weyl's inequality no singular value moves by more than the norm of the matrix's perturbation.
// The perturbation is the error of the entries and the rounding of the number's computation: for two unknowns by a
// closed form; for more by Jacobi's rotations, which are backward stable (Demmel and Veselic 1992).

// With the singular values' sum and difference as hypotenuses, which lose no digits near 1.
static long double of_two(SolveMatrix m)
{
    const long double a = m[0][0], b = m[0][1], c = m[1][0], d = m[1][1];
    const long double sum = hypotl(a + d, b - c) + hypotl(a - d, b + c), det = fabsl(a * d - b * c);
    return sum * sum / (4.0L * det);
}

static long double of_many(size_t n, SolveMatrix m)
{
    double matrix[REFERENCE_DOFS * REFERENCE_DOFS];
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            matrix[i * n + j] = (double)m[i][j];
    return eigen_condition(n, matrix);
}

// How far the entries may be off: by their own error, and by the iterate's, from their change on the way to it.
static void find_off(const Judge *judge, const Iterate *matrix, const Iterate *from, SolveMatrix off)
{
    const size_t n = judge->n;
    long double  way = 0.0L, moved = 0.0L;
    for (size_t j = 0; from && j < n; ++j) {
        way = larger_of(way, fabsl(matrix->u.i[j].at - from->u.i[j].at) / matrix->size[j]);
        moved = larger_of(moved, matrix->moved[j] / matrix->size[j]);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            off[i][j] = matrix->error[i][j];
            if (from && moved > 0.0L)
                off[i][j] += way > moved ? fabsl(matrix->J[i][j] - from->J[i][j]) * moved / way : INFINITY;
        }
}

// The kernel has the matrix times this: undivided differences of a common width may overflow.
static long double width_of(const Judge *judge, const Solve *solve, const Iterate *matrix)
{
    Sizes widths;
    solve_widths(judge, solve, &matrix->u, matrix->first, &matrix->f, &widths);
    return judge->substep->newton->jacobian == JACOBIAN_ANALYTIC || solve_scaled(judge) ? 1.0L : 2.0L * widths.most[0];
}

// Bounds the condition number in the 2-norm that the kernel has of a matrix.
//   from    the iterate before that of the matrix; NULL: that is the guess
//   bounds  [2] written: the least and the most
static void bound_condition(const Judge *judge, const Solve *solve, const Iterate *matrix, const Iterate *from,
                            long double *bounds)
{
    const size_t   n = judge->n;
    const Roundoff u = judge->u;
    const bool     closed = n == 2 && !judge->substep->reference;
    // Rotations of a column in 30 sweeps, 8 roundings each, and the angle at which they end; LAPACK's own in double.
    const long double own = closed ? 8.0L * u : (long double)n * (30.0L * 8.0L + 4.0L) * u + 0x1p-53L * 32.0L * n;
    long double       size = 0.0L, moved = 0.0L;
    const SolveMatrix off = iterate_spare(judge);
    bounds[0] = bounds[1] = 1.0L;
    if (n == 1)
        return;
    find_off(judge, matrix, from, off);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            size += matrix->J[i][j] * matrix->J[i][j];
            moved += off[i][j] * off[i][j];
        }
    size = sqrtl(size);
    bounds[1] = INFINITY;
    // Fourth powers stand in the closed form, squares elsewhere.
    const long double sum = size * width_of(judge, solve, matrix) * n;
    if (!isfinite(size) || !(sum * sum * (sum * sum) < equations_limit(judge)) || !(size > 0.0L))
        return;
    const long double number = n == 2 ? of_two(matrix->J) : of_many(n, matrix->J);
    // Relative to the largest singular value, which is at least that part of the Frobenius norm.
    const long double part = (sqrtl(moved) + own * size) * sqrtl((long double)n) / size, least = 1.0L / number - part;
    bounds[0] = larger_of(1.0L - 16.0L * u, (1.0L - part) / (1.0L / number + part) * (1.0L - 16.0L * u));
    bounds[1] = least > 0.0L ? (1.0L + part) / least * (1.0L + 16.0L * u) : INFINITY;
}

// Makes the matrix of update k ready, which was found at the iterate that the update goes from.
//   before  the iterate before `from`; NULL: `from` is the guess
static void prepare_matrix(const Judge *judge, const Solve *solve, const Iterate *before, uint64_t k, Iterate *from,
                           Updates *possible)
{
    if (judge->substep->conditions && k <= UPDATES_RECORDED)
        bound_condition(judge, solve, from, before, possible->records[k - 1].condition);
    iterate_invert(judge, from);
}

// Whether update k can be made and is counted.
static bool may_update(const Judge *judge, const Iterate *from, const Iterate *matrix, uint64_t k, Updates *possible)
{
    const CertificateSubstep *substep = judge->substep;
    if (!matrix->pivots)
        add_failure(possible, SOLVE_SINGULAR, k - 1);
    if (matrix->singular && (substep->counted || substep->alone))
        add_anything(judge, from, k, possible);
    possible->more = k > substep->counts.updates;
    return !matrix->singular && !possible->more;
}

// Whether the residual overflows in the kernel's precision in any case.
static bool overflows(const Judge *judge, const Iterate *it)
{
    bool any = false;
    for (size_t i = 0; i < judge->n; ++i)
        any = any || fabsl(it->f.i[i].at) - it->off[i] > 2.0L * equations_limit(judge);
    return any;
}

// Makes update k. False: it leads nowhere, or to a residual that is not finite.
static bool make_update(const Judge *judge, const Solve *solve, const Iterate *from, const Iterate *matrix, uint64_t k,
                        Iterate *to, Updates *possible)
{
    bool       ends;
    const bool found = iterate_step(judge, solve, from, matrix, to, &ends);
    if (ends)
        add_failure(possible, SOLVE_FAILED, k);
    if (found && !to->fits)
        add_failure(possible, SOLVE_NOT_FINITE, k);
    if (!found || !to->finite)
        return false;
    if (!judge->substep->newton->modified)
        iterate_matrix(judge, solve, to);
    iterate_carry(judge, solve, from, matrix, k > 1 || iterate_is_off(judge, from), to);
    return !overflows(judge, to);
}

// Notes where update k has led. Returns whether the solve ends there in any case.
//   matrix  of the next update
static bool must_end(const Judge *judge, const Solve *solve, const Iterate *to, const Iterate *matrix, uint64_t k,
                     Updates *possible)
{
    UpdateRecord unrecorded, *record = k <= UPDATES_RECORDED ? &possible->records[k - 1] : &unrecorded;
    long double  rows[CERTIFICATE_DOFS], least[CERTIFICATE_DOFS];
    bool         must = true;
    if (k == judge->substep->counts.updates) {
        possible->reached = true;
        possible->last = iterate_known(judge, to);
    }
    if (once(judge->substep->method))
        record->tolerance = true;
    else
        judge_residual(judge, solve, to, matrix, record, &must);
    sum_rows(judge, solve, to, matrix, true, least, rows);
    if (record->tolerance || record->floor)
        add_end(judge, to, rows, k, possible);
    return must;
}

// Notes whether the residuals up to update k have risen. Returns whether the solve fails by that in any case.
static bool must_fail(const Judge *judge, const Solve *solve, const Iterate *first, const Iterate *to, uint64_t k,
                      Rise *rise, Updates *possible)
{
    long double here[2], start[2];
    size_residual(judge, solve, to, first, here);
    size_residual(judge, solve, first, first, start);
    rise->may = rise->may && !(here[1] < start[0]);
    rise->must = rise->must && here[0] >= start[1];
    if (k == RISES && rise->may)
        add_failure(possible, SOLVE_FAILED, k);
    return k == RISES && rise->must;
}

// Each update leads from an iterate to the next by a matrix: its own, or that of the first. The solve ends where an
// update cannot be made or is not counted, leads nowhere, must end by its residual, must fail by it, or is the last.
void updates_possible(const Judge *judge, const Solve *solve, Updates *possible)
{
    const CertificateSubstep *substep = judge->substep;
    const bool                modified = substep->newton->modified;
    const uint64_t            most = once(substep->method) ? 1 : substep->max_updates;
    Iterate                   first, second, third, *from = &first, *to = &second, *matrix = &first;
    Rise                      rise = {true, true};
    *possible = (Updates){.accepted = false};
    iterate_make(judge, 0, &first);
    iterate_make(judge, 1, &second);
    iterate_make(judge, 2, &third);
    iterate_begin(judge, solve, &first);
    if (!may_begin(judge, &first, possible))
        return;
    iterate_matrix(judge, solve, &first);
    prepare_matrix(judge, solve, NULL, 1, &first, possible);
    for (uint64_t k = 1; k <= most; ++k) {
        if (!may_update(judge, from, matrix, k, possible) ||
            !make_update(judge, solve, from, matrix, k, to, possible) ||
            must_end(judge, solve, to, modified ? matrix : to, k, possible) ||
            must_fail(judge, solve, &first, to, k, &rise, possible))
            return;
        if (!modified) {
            prepare_matrix(judge, solve, from, k + 1, to, possible);
            matrix = to;
        }
        Iterate *const spare = from == &first ? &third : from;
        from = to;
        to = spare;
    }
    add_failure(possible, SOLVE_FAILED, most);
}

bool updates_may_end(const Updates *possible, uint64_t updates, bool *tolerance, bool *floor)
{
    const bool within = possible->accepted && updates >= possible->least && updates <= possible->most,
               recorded = within && updates <= UPDATES_RECORDED;
    *tolerance = recorded ? possible->records[updates - 1].tolerance : within;
    *floor = recorded ? possible->records[updates - 1].floor : within;
    return *tolerance || *floor;
}
