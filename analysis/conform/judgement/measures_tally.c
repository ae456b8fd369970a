// measures_tally -- sums over substeps.
#include "analysis/conform/judgement/measures_tally.h"

#include "analysis/conform/judgement/piece.h"
#include "plan/events.h"

#include <string.h>

// How far counters moved within a substep.
typedef struct Moved {
    int64_t updates, solves, jacobians, stagnated;
    bool    accepted, lost;  // lost: accepted, and led to a state that is not finite
    bool    solved;          // all solves were accepted
} Moved;

static Moved find_moved(const Group *group, const WalkState *before, const WalkState *after)
{
    const bool accepted = after->n.failed_solves == before->n.failed_solves;
    return (Moved){.updates = after->n.updates - before->n.updates,
                   .solves = after->n.other_solves - before->n.other_solves,
                   .jacobians = after->n.jacobians - before->n.jacobians,
                   .stagnated = after->n.stagnated_solves - before->n.stagnated_solves,
                   .accepted = accepted,
                   .lost = accepted && after->status == STATUS_NOT_FINITE,
                   .solved = group->method->adaptive ? after->unsolved == before->unsolved : accepted};
}

static bool between(int64_t number, int64_t least, int64_t most)
{
    return number >= least && number <= most;
}

// A substep smaller than its step: an adaptive method ends a step exactly, whatever it proposed.
static bool is_part(const Group *group, bool single, double h, const StepPiece *piece, const WalkState *before)
{
    return group->method->adaptive ? piece_substep(piece, single, before) < h : before->level > 0 || piece->cut;
}

// Where the kernel counts nothing of its own - plain steps, a matrix with every update - the method's card says how
// many there are.
static void add_solves(MeasuresTally *tally, const Group *group, bool part, const Moved *moved)
{
    const int64_t stages = group->method->stages;
    const bool    modified = group->newton.modified,
               plain = moved->accepted && !moved->lost && !part && !group->method->adaptive;
    const int64_t tried = moved->solved ? stages : moved->solves;
    const bool    solves = plain           ? moved->solves == 0
                           : moved->solved ? moved->solves == stages
                                           : between(moved->solves, 1, stages);
    const bool    once = group->method->solver == SOLVER_ROSENBROCK;
    const bool    jacobians = once            ? moved->jacobians == 1
                              : modified      ? between(moved->jacobians, moved->solved ? stages : 0, stages)
                              : moved->solved ? moved->jacobians == 0
                                              : between(moved->jacobians, 0, 1);
    if (!solves)
        tally->wrong = "residual_evaluations: solves of a substep";
    if (!jacobians)
        tally->wrong = "jacobians: those of a substep";
    if (!between(moved->updates, moved->solved ? stages : 0, INT64_MAX))
        tally->wrong = "updates: fewer than solves";
    if (!between(moved->stagnated, 0, stages))
        tally->wrong = "stagnated_solves: more than solves";
    tally->solves += (uint64_t)tried;
    tally->accepted += (uint64_t)(moved->solved ? tried : tried - 1);
    tally->updates += (uint64_t)moved->updates;
    tally->step_updates += (uint64_t)moved->updates;
    tally->jacobians += (uint64_t)(modified ? moved->jacobians : moved->updates + moved->jacobians);
    tally->stagnated += (uint64_t)moved->stagnated;
}

static long double logs_of(const WalkState *state)
{
    return (long double)state->condition.log_sum + logl(state->condition.product);
}

// The sum of the logarithms of the condition numbers of accepted solves. Of a substep of one solve that is the number
// the kernel shows. Of more, the last one is shown, and the earlier ones lie between 1 and the largest; the kernel's
// product gives them together.
static void add_logs(MeasuresTally *tally, const Group *group, Roundoff u, const Moved *moved, const WalkState *before,
                     const WalkState *after)
{
    const int64_t     earlier = (moved->solved ? group->method->stages : moved->solves) - 1;
    const long double last = moved->solved ? logl(after->condition.last) : 0.0L;
    // A factor of the product is rounded; where the logarithm takes it in, that is too, and the sum, at most once a
    // solve.
    const bool        taken = after->condition.log_sum != before->condition.log_sum;
    const long double off =
        (long double)(earlier + 1) * u + (taken ? 3.0L * u * fabsl(logl(before->condition.product)) +
                                                      (long double)(earlier + 1) * u * fabsl(after->condition.log_sum)
                                                : 0.0L);
    const long double sum = earlier > 0 ? logs_of(after) - logs_of(before) : last;
    const long double room = off + 64.0L * (long double)(earlier * (int64_t)group->dofs) * u;
    const long double most = last + (long double)earlier * logl(after->condition.largest);
    if (earlier > 0 && after->condition.largest < INFINITY && !(sum >= last - room && sum <= most + room))
        tally->wrong = "condition_mean: a product of condition numbers";
    tally->logs.at += sum;
    tally->logs.off += off;
}

static void add_condition(MeasuresTally *tally, const WalkState *before, const WalkState *after, const Moved *moved)
{
    if (after->condition.largest < before->condition.largest ||
        (moved->solved && after->condition.largest < after->condition.last))
        tally->wrong = "condition_max: smaller than a condition number";
    tally->last = after->condition.last;
    tally->largest = after->condition.largest;
}

static void end_step(MeasuresTally *tally)
{
    tally->most_updates = tally->step_updates > tally->most_updates ? tally->step_updates : tally->most_updates;
    tally->step_updates = 0;
}

// Whether a try that looks for an event is shorter than a step.
static bool sought_is_part(const StepPiece *piece, double h)
{
    return piece->sought < h;
}

void measures_tally_see(MeasuresTally *tally, const Group *group, Roundoff u, double h, bool mean,
                        const WalkState *before, const WalkState *after)
{
    if (!before) {
        tally->last = after->condition.last;
        tally->largest = after->condition.largest;
        return;
    }
    const bool implicit = group->method->unknown != UNKNOWN_NONE, adaptive = group->method->adaptive,
               single = u > 0x1p-40L;
    const Moved     moved = find_moved(group, before, after);
    const StepPiece piece = piece_of(group, single, h, before);
    const bool      part = is_part(group, single, h, &piece, before), taken = moved.accepted && !moved.lost;
    if (after->status == STATUS_BUDGET_EXCEEDED) {
        if (memcmp(&after->n, &before->n, sizeof after->n) != 0)
            tally->wrong = "a counter that moved after the budget was spent";
        return;
    }
    tally->steps += after->step > before->step;
    if (piece.over || (group->events && before->high < 0.0)) {
        if (group->events && before->high < 0.0 && (adaptive ? before->reached : before->begun) >= h)
            end_step(tally);
        return;
    }
    const bool held = group->events && moved.accepted && after->high > 0.0,
               meets = group->events && before->high >= 0.0 && after->high < 0.0;
    ++tally->tries;
    tally->taken += taken;
    tally->failed += !moved.accepted;
    tally->stagnated += (uint64_t)(after->forced - before->forced);
    tally->substeps += meets  ? (adaptive ? part : sought_is_part(&piece, h))
                       : held ? 0
                              : part && (taken || (moved.accepted && (adaptive || before->level > 0)));
    if (implicit) {
        add_solves(tally, group, part || held || meets, &moved);
        add_condition(tally, before, after, &moved);
        if (mean && group->dofs > 1)
            add_logs(tally, group, u, &moved, before, after);
        if (!moved.lost && (uint64_t)before->level > tally->depth)
            tally->depth = (uint64_t)before->level;
    }
    if (taken && !held && !meets && piece.last && piece_arrives(group, &piece, single, before))
        end_step(tally);
}

static uint64_t residuals(const MeasuresTally *tally, const Group *group)
{
    // Differences of linear stages are by x and by v, and by three times besides.
    const bool   once = group->method->solver == SOLVER_ROSENBROCK;
    const size_t columns = (once && !group->problem->first_order ? 2 : 1) * group_differences(group),
                 each = group->newton.jacobian == JACOBIAN_CENTRAL   ? 2 * columns
                        : group->newton.jacobian == JACOBIAN_FORWARD ? columns
                                                                     : 0;
    if (once)
        return tally->updates + (each + 3) * tally->jacobians;
    return tally->solves + tally->updates + each * tally->jacobians;
}

static uint64_t evaluations(const MeasuresTally *tally, const Group *group)
{
    const Card *method = group->method;
    if (method->unknown != UNKNOWN_NONE)
        return residuals(tally, group);
    return (uint64_t)method->evaluations * (method->adaptive ? tally->tries : tally->taken);
}

// exp of the mean logarithm. The kernel adds the product's logarithm, divides and takes the exponential, which is
// within 1.2 units in the last place.
static Expected mean_condition(const MeasuresTally *tally, Roundoff u)
{
    if (tally->accepted == 0)
        return gauge_nan("condition_mean, of no solve");
    const Ball sum = ball_rounded(u, tally->logs.at, tally->logs.off + 3.0L * u * 745.0L),
               mean = ball_div(u, sum, ball((long double)tally->accepted));
    const long double at = expl(mean.at);
    return gauge_number((Ball){at, at * (expm1l(mean.off) + 3.0L * u)},
                        "condition_mean = exp(mean ln condition of accepted solves)");
}

bool measures_tally_expect(const MeasuresTally *tally, const Group *group, Roundoff u, const char *result,
                           Expected *expected)
{
    const struct {
        const char *name;
        uint64_t    number;
        const char *formula;
    } counts[] = {
        {"steps", tally->steps, "steps, of the walk"},
        {"substeps", tally->substeps, "substeps, of the walk"},
        {"updates", tally->updates, "updates, summed over substeps"},
        {"updates_per_step_max", tally->most_updates, "updates_per_step_max, summed over each step's substeps"},
        {"jacobians", tally->jacobians, "jacobians = updates + singular ones, or solves where modified"},
        {"residual_evaluations", residuals(tally, group), "residual_evaluations = solves + updates + differences"},
        {"evaluations", evaluations(tally, group), "evaluations, of residuals or of steps"},
        {"failed_solves", tally->failed, "failed_solves, of the walk"},
        {"stagnated_solves", tally->stagnated, "stagnated_solves, summed over substeps"},
        {"depth_max", tally->depth, "depth_max, of the walk"},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        if (strcmp(result, counts[i].name) == 0) {
            *expected = gauge_number(ball((long double)counts[i].number), counts[i].formula);
            return true;
        }
    const bool none = group->method->unknown == UNKNOWN_NONE;
    if (strcmp(result, "condition_mean") == 0)
        *expected = none ? gauge_nan("condition_mean, of an explicit method") : mean_condition(tally, u);
    else if (strcmp(result, "condition_last") == 0)
        *expected = none || isnan(tally->last) ? gauge_nan("condition_last, of no solve")
                                               : gauge_number(ball(tally->last), "condition_last, of the last solve");
    else if (strcmp(result, "condition_max") == 0)
        *expected = none || !(tally->largest > 0.0) ? gauge_nan("condition_max, of no solve")
                                                    : gauge_number(ball(tally->largest), "condition_max, of the walk");
    else
        return false;
    return true;
}
