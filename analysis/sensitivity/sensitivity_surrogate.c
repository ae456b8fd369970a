// sensitivity_surrogate -- an expansion's values at the computed points, beside the computed values.
#include "analysis/sensitivity/fit.h"
#include "analysis/sensitivity/sensitivity_points.h"

#include <math.h>

static bool fill_panel(PointPicture *picture, PointPanel *panel, const SensitivityTable *table, const Fit *fit,
                       Arena *arena, Error *err)
{
    const size_t d = table->study->factor_count;
    double      *at = arena_take(arena, d, sizeof *at, err);
    double      *predicted = arena_take(arena, fit->count, sizeof *predicted, err);
    if (!at || !predicted)
        return false;
    for (size_t i = 0; i < fit->count; ++i) {
        for (size_t f = 0; f < d; ++f)
            at[f] = fit->x[f][i];
        predicted[i] = chaos_value(&fit->chaos, at);
    }
    if (!sensitivity_points_keep(picture, panel, fit->y, predicted, fit->count, err))
        return false;
    for (size_t k = 0; k < 2; ++k) {
        panel->names[k] = k ? "predicted by the expansion" : "computed";
        panel->units[k] = table->output->unit;
    }
    if (table->trouble)
        text_add(&panel->more, "Q2 %.3f refused, ", fit->chaos.q2);
    else
        text_add(&panel->more, "Q2 %.4g, ", fit->chaos.q2);
    text_add(&panel->more, "%zu term%s, %zu of %zu points", fit->chaos.term_count,
             fit->chaos.term_count == 1 ? "" : "s", panel->count, panel->whole);
    return true;
}

// A constant output has no expansion.
static bool add_surrogate(PointPicture *picture, const SensitivityRequest *request, SensitivityTable *table, void *user,
                          Error *err)
{
    Fit         fit = {0};
    Arena       arena = {0};
    PointPanel *panel = NULL;
    bool        ok = true;
    (void)user;
    if (picture->panel_count == SENSITIVITY_PANELS)
        ++picture->left_out;
    else if ((ok = sensitivity_choose(request, table->study, &table->index, err) &&
                   fit_make(request, table, &arena, &fit, err)) &&
             fit.count >= CHAOS_LEAST_POINTS && isfinite(fit.chaos.q2))
        ok = (panel = sensitivity_points_panel(picture, table)) && fill_panel(picture, panel, table, &fit, &arena, err);
    fit_free(&fit);
    arena_free(&arena);
    return ok;
}

bool sensitivity_plot_surrogate(const SensitivityRequest *request, Study *studies, size_t count, const char *title,
                                const char *stem, const Outputs *outputs, FigureSvg *svg, Text *said, Error *err)
{
    SensitivityRequest chaos = *request;
    PointPicture       picture = {.equality = true};
    chaos.index = SENSITIVITY_CHAOS;
    const bool ok = sensitivity_points_add(&picture, &chaos, studies, count, add_surrogate, NULL, err) &&
                    sensitivity_points_draw(&picture, title, stem, outputs, svg, said, err);
    sensitivity_points_free(&picture);
    return ok;
}
