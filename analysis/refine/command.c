// command -- `pendula refine SWEEP.yaml`: where the points of a grid begin to fail, or a metric crosses a value.
#include "analysis/plot/figure.h"
#include "analysis/refine/refine.h"
#include "base/clock.h"
#include "base/sort.h"
#include "base/stop.h"
#include "device/driver.h"
#include "terminal/commands.h"
#include "terminal/compiling.h"
#include "terminal/sweep_argument.h"

#include <stdio.h>
#include <string.h>

typedef struct RefineArguments {
    SweepArgument sweep;
    RefineRequest request;
    Text          metric;  // that the request names
    Words         along;
    Coordinates   widths;
    const char   *device, *output, *points, *stem;
    Format        format;
    ProgressMode  progress;
    Outputs       outputs;
} RefineArguments;

// "METRIC=VALUE,...".
static bool read_levels(const char *option, const char *text, const char *equals, RefineArguments *given, Error *err)
{
    static const NumbersRange any = NUMBERS_ANY;
    RefineRequest            *request = &given->request;
    Numbers                   levels = {0};
    const bool                ok = numbers_read(option, equals + 1, REFINE_LEVELS, &any, &levels, err);
    given->metric.length = 0;
    text_add(&given->metric, "%.*s", (int)(equals - text), text);
    for (size_t i = 0; ok && i < levels.count; ++i)
        request->level[i] = levels.items[i];
    request->level_count = ok ? levels.count : 0;
    sort_numbers(request->level, request->level_count);
    numbers_free(&levels);
    return ok;
}

static bool take_boundary(const char *option, char *text, void *arguments, Error *err)
{
    RefineArguments *given = arguments;
    const char      *equals = strrchr(text, '=');
    if (!equals && strcmp(text, "ok") != 0 && strcmp(text, "status") != 0)
        return fail(err, ERROR_USAGE, "%s takes ok, status or METRIC=VALUE,..., got '%.100s'", option, text);
    given->request.what = equals ? REFINE_METRIC : strcmp(text, "ok") == 0 ? REFINE_OK : REFINE_STATUS;
    return !equals || read_levels(option, text, equals, given, err);
}

static bool take_width(const char *option, char *text, void *arguments, Error *err)
{
    static const NumbersRange positive = NUMBERS_POSITIVE;
    RefineArguments          *given = arguments;
    const size_t              first = given->widths.count;
    if (!strchr(text, '='))
        return numbers_read_one(option, text, &positive, &given->request.share, err) &&
               (given->request.share <= 1.0 ||
                fail(err, ERROR_USAGE, "%s takes a share of the range, at most 1, got '%.100s'", option, text));
    if (!coordinates_read(option, text, &given->widths, err))
        return false;
    for (size_t i = first; i < given->widths.count; ++i)
        if (!(given->widths.items[i].value > 0.0))
            return fail(err, ERROR_USAGE, "%s: the width of '%s' must be greater than 0", option,
                        given->widths.items[i].name);
    return true;
}

static const Option refine_options[] = {
    SWEEP_ARGUMENT_SET(RefineArguments, sweep),
    {"device", 'd', "DEVICE", OPTION_TEXT(RefineArguments, device), "as in `run`"},
    {"boundary", 0, "WHAT", OPTION_OWN(take_boundary),
     "ok: between points that are ok and those that failed; status: between any two statuses; METRIC=VALUE,...: where "
     "a metric of the sweep, or x_final[i], crosses values, at most 5 (default: ok)"},
    {"along", 0, "AXIS", OPTION_TEXTS(RefineArguments, along),
     "halve this axis (may be repeated, at most 3; default: the axes of the form linear or log)"},
    {"width", 0, "WIDTH", OPTION_OWN(take_width),
     "how well the boundary is to be known: a share of each axis's range, or AXIS=WIDTH,... in the axis's unit; on a "
     "logarithmic axis a share of the value (default: 0.002)"},
    {"most", 0, "COUNT", OPTION_WHOLE(RefineArguments, request.most, 1, UINT64_C(4000000000)),
     "end before a group has run more points than this (default: 1000000)"},
    {"points", 0, "FILE", OPTION_TEXT(RefineArguments, points),
     "write the points that were run as CSV, with the sweep's metrics"},
    TABLE_ROW_FORMAT(RefineArguments, format),
    {"output", 'o', "FILE", OPTION_TEXT(RefineArguments, output), "where to (default: standard output)"},
    FIGURE_ROW_PLOT(RefineArguments, stem),
    OPTION_ROW_FORCE(RefineArguments, outputs.force)};

const Usage refine_command_usage = {
    USAGE_OPTIONS(refine_options), .arguments = SWEEP_ARGUMENT(RefineArguments, sweep),
    .about = "Finds where the points of a sweep's grid begin to fail, or where a metric crosses a value, with far "
             "fewer points than a fine grid has.",
    .notes = "The grid's cells whose corners differ are halved along each axis, and so are their neighbours where the "
             "boundary enters them, until each cell of the boundary is short enough. Axes that are not halved make a "
             "chart for each of their values. A region that lies whole between points of the grid is not found: the "
             "grid must be fine enough to meet it.\n\n"
             "In csv and json there is a row for each cell of the boundary, with its ends along each axis."};

// A run of the command, and its progress on the terminal.
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
    bool             ok = sweep_argument_device(plan, given->device, &device, err);
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
static bool answer(void *arguments, Error *err)
{
    RefineArguments *given = arguments;
    Outputs         *outputs = &given->outputs;
    RefineRun        run = {.given = given};
    const bool       readable = read_sweep(given, err);
    if (readable)
        sweep_argument_keep(&given->sweep, outputs);
    given->request.path = given->sweep.path;
    given->request.metric = given->metric.text;
    given->request.along = given->along.items;
    given->request.along_count = given->along.count;
    given->request.widths = &given->widths;
    given->request.signals = stop_count();
    given->request.progress = show_progress;
    given->request.see = given->points ? see_point : NULL;
    given->request.user = &run;
    bool ok = readable && outputs_check(outputs, given->output, err) &&
              (!given->points || outputs_check(outputs, given->points, err)) &&
              (!given->stem || figure_check_stem(outputs, given->stem, err)) && stop_catch(driver_remove, err);
    ok = ok && refine_groups(&run, err);
    stop_release();
    sweep_argument_free(&given->sweep);
    return ok;
}

bool refine_command(int argc, char **argv, Error *err)
{
    RefineArguments given = {.device = options_device(), .output = "-", .request = {.share = 0.002, .most = 1000000}};
    const bool      ok =
        options_progress(&given.progress, err) && options_run(&refine_command_usage, argc, argv, &given, answer, err);
    text_free(&given.metric);
    return ok;
}
