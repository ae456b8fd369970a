// deviations.h -- small deviations of the state, which steps carry along and which are made orthonormal after each.
//
// A sweep that asks for several Lyapunov exponents has TANGENTS deviations behind the DOF numbers of its vectors. Steps
// move them as they move tangents (tangent.h), but for a term: da = a_x dx + a_v dv. So a step multiplies the matrix D
// of the deviations by the derivative M of its map, that of the numbers which the step itself computes. After the step
//
//     M D = Q R
//
// by modified Gram-Schmidt, and the next one begins with Q. R_jj is the growth of deviation j. The product of all R is
// the R of the product of all M: after how many steps this is done changes the sums of ln R_jj by rounding alone.
//
// Lengths and angles are those of (dx, dv) over the sizes of the components, each the largest that its component has
// had, so that no unit has a part in them. The growth is measured over the sizes before the step; where a size has
// grown the deviations are made orthonormal again, over the new sizes, and this growth is not counted. The other
// vectors of a State, which a method keeps between steps, are linear in the deviations, and are combined as these are.

#include "flow.h"

#define DEVIATION_BOTH (FIRST_ORDER ? DOF : 2 * DOF)  // components of a deviation

// The size of a component: the larger of its value and of its move in a step; 1 where both are 0.
static real deviations_size(real at, real moved)
{
    const real size = larger(real_abs(at), real_abs(moved));
    return choose(size > ZERO, size, ONE);
}

// Component i of a vector that no symmetry of a problem is likely to share.
static SCALAR deviations_normal(int i) { return i < DOF ? 1.0 / (1.0 + i) : 0.6 / (1.0 + (i - DOF)); }

// The deviations of the initial state: columns of a reflection, over the sizes.
static void deviations_begin(const Params *p, const Settings *set, Point *q)
{
    real   fx[DOF], fv[DOF];
    SCALAR square = 0.0;
    flow(ZERO + START_TIME(p), q->s.x, q->s.v, p, fx, fv);
    EACH_DOF(i) {
        q->size_x[i] = deviations_size(q->s.x[i], set->h * larger(real_abs(fx[i]), set->h * real_abs(fv[i])));
        q->size_v[i] = FIRST_ORDER ? ONE : deviations_size(q->s.v[i], real_sqrt(q->size_x[i] * real_abs(fv[i])));
    }
    for (int i = 0; i < DEVIATION_BOTH; ++i)
        square = square + deviations_normal(i) * deviations_normal(i);
    EACH_TANGENT(j) {
        const SCALAR along = -2.0 * deviations_normal(j) / square;
        EACH_DOF(i) {
            const SCALAR x = along * deviations_normal(i) + (i == j ? 1.0 : 0.0),
                         v = along * deviations_normal(i + DOF) + (i + DOF == j ? 1.0 : 0.0);
            q->s.x[(j + 1) * DOF + i] = x * q->size_x[i];
            q->s.v[(j + 1) * DOF + i] = FIRST_ORDER ? ZERO : v * q->size_v[i];
        }
    }
}

// The product of deviations j and k over the sizes.
//   per_x, per_v  one over these
static real deviations_product(const State *s, int j, int k, const real per_x[DOF], const real per_v[DOF])
{
    const int a = (j + 1) * DOF, b = (k + 1) * DOF;
    real      sum = ZERO;
    EACH_DOF(i) {
        sum = real_fma(per_x[i] * s->x[a + i], per_x[i] * s->x[b + i], sum);
#if !FIRST_ORDER
        sum = real_fma(per_v[i] * s->v[a + i], per_v[i] * s->v[b + i], sum);
#endif
    }
    return sum;
}

// Makes the deviations of the lanes `in` orthonormal over the sizes.
//   growth  written: their lengths, each without what lies along those before it
static void deviations_turn(mask in, Point *q, real growth[TANGENTS])
{
    real per_x[DOF], per_v[DOF];
    EACH_DOF(i) {
        per_x[i] = 1.0 / q->size_x[i];
        per_v[i] = 1.0 / q->size_v[i];
    }
    EACH_TANGENT(j) {
        growth[j] = real_sqrt(deviations_product(&q->s, j, j, per_x, per_v));
        const real per = 1.0 / growth[j];
#define SCALE_DEVIATION(name) \
    EACH_DOF(i)               \
        q->s.name[(j + 1) * DOF + i] = choose(in, per * q->s.name[(j + 1) * DOF + i], q->s.name[(j + 1) * DOF + i]);
        STATE(SCALE_DEVIATION)
#undef SCALE_DEVIATION
        for (int k = j + 1; k < TANGENTS; ++k) {
            const real along = deviations_product(&q->s, j, k, per_x, per_v);
#define TURN_DEVIATION(name)                                                                         \
    EACH_DOF(i)                                                                                      \
        q->s.name[(k + 1) * DOF + i] =                                                               \
            choose(in, real_fma(-along, q->s.name[(j + 1) * DOF + i], q->s.name[(k + 1) * DOF + i]), \
                   q->s.name[(k + 1) * DOF + i]);
            STATE(TURN_DEVIATION)
#undef TURN_DEVIATION
        }
    }
}

// Ends a step of the lanes that have stepped.
//   growth  written: that of each deviation in the step
static void deviations_step(mask stepped, Point *q, real growth[TANGENTS])
{
    mask grown = NO;
    deviations_turn(stepped, q, growth);
    EACH_DOF(i) {
        const real x = real_abs(q->s.x[i]), v = real_abs(q->s.v[i]);
        grown = grown | (stepped & ((x > q->size_x[i]) | (v > q->size_v[i])));
        q->size_x[i] = choose(stepped, larger(q->size_x[i], x), q->size_x[i]);
        q->size_v[i] = choose(stepped, larger(q->size_v[i], v), q->size_v[i]);
    }
    if (any_lane(grown)) {
        real again[TANGENTS];
        deviations_turn(grown, q, again);
    }
}
