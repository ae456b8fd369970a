// child -- another program, run to its end: no shell between, its messages kept.
#pragma once

#include "base/text.h"

typedef struct ChildTask {
    const char  *program;                   // found by PATH where it has no slash
    char *const *arguments;                 // the program's name first, NULL last
    const char  *folder;                    // it works in; NULL: the process's
    char        *variable;                  // NAME=value, beside those of the process's environment; NULL: none
    size_t       messages;                  // bytes kept of its output, both streams; the rest is read and dropped
    bool (*interrupted)(const void *user);  // asked now and then: true ends the child. NULL: nothing does
    const void *user;
    int         input;  // open file that it reads as its input; 0: there is none
} ChildTask;

typedef struct ChildEnd {
    bool missing;  // it is not there (status 0), or cannot be run (127)
    int  status;   // its exit status; 128 and more: a signal ended it
} ChildEnd;

// Runs a program. Its signals are as a shell would give them.
//   end       written
//   messages  zeroed; the program's output is added; owned by the caller
// Errors: ERROR_IO (it cannot be started; that it is missing is not an error), ERROR_INTERNAL.
bool child_run(const ChildTask *task, ChildEnd *end, Text *messages, Error *err);
