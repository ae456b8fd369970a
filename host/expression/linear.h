// linear -- M x'' + D x' + K x = f as a system of formulas.
#pragma once

#include "expression/system.h"

typedef struct LinearSystem {
    size_t             dofs;
    const Node *const *mass, *const *damping, *const *stiffness;  // [dofs][dofs]; of parameters
    const Node *const *force;                                     // [dofs]; of anything
} LinearSystem;

// Fills the acceleration, M^-1 (f - D v - K x), by elimination without pivoting: M is symmetric and positive definite.
// Where K is symmetric and the force does not depend on the state, the kinetic, potential and total energies too; with
// a symmetric D and a diagonal M also masses, dissipation and drive, which methods with a line search need.
//   row  written where M is refused: the row of M at which elimination finds it not to be positive definite, or
//        symmetric
// False with system->dofs as it was and *why set where M is refused; false with the table's error where memory ran out.
bool linear_make(const LinearSystem *linear, Expressions *table, System *system, size_t *row, const char **why);

// The same of u' = A u + f, a system of first order without energies. False where memory ran out.
//   matrix  [dofs][dofs] A, of parameters
//   force   [dofs] f, of anything
bool linear_make_rate(size_t dofs, const Node *const *matrix, const Node *const *force, Expressions *table,
                      System *system);
