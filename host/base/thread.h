// thread -- threads to which no signal is delivered, and the mutex of the data that one shares with its starter.
#pragma once

#include "base/error.h"

#include <pthread.h>

// Threads with room on their stacks for the private memory of kernels, whatever the limit of the shell is: some drivers
// have there all that a work group keeps. Memory that is not written is never taken.
enum { THREAD_STACK = 64 << 20 };

// Starts work(argument) on a stack of THREAD_STACK bytes. Signals are for the main thread: the new one begins with all
// of them blocked. It reads and writes numbers as C does (numerals.h).
//   purpose  of the message: "no thread for PURPOSE"
// Errors: ERROR_INTERNAL.
bool thread_start(pthread_t *thread, void *(*work)(void *), void *argument, const char *purpose, Error *err);

// A thread with the mutex of the data that it shares. Zero-initialise it; thread_end() is safe on a zeroed one.
typedef struct Thread {
    pthread_t       id;
    pthread_mutex_t mutex;
    pthread_cond_t  changed;  // on the monotonic clock
    bool            started;
    bool            stop;  // it is to end; guarded by the mutex
} Thread;

// Makes mutex and condition, and starts the thread. Errors: ERROR_INTERNAL (zeroed again).
bool thread_begin(Thread *thread, void *(*work)(void *), void *argument, const char *purpose, Error *err);

// Asks the thread to stop, waits until it has ended, and leaves it zeroed.
void thread_end(Thread *thread);

// Releases mutex and condition, and leaves it zeroed: the last act of a thread that was detached, for which nobody
// waits.
void thread_release(Thread *thread);

// These wait for `changed`, with the mutex held; the second one no longer than until a moment of clock_seconds().
void thread_wait(Thread *thread);
void thread_wait_until(Thread *thread, double moment);
