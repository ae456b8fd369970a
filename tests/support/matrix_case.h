// matrix_case -- methods under test at settings made from their cards, and the matrices that their kernels have there.
#pragma once

#include "analysis/linear/spectrum.h"
#include "support/kernel_case.h"

enum {
    MOST_SETTINGS = 1 + 2 * THEORY_PARAMETERS,
    ZETAS = 2,
    OMEGAS = 7,
    MOST_MATRICES = MOST_SETTINGS * OMEGAS * ZETAS
};

extern const double matrix_omegas[OMEGAS], matrix_zetas[ZETAS];

// A method under test: the catalog's card, theory's row, and values of the parameters.
typedef struct Tested {
    Device       *device;
    const Card   *card;
    const Theory *theory;
    double        settings[MOST_SETTINGS][THEORY_PARAMETERS];
    size_t        setting_count;
} Tested;

// The defaults, and each parameter at either end of its range.
Tested make_tested(Device *device, const Card *card);

Probe *make_probe(const Tested *tested, const Catalog *catalog, JacobianRule jacobian, int lanes);

// Matrices [setting][omega][zeta], and the number of one.
void   probe_all(const Tested *tested, Probe *probe, Matrix matrices[MOST_MATRICES]);
size_t matrix_number(size_t setting, size_t omega, size_t zeta);

// max |a_ij|
double largest_of(Matrix m);

// r_m or r_k, which at omega = 1 both damp with the rate of 2 zeta.
bool is_rayleigh(const CardParameter *parameter);
