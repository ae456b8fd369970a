// plot -- `pendula plot FILE.h5`: draws a result file and says what is to be seen.
#include "analysis/plot.h"
#include "cli/commands.h"
#include "cli/options.h"

#include <string.h>

enum { KEY_METRIC = OPTION_LONG, KEY_KIND };

static const struct argp_option plot_options[] = {
    {"output", 'o', "STEM", 0, "pictures are STEM_KIND.png and .svg (default: the result file's name without .h5)", 0},
    {"metric", KEY_METRIC, "NAME", 0, "what to draw over the axes (default: updates per step, else the first metric)",
     0},
    {"kind", KEY_KIND, "KIND", 0, "map, curves or trajectory (default: whatever the file has)", 0},
    {0}};

static error_t find_kind(const char *name, PlotRequest *request, struct argp_state *state)
{
    static const char *const kinds[] = {"map", "curves", "trajectory"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        if (strcmp(kinds[i], name) != 0)
            continue;
        request->kind = (PlotKind)(PLOT_MAP + i);
        return 0;
    }
    return options_refuse(state, "--kind takes map, curves or trajectory, got '%.100s'", name);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options     *options = state->input;
    PlotRequest *request = options->target;
    switch (key) {
    case 'o': request->stem = value; return 0;
    case KEY_METRIC: request->metric = value; return 0;
    case KEY_KIND: return find_kind(value, request, state);
    case ARGP_KEY_ARG:
        if (request->path)
            return options_refuse(state, "one result file at a time, got '%.200s' and '%.200s'", request->path, value);
        request->path = value;
        return 0;
    case ARGP_KEY_NO_ARGS: return options_refuse(state, "which result file?");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp plot_argp = {
    plot_options,
    parse_option,
    "FILE.h5",
    "Draws a result file with gnuplot, as PNG and SVG.\v"
    "A map shows a metric over the first two axes, the others at their middle value; curves show metrics over "
    "one axis; trajectories are drawn over time where the file has them. The script of each picture is kept "
    "beside it.",
    NULL,
    NULL,
    NULL};

bool plot_command(int argc, char **argv, Error *err)
{
    PlotRequest request = {0};
    Text        said = {0};
    bool        done = false;
    bool        ok = options_parse(&plot_argp, argc, argv, &request, &done, err);
    if (ok && !done)
        ok = plot_draw(&request, &said, err) && options_print(&said, err);
    text_free(&said);
    return ok;
}
