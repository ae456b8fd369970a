// thread -- threads to which no signal is delivered.
#pragma once

#include "base/error.h"

#include <pthread.h>

// Starts work(argument). Signals are for the main thread: the new one begins with all of them blocked.
//   purpose  of the message: "no thread for PURPOSE"
// Errors: ERROR_INTERNAL.
bool thread_start(pthread_t *thread, void *(*work)(void *), void *argument, const char *purpose, Error *err);
