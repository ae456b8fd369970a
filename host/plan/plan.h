// plan -- a sweep with every name resolved, every range checked and every point numbered.
//
// A sweep is a list of groups, one per entry under `methods:`. A group is a problem, a method, its settings and a grid
// of points. Points are numbered in row-major order of the group's axes, the last axis fastest. Each number of a point
// - a parameter, the step, a tolerance - is a Quantity: a constant, or a value that follows one axis.
//
// Blocks are the unit of the journal: runs of consecutive points of one group, numbered through the groups in file
// order. Their size is a pure function of the plan, never of the device.
#pragma once

#include "base/text.h"
#include "points/point_file.h"
#include "plan/group.h"
#include "plan/spec.h"

// Version of the numbers. It is raised by every change after which a sweep has other results though its settings, its
// cards and its composed kernels are as they were: a change of host/reference (which also computes the solutions that
// error metrics of kernels compare with), of the options that kernels are built with, or of the host's work on results.
// A result file is continued by the version that began it only.
enum { PLAN_NUMBERS = 2 };

// Who computes: kernels, the same bits on every device, or the reference, whose last digits are others.
extern const char plan_kernels[], plan_reference[];

// A kernel file of the user's.
enum { PLAN_OWN = 32 };
typedef struct OwnFile {
    const char *word;  // as the sweep file names it
    const Card *card;
} OwnFile;

// Names that a sweep lists: axes that `zip` lets go together inside the grid of the others, or factors of a random
// design that change together or are correlated.
typedef struct NameSet {
    const YamlNode *node;   // the list
    const char    **names;  // [count]
    size_t          count;
    bool           *used;      // [count] an axis, or a factor, of some group
    const char     *name;      // of the dimension of the axes, or of the factors that change together
    const double   *spearman;  // [count][count] rank correlations of factors; NULL: they change together
} NameSet;

// `design:` and `correlated:` of a sweep.
typedef struct PlanDesign {
    Design          how;
    Sampling        sampling;  // kind and numbers of a random design; each group adds its factors
    bool            inside;    // axes without a distribution make a grid of designs
    const YamlNode *node;
    NameSet        *sets;  // [set_count]
    size_t          set_count;
} PlanDesign;

typedef struct Plan {
    const Spec    *spec;     // borrowed
    const Catalog *catalog;  // borrowed
    const char    *title;
    const Card    *problem;
    YamlNode      *parameters;  // `parameters` of the sweep, with the ones at the problem; borrowed; or NULL
    Precision      precision;
    struct Curve  *tables;  // [table_count] of the sweep file; those that the problem asks for stand at its card
    size_t         table_count;
    const struct Observing     *observing;  // of `observe:`; NULL: nothing
    const char                **inputs;     // [input_count] paths of the tables' files
    size_t                      input_count;
    OwnFile                    *own;  // [own_count], at most PLAN_OWN
    size_t                      own_count;
    PointFile                   points;       // the file of `points:`; no columns without it
    bool                       *column_used;  // [points.column_count] by some group
    NameSet                    *zips;         // [zip_count]
    size_t                      zip_count;
    PlanDesign                  design;
    Group                      *groups;  // [group_count]
    size_t                      group_count;
    uint64_t                    point_count;  // of all groups; at most 2^40
    uint64_t                    block_count;
    uint64_t                    data_bytes;            // of all variables of all groups, checked for overflow
    const char                 *part;                  // "I/N" of a shard; NULL: the whole sweep
    uint64_t                    part_first, part_end;  // of a shard, its blocks: part_range()
    const char                 *history;   // of a file whose failed points were tried again, a line each time; or NULL
    const unsigned char *const *attempts;  // [group_count] -> [point_count] which time each point is of; of a retry
    unsigned                    attempt;   // this retry's number
    const char                 *settings;  // effective canonical YAML: every value, defaults included
    // Hash of settings and the cards' files. Plans with equal fingerprints, computed by the same and with the same
    // version of the numbers, have equal results; a result file's fingerprint takes in all three. 0: the points were
    // given by a caller, and no file is made of them.
    uint64_t     fingerprint;
    const char  *computed_by;  // plan_kernels, unless changed after plan_make()
    int          numbers;      // PLAN_NUMBERS
    const char **warnings;  // [warning_count] lines for the user, e.g. a `where` value moved to the nearest axis value
    size_t       warning_count;
    Arena        arena;
} Plan;

extern const char *const plan_status_names[STATUS_COUNT];  // how a point ended: "not_run", "ok", ...

// Resolves the names in spec and checks every range.
//   spec, catalog  borrowed; must outlive the plan
//   plan           written; zeroed on failure; release with plan_free()
// Errors: ERROR_INPUT, or ERROR_USAGE where an override is at fault (message "file:line:column: what, remedy"),
// ERROR_INTERNAL.
bool plan_make(const Spec *spec, const Catalog *catalog, Plan *plan, Error *err);

// Makes a plan with other values at the points that a caller gave (spec->points): of as many points, and of the same
// parameters. All else is shared with `from`, which must outlive it, and so must the points.
//   plan  written; release with plan_free()
// False, with nothing made, where plan_make() has more to do: other parameters, another number of points, values out of
// range, a step or a tolerance among them, stored trajectories, no memory.
bool plan_replace_points(const Plan *from, const PointFile *points, Plan *plan);

// The i-th of the files from which the plan was made: the sweep file, kernel files of the user's, those of tables, that
// of points. NULL behind the last. Borrowed from the plan.
const char *plan_file(const Plan *plan, size_t i);

void plan_free(Plan *plan);

// Adds a metric of a group as a sweep lists it: {NAME: {label: LABEL, options}}, every option said; of a file of the
// user's {PATH: {result: NAME, label: LABEL, options}}.
void plan_write_metric(const Plan *plan, const Group *group, const Variable *variable, Text *text);

// Finds the value that a key of the sweep has for all points.
//   key    as of `-s KEY=VALUE`: step, parameters.eps, methods.LABEL.theta
//   arena  owns the value
//   value  written; where the sweep leaves the key out, its default with the fewest digits that read back equal
// Errors: ERROR_USAGE (no such key, an axis, a mapping, a value that differs between the methods; names the key and the
// remedy), ERROR_INTERNAL.
bool effective_value(const Plan *plan, const char *key, Arena *arena, const char **value, Error *err);

// For the files that make a plan.
//
// A path of the sweep file's, taken from its folder unless it is absolute; in the plan's arena. NULL with err filled
// when memory runs out.
const char *plan_path(Plan *plan, const char *text, Error *err);

// Keeps the path of a file that the plan was made from, for plan_file().
bool plan_add_input(Plan *plan, const char *path, Error *err);

// Reads a file of at most so many bytes that a node names, or takes the text that the caller gave for it; errors are
// the node's, and of the kind of file_read()'s.
bool plan_read_file(const Plan *plan, const char *path, size_t most, const YamlNode *node, const char *what,
                    Arena *arena, char **text, Error *err);

// Adds a line "place of the node: <formatted text>" to the plan's warnings unless it is there already.
// Errors: ERROR_INTERNAL.
bool plan_warn(Plan *plan, const YamlNode *at, Error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
