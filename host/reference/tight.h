// tight -- accurate solver of the reference: x'' = a(t, x, v) to about 1e-12, at any step of the sweep.
//
// Gragg's modified midpoint rule with smoothing, extrapolated (Hairer, Norsett and Wanner 1993, section II.9): columns
// are added until two agree, up to order 16; a step that does not get there is halved. It is explicit, so that its cost
// grows with the highest frequency.
#pragma once

#include "reference/problem.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Tight {
    size_t      n;
    const void *params;  // borrowed; handed to the function
    void (*acceleration)(double t, const double *x, const double *v, const void *params, double *a);
    uint64_t evaluations, most;  // made so far, and permitted
    double   step;               // to be tried next; 0 at the start
} Tight;

// Moves x and v [n] from t to `to`. False where the evaluations permitted are used up or the motion is not finite.
bool tight_advance(Tight *tight, double t, double to, double *x, double *v);
