// suggest -- the known word nearest to a misspelt one, for "did you mean".
#pragma once

#include <stddef.h>

// How many letters must be inserted, dropped, changed or swapped with their neighbour to turn one word into the other.
// Words longer than 63 bytes compare as far away.
size_t suggest_distance(const char *a, const char *b);

// The word of names[count] nearest to `word`, or NULL where none is near: more than a third of its letters differ.
const char *suggest(const char *word, const char *const *names, size_t count);
