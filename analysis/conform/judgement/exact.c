// exact -- C text of a problem around its file, compiled and loaded.
#include "analysis/conform/judgement/exact.h"

#include "catalog/catalog.h"
#include "catalog/functions.h"
#include "device/library.h"
#include "reference/point.h"

#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Roundings of a table's value, its argument's included; of a map two tables' and of the line between them
// (kernels/curve.h).
enum { CURVE_ROUNDINGS = 16, MAP_ROUNDINGS = 48 };

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
    "static real exact_called_off(real y, real size)\n"
    "{ return ++exact_call == exact_moved ? y + size * exact_by : y; }\n"
    "#define CALLED_OFF(y, size) exact_called_off(y, size)\n"
    "#define real_fma(a, b, c) ((a) * (b) + (c))\n";

static const char narrow_finite[] = "int narrow_finite(long double t, const long double *x, const long double *v, "
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

// Adds a problem's file to a C text, with its struct Params, its choices and its functions, behind the definitions that
// it needs.
//   own_words  the definitions that problem_c_words wants before it: the type `real`, and how functions are called
//   prefix     of the functions' names
static void write_text(const Card *problem, size_t dofs, const char *own_words, const char *prefix, Text *text)
{
    text_add(text, "%s%s", own_words, problem_c_words);
    problem_c_params(problem, dofs, text);
    text_add(text, "const unsigned long exact_bytes = sizeof(Params);\n#line 1 \"%s\"\n%s\n", problem->path,
             problem->text);
    if (problem->first_order)
        text_add(text, "%s", catalog_file("first_order.h"));
    problem_c_calls(problem, "", prefix, text);
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

// How often a word stands in a text, as the beginning of a longer one too.
static int count_words(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        ++count;
    return count;
}

static int curve_roundings(const CurveSet *curves)
{
    bool map = false;
    for (size_t i = 0; i < curves->count; ++i)
        map = map || curves->list[i].map;
    return map ? MAP_ROUNDINGS : CURVE_ROUNDINGS;
}

// A function pointer of the library; dlsym() gives an object pointer, which C does not convert to one.
static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

// Compiles a text and forgets it.
//   precision  of its numbers, for people
static bool load(Text *text, const char *options, const Card *problem, const char *precision, void **library,
                 size_t *bytes, Error *err)
{
    const bool ok = text_check(text, err) && (library_load(text, options, library, err) ||
                                              within(err, "problem '%s' in %s", problem->name, precision));
    text_free(text);
    if (ok)
        *bytes = *(const unsigned long *)dlsym(*library, "exact_bytes");
    return ok;
}

bool exact_make(const Card *problem, size_t dofs, Exact *exact, Error *err)
{
    Text text = {0};
    write_text(problem, dofs, words, "exact", &text);
    if (!load(&text, "", problem, "long double", &exact->library, &exact->bytes, err))
        return false;
    const int named = (int)functions_count_elementary(problem->text);
    exact->operations = count_operations(problem->text) + elementary_roundings() * named;
    exact->elementary = named > 0 || problem->curves;
    if (problem->curves)
        exact->operations += curve_roundings(problem->curves) * count_words(problem->text, "TABLE");
    exact->jumps = exact->elementary || strstr(problem->text, "choose(");
#define FIND(feature, name, ...) find(exact->library, "exact_" #name, &exact->name);
    PROBLEM_FUNCTIONS(FIND)
    find(exact->library, "exact_load", &exact->load);
    find(exact->library, "exact_curves", &exact->curves);
    find(exact->library, "exact_move", &exact->move);
    find(exact->library, "exact_calls", &exact->calls);
    return true;
}

void exact_free(Exact *exact)
{
    if (exact->library)
        dlclose(exact->library);
    *exact = (Exact){0};
}

bool exact_point_make(const Exact *exact, const Card *problem, size_t dofs, bool single, Arena *arena,
                      ExactPoint *point, Error *err)
{
    const size_t count = problem->parameter_count + 1;
    *point = (ExactPoint){.exact = exact, .problem = problem, .dofs = dofs, .unit = single ? 0x1p-24L : 0x1p-53L};
    const bool made = (point->values = arena_take(arena, count, sizeof *point->values, err)) &&
                      (point->moved_values = arena_take(arena, count, sizeof *point->moved_values, err)) &&
                      (point->params = arena_take(arena, exact->bytes, 1, err)) &&
                      (point->moved_params = arena_take(arena, exact->bytes, 1, err)) &&
                      (point->numbers = arena_take(arena, count, sizeof *point->numbers, err));
    if (made && exact->curves) {
        exact->curves(point->params, problem->curves->numbers);
        exact->curves(point->moved_params, problem->curves->numbers);
    }
    return made;
}

void exact_point_load(ExactPoint *point, const Plan *plan, const Group *group, uint64_t number)
{
    point_parameters(plan, group, number, point->numbers);
    for (size_t i = 0; i < point->problem->parameter_count; ++i)
        point->values[i] = point->numbers[i];
    point->exact->load(point->params, point->values);
}

bool exact_narrow_make(const Card *problem, size_t dofs, bool single, Narrow *narrow, Error *err)
{
    Text text = {0};
    write_text(problem, dofs, single ? "typedef float real;\n" : "typedef double real;\n", "narrow", &text);
    text_add(&text,
             "void narrow_fill(void *params, const long double *values)\n{\n    real narrowed[%zu];\n"
             "    for (int i = 0; i < %zu; ++i)\n        narrowed[i] = (real)values[i];\n"
             "    narrow_load(params, narrowed);\n}\n%s",
             problem->parameter_count + 1, problem->parameter_count, narrow_finite);
    if (!load(&text, single ? "-cl-single-precision-constant" : "", problem, "its own precision", &narrow->library,
              &narrow->bytes, err))
        return false;
    find(narrow->library, "narrow_fill", &narrow->fill);
    find(narrow->library, "narrow_curves", &narrow->curves);
    find(narrow->library, "narrow_finite", &narrow->finite);
    return true;
}

void exact_narrow_free(Narrow *narrow)
{
    if (narrow->library)
        dlclose(narrow->library);
    *narrow = (Narrow){0};
}
