// origin -- sweep and overrides from a file's attributes to the plan.
#include "store/origin.h"

#include "store/header.h"
#include "store/settings.h"

#include <stdlib.h>
#include <string.h>

// Splits the overrides, one to a line, in place.
static bool split_lines(char *text, Arena *arena, const char ***lines, size_t *count, Error *err)
{
    *count = 0;
    size_t most = 0;
    for (const char *c = text; *c; ++c)
        most += *c == '\n';
    *lines = arena_take(arena, most + 1, sizeof **lines, err);
    for (char *line; *lines && (line = strsep(&text, "\n")) != NULL;)
        if (*line)
            (*lines)[(*count)++] = line;
    return *lines != NULL;
}

static bool make_plan(const char *path, const char *text, char *overrides, const Spec *sweep, Origin *origin,
                      Error *err)
{
    Arena        arena SCOPED(arena_free) = {0};
    const char **lines;
    size_t       count;
    // Files are opened where the sweep file of the user's is, and only files that it names.
    bool ok = split_lines(overrides, &arena, &lines, &count, err) && catalog_read(&origin->catalog, err) &&
              spec_read_text(sweep ? sweep->path : path, text, lines, count, &origin->spec, err);
    origin->spec.foreign = true;
    origin->spec.trusted = sweep ? sweep->root : NULL;
    ok = ok && plan_make(&origin->spec, &origin->catalog, &origin->plan, err);
    // The command line that the file remembers is not that of this command.
    if (!ok && err->kind == ERROR_USAGE)
        err->kind = ERROR_INPUT;
    return ok;
}

static bool compare(const char *computer, const char *settings, const char *fingerprint, Origin *origin, Error *err)
{
    char wanted[FINGERPRINT_DIGITS + 1];
    origin->plan.computed_by = strcmp(computer, plan_reference) == 0 ? plan_reference : plan_kernels;
    attributes_fingerprint(&origin->plan, wanted);
    origin->same = strcmp(fingerprint, wanted) == 0;
    return strcmp(settings, origin->plan.settings) == 0 || settings_fail(settings, origin->plan.settings, err);
}

bool origin_read(const StoreFile *file, const Spec *sweep, Origin *origin, Error *err)
{
    enum { SWEEP, OVERRIDES, COMPUTER, SETTINGS, FINGERPRINT, TEXTS };
    static const char *const attributes[TEXTS] = {"sweep", "overrides", "computed_by", "settings", "fingerprint"};
    char                    *texts[TEXTS] = {0};
    bool                     ok = true;
    for (int i = 0; ok && i < TEXTS; ++i)
        ok = store_read_text(file, NULL, attributes[i], &texts[i], err) &&
             (texts[i] || fail(err, ERROR_INPUT, "%s: it has no attribute '%s'", file->path, attributes[i]));
    ok = ok && ((make_plan(file->path, texts[SWEEP], texts[OVERRIDES], sweep, origin, err) &&
                 compare(texts[COMPUTER], texts[SETTINGS], texts[FINGERPRINT], origin, err)) ||
                within(err, "%s: its sweep cannot be planned again", file->path));
    for (int i = 0; i < TEXTS; ++i)
        free(texts[i]);
    if (!ok)
        origin_free(origin);
    return ok;
}

void origin_free(Origin *origin)
{
    plan_free(&origin->plan);
    spec_free(&origin->spec);
    catalog_free(&origin->catalog);
    *origin = (Origin){0};
}
