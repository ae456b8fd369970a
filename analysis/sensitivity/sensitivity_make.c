// sensitivity_make -- each index of an output: variance-based at the end or over time, by designs that move one factor
// after another, of points that were not made for an index, and from an expansion.
#include "analysis/sensitivity/delta.h"
#include "analysis/sensitivity/effects.h"
#include "analysis/sensitivity/given.h"
#include "analysis/sensitivity/sample.h"
#include "analysis/sensitivity/sensitivity.h"
#include "analysis/sensitivity/shapley.h"
#include "analysis/sensitivity/shapley_given.h"
#include "analysis/sensitivity/variance.h"
#include "base/hash.h"

#include <math.h>
#include <string.h>

// Bundles and replicates of each sample of a trajectory, of which there are many.
enum { BUNDLES_OVER_TIME = 64, REPLICATES_OVER_TIME = 200 };

// Of the first samples: so many places, and no fewer samples than that.
enum { MOST_HALVINGS = 8, LEAST_SAMPLES = 32 };

typedef struct SobolSums {
    Variance *items;  // [width] one for each sample of a trajectory
    size_t    width, roles;
    double   *outputs;  // [roles]
} SobolSums;

static void add_sample(uint64_t sample, const double *numbers, void *user)
{
    SobolSums *sums = user;
    for (size_t k = 0; numbers && k < sums->width; ++k) {
        for (size_t r = 0; r < sums->roles; ++r)
            sums->outputs[r] = numbers[r * sums->width + k];
        variance_add(&sums->items[k], sample, sums->outputs);
    }
}

static void fill_rows(SensitivityTable *table, const VarianceIndices *found)
{
    const size_t g = table->study->group_count;
    for (size_t i = 0; i < g; ++i) {
        double *numbers = table->rows[i].numbers;
        numbers[0] = found->first[i].value;
        numbers[1] = found->first[i].conf;
        numbers[2] = found->total[i].value;
        numbers[3] = found->total[i].conf;
    }
    for (size_t i = g; found->second && i < table->row_count; ++i) {
        table->rows[i].numbers[4] = found->second[i - g].value;
        table->rows[i].numbers[5] = found->second[i - g].conf;
    }
}

static bool find_table(const SensitivityRequest *request, const Variance *sums, size_t bundles, size_t replicates,
                       SensitivityTable *table, Arena *arena, Error *err)
{
    static const char *const names[VARIANCE_ESTIMATORS] = {"Saltelli 2010", "Jansen 1999", "Janon 2014"};
    const VarianceOptions    options = {.estimator = (VarianceEstimator)request->estimator,
                                        .bundles = bundles,
                                        .replicates = request->replicates ? request->replicates : replicates,
                                        .seed = request->seed};
    VarianceIndices          found;
    const Study             *study = table->study;
    if (!sensitivity_take_rows(table, true, study->second_order, arena, err) ||
        !variance_find(sums, &options, arena, &found, err))
        return false;
    table->mean = found.mean;
    table->deviation = sqrt(found.variance);
    table->trouble = sensitivity_trouble((int)found.outcome);
    table->estimator = names[found.estimator];
    table->reason = found.reason;
    if (request->over == SENSITIVITY_OVER_SAMPLES)
        table->place = (double)found.base_count;
    if (!table->trouble)
        fill_rows(table, &found);
    return true;
}

// Sums of the output, in one scan: one for each sample of a trajectory.
static bool make_sums(const SensitivityRequest *request, SensitivityTable *table, size_t width, size_t bundles,
                      SobolSums *sums, Arena *arena, Error *err)
{
    const Study *study = table->study;
    *sums = (SobolSums){.width = width, .roles = study->roles};
    sums->items = arena_take(arena, width, sizeof *sums->items, err);
    sums->outputs = arena_take(arena, study->roles, sizeof *sums->outputs, err);
    bool ok = sums->items && sums->outputs;
    for (size_t k = 0; ok && k < width; ++k)
        ok = variance_make(study->group_count, study->second_order, study->samples, study->nets, bundles, arena,
                           &sums->items[k], err);
    return ok && study_scan(study, table->output, table->row, request->failed, add_sample, sums, &table->tally, err);
}

size_t sensitivity_find_width(const SensitivityRequest *request, const Study *study, const StudyOutput *output)
{
    size_t width = 1;
    if (request->over == SENSITIVITY_OVER_TIME)
        return study_width(output);
    while (request->over == SENSITIVITY_OVER_SAMPLES && width < MOST_HALVINGS &&
           study->samples >> width >= LEAST_SAMPLES)
        ++width;
    return width;
}

// Fewer samples are fewer bundles of the same sums.
bool sensitivity_make_sobol(const SensitivityRequest *request, SensitivityTable *tables, Arena *arena, Error *err)
{
    const bool   time = request->over == SENSITIVITY_OVER_TIME;
    const size_t width = sensitivity_find_width(request, tables->study, tables->output);
    SobolSums    sums;
    bool         ok =
        make_sums(request, tables, time ? width : 1, time ? BUNDLES_OVER_TIME : VARIANCE_BUNDLES, &sums, arena, err);
    for (size_t k = 0; ok && k < width; ++k) {
        tables[k].tally = tables[0].tally;
        ok = time ? find_table(request, &sums.items[k], 0, REPLICATES_OVER_TIME, &tables[k], arena, err)
                  : find_table(request, sums.items, sums.items->bundle_count >> (width - 1 - k), VARIANCE_REPLICATES,
                               &tables[k], arena, err);
    }
    return ok;
}

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
    const size_t r = (size_t)study->samples, g = study->group_count;
    if (study->rows.kind == ROWS_MORRIS) {
        *design = (EffectsDesign){
            .factor_count = g, .trajectory_count = r, .moved = study->rows.moved, .steps = study->rows.steps};
        return true;
    }
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
        !effects_find(&design, kept.items, arena, &found, err))
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

// Takes the derivative at the centre that the sweep found itself, where there is one.
//   given  counted
static bool take_derivative(const SensitivityTable *table, size_t factor, double *derivative, double *error,
                            size_t *given, Arena *arena, Error *err)
{
    const Study *study = table->study;
    KeptSamples  kept = {.roles = study->roles};
    StudyOutput  output;
    StudyTally   tally = {0};
    if (!study_derivative(study, table->output, study->factors[factor]->name, arena, &output, err))
        return false;
    if (!output.variable)
        return true;
    kept.items = arena_take(arena, study->samples * study->roles, sizeof *kept.items, err);
    if (!kept.items || !study_scan(study, &output, table->row, STUDY_EACH, keep_sample, &kept, &tally, err))
        return false;
    // In the unit of the output, which is shown in powers of two.
    *derivative = ldexp(kept.items[0], table->output->shifts ? table->output->shifts[0] : 0);
    *error = 0.0;
    ++*given;
    return true;
}

bool sensitivity_make_local(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    const Study *study = table->study;
    const size_t levels = 1 + (size_t)study->halvings, each = 2 * levels;
    KeptSamples  kept;
    double      *x = arena_take(arena, study->roles, sizeof *x, err), steps[1 + SAMPLING_HALVINGS];
    size_t       given = 0;
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
        if (!take_derivative(table, f, &numbers[0], &numbers[1], &given, arena, err))
            return false;
        numbers[2] = numbers[0] * x[0] / kept.items[0];
    }
    table->estimator = given == 0 ? "central differences"
                       : given == study->factor_count
                           ? "the sweep's `derivatives`, without differences"
                           : "the sweep's `derivatives` where the error is 0, else by central "
                             "differences";
    // A design of today has none: files of earlier versions may.
    if (study->group_count < study->factor_count)
        table->trouble = "a group of factors has no derivative: leave groups out of a local design";
    return table->trouble || sensitivity_spread(request, table, arena, err);
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

// More points are not looked at: their share of the error is far below that of the estimators.
static const uint64_t most_points = UINT64_C(1) << 20;

// The level of PAWN's dummy takes a pass over all points for each permutation.
enum { LARGE = 1 << 17, FEW_PERMUTATIONS = 19 };

static bool find_factor(const SensitivityRequest *request, SensitivityTable *table, const Sample *sample,
                        const double *x, double *numbers, Error *err)
{
    const GivenOptions options = {.whole_grid = study_is_grid(table->study) && sample->stride == 1,
                                  .net = study_is_net(table->study)};
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
    table->slices[0] = table->slices[1] && table->slices[0] < pawn.slice_count ? table->slices[0] : pawn.slice_count;
    table->slices[1] = table->slices[1] > pawn.slice_count ? table->slices[1] : pawn.slice_count;
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

// Kernel densities take a pass over all points for each replicate.
static const uint64_t most_densities = UINT64_C(1) << 15;

bool sensitivity_make_delta(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    const size_t replicates = request->replicates ? request->replicates : DELTA_REPLICATES;
    Sample       sample;
    if (!sensitivity_take_rows(table, false, false, arena, err) ||
        !sample_take(request, table, most_densities, arena, &sample, err))
        return false;
    double *x = arena_take(arena, sample.count, sizeof *x, err);
    table->estimator = "kernel densities of classes, Plischke 2013";
    for (size_t f = 0; f < table->study->factor_count; ++f) {
        GivenOrder order;
        Delta      found;
        if (!x || !sample_read_factor(table, f, &sample, x, err) ||
            !given_make_order(x, sample.count, request->seed, arena, &order, err) ||
            !delta_find(&order, sample.y, replicates, request->seed, &found, err))
            return false;
        table->trouble = sensitivity_trouble((int)found.outcome);
        table->rows[f].numbers[0] = found.value;  // without an interval: the spread of a bootstrap has no bias in it
    }
    return true;
}

// The points with a finite output, [factor][count].
static bool take_finite(const SensitivityRequest *request, SensitivityTable *table, const double **x, double **y,
                        size_t *count, Arena *arena, Error *err)
{
    Sample sample;
    if (!sample_take(request, table, most_points, arena, &sample, err))
        return false;
    for (size_t f = 0; f < table->study->factor_count; ++f) {
        double *column = arena_take(arena, sample.count, sizeof *column, err);
        if (!column || !sample_read_factor(table, f, &sample, column, err))
            return false;
        *count = 0;
        for (size_t i = 0; i < sample.count; ++i)
            if (isfinite(sample.y[i]))
                column[(*count)++] = column[i];
        x[f] = column;
    }
    *y = sample.y;
    *count = 0;
    for (size_t i = 0; i < sample.count; ++i)
        if (isfinite(sample.y[i]))
            sample.y[(*count)++] = sample.y[i];
    return true;
}

static bool find_neighbours(const SensitivityRequest *request, SensitivityTable *table, ShapleyGiven *found,
                            Arena *arena, Error *err)
{
    const double **x = arena_take(arena, table->study->factor_count, sizeof *x, err);
    double        *y;
    size_t         count;
    table->estimator = "nearest neighbours, Broto 2020";
    if (!x || !sensitivity_take_rows(table, false, false, arena, err) ||
        !take_finite(request, table, x, &y, &count, arena, err))
        return false;
    if (count < SHAPLEY_GIVEN_LEAST) {
        table->trouble = sensitivity_trouble(OUTCOME_TOO_FEW);
        return true;
    }
    return shapley_given_find(x, y, table->study->factor_count, count, request->seed, found, err);
}

static bool find_walks(const SensitivityRequest *request, SensitivityTable *table, ShapleyGiven *found, Arena *arena,
                       Error *err)
{
    KeptSamples   kept;
    EffectsDesign design;
    table->estimator = "walks, Goda 2021";
    return keep_all(request, table, &kept, arena, err) && read_moves(table->study, &design, arena, err) &&
           shapley_given_walk(&design, kept.items, found, err);
}

bool sensitivity_make_shapley(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    ShapleyGiven found = {0};
    if (!(table->study->rows.kind == ROWS_MORRIS ? find_walks(request, table, &found, arena, err)
                                                 : find_neighbours(request, table, &found, arena, err)))
        return false;
    if (!table->trouble && !(found.variance > 0.0))
        table->trouble = sensitivity_trouble(OUTCOME_CONSTANT);
    for (size_t i = 0; !table->trouble && i < table->study->factor_count; ++i) {
        table->rows[i].numbers[0] = found.effects[i];
        table->rows[i].numbers[1] = found.conf[i];
    }
    return true;
}

// Of the jackknife: the 97.5 % quantile of Student's t for so many groups, and how many points it needs and fits.
enum { GROUPS = 16, LEAST_GROUPED = 2 * GROUPS, MOST_GROUPED = 512 };
static const double student = 2.131;

// Fits `count` of the points, evenly chosen, without the points of a group. The group of a point follows from its
// factors, so that points that are equal are left out together.
static bool fit_without(const Fit *fit, size_t d, size_t count, size_t group, double **x, double *y,
                        const ChaosOptions *options, Chaos *chaos, Error *err)
{
    size_t kept = 0;
    for (size_t chosen = 0; chosen < count; ++chosen) {
        const size_t i = (size_t)((double)chosen * (double)fit->count / (double)count);
        uint64_t     hash = hash_start;
        for (size_t f = 0; f < d; ++f)
            hash = hash_bytes(hash, &fit->x[f][i], sizeof fit->x[f][i]);
        if ((hash >> 32) % GROUPS == group)
            continue;
        for (size_t f = 0; f < d; ++f)
            x[f][kept] = fit->x[f][i];
        y[kept++] = fit->y[i];
    }
    const ChaosData data = {d, kept, fit->factors, (const double *const *)x, y};
    return chaos_make(&data, options, chaos, err);
}

// Other points would choose other terms, and where a factor's distribution is not known, its measure is the points'.
// The intervals are at least those of a jackknife that leaves out a group of points at a time and chooses anew (Shao
// and Wu 1989); of very few points there are none.
static bool widen(const SensitivityRequest *request, const Fit *fit, size_t d, Arena *arena, ChaosEffects *conf,
                  Error *err)
{
    const ChaosOptions options = {.seed = request->seed};
    const size_t       count = fit->count < MOST_GROUPED ? fit->count : MOST_GROUPED;
    const bool         few = count < LEAST_GROUPED;
    double           **x = arena_take(arena, d, sizeof *x, err), *y = arena_take(arena, count, sizeof *y, err);
    double            *means = arena_take(arena, conf->count, sizeof *means, err);
    double            *squares = arena_take(arena, conf->count, sizeof *squares, err);
    bool               ok = x && y && means && squares;
    for (size_t f = 0; ok && f < d; ++f)
        ok = (x[f] = arena_take(arena, count, sizeof **x, err)) != NULL;
    for (size_t g = 0; ok && !few && g < GROUPS; ++g) {
        Chaos        chaos = {0};
        ChaosEffects found;
        ok = fit_without(fit, d, count, g, x, y, &options, &chaos, err) &&
             chaos_make_effects(&chaos, arena, &found, err);
        for (size_t i = 0; ok && i < conf->count; ++i) {
            const double step = found.numbers[i] - means[i];
            means[i] += step / (double)(g + 1);
            squares[i] += step * (found.numbers[i] - means[i]);
        }
        chaos_free(&chaos);
    }
    const double scale = (GROUPS - 1.0) / GROUPS * (double)count / (double)fit->count;
    for (size_t i = 0; ok && i < conf->count; ++i)
        conf->numbers[i] = few ? (double)NAN : fmax(conf->numbers[i], student * sqrt(scale * squares[i]));
    return ok;
}

// Sobol' indices and Shapley effects of independent factors follow from the coefficients.
static bool fill_independent(const SensitivityRequest *request, const Fit *fit, SensitivityTable *table, Arena *arena,
                             Error *err)
{
    const size_t d = table->study->factor_count;
    const Chaos *chaos = &fit->chaos;
    ChaosEffects found, conf;
    if (!chaos_make_effects(chaos, arena, &found, err) ||
        !chaos_make_conf(chaos, request->replicates ? request->replicates : CHAOS_REPLICATES, request->seed, arena,
                         &conf, err) ||
        !widen(request, fit, d, arena, &conf, err))
        return false;
    for (size_t i = 0; i < d; ++i) {
        double *numbers = table->rows[i].numbers;
        numbers[0] = found.first[i];
        numbers[1] = conf.first[i];
        numbers[2] = found.total[i];
        numbers[3] = conf.total[i];
        numbers[6] = found.shapley[i];
        numbers[7] = conf.shapley[i];
    }
    for (size_t i = 0, next = d; i < d; ++i)
        for (size_t k = i + 1; k < d; ++k, ++next) {
            table->rows[next].numbers[4] = found.pair[i * d + k];
            table->rows[next].numbers[5] = conf.pair[i * d + k];
        }
    return true;
}

// As many draws as the study has points, so that their error falls with it; at the least what shapley_find() takes.
static size_t find_draws(size_t d, uint64_t points)
{
    enum { MOST_EVALUATIONS = 1 << 24 };
    const size_t most = (size_t)MOST_EVALUATIONS >> d;
    return points <= SHAPLEY_SAMPLES ? 0 : points < most ? (size_t)points : most;
}

// Of correlated ones only Shapley effects divide the variance.
static bool fill_correlated(const SensitivityRequest *request, const Fit *fit, SensitivityTable *table, Arena *arena,
                            Error *err)
{
    const Study  *study = table->study;
    const Shapley shapley = {.factor_count = study->factor_count,
                             .distributions = fit->distributions,
                             .correlation = study->correlation,
                             .function = chaos_value,
                             .user = &fit->chaos,
                             .samples = find_draws(study->factor_count, table->tally.points),
                             .seed = request->seed};
    double       *effects = arena_take(arena, study->factor_count, sizeof *effects, err);
    double       *errors = arena_take(arena, study->factor_count, sizeof *errors, err), variance;
    if (!effects || !errors || !shapley_find(&shapley, effects, errors, &variance, err))
        return false;
    for (size_t i = 0; i < study->factor_count; ++i) {
        table->rows[i].numbers[6] = effects[i];
        table->rows[i].numbers[7] = 1.96 * errors[i];
    }
    return true;
}

bool sensitivity_make_chaos(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    const Study *study = table->study;
    Fit          fit = {0};
    bool         ok = sensitivity_take_rows(table, false, !study->correlation, arena, err) &&
              sample_fit(request, table, arena, &fit, err);
    if (ok && !table->trouble)
        ok = study->correlation ? fill_correlated(request, &fit, table, arena, err)
                                : fill_independent(request, &fit, table, arena, err);
    sample_fit_free(&fit);
    return ok;
}
