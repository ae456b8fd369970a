// functions -- the table, and names in a text that are in it.
#include "catalog/functions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { IN_real, IN_elementary };

const KernelFunction functions_table[FUNCTION_COUNT] = {
#define FUNCTION(NAME, name, arguments, file, ulp, value, off, derivative) \
    {#name, arguments, IN_##file == IN_elementary, ulp, derivative},
#include "catalog/functions.def"
};

static int find(const char *name, size_t length)
{
    static const char slope[] = "sin_slope";
    int               i = 0;
    if (length == sizeof slope - 1 && strncmp(name, slope, length) == 0)
        return FUNCTION_COS;  // in other bits
    while (i < FUNCTION_COUNT &&
           (strncmp(functions_table[i].name, name, length) != 0 || functions_table[i].name[length] != '\0'))
        ++i;
    return i;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool functions_is_long(int function)
{
    const KernelFunction *of = &functions_table[function];
    return of->ulp > 0.5 || (of->elementary && of->arguments == 2);
}

// How many calls a name stands for.
//   name  behind real_
//   end   of the name
static size_t count_calls(const char *text, const char *name, const char *end)
{
    static const char block[] = "CALLS(real_";
    const size_t      before = sizeof block - 1;
    if ((size_t)(name - text) < before || strncmp(name - before, block, before) != 0)
        return 1;
    const char *last = end + strcspn(end, ")");
    while (last > end && isdigit((unsigned char)last[-1]))
        --last;
    return strtoul(last, NULL, 10);
}

void functions_count(const char *text, size_t counts[FUNCTION_COUNT])
{
    static const char prefix[] = "real_";
    memset(counts, 0, FUNCTION_COUNT * sizeof *counts);
    for (const char *at = strstr(text, prefix); at; at = strstr(at, prefix)) {
        const bool  begins = at == text || !in_word(at[-1]);
        const char *name = at + sizeof prefix - 1;
        for (at = name; in_word(*at); ++at) {
        }
        const int function = begins ? find(name, (size_t)(at - name)) : FUNCTION_COUNT;
        if (function < FUNCTION_COUNT)
            counts[function] += count_calls(text, name, at);
    }
}

size_t functions_count_elementary(const char *text)
{
    size_t counts[FUNCTION_COUNT], sum = 0;
    functions_count(text, counts);
    for (size_t i = 0; i < FUNCTION_COUNT; ++i)
        sum += functions_table[i].elementary ? counts[i] : 0;
    return sum;
}
