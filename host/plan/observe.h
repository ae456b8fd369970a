// observe -- quantities that a sweep observes by formulas.
//
//     observe: {shear: "k*u", total: "a_u + ag(t)"}
//
// A formula knows the time t, the coordinates, their velocities v_u and accelerations a_u, the problem's numeric
// parameters and the sweep's tables. The acceleration is that of the equations at the observed state; of a system of
// first order v_u is the rate of u, and there is no a_u. A metric's `of` and the fields of a trajectory take the name.
#pragma once

#include "catalog/card.h"
#include "expression/expression.h"

enum { OBSERVE_MOST = 32 };

typedef struct ObservedQuantity {
    const char *name, *text;  // as the sweep file has them
    const Node *formula;
    const char *kernel;    // the function `real observed_NAME(t, x, v, p)`
    const char *tangents;  // with `derivatives` the function `void observed_NAME_tangents(t, x, v, p, d)`, else NULL
} ObservedQuantity;

typedef struct Observing {
    ObservedQuantity list[OBSERVE_MOST];
    size_t           count;
} Observing;

// The number of the quantity of that name; the count where there is none. observing: NULL has none.
size_t observe_find(const Observing *observing, const char *name);

// The largest number of a coordinate that a formula uses, and 1; 0: it uses none.
size_t observe_coordinates(const Node *formula);
