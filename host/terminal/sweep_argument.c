// sweep_argument -- sweep file named on the command line, read into a plan.
#include "terminal/sweep_argument.h"

#include <errno.h>

error_t sweep_argument_parse(SweepArgument *sweep, int key, char *value, struct argp_state *state)
{
    const Options *options = state->input;
    switch (key) {
    case 's': return options_add_word(&sweep->overrides, value, options->err) ? 0 : EINVAL;
    case ARGP_KEY_ARG:
        if (sweep->path)
            return options_refuse(state, "one sweep file at a time, got '%.200s' and '%.200s'", sweep->path, value);
        sweep->path = value;
        return 0;
    case ARGP_KEY_NO_ARGS: return options_refuse(state, "which sweep file?");
    default: return ARGP_ERR_UNKNOWN;
    }
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
