// passing -- inside of certify: where breaks divide steps, a point's place among them.
//
// A launch takes a point that has come to a break past it: states are set, the method begins anew, and counters stay.
// Points beside it wait.
#pragma once

#include "analysis/conform/walk/certify_status.h"

// Judges the breaks behind and ahead of a point that begins, those at t = 0 being behind it. Returns what is wrong, or
// NULL; so do all below.
const char *passing_begin(const CertifyRules *rules, const WalkState *state);

// Whether a launch left a point as it was, which is right while a point beside it is at a break.
//   rows  numbers of each of the two states
bool passing_waited(const CertifyRules *rules, const WalkState *before, const WalkState *after, size_t rows);

// Judges the place of a point after a substep, in its piece and among breaks.
const char *passing_place(const CertifyRules *rules, const StepPiece *piece, const CertificateSubstep *substep);

// Judges the place and the counters of a point that a launch took past a break.
const char *passing_check(const CertifyRules *rules, const WalkState *before, const WalkState *after);
