// study_table -- columns of a table that another program wrote, as a group that can be studied.
#include "analysis/sensitivity/study.h"
#include "analysis/sensitivity/study_named.h"
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

static bool check_named(const PointFile *table, size_t inputs, const StudyNamed *named, Error *err)
{
    for (size_t i = 0; i < inputs; ++i) {
        const PointColumn *column = &table->columns[i];
        const uint64_t     row = named[i].text ? study_named_outside(&named[i], column->values, table->count) : 0;
        if (named[i].text && row < table->count)
            return point_file_fail(table, i, row, err,
                                   "the distribution of '%.60s', %.100s, has no value %.17g: name another one, or "
                                   "leave the row out",
                                   column->name, named[i].text, column->values[row]);
    }
    return true;
}

// Says which inputs have other values than their distributions. Rows may be so on purpose.
static bool note_named(const PointFile *table, size_t inputs, const StudyNamed *named, Text *notes, Error *err)
{
    for (size_t i = 0; i < inputs; ++i) {
        Arena  room SCOPED(arena_free) = {0};
        double distance;
        bool   differs = false;
        if (named[i].text &&
            !study_named_differs(&named[i], table->columns[i].values, table->count, &room, &distance, &differs, err))
            return false;
        if (differs)
            text_add(notes,
                     "%s: the rows of '%s' are no sample of %s: probabilities differ by up to %.2g, and indices are "
                     "what the expansion, or the rows, say of that distribution\n",
                     table->path, table->columns[i].name, named[i].text, distance);
    }
    return true;
}

static bool hold(const PointFile *table, const char *const *names, size_t inputs, const StudyNamed *named,
                 StoreFile *file, Error *err)
{
    Arena          room SCOPED(arena_free) = {0};
    const double **columns = arena_take(&room, table->column_count, sizeof *columns, err);
    const char   **distributions = arena_take(&room, inputs, sizeof *distributions, err);
    for (size_t i = 0; distributions && i < inputs; ++i)
        distributions[i] = named[i].text;
    for (size_t i = 0; columns && i < table->column_count; ++i)
        columns[i] = table->columns[i].values;
    const StudyArrays arrays = {.path = table->path,
                                .columns = columns,
                                .point_count = (size_t)table->count,
                                .factor_count = inputs,
                                .output_count = table->column_count - inputs,
                                .factors = names,
                                .outputs = names + inputs,
                                .distributions = distributions};
    if (!columns || !distributions || !study_hold(&arrays, file, err))
        return false;
    if (note_named(table, inputs, named, &file->notes, err))
        return true;
    store_read_close(file);
    return false;
}

bool study_table(const char *path, const char *const *inputs, size_t input_count, const char *const *outputs,
                 size_t output_count, const char *const *named, size_t named_count, StoreFile *file, Error *err)
{
    Arena        room SCOPED(arena_free) = {0};
    const size_t count = input_count + output_count;
    const char **names = arena_take(&room, count, sizeof *names, err);
    StudyNamed  *distributions = arena_take(&room, input_count, sizeof *distributions, err);
    PointFile    table SCOPED(point_file_free) = {0};
    *file = (StoreFile){0};
    if (!names || !distributions)
        return false;
    for (size_t i = 0; i < count; ++i)
        names[i] = i < input_count ? inputs[i] : outputs[i - input_count];
    return check_names(names, count, input_count, err) &&
           study_named_read(named, named_count, names, input_count, distributions, &room, err) &&
           point_file_read_columns(path, names, count, input_count, &table, err) &&
           check_columns(&table, input_count, err) && check_named(&table, input_count, distributions, err) &&
           hold(&table, names, input_count, distributions, file, err);
}
