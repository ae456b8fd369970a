// manual -- man pages and Markdown from the table of commands.
#include "cli/manual.h"

#include "base/file.h"
#include "cli/roff.h"
#include "cli/version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST_PAGE = 1 << 20 };

static const struct {
    const char *file, *name, *about;
} pages[] = {{"sweep-files.md", "pendula-sweep", "sweep files of pendula: the grammar"},
             {"files.md", "pendula-files", "result files of pendula: groups, datasets, attributes"}};
enum { PAGES = sizeof pages / sizeof *pages };

static void begin_page(Roff *roff, const char *name, int section, const char *about)
{
    char title[64];
    snprintf(title, sizeof title, "%s", name);
    for (char *c = title; *c; ++c)
        *c = (char)toupper((unsigned char)*c);
    roff_command(roff, ".TH %s %d %s \"pendula %s\" Pendula", title, section, version_date(), PENDULA_VERSION);
    // Names of options are neither parted nor stretched.
    roff_command(roff, ".nh\n.ad l");
    roff_heading(roff, false, "NAME");
    roff_add(roff, name);
    text_add(roff->text, " \\-");
    roff->column += 3;
    roff_add(roff, about);
}

static void add_exits(Roff *roff, const Command *command)
{
    roff_heading(roff, false, "EXIT STATUS");
    for (size_t i = 0; i < command_exit_count; ++i)
        if (!command || command_ends(command, command_exits[i].code)) {
            char code[16];
            snprintf(code, sizeof code, "%d", (int)command_exits[i].code);
            roff_entry(roff, code, "");
            roff_add(roff, command_exits[i].about);
        }
}

static void add_examples(Roff *roff, const Command *command)
{
    roff_heading(roff, false, "EXAMPLES");
    for (size_t i = 0; i < COMMAND_EXAMPLES && command->examples[i].line; ++i) {
        char line[256];
        snprintf(line, sizeof line, "pendula %s", command->examples[i].line);
        roff_entry(roff, line, "");
        roff_add(roff, command->examples[i].about);
    }
}

static void add_options(Roff *roff, const Usage *usage)
{
    char words[128];
    roff_heading(roff, false, "OPTIONS");
    for (size_t i = 0; i < usage->option_count; ++i) {
        const Option *option = &usage->options[i];
        if (option->name) {
            snprintf(words, sizeof words, "%s%s--%s%s", option->letter ? (char[]){'-', option->letter, '\0'} : "",
                     option->letter ? ", " : "", option->name, option->shown ? "=" : "");
            roff_entry(roff, words, option->shown ? option->shown : "");
            roff_add(roff, option->about);
        } else {
            roff_heading(roff, true, option->about);
        }
    }
    roff_entry(roff, "-?, --help", "");
    roff_add(roff, "print the options and exit");
}

// The other commands of the same purpose; of the program, all.
static void add_others(Roff *roff, const Command *command)
{
    roff_heading(roff, false, "SEE ALSO");
    if (command)
        roff_command(roff, ".BR pendula (1),");
    for (size_t i = 0; i < command_count; ++i)
        if (command != &command_table[i] && (!command || command_table[i].task == command->task))
            roff_command(roff, ".BR pendula\\-%s (1),", command_table[i].name);
    roff_command(roff, ".BR pendula\\-sweep (5),\n.BR pendula\\-files (5)");
}

static void add_program(Roff *roff)
{
    begin_page(roff, "pendula", 1, "parameter sweeps of small mechanical systems on OpenCL devices");
    roff_command(roff, ".SH SYNOPSIS\n.B pendula\n.I COMMAND\n.RI [ OPTION ...\\&]\n.RI [ ARGUMENT ...\\&]");
    roff_heading(roff, false, "DESCRIPTION");
    roff_add(roff, "Results go to standard output, progress and messages to standard error. `pendula COMMAND --help` "
                   "prints the options of a command, `pendula --version` the version and the facts of its build.");
    for (size_t i = 0; i < command_count; ++i) {
        char name[64], arguments[128];
        if (i == 0 || command_table[i].task != command_table[i - 1].task) {
            roff_heading(roff, true, command_tasks[command_table[i].task]);
        }
        snprintf(name, sizeof name, "%s ", command_table[i].name);
        snprintf(arguments, sizeof arguments, "%s", command_arguments(&command_table[i]));
        roff_entry(roff, name, arguments);
        roff_add(roff, command_table[i].about);
    }
}

void manual_command(Text *text, const Command *command)
{
    Roff roff = {.text = text};
    char name[64];
    if (command) {
        const Usage *usage = command->usage;
        snprintf(name, sizeof name, "pendula-%s", command->name);
        begin_page(&roff, name, 1, command->about);
        roff_command(&roff, ".SH SYNOPSIS\n.B pendula %s\n.RI [ OPTION ...\\&]", command->name);
        if (usage->arguments.shown)
            roff_command(&roff, ".I %s", usage->arguments.shown);
        roff_heading(&roff, false, "DESCRIPTION");
        roff_paragraphs(&roff, usage->about);
        if (usage->notes) {
            roff_paragraph(&roff);
            roff_paragraphs(&roff, usage->notes);
        }
        add_options(&roff, usage);
        add_examples(&roff, command);
    } else {
        add_program(&roff);
    }
    add_exits(&roff, command);
    add_others(&roff, command);
}

bool manual_page(Text *text, const char *path, Error *err)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    Arena       arena SCOPED(arena_free) = {0};
    Roff        roff = {.text = text};
    char       *page;
    size_t      i = 0;
    while (i < PAGES && strcmp(pages[i].file, file) != 0)
        ++i;
    if (i == PAGES)
        return fail(err, ERROR_USAGE, "'%.200s' is no page with a man page: these are %s and %s", path, pages[0].file,
                    pages[1].file);
    if (!file_read(path, LARGEST_PAGE, &arena, &page, NULL, err))
        return false;
    begin_page(&roff, pages[i].name, 5, pages[i].about);
    roff_heading(&roff, false, "DESCRIPTION");
    roff_markdown(&roff, page);
    roff_heading(&roff, false, "SEE ALSO");
    roff_command(&roff, ".BR pendula (1),\n.BR %s (5)", pages[!i].name);
    return true;
}

// The cell of a table: a bar would end it.
static void add_cell(Text *text, const char *words)
{
    for (; *words; ++words)
        text_add(text, *words == '|' ? "\\|" : *words == '\n' ? " " : "%c", *words);
}

static void add_option_row(Text *text, const Option *option)
{
    if (!option->name) {
        text_add(text, "| **%s** | |\n", option->about);
        return;
    }
    text_add(text, "| ");
    if (option->letter)
        text_add(text, "`-%c`, ", option->letter);
    text_add(text, "`--%s%s", option->name, option->shown ? "=" : "");
    add_cell(text, option->shown ? option->shown : "");
    text_add(text, "` | ");
    add_cell(text, option->about);
    text_add(text, " |\n");
}

static void list_examples(Text *text, const Command *command)
{
    for (size_t i = 0; i < COMMAND_EXAMPLES && command->examples[i].line; ++i)
        text_add(text, "pendula %-34s %s%s\n", command->examples[i].line,
                 strlen(command->examples[i].line) > 34 ? "  " : "", command->examples[i].about);
}

// Text of a usage. Lines that begin with two spaces become a block that keeps its layout.
static void add_prose(Text *text, const char *prose)
{
    bool block = false;
    text_add(text, "\n");
    for (const char *at = prose; *at;) {
        const size_t length = strcspn(at, "\n");
        const bool   inset = at[0] == ' ' && at[1] == ' ';
        if (inset != block)
            text_add(text, "```\n");
        block = inset;
        text_add_bytes(text, at, length);
        text_add(text, "\n");
        at += length + (at[length] == '\n');
    }
    text_add(text, block ? "```\n" : "");
}

static void add_section(Text *text, const Command *command)
{
    const Usage *usage = command->usage;
    const char  *between = "";
    const char  *arguments = command_arguments(command);
    text_add(text, "### %s\n`pendula %s [OPTION...]%s%s` %s.\n", command->name, command->name, *arguments ? " " : "",
             arguments, command->about);
    add_prose(text, usage->about);
    text_add(text, "\n| option | effect |\n|---|---|\n");
    for (size_t i = 0; i < usage->option_count; ++i)
        add_option_row(text, &usage->options[i]);
    text_add(text, "| `-?`, `--help` | print the options and exit |\n");
    if (usage->notes)
        add_prose(text, usage->notes);
    text_add(text, "\nExit codes: ");
    for (size_t i = 0; i < command_exit_count; ++i)
        if (command_ends(command, command_exits[i].code)) {
            text_add(text, "%s%d", between, (int)command_exits[i].code);
            between = ", ";
        }
    text_add(text, ".\n\n```\n");
    list_examples(text, command);
    text_add(text, "```\n");
}

void manual_markdown(Text *text, const Command *command)
{
    if (command) {
        add_section(text, command);
        return;
    }
    text_add(text, "```\n");
    for (size_t i = 0; i < command_count; ++i)
        list_examples(text, &command_table[i]);
    text_add(text, "```\n\n## Exit codes\n| code | meaning |\n|---|---|\n");
    for (size_t i = 0; i < command_exit_count; ++i)
        text_add(text, "| %d | %s |\n", (int)command_exits[i].code, command_exits[i].about);
}
