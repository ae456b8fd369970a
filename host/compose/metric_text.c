// metric_text -- writes the instances of metrics and the lists of their numbers.
#include "compose/metric_text.h"

#include "compose/literal.h"
#include "plan/metric.h"

#include <math.h>

// The mask of times within the window; where there is none it is a constant, and code that depends on it is left out.
static void add_window(Text *out, const Group *group, const MetricInstance *instance)
{
    if (instance->from <= (group->problem->begin ? -INFINITY : 0.0) && isinf(instance->to)) {
        text_add(out, "#define WITHIN(t) YES\n");
        return;
    }
    text_add(out, "#define WITHIN(t) (((t) >= ");
    literal_add(out, instance->from);
    text_add(out, ") & ((t) <= ");
    literal_add(out, instance->to);
    text_add(out, "))\n");
}

void metric_text_arguments(Text *out, const Group *group)
{
    size_t count = 0;
    text_add(out, "struct Arguments {\n");
    for (size_t i = 0; i < group->instance_count; ++i) {
        const Card *card = group->instances[i].card;
        if (card->parameter_count)
            text_add(out, "    struct {\n");
        for (size_t k = 0; k < card->parameter_count; ++k, ++count)
            text_add(out, "        %s %s;\n", card->parameters[k].choice_count ? "int" : "real",
                     card->parameters[k].name);
        if (card->parameter_count)
            text_add(out, "    } metric%zu;\n", i);
    }
    text_add(out, "%s};\n#define METRIC_ARGUMENTS(X, CHOICE)", count ? "" : "    int none;\n");
    for (size_t i = 0; i < group->instance_count; ++i)
        for (size_t k = 0; k < group->instances[i].card->parameter_count; ++k) {
            const CardParameter *parameter = &group->instances[i].card->parameters[k];
            text_add(out, " %s(arguments, metric%zu.%s", parameter->choice_count ? "CHOICE" : "X", i, parameter->name);
            if (parameter->choice_count)
                text_add(out, ", %d", (int)group->instances[i].arguments[k].value);
            text_add(out, ")");
        }
    text_add(out, "\n");
}

size_t metric_text_kept(const Group *group, size_t instances)
{
    size_t rows = 0;
    for (size_t i = 0; i < instances; ++i)
        for (size_t r = 0; r < group->instances[i].card->result_count; ++r) {
            const CardResult *result = &group->instances[i].card->results[r];
            rows += result->samples ? metric_width(&group->instances[i], result, group->dofs) : 0;
        }
    return rows;
}

// Where the samples of an instance stand among the state's rows that hold samples, for its file.
static void add_places(Text *out, const Group *group, size_t number)
{
    const MetricInstance *instance = &group->instances[number];
    size_t                row = metric_text_kept(group, number);
    for (size_t r = 0; r < instance->card->result_count; ++r) {
        const CardResult *result = &instance->card->results[r];
        if (!result->samples)
            continue;
        const size_t width = metric_width(instance, result, group->dofs), per = result->per_dof ? group->dofs : 1;
        text_add(out, "#define metric%zu_%s_AT %zu\n#define metric%zu_%s_PER %zu\n#define metric%zu_%s_MOST %zu\n",
                 number, result->name, row, number, result->name, per, number, result->name, width / per);
        row += width;
    }
}

static bool has_tangents(const Card *card, const char *member)
{
    return card_lists(card->tangents, card->tangent_count, member);
}

bool metric_text_instance(Text *out, const Group *group, const Tracks *tracks, size_t number, Included *included,
                          Error *err)
{
    const MetricInstance *instance = &group->instances[number];
    const Card           *card = instance->card;
    text_add(out, "#define M(name) metric%zu_##name\n", number);
    if (card->parameter_count)
        text_add(out, "#define ARGUMENT(name) (o->arguments->metric%zu.name)\n", number);
    for (size_t i = 0; i < card->parameter_count; ++i)
        for (size_t c = 0; c < card->parameters[i].choice_count; ++c)
            text_add(out, "#define metric%zu_%s_%s %zu\n", number, card->parameters[i].name,
                     card->parameters[i].choices[c], c);
    add_places(out, group, number);
    if (card_takes(card, "of"))
        tracks_add_observed(out, tracks, group, instance);
    if (card_takes(card, "window")) {
        add_window(out, group, instance);
    }
    const bool tangents = group_has_tangents(group, instance);
    if (card_state_rows(card, 1)) {
        text_add(out, "typedef struct metric%zu_State {\n", number);
        for (size_t i = 0; i < card->state_count; ++i)
            text_add(out, "    real %s;\n", card->state[i]);
        for (size_t i = 0; i < card->vector_count; ++i)
            text_add(out, "    real %s[%s];\n", card->vectors[i],
                     group_tangents(group) > 0 && has_tangents(card, card->vectors[i]) ? "STATE_DOF" : "DOF");
        for (size_t i = 0; tangents && i < card->state_count; ++i)
            if (has_tangents(card, card->state[i]))
                text_add(out, "    real d_%s[TANGENTS];\n", card->state[i]);
        for (size_t i = 0; tangents && i < card->tangent_state_count; ++i)
            text_add(out, "    real %s, d_%s[TANGENTS];\n", card->tangent_state[i], card->tangent_state[i]);
        for (size_t i = 0; i < card->count_count; ++i)
            text_add(out, "    whole %s;\n", card->counts[i]);
        text_add(out, "} metric%zu_State;\n", number);
    }
    // A metric file may be run more than once, with other options: it is not "included" for good. The files that it
    // includes are.
    const size_t before = included->count;
    text_add(out, tangents ? "#undef TANGENT\n#define TANGENT(...) __VA_ARGS__\n" : "");
    if (!included_add(out, card->path, card->text, included, err))
        return false;
    included->paths[before] = included->paths[--included->count];
    text_add(out, tangents ? "#undef TANGENT\n#define TANGENT(...)\n#undef OF_TANGENTS\n" : "");
    text_add(out, "#undef M\n#undef OF\n#undef OF_BEFORE\n#undef OF_STATE\n#undef WITHIN\n#undef ARGUMENT\n");
    return true;
}

static bool keeps_state(const MetricInstance *instance)
{
    return card_state_rows(instance->card, 1) > 0;
}

// The numbers of an instance's state: reals, their tangents, then integers.
static void add_members(Text *out, const Group *group, size_t number)
{
    const Card *card = group->instances[number].card;
    const bool  tangents = group_has_tangents(group, &group->instances[number]);
    for (size_t s = 0; s < card->state_count; ++s)
        text_add(out, " R(metric%zu.%s)", number, card->state[s]);
    for (size_t s = 0; s < card->vector_count; ++s) {
        const size_t n = has_tangents(card, card->vectors[s]) ? group_state_dofs(group) : group->dofs;
        for (size_t k = 0; k < n; ++k)
            text_add(out, " R(metric%zu.%s[%zu])", number, card->vectors[s], k);
    }
    for (size_t s = 0; tangents && s < card->state_count; ++s)
        for (size_t j = 0; has_tangents(card, card->state[s]) && j < group_tangents(group); ++j)
            text_add(out, " R(metric%zu.d_%s[%zu])", number, card->state[s], j);
    for (size_t s = 0; tangents && s < card->tangent_state_count; ++s) {
        text_add(out, " R(metric%zu.%s)", number, card->tangent_state[s]);
        for (size_t j = 0; j < group_tangents(group); ++j)
            text_add(out, " R(metric%zu.d_%s[%zu])", number, card->tangent_state[s], j);
    }
    for (size_t s = 0; s < card->count_count; ++s)
        text_add(out, " W(metric%zu.%s)", number, card->counts[s]);
}

// The lists of the metrics that are shown arcs, and of their numbers.
static void add_arc_lists(Text *out, const Group *group)
{
    text_add(out, "\n#define ARC_METRICS(X)");
    for (size_t i = 0; i < group->instance_count; ++i)
        if (group->instances[i].card->takes_arcs)
            text_add(out, " X(metric%zu)", i);
    text_add(out, "\n#define ARC_NUMBERS(R, W)");
    for (size_t i = 0; i < group->instance_count; ++i)
        if (group->instances[i].card->takes_arcs)
            add_members(out, group, i);
}

// The list of results with several numbers, and how many of them are there: the metric's own count.
static void add_samples(Text *out, const Group *group)
{
    text_add(out, "#define KEPT_ROWS %zu\n#define SAMPLES(X)", metric_text_kept(group, group->instance_count));
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        if (!variable->sampled)
            continue;
        const char *name = group->instances[variable->instance].card->results[variable->result].name;
        text_add(out, " X(metric%zu_%s, metric%zu_%s(o, &metrics->metric%zu))", variable->instance, name,
                 variable->instance, name, variable->instance);
    }
    text_add(out, "\n");
}

void metric_text_lists(Text *out, const Group *group, const Tracks *tracks)
{
    const bool arcs = group_arcs(group);
    size_t     rows = 0;
    for (size_t i = 0; i < group->instance_count; ++i)
        rows += group_metric_rows(group, &group->instances[i]);
    text_add(out, "#define METRIC_ROWS %zu\n", rows);
    text_add(out, "typedef struct Metrics {\n%s", rows ? "" : "    int none;\n");
    for (size_t i = 0; i < group->instance_count; ++i)
        if (keeps_state(&group->instances[i]))
            text_add(out, "    metric%zu_State metric%zu;\n", i, i);
    text_add(out, "} Metrics;\n");
    text_add(out, "#define METRIC_NAMES(X)");
    for (size_t i = 0; i < group->instance_count; ++i)
        if (keeps_state(&group->instances[i]) && !group_shows_arcs(group, &group->instances[i]))
            text_add(out, " X(metric%zu, %zu, %d)", i, tracks_find(tracks, &group->instances[i]),
                     group_has_tangents(group, &group->instances[i]) ? 0 : group->instances[i].card->after_turn);
    text_add(out, "\n#define METRICS(R, W)");
    for (size_t i = 0; i < group->instance_count; ++i)
        add_members(out, group, i);
    if (arcs)
        add_arc_lists(out, group);
    text_add(out, "\n#define RESULTS(R, W)");
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        if ((variable->source != SOURCE_METRIC && variable->source != SOURCE_METRIC_D) || variable->sampled)
            continue;
        const MetricInstance *instance = &group->instances[variable->instance];
        const CardResult     *result = &instance->card->results[variable->result];
        if (variable->source == SOURCE_METRIC_D)
            text_add(out, " R(metric%zu_d_%s(o, &metrics->metric%zu, %zu))", variable->instance, result->name,
                     variable->instance, variable->tangent);
        else if (group->method->unknown == UNKNOWN_NONE && card_needs(instance->card, "newton"))
            text_add(out, " R(NOT_A_NUMBER)");
        else if (keeps_state(instance))
            text_add(out, " %c(metric%zu_%s(o, &metrics->metric%zu))", result->whole ? 'W' : 'R', variable->instance,
                     result->name, variable->instance);
        else
            text_add(out, " %c(metric%zu_%s(q))", result->whole ? 'W' : 'R', variable->instance, result->name);
    }
    text_add(out, "\n");
    add_samples(out, group);
}
