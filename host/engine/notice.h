// notice -- notice of what is waited for: a kernel that has been compiling for a second.
//
// A device's driver says nothing while it compiles, and most leave a part to a program's first launch. What is waited
// for is noted when it begins and when it ends; a thread says it once it has lasted. Devices compile side by side: each
// has a seat.
#pragma once

#include "base/progress.h"
#include "base/thread.h"
#include "device/device.h"

// What one device is at.
typedef struct NoticeSeat {
    ProgressCompile compile;
    bool            waiting;  // it has not come, and has not been said
    double          since;    // on clock_seconds()
} NoticeSeat;

// The first two fields are set by the caller, the others zero. All functions do nothing on one that was not started, or
// on NULL. Between notice_begin() and notice_end() of a seat its thread may call tell().
typedef struct Notice {
    void (*tell)(const ProgressCompile *compile, void *user);
    void      *user;
    Thread     thread;  // its mutex guards what follows
    NoticeSeat seats[DEVICES_MOST];
} Notice;

// Errors: ERROR_INTERNAL (no thread).
bool notice_start(Notice *notice, Error *err);

// Notes what a seat waits for from now on, in place of what was before.
//   seat     below DEVICES_MOST
//   compile  copied
void notice_begin(Notice *notice, size_t seat, const ProgressCompile *compile);

// Notes that it has come. What took a second is said by then at the latest.
void notice_end(Notice *notice, size_t seat);

void notice_stop(Notice *notice);
