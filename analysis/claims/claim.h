// claim -- a statement of the ledger: measured, then judged.
#pragma once

#include "analysis/claims/formula.h"
#include "base/text.h"

typedef enum Verdict { VERDICT_NOT_REPRODUCED, VERDICT_REPRODUCED, VERDICT_ONLY_IF, VERDICT_COUNT } Verdict;
extern const char *const claim_verdicts[VERDICT_COUNT];  // "not reproduced", "reproduced", "reproduced only if"

// The outcome of a claim. Zero-initialise it; release with claim_free_finding().
typedef struct Finding {
    Verdict verdict;
    Text    measured;   // a sentence or more
    Text    condition;  // of VERDICT_ONLY_IF: the text after "if"
} Finding;

typedef enum ClaimRole { CLAIM_GIVEN, CLAIM_FROM, CLAIM_MEASURE } ClaimRole;

typedef struct ClaimFormula {
    ClaimRole   role;
    const char *name, *text;
    Value       value;  // as it was measured last
} ClaimFormula;

enum { CLAIM_FORMULAS = 16, CLAIM_NAMES = 24 };

// The keys of ledger.h; all texts are owned by the ledger.
typedef struct Claim {
    const Functions *functions;  // of the ledger; NULL: none
    const char      *document, *place, *claim, *run, *rule;
    ClaimFormula     formulas[CLAIM_FORMULAS];
    size_t           formula_count;
    const char      *say, *holds, *when, *condition;  // the latter two: NULL where there are none
    const char      *names[CLAIM_NAMES];              // one sentence for all elements, or a text for each
    size_t           name_count;
    bool             mostly;
} Claim;

// Measures a claim: the values of its formulas.
//   lab    without a device: NaN, in the numbers that there will be
//   arena  owns the values
// Errors: those of formula_value().
bool claim_measure(Claim *claim, Lab *lab, Arena *arena, Error *err);

// Makes a sentence and a verdict of the given and the measured values: a verdict is never typed in, and other numbers
// give another one.
// Errors: those of sentence_add().
bool claim_judge(const Claim *claim, Finding *finding, Error *err);
void claim_free_finding(Finding *finding);
