// dry_run -- a run whose engine computes nothing: every point is ok and all its numbers are 0. Header, journal, writer
// and memory are those of a real run.
//
//   dry_run SWEEP.yaml FILE.h5 [I/N [SECONDS]]     shard I of N; ends by itself after so many seconds, at a commit
//
// Prints a line of JSON: points, bytes of the file's own rows, seconds to plan, to make the file and to write it, and
// the peak memory.
#include "base/clock.h"
#include "compose/compose.h"
#include "plan/part.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct Dry {
    Catalog  catalog;
    Spec     spec;
    Plan     plan;
    Store   *store;
    uint64_t points, bytes;
} Dry;

static bool make_plan(Dry *dry, const char *sweep, const char *part, Error *err)
{
    uint64_t index, count;
    return catalog_read(&dry->catalog, err) && spec_read(sweep, NULL, 0, &dry->spec, err) &&
           plan_make(&dry->spec, &dry->catalog, &dry->plan, err) &&
           (!part || (part_read(part, &index, &count) ? part_take(&dry->plan, index, count, err)
                                                      : fail(err, ERROR_USAGE, "no shard '%s'", part)));
}

static bool make_store(Dry *dry, const char *path, Error *err)
{
    Text        *texts = calloc(dry->plan.group_count, sizeof *texts);
    const char **sources = calloc(dry->plan.group_count, sizeof *sources);
    bool         ok = (texts && sources) || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t g = 0; ok && g < dry->plan.group_count; ++g) {
        ok = compose(&dry->plan, &dry->plan.groups[g], &texts[g], err);
        sources[g] = texts[g].text;
    }
    ok = ok && store_open(path, &dry->plan, sources, STORE_RESUME, &dry->store, err);
    for (size_t g = 0; texts && g < dry->plan.group_count; ++g)
        text_free(&texts[g]);
    free(sources);
    free(texts);
    return ok;
}

// Slots are made of zeros and used again: only the status is written.
static bool write_group(Dry *dry, const Group *group, double until, Error *err)
{
    enum { BLOCKS = 64 };
    uint64_t first, end;
    part_blocks(&dry->plan, group, &first, &end);
    for (uint64_t b = first; b < end && clock_seconds() < until; b += BLOCKS) {
        const Batch batch = batch_make(group, b - group->first_block, b + BLOCKS < end ? BLOCKS : end - b);
        Results    *results = store_take(dry->store, group, BLOCKS * group->block_points, batch.slot_count, err);
        if (!results)
            return false;
        memset(results->data[0], STATUS_OK, batch.point_count);
        if (!store_write(dry->store, &batch, results, err))
            return false;
        dry->points += batch.point_count;
        for (size_t v = 0; v < group->variable_count; ++v)
            dry->bytes += (group->variables[v].trajectory ? batch.slot_count : batch.point_count) *
                          group->variables[v].width * group_type_bytes(group->variables[v].type);
    }
    return true;
}

int main(int argc, char **argv)
{
    Dry           dry = {0};
    Error         err = {0};
    struct rusage usage;
    const double  begin = clock_seconds(), until = begin + (argc > 4 ? strtod(argv[4], NULL) : 1e9);
    if (argc < 3) {
        fprintf(stderr, "usage: dry_run SWEEP.yaml FILE.h5 [I/N [SECONDS]]\n");
        return ERROR_USAGE;
    }
    bool         ok = make_plan(&dry, argv[1], argc > 3 ? argv[3] : NULL, &err);
    const double planned = clock_seconds();
    ok = ok && make_store(&dry, argv[2], &err);
    const double made = clock_seconds();
    for (size_t g = 0; ok && g < dry.plan.group_count; ++g)
        ok = write_group(&dry, &dry.plan.groups[g], until, &err);
    ok = ok && store_finish(dry.store, &err);
    getrusage(RUSAGE_SELF, &usage);
    if (ok)
        printf("{\"points\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"blocks\": %" PRIu64
               ", \"plan_seconds\": %.3f, \"make_seconds\": %.3f, \"write_seconds\": %.3f, \"peak_mib\": %.1f}\n",
               dry.points, dry.bytes, dry.plan.block_count, planned - begin, made - planned, clock_seconds() - made,
               (double)usage.ru_maxrss / 1024);
    else
        fprintf(stderr, "dry_run: %s\n", err.message);
    store_close(dry.store);
    plan_free(&dry.plan);
    spec_free(&dry.spec);
    catalog_free(&dry.catalog);
    return ok ? 0 : (int)err.kind;
}
