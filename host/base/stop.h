// stop -- stop signals of a process: INT, TERM and HUP.
//
// The first signal is counted, and whatever is under way may go on for a grace, at whose end it is abandoned in order.
// A compiler, a kernel that never ends, a read from a pipe look at no count: a thread then ends the process, 2 seconds
// after the first signal and at once after the second. A result file stays whole at any moment, and can be resumed.
//
// All other threads have the signals blocked. LLVM, which is in many drivers, would else put handlers of its own before
// ours, which remove its unfinished files.
#pragma once

#include "base/error.h"

#include <signal.h>

// Begins to wait for the signals, except signals that the process was started to ignore (nohup). To be called once, by
// the main thread, before others are started.
//   clean  called before the process is ended, by another thread than the caller's; or NULL
// Errors: ERROR_INTERNAL (no thread).
bool stop_catch(void (*clean)(void), Error *err);

// What is said behind the message of a process that is ended, such as "; the same command with --resume goes on". To be
// called before stop_catch(); kept by reference.
void stop_advise(const char *text);

// Whether a signal has come, or is about to be counted. A terminal sends it to the whole group of processes: a compiler
// that has failed may have failed of it, and its end is then known before the signal is counted.
bool stop_came(void);

// The signals have their usual effect again, and nothing else ends the process from now on.
void stop_release(void);

// The number of signals so far; valid for the life of the process.
const volatile sig_atomic_t *stop_count(void);

// Whether the work under way must be given up now: at the second signal, or when the grace of the first has passed.
//   signals   number of signals so far; NULL: there are none
//   deadline  the end of the grace, in seconds of clock_seconds(); 0 before the first call, kept from call to call
bool stop_due(const volatile sig_atomic_t *signals, double *deadline);
