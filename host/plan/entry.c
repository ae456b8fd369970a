// entry -- reads the entries under `methods:` and gives each its label.
#include "plan/entry.h"
#include "base/suggest.h"
#include "catalog/card.h"

#include <string.h>

static const char *const entry_keys[] = {"label", "newton", "substeps", "parameters"};
enum { ENTRY_KEYS = sizeof entry_keys / sizeof *entry_keys };

bool entry_has_key(const char *word)
{
    return card_lists(entry_keys, ENTRY_KEYS, word);
}

bool entry_is_path(const char *word)
{
    return strchr(word, '/') != NULL;
}

// A path's file name up to its first dot; in the arena. NULL with err filled when memory runs out.
static const char *find_stem(const char *path, Arena *arena, Error *err)
{
    const char *file = strrchr(path, '/') + 1;
    return arena_format(arena, err, "%.*s", (int)strcspn(file, "."), file);
}

// A key's mapping; an empty value counts as no mapping.
static bool read_part(YamlNode *node, const char *what, YamlNode **part, Error *err)
{
    *part = NULL;
    if (!node || yaml_is_null(node))
        return true;
    *part = node;
    return yaml_is_mapping(node, what, err);
}

static bool read_method(YamlNode *key, YamlNode *values, Entry *entry, Error *err)
{
    if (entry->method)
        return yaml_fail(
                   key, err,
                   "'%.60s' beside method '%.60s': an entry has one method, and label, newton, substeps, parameters",
                   key->text, entry->method) ||
               suggest_add(err, suggest(key->text, entry_keys, ENTRY_KEYS), "");
    entry->method = key->text;
    entry->method_node = key;
    return read_part(values, key->text, &entry->values, err);
}

bool entry_read_label(const YamlNode *node, const char **label, Error *err)
{
    if (!yaml_text(node, "label", label, err))
        return false;
    return (yaml_spells_name(*label) && strlen(*label) <= 64) ||
           yaml_fail(node, err, "label '%.60s': use letters, digits and _, beginning with no digit, at most 64",
                     *label);
}

static bool read_entry(YamlNode *node, Entry *entry, Error *err)
{
    *entry = (Entry){.node = node};
    if (node->kind == YAML_SCALAR && !yaml_is_null(node))
        return read_method(node, NULL, entry, err);
    if (node->kind != YAML_MAPPING)
        return yaml_fail(node, err, "methods: expected a method's name or {METHOD: {...}}, found %s",
                         yaml_describe(node));
    for (size_t i = 0; i < node->count; ++i)
        if (!entry_has_key(node->keys[i]->text) && !read_method(node->keys[i], node->items[i], entry, err))
            return false;
    if (!entry->method)
        return yaml_fail(node, err, "methods: this entry names no method");
    entry->label_node = yaml_find(node, "label");
    return (!entry->label_node || entry_read_label(entry->label_node, &entry->label, err)) &&
           read_part(yaml_find(node, "newton"), "newton", &entry->newton, err) &&
           read_part(yaml_find(node, "substeps"), "substeps", &entry->substeps, err) &&
           read_part(yaml_find(node, "parameters"), "parameters", &entry->parameters, err);
}

static const Entry *find_label(const Entry *entries, size_t count, const char *label)
{
    for (size_t i = 0; i < count; ++i)
        if (entries[i].label && strcmp(entries[i].label, label) == 0)
            return &entries[i];
    return NULL;
}

// Labels given come first, so that a default one never takes a name that is written further down.
static bool give_labels(Entry *entries, size_t count, Arena *arena, Error *err)
{
    for (size_t i = 0; i < count; ++i) {
        const Entry *other = entries[i].label ? find_label(entries, i, entries[i].label) : NULL;
        if (other)
            return yaml_fail(entries[i].label_node, err, "label '%s' is given twice, first in line %zu",
                             entries[i].label, other->label_node->line);
    }
    for (size_t i = 0; i < count; ++i) {
        if (entries[i].label)
            continue;
        entries[i].label_node = entries[i].method_node;
        const char *name =
                       entry_is_path(entries[i].method) ? find_stem(entries[i].method, arena, err) : entries[i].method,
                   *label = name;
        for (size_t n = 2; label && find_label(entries, count, label); ++n)
            label = arena_format(arena, err, "%s_%zu", name, n);
        if (!label)
            return false;
        entries[i].label = label;
    }
    return true;
}

bool entry_read_all(const YamlNode *methods, Arena *arena, Entry **entries, size_t *count, Error *err)
{
    enum { MOST = 1000 };
    if (!yaml_is_sequence(methods, "methods", err))
        return false;
    if (methods->count == 0)
        return yaml_fail(methods, err, "methods: the list is empty, name at least one method");
    if (methods->count > MOST)
        return yaml_fail(methods, err, "methods: %zu entries, at most %d", methods->count, MOST);
    *entries = arena_take(arena, methods->count, sizeof **entries, err);
    *count = methods->count;
    for (size_t i = 0; *entries && i < methods->count; ++i)
        if (!read_entry(methods->items[i], &(*entries)[i], err))
            return false;
    return *entries && give_labels(*entries, *count, arena, err);
}
