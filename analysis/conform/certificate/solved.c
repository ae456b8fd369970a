// solved -- residuals against tolerance and floor, and the updates that lead to a solution.
#include "analysis/conform/certificate/demand.h"

#include "analysis/conform/certificate/column.h"
#include "analysis/conform/certificate/updates.h"

static void note_residual(Judge *judge, const Solve *solve, const Vector *u, const Vector *f, const long double *floors)
{
    Sizes rows;
    solve_row_sizes(judge, solve, u, &rows);
    for (size_t i = 0; i < judge->n; ++i)
        equations_number(
            judge, solve->equation, i,
            (Ball){f->i[i].at, larger_of(judge->substep->tolerance * rows.most[i], floors[i]) + f->i[i].off}, 0.0);
}

static bool is_below(const Judge *judge, const Solve *solve, const Vector *u, const Vector *f, long double part,
                     const long double *floors)
{
    Sizes rows;
    bool  below = true;
    solve_row_sizes(judge, solve, u, &rows);
    for (size_t i = 0; i < judge->n; ++i)
        below = below && fabsl(f->i[i].at) <= larger_of(judge->substep->tolerance * rows.least[i], part * floors[i]);
    return below;
}

// The floor by the matrix at the solution, next to the kernel's, whose differences reach farther.
static void find_near_floor(const Judge *judge, const Solve *solve, const Vector *u, const Vector *f,
                            long double *floors)
{
    long double rows[CERTIFICATE_DOFS] = {0};
    Sizes       extent;
    solve_extent(judge, solve, u, &extent);
    for (size_t j = 0; j < judge->n; ++j) {
        const MatrixColumn column = column_near(judge, solve, u, j, f);
        for (size_t i = 0; i < judge->n; ++i)
            rows[i] += fabsl(column.at[i] - (i == j ? solve->A.at : 0.0L)) * extent.most[j];
    }
    solve_floor(judge, solve, u, rows, floors);
}

void solved_follow(Judge *judge, const Solve *solve)
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
        equations_number(judge, "the iterate that the updates lead to", i,
                         (Ball){u->i[i].at - last->i[i].at, u->i[i].off + last->i[i].off}, 0.0);
}

// Where a residual misses the tolerance, the floor is that of the matrix which the last update was made by, for which
// the solve is followed. Below half of the floor at the solution it need not be.
void solved_demand(Judge *judge, const Solve *solve, const Vector *u)
{
    const CertificateSubstep *substep = judge->substep;
    const bool                counts = substep->followed;
    long double               floors[CERTIFICATE_DOFS] = {0};
    Vector                    f;
    bool                      floor = false;
    if (substep->accepted) {
        solve_residual(judge, solve, u, &f);
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
        solve_floor(judge, solve, u, possible->rows, floors);
    if (substep->accepted)
        note_residual(judge, solve, u, &f, floors);
    if (counts && possible->reached && substep->accepted && substep->method->stages == 1)
        note_iterate(judge, u, &possible->last);
}

// Each entry is rounded in the solution of the linear equation; one in closed form by the operations of the problem
// too, whose terms may cancel in an entry but are of the matrix's size.
void solved_linear(Judge *judge, const Solve *solve, const Vector *guess, const Vector *u)
{
    const CertificateSubstep *substep = judge->substep;
    const size_t              n = judge->n;
    const SolveMatrix         slopes = substep->matrices[0], off = substep->matrices[1];  // by columns
    Vector                    f;
    long double               largest = 0.0L;
    if (substep->followed)
        updates_possible(judge, solve, &judge->solves[judge->solve_count++]);
    if (!substep->accepted)
        return;
    solve_residual(judge, solve, guess, &f);
    for (size_t j = 0; j < n; ++j) {
        const MatrixColumn column = column_find(judge, solve, guess, j, &f);
        for (size_t i = 0; i < n; ++i) {
            slopes[j][i] = column.at[i];
            off[j][i] = column.off[i];
            largest = larger_of(largest, fabsl(column.at[i]));
        }
    }
    const long double inside = substep->newton->jacobian == JACOBIAN_ANALYTIC
                                   ? (long double)substep->point->exact->operations * judge->u * largest
                                   : 0.0L;
    Vector            sum = f;
    for (size_t j = 0; j < n; ++j)
        for (size_t i = 0; i < n; ++i) {
            const long double slope = slopes[j][i], way = u->i[j].at - guess->i[j].at;
            sum.i[i].at += slope * way;
            sum.i[i].off += (off[j][i] + inside + (long double)(4 * n + 8) * judge->u * fabsl(slope)) * fabsl(way) +
                            fabsl(slope) * u->i[j].off;
        }
    for (size_t i = 0; i < n; ++i)
        equations_number(judge, solve->equation, i, sum.i[i], 0.0);
}
