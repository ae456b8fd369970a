// plot_phase -- phase portraits: stored trajectories, a velocity over its coordinate or one coordinate over another.
#include "analysis/plot/series.h"
#include "analysis/plot/trajectories.h"

#include <math.h>
#include <string.h>

enum { MOST_SAMPLES = 20000 };

// Adds "x0" for a coordinate of the first group with trajectories.
static const char *name_field(const PlotFile *file, char kind, const char *component, Arena *arena, Error *err)
{
    const PlotGroup     *group = plot_fields_group(file);
    const StoreVariable *x = store_read_variable(group->points.group, "x");
    const size_t         dofs = x && x->rank > 0 ? (size_t)x->shape[x->rank - 1] : 0,
                 number = plot_file_coordinate(group, component, dofs);
    if (number < dofs)
        return arena_format(arena, err, "%c%zu", kind, number);
    fail(err, ERROR_USAGE, "%s: no coordinate '%.60s' is stored; a phase portrait needs `trajectory: {fields: [x, v]}`",
         file->file.path, component);
    return NULL;
}

// The two fields that make a portrait: "A,B", or "A" and its velocity. Without a component the first coordinate; of a
// first-order system, which has no velocities, the first two.
static bool find_fields(const PlotFile *file, const PlotRequest *request, Arena *arena, const char *fields[2],
                        Error *err)
{
    const char *component = request->view.component, *comma = component ? strchr(component, ',') : NULL;
    const char *first = comma       ? arena_format(arena, err, "%.*s", (int)(comma - component), component)
                        : component ? component
                                    : "0";
    bool        velocities = false;
    for (size_t i = 0; i < file->group_count; ++i)
        velocities = velocities || store_read_variable(file->groups[i].points.group, "v");
    fields[0] = first ? name_field(file, 'x', first, arena, err) : NULL;
    fields[1] = !fields[0]            ? NULL
                : comma               ? name_field(file, 'x', comma + 1, arena, err)
                : velocities          ? name_field(file, 'v', first, arena, err)
                : fields[0][1] == '1' ? "x0"
                                      : "x1";
    return fields[0] && fields[1];
}

static bool add_curve(SeriesPicture *picture, const Trajectories *found, const PlotCurve *curve, size_t panel,
                      Error *err)
{
    const size_t  every = (curve->last - curve->first) / MOST_SAMPLES + 1;
    const double *x = trajectories_numbers(curve, &found->rows[0]), *y = trajectories_numbers(curve, &found->rows[1]);
    const char   *name = trajectories_name(found, curve, TRAJECTORY_LEGEND, err);
    Series       *series = name ? series_add(picture, panel, series_entry(picture, name), SERIES_LINES,
                                             (curve->last - curve->first + every - 1) / every, err)
                                : NULL;
    for (size_t i = curve->first, at = 0; series && i < curve->last; i += every, ++at) {
        series->x[at] = x[i];
        series->y[at] = y[i];
    }
    return series != NULL;
}

// Columns of trajectories are panels here.
static bool add_columns(SeriesPicture *picture, const Trajectories *found, Error *err)
{
    for (size_t column = 0; column < found->column_count; ++column) {
        const char *title = NULL;
        Text        more = {0};
        size_t      panel = 0;
        for (size_t i = 0; i < found->count; ++i) {
            const PlotCurve *curve = &found->curves[i];
            if (curve->column != column)
                continue;
            const bool begun = title != NULL;
            title = begun ? title : trajectories_name(found, curve, TRAJECTORY_TITLE, err);
            if (!title || (!begun && !series_panel(picture, title, &more, &panel, err)) ||
                !add_curve(picture, found, curve, panel, err))
                return false;
        }
    }
    return true;
}

static bool add_phase(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err)
{
    SeriesPicture *picture = series_make(figure, request, err);
    Trajectories  *found = arena_take(&figure->arena, 1, sizeof *found, err);
    Text          *said = figure->said;
    PlotRequest   *wanted = arena_take(&figure->arena, 1, sizeof *wanted, err);
    if (!picture || !found || !wanted)
        return false;
    *wanted = *request;
    wanted->field_count = 2;
    found->file = file;
    found->request = wanted;
    found->figure = figure;
    if (!find_fields(file, request, &figure->arena, wanted->fields, err) || !trajectories_choose(found, err) ||
        !plot_fields_choose(found, err) || !trajectories_read(found, err) || !add_columns(picture, found, err))
        return false;
    picture->x.name = found->rows[0].label;
    picture->x.unit = found->rows[0].unit;
    picture->y.name = found->rows[1].label;
    picture->y.unit = found->rows[1].unit;
    picture->x.whole = picture->y.whole = true;
    picture->x.scale = PLOT_SCALE_LINEAR;
    picture->y.scale = request->scale == PLOT_SCALE_CHOSEN ? PLOT_SCALE_LINEAR : request->scale;
    for (size_t i = 0; i < found->count; ++i) {
        const char *name = trajectories_name(found, &found->curves[i], TRAJECTORY_WHOLE, err);
        if (!name)
            return false;
        text_add(said, "  %s: %zu samples\n", name, found->curves[i].last - found->curves[i].first);
    }
    if (found->left_out)
        text_add(said, "  %zu more groups are not drawn\n", found->left_out);
    return series_draw(picture, file, err);
}

const PlotMaker plot_phase = {"no trajectories are stored; add `trajectory:` to the sweep", plot_fields_stored,
                              PLOT_NO_METRIC, add_phase};
