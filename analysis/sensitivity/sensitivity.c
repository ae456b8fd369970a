// sensitivity -- which index a design serves, and the tables of all outputs.
#include "analysis/sensitivity/sensitivity.h"
#include "analysis/sensitivity/outcome.h"
#include "analysis/sensitivity/resample.h"

#include <math.h>

const char *const sensitivity_names[SENSITIVITY_COUNT] = {"sobol", "morris", "local",   "swing", "given",
                                                          "chaos", "delta",  "shapley", "dgsm"};

const char *const sensitivity_numbers[SENSITIVITY_COUNT][SENSITIVITY_NUMBERS + 1] = {
    {"S1", "S1_conf", "ST", "ST_conf", "S2", "S2_conf", NULL},
    {"mu", "mu_star", "mu_star_conf", "sigma", NULL},
    {"derivative", "error", "elasticity", "sd", "share", "output_sd", NULL},
    {"least", "most", "swing", NULL},
    {"S1", "S1_conf", "pawn", "pawn_dummy", NULL},
    {"S1", "S1_conf", "ST", "ST_conf", "S2", "S2_conf", "shapley", "shapley_conf", NULL},
    {"delta", "delta_conf", NULL},
    {"shapley", "shapley_conf", NULL},
    {"nu", "nu_conf", "ST_bound", "ST_bound_conf", NULL}};

const bool sensitivity_has_unit[SENSITIVITY_COUNT][SENSITIVITY_NUMBERS] = {
    [SENSITIVITY_MORRIS] = {true, true, true, true},
    [SENSITIVITY_LOCAL] = {true, true, [SENSITIVITY_LOCAL_SPREAD] = true},
    [SENSITIVITY_SWING] = {true, true, true}};

const char *const sensitivity_estimators[SENSITIVITY_ESTIMATORS] = {"saltelli", "jansen", "janon", "auto"};
const char *const sensitivity_rules[SENSITIVITY_RULES] = {"drop", "worst", "refuse", "classify"};

const char *const sensitivity_over_names[SENSITIVITY_OVER_SAMPLES + 1] = {"", "time", "samples"};

static SensitivityMake *const makes[SENSITIVITY_COUNT] = {
    sensitivity_make_sobol, sensitivity_make_morris,  sensitivity_make_local,
    sensitivity_make_swing, sensitivity_make_given,   sensitivity_make_chaos,
    sensitivity_make_delta, sensitivity_make_shapley, sensitivity_make_dgsm};

// The index that a design is made for.
static SensitivityIndex served_index(const Study *study)
{
    static const SensitivityIndex served[SAMPLING_COUNT] = {
        [SAMPLING_RANDOM] = SENSITIVITY_GIVEN,       [SAMPLING_LHS] = SENSITIVITY_GIVEN,
        [SAMPLING_SOBOL] = SENSITIVITY_GIVEN,        [SAMPLING_SALTELLI] = SENSITIVITY_SOBOL,
        [SAMPLING_MORRIS] = SENSITIVITY_MORRIS,      [SAMPLING_LOCAL] = SENSITIVITY_LOCAL,
        [SAMPLING_ONE_AT_A_TIME] = SENSITIVITY_SWING};
    return study->random ? served[study->kind] : SENSITIVITY_GIVEN;
}

// Matrices A and B of saltelli are a random sample too.
static bool serves(const Study *study, SensitivityIndex index)
{
    const bool given = index == SENSITIVITY_GIVEN || index == SENSITIVITY_CHAOS || index == SENSITIVITY_DELTA ||
                       index == SENSITIVITY_SHAPLEY || index == SENSITIVITY_DGSM;
    if (index == SENSITIVITY_SHAPLEY && study->rows.kind == ROWS_MORRIS)
        return true;
    return index == served_index(study) ||
           (given && (served_index(study) == SENSITIVITY_GIVEN || study->kind == SAMPLING_SALTELLI));
}

// Whether a list of points is one of which an index can be found.
static bool check_rows(const Study *study, SensitivityIndex index, Error *err)
{
    const char    *path = study->points.file->path, *label = study->label;
    const RowList *rows = &study->rows;
    if (rows->kind == ROWS_ONE_AT_A_TIME)
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': its points move one factor at a time, and are no sample that indices can be found "
                    "of; design: {morris: {trajectories: 50}} moves so, and finds effects",
                    path, label);
    if (rows->kind == ROWS_TOGETHER)
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': '%s' and '%s' go together (rank correlation %.6g), so that nobody can tell what "
                    "each of them does; vary them independently",
                    path, label, study->first, study->second, rows->rank_correlation);
    if (rows->kind == ROWS_CORRELATED && index == SENSITIVITY_CHAOS)
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': '%s' and '%s' are correlated (rank correlation %.3f), and an expansion needs to "
                    "know how: give the sweep distributions, a design and `correlated`",
                    path, label, study->first, study->second, rows->rank_correlation);
    if (rows->kind == ROWS_MORRIS && index == SENSITIVITY_SHAPLEY && !rows_are_walks(rows))
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': its trajectories move by the same steps, or in the same order: Shapley effects "
                    "are found of walks between independent points, each in a random order of the factors",
                    path, label);
    if (index == SENSITIVITY_SHAPLEY && (study_is_net(study) || study_is_grid(study)))
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': neighbours in a grid or a Sobol' sequence are none of chance: --index chaos finds "
                    "Shapley effects of them, and design: {random: {samples: 4096}} has neighbours of chance",
                    path, label);
    if (index == SENSITIVITY_DGSM && (study->correlation || rows->kind == ROWS_CORRELATED))
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': its factors are correlated, and squares of derivatives bound the total indices of "
                    "independent ones: --index shapley shares the variance among these",
                    path, label);
    if (index == SENSITIVITY_DGSM && study_is_grid(study))
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': a grid is no sample of distributions, over which squares of derivatives are "
                    "averaged; design: {sobol: {samples: 1024}} is one",
                    path, label);
    return true;
}

bool sensitivity_choose(const SensitivityRequest *request, const Study *study, SensitivityIndex *index, Error *err)
{
    static const char *const wanted[] = {
        "saltelli: {samples: 1024}", "morris: {trajectories: 50}", "local: {}",
        "one_at_a_time: {}",         "sobol: {samples: 1024}",     "sobol: {samples: 1024}",
        "sobol: {samples: 1024}",    "random: {samples: 4096}",    "sobol: {samples: 1024}"};
    *index = request->index == SENSITIVITY_AUTO ? served_index(study) : request->index;
    if (!check_rows(study, *index, err))
        return false;
    if (serves(study, *index))
        return sensitivity_check_deviations(request, study, *index, err);
    return fail(err, ERROR_USAGE,
                "%s: group '%s': its design, %s, does not serve the index %s; %s does, and design: {%s} would",
                study->points.file->path, study->label,
                study->random ? sampling_names[study->kind] : "a list of points", sensitivity_names[*index],
                sensitivity_names[served_index(study)], wanted[*index]);
}

// Whether an output reaches where squares do not fit into a double; finds the powers of two that bring it near 1.
static bool find_shifts(const StudyOutput *output)
{
    enum { ORDINARY = 300, MOST_SHIFT = 1000 };
    bool any = false;
    for (size_t k = 0; k < study_width(output); ++k) {
        int exponent = 0;
        frexp(output->largest[k], &exponent);
        if (exponent >= -ORDINARY && exponent <= ORDINARY)
            continue;
        output->shifts[k] = exponent > MOST_SHIFT ? -MOST_SHIFT : exponent < -MOST_SHIFT ? MOST_SHIFT : -exponent;
        any = true;
    }
    return any;
}

// Takes the power of two out of numbers in the unit of the output.
static void unshift(SensitivityTable *table, int shift)
{
    table->mean = ldexp(table->mean, -shift);
    table->deviation = ldexp(table->deviation, -shift);
    for (size_t i = 0; shift != 0 && i < table->row_count; ++i)
        for (size_t k = 0; k < SENSITIVITY_NUMBERS; ++k)
            if (sensitivity_has_unit[table->index][k])
                table->rows[i].numbers[k] = ldexp(table->rows[i].numbers[k], -shift);
}

// Tables of one output, one by one, or of all samples of a trajectory together.
static bool find_tables(const SensitivityRequest *request, SensitivityTable *first, SensitivitySee *see, void *user,
                        Error *err)
{
    Arena             arena = {0};
    const size_t      width = sensitivity_find_width(request, first->study, first->output);
    StudyOutput       output = *first->output;
    SensitivityTable *tables = arena_take(&arena, width, sizeof *tables, err);
    output.largest = arena_take(&arena, study_width(&output), sizeof *output.largest, err);
    output.shifts = arena_take(&arena, study_width(&output), sizeof *output.shifts, err);
    bool ok = tables && output.largest && output.shifts;
    for (bool again = true; ok && again;) {
        const bool shifted = tables[0].output != NULL;
        for (size_t i = 0; i < width; ++i) {
            tables[i] = *first;
            tables[i].output = &output;
            tables[i].place =
                request->over == SENSITIVITY_OVER_TIME && first->study->times ? first->study->times[i] : (double)NAN;
        }
        ok = makes[first->index](request, tables, &arena, err);
        again = !shifted && find_shifts(&output);
    }
    for (size_t i = 0; ok && i < width; ++i) {
        unshift(&tables[i], output.shifts[request->over == SENSITIVITY_OVER_TIME ? i : 0]);
        tables[i].output = first->output;
        ok = see(&tables[i], user, err);
    }
    arena_free(&arena);
    return ok;
}

bool sensitivity_find(const SensitivityRequest *request, Study *study, SensitivitySee *see, void *user, Error *err)
{
    SensitivityTable table = {.study = study, .quality = (double)NAN};
    if (!sensitivity_choose(request, study, &table.index, err))
        return false;
    if (request->over && table.index != SENSITIVITY_SOBOL)
        return fail(err, ERROR_USAGE, "%s: group '%s': indices over %s are those of saltelli's design",
                    study->points.file->path, study->label, sensitivity_over_names[request->over]);
    for (size_t i = 0; i < (request->metric_count > 0 ? request->metric_count : 1); ++i) {
        StudyOutput *outputs = NULL;
        size_t       count = 0;
        if (!study_outputs(study, request->metric_count > 0 ? request->metrics[i] : NULL,
                           request->over == SENSITIVITY_OVER_TIME, &outputs, &count, err))
            return false;
        for (size_t k = 0; k < count; ++k)
            for (table.row = 0; table.row < study->row_count; ++table.row) {
                table.output = &outputs[k];
                if (!find_tables(request, &table, see, user, err))
                    return false;
            }
    }
    return true;
}

static const char *name_of(const Study *study, bool groups, size_t i)
{
    return groups ? study->group_names[i] : study->factors[i]->name;
}

bool sensitivity_take_rows(SensitivityTable *table, bool groups, bool pairs, Arena *arena, Error *err)
{
    const Study *study = table->study;
    const size_t count = groups ? study->group_count : study->factor_count;
    table->row_count = count + (pairs ? count * (count - 1) / 2 : 0);
    table->rows = arena_take(arena, table->row_count, sizeof *table->rows, err);
    for (size_t i = 0; table->rows && i < table->row_count; ++i)
        for (size_t k = 0; k < SENSITIVITY_NUMBERS; ++k)
            table->rows[i].numbers[k] = (double)NAN;
    for (size_t i = 0; table->rows && i < count; ++i)
        table->rows[i].factor = name_of(study, groups, i);
    for (size_t i = 0, next = count; table->rows && pairs && i < count; ++i)
        for (size_t k = i + 1; k < count; ++k) {
            table->rows[next].factor = name_of(study, groups, i);
            table->rows[next++].other = name_of(study, groups, k);
        }
    return table->rows != NULL;
}

size_t sensitivity_factors(const SensitivityTable *table)
{
    size_t count = 0;
    while (count < table->row_count && !table->rows[count].other)
        ++count;
    return count;
}

void sensitivity_describe(SensitivityTable *table, const double *numbers, size_t count)
{
    double sum = 0.0;
    size_t used = 0;
    int    exponent;
    for (size_t i = 0; i < count; ++i)
        if (isfinite(numbers[i])) {
            sum += numbers[i];
            ++used;
        }
    table->mean = sum / (double)used;
    const double squares = squares_about(numbers, count, table->mean, &exponent);
    table->deviation = ldexp(sqrt(squares / (double)used), exponent);
    if (used == 0)
        table->trouble = sensitivity_trouble(OUTCOME_TOO_FEW);
}

const char *sensitivity_trouble(int outcome)
{
    switch ((Outcome)outcome) {
    case OUTCOME_FOUND: return NULL;
    case OUTCOME_CONSTANT: return "the output is constant: it depends on no factor";
    case OUTCOME_TOO_FEW: return "too few samples are left without a failed point";
    case OUTCOME_TOO_LARGE: return "the output is too large to be squared: take its logarithm";
    }
    return NULL;
}
