// claims_measure -- measurements made of the lab's numbers.
#include "analysis/claims/claims_measure.h"

#include <math.h>

enum { OMEGAS = 201 };

static Motion pendulum_slope(double zeta, Motion y)
{
    return (Motion){y.v, -sin(y.x) - 2.0 * zeta * y.v};
}

static Motion along(Motion y, double h, Motion slope)
{
    return (Motion){y.x + h * slope.x, y.v + h * slope.v};
}

Motion measure_pendulum(double zeta, Motion y, double end)
{
    enum { STEPS = 4000 };
    const double h = end / STEPS;
    for (int n = 0; n < STEPS; ++n) {
        const Motion k1 = pendulum_slope(zeta, y), k2 = pendulum_slope(zeta, along(y, 0.5 * h, k1)),
                     k3 = pendulum_slope(zeta, along(y, 0.5 * h, k2)), k4 = pendulum_slope(zeta, along(y, h, k3));
        y.x += h / 6.0 * (k1.x + 2.0 * (k2.x + k3.x) + k4.x);
        y.v += h / 6.0 * (k1.v + 2.0 * (k2.v + k3.v) + k4.v);
    }
    return y;
}

double measure_error(Lab *lab, const char *group, const char *parameter, double value, double zeta, double steps)
{
    const At     at[] = {{"steps", steps}, {"zeta", zeta}, {parameter, value}, {NULL, 0}};
    const Motion right = measure_pendulum(zeta, (Motion){1.0, 0.5}, 2.0);
    return fmax(fabs(lab_number(lab, LAB_ORDERS, group, "x_final", at) - right.x),
                fabs(lab_number(lab, LAB_ORDERS, group, "v_final", at) - right.v));
}

double measure_order(Lab *lab, const char *group, const char *parameter, double value, double zeta)
{
    return log2(measure_error(lab, group, parameter, value, zeta, 100) /
                measure_error(lab, group, parameter, value, zeta, 200));
}

double measure_apart(Lab *lab, const char *group, const char *other)
{
    const At    *at = AT({"steps", 50}, {"zeta", 0});
    const size_t samples = lab_samples(lab, LAB_ORDERS, group, at);
    double       largest = 0.0;
    for (size_t n = 0; n < samples; ++n)
        largest = fmax(largest, fabs(lab_sample(lab, LAB_ORDERS, group, "x", at, n, 0) -
                                     lab_sample(lab, LAB_ORDERS, other, "x", at, n, 0)));
    return largest;
}

// Radii at Omegas from `from` to `to`, both included, evenly in their logarithms.
static void find_radii(Lab *lab, const char *method, double value, double zeta, double from, double to, double *omegas,
                       double *radii)
{
    Matrix matrices[OMEGAS];
    for (int i = 0; i < OMEGAS; ++i)
        omegas[i] = from * pow(to / from, (double)i / (OMEGAS - 1));
    lab_matrices(lab, method, value, zeta, omegas, OMEGAS, matrices);
    for (int i = 0; i < OMEGAS; ++i)
        radii[i] = matrix_radius(matrices[i]);
}

double measure_radius(Lab *lab, const char *method, double value, double omega, double zeta)
{
    Matrix matrix;
    lab_matrices(lab, method, value, zeta, &omega, 1, &matrix);
    return matrix_radius(matrix);
}

double measure_largest_radius(Lab *lab, const char *method, double value, double zeta)
{
    double radii[OMEGAS], omegas[OMEGAS], largest = 0.0;
    find_radii(lab, method, value, zeta, 1e-2, 1e4, omegas, radii);
    // A radius that is no number must not be lost in a comparison.
    for (int i = 0; i < OMEGAS; ++i)
        largest = radii[i] <= largest ? largest : radii[i];
    return largest;
}

double measure_most_damping(Lab *lab, const char *method, double value)
{
    double radii[OMEGAS], omegas[OMEGAS], most = 0.0;
    find_radii(lab, method, value, 0.0, 1e-1, 1e2, omegas, radii);
    for (int i = 0; i < OMEGAS; ++i)
        most = fmax(most, -log(radii[i]) / omegas[i]);
    return most;
}

const double measure_tolerances[MEASURE_TOLERANCES] = {1e-10, 3e-10, 1e-9, 3e-9, 1e-8, 1e-7, 1e-6};

double measure_polar(Lab *lab, const char *group, const char *variable, double eps, double k, double tolerance)
{
    return lab_number(lab, LAB_POLAR, group, variable, AT({"eps", eps}, {"k", k}, {"tolerance", tolerance}));
}

double measure_cartesian(Lab *lab, const char *group, const char *variable, double eps, double step, double tolerance)
{
    return lab_number(lab, LAB_CARTESIAN, group, variable,
                      AT({"eps", eps}, {"k", 1}, {"step", step}, {"tolerance", tolerance}));
}
