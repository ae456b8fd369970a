// plain_needs -- instruction sets of the plain loops, from the macros that the compiler defines.
#include "analysis/bench/plain_needs.h"

// A macro that is defined expands to 1, another to its own name.
#define NAME(macro) #macro
#define NEED(name, macro) .name = sizeof NAME(macro) == sizeof "1",

const PlainNeeds plain_needs = {PLAIN_NEEDS(NEED)};
