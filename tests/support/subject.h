// subject -- a problem under test, as the reference has it, with parameters and a state.
#pragma once

#include "catalog/catalog.h"
#include "reference/problem.h"

#include "support/test.h"

enum { MOST_PARAMETERS = 24, TRIALS = 20 };

// A problem with parameters and a state.
typedef struct Subject {
    const ReferenceProblem *problem;
    const Card             *card;
    uint64_t                seed;
    double                  values[MOST_PARAMETERS];
    max_align_t             params[24];
    double                  t, x[REFERENCE_DOFS], v[REFERENCE_DOFS];
    double                  reach;  // over which the problem's functions change: differences take a share of it
} Subject;

// The subject of a problem, or of the name's first; its numbers are not drawn yet.
Subject subject_of(const ReferenceProblem *problem);
Subject subject_named(const char *name);

// The next number of a sequence, between low and high.
double subject_uniform(uint64_t *seed, double low, double high);

bool subject_is(const Subject *subject, const char *name);

// The value of a parameter, to be set by subject_set(); NULL: the problem has none of that name.
double *subject_value(Subject *subject, const char *name);
void    subject_set(Subject *subject, const char *name, double value);

// Draws parameters and state. The first trial, 0, has the defaults.
void subject_draw(Subject *subject, int trial);

// Demands that a value is as expected, and prints the subject where it is not.
//   what, i  in the message: the quantity and its row
void subject_close(const Subject *subject, const char *what, size_t i, double value, double expected, double bound);

// Numbers that depend on the state; only an acceleration has rows.
double subject_acceleration(const Subject *subject, size_t row);
double subject_energy(const Subject *subject, size_t row);
double subject_potential(const Subject *subject, size_t row);
double subject_dissipation(const Subject *subject, size_t row);
void   subject_drive(const Subject *subject, double *force);
