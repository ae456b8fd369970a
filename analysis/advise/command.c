// command -- `pendula advise SWEEP.yaml`: which method, and which step, for the problem of a sweep.
#include "analysis/advise/advise.h"
#include "analysis/plot/figure.h"
#include "base/stop.h"
#include "device/driver.h"
#include "terminal/commands.h"
#include "terminal/compiling.h"
#include "terminal/sweep_argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct AdviseArguments {
    SweepArgument sweep;
    AdviseRequest request;
    Numbers       targets;
    Words         methods;
    double        steps[2];
    unsigned      over;  // place of a rule
    const char   *device, *output, *stem, *saved;
    Format        format;
    Outputs       outputs;
    ProgressLine  line;
    ProgressMode  progress;
    Compiling     compiling;
} AdviseArguments;

static const char *const errors[] = {"error_max", "error_final"};
static const char *const rules[] = {"worst", "median"};

static const Option advise_options[] = {
    SWEEP_ARGUMENT_SET(AdviseArguments, sweep),
    {"device", 'd', "DEVICE", OPTION_TEXT(AdviseArguments, device), "as in `run`"},
    {"for", 0, "ERROR,...", OPTION_NUMBERS(AdviseArguments, targets, ADVISE_TARGETS, NUMBERS_POSITIVE),
     "errors that are wanted, at most 8 (default: 1e-3,1e-6,1e-9)"},
    {"error", 0, "METRIC", OPTION_NAME(AdviseArguments, request.study.error, errors),
     "error_max or error_final (default: error_max)"},
    {"over", 0, "RULE", OPTION_WORD(AdviseArguments, over, rules),
     "of the errors of several points: worst or median (default: worst)"},
    {"method", 0, "METHOD", OPTION_TEXTS(AdviseArguments, methods),
     "try this method (may be repeated; default: all that apply)"},
    {"steps", 0, "A,B", OPTION_RANGE(AdviseArguments, steps, NUMBERS_POSITIVE),
     "numbers of steps, from A on each twice the one before, up to B (default: from a sixteenth of the sweep's to 64 "
     "times as many)"},
    TABLE_ROW_FORMAT(AdviseArguments, format),
    {"output", 'o', "FILE", OPTION_TEXT(AdviseArguments, output),
     "write the advice there (default: -, standard output)"},
    FIGURE_ROW_STEM(AdviseArguments, stem, "STEM", "draw error over evaluations: STEM.png and STEM.svg"),
    {"sweep", 0, "FILE.yaml", OPTION_TEXT(AdviseArguments, saved), "write the sweep that repeats the study"},
    OPTION_ROW_FORCE(AdviseArguments, outputs.force)};

static bool check(void *arguments, Error *err)
{
    AdviseArguments *given = arguments;
    for (size_t i = 0; i < 2; ++i) {
        if (given->steps[i] != floor(given->steps[i]) || given->steps[i] > 1e9)
            return fail(err, ERROR_USAGE, "--steps takes two whole numbers up to 1e9, got %.10g", given->steps[i]);
        given->request.study.range[i] = (uint64_t)given->steps[i];
    }
    given->request.median = given->over == 1;
    return true;
}

const Usage advise_command_usage = {
    USAGE_OPTIONS(advise_options), .arguments = SWEEP_ARGUMENT(AdviseArguments, sweep), .check = check,
    .about = "Finds which method, and which step, takes least work for an error.",
    .notes = "A study is run in place of the sweep's methods and steps: every method that applies to its problem, with "
             "values of its parameter, over numbers of steps that double. Errors are distances from a solution to "
             "about 1e-12, costs are evaluations of the acceleration; the seconds of a point are measured on the "
             "device for the choices that are printed. The sweep's parameters, settings and end are kept.\n\n"
             "In csv and json there is a row for each choice on the front, and for each method's best choice for each "
             "wanted error."};

static void show_progress(const AdviseProgress *now, void *user)
{
    AdviseArguments *given = user;
    if (!given->line.stream)
        progress_line_begin(&given->line, given->progress, stderr, now->point_count, now->step_count);
    progress_line_update(&given->line, now->points, now->steps, 0);
}

static int descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void set_targets(AdviseArguments *given)
{
    static const double usual[] = {1e-3, 1e-6, 1e-9};
    AdviseRequest      *request = &given->request;
    request->target_count = given->targets.count ? given->targets.count : sizeof usual / sizeof *usual;
    for (size_t i = 0; i < request->target_count; ++i)
        request->targets[i] = given->targets.count ? given->targets.items[i] : usual[i];
    qsort(request->targets, request->target_count, sizeof *request->targets, descending);
}

// A study that names files finds them from the sweep's folder alone.
static bool check_saved(const AdviseArguments *given, const AdviseStudy *study, Error *err)
{
    return !given->saved || !study->names_files || sweep_argument_check_place(&given->sweep, given->saved, err);
}

static bool write_answers(AdviseArguments *given, const AdviseStudy *study, const Advice *advice, Error *err)
{
    Outputs *outputs = &given->outputs;
    Text     text = {0}, said = {0};
    bool     ok = advise_print(advice, given->format, &text, err) && outputs_write(outputs, given->output, &text, err);
    outputs_keep(outputs, given->output);
    ok = ok && (!given->saved || outputs_write(outputs, given->saved, &study->text, err));
    if (given->saved)
        outputs_keep(outputs, given->saved);
    ok = ok && (!given->stem || advise_plot(advice, given->stem, outputs, &said, err));
    if (ok && said.length > 0)
        options_log(&said);
    text_free(&text);
    text_free(&said);
    return ok;
}

static bool advise(AdviseArguments *given, const AdviseStudy *study, Error *err)
{
    Advice  advice = {0};
    Device *device = NULL;
    bool    ok = sweep_argument_device(&study->plan, given->device, &device, err);
    given->request.device = device;
    given->request.notice = &given->compiling.notice;
    ok = ok && compiling_start(&given->compiling, &given->line, given->progress, err) &&
         advise_run(&given->request, study, &advice, err) && advise_choose(&advice, err) && advise_time(&advice, err);
    compiling_stop(&given->compiling);
    progress_line_end(&given->line, options_event(ok, err));
    ok = ok && write_answers(given, study, &advice, err);
    advise_free(&advice);
    device_close(device);
    return ok;
}

// Names of files are looked at before anything is run.
static bool answer(void *arguments, Error *err)
{
    AdviseArguments *given = arguments;
    Outputs         *outputs = &given->outputs;
    SweepArgument   *sweep = &given->sweep;
    AdviseStudy      study = {0};
    set_targets(given);
    bool ok = options_add_word(&sweep->overrides, "trajectory=null", err) && sweep_argument_read(sweep, err);
    if (ok)
        sweep_argument_keep(sweep, outputs);
    given->request.study.path = sweep->path;
    given->request.study.methods = given->methods.items;
    given->request.study.method_count = given->methods.count;
    given->request.signals = stop_count();
    given->request.progress = show_progress;
    given->request.user = given;
    ok = ok && advise_study_make(&given->request.study, &sweep->spec, &sweep->plan, &sweep->catalog, &study, err) &&
         check_saved(given, &study, err) && outputs_check(outputs, given->output, err) &&
         (!given->saved || outputs_check(outputs, given->saved, err)) &&
         (!given->stem || figure_check_stem(outputs, given->stem, err)) && stop_catch(driver_remove, err);
    ok = ok && advise(given, &study, err);
    stop_release();
    advise_study_free(&study);
    sweep_argument_free(sweep);
    return ok;
}

bool advise_command(int argc, char **argv, Error *err)
{
    AdviseArguments given = {.device = options_device(), .output = "-", .request = {.study = {.error = "error_max"}}};
    return options_progress(&given.progress, err) &&
           options_run(&advise_command_usage, argc, argv, &given, answer, err);
}
