// walk -- inside of methods: a step's equations with numbers.
#pragma once

#include "reference/step.h"

// A step under way. The numbers belong to its equations; vectors are filled line by line.
typedef struct MethodWalk {
    const Step         *step;
    const EquationPart *part;
    Tally              *tally;
    double              numbers[EQUATIONS_NUMBERS];
    double              vectors[EQUATIONS_VECTORS][REFERENCE_DOFS];
} MethodWalk;

// The numbers of a vector; zero for EQUATIONS_NONE.
const double *walk_vector(const MethodWalk *walk, size_t vector);

// The time of a line's acceleration.
double walk_time(const MethodWalk *walk, const EquationLine *line);

// Solves the equation of a line for its target, which has the last unknown of the step, if there was one.
//   guessed  whether it has
SolveEnd walk_solve(MethodWalk *walk, const EquationLine *line, bool guessed);

// Takes the lines of a part; false where a solve is not accepted, *end then being how it ended.
bool walk_part(MethodWalk *walk, SolveEnd *end);
