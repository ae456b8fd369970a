// solve -- a residual with its bound, the floor of each row, and sizes of rows and unknowns in long double.
#include "analysis/conform/certificate/solve.h"

void solve_residual(const Judge *judge, const Solve *solve, const Vector *u, Vector *f)
{
    const Roundoff unit = judge->u;
    const Vector x = equations_ahead(judge, solve->x, solve->cx, u), v = equations_ahead(judge, solve->v, solve->cv, u),
                 a = solve->slopes ? slopes_acceleration(judge, solve->slopes, solve->t, &x, &v)
                                   : equations_acceleration(judge, solve->t, &x, &v);
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball known = ball_sub(unit, ball_mul(unit, solve->A, u->i[i]), solve->rest->i[i]);
        f->i[i] = ball_sub(unit, known, ball_mul(unit, solve->q, a.i[i]));
    }
}

void solve_floor(const Judge *judge, const Solve *solve, const Vector *u, const long double *rows, long double *floors)
{
    for (size_t i = 0; i < judge->n; ++i) {
        const long double known = solve->cx.at == 0.0L ? fabsl(solve->rest->i[i].at) : 0.0L;
        floors[i] = 4.0L * judge->u * (rows[i] + known + fabsl(u->i[i].at));
    }
}

// The part of a size that is forgotten in a substep.
#define FORGOTTEN 0x1p-9L

bool solve_scaled(const Judge *judge)
{
    return judge->substep->newton->scaled_residual;
}

// Turns an unknown into a velocity.
static long double duration(const Judge *judge, const Solve *solve)
{
    return solve->acceleration ? judge->h.at : 1.0L;
}

// Of the velocity at which the force is asked; 0 at the guess.
static void asked(const Judge *judge, const Solve *solve, const Vector *u, Sizes *sizes)
{
    const long double slack = 4.0L * judge->u;
    Vector            v = {0};
    if (u)
        v = equations_ahead(judge, solve->v, solve->cv, u);
    for (size_t i = 0; i < judge->n; ++i) {
        sizes->least[i] = (fabsl(v.i[i].at) - v.i[i].off) * (1.0L - slack);
        sizes->most[i] = (fabsl(v.i[i].at) + v.i[i].off) * (1.0L + slack);
    }
}

void solve_row_sizes(const Judge *judge, const Solve *solve, const Vector *u, Sizes *rows)
{
    const long double slack = 4.0L * judge->u, per = 1.0L / duration(judge, solve);
    if (solve_scaled(judge))
        asked(judge, solve, u, rows);
    for (size_t i = 0; i < judge->n; ++i) {
        const long double kept = solve_scaled(judge) ? judge->substep->before.scale[i] : 1.0L;
        rows->least[i] = solve_scaled(judge) ? per * larger_of(kept, rows->least[i]) * (1.0L - slack) : 1.0L;
        rows->most[i] = solve_scaled(judge) ? per * larger_of(kept, rows->most[i]) * (1.0L + slack) : 1.0L;
    }
}

void solve_extent(const Judge *judge, const Solve *solve, const Vector *u, Sizes *extent)
{
    const WalkState  *before = &judge->substep->before;
    const long double h = judge->h.at, slack = 8.0L * judge->u;
    for (size_t i = 0; i < judge->n; ++i) {
        const long double off = u->i[i].off, size = fabsl(u->i[i].at);
        long double       ends[2] = {larger_of(size - off, 0.0L), size + off};
        for (int end = 0; end < 2 && solve->cx.at != 0.0L; ++end) {
            long double moved = fabsl((long double)before->x[i]) + h * fabsl((long double)before->v[i]);
            if (solve->acceleration)
                moved += 0.5L * h * h * larger_of(fabsl((long double)before->own[i]), ends[end]);
            ends[end] = moved / fabsl(solve->cx.at);
        }
        extent->least[i] = ends[0] * (1.0L - slack);
        extent->most[i] = ends[1] * (1.0L + slack);
    }
}

static long double power_below(long double x)
{
    return x > 0.0L ? ldexpl(1.0L, ilogbl(x)) : 0.0L;
}

void solve_sizes(const Judge *judge, const Solve *solve, const Vector *at, bool first, const Vector *f, Sizes *unknowns)
{
    const bool        single = judge->u > 0x1p-30L;
    const long double unit = duration(judge, solve), part = (single ? 0x1p-7L : 0x1p-17L) * unit,
                      slack = 8.0L * judge->u, least = single ? 0x1p-90L : 0x1p-700L, cx = fabsl(solve->cx.at),
                      reach = cx > 0.0L ? part / power_below(cx) : 0.0L;
    if (solve_scaled(judge))
        asked(judge, solve, first ? NULL : at, unknowns);
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball        x = solve->x ? solve->x->i[i] : ball(0.0L), v = at->i[i];
        const long double there = fabsl(x.at), own = unit * fabsl(v.at), terms = fabsl(f->i[i].at), off = f->i[i].off,
                          low = larger_of(larger_of(reach * (there - x.off), part * (terms - off) + least),
                                          own - unit * v.off),
                          high = larger_of(larger_of(reach * (there + x.off), part * (terms + off) + least),
                                           own + unit * v.off);
        if (!solve_scaled(judge)) {
            unknowns->least[i] = unknowns->most[i] = 1.0L;
            continue;
        }
        const long double kept = judge->substep->before.scale[i];
        unknowns->least[i] =
            power_below(larger_of(kept, larger_of(unknowns->least[i], low * (1.0L - slack)))) / power_below(unit);
        unknowns->most[i] =
            power_below(larger_of(kept, larger_of(unknowns->most[i], high * (1.0L + slack)))) / power_below(unit);
    }
}

void solve_widths(const Judge *judge, const Solve *solve, const Vector *at, bool first, const Vector *f, Sizes *widths)
{
    const bool        cube = judge->substep->newton->cube_root_stencil, single = judge->u > 0x1p-30L;
    const long double epsilon = 2.0L * judge->u,
                      power = single ? (cube ? 0x1p-7L : 0x1p-11L) : (cube ? 0x1p-17L : 0x1p-26L);
    long double largest = 1.0L;
    solve_sizes(judge, solve, at, first, f, widths);
    for (size_t i = 0; i < judge->n; ++i)
        largest = larger_of(largest, fabsl(at->i[i].at));
    // That of section 2.1.1 has a floor of 1.
    const long double by = solve_scaled(judge) ? power : largest * (cube ? cbrtl(epsilon) : sqrtl(epsilon));
    for (size_t i = 0; i < judge->n; ++i) {
        widths->least[i] *= by;
        widths->most[i] *= by;
    }
}

void solve_demand_kept(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    if (!substep->before.scale || !substep->accepted || substep->lost)
        return;
    for (size_t i = 0; i < judge->n; ++i) {
        const long double kept = (1.0L - FORGOTTEN) * substep->before.scale[i],
                          new = fabsl((long double)substep->after.v[i]), least = substep->least[i];
        equations_number(judge, "the size of a velocity, kept", i,
                         (Ball){larger_of(larger_of(kept, new), least),
                                2.0L * judge->u * larger_of(kept, least) + ball_least(judge->u)},
                         substep->after.scale[i]);
    }
}
