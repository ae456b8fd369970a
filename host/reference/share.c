// share -- steps solved again, and in halves.
#include "reference/share.h"

#include "reference/point.h"

#include <float.h>
#include <math.h>

// An adaptive method may take any number of substeps in a step. Its walk ends after UPDATES times the steps that are
// asked for.
enum { POINTS = 8, STEPS = 32, UPDATES = 8, WIDE = 2 * REFERENCE_DOFS };

// Sums over the steps that were looked at, of x, then of v.
typedef struct Shares {
    const PointRun *run;
    uint64_t        every;  // steps from one that is looked at to the next
    uint64_t        steps;  // looked at
    double          solver[WIDE], method[WIDE], rounding[WIDE];
} Shares;

// Rules by which a step is solved as far as rounding lets it, in any units.
static NewtonRules tight_rules(const Step *step)
{
    NewtonRules rules = *step->rules;
    rules.relative = true;
    rules.tolerance *= 0x1p-30;
    rules.floor_guard = true;
    rules.modified = false;
    rules.max_updates += 20;
    rules.conditions = false;
    rules.jacobian = step->problem->jacobian ? JACOBIAN_ANALYTIC : rules.jacobian;
    return rules;
}

static bool solve(Step step, State *next)
{
    const NewtonRules rules = tight_rules(&step);
    Tally             tally = {.condition_last = NAN, .condition_max = NAN};
    step.rules = &rules;
    return stepping_step(step, &tally, next) == SOLVE_ACCEPTED;
}

// Two steps of half the length. The point before the first is at the whole spacing, which not every start can use.
static bool solve_halves(const Step *step, bool keeps_history, State *next)
{
    State begin, middle;
    Step  half = *step;
    step_copy_state(step->problem->dofs, &begin, step->now);
    begin.earlier_count = 0;
    half.now = &begin;
    half.h = 0.5 * step->h;
    half.previous = keeps_history ? step->previous : NULL;
    if (!solve(half, &middle))
        return false;
    middle.earlier_count = 0;
    half.t += half.h;
    half.now = &middle;
    half.previous = step->method->history ? &begin : NULL;
    half.spacing = half.h;
    return solve(half, next);
}

static void add(Shares *shares, size_t i, double taken, double solved, double halves)
{
    shares->solver[i] += fabs(taken - solved);
    shares->method[i] += fabs(halves - solved);
    shares->rounding[i] += 16.0 * DBL_EPSILON * fabs(solved);
}

// Whether a substep is looked at. Of those of an adaptive method the first STEPS are, and then every STEPS-th.
static bool chosen(const Shares *shares, const SteppingSight *sight)
{
    const uint64_t taken = sight->stepping->substeps;
    if (!sight->step || !sight->accepted)
        return false;
    return shares->run->method->adaptive ? taken < STEPS || taken % STEPS == 0 : sight->number % shares->every == 0;
}

static void see(const SteppingSight *sight, void *user)
{
    Shares      *shares = user;
    const size_t n = shares->run->problem->dofs;
    State        solved, halves;
    if (!chosen(shares, sight) || !solve(*sight->step, &solved) ||
        !solve_halves(sight->step, sight->stepping->keeps_history, &halves))
        return;
    ++shares->steps;
    for (size_t i = 0; i < n; ++i) {
        add(shares, i, sight->next->x[i], solved.x[i], halves.x[i]);
        add(shares, n + i, sight->next->v[i], solved.v[i], halves.v[i]);
    }
}

// Follows a point over its first steps.
//   updates  the most that an adaptive method makes
static void follow(PointRun *run, uint64_t point, uint64_t steps, uint64_t updates)
{
    NewtonRules rules;
    Stepping    stepping;
    State       state = {0}, previous = {0};
    point_begin(run, point, &rules, &stepping);
    rules.conditions = false;
    if (run->method->adaptive && stepping.update_budget > updates)
        stepping.update_budget = updates;
    run->problem->initial_state(run->params, state.x, state.v);
    stepping_start(&stepping, &state);
    while (stepping.steps < steps) {
        State start;
        step_copy_state(run->problem->dofs, &start, &state);
        if (!stepping_advance(&stepping, stepping.steps > 0 ? &previous : NULL, &state))
            break;
        step_copy_state(run->problem->dofs, &previous, &start);
    }
}

// Differences within rounding count neither for the solver nor for the method.
static void take_largest(const Shares *shares, uint64_t point, SolverShare *share)
{
    const size_t n = shares->run->problem->dofs;
    for (size_t i = 0; i < 2 * n; ++i) {
        const double of = fmax(shares->method[i], shares->rounding[i]),
                     part = shares->solver[i] > shares->rounding[i] ? shares->solver[i] / of : 0.0;
        if (shares->steps > 0 && !(part <= share->share)) {
            share->share = part;
            share->point = point;
            share->dof = i % n;
            share->velocity = i >= n && !shares->run->problem->first_order;
        }
    }
}

static void look_at(PointRun *run, uint64_t point, uint64_t most, SolverShare *share)
{
    const uint64_t      all = group_steps(run->batch->group, point), steps = all < most ? all : most;
    Shares              shares = {.run = run, .every = steps > STEPS ? steps / STEPS : 1};
    const SteppingWatch watch = {.see = see, .user = &shares};
    run->watch = &watch;
    follow(run, point, steps, UPDATES * most);
    share->steps += shares.steps;
    ++share->points;
    take_largest(&shares, point, share);
}

static bool solves(const Plan *plan, const Group *group)
{
    return plan->precision == PRECISION_DOUBLE && group->method->unknown != UNKNOWN_NONE &&
           group->method->solver != SOLVER_LINEARISED && group->method->solver != SOLVER_ROSENBROCK;
}

bool share_measure(const Plan *plan, const Group *group, uint64_t most, const volatile sig_atomic_t *stop,
                   SolverShare *share, Error *err)
{
    const uint64_t count = group->point_count < POINTS ? group->point_count : POINTS;
    const Batch    batch = batch_make(group, 0, group->block_count);
    PointRun       run = {0};
    *share = (SolverShare){.share = NAN};
    if (!solves(plan, group) || count == 0)
        return true;
    const bool ok = point_make(plan, &batch, stop, NULL, &run, err);
    for (uint64_t k = 0; ok && k < count && !(stop && *stop); ++k)
        look_at(&run, (2 * k + 1) * group->point_count / (2 * count), most / count, share);
    point_free(&run);
    return ok && (!(stop && *stop) || fail(err, ERROR_STOPPED, "stopped"));
}
