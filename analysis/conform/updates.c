// updates -- Newton's iteration in long double, with intervals about what it decides by.
#include "analysis/conform/updates.h"

#include "analysis/conform/iterate.h"

// The share of a floor by which the rounding of the kernel's matrix may change it.
#define FLOOR_ROUNDING 0x1p-10L

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
        start = larger_of(start, larger_of(first->f.i[i].off, first->off[i]));
    }
    const long double size = iterate_norm(judge, &it->f), from = iterate_norm(judge, &first->f);
    *may = *may && !(size + off < from - start);
    *must = *must && size - off >= from + start;
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
// entries are differences that are rounded; the reference, where there is one, makes as many updates.
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
    iterate_begin(judge, solve, &iterates[0]);
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
                iterate_condition(judge, from, before, possible->records[k - 1].condition);
            matrix = from;
            iterate_invert(judge, matrix);
        }
        if (!matrix->pivots)
            add_failure(possible, CERTIFICATE_SINGULAR, k - 1);
        if (matrix->singular && (substep->counted || substep->alone))
            add_anything(judge, from, k, possible);
        if (matrix->singular || k > substep->counts.updates)
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
        if (off && !substep->newton->modified)
            iterate_matrix(judge, solve, to);
        iterate_carry(judge, solve, from, matrix, off, to);
        if (iterate_overflows(judge, to))
            return;
        if (k == substep->counts.updates)
            keep_last(judge, to, possible);
        if (judge_update(judge, solve, to, matrix, k, possible))
            return;
        if (!off && k < most && !substep->newton->modified)
            iterate_matrix(judge, solve, to);
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
