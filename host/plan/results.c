// results -- allocation of the buffers of a batch.
#include "plan/results.h"

#include <math.h>

bool results_make(const Group *group, size_t point_capacity, size_t slot_capacity, Results *results, Error *err)
{
    *results = (Results){.group = group, .point_capacity = point_capacity, .slot_capacity = slot_capacity};
    results->data = arena_take(&results->arena, group->variable_count, sizeof *results->data, err);
    bool ok = results->data != NULL;
    for (size_t i = 0; ok && i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        const size_t    rows = variable->trajectory ? slot_capacity : point_capacity;
        results->data[i] = arena_take(&results->arena, rows, variable->width * group_type_bytes(variable->type), err);
        ok = results->data[i] || fail(err, ERROR_INTERNAL, "out of memory: %zu rows of '%s' in group '%s'", rows,
                                      variable->name, group->label);
    }
    if (!ok)
        results_free(results);
    return ok;
}

void results_free(Results *results)
{
    arena_free(&results->arena);
    *results = (Results){0};
}

void *results_at(const Results *results, size_t variable, size_t point_or_slot)
{
    const Variable *v = &results->group->variables[variable];
    return (char *)results->data[variable] + point_or_slot * v->width * group_type_bytes(v->type);
}

int64_t results_fill(VariableType type)
{
    return type == TYPE_I32 ? INT32_MIN + 1 : type == TYPE_I64 ? INT64_MIN + 2 : 0;
}

// Cut to an integer between least and most.
static int64_t cut(double value, VariableType type, int64_t least, int64_t most)
{
    if (isnan(value))
        return results_fill(type);
    if (value <= (double)least)
        return least;
    return value >= (double)most ? most : (int64_t)value;
}

void results_put(const Results *results, size_t variable, size_t point_or_slot, size_t element, double value)
{
    void *row = results_at(results, variable, point_or_slot);
    switch (results->group->variables[variable].type) {
    case TYPE_I8: ((int8_t *)row)[element] = (int8_t)cut(value, TYPE_I8, INT8_MIN, INT8_MAX); break;
    case TYPE_I32: ((int32_t *)row)[element] = (int32_t)cut(value, TYPE_I32, INT32_MIN, INT32_MAX); break;
    case TYPE_I64: ((int64_t *)row)[element] = cut(value, TYPE_I64, INT64_MIN, INT64_MAX); break;
    case TYPE_F32: ((float *)row)[element] = plain_nan_float((float)value); break;
    case TYPE_F64: ((double *)row)[element] = plain_nan(value); break;
    }
}

static double whole_value(int64_t whole, VariableType type)
{
    return whole == results_fill(type) ? (double)NAN : (double)whole;
}

double results_value(const Results *results, size_t variable, size_t point_or_slot, size_t element)
{
    const void *row = results_at(results, variable, point_or_slot);
    switch (results->group->variables[variable].type) {
    case TYPE_I8: return ((const int8_t *)row)[element];
    case TYPE_I32: return whole_value(((const int32_t *)row)[element], TYPE_I32);
    case TYPE_I64: return whole_value(((const int64_t *)row)[element], TYPE_I64);
    case TYPE_F32: return (double)((const float *)row)[element];
    case TYPE_F64: return ((const double *)row)[element];
    }
    return NAN;
}
