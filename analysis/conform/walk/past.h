// past -- inside of certify: a point's place in time, and the earlier states of a two-step method.
#pragma once

#include "analysis/conform/judgement/piece.h"

// Starts of substeps that a two-step method may need: the starts in the step under way, or in the piece of it, by the
// level that their place belongs to, of each level the last, and the start of the one before.
typedef struct Past {
    int64_t place[MOST_DEPTH + 1];  // -1: none
    bool    has_step;               // there is a step before, or a piece of one
    // [MOST_DEPTH + 2][2][dofs], the last for that; each with its derivatives behind it, [derivatives][2][dofs].
    // Borrowed.
    double *states;
} Past;

// Numbers that the states of a point take.
size_t past_numbers(const Group *group);

// Forgets everything.
//   states  [past_numbers()] borrowed
void past_begin(Past *past, double *states);

// The earlier point of the substep that begins at `before`: within a step the start of the left half beside it, else
// the start of the piece before. NULL: there is none, or none at the substep's own spacing where that is asked for.
//   spacing  written: how long ago that was
const double *past_find(const Group *group, const Past *past, const StepPiece *piece, const WalkState *before,
                        double *spacing);

// Notes that a substep was accepted.
void past_note(const Group *group, Past *past, const WalkState *before);

// Judges a point's place in time after a substep, by the substep's outcome. Returns NULL, or what is wrong.
//   ends_step  the end of its piece is that of its step
const char *past_place(const Group *group, const WalkState *before, const WalkState *after, bool accepted, bool lost,
                       bool ends_step);
