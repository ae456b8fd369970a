// unpack -- the result file of a packed one: its header made from its sweep again, its values written by address.
#include "store/pack_copy.h"

#include "base/file.h"
#include "plan/part.h"
#include "store/content.h"
#include "store/damage.h"
#include "store/header.h"
#include "store/older.h"
#include "store/output.h"
#include "store/recorded.h"
#include "store/verify.h"
#include "store/writer.h"

#include <sys/stat.h>

enum { PIECE_BYTES = 1 << 20 };

typedef struct Unpacking {
    const PackRequest *request;
    const StoreFile   *file;
    int                descriptor;  // of the packed file: small datasets lie there by address
    const Store       *store;       // the new file
    unsigned char     *piece;       // [PIECE_BYTES]
    uint64_t           bytes, total_bytes, points;
} Unpacking;

static bool go_on(const PackRequest *request, Error *err)
{
    return !(request->signals && *request->signals) ||
           fail(err, ERROR_STOPPED, "stopped by a signal: '%s' was not made; the same command starts again",
                request->to);
}

static void show(Unpacking *unpacking, uint64_t bytes)
{
    const PackRequest *request = unpacking->request;
    unpacking->bytes += bytes;
    if (request->progress && unpacking->total_bytes > 0)
        request->progress(
            (uint64_t)((double)unpacking->points * ((double)unpacking->bytes / (double)unpacking->total_bytes)),
            unpacking->points, request->user);
}

// Bytes first .. end - 1 of a variable, which begins at `offset` in the new file.
static bool copy_bytes(Unpacking *unpacking, const BlockColumn *column, uint64_t first, uint64_t end, uint64_t offset,
                       Error *err)
{
    const Store *store = unpacking->store;
    bool         copied = true;
    for (; copied && first < end; first += PIECE_BYTES) {
        const size_t some = end - first < PIECE_BYTES ? (size_t)(end - first) : PIECE_BYTES;
        copied =
            blocks_read(unpacking->descriptor, unpacking->file->path, column, first, some, unpacking->piece, err) &&
            output_write(store->file, store->path, unpacking->piece, some, offset + first, err) &&
            go_on(unpacking->request, err);
        show(unpacking, some);
    }
    return copied;
}

// Copies the stored rows of the file's part: rows of other shards take no space.
static bool copy_group(Unpacking *unpacking, size_t g, Error *err)
{
    const Store *store = unpacking->store;
    const Group *group = &store->plan->groups[g];
    Content      content SCOPED(content_close) = {0};
    uint64_t     first, end;
    part_points(store->plan, group, &first, &end);
    bool copied =
        content_open(unpacking->file, store_read_group(unpacking->file, group->label), &content, err) &&
        (content.group.variable_count == group->variable_count || fail(err, ERROR_INTERNAL, "variables are missing"));
    for (size_t v = 0; copied && v < group->variable_count; v++) {
        const BlockColumn *column = &content.columns[v];
        uint64_t           row, last;
        blocks_rows(group, column->trajectory, first, end, &row, &last);
        copied = copy_bytes(unpacking, column, row * column->row_bytes, last * column->row_bytes,
                            store->layout.sections[g].columns[v].offset, err);
    }
    return copied;
}

static bool copy_journal(const Unpacking *unpacking, Arena *arena, Error *err)
{
    const Store   *store = unpacking->store;
    const uint64_t blocks = store->plan->block_count;
    uint8_t       *done;
    uint32_t      *crc;
    return verify_read_journal(unpacking->file, arena, &done, &crc, err) &&
           output_write(store->file, store->path, crc, blocks * sizeof *crc, store->layout.crc->offset, err) &&
           output_write(store->file, store->path, done, blocks, store->layout.done->offset, err);
}

// Checks the part's blocks of the new file.
static bool check_group(const Unpacking *unpacking, size_t g, Error *err)
{
    const Store *store = unpacking->store;
    const Group *group = &store->plan->groups[g];
    uint64_t     first, end;
    bool         whole = true, checked = true;
    part_blocks(store->plan, group, &first, &end);
    for (uint64_t b = first; checked && b < end; b++)
        checked = go_on(unpacking->request, err) &&
                  blocks_check(store->file, store->path, &store->layout, g, b, &whole, err) &&
                  (whole || fail(err, ERROR_INPUT, "%s: points of group '%s' are damaged; " DAMAGE_COPY,
                                 unpacking->file->path, group->label));
    return checked;
}

// The header is that of the packed file only if this program makes the same.
static bool check_header(const Unpacking *unpacking, Error *err)
{
    RecordedList list SCOPED(recorded_free) = {0};
    uint32_t     made = 0;
    bool same = recorded_read(unpacking->file, NULL, NULL, &list, err) && seal_read(unpacking->store->file, &made, err);
    const Recorded *stored = same ? recorded_find(&list, header_unpacked_crc) : NULL;
    if (same && (!stored || stored->number != (double)made))
        same = fail(err, ERROR_INPUT,
                    "%s: the program or a kernel file has changed since it was made; the version that "
                    "made it unpacks it",
                    unpacking->file->path);
    return same;
}

static bool fill_store(Unpacking *unpacking, Error *err)
{
    const Plan *plan = unpacking->store->plan;
    Arena       arena SCOPED(arena_free) = {0};
    unpacking->points = plan->point_count;
    unpacking->total_bytes = plan->data_bytes;
    unpacking->piece = arena_take(&arena, PIECE_BYTES, 1, err);
    bool ok = unpacking->piece && check_header(unpacking, err) &&
              output_open(unpacking->file->path, false, &unpacking->descriptor, err);
    for (size_t g = 0; ok && g < plan->group_count; g++)
        ok = copy_group(unpacking, g, err);
    ok = ok && copy_journal(unpacking, &arena, err);
    for (size_t g = 0; ok && g < plan->group_count; g++)
        ok = check_group(unpacking, g, err);
    ok = ok && output_sync(unpacking->store->file, unpacking->store->path, err);
    file_close(&unpacking->descriptor);
    return ok;
}

static bool unpack(const PackRequest *request, const StoreFile *file, Packed *packed, Error *err)
{
    Older       older SCOPED(older_close) = {0};
    Plan       *plan = &older.origin.plan;
    Store      *store = NULL;
    struct stat before, after;
    bool        ok = older_read(request->from, request->sweep, &older, err) &&
              (!plan->history ||
               fail(err, ERROR_INPUT, "%s: its failed points were tried again; it is not unpacked", request->from)) &&
              store_prepare(request->to, plan, older.sources,
                            (request->force ? STORE_REPLACE : STORE_NEW) | STORE_UNLOCKED, &store, err);
    if (ok) {
        Unpacking unpacking = {.request = request, .file = file, .descriptor = -1, .store = store};
        ok = fill_store(&unpacking, err) && store_publish(store, err);
    }
    if (ok && stat(request->from, &before) == 0 && stat(store->path, &after) == 0)
        *packed = (Packed){.points = plan->point_count,
                           .blocks = plan->block_count,
                           .before = (uint64_t)before.st_size,
                           .after = (uint64_t)after.st_size};
    store_close(store);
    return ok;
}

bool pack_unpack(const PackRequest *request, Packed *packed, Error *err)
{
    StoreFile file SCOPED(store_read_close) = {0};
    Outputs   outputs = {0};
    *packed = (Packed){0};
    outputs_keep(&outputs, request->from);
    return output_check_inputs(request->to, false, &outputs, err) && store_read_open(request->from, &file, err) &&
           (file.packed || fail(err, ERROR_INPUT, "%s: not packed", request->from)) &&
           unpack(request, &file, packed, err);
}
