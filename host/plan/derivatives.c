// derivatives -- reads `derivatives:`.
#include "plan/derivatives.h"
#include "plan/events.h"

#include <string.h>

static const char key[] = "derivatives";

static const YamlNode *find(const Plan *plan)
{
    return yaml_said(plan->spec->root, key);
}

bool derivatives_asked(const Plan *plan)
{
    return find(plan) != NULL;
}

bool derivatives_name(const Plan *plan, const char *name, size_t *place)
{
    const YamlNode *list = find(plan);
    for (*place = 0; list && list->kind == YAML_SEQUENCE && *place < list->count; ++*place)
        if (yaml_is_word(list->items[*place], name))
            return true;
    return false;
}

// Why the derivatives of a method are not known; NULL: they are. Those with equations are linear in their vectors.
static const char *find_obstacle(const Card *method)
{
    static const char *const solvers[] = {[SOLVER_LINEARISED] = "ends a solve after one update, which is no solution",
                                          [SOLVER_LINE_SEARCH] = "looks for a minimum",
                                          [SOLVER_ROSENBROCK] = "has the Jacobian in its formula, not in its solves"};
    if (method->unknown != UNKNOWN_NONE && method->solver != SOLVER_NEWTON)
        return solvers[method->solver];
    return method->equations || method->tableau ? NULL : "has no equations on its card, which say that it is linear";
}

// Whether the derivatives of a group's method and problem are known.
//   asking  who asks for them, for messages
static bool check_group(const Group *group, const YamlNode *at, const char *asking, Error *err)
{
    const char *obstacle = find_obstacle(group->method);
    if (obstacle)
        return yaml_fail(at, err, "%s: method '%s' %s, take another one", asking, group->method->name, obstacle);
    return !group->breaks ||
           yaml_fail(at, err, "%s: not known of a motion with '%s', leave one of both out", asking, events_key(group));
}

// Whether the problem has what derivatives need.
static bool check_problem(const Card *problem, const YamlNode *at, Error *err)
{
    static const char *const wanted[] = {"jacobian", "slopes"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
        if (!card_provides(problem, wanted[i]))
            return yaml_fail(at, err, "derivatives: they need '%s', which problem '%s' does not provide", wanted[i],
                             problem->name);
    return true;
}

bool derivatives_find_deviations(const Plan *plan, Group *group, Error *err)
{
    const YamlNode *list = yaml_said(plan->spec->root, "metrics");
    const size_t    most = group->dofs * (group->problem->first_order ? 1 : 2);
    const char     *last = NULL;
    for (size_t i = 0; i < group->instance_count; ++i) {
        const MetricInstance *instance = &group->instances[i];
        const Card           *card = instance->card;
        if (!card->deviations)
            continue;
        const size_t count = (size_t)instance->arguments[card_parameter(card, card->deviations)].value;
        if (count > most)
            return yaml_fail(list, err, "metrics: '%s' with %s %zu, and the state of problem '%s' has %zu numbers",
                             card->name, card->deviations, count, group->problem->name, most);
        group->deviation_count = count > group->deviation_count ? count : group->deviation_count;
        last = card->name;
    }
    if (group->deviation_count == 0)
        return true;
    if (group->derivative_count > 0)
        return yaml_fail(list, err, "metrics: '%s' is not beside 'derivatives', leave one of both out", last);
    return check_group(group, list, last, err);
}

// A unit over a unit.
static const char *unit_over(Plan *plan, const char *unit, const char *by, Error *err)
{
    if (strcmp(by, "1") == 0 || *unit == '\0')
        return unit;
    if (strcmp(unit, by) == 0)
        return "1";
    return arena_format(&plan->arena, err, strpbrk(by, "/*") ? "%s/(%s)" : "%s/%s", unit, by);
}

static bool take_parameter(const Group *group, const YamlNode *node, size_t index, Tangent *made, Error *err)
{
    const Card          *problem = group->problem;
    const CardParameter *parameter = &problem->parameters[index];
    const char          *why = parameter->choice_count       ? "a choice of words"
                               : parameter->whole            ? "a whole number"
                               : problem->begin == index + 1 ? "the time at which the motion begins"
                                                             : NULL;
    *made = (Tangent){parameter->name, parameter->unit, BY_PARAMETER, index};
    return !why || yaml_fail(node, err, "derivatives: '%s' is %s, which nothing is derived by", parameter->name, why);
}

static bool take(const Group *group, const YamlNode *node, Tangent *made, Error *err)
{
    const char *name;
    if (!yaml_text(node, "derivatives", &name, err))
        return false;
    const size_t parameter = card_parameter(group->problem, name);
    if (parameter < group->problem->parameter_count)
        return take_parameter(group, node, parameter, made, err);
    for (int velocity = 0; velocity < (group->problem->first_order ? 1 : 2); ++velocity) {
        const size_t i = dof_find(group->coordinates, group->dofs, velocity, name);
        if (i == group->dofs)
            continue;
        const Dof *of = &group->coordinates[i];
        *made = (Tangent){velocity ? of->velocity : of->name, velocity ? of->velocity_unit : of->unit,
                          velocity ? BY_VELOCITY : BY_COORDINATE, i};
        return true;
    }
    if (card_parameter(group->method, name) < group->method->parameter_count)
        return yaml_fail(node, err, "derivatives: '%s' is a parameter of the method, only those of the problem count",
                         name);
    return yaml_fail(node, err,
                     "derivatives: '%.60s' is neither a parameter of problem '%s' nor one of its coordinates or "
                     "velocities, for the value at which it begins",
                     name, group->problem->name);
}

bool derivatives_make(Plan *plan, Group *group, Error *err)
{
    const YamlNode *list = find(plan);
    if (!list)
        return true;
    if (!yaml_is_sequence(list, key, err))
        return false;
    if (list->count == 0 || list->count > DERIVATIVES_MOST)
        return yaml_fail(list, err, "derivatives: %zu names, 1 to %d are possible", list->count, DERIVATIVES_MOST);
    Tangent *made = arena_take(&plan->arena, list->count, sizeof *made, err);
    for (size_t i = 0; made && i < list->count; ++i) {
        if (!take(group, list->items[i], &made[i], err))
            return false;
        for (size_t k = 0; k < i; ++k)
            if (made[k].by == made[i].by && made[k].index == made[i].index)
                return yaml_fail(list->items[i], err, "derivatives: '%s' is listed twice", made[i].name);
    }
    group->derivatives = made;
    group->derivative_count = made ? list->count : 0;
    return made && check_group(group, list, key, err) && check_problem(group->problem, list, err);
}

bool derivatives_describe(Plan *plan, const char *of, const Tangent *by, Variable *variable, Error *err)
{
    variable->name = arena_format(&plan->arena, err, "%s_d_%s", of, by->name);
    variable->about = arena_format(&plan->arena, err, "derivative of %s by %s%s", of,
                                   by->by == BY_PARAMETER ? "" : "the initial ", by->name);
    variable->unit = unit_over(plan, variable->unit, by->unit, err);
    return variable->name && variable->about && variable->unit;
}

// The derivatives of a variable, by each name.
static bool add_all(Plan *plan, Group *group, size_t of, VariableSource source, Error *err)
{
    const YamlNode *list = find(plan);
    for (size_t i = 0; i < group->derivative_count; ++i) {
        const Tangent *by = &group->derivatives[i];
        Variable       variable = group->variables[of];
        variable.source = source;
        variable.tangent = i;
        if (!derivatives_describe(plan, group->variables[of].name, by, &variable, err))
            return false;
        if (group_variable_named(group, variable.name) || group_axis(group, variable.name) ||
            card_parameter(group->problem, variable.name) < group->problem->parameter_count ||
            card_parameter(group->method, variable.name) < group->method->parameter_count)
            return yaml_fail(list->items[i], err, "derivatives: the name '%s' is taken, rename what has it",
                             variable.name);
        group->variables[group->variable_count++] = variable;
    }
    return true;
}

bool derivatives_add(Plan *plan, Group *group, Error *err)
{
    const Variable *x = group_variable(group, SOURCE_X_FINAL), *v = group_variable(group, SOURCE_V_FINAL);
    const size_t    of_x = x ? (size_t)(x - group->variables) : 0, of_v = v ? (size_t)(v - group->variables) : 0;
    if (group->derivative_count == 0)
        return true;
    const size_t count = group->variable_count;
    for (size_t i = 0; i < count; ++i) {
        const Variable       *variable = &group->variables[i];
        const MetricInstance *instance = &group->instances[variable->instance];
        if (variable->source == SOURCE_METRIC && group_has_tangents(group, instance) &&
            instance->card->results[variable->result].tangent && !add_all(plan, group, i, SOURCE_METRIC_D, err))
            return false;
    }
    if (!x && !v && group->variable_count == count)
        return yaml_fail(find(plan), err,
                         "derivatives: none of the metrics has any; list x_final or v_final, or one that has");
    return (!x || add_all(plan, group, of_x, SOURCE_X_FINAL_D, err)) &&
           (!v || add_all(plan, group, of_v, SOURCE_V_FINAL_D, err));
}

bool derivatives_walked(const Variable *variable)
{
    return variable->source != SOURCE_METRIC_D && variable->source != SOURCE_X_D && variable->source != SOURCE_V_D &&
           variable->source != SOURCE_OBSERVED_D;
}
