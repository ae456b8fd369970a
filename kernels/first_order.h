// first_order.h -- systems u' = rate(t, u), in the form that files for x'' = acceleration(t, x, v) work with.
//
// Outside of a step the state u stands in x, and v is 0: metrics, samples and results see coordinates. Within a step it
// stands in v, and x begins at 0: a method's formula for the velocity is its formula for u, the rate stands in place of
// the acceleration, and the method's x is dropped.
//
//     between steps        within a step
//     x: u    v: 0  --ENTER-->  x: 0    v: u
//             <--LEAVE--

static void first_order_start(const Params *p, real x[DOF], real v[DOF])
{
    initial_state(p, x);
    EACH_DOF(i)
        v[i] = ZERO;
}
#define initial_state(p, x, v) first_order_start(p, x, v)

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    rate(t, v, p, a);
}

#if JACOBIAN_GIVEN
static void first_order_jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, MATRIX(dadx),
                                 MATRIX(dadv))
{
    EACH_DOF(i)
        EACH_COLUMN(j)
            dadx[i][j] = ZERO;
    jacobian(t, v, p, dadv);
}
#define jacobian(t, x, v, p, dadx, dadv) first_order_jacobian(t, x, v, p, dadx, dadv)
#endif

// The functions that metrics and samples call at a state between steps.
#define energy(x, v, p) ((void)(v), energy(x, p))
#define exact(t, p, x, v) ((void)(v), exact(t, p, x))
