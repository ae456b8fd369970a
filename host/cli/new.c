// new -- `pendula new problem|method|metric NAME`: a commented kernel file that runs, to begin with.
#include "base/outputs.h"
#include "base/yaml.h"
#include "cli/cards.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <stdio.h>
#include <string.h>

// The files of host/cli/templates, in which NAME stands for the name.
extern const TextFile template_files[];
extern const size_t   template_file_count;

enum { LONGEST_NAME = 40, KIND = 0, NAME };

typedef struct NewArguments {
    const char *words[2];  // kind and name
    bool        force;
} NewArguments;

static const Option new_options[] = {OPTION_ROW_FORCE(NewArguments, force)};

const Usage new_command_usage = {
    USAGE_OPTIONS(new_options),
    .arguments = {.shown = "problem|method|metric NAME",
                  .what = "word",
                  .most = 2,
                  OPTION_AT(NewArguments, words, const char **)},
    .about =
        "Writes NAME.cl, a commented kernel file that runs as it is: a problem, a method or a metric to begin with."};

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
    Catalog catalog SCOPED(catalog_free) = {0};
    Arena   arena SCOPED(arena_free) = {0};
    Card    card;
    return catalog_read(&catalog, err) && card_read(path, text, &arena, &card, err) &&
           catalog_check_card(&catalog, &card, err) &&
           (!catalog_find(&catalog, card.kind, card.name) ||
            fail(err, ERROR_USAGE, "the program has a %s of the name '%s', choose another", cards_kind(card.kind),
                 card.name));
}

static bool write_file(void *arguments, Error *err)
{
    const NewArguments *given = arguments;
    const char         *kind = given->words[KIND], *name = given->words[NAME], *from = find_template(kind);
    const Outputs       outputs = {.force = given->force};
    Text                path SCOPED(text_free) = {0}, text SCOPED(text_free) = {0};
    if (!from)
        return fail(err, ERROR_USAGE,
                    "say what to write: problem, method or metric, and its name, as in `pendula new metric rms`");
    if (!name)
        return fail(err, ERROR_USAGE, "name the %s, as in `pendula new %s mine`", kind, kind);
    if (!yaml_spells_name(name) || strlen(name) > LONGEST_NAME)
        return fail(err, ERROR_USAGE,
                    "'%.60s' is not a name: letters, digits and _, beginning with no digit, at most %d", name,
                    LONGEST_NAME);
    text_add(&path, "%s.cl", name);
    add_named(&text, from, name);
    const bool ok = text_check(&path, err) && text_check(&text, err) && check_card(path.text, text.text, err) &&
                    outputs_write(&outputs, path.text, &text, err);
    if (ok)
        printf("%s: a %s; a sweep file names it by its path, ./%s\n", path.text, kind, path.text);
    return ok;
}

OPTIONS_COMMAND(new_command, NewArguments, new_command_usage, write_file, 0)
