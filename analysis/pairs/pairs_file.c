// pairs_file -- plan and results built by hand, whose points are the pairs.
#include "analysis/pairs/pairs.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/sort.h"
#include "store/output.h"
#include "store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Variables in their order: status, TO's parameter, the columns, root_count, then a further root each.
enum { STATUS, TO, COLUMNS, ROOT_COUNT = COLUMNS + PAIRS_COLUMNS, ROOTS };
enum { BLOCK_POINTS = 1024 };

// The plan in place of a sweep's; not to be moved once it is made.
typedef struct PairsPlan {
    Plan           plan;
    Group          group;
    Spec           spec;
    Card           problem, method, metric;
    MetricInstance instance;
    Axis           axis;
    Dim            dim;
    Arena          arena;
} PairsPlan;

bool pairs_file_is(const char *path)
{
    const size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".h5") == 0;
}

bool pairs_file_check(const char *path, size_t count, Error *err)
{
    return output_room(path, count * ROOTS * sizeof(double), err);
}

// The values of FROM's parameter; whether two are the same, so that they cannot be a dimension.
static bool make_axis(PairsPlan *made, const Pairs *pairs, Error *err)
{
    const CardParameter *parameter = family_parameter(&pairs->families[PAIR_FROM]);
    double              *values = arena_take(&made->arena, pairs->count, sizeof *values, err);
    double              *sorted = arena_take(&made->arena, pairs->count, sizeof *sorted, err);
    if (!values || !sorted)
        return false;
    for (size_t i = 0; i < pairs->count; ++i)
        values[i] = sorted[i] = pairs->pairs[i].from;
    sort_numbers(sorted, pairs->count);
    bool twice = false;
    for (size_t i = 1; i < pairs->count; ++i)
        twice = twice || sorted[i] == sorted[i - 1];
    made->group.design = twice ? DESIGN_ZIP : DESIGN_GRID;
    made->dim =
        (Dim){.name = twice ? group_point_dim : pairs->columns[PAIR_FROM], .count = pairs->count, .together = twice};
    made->axis = (Axis){.name = pairs->columns[PAIR_FROM],
                        .unit = parameter->unit,
                        .about = parameter->about,
                        .role = AXIS_METHOD,
                        .values = values,
                        .count = pairs->count};
    made->group.axes = &made->axis;
    made->group.axis_count = 1;
    made->group.dims = &made->dim;
    made->group.dim_count = 1;
    return true;
}

static size_t most_roots(const Pairs *pairs)
{
    size_t most = 0;
    for (size_t i = 0; i < pairs->count; ++i)
        most = pairs->pairs[i].root_count > most ? pairs->pairs[i].root_count : most;
    return most;
}

static bool make_variables(PairsPlan *made, const Pairs *pairs, Error *err)
{
    const CardParameter *to = family_parameter(&pairs->families[PAIR_TO]);
    Group               *group = &made->group;
    group->variable_count = ROOTS + most_roots(pairs);
    Variable *variables = arena_take(&made->arena, group->variable_count, sizeof *variables, err);
    if (!variables)
        return false;
    variables[STATUS] =
        (Variable){.name = "status", .unit = "1", .about = "ok, or not_run where there is no equivalent"};
    variables[TO] = (Variable){.name = pairs->columns[PAIR_TO], .unit = to->unit, .about = to->about};
    for (size_t k = 0; k < PAIRS_COLUMNS; ++k)
        variables[COLUMNS + k] = (Variable){.name = pairs_words_columns[k].name,
                                            .unit = pairs_words_columns[k].unit,
                                            .about = pairs_words_columns[k].about};
    variables[ROOT_COUNT] = (Variable){.name = "root_count", .unit = "1", .about = "how many equivalents there are"};
    bool named = true;
    for (size_t r = ROOTS; r < group->variable_count; ++r) {
        variables[r] = (Variable){.name = arena_format(&made->arena, err, "root_%zu", r - ROOTS + 2),
                                  .unit = to->unit,
                                  .about = "a further equivalent"};
        named = named && variables[r].name;
    }
    // To the store they are metrics without options.
    for (size_t i = 0; i < group->variable_count; ++i) {
        variables[i].type = i == STATUS ? TYPE_I8 : i == ROOT_COUNT ? TYPE_I32 : TYPE_F64;
        variables[i].source = i == STATUS ? SOURCE_STATUS : SOURCE_METRIC;
        variables[i].width = 1;
    }
    group->variables = variables;
    return named;
}

// FROM's parameters: parameters that change along the axis have no value of their own.
static bool make_parameters(PairsPlan *made, const Pairs *pairs, Error *err)
{
    const Family *family = &pairs->families[PAIR_FROM];
    const size_t  count = family->method->parameter_count;
    Quantity     *quantities = arena_take(&made->arena, count, sizeof *quantities, err);
    for (size_t i = 0; quantities && i < count; ++i)
        quantities[i] = (Quantity){family->parameters[i], i == family->free || i == family->tied ? 0 : -1};
    made->group.method_parameters = quantities;
    return quantities != NULL;
}

static void add_family(Text *text, const char *key, const Family *family)
{
    const Card *method = family->method;
    const char *before = "";
    text_add(text, "%s: {%s: {", key, method->name);
    for (size_t i = 0; i < method->parameter_count; ++i) {
        const CardParameter *parameter = &method->parameters[i];
        if (i != family->free && isnan(family->parameters[i]))
            continue;
        text_add(text, "%s%s: ", before, parameter->name);
        before = ", ";
        if (i == family->free)
            text_add(text, "free");
        else if (i == family->tied)
            text_add(text, "tied");
        else if (parameter->choices)
            text_add(text, "%s", parameter->choices[(size_t)family->parameters[i]]);
        else
            json_number(text, family->parameters[i]);
    }
    text_add(text, "}}\n");
}

// All settings that are not numbers of a pair, as YAML.
static bool make_settings(PairsPlan *made, const Pairs *pairs, Error *err)
{
    Text text = {0};
    add_family(&text, "from", &pairs->families[PAIR_FROM]);
    add_family(&text, "to", &pairs->families[PAIR_TO]);
    text_add(&text, "criterion: %s\ndefinition: ", criterion_names[pairs->criterion]);
    json_string(&text, criterion_about[pairs->criterion]);
    text_add(&text, "\n");
    if (pairs->band[1] > 0.0)
        text_add(&text, "band: [%.17g, %.17g]\n", pairs->band[0], pairs->band[1]);
    else if (pairs->omega_h[PAIR_FROM] > 0.0)
        text_add(&text, "omega_h: [%.17g, %.17g]\n", pairs->omega_h[PAIR_FROM], pairs->omega_h[PAIR_TO]);
    if (pairs->problem)
        text_add(&text, "problem: %s\n", pairs->problem);
    if (pairs->metric)
        text_add(&text, "metric: %s\n", pairs->metric);
    for (size_t i = 0; i < pairs->range_count; ++i)
        text_add(&text, "%s  - [%.17g, %.17g]\n", i ? "" : "equivalents:\n", pairs->ranges[i].low,
                 pairs->ranges[i].high);
    made->plan.settings = text_keep(&text, &made->arena, err);
    return made->plan.settings != NULL;
}

static bool make_plan(PairsPlan *made, const Pairs *pairs, Error *err)
{
    const bool run = pairs->problem != NULL;
    Group     *group = &made->group;
    Plan      *plan = &made->plan;
    made->problem = (Card){.kind = CARD_PROBLEM, .name = run ? pairs->problem : "harmonic_oscillator"};
    // Newton's settings belong to the problem's run and are not part of the pairs.
    made->method = *pairs->families[PAIR_FROM].method;
    made->method.unknown = UNKNOWN_NONE;
    made->metric = (Card){.kind = CARD_METRIC, .name = "pairs"};
    made->instance = (MetricInstance){.card = &made->metric};
    *group = (Group){.label = "pairs",
                     .problem = &made->problem,
                     .method = &made->method,
                     .instances = &made->instance,
                     .instance_count = 1,
                     .step = {pairs->step, -1},
                     .steps = {isfinite(pairs->steps) ? pairs->steps : 0.0, -1},
                     .step_given = true,
                     .steps_given = true,
                     .point_count = pairs->count,
                     .block_count = (pairs->count - 1) / BLOCK_POINTS + 1,
                     .block_points = BLOCK_POINTS};
    if (!make_axis(made, pairs, err) || !make_variables(made, pairs, err) || !make_parameters(made, pairs, err))
        return false;
    made->spec = (Spec){.path = "pairs",
                        .text = "# Not of a sweep: damping-equivalent parameters, found by `pendula pairs`. The "
                                "attribute `settings` says what is equal.\n",
                        .overrides = ""};
    *plan = (Plan){.spec = &made->spec,
                   .computed_by = run ? plan_kernels : "theory",
                   .numbers = PLAN_NUMBERS,
                   .title = arena_format(&made->arena, err, "%s of %s that damps like %s of %s: %s",
                                         family_parameter(&pairs->families[PAIR_TO])->name,
                                         pairs->families[PAIR_TO].method->name,
                                         family_parameter(&pairs->families[PAIR_FROM])->name,
                                         pairs->families[PAIR_FROM].method->name, criterion_names[pairs->criterion]),
                   .problem = &made->problem,
                   .groups = group,
                   .group_count = 1,
                   .point_count = pairs->count,
                   .block_count = group->block_count,
                   .data_bytes = pairs->count * group->variable_count * sizeof(double)};
    if (!plan->title || !make_settings(made, pairs, err))
        return false;
    // Hash of settings and values, on which the results depend.
    plan->fingerprint =
        hash_bytes(hash_text(hash_start, plan->settings), made->axis.values, pairs->count * sizeof(double));
    return true;
}

static void put_pair(const Results *results, size_t point, const Pairs *pairs)
{
    const Pair  *pair = &pairs->pairs[point];
    const bool   found = !isnan(pair->to);
    const size_t variables = results->group->variable_count;
    results_put(results, STATUS, point, 0, found ? STATUS_OK : STATUS_NOT_RUN);
    results_put(results, TO, point, 0, pair->to);
    for (size_t k = 0; k < PAIRS_COLUMNS; ++k)
        results_put(results, COLUMNS + k, point, 0, pairs_words_number(pairs, pair, k));
    results_put(results, ROOT_COUNT, point, 0, found ? 1.0 + (double)pair->root_count : 0.0);
    for (size_t r = ROOTS; r < variables; ++r)
        results_put(results, r, point, 0, r - ROOTS < pair->root_count ? pair->roots[r - ROOTS].at : (double)NAN);
}

static bool write_pairs(Store *store, const Group *group, const Pairs *pairs, Error *err)
{
    const Batch batch = batch_make(group, 0, group->block_count);
    Results    *results = store_take(store, group, batch.point_count, 0, err);
    for (size_t i = 0; results && i < pairs->count; ++i)
        put_pair(results, i, pairs);
    return results && store_write(store, &batch, results, err) && store_finish(store, err);
}

bool pairs_file_write(const char *path, bool replace, const Pairs *pairs, Error *err)
{
    static const char *const sources[] = {""};
    PairsPlan                made = {0};
    Store                   *store = NULL;
    const bool               ok = make_plan(&made, pairs, err) &&
                    store_open(path, &made.plan, sources, replace ? STORE_REPLACE : STORE_NEW, &store, err) &&
                    write_pairs(store, &made.group, pairs, err);
    store_close(store);
    arena_free(&made.arena);
    return ok;
}
