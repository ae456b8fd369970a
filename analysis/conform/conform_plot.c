// conform_plot -- two panels over the points of each group, in their order: shares of bounds, and units between
// devices.
#include "analysis/conform/conform_plot.h"

#include "analysis/plot/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Takes the worst of the points in each column.
static void gather(const double *values, uint64_t count, size_t columns, double *worst)
{
    for (size_t k = 0; k < columns; ++k)
        worst[k] = 0.0;
    for (uint64_t i = 0; values && i < count; ++i) {
        const size_t k = (size_t)(i * columns / count);
        worst[k] = fmax(worst[k], values[i]);
    }
}

bool conform_plot_add(const Conformance *conformance, ConformCurves *curves, Error *err)
{
    const uint64_t count = conformance->scope->count;
    ConformCurve  *items = realloc(curves->items, (curves->count + 1) * sizeof *items);
    if (!items)
        return fail(err, ERROR_INTERNAL, "out of memory");
    curves->items = items;
    ConformCurve *curve = &items[curves->count];
    curve->label = strdup(conformance->group->label);
    if (!curve->label)
        return fail(err, ERROR_INTERNAL, "out of memory");
    curve->columns = count < CONFORM_PLOT_COLUMNS ? (size_t)count : CONFORM_PLOT_COLUMNS;
    gather(conformance->certified.shares, count, curve->columns, curve->shares);
    gather(conformance->bits->shown, count, curve->columns, curve->ulps);
    ++curves->count;
    return true;
}

void conform_plot_free(ConformCurves *curves)
{
    for (size_t i = 0; i < curves->count; ++i)
        free(curves->items[i].label);
    free(curves->items);
    *curves = (ConformCurves){0};
}

// A data block of each group: place in the group from 0 to 1, share of a bound, units.
static void add_blocks(const ConformCurves *curves, Text *script)
{
    for (size_t i = 0; i < curves->count; ++i) {
        const ConformCurve *curve = &curves->items[i];
        text_add(script, "$group%zu << END\n", i);
        for (size_t k = 0; k < curve->columns; ++k) {
            const double numbers[] = {((double)k + 0.5) / (double)curve->columns,
                                      isfinite(curve->shares[k]) ? curve->shares[k] : (double)NAN, curve->ulps[k]};
            gnuplot_numbers(script, numbers, 3);
        }
        text_add(script, "END\n");
    }
}

static FigureRange find_range(const ConformCurves *curves, bool ulps)
{
    FigureRange range = figure_range(NULL, 0);
    for (size_t i = 0; i < curves->count; ++i)
        for (size_t k = 0; k < curves->items[i].columns; ++k) {
            const double value = ulps ? curves->items[i].ulps[k] : curves->items[i].shares[k];
            figure_take_in(&range, ulps || value > 0.0 ? value : (double)NAN);
        }
    figure_take_in(&range, 1.0);
    return ulps ? (FigureRange){0.0, 1.1 * range.high} : (FigureRange){0.5 * range.low, 2.0 * range.high};
}

static void add_curves(Figure *figure, const ConformCurves *curves, int column)
{
    for (size_t i = 0; i < curves->count; ++i) {
        text_add(figure_layer(figure), "$group%zu using 1:%d with points pt 7 ps 0.5 lc rgb '%s' ", i, column,
                 figure_colours[i % FIGURE_COLOURS]);
        figure_layer_title(figure, column == 2 ? i : FIGURE_UNTITLED);
    }
}

bool conform_plot(const ConformCurves *curves, const char *title, const char *stem, const Outputs *outputs, Error *err)
{
    const FigureRange places = {0.0, 1.0}, shares = find_range(curves, false), ulps = find_range(curves, true);
    Figure            figure = {.title = title,
                                .stem = stem,
                                .rows = 2,
                                .columns = 1,
                                .panel = {640, 260},
                                .around = {100, 30, 60, 70},
                                .between = {0, 95}};
    for (size_t i = 0; i < curves->count; ++i)
        text_add(figure_entry(&figure), "%s", curves->items[i].label);
    text_add(&figure.script, "set encoding utf8\n");
    add_blocks(curves, &figure.script);
    figure_begin(&figure);
    for (int panel = 0; panel < 2; ++panel) {
        figure_scale(&figure, "x", "points of a group, in their order", "", false, places);
        figure_scale(&figure, "y", panel ? "between devices" : "largest share of a bound", panel ? "ulp" : "", !panel,
                     panel ? ulps : shares);
        figure_key(&figure, panel ? FIGURE_NO_KEY : FIGURE_ALL_COLUMNS, 10);
        if (!panel)
            text_add(figure_layer(&figure), "1 with lines lc rgb '#404040' dt 2 notitle");
        add_curves(&figure, curves, panel ? 3 : 2);
        figure_end_panel(&figure);
    }
    const bool ok = figure_draw(&figure, outputs, err);
    figure_free(&figure);
    return ok;
}
