// point_file -- columns that grow with the file, and places of numbers in it.
#include "points/point_file.h"

#include "base/csv.h"
#include "base/suggest.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool point_file_grow(PointFile *file, uint64_t count, Error *err)
{
    if (count > POINT_FILE_MOST)
        return fail(err, ERROR_INPUT, "%s: more than %d points", file->path, POINT_FILE_MOST);
    if (count <= file->room)
        return true;
    const uint64_t longer = file->room + file->room / 2 + 1024, room = count > longer ? count : longer;
    for (size_t i = 0; i < file->column_count; ++i) {
        double *values = realloc(file->columns[i].values, (size_t)room * sizeof *values);
        if (!values)
            return fail(err, ERROR_INTERNAL, "%s: out of memory for %llu points of %zu columns", file->path,
                        (unsigned long long)room, file->column_count);
        file->columns[i].values = values;
    }
    file->room = room;
    return true;
}

static bool read_records(PointFile *file, Csv *csv, Error *err)
{
    for (bool more = true;;) {
        if (!csv_next(csv, &more, err))
            return false;
        if (!more)
            break;
        if (!point_file_grow(file, file->count + 1, err))
            return false;
        for (size_t i = 0; i < file->column_count; ++i)
            file->columns[i].values[file->count] = csv->numbers[file->columns[i].place];
        ++file->count;
    }
    return file->count > 0 || fail(err, ERROR_INPUT, "%s: a header, but no points below it", file->path);
}

static bool add_column(PointFile *file, Csv *csv, size_t place, Error *err)
{
    if (!csv_check_name(csv, place, err))
        return false;
    PointColumn *column = &file->columns[file->column_count++];
    csv->passed[place] = false;
    csv->gaps[place] = file->column_count > file->sure;
    *column = (PointColumn){.name = arena_copy(&file->arena, csv->names[place].text, err), .place = place};
    return column->name != NULL;
}

// A message shows the columns that there are up to about this many bytes.
enum { NAMES_SHOWN = 160 };

// Always false.
static bool fail_missing(const Csv *csv, const char *name, Error *err)
{
    const char *near = NULL;
    Text        there SCOPED(text_free) = {0};
    text_add(&there, "; the first line names ");
    for (size_t i = 0; i < csv->count && !near; ++i) {
        near = suggest(name, &csv->names[i].text, 1);
        if (there.length < NAMES_SHOWN)
            text_add(&there, "%s'%.60s'", i > 0 ? ", " : "", csv->names[i].text);
        else if (i + 1 == csv->count)
            text_add(&there, ", ...");
    }
    if (csv->count == 1 && strpbrk(csv->names[0].text, ";\t"))
        text_add(&there, "; commas separate the columns");
    return text_check(&there, err) && (fail(err, ERROR_INPUT, "%s:1: there is no column '%.60s'", csv->path, name) ||
                                       suggest_add(err, near, there.text));
}

static bool choose_columns(PointFile *file, Csv *csv, const char *const *names, size_t count, Error *err)
{
    file->columns = arena_take(&file->arena, csv->count + count, sizeof *file->columns, err);
    if (!file->columns)
        return false;
    for (size_t i = 0; i < csv->count; ++i) {
        csv->passed[i] = true;
        if (!names && !add_column(file, csv, i, err))
            return false;
    }
    for (size_t k = 0; names && k < count; ++k) {
        size_t i = 0;
        while (i < csv->count && strcmp(csv->names[i].text, names[k]) != 0)
            ++i;
        if (i == csv->count)
            return fail_missing(csv, names[k], err);
        if (!add_column(file, csv, i, err))
            return false;
    }
    return true;
}

bool point_file_read_gaps(const char *path, const char *const *names, size_t count, size_t sure, PointFile *file,
                          Error *err)
{
    Csv csv SCOPED(csv_close) = {0};
    *file = (PointFile){.sure = sure};
    file->path = arena_copy(&file->arena, path, err);
    const bool ok = file->path && csv_open(file->path, &csv, err) && choose_columns(file, &csv, names, count, err) &&
                    read_records(file, &csv, err);
    if (!ok)
        point_file_free(file);
    return ok;
}

bool point_file_read_csv(const char *path, const char *const *names, size_t count, PointFile *file, Error *err)
{
    return point_file_read_gaps(path, names, count, SIZE_MAX, file, err);
}

// Where a number stands in a CSV file: it is read again up to there.
static bool find_place(const PointFile *file, size_t place, uint64_t row, uint64_t *line, size_t *at)
{
    Csv   csv SCOPED(csv_close) = {0};
    Error unread;
    bool  found = csv_open(file->path, &csv, &unread);
    for (size_t i = 0; found && i < csv.count; ++i)
        csv.passed[i] = true;
    for (uint64_t i = 0; found && row != POINT_FILE_HEADER && i <= row; ++i) {
        bool more = false;
        found = csv_next(&csv, &more, &unread) && more;
    }
    found = found && place < csv.count;
    if (found) {
        *line = csv.line;
        *at = csv.fields[place].column;
    }
    return found;
}

bool point_file_fail(const PointFile *file, size_t column, uint64_t row, Error *err, const char *format, ...)
{
    char     text[1024];
    va_list  arguments;
    uint64_t line = 0;
    size_t   at = 0;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!file->dataset && find_place(file, file->columns[column].place, row, &line, &at))
        return fail(err, ERROR_INPUT, "%s:%llu:%zu: %s", file->path, (unsigned long long)line, at, text);
    if (row == POINT_FILE_HEADER)
        return fail(err, ERROR_INPUT, "%s: %s", file->path, text);
    return fail(err, ERROR_INPUT, "%s: %s[%llu, %zu]: %s", file->path, file->dataset ? file->dataset : "point",
                (unsigned long long)row, file->columns[column].place, text);
}

PointFile point_file_borrow(const PointFile *from)
{
    PointFile file = *from;
    file.borrowed = true;
    file.arena = (Arena){0};
    return file;
}

void point_file_free(PointFile *file)
{
    for (size_t i = 0; i < file->column_count && !file->borrowed; ++i)
        free(file->columns[i].values);
    arena_free(&file->arena);
    *file = (PointFile){0};
}
