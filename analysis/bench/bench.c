// bench -- measures each workload or sweep file on each device, and collects speeds and counts.
#include "analysis/bench/bench.h"

#include "analysis/bench/workloads.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Points of a workload: enough to fill a device, with some to spare so that its units end together.
enum { CPU_POINTS = 16384, CPU_POINTS_PER_UNIT = 1024, GPU_POINTS = 1 << 20 };

typedef struct Bench {
    const BenchRequest *request;
    Catalog             catalog;
    Device             *device;
    size_t              device_number;
    double              peaks[2];  // by precision; 0: not measured yet
    int                 threads;
} Bench;

static int count_threads(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

static size_t fill_points(const DeviceInfo *info)
{
    size_t points = info->gpu ? GPU_POINTS : CPU_POINTS;
    while (!info->gpu && points < (size_t)info->compute_units * CPU_POINTS_PER_UNIT)
        points *= 2;
    return points;
}

static bool run_group(Bench *bench, const char *name, const Workload *workload, const Plan *plan, const Group *group,
                      Error *err)
{
    const BenchRequest *request = bench->request;
    double             *peak = &bench->peaks[plan->precision];
    Text                bare = {0};
    bool                ok = !workload || !workload->bare || workloads_bare(workload, &bare, err);
    const RaceRequest   race = {.device = bench->device,
                                .plan = plan,
                                .group = group,
                                .plain = workload ? workload->plain : NULL,
                                .by_differences = workload ? workload->by_differences : NULL,
                                .bare = bare.text,
                                .bound = workload ? workload->bound : 0.0,
                                .repetitions = (int)request->repetitions,
                                .threads = bench->threads,
                                .seconds = request->seconds,
                                .lanes = request->lanes,
                                .try_shapes = request->try_shapes};
    BenchResult         result = {
                .workload = name, .asked = &race, .device = device_info(bench->device), .device_number = bench->device_number};
    ok = ok && text_check(&bare, err) && (*peak != 0.0 || peak_measure(bench->device, plan->precision, peak, err));
    ok = ok && (race_run(&race, &result.race, err) || within(err, "%s", name));
    text_free(&bare);
    if (!ok)
        return false;
    const RaceResult *raced = &result.race;
    result.peak_flops = *peak;
    result.updates_per_step = raced->updates ? (double)raced->updates / (double)raced->steps : (double)NAN;
    result.flops_per_step = result.peak_fraction = (double)NAN;
    if (workload) {
        result.flops_per_step = workload->plain->step_flops;
        if (workload->plain->update_flops > 0.0)
            result.flops_per_step += workload->plain->update_flops * result.updates_per_step;
        result.peak_fraction = raced->steps_per_s.median * result.flops_per_step / *peak;
    }
    return request->report(&result, request->user, err);
}

// A workload, or a sweep file where that is NULL.
static bool run_sweep(Bench *bench, const Workload *workload, const char *path, Error *err)
{
    const BenchRequest *request = bench->request;
    const Words        *overrides = &request->overrides;
    Text                text = {0};
    Spec                spec = {0};
    Plan                plan = {0};
    if (workload)
        workloads_text(workload, fill_points(device_info(bench->device)), (size_t)request->steps, &text);
    bool ok = text_check(&text, err) &&
              (workload ? spec_read_text(workload->name, text.text, NULL, 0, &spec, err)
                        : spec_read(path, overrides->items, overrides->count, &spec, err)) &&
              plan_make(&spec, &bench->catalog, &plan, err);
    for (size_t g = 0; ok && g < plan.group_count; ++g) {
        Text name = {0};
        text_add(&name, "%s%s%s", workload ? workload->name : path, workload ? "" : ":",
                 workload ? "" : plan.groups[g].label);
        ok = text_check(&name, err) && run_group(bench, name.text, workload, &plan, &plan.groups[g], err);
        text_free(&name);
    }
    plan_free(&plan);
    spec_free(&spec);
    text_free(&text);
    return ok;
}

// Whether a device that was not named is left out of a workload.
static bool left_out(const Bench *bench, const Workload *workload)
{
    const BenchRequest *request = bench->request;
    const DeviceInfo   *info = device_info(bench->device);
    char                line[512];
    if (request->devices.count || info->fp64 || workload->single)
        return false;
    snprintf(line, sizeof line, "%s is left out on '%s', which has no double precision", workload->name, info->name);
    request->say(line, request->user);
    return true;
}

static bool run_device(Bench *bench, const char *which, Error *err)
{
    const BenchRequest *request = bench->request;
    const bool          all = request->workloads.count + request->sweeps.count == 0;
    const size_t        count = all ? WORKLOAD_COUNT : request->workloads.count;
    bench->peaks[0] = bench->peaks[1] = 0.0;
    bool ok = device_open(which, PRECISION_DOUBLE, &bench->device, err);
    for (size_t i = 0; ok && i < count; ++i) {
        const Workload *workload = all ? &workloads[i] : workloads_find(request->workloads.items[i], NULL);
        ok = left_out(bench, workload) || run_sweep(bench, workload, NULL, err);
    }
    for (size_t i = 0; ok && i < request->sweeps.count; ++i)
        ok = run_sweep(bench, NULL, request->sweeps.items[i], err);
    device_close(bench->device);
    bench->device = NULL;
    ++bench->device_number;
    return ok;
}

static bool check_request(const BenchRequest *request, Error *err)
{
    for (size_t i = 0; i < request->workloads.count; ++i)
        if (!workloads_find(request->workloads.items[i], err))
            return false;
    const char *lacks = request->sweeps.count && !request->workloads.count ? NULL : plain_lacks();
    return !lacks || fail(err, ERROR_DEVICE,
                          "the plain loops were compiled for a processor with %s, which this one lacks; build the "
                          "program on this machine",
                          lacks);
}

bool bench_run(const BenchRequest *request, Error *err)
{
    Bench       bench = {.request = request, .threads = count_threads()};
    DeviceInfo *infos = NULL;
    size_t      found = 0;
    bool        ok = check_request(request, err) && catalog_read(&bench.catalog, err);
    if (ok && request->devices.count == 0)
        ok = device_list(&infos, &found, err);
    // Without any device, the error is device_open()'s.
    const size_t named = request->devices.count, count = named ? named : found ? found : 1;
    for (size_t d = 0; ok && d < count; ++d) {
        char index[24];
        snprintf(index, sizeof index, "%zu", d);
        ok = run_device(&bench, named ? request->devices.items[d] : found ? index : NULL, err);
    }
    free(infos);
    catalog_free(&bench.catalog);
    return ok;
}
