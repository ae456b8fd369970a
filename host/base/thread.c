// thread -- starts threads while all signals are blocked, and ends them.
#include "base/thread.h"

#include "base/numerals.h"

#include <math.h>
#include <signal.h>
#include <string.h>

typedef struct Work {
    void *(*work)(void *);
    void *argument;
} Work;

static void *begin(void *given)
{
    const Work work = *(Work *)given;
    free(given);
    PLAIN_NUMERALS;
    return work.work(work.argument);
}

bool thread_start(pthread_t *thread, void *(*work)(void *), void *argument, const char *purpose, Error *err)
{
    Work *given = malloc(sizeof *given);
    if (!given)
        return fail(err, ERROR_INTERNAL, "no thread for %s: out of memory", purpose);
    *given = (Work){work, argument};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, THREAD_STACK);
    const int reason = pthread_create(thread, &attributes, begin, given);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (reason != 0)
        free(given);
    return reason == 0 || fail(err, ERROR_INTERNAL, "no thread for %s: %s", purpose, strerror(reason));
}

void thread_release(Thread *thread)
{
    pthread_cond_destroy(&thread->changed);
    pthread_mutex_destroy(&thread->mutex);
    *thread = (Thread){0};
}

bool thread_begin(Thread *thread, void *(*work)(void *), void *argument, const char *purpose, Error *err)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&thread->mutex, NULL);
    pthread_cond_init(&thread->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    // The thread may look at it at once.
    thread->started = true;
    if (thread_start(&thread->id, work, argument, purpose, err))
        return true;
    thread_release(thread);
    return false;
}

void thread_end(Thread *thread)
{
    if (!thread->started)
        return;
    pthread_mutex_lock(&thread->mutex);
    thread->stop = true;
    pthread_cond_broadcast(&thread->changed);
    pthread_mutex_unlock(&thread->mutex);
    pthread_join(thread->id, NULL);
    thread_release(thread);
}

void thread_wait(Thread *thread)
{
    pthread_cond_wait(&thread->changed, &thread->mutex);
}

void thread_wait_until(Thread *thread, double moment)
{
    const struct timespec t = {(time_t)moment, (long)(1e9 * (moment - floor(moment)))};
    pthread_cond_timedwait(&thread->changed, &thread->mutex, &t);
}
