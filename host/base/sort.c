// sort -- numbers sorted by the library.
#include "base/sort.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

void sort_numbers(double *numbers, size_t count)
{
    if (count > 1)
        qsort(numbers, count, sizeof *numbers, compare);
}
