// structure -- permitted structure of a result file, checked before anything of it is followed or read.
#pragma once

#include "h5/h5.h"

// Checks the structure of an open file, which may come from anyone. It has groups, and in them datasets, by hard links
// and each by one name. Nothing leads out of the file: no soft, external or user-defined link, no external storage, no
// virtual dataset. Types, filters and attributes are of the kinds that this program writes. The data that a dataset
// claims are in the file, or can be unpacked from the bytes in it.
//
// No object is opened through a link that is not hard, and no value is read.
//   file        of HDF5
//   file_bytes  the size of the file
// Errors: ERROR_INPUT (says what is there instead), ERROR_IO, ERROR_INTERNAL.
bool structure_check(hid_t file, uint64_t file_bytes, Error *err);

// Whether a dataset is a dimension without values: it has no place in the file, and netCDF's text for its name.
bool structure_is_bare(hid_t id);
