// plot -- choice of pictures, drawing, and the printed ranges.
#include "analysis/plot/plot.h"

#include "analysis/plot/gnuplot.h"
#include "analysis/plot/plot_curves.h"
#include "analysis/plot/plot_map.h"
#include "analysis/plot/plot_trajectory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// The extremes of a metric over the points of a group that are ok.
typedef struct Extremes {
    const PlotGroup *group;
    double           least, most;
    uint64_t         most_point;
} Extremes;

static void see_values(uint64_t first, size_t count, double *const *numbers, void *user)
{
    Extremes *extremes = user;
    for (size_t i = 0; i < count; ++i) {
        if (numbers[0][i] != (double)STATUS_OK)
            continue;
        const double value = figure_value(extremes->group, first + i, numbers[1][i]);
        if (value < extremes->least)
            extremes->least = value;
        if (value > extremes->most) {
            extremes->most = value;
            extremes->most_point = first + i;
        }
    }
}

static bool say_group(const PlotGroup *group, Text *said, Error *err)
{
    const Points        *points = &group->points;
    const StoreVariable *variables[2] = {points->status, group->metric.variable};
    Extremes             extremes = {.group = group, .least = INFINITY, .most = -INFINITY};
    text_add(said, "%s: %" PRIu64 " of %" PRIu64 " points ok", points->group->label, group->counts[STATUS_OK],
             points->count);
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (status != STATUS_OK && group->counts[status])
            text_add(said, ", %" PRIu64 " %s", group->counts[status], plan_status_names[status]);
    if (group->counts[POINTS_UNKNOWN])
        text_add(said, ", %" PRIu64 " with a status that does not exist", group->counts[POINTS_UNKNOWN]);
    if (!variables[1] || strcmp(variables[1]->name, "status") == 0) {
        text_add(said, "\n");
        return true;
    }
    if (!points_scan(points, variables, 2, see_values, &extremes, err))
        return false;
    if (extremes.least <= extremes.most) {
        text_add(said, "; %s %.4g to %.4g", group->metric.name, extremes.least, extremes.most);
        text_add(said, extremes.least < extremes.most && points->axis_count ? ", largest at " : "");
        if (extremes.least < extremes.most)
            figure_place(said, points, extremes.most_point, NULL);
    }
    text_add(said, "\n");
    return true;
}

// Adds the path of a picture without its ending: it says what is shown, where that is chosen or single.
static void add_path(Text *path, const Figure *figure, const PlotRequest *request, PlotKind kind, const char *stem)
{
    static const char *const endings[] = {"", "map", "curves", "trajectory"};
    text_add(path, "%s_%s", stem, endings[kind]);
    for (size_t i = 0; kind == PLOT_TRAJECTORY && i < request->field_count; ++i)
        text_add(path, "_%s", request->fields[i]);
    if (kind == PLOT_MAP || (kind == PLOT_CURVES && request->metric))
        text_add(path, "_%s", figure->metric);
}

// Whether the picture may be made.
static bool check_kind(const Figure *figure, const PlotRequest *request, PlotKind kind, const char *stem, Error *err)
{
    Text path = {0};
    add_path(&path, figure, request, kind, stem);
    const bool ok = text_check(&path, err) && figure_check_stem(&request->outputs, path.text, err);
    text_free(&path);
    return ok;
}

static bool draw_kind(Figure *figure, const PlotRequest *request, PlotKind kind, const char *stem, Text *said,
                      Error *err)
{
    Text path = {0}, script = {0}, seen = {0}, notes = {0};
    add_path(&path, figure, request, kind, stem);
    bool ok = text_check(&path, err);
    figure->path = path.text;
    if (ok && kind == PLOT_MAP)
        ok = plot_map(figure, &script, &notes, err);
    else if (ok && kind == PLOT_CURVES)
        ok = plot_curves(figure, request->metric != NULL, &script, &notes, err);
    else if (ok)
        ok = plot_trajectory(figure, request, &script, &seen, &notes, err);
    ok = ok && gnuplot_draw(&request->outputs, path.text, &script, err);
    if (ok)
        text_add(said, "%s.png, %s.svg; script %s.gp\n", path.text, path.text, path.text);
    for (size_t i = 0; ok && kind != PLOT_TRAJECTORY && i < figure->group_count; ++i) {
        text_add(said, "  ");
        ok = say_group(&figure->groups[i], said, err);
    }
    text_add_bytes(said, seen.text ? seen.text : "", seen.length);
    for (const char *note = ok ? notes.text : NULL; note && *note; note += strcspn(note, "\n") + 1)
        text_add(said, "  %.*s\n", (int)strcspn(note, "\n"), note);
    figure->path = NULL;
    text_free(&path);
    text_free(&script);
    text_free(&seen);
    text_free(&notes);
    return ok;
}

static bool possible(const Figure *figure, PlotKind kind)
{
    bool (*const test)(const PlotGroup *) = kind == PLOT_MAP      ? plot_map_possible
                                            : kind == PLOT_CURVES ? plot_curves_possible
                                                                  : plot_trajectory_possible;
    for (size_t i = 0; i < figure->group_count; ++i)
        if (test(&figure->groups[i]))
            return true;
    return false;
}

static bool draw_all(Figure *figure, const PlotRequest *request, const char *stem, Text *said, Error *err)
{
    static const char *const lacks[] = {
        "nothing to draw: no axes and no trajectories", "no group has two axes: no map to draw",
        "no group has an axis: no curves to draw", "no trajectories are stored; add `trajectory:` to the sweep"};
    bool wanted[PLOT_TRAJECTORY + 1] = {false}, some = false, ok = true;
    wanted[PLOT_MAP] = possible(figure, PLOT_MAP);
    wanted[PLOT_CURVES] = possible(figure, PLOT_CURVES) && (!wanted[PLOT_MAP] || request->kind == PLOT_CURVES);
    wanted[PLOT_TRAJECTORY] = possible(figure, PLOT_TRAJECTORY);
    for (PlotKind kind = PLOT_MAP; ok && kind <= PLOT_TRAJECTORY; ++kind) {
        wanted[kind] = wanted[kind] && (request->kind == PLOT_ALL || request->kind == kind);
        some = some || wanted[kind];
        ok = !wanted[kind] || check_kind(figure, request, kind, stem, err);
    }
    if (ok && !some)
        return fail(err, ERROR_USAGE, "%s: %s", request->path, lacks[request->kind]);
    for (PlotKind kind = PLOT_MAP; ok && kind <= PLOT_TRAJECTORY; ++kind)
        ok = !wanted[kind] || draw_kind(figure, request, kind, stem, said, err);
    return ok;
}

bool plot_draw(const PlotRequest *request, Text *said, Error *err)
{
    const char  *path = request->path;
    const size_t length = strlen(path), cut = length > 3 && strcmp(path + length - 3, ".h5") == 0 ? 3 : 0;
    Figure       figure = {0};
    Text         stem = {0};
    if (request->stem)
        text_add(&stem, "%s", request->stem);
    else
        text_add_bytes(&stem, path, length - cut);
    const bool ok = text_check(&stem, err) && figure_check_name(stem.text, err) &&
                    figure_open(path, request->metric, &figure, err) &&
                    draw_all(&figure, request, stem.text, said, err);
    figure_close(&figure);
    text_free(&stem);
    return ok;
}
