// workers -- devices are chosen by name, by rank, or in place of one that was lost.
#include "run/workers.h"

#include "reference/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t workers_left(const Sweep *sweep)
{
    size_t count = 0;
    for (size_t i = 0; i < sweep->worker_count; ++i)
        count += !sweep->workers[i].lost;
    return count;
}

Worker *workers_at(const Sweep *sweep, size_t seat)
{
    size_t i = 0;
    while (sweep->workers[i].lost || seat-- > 0)
        ++i;
    return &sweep->workers[i];
}

void workers_name(Sweep *sweep)
{
    char  *names = sweep->summary->device;
    size_t length = 0, count = 0;
    for (size_t i = 0; i < sweep->worker_count; ++i)
        if (!sweep->workers[i].lost || sweep->workers[i].blocks > 0) {
            const int added = snprintf(names + length, sizeof sweep->summary->device - length, "%s%s",
                                       count++ ? " and " : "", sweep->workers[i].name);
            length += (size_t)added;
            if (length >= sizeof sweep->summary->device)
                return;
        }
}

void workers_end_run(Worker *worker)
{
    if (worker->run_end > worker->run_first)
        text_add(&worker->runs, "%s[%llu, %llu]", worker->runs.length ? ", " : "",
                 (unsigned long long)worker->run_first, (unsigned long long)worker->run_end - 1);
    worker->run_first = worker->run_end = 0;
}

// What the reference lacks of a sweep: a problem or a method is refused, before a file is made; metrics are left out.
static bool check_reference(Sweep *sweep, Error *err)
{
    const Plan *plan = &sweep->plan;
    Text        line = {0};
    size_t      count = 0;
    for (size_t g = 0; g < plan->group_count; ++g) {
        const Group *group = &plan->groups[g];
        if (!reference_check(group, err)) {
            text_free(&line);
            return within(err, "group '%s'", group->label);
        }
        for (size_t v = 0; v < group->variable_count; ++v)
            if (!reference_computes(group, v))
                text_add(&line, "%s%s/%s", count++ ? ", " : "", group->label, group->variables[v].name);
    }
    Text whole = {0};
    text_add(&whole, "%zu metric%s left out, which the reference does not have (NaN, or -1 for a whole number): %s",
             count, count == 1 ? "" : "s", line.text ? line.text : "");
    const bool ok = text_check(&line, err) && text_check(&whole, err);
    if (ok && count)
        sweep_say(whole.text, sweep);
    text_free(&line);
    text_free(&whole);
    return ok;
}

// Adds a worker with a device, or without one: the reference.
static bool add_worker(Sweep *sweep, size_t number, Device *device, Error *err)
{
    Worker      *worker = &sweep->workers[sweep->worker_count];
    const size_t groups = sweep->plan.group_count;
    *worker = (Worker){.sweep = sweep,
                       .number = number,
                       .device = device,
                       .name = device ? device_info(device)->name : "reference",
                       .engines = arena_take(&sweep->plan.arena, groups, sizeof *worker->engines, err)};
    ++sweep->worker_count;
    if (!worker->engines)
        return false;
    memcpy(worker->engines, sweep->engines, groups * sizeof *worker->engines);
    if (!device)
        return true;
    if (sweep->request->device_memory)
        device_limit(device, sweep->request->device_memory);
    if (device_notice(device))
        sweep_say(device_notice(device), sweep);
    worker->arithmetic = device_arithmetic(device, sweep->plan.precision);
    if (worker->arithmetic)
        sweep_say(worker->arithmetic, sweep);
    return true;
}

// Ranks of a machine take its GPUs in turn, unless told otherwise.
static bool choose_gpus(const Sweep *sweep, size_t numbers[DEVICES_MOST], size_t *count, Error *err)
{
    DeviceInfo *infos = NULL;
    size_t      all = 0;
    *count = 0;
    if (!device_list(&infos, &all, err))
        return false;
    for (size_t i = 0; i < all; ++i)
        if (infos[i].gpu && (infos[i].fp64 || sweep->plan.precision == PRECISION_SINGLE))
            numbers[(*count)++] = i;
    free(infos);
    return true;
}

static bool choose(const Sweep *sweep, size_t numbers[DEVICES_MOST], size_t *count, Error *err)
{
    const char *which = sweep->request->device;
    const bool  alone = sweep->ranks.local_count == 1;
    *count = 0;
    if ((!alone && !which && !choose_gpus(sweep, numbers, count, err)) ||
        (*count == 0 && !device_choose(which, sweep->plan.precision, numbers, count, err)))
        return false;
    if (!alone) {
        numbers[0] = numbers[(size_t)sweep->ranks.local_index % *count];
        *count = 1;
    }
    return true;
}

bool workers_open(Sweep *sweep, Error *err)
{
    size_t numbers[DEVICES_MOST], count = 0, opened = 0;
    sweep->workers = arena_take(&sweep->plan.arena, DEVICES_MOST, sizeof *sweep->workers, err);
    if (!sweep->workers)
        return false;
    if (on_reference(sweep))
        return check_reference(sweep, err) && add_worker(sweep, 0, NULL, err);
    if (!choose(sweep, numbers, &count, err))
        return false;
    for (size_t i = 0; i < count; ++i) {
        Device *device = NULL;
        if (device_open_number(numbers[i], &device, err)) {
            if (!add_worker(sweep, numbers[i], device, err))
                return false;
            sweep->workers[sweep->worker_count - 1].seat = opened++;
        } else if (count > 1) {
            sweep_say(err->message, sweep);
        }
    }
    workers_name(sweep);
    return opened > 0;
}

// Of several devices it is said which one compiles.
static void make_builder(Worker *worker)
{
    Sweep *sweep = worker->sweep;
    worker->builder = (Builder){.device = worker->device,
                                .engines = worker->engines,
                                .count = sweep->plan.group_count,
                                .lanes = sweep->request->lanes,
                                .wanted = sweep->wanted,
                                .signals = sweep->request->signals,
                                .notice = &sweep->notice,
                                .seat = (size_t)(worker - sweep->workers),
                                .name = sweep->worker_count > 1 ? worker->name : NULL};
}

bool workers_build(Sweep *sweep, Error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < sweep->worker_count; ++i) {
        Worker *worker = &sweep->workers[i];
        make_builder(worker);
        ok = !worker->device || builder_start(&worker->builder, err);
    }
    return ok;
}

// Frees what a lost device still holds; it is closed at the end.
static void leave_out(Worker *worker)
{
    worker->lost = true;
    builder_stop(&worker->builder);
    notice_end(&worker->sweep->notice, worker->builder.seat);
    tables_leave(&worker->sweep->tables, worker->seat);
    for (size_t g = 0; g < worker->sweep->plan.group_count; ++g) {
        if (!worker->builder.abandoned)
            program_free(worker->engines[g].program);
        worker->engines[g].program = NULL;
    }
}

bool workers_wait(Sweep *sweep, Error *err)
{
    for (size_t i = 0; i < sweep->worker_count; ++i) {
        Worker *worker = &sweep->workers[i];
        if (!worker->device || builder_wait(&worker->builder, err))
            continue;
        if (err->kind == ERROR_STOPPED || workers_left(sweep) == 1)
            return false;
        char line[sizeof err->message + 64];
        snprintf(line, sizeof line, "%s; the run goes on without this device", err->message);
        sweep_say(line, sweep);
        leave_out(worker);
    }
    workers_name(sweep);
    return true;
}

static bool was_used(const Sweep *sweep, size_t number)
{
    for (size_t i = 0; i < sweep->worker_count; ++i)
        if (sweep->workers[i].number == number)
            return true;
    return false;
}

// Opens the first device that has not been used, of GPUs or of CPUs.
static bool open_other(Sweep *sweep, bool gpu, Error *err)
{
    DeviceInfo *infos = NULL;
    Device     *device = NULL;
    size_t      count = 0, i = 0;
    if (!device_list(&infos, &count, err))
        return false;
    for (; i < count && !device && sweep->worker_count < DEVICES_MOST; ++i)
        if (infos[i].gpu == gpu && (infos[i].fp64 || sweep->plan.precision == PRECISION_SINGLE) && !was_used(sweep, i))
            device_open_number(i, &device, err);
    free(infos);
    if (!device || !add_worker(sweep, i - 1, device, err))
        return false;
    make_builder(&sweep->workers[sweep->worker_count - 1]);
    return true;
}

bool workers_replace(Sweep *sweep, Error *err)
{
    Error  why = *err, unsaid;
    Text   line = {0};
    size_t lost = 0;
    for (size_t i = 0; i < sweep->worker_count; ++i) {
        Worker *worker = &sweep->workers[i];
        if (worker->lost || worker->fine)
            continue;
        leave_out(worker);
        why = worker->err;
        text_add(&line, "%s%s", lost++ ? "; " : "", why.message);
    }
    const bool others = workers_left(sweep) > 0;
    bool       ok = others || open_other(sweep, true, &unsaid) || open_other(sweep, false, &unsaid);
    text_add(&line, "; ");
    for (size_t i = 0, seat = 0; ok && i < sweep->worker_count; ++i)
        if (!sweep->workers[i].lost) {
            text_add(&line, "%s'%s'", seat ? " and " : "", sweep->workers[i].name);
            sweep->workers[i].seat = seat++;
        }
    text_add(&line, workers_left(sweep) > 1 ? " go on" : " goes on");
    if (ok && text_check(&line, &unsaid))
        sweep_say(line.text, sweep);
    text_free(&line);
    workers_name(sweep);
    if (!ok)
        *err = why;
    return ok;
}

bool workers_stop(Sweep *sweep)
{
    bool stopped = true;
    for (size_t i = 0; i < sweep->worker_count; ++i) {
        builder_stop(&sweep->workers[i].builder);
        stopped = stopped && !sweep->workers[i].builder.abandoned;
    }
    return stopped;
}

void workers_close(Sweep *sweep)
{
    for (size_t i = 0; i < sweep->worker_count; ++i) {
        Worker *worker = &sweep->workers[i];
        for (size_t g = 0; worker->engines && g < sweep->plan.group_count; ++g)
            program_free(worker->engines[g].program);
        for (int set = 0; set < PROGRAM_SETS; ++set)
            reuse_free(&worker->found[set]);
        text_free(&worker->runs);
        text_free(&worker->trials);
        device_close(worker->device);
    }
}
