// chaos_data -- indices from a polynomial chaos expansion of an output, and Shapley effects.
#include "analysis/sensitivity/fit.h"
#include "analysis/sensitivity/shapley.h"

// Sobol' indices and Shapley effects of independent factors follow from the coefficients.
static bool fill_independent(const SensitivityRequest *request, const Chaos *chaos, SensitivityTable *table,
                             Arena *arena, Error *err)
{
    const size_t d = table->study->factor_count;
    ChaosEffects found, conf;
    if (!chaos_make_effects(chaos, arena, &found, err) ||
        !chaos_make_conf(chaos, request->replicates ? request->replicates : CHAOS_REPLICATES, request->seed, arena,
                         &conf, err))
        return false;
    for (size_t i = 0; i < d; ++i) {
        double *numbers = table->rows[i].numbers;
        numbers[0] = found.first[i];
        numbers[1] = conf.first[i];
        numbers[2] = found.total[i];
        numbers[3] = conf.total[i];
        numbers[6] = found.shapley[i];
        numbers[7] = conf.shapley[i];
    }
    for (size_t i = 0, next = d; i < d; ++i)
        for (size_t k = i + 1; k < d; ++k, ++next) {
            table->rows[next].numbers[4] = found.pair[i * d + k];
            table->rows[next].numbers[5] = conf.pair[i * d + k];
        }
    return true;
}

// Of correlated ones only Shapley effects divide the variance.
static bool fill_correlated(const SensitivityRequest *request, const Chaos *chaos, const Fit *fit,
                            SensitivityTable *table, Arena *arena, Error *err)
{
    const Study  *study = table->study;
    const Shapley shapley = {.factor_count = study->factor_count,
                             .distributions = fit->distributions,
                             .correlation = study->correlation,
                             .function = chaos_value,
                             .user = chaos,
                             .seed = request->seed};
    double       *effects = arena_take(arena, study->factor_count, sizeof *effects, err);
    double       *errors = arena_take(arena, study->factor_count, sizeof *errors, err), variance;
    if (!effects || !errors || !shapley_find(&shapley, effects, errors, &variance, err))
        return false;
    for (size_t i = 0; i < study->factor_count; ++i) {
        table->rows[i].numbers[6] = effects[i];
        table->rows[i].numbers[7] = 1.96 * errors[i];
    }
    return true;
}

bool sensitivity_make_chaos(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    const Study *study = table->study;
    const size_t d = study->factor_count;
    Fit          fit = {0};
    const char **names = arena_take(arena, d, sizeof *names, err);
    for (size_t f = 0; names && f < d; ++f)
        names[f] = study->factors[f]->name;
    bool ok = names && sensitivity_take_rows(table, names, d, !study->correlation, arena, err) &&
              fit_make(request, table, arena, &fit, err);
    if (ok && !table->trouble)
        ok = study->correlation ? fill_correlated(request, &fit.chaos, &fit, table, arena, err)
                                : fill_independent(request, &fit.chaos, table, arena, err);
    fit_free(&fit);
    return ok;
}
