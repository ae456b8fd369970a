// draw -- what random numbers of a design are drawn for.
#pragma once

#include <stdint.h>

// The upper half of a counter holds this and a factor.
typedef enum Draw { DRAW_VALUE, DRAW_STRATUM, DRAW_LEVEL, DRAW_ORDER, DRAW_EXCHANGE } Draw;

static inline uint64_t draw_for(Draw draw, uint64_t which)
{
    return (uint64_t)draw << 32 | which;
}
