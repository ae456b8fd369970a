// tight -- extrapolation of the modified midpoint rule.
#include "reference/tight.h"

#include "reference/eigen.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

// Rounding is allowed for in steps that are halved ROUGH_CUTS times at most, and a component that begins at 0 need not
// agree after CUTS.
enum { COLUMNS = 8, EASY = 6, CUTS = 40, ROUGH_CUTS = 10 };
static const double accuracy = 1e-13, local_accuracy = 1e-6;
static const double grow = 1.6, shrink = 0.5;

typedef struct TightState {
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
} TightState;

// A step that is tried, of length H from a state with acceleration a.
typedef struct TightStep {
    double     t, H;
    int        cuts;  // how often it was halved
    TightState start;
    double     a[REFERENCE_DOFS];
} TightStep;

// to = from + h * slope, the slope being (along.v, a).
static void move(size_t n, const TightState *from, double h, const TightState *along, const double *a, TightState *to)
{
    for (size_t i = 0; i < n; ++i) {
        to->x[i] = from->x[i] + h * along->v[i];
        to->v[i] = from->v[i] + h * a[i];
    }
}

static TightState add(size_t n, const TightState *a, const TightState *b)
{
    TightState sum;
    for (size_t i = 0; i < n; ++i) {
        sum.x[i] = a->x[i] + b->x[i];
        sum.v[i] = a->v[i] + b->v[i];
    }
    return sum;
}

// Section II.9, eq. 9.13: `parts` (even) midpoint steps over H, smoothed. States are kept as differences from the
// start: a component that moves little in a step then loses little to rounding, which extrapolation enlarges.
static void midpoint(Tight *tight, const TightStep *step, int parts, TightState *end)
{
    size_t     n = tight->n;
    double     h = step->H / parts, a[REFERENCE_DOFS];
    TightState before = {0}, now, after, at;
    move(n, &before, h, &step->start, step->a, &now);
    for (int i = 1; i < parts; ++i) {
        at = add(n, &step->start, &now);
        tight->acceleration(step->t + i * h, at.x, at.v, tight->params, a);
        move(n, &before, 2.0 * h, &at, a, &after);
        before = now;
        now = after;
    }
    at = add(n, &step->start, &now);
    tight->acceleration(step->t + step->H, at.x, at.v, tight->params, a);
    tight->evaluations += (uint64_t)parts;
    for (size_t i = 0; i < n; ++i) {
        end->x[i] = 0.5 * (now.x[i] + before.x[i] + h * at.v[i]);
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

// 1, but for up to two roundings; the next of a sequence (Knuth 1997, section 3.3.4, table 1, line 16).
static double nearly_one(uint32_t *bits)
{
    *bits = *bits * 1664525u + 1013904223u;
    return 1.0 + 0.5 * DBL_EPSILON * ((double)(*bits >> 29) - 3.5);
}

// Effect of rounding on accelerations at a part of the step's length from its start: their change between rounding up
// and rounding down, of arguments that are moved as well.
static void round_both_ways(const Tight *tight, const TightStep *step, double part, uint32_t *bits, double *change)
{
    static const int ways[] = {FE_UPWARD, FE_DOWNWARD};
    const double     h = part * step->H;
    TightState       at;
    double           a[2][REFERENCE_DOFS];
    for (int way = 0; way < 2; ++way) {
        for (size_t i = 0; i < tight->n; ++i) {
            const double v = step->start.v[i] + h * step->a[i];
            at.x[i] = (step->start.x[i] + h * v) * nearly_one(bits);
            at.v[i] = v * nearly_one(bits);
        }
        const double t = (step->t + h) * nearly_one(bits);
        fesetround(ways[way]);
        tight->acceleration(t, at.x, at.v, tight->params, a[way]);
        fesetround(FE_TONEAREST);
    }
    for (size_t i = 0; i < tight->n; ++i)
        change[i] = fabs(a[0][i] - a[1][i]);
}

// Finds the effect of rounding on accelerations in this step: the smaller of the effects at the start and inside. At
// one of them alone a force may jump, and too far from the start, in a step that is too long, rounding may be all there
// is. By chance the effect may be zero: half of the effect found before counts as well.
static void find_rounding(Tight *tight, const TightStep *step)
{
    double   start[REFERENCE_DOFS], inside[REFERENCE_DOFS];
    uint32_t bits = (uint32_t)tight->evaluations;
    round_both_ways(tight, step, 0.0, &bits, start);
    round_both_ways(tight, step, 0.38, &bits, inside);
    tight->evaluations += 4;
    for (size_t i = 0; i < tight->n; ++i) {
        const double found = isfinite(start[i] + inside[i]) ? fmin(start[i], inside[i]) : 0.0;
        tight->rounding[i] = fmax(found, 0.5 * tight->rounding[i]);
    }
}

// Whether a difference is allowed to a component of that size in the step, and of that size before: so small a part of
// its largest size so far, and of its present size. Of a motion that has died away a step may be far too long, and then
// columns differ by much less than their error. Where numbers underflow they have no digits.
static bool near(const TightStep *step, double difference, double size, double before, double rounding)
{
    const bool begins = before == 0.0 && step->cuts >= CUTS;
    return begins ||
           fabs(difference) <= fmin(accuracy * fmax(size, before), local_accuracy * size) + rounding + DBL_MIN;
}

// Of a start, an end and a rate over a step.
static double largest(double start, double end, double H, double rate)
{
    return fmax(fmax(fabs(start), fabs(end)), H * fabs(rate));
}

// Whether two approximations of a step's increment agree. The last two columns differ by at most 2.73 times the effect
// of rounding on the midpoint rules, with all columns.
static bool agree(const Tight *tight, const TightStep *step, bool rough, const TightState row[2])
{
    const TightState *start = &step->start, end = add(tight->n, start, &row[1]);
    const double      H = step->H;
    for (size_t i = 0; i < tight->n; ++i) {
        const double rounding = rough ? 4.0 * H * tight->rounding[i] : 0.0,
                     v = largest(start->v[i], end.v[i], H, step->a[i]), x = largest(start->x[i], end.x[i], H, v);
        if (!near(step, row[1].v[i] - row[0].v[i], v, tight->size_v[i], rounding))
            return false;
        if (!tight->first_order && !near(step, row[1].x[i] - row[0].x[i], x, tight->size_x[i], H * rounding))
            return false;
    }
    return true;
}

// Whether the columns, which did not agree with all there are, do so but for rounding. From then on it is looked at.
static bool agree_roughly(Tight *tight, const TightStep *step, const TightState row[2])
{
    if (tight->rough || step->cuts > ROUGH_CUTS)
        return false;
    find_rounding(tight, step);
    tight->rough = agree(tight, step, true, row);
    if (!tight->rough)
        memset(tight->rounding, 0, sizeof tight->rounding);
    return tight->rough;
}

// Tries a step; the number of columns it took, 0 where they did not agree.
static int attempt(Tight *tight, const TightStep *step, TightState *end)
{
    TightState last[COLUMNS], row[COLUMNS];
    const bool rough = tight->rough && step->cuts <= ROUGH_CUTS;
    if (rough)
        find_rounding(tight, step);
    for (int k = 0; k < COLUMNS; ++k) {
        midpoint(tight, step, 2 * (k + 1), &row[0]);
        for (int j = 1; j <= k; ++j)
            extrapolate(tight->n, k, j, row, &row[j - 1], &last[j - 1]);
        if (!eigen_all_finite(tight->n, row[k].x) || !eigen_all_finite(tight->n, row[k].v))
            return 0;
        *end = add(tight->n, &step->start, &row[k]);
        // The third column of y' = -y agrees by chance with a value off by 6 % and more, in steps of 3 and of 9.
        if (k > 0 && k != 2 && agree(tight, step, rough, &row[k - 1]))
            return k + 1;
        memcpy(last, row, sizeof last);
    }
    const bool shortest = step->t + shrink * step->H == step->t;
    return agree_roughly(tight, step, &row[COLUMNS - 2]) || shortest ? COLUMNS : 0;
}

// Prepares the next step: its time, and the largest sizes so far.
static void begin(Tight *tight, double t, TightStep *step)
{
    step->t = t;
    step->cuts = 0;
    for (size_t i = 0; i < tight->n; ++i) {
        tight->size_x[i] = fmax(tight->size_x[i], fabs(step->start.x[i]));
        tight->size_v[i] = fmax(tight->size_v[i], fabs(step->start.v[i]));
    }
}

bool tight_advance(Tight *tight, double t, double to, double *x, double *v)
{
    size_t    bytes = tight->n * sizeof *x;
    TightStep step;
    memcpy(step.start.x, x, bytes);
    memcpy(step.start.v, v, bytes);
    begin(tight, t, &step);
    if (tight->step == 0.0)
        tight->step = to - t;
    while (step.t < to) {
        TightState end;
        // The length is the distance of the rounded times: over many steps the error of another length would add up.
        const double next = tight->step < to - step.t ? step.t + tight->step : to;
        step.H = next - step.t;
        if (tight->evaluations >= tight->most || step.H == 0.0)
            return false;
        tight->acceleration(step.t, step.start.x, step.start.v, tight->params, step.a);
        ++tight->evaluations;
        int columns = attempt(tight, &step, &end);
        if (columns == 0) {
            tight->step = shrink * step.H;
            ++step.cuts;
            continue;
        }
        if (columns <= EASY)
            tight->step = fmax(tight->step, grow * step.H);
        step.start = end;
        begin(tight, next, &step);
    }
    memcpy(x, step.start.x, bytes);
    memcpy(v, step.start.v, bytes);
    return true;
}
