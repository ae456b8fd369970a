// convention -- formulas from a spectral radius to the parameters of papers and programs, and their table.
#include "analysis/linear/convention.h"

#include <math.h>
#include <string.h>

#define FORMULA(name, formula)     \
    static double name(double rho) \
    {                              \
        return formula;            \
    }

FORMULA(same, rho)

// Chung and Hulbert's. gamma = 1/2 - alpha_m + alpha_f = 1/2 + d is that of every method of the family here, and so is
// beta = (gamma + 1/2)^2/4: HHT, WBZ and Newmark's method differ in where they put d.
FORMULA(alpha_m, (2.0 * rho - 1.0) / (1.0 + rho))
FORMULA(alpha_f, rho / (1.0 + rho))
FORMULA(gamma_of, 0.5 + (1.0 - rho) / (1.0 + rho))
FORMULA(beta_of, 1.0 / (1.0 + rho) * (1.0 / (1.0 + rho)))
FORMULA(alpha, (rho - 1.0) / (1.0 + rho))  // -d

// By the new state.
FORMULA(new_alpha_m, (2.0 - rho) / (1.0 + rho))
FORMULA(new_alpha_f, 1.0 / (1.0 + rho))
FORMULA(new_alpha, 2.0 * rho / (1.0 + rho))

// The others.
FORMULA(theta1, 1.0 / (1.0 + rho))
FORMULA(theta2, 3.0 * (1.0 - rho) / (3.0 + rho))

const Convention conventions[] = {
    {"generalized_alpha", "pendula", "rho_inf", same, ""},
    {"generalized_alpha", "Chung and Hulbert 1993", "alpha_m", alpha_m, "weight of the old acceleration"},
    {"generalized_alpha", "Chung and Hulbert 1993", "alpha_f", alpha_f, "weight of the old state in the force"},
    {"generalized_alpha", "Chung and Hulbert 1993", "beta", beta_of, ""},
    {"generalized_alpha", "Chung and Hulbert 1993", "gamma", gamma_of, ""},
    {"generalized_alpha", "PETSc TSALPHA2", "radius", same, "TSAlpha2SetRadius alone sets the four"},
    {"generalized_alpha", "PETSc TSALPHA2", "alpha_m", new_alpha_m, "weight of the new acceleration"},
    {"generalized_alpha", "PETSc TSALPHA2", "alpha_f", new_alpha_f, "weight of the new state in the force"},
    {"generalized_alpha", "PETSc TSALPHA2", "gamma", gamma_of, ""},
    {"generalized_alpha", "PETSc TSALPHA2", "beta", beta_of, ""},
    {"generalized_alpha", "OpenSees GeneralizedAlpha", "alphaM", new_alpha_m, "weight of the new acceleration"},
    {"generalized_alpha", "OpenSees GeneralizedAlpha", "alphaF", new_alpha_f, "weight of the new state in the force"},
    {"generalized_alpha", "OpenSees GeneralizedAlpha", "gamma", gamma_of, "the default: leave it out"},
    {"generalized_alpha", "OpenSees GeneralizedAlpha", "beta", beta_of, "the default: leave it out"},
    {"hht_alpha", "pendula", "alpha", alpha, ""},
    {"hht_alpha", "Hilber, Hughes, Taylor 1977", "alpha", alpha, "-alpha_f of Chung and Hulbert"},
    {"hht_alpha", "Hilber, Hughes, Taylor 1977", "beta", beta_of, ""},
    {"hht_alpha", "Hilber, Hughes, Taylor 1977", "gamma", gamma_of, ""},
    {"hht_alpha", "OpenSees HHT", "alpha", new_alpha, "1 + alpha of the paper"},
    {"hht_alpha", "CalculiX *DYNAMIC", "ALPHA", alpha, ""},
    {"hht_alpha", "Chrono ChTimestepperHHT", "alpha", alpha, ""},
    {"wbz_alpha", "pendula", "alpha", alpha, ""},
    {"wbz_alpha", "Wood, Bossak, Zienkiewicz 1980", "alpha", alpha, "alpha_m of Chung and Hulbert"},
    {"wbz_alpha", "Wood, Bossak, Zienkiewicz 1980", "beta", beta_of, ""},
    {"wbz_alpha", "Wood, Bossak, Zienkiewicz 1980", "gamma", gamma_of, ""},
    {"wbz_alpha", "Kratos bossak", "damp_factor_m", alpha, "with newmark_beta 0.25"},
    {"newmark", "pendula", "gamma", gamma_of, "order 1 unless 0.5"},
    {"newmark", "pendula", "beta", beta_of, "(gamma + 1/2)^2/4"},
    {"theta1", "pendula", "theta1", theta1, "order 1 unless 0.5"},
    {"theta2", "pendula", "theta", theta2, ""},
    {"bathe", "pendula", "rho_inf", same, ""},
};
const size_t convention_count = sizeof conventions / sizeof *conventions;

const Convention *convention_find(const char *method)
{
    for (size_t i = 0; i < convention_count; ++i)
        if (strcmp(conventions[i].method, method) == 0)
            return &conventions[i];
    return NULL;
}

double convention_least(const Convention *convention)
{
    return strcmp(convention->method, "hht_alpha") == 0 ? 0.5 : 0.0;
}

// Every formula grows or falls over the radii that its method has.
double convention_radius(const Convention *convention, double value)
{
    double     low = convention_least(convention), high = 1.0;
    const bool grows = convention->value(high) > convention->value(low);
    for (double at = 0.5 * (low + high); low < at && at < high; at = 0.5 * (low + high))
        *((convention->value(at) < value) == grows ? &low : &high) = at;
    return fabs(convention->value(low) - value) < fabs(convention->value(high) - value) ? low : high;
}

double convention_value(const Convention *convention, double rho_inf)
{
    // A radius that comes from a parameter has its rounding: that of newmark's gamma = 5/6 is an ulp below 1/2.
    const double least = convention_least(convention);
    return rho_inf >= least - 1e-12 ? convention->value(fmax(rho_inf, least)) : (double)NAN;
}

const char *convention_note(const Convention *convention, double rho_inf)
{
    return isnan(convention_value(convention, rho_inf)) ? "exists for rho_inf from 1/2 on only" : convention->note;
}
