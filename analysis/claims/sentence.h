// sentence -- sentences with numbers in them: the ledger's statement of a measurement.
//
// In a sentence stand
//   {FORMULA:.3e}                   a number as printf has it, or several with commas between
//   {if FORMULA} ... {else} ... {end}       {else} may be missing
//   {each NAME,} ... {end}          once for every element of the list NAME, which all lists then stand for; with ", "
//                                   or, where ; or | follows the name, "; " or " | " between
#pragma once

#include "analysis/claims/formula.h"
#include "base/text.h"

// Adds a sentence to a text.
// Errors: those of formula_value(); ERROR_INPUT (the sentence cannot be read).
bool sentence_add(const Scope *scope, const char *sentence, Text *text, Error *err);
