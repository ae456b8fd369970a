// plain -- threads of the plain C loops: each takes a share of the points of a run.
#include "analysis/bench/plain.h"

#include "analysis/bench/plain_needs.h"

#include "reference/crew.h"

enum { SHARE = 8 };  // points that a thread takes at a time

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

static bool work(Crew *crew, void *shared, Error *err)
{
    const PlainRun *run = shared;
    (void)err;
    for (size_t share; crew_next(crew, &share);)
        for (size_t i = share * SHARE; i < (share + 1) * SHARE && i < run->count; ++i)
            run_point(run, i);
    return true;
}

void plain_run(const PlainRun *run)
{
    PlainRun shared = *run;
    Error    none;
    Crew crew = {.threads = run->threads, .count = (run->count + SHARE - 1) / SHARE, .work = work, .shared = &shared};
    crew_run(&crew, &none);
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
