// result -- results of a run in memory or of a file, as arrays by their names.
#include "library/library.h"

#include "store/header.h"
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
    Error          err = {0};
    PendulaResult *result = NULL;
    if (!path)
        library_refuse(error, ERROR_USAGE, "the path of a result is NULL");
    else if (!(result = library_open(path, &err)))
        library_fail(error, &err);
    return result;
}

static void free_values(Values *values, size_t count)
{
    for (size_t d = 0; values && d < count; ++d)
        free(values[d].owned);
    free(values);
}

void pendula_result_free(PendulaResult *result)
{
    if (!result)
        return;
    const Planned *planned = result->planned;
    for (size_t g = 0; planned && g < planned->plan.group_count; ++g) {
        if (result->values)
            free_values(result->values[g], planned->layout.sections[g].dataset_count);
        if (result->results)
            results_free(&result->results[g]);
    }
    free(result->values);
    free(result->results);
    library_drop_planned(result->planned);
    store_read_close(&result->file);
    free(result);
}

size_t pendula_result_groups(const PendulaResult *result)
{
    return !result ? 0 : result->planned ? result->planned->plan.group_count : result->file.group_count;
}

const char *pendula_result_label(const PendulaResult *result, size_t group)
{
    if (group >= pendula_result_groups(result))
        return NULL;
    return result->planned ? result->planned->plan.groups[group].label : result->file.groups[group].label;
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

// Whether a dataset is an array for the caller; a dimension without values is not.
static bool is_array(const Dataset *dataset)
{
    return dataset->kind != DATASET_BARE;
}

// Lists the numbers of an array that the plan knows. Those of an axis are borrowed.
static bool list_values(const Dataset *dataset, const Group *group, Values *values, Error *err)
{
    const uint64_t count = layout_dataset_count(dataset);
    const Axis    *axis =
        dataset->kind == DATASET_AXIS || dataset->kind == DATASET_ALONG ? &group->axes[dataset->index] : NULL;
    if (axis && axis->values) {
        values->data = axis->values;
        return true;
    }
    values->owned = calloc(count ? count : 1, sizeof(double));
    values->data = values->owned;
    if (!values->owned)
        return fail(err, ERROR_INTERNAL, "out of memory for %llu values of '%s'", (unsigned long long)count,
                    dataset->name);
    if (dataset->kind == DATASET_CONSTANT && dataset->whole)
        *(int64_t *)values->owned = (int64_t)dataset->value;
    else if (dataset->kind == DATASET_CONSTANT)
        *(double *)values->owned = dataset->value;
    else
        header_list(dataset, group, 0, count, values->owned);
    return true;
}

// Makes room for the results of a group, and lists the arrays that its plan knows.
static bool make_group(PendulaResult *result, size_t g, Error *err)
{
    const Section *section = &result->planned->layout.sections[g];
    const Group   *group = section->group;
    result->values[g] = calloc(section->dataset_count, sizeof **result->values);
    bool ok = (result->values[g] || fail(err, ERROR_INTERNAL, "out of memory")) &&
              results_make(group, group->point_count, group->trajectory.slot_count, &result->results[g], err);
    for (size_t d = 0; ok && d < section->dataset_count; ++d)
        if (is_array(&section->datasets[d]) && !layout_is_data(&section->datasets[d]))
            ok = list_values(&section->datasets[d], group, &result->values[g][d], err);
    return ok;
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
    result->values = calloc(groups, sizeof *result->values);
    bool ok = (result->results && result->values) || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t g = 0; ok && g < groups; ++g)
        ok = make_group(result, g, err);
    if (ok)
        return result;
    pendula_result_free(result);
    return NULL;
}

static void describe_planned(const PendulaResult *result, size_t group, size_t d, PendulaArray *array)
{
    const Dataset     *dataset = &result->planned->layout.sections[group].datasets[d];
    const Group       *of = &result->planned->plan.groups[group];
    const bool         computed = dataset->kind == DATASET_VARIABLE;
    const VariableType type = planned_type(dataset, of);
    *array =
        (PendulaArray){.name = dataset->name,
                       .unit = dataset->unit,
                       .about = dataset->about,
                       .type = type_of(type),
                       .axis = layout_is_scale(dataset),
                       .computed = computed,
                       .rank = dataset->rank,
                       .count = layout_dataset_count(dataset),
                       .data = computed ? result->results[group].data[dataset->index] : result->values[group][d].data,
                       .fill = computed && results_fill(type) ? (double)results_fill(type) : (double)NAN};
    for (size_t i = 0; i < dataset->rank; ++i) {
        array->shape[i] = dataset->dims[i]->length;
        array->dims[i] = dataset->dims[i]->name;
    }
}

static void describe_stored(const StoreGroup *group, size_t v, PendulaArray *array)
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

// The number of the group with a label, or of the only group where the label is NULL. The count of groups: not found.
static size_t find_group(const PendulaResult *result, const char *label)
{
    const size_t count = pendula_result_groups(result);
    if (!label)
        return count == 1 ? 0 : count;
    size_t g = 0;
    while (g < count && strcmp(pendula_result_label(result, g), label) != 0)
        ++g;
    return g;
}

// The array with a number in a group. In memory these are the arrays of the group's section.
static bool describe(const PendulaResult *result, size_t group, size_t index, PendulaArray *array)
{
    if (!result->planned) {
        if (index >= result->file.groups[group].variable_count)
            return false;
        describe_stored(&result->file.groups[group], index, array);
        return true;
    }
    const Section *section = &result->planned->layout.sections[group];
    for (size_t d = 0; d < section->dataset_count; ++d)
        if (is_array(&section->datasets[d]) && index-- == 0) {
            describe_planned(result, group, d, array);
            return true;
        }
    return false;
}

bool pendula_result_array(const PendulaResult *result, const char *label, size_t index, PendulaArray *array)
{
    PendulaArray found;
    const size_t group = find_group(result, label);
    return array && group < pendula_result_groups(result) && describe(result, group, index, &found) &&
           hand_over(&found, array);
}

static bool find(const PendulaResult *result, const char *label, const char *name, PendulaArray *found)
{
    const size_t group = find_group(result, label);
    for (size_t i = 0; name && group < pendula_result_groups(result) && describe(result, group, i, found); ++i)
        if (strcmp(found->name, name) == 0)
            return true;
    return false;
}

bool pendula_result_find(const PendulaResult *result, const char *label, const char *name, PendulaArray *array)
{
    PendulaArray found;
    return array && find(result, label, name, &found) && hand_over(&found, array);
}

size_t pendula_result_size(const PendulaResult *result, const char *label, const char *name)
{
    PendulaArray found;
    return find(result, label, name, &found) ? (size_t)found.count : 0;
}

static double value_at(const PendulaArray *array, uint64_t i)
{
    double value = NAN;
    switch (array->type) {
    case PENDULA_I8: value = ((const int8_t *)array->data)[i]; break;
    case PENDULA_I32: value = ((const int32_t *)array->data)[i]; break;
    case PENDULA_I64: value = (double)((const int64_t *)array->data)[i]; break;
    case PENDULA_F32: value = (double)((const float *)array->data)[i]; break;
    case PENDULA_F64: value = ((const double *)array->data)[i]; break;
    }
    return value == array->fill ? (double)NAN : value;
}

bool pendula_result_read(const PendulaResult *result, const char *label, const char *name, double *values, size_t n,
                         PendulaError **error)
{
    PendulaArray found;
    Error        err = {0};
    if (!result || !values)
        return library_refuse(error, ERROR_USAGE, "the result or the place for its numbers is NULL");
    if (!find(result, label, name, &found))
        return library_refuse(error, ERROR_USAGE, "group '%.60s' has no array '%.60s'", label ? label : "NULL",
                              name ? name : "NULL");
    if (n != found.count)
        return library_refuse(error, ERROR_USAGE, "'%s' has %llu numbers, and there is room for %zu", found.name,
                              (unsigned long long)found.count, n);
    if (!result->planned) {
        const StoreGroup *group = &result->file.groups[find_group(result, label)];
        return store_read_numbers(&result->file, group, store_read_variable(group, name), NULL, NULL, values, &err) ||
               library_fail(error, &err);
    }
    for (uint64_t i = 0; i < found.count; ++i)
        values[i] = value_at(&found, i);
    return true;
}

const char *pendula_status_name(int status)
{
    return status >= 0 && status < STATUS_COUNT ? plan_status_names[status] : NULL;
}
