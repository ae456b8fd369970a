// search -- numbers of a method as functions of its free parameter.
#include "analysis/pairs/search.h"

// Where side effects are given when the criterion has no Omega of its own.
#define USUAL_OMEGA 0.1

bool search_numbers(void *user, const double *q, size_t count, double *values, Error *err)
{
    const Side *side = user;
    double      parameters[THEORY_PARAMETERS];
    if (side->trial)
        return trial_run(side->trial, q, count, values, NULL, err);
    for (size_t i = 0; i < count; ++i) {
        family_at(side->family, q[i], parameters);
        values[i] = criterion_number(side->criterion, side->family->theory, parameters, side->omega_h);
    }
    return true;
}

Mode search_mode(const Family *family, double value, double omega_h)
{
    double parameters[THEORY_PARAMETERS];
    family_at(family, value, parameters);
    return matrix_mode(theory_matrix(family->theory, omega_h, 0.0, parameters), omega_h);
}

double search_omega(const Pairs *pairs, int side)
{
    return pairs->omega_h[side] > 0.0 ? pairs->omega_h[side] : pairs->band[1] > 0.0 ? pairs->band[0] : USUAL_OMEGA;
}
