// notice -- thread that waits beside a run, and speaks after a second.
#include "engine/notice.h"

#include "base/clock.h"

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
    pthread_mutex_lock(&notice->thread.mutex);
    while (!notice->thread.stop) {
        if (notice->line[0])
            thread_wait_until(&notice->thread, notice->since + patience);
        else
            thread_wait(&notice->thread);
        tell(notice);
    }
    pthread_mutex_unlock(&notice->thread.mutex);
    return NULL;
}

bool notice_start(Notice *notice, Error *err)
{
    return thread_begin(&notice->thread, watch, notice, "saying what is waited for", err);
}

void notice_begin(Notice *notice, const char *format, ...)
{
    va_list arguments;
    if (!notice->thread.started)
        return;
    pthread_mutex_lock(&notice->thread.mutex);
    tell(notice);
    va_start(arguments, format);
    vsnprintf(notice->line, sizeof notice->line, format, arguments);
    va_end(arguments);
    notice->since = clock_seconds();
    pthread_cond_signal(&notice->thread.changed);
    pthread_mutex_unlock(&notice->thread.mutex);
}

void notice_end(Notice *notice)
{
    if (!notice->thread.started)
        return;
    pthread_mutex_lock(&notice->thread.mutex);
    tell(notice);
    notice->line[0] = '\0';
    pthread_mutex_unlock(&notice->thread.mutex);
}

void notice_stop(Notice *notice)
{
    thread_end(&notice->thread);
}
