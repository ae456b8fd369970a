// conform -- runs each group on devices and reference and compares.
#include "analysis/conform/conform.h"

#include "engine/engine.h"
#include "reference/reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLES = 33, MAX_DEVICES = 8, RUNS = REFERENCE_NUDGES };

static const int    lane_counts[] = {1, 8, 16};
static const double spread_factor = 10, ulp_allowance = 64, ill_share = 1e-4, single_share = 1e-3;

// A group's work: buffers of one batch, filled again for each.
typedef struct ConformBench {
    const ConformRequest *request;
    const Plan           *plan;
    const Group          *group;
    Results               first, other, reference[RUNS];
    bool                 *close_calls;  // [block_points]
    Engine                base;         // composed, and solved for; built where a first device is to compare with
    const char           *first_device;
    Error                 unreferenced;  // why the reference has not the group
    bool                 *computed;      // [variable_count] whether the reference computes a variable
    const char          **left_out;      // [left_out_count] the names of the others; there is room for all
    size_t                left_out_count;
} ConformBench;

static void free_bench(ConformBench *bench)
{
    results_free(&bench->first);
    results_free(&bench->other);
    for (int r = 0; r < RUNS; ++r)
        results_free(&bench->reference[r]);
    free(bench->close_calls);
    free(bench->computed);
    free(bench->left_out);
    engine_free(&bench->base);
}

static bool make_bench(ConformBench *bench, Error *err)
{
    const size_t points = (size_t)bench->group->block_points, slots = points;
    bool         ok = results_make(bench->group, points, slots, &bench->first, err) &&
              results_make(bench->group, points, slots, &bench->other, err);
    for (int r = 0; ok && r < RUNS; ++r)
        ok = results_make(bench->group, points, slots, &bench->reference[r], err);
    bench->close_calls = calloc(points, sizeof *bench->close_calls);
    bench->computed = calloc(bench->group->variable_count, sizeof *bench->computed);
    bench->left_out = calloc(bench->group->variable_count, sizeof *bench->left_out);
    if (ok && !(bench->close_calls && bench->computed && bench->left_out))
        ok = fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t v = 0; ok && v < bench->group->variable_count; ++v) {
        bench->computed[v] = reference_computes(bench->group, v);
        if (!bench->computed[v])
            bench->left_out[bench->left_out_count++] = bench->group->variables[v].name;
    }
    return ok;
}

// Points of the batch that differ in any bit of any variable. NaN is one pattern, so that bytes can be compared.
static uint64_t differing_points(const Batch *batch, const Results *a, const Results *b)
{
    uint64_t differing = 0;
    for (size_t i = 0; i < batch->point_count; ++i) {
        bool same = true;
        for (size_t v = 0; same && v < batch->group->variable_count; ++v) {
            const Variable *variable = &batch->group->variables[v];
            same = memcmp(results_at(a, v, i), results_at(b, v, i),
                          variable->width * group_type_bytes(variable->type)) == 0;
        }
        differing += !same;
    }
    return differing;
}

// Whether two results differ in status, and in any count.
static void compare_counts(const ConformBench *bench, const Results *a, const Results *b, size_t i, bool *status,
                           bool *counts)
{
    *status = *counts = false;
    for (size_t v = 0; v < bench->group->variable_count; ++v) {
        const Variable *variable = &bench->group->variables[v];
        if (variable->type == TYPE_F32 || variable->type == TYPE_F64 || !bench->computed[v])
            continue;
        if (results_value(a, v, i, 0) != results_value(b, v, i, 0)) {
            *status = *status || variable->source == SOURCE_STATUS;
            *counts = *counts || variable->source != SOURCE_STATUS;
        }
    }
}

// Differences of one variable of one point: between device and reference, the spread among reference runs, and the
// scale.
typedef struct Distance {
    double apart, spread, scale;
    bool   nan_mismatch;
} Distance;

static double widen(double largest, double a, double b)
{
    return isnan(a) || isnan(b) ? largest : fmax(largest, fabs(a - b));
}

static Distance measure(const ConformBench *bench, size_t v, size_t i)
{
    Distance d = {0};
    for (size_t e = 0; e < bench->group->variables[v].width; ++e) {
        const double device = results_value(&bench->first, v, i, e),
                     reference = results_value(&bench->reference[0], v, i, e);
        d.nan_mismatch = d.nan_mismatch || isnan(device) != isnan(reference);
        d.apart = widen(d.apart, device, reference);
        for (int r = 1; r < RUNS; ++r)
            d.spread = widen(d.spread, results_value(&bench->reference[r], v, i, e), reference);
        d.scale = widen(d.scale, reference, 0);
    }
    return d;
}

// The relative error that rounding leaves in a difference Jacobian, and so in its condition number: unit over stencil.
static double jacobian_noise(const Newton *newton)
{
    if (newton->jacobian == JACOBIAN_ANALYTIC)
        return 0;
    return DBL_EPSILON / (newton->cube_root_stencil ? cbrt(DBL_EPSILON) : sqrt(DBL_EPSILON));
}

// Ulps that rounding may make in so many steps, two a step in the kernel and two in the reference: in motions as plain
// as a constant acceleration every step rounds to the same side, in moved runs too, so that their spread does not show
// it.
static double permitted_ulps(const ConformBench *bench, uint64_t point)
{
    return ulp_allowance + 4.0 * (double)group_steps(bench->group, point);
}

// Metrics of a point that are beyond their bound: ten times their spread plus the permitted ulps of the larger of them
// and 1.
static size_t differing_metrics(const ConformBench *bench, uint64_t point, size_t i)
{
    size_t differing = 0;
    for (size_t v = 0; v < bench->group->variable_count; ++v) {
        const Variable *variable = &bench->group->variables[v];
        if (variable->trajectory || variable->type != TYPE_F64 || !bench->computed[v])
            continue;
        const Distance d = measure(bench, v, i);
        const bool     condition = variable_records(bench->group, variable, RECORD_CONDITION);
        const double   allowed = spread_factor * d.spread +
                               permitted_ulps(bench, point) * DBL_EPSILON * fmax(d.scale, 1) +
                               (condition ? jacobian_noise(&bench->group->newton) * d.scale : 0);
        differing += d.nan_mismatch || !(d.apart <= allowed);
    }
    return differing;
}

// What comparing a point has found.
typedef struct PointVerdict {
    bool   status, counts, trajectory;  // differ by more than they may
    size_t metrics;                     // so many do
    double share, ulp;                  // of the trajectory: largest difference over what is allowed, and over an ulp
    bool   moved;                       // the reference itself comes out differently when moved by ulps
} PointVerdict;

static PointVerdict judge_point(const ConformBench *bench, const Batch *batch, size_t i)
{
    const bool single = bench->plan->precision == PRECISION_SINGLE;
    const bool counted =
        !single && group_value(bench->group, bench->group->newton.tolerance, batch->first_point + i) > 0;
    const double epsilon = single ? FLT_EPSILON : DBL_EPSILON;
    PointVerdict verdict = {0};
    bool         status, counts;
    for (int r = 1; r < RUNS && !single; ++r) {
        compare_counts(bench, &bench->reference[0], &bench->reference[r], i, &status, &counts);
        verdict.moved = verdict.moved || status || (counts && counted);
    }
    for (size_t v = 0; v < bench->group->variable_count; ++v) {
        if (!bench->group->variables[v].trajectory)
            continue;
        const Distance d = measure(bench, v, i);
        const double   ulp = fmax(d.scale * epsilon, DBL_MIN);
        const double   allowed =
            spread_factor * d.spread +
            (single ? single_share * d.scale + DBL_MIN : permitted_ulps(bench, batch->first_point + i) * ulp);
        verdict.moved = verdict.moved || d.spread > (single ? single_share : ill_share) * d.scale;
        verdict.trajectory = verdict.trajectory || d.nan_mismatch || !(d.apart <= allowed);
        verdict.share = fmax(verdict.share, d.apart / allowed);
        verdict.ulp = fmax(verdict.ulp, d.apart / ulp);
    }
    compare_counts(bench, &bench->first, &bench->reference[0], i, &verdict.status, &counts);
    verdict.counts = counts && counted;
    verdict.metrics = single ? 0 : differing_metrics(bench, batch->first_point + i, i);
    return verdict;
}

static void compare_point(const ConformBench *bench, const Batch *batch, size_t i, Conformance *out)
{
    const PointVerdict verdict = judge_point(bench, batch, i);
    const bool         differs = verdict.status || verdict.counts || verdict.trajectory || verdict.metrics > 0;
    if (verdict.moved || (differs && bench->close_calls[i])) {
        out->ill_conditioned += 1;
        return;
    }
    out->status_differences += verdict.status;
    out->count_differences += verdict.counts;
    out->metric_differences += verdict.metrics;
    out->beyond_bound += verdict.trajectory;
    out->worst_ulp = fmax(out->worst_ulp, verdict.ulp);
    if (verdict.share > out->worst_share) {
        out->worst_share = verdict.share;
        out->worst_point = batch->first_point + i;
    }
}

// One block: all lane counts of the device against the first, the first against the reference.
static bool compare_block(ConformBench *bench, uint64_t block, const Engine *engines, size_t count, Conformance *out,
                          Error *err)
{
    Batch            batch = batch_make(bench->group, block, 1);
    const RunOptions options = {.signals = bench->request->signals};
    batch.solution = &bench->base.solution;
    if (!engine_run(&engines[0], &batch, &options, &bench->first, err))
        return false;
    for (size_t p = 1; p < count; ++p) {
        if (!engine_run(&engines[p], &batch, &options, &bench->other, err))
            return false;
        out->bit_differences += differing_points(&batch, &bench->first, &bench->other);
    }
    if (bench->base.program) {
        if (!engine_run(&bench->base, &batch, &options, &bench->other, err))
            return false;
        out->device_differences += differing_points(&batch, &bench->first, &bench->other);
    }
    if (bench->unreferenced.kind != ERROR_NONE)
        return true;
    const ReferenceOptions reference = {.stop = bench->request->signals};
    if (!reference_run_nudged(bench->plan, &batch, &reference, bench->reference, bench->close_calls, err))
        return false;
    for (size_t i = 0; i < batch.point_count; ++i)
        compare_point(bench, &batch, i, out);
    return true;
}

static void judge(Conformance *out)
{
    out->bit_equal = out->bit_differences == 0 && out->device_differences == 0;
    out->within_bound = out->beyond_bound == 0 && out->metric_differences == 0;
    out->passed = out->bit_equal && out->within_bound && out->status_differences == 0 && out->count_differences == 0 &&
                  out->ill_conditioned * 100 <= out->points * CONFORM_ILL_PERCENT;
}

static bool compare_group(ConformBench *bench, Device *device, Conformance *out, Error *err)
{
    Engine engines[sizeof lane_counts / sizeof *lane_counts] = {0};
    bool   ok = true;
    *out = (Conformance){.label = bench->group->label,
                         .method = bench->group->method->name,
                         .problem = bench->group->problem->name,
                         .arithmetic = device_arithmetic(device, bench->plan->precision),
                         .precision = bench->plan->precision,
                         .points = bench->group->point_count,
                         .first_device = bench->base.program ? bench->first_device : NULL,
                         .unreferenced = bench->unreferenced.message,
                         .left_out = bench->left_out,
                         .left_out_count = bench->left_out_count};
    memcpy(out->device, device_info(device)->name, sizeof out->device);
    const size_t counts = device_info(device)->vectors ? sizeof lane_counts / sizeof *lane_counts : 1;
    for (size_t p = 0; ok && p < counts; ++p) {
        ok = engine_compose(&engines[p], bench->plan, bench->group, err) &&
             engine_build(&engines[p], device, lane_counts[p], err);
        out->lanes[out->lane_count++] = lane_counts[p];
    }
    for (uint64_t block = 0; ok && block < bench->group->block_count; ++block)
        ok = compare_block(bench, block, engines, out->lane_count, out, err);
    for (size_t p = 0; p < sizeof engines / sizeof *engines; ++p)
        engine_free(&engines[p]);
    judge(out);
    return ok;
}

static bool conform_group(const ConformRequest *request, const Plan *plan, const Group *group, Device *const *devices,
                          size_t device_count, size_t *failed, Error *err)
{
    ConformBench bench = {.request = request, .plan = plan, .group = group};
    reference_check(group, &bench.unreferenced);
    bool ok = engine_compose(&bench.base, plan, group, err) && engine_solve(&bench.base, request->signals, err) &&
              make_bench(&bench, err);
    for (size_t d = 0; ok && d < device_count; ++d) {
        Conformance result;
        if (d == 1) {
            bench.first_device = device_info(devices[0])->name;
            ok = engine_build(&bench.base, devices[0], lane_counts[0], err);
        }
        ok = ok && compare_group(&bench, devices[d], &result, err);
        if (ok) {
            *failed += !result.passed;
            request->report(plan, group, &result, request->user);
        }
    }
    free_bench(&bench);
    return ok;
}

// The overrides that make every applicable metric and a sampled trajectory part of the comparison.
static bool own_overrides(const Plan *plan, Text *metrics, Text *trajectory, Error *err)
{
    uint64_t fewest = UINT64_MAX;
    text_add(metrics, "metrics=[status, x_final, v_final");
    for (size_t c = 0; c < plan->catalog->card_count; ++c) {
        const Card *card = &plan->catalog->cards[c];
        for (size_t r = 0; card->kind == CARD_METRIC && r < card->result_count; ++r) {
            bool applies = true;
            for (size_t g = 0; g < plan->group_count; ++g)
                applies = applies && variable_may_list(&plan->groups[g], card, &card->results[r]);
            if (applies)
                text_add(metrics, ", %s", card->results[r].name);
        }
    }
    text_add(metrics, "]");
    for (size_t g = 0; g < plan->group_count; ++g)
        for (uint64_t p = 0; p < plan->groups[g].point_count; ++p) {
            const uint64_t steps = group_steps(&plan->groups[g], p);
            fewest = steps < fewest ? steps : fewest;
        }
    text_add(trajectory, "trajectory={samples: %llu, fields: [x, v]}",
             (unsigned long long)(fewest + 1 < MAX_SAMPLES ? fewest + 1 : MAX_SAMPLES));
    return text_check(metrics, err) && text_check(trajectory, err);
}

static bool make_plan(const ConformRequest *request, const Catalog *catalog, Spec *spec, Plan *plan, Error *err)
{
    Text         metrics = {0}, trajectory = {0};
    const char **overrides = calloc(request->override_count + 2, sizeof *overrides);
    bool         ok = overrides || fail(err, ERROR_INTERNAL, "out of memory");
    ok = ok && spec_read(request->sweep, request->overrides, request->override_count, spec, err) &&
         plan_make(spec, catalog, plan, err) && own_overrides(plan, &metrics, &trajectory, err);
    if (ok) {
        plan_free(plan);
        spec_free(spec);
        if (request->override_count)
            memcpy(overrides, request->overrides, request->override_count * sizeof *overrides);
        overrides[request->override_count] = metrics.text;
        overrides[request->override_count + 1] = trajectory.text;
        ok = spec_read(request->sweep, overrides, request->override_count + 2, spec, err) &&
             plan_make(spec, catalog, plan, err);
    }
    text_free(&metrics);
    text_free(&trajectory);
    free(overrides);
    return ok;
}

bool conform_run(const ConformRequest *request, size_t *failed, Error *err)
{
    Catalog catalog = {0};
    Spec    spec = {0};
    Plan    plan = {0};
    Device *devices[MAX_DEVICES] = {0};
    size_t  opened = 0, wanted = request->device_count ? request->device_count : 1;
    *failed = 0;
    bool ok = catalog_read(&catalog, err) && make_plan(request, &catalog, &spec, &plan, err);
    if (ok && wanted > MAX_DEVICES)
        ok = fail(err, ERROR_USAGE, "conform: at most %d devices at a time", MAX_DEVICES);
    while (ok && opened < wanted) {
        ok =
            device_open(request->device_count ? request->devices[opened] : NULL, plan.precision, &devices[opened], err);
        opened += ok;
    }
    for (size_t g = 0; ok && g < plan.group_count; ++g)
        ok = conform_group(request, &plan, &plan.groups[g], devices, opened, failed, err);
    for (size_t d = 0; d < opened; ++d)
        device_close(devices[d]);
    plan_free(&plan);
    spec_free(&spec);
    catalog_free(&catalog);
    return ok;
}
