// yaml -- YAML text as a small tree whose nodes know their line and column.
//
// Sweep files and kernel cards use a plain part of YAML: one document of scalars, sequences and mappings. The
// surprising parts of YAML are refused: aliases and anchors, tags, duplicate keys, a second document, nesting deeper
// than 32. libyaml finds the structure; the meaning of a plain scalar is decided here. A number is decimal (1, -0.5,
// .5, +1, 1e-5; not 0x1, 010, 1_000, 1:30, inf, nan), a truth value is true or false and nothing else, and all the rest
// is text, yes and no included.
#pragma once

#include "base/arena.h"
#include "base/text.h"

#include <stdint.h>

typedef enum YamlKind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING } YamlKind;

// The origin of a text: the beginning of messages about its nodes, and the kind of their errors.
typedef struct YamlOrigin {
    const char *name;           // path of the file, or the KEY of `-s KEY=VALUE`
    bool        override;       // "-s KEY" and ERROR_USAGE; else "path:line:column" and ERROR_INPUT
    const char *option;         // of an override, in place of -s; NULL: -s
    size_t      column_offset;  // columns cut off the left of every line before parsing (cards)
} YamlOrigin;

typedef struct YamlNode {
    YamlKind          kind;
    bool              quoted;  // a scalar in quotes, or a block scalar: text, whatever it looks like
    bool              block;   // a collection written by indentation, not with brackets; a scalar behind | or >
    const char       *text;    // scalars; NUL-terminated, without NUL inside
    struct YamlNode **keys;    // mappings: [count] scalars, all different
    struct YamlNode **items;   // [count] elements of a sequence, values of a mapping
    size_t            count;
    const YamlOrigin *origin;        // borrowed
    size_t            line, column;  // from 1
} YamlNode;

enum { YAML_LARGEST = 1 << 20, YAML_DEEPEST = 32 };

// Parses a text.
//   text    [length] and a NUL behind; borrowed for the call
//   origin  borrowed; must outlive the tree
//   arena   owns the tree
//   root    written
// Errors: ERROR_INPUT, or ERROR_USAGE for an override (not text, not YAML, empty, or refused by the head of this file),
// ERROR_INTERNAL.
bool yaml_read(const char *text, size_t length, const YamlOrigin *origin, Arena *arena, YamlNode **root, Error *err);

// The number that a text spells by the grammar above. False where it spells none, or one that a double cannot hold.
bool yaml_parse_number(const char *text, double *value);

// The value of a key, or NULL. A NULL mapping has no keys.
YamlNode *yaml_find(const YamlNode *mapping, const char *key);

// The value of a key that is neither absent nor left empty, or NULL.
YamlNode *yaml_said(const YamlNode *mapping, const char *key);

// Whether a node is left empty, `~` or `null`.
bool yaml_is_null(const YamlNode *node);

// Whether a node is the plain or quoted text `word`.
bool yaml_is_word(const YamlNode *node, const char *word);

// Fails with "place: <formatted text>" and the kind that belongs to the node's origin; without a node there is no
// place, and the kind is ERROR_INPUT. Always false.
bool yaml_fail(const YamlNode *node, Error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

// "path:line:column" or "-s KEY", in the arena; NULL with err filled when memory runs out.
char *yaml_place(const YamlNode *node, Arena *arena, Error *err);

// The kind of a node, for messages: "a list", "a mapping", "a number", "text", "nothing".
const char *yaml_describe(const YamlNode *node);

// Each of these reads a node as one type; `what` names the thing in the message "what: expected a number, found a
// list". Errors: that of yaml_fail().
bool yaml_number(const YamlNode *node, const char *what, double *value, Error *err);
bool yaml_whole(const YamlNode *node, const char *what, int64_t least, int64_t most, int64_t *value, Error *err);
bool yaml_truth(const YamlNode *node, const char *what, bool *value, Error *err);
bool yaml_text(const YamlNode *node, const char *what, const char **text, Error *err);
bool yaml_line(const YamlNode *node, const char *what, const char **text, Error *err);  // text without a line's end
bool yaml_choice(const YamlNode *node, const char *what, const char *const *choices, size_t count, size_t *index,
                 Error *err);
bool yaml_is_mapping(const YamlNode *node, const char *what, Error *err);
bool yaml_is_sequence(const YamlNode *node, const char *what, Error *err);

// Whether a text is a name: letters, digits and _, beginning with no digit.
bool yaml_spells_name(const char *text);

// Refuses keys of a mapping that are not in keys[count]: "unknown key 'stpe' in the sweep file; did you mean 'step'?"
bool yaml_check_keys(const YamlNode *mapping, const char *where, const char *const *keys, size_t count, Error *err);

// Adds a pair to a mapping, or gives an existing key a new value.
// Errors: ERROR_INTERNAL (memory).
bool yaml_put(YamlNode *mapping, const char *key, YamlNode *value, Arena *arena, Error *err);

// An empty mapping that claims to stand where `at` stands; NULL with err filled when memory runs out.
YamlNode *yaml_new_mapping(const YamlNode *at, Arena *arena, Error *err);

// Adds a node as text on one line, which reads back as the same node; and a text in quotes.
void yaml_write(const YamlNode *node, Text *text);
void yaml_write_text(const char *quoted, Text *text);
