// certify_status -- inside of certify: how a point stands after a launch, and what its counters say of it.
//
// A launch tries one substep of each point that has not ended. What may become of it: the budget is spent and nothing
// is tried; the substep is accepted; it failed and is halved, or ends the point where no halving is left; it is
// accepted, but its numbers are none. A point that has ended moves no more. Times and states are asked elsewhere.
#pragma once

#include "analysis/conform/judgement/substep.h"
#include "device/device.h"

// What is the same for all launches of a point.
typedef struct CertifyRules {
    const Group *group;
    bool         single;
    double       h;
    uint64_t     steps, budget;  // that the point is to take; updates, or trials of an adaptive method, that it may use
    const bool  *records;        // [RECORD_COUNT] what somebody asks for
} CertifyRules;

// What somebody asks for of a group.
//   records  [RECORD_COUNT] written
void certify_status_records(const Group *group, bool *records);

CertifyRules certify_status_rules(const Plan *plan, const Group *group, const bool *records, uint64_t point);

// Whether a point takes no more substeps.
bool certify_status_ended(const CertifyRules *rules, const WalkState *state);

// Judges what a point is at t = 0. Returns what is wrong, or NULL; so do all below.
const char *certify_status_begin(const CertifyRules *rules, const WalkState *state);

// Judges a launch before which the point had ended, or had spent its budget; `tried` receives whether it had not.
//   rows  numbers of each of the two states
const char *certify_status_rest(const CertifyRules *rules, const WalkState *before, const WalkState *after, size_t rows,
                                bool *tried);

// What became of a substep that was tried: its members of that name, without the states.
void certify_status_read(const CertifyRules *rules, const WalkState *before, const WalkState *after,
                         CertificateSubstep *substep, CertificateConditions *conditions);

// Judges the status after it, and every counter that the certificate does not judge.
const char *certify_status_check(const CertifyRules *rules, const CertificateSubstep *substep, const WalkState *before,
                                 const WalkState *after);
