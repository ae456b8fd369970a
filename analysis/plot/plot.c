// plot -- choice of pictures, drawing, and the printed ranges.
#include "analysis/plot/plot.h"

#include "analysis/plot/plot_kind.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const PlotMaker *const makers[PLOT_KINDS] = {
    [PLOT_MAP] = &plot_map, [PLOT_CURVES] = &plot_curves, [PLOT_TRAJECTORY] = &plot_trajectory};

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
        const double value =
            plot_file_value(&extremes->group->points, &extremes->group->metric, first + i, numbers[1][i]);
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
            plot_file_place(said, points, extremes.most_point, NULL);
    }
    text_add(said, "\n");
    return true;
}

// Adds the path of a picture without its ending: it says what is shown, where that is chosen or single.
static void add_path(Text *path, const PlotFile *file, const PlotRequest *request, PlotKind kind, const char *stem)
{
    text_add(path, "%s_%s", stem, makers[kind]->word);
    for (size_t i = 0; kind == PLOT_TRAJECTORY && i < request->field_count; ++i)
        text_add(path, "_%s", request->fields[i]);
    if (kind == PLOT_MAP || (kind == PLOT_CURVES && request->metric))
        text_add(path, "_%s", file->metric);
}

static bool draw_kind(const PlotFile *file, const PlotRequest *request, PlotKind kind, const char *path, Text *said,
                      Error *err)
{
    Figure figure = {.title = request->svg ? "" : file->title, .stem = path, .fits = true, .svg = request->svg};
    if (!request->svg)
        text_add(said, "%s.png, %s.svg; script %s.gp\n", path, path, path);
    bool ok = makers[kind]->add(file, request, &figure, said, err) && figure_draw(&figure, &request->outputs, err);
    for (size_t i = 0; ok && kind != PLOT_TRAJECTORY && i < file->group_count; ++i) {
        text_add(said, "  ");
        ok = say_group(&file->groups[i], said, err);
    }
    for (const char *note = ok ? figure.notes.text : NULL; note && *note; note += strcspn(note, "\n") + 1)
        text_add(said, "  %.*s\n", (int)strcspn(note, "\n"), note);
    figure_free(&figure);
    return ok;
}

static bool is_possible(const PlotFile *file, PlotKind kind)
{
    for (size_t i = 0; i < file->group_count; ++i)
        if (makers[kind]->possible(&file->groups[i]))
            return true;
    return false;
}

// Curves are drawn where a map cannot be, or where they are asked for.
static bool is_wanted(const PlotFile *file, PlotKind asked, PlotKind kind)
{
    return (asked == kind || (asked == PLOT_ALL && !(kind == PLOT_CURVES && is_possible(file, PLOT_MAP)))) &&
           is_possible(file, kind);
}

// All names are looked at before anything is drawn.
static bool draw_all(const PlotFile *file, const PlotRequest *request, const char *stem, Text *said, Error *err)
{
    Text paths[PLOT_KINDS] = {0};
    bool some = false, ok = true;
    for (PlotKind kind = PLOT_MAP; ok && kind < PLOT_KINDS; ++kind) {
        if (!is_wanted(file, request->kind, kind))
            continue;
        add_path(&paths[kind], file, request, kind, stem);
        some = true;
        ok = text_check(&paths[kind], err) && figure_check_stem(&request->outputs, paths[kind].text, err);
    }
    if (ok && !some)
        ok = fail(err, ERROR_USAGE, "%s: %s", request->path,
                  request->kind == PLOT_ALL ? "nothing to draw: no axes and no trajectories"
                                            : makers[request->kind]->lacks);
    for (PlotKind kind = PLOT_MAP; kind < PLOT_KINDS; ++kind) {
        ok = ok && (!paths[kind].text || draw_kind(file, request, kind, paths[kind].text, said, err));
        text_free(&paths[kind]);
    }
    return ok;
}

bool plot_draw(const PlotRequest *request, Text *said, Error *err)
{
    const char  *path = request->path;
    const size_t length = strlen(path), cut = length > 3 && strcmp(path + length - 3, ".h5") == 0 ? 3 : 0;
    PlotFile     file = {0};
    Text         stem = {0};
    if (request->stem)
        text_add(&stem, "%s", request->stem);
    else
        text_add_bytes(&stem, path, length - cut);
    const bool ok = text_check(&stem, err) && figure_check_name(stem.text, err) &&
                    plot_file_open(path, request->metric, false, &file, err) &&
                    draw_all(&file, request, stem.text, said, err);
    plot_file_close(&file);
    text_free(&stem);
    return ok;
}

bool plot_svg(const PlotRequest *request, bool *drawn, Text *said, Error *err)
{
    PlotFile file = {0};
    PlotKind kind = request->kind;
    bool     ok = plot_file_open(request->path, request->metric, true, &file, err);
    if (ok && kind != PLOT_TRAJECTORY)
        kind = is_possible(&file, PLOT_MAP) ? PLOT_MAP : PLOT_CURVES;
    *drawn = ok && is_possible(&file, kind);
    ok = ok && (!*drawn || draw_kind(&file, request, kind, request->stem, said, err));
    plot_file_close(&file);
    return ok;
}
