// held -- results in memory: their groups, variables and texts.
#include "store/held.h"

bool held_open(const char *path, size_t group_most, StoreFile *file, Error *err)
{
    *file = (StoreFile){.held = true};
    file->path = arena_copy(&file->arena, path, err);
    file->groups = arena_take(&file->arena, group_most, sizeof *file->groups, err);
    if (file->path && file->groups)
        return true;
    store_read_close(file);
    return false;
}

StoreGroup *held_group(StoreFile *file, const char *label, size_t variable_most, Error *err)
{
    StoreGroup *group = &file->groups[file->group_count];
    *group = (StoreGroup){.label = arena_copy(&file->arena, label, err),
                          .variables = arena_take(&file->arena, variable_most, sizeof *group->variables, err)};
    if (!group->label || !group->variables)
        return NULL;
    ++file->group_count;
    return group;
}

void held_add(StoreGroup *group, const StoreVariable *variable)
{
    StoreVariable *added = &group->variables[group->variable_count++];
    *added = *variable;
    added->unit = added->unit ? added->unit : "";
    added->about = added->about ? added->about : "";
    added->count = 1;
    for (size_t i = 0; i < added->rank; ++i)
        added->count *= added->shape[i];
}

double *held_add_numbers(StoreFile *file, StoreGroup *group, const char *name, size_t rank, const char *const *dims,
                         const uint64_t *shape, Error *err)
{
    StoreVariable variable = {.name = arena_copy(&file->arena, name, err), .type = TYPE_F64, .rank = rank};
    uint64_t      count = 1;
    for (size_t i = 0; i < rank; ++i) {
        variable.dims[i] = dims[i];
        variable.shape[i] = shape[i];
        count *= shape[i];
    }
    double *numbers = variable.name ? arena_take(&file->arena, (size_t)count, sizeof *numbers, err) : NULL;
    variable.held = numbers;
    if (numbers)
        held_add(group, &variable);
    return numbers;
}

bool held_add_text(StoreFile *file, const StoreGroup *group, const char *of, const char *name, const char *text,
                   Error *err)
{
    StoreText  *texts = arena_grow(&file->arena, file->texts, file->text_count, sizeof *texts, err);
    const char *copied = texts ? arena_copy(&file->arena, text, err) : NULL;
    if (!copied)
        return false;
    texts[file->text_count++] = (StoreText){group, of, name, copied};
    file->texts = texts;
    return true;
}
