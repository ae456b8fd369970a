// thread -- starts a thread while all signals are blocked.
#include "base/thread.h"

#include <signal.h>
#include <string.h>

bool thread_start(pthread_t *thread, void *(*work)(void *), void *argument, const char *purpose, Error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int reason = pthread_create(thread, NULL, work, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason == 0 || fail(err, ERROR_INTERNAL, "no thread for %s: %s", purpose, strerror(reason));
}
