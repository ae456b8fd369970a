// command -- `pendula pareto FILE.h5`: which methods and parameters are dominated by none, by cost and by error.
#include "analysis/pareto/pareto.h"
#include "analysis/plot/figure.h"
#include "terminal/commands.h"

typedef struct ParetoArguments {
    ParetoRequest request;
    Format        format;
    const char   *output, *stem;
    Outputs       outputs;
} ParetoArguments;

static const char *const sums[] = {[PARETO_EACH] = "", [PARETO_MEDIAN] = "median", [PARETO_WORST] = "worst"};

static const Option pareto_options[] = {
    {"cost", 0, "METRIC", OPTION_TEXTS(ParetoArguments, request.costs),
     "what a point costs: a metric, or `steps` (default: updates, or evaluations where a method is explicit; may be "
     "repeated)"},
    {"error", 0, "METRIC", OPTION_TEXTS(ParetoArguments, request.errors),
     "how wrong it is: a metric, or abs:METRIC (default: error_final; may be repeated)"},
    {"at", 0, "AXIS=VALUE", OPTION_VALUES(ParetoArguments, request.at),
     "only points at this value of an axis, the nearest there is (may be repeated)"},
    {"over", 0, "median|worst", OPTION_WORD(ParetoArguments, request.over, sums),
     "judge each method and its parameters over all problems of the file, not each problem by itself"},
    {"method", 0, "LABEL", OPTION_TEXTS(ParetoArguments, request.labels), "only this group (may be repeated)"},
    {"group", 0, "LABEL", OPTION_TEXTS(ParetoArguments, request.labels), "the same"},
    TABLE_ROW_FORMAT(ParetoArguments, format),
    {"output", 'o', "FILE", OPTION_TEXT(ParetoArguments, output), "where to (default: standard output)"},
    FIGURE_ROW_PLOT(ParetoArguments, stem),
    OPTION_ROW_FORCE(ParetoArguments, outputs.force)};

// One kind alone has a default beside it, which takes a place.
static bool check(void *arguments, Error *err)
{
    const ParetoRequest *given = &((const ParetoArguments *)arguments)->request;
    const size_t         costs = given->costs.count, errors = given->errors.count;
    for (size_t i = 0; i < costs + errors; ++i)
        if (!*(i < costs ? given->costs.items[i] : given->errors.items[i - costs]))
            return fail(err, ERROR_USAGE, "the name of a metric is empty");
    return (costs ? costs : 1) + (errors ? errors : 1) <= FRONT_OBJECTIVES ||
           fail(err, ERROR_USAGE, "at most %d costs and errors in all%s", FRONT_OBJECTIVES,
                costs && errors ? "" : ", one of them for the default");
}

const Usage pareto_command_usage = {
    USAGE_OPTIONS(pareto_options), .arguments = ARGUMENTS_ONE(ParetoArguments, request.path, "FILE.h5", "result file"),
    .check = check,
    .about = "Tells which methods and parameters of a result file are not dominated: no other is as good in all costs "
             "and errors and better in one. Smaller is better.",
    .notes = "Points are compared where they solve the same problem: there is a front for each combination of the "
             "problem's parameters, unless --at chooses or --over sums up. Points that are not ok, and those without a "
             "finite number, are on no front, and counted; to the worst and the median they are infinite. The knee of "
             "two objectives is the point furthest below the line between the ends, on logarithmic scales."};

// Names of files are looked at before anything is read.
static bool compare(void *arguments, Error *err)
{
    ParetoArguments *given = arguments;
    const char      *stem = given->stem;
    Pareto           pareto = {0};
    Text             text = {0}, said = {0};
    Outputs         *outputs = &given->outputs;
    outputs_keep(outputs, given->request.path);
    given->request.sample_most = stem ? PARETO_PLOT_POINTS : 0;
    bool ok = outputs_check(outputs, given->output, err) && (!stem || figure_check_stem(outputs, stem, err)) &&
              pareto_open(&given->request, &pareto, err);
    if (ok) {
        options_log(&pareto.file.notes);
        options_log(&pareto.notes);
        pareto_print(&text, given->format, &pareto);
        ok = options_write(outputs, given->output, &text, err);
        outputs_keep(outputs, given->output);
        ok = ok && (!stem || (pareto_plot(&pareto, stem, outputs, &said, err) && text_check(&said, err)));
        if (ok)
            options_log(&said);
    }
    text_free(&text);
    text_free(&said);
    pareto_close(&pareto);
    return ok;
}

bool pareto_command(int argc, char **argv, Error *err)
{
    ParetoArguments given = {.output = "-"};
    return options_run(&pareto_command_usage, argc, argv, &given, compare, err);
}
