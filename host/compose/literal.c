// literal -- writes numbers as C does.
#include "compose/literal.h"

#include <math.h>

void literal_add(Text *out, double value)
{
    if (isinf(value))
        text_add(out, value > 0 ? "REAL_INFINITY" : "-REAL_INFINITY");
    else
        text_add(out, "%.17g%s", value, value == floor(value) && fabs(value) < 1e17 ? ".0" : "");
}
