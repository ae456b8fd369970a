// narrow -- C text of a problem around its file, in double or single precision.
#include "analysis/conform/judgement/narrow.h"

#include "catalog/problem_c.h"
#include "device/library.h"

#include <dlfcn.h>
#include <string.h>

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
    exact_write(problem, dofs, single ? "typedef float real;\n" : "typedef double real;\n", text);
    problem_c_calls(problem, "", "narrow", text);
    text_add(text,
             "void narrow_fill(void *params, const long double *values)\n{\n    real narrowed[%zu];\n"
             "    for (int i = 0; i < %zu; ++i)\n        narrowed[i] = (real)values[i];\n"
             "    narrow_load(params, narrowed);\n}\n%s",
             problem->parameter_count + 1, problem->parameter_count, finite);
}

// A function pointer of the library; dlsym() gives an object pointer, which C does not convert to one.
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
    const bool ok = text_check(&text, err) && (library_load(&text, options, &narrow->library, err) ||
                                               within(err, "problem '%s' in its own precision", problem->name));
    text_free(&text);
    if (!ok)
        return false;
    find(narrow, "narrow_fill", &narrow->load);
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
