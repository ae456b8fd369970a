// pareto_print -- a row per point of the front, and what became of the others.
#include "cli/pareto_print.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL = 72 };

static const char *const over_names[] = {"each", "median", "worst"};

// What a column says of a point: a word, a number, or NULL and NaN.
static const char *find_word(const Pareto *pareto, size_t column, const FrontPoint *point, double *number)
{
    *number = pareto_value(pareto, column, point);
    return columns_word(&pareto->columns.items[column], *number);
}

// A field of csv; in quotes where it has to be.
static void add_field(Text *text, const char *field)
{
    if (!strpbrk(field, ",\"\r\n")) {
        text_add(text, "%s", field);
        return;
    }
    text_add(text, "\"");
    for (; *field; ++field)
        text_add(text, *field == '"' ? "\"\"" : "%c", *field);
    text_add(text, "\"");
}

static void print_csv(Text *text, const Pareto *pareto)
{
    text_add(text, "label,method");
    for (size_t i = 0; i < pareto->columns.count; ++i)
        if (pareto_shows(pareto, i)) {
            text_add(text, ",");
            add_field(text, pareto->columns.items[i].name);
        }
    for (size_t i = 0; i < pareto->objective_count; ++i) {
        text_add(text, ",");
        add_field(text, pareto->objectives[i]);
    }
    text_add(text, ",knee\n");
    for (size_t r = 0; r < pareto->front.count; ++r) {
        const FrontPoint *point = &pareto->front.items[r];
        add_field(text, pareto->points[point->group].group->label);
        text_add(text, ",");
        add_field(text, pareto->groups[point->group].method);
        for (size_t i = 0; i < pareto->columns.count; ++i) {
            double      number;
            const char *word = find_word(pareto, i, point, &number);
            if (!pareto_shows(pareto, i))
                continue;
            text_add(text, ",");
            if (word)
                add_field(text, word);
            else if (!isnan(number))
                json_number(text, number);
        }
        for (size_t i = 0; i < pareto->objective_count; ++i) {
            text_add(text, ",");
            json_number(text, point->values[i]);
        }
        text_add(text, ",%d\n", point->knee);
    }
}

// The columns of one kind that a point has, as an object.
static void add_object(Text *text, const Pareto *pareto, const FrontPoint *point, bool problem)
{
    size_t listed = 0;
    json_key(text, problem ? "problem" : "parameters");
    text_add(text, "{");
    for (size_t i = 0; i < pareto->columns.count; ++i) {
        double      number;
        const char *word = find_word(pareto, i, point, &number);
        if (!pareto_shows(pareto, i) || pareto->columns.items[i].problem != problem || isnan(number))
            continue;
        text_add(text, "%s", listed++ ? ", " : "");
        json_key(text, pareto->columns.items[i].name);
        if (word)
            json_string(text, word);
        else
            json_number(text, number);
    }
    text_add(text, "}, ");
}

static void add_json_point(Text *text, const Pareto *pareto, const FrontPoint *point)
{
    text_add(text, "{\"label\": ");
    json_string(text, pareto->points[point->group].group->label);
    text_add(text, ", \"method\": ");
    json_string(text, pareto->groups[point->group].method);
    text_add(text, ", ");
    add_object(text, pareto, point, true);
    add_object(text, pareto, point, false);
    text_add(text, "\"objectives\": {");
    for (size_t i = 0; i < pareto->objective_count; ++i) {
        text_add(text, "%s", i ? ", " : "");
        json_key(text, pareto->objectives[i]);
        json_number(text, point->values[i]);
    }
    text_add(text, "}, \"knee\": %s}", point->knee ? "true" : "false");
}

static void add_json_group(Text *text, const Pareto *pareto, size_t g)
{
    const ParetoGroup *group = &pareto->groups[g];
    text_add(text, "{\"label\": ");
    json_string(text, pareto->points[g].group->label);
    text_add(text, ", \"method\": ");
    json_string(text, group->method);
    text_add(text, ", \"points\": %" PRIu64 ", \"compared\": %" PRIu64 ", \"on_front\": %" PRIu64 ", \"left_out\": {",
             group->points, group->compared, group->on_front);
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (status != STATUS_OK)
            text_add(text, "\"%s\": %" PRIu64 ", ", status_names[status], group->counts[status]);
    text_add(text,
             "\"objective_not_finite\": %" PRIu64 ", \"decisions_infinite\": %" PRIu64
             ", \"decisions_partial\": %" PRIu64 "}}",
             group->not_finite, group->infinite, group->partial);
}

static void print_json(Text *text, const Pareto *pareto)
{
    text_add(text, "{\"file\": ");
    json_string(text, pareto->file.path);
    text_add(text, ", \"over\": \"%s\", \"problems\": %zu, \"objectives\": [", over_names[pareto->request->over],
             pareto->problem_count);
    for (size_t i = 0; i < pareto->objective_count; ++i) {
        text_add(text, "%s", i ? ", " : "");
        json_string(text, pareto->objectives[i]);
    }
    text_add(text, "],\n \"front\": [");
    for (size_t i = 0; i < pareto->front.count; ++i) {
        text_add(text, "%s", i ? ",\n  " : "\n  ");
        add_json_point(text, pareto, &pareto->front.items[i]);
    }
    text_add(text, "\n ],\n \"groups\": [");
    for (size_t i = 0; i < pareto->group_count; ++i) {
        text_add(text, "%s", i ? ",\n  " : "\n  ");
        add_json_group(text, pareto, i);
    }
    text_add(text, "\n ]}\n");
}

// The text of a table's cell: the columns, with the label between those of the problem and of decisions, the
// objectives, the mark. Row -1 is the head.
static void make_cell(const Pareto *pareto, long row, size_t column, char cell[CELL])
{
    const Columns    *columns = &pareto->columns;
    const FrontPoint *point = row < 0 ? NULL : &pareto->front.items[row];
    const size_t label = columns->problem_count, first = columns->count + 1, mark = first + pareto->objective_count;
    if (column == label) {
        snprintf(cell, CELL, "%s", point ? pareto->points[point->group].group->label : "label");
    } else if (column == mark) {
        snprintf(cell, CELL, "%s", point && point->knee ? "*" : "");
    } else if (column >= first) {
        if (point)
            snprintf(cell, CELL, "%.6g", point->values[column - first]);
        else
            snprintf(cell, CELL, "%s", pareto->objectives[column - first]);
    } else {
        const size_t found = column - (column > label);
        double       number = 0.0;
        const char  *word = point ? find_word(pareto, found, point, &number) : columns->items[found].name;
        if (word)
            snprintf(cell, CELL, "%s", word);
        else
            snprintf(cell, CELL, isnan(number) ? "-" : "%.6g", number);
    }
}

static void add_table(Text *text, const Pareto *pareto)
{
    const size_t label = pareto->columns.problem_count, count = pareto->columns.count + pareto->objective_count + 2;
    int          widths[COLUMNS_MOST + OBJECTIVES + 2] = {0};
    char         cell[CELL];
    const long   rows = (long)pareto->front.count;
    for (size_t i = 0; i < count; ++i)
        for (long r = -1; r < rows; ++r) {
            make_cell(pareto, r, i, cell);
            widths[i] = (int)strlen(cell) > widths[i] ? (int)strlen(cell) : widths[i];
        }
    for (long r = -1; r < rows; ++r) {
        // A blank line between problems.
        if (r > 0 && pareto->front.items[r].problem != pareto->front.items[r - 1].problem)
            text_add(text, "\n");
        for (size_t i = 0; i < count; ++i) {
            const size_t column = i - (i > label);
            if (i != label && column < pareto->columns.count && !pareto_shows(pareto, column))
                continue;
            make_cell(pareto, r, i, cell);
            if (i + 1 == count)
                text_add(text, "%s%s", *cell ? " " : "", cell);
            else
                text_add(text, i == label ? "  %-*s" : "  %*s", widths[i], cell);
        }
        text_add(text, "\n");
    }
}

static void add_count(Text *text, size_t *listed, const char *before, uint64_t count, const char *what)
{
    if (count)
        text_add(text, "%s%" PRIu64 " %s", (*listed)++ ? ", " : before, count, what);
}

static void add_group(Text *text, const Pareto *pareto, size_t g)
{
    const ParetoGroup *group = &pareto->groups[g];
    const bool         each = pareto->request->over == PARETO_EACH;
    const char        *before = each ? "; left out: " : "; of its points: ";
    size_t             decisions = 0, points = 0;
    text_add(text, "%s: %" PRIu64 " of %" PRIu64 " %s on %s", pareto->points[g].group->label, group->on_front,
             each ? group->points : group->compared + group->infinite + group->partial, each ? "points" : "decisions",
             each && pareto->problem_count > 1 ? "a front" : "the front");
    add_count(text, &decisions, "; left out: ", group->infinite, "that fail too often");
    add_count(text, &decisions, "; left out: ", group->partial, "not run on every problem");
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (status != STATUS_OK)
            add_count(text, &points, before, group->counts[status], status_names[status]);
    add_count(text, &points, before, group->not_finite, "with an objective that is no finite number");
    text_add(text, "\n");
}

static void print_text(Text *text, const Pareto *pareto)
{
    size_t     never = 0;
    const bool each = pareto->request->over == PARETO_EACH;
    text_add(text, "Not dominated in ");
    for (size_t i = 0; i < pareto->objective_count; ++i)
        text_add(text, "%s%s", i == 0 ? "" : i + 1 == pareto->objective_count ? " and " : ", ", pareto->objectives[i]);
    if (!each)
        text_add(text, ", the %s of %zu problem%s", over_names[pareto->request->over], pareto->problem_count,
                 pareto->problem_count == 1 ? "" : "s");
    else if (pareto->problem_count > 1)
        text_add(text, ", for each of %zu problems", pareto->problem_count);
    text_add(text, "%s\n", pareto->objective_count == 2 ? "; * marks the knee" : "");
    if (pareto->front.count > 0)
        add_table(text, pareto);
    text_add(text, "\n");
    for (size_t g = 0; g < pareto->group_count; ++g)
        add_group(text, pareto, g);
    for (size_t g = 0; g < pareto->group_count; ++g)
        if (pareto->groups[g].on_front == 0)
            text_add(text, "%s%s", never++ ? ", " : "never on a front: ", pareto->points[g].group->label);
    text_add(text, "%s", never ? "\n" : "");
}

void pareto_print(Text *text, ParetoFormat format, const Pareto *pareto)
{
    void (*const print[])(Text *, const Pareto *) = {print_text, print_csv, print_json};
    print[format](text, pareto);
}
