// store_read -- reads result files for the analysis commands: groups, variables, dimensions and numbers by name.
//
// A file may be read at any time, also while a run writes it: a point that is not computed yet has status 0 and reads
// 0, integer metrics NaN.
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "plan/group.h"

#include <stdint.h>

enum { STORE_READ_RANK = 32 };

// A dataset with numbers; texts are not listed. Its dimensions have the names of scales, which are variables of the
// same group (except for `point` of a zip, which has a length but no values).
typedef struct StoreVariable {
    const char  *name, *unit, *about;     // unit and about may be ""
    bool         scale;                   // the values of a dimension
    VariableType type;                    // the one that holds its numbers
    size_t       rank;                    // 0: a single number
    uint64_t     shape[STORE_READ_RANK];  // [rank]
    const char  *dims[STORE_READ_RANK];   // [rank]
    uint64_t     count;                   // product of the shape
    bool         filled;                  // an integer that has `fill` where it was not computed: read as NaN
    double       fill;
    const void  *held;  // [count] of its type, of results in memory; NULL: they are in the file
} StoreVariable;

// A degree of freedom: the coordinate and, in a problem that has velocities, its velocity. Of a file that does not name
// them they are x0 and v0, and so on, of unit "".
typedef struct StoreDof {
    const char *name, *unit;
    const char *velocity, *velocity_unit;
} StoreDof;

typedef struct StoreGroup {
    const char    *label;
    StoreVariable *variables;  // [variable_count] in the order of creation
    size_t         variable_count;
    StoreDof      *dofs;  // [dof_count]
    size_t         dof_count;
} StoreGroup;

// A text of results in memory, in place of an attribute of the file.
typedef struct StoreText {
    const StoreGroup *group;  // NULL: of all
    const char       *of;     // the name of a variable; NULL: of the group
    const char       *name, *text;
} StoreText;

// An open result file, or results in memory (store/held.h). Zero-initialise it; store_read_open() fills it and
// store_read_close() releases it, also when zeroed.
typedef struct StoreFile {
    const char *path;    // of results in memory a word for messages
    StoreGroup *groups;  // [group_count] in the order of the sweep
    size_t      group_count;
    uint64_t    block_count;           // of the journal
    const char *part;                  // "I/N" of a shard; NULL: the whole sweep
    uint64_t    part_first, part_end;  // the blocks that are to be in it
    uint64_t    blocks_done;           // when the file was opened; fewer than block_count: the run is not complete
    bool        packed;                // its values are compressed: it is only read
    bool        retried;               // its points were computed by several rules
    Text        notes;                 // lines for readers of its values: checks that were left out, and no lock
    int64_t     handle;                // HDF5's
    bool        opened;
    bool        held;   // results in memory, not of a file
    StoreText  *texts;  // [text_count] of results in memory, in their order
    size_t      text_count;
    Arena       arena;
} StoreFile;

// Opens a result file and lists its contents. Readers of values of points open it by verify.h.
//   path  borrowed for the call
//   file  written; zeroed on failure
// Errors: ERROR_IO (not there, unreadable), ERROR_INPUT (not a result file, or damaged), ERROR_INTERNAL.
bool store_read_open(const char *path, StoreFile *file, Error *err);
void store_read_close(StoreFile *file);

// The group of that label, or NULL.
const StoreGroup *store_read_group(const StoreFile *file, const char *label);

// The group that a command line asks for by its label, or where that is NULL the only one. NULL with err filled where
// there is none: ERROR_USAGE, which names all.
const StoreGroup *store_read_choose(const StoreFile *file, const char *label, Error *err);

// The variable of that name, or NULL.
const StoreVariable *store_read_variable(const StoreGroup *group, const char *name);

// The variable that a metric's name says, and which of its numbers: NAME, or of a variable with a number for each
// degree of freedom NAME[i] or NAME[COORDINATE], such as x_final[1], x_final[theta], v_final[theta] or
// v_final[v_theta].
//   component  written: SIZE_MAX where the name has no brackets
// NULL where the group has no such variable or number.
const StoreVariable *store_read_address(const StoreGroup *group, const char *name, size_t *component);

// The unit of a component of a variable: that of the variable, or where its components have units of their own, as
// x_final of a radius and an angle, that of the coordinate or of its velocity.
const char *store_read_unit(const StoreGroup *group, const StoreVariable *variable, size_t component);

// Opens HDF5's object of the file (group NULL), of a group (variable NULL) or of a variable, to be closed by
// h5_close(). Negative on failure; HDF5's error stack has the reason.
int64_t store_read_object(const StoreFile *file, const StoreGroup *group, const StoreVariable *variable);

// A text attribute of the file (group NULL) or of a group.
//   text  written: owned by the caller (free()); NULL where there is none
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool store_read_text(const StoreFile *file, const StoreGroup *group, const char *attribute, char **text, Error *err);

// A text of results in memory: the one at that place among those of the same name; NULL where there is none.
//   of  the name of a variable; NULL: of the group, or where that is NULL of all
const char *store_read_held(const StoreFile *file, const StoreGroup *group, const char *of, const char *name,
                            size_t index);

// The composed kernel of a group; of a file of an older version that of its attribute.
//   text  written: owned by the caller (free()); NULL where there is none
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool store_read_source(const StoreFile *file, const StoreGroup *group, char **text, Error *err);

// A text attribute of a variable.
//   text  written: owned by the caller (free()); NULL where there is none
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool store_read_attribute(const StoreFile *file, const StoreGroup *group, const StoreVariable *variable,
                          const char *attribute, char **text, Error *err);

// A number attribute of a group: an effective setting or a parameter that is not an axis.
//   found  written: whether there is one
// Errors: ERROR_INPUT.
bool store_read_number(const StoreFile *file, const StoreGroup *group, const char *attribute, double *number,
                       bool *found, Error *err);

// Reads a variable, or the part of it from start[] on with count[] values per dimension, as doubles in row-major order.
//   start, count  [rank]; both NULL: the whole variable
//   numbers       written: [product of count], or [variable->count]
// Errors: ERROR_INPUT.
bool store_read_numbers(const StoreFile *file, const StoreGroup *group, const StoreVariable *variable,
                        const uint64_t *start, const uint64_t *count, double *numbers, Error *err);
