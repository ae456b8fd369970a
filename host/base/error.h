// error -- error of a function: its kind, which is the exit code, and its message.
//
// A function that can fail returns bool and takes an `Error *err` as its last argument. On failure it fills err
// and returns false; on success it leaves err alone. Only main() prints an Error and turns it into an exit code.
// A sweep *point* that fails is data (a status in the result file), never an Error.
#pragma once

#include "base/scoped.h"

#include <stdbool.h>

// The value of each kind is the program's exit code.
typedef enum ErrorKind {
    ERROR_NONE = 0,
    ERROR_INTERNAL = 1,     // a broken invariant, or memory ran out
    ERROR_USAGE = 2,        // command line, -s included
    ERROR_IO = 3,           // a file cannot be read, written, created or given its space; output exists
    ERROR_INPUT = 4,        // a sweep file, kernel card or result file is wrong or damaged
    ERROR_LOCKED = 5,       // another process writes the result file
    ERROR_INCOMPLETE = 6,   // a result file has points that were not run
    ERROR_CONFORMANCE = 7,  // kernels and reference disagree
    ERROR_DEVICE = 8,       // no such device, or it failed
    ERROR_KERNEL = 9,       // a kernel does not compile
    ERROR_FAILED = 10,      // points failed, where that was asked for
    ERROR_STOPPED = 75      // stopped by a signal; resumable
} ErrorKind;

typedef struct Error {
    ErrorKind kind;
    int       code;           // error code of a failed call: errno, or a library's, e.g. OpenCL's; 0: not known
    char      message[8192];  // one line; a kernel that does not compile adds the compiler's log
} Error;

// Fills err with kind and a printf-formatted message (no trailing newline). Always false: `return fail(...)`.
bool fail(Error *err, ErrorKind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Puts "<formatted text>: " in front of err's message. Always false.
bool within(Error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
