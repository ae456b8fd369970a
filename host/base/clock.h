// clock -- monotonic clock, in seconds.
#pragma once

#include <time.h>

// Seconds since some moment, the same throughout the process.
static inline double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
