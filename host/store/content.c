// content -- dimensions, variables and stored trajectories of a group, found by the names of its scales.
#include "store/content.h"

#include "h5/h5.h"
#include "store/damage.h"

#include <string.h>

static bool fail_damaged(const Content *content, const char *what, Error *err)
{
    return damage_fail(content->file->path, content->points.group->label, err, "%s", what);
}

// The indices along a dimension of the points whose trajectories are stored: all, or the selection of a scale
// trajectory_DIMENSION, which has values of the axis, or indices where points go together.
static bool find_selected(Content *content, const StoreVariable *field, size_t d, Error *err)
{
    static const char    prefix[] = "trajectory_";
    const Points        *points = &content->points;
    const bool           selected = strncmp(field->dims[d], prefix, sizeof prefix - 1) == 0;
    const size_t         count = (size_t)field->shape[d];
    const StoreVariable *scale = store_read_variable(points->group, field->dims[d]);
    if (selected ? !scale || scale->count != count : count != points->dims[d].count)
        return fail_damaged(content, "the selection of its trajectories", err);
    double *values = arena_take(&content->arena, count, sizeof *values, err);
    size_t *found = arena_take(&content->arena, count, sizeof *found, err), next = 0;
    if (!values || !found)
        return false;
    if (selected && !store_read_numbers(points->file, points->group, scale, NULL, NULL, values, err))
        return false;
    const PointsAxis *axis = NULL;
    for (size_t i = 0; selected && !points->dims[d].together && i < points->axis_count; i++)
        axis = points->axes[i].dim == d ? &points->axes[i] : axis;
    for (size_t i = 0; i < points->dims[d].count && next < count; i++)
        if (!selected || (axis ? axis->values[i] == values[next] : (double)i == values[next]))
            found[next++] = i;
    content->group.trajectory.selected[d] = found;
    content->group.trajectory.selected_count[d] = count;
    return next == count || fail_damaged(content, "the selection of its trajectories", err);
}

static bool find_trajectories(Content *content, const StoreVariable *field, Error *err)
{
    Group       *group = &content->group;
    Trajectory  *trajectory = &group->trajectory;
    const size_t rank = group->dim_count;
    if (field->rank <= rank || strcmp(field->dims[rank], "sample") != 0)
        return fail_damaged(content, "the shape of its trajectories", err);
    trajectory->stored = true;
    trajectory->slot_count = 1;
    trajectory->sample_count = (size_t)field->shape[rank];
    trajectory->selected = arena_take(&content->arena, rank, sizeof *trajectory->selected, err);
    trajectory->selected_count = arena_take(&content->arena, rank, sizeof *trajectory->selected_count, err);
    if (!trajectory->selected || !trajectory->selected_count)
        return false;
    for (size_t d = 0; d < rank; d++) {
        trajectory->slot_count *= (size_t)field->shape[d];
        if (!find_selected(content, field, d, err))
            return false;
    }
    return true;
}

static bool find_type(hid_t type, VariableType *found)
{
    const bool   real = H5Tget_class(type) == H5T_FLOAT;
    const size_t bytes = H5Tget_size(type);
    *found = real ? bytes == 4 ? TYPE_F32 : TYPE_F64 : bytes == 1 ? TYPE_I8 : bytes == 4 ? TYPE_I32 : TYPE_I64;
    return (real || H5Tget_class(type) == H5T_INTEGER) && bytes == group_type_bytes(*found);
}

// Address and type of a dataset. A packed dataset has no address: it stays open.
static bool find_place(const Content *content, const StoreVariable *variable, VariableType *type, BlockColumn *column,
                       Error *err)
{
    const hid_t id SCOPED(h5_leave) = store_read_object(content->file, content->points.group, variable),
                   stored SCOPED(h5_leave) = id >= 0 ? H5Dget_type(id) : -1;
    const haddr_t place = stored >= 0 ? H5Dget_offset(id) : HADDR_UNDEF;
    const bool    packed = place == HADDR_UNDEF && content->file->packed;
    const bool    found = (place != HADDR_UNDEF || packed) && find_type(stored, type);
    column->offset = packed ? 0 : place;
    if (packed && found && H5Iinc_ref(id) > 0)
        column->packed = id;
    return found || fail_damaged(content, variable->name, err);
}

static bool add_variable(Content *content, const StoreVariable *from, Error *err)
{
    Group       *group = &content->group;
    Variable    *variable = &group->variables[group->variable_count];
    BlockColumn *column = &content->columns[group->variable_count++];
    *variable = (Variable){.name = from->name,
                           .unit = from->unit,
                           .about = from->about,
                           .trajectory = points_is_trajectory(from),
                           .per_dof = from->rank > 0 && strcmp(from->dims[from->rank - 1], "dof") == 0};
    if (variable->trajectory && !group->trajectory.stored && !find_trajectories(content, from, err))
        return false;
    const uint64_t rows = variable->trajectory ? group->trajectory.slot_count : group->point_count;
    if (rows == 0 || from->count % rows != 0)
        return fail_damaged(content, from->name, err);
    variable->width = (size_t)(from->count / rows);
    column->trajectory = variable->trajectory;
    if (!find_place(content, from, &variable->type, column, err))
        return false;
    column->row_bytes = variable->width * group_type_bytes(variable->type);
    return true;
}

static bool read_whole(const Content *content, const char *attribute, uint64_t *whole, Error *err)
{
    double number = 0.0;
    bool   found = false;
    if (!store_read_number(content->file, content->points.group, attribute, &number, &found, err))
        return false;
    const bool good = found && number >= 0.0 && number < 0x1p53;
    *whole = good ? (uint64_t)number : 0;
    return good || fail_damaged(content, attribute, err);
}

static bool find_blocks(Content *content, Error *err)
{
    Group *group = &content->group;
    if (!read_whole(content, "first_block", &group->first_block, err) ||
        !read_whole(content, "block_points", &group->block_points, err))
        return false;
    if (group->block_points == 0)
        return fail_damaged(content, "block_points", err);
    group->block_count = (group->point_count + group->block_points - 1) / group->block_points;
    return (group->first_block <= content->file->block_count &&
            group->block_count <= content->file->block_count - group->first_block) ||
           fail_damaged(content, "first_block", err);
}

static bool describe(Content *content, const StoreGroup *from, Error *err)
{
    Group        *group = &content->group;
    const Points *points = &content->points;
    group->label = from->label;
    group->dim_count = points->dim_count;
    group->axis_count = points->axis_count;
    group->point_count = points->count;
    group->dims = points->dims;
    group->axes = points->axes;
    group->variables = arena_take(&content->arena, from->variable_count, sizeof *group->variables, err);
    content->columns = arena_take(&content->arena, from->variable_count, sizeof *content->columns, err);
    if (!group->variables || !content->columns)
        return false;
    bool ok = find_blocks(content, err);
    for (const StoreVariable *variable = points->status; ok && variable < from->variables + from->variable_count;
         variable++)
        ok = add_variable(content, variable, err);
    return ok;
}

bool content_open(const StoreFile *file, const StoreGroup *from, Content *content, Error *err)
{
    *content = (Content){.file = file};
    return points_open_design(file, from, &content->points, err) && describe(content, from, err);
}

void content_close(Content *content)
{
    for (size_t i = 0; i < content->group.variable_count; i++)
        if (content->columns[i].packed)
            H5Dclose(content->columns[i].packed);
    points_close(&content->points);
    arena_free(&content->arena);
    *content = (Content){0};
}

bool content_read_axes(Content *content, Error *err)
{
    for (size_t i = 0; i < content->group.axis_count; i++) {
        Axis *axis = &content->group.axes[i];
        if (axis->values)
            continue;
        double *values = arena_take(&content->arena, axis->count, sizeof *values, err);
        if (!values || !points_read_axis(&content->points, &content->points.axes[i], 0, axis->count, values, err))
            return false;
        axis->values = values;
    }
    return true;
}
