// columns -- finds the problem's parameters in the settings that the file carries, and the rest in the axes.
#include "analysis/columns.h"

#include "base/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Column *add_column(Columns *columns, const char *name, bool problem, Error *err)
{
    for (size_t i = 0; i < columns->count; ++i)
        if (strcmp(columns->items[i].name, name) == 0)
            return &columns->items[i];
    Column *column = &columns->items[columns->count];
    if (columns->count == COLUMNS_MOST) {
        fail(err, ERROR_INPUT, "more than %d parameters and settings", COLUMNS_MOST);
        return NULL;
    }
    *column = (Column){.name = arena_copy(&columns->arena, name, err),
                       .problem = problem,
                       .axes = arena_take(&columns->arena, columns->group_count, sizeof *column->axes, err),
                       .values = arena_take(&columns->arena, columns->group_count, sizeof *column->values, err)};
    if (!column->name || !column->axes || !column->values)
        return NULL;
    for (size_t i = 0; i < columns->group_count; ++i) {
        column->axes[i] = COLUMN_CONSTANT;
        column->values[i] = (double)NAN;
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

static bool read_word(Columns *columns, Column *column, const char *word, double *value, Error *err)
{
    size_t i = 0;
    while (i < column->word_count && strcmp(column->words[i], word) != 0)
        ++i;
    if (!column->words)
        column->words = arena_take(&columns->arena, columns->group_count, sizeof *column->words, err);
    if (column->words && i == column->word_count)
        column->words[column->word_count++] = arena_copy(&columns->arena, word, err);
    *value = (double)i;
    return column->words && column->words[i];
}

// The line of the settings in which a group's parameters of the problem stand, "{eps: [0.001, 0.01], k: 1}"; settings.c
// writes one line each. Axes may be long, so that no more of the settings is read than that.
static bool find_line(const char *settings, const char *label, const char **line, size_t *length)
{
    static const char key[] = "    parameters: {";
    const size_t      name = strlen(label);
    const char       *at = settings;
    while ((at = strstr(at, "  - label: ")) != NULL) {
        at += strlen("  - label: ");
        if (strncmp(at, label, name) != 0 || at[name] != '\n')
            continue;
        const char *found = strstr(at, key), *other = strstr(at, "  - label: ");
        if (!found || (other && other < found))
            return false;
        *line = found + sizeof key - 2;
        *length = strcspn(*line, "\n");
        return true;
    }
    return false;
}

static bool read_parameters(Columns *columns, const char *settings, const Points *groups, size_t group, Error *err)
{
    const YamlOrigin origin = {.name = "settings"};
    const Points    *points = &groups[group];
    const char      *line = NULL;
    size_t           length = 0;
    YamlNode        *root = NULL;
    if (!settings || !find_line(settings, points->group->label, &line, &length))
        return fail(err, ERROR_INPUT, "%s: its settings tell no parameters of group '%s'", points->file->path,
                    points->group->label);
    char *text = strndup(line, length);
    bool  ok =
        text ? yaml_read(text, length, &origin, &columns->arena, &root, err) || within(err, "%s", points->file->path)
              : fail(err, ERROR_INTERNAL, "out of memory");
    free(text);
    for (size_t i = 0; ok && i < root->count; ++i) {
        Column *column = add_column(columns, root->keys[i]->text, true, err);
        if (!column)
            return false;
        column->axes[group] = find_axis(points, column->name);
        const YamlNode *node = root->items[i];
        if (column->axes[group] == COLUMN_CONSTANT && node->kind == YAML_SCALAR &&
            !yaml_parse_number(node->text, &column->values[group]))
            ok = read_word(columns, column, node->text, &column->values[group], err);
    }
    return ok;
}

// Where neither attribute nor axis tells the end, every point has its own.
static bool read_end(Columns *columns, const Points *groups, size_t group, Error *err)
{
    Column *column = isnan(groups[group].end) ? add_column(columns, "end", true, err) : NULL;
    if (column)
        column->axes[group] = COLUMN_END;
    return column || !isnan(groups[group].end);
}

// A decision that is an axis in one group may be a constant in another, which then is an attribute.
static bool read_decisions(Columns *columns, const Points *groups, Error *err)
{
    for (size_t g = 0; g < columns->group_count; ++g)
        for (size_t i = 0; i < groups[g].axis_count; ++i) {
            Column *column = add_column(columns, groups[g].axes[i].name, false, err);
            if (!column)
                return false;
            column->axes[g] = (int)i;
        }
    for (size_t i = columns->problem_count; i < columns->count; ++i)
        for (size_t g = 0; g < columns->group_count; ++g) {
            Column *column = &columns->items[i];
            Text    name = {0};
            bool    found = false;
            double  value = (double)NAN;
            if (column->axes[g] >= 0)
                continue;
            const bool newton = strcmp(column->name, "tolerance") == 0 || strcmp(column->name, "max_updates") == 0;
            text_add(&name, "%s%s", newton ? "newton." : "", column->name);
            const bool ok = text_check(&name, err) &&
                            store_read_number(groups[g].file, groups[g].group, name.text, &value, &found, err);
            text_free(&name);
            if (!ok)
                return false;
            column->values[g] = found ? value : (double)NAN;
        }
    return true;
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
    *columns = (Columns){.group_count = group_count};
    columns->items = arena_take(&columns->arena, COLUMNS_MOST, sizeof *columns->items, err);
    bool ok = columns->items && store_read_text(file, NULL, "settings", &settings, err);
    for (size_t g = 0; ok && g < group_count; ++g)
        ok = read_parameters(columns, settings, groups, g, err);
    for (size_t g = 0; ok && g < group_count; ++g)
        ok = read_end(columns, groups, g, err);
    columns->problem_count = columns->count;
    ok = ok && read_decisions(columns, groups, err);
    for (size_t i = 0; ok && i < columns->count; ++i)
        columns->items[i].varies = does_vary(columns, &columns->items[i]);
    free(settings);
    if (!ok)
        columns_free(columns);
    return ok;
}

void columns_free(Columns *columns)
{
    arena_free(&columns->arena);
    *columns = (Columns){0};
}

// Products that are equal but for rounding shall be equal: twelve digits.
static double round_time(double time)
{
    const double scale = pow(10.0, 11.0 - floor(log10(time)));
    return isfinite(scale) && scale > 0.0 ? round(time * scale) / scale : time;
}

static double along(const Points *points, const char *name, double constant, uint64_t point)
{
    const int axis = find_axis(points, name);
    return axis < 0 ? constant : points->axes[axis].values[points_index(points, (size_t)axis, point)];
}

double columns_value(const Columns *columns, const Points *groups, size_t column, size_t group, uint64_t point)
{
    const Column *found = &columns->items[column];
    const Points *points = &groups[group];
    const int     axis = found->axes[group];
    if (axis == COLUMN_END)
        return round_time(along(points, "step", points->step, point) * along(points, "steps", points->steps, point));
    return axis < 0 ? found->values[group] : points->axes[axis].values[points_index(points, (size_t)axis, point)];
}

const char *columns_word(const Column *column, double value)
{
    return value >= 0.0 && value < (double)column->word_count ? column->words[(size_t)value] : NULL;
}
