// slopes -- inside of certificates: the derivatives that linear stages are made of, where a substep begins.
#pragma once

#include "analysis/conform/judgement/equations.h"

typedef struct Slopes {
    Ball        t;
    Vector      x, v, a;                 // where the substep begins; a is the acceleration that the kernel keeps
    Vector      in_time;                 // derivatives of the acceleration, each as far off as the kernel's may be
    Vector      in_x[CERTIFICATE_DOFS];  // [j] by x_j
    Vector      in_v[CERTIFICATE_DOFS];  // [j] by v_j
    long double size[CERTIFICATE_DOFS];  // of the velocities
} Slopes;

// The acceleration of a linear stage: that at the beginning, and the derivatives times the ways from there.
Vector slopes_acceleration(const Judge *judge, const Slopes *slopes, Ball t, const Vector *x, const Vector *v);
