// notice -- notice of what a run waits for: a kernel that has been compiling for a second.
//
// A device's driver says nothing while it compiles, and most leave a part to a program's first launch. What is waited
// for is noted when it begins and when it ends; a thread says it once it has lasted.
#pragma once

#include "base/thread.h"

// The first two fields are set by the caller, the others zero. All functions do nothing on one that was not started.
typedef struct Notice {
    void (*tell)(const char *line, void *user);
    void  *user;
    Thread thread;     // its mutex guards what follows
    char   line[160];  // what is waited for; "": nothing, or it has been said
    double since;      // on clock_seconds()
} Notice;

// Errors: ERROR_INTERNAL (no thread).
bool notice_start(Notice *notice, Error *err);

// Notes what is waited for from now on, in place of what was before.
void notice_begin(Notice *notice, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Notes that it has come. What took a second is said by then at the latest.
void notice_end(Notice *notice);

void notice_stop(Notice *notice);
