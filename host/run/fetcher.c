// fetcher -- waits for a batch, unpacks it, adds copied points, counts it, and gives it to the writer; then the next.
#include "run/fetcher.h"

// Brings one batch to the store.
static bool fetch(const Fetcher *fetcher, const Fetch *given, int set, Error *err)
{
    Results *results = store_take(fetcher->store, given->batch.group, given->point_capacity, given->slot_capacity, err);
    if (!results)
        return false;
    // Given points come first: a device's results are checked together with them.
    if ((given->batch.given && !reuse_copy(&given->batch, given->found, results, err)) ||
        (given->batch.given_points < given->batch.point_count && !program_fetch(given->program, set, results, err))) {
        store_give_back(fetcher->store, results);
        return false;
    }
    fetcher->count(&given->batch, results, fetcher->user);
    return store_write(fetcher->store, &given->batch, results, err);
}

// After a failure a batch given is only dropped.
static void *fetch_batches(void *argument)
{
    Fetcher *fetcher = argument;
    pthread_mutex_lock(&fetcher->thread.mutex);
    for (;;) {
        while (fetcher->fetched == fetcher->given && !fetcher->thread.stop)
            thread_wait(&fetcher->thread);
        if (fetcher->fetched == fetcher->given)
            break;
        const int    set = (int)(fetcher->fetched % PROGRAM_SETS);
        const Fetch *given = &fetcher->fetches[set];
        const bool   drop = fetcher->failed;
        Error        err;
        pthread_mutex_unlock(&fetcher->thread.mutex);
        const bool lost = !drop && !fetch(fetcher, given, set, &err);
        pthread_mutex_lock(&fetcher->thread.mutex);
        if (lost)
            fetcher->failure = err;
        fetcher->failed = fetcher->failed || lost;
        fetcher->lost_points += drop || lost ? given->points : 0;
        fetcher->lost_steps += drop || lost ? given->steps : 0;
        if (given->last) {
            pthread_mutex_unlock(&fetcher->thread.mutex);
            program_free(given->program);
            pthread_mutex_lock(&fetcher->thread.mutex);
        }
        ++fetcher->fetched;
        pthread_cond_broadcast(&fetcher->thread.changed);
    }
    pthread_mutex_unlock(&fetcher->thread.mutex);
    return NULL;
}

bool fetcher_start(Fetcher *fetcher, Error *err)
{
    return thread_begin(&fetcher->thread, fetch_batches, fetcher, "fetching results", err);
}

// Waits until no more than that many batches are on their way.
static bool wait_for(Fetcher *fetcher, uint64_t most, Error *err)
{
    pthread_mutex_lock(&fetcher->thread.mutex);
    while (fetcher->given - fetcher->fetched > most)
        thread_wait(&fetcher->thread);
    const bool fine = !fetcher->failed;
    if (!fine)
        *err = fetcher->failure;
    pthread_mutex_unlock(&fetcher->thread.mutex);
    return fine;
}

bool fetcher_claim(Fetcher *fetcher, int *set, Error *err)
{
    *set = (int)(fetcher->given % PROGRAM_SETS);
    return wait_for(fetcher, PROGRAM_SETS - 1, err);
}

void fetcher_give(Fetcher *fetcher, const Fetch *fetch)
{
    pthread_mutex_lock(&fetcher->thread.mutex);
    fetcher->fetches[fetcher->given++ % PROGRAM_SETS] = *fetch;
    pthread_cond_broadcast(&fetcher->thread.changed);
    pthread_mutex_unlock(&fetcher->thread.mutex);
}

void fetcher_retire(Fetcher *fetcher, Program *program)
{
    pthread_mutex_lock(&fetcher->thread.mutex);
    Fetch     *last = fetcher->given > fetcher->fetched ? &fetcher->fetches[(fetcher->given - 1) % PROGRAM_SETS] : NULL;
    const bool waits = last && last->program == program;
    if (waits)
        last->last = true;
    pthread_mutex_unlock(&fetcher->thread.mutex);
    if (!waits)
        program_free(program);
}

bool fetcher_finish(Fetcher *fetcher, Error *err)
{
    return wait_for(fetcher, 0, err);
}
