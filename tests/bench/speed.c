// speed -- kernels against the plain C loop of the same algorithm, both cores each, turn by turn in one process.
//
// Prints the medians and their ratio. It fails where the two do not do the same work, or where the ratio falls below a
// floor that leaves room for noise and for processors whose vector unit is narrow: a real loss is larger.
#include "compose/compose.h"
#include "device/device.h"
#include "plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 7 };

static const double floor_ratio = 3.0;

typedef struct Race {
    Catalog  catalog;
    Spec     spec;
    Plan     plan;
    Text     source;
    Device  *device;
    Program *program;
    Results  results;
    double  *x0, *x_final;
    size_t   points, steps;
} Race;

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool prepare(Race *race, const char *sweep, Error *err)
{
    if (!catalog_read(&race->catalog, err) || !spec_read(sweep, NULL, 0, &race->spec, err) ||
        !plan_make(&race->spec, &race->catalog, &race->plan, err))
        return false;
    const Group *group = &race->plan.groups[0];
    race->points = (size_t)group->point_count;
    race->steps = (size_t)group_steps(group, 0);
    race->x0 = calloc(race->points, sizeof(double));
    race->x_final = calloc(race->points, sizeof(double));
    if (!race->x0 || !race->x_final)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < race->points; ++i)
        race->x0[i] = group->axes[0].values[i];
    return compose(&race->plan, group, &race->source, err) && device_open("cpu", &race->device, err) &&
           device_build(race->device, &race->plan, group, race->source.text, 16, &race->program, err) &&
           results_make(group, race->points, 0, &race->results, err);
}

static bool run_kernel(Race *race, double *seconds, Error *err)
{
    const Group     *group = &race->plan.groups[0];
    const Batch      batch = batch_make(group, 0, group->block_count);
    const RunOptions options = {0};
    const double     begin = now_seconds();
    const bool       ok = program_run(race->program, &batch, &options, &race->results, err);
    *seconds = now_seconds() - begin;
    return ok;
}

// The same points must have taken the same updates to the same end.
static bool same_work(const Race *race, unsigned long long updates, Error *err)
{
    unsigned long long total = 0;
    double             worst = 0;
    for (size_t i = 0; i < race->points; ++i) {
        total += (unsigned long long)results_value(&race->results, 1, i, 0);
        worst = fmax(worst, fabs(results_value(&race->results, 2, i, 0) - race->x_final[i]));
    }
    return (total == updates && worst < 1e-9) ||
           fail(err, ERROR_CONFORMANCE, "not the same work: %llu updates against %llu, x apart by %g", total, updates,
                worst);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof *values, ascending);
    return values[ROUNDS / 2];
}

static bool race_all(Race *race, double *ratio, Error *err)
{
    double       kernel[ROUNDS], plain[ROUNDS], each[ROUNDS], seconds;
    const int    threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    const double work = (double)race->points * (double)race->steps;
    if (!run_kernel(race, &seconds, err))  // the first run compiles
        return false;
    for (int r = 0; r < ROUNDS; ++r) {
        const double             begin = now_seconds();
        const unsigned long long updates = plain_w1(race->x0, race->x_final, race->points, race->steps, threads);
        plain[r] = work / (now_seconds() - begin);
        if (!run_kernel(race, &seconds, err) || !same_work(race, updates, err))
            return false;
        kernel[r] = work / seconds;
        each[r] = kernel[r] / plain[r];
    }
    *ratio = median(each);
    printf("W1, %zu points, %zu steps, %d threads, median of %d: plain C %.3g steps/s, %s at %d lanes %.3g steps/s, "
           "ratio %.2f "
           "(%.2f to %.2f)\n",
           race->points, race->steps, threads, ROUNDS, median(plain), device_info(race->device)->name,
           program_lanes(race->program), median(kernel), *ratio, each[0], each[ROUNDS - 1]);
    return true;
}

int main(int argc, char **argv)
{
    Race   race = {0};
    Error  err = {0};
    double ratio = 0;
    bool   ok = argc == 2 && prepare(&race, argv[1], &err) && race_all(&race, &ratio, &err);
    if (!ok)
        fprintf(stderr, "speed: %s\n", argc == 2 ? err.message : "usage: speed W1.yaml");
    else if (ratio < floor_ratio)
        fprintf(stderr, "speed: ratio %.2f is below %.1f\n", ratio, floor_ratio);
    results_free(&race.results);
    program_free(race.program);
    device_close(race.device);
    text_free(&race.source);
    plan_free(&race.plan);
    spec_free(&race.spec);
    catalog_free(&race.catalog);
    free(race.x0);
    free(race.x_final);
    return ok && ratio >= floor_ratio ? 0 : 1;
}
