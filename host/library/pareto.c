// pareto -- the Pareto front of the caller's objectives.
#include "library/library.h"

#include "analysis/pareto/fronts.h"

bool pendula_pareto(const double *objectives, size_t count, size_t points, bool *front, PendulaError **error)
{
    PLAIN_NUMERALS;
    Error err = {0};
    if (!objectives || !front)
        return library_refuse(error, ERROR_USAGE, "no objectives, or nowhere to write the front to");
    if (count < 1 || count > FRONT_OBJECTIVES)
        return library_refuse(error, ERROR_USAGE, "%zu objectives: 1 to %d", count, FRONT_OBJECTIVES);
    return fronts_of(objectives, points, count, front, &err) || library_fail(error, &err);
}
