// group -- the points of one method in a sweep: its parameters, axes and settings, and their values at each point.
#pragma once

#include "catalog/catalog.h"
#include "catalog/dof.h"
#include "design/sampling.h"
#include "plan/axis.h"
#include "plan/field.h"

#include <math.h>
#include <stdint.h>

typedef enum Precision { PRECISION_DOUBLE, PRECISION_SINGLE } Precision;
typedef enum AxisRole { AXIS_STEP, AXIS_STEPS, AXIS_PROBLEM, AXIS_METHOD, AXIS_NEWTON } AxisRole;

typedef struct Axis {
    const char *name;  // dimension and coordinate variable in the result file
    const char *unit, *about;
    AxisRole    role;
    AxisForm    form;          // as the sweep file has it
    bool        whole;         // its values are whole numbers
    bool        given;         // they are a caller's of the library: no file has them
    double     *values;        // [count]; NULL: a factor of the group's random design, see group_axis_at()
    size_t      count;         // >= 1, that of its dimension
    size_t      dim;           // index into the group's dimensions
    size_t      factor;        // index into the design's factors
    const char *distribution;  // of a factor, as YAML: "{uniform: [0, 1]}"
} Axis;

extern const char group_point_dim[];  // "point"

// A dimension of a group's points: an axis, or several that go together, which have a value each at every index of it.
typedef struct Dim {
    const char *name;  // the axis's; of axes that go together "point", or their names with _ between
    size_t      count;
    bool        together;  // in the result file it has no values, and the axes lie along it
} Dim;

typedef struct Quantity {
    double value;  // where axis < 0; NAN: a parameter of a method that the equations give, or that has no effect
    int    axis;   // index into the group's axes, or -1
} Quantity;

// Whether a parameter has a value, and a place in the kernel.
static inline bool quantity_given(Quantity quantity)
{
    return quantity.axis >= 0 || !isnan(quantity.value);
}

typedef enum JacobianRule { JACOBIAN_CENTRAL, JACOBIAN_FORWARD, JACOBIAN_ANALYTIC } JacobianRule;

// NUMERICS: `mode: robust` is scaled residual, cube-root stencil, floor guard; `mode: paper` is raw, square-root, no
// guard.
typedef struct Newton {
    bool         scaled_residual;
    bool         cube_root_stencil;
    bool         floor_guard;
    JacobianRule jacobian;
    bool         modified;      // the Jacobian at a solve's guess serves all its updates
    bool         extrapolated;  // a solve begins at an extrapolated guess, not at the last value of its unknown
    Quantity     tolerance;     // >= 0
    Quantity     max_updates;   // >= 1, a whole number
    // [dofs] > 0: the least size of a coordinate, in a system of second order of its movement in a step; 0: it has
    // none. NULL: none has.
    const double *scale;
} Newton;

// How a two-step method takes a substep that has no earlier point at its own spacing (substeps.start): theta1 just
// above 1/2, the trapezoidal rule, or its own formula for unequal spacing; the very first step is theta1's in that case
// too.
typedef enum StartRule { START_THETA1, START_TRAPEZOIDAL, START_VARIABLE, START_COUNT } StartRule;
extern const char *const group_start_names[START_COUNT];  // "theta1", ...

typedef struct Substeps {
    int       max_depth;  // 0..MOST_DEPTH
    double    budget;     // > 0: updates per point, in units of its steps
    StartRule start;      // theta2's first substep
} Substeps;

// Quantity that a metric observes.
typedef enum Observed {
    OBSERVED_X,  // a coordinate, by its number
    OBSERVED_V,  // a velocity
    OBSERVED_SLOW,
    OBSERVED_FAST,
    OBSERVED_ENERGY,
    OBSERVED_KINETIC,
    OBSERVED_FORMULA,  // a quantity of `observe:`, by its number
    OBSERVED_COUNT
} Observed;

// Value that a metric's entry gives a parameter of its card.
typedef struct MetricArgument {
    double             value;    // a number, or the index of a choice
    const struct Node *formula;  // of the parameters of the problem, in the place of value; NULL: none
    const char        *text;     // of the formula
} MetricArgument;

// One run of a metric file inside the kernel. Several result names share an instance when file and options agree.
typedef struct MetricInstance {
    const Card                    *card;
    Observed                       of;        // where the card has option `of`
    size_t                         of_dof;    // for OBSERVED_X, OBSERVED_V, OBSERVED_FORMULA
    const struct ObservedQuantity *quantity;  // for OBSERVED_FORMULA
    double          from, to;   // the window in time, where the card has option `window`; 0 and INFINITY by default
    MetricArgument *arguments;  // [card->parameter_count]
} MetricInstance;

typedef enum VariableType { TYPE_I8, TYPE_I32, TYPE_I64, TYPE_F32, TYPE_F64 } VariableType;

#define SOURCE_FIELD(NAME, ...) SOURCE_##NAME,
typedef enum VariableSource {
    SOURCE_STATUS,  // Status as i8
    SOURCE_METRIC,  // instance and result say which
    SOURCE_X_FINAL,
    SOURCE_V_FINAL,    // width = dofs
    SOURCE_X_FINAL_D,  // likewise the derivatives, `tangent` says by what
    SOURCE_V_FINAL_D,
    SOURCE_METRIC_D,
    SOURCE_X_D,  // trajectory, of fields
    SOURCE_V_D,
    SOURCE_OBSERVED_D,
    FIELDS(SOURCE_FIELD, SOURCE_FIELD)  // trajectory; width = samples, of vectors times dofs
    SOURCE_OBSERVED                     // likewise, of a quantity of `observe:`
} VariableSource;
#undef SOURCE_FIELD

// One dataset of a group that points are computed into. Its shape is [axes..., (sample,) (dof)], point slowest.
typedef struct Variable {
    const char    *name, *unit, *about;
    VariableType   type;
    VariableSource source;
    size_t         instance, result;  // SOURCE_METRIC, SOURCE_METRIC_D: index into instances, into its card's results;
                                      // SOURCE_OBSERVED, SOURCE_OBSERVED_D: the number of the quantity
    size_t tangent;                   // of a derivative the number of what it is by
    bool   trajectory;                // one slot per selected point, with a sample dimension
    bool   per_dof;                   // has a dof dimension (last)
    bool   sampled;                   // a metric of several numbers: has a dimension NAME_sample of its own
    size_t width;                     // numbers per point or per slot
} Variable;

// Which trajectories are stored. Sample k of a point with N steps is its state after step k*every, or, with `samples:
// M`, after step floor(k*N/(M-1)); sample 0 is t = 0. With `times` it is the state at a time, by the cubic through the
// ends of the step that reaches it.
typedef struct Trajectory {
    bool          stored;
    uint64_t      every;           // > 0, or 0 where `samples` or `times` was given
    size_t        sample_count;    // largest over the group's points
    size_t      **selected;        // [dim_count][selected_count[dim]] ascending indices (all of them without `where`)
    size_t       *selected_count;  // [dim_count]
    size_t        slot_count;      // trajectories stored
    const double *times;           // [sample_count] of `times`, ascending; NULL: samples are taken after steps
    bool          single;          // the sweep's precision
} Trajectory;

// Which numbers of a Solution (plan/solution.h) the group's metrics read, in this order.
typedef struct Solved {
    bool   x, limit;  // the coordinates; the slow coordinate of the problem's limit
    size_t rows;      // numbers per sample; 0: no metric needs a table
} Solved;

// How the axes of a sweep make points of it: each by itself, or all together, or the axes with a distribution as
// factors of a random design, inside the grid of the others.
typedef enum Design { DESIGN_GRID, DESIGN_ZIP, DESIGN_RANDOM } Design;

// What the state is derived by: a parameter of the problem that is a number, or where a coordinate or a velocity
// begins.
typedef enum DerivativeBy { BY_PARAMETER, BY_COORDINATE, BY_VELOCITY } DerivativeBy;
typedef struct Tangent {
    const char  *name, *unit;
    DerivativeBy by;
    size_t       index;  // of the parameter on the card, or of the coordinate
} Tangent;

typedef struct Group {
    const char     *label;
    const Card     *problem, *method;  // borrowed from the catalog
    Design          design;
    const Sampling *sampling;       // of DESIGN_RANDOM, along the last dimension; NULL: of another
    const char     *sampling_text;  // as YAML: kind, numbers, groups and correlation
    Axis           *axes;           // [axis_count] order: step, problem parameters, method parameters, newton keys
    size_t          axis_count;
    Dim            *dims;  // [dim_count] in the order of their first axes
    size_t          dim_count;
    uint64_t        point_count;          // product of the dimensions' counts; 1 without them
    Quantity       *problem_parameters;   // [problem->parameter_count], in card order; a choice's index as a number
    Quantity       *method_parameters;    // [method->parameter_count], in card order
    size_t          dofs;                 // degrees of freedom: the problem's, or the value of its parameter
    const struct Observing *observing;    // quantities of the sweep's formulas; NULL: none
    const Dof              *coordinates;  // [dofs] their names and units; NULL: of points that no problem has
    Quantity                step, steps, end;  // two of three as written; read them with group_step() and group_steps()
    bool                    step_given, steps_given, end_given;
    Newton                  newton;
    Substeps                substeps;
    const Tangent          *derivatives;  // [derivative_count]
    size_t                  derivative_count;
    size_t                  deviation_count;  // that kernels carry along (kernels/deviations.h); not beside derivatives
    MetricInstance         *instances;        // [instance_count]
    size_t                  instance_count;
    const MetricInstance   *compared;   // its quantity is that of `compare:`; NULL: there are no data
    struct Expressions     *formulas;   // of the metrics' arguments; NULL: there are none
    struct Breaks          *breaks;     // times that steps meet exactly; NULL: there are none, nor events
    struct Events          *events;     // formulas whose sign changes are found; NULL: there are none
    Variable               *variables;  // [variable_count]: status, metrics as listed, then trajectory fields
    size_t                  variable_count;
    Trajectory              trajectory;
    Solved                  solution;
    uint64_t                first_block;  // number of the group's first block
    uint64_t                block_count;
    uint64_t                block_points;  // points per block; the last may be shorter
    bool                    walked;        // kernels keep the method's scratch vectors too, for device_walk()
    bool                    hasty;         // kernels take longer to compile well than they would save
} Group;

// The value of a quantity at a point of the group.
double group_value(const Group *group, Quantity quantity, uint64_t point);

// Index of a point along a dimension.
size_t group_index(const Group *group, size_t dim, uint64_t point);

// The value at an index along an axis's dimension.
double group_axis_at(const Group *group, const Axis *axis, size_t index);

// The least and the largest value that a quantity may have; of a factor the ends of its distribution.
void group_find_ends(const Group *group, Quantity quantity, double *least, double *most);

// The value of a point on an axis.
double group_axis_value(const Group *group, size_t axis, uint64_t point);

// Points of a group as a group of their own, along one dimension "point": its axes have the points' values, and the
// trajectories that the group stores are stored. Its kernel is the group's. It has one block.
//   points  [count] borrowed for the call
//   picked  written; its arrays belong to the group or to the arena
// Errors: ERROR_INTERNAL (memory).
bool group_pick(const Group *group, const uint64_t *points, size_t count, Arena *arena, Group *picked, Error *err);

// Vectors of the method's own that a point keeps between substeps: its card's `state`, and `guess_state` where the
// guess is extrapolated.
size_t group_kept_vectors(const Group *group);

// Whether what looks between the ends of steps is shown arcs: it is where steps are made of substeps whose sizes an
// error estimate chooses. An arc is a substep that was taken.
bool group_arcs(const Group *group);

// Whether a metric is shown arcs: one that interpolates.
bool group_shows_arcs(const Group *group, const MetricInstance *instance);

// How many tangents stand behind the state in a kernel: derivatives or deviations.
size_t group_tangents(const Group *group);

// How many numbers the vectors of a point's state have in a kernel, those of the tangents among them.
size_t group_state_dofs(const Group *group);

// Whether a metric keeps numbers for each tangent: its results have derivatives, as its card says of some, and those of
// what it observes are known; or it is of deviations.
bool group_has_tangents(const Group *group, const MetricInstance *instance);

// How many numbers a metric keeps of a point between steps, those of its tangents among them.
size_t group_metric_rows(const Group *group, const MetricInstance *instance);

// How many evaluations a Jacobian by differences to one side takes: one for each unknown, or for each diagonal of a
// band, whose columns share no row.
size_t group_differences(const Group *group);

// Whether a point keeps the size of its velocities between substeps: implicit methods whose residual is scaled do.
bool group_keeps_scale(const Group *group);

// Whether it has iterations of Newton's method, for which all keys of `newton` are. Linear stages, which have none,
// take `stencil` and `jacobian`; an explicit method takes nothing.
bool group_iterates(const Group *group);

// Accelerations that a Jacobian is made of; those of the derivative in time count among them.
size_t group_jacobian_evaluations(const Group *group);

// The tolerance of a point's solves: `tolerance`, and of an adaptive method, where the residual is scaled, at most a
// 128th of its `rtol`.
double group_tolerance(const Group *group, uint64_t point);

// The time at which a point begins, as a quantity, at a point, and the least and the largest of all points.
Quantity group_begins(const Group *group);
double   group_begin(const Group *group, uint64_t point);
void     group_find_begins(const Group *group, double *least, double *most);

// Whether points differ in their step, number of steps, begin or end.
bool group_is_timed(const Group *group);

// Step size h and number of steps N of a point: N = max(1, round((end - begin)/step)), or h = (end - begin)/steps
// exactly. Where they are not all given, end = begin + N h.
double   group_step(const Group *group, uint64_t point);
uint64_t group_steps(const Group *group, uint64_t point);
double   group_end(const Group *group, uint64_t point);

// The earliest end of any point's steps.
double group_first_end(const Group *group);

// Number of selected points (slots) before `point`; `selected`, if not NULL, receives whether the point itself is
// stored.
uint64_t group_slot(const Group *group, uint64_t point, bool *selected);

// The step after which sample k of a point is taken, and how many samples the point has. A sample at a time is taken
// after the first step whose end reaches it.
uint64_t group_sample_step(const Group *group, uint64_t point, size_t k);
size_t   group_samples(const Group *group, uint64_t point);

// The time of sample k in the sweep's precision, of a trajectory with times.
double group_sample_time(const Group *group, size_t k);

// Bytes of one number of a type.
size_t group_type_bytes(VariableType type);

// The axis of that name, or NULL.
const Axis *group_axis(const Group *group, const char *name);

// The variable of that name, or NULL.
const Variable *group_variable_named(const Group *group, const char *name);

// The variable of that source, or NULL.
const Variable *group_variable(const Group *group, VariableSource source);

// Whether the kernel has to keep something for a variable.
bool variable_records(const Group *group, const Variable *variable, Record record);

// Whether it has to for any variable of the group.
bool group_records(const Group *group, Record record);

// Whether a metric applies to the group: one that needs Newton's method does not where the method is explicit.
bool variable_applies(const Group *group, const Variable *variable);

// Whether `metrics:` of a group may list a result by its name alone: the problem provides all that it needs, no axis
// has its name, and every parameter of the metric has a default.
bool variable_may_list(const Group *group, const Card *card, const CardResult *result);
