// philox -- counter-based random numbers, Philox 4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As
// Easy as 1, 2, 3" (SC11, 2011), section 3.4.
//
// A number is a function of a key and a counter and of nothing before it: the numbers of a point are made from its
// index, in any order, by any thread, without a state.
#pragma once

#include <stdint.h>

typedef struct Philox {
    uint32_t word[4];
} Philox;

// The four words of a counter under a key: ten rounds.
static inline Philox philox(uint64_t key, uint64_t counter_low, uint64_t counter_high)
{
    const uint32_t multiplier[2] = {UINT32_C(0xD2511F53), UINT32_C(0xCD9E8D57)};
    const uint32_t weyl[2] = {UINT32_C(0x9E3779B9), UINT32_C(0xBB67AE85)};
    uint32_t       k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
    Philox         c = {
                {(uint32_t)counter_low, (uint32_t)(counter_low >> 32), (uint32_t)counter_high, (uint32_t)(counter_high >> 32)}};
    for (int round = 0; round < 10; ++round) {
        const uint64_t first = (uint64_t)multiplier[0] * c.word[0], second = (uint64_t)multiplier[1] * c.word[2];
        c = (Philox){{(uint32_t)(second >> 32) ^ c.word[1] ^ k[0], (uint32_t)second,
                      (uint32_t)(first >> 32) ^ c.word[3] ^ k[1], (uint32_t)first}};
        k[0] += weyl[0];
        k[1] += weyl[1];
    }
    return c;
}

// The first 64 bits of a counter's words.
static inline uint64_t philox_bits(uint64_t key, uint64_t counter_low, uint64_t counter_high)
{
    const Philox c = philox(key, counter_low, counter_high);
    return (uint64_t)c.word[1] << 32 | c.word[0];
}

// A number in (0, 1) from 64 random bits: the middle of one of 2^52 equal parts, so that 0 and 1 do not occur.
static inline double philox_unit(uint64_t bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

// A whole number in [0, count), 0 < count <= 2^32, from 32 random bits: the larger half of the product. Each value has
// the same probability to within a relative count / 2^32.
static inline uint32_t philox_below(uint32_t bits, uint64_t count)
{
    return (uint32_t)((uint64_t)bits * count >> 32);
}
