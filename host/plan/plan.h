// plan -- a sweep with every name resolved, every range checked and every point numbered.
//
// A sweep is a list of groups, one per entry under `methods:`. A group is a problem, a method, its settings and a grid
// of points. Points are numbered in row-major order of the group's axes, the last axis fastest. What a point has - a
// parameter, the step, a tolerance - is a Quantity: a constant, or a value that follows one axis.
//
// Blocks are the unit of the journal: runs of consecutive points of one group, numbered through the groups in file
// order. Their size is a pure function of the plan, never of the device.
#pragma once

#include "catalog/catalog.h"
#include "plan/spec.h"

#include <stdint.h>

typedef enum Precision { PRECISION_DOUBLE, PRECISION_SINGLE } Precision;
typedef enum AxisRole { AXIS_STEP, AXIS_STEPS, AXIS_PROBLEM, AXIS_METHOD, AXIS_NEWTON } AxisRole;

typedef struct Axis {
    const char *name;  // dimension and coordinate variable in the result file
    const char *unit, *about;
    AxisRole    role;
    double     *values;  // [count]; a choice axis does not exist (words are never axes)
    size_t      count;   // >= 1
} Axis;

typedef struct Quantity {
    double value;  // where axis < 0
    int    axis;   // index into the group's axes, or -1
} Quantity;

typedef enum JacobianRule { JACOBIAN_CENTRAL, JACOBIAN_FORWARD, JACOBIAN_ANALYTIC } JacobianRule;

// NUMERICS: `mode: robust` is scaled residual, cube-root stencil, floor guard; `mode: paper` is raw, square-root, no
// guard.
typedef struct Newton {
    bool         scaled_residual;
    bool         cube_root_stencil;
    bool         floor_guard;
    JacobianRule jacobian;
    bool         modified;     // the Jacobian at a solve's guess serves all its updates
    Quantity     tolerance;    // >= 0
    Quantity     max_updates;  // >= 1, a whole number
} Newton;

// How a two-step method takes a substep that has no earlier point at its own spacing (substeps.start): theta1 just
// above 1/2, the trapezoidal rule, or its own formula for unequal spacing; the very first step is theta1's in that case
// too.
typedef enum StartRule { START_THETA1, START_TRAPEZOIDAL, START_VARIABLE, START_COUNT } StartRule;
extern const char *const start_names[START_COUNT];  // "theta1", ...

typedef struct Substeps {
    int       max_depth;  // 0..20
    double    budget;     // > 0: updates per point, in units of its steps
    StartRule start;      // theta2's first substep
} Substeps;

typedef enum Coordinate { COORDINATE_DOF, COORDINATE_SLOW, COORDINATE_FAST } Coordinate;

// One run of a metric file inside the kernel. Several result names share an instance when file and options agree.
typedef struct MetricInstance {
    const Card *card;
    Coordinate  of;        // the coordinate observed, where the card has option `of`
    size_t      of_dof;    // for COORDINATE_DOF
    double      from, to;  // the window in time, where the card has option `window`; 0 and INFINITY by default
} MetricInstance;

typedef enum VariableType { TYPE_I8, TYPE_I32, TYPE_I64, TYPE_F32, TYPE_F64 } VariableType;

typedef enum VariableSource {
    SOURCE_STATUS,  // Status as i8
    SOURCE_METRIC,  // instance and result say which
    SOURCE_X_FINAL,
    SOURCE_V_FINAL,  // width = dofs
    SOURCE_X,
    SOURCE_V,  // trajectory; width = samples * dofs
    SOURCE_ENERGY,
    SOURCE_CONDITION,
    SOURCE_UPDATES,
    SOURCE_KINETIC,
    SOURCE_ERROR,
    SOURCE_FAST,
    SOURCE_SLOW  // trajectory; width = samples
} VariableSource;

// One dataset of a group that points are computed into. Its shape is [axes..., (sample,) (dof)], point slowest.
typedef struct Variable {
    const char    *name, *unit, *about;
    VariableType   type;
    VariableSource source;
    size_t         instance, result;  // SOURCE_METRIC: index into instances, index into its card's results
    bool           trajectory;        // one row per selected point (a slot), with a sample dimension
    bool           per_dof;           // has a dof dimension (last)
    size_t         width;             // numbers per point or per slot
} Variable;

// Which trajectories are stored. Sample k of a point with N steps is its state after step k*every, or, with `samples:
// M`, after step floor(k*N/(M-1)). Sample 0 is t = 0.
typedef struct Trajectory {
    bool     stored;
    uint64_t every;         // > 0, or 0 where `samples` was given
    size_t   sample_count;  // largest over the group's points
    size_t *
        *selected;  // [axis_count][selected_count[axis]] ascending indices into the axis (all of them without `where`)
    size_t *selected_count;  // [axis_count]; with a zip design one entry: indices of points
    size_t  slot_count;      // trajectories stored
} Trajectory;

// Which numbers of a Solution (plan/solution.h) the group's metrics read, in this order.
typedef struct Solved {
    bool   x, limit;  // the coordinates; the slow coordinate of the problem's limit
    size_t rows;      // numbers per sample; 0: no metric needs a table
} Solved;

typedef enum Design { DESIGN_GRID, DESIGN_ZIP } Design;

typedef struct Group {
    const char     *label;
    const Card     *problem, *method;  // borrowed from the catalog
    Design          design;
    Axis           *axes;         // [axis_count] order: step, problem parameters, method parameters, newton keys
    size_t          axis_count;   // DESIGN_ZIP: all of equal length, point p takes value p of each
    uint64_t        point_count;  // product of the axis counts (grid) or their common length (zip); 1 without axes
    Quantity       *problem_parameters;  // [problem->parameter_count], in card order; a choice's index as a number
    Quantity       *method_parameters;   // [method->parameter_count], in card order
    size_t          dofs;                // degrees of freedom: the problem's, or what its parameter says
    Quantity        step, steps, end;    // two of three as written; read them with group_step() and group_steps()
    bool            step_given, steps_given, end_given;
    Newton          newton;
    Substeps        substeps;
    MetricInstance *instances;  // [instance_count]
    size_t          instance_count;
    Variable       *variables;  // [variable_count]: status, metrics as listed, then trajectory fields
    size_t          variable_count;
    Trajectory      trajectory;
    Solved          solution;
    uint64_t        first_block;  // number of the group's first block
    uint64_t        block_count;
    uint64_t        block_points;  // points per block; the last may be shorter
} Group;

// Version of the numbers. It is raised by every change after which a sweep has other results though its settings, its
// cards and its composed kernels are as they were: a change of host/reference (which also solves for what error
// metrics of kernels are compared with), of the options that kernels are built with, or of what the host does with
// results. A result file is continued by the version that began it only.
enum { PLAN_NUMBERS = 1 };

// Who computes: kernels, the same bits on every device, or the reference, whose last digits are others.
extern const char plan_kernels[], plan_reference[];

typedef struct Plan {
    const Spec    *spec;     // borrowed
    const Catalog *catalog;  // borrowed
    const char    *title;
    const Card    *problem;
    Precision      precision;
    Group         *groups;  // [group_count]
    size_t         group_count;
    uint64_t       point_count;  // of all groups; at most 2^40
    uint64_t       block_count;
    uint64_t       data_bytes;  // of all variables of all groups, checked for overflow
    const char    *settings;    // effective canonical YAML: every value, defaults included
    // Hash of settings and the cards' files. Plans with equal fingerprints, computed by the same and with the same
    // version of the numbers, have equal results; a result file's fingerprint takes in all three.
    uint64_t     fingerprint;
    const char  *computed_by;  // plan_kernels, unless changed after plan_make()
    int          numbers;      // PLAN_NUMBERS
    const char **warnings;  // [warning_count] lines for the user, e.g. a `where` value moved to the nearest axis value
    size_t       warning_count;
    Arena        arena;
} Plan;

// How a point ended; the numbers are the result file's flag_values.
typedef enum Status {
    STATUS_NOT_RUN,
    STATUS_OK,
    STATUS_NEWTON_FAILED,
    STATUS_DEPTH_EXCEEDED,
    STATUS_BUDGET_EXCEEDED,
    STATUS_NOT_FINITE,
    STATUS_SINGULAR,
    STATUS_COUNT
} Status;
extern const char *const status_names[STATUS_COUNT];  // "not_run", "ok", ...

// Resolves the names in spec and checks every range.
//   spec, catalog  borrowed; must outlive the plan
//   plan           written; zeroed on failure; release with plan_free()
// Errors: ERROR_INPUT, or ERROR_USAGE where an override is at fault (message "file:line:column: what, remedy"),
// ERROR_INTERNAL.
bool plan_make(const Spec *spec, const Catalog *catalog, Plan *plan, Error *err);
// The files from which the plan was made: the sweep file, and the problem's where it is not a built-in one.
//   paths  written; [PLAN_FILES], borrowed from the plan, of which the number returned are filled
enum { PLAN_FILES = 2 };
size_t plan_files(const Plan *plan, const char *paths[PLAN_FILES]);

void plan_free(Plan *plan);

// The value of a quantity at a point of the group.
double group_value(const Group *group, Quantity quantity, uint64_t point);

// Index of a point along an axis.
size_t group_index(const Group *group, size_t axis, uint64_t point);

// Step size h and number of steps N of a point: N = max(1, round(end/step)), or h = end/steps exactly.
double   group_step(const Group *group, uint64_t point);
uint64_t group_steps(const Group *group, uint64_t point);

// Number of selected points (slots) before `point`; `selected`, if not NULL, tells whether the point itself is stored.
uint64_t group_slot(const Group *group, uint64_t point, bool *selected);

// The step after which sample k of a point is taken, and how many samples the point has.
uint64_t group_sample_step(const Group *group, uint64_t point, size_t k);
size_t   group_samples(const Group *group, uint64_t point);

// Bytes of one number of a type.
size_t type_bytes(VariableType type);
