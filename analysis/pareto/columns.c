// columns -- columns of a file: the problem's parameters from its settings, all others from its axes.
#include "analysis/pareto/columns.h"

#include "base/yaml.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

typedef struct ColumnsKey {
    uint32_t number;
    size_t   width;
    double   values[];  // [width]
} ColumnsKey;

static Column *add_column(Columns *columns, const char *name, bool problem, Error *err)
{
    for (size_t i = 0; i < columns->count; ++i)
        if (strcmp(columns->items[i].name, name) == 0)
            return &columns->items[i];
    if (columns->count == COLUMNS_MOST) {
        fail(err, ERROR_INPUT, "more than %d parameters and settings", COLUMNS_MOST);
        return NULL;
    }
    Column *column = &columns->items[columns->count];
    *column = (Column){.name = arena_copy(&columns->arena, name, err),
                       .problem = problem,
                       .axes = arena_take(&columns->arena, columns->group_count, sizeof *column->axes, err),
                       .values = arena_take(&columns->arena, columns->group_count, sizeof *column->values, err)};
    if (!column->name || !column->axes || !column->values)
        return NULL;
    for (size_t g = 0; g < columns->group_count; ++g) {
        column->axes[g] = COLUMN_CONSTANT;
        column->values[g] = (double)NAN;
    }
    ++columns->count;
    return column;
}

static int find_axis(const Points *points, const char *name)
{
    for (size_t i = 0; i < points->axis_count; ++i)
        if (strcmp(points->axes[i].name, name) == 0)
            return (int)i;
    return COLUMN_CONSTANT;
}

static bool read_word(Columns *columns, Column *column, size_t group, const char *word, Error *err)
{
    size_t first = 0;
    if (!column->words)
        column->words = arena_take(&columns->arena, columns->group_count, sizeof *column->words, err);
    if (!column->words)
        return false;
    column->words[group] = word;
    while (!column->words[first] || strcmp(column->words[first], word) != 0)
        ++first;
    column->values[group] = (double)first;
    return true;
}

// Reads a group's parameters of the problem, "{eps: [0.001, 0.01], k: 1}". settings.c writes one line for each group;
// axes may be long, so that no more of the settings is read than that.
static bool read_parameters(Columns *columns, const char *settings, size_t group, Error *err)
{
    static const char key[] = "\n    parameters: {";
    const YamlOrigin  origin = {.name = "settings"};
    const Points     *points = &columns->groups[group];
    const char       *line = settings;
    YamlNode         *root = NULL;
    for (const StoreGroup *at = points->file->groups; line && at <= points->group; ++at) {
        line = strstr(line, key);
        line = line ? line + sizeof key - 2 : NULL;
    }
    if (!line)
        return fail(err, ERROR_INPUT, "%s: its settings tell no parameters of group '%s'", points->file->path,
                    points->group->label);
    const char *text = arena_format(&columns->arena, err, "%.*s", (int)strcspn(line, "\n"), line);
    if (!text || !yaml_read(text, strlen(text), &origin, &columns->arena, &root, err))
        return within(err, "%s", points->file->path);
    for (size_t i = 0; i < root->count; ++i) {
        const YamlNode *node = root->items[i];
        Column         *column = add_column(columns, root->keys[i]->text, true, err);
        if (!column)
            return false;
        column->axes[group] = find_axis(points, column->name);
        if (column->axes[group] == COLUMN_CONSTANT && node->kind == YAML_SCALAR &&
            !yaml_parse_number(node->text, &column->values[group]) &&
            !read_word(columns, column, group, node->text, err))
            return false;
    }
    return true;
}

// Where neither attribute nor axis has the end, every point has its own.
static bool read_end(Columns *columns, size_t group, Error *err)
{
    if (!isnan(columns->groups[group].end))
        return true;
    Column *column = add_column(columns, "end", true, err);
    if (column)
        column->axes[group] = COLUMN_END;
    return column != NULL;
}

static bool read_axes(Columns *columns, size_t group, Error *err)
{
    for (size_t i = 0; i < columns->groups[group].axis_count; ++i) {
        Column *column = add_column(columns, columns->groups[group].axes[i].name, false, err);
        if (!column)
            return false;
        column->axes[group] = (int)i;
    }
    return true;
}

// A decision that is an axis in one group may be a constant in another, which then is an attribute.
static bool read_constants(Columns *columns, const Column *column, Error *err)
{
    const bool  newton = strcmp(column->name, "tolerance") == 0 || strcmp(column->name, "max_updates") == 0;
    const char *name = newton ? arena_format(&columns->arena, err, "newton.%s", column->name) : column->name;
    bool        ok = name != NULL;
    for (size_t g = 0; ok && g < columns->group_count; ++g) {
        const Points *points = &columns->groups[g];
        bool          found;
        if (column->axes[g] == COLUMN_CONSTANT)
            ok = store_read_number(points->file, points->group, name, &column->values[g], &found, err);
    }
    return ok;
}

static bool does_vary(const Columns *columns, const Column *column)
{
    for (size_t g = 0; g < columns->group_count; ++g) {
        const double value = column->values[g], first = column->values[0];
        if (column->axes[g] != COLUMN_CONSTANT || (value != first && !(isnan(value) && isnan(first))))
            return true;
    }
    return false;
}

bool columns_make(const StoreFile *file, const Points *groups, size_t group_count, Columns *columns, Error *err)
{
    char *settings = NULL;
    *columns = (Columns){.groups = groups, .group_count = group_count};
    columns->items = arena_take(&columns->arena, COLUMNS_MOST, sizeof *columns->items, err);
    bool ok = columns->items && store_read_text(file, NULL, "settings", &settings, err);
    for (size_t g = 0; ok && g < group_count; ++g)
        ok = read_parameters(columns, settings, g, err) && read_end(columns, g, err);
    free(settings);
    columns->problem_count = columns->count;
    for (size_t g = 0; ok && g < group_count; ++g)
        ok = read_axes(columns, g, err);
    for (size_t i = columns->problem_count; ok && i < columns->count; ++i)
        ok = read_constants(columns, &columns->items[i], err);
    for (size_t i = 0; ok && i < columns->count; ++i)
        columns->items[i].varies = does_vary(columns, &columns->items[i]);
    return ok;
}

void columns_free(Columns *columns)
{
    arena_free(&columns->arena);
    *columns = (Columns){0};
}

static double along(const Points *points, int axis, double constant, uint64_t point)
{
    return axis < 0 ? constant : points_axis_value(points, (size_t)axis, point);
}

// Products that are equal but for rounding shall be equal: twelve digits.
static double round_time(double time)
{
    const double scale = pow(10.0, 11.0 - floor(log10(time)));
    return isfinite(scale) && scale > 0.0 ? round(time * scale) / scale : time;
}

double columns_value(const Columns *columns, size_t column, size_t group, uint64_t point)
{
    const Column *found = &columns->items[column];
    const Points *points = &columns->groups[group];
    if (found->axes[group] == COLUMN_END)
        return round_time(along(points, find_axis(points, "step"), points->step, point) *
                          along(points, find_axis(points, "steps"), points->steps, point));
    return along(points, found->axes[group], found->values[group], point);
}

const char *columns_word(const Columns *columns, size_t column, double value)
{
    const char **words = columns->items[column].words;
    return words && !isnan(value) ? words[(size_t)value] : NULL;
}

static int compare_keys(const void *a, const void *b)
{
    const ColumnsKey *left = a, *right = b;
    for (size_t i = 0; i < left->width; ++i) {
        const double l = left->values[i], r = right->values[i];
        if (l < r || l > r || isnan(l) != isnan(r))
            return isnan(l) || l > r ? 1 : -1;
    }
    return 0;
}

bool columns_number(const Columns *columns, bool problem, size_t group, uint64_t point, ColumnsKeys *keys,
                    uint32_t *number, Error *err)
{
    const size_t from = problem ? 0 : columns->problem_count, to = problem ? columns->problem_count : columns->count;
    if (!keys->spare)
        keys->spare = malloc(sizeof *keys->spare + (columns->count + 1) * sizeof *keys->spare->values);
    ColumnsKey *key = keys->spare;
    if (!key)
        return fail(err, ERROR_INTERNAL, "out of memory");
    *key = (ColumnsKey){.number = keys->count, .width = 1};
    key->values[0] = problem ? 0.0 : (double)group;
    for (size_t i = from; i < to; ++i)
        if (columns->items[i].varies)
            key->values[key->width++] = columns_value(columns, i, group, point);
    ColumnsKey **found = tsearch(key, &keys->tree, compare_keys);
    if (!found || keys->count == UINT32_MAX)
        return fail(err, ERROR_INTERNAL, "out of memory");
    *number = (*found)->number;
    if (*found == key) {
        keys->spare = NULL;
        ++keys->count;
    }
    return true;
}

typedef struct ColumnRanks {
    uint32_t *places, count;
} ColumnRanks;

static void rank_key(const void *node, VISIT visit, void *user)
{
    ColumnRanks *ranks = user;
    if (visit == postorder || visit == leaf)
        ranks->places[(*(ColumnsKey *const *)node)->number] = ranks->count++;
}

uint32_t *columns_rank(const ColumnsKeys *keys, Error *err)
{
    ColumnRanks ranks = {.places = calloc((size_t)keys->count + 1, sizeof *ranks.places)};
    if (ranks.places)
        twalk_r(keys->tree, rank_key, &ranks);
    else
        fail(err, ERROR_INTERNAL, "out of memory");
    return ranks.places;
}

void columns_forget(ColumnsKeys *keys)
{
    tdestroy(keys->tree, free);
    free(keys->spare);
    *keys = (ColumnsKeys){0};
}
