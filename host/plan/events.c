// events -- reads entries, derives their formulas along the motion, and makes the card of their results.
#include "plan/events.h"

#include "base/text.h"
#include "expression/formula.h"

#include <stdio.h>
#include <string.h>

static const char *const entry_keys[] = {"when", "direction", "set", "count", "times", "stop"};
static const char *const directions[] = {"both", "up", "down"};

// Entries in the making, of a group.
typedef struct EventReading {
    Plan        *plan;
    const Group *group;
    Events      *events;
    Error       *err;
} EventReading;

static bool check_count(const EventReading *reading, const YamlNode *node, const EventEntry *entry)
{
    const Group *group = reading->group;
    const char  *name = node->text;
    if (!yaml_spells_name(name))
        return yaml_fail(node, reading->err,
                         "events.count: letters, digits and _ make a name, beginning with no digit");
    for (const EventEntry *other = reading->events->list; other < entry; ++other)
        if (other->count && strcmp(other->count, name) == 0)
            return yaml_fail(node, reading->err, "events.count: '%.60s' is the name of two numbers, change one", name);
    return (!catalog_reserves(reading->plan->catalog, name) && strcmp(name, "time_final") != 0 &&
            dof_find_word(group->coordinates, group->dofs, false, name) == group->dofs &&
            dof_find_word(group->coordinates, group->dofs, true, name) == group->dofs) ||
           yaml_fail(node, reading->err, "events.count: the name '%.60s' is taken, choose another", name);
}

static bool read_results(const EventReading *reading, const YamlNode *node, EventEntry *entry)
{
    const YamlNode *count = yaml_said(node, "count"), *times = yaml_said(node, "times"),
                   *stop = yaml_said(node, "stop");
    int64_t most = 0;
    if (count &&
        (!yaml_text(count, "events.count", &entry->count, reading->err) || !check_count(reading, count, entry)))
        return false;
    if (times && !count)
        return yaml_fail(times, reading->err, "events.times: the times have the name of 'count', which is not given");
    if ((times && !yaml_whole(times, "events.times", 1, EVENT_TIMES_MOST, &most, reading->err)) ||
        (stop && !yaml_truth(stop, "events.stop", &entry->stop, reading->err)))
        return false;
    entry->times = (size_t)most;
    reading->events->times += entry->times;
    reading->events->stop = reading->events->stop || entry->stop;
    return true;
}

static bool read_entry(const EventReading *reading, const YamlNode *node, EventEntry *entry)
{
    Expressions *table = reading->events->formulas;
    size_t       direction = EVENT_BOTH;
    if (!yaml_is_mapping(node, "events", reading->err) ||
        !yaml_check_keys(node, "events", entry_keys, sizeof entry_keys / sizeof *entry_keys, reading->err))
        return false;
    const YamlNode *when = yaml_said(node, "when"), *way = yaml_said(node, "direction"), *set = yaml_said(node, "set");
    if (!when)
        return yaml_fail(node, reading->err, "events: an entry lacks the key 'when', give it a formula");
    if (!(entry->when = formula_read(table, when, "events.when", reading->err)))
        return false;
    entry->text = when->text;
    if (!expression_uses(entry->when, NODE_COORDINATE) && !expression_uses(entry->when, NODE_VELOCITY) &&
        !expression_uses(entry->when, NODE_TIME))
        return yaml_fail(when, reading->err,
                         "events.when: the formula has one value only, give it a coordinate, a velocity or t");
    if (way && !yaml_choice(way, "events.direction", directions, 3, &direction, reading->err))
        return false;
    entry->direction = (EventDirection)direction;
    return (!set || breaks_read_sets(table, reading->group, set, "events.set", &entry->sets, &entry->set_count,
                                     reading->err)) &&
           read_results(reading, node, entry);
}

// Adds the derivatives of all formulas by one leaf, times the rate of that leaf.
static bool add_slopes(const EventReading *reading, NodeKind kind, size_t index, const Node *rate)
{
    Events    *events = reading->events;
    Derivation by;
    bool       used = false;
    for (size_t i = 0; i < events->count; ++i)
        used = used || expression_uses(events->list[i].when, kind);
    if (used && !expression_derive_by(events->formulas, kind, index, &by))
        return false;
    for (size_t i = 0; used && i < events->count; ++i) {
        EventEntry *entry = &events->list[i];
        const Node *slope = expression_multiply(events->formulas, expression_derive(&by, entry->when), rate);
        if (!(entry->slope = expression_add(events->formulas, entry->slope, slope)))
            return false;
    }
    return true;
}

// How fast each formula changes along the motion. Of a system of first order the rates stand where accelerations do.
static bool derive(const EventReading *reading)
{
    const Group *group = reading->group;
    Expressions *table = reading->events->formulas;
    const bool   first = group->problem->first_order;
    bool         fine = true;
    for (size_t i = 0; i < reading->events->count; ++i)
        reading->events->list[i].slope = expression_number(table, 0.0);
    fine = add_slopes(reading, NODE_TIME, 0, expression_number(table, 1.0));
    for (size_t i = 0; fine && i < group->dofs; ++i)
        fine = add_slopes(reading, NODE_COORDINATE, i,
                          expression_leaf(table, first ? NODE_ACCELERATION : NODE_VELOCITY, i)) &&
               (first || add_slopes(reading, NODE_VELOCITY, i, expression_leaf(table, NODE_ACCELERATION, i)));
    return fine;
}

// Adds a result to the card, and the function that gives it.
static void add_result(Text *card, Text *functions, const char *name, const char *about, bool whole, const char *value)
{
    text_add(card, "//:   %s: {unit: %s, %sabout: \"%s\"}\n", name, whole ? "\"1\"" : "s", whole ? "type: whole, " : "",
             about);
    text_add(functions, "static %s M(%s)(const Point *q) { return %s; }\n", whole ? "whole" : "real", name, value);
}

// The metric of the events: its functions read what kernels/events.h keeps in a point.
static void write_card(const Events *events, Text *card)
{
    Text   functions = {0};
    size_t first = 0;
    char   name[200], about[200], value[80];
    text_add(card, "//: metric: sweep_events\n//: title: Events of the sweep\n//: results:\n");
    if (events->stop)
        add_result(card, &functions, "time_final", "time at which the point ended", false, "q->ended");
    for (size_t i = 0; i < events->count; ++i) {
        const EventEntry *entry = &events->list[i];
        if (!entry->count)
            continue;
        snprintf(about, sizeof about, "events of number %zu of the sweep's list", i + 1);
        snprintf(value, sizeof value, "to_whole(q->seen[%zu])", i);
        add_result(card, &functions, entry->count, about, true, value);
        for (size_t k = 0; k < entry->times; ++k) {
            snprintf(name, sizeof name, "%.150s_time_%zu", entry->count, k + 1);
            snprintf(about, sizeof about, "time of event %zu; NaN with fewer", k + 1);
            snprintf(value, sizeof value, "q->times[%zu]", first + k);
            add_result(card, &functions, name, about, false, value);
        }
        first += entry->times;
    }
    text_add(card, "%s", functions.text ? functions.text : "");
    text_free(&functions);
}

static bool make_card(const EventReading *reading)
{
    Arena *arena = &reading->plan->arena;
    Text   text = {0};
    Card  *card = arena_take(arena, 1, sizeof *card, reading->err);
    bool   any = reading->events->stop;
    for (size_t i = 0; i < reading->events->count; ++i)
        any = any || reading->events->list[i].count;
    if (!card || !any)
        return card != NULL;
    write_card(reading->events, &text);
    const char *copy = text_keep(&text, arena, reading->err);
    if (!copy || !card_read("sweep_events.cl", copy, arena, card, reading->err))
        return false;
    card->of_events = true;
    reading->events->card = card;
    return true;
}

bool events_make(Plan *plan, Group *group, Error *err)
{
    const YamlNode *node = yaml_said(plan->spec->root, "events");
    if (!node)
        return true;
    Arena  *arena = &plan->arena;
    Events *events = arena_take(arena, 1, sizeof *events, err);
    if (!yaml_is_sequence(node, "events", err))
        return false;
    if (node->count == 0)
        return yaml_fail(node, err, "events: the list is empty, leave it out");
    if (node->count > EVENTS_MOST)
        return yaml_fail(node, err, "events: %zu entries, at most %d", node->count, EVENTS_MOST);
    if (!events || !(events->formulas = arena_take(arena, 1, sizeof *events->formulas, err)) ||
        !(events->list = arena_take(arena, node->count, sizeof *events->list, err)))
        return false;
    *events->formulas = (Expressions){.arena = arena, .err = err};
    const EventReading reading = {plan, group, events, err};
    if (!breaks_name_all(events->formulas, group))
        return false;
    for (; events->count < node->count; ++events->count)
        if (!read_entry(&reading, node->items[events->count], &events->list[events->count]))
            return false;
    group->events = events;
    return derive(&reading) && make_card(&reading);
}

bool events_name(const Group *group, const char *name)
{
    const Card *card = group->events ? group->events->card : NULL;
    for (size_t i = 0; card && i < card->result_count; ++i)
        if (strcmp(card->results[i].name, name) == 0)
            return true;
    return false;
}

const char *events_key(const Group *group)
{
    return group->events ? "events" : "breaks";
}

static bool same_entry(const EventEntry *a, const EventEntry *b)
{
    return strcmp(a->text, b->text) == 0 && a->direction == b->direction && a->times == b->times &&
           a->stop == b->stop && !a->count == !b->count && (!a->count || strcmp(a->count, b->count) == 0) &&
           breaks_same_sets(a->sets, a->set_count, b->sets, b->set_count);
}

bool events_same(const Group *a, const Group *b)
{
    const Events *one = a->events, *other = b->events;
    if (!one || !other)
        return one == other;
    bool same = one->count == other->count;
    for (size_t i = 0; same && i < one->count; ++i)
        same = same_entry(&one->list[i], &other->list[i]);
    return same;
}
