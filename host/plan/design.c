// design -- reads `design:` and `correlated:` of a sweep file, and makes a group's random design of them.
#include "plan/plan_make.h"

#include <math.h>
#include <string.h>

// Keys that each random design may have.
enum { NUMBER_KEYS = 4 };
static const char *const number_keys[SAMPLING_COUNT][NUMBER_KEYS] = {
    [SAMPLING_RANDOM] = {"samples", "seed"},
    [SAMPLING_LHS] = {"samples", "seed", "optimise"},
    [SAMPLING_SOBOL] = {"samples", "seed", "scramble"},
    [SAMPLING_SALTELLI] = {"samples", "seed", "second_order", "nets"},
    [SAMPLING_MORRIS] = {"trajectories", "seed", "levels", "candidates"},
    [SAMPLING_ONE_AT_A_TIME] = {"levels"},
    [SAMPLING_LOCAL] = {"step", "halvings"}};

// Nets of saltelli where none are given: of fewer, Student's quantile makes intervals wide, of more, the nets' few
// points.
enum { NETS = 8 };

static const int64_t most_samples = INT64_C(1) << 32, most_seed = INT64_C(1) << 53;

// A whole number under a key, if it is there.
static bool read_whole(const YamlNode *numbers, const char *key, int64_t least, int64_t most, int64_t *number,
                       Error *err)
{
    const YamlNode *node = yaml_find(numbers, key);
    return !node || yaml_whole(node, key, least, most, number, err);
}

static bool read_samples(const YamlNode *node, const YamlNode *numbers, Sampling *sampling, Error *err)
{
    const char *key = sampling->kind == SAMPLING_MORRIS ? "trajectories" : "samples";
    int64_t     samples = 0, seed = 1;
    if (sampling->kind == SAMPLING_ONE_AT_A_TIME || sampling->kind == SAMPLING_LOCAL) {
        sampling->samples = 1;
        return true;
    }
    if (!yaml_find(numbers, key))
        return yaml_fail(numbers ? numbers : node, err, "design: give %s a number of %s, as in {%s: {%s: 1024}}",
                         sampling_names[sampling->kind], key, sampling_names[sampling->kind], key);
    if (!read_whole(numbers, key, 1, most_samples, &samples, err) ||
        !read_whole(numbers, "seed", 0, most_seed, &seed, err))
        return false;
    sampling->samples = (uint64_t)samples;
    sampling->seed = (uint64_t)seed;
    return true;
}

// Fewer samples than are worth an interval are one net.
static bool read_nets(const YamlNode *numbers, Sampling *sampling, Error *err)
{
    int64_t nets = sampling->kind == SAMPLING_SALTELLI && sampling->samples >= 2 * NETS ? NETS : 1;
    if (!read_whole(numbers, "nets", 1, SAMPLING_NETS, &nets, err))
        return false;
    sampling->nets = (unsigned)nets;
    return true;
}

static bool read_numbers(const YamlNode *node, const YamlNode *numbers, Sampling *sampling, Error *err)
{
    const bool      morris = sampling->kind == SAMPLING_MORRIS;
    const YamlNode *scramble = yaml_find(numbers, "scramble"), *second = yaml_find(numbers, "second_order"),
                   *step = yaml_find(numbers, "step");
    int64_t optimise = 0, levels = morris ? 4 : 10, halvings = 4;
    bool    scrambled = true;
    sampling->step = 0.1;
    if (!read_samples(node, numbers, sampling, err) ||
        !read_whole(numbers, morris ? "candidates" : "optimise", 1, most_samples, &optimise, err) ||
        !read_nets(numbers, sampling, err) || !read_whole(numbers, "levels", 1, SAMPLING_LEVELS, &levels, err) ||
        !read_whole(numbers, "halvings", 0, SAMPLING_HALVINGS, &halvings, err) ||
        (scramble && !yaml_truth(scramble, "scramble", &scrambled, err)) ||
        (second && !yaml_truth(second, "second_order", &sampling->second_order, err)) ||
        (step && !yaml_number(step, "step", &sampling->step, err)))
        return false;
    sampling->optimise = (uint64_t)optimise;
    sampling->levels = (unsigned)levels;
    sampling->halvings = (unsigned)halvings;
    sampling->plain = !scrambled;
    return true;
}

static NameSet *add_set(Plan *plan, size_t most, Error *err)
{
    if (!plan->design.sets)
        plan->design.sets = arena_take(&plan->arena, most, sizeof *plan->design.sets, err);
    return plan->design.sets ? &plan->design.sets[plan->design.set_count++] : NULL;
}

// `groups: {material: [k, r], ...}`.
static bool read_groups(Plan *plan, const YamlNode *groups, size_t most, Error *err)
{
    if (!groups)
        return true;
    if (!yaml_is_mapping(groups, "design.groups", err))
        return false;
    for (size_t i = 0; i < groups->count; ++i) {
        NameSet *set = add_set(plan, most, err);
        if (!set || !together_read_set(plan, groups->items[i], "design.groups", set, err))
            return false;
        set->name = groups->keys[i]->text;
        if (!yaml_spells_name(set->name))
            return yaml_fail(groups->keys[i], err, "design.groups: '%.60s' is not a name", set->name);
        if (!together_check_set(plan->design.sets, i, "design.groups", "groups", err))
            return false;
    }
    return true;
}

static bool read_correlation(const YamlNode *node, double *correlation, Error *err)
{
    if (!yaml_number(node, "correlated.spearman", correlation, err))
        return false;
    return (*correlation > -1.0 && *correlation < 1.0) ||
           yaml_fail(node, err, "correlated.spearman: %.60s is not between -1 and 1", node->text);
}

// A rank correlation for all pairs, or a symmetric matrix of them.
static bool read_spearman(Plan *plan, const YamlNode *node, NameSet *set, Error *err)
{
    const size_t n = set->count;
    double      *matrix = arena_take(&plan->arena, n * n, sizeof *matrix, err), all = 0.0;
    const bool   list = node->kind == YAML_SEQUENCE;
    set->spearman = matrix;
    if (!matrix || (!list && !read_correlation(node, &all, err)))
        return false;
    if (list && node->count != n)
        return yaml_fail(node, err, "correlated.spearman: %zu rows for %zu factors", node->count, n);
    for (size_t i = 0; i < n; ++i) {
        matrix[i * n + i] = 1.0;
        if (list && (node->items[i]->kind != YAML_SEQUENCE || node->items[i]->count != n))
            return yaml_fail(node->items[i], err, "correlated.spearman: a row has a number for each of %zu factors", n);
        for (size_t k = 0; k < i; ++k) {
            double other = all;
            matrix[i * n + k] = matrix[k * n + i] = all;
            if (list && (!read_correlation(node->items[i]->items[k], &matrix[i * n + k], err) ||
                         !read_correlation(node->items[k]->items[i], &other, err)))
                return false;
            if (list && other != matrix[i * n + k])
                return yaml_fail(node->items[i]->items[k], err, "correlated.spearman: the matrix is not symmetric");
            matrix[k * n + i] = matrix[i * n + k];
        }
    }
    return true;
}

// `{of: [k, m], spearman: 0.5}`.
static bool read_correlated(Plan *plan, const YamlNode *node, size_t most, Error *err)
{
    static const char *const keys[] = {"of", "spearman"};
    if (!yaml_is_mapping(node, "correlated", err) || !yaml_check_keys(node, "correlated", keys, 2, err))
        return false;
    const YamlNode *of = yaml_find(node, "of"), *spearman = yaml_find(node, "spearman");
    if (!of || !spearman)
        return yaml_fail(node, err, "correlated: give factors and their rank correlation, {of: [k, m], spearman: 0.5}");
    NameSet *set = add_set(plan, most, err);
    if (!set || !together_read_set(plan, of, "correlated.of", set, err))
        return false;
    if (set->count < 2)
        return yaml_fail(of, err, "correlated.of: name two factors or more");
    return read_spearman(plan, spearman, set, err);
}

// One of them, or a list.
static bool read_all_correlated(Plan *plan, const YamlNode *node, size_t most, Error *err)
{
    const bool several = node && node->kind == YAML_SEQUENCE;
    for (size_t i = 0; node && i < (several ? node->count : 1); ++i)
        if (!read_correlated(plan, several ? node->items[i] : node, most, err))
            return false;
    return true;
}

// The key of a mapping that is a random design.
static bool find_kind(const YamlNode *node, Sampling *sampling, const YamlNode **numbers, Error *err)
{
    bool found = false;
    for (size_t kind = 0; kind < SAMPLING_COUNT; ++kind) {
        const char     *name = sampling_names[kind];
        const YamlNode *value = yaml_find(node, name);
        if (!value && !yaml_is_word(node, name))
            continue;
        if (found)
            return yaml_fail(value, err, "design: '%s' is one too many, give one design", name);
        found = true;
        sampling->kind = (SamplingKind)kind;
        *numbers = value && !yaml_is_null(value) ? value : NULL;
    }
    const bool word = node->kind == YAML_SCALAR;
    return found || yaml_fail(node, err,
                              "design: expected grid, zip, random, lhs, sobol, saltelli, morris, one_at_a_time or "
                              "local, found %s%.60s%s",
                              word ? "'" : "", word ? node->text : yaml_describe(node), word ? "'" : "");
}

static bool read_random(Plan *plan, const YamlNode *node, Error *err)
{
    static const char *const keys[] = {"random", "lhs",           "sobol",  "saltelli", "morris",
                                       "local",  "one_at_a_time", "inside", "groups"};
    PlanDesign              *design = &plan->design;
    const YamlNode          *numbers = NULL, *inside = yaml_find(node, "inside"), *groups = yaml_find(node, "groups"),
                   *correlated = yaml_find(plan->spec->root, "correlated");
    const size_t most = (groups ? groups->count : 0) + (correlated ? correlated->count : 0);
    design->how = DESIGN_RANDOM;
    if (node->kind == YAML_MAPPING && !yaml_check_keys(node, "design", keys, sizeof keys / sizeof *keys, err))
        return false;
    if (!find_kind(node, &design->sampling, &numbers, err))
        return false;
    if (plan->points.column_count > 0)
        return yaml_fail(node, err, "design: `points` gives the points already, leave one of them out");
    if (inside && !yaml_is_word(inside, "grid"))
        return yaml_fail(inside, err, "design.inside: expected grid");
    design->inside = inside != NULL;
    const char *const *known = number_keys[design->sampling.kind];
    size_t             count = 0;
    while (count < NUMBER_KEYS && known[count])
        ++count;
    if (numbers && (!yaml_is_mapping(numbers, "design", err) ||
                    !yaml_check_keys(numbers, sampling_names[design->sampling.kind], known, count, err)))
        return false;
    return read_numbers(node, numbers, &design->sampling, err) && read_groups(plan, groups, most, err) &&
           read_all_correlated(plan, correlated, most, err);
}

bool design_read(Plan *plan, Error *err)
{
    const YamlNode *node = yaml_find(plan->spec->root, "design"),
                   *correlated = yaml_find(plan->spec->root, "correlated");
    plan->design.node = node;
    plan->design.how = node && yaml_is_word(node, "zip") ? DESIGN_ZIP : DESIGN_GRID;
    if (node && !yaml_is_null(node) && !yaml_is_word(node, "zip") && !yaml_is_word(node, "grid"))
        return read_random(plan, node, err);
    return !correlated || yaml_fail(correlated, err,
                                    "correlated: factors of a random design only, as in "
                                    "design: {sobol: {samples: 1024}}");
}

bool design_check(const Plan *plan, Error *err)
{
    const PlanDesign *design = &plan->design;
    for (size_t i = 0; i < design->set_count; ++i)
        for (size_t k = 0; k < design->sets[i].count; ++k)
            if (!design->sets[i].used[k])
                return yaml_fail(design->sets[i].node->items[k], err, "%s: '%.60s' has no distribution in this sweep",
                                 design->sets[i].spearman ? "correlated" : "design.groups", design->sets[i].names[k]);
    return true;
}

// The number of a factor by its name, which is marked as used; n where no factor of this group has it.
static size_t find_factor(const char *const *names, size_t n, NameSet *set, size_t k)
{
    for (size_t factor = 0; factor < n; ++factor)
        if (strcmp(names[factor], set->names[k]) == 0) {
            set->used[k] = true;
            return factor;
        }
    return n;
}

// The factors of a set are one group; each other factor is a group of its own, in the order of the factors.
static bool join_groups(Plan *plan, const char *const *names, Sampling *sampling, Error *err)
{
    PlanDesign  *design = &plan->design;
    const size_t n = sampling->factor_count;
    size_t      *group_of = arena_take(&plan->arena, n, sizeof *group_of, err);
    size_t      *set_of = arena_take(&plan->arena, n, sizeof *set_of, err);  // 1 + set; 0: alone
    const char **group_names = arena_take(&plan->arena, n, sizeof *group_names, err);
    if (!group_of || !set_of || !group_names)
        return false;
    for (size_t s = 0; s < design->set_count; ++s)
        for (size_t k = 0; !design->sets[s].spearman && k < design->sets[s].count; ++k) {
            const size_t factor = find_factor(names, n, &design->sets[s], k);
            if (factor < n)
                set_of[factor] = s + 1;
        }
    for (size_t f = 0; f < n; ++f) {
        size_t first = 0;
        while (first < f && (set_of[f] == 0 || set_of[first] != set_of[f]))
            ++first;
        group_of[f] = first < f ? group_of[first] : sampling->group_count++;
        group_names[group_of[f]] = set_of[f] ? design->sets[set_of[f] - 1].name : names[f];
    }
    sampling->group_of = sampling->group_count < n ? group_of : NULL;
    sampling->group_names = group_names;
    return true;
}

// Spearman's rank correlation rho of a normal copula is that of normals with r = 2 sin(pi rho / 6) (Pearson 1907).
static bool correlate(Plan *plan, const char *const *names, Sampling *sampling, Error *err)
{
    PlanDesign  *design = &plan->design;
    const size_t n = sampling->factor_count;
    double      *matrix = arena_take(&plan->arena, n * n, sizeof *matrix, err);
    bool         any = false;
    for (size_t i = 0; matrix && i < n; ++i)
        matrix[i * n + i] = 1.0;
    for (size_t s = 0; matrix && s < design->set_count; ++s) {
        NameSet *set = &design->sets[s];
        for (size_t i = 0; set->spearman && i < set->count; ++i)
            for (size_t k = 0; k < set->count; ++k) {
                const size_t a = find_factor(names, n, set, i), b = find_factor(names, n, set, k);
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
static bool warn_of_nets(Plan *plan, const Sampling *sampling, Error *err)
{
    const bool net = sampling->kind == SAMPLING_SOBOL || sampling->kind == SAMPLING_SALTELLI;
    uint64_t   power = 1;
    while (power < sampling->samples)
        power *= 2;
    return !net || power == sampling->samples ||
           plan_warn(plan, plan->design.node, err,
                     "design: Sobol' points are even in powers of two: take %llu or %llu samples rather than %llu",
                     (unsigned long long)power / 2, (unsigned long long)power, (unsigned long long)sampling->samples);
}

bool design_make(Plan *plan, Group *group, const char *const *names, const Distribution *factors, size_t count,
                 Error *err)
{
    Sampling *sampling = arena_take(&plan->arena, 1, sizeof *sampling, err);
    if (!sampling)
        return false;
    *sampling = plan->design.sampling;
    sampling->factors = factors;
    sampling->factor_count = count;
    if (!join_groups(plan, names, sampling, err) || !correlate(plan, names, sampling, err))
        return false;
    const char *reason = sampling_refuses(sampling);
    if (reason)
        return yaml_fail(plan->design.node, err, "design: %s (group '%s')", reason, group->label);
    if (!sampling_make(sampling, &plan->arena, err)) {
        Error       ignored;
        const char *place = yaml_place(plan->design.node, &plan->arena, &ignored);
        return within(err, "%s: design", place ? place : "");
    }
    group->sampling = sampling;
    return warn_of_nets(plan, sampling, err);
}
