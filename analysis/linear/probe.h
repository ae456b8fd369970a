// probe -- amplification matrices measured on a method's own kernel.
//
// Every point of a launch is an oscillator with omega = 1, so that its step is Omega, and takes one step from a unit
// state; the states after that step are the columns of the matrix. The kernel is the one that sweeps run, parameters
// are data of it: one build serves any Omega, zeta and parameter values.
#pragma once

#include "analysis/linear/matrix.h"
#include "device/device.h"

typedef struct Probe Probe;

typedef struct ProbeOptions {
    int           lanes;     // as in device_build()
    JacobianRule  jacobian;  // of implicit methods
    const double *choices;   // values for the parameters that are choices, in the card's order; NAN for those that
                             // points leave out; others are not read. NULL: the defaults, and no derived parameter
} ProbeOptions;

// An oscillator.
typedef struct ProbePoint {
    double        omega_h, zeta;  // > 0, >= 0
    const double *parameters;     // [parameter_count of the card], within their ranges; choices, and the parameters
                                  // that are left out, as at probe_make()
} ProbePoint;

// Builds a method's kernel for probing.
//   device, catalog, method  borrowed; must outlive the probe. An adaptive method has no matrix: it must not be one
//   probe                    written; release with probe_free()
// Errors: ERROR_INPUT (the method needs a function that the oscillator does not provide, or keeps more vectors than a
// Matrix holds), those of engine_make(), ERROR_INTERNAL.
bool probe_make(Device *device, const Catalog *catalog, const Card *method, const ProbeOptions *options, Probe **probe,
                Error *err);
void probe_free(Probe *probe);

// The rule that makes a probe exact, but for rounding: a method that solves once has the error of its Jacobian in the
// step, others iterate it away.
JacobianRule probe_rule(const Card *method);

// Components of the method's state: x, v, its own vectors, and x and v one step back.
size_t probe_size(const Card *method);

// Reads the matrices, scaled, of any number of points.
//   matrices  [count] written
// Errors: those of program_probe().
bool probe_matrices(Probe *probe, const ProbePoint *points, size_t count, Matrix *matrices, Error *err);
