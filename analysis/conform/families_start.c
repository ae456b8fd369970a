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

// Half the time over which K v_0 is a difference. By the absolute rule the cube root of the precision of a unit of x,
// or of x_0 where that is larger, over the speed. Else 2^-17, in single precision 2^-7, of the least x_i/v_i, or of the
// least v_i/a_i where no coordinate has both.
static Ball half_width(const Judge *judge, const Vector *x, const Vector *v, const Vector *a)
{
    const CertificateState *after = &judge->substep->after;
    const Roundoff          u = judge->u;
    if (!judge->substep->newton->scaled_residual) {
        const Ball root = ball_rounded(u, cbrtl(2.0L * u), 0.0L),
                   size_x = ball(larger_of(equations_size(judge, after->x), 1.0L)),
                   size_v = ball(larger_of(equations_size(judge, after->v), 1.0L));
        return ball_div(u, ball_mul(u, root, size_x), size_v);
    }
    const long double power = u < 0x1p-40L ? 0x1p-17L : 0x1p-7L;
    Ball              least = {INFINITY, 0.0L}, other = least;
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball speed = {fabsl(v->i[i].at), 0.0L}, force = {fabsl(a->i[i].at), a->i[i].off},
                   time = ball_div(u, (Ball){fabsl(x->i[i].at), 0.0L}, speed), change = ball_div(u, speed, force);
        if (x->i[i].at != 0.0L && speed.at > 0.0L && time.at < least.at)
            least = time;
        if (speed.at > 0.0L && force.at > 0.0L && change.at < other.at)
            other = change;
    }
    const Ball time = least.at < INFINITY ? least : other.at < INFINITY ? other : one;
    return (Ball){power * time.at, power * (time.off + 2.0L * u * time.at)};
}

// Degletagne 2015, section 3: F_0 - r_m v_0 - r_k K v_0. K v_0 = -(dF/dx) v_0 is a central difference along v_0.
static Vector with_rayleigh_damping(const Judge *judge, const Vector *x, const Vector *v)
{
    const Roundoff u = judge->u;
    const Ball     r_m = equations_parameter(judge, "r_m"), r_k = equations_parameter(judge, "r_k");
    const Vector   a = equations_acceleration(judge, ball(0.0L), x, v);
    const Ball     way = half_width(judge, x, v, &a);
    const Vector   ahead = force_along(judge, way, x, v), behind = force_along(judge, (Ball){-way.at, way.off}, x, v);
    const Ball     per = ball_div(u, r_k, ball_add(u, way, way));
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
    const Vector unknown = {0};
    for (size_t k = 0; certificate_knows(method) && k < method->state_count; ++k)
        if (strcmp(method->state[k], "a") == 0) {
            const Vector a = strcmp(method->name, "sofa_newmark") == 0
                                 ? with_rayleigh_damping(judge, &x, &v)
                                 : equations_acceleration(judge, ball(0.0L), &x, &v);
            equations_equal(judge, "a_0", &a, after->own[k]);
        } else {
            equations_equal(judge, "a size before the first substep", &unknown, after->own[k]);
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
