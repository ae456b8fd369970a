// plot_file -- groups and metric of a picture, and the reading of slices.
#include "analysis/plot/plot_kind.h"

#include "base/suggest.h"
#include "store/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char rate_name[] = "updates_per_step", sample_ending[] = "_sample";
enum { MOST_NAMES = 64 };

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

// How many numbers a variable has for each point, or for each sample of one; 0 where it is not of that kind.
static size_t width_of(const Points *points, const StoreVariable *variable, bool sampled)
{
    const size_t rank = points->status->rank;
    if (!sampled)
        return points_width(points, variable);
    if (variable < points->status || variable->scale || variable->rank <= rank || variable->rank > rank + 2 ||
        !ends_with(variable->dims[rank], sample_ending))
        return 0;
    return variable->rank == rank + 1 ? 1 : (size_t)variable->shape[rank + 1];
}

const PointsAxis *plot_file_axis(const PlotGroup *group, const char *name)
{
    for (size_t i = 0; name && i < group->points.axis_count; ++i)
        if (strcmp(group->points.axes[i].name, name) == 0)
            return &group->points.axes[i];
    return NULL;
}

size_t plot_file_coordinate(const PlotGroup *group, const char *name, size_t dofs)
{
    const StoreGroup   *stored = group->points.group;
    char               *end = NULL;
    const unsigned long number = strtoul(name, &end, 10);
    for (size_t i = 0; i < stored->dof_count && i < dofs; ++i)
        if (strcmp(name, stored->dofs[i].name) == 0 ||
            (stored->dofs[i].velocity && strcmp(name, stored->dofs[i].velocity) == 0))
            return i;
    return *name >= '0' && *name <= '9' && *end == '\0' && number < dofs ? number : dofs;
}

// Takes "NAME[COORDINATE]" apart.
static const char *split_name(Arena *arena, const char *asked, const char **component, Error *err)
{
    const char  *bracket = strchr(asked, '[');
    const size_t length = strlen(asked);
    if (!bracket || asked[length - 1] != ']')
        return asked;
    *component = arena_format(arena, err, "%.*s", (int)(asked + length - 1 - bracket - 1), bracket + 1);
    return *component ? arena_format(arena, err, "%.*s", (int)(bracket - asked), asked) : NULL;
}

bool plot_file_metric(const PlotFile *file, const PlotGroup *group, const char *asked, bool sampled, Arena *arena,
                      PlotMetric *metric, Error *err)
{
    const Points *points = &group->points;
    const char   *component = group->view->component, *name = split_name(arena, asked, &component, err);
    *metric = (PlotMetric){0};
    if (!name)
        return false;
    const bool           rate = !sampled && strcmp(name, rate_name) == 0;
    const StoreVariable *variable = store_read_variable(points->group, rate ? "updates" : name);
    const size_t         width = variable ? width_of(points, variable, sampled) : 0;
    if (width == 0)
        return true;
    *metric = (PlotMetric){.variable = variable,
                           .per_step = rate,
                           .name = rate ? "updates per step" : variable->name,
                           .unit = rate ? "1" : variable->unit};
    if (variable->rank == points->status->rank + sampled)
        return true;
    if (!component && width > 1)
        return fail(err, ERROR_USAGE,
                    "%s: '%s' has %zu numbers, one for each coordinate; name one: %s[0], or --component",
                    file->file.path, variable->name, width, variable->name);
    metric->component = component ? plot_file_coordinate(group, component, width) : 0;
    if (metric->component == width)
        return fail(err, ERROR_USAGE, "%s: group '%s' has no coordinate '%.60s' in '%s', but %zu of them, from 0 on",
                    file->file.path, points->group->label, component, variable->name, width);
    metric->unit = store_read_unit(points->group, variable, metric->component);
    metric->name = component ? arena_format(arena, err, "%s[%s]", variable->name, component) : variable->name;
    return metric->name != NULL;
}

// Gives every group the metric of that name, where it has it.
static bool give_metric(PlotFile *file, const char *name, bool sampled, size_t *found, Error *err)
{
    *found = 0;
    file->metric = name;
    for (size_t i = 0; i < file->group_count; ++i) {
        if (!plot_file_metric(file, &file->groups[i], name, sampled, &file->arena, &file->groups[i].metric, err))
            return false;
        const PlotMetric *metric = &file->groups[i].metric;
        if (metric->variable && (*found)++ == 0 && !metric->per_step)
            file->metric = metric->name;
    }
    return true;
}

// The names of all metrics that could be asked for, of all groups.
static size_t list_metrics(const PlotFile *file, bool sampled, const char **names)
{
    size_t count = 0;
    for (size_t g = 0; g < file->group_count; ++g) {
        const Points *points = &file->groups[g].points;
        for (size_t i = 0; i < points->group->variable_count && count < MOST_NAMES; ++i) {
            const StoreVariable *variable = &points->group->variables[i];
            bool                 known = variable <= points->status || width_of(points, variable, sampled) == 0;
            for (size_t k = 0; k < count && !known; ++k)
                known = strcmp(names[k], variable->name) == 0;
            if (!known)
                names[count++] = variable->name;
        }
    }
    return count;
}

static bool fail_unknown(const PlotFile *file, const char *asked, bool sampled, Error *err)
{
    const char  *names[MOST_NAMES];
    const size_t count = list_metrics(file, sampled, names);
    return fail(err, ERROR_USAGE, "%s: no metric '%.100s' with %s", file->file.path, asked,
                sampled ? "samples" : "one number per point") ||
           suggest_add(err, suggest(asked, names, count), "; see `pendula info`");
}

bool plot_file_choose(PlotFile *file, const PlotRequest *request, PlotChoice choice, Error *err)
{
    static const char *const errors[] = {"error_final", "error_max"};
    const bool               sampled = choice == PLOT_SAMPLES;
    const char              *asked = request->metric, *names[MOST_NAMES] = {rate_name};
    size_t                   found = 0, count = 1;
    if (asked)
        return give_metric(file, asked, sampled, &found, err) && (found > 0 || fail_unknown(file, asked, sampled, err));
    for (size_t i = 0; choice == PLOT_ERROR && i < sizeof errors / sizeof *errors; count = ++i)
        names[i] = errors[i];
    if (sampled)
        count = list_metrics(file, true, names);
    for (size_t i = 0; i < count; ++i) {
        if (!give_metric(file, names[i], sampled, &found, err))
            return false;
        if (found > 0)
            return true;
    }
    if (choice == PLOT_ERROR)
        return fail(err, ERROR_USAGE, "%s: no metric '%s' to draw; name one with --metric", file->file.path, names[0]);
    // A file may hold statuses alone, which are drawn too, but not as samples.
    const size_t some = file->group_count ? points_metrics(&file->groups[0].points, names, MOST_NAMES) : 0;
    return choice != PLOT_METRIC || give_metric(file, some ? names[0] : "status", false, &found, err);
}

// Checks that a name of the view is the name of an axis of some group.
static bool check_axis(const PlotFile *file, const char *option, const char *name, Error *err)
{
    const char *names[MOST_NAMES];
    size_t      count = 0;
    if (!name)
        return true;
    for (size_t g = 0; g < file->group_count; ++g) {
        const Points *points = &file->groups[g].points;
        if (plot_file_axis(&file->groups[g], name))
            return true;
        for (size_t i = 0; i < points->axis_count && count < MOST_NAMES; ++i)
            names[count++] = points->axes[i].name;
    }
    return fail(err, ERROR_USAGE, "%s: %s: no axis '%.60s'", file->file.path, option, name) ||
           suggest_add(err, suggest(name, names, count), "; `pendula info` lists the axes");
}

bool plot_file_check(const PlotFile *file, const PlotView *view, bool axes, Error *err)
{
    bool ok = !axes || (check_axis(file, "--x", view->x, err) && check_axis(file, "--y", view->y, err));
    ok = ok && check_axis(file, "--family", view->family, err);
    for (size_t i = 0; ok && i < view->at.count; ++i)
        ok = check_axis(file, "--at", view->at.items[i].name, err);
    return ok;
}

size_t plot_file_place_of(const PlotGroup *group, size_t dim)
{
    const Points *points = &group->points;
    size_t        place = points->dims[dim].count / 2;
    double        nearest = INFINITY;
    for (size_t a = 0; a < points->axis_count; ++a) {
        const PointsAxis *axis = &points->axes[a];
        const NamedValue *at = axis->dim == dim ? coordinates_find(&group->view->at, axis->name) : NULL;
        for (size_t i = 0; at && i < axis->count; ++i)
            if (fabs(axis->values[i] - at->value) < nearest) {
                nearest = fabs(axis->values[i] - at->value);
                place = i;
            }
    }
    return place;
}

void plot_kind_lack(Figure *figure, const PlotGroup *group, const char *what)
{
    text_add(&figure->notes, "%s is not drawn: it has no %s\n", group->points.group->label, what);
}

size_t plot_kind_spread(size_t length, size_t count, size_t k)
{
    return count < 2 ? length / 2 : (length - 1) * k / (count - 1);
}

bool plot_file_open(const PlotRequest *request, bool trusted, PlotFile *file, Error *err)
{
    if (!(trusted ? store_read_open(request->path, &file->file, err) : verify_open(request->path, &file->file, err)) ||
        !store_read_text(&file->file, NULL, "title", &file->title, err))
        return false;
    file->groups = calloc(file->file.group_count + 1, sizeof *file->groups);
    if (!file->groups)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (; file->group_count < file->file.group_count; ++file->group_count) {
        PlotGroup *group = &file->groups[file->group_count];
        group->view = &request->view;
        if (!points_open(&file->file, &file->file.groups[file->group_count], &group->points, err) ||
            !points_count(&group->points, group->counts, err))
            return false;
    }
    return true;
}

void plot_file_close(PlotFile *file)
{
    // The group at which opening failed may be open too.
    for (size_t i = 0; file->groups && i < file->file.group_count; ++i)
        points_close(&file->groups[i].points);
    free(file->groups);
    free(file->title);
    arena_free(&file->arena);
    store_read_close(&file->file);
    *file = (PlotFile){0};
}

double plot_file_value(const Points *points, const PlotMetric *metric, uint64_t point, double number)
{
    return metric->per_step ? number / points_steps(points, point) : number;
}

void plot_file_place(Text *text, const Points *points, uint64_t point, const bool *show)
{
    size_t listed = 0;
    for (size_t i = 0; i < points->axis_count; ++i)
        if (!show || show[i])
            text_add(text, "%s%s = %.4g", listed++ ? ", " : "", points->axes[i].name,
                     points_axis_value(points, i, point));
}
