// oscillation -- extrema from the parabola through three observations, zeros from the line through two.
#include "reference/oscillation.h"

#include <math.h>

// The turning point of the parabola y(t1 + s) = y1 + slope s + curvature s^2/2 through y0, y1, y2 at t1 - h, t1, t1 +
// h.
static void observe_extremum(Oscillation *o, double t1, double h, double y0, double y1, double y2)
{
    double rise = y1 - y0, next_rise = y2 - y1;
    if (!((rise > 0.0 && next_rise <= 0.0) || (rise < 0.0 && next_rise >= 0.0)))
        return;
    double slope = (y2 - y0) / (2.0 * h), curvature = (next_rise - rise) / (h * h);
    double ahead = -slope / curvature;
    double t = t1 + ahead;
    double amplitude = fabs(y1 + ahead * slope / 2.0);

    if (o->extrema == 0)
        o->amplitude_first = amplitude;
    o->amplitude_last = amplitude;
    ++o->extrema;
    if (amplitude == 0.0)
        return;
    if (o->logs == 0) {
        o->t_first = t;
        o->amplitude_base = amplitude;
    }
    double dt = t - o->t_first, dl = log(amplitude / o->amplitude_base);
    ++o->logs;
    o->sum_t += dt;
    o->sum_l += dl;
    o->sum_tt += dt * dt;
    o->sum_tl += dt * dl;
}

static void observe_crossing(Oscillation *o, double t, double h, double before, double y)
{
    if (!(before < 0.0 && y >= 0.0))
        return;
    double crossing = t - h + h * before / (before - y);
    if (o->crossings == 0)
        o->crossing_first = crossing;
    o->crossing_last = crossing;
    ++o->crossings;
}

void oscillation_observe(Oscillation *o, double t, double h, double y)
{
    if (o->count >= 2)
        observe_extremum(o, t - h, h, o->y[0], o->y[1], y);
    if (o->count >= 1)
        observe_crossing(o, t, h, o->y[1], y);
    o->y[0] = o->y[1];
    o->y[1] = y;
    ++o->count;
}

OscillationResults oscillation_results(const Oscillation *o)
{
    OscillationResults results = {NAN, NAN, NAN, NAN};
    double             n = (double)o->logs;
    if (o->extrema > 0) {
        results.amplitude_first = o->amplitude_first;
        results.amplitude_last = o->amplitude_last;
    }
    if (o->logs >= 2)
        results.decay_rate = -(n * o->sum_tl - o->sum_t * o->sum_l) / (n * o->sum_tt - o->sum_t * o->sum_t);
    if (o->crossings >= 2)
        results.period = (o->crossing_last - o->crossing_first) / (double)(o->crossings - 1);
    return results;
}
