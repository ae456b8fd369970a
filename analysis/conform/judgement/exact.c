// exact -- C text of a problem around its file, compiled and loaded.
#include "analysis/conform/judgement/exact.h"

#include "catalog/catalog.h"
#include "catalog/functions.h"
#include "catalog/problem_c.h"
#include "device/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Definitions of the names that a problem file uses. Parameters are long double too, so that derivatives by them can be
// taken. Bounds ask for the same angle again and again, while something else moves.
static const char words[] =
    "typedef long double real;\n"
    "static _Thread_local int  exact_call, exact_moved;\n"
    "static _Thread_local real exact_by;\n"
    "void exact_move(int call, real by) { exact_call = 0, exact_moved = call, exact_by = by; }\n"
    "int exact_calls(void) { return exact_call; }\n"
    "static real exact_called(real y)\n"
    "{ return ++exact_call == exact_moved ? y * (1.0L + exact_by) : y; }\n"
    "void sincosl(real x, real *sine, real *cosine);\n"
    "static _Thread_local real exact_angle, exact_sine, exact_cosine = 1.0L;\n"
    "static void exact_turn(real x)\n"
    "{ if (x != exact_angle) sincosl(exact_angle = x, &exact_sine, &exact_cosine); }\n"
    "static real exact_sin(real x) { return exact_turn(x), exact_sine; }\n"
    "static real exact_cos(real x) { return exact_turn(x), exact_cosine; }\n"
    "#define __builtin_sinl exact_sin\n"
    "#define __builtin_cosl exact_cos\n"
    "#define LIBM(name) __builtin_##name##l\n"
    "#define CALLED(ulp, y) ((ulp) > 0 ? exact_called(y) : (y))\n"
    "#define real_fma(a, b, c) ((a) * (b) + (c))\n";

void exact_write(const Card *problem, size_t dofs, const char *own_words, Text *text)
{
    text_add(text, "%s%s", own_words, problem_c_words);
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

// Roundings of the least accurate function of elementary.h, two roundoffs to a unit in the last place.
static int elementary_roundings(void)
{
    double most = 0.0;
    for (size_t i = 0; i < FUNCTION_COUNT; ++i)
        most = functions_table[i].elementary ? fmax(most, 2.0 * functions_table[i].ulp) : most;
    return (int)ceil(most);
}

// A function pointer of the library; dlsym() gives an object pointer, which C does not convert to one.
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
    exact->operations = count_operations(problem->text) + elementary_roundings() * named;
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
