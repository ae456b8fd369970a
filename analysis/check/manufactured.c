// manufactured -- the motion of a sweep, a smooth one like it, and the errors of ever smaller steps.
#include "analysis/check/manufactured.h"

#include "analysis/conform/points/scope.h"
#include "engine/engine.h"

#include <math.h>
#include <string.h>

// The times of a run that are compared; the most steps of a window; the samples of the sweep's own motion. Levels are
// the sweep's step times 2^3 to 2^-6.
enum { TIMES = 8, MOST_STEPS = 4096, MOST_SAMPLES = 512, COARSER = 3, FINER = 6, LEVELS = COARSER + 1 + FINER };

// Slopes are of so many levels in a row, or fewer where rounding leaves no more.
enum { ROW = 4, LEAST_ROW = 3 };

static const double unit = 0x1p-53, margin = 64.0, permitted = 0.25, largest_error = 0.5, near = 0.05, bend = 0.4,
                    root = M_SQRT2, most_turned = 0.5;

const char *const manufactured_keys[MANUFACTURED_KEYS] = {"precision=double", "metrics=[status]",
                                                          "trajectory={samples: 2, fields: [x]}", "derivatives=null"};

// The manufactured solution of a coordinate.
typedef struct SolutionCourse {
    double middle, size, rate;
} SolutionCourse;

// What is measured of a point of a group.
typedef struct MeasuredPoint {
    const double *start;           // [dofs] of the sweep
    double        window;          // length of time
    double       *states[LEVELS];  // x, then v of the times: [1 or 2][TIMES][dofs]; NULL: the run failed, or none was
    double        errors[LEVELS];  // NaN: none
    double        slope;
    bool          rounding, held;
} MeasuredPoint;

typedef struct OrderMeasurement {
    const Plan     *own;
    Device         *device;
    RunOptions      options;
    Manufactured   *made;
    SolutionCourse *courses;  // [dofs]
    size_t          dofs;
    double          rate;  // the largest
    // Of the group at hand:
    int            card;
    bool           follows;  // the manufactured solution, not the motion of the sweep itself
    ConformScope   scope;
    Group          group;   // its points, with an axis for the step
    MeasuredPoint *points;  // [group.point_count]
    uint64_t       steps;   // of the level of the sweep's step
    Arena          arena;
} OrderMeasurement;

// The variable of a field of trajectories.
static size_t find_field(const Group *group, VariableSource source)
{
    size_t v = 0;
    while (v < group->variable_count && group->variables[v].source != source)
        ++v;
    return v;
}

// Points of a group along one dimension, each with a step of its own, and so many samples of their trajectories.
static bool zip_points(const ConformScope *scope, size_t samples, Arena *arena, Group *group, Error *err)
{
    const size_t count = (size_t)scope->group.point_count;
    uint64_t    *points = arena_take(arena, count, sizeof *points, err);
    double      *steps = arena_take(arena, count, sizeof *steps, err);
    Axis        *axes = arena_take(arena, scope->group.axis_count + 1, sizeof *axes, err);
    Variable    *variables = arena_take(arena, scope->group.variable_count, sizeof *variables, err);
    for (size_t p = 0; points && p < count; ++p)
        points[p] = p;
    if (!points || !steps || !axes || !variables || !group_pick(&scope->group, points, count, arena, group, err))
        return false;
    for (size_t a = 0; a < group->axis_count; ++a)
        axes[a] = group->axes[a];
    for (size_t v = 0; v < group->variable_count; ++v) {
        variables[v] = group->variables[v];
        if (variables[v].trajectory)
            variables[v].width = variables[v].width / group->trajectory.sample_count * samples;
    }
    axes[group->axis_count] = (Axis){.name = "window", .unit = "1", .about = "", .values = steps, .count = count};
    group->axes = axes;
    group->variables = variables;
    group->step = (Quantity){.axis = (int)group->axis_count++};
    group->steps = (Quantity){.value = 1.0, .axis = -1};
    group->step_given = group->steps_given = true;
    group->end_given = false;
    group->hasty = true;
    group->trajectory.every = 0;
    group->trajectory.sample_count = samples;
    return true;
}

// Runs all points of the group in so many steps each over their windows.
static bool run(const OrderMeasurement *m, const Plan *plan, Group *group, uint64_t steps, Results *results, Error *err)
{
    Engine engine = {0};
    group->steps.value = (double)steps;
    for (size_t p = 0; p < group->point_count; ++p)
        engine_place(group, group->step, p, m->points[p].window / (double)steps);
    const bool ok =
        engine_make(&engine, m->device, plan, group, 0, err) && engine_run_all(&engine, &m->options, results, err);
    engine_free(&engine);
    return ok;
}

// Takes points of a group that stand for all.
static bool take_points(OrderMeasurement *m, const Group *group, Error *err)
{
    scope_free(&m->scope);
    if (!scope_take(group, MANUFACTURED_POINTS, &m->scope, err))
        return false;
    m->points = arena_take(&m->arena, (size_t)m->scope.group.point_count, sizeof *m->points, err);
    m->steps = TIMES;
    for (size_t p = 0; m->points && p < m->scope.group.point_count; ++p) {
        const uint64_t steps = group_steps(&m->scope.group, p), some = steps < MOST_STEPS ? steps : MOST_STEPS;
        m->points[p].window = group_step(&m->scope.group, p) * (double)some;
        m->steps = some > m->steps ? some : m->steps;
    }
    // Coarser levels halve the number. Steps shorter by at most an eighth are near enough to those of the sweep.
    uint64_t multiple = TIMES;
    while (multiple < TIMES << COARSER && 16 * multiple <= m->steps)
        multiple *= 2;
    m->steps = (m->steps + multiple - 1) / multiple * multiple;
    return m->points != NULL;
}

// Widens the range of a coordinate by the motion of a point, and takes its pace where it is the largest: a sine that
// turns at the rate r goes 2 r size/pi in a unit of time.
static void look_at(const Results *results, size_t field, size_t p, size_t samples, size_t dofs, size_t i,
                    double window, double range[2], double *rate)
{
    double way = 0.0, last = results_value(results, field, p, i), least = last, most = last;
    for (size_t k = 1; k < samples; ++k) {
        const double x = results_value(results, field, p, k * dofs + i);
        way += fabs(x - last);
        least = fmin(least, x);
        most = fmax(most, x);
        last = x;
    }
    range[0] = fmin(range[0], least);
    range[1] = fmax(range[1], most);
    const double pace = most > least ? M_PI * way / ((most - least) * window) : M_PI / window;
    *rate = fmax(*rate, pace);
}

// The courses like the motions of a group's points; false in *found where one does not come to the end.
static bool find_courses(OrderMeasurement *m, const Group *whole, bool *found, Error *err)
{
    Group   group;
    Results results = {0};
    if (!take_points(m, whole, err))
        return false;
    const size_t samples = (size_t)(m->steps < MOST_SAMPLES ? m->steps : MOST_SAMPLES) + 1;
    bool ok = zip_points(&m->scope, samples, &m->arena, &group, err) && run(m, m->own, &group, m->steps, &results, err);
    const size_t field = ok ? find_field(&group, SOURCE_X) : 0;
    *found = ok;
    for (size_t p = 0; *found && p < group.point_count; ++p)
        *found = results_value(&results, 0, p, 0) == STATUS_OK;
    double fastest = INFINITY;
    for (size_t p = 0; *found && p < group.point_count; ++p)
        fastest = fmin(fastest, most_turned * (double)m->steps / m->points[p].window);
    for (size_t i = 0; *found && i < m->dofs; ++i) {
        double range[2] = {INFINITY, -INFINITY}, rate = 0.0;
        for (size_t p = 0; p < group.point_count; ++p)
            look_at(&results, field, p, samples, m->dofs, i, m->points[p].window, range, &rate);
        m->courses[i] = (SolutionCourse){
            .middle = 0.5 * (range[0] + range[1]), .size = 0.5 * (range[1] - range[0]), .rate = fmin(rate, fastest)};
    }
    results_free(&results);
    return ok;
}

// A coordinate that rests moves by half of its value, or as far as the one that moves most.
static void move_resting(OrderMeasurement *m)
{
    double most = 0.0;
    m->rate = 0.0;
    for (size_t i = 0; i < m->dofs; ++i) {
        most = fmax(most, m->courses[i].size);
        m->rate = fmax(m->rate, m->courses[i].rate);
    }
    for (size_t i = 0; i < m->dofs; ++i) {
        SolutionCourse *course = &m->courses[i];
        if (!(course->size > 0.0))
            course->size = course->middle != 0.0 ? 0.5 * fabs(course->middle) : most > 0.0 ? most : 1.0;
    }
}

static bool choose_courses(OrderMeasurement *m, Error *err)
{
    bool found = false;
    m->dofs = m->own->groups[0].dofs;
    m->courses = arena_take(&m->arena, m->dofs, sizeof *m->courses, err);
    for (size_t g = 0; m->courses && !found && g < m->own->group_count; ++g)
        if (!find_courses(m, &m->own->groups[g], &found, err))
            return false;
    if (m->courses && !found)
        return fail(err, ERROR_INPUT,
                    "%s: no method comes to the end at all points, so that the range of the motion is not known: give "
                    "a smaller step",
                    m->own->spec->path);
    if (m->courses)
        move_resting(m);
    return m->courses != NULL;
}

// The k-th formula under a key, 0 where there is none.
static const char *formula_of(const YamlNode *node, size_t k)
{
    return !node ? "0" : node->kind == YAML_SEQUENCE ? node->items[k]->text : node->text;
}

static void add_course(const SolutionCourse *course, const char *start, Text *text)
{
    Text formula = {0};
    text_add(
        &formula, "%.17g + %.17g*sin(asin(max(-1, min(1, ((%s) - (%.17g))/%.17g))) + %.17g*t + %.17g*sin(%.17g*t))",
        course->middle, course->size, start, course->middle, course->size, course->rate, bend, root * course->rate);
    yaml_write_text(formula.text ? formula.text : "", text);
    text->failed = text->failed || formula.failed;
    text_free(&formula);
}

static void add_problem(const OrderMeasurement *m, const YamlNode *problem, Text *text)
{
    static const char *const replaced[] = {"start", "start_velocity", "exact"};
    const YamlNode          *start = yaml_said(problem, "start");
    text_add(text, "problem: {");
    for (size_t k = 0; k < problem->count; ++k) {
        bool is = false;
        for (size_t i = 0; i < sizeof replaced / sizeof *replaced; ++i)
            is = is || yaml_is_word(problem->keys[k], replaced[i]);
        if (is)
            continue;
        yaml_write(problem->keys[k], text);
        text_add(text, ": ");
        yaml_write(problem->items[k], text);
        text_add(text, ", ");
    }
    text_add(text, "manufactured: [");
    for (size_t i = 0; i < m->dofs; ++i) {
        text_add(text, "%s", i > 0 ? ", " : "");
        add_course(&m->courses[i], formula_of(start, i), text);
    }
    text_add(text, "]}\n");
}

// The sweep with the solution: every key but the problem is as it is.
static bool make_sweep(OrderMeasurement *m, Error *err)
{
    const YamlNode *sweep = m->own->spec->root;
    Text           *text = &m->made->text;
    for (size_t k = 0; k < sweep->count; ++k) {
        const char *key = sweep->keys[k]->text;
        if (strcmp(key, "problem") == 0) {
            add_problem(m, sweep->items[k], text);
        } else if (strcmp(key, "trajectory") == 0) {
            text_add(text, "trajectory: {samples: 2, fields: [x%s]}\n", m->own->problem->first_order ? "" : ", v");
        } else {
            text_add(text, "%s: ", key);
            yaml_write(sweep->items[k], text);
            text_add(text, "\n");
        }
    }
    return text_check(text, err) && spec_read_text(m->own->spec->path, text->text, NULL, 0, &m->made->spec, err) &&
           plan_make(&m->made->spec, m->own->catalog, &m->made->plan, err);
}

// The course of a coordinate, and its velocity, at a time.
static void follow(const SolutionCourse *course, double start, double t, double *x, double *v)
{
    const double angle = asin(fmax(-1.0, fmin(1.0, (start - course->middle) / course->size))) + course->rate * t +
                         bend * sin(root * course->rate * t);
    *x = course->middle + course->size * sin(angle);
    *v = course->size * cos(angle) * course->rate * (1.0 + bend * root * cos(root * course->rate * t));
}

// Keeps what a level's run has come to.
static bool keep_states(OrderMeasurement *m, const Results *results, int place, Error *err)
{
    const size_t fields[2] = {find_field(&m->group, SOURCE_X), find_field(&m->group, SOURCE_V)},
                 count = TIMES * m->dofs;
    for (size_t p = 0; p < m->group.point_count; ++p) {
        double **states = &m->points[p].states[place];
        *states = NULL;
        if (results_value(results, 0, p, 0) != STATUS_OK)
            continue;
        *states = arena_take(&m->arena, 2 * count, sizeof **states, err);
        for (size_t f = 0; *states && f < 2 && fields[f] < m->group.variable_count; ++f)
            for (size_t i = 0; i < count; ++i)
                (*states)[f * count + i] = results_value(results, fields[f], p, m->dofs + i);
        if (!*states)
            return false;
    }
    return true;
}

static bool run_level(OrderMeasurement *m, int level, Error *err)
{
    const uint64_t steps = level < 0 ? m->steps >> -level : m->steps << level;
    Results        results = {0};
    if (steps < TIMES || steps % TIMES != 0)
        return true;
    const bool ok = run(m, m->follows ? &m->made->plan : m->own, &m->group, steps, &results, err) &&
                    keep_states(m, &results, level + COARSER, err);
    results_free(&results);
    return ok;
}

// The error of a level's run at one of the times: from the solution, or from the run of half the step.
static double error_at(const OrderMeasurement *m, const MeasuredPoint *point, int place, size_t k)
{
    const bool    moves = m->follows && !m->made->plan.problem->first_order;
    const double *states = point->states[place], *finer = place + 1 < LEVELS ? point->states[place + 1] : NULL;
    double        worst = 0.0;
    if (!states || (!m->follows && !finer))
        return NAN;
    for (size_t i = 0; i < m->dofs; ++i) {
        const SolutionCourse *course = &m->courses[i];
        const size_t          at = k * m->dofs + i;
        double                x, v;
        follow(course, point->start[i], point->window * (double)(k + 1) / TIMES, &x, &v);
        worst = fmax(worst, fabs(states[at] - (m->follows ? x : finer[at])) / course->size);
        if (moves)
            worst = fmax(worst, fabs(states[TIMES * m->dofs + at] - v) / (course->size * course->rate));
    }
    return worst;
}

// The errors up to the last time at which the sweep's step, or the first finer one that runs, is near the motion: later
// ones have grown with the motion and say nothing about the order.
static void find_errors(const OrderMeasurement *m, MeasuredPoint *point)
{
    int    place = COARSER;
    size_t times = 1;
    while (place + 1 < LEVELS && isnan(error_at(m, point, place, 0)))
        ++place;
    while (times < TIMES && error_at(m, point, place, times) <= near)
        ++times;
    for (place = 0; place < LEVELS; ++place) {
        point->errors[place] = 0.0;
        for (size_t k = 0; k < times; ++k) {
            const double error = error_at(m, point, place, k);
            point->errors[place] = isnan(error) || error > point->errors[place] ? error : point->errors[place];
        }
    }
}

// What rounding may do in the steps of a level, in units of the courses: it walks at random.
static double rounding_of(const OrderMeasurement *m, const MeasuredPoint *point, int place)
{
    double size = 1.0;
    for (size_t i = 0; i < m->dofs; ++i)
        size = fmax(size, fabs(m->courses[i].middle) / m->courses[i].size);
    return margin * unit * size * sqrt(ldexp((double)m->steps, place - COARSER)) * (1.0 + m->rate * point->window);
}

static bool counts(const OrderMeasurement *m, const MeasuredPoint *point, int place)
{
    return point->errors[place] > rounding_of(m, point, place) && point->errors[place] < largest_error;
}

// The slope of the line through the logarithms of errors of levels in a row; NaN where one does not count.
static double slope_of(const OrderMeasurement *m, const MeasuredPoint *point, int first, int length)
{
    double sum = 0.0, weights = 0.0;
    for (int k = 0; k < length; ++k) {
        const double at = k - 0.5 * (length - 1);
        if (first + k >= LEVELS || !counts(m, point, first + k))
            return NAN;
        sum -= at * log2(point->errors[first + k]);
        weights += at * at;
    }
    return sum / weights;
}

// The best slope of rows that begin at the sweep's step or finer; where rounding leaves none, of coarser ones.
static void judge_point(const OrderMeasurement *m, MeasuredPoint *point, int card)
{
    double slope = NAN;
    for (int length = ROW; length >= LEAST_ROW && isnan(slope); --length) {
        for (int first = COARSER; first < LEVELS; ++first)
            slope = fmax(slope, slope_of(m, point, first, length));
        for (int first = COARSER - 1; first >= 0 && isnan(slope); --first)
            slope = slope_of(m, point, first, length);
    }
    point->slope = slope;
    point->rounding = false;
    for (int place = 0; place < LEVELS && isnan(slope); ++place)
        point->rounding = point->rounding || point->errors[place] <= rounding_of(m, point, place);
    point->held = slope >= card - permitted;
}

// Whether all points have the card's order.
static bool judge(OrderMeasurement *m)
{
    bool all = true;
    for (size_t p = 0; p < m->group.point_count; ++p) {
        find_errors(m, &m->points[p]);
        judge_point(m, &m->points[p], m->card);
        all = all && m->points[p].held;
    }
    return all;
}

static bool run_levels(OrderMeasurement *m, Error *err)
{
    static const int parts[][2] = {{0, ROW}, {-COARSER, -1}, {ROW + 1, FINER}};
    bool             held = false;
    for (size_t p = 0; p < m->group.point_count; ++p)
        memset(m->points[p].states, 0, sizeof m->points[p].states);
    for (size_t part = 0; !held && part < sizeof parts / sizeof *parts; ++part) {
        for (int level = parts[part][0]; level <= parts[part][1]; ++level)
            if (!run_level(m, level, err))
                return false;
        held = judge(m);
    }
    return true;
}

// The solution depends on the time, and so does the force.
static int claimed(const Group *group)
{
    const Card *method = group->method;
    int         order = method->order < method->order_driven ? method->order : method->order_driven;
    return group->problem->damped && method->order_damped < order ? method->order_damped : order;
}

// The point whose order is least; one without any before all.
static ManufacturedFinding sum_up(const OrderMeasurement *m, ManufacturedOrder *order)
{
    const MeasuredPoint *least = NULL;
    bool                 held = true;
    for (size_t p = 0; p < m->group.point_count; ++p) {
        const MeasuredPoint *point = &m->points[p];
        held = held && (point->held || point->rounding);
        if (point->rounding || (least && !(point->slope < least->slope) && !isnan(point->slope)))
            continue;
        least = point;
        order->point = scope_point(&m->scope, p);
    }
    const double slope = least ? least->slope : NAN;
    *(m->follows ? &order->measured : &order->own) = slope;
    if (m->follows) {
        order->step = group_step(&m->scope.group, least ? (size_t)(least - m->points) : 0);
        order->error = (least ? least : m->points)->errors[COARSER];
    }
    return held ? (least ? ORDER_HELD : ORDER_ROUNDING) : isnan(slope) ? ORDER_FAILED : ORDER_LOW;
}

// Takes the order of the group's points, on the solution or on the sweep's own motion.
static bool take_order(OrderMeasurement *m, const Group *group, bool follows, ManufacturedOrder *order,
                       ManufacturedFinding *finding, Error *err)
{
    MeasuredPoint *points = m->points;
    m->follows = follows;
    if (!take_points(m, group, err))
        return false;
    m->points = points;
    if (!zip_points(&m->scope, TIMES + 1, &m->arena, &m->group, err) || !run_levels(m, err))
        return false;
    *finding = sum_up(m, order);
    return true;
}

// The points begin where the sweep's do: clamped to the range as the formula does.
static bool find_starts(OrderMeasurement *m, const Group *own, Error *err)
{
    Group   group;
    Results results = {0};
    bool    ok = take_points(m, own, err) && zip_points(&m->scope, 2, &m->arena, &group, err) &&
              run(m, m->own, &group, 1, &results, err);
    const size_t field = ok ? find_field(&group, SOURCE_X) : 0;
    for (size_t p = 0; ok && p < group.point_count; ++p) {
        double *start = arena_take(&m->arena, m->dofs, sizeof *start, err);
        ok = start != NULL;
        for (size_t i = 0; ok && i < m->dofs; ++i)
            start[i] = results_value(&results, field, p, i);
        m->points[p].start = start;
    }
    results_free(&results);
    return ok;
}

static bool measure_group(OrderMeasurement *m, size_t g, Error *err)
{
    const Group        *own = &m->own->groups[g], *group = &m->made->plan.groups[g];
    ManufacturedOrder  *order = &m->made->orders[g];
    ManufacturedFinding by_itself;
    *order = (ManufacturedOrder){
        .group = group, .measured = NAN, .own = NAN, .step = NAN, .error = NAN, .finding = ORDER_ADAPTIVE};
    m->card = order->card = claimed(group);
    if (group->method->adaptive)
        return true;
    if (!find_starts(m, own, err) || !take_order(m, own, false, order, &by_itself, err) ||
        !take_order(m, group, true, order, &order->finding, err))
        return false;
    if (!manufactured_spoils(order) && by_itself == ORDER_LOW)
        order->finding = by_itself;
    return true;
}

static bool check_problem(const Plan *own, Error *err)
{
    const YamlNode *problem = yaml_find(own->spec->root, "problem"), *given = yaml_said(problem, "manufactured"),
                   *begin = yaml_said(own->spec->root, "begin");
    if (problem->kind != YAML_MAPPING)
        return yaml_fail(problem, err,
                         "--manufactured: '%.60s' is no system of formulas or matrices: write its equations under "
                         "`problem`, or examine the sweep by `pendula conform`",
                         problem->text);
    if (own->problem->begin)
        return yaml_fail(begin ? begin : problem, err,
                         "--manufactured: its solution begins at t = 0, leave `begin` out");
    return !given || yaml_fail(given, err, "--manufactured chooses the solution itself: leave the key out");
}

bool manufactured_measure(const Plan *own, Device *device, const volatile sig_atomic_t *signals,
                          Manufactured *manufactured, Error *err)
{
    OrderMeasurement m = {.own = own, .device = device, .options = {.signals = signals}, .made = manufactured};
    bool             ok = check_problem(own, err) && choose_courses(&m, err) && make_sweep(&m, err);
    if (ok)
        manufactured->orders = arena_take(&manufactured->arena, own->group_count, sizeof *manufactured->orders, err);
    ok = ok && manufactured->orders;
    for (size_t g = 0; ok && g < own->group_count; ++g)
        ok = measure_group(&m, g, err);
    scope_free(&m.scope);
    arena_free(&m.arena);
    return ok;
}

bool manufactured_spoils(const ManufacturedOrder *order)
{
    return order->finding >= ORDER_LOW;
}

void manufactured_free(Manufactured *manufactured)
{
    plan_free(&manufactured->plan);
    spec_free(&manufactured->spec);
    text_free(&manufactured->text);
    arena_free(&manufactured->arena);
}
