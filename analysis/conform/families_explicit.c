// families_explicit -- equations of explicit methods outside of Runge and Kutta's family: Euler's, Chung and Lee's,
// Verlet's.
//
// Where an equation needs a new number of the kernel that an equation before it has demanded, it takes the kernel's.
#include "analysis/conform/families.h"

static const Ball one = {1.0L, 0.0L}, half = {0.5L, 0.0L}, two = {2.0L, 0.0L};

static Ball negative(Ball number)
{
    return (Ball){-number.at, number.off};
}

// The state before the substep, and its acceleration.
typedef struct Present {
    Vector x, v, a;
} Present;

static Present present(const Judge *judge)
{
    const CertificateState *before = &judge->substep->before;
    Present                 now = {.x = equations_known(judge, before->x), .v = equations_known(judge, before->v)};
    now.a = equations_acceleration(judge, judge->t, &now.x, &now.v);
    return now;
}

// Fang 2018, eq. 8 and 9: both at the old state.
void families_explicit_euler(Judge *judge)
{
    const Present now = present(judge);
    const Vector x1 = SUM(judge, {one, &now.x}, {judge->h, &now.v}), v1 = SUM(judge, {one, &now.v}, {judge->h, &now.a});
    equations_position(judge, "x_{n+1} = x_n + h v_n", &x1, judge->substep->after.x);
    equations_equal(judge, "v_{n+1} = v_n + h a_n", &v1, judge->substep->after.v);
}

// Degletagne 2015, section 4.1, the masses divided out and without the factor 2: v_{n+1} = (h F + p_n)/M - h r_m v_n,
// p_n = M v_n, x_{n+1} = x_n + h v_{n+1}. Without r_m it is Fang 2018, eq. 19 and 20.
static void momentum_first(Judge *judge, Ball r_m)
{
    const CertificateState *after = &judge->substep->after;
    const Present           now = present(judge);
    const Vector            v1 =
        SUM(judge, {judge->h, &now.a}, {one, &now.v}, {negative(ball_mul(judge->u, judge->h, r_m)), &now.v});
    equations_equal(judge, "v_{n+1} = v_n + h (a_n - r_m v_n)", &v1, after->v);
    const Vector new = equations_known(judge, after->v), x1 = SUM(judge, {one, &now.x}, {judge->h, &new});
    equations_equal(judge, "x_{n+1} = x_n + h v_{n+1}", &x1, after->x);
}

void families_symplectic_euler(Judge *judge)
{
    momentum_first(judge, ball(0.0L));
}

void families_variational_explicit(Judge *judge)
{
    momentum_first(judge, equations_parameter(judge, "r_m"));
}

// Fang 2018, eq. 23 to 27, with the parameters of Chung and Lee 1994: beta^ = 1/2 - beta, gamma = 3/2, gamma^ = -1/2.
// a_{n+1} is the acceleration of the old state.
void families_chung_lee(Judge *judge)
{
    const CertificateState *before = &judge->substep->before, *after = &judge->substep->after;
    const Roundoff          u = judge->u;
    const Present           now = present(judge);
    equations_equal(judge, "a_{n+1} = accel(t_n, x_n, v_n)", &now.a, after->own[0]);
    const Ball   beta = equations_parameter(judge, "beta"), square = ball_mul(u, judge->h, judge->h);
    const Vector a = equations_known(judge, before->own[0]), a1 = equations_known(judge, after->own[0]);
    const Vector x1 = SUM(judge, {one, &now.x}, {judge->h, &now.v}, {ball_mul(u, square, ball_sub(u, half, beta)), &a},
                          {ball_mul(u, square, beta), &a1});
    const Vector v1 =
        SUM(judge, {one, &now.v}, {ball_mul(u, ball(-0.5L), judge->h), &a}, {ball_mul(u, ball(1.5L), judge->h), &a1});
    equations_equal(judge, "x_{n+1} of Chung and Lee", &x1, after->x);
    equations_equal(judge, "v_{n+1} of Chung and Lee", &v1, after->v);
}

// Swope et al. 1982, eq. 4 and 7; a force that depends on velocity is asked at v_n + h a_n (Groot and Warren 1997, eq.
// 3.5 with lambda = 1).
void families_velocity_verlet(Judge *judge)
{
    const CertificateState *before = &judge->substep->before, *after = &judge->substep->after;
    const Roundoff          u = judge->u;
    const Ball              h = judge->h, part = ball_mul(u, half, h);
    const Vector            x = equations_known(judge, before->x), v = equations_known(judge, before->v),
                 a = equations_known(judge, before->own[0]);
    const Vector x1 = SUM(judge, {one, &x}, {h, &v}, {ball_mul(u, part, h), &a});
    equations_equal(judge, "x_{n+1} = x_n + h v_n + (h^2/2) a_n", &x1, after->x);
    const Vector there = equations_known(judge, after->x), predicted = SUM(judge, {one, &v}, {h, &a});
    const Vector new = equations_acceleration(judge, ball_add(u, judge->t, h), &there, &predicted);
    equations_equal(judge, "a_{n+1} = accel(t_{n+1}, x_{n+1}, v_n + h a_n)", &new, after->own[0]);
    const Vector a1 = equations_known(judge, after->own[0]), v1 = SUM(judge, {one, &v}, {part, &a}, {part, &a1});
    equations_equal(judge, "v_{n+1} = v_n + (h/2) (a_n + a_{n+1})", &v1, after->v);
}

// Half a drift, a kick, half a drift, over a time d from t on. A force that depends on velocity is asked at the one
// half-way through the kick, which the explicit midpoint rule gives.
static void leap(const Judge *judge, Ball t, Ball d, Vector *x, Vector *v)
{
    const Ball   part = ball_mul(judge->u, half, d), middle = ball_add(judge->u, t, part);
    const Vector drifted = SUM(judge, {one, x}, {part, v}), before = equations_acceleration(judge, middle, &drifted, v);
    const Vector half_kicked = SUM(judge, {one, v}, {part, &before}),
                 force = equations_acceleration(judge, middle, &drifted, &half_kicked);
    *v = SUM(judge, {one, v}, {d, &force});
    *x = SUM(judge, {one, &drifted}, {part, v});
}

// Yoshida 1990, eq. 2.11 and 2.12: lengths x_1 h, x_0 h, x_1 h with 2 x_1^3 + x_0^3 = 0 and 2 x_1 + x_0 = 1.
void families_yoshida4(Judge *judge)
{
    const Roundoff u = judge->u;
    const Ball     root = ball_rounded(u, cbrtl(2.0L), 0.0L), outer = ball_div(u, one, ball_sub(u, two, root)),
               inner = ball_sub(u, one, ball_add(u, outer, outer)), d1 = ball_mul(u, outer, judge->h),
               d0 = ball_mul(u, inner, judge->h);
    const Ball second = ball_add(u, judge->t, d1), third = ball_add(u, second, d0);
    Vector x = equations_known(judge, judge->substep->before.x), v = equations_known(judge, judge->substep->before.v);
    leap(judge, judge->t, d1, &x, &v);
    leap(judge, second, d0, &x, &v);
    leap(judge, third, d1, &x, &v);
    equations_equal(judge, "x_{n+1} of Yoshida's composition", &x, judge->substep->after.x);
    equations_equal(judge, "v_{n+1} of Yoshida's composition", &v, judge->substep->after.v);
}
