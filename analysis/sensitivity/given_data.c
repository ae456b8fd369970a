// given_data -- rank-based first-order indices and PAWN of points that were not made for an index.
#include "analysis/sensitivity/given.h"
#include "analysis/sensitivity/sensitivity.h"

#include <math.h>
#include <stdlib.h>

// More points are not looked at: their share of the error is far below that of the estimators.
static const uint64_t most_points = UINT64_C(1) << 20;

// The level of PAWN's dummy takes a pass over all points for each permutation.
enum { LARGE = 1 << 17, FEW_PERMUTATIONS = 19 };

typedef struct Taken {
    double  *y;       // [most]
    uint64_t stride;  // of base samples
    size_t   roles;   // of a base sample that are taken: A and B of saltelli
    size_t   count, most;
} Taken;

static void take_sample(uint64_t sample, const double *numbers, void *user)
{
    Taken *taken = user;
    for (size_t r = 0; r < taken->roles && sample % taken->stride == 0 && taken->count < taken->most; ++r)
        taken->y[taken->count++] = numbers ? numbers[r] : (double)NAN;
}

// The values of a factor at the points that were taken.
static bool read_factor(const Study *study, size_t factor, const Taken *taken, double *x, Error *err)
{
    enum { PART = 1 << 16 };
    const Points     *points = &study->points;
    const PointsAxis *axis = study->factors[factor];
    if (axis->values) {
        for (size_t i = 0; i < taken->count; ++i)
            x[i] = points_axis_value(points, (size_t)(axis - points->axes), i * taken->stride);
        return true;
    }
    double *values = malloc(PART * sizeof *values);
    bool    ok = values || fail(err, ERROR_INTERNAL, "out of memory for the values of a factor");
    size_t  next = 0;
    for (uint64_t first = 0; ok && first < axis->count; first += PART) {
        const size_t count = axis->count - first < PART ? (size_t)(axis->count - first) : PART;
        ok = points_read_axis(points, axis, first, count, values, err);
        for (size_t i = 0; ok && i < count; ++i) {
            const uint64_t sample = (first + i) / study->roles;
            if (sample % taken->stride == 0 && (first + i) % study->roles < taken->roles && next < taken->count)
                x[next++] = values[i];
        }
    }
    free(values);
    return ok;
}

static bool is_whole_grid(const Study *study)
{
    for (size_t d = 0; d < study->points.dim_count; ++d)
        if (study->points.dims[d].together)
            return false;
    return !study->random;
}

static bool find_factor(const SensitivityRequest *request, SensitivityTable *table, const Taken *taken, const double *x,
                        double *numbers, Error *err)
{
    const GivenOptions options = {.whole_grid = is_whole_grid(table->study) && taken->stride == 1,
                                  .net = table->study->random && (table->study->kind == SAMPLING_SOBOL ||
                                                                  table->study->kind == SAMPLING_SALTELLI),
                                  .replicates = request->replicates ? request->replicates : GIVEN_REPLICATES,
                                  .seed = request->seed};
    Arena              arena = {0};
    GivenOrder         order;
    GivenFirst         first = {0};
    GivenPawn          pawn = {0};
    const bool         ok =
        given_make_order(x, taken->count, request->seed, &arena, &order, err) &&
        given_find_first(&order, taken->y, &options, &first, err) &&
        given_find_pawn(&order, taken->y, GIVEN_SLICE_COUNT,
                        taken->count > LARGE ? FEW_PERMUTATIONS : GIVEN_PERMUTATIONS, request->seed, &pawn, err);
    arena_free(&arena);
    if (!ok)
        return false;
    static const char *const names[] = {"ranks, Gamboa 2022", "correlation ratio", "correlation ratio of a whole grid",
                                        "correlation ratio of slices"};
    table->trouble = sensitivity_trouble((int)first.outcome);
    table->estimator = names[first.estimator];
    numbers[0] = first.value;
    numbers[1] = first.conf;
    numbers[2] = pawn.distance.median;
    numbers[3] = pawn.dummy.median;
    return true;
}

bool sensitivity_make_given(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    const Study   *study = table->study;
    Taken          taken = {.stride = 1, .roles = study->roles > 1 ? 2 : 1};
    const uint64_t available = study->samples * taken.roles;
    taken.stride = (available - 1) / most_points + 1;
    taken.most = (size_t)((study->samples - 1) / taken.stride + 1) * taken.roles;
    taken.y = arena_take(arena, taken.most, sizeof *taken.y, err);
    double      *x = arena_take(arena, taken.most, sizeof *x, err);
    const char **names = arena_take(arena, study->factor_count, sizeof *names, err);
    for (size_t f = 0; names && f < study->factor_count; ++f)
        names[f] = study->factors[f]->name;
    if (!taken.y || !x || !names || !sensitivity_take_rows(table, names, study->factor_count, false, arena, err) ||
        !study_scan(study, table->output, table->row, request->failed, take_sample, &taken, &table->tally, err))
        return false;
    sensitivity_describe(table, taken.y, taken.count);
    for (size_t f = 0; f < study->factor_count; ++f)
        if (!read_factor(study, f, &taken, x, err) ||
            !find_factor(request, table, &taken, x, table->rows[f].numbers, err))
            return false;
    return true;
}
