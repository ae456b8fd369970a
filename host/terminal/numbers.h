// numbers -- numbers on the command line: "0.1", and lists "0.1,0.5,1".
#pragma once

#include "base/error.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

// Zero-initialise it; release with numbers_free().
typedef struct Numbers {
    double *items;  // [count]; owned
    size_t  count;
} Numbers;

// The range of each number.
typedef struct NumbersRange {
    double least, most;
    bool   above;  // the least itself is refused
} NumbersRange;

#define NUMBERS_BETWEEN(from, to) \
    {                             \
        (from), (to), false       \
    }
#define NUMBERS_POSITIVE    \
    {                       \
        0.0, HUGE_VAL, true \
    }
#define NUMBERS_ANY NUMBERS_BETWEEN(-HUGE_VAL, HUGE_VAL)
#define NUMBERS_NOT_NEGATIVE NUMBERS_BETWEEN(0.0, HUGE_VAL)

// Each of these reads the value of an option.
//   option  its name, for messages
// Errors: ERROR_USAGE (not numbers, out of range, too many), ERROR_INTERNAL (memory).

// A number.
bool numbers_read_one(const char *option, const char *text, const NumbersRange *range, double *number, Error *err);

// A whole number from `least` to `most`: "12", 1e6 too. UINT64_MAX: any from 0 on.
bool numbers_read_whole(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *whole,
                        Error *err);

// A list, added to `numbers`, so that there are at most `most`.
bool numbers_read(const char *option, const char *text, size_t most, const NumbersRange *range, Numbers *numbers,
                  Error *err);

// A list of exactly two, "A,B" with A < B.
bool numbers_read_range(const char *option, const char *text, const NumbersRange *range, double ends[2], Error *err);

void numbers_free(Numbers *numbers);
