// claims -- the ledger: what the documents that this program follows state, and what is measured of it now.
//
// A row is a statement in our words, the runs that test it, and two functions. measure() asks the lab for numbers;
// judge() makes a text and a verdict of numbers alone, so that a verdict is never typed in and other numbers give
// another one. A formula that is printed wrongly is a row too: it is computed as printed, in a few lines of C beside
// the row, next to the right one. A row that depends on what a document leaves open holds under the settings that its
// verdict names.
#pragma once

#include "analysis/claims/claims_lab.h"

typedef enum Verdict { VERDICT_NOT_REPRODUCED, VERDICT_REPRODUCED, VERDICT_ONLY_IF, VERDICT_COUNT } Verdict;
extern const char *const verdict_names[VERDICT_COUNT];  // "not reproduced", "reproduced", "reproduced only if"

// What became of a row. Zero-initialise it; release with finding_free().
typedef struct Finding {
    Verdict verdict;
    Text    measured;   // a sentence or more
    Text    condition;  // of VERDICT_ONLY_IF: what follows "if"
} Finding;

// For judge functions: adds to what was measured; sets the verdict. The last verdict set holds.
void finding_say(Finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
void finding_judge(Finding *finding, bool holds);
void finding_only_if(Finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The verdict of a statement that holds under some of `count` settings: all, none, or only if one of those named.
//   names  "1e-8", "1e-6" behind an `opening` such as "the tolerance is "
void finding_settings(Finding *finding, const char *opening, const bool *holds, const char *const *names, size_t count);
void finding_free(Finding *finding);

enum { CLAIM_NUMBERS = 64, CLAIM_GIVEN = 4 };

typedef struct Claim Claim;
struct Claim {
    const char *place;  // in the document: "table 1, problem 2"
    const char *claim;  // one sentence
    const char *run;    // what was run
    const char *rule;   // what makes it reproduced
    // Fills numbers[CLAIM_NUMBERS], all NaN before.
    void (*measure)(Lab *lab, const Claim *claim, double *numbers);
    void (*judge)(const Claim *claim, const double *numbers, Finding *finding);
    const char *word;                // for rows that share functions: a group of a sweep
    double      given[CLAIM_GIVEN];  // and the numbers stated, with what may be between
};

// The rows of one part of a document.
typedef struct ClaimTable {
    const char  *document;  // short name: "Wu 2018"
    const Claim *claims;    // [count]
    size_t       count;
} ClaimTable;

extern const ClaimTable *const claim_tables[];
extern const size_t            claim_table_count;

// How many rows there are.
size_t claims_count(void);

typedef struct ClaimsRequest {
    const char *device;                                           // as device_open()
    void (*progress)(size_t done, const char *what, void *user);  // what comes next; or NULL
    // After each row.
    void (*report)(const ClaimTable *table, const Claim *claim, const Finding *finding, void *user);
    void *user;
} ClaimsRequest;

// Measures every row. A statement that is not reproduced is no error.
// Errors: those of lab_open() and lab_check().
bool claims_run(const ClaimsRequest *request, Error *err);
