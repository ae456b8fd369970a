// shapes -- the trial: compile, time in turns, take, remember.
#include "device/shapes.h"

#include "base/clock.h"
#include "base/stop.h"
#include "device/build.h"
#include "device/program.h"

#include <stdio.h>

// Target time of a turn of a shape, in seconds, and of all its turns together; the number of rounds after a first one.
static const double turn_seconds = 0.05, shape_seconds = 0.15;
enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 40 };

// A shape must be so much faster than the one by default.
static const double gain = 1.02;

size_t shapes_list(const DeviceInfo *info, Shape by_default, uint64_t points, Shape shapes[SHAPES_MOST])
{
    size_t count = 0;
    shapes[count++] = by_default;
    if (info->gpu) {
        for (size_t size = 32; size <= 256 && count < SHAPES_MOST; size *= 2)
            if (size != by_default.local_size && size <= info->work_group)
                shapes[count++] = (Shape){by_default.lanes, size};
    } else if (info->vectors && by_default.lanes > 1) {
        if (by_default.lanes > 2)
            shapes[count++] = (Shape){by_default.lanes / 2, by_default.local_size};
        if (by_default.lanes < build_lanes_filled(points))
            shapes[count++] = (Shape){by_default.lanes * 2, by_default.local_size};
    }
    return count;
}

static Shape shape_by_default(const Program *program)
{
    const DeviceInfo *info = &program->device->info;
    return (Shape){build_lanes(info, program->plan->precision, program->group), build_local_size(info)};
}

static size_t list(const Program *program, Shape shapes[SHAPES_MOST])
{
    const int room = build_lanes_most(program->plan->precision, program->group);
    size_t count = shapes_list(&program->device->info, shape_by_default(program), program->group->point_count, shapes);
    // The one with more lanes is the last.
    while (count > 1 && shapes[count - 1].lanes > room)
        --count;
    return count;
}

// The cache's key of a trial's result: the key of the program in its default shape, and a line that tells the two
// apart.
static bool find_key(const Program *program, Text *key)
{
    const Device *device = program->device;
    const Shape   shape = shape_by_default(program);
    char          options[BUILD_OPTIONS_SIZE];
    if (device->cache.directory < 0)
        return false;
    build_options(&device->info, program->plan->precision, shape.lanes, shape.local_size, options);
    binary_key(device, program->source, options, key);
    if (key->length > 0)
        text_add(key, "shape by trial\n");
    return key->length > 0 && !key->failed;
}

// The shape that a trial of this program found before. False: there is none.
static bool recall(const Program *program, Shape *shape)
{
    Text         key = {0}, entry = {0};
    Shape        shapes[SHAPES_MOST];
    const size_t count = list(program, shapes);
    bool         found = false;
    if (count > 1 && find_key(program, &key) && cache_read(&program->device->cache, &key, &entry) &&
        sscanf(entry.text, "%d lanes, %zu work items", &shape->lanes, &shape->local_size) == 2)
        for (size_t i = 0; i < count; ++i)
            found = found || (shapes[i].lanes == shape->lanes && shapes[i].local_size == shape->local_size);
    text_free(&key);
    text_free(&entry);
    return found;
}

static void remember(const Program *program, Shape shape)
{
    Text key = {0}, entry = {0};
    text_add(&entry, "%d lanes, %zu work items", shape.lanes, shape.local_size);
    if (!entry.failed && find_key(program, &key))
        cache_write(&program->device->cache, &key, entry.text, entry.length);
    text_free(&key);
    text_free(&entry);
}

bool shapes_pending(const Program *program)
{
    Shape shapes[SHAPES_MOST];
    return !program->settled && !program->group->hasty && list(program, shapes) > 1;
}

bool shapes_build_next(Program *program)
{
    Shape        shapes[SHAPES_MOST];
    Error        unsaid;
    const size_t next = program->other_count + 1;
    if (next >= list(program, shapes))
        return false;
    program_built_make(program, shapes[next].lanes, shapes[next].local_size, &program->others[next - 1], &unsaid);
    program->other_count = next;
    return true;
}

// Changes places with one of the others, and fits the columns to it. False: there is too little room for it.
static bool swap(Program *program, size_t other)
{
    const bool  alone = program->alone;
    const Built built = program->built;
    program->built = program->others[other];
    program->others[other] = built;
    return program_fit(program) && program->alone == alone;
}

// Common data of the turns of a trial.
typedef struct ShapeTurns {
    int          set;
    const Batch *batch;
    cl_uint      work;  // limit of a slice
} ShapeTurns;

// Result of one turn.
typedef struct ShapeTurn {
    double seconds, rate;  // substeps tried and updates made, a second
    bool   ended;          // all its points did
} ShapeTurn;

// Begins the batch anew and runs a slice of it.
static bool run_slice(Program *program, const ShapeTurns *turns, ShapeTurn *turn, Error *err)
{
    Run      run;
    size_t   end;
    uint64_t tally[TALLY_COUNT];
    if (!program_load(program, turns->set, turns->batch, 0, false, &run, err) ||
        !slices_begin(program, &run, &end, err))
        return false;
    const double begin = clock_seconds();
    if (!slices_run_one(program, &run, end, turns->work, tally, err))
        return false;
    turn->seconds = clock_seconds() - begin;
    turn->rate = (double)tally[TALLY_USED] / turn->seconds;
    turn->ended = tally[TALLY_RUNNING] == 0;
    return true;
}

// Finds how much work the shape by default does in a turn: twice as much until that takes as long, or all points end.
// Most drivers compile at the first launch, whose time says nothing.
static bool find_work(Program *program, ShapeTurns *turns, Error *err)
{
    ShapeTurn turn;
    turns->work = SLICE_FIRST_WORK_GPU;
    if (!run_slice(program, turns, &turn, err))
        return false;
    do {
        turns->work *= 2;
        if (!run_slice(program, turns, &turn, err))
            return false;
    } while (turn.seconds < turn_seconds && !turn.ended);
    return true;
}

// One turn of a shape; the program has its first shape before and after. A shape whose columns find no memory has no
// rate.
//   i  0: the shape by default
static bool take_turn(Program *program, const ShapeTurns *turns, size_t i, ShapeTurn *turn, Error *err)
{
    *turn = (ShapeTurn){0};
    if (i == 0)
        return run_slice(program, turns, turn, err);
    if (!program->others[i - 1].kernel)
        return true;
    const bool ok = !swap(program, i - 1) || run_slice(program, turns, turn, err) || device_lacks_memory(err);
    swap(program, i - 1);
    return ok;
}

// The best of each shape's turns, in which neighbours disturbed it least.
static bool time_shapes(Program *program, const ShapeTurns *turns, const RunOptions *options, ShapeTrial *trial,
                        Error *err)
{
    double    spent[SHAPES_MOST] = {0}, deadline = 0;
    bool      enough = false;
    ShapeTurn turn;
    for (size_t round = 0; !enough; ++round) {
        enough = round >= LEAST_ROUNDS;
        for (size_t i = 0; i < trial->count; ++i) {
            if (spent[i] >= shape_seconds && round > LEAST_ROUNDS)
                continue;
            if (options && stop_due(options->signals, &deadline))
                return fail(err, ERROR_STOPPED, "stopped by a signal");
            if (!take_turn(program, turns, i, &turn, err))
                return false;
            // The first launch of each.
            if (round == 0)
                continue;
            spent[i] += turn.seconds;
            trial->rates[i] = turn.rate > trial->rates[i] ? turn.rate : trial->rates[i];
            enough = enough && (spent[i] >= shape_seconds || round >= MOST_ROUNDS || turn.rate == 0.0);
        }
    }
    return true;
}

size_t shapes_choose(const ShapeTrial *trial)
{
    size_t best = 0;
    for (size_t i = 1; i < trial->count; ++i)
        if (trial->rates[i] > gain * trial->rates[0] && trial->rates[i] > trial->rates[best])
            best = i;
    return best;
}

bool shapes_trial(Program *program, int set, const Batch *batch, const RunOptions *options, ShapeTrial *trial,
                  Error *err)
{
    ShapeTurns turns = {.set = set, .batch = batch};
    *trial = (ShapeTrial){.count = program->other_count + 1};
    list(program, trial->shapes);
    program->settled = true;
    const bool ok = find_work(program, &turns, err) && time_shapes(program, &turns, options, trial, err);
    trial->taken = ok ? shapes_choose(trial) : 0;
    trial->work = turns.work;
    if (trial->taken > 0)
        swap(program, trial->taken - 1);
    if (ok)
        remember(program, trial->shapes[trial->taken]);
    for (size_t i = 0; i < program->other_count; ++i)
        program_built_free(&program->others[i]);
    program->other_count = 0;
    return ok;
}

// Adds the property in which a shape differs from the others: its lanes, or its work groups.
static void add_shape(const ShapeTrial *trial, size_t i, Text *text)
{
    const bool lanes = trial->count > 1 && trial->shapes[1].lanes != trial->shapes[0].lanes;
    if (lanes)
        text_add(text, "%d lanes", trial->shapes[i].lanes);
    else
        text_add(text, "work groups of %zu", trial->shapes[i].local_size);
}

void shapes_describe(const ShapeTrial *trial, Text *text)
{
    for (size_t i = 0; i < trial->count; ++i) {
        text_add(text, i ? ", " : "");
        add_shape(trial, i, text);
        if (trial->rates[i] > 0.0)
            text_add(text, " %.3f", trial->rates[i] / trial->rates[0]);
        else
            text_add(text, " not to be had");
    }
    text_add(text, ": ");
    add_shape(trial, trial->taken, text);
    text_add(text, " taken");
}

// Whether the Newton matrices of a work item find room in its memory.
static bool has_room(const Program *program, int lanes, Error *err)
{
    const DeviceInfo *info = &program->device->info;
    const Group      *group = program->group;
    const size_t      kib = program->rows.matrix * program->number_bytes / 1024;
    const int         most = build_lanes_most(program->plan->precision, group);
    if (info->gpu && kib > BUILD_PRIVATE_GPU / 1024)
        return fail(err, ERROR_DEVICE,
                    "group '%s': the Newton matrix of %zu unknowns takes %zu KiB of each point, a work item of device "
                    "'%s' has %d; choose a CPU device or an explicit method, or number the coordinates so that "
                    "formulas name near ones",
                    group->label, group->dofs, kib, info->name, BUILD_PRIVATE_GPU / 1024);
    return lanes <= most ||
           fail(err, ERROR_USAGE,
                "group '%s': the Newton matrix of %zu unknowns takes %zu KiB of each point, a thread has room for %d "
                "lane%s, not for %d",
                group->label, group->dofs, kib, most, most == 1 ? "" : "s", lanes);
}

Shape shapes_first(const Program *program, int lanes, bool *settled)
{
    const Shape own = shape_by_default(program);
    Shape       shape = {lanes, own.local_size};
    *settled = lanes != 0 || recall(program, &shape);
    return *settled ? shape : own;
}

// Builds the shape that was asked for, else the one that is remembered, else the device's own.
static bool build(Program *program, int lanes, Error *err)
{
    const Shape shape = shapes_first(program, lanes, &program->settled), own = shape_by_default(program);
    if (!has_room(program, lanes, err))
        return false;
    if (program_built_make(program, shape.lanes, shape.local_size, &program->built, err))
        return true;
    const bool remembered = program->settled && lanes == 0;
    program->settled = program->settled && !remembered;
    return remembered && program_built_make(program, own.lanes, own.local_size, &program->built, err);
}

bool device_build(Device *device, const Plan *plan, const Group *group, const char *source, int lanes,
                  Program **program, Error *err)
{
    const bool single = plan->precision == PRECISION_SINGLE;
    *program = NULL;
    if (!single && !device->info.fp64)
        return fail(err, ERROR_DEVICE,
                    "device '%s' has no double precision; set `precision: single` or choose another device",
                    device->info.name);
    Program *made = calloc(1, sizeof *made);
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->device = device;
    made->plan = plan;
    made->group = group;
    made->source = source;
    made->rows = compose_rows(group);
    made->number_bytes = single ? sizeof(float) : sizeof(double);
    made->table_bytes = program_table_bytes(made);
    made->work = device->info.gpu ? SLICE_FIRST_WORK_GPU : SLICE_FIRST_WORK;
    const bool ok = build(made, lanes, err) && order_make(group, &made->order, err);
    if (ok) {
        program_fit(made);
        *program = made;
    } else {
        program_free(made);
    }
    return ok;
}
