// settings_design -- writes the random design of a group and the distributions of its factors as YAML.
#include "plan/plan_make.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

// As few digits as read back equal.
static void add_number(Text *text, const char *before, double number)
{
    char written[32];
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(written, sizeof written, "%.*g", digits, number);
        if (strtod(written, NULL) == number)
            break;
    }
    text_add(text, "%s%s", before, written);
}

static void write_distribution(Text *text, const Distribution *distribution)
{
    const size_t  count = distribution->kind == DISTRIBUTION_CHOICE ? distribution->value_count
                                                                    : distribution_number_count(distribution->kind);
    const double *numbers = distribution->kind == DISTRIBUTION_CHOICE ? distribution->values : distribution->numbers;
    text_add(text, "{%s: [", distribution_names[distribution->kind]);
    for (size_t i = 0; i < count; ++i)
        add_number(text, i == 0 ? "" : ", ", numbers[i]);
    text_add(text, "]}");
}

static void write_sampling(Text *text, const Sampling *sampling)
{
    const bool alone = sampling->kind == SAMPLING_ONE_AT_A_TIME || sampling->kind == SAMPLING_LOCAL;
    text_add(text, "{%s: {", sampling_names[sampling->kind]);
    if (!alone)
        text_add(text, "%s: %llu, seed: %llu", sampling->kind == SAMPLING_MORRIS ? "trajectories" : "samples",
                 (unsigned long long)sampling->samples, (unsigned long long)sampling->seed);
    switch (sampling->kind) {
    case SAMPLING_SOBOL: text_add(text, ", scramble: %s", sampling->plain ? "false" : "true"); break;
    case SAMPLING_SALTELLI: text_add(text, ", second_order: %s", sampling->second_order ? "true" : "false"); break;
    case SAMPLING_MORRIS: text_add(text, ", levels: %u", sampling->levels); break;
    case SAMPLING_ONE_AT_A_TIME: text_add(text, "levels: %u", sampling->levels); break;
    case SAMPLING_LOCAL:
        add_number(text, "step: ", sampling->step);
        text_add(text, ", halvings: %u", sampling->halvings);
        break;
    case SAMPLING_RANDOM:
    case SAMPLING_LHS:
    case SAMPLING_COUNT: break;
    }
    if (sampling->optimise > 0)
        text_add(text, ", %s: %llu", sampling->kind == SAMPLING_MORRIS ? "candidates" : "optimise",
                 (unsigned long long)sampling->optimise);
    text_add(text, "}");
}

// Which factors change together, by name, and all correlations of the normals, a row for each factor.
static void write_factors(Text *text, const Group *group)
{
    const Sampling *sampling = group->sampling;
    const size_t    n = sampling->factor_count;
    for (size_t g = 0; sampling->group_of && g < sampling->group_count; ++g) {
        size_t listed = 0;
        text_add(text, "%s%s: [", g == 0 ? ", groups: {" : "], ", sampling->group_names[g]);
        for (size_t i = 0; i < group->axis_count; ++i)
            if (!group->axes[i].values && sampling->group_of[group->axes[i].factor] == g)
                text_add(text, "%s%s", listed++ ? ", " : "", group->axes[i].name);
    }
    text_add(text, "%s", sampling->group_of ? "]}" : "");
    for (size_t i = 0; sampling->correlation && i < n * n; ++i)
        add_number(text, i == 0 ? ", correlation: [[" : i % n == 0 ? "], [" : ", ", sampling->correlation[i]);
    text_add(text, "%s", sampling->correlation ? "]]" : "");
}

// A copy of what was written; NULL with err filled. The text is freed.
static const char *keep(Text *text, Arena *arena, Error *err)
{
    const char *copy = text_check(text, err) ? arena_copy(arena, text->text, err) : NULL;
    text_free(text);
    return copy;
}

bool settings_design(Group *group, Arena *arena, Error *err)
{
    Text text = {0};
    if (!group->sampling)
        return true;
    write_sampling(&text, group->sampling);
    write_factors(&text, group);
    text_add(&text, "}");
    group->sampling_text = keep(&text, arena, err);
    bool kept = group->sampling_text != NULL;
    for (size_t i = 0; kept && i < group->axis_count; ++i) {
        if (group->axes[i].values)
            continue;
        write_distribution(&text, &group->sampling->factors[group->axes[i].factor]);
        kept = (group->axes[i].distribution = keep(&text, arena, err)) != NULL;
    }
    return kept;
}
