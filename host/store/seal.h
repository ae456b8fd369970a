// seal -- one checksum over everything in a result file that no run ever writes again.
//
// HDF5 keeps texts in a heap without checksums, and a damaged length there crashes the library. The seal is a CRC-32 of
// every byte outside the variables and the journal, written once into /journal/header_crc32. Where it holds, HDF5 reads
// what it wrote itself. Finding the addresses to check it touches no text, only structures that HDF5 protects by
// checksums of its own. The variables of a group are `status` and the datasets created after it.
#pragma once

#include "store/h5.h"
#include "store/layout.h"

// Computes the seal of a new file and writes it.
//   file    open for writing
//   path    borrowed, for messages
//   layout  with the offsets of the file
// Errors: ERROR_IO, ERROR_INTERNAL.
bool seal_write(int file, const char *path, const Layout *layout, Error *err);

// Checks the seal of a file.
//   hdf5  the file opened with HDF5
//   file  the same, open for reading
// Errors: ERROR_INPUT (damaged or edited, or no result file), ERROR_IO, ERROR_INTERNAL.
bool seal_check(hid_t hdf5, int file, Error *err);
