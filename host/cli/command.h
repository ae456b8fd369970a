// command -- table of the commands: their purpose, usage, exit codes and examples.
//
// Help, man pages, docs/commands.md and completion are made of this table and of the usages that it names.
#pragma once

#include "terminal/commands.h"

// The purpose of a command. A list of commands begins a part with each.
typedef enum Task { TASK_RUN, TASK_LOOK, TASK_DECIDE, TASK_CHECK, TASK_OWN, TASK_HELP, TASK_COUNT } Task;
extern const char *const command_tasks[TASK_COUNT];

enum { COMMAND_EXITS = 8, COMMAND_EXAMPLES = 6 };

// A command line, without the program's name in front, and its effect.
typedef struct Example {
    const char *line, *about;
} Example;

typedef struct Command {
    Task        task;
    const char *name;
    bool (*function)(int argc, char **argv, Error *err);
    const Usage *usage;
    const char  *about;                       // one line
    ErrorKind    exits[COMMAND_EXITS];        // beside those of all commands; ERROR_NONE ends the list
    Example      examples[COMMAND_EXAMPLES];  // a NULL line ends the list
} Command;

extern const Command command_table[];
extern const size_t  command_count;

// An exit code and its meaning. Codes up to COMMAND_COMMON are those of all commands.
typedef struct CommandExit {
    ErrorKind   code;
    const char *about;
} CommandExit;

enum { COMMAND_COMMON = ERROR_INPUT };
extern const CommandExit command_exits[];
extern const size_t      command_exit_count;

// Whether a command can end with that code.
bool command_ends(const Command *command, ErrorKind code);

// The command's arguments for a line of help; "": it takes none.
const char *command_arguments(const Command *command);

// Finds a command by its name. Errors: ERROR_USAGE (no command has this name; the message has the nearest one).
bool command_find(const char *name, const Command **found, Error *err);
