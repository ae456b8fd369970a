// counts -- ways in which the solves of a substep may have ended, compared with the kernel's counters.
#include "analysis/conform/certificate/demand.h"

#include "analysis/conform/certificate/updates.h"

#include <math.h>

// A way in which the solves of a substep may have ended. The least and the most number of its solves that ended at the
// rounding floor.
typedef struct CountedWay {
    SolveEnd end;
    uint64_t solves, updates, stagnated[2], jacobians;
    uint64_t each[CERTIFICATE_SOLVES];  // updates of each solve
} CountedWay;

// Condition numbers of a way: of the last Jacobian, the largest, and the product of the accepted solves'.
enum { LAST, LARGEST, PRODUCT, CONDITIONS };

// The search and its result: the way that agrees with the most demands.
typedef struct Counting {
    Judge      *judge;
    int         best;  // how many of them
    bool        found;
    bool        other;                      // another number of updates is possible too
    long double conditions[CONDITIONS][2];  // of the ways that agree with all, at least and most
} Counting;

static const char *const demands[] = {"whether a solve fails",
                                      "the number of updates",
                                      "why a solve failed",
                                      "the number of solves",
                                      "solves that ended at the rounding floor",
                                      "the number of Jacobians"};
enum { DEMANDS = sizeof demands / sizeof *demands };

// As many of the demands as a way agrees with, up to the first with which it does not.
static int agreement(const CertificateSubstep *substep, const CountedWay *way)
{
    const CertificateCounts *counts = &substep->counts;

    const bool agrees[DEMANDS] = {(way->end == SOLVE_ACCEPTED) == substep->solved,
                                  way->updates == counts->updates,
                                  !substep->end_said || substep->solved || way->end == substep->end,
                                  !substep->solves_said || way->solves == counts->solves,
                                  counts->stagnated >= way->stagnated[0] && counts->stagnated <= way->stagnated[1],
                                  way->jacobians == counts->jacobians};
    int        kept = 0;
    while (kept < DEMANDS && agrees[kept])
        ++kept;
    return kept;
}

// Widens the ranges of the condition numbers by a way's.
static void add_conditions(Counting *counting, const CountedWay *way)
{
    const Judge *judge = counting->judge;
    const bool   modified = judge->substep->newton->modified;
    long double  own[CONDITIONS][2] = {[PRODUCT] = {1.0L, 1.0L}};
    for (size_t s = 0; s < way->solves; ++s) {
        const bool     accepted = way->end == SOLVE_ACCEPTED || s + 1 < way->solves;
        const bool     begun = way->each[s] > 0 || way->end != SOLVE_NOT_FINITE || s + 1 < way->solves;
        const uint64_t made = modified ? begun : way->each[s] + (!accepted && way->end == SOLVE_SINGULAR);
        for (uint64_t k = 0; k < made; ++k) {
            const bool         known = k < UPDATES_RECORDED;
            const UpdateRecord record = judge->solves[s].records[known ? k : 0];
            const long double  bounds[] = {known ? record.condition[0] : 1.0L, known ? record.condition[1] : INFINITY};
            for (int end = 0; end < 2; ++end) {
                own[LARGEST][end] = larger_of(own[LARGEST][end], bounds[end]);
                own[LAST][end] = accepted && k + 1 == made ? bounds[end] : own[LAST][end];
            }
        }
        for (int end = 0; end < 2; ++end)
            own[PRODUCT][end] *= accepted ? own[LAST][end] : 1.0L;
    }
    for (int i = 0; i < CONDITIONS; ++i) {
        long double *all = counting->conditions[i];
        all[0] = counting->found ? smaller_of(all[0], own[i][0]) : own[i][0];
        all[1] = counting->found ? larger_of(all[1], own[i][1]) : own[i][1];
    }
}

static void try_way(Counting *counting, const CountedWay *way)
{
    const int kept = agreement(counting->judge->substep, way);
    counting->best = kept > counting->best ? kept : counting->best;
    counting->other = counting->other || way->updates != counting->judge->substep->counts.updates;
    if (kept < DEMANDS)
        return;
    if (counting->judge->substep->conditions)
        add_conditions(counting, way);
    counting->found = true;
}

// Tries the ways on which a solve ends after the solves before it, which were accepted.
static void try_solve(Counting *counting, const CountedWay *before, size_t number)
{
    const Judge *judge = counting->judge;
    const bool   modified = judge->substep->newton->modified;
    // Linear stages have the matrix of the first, which is made in any case.
    const bool once = judge->substep->method->solver == SOLVER_ROSENBROCK;
    if (number >= CERTIFICATE_SOLVES || number >= judge->solve_count) {
        counting->other = true;
        return;
    }
    const Updates *solve = &judge->solves[number];
    const bool     last = number + 1 == (size_t)judge->substep->method->stages;
    for (size_t i = 0; i < solve->failure_count; ++i) {
        CountedWay way = *before;
        way.end = solve->failures[i].end;
        way.solves += 1;
        way.each[number] = solve->failures[i].updates;
        way.updates += way.each[number];
        if (!once || number == 0)
            way.jacobians +=
                modified ? once || way.end != SOLVE_NOT_FINITE || way.each[number] > 0 : way.end == SOLVE_SINGULAR;
        try_way(counting, &way);
    }
    counting->other = counting->other || solve->more;
    for (uint64_t k = solve->least; solve->accepted && k <= solve->most; ++k) {
        CountedWay way = *before;
        bool       tolerance, at_floor;
        if (!updates_may_end(solve, k, &tolerance, &at_floor))
            continue;
        way.end = SOLVE_ACCEPTED;
        way.solves += 1;
        way.each[number] = k;
        way.updates += k;
        way.stagnated[0] += !tolerance;
        way.stagnated[1] += at_floor;
        way.jacobians += modified && (!once || number == 0);
        if (last)
            try_way(counting, &way);
        else
            try_solve(counting, &way, number + 1);
    }
}

// Demands that the kernel's number is within bounds. Without a bound above, it may have overflowed.
static void demand(Judge *judge, const char *equation, double kernel, long double least, long double most)
{
    if (!(kernel >= least && kernel <= most) && !(isnan(kernel) && most == INFINITY))
        equations_fail(judge, equation, kernel, kernel < least ? least : most);
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

// Demands the consequences of the last condition number where a substep has one solve. The product of condition numbers
// is kept as long as it is a number; its last value then goes into a sum of logarithms, and it begins again.
static void judge_kept(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const WalkState          *before = &substep->before, *after = &substep->after;
    const double              last = after->condition.last, now = after->condition.largest;
    if (substep->method->stages > 1)
        return;
    const double largest = fmax(before->condition.largest, last);
    if (substep->counts.jacobians == 1 ? !same(now, largest) : now < largest)
        equations_fail(judge, "the largest condition number", now, largest);
    if (!substep->mean || judge->n == 1 || substep->reference)
        return;
    const double all = before->condition.product * last, product = judge->u < 0x1p-40L ? all : (double)(float)all;
    const bool   full = !(fabsl((long double)product) <= equations_limit(judge));
    if (!same(after->condition.product, full ? last : product))
        equations_fail(judge, "the product of condition numbers", after->condition.product, full ? last : product);
    if (!full && !same(after->condition.log_sum, before->condition.log_sum))
        equations_fail(judge, "a sum of logarithms that must not change", after->condition.log_sum,
                       before->condition.log_sum);
}

static long double logs_of(const WalkState *state)
{
    return state->condition.log_sum + logl(state->condition.product);
}

static void judge_mean(Judge *judge, const Counting *counting, bool changes)
{
    const WalkState  *was = &judge->substep->before, *now = &judge->substep->after;
    const long double before = logs_of(was), after = logs_of(now);
    // A product that has overflowed stays infinite, whatever is multiplied.
    if (!changes) {
        if (isfinite(was->condition.product) && (!same(was->condition.log_sum, now->condition.log_sum) ||
                                                 !same(was->condition.product, now->condition.product)))
            equations_fail(judge, "a mean condition number that must not change", now->condition.product,
                           was->condition.product);
        return;
    }
    if (isfinite(after) && isfinite(before)) {
        const long double off =
            16.0L * judge->u * (fabsl(before) + fabsl(after) + fabsl((long double)now->condition.log_sum) + 1.0L);
        demand(judge, "the sum of logarithms of condition numbers", (double)(after - before),
               logl(counting->conditions[PRODUCT][0]) - off, logl(counting->conditions[PRODUCT][1]) + off);
    }
}

static void judge_conditions(Judge *judge, const Counting *counting)
{
    const WalkState *was = &judge->substep->before, *now = &judge->substep->after;
    const double     largest = was->condition.largest;
    const bool       solved = counting->conditions[PRODUCT][1] != 1.0L || counting->conditions[LAST][1] > 0.0L;
    if (solved)
        demand(judge, "the condition number of the last Jacobian", now->condition.last, counting->conditions[LAST][0],
               counting->conditions[LAST][1]);
    else if (!same(was->condition.last, now->condition.last))
        equations_fail(judge, "a condition number that must not change", now->condition.last, was->condition.last);
    if (counting->conditions[LARGEST][1] > 0.0L)
        demand(judge, "the largest condition number", now->condition.largest,
               larger_of(counting->conditions[LARGEST][0], largest),
               larger_of(counting->conditions[LARGEST][1], largest));
    else if (!same(largest, now->condition.largest))
        equations_fail(judge, "a largest condition number that must not change", now->condition.largest, largest);
    if (judge->substep->mean && judge->n > 1)
        judge_mean(judge, counting, solved);
    if (solved)
        judge_kept(judge);
}

void counts_judge(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    Counting                  counting = {.judge = judge};
    if (substep->method->unknown == UNKNOWN_NONE)
        return;
    if (!substep->followed) {
        if (substep->conditions && substep->accepted && substep->counts.updates > 0)
            judge_kept(judge);
        return;
    }
    try_solve(&counting, &(CountedWay){.solves = 0}, 0);
    judge->decided = counting.found && !counting.other;
    if (!counting.found)
        equations_fail(judge, demands[counting.best], substep->counts.updates, substep->counts.updates);
    else if (substep->conditions)
        judge_conditions(judge, &counting);
}
