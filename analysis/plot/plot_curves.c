// plot_curves -- rows of panels for metrics, columns for axes: groups that have the same axis share a column, groups
// without one are a level in all of them; or a panel for each group, with a curve for each value of a family.
#include "analysis/plot/series.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 4, MOST_COLUMNS = 8, MOST_CURVES = 8 };

// A metric of the rows, by name: groups look for their own.
typedef struct CurveRow {
    PlotMetric metric;
    PlotSlice *slices;  // [group_count] not read
    PlotPicks *picks;   // [group_count] the points of each that are drawn
    PlotClip   clip;    // of the values drawn
} CurveRow;

typedef struct Grid {
    const PlotFile    *file;
    const PlotRequest *request;
    Figure            *figure;
    CurveRow           rows[MOST_ROWS];
    size_t             row_count;
    const char        *columns[MOST_COLUMNS];
    size_t             column_count;
} Grid;

// The axis that a group is drawn along; NULL: it is a level.
static const PointsAxis *axis_of(const PlotGroup *group)
{
    return plot_slice_find(group, 1).axes[0];
}

static bool is_possible(const PlotGroup *group)
{
    return group->metric.variable && axis_of(group);
}

// Groups whose axis finds no more room are named in the notes.
static void find_columns(Grid *grid)
{
    for (size_t i = 0; i < grid->file->group_count; ++i) {
        const PlotGroup *group = &grid->file->groups[i];
        size_t           column = 0;
        if (!is_possible(group))
            continue;
        while (column < grid->column_count && strcmp(grid->columns[column], axis_of(group)->name) != 0)
            ++column;
        if (column == MOST_COLUMNS)
            text_add(&grid->figure->notes, "%s is not drawn: there is room for %d axes\n", group->points.group->label,
                     MOST_COLUMNS);
        else if (column == grid->column_count)
            grid->columns[grid->column_count++] = axis_of(group)->name;
    }
}

// Whether the points of a group are in no order along its axis.
static bool is_spread(const PlotGroup *group)
{
    return axis_of(group) && group->points.dims[axis_of(group)->dim].together;
}

static bool read_curves(Grid *grid, CurveRow *row, Error *err)
{
    Arena       *arena = &grid->figure->arena;
    const size_t groups = grid->file->group_count;
    row->slices = arena_take(arena, groups, sizeof *row->slices, err);
    row->picks = arena_take(arena, groups, sizeof *row->picks, err);
    for (size_t i = 0; row->slices && row->picks && i < groups; ++i) {
        const PlotGroup *group = &grid->file->groups[i];
        row->slices[i] = plot_slice_find(group, 1);
        if (!plot_picks_read(&row->slices[i], &row->metric, is_spread(group), arena, &row->picks[i], err))
            return false;
    }
    return row->slices && row->picks;
}

static bool find_clip(Grid *grid, CurveRow *row, Error *err)
{
    const size_t groups = grid->file->group_count;
    size_t       room = 0, count = 0;
    for (size_t g = 0; g < groups; ++g)
        room += row->picks[g].count;
    double *values = arena_take(&grid->figure->arena, room, sizeof *values, err);
    for (size_t g = 0; values && g < groups; ++g)
        for (size_t i = 0; i < row->picks[g].count; ++i)
            if (isfinite(row->picks[g].values[i]))
                values[count++] = row->picks[g].values[i];
    if (values)
        row->clip = plot_slice_clip(values, count);
    return values != NULL;
}

static bool add_row(Grid *grid, const PlotMetric *metric, bool always, Error *err)
{
    CurveRow *row = &grid->rows[grid->row_count];
    row->metric = *metric;
    if (!read_curves(grid, row, err) || !find_clip(grid, row, err))
        return false;
    grid->row_count += always || row->clip.least < row->clip.most;
    return true;
}

// The file's metric, then the others in the order of the file, as far as there is something to see: not the same number
// everywhere.
static bool find_rows(Grid *grid, bool only, Error *err)
{
    const PlotGroup *group = grid->file->groups;
    while (!is_possible(group))
        ++group;
    const StoreVariable *variable = group->points.status + 1,
                        *end = group->points.group->variables + group->points.group->variable_count;
    bool ok = add_row(grid, &group->metric, true, err);
    for (; ok && !only && variable < end && grid->row_count < MOST_ROWS; ++variable)
        if (variable != group->metric.variable && points_is_metric(&group->points, variable))
            ok = add_row(grid, &(PlotMetric){.variable = variable, .name = variable->name, .unit = variable->unit},
                         false, err);
    return ok;
}

// Adds data block $cROW_GROUP. A group without an axis has one number, which is drawn as a level.
static void add_block(Text *script, const PlotSlice *slice, const PlotPicks *picks, size_t row, size_t number)
{
    const PointsAxis *axis = slice->axes[0];
    text_add(script, "$c%zu_%zu << END\n", row, number);
    for (size_t i = 0; i < picks->count; ++i) {
        const size_t cell = picks->cells[i];
        gnuplot_numbers(script, (double[]){axis ? axis->values[cell] : 0.0, picks->values[i]}, 2);
    }
    text_add(script, "END\n");
}

// The range of an axis with some room at both ends.
static void add_x_axis(Figure *figure, const double *limits, const PointsAxis *axis)
{
    FigureRange  range = figure_range(axis->values, axis->count);
    const double factor = pow(range.high / range.low, 0.04);
    if (figure_is_logarithmic(axis->values, axis->count))
        range = (FigureRange){range.low / factor, range.high * factor};
    else
        range = figure_widen(range, 0.04, 0.0);
    figure_axis(figure, "x", axis->name, axis->unit, axis->values, axis->count, figure_limit(limits, range));
}

static bool is_status(const CurveRow *row)
{
    return strcmp(row->metric.name, "status") == 0;
}

static bool is_logarithmic(const PlotRequest *request, const PlotClip *clip)
{
    const bool chosen = clip->logarithmic && clip->high >= 100.0 * clip->low;
    return request->scale == PLOT_SCALE_CHOSEN ? chosen : request->scale == PLOT_SCALE_LOG && clip->low > 0.0;
}

// Statuses are named; a metric that no point has leaves an empty panel that says so.
static void add_y_axis(Figure *figure, const PlotRequest *request, const CurveRow *row)
{
    Text           *script = &figure->script;
    const PlotClip *clip = &row->clip;
    const bool      logarithmic = is_logarithmic(request, clip);
    const double    factor = logarithmic ? pow(clip->high / clip->low, 0.05) : 1.0;
    gnuplot_label(script, "set ylabel ", row->metric.name, row->metric.unit);
    text_add(script, "\n%sset logscale y\nset format y '%s'\nset ytics autofreq\nunset label\n",
             logarithmic ? "" : "un", logarithmic ? "10^{%L}" : "%g");
    if (clip->count == 0) {
        text_add(script, "set yrange [0:1]\nunset ytics\nset label 'no point has a value' at graph 0.5,0.5 center\n");
    } else if (is_status(row)) {
        figure_span(figure, "y", "", "", false, (FigureRange){-0.5, STATUS_COUNT - 0.5});
        text_add(script, "set yrange [-0.5:%g]\nset ytics noenhanced (", STATUS_COUNT - 0.5);
        for (int status = 0; status < STATUS_COUNT; ++status)
            text_add(script, "%s'%s' %d", status ? ", " : "", plan_status_names[status], status);
        text_add(script, ")\n");
    } else {
        FigureRange range = {clip->low / factor, clip->high * factor};
        if (!logarithmic)
            range = figure_widen((FigureRange){clip->low, clip->high}, 0.05, fmax(fabs(clip->low), 1.0) * 0.5);
        range = figure_limit(request->y_limits, range);
        figure_span(figure, "y", row->metric.name, row->metric.unit, logarithmic, range);
        text_add(script, "set yrange [%.9g:%.9g]\n", range.low, range.high);
    }
}

// axis: of the column.
static void add_curve(const Grid *grid, const PointsAxis *axis, size_t row, size_t number)
{
    const PlotGroup *group = &grid->file->groups[number];
    const char      *colour = figure_colours[number % FIGURE_COLOURS];
    Text            *script = figure_layer(grid->figure);
    const bool       spread = is_spread(group), all = grid->rows[row].picks[number].each == 1;
    if (!axis_of(group))
        text_add(script, "$c%zu_%zu using (%.9g):2:(%.9g):(0) with vectors nohead lw 1.5 dt 2 lc rgb '%s' ", row,
                 number, axis->values[0], axis->values[axis->count - 1] - axis->values[0], colour);
    else if (spread || all)
        text_add(script, "$c%zu_%zu using 1:2 %s lc rgb '%s' pt 7 ps %s ", row, number,
                 spread ? "with points" : "smooth unique with linespoints", colour, spread ? "0.9" : "0.5");
    else
        text_add(script, "$c%zu_%zu using 1:2 smooth unique with lines lc rgb '%s' ", row, number, colour);
}

// A reader who points at a curve sees its nearest point.
static void add_spots(Figure *figure, const PlotSlice *slice, const PlotPicks *picks, size_t number)
{
    const size_t label = figure_spot_label(figure, figure->entries[number].text);
    for (size_t i = 0; slice->axes[0] && i < picks->count; ++i)
        figure_spot_labelled(figure, slice->axes[0]->values[picks->cells[i]], picks->values[i], label);
}

// The last row has the legend, a part of it in each column.
static void add_panel(const Grid *grid, size_t row, size_t column)
{
    Figure           *figure = grid->figure;
    const PlotGroup  *groups = grid->file->groups;
    const bool        titled = row + 1 == grid->row_count;
    const PointsAxis *axis = NULL;
    for (size_t i = 0; !axis; ++i)
        if (axis_of(&groups[i]) && strcmp(axis_of(&groups[i])->name, grid->columns[column]) == 0)
            axis = axis_of(&groups[i]);
    add_x_axis(figure, grid->request->x_limits, axis);
    add_y_axis(figure, grid->request, &grid->rows[row]);
    figure_key(figure, !titled ? FIGURE_NO_KEY : grid->column_count > 1 ? (int)column : FIGURE_ALL_COLUMNS, 10);
    for (size_t i = 0; i < grid->file->group_count; ++i) {
        if (axis_of(&groups[i]) && strcmp(axis_of(&groups[i])->name, axis->name) != 0)
            continue;
        add_curve(grid, axis, row, i);
        add_spots(figure, &grid->rows[row].slices[i], &grid->rows[row].picks[i], i);
        figure_layer_title(figure, titled ? i : FIGURE_UNTITLED);
    }
    figure_end_panel(figure);
}

// A status has the longest labels; powers of ten are short.
static void add_label(Figure *figure, const PlotRequest *request, const CurveRow *row)
{
    if (row->clip.count > 0 && !is_logarithmic(request, &row->clip))
        figure_label(figure, (double[]){row->clip.low, row->clip.high}, 2);
    for (int status = 0; status < STATUS_COUNT && is_status(row); ++status)
        figure_word(figure, strlen(plan_status_names[status]));
}

// Adds the curve of one value of the family; of a group without that axis its only one.
static bool add_value(SeriesPicture *picture, const PlotSlice *whole, const PlotMetric *metric, size_t panel,
                      size_t entry, size_t value, PlotPicks *picks, Error *err)
{
    const PointsAxis *along = whole->axes[0];
    const PlotSlice   slice = plot_slice_line(whole, value);
    Arena             work = {0};
    Series           *series =
        plot_picks_read(&slice, metric, false, &work, picks, err)
                      ? series_add(picture, panel, entry, picks->each > 1 ? SERIES_LINES : SERIES_BOTH, picks->count, err)
                      : NULL;
    for (size_t i = 0; series && i < picks->count; ++i) {
        series->x[i] = along->values[picks->cells[i]];
        series->y[i] = picks->values[i];
    }
    if (series)
        series_sort(series);
    arena_free(&work);
    return series != NULL;
}

// A group has a panel: the values of its other axes are its second line.
static bool add_values(SeriesPicture *picture, const PlotSlice *slice, const PlotMetric *metric, const PlotView *view,
                       Error *err)
{
    const PlotGroup  *group = slice->group;
    const PointsAxis *family = slice->axis_count == 2 ? slice->axes[1] : NULL;
    const size_t      values = family ? family->count : 1, curves = values < MOST_CURVES ? values : MOST_CURVES;
    size_t            panel = 0;
    PlotPicks         picks = {.each = 1};
    Arena            *arena = &picture->figure->arena;
    Text              more = {0};
    plot_slice_rest(&more, "", slice, 2);
    bool ok = series_panel(picture, group->points.group->label, &more, &panel, err);
    if (curves < values)
        text_add(&picture->figure->notes, "%s: %zu of %zu values of %s are drawn\n", group->points.group->label, curves,
                 values, view->family);
    for (size_t k = 0; ok && k < curves; ++k) {
        const size_t value = plot_kind_spread(values, curves, k);
        const char  *name = family ? arena_format(arena, err, "%s = %.4g", family->name, family->values[value])
                                   : arena_format(arena, err, "without %s", view->family);
        ok = name && add_value(picture, slice, metric, panel, series_entry(picture, name), value, &picks, err);
    }
    plot_picks_say(&picture->figure->notes, &picks, group->points.group->label, false);
    return ok;
}

// A metric over one axis, a curve for each value of the family.
static bool add_family(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err)
{
    SeriesPicture   *picture = series_make(figure, request, err);
    const PlotGroup *first = file->groups;
    while (!first->metric.variable)
        ++first;
    if (!picture)
        return false;
    picture->y.name = first->metric.name;
    picture->y.unit = first->metric.unit;
    picture->x.whole = true;
    figure->legend = true;
    for (size_t i = 0; i < file->group_count; ++i) {
        const PlotGroup  *group = &file->groups[i];
        const PlotSlice   slice = plot_slice_find(group, 2);
        const PointsAxis *along = slice.axis_count > 0 ? slice.axes[0] : NULL;
        if (!group->metric.variable || !along || strcmp(along->name, request->view.family) == 0 ||
            (picture->x.name && strcmp(along->name, picture->x.name) != 0)) {
            plot_kind_lack(figure, group, group->metric.variable ? "such axes" : file->metric);
            continue;
        }
        picture->x.name = along->name;
        picture->x.unit = along->unit;
        picture->x.scale = figure_is_logarithmic(along->values, along->count) ? PLOT_SCALE_LOG : PLOT_SCALE_LINEAR;
        if (!add_values(picture, &slice, &first->metric, &request->view, err))
            return false;
    }
    return series_draw(picture, file, err);
}

static bool add_curves(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err)
{
    Grid grid = {.file = file, .request = request, .figure = figure};
    if (request->view.family)
        return add_family(file, request, figure, err);
    if (!find_rows(&grid, request->metric != NULL, err))
        return false;
    find_columns(&grid);
    text_add(&figure->script, "set encoding utf8\n");
    for (size_t row = 0; row < grid.row_count; ++row) {
        for (size_t i = 0; i < file->group_count; ++i)
            add_block(&figure->script, &grid.rows[row].slices[i], &grid.rows[row].picks[i], row, i);
        add_label(figure, request, &grid.rows[row]);
        plot_slice_say(&figure->notes, &grid.rows[row].clip, grid.rows[row].metric.name, "points");
    }
    // An entry names the group, and says where the axes stand that are not drawn along.
    for (size_t i = 0; i < file->group_count; ++i) {
        Text *name = figure_entry(figure);
        text_add(name, "%s", file->groups[i].points.group->label);
        plot_slice_rest(name, ", ", &grid.rows[0].slices[i], 2);
    }
    for (size_t i = 0; i < file->group_count; ++i)
        plot_picks_say(&figure->notes, &grid.rows[0].picks[i], file->groups[i].points.group->label,
                       is_spread(&file->groups[i]));
    // With one axis the metrics themselves fill two columns.
    const bool folded = grid.column_count == 1 && grid.row_count > 1;
    figure->rows = (unsigned)(folded ? (grid.row_count + 1) / 2 : grid.row_count);
    figure->columns = (unsigned)(folded ? 2 : grid.column_count);
    figure->panel = (FigureSize){folded || grid.column_count > 1 ? 430 : 640, 250};
    figure->between = (FigureSize){115, 75};
    figure->around = (FigureRoom){100, 30, 60, 80};
    figure_begin(figure);
    for (size_t row = 0; row < grid.row_count; ++row)
        for (size_t column = 0; column < grid.column_count; ++column)
            add_panel(&grid, row, column);
    return true;
}

const PlotMaker plot_curves = {"no group has an axis: no curves to draw", is_possible, PLOT_METRIC, add_curves};
