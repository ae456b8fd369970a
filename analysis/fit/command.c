// command -- `pendula fit SWEEP.yaml --data DATA.csv`: parameters that bring quantities closest to measured values.
#include "analysis/fit/estimates.h"
#include "analysis/fit/fit_plot.h"
#include "analysis/fit/fit_print.h"
#include "analysis/fit/fit_sweep.h"
#include "analysis/fit/profile.h"
#include "base/stop.h"
#include "device/driver.h"
#include "terminal/commands.h"
#include "terminal/compiling.h"
#include "terminal/sweep_argument.h"

#include <stdio.h>
#include <string.h>

static const char *const sigma_rules[] = {"relative", "absolute"};

typedef struct FitArguments {
    SweepArgument sweep;
    FitRequest    request;
    const char   *data, *device, *output, *saved, *stem;
    Words         columns, profile;
    unsigned      sigma;  // of sigma_rules
    bool          differences;
    Format        format;
    ProgressMode  progress;
    Outputs       outputs;
} FitArguments;

static const Option fit_options[] = {
    SWEEP_ARGUMENT_SET(FitArguments, sweep),
    SWEEP_ARGUMENT_DISTRIBUTION(FitArguments, sweep),
    {"device", 'd', "DEVICE", OPTION_TEXT(FitArguments, device), "as in `run`"},
    {"data", 0, "FILE.csv", OPTION_TEXT(FitArguments, data),
     "measured values: a column t of times, a column for each quantity, and for each axis that tells conditions apart"},
    {"columns", 0, "NAME,...", OPTION_LIST(FitArguments, columns), "the only columns that are read (default: all)"},
    {"sigma", 0, "RULE", OPTION_WORD(FitArguments, sigma, sigma_rules),
     "columns NAME_sigma: relative, weights alone, or absolute, the standard deviations of the errors (default: "
     "relative)"},
    {"starts", 0, "COUNT", OPTION_WHOLE(FitArguments, request.starts, 1, FIT_STARTS),
     "starts in the distributions of the parameters (default: 100)"},
    {"seed", 0, "SEED", OPTION_WHOLE(FitArguments, request.seed, 0, UINT64_C(1) << 53), "of the starts (default: 1)"},
    {"iterations", 0, "COUNT", OPTION_WHOLE(FitArguments, request.iterations, 1, 100000),
     "most iterations of a start (default: 200)"},
    {"differences", 0, NULL, OPTION_FLAG(FitArguments, differences),
     "take derivatives by differences, also where the kernel has them"},
    {"profile", 0, "NAME,...", OPTION_LIST(FitArguments, profile),
     "intervals of these parameters by the profile of the sum of squares too, which is refitted with the parameter "
     "held; or of all"},
    TABLE_ROW_FORMAT(FitArguments, format),
    {"output", 'o', "FILE", OPTION_TEXT(FitArguments, output), "where to (default: standard output)"},
    {"sweep", 0, "FILE.yaml", OPTION_TEXT(FitArguments, saved), "write the sweep with the fitted values"},
    FIGURE_ROW_PLOT(FitArguments, stem),
    OPTION_ROW_FORCE(FitArguments, outputs.force)};

static bool check(void *arguments, Error *err)
{
    const FitArguments *given = arguments;
    return given->data || fail(err, ERROR_USAGE, "which measured values? name a CSV file by --data");
}

const Usage fit_command_usage = {
    USAGE_OPTIONS(fit_options), .arguments = SWEEP_ARGUMENT(FitArguments, sweep), .check = check,
    .about = "Fits parameters to measured values: those with which the sum of squared differences is least, from many "
             "starts at once, with intervals at 95 % and correlations.",
    .notes = "Parameters with a distribution or a range are fitted, within its ends. A column with the name of an axis "
             "says under which of its values a line was measured: one set of parameters is fitted to all conditions. "
             "Points that fail are steps that are not taken.\n\n"
             "--profile adds the interval in which the sum of squares, all other parameters refitted, stays within "
             "what chance allows; it needs no linear model, and says where the data rule nothing out. --plot draws "
             "data, fit and residuals."};

// A run of the command.
typedef struct FitWork {
    FitArguments *given;
    Measurements  data;
    FitStudy      study;
    GroupFit     *fits;  // [count]
    size_t        count;
    ProgressLine  line;
    Compiling     compiling;
} FitWork;

// The first ten iterations, then every tenth, and the last.
static void show_iteration(const GroupFit *fit, void *user)
{
    const FitWork     *work = user;
    const Levenberg   *levenberg = &fit->levenberg;
    const ProgressMode mode = work->given->progress;
    const bool         said = levenberg->iteration <= 10 || levenberg->iteration % 10 == 0 || levenberg->running == 0;
    if (said && (mode == PROGRESS_AUTO || mode == PROGRESS_PLAIN))
        options_say("%s: iteration %u: %zu of %zu starts go on, least sum of squares %.6g", fit->group->label,
                    levenberg->iteration, levenberg->running, fit->asked.starts, levenberg->least);
}

static bool run_groups(FitWork *work, Error *err)
{
    FitArguments *given = work->given;
    const Plan   *plan = &work->study.plan;
    for (size_t g = 0; g < plan->group_count; ++g) {
        work->count = g + 1;
        if (!fit_make(&given->request, &work->study, &plan->groups[g], &work->fits[g], err) ||
            !profile_check(&work->fits[g], &given->profile, err))
            return false;
    }
    for (size_t g = 0; g < plan->group_count; ++g)
        if (!fit_run(&work->fits[g], err) || !estimates_find(&work->fits[g], err) ||
            (given->profile.count > 0 && !profile_find(&work->fits[g], &given->profile, err)))
            return false;
    return true;
}

// Reads the data and makes the sweep that has samples where they lie.
static bool prepare(FitWork *work, Error *err)
{
    FitArguments *given = work->given;
    const Plan   *plan = &given->sweep.plan;
    const char   *by[TRIANGLE_MOST];
    const bool    reference = given->device && strcmp(given->device, "reference") == 0;
    size_t        count;
    given->request.data = &work->data;
    if (!measurements_read(given->data, given->columns.items, given->columns.count, plan, &work->data, err) ||
        !fit_find_free(given->sweep.path, &work->data, &plan->groups[0], by, &count, err) ||
        (given->saved && !fit_sweep_check(plan, &work->data, err)))
        return false;
    given->request.room = given->profile.count > 0 ? profile_room(count) : 0;
    return fit_study_make(plan, given->sweep.overrides.items, given->sweep.overrides.count, &work->data,
                          work->data.times, work->data.time_count, by, given->differences || reference ? 0 : count,
                          &work->study, err);
}

// The user's overrides: the last one is the command's own, which leaves out trajectories.
static bool write_sweep(const FitWork *work, Error *err)
{
    FitArguments *given = work->given;
    const Words  *overrides = &given->sweep.overrides;
    Text          text SCOPED(text_free) = {0};
    return fit_sweep_write(&work->fits[0], &given->sweep.spec, overrides->items, overrides->count - 1, &text, err) &&
           outputs_write(&given->outputs, given->saved, &text, err);
}

static bool draw(const FitWork *work, Error *err)
{
    FitArguments        *given = work->given;
    Text                 said SCOPED(text_free) = {0};
    const FitPlotRequest request = {.sweep = &given->sweep.plan,
                                    .overrides = given->sweep.overrides.items,
                                    .override_count = given->sweep.overrides.count,
                                    .stem = given->stem};
    if (!fit_plot(work->fits, work->count, &request, &given->outputs, &said, err) || !text_check(&said, err))
        return false;
    options_log(&said);
    return true;
}

static bool write_answers(const FitWork *work, Error *err)
{
    FitArguments *given = work->given;
    Outputs      *outputs = &given->outputs;
    Text          text SCOPED(text_free) = {0};
    if (!fit_print(work->fits, work->count, given->format, &text, err) ||
        !options_write(outputs, given->output, &text, err))
        return false;
    outputs_keep(outputs, given->output);
    if (given->saved && !write_sweep(work, err))
        return false;
    if (given->saved)
        outputs_keep(outputs, given->saved);
    return !given->stem || draw(work, err);
}

static bool find(FitWork *work, Error *err)
{
    FitArguments *given = work->given;
    Device       *device = NULL;
    Arena         arena SCOPED(arena_free) = {0};
    bool          ok = prepare(work, err) && sweep_argument_device(&work->study.plan, given->device, &device, err);
    given->request.device = device;
    given->request.notice = &work->compiling.notice;
    work->fits = ok ? arena_take(&arena, work->study.plan.group_count, sizeof *work->fits, err) : NULL;
    ok = work->fits && compiling_start(&work->compiling, &work->line, given->progress, err) && run_groups(work, err);
    compiling_stop(&work->compiling);
    ok = ok && write_answers(work, err);
    for (size_t g = 0; g < work->count; ++g)
        fit_free(&work->fits[g]);
    device_close(device);
    return ok;
}

// The names of the other files, before anything is run.
static bool check_files(const FitArguments *given, Error *err)
{
    const SweepArgument *sweep = &given->sweep;
    const char          *to = given->saved;
    if (to && strcmp(to, "-") == 0)
        return fail(err, ERROR_USAGE, "--sweep: name a file: the table goes to standard output");
    return (!to || (outputs_check(&given->outputs, to, err) &&
                    (!(plan_file(&sweep->plan, 1) || strstr(sweep->spec.text, ".mtx")) ||
                     sweep_argument_check_place(sweep, to, err)))) &&
           (!given->stem || figure_check_stem(&given->outputs, given->stem, err));
}

static bool answer(void *arguments, Error *err)
{
    FitArguments *given = arguments;
    Outputs      *outputs = &given->outputs;
    FitWork       work = {.given = given};
    bool          ok = sweep_argument_name(&given->sweep, err) &&
              options_add_word(&given->sweep.overrides, "trajectory=null", err) &&
              sweep_argument_read(&given->sweep, err);
    if (ok)
        sweep_argument_keep(&given->sweep, outputs);
    outputs_keep(outputs, given->data);
    given->request.path = given->sweep.path;
    given->request.absolute = given->sigma == 1;
    given->request.signals = stop_count();
    given->request.iterated = show_iteration;
    given->request.user = &work;
    ok = ok && outputs_check(outputs, given->output, err) && check_files(given, err) &&
         stop_catch(driver_remove, err) && find(&work, err);
    stop_release();
    fit_study_free(&work.study);
    measurements_free(&work.data);
    sweep_argument_free(&given->sweep);
    return ok;
}

bool fit_command(int argc, char **argv, Error *err)
{
    FitArguments given = {
        .device = options_device(), .output = "-", .request = {.starts = 100, .seed = 1, .iterations = 200}};
    return options_progress(&given.progress, err) && options_run(&fit_command_usage, argc, argv, &given, answer, err);
}
