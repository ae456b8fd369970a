// newton.h -- the nonlinear solve of one substep, all lanes in step.
//
// Every implicit method here asks the acceleration once per solve, at a point that depends linearly on the unknown u:
//
//     f(u) = A u - B - q accel(t, X + cx u, V + cv u) = 0.
//
// A method's prepare() fills these seven; residual, Jacobian, stopping and failure are the same for all (Wu 2018, section 2.1).

#include "linear.h"
#include "point.h"

#define CENTRAL 0
#define FORWARD 1
#define ANALYTIC 2
typedef struct Stage {
    real t, A, q, cx, cv;
    real B[DOF], X[DOF], V[DOF];
} Stage;

typedef struct Solved {
    mask accepted, singular, not_finite;  // the last two say why a solve failed, if that is why
    int  updates;                         // most over the lanes
} Solved;

static void start(const Params *p, const MethodParams *m, State *s);
static void prepare(real t, real h, mask fresh, const State *s, const Params *p, const MethodParams *m, Stage *k);
static void guess(const State *s, real u[DOF]);
static real magnitude(real h, const State *s, const real u[DOF]);
static void finish(real h, const real u[DOF], const Stage *k, const MethodParams *m, State *s);

static void residual(const real u[DOF], const Stage *k, const Params *p, real f[DOF])
{
    real x[DOF], v[DOF], a[DOF];
#pragma unroll
    for (int i = 0; i < DOF; ++i) {
        x[i] = real_fma(k->cx, u[i], k->X[i]);
        v[i] = real_fma(k->cv, u[i], k->V[i]);
    }
    acceleration(k->t, x, v, p, a);
#pragma unroll
    for (int i = 0; i < DOF; ++i)
        f[i] = real_fma(-k->q, a[i], real_fma(k->A, u[i], -k->B[i]));
}

// The Newton matrix times a width w, which is returned: differences are not divided, since the solve and the condition number do not
// mind (the update is w times the solution). f is the residual at u.
#if JACOBIAN == ANALYTIC
static real newton_matrix(const real u[DOF], const real f[DOF], const Stage *k, const Params *p, real J[DOF][DOF])
{
    real x[DOF], v[DOF], dadx[DOF][DOF], dadv[DOF][DOF];
#pragma unroll
    for (int i = 0; i < DOF; ++i) {
        x[i] = real_fma(k->cx, u[i], k->X[i]);
        v[i] = real_fma(k->cv, u[i], k->V[i]);
    }
    jacobian(k->t, x, v, p, dadx, dadv);
#pragma unroll
    for (int i = 0; i < DOF; ++i)
#pragma unroll
        for (int j = 0; j < DOF; ++j)
            J[i][j] = (i == j ? k->A : ZERO) - k->q * (k->cx * dadx[i][j] + k->cv * dadv[i][j]);
    return ZERO + 1.0;
}
#else
static real newton_matrix(const real u[DOF], const real f[DOF], const Stage *k, const Params *p, real J[DOF][DOF])
{
    const real s = STENCIL * real_max(norm(u), ZERO + 1.0);
#pragma unroll
    for (int j = 0; j < DOF; ++j) {
        real moved[DOF], ahead[DOF];
#pragma unroll
        for (int i = 0; i < DOF; ++i)
            moved[i] = u[i];
        moved[j] = u[j] + s;
        residual(moved, k, p, ahead);
#if JACOBIAN == CENTRAL
        real behind[DOF];
        moved[j] = u[j] - s;
        residual(moved, k, p, behind);
#pragma unroll
        for (int i = 0; i < DOF; ++i)
            J[i][j] = ahead[i] - behind[i];
#else
#pragma unroll
        for (int i = 0; i < DOF; ++i)
            J[i][j] = ahead[i] - f[i];
#endif
    }
    return JACOBIAN == CENTRAL ? 2.0 * s : s;
}
#endif

// Whether every row of the residual is within the tolerance; false where one is not a number.
static mask within(const real f[DOF], real scale, real tolerance)
{
    mask all_rows = scale * real_abs(f[0]) <= tolerance;
#pragma unroll
    for (int i = 1; i < DOF; ++i)
        all_rows = all_rows & (scale * real_abs(f[i]) <= tolerance);
    return all_rows;
}

// Rounding alone can keep row i of the residual as large as 4 u (N_i X + |u_i|), where u is the unit roundoff, X the size of what was
// rounded and N_i the row sum of the stiffness seen by the solve: there, iterating on cannot help.
static mask at_floor(const real f[DOF], const real u[DOF], const real row_sum[DOF], real size, real scale, real tolerance)
{
    mask all_rows = YES;
#pragma unroll
    for (int i = 0; i < DOF; ++i) {
        const real noise = 2.0 * EPSILON * (row_sum[i] * size + real_abs(u[i]));
        all_rows = all_rows & ((scale * real_abs(f[i]) <= tolerance) | (real_abs(f[i]) <= noise));
    }
    return all_rows;
}

// Newton's method from guess u, in the lanes `active`; u holds the solution in the accepted ones. At least one update is made; a solve
// fails when the residuals after updates 1, 2 and 3 are none below the first, at max_updates, or when a residual or pivot is not a number to
// go on with. What happens when a residual misses the tolerance stands behind any_lane(): most steps never come there.
static Solved newton(mask active, real h, const State *s, const Stage *k, const Params *p, const Settings *set, real u[DOF],
                     Counters *n, Condition *condition)
{
    Solved     out = {NO, NO, NO, 0};
    real       f[DOF], last_condition = ZERO;
    const real scale = SCALE_BY_STEP ? h : ZERO + 1.0;

    residual(u, k, p, f);
    n->solves = count(n->solves, active);
    out.not_finite = active & !finite(f);
    mask       going = active & !out.not_finite, rising = going;
    const real first = scale * norm(f);

    while (any_lane(going)) {
        real       J[DOF][DOF], y[DOF], row_sum[DOF];
        const real width = newton_matrix(u, f, k, p, J);
#pragma unroll
        for (int i = 0; i < DOF; ++i) {
            y[i] = f[i];
            row_sum[i] = ZERO;
#pragma unroll
            for (int j = 0; j < DOF; ++j)
                row_sum[i] += real_abs(J[i][j] - (i == j ? k->A * width : ZERO));
        }
#if CONDITION
        const real number = condition_number(J);
        last_condition = choose(going, number, last_condition);
        condition->largest = choose(going & !(number <= condition->largest), number, condition->largest);
#endif
        const mask singular = going & solve(J, y);
        if (any_lane(singular)) {
            out.singular = out.singular | singular;
            n->singular_solves = count(n->singular_solves, singular);
            going = going & !singular;
        }
#pragma unroll
        for (int i = 0; i < DOF; ++i)
            u[i] = choose(going, real_fma(-width, y[i], u[i]), u[i]);
        n->updates = count(n->updates, going);
        out.updates += 1;

        residual(u, k, p, f);
        const mask converged = going & within(f, scale, set->tolerance);
        out.accepted = out.accepted | converged;
        going = going & !converged;
        if (any_lane(going)) {
            const mask good = finite(f);
            out.not_finite = out.not_finite | (going & !good);
            going = going & good;
            if (FLOOR_GUARD) {
                const real per_width = choose(k->cx == ZERO, ZERO, 1.0 / (width * k->cx));
#pragma unroll
                for (int i = 0; i < DOF; ++i)
                    row_sum[i] = row_sum[i] * per_width;
                const mask stagnated = going & at_floor(f, u, row_sum, magnitude(h, s, u), scale, set->tolerance);
                n->stagnated_solves = count(n->stagnated_solves, stagnated);
                out.accepted = out.accepted | stagnated;
                going = going & !stagnated;
            }
            rising = rising & (scale * norm(f) >= first);
            if (out.updates == 3)
                going = going & !rising;
            going = going & (set->max_updates > out.updates);
        }
    }
#if CONDITION
    condition->last = choose(out.accepted, last_condition, condition->last);
    condition->solves = count(condition->solves, out.accepted);
#if CONDITION_MEAN
    condition->log_sum = condition->log_sum + choose(out.accepted, real_log(last_condition), ZERO);
#endif
#endif
    return out;
}
