// spectrum_entries -- from names and settings on a command line to the entries of a spectrum.
#include "analysis/spectrum.h"

#include "base/suggest.h"
#include "base/yaml.h"

#include <math.h>
#include <string.h>

enum { MOST_ENTRIES = 1000, MOST_NAMES = 64 };

// One "METHOD.NAME=VALUE", taken apart.
typedef struct Setting {
    const char *method;  // NULL: any
    const char *name;
    char       *values;  // with commas between
    bool        used;
} Setting;

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

// The setting that a method has for a parameter, or NULL; two are refused.
static bool find_setting(Setting *settings, size_t count, const Card *method, const CardParameter *parameter,
                         Setting **found, Error *err)
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

static bool read_value(const CardParameter *parameter, const char *word, double *value, Error *err)
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

// Adds an entry with the parameters of `like`, whose parameter `which` becomes `value`; `like` may be the place itself.
static bool add_entry(Spectrum *spectrum, const SpectrumEntry *like, size_t which, double value, Error *err)
{
    const size_t count = like->method->parameter_count;
    if (spectrum->entry_count == MOST_ENTRIES)
        return fail(err, ERROR_USAGE, "more than %d methods and settings, give fewer", MOST_ENTRIES);
    SpectrumEntry *entry = &spectrum->entries[spectrum->entry_count];
    double        *parameters = arena_take(&spectrum->arena, count, sizeof *parameters, err);
    if (!parameters)
        return false;
    for (size_t i = 0; i < count; ++i)
        parameters[i] = i == which ? value : like->parameters[i];
    *entry = *like;
    entry->parameters = parameters;
    ++spectrum->entry_count;
    return true;
}

// Multiplies the entries from `first` on by the values of a parameter.
static bool spread(Spectrum *spectrum, size_t first, size_t which, Setting *setting, Error *err)
{
    const size_t         last = spectrum->entry_count;
    const CardParameter *parameter = &spectrum->entries[first].method->parameters[which];
    char                *rest = arena_copy(&spectrum->arena, setting->values, err);
    bool                 more = false;
    if (!rest)
        return false;
    for (char *word; (word = strsep(&rest, ",")) != NULL; more = true) {
        double value;
        if (more && parameter->choices)
            return fail(err, ERROR_USAGE, "-p %s: one word at a time", parameter->name);
        if (!read_value(parameter, word, &value, err))
            return false;
        for (size_t i = first; i < last; ++i)
            if (!more)
                spectrum->entries[i].parameters[which] = value;
            else if (!add_entry(spectrum, &spectrum->entries[i], which, value, err))
                return false;
    }
    return true;
}

// Adds a method with every combination of its settings.
static bool add_method(Spectrum *spectrum, const Card *method, Setting *settings, size_t setting_count, Error *err)
{
    const size_t first = spectrum->entry_count, count = method->parameter_count;
    double      *initial = arena_take(&spectrum->arena, count, sizeof *initial, err);
    if (!initial)
        return false;
    for (size_t i = 0; i < count; ++i)
        initial[i] = method->parameters[i].initial;
    const SpectrumEntry entry = {method, theory_find(method->name), initial, spectrum->probe_count++};
    if (!add_entry(spectrum, &entry, count, 0.0, err))
        return false;
    for (size_t i = 0; i < count; ++i) {
        Setting *setting = NULL;
        if (!find_setting(settings, setting_count, method, &method->parameters[i], &setting, err) ||
            (setting && !spread(spectrum, first, i, setting, err)))
            return false;
        if (!setting && isnan(initial[i]))
            return fail(err, ERROR_USAGE, "%s: parameter '%s' has no default, give it by -p %s=VALUE", method->name,
                        method->parameters[i].name, method->parameters[i].name);
    }
    return true;
}

static bool add_all(Spectrum *spectrum, Setting *settings, size_t setting_count, Error *err)
{
    for (size_t i = 0; i < spectrum->catalog->card_count; ++i) {
        const Card *card = &spectrum->catalog->cards[i];
        if (card->kind == CARD_METHOD && !card->adaptive && !add_method(spectrum, card, settings, setting_count, err))
            return false;
    }
    return true;
}

static bool add_named(Spectrum *spectrum, const char *name, Setting *settings, size_t setting_count, Error *err)
{
    const Card *method = catalog_find(spectrum->catalog, CARD_METHOD, name);
    if (strcmp(name, "all") == 0)
        return add_all(spectrum, settings, setting_count, err);
    if (!method) {
        const char *near = catalog_suggest(spectrum->catalog, CARD_METHOD, name);
        return fail(err, ERROR_USAGE, "unknown method '%.60s'%s%s%s", name,
                    near ? "; did you mean '" : ", see `pendula list methods`", near ? near : "", near ? "'?" : "");
    }
    if (method->adaptive)
        return fail(err, ERROR_USAGE, "method '%s' chooses its substeps: its step is no matrix, and has no spectrum",
                    name);
    return add_method(spectrum, method, settings, setting_count, err);
}

// A setting that no method has.
static bool refuse_setting(const Spectrum *spectrum, const Setting *setting, Error *err)
{
    const char *names[MOST_NAMES];
    size_t      count = 0;
    const Card *only = NULL;
    bool        several = false;
    for (size_t e = 0; e < spectrum->entry_count; ++e) {
        const Card *method = spectrum->entries[e].method;
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
    const char *near = suggest(setting->name, names, count);
    return fail(err, ERROR_USAGE, "-p %.60s: %s%s%s%s", setting->name,
                several ? "none of the methods has this parameter" : "the method has no such parameter",
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool spectrum_open(const Catalog *catalog, const char *const *methods, size_t method_count, const char *const *settings,
                   size_t setting_count, Spectrum *spectrum, Error *err)
{
    *spectrum = (Spectrum){.catalog = catalog};
    Setting *taken = arena_take(&spectrum->arena, setting_count, sizeof *taken, err);
    spectrum->entries = arena_take(&spectrum->arena, MOST_ENTRIES, sizeof *spectrum->entries, err);
    bool ok = taken && spectrum->entries;
    for (size_t i = 0; ok && i < setting_count; ++i)
        ok = take_apart(settings[i], &spectrum->arena, &taken[i], err);
    for (size_t i = 0; ok && i < method_count; ++i)
        ok = add_named(spectrum, methods[i], taken, setting_count, err);
    for (size_t i = 0; ok && i < setting_count; ++i)
        ok = taken[i].used || refuse_setting(spectrum, &taken[i], err);
    if (ok) {
        spectrum->probes = arena_take(&spectrum->arena, spectrum->probe_count, sizeof(Probe *), err);
        ok = spectrum->probes != NULL;
    }
    if (!ok)
        spectrum_close(spectrum);
    return ok;
}

void spectrum_place(Text *text, const SpectrumEntry *entry)
{
    for (size_t i = 0; i < entry->method->parameter_count; ++i) {
        const CardParameter *parameter = &entry->method->parameters[i];
        text_add(text, "%s%s = ", i ? ", " : "", parameter->name);
        if (parameter->choices)
            text_add(text, "%s", parameter->choices[(size_t)entry->parameters[i]]);
        else
            text_add(text, "%.6g", entry->parameters[i]);
    }
}
