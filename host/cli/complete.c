// complete -- `pendula complete [--quoted] -- WORD...`: what can stand in place of the last word of a command line.
//
// Completion of bash, zsh and fish (host/cli/completion) asks this command, which is not listed. It prints a line for
// each candidate: the whole word, a tab, and a few words about it. A candidate that ends with / or = goes on. No device
// is asked, and no error is printed. Names from a file are printed as they are, never evaluated; a name with a control
// character in it is left out.
#include "base/scoped.h"
#include "catalog/catalog.h"
#include "cli/command.h"
#include "store/points.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_WORDS = 512 };

typedef struct Completion {
    const Command *command;
    const char    *word;               // the one that is completed
    size_t         kept;               // its first bytes stand before the candidates: "--metric=", "png,"
    const char    *words[MOST_WORDS];  // [count] the arguments before it
    size_t         count;
} Completion;

static bool is_line(const char *text)
{
    while ((unsigned char)*text >= ' ' && *text != 0x7f)
        ++text;
    return *text == '\0';
}

// Prints a candidate where the word begins so.
static void offer(const Completion *at, const char *name, const char *end, const char *about)
{
    const char *rest = at->word + at->kept;
    if (is_line(name) && strncmp(name, rest, strlen(rest)) == 0)
        printf("%.*s%s%s\t%s\n", (int)at->kept, at->word, name, end, is_line(about) ? about : "");
}

// Of a list with commas the last name is completed.
static void keep_list(Completion *at)
{
    const char *comma = strrchr(at->word + at->kept, ',');
    if (comma)
        at->kept = (size_t)(comma + 1 - at->word);
}

static void offer_devices(Completion *at)
{
    keep_list(at);
    offer(at, "gpu", "", "the first GPU");
    offer(at, "cpu", "", "the first CPU");
    offer(at, "native", "", "a C compiler, without OpenCL");
    offer(at, "reference", "", "the second implementation, in plain C");
    offer(at, "all", "", "all devices together");
}

// Metrics are the results of metric files.
static void offer_cards(const Completion *at, unsigned kinds)
{
    Catalog    catalog SCOPED(catalog_free) = {0};
    Error      err = {0};
    const bool read = catalog_read(&catalog, &err);
    for (size_t i = 0; read && (kinds & 1u << CARD_METRIC) && i < OWN_METRICS; ++i)
        offer(at, catalog_own_metrics[i].name, "", catalog_own_metrics[i].about);
    for (size_t i = 0; read && i < catalog.card_count; ++i) {
        const Card *card = &catalog.cards[i];
        if (!(kinds & 1u << card->kind))
            continue;
        if (card->kind != CARD_METRIC)
            offer(at, card->name, "", card->title);
        for (size_t r = 0; r < card->result_count; ++r)
            offer(at, card->results[r].name, "", card->results[r].about);
    }
}

// The names of a result file that can be asked for.
typedef enum CompletePart { PART_GROUPS, PART_AXES, PART_METRICS, PART_FIELDS } CompletePart;

// A result, or where it has a number for each degree of freedom its numbers, by the names of the coordinates.
static void offer_result(const Completion *at, const Points *points, const StoreVariable *variable)
{
    const StoreGroup *group = points->group;
    char              name[512];
    if (points_is_metric(points, variable))
        offer(at, variable->name, "", variable->about);
    for (size_t i = 0; points_width(points, variable) > 1 && i < group->dof_count; ++i) {
        snprintf(name, sizeof name, "%s[%s]", variable->name, group->dofs[i].name);
        offer(at, name, "", variable->about);
    }
}

static void offer_group(const Completion *at, const StoreFile *file, const StoreGroup *group, CompletePart part,
                        const char *end)
{
    Points points SCOPED(points_close) = {0};
    Error  err = {0};
    if (part == PART_GROUPS)
        offer(at, group->label, "", "");
    else if (!points_open_design(file, group, &points, &err))
        return;
    for (size_t i = 0; part == PART_AXES && i < points.axis_count; ++i)
        offer(at, points.axes[i].name, end, "");
    for (size_t i = 0; part != PART_GROUPS && i < group->variable_count; ++i) {
        const StoreVariable *variable = &group->variables[i];
        if (part == PART_METRICS)
            offer_result(at, &points, variable);
        else if (part == PART_FIELDS && !variable->scale && points_is_trajectory(variable))
            offer(at, variable->name, "", variable->about);
    }
}

// The path of an argument; ~/ is the home of the user, since the shell has not replaced it yet.
static void add_path(Text *path, const char *word)
{
    const char *home = getenv("HOME");
    if (word[0] == '~' && word[1] == '/' && home)
        text_add(path, "%s%s", home, word + 1);
    else
        text_add(path, "%s", word);
}

// Whether an argument is a result file; then its names are offered, each as often as it is there: shells drop doubles.
static bool offer_part(const Completion *at, CompletePart part, const char *end)
{
    for (size_t i = 0; i < at->count; ++i) {
        StoreFile file SCOPED(store_read_close) = {0};
        Text      path SCOPED(text_free) = {0};
        Error     err = {0};
        add_path(&path, at->words[i]);
        if (!path.text || !store_read_open(path.text, &file, &err))
            continue;
        for (size_t g = 0; g < file.group_count; ++g)
            offer_group(at, &file, &file.groups[g], part, end);
        return true;
    }
    return false;
}

// Whether a name ends with one of the endings in a text such as "FILE.cl|SWEEP.yaml"; any does where it has none.
static bool has_ending(const char *name, const char *shown, size_t length)
{
    bool        some = false;
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; i < length; ++i) {
        const size_t count = shown[i] == '.' ? strspn(shown + i + 1, "abcdefghijklmnopqrstuvwxyz0123456789") : 0;
        some = some || count > 0;
        if (count > 0 && ending && strlen(ending) == count + 1 && strncmp(ending, shown + i, count + 1) == 0)
            return true;
    }
    return !some;
}

// Files of these endings, and folders.
static void offer_files(const Completion *at, const char *shown, size_t length)
{
    Completion  in = *at;
    Text        folder SCOPED(text_free) = {0}, path SCOPED(text_free) = {0}, typed SCOPED(text_free) = {0};
    const char *slash = strrchr(at->word + at->kept, '/');
    struct stat about;
    text_add_bytes(&typed, at->word + at->kept, slash ? (size_t)(slash + 1 - at->word) - at->kept : 0);
    add_path(&folder, typed.text && *typed.text ? typed.text : "./");
    DIR *entries = folder.text ? opendir(folder.text) : NULL;
    in.kept = slash ? (size_t)(slash + 1 - at->word) : at->kept;
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        const char *name = entry->d_name;
        text_free(&path);
        text_add(&path, "%s%s", folder.text, name);
        // Hidden files are offered to who types the dot.
        if ((name[0] == '.' && at->word[in.kept] != '.') || !path.text || stat(path.text, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode) && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            offer(&in, name, "/", "");
        else if (S_ISREG(about.st_mode) && has_ending(name, shown, length))
            offer(&in, name, "", "");
    }
    if (entries)
        closedir(entries);
}

static bool is_shown(const char *shown, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(shown, name, length) == 0;
}

// Words with bars between them: "problems|methods|metrics".
static void offer_choices(const Completion *at, const char *shown, size_t length)
{
    char word[64];
    for (size_t i = 0; i < length;) {
        const size_t count = strcspn(shown + i, "| ");
        snprintf(word, sizeof word, "%.*s", (int)count, shown + i);
        offer(at, word, "", "");
        i += count + 1;
    }
}

// What the name of a value stands for, in the usage of an option or of arguments: "DEVICE", "FILE.h5", "METRIC".
static void offer_shown(Completion *at, const char *shown, size_t length)
{
    length -= length > 3 && strncmp(shown + length - 3, "...", 3) == 0 ? 3 : 0;
    length -= length > 0 && shown[length - 1] == ',' ? 1 : 0;
    if (is_shown(shown, length, "DEVICE")) {
        offer_devices(at);
    } else if (is_shown(shown, length, "METHOD") || is_shown(shown, length, "FROM") || is_shown(shown, length, "TO")) {
        offer_cards(at, 1u << CARD_METHOD);
    } else if (is_shown(shown, length, "PROBLEM")) {
        offer_cards(at, 1u << CARD_PROBLEM);
    } else if (is_shown(shown, length, "NAME")) {
        offer_cards(at, 1u << CARD_PROBLEM | 1u << CARD_METHOD | 1u << CARD_METRIC);
    } else if (is_shown(shown, length, "METRIC")) {
        if (!offer_part(at, PART_METRICS, ""))
            offer_cards(at, 1u << CARD_METRIC);
    } else if (is_shown(shown, length, "LABEL")) {
        if (!offer_part(at, PART_GROUPS, ""))
            offer_cards(at, 1u << CARD_METHOD);
    } else if (is_shown(shown, length, "FIELD")) {
        offer_part(at, PART_FIELDS, "");
    } else if (is_shown(shown, length, "AXIS") || is_shown(shown, length, "X,Y")) {
        keep_list(at);
        offer_part(at, PART_AXES, "");
    } else if (is_shown(shown, length, "AXIS=VALUE")) {
        keep_list(at);
        offer_part(at, PART_AXES, "=");
    } else if (is_shown(shown, length, "COMMAND")) {
        for (size_t i = 0; i < command_count; ++i)
            offer(at, command_table[i].name, "", command_table[i].about);
    } else if (memchr(shown, '.', length) || is_shown(shown, length, "FILE") || is_shown(shown, length, "STEM")) {
        offer_files(at, shown, length);
    } else if (memchr(shown, '|', length)) {
        offer_choices(at, shown, length);
    }
}

static void offer_value(Completion *at, const Option *option)
{
    const OptionValue *as = &option->value;
    if (as->kind == OPTION_IS_BITS)
        keep_list(at);
    for (size_t i = 0; i < as->word_count; ++i)
        if (*as->words[i])
            offer(at, as->words[i], "", "");
    if (as->word_count == 0)
        offer_shown(at, option->shown, strlen(option->shown));
}

static void offer_options(const Completion *at)
{
    const Usage *usage = at->command->usage;
    char         name[80];
    for (size_t i = 0; i < usage->option_count; ++i)
        if (usage->options[i].name) {
            snprintf(name, sizeof name, "--%s", usage->options[i].name);
            offer(at, name, "", usage->options[i].about);
        }
    offer(at, "--help", "", "print the options and exit");
}

// An argument by its place. An option among the arguments, as in "-o FILE.h5 SHARD.h5...", has no place.
static void offer_argument(Completion *at)
{
    size_t place = 0;
    for (const char *shown = command_arguments(at->command); *shown;) {
        shown += strspn(shown, " [");
        const size_t length = strcspn(shown, " ]");
        const char  *next = shown + length + strspn(shown + length, " ]");
        const bool   more = length > 3 && strncmp(shown + length - 3, "...", 3) == 0;
        if (*shown == '-')
            next += strcspn(next, " "), next += strspn(next, " ");
        else if (place++ == at->count || more) {
            offer_shown(at, shown, length);
            return;
        }
        shown = next;
    }
}

// The option of a word: by its name, which may be cut short where that is clear, or by its letter. NULL: there is none.
//   length  of the word without "=VALUE"
static const Option *find_option(const Usage *usage, const char *word, size_t length)
{
    const Option *found = NULL;
    for (size_t i = 0; i < usage->option_count; ++i) {
        const Option *option = &usage->options[i];
        const bool    is_long = word[1] == '-';
        if (option->name && is_long && strncmp(option->name, word + 2, length - 2) == 0) {
            if (strlen(option->name) == length - 2)
                return option;
            found = found ? NULL : option;
        } else if (option->letter && !is_long && option->letter == word[1]) {
            return option;
        }
    }
    return found;
}

// Reads the words before the last as a command line, and completes the last.
static void complete_line(Completion *at, char **words, size_t count)
{
    const Option *open = NULL;  // it waits for its value
    bool          options = true;
    for (size_t i = 0; i < count; ++i) {
        const char  *word = words[i];
        const bool   last = i + 1 == count, is_option = options && word[0] == '-' && word[1] != '\0';
        const size_t length = strcspn(word, "=");
        const bool   valued = word[length] == '=' && word[1] == '-';
        if (last) {
            at->word = word;
            const Option *option = is_option && valued && !open ? find_option(at->command->usage, word, length) : NULL;
            at->kept = option ? length + 1 : 0;
            if (open || (option && option->shown))
                offer_value(at, open ? open : option);
            else if (options && word[0] == '-')
                offer_options(at);
            else
                offer_argument(at);
        } else if (open) {
            open = NULL;
        } else if (is_option && strcmp(word, "--") == 0) {
            options = false;
        } else if (is_option) {
            open = find_option(at->command->usage, word, length);
            open = open && open->shown && !valued && (word[1] == '-' || word[2] == '\0') ? open : NULL;
        } else if (at->count < MOST_WORDS) {
            at->words[at->count++] = word;
        }
    }
}

// Takes the quotes of a shell off a word, in place.
static void unquote(char *word)
{
    char quote = '\0', *to = word;
    for (const char *c = word; *c; ++c) {
        if (quote == '\0' && (*c == '"' || *c == '\''))
            quote = *c;
        else if (*c == quote)
            quote = '\0';
        else if (*c == '\\' && quote != '\'' && c[1] && (quote == '\0' || strchr("\\\"$`", c[1])))
            *to++ = *++c;
        else
            *to++ = *c;
    }
    *to = '\0';
}

bool complete_command(int argc, char **argv, Error *err)
{
    Completion at = {0};
    const bool quoted = argc > 1 && strcmp(argv[1], "--quoted") == 0;
    const int  first = quoted ? 3 : 2;
    Error      unknown = {0};
    if (argc <= first || strcmp(argv[first - 1], "--") != 0)
        return fail(err, ERROR_USAGE, "which words? `pendula complete [--quoted] -- WORD...`");
    for (int i = first; quoted && i < argc; ++i)
        unquote(argv[i]);
    at.word = argv[first];
    if (argc > first + 1) {
        if (command_find(argv[first], &at.command, &unknown))
            complete_line(&at, argv + first + 1, (size_t)(argc - first - 1));
    } else if (at.word[0] == '-') {
        offer(&at, "--help", "", "lists the commands by task");
        offer(&at, "--version", "", "prints the version and the facts of the build");
    } else {
        offer_shown(&at, "COMMAND", strlen("COMMAND"));
    }
    return true;
}
