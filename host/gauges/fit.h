// fit -- least squares of a line and of a parabola through points at 1, 2, ..., and how far a kernel's are
// off.
//
// Here the coefficients are sums over all points, by polynomials that are orthogonal on them. The kernel adds a point
// at a time to a fit of the points before (damping.cl). That recursion is linear, and after k points a polynomial d
// that rounding has added to it is as if the first k points had been off by d: the fit of so many points is theirs
// alone. So the effect of its roundings is the effect of points that are off on least squares, which never is more than
// that.
#pragma once

#include "gauges/ball.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct GaugeFit {
    Ball        slope;      // of the line, per point
    Ball        bend;       // of the parabola: half its second derivative
    Ball        scatter;    // root of the sum of the squares that the parabola leaves
    long double end_slope;  // the parabola's slope behind the last point, which the kernel keeps
} GaugeFit;

// Of at least four points.
GaugeFit fit_points(Roundoff u, const Ball *points, size_t count);
