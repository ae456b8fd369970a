// sweeps -- texts of the sweeps that examine a file.
#include "analysis/check/check.h"

#include <math.h>
#include <string.h>

double check_draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) * 0x1p-53;
}

double check_value(const CardParameter *parameter, int set, uint64_t *seed)
{
    const double share = check_draw(seed);
    const double initial = isnan(parameter->initial) ? 0.5 * (parameter->least + parameter->most) : parameter->initial;
    if (parameter->whole && isnan(parameter->initial))
        return ceil(initial);
    if (set == 0 || parameter->whole || parameter->choices)
        return initial;
    const double half = 0.5 * initial, twice = 2.0 * initial;
    const double low = fmax(initial == 0.0 ? -1.0 : fmin(half, twice), parameter->least),
                 high = fmin(initial == 0.0 ? 1.0 : fmax(half, twice), parameter->most);
    return low + (high - low) * share;
}

size_t check_dofs(const Card *card)
{
    if (!card->dofs_parameter)
        return card->dofs;
    return (size_t)check_value(&card->parameters[card_parameter(card, card->dofs_parameter)], 0, &(uint64_t){1});
}

const char *check_motion(const Card *card)
{
    return card->first_order ? "rate" : "acceleration";
}

static bool is_varied(const CardParameter *parameter)
{
    return !parameter->whole && !parameter->choices && parameter->least < parameter->most;
}

// All numeric parameters in step, a set to a point.
static void add_parameters(const Card *card, Text *text)
{
    double   values[CHECK_SETS][CHECK_PARAMETERS];
    uint64_t seed = 1;
    size_t   varied = 0;
    for (int set = 0; set < CHECK_SETS; ++set)
        for (size_t i = 0; i < card->parameter_count; ++i)
            values[set][i] = check_value(&card->parameters[i], set, &seed);
    text_add(text, "parameters: {");
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        if (parameter->choices)
            text_add(text, "%s: '%s', ", parameter->name, parameter->choices[(size_t)values[0][i]]);
        else if (!is_varied(parameter))
            text_add(text, "%s: %.17g, ", parameter->name, values[0][i]);
        if (is_varied(parameter))
            text_add(text, "%s: ", parameter->name);
        for (int set = 0; is_varied(parameter) && set < CHECK_SETS; ++set)
            text_add(text, "%s%.17g%s", set ? ", " : "[", values[set][i], set + 1 == CHECK_SETS ? "], " : "");
        varied += is_varied(parameter);
    }
    text_add(text, "}\n");
    const char *before = "zip: [";
    for (size_t i = 0; varied > 1 && i < card->parameter_count; ++i)
        if (is_varied(&card->parameters[i])) {
            text_add(text, "%s%s", before, card->parameters[i].name);
            before = ", ";
        }
    text_add(text, varied > 1 ? "]\n" : "");
}

static void add_problem(const Check *check, Text *text)
{
    const Card *card = &check->card;
    const bool  jacobian = card_provides(card, "jacobian");
    text_add(text, "problem: '%s'\n", check->word);
    add_parameters(card, text);
    text_add(text,
             "methods: [rk4, {label: implicit, theta2: {}, newton: {jacobian: %s}}]\n"
             "step: %.17g\nsteps: 20\nmetrics: [x_final%s%s]\n",
             jacobian ? "analytic" : "central", check->step, card->first_order ? "" : ", v_final",
             card_provides(card, "energy") ? ", energy_drift" : "");
}

// The first problem of a list that provides all that is needed; NULL: there is none.
static const Card *find_problem(const Check *check, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const Card *problem = catalog_find(&check->catalog, CARD_PROBLEM, names[i]);
        bool        fits = problem != NULL;
        for (size_t k = 0; fits && k < check->card.need_count; ++k)
            fits = strcmp(check->card.needs[k], "newton") == 0 || strcmp(check->card.needs[k], "solution") == 0 ||
                   card_provides(problem, check->card.needs[k]);
        if (fits)
            return problem;
    }
    return NULL;
}

// An adaptive method shows its order in steps that it takes whole: its tolerances are wide here.
static void add_method_parameters(const Card *card, Text *text)
{
    static const double wider = 1e4;
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        const double         initial = check_value(parameter, 0, &(uint64_t){1});
        if (card->adaptive && strstr(parameter->name, "tol") && initial * wider < parameter->most)
            text_add(text, "%s: %.17g, ", parameter->name, initial * wider);
        else if (isnan(parameter->initial) && !parameter->derived)
            text_add(text, "%s: %.17g, ", parameter->name, initial);
    }
}

// Smooth motions: a pendulum, damped at some points or driven, and one of two degrees of freedom.
static bool add_method(const Check *check, int which, Text *text)
{
    static const char *const one[] = {"pendulum"}, *const two[] = {"elastic_pendulum_cartesian"};
    const Card *problem = which < 2 ? find_problem(check, one, 1) : find_problem(check, two, 1);
    if (!problem)
        return false;
    text_add(text, "problem: %s\n", problem->name);
    if (which < 2)
        text_add(text, "parameters: {x0: [0.5, 1.5], zeta: [0, 0.1], %s}\n",
                 which == 1 ? "forcing: cosine, force: 0.3" : "forcing: none");
    else
        text_add(text, "parameters: {eps: [0.2, 0.3], k: [0.3, 0.5]}\n");
    text_add(text, "methods: [{'%s': {", check->word);
    add_method_parameters(&check->card, text);
    text_add(text, "}}]\nstep: 0.05\nsteps: 20\nmetrics: [x_final, v_final]\n");
    return true;
}

// Every result with no options; in a window that holds everything; in an early and in a late one; of a coordinate.
static bool add_metric(const Check *check, Text *text)
{
    static const char *const names[] = {"modal_oscillators",   "pendulum",        "elastic_pendulum_cartesian",
                                        "harmonic_oscillator", "double_pendulum", "barrier_particle",
                                        "friction_block"};
    const Card              *card = &check->card, *problem = find_problem(check, names, sizeof names / sizeof *names);
    const bool               window = card_takes(card, "window");
    if (!problem)
        return false;
    text_add(text, "problem: %s\nmethods: [%s]\nstep: 0.05\nsteps: 100\nmetrics: [", problem->name,
             card_needs(card, "newton") ? "theta2" : "rk4");
    for (size_t r = 0; r < card->result_count; ++r) {
        const char *name = card->results[r].name;
        text_add(text, "{'%s': {result: %s}}, ", check->word, name);
        if (window)
            text_add(text,
                     "{'%s': {result: %s, label: whole_%zu, from: 0, to: 1000}}, "
                     "{'%s': {result: %s, label: early_%zu, from: 0.4, to: 1.8}}, "
                     "{'%s': {result: %s, label: late_%zu, from: 2.9, to: 4.6}}, ",
                     check->word, name, r, check->word, name, r, check->word, name, r);
        if (card_takes(card, "of"))
            text_add(text, "{'%s': {result: %s, label: of_%zu, of: x0}}, ", check->word, name, r);
    }
    text_add(text, "x_final]\n");
    if (strcmp(problem->name, "modal_oscillators") == 0)
        text_add(text, "parameters: {x01: [1, 0.5, 0.2]}\n");
    else if (strcmp(problem->name, "pendulum") == 0)
        text_add(text, "parameters: {x0: [1, 0.5, 2]}\n");
    return true;
}

bool check_sweep(const Check *check, int which, Precision precision, Text *text)
{
    if (precision == PRECISION_SINGLE)
        text_add(text, "precision: single\n");
    if (check->card.kind == CARD_PROBLEM)
        add_problem(check, text);
    return check->card.kind == CARD_PROBLEM  ? true
           : check->card.kind == CARD_METHOD ? add_method(check, which, text)
                                             : add_metric(check, text);
}
