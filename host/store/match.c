// match -- one table for each dimension of the older group, from the values along it to its index.
#include "store/match.h"

#include "base/hash.h"
#include "plan/events.h"

#include <string.h>

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static const char *after_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end ? end + 1 : text;
}

static bool same_newton(const Newton *a, const Newton *b)
{
    return a->scaled_residual == b->scaled_residual && a->cube_root_stencil == b->cube_root_stencil &&
           a->floor_guard == b->floor_guard && a->jacobian == b->jacobian && a->modified == b->modified &&
           a->extrapolated == b->extrapolated;
}

static bool same_substeps(const Substeps *a, const Substeps *b)
{
    return a->max_depth == b->max_depth && same_bits(a->budget, b->budget) && a->start == b->start;
}

// Samples are taken after the same steps.
static bool same_sampling(const Trajectory *old, const Trajectory *new)
{
    return !new->stored ||
           (old->stored && old->every == new->every && (new->every > 0 || old->sample_count == new->sample_count));
}

// The arguments of metrics, which the kernel is given with its points.
static bool same_arguments(const MetricInstance *old, const MetricInstance *new)
{
    bool same = old->card->parameter_count == new->card->parameter_count;
    for (size_t i = 0; same && i < new->card->parameter_count; i++) {
        const MetricArgument *a = &old->arguments[i], *b = &new->arguments[i];
        same =
            !a->formula == !b->formula && (a->formula ? strcmp(a->text, b->text) == 0 : same_bits(a->value, b->value));
    }
    return same;
}

static bool same_variables(const Group *old, const Group *new)
{
    if (old->variable_count != new->variable_count)
        return false;
    for (size_t i = 0; i < new->variable_count; i++) {
        const Variable *a = &old->variables[i], *b = &new->variables[i];
        if (a->source != b->source || a->type != b->type || a->trajectory != b->trajectory ||
            a->per_dof != b->per_dof || a->sampled != b->sampled || (a->sampled && a->width != b->width) ||
            a->tangent != b->tangent ||
            ((a->source == SOURCE_METRIC || a->source == SOURCE_METRIC_D) &&
             (a->instance != b->instance || a->result != b->result)))
            return false;
    }
    bool same = old->instance_count == new->instance_count;
    for (size_t i = 0; same && i < new->instance_count; i++)
        same = same_arguments(&old->instances[i], &new->instances[i]);
    return same;
}

// Whether the rules are the same, which are not values of a point. The first line of a kernel names the group's label.
static bool same_rules(const Older *older, size_t section, const Group *new, const char *source)
{
    const Group *old = &older->origin.plan.groups[section];
    return strcmp(after_line(older->sources[section]), after_line(source)) == 0 &&
           same_newton(&old->newton, &new->newton) && same_substeps(&old->substeps, &new->substeps) &&
           breaks_same(old, new) && events_same(old, new) && old->step_given == new->step_given &&
           old->steps_given == new->steps_given &&
           old->end_given == new->end_given &&same_sampling(&old->trajectory, &new->trajectory) &&
           same_variables(old, new);
}

bool match_suits(const Older *older, size_t section, const Plan *plan, const Group *new, const char *source)
{
    const Plan *old = &older->origin.plan;
    return strcmp(old->computed_by, plan->computed_by) == 0 && old->numbers == plan->numbers &&
           old->precision == plan->precision && same_rules(older, section, new, source);
}

static void add_pair(Match *match, bool used, Quantity old, Quantity new)
{
    if (used)
        match->pairs[match->pair_count++] = (QuantityPair){old, new};
}

static bool pair_quantities(Match *match, Arena *arena, Error *err)
{
    const Group *old = match->old, *new = match->new;
    const size_t problem = new->problem->parameter_count, method = new->method->parameter_count;
    match->pairs = arena_take(arena, 5 + problem + method, sizeof *match->pairs, err);
    if (!match->pairs)
        return false;
    add_pair(match, new->step_given, old->step, new->step);
    add_pair(match, new->steps_given, old->steps, new->steps);
    add_pair(match, new->end_given, old->end, new->end);
    add_pair(match, true, old->newton.tolerance, new->newton.tolerance);
    add_pair(match, true, old->newton.max_updates, new->newton.max_updates);
    for (size_t i = 0; i < problem; i++)
        add_pair(match, true, old->problem_parameters[i], new->problem_parameters[i]);
    for (size_t i = 0; i < method; i++)
        add_pair(match, true, old->method_parameters[i], new->method_parameters[i]);
    return true;
}

static double old_value(const Match *match, const QuantityPair *pair, uint64_t index)
{
    return group_axis_at(match->old, &match->old->axes[pair->old.axis], (size_t)index);
}

// The place of values in a table: that of the index that has them, or an empty one.
static uint64_t *find_place(const Match *match, const ReuseTable *table, const double *values)
{
    uint64_t hash = hash_start;
    for (size_t i = 0; i < table->pair_count; i++)
        hash = hash_bytes(hash, &values[table->pairs[i] - match->pairs], sizeof *values);
    for (uint64_t *place = &table->places[hash & table->mask];;
         place = &table->places[(uint64_t)(place - table->places + 1) & table->mask]) {
        bool same = true;
        for (size_t i = 0; same && *place && i < table->pair_count; i++)
            same = same_bits(old_value(match, table->pairs[i], *place - 1), values[table->pairs[i] - match->pairs]);
        if (same)
            return place;
    }
}

// Of indices with the same values the first is found.
static bool make_table(const Match *match, size_t dim, Arena *arena, Error *err)
{
    const Group *old = match->old;
    ReuseTable  *table = &match->tables[dim];
    uint64_t     capacity = 2;
    while (capacity < 2 * (uint64_t)old->dims[dim].count)
        capacity *= 2;
    table->mask = capacity - 1;
    table->pairs = arena_take(arena, match->pair_count, sizeof(QuantityPair *), err);
    table->places = arena_take(arena, capacity, sizeof *table->places, err);
    double *values = arena_take(arena, match->pair_count, sizeof *values, err);
    if (!table->pairs || !table->places || !values)
        return false;
    for (size_t i = 0; i < match->pair_count; i++)
        if (match->pairs[i].old.axis >= 0 && old->axes[match->pairs[i].old.axis].dim == dim)
            table->pairs[table->pair_count++] = &match->pairs[i];
    for (uint64_t index = 0; index < old->dims[dim].count; index++) {
        for (size_t i = 0; i < table->pair_count; i++)
            values[table->pairs[i] - match->pairs] = old_value(match, table->pairs[i], index);
        uint64_t *place = find_place(match, table, values);
        *place = *place ? *place : index + 1;
    }
    return true;
}

bool match_make(Match *match, Arena *arena, Error *err)
{
    return pair_quantities(match, arena, err) && match_tables(match, arena, err);
}

bool match_tables(Match *match, Arena *arena, Error *err)
{
    match->tables = arena_take(arena, match->old->dim_count, sizeof *match->tables, err);
    bool ok = match->tables != NULL;
    for (size_t d = 0; ok && d < match->old->dim_count; d++)
        ok = make_table(match, d, arena, err);
    return ok;
}

bool match_place(const Match *match, uint64_t point, double *values, uint64_t *old)
{
    for (size_t i = 0; i < match->pair_count; i++) {
        values[i] = group_value(match->new, match->pairs[i].new, point);
        if (match->pairs[i].old.axis < 0 && !same_bits(match->pairs[i].old.value, values[i]))
            return false;
    }
    *old = 0;
    for (size_t d = 0; d < match->old->dim_count; d++) {
        const uint64_t *place = find_place(match, &match->tables[d], values);
        if (!*place)
            return false;
        *old = *old * match->old->dims[d].count + *place - 1;
    }
    return true;
}

bool match_find(const Match *match, uint64_t point, bool stored, double *values, uint64_t *old)
{
    bool selected = false;
    if (!match_place(match, point, values, old))
        return false;
    if (stored)
        group_slot(match->old, *old, &selected);
    return (selected || !stored) && match->older->whole[match->old->first_block + *old / match->old->block_points];
}
