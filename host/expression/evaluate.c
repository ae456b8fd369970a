// evaluate -- the value of a formula.
#include "expression/evaluate.h"

#include <math.h>

double evaluate_call(int function, double a, double b)
{
#define LIBM(name) name
#define FUNCTION(NAME, name, arguments, file, ulp, value, ...) \
    if (function == FUNCTION_##NAME)                           \
        return value;
#include "catalog/functions.def"
    return (double)NAN;
}

long double evaluate_call_long(int function, long double a, long double b)
{
#define LIBM(name) name##l
#define FUNCTION(NAME, name, arguments, file, ulp, value, ...) \
    if (function == FUNCTION_##NAME)                           \
        return value;
#include "catalog/functions.def"
    return (long double)NAN;
}

double expression_evaluate_at(const Node *node, double t, const double *x, const double *v, const double *rates,
                              double (*parameter)(const void *user, size_t index), const void *user)
{
    const double a = node->left ? expression_evaluate_at(node->left, t, x, v, rates, parameter, user) : 0.0;
    if (node->kind == NODE_CHOICE) {
        const Node *side = a != 0.0 ? node->right->left : node->right->right;
        return expression_evaluate_at(side, t, x, v, rates, parameter, user);
    }
    const double b = node->right ? expression_evaluate_at(node->right, t, x, v, rates, parameter, user) : 0.0;
    switch (node->kind) {
    case NODE_NUMBER: return node->number;
    case NODE_PARAMETER: return parameter(user, node->index);
    case NODE_TIME: return t;
    case NODE_PI: return 3.14159265358979323846;
    case NODE_NEGATE: return -a;
    case NODE_ADD: return a + b;
    case NODE_SUBTRACT: return a - b;
    case NODE_MULTIPLY: return a * b;
    case NODE_DIVIDE: return a / b;
    case NODE_POWER: return pow(a, b);
    case NODE_CALL: return evaluate_call(node->function, a, b);
    case NODE_LESS: return a < b;
    case NODE_AT_MOST: return a <= b;
    case NODE_GREATER: return a > b;
    case NODE_AT_LEAST: return a >= b;
    case NODE_AND: return a != 0.0 && b != 0.0;
    case NODE_OR: return a != 0.0 || b != 0.0;
    case NODE_NOT: return a == 0.0;
    case NODE_COORDINATE: return x ? x[node->index] : (double)NAN;
    case NODE_VELOCITY: return v ? v[node->index] : (double)NAN;
    case NODE_ACCELERATION: return rates ? rates[node->index] : (double)NAN;
    case NODE_TABLE:
    case NODE_CHOICE:
    case NODE_PAIR: break;
    }
    return NAN;
}

double expression_evaluate(const Node *node, double t, double (*parameter)(const void *user, size_t index),
                           const void *user)
{
    return expression_evaluate_at(node, t, NULL, NULL, NULL, parameter, user);
}
