// tight -- extrapolation of the modified midpoint rule.
#include "reference/tight.h"

#include "reference/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { COLUMNS = 8, EASY = 5 };
static const double accuracy = 1e-13;
static const double grow = 1.6, shrink = 0.5;

typedef struct TightState {
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
} TightState;

// to = from + h * slope, the slope being (along.v, a).
static void move(size_t n, const TightState *from, double h, const TightState *along, const double *a, TightState *to)
{
    for (size_t i = 0; i < n; ++i) {
        to->x[i] = from->x[i] + h * along->v[i];
        to->v[i] = from->v[i] + h * a[i];
    }
}

// Section II.9, eq. 9.13: `parts` (even) midpoint steps over H, smoothed.
static void midpoint(Tight *tight, double t, double H, int parts, const TightState *start, const double *a0,
                     TightState *end)
{
    size_t     n = tight->n;
    double     h = H / parts, a[REFERENCE_DOFS];
    TightState before = *start, now, after;
    move(n, start, h, start, a0, &now);
    for (int i = 1; i < parts; ++i) {
        tight->acceleration(t + i * h, now.x, now.v, tight->params, a);
        move(n, &before, 2.0 * h, &now, a, &after);
        before = now;
        now = after;
    }
    tight->acceleration(t + H, now.x, now.v, tight->params, a);
    tight->evaluations += (uint64_t)parts;
    for (size_t i = 0; i < n; ++i) {
        end->x[i] = 0.5 * (now.x[i] + before.x[i] + h * now.v[i]);
        end->v[i] = 0.5 * (now.v[i] + before.v[i] + h * a[i]);
    }
}

// Column j of row k from the columns before it (Aitken and Neville, even powers).
static void extrapolate(size_t n, int k, int j, TightState row[COLUMNS], const TightState *left,
                        const TightState *above)
{
    double ratio = (double)(k + 1) / (double)(k + 1 - j), weight = 1.0 / (ratio * ratio - 1.0);
    for (size_t i = 0; i < n; ++i) {
        row[j].x[i] = left->x[i] + weight * (left->x[i] - above->x[i]);
        row[j].v[i] = left->v[i] + weight * (left->v[i] - above->v[i]);
    }
}

// Whether two approximations after a step of length H agree. A velocity cannot be known better than the rounding of the
// position lets it: over one period of the fastest mode, by u |x|/H.
static bool agree(size_t n, double H, const TightState *a, const TightState *b)
{
    double dx = 0.0, dv = 0.0;
    for (size_t i = 0; i < n; ++i) {
        dx = fmax(dx, fabs(a->x[i] - b->x[i]));
        dv = fmax(dv, fabs(a->v[i] - b->v[i]));
    }
    double size_x = eigen_inf_norm(n, a->x), size_v = eigen_inf_norm(n, a->v);
    return dx <= accuracy * fmax(1.0, size_x) &&
           dv <= accuracy * fmax(1.0, size_v) + 8.0 * DBL_EPSILON * size_x / fabs(H);
}

// Tries a step; the number of columns it took, 0 where they did not agree.
static int attempt(Tight *tight, double t, double H, const TightState *start, const double *a0, TightState *end)
{
    TightState last[COLUMNS], row[COLUMNS];
    for (int k = 0; k < COLUMNS; ++k) {
        midpoint(tight, t, H, 2 * (k + 1), start, a0, &row[0]);
        for (int j = 1; j <= k; ++j)
            extrapolate(tight->n, k, j, row, &row[j - 1], &last[j - 1]);
        if (!eigen_all_finite(tight->n, row[k].x) || !eigen_all_finite(tight->n, row[k].v))
            return 0;
        if (k > 0 && agree(tight->n, H, &row[k], &row[k - 1])) {
            *end = row[k];
            return k + 1;
        }
        memcpy(last, row, sizeof last);
    }
    return 0;
}

bool tight_advance(Tight *tight, double t, double to, double *x, double *v)
{
    size_t     bytes = tight->n * sizeof *x;
    double     a[REFERENCE_DOFS];
    TightState now, next;
    memcpy(now.x, x, bytes);
    memcpy(now.v, v, bytes);
    if (tight->step == 0.0)
        tight->step = to - t;
    while (t < to) {
        bool   last = tight->step >= to - t;
        double H = last ? to - t : tight->step;
        if (tight->evaluations >= tight->most || t + H == t)
            return false;
        tight->acceleration(t, now.x, now.v, tight->params, a);
        ++tight->evaluations;
        int columns = attempt(tight, t, H, &now, a, &next);
        if (columns == 0) {
            tight->step = shrink * H;
            continue;
        }
        if (columns <= EASY)
            tight->step = fmax(tight->step, grow * H);
        now = next;
        t = last ? to : t + H;
    }
    memcpy(x, now.x, bytes);
    memcpy(v, now.v, bytes);
    return true;
}
