// spec -- reads a sweep file and puts the -s overrides into its tree.
#include "plan/spec.h"
#include "base/file.h"
#include "plan/entry.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const sweep_keys[] = {"title",   "problem", "parameters", "methods",    "step",       "end",
                                         "steps",   "newton",  "substeps",   "precision",  "metrics",    "trajectory",
                                         "design",  "points",  "zip",        "correlated", "tables",     "observe",
                                         "compare", "breaks",  "begin",      "events",     "derivatives"};

// Keys that are easily written a level too high, and where they stand.
static const struct {
    const char *key, *under;
} inner_keys[] = {
    {"groups", "design"},        {"inside", "design"},       {"random", "design"},        {"lhs", "design"},
    {"sobol", "design"},         {"saltelli", "design"},     {"morris", "design"},        {"local", "design"},
    {"one_at_a_time", "design"}, {"spearman", "correlated"}, {"dataset", "points"},       {"columns", "points"},
    {"between", "tables"},       {"outside", "tables"},      {"tolerance", "newton"},     {"max_updates", "newton"},
    {"mode", "newton"},          {"residual", "newton"},     {"stencil", "newton"},       {"floor_guard", "newton"},
    {"jacobian", "newton"},      {"update", "newton"},       {"guess", "newton"},         {"scale", "newton"},
    {"max_depth", "substeps"},   {"budget", "substeps"},     {"every", "trajectory"},     {"fields", "trajectory"},
    {"where", "trajectory"},     {"coordinates", "problem"}, {"acceleration", "problem"}, {"rate", "problem"}};

// One `-s KEY=VALUE`, taken apart.
typedef struct Override {
    const char *key;
    YamlOrigin  origin;  // its name is KEY, or that of the parameter
    YamlNode   *value;
} Override;

static bool parse_override(const char *argument, Spec *spec, Override *override, Error *err)
{
    const bool named = strncmp(argument, SPEC_DISTRIBUTION, sizeof SPEC_DISTRIBUTION - 1) == 0;
    argument += named ? sizeof SPEC_DISTRIBUTION - 1 : 0;
    const char *equals = strchr(argument, '=');
    if (!equals || equals == argument)
        return fail(err, ERROR_USAGE, "-s %s: expected KEY=VALUE", argument);
    char *key = arena_copy(&spec->arena, argument, err);
    if (!key)
        return false;
    key[equals - argument] = '\0';
    override->origin = (YamlOrigin){.name = key, .override = true, .option = named ? "--distribution" : NULL};
    override->key = named ? arena_format(&spec->arena, err, "parameters.%s", key) : key;
    if (!override->key)
        return false;
    if (!yaml_read(equals + 1, strlen(equals + 1), &override->origin, &spec->arena, &override->value, err))
        return false;
    if (override->value->block)
        return yaml_fail(override->value, err, "write the value with brackets: {key: value} or [value, value]");
    return true;
}

// The mapping under a key of `mapping`, made where there is none.
static YamlNode *descend(YamlNode *mapping, const char *key, const Override *override, Arena *arena, Error *err)
{
    YamlNode *next = yaml_find(mapping, key);
    if (next && next->kind == YAML_MAPPING)
        return next;
    if (next && !yaml_is_null(next)) {
        yaml_fail(override->value, err, "'%s' has no keys: it is %s", key, yaml_describe(next));
        return NULL;
    }
    next = yaml_new_mapping(override->value, arena, err);
    return next && yaml_put(mapping, key, next, arena, err) ? next : NULL;
}

// Puts the value where the path of keys leads, from `mapping` on.
static bool put_at(YamlNode *mapping, char **words, size_t count, const Override *override, Arena *arena, Error *err)
{
    for (size_t i = 0; i + 1 < count; ++i) {
        mapping = descend(mapping, words[i], override, arena, err);
        if (!mapping)
            return false;
    }
    return yaml_put(mapping, words[count - 1], override->value, arena, err);
}

// Turns an entry written as a bare name into `{name: }`, so that keys can be put into it.
static bool open_entry(YamlNode *node, Arena *arena, Error *err)
{
    if (node->kind == YAML_MAPPING)
        return true;
    YamlNode *name = arena_take(arena, 1, sizeof *name, err), *nothing = arena_take(arena, 1, sizeof *nothing, err);
    if (!name || !nothing)
        return false;
    *name = *node;
    *nothing = *node;
    nothing->text = "";
    nothing->quoted = false;
    *node = (YamlNode){.kind = YAML_MAPPING, .origin = node->origin, .line = node->line, .column = node->column};
    return yaml_put(node, name->text, nothing, arena, err);
}

// `methods.LABEL.KEY...`: words[0] is LABEL.
static bool put_in_entry(YamlNode *root, char **words, size_t count, const Override *override, Arena *arena, Error *err)
{
    YamlNode *methods = yaml_find(root, "methods");
    Entry    *entries = NULL;
    size_t    entry_count = 0;
    if (!methods)
        return yaml_fail(override->value, err, "the sweep file has no 'methods'");
    if (count < 2)
        return yaml_fail(override->value, err, "name a key of '%s': methods.%s.KEY", words[0], words[0]);
    if (!entry_read_all(methods, arena, &entries, &entry_count, err))
        return false;
    for (size_t i = 0; i < entry_count; ++i) {
        if (strcmp(entries[i].label, words[0]) != 0)
            continue;
        if (!open_entry(entries[i].node, arena, err))
            return false;
        YamlNode *target = entries[i].node;
        if (!entry_has_key(words[1]))
            target = descend(target, entries[i].method, override, arena, err);
        return target && put_at(target, words + 1, count - 1, override, arena, err);
    }
    return yaml_fail(override->value, err, "no method is labelled '%s'; the first label is '%s'", words[0],
                     entries[0].label);
}

bool spec_split(const char *key, Arena *arena, char **words, size_t *count, Error *err)
{
    char *rest = arena_copy(arena, key, err);
    *count = 0;
    if (!rest)
        return false;
    for (char *word; (word = strsep(&rest, ".")) != NULL;) {
        if (*word == '\0' || *count == YAML_DEEPEST) {
            *count = 0;
            return true;
        }
        words[(*count)++] = word;
    }
    return true;
}

// Puts the value where KEY leads.
static bool apply_override(const Override *override, Spec *spec, Error *err)
{
    char  *words[YAML_DEEPEST];
    size_t count;
    if (!spec_split(override->key, &spec->arena, words, &count, err))
        return false;
    if (count == 0)
        return yaml_fail(override->value, err, "not a key: words with single dots between them");
    if (count > 1 && strcmp(words[0], "methods") == 0)
        return put_in_entry(spec->root, words + 1, count - 1, override, &spec->arena, err);
    return put_at(spec->root, words, count, override, &spec->arena, err);
}

static bool apply_overrides(const char *const *overrides, size_t count, Spec *spec, Error *err)
{
    Text      all = {0};
    Override *parsed = arena_take(&spec->arena, count, sizeof *parsed, err);
    bool      fine = parsed != NULL;
    for (size_t i = 0; fine && i < count; ++i) {
        text_add(&all, "%s\n", overrides[i]);
        fine = parse_override(overrides[i], spec, &parsed[i], err) && apply_override(&parsed[i], spec, err);
    }
    fine = fine && text_check(&all, err);
    spec->overrides = fine ? arena_copy(&spec->arena, all.text ? all.text : "", err) : NULL;
    text_free(&all);
    return spec->overrides != NULL;
}

static bool read_tree(Spec *spec, size_t length, Error *err)
{
    YamlOrigin *origin = arena_take(&spec->arena, 1, sizeof *origin, err);
    if (!origin)
        return false;
    *origin = (YamlOrigin){.name = spec->path};
    if (!yaml_read(spec->text, length, origin, &spec->arena, &spec->root, err))
        return false;
    return yaml_is_mapping(spec->root, "a sweep file", err);
}

static bool check_keys(const YamlNode *root, Error *err)
{
    for (size_t i = 0; i < root->count; ++i)
        for (size_t k = 0; k < sizeof inner_keys / sizeof *inner_keys; ++k)
            if (strcmp(root->keys[i]->text, inner_keys[k].key) == 0)
                return yaml_fail(root->items[i]->origin->override ? root->items[i] : root->keys[i], err,
                                 "unknown key '%s' in the sweep file; it stands under '%s'", inner_keys[k].key,
                                 inner_keys[k].under);
    return yaml_check_keys(root, "the sweep file", sweep_keys, sizeof sweep_keys / sizeof *sweep_keys, err);
}

// Reads standard input.
static bool read_input(Spec *spec, char **text, size_t *length, Error *err)
{
    Text       bytes = {0};
    const bool read = file_read_open(STDIN_FILENO, spec->path, YAML_LARGEST, &bytes, err);
    *length = bytes.length;
    *text = read ? arena_take(&spec->arena, bytes.length + 1, 1, err) : NULL;
    if (*text && bytes.length > 0)
        memcpy(*text, bytes.text, bytes.length);
    text_free(&bytes);
    return *text != NULL;
}

// Reads a text, or where that is NULL a file or standard input.
static bool read_all(const char *name, const char *given, const char *const *overrides, size_t override_count,
                     Spec *spec, Error *err)
{
    char  *text = NULL;
    size_t length = given ? strlen(given) : 0;
    *spec = (Spec){0};
    spec->path = arena_copy(&spec->arena, name, err);
    bool fine =
        spec->path && (given                    ? (text = arena_copy(&spec->arena, given, err)) != NULL
                       : strcmp(name, "-") == 0 ? read_input(spec, &text, &length, err)
                                                : file_read(name, YAML_LARGEST, &spec->arena, &text, &length, err));
    spec->text = text;
    fine = fine && read_tree(spec, length, err) && apply_overrides(overrides, override_count, spec, err) &&
           check_keys(spec->root, err);
    if (!fine)
        spec_free(spec);
    return fine;
}

bool spec_read(const char *path, const char *const *overrides, size_t override_count, Spec *spec, Error *err)
{
    return read_all(path, NULL, overrides, override_count, spec, err);
}

bool spec_read_text(const char *name, const char *text, const char *const *overrides, size_t override_count, Spec *spec,
                    Error *err)
{
    return read_all(name, text, overrides, override_count, spec, err);
}

void spec_free(Spec *spec)
{
    arena_free(&spec->arena);
    *spec = (Spec){0};
}

const char spec_data[] = "compare";

size_t spec_list_tables(const Spec *spec, const YamlNode *nodes[2])
{
    const YamlNode *problem = yaml_find(spec->root, "problem");
    size_t          count = 0;
    nodes[0] = yaml_said(spec->root, "tables");
    nodes[1] = problem && problem->kind == YAML_MAPPING ? yaml_said(problem, "tables") : NULL;
    for (size_t k = 0; k < 2; ++k) {
        nodes[k] = nodes[k] && nodes[k]->kind == YAML_MAPPING ? nodes[k] : NULL;
        count += nodes[k] ? nodes[k]->count : 0;
    }
    return count;
}
