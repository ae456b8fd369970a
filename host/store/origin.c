// origin -- sweep and overrides from a file's attributes to the plan.
#include "store/origin.h"

#include "store/header.h"
#include "store/layout.h"
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

// Reads the samples of a table that the file keeps, in the arena; `count` stays 0 where it keeps none.
static bool read_table(const StoreFile *file, const char *name, Arena *arena, SpecTable *table, Error *err)
{
    const char *path = arena_format(arena, err, "/journal/%s%s", layout_table, name);
    hsize_t     shape[2] = {0};
    if (!path || file->held || H5Lexists(file->handle, path, H5P_DEFAULT) <= 0)
        return path != NULL;
    const hid_t id SCOPED(h5_leave) = H5Dopen2(file->handle, path, H5P_DEFAULT),
                   space SCOPED(h5_leave) = id >= 0 ? H5Dget_space(id) : -1;
    const bool known = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                       H5Sget_simple_extent_dims(space, shape, NULL) == 2 && shape[0] <= CURVE_NUMBERS &&
                       shape[1] <= CURVE_COLUMNS;
    double *samples = known ? arena_take(arena, shape[0] * shape[1], sizeof *samples, err) : NULL;
    *table = (SpecTable){.name = name, .samples = samples, .count = shape[0], .columns = shape[1]};
    if (known && !samples)
        return false;
    return (samples && H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, samples) >= 0) ||
           h5_fail(err, ERROR_INPUT, "table '%s' cannot be read", name);
}

// A file keeps the samples of all tables of its sweep.
static bool read_tables(const StoreFile *file, Spec *spec, Error *err)
{
    const YamlNode *nodes[2];
    const size_t    count = spec_list_tables(spec, nodes);
    SpecTable      *tables = arena_take(&spec->arena, count + 1, sizeof *tables, err);
    for (size_t k = 0; tables && k < 2; ++k)
        for (size_t i = 0; nodes[k] && i < nodes[k]->count; ++i) {
            SpecTable *table = &tables[spec->table_count];
            if (!read_table(file, nodes[k]->keys[i]->text, &spec->arena, table, err))
                return false;
            spec->table_count += table->count > 0;
        }
    if (tables && yaml_said(spec->root, spec_data)) {
        if (!read_table(file, spec_data, &spec->arena, &tables[spec->table_count], err))
            return false;
        spec->table_count += tables[spec->table_count].count > 0;
    }
    spec->tables = tables;
    return tables != NULL;
}

void origin_lend_tables(const char *path, Spec *spec)
{
    StoreFile       file SCOPED(store_read_close) = {0};
    const YamlNode *nodes[2];
    Error           unknown;
    if (spec_list_tables(spec, nodes) == 0)
        return;
    spec->tables_spare = true;
    if (!store_read_open(path, &file, &unknown) || !read_tables(&file, spec, &unknown))
        spec->table_count = 0;
}

static bool make_plan(const StoreFile *file, const char *text, char *overrides, const Spec *sweep, Origin *origin,
                      Error *err)
{
    Arena        arena SCOPED(arena_free) = {0};
    const char **lines;
    size_t       count;
    // Files are opened where the sweep file of the user's is, and only files that it names.
    bool ok = split_lines(overrides, &arena, &lines, &count, err) && catalog_read(&origin->catalog, err) &&
              spec_read_text(sweep ? sweep->path : file->path, text, lines, count, &origin->spec, err) &&
              read_tables(file, &origin->spec, err);
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
    ok = ok && ((make_plan(file, texts[SWEEP], texts[OVERRIDES], sweep, origin, err) &&
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
