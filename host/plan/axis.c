// axis -- reads an axis, checks it, and makes its values.
#include "plan/axis.h"

#include "base/sort.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const axis_keys[] = {"linear",           "log",       "uniform",    "loguniform", "normal",
                                        "truncated_normal", "lognormal", "triangular", "beta",       "choice",
                                        "integer"};

const char *axis_refuses(const Range *range, double value, char *text)
{
    if (value < range->least || (range->least_open && value == range->least))
        snprintf(text, AXIS_TEXT, "%.10g is too small, it must be %s %.10g", value,
                 range->least_open ? "greater than" : "at least", range->least);
    else if (value > range->most || (range->most_open && value == range->most))
        snprintf(text, AXIS_TEXT, "%.10g is too large, it must be %s %.10g", value,
                 range->most_open ? "less than" : "at most", range->most);
    else if (range->whole && value != floor(value))
        snprintf(text, AXIS_TEXT, "%.10g is not a whole number", value);
    else
        return NULL;
    return text;
}

static bool check_range(const YamlNode *node, const char *what, const Range *range, double value, Error *err)
{
    char        text[AXIS_TEXT];
    const char *reason = axis_refuses(range, value, text);
    return !reason || yaml_fail(node, err, "%s: %s", what, reason);
}

static bool read_value(const YamlNode *node, const char *what, const Range *range, double *value, Error *err)
{
    return yaml_number(node, what, value, err) && check_range(node, what, range, *value, err);
}

static bool read_list(const YamlNode *node, const char *what, const Range *range, AxisText *axis, Error *err)
{
    if (node->count == 0)
        return yaml_fail(node, err, "%s: the axis is empty, give at least one value", what);
    for (size_t i = 0; i < node->count; ++i) {
        double value;
        if (!read_value(node->items[i], what, range, &value, err))
            return false;
    }
    *axis = (AxisText){.node = node, .form = FORM_LIST, .count = node->count};
    return true;
}

static bool read_count(const YamlNode *node, const char *what, size_t *count, Error *err)
{
    double number;
    if (!yaml_number(node, what, &number, err))
        return false;
    if (number != floor(number) || number < 1.0)
        return yaml_fail(node, err, "%s: %.60s is not a number of values, which is whole and at least 1", what,
                         node->text);
    if (number > AXIS_LONGEST)
        return yaml_fail(node, err, "%s: %.60s values are too many for one axis, at most %d", what, node->text,
                         AXIS_LONGEST);
    *count = (size_t)number;
    return true;
}

// `[a, b, n]`: n values from a to b, both included.
static bool read_span(const YamlNode *node, const char *what, const Range *range, bool log, AxisText *axis, Error *err)
{
    if (node->kind != YAML_SEQUENCE || node->count != 3)
        return yaml_fail(node, err, "%s: expected [first, last, count]", what);
    *axis = (AxisText){.node = node, .form = log ? FORM_LOG : FORM_LINEAR};
    for (size_t i = 0; i < 2; ++i) {
        double *end = i == 0 ? &axis->first : &axis->last;
        if (!yaml_number(node->items[i], what, end, err))
            return false;
        if (log && *end <= 0.0)
            return yaml_fail(node->items[i], err, "%s: log needs a positive %s, got %.60s", what,
                             i == 0 ? "start" : "end", node->items[i]->text);
        if (!check_range(node->items[i], what, range, *end, err))
            return false;
    }
    if (!read_count(node->items[2], what, &axis->count, err))
        return false;
    if (axis->count == 1 && axis->first != axis->last)
        return yaml_fail(node, err, "%s: one value cannot be both %.10g and %.10g, give two or more", what, axis->first,
                         axis->last);
    return true;
}

// The numbers between which the values of a distribution may lie must be permitted. The lognormal one does not reach 0.
static bool check_support(const YamlNode *node, const char *what, const Range *range, const Distribution *distribution,
                          Error *err)
{
    double least, most;
    char   text[AXIS_TEXT];
    distribution_support(distribution, &least, &most);
    if (distribution->kind == DISTRIBUTION_LOGNORMAL)
        least = DBL_MIN;
    if (range->whole && !distribution_is_discrete(distribution))
        return yaml_fail(node, err, "%s: takes whole numbers, use integer or choice", what);
    const char *reason = axis_refuses(range, least, text);
    if (!reason)
        reason = axis_refuses(range, most, text);
    return !reason ||
           yaml_fail(node, err, "%s: the distribution reaches values that are not possible: %s", what, reason);
}

static bool read_choice(const YamlNode *node, const char *what, const Range *range, AxisText *axis, Error *err)
{
    if (!yaml_is_sequence(node, what, err) || !read_list(node, what, range, axis, err))
        return false;
    axis->form = FORM_RANDOM;
    axis->count = 0;
    return yaml_number(node->items[(node->count - 1) / 2], what, &axis->first, err);
}

// `{KIND: [numbers]}`.
static bool read_distribution(const YamlNode *node, DistributionKind kind, const char *what, const Range *range,
                              AxisText *axis, Error *err)
{
    const size_t  count = distribution_number_count(kind);
    Distribution *distribution = &axis->distribution;
    *axis = (AxisText){.distribution = {.kind = kind}};
    if (kind == DISTRIBUTION_CHOICE) {
        const bool read = read_choice(node, what, range, axis, err);
        axis->distribution.kind = kind;
        return read;
    }
    axis->node = node;
    axis->form = FORM_RANDOM;
    if (node->kind != YAML_SEQUENCE || node->count != count)
        return yaml_fail(node, err, "%s: %s takes [%s]", what, distribution_names[kind], distribution_arguments[kind]);
    for (size_t i = 0; i < count; ++i)
        if (!yaml_number(node->items[i], what, &distribution->numbers[i], err))
            return false;
    const char *reason = distribution_refuses(distribution);
    if (reason)
        return yaml_fail(node, err, "%s: %s [%s]: %s", what, distribution_names[kind], distribution_arguments[kind],
                         reason);
    axis->first = distribution_quantile(distribution, 0.5);
    return check_support(node, what, range, distribution, err);
}

bool axis_read(const YamlNode *node, const char *what, const Range *range, AxisText *axis, Error *err)
{
    if (node->kind == YAML_SEQUENCE)
        return read_list(node, what, range, axis, err);
    if (node->kind == YAML_SCALAR) {
        *axis = (AxisText){.node = node, .form = FORM_NUMBER, .count = 1};
        return read_value(node, what, range, &axis->first, err);
    }
    if (!yaml_check_keys(node, what, axis_keys, sizeof axis_keys / sizeof *axis_keys, err))
        return false;
    if (node->count != 1)
        return yaml_fail(node, err, "%s: expected a number, a list, {linear: [a, b, n]} or {log: [a, b, n]}", what);
    for (size_t kind = 0; kind < DISTRIBUTION_COUNT; ++kind)
        if (strcmp(node->keys[0]->text, distribution_names[kind]) == 0)
            return read_distribution(node->items[0], (DistributionKind)kind, what, range, axis, err);
    return read_span(node->items[0], what, range, strcmp(node->keys[0]->text, "log") == 0, axis, err);
}

bool axis_values(AxisText *axis, Arena *arena, Error *err)
{
    if (axis->form != FORM_RANDOM || axis->distribution.kind != DISTRIBUTION_CHOICE)
        return true;
    const size_t count = axis->node->count;
    double      *values = arena_take(arena, count, sizeof *values, err);
    for (size_t i = 0; values && i < count; ++i)
        if (!yaml_number(axis->node->items[i], "choice", &values[i], err))
            return false;
    axis->distribution.values = values;
    axis->distribution.value_count = count;
    return values != NULL;
}

// Interpolates so that simple decimals come out as they are written: [0, 1, 11] gives i/10, a log axis over decades the
// powers of ten.
static double span_value(const AxisText *axis, size_t i)
{
    const double last = (double)(axis->count - 1), at = (double)i;
    if (i == 0 || axis->first == axis->last)
        return axis->first;
    if (i + 1 == axis->count)
        return axis->last;
    if (axis->form == FORM_LINEAR)
        return (axis->first * (last - at) + axis->last * at) / last;
    return pow(10.0, (log10(axis->first) * (last - at) + log10(axis->last) * at) / last);
}

static bool check_distinct(const AxisText *axis, const char *what, const double *values, Error *err)
{
    bool    fine = true;
    double *sorted = malloc(axis->count * sizeof *sorted);
    if (!sorted)
        return fail(err, ERROR_INTERNAL, "out of memory for an axis of %zu values", axis->count);
    memcpy(sorted, values, axis->count * sizeof *sorted);
    sort_numbers(sorted, axis->count);
    for (size_t i = 1; fine && i < axis->count; ++i)
        if (sorted[i - 1] == sorted[i])
            fine = yaml_fail(axis->node, err, "%s: the value %.15g is there twice", what, sorted[i]);
    free(sorted);
    return fine;
}

bool axis_fill(const AxisText *axis, const char *what, const Range *range, bool distinct, double *values, Error *err)
{
    for (size_t i = 0; i < axis->count; ++i) {
        const YamlNode *node = axis->form == FORM_LIST ? axis->node->items[i] : axis->node;
        if (axis->form == FORM_LIST && !yaml_number(node, what, &values[i], err))
            return false;
        if (axis->form == FORM_NUMBER)
            values[i] = axis->first;
        if (axis->form == FORM_LINEAR || axis->form == FORM_LOG)
            values[i] = span_value(axis, i);
        if (!isfinite(values[i]))
            return yaml_fail(node, err, "%s: value %zu is too large for a double", what, i + 1);
        if (!check_range(node, what, range, values[i], err))
            return false;
    }
    return !distinct || check_distinct(axis, what, values, err);
}

bool axis_read_distribution(const char *option, const char *name, const char *what, const char *text, Arena *arena,
                            Distribution *distribution, Error *err)
{
    const Range anything = {.least = -INFINITY, .most = INFINITY};
    YamlOrigin *origin = arena_take(arena, 1, sizeof *origin, err);
    YamlNode   *node = NULL;
    AxisText    axis;
    if (!origin)
        return false;
    *origin = (YamlOrigin){.name = name, .override = true, .option = option};
    if (!yaml_read(text, strlen(text), origin, arena, &node, err) || !axis_read(node, what, &anything, &axis, err) ||
        !axis_values(&axis, arena, err))
        return false;
    if (axis.form != FORM_RANDOM)
        return yaml_fail(node, err,
                         "these are values: a distribution is such as {uniform: [0, 1]} or {normal: [0, 1]}");
    *distribution = axis.distribution;
    return true;
}
