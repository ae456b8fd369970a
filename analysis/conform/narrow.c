// narrow -- C text of a problem around its file, in double or single precision.
#include "analysis/conform/narrow.h"

#include "device/native.h"

#include <dlfcn.h>
#include <string.h>

// The words of a problem file but for the type of a number.
static const char words[] = "typedef int mask;\n"
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
                            "#define real_sqrt(x) ((real)__builtin_sqrt(x))\n"
                            "#define real_abs(x) ((real)__builtin_fabs(x))\n"
                            "#define real_fma(a, b, c) ((real)__builtin_fma(a, b, c))\n"
                            "#define real_max(a, b) ((a) > (b) ? (a) : (b))\n"
                            "#define real_min(a, b) ((a) < (b) ? (a) : (b))\n";

static const char finite[] = "int narrow_finite(long double t, const long double *x, const long double *v, "
                             "const void *params)\n"
                             "{\n"
                             "    real at[DOF], moving[DOF], a[DOF];\n"
                             "    int  all = 1;\n"
                             "    for (int i = 0; i < DOF; ++i)\n"
                             "        at[i] = (real)x[i], moving[i] = (real)v[i];\n"
                             "    acceleration((real)t, at, moving, params, a);\n"
                             "    for (int i = 0; i < DOF; ++i)\n"
                             "        all = all && __builtin_isfinite(a[i]);\n"
                             "    return all;\n"
                             "}\n";

static void write_text(const Card *problem, size_t dofs, bool single, Text *text)
{
    text_add(text, "typedef %s real;\n", single ? "float" : "double");
    exact_write(problem, dofs, words, text);
    text_add(text, "void narrow_load(void *params, const long double *values)\n{\n    Params *p = params;\n");
    for (size_t i = 0; i < problem->parameter_count; ++i)
        text_add(text, "    p->%s = values[%zu];\n", problem->parameters[i].name, i);
    text_add(text, "}\n%s", finite);
}

// A function pointer of the library; dlsym() gives what C does not call one.
static void find(const Narrow *narrow, const char *name, void *function)
{
    void *symbol = dlsym(narrow->library, name);
    memcpy(function, &symbol, sizeof symbol);
}

bool narrow_make(const Card *problem, size_t dofs, bool single, Narrow *narrow, Error *err)
{
    const char *options = single ? "-cl-single-precision-constant" : "";
    Text        text = {0};
    write_text(problem, dofs, single, &text);
    const bool ok = text_check(&text, err) && (native_load(&text, options, &narrow->library, err) ||
                                               within(err, "problem '%s' in its own precision", problem->name));
    text_free(&text);
    if (!ok)
        return false;
    find(narrow, "narrow_load", &narrow->load);
    find(narrow, "narrow_finite", &narrow->finite);
    narrow->bytes = *(const unsigned long *)dlsym(narrow->library, "exact_bytes");
    return true;
}

void narrow_free(Narrow *narrow)
{
    if (narrow->library)
        dlclose(narrow->library);
    *narrow = (Narrow){0};
}
