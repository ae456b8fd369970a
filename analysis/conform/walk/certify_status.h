// certify_status -- inside of certify: a point's status and counters after a launch, and their judgement.
//
// A launch tries one substep of each point that has not ended. The possible outcomes: the budget is spent and nothing
// is tried; the substep is accepted; it failed and is halved, or ends the point where no halving is left; it is
// accepted, but has numbers that are not finite. A point that has ended moves no more. Times and states are asked
// elsewhere. Where the sweep has breaks a point at one of them is taken past it (passing.h), and others may wait.
#pragma once

#include "analysis/conform/judgement/piece.h"
#include "analysis/conform/judgement/substep.h"
#include "device/device.h"

// Rules that are the same for all launches of a point.
typedef struct CertifyRules {
    const Group *group;
    bool         single;
    double       h;
    uint64_t     steps, budget;  // that the point is to take; updates, or trials of an adaptive method, that it may use
    const bool  *records;        // [RECORD_COUNT] the ones that are asked for
    const double *numbers;       // of the sweep's breaks, as the kernel has them (breaks_numbers()); NULL: it has none
} CertifyRules;

// Finds the records that are asked for of a group.
//   records  [RECORD_COUNT] written
void certify_status_records(const Group *group, bool *records);

CertifyRules certify_status_rules(const Plan *plan, const Group *group, const bool *records, const double *numbers,
                                  uint64_t point);

// Whether a point takes no more substeps.
bool certify_status_ended(const CertifyRules *rules, const WalkState *state);

// Judges a point at t = 0. Returns what is wrong, or NULL; so do all below.
const char *certify_status_begin(const CertifyRules *rules, const WalkState *state);

// Judges a launch before which the point had ended, or had spent its budget; `tried` receives whether it had not.
//   rows  numbers of each of the two states
const char *certify_status_rest(const CertifyRules *rules, const WalkState *before, const WalkState *after, size_t rows,
                                bool *tried);

// Reads the outcome of a tried substep from its states: whether it was accepted, its end, its counts and condition
// numbers.
void certify_status_read(const CertifyRules *rules, CertificateSubstep *substep);

// Judges the status of a point whose state a launch may have made no number: of one that is past a break.
const char *certify_status_passed(const CertifyRules *rules, const WalkState *after);

// Judges the status after it, and every counter that the certificate does not judge.
const char *certify_status_check(const CertifyRules *rules, const CertificateSubstep *substep);
