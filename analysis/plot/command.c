// command -- `pendula plot FILE.h5`: draws a result file, and prints the ranges of what is drawn.
#include "analysis/plot/plot.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_METRIC = OPTION_LONG, KEY_KIND, KEY_FIELD, KEY_SCALE, KEY_FROM, KEY_TO, KEY_FORCE };

static const struct argp_option plot_options[] = {
    {"output", 'o', "STEM", 0,
     "pictures are STEM_KIND_METRIC.png and .svg (default: the result file's name without .h5)", 0},
    FORCE_OPTION(KEY_FORCE),
    {"metric", KEY_METRIC, "NAME", 0, "what to draw over the axes (default: updates per step, else the first metric)",
     0},
    {"kind", KEY_KIND, "KIND", 0, "map, curves or trajectory (default: whatever the file has)", 0},
    {"field", KEY_FIELD, "NAME", 0,
     "a stored field to draw over time: x, v, energy, kinetic, error, fast, slow, condition, updates, or a coordinate "
     "such as x0; repeated, they stand above each other (default: all that are stored)",
     1},
    {"scale", KEY_SCALE, "SCALE", 0,
     "log or linear (default: log for error, condition and energy where they span much)", 1},
    {"from", KEY_FROM, "TIME", 0, "draw trajectories from this time on", 1},
    {"to", KEY_TO, "TIME", 0, "draw trajectories to this time (default: to the end)", 1},
    {0}};

static error_t read_time(const char *option, const char *text, double *time, struct argp_state *state)
{
    char *end = NULL;
    errno = 0;
    *time = strtod(text, &end);
    if (end == text || *end != '\0' || errno == ERANGE || !isfinite(*time) || *time < 0.0)
        return options_refuse(state, "%s takes a time in seconds, got '%.100s'", option, text);
    return 0;
}

// What is for trajectories alone asks for them.
static error_t check(PlotRequest *request, struct argp_state *state)
{
    const bool over_time =
        request->field_count > 0 || request->scale != PLOT_SCALE_CHOSEN || request->from > 0.0 || request->to > 0.0;
    if (request->to > 0.0 && request->to <= request->from)
        return options_refuse(state, "the time from %g to %g is empty", request->from, request->to);
    if (over_time && (request->kind == PLOT_MAP || request->kind == PLOT_CURVES))
        return options_refuse(state, "--field, --scale, --from and --to are for trajectories, not for maps or curves");
    if (over_time && request->metric)
        return options_refuse(state, "--metric is for maps and curves; --field names what to draw over time");
    request->kind = over_time ? PLOT_TRAJECTORY : request->kind;
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    static const char *const kinds[PLOT_KINDS] = {"", "map", "curves", "trajectory"};
    Options                 *options = state->input;
    PlotRequest             *request = options->target;
    switch (key) {
    case 'o': request->stem = value; return 0;
    case KEY_FORCE: request->outputs.force = true; return 0;
    case KEY_METRIC: request->metric = value; return 0;
    case KEY_KIND:
        request->kind = PLOT_MAP;
        while (request->kind < PLOT_KINDS && strcmp(kinds[request->kind], value) != 0)
            ++request->kind;
        return request->kind < PLOT_KINDS
                   ? 0
                   : options_refuse(state, "--kind takes map, curves or trajectory, got '%.100s'", value);
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
    "A map shows a metric over the first two axes, the others at their middle value; curves show metrics over "
    "one axis; trajectories are drawn over time where the file has them, a panel for each stored field. The script "
    "of each picture is kept beside it.",
    NULL,
    NULL,
    NULL};

bool plot_command(int argc, char **argv, Error *err)
{
    PlotRequest request = {0};
    Text        said = {0};
    bool        done = false;
    bool        ok = options_parse(&plot_argp, argc, argv, &request, &done, err);
    outputs_keep(&request.outputs, request.path);
    if (ok && !done)
        ok = plot_draw(&request, &said, err) && options_print(&said, err);
    text_free(&said);
    return ok;
}
