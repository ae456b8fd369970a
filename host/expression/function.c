// function -- the functions of formulas: names and derivatives.
#include "expression/function.h"

#include <string.h>

int expression_function(const char *name, size_t length)
{
    int i = 0;
    while (i < FUNCTION_COUNT &&
           (strlen(functions_table[i].name) != length || strncmp(functions_table[i].name, name, length) != 0))
        ++i;
    return i;
}

size_t expression_arguments(int function)
{
    return function < FUNCTION_COUNT ? (size_t)functions_table[function].arguments : 2;
}

const char *expression_function_name(int function)
{
    return function < FUNCTION_COUNT ? functions_table[function].name : "choose";
}

static const Node *call(Expressions *table, int function, const Node *argument)
{
    return expression_call(table, function, argument, NULL);
}

static const Node *square(Expressions *table, const Node *node)
{
    return expression_power(table, node, expression_number(table, 2.0));
}

static const Node *inverse(Expressions *table, const Node *node)
{
    return expression_divide(table, expression_number(table, 1.0), node);
}

const Node *function_slope(Expressions *table, const Node *node)
{
    const Node *u = node->left, *one = expression_number(table, 1.0);
    switch (node->function) {
    case FUNCTION_ABS: return call(table, FUNCTION_SIGN, u);
    case FUNCTION_ACOS:
    case FUNCTION_ASIN: {
        const Node *slope =
            inverse(table, call(table, FUNCTION_SQRT, expression_subtract(table, one, square(table, u))));
        return node->function == FUNCTION_ASIN ? slope : expression_negate(table, slope);
    }
    case FUNCTION_ATAN: return inverse(table, expression_add(table, one, square(table, u)));
    case FUNCTION_CBRT:
        return inverse(table, expression_multiply(table, expression_number(table, 3.0), square(table, node)));
    case FUNCTION_COS: return expression_negate(table, call(table, FUNCTION_SIN, u));
    case FUNCTION_COSH: return call(table, FUNCTION_SINH, u);
    case FUNCTION_EXP: return node;
    case FUNCTION_EXPM1: return call(table, FUNCTION_EXP, u);
    case FUNCTION_LOG: return inverse(table, u);
    case FUNCTION_LOG1P: return inverse(table, expression_add(table, one, u));
    case FUNCTION_SIN: return call(table, FUNCTION_COS, u);
    case FUNCTION_SINH: return call(table, FUNCTION_COSH, u);
    case FUNCTION_SQRT: return inverse(table, expression_multiply(table, expression_number(table, 2.0), node));
    case FUNCTION_TAN: return expression_add(table, one, square(table, node));
    case FUNCTION_TANH: return expression_subtract(table, one, square(table, node));
    default: return expression_number(table, 0.0);  // floor, sign
    }
}

const Node *function_derive(Expressions *table, const Node *node, const Node *da, const Node *db)
{
    const Node *a = node->left, *b = node->right;
    switch (node->function) {
    case FUNCTION_ATAN2:  // (a' b - a b')/(a^2 + b^2)
        return expression_divide(
            table, expression_subtract(table, expression_multiply(table, da, b), expression_multiply(table, a, db)),
            expression_add(table, square(table, a), square(table, b)));
    case FUNCTION_HYPOT:  // (a a' + b b')/hypot
        return expression_divide(
            table, expression_add(table, expression_multiply(table, a, da), expression_multiply(table, b, db)), node);
    case FUNCTION_FMOD: {  // a - b n with n a whole number: n = (a - fmod)/b
        const Node *n = expression_divide(table, expression_subtract(table, a, node), b);
        return expression_subtract(table, da, expression_multiply(table, n, db));
    }
    default: {  // max: that of a where a is above b, else that of b; min: the other way round
        const bool  most = node->function == FUNCTION_MAX;
        const Node *sides = expression_make(table, NODE_PAIR, most ? a : b, most ? b : a);
        return expression_call(table, FUNCTION_CHOOSE, sides, expression_make(table, NODE_PAIR, da, db));
    }
    }
}
