// program_case -- starts the built program as a child with its own environment and limits, watches it and ends it.
#pragma once

#include "support/command.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

// How a child differs from its parent. Zero-initialised: in nothing.
typedef struct Surroundings {
    const char *variable, *value;  // one environment variable; NULL: none
    rlim_t      file_bytes;        // RLIMIT_FSIZE; 0: as it is
    uid_t       user;              // 0: as it is
} Surroundings;

// A running child. What it prints goes to hidden files of the place.
typedef struct Child {
    pid_t  pid;
    double begin;  // seconds on the monotonic clock
    char   out[96], error[96];
} Child;

// How a child ended.
typedef struct Ending {
    Command command;
    double  seconds;
    double  busy;        // seconds of processor time, which no neighbour takes part in
    long    memory_kib;  // largest resident set
} Ending;

double seconds_now(void);
void   wait_seconds(double seconds);

// Starts the program with these words (ending with NULL) in the place. surroundings: NULL: those of the test.
Child child_start_on(const Surroundings *surroundings, int terminal, const char *const *words);

Child child_start(const Surroundings *surroundings, const char *const *words);

// Whether the child still runs; it is not waited for.
bool child_runs(const Child *child);

// Waits for the child's end.
Ending child_end(const Child *child);

Ending program_run_in(const Surroundings *surroundings, const char *const *words);

// The words of a command line, up to NULL.
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

// Runs the program, demands the exit code, and for a failure one line on stderr that says all of `part`, for a success
// that stdout has it.
void expect_in(const Surroundings *surroundings, int code, const char *part, const char *const *words);

#define EXPECT(code, part, ...) expect_in(NULL, code, part, WORDS(__VA_ARGS__))

// The number of entries of the place that begin with `prefix` and are not hidden.
size_t place_count(const char *prefix);

// A file's bytes, released after the test.
char *place_bytes(const char *name, size_t *count);

// Stops the test unless two files have the same bytes.
void expect_same_files(const char *one, const char *two);

void place_drop(const char *name);

// Removes a result file and what lies beside it.
void drop_result(const char *name);
