// sensitivity_print -- tables of indices as text, csv and json.
#include "analysis/sensitivity/sensitivity.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_AXES = 32, MOST_COLUMNS = MOST_AXES + SENSITIVITY_NUMBERS + 8 };

// Text is printed output by output, each with a heading; csv and json are one table.
typedef struct Print {
    const SensitivityRequest *request;
    Text                     *text;
    Format                    format;
    SensitivityIndex          index;
    const char               *axes[MOST_AXES];  // of the grids around the designs
    size_t                    axis_count;
    TableColumn               columns[MOST_COLUMNS];
    Table                     table;
    bool                      begun;
    SensitivitySee           *keep;  // or NULL
    void                     *user;
} Print;

// The axes of the grid of a study's designs, that all studies have together.
static void add_axes(Print *print, const Study *study)
{
    for (size_t i = 0; study->random && i < study->points.axis_count; ++i) {
        const PointsAxis *axis = &study->points.axes[i];
        size_t            at = 0;
        while (at < print->axis_count && strcmp(print->axes[at], axis->name) != 0)
            ++at;
        if (axis->dim + 1 < study->points.dim_count && at == print->axis_count && at < MOST_AXES)
            print->axes[print->axis_count++] = axis->name;
    }
}

static void add_column(Print *print, TableColumn column)
{
    print->columns[print->table.column_count++] = column;
}

// Whether a table has a number of that column; csv and json have the columns of all. The deviation of an output is the
// same in all rows: text has it in a line below.
static bool has_number(const Print *print, const SensitivityTable *table, size_t column)
{
    bool has = print->format != FORMAT_TEXT;
    if (!has && print->index == SENSITIVITY_LOCAL && column == SENSITIVITY_LOCAL_SPREAD)
        return false;
    for (size_t i = 0; table && i < table->row_count && !has; ++i)
        has = !isnan(table->rows[i].numbers[column]);
    return has;
}

//   table  of text, whose columns are its own
static void make_columns(Print *print, const SensitivityTable *table)
{
    const bool text = print->format == FORMAT_TEXT;
    print->table = (Table){.text = print->text, .format = print->format, .columns = print->columns};
    if (!text) {
        add_column(print, (TableColumn){.name = "label"});
        for (size_t i = 0; i < print->axis_count; ++i)
            add_column(print, (TableColumn){.name = print->axes[i]});
        if (print->request->over)
            add_column(print, (TableColumn){.name = sensitivity_over_names[print->request->over]});
        add_column(print, (TableColumn){.name = "metric"});
    }
    add_column(print, (TableColumn){.name = "parameter", .gap = 2, .width = 24, .left = true});
    if (!text)
        add_column(print, (TableColumn){.name = "with"});
    for (size_t i = 0; sensitivity_numbers[print->index][i]; ++i)
        if (has_number(print, table, i))
            add_column(print,
                       (TableColumn){.name = sensitivity_numbers[print->index][i], .gap = 2, .width = 12, .digits = 4});
}

static void add_row(Print *print, const SensitivityTable *table, const SensitivityRow *row)
{
    Table     *to = &print->table;
    const bool text = print->format == FORMAT_TEXT;
    table_row(to);
    if (!text) {
        table_word(to, "label", table->study->label);
        for (size_t i = 0; i < print->axis_count; ++i)
            table_number(to, print->axes[i], study_axis_value(table->study, print->axes[i], table->row));
        if (print->request->over)
            table_number(to, sensitivity_over_names[print->request->over], table->place);
        table_word(to, "metric", table->output->name);
    }
    if (text && row->other)
        table_format(to, "parameter", "%s, %s", row->factor, row->other);
    else
        table_word(to, "parameter", row->factor);
    if (!text)
        table_word(to, "with", row->other ? row->other : "");
    for (size_t i = 0; sensitivity_numbers[print->index][i]; ++i)
        if (has_number(print, table, i))
            table_number(to, sensitivity_numbers[print->index][i], row->numbers[i]);
    table_end_row(to);
}

static void print_heading(Print *print, const SensitivityTable *table)
{
    const StudyTally *tally = &table->tally;
    Text             *text = print->text;
    text_add(text, "%s%s: %s", print->begun ? "\n" : "", table->study->label, table->output->name);
    if (*table->output->unit && strcmp(table->output->unit, "1") != 0)
        text_add(text, " [%s]", table->output->unit);
    for (size_t i = 0; i < print->axis_count; ++i) {
        const double value = study_axis_value(table->study, print->axes[i], table->row);
        if (!isnan(value))
            text_add(text, ", %s = %.6g", print->axes[i], value);
    }
    if (print->request->over == SENSITIVITY_OVER_TIME)
        text_add(text, ", at %.6g s", table->place);
    else if (print->request->over)
        text_add(text, ", the first %.0f samples", table->place);
    text_add(text, "\n  %" PRIu64 " samples, %" PRIu64 " points", tally->samples, tally->points);
    if (!isnan(table->mean))
        text_add(text, ", mean %.6g, deviation %.6g", table->mean, table->deviation);
    text_add(text, "\n");
    sensitivity_say(text, print->request, table);
}

static bool print_table(const SensitivityTable *table, void *user, Error *err)
{
    Print     *print = user;
    const bool text = print->format == FORMAT_TEXT;
    if (text) {
        make_columns(print, table);
        print_heading(print, table);
    }
    if (text && !table->trouble)
        table_heading(&print->table);
    for (size_t i = 0; i < table->row_count && !(text && table->trouble); ++i)
        add_row(print, table, &table->rows[i]);
    if (text)
        sensitivity_say_after(print->text, print->request, table);
    print->begun = true;
    return !print->keep || print->keep(table, print->user, err);
}

bool sensitivity_print(const SensitivityRequest *request, Study *studies, size_t study_count, Format format, Text *text,
                       SensitivitySee *keep, void *user, Error *err)
{
    Print print = {.request = request, .text = text, .format = format, .keep = keep, .user = user};
    for (size_t i = 0; i < study_count; ++i) {
        add_axes(&print, &studies[i]);
        if (!sensitivity_choose(request, &studies[i], &print.index, err))
            return false;
    }
    make_columns(&print, NULL);
    if (format != FORMAT_TEXT)
        table_begin(&print.table);
    for (size_t i = 0; i < study_count; ++i)
        if (!sensitivity_find(request, &studies[i], print_table, &print, err))
            return false;
    if (format != FORMAT_TEXT)
        table_end(&print.table);
    return true;
}
