// command -- tests run the built program, or another, as a child and look at what it prints and how it ends.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

extern char **environ;

enum { COMMAND_WORDS = 24, COMMAND_OUTPUT = 1 << 20 };

// A directory of its own for every test program.
typedef struct Place {
    char path[64];
} Place;

static inline void place_make(Place *place)
{
    snprintf(place->path, sizeof place->path, "/tmp/pendula-cli-XXXXXX");
    assert_non_null(mkdtemp(place->path));
}

static inline void place_write(const Place *place, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", place->path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline bool place_has(const Place *place, const char *name)
{
    char        path[512];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", place->path, name);
    return lstat(path, &about) == 0;
}

// Reads a file whole; to be freed.
static inline char *place_read(const char *path)
{
    char *text = calloc(1, COMMAND_OUTPUT);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    assert_non_null(file);
    assert_true(fread(text, 1, COMMAND_OUTPUT - 1, file) < COMMAND_OUTPUT - 1);
    fclose(file);
    return text;
}

// What a command did. Release with command_free().
typedef struct Command {
    int   code;         // exit code, or 128 + signal
    char *out, *error;  // stdout, unless it went elsewhere, and stderr
} Command;

static inline void command_free(Command *command)
{
    free(command->out);
    free(command->error);
    *command = (Command){0};
}

static inline int wait_for_exit(pid_t child)
{
    int state = 0;
    assert_int_equal(waitpid(child, &state, 0), child);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

// Runs `words` (ending with NULL) in the place. output: where stdout goes, e.g. "/dev/full"; NULL: it is kept; "": it
// is closed.
static inline Command command_run(const Place *place, const char *output, const char *const *words)
{
    posix_spawn_file_actions_t actions;
    char                       out[128], error[128], *arguments[COMMAND_WORDS] = {0};
    Command                    command = {0};
    pid_t                      child;
    for (size_t i = 0; words[i]; ++i) {
        assert_true(i + 1 < COMMAND_WORDS);
        arguments[i] = strdup(words[i]);
    }
    snprintf(out, sizeof out, "%s/.stdout-%d", place->path, (int)getpid());
    snprintf(error, sizeof error, "%s/.stderr-%d", place->path, (int)getpid());
    unlink(out);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (output && !*output)
        posix_spawn_file_actions_addclose(&actions, 1);
    else
        posix_spawn_file_actions_addopen(&actions, 1, output ? output : out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, place->path);
    assert_int_equal(posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    command.code = wait_for_exit(child);
    command.out = output ? NULL : place_read(out);
    command.error = place_read(error);
    unlink(out);
    unlink(error);
    for (size_t i = 0; i < COMMAND_WORDS; ++i)
        free(arguments[i]);
    return command;
}

// The program with these words, up to NULL.
#define PENDULA(place, ...) command_run(place, NULL, (const char *const[]){PENDULA_PROGRAM, __VA_ARGS__, NULL})

static inline void place_remove(const Place *place)
{
    const Place root = {"/tmp"};
    Command     command = command_run(&root, "/dev/null", (const char *const[]){"rm", "-rf", place->path, NULL});
    command_free(&command);
}

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
