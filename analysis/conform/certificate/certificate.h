// certificate -- proof that a kernel's substep satisfies the defining equations of its method.
//
// The kernel's numbers before and after a substep are put into the equations of the papers, in long double. The state
// after it must satisfy the update formulas, to rounding; a solved equation must have a residual below the tolerance,
// or below the floor that rounding leaves, to rounding. Nothing accumulates over steps, so that no point is too
// sensitive to be judged.
#pragma once

#include "analysis/conform/judgement/substep.h"

// Takes the matrices that certificates of n degrees of freedom work in from an arena; NULL on failure.
// Errors: ERROR_INTERNAL.
const SolveMatrix *certificate_matrices(size_t n, Arena *arena, Error *err);

// Judges a substep that the kernel has tried.
//   decided  written: its solves were followed, and no other number of updates is possible
CertificateShare certificate_substep(const CertificateSubstep *substep, bool *decided);

// Judges the state that a point begins with, which is `after` and counts as accepted. h is that of the first step; of a
// two-step method `previous_x` and `previous_v` are its earlier point. Of a method that is not known only x and v are
// judged, and not the vectors that it keeps beside them. Past a break a method begins anew: then `before` is the state
// that the break has set, and the method has no earlier point.
CertificateShare certificate_start(const CertificateSubstep *substep);
