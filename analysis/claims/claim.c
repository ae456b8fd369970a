// claim -- evaluates the formulas of a claim.
#include "analysis/claims/claim.h"

#include "analysis/claims/sentence.h"

const char *const claim_verdicts[VERDICT_COUNT] = {"not reproduced", "reproduced", "reproduced only if"};

bool claim_measure(Claim *claim, Lab *lab, Arena *arena, Error *err)
{
    Binding bindings[CLAIM_FORMULAS];
    Scope   scope = {.functions = claim->functions, .bindings = bindings, .element = FORMULA_WHOLE, .arena = arena};
    for (; scope.count < claim->formula_count; ++scope.count) {
        ClaimFormula *formula = &claim->formulas[scope.count];
        scope.lab = formula->role == CLAIM_GIVEN ? NULL : lab;
        if (!formula_value(&scope, formula->text, &formula->value, err))
            return false;
        bindings[scope.count] = (Binding){formula->name, formula->value};
    }
    return true;
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

bool claim_judge(const Claim *claim, Finding *finding, Error *err)
{
    Arena   arena = {0};
    Binding bindings[CLAIM_FORMULAS];
    Scope   scope = {.functions = claim->functions, .bindings = bindings, .element = FORMULA_WHOLE, .arena = &arena};
    for (size_t i = 0; i < claim->formula_count; ++i)
        if (claim->formulas[i].role != CLAIM_FROM)
            bindings[scope.count++] = (Binding){claim->formulas[i].name, claim->formulas[i].value};
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
