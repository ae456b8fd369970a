// formula -- reads formulas by recursive descent, and computes while it reads.
#include "analysis/claims/formula.h"

#include "analysis/claims/lists.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 48, MOST_BINDINGS = 3 * FUNCTION_FORMULAS, DEEPEST = 100, MOST_WORK = 1 << 24 };

typedef struct Reader {
    const Scope *scope;
    const char  *text, *at;
    int          depth;
    Error       *err;
} Reader;

static bool read_level(Reader *reader, size_t level, Value *value);

static bool wrong(Reader *reader, const char *what)
{
    return fail(reader->err, ERROR_INPUT, "formula '%s': %s at '%.20s'", reader->text, what, reader->at);
}

// Counts the numbers a formula computes: a `while` may hold for ever, and lists may grow without end.
static bool work(Reader *reader, size_t count)
{
    size_t *done = reader->scope->work;
    if (count > MOST_WORK - *done)
        return wrong(reader, "more than 2^24 numbers are computed (does each 'while' end?)");
    *done += count;
    return true;
}

static bool read_formula(Reader *reader, Value *value)
{
    if (reader->depth == DEEPEST)
        return wrong(reader, "brackets or functions are nested too deep");
    if (!work(reader, 1))
        return false;
    ++reader->depth;
    const bool ok = read_level(reader, 0, value);
    --reader->depth;
    return ok;
}

static void skip_spaces(Reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        ++reader->at;
}

// Whether a token comes next, which is then behind.
static bool take(Reader *reader, const char *token)
{
    const size_t length = strlen(token);
    skip_spaces(reader);
    if (strncmp(reader->at, token, length) != 0)
        return false;
    // A word does not end within a longer one.
    if (isalpha((unsigned char)*token) && (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_'))
        return false;
    reader->at += length;
    return true;
}

static bool expect(Reader *reader, const char *token)
{
    char what[32];
    snprintf(what, sizeof what, "'%s' is missing", token);
    return take(reader, token) || wrong(reader, what);
}

static bool read_name(Reader *reader, char name[LONGEST_NAME])
{
    size_t length = 0;
    skip_spaces(reader);
    while (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_')
        ++length;
    if (length == 0 || length >= LONGEST_NAME)
        return wrong(reader, "a name is missing");
    memcpy(name, reader->at, length);
    name[length] = '\0';
    reader->at += length;
    return true;
}

static bool make_list(Reader *reader, size_t count, Value *value)
{
    if (!work(reader, count))
        return false;
    *value = (Value){arena_take(reader->scope->arena, count, sizeof *value->at, reader->err), count};
    return value->at != NULL;
}

// a, b, c and the closing token, as one list.
static bool read_list(Reader *reader, const char *close, Value *list)
{
    *list = (Value){0};
    if (take(reader, close))
        return true;
    do {
        Value next;
        if (!read_formula(reader, &next))
            return false;
        const Value before = *list;
        if (!make_list(reader, before.count + next.count, list))
            return false;
        for (size_t i = 0; i < list->count; ++i)
            list->at[i] = i < before.count ? before.at[i] : next.at[i - before.count];
    } while (take(reader, ","));
    return expect(reader, close);
}

// .GROUP.VARIABLE[AXIS=VALUES, ...] behind the name of a sweep.
static bool read_place(Reader *reader, const char *sweep, Value *value)
{
    char  group[LONGEST_NAME], variable[LONGEST_NAME], axes[PLACE_AXES][LONGEST_NAME];
    Place place = {.sweep = sweep, .group = group, .variable = variable};
    if (!expect(reader, ".") || !read_name(reader, group) || !expect(reader, ".") || !read_name(reader, variable))
        return false;
    if (take(reader, "[") && !take(reader, "]")) {
        do {
            const size_t i = place.axis_count;
            if (i == PLACE_AXES)
                return wrong(reader, "too many axes");
            place.axes[i].name = axes[i];
            if (!read_name(reader, axes[i]) || !expect(reader, "=") || !read_formula(reader, &place.axes[i].values))
                return false;
            ++place.axis_count;
        } while (take(reader, ","));
        if (!expect(reader, "]"))
            return false;
    }
    if (!reader->scope->lab)
        return wrong(reader, "nothing is measured here");
    return lab_place(reader->scope->lab, &place, reader->scope->arena, value, reader->err);
}

// The arguments of radius, matrix or limits behind the bracket.
static bool read_method(Reader *reader, const char *name, Value *value)
{
    char  method[LONGEST_NAME];
    Value lists[3];
    if (!read_name(reader, method))
        return false;
    for (size_t i = 0; i < lab_lists(name); ++i)
        if (!expect(reader, ",") || !read_formula(reader, &lists[i]))
            return false;
    if (!expect(reader, ")"))
        return false;
    if (!reader->scope->lab)
        return wrong(reader, "nothing is measured here");
    return lab_method(reader->scope->lab, name, method, lists, reader->scope->arena, value, reader->err);
}

// Gives names their values, in turn: to a name that is there a new one.
static bool bind(Scope *scope, Binding *bindings, const Formula *formulas, size_t count, Error *err)
{
    for (size_t i = 0; i < count; ++i) {
        size_t b = 0;
        Value  value;
        if (!formula_value(scope, formulas[i].text, &value, err))
            return false;
        while (b < scope->count && strcmp(bindings[b].name, formulas[i].name) != 0)
            ++b;
        bindings[b] = (Binding){formulas[i].name, value};
        scope->count += b == scope->count;
    }
    return true;
}

static bool run_function(const ClaimFunction *function, Scope *scope, Binding *bindings, Value *value, Error *err)
{
    Value holds;
    if (!bind(scope, bindings, function->start, function->start_count, err))
        return false;
    while (function->repeat) {
        if (!formula_value(scope, function->repeat, &holds, err))
            return false;
        if (holds.count == 0 || holds.at[0] == 0.0)
            break;
        if (!bind(scope, bindings, function->step, function->step_count, err))
            return false;
    }
    return formula_value(scope, function->gives, value, err);
}

// The arguments of a function of the ledger behind the bracket; then its value. Values in between are released.
static bool read_function(Reader *reader, const ClaimFunction *function, Value *value)
{
    Arena   between = {0};
    Binding bindings[MOST_BINDINGS];
    Scope   scope = {.lab = reader->scope->lab,
                     .functions = reader->scope->functions,
                     .bindings = bindings,
                     .count = function->parameter_count,
                     .element = FORMULA_WHOLE,
                     .arena = &between,
                     .depth = reader->depth,
                     .work = reader->scope->work};
    for (size_t i = 0; i < scope.count; ++i) {
        bindings[i].name = function->parameters[i];
        if ((i > 0 && !expect(reader, ",")) || !read_formula(reader, &bindings[i].value))
            return false;
    }
    Value given;
    bool  ok = expect(reader, ")") && run_function(function, &scope, bindings, &given, reader->err) &&
              make_list(reader, given.count, value);
    if (ok)
        memcpy(value->at, given.at, given.count * sizeof *value->at);
    arena_free(&between);
    return ok;
}

static bool read_call(Reader *reader, const char *name, Value *value)
{
    const Functions *functions = reader->scope->functions;
    Value            list;
    if (lab_lists(name) > 0)
        return read_method(reader, name, value);
    for (size_t i = 0; functions && i < functions->count; ++i)
        if (strcmp(functions->items[i].name, name) == 0)
            return read_function(reader, &functions->items[i], value);
    if (!read_list(reader, ")", &list) || !make_list(reader, list.count + LISTS_LEAST_ROOM, value))
        return false;
    value->count = lists_apply(name, list.at, list.count, value->at);
    return value->count > 0 || wrong(reader, "no function of these arguments stands before");
}

static bool read_binding(Reader *reader, const char *name, Value *value)
{
    const Scope *scope = reader->scope;
    for (size_t i = 0; i < scope->count; ++i)
        if (strcmp(scope->bindings[i].name, name) == 0) {
            *value = scope->bindings[i].value;
            if (scope->element < 0 || value->count == 1)
                return true;
            if ((size_t)scope->element >= value->count)
                return wrong(reader, "a list is too short before");
            *value = (Value){value->at + scope->element, 1};
            return true;
        }
    if (strcmp(name, "pi") != 0)
        return wrong(reader, "an unknown name stands before");
    if (!make_list(reader, 1, value))
        return false;
    value->at[0] = acos(-1.0);
    return true;
}

static bool read_named(Reader *reader, Value *value)
{
    char name[LONGEST_NAME];
    if (!read_name(reader, name))
        return false;
    if (take(reader, "("))
        return read_call(reader, name, value);
    return *reader->at == '.' ? read_place(reader, name, value) : read_binding(reader, name, value);
}

static bool read_number(Reader *reader, Value *value)
{
    char *end;
    if (!make_list(reader, 1, value))
        return false;
    value->at[0] = strtod(reader->at, &end);
    if (end == reader->at)
        return wrong(reader, "a number or a name is missing");
    reader->at = end;
    return true;
}

// A number, a name, a list or a formula in brackets, and which of its elements.
static bool read_primary(Reader *reader, Value *value)
{
    bool  ok;
    Value which;
    if (take(reader, "("))
        ok = read_formula(reader, value) && expect(reader, ")");
    else if (take(reader, "["))
        ok = read_list(reader, "]", value);
    else if (isalpha((unsigned char)*reader->at))
        ok = read_named(reader, value);
    else
        ok = read_number(reader, value);
    while (ok && take(reader, "[")) {
        if (!read_formula(reader, &which) || !expect(reader, "]"))
            return false;
        if (which.count != 1 || !(which.at[0] >= 0.0 && which.at[0] < (double)value->count))
            return wrong(reader, "there is no such element before");
        *value = (Value){value->at + (size_t)which.at[0], 1};
    }
    return ok;
}

// Operators, the weakest first.
static const char *const operators[][7] = {{"or"},     {"and"},    {"<=", ">=", "==", "!=", "<", ">"},
                                           {"+", "-"}, {"*", "/"}, {"^"}};
enum { LEVELS = sizeof operators / sizeof *operators, LEVEL_SIGN = LEVELS - 1 };

static double combine(const char *sign, double a, double b)
{
    switch (sign[0]) {
    case 'o': return a != 0.0 || b != 0.0;
    case 'a': return a != 0.0 && b != 0.0;
    case '<': return sign[1] ? a <= b : a < b;
    case '>': return sign[1] ? a >= b : a > b;
    case '=': return a == b;
    case '!': return a != b;
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return a / b;
    default: return pow(a, b);
    }
}

static bool apply(Reader *reader, const char *sign, Value *left, Value right)
{
    const Value  first = *left;
    const size_t count = first.count > right.count ? first.count : right.count;
    if ((first.count != count && first.count != 1) || (right.count != count && right.count != 1))
        return wrong(reader, "lists of different lengths before");
    if (!make_list(reader, count, left))
        return false;
    for (size_t i = 0; i < count; ++i)
        left->at[i] = combine(sign, first.at[first.count == 1 ? 0 : i], right.at[right.count == 1 ? 0 : i]);
    return true;
}

static bool read_level(Reader *reader, size_t level, Value *value)
{
    if (level == LEVELS)
        return read_primary(reader, value);
    if (level == LEVEL_SIGN && take(reader, "-")) {
        double minus = -1.0;
        return read_level(reader, level, value) && apply(reader, "*", value, (Value){&minus, 1});
    }
    if (!read_level(reader, level + 1, value))
        return false;
    for (;;) {
        size_t k = 0;
        while (operators[level][k] && !take(reader, operators[level][k]))
            ++k;
        const char *sign = operators[level][k];
        Value       right;
        if (!sign)
            return true;
        if (!read_level(reader, level + 1, &right) || !apply(reader, sign, value, right))
            return false;
    }
}

bool formula_value(const Scope *scope, const char *text, Value *value, Error *err)
{
    size_t first = 0;
    Scope  own = *scope;
    own.work = own.work ? own.work : &first;
    Reader reader = {.scope = &own, .text = text, .at = text, .depth = scope->depth, .err = err};
    if (!read_formula(&reader, value))
        return false;
    skip_spaces(&reader);
    return !*reader.at || wrong(&reader, "it should end");
}
