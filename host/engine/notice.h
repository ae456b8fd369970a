// notice -- notice of a wait: a kernel that has been compiling for a second.
//
// A device's driver says nothing while it compiles, and most leave a part to a program's first launch. A wait is noted
// when it begins and when it ends; a thread reports it once it has lasted. Devices compile side by side: each has a
// seat.
#pragma once

#include "base/progress.h"
#include "base/thread.h"
#include "device/device.h"

// The wait of one device.
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
    Thread     thread;  // its mutex guards the seats
    NoticeSeat seats[DEVICES_MOST];
} Notice;

// Errors: ERROR_INTERNAL (no thread).
bool notice_start(Notice *notice, Error *err);

// Notes a seat's wait from now on, in place of the one before.
//   seat     below DEVICES_MOST
//   compile  copied
void notice_begin(Notice *notice, size_t seat, const ProgressCompile *compile);

// Notes that the wait is over. A wait of a second is reported by then at the latest.
void notice_end(Notice *notice, size_t seat);

void notice_stop(Notice *notice);
