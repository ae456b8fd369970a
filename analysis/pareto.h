// pareto -- which points of a result file are dominated by none: no other is as good in all objectives and better in
// one.
//
// Points are compared where they solve the same problem (columns.h), so that there is a front for each combination of
// the problem's parameters; or each decision is judged by all of them, by its median or by its worst. Points that are
// not ok, or of which an objective is no finite number, are on no front. Equal points are on it together.
#pragma once

#include "analysis/columns.h"
#include "analysis/fronts.h"
#include "analysis/objectives.h"

typedef enum ParetoOver { PARETO_EACH, PARETO_MEDIAN, PARETO_WORST } ParetoOver;

// Only points at a value of a column are looked at: at that nearest to `wanted`.
typedef struct ParetoPick {
    const char *name;
    double      wanted;
    double      value;   // written by pareto_open()
    size_t      column;  // likewise
} ParetoPick;

// Borrowed while the Pareto is used.
typedef struct ParetoRequest {
    const char        *path;
    const char        *objectives[OBJECTIVES];   // names, costs first
    size_t             cost_count, error_count;  // 0: updates, or evaluations where a group has no Newton; error_final
    ParetoPick        *picks;                    // [pick_count]
    size_t             pick_count;
    const char *const *labels;  // [label_count] only these groups; none: all
    size_t             label_count;
    ParetoOver         over;
    size_t             sample_most;  // how many points to keep for a picture
} ParetoRequest;

typedef struct ParetoGroup {
    char    *method;  // owned
    Reading  reading;
    uint64_t points;                // that were picked
    uint64_t counts[STATUS_COUNT];  // of those
    uint64_t not_finite;            // ok, but an objective is no finite number
    uint64_t compared;              // points; with PARETO_MEDIAN and PARETO_WORST decisions
    uint64_t infinite, partial;     // decisions that failed too often, and that were not run on every problem
    uint64_t on_front;
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
    const char          *objectives[OBJECTIVES];
    size_t               objective_count;
    uint64_t             negative[OBJECTIVES];  // points at which an objective is below 0
    size_t               problem_count;
    FrontList            front;   // by problem, then by the objectives; problems in the order of their parameters
    FrontSample          sample;  // some of what was compared, all of it where there is little
    uint64_t             compared;
    Text                 notes;  // lines: what was taken by default or by nearness
} Pareto;

// Finds the front.
// Errors: ERROR_USAGE (a metric, a label or a column that is not there, costs that compare unlike with unlike),
// ERROR_IO, ERROR_INPUT, ERROR_INTERNAL.
bool pareto_open(ParetoRequest *request, Pareto *pareto, Error *err);
void pareto_close(Pareto *pareto);

// The value of a column at a point of the front or the sample; NaN where its group has none.
double pareto_value(const Pareto *pareto, size_t column, const FrontPoint *point);

// Whether a column is worth showing: it varies, and is not what was summed up over.
bool pareto_shows(const Pareto *pareto, size_t column);
