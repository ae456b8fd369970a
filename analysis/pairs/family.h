// family -- a method with one parameter left free.
//
// Of a method with one parameter that one is free. Of others all but one are fixed by the caller. Without that, the
// newmark family leaves gamma free and ties beta = (gamma + 1/2)^2/4, for which the dissipation at high frequencies is
// largest among the unconditionally stable (Hughes 1987, section 9.1).
#pragma once

#include "analysis/linear/setting.h"
#include "analysis/linear/theory.h"

typedef struct Family {
    const Card   *method;       // borrowed
    const Theory *theory;       // NULL: an adaptive method, whose step is not a matrix
    double       *parameters;   // [parameter_count of the card] the fixed ones; see family_at()
    size_t        free;         // index of the free one
    size_t        tied;         // index of beta, which follows gamma; SIZE_MAX: nothing is tied
    double        least, most;  // where the free one is looked for; within the card's range
} Family;

// Finds a method and leaves one of its parameters free.
//   settings  [setting_count] fix parameters; settings that the method has are marked as used
//   arena     owns the family's arrays
// Errors: ERROR_USAGE (unknown method; no parameter left free, or more than one; a value out of range),
// ERROR_INTERNAL.
bool family_make(const Catalog *catalog, const char *method, Setting *settings, size_t setting_count, Arena *arena,
                 Family *family, Error *err);

// Sets the range that is looked at, least < most. Errors: ERROR_USAGE (beyond the card's range).
bool family_narrow(Family *family, double least, double most, Error *err);

// The parameters where the free one has a value.
//   parameters  [parameter_count of the card] written, in its order
void family_at(const Family *family, double value, double *parameters);

// The free parameter's card.
const CardParameter *family_parameter(const Family *family);
