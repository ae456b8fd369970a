// problem_c -- writes parameters and functions.
#include "catalog/problem_c.h"

#include <string.h>

#define ENTRY(feature, name, result, signature, call) {feature, #name, #result, #signature, call},
const ProblemFunction problem_c_functions[PROBLEM_C_MOST] = {PROBLEM_FUNCTIONS(ENTRY)};

#define TAKES_1 "real a"
#define TAKES_2 "real a, real b"
#define FUNCTION(NAME, name, arguments, file, ulp, value, ...) \
    "static inline real real_" #name "(" TAKES_##arguments ") { return CALLED(" #ulp ", " #value "); }\n"

const char problem_c_words[] =
    "#ifndef LIBM\n"
    "#define LIBM(name) __builtin_##name\n"
    "#define CALLED(ulp, y) (y)\n"
    "#define real_fma(a, b, c) ((real)__builtin_fma(a, b, c))\n"
    "#endif\n"
    "typedef int mask;\n"
    "#define SCALAR real\n"
    "#define UNROLL\n"
    "#define EACH_DOF(i) EACH_DOF_FROM(0, i)\n"
    "#define EACH_DOF_FROM(first, i) for (int i = first; i < DOF; ++i)\n"
    "#define MATRIX(A) real A[DOF][DOF]\n"
    "#define ENTRY(A, i, j) A[i][j]\n"
    "#define EACH_COLUMN(j) EACH_DOF(j)\n"
    "#define ZERO ((real)0)\n"
    "#define ONE ((real)1)\n"
    "#define PI ((real)3.14159265358979323846L)\n"
    "#define TWO_PI ((real)6.28318530717958647693L)\n"
    "#define SQRT_HALF ((real)0.70710678118654752440L)\n"
    "#define NOT_A_NUMBER ((real)__builtin_nan(\"\"))\n"
    "#define REAL_INFINITY ((real)__builtin_inf())\n"
    "#define CALLS(function, calls, count) for (int call = 0; call < (count); ++call) (calls)[call] = "
    "function((calls)[call])\n"
    "#define choose(condition, yes, no) ((condition) ? (yes) : (no))\n"
#include "catalog/functions.def"
    "static inline real real_sin_slope(real a) { return CALLED(1.7, LIBM(cos)(a)); }\n"
    "#undef LIBM\n"
    "#undef CALLED\n"
    "#define real_sincos(x, s, c) (*(s) = real_sin(x), *(c) = real_cos(x))\n"
    "static inline real real_sin_squared(real x) { const real sine = real_sin(x); return sine * sine; }\n";

bool problem_c_promises(const Card *card, const ProblemFunction *function)
{
    return !function->feature || card_provides(card, function->feature);
}

size_t problem_c_slope(const Card *card, size_t parameter)
{
    size_t place = 0;
    for (size_t i = 0; i < parameter; ++i)
        place += !card->parameters[i].choices;
    return place;
}

void problem_c_slopes(const Card *card, Text *text)
{
    text_add(text, "typedef struct Slopes {\n");
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (!card->parameters[i].choices)
            text_add(text, "    real %s[DOF];\n", card->parameters[i].name);
    text_add(text, "} Slopes;\n");
}

void problem_c_gradient(const Card *card, Text *text)
{
    text_add(text, "typedef struct Gradient {\n    real x[DOF], v[DOF];\n    struct {\n        char none;\n");
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (!card->parameters[i].choices)
            text_add(text, "        real %s;\n", card->parameters[i].name);
    text_add(text, "    } by;\n} Gradient;\n");
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
    text_add(text, "%s} Params;\n", card->curves ? "    const double *curves;\n" : "");
    if (card_provides(card, "slopes")) {
        problem_c_slopes(card, text);
        text_add(text,
                 "#define SLOPES_AT(t, x, v, p, by) %sv, p, by)\n"
                 "#define START_SLOPES(p, by_x, by_v) start_slopes(p, by_x%s)\n",
                 card->first_order ? "(void)(x), slopes(t, " : "slopes(t, x, ", card->first_order ? "" : ", by_v");
    }
    if (card_provides(card, "gradients"))
        problem_c_gradient(card, text);
    if (card->curves)
        curve_write_c(card->curves, text);
}

void problem_c_calls(const Card *card, const char *storage, const char *prefix, Text *text)
{
    text_add(text, "%svoid %s_load(void *params, const real *values)\n{\n    Params *p = params;\n    p->none = 0;\n",
             storage, prefix);
    for (size_t i = 0; i < card->parameter_count; ++i)
        text_add(text, "    p->%s = %svalues[%zu];\n", card->parameters[i].name,
                 card->parameters[i].choices ? "(int)" : "", i);
    text_add(text, "%s}\n", card->parameter_count == 0 ? "    (void)values;\n" : "");
    if (card->curves)
        text_add(text,
                 "%svoid %s_curves(void *params, const double *numbers) { ((Params *)params)->curves = numbers; }\n",
                 storage, prefix);
    for (size_t i = 0; i < PROBLEM_C_MOST; ++i) {
        const ProblemFunction *function = &problem_c_functions[i];
        if (problem_c_promises(card, function))
            text_add(text, "%s%s %s_%s%s { %s%s; }\n", storage, function->result, prefix, function->name,
                     function->signature, strcmp(function->result, "void") == 0 ? "" : "return ", function->call);
    }
}
