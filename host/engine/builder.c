// builder -- builds the kernels of the groups that need one, one after the other.
#include "engine/builder.h"

#include "base/stop.h"
#include "base/thread.h"

#include <errno.h>
#include <time.h>

static bool must_stop(const Builder *builder)
{
    return atomic_load(&builder->stop) || (builder->signals && *builder->signals > 0);
}

static bool build(Builder *builder, Error *err)
{
    for (size_t g = 0; g < builder->count; ++g) {
        Engine *engine = &builder->engines[g];
        if (builder->wanted[g]) {
            notice_begin(builder->notice, "compiling %zu of %zu: %s", g + 1, builder->count, engine->group->label);
            const bool ok = engine_build(engine, builder->device, builder->lanes, err);
            notice_end(builder->notice);
            if (!ok)
                return false;
        }
        if (must_stop(builder))
            return fail(err, ERROR_STOPPED, "stopped by a signal");
    }
    return true;
}

static void *work(void *argument)
{
    Builder *builder = argument;
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

void builder_stop(Builder *builder)
{
    Error unsaid;
    atomic_store(&builder->stop, true);
    if (builder->started)
        builder_wait(builder, &unsaid);
}
