// pareto_print -- a table row per point of the front, and counts of the other points.
#include "analysis/pareto/pareto.h"

#include "base/json.h"

#include <inttypes.h>

static const char *const over_names[] = {"each", "median", "worst"};

enum { MOST_COLUMNS = 4 + COLUMNS_MOST + FRONT_OBJECTIVES };

static size_t list_columns(const Pareto *pareto, TableColumn *columns)
{
    size_t count = 2;
    columns[0] = (TableColumn){.name = "label", .left = true};
    columns[1] = (TableColumn){.name = "method", .formats = TABLE_CSV | TABLE_JSON};
    for (size_t i = 0; i < pareto->columns.count; ++i)
        if (pareto_shows(pareto, i))
            columns[count++] = (TableColumn){.name = pareto->columns.items[i].name, .gap = 2, .digits = 6};
    for (size_t i = 0; i < pareto->objective_count; ++i)
        columns[count++] = (TableColumn){.name = pareto->objectives[i], .gap = 2, .digits = 6};
    columns[count++] = (TableColumn){.name = "knee", .formats = TABLE_CSV | TABLE_JSON};
    columns[count++] = (TableColumn){.name = "mark", .heading = "", .formats = TABLE_TEXT, .gap = 1};
    return count;
}

static void begin_row(Table *table, const Pareto *pareto, size_t group)
{
    table_row(table);
    table_word(table, "label", pareto->points[group].group->label);
    table_word(table, "method", pareto->groups[group].method);
}

static void add_columns(Table *table, const Pareto *pareto, const FrontPoint *point, bool problem)
{
    table_open(table, problem ? "problem" : "parameters", "{");
    for (size_t i = 0; i < pareto->columns.count; ++i) {
        const Column *column = &pareto->columns.items[i];
        double        number = 0.0;
        const char   *word = pareto_value(pareto, i, point, &number);
        if (!pareto_shows(pareto, i) || column->problem != problem)
            continue;
        if (word)
            table_word(table, column->name, word);
        else
            table_number(table, column->name, number);
    }
    table_close(table, "}");
}

static void add_rows(Table *table, const Pareto *pareto)
{
    const FrontPoint *last = NULL;
    for (const FrontPoint *point = pareto->front.items; point < pareto->front.items + pareto->front.count; ++point) {
        if (table->format == FORMAT_TEXT && !table->measures && last && last->problem != point->problem)
            text_add(table->text, "\n");
        begin_row(table, pareto, point->group);
        add_columns(table, pareto, point, true);
        add_columns(table, pareto, point, false);
        table_open(table, "objectives", "{");
        for (size_t i = 0; i < pareto->objective_count; ++i)
            table_number(table, pareto->objectives[i], point->values[i]);
        table_close(table, "}");
        table_truth(table, "knee", point->knee);
        table_word(table, "mark", point->knee ? "*" : "");
        table_end_row(table);
        last = point;
    }
}

// Text is as wide as it must be: its table rows are gone through twice.
static void print_front(Text *text, Format format, const Pareto *pareto)
{
    TableColumn columns[MOST_COLUMNS];
    int         widths[MOST_COLUMNS] = {0};
    Table       table = {TABLE(text, format, columns), .widths = widths};
    table.column_count = list_columns(pareto, columns);
    for (int pass = format == FORMAT_TEXT ? 0 : 1; pass < 2; ++pass) {
        table.measures = pass == 0;
        table_begin(&table);
        if (format == FORMAT_TEXT)
            table_heading(&table);
        add_rows(&table, pareto);
        table_end(&table);
    }
}

static void print_groups(Text *text, const Pareto *pareto)
{
    Table table = {.text = text, .format = FORMAT_JSON};
    table_begin(&table);
    for (size_t g = 0; g < pareto->group_count; ++g) {
        const ParetoGroup *group = &pareto->groups[g];
        begin_row(&table, pareto, g);
        table_whole(&table, "points", (int64_t)group->points);
        table_whole(&table, "compared", (int64_t)group->compared);
        table_whole(&table, "on_front", (int64_t)group->on_front);
        table_open(&table, "left_out", "{");
        for (int status = 0; status < STATUS_COUNT; ++status)
            if (status != STATUS_OK)
                table_whole(&table, plan_status_names[status], (int64_t)group->counts[status]);
        table_whole(&table, "objective_not_finite", (int64_t)group->not_finite);
        table_whole(&table, "decisions_infinite", (int64_t)group->infinite);
        table_whole(&table, "decisions_partial", (int64_t)group->partial);
        table_close(&table, "}");
        table_end_row(&table);
    }
    table_end(&table);
}

static void print_json(Text *text, const Pareto *pareto)
{
    Table object = {.text = text, .format = FORMAT_JSON};
    text_add(text, "{");
    table_word(&object, "file", pareto->file.path);
    table_word(&object, "over", over_names[pareto->request->over]);
    table_whole(&object, "problems", (int64_t)pareto->problem_count);
    table_words(&object, "objectives", pareto->objectives, pareto->objective_count);
    json_member(text, "front");
    print_front(text, FORMAT_JSON, pareto);
    json_member(text, "groups");
    print_groups(text, pareto);
    text_add(text, "}\n");
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
            add_count(text, &points, before, group->counts[status], plan_status_names[status]);
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
        print_front(text, FORMAT_TEXT, pareto);
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
        print_front(text, format, pareto);
    else if (format == FORMAT_JSON)
        print_json(text, pareto);
    else
        print_text(text, pareto);
}
