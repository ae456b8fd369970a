// result -- results of a run in memory or of a file, as arrays by their names.
#include "library/library.h"

#include "store/header.h"
#include "store/held.h"
#include "store/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PendulaResult *library_open(const char *path, Error *err)
{
    PendulaResult *result = calloc(1, sizeof *result);
    if (!result) {
        fail(err, ERROR_INTERNAL, "out of memory");
        return NULL;
    }
    if (!verify_open(path, &result->file, err)) {
        free(result);
        return NULL;
    }
    result->complete = result->file.blocks_done == result->file.block_count;
    return result;
}

PendulaResult *pendula_result_open(const char *path, PendulaError **error)
{
    PLAIN_NUMERALS;
    Error          err = {0};
    PendulaResult *result = NULL;
    if (!path)
        library_refuse(error, ERROR_USAGE, "the path of a result is NULL");
    else if (!(result = library_open(path, &err)))
        library_fail(error, &err);
    return result;
}

void pendula_result_free(PendulaResult *result)
{
    if (!result)
        return;
    for (size_t g = 0; result->results && g < result->planned->plan.group_count; ++g)
        results_free(&result->results[g]);
    free(result->results);
    store_read_close(&result->file);
    library_drop_planned(result->planned);
    free(result);
}

size_t pendula_result_groups(const PendulaResult *result)
{
    return result ? result->file.group_count : 0;
}

const char *pendula_result_label(const PendulaResult *result, size_t group)
{
    return group < pendula_result_groups(result) ? result->file.groups[group].label : NULL;
}

bool pendula_result_complete(const PendulaResult *result)
{
    return result && result->complete;
}

static int type_of(VariableType type)
{
    static const int types[] = {[TYPE_I8] = PENDULA_I8,
                                [TYPE_I32] = PENDULA_I32,
                                [TYPE_I64] = PENDULA_I64,
                                [TYPE_F32] = PENDULA_F32,
                                [TYPE_F64] = PENDULA_F64};
    return types[type];
}

// The type of an array that the plan knows.
static VariableType planned_type(const Dataset *dataset, const Group *group)
{
    switch (dataset->kind) {
    case DATASET_SAMPLE:
    case DATASET_SELECTED_POINTS: return TYPE_I64;
    case DATASET_COUNTER:
    case DATASET_DOF:
    case DATASET_ROLE: return TYPE_I32;
    case DATASET_CONSTANT: return dataset->whole ? TYPE_I64 : TYPE_F64;
    case DATASET_VARIABLE: return group->variables[dataset->index].type;
    default: return TYPE_F64;
    }
}

// Lists the numbers of an array that the plan knows. Those of an axis are borrowed.
static const void *list_values(const Dataset *dataset, const Group *group, Arena *arena, Error *err)
{
    const uint64_t count = layout_dataset_count(dataset);
    const Axis    *axis =
        dataset->kind == DATASET_AXIS || dataset->kind == DATASET_ALONG ? &group->axes[dataset->index] : NULL;
    if (axis && axis->values)
        return axis->values;
    double *values = arena_take(arena, (size_t)count, sizeof *values, err);
    if (!values)
        return NULL;
    if (dataset->kind == DATASET_CONSTANT && dataset->whole)
        memcpy(values, &(int64_t){(int64_t)dataset->value}, sizeof(int64_t));
    else if (dataset->kind == DATASET_CONSTANT)
        *values = dataset->value;
    else
        header_list(dataset, group, 0, count, values);
    return values;
}

static bool hold_array(PendulaResult *result, StoreGroup *to, const Results *results, const Dataset *dataset,
                       Error *err)
{
    const Group  *group = results->group;
    const bool    computed = dataset->kind == DATASET_VARIABLE;
    StoreVariable variable = {.name = dataset->name,
                              .unit = dataset->unit,
                              .about = dataset->about,
                              .scale = layout_is_scale(dataset),
                              .type = planned_type(dataset, group),
                              .rank = dataset->rank};
    variable.fill = computed ? (double)results_fill(variable.type) : 0.0;
    variable.filled = variable.fill != 0.0;
    for (size_t i = 0; i < dataset->rank; ++i) {
        variable.shape[i] = dataset->dims[i]->length;
        variable.dims[i] = dataset->dims[i]->name;
    }
    variable.held = computed ? results->data[dataset->index] : list_values(dataset, group, &result->file.arena, err);
    held_add(to, &variable);
    const char *distribution = dataset->kind == DATASET_ALONG ? group->axes[dataset->index].distribution : NULL;
    return variable.held &&
           (!distribution || held_add_text(&result->file, to, dataset->name, "distribution", distribution, err));
}

static bool hold_group(PendulaResult *result, const Section *section, const Results *results, Error *err)
{
    const Group *group = section->group;
    StoreFile   *file = &result->file;
    StoreGroup  *to = held_group(file, group->label, section->dataset_count, err);
    if (!to || !held_add_text(file, to, NULL, "method", group->method->name, err) ||
        (group->sampling && !held_add_text(file, to, NULL, "sampling", group->sampling_text, err)))
        return false;
    for (size_t d = 0; d < section->dataset_count; ++d)
        if (section->datasets[d].kind != DATASET_BARE && !hold_array(result, to, results, &section->datasets[d], err))
            return false;
    to->dof_count = group->coordinates ? group->dofs : 0;
    to->dofs = arena_take(&file->arena, to->dof_count, sizeof *to->dofs, err);
    for (size_t i = 0; to->dofs && i < to->dof_count; ++i) {
        const Dof *dof = &group->coordinates[i];
        const bool moves = !group->problem->first_order;
        to->dofs[i] =
            (StoreDof){dof->name, dof->unit, moves ? dof->velocity : dof->name, moves ? dof->velocity_unit : dof->unit};
    }
    return to->dofs != NULL;
}

// Makes room for the results of a group, and names its arrays.
static bool make_group(PendulaResult *result, size_t g, Error *err)
{
    const Section *section = &result->planned->layout.sections[g];
    const Group   *group = section->group;
    return results_make(group, group->point_count, group->trajectory.slot_count, &result->results[g], err) &&
           hold_group(result, section, &result->results[g], err);
}

PendulaResult *library_make_result(Planned *planned, Error *err)
{
    const size_t   groups = planned->plan.group_count;
    PendulaResult *result = calloc(1, sizeof *result);
    if (!result) {
        fail(err, ERROR_INTERNAL, "out of memory");
        return NULL;
    }
    result->planned = library_hold_planned(planned);
    result->results = calloc(groups, sizeof *result->results);
    bool ok = (result->results || fail(err, ERROR_INTERNAL, "out of memory")) &&
              held_open("result", groups, &result->file, err);
    for (size_t g = 0; ok && g < groups; ++g)
        ok = make_group(result, g, err);
    if (ok)
        return result;
    pendula_result_free(result);
    return NULL;
}

static void describe(const StoreGroup *group, size_t v, PendulaArray *array)
{
    const StoreVariable *variable = &group->variables[v], *status = store_read_variable(group, "status");
    *array = (PendulaArray){.name = variable->name,
                            .unit = variable->unit,
                            .about = variable->about,
                            .type = type_of(variable->type),
                            .axis = variable->scale,
                            .computed = status && variable >= status,
                            .rank = variable->rank,
                            .count = variable->count,
                            .data = variable->held,
                            .fill = variable->filled ? variable->fill : (double)NAN};
    for (size_t i = 0; i < variable->rank; ++i) {
        array->shape[i] = variable->shape[i];
        array->dims[i] = variable->dims[i];
    }
}

// Copies as much of a description as fits the caller's struct.
static bool hand_over(const PendulaArray *found, PendulaArray *array)
{
    const size_t size = array->size;
    if (size <= sizeof size)
        return false;
    memcpy(array, found, size < sizeof *found ? size : sizeof *found);
    array->size = size;
    return true;
}

const StoreGroup *library_group(const PendulaResult *result, const char *label)
{
    if (!result)
        return NULL;
    if (!label)
        return result->file.group_count == 1 ? result->file.groups : NULL;
    return store_read_group(&result->file, label);
}

bool pendula_result_array(const PendulaResult *result, const char *label, size_t index, PendulaArray *array)
{
    const StoreGroup *group = library_group(result, label);
    PendulaArray      found;
    if (!array || !group || index >= group->variable_count)
        return false;
    describe(group, index, &found);
    return hand_over(&found, array);
}

static const StoreVariable *find(const PendulaResult *result, const char *label, const char *name)
{
    const StoreGroup *group = library_group(result, label);
    return group && name ? store_read_variable(group, name) : NULL;
}

bool pendula_result_find(const PendulaResult *result, const char *label, const char *name, PendulaArray *array)
{
    const StoreVariable *variable = find(result, label, name);
    return variable &&
           pendula_result_array(result, label, (size_t)(variable - library_group(result, label)->variables), array);
}

size_t pendula_result_size(const PendulaResult *result, const char *label, const char *name)
{
    const StoreVariable *variable = find(result, label, name);
    return variable ? (size_t)variable->count : 0;
}

bool pendula_result_read(const PendulaResult *result, const char *label, const char *name, double *values, size_t n,
                         PendulaError **error)
{
    PLAIN_NUMERALS;
    const StoreVariable *variable = find(result, label, name);
    Error                err = {0};
    if (!result || !values)
        return library_refuse(error, ERROR_USAGE, "the result or the place for its numbers is NULL");
    if (!variable)
        return library_refuse(error, ERROR_USAGE, "group '%.60s' has no array '%.60s'", label ? label : "NULL",
                              name ? name : "NULL");
    if (n != variable->count)
        return library_refuse(error, ERROR_USAGE, "'%s' has %llu numbers, and there is room for %zu", variable->name,
                              (unsigned long long)variable->count, n);
    return store_read_numbers(&result->file, library_group(result, label), variable, NULL, NULL, values, &err) ||
           library_fail(error, &err);
}

bool library_add_messages(StoreFile *file, const StoreGroup *group, char *text, Error *err)
{
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        const char *known = NULL;
        line += strspn(line, " ");
        for (size_t i = 0; (known = store_read_held(file, group, NULL, "message", i)) && strcmp(known, line) != 0;)
            ++i;
        if (*line && !known && !held_add_text(file, group, NULL, "message", line, err))
            return false;
    }
    return true;
}

const char *pendula_result_text(const PendulaResult *result, const char *label, const char *name, size_t index)
{
    const StoreGroup *group = library_group(result, label);
    return group && name ? store_read_held(&result->file, group, NULL, name, index) : NULL;
}

const char *pendula_status_name(int status)
{
    return status >= 0 && status < STATUS_COUNT ? plan_status_names[status] : NULL;
}
