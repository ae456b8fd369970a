// formula -- reads formulas by recursive descent, and computes while it reads.
#include "analysis/claims/formula.h"

#include "analysis/claims/measure.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 48 };

typedef struct Reader {
    const Scope *scope;
    const char  *text, *at;
    Error       *err;
} Reader;

static bool read_formula(Reader *reader, Value *value);

static bool wrong(Reader *reader, const char *what)
{
    return fail(reader->err, ERROR_INPUT, "formula '%s': %s at '%.20s'", reader->text, what, reader->at);
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

Value formula_list(const Scope *scope, size_t count, Error *err)
{
    return (Value){arena_take(scope->arena, count, sizeof(double), err), count};
}

static bool join(Reader *reader, Value *left, Value right)
{
    const Value both = formula_list(reader->scope, left->count + right.count, reader->err);
    if (!both.at)
        return false;
    if (left->count > 0)
        memcpy(both.at, left->at, left->count * sizeof *both.at);
    if (right.count > 0)
        memcpy(both.at + left->count, right.at, right.count * sizeof *both.at);
    *left = both;
    return true;
}

// a, b, c and the closing token, as one list.
static bool read_list(Reader *reader, const char *close, Value *list)
{
    *list = (Value){0};
    if (take(reader, close))
        return true;
    do {
        Value next;
        if (!read_formula(reader, &next) || !join(reader, list, next))
            return false;
    } while (take(reader, ","));
    return expect(reader, close);
}

// [AXIS=VALUE, ...] behind the names of a place.
static bool read_axes(Reader *reader, Place *place)
{
    if (!take(reader, "["))
        return true;
    if (take(reader, "]"))
        return true;
    do {
        char *name = arena_take(reader->scope->arena, LONGEST_NAME, 1, reader->err);
        Value values;
        if (place->axis_count == PLACE_AXES)
            return wrong(reader, "too many axes");
        if (!name || !read_name(reader, name) || !expect(reader, "=") || !read_formula(reader, &values))
            return false;
        place->axes[place->axis_count++] = (PlaceAxis){name, values.at, values.count};
    } while (take(reader, ","));
    return expect(reader, "]");
}

// .GROUP.VARIABLE[AXES] behind the name of a sweep.
static bool read_place(Reader *reader, const char *sweep, Place *place)
{
    char name[LONGEST_NAME];
    *place = (Place){.sweep = arena_copy(reader->scope->arena, sweep, reader->err)};
    if (!place->sweep || !expect(reader, ".") || !read_name(reader, name) ||
        !(place->group = arena_copy(reader->scope->arena, name, reader->err)))
        return false;
    if (take(reader, ".") &&
        (!read_name(reader, name) || !(place->variable = arena_copy(reader->scope->arena, name, reader->err))))
        return false;
    return read_axes(reader, place);
}

static bool read_number(Reader *reader, Value *value)
{
    char *end;
    *value = formula_list(reader->scope, 1, reader->err);
    if (!value->at)
        return false;
    value->at[0] = strtod(reader->at, &end);
    if (end == reader->at)
        return wrong(reader, "a number or a name is missing");
    reader->at = end;
    return true;
}

// Functions of one number.

static double is_nan(double x)
{
    return isnan(x) ? 1.0 : 0.0;
}

static double is_finite(double x)
{
    return isfinite(x) ? 1.0 : 0.0;
}

static const struct {
    const char *name;
    double (*function)(double);
} functions[] = {{"abs", fabs},    {"sqrt", sqrt},    {"cbrt", cbrt},         {"log", log}, {"log2", log2},
                 {"exp", exp},     {"sin", sin},      {"cos", cos},           {"tan", tan}, {"ceil", ceil},
                 {"floor", floor}, {"isnan", is_nan}, {"isfinite", is_finite}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

// What makes one number of a list.

static double find_max(const double *x, size_t count)
{
    double most = x[0];
    for (size_t i = 1; i < count; ++i)
        most = x[i] <= most || isnan(most) ? most : x[i];
    return most;
}

static double find_min(const double *x, size_t count)
{
    double least = x[0];
    for (size_t i = 1; i < count; ++i)
        least = x[i] >= least || isnan(least) ? least : x[i];
    return least;
}

static double find_fmax(const double *x, size_t count)
{
    double most = x[0];
    for (size_t i = 1; i < count; ++i)
        most = fmax(most, x[i]);
    return most;
}

static double count_true(const double *x, size_t count)
{
    size_t held = 0;
    for (size_t i = 0; i < count; ++i)
        held += x[i] != 0.0;
    return (double)held;
}

static double are_all(const double *x, size_t count)
{
    return count_true(x, count) == (double)count ? 1.0 : 0.0;
}

static double count_leading(const double *x, size_t count)
{
    size_t held = 0;
    while (held < count && x[held] != 0.0)
        ++held;
    return (double)held;
}

static double find_first(const double *x, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (x[i] != 0.0)
            return (double)i;
    return -1.0;
}

static double find_nearest(const double *x, size_t count)
{
    size_t near = 0;
    for (size_t i = 1; i < count; ++i)
        near = fabs(x[i]) < fabs(x[near]) ? i : near;
    return (double)near;
}

static const struct {
    const char *name;
    double (*function)(const double *x, size_t count);
} reductions[] = {{"max", find_max}, {"min", find_min},     {"fmax", find_fmax},        {"count", count_true},
                  {"all", are_all},  {"first", find_first}, {"leading", count_leading}, {"nearest", find_nearest}};
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

// Behind maxs(, mins( and from(: a list and a whole number.
static bool read_part(Reader *reader, const char *name, Value *value)
{
    Value list, k;
    if (!read_formula(reader, &list) || !expect(reader, ",") || !read_formula(reader, &k) || !expect(reader, ")"))
        return false;
    const size_t size = k.count == 1 && k.at[0] >= 1.0 ? (size_t)k.at[0] : 0;
    if (size == 0 || (!reader->scope->dry && size > list.count))
        return wrong(reader, "a whole number within the list is missing");
    if (strcmp(name, "from") == 0) {
        if (list.count > size)
            *value = (Value){list.at + size, list.count - size};
        else
            *value = list;
        return true;
    }
    *value = formula_list(reader->scope, list.count / size, reader->err);
    for (size_t i = 0; value->at && i < value->count; ++i)
        value->at[i] =
            strcmp(name, "maxs") == 0 ? find_fmax(list.at + i * size, size) : find_min(list.at + i * size, size);
    return value->at != NULL;
}

static bool read_rises(Reader *reader, Value *value)
{
    Value list;
    if (!read_list(reader, ")", &list))
        return false;
    if (list.count < 2)
        return wrong(reader, "a list is missing");
    *value = formula_list(reader->scope, list.count - 1, reader->err);
    for (size_t i = 0; value->at && i < value->count; ++i)
        value->at[i] = list.at[i + 1] - list.at[i];
    return value->at != NULL;
}

// The arguments of a measure, as its signature has them; then the measure.
static bool read_measure(Reader *reader, const Measure *measure, Value *value)
{
    char        names[2][LONGEST_NAME] = {"", ""};
    MeasureCall call = {.measure = measure, .scope = reader->scope, .method = names[0], .other = names[1]};
    const char *kinds = measure->arguments;
    for (size_t i = 0; kinds[i]; ++i) {
        bool ok = i == 0 || expect(reader, ",");
        if (ok && kinds[i] == 'v')
            ok = read_formula(reader, &call.values[call.count++]);
        else if (ok)
            ok = read_name(reader, names[kinds[i] == 'o']);
        if (ok && kinds[i] == 'p')
            ok = read_place(reader, names[0], &call.place);
        if (!ok)
            return false;
    }
    if (!expect(reader, ")"))
        return false;
    if (!reader->scope->lab && !reader->scope->dry && measure_needs_lab(measure))
        return wrong(reader, "nothing is measured here");
    return measure_call(&call, value, reader->err);
}

static bool read_call(Reader *reader, const char *name, Value *value)
{
    const Measure *measure = measure_find(name);
    if (measure)
        return read_measure(reader, measure, value);
    if (strcmp(name, "maxs") == 0 || strcmp(name, "mins") == 0 || strcmp(name, "from") == 0)
        return read_part(reader, name, value);
    if (strcmp(name, "rises") == 0)
        return read_rises(reader, value);
    Value list;
    if (!read_list(reader, ")", &list))
        return false;
    if (list.count == 0)
        return wrong(reader, "an argument is missing before");
    for (size_t i = 0; i < FUNCTIONS; ++i)
        if (strcmp(functions[i].name, name) == 0) {
            *value = formula_list(reader->scope, list.count, reader->err);
            for (size_t k = 0; value->at && k < list.count; ++k)
                value->at[k] = functions[i].function(list.at[k]);
            return value->at != NULL;
        }
    for (size_t i = 0; i < REDUCTIONS; ++i)
        if (strcmp(reductions[i].name, name) == 0) {
            *value = formula_list(reader->scope, 1, reader->err);
            if (value->at)
                value->at[0] = reductions[i].function(list.at, list.count);
            return value->at != NULL;
        }
    return wrong(reader, "an unknown function stands before");
}

static bool read_binding(Reader *reader, const char *name, Value *value)
{
    const Scope *scope = reader->scope;
    for (size_t i = 0; i < scope->count; ++i)
        if (strcmp(scope->bindings[i].name, name) == 0) {
            *value = scope->bindings[i].value;
            if (scope->element >= 0 && value->count > 1) {
                if ((size_t)scope->element >= value->count)
                    return wrong(reader, "a list is too short before");
                *value = (Value){value->at + scope->element, 1};
            }
            return true;
        }
    if (strcmp(name, "pi") != 0)
        return wrong(reader, "an unknown name stands before");
    *value = formula_list(scope, 1, reader->err);
    if (value->at)
        value->at[0] = acos(-1.0);
    return value->at != NULL;
}

static bool read_named(Reader *reader, Value *value)
{
    char  name[LONGEST_NAME];
    Place place;
    if (!read_name(reader, name))
        return false;
    if (*reader->at == '(')
        return take(reader, "(") && read_call(reader, name, value);
    if (*reader->at != '.')
        return read_binding(reader, name, value);
    if (!read_place(reader, name, &place))
        return false;
    if (!reader->scope->lab && !reader->scope->dry)
        return wrong(reader, "nothing is measured here");
    return measure_place(reader->scope, &place, value, reader->err);
}

static bool read_element(Reader *reader, Value *value)
{
    Value which;
    while (take(reader, "[")) {
        if (!read_formula(reader, &which) || !expect(reader, "]"))
            return false;
        const size_t i = which.count == 1 && which.at[0] >= 0.0 ? (size_t)which.at[0] : SIZE_MAX;
        if (i < value->count)
            *value = (Value){value->at + i, 1};
        else if (reader->scope->dry)
            *value = (Value){value->at, 1};
        else
            return wrong(reader, "there is no such element before");
    }
    return true;
}

static bool read_primary(Reader *reader, Value *value)
{
    bool ok;
    skip_spaces(reader);
    if (take(reader, "("))
        ok = read_formula(reader, value) && expect(reader, ")");
    else if (take(reader, "["))
        ok = read_list(reader, "]", value);
    else if (isalpha((unsigned char)*reader->at))
        ok = read_named(reader, value);
    else
        ok = read_number(reader, value);
    return ok && read_element(reader, value);
}

// Operators, the weakest first.
static const char *const operators[][7] = {{"or"}, {"and"}, {"<=", ">=", "==", "!=", "<", ">"}, {"+", "-"}, {"*", "/"}};
enum { LEVELS = sizeof operators / sizeof *operators };

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
    default: return a / b;
    }
}

static bool apply(Reader *reader, const char *sign, Value *left, Value right)
{
    const size_t count = left->count > right.count ? left->count : right.count;
    if ((left->count != count && left->count != 1) || (right.count != count && right.count != 1))
        return wrong(reader, "lists of different lengths before");
    const Value value = formula_list(reader->scope, count, reader->err);
    for (size_t i = 0; value.at && i < count; ++i)
        value.at[i] = combine(sign, left->at[left->count == 1 ? 0 : i], right.at[right.count == 1 ? 0 : i]);
    *left = value;
    return value.at != NULL;
}

static bool read_signed(Reader *reader, Value *value)
{
    if (!take(reader, "-"))
        return read_primary(reader, value);
    Value zero = formula_list(reader->scope, 1, reader->err), right;
    if (!zero.at || !read_signed(reader, &right))
        return false;
    zero.at[0] = -1.0;
    *value = zero;
    return apply(reader, "*", value, right);
}

static bool read_level(Reader *reader, size_t level, Value *value)
{
    if (level == LEVELS)
        return read_signed(reader, value);
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

static bool read_formula(Reader *reader, Value *value)
{
    return read_level(reader, 0, value);
}

bool formula_value(const Scope *scope, const char *text, Value *value, Error *err)
{
    Reader reader = {.scope = scope, .text = text, .at = text, .err = err};
    if (!read_formula(&reader, value))
        return false;
    skip_spaces(&reader);
    return !*reader.at || wrong(&reader, "it should end");
}
