// new -- `pendula new problem|method|metric NAME`: a commented kernel file that runs, to begin with.
#include "base/outputs.h"
#include "base/yaml.h"
#include "catalog/catalog.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <stdio.h>
#include <string.h>

// The files of host/cli/templates, in which NAME stands for the name.
extern const TextFile template_files[];
extern const size_t   template_file_count;

enum { LONGEST_NAME = 40, KEY_FORCE = OPTION_LONG };

typedef struct NewArguments {
    const char *kind, *name;
    bool        force;
} NewArguments;

static const struct argp_option new_options[] = {FORCE_OPTION(KEY_FORCE), {0}};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options      *options = state->input;
    NewArguments *given = options->target;
    switch (key) {
    case KEY_FORCE: given->force = true; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            return ARGP_ERR_UNKNOWN;
        *(state->arg_num == 0 ? &given->kind : &given->name) = value;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp new_argp = {
    .options = new_options,
    .parser = parse_option,
    .args_doc = "problem|method|metric NAME",
    .doc = "Writes NAME.cl, a commented kernel file that runs as it is: a problem, a method or a metric to begin with.",
};

static const char *find_template(const char *kind)
{
    for (size_t i = 0; kind && i < template_file_count; ++i) {
        const size_t length = strcspn(template_files[i].path, ".");
        if (strlen(kind) == length && strncmp(template_files[i].path, kind, length) == 0)
            return template_files[i].text;
    }
    return NULL;
}

static void add_named(Text *text, const char *from, const char *name)
{
    static const char mark[] = "NAME";
    for (const char *at; (at = strstr(from, mark)); from = at + strlen(mark)) {
        text_add_bytes(text, from, (size_t)(at - from));
        text_add(text, "%s", name);
    }
    text_add(text, "%s", from);
}

// The file is read as a sweep would read it, so that a name which it would refuse makes none.
static bool check_card(const char *path, const char *text, Error *err)
{
    Catalog    catalog;
    Arena      arena = {0};
    Card       card;
    bool       fine = catalog_read(&catalog, err);
    const bool read = fine;
    fine = fine && card_read(path, text, &arena, &card, err) && catalog_check_card(&catalog, &card, err);
    if (fine && catalog_find(&catalog, card.kind, card.name))
        fine = fail(err, ERROR_USAGE, "the program has a %s of the name '%s', choose another",
                    card.kind == CARD_PROBLEM  ? "problem"
                    : card.kind == CARD_METHOD ? "method"
                                               : "metric",
                    card.name);
    if (read)
        catalog_free(&catalog);
    arena_free(&arena);
    return fine;
}

bool new_command(int argc, char **argv, Error *err)
{
    NewArguments given = {0};
    Text         path = {0}, text = {0};
    bool         done = false;
    bool         ok = options_parse(&new_argp, argc, argv, &given, &done, err);
    const char  *from = ok && !done ? find_template(given.kind) : NULL;
    if (ok && !done && !from)
        ok = fail(err, ERROR_USAGE,
                  "say what to write: problem, method or metric, and its name, as in `pendula new metric rms`");
    if (ok && !done && !given.name)
        ok = fail(err, ERROR_USAGE, "name the %s, as in `pendula new %s mine`", given.kind, given.kind);
    if (ok && !done && (!yaml_spells_name(given.name) || strlen(given.name) > LONGEST_NAME))
        ok = fail(err, ERROR_USAGE, "'%.60s' is not a name: letters, digits and _, beginning with no digit, at most %d",
                  given.name, LONGEST_NAME);
    if (ok && !done) {
        const Outputs outputs = {.force = given.force};
        text_add(&path, "%s.cl", given.name);
        add_named(&text, from, given.name);
        ok = text_check(&path, err) && text_check(&text, err) && check_card(path.text, text.text, err) &&
             outputs_write(&outputs, path.text, &text, err);
    }
    if (ok && !done)
        printf("%s: a %s; a sweep file names it by its path, ./%s\n", path.text, given.kind, path.text);
    text_free(&path);
    text_free(&text);
    return ok;
}
