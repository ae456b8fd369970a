// csv -- fields of a record, and the numbers in them.
#include "base/csv.h"
#include "base/file.h"
#include "base/yaml.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool fail_at(const Csv *csv, uint64_t line, size_t column, Error *err, const char *text)
{
    return fail(err, ERROR_INPUT, "%s:%llu:%zu: %s", csv->path, (unsigned long long)line, column, text);
}

// Fails with the place of a field of the last record.
__attribute__((format(printf, 4, 5))) static bool fail_field(const Csv *csv, size_t field, Error *err,
                                                             const char *format, ...)
{
    char    text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fail_at(csv, csv->line, csv->fields[field].column, err, text);
}

// A byte more of the record.
static bool keep(Csv *csv, char byte, Error *err)
{
    if (csv->used == CSV_LONGEST_RECORD)
        return fail_at(csv, csv->line, 1, err, "the line is longer than 1 MiB: does a quote close?");
    if (csv->used == csv->room) {
        const size_t room = csv->room ? 2 * csv->room : 256;
        char        *record = realloc(csv->record, room);
        if (!record)
            return fail(err, ERROR_INTERNAL, "%s: out of memory for a line", csv->path);
        csv->record = record;
        csv->room = room;
    }
    csv->record[csv->used++] = byte;
    return true;
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t';
}

static int next_byte(Csv *csv, size_t *column)
{
    ++*column;
    return getc_unlocked(csv->file);
}

// A quoted text, up to its closing quote; a quote inside is written twice.
static bool read_quoted(Csv *csv, size_t *column, Error *err)
{
    const size_t   begin = *column;
    const uint64_t line = csv->next_line;
    for (int c;;) {
        c = next_byte(csv, column);
        if (c == '"' && (c = next_byte(csv, column)) != '"') {
            ungetc(c, csv->file);
            --*column;
            return true;
        }
        if (c == EOF || c == '\0')
            return fail_at(csv, line, begin, err, "the quote does not close");
        if (c == '\n') {
            ++csv->next_line;
            *column = 0;
        }
        if (!keep(csv, (char)c, err))
            return false;
    }
}

// One field, without the blanks around it.
//   end  written: the comma, the line feed or the EOF that ended it
static bool read_field(Csv *csv, size_t *column, size_t *begins, int *end, Error *err)
{
    const size_t first = csv->used;
    int          c = next_byte(csv, column);
    while (is_blank(c))
        c = next_byte(csv, column);
    *begins = *column;
    const bool quoted = c == '"';
    if (quoted) {
        if (!read_quoted(csv, column, err))
            return false;
        c = next_byte(csv, column);
    }
    for (; c != ',' && c != '\n' && c != EOF; c = next_byte(csv, column)) {
        if (c == '\r') {
            const int next = getc_unlocked(csv->file);
            ungetc(next, csv->file);
            if (next == '\n' || next == EOF)
                continue;
        }
        if (c == '\0')
            return fail_at(csv, csv->next_line, *column, err, "a NUL byte: this is not a text file");
        if (quoted && !is_blank(c))
            return fail_at(csv, csv->next_line, *column, err, "a comma or the end of the line is due behind the quote");
        if (!quoted && !keep(csv, (char)c, err))
            return false;
    }
    while (!quoted && csv->used > first && is_blank(csv->record[csv->used - 1]))
        --csv->used;
    *end = c;
    return keep(csv, '\0', err);
}

// One record: the places of its fields in `record`, at most `most` of them.
static bool read_record(Csv *csv, CsvField *fields, size_t *starts, size_t most, size_t *count, Error *err)
{
    size_t column = 0;
    int    end = ',';
    csv->line = csv->next_line;
    csv->used = *count = 0;
    while (end == ',') {
        size_t begins;
        if (*count == most)
            return fail_at(csv, csv->line, column + 1, err, "more fields than there are columns");
        starts[*count] = csv->used;
        if (!read_field(csv, &column, &begins, &end, err))
            return false;
        fields[(*count)++].column = begins;
    }
    csv->ended = end == EOF;
    ++csv->next_line;
    if (ferror(csv->file))
        return fail(err, ERROR_IO, "%s: cannot be read: %s", csv->path, strerror(errno));
    for (size_t i = 0; i < *count; ++i)
        fields[i].text = csv->record + starts[i];
    return true;
}

// Only the end may be empty.
static bool read_rest(Csv *csv, Error *err)
{
    size_t column = 0;
    for (int c; (c = next_byte(csv, &column)) != EOF;) {
        if (c == '\n') {
            ++csv->next_line;
            column = 0;
        } else if (c != '\r' && !is_blank(c)) {
            return fail_at(csv, csv->line, 1, err, "the line is empty");
        }
    }
    csv->ended = true;
    return true;
}

static bool read_header(Csv *csv, Error *err)
{
    CsvField names[CSV_COLUMNS];
    size_t   starts[CSV_COLUMNS];
    if (!read_record(csv, names, starts, CSV_COLUMNS, &csv->count, err))
        return false;
    if (csv->count == 1 && !*names[0].text)
        return fail_at(csv, 1, 1, err, "the first line is empty: it must name the columns");
    csv->names = arena_take(&csv->arena, csv->count, sizeof *csv->names, err);
    csv->fields = arena_take(&csv->arena, csv->count, sizeof *csv->fields, err);
    csv->numbers = arena_take(&csv->arena, csv->count, sizeof *csv->numbers, err);
    csv->passed = arena_take(&csv->arena, csv->count, sizeof *csv->passed, err);
    csv->gaps = arena_take(&csv->arena, csv->count, sizeof *csv->gaps, err);
    if (!csv->names || !csv->fields || !csv->numbers || !csv->passed || !csv->gaps)
        return false;
    for (size_t i = 0; i < csv->count; ++i) {
        csv->names[i] = csv->fields[i] = (CsvField){arena_copy(&csv->arena, names[i].text, err), names[i].column};
        if (!csv->names[i].text)
            return false;
    }
    return true;
}

bool csv_check_name(const Csv *csv, size_t column, Error *err)
{
    const CsvField *name = &csv->names[column];
    if (!*name->text)
        return fail_at(csv, 1, name->column, err,
                       "the column has no name: give it one, or leave it out by a list of columns");
    for (size_t k = 0; k < csv->count; ++k)
        if (k != column && strcmp(csv->names[k].text, name->text) == 0)
            return fail_field(csv, k > column ? k : column, err, "column '%.60s' is there twice", name->text);
    return true;
}

// A directory and a pipe nobody writes to are refused as file_read() does.
static bool open_file(Csv *csv, Error *err)
{
    struct stat about;
    int         file SCOPED(file_close) = open(csv->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return fail(err, ERROR_IO, "%s: cannot be opened: %s", csv->path, strerror(errno));
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))
        return fail(err, ERROR_IO, "%s: is not a file", csv->path);
    csv->file = fdopen(file, "r");
    if (!csv->file)
        return fail(err, ERROR_INTERNAL, "%s: out of memory", csv->path);
    file = -1;
    return true;
}

bool csv_open(const char *path, Csv *csv, Error *err)
{
    static const unsigned char mark[3] = {0xEF, 0xBB, 0xBF};
    unsigned char              begin[3];
    *csv = (Csv){.path = path, .next_line = 1};
    bool ok = open_file(csv, err);
    if (ok && (fread(begin, 1, 3, csv->file) != 3 || memcmp(begin, mark, 3) != 0))
        rewind(csv->file);
    ok = ok && read_header(csv, err);
    if (!ok)
        csv_close(csv);
    return ok;
}

// Words that programs write in place of a missing number.
static bool is_gap(const char *text)
{
    static const char *const gaps[] = {"", "nan", "na", "n/a", "null", "none", "inf", "infinity"};
    const char              *word = *text == '-' || *text == '+' ? text + 1 : text;
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; ++i)
        if (strcasecmp(word, gaps[i]) == 0)
            return true;
    return false;
}

// What to do about a field that is not a number.
static const char *remedy_of(const char *field)
{
    if (strpbrk(field, ";\t"))
        return "; commas separate the columns";
    if (is_gap(field))
        return "; every row needs a number here";
    return isalpha((unsigned char)*field) ? "; a list of columns without this one leaves it out" : "";
}

bool csv_next(Csv *csv, bool *more, Error *err)
{
    size_t starts[CSV_COLUMNS], count;
    *more = false;
    if (csv->ended)
        return true;
    if (!read_record(csv, csv->fields, starts, csv->count, &count, err))
        return false;
    if (count == 1 && !*csv->fields[0].text)
        return csv->ended || read_rest(csv, err);
    if (count < csv->count)
        return fail(err, ERROR_INPUT, "%s:%llu:%zu: %zu fields, but there are %zu columns", csv->path,
                    (unsigned long long)csv->line, csv->fields[count - 1].column, count, csv->count);
    for (size_t i = 0; i < count; ++i) {
        csv->numbers[i] = (double)NAN;
        if (csv->passed[i] || (csv->gaps[i] && is_gap(csv->fields[i].text)))
            continue;
        if (!yaml_parse_number(csv->fields[i].text, &csv->numbers[i]))
            return *csv->fields[i].text
                       ? fail_field(csv, i, err, "column '%.60s': '%.60s' is not a number that a double can hold%s",
                                    csv->names[i].text, csv->fields[i].text, remedy_of(csv->fields[i].text))
                       : fail_field(csv, i, err, "column '%.60s' is empty here", csv->names[i].text);
    }
    *more = true;
    return true;
}

void csv_close(Csv *csv)
{
    if (csv->file)
        fclose(csv->file);
    free(csv->record);
    arena_free(&csv->arena);
    *csv = (Csv){0};
}
