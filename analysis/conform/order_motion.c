// order_motion -- the motion in long double, its derivatives, sizes and roundings.
#include "analysis/conform/order_motion.h"

#include "analysis/conform/equations.h"
#include "analysis/conform/flow.h"

#include <math.h>
#include <string.h>

// A state of the motion and its acceleration.
typedef struct MotionPlace {
    long double t, x[CERTIFICATE_DOFS], v[CERTIFICATE_DOFS], a[CERTIFICATE_DOFS];
} MotionPlace;

// The size of a coordinate or of its velocity: what it is, or comes to in the window's length. Where it rests for ever,
// of the largest one.
static long double size_of(const MotionPlace *place, size_t n, long double length, size_t j, bool of_v)
{
    long double own = 0.0L, most = 0.0L;
    for (size_t i = 0; i < n; ++i) {
        const long double v = larger_of(fabsl(place->v[i]), length * fabsl(place->a[i])),
                          size = of_v ? v : larger_of(fabsl(place->x[i]), length * v);
        most = larger_of(most, size);
        own = i == j ? size : own;
    }
    return own > 0.0L ? own : most > 0.0L ? most : 1.0L;
}

// The largest sum over a row of the derivatives of an acceleration, by x or by v.
static long double find_slope(const CertificateSubstep *at, const MotionPlace *place, long double length, bool of_v)
{
    const size_t n = at->dofs;
    long double  rows[CERTIFICATE_DOFS] = {0}, moved[CERTIFICATE_DOFS];
    MotionPlace  there = *place;
    long double *argument = of_v ? there.v : there.x;
    for (size_t j = 0; j < n; ++j) {
        const long double here = argument[j], by = 0x1p-24L * size_of(place, n, length, j, of_v);
        argument[j] = here + by;
        at->exact->acceleration(there.t, there.x, there.v, at->params, moved);
        argument[j] = here;
        for (size_t i = 0; i < n; ++i)
            rows[i] += fabsl(moved[i] - place->a[i]) / by;
    }
    return flow_norm(rows, n);
}

// Whether the acceleration is another at another velocity, or at another time.
static bool depends(const CertificateSubstep *at, const MotionPlace *place, long double length, long double of_v,
                    long double of_t)
{
    long double v[CERTIFICATE_DOFS], a[CERTIFICATE_DOFS];
    for (size_t i = 0; i < at->dofs; ++i)
        v[i] = place->v[i] + of_v * size_of(place, at->dofs, length, i, true);
    at->exact->acceleration(place->t + of_t, place->x, v, at->params, a);
    return memcmp(a, place->a, at->dofs * sizeof *a) != 0;
}

// What rounding does to the acceleration in the kernel.
static long double find_rounding(const CertificateSubstep *at, const MotionPlace *place)
{
    const Judge judge = {.substep = at, .n = at->dofs, .u = at->unit};
    Vector      x = {0}, v = {0};
    long double worst = 0.0L;
    for (size_t i = 0; i < at->dofs; ++i) {
        x.i[i] = ball(place->x[i]);
        v.i[i] = ball(place->v[i]);
    }
    const Vector a = equations_acceleration(&judge, ball(place->t), &x, &v);
    for (size_t i = 0; i < at->dofs; ++i)
        worst = larger_of(worst, a.i[i].off);
    return worst;
}

static void look_at(const CertificateSubstep *at, OrderMotion *motion, int k)
{
    const size_t      n = at->dofs;
    const long double length = motion->length;
    MotionPlace       place = {.t = length / ORDER_TIMES * k};
    memcpy(place.x, motion->x[k], n * sizeof *place.x);
    memcpy(place.v, motion->v[k], n * sizeof *place.v);
    at->exact->acceleration(place.t, place.x, place.v, at->params, place.a);
    motion->damped = motion->damped || depends(at, &place, length, 0x1p-10L, 0.0L);
    motion->driven = motion->driven || depends(at, &place, length, 0.0L, 0.37L * length);
    motion->size_x = larger_of(motion->size_x, flow_norm(place.x, n));
    motion->size_v = larger_of(motion->size_v, flow_norm(place.v, n));
    motion->rounding = larger_of(motion->rounding, find_rounding(at, &place));
    motion->rate = larger_of(motion->rate, sqrtl(find_slope(at, &place, length, false)));
    motion->rate = larger_of(motion->rate, find_slope(at, &place, length, true));
}

void order_motion_find(const CertificateSubstep *at, const double *x, const double *v, OrderMotion *motion)
{
    const long double part = (long double)motion->length / ORDER_TIMES;
    Flow              flow = {.exact = at->exact, .params = at->params, .dofs = at->dofs, .unit = at->unit};
    *motion = (OrderMotion){.length = motion->length, .moves = true};
    for (size_t i = 0; i < at->dofs; ++i) {
        motion->x[0][i] = x[i];
        motion->v[0][i] = v[i];
    }
    look_at(at, motion, 0);
    for (int k = 1; k <= ORDER_TIMES && motion->moves; ++k) {
        memcpy(motion->x[k], motion->x[k - 1], sizeof motion->x[k]);
        memcpy(motion->v[k], motion->v[k - 1], sizeof motion->v[k]);
        flow.rounding = motion->rounding;
        motion->moves = flow_move(&flow, (k - 1) * part, part, motion->x[k], motion->v[k]);
        if (motion->moves)
            look_at(at, motion, k);
    }
}
