// numbers -- lists of numbers on the command line: "0.1,0.5,1".
#pragma once

#include "terminal/options.h"

// Zero-initialise it; release with numbers_free().
typedef struct Numbers {
    double *items;  // [count]; owned
    size_t  count;
} Numbers;

// What each number must be.
typedef enum NumbersLeast { NUMBERS_ANY, NUMBERS_NOT_NEGATIVE, NUMBERS_POSITIVE } NumbersLeast;

// For a parser function: reads a list and adds it to what is there.
//   option  its name, for messages
//   most    numbers that there may be
// Returns 0, or the code that makes options_parse() stop, with ERROR_USAGE or ERROR_INTERNAL filled.
error_t numbers_parse(const char *option, const char *text, size_t most, NumbersLeast least, Numbers *numbers,
                      struct argp_state *state);

// The same for a list of exactly two, "A,B" with A < B.
error_t numbers_parse_range(const char *option, const char *text, NumbersLeast least, double range[2],
                            struct argp_state *state);

// The same for a single number.
error_t numbers_parse_one(const char *option, const char *text, NumbersLeast least, double *number,
                          struct argp_state *state);

void numbers_free(Numbers *numbers);
