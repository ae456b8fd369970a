// plot_fields -- finds fields by the words that the sweep grammar has for them.
#include "analysis/plot/trajectories.h"
#include "base/suggest.h"
#include "plan/field.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64, MOST_COORDINATES = 3 };

static bool is_per_dof(const StoreVariable *variable)
{
    return strcmp(variable->dims[variable->rank - 1], "sample") != 0;
}

// Samples come last, or before the degrees of freedom.
static bool is_field(const StoreVariable *variable)
{
    return points_is_trajectory(variable) &&
           plot_fields_rank(variable) + (is_per_dof(variable) ? 2 : 1) == variable->rank;
}

size_t plot_fields_rank(const StoreVariable *variable)
{
    size_t rank = 0;
    while (strcmp(variable->dims[rank], "sample") != 0)
        ++rank;
    return rank;
}

const StoreVariable *plot_fields_first(const PlotGroup *group)
{
    const StoreGroup *stored = group->points.group;
    for (size_t i = 0; i < stored->variable_count; ++i)
        if (is_field(&stored->variables[i]))
            return &stored->variables[i];
    return NULL;
}

bool plot_fields_stored(const PlotGroup *group)
{
    return plot_fields_first(group) != NULL;
}

const PlotGroup *plot_fields_group(const PlotFile *file)
{
    const PlotGroup *group = file->groups;
    while (!plot_fields_stored(group))
        ++group;
    return group;
}

static size_t dofs_of(const StoreVariable *variable)
{
    return is_per_dof(variable) ? (size_t)variable->shape[variable->rank - 1] : 1;
}

// A field of the group where it has most coordinates; NULL where none has it.
static const StoreVariable *find_field(const PlotFile *file, const char *name)
{
    const StoreVariable *found = NULL;
    for (size_t i = 0; i < file->group_count; ++i) {
        const StoreVariable *variable = store_read_variable(file->groups[i].points.group, name);
        if (variable && is_field(variable) && (!found || dofs_of(variable) > dofs_of(found)))
            found = variable;
    }
    return found;
}

// The sweep grammar's entry of a field; zeroed for any other.
static Field find_known(const StoreVariable *variable)
{
    for (size_t i = 0; i < FIELD_COUNT; ++i)
        if (strcmp(field_table[i].name, variable->name) == 0)
            return field_table[i];
    return (Field){.word = variable->name};
}

static bool fail_unknown(const PlotFile *file, const char *word, const char *missing, Error *err)
{
    const StoreGroup *stored = plot_fields_group(file)->points.group;
    const char       *words[MOST_NAMES], *all[FIELD_COUNT];
    size_t            count = 0;
    Text              list = {0};
    for (size_t i = 0; i < stored->variable_count && count < MOST_NAMES; ++i)
        if (is_field(&stored->variables[i])) {
            text_add(&list, "%s%.60s",
                     count     ? ", "
                     : missing ? ""
                               : "; it stores ",
                     find_known(&stored->variables[i]).word);
            words[count++] = find_known(&stored->variables[i]).word;
        }
    for (size_t i = 0; i < FIELD_COUNT; ++i)
        all[i] = field_table[i].word;
    const char *near = suggest(word, words, count);
    near = near ? near : suggest(word, all, FIELD_COUNT);
    if (missing)
        fail(err, ERROR_USAGE,
             "%s: field '%s' is not stored, only %s; add it to `trajectory: {fields: [...]}` of the sweep and run it",
             file->file.path, missing, list.text);
    else
        fail(err, ERROR_USAGE, "%s: no field '%.60s'", file->file.path, word);
    if (!missing)
        suggest_add(err, near, list.text ? list.text : "");
    text_free(&list);
    return false;
}

// The problem's name for a coordinate or its velocity.
static const char *find_label(const PlotFile *file, const StoreVariable *variable, size_t dof, const char *otherwise)
{
    const StoreGroup *group = plot_fields_group(file)->points.group;
    const char       *name = dof >= group->dof_count            ? NULL
                             : strcmp(variable->name, "x") == 0 ? group->dofs[dof].name
                             : strcmp(variable->name, "v") == 0 ? group->dofs[dof].velocity
                                                                : NULL;
    return name && is_per_dof(variable) ? name : otherwise;
}

// The field of a coordinate or a velocity by the problem's name for it, or NULL.
static const StoreVariable *find_named(const PlotFile *file, const char *word, size_t *dof)
{
    static const char *const fields[] = {"x", "v"};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; ++k) {
        const StoreVariable *variable = find_field(file, fields[k]);
        for (*dof = 0; variable && *dof < dofs_of(variable); ++*dof)
            if (strcmp(find_label(file, variable, *dof, ""), word) == 0)
                return variable;
    }
    return NULL;
}

// Adds the coordinates from..to of a field, or the field where it has none.
static bool add(Trajectories *picture, const StoreVariable *variable, size_t from, size_t to, Error *err)
{
    const Field known = find_known(variable);
    const bool  per_dof = is_per_dof(variable);
    for (size_t i = from; i < to; ++i) {
        const char *name = per_dof ? arena_format(&picture->figure->arena, err, "%s%zu", known.word, i) : known.word;
        if (!name)
            return false;
        if (picture->row_count == PLOT_ROWS) {
            ++picture->fields_left;
            continue;
        }
        picture->rows[picture->row_count] =
            (PlotRow){.variable = variable,
                      .per_dof = per_dof,
                      .coordinate = i,
                      .name = name,
                      .label = known.label ? known.label : find_label(picture->file, variable, i, name),
                      .unit = per_dof ? store_read_unit(plot_fields_group(picture->file)->points.group, variable, i)
                                      : variable->unit,
                      .settles = known.settles,
                      .spans = known.spans,
                      .number = picture->row_count};
        ++picture->row_count;
    }
    return true;
}

// A word of the grammar, a dataset's name, or a coordinate: its name, or such a word with a number behind it.
static bool add_word(Trajectories *picture, const char *word, Error *err)
{
    const PlotFile      *file = picture->file;
    char                 name[64] = "";
    const char          *missing = NULL;
    const StoreVariable *variable = find_field(file, word);
    for (size_t i = 0; i < FIELD_COUNT && !variable; ++i)
        if (strcmp(field_table[i].word, word) == 0) {
            variable = find_field(file, field_table[i].name);
            missing = field_table[i].word;
        }
    if (variable)
        return add(picture, variable, 0, dofs_of(variable), err);
    size_t dof = 0;
    variable = find_named(file, word, &dof);
    if (variable)
        return add(picture, variable, dof, dof + 1, err);
    size_t length = strlen(word);
    while (length > 0 && strchr("0123456789", word[length - 1]))
        --length;
    if (!missing && length > 0 && word[length] && strlen(word) < sizeof name) {
        memcpy(name, word, length);
        variable = find_field(file, name);
        missing = !variable && (strcmp(name, "x") == 0 || strcmp(name, "v") == 0) ? name : NULL;
    }
    if (!variable || !is_per_dof(variable))
        return fail_unknown(file, word, missing, err);
    const size_t coordinate = strtoul(word + length, NULL, 10), dofs = dofs_of(variable);
    if (coordinate >= dofs)
        return fail(err, ERROR_USAGE, "%s: no coordinate '%.60s'; the last is %s%zu", file->file.path, word, name,
                    dofs - 1);
    return add(picture, variable, coordinate, coordinate + 1, err);
}

bool plot_fields_choose(Trajectories *picture, Error *err)
{
    const PlotRequest *request = picture->request;
    const StoreGroup  *stored = plot_fields_group(picture->file)->points.group;
    bool               ok = true;
    for (size_t i = 0; ok && i < request->field_count; ++i)
        ok = add_word(picture, request->fields[i], err);
    for (size_t i = 0; ok && request->field_count == 0 && i < stored->variable_count; ++i) {
        if (!is_field(&stored->variables[i]))
            continue;
        const StoreVariable *variable = find_field(picture->file, stored->variables[i].name);
        const size_t         dofs = dofs_of(variable), shown = dofs < MOST_COORDINATES ? dofs : MOST_COORDINATES;
        ok = add(picture, variable, 0, shown, err);
        picture->fields_left += dofs - shown;
    }
    return ok;
}
