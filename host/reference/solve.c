// solve -- tables sampled from tightly solved motions, one by one on all cores.
#include "reference/crew.h"
#include "reference/point.h"
#include "reference/reference.h"
#include "reference/tight.h"

#include <math.h>
#include <string.h>

// Common data of the threads.
typedef struct Solving {
    const Plan             *plan;
    const Group            *group;
    const ReferenceProblem *problem;
    const ReferenceOptions *options;
    Solution               *solution;
    atomic_size_t           unsolved;
} Solving;

// A motion that is sampled into one column of a table, or into as many as it has degrees of freedom.
typedef struct Track {
    Tight  tight;
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
    size_t column, width;
    bool   lost;  // the solver gave up: NaN from here on
} Track;

static size_t start_tracks(const Solving *solving, const void *params, Track tracks[2])
{
    const ReferenceProblem *problem = solving->problem;
    size_t                  count = 0, column = 0;
    if (solving->group->solution.x) {
        Track *track = &tracks[count++];
        *track = (Track){.tight = {.n = problem->dofs, .acceleration = problem->acceleration}, .width = problem->dofs};
        problem->initial_state(params, track->x, track->v);
        track->tight.first_order = problem->first_order;
        if (problem->first_order)
            memcpy(track->v, track->x, sizeof track->v);
        column = problem->dofs;
    }
    if (solving->group->solution.limit) {
        Track *track = &tracks[count++];
        *track = (Track){.tight = {.n = 1, .acceleration = problem->limit_acceleration}, .column = column, .width = 1};
        problem->limit_start(params, track->x, track->v);
    }
    for (size_t i = 0; i < count; ++i) {
        tracks[i].tight.params = params;
        tracks[i].tight.most = SOLVE_EVALUATIONS;
    }
    return count;
}

// False where the user asked to stop.
static bool fill_table(Solving *solving, size_t table, const void *params)
{
    const Group   *group = solving->group;
    const uint64_t point = solution_point(group, table), steps = group_steps(group, point),
                   every = solution_every(steps), samples = solution_samples(steps);
    const double h = point_input_number(solving->plan, group_step(group, point));
    const double begin = point_input_number(solving->plan, group_begin(group, point));
    Track        tracks[2];
    size_t       count = start_tracks(solving, params, tracks);
    double      *row = solving->solution->numbers + solving->solution->first[table] * group->solution.rows, t = begin;
    for (uint64_t k = 0; k < samples; ++k, row += group->solution.rows) {
        const double to = (double)(k + 1 < samples ? k * every : steps) * h + begin;
        if (solving->options->stop && *solving->options->stop)
            return false;
        for (size_t i = 0; i < count; ++i) {
            Track *track = &tracks[i];
            if (track->tight.first_order)
                memset(track->x, 0, sizeof track->x);
            track->lost = track->lost || (k > 0 && !tight_advance(&track->tight, t, to, track->x, track->v));
            const double *state = track->tight.first_order ? track->v : track->x;
            for (size_t d = 0; d < track->width; ++d)
                row[track->column + d] = track->lost ? (double)NAN : state[d];
        }
        t = to;
    }
    bool lost = false;
    for (size_t i = 0; i < count; ++i)
        lost = lost || tracks[i].lost;
    atomic_fetch_add(&solving->unsolved, lost);
    return true;
}

static bool fill_tables(Crew *crew, void *shared, Error *err)
{
    Solving *solving = shared;
    Arena    arena = {0};
    void    *params = arena_take(&arena, 1, solving->problem->params_bytes, err);
    double  *values = arena_take(&arena, solving->group->problem->parameter_count, sizeof *values, err);
    bool     ok = params && values;
    point_give_curves(solving->problem, solving->group->problem, params);
    size_t table;
    while (ok && crew_next(crew, &table)) {
        if (solving->options->needed && !solving->options->needed[table])
            continue;
        point_parameters(solving->plan, solving->group, solution_point(solving->group, table), values);
        solving->problem->load(params, values);
        ok = fill_table(solving, table, params) || fail(err, ERROR_STOPPED, "stopped");
    }
    arena_free(&arena);
    return ok;
}

bool solve_group(const Plan *plan, const Group *group, const ReferenceOptions *options, Solution *solution, Error *err)
{
    *solution = (Solution){.group = group};
    if (group->solution.rows == 0)
        return true;
    const ReferenceProblem *problem = point_problem(group->problem, group->dofs, err);
    if (!problem)
        return within(err, "error metrics compare with a solution made on the host");
    if (!solution_make(group, solution, err))
        return false;
    Solving solving = {.plan = plan, .group = group, .problem = problem, .options = options, .solution = solution};
    Crew crew = {.threads = options->threads, .count = solution->table_count, .work = fill_tables, .shared = &solving};
    const bool ok = crew_run(&crew, err);
    solution->unsolved = atomic_load(&solving.unsolved);
    if (!ok)
        solution_free(solution);
    return ok;
}
