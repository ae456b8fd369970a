// formula -- formulas of a sweep file or a card, and where they are wrong.
#pragma once

#include "base/yaml.h"
#include "expression/expression.h"

// Reads a formula of a scalar node.
//   what  names it in messages: "acceleration of 'x'"; NULL: memory ran out, err is filled
// NULL on failure. Errors: ERROR_INPUT (its message has the column of the fault), ERROR_INTERNAL.
const Node *formula_read(Expressions *table, const YamlNode *node, const char *what, Error *err);

// The same, of a formula that depends on none of the kinds of leaf that `never` lists, as bits 1 << NodeKind.
const Node *formula_read_of(Expressions *table, const YamlNode *node, const char *what, unsigned never, Error *err);
