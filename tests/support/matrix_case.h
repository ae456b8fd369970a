// matrix_case -- methods under test at settings made from their cards, and the matrices that their kernels have there.
#pragma once

#include "analysis/linear/spectrum.h"
#include "support/closed_forms.h"
#include "support/kernel_case.h"

// No method of the catalog has more parameters.
enum {
    CASE_PARAMETERS = 5,
    MOST_SETTINGS = 1 + 2 * CASE_PARAMETERS,
    ZETAS = 2,
    OMEGAS = 7,
    MOST_MATRICES = MOST_SETTINGS * OMEGAS * ZETAS
};

extern const double matrix_omegas[OMEGAS], matrix_zetas[ZETAS];

// A method under test: the catalog's card, its theory, what papers say of it, and values of the parameters.
typedef struct Tested {
    Device            *device;
    const Card        *card;
    const Theory      *theory;
    const ClosedForms *known;
    double             settings[MOST_SETTINGS][CASE_PARAMETERS];
    size_t             setting_count;
} Tested;

// The defaults, and each parameter at either end of its range, but for those that the equations give by default.
Tested make_tested(Device *device, const Card *card);

Probe *make_probe(const Tested *tested, const Catalog *catalog, JacobianRule jacobian, int lanes);

// Matrices [setting][omega][zeta], and the number of one.
void   probe_all(const Tested *tested, Probe *probe, Matrix matrices[MOST_MATRICES]);
size_t matrix_number(size_t setting, size_t omega, size_t zeta);

// max |a_ij|
double largest_of(Matrix m);

// r_m or r_k, which at omega = 1 both damp with the rate of 2 zeta.
bool is_rayleigh(const CardParameter *parameter);
