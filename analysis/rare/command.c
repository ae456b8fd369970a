// command -- `pendula rare SWEEP.yaml`: the probability that a metric lies beyond a value that points hardly reach.
#include "analysis/rare/rare_plot.h"
#include "analysis/rare/rare_print.h"
#include "base/stop.h"
#include "device/driver.h"
#include "terminal/commands.h"
#include "terminal/compiling.h"
#include "terminal/sweep_argument.h"

#include <math.h>
#include <stdio.h>

typedef struct RareArguments {
    SweepArgument sweep;
    RareRequest   request;
    double        above, below;
    const char   *device, *output, *stem;
    Format        format;
    ProgressMode  progress;
    Outputs       outputs;
} RareArguments;

static const Option rare_options[] = {
    SWEEP_ARGUMENT_SET(RareArguments, sweep),
    SWEEP_ARGUMENT_DISTRIBUTION(RareArguments, sweep),
    {"device", 'd', "DEVICE", OPTION_TEXT(RareArguments, device), "as in `run`"},
    {"metric", 0, "METRIC", OPTION_TEXT(RareArguments, request.metric), "a metric of the sweep, or x_final[i]"},
    {"above", 0, "V", OPTION_NUMBER(RareArguments, above, NUMBERS_ANY), "the event: the metric is larger than V"},
    {"below", 0, "V", OPTION_NUMBER(RareArguments, below, NUMBERS_ANY), "the event: the metric is smaller than V"},
    {"samples", 0, "COUNT", OPTION_WHOLE(RareArguments, request.samples, SUBSET_LEAST, SUBSET_MOST),
     "points of a level, a multiple of 10 (default: 1000)"},
    {"repeat", 0, "RUNS", OPTION_WHOLE(RareArguments, request.runs, 1, SUBSET_RUNS),
     "independent runs, from whose spread the interval is taken; of one run it is too short (default: 8)"},
    {"seed", 0, "SEED", OPTION_WHOLE(RareArguments, request.seed, 0, UINT64_C(1) << 53),
     "of the random numbers (default: 1)"},
    {"failed", 0, "RULE", OPTION_WORD(RareArguments, request.failed, spread_rules),
     "points that failed or have no number: drop (outside of the event), worst (in it) or refuse (default: drop)"},
    TABLE_ROW_FORMAT(RareArguments, format),
    {"output", 'o', "FILE", OPTION_TEXT(RareArguments, output), "where to (default: standard output)"},
    FIGURE_ROW_PLOT(RareArguments, stem),
    OPTION_ROW_FORCE(RareArguments, outputs.force)};

static bool check(void *arguments, Error *err)
{
    RareArguments *given = arguments;
    RareRequest   *request = &given->request;
    if (!request->metric)
        return fail(err, ERROR_USAGE, "which metric? name one by --metric");
    if (isnan(given->above) == isnan(given->below))
        return fail(err, ERROR_USAGE, "give the event: the metric is larger than V, --above V, or smaller, --below V");
    if (request->samples % SUBSET_CHAIN)
        return fail(err, ERROR_USAGE, "--samples takes a multiple of %d, got %llu", SUBSET_CHAIN,
                    (unsigned long long)request->samples);
    request->below = isnan(given->above);
    request->value = request->below ? given->below : given->above;
    return true;
}

const Usage rare_command_usage = {
    USAGE_OPTIONS(rare_options), .arguments = SWEEP_ARGUMENT(RareArguments, sweep), .check = check,
    .about = "Finds the probability of a rare event, a metric beyond a value, for a sweep whose parameters have "
             "distributions: by subset simulation, with 900 points for each factor of ten.",
    .notes = "The points of the sweep's design are not used, only its factors. The event is reached through levels, "
             "each a tenth as likely as the one before, by chains of points that move together. The probability is "
             "the mean of the runs, with an interval at 95 %. An event that has several parts far from each other may "
             "lose one: more samples find it.\n\n"
             "--plot draws the probability beyond each value from the median to V, which the levels give too, with its "
             "interval, and where the levels of the runs begin."};

// A run of the command.
typedef struct RareWork {
    RareArguments *given;
    Rare          *rares;  // [count]
    size_t         count;
    ProgressLine   line;
    Compiling      compiling;
} RareWork;

static void show_level(const Rare *rare, void *user)
{
    const RareWork    *work = user;
    const Subset      *subset = &rare->subset;
    const ProgressMode mode = work->given->progress;
    if (mode == PROGRESS_AUTO || mode == PROGRESS_PLAIN)
        options_say("%s: level %zu done: %llu points, %zu of %zu runs go on", rare->group->label, subset->level,
                    (unsigned long long)subset->point_count, subset->active, rare->asked.runs);
}

static bool run_groups(RareWork *work, Error *err)
{
    const Plan *plan = &work->given->sweep.plan;
    for (size_t g = 0; g < plan->group_count; ++g) {
        work->count = g + 1;
        if (!rare_make(&work->given->request, plan, &plan->groups[g], &work->rares[g], err))
            return false;
    }
    for (size_t g = 0; g < plan->group_count; ++g)
        if (!rare_run(&work->rares[g], err))
            return false;
    return true;
}

static bool draw(const RareWork *work, Error *err)
{
    const RareArguments *given = work->given;
    Text                 said SCOPED(text_free) = {0};
    if (!rare_plot(work->rares, work->count, given->stem, &given->outputs, &said, err) || !text_check(&said, err))
        return false;
    options_log(&said);
    return true;
}

static bool find(RareWork *work, Text *text, Error *err)
{
    RareArguments *given = work->given;
    const Plan    *plan = &given->sweep.plan;
    Device        *device = NULL;
    Arena          arena SCOPED(arena_free) = {0};
    bool           ok = sweep_argument_device(plan, given->device, &device, err);
    given->request.device = device;
    given->request.notice = &work->compiling.notice;
    work->rares = ok ? arena_take(&arena, plan->group_count, sizeof *work->rares, err) : NULL;
    ok = work->rares && compiling_start(&work->compiling, &work->line, given->progress, err) && run_groups(work, err);
    compiling_stop(&work->compiling);
    ok = ok && rare_print(work->rares, work->count, given->format, text, err) &&
         options_write(&given->outputs, given->output, text, err);
    outputs_keep(&given->outputs, given->output);
    ok = ok && (!given->stem || draw(work, err));
    for (size_t g = 0; g < work->count; ++g)
        rare_free(&work->rares[g]);
    device_close(device);
    return ok;
}

static bool answer(void *arguments, Error *err)
{
    RareArguments *given = arguments;
    Outputs       *outputs = &given->outputs;
    Text           text SCOPED(text_free) = {0};
    RareWork       work = {.given = given};
    bool           ok = sweep_argument_name(&given->sweep, err) &&
              options_add_word(&given->sweep.overrides, "trajectory=null", err) &&
              sweep_argument_read(&given->sweep, err);
    if (ok)
        sweep_argument_keep(&given->sweep, outputs);
    given->request.path = given->sweep.path;
    given->request.signals = stop_count();
    given->request.level = show_level;
    given->request.user = &work;
    ok = ok && outputs_check(outputs, given->output, err) &&
         (!given->stem || figure_check_stem(outputs, given->stem, err)) && stop_catch(driver_remove, err);
    ok = ok && find(&work, &text, err);
    stop_release();
    sweep_argument_free(&given->sweep);
    return ok;
}

bool rare_command(int argc, char **argv, Error *err)
{
    RareArguments given = {.device = options_device(),
                           .output = "-",
                           .above = (double)NAN,
                           .below = (double)NAN,
                           .request = {.samples = 1000, .runs = 8, .seed = 1}};
    return options_progress(&given.progress, err) && options_run(&rare_command_usage, argc, argv, &given, answer, err);
}
