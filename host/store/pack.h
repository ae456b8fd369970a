// pack -- compressed copies of result files, for the archive.
//
// A packed file has the groups, attributes and values of its result file, and the attribute `packed`. Datasets of
// PACK_LEAST bytes and more are stored in chunks that are shuffled, deflated and checked by Fletcher's sum, each a run
// of consecutive numbers. The seal covers all but the chunks of points, which blocks have checksums of. All commands
// that read result files read it; nothing writes into it.
#pragma once

#include "base/outputs.h"
#include "plan/spec.h"

#include <stdint.h>

enum { PACK_LEAST = 4096 };

typedef struct PackRequest {
    const char                  *from, *to;  // borrowed
    bool                         force;      // an existing file may be replaced
    const Spec                  *sweep;      // of pack_unpack(): as in origin_read(); may be NULL
    const volatile sig_atomic_t *signals;    // of pack_unpack(): number of stop signals so far, or NULL
    void (*progress)(uint64_t points, uint64_t total, void *user);  // or NULL
    void *user;
} PackRequest;

typedef struct Packed {
    uint64_t points, blocks;  // in the new file
    uint64_t before, after;   // bytes of both files
} Packed;

// Makes the packed copy of a complete result file, reads it again, and gives it its name when it is on the disk. A
// signal that stops leaves nothing.
//   packed  written
// Errors: ERROR_IO (also: `to` exists), ERROR_INPUT (no result file, damaged, packed already), ERROR_INCOMPLETE (points
// are missing), ERROR_LOCKED (another process writes `to`), ERROR_STOPPED, ERROR_INTERNAL.
bool pack_file(const PackRequest *request, Packed *packed, Error *err);

// Makes the result file that was packed, byte for byte. Its sweep is planned again, so that the program must be of the
// version of kernels that made the file.
//   packed  written
// Errors: as pack_file(); ERROR_INPUT (not packed, or the kernels have changed).
bool pack_unpack(const PackRequest *request, Packed *packed, Error *err);
