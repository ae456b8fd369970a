// pareto -- points of a result file that no other dominates: as good in all objectives and better in one.
//
// Points are compared where they solve the same problem (columns.h), so that there is a front for each combination of
// the problem's parameters; or each decision is judged by all of them, by its median or by its worst. Points that are
// not ok, or of which an objective is not finite, are on no front. Equal points are on it together.
//
// An objective is the name of a metric, the smaller the better; "abs:NAME" is its magnitude. `steps` is how many steps
// were taken, whether or not the file has that metric.
#pragma once

#include "analysis/pareto/columns.h"
#include "analysis/pareto/fronts.h"
#include "terminal/options.h"
#include "terminal/table.h"

typedef enum ParetoOver { PARETO_EACH, PARETO_MEDIAN, PARETO_WORST } ParetoOver;

// Borrowed while the Pareto is used.
typedef struct ParetoRequest {
    const char *path;
    Words       costs, errors;  // at most FRONT_OBJECTIVES in all; none: updates, or evaluations where a group has no
                                // Newton; error_final
    Coordinates at;             // only points at the values nearest to these are looked at
    Words       labels;         // only these groups; none: all
    ParetoOver  over;
    size_t      sample_most;  // how many points to keep for a picture
} ParetoRequest;

typedef struct ParetoGroup {
    char                *method;                            // owned
    bool                 implicit, adaptive;                // the method; one that is not built in counts as implicit
    const StoreVariable *variables[1 + FRONT_OBJECTIVES];   // the status, then the objectives; steps: the status again
    size_t               components[1 + FRONT_OBJECTIVES];  // of them, as points_find() gives them
    uint64_t             points;                            // that were picked
    uint64_t             counts[STATUS_COUNT];              // of the picked points
    uint64_t             not_finite;                        // ok, but an objective is not finite
    uint64_t             compared;                          // points; with PARETO_MEDIAN and PARETO_WORST decisions
    uint64_t             infinite, partial;  // decisions that failed too often, and that were not run on every problem
    uint64_t             on_front;
} ParetoGroup;

// Made by pareto_open(). Zero-initialise it; release with pareto_close(), also after a failure.
typedef struct Pareto {
    const ParetoRequest *request;
    StoreFile            file;
    char                *title;
    Points              *points;  // [group_count]
    ParetoGroup         *groups;  // [group_count]
    size_t               group_count;
    Columns              columns;
    size_t               picked[COORDINATES_MOST];  // columns of the picks, and the values that were nearest
    double               at[COORDINATES_MOST];
    const char          *objectives[FRONT_OBJECTIVES];  // costs first
    size_t               objective_count;
    size_t               problem_count;
    FrontList            front;     // by problem, then by the objectives; problems in the order of their parameters
    FrontList            sample;    // some of the compared points or decisions, all where they are few
    uint64_t             compared;  // points, or decisions
    Text                 notes;     // lines: the values taken by default or by nearness
} Pareto;

// Finds the front.
// Errors: ERROR_USAGE (a metric, a label or a column that is not there, costs that compare unlike with unlike),
// ERROR_IO, ERROR_INPUT, ERROR_INTERNAL.
bool pareto_open(const ParetoRequest *request, Pareto *pareto, Error *err);
void pareto_close(Pareto *pareto);

// Prints it. Columns of csv are label, method, the parameters of the problem that vary, the decisions that do - empty
// where a group has no such parameter -, the objectives, and knee: 1 or 0.
void pareto_print(Text *text, Format format, const Pareto *pareto);

// The metric that an objective is, or is the magnitude of.
const char *pareto_metric(const char *objective);

// Whether a column is worth showing: it varies, and the points are not summed up over it.
bool pareto_shows(const Pareto *pareto, size_t column);

// A column's value at a point of the front or the sample: a word, or NULL and a number, NaN where its group has none.
const char *pareto_value(const Pareto *pareto, size_t column, const FrontPoint *point, double *number);

// The picture is drawn as plot draws: STEM.png and STEM.svg from the script STEM.gp, which stays beside them. A panel
// for each problem: all points compared, a colour for each group, and the front on top. Of more than two objectives the
// first two are drawn, with the front of all.

// The most points that a picture shows beside the front, and the most panels it has.
enum { PARETO_PLOT_POINTS = 6000, PARETO_PLOT_PANELS = 12 };

// Draws the front; adds its files and the counts of points left out to `said`.
//   stem  without an ending; no control characters
// Errors: ERROR_USAGE (too many problems, nothing to draw), those of figure_check_stem() and gnuplot_draw().
bool pareto_plot(const Pareto *pareto, const char *stem, const Outputs *outputs, Text *said, Error *err);
