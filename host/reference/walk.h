// walk -- inside of methods: a step's equations with numbers.
#pragma once

#include "reference/step.h"

// Derivatives of the acceleration where a step of linear stages begins. Matrices are row-major, [dofs][dofs].
typedef struct Derivatives {
    double in_time[REFERENCE_DOFS];
    double in_x[REFERENCE_DOFS * REFERENCE_DOFS], in_v[REFERENCE_DOFS * REFERENCE_DOFS];
} Derivatives;

// A step under way. The numbers belong to its equations; vectors are filled line by line.
typedef struct MethodWalk {
    const Step         *step;
    const EquationPart *part;
    Tally              *tally;
    double              numbers[EQUATIONS_NUMBERS];
    double              vectors[EQUATIONS_VECTORS][REFERENCE_DOFS];
    Derivatives         derivatives;  // of linear stages, from the first one on
} MethodWalk;

// The numbers of a vector; zero for EQUATIONS_NONE.
const double *walk_vector(const MethodWalk *walk, size_t vector);

// The time of a line's acceleration, as its formula has it; and as a force sees it.
double walk_line_time(const MethodWalk *walk, const EquationLine *line);
double walk_time(const MethodWalk *walk, const EquationLine *line);

// Solves the equation of a line for its target, which has the last unknown of the step, if there was one.
//   guessed  whether it has
SolveEnd walk_solve(MethodWalk *walk, const EquationLine *line, bool guessed);

// The same of a linear stage, by derivatives where the step begins.
//   first  of the step's: it finds them
SolveEnd rosenbrock_solve(MethodWalk *walk, const EquationLine *line, bool first);

// Takes the lines of a part; false where a solve is not accepted, *end then being how it ended.
bool walk_part(MethodWalk *walk, SolveEnd *end);
