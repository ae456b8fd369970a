// pieces -- found by their names in the result file's folder.
#include "store/pieces.h"

#include "base/text.h"
#include "store/header.h"
#include "store/merge.h"
#include "store/older.h"
#include "store/output.h"
#include "store/settings.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char middle[] = ".rank-";

char *pieces_name(const char *output, int index, Arena *arena, Error *err)
{
    return arena_format(arena, err, "%s%s%d", output, middle, index);
}

// The length of a piece's name that an entry of the folder begins with, base.rank-DIGITS; 0: with none.
static size_t piece_length(const char *name, const char *base)
{
    const size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || strncmp(name + length, middle, sizeof middle - 1) != 0)
        return 0;
    const size_t before = length + sizeof middle - 1, digits = strspn(name + before, "0123456789");
    return digits ? before + digits : 0;
}

static bool is_piece(const char *name, const char *base)
{
    const size_t length = piece_length(name, base);
    return length && !name[length];
}

// Removes the leftovers of a rank that was killed while it made its piece: other ranks may go on.
static void tidy_piece(const char *output, const char *base, const char *name)
{
    const size_t length = piece_length(name, base);
    if (!length || (strcmp(name + length, ".tmp") != 0 && strcmp(name + length, ".lock") != 0))
        return;
    Arena       arena SCOPED(arena_free) = {0};
    Error       unsaid;
    const char *path = arena_format(&arena, &unsaid, "%.*s%.*s", (int)(base - output), output, (int)length, name),
               *lock_path = path ? arena_format(&arena, &unsaid, "%s.lock", path) : NULL,
               *temporary = path ? arena_format(&arena, &unsaid, "%s.tmp", path) : NULL;
    if (lock_path && temporary)
        output_tidy(path, lock_path, temporary);
}

static void tidy_pieces(const char *output)
{
    Arena       arena SCOPED(arena_free) = {0};
    Error       unsaid;
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    const char *folder = slash ? arena_format(&arena, &unsaid, "%.*s", (int)(base - output), output) : "./";
    DIR        *directory = folder ? opendir(folder) : NULL;
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        tidy_piece(output, base, entry->d_name);
    if (directory)
        closedir(directory);
}

static bool add_path(Pieces *pieces, const char *path, Error *err)
{
    pieces->paths = arena_grow(&pieces->arena, pieces->paths, pieces->count, sizeof *pieces->paths, err);
    return pieces->paths && (pieces->paths[pieces->count++] = path) != NULL;
}

bool pieces_list(const char *output, bool with_output, Pieces *pieces, Error *err)
{
    *pieces = (Pieces){.output = output};
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    const char *folder = slash ? arena_format(&pieces->arena, err, "%.*s", (int)(slash + 1 - output), output) : "./";
    DIR        *directory = folder ? opendir(folder) : NULL;
    bool        exists = false, ok = folder && (directory || output_fail(err, folder, "cannot be read")) &&
                              output_exists(output, &exists, err) &&
                              (!exists || !with_output || add_path(pieces, output, err));
    for (const struct dirent *entry; ok && (entry = readdir(directory));)
        if (is_piece(entry->d_name, base)) {
            const char *path = arena_format(&pieces->arena, err, "%.*s%s", (int)(base - output), output, entry->d_name);
            ok = path && add_path(pieces, path, err);
        }
    if (directory)
        closedir(directory);
    return ok;
}

void pieces_free(Pieces *pieces)
{
    arena_free(&pieces->arena);
    *pieces = (Pieces){0};
}

static bool find_whole(const Older *older, const Plan *plan, unsigned char *whole, Error *err)
{
    char here[FINGERPRINT_DIGITS + 1], there[FINGERPRINT_DIGITS + 1];
    attributes_fingerprint(plan, here);
    attributes_fingerprint(&older->origin.plan, there);
    if (strcmp(here, there) != 0) {
        settings_fail(older->origin.plan.settings, plan->settings, err);
        return within(err, "%s", older->path);
    }
    for (uint64_t block = 0; block < plan->block_count; block++)
        whole[block] |= older->whole[block];
    return true;
}

bool pieces_find(const Pieces *pieces, size_t first, size_t step, const Plan *plan, unsigned char *whole, Error *err)
{
    bool ok = true;
    for (size_t i = first; ok && i < pieces->count; i += step) {
        Older older SCOPED(older_close) = {0};
        ok = older_open(pieces->paths[i], plan->spec, &older, err) && find_whole(&older, plan, whole, err);
    }
    return ok;
}

static bool remove_piece(const char *path, const char *log, Error *err)
{
    Arena       arena SCOPED(arena_free) = {0};
    const char *lock_path = arena_format(&arena, err, "%s.lock", path),
               *own = arena_format(&arena, err, "%s.log", path);
    int  lock;
    bool ok = lock_path && own && output_lock(path, lock_path, false, &lock, err);
    if (ok) {
        if (log)
            output_take_log(own, log);
        ok = unlink(path) == 0 || output_fail(err, path, "cannot be removed");
        unlink(own);
        output_unlock(lock_path, lock);
    }
    return ok;
}

bool pieces_remove(const Pieces *pieces, const char *log, Error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < pieces->count; i++)
        ok = strcmp(pieces->paths[i], pieces->output) == 0 || remove_piece(pieces->paths[i], log, err);
    return ok;
}

static int by_name(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

bool pieces_merge(const char *output, bool with_output, const Spec *sweep, void (*say)(const char *line, void *user),
                  void *user, Error *err)
{
    Pieces pieces SCOPED(pieces_free) = {0};
    Merged merged;
    bool   ok = pieces_list(output, with_output, &pieces, err);
    if (ok && pieces.count > 1)
        qsort(pieces.paths, pieces.count, sizeof *pieces.paths, by_name);
    const MergeRequest request = {.path = output,
                                  .shards = pieces.paths,
                                  .shard_count = pieces.count,
                                  .force = true,
                                  .in_place = true,
                                  .sweep = sweep,
                                  .say = say,
                                  .user = user};
    tidy_pieces(output);
    if (ok && (pieces.count == 0 || (pieces.count == 1 && strcmp(pieces.paths[0], output) == 0)))
        return true;
    const char *log = ok ? arena_format(&pieces.arena, err, "%s.log", output) : NULL;
    return log && merge_files(&request, &merged, err) &&
           (merged.missing == 0 ||
            fail(err, ERROR_INCOMPLETE, "%s: %llu of %llu blocks are missing; --resume goes on", output,
                 (unsigned long long)merged.missing, (unsigned long long)(merged.missing + merged.blocks))) &&
           pieces_remove(&pieces, log, err);
}
