// theory -- linear theory of methods, from their equations: amplification matrix, damping at both ends, order, limit.
//
// The equations of a method's card (equations/equations.h) are taken as maps of the state, with the acceleration of the
// oscillator x'' + 2 zeta omega x' + omega^2 x = 0. Everything is a function of Omega = omega h, zeta and the method's
// parameters p, in the order of its card. A parameter with a unit of time (Rayleigh damping) counts in units of omega:
// r_m stands for r_m/omega, r_k for r_k omega.
#pragma once

#include "analysis/linear/matrix.h"
#include "equations/equations.h"

enum { THEORY_PARAMETERS = 16 };  // a method with more has no theory

typedef struct Theory {
    const Card *method;
    size_t      n;  // of its matrices
    Equations   equations;
    bool        bounded;  // its spectral radius as Omega -> infinity is finite
    // The card's rho_infinity and critical, where they are formulas of its parameters, zeta and omega; else NULL. They
    // hold where the equations give all derived parameters.
    const Node *radius, *limit;
} Theory;

// Damping as Omega -> 0 without physical damping: -ln|mu| = coefficient Omega^power + ..., mu the pair of the motion.
typedef struct LowFrequency {
    int    power;  // 0: it damps at no power of Omega that was looked at
    double coefficient;
} LowFrequency;

// The first power of Omega at which the motion's eigenvalue mu is not that of the motion itself: mu = exp(lambda h)
// (1 + constant Omega^(order + 1) + ...). order 0: they agree as far as was looked.
typedef struct LinearOrder {
    int    order;
    double constant;  // |constant|
} LinearOrder;

// Takes a method's equations. *theory is NULL where it has none, or is adaptive: its step is not a matrix.
//   arena  owns it
// Errors: those of equations_read(); ERROR_INPUT (a card's rho_infinity, critical or order is not that of its
// equations).
bool theory_make(const Card *method, Arena *arena, const Theory **theory, Error *err);

Matrix theory_matrix(const Theory *theory, double omega_h, double zeta, const double *p);

// The spectral radius as Omega -> infinity: the card's formula, which is that of the equations, else theirs; INFINITY
// where it grows without bound. A derived parameter of p is NAN where the equations give it.
double theory_radius(const Theory *theory, double zeta, const double *p);

// The Omega up to which the spectral radius is at most 1: INFINITY without limit. The card's formula, or by search.
double theory_limit(const Theory *theory, double zeta, const double *p);

LowFrequency theory_low(const Theory *theory, const double *p);

// With zeta 0 the order on the undamped oscillator.
LinearOrder theory_order(const Theory *theory, double zeta, const double *p);
