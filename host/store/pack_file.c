// pack_file -- a whole file copied, sealed, read again, and named.
#include "store/pack_copy.h"

#include "base/file.h"
#include "store/output.h"
#include "store/verify.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Chunks mostly follow each other: chunks that touch are one range of the seal.
static uint64_t join(ByteRange *ranges, uint64_t count)
{
    uint64_t joined = 0;
    seal_sort_ranges(ranges, count);
    for (uint64_t i = 0; i < count; i++)
        if (joined > 0 && ranges[joined - 1].offset + ranges[joined - 1].bytes == ranges[i].offset)
            ranges[joined - 1].bytes += ranges[i].bytes;
        else
            ranges[joined++] = ranges[i];
    return joined;
}

static bool seal(const Packing *packing, const char *inside)
{
    int file SCOPED(file_close) = -1;
    return output_open(inside, true, &file, packing->err) &&
           seal_write_ranges(file, packing->request->to, packing->ranges, join(packing->ranges, packing->range_count),
                             packing->err);
}

typedef struct Refusal {
    const char      *name;  // of the file in messages
    const StoreFile *file;
} Refusal;

static bool refuse_block(const VerifyBlock *block, void *user, Error *err)
{
    const Refusal *refusal = user;
    if (block->state == VERIFY_MISSING)
        return fail(err, ERROR_INCOMPLETE, "%s: points are missing; %s", refusal->name, verify_remedy(refusal->file));
    return fail(err, ERROR_INPUT, "%s: points of group '%s' are damaged; `pendula verify` lists them", refusal->name,
                block->label);
}

static bool make_copy(Packing *packing, const StoreFile *file, const char *inside, Packed *packed)
{
    StoreFile    made SCOPED(store_read_close) = {0};
    Refusal      refusal = {packing->request->to, &made};
    Verification found;
    struct stat  before, after;
    packing->from = file->handle;
    packing->chunk = malloc(CHUNK_BYTES);
    bool ok = (packing->chunk || fail(packing->err, ERROR_INTERNAL, "out of memory")) && pack_copy(packing, inside) &&
              seal(packing, inside) && store_read_open(inside, &made, packing->err) &&
              verify_file(&made, refuse_block, &refusal, &found, packing->err);
    if (ok && stat(file->path, &before) == 0 && stat(inside, &after) == 0)
        *packed = (Packed){.points = found.points[VERIFY_WHOLE],
                           .blocks = found.blocks[VERIFY_WHOLE],
                           .before = (uint64_t)before.st_size,
                           .after = (uint64_t)after.st_size};
    free(packing->chunk);
    free(packing->ranges);
    return ok;
}

// Makes the copy in a folder of its own. A signal that stops waits until nothing is left of it.
static bool make(Packing *packing, const StoreFile *file, const Outputs *outputs, Packed *packed)
{
    const PackRequest *request = packing->request;
    OutputsFolder      folder SCOPED(outputs_close) = {0};
    Arena              arena SCOPED(arena_free) = {0};
    const char        *slash = strrchr(request->to, '/'), *name, *inside, *lock_path;
    int                lock = -1;
    if (!outputs_open(request->to, &folder, packing->err) || !(name = output_name(request->to, &arena, packing->err)) ||
        !(inside = arena_format(&arena, packing->err, "%s%s", folder.path.text, slash ? slash + 1 : request->to)) ||
        !(lock_path = arena_format(&arena, packing->err, "%s.lock", name)))
        return false;
    const bool ok = output_lock(request->to, lock_path, false, &lock, packing->err) &&
                    make_copy(packing, file, inside, packed) &&
                    outputs_settle(outputs, &folder, request->to, packing->err);
    output_unlock(lock_path, lock);
    return ok;
}

static bool read_seal(Packing *packing)
{
    int file SCOPED(file_close) = -1;
    return output_open(packing->request->from, false, &file, packing->err) &&
           seal_read(file, &packing->header_crc, packing->err);
}

bool pack_file(const PackRequest *request, Packed *packed, Error *err)
{
    StoreFile    file SCOPED(store_read_close) = {0};
    Verification found;
    Packing      packing = {.request = request, .to = -1, .err = err};
    Outputs      outputs = {.force = request->force};
    Refusal      refusal = {request->from, &file};
    *packed = (Packed){0};
    outputs_keep(&outputs, request->from);
    bool ok = output_check_inputs(request->to, false, &outputs, err) && outputs_check(&outputs, request->to, err) &&
              store_read_open(request->from, &file, err);
    if (ok && file.packed)
        ok = fail(err, ERROR_INPUT, "%s: packed already; --unpack makes the file that it was", request->from);
    ok = ok && verify_file(&file, refuse_block, &refusal, &found, err);
    packing.points = ok ? found.points[VERIFY_WHOLE] : 0;
    packing.total_bytes = ok ? found.bytes : 0;
    return ok && read_seal(&packing) && make(&packing, &file, &outputs, packed);
}
