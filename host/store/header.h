// header -- the HDF5 part of a result file: created once, checked when a run resumes, never written in between.
//
// Two files of the same plan are equal byte for byte outside the data: no times are stored, creation order is tracked,
// and nothing of the device or the host goes in. All data are contiguous, allocated at creation and unfilled, so that
// the file's size and every address are final; values that were not written read 0, of an integer metric its fill
// value.
#pragma once

#include "h5/h5.h"
#include "store/layout.h"

// Creates the file, which must not exist: groups, attributes, scales and datasets.
//   path     borrowed
//   sources  [plan->group_count] the text of dataset `source` of each group; borrowed
//   layout   of the plan; the offsets of its datasets are written
// Errors: ERROR_IO. The file, if there is one, is then useless; the caller removes it.
bool header_create(const char *path, const Plan *plan, const char *const *sources, Layout *layout, Error *err);

// Checks that an existing file was made from this plan and is whole: its seal, fingerprint, sources, every group and
// dataset with its shape, type, layout and place in the file.
//   file    the same file, open for reading
//   layout  of the plan; the offsets of its datasets are written
//   advice  written: advice to a run that is to resume the file, a clause; NULL: there is none
// Errors: ERROR_INPUT (no result file, damaged, or of another sweep: names the first difference), ERROR_INTERNAL.
bool header_check(const char *path, int file, const Plan *plan, const char *const *sources, Layout *layout,
                  const char **advice, Error *err);

// The values first .. end - 1 of a dataset that are written with the header. Values along one dimension of points may
// be as many as the points: a shard has its own only.
void header_values(const Plan *plan, const Dataset *dataset, const Group *group, uint64_t *first, uint64_t *end);

// Lists values of a dataset that the plan knows: doubles of an axis and of times, else whole numbers of its type. Times
// are listed all.
void header_list(const Dataset *dataset, const Group *group, uint64_t first, uint64_t count, void *values);

// The type of a dataset in the file; not to be closed.
hid_t header_type(const Dataset *dataset, const Group *group);

// Bytes of one value of a dataset in the file.
size_t header_type_bytes(const Dataset *dataset, const Group *group);

// The dataset of a group that has its composed kernel: a scalar text. Files of older versions have it as an attribute.
extern const char header_source[];  // "source"

// The attributes of a file whose values are compressed: nothing is written into it. The second is the checksum of its
// header before, as its seal had it.
extern const char header_packed[], header_unpacked_crc[];  // "packed", "unpacked_header_crc32"

// Creates an empty file, which must not exist, as result files are: links and attributes in the order of creation.
//   aligned  large datasets begin on a page of their own
// Negative on failure; HDF5's error stack has the reason.
hid_t header_create_file(const char *path, bool aligned);

// A creation list for a dataset in one piece, with attributes in the order of creation. To be closed; negative on
// failure.
//   values  space is allocated at once and not filled; without values the dataset takes none
hid_t header_creation_list(bool values);

// Sets the order of links and attributes for the creation list of a file or a group. False on failure.
bool header_order_links(hid_t list);

enum { FINGERPRINT_DIGITS = 16 };

// The value of the attribute `fingerprint`: a hash of the plan's fingerprint, of who computes and of the version of the
// numbers.
void attributes_fingerprint(const Plan *plan, char text[FINGERPRINT_DIGITS + 1]);

// Attributes of the scale `dof` about the degrees of freedom: the coordinates' names, as flags, their units, their
// velocities' names and units. Each is a text with a word for each degree of freedom.
extern const char attributes_values[], attributes_meanings[], attributes_units[], attributes_velocities[],
    attributes_velocity_units[];

// Of an integer metric: its value where it was not computed, one number of its type.
extern const char attributes_fill[];  // "_FillValue"

// These write all attributes of an HDF5 object: the sweep, each group's effective settings, each dataset's unit. False
// on failure; HDF5's error stack has the reason.
//
// Settings carry the names they have under -s (`newton.tolerance`), parameters their own; a method's parameter that is
// named like one of its problem's is METHOD.NAME. An axis of the group is not an attribute.
//   type  header_type() of the dataset
bool attributes_of_file(hid_t file, const Plan *plan);
bool attributes_of_group(hid_t section, const Group *group);
bool attributes_of_dataset(hid_t id, hid_t type, const Dataset *dataset, const Group *group);

// Seals a new file: adds the trailer that seal.c describes.
//   file    open for reading and writing
//   path    borrowed, for messages
//   layout  of the plan, with the offsets of the file
// Errors: ERROR_IO, ERROR_INTERNAL.
bool seal_write(int file, const char *path, const Plan *plan, const Layout *layout, Error *err);

// Bytes of a file that its seal leaves out.
typedef struct ByteRange {
    uint64_t offset, bytes;
} ByteRange;

// Seals a file but for these ranges.
//   ranges  [count] in any order; sorted
// Errors: as seal_write(); ERROR_INPUT (too many ranges).
bool seal_write_ranges(int file, const char *path, ByteRange *ranges, uint64_t count, Error *err);
void seal_sort_ranges(ByteRange *ranges, uint64_t count);

// Reads the checksum of a sealed file's header.
// Errors: ERROR_IO, ERROR_INPUT.
bool seal_read(int file, uint32_t *header_crc, Error *err);

// Checks the seal of a file that is open for reading. The messages leave out the file's name.
// Errors: ERROR_INPUT (no result file, cut off, changed or damaged), ERROR_IO, ERROR_INTERNAL.
bool seal_check(int file, Error *err);
