// exact -- C text of a problem around its file, compiled and loaded.
#include "analysis/conform/exact.h"

#include "catalog/catalog.h"
#include "catalog/functions.h"
#include "catalog/problem_c.h"
#include "device/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// Roundings of the least accurate function of elementary.h, two roundoffs to a unit in the last place.
enum { ELEMENTARY_ROUNDINGS = 5 };

// The words of a problem file. Parameters are long double too, so that derivatives by them can be taken.
static const char words[] =
    "typedef long double real;\n"
    "typedef int mask;\n"
    "#define SCALAR long double\n"
    "#define UNROLL\n"
    "#define EACH_DOF(i) EACH_DOF_FROM(0, i)\n"
    "#define EACH_DOF_FROM(first, i) for (int i = first; i < DOF; ++i)\n"
    "#define ZERO 0.0L\n"
    "#define ONE 1.0L\n"
    "#define PI 3.14159265358979323846L\n"
    "#define TWO_PI 6.28318530717958647693L\n"
    "#define SQRT_HALF 0.70710678118654752440L\n"
    "#define NOT_A_NUMBER __builtin_nanl(\"\")\n"
    "#define REAL_INFINITY __builtin_infl()\n"
    "#define choose(condition, yes, no) ((condition) ? (yes) : (no))\n"
    "static _Thread_local int  exact_call, exact_moved;\n"
    "static _Thread_local real exact_by;\n"
    "void exact_move(int call, real by) { exact_call = 0, exact_moved = call, exact_by = by; }\n"
    "int exact_calls(void) { return exact_call; }\n"
    "static real exact_called(real y)\n"
    "{ return ++exact_call == exact_moved ? y * (1.0L + exact_by) : y; }\n"
    // Bounds ask for the same angle again and again, while something else moves.
    "void sincosl(real x, real *sine, real *cosine);\n"
    "static _Thread_local real exact_angle, exact_sine, exact_cosine = 1.0L;\n"
    "static void exact_turn(real x)\n"
    "{ if (x != exact_angle) sincosl(exact_angle = x, &exact_sine, &exact_cosine); }\n"
    "static real exact_sin(real x) { return exact_turn(x), exact_sine; }\n"
    "static real exact_cos(real x) { return exact_turn(x), exact_cosine; }\n"
    "#define real_sin(x) exact_called(exact_sin(x))\n"
    "#define real_cos(x) exact_called(exact_cos(x))\n"
    "#define real_sincos(x, s, c) (*(s) = real_sin(x), *(c) = real_cos(x))\n"
    "static real exact_square(real y) { return y * y; }\n"
    "#define real_sin_squared(x) exact_square(real_sin(x))\n"
    "#define real_exp(x) exact_called(__builtin_expl(x))\n"
    "#define real_log(x) exact_called(__builtin_logl(x))\n"
    "#define real_atan2(y, x) exact_called(__builtin_atan2l(y, x))\n"
    "#define real_pow(x, y) exact_called(__builtin_powl(x, y))\n"
    "#define real_tan(x) exact_called(__builtin_tanl(x))\n"
    "#define real_tanh(x) exact_called(__builtin_tanhl(x))\n"
    "#define real_sinh(x) exact_called(__builtin_sinhl(x))\n"
    "#define real_cosh(x) exact_called(__builtin_coshl(x))\n"
    "#define real_asin(x) exact_called(__builtin_asinl(x))\n"
    "#define real_acos(x) exact_called(__builtin_acosl(x))\n"
    "#define real_atan(x) exact_called(__builtin_atanl(x))\n"
    "#define real_hypot(x, y) exact_called(__builtin_hypotl(x, y))\n"
    "#define real_cbrt(x) exact_called(__builtin_cbrtl(x))\n"
    "#define real_log1p(x) exact_called(__builtin_log1pl(x))\n"
    "#define real_expm1(x) exact_called(__builtin_expm1l(x))\n"
    // These are exact.
    "#define real_floor __builtin_floorl\n"
    "#define real_fmod __builtin_fmodl\n"
    "static inline real real_sign(real x) { return x > 0 ? 1 : x < 0 ? -1 : x; }\n"
    "#define real_sqrt(x) exact_called(__builtin_sqrtl(x))\n"
    "#define real_abs __builtin_fabsl\n"
    "#define real_fma(a, b, c) ((a) * (b) + (c))\n"
    "#define real_max(a, b) ((a) > (b) || (a) != (a) ? (a) : (b))\n"
    "#define real_min(a, b) ((a) < (b) || (a) != (a) ? (a) : (b))\n";

void exact_write(const Card *problem, size_t dofs, const char *own_words, Text *text)
{
    text_add(text, "%s", own_words);
    problem_c_params(problem, dofs, text);
    text_add(text, "const unsigned long exact_bytes = sizeof(Params);\n#line 1 \"%s\"\n%s\n", problem->path,
             problem->text);
    if (problem->first_order)
        text_add(text, "%s", catalog_file("first_order.h"));
}

static void write_text(const Card *problem, size_t dofs, Text *text)
{
    exact_write(problem, dofs, words, text);
    problem_c_calls(problem, "", "exact", text);
}

// Arithmetic operators outside of comments.
static int count_operations(const char *text)
{
    int count = 0;
    for (const char *c = text; *c; ++c) {
        if (c[0] == '/' && c[1] == '/')
            c += strcspn(c, "\n") - 1;
        else if (strchr("+-*/", *c) && !isalpha((unsigned char)c[1]))
            ++count;
    }
    return count;
}

// A function pointer of the library; dlsym() gives what C does not call one.
static void find(const Exact *exact, const char *name, void *function)
{
    void *symbol = dlsym(exact->library, name);
    memcpy(function, &symbol, sizeof symbol);
}

bool exact_make(const Card *problem, size_t dofs, Exact *exact, Error *err)
{
    Text text = {0};
    write_text(problem, dofs, &text);
    const bool ok = text_check(&text, err) && (library_load(&text, "", &exact->library, err) ||
                                               within(err, "problem '%s' in long double", problem->name));
    text_free(&text);
    if (!ok)
        return false;
    const int named = (int)functions_count_elementary(problem->text);
    exact->operations = count_operations(problem->text) + ELEMENTARY_ROUNDINGS * named;
    exact->elementary = named > 0;
    find(exact, "exact_load", &exact->load);
    find(exact, "exact_initial_state", &exact->initial_state);
    find(exact, "exact_acceleration", &exact->acceleration);
    find(exact, "exact_potential", &exact->potential);
    find(exact, "exact_dissipation", &exact->dissipation);
    find(exact, "exact_masses", &exact->masses);
    find(exact, "exact_drive", &exact->drive);
    find(exact, "exact_energy", &exact->energy);
    find(exact, "exact_kinetic", &exact->kinetic);
    find(exact, "exact_fast", &exact->fast);
    find(exact, "exact_slow", &exact->slow);
    find(exact, "exact_period", &exact->period);
    find(exact, "exact_exact", &exact->solution);
    find(exact, "exact_jacobian", &exact->jacobian);
    find(exact, "exact_limit_start", &exact->limit_start);
    find(exact, "exact_limit_acceleration", &exact->limit_acceleration);
    find(exact, "exact_move", &exact->move);
    find(exact, "exact_calls", &exact->calls);
    exact->bytes = *(const unsigned long *)dlsym(exact->library, "exact_bytes");
    return true;
}

void exact_free(Exact *exact)
{
    if (exact->library)
        dlclose(exact->library);
    *exact = (Exact){0};
}
