// system_parameters -- the parameters of a problem of formulas or matrices: values, ranges, units.
#include "plan/axis.h"
#include "plan/system_reading.h"

#include <math.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const parameter_keys[] = {"default", "min", "max", "above", "below", "unit", "about"};

// An axis's first value is the default of its parameter.
static bool first_value(SystemReading *reading, const YamlNode *node, const char *what, double *value)
{
    const Range anything = {.least = -INFINITY, .most = INFINITY};
    AxisText    axis;
    if (!axis_read(node, what, &anything, &axis, reading->err))
        return false;
    if (axis.form == FORM_LIST)
        return yaml_number(node->items[0], what, value, reading->err);
    *value = axis.first;
    return true;
}

static bool read_bound(SystemReading *reading, const YamlNode *node, const char *closed, const char *open,
                       double *bound, bool *is_open)
{
    const YamlNode *at = yaml_find(node, closed), *beyond = yaml_find(node, open);
    if (at && beyond)
        return yaml_fail(beyond, reading->err, "%s: %s is there too, leave one of them out", open, closed);
    *is_open = beyond != NULL;
    return (!at && !beyond) || yaml_number(at ? at : beyond, at ? closed : open, bound, reading->err);
}

static bool read_words(SystemReading *reading, const YamlNode *node, const char *key, const char **words)
{
    const YamlNode *said = yaml_find(node, key);
    return !said || yaml_line(said, key, words, reading->err);
}

// {default: 1, min: 0, unit: 1/s}: as on the card of a problem file.
static bool read_declared(SystemReading *reading, const YamlNode *node, SystemParameter *parameter)
{
    const YamlNode *initial = yaml_find(node, "default");
    char            text[AXIS_TEXT];
    if (!yaml_check_keys(node, "a parameter", parameter_keys, LENGTH(parameter_keys), reading->err) ||
        !read_bound(reading, node, "min", "above", &parameter->least, &parameter->least_open) ||
        !read_bound(reading, node, "max", "below", &parameter->most, &parameter->most_open) ||
        !read_words(reading, node, "unit", &parameter->unit) || !read_words(reading, node, "about", &parameter->about))
        return false;
    if (parameter->least > parameter->most)
        return yaml_fail(node, reading->err, "parameter '%s': its range is empty", parameter->name);
    if (!initial)
        return (isfinite(parameter->least) && isfinite(parameter->most)) ||
               yaml_fail(node, reading->err, "parameter '%s' has neither a default nor a range", parameter->name);
    if (!yaml_number(initial, "default", &parameter->initial, reading->err))
        return false;
    const Range range = {parameter->least, parameter->most, parameter->least_open, parameter->most_open, false};
    const char *reason = axis_refuses(&range, parameter->initial, text);
    return !reason || yaml_fail(initial, reading->err, "parameter '%s': %s", parameter->name, reason);
}

static bool is_declared(const YamlNode *node)
{
    if (node->kind != YAML_MAPPING)
        return false;
    for (size_t i = 0; i < LENGTH(parameter_keys); ++i)
        if (yaml_find(node, parameter_keys[i]))
            return true;
    return false;
}

// The sweep's own `parameters` take precedence over the ones here.
static bool read_parameters(SystemReading *reading)
{
    YamlNode *node = yaml_said(reading->node, "parameters"), *root = reading->plan->spec->root,
             *given = yaml_find(root, "parameters");
    System *system = &reading->system;
    Plan   *plan = reading->plan;
    if (!node)
        return true;
    if (!yaml_is_mapping(node, "parameters", reading->err))
        return false;
    system->parameter_count = node->count;
    system->parameters = arena_take(&reading->arena, node->count, sizeof *system->parameters, reading->err);
    plan->parameters = yaml_new_mapping(given ? given : node, &plan->arena, reading->err);
    if (!system->parameters || !plan->parameters)
        return false;
    for (size_t i = 0; i < node->count; ++i) {
        SystemParameter *parameter = &system->parameters[i];
        *parameter = (SystemParameter){.name = node->keys[i]->text,
                                       .unit = "1",
                                       .about = "parameter of the sweep file's equations",
                                       .initial = NAN,
                                       .least = -INFINITY,
                                       .most = INFINITY};
        const char *what = arena_format(&reading->arena, reading->err, "parameter '%s'", parameter->name);
        if (!what || !system_reading_name(reading, node->keys[i], "parameter"))
            return false;
        if (!catalog_names_parameter(plan->catalog, parameter->name))
            return yaml_fail(node->keys[i], reading->err, "%s: the name is reserved, choose another", what);
        if (is_declared(node->items[i])) {
            if (!read_declared(reading, node->items[i], parameter))
                return false;
        } else if (!first_value(reading, node->items[i], what, &parameter->initial)) {
            return false;
        } else if (node->items[i]->kind != YAML_SCALAR &&
                   !yaml_put(plan->parameters, parameter->name, node->items[i], &plan->arena, reading->err)) {
            return false;
        }
        if (!expression_name(reading->table, parameter->name, expression_leaf(reading->table, NODE_PARAMETER, i)))
            return false;
    }
    return true;
}

// The sweep's own `parameters` on top of the axes that stand with the problem.
static bool merge_parameters(SystemReading *reading)
{
    Plan           *plan = reading->plan;
    const YamlNode *given = yaml_said(plan->spec->root, "parameters");
    if (given && !yaml_is_mapping(given, "parameters", reading->err))
        return false;
    for (size_t i = 0; plan->parameters && given && i < given->count; ++i)
        if (!yaml_put(plan->parameters, given->keys[i]->text, given->items[i], &plan->arena, reading->err))
            return false;
    return true;
}

bool system_reading_parameters(SystemReading *reading)
{
    return read_parameters(reading) && merge_parameters(reading);
}
