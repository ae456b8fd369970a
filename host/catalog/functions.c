// functions -- the table, and names in a text that are in it.
#include "catalog/functions.h"

#include <ctype.h>
#include <string.h>

enum { IN_real, IN_elementary };

const KernelFunction functions_table[FUNCTION_COUNT] = {
#define FUNCTION(NAME, name, arguments, file, ulp, value, off, derivative) \
    {#name, arguments, IN_##file == IN_elementary, ulp, derivative},
#include "catalog/functions.def"
};

static bool is_elementary(const char *name, size_t length)
{
    for (size_t i = 0; i < FUNCTION_COUNT; ++i)
        if (functions_table[i].elementary && strncmp(functions_table[i].name, name, length) == 0 &&
            functions_table[i].name[length] == '\0')
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
