// command -- `pendula plot FILE.h5`: draws a result file, and prints the ranges of what is drawn.
#include "analysis/plot/plot.h"
#include "base/suggest.h"
#include "base/yaml.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_METRIC = OPTION_LONG,
    KEY_KIND,
    KEY_X,
    KEY_Y,
    KEY_FAMILY,
    KEY_AT,
    KEY_COMPONENT,
    KEY_XLIM,
    KEY_YLIM,
    KEY_SCALE,
    KEY_TITLE,
    KEY_FORMAT,
    KEY_FIELD,
    KEY_FROM,
    KEY_TO,
    KEY_FORCE
};

static const struct argp_option plot_options[] = {
    {"output", 'o', "STEM", 0,
     "pictures are STEM_KIND_METRIC.png and .svg (default: the result file's name without .h5)", 0},
    FORCE_OPTION(KEY_FORCE),
    {"kind", KEY_KIND, "KIND", 0,
     "map, curves, trajectory, scatter, bifurcation, convergence, work-precision or phase (default: map or curves, and "
     "trajectory, whatever the file has)",
     0},
    {"metric", KEY_METRIC, "NAME", 0,
     "what to draw: a metric, or x_final[0] (default: updates per step, else the first metric; of a bifurcation the "
     "first with samples; of convergence and work-precision error_final, else error_max)",
     0},
    {"x", KEY_X, "AXIS", 0, "the axis along x (default: the first); of a scatter plot an axis or a metric", 0},
    {"y", KEY_Y, "AXIS", 0,
     "the axis along y of a map (default: the second); of work-precision the metric of the work (default: evaluations)",
     0},
    {"family", KEY_FAMILY, "AXIS", 0, "draw a curve for each value of this axis, and a panel for each method", 0},
    {"at", KEY_AT, "AXIS=VALUE,...", 0,
     "where other axes stand: the nearest value (default: the middle one; of a scatter plot all; may be repeated)", 0},
    {"component", KEY_COMPONENT, "COORDINATE", 0,
     "of what has a number for each coordinate: which one; of a phase portrait A, or A,B for B over A", 0},
    {"xlim", KEY_XLIM, "A,B", 0, "the range that is drawn along x", 1},
    {"ylim", KEY_YLIM, "A,B", 0, "the range that is drawn along y", 1},
    {"scale", KEY_SCALE, "SCALE", 0,
     "log or linear: of a map its colours, else what lies along y (default: log where values span much)", 1},
    {"title", KEY_TITLE, "TEXT", 0, "what stands above the picture (default: the sweep's title)", 1},
    {"format", KEY_FORMAT, "LIST", 0, "png, svg, pdf, or several with commas (default: png,svg)", 1},
    {"field", KEY_FIELD, "NAME", 0,
     "of trajectories: a stored field to draw over time: x, v, energy, kinetic, error, fast, slow, condition, updates, "
     "or a coordinate such as x0; repeated, they stand above each other (default: all that are stored)",
     2},
    {"from", KEY_FROM, "TIME", 0, "draw trajectories and phase portraits from this time on", 2},
    {"to", KEY_TO, "TIME", 0, "draw them to this time (default: to the end)", 2},
    {0}};

static const char *const kind_names[PLOT_KINDS] = {[PLOT_ALL] = "",
                                                   [PLOT_MAP] = "map",
                                                   [PLOT_CURVES] = "curves",
                                                   [PLOT_TRAJECTORY] = "trajectory",
                                                   [PLOT_SCATTER] = "scatter",
                                                   [PLOT_BIFURCATION] = "bifurcation",
                                                   [PLOT_CONVERGENCE] = "convergence",
                                                   [PLOT_WORK_PRECISION] = "work-precision",
                                                   [PLOT_PHASE] = "phase"};

// Which kinds an option is for.
#define KIND(NAME) (1u << PLOT_##NAME)
enum {
    OVER_AXES = KIND(MAP) | KIND(CURVES) | KIND(SCATTER) | KIND(BIFURCATION) | KIND(CONVERGENCE) | KIND(WORK_PRECISION),
    OVER_TIME = KIND(TRAJECTORY) | KIND(PHASE),
    WITH_FAMILY =
        KIND(CURVES) | KIND(SCATTER) | KIND(CONVERGENCE) | KIND(WORK_PRECISION) | KIND(TRAJECTORY) | KIND(PHASE)
};

// The times shown of a trajectory are its range along x.
static error_t check_times(PlotRequest *request, struct argp_state *state)
{
    if (request->kind == PLOT_TRAJECTORY && request->x_limits.given)
        return options_refuse(state, "--xlim is not for trajectories, which --from and --to limit");
    if (request->to > 0.0 && request->to <= request->from)
        return options_refuse(state, "the time from %g to %g is empty", request->from, request->to);
    return 0;
}

// Refuses an option that the kind has no use for.
static error_t check_option(const PlotRequest *request, bool given, const char *option, unsigned kinds,
                            struct argp_state *state)
{
    char list[128] = "";
    if (!given || request->kind == PLOT_ALL || (kinds & 1u << request->kind))
        return 0;
    for (size_t kind = PLOT_MAP, used = 0; kind < PLOT_KINDS; ++kind)
        if (kinds & 1u << kind)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", kind_names[kind]);
    return options_refuse(state, "%s is for %s, not for %s", option, list, kind_names[request->kind]);
}

static error_t check(PlotRequest *request, struct argp_state *state)
{
    const PlotView *view = &request->view;
    const bool      times = request->from > 0.0 || request->to > 0.0;
    if (request->kind == PLOT_ALL && (times || request->field_count > 0))
        request->kind = PLOT_TRAJECTORY;
    const struct {
        bool        given;
        const char *option;
        unsigned    kinds;
    } given[] = {{request->metric != NULL, "--metric", OVER_AXES},
                 {view->x != NULL, "--x", OVER_AXES},
                 {view->y != NULL, "--y", KIND(MAP) | KIND(WORK_PRECISION)},
                 {view->family != NULL, "--family", WITH_FAMILY},
                 {view->component != NULL, "--component", OVER_AXES | KIND(PHASE)},
                 {request->field_count > 0, "--field", KIND(TRAJECTORY)},
                 {times, "--from and --to", OVER_TIME}};
    for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
        const error_t refused = check_option(request, given[i].given, given[i].option, given[i].kinds, state);
        if (refused)
            return refused;
    }
    return check_times(request, state);
}

static error_t read_limits(const char *option, const char *text, PlotLimits *limits, struct argp_state *state)
{
    char        number[64];
    const char *comma = strchr(text, ',');
    const bool  fits = comma && comma - text < (ptrdiff_t)sizeof number;
    if (fits) {
        memcpy(number, text, (size_t)(comma - text));
        number[comma - text] = '\0';
    }
    limits->given = fits && yaml_parse_number(number, &limits->low) && yaml_parse_number(comma + 1, &limits->high);
    if (!limits->given || !(limits->low < limits->high))
        return options_refuse(state, "%s takes A,B with A < B, got '%.100s'", option, text);
    return 0;
}

static error_t read_formats(const char *text, unsigned *formats, struct argp_state *state)
{
    static const char *const words[] = {"png", "svg", "pdf"};
    const char              *rest = text;
    for (*formats = 0; *rest || rest == text; rest += *rest == ',') {
        const size_t length = strcspn(rest, ",");
        size_t       i = 0;
        while (i < sizeof words / sizeof *words && !(strlen(words[i]) == length && memcmp(rest, words[i], length) == 0))
            ++i;
        if (i == sizeof words / sizeof *words)
            return options_refuse(state, "--format takes png, svg and pdf with commas, got '%.100s'", text);
        *formats |= 1u << i;
        rest += length;
    }
    return 0;
}

static error_t read_time(const char *option, const char *text, double *time, struct argp_state *state)
{
    char *end = NULL;
    errno = 0;
    *time = strtod(text, &end);
    if (end == text || *end != '\0' || errno == ERANGE || !isfinite(*time) || *time < 0.0)
        return options_refuse(state, "%s takes a time in seconds, got '%.100s'", option, text);
    return 0;
}

static error_t read_kind(const char *value, PlotKind *kind, struct argp_state *state)
{
    *kind = PLOT_MAP;
    while (*kind < PLOT_KINDS && strcmp(kind_names[*kind], value) != 0)
        ++*kind;
    const char *near = suggest(value, kind_names + PLOT_MAP, PLOT_KINDS - PLOT_MAP);
    return *kind < PLOT_KINDS
               ? 0
               : options_refuse(state,
                                near ? "--kind: no kind '%.100s'; did you mean '%s'?" : "--kind: no kind '%.100s'%s",
                                value, near ? near : "; `pendula help plot` lists them");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options     *options = state->input;
    PlotRequest *request = options->target;
    PlotView    *view = &request->view;
    switch (key) {
    case 'o': request->stem = value; return 0;
    case KEY_FORCE: request->outputs.force = true; return 0;
    case KEY_METRIC: request->metric = value; return 0;
    case KEY_KIND: return read_kind(value, &request->kind, state);
    case KEY_X: view->x = value; return 0;
    case KEY_Y: view->y = value; return 0;
    case KEY_FAMILY: view->family = value; return 0;
    case KEY_AT: return coordinates_parse("--at", value, &view->at, state);
    case KEY_COMPONENT: view->component = value; return 0;
    case KEY_XLIM: return read_limits("--xlim", value, &request->x_limits, state);
    case KEY_YLIM: return read_limits("--ylim", value, &request->y_limits, state);
    case KEY_TITLE: request->title = value; return 0;
    case KEY_FORMAT: return read_formats(value, &request->formats, state);
    case KEY_FIELD:
        if (request->field_count == PLOT_ROWS)
            return options_refuse(state, "at most %d fields in one picture", PLOT_ROWS);
        request->fields[request->field_count++] = value;
        return 0;
    case KEY_SCALE:
        request->scale = strcmp(value, "linear") == 0 ? PLOT_SCALE_LINEAR : PLOT_SCALE_LOG;
        if (request->scale == PLOT_SCALE_LOG && strcmp(value, "log") != 0)
            return options_refuse(state, "--scale takes log or linear, got '%.100s'", value);
        return 0;
    case KEY_FROM: return read_time("--from", value, &request->from, state);
    case KEY_TO: return read_time("--to", value, &request->to, state);
    case ARGP_KEY_END: return check(request, state);
    default: return options_take_one(&request->path, "result file", key, value, state);
    }
}

static const struct argp plot_argp = {
    plot_options,
    parse_option,
    "FILE.h5",
    "Draws a result file with gnuplot, as PNG and SVG.\v"
    "A map shows a metric over two axes, curves show it over one, with --family a curve for each value of another; "
    "trajectories are drawn over time, a panel for each stored field, or as phase portraits, velocities over "
    "coordinates. A scatter plot shows one number of each point over another, a bifurcation all samples of a metric "
    "over an axis, convergence an error over the step, and work-precision the work over the error, a curve for each "
    "method. The script of each picture is kept beside it.\n"
    "A map of more than 16384 cells is an image. Where it has more than about 1024 along a side, a cell of the picture "
    "is "
    "a block of points, and the picture says so. A curve of more than 16384 points shows the least and the greatest of "
    "each block.",
    NULL,
    NULL,
    NULL};

bool plot_command(int argc, char **argv, Error *err)
{
    PlotRequest request = {0};
    Text        said = {0}, notes = {0};
    bool        done = false;
    bool        ok = options_parse(&plot_argp, argc, argv, &request, &done, err);
    outputs_keep(&request.outputs, request.path);
    if (ok && !done)
        ok = plot_draw(&request, &said, &notes, err) && options_print(&said, err);
    options_log(&notes);
    text_free(&notes);
    text_free(&said);
    return ok;
}
