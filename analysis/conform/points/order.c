// order -- runs of some points at ever smaller steps, and the slopes of their errors.
#include "analysis/conform/points/order.h"

#include "analysis/conform/judgement/scalars.h"
#include "analysis/conform/judgement/substep.h"
#include "analysis/conform/points/flow.h"
#include "analysis/conform/points/scope.h"
#include "engine/engine.h"
#include "reference/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 8, POINTS = 8, LEVELS = 11, WINDOWS = 24, LEAST_LEVELS = 3, MOST_LONGER = 3, QUANTITIES = 2 };

static const long double unit = 0x1p-53L;
static const double      margin = 64.0, settled_within = 0.1, permitted = 0.25;

// Motion of a point over a window of time.
typedef struct OrderMotion {
    double      begin, length;                                                   // of the window
    long double x[TIMES + 1][CERTIFICATE_DOFS], v[TIMES + 1][CERTIFICATE_DOFS];  // at equal times
    bool        moves;                                                           // to the end of the window
    bool        damped, driven;                                                  // the acceleration depends on v, on t
    // Over these times: largest |x|, |v|; rounding of the kernel's accelerations; fastest rate, which is the root of
    // the stiffness or the damping.
    long double size_x, size_v, rounding, rate;
} OrderMotion;

// A run of a point at one step.
typedef struct Level {
    bool   counts;  // the point came to the end, and no step was halved
    double errors[QUANTITIES];
} Level;

// A point, and its window.
typedef struct Measured {
    OrderMotion motion;
    double      low, high;  // lengths of windows: one that was too short, or 0; one that was too long, or infinite
    double      most;       // no longer than this, or than four of the problem's fastest times
    int         longer;     // how often it was doubled for unclear slopes
    Level       levels[LEVELS];
    bool        done[QUANTITIES], hidden[QUANTITIES];  // hidden: all errors are rounding
    double      slopes[QUANTITIES], steps[QUANTITIES];
} Measured;

typedef struct Measurement {
    const Plan *plan;
    Group       group;  // the points, zipped, with an axis for the step
    Exact       exact;
    Engine      engine;
    Arena       arena;
    Measured   *points;  // [group.point_count]
    ExactPoint  at;      // the problem, a point's parameters loaded
    int         level;
} Measurement;

// A state of the motion and its acceleration.
typedef struct MotionPlace {
    long double t, x[CERTIFICATE_DOFS], v[CERTIFICATE_DOFS], a[CERTIFICATE_DOFS];
} MotionPlace;

// The size of a coordinate or of its velocity: its value, or its change in the window's length. Where it rests for
// ever, the size of the largest one.
static long double size_of(const MotionPlace *place, size_t n, long double length, size_t j, bool of_v)
{
    long double own = 0.0L, most = 0.0L;
    for (size_t i = 0; i < n; ++i) {
        const long double v = larger_of(fabsl(place->v[i]), length * fabsl(place->a[i])),
                          size = of_v ? v : larger_of(fabsl(place->x[i]), length * v);
        most = larger_of(most, size);
        own = i == j ? size : own;
    }
    return own > 0.0L ? own : most > 0.0L ? most : 1.0L;
}

// The largest row sum of the matrix of derivatives of an acceleration, by x or by v.
static long double find_slope(const ExactPoint *at, const MotionPlace *place, long double length, bool of_v)
{
    const size_t n = at->dofs;
    long double  rows[CERTIFICATE_DOFS] = {0}, moved[CERTIFICATE_DOFS];
    MotionPlace  there = *place;
    long double *argument = of_v ? there.v : there.x;
    for (size_t j = 0; j < n; ++j) {
        const long double here = argument[j], by = 0x1p-24L * size_of(place, n, length, j, of_v);
        argument[j] = here + by;
        at->exact->acceleration(there.t, there.x, there.v, at->params, moved);
        argument[j] = here;
        for (size_t i = 0; i < n; ++i)
            rows[i] += fabsl(moved[i] - place->a[i]) / by;
    }
    return flow_norm(rows, n);
}

// Whether the acceleration is another at another velocity, or at another time.
static bool depends(const ExactPoint *at, const MotionPlace *place, long double length, long double of_v,
                    long double of_t)
{
    long double v[CERTIFICATE_DOFS], a[CERTIFICATE_DOFS];
    for (size_t i = 0; i < at->dofs; ++i)
        v[i] = place->v[i] + of_v * size_of(place, at->dofs, length, i, true);
    at->exact->acceleration(place->t + of_t, place->x, v, at->params, a);
    return memcmp(a, place->a, at->dofs * sizeof *a) != 0;
}

// The rounding of the acceleration in the kernel.
static long double find_force_rounding(const ExactPoint *at, const MotionPlace *place)
{
    Ball        x[CERTIFICATE_DOFS], v[CERTIFICATE_DOFS], a[CERTIFICATE_DOFS];
    long double worst = 0.0L;
    for (size_t i = 0; i < at->dofs; ++i) {
        x[i] = ball(place->x[i]);
        v[i] = ball(place->v[i]);
    }
    scalars_acceleration(at, ball(place->t), x, v, false, a);
    for (size_t i = 0; i < at->dofs; ++i)
        worst = larger_of(worst, a[i].off);
    return worst;
}

static void look_at(const ExactPoint *at, OrderMotion *motion, int k)
{
    const size_t      n = at->dofs;
    const long double length = motion->length;
    MotionPlace       place = {.t = motion->begin + length / TIMES * k};
    memcpy(place.x, motion->x[k], n * sizeof *place.x);
    memcpy(place.v, motion->v[k], n * sizeof *place.v);
    at->exact->acceleration(place.t, place.x, place.v, at->params, place.a);
    motion->damped = motion->damped || depends(at, &place, length, 0x1p-10L, 0.0L);
    motion->driven = motion->driven || depends(at, &place, length, 0.0L, 0.37L * length);
    motion->size_x = larger_of(motion->size_x, flow_norm(place.x, n));
    motion->size_v = larger_of(motion->size_v, flow_norm(place.v, n));
    motion->rounding = larger_of(motion->rounding, find_force_rounding(at, &place));
    motion->rate = larger_of(motion->rate, sqrtl(find_slope(at, &place, length, false)));
    motion->rate = larger_of(motion->rate, find_slope(at, &place, length, true));
}

// Finds the motion from a state. Its beginning and length are given.
//   x, v  [at->dofs] as the kernel begins
static void find_whole_motion(const ExactPoint *at, const double *x, const double *v, OrderMotion *motion)
{
    const long double part = (long double)motion->length / TIMES;
    Flow              flow = {.exact = at->exact, .params = at->params, .dofs = at->dofs, .unit = at->unit};
    *motion = (OrderMotion){.begin = motion->begin, .length = motion->length, .moves = true};
    for (size_t i = 0; i < at->dofs; ++i) {
        motion->x[0][i] = x[i];
        motion->v[0][i] = v[i];
    }
    look_at(at, motion, 0);
    for (int k = 1; k <= TIMES && motion->moves; ++k) {
        memcpy(motion->x[k], motion->x[k - 1], sizeof motion->x[k]);
        memcpy(motion->v[k], motion->v[k - 1], sizeof motion->v[k]);
        flow.rounding = motion->rounding;
        motion->moves = flow_move(&flow, motion->begin + (k - 1) * part, part, motion->x[k], motion->v[k]);
        if (motion->moves)
            look_at(at, motion, k);
    }
}

// All points of a group along one dimension, with an axis more, of the step.
static bool zip_points(Measurement *m, const Group *whole, Error *err)
{
    const size_t count = (size_t)whole->point_count;
    Group       *group = &m->group;
    uint64_t    *points = arena_take(&m->arena, count, sizeof *points, err);
    double      *steps = arena_take(&m->arena, count, sizeof *steps, err);
    Axis        *axes = arena_take(&m->arena, whole->axis_count + 1, sizeof *axes, err);
    for (size_t p = 0; steps && points && p < count; ++p) {
        points[p] = p;
        steps[p] = group_step(whole, p);
    }
    if (!points || !steps || !axes || !group_pick(whole, points, count, &m->arena, group, err))
        return false;
    for (size_t a = 0; a < whole->axis_count; ++a)
        axes[a] = group->axes[a];
    axes[whole->axis_count] = (Axis){.name = "window", .unit = "1", .about = "", .values = steps, .count = count};
    group->axes = axes;
    group->axis_count = whole->axis_count + 1;
    group->step = (Quantity){.axis = (int)whole->axis_count};
    group->steps = (Quantity){.value = TIMES, .axis = -1};
    group->step_given = group->steps_given = true;
    group->end_given = false;
    return true;
}

// Nothing is stored, and Newton's method goes on to rounding.
static void set_up(Group *group)
{
    group->variable_count = group->instance_count = 0;
    group->trajectory = (Trajectory){0};
    group->solution = (Solved){0};
    group->newton.tolerance = (Quantity){.value = 0.0, .axis = -1};
    group->newton.max_updates = (Quantity){.value = 50.0, .axis = -1};
    group->newton.scaled_residual = group->newton.floor_guard = true;
    group->newton.scale = NULL;
    group->substeps.budget = 200.0;
    group->walked = group->hasty = true;
}

// The motion of a point over its window, from the kernel's own initial state.
static void find_motion(Measurement *m, size_t point, const WalkState *begun)
{
    exact_point_load(&m->at, m->plan, &m->group, point);
    // The state of a first-order system moves as a velocity (kernels/first_order.h).
    const double nowhere[CERTIFICATE_DOFS] = {0};
    const bool   first = m->group.problem->first_order;
    find_whole_motion(&m->at, first ? nowhere : begun->x, first ? begun->x : begun->v, &m->points[point].motion);
}

static double distance(const double *kernel, const long double *motion, size_t n)
{
    long double apart[CERTIFICATE_DOFS];
    for (size_t i = 0; i < n; ++i)
        apart[i] = (long double)kernel[i] - motion[i];
    return (double)flow_norm(apart, n);
}

// Compares a state where a time of the motion has come.
static void note_state(Measurement *m, Measured *point, const WalkState *before, const WalkState *after)
{
    Level        *level = &point->levels[m->level];
    const int64_t every = (int64_t)1 << m->level, at = after->step / every;
    const bool    stopped = after->status != STATUS_NOT_RUN && after->status != STATUS_OK;
    if (stopped || after->n.failed_solves > 0 || after->step == before->step)
        level->counts = false;
    if (stopped || after->step == before->step || after->step % every != 0 || !point->motion.moves)
        return;
    const bool   first = m->group.problem->first_order;
    const size_t n = m->group.dofs;
    level->errors[0] = fmax(level->errors[0], distance(after->x, first ? point->motion.v[at] : point->motion.x[at], n));
    level->errors[1] = first ? level->errors[0] : fmax(level->errors[1], distance(after->v, point->motion.v[at], n));
}

static bool see_points(const Walk *walk, void *user, Error *err)
{
    (void)err;
    Measurement *m = user;
    const size_t steps = (size_t)TIMES << m->level;
    for (size_t column = 0; column < walk->count; ++column) {
        Measured *point = &m->points[walk->point[column]];
        WalkState before, after;
        walk_state(walk, walk->after, column, &after);
        if (!walk->before) {
            point->levels[m->level] = (Level){.counts = after.status == STATUS_NOT_RUN};
            if (m->level == 0)
                find_motion(m, walk->point[column], &after);
            continue;
        }
        walk_state(walk, walk->before, column, &before);
        if (before.status == STATUS_NOT_RUN && (uint64_t)before.step < steps)
            note_state(m, point, &before, &after);
    }
    return true;
}

// The possible rounding of x or v at a level: in each step of the state, of the acceleration, and of the residual that
// Newton's method leaves at its floor.
static double find_rounding(const Measurement *m, const Measured *point, int level, int quantity)
{
    const bool        implicit = m->group.method->unknown != UNKNOWN_NONE;
    const long double steps = (long double)(TIMES << level), T = point->motion.length, each = implicit ? 6.0L : 2.0L,
                      forces = implicit ? 2.0L : 1.0L;
    const long double v = each * steps *
                              (unit * point->motion.size_v +
                               sqrtl(unit * point->motion.size_x * point->motion.rounding)) +
                          forces * T * point->motion.rounding,
                      x = each * steps * unit * point->motion.size_x + T * v;
    return (double)(quantity == 0 ? x : v);
}

static bool is_above(const Measurement *m, const Measured *point, int level, int quantity)
{
    return point->levels[level].errors[quantity] > margin * find_rounding(m, point, level, quantity);
}

// Takes the points' windows at ever smaller steps, until rounding hides all errors.
static bool run_levels(Measurement *m, const RunOptions *options, Error *err)
{
    const size_t count = (size_t)m->group.point_count;
    bool         ok = true, above = true;
    for (m->level = 0; ok && above && m->level < LEVELS; ++m->level) {
        const uint64_t steps = (uint64_t)TIMES << m->level;
        m->group.steps.value = (double)steps;
        for (size_t p = 0; p < count; ++p)
            engine_place(&m->group, m->group.step, p, m->points[p].motion.length / (double)steps);
        const Batch batch = batch_make(&m->group, 0, 1);
        ok = device_walk(m->engine.program, &batch, options, see_points, m, err);
        above = false;
        for (size_t p = 0; ok && p < count; ++p) {
            const Measured *point = &m->points[p];
            const bool      open = !(point->done[0] && point->done[1]) && point->motion.moves;
            above = above || (open && (!point->levels[m->level].counts || is_above(m, point, m->level, 0) ||
                                       is_above(m, point, m->level, 1)));
        }
    }
    return ok;
}

// The least of a card's orders that apply to a point.
static int claimed(const Card *method, const Measured *point)
{
    int order = method->order;
    if (point->motion.damped && method->order_damped < order)
        order = method->order_damped;
    if (point->motion.driven && method->order_driven < order)
        order = method->order_driven;
    return order;
}

// The finding about an error from the levels of a window.
typedef enum OrderFinding {
    FINDING_SETTLED,
    FINDING_HIDDEN,  // by rounding, at every step
    FINDING_TOO_SHORT,
    FINDING_TOO_LONG,
    FINDING_UNCLEAR,  // the slope still changes where rounding begins
} OrderFinding;

// Takes the finest two slopes of so many levels.
static OrderFinding judge_window(const Measurement *m, Measured *point, int levels, int quantity)
{
    int    first = levels, count = 0;
    double slopes[2] = {NAN, NAN};
    while (first > 0 && point->levels[first - 1].counts)
        --first;
    if (!point->motion.moves || first == levels)
        return FINDING_TOO_LONG;
    for (int k = first; k < levels && is_above(m, point, k, quantity); ++k) {
        if (k > first) {
            slopes[0] = slopes[1];
            slopes[1] = log2(point->levels[k - 1].errors[quantity] / point->levels[k].errors[quantity]);
        }
        ++count;
    }
    if (count < LEAST_LEVELS && first + count < levels)
        return count == 0 && first == 0 ? FINDING_HIDDEN : FINDING_TOO_SHORT;
    const double left = fabs(slopes[1] - slopes[0]), least = claimed(m->group.method, point) - permitted;
    const bool   finest = first + count < levels;  // finer steps are hidden by rounding
    const bool   settled = left <= settled_within || (finest && slopes[1] - left >= least);
    // A slope that is too low, however it changes, is told where no window settles: the point does not hold either way.
    if (settled || (finest && slopes[1] + left < least)) {
        point->slopes[quantity] = slopes[1];
        point->steps[quantity] = point->motion.length / (double)((uint64_t)TIMES << (first + count - 1));
    }
    if (!settled)
        return finest ? FINDING_UNCLEAR : FINDING_TOO_LONG;
    // Where a stiff motion is damped away at every step the error does not change.
    if (slopes[1] < least && point->motion.length * (double)point->motion.rate > 1.0)
        return FINDING_TOO_LONG;
    return FINDING_SETTLED;
}

// Chooses the next window by the finding about an error; false: there is none.
static bool choose_window(Measured *point, int quantity, OrderFinding finding)
{
    const double rate = (double)point->motion.rate, most = fmax(point->most, rate > 0.0 ? 4.0 / rate : 0.0);
    if (finding == FINDING_UNCLEAR && point->longer < MOST_LONGER && 2.0 * point->motion.length <= most) {
        ++point->longer;
        point->motion.length *= 2.0;
        return true;
    }
    if (finding == FINDING_TOO_LONG || finding == FINDING_UNCLEAR)
        point->high = point->motion.length;
    else
        point->low = point->motion.length;
    point->hidden[quantity] = finding == FINDING_HIDDEN && point->motion.length >= most;
    if (point->hidden[quantity] || point->low >= most || point->high < 1.1 * point->low)
        return false;
    if (point->low > 0.0 && isfinite(point->high))
        point->motion.length = sqrt(point->low * point->high);
    else
        point->motion.length = fmin(point->low > 0.0 ? 2.0 * point->low : 0.25 * point->high, most);
    return true;
}

// Takes windows until the order of an error is settled at every point.
static bool measure_quantity(Measurement *m, int quantity, const RunOptions *options, Error *err)
{
    const size_t count = (size_t)m->group.point_count;
    size_t       open = 0;
    for (size_t p = 0; p < count; ++p) {
        m->points[p].low = 0.0;
        m->points[p].high = INFINITY;
        m->points[p].longer = 0;
        open += !m->points[p].done[quantity];
    }
    for (int window = 0; open > 0 && window < WINDOWS; ++window) {
        if (!run_levels(m, options, err))
            return false;
        for (size_t p = 0; p < count; ++p) {
            Measured  *point = &m->points[p];
            const bool other = point->done[1 - quantity];
            if (!other && judge_window(m, point, m->level, 1 - quantity) == FINDING_SETTLED)
                point->done[1 - quantity] = true;
            if (point->done[quantity])
                continue;
            const OrderFinding finding = judge_window(m, point, m->level, quantity);
            point->done[quantity] = finding == FINDING_SETTLED || !choose_window(point, quantity, finding);
            open -= point->done[quantity];
        }
    }
    return true;
}

// Sums up, and finds the point that is furthest below its card.
static void judge_points(const Measurement *m, const ConformScope *some, OrderMeasured *order)
{
    static const char *const names[QUANTITIES] = {"x", "v"};
    double                   worst = INFINITY;
    *order = (OrderMeasured){.points = m->group.point_count, .measured = INFINITY, .quantity = names[0]};
    for (size_t p = 0; p < m->group.point_count; ++p) {
        const Measured *point = &m->points[p];
        const int       card = claimed(m->group.method, point);
        bool            holds = true;
        for (int q = 0; q < QUANTITIES; ++q) {
            const double measured = point->hidden[q] ? INFINITY : point->slopes[q],
                         above = isnan(measured) ? -INFINITY : measured - card;
            holds = holds && above >= -permitted;
            if (order->card > 0 && above >= worst)
                continue;
            worst = above;
            order->point = scope_point(some, p);
            order->quantity = names[q];
            order->card = card;
            order->measured = measured;
            order->step = point->steps[q];
        }
        order->holding += holds;
        order->exact += holds && (point->hidden[0] || point->hidden[1]);
    }
}

bool order_measure(const Plan *plan, const Group *group, Device *device, const volatile sig_atomic_t *signals,
                   OrderMeasured *order, Error *err)
{
    const RunOptions options = {.signals = signals};
    ConformScope     some = {0};
    Plan             precise = *plan;
    Measurement      m = {.plan = &precise};
    precise.precision = PRECISION_DOUBLE;
    bool ok = scope_take(group, POINTS, &some, err) && zip_points(&m, &some.group, err) &&
              exact_make(group->problem, group->dofs, &m.exact, err) &&
              (m.points = arena_take(&m.arena, (size_t)m.group.point_count, sizeof *m.points, err)) &&
              exact_point_make(&m.exact, group->problem, group->dofs, false, &m.arena, &m.at, err);
    if (ok) {
        set_up(&m.group);
        for (size_t p = 0; p < m.group.point_count; ++p) {
            const double step = group_step(&some.group, p);
            m.points[p].motion.begin = group_begin(&m.group, p);
            m.points[p].motion.length = TIMES * step;
            m.points[p].most = 16.0 * step * fmax((double)group_steps(&some.group, p), TIMES);
            m.points[p].slopes[0] = m.points[p].slopes[1] = NAN;
        }
        ok = engine_compose(&m.engine, m.plan, &m.group, err) && engine_build(&m.engine, device, 1, err) &&
             measure_quantity(&m, 0, &options, err) && measure_quantity(&m, 1, &options, err);
    }
    if (ok)
        judge_points(&m, &some, order);
    engine_free(&m.engine);
    exact_free(&m.exact);
    arena_free(&m.arena);
    scope_free(&some);
    return ok;
}

bool order_holds(const OrderMeasured *order)
{
    return order->points > 0 && order->holding == order->points;
}
