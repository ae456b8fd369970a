// variable -- reads `metrics:` and the fields of `trajectory:`.
#include "plan/derivatives.h"
#include "plan/events.h"
#include "plan/metric.h"
#include "plan/observe.h"
#include "plan/solution.h"

#include <math.h>
#include <string.h>

static const Variable status_variable = {.name = "status",
                                         .unit = "1",
                                         .about = "how the point ended",
                                         .type = TYPE_I8,
                                         .source = SOURCE_STATUS,
                                         .width = 1};

static const Variable finals[] = {
    {.name = "x_final",
     .unit = "1",
     .about = "coordinates at the end",
     .type = TYPE_F64,
     .source = SOURCE_X_FINAL,
     .per_dof = true},
    {.name = "v_final",
     .unit = "1",
     .about = "velocities at the end",
     .type = TYPE_F64,
     .source = SOURCE_V_FINAL,
     .per_dof = true},
};
enum { FINALS = sizeof finals / sizeof *finals };

// The first thing a result needs and the group lacks, or NULL. Newton's method and a closed form of the solution, in
// whose place a table can be made, count only for results that are computed by default.
static const char *find_lack(const Group *group, const Card *card, const CardResult *result, bool by_default)
{
    for (size_t i = 0; i < card->need_count + result->need_count; ++i) {
        const char *need = i < card->need_count ? card->needs[i] : result->needs[i - card->need_count];
        if (strcmp(need, "newton") == 0     ? by_default && group->method->unknown == UNKNOWN_NONE
            : strcmp(need, "solution") == 0 ? by_default && !card_provides(group->problem, "exact")
            : strcmp(need, "velocity") == 0 ? group->problem->first_order
            : strcmp(need, "compare") == 0  ? !group->compared
                                            : !card_provides(group->problem, need))
            return need;
    }
    return NULL;
}

bool variable_may_list(const Group *group, const Card *card, const CardResult *result)
{
    bool complete = true;  // an entry need not say anything
    for (size_t i = 0; i < card->parameter_count; ++i)
        complete = complete && !isnan(card->parameters[i].initial);
    return complete && !(group->breaks && breaks_forbid(card)) && !find_lack(group, card, result, false) &&
           !group_axis(group, result->name);
}

bool variable_applies(const Group *group, const Variable *variable)
{
    if (variable->source != SOURCE_METRIC || group->method->unknown != UNKNOWN_NONE)
        return true;
    const Card       *card = group->instances[variable->instance].card;
    const CardResult *result = &card->results[variable->result];
    return !card_needs(card, "newton") && !card_lists(result->needs, result->need_count, "newton");
}

bool variable_records(const Group *group, const Variable *variable, Record record)
{
    if (variable->source == SOURCE_METRIC)
        return group->instances[variable->instance].card->results[variable->result].records[record];
    return variable->trajectory && variable->source >= SOURCE_X && variable->source != SOURCE_OBSERVED &&
           field_table[variable->source - SOURCE_X].records[record];
}

bool group_records(const Group *group, Record record)
{
    bool asked = false;
    for (size_t i = 0; i < group->variable_count; ++i)
        asked = asked || variable_records(group, &group->variables[i], record);
    return asked;
}

// The instance with the same file and options, or a new one. There is room for it.
static size_t share_instance(Group *group, MetricInstance instance)
{
    for (size_t i = 0; i < group->instance_count; ++i)
        if (metric_same(&group->instances[i], &instance))
            return i;
    group->instances[group->instance_count] = instance;
    return group->instance_count++;
}

static void add_result(Group *group, MetricInstance instance, size_t result, const char *label)
{
    const CardResult *about = &instance.card->results[result];
    group->variables[group->variable_count++] = (Variable){.name = label ? label : about->name,
                                                           .unit = about->unit,
                                                           .about = about->about,
                                                           .type = !about->whole  ? TYPE_F64
                                                                   : about->small ? TYPE_I32
                                                                                  : TYPE_I64,
                                                           .source = SOURCE_METRIC,
                                                           .instance = share_instance(group, instance),
                                                           .result = result,
                                                           .sampled = about->samples != NULL,
                                                           .per_dof = about->per_dof,
                                                           .width = metric_width(&instance, about, group->dofs)};
}

static void add_final(Group *group, size_t which)
{
    Variable *variable = &group->variables[group->variable_count++];
    *variable = finals[which];
    variable->unit = dof_unit(group->coordinates, group->dofs, variable->source == SOURCE_V_FINAL);
    variable->width = group->dofs;
}

// Without a list: every result that the problem and the method can give.
static bool add_defaults(Plan *plan, Group *group, Error *err)
{
    for (size_t i = 0; i < plan->catalog->card_count; ++i) {
        const Card          *card = &plan->catalog->cards[i];
        const MetricInstance instance = metric_default(group, card, &plan->arena, err);
        if (!instance.arguments)
            return false;
        for (size_t r = 0; r < card->result_count && !card->listed; ++r)
            if (!find_lack(group, card, &card->results[r], true) && !group_axis(group, card->results[r].name))
                add_result(group, instance, r, NULL);
    }
    for (size_t i = 0; i < FINALS; ++i)
        if (finals[i].source != SOURCE_V_FINAL || !group->problem->first_order)
            add_final(group, i);
    return true;
}

// Whether a card has a parameter of that name which is a number: in the result file it is a variable.
static bool is_number(const Card *card, const char *name)
{
    const size_t i = card_parameter(card, name);
    return i < card->parameter_count && card->parameters[i].choice_count == 0;
}

static bool check_name(const Group *group, const YamlNode *node, const char *name, Error *err)
{
    if (group_variable_named(group, name))
        return yaml_fail(node, err, "metric '%s' is listed twice, give one of them a label", name);
    if (group_axis(group, name))
        return yaml_fail(node, err, "metric '%s' has the name of an axis, leave it out or give it a label", name);
    if (is_number(group->problem, name) || is_number(group->method, name))
        return yaml_fail(node, err, "metric '%s' has the name of a parameter, leave it out or give it a label", name);
    return true;
}

// Adds a result of a card by its entry.
//   prefix  the entry has a label, and the result's name is put behind it
static bool add_result_of(Plan *plan, Group *group, const YamlNode *node, const Card *card, size_t result,
                          const YamlNode *options, bool prefix, Error *err)
{
    const char *name = card->results[result].name, *label = NULL,
               *lack = find_lack(group, card, &card->results[result], false);
    if (lack && strcmp(lack, "compare") == 0)
        return yaml_fail(node, err, "metric '%s' needs data: add compare: {file: ./data.csv, columns: [t, y], of: x0}",
                         name);
    if (lack)
        return yaml_fail(node, err, "metric '%s' needs '%s', which problem '%s' does not provide", name, lack,
                         group->problem->name);
    MetricInstance instance = metric_default(group, card, &plan->arena, err);
    if (!instance.arguments || !metric_read(plan, group, node, options, name, &instance, &label, err))
        return false;
    if (label && prefix && !(label = arena_format(&plan->arena, err, "%s_%s", label, name)))
        return false;
    if (label && strcmp(label, name) != 0 && catalog_reserves(plan->catalog, label))
        return yaml_fail(yaml_find(options, "label"), err, "label '%s': the name is reserved, choose another", label);
    if (!check_name(group, node, label ? label : name, err))
        return false;
    add_result(group, instance, result, label);
    return true;
}

// All results of a card that the problem can give, or with the option `result` that one. A label is put before the
// names of several.
static bool add_card_results(Plan *plan, Group *group, const YamlNode *node, const Card *card, const YamlNode *options,
                             Error *err)
{
    const YamlNode *one = options ? yaml_find(options, "result") : NULL;
    const char     *wanted = NULL;
    size_t          found = 0, given = 0;
    for (size_t i = 0; i < card->result_count; ++i)
        given += !find_lack(group, card, &card->results[i], false);
    if (one && !yaml_text(one, "result", &wanted, err))
        return false;
    for (size_t i = 0; i < card->result_count; ++i) {
        if (wanted && strcmp(card->results[i].name, wanted) != 0)
            continue;
        ++found;
        if (!wanted && given > 0 && find_lack(group, card, &card->results[i], false))
            continue;
        if (!add_result_of(plan, group, node, card, i, options, !one && card->result_count > 1, err))
            return false;
    }
    return found > 0 || yaml_fail(one, err, "result: %s has no result '%.60s'", card->path, wanted);
}

static bool add_named_result(Plan *plan, Group *group, const YamlNode *node, const char *name, const YamlNode *options,
                             Error *err)
{
    size_t      result = 0;
    const Card *card = catalog_find_result(plan->catalog, name, &result);
    if (!card && (card = catalog_find(plan->catalog, CARD_METRIC, name)))
        return add_card_results(plan, group, node, card, options, err);
    if (!card)
        return yaml_fail(node, err, "unknown metric '%.60s'", name) ||
               catalog_advise(plan->catalog, CARD_METRIC, name, err);
    if (options && yaml_find(options, "result"))
        return yaml_fail(yaml_find(options, "result"), err, "metric '%s' is a result itself, leave 'result' out", name);
    return add_result_of(plan, group, node, card, result, options, false, err);
}

static size_t find_final(const char *name)
{
    size_t i = 0;
    while (i < FINALS && strcmp(finals[i].name, name) != 0)
        ++i;
    return i;
}

// The results of the sweep's events, which need not be listed.
static bool add_event_results(Plan *plan, Group *group, Error *err)
{
    const Card     *card = group->events ? group->events->card : NULL;
    const YamlNode *node = yaml_said(plan->spec->root, "events");
    if (!card)
        return true;
    const MetricInstance instance = metric_default(group, card, &plan->arena, err);
    for (size_t i = 0; instance.arguments && i < card->result_count; ++i) {
        if (!check_name(group, node, card->results[i].name, err))
            return false;
        add_result(group, instance, i, NULL);
    }
    return instance.arguments != NULL;
}

static bool add_metric(Plan *plan, Group *group, const YamlNode *node, Error *err)
{
    const YamlNode *word = node, *options = NULL;
    if (node->kind == YAML_MAPPING && node->count == 1) {
        word = node->keys[0];
        options = node->items[0];
    }
    if (word->kind != YAML_SCALAR || yaml_is_null(word))
        return yaml_fail(node, err, "metrics: expected a name or {NAME: {option: ...}}, found %s", yaml_describe(node));
    if (entry_is_path(word->text)) {
        const Card *card = own_read(plan, word, CARD_METRIC, err);
        return card && add_card_results(plan, group, word, card, options, err);
    }
    const size_t which = find_final(word->text);
    const bool   status = yaml_is_word(word, status_variable.name);
    if (!options && events_name(group, word->text))  // is added with the others
        return true;
    if (!status && which == FINALS)
        return add_named_result(plan, group, word, word->text, options, err);
    if (options && !yaml_is_null(options))
        return yaml_fail(options, err, "metric '%s' has no options", word->text);
    if (status)  // is there already
        return true;
    if (finals[which].source == SOURCE_V_FINAL && group->problem->first_order)
        return yaml_fail(word, err, "metric '%s': problem '%s' is of first order and has no velocities", word->text,
                         group->problem->name);
    if (!check_name(group, word, word->text, err))
        return false;
    add_final(group, which);
    return true;
}

static bool add_metrics(Plan *plan, Group *group, const YamlNode *list, Error *err)
{
    enum { MOST = 1000 };
    size_t statuses = 0;
    if (!yaml_is_sequence(list, "metrics", err))
        return false;
    if (list->count > MOST)
        return yaml_fail(list, err, "metrics: %zu entries, at most %d", list->count, MOST);
    for (size_t i = 0; i < list->count; ++i) {
        statuses += yaml_is_word(list->items[i], "status");
        if (statuses > 1)
            return yaml_fail(list->items[i], err, "metric 'status' is listed twice");
        if (!add_metric(plan, group, list->items[i], err))
            return false;
    }
    return true;
}

static bool add_field(Plan *plan, Group *group, size_t which, const YamlNode *node, Error *err)
{
    const Field *field = &field_table[which];
    if (SOURCE_X + which == SOURCE_V && group->problem->first_order)
        return yaml_fail(node, err, "trajectory.fields: problem '%s' is of first order and has no velocities",
                         group->problem->name);
    if (field->needs && !card_provides(group->problem, field->needs))
        return yaml_fail(node, err, "trajectory.fields: '%s' needs '%s', which problem '%s' does not provide",
                         field->word, field->needs, group->problem->name);
    if (group_variable_named(group, field->name))
        return yaml_fail(node, err, "trajectory.fields: '%s' is listed twice", field->word);
    group->variables[group->variable_count++] = (Variable){
        .name = field->name,
        .unit = which == FIELD_X || which == FIELD_V ? dof_unit(group->coordinates, group->dofs, which == FIELD_V)
                                                     : field->unit,
        .about = field->about,
        .type = plan->precision == PRECISION_SINGLE ? TYPE_F32 : TYPE_F64,
        .source = (VariableSource)(SOURCE_X + which),
        .trajectory = true,
        .per_dof = field->per_dof,
        .width = group->trajectory.sample_count * (field->per_dof ? group->dofs : 1)};
    return true;
}

// A quantity of `observe:` by its number.
static bool add_observed(Plan *plan, Group *group, size_t which, const YamlNode *node, Error *err)
{
    const ObservedQuantity *quantity = &group->observing->list[which];
    if (group_variable_named(group, quantity->name))
        return yaml_fail(node, err, "trajectory.fields: '%s' is listed twice", quantity->name);
    if (group_axis(group, quantity->name) || is_number(group->method, quantity->name))
        return yaml_fail(node, err, "trajectory.fields: '%s' is a parameter of the method too, give it another name",
                         quantity->name);
    group->variables[group->variable_count++] =
        (Variable){.name = quantity->name,
                   .unit = "1",
                   .about = quantity->text,
                   .type = plan->precision == PRECISION_SINGLE ? TYPE_F32 : TYPE_F64,
                   .source = SOURCE_OBSERVED,
                   .instance = which,
                   .trajectory = true,
                   .width = group->trajectory.sample_count};
    return true;
}

// Whether a word is OF_d_BY.
static bool is_derivative(const char *word, const char *of, const char *by)
{
    const size_t length = strlen(of);
    return strncmp(word, of, length) == 0 && strncmp(word + length, "_d_", 3) == 0 &&
           strcmp(word + length + 3, by) == 0;
}

// The field of which a word is the derivative by a name: its source, and of a quantity its number. False: of none.
static bool find_derived(const Group *group, const char *word, const char *by, const char **of, Variable *made)
{
    *made = (Variable){.unit = dof_unit(group->coordinates, group->dofs, false), .source = SOURCE_X_D, .per_dof = true};
    *of = "x";
    if (is_derivative(word, *of, by))
        return true;
    if (!group->problem->first_order && is_derivative(word, "v", by)) {
        made->source = SOURCE_V_D;
        made->unit = dof_unit(group->coordinates, group->dofs, true);
        *of = "v";
        return true;
    }
    *made = (Variable){.unit = "1", .source = SOURCE_OBSERVED_D};
    for (size_t i = 0; group->observing && i < group->observing->count; ++i) {
        made->instance = i;
        *of = group->observing->list[i].name;
        if (is_derivative(word, *of, by))
            return true;
    }
    return false;
}

// Adds a field that is the derivative of x, v or an observed quantity by a name of `derivatives`: OF_d_BY.
//   is  written: whether it is one
static bool add_derivative(Plan *plan, Group *group, const YamlNode *node, bool *is, Error *err)
{
    Variable    made;
    const char *of;
    size_t      by = 0;
    *is = false;
    while (node->kind == YAML_SCALAR && by < group->derivative_count &&
           !find_derived(group, node->text, group->derivatives[by].name, &of, &made))
        ++by;
    if (node->kind != YAML_SCALAR || by == group->derivative_count)
        return true;
    *is = true;
    made.tangent = by;
    made.type = plan->precision == PRECISION_SINGLE ? TYPE_F32 : TYPE_F64;
    made.trajectory = true;
    made.width = group->trajectory.sample_count * (made.per_dof ? group->dofs : 1);
    if (group_variable_named(group, node->text))
        return yaml_fail(node, err, "trajectory.fields: '%s' is listed twice", node->text);
    if (!derivatives_describe(plan, of, &group->derivatives[by], &made, err))
        return false;
    group->variables[group->variable_count++] = made;
    return true;
}

static bool add_fields(Plan *plan, Group *group, Error *err)
{
    const YamlNode *node = yaml_find(plan->spec->root, "trajectory"), *list = yaml_find(node, "fields");
    if (!group->trajectory.stored)
        return true;
    if (!list)
        return add_field(plan, group, FIELD_X, node, err) && add_field(plan, group, FIELD_V, node, err);
    if (!yaml_is_sequence(list, "trajectory.fields", err))
        return false;
    const size_t observed = group->observing ? group->observing->count : 0;
    const char  *words[FIELD_COUNT + OBSERVE_MOST];
    for (size_t i = 0; i < FIELD_COUNT; ++i)
        words[i] = field_table[i].word;
    for (size_t i = 0; i < observed; ++i)
        words[FIELD_COUNT + i] = group->observing->list[i].name;
    if (list->count == 0)
        return yaml_fail(list, err, "trajectory.fields: the list is empty, leave it out for [x, v]");
    for (size_t i = 0; i < list->count; ++i) {
        size_t which;
        bool   derivative;
        if (!add_derivative(plan, group, list->items[i], &derivative, err))
            return false;
        if (derivative)
            continue;
        if (!yaml_choice(list->items[i], "trajectory.fields", words, FIELD_COUNT + observed, &which, err) ||
            !(which < FIELD_COUNT ? add_field(plan, group, which, list->items[i], err)
                                  : add_observed(plan, group, which - FIELD_COUNT, list->items[i], err)))
            return false;
    }
    return true;
}

// Finds the numbers of a table that the listed metrics read: coordinates where there is no closed form, the limit's
// slow coordinate where a metric of that coordinate asks for a solution and the problem has a limit.
static void find_solution(Group *group)
{
    for (size_t i = 0; i < group->instance_count; ++i) {
        const Card *card = group->instances[i].card;
        if (!card_needs(card, "solution"))
            continue;
        const bool slow = card_needs(card, "slow") && card_provides(group->problem, "limit");
        group->solution.limit = group->solution.limit || slow;
        group->solution.x = group->solution.x || (!slow && !card_provides(group->problem, "exact"));
    }
    group->solution.rows = (group->solution.x ? group->dofs : 0) + (group->solution.limit ? 1 : 0);
}

// How many results a list has at most: a file has several.
static bool count_results(Plan *plan, const YamlNode *list, size_t *most, Error *err)
{
    *most = list->count;
    for (size_t i = 0; list->kind == YAML_SEQUENCE && i < list->count; ++i) {
        const YamlNode *item = list->items[i], *word = item->kind == YAML_MAPPING && item->count ? item->keys[0] : item;
        if (word->kind != YAML_SCALAR)
            continue;
        const bool  own = entry_is_path(word->text);
        const Card *card =
            own ? own_read(plan, word, CARD_METRIC, err) : catalog_find(plan->catalog, CARD_METRIC, word->text);
        if (own && !card)
            return false;
        *most += card ? card->result_count : 0;
    }
    return true;
}

bool variable_make_all(Plan *plan, Group *group, Error *err)
{
    const YamlNode *list = yaml_said(plan->spec->root, "metrics");
    size_t          most = 0;
    if (list && !count_results(plan, list, &most, err))
        return false;
    for (size_t i = 0; !list && i < plan->catalog->card_count; ++i)
        most += plan->catalog->cards[i].result_count;
    most += group->events && group->events->card ? group->events->card->result_count : 0;
    group->instances = arena_take(&plan->arena, most, sizeof *group->instances, err);
    const size_t results = most + FINALS,
                 room = (results + FIELD_COUNT + OBSERVE_MOST) * (1 + group->derivative_count) + 1;
    group->variables = arena_take(&plan->arena, room, sizeof *group->variables, err);
    if (!group->instances || !group->variables)
        return false;
    group->variables[group->variable_count++] = status_variable;
    if (!metric_read_compared(plan, group, err))
        return false;
    if (list && !add_metrics(plan, group, list, err))
        return false;
    if (!list && !add_defaults(plan, group, err))
        return false;
    if (!add_event_results(plan, group, err) || !derivatives_find_deviations(plan, group, err) ||
        !derivatives_add(plan, group, err))
        return false;
    find_solution(group);
    return solution_check(group, err) && add_fields(plan, group, err);
}
