// dormand_prince.h -- the Runge-Kutta pair of order 5(4) of Dormand and Prince (1980, table 2).

// The state a part h of a step along the mean of `count` slopes with these weights.
static void along(real h, const State *s, int count, const SCALAR *weights, real dx[7][DOF], real dv[7][DOF],
                  real x[DOF], real v[DOF])
{
    EACH_DOF(i) {
        real sum_x = ZERO, sum_v = ZERO;
        for (int k = 0; k < count; ++k) {
            sum_x = sum_x + weights[k] * dx[k][i];
            sum_v = sum_v + weights[k] * dv[k][i];
        }
        x[i] = real_fma(h, sum_x, s->x[i]);
        v[i] = real_fma(h, sum_v, s->v[i]);
    }
}

// Fills slopes 0 (from a, the acceleration at the start) to 5, moves the state, and leaves in x and v the new one.
static void dormand_prince(real t, real h, const Params *p, const State *s, const real a[DOF], real dx[7][DOF],
                           real dv[7][DOF], real x[DOF], real v[DOF])
{
    const SCALAR c[6] = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0};
    const SCALAR w[6][6] = {
        {1.0 / 5.0},
        {3.0 / 40.0, 9.0 / 40.0},
        {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
        {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
        {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
        {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
    };
    EACH_DOF(i) {
        dx[0][i] = s->v[i];
        dv[0][i] = a[i];
    }
    for (int k = 1; k < 6; ++k) {
        along(h, s, k, w[k - 1], dx, dv, x, v);
        acceleration(t + c[k] * h, x, v, p, dv[k]);
        EACH_DOF(i)
            dx[k][i] = v[i];
    }
    along(h, s, 6, w[5], dx, dv, x, v);
}
