// read -- formulas by recursive descent.
//
//     formula     conjunction {or conjunction}
//     conjunction negation {and negation}
//     negation    not negation | comparison
//     comparison  sum [(< | <= | > | >=) sum]
//     sum         product {(+ | -) product}
//     product     unary {(* | /) unary}
//     unary       - unary | + unary | power
//     power       primary [^ unary]
//     primary     number | name | function(sum {, sum}) | if(formula, sum, sum) | (formula)
//                 | name[sum] | sum(name, sum, sum, sum)
//
// A sum over an index is read once for each value of the index, so that the formula is one as if all terms were spelt.
// What stands between [ ], and the ends of a sum, are numbers that are known here.
// A formula is a number or a condition, and each operand must be what its operator takes.
#include "base/suggest.h"
#include "base/yaml.h"
#include "expression/evaluate.h"
#include "expression/expression.h"

#include <math.h>
#include <string.h>

enum { MOST_BRACKETS = 100, LONGEST_WORD = 64, MOST_ARGUMENTS = 4, MOST_TERMS = 4000, MOST_TERMS_TOGETHER = 1 << 18 };

typedef struct FormulaReader {
    Expressions *table;
    const char  *text, *at;
    int          depth, unread;  // within how many parts that are read and not used
    size_t       terms;          // of sums over an index
    size_t      *where;
    const char **why;
} FormulaReader;

static const Node *read_formula(FormulaReader *reader);
static const Node *read_comparison(FormulaReader *reader);
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

bool expression_reserves(const char *word)
{
    return strcmp(word, "if") == 0 || strcmp(word, "and") == 0 || strcmp(word, "or") == 0 || strcmp(word, "not") == 0;
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
    case NODE_POWER: return expression_power(table, left, right);
    default: return expression_make(table, kind, left, right);
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
                     (int)strcspn(reader->at, " \t\n+-*/^(),[]"), reader->at);
    return WRONG(reader, reader->at, "expected %s, found '%.*s'%s", what, character(reader->at), reader->at,
                 strchr("=!&|", *reader->at)
                     ? "; conditions are made by < <= > >= and or not: a = b is not (a < b or a > b)"
                     : "");
}

// A node that was read from `from` on, where a number is wanted, or a condition.
static const Node *wanted(FormulaReader *reader, bool condition, const char *from, const Node *node)
{
    if (!node || expression_is_condition(node) == condition)
        return node;
    return condition ? WRONG(reader, from, "a number is not a condition: compare it, as in x > 0")
                     : WRONG(reader, from, "a condition is not a number: choose by it, as in if(x > 0, 1, 2)");
}

static const Node *read_wanted(FormulaReader *reader, bool condition, const Node *(*read)(FormulaReader *reader))
{
    skip_spaces(reader);
    const char *from = reader->at;
    return wanted(reader, condition, from, read(reader));
}

// One level deeper, which the caller leaves again.
static bool enter(FormulaReader *reader)
{
    if (reader->depth == MOST_BRACKETS)
        return WRONG(reader, reader->at, "brackets and signs are nested more than %d deep", MOST_BRACKETS) != NULL;
    ++reader->depth;
    return true;
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

// Whether a formula is a number that is known here, or a condition that is.
static bool is_known(const Node *node)
{
    const unsigned unknown =
        1U << NODE_COORDINATE | 1U << NODE_VELOCITY | 1U << NODE_PARAMETER | 1U << NODE_TIME | 1U << NODE_TABLE;
    return !(node->uses & unknown);
}

// Of coordinates with numbers a choice by a known condition is the side chosen: a[i - 1] may stand in the other one
// where there is none.
static bool is_decided(const FormulaReader *reader, const Node *condition)
{
    return reader->table->words.indexed_count > 0 && condition && is_known(condition);
}

// Whether an argument of a call is a side of a choice that is not chosen.
static bool is_unread(const FormulaReader *reader, bool chooses, size_t number, const Node *const *arguments)
{
    if (!chooses || number == 0 || !is_decided(reader, arguments[0]))
        return false;
    return (expression_evaluate(arguments[0], 0.0, NULL, NULL) != 0.0) != (number == 1);
}

// The arguments of a call up to its bracket; how many there must be is checked. The first of a choice is a condition.
static bool read_arguments(FormulaReader *reader, const char *from, const char *name, size_t needed,
                           const Node *arguments[MOST_ARGUMENTS])
{
    const bool chooses = strcmp(name, "if") == 0;
    size_t     count = 0;
    do {
        skip_spaces(reader);
        const char *at = reader->at;
        const bool  unread = is_unread(reader, chooses, count, arguments);
        reader->unread += unread;
        const Node *argument = read_formula(reader);
        reader->unread -= unread;
        skip_spaces(reader);
        if (argument && *reader->at != ',' && *reader->at != ')')
            return expected(reader, "an operator or ')'") != NULL;
        if (!wanted(reader, chooses && count == 0, at, argument))
            return false;
        if (count < MOST_ARGUMENTS)
            arguments[count] = argument;
        ++count;
    } while (take(reader, ','));
    ++reader->at;
    if (count != needed)
        (void)WRONG(reader, from, "%s takes %zu argument%s, not %zu", name, needed, needed == 1 ? "" : "s", count);
    return count == needed;
}

static const Node *read_choice(FormulaReader *reader, const char *from)
{
    const Node *arguments[MOST_ARGUMENTS] = {NULL};
    if (!read_arguments(reader, from, "if", 3, arguments))
        return NULL;
    if (is_decided(reader, arguments[0]))
        return expression_evaluate(arguments[0], 0.0, NULL, NULL) != 0.0 ? arguments[1] : arguments[2];
    return expression_choose(reader->table, arguments[0], arguments[1], arguments[2]);
}

// A whole number that is known here, up to the sign behind it; 0 in a part that is not used.
//   what  names it in messages
static bool read_whole(FormulaReader *reader, const char *what, char end, long *whole)
{
    enum { LARGEST = 1 << 20 };
    skip_spaces(reader);
    const char *from = reader->at;
    const Node *node = read_wanted(reader, false, read_comparison);
    if (!node)
        return false;
    if (!take(reader, end))
        return expected(reader, end == ']' ? "an operator or ']'" : "an operator or ','") != NULL;
    const double value = reader->unread ? 0.0 : is_known(node) ? expression_evaluate(node, 0.0, NULL, NULL) : NAN;
    if (!(fabs(value) <= LARGEST) || value != floor(value))
        return WRONG(reader, from, "%s is a whole number made of numbers, indices and names of `define`", what) != NULL;
    *whole = (long)value;
    return true;
}

static const Indexed *find_indexed(const FormulaReader *reader, const char *word)
{
    const FormulaWords *words = &reader->table->words;
    for (size_t i = 0; i < words->indexed_count; ++i)
        if (strcmp(words->indexed[i].name, word) == 0)
            return &words->indexed[i];
    return NULL;
}

// a[i + 1], from behind the name on.
static const Node *read_member(FormulaReader *reader, const char *from, const char *word)
{
    const Indexed *indexed = find_indexed(reader, word);
    long           index;
    if (!indexed)
        return WRONG(reader, from,
                     "'%s' has no numbers: `coordinates: {%s: n}` gives it n, a number or a name of `define`", word,
                     word);
    if (!read_whole(reader, "an index", ']', &index))
        return NULL;
    if (reader->unread)
        return expression_number(reader->table, 0.0);
    if (index < 0 || (size_t)index >= indexed->count)
        return WRONG(reader, from, "%s[%ld] is none of %s[0] to %s[%zu]", word, index, word, word, indexed->count - 1);
    return expression_leaf(reader->table, indexed->kind, indexed->first + (size_t)index);
}

// The index of a sum, which nothing else is called.
static const char *read_index(FormulaReader *reader)
{
    skip_spaces(reader);
    const char *from = reader->at;
    while (begins_word(*reader->at) || (reader->at > from && is_digit(*reader->at)))
        ++reader->at;
    const int   length = (int)(reader->at - from);
    const char *word = arena_format(reader->table->arena, reader->table->err, "%.*s", length, from);
    if (length == 0)
        return (void)expected(reader, "the name of an index, as in sum(j, 0, n - 1, a[j])"), NULL;
    if (word &&
        (expression_find(reader->table, word) || find_indexed(reader, word) || expression_reserves(word) ||
         expression_knows_call(reader->table, word) || expression_function(word, (size_t)length) != FUNCTION_COUNT))
        return (void)WRONG(reader, from, "sum: the name '%s' is taken, choose another for the index", word), NULL;
    return word && (take(reader, ',') || expected(reader, "','")) ? word : NULL;
}

// One term, with the index known by its name.
static const Node *read_term(FormulaReader *reader, const char *name, long value)
{
    Expressions *table = reader->table;
    if (!expression_name(table, name, expression_number(table, (double)value)))
        return NULL;
    const Node *term = read_wanted(reader, false, read_formula);
    --table->words.name_count;
    skip_spaces(reader);
    return term && *reader->at != ')' ? expected(reader, "an operator or ')'") : term;
}

// sum(j, 0, n - 1, formula), from behind the first bracket on: the terms one after the other, 0 where there are none.
static const Node *read_sum(FormulaReader *reader, const char *from)
{
    long        first, last;
    const char *name = read_index(reader);
    if (!name || !read_whole(reader, "the first index of a sum", ',', &first) ||
        !read_whole(reader, "the last index of a sum", ',', &last) || !enter(reader))
        return NULL;
    if (last - first >= MOST_TERMS)
        return WRONG(reader, from, "a sum of %ld terms, %d are possible", last - first + 1, MOST_TERMS);
    const char *const body = reader->at;
    const bool        empty = last < first;
    reader->unread += empty;
    const Node *sum = read_term(reader, name, first);
    reader->unread -= empty;
    for (long value = first + 1; sum && value <= last; ++value) {
        reader->at = body;
        if (++reader->terms > MOST_TERMS_TOGETHER)
            return WRONG(reader, from, "the sums of a formula have more than %d terms", MOST_TERMS_TOGETHER);
        sum = make(reader, NODE_ADD, sum, read_term(reader, name, value));
    }
    --reader->depth;
    if (!sum)
        return NULL;
    ++reader->at;
    return empty ? expression_number(reader->table, 0.0) : sum;
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
    if (strcmp(word, "if") == 0 && take(reader, '('))
        return read_choice(reader, from);
    if (expression_reserves(word))
        return WRONG(reader, from, "expected a number, a name or '(' before '%s'; a choice is if(x > 0, 1, 2)", word);
    if (take(reader, '['))
        return read_member(reader, from, word);
    const int function = expression_function(word, length);
    if (strcmp(word, "sum") == 0 && !expression_knows_call(reader->table, word) && take(reader, '('))
        return read_sum(reader, from);
    if (take(reader, '('))
        return function == FUNCTION_COUNT ? read_given(reader, from, word) : read_call(reader, from, function);
    if (function != FUNCTION_COUNT)
        return WRONG(reader, from, "%s is a function: write %s(...)", word, word);
    if (expression_knows_call(reader->table, word))
        return WRONG(reader, from, "%s is a table: write %s(...)", word, word);
    const Node    *node = expression_find(reader->table, word);
    const Indexed *indexed = node ? NULL : find_indexed(reader, word);
    if (indexed)
        return WRONG(reader, from, "%s has numbers: write %s[0] to %s[%zu], or %s[i]", word, word, word,
                     indexed->count - 1, word);
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
    const Node *inner = read_formula(reader);
    if (inner && !take(reader, ')'))
        return expected(reader, "an operator or ')'");
    return inner;
}

static const Node *read_power(FormulaReader *reader)
{
    const char *from = reader->at;
    const Node *base = read_primary(reader);
    if (!base || !take(reader, '^'))
        return base;
    const Node *exponent = read_wanted(reader, false, read_unary);
    return exponent && wanted(reader, false, from, base) ? make(reader, NODE_POWER, base, exponent) : NULL;
}

static const Node *read_unary(FormulaReader *reader)
{
    const Node *node = NULL;
    if (!enter(reader))
        return NULL;
    if (take(reader, '-'))
        node = make(reader, NODE_NEGATE, read_wanted(reader, false, read_unary), NULL);
    else
        node = take(reader, '+') ? read_wanted(reader, false, read_unary) : read_power(reader);
    --reader->depth;
    return node;
}

// Operators between operands, those that bind least first. A sign is not followed by the rest of a longer one.
typedef enum OperatorRank { RANK_OR, RANK_AND, RANK_COMPARISON, RANK_SUM, RANK_PRODUCT, RANK_COUNT } OperatorRank;

static const struct {
    const char  *sign;
    OperatorRank rank;
    NodeKind     kind;
} operators[] = {{"or", RANK_OR, NODE_OR},
                 {"and", RANK_AND, NODE_AND},
                 {"<=", RANK_COMPARISON, NODE_AT_MOST},
                 {">=", RANK_COMPARISON, NODE_AT_LEAST},
                 {"<", RANK_COMPARISON, NODE_LESS},
                 {">", RANK_COMPARISON, NODE_GREATER},
                 {"+", RANK_SUM, NODE_ADD},
                 {"-", RANK_SUM, NODE_SUBTRACT},
                 {"*", RANK_PRODUCT, NODE_MULTIPLY},
                 {"/", RANK_PRODUCT, NODE_DIVIDE}};

// Takes a sign, or a word that ends there.
static bool take_sign(FormulaReader *reader, const char *sign)
{
    const size_t length = strlen(sign);
    skip_spaces(reader);
    if (strncmp(reader->at, sign, length) != 0 ||
        (begins_word(*sign) && (begins_word(reader->at[length]) || is_digit(reader->at[length]))))
        return false;
    reader->at += length;
    return true;
}

static bool take_operator(FormulaReader *reader, OperatorRank rank, NodeKind *kind)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i)
        if (operators[i].rank == rank && take_sign(reader, operators[i].sign)) {
            *kind = operators[i].kind;
            return true;
        }
    return false;
}

static const Node *read_rank(FormulaReader *reader, OperatorRank rank);

static const Node *read_comparison(FormulaReader *reader)
{
    return read_rank(reader, RANK_COMPARISON);
}

static const Node *read_not(FormulaReader *reader)
{
    if (!take_sign(reader, "not"))
        return read_comparison(reader);
    if (!enter(reader))
        return NULL;
    const Node *node = make(reader, NODE_NOT, read_wanted(reader, true, read_not), NULL);
    --reader->depth;
    return node;
}

// An operand of operators of that rank.
static const Node *read_operand(FormulaReader *reader, OperatorRank rank)
{
    return rank == RANK_PRODUCT ? read_unary(reader)
           : rank == RANK_AND   ? read_not(reader)
                                : read_rank(reader, rank + 1);
}

static const Node *read_rank(FormulaReader *reader, OperatorRank rank)
{
    const bool conditions = rank < RANK_COMPARISON;
    NodeKind   kind;
    skip_spaces(reader);
    const char *from = reader->at;
    const Node *left = read_operand(reader, rank);
    for (bool first = true; left && take_operator(reader, rank, &kind); first = false) {
        if (rank == RANK_COMPARISON && !first)
            return WRONG(reader, from, "a comparison has two sides: join two of them, as in 0 < x and x < 1");
        if (!wanted(reader, conditions, from, left))
            return NULL;
        skip_spaces(reader);
        const char *at = reader->at;
        left = make(reader, kind, left, wanted(reader, conditions, at, read_operand(reader, rank)));
    }
    return left;
}

static const Node *read_formula(FormulaReader *reader)
{
    return read_rank(reader, RANK_OR);
}

const Node *expression_read(Expressions *table, const char *text, size_t *where, const char **why)
{
    FormulaReader reader = {.table = table, .text = text, .at = text, .where = where, .why = why};
    *where = 0;
    *why = NULL;
    const Node *node = read_formula(&reader);
    skip_spaces(&reader);
    if (node && *reader.at)
        return expected(&reader, "an operator");
    return node && !table->words.conditions ? wanted(&reader, false, text + strspn(text, " \t\n"), node) : node;
}
