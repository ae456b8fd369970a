// pareto_print -- a row per point of the front, and what became of the others.
#include "analysis/pareto/pareto_print.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const over_names[] = {"each", "median", "worst"};

// A cell of csv, or of the text's table, where a tab ends it.
static void add_cell(Text *text, bool csv, const char *word, double number)
{
    if (!csv && !word && isnan(number))
        word = "-";
    if (csv && word)
        format_field(text, word);
    else if (csv)
        format_number(text, number);
    else if (word)
        text_add(text, "%s", word);
    else
        text_add(text, "%.6g", number);
    text_add(text, csv ? "," : "\t");
}

// The row of a point; of the head where there is none.
static void add_row(Text *text, bool csv, const Pareto *pareto, const FrontPoint *point)
{
    add_cell(text, csv, point ? pareto->points[point->group].group->label : "label", 0.0);
    if (csv)
        add_cell(text, csv, point ? pareto->groups[point->group].method : "method", 0.0);
    for (size_t i = 0; i < pareto->columns.count; ++i) {
        const char *word = pareto->columns.items[i].name;
        double      number = 0.0;
        if (point)
            word = pareto_value(pareto, i, point, &number);
        if (pareto_shows(pareto, i))
            add_cell(text, csv, word, number);
    }
    for (size_t i = 0; i < pareto->objective_count; ++i)
        add_cell(text, csv, point ? NULL : pareto->objectives[i], point ? point->values[i] : 0.0);
    if (csv)
        text_add(text, point ? "%d\n" : "knee\n", point && point->knee);
    else
        text_add(text, "%s\n", point && point->knee ? " *" : "");
}

static void add_rows(Text *text, bool csv, const Pareto *pareto)
{
    const FrontList *front = &pareto->front;
    add_row(text, csv, pareto, NULL);
    for (size_t r = 0; r < front->count; ++r) {
        if (!csv && r > 0 && front->items[r].problem != front->items[r - 1].problem)
            text_add(text, "\n");
        add_row(text, csv, pareto, &front->items[r]);
    }
}

// Adds a table with its cells in line: words to the left in the first column, numbers to the right in the others.
static void add_table(Text *text, const char *table)
{
    int widths[2 + COLUMNS_MOST + FRONT_OBJECTIVES] = {0};
    for (int pass = 0; pass < 2; ++pass) {
        size_t column = 0;
        for (const char *cell = table; *cell;) {
            const int length = (int)strcspn(cell, "\t\n");
            if (cell[length] == '\n') {
                if (pass)
                    text_add(text, "%.*s\n", length, cell);
                column = 0;
            } else if (pass) {
                text_add(text, column ? "  %*.*s" : "%-*.*s", widths[column], length, cell);
                ++column;
            } else {
                widths[column] = length > widths[column] ? length : widths[column];
                ++column;
            }
            cell += length + 1;
        }
    }
}

// The columns of one kind that a point has, as a member.
static void add_object(Text *text, const Pareto *pareto, const FrontPoint *point, bool problem)
{
    size_t listed = 0;
    json_key(text, problem ? "problem" : "parameters");
    text_add(text, "{");
    for (size_t i = 0; i < pareto->columns.count; ++i) {
        double      number;
        const char *word = pareto_value(pareto, i, point, &number);
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

static void begin_object(Text *text, const Pareto *pareto, size_t group, bool first)
{
    text_add(text, "%s\n  {\"label\": ", first ? "" : ",");
    json_string(text, pareto->points[group].group->label);
    text_add(text, ", \"method\": ");
    json_string(text, pareto->groups[group].method);
    text_add(text, ", ");
}

static void add_json_point(Text *text, const Pareto *pareto, const FrontPoint *point)
{
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

static void add_json_group(Text *text, const ParetoGroup *group)
{
    text_add(text, "\"points\": %" PRIu64 ", \"compared\": %" PRIu64 ", \"on_front\": %" PRIu64 ", \"left_out\": {",
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
        begin_object(text, pareto, pareto->front.items[i].group, i == 0);
        add_json_point(text, pareto, &pareto->front.items[i]);
    }
    text_add(text, "\n ],\n \"groups\": [");
    for (size_t i = 0; i < pareto->group_count; ++i) {
        begin_object(text, pareto, i, i == 0);
        add_json_group(text, &pareto->groups[i]);
    }
    text_add(text, "\n ]}\n");
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
    Text       table = {0};
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
        add_rows(&table, false, pareto);
    add_table(text, table.text ? table.text : "");
    text->failed = text->failed || table.failed;
    text_free(&table);
    text_add(text, "\n");
    for (size_t g = 0; g < pareto->group_count; ++g)
        add_group(text, pareto, g);
    for (size_t g = 0; g < pareto->group_count; ++g)
        if (pareto->groups[g].on_front == 0)
            text_add(text, "%s%s", never++ ? ", " : "never on a front: ", pareto->points[g].group->label);
    text_add(text, "%s", never ? "\n" : "");
}

void pareto_print(Text *text, Format format, const Pareto *pareto)
{
    if (format == FORMAT_CSV)
        add_rows(text, true, pareto);
    else if (format == FORMAT_JSON)
        print_json(text, pareto);
    else
        print_text(text, pareto);
}
