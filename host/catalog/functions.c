// functions -- the table, and words of a text that are in it.
#include "catalog/functions.h"

#include <ctype.h>
#include <string.h>

const KernelFunction functions_table[FUNCTIONS_COUNT] = {
    {"sin", 1, false},  {"cos", 1, false},  {"exp", 1, false},  {"log", 1, false}, {"atan2", 2, false},
    {"sqrt", 1, false}, {"abs", 1, false},  {"max", 2, false},  {"min", 2, false}, {"pow", 2, true},
    {"tan", 1, true},   {"tanh", 1, true},  {"sinh", 1, true},  {"cosh", 1, true}, {"asin", 1, true},
    {"acos", 1, true},  {"atan", 1, true},  {"hypot", 2, true}, {"cbrt", 1, true}, {"log1p", 1, true},
    {"expm1", 1, true}, {"floor", 1, true}, {"fmod", 2, true},  {"sign", 1, true},
};

static bool is_elementary(const char *name, size_t length)
{
    for (size_t i = 0; i < FUNCTIONS_COUNT; ++i)
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
