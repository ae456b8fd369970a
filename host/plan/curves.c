// curves -- reads `tables:` of a sweep file: from CSV files, datasets and lists.
#include "plan/plan_make.h"
#include "base/scoped.h"
#include "expression/expression.h"
#include "plan/maps.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const table_keys[] = {"file", "columns", "dataset", "times", "samples", "of", "between", "outside"};

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
static bool put(const CurveReading *reading, double *samples, size_t i, double record, double x, double y)
{
    const size_t columns = reading->curve->columns, at = columns - 2;
    double      *row = samples + i * columns;
    row[0] = record;
    row[at] = rounded(reading, x);
    row[at + 1] = rounded(reading, y);
    const bool first = i == 0 || (at > 0 && row[0] != row[-(ptrdiff_t)columns]);
    return (first || row[at] > samples[(i - 1) * columns + at]) && isfinite(row[at]) && isfinite(row[at + 1]);
}

static double *take_room(const CurveReading *reading, size_t count)
{
    double *samples = arena_take(&reading->plan->arena, reading->curve->columns * count, sizeof *samples, reading->err);
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
        if (!put(reading, samples, i, 0.0, x, y))
            return yaml_fail(pair, reading->err, "%s: %.9g does not come after the argument before it; sort them",
                             reading->what, x);
    }
    return samples != NULL;
}

// Takes columns of files as a record, behind `begun` samples.
static bool take_columns(const CurveReading *reading, const PointFile *x, const PointFile *y, size_t y_column,
                         double *samples, size_t begun, size_t record)
{
    const double *arguments = x->columns[0].values, *values = y->columns[y_column].values;
    for (uint64_t i = 0; i < x->count; ++i)
        if (!put(reading, samples, begun + (size_t)i, (double)record, arguments[i], values[i]))
            return point_file_fail(x, 0, i, reading->err,
                                   "%s: %.9g does not come after the argument before it; sort the file, one row to "
                                   "an argument",
                                   reading->what, arguments[i]);
    return true;
}

// Takes the path of a file, and keeps it among the plan's.
static const char *take_path(const CurveReading *reading, const YamlNode *node)
{
    const char *text = NULL, *path;
    if (!yaml_text(node, "file", &text, reading->err) || !(path = plan_path(reading->plan, text, reading->err)))
        return NULL;
    return plan_add_input(reading->plan, path, reading->err) ? path : NULL;
}

static bool open_csv(const CurveReading *reading, const YamlNode *node, const char *const *names, PointFile *file)
{
    const size_t columns = reading->curve->map ? 3 : 2;
    const char  *path = take_path(reading, node);
    return path && point_file_read_csv(path, names, names ? columns : 0, file, reading->err) &&
           (file->column_count == columns ||
            point_file_fail(file, 0, POINT_FILE_HEADER, reading->err,
                            "%zu columns, and a table takes two: name them, as in columns: [t, a]",
                            file->column_count));
}

// Puts the samples of a map on their grid; a fault is one of their file or list.
static bool arrange(const CurveReading *reading, MapSample *samples, size_t count, const PointFile *file,
                    const YamlNode *list)
{
    MapGrid grid;
    if (!maps_arrange(samples, count, &reading->plan->arena, &grid, reading->err))
        return false;
    if (grid.why)
        return file ? point_file_fail(file, 0, grid.row, reading->err, "%s: %s", reading->what, grid.why)
                    : yaml_fail(list->items[grid.row], reading->err, "%s: %s", reading->what, grid.why);
    reading->curve->samples = grid.rows;
    reading->curve->count = grid.count;
    return true;
}

static bool take_node(const CurveReading *reading, MapSample *sample, size_t row, double x, double y, double value)
{
    *sample = (MapSample){rounded(reading, x), rounded(reading, y), rounded(reading, value), row};
    return isfinite(sample->x) && isfinite(sample->y) && isfinite(sample->value);
}

static bool read_map_csv(const CurveReading *reading, const YamlNode *node, const char *const *names)
{
    PointFile  file SCOPED(point_file_free) = {0};
    Arena      arena SCOPED(arena_free) = {0};
    MapSample *samples = NULL;
    if (!open_csv(reading, node, names, &file) ||
        !(samples = arena_take(&arena, (size_t)file.count, sizeof *samples, reading->err)))
        return false;
    for (size_t i = 0; i < file.count; ++i)
        if (!take_node(reading, &samples[i], i, file.columns[0].values[i], file.columns[1].values[i],
                       file.columns[2].values[i]))
            return point_file_fail(&file, 0, i, reading->err, "%s: a number is too large for single precision",
                                   reading->what);
    return arrange(reading, samples, (size_t)file.count, &file, NULL);
}

// `samples: [[0, 0, 1], [0, 1, 2.5], ...]`
static bool read_map_list(const CurveReading *reading, const YamlNode *node)
{
    Arena      arena SCOPED(arena_free) = {0};
    MapSample *samples = arena_take(&arena, node->count, sizeof *samples, reading->err);
    for (size_t i = 0; samples && i < node->count; ++i) {
        const YamlNode *row = node->items[i];
        double          numbers[3];
        if (row->kind != YAML_SEQUENCE || row->count != 3)
            return yaml_fail(row, reading->err, "%s: a sample of a map is three numbers, as in [0, 0.5, 1]",
                             reading->what);
        for (size_t k = 0; k < 3; ++k)
            if (!yaml_number(row->items[k], "samples", &numbers[k], reading->err))
                return false;
        if (!take_node(reading, &samples[i], i, numbers[0], numbers[1], numbers[2]))
            return yaml_fail(row, reading->err, "%s: a number is too large for single precision", reading->what);
    }
    return samples && arrange(reading, samples, node->count, NULL, node);
}

// One CSV file, or of a table of records a list of them.
static bool read_csv(const CurveReading *reading, const YamlNode *node, const char *const *names)
{
    const bool   list = node->kind == YAML_SEQUENCE;
    const size_t count = list ? node->count : 1;
    Arena        arena SCOPED(arena_free) = {0};
    PointFile   *files = arena_take(&arena, count, sizeof *files, reading->err);
    size_t       samples = 0, opened = 0, begun = 0;
    bool         fine = files != NULL;
    for (; fine && opened < count; ++opened) {
        fine = open_csv(reading, list ? node->items[opened] : node, names, &files[opened]);
        samples += fine ? (size_t)files[opened].count : 0;
    }
    double *numbers = fine ? take_room(reading, samples) : NULL;
    for (size_t i = 0; numbers && fine && i < count; ++i) {
        fine = take_columns(reading, &files[i], &files[i], 1, numbers, begun, i);
        begun += (size_t)files[i].count;
    }
    for (size_t i = 0; i < opened; ++i)
        point_file_free(&files[i]);
    return numbers && fine;
}

// A dataset that has a row for each record, and a number in it for each argument.
static bool read_rows(const CurveReading *reading, const char *path, const char *dataset, const PointFile *arguments)
{
    PointFile    values SCOPED(point_file_free) = {0};
    Arena        arena SCOPED(arena_free) = {0};
    const size_t length = (size_t)arguments->count;
    const char **names = arena_take(&arena, length, sizeof *names, reading->err);
    for (size_t i = 0; names && i < length; ++i)
        names[i] = "value";
    if (!names || !point_file_read_dataset(path, dataset, names, length, &values, reading->err))
        return false;
    double *samples = take_room(reading, (size_t)values.count * length);
    for (size_t record = 0; samples && record < values.count; ++record)
        for (size_t i = 0; i < length; ++i)
            if (!put(reading, samples, record * length + i, (double)record, arguments->columns[0].values[i],
                     values.columns[i].values[record]))
                return point_file_fail(arguments, 0, i, reading->err, "%s: %.9g does not come after the time before it",
                                       reading->what, arguments->columns[0].values[i]);
    return samples != NULL;
}

// A dataset of two columns, two datasets of one, or of records.
static bool read_dataset(const CurveReading *reading, const char *path, const char *dataset, const char *times)
{
    static const char *const both[] = {"argument", "value"};
    PointFile                values SCOPED(point_file_free) = {0}, arguments SCOPED(point_file_free) = {0};
    if (!times && !point_file_read_dataset(path, dataset, both, 2, &values, reading->err))
        return false;
    if (times && !point_file_read_dataset(path, times, both, 1, &arguments, reading->err))
        return false;
    if (reading->curve->of)
        return read_rows(reading, path, dataset, &arguments);
    if (times && !point_file_read_dataset(path, dataset, both + 1, 1, &values, reading->err))
        return false;
    const PointFile *x = times ? &arguments : &values;
    if (x->count != values.count)
        return point_file_fail(&values, 0, POINT_FILE_HEADER, reading->err, "%s: %llu values for %llu arguments",
                               reading->what, (unsigned long long)values.count, (unsigned long long)x->count);
    double *samples = take_room(reading, (size_t)x->count);
    return samples && take_columns(reading, x, &values, times ? 0 : 1, samples, 0, 0);
}

static bool read_names(const CurveReading *reading, const YamlNode *columns, const char *names[3])
{
    if (!yaml_is_sequence(columns, "columns", reading->err))
        return false;
    if (columns->count != 2 && columns->count != 3)
        return yaml_fail(columns, reading->err,
                         "%s: %zu columns, a table takes two, argument and value, or three with two arguments",
                         reading->what, columns->count);
    for (size_t i = 0; i < columns->count; ++i)
        if (!yaml_text(columns->items[i], "columns", &names[i], reading->err))
            return false;
    return true;
}

// The keys beside a file go together.
static bool check_file(const CurveReading *reading, const YamlNode *file)
{
    const YamlNode *columns = find(reading, "columns"), *dataset = find(reading, "dataset"),
                   *times = find(reading, "times");
    const bool list = file->kind == YAML_SEQUENCE, records = reading->curve->of != NULL;
    if (times && !dataset)
        return yaml_fail(times, reading->err, "%s: times is a dataset beside `dataset`", reading->what);
    if (dataset && columns)
        return yaml_fail(columns, reading->err, "%s: a dataset's columns have no names: the first is the argument",
                         reading->what);
    if (list != records && !(records && dataset))
        return yaml_fail(file, reading->err,
                         records ? "%s: `of` chooses one of several files: list them, as in "
                                   "file: [./a.csv, ./b.csv]"
                                 : "%s: of several files a parameter chooses one: name it, as in "
                                   "of: record",
                         reading->what);
    if (list && (dataset || file->count == 0))
        return yaml_fail(file, reading->err, "%s: a list of files is one of CSV files, one or more", reading->what);
    return !records || !dataset || times ||
           yaml_fail(dataset, reading->err, "%s: of records, `times` names the dataset of the arguments",
                     reading->what);
}

static bool read_file(const CurveReading *reading, const YamlNode *file)
{
    const YamlNode *columns = find(reading, "columns"), *dataset = find(reading, "dataset"),
                   *times = find(reading, "times");
    const char *path, *set = NULL, *at = NULL, *names[3];
    if (!check_file(reading, file) || (dataset && !yaml_text(dataset, "dataset", &set, reading->err)) ||
        (times && !yaml_text(times, "times", &at, reading->err)) || (columns && !read_names(reading, columns, names)))
        return false;
    if (reading->curve->map)
        return read_map_csv(reading, file, (const char *const *)names) || within(reading->err, "%s", reading->what);
    if (!set)
        return read_csv(reading, file, columns ? (const char *const *)names : NULL) ||
               within(reading->err, "%s", reading->what);
    return (path = take_path(reading, file)) &&
           (read_dataset(reading, path, set, at) || within(reading->err, "%s", reading->what));
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
    const size_t columns = reading->curve->columns;
    double      *samples = take_room(reading, given->count);
    bool         fine = given->columns == columns;
    for (size_t i = 0; samples && fine && i < given->count; ++i) {
        const double *row = given->samples + i * columns;
        fine = put(reading, samples, i, row[0], row[columns - 2], row[columns - 1]);
    }
    return samples && (fine || yaml_fail(reading->node, reading->err,
                                         "%s: the samples in the result file are not those of a table", reading->what));
}

// Whether a file of the table's is not there, given or on a disk.
static bool find_gone(const CurveReading *reading, const YamlNode *node, bool *gone)
{
    const Spec *spec = reading->plan->spec;
    const char *text = NULL, *path;
    if (!yaml_text(node, "file", &text, reading->err) || !(path = plan_path(reading->plan, text, reading->err)))
        return false;
    bool given = false;
    for (size_t i = 0; i < spec->file_count; ++i)
        given = given || strcmp(spec->files[i].path, path) == 0;
    *gone = *gone || (!given && access(path, F_OK) != 0 && errno == ENOENT);
    return true;
}

// Reads the files, or where one of them is gone takes the samples that the result file has of them.
static bool read_or_take(const CurveReading *reading, const YamlNode *file, const SpecTable *spare)
{
    const bool list = file->kind == YAML_SEQUENCE;
    bool       gone = false;
    for (size_t i = 0; i < (list ? file->count : 1); ++i)
        if (!find_gone(reading, list ? file->items[i] : file, &gone))
            return false;
    if (!gone)
        return read_file(reading, file);
    return take_given(reading, spare) &&
           plan_warn(reading->plan, file, reading->err,
                     "%s: its file is gone, its samples are those in the result file", reading->what);
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
    if (list && reading->curve->of)
        return yaml_fail(list, reading->err, "%s: `of` chooses a record of a dataset or one of several files",
                         reading->what);
    if (list)
        return given && !reading->plan->spec->tables_spare ? take_given(reading, given)
               : reading->curve->map                       ? read_map_list(reading, list)
                                                           : read_list(reading, list);
    if (given && reading->plan->spec->tables_spare)
        return read_or_take(reading, file, given);
    return given ? take_given(reading, given) : read_file(reading, file);
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
    const YamlNode *columns = find(reading, "columns"), *list = find(reading, "samples");
    const YamlNode *first = list && list->kind == YAML_SEQUENCE && list->count > 0 ? list->items[0] : NULL;
    Curve          *curve = reading->curve;
    curve->map = (columns && columns->kind == YAML_SEQUENCE && columns->count == 3) ||
                 (first && first->kind == YAML_SEQUENCE && first->count == 3);
    curve->columns = curve->of || curve->map ? 3 : 2;
    if (curve->map && curve->of)
        return yaml_fail(reading->node, reading->err, "%s: a map of two arguments has one record, leave out `of`",
                         reading->what);
    return !curve->map || curve->between == CURVE_LINEAR ||
           yaml_fail(find(reading, "between"), reading->err, "%s: a map of two arguments has `between: linear`",
                     reading->what);
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
    const YamlNode *of = find(reading, "of");
    if (!read_ways(reading) || (of && !yaml_text(of, "of", &curve->of, reading->err)))
        return false;
    if (!read_kind(reading) || !read_samples(reading) || !make_records(reading) || !check_counts(reading))
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

static const Curve *find_table(const Plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->table_count; ++i)
        if (strcmp(plan->tables[i].name, name) == 0)
            return &plan->tables[i];
    return NULL;
}

// The parameter that chooses a record takes their numbers alone; a default of another kind becomes the first.
static bool limit_parameter(const Curve *table, const YamlNode *node, Card *card, Error *err)
{
    const size_t index = table->of ? card_parameter(card, table->of) : card->parameter_count;
    if (table->of && index == card->parameter_count)
        return yaml_fail(node, err,
                         "table '%s' has a record for each value of '%.60s', which is not a parameter of '%s'",
                         table->name, table->of, card->name);
    if (!table->of)
        return true;
    CardParameter *parameter = &card->parameters[index];
    const double   most = (double)(table->record_count - 1);
    if (parameter->choice_count > 0)
        return yaml_fail(node, err, "table '%s': parameter '%s' is a choice of words, and records have numbers",
                         table->name, table->of);
    parameter->whole = true;
    parameter->least = fmax(parameter->least, 0.0);
    parameter->most = fmin(parameter->most, most);
    if (!(parameter->initial >= 0.0 && parameter->initial <= most && parameter->initial == floor(parameter->initial)))
        parameter->initial = 0.0;
    return true;
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
        if (!limit_parameter(table, node, card, err))
            return false;
    }
    if (!curve_list(list, card->table_count, plan->precision == PRECISION_SINGLE, &plan->arena, curves, err))
        return false;
    card->curves = curves;
    return true;
}

bool curves_add(Plan *plan, const YamlNode *node, const bool *called, Error *err)
{
    const Card    *problem = plan->problem;
    Card          *card = arena_take(&plan->arena, 1, sizeof *card, err);
    const char   **tables = arena_take(&plan->arena, problem->table_count + plan->table_count, sizeof *tables, err);
    CardParameter *parameters = arena_take(&plan->arena, problem->parameter_count, sizeof *parameters, err);
    if (!card || !tables || !parameters)
        return false;
    *card = *problem;
    card->tables = tables;
    card->parameters = parameters;
    for (size_t i = 0; i < problem->table_count; ++i)
        tables[i] = problem->tables[i];
    for (size_t i = 0; i < problem->parameter_count; ++i)
        parameters[i] = problem->parameters[i];
    for (size_t i = 0; i < plan->table_count; ++i)
        if (called[i] && !card_lists(problem->tables, problem->table_count, plan->tables[i].name))
            tables[card->table_count++] = plan->tables[i].name;
    if (card->table_count == problem->table_count)
        return true;
    plan->problem = card;
    return curves_choose(plan, node, card, err);
}

bool curves_add_data(Plan *plan, Error *err)
{
    const YamlNode *node = yaml_said(plan->spec->root, spec_data);
    bool           *called = arena_take(&plan->arena, plan->table_count, sizeof *called, err);
    for (size_t i = 0; called && i < plan->table_count; ++i)
        called[i] = plan->tables[i].name == spec_data;
    return called && (!node || curves_add(plan, node, called, err));
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
