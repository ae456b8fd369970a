// command -- `pendula refine SWEEP.yaml`: where the points of a grid begin to fail, or a metric crosses a value.
#include "analysis/refine/refine_plot.h"
#include "analysis/refine/refine_print.h"
#include "base/clock.h"
#include "base/stop.h"
#include "base/yaml.h"
#include "device/driver.h"
#include "reference/reference.h"
#include "terminal/commands.h"
#include "terminal/compiling.h"
#include "terminal/coordinates.h"
#include "terminal/numbers.h"
#include "terminal/sweep_argument.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_BOUNDARY = OPTION_LONG, KEY_ALONG, KEY_WIDTH, KEY_MOST, KEY_POINTS, KEY_FORMAT, KEY_PLOT, KEY_FORCE };

typedef struct RefineArguments {
    SweepArgument sweep;
    RefineRequest request;
    Text          metric;  // that the request names
    Words         along;
    Coordinates   widths;
    RefineWidth   named[COORDINATES_MOST];
    const char   *device, *output, *points, *stem;
    Format        format;
    ProgressMode  progress;
    Outputs       outputs;
} RefineArguments;

static const struct argp_option refine_options[] = {
    OPTION_SET,
    {"device", 'd', "DEVICE", 0, "as in `run`", 0},
    {"boundary", KEY_BOUNDARY, "WHAT", 0,
     "ok: between points that are ok and those that failed; status: between any two statuses; METRIC=VALUE,...: where "
     "a "
     "metric of the sweep, or x_final[i], crosses values, at most 5 (default: ok)",
     0},
    {"along", KEY_ALONG, "AXIS", 0,
     "halve this axis (may be repeated, at most 3; default: the axes of the form linear or log)", 0},
    {"width", KEY_WIDTH, "WIDTH", 0,
     "how well the boundary is to be known: a share of each axis's range, or AXIS=WIDTH,... in the axis's unit; on a "
     "logarithmic axis a share of the value (default: 0.002)",
     0},
    {"most", KEY_MOST, "COUNT", 0, "end before a group has run more points than this (default: 1000000)", 0},
    {"points", KEY_POINTS, "FILE", 0, "write the points that were run as CSV, with the sweep's metrics", 0},
    FORMAT_OPTION(KEY_FORMAT),
    {"output", 'o', "FILE", 0, "where to (default: standard output)", 0},
    {"plot", KEY_PLOT, "FILE", 0, "draw FILE.png and FILE.svg too", 0},
    FORCE_OPTION(KEY_FORCE),
    {0}};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// "METRIC=VALUE,...".
static error_t parse_levels(const char *text, const char *equals, RefineArguments *given, struct argp_state *state)
{
    RefineRequest *request = &given->request;
    Numbers        levels = {0};
    const error_t  refused = numbers_parse("--boundary", equals + 1, REFINE_LEVELS, NUMBERS_ANY, &levels, state);
    given->metric.length = 0;
    text_add(&given->metric, "%.*s", (int)(equals - text), text);
    for (size_t i = 0; !refused && i < levels.count; ++i)
        request->level[i] = levels.items[i];
    request->level_count = refused ? 0 : levels.count;
    qsort(request->level, request->level_count, sizeof *request->level, compare);
    numbers_free(&levels);
    return refused;
}

static error_t parse_boundary(const char *text, RefineArguments *given, struct argp_state *state)
{
    const char *equals = strrchr(text, '=');
    if (!equals && strcmp(text, "ok") != 0 && strcmp(text, "status") != 0)
        return options_refuse(state, "--boundary takes ok, status or METRIC=VALUE,..., got '%.100s'", text);
    given->request.what = equals ? REFINE_METRIC : strcmp(text, "ok") == 0 ? REFINE_OK : REFINE_STATUS;
    return equals ? parse_levels(text, equals, given, state) : 0;
}

static error_t parse_width(const char *text, RefineArguments *given, struct argp_state *state)
{
    const size_t  first = given->widths.count;
    const error_t refused = strchr(text, '=')
                                ? coordinates_parse("--width", text, &given->widths, state)
                                : numbers_parse_one("--width", text, NUMBERS_POSITIVE, &given->request.share, state);
    if (refused)
        return refused;
    if (given->request.share > 1.0)
        return options_refuse(state, "--width takes a share of the range, at most 1, got '%.100s'", text);
    for (size_t i = first; i < given->widths.count; ++i)
        if (!(given->widths.items[i].value > 0.0))
            return options_refuse(state, "--width: the width of '%s' must be greater than 0",
                                  given->widths.items[i].name);
    return 0;
}

static error_t parse_most(const char *text, uint64_t *most, struct argp_state *state)
{
    double number;
    if (!yaml_parse_number(text, &number) || !(number >= 1.0 && number <= 4e9) || number != floor(number))
        return options_refuse(state, "--most takes a whole number from 1 to 4e9, got '%.100s'", text);
    *most = (uint64_t)number;
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options         *options = state->input;
    RefineArguments *given = options->target;
    switch (key) {
    case 'd': given->device = value; return 0;
    case KEY_BOUNDARY: return parse_boundary(value, given, state);
    case KEY_ALONG: return options_add_word(&given->along, value, options->err) ? 0 : EINVAL;
    case KEY_WIDTH: return parse_width(value, given, state);
    case KEY_MOST: return parse_most(value, &given->request.most, state);
    case KEY_POINTS: given->points = value; return 0;
    case KEY_FORMAT: return table_parse_format(value, &given->format, state);
    case 'o': given->output = value; return 0;
    case KEY_PLOT: given->stem = figure_stem(value); return 0;
    case KEY_FORCE: given->outputs.force = true; return 0;
    default: return sweep_argument_parse(&given->sweep, key, value, state);
    }
}

static const struct argp refine_argp = {
    .options = refine_options,
    .parser = parse_option,
    .args_doc = "SWEEP.yaml",
    .doc = "Finds where the points of a sweep's grid begin to fail, or where a metric crosses a value, with far fewer "
           "points than a fine grid has.\v"
           "The grid's cells whose corners differ are halved along each axis, and so are their neighbours where the "
           "boundary enters them, until each cell of the boundary is short enough. Axes that are not halved make a "
           "chart for each of their values. A region that lies whole between points of the grid is not found: the "
           "grid must be fine enough to meet it.\n\n"
           "In csv and json there is a row for each cell of the boundary, with its ends along each axis."};

// What runs and what is shown of it.
typedef struct RefineRun {
    RefineArguments *given;
    Refinement      *refinements;  // [count]
    size_t           count;
    RefinePoints     points;
    ProgressLine     line;
    Compiling        compiling;
    size_t           round;  // whose progress is shown
    double           begun;  // when it began, in seconds of clock_seconds()
} RefineRun;

// Rounds are many, and most are short: only a long one is shown.
static void show_progress(const RefineProgress *progress, void *user)
{
    static const double long_seconds = 1.0;
    RefineRun          *run = user;
    if (progress->round != run->round) {
        progress_line_end(&run->line, NULL);
        run->line = (ProgressLine){0};
        run->round = progress->round;
        run->begun = clock_seconds();
    }
    if (clock_seconds() - run->begun < long_seconds)
        return;
    if (!run->line.stream)
        progress_line_begin(&run->line, run->given->progress, stderr, progress->wanted, progress->wanted_steps);
    progress_line_update(&run->line, progress->points, progress->steps, 0);
}

static bool see_point(const RefineSeen *seen, void *user, Error *err)
{
    RefineRun *run = user;
    refine_points_add(&run->points, seen);
    return text_check(&run->points.text, err);
}

// Nothing but the status is computed where nothing else is looked at.
static bool read_sweep(RefineArguments *given, Error *err)
{
    Words     *overrides = &given->sweep.overrides;
    const bool bare = given->request.what != REFINE_METRIC && !given->points;
    return options_add_word(overrides, "trajectory=null", err) &&
           (!bare || options_add_word(overrides, "metrics=[status]", err)) && sweep_argument_read(&given->sweep, err);
}

static bool check_reference(const Plan *plan, Error *err)
{
    for (size_t g = 0; g < plan->group_count; ++g)
        if (!reference_check(&plan->groups[g], err))
            return false;
    return true;
}

static bool run_groups(RefineRun *run, Error *err)
{
    const RefineRequest *request = &run->given->request;
    const Plan          *plan = &run->given->sweep.plan;
    for (size_t g = 0; g < plan->group_count; ++g) {
        run->count = g + 1;
        if (!refine_make(request, &plan->groups[g], &run->refinements[g], err))
            return false;
    }
    bool stopped = false;
    for (size_t g = 0; g < plan->group_count && !stopped; ++g) {
        run->round = 0;
        run->count = g + 1;
        const bool ok = refine_run(&run->refinements[g], plan, err);
        progress_line_end(&run->line, NULL);
        if (!ok)
            return false;
        stopped = run->refinements[g].stopped;
    }
    return true;
}

static bool write_answers(RefineRun *run, Error *err)
{
    RefineArguments *given = run->given;
    Outputs         *outputs = &given->outputs;
    Text             text = {0}, said = {0};
    bool             ok = refine_print(run->refinements, run->count, given->format, &text, err) &&
              outputs_write(outputs, given->output, &text, err);
    outputs_keep(outputs, given->output);
    ok = ok && (!given->points || outputs_write(outputs, given->points, &run->points.text, err));
    if (given->points)
        outputs_keep(outputs, given->points);
    ok = ok && (!given->stem ||
                refine_plot(run->refinements, run->count, given->sweep.plan.title, given->stem, outputs, &said, err));
    if (ok)
        options_log(&said);
    text_free(&text);
    text_free(&said);
    if (ok && run->count > 0 && run->refinements[run->count - 1].stopped)
        return fail(err, ERROR_STOPPED, "%s: stopped by a signal; what was found until then is written",
                    given->sweep.path);
    return ok;
}

static bool refine_groups(RefineRun *run, Error *err)
{
    RefineArguments *given = run->given;
    const Plan      *plan = &given->sweep.plan;
    Device          *device = NULL;
    Arena            arena = {0};
    const bool       reference = given->device && strcmp(given->device, "reference") == 0;
    bool ok = reference ? check_reference(plan, err) : device_open(given->device, plan->precision, &device, err);
    given->request.device = device;
    given->request.notice = &run->compiling.notice;
    ok = ok && compiling_start(&run->compiling, &run->line, given->progress, err);
    run->refinements = ok ? arena_take(&arena, plan->group_count, sizeof *run->refinements, err) : NULL;
    ok = run->refinements &&
         (!given->points || refine_points_begin(&run->points, plan->groups, plan->group_count, err)) &&
         run_groups(run, err);
    compiling_stop(&run->compiling);
    ok = ok && write_answers(run, err);
    for (size_t g = 0; run->refinements && g < plan->group_count; ++g)
        refine_free(&run->refinements[g]);
    refine_points_free(&run->points);
    arena_free(&arena);
    device_close(device);
    return ok;
}

// Names of files are looked at before anything is run.
static bool answer(RefineArguments *given, Error *err)
{
    Outputs   *outputs = &given->outputs;
    RefineRun  run = {.given = given};
    const bool readable = read_sweep(given, err);
    for (size_t i = 0; readable && plan_file(&given->sweep.plan, i); ++i)
        outputs_keep(outputs, plan_file(&given->sweep.plan, i));
    for (size_t i = 0; i < given->widths.count; ++i)
        given->named[i] = (RefineWidth){given->widths.items[i].name, given->widths.items[i].value};
    given->request.path = given->sweep.path;
    given->request.metric = given->metric.text;
    given->request.along = given->along.items;
    given->request.along_count = given->along.count;
    given->request.widths = given->named;
    given->request.width_count = given->widths.count;
    given->request.signals = stop_count();
    given->request.progress = show_progress;
    given->request.see = given->points ? see_point : NULL;
    given->request.user = &run;
    bool ok = readable && outputs_check(outputs, given->output, err) &&
              (!given->points || outputs_check(outputs, given->points, err)) &&
              (!given->stem || figure_check_stem(outputs, given->stem, err)) && stop_catch(driver_remove, err);
    ok = ok && refine_groups(&run, err);
    stop_release();
    return ok;
}

bool refine_command(int argc, char **argv, Error *err)
{
    RefineArguments given = {.device = options_device(), .output = "-", .request = {.share = 0.002, .most = 1000000}};
    bool            help = false;
    bool ok = options_progress(&given.progress, err) && options_parse(&refine_argp, argc, argv, &given, &help, err);
    if (ok && !help)
        ok = answer(&given, err);
    text_free(&given.metric);
    options_free_words(&given.along);
    sweep_argument_free(&given.sweep);
    return ok;
}
