// solution.h -- the solution to which a point is compared: the problem's closed form, or a table made on the host.
//
// A table holds samples at every `table_every`-th step and at the last; a metric counts the samples it has seen.

#include "linear.h"
#include "point.h"

#if TABLE_ROWS
static real table_number(const Observation *o, whole sample, int row)
{
    SCALAR_WHOLE places[LANES];
    SCALAR       numbers[LANES];
    spread_whole((o->table + sample) * TABLE_ROWS + row, places);
    for (int lane = 0; lane < LANES; ++lane)
        numbers[lane] = o->tables[places[lane]];
    return collect(numbers);
}
#endif

// Whether sample number `sample` belongs to this observation; with closed forms alone every observation is one.
static mask solution_due(const Observation *o, whole sample)
{
#if TABLE_ROWS
    return (o->step == sample * o->table_every) | (o->step == o->steps);
#else
    return YES;
#endif
}

#if EXACT || TABLE_X
static void solution(const Observation *o, whole sample, real x[DOF])
{
#if TABLE_X
    for (int i = 0; i < DOF; ++i)
        x[i] = table_number(o, sample, i);
#else
    real v[DOF];
    exact(o->t, o->p, x, v);
#endif
}
#endif

// The slow coordinate of the problem's limit, or else of the solution.
#if TABLE_LIMIT
static real solution_slow(const Observation *o, whole sample) { return table_number(o, sample, TABLE_X ? DOF : 0); }
#elif SLOW && (EXACT || TABLE_X)
static real solution_slow(const Observation *o, whole sample)
{
    real x[DOF];
    solution(o, sample, x);
    return slow(x, o->p);
}
#endif

#if EXACT
static real exact_distance(real t, const real x[DOF], const Params *p)
{
    real y[DOF], v[DOF];
    exact(t, p, y, v);
    for (int i = 0; i < DOF; ++i)
        y[i] = x[i] - y[i];
    return norm(y);
}
#endif
