// builder -- builds the kernels of the groups that need one, one after the other.
#include "engine/builder.h"

#include "base/stop.h"
#include "base/thread.h"
#include "device/shapes.h"
#include "engine/builds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static bool must_stop(const Builder *builder)
{
    return atomic_load(&builder->stop) || (builder->signals && *builder->signals > 0);
}

ProgressCompile builder_compile(const Builder *builder, size_t engine, bool launch)
{
    ProgressCompile compile = {.device = builder->name, .launch = launch};
    for (size_t g = 0; g < builder->count; ++g) {
        compile.number += builder->wanted[g] && g <= engine;
        compile.count += builder->wanted[g];
    }
    snprintf(compile.name, sizeof compile.name, "%s", builder->engines[engine].group->label);
    return compile;
}

bool builder_build(Builder *builder, size_t engine, Error *err)
{
    const ProgressCompile compile = builder_compile(builder, engine, false);
    notice_begin(builder->notice, builder->seat, &compile);
    const bool ok = engine_build(&builder->engines[engine], builder->device, builder->lanes, err);
    notice_end(builder->notice, builder->seat);
    return ok;
}

// What a builder has to build.
typedef struct BuilderTask {
    Builder *builder;
    Build   *builds;
} BuilderTask;

// The examination of arithmetic is short, and not said.
static void begin(size_t number, void *user)
{
    const BuilderTask *wanted = user;
    Builder           *builder = wanted->builder;
    if (!wanted->builds[number].engine)
        return;
    const size_t          engine = (size_t)(wanted->builds[number].engine - builder->engines);
    const ProgressCompile compile = builder_compile(builder, engine, false);
    notice_begin(builder->notice, builder->seat, &compile);
}

static void end(size_t number, void *user)
{
    const BuilderTask *wanted = user;
    (void)number;
    notice_end(wanted->builder->notice, wanted->builder->seat);
}

static bool is_over(void *user)
{
    return must_stop(((const BuilderTask *)user)->builder);
}

static bool build(Builder *builder, Error *err)
{
    Build *builds = calloc(builder->count + 1, sizeof *builds);
    size_t count = 0;
    if (!builds)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t g = 0; g < builder->count; ++g)
        if (builder->wanted[g])
            builds[count++] =
                (Build){.device = builder->device, .engine = &builder->engines[g], .lanes = builder->lanes};
    builds[count++] = (Build){.device = builder->device, .precision = builder->engines->plan->precision};
    BuilderTask         wanted = {builder, builds};
    const BuildsOptions options = {
        .alone = !builder->apart, .begin = begin, .end = end, .must_stop = is_over, .user = &wanted};
    const bool ok = builds_make(builds, count, &options, err);
    free(builds);
    return ok;
}

static void *work(void *argument)
{
    Builder *builder = argument;
    while (builder->shaped && !must_stop(builder) && shapes_build_next(builder->shaped))
        ;
    if (builder->shaped)
        return NULL;
    builder->built = build(builder, &builder->err);
    return NULL;
}

bool builder_start(Builder *builder, Error *err)
{
    builder->started = thread_start(&builder->thread, work, builder, "building", err);
    return builder->started;
}

// Waits for the thread's end; a signal wakes nobody up, and is looked for twenty times a second.
static bool join(Builder *builder)
{
    struct timespec soon;
    double          deadline = 0;
    do {
        if (stop_due(builder->signals, &deadline))
            return false;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 50000000;
        soon.tv_sec += soon.tv_nsec / 1000000000;
        soon.tv_nsec %= 1000000000;
    } while (pthread_timedjoin_np(builder->thread, NULL, &soon) == ETIMEDOUT);
    return true;
}

bool builder_wait(Builder *builder, Error *err)
{
    if (builder->started && !builder->abandoned)
        builder->abandoned = !join(builder);
    if (builder->abandoned)
        return fail(err, ERROR_STOPPED, "stopped by a signal");
    builder->started = false;
    if (!builder->built)
        *err = builder->err;
    return builder->built;
}

bool builder_start_shapes(Builder *builder, size_t engine)
{
    Error unsaid;
    if (builder->started || builder->abandoned)
        return false;
    builder->shaped = builder->engines[engine].program;
    return builder_start(builder, &unsaid);
}

bool builder_has_shapes(Builder *builder, size_t engine)
{
    if (!builder->started || builder->shaped != builder->engines[engine].program ||
        pthread_tryjoin_np(builder->thread, NULL) != 0)
        return false;
    builder->started = false;
    return true;
}

bool builder_end_shapes(Builder *builder, Error *err)
{
    if (!builder->started)
        return true;
    atomic_store(&builder->stop, true);
    builder->abandoned = !join(builder);
    builder->started = builder->abandoned;
    atomic_store(&builder->stop, false);
    return !builder->abandoned || fail(err, ERROR_STOPPED, "stopped by a signal");
}

void builder_stop(Builder *builder)
{
    Error unsaid;
    atomic_store(&builder->stop, true);
    if (builder->started)
        builder_wait(builder, &unsaid);
}
