// matrices -- the matrices of a linear system that a sweep file gives: M x'' + D x' + K x = f, or u' = A u + f.
#pragma once

#include "expression/linear.h"
#include "plan/plan.h"

// Where the matrices stand, and what takes their formulas. All is borrowed.
typedef struct MatrixReading {
    Plan           *plan;
    const YamlNode *node;  // the mapping under `problem`
    Arena          *arena;
    Expressions    *table;  // knows the names of parameters
    Error          *err;
} MatrixReading;

// Whether a problem is given by matrices of second order, or by one of first order.
bool matrices_given(const YamlNode *node);
bool matrices_given_state(const YamlNode *node);

// The number of coordinates that the matrices have; left alone where all of them are single numbers.
// Errors: ERROR_INPUT (more than CARD_DOFS, or a file's), ERROR_INTERNAL.
bool matrices_count(const MatrixReading *reading, size_t *dofs);

// Makes the motion and the energies of a system of system->dofs coordinates.
//   force  [dofs] the formulas under `force`; NULL: none
// Errors: ERROR_INPUT (names the key and the place), ERROR_INTERNAL.
bool matrices_read(const MatrixReading *reading, const Node *const *force, System *system);
