// by_eye -- table of the four pairs that Wu found by eye.
#include "analysis/pairs/by_eye.h"

#include <math.h>
#include <string.h>

size_t by_eye_list(const Pairs *pairs, ByEye *list)
{
    static const double rho_inf[BY_EYE] = {0.9, 0.6, 0.5, 0.3}, theta[BY_EYE] = {0.001, 0.07, 0.15, 0.45};
    const char         *from = pairs->families[PAIR_FROM].method->name, *to = pairs->families[PAIR_TO].method->name;
    const bool          forth = strcmp(from, "generalized_alpha") == 0 && strcmp(to, "theta2") == 0;
    const bool          back = strcmp(from, "theta2") == 0 && strcmp(to, "generalized_alpha") == 0;
    for (size_t i = 0; i < BY_EYE; ++i)
        list[i] = forth ? (ByEye){rho_inf[i], theta[i]} : (ByEye){theta[i], rho_inf[i]};
    return forth || back ? BY_EYE : 0;
}

double by_eye_find(const Pairs *pairs, double from)
{
    ByEye        list[BY_EYE];
    const size_t count = by_eye_list(pairs, list);
    for (size_t i = 0; i < count; ++i)
        if (fabs(from - list[i].from) <= 1e-12)
            return list[i].to;
    return (double)NAN;
}
