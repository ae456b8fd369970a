// plot_fields -- fields that can be drawn over time: those stored along the trajectories of a result file.
//
// Whatever has a dimension `sample` is a field. Those that the sweep grammar knows have a label and habits of their
// own; any other is drawn under its name.
#pragma once

#include "analysis/plot/plot_kind.h"
#include "plan/field.h"

// One row of panels: a field, or one coordinate of it.
typedef struct PlotField {
    const StoreVariable *variable;  // of a group that has it; others have theirs under the same name
    const Field         *known;     // its words and habits; zeroed where the sweep grammar does not know it
    bool                 per_dof;
    size_t               coordinate;  // where per_dof
} PlotField;

typedef struct PlotFields {
    PlotField items[PLOT_ROWS];
    size_t    count;
    size_t    left_out;  // stored, and beyond what there is room for
} PlotFields;

// The first field of a group, or NULL.
const StoreVariable *plot_fields_first(const PlotGroup *group);

// How many dimensions stand before the samples.
size_t plot_fields_rank(const StoreVariable *variable);

// Chooses what the request asks for, or the fields of the file in their order: of coordinates and velocities the first
// three each.
// Errors: ERROR_USAGE (a field that is unknown, or not stored; a coordinate there is none of).
bool plot_fields_choose(const PlotFile *file, const PlotRequest *request, PlotFields *fields, Error *err);

// Adds "x0", or "condition".
void plot_fields_name(Text *text, const PlotField *field);

// Adds "x0", or "condition number", with the unit where it has one.
void plot_fields_label(Text *text, const PlotField *field);
