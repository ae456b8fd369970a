// stability -- a card's statement on an explicit method's steps: the largest stable one, or that a tolerance is kept.
#include "analysis/check/check.h"
#include "analysis/check/lines.h"
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4000 };

static const double beside = 0.02, grown = 1e3, tighter = 1e-3, smaller = 0.1;

// Runs a sweep of two points; the size of its metric at both, infinite where a point fails.
static bool run(Check *check, const Text *text, double sizes[2], Error *err)
{
    Spec             spec = {0};
    Plan             plan = {0};
    Engine           engine = {0};
    Results          results = {0};
    const RunOptions options = {.signals = check->signals};
    const bool       ok = text_check(text, err) && spec_read_text("check", text->text, NULL, 0, &spec, err) &&
                    plan_make(&spec, &check->catalog, &plan, err) &&
                    engine_make(&engine, check->native, &plan, &plan.groups[0], 1, err) &&
                    engine_run_all(&engine, &options, &results, err);
    for (size_t i = 0; ok && i < 2; ++i)
        sizes[i] =
            results_value(&results, 0, i, 0) == STATUS_OK ? fabs(results_value(&results, 1, i, 0)) : (double)INFINITY;
    results_free(&results);
    engine_free(&engine);
    plan_free(&plan);
    spec_free(&spec);
    return ok;
}

static const char oscillator[] = "problem: harmonic_oscillator\n"
                                 "parameters: {omega: 1, zeta: 0, x0: 1, v0: 0.5}\n";

static bool check_critical(Check *check, double critical, Error *err)
{
    const Card  *card = &check->card;
    const double below = critical * (1.0 - beside), above = critical * (1.0 + beside);
    Text         text = {0};
    double       sizes[2];
    text_add(&text, "%smethods: ['%s']\nstep: [%.17g, %.17g]\nsteps: %d\nmetrics: [x_final]\n", oscillator, check->word,
             below, above, STEPS);
    const bool ok = run(check, &text, sizes, err);
    text_free(&text);
    if (!ok)
        return false;
    if (sizes[0] < grown && sizes[1] > grown)
        findings_add(&check->findings, FINDING_RIGHT, 0,
                     "critical: %d steps of an oscillator stay bounded at omega h = %.4g and grow at %.4g", STEPS,
                     below, above);
    else
        findings_add(
            &check->findings, FINDING_WRONG, lines_key(card, "critical"),
            "the card says that omega h = %s is the largest stable step: after %d steps |x| is %.3g at %.4g, and "
            "%.3g at %.4g: correct it",
            card->critical, STEPS, sizes[0], below, sizes[1], above);
    return true;
}

// An adaptive method whose tolerances are a thousandth makes a smaller error.
static bool check_tolerance(Check *check, Error *err)
{
    const Card *card = &check->card;
    Text        text = {0};
    size_t      count = 0;
    double      errors[2];
    text_add(&text, "%smethods: [{'%s': {", oscillator, check->word);
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        if (!strstr(parameter->name, "tol") || parameter->choices || !(parameter->initial * tighter > parameter->least))
            continue;
        text_add(&text, "%s: [%.17g, %.17g], ", parameter->name, parameter->initial, parameter->initial * tighter);
        ++count;
    }
    text_add(&text, "}}]\nstep: 1\nsteps: 20\nmetrics: [error_max]\n%s", count > 1 ? "design: zip\n" : "");
    if (count == 0)
        findings_add(&check->findings, FINDING_NOTE, 0,
                     "tolerance: not examined: no parameter has a name with 'tol' and a range below its default");
    const bool ok = count == 0 || run(check, &text, errors, err);
    text_free(&text);
    if (ok && count > 0 && errors[1] <= smaller * errors[0])
        findings_add(&check->findings, FINDING_RIGHT, 0, "tolerance: the error falls from %.3g to %.3g with %g of it",
                     errors[0], errors[1], tighter);
    else if (ok && count > 0)
        findings_add(&check->findings, FINDING_WRONG, lines_function(card, "trial"),
                     "the error does not fall with the tolerance: it is %.3g by default, %.3g at %g of that: trial() "
                     "returns the error over what is permitted",
                     errors[0], errors[1], tighter);
    return ok;
}

bool check_stability(Check *check, Error *err)
{
    const Card  *card = &check->card;
    char        *end;
    const double critical = strtod(card->critical, &end);
    if (card->kind != CARD_METHOD || card->unknown != UNKNOWN_NONE || !check->native || check->broken)
        return true;
    if (card->adaptive)
        return check_tolerance(check, err);
    if (*card->critical && (*end || !(critical > 0.0) || !isfinite(critical))) {
        findings_add(&check->findings, FINDING_NOTE, lines_key(card, "critical"),
                     "critical: not examined: '%.60s' is a formula; a number at zeta 0 would be", card->critical);
        return true;
    }
    return !*card->critical || check_critical(check, critical, err);
}
