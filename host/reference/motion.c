// motion -- what was seen of a whole motion, and the numbers made of it.
#include "reference/motion.h"

#include "reference/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void extend(MotionRange *range, double value)
{
    range->low = range->seen ? fmin(range->low, value) : value;
    range->high = range->seen ? fmax(range->high, value) : value;
    ++range->seen;
}

void motion_observe_stats(Observer *o, const Observation *now)
{
    if (!metrics_in_window(o, now))
        return;
    const double value = metrics_observed(o, now->state);
    extend(&o->of.stats.range, value);
    o->of.stats.sum += value;
    o->of.stats.squares += value * value;
}

void motion_offer_stats(const Observer *o, WantedMetric *wanted)
{
    const MotionRange *range = &o->of.stats.range;
    const double       seen = (double)range->seen, none = range->seen ? 0.0 : (double)NAN;
    metrics_offer(wanted, "minimum", range->low + none);
    metrics_offer(wanted, "maximum", range->high + none);
    metrics_offer(wanted, "mean_value", o->of.stats.sum / seen);
    metrics_offer(wanted, "rms_value", sqrt(o->of.stats.squares / seen));
    metrics_offer(wanted, "peak_to_peak", range->high - range->low + none);
}

// The last steps: their number is at most the share of all, and of those the later half is apart.
void motion_observe_steady(Observer *o, const Observation *now)
{
    const double left = (double)(now->steps - now->step), share = o->arguments[0] * (double)now->steps;
    if (left <= 0.5 * share)
        extend(&o->of.steady.late, metrics_observed(o, now->state));
    else if (left <= share)
        extend(&o->of.steady.early, metrics_observed(o, now->state));
}

static double half_of(const MotionRange *range)
{
    return range->seen ? (range->high - range->low) / 2.0 : (double)NAN;
}

void motion_offer_steady(const Observer *o, WantedMetric *wanted)
{
    const MotionRange *late = &o->of.steady.late;
    metrics_offer(wanted, "steady_amplitude", half_of(late));
    metrics_offer(wanted, "steady_offset", late->seen ? (late->high + late->low) / 2.0 : (double)NAN);
    metrics_offer(wanted, "steady_change", fabs(1.0 - half_of(&o->of.steady.early) / half_of(late)));
}

enum { ARGUMENT_LEVEL, ARGUMENT_DIRECTION };
enum { DIRECTION_UP, DIRECTION_DOWN };

void motion_observe_events(Observer *o, const Observation *now)
{
    if (!metrics_in_window(o, now)) {
        o->of.events.begun = false;
        return;
    }
    const double level = o->arguments[ARGUMENT_LEVEL], value = metrics_observed(o, now->state),
                 before = o->of.events.value;
    const int  direction = (int)o->arguments[ARGUMENT_DIRECTION];
    const bool up = before < level && value >= level, down = before > level && value <= level;
    if (o->of.events.begun && ((up && direction != DIRECTION_DOWN) || (down && direction != DIRECTION_UP))) {
        const double time = (double)(now->step - 1) * now->h + now->h * (level - before) / (value - before);
        if (o->of.events.seen++ == 0)
            o->of.events.first = time;
        o->of.events.last = time;
    }
    o->of.events.value = value;
    o->of.events.begun = true;
}

void motion_offer_events(const Observer *o, WantedMetric *wanted)
{
    const uint64_t seen = o->of.events.seen;
    metrics_offer(wanted, "event_count", (double)seen);
    metrics_offer(wanted, "event_first", seen ? o->of.events.first : (double)NAN);
    metrics_offer(wanted, "event_last", seen ? o->of.events.last : (double)NAN);
    metrics_offer(wanted, "event_interval",
                  seen > 1 ? (o->of.events.last - o->of.events.first) / (double)(seen - 1) : (double)NAN);
}

// v dR/dv: five-point differences of R(x, s v) by s at 1.
static double power_lost(const Observer *o, const State *state)
{
    static const double weights[] = {1.0 / 12.0, -8.0 / 12.0, 0.0, 8.0 / 12.0, -1.0 / 12.0};
    const double        reach = 0x1p-10;
    double              v[REFERENCE_DOFS], power = 0.0;
    for (int k = 0; o->problem->dissipation && k < 5; ++k) {
        for (size_t i = 0; i < o->problem->dofs; ++i)
            v[i] = (1.0 + (k - 2) * reach) * state->v[i];
        power += weights[k] * o->problem->dissipation(state->x, v, o->params) / reach;
    }
    return power;
}

static double power_gained(const Observer *o, const Observation *now)
{
    double force[REFERENCE_DOFS] = {0}, power = 0.0;
    if (o->problem->drive)
        o->problem->drive(now->t, o->params, force);
    for (size_t i = 0; i < o->problem->dofs; ++i)
        power += force[i] * now->state->v[i];
    return power;
}

void motion_observe_balance(Observer *o, const Observation *now)
{
    if (!metrics_in_window(o, now))
        return;
    const double lost = power_lost(o, now->state), gained = power_gained(o, now);
    o->of.balance.last = o->problem->energy(now->state->x, now->state->v, o->params);
    if (!o->of.balance.begun) {
        o->of.balance.first = o->of.balance.last;
    } else {
        o->of.balance.dissipated += now->h * (o->of.balance.lost + lost) / 2.0;
        o->of.balance.work += now->h * (o->of.balance.gained + gained) / 2.0;
    }
    o->of.balance.lost = lost;
    o->of.balance.gained = gained;
    o->of.balance.begun = true;
}

void motion_offer_balance(const Observer *o, WantedMetric *wanted)
{
    const double first = o->of.balance.begun ? o->of.balance.first : (double)NAN;
    metrics_offer(wanted, "dissipated_energy", o->of.balance.dissipated);
    metrics_offer(wanted, "drive_work", o->of.balance.work);
    metrics_offer(wanted, "energy_residual",
                  o->of.balance.last - first + o->of.balance.dissipated - o->of.balance.work);
}

// The derivatives of a state, x before v; of a first-order system, whose state stands in x, there is no v.
static void flow(const Observer *o, double t, const double *s, double *f)
{
    const size_t n = o->problem->dofs;
    const double none[REFERENCE_DOFS] = {0};
    if (o->problem->first_order) {
        o->problem->acceleration(t, none, s, o->params, f);
        return;
    }
    memcpy(f, s + n, n * sizeof *f);
    o->problem->acceleration(t, s, s + n, o->params, f + n);
}

static size_t state_size(const Observer *o)
{
    return (o->problem->first_order ? 1 : 2) * o->problem->dofs;
}

static void copy_state(const Observer *o, const State *state, double *s)
{
    const size_t n = o->problem->dofs;
    memcpy(s, state->x, n * sizeof *s);
    if (!o->problem->first_order)
        memcpy(s + n, state->v, n * sizeof *s);
}

// The Jacobian at a state times a deviation, column by column, each by differences of fourth order that are narrow for
// the component's size.
static void carry(const Observer *o, double t, const double *s, const double *d, double *f)
{
    static const double weights[] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0}, places[] = {-2, -1, 1, 2};
    const size_t        n = state_size(o);
    double              moved[2 * REFERENCE_DOFS], slope[2 * REFERENCE_DOFS];
    memset(f, 0, n * sizeof *f);
    for (size_t j = 0; j < n; ++j) {
        const double reach = 0x1p-10 * o->of.lyapunov.size[j];
        for (int k = 0; k < 4; ++k) {
            memcpy(moved, s, n * sizeof *moved);
            moved[j] += places[k] * reach;
            flow(o, t, moved, slope);
            for (size_t i = 0; i < n; ++i)
                f[i] += weights[k] * slope[i] / reach * d[j];
        }
    }
}

// One step of the classical Runge-Kutta method for the deviation, along the cubic through both ends.
static void carry_on(const Observer *o, const Observation *now, const double *from, const double *to, double *d)
{
    const size_t n = state_size(o);
    const double h = now->h, parts[] = {0.0, 0.5, 0.5, 1.0}, weights[] = {1.0, 2.0, 2.0, 1.0};
    double       at[3][2 * REFERENCE_DOFS], f0[2 * REFERENCE_DOFS], f1[2 * REFERENCE_DOFS];
    double       k[2 * REFERENCE_DOFS] = {0}, stage[2 * REFERENCE_DOFS], sum[2 * REFERENCE_DOFS] = {0};
    flow(o, now->t - h, from, f0);
    flow(o, now->t, to, f1);
    for (size_t i = 0; i < n; ++i) {
        at[0][i] = from[i];
        at[1][i] = (from[i] + to[i]) / 2.0 + h * (f0[i] - f1[i]) / 8.0;
        at[2][i] = to[i];
    }
    for (int s = 0; s < 4; ++s) {
        for (size_t i = 0; i < n; ++i)
            stage[i] = d[i] + parts[s] * h * k[i];
        carry(o, now->t - h + parts[s] * h, at[(s + 1) / 2], stage, k);
        for (size_t i = 0; i < n; ++i)
            sum[i] += weights[s] * k[i];
    }
    for (size_t i = 0; i < n; ++i)
        d[i] += h / 6.0 * sum[i];
}

// Divides a deviation by its length over the sizes of the components; returns that.
static double make_unit(size_t n, const double *size, double *d)
{
    double square = 0.0;
    for (size_t i = 0; i < n; ++i)
        square += d[i] / size[i] * (d[i] / size[i]);
    for (size_t i = 0; i < n; ++i)
        d[i] /= sqrt(square);
    return sqrt(square);
}

// The sizes that components begin with: what they are, or what they are moved by, a coordinate in a step and a velocity
// while its coordinate moves by its size. 1 where that is 0.
static void begin_sizes(Observer *o, const Observation *now, const double *state)
{
    const size_t n = state_size(o), dofs = o->problem->dofs;
    const double h = now->h;
    double      *size = o->of.lyapunov.size, slope[2 * REFERENCE_DOFS];
    flow(o, now->t, state, slope);
    for (size_t i = 0; i < n; ++i) {
        const double a = i + dofs < n ? fabs(slope[i + dofs]) : 0.0,
                     moved = i < dofs ? h * fmax(fabs(slope[i]), h * a) : sqrt(size[i - dofs] * fabs(slope[i]));
        size[i] = fmax(fabs(state[i]), moved);
        if (size[i] == 0.0)
            size[i] = 1.0;
    }
}

static void begin_lyapunov(Observer *o, const Observation *now, const double *state)
{
    const size_t n = state_size(o), dofs = o->problem->dofs;
    begin_sizes(o, now, state);
    for (size_t i = 0; i < n; ++i)
        o->of.lyapunov.d[i] =
            o->of.lyapunov.size[i] * (i < dofs ? 1.0 / (double)(1 + i) : 0.6 / (double)(1 + i - dofs));
}

void motion_observe_lyapunov(Observer *o, const Observation *now)
{
    const size_t n = state_size(o);
    double      *size = o->of.lyapunov.size, *d = o->of.lyapunov.d, state[2 * REFERENCE_DOFS];
    copy_state(o, now->state, state);
    if (now->step == 0) {
        begin_lyapunov(o, now, state);
    } else {
        carry_on(o, now, o->of.lyapunov.state, state, d);
        const double growth = log(make_unit(n, size, d));
        if (metrics_in_window(o, now) && o->of.lyapunov.inside) {
            o->of.lyapunov.sum += growth;
            o->of.lyapunov.time = (double)++o->of.lyapunov.seen * now->h;
            if (now->step >= now->steps - now->steps / 2)
                extend(&o->of.lyapunov.late, o->of.lyapunov.sum / o->of.lyapunov.time);
        }
    }
    for (size_t i = 0; i < n; ++i)
        size[i] = fmax(size[i], fabs(state[i]));
    make_unit(n, size, d);
    o->of.lyapunov.inside = metrics_in_window(o, now);
    memcpy(o->of.lyapunov.state, state, n * sizeof *state);
}

void motion_offer_lyapunov(const Observer *o, WantedMetric *wanted)
{
    const MotionRange *late = &o->of.lyapunov.late;
    metrics_offer(wanted, "lyapunov_exponent", o->of.lyapunov.sum / o->of.lyapunov.time);
    metrics_offer(wanted, "lyapunov_spread", late->seen ? late->high - late->low : (double)NAN);
}

// The state between the last observation and this one, by the cubics through both states and their derivatives in
// Bernstein's form.
static void find_between(const Observer *o, const Observation *now, double s, double *state)
{
    const size_t n = state_size(o);
    const double third = now->h / 3.0, r = 1.0 - s;
    double       from[2 * REFERENCE_DOFS], to[2 * REFERENCE_DOFS], f0[2 * REFERENCE_DOFS], f1[2 * REFERENCE_DOFS];
    copy_state(o, &o->of.taken.before, from);
    copy_state(o, now->state, to);
    flow(o, now->t - now->h, from, f0);
    flow(o, now->t, to, f1);
    for (size_t i = 0; i < n; ++i)
        state[i] = r * r * r * from[i] + 3.0 * r * r * s * (from[i] + third * f0[i]) +
                   3.0 * r * s * s * (to[i] - third * f1[i]) + s * s * s * to[i];
}

// Results stand one after the other: coordinates, velocities, and of a section times.
static void take_state(Observer *o, const double *state, size_t samples)
{
    const size_t n = o->problem->dofs, k = (size_t)o->of.taken.count;
    for (size_t i = 0; i < n; ++i) {
        o->kept[k * n + i] = state[i];
        o->kept[samples * n + k * n + i] = o->problem->first_order ? 0.0 : state[n + i];
    }
    ++o->of.taken.count;
}

enum { POINCARE_PERIOD, POINCARE_PHASE, POINCARE_SKIP, POINCARE_SAMPLES };

void motion_observe_poincare(Observer *o, const Observation *now)
{
    const double period = o->arguments[POINCARE_PERIOD], samples = o->arguments[POINCARE_SAMPLES],
                 due =
                     o->arguments[POINCARE_PHASE] + (o->arguments[POINCARE_SKIP] + (double)o->of.taken.count) * period;
    double state[2 * REFERENCE_DOFS];
    if (period >= now->h && (double)o->of.taken.count < samples && due <= now->t) {
        if (now->step == 0)
            copy_state(o, now->state, state);
        else
            find_between(o, now, fmin((due - (double)(now->step - 1) * now->h) / now->h, 1.0), state);
        take_state(o, state, (size_t)samples);
    }
    o->of.taken.before = *now->state;
}

void motion_offer_poincare(const Observer *o, WantedMetric *wanted)
{
    metrics_offer(wanted, "poincare_count", (double)o->of.taken.count);
}

// What is observed at a state.
static double observed_at(const Observer *o, const double *state)
{
    const size_t n = o->problem->dofs;
    State        there = {0};
    memcpy(there.x, state, n * sizeof *state);
    if (!o->problem->first_order)
        memcpy(there.v, state + n, n * sizeof *state);
    return metrics_observed(o, &there);
}

// The place of the crossing in the step, by halving.
static double find_crossing(const Observer *o, const Observation *now, double level, double *state)
{
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 60; ++k) {
        const double middle = (low + high) / 2.0;
        find_between(o, now, middle, state);
        if ((observed_at(o, state) < level) == (o->of.taken.value < level))
            low = middle;
        else
            high = middle;
    }
    find_between(o, now, high, state);
    return high;
}

enum { SECTION_LEVEL, SECTION_DIRECTION, SECTION_SAMPLES };

void motion_observe_section(Observer *o, const Observation *now)
{
    const double level = o->arguments[SECTION_LEVEL], value = metrics_observed(o, now->state),
                 before = o->of.taken.value;
    const int    direction = (int)o->arguments[SECTION_DIRECTION];
    const size_t samples = (size_t)o->arguments[SECTION_SAMPLES], n = o->problem->dofs;
    const bool   up = before < level && value >= level, down = before > level && value <= level,
               inside = metrics_in_window(o, now);
    double state[2 * REFERENCE_DOFS];
    if (inside && o->of.taken.begun && o->of.taken.count < samples &&
        ((up && direction != DIRECTION_DOWN) || (down && direction != DIRECTION_UP))) {
        const double s = find_crossing(o, now, level, state);
        o->kept[2 * samples * n + o->of.taken.count] = ((double)(now->step - 1) + s) * now->h;
        take_state(o, state, samples);
    }
    o->of.taken.before = *now->state;
    o->of.taken.value = value;
    o->of.taken.begun = inside;
}

void motion_offer_section(const Observer *o, WantedMetric *wanted)
{
    metrics_offer(wanted, "section_count", (double)o->of.taken.count);
}
