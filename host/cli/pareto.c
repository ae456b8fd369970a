// pareto -- `pendula pareto FILE.h5`: which methods and parameters are dominated by none, by cost and by error.
#include "analysis/pareto_plot.h"
#include "base/file.h"
#include "base/yaml.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/pareto_print.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PICKS = 16 };
enum { KEY_COST = OPTION_LONG, KEY_ERROR, KEY_AT, KEY_OVER, KEY_METHOD, KEY_FORMAT, KEY_PLOT };

typedef struct ParetoArguments {
    ParetoRequest request;
    ParetoPick    picks[MOST_PICKS];
    const char   *costs[OBJECTIVES], *errors[OBJECTIVES];
    Words         labels;
    char         *names[MOST_PICKS];  // owned
    ParetoFormat  format;
    const char   *output, *plot;
} ParetoArguments;

static const struct argp_option pareto_options[] = {
    {"cost", KEY_COST, "METRIC", 0,
     "what a point costs: a metric, `steps`, or `evaluations` of the acceleration (default: updates, or evaluations "
     "where a method is explicit; may be repeated)",
     0},
    {"error", KEY_ERROR, "METRIC", 0,
     "how wrong it is: a metric, or abs:METRIC (default: error_final; may be repeated)", 0},
    {"at", KEY_AT, "NAME=VALUE", 0, "only points at this value of an axis, the nearest there is (may be repeated)", 0},
    {"over", KEY_OVER, "median|worst", 0,
     "judge each method and its parameters over all problems of the file, not each problem by itself", 0},
    {"method", KEY_METHOD, "LABEL", 0, "only this group (may be repeated)", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "text, csv or json (default: text)", 0},
    {"output", 'o', "FILE", 0, "where to (default: standard output)", 0},
    {"plot", KEY_PLOT, "FILE", 0, "draw FILE.png and FILE.svg too", 0},
    {0}};

static error_t add_objective(const char **names, size_t *count, const ParetoRequest *request, const char *name,
                             struct argp_state *state)
{
    if (request->cost_count + request->error_count == OBJECTIVES)
        return options_refuse(state, "at most %d costs and errors in all", OBJECTIVES);
    if (!*name)
        return options_refuse(state, "the name of a metric is empty");
    names[(*count)++] = name;
    return 0;
}

static error_t add_pick(const char *text, ParetoArguments *given, struct argp_state *state)
{
    const char    *sign = strchr(text, '=');
    const size_t   number = given->request.pick_count;
    const Options *options = state->input;
    if (number == MOST_PICKS)
        return options_refuse(state, "at most %d times --at", MOST_PICKS);
    if (!sign || sign == text || !yaml_parse_number(sign + 1, &given->picks[number].wanted))
        return options_refuse(state, "--at takes NAME=VALUE with a number, got '%.100s'", text);
    for (size_t i = 0; i < number; ++i)
        if (strlen(given->names[i]) == (size_t)(sign - text) &&
            strncmp(given->names[i], text, (size_t)(sign - text)) == 0)
            return options_refuse(state, "--at %.*s is given twice", (int)(sign - text), text);
    given->names[number] = strndup(text, (size_t)(sign - text));
    given->picks[number].name = given->names[number];
    ++given->request.pick_count;
    return given->names[number] || fail(options->err, ERROR_INTERNAL, "out of memory") ? 0 : ENOMEM;
}

static error_t find_over(const char *name, ParetoRequest *request, struct argp_state *state)
{
    const bool worst = strcmp(name, "worst") == 0;
    if (!worst && strcmp(name, "median") != 0)
        return options_refuse(state, "--over takes median or worst, got '%.100s'", name);
    request->over = worst ? PARETO_WORST : PARETO_MEDIAN;
    return 0;
}

static error_t find_format(const char *name, ParetoArguments *given, struct argp_state *state)
{
    static const char *const formats[] = {"text", "csv", "json"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (strcmp(formats[i], name) == 0) {
            given->format = (ParetoFormat)i;
            return 0;
        }
    return options_refuse(state, "--format takes text, csv or json, got '%.100s'", name);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options         *options = state->input;
    ParetoArguments *given = options->target;
    ParetoRequest   *request = &given->request;
    switch (key) {
    case KEY_COST: return add_objective(given->costs, &request->cost_count, request, value, state);
    case KEY_ERROR: return add_objective(given->errors, &request->error_count, request, value, state);
    case KEY_AT: return add_pick(value, given, state);
    case KEY_OVER: return find_over(value, request, state);
    case KEY_METHOD: return words_add(&given->labels, value, options->err) ? 0 : EINVAL;
    case KEY_FORMAT: return find_format(value, given, state);
    case 'o': given->output = value; return 0;
    case KEY_PLOT: given->plot = value; return 0;
    case ARGP_KEY_ARG:
        if (request->path)
            return options_refuse(state, "one result file at a time, got '%.200s' and '%.200s'", request->path, value);
        request->path = value;
        return 0;
    case ARGP_KEY_NO_ARGS: return options_refuse(state, "which result file?");
    case ARGP_KEY_END:
        // One kind alone has a default beside it, which takes a place.
        if (request->cost_count + request->error_count == OBJECTIVES && !(request->cost_count && request->error_count))
            return options_refuse(state, "at most %d costs and errors in all, one of them for the default", OBJECTIVES);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp pareto_argp = {
    pareto_options,
    parse_option,
    "FILE.h5",
    "Tells which methods and parameters of a result file are not dominated: no other is as good in all costs and "
    "errors "
    "and better in one. Smaller is better.\v"
    "Points are compared where they solve the same problem: there is a front for each combination of the problem's "
    "parameters, unless --at chooses or --over sums up. Points that are not ok, and those without a finite number, are "
    "on no front, and counted; to the worst and the median they are infinite. Evaluations are counted from the "
    "file's counters: residuals, those of difference Jacobians too, and what a method asks for beside them. The knee "
    "of two objectives is the point furthest below the line between the ends, on logarithmic scales.",
    NULL,
    NULL,
    NULL};

static bool draw(const Pareto *pareto, const char *name, Error *err)
{
    char *stem = options_stem(name);
    Text  said = {0};
    bool  ok = stem != NULL || fail(err, ERROR_INTERNAL, "out of memory");
    ok = ok && pareto_plot(pareto, stem, &said, err) && text_check(&said, err);
    if (ok)
        fprintf(stderr, "%s", said.text);
    text_free(&said);
    free(stem);
    return ok;
}

static bool compare(ParetoArguments *given, Error *err)
{
    ParetoRequest *request = &given->request;
    Pareto         pareto = {0};
    Text           text = {0};
    for (size_t i = 0; i < request->cost_count; ++i)
        request->objectives[i] = given->costs[i];
    for (size_t i = 0; i < request->error_count; ++i)
        request->objectives[request->cost_count + i] = given->errors[i];
    request->picks = given->picks;
    request->labels = given->labels.items;
    request->label_count = given->labels.count;
    request->sample_most = given->plot ? PARETO_PLOT_POINTS : 0;
    bool ok = pareto_open(request, &pareto, err);
    if (ok) {
        fprintf(stderr, "%s", pareto.notes.text ? pareto.notes.text : "");
        pareto_print(&text, given->format, &pareto);
        ok = file_write(given->output ? given->output : "-", &text, err) &&
             (!given->plot || draw(&pareto, given->plot, err));
    }
    text_free(&text);
    pareto_close(&pareto);
    return ok;
}

bool pareto_command(int argc, char **argv, Error *err)
{
    ParetoArguments given = {0};
    bool            help = false;
    bool            ok = options_parse(&pareto_argp, argc, argv, &given, &help, err);
    ok = ok && (help || compare(&given, err));
    for (size_t i = 0; i < MOST_PICKS; ++i)
        free(given.names[i]);
    words_free(&given.labels);
    return ok;
}
