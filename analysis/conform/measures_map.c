// measures_map -- states of a motion once a period, and where a quantity crosses a level: poincare, section.
//
// A sample's step is kept as the kernel has seen it. What the sample must be follows at the end.
#include "analysis/conform/between.h"

#include <stdlib.h>
#include <string.h>

enum { PERIOD, PHASE, SKIP, POINCARE_SAMPLES };
enum { LEVEL, DIRECTION, SECTION_SAMPLES };
enum { DIRECTION_UP, DIRECTION_DOWN };

static bool is(const char *result, const char *name)
{
    return strcmp(result, name) == 0;
}

static size_t row_width(const Sight *sight)
{
    return 2 + 4 * sight->scalars->dofs;
}

static BetweenStep step_of(const Sight *sight, const double *row)
{
    const size_t n = sight->scalars->dofs;
    return (BetweenStep){
        .before = row[0], .t = row[1], .x0 = row + 2, .v0 = row + 2 + n, .x1 = row + 2 + 2 * n, .v1 = row + 2 + 3 * n};
}

// Keeps the step of a sample that the kernel has taken.
//   was  [2 dofs] the state before; of a sample at t = 0 NULL
static bool take(Gauge *gauge, const Sight *sight, const double *was, Error *err)
{
    GaugeTaken  *taken = &gauge->of.taken;
    const size_t n = sight->scalars->dofs, width = row_width(sight);
    if (taken->count == taken->room) {
        const size_t room = taken->room ? 2 * taken->room : 8;
        double      *rows = realloc(taken->rows, room * width * sizeof *rows);
        if (!rows)
            return fail(err, ERROR_INTERNAL, "out of memory for %zu samples", room);
        taken->rows = rows;
        taken->room = room;
    }
    double *row = taken->rows + taken->count++ * width;
    row[0] = was ? sight->before : sight->t;
    row[1] = sight->t;
    for (size_t i = 0; i < n; ++i) {
        row[2 + 2 * n + i] = (double)sight->x[i].at;
        row[2 + 3 * n + i] = (double)sight->v[i].at;
    }
    memcpy(row + 2, was ? was : row + 2 + 2 * n, 2 * n * sizeof *row);
    return true;
}

// The state that the kernel keeps for the next step must be this one.
static void demand_kept(Gauge *gauge, const Sight *sight, const double *kept)
{
    const size_t n = sight->scalars->dofs;
    for (size_t i = 0; i < n; ++i)
        if ((kept[i] != (double)sight->x[i].at && !isnan(kept[i])) ||
            (kept[n + i] != (double)sight->v[i].at && !isnan(kept[n + i])))
            gauge->wrong = "the state that is kept for the next sample";
}

// The time of the next sample.
static Ball due(const Gauge *gauge, const Sight *sight)
{
    const Roundoff u = sight->u;
    const double  *arguments = sight->arguments;
    const Ball     periods = ball((long double)arguments[SKIP] + (long double)gauge->of.taken.count);
    return ball_add(u, ball(arguments[PHASE]), ball_mul(u, periods, ball(arguments[PERIOD])));
}

static bool observe_poincare(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    const bool wanted =
        sight->arguments[PERIOD] >= sight->h && (double)gauge->of.taken.count < sight->arguments[POINCARE_SAMPLES];
    const Answer passed = gauge_not(gauge_above(ball_sub(sight->u, due(gauge, sight), ball(sight->t))));
    demand_kept(gauge, sight, sight->is);
    return !gauge_follow(gauge, gauge_and(wanted ? ANSWER_YES : ANSWER_NO, passed), counts[0] == 1,
                         "poincare: a sample, taken or not") ||
           take(gauge, sight, sight->was, err);
}

// Where in its step a sample is due.
static Ball place_of_due(const Gauge *gauge, const Sight *sight, const BetweenStep *step, size_t k)
{
    const Gauge before = {.of.taken.count = k, .instance = gauge->instance};
    const Ball  time = due(&before, sight), part = ball_sub(sight->u, time, ball(step->before));
    return step->t > step->before ? ball_div(sight->u, part, ball(sight->h)) : ball(1.0L);
}

// What a sample of the coordinates or the velocities must be.
static Expected expect_state(const Sight *sight, const BetweenStep *step, Ball s, size_t i, const char *formula)
{
    Ball          state[2 * SCALARS_DOFS];
    BetweenSlopes slopes;
    between_slopes(sight, step, &slopes);
    between_state(sight, step, &slopes, s, state);
    return gauge_number(state[i], formula);
}

static bool expect_poincare(Gauge *gauge, Sight *sight, const char *result, size_t number, Expected *expected)
{
    const size_t n = sight->scalars->dofs, k = number / n, i = number % n;
    if (is(result, "poincare_count")) {
        *expected = gauge_number(ball((long double)gauge->of.taken.count), "poincare_count, of the samples seen");
    } else if (k >= gauge->of.taken.count) {
        *expected = gauge_nan("poincare, of a sample that was not due");
    } else {
        const BetweenStep step = step_of(sight, gauge->of.taken.rows + k * row_width(sight));
        const bool        x = is(result, "poincare_x");
        *expected = expect_state(sight, &step, place_of_due(gauge, sight, &step, k), x ? i : n + i,
                                 x ? "poincare_x = x(phase + (skip + k) period)" : "poincare_v = v(the same)");
    }
    return true;
}

static Ball above_level(const Gauge *gauge, Sight *sight)
{
    return gauge_within(sight, gauge->instance, sight->t)
               ? ball_sub(sight->u, gauge_observed(gauge, sight), ball(sight->arguments[LEVEL]))
               : ball(NAN);
}

static bool observe_section(Gauge *gauge, Sight *sight, const int64_t *counts, Error *err)
{
    GaugeTaken *taken = &gauge->of.taken;
    const int   direction = (int)sight->arguments[DIRECTION];
    const Ball  before = taken->value, now = above_level(gauge, sight);
    const bool  both = taken->begun && !isnan(now.at), room = (double)taken->count < sight->arguments[SECTION_SAMPLES];
    bool        ok = true;
    // A row for what is observed comes before the vectors.
    demand_kept(gauge, sight, sight->is + 1);
    if (both && room) {
        const Answer up = gauge_and(gauge_above(gauge_scaled(before, -1.0L)),
                                    gauge_not(gauge_above(gauge_scaled(now, -1.0L)))),
                     down = gauge_and(gauge_above(before), gauge_not(gauge_above(now))),
                     crossed = direction == DIRECTION_UP     ? up
                               : direction == DIRECTION_DOWN ? down
                                                             : gauge_or(up, down);
        if (gauge_follow(gauge, crossed, counts[0] == 1, "section: a crossing, taken or not"))
            ok = take(gauge, sight, sight->was + 1, err);
    } else if (counts[0] != 0) {
        gauge->wrong = "section: a crossing of fewer than two observations, or of too many";
    }
    taken->begun = !isnan(now.at);
    taken->value = now;
    return ok;
}

// What is observed after a part of the step, less the level.
static Ball observed_at(const Gauge *gauge, const Sight *sight, const BetweenStep *step, const BetweenSlopes *slopes,
                        long double s)
{
    const size_t n = sight->scalars->dofs;
    Ball         state[2 * SCALARS_DOFS];
    Sight        there = *sight;
    between_state(sight, step, slopes, ball(s), state);
    memset(there.found, 0, sizeof there.found);
    there.x = state;
    there.v = state + n;
    return ball_sub(sight->u, gauge_observed(gauge, &there), ball(sight->arguments[LEVEL]));
}

// Whether what is observed only rises over the step, or only falls: it then crosses the level once.
static bool goes_one_way(const Gauge *gauge, const Sight *sight, const BetweenStep *step, const BetweenSlopes *slopes)
{
    enum { PARTS = 16 };
    bool        rises = true, falls = true;
    long double last = observed_at(gauge, sight, step, slopes, 0.0L).at;
    for (int k = 1; k <= PARTS; ++k) {
        const long double here = observed_at(gauge, sight, step, slopes, (long double)k / PARTS).at;
        rises = rises && here >= last;
        falls = falls && here <= last;
        last = here;
    }
    return rises || falls;
}

// Where in its step a quantity crosses the level, and how far from there the kernel's search may end: it stops where
// the place moves by less than the root of a rounding of it, and sees the quantity as rounding lets it. Where the
// quantity turns within the step, nothing is known.
static Ball crossing(const Gauge *gauge, const Sight *sight, const BetweenStep *step, const BetweenSlopes *slopes)
{
    enum { HALVINGS = 60 };
    const bool  below = observed_at(gauge, sight, step, slopes, 0.0L).at < 0.0L;
    long double low = 0.0L, high = 1.0L;
    for (int k = 0; k < HALVINGS; ++k) {
        const long double middle = 0.5L * (low + high);
        const bool        before = (observed_at(gauge, sight, step, slopes, middle).at < 0.0L) == below;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    const long double wide = 0x1p-10L, left = larger_of(high - wide, 0.0L), right = smaller_of(high + wide, 1.0L),
                      rise = observed_at(gauge, sight, step, slopes, right).at -
                             observed_at(gauge, sight, step, slopes, left).at,
                      noise = observed_at(gauge, sight, step, slopes, high).off, slope = fabsl(rise) / (right - left),
                      stop = 2.0L * sqrtl(2.0L * sight->u) * high, unsure = 2.0L * noise / slope;
    const bool known = unsure < 0x1p-4L && goes_one_way(gauge, sight, step, slopes);
    return (Ball){high, known ? stop + unsure + 4.0L * sight->u : INFINITY};
}

static bool expect_section(Gauge *gauge, Sight *sight, const char *result, size_t number, Expected *expected)
{
    const size_t n = sight->scalars->dofs, k = is(result, "section_t") ? number : number / n, i = number % n;
    if (is(result, "section_count")) {
        *expected = gauge_number(ball((long double)gauge->of.taken.count), "section_count, of the crossings seen");
        return true;
    }
    if (k >= gauge->of.taken.count) {
        *expected = gauge_nan("section, of a crossing that was not");
        return true;
    }
    const Roundoff    u = sight->u;
    const BetweenStep step = step_of(sight, gauge->of.taken.rows + k * row_width(sight));
    BetweenSlopes     slopes;
    between_slopes(sight, &step, &slopes);
    const Ball s = crossing(gauge, sight, &step, &slopes);
    if (is(result, "section_t")) {
        const Ball time = ball_add(u, ball(step.before), ball_mul(u, s, ball(sight->h)));
        *expected = gauge_number(time, "section_t = t + s h, y(s) the level");
    } else {
        const bool x = is(result, "section_x");
        *expected = expect_state(sight, &step, s, x ? i : n + i, x ? "section_x = x(s)" : "section_v = v(s)");
    }
    return true;
}

static void end(Gauge *gauge)
{
    free(gauge->of.taken.rows);
}

const GaugeKind measures_map_poincare = {"poincare", observe_poincare, NULL, end, expect_poincare},
                measures_map_section = {"section", observe_section, NULL, end, expect_section};
