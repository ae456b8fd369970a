// sides -- a group of two files: the quantities that make a point, and whether points stand at the same places.
#include "store/sides.h"

#include <string.h>

bool sides_open(FileSides *pair, const char *label, Error *err)
{
    bool ok = true;
    for (int side = 0; ok && side < DIFF_SIDES; side++) {
        DiffSide         *of = &pair->sides[side];
        const StoreGroup *group = store_read_group(of->file, label);
        ok = content_open(of->file, group, &of->content, err) &&
             recorded_read(of->file, group, NULL, &of->recorded, err);
    }
    return ok;
}

void sides_close(FileSides *pair)
{
    for (int side = 0; side < DIFF_SIDES; side++) {
        content_close(&pair->sides[side].content);
        recorded_free(&pair->sides[side].recorded);
    }
    arena_free(&pair->arena);
}

// Attributes that a point is not looked for by: rules, and attributes of the group as a whole.
static bool is_rule(const char *name)
{
    static const char *const words[] = {"method", "source", "design", "sampling", "first_block", "block_points"};
    static const char *const beginnings[] = {"newton.", "substeps.", "trajectory."};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return card_lists(words, sizeof words / sizeof *words, name);
}

// The quantity of a name in a group: an axis or a number. A choice is a text where it is not an axis.
static bool find_quantity(const DiffSide *side, const char *name, Quantity *quantity)
{
    const Group    *group = &side->content.group;
    const Axis     *axis = group_axis(group, name);
    const Recorded *item = recorded_find(&side->recorded, name);
    *quantity = (Quantity){.value = item ? item->number : 0.0, .axis = axis ? (int)(axis - group->axes) : -1};
    return axis || (item && !item->text);
}

static void add_quantity(FileSides *pair, const char *name, Quantity a, Quantity b)
{
    pair->names[pair->quantity_count] = name;
    pair->quantities[pair->quantity_count++] = (QuantityPair){a, b};
}

// The axes of both files.
static bool pair_axes(FileSides *pair, const char **apart, Error *err)
{
    for (int side = 0; side < DIFF_SIDES; side++) {
        const Group *group = &pair->sides[side].content.group, *other = &pair->sides[!side].content.group;
        for (size_t i = 0; i < group->axis_count; i++) {
            const char *name = group->axes[i].name;
            Quantity    a, b;
            if (side == SIDE_B && group_axis(other, name))
                continue;
            if (!find_quantity(&pair->sides[SIDE_A], name, &a) || !find_quantity(&pair->sides[SIDE_B], name, &b)) {
                *apart =
                    arena_format(&pair->arena, err, "'%s' is an axis of one file, and not recorded in the other", name);
                return *apart != NULL;
            }
            add_quantity(pair, name, a, b);
        }
    }
    return true;
}

// Numbers and choices that both files have fixed.
static bool pair_fixed(FileSides *pair, const char **apart, Error *err)
{
    const RecordedList *a = &pair->sides[SIDE_A].recorded, *b = &pair->sides[SIDE_B].recorded;
    for (size_t i = 0; i < a->count; i++) {
        const Recorded *in_a = &a->items[i], *in_b = recorded_find(b, in_a->name);
        if (!in_b || is_rule(in_a->name) || group_axis(&pair->sides[SIDE_A].content.group, in_a->name) ||
            group_axis(&pair->sides[SIDE_B].content.group, in_a->name))
            continue;
        if (in_a->text || in_b->text) {
            if (in_a->text && in_b->text && strcmp(in_a->text, in_b->text) == 0)
                continue;
            *apart = arena_format(&pair->arena, err, "'%s' has another value", in_a->name);
            return *apart != NULL;
        }
        add_quantity(pair, in_a->name, (Quantity){in_a->number, -1}, (Quantity){in_b->number, -1});
    }
    return true;
}

bool sides_same_axes(const FileSides *pair, size_t a, size_t b, bool *same, Error *err)
{
    enum { PART = 4096 };
    const Points     *of_a = &pair->sides[SIDE_A].content.points, *of_b = &pair->sides[SIDE_B].content.points;
    const PointsAxis *axis_a = &of_a->axes[a], *axis_b = &of_b->axes[b];
    double            values_a[PART], values_b[PART];
    *same = axis_a->count == axis_b->count;
    for (size_t first = 0; *same && first < axis_a->count; first += PART) {
        const size_t count = axis_a->count - first < PART ? axis_a->count - first : PART;
        if (!points_read_axis(of_a, axis_a, first, count, values_a, err) ||
            !points_read_axis(of_b, axis_b, first, count, values_b, err))
            return false;
        *same = memcmp(values_a, values_b, count * sizeof *values_a) == 0;
    }
    return true;
}

// Whether the groups have the same dimensions with the same values along them.
static bool find_places(FileSides *pair, Error *err)
{
    const Group *a = &pair->sides[SIDE_A].content.group, *b = &pair->sides[SIDE_B].content.group;
    pair->in_place = a->dim_count == b->dim_count && a->axis_count == b->axis_count;
    for (size_t d = 0; pair->in_place && d < a->dim_count; d++)
        pair->in_place = a->dims[d].count == b->dims[d].count;
    for (size_t i = 0; pair->in_place && i < pair->quantity_count; i++) {
        const Quantity of_a = pair->quantities[i].old, of_b = pair->quantities[i].new;
        if (of_a.axis < 0 && of_b.axis < 0)
            pair->in_place = memcmp(&of_a.value, &of_b.value, sizeof of_a.value) == 0;
        else if (of_a.axis < 0 || of_b.axis < 0 || a->axes[of_a.axis].dim != b->axes[of_b.axis].dim)
            pair->in_place = false;
        else if (!sides_same_axes(pair, (size_t)of_a.axis, (size_t)of_b.axis, &pair->in_place, err))
            return false;
    }
    return true;
}

bool sides_pair(FileSides *pair, const char **apart, Error *err)
{
    const size_t most = pair->sides[SIDE_A].content.group.axis_count + pair->sides[SIDE_B].content.group.axis_count +
                        pair->sides[SIDE_A].recorded.count;
    *apart = NULL;
    pair->quantities = arena_take(&pair->arena, most, sizeof *pair->quantities, err);
    pair->names = arena_take(&pair->arena, most, sizeof *pair->names, err);
    if (!pair->quantities || !pair->names || !pair_axes(pair, apart, err) || (!*apart && !pair_fixed(pair, apart, err)))
        return false;
    if (!*apart && !card_lists(pair->names, pair->quantity_count, "end") &&
        !card_lists(pair->names, pair->quantity_count, "steps"))
        *apart = "one file has their end, the other their number of steps";
    return *apart || find_places(pair, err);
}
