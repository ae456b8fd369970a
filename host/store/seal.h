// seal -- checksum of all parts of a result file that are written only once.
//
// HDF5 keeps texts in a heap without checksums, and a damaged length there crashes the library or lets it spin. So a
// file is given to HDF5 only after its seal was checked by plain reads. The seal is a trailer behind the end of HDF5's
// file, where HDF5 programs do not look; one that opens the file for writing cuts it off.
//
//   offset    0        first range            next range   HDF5's end            trailer
//             | header | variable or journal | header | ... | ranges | count | table CRC | header CRC | mark |
//                                                              16 n      8         4            4         8   bytes
//
// The ranges (offset and length, ascending) are the variables and the journal. The header's CRC-32 covers every byte
// before the trailer outside the ranges, the table's the ranges and their count. Numbers are little-endian.
#pragma once

#include "store/layout.h"

// Seals a new file: adds the trailer.
//   file    open for reading and writing
//   path    borrowed, for messages
//   layout  with the offsets of the file
// Errors: ERROR_IO, ERROR_INTERNAL.
bool seal_write(int file, const char *path, const Layout *layout, Error *err);

// Checks the seal of a file that is open for reading. The messages leave out the file's name.
// Errors: ERROR_INPUT (no result file, cut off, changed or damaged), ERROR_IO, ERROR_INTERNAL.
bool seal_check(int file, Error *err);
