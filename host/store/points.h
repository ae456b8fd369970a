// points -- points of a group in a result file: axes, statuses, and metrics a slab at a time.
//
// A group may hold more points than memory: nothing here reads a whole variable but for axes.
#pragma once

#include "plan/plan.h"
#include "store/store_read.h"

enum { POINTS_AXES = 256 };  // at most

// Axes and dimensions are the plan's, as far as the file says them; texts are borrowed from the file. The values of an
// axis are NULL where it is a factor of a random design, and not read.
typedef Axis PointsAxis;
typedef Dim  PointsDim;

// Made by points_open(), which owns the axes. Dimension i is that of every metric.
typedef struct Points {
    const StoreFile     *file;    // borrowed
    const StoreGroup    *group;   // borrowed
    const StoreVariable *status;  // borrowed; variables behind it are computed, variables before it are axes
    PointsAxis          *axes;    // [axis_count]
    size_t               axis_count;
    PointsDim           *dims;  // [dim_count]
    size_t               dim_count;
    uint64_t             count;
    double               step, steps, end;  // where no axis gives them; NaN where the file has none
    double               begin;             // likewise; 0 where motions begin at t = 0
    const char          *begins_at;         // the parameter that it is; NULL: none
    Arena                arena;
} Points;

// Reads the axes of a group.
//   points  written; zeroed on failure; release with points_close()
// Errors: ERROR_INPUT (no status, an axis without values), ERROR_INTERNAL.
bool points_open(const StoreFile *file, const StoreGroup *group, Points *points, Error *err);
void points_close(Points *points);

// The same, but the factors of a random design have no values: there may be too many. points_read_axis() has them.
bool points_open_design(const StoreFile *file, const StoreGroup *group, Points *points, Error *err);

// Reads values[count] of an axis from index `first` of its dimension on. Errors: ERROR_INPUT.
bool points_read_axis(const Points *points, const PointsAxis *axis, uint64_t first, size_t count, double *values,
                      Error *err);

// Whether a variable has one number per point.
bool points_is_metric(const Points *points, const StoreVariable *variable);

// The names of the metrics, at most `most`; returns how many.
size_t points_metrics(const Points *points, const char **names, size_t most);

// How many numbers a variable has per point: 1 of a metric, or one per degree of freedom; 0 of other variables.
size_t points_width(const Points *points, const StoreVariable *variable);

// Whether a variable has a sample dimension.
bool points_is_trajectory(const StoreVariable *variable);

// Index of a point along a dimension.
size_t points_index(const Points *points, size_t dim, uint64_t point);

// The value of a point on an axis.
double points_axis_value(const Points *points, size_t axis, uint64_t point);

// The time at which a point begins.
double points_begin(const Points *points, uint64_t point);

// Number of steps of a point; NaN where the file does not have it.
double points_steps(const Points *points, uint64_t point);

// Tells `see` the numbers of some metrics for all points, a slab of consecutive points at a time.
//   variables  [variable_count <= POINTS_METRICS] metrics of the group
//   see        called with the slab's first point, its number of points, and for each variable numbers[i][count]
// Errors: ERROR_INPUT, ERROR_INTERNAL.
enum { POINTS_METRICS = 8 };
typedef void PointsSee(uint64_t first, size_t count, double *const *numbers, void *user);
bool points_scan(const Points *points, const StoreVariable *const *variables, size_t variable_count, PointsSee *see,
                 void *user, Error *err);

// Finds a variable with a number per point by the name of a metric, or of a component of a metric with one per degree
// of freedom, see store_read_address().
//   component  written: SIZE_MAX of a metric
// NULL where there is none.
const StoreVariable *points_find(const Points *points, const char *name, size_t *component);

// As points_scan(), of components.
//   components  [variable_count] as points_find() gives them; NULL: of metrics
bool points_scan_components(const Points *points, const StoreVariable *const *variables, const size_t *components,
                            size_t variable_count, PointsSee *see, void *user, Error *err);

// The same of the status and of one component of a variable with one number per degree of freedom, or of a metric.
//   component  below points_width()
bool points_scan_component(const Points *points, const StoreVariable *variable, size_t component, PointsSee *see,
                           void *user, Error *err);

// Shows all numbers of variables, a slab of consecutive points at a time.
//   variables  [variable_count], of which points_width() is not 0
//   show       called with the slab's first point, its number of points, and for each variable numbers[i][count][width]
// Errors: ERROR_INPUT, ERROR_INTERNAL, those of show.
typedef bool PointsShow(uint64_t first, size_t count, double *const *numbers, void *user, Error *err);
bool points_read(const Points *points, const StoreVariable *const *variables, size_t variable_count, PointsShow *show,
                 void *user, Error *err);

// Counts the points of each status, and behind them the points whose status does not exist. Errors: as points_scan().
enum { POINTS_UNKNOWN = STATUS_COUNT, POINTS_COUNTS };
bool points_count(const Points *points, uint64_t counts[POINTS_COUNTS], Error *err);
