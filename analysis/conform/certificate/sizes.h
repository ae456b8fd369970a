// sizes -- inside of certificates: the sizes that the components of a solve are measured by, as in kernels/newton.h.
//
// Where `residual: scaled` asks for it, the tolerance, the differences of a Jacobian and the floor of the rounding go
// by the size of each component, and no number of theirs depends on the units. Where it is `raw`, all sizes here are 1.
#pragma once

#include "analysis/conform/certificate/solve.h"

// Least and most of each component's size, in the unit of the solve's unknown.
typedef struct Sizes {
    long double least[CERTIFICATE_DOFS], most[CERTIFICATE_DOFS];
} Sizes;

// Whether tolerance and differences go by the components.
bool sizes_relative(const Judge *judge);

// Of the rows of the residual at an iterate that is known to within its bounds; u NULL: at the guess, before any
// update.
void sizes_rows(const Judge *judge, const Solve *solve, const Vector *u, Sizes *rows);

// Of the number that an evaluation at u rounds: the position over cx, or the unknown where the position does not depend
// on it.
void sizes_extent(const Judge *judge, const Solve *solve, const Vector *u, Sizes *extent);

// Of the unknowns at an iterate where the residual is f, both to within their bounds: powers of two.
//   first  it is the guess
void sizes_unknowns(const Judge *judge, const Solve *solve, const Vector *at, bool first, const Vector *f,
                    Sizes *unknowns);

// Widths of the differences there, to each side.
void sizes_widths(const Judge *judge, const Solve *solve, const Vector *at, bool first, const Vector *f, Sizes *widths);

// Demands that the sizes kept of the velocities follow from the sizes before and the new velocities.
void sizes_demand_kept(Judge *judge);
