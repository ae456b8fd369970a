// family -- choice of the free parameter of a method.
#include "analysis/pairs/trial.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// A range open at an end is searched up to this part of its length from it.
#define OPEN_END 1e-9

static size_t find_parameter(const Card *method, const char *name)
{
    for (size_t i = 0; i < method->parameter_count; ++i)
        if (strcmp(method->parameters[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

// Whether the methods's beta can follow its gamma: it has both, neither is fixed, and the equations give neither.
static bool can_tie(const Card *method, const bool *fixed)
{
    const size_t beta = find_parameter(method, "beta"), gamma = find_parameter(method, "gamma");
    return beta != SIZE_MAX && gamma != SIZE_MAX && !fixed[beta] && !fixed[gamma] &&
           !method->parameters[beta].derived && !method->parameters[gamma].derived;
}

static bool choose_free(Family *family, bool *fixed, Error *err)
{
    const Card *method = family->method;
    size_t      count = 0;
    family->tied = SIZE_MAX;
    if (can_tie(method, fixed)) {
        family->free = find_parameter(method, "gamma");
        family->tied = find_parameter(method, "beta");
        return true;
    }
    for (size_t i = 0; i < method->parameter_count; ++i)
        if (!fixed[i] && !method->parameters[i].choices && !method->parameters[i].derived &&
            card_parameter_counts(method, i, family->parameters)) {
            family->free = i;
            ++count;
        }
    if (count == 1)
        return true;
    if (method->parameter_count == 0)
        return fail(err, ERROR_USAGE, "method '%s' has no parameter: there is nothing to vary", method->name);
    if (count == 0)
        return fail(err, ERROR_USAGE, "method '%s': every parameter is fixed, leave one free", method->name);
    return fail(err, ERROR_USAGE, "method '%s' has %zu free parameters, fix all but one, by -p %s.%s=VALUE for example",
                method->name, count, method->name, method->parameters[family->free].name);
}

// The range that the card permits; with beta tied, gamma from 1/2 on, where high frequencies are damped and not
// amplified.
static void find_range(Family *family)
{
    const CardParameter *free = family_parameter(family);
    const double         length = free->most - free->least;
    family->least = free->least + (free->least_open ? OPEN_END * length : 0.0);
    family->most = free->most - (free->most_open ? OPEN_END * length : 0.0);
    if (family->tied != SIZE_MAX)
        family->least = fmax(family->least, 0.5);
}

bool family_make(const Catalog *catalog, const char *name, Setting *settings, size_t setting_count, Arena *arena,
                 Family *family, Error *err)
{
    *family = (Family){0};
    if (!setting_find_card(catalog, CARD_METHOD, name, arena, &family->method, err))
        return false;
    const Card *method = family->method;
    bool       *fixed = arena_take(arena, method->parameter_count, sizeof *fixed, err);
    family->parameters = arena_take(arena, method->parameter_count, sizeof *family->parameters, err);
    if (!fixed || !family->parameters || !theory_make(method, arena, &family->theory, err))
        return false;
    for (size_t i = 0; i < method->parameter_count; ++i) {
        Setting *setting = NULL;
        family->parameters[i] = method->parameters[i].initial;
        if (!setting_find(settings, setting_count, method, &method->parameters[i], &setting, err) ||
            (setting && !setting_value(&method->parameters[i], setting->values, &family->parameters[i], err)))
            return false;
        fixed[i] = setting != NULL;
    }
    if (!choose_free(family, fixed, err))
        return false;
    find_range(family);
    return true;
}

bool family_narrow(Family *family, double least, double most, Error *err)
{
    const CardParameter *free = family_parameter(family);
    if (least < free->least || most > free->most)
        return fail(err, ERROR_USAGE, "--range %.10g,%.10g: %s of '%s' lies from %.10g to %.10g", least, most,
                    free->name, family->method->name, free->least, free->most);
    // An open end stays out of reach; a tied gamma may go below 1/2.
    const bool tied = family->tied != SIZE_MAX;
    family->least = tied ? least : fmax(least, family->least);
    family->most = fmin(most, family->most);
    return true;
}

void family_at(const Family *family, double value, double *parameters)
{
    for (size_t i = 0; i < family->method->parameter_count; ++i)
        parameters[i] = family->parameters[i];
    parameters[family->free] = value;
    if (family->tied != SIZE_MAX)
        parameters[family->tied] = 0.25 * (value + 0.5) * (value + 0.5);
}

const CardParameter *family_parameter(const Family *family)
{
    return &family->method->parameters[family->free];
}
