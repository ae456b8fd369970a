// newton.h -- the nonlinear solve of one substep, all lanes in step.
//
// Every implicit method here asks the acceleration once per solve, at a point that depends linearly on the unknown u:
//
//     f(u) = A u - B - q accel(t, X + cx u, V + cv u) = 0.
//
// A method's prepare() fills these seven; residual, Jacobian, stopping and failure are the same for all (Wu 2018,
// section 2.1).

#include "linear.h"
#include "point.h"

#define CENTRAL 0
#define FORWARD 1
#define ANALYTIC 2
typedef struct Stage {
    real t, A, q, cx, cv;
    real B[DOF], X
    [DOF], V[DOF];
} Stage;

typedef struct Solved {
    mask accepted, singular, not_finite;  // the last two say why a solve failed, if that is why
    int  rounds;                          // the most updates of any lane
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

// The Newton matrix times a width w, which is returned: differences are not divided, since the solve and the condition
// number do not mind (the update is w times the solution). f is the residual at u.
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

// Rounding alone can keep row i of the residual as large as 4 u (N_i X + |u_i|), where u is the unit roundoff, X the
// size of what was rounded and N_i the row sum of the stiffness seen by the solve: there, iterating on cannot help.
static mask at_floor(const real f[DOF], const real u[DOF], const real row_sum[DOF], real size, real scale,
                     real tolerance)
{
    mask all_rows = YES;
#pragma unroll
    for (int i = 0; i < DOF; ++i) {
        const real noise = 2.0 * EPSILON * (row_sum[i] * size + real_abs(u[i]));
        all_rows = all_rows & ((scale * real_abs(f[i]) <= tolerance) | (real_abs(f[i]) <= noise));
    }
    return all_rows;
}

// A solve under way.
typedef struct Iteration {
    real   f[DOF], row_sum[DOF];  // residual; sums of |J - A I| along rows, times width
    real   width, condition;      // of the last Newton matrix
    real   scale, first;          // units of the tolerance; ||f|| at the guess
    mask   going, rising;         // lanes still at work; no residual was below the first
    Solved out;
} Iteration;

// One update in the lanes that are going. Those whose residual comes within the tolerance are accepted.
static void newton_update(Iteration *it, const Stage *k, const Params *p, const Settings *set, real u[DOF], Counters *n,
                          Condition *condition)
{
    real J[DOF][DOF], y[DOF];
    it->width = newton_matrix(u, it->f, k, p, J);
#pragma unroll
    for (int i = 0; i < DOF; ++i) {
        y[i] = it->f[i];
        it->row_sum[i] = ZERO;
#pragma unroll
        for (int j = 0; j < DOF; ++j)
            it->row_sum[i] += real_abs(J[i][j] - (i == j ? k->A * it->width : ZERO));
    }
#if CONDITION
    const real number = condition_number(J);
    it->condition = choose(it->going, number, it->condition);
    condition->largest = choose(it->going & !(number <= condition->largest), number, condition->largest);
#endif
    const mask singular = it->going & solve(J, y);
    if (any_lane(singular)) {
        it->out.singular = it->out.singular | singular;
        n->singular_solves = count(n->singular_solves, singular);
        it->going = it->going & !singular;
    }
#pragma unroll
    for (int i = 0; i < DOF; ++i)
        u[i] = choose(it->going, real_fma(-it->width, y[i], u[i]), u[i]);
    n->updates = count(n->updates, it->going);
    it->out.rounds += 1;

    residual(u, k, p, it->f);
    const mask converged = it->going & within(it->f, it->scale, set->tolerance);
    it->out.accepted = it->out.accepted | converged;
    it->going = it->going & !converged;
}

// What becomes of the lanes whose residual missed the tolerance.
static void newton_miss(Iteration *it, real h, const State *s, const Stage *k, const Settings *set, const real u[DOF],
                        Counters *n)
{
    const mask good = finite(it->f);
    it->out.not_finite = it->out.not_finite | (it->going & !good);
    it->going = it->going & good;
    if (FLOOR_GUARD) {
        const real per_width = choose(k->cx == ZERO, ZERO, 1.0 / (it->width * k->cx));
#pragma unroll
        for (int i = 0; i < DOF; ++i)
            it->row_sum[i] = it->row_sum[i] * per_width;
        const mask stagnated =
            it->going & at_floor(it->f, u, it->row_sum, magnitude(h, s, u), it->scale, set->tolerance);
        n->stagnated_solves = count(n->stagnated_solves, stagnated);
        it->out.accepted = it->out.accepted | stagnated;
        it->going = it->going & !stagnated;
    }
    it->rising = it->rising & (it->scale * norm(it->f) >= it->first);
    if (it->out.rounds == 3)
        it->going = it->going & !it->rising;
    it->going = it->going & (set->max_updates > it->out.rounds);
}

// Newton's method from guess u, in the lanes `active`; u holds the solution in the accepted ones. At least one update
// is made; a solve fails when the residuals after updates 1, 2 and 3 are none below the first, at max_updates, or when
// a residual or pivot is not a number to go on with. The first update stands before the loop: most solves end there,
// and nothing of the loop then burdens them.
static Solved newton(mask active, real h, const State *s, const Stage *k, const Params *p, const Settings *set,
                     real u[DOF], Counters *n, Condition *condition)
{
    Iteration it;
    it.out.accepted = it.out.singular = NO;
    it.out.rounds = 0;
    it.condition = ZERO;
    it.scale = SCALE_BY_STEP ? h : ZERO + 1.0;
    residual(u, k, p, it.f);
    it.first = it.scale * norm(it.f);
    it.going = it.rising = active & finite(it.f);
    it.out.not_finite = active & !it.going;

    newton_update(&it, k, p, set, u, n, condition);
    while (any_lane(it.going)) {
        newton_miss(&it, h, s, k, set, u, n);
        if (!any_lane(it.going))
            break;
        newton_update(&it, k, p, set, u, n, condition);
    }
#if CONDITION
    condition->last = choose(it.out.accepted, it.condition, condition->last);
    condition->solves = count(condition->solves, it.out.accepted);
#if CONDITION_MEAN
    condition->log_sum = condition->log_sum + choose(it.out.accepted, real_log(it.condition), ZERO);
#endif
#endif
    return it.out;
}
