// swing -- the implicit equation of a pendulum's step, by Newton's method.
#include "support/swing.h"

#include <math.h>

Swing swing_solve(double X, double W, double c)
{
    double u = W;
    for (int i = 0; i < 60; ++i)
        u -= (u - W + c * sin(X + c * u)) / (1.0 + c * c * cos(X + c * u));
    return (Swing){X + c * u, u};
}

Swing first_order(Swing now, double h, double theta1)
{
    return swing_solve(now.x + h * (1.0 - theta1) * now.v, now.v - h * (1.0 - theta1) * sin(now.x), h * theta1);
}

Swing second_order(Swing before, Swing now, double h, double theta)
{
    return swing_solve(now.x + (1.0 - theta) * h / 2.0 * now.v + theta / 3.0 * (now.x - before.x),
                       now.v - (1.0 - theta) * h / 2.0 * sin(now.x) + theta / 3.0 * (now.v - before.v),
                       h * (0.5 + theta / 6.0));
}

// 4 K(sin(amplitude/2)) by the arithmetic-geometric mean.
double swing_period(double amplitude)
{
    long double a = 1.0L, b = cosl(0.5L * amplitude);
    for (int turn = 0; turn < 8; ++turn) {
        const long double mean = 0.5L * (a + b);
        b = sqrtl(a * b);
        a = mean;
    }
    return (double)(2.0L * acosl(-1.0L) / a);
}
