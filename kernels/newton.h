// newton.h -- the solves of one substep, all lanes in step.
//
// Every implicit method here asks the acceleration once per solve, at a point that depends linearly on the unknown u:
//
//     f(u) = A u - B - q accel(t, X + cx u, V + cv u) = 0.
//
// A method's prepare() fills these seven; residual, Jacobian, stopping and failure are the same for all (Wu 2018,
// section 2.1). The method's card names one of three solvers: Newton's method; a single update from the guess,
// taken as it is (LINEARISED); Newton's method on f as the gradient of an objective, each update cut back until the
// objective falls (LINE_SEARCH).

#include "linear.h"
#include "point.h"

#define CENTRAL 0
#define FORWARD 1
#define ANALYTIC 2

// A method whose q is 1 defines this as 1 before it includes the file. There are compilers that make fma(1, -(a b), c)
// an fma(-a, b, c), rounded once, though contraction is off; an acceleration may end in such a product.
#ifndef Q_IS_ONE
#define Q_IS_ONE 0
#endif

typedef struct Stage {
    int  number;  // which solve of the step this is, from 0
    real t, A, q, cx, cv;
    real B[STATE_DOF], X[STATE_DOF], V[STATE_DOF];
#if EXTRAPOLATED
    real a[STATE_DOF];  // acceleration at the start, by which velocity.h extrapolates its guess
#endif
} Stage;

// One solve: its inputs, and the counts it adds to.
typedef struct Solve {
    real                h;  // size of the substep
    const State        *s;  // at its start
    const Stage        *k;
    const Params       *p;
    const MethodParams *m;
    const Settings     *set;
    Counters           *n;
    Condition          *condition;
    const real         *v_scale;  // [DOF] sizes of the velocities of the substeps before, where RELATIVE
    const Rare         *rare;     // solves that were left
} Solve;

#if LEAVES
#define MOST_UPDATES(of) (of)->rare->left->limit
#else
#define MOST_UPDATES(of) load_whole((of)->set->max_updates)
#endif

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
// The size of the numbers that are rounded on the way to coordinate i of the position where the force is evaluated.
static real magnitude(real h, const State *s, const real u[DOF], int i);
static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s);
#if SOLVER == LINE_SEARCH
// Its gradient is M f with the masses M; infinite where x is not permitted. size: the sum of its terms' magnitudes.
static real objective(real h, const real u[DOF], const State *s, const Stage *k, const Params *p, const MethodParams *m,
                      real *size);
#endif

#ifdef TANGENTS
// A solve is one of coordinates. The method's text has their tangents too, which tangent_solve.h finds.
#undef DOF
#define DOF COORDINATES
#undef acceleration
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

// The state of a solve. Where RELATIVE, sizes are by component, and all of them scale with the user's units. They are
// sizes of velocities: of an acceleration times h, which is `unit`.
typedef struct Iteration {
    real f[DOF];      // residual
    real reach[DOF];  // of the differences by an unknown; where RELATIVE its size times a constant, a power of two
#if MODIFIED
    MATRIX(guess_J);  // the matrix at the guess
#endif
#if RELATIVE
    real scale[DOF];       // the size that a row is compared with, after a miss
    real unit, per_place;  // the latter: a position times it is the unknown that moves the position by a small part
#else
    real size;  // ||f||
#endif
    real condition;  // of the matrix
    real sum;        // of the last elimination's pivots; where not RELATIVE, of rows of f too
    real least;      // the smallest residual after updates 1 and 2
    mask going;      // lanes still at work
    mask singular;   // lanes whose matrix was
#if SOLVER == LINE_SEARCH
    mask moved;  // lanes that found where to go
#endif
    Solved out;
} Iteration;

#if RELATIVE
static void size_first(const Solve *of, Iteration *it)
{
    it->unit = UNKNOWN_IS_VELOCITY ? ONE : of->h;
    it->per_place =
        choose(of->k->cx == ZERO, ZERO, CBRT_POWER * it->unit * power_inverse(power_below(real_abs(of->k->cx))));
}

// A row is compared with the velocity at which the force is evaluated, or with the velocities of the substeps before,
// if they were larger.
static void size_rows(const Solve *of, const real u[DOF], Iteration *it)
{
    EACH_DOF(i)
        it->scale[i] = larger(of->v_scale[i], real_abs(real_fma(of->k->cv, u[i], of->k->V[i])));
}

// Sizes of velocities at the first update: those before, of a solve that was left those of its iterate.
static const real *first_scale(const Solve *of, const real u[DOF], Iteration *first)
{
#if LEAVES
    if (UNLIKELY(ANY_LEFT(of->rare))) {
        size_rows(of, u, first);
        EACH_DOF(i)
            first->scale[i] = choose(LEFT(of->rare), first->scale[i], of->v_scale[i]);
        return first->scale;
    }
#endif
    return of->v_scale;
}

// Sizes of the unknowns, each the largest of: the size of the velocity before; the unknown's own; the unknown that
// moves the position by a small part of itself; a small part of the residual, which may be far larger than the
// solution. Where all are 0 it is next to nothing.
static void size_unknowns(const Solve *of, const real u[DOF], const real scale[DOF], Iteration *it)
{
    const real to_reach = UNKNOWN_IS_VELOCITY ? STENCIL * ONE : STENCIL * power_inverse(power_below(it->unit)),
               part = CBRT_POWER * it->unit;
    EACH_DOF(i) {
        real moved =
            larger(it->per_place * real_abs(of->k->X[i]), real_fma(part, real_abs(it->f[i]), ZERO + NEXT_TO_NOTHING));
#if !UNKNOWN_IS_VELOCITY || ADAPTIVE
        moved = larger(moved, it->unit * real_abs(u[i]));
#endif
        it->reach[i] = to_reach * power_below(larger(scale[i], moved));
    }
}
#define ITERATE_SCALE(it) (it).scale
#define FIRST_SCALE(of, u, it) first_scale(of, u, it)
#define SIZES_OF_UNKNOWNS(it) (it)->reach
#define ROW_LIMIT(of, it, i) ((of)->set->tolerance * (it)->scale[i])
#define ROW_SIZE(it, i) (real_abs((it)->f[i]) * (it)->unit)
#else
#define ITERATE_SCALE(it) 0
#define FIRST_SCALE(of, u, it) 0
#define SIZES_OF_UNKNOWNS(it) 0
#define ROW_LIMIT(of, it, i) (of)->set->tolerance
#define ROW_SIZE(it, i) real_abs((it)->f[i])
#endif

// The width of a column: its factor in the matrix.
static real width(const Iteration *it, int j)
{
    return JACOBIAN == ANALYTIC ? ONE : JACOBIAN == CENTRAL ? 2.0 * it->reach[j] : it->reach[j];
}

// 1 over it.
static real per_width(const Iteration *it, int j)
{
    return RELATIVE ? power_inverse(width(it, j)) : 1.0 / width(it, j);
}

// The Newton matrix at u, each column times a width: differences are not divided, since the solve does not mind (the
// update is the width times the solution).
#if JACOBIAN == ANALYTIC
static void form_matrix(const Solve *of, const real u[DOF], Iteration *it, MATRIX(J))
{
    const Stage *k = of->k;
    real         x[DOF], v[DOF];
    MATRIX(dadx);
    MATRIX(dadv);
    EACH_DOF(i) {
        x[i] = real_fma(k->cx, u[i], k->X[i]);
        v[i] = real_fma(k->cv, u[i], k->V[i]);
    }
    jacobian(k->t, x, v, of->p, dadx, dadv);
    EACH_DOF(i)
        EACH_COLUMN(j)
            J[i][j] = (ON_DIAGONAL(i, j) ? k->A : ZERO) - k->q * (k->cx * dadx[i][j] + k->cv * dadv[i][j]);
    for (int i = DOF; i < ROWS; ++i)
        EACH_COLUMN(j)
            J[i][j] = ZERO;
}
#elif defined(BAND_ABOVE)
#include "band.h"
#else
static void form_matrix(const Solve *of, const real u[DOF], Iteration *it, real J[DOF][DOF])
{
#if !RELATIVE
    const real s = larger(STENCIL * norm(u), STENCIL * ONE);
#endif
    EACH_DOF(j) {
        real       moved[DOF], ahead[DOF];
#if RELATIVE
        const real s = it->reach[j];
#endif
        EACH_DOF(i)
            moved[i] = u[i];
        moved[j] = u[j] + s;
        residual(moved, of->k, of->p, ahead);
#if JACOBIAN == CENTRAL
        real behind[DOF];
        moved[j] = u[j] - s;
        residual(moved, of->k, of->p, behind);
        EACH_DOF(i)
            J[i][j] = ahead[i] - behind[i];
#else
        EACH_DOF(i)
            J[i][j] = ahead[i] - it->f[i];
#endif
#if !RELATIVE
        it->reach[j] = s;
#endif
    }
}
#endif

// The matrix of the next update.
//   scale  [DOF] sizes of velocities
static void newton_matrix(const Solve *of, const real u[DOF], const real *scale, Iteration *it, MATRIX(J))
{
#if RELATIVE
    if (!MODIFIED || it->out.rounds == 0)
        size_unknowns(of, u, scale, it);
#endif
#if MODIFIED
    if (it->out.rounds == 0)
        form_matrix(of, u, it, it->guess_J);
    UNROLL
    for (int i = 0; i < ROWS; ++i)
        EACH_COLUMN(j)
            J[i][j] = it->guess_J[i][j];
#else
    form_matrix(of, u, it, J);
#endif
}

#if RECORD_CONDITION
static real newton_condition(const Iteration *it, const MATRIX(J))
{
    real matrix[DOF][DOF];
    EACH_DOF(i) {
        EACH_DOF(j)
            matrix[i][j] = ZERO;
        // A width that all columns have changes nothing.
        EACH_OF_ROW(i, j)
            matrix[i][j] = RELATIVE ? ENTRY(J, i, j) * per_width(it, j) : ENTRY(J, i, j);
    }
    return condition_number(matrix);
}
#endif

#if SOLVER == LINE_SEARCH
// Backtracking (Armijo 1966; Chern 2024, "Line search"): along d from u, halves the part s of the step until the
// objective has fallen by 1e-4 s |slope|, but for its rounding: that of its terms, and that of the position, which the
// force makes one of the objective. Where Newton's direction d = -J^-1 f climbs, it becomes that of steepest descent in
// the metric of the masses, -f. Lanes that find no such part come back as false; u is moved in the others.
static mask search(const Solve *of, mask going, const real f[DOF], real d[DOF], real u[DOF])
{
    enum { HALVINGS = 40 };
    real mass[DOF], trial[DOF], slope = ZERO, steepest = ZERO, work = ZERO, size, unused, part = ONE;
    masses(of->p, mass);
    EACH_DOF(i) {
        slope = real_fma(mass[i] * f[i], d[i], slope);
        steepest = real_fma(-mass[i] * f[i], f[i], steepest);
        work = real_fma(mass[i] * real_abs(u[i] - of->k->B[i] - f[i]), magnitude(of->h, of->s, u, i), work);
    }
    const mask climbs = !(slope < ZERO);
    slope = choose(climbs, steepest, slope);
    EACH_DOF(i)
        d[i] = choose(climbs, -f[i], d[i]);
    const real now = objective(of->h, u, of->s, of->k, of->p, of->m, &size);
    const real room = 4.0 * EPSILON * (size + work / of->h);
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

// One update by the matrix, which is destroyed, in the lanes that are going, and the residual after it. Who was going
// is not asked before the first.
static void newton_update(const Solve *of, Iteration *it, MATRIX(J), real u[DOF])
{
    real y[PADDED];
    EACH_DOF(i)
        y[i] = it->f[i];
#if RECORD_CONDITION
    const real number = newton_condition(it, J);
    it->condition = it->out.rounds == 0 ? number : choose(it->going, number, it->condition);
    Condition *condition = of->condition;
    condition->largest = choose(it->going & !(number <= condition->largest), number, condition->largest);
#endif
    it->singular = solve(J, y, SIZES_OF_UNKNOWNS(it));
    it->sum = ENTRY(J, 0, 0);
    EACH_DOF_FROM(1, i)
        it->sum = it->sum + ENTRY(J, i, i);
#if SOLVER == LINE_SEARCH
    EACH_DOF(i)
        y[i] = -width(it, i) * y[i];
    it->moved = search(of, it->going & !it->singular, it->f, y, u);
#else
    // Nobody asks for u in lanes that were not going at the first update.
    const mask moving = it->out.rounds == 0 ? YES : it->going;
    EACH_DOF(i)
        u[i] = choose(moving, real_fma(-width(it, i), y[i], u[i]), u[i]);
#endif
    it->out.rounds += 1;
    residual(u, of->k, of->p, it->f);
#if !RELATIVE
    it->size = norm(it->f);
    EACH_DOF_FROM(1, i)
        it->sum = it->sum + it->f[i - 1];
#endif
}

// Whether every row of the residual is within the tolerance, where RELATIVE by its size; none is that is not a number,
// but for one that the norm loses, which is in the sum.
#if SOLVER == LINEARISED
#define WITHIN_TOLERANCE(of, it, scale) finite((it)->f)
#elif RELATIVE
static mask rows_within(const Solve *of, const Iteration *it, const real scale[DOF])
{
    mask within = YES;
    EACH_DOF(i)
        within = within & (ROW_SIZE(it, i) <= of->set->tolerance * scale[i]);
    return within;
}
#define WITHIN_TOLERANCE(of, it, scale) rows_within(of, it, scale)
#else
#define WITHIN_TOLERANCE(of, it, scale) ((it)->size <= (of)->set->tolerance)
#endif

#if RELATIVE
#define FINITE_RESIDUAL(it) finite((it)->f)
#else
#define FINITE_RESIDUAL(it) ((it)->size <= REAL_MAX)
#endif

// Whether the update is accepted in all lanes that were going. Of the possible faults only an infinite pivot has to be
// looked for: where the first residual is not finite, or a pivot is zero or NaN, the residual after is not finite
// either. A sum of finite numbers may overflow: newton_odd() then finds nothing, and the same lanes are accepted.
static bool newton_plain(const Solve *of, const Iteration *it)
{
    return SOLVER != LINE_SEARCH &&
           !any_lane(it->going & !(WITHIN_TOLERANCE(of, it, of->v_scale) & is_finite(it->sum)));
}

// Sorts out the faults of an update, which are rare, lane by lane. Returns the lanes that made the update.
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

// The outcome of the update in the lanes that were going: accepted, failed, or going on.
static void newton_judge(const Solve *of, Iteration *it, const real first[DOF], const real u[DOF])
{
    Counters *n = of->n;
    mask      made = it->going;
    if (UNLIKELY((SOLVER == LINE_SEARCH) | any_lane(made & !(is_finite(it->sum) & FINITE_RESIDUAL(it)))))
        made = newton_odd(of, it, first);
    if (it->out.rounds == 1) {
        it->out.begun = made;
        n->jacobians = MODIFIED ? count(n->jacobians, made) : n->jacobians;
    } else {
        n->updates = count(n->updates, made);
    }
#if RELATIVE
    size_rows(of, u, it);
#endif
    const mask converged = it->going & WITHIN_TOLERANCE(of, it, it->scale);
    it->out.accepted = it->out.accepted | converged;
    it->going = it->going & !converged;
}

// Whether every row of the residual is within the tolerance, or within its rounding error, where iterating on cannot
// help: 4 u (sum_j |J_ij - A delta_ij| X_j/cx + |u_i|), u the unit roundoff, X_j the size of the numbers that were
// rounded on the way to coordinate j. Where the position does not depend on the unknown, |u_j| stands for X_j/cx,
// and |B_i| is rounded too.
static mask at_floor(const Solve *of, const Iteration *it, const MATRIX(J), const real u[DOF])
{
    const Stage *k = of->k;
    const mask   still = k->cx == ZERO;
    const real   per_cx = 1.0 / k->cx;
    real         rounded[DOF];
    mask         all_rows = YES;
    EACH_DOF(j)
        rounded[j] = choose(still, real_abs(u[j]), magnitude(of->h, of->s, u, j) * per_cx) * per_width(it, j);
    EACH_DOF(i) {
        real noise = choose(still, real_abs(k->B[i]), ZERO) + real_abs(u[i]);
        EACH_OF_ROW(i, j)
            noise = real_fma(real_abs(ENTRY(J, i, j) - (i == j ? k->A * width(it, j) : ZERO)), rounded[j], noise);
        all_rows =
            all_rows & ((ROW_SIZE(it, i) <= ROW_LIMIT(of, it, i)) | (real_abs(it->f[i]) <= 2.0 * EPSILON * noise));
    }
    return all_rows;
}

// Size of a residual in the largest of its rows; where RELATIVE each over the size of velocities before, or over the
// first residual where that is 0. (A power of two does for this.)
static real newton_size(const Solve *of, const real first[DOF], const real f[DOF])
{
#if RELATIVE
    const real unit = UNKNOWN_IS_VELOCITY ? ONE : of->h;
    real       size = ZERO;
    EACH_DOF(i) {
        const real over = power_below(choose(of->v_scale[i] > ZERO, of->v_scale[i], unit * real_abs(first[i])));
        size = larger(unit * real_abs(f[i]) * choose(over > ZERO, power_inverse(over), ZERO), size);
    }
    return size;
#else
    return norm(f);
#endif
}

// Accepts the lanes whose residual is at the floor of its rounding, by the matrix at u.
static void newton_floor(const Solve *of, Iteration *it, const MATRIX(J), const real u[DOF])
{
    const mask stagnated = it->going & at_floor(of, it, J, u);
    if (UNLIKELY(any_lane(stagnated))) {
        of->n->stagnated_solves = count(of->n->stagnated_solves, stagnated);
        it->out.accepted = it->out.accepted | stagnated;
        it->going = it->going & !stagnated;
    }
}

// Which of the lanes whose residual missed the tolerance fail.
//   first  the residual at the guess
static void newton_miss(const Solve *of, Iteration *it, const real first[DOF], const real u[DOF])
{
    if (it->out.rounds <= 3) {
#if RELATIVE
        // Mostly each row fell, and its size is not needed.
        mask fell = YES;
        EACH_DOF(i)
            fell = fell & (real_abs(it->f[i]) < real_abs(first[i]));
        real size = ZERO - 1.0;
        if (any_lane(it->going & !fell))
            size = choose(fell, size, newton_size(of, first, it->f));
#else
        const real size = it->size;
#endif
        it->least = it->out.rounds == 1 ? size : smaller(size, it->least);
        if (it->out.rounds == 3)
            it->going = it->going & (LEFT(of->rare) | !(it->least >= newton_size(of, first, first)));
    }
    it->going = it->going & (MOST_UPDATES(of) > it->out.rounds);
#if LEAVES
    EACH_DOF(i)
        of->rare->left->u[i] = u[i];
#endif
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
// is made; a solve fails when none of the residuals after updates 1, 2 and 3 is below the first, at max_updates, or
// when a residual is not finite or a pivot is zero or not finite. The first update stands before the loop: most solves
// end there, and neither the loop nor the treatment of faults then burdens them.
static Solved newton(const Solve *of, mask active, real u[DOF])
{
    Iteration it;
    it.out.accepted = it.out.singular = NO;
    it.out.rounds = 0;
#if SOLVER == LINE_SEARCH
    // The guess must be where the objective is finite, which the start of the step is.
    real       unused;
    const mask permitted = is_finite(objective(of->h, u, of->s, of->k, of->p, of->m, &unused));
    EACH_DOF(i)
        u[i] = choose(permitted, u[i], ZERO);
#endif
#if LEAVES
    const mask gone_on = of->rare->left->lanes;
    EACH_DOF(i)
        u[i] = choose(gone_on, of->rare->left->u[i], u[i]);
#endif
    real first[DOF];
    residual(u, of->k, of->p, it.f);
    EACH_DOF(i)
        first[i] = it.f[i];
#if RELATIVE
    size_first(of, &it);
#endif
#if RECORD_CONDITION || SOLVER == LINE_SEARCH
    it.going = active & finite(first);
#endif
    {
        MATRIX(J);
        newton_matrix(of, u, FIRST_SCALE(of, u, &it), &it, J);
        newton_update(of, &it, J, u);
    }
    it.going = it.out.begun = active;
    it.out.not_finite = NO;
    it.out.all = newton_plain(of, &it);
    if (it.out.all) {
        it.out.accepted = active;
        of->n->jacobians = MODIFIED ? count(of->n->jacobians, active) : of->n->jacobians;
    } else {
        newton_judge(of, &it, first, u);
        while (true) {
            MATRIX(J);
            if (SOLVER == LINEARISED)
                break;
#if FLOOR_GUARD
            if (!any_lane(it.going))
                break;
            newton_matrix(of, u, ITERATE_SCALE(it), &it, J);
            newton_floor(of, &it, J, u);
            newton_miss(of, &it, first, u);
            if (!any_lane(it.going))
                break;
#else
            newton_miss(of, &it, first, u);
            if (!any_lane(it.going))
                break;
            newton_matrix(of, u, ITERATE_SCALE(it), &it, J);
#endif
            newton_update(of, &it, J, u);
            if (newton_plain(of, &it)) {
                of->n->updates = count(of->n->updates, it.going);
                it.out.accepted = it.out.accepted | it.going;
                break;
            }
            newton_judge(of, &it, first, u);
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

#ifdef TANGENTS
#undef DOF
#define DOF STATE_DOF
#define acceleration tangent_acceleration
#endif
