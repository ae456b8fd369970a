// given_data -- rank-based first-order indices and PAWN of points that were not made for an index.
#include "analysis/sensitivity/given.h"
#include "analysis/sensitivity/sample.h"

// More points are not looked at: their share of the error is far below that of the estimators.
static const uint64_t most_points = UINT64_C(1) << 20;

// The level of PAWN's dummy takes a pass over all points for each permutation.
enum { LARGE = 1 << 17, FEW_PERMUTATIONS = 19 };

static bool find_factor(const SensitivityRequest *request, SensitivityTable *table, const Sample *sample,
                        const double *x, double *numbers, Error *err)
{
    const GivenOptions options = {.whole_grid = sample_is_whole_grid(table->study) && sample->stride == 1,
                                  .net = sample_is_net(table->study),
                                  .replicates = request->replicates ? request->replicates : GIVEN_REPLICATES,
                                  .seed = request->seed};
    Arena              arena = {0};
    GivenOrder         order;
    GivenFirst         first = {0};
    GivenPawn          pawn = {0};
    const bool         ok =
        given_make_order(x, sample->count, request->seed, &arena, &order, err) &&
        given_find_first(&order, sample->y, &options, &first, err) &&
        given_find_pawn(&order, sample->y, GIVEN_SLICE_COUNT,
                        sample->count > LARGE ? FEW_PERMUTATIONS : GIVEN_PERMUTATIONS, request->seed, &pawn, err);
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
    const Study *study = table->study;
    Sample       sample;
    if (!sensitivity_take_rows(table, false, false, arena, err) ||
        !sample_take(request, table, most_points, arena, &sample, err))
        return false;
    double *x = arena_take(arena, sample.count, sizeof *x, err);
    for (size_t f = 0; f < study->factor_count; ++f)
        if (!x || !sample_read_factor(table, f, &sample, x, err) ||
            !find_factor(request, table, &sample, x, table->rows[f].numbers, err))
            return false;
    return true;
}
