// merge -- stored rows, checksums and done bytes of shards, copied by address inside the kernel where it can.
#include "store/merge.h"

#include "base/json.h"
#include "store/blocks.h"
#include "store/damage.h"
#include "store/header.h"
#include "store/older.h"
#include "store/output.h"
#include "store/settings.h"
#include "store/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool copy_by_hand(int from, const char *from_path, uint64_t from_offset, int to, const char *to_path,
                         uint64_t to_offset, uint64_t bytes, Error *err)
{
    unsigned char piece[65536];
    while (bytes > 0) {
        const size_t some = bytes < sizeof piece ? (size_t)bytes : sizeof piece;
        if (!output_read(from, from_path, piece, some, from_offset, err) ||
            !output_write(to, to_path, piece, some, to_offset, err))
            return false;
        from_offset += some;
        to_offset += some;
        bytes -= some;
    }
    return true;
}

// Not every pair of file systems copies by itself.
static bool copy_bytes(const Older *older, uint64_t from, const Store *store, uint64_t to, uint64_t bytes, Error *err)
{
    while (bytes > 0) {
        off_t         in = (off_t)from, out = (off_t)to;
        const ssize_t copied = copy_file_range(older->file, &in, store->file, &out, (size_t)bytes, 0);
        if (copied < 0 && errno == EINTR)
            continue;
        if (copied <= 0)
            return copy_by_hand(older->file, older->path, from, store->file, store->path, to, bytes, err);
        from += (uint64_t)copied;
        to += (uint64_t)copied;
        bytes -= (uint64_t)copied;
    }
    return true;
}

// Copies consecutive blocks of a group, with their checksums, and notes them as done.
static bool copy_blocks(const Older *older, Store *store, size_t g, uint64_t begin, uint64_t end, Merged *merged,
                        Error *err)
{
    const Group   *group = &store->plan->groups[g];
    const uint64_t first = (begin - group->first_block) * group->block_points,
                   behind = (end - group->first_block) * group->block_points,
                   last = behind < group->point_count ? behind : group->point_count;
    for (size_t i = 0; i < group->variable_count; i++) {
        const BlockColumn *from = &older->layout.sections[g].columns[i], *to = &store->layout.sections[g].columns[i];
        const uint64_t     bytes = to->row_bytes;
        uint64_t           row, row_end;
        blocks_rows(group, to->trajectory, first, last, &row, &row_end);
        if (!copy_bytes(older, from->offset + row * bytes, store, to->offset + row * bytes, (row_end - row) * bytes,
                        err))
            return false;
    }
    for (uint64_t block = begin; block < end; block++)
        atomic_store(&store->done[block], 1);
    merged->blocks += end - begin;
    merged->points += last - first;
    return copy_bytes(older, older->layout.crc->offset + begin * sizeof(uint32_t), store,
                      store->layout.crc->offset + begin * sizeof(uint32_t), (end - begin) * sizeof(uint32_t), err);
}

static bool copy_group(const Older *older, Store *store, size_t g, Merged *merged, Error *err)
{
    const Group   *group = &store->plan->groups[g];
    const uint64_t behind = group->first_block + group->block_count;
    for (uint64_t begin = group->first_block, end; begin < behind; begin = end) {
        for (end = begin; end < behind && older->whole[end] && !store_done(store, end); end++)
            ;
        if (end > begin && !copy_blocks(older, store, g, begin, end, merged, err))
            return false;
        end += end == begin;
    }
    return true;
}

static bool same_sweep(const Older *older, const Plan *plan, const char *first, Error *err)
{
    char here[FINGERPRINT_DIGITS + 1], there[FINGERPRINT_DIGITS + 1];
    attributes_fingerprint(plan, here);
    attributes_fingerprint(&older->origin.plan, there);
    if (strcmp(here, there) == 0)
        return true;
    settings_fail(plan->settings, older->origin.plan.settings, err);
    return within(err, "%s does not belong to %s", older->path, first);
}

static bool read_crcs(int file, const char *path, const Layout *layout, uint64_t first, size_t count, uint32_t *crcs,
                      Error *err)
{
    return output_read(file, path, crcs, count * sizeof *crcs, layout->crc->offset + first * sizeof *crcs, err);
}

static bool refuse_block(const MergeRequest *request, const Older *older, const Plan *plan, uint64_t block,
                         uint32_t from, Error *err)
{
    size_t g = 0;
    while (g + 1 < plan->group_count && plan->groups[g + 1].first_block <= block)
        g++;
    const Group *group = &plan->groups[g];
    const Batch  batch = batch_make(group, block - group->first_block, 1);
    return fail(err, ERROR_CONFORMANCE,
                "%.1000s and %.1000s have other results of points %llu to %llu of group '%.100s', and each has their "
                "checksum: one of the machines or programs computes wrong numbers; `pendula diff` shows them",
                request->shards[from], older->path, (unsigned long long)batch.first_point,
                (unsigned long long)(batch.first_point + batch.point_count - 1), group->label);
}

// Blocks that an earlier shard has too are the same there, by their checksums; the others are noted as this shard's.
//   from  [block_count] the shard that a block was taken of
static bool compare_blocks(const MergeRequest *request, size_t shard, const Older *older, const Store *store,
                           uint32_t *from, Error *err)
{
    enum { MOST = 1024 };
    const uint64_t blocks = store->plan->block_count;
    uint32_t       here[MOST], there[MOST];
    for (uint64_t first = 0; first < blocks; first += MOST) {
        const size_t count = blocks - first < MOST ? (size_t)(blocks - first) : MOST;
        if (!read_crcs(older->file, older->path, &older->layout, first, count, here, err) ||
            !read_crcs(store->file, store->path, &store->layout, first, count, there, err))
            return false;
        for (size_t i = 0; i < count; i++) {
            if (!older->whole[first + i])
                continue;
            if (!store_done(store, first + i))
                from[first + i] = (uint32_t)shard;
            else if (here[i] != there[i])
                return refuse_block(request, older, store->plan, first + i, from[first + i], err);
        }
    }
    return true;
}

static bool add_shard(const MergeRequest *request, size_t shard, const Older *older, Store *store, uint32_t *from,
                      Merged *merged, Error *err)
{
    bool ok = same_sweep(older, store->plan, request->shards[0], err) &&
              compare_blocks(request, shard, older, store, from, err);
    for (size_t g = 0; ok && g < store->plan->group_count; g++) {
        if (request->signals && *request->signals)
            return fail(err, ERROR_STOPPED, "stopped by a signal: '%s' was not made; the same command starts again",
                        request->path);
        ok = copy_group(older, store, g, merged, err);
    }
    merged->damaged += older->damaged;
    if (ok)
        damage_say(older->path, older->damaged, "not taken", request->say, request->user);
    if (ok && request->progress)
        request->progress(merged->points, store->plan->point_count, request->user);
    return ok;
}

// Counts the blocks that no shard had.
static void count_missing(const Store *store, Merged *merged)
{
    const Plan *plan = store->plan;
    for (size_t g = 0; g < plan->group_count; g++) {
        const Group *group = &plan->groups[g];
        for (uint64_t b = 0; b < group->block_count; b++) {
            if (store_done(store, group->first_block + b))
                continue;
            const Batch batch = batch_make(group, b, 1);
            if (merged->missing++ == 0) {
                snprintf(merged->first_label, sizeof merged->first_label, "%.255s", group->label);
                merged->first_point = batch.first_point;
            }
            merged->points_missing += batch.point_count;
        }
    }
}

// Writes which blocks are done.
static bool write_done(const Store *store, Error *err)
{
    unsigned char  bytes[4096];
    const uint64_t blocks = store->plan->block_count;
    for (uint64_t first = 0; first < blocks; first += sizeof bytes) {
        const size_t count = blocks - first < sizeof bytes ? (size_t)(blocks - first) : sizeof bytes;
        for (size_t i = 0; i < count; i++)
            bytes[i] = store_done(store, first + i);
        if (!output_write(store->file, store->path, bytes, count, store->layout.done->offset + first, err))
            return false;
    }
    return output_sync(store->file, store->path, err);
}

// The file is made by then: where it cannot have its log, this is said.
static void log_merge(const MergeRequest *request, Store *store, const Merged *merged)
{
    Text  line SCOPED(text_free) = {0};
    Error unsaid;
    text_add(&line, "{\"event\": \"merge\", \"shards\": [");
    for (size_t i = 0; i < request->shard_count; i++)
        json_member_string(&line, NULL, request->shards[i]);
    text_add(&line, "], \"blocks\": %llu, \"blocks_missing\": %llu, \"blocks_damaged\": %llu}",
             (unsigned long long)merged->blocks, (unsigned long long)merged->missing,
             (unsigned long long)merged->damaged);
    if (!line.failed && !store_log(store, line.text, &unsaid) && request->say) {
        within(&unsaid, "the file is made without its log");
        request->say(unsaid.message, request->user);
    }
}

static bool open_shard(const MergeRequest *request, size_t i, Older *older, Error *err)
{
    return older_open(request->shards[i], request->sweep, older, err) &&
           (!older->origin.plan.history ||
            fail(err, ERROR_INPUT, "%s: its failed points were tried again; it is no shard", older->path));
}

static bool merge_all(const MergeRequest *request, const Older *first, Store *store, Merged *merged, Error *err)
{
    Arena     arena SCOPED(arena_free) = {0};
    uint32_t *from = arena_take(&arena, store->plan->block_count, sizeof *from, err);
    bool      ok = from && add_shard(request, 0, first, store, from, merged, err);
    for (size_t i = 1; ok && i < request->shard_count; i++) {
        Older older SCOPED(older_close) = {0};
        ok = open_shard(request, i, &older, err) && add_shard(request, i, &older, store, from, merged, err);
    }
    if (ok)
        count_missing(store, merged);
    ok = ok && write_done(store, err) && store_publish(store, err);
    if (ok)
        log_merge(request, store, merged);
    return ok;
}

// Neither the new file nor a file beside it is one of the shards.
static bool check_path(const MergeRequest *request, Error *err)
{
    static const char *const endings[] = {"", ".log", ".lock", ".tmp"};
    bool                     ok = true;
    for (size_t i = request->in_place; ok && i < sizeof endings / sizeof *endings; i++) {
        Text path SCOPED(text_free) = {0};
        text_add(&path, "%s%s", request->path, endings[i]);
        ok = text_check(&path, err);
        for (size_t k = 0; ok && k < request->shard_count; k++) {
            Outputs outputs = {0};
            outputs_keep(&outputs, request->shards[k]);
            ok = outputs_check_inputs(&outputs, path.text, err);
        }
    }
    return ok;
}

bool merge_files(const MergeRequest *request, Merged *merged, Error *err)
{
    Older  first SCOPED(older_close) = {0};
    Store *store = NULL;
    Plan  *plan = &first.origin.plan;
    *merged = (Merged){0};
    bool ok = check_path(request, err) && open_shard(request, 0, &first, err);
    if (ok)
        plan->part = NULL;
    ok = ok &&
         store_prepare(request->path, plan, first.sources,
                       (request->force ? STORE_REPLACE : STORE_NEW) | STORE_UNLOCKED, &store, err) &&
         merge_all(request, &first, store, merged, err);
    if (!ok && !request->in_place)
        output_advise(err, "the same command begins again");
    store_close(store);
    return ok;
}
