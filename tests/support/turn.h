// turn -- which part of a long walk this run takes.
//
// The environment variable PENDULA_TURN is a hexadecimal number, such as the hash of a commit, or "all". The gate sets
// it to its commit, so that one commit always takes the same part and many commits take all. Without it the first part
// is taken.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline const char *turn_word(void)
{
    const char *word = getenv("PENDULA_TURN");
    return word && *word ? word : "0";
}

// Whether this run takes this part of so many.
static inline bool turn_takes(size_t part, size_t parts)
{
    char first[9] = "";  // of a hash the first digits are as good as all
    strncpy(first, turn_word(), sizeof first - 1);
    return strcmp(first, "all") == 0 || strtoul(first, NULL, 16) % parts == part;
}
