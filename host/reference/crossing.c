// crossing -- values and slopes of event formulas in double, and their sides.
#include "reference/crossing.h"

#include "expression/evaluate.h"

#include <math.h>
#include <string.h>

static double parameter_of(const void *values, size_t index)
{
    return ((const double *)values)[index];
}

static double value_of(const Crossings *crossings, size_t event, double t, const State *state)
{
    return expression_evaluate_at(crossings->group->events->list[event].when, t, state->x, state->v, NULL, parameter_of,
                                  crossings->values);
}

static double slope_of(const Crossings *crossings, size_t event, double t, const State *state)
{
    const bool   first = crossings->problem->first_order;
    const double none[REFERENCE_DOFS] = {0.0};
    double       a[REFERENCE_DOFS];
    crossings->problem->acceleration(t, first ? none : state->x, first ? state->x : state->v, crossings->params, a);
    return expression_evaluate_at(crossings->group->events->list[event].slope, t, state->x, state->v, a, parameter_of,
                                  crossings->values);
}

static double sign_of(double number)
{
    return (number > 0.0) - (number < 0.0);
}

bool crossing_found(const Crossings *crossings, double t, const State *state, bool *crossed)
{
    bool any = false;
    for (size_t i = 0; i < crossings->group->events->count; ++i) {
        const EventDirection direction = crossings->group->events->list[i].direction;
        const double         value = value_of(crossings, i, t, state), side = crossings->side[i];
        // A value of 0 is on the other side of both.
        crossed[i] = (direction != EVENT_DOWN && side < 0.0 && value >= 0.0) ||
                     (direction != EVENT_UP && side > 0.0 && value <= 0.0);
        any = any || crossed[i];
    }
    return any;
}

void crossing_see(Crossings *crossings, double t, const State *state)
{
    for (size_t i = 0; i < crossings->group->events->count; ++i)
        if (!crossings->crossed[i])
            crossings->side[i] = sign_of(value_of(crossings, i, t, state));
}

bool crossing_left(const Crossings *crossings, double t, const State *state)
{
    bool left = false;
    for (size_t i = 0; i < crossings->group->events->count; ++i)
        left = left || (crossings->crossed[i] && value_of(crossings, i, t, state) * crossings->side[i] > 0.0);
    return left;
}

void crossing_begin(Crossings *crossings, double t, const State *state)
{
    const size_t count = crossings->group->events->count;
    for (size_t i = 0; i < count; ++i) {
        const double value = value_of(crossings, i, t, state);
        crossings->side[i] = sign_of(value != 0.0 ? value : slope_of(crossings, i, t, state));
    }
    for (size_t i = 0; i < crossings->group->events->times; ++i)
        crossings->times[i] = (double)NAN;
}

void crossing_pass(Crossings *crossings, double t, State *state)
{
    const Events *events = crossings->group->events;
    size_t        first = 0;
    for (size_t i = 0; i < events->count; first += events->list[i++].times) {
        const EventEntry *entry = &events->list[i];
        State             old;
        step_copy_state(crossings->group->dofs, &old, state);
        if (!crossings->crossed[i])
            continue;
        for (size_t k = 0; k < entry->set_count; ++k) {
            const BreakSet *set = &entry->sets[k];
            double         *to = set->velocity ? state->v : state->x;
            to[set->dof] = breaks_set_value(set, t, old.x, old.v, crossings->values);
        }
        if (crossings->seen[i] < entry->times)
            crossings->times[first + crossings->seen[i]] = t;
        ++crossings->seen[i];
        if (entry->stop) {
            crossings->stopped = true;
            crossings->ended = t;
        }
    }
    ++crossings->places;
}

// What has crossed and was not moved is at 0, within the width to which the place was found.
static bool stays(const Crossings *crossings, double before, double now, double slope)
{
    return now == 0.0 || now == before || fabs(now) <= 0x1p-32 * crossings->h * fabs(slope);
}

bool crossing_against(const Crossings *crossings, double t, const State *before, const State *state)
{
    bool against = false;
    for (size_t i = 0; i < crossings->group->events->count; ++i) {
        const double side = crossings->side[i], slope = slope_of(crossings, i, t, state);
        if (crossings->crossed[i] && crossings->group->events->list[i].set_count)
            against = against ||
                      (stays(crossings, value_of(crossings, i, t, before), value_of(crossings, i, t, state), slope) &&
                       slope_of(crossings, i, t, before) * side >= 0.0 && slope * side <= 0.0);
    }
    return against;
}

void crossing_anew(Crossings *crossings, double t, const State *before, const State *state)
{
    for (size_t i = 0; i < crossings->group->events->count; ++i) {
        const double old = value_of(crossings, i, t, before), now = value_of(crossings, i, t, state),
                     slope = slope_of(crossings, i, t, state);
        const bool crossed = crossings->crossed[i];
        if (now == old && !crossed && crossings->side[i] != 0.0)
            continue;
        const bool at = crossed ? stays(crossings, old, now, slope) : now == 0.0;
        crossings->side[i] = sign_of(at ? slope : now);
    }
    memset(crossings->crossed, 0, sizeof crossings->crossed);
}
