// sweep_argument -- sweep file named on the command line, read into a plan.
#include "terminal/sweep_argument.h"

#include <errno.h>

error_t sweep_argument_parse(SweepArgument *sweep, int key, char *value, struct argp_state *state)
{
    const Options *options = state->input;
    if (key == 's')
        return options_add_word(&sweep->overrides, value, options->err) ? 0 : EINVAL;
    return options_take_one(&sweep->path, "sweep file", key, value, state);
}

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
    options_free_words(&sweep->overrides);
}
