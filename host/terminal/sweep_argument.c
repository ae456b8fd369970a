// sweep_argument -- sweep file named on the command line, read into a plan.
#include "terminal/sweep_argument.h"

bool sweep_argument_read(SweepArgument *sweep, Error *err)
{
    return catalog_read(&sweep->catalog, err) &&
           spec_read(sweep->path, sweep->overrides.items, sweep->overrides.count, &sweep->spec, err) &&
           plan_make(&sweep->spec, &sweep->catalog, &sweep->plan, err);
}

void sweep_argument_free(SweepArgument *sweep)
{
    plan_free(&sweep->plan);
    spec_free(&sweep->spec);
    catalog_free(&sweep->catalog);
}
