// solve -- a residual with its bound, and the floor of each row.
#include "analysis/conform/certificate/solve.h"

void solve_residual(const Judge *judge, const Solve *solve, const Vector *u, Vector *f)
{
    const Roundoff unit = judge->u;
    const Vector x = equations_ahead(judge, solve->x, solve->cx, u), v = equations_ahead(judge, solve->v, solve->cv, u),
                 a = equations_acceleration(judge, solve->t, &x, &v);
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
