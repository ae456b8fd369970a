// tangent.h -- derivatives of the state by parameters and initial values, which a method carries along with it.
//
// The derivative that a sweep asks for is that of the discrete map: of the numbers that the steps lead to, not of the
// solution that they are near. A method here is linear in its vectors: x, v, those of its state, and accelerations. Its
// equations make each new vector a sum of others with factors of h and the method's own parameters, which `derivatives`
// may not name. So the equations of the derivative by c, dx = dx/dc and so on, are the method's own, but for
//
//     da = a_x dx + a_v dv + a_c                                                                            (1)
//
// in place of a = accel(t, x, v); a_x and a_v are the problem's Jacobian, a_c is its derivative by c at a fixed state.
// Of an adaptive method this is the derivative with its substeps held.
//
// Of a number o(t, x, v, a, c) that is observed of a state the derivative is
//
//     do = o_x dx + o_v dv + o_a da + o_c                                                                   (2)
//
// with da by (1). The host writes the partial derivatives of formulas; a problem `provides` those of
// energies and of its slow and fast coordinate as `gradients`. A metric's file has OF_TANGENTS(o, d) beside
// OF(o) where its results have derivatives.
//
// Hence the vectors of a State are longer in such a sweep. Behind the DOF numbers of the state stand its tangents:
//
//     x[STATE_DOF]:  x_0 .. x_n-1 | dx_0/dc_0 .. dx_n-1/dc_0 | dx_0/dc_1 .. dx_n-1/dc_1 | ...   TANGENTS of them
//
// The method's text is the same. It stands between `#define DOF STATE_DOF`, so that its loops move the tangents too,
// and the end of this; its accel() is tangent_acceleration(), which adds (1) behind the acceleration. Its numbers for
// the state are the same bits as without tangents, since each element of a vector is moved by itself. All other texts
// see the first DOF numbers alone: the problem, the metrics, the solves.
//
// A solve finds u from f(u) = A u - B - q accel(t, X + cx u, V + cv u) = 0. Its tangents follow from the accepted u:
// with (1) df = 0 is linear,
//
//     J du = dB + q (a_x dX + a_v dV + a_c),   J = A - q (cx a_x + cv a_v),
//
// the derivatives exact and at the accepted u, whatever matrix led there (tangent_solve.h). The matrix is eliminated
// once for all right sides. The residual that the tolerance leaves is not differentiated.
//
// A method that is not linear so, or has solves of another kind, is refused (host/plan/derivatives.c): linearised
// solves and linear stages, whose matrix would have to be differentiated too, and minima. So are breaks and events.
//
// A problem `provides` the derivatives by its parameters as `slopes`: two functions fill a struct Slopes, which has a
// vector for each parameter that is a number. Those of formulas are written by the host (host/expression/system.c).

// Deviations (deviations.h) are moved likewise, without a_c.

#ifndef DEVIATIONS
static void slopes_begin(Slopes *by)
{
#define CLEAR_SLOPE(number, name) \
    EACH_DOF(i)                   \
        by->name[i] = ZERO;
    SLOPES(CLEAR_SLOPE)
#undef CLEAR_SLOPE
}
#endif

// The derivatives of the acceleration at a place: by x, by v, and by what a tangent is the derivative by.
typedef struct Linear {
    MATRIX(dadx);
    MATRIX(dadv);
    real by[TANGENTS][DOF];
} Linear;

static void linear_find(real t, const real x[DOF], const real v[DOF], const Params *p, Linear *at)
{
    jacobian(t, x, v, p, at->dadx, at->dadv);
    for (int j = 0; j < TANGENTS; ++j)
        EACH_DOF(i)
            at->by[j][i] = ZERO;
#ifndef DEVIATIONS
    Slopes by;
    slopes_begin(&by);
#if FIRST_ORDER
    slopes(t, v, p, &by);
#else
    slopes(t, x, v, p, &by);
#endif
#define TAKE_SLOPE(number, name) \
    EACH_DOF(i)                  \
        at->by[number][i] = by.name[i];
    SLOPES(TAKE_SLOPE)
#undef TAKE_SLOPE
#endif
}

// Row i of (1) for tangent j of a state.
static real linear_row(const Linear *at, const real x[STATE_DOF], const real v[STATE_DOF], int j, int i)
{
    const int first = (j + 1) * DOF;
    real      sum = at->by[j][i];
    EACH_OF_ROW(i, k) {
#if !FIRST_ORDER
        sum = real_fma(ENTRY(at->dadx, i, k), x[first + k], sum);
#endif
        sum = real_fma(ENTRY(at->dadv, i, k), v[first + k], sum);
    }
    return sum;
}

static void tangent_acceleration(real t, const real x[STATE_DOF], const real v[STATE_DOF], const Params *p,
                                 real a[STATE_DOF])
{
    Linear at;
    acceleration(t, x, v, p, a);
    linear_find(t, x, v, p, &at);
    UNROLL
    for (int j = 0; j < TANGENTS; ++j)
        EACH_DOF(i)
            a[(j + 1) * DOF + i] = linear_row(&at, x, v, j, i);
}

#define EACH_TANGENT(j) for (int j = 0; j < TANGENTS; ++j)

// The acceleration's derivatives at a state between steps, where that of a system of first order stands in x.
static void observed_linear(real t, const real x[DOF], const real v[DOF], const Params *p, Linear *at)
{
#if FIRST_ORDER
    linear_find(t, x, x, p, at);
#else
    linear_find(t, x, v, p, at);
#endif
}

// da_i of (2) for tangent j.
static real observed_row(const Linear *at, const real x[STATE_DOF], const real v[STATE_DOF], int j, int i)
{
#if FIRST_ORDER
    return linear_row(at, x, x, j, i);
#else
    return linear_row(at, x, v, j, i);
#endif
}

// The tangents of number i of a vector.
static void element_tangents(const real vector[STATE_DOF], int i, real d[TANGENTS])
{
    EACH_TANGENT(j)
        d[j] = vector[(j + 1) * DOF + i];
}

#ifdef GRADIENTS
static void gradient_begin(Gradient *g)
{
    EACH_DOF(i)
        g->x[i] = g->v[i] = ZERO;
#define CLEAR_GRADIENT(number, name) g->by.name = ZERO;
    SLOPES(CLEAR_GRADIENT)
#undef CLEAR_GRADIENT
}

// (2) of a number whose partial derivatives are known.
static void gradient_tangents(const Gradient *g, const real x[STATE_DOF], const real v[STATE_DOF], real d[TANGENTS])
{
    EACH_TANGENT(j)
        d[j] = ZERO;
#define TAKE_GRADIENT(number, name) d[number] = g->by.name;
    SLOPES(TAKE_GRADIENT)
#undef TAKE_GRADIENT
    EACH_TANGENT(j)
        EACH_DOF(i) {
            d[j] = real_fma(g->x[i], x[(j + 1) * DOF + i], d[j]);
            d[j] = real_fma(g->v[i], v[(j + 1) * DOF + i], d[j]);
        }
}

// energy_tangents() and the like, from energy_gradient() and so on.
#define TANGENTS_OF(name, arguments)                                                                                 \
    static void name##_tangents(const real x[STATE_DOF], const real v[STATE_DOF], const Params *p, real d[TANGENTS]) \
    {                                                                                                                \
        Gradient g;                                                                                                  \
        gradient_begin(&g);                                                                                          \
        name##_gradient arguments;                                                                                   \
        gradient_tangents(&g, x, v, d);                                                                              \
    }
#define TANGENTS_OF_STATE(name) TANGENTS_OF(name, (x, v, p, &g))
#define TANGENTS_OF_PLACE(name) TANGENTS_OF(name, (x, p, &g))
GRADIENTS(TANGENTS_OF_STATE, TANGENTS_OF_PLACE)
#define ENERGY_TANGENTS(o, d) energy_tangents((o)->s->x, (o)->s->v, (o)->p, d)
#define KINETIC_TANGENTS(o, d) kinetic_tangents((o)->s->x, (o)->s->v, (o)->p, d)
#endif

#ifndef DEVIATIONS
// The derivatives of the initial state.
static void tangent_start(const Params *p, real x[STATE_DOF], real v[STATE_DOF])
{
    Slopes in_x, in_v;
    slopes_begin(&in_x);
    slopes_begin(&in_v);
#if FIRST_ORDER
    start_slopes(p, &in_x);
#else
    start_slopes(p, &in_x, &in_v);
#endif
    for (int i = DOF; i < STATE_DOF; ++i)
        x[i] = v[i] = ZERO;
#define START_SLOPE(number, name)                   \
    EACH_DOF(i) {                                   \
        x[((number) + 1) * DOF + i] = in_x.name[i]; \
        v[((number) + 1) * DOF + i] = in_v.name[i]; \
    }
    SLOPES(START_SLOPE)
#undef START_SLOPE
#define START_AT(number, vector, i) vector[((number) + 1) * DOF + (i)] = ONE;
    START_VALUES(START_AT)
#undef START_AT
}
#endif
