// effective -- looks a key up in the sweep as written, and in the plan's canonical settings.
//
// The settings decide: they have every value, defaults included. The sweep gives the spelling, and the keys that are
// not settings, such as the title.
#include "plan/plan.h"

#include "base/json.h"
#include "base/suggest.h"
#include "plan/entry.h"

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const parts[] = {"parameters", "newton", "substeps"};
static const char *const top_keys[] = {"title", "problem", "precision",  "design", "step",    "end",
                                       "steps", "begin",   "parameters", "newton", "substeps"};

typedef struct Lookup {
    const Plan     *plan;
    const char     *key;
    char           *words[YAML_DEEPEST];
    size_t          count;
    const char     *label;   // of `methods.LABEL.KEY`, or NULL
    const YamlNode *groups;  // of the settings
    YamlOrigin      origin;
    Arena          *arena;
} Lookup;

static const YamlNode *walk(const YamlNode *node, char *const *words, size_t count)
{
    for (size_t i = 0; node && i < count; ++i)
        node = yaml_find(node, words[i]);
    return node;
}

// The sweep's value of the key, or NULL.
static bool find_written(const Lookup *lookup, const YamlNode **written, Error *err)
{
    const YamlNode *root = lookup->plan->spec->root;
    Entry          *entries;
    size_t          count;
    *written = NULL;
    if (!lookup->label) {
        *written = walk(root, lookup->words, lookup->count);
    } else {
        if (!entry_read_all(yaml_find(root, "methods"), lookup->arena, &entries, &count, err))
            return false;
        for (size_t i = 0; i < count; ++i)
            if (strcmp(entries[i].label, lookup->label) == 0)
                *written = walk(entry_has_key(lookup->words[2]) ? entries[i].node : entries[i].values,
                                lookup->words + 2, lookup->count - 2);
    }
    if (*written && yaml_is_null(*written))
        *written = NULL;
    return true;
}

// The value of the key in the settings of a group, or NULL.
static const YamlNode *find_in_group(const Lookup *lookup, const YamlNode *group)
{
    static const char *const times[] = {"step", "end", "steps", "begin"};
    char *const             *words = lookup->words + (lookup->label ? 2 : 0);
    const size_t             count = lookup->count - (lookup->label ? 2 : 0);
    if (card_lists(parts, LENGTH(parts), words[0]) || (!lookup->label && card_lists(times, LENGTH(times), words[0])))
        return walk(group, words, count);
    return lookup->label ? walk(yaml_find(group, "method_parameters"), words, count) : NULL;
}

static bool refuse_different(const Lookup *lookup, Error *err)
{
    return fail(err, ERROR_USAGE, "%s differs between the methods: name that of one, as methods.%s.%s", lookup->key,
                lookup->plan->groups[0].label, lookup->key);
}

// The value of the key in the settings, or NULL: the same in all groups that have it.
static bool find_effective(const Lookup *lookup, const YamlNode **effective, Error *err)
{
    *effective = NULL;
    for (size_t i = 0; i < lookup->groups->count; ++i) {
        const YamlNode *group = lookup->groups->items[i], *found;
        if (lookup->label && !yaml_is_word(yaml_find(group, "label"), lookup->label))
            continue;
        found = find_in_group(lookup, group);
        if (found && *effective && found->kind == YAML_SCALAR &&
            ((*effective)->kind != YAML_SCALAR || strcmp(found->text, (*effective)->text) != 0))
            return refuse_different(lookup, err);
        // Of an axis and a number the axis is refused.
        if (found && (!*effective || (*effective)->kind == YAML_SCALAR))
            *effective = found;
    }
    return true;
}

// The settings among which the key would stand: of its method, else of the first.
static const YamlNode *find_place(const Lookup *lookup)
{
    const YamlNode *group = lookup->groups->items[0];
    for (size_t i = 0; lookup->label && i < lookup->groups->count; ++i)
        if (yaml_is_word(yaml_find(lookup->groups->items[i], "label"), lookup->label))
            group = lookup->groups->items[i];
    return yaml_find(group,
                     lookup->label && lookup->count == 3 ? "method_parameters" : lookup->words[lookup->count - 2]);
}

static bool refuse_unknown(const Lookup *lookup, Error *err)
{
    const YamlNode *place = lookup->count > 1 ? find_place(lookup) : NULL;
    const size_t    known = place && place->kind == YAML_MAPPING ? place->count : 0;
    const size_t    count = lookup->count > 1 ? known : LENGTH(top_keys);
    const char     *last = lookup->words[lookup->count - 1];
    const char    **names = arena_take(lookup->arena, count, sizeof *names, err);
    if (!names)
        return false;
    for (size_t i = 0; i < count; ++i)
        names[i] = lookup->count > 1 ? place->keys[i]->text : top_keys[i];
    if (card_lists(names, count, last))
        return fail(err, ERROR_USAGE, "the sweep does not say '%s': name another key, or give it by -s %s=VALUE",
                    lookup->key, lookup->key);
    const char *near = suggest(last, names, count);
    if (near)
        near = arena_format(lookup->arena, err, "%.*s%s", (int)(strlen(lookup->key) - strlen(last)), lookup->key, near);
    return fail(err, ERROR_USAGE, "the sweep has no '%s'", lookup->key) ||
           suggest_add(err, near, "; name a key with one value, as for -s");
}

// Whether a key of the settings has keys itself, and is no axis.
static bool has_keys(const Lookup *lookup)
{
    const char *last = lookup->words[lookup->count - 1];
    return card_lists(parts, LENGTH(parts), last) ||
           (lookup->count > 1 && strcmp(last, "scale") == 0 && strcmp(lookup->words[lookup->count - 2], "newton") == 0);
}

static bool refuse_several(const Lookup *lookup, const YamlNode *node, bool setting, Error *err)
{
    if (node->kind == YAML_MAPPING && (!setting || has_keys(lookup)))
        return fail(err, ERROR_USAGE, "%s is a mapping, where one value is needed: name a key of it, as %s.KEY",
                    lookup->key, lookup->key);
    if (!setting)
        return fail(err, ERROR_USAGE, "%s is a list, where one value is needed: name another key", lookup->key);
    return fail(err, ERROR_USAGE,
                "%s is an axis, where one value is needed: give it one by -s %s=VALUE, or name another key",
                lookup->key, lookup->key);
}

// The spelling of the sweep where it says the same, else the fewest digits.
static bool spell(const Lookup *lookup, const YamlNode *effective, const YamlNode *written, const char **value,
                  Error *err)
{
    double     number, other;
    const bool measured = yaml_parse_number(effective->text, &number);
    const bool same = written && written->kind == YAML_SCALAR &&
                      (measured ? yaml_parse_number(written->text, &other) && other == number
                                : strcmp(written->text, effective->text) == 0);
    Text text = {0};
    if (same || !measured) {
        *value = same ? written->text : effective->text;
        return true;
    }
    json_number(&text, number);
    *value = text_keep(&text, lookup->arena, err);
    return *value != NULL;
}

static bool find_value(const Lookup *lookup, const YamlNode *settings, const char **value, Error *err)
{
    const YamlNode          *written, *effective = NULL;
    static const char *const whole[] = {"problem", "precision", "design"};
    if (!find_written(lookup, &written, err))
        return false;
    if (lookup->count == 1 && card_lists(whole, LENGTH(whole), lookup->words[0]))
        effective = yaml_find(settings, lookup->words[0]);
    else if (!find_effective(lookup, &effective, err))
        return false;
    const YamlNode *found = effective ? effective : written;
    if (!found)
        return refuse_unknown(lookup, err);
    if (found->kind != YAML_SCALAR)
        return refuse_several(lookup, found, found == effective, err);
    if (effective)
        return spell(lookup, effective, written, value, err);
    *value = written->text;
    return true;
}

static bool check_label(const Lookup *lookup, Error *err)
{
    const Plan *plan = lookup->plan;
    const char *label = lookup->words[1];
    if (lookup->count < 3)
        return fail(err, ERROR_USAGE, "%s is a mapping, where one value is needed: name a key of it, as %s.KEY",
                    lookup->key, lookup->key);
    for (size_t i = 0; i < plan->group_count; ++i)
        if (strcmp(plan->groups[i].label, label) == 0)
            return true;
    return fail(err, ERROR_USAGE, "%s: no method is labelled '%s'; the first label is '%s'", lookup->key, label,
                plan->groups[0].label);
}

bool effective_value(const Plan *plan, const char *key, Arena *arena, const char **value, Error *err)
{
    Lookup    lookup = {.plan = plan, .key = key, .origin = {.name = "settings"}, .arena = arena};
    YamlNode *settings;
    if (!spec_split(key, arena, lookup.words, &lookup.count, err))
        return false;
    if (lookup.count == 0)
        return fail(err, ERROR_USAGE, "'%s' is no key: words with single dots between them", key);
    if (lookup.count > 1 && strcmp(lookup.words[0], "methods") == 0) {
        if (!check_label(&lookup, err))
            return false;
        lookup.label = lookup.words[1];
    }
    if (!yaml_read(plan->settings, strlen(plan->settings), &lookup.origin, arena, &settings, err))
        return false;
    lookup.groups = yaml_find(settings, "groups");
    return find_value(&lookup, settings, value, err);
}
