// slopes -- an acceleration that is linear about the beginning of a substep.
#include "analysis/conform/certificate/slopes.h"

Vector slopes_acceleration(const Judge *judge, const Slopes *slopes, Ball t, const Vector *x, const Vector *v)
{
    const Roundoff u = judge->u;
    const Ball     later = ball_sub(u, t, slopes->t);
    Vector         a = slopes->a;
    for (size_t i = 0; i < judge->n; ++i)
        a.i[i] = ball_add(u, a.i[i], ball_mul(u, slopes->in_time.i[i], later));
    for (size_t j = 0; j < judge->n; ++j) {
        const Ball way_x = ball_sub(u, x->i[j], slopes->x.i[j]), way_v = ball_sub(u, v->i[j], slopes->v.i[j]);
        for (size_t i = 0; i < judge->n; ++i) {
            if (!judge->substep->point->problem->first_order)
                a.i[i] = ball_add(u, a.i[i], ball_mul(u, slopes->in_x[j].i[i], way_x));
            a.i[i] = ball_add(u, a.i[i], ball_mul(u, slopes->in_v[j].i[i], way_v));
        }
    }
    return a;
}
