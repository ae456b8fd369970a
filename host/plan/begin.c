// begin -- reads `begin:`, the time at which the motions of a sweep begin: a parameter of its problem.
#include "plan/plan_make.h"

#include <math.h>
#include <string.h>

static const char begin_key[] = "begin";

static const YamlNode *begin_node(const Plan *plan)
{
    return yaml_said(plan->spec->root, begin_key);
}

// Puts the value of the key among the parameters of the sweep.
static bool give_value(Plan *plan, YamlNode *value, Error *err)
{
    const YamlNode *given = plan->parameters && !yaml_is_null(plan->parameters) ? plan->parameters : NULL;
    YamlNode       *all = yaml_new_mapping(given ? given : value, &plan->arena, err);
    if (!all || (given && !yaml_is_mapping(given, "parameters", err)))
        return false;
    if (yaml_find(given, begin_key))
        return yaml_fail(value, err, "begin: `parameters` gives it too, leave one of them out");
    for (size_t i = 0; given && i < given->count; ++i)
        if (!yaml_put(all, given->keys[i]->text, given->items[i], &plan->arena, err))
            return false;
    plan->parameters = all;
    return yaml_put(all, begin_key, value, &plan->arena, err);
}

// Gives the problem one parameter more.
static bool add_parameter(Plan *plan, Card *card, Error *err)
{
    const size_t   count = card->parameter_count;
    CardParameter *parameters = arena_take(&plan->arena, count + 1, sizeof *parameters, err);
    if (!parameters)
        return false;
    if (count > 0)
        memcpy(parameters, card->parameters, count * sizeof *parameters);
    parameters[count] = (CardParameter){.name = begin_key,
                                        .unit = "s",
                                        .about = "time at which the motion begins",
                                        .least = -INFINITY,
                                        .most = INFINITY};
    card->parameters = parameters;
    card->begin = card->parameter_count = count + 1;
    return true;
}

// Takes the parameter that the key names.
static bool name_parameter(const YamlNode *node, Card *card, Error *err)
{
    const size_t i = card_parameter(card, node->text);
    if (i == card->parameter_count)
        return yaml_fail(node, err, "begin: expected a number, an axis or a parameter of '%s', found '%.60s'",
                         card->name, node->text);
    if (card->parameters[i].choice_count > 0 || (card->dofs_parameter && strcmp(card->dofs_parameter, node->text) == 0))
        return yaml_fail(node, err, "begin: parameter '%s' is no time, name another one or give a number", node->text);
    card->begin = i + 1;
    return true;
}

// A closed form holds for motions that begin at t = 0 only; without it, error metrics compare with a solution that is
// made on the host.
static bool leave_exact_out(Plan *plan, Card *card, Error *err)
{
    const char **provides = arena_take(&plan->arena, card->provide_count + 1, sizeof *provides, err);
    size_t       count = 0;
    for (size_t i = 0; provides && i < card->provide_count; ++i)
        if (strcmp(card->provides[i], "exact") != 0)
            provides[count++] = card->provides[i];
    card->provides = provides;
    card->provide_count = count;
    return provides != NULL;
}

bool begin_read(Plan *plan, Error *err)
{
    YamlNode    *node = yaml_said(plan->spec->root, begin_key);
    const Card  *problem = plan->problem;
    const size_t own = card_parameter(problem, begin_key);
    double       number;
    Card        *card;
    if (!node && (own < problem->parameter_count || !together_has(plan, begin_key)))
        return true;
    if (!(card = arena_take(&plan->arena, 1, sizeof *card, err)))
        return false;
    *card = *problem;
    plan->problem = card;
    if (node && node->kind == YAML_SCALAR && !yaml_parse_number(node->text, &number))
        return name_parameter(node, card, err) && leave_exact_out(plan, card, err);
    if (own < problem->parameter_count)
        return yaml_fail(node, err,
                         "begin: problem '%s' has a parameter of that name: write `begin: begin`, and its "
                         "value under `parameters`",
                         card->name);
    return add_parameter(plan, card, err) && leave_exact_out(plan, card, err) && (!node || give_value(plan, node, err));
}

bool begin_check(const Plan *plan, const Group *group, Error *err)
{
    const YamlNode *node = begin_node(plan), *end = yaml_find(plan->spec->root, "end");
    double          first, last, shortest, longest;
    group_find_begins(group, &first, &last);
    if (!node)
        node = yaml_find(plan->spec->root, "points");
    if (end && last >= group->end.value)
        return yaml_fail(node ? node : end, err, "begin: %.10g is not before end %.10g", last, group->end.value);
    // Breaks, events, data and a manufactured motion are found from t = 0 on.
    static const char *const others[] = {"breaks", "compare", "events"};
    for (size_t i = 0; group->problem->begin && i < sizeof others / sizeof *others; ++i)
        if (yaml_said(plan->spec->root, others[i]))
            return yaml_fail(node, err, "begin: '%s' counts from t = 0, shift its times and leave begin out",
                             others[i]);
    const YamlNode *problem = yaml_find(plan->spec->root, "problem");
    if (group->problem->begin && problem->kind == YAML_MAPPING && yaml_said(problem, "manufactured"))
        return yaml_fail(node, err, "begin: the motion of 'manufactured' begins at t = 0, leave one of both out");
    if (!group->problem->begin || !group->step_given)
        return true;
    group_find_ends(group, group->step, &shortest, &longest);
    const double far = fmax(fabs(first), fabs(last)), unit = plan->precision == PRECISION_SINGLE ? 0x1p-24 : 0x1p-53;
    return shortest > far * unit ||
           yaml_fail(node, err, "begin: a step of %.10g is lost in the rounding of times about %.10g", shortest, far);
}
