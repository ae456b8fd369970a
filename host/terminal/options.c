// options -- command lines read by argp, its errors turned into Error.
#include "terminal/options.h"

#include "base/suggest.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 32, WORD_SHOWN = 200 };

// What the outer parser knows: the command's own argp is its child.
typedef struct Outer {
    Options options;  // of the child
    bool    help;
    int     next;  // index in argv behind the word at which getopt stopped
} Outer;

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

error_t options_refuse(const struct argp_state *state, const char *format, ...)
{
    char           message[1024];
    va_list        arguments;
    const Options *options = state->input;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const size_t length = strlen(message);
    const bool   question = length > 0 && message[length - 1] == '?';
    fail(options->err, ERROR_USAGE, "%s%s `%s --help`", message, question ? " See" : "; see", state->name);
    return EINVAL;
}

error_t options_take_one(const char **taken, const char *what, int key, const char *value, struct argp_state *state)
{
    if (key == ARGP_KEY_NO_ARGS)
        return options_refuse(state, "which %s?", what);
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (*taken)
        return options_refuse(state, "one %s at a time, got '%.200s' and '%.200s'", what, *taken, value);
    *taken = value;
    return 0;
}

static error_t parse_outer(int key, char *value, struct argp_state *state)
{
    (void)value;
    Outer *outer = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &outer->options; return 0;
    case ARGP_KEY_ERROR: outer->next = state->next; return 0;
    case '?': outer->help = true; return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

// An option that getopt refused, e.g. "--resmue", "--force=yes", "-x": which of the three things is wrong with it?
static bool refuse_option(const struct argp *argp, const char *word, const char *command, Error *err)
{
    const char  *names[MOST_OPTIONS] = {"help"};
    size_t       count = 1;
    char         name[64];
    const bool   is_long = strncmp(word, "--", 2) == 0;
    const char  *value = is_long ? strchr(word, '=') : NULL;
    const size_t length = is_long ? strcspn(word + 2, "=") : 0;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             is_long ? word + 2 : "");
    for (const struct argp_option *option = argp->options; option && option->name && count < MOST_OPTIONS; ++option) {
        const bool named = is_long ? strcmp(option->name, name) == 0 : word[0] == '-' && word[1] == option->key;
        if (named)
            return fail(err, ERROR_USAGE, "option '%.*s' %s; see `%s --help`", WORD_SHOWN, word,
                        value ? "takes no value" : "needs a value", command);
        names[count++] = option->name;
    }
    const char *near = is_long ? suggest(name, names, count) : NULL;
    if (near)
        return fail(err, ERROR_USAGE, "unknown option '%.*s'; did you mean '--%s'?", WORD_SHOWN, word, near);
    return fail(err, ERROR_USAGE, "unknown option '%.*s'; see `%s --help`", WORD_SHOWN, word, command);
}

bool options_parse(const struct argp *argp, int argc, char **argv, void *target, bool *done, Error *err)
{
    static const struct argp_option help[] = {{"help", '?', NULL, 0, "print this and exit", -1}, {0}};
    char                            command[64];
    Error                           failure = {0};
    Outer                           outer = {.options = {target, &failure}};
    struct argp                     inner = *argp;
    const struct argp_child         children[] = {{&inner, 0, NULL, 0}, {0}};
    const struct argp               root = {help, parse_outer, argp->args_doc, argp->doc, children, NULL, NULL};
    int                             stopped = argc;
    char                           *name = argv[0];
    inner.args_doc = inner.doc = NULL;
    snprintf(command, sizeof command, "pendula %s", argv[0]);

    *done = false;
    argv[0] = command;
    const error_t code =
        argp_parse(&root, argc, argv, ARGP_IN_ORDER | ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP, &stopped, &outer);
    argv[0] = name;
    if (outer.help) {
        argp_help(&root, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, command);
        *done = true;
        return true;
    }
    if (code == 0)
        return stopped == argc || fail(err, ERROR_USAGE, "unexpected argument '%.*s'; see `%s --help`", WORD_SHOWN,
                                       argv[stopped], command);
    if (failure.kind != ERROR_NONE) {
        *err = failure;
        return false;
    }
    if (code == ENOMEM)
        return fail(err, ERROR_INTERNAL, "out of memory");
    // getopt has passed the word, unless it stopped inside a cluster of short options.
    const int  last = outer.next > 1 ? outer.next - 1 : 1;
    const bool inside =
        outer.next < argc && argv[outer.next][0] == '-' && argv[outer.next][1] != '-' && argv[last][0] != '-';
    return refuse_option(argp, argv[inside ? outer.next : last], command, err);
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

error_t options_take_progress(const char *value, ProgressMode *mode, struct argp_state *state)
{
    return progress_find_mode(value, mode)
               ? 0
               : options_refuse(state, "--progress takes %s, got '%s'", PROGRESS_MODES, value);
}

bool options_progress(ProgressMode *mode, Error *err)
{
    const char *named = getenv("PENDULA_PROGRESS");
    *mode = PROGRESS_AUTO;
    return !named || !*named || progress_find_mode(named, mode) ||
           fail(err, ERROR_USAGE, "PENDULA_PROGRESS takes %s, got '%.200s'", PROGRESS_MODES, named);
}

const char *options_event(bool ok, const Error *err)
{
    return ok ? "done" : err->kind == ERROR_STOPPED ? "stopped" : "failed";
}

bool options_print(const Text *text, Error *err)
{
    Text       shown = shown_of(text);
    const bool ok = text_check(text, err) && outputs_write(&(Outputs){0}, "-", &shown, err);
    text_free(&shown);
    return ok;
}

bool options_write(const Outputs *outputs, const char *path, const Text *text, Error *err)
{
    return strcmp(path, "-") == 0 ? options_print(text, err) : outputs_write(outputs, path, text, err);
}

void options_log(const Text *text)
{
    Text shown = shown_of(text);
    fprintf(stderr, "%s", shown.text ? shown.text : "");
    text_free(&shown);
}

void options_say(const char *format, ...)
{
    char    line[8192];
    Text    shown = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    utf8_show(&shown, line, false);
    fprintf(stderr, "%s\n", shown.text ? shown.text : "");
    text_free(&shown);
}
