// plain -- what a careful C programmer would write without lanes: libm, no library for the 1 x 1 solve, two threads.
#include "plain.h"

#include <float.h>
#include <math.h>
#include <pthread.h>

enum { MAX_THREADS = 64 };

static inline double residual_w1(double u, double X, double cx, double A, double B)
{
    return A * u - B + sin(X + cx * u);
}

static unsigned long long run_w1(double x, size_t steps, double *x_final)
{
    const double       h = 0.01, rho = 0.6, tolerance = 1e-10;
    const double       am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 - am + af;
    const double       beta = 0.25 * (1 - am + af) * (1 - am + af), part = 1 - af, cx = part * beta * h * h, A = 1 - am;
    const double       stencil = sqrt(DBL_EPSILON);
    unsigned long long updates = 0;
    double             v = 0, a = -sin(x);
    for (size_t step = 0; step < steps; ++step) {
        const double X = x + part * h * (v + h * (0.5 - beta) * a), B = -am * a;
        double       u = a, f = residual_w1(u, X, cx, A, B);
        do {
            const double s = stencil * fmax(fabs(u), 1.0);
            const double ahead = residual_w1(u + s, X, cx, A, B), behind = residual_w1(u - s, X, cx, A, B);
            u -= f * (2 * s) / (ahead - behind);
            f = residual_w1(u, X, cx, A, B);
            ++updates;
        } while (fabs(f) > tolerance);
        x += h * (v + h * ((0.5 - beta) * a + beta * u));
        v += h * ((1 - gamma) * a + gamma * u);
        a = u;
    }
    *x_final = x;
    return updates;
}

typedef struct Share {
    const double      *x0;
    double            *x_final;
    size_t             first, end, steps;
    unsigned long long updates;
} Share;

static void *run_share(void *argument)
{
    Share *share = argument;
    for (size_t i = share->first; i < share->end; ++i)
        share->updates += run_w1(share->x0[i], share->steps, &share->x_final[i]);
    return NULL;
}

unsigned long long plain_w1(const double *x0, double *x_final, size_t count, size_t steps, int threads)
{
    pthread_t          workers[MAX_THREADS];
    Share              shares[MAX_THREADS];
    unsigned long long updates = 0;
    if (threads < 1 || threads > MAX_THREADS)
        threads = 1;
    for (int t = 0; t < threads; ++t) {
        shares[t] = (Share){
            x0, x_final, count * (size_t)t / (size_t)threads, count * (size_t)(t + 1) / (size_t)threads, steps, 0};
        if (pthread_create(&workers[t], NULL, run_share, &shares[t]) != 0) {
            run_share(&shares[t]);
            workers[t] = pthread_self();
        }
    }
    for (int t = 0; t < threads; ++t) {
        if (!pthread_equal(workers[t], pthread_self()))
            pthread_join(workers[t], NULL);
        updates += shares[t].updates;
    }
    return updates;
}
