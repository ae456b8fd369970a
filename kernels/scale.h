// scale.h -- the size of each velocity, by which the residuals of solves are judged.

#include "point.h"

#if RELATIVE
#define VELOCITY_SCALE(q) (q)->v_scale
#ifdef NEWTON_SCALE
constant SCALAR LEAST_SIZES[DOF] = {NEWTON_SCALE};  // of coordinates, set by the sweep file; 0: it sets none
#endif
// The size of a velocity now, at least that of moving by its coordinate's least size in a step.
static real velocity_size(const State *s, const Settings *set, int i)
{
    const real own = real_abs(FIRST_ORDER ? s->x[i] : s->v[i]);
#ifdef NEWTON_SCALE
    const real least = FIRST_ORDER ? ZERO + LEAST_SIZES[i] : LEAST_SIZES[i] / set->h;
    return larger(least, own);
#else
    return own;
#endif
}

// Sizes of the velocities, of which half is forgotten in 355 substeps.
static void keep_scale(mask accepted, const Settings *set, Point *q)
{
    EACH_DOF(i) {
        const real now = velocity_size(&q->s, set, i), kept = (1.0 - 0x1p-9) * q->v_scale[i];
        q->v_scale[i] = choose(accepted, larger(kept, now), q->v_scale[i]);
    }
}
#else
#define VELOCITY_SCALE(q) 0
#endif
