// command -- `pendula plot FILE.h5`: draws a result file, and prints the ranges of the values drawn.
#include "analysis/plot/plot.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <stdio.h>

// Which kinds an option is for.
#define KIND(NAME) (1u << PLOT_##NAME)
enum {
    OVER_AXES = KIND(MAP) | KIND(CURVES) | KIND(SCATTER) | KIND(BIFURCATION) | KIND(CONVERGENCE) | KIND(WORK_PRECISION),
    OVER_TIME = KIND(TRAJECTORY) | KIND(PHASE),
    WITH_FAMILY =
        KIND(CURVES) | KIND(SCATTER) | KIND(CONVERGENCE) | KIND(WORK_PRECISION) | KIND(TRAJECTORY) | KIND(PHASE)
};

// The times shown of a trajectory are its range along x.
static bool check_times(const PlotRequest *request, Error *err)
{
    if (request->kind == PLOT_TRAJECTORY && request->x_limits[0] < request->x_limits[1])
        return fail(err, ERROR_USAGE, "--xlim is not for trajectories, which --from and --to limit");
    return !(request->to > 0.0 && request->to <= request->from) ||
           fail(err, ERROR_USAGE, "the time from %g to %g is empty", request->from, request->to);
}

// Refuses an option that the kind has no use for.
static bool check_option(const PlotRequest *request, bool given, const char *option, unsigned kinds, Error *err)
{
    char list[128] = "";
    if (!given || request->kind == PLOT_ALL || (kinds & 1u << request->kind))
        return true;
    for (size_t kind = PLOT_MAP, used = 0; kind < PLOT_KINDS; ++kind)
        if (kinds & 1u << kind)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", plot_kind_names[kind]);
    return fail(err, ERROR_USAGE, "%s is for %s, not for %s", option, list, plot_kind_names[request->kind]);
}

static bool check(void *arguments, Error *err)
{
    PlotRequest    *request = arguments;
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
    for (size_t i = 0; i < sizeof given / sizeof *given; ++i)
        if (!check_option(request, given[i].given, given[i].option, given[i].kinds, err))
            return false;
    return check_times(request, err);
}

static bool take_field(const char *option, char *value, void *target, Error *err)
{
    PlotRequest *request = target;
    if (request->field_count == PLOT_ROWS)
        return fail(err, ERROR_USAGE, "%s: at most %d fields in one picture", option, PLOT_ROWS);
    request->fields[request->field_count++] = value;
    return true;
}

static const char *const scales[] = {
    [PLOT_SCALE_CHOSEN] = "", [PLOT_SCALE_LINEAR] = "linear", [PLOT_SCALE_LOG] = "log"};
static const char *const formats[] = {"png", "svg", "pdf"};

static const Option plot_options[] = {
    {"output", 'o', "STEM", OPTION_TEXT(PlotRequest, stem),
     "pictures are STEM_KIND_METRIC.png and .svg (default: the result file's name without .h5)"},
    OPTION_ROW_FORCE(PlotRequest, outputs.force),
    {"kind", 0, "KIND", OPTION_WORD(PlotRequest, kind, plot_kind_names),
     "map, curves, trajectory, scatter, bifurcation, convergence, work-precision or phase (default: map or curves, and "
     "trajectory, whatever the file has)"},
    {"metric", 0, "METRIC", OPTION_TEXT(PlotRequest, metric),
     "what to draw: a metric, or x_final[0] (default: updates per step, else the first metric; of a bifurcation the "
     "first with samples; of convergence and work-precision error_final, else error_max)"},
    {"x", 0, "AXIS", OPTION_TEXT(PlotRequest, view.x),
     "the axis along x (default: the first); of a scatter plot an axis or a metric"},
    {"y", 0, "AXIS", OPTION_TEXT(PlotRequest, view.y),
     "the axis along y of a map (default: the second); of work-precision the metric of the work (default: "
     "evaluations)"},
    {"family", 0, "AXIS", OPTION_TEXT(PlotRequest, view.family),
     "draw a curve for each value of this axis, and a panel for each method"},
    {"at", 0, "AXIS=VALUE,...", OPTION_VALUES(PlotRequest, view.at),
     "where other axes stand: the nearest value (default: the middle one; of a scatter plot all; may be repeated)"},
    {"component", 0, "COORDINATE", OPTION_TEXT(PlotRequest, view.component),
     "of what has a number for each coordinate: which one; of a phase portrait A, or A,B for B over A"},
    OPTION_ROW_HEADING("The picture:"),
    {"xlim", 0, "A,B", OPTION_RANGE(PlotRequest, x_limits, NUMBERS_ANY), "the range that is drawn along x"},
    {"ylim", 0, "A,B", OPTION_RANGE(PlotRequest, y_limits, NUMBERS_ANY), "the range that is drawn along y"},
    {"scale", 0, "SCALE", OPTION_WORD(PlotRequest, scale, scales),
     "log or linear: of a map its colours, else what lies along y (default: log where values span much)"},
    {"title", 0, "TEXT", OPTION_TEXT(PlotRequest, title), "what stands above the picture (default: the sweep's title)"},
    {"format", 0, "LIST", OPTION_BITS(PlotRequest, formats, formats),
     "png, svg, pdf, or several with commas (default: png,svg)"},
    OPTION_ROW_HEADING("Trajectories and phase portraits:"),
    {"field", 0, "FIELD", OPTION_OWN(take_field),
     "of trajectories: a stored field to draw over time: x, v, energy, kinetic, error, fast, slow, condition, updates, "
     "or a coordinate such as x0; repeated, they stand above each other (default: all that are stored)"},
    {"from", 0, "TIME", OPTION_NUMBER(PlotRequest, from, NUMBERS_NOT_NEGATIVE),
     "draw trajectories and phase portraits from this time on"},
    {"to", 0, "TIME", OPTION_NUMBER(PlotRequest, to, NUMBERS_NOT_NEGATIVE),
     "draw them to this time (default: to the end)"}};

const Usage plot_command_usage = {
    USAGE_OPTIONS(plot_options), .arguments = ARGUMENTS_ONE(PlotRequest, path, "FILE.h5", "result file"),
    .check = check, .about = "Draws a result file with gnuplot, as PNG and SVG.",
    .notes =
        "A map shows a metric over two axes, curves show it over one, with --family a curve for each value of another; "
        "trajectories are drawn over time, a panel for each stored field, or as phase portraits, velocities over "
        "coordinates. A scatter plot shows one number of each point over another, a bifurcation all samples of a "
        "metric over an axis, convergence an error over the step, and work-precision the work over the error, a curve "
        "for each method. The script of each picture is kept beside it.\n"
        "A map of more than 16384 cells is an image. Where it has more than about 1024 along a side, a cell of the "
        "picture is a block of points, and the picture says so. A curve of more than 16384 points shows the least and "
        "the greatest of each block."};

static bool plot(void *arguments, Error *err)
{
    PlotRequest *request = arguments;
    Text         said = {0}, notes = {0};
    outputs_keep(&request->outputs, request->path);
    const bool ok = plot_draw(request, &said, &notes, err) && options_print(&said, err);
    options_log(&notes);
    text_free(&notes);
    text_free(&said);
    return ok;
}

bool plot_command(int argc, char **argv, Error *err)
{
    PlotRequest given = {0};
    return options_run(&plot_command_usage, argc, argv, &given, plot, err);
}
