// advise_study -- text of a sweep file, tried with each method by itself first.
#include "analysis/advise/advise.h"

#include "base/json.h"
#include "plan/entry.h"

#include <math.h>
#include <string.h>

// Runs from a sixteenth of the sweep's own steps to 64 times as many.
enum { COARSER = 16, FINER = 64, FEWEST_STEPS = 4 };
static const uint64_t most_steps = UINT64_C(1) << 24;

// Values of a method's parameter between its bounds, beside its default.
enum { VALUES = 5 };

// Keys of a sweep that its study takes over as they are; `steps`, `end`, `metrics` and `methods` are its own.
static const char *const kept[] = {"problem",  "tables",    "parameters", "observe", "newton",
                                   "substeps", "precision", "points",     "zip",     "begin"};

// What the solution that errors are counted from cannot have.
static const char *const jumps[] = {"breaks", "events"};

static bool find_steps(const AdviseStudyRequest *request, const Plan *plan, AdviseStudy *study, double *end, Error *err)
{
    uint64_t least = UINT64_MAX, most = 0;
    *end = group_end(&plan->groups[0], 0);
    for (size_t g = 0; g < plan->group_count; ++g)
        for (uint64_t p = 0; p < plan->groups[g].point_count; ++p) {
            const Group   *group = &plan->groups[g];
            const uint64_t steps = group_steps(group, p);
            const double   there = group_end(group, p);
            if (g == 0 && p == 0)
                *end = there;
            if (fabs(there - *end) > 1e-9 * fabs(*end))
                return fail(err, ERROR_INPUT,
                            "%s: its points end at different times (%.6g and %.6g): give `end`, which is then the same "
                            "for all",
                            request->path, *end, there);
            least = steps < least ? steps : least;
            most = steps > most ? steps : most;
        }
    const uint64_t coarse = least / COARSER > FEWEST_STEPS ? least / COARSER : FEWEST_STEPS,
                   fine = most < most_steps / FINER ? most * FINER : most_steps,
                   first = request->range[0] ? request->range[0] : coarse,
                   last = request->range[1] ? request->range[1] : fine;
    for (uint64_t steps = first; steps <= last && study->step_count < ADVISE_STEPS; steps *= 2)
        study->steps[study->step_count++] = steps;
    return true;
}

static void add_value(const CardParameter *parameter, double value, size_t *count, Text *text)
{
    const bool outside = value < parameter->least || (value == parameter->least && parameter->least_open) ||
                         value > parameter->most || (value == parameter->most && parameter->most_open);
    if (!outside) {
        text_add(text, (*count)++ > 0 ? ", " : "");
        json_number(text, value);
    }
}

// A method's one bounded parameter goes from bound to bound, its default among them. Those of an adaptive method are
// tolerances.
static void add_parameters(const Card *method, Text *text)
{
    size_t               bounded = 0, count = 0;
    const CardParameter *only = NULL;
    for (size_t i = 0; i < method->parameter_count; ++i)
        if (isfinite(method->parameters[i].least) && isfinite(method->parameters[i].most) &&
            !method->parameters[i].derived) {
            only = &method->parameters[i];
            ++bounded;
        }
    if (method->adaptive) {
        for (size_t i = 0; i < method->parameter_count; ++i)
            text_add(text, "%s%s: %s", i > 0 ? ", " : "", method->parameters[i].name,
                     i == 0 ? "{log: [1.0e-12, 1.0e-2, 11]}" : "1.0e-12");
        return;
    }
    if (bounded != 1 || only->choices || only->whole)
        return;
    text_add(text, "%s: [", only->name);
    bool initial = false;
    for (size_t i = 0; i < VALUES; ++i) {
        const double value = only->least + (only->most - only->least) * (double)i / (VALUES - 1);
        if (!initial && only->initial < value)
            add_value(only, only->initial, &count, text);
        initial = initial || only->initial <= value;
        add_value(only, value, &count, text);
    }
    text_add(text, "]");
}

static void add_method(const Card *method, Text *text)
{
    text_add(text, "  - %s: {", method->name);
    add_parameters(method, text);
    text_add(text, "}\n");
}

// All but the methods.
static void add_head(const AdviseStudyRequest *request, const Spec *spec, const Plan *plan, const AdviseStudy *study,
                     double end, Text *text)
{
    text_add(text, "title: ");
    Text title = {0};
    text_add(&title, "Methods for %s", plan->title && *plan->title ? plan->title : plan->problem->name);
    yaml_write_text(title.text ? title.text : "", text);
    text->failed = text->failed || title.failed;
    text_free(&title);
    text_add(text, "\n");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i) {
        const YamlNode *node = yaml_find(spec->root, kept[i]);
        if (!node)
            continue;
        text_add(text, "%s: ", kept[i]);
        yaml_write(node, text);
        text_add(text, "\n");
    }
    text_add(text, "steps: [");
    for (size_t i = 0; i < study->step_count; ++i)
        text_add(text, "%s%llu", i > 0 ? ", " : "", (unsigned long long)study->steps[i]);
    text_add(text, "]\nend: ");
    json_number(text, end);
    text_add(text, "\nmetrics: [status, %s, evaluations, updates]\nmethods:\n", request->error);
}

// The part of a message behind its place in the text that was tried.
static const char *reason(const char *message, const char *path)
{
    const size_t length = strlen(path);
    if (strncmp(message, path, length) == 0 && message[length] == ':') {
        message += length + 1;
        message += strspn(message, "0123456789: ");
    }
    return message;
}

static bool applies(const AdviseStudyRequest *request, const Text *head, const Card *method, const Catalog *catalog,
                    Error *why, bool *does, Error *err)
{
    Text text = {0};
    Spec spec = {0};
    Plan plan = {0};
    text_add_bytes(&text, head->text, head->length);
    add_method(method, &text);
    const bool ok = text_check(&text, err);
    *does =
        ok && spec_read_text(request->path, text.text, NULL, 0, &spec, why) && plan_make(&spec, catalog, &plan, why);
    plan_free(&plan);
    spec_free(&spec);
    text_free(&text);
    return ok;
}

static bool check_methods(const AdviseStudyRequest *request, const Catalog *catalog, Error *err)
{
    for (size_t i = 0; i < request->method_count; ++i) {
        const char *name = request->methods[i];
        if (strchr(name, ','))
            return fail(err, ERROR_USAGE, "--method takes one method, got '%.200s'; repeat it for more", name);
        if (!catalog_find(catalog, CARD_METHOD, name))
            return fail(err, ERROR_USAGE, "--method: unknown method '%.60s'", name) ||
                   catalog_advise(catalog, CARD_METHOD, name, err);
    }
    return true;
}

static bool add_methods(const AdviseStudyRequest *request, const Catalog *catalog, AdviseStudy *study, Text *methods,
                        Error *err)
{
    study->refused = arena_take(&study->arena, catalog->card_count, sizeof *study->refused, err);
    for (size_t i = 0; study->refused && i < catalog->card_count; ++i) {
        const Card *method = &catalog->cards[i];
        Error       why = {0};
        bool        does = false;
        if (method->kind != CARD_METHOD ||
            (request->method_count > 0 && !card_lists(request->methods, request->method_count, method->name)))
            continue;
        if (!applies(request, &study->text, method, catalog, &why, &does, err))
            return false;
        if (does) {
            add_method(method, methods);
            continue;
        }
        const char *line = arena_copy(&study->arena, reason(why.message, request->path), err);
        if (!line)
            return false;
        study->refused[study->refused_count++] = (AdviseRefusal){.method = method->name, .why = line};
    }
    return study->refused != NULL;
}

// The sweep's own method files, each with the parameters that the sweep gives it.
static bool add_own(const Plan *plan, Text *methods, AdviseStudy *study, Error *err)
{
    Entry *entries;
    size_t count;
    if (!entry_read_all(yaml_find(plan->spec->root, "methods"), &study->arena, &entries, &count, err))
        return false;
    for (size_t i = 0; i < count; ++i)
        if (strchr(entries[i].method, '/')) {
            text_add(methods, "  - ");
            yaml_write(entries[i].node, methods);
            text_add(methods, "\n");
        }
    return true;
}

static bool check_motion(const AdviseStudyRequest *request, const Plan *plan, Error *err)
{
    for (size_t g = 0; g < plan->group_count; ++g)
        if (plan->groups[g].design == DESIGN_RANDOM)
            return fail(err, ERROR_INPUT, "%s: advice needs a grid: write axes in place of the distributions",
                        request->path);
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; ++i) {
        const YamlNode *node = yaml_said(plan->spec->root, jumps[i]);
        if (node)
            return yaml_fail(node, err,
                             "%s: advice compares with a smooth solution, which there is none of: leave it out",
                             jumps[i]);
    }
    return true;
}

bool advise_study_make(const AdviseStudyRequest *request, const Spec *spec, const Plan *plan, const Catalog *catalog,
                       AdviseStudy *study, Error *err)
{
    Text   methods = {0};
    double end = 0.0;
    bool   ok = check_methods(request, catalog, err) && check_motion(request, plan, err) &&
              find_steps(request, plan, study, &end, err);
    if (ok) {
        add_head(request, spec, plan, study, end, &study->text);
        ok = text_check(&study->text, err) && add_methods(request, catalog, study, &methods, err) &&
             add_own(plan, &methods, study, err) && text_check(&methods, err);
    }
    if (ok && methods.length == 0)
        ok = fail(err, ERROR_INPUT, "%s: no method applies; %s: %s", request->path, study->refused[0].method,
                  study->refused[0].why);
    if (ok) {
        text_add_bytes(&study->text, methods.text, methods.length);
        ok = text_check(&study->text, err) &&
             spec_read_text(request->path, study->text.text, NULL, 0, &study->spec, err) &&
             plan_make(&study->spec, catalog, &study->plan, err);
    }
    study->names_files = ok && (plan_file(&study->plan, 1) || strstr(study->text.text, ".mtx"));
    text_free(&methods);
    return ok;
}

void advise_study_free(AdviseStudy *study)
{
    plan_free(&study->plan);
    spec_free(&study->spec);
    text_free(&study->text);
    arena_free(&study->arena);
    *study = (AdviseStudy){0};
}
