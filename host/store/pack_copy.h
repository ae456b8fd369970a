// pack_copy -- inside of pack: the HDF5 file of a packed copy, not yet sealed.
#pragma once

#include "store/header.h"
#include "store/pack.h"

// A chunk has at most so many bytes; several are kept unpacked while a file is read.
enum { CHUNK_BYTES = 1 << 18 };

typedef struct Packing {
    const PackRequest *request;
    hid_t              from, to;  // the files
    ByteRange         *ranges;    // [range_count] chunks of points
    uint64_t           range_count, range_capacity;
    uint64_t           bytes, total_bytes;  // of values
    uint64_t           points;              // of the file
    uint32_t           header_crc;          // of the file's seal
    void              *chunk;               // [CHUNK_BYTES]
    Error             *err;
} Packing;

// Copies groups, attributes and values in the order of creation, and lists where chunks lie.
//   inside  name under which the copy is made; it must not exist
// False with the packing's error filled: ERROR_IO, ERROR_STOPPED, ERROR_INTERNAL.
bool pack_copy(Packing *packing, const char *inside);
