// setting -- parser of settings, and search for the methods and parameters that they name.
#include "analysis/linear/setting.h"

#include "base/file.h"
#include "base/suggest.h"
#include "base/yaml.h"

#include <math.h>
#include <string.h>

enum { MOST_NAMES = 64 };

static bool take_apart(const char *argument, Arena *arena, Setting *setting, Error *err)
{
    char *copy = arena_copy(arena, argument, err), *equals = copy ? strchr(copy, '=') : NULL;
    if (!copy)
        return false;
    if (!equals || equals == copy || equals[1] == '\0')
        return fail(err, ERROR_USAGE, "-p %.200s: expected NAME=VALUE", argument);
    *equals = '\0';
    char *point = strchr(copy, '.');
    if (point)
        *point = '\0';
    *setting = (Setting){.method = point ? copy : NULL, .name = point ? point + 1 : copy, .values = equals + 1};
    return true;
}

bool setting_read_all(const char *const *arguments, size_t count, Arena *arena, Setting **settings, Error *err)
{
    *settings = arena_take(arena, count, sizeof **settings, err);
    bool ok = *settings != NULL;
    for (size_t i = 0; ok && i < count; ++i)
        ok = take_apart(arguments[i], arena, &(*settings)[i], err);
    return ok;
}

bool setting_find(Setting *settings, size_t count, const Card *method, const CardParameter *parameter, Setting **found,
                  Error *err)
{
    *found = NULL;
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(settings[i].name, parameter->name) != 0 ||
            (settings[i].method && strcmp(settings[i].method, method->name) != 0))
            continue;
        // The one that names the method is meant for it.
        if (*found && !(*found)->method == !settings[i].method)
            return fail(err, ERROR_USAGE, "-p %s is given twice", parameter->name);
        if (!*found || settings[i].method)
            *found = &settings[i];
        settings[i].used = true;
    }
    return true;
}

static bool read_word(const CardParameter *parameter, const char *word, double *value, Error *err)
{
    Text words = {0};
    for (size_t i = 0; i < parameter->choice_count; ++i) {
        *value = (double)i;
        if (strcmp(parameter->choices[i], word) == 0) {
            text_free(&words);
            return true;
        }
        text_add(&words, "%s%s", i ? ", " : "", parameter->choices[i]);
    }
    fail(err, ERROR_USAGE, "-p %s: '%.100s' is none of %s", parameter->name, word, words.text ? words.text : "");
    text_free(&words);
    return false;
}

bool setting_value(const CardParameter *parameter, const char *word, double *value, Error *err)
{
    if (parameter->choices)
        return read_word(parameter, word, value, err);
    if (!yaml_parse_number(word, value))
        return fail(err, ERROR_USAGE, "-p %s: '%.100s' is not a number", parameter->name, word);
    if (*value < parameter->least || (parameter->least_open && *value == parameter->least))
        return fail(err, ERROR_USAGE, "-p %s: %s is too small, it must be %s %.10g", parameter->name, word,
                    parameter->least_open ? "greater than" : "at least", parameter->least);
    if (*value > parameter->most || (parameter->most_open && *value == parameter->most))
        return fail(err, ERROR_USAGE, "-p %s: %s is too large, it must be %s %.10g", parameter->name, word,
                    parameter->most_open ? "less than" : "at most", parameter->most);
    return !parameter->whole || *value == floor(*value) ||
           fail(err, ERROR_USAGE, "-p %s: %s is not a whole number", parameter->name, word);
}

static bool refuse(const Setting *setting, const Card *const *methods, size_t method_count, Error *err)
{
    const char *names[MOST_NAMES];
    size_t      count = 0;
    const Card *only = NULL;
    bool        several = false;
    for (size_t m = 0; m < method_count; ++m) {
        const Card *method = methods[m];
        if (setting->method && strcmp(setting->method, method->name) != 0)
            continue;
        several = several || (only && only != method);
        only = method;
        for (size_t i = 0; i < method->parameter_count && count < MOST_NAMES; ++i)
            names[count++] = method->parameters[i].name;
    }
    if (!only)
        return fail(err, ERROR_USAGE, "-p %.60s.%.60s: '%.60s' is none of the methods given", setting->method,
                    setting->name, setting->method);
    return fail(err, ERROR_USAGE, "-p %.60s: %s", setting->name,
                several ? "none of the methods has this parameter" : "the method has no such parameter") ||
           suggest_add(err, suggest(setting->name, names, count), "");
}

bool setting_check_used(const Setting *settings, size_t setting_count, const Card *const *methods, size_t count,
                        Error *err)
{
    for (size_t i = 0; i < setting_count; ++i)
        if (!settings[i].used)
            return refuse(&settings[i], methods, count, err);
    return true;
}

enum { LARGEST_CARD_FILE = 1 << 20 };

static bool read_card(const Catalog *catalog, CardKind kind, const char *path, Arena *arena, const Card **found,
                      Error *err)
{
    Card *card = arena_take(arena, 1, sizeof *card, err);
    char *text;
    if (!card || !file_read(path, LARGEST_CARD_FILE, arena, &text, NULL, err) ||
        !card_read(path, text, arena, card, err) || !catalog_check_card(catalog, card, err))
        return false;
    *found = card;
    return card->kind == kind ||
           fail(err, ERROR_USAGE, "%s is no %s", path, kind == CARD_METHOD ? "method" : "problem");
}

bool setting_find_card(const Catalog *catalog, CardKind kind, const char *name, Arena *arena, const Card **card,
                       Error *err)
{
    if (strchr(name, '/'))
        return read_card(catalog, kind, name, arena, card, err);
    *card = catalog_find(catalog, kind, name);
    return *card || fail(err, ERROR_USAGE, "unknown %s '%.60s'", kind == CARD_METHOD ? "method" : "problem", name) ||
           catalog_advise(catalog, kind, name, err);
}

void setting_add_card(Text *text, const Card *card)
{
    if (catalog_embeds(card))
        text_add(text, "%s", card->name);
    else
        yaml_write_text(card->path, text);
}

void setting_add_value(Text *text, const CardParameter *parameter, double value, int points)
{
    if (parameter->choices)
        text_add(text, "%s: %s", parameter->name, parameter->choices[(size_t)value]);
    else if (points > 0)
        text_add(text, "%s: {linear: [%.17g, %.17g, %d]}", parameter->name, value, value, points);
    else
        text_add(text, "%s: %.17g", parameter->name, value);
}
