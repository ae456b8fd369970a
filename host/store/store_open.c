// store_open -- opens, creates, resumes and closes a result file.
#include "store/writer.h"

#include "base/file.h"
#include "store/blocks.h"
#include "store/damage.h"
#include "store/header.h"
#include "plan/part.h"
#include "store/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The value in `done` of a block that another file has.
enum { LEFT = 2 };

// While HDF5 builds the header, a small dataset may get space that it used and gave up before. Data that are not
// written read 0.
static bool clear_small_data(const Store *store, Error *err)
{
    static const char zeros[65536];
    bool              cleared = true;
    for (size_t i = 0; cleared && i < store->layout.section_count; i++) {
        const Section *section = &store->layout.sections[i];
        for (size_t k = 0; cleared && k < section->dataset_count; k++) {
            const Dataset *data = &section->datasets[k];
            uint64_t       bytes = layout_dataset_count(data) * header_type_bytes(data, section->group);
            if (layout_is_data(data) && bytes < sizeof zeros)
                cleared = output_write(store->file, store->temporary, zeros, bytes, data->offset, err);
        }
    }
    return cleared;
}

// Bytes of the variables of a plan's own points, and of the journal.
static bool check_room(const char *path, const Plan *plan, Error *err)
{
    uint64_t bytes = plan->block_count * (sizeof(uint8_t) + sizeof(uint32_t));
    for (size_t g = 0; plan->part != part_shared && g < plan->group_count; g++) {
        const Group *group = &plan->groups[g];
        uint64_t     first, end;
        part_points(plan, group, &first, &end);
        for (size_t i = 0; i < group->variable_count; i++) {
            const Variable *variable = &group->variables[i];
            uint64_t        row, last;
            blocks_rows(group, variable->trajectory, first, end, &row, &last);
            bytes += (last - row) * variable->width * group_type_bytes(variable->type);
        }
    }
    return output_room(path, bytes, err);
}

// Gets the file the space of the stored rows of its own points: all of it, but for a shard.
static bool fill(const Store *store, Error *err)
{
    const Plan *plan = store->plan;
    bool        filled = true;
    if (!plan->part)
        return output_fill(store->file, store->temporary, store->path, err);
    for (size_t g = 0; plan->part != part_shared && filled && g < plan->group_count; g++) {
        uint64_t first, end;
        part_points(plan, &plan->groups[g], &first, &end);
        filled = blocks_fill(store->file, store->path, &store->layout, g, first, end, err);
    }
    const Dataset *const journal[] = {store->layout.done, store->layout.crc};
    for (size_t i = 0; filled && i < 2; i++)
        filled = output_fill_range(store->file, store->path, journal[i]->offset,
                                   plan->block_count * header_type_bytes(journal[i], NULL), err);
    return filled && output_sync(store->file, store->temporary, err);
}

// Says of the file's own points that their integers are not computed. A 0 could be one.
static bool mark(const Store *store, Error *err)
{
    const Plan *plan = store->plan;
    bool        marked = true;
    for (size_t g = 0; plan->part != part_shared && marked && g < plan->group_count; g++) {
        uint64_t first, end;
        part_points(plan, &plan->groups[g], &first, &end);
        marked = blocks_mark(store->file, store->temporary, &store->layout, g, first, end, err);
    }
    return marked;
}

static bool create(Store *store, const char *const *sources, Error *err)
{
    const Plan *plan = store->plan;
    if (!check_room(store->path, plan, err))
        return false;
    bool created = header_create(store->temporary, plan, sources, &store->layout, err) &&
                   output_open(store->temporary, true, &store->file, err) && clear_small_data(store, err) &&
                   seal_write(store->file, store->temporary, plan, &store->layout, err) && fill(store, err) &&
                   mark(store, err);
    store->unnamed = true;
    return created;
}

static bool read_done(Store *store, Error *err)
{
    unsigned char bytes[4096];
    for (uint64_t first = 0; first < store->plan->block_count; first += sizeof bytes) {
        uint64_t rest = store->plan->block_count - first, count = rest < sizeof bytes ? rest : sizeof bytes;
        if (!output_read(store->file, store->path, bytes, count, store->layout.done->offset + first, err))
            return false;
        for (uint64_t i = 0; i < count; i++) {
            unsigned char done = bytes[i] == 1;
            atomic_store(&store->done[first + i], done);
            store->reused += done;
        }
    }
    return true;
}

// A block whose bytes do not match its checksum is not done; nor is it in the file, where that is open for writing.
static bool set_undone(Store *store, uint64_t block, bool writing, Error *err)
{
    static const unsigned char undone = 0;
    atomic_store(&store->done[block], 0);
    --store->reused;
    ++store->damaged;
    return !writing || output_write(store->file, store->path, &undone, 1, store->layout.done->offset + block, err);
}

// Checks the blocks of a group that are done.
static bool check_group(Store *store, size_t g, bool writing, Error *err)
{
    const Group *group = &store->plan->groups[g];
    bool         checked = true;
    for (uint64_t b = group->first_block; checked && b < group->first_block + group->block_count; b++) {
        bool whole = true;
        checked =
            (!store_done(store, b) || blocks_check(store->file, store->path, &store->layout, g, b, &whole, err)) &&
            (whole || set_undone(store, b, writing, err));
    }
    return checked;
}

static bool reopen(Store *store, const char *const *sources, StoreMode mode, bool writing, Error *err)
{
    store->reused = store->damaged = 0;
    const char *advice = NULL;
    bool        opened = output_open(store->path, writing, &store->file, err) &&
                  header_check(store->path, store->file, store->plan, sources, &store->layout, &advice, err) &&
                  read_done(store, err);
    if (!opened && advice) {
        const Error why = *err;
        return fail(err, why.kind, "%.4000s; %s", why.message, advice);
    }
    // One that is not complete is opened for writing next, and checked then.
    const bool checked = mode != STORE_TRUST && (writing || store_complete(store));
    for (size_t i = 0; opened && checked && i < store->plan->group_count; i++)
        opened = check_group(store, i, writing, err);
    // A block that is computed anew must not be on the disk before it is known there to be missing.
    if (opened && writing && store->damaged > 0 && fdatasync(store->file) != 0)
        opened = output_fail(err, store->path, "cannot be synced");
    return opened;
}

// Opens a file to resume for reading, and leaves it open if it is complete.
static bool find_complete(Store *store, const char *const *sources, StoreMode mode, bool *complete, Error *err)
{
    if (!reopen(store, sources, mode, false, err))
        return false;
    *complete = store_complete(store);
    // Points of different retries are not computed by the settings of the last.
    if (!*complete && store->plan->history && !store->plan->attempts)
        return fail(err, ERROR_INPUT,
                    "%s: blocks are missing or damaged, and its points were computed by several rules "
                    "(`history`): " DAMAGE_ANEW,
                    store->path);
    if (!*complete) {
        close(store->file);
        store->file = -1;
    }
    return true;
}

static bool resumes(StoreMode mode)
{
    return mode == STORE_RESUME || mode == STORE_TRUST;
}

// Looks whether there is a file already, and refuses it where a new one is wanted.
//   advice  a clause
static bool find_existing(const char *path, StoreMode mode, const char *advice, bool *exists, Error *err)
{
    if (!output_exists(path, exists, err))
        return false;
    return !(*exists && mode == STORE_NEW) || fail(err, ERROR_IO, "%s: exists already; %s", path, advice);
}

bool store_check(const char *path, const Plan *plan, StoreMode mode, Error *err)
{
    bool exists;
    return find_existing(path, mode, "--resume continues it, --force replaces it", &exists, err) &&
           ((exists && resumes(mode)) || check_room(path, plan, err));
}

static bool open_locked(Store *store, const char *const *sources, StoreMode mode, Error *err)
{
    bool exists;
    // Whoever left a temporary file no longer holds the lock.
    unlink(store->temporary);
    if (!find_existing(store->path, mode, "--force replaces it", &exists, err))
        return false;
    return (exists && resumes(mode) ? reopen(store, sources, mode, true, err) : create(store, sources, err)) &&
           writer_start(store, err);
}

static bool open_named(Store *store, const char *const *sources, StoreMode mode, Error *err)
{
    bool exists, complete = false;
    // The path is looked at before the lock, so that no lock is made beside a directory or a device, and again under
    // it.
    if (!output_exists(store->path, &exists, err) ||
        (exists && resumes(mode) && !find_complete(store, sources, mode, &complete, err)))
        return false;
    if (complete)
        output_tidy(store->path, store->lock_path, store->temporary);
    return complete || (output_lock(store->path, store->lock_path, !store->unlocked, &store->lock, err) &&
                        open_locked(store, sources, mode, err));
}

bool store_open(const char *path, const Plan *plan, const char *const *sources, StoreMode mode, Store **store,
                Error *err)
{
    if (store_prepare(path, plan, sources, mode, store, err) && store_publish(*store, err))
        return true;
    store_close(*store);
    *store = NULL;
    return false;
}

static bool name_files(Store *store, const char *path, Error *err)
{
    return (store->path = output_name(path, &store->arena, err)) &&
           (store->lock_path = arena_format(&store->arena, err, "%s.lock", store->path)) &&
           (store->temporary = arena_format(&store->arena, err, "%s.tmp", store->path)) &&
           (store->log_path = arena_format(&store->arena, err, "%s.log", store->path));
}

bool store_prepare(const char *path, const Plan *plan, const char *const *sources, StoreMode mode, Store **store,
                   Error *err)
{
    Store *made = calloc(1, sizeof *made);
    *store = NULL;
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->plan = plan;
    made->lock = made->file = -1;
    made->unlocked = mode & STORE_UNLOCKED;
    mode &= ~(unsigned)STORE_UNLOCKED;
    bool opened = name_files(made, path, err) &&
                  (made->done = arena_take(&made->arena, plan->block_count, sizeof *made->done, err)) &&
                  layout_make(plan, &made->layout, err) && open_named(made, sources, mode, err);
    if (opened)
        *store = made;
    else
        store_close(made);
    return opened;
}

bool store_publish(Store *store, Error *err)
{
    if (store->unnamed && !output_settle(store->temporary, store->path, err))
        return false;
    store->unnamed = false;
    return true;
}

bool store_done(const Store *store, uint64_t block)
{
    return atomic_load(&store->done[block]) == 1;
}

bool store_wanted(const Store *store, uint64_t block)
{
    uint64_t first, end;
    part_range(store->plan, &first, &end);
    return block >= first && block < end && atomic_load(&store->done[block]) == 0;
}

void store_leave(Store *store, uint64_t block)
{
    unsigned char wanted = 0;
    atomic_compare_exchange_strong(&store->done[block], &wanted, LEFT);
}

bool store_reserve(const Store *store, const Batch *batch, Error *err)
{
    return store->plan->part != part_shared ||
           blocks_fill(store->file, store->path, &store->layout, (size_t)(batch->group - store->plan->groups),
                       batch->first_point, batch->first_point + batch->point_count, err);
}

bool store_complete(const Store *store)
{
    uint64_t first, end;
    part_range(store->plan, &first, &end);
    return store->reused == end - first;
}

uint64_t store_reused(const Store *store)
{
    return store->reused;
}

uint64_t store_damaged(const Store *store)
{
    return store->damaged;
}

bool store_log(Store *store, const char *json_line, Error *err)
{
    Text line SCOPED(text_free) = {0};
    int  log SCOPED(file_close) = -1;
    text_add(&line, "%s\n", json_line);
    // One write, so that lines of several processes do not mix.
    return text_check(&line, err) && output_open_log(store->log_path, &log, err) &&
           (write(log, line.text, line.length) == (ssize_t)line.length ||
            output_fail(err, store->log_path, "cannot be written"));
}

void store_close(Store *store)
{
    if (!store)
        return;
    writer_stop(store);
    if (store->file >= 0)
        close(store->file);
    if (store->unnamed)
        unlink(store->temporary);
    output_unlock(store->lock_path, store->lock);
    layout_free(&store->layout);
    arena_free(&store->arena);
    free(store);
}
