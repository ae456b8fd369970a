// table -- cells as they come, each in its column.
#include "terminal/table.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const table_formats[FORMAT_MARKDOWN] = {"text", "csv", "json"};

static bool shows(const Table *table, size_t column)
{
    const unsigned formats = table->columns[column].formats;
    return !formats || (formats & 1u << table->format);
}

void table_add_field(Text *text, const char *shown)
{
    const char *quote = strpbrk(shown, ",\"\r\n") ? "\"" : "";
    text_add(text, "%s", quote);
    for (const char *c = shown; *c; ++c)
        text_add(text, *c == '"' ? "\"\"" : "%c", *c);
    text_add(text, "%s", quote);
}

// A cell of markdown, which a bar would end.
static void add_cell(Text *text, const char *shown)
{
    for (const char *c = shown; *c; ++c)
        text_add(text, *c == '|' ? "\\|" : "%c", *c);
}

// Fills the next column.
static void put(Table *table, const char *shown)
{
    const size_t       c = table->at++;
    const TableColumn *column = &table->columns[c];
    const int          width = table->widths ? table->widths[c] : column->width, length = (int)strlen(shown);
    if (!shows(table, c))
        return;
    if (table->measures) {
        table->widths[c] = length > width ? length : width;
    } else if (table->format == FORMAT_TEXT) {
        text_add(table->text, "%*s%*s", column->gap, "", column->left ? -width : width, shown);
    } else if (table->format == FORMAT_CSV) {
        text_add(table->text, "%s", table->filled ? "," : "");
        table_add_field(table->text, shown);
    } else {
        text_add(table->text, "| ");
        add_cell(table->text, shown);
        text_add(table->text, " ");
    }
    table->filled = true;
}

// Finds the column of a cell, and leaves the columns in front of it empty. NULL: the cell is not shown in this format.
static const TableColumn *find(Table *table, const char *name)
{
    static const TableColumn any = {.name = ""};
    size_t                   c = table->format == FORMAT_JSON ? 0 : table->at;
    while (c < table->column_count && name && strcmp(table->columns[c].name, name) != 0)
        ++c;
    if (!name || c == table->column_count)
        return table->format == FORMAT_JSON ? &any : NULL;
    if (!shows(table, c))
        return NULL;
    while (table->format != FORMAT_JSON && table->at < c)
        put(table, "");
    return &table->columns[c];
}

void table_number(Table *table, const char *name, double number)
{
    const TableColumn *column = find(table, name);
    const bool         people = table->format == FORMAT_TEXT || table->format == FORMAT_MARKDOWN;
    Text               shown SCOPED(text_free) = {0};
    if (!column || (table->inside && isnan(number)))
        return;
    if (table->format == FORMAT_JSON) {
        json_member(table->text, name);
        json_number(table->text, number);
        return;
    }
    if (!isfinite(number))
        text_add(&shown, "%s", isnan(number) ? (people ? "-" : "") : people ? "infinite" : number > 0 ? "inf" : "-inf");
    else if (people && column->digits)
        text_add(&shown, "%.*g", column->digits, number);
    else
        json_number(&shown, number);
    put(table, shown.text ? shown.text : "");
    table->text->failed = table->text->failed || shown.failed;
}

// Adds a cell with its text as it is.
static void add_plain(Table *table, const char *name, const char *shown)
{
    if (!find(table, name))
        return;
    if (table->format != FORMAT_JSON) {
        put(table, shown);
        return;
    }
    json_member(table->text, name);
    text_add(table->text, "%s", shown);
}

void table_whole(Table *table, const char *name, int64_t whole)
{
    char shown[32];
    snprintf(shown, sizeof shown, "%" PRId64, whole);
    add_plain(table, name, shown);
}

void table_truth(Table *table, const char *name, bool truth)
{
    const bool json = table->format == FORMAT_JSON;
    add_plain(table, name, truth ? (json ? "true" : "1") : json ? "false" : "0");
}

void table_word(Table *table, const char *name, const char *word)
{
    Text quoted SCOPED(text_free) = {0};
    if (table->format == FORMAT_JSON)
        json_string(&quoted, word);
    const char *shown = table->format == FORMAT_JSON ? quoted.text : word;
    add_plain(table, name, shown ? shown : "");
    table->text->failed = table->text->failed || quoted.failed;
}

void table_format(Table *table, const char *name, const char *format, ...)
{
    char   *word SCOPED(scoped_free) = NULL;
    va_list arguments;
    va_start(arguments, format);
    table->text->failed = vasprintf(&word, format, arguments) < 0 || table->text->failed;
    va_end(arguments);
    if (!table->text->failed)
        table_word(table, name, word);
}

void table_words(Table *table, const char *name, const char *const *words, size_t count)
{
    const bool json = table->format == FORMAT_JSON;
    Text       list SCOPED(text_free) = {0};
    table_open(table, name, "[");
    for (size_t i = 0; i < count && json; ++i)
        table_word(table, NULL, words[i]);
    table_close(table, "]");
    for (size_t i = 0; i < count && !json; ++i)
        text_add(&list, "%s%s", i ? ", " : "", words[i]);
    if (!json)
        table_word(table, name, list.text);
    table->text->failed = table->text->failed || list.failed;
}

void table_open(Table *table, const char *name, const char *bracket)
{
    if (table->format != FORMAT_JSON)
        return;
    json_member(table->text, name);
    text_add(table->text, "%s", bracket);
    table->inside = true;
}

void table_close(Table *table, const char *bracket)
{
    table->inside = false;
    if (table->format == FORMAT_JSON)
        text_add(table->text, "%s", bracket);
}

// Whether nothing stands behind the bracket that opened a list of json.
static bool is_empty(const Text *text)
{
    return text->length > 0 && text->text[text->length - 1] == '[';
}

void table_begin(Table *table)
{
    if (table->format == FORMAT_JSON)
        text_add(table->text, "[");
    else if (table->format != FORMAT_TEXT)
        table_heading(table);
}

void table_end(Table *table)
{
    if (table->format == FORMAT_JSON)
        text_add(table->text, is_empty(table->text) ? "]" : "\n]");
}

void table_row(Table *table)
{
    table->at = 0;
    table->filled = false;
    if (table->format == FORMAT_JSON)
        text_add(table->text, is_empty(table->text) ? "\n{" : ",\n{");
}

void table_end_row(Table *table)
{
    Text *text = table->text;
    if (table->format == FORMAT_JSON) {
        text_add(text, "}");
        return;
    }
    while (table->at < table->column_count)
        put(table, "");
    if (table->measures || !table->filled)
        return;
    while (table->format == FORMAT_TEXT && text->length > 0 && text->text[text->length - 1] == ' ')
        --text->length;
    text_add(text, table->format == FORMAT_MARKDOWN ? "|\n" : "\n");
}

// The line above the headings, where there is one.
static void add_above(Table *table)
{
    int width = 0, printed = 0;
    for (const TableColumn *c = table->columns; c < table->columns + table->column_count; ++c) {
        width += c->gap + c->width;
        if (!c->above)
            continue;
        text_add(table->text, "%*s", width, c->above);
        printed += width;
        width = 0;
    }
    text_add(table->text, "%s", printed ? "\n" : "");
}

void table_heading(Table *table)
{
    if (table->format == FORMAT_JSON)
        return;
    add_above(table);
    table->at = 0;
    table->filled = false;
    while (table->at < table->column_count) {
        const TableColumn *column = &table->columns[table->at];
        put(table, column->heading && table->format != FORMAT_CSV ? column->heading : column->name);
    }
    table_end_row(table);
    for (size_t c = 0; c < table->column_count && table->format == FORMAT_MARKDOWN; ++c)
        if (shows(table, c))
            text_add(table->text, table->columns[c].left ? "|---" : "|---:");
    text_add(table->text, table->format == FORMAT_MARKDOWN ? "|\n" : "");
}
