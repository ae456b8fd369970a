// yaml_write -- a node as text, on one line, that reads back as the same node.
#include "base/yaml.h"

#include <ctype.h>
#include <string.h>

// Whether a plain scalar may stand without quotes between brackets.
static bool is_simple(const char *text)
{
    for (const char *c = text; *c != '\0'; ++c)
        if (!isalnum((unsigned char)*c) && !strchr("_.+-/", *c))
            return false;
    return *text != '\0' && *text != '-';
}

static bool has_control(const char *text)
{
    for (const char *c = text; *c != '\0'; ++c)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return true;
    return false;
}

static void add_escaped(const char *text, Text *out)
{
    text_add(out, "\"");
    for (const char *c = text; *c != '\0'; ++c)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            text_add(out, "\\x%02x", (unsigned)(unsigned char)*c);
        else
            text_add(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    text_add(out, "\"");
}

void yaml_write_text(const char *text, Text *out)
{
    if (has_control(text)) {
        add_escaped(text, out);
        return;
    }
    text_add(out, "'");
    for (const char *c = text; *c != '\0'; ++c)
        text_add(out, *c == '\'' ? "''" : "%c", *c);
    text_add(out, "'");
}

static void add_scalar(const YamlNode *node, Text *out)
{
    double number;
    if (yaml_is_null(node))
        text_add(out, "null");
    else if (!node->quoted && (is_simple(node->text) || yaml_parse_number(node->text, &number)))
        text_add(out, "%s", node->text);
    else
        yaml_write_text(node->text, out);
}

void yaml_write(const YamlNode *node, Text *out)
{
    const bool mapping = node->kind == YAML_MAPPING;
    if (node->kind == YAML_SCALAR) {
        add_scalar(node, out);
        return;
    }
    text_add(out, mapping ? "{" : "[");
    for (size_t i = 0; i < node->count; ++i) {
        text_add(out, i > 0 ? ", " : "");
        if (mapping) {
            add_scalar(node->keys[i], out);
            text_add(out, ": ");
        }
        yaml_write(node->items[i], out);
    }
    text_add(out, mapping ? "}" : "]");
}
