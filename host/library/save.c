// save -- result files of the library's callers: of a result in memory, and of shards.
#include "library/library.h"

#include "run/output_name.h"
#include "store/merge.h"
#include "store/output.h"

#include <stdlib.h>
#include <string.h>

bool library_take_mode(int mode, bool resumes, StoreMode *store, Error *err)
{
    static const StoreMode modes[] = {
        [PENDULA_NEW] = STORE_NEW, [PENDULA_RESUME] = STORE_RESUME, [PENDULA_REPLACE] = STORE_REPLACE};
    if (mode < 0 || (size_t)mode >= sizeof modes / sizeof *modes)
        return fail(err, ERROR_USAGE, "mode %d is none of PendulaMode", mode);
    if (mode == PENDULA_RESUME && !resumes)
        return fail(err, ERROR_USAGE, "there is nothing to resume: the file is new, or replaced");
    *store = modes[mode];
    return true;
}

bool library_has_text(const Planned *planned, Error *err)
{
    return !planned->points ||
           fail(err, ERROR_USAGE,
                "a file is replayed from the sweep's text, which does not have the points that were given: "
                "write them to a CSV or HDF5 file, and name it under `points`");
}

// Whether every point of a block was computed.
static bool is_done(const Results *all, uint64_t block)
{
    const Batch batch = batch_make(all->group, block, 1);
    size_t      i = 0;
    while (i < batch.point_count && results_value(all, 0, (size_t)batch.first_point + i, 0) != STATUS_NOT_RUN)
        ++i;
    return i == batch.point_count;
}

// Copies the results of a batch out of those of its group.
static void copy_batch(const Results *all, const Batch *batch, const Results *part)
{
    for (size_t v = 0; v < all->group->variable_count; ++v) {
        const Variable *variable = &all->group->variables[v];
        const size_t    first = (size_t)(variable->trajectory ? batch->first_slot : batch->first_point),
                     rows = variable->trajectory ? batch->slot_count : batch->point_count;
        if (rows > 0)
            memcpy(part->data[v], results_at(all, v, first), rows * variable->width * group_type_bytes(variable->type));
    }
}

// Gives the store the blocks that are done, so many at a time that the copies stay small.
static bool write_group(Store *store, const Results *all, Error *err)
{
    enum { SOME_POINTS = 1 << 16 };
    const Group   *group = all->group;
    const uint64_t most = SOME_POINTS / group->block_points + 1;
    bool           ok = true;
    for (uint64_t block = 0, count = 0; ok && block < group->block_count; block += count ? count : 1) {
        for (count = 0; count < most && block + count < group->block_count && is_done(all, block + count);)
            ++count;
        if (count == 0)
            continue;
        const Batch batch = batch_make(group, block, count);
        Results    *part = store_take(store, group, batch.point_count, batch.slot_count, err);
        ok = part != NULL;
        if (ok) {
            copy_batch(all, &batch, part);
            ok = store_write(store, &batch, part, err);
        }
    }
    return ok;
}

static bool write_all(Store *store, const PendulaResult *result, Error *err)
{
    bool ok = true;
    for (size_t g = 0; ok && g < result->planned->plan.group_count; ++g)
        ok = write_group(store, &result->results[g], err);
    return ok && store_finish(store, err) && store_publish(store, err);
}

// The composed kernels of a plan, which stand in the file.
static bool compose_all(const Plan *plan, Arena *arena, const char ***sources, Error *err)
{
    *sources = arena_take(arena, plan->group_count, sizeof **sources, err);
    bool ok = *sources != NULL;
    for (size_t g = 0; ok && g < plan->group_count; ++g) {
        Engine engine SCOPED(engine_free) = {0};
        ok = engine_compose(&engine, plan, &plan->groups[g], err) &&
             ((*sources)[g] = arena_copy(arena, engine.source.text, err));
    }
    return ok;
}

static bool save(const PendulaResult *result, const char *path, StoreMode mode, Error *err)
{
    Plan             plan = result->planned->plan;  // the groups are the result's
    const RunRequest request = {.sweep = plan.spec->path, .output = path};
    RunSummary      *summary SCOPED(scoped_free) = calloc(1, sizeof *summary);
    Arena            arena SCOPED(arena_free) = {0};
    const char     **sources;
    Store           *store = NULL;
    if (result->reference)
        plan.computed_by = plan_reference;
    bool ok = summary || fail(err, ERROR_INTERNAL, "out of memory");
    ok = ok && output_name_choose(&request, &plan, summary, err) && compose_all(&plan, &arena, &sources, err) &&
         store_check(summary->output, &plan, mode, err) &&
         store_prepare(summary->output, &plan, sources, mode, &store, err) && write_all(store, result, err);
    store_close(store);
    return ok || output_advise(err, "save it again");
}

bool pendula_result_save(const PendulaResult *result, const char *path, int mode, PendulaError **error)
{
    PLAIN_NUMERALS;
    StoreMode store = STORE_NEW;
    Error     err = {0};
    if (!result || !path)
        return library_refuse(error, ERROR_USAGE, "no result, or the path is NULL");
    if (!result->planned && result->file.held)
        return library_refuse(error, ERROR_USAGE, "the result is that of an analysis: save that of the run");
    if (!result->planned)
        return library_refuse(error, ERROR_USAGE, "the result is read from a file already: copy '%s'",
                              result->file.path);
    return (library_take_mode(mode, false, &store, &err) && library_has_text(result->planned, &err) &&
            save(result, path, store, &err)) ||
           library_fail(error, &err);
}

bool pendula_merge(const char *path, const char *const *paths, size_t count, int mode, PendulaError **error)
{
    PLAIN_NUMERALS;
    StoreMode store = STORE_NEW;
    Merged    merged;
    Error     err = {0};
    if (!path || !paths || count == 0)
        return library_refuse(error, ERROR_USAGE, "no path, or no shards");
    for (size_t i = 0; i < count; ++i)
        if (!paths[i])
            return library_refuse(error, ERROR_USAGE, "the path of shard %zu is NULL", i);
    if (!library_take_mode(mode, false, &store, &err))
        return library_fail(error, &err);
    const MergeRequest request = {.path = path, .shards = paths, .shard_count = count, .force = store == STORE_REPLACE};
    return merge_files(&request, &merged, &err) || library_fail(error, &err);
}
