// show -- `pendula show NAME`: all that the card of a problem, method or metric says, a method's parameters in other
// conventions, or the kernel file that a sweep's equations become.
#include "base/file.h"
#include "base/suggest.h"
#include "cli/cards.h"
#include "equations/equations.h"
#include "terminal/commands.h"
#include "terminal/sweep_argument.h"

#include <math.h>
#include <string.h>

enum { LARGEST_CARD_FILE = 1 << 20 };

typedef struct ShowArguments {
    SweepArgument    sweep;    // its path is the name
    double           radius;   // NaN: not given
    Coordinates      setting;  // at most one
    bool             json;
    ShowConventions *conventions;
} ShowArguments;

static const Option show_options[] = {
    SWEEP_ARGUMENT_SET(ShowArguments, sweep),
    {"rho-inf", 0, "VALUE", OPTION_NUMBER(ShowArguments, radius, NUMBERS_ANY),
     "in place of the card: what gives a method this spectral radius at infinite frequency, in the conventions of "
     "papers and programs, and which other methods have the same"},
    {"parameter", 'p', "NAME=VALUE", OPTION_VALUES(ShowArguments, setting),
     "the same for the radius that this parameter makes, e.g. alpha=-0.1"},
    {"json", 0, NULL, OPTION_FLAG(ShowArguments, json), "with one of these: an object, for programs"}};

static bool is_sweep(const char *name)
{
    const char *dot = strrchr(name, '.');
    return strcmp(name, "-") == 0 || (dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0));
}

static bool check(void *arguments, Error *err)
{
    const ShowArguments *asked = arguments;
    const bool           radius = !isnan(asked->radius), setting = asked->setting.count > 0;
    if (asked->sweep.overrides.count > 0 && !is_sweep(asked->sweep.path))
        return fail(err, ERROR_USAGE, "-s goes with a sweep file (.yaml), '%.100s' is none", asked->sweep.path);
    if (radius && setting)
        return fail(err, ERROR_USAGE, "--rho-inf and -p both set the radius, give one");
    if (asked->setting.count > 1)
        return fail(err, ERROR_USAGE, "one -p at a time, got '%.100s' and '%.100s'", asked->setting.items[0].name,
                    asked->setting.items[1].name);
    return !asked->json || radius || setting ||
           fail(err, ERROR_USAGE, "--json goes with --rho-inf or -p; `pendula list methods --json` has the cards");
}

const Usage show_command_usage = {
    USAGE_OPTIONS(show_options),
    .arguments = ARGUMENTS_ONE(ShowArguments, sweep.path, "NAME", "name"),
    .remedy = "See `pendula list problems`, methods or metrics",
    .check = check,
    .about = "Shows the card of a problem, a method or a metric.",
    .notes = "NAME may also be a result of a metric file, the path of a kernel file of your own, e.g. ./mine.cl, or a "
             "sweep file (.yaml), or - for one on standard input, whose problem is shown with its kernel file."};

static void add_line(Text *text, const char *key, const char *value)
{
    if (value && *value)
        text_add(text, "%-13s %s\n", key, value);
}

static void add_list(Text *text, const char *key, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        text_add(text, "%-*s%s%s", i ? 0 : 13, i ? "" : key, i ? ", " : " ", words[i]);
    text_add(text, "%s", count ? "\n" : "");
}

static void add_results(Text *text, const Card *card, const char *only)
{
    text_add(text, "\nresults\n");
    for (size_t i = 0; i < card->result_count; ++i) {
        const CardResult *result = &card->results[i];
        if (only && strcmp(only, result->name) != 0)
            continue;
        text_add(text, "  %-26s %-6s %-6s %s", result->name, result->whole ? "whole" : "real", result->unit,
                 result->about);
        for (size_t k = 0; k < result->need_count; ++k)
            text_add(text, "%s%s", k ? ", " : "; needs ", result->needs[k]);
        text_add(text, "\n");
    }
}

static void add_options(Text *text, const Card *card, const char *result)
{
    if (card->option_count == 0)
        return;
    text_add(text, "\noptions, e.g. {%s: {%s}}\n", result ? result : card->name,
             card_takes(card, "of") ? "of: x0" : "from: 10");
    if (card_takes(card, "of"))
        text_add(
            text,
            "  of         what is observed: slow, fast, energy, kinetic, x0, v0, ...; slow, or else x0, by default\n");
    if (card_takes(card, "window"))
        text_add(text, "  from, to   the window in time, both ends included; all by default\n");
    text_add(text, "  label      another name for the result; of several, what stands before their names\n");
    if (card->listed)
        text_add(text, "\ncomputed only where a sweep lists it, or its file's name\n");
}

// "r [m], theta [rad]", of a problem whose parameter says how many "u0 and so on [m]".
static void add_coordinates(Text *text, const Card *card)
{
    text_add(text, "%-13s ", "coordinates");
    for (size_t i = 0; i < card->coordinate_count; ++i) {
        const CardCoordinate *coordinate = &card->coordinates[i];
        text_add(text, "%s%s%s [%s]", i == 0 ? "" : ", ", coordinate->name, card->dofs_parameter ? "0 and so on" : "",
                 coordinate->unit);
    }
    text_add(text, "\n");
}

// Adds a whole card; of a metric file only the result named, if one is.
static void add_card(Text *text, const Card *card, const char *result)
{
    static const char *const unknowns[] = {"nothing (explicit)", "velocity", "acceleration"};
    static const char *const solvers[] = {"Newton's method", "one linearised solve",
                                          "Newton's method with a line search", "linear stages with one matrix"};
    text_add(text, "%-13s %s\n", cards_kind(card->kind), card->name);
    add_line(text, "title", card->title);
    add_line(text, "equation", card->equation);
    add_line(text, "source", card->origin);
    add_line(text, "conventions", card->conventions);
    if (card->kind == CARD_PROBLEM)
        text_add(text, "%-13s %s%zu%s%s\n", "dofs", card->dofs_parameter ? "1 to " : "", card->dofs,
                 card->dofs_parameter ? ", parameter " : "", card->dofs_parameter ? card->dofs_parameter : "");
    if (card->coordinate_count > 0)
        add_coordinates(text, card);
    if (card->kind == CARD_PROBLEM && card->first_order)
        text_add(text, "%-13s %s\n", "order", "first: u' = rate(t, u)");
    if (card->kind == CARD_METHOD) {
        text_add(text, "%-13s %d\n", "order", card->order);
        if (card->order_damped != card->order)
            text_add(text, "%-13s %d where forces depend on velocity\n", "", card->order_damped);
        if (card->order_driven != card->order)
            text_add(text, "%-13s %d where forces depend on time\n", "", card->order_driven);
        add_line(text, "solves for", unknowns[card->unknown]);
        if (card->adaptive)
            add_line(text, "substeps", "by an error estimate");
        if (card->unknown != UNKNOWN_NONE)
            text_add(text, "%-13s %s, %d solve%s per step\n", "solver", solvers[card->solver], card->stages,
                     card->stages == 1 ? "" : "s");
        if (card->extrapolates)
            add_line(text, "guess", "the last value, or extrapolated");
        add_line(text, "steps back", card->history ? "2 (starts with theta1)" : "1");
        if (card->first_order)
            add_line(text, "suits", "systems of first order too");
        add_line(text, "rho_infinity", card->rho_infinity);
        add_line(text, "critical", card->critical);
        add_line(text, "conserves", card->conserves);
    }
    add_list(text, "provides", card->provides, card->provide_count);
    add_list(text, "stiffness", card->stiffness, card->stiffness_count);
    add_list(text, "needs", card->needs, card->need_count);
    add_line(text, "file", card->path);
    if (card->parameter_count) {
        text_add(text, "\nparameters\n");
        cards_parameters(text, FORMAT_TEXT, card);
    }
    if (equations_given(card)) {
        text_add(text, "\n");
        cards_equations(text, card);
    }
    if (card->kind == CARD_METRIC) {
        add_results(text, card, result);
        add_options(text, card, result);
    }
}

static bool add_own_metric(Text *text, const char *name)
{
    for (size_t i = 0; i < OWN_METRICS; ++i) {
        if (strcmp(catalog_own_metrics[i].name, name) != 0)
            continue;
        text_add(text, "%-13s %s\n%-13s %s\n%-13s %s\n", "metric", name, "title", catalog_own_metrics[i].about, "unit",
                 catalog_own_metrics[i].unit);
        for (int status = 0; i == 0 && status < STATUS_COUNT; ++status)
            text_add(text, "  %d  %s\n", status, plan_status_names[status]);
        return true;
    }
    return false;
}

static bool unknown_name(const Catalog *catalog, const char *name, Error *err)
{
    const char *near = NULL;
    for (int kind = CARD_PROBLEM; !near && kind <= CARD_METRIC; ++kind)
        near = catalog_suggest(catalog, (CardKind)kind, name);
    return fail(err, ERROR_USAGE, "no problem, method or metric '%.100s'", name) ||
           suggest_add(err, near, "; see `pendula list problems`, methods or metrics");
}

static bool show_name(const char *name, Text *text, Error *err)
{
    Catalog catalog SCOPED(catalog_free) = {0};
    size_t  result = 0;
    bool    ok = catalog_read(&catalog, err), found = ok && add_own_metric(text, name);
    for (int kind = CARD_PROBLEM; ok && kind <= CARD_METRIC; ++kind) {
        const Card *card = catalog_find(&catalog, (CardKind)kind, name);
        if (!card)
            continue;
        text_add(text, "%s", found ? "\n" : "");
        add_card(text, card, NULL);
        found = true;
    }
    const Card *card = ok && !found ? catalog_find_result(&catalog, name, &result) : NULL;
    if (card)
        add_card(text, card, name);
    return ok && (found || card || unknown_name(&catalog, name, err));
}

static bool show_file(const char *path, Text *text, Error *err)
{
    Arena arena SCOPED(arena_free) = {0};
    Card  card = {0};
    char *content = NULL;
    bool  ok =
        file_read(path, LARGEST_CARD_FILE, &arena, &content, NULL, err) && card_read(path, content, &arena, &card, err);
    if (ok)
        add_card(text, &card, NULL);
    return ok;
}

// The problem file of a sweep, which may be composed from its equations.
static bool show_sweep(SweepArgument *sweep, Text *text, Error *err)
{
    const bool ok = sweep_argument_read(sweep, err);
    if (ok)
        text_add(text, "%s", sweep->plan.problem->text);
    return ok;
}

static bool show(void *arguments, Error *err)
{
    ShowArguments *asked = arguments;
    const char    *name = asked->sweep.path;
    Text           text SCOPED(text_free) = {0};
    bool           ok;
    if (asked->setting.count > 0 || !isnan(asked->radius))
        ok = asked->conventions(&text, name, asked->radius, asked->setting.count ? asked->setting.items : NULL,
                                asked->json, err);
    else
        ok = is_sweep(name)      ? show_sweep(&asked->sweep, &text, err)
             : strchr(name, '/') ? show_file(name, &text, err)
                                 : show_name(name, &text, err);
    ok = ok && options_print(&text, err);
    sweep_argument_free(&asked->sweep);
    return ok;
}

bool show_command(int argc, char **argv, ShowConventions *conventions, Error *err)
{
    ShowArguments given = {.radius = (double)NAN, .conventions = conventions};
    return options_run(&show_command_usage, argc, argv, &given, show, err);
}
