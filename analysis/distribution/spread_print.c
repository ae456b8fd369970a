// spread_print -- a table for each output and cell, of all samples together over time, and one table for programs.
#include "analysis/distribution/spread_print.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_AXES = 32, MOST_COLUMNS = MOST_AXES + 16 + SPREAD_QUANTILES + SPREAD_ABOVE };

typedef struct SpreadPrint {
    const SpreadRequest *request;
    Text                *text;
    Format               format;
    const char          *axes[MOST_AXES];  // of the cells of all studies
    size_t               axis_count;
    TableColumn          columns[MOST_COLUMNS];
    Table                table;
    Arena                arena;   // of names of columns
    const StudyOutput   *output;  // of the table so far, over time
    uint64_t             point;
    bool                 begun;
    SpreadSee           *keep;
    CorrelationSee      *keep_correlations;
    void                *user;
} SpreadPrint;

// Adds where a cell lies, ", eps = 0.1, h = 0.01".
static void print_cell(Text *text, const SpreadRequest *request, const Study *study, uint64_t point)
{
    for (size_t i = 0; i < study->points.axis_count; ++i)
        if (spread_is_around(request, study, &study->points.axes[i]))
            text_add(text, ", %s = %.6g", study->points.axes[i].name, points_axis_value(&study->points, i, point));
}

static void add_axes(SpreadPrint *print, const Study *study)
{
    for (size_t i = 0; i < study->points.axis_count; ++i)
        if (spread_is_around(print->request, study, &study->points.axes[i]) && print->axis_count < MOST_AXES &&
            !card_lists(print->axes, print->axis_count, study->points.axes[i].name))
            print->axes[print->axis_count++] = study->points.axes[i].name;
}

static void add_column(SpreadPrint *print, TableColumn column)
{
    print->columns[print->table.column_count++] = column;
}

static void begin(SpreadPrint *print, Study *studies, size_t count)
{
    print->table = (Table){.text = print->text, .format = print->format, .columns = print->columns};
    for (size_t i = 0; i < count; ++i)
        add_axes(print, &studies[i]);
    if (print->format == FORMAT_TEXT)
        return;
    add_column(print, (TableColumn){.name = "label"});
    for (size_t i = 0; i < print->axis_count; ++i)
        add_column(print, (TableColumn){.name = print->axes[i]});
}

static void begin_row(SpreadPrint *print, const Study *study, uint64_t point)
{
    table_row(&print->table);
    if (print->format == FORMAT_TEXT)
        return;
    table_word(&print->table, "label", study->label);
    for (size_t i = 0; i < print->axis_count; ++i)
        for (size_t k = 0; k < study->points.axis_count; ++k)
            if (strcmp(study->points.axes[k].name, print->axes[i]) == 0 &&
                spread_is_around(print->request, study, &study->points.axes[k]))
                table_number(&print->table, print->axes[i], points_axis_value(&study->points, k, point));
}

static void add_unit(Text *text, const char *unit)
{
    if (*unit && strcmp(unit, "1") != 0)
        text_add(text, " [%s]", unit);
}

static void print_heading(SpreadPrint *print, const OutputSpread *spread)
{
    Text *text = print->text;
    text_add(text, "%s%s: %s", print->begun ? "\n" : "", spread->study->label, spread->output->name);
    add_unit(text, spread->output->unit);
    print_cell(text, print->request, spread->study, spread->point);
    text_add(text, "\n  %" PRIu64 " points", spread->points);
    if (spread->failed > 0)
        text_add(text, ", %" PRIu64 " failed or have no number: %s", spread->failed,
                 print->request->failed == SPREAD_WORST ? "they count as larger than every number"
                                                        : "they do not count");
    text_add(text, "\n");
}

static void add_interval(Table *table, IntervalEstimate interval)
{
    table_number(table, "value", interval.value);
    table_number(table, "low", interval.low);
    table_number(table, "high", interval.high);
}

// A statistic is a row.
//   at  the probability of a quantile, or the value that is exceeded; NaN of others
static void add_statistic(SpreadPrint *print, const OutputSpread *spread, const char *name, double at,
                          IntervalEstimate interval)
{
    Table     *table = &print->table;
    const bool text = print->format == FORMAT_TEXT;
    begin_row(print, spread->study, spread->point);
    if (!text && print->request->over)
        table_number(table, "time", spread->time);
    if (!text)
        table_word(table, "metric", spread->output->name);
    if (text && strcmp(name, "above") == 0)
        table_format(table, "statistic", "P(> %.6g)", at);
    else if (text && !isnan(at))
        table_format(table, "statistic", "%s %.6g", name, at);
    else
        table_word(table, "statistic", name);
    if (!text)
        table_number(table, "at", at);
    add_interval(table, interval);
    if (!text) {
        table_whole(table, "points", (int64_t)spread->points);
        table_whole(table, "failed", (int64_t)spread->failed);
    }
    table_end_row(table);
}

static void add_statistics(SpreadPrint *print, const OutputSpread *spread)
{
    const SpreadRequest *request = print->request;
    const double         none = (double)NAN;
    add_statistic(print, spread, "mean", none, spread->mean);
    add_statistic(print, spread, "deviation", none, spread->deviation);
    add_statistic(print, spread, "minimum", none, (IntervalEstimate){spread->least, none, none});
    for (size_t i = 0; i < request->quantiles.count; ++i)
        add_statistic(print, spread, "quantile", request->quantiles.items[i], spread->quantiles[i]);
    add_statistic(print, spread, "maximum", none, (IntervalEstimate){spread->most, none, none});
    for (size_t i = 0; i < request->above.count; ++i)
        add_statistic(print, spread, "above", request->above.items[i], spread->above[i]);
}

// For people a sample is a row: intervals are left to programs.
static void add_sample(SpreadPrint *print, const OutputSpread *spread)
{
    const SpreadRequest *request = print->request;
    Table               *table = &print->table;
    table_row(table);
    table_number(table, "time", spread->time);
    table_number(table, "mean", spread->mean.value);
    table_number(table, "deviation", spread->deviation.value);
    for (size_t i = 0; i < request->quantiles.count; ++i)
        table_number(table, print->columns[3 + i].name, spread->quantiles[i].value);
    for (size_t i = 0; i < request->above.count; ++i)
        table_number(table, print->columns[3 + request->quantiles.count + i].name, spread->above[i].value);
    table_end_row(table);
}

static bool print_spread(const OutputSpread *spread, void *user, Error *err)
{
    SpreadPrint *print = user;
    const bool   text = print->format == FORMAT_TEXT, over = print->request->over;
    if (text && (!over || print->output != spread->output || print->point != spread->point)) {
        print_heading(print, spread);
        table_heading(&print->table);
    }
    print->output = spread->output;
    print->point = spread->point;
    print->begun = true;
    if (text && over)
        add_sample(print, spread);
    else
        add_statistics(print, spread);
    return !print->keep || print->keep(spread, print->user, err);
}

static bool add_named(SpreadPrint *print, const char *format, double at, Error *err)
{
    Text  name = {0};
    char *kept = NULL;
    text_add(&name, format, at);
    kept = text_keep(&name, &print->arena, err);
    text_free(&name);
    if (kept)
        add_column(print, (TableColumn){.name = kept, .gap = 2, .width = 12, .digits = 6});
    return kept != NULL;
}

static bool make_columns(SpreadPrint *print, Error *err)
{
    const SpreadRequest *request = print->request;
    const bool           text = print->format == FORMAT_TEXT;
    if (text && request->over) {
        add_column(print, (TableColumn){.name = "time", .gap = 2, .width = 12, .digits = 6});
        add_column(print, (TableColumn){.name = "mean", .gap = 2, .width = 12, .digits = 6});
        add_column(print, (TableColumn){.name = "deviation", .gap = 2, .width = 12, .digits = 6});
        for (size_t i = 0; i < request->quantiles.count; ++i)
            if (!add_named(print, "q %.6g", request->quantiles.items[i], err))
                return false;
        for (size_t i = 0; i < request->above.count; ++i)
            if (!add_named(print, "P(> %.6g)", request->above.items[i], err))
                return false;
        return true;
    }
    if (!text && request->over)
        add_column(print, (TableColumn){.name = "time"});
    if (!text)
        add_column(print, (TableColumn){.name = "metric"});
    add_column(print, (TableColumn){.name = "statistic", .heading = "", .gap = 2, .width = 18, .left = true});
    if (!text)
        add_column(print, (TableColumn){.name = "at"});
    add_column(print, (TableColumn){.name = "value", .gap = 2, .width = 12, .digits = 6});
    add_column(print, (TableColumn){.name = "low", .gap = 2, .width = 12, .digits = 6});
    add_column(print, (TableColumn){.name = "high", .gap = 2, .width = 12, .digits = 6});
    if (!text) {
        add_column(print, (TableColumn){.name = "points"});
        add_column(print, (TableColumn){.name = "failed"});
    }
    return true;
}

// What the numbers rest on.
static void print_words(SpreadPrint *print, const char *intervals, const Study *studies, size_t count)
{
    text_add(print->text, "\nintervals at 95 %%: %s\n", intervals);
    for (size_t i = 0; i < count; ++i)
        text_add(print->text, "%s: %s\n", studies[i].label, spread_words(&studies[i]));
}

bool spread_print(const SpreadRequest *request, Study *studies, size_t count, Format format, Text *text,
                  SpreadSee *keep, void *user, Error *err)
{
    SpreadPrint print = {.request = request, .text = text, .format = format, .keep = keep, .user = user};
    begin(&print, studies, count);
    bool ok = make_columns(&print, err);
    if (ok && format != FORMAT_TEXT)
        table_begin(&print.table);
    for (size_t i = 0; ok && i < count; ++i)
        ok = spread_find(request, &studies[i], print_spread, &print, err);
    if (ok && format != FORMAT_TEXT)
        table_end(&print.table);
    else if (ok)
        print_words(&print,
                    request->above.count > 0
                        ? "mean by Student's t, deviation by the fourth moment, quantiles by order statistics, P by "
                          "Clopper and Pearson"
                        : "mean by Student's t, deviation by the fourth moment, quantiles by order statistics",
                    studies, count);
    arena_free(&print.arena);
    return ok;
}

static bool print_correlations(const Correlations *found, void *user, Error *err)
{
    SpreadPrint   *print = user;
    Table         *table = &print->table;
    const Study   *study = found->study;
    const bool     text = print->format == FORMAT_TEXT;
    const uint64_t point = found->row * study->row_points;
    if (text) {
        text_add(print->text, "%s%s", print->begun ? "\n" : "", study->label);
        print_cell(print->text, print->request, study, point);
        text_add(print->text, "\n  %" PRIu64 " points", found->points);
        if (found->points < study->samples * spread_roles(study))
            text_add(print->text, " of %" PRIu64 ": coefficients are of these", study->samples * spread_roles(study));
        text_add(print->text, "\n");
        table_heading(table);
    }
    print->begun = true;
    for (size_t i = 0; i < found->output_count * (found->output_count - 1) / 2; ++i) {
        const Correlation *pair = &found->pairs[i];
        begin_row(print, study, point);
        table_word(table, "metric", pair->first->name);
        table_word(table, "with", pair->second->name);
        table_whole(table, "points", (int64_t)pair->points);
        table_number(table, "pearson", pair->pearson.value);
        table_number(table, "pearson_low", pair->pearson.low);
        table_number(table, "pearson_high", pair->pearson.high);
        table_number(table, "spearman", pair->spearman.value);
        table_number(table, "spearman_low", pair->spearman.low);
        table_number(table, "spearman_high", pair->spearman.high);
        table_end_row(table);
    }
    return !print->keep_correlations || print->keep_correlations(found, print->user, err);
}

bool spread_print_correlations(const SpreadRequest *request, Study *studies, size_t count, Format format, Text *text,
                               CorrelationSee *keep, void *user, Error *err)
{
    static const TableColumn columns[] = {
        {.name = "metric", .gap = 2, .width = 20, .left = true},
        {.name = "with", .gap = 2, .width = 20, .left = true},
        {.name = "points", .gap = 2, .width = 8},
        {.name = "pearson", .gap = 2, .width = 8, .digits = 4},
        {.name = "pearson_low", .heading = "low", .gap = 2, .width = 8, .digits = 4},
        {.name = "pearson_high", .heading = "high", .gap = 2, .width = 8, .digits = 4},
        {.name = "spearman", .gap = 2, .width = 8, .digits = 4},
        {.name = "spearman_low", .heading = "low", .gap = 2, .width = 8, .digits = 4},
        {.name = "spearman_high", .heading = "high", .gap = 2, .width = 8, .digits = 4}};
    SpreadPrint print = {.request = request, .text = text, .format = format, .keep_correlations = keep, .user = user};
    bool        ok = true;
    begin(&print, studies, count);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i)
        add_column(&print, columns[i]);
    if (format != FORMAT_TEXT)
        table_begin(&print.table);
    for (size_t i = 0; ok && i < count; ++i)
        ok = correlation_find(request, &studies[i], print_correlations, &print, err);
    if (ok && format != FORMAT_TEXT)
        table_end(&print.table);
    else if (ok)
        print_words(&print, "of both coefficients by Fisher's transformation", studies, count);
    return ok;
}
