// command -- `pendula pareto FILE.h5`: which methods and parameters are dominated by none, by cost and by error.
#include "analysis/pareto/pareto.h"
#include "analysis/plot/figure.h"
#include "base/yaml.h"
#include "terminal/commands.h"

#include <string.h>

enum { KEY_COST = OPTION_LONG, KEY_ERROR, KEY_AT, KEY_OVER, KEY_METHOD, KEY_FORMAT, KEY_PLOT, KEY_FORCE };

typedef struct ParetoArguments {
    ParetoRequest request;  // the labels are filled in last
    Words         labels;
    Format        format;
    const char   *output, *stem;
    Outputs       outputs;
} ParetoArguments;

static const struct argp_option pareto_options[] = {
    {"cost", KEY_COST, "METRIC", 0,
     "what a point costs: a metric, or `steps` (default: updates, or evaluations where a method is explicit; may be "
     "repeated)",
     0},
    {"error", KEY_ERROR, "METRIC", 0,
     "how wrong it is: a metric, or abs:METRIC (default: error_final; may be repeated)", 0},
    {"at", KEY_AT, "NAME=VALUE", 0, "only points at this value of an axis, the nearest there is (may be repeated)", 0},
    {"over", KEY_OVER, "median|worst", 0,
     "judge each method and its parameters over all problems of the file, not each problem by itself", 0},
    {"method", KEY_METHOD, "LABEL", 0, "only this group (may be repeated)", 0},
    FORMAT_OPTION(KEY_FORMAT),
    {"output", 'o', "FILE", 0, "where to (default: standard output)", 0},
    {"plot", KEY_PLOT, "FILE", 0, "draw FILE.png and FILE.svg too", 0},
    FORCE_OPTION(KEY_FORCE),
    {0}};

static error_t add_objective(const char **names, size_t *count, const char *name, const ParetoRequest *request,
                             struct argp_state *state)
{
    if (request->cost_count + request->error_count == FRONT_OBJECTIVES)
        return options_refuse(state, "at most %d costs and errors in all", FRONT_OBJECTIVES);
    if (!*name)
        return options_refuse(state, "the name of a metric is empty");
    names[(*count)++] = name;
    return 0;
}

static error_t add_pick(const char *text, ParetoRequest *request, struct argp_state *state)
{
    if (request->pick_count == PARETO_PICKS)
        return options_refuse(state, "at most %d times --at", PARETO_PICKS);
    ParetoPick  *pick = &request->picks[request->pick_count++];
    const size_t length = strcspn(text, "=");
    if (length == 0 || !text[length] || length >= sizeof pick->name ||
        !yaml_parse_number(text + length + 1, &pick->wanted))
        return options_refuse(state, "--at takes NAME=VALUE with a number, got '%.100s'", text);
    memcpy(pick->name, text, length);
    for (const ParetoPick *before = request->picks; before < pick; ++before)
        if (strcmp(before->name, pick->name) == 0)
            return options_refuse(state, "--at %s is given twice", pick->name);
    return 0;
}

static error_t find_over(const char *name, ParetoRequest *request, struct argp_state *state)
{
    const bool worst = strcmp(name, "worst") == 0;
    if (!worst && strcmp(name, "median") != 0)
        return options_refuse(state, "--over takes median or worst, got '%.100s'", name);
    request->over = worst ? PARETO_WORST : PARETO_MEDIAN;
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options         *options = state->input;
    ParetoArguments *given = options->target;
    ParetoRequest   *request = &given->request;
    switch (key) {
    case KEY_COST: return add_objective(request->costs, &request->cost_count, value, request, state);
    case KEY_ERROR: return add_objective(request->errors, &request->error_count, value, request, state);
    case KEY_AT: return add_pick(value, request, state);
    case KEY_OVER: return find_over(value, request, state);
    case KEY_METHOD: return options_add_word(&given->labels, value, options->err) ? 0 : EINVAL;
    case KEY_FORMAT: return table_parse_format(value, &given->format, state);
    case 'o': given->output = value; return 0;
    case KEY_PLOT: given->stem = figure_stem(value); return 0;
    case KEY_FORCE: given->outputs.force = true; return 0;
    case ARGP_KEY_END:
        // One kind alone has a default beside it, which takes a place.
        if (request->cost_count == FRONT_OBJECTIVES || request->error_count == FRONT_OBJECTIVES)
            return options_refuse(state, "at most %d costs and errors in all, one of them for the default",
                                  FRONT_OBJECTIVES);
        return 0;
    default: return options_take_one(&request->path, "result file", key, value, state);
    }
}

static const struct argp pareto_argp = {
    .options = pareto_options,
    .parser = parse_option,
    .args_doc = "FILE.h5",
    .doc = "Tells which methods and parameters of a result file are not dominated: no other is as good in all costs "
           "and errors and better in one. Smaller is better.\v"
           "Points are compared where they solve the same problem: there is a front for each combination of the "
           "problem's parameters, unless --at chooses or --over sums up. Points that are not ok, and those without a "
           "finite number, are on no front, and counted; to the worst and the median they are infinite. The knee of "
           "two objectives is the point furthest below the line between the ends, on logarithmic scales."};

static bool draw(const Pareto *pareto, const char *stem, const Outputs *outputs, Error *err)
{
    Text       said = {0};
    const bool ok = pareto_plot(pareto, stem, outputs, &said, err) && text_check(&said, err);
    if (ok)
        options_log(&said);
    text_free(&said);
    return ok;
}

// Names of files are looked at before anything is read.
static bool compare(ParetoArguments *given, Error *err)
{
    const char *stem = given->stem;
    Pareto      pareto = {0};
    Text        text = {0};
    Outputs    *outputs = &given->outputs;
    outputs_keep(outputs, given->request.path);
    given->request.labels = given->labels.items;
    given->request.label_count = given->labels.count;
    given->request.sample_most = stem ? PARETO_PLOT_POINTS : 0;
    bool ok = outputs_check(outputs, given->output, err) && (!stem || figure_check_stem(outputs, stem, err)) &&
              pareto_open(&given->request, &pareto, err);
    if (ok) {
        options_log(&pareto.file.notes);
        options_log(&pareto.notes);
        pareto_print(&text, given->format, &pareto);
        ok = options_write(outputs, given->output, &text, err);
        outputs_keep(outputs, given->output);
        ok = ok && (!stem || draw(&pareto, stem, outputs, err));
    }
    text_free(&text);
    pareto_close(&pareto);
    return ok;
}

bool pareto_command(int argc, char **argv, Error *err)
{
    ParetoArguments given = {.output = "-"};
    bool            help = false;
    bool            ok = options_parse(&pareto_argp, argc, argv, &given, &help, err);
    if (ok && !help)
        ok = compare(&given, err);
    options_free_words(&given.labels);
    return ok;
}
