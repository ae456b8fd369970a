// plan -- `pendula plan SWEEP.yaml`: points, storage and estimated time of a sweep; nothing is written.
#include "base/clock.h"
#include "base/json.h"
#include "compose/compose.h"
#include "engine/engine.h"
#include "terminal/commands.h"
#include "terminal/sweep_argument.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct PlanArguments {
    SweepArgument sweep;
    const char   *device;
    bool          unmeasured, json;
} PlanArguments;

static const double pilot_seconds = 0.25;

static const Option plan_options[] = {
    SWEEP_ARGUMENT_SET(PlanArguments, sweep),
    {"device", 'd', "DEVICE", OPTION_TEXT(PlanArguments, device),
     "the device to estimate the time for, as for `pendula run`"},
    {"no-time", 0, NULL, OPTION_FLAG(PlanArguments, unmeasured), "compile and measure nothing"},
    OPTION_ROW_JSON(PlanArguments, json)};

const Usage plan_command_usage = {
    USAGE_OPTIONS(plan_options), .arguments = SWEEP_ARGUMENT(PlanArguments, sweep),
    .about = "Tells what a sweep would compute: groups, axes, points, steps, blocks and bytes, and about how long it "
             "would take. Writes nothing.",
    .notes = "The time is measured: of each group some points run to their end, which says how many substeps and "
             "Newton updates there are, and the beginnings of some batches for a part of a second. Compiling is "
             "measured apart."};

// The time is estimated by a short measured run of each group. Two questions have two answers. How fast is the device?
// The beginnings of whole batches say, which fill it. How much is there to do? Points that need few substeps and
// updates a step are the first to get far, so beginnings say too little: some points, spread over the group, run to
// their end.
typedef struct Pilot {
    double   compile_seconds;  // of building, and of the first launch, at which some drivers compile too
    double   seconds;          // measured, after that
    uint64_t work;             // substeps tried and updates made in them
    double   total_work;       // of all points of the group, estimated
    bool     ended;            // the points from which it is estimated came to their end
} Pilot;

// The time that a run of all groups would take.
typedef struct PilotEstimate {
    bool   known;
    char   device[256];
    double seconds, compile_seconds;  // of computing; of compiling the programs that no cache has
    double work, measured;            // substeps and updates; seconds of the batches from which it is estimated
    bool   ended;                     // the points from which it is estimated came to their end
    Error  why;                       // it is not known
} PilotEstimate;

// A plan says how much memory a point of a larger system takes.
enum { MEMORY_TOLD = 32 };

enum { PLACES = 3, LARGE_SAMPLE = 256, SMALL_SAMPLE = 16 };

// Sums over the slices of one run.
typedef struct Watch {
    double                limit, seconds;
    uint64_t              steps, work;
    volatile sig_atomic_t stop;
} Watch;

// Steps of all points of a group together; UINT64_MAX where they do not fit.
static uint64_t count_steps(const Group *group)
{
    // The steps follow one axis at most, so that the points of a grid need not be visited one by one.
    const int      along = group->steps_given ? group->steps.axis : group->step.axis;
    const uint64_t values = along < 0 ? 1 : group->axes[along].count, share = group->point_count / values;
    uint64_t       total = 0, stride = 1, steps;
    for (size_t i = along < 0 ? group->dim_count : group->axes[along].dim + 1; i < group->dim_count; ++i)
        stride *= group->dims[i].count;
    for (uint64_t i = 0; i < values; ++i)
        if (__builtin_mul_overflow(group_steps(group, i * stride), share, &steps) ||
            __builtin_add_overflow(total, steps, &total))
            return UINT64_MAX;
    return total;
}

static void watch_slice(const Progress *progress, void *user)
{
    Watch *watch = user;
    watch->seconds += progress->seconds;
    watch->steps += progress->steps;
    watch->work += progress->used;
    if (watch->seconds >= watch->limit)
        watch->stop = 2;
}

// Runs a batch until it ends or the watch stops it.
static bool run_batch(const Engine *engine, uint64_t block, uint64_t blocks, Watch *watch, Error *err)
{
    const Batch      batch = batch_make(engine->group, block, blocks);
    const RunOptions options = {.signals = &watch->stop, .progress = watch_slice, .user = watch};
    Results          results SCOPED(results_free) = {0};
    bool             ok = results_make(engine->group, batch.point_count, batch.slot_count, &results, err);
    if (ok && !engine_run(engine, &batch, &options, &results, err))
        ok = err->kind == ERROR_STOPPED && watch->stop != 0;
    return ok;
}

// At most so many points of a group, spread over it, as a group of one block; no trajectory is stored. The arena holds
// its axes.
static bool sample_make(const Group *group, size_t most, Arena *arena, Group *sample, Error *err)
{
    const size_t count = group->point_count < most ? (size_t)group->point_count : most;
    uint64_t    *points = arena_take(arena, count, sizeof *points, err);
    for (size_t i = 0; points && i < count; ++i) {
        // One from each of as many equal parts, at places in them that follow no axis.
        const double place = count < most ? 0.0 : fmod((double)i * 0.6180339887498949, 1.0);
        points[i] = (uint64_t)(((double)i + place) / (double)count * (double)group->point_count);
    }
    if (!points || !group_pick(group, points, count, arena, sample, err))
        return false;
    sample->trajectory.slot_count = 0;
    if (group->trajectory.stored)
        sample->trajectory.selected_count[0] = 0;
    return true;
}

static bool make_engine(Engine *engine, Device *device, const Plan *plan, const Group *group, Error *err)
{
    return engine_compose(engine, plan, group, err) && engine_leave_unsolved(engine, err) &&
           engine_build(engine, device, 0, err);
}

// Estimates how much there is to do from so many points.
static bool run_sample(const Engine *whole, size_t most, double seconds, Pilot *pilot, Error *err)
{
    const Group *group = whole->group;
    Arena        arena SCOPED(arena_free) = {0};
    Group        sample = {0};
    Engine       engine SCOPED(engine_free) = {0};
    Watch        watch = {.limit = seconds};
    bool         ok = sample_make(group, most, &arena, &sample, err) &&
              make_engine(&engine, whole->device, whole->plan, &sample, err) && run_batch(&engine, 0, 1, &watch, err);
    pilot->ended = ok && watch.stop == 0;
    if (pilot->ended)
        pilot->total_work = (double)watch.work / (double)sample.point_count * (double)group->point_count;
    else if (watch.steps > 0)
        pilot->total_work = (double)watch.work / (double)watch.steps * (double)count_steps(group);
    return ok;
}

// Fewer points come to their end where many do not.
static bool measure_work(const Engine *engine, double seconds, Pilot *pilot, Error *err)
{
    bool ok = true;
    pilot->total_work = (double)count_steps(engine->group);
    for (size_t most = LARGE_SAMPLE; ok && !pilot->ended && most >= SMALL_SAMPLE; most /= 4)
        ok = run_sample(engine, most, seconds, pilot, err);
    return ok;
}

// Measures how fast that is done.
static bool measure_speed(const Engine *engine, double seconds, Pilot *pilot, Error *err)
{
    uint64_t blocks = 0, most = 0, last = UINT64_MAX;
    bool     ok = program_batch_blocks(engine->program, &blocks, &most, err);
    for (uint64_t place = 0; ok && place < PLACES; ++place) {
        Watch          watch = {.limit = seconds};
        const uint64_t block = (engine->group->block_count - blocks) * place / (PLACES - 1);
        if (block == last)
            continue;
        last = block;
        ok = run_batch(engine, block, blocks, &watch, err);
        pilot->seconds += watch.seconds;
        pilot->work += watch.work;
    }
    return ok;
}

// Runs up to 256 points of the group to their end, fewer where that takes longer than twice `seconds`, then the
// beginnings of up to three batches, from its first, middle and last points, each for about `seconds`. The results are
// thrown away.
static bool run_pilot(Device *device, const Plan *plan, const Group *group, double seconds, Pilot *pilot, Error *err)
{
    Engine       engine SCOPED(engine_free) = {0};
    Watch        first = {0};  // stops after one slice
    const double begin = clock_seconds();
    *pilot = (Pilot){0};
    bool ok = make_engine(&engine, device, plan, group, err) && run_batch(&engine, 0, 1, &first, err);
    pilot->compile_seconds = clock_seconds() - begin;
    return ok && measure_work(&engine, 2 * seconds, pilot, err) && measure_speed(&engine, seconds, pilot, err);
}

// Runs a pilot of each group of a plan.
static void estimate_time(const char *which, const Plan *plan, double seconds, PilotEstimate *estimate)
{
    Device *device = NULL;
    *estimate = (PilotEstimate){.ended = true};
    bool ok = device_open(which, plan->precision, &device, &estimate->why);
    for (size_t g = 0; ok && g < plan->group_count; ++g) {
        Pilot pilot;
        ok = run_pilot(device, plan, &plan->groups[g], seconds, &pilot, &estimate->why);
        if (!ok)
            continue;
        estimate->compile_seconds += pilot.compile_seconds;
        estimate->measured += pilot.seconds;
        estimate->work += pilot.total_work;
        estimate->ended = estimate->ended && pilot.ended;
        estimate->seconds += pilot.work > 0 ? pilot.total_work * pilot.seconds / (double)pilot.work : 0.0;
    }
    estimate->known = ok;
    if (ok)
        snprintf(estimate->device, sizeof estimate->device, "%s", device_info(device)->name);
    device_close(device);
}

static void add_bytes(Text *text, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double                   amount = (double)bytes;
    size_t                   unit = 0;
    for (; amount >= 1024.0; ++unit)
        amount /= 1024.0;
    text_add(text, unit ? "%.1f %s" : "%.0f %s", amount, units[unit]);
}

static void add_duration(Text *text, double seconds)
{
    if (seconds < 1.0)
        text_add(text, "less than a second");
    else if (seconds < 120.0)
        text_add(text, "%.0f s", seconds);
    else if (seconds < 7200.0)
        text_add(text, "%.0f minutes", seconds / 60.0);
    else if (seconds < 172800.0)
        text_add(text, "%.1f hours", seconds / 3600.0);
    else
        text_add(text, "%.3g days", seconds / 86400.0);
}

static void add_axis(Text *text, const Axis *axis)
{
    text_add(text, "  %-12s %6zu value%s %.6g", axis->name, axis->count,
             axis->count == 1 ? ": " : "s:", axis->values[0]);
    if (axis->count > 1)
        text_add(text, "%s%.6g", axis->count > 2 ? " .. " : ", ", axis->values[axis->count - 1]);
    text_add(text, "\n");
}

// Axes that go together are in no order: their least and their most.
static void add_together(Text *text, const Group *group, size_t dim)
{
    if (group->sampling && dim + 1 == group->dim_count)
        text_add(text, "  %-12s %6zu points of the design %s\n", group->dims[dim].name, group->dims[dim].count,
                 group->sampling_text);
    else
        text_add(text, "  %-12s %6zu values together\n", group->dims[dim].name, group->dims[dim].count);
    for (size_t i = 0; i < group->axis_count; ++i) {
        const Axis *axis = &group->axes[i];
        double      least, most;
        if (axis->dim != dim)
            continue;
        if (!axis->values) {
            text_add(text, "    %-10s %s\n", axis->name, axis->distribution);
            continue;
        }
        group_find_ends(group, (Quantity){.axis = (int)i}, &least, &most);
        text_add(text, "    %-10s from %.6g to %.6g\n", axis->name, least, most);
    }
}

static void add_axes(Text *text, const Group *group)
{
    for (size_t d = 0; d < group->dim_count; ++d) {
        if (group->dims[d].together)
            add_together(text, group, d);
        for (size_t i = 0; i < group->axis_count; ++i)
            if (group->axes[i].dim == d && !group->dims[d].together)
                add_axis(text, &group->axes[i]);
    }
}

// Bytes of a group's variables in the result file.
static uint64_t count_bytes(const Group *group)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        const uint64_t  rows = variable->trajectory ? group->trajectory.slot_count : group->point_count;
        bytes += rows * variable->width * group_type_bytes(variable->type);
    }
    return bytes;
}

// Bytes of a point while it is computed: its rows in the device's buffers and the Newton matrices of the kernel.
static uint64_t count_point_bytes(const Plan *plan, const Group *group, uint64_t *matrix)
{
    const Rows     rows = compose_rows(group);
    const uint64_t number = plan->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    *matrix = rows.matrix * number;
    return (rows.state + rows.stack + rows.parameters + rows.results + rows.frame) * number + *matrix;
}

static void add_memory(Text *text, const Plan *plan, const Group *group)
{
    uint64_t       matrix;
    const uint64_t bytes = count_point_bytes(plan, group, &matrix);
    text_add(text, "  memory of a point: ");
    add_bytes(text, bytes);
    if (matrix > 0) {
        text_add(text, ", of which the Newton matrix is ");
        add_bytes(text, matrix);
        if (group->problem->banded)
            text_add(text, " (a band of %zu diagonals)", group_differences(group));
    }
    text_add(text, "\n");
}

static void add_group(Text *text, const Plan *plan, const Group *group)
{
    const uint64_t steps = count_steps(group);
    text_add(text, "%s: %s\n", group->label, group->method->title);
    add_axes(text, group);
    text_add(text, "  %" PRIu64 " point%s, %.4g steps, %" PRIu64 " block%s, ", group->point_count,
             group->point_count == 1 ? "" : "s", (double)steps, group->block_count, group->block_count == 1 ? "" : "s");
    add_bytes(text, count_bytes(group));
    if (group->trajectory.stored)
        text_add(text, ", %zu trajector%s of %zu samples", group->trajectory.slot_count,
                 group->trajectory.slot_count == 1 ? "y" : "ies", group->trajectory.sample_count);
    text_add(text, "\n");
    if (group->dofs > MEMORY_TOLD)
        add_memory(text, plan, group);
}

// Where the time cannot be estimated, plan says so and goes on.
static void add_time(Text *text, const PilotEstimate *estimate)
{
    text_add(text, "time: ");
    if (estimate->known) {
        add_duration(text, estimate->seconds);
        text_add(text, " for %.4g substeps and updates%s, estimated on %s from %.2f s of batches; beside that ",
                 estimate->work, estimate->ended ? "" : " (roughly, points take long)", estimate->device,
                 estimate->measured);
        add_duration(text, estimate->compile_seconds);
        text_add(text, " to compile what the caches did not have, and writing\n");
    } else {
        text_add(text, "not estimated: %s\n", estimate->why.message);
    }
}

static void add_plan(Text *text, const PlanArguments *arguments)
{
    const Plan *plan = &arguments->sweep.plan;
    double      steps = 0.0;
    text_add(text, "%s\nproblem %s, %s precision\n\n", plan->title, plan->problem->name,
             plan->precision == PRECISION_SINGLE ? "single" : "double");
    for (size_t g = 0; g < plan->group_count; ++g) {
        add_group(text, plan, &plan->groups[g]);
        steps += (double)count_steps(&plan->groups[g]);
    }
    text_add(text, "\ntotal: %zu group%s, %" PRIu64 " point%s, %.4g steps, %" PRIu64 " block%s, ", plan->group_count,
             plan->group_count == 1 ? "" : "s", plan->point_count, plan->point_count == 1 ? "" : "s", steps,
             plan->block_count, plan->block_count == 1 ? "" : "s");
    add_bytes(text, plan->data_bytes);
    text_add(text, "\n");
    for (size_t i = 0; i < plan->warning_count; ++i)
        text_add(text, "warning: %s\n", plan->warnings[i]);
}

static void object_axis(Text *text, const Group *group, size_t i)
{
    const Axis *axis = &group->axes[i];
    double      least, most;
    group_find_ends(group, (Quantity){.axis = (int)i}, &least, &most);
    json_open(text, NULL, "{");
    json_member_string(text, "name", axis->name);
    json_member_string(text, "unit", axis->unit);
    json_member_string(text, "dimension", group->dims[axis->dim].name);
    json_member_whole(text, "count", axis->count);
    json_member_number(text, "least", least);
    json_member_number(text, "greatest", most);
    if (axis->distribution)
        json_member_string(text, "distribution", axis->distribution);
    text_add(text, "}");
}

static void object_group(Text *text, const Plan *plan, const Group *group)
{
    uint64_t matrix;
    json_open(text, NULL, "{");
    json_member_string(text, "label", group->label);
    json_member_string(text, "method", group->method->name);
    json_member_whole(text, "points", group->point_count);
    json_member_whole(text, "steps", count_steps(group));
    json_member_whole(text, "blocks", group->block_count);
    json_member_whole(text, "bytes", count_bytes(group));
    json_member_whole(text, "point_bytes", count_point_bytes(plan, group, &matrix));
    json_member_whole(text, "matrix_bytes", matrix);
    json_member_whole(text, "trajectories", group->trajectory.stored ? group->trajectory.slot_count : 0);
    json_open(text, "axes", "[");
    for (size_t i = 0; i < group->axis_count; ++i)
        object_axis(text, group, i);
    text_add(text, "]}");
}

static void object_time(Text *text, const PilotEstimate *estimate)
{
    json_open(text, "time", "{");
    if (estimate->known) {
        json_member_string(text, "device", estimate->device);
        json_member_number(text, "seconds", estimate->seconds);
        json_member_number(text, "compile_seconds", estimate->compile_seconds);
        json_member_number(text, "substeps_and_updates", estimate->work);
    } else {
        json_member_string(text, "not_estimated", estimate->why.message);
    }
    text_add(text, "}");
}

// A plan as an object of JSON.
//   estimate  NULL: the time was not asked for
static void add_object(const Plan *plan, const PilotEstimate *estimate, Text *text)
{
    text_add(text, "{");
    json_member_string(text, "title", plan->title);
    json_member_string(text, "problem", plan->problem->name);
    json_member_string(text, "precision", plan->precision == PRECISION_SINGLE ? "single" : "double");
    json_member_whole(text, "points", plan->point_count);
    json_member_whole(text, "blocks", plan->block_count);
    json_member_whole(text, "bytes", plan->data_bytes);
    json_open(text, "groups", "[");
    for (size_t g = 0; g < plan->group_count; ++g)
        object_group(text, plan, &plan->groups[g]);
    text_add(text, "]");
    json_open(text, "warnings", "[");
    for (size_t i = 0; i < plan->warning_count; ++i)
        json_member_string(text, NULL, plan->warnings[i]);
    text_add(text, "]");
    if (estimate)
        object_time(text, estimate);
    text_add(text, "}\n");
}

static bool tell(void *arguments, Error *err)
{
    PlanArguments *given = arguments;
    Text           text SCOPED(text_free) = {0};
    bool           ok = sweep_argument_read(&given->sweep, err);
    if (ok) {
        PilotEstimate estimate;
        if (!given->unmeasured)
            estimate_time(given->device, &given->sweep.plan, pilot_seconds, &estimate);
        if (given->json)
            add_object(&given->sweep.plan, given->unmeasured ? NULL : &estimate, &text);
        else
            add_plan(&text, given);
        if (!given->json && !given->unmeasured)
            add_time(&text, &estimate);
        ok = options_print(&text, err);
    }
    sweep_argument_free(&given->sweep);
    return ok;
}

OPTIONS_COMMAND(plan_command, PlanArguments, plan_command_usage, tell, .device = options_device())
