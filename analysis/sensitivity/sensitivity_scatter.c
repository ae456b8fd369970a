// sensitivity_scatter -- an output over each factor, with its conditional mean.
#include "analysis/sensitivity/sample.h"
#include "analysis/sensitivity/sensitivity_points.h"

#include <string.h>

enum { MOST_POINTS = 1 << 20, SLICES = 20 };

// The factors of a study at its points. They are read and ordered once, when first needed, for all outputs.
typedef struct ScatterFactors {
    const Study *study;
    double     **x;       // [factor_count]; NULL: not read
    GivenOrder  *orders;  // [factor_count]
    Arena        arena;
} ScatterFactors;

static bool read_factor(ScatterFactors *factors, const SensitivityTable *table, size_t factor, const Sample *sample,
                        Error *err)
{
    const Study *study = table->study;
    if (factors->study != study) {
        arena_free(&factors->arena);
        *factors = (ScatterFactors){.study = study};
        factors->x = arena_take(&factors->arena, study->factor_count, sizeof *factors->x, err);
        factors->orders = arena_take(&factors->arena, study->factor_count, sizeof *factors->orders, err);
        if (!factors->x || !factors->orders)
            return false;
    }
    if (factors->x[factor])
        return true;
    double *x = arena_take(&factors->arena, sample->count, sizeof *x, err);
    factors->x[factor] = x;
    return x && sample_read_factor(table, factor, sample, x, err) &&
           given_make_order(x, sample->count, 1, &factors->arena, &factors->orders[factor], err);
}

// A factor whose quantiles are spread more evenly over the logarithm.
static bool is_logarithmic(const char *distribution, const PointPanel *panel)
{
    double quantiles[SLICES + 1];
    if (distribution)
        return strstr(distribution, "loguniform") || strstr(distribution, "lognormal");
    for (size_t i = 0; i < panel->mean_count; ++i) {
        quantiles[i] = panel->means[i].least;
        quantiles[i + 1] = panel->means[i].most;
    }
    const bool whole = panel->mean_count > 0 && quantiles[panel->mean_count] > quantiles[panel->mean_count - 1];
    return figure_is_logarithmic(quantiles, panel->mean_count + whole);
}

// Points around a centre have no conditional mean; points of trajectories and of a whole grid have no interval.
static void choose_means(PointPanel *panel, const Study *study)
{
    if (study->random && (study->kind == SAMPLING_LOCAL || study->kind == SAMPLING_ONE_AT_A_TIME))
        panel->mean_count = 0;
    panel->band =
        panel->mean_count > 0 && !(study->random && study->kind == SAMPLING_MORRIS) && !sample_is_whole_grid(study);
}

static bool fill_panel(PointPicture *picture, PointPanel *panel, const ScatterFactors *factors,
                       const SensitivityTable *table, size_t factor, const Sample *sample, Error *err)
{
    const Study   *study = table->study;
    const uint64_t all = study->samples * sample->roles;
    if (!given_find_means(&factors->orders[factor], sample->y, SLICES, &picture->arena, &panel->means,
                          &panel->mean_count, err) ||
        !sensitivity_points_keep(picture, panel, factors->x[factor], sample->y, sample->count, err))
        return false;
    panel->names[0] = study->factors[factor]->name;
    panel->units[0] = study->factors[factor]->unit;
    panel->names[1] = table->output->name;
    panel->units[1] = table->output->unit;
    panel->logarithmic[0] = panel->ranges[0].low > 0.0 && is_logarithmic(study->distributions[factor], panel);
    panel->logarithmic[1] = panel->ranges[1].low > 0.0 && panel->ranges[1].high > 1000.0 * panel->ranges[1].low;
    choose_means(panel, study);
    if (all > sample->count)
        text_add(&panel->more, "%zu of %llu points, means of %zu", panel->count, (unsigned long long)all, panel->whole);
    else
        text_add(&panel->more, "%zu of %zu points", panel->count, panel->whole);
    return true;
}

static bool add_scatter(PointPicture *picture, const SensitivityRequest *request, SensitivityTable *table, void *user,
                        Error *err)
{
    ScatterFactors *factors = user;
    Arena           arena = {0};
    Sample          sample;
    bool            ok = sample_take(request, table, MOST_POINTS, &arena, &sample, err);
    for (size_t f = 0; ok && !table->trouble && f < table->study->factor_count; ++f) {
        PointPanel *panel = sensitivity_points_panel(picture, table);
        ok = !panel || (read_factor(factors, table, f, &sample, err) &&
                        fill_panel(picture, panel, factors, table, f, &sample, err));
    }
    arena_free(&arena);
    return ok;
}

bool sensitivity_plot_scatter(const SensitivityRequest *request, Study *studies, size_t count, const char *title,
                              const char *stem, const Outputs *outputs, FigureSvg *svg, Text *said, Error *err)
{
    PointPicture   picture = {0};
    ScatterFactors factors = {0};
    bool           ok = sensitivity_points_add(&picture, request, studies, count, add_scatter, &factors, err);
    arena_free(&factors.arena);
    ok = ok && sensitivity_points_draw(&picture, title, stem, outputs, svg, said, err);
    sensitivity_points_free(&picture);
    return ok;
}
