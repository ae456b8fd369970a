// search -- inside of pairs: the state of a search, and its steps.
#pragma once

#include "analysis/pairs/pairs.h"

// One method's number as a function of its free parameter.
typedef struct Side {
    const Family *family;
    Criterion     criterion;
    double        omega_h;
    Trial        *trial;  // of `measured`; else NULL
} Side;

// The state of a search for equivalents; the answers are in `pairs`.
typedef struct Search {
    const PairsRequest *request;
    Pairs              *pairs;
    Side                sides[PAIR_SIDES];
    RootSearch          roots;      // of TO
    double             *targets;    // [count] FROM's numbers
    double              physical;   // the companion's number; 0 where nothing is measured
    const char         *structure;  // why no two of these damp alike unless both damp nothing; NULL
} Search;

// The pair of the oscillation at a value of the free parameter.
Mode search_mode(const Family *family, double value, double omega_h);

// The Omega at which side effects are given, and roots compared.
double search_omega(const Pairs *pairs, int side);

// band.c: in place of roots, the values of TO that minimise the largest |difference of logarithms|, of radius or xi,
// over the band, to about 1e-6 of it.
bool search_band(Pairs *pairs, Error *err);

// effects.c: builds the trials of criterion `measured`, and runs the companion; all effects of the pairs. Where there
// is a device, the problem is run, 1000 steps of 0.05 unless overrides say otherwise. Errors: those of trial_make() and
// trial_run().
bool search_measure(Search *search, Error *err);
bool search_effects(const PairsRequest *request, Pairs *pairs, Error *err);

// The cost of one side's values that are numbers: updates, evaluations and condition_max; and the step and steps of the
// run, which stay as they are where nothing is run.
//   step, steps  as those of a TrialSetting
bool effects_count(const PairsRequest *request, double step, double steps, int side, Pairs *pairs, Error *err);
