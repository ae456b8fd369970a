// series -- axes, panels, legend and triangles of a picture of points and lines.
#include "analysis/plot/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 2, FIRST_LABEL = 100 };

SeriesPicture *series_make(Figure *figure, const PlotRequest *request, Error *err)
{
    SeriesPicture *picture = arena_take(&figure->arena, 1, sizeof *picture, err);
    if (picture) {
        picture->figure = figure;
        picture->x.limits = request->x_limits;
        picture->y.limits = request->y_limits;
        picture->y.scale = request->scale;
    }
    return picture;
}

bool series_panel(SeriesPicture *picture, const char *title, Text *more, size_t *panel, Error *err)
{
    if (picture->panel_count == SERIES_PANELS) {
        text_free(more);
        return fail(err, ERROR_USAGE, "more than %d groups: too many panels for a picture", SERIES_PANELS);
    }
    *panel = picture->panel_count++;
    picture->titles[*panel] = title;
    picture->more[*panel] = *more;
    return true;
}

Series *series_add(SeriesPicture *picture, size_t panel, size_t entry, SeriesStyle style, size_t count, Error *err)
{
    if (picture->count == SERIES_MOST) {
        fail(err, ERROR_USAGE, "more than %d curves: too many for a picture; choose with --at or --family",
             SERIES_MOST);
        return NULL;
    }
    Series *series = &picture->series[picture->count];
    *series = (Series){.count = count, .panel = panel, .entry = entry, .style = style};
    series->x = arena_take(&picture->figure->arena, count + 1, sizeof *series->x, err);
    series->y = arena_take(&picture->figure->arena, count + 1, sizeof *series->y, err);
    if (!series->x || !series->y)
        return NULL;
    for (size_t i = 0; i < count; ++i)
        series->x[i] = series->y[i] = (double)NAN;
    ++picture->count;
    return series;
}

size_t series_entry(SeriesPicture *picture, const char *name)
{
    const Figure *figure = picture->figure;
    for (size_t i = 0; i < figure->entry_count; ++i)
        if (figure->entries[i].text && strcmp(figure->entries[i].text, name) == 0)
            return i;
    text_add(figure_entry(picture->figure), "%s", name);
    return figure->entry_count ? figure->entry_count - 1 : 0;
}

typedef struct SeriesPair {
    double x, y;
} SeriesPair;

static int compare(const void *left, const void *right)
{
    const double a = ((const SeriesPair *)left)->x, b = ((const SeriesPair *)right)->x;
    return (a > b) - (a < b);
}

void series_sort(Series *series)
{
    SeriesPair *places = calloc(series->count + 1, sizeof *places);
    for (size_t i = 0; places && i < series->count; ++i)
        places[i] = (SeriesPair){series->x[i], series->y[i]};
    if (places)
        qsort(places, series->count, sizeof *places, compare);
    for (size_t i = 0; places && i < series->count; ++i) {
        series->x[i] = places[i].x;
        series->y[i] = places[i].y;
    }
    free(places);
}

void series_slope(SeriesPicture *picture, SeriesSlope slope)
{
    if (picture->slope_count < SERIES_SLOPES)
        picture->slopes[picture->slope_count++] = slope;
}

static bool is_limited(const SeriesAxis *axis)
{
    return axis->limits[0] < axis->limits[1];
}

// Finds the scale and the range of an axis from all numbers.
static bool find_axis(SeriesPicture *picture, bool along, Error *err)
{
    SeriesAxis *axis = along ? &picture->x : &picture->y;
    size_t      count = 0, room = 0;
    for (size_t i = 0; i < picture->count; ++i)
        room += picture->series[i].count;
    double *values = arena_take(&picture->figure->arena, room + 1, sizeof *values, err);
    if (!values)
        return false;
    for (size_t i = 0; i < picture->count; ++i)
        for (size_t k = 0; k < picture->series[i].count; ++k)
            if (isfinite(picture->series[i].x[k]) && isfinite(picture->series[i].y[k]))
                values[count++] = (along ? picture->series[i].x : picture->series[i].y)[k];
    const size_t all = count;
    PlotClip     clip = plot_slice_clip(values, count);
    axis->logarithmic = axis->scale == PLOT_SCALE_LOG ||
                        (axis->scale == PLOT_SCALE_CHOSEN && clip.logarithmic && clip.high >= 100.0 * clip.low);
    if (axis->logarithmic && count > 0 && !(values[0] > 0.0)) {
        size_t kept = 0;
        for (size_t i = 0; i < count; ++i)
            if (values[i] > 0.0)
                values[kept++] = values[i];
        axis->lost = all - kept;
        clip = plot_slice_clip(values, kept);
    }
    axis->clip = clip;
    axis->range = axis->whole ? (FigureRange){clip.least, clip.most} : (FigureRange){clip.low, clip.high};
    if (is_limited(axis))
        axis->range = (FigureRange){axis->limits[0], axis->limits[1]};
    else if (axis->logarithmic) {
        const double factor = axis->range.high > axis->range.low ? pow(axis->range.high / axis->range.low, 0.05) : 2.0;
        axis->range = (FigureRange){axis->range.low / factor, axis->range.high * factor};
    } else {
        axis->range = figure_widen(axis->range, 0.04, fmax(fabs(axis->range.low), 1.0) * 0.5);
    }
    if (clip.count == 0)
        return fail(err, ERROR_USAGE, "no point has a number to draw%s",
                    axis->lost ? " on a logarithmic scale; choose --scale linear" : "");
    return true;
}

static void say_axis(Figure *figure, const SeriesAxis *axis)
{
    if (!axis->whole && !is_limited(axis))
        plot_slice_say(&figure->notes, &axis->clip, axis->name, "points");
    if (axis->lost)
        text_add(&figure->notes, "%s: %zu numbers are not positive, and have no place on the logarithmic scale\n",
                 axis->name, axis->lost);
}

static void add_block(Text *script, const Series *series, size_t number)
{
    text_add(script, "$s%zu << END\n", number);
    for (size_t i = 0; i < series->count; ++i) {
        const bool drawn = isfinite(series->x[i]) && isfinite(series->y[i]);
        // An empty line breaks a curve.
        if (drawn)
            gnuplot_numbers(script, (double[]){series->x[i], series->y[i]}, 2);
        else if (series->style == SERIES_LINES || series->style == SERIES_BOTH)
            text_add(script, "\n");
    }
    text_add(script, "END\n");
}

static void add_style(Text *script, size_t entry, SeriesStyle style)
{
    const char *colour = figure_colours[entry % FIGURE_COLOURS];
    switch (style) {
    case SERIES_LINES: text_add(script, "with lines lw 1.2 "); break;
    case SERIES_BOTH: text_add(script, "with linespoints lw 1.4 pt 7 ps 0.5 "); break;
    case SERIES_MARKS: text_add(script, "with points pt 7 ps 0.4 "); break;
    case SERIES_DOTS: text_add(script, "with points pt 7 ps 0.12 "); break;
    }
    if (entry >= FIGURE_COLOURS && (style == SERIES_LINES || style == SERIES_BOTH))
        text_add(script, "dt %zu ", entry / FIGURE_COLOURS + 1);
    text_add(script, "lc rgb '%s' ", colour);
}

// The upper end of a triangle, a little below the curve; its lower end is where its slope leads.
static double slope_top(const SeriesSlope *slope)
{
    return 0.45 * slope->y0;
}

static double slope_bottom(const SeriesSlope *slope)
{
    return slope_top(slope) * pow(slope->x0 / slope->x1, slope->order);
}

static void add_slope_block(Text *script, const SeriesSlope *slope, size_t number)
{
    const double corners[4][2] = {{slope->x0, slope_bottom(slope)},
                                  {slope->x1, slope_bottom(slope)},
                                  {slope->x1, slope_top(slope)},
                                  {slope->x0, slope_bottom(slope)}};
    text_add(script, "$m%zu << END\n", number);
    for (size_t i = 0; i < 4; ++i)
        gnuplot_numbers(script, corners[i], 2);
    text_add(script, "END\n");
}

// The slope stands beside the upright side.
static void add_slope_labels(const SeriesPicture *picture, size_t panel)
{
    Text *script = &picture->figure->script;
    for (size_t i = 0; i < picture->slope_count; ++i) {
        const SeriesSlope *slope = &picture->slopes[i];
        text_add(script, "unset label %zu\n", FIRST_LABEL + i);
        if (slope->panel == panel)
            text_add(script, "set label %zu '%g' at %.9g,%.9g left offset 0.5,0 textcolor rgb '#555555'\n",
                     FIRST_LABEL + i, slope->order, slope->x1, sqrt(slope_top(slope) * slope_bottom(slope)));
    }
}

// The last panel has the legend.
static bool has_key(const SeriesPicture *picture, size_t panel)
{
    return panel + 1 == picture->panel_count && (picture->figure->entry_count > 1 || picture->figure->legend);
}

// Adds the legend's entries: lines without data.
static void add_entries(const SeriesPicture *picture)
{
    Figure *figure = picture->figure;
    for (size_t i = 0; i < figure->entry_count; ++i) {
        SeriesStyle style = SERIES_LINES;
        for (size_t k = 0; k < picture->count; ++k)
            style = picture->series[k].entry == i ? picture->series[k].style : style;
        text_add(figure_layer(figure), "NaN ");
        // Dots are too small for a legend.
        add_style(&figure->script, i, style == SERIES_DOTS ? SERIES_MARKS : style);
        figure_layer_title(figure, i);
    }
}

static void add_panel(SeriesPicture *picture, size_t panel)
{
    Figure *figure = picture->figure;
    figure_title(figure, picture->titles[panel], &picture->more[panel]);
    figure_scale(figure, "x", picture->x.name, picture->x.unit, picture->x.logarithmic, picture->x.range);
    figure_scale(figure, "y", picture->y.name, picture->y.unit, picture->y.logarithmic, picture->y.range);
    add_slope_labels(picture, panel);
    figure_key(figure, has_key(picture, panel) ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 8);
    for (size_t i = 0; i < picture->count; ++i)
        if (picture->series[i].panel == panel) {
            text_add(figure_layer(figure), "$s%zu using 1:2 ", i);
            add_style(&figure->script, picture->series[i].entry, picture->series[i].style);
            figure_layer_title(figure, FIGURE_UNTITLED);
        }
    for (size_t i = 0; i < picture->slope_count; ++i)
        if (picture->slopes[i].panel == panel)
            text_add(figure_layer(figure), "$m%zu using 1:2 with lines lw 1 lc rgb '#555555' notitle", i);
    if (has_key(picture, panel))
        add_entries(picture);
    figure_end_panel(figure);
}

static void find_frame(SeriesPicture *picture)
{
    Figure      *figure = picture->figure;
    const size_t count = picture->panel_count;
    figure->columns = (unsigned)(count < COLUMNS ? count : COLUMNS);
    figure->rows = (unsigned)((count + figure->columns - 1) / figure->columns);
    figure->panel = count == 1 ? (FigureSize){640, 420} : (FigureSize){400, 300};
    figure->between = (FigureSize){110, 115};
    figure->around = (FigureRoom){100, 40, 90, 85};
    if (!picture->y.logarithmic)
        figure_label(figure, (double[]){picture->y.range.low, picture->y.range.high}, 2);
}

bool series_draw(SeriesPicture *picture, const PlotFile *file, Error *err)
{
    Figure *figure = picture->figure;
    if (!find_axis(picture, true, err) || !find_axis(picture, false, err))
        return within(err, "%s", file->file.path);
    say_axis(figure, &picture->x);
    say_axis(figure, &picture->y);
    text_add(&figure->script, "set encoding utf8\n");
    for (size_t i = 0; i < picture->count; ++i)
        add_block(&figure->script, &picture->series[i], i);
    for (size_t i = 0; i < picture->slope_count; ++i)
        add_slope_block(&figure->script, &picture->slopes[i], i);
    find_frame(picture);
    figure_begin(figure);
    for (size_t i = 0; i < picture->panel_count; ++i)
        add_panel(picture, i);
    return true;
}
