// tangents -- derivatives of a trajectory by parameters and initial values, by the differentiated equations of a card.
//
// A method's equations are linear in their vectors but for accelerations, and their numbers do not depend on what
// `derivatives` may name. So each line has a derivative by c with the same numbers. With da = a_x dx + a_v dv + a_c:
//
//     target = sum of terms                                 dtarget = the same sum of the terms' derivatives
//     target = accel(t, x, v)                               dtarget = da at (t, x, v)
//     A u = rest + q accel(t, x + cx u, v + cv u)           (A - q cx a_x - q cv a_v) du = drest + q da,
//
// in the last line with dx and dv, and the derivatives where the accepted u leads. The matrix is solved by LAPACK. Of
// a method that chooses its substeps they are held.
//
// A block has the derivatives of a state by each name, as a method sees it within a step (kernels/first_order.h): x, v,
// then the vectors that the method keeps, and its scratch vectors.
#pragma once

#include "plan/group.h"
#include "reference/walk.h"

typedef struct Tangents {
    const Group *group;
    size_t       n, vectors;  // of a state
    double      *now, *next;  // blocks: [derivatives of the group][vectors][n]
    // Where the step under way began, and the one before; where each split of a step began, by its level.
    double *begun, *before, *halves;
    // A step's: its vectors, [derivatives][lines' vectors][n]; the acceleration's derivatives; a matrix, right sides.
    double *lines;
    size_t  line_vectors;
    double *in_x, *in_v, *in_parameters, *matrix, *right;
} Tangents;

// Makes room for the derivatives of a group; NULL where it has none, or on failure.
//   arena  owns them
//   made   written
// Errors: ERROR_INTERNAL.
bool tangents_make(const Group *group, const ReferenceMethod *method, Arena *arena, Tangents **made, Error *err);

// Begins a trajectory: the derivatives of its initial state, without those of the vectors that a method keeps.
void tangents_begin(Tangents *tangents, const ReferenceProblem *problem, const void *params);

// Adds the derivatives of the vectors that a method keeps, from the walk that made them.
void tangents_start(const MethodWalk *walk);

// Derives a step whose lines have been walked, from `now` to `next`.
void tangents_step(const MethodWalk *walk);

// The step is taken: `next` is `now`. tangents may be NULL.
void tangents_take(Tangents *tangents);

// A full step begins; it ends. tangents may be NULL.
void tangents_enter_step(Tangents *tangents);
void tangents_leave_step(Tangents *tangents);

// Keeps the present block where a substep is split in halves. NULL where tangents is.
const double *tangents_split(Tangents *tangents, int level);

// The bytes of a block.
size_t tangents_bytes(const Tangents *tangents);

// The derivatives of one vector of a state, from a block: the coordinates, where velocity is false, or the velocities.
const double *tangents_vector(const Tangents *tangents, const double *block, size_t derivative, bool velocity);

// The same from `now`.
const double *tangents_final(const Tangents *tangents, size_t derivative, bool velocity);
