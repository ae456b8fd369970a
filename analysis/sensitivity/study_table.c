// study_table -- columns of a table that another program wrote, as a group that can be studied.
#include "analysis/sensitivity/study.h"
#include "points/point_file.h"

#include <string.h>

static bool check_names(const char *const *names, size_t count, size_t inputs, Error *err)
{
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < i; ++k)
            if (strcmp(names[i], names[k]) == 0)
                return fail(err, ERROR_USAGE, "%s names '%.60s'%s: a column is named once",
                            i < inputs ? "--inputs" : "--outputs", names[i],
                            k < inputs && i >= inputs ? ", which is an input" : " twice");
    return true;
}

static bool is_constant(const PointColumn *column, uint64_t count)
{
    uint64_t i = 1;
    while (i < count && column->values[i] == column->values[0])
        ++i;
    return i == count;
}

// What no index can be found of.
static bool check_columns(const PointFile *table, size_t inputs, Error *err)
{
    if (table->count == 1)
        return point_file_fail(
            table, 0, 0, err, "this is the only row: indices need many, %d at the least, and some hundred to be of use",
            STUDY_LEAST_ROWS);
    for (size_t i = 0; i < inputs; ++i)
        if (is_constant(&table->columns[i], table->count))
            return point_file_fail(table, i, POINT_FILE_HEADER, err,
                                   "the input '%.60s' is %g in all rows, and nothing depends on it: leave it out",
                                   table->columns[i].name, table->columns[i].values[0]);
    return true;
}

static bool hold(const PointFile *table, const char *const *names, size_t inputs, StoreFile *file, Error *err)
{
    Arena          room SCOPED(arena_free) = {0};
    const double **columns = arena_take(&room, table->column_count, sizeof *columns, err);
    for (size_t i = 0; columns && i < table->column_count; ++i)
        columns[i] = table->columns[i].values;
    const StudyArrays arrays = {.path = table->path,
                                .columns = columns,
                                .point_count = (size_t)table->count,
                                .factor_count = inputs,
                                .output_count = table->column_count - inputs,
                                .factors = names,
                                .outputs = names + inputs};
    return columns && study_hold(&arrays, file, err);
}

bool study_table(const char *path, const char *const *inputs, size_t input_count, const char *const *outputs,
                 size_t output_count, StoreFile *file, Error *err)
{
    Arena        room SCOPED(arena_free) = {0};
    const size_t count = input_count + output_count;
    const char **names = arena_take(&room, count, sizeof *names, err);
    PointFile    table SCOPED(point_file_free) = {0};
    *file = (StoreFile){0};
    for (size_t i = 0; names && i < count; ++i)
        names[i] = i < input_count ? inputs[i] : outputs[i - input_count];
    return names && check_names(names, count, input_count, err) &&
           point_file_read_columns(path, names, count, input_count, &table, err) &&
           check_columns(&table, input_count, err) && hold(&table, names, input_count, file, err);
}
