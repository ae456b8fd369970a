// screening -- Morris' effects, central differences and swings: indices of designs that move one factor after another.
#include "analysis/sensitivity/effects.h"
#include "analysis/sensitivity/sensitivity.h"

#include "base/yaml.h"

#include <math.h>
#include <string.h>

enum { REPLICATES = 1000 };

// All numbers of an output, and of how many base samples.
typedef struct KeptSamples {
    double *items;  // [samples][roles]
    size_t  roles, count;
} KeptSamples;

static void keep_sample(uint64_t sample, const double *numbers, void *user)
{
    KeptSamples *kept = user;
    for (size_t r = 0; r < kept->roles; ++r)
        kept->items[sample * kept->roles + r] = numbers ? numbers[r] : (double)NAN;
    ++kept->count;
}

// Keeps the numbers of a table, and describes them.
static bool keep_all(const SensitivityRequest *request, SensitivityTable *table, KeptSamples *kept, Arena *arena,
                     Error *err)
{
    const Study *study = table->study;
    *kept = (KeptSamples){.roles = study->roles};
    kept->items = arena_take(arena, study->samples * study->roles, sizeof *kept->items, err);
    if (!kept->items || !sensitivity_take_rows(table, true, false, arena, err) ||
        !study_scan(study, table->output, table->row, request->failed, keep_sample, kept, &table->tally, err))
        return false;
    sensitivity_describe(table, kept->items, kept->count * kept->roles);
    return true;
}

static bool fail_design(const Study *study, Error *err)
{
    return fail(err, ERROR_INPUT, "%s: group '%s': its design cannot be read", study->points.file->path, study->label);
}

// Which group moved in each step of each trajectory, and which way.
static bool read_moves(const Study *study, EffectsDesign *design, Arena *arena, Error *err)
{
    const size_t         r = (size_t)study->samples, g = study->group_count;
    const StoreVariable *roles = store_read_variable(study->points.group, "design_role");
    double              *role = arena_take(arena, r * (g + 1), sizeof *role, err);
    uint32_t            *moved = arena_take(arena, r * g, sizeof *moved, err);
    double              *steps = arena_take(arena, r * g, sizeof *steps, err);
    bool                *joint = arena_take(arena, g, sizeof *joint, err);
    if (!roles || roles->count != r * (g + 1))
        return fail_design(study, err);
    if (!role || !moved || !steps || !joint ||
        !store_read_numbers(study->points.file, study->points.group, roles, NULL, NULL, role, err))
        return false;
    for (size_t t = 0; t < r; ++t)
        for (size_t s = 0; s < g; ++s) {
            const double at = role[t * (g + 1) + s + 1];
            if (!(fabs(at) >= 1.0 && fabs(at) <= (double)g))
                return fail_design(study, err);
            moved[t * g + s] = (uint32_t)fabs(at) - 1;
            steps[t * g + s] = copysign(study->move, at);
        }
    for (size_t i = 0; i < study->factor_count; ++i)
        for (size_t k = 0; k < i; ++k)
            if (study->group_of[i] == study->group_of[k])
                joint[study->group_of[i]] = true;
    *design = (EffectsDesign){.factor_count = g, .trajectory_count = r, .moved = moved, .steps = steps, .joint = joint};
    return true;
}

bool sensitivity_make_morris(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    KeptSamples   kept;
    EffectsDesign design;
    Effects       found;
    if (!keep_all(request, table, &kept, arena, err) || !read_moves(table->study, &design, arena, err) ||
        !effects_find(&design, kept.items, request->replicates ? request->replicates : REPLICATES, request->seed, arena,
                      &found, err))
        return false;
    for (size_t i = 0; !table->trouble && i < table->row_count; ++i) {
        const Effect *effect = &found.factors[i];
        double       *numbers = table->rows[i].numbers;
        numbers[0] = effect->mu;
        numbers[1] = effect->mu_star;
        numbers[2] = effect->mu_star_conf;
        numbers[3] = effect->sigma;
    }
    return true;
}

// The central difference D(h) has an error of c h^2 and rounding of r/h. Of two steps h and h/2, (4 D(h/2) - D(h))/3 is
// of fourth order, and |D(h/2) - D(h)|/3 is an estimate of the error of D(h/2) (Richardson 1911). The step with the
// least estimate is taken: above it the truncation is larger, below it the rounding.
static void find_derivative(const double *above_below, const double *steps, size_t count, double *derivative,
                            double *error)
{
    *derivative = (above_below[0] - above_below[1]) / (2.0 * steps[0]);
    *error = (double)NAN;
    for (size_t k = 1; k < count; ++k) {
        const double before = (above_below[2 * k - 2] - above_below[2 * k - 1]) / (2.0 * steps[k - 1]);
        const double at = (above_below[2 * k] - above_below[2 * k + 1]) / (2.0 * steps[k]);
        const double apart = fabs(at - before) / 3.0;
        if (!(apart >= *error)) {
            *error = apart;
            *derivative = at + (at - before) / 3.0;
        }
    }
}

bool sensitivity_make_local(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    const Study *study = table->study;
    const size_t levels = 1 + (size_t)study->halvings, each = 2 * levels;
    KeptSamples  kept;
    double      *x = arena_take(arena, study->roles, sizeof *x, err), steps[1 + SAMPLING_HALVINGS];
    if (!x || !keep_all(request, table, &kept, arena, err))
        return false;
    for (size_t f = 0; !table->trouble && f < study->factor_count; ++f) {
        const size_t g = study->group_of[f], first = 1 + g * each;
        if (study->group_count < study->factor_count)
            break;
        if (!points_read_axis(&study->points, study->factors[f], 0, study->roles, x, err))
            return false;
        for (size_t k = 0; k < levels; ++k)
            steps[k] = 0.5 * (x[first + 2 * k] - x[first + 2 * k + 1]);
        double *numbers = table->rows[g].numbers;
        find_derivative(&kept.items[first], steps, levels, &numbers[0], &numbers[1]);
        numbers[2] = numbers[0] * x[0] / kept.items[0];
    }
    if (study->group_count < study->factor_count)
        table->trouble = "a group of factors has no derivative: leave `groups` out of a local design";
    return true;
}

bool sensitivity_make_swing(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    const Study *study = table->study;
    const size_t levels = (study->roles - 1) / study->group_count;
    KeptSamples  kept;
    if (!keep_all(request, table, &kept, arena, err))
        return false;
    for (size_t g = 0; !table->trouble && g < study->group_count; ++g) {
        double *numbers = table->rows[g].numbers;
        for (size_t k = 0; k < levels; ++k) {
            const double y = kept.items[1 + g * levels + k];
            numbers[0] = fmin(numbers[0], y);
            numbers[1] = fmax(numbers[1], y);
        }
        numbers[2] = numbers[1] - numbers[0];
    }
    return true;
}
