// order -- ranks of axis values, and a stable radix sort of points by them.
#include "plan/order.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

typedef struct RankedValue {
    double value;
    size_t index;
} RankedValue;

static int by_value(const void *a, const void *b)
{
    const RankedValue *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->index > y->index) - (x->index < y->index);
}

// Ranks of an axis's values, equal ones sharing a rank. More steps come first: points that take long begin early.
static bool add_axis(Order *order, size_t index, Error *err)
{
    const Axis *axis = &order->group->axes[index];
    if (!axis->values) {
        order->axes[order->axis_count++] = index;
        return true;
    }
    const double direction = axis->role == AXIS_STEPS ? -1.0 : 1.0;
    Arena        scratch = {0};
    RankedValue *places = arena_take(&scratch, axis->count, sizeof *places, err);
    uint32_t    *ranks = arena_take(&order->arena, axis->count, sizeof *ranks, err);
    const bool   ok = places && ranks;
    for (size_t i = 0; ok && i < axis->count; ++i)
        places[i] = (RankedValue){direction * axis->values[i], i};
    if (ok)
        qsort(places, axis->count, sizeof *places, by_value);
    for (size_t i = 1, rank = 0; ok && i < axis->count; ++i) {
        rank += places[i].value > places[i - 1].value;
        ranks[places[i].index] = (uint32_t)rank;
    }
    order->axes[order->axis_count] = index;
    order->ranks[order->axis_count++] = ranks;
    arena_free(&scratch);
    return ok;
}

// The axis of a parameter of the problem, where it has one.
static bool add_parameter(Order *order, const char *name, Error *err)
{
    const Group *group = order->group;
    const int    axis = group->problem_parameters[card_parameter(group->problem, name)].axis;
    for (size_t i = 0; axis >= 0 && i < order->axis_count; ++i)
        if (order->axes[i] == (size_t)axis)
            return true;
    return axis < 0 || add_axis(order, (size_t)axis, err);
}

bool order_make(const Group *group, Order *order, Error *err)
{
    const Card     *problem = group->problem;
    const CurveSet *curves = problem->curves;
    *order = (Order){.group = group};
    order->axes = arena_take(&order->arena, group->axis_count, sizeof *order->axes, err);
    order->ranks = arena_take(&order->arena, group->axis_count, sizeof *order->ranks, err);
    bool ok = order->axes && order->ranks;
    for (size_t i = 0; ok && i < group->axis_count; ++i)
        if (group->axes[i].role == AXIS_STEPS || group->axes[i].role == AXIS_STEP)
            ok = add_axis(order, i, err);
    for (size_t i = 0; ok && curves && !group->method->adaptive && i < curves->count; ++i)
        ok = !curves->list[i].of || add_parameter(order, curves->list[i].of, err);
    for (size_t s = 0; ok && s < problem->stiffness_count; ++s)
        ok = add_parameter(order, problem->stiffness[s], err);
    if (!ok)
        order_free(order);
    return ok;
}

void order_free(Order *order)
{
    arena_free(&order->arena);
    *order = (Order){0};
}

// A factor's values have no table: the part of its distribution below a value is its rank, in two digits.
static uint32_t rank_of(const Order *order, const Batch *batch, size_t axis, uint32_t point)
{
    const Axis  *values = &order->group->axes[order->axes[axis]];
    const size_t index = group_index(order->group, values->dim, batch->first_point + point);
    if (values->values)
        return order->ranks[axis][index];
    const double share = sampling_share(order->group->sampling, values->factor, index);
    return (uint32_t)((values->role == AXIS_STEPS ? 1.0 - share : share) * (DIGITS * DIGITS - 1));
}

// Sorts by one digit of the rank along an axis; equal ones stay as they are.
static void sort_digit(const Order *order, const Batch *batch, size_t axis, unsigned shift, size_t count,
                       const uint32_t *from, uint32_t *to)
{
    size_t begin[DIGITS + 1] = {0};
    for (size_t i = 0; i < count; ++i)
        ++begin[((rank_of(order, batch, axis, from[i]) >> shift) & (DIGITS - 1)) + 1];
    for (size_t d = 0; d < DIGITS; ++d)
        begin[d + 1] += begin[d];
    for (size_t i = 0; i < count; ++i)
        to[begin[(rank_of(order, batch, axis, from[i]) >> shift) & (DIGITS - 1)]++] = from[i];
}

static void sort_axis(const Order *order, const Batch *batch, size_t axis, size_t count, uint32_t *points,
                      uint32_t *spare)
{
    uint32_t most = 0;
    bool     sorted = true;
    for (size_t i = 0, last = 0; i < count; ++i) {
        const uint32_t rank = rank_of(order, batch, axis, points[i]);
        sorted = sorted && rank >= last;
        last = rank;
        most = rank > most ? rank : most;
    }
    for (unsigned shift = 0; !sorted && shift < 32 && most >> shift > 0; shift += DIGIT_BITS) {
        sort_digit(order, batch, axis, shift, count, points, spare);
        memcpy(points, spare, count * sizeof *points);
    }
}

void order_batch(const Order *order, const Batch *batch, uint32_t *points, uint32_t *spare)
{
    size_t stored = 0, others = 0;
    for (size_t i = 0; i < batch->point_count; ++i) {
        bool selected = false;
        if (batch->given && batch->given[i])
            continue;
        if (batch->slot_count > 0)
            group_slot(order->group, batch->first_point + i, &selected);
        if (selected)
            points[stored++] = (uint32_t)i;
        else
            spare[others++] = (uint32_t)i;
    }
    memcpy(points + stored, spare, others * sizeof *points);
    for (size_t axis = order->axis_count; axis-- > 0;) {
        sort_axis(order, batch, axis, stored, points, spare);
        sort_axis(order, batch, axis, others, points + stored, spare);
    }
}
