// fit_print -- a row for each number: parameters with their intervals, sums, correlations, other optima.
#include "analysis/fit/fit_print.h"

#include <math.h>

typedef struct FitPrint {
    const GroupFit *fit;
    Table           table;
} FitPrint;

typedef struct FitRow {
    const char *statistic, *parameter, *with;
    size_t      optimum;  // from 1; 0: of none
    double      value, deviation, low, high;
} FitRow;

static const FitRow no_row = {.value = (double)NAN, .deviation = (double)NAN, .low = (double)NAN, .high = (double)NAN};

static void add_row(FitPrint *print, const FitRow *row)
{
    Table *table = &print->table;
    table_row(table);
    table_word(table, "label", print->fit->group->label);
    table_word(table, "statistic", row->statistic);
    table_word(table, "parameter", row->parameter);
    table_word(table, "with", row->with);
    table_number(table, "optimum", row->optimum > 0 ? (double)row->optimum : (double)NAN);
    table_number(table, "value", row->value);
    table_number(table, "deviation", row->deviation);
    table_number(table, "low", row->low);
    table_number(table, "high", row->high);
    table_end_row(table);
}

static void add_number(FitPrint *print, const char *statistic, double value)
{
    FitRow row = no_row;
    row.statistic = statistic;
    row.value = value;
    add_row(print, &row);
}

static void add_parameters(FitPrint *print)
{
    for (size_t j = 0; j < print->fit->parameter_count; ++j) {
        const FitParameter *of = &print->fit->parameters[j];
        add_row(print, &(FitRow){.statistic = "parameter",
                                 .parameter = of->name,
                                 .value = of->value,
                                 .deviation = of->deviation,
                                 .low = of->low,
                                 .high = of->high});
    }
    for (size_t j = 0; j < print->fit->parameter_count; ++j) {
        const FitParameter *of = &print->fit->parameters[j];
        FitRow              row = no_row;
        row.statistic = "bound";
        row.parameter = of->name;
        row.value = of->value;
        if (of->value <= of->lower || of->value >= of->upper)
            add_row(print, &row);
    }
}

static void add_profiles(FitPrint *print)
{
    for (size_t j = 0; j < print->fit->parameter_count; ++j) {
        const FitParameter *of = &print->fit->parameters[j];
        FitRow              row = no_row;
        row.statistic = "profile";
        row.parameter = of->name;
        row.value = of->value;
        row.low = of->ends[0];
        row.high = of->ends[1];
        if (of->profiled)
            add_row(print, &row);
    }
}

static void add_correlations(FitPrint *print)
{
    const GroupFit *fit = print->fit;
    for (size_t j = 0; j < fit->parameter_count; ++j)
        for (size_t i = 0; i < j; ++i) {
            FitRow row = no_row;
            row.statistic = "correlation";
            row.parameter = fit->parameters[i].name;
            row.with = fit->parameters[j].name;
            row.value = fit->correlation[i * fit->parameter_count + j];
            if (!isnan(row.value))
                add_row(print, &row);
        }
    for (size_t n = 0; n < fit->unknown_count; ++n)
        for (size_t j = 0; j < fit->parameter_count; ++j) {
            FitRow row = no_row;
            row.statistic = "unknown";
            row.parameter = fit->parameters[j].name;
            row.value = fit->unknown[n * fit->parameter_count + j];
            row.optimum = n + 1;
            if (fabs(row.value) > 1e-3)
                add_row(print, &row);
        }
}

// The optima behind the best one.
static void add_optima(FitPrint *print)
{
    const GroupFit *fit = print->fit;
    for (size_t n = 1; n < fit->optimum_count; ++n) {
        FitRow row = no_row;
        row.optimum = n + 1;
        row.statistic = "starts";
        row.value = (double)fit->optima[n].starts;
        add_row(print, &row);
        row.statistic = "squares";
        row.value = fit->optima[n].fit->squares;
        add_row(print, &row);
        row.statistic = "optimum";
        for (size_t j = 0; j < fit->parameter_count; ++j) {
            row.parameter = fit->parameters[j].name;
            row.value = fit->optima[n].fit->point[j];
            add_row(print, &row);
        }
    }
}

static void print_unknown(Text *text, const GroupFit *fit)
{
    for (size_t n = 0; n < fit->unknown_count; ++n) {
        size_t moved = 0;
        text_add(text, "  the data do not determine:");
        for (size_t j = 0; j < fit->parameter_count; ++j) {
            const double part = fit->unknown[n * fit->parameter_count + j];
            if (fabs(part) > 1e-3)
                text_add(text, "%s %s %+.3g", moved++ > 0 ? "," : "", fit->parameters[j].name, part);
        }
        text_add(text, moved > 1 ? " (relative changes that leave every residual as it is)\n" : "\n");
    }
}

// Profiles that end nowhere on a side, and those that found another optimum.
static void print_profiles(Text *text, const GroupFit *fit)
{
    for (size_t j = 0; j < fit->parameter_count; ++j)
        for (size_t side = 0; side < 2; ++side) {
            const FitParameter *of = &fit->parameters[j];
            if (of->profiled && isnan(of->ends[side]))
                text_add(text, "  the profile of %s is open %s: as far as %.6g%s the data do not rule a value out\n",
                         of->name, side ? "above" : "below", of->looked[side],
                         of->looked[side] == (side ? of->upper : of->lower) ? ", its bound," : "");
        }
    if (!isnan(fit->below))
        text_add(text,
                 "  a profile found the sum of squares %.6g, which is less than at the best optimum: give more "
                 "--starts\n",
                 fit->below);
}

static void print_heading(Text *text, const GroupFit *fit)
{
    const Measurements *data = fit->request->data;
    text_add(text, "%s: %zu parameters, %zu measured values of %zu quantit%s under %zu condition%s, %s\n",
             fit->group->label, fit->parameter_count, data->count, data->quantity_count,
             data->quantity_count == 1 ? "y" : "ies", data->condition_count, data->condition_count == 1 ? "" : "s",
             fit->derived ? "derivatives of the kernel" : "derivatives by differences");
    text_add(text, "  %zu starts: %zu reached the best optimum, %zu ended elsewhere, %zu failed, %zu did not end\n",
             fit->asked.starts, fit->optima[0].starts, fit->converged - fit->optima[0].starts, fit->failed,
             fit->asked.starts - fit->converged - fit->failed);
    if (data->gaps > 0)
        text_add(text, "  %zu fields without a number are left out\n", data->gaps);
    for (size_t j = 0; j < fit->parameter_count; ++j) {
        const FitParameter *of = &fit->parameters[j];
        if (of->value <= of->lower || of->value >= of->upper)
            text_add(text, "  %s stands on its %s bound, and has no interval\n", of->name,
                     of->value <= of->lower ? "lower" : "upper");
    }
    print_unknown(text, fit);
    print_profiles(text, fit);
    if (fit->study->why)
        text_add(text, "  the kernel has no derivatives here: %s\n", fit->study->why);
}

bool fit_print(const GroupFit *fits, size_t count, Format format, Text *text, Error *err)
{
    enum { PROGRAMS = TABLE_CSV | TABLE_JSON };
    static const TableColumn columns[] = {{.name = "label", .formats = PROGRAMS},
                                          {.name = "statistic", .gap = 2, .width = 11, .left = true},
                                          {.name = "parameter", .gap = 1, .width = 12, .left = true},
                                          {.name = "with", .gap = 1, .width = 12, .left = true},
                                          {.name = "optimum", .gap = 1, .width = 7, .digits = 6},
                                          {.name = "value", .gap = 2, .width = 14, .digits = 9},
                                          {.name = "deviation", .gap = 2, .width = 11, .digits = 4},
                                          {.name = "low", .gap = 2, .width = 13, .digits = 6},
                                          {.name = "high", .gap = 2, .width = 13, .digits = 6}};
    FitPrint                 print = {.table = {TABLE(text, format, columns)}};
    table_begin(&print.table);
    for (size_t g = 0; g < count; ++g) {
        const GroupFit *fit = print.fit = &fits[g];
        if (format == FORMAT_TEXT) {
            text_add(text, g > 0 ? "\n" : "");
            print_heading(text, fit);
            table_heading(&print.table);
        }
        add_parameters(&print);
        add_profiles(&print);
        add_number(&print, "error", fit->error);
        add_number(&print, "squares", fit->squares);
        add_number(&print, "data", (double)fit->request->data->count);
        add_number(&print, "starts", (double)fit->optima[0].starts);
        add_correlations(&print);
        add_optima(&print);
    }
    table_end(&print.table);
    return text_check(text, err);
}
