// diff_settings -- recorded settings of two files, of a group, of its axes and variables, compared name by name.
#include "store/sides.h"

#include "base/json.h"
#include "store/header.h"

#include <math.h>
#include <string.h>

// Texts beyond this length are not shown.
enum { SHOWN = 60 };

// Where settings are added.
typedef struct SettingList {
    Diff       *diff;
    const char *where;
} SettingList;

static bool fits(const char *text)
{
    return strlen(text) <= SHOWN && !strpbrk(text, "\n\r\t");
}

static bool add(const SettingList *list, const char *name, const char *a, const char *b, Error *err)
{
    Diff *diff = list->diff;
    diff->settings = arena_grow(&diff->arena, diff->settings, diff->setting_count, sizeof *diff->settings, err);
    if (!diff->settings)
        return false;
    const bool  shown = !a || !b || (fits(a) && fits(b) && strcmp(a, b) != 0);
    const char *brief_a = shown && a ? arena_copy(&diff->arena, fits(a) ? a : "a long text", err) : NULL,
               *brief_b = shown && b ? arena_copy(&diff->arena, fits(b) ? b : "a long text", err) : NULL;
    name = arena_copy(&diff->arena, name, err);
    if (!name || (shown && ((a && !brief_a) || (b && !brief_b))))
        return false;
    diff->settings[diff->setting_count++] = (DiffSetting){list->where, name, brief_a, brief_b};
    return true;
}

// A number in as many digits as read back equal. json_number() writes null for numbers that JSON does not have.
static const char *number_text(double number, Arena *arena, Error *err)
{
    Text text SCOPED(text_free) = {0};
    if (isfinite(number))
        json_number(&text, number);
    else
        text_add(&text, "%g", number);
    return text_check(&text, err) ? arena_copy(arena, text.text, err) : NULL;
}

static const char *recorded_text(const Recorded *item, Arena *arena, Error *err)
{
    return item->text ? item->text : number_text(item->number, arena, err);
}

static bool same_item(const Recorded *a, const Recorded *b)
{
    if (a->text || b->text)
        return a->text && b->text && strcmp(a->text, b->text) == 0;
    return memcmp(&a->number, &b->number, sizeof a->number) == 0;
}

// Whether an attribute records a place in the file, and not how points were computed.
static bool is_place(const char *name)
{
    static const char *const places[] = {"first_block", "block_points", "coordinates",      "CLASS",
                                         "NAME",        header_packed,  header_unpacked_crc};
    return card_lists(places, sizeof places / sizeof *places, name);
}

static const Axis *axis_of(const FileSides *pair, int side, const char *name)
{
    return pair ? group_axis(&pair->sides[side].content.group, name) : NULL;
}

// Attributes of which neither file has an axis.
static bool compare_lists(const SettingList *settings, const RecordedList *a, const RecordedList *b,
                          const FileSides *pair, Error *err)
{
    Arena       *arena = &settings->diff->arena;
    const size_t count = a->count + b->count;
    bool         ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        const char     *name = i < a->count ? a->items[i].name : b->items[i - a->count].name;
        const Recorded *in_a = recorded_find(a, name), *in_b = recorded_find(b, name);
        if (is_place(name) || (i >= a->count && in_a) || (in_a && in_b && same_item(in_a, in_b)) ||
            axis_of(pair, SIDE_A, name) || axis_of(pair, SIDE_B, name))
            continue;
        const char *text_a = in_a ? recorded_text(in_a, arena, err) : NULL,
                   *text_b = in_b ? recorded_text(in_b, arena, err) : NULL;
        ok = (!in_a || text_a) && (!in_b || text_b) && add(settings, name, text_a, text_b, err);
    }
    return ok;
}

// Attributes of two files (groups NULL), or of a variable in both.
static bool compare_objects(const SettingList *settings, const StoreFile *const files[DIFF_SIDES],
                            const StoreGroup *const    groups[DIFF_SIDES],
                            const StoreVariable *const variables[DIFF_SIDES], Error *err)
{
    RecordedList a SCOPED(recorded_free) = {0}, b SCOPED(recorded_free) = {0};
    return recorded_read(files[SIDE_A], groups[SIDE_A], variables[SIDE_A], &a, err) &&
           recorded_read(files[SIDE_B], groups[SIDE_B], variables[SIDE_B], &b, err) &&
           compare_lists(settings, &a, &b, NULL, err);
}

// "81 values, 0.0001 to 1", or "1 value, 0.1".
static const char *axis_text(const DiffSide *side, size_t axis, Arena *arena, Error *err)
{
    enum { PART = 4096 };
    const PointsAxis *from = &side->content.points.axes[axis];
    double            values[PART], least = INFINITY, most = -INFINITY;
    for (size_t first = 0; first < from->count; first += PART) {
        const size_t count = from->count - first < PART ? from->count - first : PART;
        if (!points_read_axis(&side->content.points, from, first, count, values, err))
            return NULL;
        for (size_t i = 0; i < count; i++) {
            least = fmin(least, values[i]);
            most = fmax(most, values[i]);
        }
    }
    const char *low = number_text(least, arena, err), *high = low ? number_text(most, arena, err) : NULL;
    if (!high || from->count == 1)
        return high ? arena_format(arena, err, "1 value, %s", low) : NULL;
    return arena_format(arena, err, "%zu values, %s to %s", from->count, low, high);
}

// An axis, or the value that a file has in its place.
static bool quantity_text(const FileSides *pair, int side, const char *name, Arena *arena, const char **text,
                          Error *err)
{
    const Group    *group = &pair->sides[side].content.group;
    const Axis     *axis = group_axis(group, name);
    const Recorded *item = recorded_find(&pair->sides[side].recorded, name);
    *text = axis   ? axis_text(&pair->sides[side], (size_t)(axis - group->axes), arena, err)
            : item ? recorded_text(item, arena, err)
                   : NULL;
    return *text || (!axis && !item);
}

static bool compare_axes(const SettingList *settings, const FileSides *pair, Error *err)
{
    Arena       *arena = &settings->diff->arena;
    const Group *a = &pair->sides[SIDE_A].content.group, *b = &pair->sides[SIDE_B].content.group;
    bool         ok = true;
    for (size_t i = 0; ok && i < a->axis_count + b->axis_count; i++) {
        const char *name = i < a->axis_count ? a->axes[i].name : b->axes[i - a->axis_count].name;
        const Axis *in_a = group_axis(a, name), *in_b = group_axis(b, name);
        bool        same = i >= a->axis_count && in_a;
        const char *text_a, *text_b;
        if (!same && in_a && in_b)
            ok = sides_same_axes(pair, (size_t)(in_a - a->axes), (size_t)(in_b - b->axes), &same, err);
        if (ok && !same)
            ok = quantity_text(pair, SIDE_A, name, arena, &text_a, err) &&
                 quantity_text(pair, SIDE_B, name, arena, &text_b, err) && add(settings, name, text_a, text_b, err);
    }
    return ok;
}

// Variables that one file has, and attributes of variables that both have. Axes were compared already.
static bool compare_variables(const SettingList *settings, const FileSides *pair, Error *err)
{
    const StoreFile *const  files[] = {pair->sides[SIDE_A].file, pair->sides[SIDE_B].file};
    const StoreGroup *const groups[] = {pair->sides[SIDE_A].content.points.group,
                                        pair->sides[SIDE_B].content.points.group};
    bool                    ok = true;
    for (int side = 0; side < DIFF_SIDES; side++)
        for (size_t i = 0; ok && i < groups[side]->variable_count; i++) {
            const StoreVariable *variable = &groups[side]->variables[i],
                                *other = store_read_variable(groups[!side], variable->name);
            if (other && side == SIDE_A) {
                const SettingList inside = {settings->diff, arena_format(&settings->diff->arena, err, "%s/%s",
                                                                         settings->where, variable->name)};
                ok = inside.where &&
                     compare_objects(&inside, files, groups, (const StoreVariable *const[]){variable, other}, err);
            } else if (!other && variable >= pair->sides[side].content.points.status) {
                ok = add(settings, variable->name, side == SIDE_A ? "a variable" : NULL,
                         side == SIDE_B ? "a variable" : NULL, err);
            }
        }
    return ok;
}

bool diff_settings(Diff *diff, const StoreFile *a, const StoreFile *b, const FileSides *pair, Error *err)
{
    const SettingList settings = {diff, pair ? pair->sides[SIDE_A].content.group.label : ""};
    if (!pair)
        return compare_objects(&settings, (const StoreFile *const[]){a, b}, (const StoreGroup *const[DIFF_SIDES]){0},
                               (const StoreVariable *const[DIFF_SIDES]){0}, err);
    return compare_lists(&settings, &pair->sides[SIDE_A].recorded, &pair->sides[SIDE_B].recorded, pair, err) &&
           compare_axes(&settings, pair, err) && compare_variables(&settings, pair, err);
}
