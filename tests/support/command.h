// command -- tests run the built program, or another, as a child, in a folder that they share, and look at what it
// prints and how it ends.
#pragma once

#include "support/test.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMAND_WORDS = 24 };

// The folder of a test program: make_place() makes it before the first test, remove_place() removes it after the last.
typedef struct Place {
    char path[64];
} Place;
extern Place place;

int make_place(void **state);
int remove_place(void **state);

// The path of a file of the folder.
typedef struct Path {
    char text[512];
} Path;
Path path_of(const char *name);

void place_write(const char *name, const char *text);
bool place_has(const char *name);

// What a command did; its texts are released after the test.
typedef struct Command {
    int   code;         // exit code, or 128 + signal
    char *out, *error;  // stdout, unless it went elsewhere, and stderr
} Command;

int wait_for_exit(pid_t child);

// Runs `words` (ending with NULL) in the folder. output: where stdout goes, e.g. "/dev/full"; NULL: it is kept; "": it
// is closed.
Command command_run(const char *output, const char *const *words);

// The program with these words, up to NULL.
#define PENDULA(...) command_run(NULL, (const char *const[]){PENDULA_PROGRAM, __VA_ARGS__, NULL})

// The same, which must end with this code.
#define ENDED(code, ...) command_ended(code, (const char *const[]){PENDULA_PROGRAM, __VA_ARGS__, NULL})
Command command_ended(int code, const char *const *words);

// Writes NAME.yaml and runs it into NAME.h5.
void make_result(const char *name, const char *sweep, const char *device);

// Whether pictures can be drawn here; says so where not.
bool have_gnuplot(void);

// Skips the test where not.
void need_gnuplot(void);

// Stops the test unless a file of the folder is a PNG.
void assert_png(const char *name);

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
