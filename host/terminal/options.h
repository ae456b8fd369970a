// options -- options and arguments of command lines: each command has a table of its options, and one parser, on top of
// argp, fills the command's own struct by it. --help is printed from the same table.
//
//   typedef struct DiffArguments {
//       const char *paths[2];
//       double      relative;
//       bool        json;
//   } DiffArguments;
//
//   static const Option diff_options[] = {
//       {"rtol", 0, "R", OPTION_NUMBER(DiffArguments, relative, NUMBERS_NOT_NEGATIVE), "numbers may differ by ..."},
//       {"json", 0, NULL, OPTION_FLAG(DiffArguments, json), "print an object for programs"}};
//   static const Usage diff_command_usage = {USAGE_OPTIONS(diff_options), .about = "Compares two result files.",
//                                    .arguments = ARGUMENTS_TWO(DiffArguments, paths, "A.h5 B.h5", "result file")};
//
//   OPTIONS_COMMAND(diff_command, DiffArguments, diff_command_usage, diff, 0)
#pragma once

#include "base/outputs.h"
#include "base/progress.h"
#include "terminal/coordinates.h"
#include "terminal/numbers.h"

#include <stddef.h>
#include <stdint.h>

// The values of repeated options such as `-s KEY=VALUE`. Zero-initialise it; release with options_free_words().
typedef struct Words {
    const char **items;  // [count]; owned, the texts are borrowed from argv
    size_t       count;
} Words;

// Adds a word. Errors: ERROR_INTERNAL (memory).
bool options_add_word(Words *words, const char *word, Error *err);
void options_free_words(Words *words);

// The kind of an option's value. An option that is given again replaces its value, except lists, which grow.
typedef enum OptionKind {
    OPTION_IS_HEADING,  // no option: a line above the options behind it
    OPTION_IS_FLAG,     // none
    OPTION_IS_TEXT,
    OPTION_IS_TEXTS,    // one of a list
    OPTION_IS_LIST,     // several of it, with commas between them
    OPTION_IS_NAME,     // one of some choices
    OPTION_IS_WORD,     // the same, of which the place is kept
    OPTION_IS_BITS,     // several choices with commas, of which the places become bits
    OPTION_IS_WHOLE,    // a whole number in a range
    OPTION_IS_NUMBER,   // a number in a range
    OPTION_IS_NUMBERS,  // a list of them with commas
    OPTION_IS_RANGE,    // A,B with A < B
    OPTION_IS_VALUES,   // NAME=VALUE,...
    OPTION_IS_OWN       // a value that the command's own function reads
} OptionKind;

// Reads the value of an option, which may be changed in place.
//   option  "--NAME", with which messages begin
// Errors: ERROR_USAGE, ERROR_INTERNAL.
typedef bool OptionTake(const char *option, char *value, void *target, Error *err);

typedef struct OptionValue {
    OptionKind         kind;
    size_t             target;  // offset in the command's struct of the member that takes the value
    const char *const *words;   // [word_count]; "" is none
    size_t             word_count;
    uint64_t           least, most;  // of a whole number; of a list how many there may be
    NumbersRange       range;
    OptionTake        *take;
    const char        *no_reference;  // of a device: why it cannot be the reference; NULL: it can
} OptionValue;

typedef struct Option {
    const char *name;    // of a long option: "output" of --output
    char        letter;  // of a short one: 'o' of -o; 0: there is none
    const char *shown;   // name of its value, by which host/cli/complete.c knows what it is; NULL: it takes none
    OptionValue value;
    const char *about;  // for --help
} Option;

// The offset of a member, which does not compile where its type is another one; and the choices of an array.
#define OPTION_AT(T, member, type) .target = _Generic(((T *)NULL)->member, type : offsetof(T, member))
#define OPTION_OF(list) .words = (list), .word_count = sizeof(list) / sizeof *(list)
// The braces around a struct.
#define OPTION_BRACES(...) \
    {                      \
        __VA_ARGS__        \
    }

// The value of an option, by the type of the member of T that takes it: bool, const char *, Words, an enum, uint64_t,
// double, Numbers, double[2], Coordinates. A list of choices is an array, a number's range is one of numbers.h.
#define OPTION_FLAG(T, member) OPTION_BRACES(.kind = OPTION_IS_FLAG, OPTION_AT(T, member, bool))
#define OPTION_TEXT(T, member) OPTION_BRACES(.kind = OPTION_IS_TEXT, OPTION_AT(T, member, const char *))
#define OPTION_TEXTS(T, member) OPTION_BRACES(.kind = OPTION_IS_TEXTS, OPTION_AT(T, member, Words))
#define OPTION_LIST(T, member) OPTION_BRACES(.kind = OPTION_IS_LIST, OPTION_AT(T, member, Words))
#define OPTION_NAME(T, member, list) \
    OPTION_BRACES(.kind = OPTION_IS_NAME, OPTION_AT(T, member, const char *), OPTION_OF(list))
#define OPTION_WORD(T, member, list) \
    OPTION_BRACES(.kind = OPTION_IS_WORD, OPTION_AT(T, member, unsigned), OPTION_OF(list))
#define OPTION_BITS(T, member, list) \
    OPTION_BRACES(.kind = OPTION_IS_BITS, OPTION_AT(T, member, unsigned), OPTION_OF(list))
#define OPTION_WHOLE(T, member, from, to) \
    OPTION_BRACES(.kind = OPTION_IS_WHOLE, OPTION_AT(T, member, uint64_t), .least = (from), .most = (to))
#define OPTION_NUMBER(T, member, in) OPTION_BRACES(.kind = OPTION_IS_NUMBER, OPTION_AT(T, member, double), .range = in)
#define OPTION_NUMBERS(T, member, count, in) \
    OPTION_BRACES(.kind = OPTION_IS_NUMBERS, OPTION_AT(T, member, Numbers), .most = (count), .range = in)
#define OPTION_RANGE(T, member, in) OPTION_BRACES(.kind = OPTION_IS_RANGE, OPTION_AT(T, member, double *), .range = in)
#define OPTION_VALUES(T, member) OPTION_BRACES(.kind = OPTION_IS_VALUES, OPTION_AT(T, member, Coordinates))

// A value that the command's own function reads: the function gets the whole struct, or a member of that type.
#define OPTION_OWN(function) OPTION_BRACES(.kind = OPTION_IS_OWN, .take = (function))
#define OPTION_OWN_AT(T, member, type, function) \
    OPTION_BRACES(.kind = OPTION_IS_OWN, OPTION_AT(T, member, type), .take = (function))

// A device that must have kernels, or several; `why` the reference will not do.
#define OPTION_DEVICE(T, member, why) \
    OPTION_BRACES(.kind = OPTION_IS_TEXT, OPTION_AT(T, member, const char *), .no_reference = (why))
#define OPTION_DEVICES(T, member, why) \
    OPTION_BRACES(.kind = OPTION_IS_TEXTS, OPTION_AT(T, member, Words), .no_reference = (why))

// Whole options that several commands have: `-s KEY=VALUE` where a sweep is taken, `--force` where files are written,
// `--progress MODE`, `--json`; and a heading above the options behind it.
#define OPTION_ROW_SET(T, member)                                   \
    OPTION_BRACES("set", 's', "KEY=VALUE", OPTION_TEXTS(T, member), \
                  "override a key of the sweep, e.g. parameters.eps=1e-3 (may be repeated)")
#define OPTION_ROW_FORCE(T, member) OPTION_BRACES("force", 0, NULL, OPTION_FLAG(T, member), "replace existing files")
#define OPTION_ROW_PROGRESS(T, member)                                           \
    OPTION_BRACES("progress", 0, "MODE", OPTION_WORD(T, member, progress_modes), \
                  "auto: a line on a terminal, lines elsewhere; plain: lines; json: objects for programs; or none")
#define OPTION_ROW_JSON(T, member) \
    OPTION_BRACES("json", 0, NULL, OPTION_FLAG(T, member), "print an object for programs")
#define OPTION_ROW_HEADING(text) OPTION_BRACES(NULL, 0, NULL, {.kind = OPTION_IS_HEADING}, text)

// The arguments of a command line beside its options.
typedef struct UsageArguments {
    const char *shown;        // for --help, e.g. "FILE.h5"
    const char *what;         // for messages, in the singular, e.g. "result file"
    size_t      least, most;  // how many there are
    bool        listed;       // they go into Words; else into so many `const char *`
    size_t      target;
} UsageArguments;

// One, two, and any number of them from `from` on.
#define ARGUMENTS_ONE(T, member, name, of) \
    OPTION_BRACES(.shown = (name), .what = (of), .least = 1, .most = 1, OPTION_AT(T, member, const char *))
#define ARGUMENTS_TWO(T, member, name, of) \
    OPTION_BRACES(.shown = (name), .what = (of), .least = 2, .most = 2, OPTION_AT(T, member, const char **))
#define ARGUMENTS_ALL(T, member, name, of, from)                                                    \
    OPTION_BRACES(.shown = (name), .what = (of), .least = (from), .most = SIZE_MAX, .listed = true, \
                  OPTION_AT(T, member, Words))

typedef struct Usage {
    const Option  *options;  // [option_count]
    size_t         option_count;
    UsageArguments arguments;
    const char    *remedy;         // behind the question for an argument that is missing; or NULL
    const char    *about, *notes;  // --help prints them before and behind the options; notes may be NULL
    // Refuses values that do not go together, once all is read: ERROR_USAGE; or NULL.
    bool (*check)(void *given, Error *err);
} Usage;

#define USAGE_OPTIONS(rows) .options = (rows), .option_count = sizeof(rows) / sizeof *(rows)

// Reads a command line into the command's struct and runs the command, or prints --help. Lists that options have filled
// are released.
//   given  the command's own struct; members that are not given keep their values
//   run    the command, which gets that struct
// Errors: ERROR_USAGE (an option that is not known, or without its value; a value of another kind; too few or too many
// arguments; values that the command's functions refuse), those of the run.
typedef bool OptionsRun(void *given, Error *err);
bool         options_run(const Usage *usage, int argc, char **argv, void *given, OptionsRun *run, Error *err);

// Defines the function of a command that does so (terminal/commands.h).
//   T, ...  its struct, and the values of members that are not given
#define OPTIONS_COMMAND(command, T, usage, run, ...)              \
    bool command(int argc, char **argv, Error *err)               \
    {                                                             \
        T given = {__VA_ARGS__};                                  \
        return options_run(&usage, argc, argv, &given, run, err); \
    }

// The place of a word in a list of choices. Errors: ERROR_USAGE: "OPTION takes A, B or C, got 'WORD'", and which may be
// meant.
bool options_find_word(const char *option, const char *word, const char *const *words, size_t count, unsigned *place,
                       Error *err);

// The device that PENDULA_DEVICE names: the value of `-d` where it is not given. NULL: it is not set, or empty.
const char *options_device(void);

// The mode of progress that PENDULA_PROGRESS names: the value of `--progress` where it is not given; auto where the
// variable is not set, or empty. Errors: ERROR_USAGE (there is no such mode).
bool options_progress(ProgressMode *mode, Error *err);

// The last event of a command's progress: "done", "stopped" or "failed".
const char *options_event(bool ok, const Error *err);

// Writes a finished text to stdout, with the characters escaped that a terminal must not be shown. main() checks the
// output that stdout still holds back.
// Errors: ERROR_INTERNAL (an addition to the text ran out of memory), ERROR_IO.
bool options_print(const Text *text, Error *err);

// Writes a finished text to a file as it is, or where path is "-" to stdout, escaped.
// Errors: those of options_print() and outputs_write().
bool options_write(const Outputs *outputs, const char *path, const Text *text, Error *err);

// Prints a text, or one line, to stderr, escaped in the same way.
void options_log(const Text *text);
void options_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Prints "pendula: LINE" likewise, as a callback that takes a line. `user` is not used.
void options_tell(const char *line, void *user);
