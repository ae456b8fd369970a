// suggest -- the known word nearest to a misspelt one, and the message that asks whether it was meant.
#pragma once

#include "base/error.h"

#include <stddef.h>

// How many letters must be inserted, dropped, changed or swapped with their neighbour to turn one word into the other.
// Words longer than 63 bytes compare as far away.
size_t suggest_distance(const char *a, const char *b);

// The word of names[count] nearest to `word`, or NULL where none is near: more than a third of its letters differ.
const char *suggest(const char *word, const char *const *names, size_t count);

// Ends the message of an error: "; did you mean 'NEAR'?", or where `near` is NULL with `otherwise`, which may be empty.
// Always false: `return fail(err, ...) || suggest_add(err, near, "; see ...")`.
bool suggest_add(Error *err, const char *near, const char *otherwise);
