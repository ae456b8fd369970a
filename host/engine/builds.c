// builds -- asks for what the cache does not have, and makes the rest.
#include "engine/builds.h"

#include "device/apart.h"

#include <stdlib.h>

static bool is_over(const BuildsOptions *options, Error *err)
{
    return options->must_stop && options->must_stop(options->user) && !fail(err, ERROR_STOPPED, "stopped by a signal");
}

// Beside processes the whole of a kernel is compiled now, and not at its first launch when they have ended.
static bool make(const Build *build, bool whole, Error *err)
{
    if (!build->engine) {
        device_arithmetic(build->device, build->precision);
        return true;
    }
    return engine_build(build->engine, build->device, build->lanes, err) &&
           (!whole || device_compile_rest(build->device, build->engine->program, err));
}

// Makes one, which a process may have under way.
static bool make_one(Build *builds, size_t number, Apart *apart, const BuildsOptions *options, Error *err)
{
    if (options->begin)
        options->begin(number, options->user);
    apart_wait(apart, number);
    const bool ok = !is_over(options, err) && make(&builds[number], apart != NULL, err);
    if (options->end)
        options->end(number, options->user);
    builds[number].made = ok;
    return ok && !is_over(options, err);
}

// Of one alone this process is asked.
static void ask(const Build *builds, size_t count, Text *requests)
{
    for (size_t i = 0; i < count && count > 1; ++i) {
        const Engine *engine = builds[i].engine;
        if (engine)
            apart_ask_kernel(builds[i].device, engine->plan, engine->group, engine->source.text, builds[i].lanes,
                             &requests[i]);
        else
            apart_ask_arithmetic(builds[i].device, builds[i].precision, &requests[i]);
    }
}

bool builds_make(Build *builds, size_t count, const BuildsOptions *options, Error *err)
{
    Text *requests = calloc(count ? count : 1, sizeof *requests);
    if (!requests)
        return fail(err, ERROR_INTERNAL, "out of memory");
    if (!options->alone)
        ask(builds, count, requests);
    Apart *apart = apart_start(requests, count);
    bool   ok = true;
    for (int turn = 0; turn < 2; ++turn)
        for (size_t i = 0; ok && i < count; ++i)
            if (!builds[i].made && (turn == 1 || apart_take(apart, i)))
                ok = make_one(builds, i, apart, options, err);
    apart_end(apart);
    for (size_t i = 0; i < count; ++i)
        text_free(&requests[i]);
    free(requests);
    return ok;
}
