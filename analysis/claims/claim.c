// claim -- evaluates the formulas of a row.
#include "analysis/claims/claim.h"

#include "analysis/claims/sentence.h"

#include <math.h>
#include <string.h>

const char *const claim_verdicts[VERDICT_COUNT] = {"not reproduced", "reproduced", "reproduced only if"};

bool claim_measure(const Claim *claim, Lab *lab, double *numbers, Error *err)
{
    Arena   arena = {0};
    Binding bindings[CLAIM_FORMULAS];
    Scope   scope = {
          .lab = lab, .functions = claim->functions, .bindings = bindings, .element = FORMULA_WHOLE, .arena = &arena};
    size_t filled = 0;
    bool   ok = true;
    for (size_t i = 0; i < CLAIM_NUMBERS; ++i)
        numbers[i] = (double)NAN;
    for (; ok && scope.count < claim->formula_count; ++scope.count) {
        const ClaimFormula *formula = &claim->formulas[scope.count];
        Value               value = formula->value;
        if (formula->role != CLAIM_GIVEN)
            ok = formula_value(&scope, formula->text, &value, err);
        bindings[scope.count] = (Binding){formula->name, value};
        if (!ok || formula->role != CLAIM_MEASURE)
            continue;
        if (value.count == formula->value.count)
            memcpy(numbers + filled, value.at, value.count * sizeof *numbers);
        else
            ok = fail(err, ERROR_INPUT, "claims: %s: '%s' gives %zu numbers, not %zu", claim->place, formula->name,
                      value.count, formula->value.count);
        filled += formula->value.count;
    }
    arena_free(&arena);
    return ok;
}

// The condition "opening" and the names of the elements that hold: "a, b or c".
static bool name_elements(const Claim *claim, Scope scope, Value holds, size_t held, Text *condition, Error *err)
{
    size_t named = 0;
    if (!sentence_add(&scope, claim->condition, condition, err))
        return false;
    for (size_t i = 0; i < holds.count; ++i) {
        if (holds.at[i] == 0.0)
            continue;
        ++named;
        text_add(condition, "%s", named == 1 ? "" : named == held || claim->mostly ? " or " : ", ");
        scope.element = (int)i;
        if (!sentence_add(&scope, claim->names[claim->name_count == 1 ? 0 : i], condition, err))
            return false;
    }
    return true;
}

static bool find_verdict(const Claim *claim, const Scope *scope, Finding *finding, Error *err)
{
    Value  holds, when;
    size_t held = 0;
    if (!formula_value(scope, claim->holds, &holds, err))
        return false;
    for (size_t i = 0; i < holds.count; ++i)
        held += holds.at[i] != 0.0;
    if (claim->name_count > 1 && claim->name_count != holds.count)
        return fail(err, ERROR_INPUT, "%zu names of %zu elements", claim->name_count, holds.count);
    finding->verdict =
        held == holds.count || (claim->mostly && 2 * held > holds.count) ? VERDICT_REPRODUCED : VERDICT_NOT_REPRODUCED;
    if (finding->verdict == VERDICT_REPRODUCED || !claim->condition || (claim->name_count > 0 && held == 0))
        return true;
    if (claim->name_count > 0) {
        finding->verdict = VERDICT_ONLY_IF;
        return name_elements(claim, *scope, holds, held, &finding->condition, err);
    }
    if (!formula_value(scope, claim->when, &when, err))
        return false;
    if (when.count != 1)
        return fail(err, ERROR_INPUT, "'when' is a list");
    if (when.at[0] == 0.0)
        return true;
    finding->verdict = VERDICT_ONLY_IF;
    return sentence_add(scope, claim->condition, &finding->condition, err);
}

bool claim_judge(const Claim *claim, const double *numbers, Finding *finding, Error *err)
{
    Arena   arena = {0};
    Binding bindings[CLAIM_FORMULAS];
    Scope   scope = {.functions = claim->functions, .bindings = bindings, .element = FORMULA_WHOLE, .arena = &arena};
    double  copy[CLAIM_NUMBERS], *next = copy;
    memcpy(copy, numbers, sizeof copy);
    for (size_t i = 0; i < claim->formula_count; ++i) {
        const ClaimFormula *formula = &claim->formulas[i];
        if (formula->role == CLAIM_FROM)
            continue;
        Value value = formula->value;
        if (formula->role == CLAIM_MEASURE) {
            value.at = next;
            next += value.count;
        }
        bindings[scope.count++] = (Binding){formula->name, value};
    }
    const bool ok = sentence_add(&scope, claim->say, &finding->measured, err) &&
                    find_verdict(claim, &scope, finding, err) && text_check(&finding->measured, err) &&
                    text_check(&finding->condition, err);
    arena_free(&arena);
    return ok;
}

void claim_free_finding(Finding *finding)
{
    text_free(&finding->measured);
    text_free(&finding->condition);
}
