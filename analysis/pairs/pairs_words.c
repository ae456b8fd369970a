// pairs_words -- names and values of a pair's columns in one order, and the phrase for its criterion.
#include "analysis/pairs/pairs_words.h"

#include <string.h>

const PairsColumn pairs_words_columns[PAIRS_COLUMNS] = {
    {"residual", "1", "|number of TO/number of FROM - 1|; in a band the largest |logarithm of the ratio|"},
    {"low", "1", "lower end of the bracket"},
    {"high", "1", "upper end of the bracket"},
    {"period_error_from", "1", "relative period error of FROM"},
    {"period_error_to", "1", "relative period error of TO"},
    {"radius_infinity_from", "1", "spectral radius of FROM as Omega goes to infinity"},
    {"radius_infinity_to", "1", "spectral radius of TO as Omega goes to infinity"},
    {"updates_from", "1", "Newton updates of FROM on the problem"},
    {"updates_to", "1", "Newton updates of TO on the problem"},
    {"evaluations_from", "1", "evaluations of residual or acceleration by FROM on the problem"},
    {"evaluations_to", "1", "evaluations of residual or acceleration by TO on the problem"},
    {"condition_max_from", "1", "largest condition number of FROM's Jacobians on the problem"},
    {"condition_max_to", "1", "largest condition number of TO's Jacobians on the problem"},
    {"cost_ratio", "1", "evaluations of TO over those of FROM"},
    {"number_from", "1", "the criterion's number of FROM"},
    {"number_to", "1", "the criterion's number of TO"},
    {"physical", "1", "the metric of a companion without numerical damping"},
};

double pairs_words_number(const Pairs *pairs, const Pair *pair, size_t column)
{
    const PairEffects *from = &pair->effects[PAIR_FROM], *to = &pair->effects[PAIR_TO];
    const double       numbers[PAIRS_COLUMNS] = {
              pair->residual,        pair->low,           pair->high,        from->period_error, to->period_error,
              from->radius_infinity, to->radius_infinity, from->updates,     to->updates,        from->evaluations,
              to->evaluations,       from->condition_max, to->condition_max, pair->cost_ratio,   pair->number[PAIR_FROM],
              pair->number[PAIR_TO], pairs->physical};
    return numbers[column];
}

void pairs_words_equal(Text *text, const Pairs *pairs)
{
    const double *at = pairs->omega_h;
    if (pairs->metric && pairs->problem)
        text_add(text, "%s of %s, as it is run", pairs->metric, pairs->problem);
    else
        text_add(text, "%s", criterion_about[pairs->criterion]);
    if (pairs->band[1] > 0.0)
        text_add(text, ", Omega from %.6g to %.6g", pairs->band[0], pairs->band[1]);
    else if (!criterion_takes_omega(pairs->criterion))
        return;
    else if (at[PAIR_FROM] == at[PAIR_TO])
        text_add(text, ", at Omega = %.6g", at[PAIR_FROM]);
    else
        text_add(text, ", at Omega = %.6g of FROM and %.6g of TO", at[PAIR_FROM], at[PAIR_TO]);
}

size_t pairs_words_by_eye(const Pairs *pairs, ByEye *list)
{
    static const double rho_inf[BY_EYE] = {0.9, 0.6, 0.5, 0.3}, theta[BY_EYE] = {0.001, 0.07, 0.15, 0.45};
    const char         *from = pairs->families[PAIR_FROM].method->name, *to = pairs->families[PAIR_TO].method->name;
    const bool          forth = strcmp(from, "generalized_alpha") == 0 && strcmp(to, "theta2") == 0;
    const bool          back = strcmp(from, "theta2") == 0 && strcmp(to, "generalized_alpha") == 0;
    for (size_t i = 0; i < BY_EYE; ++i)
        list[i] = forth ? (ByEye){rho_inf[i], theta[i]} : (ByEye){theta[i], rho_inf[i]};
    return forth || back ? BY_EYE : 0;
}
