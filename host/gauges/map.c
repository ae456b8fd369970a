// map -- states of a motion once a period, and where a quantity crosses a level: poincare, section.
//
// A sample's step is kept as it was seen. The sample's expected value follows at the end.
#include "gauges/between.h"

#include <stdlib.h>
#include <string.h>

enum { PERIOD, PHASE, SKIP, POINCARE_SAMPLES };
enum { LEVEL, DIRECTION, SECTION_SAMPLES };

static size_t row_width(const Sight *sight)
{
    return 4 + 10 * sight->problem->dofs;
}

// The step of sample k.
static BetweenStep step_of(const Gauge *gauge, const Sight *sight, size_t k)
{
    const size_t  n = sight->problem->dofs;
    const double *row = gauge->of.taken.rows + k * row_width(sight);
    return (BetweenStep){.before = row[0],
                         .t = row[1],
                         .h = row[2],
                         .x0 = row + 3,
                         .v0 = row + 3 + n,
                         .x1 = row + 3 + 2 * n,
                         .v1 = row + 3 + 3 * n,
                         .dense = row[3 + 4 * n] != 0.0 ? row + 4 + 4 * n : NULL};
}

// Keeps the step of a sample; of one at t = 0 both ends are the state there.
static bool take(Gauge *gauge, const Sight *sight, Error *err)
{
    GaugeTaken  *taken = &gauge->of.taken;
    const size_t n = sight->problem->dofs, width = row_width(sight);
    if (taken->count == taken->room) {
        const size_t room = taken->room ? 2 * taken->room : 8;
        double      *rows = realloc(taken->rows, room * width * sizeof *rows);
        if (!rows)
            return fail(err, ERROR_INTERNAL, "out of memory for %zu samples", room);
        taken->rows = rows;
        taken->room = room;
    }
    double *row = taken->rows + taken->count++ * width;
    row[0] = sight->last_x ? sight->before : sight->t;
    row[1] = sight->t;
    row[2] = sight->h;
    for (size_t i = 0; i < n; ++i) {
        const double x = (double)sight->x[i].at, v = (double)sight->v[i].at;
        row[3 + i] = sight->last_x ? sight->last_x[i] : x;
        row[3 + n + i] = sight->last_v ? sight->last_v[i] : v;
        row[3 + 2 * n + i] = x;
        row[3 + 3 * n + i] = v;
    }
    row[3 + 4 * n] = sight->dense != NULL;
    if (sight->dense)
        memcpy(row + 4 + 4 * n, sight->dense, 6 * n * sizeof *row);
    return true;
}

// The state that the kernel keeps for the next step must be this one.
//   kept  [2 dofs]; NULL: it is not seen
static void demand_kept(Gauge *gauge, const Sight *sight, const double *kept)
{
    const size_t n = sight->problem->dofs;
    for (size_t i = 0; kept && i < n; ++i)
        if ((kept[i] != (double)sight->x[i].at && !isnan(kept[i])) ||
            (kept[n + i] != (double)sight->v[i].at && !isnan(kept[n + i])))
            gauge->wrong = "the state that is kept for the next sample";
}

// The time of sample k.
static Ball due(const Gauge *gauge, const Sight *sight, size_t k)
{
    const Roundoff u = sight->u;
    const Ball     periods = ball((long double)gauge_argument(gauge, sight, SKIP) + (long double)k),
               period = ball(gauge_argument(gauge, sight, PERIOD));
    return ball_add(u, ball(gauge_argument(gauge, sight, PHASE)), ball_mul(u, periods, period));
}

static bool observe_poincare(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    const size_t taken = gauge->of.taken.count;
    const bool   wanted = gauge_argument(gauge, sight, PERIOD) >= sight->step_length &&
                        (double)taken < gauge_argument(gauge, sight, POINCARE_SAMPLES);
    const Answer passed = gauge_not(gauge_above(ball_sub(sight->u, due(gauge, sight, taken), ball(sight->t))));
    demand_kept(gauge, sight, sight->kept);
    return !gauge_follow(gauge, gauge_and(wanted ? ANSWER_YES : ANSWER_NO, passed), counts[0] == 1,
                         "poincare: a sample, taken or not") ||
           take(gauge, sight, err);
}

// Where in its step a sample is due.
static Ball place_of_due(const Gauge *gauge, const Sight *sight, const BetweenStep *step, size_t k)
{
    const Ball part = ball_sub(sight->u, due(gauge, sight, k), ball(step->before));
    return step->t > step->before ? ball_div(sight->u, part, ball(step->h)) : ball(1.0L);
}

// The expected value of a sample of the coordinates or the velocities.
static Expected expect_state(const Sight *sight, const Between *between, Ball s, size_t i, const char *formula)
{
    Ball state[2 * GAUGE_DOFS];
    between_state(sight, between, s, state);
    return gauge_number(state[i], formula);
}

static void expect_poincare(Gauge *gauge, Sight *sight, const char *result, size_t number, Expected *expected)
{
    const size_t n = sight->problem->dofs, k = number / n, i = number % n;
    if (strcmp(result, "poincare_count") == 0) {
        *expected = gauge_number(ball((long double)gauge->of.taken.count), "poincare_count, of the samples seen");
    } else if (k >= gauge->of.taken.count) {
        *expected = gauge_nan("poincare, of a sample that was not due");
    } else {
        const BetweenStep step = step_of(gauge, sight, k);
        Between           between;
        between_make(sight, &step, &between);
        const bool x = strcmp(result, "poincare_x") == 0;
        *expected = expect_state(sight, &between, place_of_due(gauge, sight, &step, k), x ? i : n + i,
                                 x ? "poincare_x = x(phase + (skip + k) period)" : "poincare_v = v(the same)");
    }
}

static Ball above_level(const Gauge *gauge, Sight *sight)
{
    return gauge_within(sight, gauge->instance, sight->t)
               ? ball_sub(sight->u, gauge_observed(gauge, sight), ball(gauge_argument(gauge, sight, LEVEL)))
               : ball(NAN);
}

static bool observe_section(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    GaugeTaken          *taken = &gauge->of.taken;
    const GaugeDirection direction = (GaugeDirection)gauge_argument(gauge, sight, DIRECTION);
    const Ball           before = taken->value, now = above_level(gauge, sight);
    const bool           both = taken->begun && !isnan(now.at),
               room = (double)taken->count < gauge_argument(gauge, sight, SECTION_SAMPLES);
    bool ok = true;
    // The row of the observed quantity comes before the vectors.
    demand_kept(gauge, sight, sight->kept ? sight->kept + 1 : NULL);
    if (both && room) {
        const Answer crossed = gauge_crosses(before, now, direction);
        if (gauge_follow(gauge, crossed, counts[0] == 1, "section: a crossing, taken or not"))
            ok = take(gauge, sight, err);
    } else if (counts[0] != 0) {
        gauge->wrong = "section: a crossing of fewer than two observations, or of too many";
    }
    taken->begun = !isnan(now.at);
    taken->value = now;
    return ok;
}

// The observed quantity after a part of the step, less the level.
static Ball observed_at(const Gauge *gauge, const Sight *sight, const Between *between, long double s)
{
    const size_t n = sight->problem->dofs;
    Ball         state[2 * GAUGE_DOFS];
    Sight        there = *sight;
    between_state(sight, between, ball(s), state);
    memset(there.found, 0, sizeof there.found);
    there.t = (double)(between->before + s * between->h);
    there.t_off = BALL_ROUNDINGS * sight->u * larger_of(fabsl((long double)there.t), between->h);
    there.x = state;
    there.v = state + n;
    return ball_sub(sight->u, gauge_observed(gauge, &there), ball(gauge_argument(gauge, sight, LEVEL)));
}

// Whether the observed quantity only rises over the step, or only falls: it then crosses the level once.
static bool goes_one_way(const Gauge *gauge, const Sight *sight, const Between *between)
{
    enum { PARTS = 16 };
    bool        rises = true, falls = true;
    long double last = observed_at(gauge, sight, between, 0.0L).at;
    for (int k = 1; k <= PARTS; ++k) {
        const long double here = observed_at(gauge, sight, between, (long double)k / PARTS).at;
        rises = rises && here >= last;
        falls = falls && here <= last;
        last = here;
    }
    return rises || falls;
}

// Where in its step a quantity crosses the level, and how far from there the kernel's search may end: it stops where
// the place moves by less than the root of a rounding of it, and sees the quantity as rounding lets it. Where the
// quantity turns within the step, nothing is known.
static Ball crossing(const Gauge *gauge, const Sight *sight, const Between *between)
{
    enum { HALVINGS = 60 };
    const bool  below = observed_at(gauge, sight, between, 0.0L).at < 0.0L;
    long double low = 0.0L, high = 1.0L;
    for (int k = 0; k < HALVINGS; ++k) {
        const long double middle = 0.5L * (low + high);
        const bool        before = (observed_at(gauge, sight, between, middle).at < 0.0L) == below;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    const long double wide = 0x1p-10L, left = larger_of(high - wide, 0.0L), right = smaller_of(high + wide, 1.0L),
                      rise = observed_at(gauge, sight, between, right).at - observed_at(gauge, sight, between, left).at,
                      noise = observed_at(gauge, sight, between, high).off, slope = fabsl(rise) / (right - left),
                      stop = 2.0L * sqrtl(2.0L * sight->u) * high, unsure = 2.0L * noise / slope;
    const bool known = unsure < 0x1p-4L && goes_one_way(gauge, sight, between);
    return (Ball){high, known ? stop + unsure + 4.0L * sight->u : INFINITY};
}

static void expect_section(Gauge *gauge, Sight *sight, const char *result, size_t number, Expected *expected)
{
    const size_t n = sight->problem->dofs, k = strcmp(result, "section_t") == 0 ? number : number / n, i = number % n;
    if (strcmp(result, "section_count") == 0) {
        *expected = gauge_number(ball((long double)gauge->of.taken.count), "section_count, of the crossings seen");
        return;
    }
    if (k >= gauge->of.taken.count) {
        *expected = gauge_nan("section, of a crossing that was not");
        return;
    }
    const Roundoff    u = sight->u;
    const BetweenStep step = step_of(gauge, sight, k);
    Between           between;
    between_make(sight, &step, &between);
    if (gauge->of.taken.placed != k + 1)
        gauge->of.taken.place = crossing(gauge, sight, &between);
    gauge->of.taken.placed = k + 1;
    const Ball s = gauge->of.taken.place;
    if (strcmp(result, "section_t") == 0) {
        const Ball time = ball_add(u, ball(step.before), ball_mul(u, s, ball(step.h)));
        *expected = gauge_number(time, "section_t = t + s h, y(s) the level");
    } else {
        const bool x = strcmp(result, "section_x") == 0;
        *expected = expect_state(sight, &between, s, x ? i : n + i, x ? "section_x = x(s)" : "section_v = v(s)");
    }
}

static void end(Gauge *gauge)
{
    free(gauge->of.taken.rows);
}

const GaugeKind gauge_poincare = {"poincare", .observe = observe_poincare, .expect_sample = expect_poincare,
                                  .end = end},
                gauge_section = {"section", .observe = observe_section, .expect_sample = expect_section, .end = end};
