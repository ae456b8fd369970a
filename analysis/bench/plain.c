// plain -- threads of the plain C loops: each takes a share of the points of a run.
#include "analysis/bench/plain.h"

#include "analysis/bench/plain_needs.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SHARE = 8, MOST_THREADS = 1024 };  // points that a thread takes at a time

typedef struct Team {
    const PlainRun *run;
    atomic_size_t   next;  // first point not yet taken
} Team;

static void run_point(const PlainRun *run, size_t i)
{
    const size_t dofs = (size_t)run->plain->dofs;
    double       x[PLAIN_DOFS], v[PLAIN_DOFS];
    run->updates[i] = run->plain->run(run->values[i], run->steps, x, v);
    for (size_t k = 0; k < dofs; ++k) {
        run->x[i * dofs + k] = x[k];
        run->v[i * dofs + k] = v[k];
    }
}

static void *work(void *argument)
{
    Team           *team = argument;
    const PlainRun *run = team->run;
    for (;;) {
        const size_t first = atomic_fetch_add(&team->next, SHARE);
        if (first >= run->count)
            return NULL;
        for (size_t i = first; i < first + SHARE && i < run->count; ++i)
            run_point(run, i);
    }
}

// A thread that cannot be started leaves its points to the others.
void plain_run(const PlainRun *run)
{
    Team      team = {.run = run};
    pthread_t helpers[MOST_THREADS];
    int       started = 0;
    const int wanted = run->threads < MOST_THREADS ? run->threads : MOST_THREADS;
    while (started + 1 < wanted && pthread_create(&helpers[started], NULL, work, &team) == 0)
        ++started;
    work(&team);
    for (int i = 0; i < started; ++i)
        pthread_join(helpers[i], NULL);
}

const char *plain_lacks(void)
{
#if defined(__x86_64__) || defined(__i386__)
#define CHECK(name, macro)                                  \
    if (plain_needs.name && !__builtin_cpu_supports(#name)) \
        return #name;
    PLAIN_NEEDS(CHECK)
#undef CHECK
#endif
    return NULL;
}
