// writer -- queue, thread, checksums and group commit of the writer.
#include "store/writer.h"

#include "base/thread.h"
#include "store/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static bool overdue(const struct timespec *due)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > due->tv_sec || (now.tv_sec == due->tv_sec && now.tv_nsec >= due->tv_nsec);
}

// Offset of a variable's numbers in the file.
static const Dataset *dataset_of(const Writer *writer, const Group *group, size_t variable)
{
    return &writer->layout->sections[group - writer->plan->groups].variables[variable];
}

// The rows (points, or slots of stored trajectories) of a variable in a run of points of the group.
static void rows_of(const Group *group, const Variable *variable, uint64_t first_point, uint64_t end_point,
                    uint64_t *first, uint64_t *end)
{
    *first = first_point;
    *end = end_point;
    if (variable->trajectory) {
        *first = group_slot(group, first_point, NULL);
        *end = end_point < group->point_count ? group_slot(group, end_point, NULL) : group->trajectory.slot_count;
    }
}

static bool write_variables(const Writer *writer, const Batch *batch, const Results *results, Error *err)
{
    const Group *group = batch->group;
    for (size_t i = 0; i < group->variable_count; i++) {
        const Variable *variable = &group->variables[i];
        size_t          row_bytes = variable->width * group_type_bytes(variable->type);
        uint64_t        first = variable->trajectory ? batch->first_slot : batch->first_point;
        size_t          count = variable->trajectory ? batch->slot_count : batch->point_count;
        if (!output_write(writer->file, writer->path, results->data[i], count * row_bytes,
                          dataset_of(writer, group, i)->offset + first * row_bytes, err))
            return false;
    }
    return true;
}

static uint32_t block_crc(const Batch *batch, const Results *results, uint64_t first_point, uint64_t end_point)
{
    const Group *group = batch->group;
    uLong        crc = crc32_z(0, NULL, 0);
    for (size_t i = 0; i < group->variable_count; i++) {
        const Variable *variable = &group->variables[i];
        size_t          row_bytes = variable->width * group_type_bytes(variable->type);
        uint64_t        base = variable->trajectory ? batch->first_slot : batch->first_point, first, end;
        rows_of(group, variable, first_point, end_point, &first, &end);
        const Bytef *bytes = results->data[i];
        if (end > first)
            crc = crc32_z(crc, bytes + (first - base) * row_bytes, (end - first) * row_bytes);
    }
    return (uint32_t)crc;
}

static BlockRun run_of(const Batch *batch)
{
    const Group *group = batch->group;
    return (BlockRun){.first_block = group->first_block + batch->first_point / group->block_points,
                      .block_count = (batch->point_count + group->block_points - 1) / group->block_points};
}

static bool write_crcs(const Writer *writer, const Batch *batch, const Results *results, Error *err)
{
    const Group *group = batch->group;
    BlockRun     run = run_of(batch);
    uint64_t     end_point = batch->first_point + batch->point_count;
    uint32_t    *crcs = calloc(run.block_count, sizeof *crcs);
    if (!crcs)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (uint64_t i = 0; i < run.block_count; i++) {
        uint64_t first = batch->first_point + i * group->block_points, end = first + group->block_points;
        crcs[i] = block_crc(batch, results, first, end < end_point ? end : end_point);
    }
    bool written = output_write(writer->file, writer->path, crcs, run.block_count * sizeof *crcs,
                                writer->layout->crc->offset + run.first_block * sizeof *crcs, err);
    free(crcs);
    return written;
}

static bool sync_data(const Writer *writer, Error *err)
{
    return fdatasync(writer->file) == 0 ||
           fail(err, ERROR_IO, "%s: cannot be synced: %s", writer->path, strerror(errno));
}

// Makes the written runs done. The second sync is for the done bytes themselves: the next commit would bring it too,
// but a caller that waits for the end wants it now.
static bool commit(Writer *writer, bool final, Error *err)
{
    unsigned char ones[4096];
    memset(ones, 1, sizeof ones);
    if (!sync_data(writer, err))
        return false;
    for (size_t i = 0; i < writer->run_count; i++) {
        BlockRun run = writer->runs[i];
        while (run.block_count > 0) {
            uint64_t count = run.block_count < sizeof ones ? run.block_count : sizeof ones;
            uint64_t offset = writer->layout->done->offset + run.first_block;
            if (!output_write(writer->file, writer->path, ones, count, offset, err))
                return false;
            for (uint64_t block = run.first_block; block < run.first_block + count; block++)
                atomic_store(&writer->done[block], 1);
            run.first_block += count;
            run.block_count -= count;
        }
    }
    return !final || sync_data(writer, err);
}

static Slot *next_queued(Writer *writer)
{
    Slot *next = NULL;
    for (size_t i = 0; i < WRITER_SLOTS; i++) {
        Slot *slot = &writer->slots[i];
        if (slot->state == SLOT_QUEUED && (!next || slot->turn < next->turn))
            next = slot;
    }
    return next;
}

static void note_failure(Writer *writer, const Error *err)
{
    if (!writer->failed)
        writer->failure = *err;
    writer->failed = true;
    writer->run_count = 0;
}

// Called and left with the mutex held; works without it.
static void write_slot(Writer *writer, Slot *slot)
{
    Error err = {0};
    bool  written = false;
    if (!writer->failed) {
        pthread_mutex_unlock(&writer->mutex);
        written = write_variables(writer, &slot->batch, &slot->results, &err) &&
                  write_crcs(writer, &slot->batch, &slot->results, &err);
        pthread_mutex_lock(&writer->mutex);
        if (!written)
            note_failure(writer, &err);
    }
    if (written) {
        if (writer->run_count == 0) {
            clock_gettime(CLOCK_MONOTONIC, &writer->due);
            writer->due.tv_sec += 1;
        }
        writer->runs[writer->run_count++] = run_of(&slot->batch);
    }
    slot->state = SLOT_FREE;
}

static void commit_runs(Writer *writer, bool final)
{
    Error err = {0};
    pthread_mutex_unlock(&writer->mutex);
    bool committed = commit(writer, final, &err);
    pthread_mutex_lock(&writer->mutex);
    writer->run_count = 0;
    if (!committed)
        note_failure(writer, &err);
}

static bool commit_is_due(const Writer *writer)
{
    return writer->run_count == WRITER_RUNS || (writer->run_count > 0 && overdue(&writer->due));
}

static void *write_batches(void *argument)
{
    Writer *writer = argument;
    pthread_mutex_lock(&writer->mutex);
    for (;;) {
        Slot *slot = next_queued(writer);
        bool  final = !slot && writer->run_count > 0 && (writer->hurry || writer->stop);
        if (final || commit_is_due(writer)) {
            writer->busy = true;
            commit_runs(writer, final);
        } else if (slot) {
            writer->busy = true;
            write_slot(writer, slot);
        } else if (writer->stop) {
            break;
        } else {
            writer->busy = false;
            pthread_cond_broadcast(&writer->changed);
            if (writer->run_count > 0)
                pthread_cond_timedwait(&writer->changed, &writer->mutex, &writer->due);
            else
                pthread_cond_wait(&writer->changed, &writer->mutex);
            continue;
        }
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

bool writer_start(Writer *writer, Error *err)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    writer->started = thread_start(&writer->thread, write_batches, writer, "writing", err);
    if (writer->started)
        return true;
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->mutex);
    return false;
}

static bool fits(const Slot *slot, const Group *group, size_t point_capacity, size_t slot_capacity)
{
    return slot->results.group == group && slot->results.point_capacity >= point_capacity &&
           slot->results.slot_capacity >= slot_capacity;
}

// A free slot, preferably one whose buffers fit.
static Slot *find_free(Writer *writer, const Group *group, size_t point_capacity, size_t slot_capacity)
{
    Slot *found = NULL;
    for (size_t i = 0; i < WRITER_SLOTS; i++) {
        Slot *slot = &writer->slots[i];
        if (slot->state == SLOT_FREE && (!found || fits(slot, group, point_capacity, slot_capacity)))
            found = slot;
    }
    return found;
}

static bool report(const Writer *writer, Error *err)
{
    if (writer->failed)
        *err = writer->failure;
    return !writer->failed;
}

Results *writer_take(Writer *writer, const Group *group, size_t point_capacity, size_t slot_capacity, Error *err)
{
    Slot *slot = NULL;
    pthread_mutex_lock(&writer->mutex);
    while (!writer->failed && !(slot = find_free(writer, group, point_capacity, slot_capacity)))
        pthread_cond_wait(&writer->changed, &writer->mutex);
    bool taken = report(writer, err);
    if (taken)
        slot->state = SLOT_TAKEN;
    pthread_mutex_unlock(&writer->mutex);
    if (!taken || fits(slot, group, point_capacity, slot_capacity))
        return taken ? &slot->results : NULL;

    results_free(&slot->results);
    slot->results = (Results){0};
    if (results_make(group, point_capacity, slot_capacity, &slot->results, err))
        return &slot->results;
    writer_give_back(writer, &slot->results);
    return NULL;
}

static void hand_over(Writer *writer, Results *results, SlotState state, const Batch *batch)
{
    pthread_mutex_lock(&writer->mutex);
    for (size_t i = 0; i < WRITER_SLOTS; i++) {
        Slot *slot = &writer->slots[i];
        if (&slot->results != results)
            continue;
        slot->state = state;
        slot->turn = writer->turn++;
        if (batch)
            slot->batch = *batch;
    }
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
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
        rows_of(group, &(Variable){.trajectory = true}, batch->first_point, end, &first_slot, &end_slot);
    if (batch->slot_count != end_slot - first_slot || batch->slot_count > results->slot_capacity ||
        (batch->slot_count > 0 && batch->first_slot != first_slot))
        return fail(err, ERROR_INTERNAL, "%s: %zu trajectories from %llu on do not belong to the batch", group->label,
                    batch->slot_count, (unsigned long long)batch->first_slot);
    return true;
}

bool writer_write(Writer *writer, const Batch *batch, Results *results, Error *err)
{
    bool whole = check_batch(batch, results, err);
    hand_over(writer, results, whole ? SLOT_QUEUED : SLOT_FREE, batch);
    pthread_mutex_lock(&writer->mutex);
    bool fine = report(writer, err) && whole;
    pthread_mutex_unlock(&writer->mutex);
    return fine;
}

void writer_give_back(Writer *writer, Results *results)
{
    hand_over(writer, results, SLOT_FREE, NULL);
}

bool writer_finish(Writer *writer, Error *err)
{
    pthread_mutex_lock(&writer->mutex);
    writer->hurry = true;
    pthread_cond_broadcast(&writer->changed);
    while (writer->busy || writer->run_count > 0 || next_queued(writer))
        pthread_cond_wait(&writer->changed, &writer->mutex);
    writer->hurry = false;
    bool fine = report(writer, err);
    pthread_mutex_unlock(&writer->mutex);
    return fine;
}

void writer_stop(Writer *writer)
{
    if (!writer->started)
        return;
    pthread_mutex_lock(&writer->mutex);
    writer->stop = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    for (size_t i = 0; i < WRITER_SLOTS; i++)
        results_free(&writer->slots[i].results);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->mutex);
    writer->started = false;
}
