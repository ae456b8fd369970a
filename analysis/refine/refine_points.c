// refine_points -- the points that were run, as a table that a sweep can read.
#include "analysis/refine/refine_print.h"

#include <string.h>

static bool add_column(RefinePoints *points, TableColumn *columns, const char *name, Error *err)
{
    for (size_t i = 0; i < points->table.column_count; ++i)
        if (strcmp(columns[i].name, name) == 0)
            return true;
    const char *copy = arena_copy(&points->arena, name, err);
    if (copy)
        columns[points->table.column_count++] = (TableColumn){.name = copy};
    return copy != NULL;
}

static bool is_shown(const Variable *variable)
{
    return !variable->trajectory && variable->width == 1 && !variable->per_dof && variable->source != SOURCE_STATUS;
}

bool refine_points_begin(RefinePoints *points, const Group *groups, size_t count, Error *err)
{
    size_t most = 3;
    for (size_t g = 0; g < count; ++g)
        most += groups[g].axis_count + groups[g].variable_count;
    TableColumn *columns = arena_take(&points->arena, most, sizeof *columns, err);
    bool         ok = columns && add_column(points, columns, "label", err);
    for (size_t g = 0; g < count; ++g)
        for (size_t i = 0; ok && i < groups[g].axis_count; ++i)
            ok = add_column(points, columns, groups[g].axes[i].name, err);
    ok = ok && add_column(points, columns, "class", err) && add_column(points, columns, "status", err);
    for (size_t g = 0; g < count; ++g)
        for (size_t v = 0; ok && v < groups[g].variable_count; ++v)
            ok = !is_shown(&groups[g].variables[v]) || add_column(points, columns, groups[g].variables[v].name, err);
    if (!ok)
        return false;
    points->table.text = &points->text;
    points->table.format = FORMAT_CSV;
    points->table.columns = columns;
    table_begin(&points->table);
    return true;
}

static void add_cell(RefinePoints *points, const RefineSeen *seen, const char *name)
{
    const Group *group = seen->refinement->group;
    for (size_t i = 0; i < group->axis_count; ++i)
        if (strcmp(group->axes[i].name, name) == 0)
            table_number(&points->table, name, seen->values[i]);
    for (size_t v = 0; v < group->variable_count; ++v)
        if (is_shown(&group->variables[v]) && strcmp(group->variables[v].name, name) == 0)
            table_number(&points->table, name, results_value(seen->results, v, seen->point, 0));
}

void refine_points_add(RefinePoints *points, const RefineSeen *seen)
{
    Table *table = &points->table;
    points->class.length = 0;
    refine_add_class(seen->refinement->request, seen->class, &points->class);
    points->text.failed = points->text.failed || points->class.failed;
    table_row(table);
    table_word(table, "label", seen->refinement->group->label);
    for (size_t c = 1; c < table->column_count; ++c) {
        const char *name = table->columns[c].name;
        if (strcmp(name, "class") == 0)
            table_word(table, name, points->class.text);
        else if (strcmp(name, "status") == 0)
            table_word(table, name, plan_status_names[(size_t)results_value(seen->results, 0, seen->point, 0)]);
        else
            add_cell(points, seen, name);
    }
    table_end_row(table);
}

void refine_points_free(RefinePoints *points)
{
    text_free(&points->text);
    text_free(&points->class);
    arena_free(&points->arena);
}
