// velocity.h -- the parts of methods whose unknown is the new velocity: its guess, and the size of numbers they round.

#include "newton.h"

static void guess(real h, const State *s, const Stage *k, real u[DOF])
{
    EACH_DOF(i)
#if EXTRAPOLATED
        u[i] = real_fma(h, k->a[i], s->v[i]);
#else
        u[i] = s->v[i];
#endif
}

// The size of the numbers that are rounded on the way to the residual.
static real magnitude(real h, const State *s, const real u[DOF], int i)
{
    return real_abs(s->x[i]) + h * real_abs(s->v[i]);
}
