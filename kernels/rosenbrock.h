// rosenbrock.h -- the solves of one substep of a Rosenbrock method, all lanes in step: linear equations with one
// matrix.
//
// With the derivatives a_t, a_x, a_v of the acceleration where the substep begins, a stage is the increment (k_x, k_v)
// of (x, v) that
//
//     k_x = K + q k_v,    k_v = B + q (accel(t', X, V) + d a_t + a_x k_x + a_v k_v)
//
// (Hairer and Wanner 1996, section IV.7). A method's prepare() fills t', q, d and the vectors; q is the same in all
// stages. What is left is (1 - q a_v - q^2 a_x) k_v = B + q (accel(t', X, V) + d a_t + a_x K). Its matrix is factorised
// once, before the first stage, whose acceleration the method keeps as `a`.

#include "error.h"
#include "groups.h"
#include "linear.h"
#include "point.h"

#define CENTRAL 0
#define FORWARD 1
#define ANALYTIC 2

typedef struct Stage {
    int  number;  // which one of the substep this is, from 0
    real t, q, d;
    real X[DOF], V[DOF], K[DOF], B[DOF];
} Stage;

typedef struct Solved {
    mask accepted, singular, not_finite;  // the last two say why a solve failed
    mask begun;                           // lanes whose matrix has pivots, and whose right side is finite
    bool all;                             // every lane that was asked is accepted
    int  rounds;
} Solved;

// The matrix of a substep by its pivots, and the derivatives that stages need besides.
typedef struct Matrix {
    real in_time[DOF];              // a_t
    MATRIX(in_x);                   // a_x; in a system of first order not used
    MATRIX(factors);                // the upper triangle, and below it the rows' shares of the pivots' rows
    real inverse[DOF];              // 1 over the pivots
    mask exchanged[ROWS][COLUMNS];  // entry (i, k): rows k and i change places before column k is eliminated
    mask singular;
    real condition;
} Matrix;

static void start(const Params *p, const MethodParams *m, State *s);
static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k);
static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s);

// a_t by the cubic through the acceleration at t and at three times after it, of which none is outside of the substep:
// a break may end there, or have been where it begins. The spacing, a power of two, moves t without rounding.
#define SPACING (SINGLE ? 0x1p-4 : 0x1p-10)
static void differentiate_time(real t, real h, const State *s, const Params *p, real in_time[DOF])
{
    const real   spacing = SPACING * power_below(h), per = power_inverse(spacing);
    const SCALAR weights[3] = {3.0, -1.5, 1.0 / 3.0};
    EACH_DOF(i)
        in_time[i] = ZERO;
    for (int n = 0; n < 3; ++n) {
        real a[DOF];
        acceleration(t + (SCALAR)(n + 1) * spacing, s->x, s->v, p, a);
        EACH_DOF(i)
            in_time[i] = real_fma(ZERO + weights[n], (a[i] - s->a[i]) * per, in_time[i]);
    }
}

// a_x and a_v where the substep begins.
//   sizes_x, sizes_v  of the components, which differences are narrow for
#if JACOBIAN == ANALYTIC
static void differentiate(real t, const State *s, const Params *p, const real sizes_x[DOF], const real sizes_v[DOF],
                          MATRIX(in_x), MATRIX(in_v))
{
    jacobian(t, s->x, s->v, p, in_x, in_v);
}
#else
// How far a component moves, a power of two.
#define REACH_OF(size) (STENCIL * power_below(size))

// The components, those of a group moved ahead or behind.
static void move_group(int group, const real from[DOF], const real sizes[DOF], real side, real moved[DOF])
{
    EACH_DOF(i)
        moved[i] = from[i];
    EACH_OF_GROUP(group, j)
        moved[j] = from[j] + side * REACH_OF(sizes[j]);
}

// The slopes by the components of a group, from the accelerations with them moved ahead and behind; where differences
// are forward, from those ahead and those where the substep begins.
static void difference(int group, const real ahead[DOF], const real behind[DOF], const State *s, const real sizes[DOF],
                       MATRIX(slopes))
{
    EACH_OF_GROUP(group, j) {
        const real per = power_inverse((JACOBIAN == CENTRAL ? 2.0 : 1.0) * REACH_OF(sizes[j]));
        EACH_OF_COLUMN(j, i)
            ENTRY(slopes, i, j) = (ahead[i] - (JACOBIAN == CENTRAL ? behind[i] : s->a[i])) * per;
    }
}

static void differentiate(real t, const State *s, const Params *p, const real sizes_x[DOF], const real sizes_v[DOF],
                          MATRIX(in_x), MATRIX(in_v))
{
    real moved[DOF], ahead[DOF], behind[DOF];
    EACH_DOF(i)
        EACH_COLUMN(j)
            in_v[i][j] = in_x[i][j] = ZERO;
    UNROLL
    for (int group = 0; group < GROUPS; ++group) {
        move_group(group, s->v, sizes_v, ONE, moved);
        acceleration(t, s->x, moved, p, ahead);
        if (JACOBIAN == CENTRAL) {
            move_group(group, s->v, sizes_v, -ONE, moved);
            acceleration(t, s->x, moved, p, behind);
        }
        difference(group, ahead, behind, s, sizes_v, in_v);
#if !FIRST_ORDER
        move_group(group, s->x, sizes_x, ONE, moved);
        acceleration(t, moved, s->v, p, ahead);
        if (JACOBIAN == CENTRAL) {
            move_group(group, s->x, sizes_x, -ONE, moved);
            acceleration(t, moved, s->v, p, behind);
        }
        difference(group, ahead, behind, s, sizes_x, in_x);
#endif
    }
}
#endif

// Gaussian elimination as in linear.h, kept for many right sides.
//   size  of the unknowns, which rows are compared over
static void factorise(real size[ROWS], Matrix *matrix)
{
    real(*A)[COLUMNS] = matrix->factors;
    matrix->singular = NO;
    EACH_DOF(k) {
        EACH_BELOW(k, i)
        {
            const mask larger = real_abs(ENTRY(A, i, k)) * size[k] > real_abs(ENTRY(A, k, k)) * size[i];
            ENTRY(matrix->exchanged, i, k) = larger;
            if (UNLIKELY(any_lane(larger))) {
                EACH_RIGHT(k, k, j)
                {
                    const real up = ENTRY(A, i, j), down = ENTRY(A, k, j);
                    ENTRY(A, k, j) = choose(larger, up, down);
                    ENTRY(A, i, j) = choose(larger, down, up);
                }
                const real of_i = size[i], of_k = size[k];
                size[k] = choose(larger, of_i, of_k);
                size[i] = choose(larger, of_k, of_i);
            }
        }
        const real pivot = ENTRY(A, k, k);
        matrix->singular = matrix->singular | (pivot == ZERO) | !is_finite(pivot);
        matrix->inverse[k] = 1.0 / pivot;
        EACH_BELOW(k, i)
        {
            const real share = ENTRY(A, i, k) * matrix->inverse[k];
            ENTRY(A, i, k) = share;
            EACH_RIGHT(k, k + 1, j)
            ENTRY(A, i, j) = real_fma(-share, ENTRY(A, k, j), ENTRY(A, i, j));
        }
    }
}

// Solves for one right side b, which becomes the solution.
static void substitute(const Matrix *matrix, real b[PADDED])
{
    const real(*A)[COLUMNS] = matrix->factors;
    for (int i = DOF; i < PADDED; ++i)
        b[i] = ZERO;
    EACH_DOF(k) {
        EACH_BELOW(k, i)
        {
            const mask exchanged = ENTRY(matrix->exchanged, i, k);
            if (UNLIKELY(any_lane(exchanged))) {
                const real up = b[i], down = b[k];
                b[k] = choose(exchanged, up, down);
                b[i] = choose(exchanged, down, up);
            }
        }
        EACH_BELOW(k, i)
        b[i] = real_fma(-ENTRY(A, i, k), b[k], b[i]);
    }
    for (int i = DOF; i < PADDED; ++i)
        b[i] = ZERO;
    UNROLL
    for (int i = DOF - 1; i >= 0; --i) {
        EACH_RIGHT(i, i + 1, j)
        b[i] = real_fma(-ENTRY(A, i, j), b[j], b[i]);
        b[i] = b[i] * matrix->inverse[i];
    }
}

static void make_matrix(real t, real h, const State *s, const Stage *k, const Params *p, Matrix *matrix)
{
    real sizes_x[DOF], sizes_v[ROWS];
    MATRIX(in_v);
    EACH_DOF(i) {
        sizes_x[i] = size_of(s->size_x[i], s->x[i], h * larger(real_abs(s->v[i]), h * real_abs(s->a[i])));
        sizes_v[i] = size_of(s->size_v[i], s->v[i], h * s->a[i]);
    }
    differentiate_time(t, h, s, p, matrix->in_time);
    differentiate(t, s, p, sizes_x, sizes_v, matrix->in_x, in_v);
    EACH_DOF(i)
        EACH_COLUMN(j) {
#if FIRST_ORDER
            const real slope = in_v[i][j];
#else
            const real slope = real_fma(k->q, matrix->in_x[i][j], in_v[i][j]);
#endif
            matrix->factors[i][j] = real_fma(-k->q, slope, ON_DIAGONAL(i, j) ? ONE : ZERO);
        }
    for (int i = DOF; i < ROWS; ++i) {
        sizes_v[i] = ONE;
        EACH_COLUMN(j)
            matrix->factors[i][j] = ZERO;
    }
#if RECORD_CONDITION
    real whole_matrix[DOF][DOF];
    EACH_DOF(i) {
        EACH_DOF(j)
            whole_matrix[i][j] = ZERO;
        EACH_OF_ROW(i, j)
            whole_matrix[i][j] = ENTRY(matrix->factors, i, j);
    }
    matrix->condition = condition_number(whole_matrix);
#endif
    factorise(sizes_v, matrix);
}

#if RECORD_CONDITION
// Each solve has the condition number of the one matrix.
static void record_condition(mask active, mask accepted, const Stage *k, real number, Condition *condition)
{
    const mask made = k->number == 0 ? active : NO;
    condition->largest = choose(made & !(number <= condition->largest), number, condition->largest);
    condition->last = choose(accepted, number, condition->last);
#if RECORD_CONDITION_MEAN && DOF > 1
    // The logarithm of the product is taken only where the next factor would make it overflow.
    const real product = condition->product * choose(accepted, number, ONE);
    const mask full = !is_finite(product);
    condition->log_sum = choose(full, condition->log_sum + real_log(condition->product), condition->log_sum);
    condition->product = choose(full, number, product);
#endif
}
#endif

// Solves for a stage in the lanes `active`; u is its k_v in the accepted ones. The first stage makes the matrix, which
// is counted in all of them.
//   t, h  where the substep begins, and its size
static Solved solve_stage(real t, real h, mask active, const State *s, const Stage *k, const Params *p, Matrix *matrix,
                          Point *q, real u[DOF])
{
    Solved out;
    real   a[DOF], b[PADDED];
    if (k->number == 0) {
        make_matrix(t, h, s, k, p, matrix);
        q->n.jacobians = count(q->n.jacobians, active);
        EACH_DOF(i)
            a[i] = s->a[i];
    } else {
        acceleration(k->t, k->X, k->V, p, a);
    }
    EACH_DOF(i) {
        real rate = real_fma(k->d, matrix->in_time[i], a[i]);
#if !FIRST_ORDER
        EACH_OF_ROW(i, j)
            rate = real_fma(ENTRY(matrix->in_x, i, j), k->K[j], rate);
#endif
        b[i] = real_fma(k->q, rate, k->B[i]);
    }
    const mask known = active & finite(b);
    substitute(matrix, b);
    EACH_DOF(i)
        u[i] = b[i];
    out.singular = known & matrix->singular;
    out.begun = known & !matrix->singular;
    out.accepted = out.begun & finite(u);
    out.not_finite = active & !out.singular & !out.accepted;
    out.all = !any_lane(active & !out.accepted);
    out.rounds = 1;
#if RECORD_CONDITION
    record_condition(active, out.accepted, k, matrix->condition, &q->condition);
#endif
    return out;
}
