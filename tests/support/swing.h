// swing -- the pendulum's theta steps once more, scalar and with a solver of their own, to compose halved steps by
// hand.
#pragma once

#include <math.h>

typedef struct Swing {
    double x, v;
} Swing;

static inline Swing swing_solve(double X, double W, double c)
{
    double u = W;
    for (int i = 0; i < 60; ++i)
        u -= (u - W + c * sin(X + c * u)) / (1.0 + c * c * cos(X + c * u));
    return (Swing){X + c * u, u};
}

static inline Swing first_order(Swing now, double h, double theta1)
{
    return swing_solve(now.x + h * (1.0 - theta1) * now.v, now.v - h * (1.0 - theta1) * sin(now.x), h * theta1);
}

static inline Swing second_order(Swing before, Swing now, double h, double theta)
{
    return swing_solve(now.x + (1.0 - theta) * h / 2.0 * now.v + theta / 3.0 * (now.x - before.x),
                       now.v - (1.0 - theta) * h / 2.0 * sin(now.x) + theta / 3.0 * (now.v - before.v),
                       h * (0.5 + theta / 6.0));
}
