// manual -- the manual, made of the table of commands: man pages, and the tables of docs/commands.md.
#pragma once

#include "cli/command.h"

// Adds the man page of the program, pendula(1), or of a command, pendula-COMMAND(1).
//   command  NULL: the program
void manual_command(Text *text, const Command *command);

// Adds the man page, of section 5, of a page of Markdown.
//   path  its name decides that of the man page: sweep-files.md is pendula-sweep(5), files.md pendula-files(5)
// Errors: ERROR_USAGE (another name), those of file_read().
bool manual_page(Text *text, const char *path, Error *err);

// Adds the list of all examples and exit codes, or the section of a command, as Markdown.
//   command  NULL: the list
void manual_markdown(Text *text, const Command *command);
