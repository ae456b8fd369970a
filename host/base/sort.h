// sort -- numbers in ascending order.
#pragma once

#include <stddef.h>

// numbers[count]; none is NaN.
void sort_numbers(double *numbers, size_t count);
