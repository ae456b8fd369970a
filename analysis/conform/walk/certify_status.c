// certify_status -- statuses and counters after a launch.
#include "analysis/conform/walk/certify_status.h"

#include "plan/breaks.h"
#include "reference/point.h"

#include <float.h>
#include <math.h>
#include <string.h>

void certify_status_records(const Group *group, bool *records)
{
    for (int record = 0; record < RECORD_COUNT; ++record) {
        records[record] = false;
        for (size_t i = 0; i < group->variable_count && group->method->unknown != UNKNOWN_NONE; ++i)
            records[record] = records[record] || variable_records(group, &group->variables[i], (Record)record);
    }
}

// Section "Failure" of the plan's keys: the budget is per step, rounded down over all steps; integers of a kernel are
// as wide as its numbers.
CertifyRules certify_status_rules(const Plan *plan, const Group *group, const bool *records, const double *numbers,
                                  uint64_t point)
{
    CertifyRules rules = {.group = group,
                          .single = plan->precision == PRECISION_SINGLE,
                          .h = point_input_number(plan, group_step(group, point)),
                          .steps = group_steps(group, point),
                          .records = records,
                          .numbers = numbers};
    const double most = rules.single ? 0x1p31 - 1.0 : 0x1p62;
    rules.budget = (uint64_t)fmin(floor(group->substeps.budget * (double)rules.steps), most);
    return rules;
}

bool certify_status_ended(const CertifyRules *rules, const WalkState *state)
{
    return state->status != STATUS_NOT_RUN || (uint64_t)state->step >= rules->steps;
}

// Whether the numbers of a state that a substep moves are all finite, and the sum of their sizes.
static bool all_finite(const CertifyRules *rules, const WalkState *state, double *sum)
{
    const size_t count = (2 + rules->group->method->state_count) * rules->group->dofs;
    bool         finite = true;
    *sum = 0.0;
    for (size_t i = 0; i < count; ++i) {
        finite = finite && isfinite(state->x[i]);
        *sum += fabs(state->x[i]);
    }
    return finite;
}

// Whether the breaks of a point are numbers: else it ends before its first step.
static bool has_breaks(const CertifyRules *rules)
{
    bool known = true;
    for (size_t i = 0; rules->numbers && i < rules->group->breaks->number_count; ++i)
        known = known && !isnan(rules->numbers[i]);
    return known;
}

const char *certify_status_begin(const CertifyRules *rules, const WalkState *state)
{
    static const WalkState none;
    double                 sum;
    const bool             finite = all_finite(rules, state, &sum) && has_breaks(rules);
    if (state->status != (finite ? STATUS_NOT_RUN : STATUS_NOT_FINITE))
        return "the status of a point that begins";
    if (state->step != 0 || state->index != 0 || state->level != 0)
        return "the place in time of a point that begins";
    if (memcmp(&state->n, &none.n, sizeof none.n) != 0)
        return "counters of a point that begins";
    return isnan(state->condition.last) && state->condition.largest == 0.0 && state->condition.log_sum == 0.0 &&
                   state->condition.product == 1.0
               ? NULL
               : "condition numbers of a point that begins";
}

const char *certify_status_rest(const CertifyRules *rules, const WalkState *before, const WalkState *after, size_t rows,
                                bool *tried)
{
    const Card   *method = rules->group->method;
    const int64_t spent = (method->unknown == UNKNOWN_NONE ? before->n.other_solves : before->n.updates) -
                          (rules->group->events ? (int64_t)before->spared : 0);
    const bool ended = certify_status_ended(rules, before),
               over = (method->unknown != UNKNOWN_NONE || method->adaptive) && (uint64_t)spent >= rules->budget;
    size_t changed = 0;
    *tried = !ended && !over;
    if (*tried)
        return after->status == STATUS_BUDGET_EXCEEDED ? "a budget that is not spent" : NULL;
    for (size_t i = 0; i < rows; ++i)
        changed += memcmp(&before->x[i], &after->x[i], sizeof(double)) != 0;
    if (ended)
        return changed > 0 ? "a point that moves after its end" : NULL;
    return after->status == STATUS_BUDGET_EXCEEDED && changed == 1 ? NULL : "a budget that is spent";
}

// The end of a solve by the status that it gave.
static SolveEnd end_of(int64_t status)
{
    return status == STATUS_SINGULAR     ? SOLVE_SINGULAR
           : status == STATUS_NOT_FINITE ? SOLVE_NOT_FINITE
           : status == STATUS_NOT_RUN    ? SOLVE_ACCEPTED
                                         : SOLVE_FAILED;
}

void certify_status_read(const CertifyRules *rules, CertificateSubstep *substep)
{
    const WalkState *before = &substep->before, *after = &substep->after;
    substep->accepted = after->n.failed_solves == before->n.failed_solves;
    substep->solved = rules->group->method->adaptive ? after->unsolved == before->unsolved : substep->accepted;
    substep->lost = substep->accepted && after->status == STATUS_NOT_FINITE;
    substep->end = substep->accepted ? SOLVE_ACCEPTED : end_of(after->status);
    substep->end_said = !substep->accepted && after->status != STATUS_NOT_RUN;
    substep->solves_said = !substep->accepted || substep->lost || before->level > 0 || rules->group->method->adaptive ||
                           substep->meets || piece_of(rules->group, rules->single, rules->h, before).cut;
    substep->counts = (CertificateCounts){
        .solves = (uint64_t)(after->n.other_solves - before->n.other_solves),
        .updates = (uint64_t)(after->n.updates - before->n.updates),
        .stagnated = (uint64_t)(after->n.stagnated_solves - before->n.stagnated_solves),
        .jacobians = (uint64_t)(after->n.jacobians - before->n.jacobians),
    };
    substep->conditions = rules->records[RECORD_CONDITION];
    substep->mean = rules->records[RECORD_CONDITION_MEAN];
}

// The length of an adaptive method's substep.
static double substep_size(const CertifyRules *rules, const WalkState *before)
{
    const StepPiece piece = piece_of(rules->group, rules->single, rules->h, before);
    return piece_substep(&piece, rules->single, before);
}

// The size from which on no smaller substep is tried.
static double least_size(const CertifyRules *rules, const WalkState *before)
{
    return fmax(rules->h * LEAST_OF_STEP(rules->single), before->reached * LEAST_OF_REACHED(rules->single));
}

// A substep that failed is halved until no halving is left, and of an adaptive method shortened to the
// least size; then it ends the point.
static const char *check_status(const CertifyRules *rules, const CertificateSubstep *substep)
{
    const WalkState *before = &substep->before, *after = &substep->after;
    const bool       adaptive = rules->group->method->adaptive;
    const int        most = rules->group->substeps.max_depth;
    const bool    bottom = adaptive ? substep_size(rules, before) <= least_size(rules, before) : before->level >= most;
    const int64_t failure = !adaptive && most == 0 ? STATUS_NEWTON_FAILED : STATUS_DEPTH_EXCEEDED;
    double        sum;
    const bool    finite = all_finite(rules, after, &sum);
    if (substep->meets)
        return finite && (after->status == STATUS_NOT_RUN || after->status == STATUS_CHATTER)
                   ? NULL
                   : "the status of a point at an event";
    if (substep->lost)
        return !finite || sum >= (rules->single ? FLT_MAX : DBL_MAX) * 0.5 ? NULL : "a state that is finite";
    if (substep->accepted && !finite)
        return "a state that is not finite and goes on";
    if (substep->accepted || !bottom)
        return after->status == STATUS_NOT_RUN ? NULL : "the status of a point that goes on";
    if (rules->group->method->unknown == UNKNOWN_NONE && after->status == STATUS_SINGULAR)
        return "a singular matrix of an explicit method";
    return after->status == failure || after->status == STATUS_NOT_FINITE || after->status == STATUS_SINGULAR
               ? NULL
               : "the status of a substep that cannot be halved";
}

const char *certify_status_passed(const CertifyRules *rules, const WalkState *after)
{
    double sum;
    return after->status == (all_finite(rules, after, &sum) ? STATUS_NOT_RUN : STATUS_NOT_FINITE)
               ? NULL
               : "the status of a point past a break";
}

const char *certify_status_check(const CertifyRules *rules, const CertificateSubstep *substep)
{
    const WalkState         *before = &substep->before, *after = &substep->after;
    const CertificateCounts *counts = &substep->counts;
    const Card              *method = rules->group->method;
    const bool               implicit = method->unknown != UNKNOWN_NONE, adaptive = method->adaptive;
    const StepPiece          piece = piece_of(rules->group, rules->single, rules->h, before);
    const bool               taken = substep->accepted && !substep->lost,
               whole =
                   taken && !substep->meets && piece.last && piece_arrives(rules->group, &piece, rules->single, before);
    const bool   mean = rules->records[RECORD_CONDITION_MEAN] && rules->group->dofs > 1;
    const double size = adaptive ? substep_size(rules, before) : 0.0;
    const double unsolved = after->unsolved - before->unsolved, forced = after->forced - before->forced;
    // An adaptive substep may be as long as its step.
    const bool    part = adaptive         ? substep->accepted && size < rules->h
                         : substep->meets ? substep->h < rules->h
                                          : (substep->accepted && before->level > 0) || (taken && piece.cut);
    const int64_t deepest = before->level > before->n.depth_max ? before->level : before->n.depth_max,
                  so_far = before->n.updates_this_step + (int64_t)counts->updates,
                  most = before->n.updates_per_step_max, now = after->n.updates_per_step_max,
                  larger = so_far > most ? so_far : most;
    // A step of one update need not count as the one of most updates; and where nobody asks for that number, no step
    // need.
    const bool may_skip = !whole || (before->level == 0 && !piece.cut &&
                                     (!rules->records[RECORD_STEP_UPDATES] || (method->stages == 1 && so_far == 1)));
    const struct {
        bool        wrong;
        const char *what;
    } counters[] = {
        {after->n.failed_solves - before->n.failed_solves != !substep->accepted, "failed_solves"},
        {after->n.substeps - before->n.substeps != part, "substeps"},
        {after->n.halved_steps - before->n.halved_steps !=
             (implicit && !adaptive && whole && (before->level > 0 || piece.cut)),
         "halved_steps"},
        {after->n.depth_max != (implicit ? deepest : 0), "depth_max"},
        {!implicit && (counts->updates || counts->stagnated || counts->jacobians || after->n.updates_this_step || now),
         "counters of solves, where there are none"},
        {!substep->solves_said && counts->solves != 0, "other_solves"},
        {!implicit && counts->solves != (adaptive || (substep->meets ? substep->met < rules->h : taken && !piece.last)),
         "the number of trials"},
        {unsolved != 0.0 && (unsolved != 1.0 || !implicit || substep->accepted), "the number of solves that failed"},
        {forced != 0.0 && (forced != 1.0 || !substep->accepted || size > least_size(rules, before)),
         "the number of substeps of the least size"},
        {implicit && after->n.updates_this_step != (whole ? 0 : so_far), "updates_this_step"},
        {implicit && now != (whole ? larger : most) && !(may_skip && now == most), "updates_per_step_max"},
        // Condition numbers that nobody asks for stay as they began.
        {!rules->records[RECORD_CONDITION] &&
             memcmp(&before->condition, &after->condition, sizeof before->condition) != 0,
         "condition numbers that are not kept"},
        {!mean && (after->condition.product != 1.0 || after->condition.log_sum != 0.0),
         "a mean condition number that is not kept"},
    };
    const char *wrong = check_status(rules, substep);
    for (size_t i = 0; !wrong && i < sizeof counters / sizeof *counters; ++i)
        wrong = counters[i].wrong ? counters[i].what : NULL;
    return wrong;
}
