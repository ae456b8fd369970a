// header -- the HDF5 part of a result file: created once, checked when a run resumes, never written in between.
//
// Two files of the same plan are equal byte for byte outside the data: no times are stored, creation order is tracked,
// and nothing of the device or the host goes in. All data are contiguous, allocated at creation and unfilled, so that
// the file's size and every address are final; what was not written reads 0.
#pragma once

#include "store/h5.h"
#include "store/layout.h"

// Creates the file, which must not exist: groups, attributes, scales and datasets.
//   path     borrowed
//   sources  [plan->group_count] attribute `source` of each group; borrowed
//   layout   of the plan; the offsets of its datasets are written
// Errors: ERROR_IO. The file, if there is one, is then useless; the caller removes it.
bool header_create(const char *path, const Plan *plan, const char *const *sources, Layout *layout, Error *err);

// Checks that an existing file was made from this plan and is whole: its seal, fingerprint, sources, every group and
// dataset with its shape, type, layout and place in the file.
//   file    the same file, open for reading
//   layout  of the plan; the offsets of its datasets are written
// Errors: ERROR_INPUT (no result file, damaged, or of another sweep: names the first difference), ERROR_INTERNAL.
bool header_check(const char *path, int file, const Plan *plan, const char *const *sources, Layout *layout, Error *err);

// The type of a dataset in the file; not to be closed.
hid_t header_type(const Dataset *dataset, const Group *group);

// Bytes of one value of a dataset in the file.
size_t header_type_bytes(const Dataset *dataset, const Group *group);
