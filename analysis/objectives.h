// objectives -- the numbers by which points are compared, all the smaller the better: metrics, their magnitudes, costs.
//
// An objective is called by the name of a metric, or by that of one of two costs that every group can have:
//
//   steps        how many steps were taken
//   evaluations  how often the acceleration was asked for: what implicit and explicit methods have in common
//
// Evaluations come from the counters. Of an implicit method they are its residuals, those of difference Jacobians
// included, and what it asks for before each solve; of an explicit one so many per step or per trial. Objectives of a
// line search, analytic Jacobians and the solution of linear systems are not counted. The counters of an adaptive
// method leave open how many steps it took whole: all that can be are taken to be, at most one trial a step too many.
#pragma once

#include "analysis/points.h"

enum { OBJECTIVES = 4 };

// How the objectives are read off a group. Made by objectives_find().
typedef struct Reading {
    const StoreVariable *variables[POINTS_METRICS];  // [variable_count] what to scan; the status first
    size_t               variable_count;
    size_t               count;
    struct {
        enum { READ_METRIC, READ_STEPS, READ_EXPLICIT, READ_ADAPTIVE, READ_IMPLICIT } kind;
        bool   magnitude;
        size_t counters[3];                           // indices into variables
        double at_start, each, jacobian_evaluations;  // of evaluations
    } how[OBJECTIVES];
} Reading;

// What a group's kernel says of its method.
typedef struct MethodKind {
    bool   implicit, adaptive;
    double jacobian_evaluations;
} MethodKind;

// Reads it off the source that the file carries. Errors: ERROR_INPUT, ERROR_INTERNAL.
bool objectives_kind(const StoreFile *file, const StoreGroup *group, MethodKind *kind, Error *err);

// Evaluations of a built-in method: at the start, and before each solve, per step or per trial. False where unknown.
bool objectives_calls(const char *method, double *at_start, double *each);

// Whether a name is a counter of Newton's method, 0 for every explicit one.
bool objectives_counts_newton(const char *name);

// Finds the objectives in a group.
//   names  [count <= OBJECTIVES]; "abs:NAME" is the magnitude of a metric
// Errors: ERROR_USAGE (the group has none of that name), ERROR_INPUT, ERROR_INTERNAL.
bool objectives_find(const Points *points, const char *method, const char *const *names, size_t count, Reading *reading,
                     Error *err);

// The objectives of a point that is ok.
//   numbers  of the scan, in the order of the reading's variables
//   at       which of them
//   values   written: [count]
void objectives_read(const Reading *reading, const Points *points, uint64_t point, double *const *numbers, size_t at,
                     double *values);
