// error.h -- of adaptive methods: the error of a substep over the permitted one, by components.
//
// Sizes of components are the largest that they were where substeps began, of which a 512th is forgotten in each.

// The size of a component. Before the first substep is taken it is the larger of the component's value and the distance
// that the substep moves it; of a component at rest it is 1.
static real size_of(real kept, real now, real moved)
{
    const real size = larger(choose(kept > ZERO, (1.0 - 0x1p-9) * kept, real_abs(moved)), real_abs(now));
    return choose(size > ZERO, size, ONE);
}

// The larger over x_i and v_i of |error|/(atol size + rtol max(|old|, |new|)). Moves their sizes; else the state is
// that where the substep begins.
//   x, v  at its end
static real error_share(int i, real h, const MethodParams *m, real x, real v, real error_x, real error_v, State *s)
{
#ifdef TANGENTS
    // No substep is chosen by a tangent.
    if (i >= COORDINATES)
        return ZERO;
#endif
    s->size_x[i] = size_of(s->size_x[i], s->x[i], h * larger(real_abs(s->v[i]), h * real_abs(s->a[i])));
    s->size_v[i] = size_of(s->size_v[i], s->v[i], h * s->a[i]);
    const real permitted_x = m->atol * s->size_x[i] + m->rtol * larger(real_abs(s->x[i]), real_abs(x));
    const real permitted_v = m->atol * s->size_v[i] + m->rtol * larger(real_abs(s->v[i]), real_abs(v));
    return larger(real_abs(ERROR_OF_X(error_x)) / permitted_x, real_abs(error_v) / permitted_v);
}

// The larger of two errors; where one of them is not a number, larger() might lose it.
static real worse(real a, real b) { return choose(is_finite(a) & !(b <= a), b, a); }
