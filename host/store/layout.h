// layout -- contents of a result file: groups, datasets and dimensions, as a pure function of the plan.
//
// A result file has one section per group of the plan and, last, the journal. The header is created from a layout, an
// existing file is checked against one, and the writer finds in it the address of every variable; none of them decides
// a name or a shape.
//
//   /LABEL/    one scale per dimension: an axis, or `point` with the axes that go together along it, and of a random
//              design design_sample and design_role;
//              trajectory_DIMENSION where `where` selects some of the indices; dof, sample and time where they are
//              used; a scalar for each constant: step, end, and the numeric parameters that are no axis; then the
//              variables in plan order, `status` first
//   /journal/  block, block_done, block_crc32; of each table of the sweep table_NAME, its samples, with two scales
#pragma once

#include "plan/plan.h"

// HDF5's limit on the dimensions of a dataset.
enum { LAYOUT_RANK = 32 };

typedef enum DatasetKind {
    DATASET_AXIS,             // scale: the values of axis `index`
    DATASET_SELECTED,         // scale: the values of axis `index` for which trajectories are stored
    DATASET_SELECTED_POINTS,  // scale: the indices along dimension `index` for which trajectories are stored
    DATASET_COUNTER,          // scale: 0, 1, 2, ...
    DATASET_DOF,              // scale: 0, 1, 2, ... of the degrees of freedom, whose names are its attributes
    DATASET_BARE,             // scale without values: a netCDF dimension that is not a variable
    DATASET_CONSTANT,         // a scalar: a parameter, the step or the end, which all points of the group have
    DATASET_ALONG,            // the values of axis `index` along a dimension without values
    DATASET_SAMPLE,           // base sample of each point of a random design
    DATASET_ROLE,             // and its role there, see sampling_role()
    DATASET_ATTEMPT,          // of a file with a history: the retry that each point's results are of
    DATASET_TIME,             // times of the samples, a row per index along the dimensions of a swept step or begin
    DATASET_VARIABLE,         // variable `index` of the group: written by the writer
    DATASET_TABLE,            // samples of a table of the sweep, a row each
    DATASET_DONE,             // one byte per block, 1 when it is written
    DATASET_CRC               // one CRC-32 per block
} DatasetKind;

typedef struct Dataset {
    const char           *name, *unit, *about;  // unit and about may be ""
    const char           *coordinates;          // netCDF's attribute of that name, or ""
    DatasetKind           kind;
    size_t                index;              // of an axis, a dimension or a variable, see kind
    size_t                rank;               // 0: a scalar
    const struct Dataset *dims[LAYOUT_RANK];  // [rank] the scale of each dimension; a scale is its own
    uint64_t              length;             // of a scale
    double                value;              // of a constant
    bool                  whole;              // a constant that is a whole number
    const double         *samples;            // of a table; borrowed from the plan
    uint64_t              offset;             // address in the file; known once the header was created or read
} Dataset;

// Beside the factors of a random design along `point`.
extern const char layout_design_sample[], layout_design_role[];  // "design_sample", "design_role"
extern const char layout_attempt[];                              // "attempt", of each point
extern const char layout_table[];                                // "table_", before a table's name, in the journal

// A variable of a group in the file.
typedef struct BlockColumn {
    uint64_t offset, row_bytes;
    int64_t  packed;      // HDF5's dataset where it is packed, and has no offset; else 0
    bool     trajectory;  // rows are stored trajectories; else points
} BlockColumn;

// One HDF5 group.
typedef struct Section {
    const char  *name;
    const Group *group;     // NULL for the journal
    Dataset     *datasets;  // [dataset_count] in the order of creation
    size_t       dataset_count;
    Dataset     *attempt;    // NULL where the file has no history
    Dataset     *variables;  // the datasets of the group's variables, in their order; NULL for the journal
    BlockColumn *columns;    // [variables of the group] their places, once layout_place() has entered the addresses
} Section;

// Made by layout_make(), which owns all of it.
typedef struct Layout {
    Section *sections;  // [section_count] groups in plan order, then the journal
    size_t   section_count;
    Dataset *done, *crc;  // of the journal
    Arena    arena;
} Layout;

// Lays the file out.
//   plan    borrowed; must outlive the layout
//   layout  written; zeroed on failure; release with layout_free()
// Errors: ERROR_INPUT (too many axes for HDF5, too many samples), ERROR_INTERNAL.
bool layout_make(const Plan *plan, Layout *layout, Error *err);
void layout_free(Layout *layout);

// Enters the addresses of the datasets into the columns.
void layout_place(Layout *layout);

// Number of values of a dataset.
uint64_t layout_dataset_count(const Dataset *dataset);

// Whether the dataset is a dimension scale.
bool layout_is_scale(const Dataset *dataset);

// Whether the dataset is written after the file was made, by address: a variable, or part of the journal.
bool layout_is_data(const Dataset *dataset);

// A point of the group whose samples are taken at the times in row `row` of its `time` dataset.
uint64_t layout_time_point(const Dataset *time, const Group *group, uint64_t row);
