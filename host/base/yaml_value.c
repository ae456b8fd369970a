// yaml_value -- reads the nodes of a YAML tree as numbers, words and collections.
#include "base/yaml.h"
#include "base/suggest.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_digits(const char *c)
{
    while (*c >= '0' && *c <= '9')
        ++c;
    return c;
}

// [sign] digits [. [digits]] or [sign] . digits, then [e [sign] digits]; no leading zero before another digit.
static bool spells_number(const char *text)
{
    const char *whole = text + (*text == '+' || *text == '-');
    const char *point = skip_digits(whole), *end = point;
    if (point - whole > 1 && *whole == '0')
        return false;
    if (*point == '.')
        end = skip_digits(point + 1);
    if (end - whole <= (*point == '.'))
        return false;
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');
        end = skip_digits(exponent);
        if (end == exponent)
            return false;
    }
    return *end == '\0';
}

bool yaml_parse_number(const char *text, double *value)
{
    if (!spells_number(text))
        return false;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        return false;
    const double number = strtod_l(text, NULL, c_locale);
    freelocale(c_locale);
    // A number that is written with a digit other than 0 in front of its exponent, and comes out as 0, is too small for
    // a double.
    const size_t first = strcspn(text, "123456789eE");
    const bool   vanished = number == 0.0 && text[first] >= '1' && text[first] <= '9';
    if (!isfinite(number) || vanished)
        return false;
    *value = number;
    return true;
}

bool yaml_spells_name(const char *text)
{
    static const char allowed[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return strspn(text, allowed) == strlen(text) && !strchr("0123456789", *text);
}

YamlNode *yaml_find(const YamlNode *mapping, const char *key)
{
    for (size_t i = 0; mapping && mapping->kind == YAML_MAPPING && i < mapping->count; ++i)
        if (strcmp(mapping->keys[i]->text, key) == 0)
            return mapping->items[i];
    return NULL;
}

bool yaml_is_null(const YamlNode *node)
{
    return node->kind == YAML_SCALAR && !node->quoted &&
           (!*node->text || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

YamlNode *yaml_said(const YamlNode *mapping, const char *key)
{
    YamlNode *node = yaml_find(mapping, key);
    return node && !yaml_is_null(node) ? node : NULL;
}

bool yaml_is_word(const YamlNode *node, const char *word)
{
    return node->kind == YAML_SCALAR && strcmp(node->text, word) == 0;
}

const char *yaml_describe(const YamlNode *node)
{
    double number;
    if (node->kind != YAML_SCALAR)
        return node->kind == YAML_SEQUENCE ? "a list" : "a mapping";
    if (yaml_is_null(node))
        return "nothing";
    return !node->quoted && yaml_parse_number(node->text, &number) ? "a number" : "text";
}

static bool fail_type(const YamlNode *node, const char *what, const char *expected, Error *err)
{
    if (node->kind == YAML_SCALAR && !yaml_is_null(node))
        return yaml_fail(node, err, "%s: expected %s, found %s'%.60s'", what, expected, node->quoted ? "the text " : "",
                         node->text);
    return yaml_fail(node, err, "%s: expected %s, found %s", what, expected, yaml_describe(node));
}

bool yaml_number(const YamlNode *node, const char *what, double *value, Error *err)
{
    if (node->kind == YAML_SCALAR && !node->quoted && yaml_parse_number(node->text, value))
        return true;
    if (node->kind == YAML_SCALAR && !node->quoted && spells_number(node->text))
        return yaml_fail(node, err, "%s: %.60s is too large or too small for a double", what, node->text);
    return fail_type(node, what, "a number", err);
}

bool yaml_whole(const YamlNode *node, const char *what, int64_t least, int64_t most, int64_t *value, Error *err)
{
    double number;
    if (!yaml_number(node, what, &number, err))
        return false;
    if (number != floor(number))
        return fail_type(node, what, "a whole number", err);
    if (number < (double)least || number > (double)most)
        return yaml_fail(node, err, "%s: %.60s is not between %lld and %lld", what, node->text, (long long)least,
                         (long long)most);
    *value = (int64_t)number;
    return true;
}

bool yaml_truth(const YamlNode *node, const char *what, bool *value, Error *err)
{
    const bool yes = yaml_is_word(node, "true"), no = yaml_is_word(node, "false");
    if ((!yes && !no) || node->quoted)
        return fail_type(node, what, "true or false", err);
    *value = yes;
    return true;
}

bool yaml_text(const YamlNode *node, const char *what, const char **text, Error *err)
{
    if (node->kind != YAML_SCALAR || yaml_is_null(node))
        return fail_type(node, what, "text", err);
    *text = node->text;
    return true;
}

bool yaml_line(const YamlNode *node, const char *what, const char **text, Error *err)
{
    if (!yaml_text(node, what, text, err))
        return false;
    for (const char *c = *text; *c; ++c)
        if ((unsigned char)*c < ' ')
            return yaml_fail(node, err, "%s: one line, please", what);
    return true;
}

bool yaml_choice(const YamlNode *node, const char *what, const char *const *choices, size_t count, size_t *index,
                 Error *err)
{
    char   list[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; ++i) {
        if (yaml_is_word(node, choices[i])) {
            *index = i;
            return true;
        }
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     i == 0          ? ""
                                     : i + 1 < count ? ", "
                                                     : " or ",
                                     choices[i]);
    }
    return fail_type(node, what, list, err);
}

bool yaml_is_mapping(const YamlNode *node, const char *what, Error *err)
{
    return node->kind == YAML_MAPPING ? true : fail_type(node, what, "a mapping", err);
}

bool yaml_is_sequence(const YamlNode *node, const char *what, Error *err)
{
    return node->kind == YAML_SEQUENCE ? true : fail_type(node, what, "a list", err);
}

bool yaml_check_keys(const YamlNode *mapping, const char *where, const char *const *keys, size_t count, Error *err)
{
    for (size_t i = 0; i < mapping->count; ++i) {
        bool known = false;
        for (size_t k = 0; !known && k < count; ++k)
            known = strcmp(mapping->keys[i]->text, keys[k]) == 0;
        if (known)
            continue;
        const YamlNode *key = mapping->items[i]->origin->override ? mapping->items[i] : mapping->keys[i];
        return yaml_fail(key, err, "unknown key '%.60s' in %s", mapping->keys[i]->text, where) ||
               suggest_add(err, suggest(mapping->keys[i]->text, keys, count), "");
    }
    return true;
}
