// sweep_argument -- sweep file named on the command line, read into a plan.
#include "terminal/sweep_argument.h"

#include "reference/reference.h"

#include <string.h>

bool sweep_argument_read(SweepArgument *sweep, Error *err)
{
    return catalog_read(&sweep->catalog, err) &&
           spec_read(sweep->path, sweep->overrides.items, sweep->overrides.count, &sweep->spec, err) &&
           plan_make(&sweep->spec, &sweep->catalog, &sweep->plan, err);
}

void sweep_argument_keep(const SweepArgument *sweep, Outputs *outputs)
{
    for (size_t i = 0; plan_file(&sweep->plan, i); ++i)
        outputs_keep(outputs, plan_file(&sweep->plan, i));
}

bool sweep_argument_device(const Plan *plan, const char *named, Device **device, Error *err)
{
    *device = NULL;
    if (!named || strcmp(named, "reference") != 0)
        return device_open(named, plan->precision, device, err);
    for (size_t g = 0; g < plan->group_count; ++g)
        if (!reference_check(&plan->groups[g], err))
            return false;
    return true;
}

bool sweep_argument_check_place(const SweepArgument *sweep, const char *to, Error *err)
{
    const char  *slash = strrchr(sweep->path, '/'), *other = strrchr(to, '/');
    const size_t length = slash ? (size_t)(slash - sweep->path) : 0, there = other ? (size_t)(other - to) : 0;
    return (length == there && strncmp(sweep->path, to, length) == 0) ||
           fail(err, ERROR_USAGE,
                "--sweep: the sweep names files, by their place from the folder of '%s': write it there", sweep->path);
}

void sweep_argument_free(SweepArgument *sweep)
{
    plan_free(&sweep->plan);
    spec_free(&sweep->spec);
    catalog_free(&sweep->catalog);
}
