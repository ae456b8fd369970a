// derivatives -- the parameters and initial values by which a sweep asks for derivatives of its results.
//
//     derivatives: [eps, x0, v_theta]
//
// A name is a parameter of the problem that is a number, or a coordinate or a velocity, which stands for its value
// where the motion begins. kernels/tangent.h says what a derivative is, and how a kernel finds it.
#pragma once

#include "plan/plan_make.h"

enum { DERIVATIVES_MOST = 32 };

// Whether the sweep asks for derivatives at all.
bool derivatives_asked(const Plan *plan);

// Whether the list in the sweep file has a name, and its place there: the number of the tangent. The list need not have
// been checked.
bool derivatives_name(const Plan *plan, const char *name, size_t *place);

// Reads the list for a group whose method, parameters and coordinates are known.
// Errors: ERROR_INPUT (no list, an unknown name, a method or a problem whose derivatives are not known),
// ERROR_INTERNAL.
bool derivatives_make(Plan *plan, Group *group, Error *err);

// Finds how many deviations the group's metrics ask for. Errors: ERROR_INPUT (more than the state has numbers; a method
// or a problem whose derivatives are not known; derivatives beside them).
bool derivatives_find_deviations(const Plan *plan, Group *group, Error *err);

// Adds the derivatives of the metrics that have them (group_has_tangents()), and of x_final and v_final, where the
// group has them. There is room: for each result and each name one more. Errors: ERROR_INPUT (none of the results has
// derivatives; a name is taken), ERROR_INTERNAL.
bool derivatives_add(Plan *plan, Group *group, Error *err);

// Gives a variable that is the derivative of another one by a name its own name, OF_d_BY, its meaning and its unit.
//   of        the other's name
//   variable  has the other's unit
// Errors: ERROR_INTERNAL (memory).
bool derivatives_describe(Plan *plan, const char *of, const Tangent *by, Variable *variable, Error *err);

// Whether the reference computes a variable and conform certifies it: it is no derivative, or one of a final state.
bool derivatives_walked(const Variable *variable);
