// piece -- the part of a step that lies between two breaks, as a kernel finds it.
//
// Breaks are times that no substep reaches over (plan/breaks.h). A point is within a piece, or has come to a break,
// past which the next launch takes it. Without breaks a piece is a step.
#pragma once

#include "device/device.h"

typedef struct StepPiece {
    bool   over;         // the point is at a break: nothing is tried
    double begun, end;   // since its step began; an adaptive method moves `begun` by each substep
    double length;       // end - begun
    bool   last;         // it ends its step
    bool   cut;          // it is shorter than the step
    double from, below;  // times that forces see
    double sought;       // length of a try that looks for an event; 0: it is none
} StepPiece;

// The piece in which a point is, in the kernel's own rounding.
//   h  of the step
StepPiece piece_of(const Group *group, bool single, double h, const WalkState *state);

// The length of an adaptive method's substep.
double piece_substep(const StepPiece *piece, bool single, const WalkState *before);

// Whether a substep that a kernel took came to the piece's end.
bool piece_arrives(const Group *group, const StepPiece *piece, bool single, const WalkState *before);

// Whether a point that has come to the end of its piece has come to that of its step: a break may lie there.
//   before  at the beginning of the substep
bool piece_ends_step(const Group *group, const StepPiece *piece, bool single, double h, const WalkState *before);
