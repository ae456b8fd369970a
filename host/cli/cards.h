// cards -- output that the lists of cards and single cards have in common.
#pragma once

#include "catalog/catalog.h"
#include "terminal/table.h"

// "problem", "method" or "metric".
const char *cards_kind(CardKind kind);

// Prints a table row per parameter. json: name, about, default (absent where there is none), unit, and choices or the
// range as min or above, max or below. text: with the range as "(0, inf)", "[0, 1]" or "right | printed".
void cards_parameters(Text *text, Format format, const Card *card);

// Prints a method's equations as its card has them, a line each; nothing where it has none.
void cards_equations(Text *text, const Card *card);
