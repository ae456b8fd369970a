// metric -- reads an entry's keys, and gives their values at a point.
#include "plan/metric.h"

#include "expression/evaluate.h"
#include "expression/formula.h"
#include "plan/observe.h"

#include <math.h>
#include <string.h>

static const char *const entry_keys[] = {"of", "from", "to", "label", "result"};
enum { ENTRY_KEYS = sizeof entry_keys / sizeof *entry_keys };

// Quantities that can be observed besides coordinates and velocities: each is also the name that the problem provides.
static const char *const observed_words[OBSERVED_FORMULA] = {
    [OBSERVED_SLOW] = "slow", [OBSERVED_FAST] = "fast", [OBSERVED_ENERGY] = "energy", [OBSERVED_KINETIC] = "kinetic"};

MetricInstance metric_default(const Group *group, const Card *card, Arena *arena, Error *err)
{
    const bool     of = card_takes(card, "of");
    MetricInstance instance = {.card = card,
                               .of = of && card_provides(group->problem, "slow") ? OBSERVED_SLOW : OBSERVED_X,
                               .from = group->problem->begin ? -INFINITY : 0.0,
                               .to = INFINITY,
                               .arguments = arena_take(arena, card->parameter_count + 1, sizeof(MetricArgument), err)};
    if (card_needs(card, "compare") && group->compared) {
        instance.of = group->compared->of;
        instance.of_dof = group->compared->of_dof;
        instance.quantity = group->compared->quantity;
    }
    for (size_t i = 0; instance.arguments && i < card->parameter_count; ++i)
        instance.arguments[i] = (MetricArgument){.value = card->parameters[i].initial};
    return instance;
}

// A coordinate or a velocity.
static bool find_coordinate(const Group *group, const char *word, MetricInstance *instance)
{
    for (int velocity = 0; velocity < 2; ++velocity) {
        instance->of = velocity ? OBSERVED_V : OBSERVED_X;
        instance->of_dof = dof_find_word(group->coordinates, group->dofs, velocity, word);
        if (instance->of_dof < group->dofs)
            return true;
    }
    return false;
}

// The names that a problem gives them.
static void list_coordinates(const Group *group, Text *names)
{
    for (int velocity = 0; velocity < 2 - group->problem->first_order; ++velocity) {
        dof_add_names(group->coordinates, group->dofs, velocity, names);
        text_add(names, ", ");
    }
}

static bool fail_observed(const YamlNode *node, const Group *group, const char *word, Error *err)
{
    Text                    names = {0};
    const struct Observing *observing = group->observing;
    for (size_t i = 0; observing && i < observing->count; ++i)
        text_add(&names, "%s, ", observing->list[i].name);
    const size_t last = group->dofs - 1;
    if (group->problem->coordinate_count > 0)
        list_coordinates(group, &names);
    if (text_check(&names, err))
        yaml_fail(node, err,
                  "of: '%.60s' is not observed, it must be slow, fast, energy, kinetic, %sx0 .. x%zu, v0 .. v%zu or "
                  "a name that `observe` gives a formula",
                  word, names.text ? names.text : "", last, last);
    text_free(&names);
    return false;
}

static bool read_observed(const YamlNode *node, const Group *group, MetricInstance *instance, Error *err)
{
    const char *word = NULL;
    if (!yaml_text(node, "of", &word, err))
        return false;
    for (int i = OBSERVED_SLOW; i < OBSERVED_FORMULA; ++i)
        if (strcmp(word, observed_words[i]) == 0) {
            instance->of = (Observed)i;
            instance->of_dof = 0;
            return card_provides(group->problem, word) ||
                   yaml_fail(node, err, "of: problem '%s' has no '%s', use x0", group->problem->name, word);
        }
    instance->of = OBSERVED_FORMULA;
    instance->of_dof = observe_find(group->observing, word);
    if (group->observing && instance->of_dof < group->observing->count) {
        instance->quantity = &group->observing->list[instance->of_dof];
        return true;
    }
    if (!find_coordinate(group, word, instance))
        return fail_observed(node, group, word, err);
    return instance->of == OBSERVED_X || !group->problem->first_order ||
           yaml_fail(node, err, "of: problem '%s' is of first order and has no velocities", group->problem->name);
}

bool metric_read_compared(Plan *plan, Group *group, Error *err)
{
    YamlNode       *node = yaml_said(plan->spec->root, spec_data), *of = yaml_said(node, "of");
    MetricInstance *compared = arena_take(&plan->arena, 1, sizeof *compared, err);
    if (!node || !compared)
        return compared != NULL;
    if (!of)
        return yaml_fail(node, err, "%s: name the quantity that the data are of, as in of: x0", spec_data);
    const Curve *data = &plan->tables[plan->table_count - 1];
    const double last = data->samples[2 * data->count - 2], end = group_first_end(group);
    group->compared = compared;
    if (last > end * (1.0 + 1e-9))
        return yaml_fail(node, err, "%s: the data reach to %.10g, and group '%s' ends at %.10g", spec_data, last,
                         group->label, end);
    return read_observed(of, group, compared, err);
}

static bool read_window(const YamlNode *node, const char *name, MetricInstance *instance, Error *err)
{
    const YamlNode *from = yaml_find(node, "from"), *to = yaml_find(node, "to");
    if ((from && !yaml_number(from, "from", &instance->from, err)) ||
        (to && !yaml_number(to, "to", &instance->to, err)))
        return false;
    return instance->from < instance->to ||
           yaml_fail(to ? to : from, err, "metric '%s': the window from %.10g to %.10g is empty", name, instance->from,
                     instance->to);
}

// The group's table of formulas, which know the problem's numeric parameters.
static Expressions *formulas(Plan *plan, Group *group, Error *err)
{
    const Card  *problem = group->problem;
    Expressions *table = group->formulas;
    if (!table) {
        table = arena_take(&plan->arena, 1, sizeof *table, err);
        if (!table)
            return NULL;
        *table = (Expressions){.arena = &plan->arena, .err = err};
        if (!expression_name(table, "pi", expression_leaf(table, NODE_PI, 0)))
            return NULL;
        for (size_t i = 0; i < problem->parameter_count; ++i)
            if (!problem->parameters[i].choice_count &&
                !expression_name(table, problem->parameters[i].name, expression_leaf(table, NODE_PARAMETER, i)))
                return NULL;
        group->formulas = table;
    }
    table->err = err;
    return table;
}

// Whether a parameter says how many numbers a result has: it is the same at all points.
static bool is_count(const Card *card, const CardParameter *parameter)
{
    bool count = false;
    for (size_t i = 0; i < card->result_count; ++i)
        count = count || (card->results[i].samples && strcmp(card->results[i].samples, parameter->name) == 0);
    return count;
}

static bool permitted(const CardParameter *parameter, double value, double begin)
{
    const double least = parameter->since_begin ? begin : parameter->least;
    return isfinite(value) && value >= least && value <= parameter->most &&
           !(parameter->least_open && value == parameter->least) &&
           !(parameter->most_open && value == parameter->most) && (!parameter->whole || value == floor(value));
}

static bool read_argument(Plan *plan, Group *group, const YamlNode *node, const Card *card,
                          const CardParameter *parameter, MetricArgument *argument, Error *err)
{
    size_t choice = 0;
    double number, first, last;
    *argument = (MetricArgument){0};
    group_find_begins(group, &first, &last);
    if (parameter->choice_count) {
        if (!yaml_choice(node, parameter->name, parameter->choices, parameter->choice_count, &choice, err))
            return false;
        argument->value = (double)choice;
        return true;
    }
    if (node->kind == YAML_SCALAR && !yaml_is_null(node) && !is_count(card, parameter) &&
        !yaml_parse_number(node->text, &number)) {
        Expressions *table = formulas(plan, group, err);
        argument->formula = table ? formula_read(table, node, parameter->name, err) : NULL;
        argument->text = node->text;
        return argument->formula != NULL;
    }
    if (!yaml_number(node, parameter->name, &argument->value, err))
        return false;
    if (parameter->since_begin && argument->value < last)
        return yaml_fail(node, err, "%s: %.10g is before the motion begins at %.10g", parameter->name, argument->value,
                         last);
    return permitted(parameter, argument->value, last) ||
           yaml_fail(node, err, "%s: expected %s in %c%.10g, %.10g%c, found %.10g", parameter->name,
                     parameter->whole ? "a whole number" : "a number", parameter->least_open ? '(' : '[',
                     parameter->least, parameter->most, parameter->most_open ? ')' : ']', argument->value);
}

static bool check_keys(const YamlNode *node, const Card *card, const char *name, Arena *arena, Error *err)
{
    const char **keys = arena_take(arena, ENTRY_KEYS + card->parameter_count, sizeof *keys, err);
    if (!keys)
        return false;
    memcpy(keys, entry_keys, sizeof entry_keys);
    for (size_t i = 0; i < card->parameter_count; ++i)
        keys[ENTRY_KEYS + i] = card->parameters[i].name;
    if (!yaml_check_keys(node, "a metric", keys, ENTRY_KEYS + card->parameter_count, err))
        return false;
    for (size_t i = 0; i < node->count; ++i) {
        const char *key = node->keys[i]->text, *option = strcmp(key, "of") == 0 ? "of" : "window";
        const bool  other = strcmp(key, "of") != 0 && strcmp(key, "from") != 0 && strcmp(key, "to") != 0;
        if (!other && !card_takes(card, option))
            return yaml_fail(
                node->keys[i], err, "metric '%s' has no option '%s'%s", name, key,
                strcmp(key, "of") == 0 ? ": `maximum`, `minimum`, `rms_value` and others of one quantity have it" : "");
    }
    return true;
}

bool metric_read(Plan *plan, Group *group, const YamlNode *at, const YamlNode *node, const char *name,
                 MetricInstance *instance, const char **label, Error *err)
{
    const Card *card = instance->card;
    double      first, last;
    if (node && yaml_is_null(node))
        node = NULL;
    if (node && (!yaml_is_mapping(node, name, err) || !check_keys(node, card, name, &plan->arena, err)))
        return false;
    const YamlNode *of = yaml_find(node, "of"), *label_node = yaml_find(node, "label");
    if ((of && !read_observed(of, group, instance, err)) || !read_window(node, name, instance, err) ||
        (label_node && !entry_read_label(label_node, label, err)))
        return false;
    group_find_begins(group, &first, &last);
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        const YamlNode      *value = yaml_find(node, parameter->name);
        if (value && !read_argument(plan, group, value, card, parameter, &instance->arguments[i], err))
            return false;
        if (!value && isnan(parameter->initial))
            return yaml_fail(node ? node : at, err, "metric '%s' has no '%s': %s", name, parameter->name,
                             parameter->about);
        if (!value && parameter->since_begin && parameter->initial < last)
            return yaml_fail(node ? node : at, err,
                             "metric '%s' has no '%s', and its default %.10g is before the "
                             "motion begins at %.10g",
                             name, parameter->name, parameter->initial, last);
    }
    return true;
}

size_t metric_width(const MetricInstance *instance, const CardResult *result, size_t dofs)
{
    if (!result->samples)
        return 1;
    const size_t which = card_parameter(instance->card, result->samples);
    return card_result_width(result, (size_t)instance->arguments[which].value, dofs);
}

bool metric_same(const MetricInstance *a, const MetricInstance *b)
{
    bool same = a->card == b->card && a->of == b->of && a->of_dof == b->of_dof && a->from == b->from && a->to == b->to;
    for (size_t i = 0; same && i < a->card->parameter_count; ++i)
        same = a->arguments[i].formula == b->arguments[i].formula &&
               (a->arguments[i].formula || a->arguments[i].value == b->arguments[i].value);
    return same;
}

const char *metric_observed(const Group *group, const MetricInstance *instance)
{
    if (instance->of == OBSERVED_FORMULA)
        return instance->quantity->name;
    if (instance->of >= OBSERVED_SLOW)
        return observed_words[instance->of];
    const Dof *coordinate = &group->coordinates[instance->of_dof];
    return instance->of == OBSERVED_V ? coordinate->velocity : coordinate->name;
}

typedef struct ArgumentPoint {
    const Group *group;
    uint64_t     point;
} ArgumentPoint;

static double parameter_at(const void *user, size_t index)
{
    const ArgumentPoint *place = user;
    return group_value(place->group, place->group->problem_parameters[index], place->point);
}

double metric_argument(const Group *group, const MetricInstance *instance, size_t which, uint64_t point)
{
    const MetricArgument *argument = &instance->arguments[which];
    const ArgumentPoint   place = {group, point};
    if (!argument->formula)
        return argument->value;
    const double value = expression_evaluate(argument->formula, (double)NAN, parameter_at, &place);
    return permitted(&instance->card->parameters[which], value, group_begin(group, point)) ? value : (double)NAN;
}
