// outline -- macros around the file: by them its functions are no longer inlined, and its calls are of functions.
#include "compose/outline.h"

#include "catalog/functions.h"

// Calls of elementary functions in a file that are still inlined, those of its Jacobian too. No file of
// kernels/problems has as many; three oscillators, each coupled with both others, have 12, and four 24.
enum { MOST_INLINED = 20 };

// Square roots, absolute values, larger and smaller ones are an instruction or two, and no call.
static bool is_long(const KernelFunction *function)
{
    return function->ulp > 0.5 || (function->elementary && function->arguments == 2);
}

static size_t count_long(const size_t counts[FUNCTION_COUNT])
{
    size_t sum = 0;
    for (size_t i = 0; i < FUNCTION_COUNT; ++i)
        sum += is_long(&functions_table[i]) ? counts[i] : 0;
    return sum;
}

bool outline_begin(const char *problem, Text *text)
{
    size_t counts[FUNCTION_COUNT];
    functions_count(problem, counts);
    if (count_long(counts) <= MOST_INLINED)
        return false;
    text_add(text, "#line 1 \"prologue\"\n#undef static\n#define static static __attribute__((noinline))\n");
    for (size_t i = 0; i < FUNCTION_COUNT; ++i) {
        const KernelFunction *function = &functions_table[i];
        const bool            two = function->arguments == 2;
        if (counts[i] > 0 && is_long(function))
            text_add(text, "static real called_%s(real a%s) { return real_%s(a%s); }\n#define real_%s called_%s\n",
                     function->name, two ? ", real b" : "", function->name, two ? ", b" : "", function->name,
                     function->name);
    }
    return true;
}

void outline_end(Text *text)
{
    text_add(text, "#line 1 \"prologue\"\n");
    for (size_t i = 0; i < FUNCTION_COUNT; ++i)
        if (is_long(&functions_table[i]))
            text_add(text, "#undef real_%s\n", functions_table[i].name);
    text_add(text, "#undef static\n#define static static inline __attribute__((always_inline))\n");
}
