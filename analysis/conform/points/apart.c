// apart -- the reference run nine times, and its distances from the kernels' samples and from its own.
#include "analysis/conform/points/apart.h"

#include "reference/reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { RUNS = REFERENCE_NUDGES };

static const double sensitive_share = 1e-4, parted_share = 1e-6;

// The two sides compared: the kernels' results and the reference's.
typedef struct Sides {
    const Plan    *plan;
    const Batch   *batch;
    const Results *kernels;
    Results        reference[RUNS];
    bool          *close;  // [point_count] the reference came near to another count
} Sides;

static bool whole(const Variable *variable)
{
    return variable->type != TYPE_F32 && variable->type != TYPE_F64;
}

// Whether moving the initial state changes the status or a count.
static bool counts_move(const Sides *sides, size_t i)
{
    const Group *group = sides->batch->group;
    for (size_t v = 0; v < group->variable_count; ++v)
        for (int r = 1; r < RUNS && whole(&group->variables[v]) && reference_computes(group, v); ++r)
            if (results_value(&sides->reference[r], v, i, 0) != results_value(&sides->reference[0], v, i, 0))
                return true;
    return false;
}

// Distances of one trajectory: between kernels and reference, among reference runs, and its scale.
typedef struct Distances {
    double apart, spread, scale;
} Distances;

static double widen(double largest, double a, double b)
{
    return isnan(a) || isnan(b) ? largest : fmax(largest, fabs(a - b));
}

static Distances measure(const Sides *sides, size_t v, size_t i)
{
    Distances d = {0};
    for (size_t e = 0; e < sides->batch->group->variables[v].width; ++e) {
        const double reference = results_value(&sides->reference[0], v, i, e);
        d.apart = widen(d.apart, results_value(sides->kernels, v, i, e), reference);
        d.scale = widen(d.scale, reference, 0.0);
        for (int r = 1; r < RUNS; ++r)
            d.spread = widen(d.spread, results_value(&sides->reference[r], v, i, e), reference);
    }
    return d;
}

// Notes the first step after which a sample of the trajectory has parted.
static void note_step(const Sides *sides, size_t v, size_t i, double scale, Apart *apart)
{
    const Group   *group = sides->batch->group;
    const size_t   dofs = group->variables[v].per_dof ? group->dofs : 1;
    const uint64_t point = sides->batch->first_point + i;
    for (size_t k = 0; k < group_samples(group, point); ++k) {
        double most = 0.0;
        for (size_t e = k * dofs; e < (k + 1) * dofs; ++e)
            most = widen(most, results_value(sides->kernels, v, i, e), results_value(&sides->reference[0], v, i, e));
        if (most > parted_share * scale && group_sample_step(group, point, k) < apart->step) {
            apart->step = group_sample_step(group, point, k);
            apart->step_point = point;
        }
    }
}

static void compare_point(const Sides *sides, size_t i, Apart *apart)
{
    const Group *group = sides->batch->group;
    const double epsilon = sides->plan->precision == PRECISION_SINGLE ? (double)FLT_EPSILON : DBL_EPSILON;
    bool         sensitive = sides->close[i] || counts_move(sides, i);
    double       ulps = 0.0;
    for (size_t v = 0; v < group->variable_count; ++v) {
        if (group->variables[v].source != SOURCE_X && group->variables[v].source != SOURCE_V)
            continue;
        const Distances d = measure(sides, v, i);
        sensitive = sensitive || d.spread > sensitive_share * d.scale;
        ulps = fmax(ulps, d.apart / fmax(d.scale * epsilon, DBL_MIN));
        note_step(sides, v, i, d.scale, apart);
    }
    apart->sensitive += sensitive;
    if (!sensitive)
        apart->ulps = fmax(apart->ulps, ulps);
}

bool apart_measure(const Plan *plan, const Batch *batch, const Results *kernels, const volatile sig_atomic_t *stop,
                   Apart *apart, Error *err)
{
    const ReferenceOptions options = {.stop = stop};
    Sides                  sides = {.plan = plan, .batch = batch, .kernels = kernels};
    const size_t           count = batch->point_count;
    *apart = (Apart){.step = UINT64_MAX};
    if (!reference_check(batch->group, &apart->unreferenced))
        return true;
    sides.close = calloc(count, sizeof *sides.close);
    bool ok = sides.close || fail(err, ERROR_INTERNAL, "out of memory");
    for (int r = 0; ok && r < RUNS; ++r)
        ok = results_make(batch->group, count, batch->slot_count, &sides.reference[r], err);
    ok = ok && reference_run_nudged(plan, batch, &options, sides.reference, sides.close, err);
    for (size_t i = 0; ok && i < count; ++i)
        compare_point(&sides, i, apart);
    apart->points = count;
    for (int r = 0; r < RUNS; ++r)
        results_free(&sides.reference[r]);
    free(sides.close);
    return ok;
}
