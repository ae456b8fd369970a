// help -- `pendula help [COMMAND]`: the commands by task, the options of one, and the pages that are made of them.
#include "cli/help.h"

#include "catalog/catalog.h"
#include "cli/manual.h"
#include "terminal/commands.h"

#include <stdio.h>
#include <string.h>

typedef struct HelpArguments {
    const char *command;
    bool        man, markdown;
} HelpArguments;

static const Option help_options[] = {
    {"man", 0, NULL, OPTION_FLAG(HelpArguments, man),
     "print a man page: of the command, of the program, or of docs/sweep-files.md or docs/files.md where COMMAND is "
     "its "
     "path"},
    {"markdown", 0, NULL, OPTION_FLAG(HelpArguments, markdown), "print what docs/commands.md has of it"}};

static bool check(void *arguments, Error *err)
{
    const HelpArguments *given = arguments;
    return !(given->man && given->markdown) || fail(err, ERROR_USAGE, "--man and --markdown exclude each other");
}

const Usage help_command_usage = {
    USAGE_OPTIONS(help_options),
    .arguments = {.shown = "[COMMAND]", .what = "command", .most = 1, OPTION_AT(HelpArguments, command, const char *)},
    .check = check, .about = "Lists the commands by task, or prints the options of one."};

void help_list(Text *text)
{
    text_add(text, "Usage: pendula COMMAND [OPTION...] [ARGUMENT...]\n"
                   "Parameter sweeps of small mechanical systems on OpenCL devices.\n\n");
    for (size_t i = 0; i < command_count; ++i) {
        const Command *command = &command_table[i];
        char           line[256];
        if (i == 0 || command->task != command_table[i - 1].task)
            text_add(text, "%s%s:\n", i == 0 ? "" : "\n", command_tasks[command->task]);
        const int length = snprintf(line, sizeof line, "  %s %s", command->name, command_arguments(command));
        // A long usage gets a line to itself.
        text_add(text, "%s%s%*s%s\n", line, length > 24 ? "\n" : "", length > 24 ? 26 : 26 - length, "",
                 command->about);
    }
    text_add(text,
             "\n`pendula COMMAND --help` prints the options of a command too, `pendula --version` the version.\n");
}

// Of a word that is not a command: the command that prints it, where it is a card's name or one of the lists. Always
// false.
static bool advise(const char *word, Error *err)
{
    static const char *const lists[] = {"problems", "methods", "metrics", "devices"};
    Catalog                  catalog SCOPED(catalog_free) = {0};
    size_t                   result;
    bool                     listed = false, known = false;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
        listed = listed || strcmp(word, lists[i]) == 0;
    if (!catalog_read(&catalog, err))
        return false;
    for (int kind = CARD_PROBLEM; kind <= CARD_METRIC; ++kind)
        known = known || catalog_find(&catalog, (CardKind)kind, word);
    if (listed || known || catalog_find_result(&catalog, word, &result))
        return fail(err, ERROR_USAGE, "'%.100s' is not a command; `pendula %s %.100s` prints %s", word,
                    listed ? "list" : "show", word, listed ? "them" : "its card");
    return false;
}

static bool print_help(void *arguments, Error *err)
{
    static char          option[] = "--help";
    const HelpArguments *given = arguments;
    const size_t         length = given->command ? strlen(given->command) : 0;
    const bool           page = given->man && length > 3 && strcmp(given->command + length - 3, ".md") == 0;
    const Command       *command = NULL;
    Text                 text SCOPED(text_free) = {0};
    if (page) {
        if (!manual_page(&text, given->command, err))
            return false;
    } else if (given->command && !command_find(given->command, &command, err)) {
        return advise(given->command, err);
    } else if (given->man) {
        manual_command(&text, command);
    } else if (given->markdown) {
        manual_markdown(&text, command);
    } else if (command) {
        char name[64];
        snprintf(name, sizeof name, "%s", command->name);
        return command->function(2, (char *[]){name, option, NULL}, err);
    } else {
        help_list(&text);
    }
    return options_print(&text, err);
}

OPTIONS_COMMAND(help_command, HelpArguments, help_command_usage, print_help, 0)
