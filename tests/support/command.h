// command -- tests run the built program, or another, as a child and look at what it prints and how it ends.
#pragma once

#include "support/test.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMAND_WORDS = 24 };

// A directory of its own for every test program.
typedef struct Place {
    char path[64];
} Place;

void place_make(Place *place);
void place_write(const Place *place, const char *name, const char *text);
bool place_has(const Place *place, const char *name);

// What a command did; its texts are released after the test.
typedef struct Command {
    int   code;         // exit code, or 128 + signal
    char *out, *error;  // stdout, unless it went elsewhere, and stderr
} Command;

int wait_for_exit(pid_t child);

// Runs `words` (ending with NULL) in the place. output: where stdout goes, e.g. "/dev/full"; NULL: it is kept; "": it
// is closed.
Command command_run(const Place *place, const char *output, const char *const *words);

// The program with these words, up to NULL.
#define PENDULA(place, ...) command_run(place, NULL, (const char *const[]){PENDULA_PROGRAM, __VA_ARGS__, NULL})

// The same, which must end with this code.
#define ENDED(place, code, ...) command_ended(place, code, (const char *const[]){PENDULA_PROGRAM, __VA_ARGS__, NULL})
Command command_ended(const Place *place, int code, const char *const *words);

void place_remove(const Place *place);

// Whether pictures can be drawn here; says so where not.
bool have_gnuplot(void);

// Skips the test where not.
void need_gnuplot(void);

// How often a text has a part.
size_t count_in(const char *text, const char *part);

// Stops the test unless the command ended so; shows what it said.
#define assert_code(command, expected)                                                                           \
    do {                                                                                                         \
        if ((command)->code != (expected))                                                                       \
            print_error("exit code %d, expected %d; stderr: %s\n", (command)->code, expected, (command)->error); \
        assert_int_equal((command)->code, expected);                                                             \
    } while (0)

// Stops the test unless `text` contains `part`.
#define assert_contains(text, part)                                \
    do {                                                           \
        if (!strstr(text, part))                                   \
            print_error("'%s' is not in:\n%.2000s\n", part, text); \
        assert_non_null(strstr(text, part));                       \
    } while (0)
