// fit_plot -- curves at the optimum over the measured values, and what is left between them.
#include "analysis/fit/fit_plot.h"

#include "base/scoped.h"

#include <math.h>
#include <string.h>

// A quantity of a group.
typedef struct FitColumn {
    const GroupFit *fit;
    size_t          quantity;
    const double   *curves;   // [condition][quantity][time] of the picture's times
    const double   *numbers;  // [condition][quantity][time] of the data's times
    FigureRange     values, residuals;
} FitColumn;

typedef struct FitPicture {
    const Measurements *data;
    double             *times;  // [FIT_PLOT_TIMES]
    FitColumn           columns[FIT_PLOT_COLUMNS];
    size_t              column_count, left_out, condition_count;
    FitStudy            dense;
    Figure              figure;
    Arena               arena;
} FitPicture;

static double find_residual(const FitColumn *column, const MeasuredValue *measured)
{
    const Measurements *data = column->fit->request->data;
    const size_t        row = measured->condition * data->quantity_count + measured->quantity;
    return (measured->value - column->numbers[row * data->time_count + measured->time]) / measured->sigma;
}

static const double *find_curve(const FitColumn *column, size_t condition)
{
    const size_t row = condition * column->fit->request->data->quantity_count + column->quantity;
    return column->curves + row * FIT_PLOT_TIMES;
}

static void find_ranges(const FitPicture *picture, FitColumn *column)
{
    const Measurements *data = picture->data;
    column->values = column->residuals = figure_range(NULL, 0);
    figure_take_in(&column->residuals, 0.0);
    for (size_t c = 0; c < picture->condition_count; ++c)
        for (size_t i = 0; i < FIT_PLOT_TIMES; ++i)
            figure_take_in(&column->values, find_curve(column, c)[i]);
    for (size_t i = 0; i < data->count; ++i) {
        const MeasuredValue *measured = &data->list[i];
        if (measured->quantity != column->quantity || measured->condition >= picture->condition_count)
            continue;
        figure_take_in(&column->values, measured->value);
        figure_take_in(&column->residuals, find_residual(column, measured));
        figure_take_in(&column->residuals, -find_residual(column, measured));
    }
}

// The times of the curves: from the begin of the run to the last measurement.
static bool make_times(FitPicture *picture, const Group *group, Error *err)
{
    const double last = picture->data->times[picture->data->time_count - 1];
    double       least, begin;
    group_find_begins(group, &least, &begin);
    picture->times = arena_take(&picture->arena, FIT_PLOT_TIMES, sizeof *picture->times, err);
    for (size_t i = 0; picture->times && i < FIT_PLOT_TIMES; ++i) {
        const double part = (double)i / (FIT_PLOT_TIMES - 1);
        picture->times[i] = begin * (1.0 - part) + last * part;
    }
    return picture->times != NULL;
}

// Runs the optimum of a fit with the samples of the data, and with those of the curves.
static bool run_optimum(FitPicture *picture, GroupFit *fit, size_t number, const double **curves,
                        const double **numbers, Error *err)
{
    const size_t  rows = picture->data->condition_count * picture->data->quantity_count;
    const double *best = fit->optima[0].fit->point;
    FitRequest    request = *fit->request;
    GroupFit      other = {0};
    double       *shown = arena_take(&picture->arena, rows, FIT_PLOT_TIMES * sizeof *shown, err),
           *measured = arena_take(&picture->arena, rows, picture->data->time_count * sizeof *measured, err);
    request.starts = 1;
    request.room = 0;
    const bool ok = shown && measured && fit_show(fit, best, measured, err) &&
                    fit_make(&request, &picture->dense, &picture->dense.plan.groups[number], &other, err) &&
                    fit_build(&other, err) && fit_show(&other, best, shown, err);
    *curves = shown;
    *numbers = measured;
    fit_free(&other);
    return ok;
}

static bool make_columns(FitPicture *picture, GroupFit *fits, size_t count, Error *err)
{
    const size_t quantities = picture->data->quantity_count;
    for (size_t g = 0; g < count; ++g) {
        const double *curves = NULL, *numbers = NULL;
        if (picture->column_count < FIT_PLOT_COLUMNS && !run_optimum(picture, &fits[g], g, &curves, &numbers, err))
            return false;
        for (size_t q = 0; q < quantities; ++q) {
            if (picture->column_count == FIT_PLOT_COLUMNS) {
                ++picture->left_out;
                continue;
            }
            FitColumn *column = &picture->columns[picture->column_count++];
            *column = (FitColumn){.fit = &fits[g], .quantity = q, .curves = curves, .numbers = numbers};
            find_ranges(picture, column);
        }
    }
    return true;
}

// Blocks of a column and a condition: the curve; the measured values with their residuals.
static void add_blocks(FitPicture *picture, size_t number)
{
    const FitColumn    *column = &picture->columns[number];
    const Measurements *data = picture->data;
    Text               *script = &picture->figure.script;
    for (size_t c = 0; c < picture->condition_count; ++c) {
        text_add(script, "$curve%zu_%zu << END\n", number, c);
        for (size_t i = 0; i < FIT_PLOT_TIMES; ++i)
            gnuplot_numbers(script, (double[]){picture->times[i], find_curve(column, c)[i]}, 2);
        text_add(script, "END\n$data%zu_%zu << END\n", number, c);
        for (size_t i = 0; i < data->count; ++i) {
            const MeasuredValue *measured = &data->list[i];
            if (measured->quantity == column->quantity && measured->condition == c)
                gnuplot_numbers(
                    script, (double[]){data->times[measured->time], measured->value, find_residual(column, measured)},
                    3);
        }
        text_add(script, "NaN NaN NaN\nEND\n");
    }
}

static void add_entries(FitPicture *picture)
{
    const Measurements *data = picture->data;
    if (picture->condition_count == 1)
        text_add(figure_entry(&picture->figure), "fit");
    for (size_t c = 0; c < picture->condition_count && picture->condition_count > 1; ++c) {
        Text *entry = figure_entry(&picture->figure);
        for (size_t k = 0; k < data->axis_count; ++k)
            text_add(entry, "%s%s = %.4g", k > 0 ? ", " : "", data->axes[k],
                     data->conditions[c * data->axis_count + k]);
    }
    picture->figure.legend = true;
}

static void add_time(FitPicture *picture)
{
    figure_scale(&picture->figure, "x", "t", "s", false,
                 figure_widen((FigureRange){picture->times[0], picture->times[FIT_PLOT_TIMES - 1]}, 0.02, 1.0));
}

static const char *unit_of(const FitColumn *column)
{
    const MeasuredQuantity *quantity = &column->fit->request->data->quantities[column->quantity];
    const Group            *group = column->fit->group;
    return strcmp(quantity->field, "x") == 0 && group->coordinates ? group->coordinates[quantity->component].unit : "";
}

static void draw_values(FitPicture *picture, size_t number)
{
    const FitColumn *column = &picture->columns[number];
    const char      *name = picture->data->quantities[column->quantity].name;
    Figure          *figure = &picture->figure;
    Text             title SCOPED(text_free) = {0}, more = {0};
    text_add(&title, "%s: %s", column->fit->group->label, name);
    figure_title(figure, title.text ? title.text : "", &more);
    add_time(picture);
    figure_scale(figure, "y", name, unit_of(column), false, figure_widen(column->values, 0.05, 1.0));
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    for (size_t c = 0; c < picture->condition_count; ++c) {
        text_add(figure_layer(figure), "$curve%zu_%zu using 1:2 with lines lc rgb '%s' lw 1.5 ", number, c,
                 figure_colours[c % FIGURE_COLOURS]);
        figure_layer_title(figure, number == 0 ? c : FIGURE_UNTITLED);
        text_add(figure_layer(figure), "$data%zu_%zu using 1:2 with points lc rgb '%s' pt 7 ps 0.6 notitle", number, c,
                 figure_colours[c % FIGURE_COLOURS]);
    }
    figure_end_panel(figure);
}

static void draw_residuals(FitPicture *picture, size_t number)
{
    const FitColumn *column = &picture->columns[number];
    const bool       weighted = picture->data->quantities[column->quantity].sigma != SIZE_MAX;
    Figure          *figure = &picture->figure;
    Text             title = {0};
    figure_title(figure, "", &title);
    add_time(picture);
    figure_scale(figure, "y", weighted ? "residual / sigma" : "residual", weighted ? "" : unit_of(column), false,
                 figure_widen(column->residuals, 0.05, 1.0));
    figure_key(figure, FIGURE_NO_KEY, 10);
    text_add(figure_layer(figure), "0 with lines lc rgb '#808080' lw 1 notitle");
    for (size_t c = 0; c < picture->condition_count; ++c)
        text_add(figure_layer(figure), "$data%zu_%zu using 1:3 with points lc rgb '%s' pt 7 ps 0.6 notitle", number, c,
                 figure_colours[c % FIGURE_COLOURS]);
    figure_end_panel(figure);
}

static void say(const FitPicture *picture, const char *stem, Text *said)
{
    text_add(said, "%s.png, %s.svg; script %s.gp\n", stem, stem, stem);
    if (picture->left_out > 0)
        text_add(said,
                 "  the first %d quantities are drawn, not %zu more: choose by --columns or by -s methods=[...]\n",
                 FIT_PLOT_COLUMNS, picture->left_out);
    if (picture->condition_count < picture->data->condition_count)
        text_add(said, "  the first %d conditions are drawn, not %zu more\n", FIT_PLOT_CONDITIONS,
                 picture->data->condition_count - picture->condition_count);
}

static bool draw(FitPicture *picture, const FitPlotRequest *request, const Outputs *outputs, Text *said, Error *err)
{
    const size_t columns = picture->column_count;
    const char  *title = request->sweep->title;
    picture->figure = (Figure){.title = title ? title : "",
                               .stem = request->stem,
                               .fits = true,
                               .rows = 2,
                               .columns = (unsigned)columns,
                               .panel = {columns == 1 ? 640 : 400, columns == 1 ? 280 : 230},
                               .around = {105, 30, 75, 80},
                               .between = {110, 85}};
    add_entries(picture);
    text_add(&picture->figure.script, "set encoding utf8\n");
    for (size_t i = 0; i < columns; ++i)
        add_blocks(picture, i);
    figure_begin(&picture->figure);
    for (size_t i = 0; i < columns; ++i)
        draw_values(picture, i);
    for (size_t i = 0; i < columns; ++i)
        draw_residuals(picture, i);
    const bool ok = figure_draw(&picture->figure, outputs, err);
    if (ok)
        say(picture, request->stem, said);
    return ok;
}

bool fit_plot(GroupFit *fits, size_t count, const FitPlotRequest *request, const Outputs *outputs, Text *said,
              Error *err)
{
    const Measurements *data = fits[0].request->data;
    FitPicture          picture = {.data = data};
    picture.condition_count = data->condition_count < FIT_PLOT_CONDITIONS ? data->condition_count : FIT_PLOT_CONDITIONS;
    const bool ok = make_times(&picture, fits[0].group, err) &&
                    fit_study_make(request->sweep, request->overrides, request->override_count, data, picture.times,
                                   FIT_PLOT_TIMES, NULL, 0, &picture.dense, err) &&
                    make_columns(&picture, fits, count, err) && draw(&picture, request, outputs, said, err);
    figure_free(&picture.figure);
    fit_study_free(&picture.dense);
    arena_free(&picture.arena);
    return ok;
}
