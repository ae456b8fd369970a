// problem_c -- writes parameters and functions.
#include "catalog/problem_c.h"

#include <string.h>

#define ENTRY(feature, name, result, signature, call) {feature, #name, #result, signature, call},
const ProblemFunction problem_c_functions[PROBLEM_C_MOST] = {PROBLEM_FUNCTIONS(ENTRY)};

const char problem_c_words[] = "typedef int mask;\n"
                               "#define SCALAR real\n"
                               "#define UNROLL\n"
                               "#define EACH_DOF(i) EACH_DOF_FROM(0, i)\n"
                               "#define EACH_DOF_FROM(first, i) for (int i = first; i < DOF; ++i)\n"
                               "#define ZERO ((real)0)\n"
                               "#define ONE ((real)1)\n"
                               "#define PI 3.14159265358979323846\n"
                               "#define TWO_PI 6.28318530717958647693\n"
                               "#define SQRT_HALF 0.70710678118654752440\n"
                               "#define NOT_A_NUMBER ((real)__builtin_nan(\"\"))\n"
                               "#define REAL_INFINITY ((real)__builtin_inf())\n"
                               "#define choose(condition, yes, no) ((condition) ? (yes) : (no))\n"
                               "#define real_sin(x) ((real)__builtin_sin(x))\n"
                               "#define real_cos(x) ((real)__builtin_cos(x))\n"
                               "#define real_sincos(x, s, c) (*(s) = real_sin(x), *(c) = real_cos(x))\n"
                               "#define real_sin_squared(x) (real_sin(x) * real_sin(x))\n"
                               "#define real_exp(x) ((real)__builtin_exp(x))\n"
                               "#define real_log(x) ((real)__builtin_log(x))\n"
                               "#define real_atan2(y, x) ((real)__builtin_atan2(y, x))\n"
                               "#define real_pow(x, y) ((real)__builtin_pow(x, y))\n"
                               "#define real_tan(x) ((real)__builtin_tan(x))\n"
                               "#define real_tanh(x) ((real)__builtin_tanh(x))\n"
                               "#define real_sinh(x) ((real)__builtin_sinh(x))\n"
                               "#define real_cosh(x) ((real)__builtin_cosh(x))\n"
                               "#define real_asin(x) ((real)__builtin_asin(x))\n"
                               "#define real_acos(x) ((real)__builtin_acos(x))\n"
                               "#define real_atan(x) ((real)__builtin_atan(x))\n"
                               "#define real_hypot(x, y) ((real)__builtin_hypot(x, y))\n"
                               "#define real_cbrt(x) ((real)__builtin_cbrt(x))\n"
                               "#define real_log1p(x) ((real)__builtin_log1p(x))\n"
                               "#define real_expm1(x) ((real)__builtin_expm1(x))\n"
                               "#define real_floor(x) ((real)__builtin_floor(x))\n"
                               "#define real_fmod(x, y) ((real)__builtin_fmod(x, y))\n"
                               "static inline real real_sign(real x) { return x > 0 ? 1 : x < 0 ? -1 : x; }\n"
                               "#define real_sqrt(x) ((real)__builtin_sqrt(x))\n"
                               "#define real_abs(x) ((real)__builtin_fabs(x))\n"
                               "#define real_fma(a, b, c) ((real)__builtin_fma(a, b, c))\n"
                               "#define real_max(a, b) ((a) > (b) || (a) != (a) ? (a) : (b))\n"
                               "#define real_min(a, b) ((a) < (b) || (a) != (a) ? (a) : (b))\n";

bool problem_c_promises(const Card *card, const ProblemFunction *function)
{
    return !function->feature || card_provides(card, function->feature);
}

void problem_c_params(const Card *card, size_t dofs, Text *text)
{
    text_add(text, "#define DOF %zu\n", dofs);
    if (card->first_order)
        text_add(text, "#define JACOBIAN_GIVEN %d\n", card_provides(card, "jacobian"));
    for (size_t i = 0; i < card->parameter_count; ++i)
        for (size_t k = 0; k < card->parameters[i].choice_count; ++k)
            text_add(text, "#define %s_%s %zu\n", card->parameters[i].name, card->parameters[i].choices[k], k);
    text_add(text, "typedef struct Params {\n    char none;\n");
    for (size_t i = 0; i < card->parameter_count; ++i)
        text_add(text, "    %s %s;\n", card->parameters[i].choices ? "int" : "real", card->parameters[i].name);
    text_add(text, "} Params;\n");
}

void problem_c_calls(const Card *card, const char *storage, const char *prefix, Text *text)
{
    text_add(text, "%svoid %s_load(void *params, const real *values)\n{\n    Params *p = params;\n    p->none = 0;\n",
             storage, prefix);
    for (size_t i = 0; i < card->parameter_count; ++i)
        text_add(text, "    p->%s = %svalues[%zu];\n", card->parameters[i].name,
                 card->parameters[i].choices ? "(int)" : "", i);
    text_add(text, "%s}\n", card->parameter_count == 0 ? "    (void)values;\n" : "");
    for (size_t i = 0; i < PROBLEM_C_MOST; ++i) {
        const ProblemFunction *function = &problem_c_functions[i];
        if (problem_c_promises(card, function))
            text_add(text, "%s%s %s_%s(%s) { %s%s; }\n", storage, function->result, prefix, function->name,
                     function->signature, strcmp(function->result, "void") == 0 ? "" : "return ", function->call);
    }
}
