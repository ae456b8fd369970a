// flow.h -- the derivatives of a state between steps: of x and v, or of a system of first order, whose state stands in
// x, of x alone.

static void flow(real t, const real x[DOF], const real v[DOF], const Params *p, real fx[DOF], real fv[DOF])
{
#if FIRST_ORDER
    rate(t, x, p, fx);
    EACH_DOF(i)
        fv[i] = ZERO;
#else
    EACH_DOF(i)
        fx[i] = v[i];
    acceleration(t, x, v, p, fv);
#endif
}
