// options -- command lines read by argp, by the option table of a command.
#include "terminal/options.h"

#include "base/suggest.h"
#include "base/utf8.h"

#include <argp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Keys of options without a short letter begin at LONG.
enum { MOST_OPTIONS = 32, WORD_SHOWN = 200, LONG = 256 };

// A command line that is read.
typedef struct Parse {
    const Usage *usage;
    char        *given;  // the command's own struct
    Error       *err;
    const char  *first;  // argument
    size_t       arguments;
    bool         help;
    int          next;  // index in argv behind the word at which getopt stopped
} Parse;

bool options_add_word(Words *words, const char *word, Error *err)
{
    const char **grown = realloc(words->items, (words->count + 1) * sizeof *grown);
    if (!grown)
        return fail(err, ERROR_INTERNAL, "out of memory");
    words->items = grown;
    words->items[words->count++] = word;
    return true;
}

void options_free_words(Words *words)
{
    free(words->items);
    *words = (Words){0};
}

// Refuses a word that is not in a list. Always false.
//   last, more  between the last two of the list, "or", and behind them
static bool refuse_word(const char *option, const char *word, const char *const *words, size_t count, const char *last,
                        const char *more, Error *err)
{
    Text all SCOPED(text_free) = {0};
    for (size_t i = 0; i < count; ++i)
        if (*words[i])
            text_add(&all, "%s%s", all.length == 0 ? "" : i + 1 < count ? ", " : last, words[i]);
    fail(err, ERROR_USAGE, "%s takes %s%s, got '%.100s'", option, all.text ? all.text : "", more, word);
    return false;
}

// The place of a word of that length, or `count`.
static size_t find_word(const char *word, size_t length, const char *const *words, size_t count)
{
    size_t i = 0;
    while (i < count && !(length > 0 && strlen(words[i]) == length && memcmp(words[i], word, length) == 0))
        ++i;
    return i;
}

bool options_find_word(const char *option, const char *word, const char *const *words, size_t count, unsigned *place,
                       Error *err)
{
    const size_t found = find_word(word, strlen(word), words, count);
    if (found == count)
        return refuse_word(option, word, words, count, " or ", "", err) ||
               suggest_add(err, suggest(word, words, count), "");
    *place = (unsigned)found;
    return true;
}

static bool read_bits(const char *option, const char *list, const OptionValue *as, unsigned *bits, Error *err)
{
    const char *rest = list;
    unsigned    read = 0;
    for (bool more = true; more; rest += more) {
        const size_t   length = strcspn(rest, ","), place = find_word(rest, length, as->words, as->word_count);
        const unsigned bit = place < as->word_count ? 1u << place : 0;
        if (bit == 0 || (read & bit))
            return refuse_word(option, list, as->words, as->word_count, " and ", ", each once, with commas", err);
        read |= bit;
        rest += length;
        more = *rest == ',';
    }
    *bits = read;
    return true;
}

static bool read_texts(const OptionValue *as, char *text, Words *words, Error *err)
{
    bool ok = true;
    if (as->kind == OPTION_IS_TEXTS)
        return options_add_word(words, text, err);
    for (char *word; ok && (word = strsep(&text, ",")) != NULL;)
        ok = options_add_word(words, word, err);
    return ok;
}

static bool read_value(const Option *option, char *text, char *given, Error *err)
{
    const OptionValue *as = &option->value;
    void              *target = given + as->target;
    unsigned           place = 0;
    char               name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    if (as->no_reference && strcmp(text, "reference") == 0)
        return fail(err, ERROR_USAGE, "%s reference: %s; name an OpenCL device", name, as->no_reference);
    switch (as->kind) {
    case OPTION_IS_FLAG: *(bool *)target = true; return true;
    case OPTION_IS_TEXT: *(const char **)target = text; return true;
    case OPTION_IS_TEXTS:
    case OPTION_IS_LIST: return read_texts(as, text, target, err);
    case OPTION_IS_NAME:
        *(const char **)target = text;
        return options_find_word(name, text, as->words, as->word_count, &place, err);
    case OPTION_IS_WORD: return options_find_word(name, text, as->words, as->word_count, target, err);
    case OPTION_IS_BITS: return read_bits(name, text, as, target, err);
    case OPTION_IS_WHOLE: return numbers_read_whole(name, text, as->least, as->most, target, err);
    case OPTION_IS_NUMBER: return numbers_read_one(name, text, &as->range, target, err);
    case OPTION_IS_NUMBERS: return numbers_read(name, text, (size_t)as->most, &as->range, target, err);
    case OPTION_IS_RANGE: return numbers_read_range(name, text, &as->range, target, err);
    case OPTION_IS_VALUES: return coordinates_read(name, text, target, err);
    case OPTION_IS_OWN: return as->take(name, text, target, err);
    default: return fail(err, ERROR_INTERNAL, "%s has no kind", name);
    }
}

static bool take_argument(Parse *parse, const char *text)
{
    const UsageArguments *as = &parse->usage->arguments;
    void                 *target = parse->given + as->target;
    const size_t          place = parse->arguments++;
    if (as->most == 0)
        return fail(parse->err, ERROR_USAGE, "'%.200s' is one argument too many", text);
    if (place == as->most && place == 1)
        return fail(parse->err, ERROR_USAGE, "one %s at a time, got '%.200s' and '%.200s'", as->what, parse->first,
                    text);
    if (place == as->most)
        return fail(parse->err, ERROR_USAGE, "two %ss at a time, got '%.200s' too", as->what, text);
    parse->first = parse->first ? parse->first : text;
    if (as->listed)
        return options_add_word(target, text, parse->err);
    ((const char **)target)[place] = text;
    return true;
}

// The checks after all is read.
static bool check(const Parse *parse)
{
    const Usage          *usage = parse->usage;
    const UsageArguments *as = &usage->arguments;
    if (parse->arguments < as->least)
        return fail(parse->err, ERROR_USAGE, "which %s%s%s?%s%s", as->most == 2 ? "two " : "", as->what,
                    as->most > 1 ? "s" : "", usage->remedy ? " " : "", usage->remedy ? usage->remedy : "");
    return !usage->check || usage->check(parse->given, parse->err);
}

static int key_of(const Usage *usage, size_t i)
{
    return usage->options[i].letter ? usage->options[i].letter : LONG + (int)i;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    Parse *parse = state->input;
    switch (key) {
    case ARGP_KEY_ARG: return take_argument(parse, text) ? 0 : EINVAL;
    case ARGP_KEY_ERROR: parse->next = state->next; return 0;
    case '?': parse->help = true; return EINVAL;
    default: break;
    }
    for (size_t i = 0; i < parse->usage->option_count; ++i)
        if (key_of(parse->usage, i) == key)
            return read_value(&parse->usage->options[i], text, parse->given, parse->err) ? 0 : EINVAL;
    return ARGP_ERR_UNKNOWN;
}

// An option that getopt refused, e.g. "--resmue", "--force=yes", "-x": which of the three things is wrong with it?
static bool refuse_option(const Usage *usage, const char *word, Error *err)
{
    const char  *names[MOST_OPTIONS + 1] = {"help"};
    size_t       count = 1;
    char         name[64], near[72];
    const bool   is_long = strncmp(word, "--", 2) == 0;
    const char  *value = is_long ? strchr(word, '=') : NULL;
    const size_t length = is_long ? strcspn(word + 2, "=") : 0;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             is_long ? word + 2 : "");
    for (size_t i = 0; i < usage->option_count; ++i) {
        const Option *option = &usage->options[i];
        if (!option->name)
            continue;
        if (is_long ? strcmp(option->name, name) == 0 : word[0] == '-' && word[1] == option->letter)
            return fail(err, ERROR_USAGE, "option '%.*s' %s", WORD_SHOWN, word,
                        value ? "takes no value" : "needs a value");
        names[count++] = option->name;
    }
    const char *found = is_long ? suggest(name, names, count) : NULL;
    snprintf(near, sizeof near, "--%s", found ? found : "");
    return fail(err, ERROR_USAGE, "unknown option '%.*s'", WORD_SHOWN, word) ||
           suggest_add(err, found ? near : NULL, "");
}

// The option table in argp's form.
static void list_options(const Usage *usage, struct argp_option options[MOST_OPTIONS + 2])
{
    int    group = 0;
    size_t count = 0;
    for (; count < usage->option_count; ++count) {
        const Option *option = &usage->options[count];
        group += !option->name;
        options[count] = (struct argp_option){
            option->name, option->name ? key_of(usage, count) : 0, option->shown, 0, option->about, group};
    }
    options[count] = (struct argp_option){"help", '?', NULL, 0, "print this and exit", -1};
    options[count + 1] = (struct argp_option){0};
}

// Reads the command line into the command's struct.
static bool read_words(Parse *parse, const struct argp *argp, int argc, char **argv)
{
    Error        *err = parse->err;
    const error_t code =
        argp_parse(argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP, NULL, parse);
    if (code == 0)
        return check(parse);
    if (parse->help || err->kind != ERROR_NONE)
        return parse->help;
    if (code == ENOMEM)
        return fail(err, ERROR_INTERNAL, "out of memory");
    // getopt has passed the word, unless it stopped inside a cluster of short options.
    const int  last = parse->next > 1 ? parse->next - 1 : 1;
    const bool inside =
        parse->next < argc && argv[parse->next][0] == '-' && argv[parse->next][1] != '-' && argv[last][0] != '-';
    return refuse_option(parse->usage, argv[inside ? parse->next : last], err);
}

// Adds to a usage error where to read the help.
static bool point_to_help(const char *command, Error *err)
{
    const size_t length = strlen(err->message);
    const bool   question = length > 0 && err->message[length - 1] == '?';
    if (err->kind == ERROR_USAGE)
        snprintf(err->message + length, sizeof err->message - length, "%s `%s --help`", question ? " See" : "; see",
                 command);
    return false;
}

static bool read_line(const Usage *usage, int argc, char **argv, void *given, bool *help, Error *err)
{
    struct argp_option options[MOST_OPTIONS + 2];
    char               doc[4096], command[64], *name = argv[0];
    const struct argp  argp = {options, parse_option, usage->arguments.shown, doc, NULL, NULL, NULL};
    Parse              parse = {.usage = usage, .given = given, .err = err};
    list_options(usage, options);
    snprintf(doc, sizeof doc, "%s%s%s", usage->about, usage->notes ? "\v" : "", usage->notes ? usage->notes : "");
    snprintf(command, sizeof command, "pendula %s", name);
    argv[0] = command;
    const bool ok = read_words(&parse, &argp, argc, argv) || point_to_help(command, err);
    argv[0] = name;
    *help = parse.help;
    if (parse.help)
        argp_help(&argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, command);
    return ok;
}

bool options_run(const Usage *usage, int argc, char **argv, void *given, OptionsRun *run, Error *err)
{
    bool       help = false;
    const bool ok = read_line(usage, argc, argv, given, &help, err) && (help || run(given, err));
    for (size_t i = 0; i < usage->option_count; ++i) {
        const OptionValue *as = &usage->options[i].value;
        void              *target = (char *)given + as->target;
        if (as->kind == OPTION_IS_TEXTS || as->kind == OPTION_IS_LIST)
            options_free_words(target);
        if (as->kind == OPTION_IS_NUMBERS)
            numbers_free(target);
    }
    if (usage->arguments.listed)
        options_free_words((Words *)(void *)((char *)given + usage->arguments.target));
    return ok;
}

static Text shown_of(const Text *text)
{
    Text shown = {0};
    if (text->text)
        utf8_show(&shown, text->text, true);
    return shown;
}

const char *options_device(void)
{
    const char *named = getenv("PENDULA_DEVICE");
    return named && *named ? named : NULL;
}

bool options_progress(ProgressMode *mode, Error *err)
{
    const char *named = getenv("PENDULA_PROGRESS");
    *mode = PROGRESS_AUTO;
    return !named || !*named ||
           options_find_word("PENDULA_PROGRESS", named, progress_modes, PROGRESS_MODES, (unsigned *)mode, err);
}

const char *options_event(bool ok, const Error *err)
{
    return ok ? "done" : err->kind == ERROR_STOPPED ? "stopped" : "failed";
}

bool options_print(const Text *text, Error *err)
{
    Text shown SCOPED(text_free) = shown_of(text);
    return text_check(text, err) && outputs_write(&(Outputs){0}, "-", &shown, err);
}

bool options_write(const Outputs *outputs, const char *path, const Text *text, Error *err)
{
    return strcmp(path, "-") == 0 ? options_print(text, err) : outputs_write(outputs, path, text, err);
}

void options_log(const Text *text)
{
    Text shown SCOPED(text_free) = shown_of(text);
    fprintf(stderr, "%s", shown.text ? shown.text : "");
}

void options_say(const char *format, ...)
{
    char    line[8192];
    Text    shown SCOPED(text_free) = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    utf8_show(&shown, line, false);
    fprintf(stderr, "%s\n", shown.text ? shown.text : "");
}

void options_tell(const char *line, void *user)
{
    (void)user;
    options_say("pendula: %s", line);
}
