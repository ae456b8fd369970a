// rare_plot -- draws the probability beyond each value, with its interval, and the levels of all runs.
#include "analysis/rare/rare_plot.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

enum { PLACES_OF_LEVEL = 12, PLACES = PLACES_OF_LEVEL * SUBSET_LEVELS + 1 };

#define BAND_LOOK "fs transparent solid 0.25 noborder lc rgb '%s'"
#define LINE_LOOK "lc rgb '%s' lw 2"
#define LEVEL_LOOK "pt 7 ps 0.4 lc rgb '#7f7f7f'"
#define EVENT_LOOK "pt 7 ps 0.8 lw 1.5 lc rgb '#d55e00'"

static const char *line_colour(void)
{
    return figure_colours[0];
}

// Thresholds from the median to V, a dozen of each level of the first run: as even in the probability's logarithm as in
// the metric. The last one is V.
static size_t choose_places(const Subset *subset, double *sorted, double places[PLACES])
{
    const SubsetRun *run = &subset->runs[0];
    const size_t     n = subset->request->samples;
    const double     end = subset->request->threshold;
    size_t           count = 0;
    for (size_t level = 0; level < run->level_count; ++level) {
        memcpy(sorted, run->values[level], n * sizeof *sorted);
        sort_numbers(sorted, n);
        for (size_t i = 0; i < PLACES_OF_LEVEL; ++i) {
            const double from = level == 0 ? 0.5 : 0.0,
                         part = from + (1.0 - 1.0 / SUBSET_CHAIN - from) * (double)i / PLACES_OF_LEVEL;
            const double place = sorted[(size_t)(part * (double)n)];
            if (isfinite(place) && place < end && (count == 0 || place > places[count - 1]))
                places[count++] = place;
        }
    }
    places[count++] = end;
    return count;
}

// Data of a panel: the curve; thresholds of all levels; the event.
static bool add_data(Figure *figure, const Rare *rare, size_t number, double *shown, size_t *count, Error *err)
{
    const Subset *subset = &rare->subset;
    Text         *script = &figure->script;
    Arena         room SCOPED(arena_free) = {0};
    double        places[PLACES];
    double       *sorted = arena_take(&room, subset->request->samples, sizeof *sorted, err);
    if (!sorted)
        return false;
    *count = choose_places(subset, sorted, places);
    text_add(script, "$curve%zu << END\n", number);
    for (size_t i = 0; i < *count; ++i) {
        const IntervalEstimate beyond = subset_beyond(subset, places[i]);
        shown[i] = rare_threshold(rare, places[i]);
        gnuplot_numbers(script, (double[]){shown[i], beyond.value, beyond.low, beyond.high}, 4);
    }
    text_add(script, "END\n$levels%zu << END\n", number);
    for (size_t r = 0; r < rare->asked.runs; ++r)
        for (size_t i = 1; i < subset->runs[r].level_count; ++i) {
            const SubsetLevel *level = &subset->runs[r].levels[i];
            gnuplot_numbers(script, (double[]){rare_threshold(rare, level->threshold), level->probability}, 2);
        }
    text_add(script, "NaN NaN\nEND\n$event%zu << END\n", number);
    const IntervalEstimate *found = &subset->probability;
    gnuplot_numbers(script, (double[]){rare->request->value, found->value, found->low, found->high}, 4);
    text_add(script, "END\n");
    return true;
}

static void draw_panel(Figure *figure, const Rare *rare, size_t number, const double *shown, size_t count)
{
    const RareRequest *request = rare->request;
    FigureRange        along = figure_range(shown, count);
    const bool         logarithmic = count > 1 && figure_is_logarithmic(shown, count);
    Text               label = {0}, more = {0};
    figure_title(figure, rare->group->label, &more);
    if (!logarithmic)
        along = figure_widen(along, 0.03, fmax(fabs(along.low), 1.0));
    else
        along = (FigureRange){along.low / 1.05, along.high * 1.05};
    figure_scale(figure, "x", request->metric, rare->variable->per_dof ? "" : rare->variable->unit, logarithmic, along);
    text_add(&label, "P(%s %s V)", request->metric, request->below ? "<" : ">");
    figure_scale(figure, "y", label.text, "", true, (FigureRange){rare->subset.probability.low / 2.0, 1.0});
    text_free(&label);
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    text_add(figure_layer(figure), "$curve%zu using 1:3:4 with filledcurves " BAND_LOOK " notitle", number,
             line_colour());
    text_add(figure_layer(figure), "$curve%zu using 1:2 with lines " LINE_LOOK " notitle", number, line_colour());
    text_add(figure_layer(figure), "$levels%zu using 1:2 with points " LEVEL_LOOK " notitle", number);
    text_add(figure_layer(figure), "$event%zu using 1:2:3:4 with yerrorbars " EVENT_LOOK " notitle", number);
    if (number == 0) {
        text_add(figure_layer(figure), "keyentry with lines " LINE_LOOK " ", line_colour());
        figure_layer_title(figure, 0);
        text_add(figure_layer(figure), "keyentry with boxes " BAND_LOOK " ", line_colour());
        figure_layer_title(figure, 1);
        text_add(figure_layer(figure), "keyentry with points " LEVEL_LOOK " ");
        figure_layer_title(figure, 2);
        text_add(figure_layer(figure), "keyentry with points " EVENT_LOOK " ");
        figure_layer_title(figure, 3);
    }
    figure_end_panel(figure);
}

static void make_figure(Figure *figure, const Rare *rares, size_t panels, const char *stem)
{
    const RareRequest *request = rares[0].request;
    const size_t       columns = panels < 3 ? panels : panels == 4 ? 2 : 3;
    *figure = (Figure){.title = rares[0].plan->title,
                       .stem = stem,
                       .fits = true,
                       .legend = true,
                       .rows = (unsigned)((panels + columns - 1) / columns),
                       .columns = (unsigned)columns,
                       .panel = {columns == 1 ? 640 : 360, columns == 1 ? 400 : 280},
                       .around = {105, 30, 90, 80},
                       .between = {115, 125}};
    if (request->runs > 1)
        text_add(figure_entry(figure), "mean of %zu runs", (size_t)request->runs);
    else
        text_add(figure_entry(figure), "probability");
    text_add(figure_entry(figure), "interval at 95 %%");
    text_add(figure_entry(figure), "levels of %s", request->runs > 1 ? "the runs" : "the run");
    text_add(figure_entry(figure), "V = %.6g", request->value);
    text_add(&figure->script, "set encoding utf8\n");
}

bool rare_plot(const Rare *rares, size_t count, const char *stem, const Outputs *outputs, Text *said, Error *err)
{
    const size_t panels = count < RARE_PLOT_PANELS ? count : RARE_PLOT_PANELS;
    Figure       figure = {0};
    double       shown[RARE_PLOT_PANELS][PLACES];
    size_t       places[RARE_PLOT_PANELS];
    bool         ok = true;
    make_figure(&figure, rares, panels, stem);
    for (size_t i = 0; ok && i < panels; ++i)
        ok = add_data(&figure, &rares[i], i, shown[i], &places[i], err);
    if (ok)
        figure_begin(&figure);
    for (size_t i = 0; ok && i < panels; ++i)
        draw_panel(&figure, &rares[i], i, shown[i], places[i]);
    ok = ok && figure_draw(&figure, outputs, err);
    if (ok)
        text_add(said, "%s.png, %s.svg; script %s.gp\n", stem, stem, stem);
    if (ok && count > panels)
        text_add(said, "  the first %d groups are drawn, not %zu more\n", RARE_PLOT_PANELS, count - panels);
    figure_free(&figure);
    return ok;
}
