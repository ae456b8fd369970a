// abandoned -- threads that are left behind while a compiler holds them up: the process ends after them.
//
// As a process ends, its exit handlers destroy the globals of drivers and compilers, and a thread that still compiles
// would use them after that. Handlers run in the reverse order of their registration. A compiler registers some at its
// first use, which may be after the thread was abandoned: a handler of ours would then come too late. The destructors
// of the main thread's own variables come before all handlers, and main() and exit() end there as a rule.
#include "library/library.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Abandoned {
    pthread_t         thread;
    struct Abandoned *next;
} Abandoned;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Abandoned      *first;    // guarded by the mutex
static pid_t           process;  // whose threads they are: a forked process has none of them

// The C library's registration of such a destructor, for which C has no word.
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *inside);

static void wait_for_all(void)
{
    if (process != getpid())
        return;
    pthread_mutex_lock(&mutex);
    for (Abandoned *one; (one = first) != NULL;) {
        first = one->next;
        pthread_mutex_unlock(&mutex);
        pthread_join(one->thread, NULL);
        free(one);
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
}

// Other threads do not wait as they end.
static void end_thread(void *unused)
{
    (void)unused;
    if (gettid() == getpid())
        wait_for_all();
}

// Releases threads that have ended.
static void join_ended(void)
{
    for (Abandoned **place = &first; *place;) {
        Abandoned *one = *place;
        if (pthread_tryjoin_np(one->thread, NULL) == 0) {
            *place = one->next;
            free(one);
        } else {
            place = &one->next;
        }
    }
}

void library_abandon(pthread_t thread)
{
    Abandoned *one = malloc(sizeof *one);
    if (!one) {
        pthread_detach(thread);
        return;
    }
    pthread_mutex_lock(&mutex);
    if (process != getpid()) {
        first = NULL;
        process = getpid();
        atexit(wait_for_all);
    }
    if (gettid() == process)
        __cxa_thread_atexit_impl(end_thread, NULL, &mutex);
    join_ended();
    *one = (Abandoned){thread, first};
    first = one;
    pthread_mutex_unlock(&mutex);
}
