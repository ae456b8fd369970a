// sensitivity_dgsm -- squares of derivatives of an output, of points whose derivatives the sweep found.
#include "analysis/sensitivity/dgsm.h"
#include "analysis/sensitivity/sample.h"
#include "analysis/sensitivity/sensitivity.h"

#include <math.h>

// More points are not looked at.
static const uint64_t most_points = UINT64_C(1) << 20;

// The derivatives of the table's output by a factor at the points of its sample; NULL: the sweep found none.
static bool take_slopes(const SensitivityRequest *request, const SensitivityTable *table, size_t factor,
                        double **slopes, Arena *arena, Error *err)
{
    SensitivityTable   of = *table;
    SensitivityRequest each = *request;
    StudyOutput        output;
    Sample             sample = {0};
    each.failed = STUDY_DROP;
    of.output = &output;
    of.tally = (StudyTally){0};
    *slopes = NULL;
    if (!study_derivative(table->study, table->output, table->study->factors[factor]->name, arena, &output, err))
        return false;
    if (!output.variable)
        return true;
    if (!sample_take(&each, &of, most_points, arena, &sample, err))
        return false;
    *slopes = sample.y;
    return true;
}

// A square without the power of two of its root; NaN where no number holds it.
static double take_back(double square, int shift)
{
    const double as_it_is = ldexp(square, -2 * shift);
    return square != 0.0 && (as_it_is == 0.0 || isinf(as_it_is)) ? (double)NAN : as_it_is;
}

static bool fill_dgsm(const SensitivityRequest *request, SensitivityTable *table, size_t factor, const Sample *sample,
                      size_t *given, Arena *arena, Error *err)
{
    const Study *study = table->study;
    const int    shift = table->output->shifts ? table->output->shifts[0] : 0;
    double      *slopes, *numbers = table->rows[factor].numbers;
    Distribution distribution;
    bool         known;
    Dgsm         found;
    if (!take_slopes(request, table, factor, &slopes, arena, err) ||
        !sample_read_distribution(study, factor, &distribution, &known, arena, err))
        return false;
    if (!slopes)
        return true;
    ++*given;
    // Derivatives go by the same power of two as the output: their bound is then that of any unit.
    for (size_t i = 0; shift != 0 && i < sample->count; ++i)
        slopes[i] = ldexp(slopes[i], shift);
    dgsm_find(sample->y, slopes, sample->count, known ? dgsm_constant(&distribution) : (double)NAN, &found);
    table->trouble = table->trouble ? table->trouble : sensitivity_trouble((int)found.outcome);
    numbers[0] = take_back(found.nu, shift);
    numbers[1] = take_back(found.nu_conf, shift);
    numbers[2] = found.bound;
    numbers[3] = found.bound_conf;
    return true;
}

bool sensitivity_make_dgsm(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    Sample sample;
    size_t given = 0;
    if (!sensitivity_take_rows(table, false, false, arena, err) ||
        !sample_take(request, table, most_points, arena, &sample, err))
        return false;
    if (request->failed == STUDY_WORST || request->failed == STUDY_CLASSIFY)
        table->trouble = "what stands for a failed point has no derivative: take --failed drop";
    table->estimator = "the sweep's `derivatives`";
    for (size_t f = 0; !table->trouble && f < table->study->factor_count; ++f)
        if (!fill_dgsm(request, table, f, &sample, &given, arena, err))
            return false;
    if (given == 0 && !table->trouble)
        table->trouble = "the sweep has no derivatives of this output: list its factors under `derivatives`";
    return true;
}
