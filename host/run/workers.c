// workers -- devices are chosen by name, by rank, or in place of one that was lost.
#include "run/workers.h"

#include "reference/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Puts the names of the devices that are or were at work into the summary.
static void name_devices(const Workers *workers)
{
    RunSummary *summary = workers->work->monitor->summary;
    size_t      length = 0, count = 0;
    for (size_t i = 0; i < workers->count && length < sizeof summary->device; ++i)
        if (!workers->list[i].taker->lost || workers->list[i].blocks > 0)
            length += (size_t)snprintf(summary->device + length, sizeof summary->device - length, "%s%s",
                                       count++ ? " and " : "", workers->list[i].name);
}

void workers_end_run(Worker *worker)
{
    if (worker->run_end > worker->run_first)
        text_add(&worker->runs, "%s[%llu, %llu]", worker->runs.length ? ", " : "",
                 (unsigned long long)worker->run_first, (unsigned long long)worker->run_end - 1);
    worker->run_first = worker->run_end = 0;
}

// Refuses a problem or a method that the reference does not have, before a file is made; metrics are left out.
static bool check_reference(const Work *work, Error *err)
{
    const Plan *plan = work->plan;
    Text        names SCOPED(text_free) = {0}, line SCOPED(text_free) = {0};
    size_t      count = 0;
    for (size_t g = 0; g < plan->group_count; ++g) {
        const Group *group = &plan->groups[g];
        if (!reference_check(group, err))
            return within(err, "group '%s'", group->label);
        for (size_t v = 0; v < group->variable_count; ++v)
            if (!reference_computes(group, v))
                text_add(&names, "%s%s/%s", count++ ? ", " : "", group->label, group->variables[v].name);
    }
    text_add(&line, "%zu metric%s left out, which the reference does not have (NaN, or -1 for a whole number): %s",
             count, count == 1 ? "" : "s", names.text ? names.text : "");
    const bool ok = text_check(&names, err) && text_check(&line, err);
    if (ok && count)
        monitor_say(line.text, work->monitor);
    return ok;
}

// Adds a worker with a device, or without one: the reference.
static bool add_worker(Workers *workers, size_t number, Device *device, Error *err)
{
    Work        *work = workers->work;
    Worker      *worker = &workers->list[workers->count++];
    const size_t groups = work->plan->group_count;
    *worker = (Worker){.workers = workers,
                       .work = work,
                       .taker = &work->takers[work->taker_count++],
                       .number = number,
                       .device = device,
                       .name = device ? device_info(device)->name : "reference",
                       .engines = arena_take(&work->plan->arena, groups, sizeof *worker->engines, err)};
    if (!worker->engines)
        return false;
    memcpy(worker->engines, workers->engines, groups * sizeof *worker->engines);
    if (!device)
        return true;
    if (work->request->device_memory)
        device_limit(device, work->request->device_memory);
    if (device_notice(device))
        monitor_say(device_notice(device), work->monitor);
    return true;
}

// The builder asks as well, for the first time.
static void say_arithmetic(Worker *worker)
{
    worker->arithmetic = worker->device ? device_arithmetic(worker->device, worker->work->plan->precision) : NULL;
    if (worker->arithmetic)
        monitor_say(worker->arithmetic, worker->work->monitor);
}

// The machine's GPUs, or its other devices, that have the precision.
static bool list_devices(Precision precision, bool gpu, size_t numbers[DEVICES_MOST], size_t *count, Error *err)
{
    DeviceInfo *infos SCOPED(scoped_free) = NULL;
    size_t      all = 0;
    *count = 0;
    if (!device_list(&infos, &all, err))
        return false;
    for (size_t i = 0; i < all; ++i)
        if (infos[i].gpu == gpu && (infos[i].fp64 || precision == PRECISION_SINGLE))
            numbers[(*count)++] = device_number(infos, i);
    return true;
}

// Ranks of a machine take its GPUs in turn, unless the user names devices.
static bool choose(const Work *work, size_t numbers[DEVICES_MOST], size_t *count, Error *err)
{
    const char     *which = work->request->device;
    const Precision precision = work->plan->precision;
    const bool      alone = work->ranks->local_count == 1;
    *count = 0;
    if ((!alone && !which && !list_devices(precision, true, numbers, count, err)) ||
        (*count == 0 && !device_choose(which, precision, numbers, count, err)))
        return false;
    if (!alone) {
        numbers[0] = numbers[(size_t)work->ranks->local_index % *count];
        *count = 1;
    }
    return true;
}

static bool open_devices(Workers *workers, Error *err)
{
    size_t numbers[DEVICES_MOST], count = 0;
    if (!choose(workers->work, numbers, &count, err))
        return false;
    for (size_t i = 0; i < count; ++i) {
        Device *device = NULL;
        if (device_open_number(numbers[i], &device, err)) {
            if (!add_worker(workers, numbers[i], device, err))
                return false;
        } else if (count > 1) {
            monitor_say(err->message, workers->work->monitor);
        }
    }
    name_devices(workers);
    return workers->count > 0;
}

// Of several devices it is said which one compiles.
static void make_builder(Worker *worker)
{
    const Work *work = worker->work;
    Workers    *workers = worker->workers;
    worker->builder = (Builder){.device = worker->device,
                                .engines = worker->engines,
                                .count = work->plan->group_count,
                                .lanes = work->request->lanes,
                                .wanted = work->wanted,
                                .signals = work->request->signals,
                                .notice = &workers->notice,
                                .seat = (size_t)(worker - workers->list),
                                .name = workers->count > 1 ? worker->name : NULL,
                                .apart = work->ranks->count == 1};
}

bool workers_solve(Workers *workers, Error *err)
{
    Work *work = workers->work;
    tables_stop(&workers->tables);
    workers->tables = (Tables){.plan = work->plan, .say = monitor_say, .user = work->monitor};
    if (!tables_start(&workers->tables, work->needed, workers->count, err))
        return false;
    for (size_t i = 0; i < workers->count; ++i)
        if (workers->list[i].taker->lost)
            tables_leave(&workers->tables, i);
    return true;
}

bool workers_open(Workers *workers, Error *err)
{
    Work *work = workers->work;
    workers->list = arena_take(&work->plan->arena, DEVICES_MOST, sizeof *workers->list, err);
    bool ok = workers->list && (work->plan->computed_by != plan_reference
                                    ? open_devices(workers, err)
                                    : check_reference(work, err) && add_worker(workers, 0, NULL, err));
    ok = ok && (!work->request->wait || notice_start(&workers->notice, err));
    for (size_t i = 0; ok && i < workers->count; ++i) {
        make_builder(&workers->list[i]);
        ok = !workers->list[i].device || builder_start(&workers->list[i].builder, err);
    }
    return ok && workers_solve(workers, err);
}

// Ends the builder of a lost device and frees its programs; the device is closed at the end.
static void leave_out(Worker *worker)
{
    worker->taker->lost = true;
    builder_stop(&worker->builder);
    notice_end(&worker->workers->notice, worker->builder.seat);
    tables_leave(&worker->workers->tables, worker->builder.seat);
    for (size_t g = 0; g < worker->work->plan->group_count; ++g) {
        if (!worker->builder.abandoned)
            program_free(worker->engines[g].program);
        worker->engines[g].program = NULL;
    }
}

bool workers_wait(Workers *workers, Error *err)
{
    for (size_t i = 0; i < workers->count; ++i) {
        Worker *worker = &workers->list[i];
        if (!worker->device || builder_wait(&worker->builder, err)) {
            say_arithmetic(worker);
            continue;
        }
        if (err->kind == ERROR_STOPPED || work_takers(workers->work) == 1)
            return false;
        char line[sizeof err->message + 64];
        snprintf(line, sizeof line, "%s; the run goes on without this device", err->message);
        monitor_say(line, workers->work->monitor);
        leave_out(worker);
    }
    name_devices(workers);
    return true;
}

static bool was_used(const Workers *workers, size_t number)
{
    for (size_t i = 0; i < workers->count; ++i)
        if (workers->list[i].number == number)
            return true;
    return false;
}

// Opens the first device that has not been used, of GPUs or of CPUs.
static bool open_other(Workers *workers, bool gpu, Error *err)
{
    Device *device = NULL;
    size_t  numbers[DEVICES_MOST], count = 0, i = 0;
    if (!list_devices(workers->work->plan->precision, gpu, numbers, &count, err))
        return false;
    for (; i < count && !device && workers->count < DEVICES_MOST; ++i)
        if (!was_used(workers, numbers[i]))
            device_open_number(numbers[i], &device, err);
    if (!device || !add_worker(workers, numbers[i - 1], device, err))
        return false;
    make_builder(&workers->list[workers->count - 1]);
    say_arithmetic(&workers->list[workers->count - 1]);
    return true;
}

bool workers_replace(Workers *workers, Error *err)
{
    Error  why = *err, unsaid;
    Text   line SCOPED(text_free) = {0};
    size_t lost = 0, left = 0;
    for (size_t i = 0; i < workers->count; ++i) {
        Worker *worker = &workers->list[i];
        if (worker->taker->lost || worker->fine)
            continue;
        leave_out(worker);
        why = worker->err;
        text_add(&line, "%s%s", lost++ ? "; " : "", why.message);
    }
    const bool others = work_takers(workers->work) > 0;
    bool       ok = others || open_other(workers, true, &unsaid) || open_other(workers, false, &unsaid);
    text_add(&line, "; ");
    for (size_t i = 0; ok && i < workers->count; ++i)
        if (!workers->list[i].taker->lost)
            text_add(&line, "%s'%s'", left++ ? " and " : "", workers->list[i].name);
    text_add(&line, left > 1 ? " go on" : " goes on");
    if (ok && text_check(&line, &unsaid))
        monitor_say(line.text, workers->work->monitor);
    name_devices(workers);
    if (!ok)
        *err = why;
    return ok;
}

bool workers_stop(Workers *workers)
{
    bool stopped = true;
    tables_stop(&workers->tables);
    for (size_t i = 0; i < workers->count; ++i) {
        builder_stop(&workers->list[i].builder);
        stopped = stopped && !workers->list[i].builder.abandoned;
    }
    notice_stop(&workers->notice);
    return stopped;
}

void workers_close(Workers *workers)
{
    for (size_t g = 0; workers->engines && g < workers->work->plan->group_count; ++g)
        engine_free(&workers->engines[g]);
    for (size_t i = 0; i < workers->count; ++i) {
        Worker *worker = &workers->list[i];
        for (size_t g = 0; worker->engines && g < worker->work->plan->group_count; ++g)
            program_free(worker->engines[g].program);
        for (int set = 0; set < PROGRAM_SETS; ++set)
            reuse_free(&worker->found[set]);
        text_free(&worker->runs);
        text_free(&worker->trials);
        device_close(worker->device);
    }
}
