// outline -- macros around the file: by them its functions are no longer inlined, and its calls are of functions.
#include "compose/outline.h"

#include "catalog/functions.h"

#include <string.h>

enum { MOST_UNKNOWNS = 32 };

bool outline_needed(const char *problem, size_t dofs)
{
    size_t counts[FUNCTION_COUNT], sum = 0;
    functions_count(problem, counts);
    for (int i = 0; i < FUNCTION_COUNT; ++i)
        sum += functions_is_long(i) ? counts[i] : 0;
    return sum > FUNCTIONS_INLINED || dofs > MOST_UNKNOWNS || strstr(problem, "CALLS(");
}

void outline_begin(const char *problem, Text *text)
{
    size_t counts[FUNCTION_COUNT];
    functions_count(problem, counts);
    text_add(text, "#line 1 \"prologue\"\n#undef static\n#define static static __attribute__((noinline))\n");
    for (int i = 0; i < FUNCTION_COUNT; ++i) {
        const char *name = functions_table[i].name;
        const bool  two = functions_table[i].arguments == 2, angles = i == FUNCTION_SIN || i == FUNCTION_COS;
        if (counts[i] > 0 && !two)
            text_add(text, "%s(%s)\n", angles ? "CALLED_ANGLES" : "CALLED_ALL", name);
        if (counts[i] > 0 && functions_is_long(i))
            text_add(text, "%s(%s)\n#define real_%s called_%s\n", two ? "CALLED_2" : "CALLED", name, name, name);
        if (counts[i] > 0 && i == FUNCTION_COS)
            text_add(text, "CALLED(sin_slope)\n#define real_sin_slope called_sin_slope\n");
    }
}

void outline_end(Text *text)
{
    text_add(text, "#line 1 \"prologue\"\n");
    for (int i = 0; i < FUNCTION_COUNT; ++i)
        if (functions_is_long(i))
            text_add(text, "#undef real_%s\n", functions_table[i].name);
    text_add(text, "#undef real_sin_slope\n");
    text_add(text, "#undef static\n#define static static inline __attribute__((always_inline))\n");
}
