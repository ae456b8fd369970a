// balance -- equation of a step whose rows weigh the unknown against the acceleration where the unknown leads.
//
// A method says in formulas where the acceleration is taken, what a row is, and the derivative of a row; the loops over
// rows and columns are here.
#pragma once

#include "reference/method.h"

// f_i(u) = row(u_i, a_i) with a = a(t, x, v). The functions are handed `context`.
typedef struct Balance {
    const Step *step;
    const void *context;
    double      t;
    void (*place)(const void *context, const double *u, double *x, double *v);  // writes where a is taken
    double (*row)(const void *context, size_t i, double u, double a);
    // df_i/du_j from da_i/dx_j and da_i/dv_j; same is 1 where i is j, else 0.
    double (*slope)(const void *context, double same, double dadx, double dadv);
    bool acceleration;  // the unknown is one; else it is a velocity
} Balance;

// |x_n| + h |v_n| of a component.
double balance_extent(const Step *step, size_t i);

// Solves for u.
//   equation  what it is beside the functions above; its objective gets the Balance as its context
//   u         [dofs]; the guess on entry
SolveEnd balance_solve(const Balance *balance, Equation equation, Tally *tally, double *u);
