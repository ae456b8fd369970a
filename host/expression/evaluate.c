// evaluate -- the value of a formula.
#include "expression/evaluate.h"

#include <math.h>

static double call(int function, double a, double b)
{
    switch (function) {
    case FUNCTION_SIN: return sin(a);
    case FUNCTION_COS: return cos(a);
    case FUNCTION_EXP: return exp(a);
    case FUNCTION_LOG: return log(a);
    case FUNCTION_ATAN2: return atan2(a, b);
    case FUNCTION_SQRT: return sqrt(a);
    case FUNCTION_ABS: return fabs(a);
    case FUNCTION_MAX: return a > b || isnan(a) ? a : b;
    case FUNCTION_MIN: return a < b || isnan(a) ? a : b;
    case FUNCTION_POW: return pow(a, b);
    case FUNCTION_TAN: return tan(a);
    case FUNCTION_TANH: return tanh(a);
    case FUNCTION_SINH: return sinh(a);
    case FUNCTION_COSH: return cosh(a);
    case FUNCTION_ASIN: return asin(a);
    case FUNCTION_ACOS: return acos(a);
    case FUNCTION_ATAN: return atan(a);
    case FUNCTION_HYPOT: return hypot(a, b);
    case FUNCTION_CBRT: return cbrt(a);
    case FUNCTION_LOG1P: return log1p(a);
    case FUNCTION_EXPM1: return expm1(a);
    case FUNCTION_FLOOR: return floor(a);
    case FUNCTION_FMOD: return fmod(a, b);
    case FUNCTION_SIGN: return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a;
    default: return NAN;
    }
}

double expression_evaluate(const Node *node, double t, double (*parameter)(const void *user, size_t index),
                           const void *user)
{
    const double a = node->left ? expression_evaluate(node->left, t, parameter, user) : 0.0;
    const double b = node->right ? expression_evaluate(node->right, t, parameter, user) : 0.0;
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
    case NODE_CALL: return call(node->function, a, b);
    case NODE_COORDINATE:
    case NODE_VELOCITY:
    case NODE_PAIR: break;
    }
    return NAN;
}
