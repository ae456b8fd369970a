// lhs -- strata of Latin hypercubes: a permutation without a table, and one that is made more even.
#include "base/philox.h"
#include "design/draw.h"

#include <math.h>
#include <stdlib.h>

static unsigned bits_below(uint64_t count)
{
    unsigned bits = 1;
    while (bits < 64 && count > UINT64_C(1) << bits)
        ++bits;
    return bits;
}

uint64_t lhs_stratum(const Sampling *sampling, size_t factor, uint64_t point)
{
    const unsigned bits = bits_below(sampling->samples), low = bits / 2, high = bits - low;
    // Halves of few bits mix slowly: after four rounds the pairs of strata of 7 points differ by 15 % in frequency.
    const uint64_t rounds = bits < 8 ? 8 : 4;
    const uint64_t low_mask = (UINT64_C(1) << low) - 1, high_mask = (UINT64_C(1) << high) - 1;
    uint64_t       at = point;
    do {
        uint64_t right = at & low_mask, left = at >> low;
        for (uint64_t round = 0; round < rounds; ++round) {
            const uint64_t counter = draw_for(DRAW_STRATUM, factor);
            left ^= philox_bits(sampling->seed, right << 4 | 2 * round, counter) & high_mask;
            right ^= philox_bits(sampling->seed, left << 4 | (2 * round + 1), counter) & low_mask;
        }
        at = left << low | right;
    } while (at >= sampling->samples);
    return at;
}

// The sample as the discrepancy sees it, each point in the middle of its stratum, measured from the centre.
typedef struct Square {
    size_t  n, d;
    double *z;  // [n][d] in (-1/2, 1/2)
} Square;

// The terms of a point in the squared centred discrepancy (Hickernell 1998, eq. 5.1a): products with other points count
// twice, and the constant is left out.
static double point_share(const Square *square, size_t i)
{
    const double *z = square->z, n = (double)square->n;
    const size_t  d = square->d;
    double        single = 1.0, own = 1.0, pairs = 0.0;
    for (size_t k = 0; k < d; ++k) {
        const double a = fabs(z[i * d + k]);
        single *= 1.0 + 0.5 * a - 0.5 * a * a;
        own *= 1.0 + a;
    }
    for (size_t j = 0; j < square->n; ++j) {
        double product = j == i ? 0.0 : 1.0;
        for (size_t k = 0; k < d && j != i; ++k)
            product *= 1.0 + 0.5 * (fabs(z[i * d + k]) + fabs(z[j * d + k]) - fabs(z[i * d + k] - z[j * d + k]));
        pairs += product;
    }
    return -2.0 / n * single + (own + 2.0 * pairs) / (n * n);
}

// The terms that an exchange of two points changes. Their common product is counted twice, but does not change.
static double share_of_two(const Square *square, size_t i, size_t j)
{
    return point_share(square, i) + point_share(square, j);
}

static void exchange(Square *square, uint32_t *strata, size_t k, size_t i, size_t j)
{
    const double   z = square->z[i * square->d + k];
    const uint32_t stratum = strata[k * square->n + i];
    square->z[i * square->d + k] = square->z[j * square->d + k];
    square->z[j * square->d + k] = z;
    strata[k * square->n + i] = strata[k * square->n + j];
    strata[k * square->n + j] = stratum;
}

bool lhs_optimise(const Sampling *sampling, uint32_t *strata, Error *err)
{
    const size_t n = (size_t)sampling->samples, d = sampling->factor_count;
    Square       square = {.n = n, .d = d, .z = malloc(n * d * sizeof *square.z)};
    if (!square.z)
        return fail(err, ERROR_INTERNAL, "out of memory for a Latin hypercube");
    for (size_t k = 0; k < d; ++k)
        for (size_t i = 0; i < n; ++i) {
            strata[k * n + i] = (uint32_t)lhs_stratum(sampling, k, i);
            square.z[i * d + k] = ((double)strata[k * n + i] + 0.5) / (double)n - 0.5;
        }
    for (uint64_t trial = 0; n > 1 && trial < sampling->optimise; ++trial) {
        const Philox draw = philox(sampling->seed, trial, draw_for(DRAW_EXCHANGE, 0));
        const size_t k = philox_below(draw.word[0], d), i = philox_below(draw.word[1], n);
        const size_t j = (i + 1 + philox_below(draw.word[2], n - 1)) % n;
        const double before = share_of_two(&square, i, j);
        exchange(&square, strata, k, i, j);
        if (share_of_two(&square, i, j) > before)
            exchange(&square, strata, k, i, j);
    }
    free(square.z);
    return true;
}
