// correlation -- pairs of outputs, each over the points that have both.
#include "analysis/distribution/correlation.h"
#include "analysis/sensitivity/sample.h"

#include <math.h>

double correlation_of(const double *x, const double *y, size_t count)
{
    // About means that move, each product divided by the largest magnitudes: no square leaves the range of a double.
    double scales[2] = {0.0, 0.0}, means[2] = {0.0, 0.0}, xx = 0.0, yy = 0.0, xy = 0.0;
    for (size_t i = 0; i < count; ++i) {
        scales[0] = fmax(scales[0], fabs(x[i]));
        scales[1] = fmax(scales[1], fabs(y[i]));
    }
    for (size_t i = 0; i < count; ++i) {
        const double n = (double)(i + 1), dx = x[i] / scales[0] - means[0], dy = y[i] / scales[1] - means[1];
        means[0] += dx / n;
        means[1] += dy / n;
        xx += dx * (x[i] / scales[0] - means[0]);
        yy += dy * (y[i] / scales[1] - means[1]);
        xy += dx * (y[i] / scales[1] - means[1]);
    }
    const double found = xy / sqrt(xx * yy);
    return count > 1 && xx > 0.0 && yy > 0.0 ? fmax(-1.0, fmin(1.0, found)) : (double)NAN;
}

static int ascending(const void *a, const void *b, void *numbers)
{
    const double *values = numbers, x = values[*(const size_t *)a], y = values[*(const size_t *)b];
    return (x > y) - (x < y);
}

void correlation_rank(const double *numbers, size_t count, size_t *order, double *ranks)
{
    for (size_t i = 0; i < count; ++i)
        order[i] = i;
    qsort_r(order, count, sizeof *order, ascending, (void *)numbers);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && numbers[order[end]] == numbers[order[i]];)
            ++end;
        for (size_t k = i; k < end; ++k)
            ranks[order[k]] = 0.5 * (double)(i + 1 + end);
    }
}

size_t correlation_pair(const Correlations *found, size_t first, size_t second)
{
    return first * (2 * found->output_count - first - 1) / 2 + second - first - 1;
}

// Room for the points of a pair.
typedef struct PairRoom {
    double *x, *y, *ranks[2];  // [count]
    size_t *order;
} PairRoom;

static void find_pair(const double *x, const double *y, size_t count, PairRoom *pair, Correlation *found)
{
    size_t both = 0;
    for (size_t i = 0; i < count; ++i)
        if (isfinite(x[i]) && isfinite(y[i])) {
            pair->x[both] = x[i];
            pair->y[both++] = y[i];
        }
    correlation_rank(pair->x, both, pair->order, pair->ranks[0]);
    correlation_rank(pair->y, both, pair->order, pair->ranks[1]);
    const double spearman = correlation_of(pair->ranks[0], pair->ranks[1], both);
    found->points = both;
    found->pearson = interval_correlation(both, correlation_of(pair->x, pair->y, both), 1.0);
    found->spearman = interval_correlation(both, spearman, 1.0 + 0.5 * spearman * spearman);
}

static bool take_outputs(const SpreadRequest *request, Correlations *found, double **numbers, size_t *count,
                         Arena *arena, Error *err)
{
    const SensitivityRequest each = {.failed = STUDY_EACH};
    const uint64_t           room = CORRELATION_NUMBERS / found->output_count;
    for (size_t i = 0; i < found->output_count; ++i) {
        SensitivityTable table = {.study = found->study, .output = found->outputs[i], .row = found->row};
        Sample           sample;
        if (!sample_take(&each, &table, room < CORRELATION_POINTS ? room : CORRELATION_POINTS, arena, &sample, err))
            return false;
        numbers[i] = sample.y;
        *count = sample.count;
        uint64_t failed = 0;
        for (size_t k = 0; k < sample.count; ++k)
            failed += isnan(sample.y[k]) != 0;
        if (failed > 0 && request->failed == SPREAD_REFUSE)
            return fail(err, ERROR_INPUT, "%s: group '%s': %llu points have no '%s', and --failed is refuse",
                        found->study->points.file->path, found->study->label, (unsigned long long)failed,
                        found->outputs[i]->name);
    }
    found->points = *count;
    return true;
}

static bool find_row(const SpreadRequest *request, Correlations *found, Error *err)
{
    Arena    arena = {0};
    size_t   count = 0;
    PairRoom pair = {0};
    double **numbers = arena_take(&arena, found->output_count, sizeof *numbers, err);
    bool     ok = numbers && take_outputs(request, found, numbers, &count, &arena, err) &&
              (pair.x = arena_take(&arena, count, sizeof *pair.x, err)) &&
              (pair.y = arena_take(&arena, count, sizeof *pair.y, err)) &&
              (pair.ranks[0] = arena_take(&arena, count, sizeof **pair.ranks, err)) &&
              (pair.ranks[1] = arena_take(&arena, count, sizeof **pair.ranks, err)) &&
              (pair.order = arena_take(&arena, count, sizeof *pair.order, err));
    for (size_t i = 0; ok && i < found->output_count; ++i)
        for (size_t k = i + 1; k < found->output_count; ++k) {
            Correlation *one = &found->pairs[correlation_pair(found, i, k)];
            *one = (Correlation){.first = found->outputs[i], .second = found->outputs[k]};
            find_pair(numbers[i], numbers[k], count, &pair, one);
        }
    arena_free(&arena);
    return ok;
}

// The outputs that are asked for, or all.
static bool list_outputs(const SpreadRequest *request, Study *study, Correlations *found, Arena *arena, Error *err)
{
    enum { MOST_OUTPUTS = 256 };
    const size_t names = request->metrics.count > 0 ? request->metrics.count : 1;
    found->outputs = arena_take(arena, MOST_OUTPUTS, sizeof *found->outputs, err);
    for (size_t i = 0; found->outputs && i < names; ++i) {
        StudyOutput *outputs = NULL;
        size_t       count = 0;
        if (!study_outputs(study, request->metrics.count > 0 ? request->metrics.items[i] : NULL, false, &outputs,
                           &count, err))
            return false;
        for (size_t k = 0; k < count; ++k) {
            if (found->output_count == MOST_OUTPUTS)
                return fail(err, ERROR_USAGE,
                            "%s: group '%s' has more than %d outputs to correlate: choose by --metric",
                            study->points.file->path, study->label, MOST_OUTPUTS);
            found->outputs[found->output_count++] = &outputs[k];
        }
    }
    if (found->outputs && found->output_count < 2)
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': correlations are those of two outputs or more: name two by --metric",
                    study->points.file->path, study->label);
    return found->outputs != NULL;
}

bool correlation_find(const SpreadRequest *request, Study *study, CorrelationSee *see, void *user, Error *err)
{
    Arena        arena = {0};
    Correlations found = {.study = study};
    bool         ok = spread_check(request, study, err) && list_outputs(request, study, &found, &arena, err);
    if (ok)
        found.pairs = arena_take(&arena, found.output_count * (found.output_count - 1) / 2, sizeof *found.pairs, err);
    ok = ok && found.pairs;
    for (found.row = 0; ok && found.row < (study->random ? study->row_count : 1); ++found.row)
        ok = find_row(request, &found, err) && see(&found, user, err);
    arena_free(&arena);
    return ok;
}
