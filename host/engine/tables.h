// tables -- thread that makes the solutions of error metrics, one ahead of the groups that need them.
#pragma once

#include "base/thread.h"
#include "plan/solution.h"

#include <signal.h>
#include <stdint.h>

// Two solutions are held at most: the one in use and the next. Users go through the groups side by side: one that is
// ahead by a solution waits for the others.
enum { TABLES_HELD = 2, TABLES_USERS = 64 };

typedef struct Tables {
    const Plan *plan;                           // borrowed
    void (*say)(const char *line, void *user);  // one line for the log
    void                 *user;
    size_t               *number;  // [plan->group_count] of the solution that serves a group
    const Group         **groups;  // [count] solution n is made for
    bool                **needed;  // [count] -> [tables of the solution] tables that its groups' points compare with
    size_t                count;
    volatile sig_atomic_t stop;
    Thread                thread;             // its mutex guards the members below
    Solution              held[TABLES_HELD];  // solution n in n % TABLES_HELD
    size_t                made, in_use;       // solutions 0..made - 1 were made; 0..in_use - 1 are needed no more
    size_t                at[TABLES_USERS];   // solution of each user, the least of which is in_use; SIZE_MAX: it left
    bool                  failed;
    Error                 failure;
    Arena                 arena;
} Tables;

// Starts to make the solutions of the groups that need one. The fields plan to user are set by the caller, the others
// zero.
//   needed  [plan->group_count] -> [solution_tables()] which tables a group's points compare with; NULL: the group will
//           not be run, or needs none. Borrowed until tables_stop(); groups of one solution are united in the first
//   users   how many, at most TABLES_USERS
// Errors: ERROR_INTERNAL.
bool tables_start(Tables *tables, bool *const *needed, size_t users, Error *err);

// The solution of a wanted group for a user, waiting for it; NULL where the group needs none. A user asks for groups in
// their order; a solution is valid until it asks for one of another group.
//   signals  number of stop signals so far, or NULL
// Errors: ERROR_STOPPED (a signal), those of solve_group().
bool tables_take(Tables *tables, size_t user, size_t group, const volatile sig_atomic_t *signals,
                 const Solution **solution, Error *err);

// A user that asks for no more.
void tables_leave(Tables *tables, size_t user);

// Ends the thread, also in the midst of its work, and frees all. Safe on a zeroed struct.
void tables_stop(Tables *tables);
