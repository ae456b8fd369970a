// sobol -- direction numbers, Gray code, and nested scrambling by counter-based random bits.
#include "design/sobol.h"
#include "base/philox.h"

// Digits that one call of philox() permutes: a tree of 2^7 - 1 nodes, a bit of 128 for each.
enum { TREE_DIGITS = 7 };

static unsigned degree_of(uint32_t polynomial)
{
    unsigned degree = 0;
    while (polynomial >> (degree + 1))
        ++degree;
    return degree;
}

void sobol_find_directions(size_t dimension, uint32_t directions[SOBOL_BITS])
{
    if (dimension == 0) {
        for (unsigned k = 0; k < SOBOL_BITS; ++k)
            directions[k] = UINT32_C(1) << (SOBOL_BITS - 1 - k);
        return;
    }
    const SobolDirections *begin = &sobol_directions[dimension - 1];
    const unsigned         s = degree_of(begin->polynomial);
    for (unsigned k = 0; k < s; ++k)
        directions[k] = (uint32_t)begin->initial[k] << (SOBOL_BITS - 1 - k);
    // Joe and Kuo 2008, eq. 3, for v_k in place of m_k.
    for (unsigned k = s; k < SOBOL_BITS; ++k) {
        directions[k] = directions[k - s] ^ directions[k - s] >> s;
        for (unsigned i = 1; i < s; ++i)
            if (begin->polynomial >> (s - i) & 1)
                directions[k] ^= directions[k - i];
    }
}

uint32_t sobol_coordinate(const uint32_t directions[SOBOL_BITS], uint32_t index)
{
    uint32_t coordinate = 0;
    for (uint32_t gray = index ^ index >> 1, k = 0; gray; gray >>= 1, ++k)
        coordinate ^= gray & 1 ? directions[k] : 0;
    return coordinate;
}

uint64_t sobol_scramble(uint32_t coordinate, uint64_t seed, size_t dimension)
{
    uint64_t scrambled = 0;
    for (unsigned digit = 0; digit < SOBOL_BITS; digit += TREE_DIGITS) {
        // The random bits of the digits' tree belong to the digits before it.
        const uint64_t prefix = (uint64_t)coordinate >> (SOBOL_BITS - digit);
        const Philox   random = philox(seed, prefix, (uint64_t)dimension << 8 | digit);
        unsigned       node = 1;
        for (unsigned i = digit; i < SOBOL_BITS && i < digit + TREE_DIGITS; ++i) {
            const unsigned bit = coordinate >> (SOBOL_BITS - 1 - i) & 1;
            scrambled = scrambled << 1 | (bit ^ (random.word[node / 32] >> node % 32 & 1));
            node = 2 * node + bit;
        }
    }
    return scrambled << 32 | philox(seed, coordinate, (uint64_t)dimension << 8 | SOBOL_BITS).word[0];
}
