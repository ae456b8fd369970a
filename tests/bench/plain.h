// plain -- the yardstick: the algorithm of a kernel as a plain C loop, one point after the other.
#pragma once

#include <stddef.h>

// Workload W1: pendulum, generalized-alpha at rho_inf 0.6, h = 0.01, Newton with raw residual, square-root stencil and
// tolerance 1e-10.
//   x0       [count] initial angles in rad
//   x_final  [count] written: angle after `steps` steps
//   threads  points are shared among so many threads
// Returns the number of Newton updates.
unsigned long long plain_w1(const double *x0, double *x_final, size_t count, size_t steps, int threads);
