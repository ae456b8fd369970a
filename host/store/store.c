// store -- opens, creates, resumes and closes a result file.
#include "store/writer.h"
#include "base/text.h"

#include "store/header.h"
#include "store/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// While HDF5 builds the header, a small dataset may get space that it used and gave up before. What is not written
// reads 0.
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

static bool check_room(const char *path, const Plan *plan, Error *err)
{
    const uint64_t journal_bytes = plan->block_count * (sizeof(uint8_t) + sizeof(uint32_t));
    return output_room(path, plan->data_bytes + journal_bytes, err);
}

static bool create(Store *store, const char *const *sources, Error *err)
{
    const Plan *plan = store->plan;
    if (!check_room(store->path, plan, err))
        return false;
    // Whoever left a temporary file no longer holds the lock.
    unlink(store->temporary);
    bool created = header_create(store->temporary, plan, sources, &store->layout, err) &&
                   output_open(store->temporary, true, &store->file, err) && clear_small_data(store, err) &&
                   seal_write(store->file, store->temporary, &store->layout, err) &&
                   output_fill(store->file, store->temporary, store->path, err);
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

static bool reopen(Store *store, const char *const *sources, bool writing, Error *err)
{
    store->reused = 0;
    return output_open(store->path, writing, &store->file, err) &&
           header_check(store->path, store->file, store->plan, sources, &store->layout, err) && read_done(store, err);
}

// Opens a file to resume for reading, and leaves it open if it is complete.
static bool find_complete(Store *store, const char *const *sources, bool *complete, Error *err)
{
    if (!reopen(store, sources, false, err))
        return false;
    *complete = store->reused == store->plan->block_count;
    if (!*complete) {
        close(store->file);
        store->file = -1;
    }
    return true;
}

// Looks whether there is a file already, and refuses it where a new one is wanted.
static bool find_existing(const char *path, StoreMode mode, bool *exists, Error *err)
{
    if (!output_exists(path, exists, err))
        return false;
    return !(*exists && mode == STORE_NEW) ||
           fail(err, ERROR_IO, "%s: exists already; --resume continues it, --force replaces it", path);
}

bool store_check(const char *path, const Plan *plan, StoreMode mode, Error *err)
{
    bool exists;
    return find_existing(path, mode, &exists, err) && ((exists && mode == STORE_RESUME) || check_room(path, plan, err));
}

static bool open_locked(Store *store, const char *const *sources, StoreMode mode, Error *err)
{
    bool exists;
    if (!find_existing(store->path, mode, &exists, err))
        return false;
    return (exists && mode == STORE_RESUME ? reopen(store, sources, true, err) : create(store, sources, err)) &&
           writer_start(store, err);
}

static bool open_named(Store *store, const char *const *sources, StoreMode mode, Error *err)
{
    bool exists, complete = false;
    // The path is looked at before the lock, so that no lock is made beside a directory or a device, and again under
    // it.
    return output_exists(store->path, &exists, err) &&
           (!exists || mode != STORE_RESUME || find_complete(store, sources, &complete, err)) &&
           (complete ||
            (output_lock(store->path, store->lock_path, &store->lock, err) && open_locked(store, sources, mode, err)));
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

uint64_t store_reused(const Store *store)
{
    return store->reused;
}

bool store_log(Store *store, const char *json_line, Error *err)
{
    Text line = {0};
    int  log = -1;
    text_add(&line, "%s\n", json_line);
    bool ready = text_check(&line, err) && output_open_log(store->log_path, &log, err);
    // One write, so that lines of several processes do not mix.
    bool written = ready && write(log, line.text, line.length) == (ssize_t)line.length;
    if (ready && !written)
        fail(err, ERROR_IO, "%s: cannot be written: %s", store->log_path, strerror(errno));
    if (log >= 0)
        close(log);
    text_free(&line);
    return written;
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
    if (store->lock >= 0)
        output_unlock(store->lock_path, store->lock);
    layout_free(&store->layout);
    arena_free(&store->arena);
    free(store);
}
