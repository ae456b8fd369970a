// near -- the assertion that two numbers differ by no more than a bound.
#pragma once

#define assert_near(value, expected, bound) near_assert(value, expected, bound, #value, __FILE__, __LINE__)

void near_assert(double value, double expected, double bound, const char *what, const char *file, int line);
