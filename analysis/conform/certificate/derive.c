// derive -- the kernel's differences about the beginning of a substep, in long double and with bounds.
#include "analysis/conform/certificate/column.h"
#include "analysis/conform/certificate/demand.h"

static const Ball   zero = {0.0L, 0.0L}, one = {1.0L, 0.0L};
static const Vector nothing;

static long double power_below(long double x)
{
    return x > 0.0L ? ldexpl(1.0L, ilogbl(x)) : 0.0L;
}

// The acceleration by a component of `at`, which `of` has in the place of its unknown.
static void take_column(const Judge *judge, const Solve *of, const Vector *at, const Slopes *slopes, Ball size,
                        size_t j, Vector *column)
{
    const Newton     *newton = judge->substep->newton;
    const bool        single = judge->u > 0x1p-30L, cube = newton->cube_root_stencil;
    const long double power = single ? (cube ? 0x1p-7L : 0x1p-11L) : (cube ? 0x1p-17L : 0x1p-26L);
    Vector            from = *at;
    MatrixColumn      found;
    if (newton->jacobian == JACOBIAN_ANALYTIC) {
        found = column_find(judge, of, at, j, &slopes->a);
    } else {
        // The moved component is rounded.
        from.i[j].off += judge->u * (fabsl(at->i[j].at) + power * size.at);
        found = column_between(judge, of, &from, j, power * power_below(size.at - size.off),
                               power * power_below(size.at + size.off),
                               newton->jacobian == JACOBIAN_FORWARD ? &slopes->a : NULL);
    }
    for (size_t i = 0; i < judge->n; ++i)
        column->i[i] = (Ball){found.at[i], found.off[i] + 2.0L * judge->u * fabsl(found.at[i])};
}

// The slope of the cubic through the acceleration at the beginning and at three times after it.
static Vector at_spacing(const Judge *judge, const Slopes *slopes, long double spacing)
{
    const Ball weights[] = {{3.0L, 0.0L}, {-1.5L, 0.0L}, ball_div(judge->u, one, ball(3.0L))},
               per = ball(1.0L / spacing);
    Vector sum = nothing;
    for (int k = 0; k < 3; ++k) {
        const Ball   t = ball_add(judge->u, slopes->t, ball((k + 1) * spacing));
        const Vector a = equations_acceleration(judge, t, &slopes->x, &slopes->v),
                     change = SUM(judge, {per, &a}, {(Ball){-per.at, per.off}, &slopes->a});
        sum = SUM(judge, {one, &sum}, {weights[k], &change});
    }
    return sum;
}

// Where rounding decides between two spacings, the kernel's may be either.
static void take_time(const Judge *judge, Slopes *slopes)
{
    const long double part = judge->u > 0x1p-30L ? 0x1p-4L : 0x1p-10L, most = power_below(judge->h.at + judge->h.off),
                      least = power_below(judge->h.at - judge->h.off);
    slopes->in_time = at_spacing(judge, slopes, part * most);
    if (least == most)
        return;
    const Vector other = at_spacing(judge, slopes, part * least);
    for (size_t i = 0; i < judge->n; ++i) {
        Ball *in_time = &slopes->in_time.i[i];
        in_time->off = larger_of(in_time->off, other.i[i].off) + fabsl(in_time->at - other.i[i].at);
    }
}

void derive_slopes(const Judge *judge, Slopes *slopes)
{
    const WalkState *before = &judge->substep->before;
    const bool       first_order = judge->substep->point->problem->first_order;
    Vector           size_x, size_v;
    slopes->t = judge->t;
    slopes->x = equations_known(judge, before->x);
    slopes->v = equations_known(judge, before->v);
    slopes->a = equations_known(judge, equations_own(judge, before, "a"));
    adaptive_sizes(judge, &size_x, &size_v);
    // The accelerations themselves, of an unknown that is the velocity or the position.
    const Solve
        by_v = {.A = zero, .q = ball(-1.0L), .t = judge->t, .cx = zero, .cv = one, .rest = &nothing, .x = &slopes->x},
        by_x = {.A = zero, .q = ball(-1.0L), .t = judge->t, .cx = one, .cv = zero, .rest = &nothing, .v = &slopes->v};
    for (size_t j = 0; j < judge->n; ++j) {
        slopes->size[j] = size_v.i[j].at;
        slopes->in_x[j] = nothing;
        take_column(judge, &by_v, &slopes->v, slopes, size_v.i[j], j, &slopes->in_v[j]);
        if (!first_order)
            take_column(judge, &by_x, &slopes->x, slopes, size_x.i[j], j, &slopes->in_x[j]);
    }
    take_time(judge, slopes);
}
