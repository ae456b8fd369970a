// study_named -- distributions that a user names for the inputs of a table, and whether its rows can have them.
#include "analysis/sensitivity/study_named.h"
#include "base/sort.h"
#include "base/suggest.h"
#include "plan/axis.h"

#include <math.h>
#include <string.h>

static const char form[] = "NAME={uniform: [0, 1]}";

// The input that `text` names before an equals sign, which a name may have too; `count`: none of them.
static size_t find_input(const char *text, const char *const *inputs, size_t count)
{
    size_t found = count, longest = 0;
    for (size_t i = 0; i < count; ++i) {
        const size_t length = strlen(inputs[i]);
        if (length >= longest && strncmp(text, inputs[i], length) == 0 && text[length] == '=') {
            found = i;
            longest = length;
        }
    }
    return found;
}

static bool fail_input(const char *text, const char *const *inputs, size_t count, Arena *arena, Error *err)
{
    const char *end = strchr(text, '=');
    if (!end || end == text)
        return fail(err, ERROR_USAGE, "--distribution takes %s; got '%.60s'", form, text);
    const char *name = arena_format(arena, err, "%.*s", (int)(end - text), text);
    return name && (fail(err, ERROR_USAGE, "--distribution: '%.60s' is none of the --inputs", name) ||
                    suggest_add(err, suggest(name, inputs, count), ""));
}

static bool read_one(const char *name, StudyNamed *named, Arena *arena, Error *err)
{
    const char *what = arena_format(arena, err, "input '%.60s'", name);
    return what && axis_read_distribution("--distribution", name, what, named->text, arena, &named->distribution, err);
}

bool study_named_read(const char *const *texts, size_t text_count, const char *const *inputs, size_t count,
                      StudyNamed *named, Arena *arena, Error *err)
{
    for (size_t i = 0; i < text_count; ++i) {
        const size_t input = find_input(texts[i], inputs, count);
        if (input == count)
            return fail_input(texts[i], inputs, count, arena, err);
        if (named[input].text)
            return fail(err, ERROR_USAGE, "--distribution names that of '%.60s' twice", inputs[input]);
        named[input].text = texts[i] + strlen(inputs[input]) + 1;
        if (!read_one(inputs[input], &named[input], arena, err))
            return false;
    }
    return true;
}

static bool is_possible(const Distribution *distribution, double least, double most, double value)
{
    bool listed = distribution->kind != DISTRIBUTION_CHOICE;
    for (size_t i = 0; !listed && i < distribution->value_count; ++i)
        listed = value == distribution->values[i];
    // The lognormal one does not reach the end of its support.
    return listed && value >= least && value <= most &&
           (distribution->kind != DISTRIBUTION_INTEGER || value == floor(value)) &&
           (distribution->kind != DISTRIBUTION_LOGNORMAL || value > 0.0);
}

uint64_t study_named_outside(const StudyNamed *named, const double *values, uint64_t count)
{
    double   least, most;
    uint64_t i = 0;
    distribution_support(&named->distribution, &least, &most);
    while (i < count && is_possible(&named->distribution, least, most, values[i]))
        ++i;
    return i;
}

// Kolmogorov's distance of sorted values from their distribution; *different counts those that differ.
static double find_distance(const Distribution *distribution, const double *sorted, uint64_t count, uint64_t *different)
{
    const bool discrete = distribution_is_discrete(distribution);
    double     distance = 0.0;
    *different = 0;
    for (uint64_t first = 0, end; first < count; first = end) {
        const double probability = distribution_probability(distribution, sorted[first]);
        for (end = first + 1; end < count && sorted[end] == sorted[first]; ++end)
            continue;
        distance = fmax(distance, fabs((double)end / (double)count - probability));
        if (!discrete)
            distance = fmax(distance, fabs((double)first / (double)count - probability));
        ++*different;
    }
    if (discrete)
        *different = count;
    return distance;
}

bool study_named_differs(const StudyNamed *named, const double *values, uint64_t count, Arena *arena, double *distance,
                         bool *differs, Error *err)
{
    // sqrt(n) times the distance is above this with a probability of 1e-6 (Kolmogorov 1933).
    static const double rare = 2.7;
    double             *sorted = arena_take(arena, count, sizeof *sorted, err);
    uint64_t            different = 0;
    if (!sorted)
        return false;
    memcpy(sorted, values, count * sizeof *sorted);
    sort_numbers(sorted, count);
    *distance = find_distance(&named->distribution, sorted, count, &different);
    // Rows of a design have each number several times, and say no more than once.
    *differs = *distance * sqrt((double)different) > rare;
    return true;
}
