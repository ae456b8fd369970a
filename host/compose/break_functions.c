// break_functions -- times and sets of each entry, as text.
#include "compose/break_functions.h"

#include "expression/statements.h"

// break_after0() or break_until0().
static void add_times(Text *out, const BreakEntry *entry, size_t number, size_t first, bool after)
{
    const char  *way = after ? "after" : "until";
    const size_t every = first + entry->at_count;
    text_add(out, "static real break_%s%zu(real t, const Params *p)\n{\n    real found = %sREAL_INFINITY;\n", way,
             number, after ? "" : "-");
    for (size_t i = first; i < every; ++i)
        if (entry->repeats)
            text_add(out,
                     "    found = break_%s(found, p->break_numbers[%zu], p->break_numbers[%zu], p->break_numbers[%zu], "
                     "t);\n",
                     way, i, every, every + 1);
        else
            text_add(out, "    found = break_once_%s(found, p->break_numbers[%zu], t);\n", way, i);
    text_add(out, "    return found;\n}\n");
}

// All formulas see the state before the break.
bool break_functions_add_sets(Text *out, Expressions *table, const BreakSet *sets, size_t count, const char *kind,
                              size_t number, Error *err)
{
    Arena      arena = {0};
    Statement *statements = arena_take(&arena, count, sizeof *statements, err);
    bool       fine = statements != NULL;
    table->err = err;
    text_add(out,
             "static void %s_set%zu(real t, const real x[DOF], const real v[DOF], const Params *p, real set_x[DOF], "
             "real set_v[DOF])\n{\n",
             kind, number);
    for (size_t i = 0; fine && i < count; ++i) {
        statements[i].node = sets[i].formula;
        statements[i].target = arena_format(&arena, err, "set_%c[%zu] = ", sets[i].velocity ? 'v' : 'x', sets[i].dof);
        fine = statements[i].target != NULL;
    }
    fine = fine && statements_write(table, statements, count, out);
    text_add(out, "}\n");
    arena_free(&arena);
    return fine;
}

bool break_functions_add(Text *out, const Group *group, Error *err)
{
    const Breaks *breaks = group->breaks;
    size_t        first = 0;
    text_add(out, "#line 1 \"prologue\"\n#define BREAK_NUMBERS %zu\n", breaks->number_count);
    for (size_t i = 0; i < breaks->count; ++i) {
        const BreakEntry *entry = &breaks->list[i];
        add_times(out, entry, i, first, true);
        add_times(out, entry, i, first, false);
        if (entry->set_count &&
            !break_functions_add_sets(out, breaks->formulas, entry->sets, entry->set_count, "break", i, err))
            return false;
        first += entry->at_count + (entry->repeats ? 2 : 0);
    }
    text_add(out, "static real breaks_next(real t, const Params *p)\n{\n    real found = %s;\n",
             breaks->count ? "break_after0(t, p)" : "REAL_INFINITY");
    for (size_t i = 1; i < breaks->count; ++i)
        text_add(out, "    found = smaller(break_after%zu(t, p), found);\n", i);
    text_add(out, "    return found;\n}\n#define BREAK_ENTRIES(X)");
    for (size_t i = 0; i < breaks->count; ++i)
        text_add(out, " X(%zu)", i);
    text_add(out, "\n#define BREAK_SETS(X)");
    for (size_t i = 0; i < breaks->count; ++i)
        if (breaks->list[i].set_count)
            text_add(out, " X(%zu)", i);
    text_add(out, "\n");
    return true;
}
