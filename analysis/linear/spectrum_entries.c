// spectrum_entries -- entries of a spectrum, from the names and settings of a command line.
#include "analysis/linear/spectrum.h"

#include "analysis/linear/setting.h"

#include <math.h>
#include <string.h>

enum { MOST_ENTRIES = 1000 };

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
        if (!setting_value(parameter, word, &value, err))
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
    const Theory *theory;
    if (!theory_make(method, &spectrum->arena, &theory, err))
        return false;
    const SpectrumEntry entry = {method, theory, initial, spectrum->probe_count++};
    if (!add_entry(spectrum, &entry, count, 0.0, err))
        return false;
    for (size_t i = 0; i < count; ++i) {
        Setting *setting = NULL;
        if (!setting_find(settings, setting_count, method, &method->parameters[i], &setting, err) ||
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
    const Card *method = NULL;
    if (strcmp(name, "all") == 0)
        return add_all(spectrum, settings, setting_count, err);
    if (!setting_find_card(spectrum->catalog, CARD_METHOD, name, &spectrum->arena, &method, err))
        return false;
    if (method->adaptive)
        return fail(err, ERROR_USAGE, "method '%s' chooses its substeps: its step is no matrix, and has no spectrum",
                    name);
    return add_method(spectrum, method, settings, setting_count, err);
}

static bool check_used(const Spectrum *spectrum, const Setting *settings, size_t count, Arena *arena, Error *err)
{
    const Card **methods = arena_take(arena, spectrum->entry_count, sizeof *methods, err);
    for (size_t e = 0; methods && e < spectrum->entry_count; ++e)
        methods[e] = spectrum->entries[e].method;
    return methods && setting_check_used(settings, count, methods, spectrum->entry_count, err);
}

bool spectrum_open(const Catalog *catalog, const char *const *methods, size_t method_count, const char *const *settings,
                   size_t setting_count, Spectrum *spectrum, Error *err)
{
    *spectrum = (Spectrum){.catalog = catalog};
    Setting *taken = NULL;
    spectrum->entries = arena_take(&spectrum->arena, MOST_ENTRIES, sizeof *spectrum->entries, err);
    bool ok = spectrum->entries && setting_read_all(settings, setting_count, &spectrum->arena, &taken, err);
    for (size_t i = 0; ok && i < method_count; ++i)
        ok = add_named(spectrum, methods[i], taken, setting_count, err);
    ok = ok && check_used(spectrum, taken, setting_count, &spectrum->arena, err);
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
