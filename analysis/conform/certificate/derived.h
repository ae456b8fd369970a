// derived -- inside of certificates: the derivatives of a substep by parameters and initial values
// (kernels/tangent.h).
//
// A line of a method's equations is linear in its vectors but for an acceleration, so that the derivatives of its
// vectors satisfy the same line with da = a_x dx + a_v dv + a_c in place of the acceleration a. The kernel's
// derivatives before and after a substep are put into these, each number with its bound, behind the line of the state.
// Of a solve A u = rest + q a(t, x + cx u, v + cv u) it is the linear equation
//
//     (A - q (cx a_x + cv a_v)) du = drest + q (a_x dx + a_v dv + a_c)
//
// at the u that was accepted. Elimination leaves a residual of rounding, by the factors of the matrix: |L| |U| |du|
// times 4 n + 8 units (Higham 2002, section 9.3). Where du is not kept it is found from the others, as u is, or solved
// for in long double; then it is off by the inverse times that residual.
//
// The partial derivatives are the problem's own functions (partials.h), whose meaning the kernels share. In some
// substeps they are compared with differences of the acceleration along the derivative.
#pragma once

#include "analysis/conform/certificate/solve.h"
#include "analysis/conform/judgement/partials.h"

typedef struct Derived {
    const Group  *group;
    size_t        n, vectors, line_vectors;  // of a state in a walk; of a method's lines
    bool          searched;                  // partial derivatives are compared with differences
    const double *previous;                  // derivatives of the earlier point, [2][n] each
    size_t        previous_stride;           // from one to the next
    // Room.
    Partials     partials;
    Vector      *lines;              // [derivatives][line_vectors]
    Ball        *matrix;             // [n][n]
    bool        *known;              // [derivatives] its numbers before the substep are finite
    long double *factors, *inverse;  // [n][n]
    size_t      *order;              // [n]
    long double *right;              // [n]
} Derived;

// Makes room for a group's derivatives; NULL where it has none, or on failure.
//   made  written
// Errors: ERROR_INTERNAL.
bool derived_make(const Group *group, const Equations *equations, Arena *arena, Derived **made, Error *err);

// Begins a substep: takes the kernel's derivatives before it.
void derived_step(const Judge *judge);

// Demands the derivatives of the initial state, and takes them.
void derived_start(Judge *judge);

// Demands the derivative of a line that the state has passed.
//   numbers, vectors  of the part, as far as it is walked
//   time              of the line's acceleration
void derived_line(Judge *judge, const EquationPart *part, const EquationLine *line, const Ball *numbers,
                  const Vector *vectors, Ball time, bool start);
