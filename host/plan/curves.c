// curves -- reads `tables:` of a sweep file: from CSV files, datasets and lists.
#include "plan/plan_make.h"
#include "base/scoped.h"
#include "expression/expression.h"

#include <float.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const table_keys[] = {"file", "columns", "dataset", "times", "samples", "between", "outside"};

// A table in the making.
typedef struct CurveReading {
    Plan           *plan;
    const YamlNode *name, *node;
    const char     *what;  // names it in messages
    Curve          *curve;
    Error          *err;
} CurveReading;

static YamlNode *find(const CurveReading *reading, const char *key)
{
    return yaml_said(reading->node, key);
}

static bool read_ways(const CurveReading *reading)
{
    // What other programs call the same.
    static const char *const  words[] = {"linear", "cubic", "hold", "next", "locf", "nocb"};
    static const CurveBetween ways[] = {CURVE_LINEAR, CURVE_CUBIC, CURVE_HOLD, CURVE_NEXT, CURVE_HOLD, CURVE_NEXT};
    const YamlNode           *between = find(reading, "between"), *outside = find(reading, "outside");
    size_t                    way = 0, beyond = 0;
    if ((between && !yaml_choice(between, "between", words, LENGTH(words), &way, reading->err)) ||
        (outside && !yaml_choice(outside, "outside", curve_outside_names, CURVE_OUTSIDE_COUNT, &beyond, reading->err)))
        return false;
    reading->curve->between = ways[way];
    reading->curve->outside = (CurveOutside)beyond;
    return true;
}

static double rounded(const CurveReading *reading, double number)
{
    return reading->plan->precision == PRECISION_SINGLE ? (double)(float)number : number;
}

// Takes a sample; false where it does not come behind the one before it, or is too large for the precision.
static bool put(const CurveReading *reading, double *samples, size_t i, double x, double y)
{
    samples[2 * i] = rounded(reading, x);
    samples[2 * i + 1] = rounded(reading, y);
    return (i == 0 || samples[2 * i] > samples[2 * i - 2]) && samples[2 * i] - samples[2 * i] == 0.0 &&
           samples[2 * i + 1] - samples[2 * i + 1] == 0.0;
}

static double *take_room(const CurveReading *reading, size_t count)
{
    double *samples = arena_take(&reading->plan->arena, 2 * count, sizeof *samples, reading->err);
    reading->curve->samples = samples;
    reading->curve->count = count;
    return samples;
}

// `samples: [[0, 0], [1, 2.5]]`
static bool read_list(const CurveReading *reading, const YamlNode *node)
{
    if (!yaml_is_sequence(node, "samples", reading->err))
        return false;
    double *samples = take_room(reading, node->count);
    for (size_t i = 0; samples && i < node->count; ++i) {
        const YamlNode *pair = node->items[i];
        double          x = 0.0, y = 0.0;
        if (pair->kind != YAML_SEQUENCE || pair->count != 2)
            return yaml_fail(pair, reading->err, "%s: a sample is two numbers, as in [0.5, 1]", reading->what);
        if (!yaml_number(pair->items[0], "samples", &x, reading->err) ||
            !yaml_number(pair->items[1], "samples", &y, reading->err))
            return false;
        if (!put(reading, samples, i, x, y))
            return yaml_fail(pair, reading->err, "%s: %.9g does not come after the argument before it; sort them",
                             reading->what, x);
    }
    return samples != NULL;
}

// The columns of a file become the samples.
static bool take_columns(const CurveReading *reading, const PointFile *x, size_t x_column, const PointFile *y,
                         size_t y_column)
{
    const double *arguments = x->columns[x_column].values, *values = y->columns[y_column].values;
    double       *samples = take_room(reading, (size_t)x->count);
    for (uint64_t i = 0; samples && i < x->count; ++i)
        if (!put(reading, samples, (size_t)i, arguments[i], values[i]))
            return point_file_fail(x, x_column, i, reading->err,
                                   "%s: %.9g does not come after the argument before it; sort the file, one row to "
                                   "an argument",
                                   reading->what, arguments[i]);
    return samples != NULL;
}

static bool read_csv(const CurveReading *reading, const char *path, const char *const *names)
{
    PointFile file SCOPED(point_file_free) = {0};
    if (!point_file_read_csv(path, names, names ? 2 : 0, &file, reading->err))
        return false;
    if (file.column_count != 2)
        return point_file_fail(&file, 0, POINT_FILE_HEADER, reading->err,
                               "%zu columns, and a table takes two: name them, as in columns: [t, a]",
                               file.column_count);
    return take_columns(reading, &file, 0, &file, 1);
}

// A dataset of two columns, or two datasets of one.
static bool read_dataset(const CurveReading *reading, const char *path, const char *dataset, const char *times)
{
    static const char *const both[] = {"argument", "value"};
    PointFile                values SCOPED(point_file_free) = {0}, arguments SCOPED(point_file_free) = {0};
    if (!times)
        return point_file_read_dataset(path, dataset, both, 2, &values, reading->err) &&
               take_columns(reading, &values, 0, &values, 1);
    if (!point_file_read_dataset(path, times, both, 1, &arguments, reading->err) ||
        !point_file_read_dataset(path, dataset, both + 1, 1, &values, reading->err))
        return false;
    if (arguments.count != values.count)
        return point_file_fail(&values, 0, POINT_FILE_HEADER, reading->err, "%s: %llu values for %llu arguments",
                               reading->what, (unsigned long long)values.count, (unsigned long long)arguments.count);
    return take_columns(reading, &arguments, 0, &values, 0);
}

static bool read_names(const CurveReading *reading, const YamlNode *columns, const char *names[2])
{
    if (!yaml_is_sequence(columns, "columns", reading->err))
        return false;
    if (columns->count != 2)
        return yaml_fail(columns, reading->err, "%s: %zu columns, a table takes two: argument and value", reading->what,
                         columns->count);
    return yaml_text(columns->items[0], "columns", &names[0], reading->err) &&
           yaml_text(columns->items[1], "columns", &names[1], reading->err);
}

static bool read_file(const CurveReading *reading, const YamlNode *file)
{
    const YamlNode *columns = find(reading, "columns"), *dataset = find(reading, "dataset"),
                   *times = find(reading, "times");
    const char *path, *text = NULL, *set = NULL, *at = NULL, *names[2];
    if (!yaml_text(file, "file", &text, reading->err) ||
        (dataset && !yaml_text(dataset, "dataset", &set, reading->err)) ||
        (times && !yaml_text(times, "times", &at, reading->err)) || (columns && !read_names(reading, columns, names)))
        return false;
    if (times && !dataset)
        return yaml_fail(times, reading->err, "%s: times is a dataset beside `dataset`", reading->what);
    if (dataset && columns)
        return yaml_fail(columns, reading->err, "%s: a dataset's columns have no names: the first is the argument",
                         reading->what);
    if (!(path = plan_path(reading->plan, text, reading->err)) || !plan_add_input(reading->plan, path, reading->err))
        return false;
    return (set ? read_dataset(reading, path, set, at)
                : read_csv(reading, path, columns ? (const char *const *)names : NULL)) ||
           within(reading->err, "%s", reading->what);
}

// The samples that a result file keeps.
static const SpecTable *find_given(const CurveReading *reading)
{
    const Spec *spec = reading->plan->spec;
    for (size_t i = 0; i < spec->table_count; ++i)
        if (strcmp(spec->tables[i].name, reading->curve->name) == 0)
            return &spec->tables[i];
    return NULL;
}

static bool take_given(const CurveReading *reading, const SpecTable *given)
{
    double *samples = take_room(reading, given->count);
    bool    fine = given->columns == reading->curve->columns;
    for (size_t i = 0; samples && fine && i < given->count; ++i)
        fine = put(reading, samples, i, given->samples[2 * i], given->samples[2 * i + 1]);
    return samples && (fine || yaml_fail(reading->node, reading->err,
                                         "%s: the samples in the result file are not those of a table", reading->what));
}

static bool read_samples(const CurveReading *reading)
{
    const YamlNode  *file = find(reading, "file"), *list = find(reading, "samples");
    const SpecTable *given = find_given(reading);
    if (!file == !list)
        return yaml_fail(reading->node, reading->err,
                         "%s: give a file, as in {file: ./quake.csv, columns: [t, a]}, or samples, as in "
                         "{samples: [[0, 0], [1, 2]]}%s",
                         reading->what, file ? ", and not both" : "");
    return given ? take_given(reading, given) : file ? read_file(reading, file) : read_list(reading, list);
}

static bool check_name(const CurveReading *reading, size_t before)
{
    const char *name = reading->name->text;
    if (!yaml_spells_name(name))
        return yaml_fail(reading->name, reading->err,
                         "tables: letters, digits and _ make a name, beginning with no digit");
    if (expression_function(name, strlen(name)) != FUNCTION_COUNT)
        return yaml_fail(reading->name, reading->err, "table '%s': a function has this name, choose another", name);
    for (size_t i = 0; i < before; ++i)
        if (strcmp(reading->plan->tables[i].name, name) == 0)
            return yaml_fail(reading->name, reading->err, "tables: '%.60s' is there twice", name);
    return true;
}

static bool read_table(CurveReading *reading, size_t before)
{
    Curve *curve = reading->curve;
    curve->name = reading->name->text;
    curve->columns = 2;
    reading->what = arena_format(&reading->plan->arena, reading->err, "table '%s'", curve->name);
    if (!reading->what || !check_name(reading, before) ||
        !yaml_is_mapping(reading->node, reading->what, reading->err) ||
        !yaml_check_keys(reading->node, reading->what, table_keys, LENGTH(table_keys), reading->err) ||
        !read_ways(reading) || !read_samples(reading))
        return false;
    if (curve->count < curve_least(curve->between))
        return yaml_fail(reading->node, reading->err, "%s: %zu sample%s, `between: %s` takes %zu or more",
                         reading->what, curve->count, curve->count == 1 ? "" : "s", curve_between_names[curve->between],
                         curve_least(curve->between));
    curve_measure(curve, reading->plan->precision == PRECISION_SINGLE ? (double)FLT_EPSILON : DBL_EPSILON);
    return true;
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
        !(plan->tables = arena_take(&plan->arena, spec_list_tables(plan->spec, nodes), sizeof *plan->tables, err)))
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
    return true;
}

static const Curve *find_table(const Plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->table_count; ++i)
        if (strcmp(plan->tables[i].name, name) == 0)
            return &plan->tables[i];
    return NULL;
}

bool curves_choose(Plan *plan, const YamlNode *node, Card *card, Error *err)
{
    CurveSet *curves = NULL;
    Curve    *list = NULL;
    if (card->table_count == 0)
        return true;
    if (!(curves = arena_take(&plan->arena, 1, sizeof *curves, err)) ||
        !(list = arena_take(&plan->arena, card->table_count, sizeof *list, err)))
        return false;
    for (size_t i = 0; i < card->table_count; ++i) {
        const Curve *table = find_table(plan, card->tables[i]);
        if (!table)
            return yaml_fail(node, err, "problem '%s' asks for table '%.60s', which is not under `tables`", card->name,
                             card->tables[i]);
        list[i] = *table;
    }
    if (!curve_list(list, card->table_count, &plan->arena, curves, err))
        return false;
    card->curves = curves;
    return true;
}

bool curves_check(Plan *plan, Error *err)
{
    const Card *problem = plan->problem;
    for (size_t i = 0; i < plan->table_count; ++i)
        if (!card_lists(problem->tables, problem->table_count, plan->tables[i].name) &&
            !plan_warn(plan, plan->spec->root, err, "table '%s' is used by no formula", plan->tables[i].name))
            return false;
    return true;
}
