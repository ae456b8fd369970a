// system -- inside of the plan: a problem that a sweep file gives by formulas or by matrices. Errors: those of
// plan_make().
#pragma once

#include "expression/linear.h"
#include "plan/plan.h"

// A system in the making.
typedef struct SystemReading {
    Plan           *plan;
    const YamlNode *node;  // the mapping under `problem`
    Arena           arena;
    Expressions    *table;
    System          system;
    Error          *err;
} SystemReading;

// A formula of a scalar node that depends on none of the kinds of leaf that `never` lists.
//   what   names it in messages: "acceleration of 'x'"
//   never  bits 1 << NodeKind
// NULL on failure.
const Node *system_formula(SystemReading *reading, const YamlNode *node, const char *what, unsigned never);

// Reads `mass`, `damping`, `stiffness` and `force` into the system's acceleration and energies. The names of
// coordinates and parameters are known to the table.
bool system_read_matrices(SystemReading *reading);

// The number of coordinates that the matrices have, 1 to CARD_DOFS; left alone where all of them are single numbers.
bool system_count_matrices(SystemReading *reading, size_t *dofs);
