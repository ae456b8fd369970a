// curve_samples -- reads samples of a table: from CSV files, datasets, lists and result files.
#include "plan/curve_samples.h"
#include "base/scoped.h"
#include "plan/maps.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

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
    const YamlNode *columns = yaml_said(reading->node, "columns"), *dataset = yaml_said(reading->node, "dataset"),
                   *times = yaml_said(reading->node, "times");
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
    const YamlNode *columns = yaml_said(reading->node, "columns"), *dataset = yaml_said(reading->node, "dataset"),
                   *times = yaml_said(reading->node, "times");
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

bool curve_samples_read(const CurveReading *reading)
{
    const YamlNode  *file = yaml_said(reading->node, "file"), *list = yaml_said(reading->node, "samples");
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
