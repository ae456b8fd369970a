// ledger -- the claims as rows of data: a document's statement, the formulas that measure it, the rule.
//
// analysis/claims/ledger/*.yaml are read in the order of their names. A file is one part of a document:
//
//   document: Wu 2018                a short name
//   sweeps: {NAME: [PATH, KEY=VALUE, ...]}    sweeps besides sweeps/claims, as `pendula run PATH -s KEY=VALUE`
//   words: {run: ..., ...}           texts that stand for $run in the claims
//   functions: {NAME: {...}, ...}    functions of formulas here and in the files that follow; see ClaimFunction:
//     of: [NAME, ...]                its parameters, where it has some
//     start: {NAME: FORMULA}         names and their values, where it has some
//     while: FORMULA                 how long the steps are repeated, where there are steps
//     step: {NAME: FORMULA}          new values
//     gives: FORMULA                 its value
//   like: {NAME: {...}, ...}         keys that claims share
//   claims:                          the claims themselves
//     - like: NAME                   whose keys are this claim's where it does not have them itself
//       with: {method: theta2, ...}  words of this claim
//       place: table 1, problem 2    in the document
//       claim: ...                   one sentence
//       run: ...                     the runs
//       rule: ...                    the condition of "reproduced"
//       given: {NAME: FORMULA}       numbers stated, bounds, lists of settings
//       from: {NAME: FORMULA}        measured on the way
//       measure: {NAME: FORMULA}     measured: all the numbers of the sentence and the verdict besides `given`
//       say: ...                     a sentence about them
//       holds: FORMULA               the verdict: reproduced where all elements are not 0
//       names: SENTENCE or a list    a name for each element of `holds`: where some hold, reproduced only if it is
//                                    one of these
//       mostly: true                 of such elements more than half make it reproduced
//       when: FORMULA                where the claim does not hold but this does, reproduced only if
//       if: SENTENCE                 the condition; the beginning of `names`
//
// Formulas are read by formula.h, sentences by sentence.h. A later formula may name an earlier one. A formula that
// begins with [ stands in quotes, as YAML has it.
#pragma once

#include "analysis/claims/claim.h"

// Owned: release with ledger_free().
typedef struct Ledger {
    Claim    *claims;  // [count]
    size_t    count;
    Functions functions;
    Arena     arena;
} Ledger;

// Reads the claims that are embedded in the program, or a file's, and computes their formulas without measuring.
//   ledger  written; not to be moved
//   lab     without a device; gets the sweeps of the file
//   path    NULL: the embedded ones, whose functions a file has too
// Errors: those of file_read(); ERROR_INPUT (a claim is wrong: names file, line and column), ERROR_INTERNAL.
bool ledger_read(Ledger *ledger, Lab *lab, const char *path, Error *err);
void ledger_free(Ledger *ledger);
