// updates -- Newton's iteration in long double, with intervals about what it decides by.
#include "analysis/conform/updates.h"

#include <string.h>

// The share of a floor by which the rounding of the kernel's matrix may change it.
#define FLOOR_ROUNDING 0x1p-10L

typedef long double Matrix32[CERTIFICATE_DOFS][CERTIFICATE_DOFS];

// An iterate and what is known of it.
typedef struct Iterate {
    Vector      u, f;                     // the residual's bounds are its own rounding
    long double off[CERTIFICATE_DOFS];    // how far the kernel's residual may be from f
    long double moved[CERTIFICATE_DOFS];  // how far its iterate may be from u
    Matrix32    J, inverse;
    bool        finite, singular;
} Iterate;

static void find_residual(const Judge *judge, const Solve *solve, Iterate *it)
{
    solve->residual(judge, solve->context, &it->u, &it->f);
    it->finite = true;
    for (size_t i = 0; i < judge->n; ++i)
        it->finite = it->finite && isfinite(it->f.i[i].at);
}

static long double norm(const Judge *judge, const Vector *vector)
{
    long double largest = 0.0L;
    for (size_t i = 0; i < judge->n; ++i)
        largest = fmaxl(largest, fabsl(vector->i[i].at));
    return largest;
}

// The width of the kernel's differences (section 2.1.1, with a floor of 1).
static long double stencil(const Judge *judge, const Vector *u)
{
    const long double epsilon = 2.0L * judge->u;
    return (judge->substep->newton->cube_root_stencil ? cbrtl(epsilon) : sqrtl(epsilon)) * fmaxl(norm(judge, u), 1.0L);
}

// The matrix by the differences that the kernel takes; an analytic one by narrow ones.
static void find_matrix(const Judge *judge, const Solve *solve, Iterate *it)
{
    const Newton     *newton = judge->substep->newton;
    const size_t      n = judge->n;
    const long double s =
        newton->jacobian == JACOBIAN_ANALYTIC ? 0x1p-20L * fmaxl(norm(judge, &it->u), 1.0L) : stencil(judge, &it->u);
    Judge  plain = *judge;
    Vector moved = it->u, ahead, behind;
    plain.plain = true;
    for (size_t j = 0; j < n; ++j) {
        moved.i[j].at = it->u.i[j].at + s;
        solve->residual(&plain, solve->context, &moved, &ahead);
        moved.i[j].at = it->u.i[j].at - s;
        if (newton->jacobian != JACOBIAN_FORWARD)
            solve->residual(&plain, solve->context, &moved, &behind);
        moved.i[j] = it->u.i[j];
        for (size_t i = 0; i < n; ++i)
            it->J[i][j] = newton->jacobian == JACOBIAN_FORWARD ? (ahead.i[i].at - it->f.i[i].at) / s
                                                               : (ahead.i[i].at - behind.i[i].at) / (2.0L * s);
    }
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

// u - J^-1 f, and how far the kernel's may be from it.
static void step_to(const Judge *judge, const Solve *solve, const Iterate *from, const Iterate *matrix, Iterate *to)
{
    const Newton     *newton = judge->substep->newton;
    const size_t      n = judge->n;
    const long double s = stencil(judge, &matrix->u), per = newton->jacobian == JACOBIAN_ANALYTIC  ? 0.0L
                                                            : newton->jacobian == JACOBIAN_FORWARD ? 2.0L / s
                                                                                                   : 1.0L / s;
    long double       way[CERTIFICATE_DOFS], length = 0.0L, noise[CERTIFICATE_DOFS];
    for (size_t i = 0; i < n; ++i) {
        way[i] = 0.0L;
        for (size_t j = 0; j < n; ++j)
            way[i] -= matrix->inverse[i][j] * from->f.i[j].at;
        length += fabsl(way[i]);
        to->u.i[i] = ball(from->u.i[i].at + way[i]);
    }
    find_residual(judge, solve, to);
    for (size_t i = 0; i < n; ++i) {
        noise[i] = from->f.i[i].off + matrix->f.i[i].off * per * length;
        for (size_t j = 0; j < n; ++j)
            noise[i] += judge->u * fabsl(matrix->J[i][j]) *
                        ((long double)(4 * n + 4) * fabsl(way[j]) + 2.0L * fabsl(to->u.i[j].at));
    }
    memcpy(to->off, noise, sizeof noise);
}

// Carries what the iterate before was off through the update, once the matrix at the new one is known.
//   moved  the iterate before was off at all
static void carry(const Judge *judge, const Iterate *from, const Iterate *matrix, bool moved, Iterate *to)
{
    const size_t n = judge->n;
    for (size_t i = 0; moved && i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            to->off[i] += fabsl(to->J[i][j] - matrix->J[i][j]) * from->moved[j];
    for (size_t i = 0; i < n; ++i) {
        to->moved[i] = 0.0L;
        for (size_t j = 0; j < n; ++j)
            to->moved[i] += fabsl(matrix->inverse[i][j]) * to->off[j];
    }
    for (size_t i = 0; i < n; ++i)
        to->off[i] += to->f.i[i].off;
}

// Whether a residual may be accepted, and whether it must.
static void judge_residual(const Judge *judge, const Solve *solve, const Iterate *it, const Iterate *matrix, bool *may,
                           bool *must)
{
    const CertificateSubstep *substep = judge->substep;
    const long double         tolerance = substep->tolerance / solve->scale;
    long double               floors[CERTIFICATE_DOFS] = {0}, rows[CERTIFICATE_DOFS];
    for (size_t i = 0; substep->newton->floor_guard && i < judge->n; ++i) {
        rows[i] = 0.0L;
        for (size_t j = 0; j < judge->n; ++j)
            rows[i] += fabsl(matrix->J[i][j] - (i == j ? solve->A.at : 0.0L));
    }
    if (substep->newton->floor_guard)
        equations_floor(judge, solve, &it->u, &it->f, rows, floors);
    *may = *must = true;
    for (size_t i = 0; i < judge->n; ++i) {
        // The floor has the rounding of the kernel's matrix.
        const long double size = fabsl(it->f.i[i].at), limit = fmaxl(tolerance, floors[i]),
                          off = it->off[i] + FLOOR_ROUNDING * floors[i];
        *may = *may && size - off <= limit;
        *must = *must && size + off <= limit;
    }
}

// Whether all residuals up to this one may be no smaller than the first, and whether they must be.
static void judge_rise(const Judge *judge, const Iterate *it, const Iterate *first, bool *may, bool *must)
{
    long double off = 0.0L, start = 0.0L;
    for (size_t i = 0; i < judge->n; ++i) {
        off = fmaxl(off, it->off[i]);
        start = fmaxl(start, first->f.i[i].off);
    }
    const long double size = norm(judge, &it->f), from = norm(judge, &first->f);
    *may = *may && size + off >= from - start;
    *must = *must && size - off >= from + start;
}

// Sets what the first iterate is.
static void begin(const Judge *judge, const Solve *solve, Iterate *it)
{
    it->u = *solve->guess;
    for (size_t i = 0; i < judge->n; ++i)
        it->off[i] = it->moved[i] = 0.0L;
    find_residual(judge, solve, it);
}

static Updates fail_at(Updates possible, uint64_t updates)
{
    possible.failed = true;
    possible.fails[1] = updates;
    return possible;
}

Updates updates_possible(const Judge *judge, const Solve *solve)
{
    const uint64_t most = judge->substep->max_updates;
    Updates        possible = {.accepted = false};
    Iterate        iterates[3], matrix;  // the first is kept
    bool           rise_may = true, rise_must = true;
    begin(judge, solve, &iterates[0]);
    if (!iterates[0].finite)
        return fail_at(possible, 0);
    for (uint64_t k = 1; k <= most; ++k) {
        Iterate *from = &iterates[k == 1 ? 0 : 1 + k % 2], *to = &iterates[1 + (k + 1) % 2];
        if (k == 1)
            find_matrix(judge, solve, from);
        if (k == 1 || !judge->substep->newton->modified) {
            matrix = *from;
            invert(judge, &matrix);
        }
        if (matrix.singular)
            return fail_at(possible, k - 1);
        step_to(judge, solve, from, &matrix, to);
        if (!to->finite)
            return fail_at(possible, k);
        if (k > 1)
            find_matrix(judge, solve, to);
        carry(judge, from, &matrix, k > 1, to);
        bool may, must;
        judge_residual(judge, solve, to, &matrix, &may, &must);
        if (may && !possible.accepted) {
            possible.accepted = true;
            possible.least = k;
            possible.u = to->u;
        }
        possible.most = may ? k : possible.most;
        if (must)
            return possible;
        if (k == 1 && k < most)
            find_matrix(judge, solve, to);
        judge_rise(judge, to, &iterates[0], &rise_may, &rise_must);
        if (k == 3 && rise_may) {
            possible.failed = true;
            possible.fails[0] = possible.fails[1] = k;
        }
        if (k == 3 && rise_must)
            return possible;
    }
    return fail_at(possible, most);
}
