// criterion -- criteria of damping, computed from the rows of linear theory.
#include "analysis/pairs/pairs.h"

#include <math.h>

const char *const criterion_names[CRITERION_COUNT] = {"low_frequency", "high_frequency", "radius",  "damping_ratio",
                                                      "decay",         "max_decay",      "measured"};

const char *const criterion_about[CRITERION_COUNT] = {
    "coefficient of the damping as Omega -> 0",
    "spectral radius as Omega -> infinity",
    "numerical damping of a step, -ln(radius)",
    "numerical damping ratio, -ln|mu|/|arg mu|",
    "decay per radian of time, -ln(radius)/Omega",
    "largest decay per radian of time over all Omega, max -ln(radius)/Omega",
    "metric measured on the problem",
};

// Where the maximum over Omega is looked for first: below, damping rises with Omega, and above, it falls as ln(Omega).
#define LEAST_OMEGA 1e-2
#define LARGEST_OMEGA 1e4
enum { OMEGAS = 73, GOLDEN_ROUNDS = 60 };

// Maxima on the grid that come this close to the largest are looked at more closely.
#define NEAR_LARGEST 0.95

bool criterion_takes_omega(Criterion criterion)
{
    return criterion == CRITERION_RADIUS || criterion == CRITERION_DAMPING_RATIO || criterion == CRITERION_DECAY;
}

static double decay(const Theory *theory, const double *p, double omega_h)
{
    return -log(matrix_radius(theory_matrix(theory, omega_h, 0.0, p))) / omega_h;
}

// The largest decay seen by golden section between two values of ln Omega.
static double refine(const Theory *theory, const double *p, double low, double high)
{
    Golden g = golden_begin(low, high);
    double most = 0.0;
    for (int k = 0; k < 2; ++k) {
        g.inner[k].f = decay(theory, p, exp(g.inner[k].q));
        most = fmax(most, g.inner[k].f);
    }
    for (int round = 0; round < GOLDEN_ROUNDS; ++round) {
        GoldenNode *node = golden_narrow(&g, 1.0);
        node->f = decay(theory, p, exp(node->q));
        most = fmax(most, node->f);
    }
    return most;
}

static double max_decay(const Theory *theory, const double *p)
{
    const double first = log(LEAST_OMEGA), step = (log(LARGEST_OMEGA) - first) / (OMEGAS - 1);
    double       values[OMEGAS], most = 0.0;
    for (int i = 0; i < OMEGAS; ++i) {
        values[i] = decay(theory, p, exp(first + i * step));
        most = fmax(most, values[i]);
    }
    const double near = NEAR_LARGEST * most;
    for (int i = 1; i + 1 < OMEGAS; ++i)
        if (values[i] > near && values[i] >= values[i - 1] && values[i] >= values[i + 1])
            most = fmax(most, refine(theory, p, first + (i - 1) * step, first + (i + 1) * step));
    return most;
}

double criterion_number(Criterion criterion, const Theory *theory, const double *p, double omega_h)
{
    switch (criterion) {
    case CRITERION_LOW_FREQUENCY: return theory_low(theory, p).coefficient;
    case CRITERION_HIGH_FREQUENCY: return theory->bounded ? theory_radius(theory, 0.0, p) : (double)NAN;
    case CRITERION_RADIUS: return omega_h * decay(theory, p, omega_h);
    case CRITERION_DAMPING_RATIO: return matrix_mode(theory_matrix(theory, omega_h, 0.0, p), omega_h).damping_ratio;
    case CRITERION_DECAY: return decay(theory, p, omega_h);
    case CRITERION_MAX_DECAY: return max_decay(theory, p);
    case CRITERION_MEASURED:
    case CRITERION_COUNT: break;
    }
    return (double)NAN;
}

// An eigenvalue of a matrix of size 1 is off by a few roundoffs.
double criterion_noise(Criterion criterion, double omega_h)
{
    const double roundoff = 8.0 * 0x1p-52;
    switch (criterion) {
    case CRITERION_LOW_FREQUENCY: return 0.0;
    case CRITERION_DAMPING_RATIO:
    case CRITERION_DECAY: return roundoff / fmin(omega_h, 1.0);
    case CRITERION_MAX_DECAY: return roundoff / LEAST_OMEGA;
    case CRITERION_HIGH_FREQUENCY:
    case CRITERION_RADIUS:
    case CRITERION_MEASURED:
    case CRITERION_COUNT: break;
    }
    return roundoff;
}
