// sweep_argument -- sweep file named on the command line, read into a plan.
#include "terminal/sweep_argument.h"

#include "plan/axis.h"
#include "reference/reference.h"

#include <string.h>

// The override that a text of --distribution stands for.
static bool name_one(SweepArgument *sweep, size_t at, Error *err)
{
    const char  *text = sweep->named.items[at], *equals = strchr(text, '=');
    Distribution distribution;
    if (!equals || equals == text)
        return fail(err, ERROR_USAGE, "--distribution takes NAME={uniform: [0, 1]}; got '%.60s'", text);
    const size_t length = (size_t)(equals - text);
    for (size_t i = 0; i < at; ++i)
        if (strncmp(sweep->named.items[i], text, length + 1) == 0)
            return fail(err, ERROR_USAGE, "--distribution names that of '%.*s' twice", (int)length, text);
    const char *name = arena_format(&sweep->arena, err, "%.*s", (int)length, text);
    const char *what = name ? arena_format(&sweep->arena, err, "parameter '%.60s'", name) : NULL;
    const char *override = what ? arena_format(&sweep->arena, err, SPEC_DISTRIBUTION "%s", text) : NULL;
    return override &&
           axis_read_distribution("--distribution", name, what, equals + 1, &sweep->arena, &distribution, err) &&
           options_add_word(&sweep->overrides, override, err);
}

static bool is_distribution(const YamlNode *node)
{
    bool is = false;
    for (size_t k = 0; node && node->kind == YAML_MAPPING && k < DISTRIBUTION_COUNT && !is; ++k)
        is = yaml_find(node, distribution_names[k]) != NULL;
    return is;
}

// Whether one of the values is a distribution: of a mapping whose keys are names, and may be such as those of
// distributions.
static bool has_distribution(const YamlNode *node)
{
    bool has = false;
    for (size_t i = 0; node && node->kind == YAML_MAPPING && i < node->count && !has; ++i)
        has = is_distribution(node->items[i]);
    return has;
}

// Of the entries of `methods`, each a mapping of a label to parameters.
static bool has_entry(const YamlNode *node)
{
    bool has = false;
    for (size_t i = 0; node && node->kind == YAML_SEQUENCE && i < node->count && !has; ++i)
        for (size_t k = 0; node->items[i]->kind == YAML_MAPPING && k < node->items[i]->count && !has; ++k)
            has = has_distribution(node->items[i]->items[k]);
    return has;
}

bool sweep_argument_name(SweepArgument *sweep, Error *err)
{
    static const char *const values[] = {"step", "steps", "begin", "end"};
    for (size_t i = 0; i < sweep->named.count; ++i)
        if (!name_one(sweep, i, err))
            return false;
    if (!spec_read(sweep->path, sweep->overrides.items, sweep->overrides.count, &sweep->spec, err))
        return false;
    const YamlNode *root = sweep->spec.root, *problem = yaml_said(root, "problem");
    const YamlNode *own = problem && problem->kind == YAML_MAPPING ? yaml_said(problem, "parameters") : NULL;
    bool            has = has_distribution(own) || has_distribution(yaml_said(root, "parameters")) ||
               has_entry(yaml_said(root, "methods"));
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i)
        has = has || is_distribution(yaml_said(root, values[i]));
    return !has || yaml_said(root, "design") ||
           options_add_word(&sweep->overrides, "design={random: {samples: 1}, inside: grid}", err);
}

// A text that has been read, as that of standard input, is not read again.
static bool read_spec(SweepArgument *sweep, Error *err)
{
    const Words *words = &sweep->overrides;
    Spec         read = sweep->spec;
    if (!read.text)
        return spec_read(sweep->path, words->items, words->count, &sweep->spec, err);
    sweep->spec = (Spec){0};
    const bool ok = spec_read_text(sweep->path, read.text, words->items, words->count, &sweep->spec, err);
    spec_free(&read);
    return ok;
}

bool sweep_argument_read(SweepArgument *sweep, Error *err)
{
    return catalog_read(&sweep->catalog, err) && read_spec(sweep, err) &&
           plan_make(&sweep->spec, &sweep->catalog, &sweep->plan, err);
}

void sweep_argument_keep(const SweepArgument *sweep, Outputs *outputs)
{
    for (size_t i = 0; plan_file(&sweep->plan, i); ++i)
        outputs_keep(outputs, plan_file(&sweep->plan, i));
}

bool sweep_argument_device(const Plan *plan, const char *named, Device **device, Error *err)
{
    *device = NULL;
    if (!named || strcmp(named, "reference") != 0)
        return device_open(named, plan->precision, device, err);
    for (size_t g = 0; g < plan->group_count; ++g)
        if (!reference_check(&plan->groups[g], err))
            return false;
    return true;
}

bool sweep_argument_check_place(const SweepArgument *sweep, const char *to, Error *err)
{
    const char  *slash = strrchr(sweep->path, '/'), *other = strrchr(to, '/');
    const size_t length = slash ? (size_t)(slash - sweep->path) : 0, there = other ? (size_t)(other - to) : 0;
    return (length == there && strncmp(sweep->path, to, length) == 0) ||
           fail(err, ERROR_USAGE,
                "--sweep: the sweep names files, by their place from the folder of '%s': write it there", sweep->path);
}

void sweep_argument_free(SweepArgument *sweep)
{
    plan_free(&sweep->plan);
    spec_free(&sweep->spec);
    catalog_free(&sweep->catalog);
    arena_free(&sweep->arena);
}
