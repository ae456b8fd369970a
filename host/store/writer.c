// writer -- queue, thread, checksums and group commit of the writer.
#include "store/writer.h"

#include "base/clock.h"
#include "store/blocks.h"
#include "store/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static bool write_variables(const Store *store, const Batch *batch, const Results *results, Error *err)
{
    const Group *group = batch->group;
    for (size_t i = 0; i < group->variable_count; i++) {
        const BlockColumn *column = &store->layout.sections[group - store->plan->groups].columns[i];
        uint64_t           first = column->trajectory ? batch->first_slot : batch->first_point;
        size_t             count = column->trajectory ? batch->slot_count : batch->point_count;
        if (!output_write(store->file, store->path, results->data[i], count * column->row_bytes,
                          column->offset + first * column->row_bytes, err))
            return false;
    }
    return true;
}

static uint32_t block_crc(const Store *store, const Batch *batch, const Results *results, uint64_t first_point,
                          uint64_t end_point)
{
    const Group *group = batch->group;
    uLong        crc = crc32_z(0, NULL, 0);
    for (size_t i = 0; i < group->variable_count; i++) {
        const BlockColumn *column = &store->layout.sections[group - store->plan->groups].columns[i];
        const Bytef       *bytes = results->data[i];
        uint64_t           base = column->trajectory ? batch->first_slot : batch->first_point, first, end;
        blocks_rows(group, column->trajectory, first_point, end_point, &first, &end);
        if (end > first)
            crc = crc32_z(crc, bytes + (first - base) * column->row_bytes, (end - first) * column->row_bytes);
    }
    return (uint32_t)crc;
}

static BlockRun run_of(const Batch *batch)
{
    const Group *group = batch->group;
    return (BlockRun){.first_block = group->first_block + batch->first_point / group->block_points,
                      .block_count = (batch->point_count + group->block_points - 1) / group->block_points};
}

static bool write_crcs(const Store *store, const Batch *batch, const Results *results, Error *err)
{
    const Group *group = batch->group;
    BlockRun     run = run_of(batch);
    uint64_t     end_point = batch->first_point + batch->point_count;
    Arena        arena SCOPED(arena_free) = {0};
    uint32_t    *crcs = arena_take(&arena, run.block_count, sizeof *crcs, err);
    for (uint64_t i = 0; crcs && i < run.block_count; i++) {
        uint64_t first = batch->first_point + i * group->block_points, end = first + group->block_points;
        crcs[i] = block_crc(store, batch, results, first, end < end_point ? end : end_point);
    }
    return crcs && output_write(store->file, store->path, crcs, run.block_count * sizeof *crcs,
                                store->layout.crc->offset + run.first_block * sizeof *crcs, err);
}

static bool sync_data(const Store *store, Error *err)
{
    return fdatasync(store->file) == 0 || output_fail(err, store->path, "cannot be synced");
}

// Makes the written runs done. The second sync is for the done bytes themselves: the next commit would bring it too,
// but a caller that waits for the end wants it now. Without runs the first is for the bytes of the commit before.
static bool commit(Store *store, bool final, Error *err)
{
    unsigned char ones[4096];
    memset(ones, 1, sizeof ones);
    if (!sync_data(store, err))
        return false;
    for (size_t i = 0; i < store->run_count; i++) {
        BlockRun run = store->runs[i];
        while (run.block_count > 0) {
            uint64_t count = run.block_count < sizeof ones ? run.block_count : sizeof ones;
            uint64_t offset = store->layout.done->offset + run.first_block;
            if (!output_write(store->file, store->path, ones, count, offset, err))
                return false;
            for (uint64_t block = run.first_block; block < run.first_block + count; block++)
                atomic_store(&store->done[block], 1);
            run.first_block += count;
            run.block_count -= count;
        }
    }
    return !final || store->run_count == 0 || sync_data(store, err);
}

static Slot *next_queued(Store *store)
{
    Slot *next = NULL;
    for (size_t i = 0; i < WRITER_SLOTS; i++) {
        Slot *slot = &store->slots[i];
        if (slot->state == SLOT_QUEUED && (!next || slot->turn < next->turn))
            next = slot;
    }
    return next;
}

static void note_failure(Store *store, const Error *err)
{
    if (!store->failed)
        store->failure = *err;
    store->failed = true;
    store->run_count = 0;
    store->unsynced = false;
}

// Called and left with the mutex held; works without it.
static void write_slot(Store *store, Slot *slot)
{
    Error err = {0};
    bool  written = false;
    if (!store->failed) {
        pthread_mutex_unlock(&store->writer.mutex);
        written = write_variables(store, &slot->batch, &slot->results, &err) &&
                  write_crcs(store, &slot->batch, &slot->results, &err);
        pthread_mutex_lock(&store->writer.mutex);
        if (!written)
            note_failure(store, &err);
    }
    if (written) {
        if (store->run_count == 0)
            store->due = clock_seconds() + 1.0;
        store->runs[store->run_count++] = run_of(&slot->batch);
    }
    slot->state = SLOT_FREE;
}

static void commit_runs(Store *store, bool final)
{
    Error err = {0};
    pthread_mutex_unlock(&store->writer.mutex);
    bool committed = commit(store, final, &err);
    pthread_mutex_lock(&store->writer.mutex);
    store->run_count = 0;
    store->unsynced = !final;
    if (!committed)
        note_failure(store, &err);
}

static void *write_batches(void *argument)
{
    Store *store = argument;
    pthread_mutex_lock(&store->writer.mutex);
    for (;;) {
        Slot *slot = next_queued(store);
        bool  final = !slot && (store->run_count > 0 || store->unsynced) && (store->hurry || store->writer.stop),
             due = store->run_count == WRITER_RUNS || (store->run_count > 0 && clock_seconds() >= store->due);
        if (final || due) {
            store->busy = true;
            commit_runs(store, final);
        } else if (slot) {
            store->busy = true;
            write_slot(store, slot);
        } else if (store->writer.stop) {
            break;
        } else {
            store->busy = false;
            pthread_cond_broadcast(&store->writer.changed);
            if (store->run_count > 0)
                thread_wait_until(&store->writer, store->due);
            else
                thread_wait(&store->writer);
            continue;
        }
        pthread_cond_broadcast(&store->writer.changed);
    }
    pthread_mutex_unlock(&store->writer.mutex);
    return NULL;
}

bool writer_start(Store *store, Error *err)
{
    return thread_begin(&store->writer, write_batches, store, "writing", err);
}

static bool fits(const Slot *slot, const Group *group, size_t point_capacity, size_t slot_capacity)
{
    return slot->results.group == group && slot->results.point_capacity >= point_capacity &&
           slot->results.slot_capacity >= slot_capacity;
}

// A free slot, preferably one whose buffers fit.
static Slot *find_free(Store *store, const Group *group, size_t point_capacity, size_t slot_capacity)
{
    Slot *found = NULL;
    for (size_t i = 0; i < WRITER_SLOTS; i++) {
        Slot *slot = &store->slots[i];
        if (slot->state == SLOT_FREE && (!found || fits(slot, group, point_capacity, slot_capacity)))
            found = slot;
    }
    return found;
}

static bool report(const Store *store, Error *err)
{
    if (store->failed)
        *err = store->failure;
    return !store->failed;
}

Results *store_take(Store *store, const Group *group, size_t point_capacity, size_t slot_capacity, Error *err)
{
    Slot *slot = NULL;
    pthread_mutex_lock(&store->writer.mutex);
    while (!store->failed && !(slot = find_free(store, group, point_capacity, slot_capacity)))
        thread_wait(&store->writer);
    bool taken = report(store, err);
    if (taken)
        slot->state = SLOT_TAKEN;
    pthread_mutex_unlock(&store->writer.mutex);
    if (!taken || fits(slot, group, point_capacity, slot_capacity))
        return taken ? &slot->results : NULL;

    results_free(&slot->results);
    slot->results = (Results){0};
    if (results_make(group, point_capacity, slot_capacity, &slot->results, err))
        return &slot->results;
    store_give_back(store, &slot->results);
    return NULL;
}

static void hand_over(Store *store, Results *results, SlotState state, const Batch *batch)
{
    pthread_mutex_lock(&store->writer.mutex);
    for (size_t i = 0; i < WRITER_SLOTS; i++) {
        Slot *slot = &store->slots[i];
        if (&slot->results != results)
            continue;
        slot->state = state;
        slot->turn = store->turn++;
        if (batch)
            slot->batch = *batch;
    }
    pthread_cond_broadcast(&store->writer.changed);
    pthread_mutex_unlock(&store->writer.mutex);
}

// A batch must be whole blocks of its group and fit its buffers: nothing else may ever reach the file.
static bool check_batch(const Batch *batch, const Results *results, Error *err)
{
    const Group *group = batch->group;
    uint64_t     end = batch->first_point + batch->point_count, first_slot = 0, end_slot = 0;
    if (results->group != group || batch->point_count == 0 || batch->point_count > results->point_capacity ||
        batch->first_point % group->block_points != 0 || end > group->point_count ||
        (end % group->block_points != 0 && end != group->point_count))
        return fail(err, ERROR_INTERNAL, "%s: points %llu to %llu are no batch", group->label,
                    (unsigned long long)batch->first_point, (unsigned long long)end);
    if (group->trajectory.stored)
        blocks_rows(group, true, batch->first_point, end, &first_slot, &end_slot);
    if (batch->slot_count != end_slot - first_slot || batch->slot_count > results->slot_capacity ||
        (batch->slot_count > 0 && batch->first_slot != first_slot))
        return fail(err, ERROR_INTERNAL, "%s: %zu trajectories from %llu on do not belong to the batch", group->label,
                    batch->slot_count, (unsigned long long)batch->first_slot);
    return true;
}

bool store_write(Store *store, const Batch *batch, Results *results, Error *err)
{
    bool whole = check_batch(batch, results, err);
    hand_over(store, results, whole ? SLOT_QUEUED : SLOT_FREE, batch);
    pthread_mutex_lock(&store->writer.mutex);
    bool fine = report(store, err) && whole;
    pthread_mutex_unlock(&store->writer.mutex);
    return fine;
}

void store_give_back(Store *store, Results *results)
{
    hand_over(store, results, SLOT_FREE, NULL);
}

bool store_finish(Store *store, Error *err)
{
    pthread_mutex_lock(&store->writer.mutex);
    store->hurry = true;
    pthread_cond_broadcast(&store->writer.changed);
    while (store->busy || store->run_count > 0 || store->unsynced || next_queued(store))
        thread_wait(&store->writer);
    store->hurry = false;
    bool fine = report(store, err);
    pthread_mutex_unlock(&store->writer.mutex);
    return fine;
}

void writer_stop(Store *store)
{
    if (!store->writer.started)
        return;
    thread_end(&store->writer);
    for (size_t i = 0; i < WRITER_SLOTS; i++)
        results_free(&store->slots[i].results);
}
