// claims -- what the documents that this program follows state, measured now, row by row of the ledger.
//
// A row is data: a statement in our words, the sweeps that test it, formulas that make numbers, a sentence and a
// verdict of what came out. A formula that is printed wrongly is a row too: it is computed as printed, in a few lines
// of C (printed.h), next to the right one. A row that depends on what a document leaves open holds under the settings
// that its verdict names.
#pragma once

#include "analysis/claims/ledger.h"

typedef struct ClaimsRequest {
    const char *device;                                                      // as device_open()
    void (*progress)(size_t done, const char *what, void *user);             // what comes next; or NULL
    void (*report)(const Claim *claim, const Finding *finding, void *user);  // after each row
    void *user;
} ClaimsRequest;

// Measures every row of a ledger. A statement that is not reproduced is a verdict and not an error.
// Errors: those of lab_open(), lab_check(), claim_measure() and claim_judge().
bool claims_run(const Ledger *ledger, const ClaimsRequest *request, Error *err);
