// order -- certificate of a method whose equations are not known: its order, as its card claims it.
//
// A method of a user's own file has no certificate of its substeps (certificate.h). The order that its card claims can
// be shown: halving the step divides the errors of x and v by 2^order. The error is that of whole runs against the
// motion in long double (flow.h), the largest over the times that all runs have in common, and not that of a single
// step: this means the same for one-step methods, two-step methods, and methods that keep vectors of their own.
//
// Some points of a group, spread over it, run from their initial state over a window of time in 8, 16, 32, ... steps.
// The first window is eight steps of the sweep; a shorter one is taken while slopes still change, a longer one where
// rounding hides the errors. The finest two slopes above rounding decide, so that an error of lower order is found even
// where it is small. A slope below the card's decides in a window only that is no longer than the problem's fastest
// time, 1 over the root of the stiffness or over the damping: in longer ones a stiff motion may be damped away at all
// steps, and the error stay as it is.
//
// Bounds. With errors C h^p (1 + d h + ...) the slope between h and h/2 is p + d h/(2 ln 2), and two successive slopes
// differ by as much as the finer one differs from p. It decides where they differ by at most 0.1, or where rounding
// hides finer ones and it is above the card's order by that difference. Errors count while they are 64 times the
// possible rounding, which then moves a slope by log2((1 + 1/64)/(1 - 1/64)) = 0.045: its own, and both slopes in the
// difference. This makes 0.24; 0.25 is permitted.
//
// Rounding in N steps over a time T is taken as N c u |v| + T s r + N c sqrt(u |x| r) in v, and N c u |x| + T times
// that in x: u the roundoff, r the rounding of an acceleration (equations.h); the root is the velocity into which an
// error u |x| of the position turns. Explicit methods have c = 2 and s = 1; the residual that Newton's method leaves at
// its floor, 4 u in units of the state and of the force, makes them 6 and 2.
//
// Newton's method iterates to rounding here, whatever the sweep says, and numbers are of double precision: single
// leaves too few digits. Runs in which a step was halved do not count; of an adaptive method these are the runs in
// which a step took more than one substep.
#pragma once

#include "device/device.h"

#include <signal.h>

typedef struct OrderMeasured {
    uint64_t points;   // whose order was measured
    uint64_t holding;  // with at least the card's order in x and v
    uint64_t exact;    // of these, with an error of x or v that is rounding at every step
    // The point, and x or v, that is the furthest below the card, or the least above it.
    uint64_t    point;  // in the group
    const char *quantity;
    int         card;      // the order that the card claims there
    double      measured;  // NaN: the slope does not settle; infinite: all errors are rounding
    double      step;      // the finest that counted
} OrderMeasured;

// Measures the order of the group's method on the group's problem. A card's claim is the least of its orders that
// apply: `order_damped` where the acceleration depends on v, `order_driven` where it depends on t. A higher order holds
// too.
//   plan, group, device  borrowed; the device has double precision
//   signals              not NULL: give up soon after it becomes non-zero
//   order                written
// Errors: those of engine_compose(), engine_build(), device_walk(); ERROR_INTERNAL.
bool order_measure(const Plan *plan, const Group *group, Device *device, const volatile sig_atomic_t *signals,
                   OrderMeasured *order, Error *err);

// Whether all points hold the order that the card claims.
bool order_holds(const OrderMeasured *order);
