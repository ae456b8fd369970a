// functions -- the table, and words of a text that are in it.
#include "catalog/functions.h"

#include <ctype.h>
#include <string.h>

const KernelFunction functions_table[FUNCTION_COUNT] = {
    [FUNCTION_SIN] = {"sin", 1, false},     [FUNCTION_COS] = {"cos", 1, false},
    [FUNCTION_EXP] = {"exp", 1, false},     [FUNCTION_LOG] = {"log", 1, false},
    [FUNCTION_ATAN2] = {"atan2", 2, false}, [FUNCTION_SQRT] = {"sqrt", 1, false},
    [FUNCTION_ABS] = {"abs", 1, false},     [FUNCTION_MAX] = {"max", 2, false},
    [FUNCTION_MIN] = {"min", 2, false},     [FUNCTION_POW] = {"pow", 2, true},
    [FUNCTION_TAN] = {"tan", 1, true},      [FUNCTION_TANH] = {"tanh", 1, true},
    [FUNCTION_SINH] = {"sinh", 1, true},    [FUNCTION_COSH] = {"cosh", 1, true},
    [FUNCTION_ASIN] = {"asin", 1, true},    [FUNCTION_ACOS] = {"acos", 1, true},
    [FUNCTION_ATAN] = {"atan", 1, true},    [FUNCTION_HYPOT] = {"hypot", 2, true},
    [FUNCTION_CBRT] = {"cbrt", 1, true},    [FUNCTION_LOG1P] = {"log1p", 1, true},
    [FUNCTION_EXPM1] = {"expm1", 1, true},  [FUNCTION_FLOOR] = {"floor", 1, true},
    [FUNCTION_FMOD] = {"fmod", 2, true},    [FUNCTION_SIGN] = {"sign", 1, true},
};

static bool is_elementary(const char *name, size_t length)
{
    for (size_t i = 0; i < FUNCTION_COUNT; ++i)
        if (functions_table[i].elementary && strlen(functions_table[i].name) == length &&
            strncmp(functions_table[i].name, name, length) == 0)
            return true;
    return false;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

size_t functions_count_elementary(const char *text)
{
    static const char prefix[] = "real_";
    size_t            count = 0;
    for (const char *at = strstr(text, prefix); at; at = strstr(at, prefix)) {
        const bool  begins = at == text || !in_word(at[-1]);
        const char *name = at + sizeof prefix - 1;
        for (at = name; in_word(*at); ++at) {
        }
        count += begins && is_elementary(name, (size_t)(at - name));
    }
    return count;
}
