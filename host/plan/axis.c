// axis -- reads an axis, checks it, and makes its values.
#include "plan/axis.h"

#include "base/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const axis_keys[] = {"linear", "log"};
static const char *const random_keys[] = {"uniform", "loguniform", "choice"};

const char *axis_refuses(const Range *range, double value, char *text)
{
    const char *reason = NULL;
    if (value < range->least || (range->least_open && value == range->least)) {
        snprintf(text, AXIS_TEXT, "%.10g is too small, it must be %s %.10g", value,
                 range->least_open ? "greater than" : "at least", range->least);
        reason = text;
    } else if (value > range->most || (range->most_open && value == range->most)) {
        snprintf(text, AXIS_TEXT, "%.10g is too large, it must be %s %.10g", value,
                 range->most_open ? "less than" : "at most", range->most);
        reason = text;
    } else if (range->whole && value != floor(value)) {
        snprintf(text, AXIS_TEXT, "%.10g is not a whole number", value);
        reason = text;
    }
    return reason;
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

bool axis_read(const YamlNode *node, const char *what, const Range *range, AxisText *axis, Error *err)
{
    if (node->kind == YAML_SEQUENCE)
        return read_list(node, what, range, axis, err);
    if (node->kind == YAML_SCALAR) {
        *axis = (AxisText){.node = node, .form = FORM_NUMBER, .count = 1};
        return read_value(node, what, range, &axis->first, err);
    }
    for (size_t i = 0; i < sizeof random_keys / sizeof *random_keys; ++i)
        if (yaml_find(node, random_keys[i]))
            return yaml_fail(node, err, "%s: '%s' belongs to a random design, which is not available in this version",
                             what, random_keys[i]);
    if (!yaml_check_keys(node, what, axis_keys, sizeof axis_keys / sizeof *axis_keys, err))
        return false;
    if (node->count != 1)
        return yaml_fail(node, err, "%s: expected a number, a list, {linear: [a, b, n]} or {log: [a, b, n]}", what);
    return read_span(node->items[0], what, range, strcmp(node->keys[0]->text, "log") == 0, axis, err);
}

// Interpolates so that simple decimals stay what they look like: [0, 1, 11] gives i/10, a log axis over decades the
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
