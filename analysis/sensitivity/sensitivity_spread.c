// sensitivity_spread -- the standard deviation of an output by its derivatives and the deviations of the parameters.
#include "analysis/sensitivity/sample.h"
#include "analysis/sensitivity/sensitivity.h"

#include <math.h>
#include <string.h>

enum { DERIVATIVE = 0, DEVIATION = 3, SHARE = 4, SPREAD = SENSITIVITY_LOCAL_SPREAD };  // of sensitivity_numbers

bool sensitivity_check_deviations(const SensitivityRequest *request, const Study *study, SensitivityIndex index,
                                  Error *err)
{
    const Coordinates *given = request->deviations;
    if (!given || given->count == 0)
        return true;
    if (index != SENSITIVITY_LOCAL)
        return fail(
            err, ERROR_USAGE,
            "%s: group '%s': --deviation is of the derivatives at a centre, which design: {local: {}} has; this "
            "one serves the index %s",
            study->points.file->path, study->label, sensitivity_names[index]);
    for (size_t i = 0; i < given->count; ++i) {
        const NamedValue *item = &given->items[i];
        size_t            factor = 0;
        while (factor < study->factor_count && strcmp(study->factors[factor]->name, item->name) != 0)
            ++factor;
        if (factor == study->factor_count)
            return fail(err, ERROR_USAGE, "--deviation: group '%s' of %s has no factor '%.60s'", study->label,
                        study->points.file->path, item->name);
        if (!(item->value >= 0.0 && isfinite(item->value)))
            return fail(err, ERROR_USAGE, "--deviation %.60s: %g is no standard deviation: give one of 0 or more",
                        item->name, item->value);
    }
    return true;
}

// The deviation that is asked for, or that of the distribution in the sweep; NaN: there is neither.
static bool find_deviation(const SensitivityRequest *request, const Study *study, size_t factor, double *deviation,
                           Arena *arena, Error *err)
{
    const NamedValue *given =
        request->deviations ? coordinates_find(request->deviations, study->factors[factor]->name) : NULL;
    Distribution distribution;
    bool         known;
    if (!sample_read_distribution(study, factor, &distribution, &known, arena, err))
        return false;
    *deviation = given ? given->value : known ? distribution_deviation(&distribution) : (double)NAN;
    return true;
}

bool sensitivity_spread(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    const Study *study = table->study;
    double       spread = 0.0;
    for (size_t f = 0; f < study->factor_count; ++f) {
        double *numbers = table->rows[study->group_of[f]].numbers;
        if (!find_deviation(request, study, f, &numbers[DEVIATION], arena, err))
            return false;
        // A parameter that is known adds nothing, whatever its derivative.
        numbers[SHARE] = numbers[DEVIATION] == 0.0 ? 0.0 : numbers[DERIVATIVE] * numbers[DEVIATION];
        spread = hypot(spread, numbers[SHARE]);
    }
    for (size_t f = 0; f < study->factor_count; ++f) {
        double *numbers = table->rows[study->group_of[f]].numbers;
        numbers[SHARE] = pow(numbers[SHARE] / spread, 2.0);
        numbers[SPREAD] = spread;
    }
    return true;
}
