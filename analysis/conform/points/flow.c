// flow -- extrapolation of modified midpoint rules, with control of its error.
#include "analysis/conform/points/flow.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 8, MOST_PARTS = 1 << 20 };

typedef struct Motion {
    long double x[FLOW_DOFS], v[FLOW_DOFS];
} Motion;

long double flow_norm(const long double *numbers, size_t count)
{
    long double largest = 0.0L;
    for (size_t i = 0; i < count; ++i)
        if (!(fabsl(numbers[i]) <= largest))
            largest = fabsl(numbers[i]);
    return largest;
}

// y + length y', with y' at `slope`.
static Motion along(const Flow *flow, const Motion *y, long double t, const Motion *slope, long double length)
{
    Motion      moved;
    long double a[FLOW_DOFS];
    flow->exact->acceleration(t, slope->x, slope->v, flow->params, a);
    for (size_t i = 0; i < flow->dofs; ++i) {
        moved.x[i] = y->x[i] + length * slope->v[i];
        moved.v[i] = y->v[i] + length * a[i];
    }
    return moved;
}

// The modified midpoint rule of so many substeps, an even number.
static Motion midpoint(const Flow *flow, const Motion *y, long double t, long double length, int substeps)
{
    const long double h = length / substeps;
    Motion            last = *y, now = along(flow, y, t, y, h);
    for (int k = 1; k < substeps; ++k) {
        const Motion next = along(flow, &last, t + k * h, &now, 2.0L * h);
        last = now;
        now = next;
    }
    const Motion ahead = along(flow, &last, t + length, &now, h);
    for (size_t i = 0; i < flow->dofs; ++i) {
        now.x[i] = 0.5L * (now.x[i] + ahead.x[i]);
        now.v[i] = 0.5L * (now.v[i] + ahead.v[i]);
    }
    return now;
}

// Extrapolates to substeps of no length. Returns the largest change that the last column has made, of x and of v.
static Motion extrapolate(const Flow *flow, const Motion *y, long double t, long double length, long double change[2])
{
    Motion row[COLUMNS];
    for (int j = 0; j < COLUMNS; ++j) {
        Motion column = midpoint(flow, y, t, length, 2 * (j + 1));
        change[0] = change[1] = 0.0L;
        for (int k = 1; k <= j; ++k) {
            const long double ratio = (long double)(j + 1) / (long double)(j + 1 - k), per = ratio * ratio - 1.0L;
            Motion            better, by;
            for (size_t i = 0; i < flow->dofs; ++i) {
                by.x[i] = (column.x[i] - row[k - 1].x[i]) / per;
                by.v[i] = (column.v[i] - row[k - 1].v[i]) / per;
                better.x[i] = column.x[i] + by.x[i];
                better.v[i] = column.v[i] + by.v[i];
            }
            change[0] = flow_norm(by.x, flow->dofs);
            change[1] = flow_norm(by.v, flow->dofs);
            row[k - 1] = column;
            column = better;
        }
        row[j] = column;
    }
    return row[COLUMNS - 1];
}

// Moves over the whole of a part, or not at all.
static bool take_part(const Flow *flow, long double t, long double length, Motion *y)
{
    const size_t n = flow->dofs;
    long double  change[2], a[FLOW_DOFS];
    const Motion next = extrapolate(flow, y, t, length, change);
    flow->exact->acceleration(t, y->x, y->v, flow->params, a);
    const long double v = flow_norm(y->v, n) + length * flow_norm(a, n), x = flow_norm(y->x, n) + length * v,
                      off_v = 0.25L * (flow->unit * v + length * flow->rounding),
                      off_x = 0.25L * flow->unit * x + length * off_v;
    if (!(change[0] <= off_x && change[1] <= off_v && isfinite(flow_norm(next.x, n)) && isfinite(flow_norm(next.v, n))))
        return false;
    *y = next;
    return true;
}

bool flow_move(const Flow *flow, long double t, long double length, long double *x, long double *v)
{
    Motion      y;
    long double done = 0.0L, part = length;
    memcpy(y.x, x, flow->dofs * sizeof *x);
    memcpy(y.v, v, flow->dofs * sizeof *v);
    for (int parts = 0; done < length; ++parts) {
        const bool last = part >= length - done;
        part = last ? length - done : part;
        if (take_part(flow, t + done, part, &y)) {
            done = last ? length : done + part;
            part *= 2.0L;
        } else {
            part *= 0.5L;
            if (part < 0x1p-40L * length || parts >= MOST_PARTS)
                return false;
        }
    }
    memcpy(x, y.x, flow->dofs * sizeof *x);
    memcpy(v, y.v, flow->dofs * sizeof *v);
    return true;
}
