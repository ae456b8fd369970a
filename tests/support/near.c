// near -- the failure message shows every digit.
#include "support/near.h"
#include "support/test.h"

#include <math.h>

void near_assert(double value, double expected, double bound, const char *what, const char *file, int line)
{
    if (!(fabs(value - expected) <= bound)) {
        print_error("%s is %.17g, not %.17g +- %g\n", what, value, expected, bound);
        _fail(file, line);
    }
}
