// tables -- solves for one group after the other, at most one ahead.
#include "engine/tables.h"

#include "base/thread.h"
#include "reference/solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static bool solve(Tables *tables, const Group *group, Solution *solution, Error *err)
{
    const ReferenceOptions options = {.stop = &tables->stop};
    char                   line[256];
    snprintf(line, sizeof line, "group '%s': solving %zu problem points to compare with", group->label,
             solution_tables(group));
    tables->say(line, tables->user);
    if (!solve_group(tables->plan, group, &options, solution, err))
        return false;
    if (solution->unsolved) {
        snprintf(
            line, sizeof line,
            "group '%s': %zu of %zu solutions need more than %d evaluations; error metrics of their points are NaN",
            group->label, solution->unsolved, solution->table_count, SOLVE_EVALUATIONS);
        tables->say(line, tables->user);
    }
    return true;
}

static void *make_tables(void *argument)
{
    Tables *tables = argument;
    pthread_mutex_lock(&tables->mutex);
    for (size_t n = 0; n < tables->count && !tables->failed; ++n) {
        while (n >= tables->in_use + TABLES_HELD && !tables->stop)
            pthread_cond_wait(&tables->changed, &tables->mutex);
        if (tables->stop)
            break;
        Solution *solution = &tables->held[n % TABLES_HELD];
        Error     err;
        pthread_mutex_unlock(&tables->mutex);
        solution_free(solution);
        const bool solved = solve(tables, tables->groups[n], solution, &err);
        pthread_mutex_lock(&tables->mutex);
        if (!solved)
            tables->failure = err;
        tables->failed = !solved;
        tables->made += solved;
        pthread_cond_broadcast(&tables->changed);
    }
    pthread_mutex_unlock(&tables->mutex);
    return NULL;
}

// Gives each group the number of its solution; neighbours share one where it serves both.
static void number_groups(Tables *tables, const bool *wanted)
{
    for (size_t g = 0; g < tables->plan->group_count; ++g) {
        const Group *group = &tables->plan->groups[g];
        if (!wanted[g] || group->solution.rows == 0)
            continue;
        if (tables->count == 0 || !solution_serves(tables->groups[tables->count - 1], group))
            tables->groups[tables->count++] = group;
        tables->number[g] = tables->count - 1;
    }
}

bool tables_start(Tables *tables, const bool *wanted, Error *err)
{
    const size_t       groups = tables->plan->group_count;
    pthread_condattr_t attributes;
    tables->number = calloc(groups, sizeof *tables->number);
    tables->groups = calloc(groups, sizeof *tables->groups);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&tables->mutex, NULL);
    pthread_cond_init(&tables->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    if (!tables->number || !tables->groups)
        return fail(err, ERROR_INTERNAL, "out of memory");
    number_groups(tables, wanted);
    tables->started = tables->count > 0 && thread_start(&tables->thread, make_tables, tables, "solving", err);
    return tables->started || tables->count == 0;
}

bool tables_take(Tables *tables, size_t group, const volatile sig_atomic_t *signals, const Solution **solution,
                 Error *err)
{
    const size_t n = tables->number[group];
    bool         stopped = false;
    *solution = NULL;
    if (tables->plan->groups[group].solution.rows == 0)
        return true;
    pthread_mutex_lock(&tables->mutex);
    tables->in_use = n;
    pthread_cond_broadcast(&tables->changed);
    while (n >= tables->made && !tables->failed && !(stopped = signals && *signals)) {
        // A signal wakes nobody up: it is looked for ten times a second.
        struct timespec soon;
        clock_gettime(CLOCK_MONOTONIC, &soon);
        soon.tv_nsec += 100000000;
        soon.tv_sec += soon.tv_nsec / 1000000000;
        soon.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&tables->changed, &tables->mutex, &soon);
    }
    const bool made = n < tables->made;
    if (made)
        *solution = &tables->held[n % TABLES_HELD];
    else if (!stopped)
        *err = tables->failure;
    pthread_mutex_unlock(&tables->mutex);
    return made || (stopped ? fail(err, ERROR_STOPPED, "stopped by a signal") : false);
}

void tables_stop(Tables *tables)
{
    if (!tables->plan)
        return;
    if (tables->started) {
        pthread_mutex_lock(&tables->mutex);
        tables->stop = 1;
        pthread_cond_broadcast(&tables->changed);
        pthread_mutex_unlock(&tables->mutex);
        pthread_join(tables->thread, NULL);
    }
    for (size_t i = 0; i < TABLES_HELD; ++i)
        solution_free(&tables->held[i]);
    pthread_cond_destroy(&tables->changed);
    pthread_mutex_destroy(&tables->mutex);
    free(tables->number);
    free(tables->groups);
    *tables = (Tables){0};
}
