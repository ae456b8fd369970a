// options -- options of command lines, read by argp, as all commands share them.
#pragma once

#include "base/outputs.h"
#include "base/progress.h"

#include <argp.h>
#include <stddef.h>

// The words after repeated options such as `-s KEY=VALUE`. Zero-initialise it; release with options_free_words().
typedef struct Words {
    const char **items;  // [count]; owned, the texts are borrowed from argv
    size_t       count;
} Words;

// Adds a word. Errors: ERROR_INTERNAL (memory).
bool options_add_word(Words *words, const char *word, Error *err);
void options_free_words(Words *words);

// Option keys without a short letter begin here.
enum { OPTION_LONG = 256 };

// The options table's line for `-s KEY=VALUE`, the same on every command that takes a sweep.
#define OPTION_SET                                                                                               \
    {                                                                                                            \
        "set", 's', "KEY=VALUE", 0, "override a key of the sweep, e.g. parameters.eps=1e-3 (may be repeated)", 0 \
    }

// The options table's line for `--force`, the same on every command that writes files.
#define FORCE_OPTION(key)                                  \
    {                                                      \
        "force", key, NULL, 0, "replace existing files", 0 \
    }

// The options table's line for `--progress MODE`, the same on every command that has it; and what takes it in a parser
// function.
#define OPTION_PROGRESS(key)                                                                                    \
    {                                                                                                           \
        "progress", key, "MODE", 0,                                                                             \
            "auto: a line on a terminal, lines elsewhere; plain: lines; json: objects for programs; or none", 0 \
    }
error_t options_take_progress(const char *value, ProgressMode *mode, struct argp_state *state);

// Parses argv by an argp whose parser function takes an Options * as its input. An option the parser does not know, one
// without its value, too few or too many arguments fill err.
//   argp    children and filter unused; args_doc and doc are printed by --help
//   target  the command's own struct of what was given
//   done    written: true when --help was printed and the command shall do nothing more
// Errors: ERROR_USAGE, and what the parser itself put into the error.
typedef struct Options {
    void  *target;
    Error *err;
} Options;
bool options_parse(const struct argp *argp, int argc, char **argv, void *target, bool *done, Error *err);

// The device that PENDULA_DEVICE names: what `-d` is where it is not given. NULL: it is not set, or empty.
const char *options_device(void);

// The mode of progress that PENDULA_PROGRESS names: what `--progress` is where it is not given; auto where it is not
// set, or empty. Errors: ERROR_USAGE (there is no such mode).
bool options_progress(ProgressMode *mode, Error *err);

// The last event of a command's progress: "done", "stopped" or "failed".
const char *options_event(bool ok, const Error *err);

// For a parser function: fills the error with ERROR_USAGE and "COMMAND: <formatted text>; see `pendula COMMAND --help`"
// and returns the code that makes options_parse() stop.
error_t options_refuse(const struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

// For a parser function: takes the one argument of a command; ARGP_ERR_UNKNOWN for any other key.
//   what  "result file", for messages
error_t options_take_one(const char **taken, const char *what, int key, const char *value, struct argp_state *state);

// Writes a finished text to stdout, with what a terminal must not be shown escaped. What stdout still holds back is
// checked by main().
// Errors: ERROR_INTERNAL (an addition to the text ran out of memory), ERROR_IO.
bool options_print(const Text *text, Error *err);

// Writes a finished text to a file as it is, or where path is "-" to stdout, escaped.
// Errors: those of options_print() and outputs_write().
bool options_write(const Outputs *outputs, const char *path, const Text *text, Error *err);

// Prints a text, or one line, to stderr, escaped in the same way.
void options_log(const Text *text);
void options_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
