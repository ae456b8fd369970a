// read -- formulas by recursive descent.
//
//     sum      product {(+ | -) product}
//     product  unary {(* | /) unary}
//     unary    - unary | + unary | power
//     power    primary [^ unary]
//     primary  number | name | function(sum {, sum}) | (sum)
#include "base/suggest.h"
#include "base/yaml.h"
#include "expression/expression.h"

#include <string.h>

enum { MOST_BRACKETS = 100, LONGEST_WORD = 64, MOST_ARGUMENTS = 4 };

typedef struct FormulaReader {
    Expressions *table;
    const char  *text, *at;
    int          depth;
    size_t      *where;
    const char **why;
} FormulaReader;

static const Node *read_sum(FormulaReader *reader);
static const Node *read_unary(FormulaReader *reader);

// The first fault is kept. The reason is given as for printf.
#define WRONG(reader, place, ...)                           \
    (*(reader)->where = (size_t)((place) - (reader)->text), \
     *(reader)->why = arena_format((reader)->table->arena, (reader)->table->err, __VA_ARGS__), (const Node *)NULL)

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool begins_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_spaces(FormulaReader *reader)
{
    reader->at += strspn(reader->at, " \t\n");
}

static bool take(FormulaReader *reader, char token)
{
    skip_spaces(reader);
    if (*reader->at != token)
        return false;
    ++reader->at;
    return true;
}

// How many bytes the character at a place has, so that a message shows all of it.
static int character(const char *at)
{
    int length = 1;
    while (((unsigned char)at[length] & 0xc0) == 0x80)
        ++length;
    return length;
}

static const Node *make(FormulaReader *reader, NodeKind kind, const Node *left, const Node *right)
{
    Expressions *table = reader->table;
    if (!table->words.simple)
        return expression_make(table, kind, left, right);
    switch (kind) {
    case NODE_NEGATE: return expression_negate(table, left);
    case NODE_ADD: return expression_add(table, left, right);
    case NODE_SUBTRACT: return expression_subtract(table, left, right);
    case NODE_MULTIPLY: return expression_multiply(table, left, right);
    case NODE_DIVIDE: return expression_divide(table, left, right);
    default: return expression_power(table, left, right);
    }
}

// Fails with the text that stands where something else is wanted.
static const Node *expected(FormulaReader *reader, const char *what)
{
    skip_spaces(reader);
    if (*reader->at == '\0')
        return WRONG(reader, reader->at, "expected %s at the end", what);
    if (begins_word(*reader->at) || is_digit(*reader->at))
        return WRONG(reader, reader->at, "expected %s before '%.*s'; a product needs its *", what,
                     (int)strcspn(reader->at, " \t\n+-*/^(),"), reader->at);
    return WRONG(reader, reader->at, "expected %s, found '%.*s'", what, character(reader->at), reader->at);
}

static const Node *read_number(FormulaReader *reader)
{
    const char *from = reader->at, *at = from;
    char        copy[LONGEST_WORD];
    while (is_digit(*at))
        ++at;
    if (*at == '.')
        for (++at; is_digit(*at); ++at)
            ;
    if (at == from + 1 && *from == '.')
        return WRONG(reader, from, "'.' is not a number");
    if (*at == 'e' || *at == 'E') {
        const char *digits = at + 1 + (at[1] == '+' || at[1] == '-');
        if (is_digit(*digits))
            for (at = digits; is_digit(*at); ++at)
                ;
    }
    const size_t length = (size_t)(at - from);
    if (length >= sizeof copy)
        return WRONG(reader, from, "a number of more than %d characters", LONGEST_WORD - 1);
    memcpy(copy, from, length);
    copy[length] = '\0';
    double value;
    if (!yaml_parse_number(copy, &value))
        return WRONG(reader, from, "the number %s is beyond the largest", copy);
    reader->at = at;
    return expression_number(reader->table, value);
}

static const Node *unknown_word(FormulaReader *reader, const char *from, const char *word, bool call)
{
    const Expressions *table = reader->table;
    const size_t       most = table->words.name_count + FUNCTION_COUNT + table->words.call_count;
    const char       **known = arena_take(table->arena, most, sizeof *known, table->err);
    size_t             count = 0;
    for (size_t i = 0; known && !call && i < table->words.name_count; ++i)
        known[count++] = table->words.names[i].text;
    for (int i = 0; known && call && i < FUNCTION_COUNT; ++i)
        known[count++] = expression_function_name(i);
    for (size_t i = 0; known && call && i < table->words.call_count; ++i)
        known[count++] = table->words.calls[i].name;
    const char *near = known ? suggest(word, known, count) : NULL;
    return WRONG(reader, from, "unknown %s '%s'%s%s%s", call ? "function" : "name", word,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

// The arguments of a call up to its bracket; how many there must be is checked.
static bool read_arguments(FormulaReader *reader, const char *from, const char *name, size_t wanted,
                           const Node *arguments[MOST_ARGUMENTS])
{
    size_t count = 0;
    do {
        const Node *argument = read_sum(reader);
        if (!argument)
            return false;
        if (count < MOST_ARGUMENTS)
            arguments[count] = argument;
        ++count;
    } while (take(reader, ','));
    if (!take(reader, ')'))
        return expected(reader, "an operator or ')'") != NULL;
    if (count != wanted)
        (void)WRONG(reader, from, "%s takes %zu argument%s, not %zu", name, wanted, wanted == 1 ? "" : "s", count);
    return count == wanted;
}

static const Node *read_call(FormulaReader *reader, const char *from, int function)
{
    const Node *arguments[MOST_ARGUMENTS] = {NULL};
    if (!read_arguments(reader, from, expression_function_name(function), expression_arguments(function), arguments))
        return NULL;
    if (function == FUNCTION_POW)
        return make(reader, NODE_POWER, arguments[0], arguments[1]);
    return expression_call(reader->table, function, arguments[0], arguments[1]);
}

// A call of a function that the table has been given, or an unknown one.
static const Node *read_given(FormulaReader *reader, const char *from, const char *word)
{
    const Expressions *table = reader->table;
    const Node        *arguments[MOST_ARGUMENTS] = {NULL};
    for (size_t i = 0; i < table->words.call_count; ++i)
        if (strcmp(table->words.calls[i].name, word) == 0)
            return read_arguments(reader, from, word, table->words.calls[i].arguments, arguments)
                       ? table->words.calls[i].make(table->words.user, i, arguments)
                       : NULL;
    return unknown_word(reader, from, word, true);
}

static const Node *read_word(FormulaReader *reader)
{
    const char *from = reader->at;
    char        word[LONGEST_WORD];
    while (begins_word(*reader->at) || is_digit(*reader->at))
        ++reader->at;
    const size_t length = (size_t)(reader->at - from);
    if (length >= sizeof word)
        return WRONG(reader, from, "a name of more than %d characters", LONGEST_WORD - 1);
    memcpy(word, from, length);
    word[length] = '\0';
    const int function = expression_function(word, length);
    if (take(reader, '('))
        return function == FUNCTION_COUNT ? read_given(reader, from, word) : read_call(reader, from, function);
    if (function != FUNCTION_COUNT)
        return WRONG(reader, from, "%s is a function: write %s(...)", word, word);
    if (expression_knows_call(reader->table, word))
        return WRONG(reader, from, "%s is a table: write %s(...)", word, word);
    const Node *node = expression_find(reader->table, word);
    return node ? node : unknown_word(reader, from, word, false);
}

static const Node *read_primary(FormulaReader *reader)
{
    skip_spaces(reader);
    if (is_digit(*reader->at) || *reader->at == '.')
        return read_number(reader);
    if (begins_word(*reader->at))
        return read_word(reader);
    if (!take(reader, '('))
        return expected(reader, "a number, a name or '('");
    const Node *inner = read_sum(reader);
    if (inner && !take(reader, ')'))
        return expected(reader, "an operator or ')'");
    return inner;
}

static const Node *read_power(FormulaReader *reader)
{
    const Node *base = read_primary(reader);
    if (!base || !take(reader, '^'))
        return base;
    const Node *exponent = read_unary(reader);
    return exponent ? make(reader, NODE_POWER, base, exponent) : NULL;
}

static const Node *read_unary(FormulaReader *reader)
{
    const Node *node = NULL;
    if (reader->depth == MOST_BRACKETS)
        return WRONG(reader, reader->at, "brackets and signs are nested more than %d deep", MOST_BRACKETS);
    ++reader->depth;
    if (take(reader, '-'))
        node = make(reader, NODE_NEGATE, read_unary(reader), NULL);
    else
        node = take(reader, '+') ? read_unary(reader) : read_power(reader);
    --reader->depth;
    return node;
}

static const Node *read_product(FormulaReader *reader)
{
    const Node *left = read_unary(reader);
    while (left) {
        const bool times = take(reader, '*');
        if (!times && !take(reader, '/'))
            break;
        const Node *right = read_unary(reader);
        left = right ? make(reader, times ? NODE_MULTIPLY : NODE_DIVIDE, left, right) : NULL;
    }
    return left;
}

static const Node *read_sum(FormulaReader *reader)
{
    const Node *left = read_product(reader);
    while (left) {
        const bool plus = take(reader, '+');
        if (!plus && !take(reader, '-'))
            break;
        const Node *right = read_product(reader);
        left = right ? make(reader, plus ? NODE_ADD : NODE_SUBTRACT, left, right) : NULL;
    }
    return left;
}

const Node *expression_read(Expressions *table, const char *text, size_t *where, const char **why)
{
    FormulaReader reader = {.table = table, .text = text, .at = text, .where = where, .why = why};
    *where = 0;
    *why = NULL;
    const Node *node = read_sum(&reader);
    skip_spaces(&reader);
    return node && *reader.at ? expected(&reader, "an operator") : node;
}
