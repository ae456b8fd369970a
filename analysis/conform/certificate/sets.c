// sets -- formulas of breaks and events, by the rules of observed quantities (gauges/observed.c).
#include "analysis/conform/certificate/sets.h"

#include "gauges/gauge.h"
#include "plan/events.h"

// A kernel takes entries whose time is that of the break but for 16 roundings.
static bool is_due(const Judge *judge, const BreakEntry *entry, const double *numbers)
{
    const CertificateSubstep *substep = judge->substep;
    const bool                single = judge->u > 0x1p-40L;
    const double              passed =
        substep->passed < 0.0 ? substep->passed : substep->passed + breaks_near(single, substep->passed);
    return breaks_after(entry, numbers, passed) <= substep->time + breaks_near(single, substep->time);
}

static void set_entry(const Judge *judge, const BreakSet *sets, size_t count, Vector *x, Vector *v)
{
    const ExactPoint  *point = judge->substep->point;
    const bool         first_order = point->problem->first_order;
    const GaugeProblem problem = {.card = point->problem, .dofs = point->dofs};
    const Vector       old_x = first_order ? *v : *x, old_v = *v;
    const Sight        sight = {.problem = &problem,
                                .u = judge->u,
                                .single = judge->u > 0x1p-40L,
                                .t = judge->substep->time,
                                .x = old_x.i,
                                .v = old_v.i,
                                .parameters = point->numbers};
    for (size_t i = 0; i < point->problem->parameter_count; ++i)
        point->numbers[i] = (double)point->values[i];
    for (size_t k = 0; k < count; ++k) {
        const BreakSet *set = &sets[k];
        Vector         *to = set->velocity || first_order ? v : x;
        to->i[set->dof] = gauge_formula(&sight, set->formula);
    }
}

void sets_apply(const Judge *judge, Vector *x, Vector *v)
{
    const Breaks *breaks = judge->substep->breaks;
    const double *numbers = judge->substep->numbers;
    const Events *events = judge->substep->events;
    for (size_t i = 0; events && i < events->count; ++i)
        if (judge->substep->fired[i])
            set_entry(judge, events->list[i].sets, events->list[i].set_count, x, v);
    if (events)
        return;
    for (size_t i = 0; breaks && i < breaks->count; ++i) {
        const BreakEntry *entry = &breaks->list[i];
        if (is_due(judge, entry, numbers))
            set_entry(judge, entry->sets, entry->set_count, x, v);
        numbers += entry->at_count + (entry->repeats ? 2 : 0);
    }
}
