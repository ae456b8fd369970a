// families_start -- the state that a point begins with: the problem's, and what a method keeps beside it.
#include "analysis/conform/families.h"

#include <string.h>

static const Ball one = {1.0L, 0.0L};

// Numbers and what a parameter may do to them, as in equations_acceleration(): by first order.
typedef struct Initial {
    long double x[CERTIFICATE_DOFS], v[CERTIFICATE_DOFS];
} Initial;

// As a method sees it: of a first-order system in place of the velocities.
static void find_initial(const CertificateSubstep *substep, const void *params, Initial *at)
{
    substep->exact->initial_state(params, at->x, at->v);
    for (size_t i = 0; substep->problem->first_order && i < substep->dofs; ++i) {
        at->v[i] = at->x[i];
        at->x[i] = 0.0L;
    }
}

static void widen(const Judge *judge, const Initial *at, const Initial *moved, long double per, Vector *x, Vector *v)
{
    for (size_t i = 0; i < judge->n; ++i) {
        x->i[i].off += fabsl(moved->x[i] - at->x[i]) * per;
        v->i[i].off += fabsl(moved->v[i] - at->v[i]) * per;
    }
}

// x_0 and v_0: off by what as many roundings as the file has operators do to a parameter, to the result, or to what a
// function of elementary.h gives.
static void initial_state(const Judge *judge, Vector *x, Vector *v)
{
    const CertificateSubstep *substep = judge->substep;
    const Exact              *exact = substep->exact;
    const size_t              n = judge->n, parameters = substep->problem->parameter_count;
    const long double         inside = (long double)(exact->operations + (int)n) * judge->u, nudge = 0x1p-24L;
    Initial                   at = {0}, moved = {0};
    exact->move(0, 0.0L);
    find_initial(substep, substep->params, &at);
    const int calls = exact->elementary ? exact->calls() : 0;
    for (size_t i = 0; i < n; ++i) {
        x->i[i] = (Ball){at.x[i], inside * fabsl(at.x[i])};
        v->i[i] = (Ball){at.v[i], inside * fabsl(at.v[i])};
    }
    for (int call = 1; call <= calls; ++call) {
        exact->move(call, inside);
        find_initial(substep, substep->params, &moved);
        widen(judge, &at, &moved, 1.0L, x, v);
    }
    exact->move(0, 0.0L);
    long double *values = substep->moved_values;
    memcpy(values, substep->values, parameters * sizeof *values);
    for (size_t k = 0; k < parameters; ++k) {
        if (substep->problem->parameters[k].choices || values[k] == 0.0L)
            continue;
        const long double here = values[k];
        values[k] = here * (1.0L + nudge);
        exact->load(substep->moved_params, values);
        values[k] = here;
        find_initial(substep, substep->moved_params, &moved);
        widen(judge, &at, &moved, inside / nudge, x, v);
    }
}

// F at x_0 + way v_0.
static Vector force_along(const Judge *judge, Ball way, const Vector *x, const Vector *v)
{
    const Vector there = SUM(judge, {one, x}, {way, v});
    return equations_acceleration(judge, ball(0.0L), &there, v);
}

// Degletagne 2015, section 3: F_0 - r_m v_0 - r_k K v_0. K v_0 = -(dF/dx) v_0 is a central difference along v_0 whose
// width is the cube root of the precision for a unit of x, or for x_0 where that is larger.
static Vector with_rayleigh_damping(const Judge *judge, const Vector *x, const Vector *v)
{
    const CertificateState *after = &judge->substep->after;
    const Roundoff          u = judge->u;
    const Ball              r_m = equations_parameter(judge, "r_m"), r_k = equations_parameter(judge, "r_k");
    const long double       size_x = larger_of(equations_size(judge, after->x), 1.0L),
                      size_v = larger_of(equations_size(judge, after->v), 1.0L), epsilon = 2.0L * u;
    const Ball   way = ball_div(u, ball_mul(u, ball_rounded(u, cbrtl(epsilon), 0.0L), ball(size_x)), ball(size_v));
    const Vector ahead = force_along(judge, way, x, v), behind = force_along(judge, (Ball){-way.at, way.off}, x, v),
                 a = equations_acceleration(judge, ball(0.0L), x, v);
    const Ball per = ball_div(u, r_k, ball_add(u, way, way));
    return SUM(judge, {one, &a}, {per, &ahead}, {(Ball){-per.at, per.off}, &behind}, {(Ball){-r_m.at, r_m.off}, v});
}

void families_start(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const CertificateState   *after = &substep->after;
    const Card               *method = substep->method;
    Vector                    x, v;
    initial_state(judge, &x, &v);
    equations_equal(judge, "x_0", &x, after->x);
    equations_equal(judge, "v_0", &v, after->v);
    x = equations_known(judge, after->x);
    v = equations_known(judge, after->v);
    for (size_t k = 0; k < method->state_count; ++k)
        if (certificate_knows(method) && strcmp(method->state[k], "a") == 0) {
            const Vector a = strcmp(method->name, "sofa_newmark") == 0
                                 ? with_rayleigh_damping(judge, &x, &v)
                                 : equations_acceleration(judge, ball(0.0L), &x, &v);
            equations_equal(judge, "a_0", &a, after->own[k]);
        }
    if (substep->previous) {
        equations_equal(judge, "the earlier x of a point that begins", &x, substep->previous->x);
        equations_equal(judge, "the earlier v of a point that begins", &v, substep->previous->v);
    }
    if (method->adaptive) {
        equations_number(judge, "the first size proposed", 0, judge->h, substep->control.next_proposed);
        equations_number(judge, "the time that a point begins at", 0, ball(0.0L), substep->control.next_reached);
    }
}
