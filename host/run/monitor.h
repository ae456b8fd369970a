// monitor -- progress and messages of a run: many threads count, and one at a time reports to the caller.
#pragma once

#include "run/request.h"

#include <pthread.h>

typedef struct Monitor {
    const RunRequest *request;  // borrowed, with the caller's callbacks
    RunSummary       *summary;  // borrowed
    RunProgress       progress;
    double            begin;  // when the run began
    pthread_mutex_t   mutex;  // guards summary and progress while there are threads, and the callbacks
} Monitor;

// Says a line of the run, and that a program takes long to compile; `monitor` is one.
void monitor_say(const char *line, void *monitor);
void monitor_wait(const ProgressCompile *compile, void *monitor);

// Tells how far the run is. Called with the mutex held.
void monitor_show(Monitor *monitor);
