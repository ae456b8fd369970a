// plot_map -- every point a cell whose edges lie halfway to its neighbours; a group with one axis is a strip, one with
// none a single cell.
#include "analysis/plot/plot_map.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 2, MOST_LABELS = 1 << 10 };

const char *const plot_map_colours[MAP_KINDS] = {"#d9d9d9", "#21918c", "#e31a1c", "#fb6a4a", "#ff1493",
                                                 "#7f0000", "#000000", "#ff7f00", NULL,      "#eeeeee"};

int plot_map_kind(const Map *map, double status, double value)
{
    if (!(status >= 0.0 && status < STATUS_COUNT))
        return STATUS_NOT_RUN;
    if (map->categories || status != (double)STATUS_OK)
        return (int)status;
    return isfinite(value) ? MAP_VALUE : MAP_NO_VALUE;
}

static bool is_possible(const PlotGroup *group)
{
    return group->metric.variable && plot_slice_find(group, 2).axis_count == 2;
}

static bool make_span(const PlotSlice *slice, size_t along, Arena *arena, MapSpan *span, Error *err)
{
    const PointsAxis *first = slice->axes[along];
    const PointsDim  *dim = first ? &slice->group->points.dims[first->dim] : NULL;
    const PointsAxis *axis = dim && !dim->together ? first : NULL;
    const size_t      count = dim ? dim->count : 1;
    *span = (MapSpan){dim ? dim->name : "", axis ? axis->unit : "", count, NULL, NULL};
    span->values = arena_take(arena, count, sizeof *span->values, err);
    span->edges = arena_take(arena, count + 1, sizeof *span->edges, err);
    if (!span->values || !span->edges)
        return false;
    for (size_t i = 0; i < count; ++i)
        span->values[i] = axis ? axis->values[i] : (double)i;
    figure_edges(span->values, count, span->edges);
    return true;
}

static int cell_kind(const Map *map, const PlotSlice *slice, size_t cell)
{
    return plot_map_kind(map, slice->status[cell], slice->values[cell]);
}

// Finds the slices of the panels, and the values along their sides.
static bool make_slices(Map *map, Error *err)
{
    Arena       *arena = &map->figure->arena;
    const size_t count = map->file->group_count;
    map->slices = arena_take(arena, count, sizeof *map->slices, err);
    map->spans = arena_take(arena, count, sizeof *map->spans, err);
    for (size_t g = 0; map->slices && map->spans && g < count; ++g) {
        map->slices[g] = plot_slice_find(&map->file->groups[g], 2);
        for (size_t k = 0; k < 2; ++k)
            if (!make_span(&map->slices[g], k, arena, &map->spans[g][k], err))
                return false;
    }
    return map->slices && map->spans;
}

// Reads every cell of the panels.
static bool read_cells(Map *map, Error *err)
{
    Arena       *arena = &map->figure->arena;
    const size_t groups = map->file->group_count;
    size_t       room = 0, count = 0;
    for (size_t g = 0; g < groups; ++g) {
        room += map->slices[g].count;
        if (!plot_slice_fill(&map->slices[g], map->metric, arena, err))
            return false;
    }
    double *values = arena_take(arena, room, sizeof *values, err);
    map->boxed = groups;
    for (size_t g = 0; values && g < groups; ++g)
        for (size_t i = 0; i < map->slices[g].count; ++i) {
            const int kind = cell_kind(map, &map->slices[g], i);
            map->has[kind] = true;
            map->boxed = kind == MAP_VALUE && g < map->boxed ? g : map->boxed;
            if (isfinite(map->slices[g].values[i]))
                values[count++] = map->slices[g].values[i];
        }
    if (values)
        map->clip = plot_slice_clip(values, count);
    return values != NULL;
}

// Reads the panels as blocks of cells, and for a page the cells too, where it keeps them.
static bool read_blocks(Map *map, Error *err)
{
    size_t room = map->figure->svg ? FIGURE_CELLS : 0;
    for (size_t g = 0; g < map->file->group_count && map->slices[g].count <= room; ++g) {
        room -= map->slices[g].count;
        if (!plot_slice_fill(&map->slices[g], map->metric, &map->figure->arena, err))
            return false;
    }
    return plot_raster_read(map, err);
}

// Reads the panels, and finds the range of the scale.
static bool read_panels(Map *map, Error *err)
{
    if (!make_slices(map, err) || !(plot_raster_wanted(map->file) ? read_blocks(map, err) : read_cells(map, err)))
        return false;
    if (map->request->scale != PLOT_SCALE_CHOSEN)
        map->clip.logarithmic = map->request->scale == PLOT_SCALE_LOG && map->clip.low > 0.0;
    // A status is not a number.
    if (map->categories)
        map->clip = (PlotClip){.low = INFINITY, .high = -INFINITY};
    return true;
}

// Adds the palette of the values and its range. Returns the range of the scale: 0 to 0 where no point has a value.
static FigureRange add_palette(const Map *map)
{
    const FigureRange shown =
        map->clip.low <= map->clip.high ? (FigureRange){map->clip.low, map->clip.high} : (FigureRange){0.0, 0.0};
    const FigureRange range = figure_widen(shown, 0.0, fmax(fabs(shown.low), 1.0) * 0.5);
    text_add(&map->figure->script,
             "set palette defined (0 '#440154', 0.13 '#472878', 0.25 '#3b528b', 0.38 '#2c718e', 0.5 '#21918c', 0.63 "
             "'#28ae80', "
             "0.75 '#5ec962', 0.88 '#addc30', 1 '#fde725')\n"
             "set cbrange [%.9g:%.9g]\n",
             range.low, range.high);
    return shown;
}

void plot_map_palette(const Map *map)
{
    add_palette(map);
    if (map->clip.logarithmic)
        text_add(&map->figure->script, "set logscale cb\n");
}

// Adds the palette and the other settings of all panels' values.
static void add_scale(const Map *map)
{
    Text *script = &map->figure->script;
    text_add(script, "set encoding utf8\n");
    const FigureRange shown = add_palette(map);
    text_add(script, "shown(value) = value < %.9g ? %.9g : value > %.9g ? %.9g : value\n", shown.low, shown.low,
             shown.high, shown.high);
    gnuplot_label(script, "set cblabel ", map->metric->name, map->metric->unit);
    text_add(script, " offset 1\n");
    if (map->clip.logarithmic)
        text_add(script, "set logscale cb\n%s", shown.high > 100.0 * shown.low ? "set format cb '10^{%L}'\n" : "");
}

// Adds a cell, with the number that the scale shows.
static void add_cell(Text *script, const MapSpan spans[2], size_t cell, double number)
{
    const size_t place[2] = {cell / spans[1].count, cell % spans[1].count};
    double       numbers[7] = {[6] = number};
    for (size_t k = 0; k < 2; ++k) {
        const MapSpan *span = &spans[k];
        numbers[k] = span->values[place[k]];
        const size_t i = figure_cell(span->edges, span->count, numbers[k]);
        numbers[2 + 2 * k] = span->edges[i];
        numbers[3 + 2 * k] = span->edges[i + 1];
    }
    gnuplot_numbers(script, numbers, 7);
}

// Adds the name of the block that holds the cells of one kind.
static void add_name(Text *script, size_t panel, int kind)
{
    if (kind < STATUS_COUNT)
        text_add(script, "$status%zu_%d", panel, kind);
    else
        text_add(script, kind == MAP_VALUE ? "$ok%zu" : "$none%zu", panel);
}

static void add_block(const Map *map, size_t number, int kind)
{
    const PlotSlice *slice = &map->slices[number];
    Text            *script = &map->figure->script;
    add_name(script, number, kind);
    text_add(script, " << END\n");
    for (size_t i = 0; i < slice->count; ++i)
        if (cell_kind(map, slice, i) == kind)
            add_cell(script, map->spans[number], i, kind == MAP_VALUE ? slice->values[i] : 0.0);
    text_add(script, "END\n");
}

// A reader who points at a cell sees its value, and which point it is.
static void add_points(const Map *map, size_t number)
{
    const PlotSlice *slice = &map->slices[number];
    const MapSpan   *x = &map->spans[number][0], *y = &map->spans[number][1];
    const uint64_t   first = plot_slice_point(slice, 0);
    if (slice->status)
        figure_map(map->figure, number,
                   &(FigureMap){.group = slice->group->points.group->label,
                                .values = {x->values, y->values},
                                .count = {x->count, y->count},
                                .first = first,
                                .each = {x->count > 1 ? plot_slice_point(slice, y->count) - first : 0,
                                         y->count > 1 ? plot_slice_point(slice, 1) - first : 0},
                                .statuses = slice->status,
                                .numbers = map->categories ? NULL : slice->values});
}

static void add_title(const Map *map, const PlotSlice *slice)
{
    Text more = {0};
    if (!slice->group->metric.variable)
        text_add(&more, "has no %s", map->file->metric);
    plot_slice_rest(&more, more.length ? "; " : "", slice, 1);
    figure_title(map->figure, slice->group->points.group->label, &more);
}

static void add_span(Figure *figure, const char *which, const MapSpan *span, const double *limits)
{
    const FigureRange all = {span->edges[0], span->edges[span->count]};
    figure_axis(figure, which, span->name, span->unit, span->values, span->count, figure_limit(limits, all));
    if (!*span->name)
        text_add(&figure->script, "unset %stics\n", which);
}

static void add_rectangles(const Map *map, size_t number)
{
    Figure *figure = map->figure;
    text_add(figure_layer(figure), "$ok%zu using 1:2:3:4:5:6:(shown($7)) with boxxyerror fc palette z fs solid notitle",
             number);
    for (int kind = 0; kind < MAP_KINDS; ++kind)
        if (map->has[kind] && kind != MAP_VALUE) {
            add_name(figure_layer(figure), number, kind);
            text_add(&figure->script, " using 1:2:3:4:5:6 with boxxyerror fc rgb '%s' fs solid border rgb '%s' notitle",
                     plot_map_colours[kind], plot_map_colours[kind]);
        }
}

// Adds all entries of the legend, whatever the panel shows.
static void add_entries(const Map *map)
{
    size_t entry = 0;
    for (int kind = 0; kind < MAP_KINDS; ++kind)
        if (map->has[kind] && kind != MAP_VALUE) {
            text_add(figure_layer(map->figure), "keyentry with boxes fs solid fc rgb '%s' ", plot_map_colours[kind]);
            figure_layer_title(map->figure, entry++);
        }
}

static void add_panel(const Map *map, size_t number)
{
    Figure    *figure = map->figure;
    const bool last = number + 1 == map->file->group_count;
    text_add(&figure->script, "unset colorbox\n");
    if (map->rasters)
        plot_raster_under(map, number);
    if (number == map->boxed)
        figure_box(figure);
    add_title(map, &map->slices[number]);
    add_span(figure, "x", &map->spans[number][0], map->request->x_limits);
    add_span(figure, "y", &map->spans[number][1], map->request->y_limits);
    figure_key(figure, last ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 8);
    if (map->rasters)
        plot_raster_layer(map, number);
    else
        add_rectangles(map, number);
    if (last)
        add_entries(map);
    figure_end_panel(figure);
}

// Adds the data of a panel whose cells are rectangles.
static void add_cells(const Map *map, size_t number)
{
    const MapSpan *y = &map->spans[number][1];
    // Powers of ten are short.
    if (!figure_is_logarithmic(y->values, y->count))
        figure_label(map->figure, y->values, y->count);
    for (int kind = 0; kind < MAP_KINDS; ++kind)
        add_block(map, number, kind);
    add_points(map, number);
}

// Adds the blocks of a panel of pixels.
static void add_blocks(const Map *map, size_t number)
{
    const MapSpan *y = &map->spans[number][1];
    if (!figure_is_logarithmic(y->values, y->count))
        figure_label(map->figure, y->values, y->count < MOST_LABELS ? y->count : MOST_LABELS);
    plot_raster_data(map, number);
    add_points(map, number);
}

static void write_script(const Map *map)
{
    Figure      *figure = map->figure;
    const size_t count = map->file->group_count;
    figure->columns = (unsigned)(count < MOST_COLUMNS ? count : MOST_COLUMNS);
    figure->rows = (unsigned)(count + figure->columns - 1) / figure->columns;
    figure->between = (FigureSize){105, 115};
    figure->around = (FigureRoom){90, 140, 85, 80};
    figure->legend = true;
    add_scale(map);
    for (size_t i = 0; i < count; ++i)
        map->rasters ? add_blocks(map, i) : add_cells(map, i);
    for (int kind = 0; kind < MAP_KINDS; ++kind)
        if (map->has[kind] && kind != MAP_VALUE)
            text_add(figure_entry(figure), "%s", kind < STATUS_COUNT ? plan_status_names[kind] : "no value");
    figure_begin(figure);
    for (size_t i = 0; i < count; ++i)
        add_panel(map, i);
}

static bool add_map(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err)
{
    const PlotGroup *group = file->groups;
    while (!group->metric.variable)
        ++group;
    Map map = {.file = file,
               .request = request,
               .figure = figure,
               .metric = &group->metric,
               .categories = strcmp(group->metric.variable->name, "status") == 0};
    figure->panel = (FigureSize){400, 360};
    if (!read_panels(&map, err))
        return false;
    if (map.rasters)
        plot_raster_say(&map);
    plot_slice_say(&figure->notes, &map.clip, map.metric->name, map.rasters ? "cells" : "points");
    if (!map.categories && map.clip.count == 0)
        text_add(&figure->notes, "%s: no point has a value\n", map.metric->name);
    write_script(&map);
    return true;
}

const PlotMaker plot_map = {"no group has two axes: no map to draw", is_possible, PLOT_METRIC, add_map};
