// tables -- solves for one group after the other, at most one ahead.
#include "engine/tables.h"

#include "base/clock.h"
#include "reference/reference.h"

#include <stdio.h>

static bool solve(Tables *tables, size_t n, Solution *solution, Error *err)
{
    const Group           *group = tables->groups[n];
    const ReferenceOptions options = {.stop = &tables->stop, .needed = tables->needed[n]};
    const size_t           all = solution_tables(group);
    size_t                 count = 0;
    char                   line[256];
    for (size_t i = 0; i < all; ++i)
        count += tables->needed[n][i];
    snprintf(line, sizeof line, "group '%s': solving %zu problem points to compare with", group->label, count);
    tables->say(line, tables->user);
    if (!solve_group(tables->plan, group, &options, solution, err))
        return false;
    if (solution->unsolved) {
        snprintf(
            line, sizeof line,
            "group '%s': %zu of %zu solutions need more than %d evaluations; error metrics of their points are NaN",
            group->label, solution->unsolved, count, SOLVE_EVALUATIONS);
        tables->say(line, tables->user);
    }
    return true;
}

static void *make_tables(void *argument)
{
    Tables *tables = argument;
    pthread_mutex_lock(&tables->thread.mutex);
    for (size_t n = 0; n < tables->count && !tables->failed; ++n) {
        while (n >= TABLES_HELD && n - TABLES_HELD >= tables->in_use && !tables->stop)
            thread_wait(&tables->thread);
        if (tables->stop)
            break;
        // All may have gone beyond it.
        if (n < tables->in_use) {
            ++tables->made;
            continue;
        }
        Solution *solution = &tables->held[n % TABLES_HELD];
        Error     err;
        pthread_mutex_unlock(&tables->thread.mutex);
        solution_free(solution);
        const bool solved = solve(tables, n, solution, &err);
        pthread_mutex_lock(&tables->thread.mutex);
        if (!solved)
            tables->failure = err;
        tables->failed = !solved;
        tables->made += solved;
        pthread_cond_broadcast(&tables->thread.changed);
    }
    pthread_mutex_unlock(&tables->thread.mutex);
    return NULL;
}

// Gives each group the number of its solution; neighbours use the same one where it serves both.
static void number_groups(Tables *tables, bool *const *needed)
{
    for (size_t g = 0; g < tables->plan->group_count; ++g) {
        const Group *group = &tables->plan->groups[g];
        if (!needed[g])
            continue;
        if (tables->count == 0 || !solution_serves(tables->groups[tables->count - 1], group)) {
            tables->needed[tables->count] = needed[g];
            tables->groups[tables->count++] = group;
        }
        tables->number[g] = tables->count - 1;
        bool *all = tables->needed[tables->number[g]];
        for (size_t i = 0; i < solution_tables(group); ++i)
            all[i] = all[i] || needed[g][i];
    }
}

bool tables_start(Tables *tables, bool *const *needed, size_t users, Error *err)
{
    const size_t groups = tables->plan->group_count;
    tables->number = arena_take(&tables->arena, groups, sizeof *tables->number, err);
    tables->groups = arena_take(&tables->arena, groups, sizeof *tables->groups, err);
    tables->needed = arena_take(&tables->arena, groups, sizeof *tables->needed, err);
    if (!tables->number || !tables->groups || !tables->needed)
        return false;
    for (size_t user = users; user < TABLES_USERS; ++user)
        tables->at[user] = SIZE_MAX;
    number_groups(tables, needed);
    return tables->count == 0 || thread_begin(&tables->thread, make_tables, tables, "solving", err);
}

// Called with the mutex held.
static void move_user(Tables *tables, size_t user, size_t n)
{
    tables->at[user] = n;
    tables->in_use = SIZE_MAX;
    for (size_t i = 0; i < TABLES_USERS; ++i)
        tables->in_use = tables->at[i] < tables->in_use ? tables->at[i] : tables->in_use;
    pthread_cond_broadcast(&tables->thread.changed);
}

void tables_leave(Tables *tables, size_t user)
{
    if (!tables->thread.started)
        return;
    pthread_mutex_lock(&tables->thread.mutex);
    move_user(tables, user, SIZE_MAX);
    pthread_mutex_unlock(&tables->thread.mutex);
}

bool tables_take(Tables *tables, size_t user, size_t group, const volatile sig_atomic_t *signals,
                 const Solution **solution, Error *err)
{
    const size_t n = tables->number[group];
    bool         stopped = false;
    *solution = NULL;
    if (tables->plan->groups[group].solution.rows == 0)
        return true;
    pthread_mutex_lock(&tables->thread.mutex);
    move_user(tables, user, n);
    // A signal wakes nobody up: it is looked for ten times a second.
    while (n >= tables->made && !tables->failed && !(stopped = signals && *signals))
        thread_wait_until(&tables->thread, clock_seconds() + 0.1);
    const bool made = n < tables->made;
    if (made)
        *solution = &tables->held[n % TABLES_HELD];
    else if (!stopped)
        *err = tables->failure;
    pthread_mutex_unlock(&tables->thread.mutex);
    return made || (stopped ? fail(err, ERROR_STOPPED, "stopped by a signal") : false);
}

void tables_stop(Tables *tables)
{
    if (!tables->plan)
        return;
    tables->stop = 1;
    thread_end(&tables->thread);
    for (size_t i = 0; i < TABLES_HELD; ++i)
        solution_free(&tables->held[i]);
    arena_free(&tables->arena);
    *tables = (Tables){0};
}
