// problem -- problem file of kernels/problems compiled as C, for the reference.
//
// The build writes one ReferenceProblem per problem file: the physics is the one thing the reference shares with the
// kernels. A problem whose card leaves `dofs` to a parameter has an entry for each number of them. Functions the
// problem's card does not provide are NULL. Matrices are row-major, [dofs][dofs].
#pragma once

#include <stdbool.h>
#include <stddef.h>

// The largest number of degrees of freedom a card may declare.
enum { REFERENCE_DOFS = 32 };

typedef struct ReferenceProblem {
    const char *name;
    size_t      dofs;
    bool        first_order;   // u' = rate(t, u), as kernels/first_order.h shows it
    size_t      params_bytes;  // size of the problem's Params, which the functions take as `params`
    void (*load)(void *params, const double *values);  // values in card order, a choice as its index
    void (*initial_state)(const void *params, double *x, double *v);
    void (*acceleration)(double t, const double *x, const double *v, const void *params, double *a);
    double (*energy)(const double *x, const double *v, const void *params);
    double (*kinetic)(const double *x, const double *v, const void *params);
    double (*potential)(const double *x, const void *params);
    void (*jacobian)(double t, const double *x, const double *v, const void *params, double *dadx, double *dadv);
    void (*exact)(double t, const void *params, double *x, double *v);
    double (*period)(const void *params);
    double (*fast)(const double *x, const void *params);
    double (*slow)(const double *x, const void *params);
    void (*masses)(const void *params, double *mass);
    double (*dissipation)(const double *x, const double *v, const void *params);
    void (*drive)(double t, const void *params, double *force);
    void (*limit_start)(const void *params, double *x, double *v);
    void (*limit_acceleration)(double t, const double *x, const double *v, const void *params, double *a);
} ReferenceProblem;

extern const ReferenceProblem *const reference_problems[];  // made by the build
extern const size_t                  reference_problem_count;
