// claims -- runs the rows one after the other.
#include "analysis/claims/claims.h"

#include "analysis/claims/claims_tables.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *const verdict_names[VERDICT_COUNT] = {"not reproduced", "reproduced", "reproduced only if"};

const ClaimTable *const claim_tables[] = {&claims_wu_newton, &claims_wu_damping, &claims_wu_counts,
                                          &claims_wu_stiff,  &claims_wu_seen,    &claims_fang,
                                          &claims_sofa,      &claims_note,       &claims_chern};
const size_t            claim_table_count = sizeof claim_tables / sizeof *claim_tables;

static void add_formatted(Text *text, const char *format, va_list arguments)
{
    char line[1024];
    vsnprintf(line, sizeof line, format, arguments);
    text_add(text, "%s", line);
}

void finding_say(Finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_formatted(&finding->measured, format, arguments);
    va_end(arguments);
}

void finding_judge(Finding *finding, bool holds)
{
    text_free(&finding->condition);
    finding->verdict = holds ? VERDICT_REPRODUCED : VERDICT_NOT_REPRODUCED;
}

void finding_only_if(Finding *finding, const char *format, ...)
{
    va_list arguments;
    text_free(&finding->condition);
    finding->verdict = VERDICT_ONLY_IF;
    va_start(arguments, format);
    add_formatted(&finding->condition, format, arguments);
    va_end(arguments);
}

void finding_settings(Finding *finding, const char *opening, const bool *holds, const char *const *names, size_t count)
{
    size_t held = 0, told = 0;
    for (size_t i = 0; i < count; ++i)
        held += holds[i];
    finding_judge(finding, held == count);
    if (held == 0 || held == count)
        return;
    finding_only_if(finding, "%s", opening);
    for (size_t i = 0; i < count; ++i)
        if (holds[i]) {
            ++told;
            text_add(&finding->condition, "%s%s", told == 1 ? "" : told == held ? " or " : ", ", names[i]);
        }
}

void finding_free(Finding *finding)
{
    text_free(&finding->measured);
    text_free(&finding->condition);
}

size_t claims_count(void)
{
    size_t count = 0;
    for (size_t t = 0; t < claim_table_count; ++t)
        count += claim_tables[t]->count;
    return count;
}

// What the lab tells goes on to the caller with the number of rows done.
typedef struct Teller {
    const ClaimsRequest *request;
    size_t               done;
} Teller;

static void tell(const char *what, void *user)
{
    const Teller *teller = user;
    if (teller->request->progress)
        teller->request->progress(teller->done, what, teller->request->user);
}

static bool run_claim(Lab *lab, const ClaimTable *table, size_t number, const ClaimsRequest *request, Error *err)
{
    const Claim *claim = &table->claims[number];
    double       numbers[CLAIM_NUMBERS];
    Finding      finding = {0};
    for (size_t i = 0; i < CLAIM_NUMBERS; ++i)
        numbers[i] = (double)NAN;
    claim->measure(lab, claim, numbers);
    bool ok = lab_check(lab, err);
    if (ok) {
        claim->judge(claim, numbers, &finding);
        ok = text_check(&finding.measured, err) && text_check(&finding.condition, err);
    }
    if (ok)
        request->report(table, claim, &finding, request->user);
    finding_free(&finding);
    return ok;
}

bool claims_run(const ClaimsRequest *request, Error *err)
{
    Teller teller = {.request = request};
    Lab   *lab = NULL;
    bool   ok = lab_open(request->device, tell, &teller, &lab, err);
    for (size_t t = 0; ok && t < claim_table_count; ++t)
        for (size_t i = 0; ok && i < claim_tables[t]->count; ++i) {
            ok = run_claim(lab, claim_tables[t], i, request, err);
            teller.done += ok;
        }
    lab_close(lab);
    return ok;
}
