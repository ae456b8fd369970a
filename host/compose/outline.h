// outline -- calls in place of copies, for the file of a problem that calls many elementary functions.
//
// Kernels are inlined whole, and an implicit or a Runge-Kutta method asks for the right side of the equations at many
// places. A network of n oscillators has n (n - 1) sines in it, and each copy of a sine is a hundred instructions:
// compilers take minutes. Beyond a count of calls the functions of the problem's file, and the elementary functions in
// it, become functions that are called. Neither changes a bit, nor the text of a problem that has fewer.
#pragma once

#include "base/text.h"

#include <stdbool.h>

// Whether a problem's file has so many calls, or the problem so many unknowns that its formulas are long.
bool outline_needed(const char *problem, size_t dofs);

// Adds the text between kernels/calls.h and the file.
void outline_begin(const char *problem, Text *text);

// Adds the text behind it.
void outline_end(Text *text);
