// system -- a mechanical system given by formulas, and the problem file that it is written as.
//
//     sweep file --read--> System --system_write--> kernel file --card_read--> Card
//
// From there on it is a problem as one in a file of its own (kernels/README.md), and takes the same path.
#pragma once

#include "base/text.h"
#include "expression/expression.h"

typedef struct SystemParameter {
    const char *name, *unit, *about;
    double      initial, least, most;  // the default; the permitted range, infinite where there is none
    bool        least_open, most_open;
} SystemParameter;

// Formulas may use the arguments of a problem's functions: the start and the masses parameters only, a solution and a
// force time too, energies the arguments listed in kernels/README.md. NULL: not given.
typedef struct System {
    const char      *name, *title, *equation;
    SystemParameter *parameters;  // [parameter_count]
    size_t           parameter_count;
    const bool      *derived;  // [parameter_count] whether derivatives by it are asked for; NULL: by none
    size_t           dofs;
    const char     **coordinates, **units;  // [dofs]
    bool             first_order;           // of u' = rate(t, u): acceleration is the rate, and there are no velocities
    const Node     **acceleration, **start, **start_velocity;  // [dofs]
    const Node     **exact, **masses, **drive;                 // [dofs] or NULL
    const Node      *energy, *kinetic, *potential, *dissipation, *fast, *slow;
} System;

// Writes the kernel file: card, start, acceleration, its Jacobian (the derivatives of the formulas), and the other
// functions that are given. Of a system of first order these are start, rate and its Jacobian. The velocity of `exact`
// is its derivative by time.
//   table  of the formulas
//   text   added to
// Errors: ERROR_INPUT (too many terms), ERROR_INTERNAL.
bool system_write(const System *system, Expressions *table, Text *text);
