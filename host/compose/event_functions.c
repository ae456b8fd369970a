// event_functions -- formulas, slopes and sets of each entry, as text.
#include "compose/event_functions.h"
#include "compose/break_functions.h"

#include "expression/statements.h"

// event_values() or event_slopes(): a number of each entry.
static bool add_numbers(Text *out, const Group *group, bool slopes, Error *err)
{
    const Events *events = group->events;
    Arena         arena = {0};
    Statement    *statements = arena_take(&arena, events->count, sizeof *statements, err);
    bool          fine = statements != NULL, rates = false;
    events->formulas->err = err;
    for (size_t i = 0; fine && i < events->count; ++i) {
        statements[i].node = slopes ? events->list[i].slope : events->list[i].when;
        statements[i].target = arena_format(&arena, err, "%s[%zu] = ", slopes ? "slope" : "when", i);
        fine = statements[i].target != NULL;
        rates = rates || expression_uses(statements[i].node, NODE_ACCELERATION);
    }
    text_add(
        out,
        "static void event_%s(real t, const real x[DOF], const real v[DOF], const Params *p, real %s[EVENTS])\n{\n",
        slopes ? "slopes" : "values", slopes ? "slope" : "when");
    if (rates)
        text_add(out, "    real a[DOF];\n    acceleration(t, x, %s, p, a);\n", group->problem->first_order ? "x" : "v");
    fine = fine && statements_write(events->formulas, statements, events->count, out);
    text_add(out, "}\n");
    arena_free(&arena);
    return fine;
}

bool event_functions_add(Text *out, const Group *group, Error *err)
{
    const Events *events = group->events;
    size_t        first = 0;
    text_add(out, "#line 1 \"prologue\"\n#define EVENTS %zu\n#define EVENT_TIMES %zu\n", events->count, events->times);
    if (!add_numbers(out, group, false, err) || !add_numbers(out, group, true, err))
        return false;
    for (size_t i = 0; i < events->count; ++i)
        if (!break_functions_add_sets(out, events->formulas, events->list[i].sets, events->list[i].set_count, "event",
                                      i, err))
            return false;
    text_add(out, "#define EVENT_ENTRIES(X)");
    for (size_t i = 0; i < events->count; ++i) {
        const EventEntry *entry = &events->list[i];
        text_add(out, " X(%zu, %s, %s, %s, %zu, %zu, %s)", i, entry->direction == EVENT_DOWN ? "NO" : "YES",
                 entry->direction == EVENT_UP ? "NO" : "YES", entry->set_count ? "YES" : "NO", first, entry->times,
                 entry->stop ? "YES" : "NO");
        first += entry->times;
    }
    text_add(out, "\n");
    return true;
}
