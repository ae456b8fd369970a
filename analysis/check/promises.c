// promises -- compares the card's functions and choices with the file's.
#include "analysis/check/check.h"
#include "analysis/check/lines.h"

#include "catalog/problem_c.h"

#include <stdio.h>
#include <string.h>

static void require(Check *check, const char *name, size_t line, const char *why)
{
    if (lines_function(&check->card, name))
        return;
    // Where braces are wrong, functions are not found that are there.
    if (!check_braces(check))
        findings_add(&check->findings, FINDING_WRONG, line, "%s, and the file does not define %s(): define it%s", why,
                     name, line > 1 ? ", or change the card" : "");
    check->broken = true;
}

static void check_problem(Check *check)
{
    const Card *card = &check->card;
    for (size_t i = 0; i < PROBLEM_C_MOST; ++i) {
        const ProblemFunction *function = &problem_c_functions[i];
        char                   why[80];
        if (!function->feature) {
            const bool motion = strcmp(function->name, "acceleration") == 0;
            require(check, motion ? check_motion(card) : function->name, 1, "every problem has it");
        } else if (problem_c_promises(card, function)) {
            snprintf(why, sizeof why, "the card promises '%s'", function->feature);
            require(check, function->name, lines_key(card, "provides"), why);
        } else if (lines_function(card, function->name)) {
            findings_add(&check->findings, FINDING_WRONG, lines_function(card, function->name),
                         "%s() is defined, and the card does not promise it: add '%s' to `provides`, or take the "
                         "function out",
                         function->name, function->feature);
            check->broken = true;
        }
    }
}

static void check_option(Check *check, const char *option, const char *word)
{
    const Card  *card = &check->card;
    const bool   listed = card_takes(card, option);
    const size_t line = lines_call(card, word);
    if (listed && !line)
        findings_add(&check->findings, FINDING_WRONG, lines_key(card, "options"),
                     "the card has the option '%s', and the file never asks %s(): ask it, or take the option out",
                     option, word);
    if (!listed && line) {
        findings_add(&check->findings, FINDING_WRONG, line,
                     "%s() is asked, and the card does not have the option '%s': add it to `options`", word, option);
        check->broken = true;
    }
}

static void check_metric(Check *check)
{
    const Card *card = &check->card;
    const bool  keeps = card->state_count + card->count_count > 0;
    for (size_t i = 0; i < card->result_count; ++i) {
        char why[160];
        snprintf(why, sizeof why, "the card has the result '%.100s'", card->results[i].name);
        require(check, card->results[i].name, lines_key(card, card->results[i].name), why);
    }
    if (keeps) {
        require(check, "start", 1, "the card keeps a state");
        require(check, "observe", 1, "the card keeps a state");
    } else if (lines_function(card, "observe")) {
        findings_add(&check->findings, FINDING_WRONG, lines_function(card, "observe"),
                     "M(observe)() is never called: the card keeps neither `state` nor `counts`");
    }
    check_option(check, "of", "OF");
    check_option(check, "window", "WITHIN");
}

void check_promises(Check *check)
{
    const size_t before = findings_count(&check->findings, FINDING_WRONG);
    const Card  *card = &check->card;
    if (card->kind == CARD_PROBLEM)
        check_problem(check);
    else if (card->kind == CARD_METRIC)
        check_metric(check);
    else if (card->adaptive)
        require(check, "trial", 1, "an adaptive method has it");
    else if (card->unknown == UNKNOWN_NONE)
        require(check, "step", 1, "an explicit method has it");
    if (findings_count(&check->findings, FINDING_WRONG) > before)
        return;
    if (card->kind == CARD_PROBLEM)
        findings_add(&check->findings, FINDING_RIGHT, 0, "card: %zu parameters, %zu promises, all of them defined",
                     card->parameter_count, card->provide_count);
    else if (card->kind == CARD_METRIC)
        findings_add(&check->findings, FINDING_RIGHT, 0, "card: %zu results, all of them defined", card->result_count);
    else
        findings_add(&check->findings, FINDING_RIGHT, 0, "card: %zu parameters, order %d", card->parameter_count,
                     card->order);
}
