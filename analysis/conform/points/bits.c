// bits -- results compared as bytes, and how far differing ones are apart.
#include "analysis/conform/points/bits.h"

#include "device/build.h"
#include "engine/builds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Engine *engine_of(const Bits *bits, size_t device, size_t lane)
{
    return &bits->engines[device * BITS_LANES + lane];
}

BitsLanes bits_lanes(const DeviceInfo *info, Precision precision, const Group *group, const BitsLanes *asked)
{
    BitsLanes found = {.counts = {1}, .count = 1};
    if (info->vectors && asked->count > 0)
        return *asked;
    const int own = build_lanes(info, precision, group), room = build_lanes_most(precision, group);
    for (int lanes = 2; info->vectors && lanes <= room; lanes *= 2)
        if (lanes == own || (!info->gpu && (lanes == 8 || lanes == 16)))
            found.counts[found.count++] = lanes;
    return found;
}

static bool is_stopped(void *signals)
{
    return signals && *(const volatile sig_atomic_t *)signals;
}

bool bits_open(const Plan *plan, const Group *group, const Group *whole, Device *const *devices, size_t device_count,
               const BitsLanes *lanes, size_t points, const volatile sig_atomic_t *signals, Bits *bits, Error *err)
{
    const BuildsOptions options = {.must_stop = is_stopped, .user = (void *)signals};
    Build               builds[BITS_DEVICES * (BITS_LANES + 1)];
    size_t              count = 0;
    bits->engines = calloc(BITS_DEVICES * BITS_LANES, sizeof *bits->engines);
    if (!bits->engines)
        return fail(err, ERROR_INTERNAL, "out of memory");
    bool ok = results_make(group, points, points, &bits->first, err) &&
              results_make(group, points, points, &bits->other, err);
    for (size_t d = 0; ok && d < device_count; ++d) {
        const DeviceInfo *info = device_info(devices[d]);
        BitsDevice       *device = &bits->devices[bits->device_count++];
        device->name = info->name;
        device->lanes = bits_lanes(info, plan->precision, whole, lanes);
        builds[count++] = (Build){.device = devices[d], .precision = plan->precision};
        for (size_t l = 0; ok && l < device->lanes.count; ++l) {
            builds[count++] =
                (Build){.device = devices[d], .engine = engine_of(bits, d, l), .lanes = device->lanes.counts[l]};
            ok = engine_compose(engine_of(bits, d, l), plan, group, err);
        }
    }
    ok = ok && builds_make(builds, count, &options, err);
    for (size_t d = 0; ok && d < device_count; ++d)
        bits->devices[d].arithmetic = device_arithmetic(devices[d], plan->precision);
    return ok;
}

void bits_close(Bits *bits)
{
    for (size_t i = 0; bits->engines && i < BITS_DEVICES * BITS_LANES; ++i)
        engine_free(&bits->engines[i]);
    free(bits->engines);
    free(bits->shown);
    results_free(&bits->first);
    results_free(&bits->other);
    *bits = (Bits){0};
}

static double apart(VariableType type, double a, double b)
{
    if (a == b || (isnan(a) && isnan(b)))
        return 0.0;
    if ((type != TYPE_F64 && type != TYPE_F32) || !isfinite(a) || !isfinite(b))
        return (double)INFINITY;
    const double larger = fmax(fabs(a), fabs(b));
    const double place = type == TYPE_F64 ? nextafter(larger, (double)INFINITY) - larger
                                          : (double)(nextafterf((float)larger, INFINITY) - (float)larger);
    return fabs(a - b) / place;
}

// How far two results of a point are apart. NaN is one pattern, so that bytes can be compared; bytes that differ though
// the numbers do not are zeros of two signs.
double bits_apart(const Group *group, const Results *a, const Results *b, size_t point, size_t *v)
{
    double most = 0.0;
    for (size_t k = 0; k < group->variable_count; ++k) {
        const Variable *variable = &group->variables[k];
        double          here = 0.5;
        if (memcmp(results_at(a, k, point), results_at(b, k, point),
                   variable->width * group_type_bytes(variable->type)) == 0)
            continue;
        for (size_t e = 0; e < variable->width; ++e)
            here = fmax(here, apart(variable->type, results_value(a, k, point, e), results_value(b, k, point, e)));
        if (here > most)
            *v = k;
        most = fmax(most, here);
    }
    return most;
}

bool bits_run(Bits *bits, const Batch *batch, const RunOptions *options, Error *err)
{
    const size_t count = batch->point_count;
    double      *worst = calloc(2 * count, sizeof *worst), *here = worst ? worst + count : NULL;
    size_t       at;
    bool         ok = worst || fail(err, ERROR_INTERNAL, "out of memory");
    ok = ok && engine_run(engine_of(bits, 0, 0), batch, options, &bits->first, err);
    for (size_t d = 0; ok && d < bits->device_count; ++d) {
        memset(here, 0, count * sizeof *here);
        for (size_t l = d == 0; ok && l < bits->devices[d].lanes.count; ++l) {
            ok = engine_run(engine_of(bits, d, l), batch, options, &bits->other, err);
            for (size_t i = 0; ok && i < count; ++i)
                here[i] = fmax(here[i], bits_apart(batch->group, &bits->first, &bits->other, i, &at));
        }
        for (size_t i = 0; ok && i < count; ++i) {
            bits->devices[d].differing += here[i] > 0.0;
            worst[i] = fmax(worst[i], here[i]);
        }
    }
    for (size_t i = 0; ok && i < count; ++i) {
        bits->same += worst[i] == 0.0;
        if (worst[i] > bits->ulps) {
            bits->ulps = worst[i];
            bits->point = batch->first_point + i;
        }
        if (bits->shown)
            bits->shown[batch->first_point + i] = worst[i];
    }
    bits->points += batch->point_count;
    free(worst);
    return ok;
}
