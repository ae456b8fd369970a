// effects -- a table of elementary effects, its means, and their intervals.
#include "analysis/sensitivity/effects.h"

#include "analysis/sensitivity/resample.h"
#include "reference/eigen.h"

#include <math.h>

// Effects of the trajectories that are used.
typedef struct EffectTable {
    size_t  factor_count, row_count;
    double *rows;  // [row][factor]
} EffectTable;

static bool make_table(const EffectsDesign *design, Arena *arena, EffectTable *table, Error *err)
{
    const size_t d = design->factor_count, r = design->trajectory_count;
    *table = (EffectTable){.factor_count = d, .rows = arena_take(arena, r + 1, d * sizeof *table->rows, err)};
    return table->rows != NULL;
}

// Fills a row with the effects of trajectory t.
static bool read_trajectory(const EffectsDesign *design, size_t t, const double *y, double *row, Error *err)
{
    const size_t d = design->factor_count;
    bool         ok = true;
    // There are as many steps as factors: where none moves twice, each moves.
    for (size_t s = 0; ok && s < d; ++s) {
        const size_t factor = design->moved[t * d + s];
        const double step = design->steps[t * d + s];
        ok = factor < d && isfinite(step) && step != 0.0;
        for (size_t before = 0; ok && before < s; ++before)
            ok = design->moved[t * d + before] != factor;
        if (ok)
            row[factor] = (y[s + 1] - y[s]) / step;
    }
    return ok || fail(err, ERROR_INPUT, "Morris trajectory %zu does not move each factor once", t);
}

static bool read_effects(const EffectsDesign *design, const double *y, EffectTable *table, Error *err)
{
    const size_t d = design->factor_count;
    for (size_t t = 0; t < design->trajectory_count; ++t) {
        double *row = table->rows + table->row_count * d;
        if (!read_trajectory(design, t, y + t * (d + 1), row, err))
            return false;
        table->row_count += eigen_all_finite(d, row);
    }
    return true;
}

// Magnitudes of trajectories are independent, and never negative.
static double half_width(const ResampleSpread *magnitudes)
{
    const size_t r = magnitudes->count;
    return r < EFFECTS_LEAST ? (double)NAN
                             : resample_skewed(magnitudes->mean, resample_student((double)r - 1.0) *
                                                                     resample_deviation(magnitudes) / sqrt((double)r));
}

static Effect effect_of(const EffectTable *table, size_t factor, bool joint)
{
    ResampleSpread effects = {0}, magnitudes = {0};
    double         sum = 0.0;
    for (size_t t = 0; t < table->row_count; ++t) {
        const double effect = table->rows[t * table->factor_count + factor];
        resample_add(&effects, effect);
        resample_add(&magnitudes, fabs(effect));
        sum += fabs(effect);
    }
    return (Effect){.mu = joint || table->row_count == 0 ? (double)NAN : effects.mean,
                    .sigma = joint ? (double)NAN : resample_deviation(&effects),
                    .mu_star = table->row_count == 0 ? (double)NAN : sum / (double)table->row_count,
                    .mu_star_conf = half_width(&magnitudes)};
}

bool effects_find(const EffectsDesign *design, const double *y, Arena *arena, Effects *found, Error *err)
{
    EffectTable table = {0};
    Arena       room = {0};
    *found = (Effects){.factors = arena_take(arena, design->factor_count, sizeof *found->factors, err)};
    const bool ok = found->factors && make_table(design, &room, &table, err) && read_effects(design, y, &table, err);
    for (size_t i = 0; ok && i < design->factor_count; ++i)
        found->factors[i] = effect_of(&table, i, design->joint && design->joint[i]);
    found->used = table.row_count;
    found->dropped = design->trajectory_count - table.row_count;
    arena_free(&room);
    return ok;
}
