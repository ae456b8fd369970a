// crew -- one thread per core, each taking the next free item.
#include "reference/crew.h"

#include "base/numerals.h"

#include <pthread.h>
#include <unistd.h>

enum { MOST_THREADS = 1024 };

static void *work(void *argument)
{
    PLAIN_NUMERALS;
    Crew *crew = argument;
    Error err;
    if (!crew->work(crew, crew->shared, &err) && !atomic_exchange(&crew->failed, true))
        *crew->err = err;
    return NULL;
}

bool crew_next(Crew *crew, size_t *item)
{
    if (atomic_load(&crew->failed))
        return false;
    *item = atomic_fetch_add(&crew->next, 1);
    return *item < crew->count;
}

// Asked once: a system call that reads files, and crews may be as short as a launch.
static long count_cores(void)
{
    static atomic_long known;
    long               cores = atomic_load(&known);
    if (cores == 0) {
        cores = sysconf(_SC_NPROCESSORS_ONLN);
        atomic_store(&known, cores);
    }
    return cores;
}

bool crew_run(Crew *crew, Error *err)
{
    pthread_t threads[MOST_THREADS];
    long      cores = crew->threads > 0 ? crew->threads : count_cores();
    size_t    made = 0;
    crew->err = err;
    while (made < MOST_THREADS && (long)made + 1 < cores && made + 1 < crew->count &&
           pthread_create(&threads[made], NULL, work, crew) == 0)
        ++made;
    work(crew);
    for (size_t i = 0; i < made; ++i)
        pthread_join(threads[i], NULL);
    return !atomic_load(&crew->failed);
}
