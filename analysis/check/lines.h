// lines -- places in a kernel file: lines of its functions, of its card's keys, of its uses of a word.
#pragma once

#include "catalog/card.h"

// The line in which a function of that name is defined, as a function or as a macro; of a metric's file M(name). 0: it
// is not.
size_t lines_function(const Card *card, const char *name);

// The line of the card's key, or else of the card's first.
size_t lines_key(const Card *card, const char *key);

// The line of the first brace that is not closed, or that closes nothing; 0: there is none. Comments and texts apart.
size_t lines_unclosed(const Card *card);

// The first line in which a word is followed by an opening parenthesis, comments apart; 0: there is none.
size_t lines_call(const Card *card, const char *word);
