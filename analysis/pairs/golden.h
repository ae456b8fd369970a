// golden -- golden section: an interval around an extremum, with two inner points of which a round needs one anew.
#pragma once

#define GOLDEN_PART 0.6180339887498949

// A place where a function was computed.
typedef struct GoldenNode {
    double q, f;
} GoldenNode;

typedef struct Golden {
    double     low, high;
    GoldenNode inner[2];  // ascending; the caller computes f
} Golden;

static inline Golden golden_begin(double low, double high)
{
    const double part = GOLDEN_PART * (high - low);
    return (Golden){low, high, {{high - part, 0.0}, {low + part, 0.0}}};
}

// The inner point with the larger sign * f.
static inline const GoldenNode *golden_best(const Golden *g, double sign)
{
    return &g->inner[sign * g->inner[0].f > sign * g->inner[1].f ? 0 : 1];
}

// Drops the part of the interval beyond the other one. Returns the inner point whose f is to be computed. Where f is
// not defined the comparison sends the search elsewhere.
static inline GoldenNode *golden_narrow(Golden *g, double sign)
{
    if (golden_best(g, sign) == &g->inner[0]) {
        g->high = g->inner[1].q;
        g->inner[1] = g->inner[0];
        g->inner[0].q = g->high - GOLDEN_PART * (g->high - g->low);
        return &g->inner[0];
    }
    g->low = g->inner[0].q;
    g->inner[0] = g->inner[1];
    g->inner[1].q = g->low + GOLDEN_PART * (g->high - g->low);
    return &g->inner[1];
}
