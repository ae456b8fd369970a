// statements -- formulas as statements of a kernel file.
#pragma once

#include "base/text.h"
#include "expression/expression.h"

// A formula and the use of its value.
typedef struct Statement {
    const char *target;  // the text before it: "a[0] = ", "return "
    const Node *node;
} Statement;

// Adds the statements, each in a line of its own, indented; before them a `const real` for every part that is computed
// more than once. Whole powers become products, so that x^2 rounds as x * x does. Where there are more than
// FUNCTIONS_INLINED / 2 calls of elementary functions with one argument, they stand in blocks, each a loop of calls
// (compose/outline.h).
// Errors: ERROR_INPUT (too many terms), ERROR_INTERNAL.
bool statements_write(Expressions *table, const Statement *statements, size_t count, Text *text);

// The same of derivatives of the formulas beside which they are computed: a cosine that none of these has is written as
// real_sin_slope(), which takes half of the operations.
bool statements_write_slopes(Expressions *table, const Statement *statements, size_t count, const Node *const *beside,
                             size_t beside_count, Text *text);
