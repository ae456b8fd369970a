// tableau -- inside of equations: Butcher's tableau of a card as the statements that it stands for.
#pragma once

#include "base/yaml.h"
#include "catalog/card.h"

// A row of the tableau is "c | a, b, ...": a stage's time and its weights of the slopes before it, the last number its
// own where it is implicit; "x1 | ..." gives the end of the step, and "error | ..." how far it is from that of another
// order. With y = (x, v) and y' = (v, accel): y_i = y + h (a_i1 y'_1 + a_i2 y'_2 + ...). A method that keeps the
// acceleration has it for the first slope.
//   list  written: a sequence of statements, each at the place of its row
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool tableau_write(const Card *card, Arena *arena, YamlNode **list, Error *err);
