// own_problem -- problem files of the user's as C, compiled and loaded when they are asked for.
#pragma once

#include "catalog/card.h"
#include "reference/problem.h"

// The reference's problem of such a card and number of degrees of freedom; it stays until the program ends. NULL on
// failure.
// Errors: ERROR_DEVICE (no C compiler on this machine), ERROR_KERNEL (it does not compile the file), ERROR_INTERNAL.
const ReferenceProblem *own_problem(const Card *card, size_t dofs, Error *err);
