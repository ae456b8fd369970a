// notice -- thread that waits beside a run, and speaks after a second.
#include "engine/notice.h"

#include "base/clock.h"
#include "base/thread.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double patience = 1.0;  // seconds

// Called with the mutex held.
static void tell(Notice *notice)
{
    if (notice->line[0] && clock_seconds() - notice->since >= patience) {
        notice->tell(notice->line, notice->user);
        notice->line[0] = '\0';
    }
}

static void *watch(void *argument)
{
    Notice *notice = argument;
    pthread_mutex_lock(&notice->mutex);
    while (!notice->stop) {
        if (notice->line[0]) {
            const double    due = notice->since + patience;
            struct timespec t = {(time_t)due, (long)(1e9 * (due - floor(due)))};
            pthread_cond_clockwait(&notice->changed, &notice->mutex, CLOCK_MONOTONIC, &t);
        } else {
            pthread_cond_wait(&notice->changed, &notice->mutex);
        }
        tell(notice);
    }
    pthread_mutex_unlock(&notice->mutex);
    return NULL;
}

bool notice_start(Notice *notice, Error *err)
{
    pthread_mutex_init(&notice->mutex, NULL);
    pthread_cond_init(&notice->changed, NULL);
    notice->started = thread_start(&notice->thread, watch, notice, "saying what is waited for", err);
    if (notice->started)
        return true;
    pthread_cond_destroy(&notice->changed);
    pthread_mutex_destroy(&notice->mutex);
    return false;
}

void notice_begin(Notice *notice, const char *format, ...)
{
    va_list arguments;
    if (!notice->started)
        return;
    pthread_mutex_lock(&notice->mutex);
    tell(notice);
    va_start(arguments, format);
    vsnprintf(notice->line, sizeof notice->line, format, arguments);
    va_end(arguments);
    notice->since = clock_seconds();
    pthread_cond_signal(&notice->changed);
    pthread_mutex_unlock(&notice->mutex);
}

void notice_end(Notice *notice)
{
    if (!notice->started)
        return;
    pthread_mutex_lock(&notice->mutex);
    tell(notice);
    notice->line[0] = '\0';
    pthread_mutex_unlock(&notice->mutex);
}

void notice_stop(Notice *notice)
{
    if (!notice->started)
        return;
    pthread_mutex_lock(&notice->mutex);
    notice->stop = true;
    pthread_cond_signal(&notice->changed);
    pthread_mutex_unlock(&notice->mutex);
    pthread_join(notice->thread, NULL);
    pthread_cond_destroy(&notice->changed);
    pthread_mutex_destroy(&notice->mutex);
    notice->started = false;
}
