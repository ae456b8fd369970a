// derive -- derivatives of formulas.
#include "expression/function.h"

#include <string.h>

// Between its samples a table that holds its values has no slope. No formula has the derivative of a derivative.
static const Node *derive_table(const Derivation *derivation, const Node *node, const Node *da, const Node *db)
{
    Expressions       *table = derivation->table;
    const CurveBetween between = table->curves->list[node->index].between;
    if (between == CURVE_HOLD || between == CURVE_NEXT)
        return derivation->zero;
    const Node *by_first = expression_table(table, node->index, 1, node->left, node->right),
               *first = expression_multiply(table, by_first, da);
    if (!node->right)
        return first;
    const Node *by_second = expression_table(table, node->index, 2, node->left, node->right);
    return expression_add(table, first, expression_multiply(table, by_second, db));
}

// That of the side which is chosen.
static const Node *derive_choice(Derivation *derivation, const Node *node)
{
    const Node *sides = node->right;
    return expression_choose(derivation->table, node->left, expression_derive(derivation, sides->left),
                             expression_derive(derivation, sides->right));
}

static const Node *derive_operator(Derivation *derivation, const Node *node)
{
    Expressions *table = derivation->table;
    if (node->kind == NODE_CHOICE)
        return derive_choice(derivation, node);
    const Node *a = node->left, *b = node->right, *da = expression_derive(derivation, a);
    const Node *db = b ? expression_derive(derivation, b) : NULL;
    if (!da || (b && !db))
        return NULL;
    switch (node->kind) {
    case NODE_NEGATE: return expression_negate(table, da);
    case NODE_ADD: return expression_add(table, da, db);
    case NODE_SUBTRACT: return expression_subtract(table, da, db);
    case NODE_MULTIPLY:
        return expression_add(table, expression_multiply(table, da, b), expression_multiply(table, a, db));
    case NODE_DIVIDE:  // a'/b - (a/b) b'/b
        return expression_subtract(table, expression_divide(table, da, b),
                                   expression_divide(table, expression_multiply(table, node, db), b));
    case NODE_POWER: return function_derive(table, FUNCTION_POW, node, da, db);
    case NODE_TABLE: return derive_table(derivation, node, da, db);
    default: return function_derive(table, node->function, node, da, db);
    }
}

bool expression_derive_by(Expressions *table, NodeKind kind, size_t index, Derivation *derivation)
{
    *derivation = (Derivation){.table = table,
                               .by = expression_leaf(table, kind, index),
                               .zero = expression_number(table, 0.0),
                               .one = expression_number(table, 1.0)};
    derivation->known = arena_take(table->arena, table->count, sizeof *derivation->known, table->err);
    return derivation->by && derivation->zero && derivation->one && derivation->known;
}

const Node *expression_derive(Derivation *derivation, const Node *node)
{
    if (!node || node == derivation->by)
        return node ? derivation->one : NULL;
    if (node->kind < NODE_NEGATE || !expression_uses(node, derivation->by->kind))
        return derivation->zero;
    if (!derivation->known[node->id])
        derivation->known[node->id] = derive_operator(derivation, node);
    return derivation->known[node->id];
}
