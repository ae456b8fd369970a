// spread_plot -- chooses what a picture shows, and keeps it.
#include "analysis/distribution/spread_plot.h"

#include <string.h>

static const PointsAxis *find_axis(const SpreadRequest *request, const Study *study, const char *name)
{
    const Points *points = &study->points;
    for (size_t i = 0; i < points->axis_count; ++i)
        if (spread_is_around(request, study, &points->axes[i]) && points->axes[i].values &&
            !points->dims[points->axes[i].dim].together && strcmp(points->axes[i].name, name) == 0)
            return &points->axes[i];
    return NULL;
}

// The longest axis around the cells of the first study that all others have.
static const PointsAxis *choose_axis(const SpreadRequest *request, const Study *studies, size_t count)
{
    const PointsAxis *chosen = NULL;
    for (size_t i = 0; count > 0 && i < studies->points.axis_count; ++i) {
        const PointsAxis *axis = &studies->points.axes[i];
        size_t            having = 0;
        while (having < count && find_axis(request, &studies[having], axis->name))
            ++having;
        if (having == count && axis->count > 1 && (!chosen || axis->count > chosen->count))
            chosen = axis;
    }
    return chosen;
}

void spread_plot_begin(SpreadPicture *picture, SpreadRequest *request, const Study *studies, size_t count)
{
    const PointsAxis *axis = request->over ? NULL : choose_axis(request, studies, count);
    picture->request = request;
    if (request->correlation) {
        picture->kind = SPREAD_CORRELATION;
        return;
    }
    picture->kind =
        request->over || axis ? request->above.count > 0 ? SPREAD_EXCEEDANCE : SPREAD_BANDS : SPREAD_HISTOGRAM;
    request->density = picture->kind == SPREAD_HISTOGRAM;
    if (!axis)
        return;
    picture->axis = axis->name;
    picture->unit = axis->unit;
    picture->logarithmic = figure_is_logarithmic(axis->values, axis->count);
}

static double axis_value(const OutputSpread *spread, size_t axis)
{
    return points_axis_value(&spread->study->points, axis, spread->point);
}

// Whether two spreads differ in nothing but their place along x.
static bool are_together(const SpreadPicture *picture, const OutputSpread *a, const OutputSpread *b)
{
    const Points *points = &a->study->points;
    if (picture->kind == SPREAD_HISTOGRAM || a->study != b->study || a->output->variable != b->output->variable ||
        a->output->component != b->output->component)
        return false;
    for (size_t i = 0; i < points->axis_count; ++i)
        if (spread_is_around(picture->request, a->study, &points->axes[i]) &&
            !(picture->axis && strcmp(points->axes[i].name, picture->axis) == 0) &&
            axis_value(a, i) != axis_value(b, i))
            return false;
    return true;
}

// The axes of a cell beside the one along x.
static void add_cell(const SpreadPicture *picture, const OutputSpread *spread, Text *text)
{
    const Study *study = spread->study;
    for (size_t i = 0; i < study->points.axis_count; ++i) {
        const PointsAxis *axis = &study->points.axes[i];
        if (spread_is_around(picture->request, study, axis) &&
            !(picture->axis && strcmp(axis->name, picture->axis) == 0))
            text_add(text, "%s%s = %.4g", text->length ? ", " : "", axis->name, axis_value(spread, i));
    }
}

// Finds the panel of a spread, or makes a new one. SPREAD_PLOT_PANELS: the picture is full.
static size_t find_panel(SpreadPicture *picture, const OutputSpread *spread)
{
    for (size_t i = picture->panel_count; i-- > 0;)
        if (are_together(picture, picture->panels[i].first, spread))
            return i;
    const OutputSpread *last = picture->count > 0 ? &picture->spreads[picture->count - 1] : NULL;
    if (picture->panel_count == SPREAD_PLOT_PANELS) {
        const bool counted =
            last && picture->panel_of[picture->count - 1] == SPREAD_PLOT_PANELS && are_together(picture, last, spread);
        picture->left_out += !counted;
        return SPREAD_PLOT_PANELS;
    }
    SpreadPanel *panel = &picture->panels[picture->panel_count];
    text_add(&panel->title, "%s: %s", spread->study->label, spread->output->name);
    add_cell(picture, spread, &panel->more);
    return picture->panel_count++;
}

static bool grow(SpreadPicture *picture, Error *err)
{
    if (picture->count < picture->capacity)
        return true;
    const size_t  capacity = picture->capacity ? 2 * picture->capacity : 64;
    OutputSpread *spreads = arena_take(&picture->arena, capacity, sizeof *spreads, err);
    size_t       *panels = arena_take(&picture->arena, capacity, sizeof *panels, err);
    if (!spreads || !panels)
        return false;
    if (picture->count > 0) {
        memcpy(spreads, picture->spreads, picture->count * sizeof *spreads);
        memcpy(panels, picture->panel_of, picture->count * sizeof *panels);
    }
    for (size_t i = 0; i < picture->panel_count; ++i)
        picture->panels[i].first = spreads + (picture->panels[i].first - picture->spreads);
    picture->spreads = spreads;
    picture->panel_of = panels;
    picture->capacity = capacity;
    return true;
}

static const void *copy(SpreadPicture *picture, const void *items, size_t count, size_t size, Error *err)
{
    void *copied = arena_take(&picture->arena, count, size, err);
    if (copied && count > 0)
        memcpy(copied, items, count * size);
    return copied;
}

bool spread_plot_add(const OutputSpread *spread, void *user, Error *err)
{
    SpreadPicture       *picture = user;
    const SpreadRequest *request = picture->request;
    if (picture->kind == SPREAD_HISTOGRAM && !spread->density) {
        ++picture->constant;
        return true;
    }
    if (picture->count == SPREAD_PLOT_SPREADS) {
        ++picture->more;
        return true;
    }
    if (!grow(picture, err))
        return false;
    const size_t  panel = find_panel(picture, spread), before = picture->panel_count;
    OutputSpread *kept = &picture->spreads[picture->count];
    picture->panel_of[picture->count++] = panel;
    *kept = *spread;
    if (panel == SPREAD_PLOT_PANELS)
        return true;
    if (panel + 1 == before && !picture->panels[panel].first)
        picture->panels[panel].first = kept;
    kept->quantiles =
        (IntervalEstimate *)copy(picture, spread->quantiles, request->quantiles.count, sizeof(IntervalEstimate), err);
    kept->above = (IntervalEstimate *)copy(picture, spread->above, request->above.count, sizeof(IntervalEstimate), err);
    if (spread->density)
        kept->density = (DensityEstimate *)copy(picture, spread->density, 1, sizeof(DensityEstimate), err);
    return kept->quantiles && kept->above && (!spread->density || kept->density);
}

bool spread_plot_add_correlations(const Correlations *found, void *user, Error *err)
{
    SpreadPicture *picture = user;
    const size_t   pairs = found->output_count * (found->output_count - 1) / 2;
    if (picture->panel_count == SPREAD_PLOT_PANELS) {
        ++picture->left_out;
        return true;
    }
    SpreadPanel  *panel = &picture->panels[picture->panel_count++];
    Correlations *kept = (Correlations *)copy(picture, found, 1, sizeof *found, err);
    if (!kept)
        return false;
    kept->outputs = (StudyOutput **)copy(picture, found->outputs, found->output_count, sizeof *found->outputs, err);
    kept->pairs = (Correlation *)copy(picture, found->pairs, pairs, sizeof *found->pairs, err);
    panel->found = kept;
    const OutputSpread cell = {.study = found->study, .point = found->row * found->study->row_points};
    text_add(&panel->title, "%s", found->study->label);
    add_cell(picture, &cell, &panel->more);
    return kept->outputs && kept->pairs;
}

void spread_plot_free(SpreadPicture *picture)
{
    for (size_t i = 0; i < picture->panel_count; ++i) {
        text_free(&picture->panels[i].title);
        text_free(&picture->panels[i].more);
    }
    figure_free(&picture->figure);
    arena_free(&picture->arena);
    *picture = (SpreadPicture){0};
}
