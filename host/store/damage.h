// damage -- messages about a damaged result file, and its remedies.
#pragma once

#include "base/error.h"

#include <stdint.h>

// The remedy where a file cannot be mended; and where its sweep can be run again.
#define DAMAGE_COPY "take another copy of it"
#define DAMAGE_ANEW DAMAGE_COPY ", or `pendula run --force` computes all anew"

// Says that a part of a group is damaged: "FILE: group 'LABEL': <formatted text> is damaged; take another copy of it".
// Always false, with ERROR_INPUT.
bool damage_fail(const char *path, const char *label, Error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Says "2 blocks of 'FILE' are damaged, and not used"; nothing where none is.
//   outcome  the fate of the blocks, e.g. "not used"
//   say      or NULL
void damage_say(const char *path, uint64_t blocks, const char *outcome, void (*say)(const char *line, void *user),
                void *user);
