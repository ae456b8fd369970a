// newton.h -- the solves of one substep, all lanes in step.
//
// Every implicit method here asks the acceleration once per solve, at a point that depends linearly on the unknown u:
//
//     f(u) = A u - B - q accel(t, X + cx u, V + cv u) = 0.
//
// A method's prepare() fills these seven; residual, Jacobian, stopping and failure are the same for all (Wu 2018,
// section 2.1). Three solvers do with it what the method's card says: Newton's method; a single update from the guess,
// taken as it is (LINEARISED); Newton's method on f as the gradient of an objective, each update cut back until the
// objective falls (LINE_SEARCH).

#include "linear.h"
#include "point.h"

#define CENTRAL 0
#define FORWARD 1
#define ANALYTIC 2
#define NEWTON 0
#define LINEARISED 1
#define LINE_SEARCH 2

// A method whose q is 1 defines this as 1 before it includes the file. There are compilers that make fma(1, -(a b), c)
// an fma(-a, b, c), rounded once, though contraction is off; an acceleration may end in such a product.
#ifndef Q_IS_ONE
#define Q_IS_ONE 0
#endif

typedef struct Stage {
    int  number;  // which solve of the step this is, from 0
    real t, A, q, cx, cv;
    real B[DOF], X[DOF], V[DOF];
#if EXTRAPOLATED
    real a[DOF];  // acceleration at the start, by which velocity.h extrapolates its guess
#endif
} Stage;

// One solve: what it reads, and the counts it adds to.
typedef struct Solve {
    real                h;  // size of the substep
    const State        *s;  // at its start
    const Stage        *k;
    const Params       *p;
    const MethodParams *m;
    const Settings     *set;
    Counters           *n;
    Condition          *condition;
} Solve;

typedef struct Solved {
    mask accepted, singular, not_finite;  // the last two say why a solve failed, if that is why
    mask begun;                           // lanes that made a first update, which the counts leave out
    bool all;                             // every lane that was asked is accepted
    int  rounds;                          // the most updates of any lane
} Solved;

static void start(const Params *p, const MethodParams *m, State *s);
// r is h over the distance to the earlier point of a two-step method, 0 where it has none.
static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k);
static void guess(real h, const State *s, const Stage *k, real u[DOF]);
static real magnitude(real h, const State *s, const real u[DOF]);
static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s);
#if SOLVER == LINE_SEARCH
// Its gradient is M f with the masses M; infinite where x is not permitted. size: the sum of its terms' magnitudes.
static real objective(real h, const real u[DOF], const State *s, const Stage *k, const Params *p, const MethodParams *m,
                      real *size);
#endif

static void residual(const real u[DOF], const Stage *k, const Params *p, real f[DOF])
{
    real x[DOF], v[DOF], a[DOF];
    EACH_DOF(i) {
        x[i] = real_fma(k->cx, u[i], k->X[i]);
        v[i] = real_fma(k->cv, u[i], k->V[i]);
    }
    acceleration(k->t, x, v, p, a);
    EACH_DOF(i) {
        const real rest = real_fma(k->A, u[i], -k->B[i]);
        f[i] = Q_IS_ONE ? rest - a[i] : real_fma(-k->q, a[i], rest);
    }
}

// The Newton matrix times a width w, which is returned: differences are not divided, since the solve and the condition
// number do not mind (the update is w times the solution). f is the residual at u.
#if JACOBIAN == ANALYTIC
static real newton_matrix(const real u[DOF], const real f[DOF], const Stage *k, const Params *p, real J[DOF][DOF])
{
    real x[DOF], v[DOF], dadx[DOF][DOF], dadv[DOF][DOF];
    EACH_DOF(i) {
        x[i] = real_fma(k->cx, u[i], k->X[i]);
        v[i] = real_fma(k->cv, u[i], k->V[i]);
    }
    jacobian(k->t, x, v, p, dadx, dadv);
    EACH_DOF(i)
        EACH_DOF(j)
            J[i][j] = (i == j ? k->A : ZERO) - k->q * (k->cx * dadx[i][j] + k->cv * dadv[i][j]);
    return ONE;
}
#else
static real newton_matrix(const real u[DOF], const real f[DOF], const Stage *k, const Params *p, real J[DOF][DOF])
{
    const real s = larger(STENCIL * norm(u), STENCIL * ONE);
    EACH_DOF(j) {
        real moved[DOF], ahead[DOF];
        EACH_DOF(i)
            moved[i] = u[i];
        moved[j] = u[j] + s;
        residual(moved, k, p, ahead);
#if JACOBIAN == CENTRAL
        real behind[DOF];
        moved[j] = u[j] - s;
        residual(moved, k, p, behind);
        EACH_DOF(i)
            J[i][j] = ahead[i] - behind[i];
#else
        EACH_DOF(i)
            J[i][j] = ahead[i] - f[i];
#endif
    }
    return JACOBIAN == CENTRAL ? 2.0 * s : s;
}
#endif

// Rounding alone can keep row i of the residual as large as 4 u (N_i X + |u_i|), where u is the unit roundoff, X the
// size of what was rounded and N_i the row sum of the stiffness seen by the solve: there, iterating on cannot help.
// Where the position does not depend on u, it is 4 u (sum_j |J_ij - A delta_ij| ||u|| + |B_i| + |u_i|).
static mask at_floor(const real f[DOF], const real u[DOF], const real row_sum[DOF], real size, const Stage *k,
                     real scale, real tolerance)
{
    mask all_rows = YES;
    EACH_DOF(i) {
        const real known = choose(k->cx == ZERO, real_abs(k->B[i]), ZERO);
        const real noise = 2.0 * EPSILON * (row_sum[i] * size + known + real_abs(u[i]));
        all_rows = all_rows & ((scale * real_abs(f[i]) <= tolerance) | (real_abs(f[i]) <= noise));
    }
    return all_rows;
}

#if SOLVER == LINE_SEARCH
// Backtracking (Armijo 1966; Chern 2024, "Line search"): along d from u, halves the part s of the step until the
// objective has fallen by 1e-4 s |slope|, but for its rounding: that of its terms, and that of the position, which the
// force makes one of the objective. Where Newton's direction d = -J^-1 f climbs, it becomes that of steepest descent in
// the metric of the masses, -f. Lanes that find no such part come back as false; u is moved in the others.
static mask search(const Solve *of, mask going, const real f[DOF], real d[DOF], real u[DOF])
{
    enum { HALVINGS = 40 };
    real mass[DOF], trial[DOF], slope = ZERO, steepest = ZERO, force = ZERO, size, unused, part = ONE;
    masses(of->p, mass);
    EACH_DOF(i) {
        slope = real_fma(mass[i] * f[i], d[i], slope);
        steepest = real_fma(-mass[i] * f[i], f[i], steepest);
        force += mass[i] * real_abs(u[i] - of->k->B[i] - f[i]);
    }
    const mask climbs = !(slope < ZERO);
    slope = choose(climbs, steepest, slope);
    EACH_DOF(i)
        d[i] = choose(climbs, -f[i], d[i]);
    const real now = objective(of->h, u, of->s, of->k, of->p, of->m, &size);
    const real room = 4.0 * EPSILON * (size + force * magnitude(of->h, of->s, u) / of->h);
    mask       searching = going;
    for (int halving = 0; halving <= HALVINGS && any_lane(searching); ++halving) {
        EACH_DOF(i)
            trial[i] = real_fma(part, d[i], u[i]);
        const real there = objective(of->h, trial, of->s, of->k, of->p, of->m, &unused);
        searching = searching & !(there <= now + 1e-4 * part * slope + room);
        part = choose(searching, 0.5 * part, part);
    }
    EACH_DOF(i)
        u[i] = choose(going & !searching, real_fma(part, d[i], u[i]), u[i]);
    return !searching;
}
#endif

// How far a solve is.
typedef struct Iteration {
    real f[DOF], row_sum[DOF];  // residual; sums of |J - A I| along rows, times width
    real width, condition;      // of the last Newton matrix
    real size;                  // ||f||
    real sum;                   // of the last elimination's pivots and the rows of f but the last
#if MODIFIED
    real J[DOF][DOF];  // the Newton matrix at the guess, times width
#endif
    real scale, least;  // units of the tolerance; the smallest ||f|| after updates 1 and 2
    mask going;         // lanes still at work
    mask singular;      // lanes whose matrix was
#if SOLVER == LINE_SEARCH
    mask moved;  // lanes that found where to go
#endif
    Solved out;
} Iteration;

// One update in the lanes that are going, and the residual after it. Who was going is not asked before the first.
static void newton_update(const Solve *of, Iteration *it, real u[DOF])
{
    real J[DOF][DOF], y[DOF];
#if MODIFIED
    if (it->out.rounds == 0)
        it->width = newton_matrix(u, it->f, of->k, of->p, it->J);
    EACH_DOF(i)
        EACH_DOF(j)
            J[i][j] = it->J[i][j];
#else
    it->width = newton_matrix(u, it->f, of->k, of->p, J);
#endif
    EACH_DOF(i) {
        y[i] = it->f[i];
        it->row_sum[i] = ZERO;
        EACH_DOF(j)
            it->row_sum[i] += real_abs(J[i][j] - (i == j ? of->k->A * it->width : ZERO));
    }
#if RECORD_CONDITION
    const real number = condition_number(J);
    it->condition = it->out.rounds == 0 ? number : choose(it->going, number, it->condition);
    Condition *condition = of->condition;
    condition->largest = choose(it->going & !(number <= condition->largest), number, condition->largest);
#endif
    it->singular = solve(J, y);
    it->sum = J[0][0];
    EACH_DOF_FROM(1, i)
        it->sum = it->sum + J[i][i];
#if SOLVER == LINE_SEARCH
    EACH_DOF(i)
        y[i] = -it->width * y[i];
    it->moved = search(of, it->going & !it->singular, it->f, y, u);
#else
    // Nobody asks for u in lanes that were not going at the first update.
    const mask moving = it->out.rounds == 0 ? YES : it->going;
    EACH_DOF(i)
        u[i] = choose(moving, real_fma(-it->width, y[i], u[i]), u[i]);
#endif
    it->out.rounds += 1;
    residual(u, of->k, of->p, it->f);
    it->size = norm(it->f);
    EACH_DOF_FROM(1, i)
        it->sum = it->sum + it->f[i - 1];
}

// Only where f is finite, but for a NaN that the size has lost: it is one of the sum.
static mask newton_converged(const Solve *of, const Iteration *it)
{
    return SOLVER == LINEARISED ? it->size <= REAL_MAX : it->scale * it->size <= of->set->tolerance;
}

// Whether the update is accepted in all lanes that were going. Of what may go wrong only an infinite pivot has to be
// looked for, and a NaN that the size has lost, which is none of the last row: where the first residual is not finite,
// or a pivot is zero or NaN, neither is the residual after. A sum may overflow of finite numbers: newton_odd() finds
// nothing there, and what is accepted then is the same.
static bool newton_plain(const Solve *of, const Iteration *it)
{
    return SOLVER != LINE_SEARCH && !any_lane(it->going & !(newton_converged(of, it) & is_finite(it->sum)));
}

// What may go wrong in an update, which is rare: sorts it out lane by lane. Returns the lanes that made the update.
//   first  the residual at the guess
static mask newton_odd(const Solve *of, Iteration *it, const real first[DOF])
{
    if (it->out.rounds == 1) {
        const mask known = finite(first);
        it->out.not_finite = it->out.not_finite | (it->going & !known);
        it->going = it->going & known;
    }
    const mask singular = it->going & it->singular;
    if (MODIFIED & (it->out.rounds == 1))
        of->n->jacobians = count(of->n->jacobians, singular);
    it->out.singular = it->out.singular | singular;
    it->going = it->going & !singular;
    const mask made = it->going, good = finite(it->f);
#if SOLVER == LINE_SEARCH
    it->going = it->going & it->moved;
#endif
    it->out.not_finite = it->out.not_finite | (it->going & !good);
    it->going = it->going & good;
    return made;
}

// What the update came to in the lanes that were going: accepted, failed, or going on.
static void newton_judge(const Solve *of, Iteration *it, const real first[DOF])
{
    Counters *n = of->n;
    mask      made = it->going;
    if (UNLIKELY((SOLVER == LINE_SEARCH) | any_lane(made & !(is_finite(it->sum) & (it->size <= REAL_MAX)))))
        made = newton_odd(of, it, first);
    if (it->out.rounds == 1) {
        it->out.begun = made;
        n->jacobians = MODIFIED ? count(n->jacobians, made) : n->jacobians;
    } else {
        n->updates = count(n->updates, made);
    }
    const mask converged = it->going & newton_converged(of, it);
    it->out.accepted = it->out.accepted | converged;
    it->going = it->going & !converged;
}

// Whether the largest row of the residual is within twice the noise of any row. Elsewhere a lane is not at its floor:
// that row missed the tolerance. Both sides are times the width that the row sums have, so that nothing is divided.
static mask near_floor(const Iteration *it, const real u[DOF], real size, real width, const Stage *k)
{
    const real noise = norm(it->row_sum) * size + width * (norm(k->B) + norm(u));
    return !(width * it->size > 4.0 * EPSILON * noise);
}

// What becomes of the lanes whose residual missed the tolerance.
//   first  the residual at the guess
static void newton_miss(const Solve *of, Iteration *it, const real first[DOF], const real u[DOF])
{
    if (FLOOR_GUARD & (SOLVER != LINEARISED)) {
        const mask still = of->k->cx == ZERO;
        const real size = choose(still, norm(u), magnitude(of->h, of->s, u));
        const real width = it->width * choose(still, ONE, of->k->cx);
        if (UNLIKELY(any_lane(it->going & near_floor(it, u, size, width, of->k)))) {
            const real per_width = 1.0 / width;
            EACH_DOF(i)
                it->row_sum[i] = it->row_sum[i] * per_width;
            const mask stagnated =
                it->going & at_floor(it->f, u, it->row_sum, size, of->k, it->scale, of->set->tolerance);
            of->n->stagnated_solves = count(of->n->stagnated_solves, stagnated);
            it->out.accepted = it->out.accepted | stagnated;
            it->going = it->going & !stagnated;
        }
    }
    if (it->out.rounds == 3)
        it->going = it->going & !(it->scale * smaller(it->size, it->least) >= it->scale * norm(first));
    it->going = it->going & (load_whole(of->set->max_updates) > it->out.rounds);
}

#if RECORD_CONDITION_MEAN && DOF > 1
// The logarithm of the product is taken only where the next factor would make it overflow.
static void add_condition(mask accepted, real number, Condition *condition)
{
    const real product = condition->product * choose(accepted, number, ONE);
    const mask full = !is_finite(product);
    if (UNLIKELY(any_lane(full))) {
        condition->log_sum = choose(full, condition->log_sum + real_log(condition->product), condition->log_sum);
        condition->product = choose(full, number, product);
    } else {
        condition->product = product;
    }
}
#endif

// Newton's method from guess u, in the lanes `active`; u holds the solution in the accepted ones. At least one update
// is made; a solve fails when the residuals after updates 1, 2 and 3 are none below the first, at max_updates, or when
// a residual or pivot is not a number to go on with. The first update stands before the loop: most solves end there,
// and nothing of the loop, nor of what may go wrong, then burdens them.
static Solved newton(const Solve *of, mask active, real u[DOF])
{
    Iteration it;
    it.out.accepted = it.out.singular = NO;
    it.out.rounds = 0;
    it.scale = SCALE_BY_STEP ? of->h : ONE;
#if SOLVER == LINE_SEARCH
    // The guess must be where the objective is finite, which the start of the step is.
    real       unused;
    const mask permitted = is_finite(objective(of->h, u, of->s, of->k, of->p, of->m, &unused));
    EACH_DOF(i)
        u[i] = choose(permitted, u[i], ZERO);
#endif
    real first[DOF];
    residual(u, of->k, of->p, it.f);
    EACH_DOF(i)
        first[i] = it.f[i];
#if RECORD_CONDITION || SOLVER == LINE_SEARCH
    it.going = active & finite(first);
#endif
    newton_update(of, &it, u);
    it.going = it.out.begun = active;
    it.out.not_finite = NO;
    it.out.all = newton_plain(of, &it);
    if (it.out.all) {
        it.out.accepted = active;
        of->n->jacobians = MODIFIED ? count(of->n->jacobians, active) : of->n->jacobians;
    } else {
        it.least = it.size;
        newton_judge(of, &it, first);
        while (true) {
            newton_miss(of, &it, first, u);
            if ((SOLVER == LINEARISED) | !any_lane(it.going))
                break;
            newton_update(of, &it, u);
            if (it.out.rounds == 2)
                it.least = smaller(it.size, it.least);
            if (newton_plain(of, &it)) {
                of->n->updates = count(of->n->updates, it.going);
                it.out.accepted = it.out.accepted | it.going;
                break;
            }
            newton_judge(of, &it, first);
        }
        it.out.all = !any_lane(active & !it.out.accepted);
    }
#if RECORD_CONDITION
    of->condition->last = choose(it.out.accepted, it.condition, of->condition->last);
#if RECORD_CONDITION_MEAN && DOF > 1
    add_condition(it.out.accepted, it.condition, of->condition);
#endif
#endif
    return it.out;
}
