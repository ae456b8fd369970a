// own_modes -- one step of eight methods in long double, its characteristic polynomial and the roots.
#include "support/own_modes.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST_STATE = 4 };

typedef long double Long;
typedef Long        Square[MOST_STATE][MOST_STATE];

// One step of a method on x'' + Omega^2 x = 0 with h = 1, on a state of x, v and what else it keeps.
static void step_alpha(Long am, Long af, Long beta, Long gamma, Long square, Long *s)
{
    const Long x = s[0], v = s[1], a = s[2];
    // (1 - am) u + am a + Omega^2 ((1 - af) x1 + af x) = 0 with x1 = x + v + (1/2 - beta) a + beta u
    const Long known = am * a + square * ((1 - af) * (x + v + (0.5L - beta) * a) + af * x);
    const Long u = -known / (1 - am + square * (1 - af) * beta);
    s[0] = x + v + (0.5L - beta) * a + beta * u;
    s[1] = v + (1 - gamma) * a + gamma * u;
    s[2] = u;
}

// y1 = known + c y1' for y = (x, v)
static void solve_oscillator(Long c, Long square, const Long known[2], Long y[2])
{
    y[1] = (known[1] - c * square * known[0]) / (1 + c * c * square);
    y[0] = known[0] + c * y[1];
}

static void step_theta1(Long theta, Long square, Long *s)
{
    const Long known[2] = {s[0] + (1 - theta) * s[1], s[1] - (1 - theta) * square * s[0]};
    solve_oscillator(theta, square, known, s);
}

static void step_theta2(Long theta, Long square, Long *s)
{
    const Long c = 0.5L + theta / 6, part = (1 - theta) / 2, back = theta / 3;
    const Long known[2] = {s[0] + part * s[1] + back * (s[0] - s[2]),
                           s[1] - part * square * s[0] + back * (s[1] - s[3])};
    s[2] = s[0];
    s[3] = s[1];
    solve_oscillator(c, square, known, s);
}

static void step_bathe(Long rho, Long square, Long *s)
{
    const Long g = 2 / (2 + sqrtl(2 + 2 * rho)), q1 = (rho + 1) / (2 * g * (rho - 1) + 4), q0 = (g - 1) * q1 + 0.5L,
               q2 = 0.5L - g * q1;
    const Long half[2] = {s[0] + 0.5L * g * s[1], s[1] - 0.5L * g * square * s[0]};
    Long       inner[2];
    solve_oscillator(0.5L * g, square, half, inner);
    const Long known[2] = {s[0] + q0 * s[1] + q1 * inner[1], s[1] - square * (q0 * s[0] + q1 * inner[0])};
    solve_oscillator(q2, square, known, s);
}

static void step_chung_lee(Long beta, Long square, Long *s)
{
    const Long x = s[0], v = s[1], a = s[2], a1 = -square * x;
    s[0] = x + v + (0.5L - beta) * a + beta * a1;
    s[1] = v - 0.5L * a + 1.5L * a1;
    s[2] = a1;
}

// Takes the step and returns the size of the state.
static size_t step(const char *method, Long p, Long square, Long *s)
{
    const Long d = (1 - p) / (1 + p);
    if (strcmp(method, "generalized_alpha") == 0)
        step_alpha((2 * p - 1) / (p + 1), p / (p + 1), (1 + d) * (1 + d) / 4, 0.5L + d, square, s);
    else if (strcmp(method, "hht_alpha") == 0)
        step_alpha(0, -p, (1 - p) * (1 - p) / 4, 0.5L - p, square, s);
    else if (strcmp(method, "wbz_alpha") == 0)
        step_alpha(p, 0, (1 - p) * (1 - p) / 4, 0.5L - p, square, s);
    else if (strcmp(method, "newmark") == 0)
        step_alpha(0, 0, (p + 0.5L) * (p + 0.5L) / 4, p, square, s);
    else if (strcmp(method, "chung_lee") == 0)
        step_chung_lee(p, square, s);
    else if (strcmp(method, "theta2") == 0)
        step_theta2(p, square, s);
    else if (strcmp(method, "theta1") == 0)
        step_theta1(p, square, s);
    else
        step_bathe(p, square, s);
    return strcmp(method, "theta2") == 0 ? 4 : strcmp(method, "theta1") == 0 || strcmp(method, "bathe") == 0 ? 2 : 3;
}

static size_t matrix_of(const char *method, Long p, Long omega, Square m)
{
    size_t n = 1;
    for (size_t j = 0; j < n; ++j) {
        Long s[MOST_STATE] = {0};
        s[j] = 1;
        n = step(method, p, omega * omega, s);
        for (size_t i = 0; i < n; ++i)
            m[i][j] = s[i];
    }
    return n;
}

// Coefficients of the characteristic polynomial, the leading one first (Faddeev and LeVerrier).
static void characteristic(size_t n, Square a, Long *c)
{
    Square m = {{0}};
    c[0] = 1;
    for (size_t k = 1; k <= n; ++k) {
        Square next = {{0}};
        Long   trace = 0;
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j) {
                for (size_t l = 0; l < n; ++l)
                    next[i][j] += a[i][l] * m[l][j];
                next[i][j] += i == j ? c[k - 1] : 0;
            }
        memcpy(m, next, sizeof m);
        for (size_t i = 0; i < n; ++i)
            for (size_t l = 0; l < n; ++l)
                trace += a[i][l] * m[l][i];
        c[k] = -trace / (Long)k;
    }
}

// All roots at once (Durand and Kerner).
static void find_polynomial_roots(size_t n, const Long *c, long double complex *z)
{
    for (size_t i = 0; i < n; ++i)
        z[i] = cpowl(0.4L + 0.9L * I, (long double complex)(Long)i);
    Long moved = 1;
    for (int round = 0; round < 300 && moved > 1e-19L; ++round) {
        moved = 0;
        for (size_t i = 0; i < n; ++i) {
            long double complex value = c[0], others = 1;
            for (size_t k = 1; k <= n; ++k)
                value = value * z[i] + c[k];
            for (size_t j = 0; j < n; ++j)
                others *= j == i ? 1 : z[i] - z[j];
            if (others != 0) {
                z[i] -= value / others;
                moved = fmaxl(moved, cabsl(value / others));
            }
        }
    }
}

Own own_mode(const char *method, double p, double omega)
{
    Square              m;
    Long                c[MOST_STATE + 1], radius = 0, pair = 0;
    long double complex z[MOST_STATE];
    Own                 own = {0.0, (double)NAN};
    const size_t        n = matrix_of(method, p, omega, m);
    characteristic(n, m, c);
    find_polynomial_roots(n, c, z);
    for (size_t i = 0; i < n; ++i) {
        radius = fmaxl(radius, cabsl(z[i]));
        if (cimagl(z[i]) > 1e-7L * cabsl(z[i]) && cabsl(z[i]) > pair) {
            pair = cabsl(z[i]);
            own.ratio = (double)(-logl(pair) / cargl(z[i]));
        }
    }
    own.damping = (double)-logl(radius);
    return own;
}

double own_max_decay(const char *method, double p)
{
    double low = log(1e-2), high = log(1e4), most = 0.0;
    int    parts = 300;
    for (int scan = 0; scan < 8; ++scan, parts = 40) {
        const double first = low, width = (high - low) / parts;
        int          best = 0;
        double       found = -1.0;
        for (int i = 0; i <= parts; ++i) {
            const double omega = exp(first + i * width), value = own_mode(method, p, omega).damping / omega;
            if (value > found) {
                found = value;
                best = i;
            }
        }
        most = fmax(most, found);
        low = first + (best - 1) * width;
        high = first + (best + 1) * width;
    }
    return most;
}
