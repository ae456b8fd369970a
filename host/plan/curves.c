// curves -- reads `tables:` of a sweep file, and the data of `compare:`.
#include "plan/curves.h"
#include "expression/expression.h"
#include "plan/curve_samples.h"

#include <float.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const table_keys[] = {"file", "columns", "dataset", "times", "samples", "of", "between", "outside"};

static bool read_ways(const CurveReading *reading)
{
    // What other programs call the same.
    static const char *const  words[] = {"linear", "cubic", "hold", "next", "locf", "nocb"};
    static const CurveBetween ways[] = {CURVE_LINEAR, CURVE_CUBIC, CURVE_HOLD, CURVE_NEXT, CURVE_HOLD, CURVE_NEXT};
    const YamlNode *between = yaml_said(reading->node, "between"), *outside = yaml_said(reading->node, "outside");
    size_t          way = 0, beyond = 0;
    if ((between && !yaml_choice(between, "between", words, LENGTH(words), &way, reading->err)) ||
        (outside && !yaml_choice(outside, "outside", curve_outside_names, CURVE_OUTSIDE_COUNT, &beyond, reading->err)))
        return false;
    reading->curve->between = ways[way];
    reading->curve->outside = (CurveOutside)beyond;
    return true;
}

// Finds where the records begin: their numbers are 0, 1, 2, ...
static bool make_records(const CurveReading *reading)
{
    Curve       *curve = reading->curve;
    const size_t columns = curve->columns;
    const double last = columns > 2 && curve->count > 0 ? curve->samples[(curve->count - 1) * columns] : 0.0;
    const size_t count = last >= 0.0 && last < (double)curve->count ? (size_t)last + 1 : 1;
    curve->record_count = curve->count == 0;
    curve->records = arena_take(&reading->plan->arena, count, sizeof *curve->records, reading->err);
    for (size_t i = 0; curve->records && i < curve->count; ++i) {
        const double number = columns > 2 ? curve->samples[i * columns] : 0.0;
        if (number == (double)curve->record_count && curve->record_count < count)
            curve->records[curve->record_count++] = (CurveRecord){.first = i};
        if (number + 1.0 != (double)curve->record_count)
            return yaml_fail(reading->node, reading->err, "%s: its records are not in order", reading->what);
        ++curve->records[curve->record_count - 1].count;
    }
    return curve->records != NULL;
}

static bool check_counts(const CurveReading *reading)
{
    const Curve *curve = reading->curve;
    if (curve->map && curve->record_count != curve->records[0].count + 1)
        return yaml_fail(reading->node, reading->err, "%s: the samples in the result file are not those of a map",
                         reading->what);
    const size_t least = curve_least(curve->between);
    for (size_t i = 0; i < curve->record_count; ++i)
        if (curve->records[i].count < least)
            return yaml_fail(reading->node, reading->err, "%s: %zu sample%s, `between: %s` takes %zu or more",
                             reading->what, curve->records[i].count, curve->records[i].count == 1 ? "" : "s",
                             curve_between_names[curve->between], least);
    return true;
}

// A table is a map where its samples or columns are three.
static bool read_kind(const CurveReading *reading)
{
    const YamlNode *columns = yaml_said(reading->node, "columns"), *list = yaml_said(reading->node, "samples");
    const YamlNode *first = list && list->kind == YAML_SEQUENCE && list->count > 0 ? list->items[0] : NULL;
    Curve          *curve = reading->curve;
    curve->map = (columns && columns->kind == YAML_SEQUENCE && columns->count == 3) ||
                 (first && first->kind == YAML_SEQUENCE && first->count == 3);
    curve->columns = curve->of || curve->map ? 3 : 2;
    if (curve->map && curve->of)
        return yaml_fail(reading->node, reading->err, "%s: a map of two arguments has one record, leave out `of`",
                         reading->what);
    return !curve->map || curve->between == CURVE_LINEAR ||
           yaml_fail(yaml_said(reading->node, "between"), reading->err,
                     "%s: a map of two arguments has `between: linear`", reading->what);
}

static bool check_name(const CurveReading *reading, size_t before)
{
    const char *name = reading->name->text;
    if (!yaml_spells_name(name))
        return yaml_fail(reading->name, reading->err,
                         "tables: letters, digits and _ make a name, beginning with no digit");
    if (expression_function(name, strlen(name)) != FUNCTION_COUNT)
        return yaml_fail(reading->name, reading->err, "table '%s': a function has this name, choose another", name);
    if (strcmp(name, spec_data) == 0)
        return yaml_fail(reading->name, reading->err, "table '%s': the name is reserved, choose another", name);
    for (size_t i = 0; i < before; ++i)
        if (strcmp(reading->plan->tables[i].name, name) == 0)
            return yaml_fail(reading->name, reading->err, "tables: '%.60s' is there twice", name);
    return true;
}

static bool read_body(const CurveReading *reading)
{
    Curve          *curve = reading->curve;
    const YamlNode *of = yaml_said(reading->node, "of");
    if (!read_ways(reading) || (of && !yaml_text(of, "of", &curve->of, reading->err)))
        return false;
    if (!read_kind(reading) || !curve_samples_read(reading) || !make_records(reading) || !check_counts(reading))
        return false;
    curve_measure(curve, reading->plan->precision == PRECISION_SINGLE ? (double)FLT_EPSILON : DBL_EPSILON);
    return true;
}

static bool read_table(CurveReading *reading, size_t before)
{
    reading->curve->name = reading->name->text;
    reading->what = arena_format(&reading->plan->arena, reading->err, "table '%s'", reading->curve->name);
    return reading->what && check_name(reading, before) &&
           yaml_is_mapping(reading->node, reading->what, reading->err) &&
           yaml_check_keys(reading->node, reading->what, table_keys, LENGTH(table_keys), reading->err) &&
           read_body(reading);
}

// `compare: {file: ./data.csv, columns: [t, y], of: shear}`: data are kept as the samples of a table are.
static bool read_data(Plan *plan, Error *err)
{
    static const char *const keys[] = {"file", "columns", "dataset", "times", "samples", "of"};
    const YamlNode          *node = yaml_said(plan->spec->root, spec_data);
    if (!node)
        return true;
    if (!yaml_is_mapping(node, spec_data, err) || !yaml_check_keys(node, spec_data, keys, LENGTH(keys), err))
        return false;
    YamlNode *table = yaml_new_mapping(node, &plan->arena, err);
    for (size_t i = 0; table && i < LENGTH(keys) - 1; ++i)
        if (yaml_said(node, keys[i]) && !yaml_put(table, keys[i], yaml_said(node, keys[i]), &plan->arena, err))
            return false;
    const CurveReading reading = {
        .plan = plan, .node = table, .what = spec_data, .curve = &plan->tables[plan->table_count], .err = err};
    reading.curve->name = spec_data;
    if (!table || !read_body(&reading))
        return false;
    ++plan->table_count;
    return reading.curve->samples[0] >= 0.0 ||
           yaml_fail(node, err, "%s: the data begin at %.10g, before the run", spec_data, reading.curve->samples[0]);
}

static bool check_mapping(const YamlNode *node, Error *err)
{
    return !node || yaml_is_mapping(node, "tables", err);
}

bool curves_read(Plan *plan, Error *err)
{
    const YamlNode *root = plan->spec->root, *problem = yaml_find(root, "problem"), *nodes[2];
    const bool      formulas = problem && problem->kind == YAML_MAPPING;
    if (!check_mapping(yaml_said(root, "tables"), err) ||
        (formulas && !check_mapping(yaml_said(problem, "tables"), err)) ||
        !(plan->tables = arena_take(&plan->arena, spec_list_tables(plan->spec, nodes) + 1, sizeof *plan->tables, err)))
        return false;
    for (size_t k = 0; k < LENGTH(nodes); ++k)
        for (size_t i = 0; nodes[k] && i < nodes[k]->count; ++i) {
            CurveReading reading = {.plan = plan,
                                    .name = nodes[k]->keys[i],
                                    .node = nodes[k]->items[i],
                                    .curve = &plan->tables[plan->table_count],
                                    .err = err};
            if (!read_table(&reading, plan->table_count))
                return false;
            ++plan->table_count;
        }
    return read_data(plan, err);
}
