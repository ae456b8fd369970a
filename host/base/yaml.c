// yaml -- builds the tree from libyaml's events.
//
// The events, not libyaml's document tree: only they show aliases and tags, and depth can be refused before it is
// built.
#include "base/yaml.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

// A collection that is still open while events come in.
typedef struct Open {
    YamlNode *node;
    YamlNode *key;       // a mapping's key that waits for its value
    size_t    capacity;  // of the node's items and keys
} Open;

typedef struct TreeBuilder {
    const YamlOrigin *origin;
    Arena            *arena;
    YamlNode         *root;
    Open              open[YAML_DEEPEST];
    size_t            depth;
} TreeBuilder;

// Messages are one line, whatever the file has in it.
static void keep_one_line(char *message)
{
    for (char *c = message; *c; ++c)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

static const char *option_of(const YamlNode *node)
{
    return node->origin->option ? node->origin->option : "-s";
}

bool yaml_fail(const YamlNode *node, Error *err, const char *format, ...)
{
    char    text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!node)
        fail(err, ERROR_INPUT, "%s", text);
    else if (node->origin->override)
        fail(err, ERROR_USAGE, "%s %s: %s", option_of(node), node->origin->name, text);
    else if (node->line == 0)
        fail(err, ERROR_INPUT, "%s: %s", node->origin->name, text);
    else
        fail(err, ERROR_INPUT, "%s:%zu:%zu: %s", node->origin->name, node->line, node->column, text);
    keep_one_line(err->message);
    return false;
}

char *yaml_place(const YamlNode *node, Arena *arena, Error *err)
{
    if (node->origin->override)
        return arena_format(arena, err, "%s %s", option_of(node), node->origin->name);
    return arena_format(arena, err, "%s:%zu:%zu", node->origin->name, node->line, node->column);
}

static bool fail_at_mark(const TreeBuilder *builder, yaml_mark_t mark, Error *err, const char *what)
{
    const YamlNode there = {
        .origin = builder->origin, .line = mark.line + 1, .column = mark.column + 1 + builder->origin->column_offset};
    return yaml_fail(&there, err, "%s", what);
}

// libyaml would take UTF-16 as well and names no line for a stray byte, so the text is checked before it comes there.
static bool check_characters(const YamlOrigin *origin, const char *text, size_t length, Error *err)
{
    YamlNode there = {.origin = origin, .line = 1, .column = 1 + origin->column_offset};
    for (size_t i = 0; i < length;) {
        const unsigned char here = (unsigned char)text[i];
        const size_t        step = utf8_length(text + i);
        const bool          control = (here < ' ' && here != '\t' && here != '\n' && here != '\r') || here == 0x7F;
        if (step == 0 || control)
            return yaml_fail(&there, err, "not a text file: byte 0x%02x is %s", here,
                             control ? "a control character" : "not UTF-8");
        there.column = here == '\n' ? 1 + origin->column_offset : there.column + 1;
        there.line += here == '\n';
        i += step;
    }
    return true;
}

static YamlNode *new_node(const TreeBuilder *builder, YamlKind kind, yaml_mark_t mark, Error *err)
{
    YamlNode *node = arena_take(builder->arena, 1, sizeof *node, err);
    if (node)
        *node = (YamlNode){.kind = kind,
                           .origin = builder->origin,
                           .line = mark.line + 1,
                           .column = mark.column + 1 + builder->origin->column_offset};
    return node;
}

static YamlNode **grown(Arena *arena, YamlNode **items, size_t count, size_t capacity, Error *err)
{
    YamlNode **larger = arena_take(arena, capacity, sizeof *larger, err);
    if (larger && count > 0)
        memcpy(larger, items, count * sizeof *larger);
    return larger;
}

// Appends a value to a collection whose arrays hold `*capacity` entries; key is NULL for a sequence.
static bool append(YamlNode *node, size_t *capacity, YamlNode *key, YamlNode *value, Arena *arena, Error *err)
{
    if (node->count == *capacity) {
        const size_t larger = *capacity < 8 ? 8 : 2 * *capacity;
        node->items = grown(arena, node->items, node->count, larger, err);
        if (!node->items)
            return false;
        if (node->kind == YAML_MAPPING) {
            node->keys = grown(arena, node->keys, node->count, larger, err);
            if (!node->keys)
                return false;
        }
        *capacity = larger;
    }
    if (node->kind == YAML_MAPPING)
        node->keys[node->count] = key;
    node->items[node->count++] = value;
    return true;
}

// Gives a node to the innermost open collection: as a key, as a value, or as the root.
static bool attach(TreeBuilder *builder, YamlNode *node, Error *err)
{
    if (builder->depth == 0) {
        builder->root = node;
        return true;
    }
    Open *open = &builder->open[builder->depth - 1];
    if (open->node->kind == YAML_MAPPING && !open->key) {
        if (node->kind != YAML_SCALAR)
            return yaml_fail(node, err, "a key must be a single word");
        open->key = node;
        return true;
    }
    YamlNode *key = open->key;
    open->key = NULL;
    return append(open->node, &open->capacity, key, node, builder->arena, err);
}

static bool begin_collection(TreeBuilder *builder, YamlNode *node, Error *err)
{
    if (builder->depth == YAML_DEEPEST)
        return yaml_fail(node, err, "nested deeper than %d", YAML_DEEPEST);
    if (!attach(builder, node, err))
        return false;
    builder->open[builder->depth++] = (Open){.node = node};
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const YamlNode *const *left = a, *const *right = b;
    const int              order = strcmp((*left)->text, (*right)->text);
    if (order != 0)
        return order;
    if ((*left)->line != (*right)->line)
        return (*left)->line < (*right)->line ? -1 : 1;
    return (*left)->column < (*right)->column ? -1 : (*left)->column > (*right)->column;
}

static bool check_duplicates(const YamlNode *mapping, Arena *arena, Error *err)
{
    YamlNode **sorted = grown(arena, mapping->keys, mapping->count, mapping->count, err);
    if (!sorted)
        return false;
    qsort(sorted, mapping->count, sizeof *sorted, compare_keys);
    for (size_t i = 1; i < mapping->count; ++i)
        if (strcmp(sorted[i - 1]->text, sorted[i]->text) == 0)
            return yaml_fail(sorted[i], err, "key '%.60s' is given twice, first in line %zu", sorted[i]->text,
                             sorted[i - 1]->line);
    return true;
}

static bool end_collection(TreeBuilder *builder, Error *err)
{
    const YamlNode *node = builder->open[--builder->depth].node;
    return node->kind != YAML_MAPPING || check_duplicates(node, builder->arena, err);
}

static bool take_scalar(TreeBuilder *builder, const yaml_event_t *event, Error *err)
{
    const char  *text = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    YamlNode    *node = new_node(builder, YAML_SCALAR, event->start_mark, err);
    if (!node)
        return false;
    if (strlen(text) != length)
        return yaml_fail(node, err, "a text with a NUL character in it");
    node->text = arena_copy(builder->arena, text, err);
    const yaml_scalar_style_t style = event->data.scalar.style;
    node->quoted = style != YAML_PLAIN_SCALAR_STYLE;
    node->block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
    return node->text && attach(builder, node, err);
}

static bool take_collection(TreeBuilder *builder, const yaml_event_t *event, Error *err)
{
    const bool mapping = event->type == YAML_MAPPING_START_EVENT;
    YamlNode  *node = new_node(builder, mapping ? YAML_MAPPING : YAML_SEQUENCE, event->start_mark, err);
    if (!node)
        return false;
    node->block = mapping ? event->data.mapping_start.style == YAML_BLOCK_MAPPING_STYLE
                          : event->data.sequence_start.style == YAML_BLOCK_SEQUENCE_STYLE;
    return begin_collection(builder, node, err);
}

static bool check_properties(const TreeBuilder *builder, const yaml_event_t *event, Error *err)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor || event->type == YAML_ALIAS_EVENT)
        return fail_at_mark(builder, event->start_mark, err,
                            "anchors (&) and aliases (*) are not allowed: write the value out");
    if (tag)
        return fail_at_mark(builder, event->start_mark, err, "tags (!) are not allowed: leave it out");
    return true;
}

static bool take_event(TreeBuilder *builder, const yaml_event_t *event, Error *err)
{
    if (!check_properties(builder, event, err))
        return false;
    switch (event->type) {
    case YAML_SCALAR_EVENT: return take_scalar(builder, event, err);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT: return take_collection(builder, event, err);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return end_collection(builder, err);
    case YAML_DOCUMENT_START_EVENT:
        return builder->root
                   ? fail_at_mark(builder, event->start_mark, err, "a second document: one file is one document")
                   : true;
    default: return true;
    }
}

static bool fail_as_parser(const TreeBuilder *builder, const yaml_parser_t *parser, Error *err)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return fail(err, ERROR_INTERNAL, "out of memory while reading %s", builder->origin->name);
    const YamlNode whole = {.origin = builder->origin};
    const char    *problem = parser->problem ? parser->problem : "not YAML";
    if (parser->error == YAML_READER_ERROR)
        return yaml_fail(&whole, err, "not YAML: %s", problem);
    char text[256];
    snprintf(text, sizeof text, "not YAML: %s%s%s", parser->context ? parser->context : "", parser->context ? ", " : "",
             problem);
    return fail_at_mark(builder, parser->problem_mark, err, text);
}

static bool take_all_events(TreeBuilder *builder, yaml_parser_t *parser, Error *err)
{
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return fail_as_parser(builder, parser, err);
        more = event.type != YAML_STREAM_END_EVENT;
        const bool fine = take_event(builder, &event, err);
        yaml_event_delete(&event);
        if (!fine)
            return false;
    }
    return true;
}

bool yaml_read(const char *text, size_t length, const YamlOrigin *origin, Arena *arena, YamlNode **root, Error *err)
{
    TreeBuilder    builder = {.origin = origin, .arena = arena};
    const YamlNode whole = {.origin = origin};
    yaml_parser_t  parser;
    if (length > YAML_LARGEST)
        return yaml_fail(&whole, err, "larger than %d bytes", YAML_LARGEST);
    if (!check_characters(origin, text, length, err))
        return false;
    if (!yaml_parser_initialize(&parser))
        return fail(err, ERROR_INTERNAL, "out of memory while reading %s", origin->name);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    const bool fine = take_all_events(&builder, &parser, err);
    yaml_parser_delete(&parser);
    if (!fine)
        return false;
    if (!builder.root)
        return yaml_fail(&whole, err, "empty: there is nothing in it");
    *root = builder.root;
    return true;
}

bool yaml_put(YamlNode *mapping, const char *key, YamlNode *value, Arena *arena, Error *err)
{
    for (size_t i = 0; i < mapping->count; ++i)
        if (strcmp(mapping->keys[i]->text, key) == 0) {
            mapping->items[i] = value;
            return true;
        }
    size_t    full = mapping->count;  // the spare room of the arrays is unknown: take new ones
    YamlNode *word = arena_take(arena, 1, sizeof *word, err);
    if (!word)
        return false;
    *word = *value;
    word->kind = YAML_SCALAR;
    word->count = 0;
    word->items = word->keys = NULL;
    word->text = arena_copy(arena, key, err);
    return word->text && append(mapping, &full, word, value, arena, err);
}

YamlNode *yaml_new_mapping(const YamlNode *at, Arena *arena, Error *err)
{
    YamlNode *node = arena_take(arena, 1, sizeof *node, err);
    if (node)
        *node = (YamlNode){.kind = YAML_MAPPING, .origin = at->origin, .line = at->line, .column = at->column};
    return node;
}
