// plot -- chooses what to draw, draws it, and says what is to be seen.
#include "analysis/plot.h"

#include "analysis/plot_curves.h"
#include "analysis/plot_map.h"
#include "analysis/plot_trajectory.h"

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
        const double value = plot_value(extremes->group, first + i, numbers[1][i]);
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
            text_add(said, ", %" PRIu64 " %s", group->counts[status], status_names[status]);
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
            plot_place(said, points, extremes.most_point, NULL);
    }
    text_add(said, "\n");
    return true;
}

// Adds the path of a picture without its ending: chosen fields give it their names.
static void add_path(Text *path, const PlotRequest *request, PlotKind kind, const char *stem)
{
    static const char *const endings[] = {"", "map", "curves", "trajectory"};
    text_add(path, "%s", stem);
    for (size_t i = 0; kind == PLOT_TRAJECTORY && i < request->field_count; ++i)
        text_add(path, "_%s", request->fields[i]);
    if (kind != PLOT_TRAJECTORY || request->field_count == 0)
        text_add(path, "_%s", endings[kind]);
}

// Writes, draws and names one picture.
static bool draw(const PlotSheet *sheet, const Text *script, Text *said, Error *err)
{
    const bool ok = plot_run(sheet->path, script, err);
    if (ok)
        text_add(said, "%s.png, %s.svg; script %s.gp\n", sheet->path, sheet->path, sheet->path);
    return ok;
}

static bool draw_kind(PlotSheet *sheet, const PlotRequest *request, PlotKind kind, const char *stem, Text *said,
                      Error *err)
{
    Text path = {0}, script = {0}, seen = {0};
    add_path(&path, request, kind, stem);
    bool ok = text_check(&path, err);
    sheet->path = path.text;
    if (ok && kind == PLOT_MAP)
        ok = plot_map(sheet, &script, err);
    else if (ok && kind == PLOT_CURVES)
        ok = plot_curves(sheet, request->metric != NULL, &script, err);
    else if (ok)
        ok = plot_trajectory(sheet, request, &script, &seen, err);
    ok = ok && draw(sheet, &script, said, err);
    for (size_t i = 0; ok && kind != PLOT_TRAJECTORY && i < sheet->group_count; ++i) {
        text_add(said, "  ");
        ok = say_group(&sheet->groups[i], said, err);
    }
    text_add_bytes(said, seen.text ? seen.text : "", seen.length);
    sheet->path = NULL;
    text_free(&path);
    text_free(&script);
    text_free(&seen);
    return ok;
}

static bool possible(const PlotSheet *sheet, PlotKind kind)
{
    bool (*const test)(const PlotGroup *) = kind == PLOT_MAP      ? plot_map_possible
                                            : kind == PLOT_CURVES ? plot_curves_possible
                                                                  : plot_trajectory_possible;
    for (size_t i = 0; i < sheet->group_count; ++i)
        if (test(&sheet->groups[i]))
            return true;
    return false;
}

static bool draw_all(PlotSheet *sheet, const PlotRequest *request, const char *stem, Text *said, Error *err)
{
    static const char *const lacks[] = {"", "no group has two axes: no map to draw",
                                        "no group has an axis: no curves to draw",
                                        "no trajectories are stored; add `trajectory:` to the sweep"};
    if (request->kind != PLOT_ALL)
        return possible(sheet, request->kind) ? draw_kind(sheet, request, request->kind, stem, said, err)
                                              : fail(err, ERROR_USAGE, "%s: %s", request->path, lacks[request->kind]);
    const bool map = possible(sheet, PLOT_MAP), curves = !map && possible(sheet, PLOT_CURVES),
               lines = possible(sheet, PLOT_TRAJECTORY);
    if (!map && !curves && !lines)
        return fail(err, ERROR_USAGE, "%s: nothing to draw: no axes and no trajectories", request->path);
    return (!map || draw_kind(sheet, request, PLOT_MAP, stem, said, err)) &&
           (!curves || draw_kind(sheet, request, PLOT_CURVES, stem, said, err)) &&
           (!lines || draw_kind(sheet, request, PLOT_TRAJECTORY, stem, said, err));
}

bool plot_draw(const PlotRequest *request, Text *said, Error *err)
{
    const char  *path = request->path;
    const size_t length = strlen(path), cut = length > 3 && strcmp(path + length - 3, ".h5") == 0 ? 3 : 0;
    PlotSheet    sheet = {0};
    Text         stem = {0};
    if (request->stem)
        text_add(&stem, "%s", request->stem);
    else
        text_add_bytes(&stem, path, length - cut);
    const bool ok = text_check(&stem, err) && plot_check_stem(stem.text, err) &&
                    plot_sheet_open(path, request->metric, &sheet, err) &&
                    draw_all(&sheet, request, stem.text, said, err);
    plot_sheet_close(&sheet);
    text_free(&stem);
    return ok;
}
