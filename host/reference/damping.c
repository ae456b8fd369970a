// damping -- extrema by Stirling's interpolation, and least squares by plane rotations.
#include "reference/damping.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

// Central differences of five values, the odd ones averaged (mu delta, delta^2, mu delta^3, delta^4). Stirling's
// formula has y = y0 + s d1 + s^2/2 d2 + s (s^2 - 1)/6 d3 + s^2 (s^2 - 1)/24 d4.
typedef struct Differences {
    double y0, d1, d2, d3, d4;
} Differences;

static Differences differences(const double y[5])
{
    double first[4], second[3], third[2];
    for (int i = 0; i < 4; ++i)
        first[i] = y[i + 1] - y[i];
    for (int i = 0; i < 3; ++i)
        second[i] = first[i + 1] - first[i];
    for (int i = 0; i < 2; ++i)
        third[i] = second[i + 1] - second[i];
    return (Differences){y[2], (first[1] + first[2]) / 2.0, second[1], (third[0] + third[1]) / 2.0,
                         third[1] - third[0]};
}

static double interpolate(const Differences *d, double s)
{
    return d->y0 + s * d->d1 + s * s / 2.0 * d->d2 + s * (s * s - 1.0) / 6.0 * d->d3 +
           s * s * (s * s - 1.0) / 24.0 * d->d4;
}

static double clamp(double s)
{
    return fmax(-1.0, fmin(s, 1.0));
}

static double slope_at(const Differences *d, double s)
{
    return d->d1 + s * d->d2 + (3.0 * s * s - 1.0) / 6.0 * d->d3 + (2.0 * s * s * s - s) / 12.0 * d->d4;
}

// Two steps of Newton's method from the vertex of the parabola, with the curvature there.
static double turning_point(const Differences *d)
{
    double vertex = clamp(-d->d1 / d->d2);
    double curvature = d->d2 + vertex * d->d3 + (6.0 * vertex * vertex - 1.0) / 12.0 * d->d4;
    double nearer = clamp(vertex - slope_at(d, vertex) / curvature);
    return clamp(nearer - slope_at(d, nearer) / curvature);
}

// Turns the row [1, k, k^2, y] into the triangle, one rotation for each of its elements.
static void fit_add(DampingFit *fit, double y)
{
    double k = (double)fit->count, row[4] = {1.0, k, k * k, y};
    for (int i = 0; i < 4; ++i) {
        double length = hypot(fit->r[i][i], row[i]);
        if (length == 0.0)
            continue;
        double c = fit->r[i][i] / length, s = row[i] / length;
        for (int j = i; j < 4; ++j) {
            double above = fit->r[i][j];
            fit->r[i][j] = c * above + s * row[j];
            row[j] = c * row[j] - s * above;
        }
    }
    ++fit->count;
}

// Of the line through the points, per point.
static double fit_slope(const DampingFit *fit)
{
    return fit->r[1][3] / fit->r[1][1];
}

// The root mean squares of what a line and a parabola leave, with as many degrees of freedom less than points as they
// have.
static double scatter_about_line(const DampingFit *fit)
{
    return hypot(fit->r[2][3], fit->r[3][3]) / sqrt((double)fit->count - 2.0);
}

static double scatter_about_parabola(const DampingFit *fit)
{
    return fabs(fit->r[3][3]) / sqrt((double)fit->count - 3.0);
}

static void add_amplitude(Damping *damping, double height, double parabola_height)
{
    double amplitude = fabs(height - damping->height) / 2.0;
    double parabola_amplitude = fabs(parabola_height - damping->parabola_height) / 2.0;
    if (damping->logs_fit.count == 0)
        damping->first_amplitude = amplitude;
    double l = log(amplitude / damping->first_amplitude);
    damping->logs[2] = damping->logs[1];
    damping->logs[1] = damping->logs[0];
    damping->logs[0] = l;
    if (damping->logs_fit.count == 2)
        damping->third_log = l;
    fit_add(&damping->logs_fit, l);
    fit_add(&damping->height_fit, (parabola_amplitude - amplitude) / amplitude);
}

static double range(const double *values, int count)
{
    double low = values[0], high = values[0];
    for (int i = 1; i < count; ++i) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    return high - low;
}

// Below 0 where the energies range over more than the middle one and 8 times what the middle three do.
static double evenness(const double energy[5])
{
    return fabs(energy[2]) + 8.0 * range(energy + 1, 3) - range(energy, 5);
}

static void add_extremum(Damping *damping)
{
    Differences d = differences(damping->y), energy = differences(damping->energy);
    double      s = turning_point(&d), vertex = -d.d1 / d.d2;
    double      height = interpolate(&d, s), parabola_height = d.y0 + vertex * d.d1 / 2.0;
    double      place = (double)damping->count - 3.0 + s;
    damping->last_place = place;
    damping->last_energy = interpolate(&energy, s);
    damping->last_evenness = evenness(damping->energy);
    if (damping->extrema == 0) {
        damping->first_place = place;
        damping->first_evenness = damping->last_evenness;
        damping->first_energy = damping->last_energy;
    } else {
        add_amplitude(damping, height, parabola_height);
    }
    damping->height = height;
    damping->parabola_height = parabola_height;
    ++damping->extrema;
}

void damping_observe(Damping *damping, double y, double energy)
{
    memmove(damping->y, damping->y + 1, 4 * sizeof *damping->y);
    memmove(damping->energy, damping->energy + 1, 4 * sizeof *damping->energy);
    damping->y[4] = y;
    damping->energy[4] = energy;
    ++damping->count;
    double rise = damping->y[2] - damping->y[1], next = damping->y[3] - damping->y[2];
    bool   turned = (rise > 0.0 && next <= 0.0) || (rise < 0.0 && next >= 0.0);
    if (damping->count >= 5 && turned)
        add_extremum(damping);
}

static double observations_per_cycle(const Damping *damping)
{
    return 2.0 * (damping->last_place - damping->first_place) / ((double)damping->extrema - 1.0);
}

static double error_bound(const Damping *damping)
{
    const DampingFit *fit = &damping->logs_fit;
    double            scatter = scatter_about_line(fit) + 6.0 * scatter_about_parabola(fit);
    return 12.0 * scatter / (double)fit->count + 2.0 * fabs(fit_slope(&damping->height_fit)) +
           4.0 * DBL_EPSILON * observations_per_cycle(damping);
}

static DampingState state_of(const Damping *damping, double decrement, double error)
{
    if (damping->extrema < 2)
        return DAMPING_NO_OSCILLATION;
    if (damping->logs_fit.count < 4)
        return DAMPING_FEW_CYCLES;
    if (observations_per_cycle(damping) < 8.0)
        return DAMPING_UNDERSAMPLED;
    if (!(error <= 0.1 * fabs(decrement) + 1e-5))
        return DAMPING_IRREGULAR;
    return decrement < -error ? DAMPING_GROWING : DAMPING_MEASURED;
}

DampingResults damping_results(const Damping *damping)
{
    double       decrement = -2.0 * fit_slope(&damping->logs_fit), error = error_bound(damping);
    DampingState state = state_of(damping, decrement, error);
    if (state != DAMPING_MEASURED && state != DAMPING_GROWING)
        return (DampingResults){state, NAN, NAN, NAN, NAN};
    return (DampingResults){state, decrement, -damping->third_log, damping->logs[2] - damping->logs[0], error};
}

double damping_energy_loss(const Damping *damping)
{
    if (damping->extrema < 3 || observations_per_cycle(damping) < 8.0)
        return NAN;
    double lost = damping->first_energy - damping->last_energy;
    if (!(damping->first_evenness + damping->last_evenness + 8.0 * fabs(lost) >= 0.0))
        return NAN;
    return lost / (((double)damping->extrema - 1.0) / 2.0);
}
