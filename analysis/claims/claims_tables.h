// claims_tables -- the rows, by document and, where there are many, by subject.
#pragma once

#include "analysis/claims/claims.h"

extern const ClaimTable claims_wu_newton;   // Wu 2018: problems 1 and 2, Newton's method, orders and substeps
extern const ClaimTable claims_wu_damping;  // numerical damping and pairs of parameters
extern const ClaimTable claims_wu_counts;   // problems 3 and 4: updates
extern const ClaimTable claims_wu_stiff;    // condition numbers, the fast mode, equations
extern const ClaimTable claims_wu_seen;     // problems 3 and 4 by eye, tables 1 and 2
extern const ClaimTable claims_fang;        // Fang 2018
extern const ClaimTable claims_sofa;        // Degletagne 2015
extern const ClaimTable claims_note;        // the note on the implicit midpoint method
extern const ClaimTable claims_chern;       // Chern 2024
