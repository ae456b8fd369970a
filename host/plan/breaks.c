// breaks -- reads entries, and finds their times at a point.
#include "plan/breaks.h"

#include "expression/evaluate.h"
#include "expression/formula.h"

#include <math.h>
#include <string.h>

static const char *const entry_keys[] = {"at", "every", "count", "set"};

// An entry that is read, of a group.
typedef struct BreakReading {
    Plan        *plan;
    const Group *group;
    Breaks      *breaks;
    Error       *err;
} BreakReading;

// Formulas of times and of sets know the same names; those of times may use the parameters alone.
bool breaks_name_all(Expressions *table, const Group *group)
{
    const Card *problem = group->problem;
    bool        fine = expression_name(table, "t", expression_leaf(table, NODE_TIME, 0)) &&
                expression_name(table, "pi", expression_leaf(table, NODE_PI, 0));
    table->parameters = arena_take(table->arena, problem->parameter_count, sizeof *table->parameters, table->err);
    fine = fine && table->parameters;
    for (size_t i = 0; fine && i < problem->parameter_count; ++i) {
        table->parameters[i] = problem->parameters[i].name;
        fine = problem->parameters[i].choice_count ||
               expression_name(table, problem->parameters[i].name, expression_leaf(table, NODE_PARAMETER, i));
    }
    for (size_t i = 0; fine && i < group->dofs; ++i)
        fine = expression_name(table, group->coordinates[i].name, expression_leaf(table, NODE_COORDINATE, i)) &&
               (problem->first_order ||
                expression_name(table, group->coordinates[i].velocity, expression_leaf(table, NODE_VELOCITY, i)));
    return fine;
}

static bool read_number(const BreakReading *reading, const YamlNode *node, const char *what, BreakNumber *number)
{
    const unsigned never = 1U << NODE_COORDINATE | 1U << NODE_VELOCITY | 1U << NODE_TIME;
    if (node->kind == YAML_SCALAR && !yaml_is_null(node) && yaml_parse_number(node->text, &number->value))
        return true;
    number->formula = formula_read_of(reading->breaks->formulas, node, what, never, reading->err);
    number->text = node->text;
    return number->formula != NULL;
}

static bool read_at(const BreakReading *reading, const YamlNode *node, BreakEntry *entry)
{
    const bool list = node->kind == YAML_SEQUENCE;
    entry->at_count = list ? node->count : 1;
    if (entry->at_count == 0)
        return yaml_fail(node, reading->err, "breaks.at: the list is empty, give it a time");
    entry->at = arena_take(&reading->plan->arena, entry->at_count, sizeof *entry->at, reading->err);
    for (size_t i = 0; entry->at && i < entry->at_count; ++i)
        if (!read_number(reading, list ? node->items[i] : node, "breaks.at", &entry->at[i]))
            return false;
    return entry->at != NULL;
}

bool breaks_read_sets(Expressions *table, const Group *group, const YamlNode *node, const char *what, BreakSet **sets,
                      size_t *count, Error *err)
{
    const bool first_order = group->problem->first_order;
    if (!yaml_is_mapping(node, what, err))
        return false;
    *sets = arena_take(table->arena, node->count, sizeof **sets, err);
    *count = node->count;
    for (size_t i = 0; *sets && i < node->count; ++i) {
        BreakSet   *set = &(*sets)[i];
        const char *name = node->keys[i]->text;
        set->dof = dof_find_word(group->coordinates, group->dofs, false, name);
        if (set->dof == group->dofs && !first_order) {
            set->velocity = true;
            set->dof = dof_find_word(group->coordinates, group->dofs, true, name);
        }
        if (set->dof == group->dofs)
            return yaml_fail(node->keys[i], err, "%s: the problem has no coordinate%s '%.60s'", what,
                             first_order ? "" : " or velocity", name);
        for (size_t k = 0; k < i; ++k)
            if ((*sets)[k].velocity == set->velocity && (*sets)[k].dof == set->dof)
                return yaml_fail(node->keys[i], err, "%s: '%.60s' is set twice, leave one out", what, name);
        set->formula = formula_read(table, node->items[i], what, err);
        set->text = node->items[i]->text;
        if (!set->formula)
            return false;
    }
    return *sets != NULL;
}

static bool read_entry(const BreakReading *reading, const YamlNode *node, BreakEntry *entry)
{
    if (!yaml_is_mapping(node, "breaks", reading->err) ||
        !yaml_check_keys(node, "breaks", entry_keys, sizeof entry_keys / sizeof *entry_keys, reading->err))
        return false;
    const YamlNode *at = yaml_said(node, "at"), *every = yaml_said(node, "every"), *count = yaml_said(node, "count"),
                   *set = yaml_said(node, "set");
    if (!at)
        return yaml_fail(node, reading->err, "breaks: an entry lacks the key 'at', give it a time or a list of times");
    if (count && !every)
        return yaml_fail(count, reading->err, "breaks.count: it counts the times of 'every', which is not given");
    entry->repeats = every != NULL;
    entry->count.value = (double)INFINITY;
    if (!read_at(reading, at, entry) || (every && !read_number(reading, every, "breaks.every", &entry->every)) ||
        (count && !read_number(reading, count, "breaks.count", &entry->count)) ||
        (set && !breaks_read_sets(reading->breaks->formulas, reading->group, set, "breaks.set", &entry->sets,
                                  &entry->set_count, reading->err)))
        return false;
    if (every && !entry->every.formula && !(entry->every.value > 0.0))
        return yaml_fail(every, reading->err, "breaks.every: %.60s is no interval, it must be greater than 0",
                         every->text);
    if (count && !entry->count.formula && !(entry->count.value >= 0.0))
        return yaml_fail(count, reading->err, "breaks.count: %.60s is too small, it must be at least 0", count->text);
    reading->breaks->number_count += entry->at_count + (entry->repeats ? 2 : 0);
    return reading->breaks->number_count <= BREAK_NUMBERS_MOST ||
           yaml_fail(node, reading->err, "breaks: more than %d numbers, use 'every' or fewer times",
                     BREAK_NUMBERS_MOST);
}

bool breaks_make(Plan *plan, Group *group, Error *err)
{
    const YamlNode *node = yaml_said(plan->spec->root, "breaks");
    if (!node && !yaml_said(plan->spec->root, "events"))
        return true;
    Arena       *arena = &plan->arena;
    const bool   list = node && node->kind == YAML_SEQUENCE;
    const size_t count = list ? node->count : node != NULL;
    Breaks      *breaks = arena_take(arena, 1, sizeof *breaks, err);
    if (node && count == 0)
        return yaml_fail(node, err, "breaks: the list is empty, leave it out");
    if (!breaks || !(breaks->formulas = arena_take(arena, 1, sizeof *breaks->formulas, err)) ||
        !(breaks->list = arena_take(arena, count, sizeof *breaks->list, err)))
        return false;
    *breaks->formulas = (Expressions){.arena = arena, .err = err};
    breaks->count = count;
    const BreakReading reading = {plan, group, breaks, err};
    if (!breaks_name_all(breaks->formulas, group))
        return false;
    for (size_t i = 0; i < count; ++i)
        if (!read_entry(&reading, list ? node->items[i] : node, &breaks->list[i]))
            return false;
    group->breaks = breaks;
    return true;
}

typedef struct BreakPoint {
    const Group *group;
    uint64_t     point;
} BreakPoint;

static double parameter_at(const void *user, size_t index)
{
    const BreakPoint *place = user;
    return group_value(place->group, place->group->problem_parameters[index], place->point);
}

static double value_of(const BreakNumber *number, const BreakPoint *place)
{
    return number->formula ? expression_evaluate(number->formula, (double)NAN, parameter_at, place) : number->value;
}

void breaks_numbers(const Group *group, uint64_t point, double *numbers)
{
    const BreakPoint place = {group, point};
    for (size_t i = 0; i < group->breaks->count; ++i) {
        const BreakEntry *entry = &group->breaks->list[i];
        for (size_t k = 0; k < entry->at_count; ++k)
            *numbers++ = value_of(&entry->at[k], &place);
        if (!entry->repeats)
            continue;
        const double every = value_of(&entry->every, &place), count = value_of(&entry->count, &place);
        *numbers++ = every > 0.0 ? every : (double)NAN;
        *numbers++ = count >= 0.0 ? count : (double)NAN;
    }
}

// The times a + k every that lie around t, in their order: k from its quotient on, which rounding may have moved by
// one.
typedef struct Around {
    double first, last;
} Around;

static Around around(double a, double every, double count, double t)
{
    const double k = fmin(fmax(floor((t - a) / every), 0.0), fmin(floor(count), 0x1p52));
    return (Around){fmax(k - 1.0, 0.0), k + 2.0};
}

double breaks_after(const BreakEntry *entry, const double *numbers, double t)
{
    double first = (double)INFINITY;
    for (size_t i = 0; i < entry->at_count; ++i) {
        const double every = entry->repeats ? numbers[entry->at_count] : 1.0,
                     count = entry->repeats ? numbers[entry->at_count + 1] : 1.0;
        const Around k = around(numbers[i], every, count, t);
        for (double n = k.first; n <= k.last && n < count; ++n)
            if (numbers[i] + n * every > t)
                first = fmin(first, numbers[i] + n * every);
    }
    return first;
}

double breaks_until(const BreakEntry *entry, const double *numbers, double t)
{
    double last = -(double)INFINITY;
    for (size_t i = 0; i < entry->at_count; ++i) {
        const double every = entry->repeats ? numbers[entry->at_count] : 1.0,
                     count = entry->repeats ? numbers[entry->at_count + 1] : 1.0;
        const Around k = around(numbers[i], every, count, t);
        for (double n = k.first; n <= k.last && n < count; ++n)
            if (numbers[i] + n * every <= t)
                last = fmax(last, numbers[i] + n * every);
    }
    return last;
}

double breaks_next(const Group *group, const double *numbers, double t)
{
    double first = (double)INFINITY;
    for (size_t i = 0; i < group->breaks->count; ++i) {
        const BreakEntry *entry = &group->breaks->list[i];
        first = fmin(first, breaks_after(entry, numbers, t));
        numbers += entry->at_count + (entry->repeats ? 2 : 0);
    }
    return first;
}

static double value_at(const void *values, size_t index)
{
    return ((const double *)values)[index];
}

double breaks_set_value(const BreakSet *set, double t, const double *x, const double *v, const double *values)
{
    return expression_evaluate_at(set->formula, t, x, v, NULL, value_at, values);
}

// A solution that the host makes for error metrics knows no breaks, nor does a problem's closed form; and the cubic
// through the ends of a step (kernels/between.h) knows no break within it.
const char *breaks_forbid(const Card *metric)
{
    if (card_needs(metric, "solution"))
        return "compare with a smooth solution";
    return metric->interpolates ? "look between the ends of steps" : NULL;
}

static bool same_number(const BreakNumber *a, const BreakNumber *b)
{
    return !a->formula == !b->formula && (a->formula ? strcmp(a->text, b->text) == 0 : a->value == b->value);
}

bool breaks_same_sets(const BreakSet *a, size_t a_count, const BreakSet *b, size_t b_count)
{
    bool same = a_count == b_count;
    for (size_t i = 0; same && i < a_count; ++i)
        same = a[i].velocity == b[i].velocity && a[i].dof == b[i].dof && strcmp(a[i].text, b[i].text) == 0;
    return same;
}

static bool same_entry(const BreakEntry *a, const BreakEntry *b)
{
    bool same = a->at_count == b->at_count && a->repeats == b->repeats && same_number(&a->every, &b->every) &&
                same_number(&a->count, &b->count) && breaks_same_sets(a->sets, a->set_count, b->sets, b->set_count);
    for (size_t i = 0; same && i < a->at_count; ++i)
        same = same_number(&a->at[i], &b->at[i]);
    return same;
}

bool breaks_same(const Group *a, const Group *b)
{
    const Breaks *one = a->breaks, *other = b->breaks;
    if (!one || !other)
        return one == other;
    bool same = one->count == other->count;
    for (size_t i = 0; same && i < one->count; ++i)
        same = same_entry(&one->list[i], &other->list[i]);
    return same;
}

double breaks_near(bool single, double t)
{
    return t * (single ? 0x1p-20 : 0x1p-49);
}
