// entry -- the entries under `methods:` of a sweep file, each of which becomes a group.
#pragma once

#include "base/yaml.h"

// One entry, in any of the forms `rk4`, `rk4:`, `{rk4: {}}`, `{label: L, theta2: {...}, newton: {...}, substeps: {...},
// parameters:
// {...}}`. Nodes are borrowed from the tree.
typedef struct Entry {
    YamlNode   *node;        // the whole entry
    const char *label;       // as given, or the method's name, or the method's name and a number: name_2, name_3, ...
    YamlNode   *label_node;  // where the label stands; the method's name where none is given
    const char *method;      // its name, or the path of its file
    YamlNode   *method_node;
    YamlNode   *values;                          // of the method's parameters: a mapping, or NULL
    YamlNode   *newton, *substeps, *parameters;  // mappings, or NULL
} Entry;

// Reads the list under `methods:`.
//   entries  written; [*count], owned by the arena
// Errors: ERROR_INPUT or ERROR_USAGE (not a list, empty, an entry of another form, a label given twice),
// ERROR_INTERNAL.
bool entry_read_all(const YamlNode *methods, Arena *arena, Entry **entries, size_t *count, Error *err);

// Whether a word is a key of an entry other than the method's name.
bool entry_has_key(const char *word);

// Whether a word names a file of the user's and not a card of the catalog: it has a slash.
bool entry_is_path(const char *word);

// Reads the label of an entry or of a metric. Errors: ERROR_INPUT or ERROR_USAGE (no label).
bool entry_read_label(const YamlNode *node, const char **label, Error *err);
