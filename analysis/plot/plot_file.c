// plot_file -- groups and metric of a picture, and the reading of slices.
#include "analysis/plot/plot_kind.h"

#include "base/suggest.h"
#include "store/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char rate_name[] = "updates_per_step";
enum { MOST_NAMES = 64 };

static PlotMetric find_metric(const Points *points, const char *name)
{
    const StoreVariable *variable = store_read_variable(points->group, name);
    if (variable && points_is_metric(points, variable))
        return (PlotMetric){.variable = variable, .name = variable->name, .unit = variable->unit};
    variable = strcmp(name, rate_name) == 0 ? store_read_variable(points->group, "updates") : NULL;
    if (variable && points_is_metric(points, variable))
        return (PlotMetric){.variable = variable, .name = "updates per step", .unit = "1", .per_step = true};
    return (PlotMetric){0};
}

static size_t give_metric(PlotFile *file, const char *name)
{
    size_t found = 0;
    file->metric = name;
    for (size_t i = 0; i < file->group_count; ++i) {
        file->groups[i].metric = find_metric(&file->groups[i].points, name);
        found += file->groups[i].metric.variable != NULL;
    }
    return found;
}

static bool choose_metric(PlotFile *file, const char *wanted, Error *err)
{
    const char  *names[MOST_NAMES];
    const size_t count = file->group_count ? points_metrics(&file->groups[0].points, names, MOST_NAMES) : 0;
    if (wanted && give_metric(file, wanted) == 0) {
        const char *near = suggest(wanted, names, count);
        return fail(err, ERROR_USAGE, "%s: no metric '%.100s' with one number per point; %s%s%s", file->file.path,
                    wanted, near ? "did you mean '" : "see `pendula info`", near ? near : "", near ? "'?" : "");
    }
    // A file may hold nothing but statuses; these are drawn too.
    if (!wanted && give_metric(file, rate_name) == 0)
        give_metric(file, count > 0 ? names[0] : "status");
    return true;
}

bool plot_file_open(const char *path, const char *metric, bool trusted, PlotFile *file, Error *err)
{
    if (!(trusted ? store_read_open(path, &file->file, err) : verify_open(path, &file->file, err)) ||
        !store_read_text(&file->file, NULL, "title", &file->title, err))
        return false;
    file->groups = calloc(file->file.group_count + 1, sizeof *file->groups);
    if (!file->groups)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (; file->group_count < file->file.group_count; ++file->group_count) {
        PlotGroup *group = &file->groups[file->group_count];
        if (!points_open(&file->file, &file->file.groups[file->group_count], &group->points, err) ||
            !points_count(&group->points, group->counts, err))
            return false;
    }
    return choose_metric(file, metric, err);
}

void plot_file_close(PlotFile *file)
{
    // The group at which opening failed may be open too.
    for (size_t i = 0; file->groups && i < file->file.group_count; ++i)
        points_close(&file->groups[i].points);
    free(file->groups);
    free(file->title);
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
