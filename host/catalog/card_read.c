// card_read -- reads the YAML mapping in the first lines of a kernel file.
#include "catalog/card.h"
#include "base/text.h"
#include "base/yaml.h"
#include "catalog/dof.h"

#include <math.h>
#include <string.h>

enum { MOST_ORDER = 12, MOST_STAGES = 8, MOST_EVALUATIONS = 100, MARKER = 4 /* length of "//: " */ };

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const problem_keys[] = {"problem",   "title",      "equation", "source",      "dofs",   "provides",
                                           "stiffness", "parameters", "order",    "coordinates", "tables", "band"};
static const char *const method_keys[] = {
    "method",       "title",           "equation",        "source",     "order",        "order_damped",
    "order_driven", "first_order",     "unknown",         "solver",     "stages",       "evaluations",
    "adaptive",     "history",         "needs",           "state",      "scratch",      "conventions",
    "rho_infinity", "critical",        "conserves",       "parameters", "extrapolates", "guess_state",
    "equations",    "equations_first", "equations_start", "tableau",    "error_order"};
static const char *const metric_keys[] = {"metric",  "title",      "equation", "source",        "state",      "counts",
                                          "vectors", "needs",      "options",  "listed",        "parameters", "results",
                                          "past",    "after_turn", "tangents", "tangent_state", "deviations"};
static const char *const parameter_keys[] = {"default", "unit",  "about",   "min", "max",
                                             "above",   "below", "choices", "type"};
static const char *const result_keys[] = {"unit",    "about", "type",    "bits",    "limit",
                                          "records", "needs", "samples", "per_dof", "tangent"};
static const char *const features[] = {"energy", "kinetic", "potential",   "jacobian", "exact", "period", "fast",
                                       "slow",   "masses",  "dissipation", "drive",    "limit", "slopes", "gradients"};
static const char *const unknowns[] = {"none", "velocity", "acceleration"};
static const char *const solvers[] = {"newton", "linearised", "line_search", "rosenbrock"};
static const char *const types[] = {"real", "whole"};
static const char *const widths[] = {"64", "32"};
static const char *const limits[] = {"steps", "updates", "depth"};
#define RECORD_WORD(NAME, word) #word,
static const char *const record_words[] = {RECORDS(RECORD_WORD)};
static const char *const option_words[] = {"of", "window"};

size_t card_state_rows(const Card *metric, size_t dofs)
{
    return metric->state_count + metric->vector_count * dofs + metric->count_count;
}

// The lines "//: ..." at the head of the file, without the marker.
static bool cut_card(const char *path, const char *text, Text *card, Error *err)
{
    const char *line = text;
    for (size_t number = 1; strncmp(line, "//:", 3) == 0; ++number) {
        const size_t length = strcspn(line, "\n");
        if (length > 3 && line[3] != ' ')
            return fail(err, ERROR_INPUT, "%s:%zu:4: a card line begins with '//: ', with a space", path, number);
        if (length > MARKER)
            text_add_bytes(card, line + MARKER, length - MARKER);
        text_add_bytes(card, "\n", 1);
        if (line[length] == '\0')
            break;
        line += length + 1;
    }
    if (card->length == 0)
        return fail(err, ERROR_INPUT, "%s:1:1: no card: a kernel file begins with lines '//: key: value'", path);
    return text_check(card, err);
}

static bool check_name(const YamlNode *node, const char *what, Error *err)
{
    return yaml_spells_name(node->text)
               ? true
               : yaml_fail(node, err, "%s '%.60s': only letters, digits and _ make a name", what, node->text);
}

// A key's text; "" where the key is absent.
static bool read_text(const YamlNode *mapping, const char *key, bool required, const char **text, Error *err)
{
    const YamlNode *node = yaml_find(mapping, key);
    *text = "";
    if (!node)
        return !required || yaml_fail(mapping, err, "the card lacks the key '%s'", key);
    return yaml_text(node, key, text, err);
}

// A key's list of names; permitted[permitted_count] are the permitted ones, NULL: any name.
static bool read_words(const YamlNode *mapping, const char *key, const char *const *permitted, size_t permitted_count,
                       Arena *arena, const char ***words, size_t *count, Error *err)
{
    const YamlNode *node = yaml_find(mapping, key);
    if (!node)
        return true;
    if (!yaml_is_sequence(node, key, err))
        return false;
    *words = arena_take(arena, node->count, sizeof **words, err);
    if (!*words)
        return false;
    for (size_t i = 0; i < node->count; ++i) {
        const YamlNode *item = node->items[i];
        size_t          index;
        if (!yaml_text(item, key, &(*words)[i], err))
            return false;
        if (permitted ? !yaml_choice(item, key, permitted, permitted_count, &index, err) : !check_name(item, key, err))
            return false;
        if (card_lists(*words, i, item->text))
            return yaml_fail(item, err, "%s: '%.60s' is listed twice", key, item->text);
    }
    *count = node->count;
    return true;
}

// One end of a range: `closed` (min, max) or `open` (above, below), not both; left alone where neither is there.
static bool read_bound(const YamlNode *mapping, const char *closed, const char *open, double *bound, bool *is_open,
                       Error *err)
{
    const YamlNode *with = yaml_find(mapping, closed), *without = yaml_find(mapping, open);
    if (with && without)
        return yaml_fail(without, err, "'%s' beside '%s': give one of them", open, closed);
    *is_open = without != NULL;
    if (!with && !without)
        return true;
    return yaml_number(with ? with : without, with ? closed : open, bound, err);
}

static bool read_choices(const YamlNode *node, Arena *arena, CardParameter *parameter, Error *err)
{
    const YamlNode *initial = yaml_find(node, "default");
    size_t          index = 0;
    if (!read_words(node, "choices", NULL, 0, arena, &parameter->choices, &parameter->choice_count, err))
        return false;
    if (parameter->choice_count == 0)
        return yaml_fail(yaml_find(node, "choices"), err, "parameter '%s': no choices", parameter->name);
    for (size_t i = 0; i < LENGTH(parameter_keys); ++i) {
        const YamlNode *value = yaml_find(node, parameter_keys[i]);
        if (value && !card_lists((const char *const[]){"default", "about", "choices"}, 3, parameter_keys[i]))
            return yaml_fail(value, err, "parameter '%s': '%s' does not go with 'choices'", parameter->name,
                             parameter_keys[i]);
    }
    if (!initial)
        return yaml_fail(node, err, "parameter '%s' lacks a default", parameter->name);
    if (!yaml_choice(initial, "default", parameter->choices, parameter->choice_count, &index, err))
        return false;
    parameter->initial = (double)index;
    parameter->least = 0.0;
    parameter->most = (double)(parameter->choice_count - 1);
    return true;
}

static bool read_range(const YamlNode *node, CardParameter *parameter, Error *err)
{
    const YamlNode *initial = yaml_find(node, "default");
    parameter->since_begin = yaml_find(node, "min") && yaml_is_word(yaml_find(node, "min"), "begin");
    if (parameter->since_begin)
        parameter->least = 0.0;
    if ((!parameter->since_begin &&
         !read_bound(node, "min", "above", &parameter->least, &parameter->least_open, err)) ||
        !read_bound(node, "max", "below", &parameter->most, &parameter->most_open, err))
        return false;
    if (parameter->least > parameter->most)
        return yaml_fail(node, err, "parameter '%s': its range is empty", parameter->name);
    if (!initial) {
        parameter->initial = NAN;
        return true;
    }
    parameter->derived = yaml_is_word(initial, "equations");
    if (parameter->derived) {
        parameter->initial = NAN;
        return true;
    }
    if (!yaml_number(initial, "default", &parameter->initial, err))
        return false;
    const double value = parameter->initial;
    if (value < parameter->least || value > parameter->most || (parameter->least_open && value == parameter->least) ||
        (parameter->most_open && value == parameter->most))
        return yaml_fail(initial, err, "parameter '%s': the default is outside its range", parameter->name);
    return true;
}

static bool read_parameter(const YamlNode *key, const YamlNode *node, Arena *arena, CardParameter *parameter,
                           Error *err)
{
    *parameter = (CardParameter){.name = key->text, .unit = "1", .least = -INFINITY, .most = INFINITY};
    if (!check_name(key, "parameter", err) || !yaml_is_mapping(node, key->text, err) ||
        !yaml_check_keys(node, "a parameter of the card", parameter_keys, LENGTH(parameter_keys), err) ||
        !read_text(node, "about", true, &parameter->about, err))
        return false;
    if (yaml_find(node, "choices"))
        return read_choices(node, arena, parameter, err);
    const YamlNode *type = yaml_find(node, "type");
    size_t          index = 0;
    if (type && !yaml_choice(type, "type", types, LENGTH(types), &index, err))
        return false;
    parameter->whole = index == 1;
    return read_text(node, "unit", true, &parameter->unit, err) && read_range(node, parameter, err);
}

static bool read_parameters(const YamlNode *root, Arena *arena, Card *card, Error *err)
{
    const YamlNode *node = yaml_find(root, "parameters");
    if (!node)
        return true;
    if (!yaml_is_mapping(node, "parameters", err))
        return false;
    card->parameters = arena_take(arena, node->count, sizeof *card->parameters, err);
    card->parameter_count = node->count;
    for (size_t i = 0; card->parameters && i < node->count; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        if (!read_parameter(node->keys[i], node->items[i], arena, &card->parameters[i], err))
            return false;
        if (parameter->derived && !card->equations)
            return yaml_fail(yaml_find(node->items[i], "default"), err,
                             "parameter '%s': only a method with 'equations' has a default of them", parameter->name);
        if (card->kind != CARD_METRIC && isnan(parameter->initial) &&
            !(isfinite(parameter->least) && isfinite(parameter->most)))
            return yaml_fail(node->items[i], err, "parameter '%s' has neither a default nor a range", parameter->name);
    }
    return card->parameters != NULL;
}

// Reads a metric's needs: a feature of the problem, Newton's method, a solution to compare with, velocities, or data.
static bool read_needs(const YamlNode *mapping, Arena *arena, const char ***needs, size_t *count, Error *err)
{
    const char *permitted[LENGTH(features) + 4];
    memcpy(permitted, features, sizeof features);
    permitted[LENGTH(features)] = "newton";
    permitted[LENGTH(features) + 1] = "solution";
    permitted[LENGTH(features) + 2] = "velocity";
    permitted[LENGTH(features) + 3] = "compare";
    return read_words(mapping, "needs", permitted, LENGTH(permitted), arena, needs, count, err);
}

static bool read_records(const YamlNode *mapping, Arena *arena, bool records[RECORD_COUNT], Error *err)
{
    const char **words = NULL;
    size_t       count = 0;
    if (!read_words(mapping, "records", record_words, RECORD_COUNT, arena, &words, &count, err))
        return false;
    for (size_t i = 0; i < RECORD_COUNT; ++i)
        records[i] = card_lists(words, count, record_words[i]);
    return true;
}

// `samples: count`: a parameter of the card, whole and bounded, says how many numbers the result has.
static bool read_samples(const YamlNode *node, const Card *card, CardResult *result, Error *err)
{
    const YamlNode *samples = yaml_find(node, "samples"), *per_dof = yaml_find(node, "per_dof");
    if ((samples && !yaml_text(samples, "samples", &result->samples, err)) ||
        (per_dof && !yaml_truth(per_dof, "per_dof", &result->per_dof, err)))
        return false;
    if (!samples)
        return !per_dof || yaml_fail(per_dof, err, "per_dof: only a result with samples has it");
    const size_t         i = card_parameter(card, result->samples);
    const CardParameter *parameter = &card->parameters[i];
    if (i == card->parameter_count || !parameter->whole || !(parameter->least >= 1.0) || !isfinite(parameter->most))
        return yaml_fail(samples, err, "samples: '%.60s' is no whole parameter of the card with min 1 and a max",
                         result->samples);
    return !result->whole || yaml_fail(samples, err, "samples: a result with samples is real");
}

static bool read_result(const YamlNode *key, const YamlNode *node, Arena *arena, const Card *card, CardResult *result,
                        Error *err)
{
    const YamlNode *type = yaml_find(node, "type"), *bits = yaml_find(node, "bits"), *limit = yaml_find(node, "limit"),
                   *tangent = yaml_find(node, "tangent");
    size_t index = 0, width = 0, which = 0;
    *result = (CardResult){.name = key->text};
    if (!check_name(key, "result", err) || !yaml_is_mapping(node, key->text, err) ||
        !yaml_check_keys(node, "a result of the card", result_keys, LENGTH(result_keys), err) ||
        !read_text(node, "unit", true, &result->unit, err) || !read_text(node, "about", true, &result->about, err) ||
        !read_needs(node, arena, &result->needs, &result->need_count, err) ||
        (type && !yaml_choice(type, "type", types, LENGTH(types), &index, err)) ||
        (bits && !yaml_choice(bits, "bits", widths, LENGTH(widths), &width, err)) ||
        (limit && !yaml_choice(limit, "limit", limits, LENGTH(limits), &which, err)) ||
        (tangent && !yaml_truth(tangent, "tangent", &result->tangent, err)) ||
        !read_records(node, arena, result->records, err))
        return false;
    if (result->tangent && (card->tangent_count == 0 || index == 1 || yaml_find(node, "samples")))
        return yaml_fail(tangent, err, "tangent: only a real number of a card with tangents has derivatives");
    result->whole = index == 1;
    result->small = width == 1;
    result->limit = limit ? (Limit)(LIMIT_STEPS + which) : LIMIT_NONE;
    return read_samples(node, card, result, err);
}

static bool read_results(const YamlNode *root, Arena *arena, Card *card, Error *err)
{
    const YamlNode *node = yaml_find(root, "results");
    if (!node)
        return yaml_fail(root, err, "the card lacks the key 'results'");
    if (!yaml_is_mapping(node, "results", err))
        return false;
    if (node->count == 0)
        return yaml_fail(node, err, "results: a metric has at least one");
    card->results = arena_take(arena, node->count, sizeof *card->results, err);
    card->result_count = node->count;
    for (size_t i = 0; card->results && i < node->count; ++i)
        if (!read_result(node->keys[i], node->items[i], arena, card, &card->results[i], err))
            return false;
    return card->results != NULL;
}

static bool read_whole(const YamlNode *root, const char *key, int64_t least, int64_t most, int64_t *value, Error *err)
{
    const YamlNode *node = yaml_find(root, key);
    return node ? yaml_whole(node, key, least, most, value, err)
                : yaml_fail(root, err, "the card lacks the key '%s'", key);
}

// `dofs: 2`, or `dofs: n` where a parameter n says how many.
static bool read_dofs(const YamlNode *root, Card *card, Error *err)
{
    const YamlNode *node = yaml_find(root, "dofs");
    int64_t         dofs = 0;
    const size_t index = node && node->kind == YAML_SCALAR ? card_parameter(card, node->text) : card->parameter_count;
    if (index < card->parameter_count) {
        const CardParameter *parameter = &card->parameters[index];
        if (!parameter->whole || parameter->least != 1.0 || !(parameter->most <= CARD_DOFS))
            return yaml_fail(node, err, "dofs: parameter '%s' must be of type whole, min 1, max %d or less",
                             parameter->name, CARD_DOFS);
        card->dofs_parameter = parameter->name;
        card->dofs = (size_t)parameter->most;
        return true;
    }
    if (!read_whole(root, "dofs", 1, CARD_DOFS, &dofs, err))
        return false;
    card->dofs = (size_t)dofs;
    return true;
}

// `band: [1, 1]`: how far from the diagonal derivatives have entries, below and above.
static bool read_band(const YamlNode *root, Card *card, Error *err)
{
    const YamlNode *node = yaml_find(root, "band");
    const int64_t   most = (int64_t)card->dofs - 1;
    int64_t         below, above;
    card->banded = node != NULL;
    if (!node)
        return true;
    if (card->dofs_parameter)
        return yaml_fail(node, err, "band: parameter '%s' says how many unknowns there are, leave it out",
                         card->dofs_parameter);
    if (!yaml_is_sequence(node, "band", err))
        return false;
    if (node->count != 2)
        return yaml_fail(node, err, "band: %zu numbers, give two: the width below and above the diagonal", node->count);
    if (!yaml_whole(node->items[0], "band", 0, most, &below, err) ||
        !yaml_whole(node->items[1], "band", 0, most, &above, err))
        return false;
    card->below = (size_t)below;
    card->above = (size_t)above;
    return true;
}

// `stiffness: [eps]`: names of parameters that are numbers.
static bool read_stiffness(const YamlNode *root, Arena *arena, Card *card, Error *err)
{
    if (!read_words(root, "stiffness", NULL, 0, arena, &card->stiffness, &card->stiffness_count, err))
        return false;
    for (size_t s = 0; s < card->stiffness_count; ++s) {
        const size_t i = card_parameter(card, card->stiffness[s]);
        if (i == card->parameter_count || card->parameters[i].choices)
            return yaml_fail(yaml_find(root, "stiffness")->items[s], err,
                             "stiffness: '%.60s' is not a numeric parameter of the card", card->stiffness[s]);
    }
    return true;
}

// `order: first`: u' = rate(t, u). Such a system has no velocities, and nothing that asks for them.
static bool read_order(const YamlNode *root, Card *card, Error *err)
{
    static const char *const orders[] = {"first", "second"};
    static const char *const without[] = {"kinetic", "potential", "masses", "dissipation", "drive", "limit"};
    const YamlNode          *node = yaml_find(root, "order");
    size_t                   index = 1;
    if (node && !yaml_choice(node, "order", orders, LENGTH(orders), &index, err))
        return false;
    card->first_order = index == 0;
    for (size_t i = 0; card->first_order && i < LENGTH(without); ++i)
        if (card_provides(card, without[i]))
            return yaml_fail(yaml_find(root, "provides"), err, "provides: '%s' is of systems of second order only",
                             without[i]);
    return true;
}

static bool read_problem(const YamlNode *root, Arena *arena, Card *card, Error *err)
{
    return yaml_check_keys(root, "a problem's card", problem_keys, LENGTH(problem_keys), err) &&
           read_text(root, "equation", true, &card->equation, err) &&
           read_text(root, "source", false, &card->origin, err) &&
           read_words(root, "provides", features, LENGTH(features), arena, &card->provides, &card->provide_count,
                      err) &&
           read_words(root, "tables", NULL, 0, arena, &card->tables, &card->table_count, err) &&
           read_order(root, card, err) && read_parameters(root, arena, card, err) &&
           read_stiffness(root, arena, card, err) && read_dofs(root, card, err) && read_band(root, card, err) &&
           dof_read(root, arena, card, err);
}

// How a method is solved: the keys that depend on each other.
static bool read_solver(const YamlNode *root, Card *card, Error *err)
{
    const YamlNode *unknown = yaml_find(root, "unknown"), *solver = yaml_find(root, "solver"),
                   *stages = yaml_find(root, "stages"), *adaptive = yaml_find(root, "adaptive"),
                   *history = yaml_find(root, "history"), *evaluations = yaml_find(root, "evaluations"),
                   *extrapolates = yaml_find(root, "extrapolates"), *error = yaml_find(root, "error_order");
    size_t  index = 0, which = 0;
    int64_t count = 1, evaluated = 1, error_order = card->order;
    if (!unknown)
        return yaml_fail(root, err, "the card lacks the key 'unknown'");
    if (!yaml_choice(unknown, "unknown", unknowns, LENGTH(unknowns), &index, err) ||
        (solver && !yaml_choice(solver, "solver", solvers, LENGTH(solvers), &which, err)) ||
        (stages && !yaml_whole(stages, "stages", 1, MOST_STAGES, &count, err)) ||
        (evaluations && !yaml_whole(evaluations, "evaluations", 1, MOST_EVALUATIONS, &evaluated, err)) ||
        (adaptive && !yaml_truth(adaptive, "adaptive", &card->adaptive, err)) ||
        (history && !yaml_truth(history, "history", &card->history, err)) ||
        (extrapolates && !yaml_truth(extrapolates, "extrapolates", &card->extrapolates, err)) ||
        (error && !yaml_whole(error, "error_order", 1, MOST_ORDER, &error_order, err)))
        return false;
    card->error_order = (int)error_order;
    card->unknown = (Unknown)index;
    card->solver = (Solver)which;
    card->stages = (int)count;
    card->evaluations = (int)evaluated;
    if (card->unknown == UNKNOWN_NONE && (solver || stages || history || extrapolates))
        return yaml_fail(unknown, err, "an explicit method has no 'solver', 'stages', 'history' or 'extrapolates'");
    if (card->unknown != UNKNOWN_NONE && evaluations)
        return yaml_fail(evaluations, err, "an implicit method has no 'evaluations', they are counted");
    if (error && !card->adaptive)
        return yaml_fail(error, err, "error_order: only an adaptive method has an error estimate");
    const bool linear = card->solver == SOLVER_ROSENBROCK;
    if (linear && (!card->adaptive || card->unknown != UNKNOWN_VELOCITY))
        return yaml_fail(solver, err, "a method with the solver 'rosenbrock' is adaptive, and its unknown 'velocity'");
    return !card->adaptive || ((card->solver == SOLVER_NEWTON || linear) && !card->history && !card->extrapolates) ||
           yaml_fail(adaptive, err,
                     "an adaptive method has no 'history', no 'extrapolates', and the solver 'newton' or 'rosenbrock'");
}

// The equations of a method (host/equations reads their text).
static bool read_equations(const YamlNode *root, Card *card, Error *err)
{
    const struct {
        const char             *key;
        const struct YamlNode **list;
    } lists[] = {{"equations", &card->equations},
                 {"equations_first", &card->equations_first},
                 {"equations_start", &card->equations_start},
                 {"tableau", &card->tableau}};
    for (size_t i = 0; i < LENGTH(lists); ++i) {
        *lists[i].list = yaml_find(root, lists[i].key);
        if (*lists[i].list && !yaml_is_sequence(*lists[i].list, lists[i].key, err))
            return false;
    }
    return !card->equations || !card->tableau ||
           yaml_fail(card->tableau, err, "a method has 'equations' or a 'tableau', not both");
}

static bool read_method(const YamlNode *root, Arena *arena, Card *card, Error *err)
{
    const YamlNode *first = yaml_find(root, "first_order"), *damped = yaml_find(root, "order_damped"),
                   *driven = yaml_find(root, "order_driven");
    int64_t order = 0, order_damped = 0, order_driven = 0;
    if (!yaml_check_keys(root, "a method's card", method_keys, LENGTH(method_keys), err) ||
        !read_text(root, "equation", false, &card->equation, err) ||
        !read_text(root, "source", true, &card->origin, err) ||
        !read_text(root, "conventions", false, &card->conventions, err) ||
        !read_text(root, "rho_infinity", false, &card->rho_infinity, err) ||
        !read_text(root, "critical", false, &card->critical, err) ||
        !read_text(root, "conserves", false, &card->conserves, err) ||
        !read_whole(root, "order", 1, MOST_ORDER, &order, err) ||
        (first && !yaml_truth(first, "first_order", &card->first_order, err)) ||
        (damped && !yaml_whole(damped, "order_damped", 1, order, &order_damped, err)) ||
        (driven && !yaml_whole(driven, "order_driven", 1, order, &order_driven, err)) ||
        !read_words(root, "needs", features, LENGTH(features), arena, &card->needs, &card->need_count, err) ||
        !read_words(root, "state", NULL, 0, arena, &card->state, &card->state_count, err) ||
        !read_words(root, "scratch", NULL, 0, arena, &card->scratch, &card->scratch_count, err) ||
        !read_words(root, "guess_state", NULL, 0, arena, &card->guess_state, &card->guess_state_count, err))
        return false;
    card->order = (int)order;
    card->order_damped = (int)(damped ? order_damped : order);
    card->order_driven = (int)(driven ? order_driven : order);
    return read_solver(root, card, err) && read_equations(root, card, err) &&
           (card->extrapolates || card->guess_state_count == 0 ||
            yaml_fail(yaml_find(root, "guess_state"), err,
                      "guess_state: only a method that 'extrapolates' has some")) &&
           read_parameters(root, arena, card, err);
}

// Names that an entry of a sweep file gives a meaning to already.
static bool check_metric_parameters(const YamlNode *root, const Card *card, Error *err)
{
    static const char *const taken[] = {"of", "from", "to", "label", "result", "units", "long_name", "coordinates"};
    const YamlNode          *node = yaml_find(root, "parameters");
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (card_lists(taken, LENGTH(taken), card->parameters[i].name))
            return yaml_fail(node->keys[i], err, "parameter '%s': every metric has this key, choose another",
                             card->parameters[i].name);
    return !node || card_state_rows(card, 1) > 0 ||
           yaml_fail(node, err, "parameters: only a metric that keeps a state has some");
}

// Numbers that have tangents are of the state.
static bool read_tangents(const YamlNode *root, Arena *arena, Card *card, Error *err)
{
    if (!read_words(root, "tangents", NULL, 0, arena, &card->tangents, &card->tangent_count, err))
        return false;
    for (size_t i = 0; i < card->tangent_count; ++i)
        if (!card_lists(card->state, card->state_count, card->tangents[i]) &&
            !card_lists(card->vectors, card->vector_count, card->tangents[i]))
            return yaml_fail(yaml_find(root, "tangents"), err,
                             "tangents: '%.60s' is listed neither under 'state' nor under 'vectors'",
                             card->tangents[i]);
    return true;
}

// A parameter of the card that says how many deviations there are, of which its state has numbers each.
static bool read_deviations(const YamlNode *root, Card *card, Error *err)
{
    const YamlNode *node = yaml_find(root, "deviations");
    if (!node || !yaml_text(node, "deviations", &card->deviations, err))
        return !node;
    const size_t i = card_parameter(card, card->deviations);
    return (i < card->parameter_count && card->parameters[i].whole && card->parameters[i].least >= 1.0) ||
           yaml_fail(node, err, "deviations: '%.60s' is no whole parameter of the card with min 1", card->deviations);
}

// How far a metric looks back at the quantity it observes, and whether it looks only after a turn of it.
static bool read_past(const YamlNode *root, Card *card, Error *err)
{
    const YamlNode *node = yaml_find(root, "past"), *turn = yaml_find(root, "after_turn");
    int64_t         past = 0, after = 0;
    if ((node && !yaml_whole(node, "past", 1, CARD_PAST, &past, err)) ||
        (turn && !yaml_whole(turn, "after_turn", 1, CARD_PAST, &after, err)))
        return false;
    card->past = (int)past;
    card->after_turn = (int)after;
    if (node && !card_takes(card, "of"))
        return yaml_fail(node, err, "past: only a metric with the option 'of' has some");
    return !turn || after < past ||
           yaml_fail(turn, err, "after_turn: %d needs a past of %d", card->after_turn, card->after_turn + 1);
}

static bool read_metric(const YamlNode *root, Arena *arena, Card *card, Error *err)
{
    const YamlNode *listed = yaml_find(root, "listed");
    return yaml_check_keys(root, "a metric's card", metric_keys, LENGTH(metric_keys), err) &&
           read_text(root, "equation", false, &card->equation, err) &&
           read_text(root, "source", false, &card->origin, err) &&
           (!listed || yaml_truth(listed, "listed", &card->listed, err)) &&
           read_words(root, "state", NULL, 0, arena, &card->state, &card->state_count, err) &&
           read_words(root, "counts", NULL, 0, arena, &card->counts, &card->count_count, err) &&
           read_words(root, "vectors", NULL, 0, arena, &card->vectors, &card->vector_count, err) &&
           read_tangents(root, arena, card, err) &&
           read_words(root, "tangent_state", NULL, 0, arena, &card->tangent_state, &card->tangent_state_count, err) &&
           read_parameters(root, arena, card, err) && check_metric_parameters(root, card, err) &&
           read_deviations(root, card, err) && read_needs(root, arena, &card->needs, &card->need_count, err) &&
           read_words(root, "options", option_words, LENGTH(option_words), arena, &card->options, &card->option_count,
                      err) &&
           read_past(root, card, err) && read_results(root, arena, card, err);
}

// The name must be the file's stem, so that a file is found by the name that it declares.
static bool check_stem(const YamlNode *name, const char *path, Error *err)
{
    const char  *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const size_t length = strcspn(file, ".");
    if (!check_name(name, "name", err))
        return false;
    if (strlen(name->text) != length || strncmp(name->text, file, length) != 0)
        return yaml_fail(name, err, "the name '%.60s' is not the file's: rename one of them", name->text);
    return true;
}

static bool read_root(const YamlNode *root, Arena *arena, Card *card, Error *err)
{
    static const char *const kinds[] = {"problem", "method", "metric"};
    const YamlNode          *name = NULL;
    size_t                   kind = 0;
    if (!yaml_is_mapping(root, "the card", err))
        return false;
    for (size_t i = 0; !name && i < LENGTH(kinds); ++i)
        if ((name = yaml_find(root, kinds[i])))
            kind = i;
    if (!name)
        return yaml_fail(root, err, "the card names no problem, method or metric");
    card->kind = (CardKind)kind;
    if (!yaml_text(name, kinds[kind], &card->name, err) || !check_stem(name, card->path, err) ||
        !read_text(root, "title", true, &card->title, err))
        return false;
    return card->kind == CARD_PROBLEM  ? read_problem(root, arena, card, err)
           : card->kind == CARD_METHOD ? read_method(root, arena, card, err)
                                       : read_metric(root, arena, card, err);
}

// Where between its observations a metric looks.
static void set_between(Card *card)
{
    card->interpolates = card->kind == CARD_METRIC && strstr(card->text, "#include \"between.h\"");
    card->takes_arcs = card->interpolates && card_state_rows(card, 1) > 0 && card->past == 0 &&
                       !card_needs(card, "energy") && !card_needs(card, "kinetic") && !card_needs(card, "fast");
}

bool card_read(const char *path, const char *text, Arena *arena, Card *card, Error *err)
{
    Text        lines = {0};
    YamlNode   *root = NULL;
    YamlOrigin *origin = arena_take(arena, 1, sizeof *origin, err);
    bool        fine = false;
    *card = (Card){.path = path,
                   .text = text,
                   .equation = "",
                   .origin = "",
                   .conventions = "",
                   .rho_infinity = "",
                   .critical = "",
                   .conserves = ""};
    if (origin) {
        *origin = (YamlOrigin){.name = path, .column_offset = MARKER};
        fine = cut_card(path, text, &lines, err) && yaml_read(lines.text, lines.length, origin, arena, &root, err) &&
               read_root(root, arena, card, err);
    }
    text_free(&lines);
    if (fine)
        set_between(card);
    return fine;
}
