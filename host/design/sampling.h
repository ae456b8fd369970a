// sampling -- random designs: the values of the factors at any point, from the point's number alone.
//
// A factor is a quantity with a distribution. A design is a list of points; each has a value of every factor. Nothing
// is kept of a point: its values are functions of the seed and of its number, so that batches, shards and devices may
// take points in any order. Two designs keep a small table, since they are optimised: `lhs` and `morris`.
//
// Points of one base sample stand together, in the order of their roles:
//
//   random, lhs, sobol   one point a sample
//   saltelli             A, B, AB_1 .. AB_g, and with second order BA_1 .. BA_g
//   morris               the start of a trajectory, then a point for each group of factors that moves
//   one_at_a_time        a sample alone: the centre, then each group at each of its levels
//   local                a sample alone: the centre, then each group two ways at each step
//
// g is the number of groups: factors that change together. Without groups each factor is one of its own.
#pragma once

#include "base/arena.h"
#include "design/distribution.h"

#include <stdint.h>

typedef enum SamplingKind {
    SAMPLING_RANDOM,    // independent pseudo-random points
    SAMPLING_LHS,       // Latin hypercube (McKay, Beckman and Conover 1979)
    SAMPLING_SOBOL,     // Sobol' sequence, scrambled by Owen's method unless that is switched off
    SAMPLING_SALTELLI,  // matrices A, B, AB_i and BA_i (Saltelli 2002; Saltelli et al. 2010) on Sobol' points: nets
                        // that are scrambled by themselves, and whose dimensions the seed draws
    SAMPLING_MORRIS,    // trajectories on a grid of levels (Morris 1991)
    SAMPLING_ONE_AT_A_TIME,  // the centre, and each factor at levels of its own
    SAMPLING_LOCAL,          // central differences about the centre, at several steps
    SAMPLING_COUNT
} SamplingKind;

extern const char *const sampling_names[SAMPLING_COUNT];  // "random", ...

enum {
    SAMPLING_FACTORS = 256,       // most factors; of saltelli's, whose matrices take two dimensions each, too
    SAMPLING_LHS_MOST = 4096,     // points of an optimised Latin hypercube
    SAMPLING_EXCHANGES = 100000,  // that are tried to optimise it
    SAMPLING_MORRIS_MOST = 2000,  // candidates of optimised trajectories
    SAMPLING_LEVELS = 1024,
    SAMPLING_HALVINGS = 20,
    SAMPLING_NETS = 64  // most nets of saltelli
};

// Zero-initialise it, fill in the design, call sampling_make().
typedef struct Sampling {
    SamplingKind        kind;
    uint64_t            samples;  // base samples or trajectories; 1 of one_at_a_time and local
    uint64_t            seed;
    bool                second_order;  // saltelli
    unsigned            nets;          // saltelli: sample k is one of net k mod nets; 0: one net
    bool                plain;         // sobol: not scrambled
    uint64_t            optimise;  // lhs: exchanges that are tried; morris: candidates, of which `samples` are taken
    unsigned            levels;    // morris: even; one_at_a_time
    double              step;      // local: the first, a fraction of the distance between a factor's quartiles
    unsigned            halvings;  // local: further steps, each half of the one before
    const Distribution *factors;   // [factor_count]; borrowed
    size_t              factor_count;
    const size_t       *group_of;     // [factor_count] in 0..group_count - 1; borrowed
    size_t              group_count;  // as many as factors where group_of is NULL
    const char *const  *group_names;  // [group_count], or NULL: the factors' names; borrowed
    const double       *correlation;  // [factor_count][factor_count] of the normal copula, or NULL; borrowed

    // Made by sampling_make(), in its arena.
    uint64_t      point_count;
    size_t        roles;               // points of a base sample
    const double *mixing;              // [factor_count][factor_count] lower factor of the correlation
    const uint32_t (*directions)[32];  // of Sobol' dimensions, of each net
    const uint32_t *table;             // lhs: [factor_count][samples] strata; morris: [samples] trajectories
} Sampling;

// Why a design cannot be; NULL where it can. Static text. The distributions are taken as checked.
const char *sampling_refuses(const Sampling *sampling);

// How many points a base sample has: the kind, the groups and the numbers of the kind are filled in.
size_t sampling_count_roles(const Sampling *sampling);

// The group that a factor is in.
static inline size_t sampling_group(const Sampling *sampling, size_t factor)
{
    return sampling->group_of ? sampling->group_of[factor] : factor;
}

// Makes the tables that the design needs for its points.
//   sampling  its first part filled in and not refused
//   arena     owns the tables
// Errors: ERROR_INPUT (correlations that no distribution has, more than 2^40 points), ERROR_INTERNAL.
bool sampling_make(Sampling *sampling, Arena *arena, Error *err);

// The value of a factor at a point.
double sampling_value(const Sampling *sampling, size_t factor, uint64_t point);

// The probability below that value; of local below the centre.
double sampling_share(const Sampling *sampling, size_t factor, uint64_t point);

// The base sample or trajectory of a point.
uint64_t sampling_sample(const Sampling *sampling, uint64_t point);

// The role of a point in its base sample:
//   saltelli                         0 A, 1 B, 2 + i AB_i, 2 + g + i BA_i
//   morris, one_at_a_time and local  0 the start or the centre, else the group that was moved: 1 + i upwards, -(1 + i)
//                                    downwards; the first factor of a group counts
//   others                           0
int sampling_role(const Sampling *sampling, uint64_t point);

// How far a point of morris or local is moved, in units of its scale: morris in probability, Delta = p / (2 (p - 1));
// local in the factor's own unit.
double sampling_move(const Sampling *sampling, size_t factor, uint64_t point);
