// lines -- a reader of C that knows comments, strings, directives and braces, and no more.
#include "analysis/check/lines.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// The end of the comment, the string or the directive (with its continued lines) that begins at this place, or the
// place itself where code begins.
static const char *skip_other(const char *text, const char *c)
{
    if (c[0] == '/' && c[1] == '/')
        return c + strcspn(c, "\n");
    if (c[0] == '/' && c[1] == '*') {
        const char *end = strstr(c + 2, "*/");
        return end ? end + 2 : c + strlen(c);
    }
    if (*c == '"' || *c == '\'') {
        const char quote = *c++;
        while (*c && *c != quote && *c != '\n')
            c += c[0] == '\\' && c[1] ? 2 : 1;
        return *c == quote ? c + 1 : c;
    }
    if (*c != '#' || (c > text && c[-1] != '\n'))
        return c;
    do
        c += strcspn(c, "\n") + 1;
    while (c[-1] && c[-2] == '\\');
    return c[-1] ? c : c - 1;
}

static size_t line_of(const char *text, const char *at)
{
    size_t line = 1;
    for (const char *c = text; c < at; ++c)
        line += *c == '\n';
    return line;
}

// The first character of code from c on, or the end.
static const char *find_code(const char *text, const char *c)
{
    for (const char *next; *c && (next = skip_other(text, c)) > c;)
        c = next;
    return c;
}

static const char *skip_blank(const char *text, const char *c)
{
    c = find_code(text, c);
    while (isspace((unsigned char)*c))
        c = find_code(text, c + 1);
    return c;
}

// Behind the parenthesis that closes the one at c.
static const char *skip_parentheses(const char *text, const char *c)
{
    int depth = 0;
    for (; *c; c = find_code(text, c + 1)) {
        depth += (*c == '(') - (*c == ')');
        if (depth == 0)
            return c + 1;
    }
    return c;
}

// Whether the function's name begins here, and its body follows its parameters.
static bool is_definition(const Card *card, const char *c, const char *name)
{
    const size_t length = strlen(name);
    const bool   metric = card->kind == CARD_METRIC;
    if (metric && strncmp(c, "M(", 2) != 0)
        return false;
    c += metric ? 2 : 0;
    if (strncmp(c, name, length) != 0 || is_word(c[length]))
        return false;
    c = skip_blank(card->text, c + length);
    if (metric && *c == ')')
        c = skip_blank(card->text, c + 1);
    return *c == '(' && *skip_blank(card->text, skip_parentheses(card->text, c)) == '{';
}

size_t lines_function(const Card *card, const char *name)
{
    const char *text = card->text;
    char        macro[128];
    int         depth = 0;
    for (const char *c = find_code(text, text); *c; c = find_code(text, c + 1)) {
        depth += (*c == '{') - (*c == '}');
        if (is_word(*c) && (c == text || !is_word(c[-1])) && depth == 0 && is_definition(card, c, name))
            return line_of(text, c);
    }
    snprintf(macro, sizeof macro, "\n#define %s(", name);
    const char *at = strstr(text, macro);
    return at ? line_of(text, at + 1) : 0;
}

size_t lines_key(const Card *card, const char *key)
{
    size_t line = 1;
    for (const char *c = card->text; strncmp(c, "//:", 3) == 0; ++line) {
        const char *word = c + 3 + strspn(c + 3, " ");
        if (strncmp(word, key, strlen(key)) == 0 && word[strlen(key)] == ':')
            return line;
        c += strcspn(c, "\n");
        c += *c == '\n';
    }
    return 1;
}

size_t lines_call(const Card *card, const char *word)
{
    const size_t length = strlen(word);
    for (const char *c = find_code(card->text, card->text); *c; c = find_code(card->text, c + 1))
        if ((c == card->text || !is_word(c[-1])) && strncmp(c, word, length) == 0 && !is_word(c[length]) &&
            *skip_blank(card->text, c + length) == '(')
            return line_of(card->text, c);
    return 0;
}

size_t lines_unclosed(const Card *card)
{
    const char *first = NULL;  // of the braces that are open
    size_t      depth = 0;
    for (const char *c = find_code(card->text, card->text); *c; c = find_code(card->text, c + 1)) {
        if (*c == '{')
            first = depth++ ? first : c;
        else if (*c == '}' && depth-- == 0)
            return line_of(card->text, c);
    }
    return depth ? line_of(card->text, first) : 0;
}
