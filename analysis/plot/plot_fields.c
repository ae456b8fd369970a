// plot_fields -- finds fields by the words that the sweep grammar has for them.
#include "analysis/plot/plot_fields.h"

#include "base/suggest.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64, MOST_COORDINATES = 3 };

static const Field *find_known(const char *variable)
{
    static const Field other = {0};
    for (size_t i = 0; i < FIELD_COUNT; ++i)
        if (strcmp(field_table[i].name, variable) == 0)
            return &field_table[i];
    return &other;
}

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

static const char *word_of(const StoreVariable *variable)
{
    const Field *field = find_known(variable->name);
    return field->word ? field->word : variable->name;
}

// The words for the stored fields, those of the first group that stores some.
static size_t list_words(const PlotFile *file, const char *words[MOST_NAMES])
{
    size_t count = 0;
    for (size_t i = 0; count == 0 && i < file->group_count; ++i) {
        const StoreGroup *stored = file->groups[i].points.group;
        for (size_t k = 0; k < stored->variable_count && count < MOST_NAMES; ++k)
            if (is_field(&stored->variables[k]))
                words[count++] = word_of(&stored->variables[k]);
    }
    return count;
}

static bool fail_unknown(const PlotFile *file, const char *word, const char *missing, Error *err)
{
    const char  *words[MOST_NAMES], *all[FIELD_COUNT];
    const size_t count = list_words(file, words);
    const char  *near = suggest(word, words, count);
    Text         list = {0};
    for (size_t i = 0; i < FIELD_COUNT; ++i)
        all[i] = field_table[i].word;
    near = near || missing ? near : suggest(word, all, FIELD_COUNT);
    for (size_t i = 0; i < count; ++i)
        text_add(&list, "%s%.60s", i ? ", " : "", words[i]);
    if (missing)
        fail(err, ERROR_USAGE,
             "%s: field '%s' is not stored, only %s; add it to `trajectory: {fields: [...]}` of the sweep and run it",
             file->file.path, missing, list.text ? list.text : "");
    else if (near)
        fail(err, ERROR_USAGE, "%s: no field '%.60s'; did you mean '%s'?", file->file.path, word, near);
    else
        fail(err, ERROR_USAGE, "%s: no field '%.60s'; it stores %s", file->file.path, word,
             list.text ? list.text : "none");
    text_free(&list);
    return false;
}

// The coordinates from..to of a field, or the field where it has none.
static void add(PlotFields *fields, const StoreVariable *variable, size_t from, size_t to)
{
    const bool per_dof = is_per_dof(variable);
    for (size_t i = from; i < (per_dof ? to : from + 1); ++i) {
        if (fields->count < PLOT_ROWS)
            fields->items[fields->count++] = (PlotField){
                .variable = variable, .known = find_known(variable->name), .per_dof = per_dof, .coordinate = i};
        else
            ++fields->left_out;
    }
}

// A word of the grammar, a dataset's name, or a coordinate: such a name with a number behind it.
static bool add_word(const PlotFile *file, const char *word, PlotFields *fields, Error *err)
{
    char                 name[64] = "";
    const char          *missing = NULL;
    const StoreVariable *variable = find_field(file, word);
    for (size_t i = 0; i < FIELD_COUNT && !variable; ++i)
        if (strcmp(field_table[i].word, word) == 0) {
            variable = find_field(file, field_table[i].name);
            missing = field_table[i].word;
        }
    if (variable) {
        add(fields, variable, 0, dofs_of(variable));
        return true;
    }
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
    add(fields, variable, coordinate, coordinate + 1);
    return true;
}

static void add_stored(const PlotFile *file, PlotFields *fields)
{
    for (size_t i = 0; fields->count == 0 && i < file->group_count; ++i) {
        const StoreGroup *stored = file->groups[i].points.group;
        for (size_t k = 0; k < stored->variable_count; ++k) {
            if (!is_field(&stored->variables[k]))
                continue;
            const StoreVariable *variable = find_field(file, stored->variables[k].name);
            const size_t         dofs = dofs_of(variable), shown = dofs < MOST_COORDINATES ? dofs : MOST_COORDINATES;
            add(fields, variable, 0, shown);
            fields->left_out += dofs - shown;
        }
    }
}

bool plot_fields_choose(const PlotFile *file, const PlotRequest *request, PlotFields *fields, Error *err)
{
    *fields = (PlotFields){0};
    for (size_t i = 0; i < request->field_count; ++i)
        if (!add_word(file, request->fields[i], fields, err))
            return false;
    if (request->field_count == 0)
        add_stored(file, fields);
    return true;
}

void plot_fields_name(Text *text, const PlotField *field)
{
    text_add(text, "%s", word_of(field->variable));
    if (field->per_dof)
        text_add(text, "%zu", field->coordinate);
}

void plot_fields_label(Text *text, const PlotField *field)
{
    Text name = {0};
    if (field->known->label)
        text_add(&name, "%s", field->known->label);
    else
        plot_fields_name(&name, field);
    figure_name(text, name.text ? name.text : "", field->variable->unit);
    text_free(&name);
}
