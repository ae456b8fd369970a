// sensitivity_print -- tables of indices as text, csv and json.
#include "analysis/sensitivity/sensitivity.h"

#include "analysis/sensitivity/variance.h"

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

static void make_columns(Print *print)
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
    if (!isnan(table->quality))
        text_add(text,
                 "  the expansion explains %.6g of the variance (Q2): indices may be off by %.2g beside their conf\n",
                 table->quality, fmax(1.0 - table->quality, 0.0));
    else if (table->estimator && !table->trouble)
        text_add(text, "  S1 by %s%s%s\n", table->estimator, table->reason ? ": " : "",
                 table->reason ? table->reason : "");
    if (table->study->rows.kind == ROWS_SALTELLI)
        text_add(text, "  the points are rows of Saltelli's design, %s after the other\n",
                 table->study->rows.by_matrix ? "a matrix" : "a base sample");
    else if (table->study->rows.kind == ROWS_CORRELATED)
        text_add(text,
                 "  '%s' and '%s' are correlated (rank correlation %.3f): S1 counts what a factor shares with others\n",
                 table->study->first, table->study->second, table->study->rows.rank_correlation);
    if (table->study->correlation)
        text_add(text, "  the factors are correlated: %s\n",
                 table->index == SENSITIVITY_CHAOS ? "Shapley effects divide the variance among them"
                                                   : "S1 counts what a factor shares with others");
    if (tally->failed > 0)
        text_add(text, "  %" PRIu64 " points failed or have no number: %s\n", tally->failed,
                 print->request->failed == STUDY_WORST      ? "they count as the largest number"
                 : print->request->failed == STUDY_CLASSIFY ? "the output is 1 there and 0 elsewhere"
                                                            : "their samples do not count, which biases the indices");
    if (tally->dropped > 0)
        text_add(text, "  %" PRIu64 " samples (%.3g %%) are left out\n", tally->dropped,
                 100.0 * (double)tally->dropped / (double)tally->samples);
}

// Prints notes on sums and signs that a reader may stumble over.
static void print_notes(const Print *print, const SensitivityTable *table)
{
    double sum = 0.0, widest = 0.0, lowest = 0.0;
    if (table->index != SENSITIVITY_SOBOL || table->trouble)
        return;
    for (size_t i = 0; i < table->study->group_count; ++i) {
        const double *numbers = table->rows[i].numbers;
        sum += numbers[0];
        lowest = fmin(lowest, numbers[0]);
        widest = fmax(widest, fmax(numbers[1], numbers[3]));
    }
    text_add(print->text, "  S1 add up to %.3f%s\n", sum,
             sum > 1.0 ? ": above 1 by the error of the estimates" : ": what is missing to 1 is interaction");
    if (lowest < 0.0)
        text_add(print->text, "  an S1 below 0 is the error of an index near 0\n");
    if (print->request->within > 0.0) {
        const uint64_t needed = variance_find_base_count(table->study->samples, widest, print->request->within);
        if (needed == 0)
            text_add(print->text, "  half widths are up to %.2g: no number of samples gives %.2g\n", widest,
                     print->request->within);
        else if (needed == table->study->samples)
            text_add(print->text, "  enough: half widths are at most %.2g\n", widest);
        else
            text_add(print->text,
                     "  half widths are up to %.2g: for %.2g go on to samples: %" PRIu64 ", which keeps these\n",
                     widest, print->request->within, needed);
    }
}

static bool print_table(const SensitivityTable *table, void *user, Error *err)
{
    Print     *print = user;
    const bool text = print->format == FORMAT_TEXT;
    if (text)
        print_heading(print, table);
    if (text && table->trouble)
        text_add(print->text, "  no indices: %s\n",
                 table->tally.failed > 0 && table->tally.failed == table->tally.points
                     ? "every point failed or has no number"
                     : table->trouble);
    else if (text)
        table_heading(&print->table);
    for (size_t i = 0; i < table->row_count && !(text && table->trouble); ++i)
        add_row(print, table, &table->rows[i]);
    if (text)
        print_notes(print, table);
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
    make_columns(&print);
    if (format != FORMAT_TEXT)
        table_begin(&print.table);
    for (size_t i = 0; i < study_count; ++i)
        if (!sensitivity_find(request, &studies[i], print_table, &print, err))
            return false;
    if (format != FORMAT_TEXT)
        table_end(&print.table);
    return true;
}
