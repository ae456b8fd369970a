// conform -- the devices of a check, and each group's way through bits, certificates and reference.
#include "analysis/conform/conform.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARED = 32 };  // points of a group whose trajectories are compared with the reference's

// A check under way.
typedef struct Conforming {
    const ConformRequest *request;
    const Plan           *plan;
    Device               *devices[BITS_DEVICES];
    size_t                device_count;
    Device               *native;  // one of them
    ConformProgress       done;
} Conforming;

static bool open_device(Conforming *c, const char *which, Error *err)
{
    if (c->device_count == BITS_DEVICES)
        return fail(err, ERROR_USAGE, "conform: at most %d devices at a time", BITS_DEVICES);
    if (!device_open(which, c->plan->precision, &c->devices[c->device_count], err))
        return false;
    Device *device = c->devices[c->device_count++];
    if (!c->native && strcmp(device_info(device)->platform, "native") == 0)
        c->native = device;
    return true;
}

// Opens every device that has the precision, by its number.
static bool open_all(Conforming *c, Error *err)
{
    DeviceInfo *infos;
    size_t      count;
    bool        ok = device_list(&infos, &count, err);
    for (size_t d = 0; ok && d < count && c->device_count < BITS_DEVICES; ++d) {
        char number[24];
        snprintf(number, sizeof number, "%zu", d);
        ok = (c->plan->precision == PRECISION_DOUBLE && !infos[d].fp64) || open_device(c, number, err);
    }
    free(infos);
    return ok;
}

static bool open_devices(Conforming *c, Error *err)
{
    const ConformRequest *request = c->request;
    bool                  ok = request->device_count > 0 || open_all(c, err);
    for (size_t d = 0; ok && d < request->device_count; ++d)
        ok = open_device(c, request->devices[d], err);
    if (ok && !c->native && !open_device(c, "native", err))
        ok = within(err, "conform certifies steps with the help of a C compiler");
    return ok;
}

static void show_progress(const Conforming *c)
{
    if (c->request->progress)
        c->request->progress(&c->done, c->request->user);
}

static void add_launch(const Progress *progress, void *user)
{
    Conforming *c = user;
    c->done.steps += progress->steps;
    show_progress(c);
}

// Runs and certifies the points of a scope, a batch at a time. Steps are shown as they are certified, which takes
// longer than the runs that are compared.
static bool check_points(Conforming *c, const Solution *solution, Certifier *certifier, Bits *bits, Conformance *found,
                         Error *err)
{
    const Group     *group = &found->scope->group;
    const RunOptions options = {.signals = c->request->signals},
                     walk = {.signals = c->request->signals, .progress = add_launch, .user = c};
    const uint64_t blocks = found->scope->most / group->block_points;
    bool           ok = true;
    for (uint64_t block = 0; ok && block < group->block_count; block += blocks) {
        Batch batch = batch_make(group, block, blocks);
        batch.solution = solution;
        ok = bits_run(bits, &batch, &options, err) &&
             certify_batch(certifier, &batch, &bits->first, &walk, &found->certified, err);
        c->done.points += batch.point_count;
        show_progress(c);
    }
    return ok;
}

enum { SHARE_STEPS = 32768 };

// The solver's part of a step's error is known of points that the reference computes.
static bool measure_share(const Conforming *c, const ConformScope *some, Conformance *found, Error *err)
{
    const bool known = found->apart.unreferenced.kind == ERROR_NONE;
    found->solver.share = NAN;
    return !known || some->group.events ||
           share_measure(c->plan, &some->group, SHARE_STEPS, c->request->signals, &found->solver, err);
}

// Compares some points of the scope with the reference.
static bool compare_some(Conforming *c, const Group *group, Device *device, Conformance *found, ConformScope *some,
                         Error *err)
{
    Engine  engine = {0};
    Results results = {0};
    bool ok = scope_take(group, COMPARED, some, err) && engine_make(&engine, device, c->plan, &some->group, 1, err) &&
              results_make(&some->group, (size_t)some->count, (size_t)some->count, &results, err);
    if (ok) {
        Batch            batch = batch_make(&some->group, 0, some->group.block_count);
        const RunOptions options = {.signals = c->request->signals};
        batch.solution = &engine.solution;
        ok = engine_run(&engine, &batch, &options, &results, err) &&
             apart_measure(c->plan, &batch, &results, c->request->signals, &found->apart, err);
        if (ok && found->apart.unreferenced.kind == ERROR_NONE && c->plan->precision == PRECISION_DOUBLE &&
            !group->events)
            ok = certify_reference_run(c->plan, &batch, &options, &found->reference, err);
        ok = ok && measure_share(c, some, found, err);
    }
    found->compared = some;
    results_free(&results);
    engine_free(&engine);
    return ok;
}

static void judge(const Bits *bits, Conformance *found)
{
    Certified *certified = &found->certified;
    if (found->by_order && !order_holds(&found->order))
        certified->certified = certified->certified_steps = 0;
    found->passed = bits->same == bits->points && certified->certified == certified->substeps &&
                    certified->substeps > 0 && certified->measured.certified == certified->measured.metrics &&
                    found->reference.certified == found->reference.substeps &&
                    found->reference.measured.certified == found->reference.measured.metrics;
}

// Makes room for the numbers that are drawn of each point.
static bool make_shown(const Conforming *c, Conformance *found, Bits *bits, Error *err)
{
    if (!c->request->drawn)
        return true;
    found->certified.shares = calloc((size_t)found->scope->count, sizeof *found->certified.shares);
    bits->shown = calloc((size_t)found->scope->count, sizeof *bits->shown);
    return (found->certified.shares && bits->shown) || fail(err, ERROR_INTERNAL, "out of memory");
}

// A group has a kernel for each lane count of each device, and one whose steps are kept; they are compiled one by one.
static bool build_group(Conforming *c, const Group *group, const ConformScope *scope, Bits *bits, Certifier **certifier,
                        Error *err)
{
    Notice         *notice = c->request->notice;
    size_t          kernels = 1;
    ProgressCompile compile = {.number = (size_t)(group - c->plan->groups) + 1, .count = c->plan->group_count};
    for (size_t d = 0; d < c->device_count; ++d)
        kernels += bits_lanes(device_info(c->devices[d]), c->plan->precision, group, &c->request->lanes).count;
    snprintf(compile.name, sizeof compile.name, "%s, %zu kernels", group->label, kernels);
    notice_begin(notice, 0, &compile);
    const bool ok = bits_open(c->plan, &scope->group, group, c->devices, c->device_count, &c->request->lanes,
                              (size_t)scope->most, c->request->signals, bits, err) &&
                    certify_open(c->plan, &scope->group, c->native, 0, certifier, err);
    notice_end(notice, 0);
    return ok;
}

static bool check_group(Conforming *c, const Group *group, size_t *failed, Error *err)
{
    const double begun = clock_seconds();
    ConformScope scope = {0}, some = {0};
    Bits         bits = {0};
    Engine       solved = {0};
    Certifier   *certifier = NULL;
    Conformance  found = {
         .plan = c->plan, .group = group, .scope = &scope, .bits = &bits, .walked = device_info(c->native)->name};
    bool ok = scope_take(group, c->request->sample, &scope, err) &&
              engine_compose(&solved, c->plan, &scope.group, err) && engine_solve(&solved, c->request->signals, err) &&
              build_group(c, group, &scope, &bits, &certifier, err);
    found.by_order = !equations_given(group->method);
    found.ordered = found.by_order || c->request->orders;
    ok = ok &&
         (!found.ordered || order_measure(c->plan, &scope.group, c->native, c->request->signals, &found.order, err)) &&
         make_shown(c, &found, &bits, err) && check_points(c, &solved.solution, certifier, &bits, &found, err) &&
         compare_some(c, group, c->native, &found, &some, err);
    if (ok) {
        found.seconds = clock_seconds() - begun;
        judge(&bits, &found);
        *failed += !found.passed;
        c->done.failed += found.passed ? 0 : scope.count;
        ok = c->request->report(&found, c->request->user, err);
    }
    free(found.certified.shares);
    certify_close(certifier);
    engine_free(&solved);
    bits_close(&bits);
    scope_free(&some);
    scope_free(&scope);
    return ok;
}

// Adds a group's points and steps to the work.
static void add_work(const Group *group, uint64_t sample, ConformProgress *work)
{
    const uint64_t points = sample > 0 && sample < group->point_count ? sample : group->point_count;
    work->total_points += points;
    for (uint64_t i = 0; i < points; ++i)
        work->total_steps += group_steps(group, scope_choose(i, points, group->point_count));
}

bool conform_run(const ConformRequest *request, size_t *failed, Error *err)
{
    Catalog    catalog = {0};
    Spec       spec = {0};
    Plan       plan = {0};
    Conforming c = {.request = request, .plan = &plan};
    *failed = 0;
    bool ok = catalog_read(&catalog, err) && scope_plan(&request->sweep, &catalog, &spec, &plan, err) &&
              open_devices(&c, err);
    for (size_t g = 0; ok && g < plan.group_count; ++g)
        add_work(&plan.groups[g], request->sample, &c.done);
    for (size_t g = 0; ok && g < plan.group_count; ++g)
        ok = check_group(&c, &plan.groups[g], failed, err);
    for (size_t d = 0; d < c.device_count; ++d)
        device_close(c.devices[d]);
    plan_free(&plan);
    spec_free(&spec);
    catalog_free(&catalog);
    return ok;
}
