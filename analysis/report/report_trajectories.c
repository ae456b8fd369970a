// report_trajectories -- the picture of the stored trajectories; and of many the typical and the worst of each group.
#include "analysis/report/html.h"
#include "analysis/report/report.h"
#include "store/damage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS = 6, FEW = 4, MOST_STORED = 1 << 20 };

// The stored trajectories of a group, and a metric of their points.
typedef struct Stored {
    const Points        *points;
    const StoreVariable *field;                      // x, or the first that is stored
    size_t               rank;                       // of its dimensions before the samples
    size_t              *index_of[STORE_READ_RANK];  // [rank][shape] along the points' dimension
    size_t               dim_of[STORE_READ_RANK];    // [rank]
    uint64_t             count;
    const StoreVariable *metric;
} Stored;

// A trajectory among them.
typedef struct Chosen {
    uint64_t number, point;  // number: of the stored ones
    double   value;          // of the metric
} Chosen;

static const StoreVariable *find_field(const Points *points)
{
    const StoreVariable *field = store_read_variable(points->group, "x");
    for (size_t v = 0; v < points->group->variable_count && !(field && points_is_trajectory(field)); ++v)
        field = &points->group->variables[v];
    return field && points_is_trajectory(field) ? field : NULL;
}

// Errors say most, then the drift of energy, then any other metric of the list.
static const StoreVariable *find_metric(const Points *points)
{
    static const char *const wanted[] = {"error_max", "error_final", "energy_drift", "x_max", "updates"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
        const StoreVariable *variable = store_read_variable(points->group, wanted[i]);
        if (variable && points_is_metric(points, variable))
            return variable;
    }
    return NULL;
}

// The index along a dimension of the points that a scale of selected trajectories means: by its value on the axis, or
// of points that go together the index itself.
static size_t find_index(const Points *points, size_t dim, double value)
{
    for (size_t i = 0; i < points->axis_count; ++i) {
        const PointsAxis *axis = &points->axes[i];
        for (size_t k = 0; axis->dim == dim && !points->dims[dim].together && k < axis->count; ++k)
            if (axis->values[k] == value)
                return k;
    }
    return points->dims[dim].together && value >= 0.0 && value < (double)points->dims[dim].count ? (size_t)value : 0;
}

// `where` selects values of an axis into a scale trajectory_AXIS; without it all of a dimension are stored.
static bool find_indices(Stored *stored, size_t d, Arena *arena, Error *err)
{
    static const char    prefix[] = "trajectory_";
    const Points        *points = stored->points;
    const char          *name = stored->field->dims[d];
    const bool           selected = strncmp(name, prefix, sizeof prefix - 1) == 0;
    const size_t         count = (size_t)stored->field->shape[d];
    const StoreVariable *scale = store_read_variable(points->group, name);
    double              *values = arena_take(arena, count, sizeof *values, err);
    size_t              *found = arena_take(arena, count, sizeof *found, err), dim = 0;
    while (dim < points->dim_count && strcmp(points->dims[dim].name, name + (selected ? sizeof prefix - 1 : 0)) != 0)
        ++dim;
    stored->dim_of[d] = dim;
    stored->index_of[d] = found;
    if (!values || !found)
        return false;
    if (dim == points->dim_count || (selected ? !scale || scale->count != count : count != points->dims[dim].count))
        return damage_fail(points->file->path, points->group->label, err, "the shape of its trajectories");
    if (selected && !store_read_numbers(points->file, points->group, scale, NULL, NULL, values, err))
        return false;
    for (size_t k = 0; k < count; ++k)
        found[k] = selected ? find_index(points, dim, values[k]) : k;
    return true;
}

static uint64_t point_of(const Stored *stored, uint64_t number)
{
    size_t   index[STORE_READ_RANK] = {0};
    uint64_t point = 0;
    for (size_t d = stored->rank; d-- > 0;) {
        index[stored->dim_of[d]] = stored->index_of[d][number % stored->field->shape[d]];
        number /= stored->field->shape[d];
    }
    for (size_t d = 0; d < stored->points->dim_count; ++d)
        point = point * stored->points->dims[d].count + index[d];
    return point;
}

// Finds the stored trajectories. count 0: too few or too many to choose among, or nothing to choose by.
static bool open_stored(const Points *points, Stored *stored, Arena *arena, Error *err)
{
    *stored = (Stored){.points = points, .field = find_field(points), .metric = find_metric(points)};
    if (!stored->field || !stored->metric)
        return true;
    uint64_t count = 1;
    while (strcmp(stored->field->dims[stored->rank], "sample") != 0)
        count *= stored->field->shape[stored->rank++];
    if (count <= FEW || count > MOST_STORED || stored->field->shape[stored->rank] < 2)
        return true;
    stored->count = count;
    for (size_t d = 0; d < stored->rank; ++d)
        if (!find_indices(stored, d, arena, err))
            return false;
    return true;
}

static int compare(const void *a, const void *b)
{
    const Chosen *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value ? 1 : (x->number > y->number) - (x->number < y->number);
}

static void see_values(uint64_t first, size_t count, double *const *numbers, void *user)
{
    double *values = user;
    for (size_t i = 0; i < count; ++i)
        values[first + i] = numbers[0][i] == (double)STATUS_OK ? numbers[1][i] : (double)NAN;
}

// The trajectory whose metric is the median over the ok points, and the one where it is the largest.
static bool choose(const Stored *stored, Chosen chosen[2], bool *some, Error *err)
{
    const StoreVariable *variables[2] = {stored->points->status, stored->metric};
    Arena                arena = {0};
    double              *values = arena_take(&arena, (size_t)stored->points->count, sizeof *values, err);
    Chosen              *all = arena_take(&arena, (size_t)stored->count, sizeof *all, err);
    size_t               count = 0;
    const bool           ok = values && all && points_scan(stored->points, variables, 2, see_values, values, err);
    for (uint64_t i = 0; ok && i < stored->count; ++i) {
        const uint64_t point = point_of(stored, i);
        if (isfinite(values[point]))
            all[count++] = (Chosen){i, point, values[point]};
    }
    *some = ok && count > 0;
    if (*some) {
        qsort(all, count, sizeof *all, compare);
        chosen[0] = all[(count - 1) / 2];
        chosen[1] = all[count - 1];
    }
    arena_free(&arena);
    return ok;
}

// Reads a variable with samples at a trajectory: of a field its first coordinate.
static bool read_samples(const Stored *stored, const StoreVariable *variable, uint64_t number, double *numbers,
                         Error *err)
{
    uint64_t start[STORE_READ_RANK] = {0}, count[STORE_READ_RANK], index[STORE_READ_RANK];
    for (size_t d = stored->rank; d-- > 0;) {
        index[d] = number % stored->field->shape[d];
        number /= stored->field->shape[d];
    }
    for (size_t i = 0; i < variable->rank; ++i) {
        count[i] = strcmp(variable->dims[i], "sample") == 0 ? stored->field->shape[stored->rank] : 1;
        for (size_t d = 0; d < stored->rank; ++d)
            if (strcmp(variable->dims[i], stored->field->dims[d]) == 0)
                start[i] = index[d];
    }
    return store_read_numbers(stored->points->file, stored->points->group, variable, start, count, numbers, err);
}

static bool add_data(Figure *figure, size_t panel, const Stored *stored, const Chosen chosen[2], FigureRange *time,
                     FigureRange *range, Error *err)
{
    const StoreVariable *times = store_read_variable(stored->points->group, "time");
    const size_t         samples = (size_t)stored->field->shape[stored->rank];
    double              *t = arena_take(&figure->arena, samples, sizeof *t, err),
           *x = arena_take(&figure->arena, samples, sizeof *x, err);
    *time = *range = figure_range(NULL, 0);
    for (size_t c = 0; c < 2; ++c) {
        if (!t || !x || !times || !read_samples(stored, times, chosen[c].number, t, err) ||
            !read_samples(stored, stored->field, chosen[c].number, x, err))
            return times ? false
                         : fail(err, ERROR_INPUT, "%s: group '%s': no times for its trajectories",
                                stored->points->file->path, stored->points->group->label);
        text_add(&figure->script, "$path%zu_%zu << END\n", panel, c);
        for (size_t i = 0; i < samples; ++i)
            if (isfinite(t[i])) {
                gnuplot_numbers(&figure->script, (double[]){t[i], x[i]}, 2);
                figure_take_in(time, t[i]);
                figure_take_in(range, x[i]);
            }
        text_add(&figure->script, "END\n");
    }
    return true;
}

// A group's panel.
typedef struct Path {
    Stored      stored;
    Chosen      chosen[2];
    FigureRange time, range;
} Path;

static void draw_panel(Figure *figure, const Path *path, size_t number)
{
    static const char *const names[] = {"typical", "worst"};
    const StoreVariable     *field = path->stored.field;
    Text                     more = {0};
    text_add(&more, "%s %.3g and %.3g", path->stored.metric->name, path->chosen[0].value, path->chosen[1].value);
    figure_title(figure, path->stored.points->group->label, &more);
    figure_scale(figure, "x", "time", "s", false, path->time);
    figure_scale(figure, "y", field->rank > path->stored.rank + 1 ? "first coordinate" : field->name, field->unit,
                 false, figure_widen(path->range, 0.05, 1.0));
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    for (size_t c = 0; c < 2; ++c)
        text_add(figure_layer(figure), "$path%zu_%zu using 1:2 with lines lw 1.5 lc rgb '%s' notitle", number, c,
                 figure_colours[c]);
    for (size_t c = 0; number == 0 && c < 2; ++c) {
        text_add(figure_layer(figure), "keyentry with lines lw 1.5 lc rgb '%s' title '%s'", figure_colours[c],
                 names[c]);
    }
    figure_end_panel(figure);
}

static bool draw_paths(ReportPage *report, Path *paths, size_t count, Error *err)
{
    const size_t columns = count < 3 ? count : 3;
    const char  *stem = report_begin_picture(report, err);
    Figure       figure = {.svg = &report->svg,
                           .title = "",
                           .stem = stem,
                           .rows = (unsigned)((count + columns - 1) / columns),
                           .columns = (unsigned)columns,
                           .panel = {columns == 1 ? 640 : 340, 240},
                           .around = {95, 30, 75, 80},
                           .between = {110, 120}};
    bool         ok = stem != NULL;
    text_add(figure_entry(&figure), "typical");
    text_add(figure_entry(&figure), "worst");
    text_add(&figure.script, "set encoding utf8\n");
    for (size_t i = 0; ok && i < count; ++i)
        ok = add_data(&figure, i, &paths[i].stored, paths[i].chosen, &paths[i].time, &paths[i].range, err);
    if (ok) {
        figure_begin(&figure);
        for (size_t i = 0; i < count; ++i)
            draw_panel(&figure, &paths[i], i);
        ok = figure_draw(&figure, NULL, err);
    }
    figure_free(&figure);
    return ok;
}

static void add_row(Text *page, const Path *path, size_t c)
{
    const Points *points = path->stored.points;
    text_add(page, "<tr>");
    html_element(page, "th", points->group->label);
    html_cell(page, c ? "worst" : "typical");
    html_cell(page, path->stored.metric->name);
    html_number(page, path->chosen[c].value);
    report_add_place(page, points, path->chosen[c].point);
    text_add(page, "</tr>\n");
}

// Of groups with more than a few trajectories: the typical and the worst.
static bool add_typical(ReportPage *report, Error *err)
{
    static const char *const columns[] = {"group", "trajectory", "metric", "#value", "at"};
    Arena                    arena = {0};
    Path                     paths[PANELS];
    size_t                   count = 0;
    bool                     ok = true;
    for (size_t g = 0; ok && g < report->file.group_count && count < PANELS; ++g) {
        Path *path = &paths[count];
        bool  some = false;
        ok = open_stored(&report->points[g], &path->stored, &arena, err) &&
             (path->stored.count == 0 || choose(&path->stored, path->chosen, &some, err));
        count += some;
    }
    if (ok && count > 0) {
        text_add(&report->page,
                 "<h3>The typical and the worst</h3>\n<p class=\"note\">Of the stored trajectories those "
                 "whose metric is the median, and the largest.</p>\n");
        html_table_begin(&report->page, "The typical and the worst trajectory", columns,
                         sizeof columns / sizeof *columns);
        for (size_t i = 0; i < 2 * count; ++i)
            add_row(&report->page, &paths[i / 2], i % 2);
        html_table_end(&report->page);
        ok = draw_paths(report, paths, count, err);
        ok = report_add_picture(report, ok, "The typical and the worst trajectory of each group", NULL, err);
    }
    arena_free(&arena);
    return ok;
}

bool report_add_trajectories(ReportPage *report, Error *err)
{
    bool stored = false;
    for (size_t g = 0; g < report->file.group_count; ++g)
        for (size_t v = 0; v < report->file.groups[g].variable_count; ++v)
            stored = stored || points_is_trajectory(&report->file.groups[g].variables[v]);
    if (!stored) {
        ++report->pictures;  // the pictures of all pages have the same numbers
        text_add(&report->page, "<p>None are stored. <code>trajectory: {samples: 200}</code> in the sweep stores "
                                "them.</p>\n");
        return true;
    }
    const bool ok = report_add_plot(report, (PlotRequest){.kind = PLOT_TRAJECTORY}, "Stored trajectories", NULL, err);
    if (ok && report->facts.length) {
        text_add(&report->page, "<details><summary>How far they range</summary>\n");
        html_block(&report->page, report->facts.text);
        text_add(&report->page, "</details>\n");
    }
    return ok && add_typical(report, err);
}
