// plot_draw -- choice of pictures, drawing, and the printed ranges.
#include "analysis/plot/plot.h"

#include "analysis/plot/plot_kind.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAKER(NAME, maker, word) [PLOT_##NAME] = &(maker),
#define WORD(NAME, maker, word) [PLOT_##NAME] = (word),
static const PlotMaker *const makers[PLOT_KINDS] = {PLOT_MAKERS(MAKER)};
const char *const             plot_kind_names[PLOT_KINDS] = {[PLOT_ALL] = "", PLOT_MAKERS(WORD)};

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
    const StoreVariable *variable = group->metric.variable;
    Extremes             extremes = {.group = group, .least = INFINITY, .most = -INFINITY};
    text_add(said, "%s: %" PRIu64 " of %" PRIu64 " points ok", points->group->label, group->counts[STATUS_OK],
             points->count);
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (status != STATUS_OK && group->counts[status])
            text_add(said, ", %" PRIu64 " %s", group->counts[status], plan_status_names[status]);
    if (group->counts[POINTS_UNKNOWN])
        text_add(said, ", %" PRIu64 " with a status that does not exist", group->counts[POINTS_UNKNOWN]);
    // A metric with samples has several numbers per point: no range is printed.
    if (!variable || strcmp(variable->name, "status") == 0 || points_width(points, variable) == 0) {
        text_add(said, "\n");
        return true;
    }
    if (!points_scan_component(points, variable, group->metric.component, see_values, &extremes, err))
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

// Adds a word to a path, without the characters that have a meaning in paths.
static void add_word(Text *path, const char *word)
{
    text_add(path, "_");
    for (; *word; ++word)
        if (!strchr("[]/", *word))
            text_add(path, "%c", *word);
        else if (*word != ']')
            text_add(path, "_");
}

// Adds the path of a picture without its ending: it names the contents, where they are chosen or single.
static void add_path(Text *path, const PlotFile *file, const PlotRequest *request, PlotKind kind, const char *stem)
{
    text_add(path, "%s_%s", stem, plot_kind_names[kind]);
    for (size_t i = 0; kind == PLOT_TRAJECTORY && i < request->field_count; ++i)
        add_word(path, request->fields[i]);
    if (kind == PLOT_PHASE && request->view.component)
        add_word(path, request->view.component);
    if (makers[kind]->choice && (kind != PLOT_CURVES || request->metric || request->view.family))
        add_word(path, file->metric);
    if (kind == PLOT_SCATTER)
        add_word(path, request->view.x);
}

// A value that --at names and that no point has is drawn at the nearest.
static void note_places(const PlotFile *file, const PlotView *view, Text *notes)
{
    for (size_t i = 0; i < view->at.count; ++i)
        for (size_t g = 0; g < file->group_count; ++g) {
            const NamedValue *at = &view->at.items[i];
            const PointsAxis *axis = plot_file_axis(&file->groups[g], at->name);
            const double      value = axis ? axis->values[plot_file_place_of(&file->groups[g], axis->dim)] : at->value;
            if (fabs(value - at->value) <= 1e-9 * fabs(at->value))
                continue;
            text_add(notes, "%s: %s = %.6g is not in the file; the nearest is %.6g\n",
                     file->groups[g].points.group->label, at->name, at->value, value);
        }
}

static bool draw_kind(const PlotFile *file, const PlotRequest *request, PlotKind kind, const char *path, Text *said,
                      Error *err)
{
    static const char *const endings[] = {"png", "svg", "pdf"};
    Figure                   figure = {.title = request->svg     ? ""
                                                : request->title ? request->title
                                                                 : file->title,
                                       .stem = path,
                                       .fits = true,
                                       .svg = request->svg,
                                       .said = said,
                                       .formats = request->formats};
    const char              *comma = "";
    for (unsigned i = 0; !request->svg && i < sizeof endings / sizeof *endings; ++i)
        if (gnuplot_formats(request->formats) & 1u << i) {
            text_add(said, "%s%s.%s", comma, path, endings[i]);
            comma = ", ";
        }
    if (!request->svg)
        text_add(said, "; script %s.gp\n", path);
    note_places(file, &request->view, &figure.notes);
    bool ok = makers[kind]->add(file, request, &figure, err) && figure_draw(&figure, &request->outputs, err);
    for (size_t i = 0; ok && makers[kind]->choice && i < file->group_count; ++i) {
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

// Without a kind that is asked for: curves where a map cannot be, and trajectories; of these the kinds that have the
// axes the request names.
static bool is_wanted(const PlotFile *file, const PlotRequest *request, PlotKind kind)
{
    const PlotView *view = &request->view;
    if (request->kind != PLOT_ALL)
        return request->kind == kind && is_possible(file, kind);
    switch (kind) {
    case PLOT_MAP: return !view->family && is_possible(file, PLOT_MAP);
    case PLOT_CURVES:
        return !view->y && (view->family || !is_possible(file, PLOT_MAP)) && is_possible(file, PLOT_CURVES);
    case PLOT_TRAJECTORY: return !view->x && !view->y && is_possible(file, kind);
    default: return false;
    }
}

// Chooses the metric of the kind that is asked for, and checks the names of axes.
static bool choose(PlotFile *file, const PlotRequest *request, Error *err)
{
    const PlotKind kind = request->kind == PLOT_ALL ? PLOT_MAP : request->kind;
    const bool     axes = kind != PLOT_SCATTER && kind != PLOT_WORK_PRECISION;
    if (!plot_file_check(file, &request->view, axes, err))
        return false;
    if (kind == PLOT_SCATTER && !request->view.x)
        return fail(err, ERROR_USAGE, "%s: a scatter plot needs --x, a metric or an axis", request->path);
    return !makers[kind]->choice || plot_file_choose(file, request, makers[kind]->choice, err);
}

// All names are looked at before anything is drawn.
static bool draw_all(const PlotFile *file, const PlotRequest *request, const char *stem, Text *said, Error *err)
{
    Text paths[PLOT_KINDS] = {0};
    bool some = false, ok = true;
    for (PlotKind kind = PLOT_MAP; ok && kind < PLOT_KINDS; ++kind) {
        if (!is_wanted(file, request, kind))
            continue;
        add_path(&paths[kind], file, request, kind, stem);
        some = true;
        ok = text_check(&paths[kind], err) && figure_check_name(paths[kind].text, err) &&
             gnuplot_check(&request->outputs, paths[kind].text, request->formats, err);
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

bool plot_draw(const PlotRequest *request, Text *said, Text *notes, Error *err)
{
    const char  *path = request->path;
    const size_t length = strlen(path), cut = length > 3 && strcmp(path + length - 3, ".h5") == 0 ? 3 : 0;
    PlotFile     file = {0};
    Text         stem = {0};
    if (request->stem)
        text_add(&stem, "%s", request->stem);
    else
        text_add_bytes(&stem, path, length - cut);
    bool ok = text_check(&stem, err) && figure_check_name(stem.text, err) && plot_file_open(request, false, &file, err);
    if (ok && file.file.notes.length)
        text_add(notes, "%s", file.file.notes.text);
    ok = ok && choose(&file, request, err) && draw_all(&file, request, stem.text, said, err);
    plot_file_close(&file);
    text_free(&stem);
    return ok;
}

bool plot_svg(const PlotRequest *request, bool *drawn, Text *said, Error *err)
{
    PlotFile file = {0};
    PlotKind kind = request->kind;
    bool     ok = plot_file_open(request, true, &file, err) && choose(&file, request, err);
    if (ok && kind != PLOT_TRAJECTORY)
        kind = is_possible(&file, PLOT_MAP) ? PLOT_MAP : PLOT_CURVES;
    *drawn = ok && is_possible(&file, kind);
    ok = ok && (!*drawn || draw_kind(&file, request, kind, request->stem, said, err));
    plot_file_close(&file);
    return ok;
}
