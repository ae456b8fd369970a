// meeting -- inside of certify: a point's events, the search for their places, and the sides of their formulas.
//
// A launch tries a substep of a length that the search asks for. A trial leaves the state, and moves an end of the
// bracket. The last try is taken, and is a substep of its method like any other: at its end formulas have crossed 0 and
// are no further from it than they move in the bracket, which certifies the place. A launch then takes the point past
// the event. A formula that has surely crossed in a substep without an event was missed.
#pragma once

#include "analysis/conform/walk/certify_status.h"

// Judges the sides in which a point begins. Returns what is wrong, or NULL; so do all below.
//   point  the problem, its parameters loaded
const char *meeting_begin(const CertifyRules *rules, const ExactPoint *point, const WalkState *state);

// Whether a try only moved the bracket.
bool meeting_holds(const CertifyRules *rules, const WalkState *before, const WalkState *after);

// Judges a try that only moved the bracket: the bracket, and all that must stay.
//   size  of the try
const char *meeting_held(const CertifyRules *rules, const WalkState *before, const WalkState *after, double size);

// Whether a try ended at an event.
bool meeting_ends(const CertifyRules *rules, const WalkState *before, const WalkState *after);

// How far into the step the event lies at which a try ended.
double meeting_place(const CertifyRules *rules, const WalkState *before);

// Judges the events of a try that failed, or was taken: with an event at its end, or without one.
//   size  of the try
const char *meeting_taken(const CertifyRules *rules, const CertificateSubstep *substep, double size);

// Judges a point that a launch took past an event, all but the states that are set.
//   fired  [events] written: the entries that have crossed
//   t      written: the time of the event, as the kernel has it
const char *meeting_passed(const CertifyRules *rules, const ExactPoint *point, const WalkState *before,
                           const WalkState *after, bool *fired, double *t);

// Judges the events of a point that a launch took past a break.
const char *meeting_beside(const CertifyRules *rules, const ExactPoint *point, const WalkState *before,
                           const WalkState *after);
