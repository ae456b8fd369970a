// notice -- thread that waits beside a run, and speaks after a second.
#include "engine/notice.h"

#include "base/clock.h"

static const double patience = 1.0;  // seconds

// Called with the mutex held.
static void tell(Notice *notice, NoticeSeat *seat)
{
    if (seat->waiting && clock_seconds() - seat->since >= patience) {
        seat->waiting = false;
        notice->tell(&seat->compile, notice->user);
    }
}

// The seat that has waited longest, or NULL. Called with the mutex held.
static NoticeSeat *find_first(Notice *notice)
{
    NoticeSeat *first = NULL;
    for (size_t i = 0; i < DEVICES_MOST; ++i)
        if (notice->seats[i].waiting && (!first || notice->seats[i].since < first->since))
            first = &notice->seats[i];
    return first;
}

static void *watch(void *argument)
{
    Notice *notice = argument;
    pthread_mutex_lock(&notice->thread.mutex);
    while (!notice->thread.stop) {
        NoticeSeat *first = find_first(notice);
        if (first) {
            thread_wait_until(&notice->thread, first->since + patience);
            tell(notice, first);
        } else {
            thread_wait(&notice->thread);
        }
    }
    pthread_mutex_unlock(&notice->thread.mutex);
    return NULL;
}

bool notice_start(Notice *notice, Error *err)
{
    return thread_begin(&notice->thread, watch, notice, "saying what is waited for", err);
}

void notice_begin(Notice *notice, size_t seat, const ProgressCompile *compile)
{
    if (!notice || !notice->thread.started)
        return;
    pthread_mutex_lock(&notice->thread.mutex);
    tell(notice, &notice->seats[seat]);
    notice->seats[seat] = (NoticeSeat){.compile = *compile, .waiting = true, .since = clock_seconds()};
    pthread_cond_signal(&notice->thread.changed);
    pthread_mutex_unlock(&notice->thread.mutex);
}

void notice_end(Notice *notice, size_t seat)
{
    if (!notice || !notice->thread.started)
        return;
    pthread_mutex_lock(&notice->thread.mutex);
    tell(notice, &notice->seats[seat]);
    notice->seats[seat].waiting = false;
    pthread_mutex_unlock(&notice->thread.mutex);
}

void notice_stop(Notice *notice)
{
    thread_end(&notice->thread);
}
