// closed_forms -- what papers say of methods in linear theory: radius at infinity, limit of stability, low frequencies.
//
// They share nothing with the equations on the cards. Parameters are in the order of a card; one with a unit of time
// counts in units of omega, as in analysis/linear/theory.h.
#pragma once

#include "analysis/linear/theory.h"

// Parameters of a method of which the first has a value, and the equations give the others.
#define FIRST_ALONE(value) ((const double[]){(value), (double)NAN, (double)NAN, (double)NAN, (double)NAN})

typedef struct ClosedForms {
    const char *method;
    // NULL where the card says nothing; NaN where no closed form is known. The limit is the Omega up to which the
    // spectral radius is at most 1, INFINITY without one.
    double (*radius)(double zeta, const double *p);
    double (*limit)(double zeta, const double *p);
    LowFrequency (*low)(const double *p);
} ClosedForms;

extern const ClosedForms closed_forms[];
extern const size_t      closed_form_count;

// The row of a method; a test fails where there is none.
const ClosedForms *closed_forms_of(const char *method);

// Theory of a method of the catalog, from its card's equations; a test fails where it has none. It stays to the end of
// the program.
const Theory *theory_of(const Card *method);

// The same by its name.
const Theory *theory_named(const char *method);
