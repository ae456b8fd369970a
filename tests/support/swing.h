// swing -- theta steps of the pendulum, scalar and with their own solver, to compose halved steps by hand.
#pragma once

typedef struct Swing {
    double x, v;
} Swing;

Swing swing_solve(double X, double W, double c);
Swing first_order(Swing now, double h, double theta1);
Swing second_order(Swing before, Swing now, double h, double theta);

// The period of a free swing of that amplitude, with gravity and length 1.
double swing_period(double amplitude);
