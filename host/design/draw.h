// draw -- purposes of the random numbers of a design.
#pragma once

#include <stdint.h>

// The upper half of a counter holds this and a factor.
typedef enum DrawPurpose {
    DRAW_VALUE,
    DRAW_STRATUM,
    DRAW_LEVEL,
    DRAW_ORDER,
    DRAW_EXCHANGE,
    DRAW_DIMENSION
} DrawPurpose;

static inline uint64_t draw_for(DrawPurpose draw, uint64_t which)
{
    return (uint64_t)draw << 32 | which;
}
