// updates -- Newton's iteration in long double, with intervals about what it decides by.
#include "analysis/conform/certificate/updates.h"

#include "analysis/conform/certificate/condition.h"
#include "analysis/conform/sizes.h"

// The share of a floor by which the rounding of the kernel's matrix may change it.
#define FLOOR_ROUNDING 0x1p-10L

// Sums of the rows of the matrix without A, each entry times what an evaluation rounds there, at their least and most.
static void sum_rows(const Judge *judge, const Solve *solve, const Iterate *at, const Iterate *matrix,
                     long double *least, long double *most)
{
    Sizes  extent;
    Vector u = at->u;
    for (size_t i = 0; i < judge->n; ++i)
        u.i[i].off = at->moved[i];
    sizes_extent(judge, solve, &u, &extent);
    for (size_t i = 0; i < judge->n; ++i) {
        least[i] = most[i] = 0.0L;
        for (size_t j = 0; j < judge->n; ++j) {
            const long double slope = fabsl(matrix->J[i][j] - (i == j ? solve->A.at : 0.0L));
            least[i] += slope * extent.least[j];
            most[i] += slope * extent.most[j];
        }
    }
}

// The same with what the kernel's matrix may be off.
static void sum_most(const Judge *judge, const Solve *solve, const Iterate *at, const Iterate *matrix,
                     long double *rows)
{
    Iterate     wider = *matrix;
    long double least[CERTIFICATE_DOFS];
    for (size_t i = 0; i < judge->n; ++i)
        for (size_t j = 0; j < judge->n; ++j) {
            const long double slope = matrix->J[i][j] - (i == j ? solve->A.at : 0.0L);
            wider.J[i][j] += slope < 0.0L ? -matrix->error[i][j] : matrix->error[i][j];
        }
    sum_rows(judge, solve, at, &wider, least, rows);
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
    Vector                    u = it->u;
    Sizes                     sizes;
    record->tolerance = true;
    record->floor = guard;
    for (size_t i = 0; i < judge->n; ++i)
        u.i[i].off = it->moved[i];
    sizes_rows(judge, solve, &u, &sizes);
    if (guard) {
        sum_rows(judge, solve, it, matrix, rows[0], rows[1]);
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

// What the failure rule multiplies a row by: 1 over the power of two at the size of the velocity before or below, or at
// the first residual where that is 0; at its least and most.
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
        if (sizes_relative(judge))
            weigh_row(judge, solve, first, i, weights);
        bounds[0] = larger_of(bounds[0], (size - off) * weights[0]);
        if (size + off > 0.0L)
            bounds[1] = larger_of(bounds[1], (size + off) * weights[1]);
    }
}

// Whether all residuals up to this one may be no smaller than the first, and whether they must be.
static void judge_rise(const Judge *judge, const Solve *solve, const Iterate *it, const Iterate *first, bool *may,
                       bool *must)
{
    long double here[2], start[2];
    size_residual(judge, solve, it, first, here);
    size_residual(judge, solve, first, first, start);
    *may = *may && !(here[1] < start[0]);
    *must = *must && here[0] >= start[1];
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
// entries are differences that are rounded, and the reference, where there is one, makes as many updates; or it begins
// anywhere.
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
            possible->records[k - 1] = (UpdateRecord){true, judge->substep->newton->floor_guard, {1.0L, INFINITY}};
    }
}

// Whether nothing is known of where the solve begins: of its inner point, where the first solve of a substep was lost.
static bool begins_anywhere(const Judge *judge, const Iterate *begin)
{
    bool any = false;
    for (size_t i = 0; i < judge->n; ++i)
        any = any || !(begin->moved[i] < INFINITY);
    return any;
}

// What an update has led to: whether the solve ends there in any case.
static bool judge_update(const Judge *judge, const Solve *solve, const Iterate *to, const Iterate *matrix, uint64_t k,
                         Updates *possible)
{
    UpdateRecord unrecorded, *record = k <= UPDATES_RECORDED ? &possible->records[k - 1] : &unrecorded;
    long double  rows[CERTIFICATE_DOFS];
    bool         must = true;
    if (judge->substep->method->solver == SOLVER_LINEARISED)
        record->tolerance = true;
    else
        judge_residual(judge, solve, to, matrix, record, &must);
    sum_most(judge, solve, to, matrix, rows);
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
    iterate_begin(judge, solve, &iterates[0]);
    if (begins_anywhere(judge, &iterates[0])) {
        add_failure(possible, CERTIFICATE_SINGULAR, 0);
        add_failure(possible, CERTIFICATE_NOT_FINITE, 0);
        add_anything(judge, &iterates[0], 1, possible);
        return;
    }
    if (!iterates[0].fits)
        add_failure(possible, CERTIFICATE_NOT_FINITE, 0);
    if (!iterates[0].finite)
        return;
    for (uint64_t k = 1; k <= most; ++k) {
        Iterate *from = &iterates[k == 1 ? 0 : 1 + k % 2], *to = &iterates[1 + (k + 1) % 2];
        if (k == 1)
            iterate_matrix(judge, solve, from);
        if (k == 1 || !substep->newton->modified) {
            const Iterate *before = k == 1 ? NULL : k == 2 ? &iterates[0] : to;
            if (substep->conditions && k <= UPDATES_RECORDED)
                condition_bound(judge, solve, from, before, possible->records[k - 1].condition);
            matrix = from;
            iterate_invert(judge, matrix);
        }
        if (!matrix->pivots)
            add_failure(possible, CERTIFICATE_SINGULAR, k - 1);
        if (matrix->singular && (substep->counted || substep->alone))
            add_anything(judge, from, k, possible);
        possible->more = k > substep->counts.updates;
        if (matrix->singular || possible->more)
            return;
        const bool found = iterate_step(judge, solve, from, matrix, to, &ends);
        if (ends)
            add_failure(possible, CERTIFICATE_MISSED, k);
        if (!found)
            return;
        if (!to->fits)
            add_failure(possible, CERTIFICATE_NOT_FINITE, k);
        if (!to->finite)
            return;
        const bool off = k > 1 || iterate_is_off(judge, from);
        if (!substep->newton->modified)
            iterate_matrix(judge, solve, to);
        iterate_carry(judge, solve, from, matrix, off, to);
        if (iterate_overflows(judge, to))
            return;
        if (k == substep->counts.updates)
            keep_last(judge, to, possible);
        if (judge_update(judge, solve, to, substep->newton->modified ? matrix : to, k, possible))
            return;
        judge_rise(judge, solve, to, &iterates[0], &rise_may, &rise_must);
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
