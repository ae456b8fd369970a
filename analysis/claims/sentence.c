// sentence -- reads a sentence once, and its repeated parts once for each element.
#include "analysis/claims/sentence.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_FORMULA = 160, LONGEST_FORMAT = 8, LONGEST_NUMBER = 64, DEEPEST = 100 };

typedef struct SentenceWriter {
    Scope  scope;
    Text  *text;
    int    depth;  // of conditions and repeated parts around
    Error *err;
} SentenceWriter;

static bool wrong(const SentenceWriter *writer, const char *at, const char *what)
{
    return fail(writer->err, ERROR_INPUT, "sentence: %s at '%.30s'", what, at);
}

// The text between { and }, after which *at stands.
static bool read_braces(const SentenceWriter *writer, const char **at, char inside[LONGEST_FORMULA])
{
    const size_t length = strcspn(*at, "}");
    if (!(*at)[length] || length >= LONGEST_FORMULA)
        return wrong(writer, *at, "no }, or a formula that is too long");
    snprintf(inside, LONGEST_FORMULA, "%.*s", (int)length, *at);
    *at += length + 1;
    return true;
}

// FORMULA:FORMAT, the format being the characters after % in printf.
static bool add_number(const SentenceWriter *writer, char *inside)
{
    char *colon = strrchr(inside, ':'), format[LONGEST_FORMAT + 1];
    Value value;
    if (!colon || strlen(colon) > LONGEST_FORMAT - 1 || strspn(colon + 1, "+.0123456789efg") != strlen(colon + 1) ||
        !strchr("efg", colon[strlen(colon) - 1]))
        return wrong(writer, inside, "no format such as :.3e");
    snprintf(format, sizeof format, "%%%.*s", LONGEST_FORMAT - 1, colon + 1);
    *colon = '\0';
    if (!formula_value(&writer->scope, inside, &value, writer->err))
        return false;
    for (size_t i = 0; i < value.count; ++i) {
        char number[LONGEST_NUMBER];
        snprintf(number, sizeof number, format, value.at[i]);
        text_add(writer->text, "%s%s", i ? ", " : "", number);
    }
    return true;
}

static bool add_parts(SentenceWriter *writer, const char **at, bool shown);

static bool add_condition(SentenceWriter *writer, const char **at, const char *formula, bool shown)
{
    Value value = {0};
    if (shown && !formula_value(&writer->scope, formula, &value, writer->err))
        return false;
    const bool holds = shown && value.count == 1 && value.at[0] != 0.0;
    if (!add_parts(writer, at, holds))
        return false;
    return strncmp(*at, "{else}", 6) != 0 || (*at += 6, add_parts(writer, at, shown && !holds));
}

static bool add_each(SentenceWriter *writer, const char **at, char *name, bool shown)
{
    const char *body = *at;
    const char  sign = name[strlen(name) - 1];
    Value       value = {0};
    if (!strchr(",;|", sign))
        return wrong(writer, body, "a comma is missing after 'each NAME', before");
    name[strlen(name) - 1] = '\0';
    if (!formula_value(&writer->scope, name, &value, writer->err))
        return false;
    for (size_t i = 0; shown && i < value.count; ++i) {
        *at = body;
        writer->scope.element = (int)i;
        if (i > 0)
            text_add(writer->text, "%s%c ", sign == '|' ? " " : "", sign);
        if (!add_parts(writer, at, true))
            return false;
    }
    writer->scope.element = FORMULA_WHOLE;
    return shown || add_parts(writer, at, false);
}

// Adds up to an {else}, an {end} or the end, where *at then stands.
static bool add_parts(SentenceWriter *writer, const char **at, bool shown)
{
    char inside[LONGEST_FORMULA];
    while (**at && strncmp(*at, "{else}", 6) != 0 && strncmp(*at, "{end}", 5) != 0) {
        const size_t plain = strcspn(*at, "{");
        if (shown)
            text_add_bytes(writer->text, *at, plain);
        *at += plain;
        if (plain > 0)
            continue;
        ++*at;
        const char *opening = *at;
        if (!read_braces(writer, at, inside))
            return false;
        const bool block = strncmp(inside, "if ", 3) == 0 || strncmp(inside, "each ", 5) == 0;
        if (!block && shown && !add_number(writer, inside))
            return false;
        if (!block)
            continue;
        if (++writer->depth == DEEPEST)
            return wrong(writer, opening, "nested too deep");
        if (!(*inside == 'i' ? add_condition(writer, at, inside + 3, shown) : add_each(writer, at, inside + 5, shown)))
            return false;
        if (strncmp(*at, "{end}", 5) != 0)
            return wrong(writer, opening, "no {end}");
        --writer->depth;
        *at += 5;
    }
    return true;
}

bool sentence_add(const Scope *scope, const char *sentence, Text *text, Error *err)
{
    SentenceWriter writer = {.scope = *scope, .text = text, .err = err};
    const char    *at = sentence;
    return add_parts(&writer, &at, true) && (!*at || wrong(&writer, at, "too many {end}"));
}
