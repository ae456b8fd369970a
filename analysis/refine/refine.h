// refine -- boundaries in the grids of a sweep: where points cease to be ok, change their status, or a metric crosses
// values.
//
// The grid of a group is where it begins. Its axes of the form `linear` or `log` are halved, at most CELLS_AXES of
// them, or the axes that are asked for; each combination of the other axes' values is a chart of its own. The points
// that all charts of a group want next are run together.
#pragma once

#include "analysis/refine/cells.h"
#include "base/outputs.h"
#include "engine/engine.h"
#include "engine/notice.h"
#include "terminal/coordinates.h"
#include "terminal/table.h"

#include <assert.h>

// The meaning of the classes of points.
typedef enum RefineWhat {
    REFINE_OK,      // ok, failed
    REFINE_STATUS,  // each status
    REFINE_METRIC   // below the first level, between two, above the last; failed, without a number
} RefineWhat;

enum { REFINE_LEVELS = 5 };

// The most classes there are.
enum { REFINE_CLASSES = REFINE_LEVELS + 3 };
static_assert(REFINE_CLASSES >= (int)STATUS_COUNT, "statuses are classes");

typedef struct RefineProgress {
    size_t   round;  // of points that are run together, from 1
    uint64_t points, wanted;
    uint64_t steps, wanted_steps;
} RefineProgress;

struct Refinement;

// A point that was run.
typedef struct RefineSeen {
    const struct Refinement *refinement;
    const Results           *results;
    size_t                   point;   // of the results
    const double            *values;  // [axis_count of the group]
    uint8_t class;
} RefineSeen;

typedef struct RefineRequest {
    const char        *path;  // of the sweep, for messages
    RefineWhat         what;
    const char        *metric;  // of REFINE_METRIC: NAME, or NAME[i] of a metric with a number per coordinate
    double             level[REFINE_LEVELS];  // [level_count] ascending
    size_t             level_count;
    const char *const *along;  // [along_count] axes to halve; none: all of the form linear or log
    size_t             along_count;
    // How short a cell must be along an axis: an absolute width; on a logarithmic axis the ratio of its ends, less 1.
    const Coordinates           *widths;
    double                       share;   // of their range: the width of the other axes
    uint64_t                     most;    // points of a group
    Device                      *device;  // NULL: the reference
    Notice                      *notice;  // of the kernels that are compiled; or NULL
    const volatile sig_atomic_t *signals;
    void (*progress)(const RefineProgress *progress, void *user);  // or NULL
    bool (*see)(const RefineSeen *seen, void *user, Error *err);   // or NULL
    void *user;
} RefineRequest;

// An axis that is halved.
typedef struct RefineAxis {
    const Axis *axis;
    size_t      number;  // of the group's axes
    bool        logarithmic;
    unsigned    halvings;
} RefineAxis;

typedef struct RefineChart {
    Cells   cells;
    double *fixed;  // [axis_count of the group] values of the axes that are not halved
} RefineChart;

// The boundary in a group. Release with refine_free(), also after a failure.
typedef struct Refinement {
    const RefineRequest *request;
    const Group         *group;
    RefineAxis           axes[CELLS_AXES];
    size_t               axis_count;
    RefineChart         *charts;  // [chart_count]
    size_t               chart_count;
    const Variable      *variable;  // of REFINE_METRIC
    size_t               component;
    uint64_t             point_count;  // that were run
    size_t               rounds;
    bool                 limited;  // it ended at `most` points
    bool                 stopped;  // a signal ended it
    Arena                arena;
} Refinement;

// Adds the name of a class.
void refine_add_class(const RefineRequest *request, size_t class, Text *text);

// Finds which axes are halved and how often, the charts and the metric.
//   plan, group  borrowed
//   refinement   written
// Errors: ERROR_USAGE (no such axis, metric or axis with a width; one that cannot be halved), ERROR_INPUT (nothing to
// halve, a random design, more than CELLS_AXES axes, too small a width, too many charts), ERROR_INTERNAL.
bool refine_make(const RefineRequest *request, const Group *group, Refinement *refinement, Error *err);

// Runs points until the boundary is known to the width, `most` are reached, or a signal comes.
// Errors: those of engine_make() and engine_run() but for ERROR_STOPPED; ERROR_INPUT (too many cells); those of `see`.
bool refine_run(Refinement *refinement, const Plan *plan, Error *err);

// An axis of the group as it is halved; NULL: it is not.
const RefineAxis *refine_axis(const Refinement *refinement, const Axis *axis);

// The value at a place of the lattice.
double refine_value(const Refinement *refinement, size_t axis, uint32_t at);

// The ends of a cell along an axis.
void refine_ends(const Refinement *refinement, const RefineChart *chart, const Cell *cell, size_t axis, double *low,
                 double *high);

// The part of the chart that a cell covers, on the axes' scales.
double refine_part(const Refinement *refinement, const RefineChart *chart, const Cell *cell);

// Points of a whole grid that is as fine everywhere, all charts together; infinite where they are too many to count.
double refine_grid(const Refinement *refinement);

void refine_free(Refinement *refinement);

// Adds the results of the groups: in text a summary and, along one axis, the intervals; in csv and json a record for
// each cell of the boundary.
//   refinements  [count]
// Errors: ERROR_INTERNAL (memory).
bool refine_print(const Refinement *refinements, size_t count, Format format, Text *text, Error *err);

enum { REFINE_PANELS = 9 };

// Draws the cells of each chart, coloured by the class of their points, of the first REFINE_PANELS charts of the
// groups.
//   refinements  [count]
//   said         lines are added that are to be printed
// Errors: ERROR_USAGE (three axes are halved in the first group), those of figure_draw().
bool refine_plot(const Refinement *refinements, size_t count, const char *title, const char *stem,
                 const Outputs *outputs, Text *said, Error *err);

// The points that were run, as records of CSV: label, every axis of some group, the class, the status, and every metric
// of some group that has one number a point.
typedef struct RefinePoints {
    Text text;
    Text class;  // of the record that is added
    Table table;
    Arena arena;
} RefinePoints;

// Begins the records.
//   groups  [count]
//   points  zeroed; it must stay where it is
// Errors: ERROR_INTERNAL (memory).
bool refine_points_begin(RefinePoints *points, const Group *groups, size_t count, Error *err);
void refine_points_add(RefinePoints *points, const RefineSeen *seen);
void refine_points_free(RefinePoints *points);
