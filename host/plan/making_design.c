// making_design -- random design of a group: its factors, which of them change together, and their correlations.
#include "plan/making.h"

#include <math.h>
#include <string.h>

static bool take_factors(Making *making, Sampling *sampling, Error *err)
{
    Arena        *arena = &making->plan->arena;
    Distribution *factors = arena_take(arena, making->count, sizeof *factors, err);
    for (size_t i = 0; factors && i < making->count; ++i) {
        AxisText *text = &making->wanted[i].text;
        if (text->form != FORM_RANDOM)
            continue;
        if (!axis_values(text, arena, err))
            return false;
        factors[sampling->factor_count++] = text->distribution;
    }
    sampling->factors = factors;
    return factors != NULL;
}

// The number of a factor by its name; marks the name as used. As many as there are where it is none of this group.
static size_t find_factor(const Making *making, FactorSet *set, size_t k)
{
    size_t factor = 0;
    for (size_t i = 0; i < making->count; ++i) {
        if (making->wanted[i].text.form != FORM_RANDOM)
            continue;
        if (strcmp(making->wanted[i].axis.name, set->names[k]) == 0) {
            set->used[k] = true;
            return factor;
        }
        ++factor;
    }
    return factor;
}

// The factors of a set are one group; each other factor is a group of its own, in the order of the factors.
static bool join_groups(Making *making, Sampling *sampling, Error *err)
{
    PlanDesign  *design = &making->plan->design;
    const size_t n = sampling->factor_count;
    size_t      *group_of = arena_take(&making->plan->arena, n, sizeof *group_of, err);
    size_t      *set_of = arena_take(&making->plan->arena, n, sizeof *set_of, err);  // 1 + set; 0: alone
    const char **names = arena_take(&making->plan->arena, n, sizeof *names, err);
    if (!group_of || !set_of || !names)
        return false;
    for (size_t s = 0; s < design->set_count; ++s)
        for (size_t k = 0; !design->sets[s].spearman && k < design->sets[s].count; ++k) {
            const size_t factor = find_factor(making, &design->sets[s], k);
            if (factor < n)
                set_of[factor] = s + 1;
        }
    for (size_t i = 0, f = 0; i < making->count; ++i) {
        if (making->wanted[i].text.form != FORM_RANDOM)
            continue;
        size_t first = 0;
        while (first < f && (set_of[f] == 0 || set_of[first] != set_of[f]))
            ++first;
        group_of[f] = first < f ? group_of[first] : sampling->group_count++;
        names[group_of[f]] = set_of[f] ? design->sets[set_of[f] - 1].name : making->wanted[i].axis.name;
        ++f;
    }
    sampling->group_of = sampling->group_count < n ? group_of : NULL;
    sampling->group_names = names;
    return true;
}

// Spearman's rank correlation rho of a normal copula is that of normals with r = 2 sin(pi rho / 6) (Pearson 1907).
static bool correlate(Making *making, Sampling *sampling, Error *err)
{
    PlanDesign  *design = &making->plan->design;
    const size_t n = sampling->factor_count;
    double      *matrix = arena_take(&making->plan->arena, n * n, sizeof *matrix, err);
    bool         any = false;
    for (size_t i = 0; matrix && i < n; ++i)
        matrix[i * n + i] = 1.0;
    for (size_t s = 0; matrix && s < design->set_count; ++s) {
        FactorSet *set = &design->sets[s];
        for (size_t i = 0; set->spearman && i < set->count; ++i)
            for (size_t k = 0; k < set->count; ++k) {
                const size_t a = find_factor(making, set, i), b = find_factor(making, set, k);
                const double r = 2.0 * sin(M_PI / 6.0 * set->spearman[i * set->count + k]);
                if (i == k || a == n || b == n)
                    continue;
                if (matrix[a * n + b] != 0.0 && matrix[a * n + b] != r)
                    return yaml_fail(set->node, err, "correlated: '%s' and '%s' are in two lists", set->names[i],
                                     set->names[k]);
                matrix[a * n + b] = matrix[b * n + a] = r;
                any = true;
            }
    }
    sampling->correlation = any ? matrix : NULL;
    return matrix != NULL;
}

// Half of a net is as uneven as random points.
static bool warn_of_nets(Making *making, const Sampling *sampling, Error *err)
{
    const bool net = sampling->kind == SAMPLING_SOBOL || sampling->kind == SAMPLING_SALTELLI;
    uint64_t   power = 1;
    while (power < sampling->samples)
        power *= 2;
    return !net || power == sampling->samples ||
           plan_warn(making->plan, making->plan->design.node, err,
                     "design: Sobol' points are even in powers of two: take %llu or %llu samples rather than %llu",
                     (unsigned long long)power / 2, (unsigned long long)power, (unsigned long long)sampling->samples);
}

bool making_design(Making *making, Error *err)
{
    Plan     *plan = making->plan;
    Sampling *sampling = arena_take(&plan->arena, 1, sizeof *sampling, err);
    if (!sampling || plan->design.how != DESIGN_RANDOM)
        return sampling != NULL;
    *sampling = plan->design.sampling;
    if (!take_factors(making, sampling, err) || !join_groups(making, sampling, err) ||
        !correlate(making, sampling, err))
        return false;
    const char *reason = sampling_refuses(sampling);
    if (reason)
        return yaml_fail(plan->design.node, err, "design: %s (group '%s')", reason, making->group->label);
    if (!sampling_make(sampling, &plan->arena, err)) {
        Error       ignored;
        const char *place = yaml_place(plan->design.node, &plan->arena, &ignored);
        return within(err, "%s: design", place ? place : "");
    }
    making->group->sampling = sampling;
    return warn_of_nets(making, sampling, err);
}
