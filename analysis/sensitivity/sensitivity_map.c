// sensitivity_map -- indices over two axes of a grid of designs: a panel for each factor, coloured by its index.
#include "analysis/sensitivity/sensitivity_panel.h"

#include <math.h>
#include <string.h>

static const PointsAxis *axis_of(const Study *study, const char *name)
{
    for (size_t i = 0; i < study->points.axis_count; ++i) {
        const PointsAxis *axis = &study->points.axes[i];
        if (axis->values && axis->dim + 1 < study->points.dim_count && strcmp(axis->name, name) == 0)
            return axis;
    }
    return NULL;
}

bool sensitivity_map_find(const Study *studies, size_t count, const char **names, Error *err)
{
    const bool asked = names[0] != NULL;
    for (size_t s = 0; s < count; ++s) {
        const Points *points = &studies[s].points;
        const size_t  dims = studies[s].random ? points->dim_count - 1 : 0;
        for (size_t i = 0; !asked && dims == 2 && i < points->axis_count; ++i) {
            const PointsAxis *axis = &points->axes[i];
            if (axis->dim < 2 && !points->dims[axis->dim].together && (s == 0 || axis_of(&studies[0], axis->name)))
                names[axis->dim] = axis->name;
        }
        for (size_t k = 0; asked && k < 2; ++k)
            if (!axis_of(&studies[s], names[k]))
                return fail(err, ERROR_USAGE, "%s: --map: the designs of group '%s' have no axis '%.60s' around them",
                            points->file->path, studies[s].label, names[k]);
    }
    if (!names[0] || !names[1])
        names[0] = names[1] = NULL;
    return true;
}

bool sensitivity_map_shows(const Drawing *drawing, const SensitivityTable *table)
{
    const Study  *study = table->study;
    const Points *points = &study->points;
    for (size_t d = 0; d + 1 < points->dim_count; ++d) {
        const size_t index = points_index(points, d, table->row * study->row_points);
        if (d != axis_of(study, drawing->map[0])->dim && d != axis_of(study, drawing->map[1])->dim &&
            index != points->dims[d].count / 2)
            return false;
    }
    return true;
}

// The number that colours a cell; NaN: none.
static double number_of(const Panel *panel, const SensitivityTable *table)
{
    const Bar *bar = &sensitivity_panel_bars[table->index][table->index == SENSITIVITY_SOBOL ? 1 : 0];
    return table->trouble ? (double)NAN : table->rows[panel->factor].numbers[bar->value];
}

static bool add_cells(Drawing *drawing, size_t number, Error *err)
{
    const Panel      *panel = &drawing->panels[number];
    const Study      *study = panel->tables->study;
    const PointsAxis *axes[2] = {axis_of(study, drawing->map[0]), axis_of(study, drawing->map[1])};
    double           *edges[2];
    Text             *script = &drawing->figure.script;
    for (size_t k = 0; k < 2; ++k) {
        edges[k] = arena_take(&drawing->figure.arena, axes[k]->count + 1, sizeof **edges, err);
        if (!edges[k])
            return false;
        figure_edges(axes[k]->values, axes[k]->count, edges[k]);
    }
    figure_label(&drawing->figure, axes[1]->values, axes[1]->count);
    text_add(script, "$panel%zu << END\n", number);
    for (size_t t = 0; t < panel->count; ++t) {
        const SensitivityTable *table = &panel->tables[t];
        double                  numbers[7] = {[6] = number_of(panel, table)};
        if (!sensitivity_map_shows(drawing, table))
            continue;
        for (size_t k = 0; k < 2; ++k) {
            const double value =
                axes[k]->values[points_index(&study->points, axes[k]->dim, table->row * study->row_points)];
            size_t i = 0;
            while (i + 1 < axes[k]->count && edges[k][i + 1] <= value)
                ++i;
            numbers[k] = value;
            numbers[2 + 2 * k] = edges[k][i];
            numbers[3 + 2 * k] = edges[k][i + 1];
        }
        gnuplot_numbers(script, numbers, 7);
        figure_spot(&drawing->figure, number, numbers[0], numbers[1], numbers[6]);
        drawing->most = isfinite(numbers[6]) ? fmax(drawing->most, numbers[6]) : drawing->most;
    }
    text_add(script, "END\n");
    return true;
}

void sensitivity_map_data(Drawing *drawing, size_t number)
{
    Error unused;
    if (!add_cells(drawing, number, &unused))
        drawing->figure.script.failed = true;
}

// One scale for all panels: 0 to 1 of a share, to the largest of what has a unit.
static void add_palette(Drawing *drawing, const SensitivityTable *table)
{
    Text      *script = &drawing->figure.script;
    const Bar *bar = &sensitivity_panel_bars[table->index][table->index == SENSITIVITY_SOBOL ? 1 : 0];
    const bool share =
        table->index == SENSITIVITY_SOBOL || table->index == SENSITIVITY_GIVEN || table->index == SENSITIVITY_CHAOS;
    text_add(script, "set palette defined (0 '#f7fbff', 0.5 '#6baed6', 1 '#08306b')\nset cbrange [0:%.9g]\n",
             share || !(drawing->most > 0.0) ? 1.0 : drawing->most);
    gnuplot_label(script, "set cblabel ", bar->name, share ? "" : table->output->variable->unit);
    text_add(script, "\n");
}

void sensitivity_map_draw(Drawing *drawing, size_t number)
{
    const Panel *panel = &drawing->panels[number];
    const Study *study = panel->tables->study;
    Figure      *figure = &drawing->figure;
    for (size_t k = 0; k < 2; ++k) {
        const PointsAxis *axis = axis_of(study, drawing->map[k]);
        double           *edges = arena_take(&figure->arena, axis->count + 1, sizeof *edges, &(Error){0});
        if (!edges) {
            figure->script.failed = true;
            return;
        }
        figure_edges(axis->values, axis->count, edges);
        figure_axis(figure, k ? "y" : "x", axis->name, axis->unit, axis->values, axis->count,
                    (FigureRange){edges[0], edges[axis->count]});
    }
    if (number == 0)
        add_palette(drawing, panel->tables);
    text_add(&figure->script, "unset yzeroaxis\nunset colorbox\n");
    if (number == 0)
        figure_box(figure);
    figure_key(figure, FIGURE_NO_KEY, 10);
    text_add(figure_layer(figure),
             "$panel%zu using 1:2:3:4:5:6 with boxxyerror fc rgb '#bdbdbd' fs solid border rgb '#bdbdbd' notitle",
             number);
    text_add(figure_layer(figure),
             "$panel%zu using 1:2:3:4:5:6:($7<0?0:$7) with boxxyerror fc palette z fs solid notitle", number);
    figure_end_panel(figure);
}
