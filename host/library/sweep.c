// sweep -- sweeps that callers make from a text, from a file or call by call; and their plans.
#include "library/library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *pendula_version(void)
{
    return PENDULA_VERSION;
}

void library_drop_shelf(Shelf *shelf)
{
    if (!shelf || __atomic_sub_fetch(&shelf->users, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    catalog_free(&shelf->catalog);
    free(shelf);
}

static void drop_points(GivenPoints *points)
{
    if (!points || __atomic_sub_fetch(&points->users, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    point_file_free(&points->file);
    free(points);
}

Planned *library_hold_planned(Planned *planned)
{
    __atomic_add_fetch(&planned->users, 1, __ATOMIC_RELAXED);
    return planned;
}

void library_drop_planned(Planned *planned)
{
    if (!planned || __atomic_sub_fetch(&planned->users, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    layout_free(&planned->layout);
    plan_free(&planned->plan);
    spec_free(&planned->spec);
    drop_points(planned->points);
    library_drop_planned(planned->like);
    library_drop_shelf(planned->shelf);
    free(planned);
}

bool library_are_alike(const Planned *a, const Planned *b)
{
    return (a->like ? a->like : a) == (b->like ? b->like : b);
}

// Drops the plan, which other values of the given points make invalid.
static void drop_plan(PendulaSweep *sweep)
{
    library_drop_planned(sweep->planned);
    sweep->planned = NULL;
}

// Drops all that a change makes invalid.
static void drop_plans(PendulaSweep *sweep)
{
    drop_plan(sweep);
    library_drop_planned(sweep->like);
    sweep->like = NULL;
}

void pendula_sweep_free(PendulaSweep *sweep)
{
    if (!sweep)
        return;
    library_cool(&sweep->warm);
    drop_plans(sweep);
    library_drop_shelf(sweep->shelf);
    for (size_t i = 0; i < sweep->override_count; ++i)
        free(sweep->overrides[i]);
    for (size_t i = 0; i < sweep->file_count; ++i) {
        free(sweep->files[i].path);
        free(sweep->files[i].text);
    }
    drop_points(sweep->points);
    free(sweep->overrides);
    free(sweep->files);
    free(sweep->path);
    free(sweep->text);
    free(sweep);
}

static bool copy(const char *text, char **copied, PendulaError **error)
{
    *copied = strdup(text);
    return *copied || library_refuse(error, ERROR_INTERNAL, "out of memory");
}

static PendulaSweep *make(const char *text, const char *path, PendulaError **error)
{
    PendulaSweep *sweep = library_new(sizeof *sweep, error);
    Error         err = {0};
    if (!sweep)
        return NULL;
    sweep->shelf = library_new(sizeof *sweep->shelf, error);
    bool ok = sweep->shelf && (!text || copy(text, &sweep->text, error)) && copy(path, &sweep->path, error);
    if (ok) {
        sweep->shelf->users = 1;
        ok = catalog_read(&sweep->shelf->catalog, &err) || library_fail(error, &err);
    }
    if (ok)
        return sweep;
    pendula_sweep_free(sweep);
    return NULL;
}

static PendulaSweep *make_planned(const char *text, const char *path, PendulaError **error)
{
    PendulaSweep *sweep = make(text, path, error);
    if (sweep && !library_plan(sweep, error)) {
        pendula_sweep_free(sweep);
        return NULL;
    }
    return sweep;
}

PendulaSweep *pendula_sweep_new(PendulaError **error)
{
    PLAIN_NUMERALS;
    return make("{}\n", "sweep", error);
}

PendulaSweep *pendula_sweep_from_text(const char *yaml, const char *name, PendulaError **error)
{
    PLAIN_NUMERALS;
    if (yaml)
        return make_planned(yaml, name ? name : "sweep", error);
    library_refuse(error, ERROR_USAGE, "the text of a sweep is NULL");
    return NULL;
}

PendulaSweep *pendula_sweep_from_file(const char *path, PendulaError **error)
{
    PLAIN_NUMERALS;
    if (path)
        return make_planned(NULL, strcmp(path, "-") == 0 ? "./-" : path, error);
    library_refuse(error, ERROR_USAGE, "the path of a sweep is NULL");
    return NULL;
}

// Whether two keys are the same, or one lies inside the other, as "newton.tolerance" in "newton".
static bool meet(const char *a, const char *b)
{
    const size_t long_a = strcspn(a, "="), long_b = strcspn(b, "="), shorter = long_a < long_b ? long_a : long_b;
    return strncmp(a, b, shorter) == 0 && (long_a == long_b || (long_a < long_b ? b : a)[shorter] == '.');
}

// An override replaces an earlier one of the same key, unless one between them meets that key.
static bool put_override(PendulaSweep *sweep, char *override, PendulaError **error)
{
    const size_t length = strcspn(override, "=") + 1;
    for (size_t i = sweep->override_count; i-- > 0 && meet(sweep->overrides[i], override);)
        if (strncmp(sweep->overrides[i], override, length) == 0) {
            free(sweep->overrides[i]);
            sweep->overrides[i] = override;
            return true;
        }
    char **longer = realloc(sweep->overrides, (sweep->override_count + 1) * sizeof *longer);
    if (!longer) {
        free(override);
        return library_refuse(error, ERROR_INTERNAL, "out of memory");
    }
    sweep->overrides = longer;
    sweep->overrides[sweep->override_count++] = override;
    return true;
}

static bool check_key(const PendulaSweep *sweep, const char *key, PendulaError **error)
{
    return (sweep && key && *key && !strchr(key, '=')) ||
           library_refuse(error, ERROR_USAGE, "the sweep is NULL, or '%.60s' is not a key", key ? key : "NULL");
}

// Adds the override KEY=VALUE. The sweep takes the text over.
static bool set(PendulaSweep *sweep, Text *text, PendulaError **error)
{
    Error err = {0};
    if (!text_check(text, &err)) {
        text_free(text);
        return library_fail(error, &err);
    }
    drop_plans(sweep);
    return put_override(sweep, text->text, error);
}

bool pendula_sweep_set(PendulaSweep *sweep, const char *key, const char *value, PendulaError **error)
{
    PLAIN_NUMERALS;
    Text text = {0};
    if (!check_key(sweep, key, error))
        return false;
    if (!value)
        return library_refuse(error, ERROR_USAGE, "%s: the value is NULL", key);
    text_add(&text, "%s=%s", key, value);
    return set(sweep, &text, error);
}

bool pendula_sweep_set_numbers(PendulaSweep *sweep, const char *key, const double *values, size_t count,
                               PendulaError **error)
{
    PLAIN_NUMERALS;
    Text text = {0};
    if (!check_key(sweep, key, error))
        return false;
    if (!values || count == 0)
        return library_refuse(error, ERROR_USAGE, "%s: there are no numbers", key);
    text_add(&text, count > 1 ? "%s=[" : "%s=", key);
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) {
            text_free(&text);
            return library_refuse(error, ERROR_USAGE, "%s: number %zu is %g", key, i, values[i]);
        }
        text_add(&text, i ? ", %.17g" : "%.17g", values[i]);
    }
    if (count > 1)
        text_add(&text, "]");
    return set(sweep, &text, error);
}

bool pendula_sweep_set_file(PendulaSweep *sweep, const char *path, const char *text, PendulaError **error)
{
    PLAIN_NUMERALS;
    GivenFile file = {0};
    if (!sweep || !path || !text)
        return library_refuse(error, ERROR_USAGE, "the sweep, the path or the text of a file is NULL");
    if (!copy(path, &file.path, error))
        return false;
    GivenFile *longer =
        copy(text, &file.text, error) ? realloc(sweep->files, (sweep->file_count + 1) * sizeof *longer) : NULL;
    if (!longer) {
        free(file.path);
        free(file.text);
        return library_refuse(error, ERROR_INTERNAL, "out of memory");
    }
    drop_plans(sweep);
    sweep->files = longer;
    for (size_t i = 0; i < sweep->file_count; ++i)
        if (strcmp(sweep->files[i].path, path) == 0) {
            free(sweep->files[i].path);
            free(sweep->files[i].text);
            sweep->files[i] = file;
            return true;
        }
    sweep->files[sweep->file_count++] = file;
    return true;
}

// Copies a caller's table of points.
static bool fill_points(PointFile *points, const char *const *names, size_t columns, const double *values, size_t count,
                        Error *err)
{
    points->path = "points";
    points->dataset = "values";
    points->columns = arena_take(&points->arena, columns, sizeof *points->columns, err);
    if (!points->columns)
        return false;
    for (size_t c = 0; c < columns; ++c) {
        if (!names[c])
            return fail(err, ERROR_USAGE, "points: column %zu has no name", c);
        for (size_t k = 0; k < c; ++k)
            if (strcmp(names[c], names[k]) == 0)
                return fail(err, ERROR_USAGE, "points: '%.60s' is there twice", names[c]);
        points->columns[c] = (PointColumn){.name = arena_copy(&points->arena, names[c], err), .place = c};
        if (!points->columns[c].name)
            return false;
        points->column_count = c + 1;
    }
    if (!point_file_grow(points, count, err))
        return false;
    for (size_t i = 0; i < count; ++i)
        for (size_t c = 0; c < columns; ++c) {
            const double value = values[i * columns + c];
            points->columns[c].values[i] = value;
            if (!isfinite(value))
                return fail(err, ERROR_USAGE, "points: '%.60s' is %g at point %zu", names[c], value, i);
        }
    points->count = count;
    return true;
}

bool pendula_sweep_set_points(PendulaSweep *sweep, const char *const *names, size_t columns, const double *values,
                              size_t points, PendulaError **error)
{
    PLAIN_NUMERALS;
    Error err = {0};
    if (!sweep || (points > 0 && (!names || !values || columns == 0 || columns > 1000)))
        return library_refuse(
            error, ERROR_USAGE,
            "points: the sweep, the names or the values are NULL, or there are 0 or more than 1000 columns");
    drop_plan(sweep);
    drop_points(sweep->points);
    sweep->points = NULL;
    if (points == 0)
        return true;
    sweep->points = library_new(sizeof *sweep->points, error);
    if (!sweep->points)
        return false;
    sweep->points->users = 1;
    if (fill_points(&sweep->points->file, names, columns, values, points, &err))
        return true;
    drop_points(sweep->points);
    sweep->points = NULL;
    return library_fail(error, &err);
}

// Enters the texts that the caller gave for files, under the files' paths.
static bool give_files(const PendulaSweep *sweep, Spec *spec, Error *err)
{
    SpecFile   *files = arena_take(&spec->arena, sweep->file_count, sizeof *files, err);
    const char *slash = strrchr(spec->path, '/');
    for (size_t i = 0; files && i < sweep->file_count; ++i) {
        const char *name = sweep->files[i].path;
        const int   folder = slash && *name != '/' ? (int)(slash - spec->path) + 1 : 0;
        files[i] = (SpecFile){.path = arena_format(&spec->arena, err, "%.*s%s", folder, spec->path,
                                                   strncmp(name, "./", 2) == 0 ? name + 2 : name),
                              .text = arena_copy(&spec->arena, sweep->files[i].text, err)};
        if (!files[i].path || !files[i].text)
            return false;
    }
    spec->files = files;
    spec->file_count = sweep->file_count;
    return files != NULL;
}

static bool read_spec(const PendulaSweep *sweep, Spec *spec, Error *err)
{
    const char *const *overrides = (const char *const *)sweep->overrides;
    return sweep->text ? spec_read_text(sweep->path, sweep->text, overrides, sweep->override_count, spec, err)
                       : spec_read(sweep->path, overrides, sweep->override_count, spec, err);
}

static Planned *new_planned(const PendulaSweep *sweep, PendulaError **error)
{
    Planned *planned = library_new(sizeof *planned, error);
    if (!planned)
        return NULL;
    planned->users = 1;
    planned->shelf = sweep->shelf;
    planned->points = sweep->points;
    __atomic_add_fetch(&sweep->shelf->users, 1, __ATOMIC_RELAXED);
    if (sweep->points)
        __atomic_add_fetch(&sweep->points->users, 1, __ATOMIC_RELAXED);
    return planned;
}

// Plans the sweep by its text.
static bool plan_text(const PendulaSweep *sweep, Planned *planned, Error *err)
{
    if (!read_spec(sweep, &planned->spec, err) || !give_files(sweep, &planned->spec, err))
        return false;
    planned->spec.points = sweep->points ? &sweep->points->file : NULL;
    const bool ok = plan_make(&planned->spec, &planned->shelf->catalog, &planned->plan, err) &&
                    layout_make(&planned->plan, &planned->layout, err);
    planned->spec.points = NULL;  // the plan has them
    return ok;
}

// Plans the sweep by its last plan, if nothing but the values of given points changed since.
static bool plan_alike(const PendulaSweep *sweep, Planned *planned)
{
    Error unknown;
    if (!sweep->like || !sweep->points ||
        !plan_replace_points(&sweep->like->plan, &sweep->points->file, &planned->plan))
        return false;
    if (!layout_make(&planned->plan, &planned->layout, &unknown)) {
        plan_free(&planned->plan);
        return false;
    }
    planned->like = library_hold_planned(sweep->like);
    return true;
}

bool library_plan(PendulaSweep *sweep, PendulaError **error)
{
    // A plan of so many points is quickly made, and its points are not kept for a later one.
    enum { MOST_KEPT = 1 << 16 };
    Error err = {0};
    if (sweep->planned)
        return true;
    Planned *planned = new_planned(sweep, error);
    if (!planned)
        return false;
    const bool alike = plan_alike(sweep, planned);
    if (!alike && !plan_text(sweep, planned, &err)) {
        library_drop_planned(planned);
        return library_fail(error, &err);
    }
    sweep->planned = planned;
    if (!alike) {
        library_drop_planned(sweep->like);
        sweep->like = sweep->points && sweep->points->file.count <= MOST_KEPT ? library_hold_planned(planned) : NULL;
    }
    return true;
}

bool pendula_sweep_plan(PendulaSweep *sweep, PendulaError **error)
{
    PLAIN_NUMERALS;
    return sweep ? library_plan(sweep, error) : library_refuse(error, ERROR_USAGE, "the sweep is NULL");
}

// The plan; NULL where there is none.
static const Plan *plan_of(const PendulaSweep *sweep)
{
    return sweep && sweep->planned ? &sweep->planned->plan : NULL;
}

size_t pendula_sweep_groups(const PendulaSweep *sweep)
{
    return plan_of(sweep) ? plan_of(sweep)->group_count : 0;
}

const char *pendula_sweep_label(const PendulaSweep *sweep, size_t group)
{
    return group < pendula_sweep_groups(sweep) ? plan_of(sweep)->groups[group].label : NULL;
}

uint64_t pendula_sweep_points(const PendulaSweep *sweep)
{
    return plan_of(sweep) ? plan_of(sweep)->point_count : 0;
}

uint64_t pendula_sweep_bytes(const PendulaSweep *sweep)
{
    return plan_of(sweep) ? plan_of(sweep)->data_bytes : 0;
}

const char *pendula_sweep_settings(const PendulaSweep *sweep)
{
    return plan_of(sweep) ? plan_of(sweep)->settings : NULL;
}

const char *pendula_sweep_warning(const PendulaSweep *sweep, size_t index)
{
    return plan_of(sweep) && index < plan_of(sweep)->warning_count ? plan_of(sweep)->warnings[index] : NULL;
}
