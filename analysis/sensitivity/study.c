// study -- opens a group: its design, and its outputs; reads their points, a base sample after the other.
#include "analysis/sensitivity/study.h"
#include "base/suggest.h"
#include "base/yaml.h"
#include "store/damage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fail_damaged(const Study *study, Error *err)
{
    return damage_fail(study->points.file->path, study->points.group->label, err, "its design");
}

// `design.KIND: {samples: ..}` in a file that this program wrote: numbers are there and right, or the file is damaged.
static double number_of(const YamlNode *numbers, const char *key, double absent)
{
    const YamlNode *node = yaml_find(numbers, key);
    double          number = absent;
    if (node && node->kind == YAML_SCALAR && yaml_parse_number(node->text, &number) && number >= 0.0)
        return fmin(number, SAMPLING_LEVELS);
    return absent;
}

static bool find_kind(Study *study, const YamlNode *root, const YamlNode **numbers, Error *err)
{
    for (size_t kind = 0; kind < SAMPLING_COUNT; ++kind)
        if ((*numbers = yaml_find(root, sampling_names[kind])) != NULL) {
            study->kind = (SamplingKind)kind;
            return true;
        }
    return fail_damaged(study, err);
}

static size_t find_factor(const Study *study, const char *name)
{
    size_t i = 0;
    while (i < study->factor_count && strcmp(study->factors[i]->name, name) != 0)
        ++i;
    return i;
}

// Each factor is a group of its own, unless the design has groups.
static bool read_groups(Study *study, const YamlNode *groups, Error *err)
{
    Arena *arena = &study->points.arena;
    if (groups && groups->kind != YAML_MAPPING)
        return fail_damaged(study, err);
    study->group_count = groups ? groups->count : study->factor_count;
    study->group_of = arena_take(arena, study->factor_count, sizeof *study->group_of, err);
    study->group_names = arena_take(arena, study->group_count, sizeof *study->group_names, err);
    if (!study->group_of || !study->group_names)
        return false;
    for (size_t i = 0; !groups && i < study->factor_count; ++i) {
        study->group_of[i] = i;
        study->group_names[i] = study->factors[i]->name;
    }
    for (size_t g = 0; groups && g < groups->count; ++g) {
        const YamlNode *list = groups->items[g];
        study->group_names[g] = groups->keys[g]->text;
        for (size_t k = 0; list->kind == YAML_SEQUENCE && k < list->count; ++k) {
            const bool   name = list->items[k]->kind == YAML_SCALAR;
            const size_t factor = name ? find_factor(study, list->items[k]->text) : study->factor_count;
            if (factor == study->factor_count)
                return fail_damaged(study, err);
            study->group_of[factor] = g;
        }
    }
    return true;
}

// A row of numbers for each factor.
static bool read_correlation(Study *study, const YamlNode *rows, Error *err)
{
    const size_t n = study->factor_count;
    double      *matrix = rows ? arena_take(&study->points.arena, n * n, sizeof *matrix, err) : NULL;
    if (!rows || !matrix)
        return !rows;
    if (rows->kind != YAML_SEQUENCE || rows->count != n)
        return fail_damaged(study, err);
    for (size_t i = 0; i < n * n; ++i) {
        const YamlNode *row = rows->items[i / n];
        if (row->kind != YAML_SEQUENCE || row->count != n || row->items[i % n]->kind != YAML_SCALAR ||
            !yaml_parse_number(row->items[i % n]->text, &matrix[i]))
            return fail_damaged(study, err);
    }
    study->correlation = matrix;
    return true;
}

static bool read_sampling(Study *study, const char *text, Error *err)
{
    static const YamlOrigin origin = {.name = "sampling"};
    YamlNode               *root = NULL;
    const YamlNode         *numbers = NULL;
    const char             *kept = arena_copy(&study->points.arena, text, err);
    if (!kept || !yaml_read(kept, strlen(kept), &origin, &study->points.arena, &root, err) ||
        !find_kind(study, root, &numbers, err) || !read_groups(study, yaml_find(root, "groups"), err) ||
        !read_correlation(study, yaml_find(root, "correlation"), err))
        return false;
    if (study->points.dim_count == 0 || study->factor_count == 0 || study->group_count == 0)
        return fail_damaged(study, err);
    const double    levels = number_of(numbers, "levels", 4.0);
    const YamlNode *second = yaml_find(numbers, "second_order");
    study->random = true;
    study->second_order = second && yaml_is_word(second, "true");
    study->halvings = (unsigned)number_of(numbers, "halvings", 0.0);
    study->nets = (size_t)number_of(numbers, "nets", 1.0);
    study->move = levels / (2.0 * (levels - 1.0));
    study->roles = sampling_count_roles(&(Sampling){.kind = study->kind,
                                                    .group_count = study->group_count,
                                                    .second_order = study->second_order,
                                                    .levels = (unsigned)levels,
                                                    .halvings = study->halvings});
    study->row_points = study->points.dims[study->points.dim_count - 1].count;
    study->row_count = study->points.count / study->row_points;
    study->samples = study->row_points / study->roles;
    return study->samples * study->roles == study->row_points || fail_damaged(study, err);
}

// Axes along the last dimension are the factors of a random design; of another group all axes are.
static bool list_factors(Study *study, bool random, Error *err)
{
    Points *points = &study->points;
    study->factors = arena_take(&points->arena, points->axis_count, sizeof *study->factors, err);
    study->distributions = arena_take(&points->arena, points->axis_count, sizeof *study->distributions, err);
    if (!study->factors || !study->distributions)
        return false;
    for (size_t i = 0; i < points->axis_count; ++i) {
        const PointsAxis *axis = &points->axes[i];
        char             *text = NULL;
        if (random && axis->dim + 1 != points->dim_count)
            continue;
        if (!store_read_attribute(points->file, points->group, store_read_variable(points->group, axis->name),
                                  "distribution", &text, err))
            return false;
        study->distributions[study->factor_count] = text ? arena_copy(&points->arena, text, err) : NULL;
        const bool kept = !text || study->distributions[study->factor_count];
        free(text);
        if (!kept)
            return false;
        study->factors[study->factor_count++] = axis;
    }
    return true;
}

// The columns of a list of points, [axes][length].
static bool read_columns(const Points *points, const PointsAxis *const *axes, size_t count, size_t length,
                         double *numbers, const double **columns, Error *err)
{
    for (size_t i = 0; i < count; ++i) {
        columns[i] = numbers + i * length;
        if (!points_read_axis(points, axes[i], 0, length, numbers + i * length, err))
            return false;
    }
    return true;
}

// Looks at a list of points along dimension `dim`.
static bool recognise(Study *study, size_t dim, Error *err)
{
    Points            *points = &study->points;
    const size_t       length = points->dims[dim].count;
    const PointsAxis **axes = arena_take(&points->arena, points->axis_count, sizeof *axes, err);
    const double     **columns = arena_take(&points->arena, points->axis_count, sizeof *columns, err);
    size_t             count = 0;
    RowList            rows;
    for (size_t i = 0; axes && i < points->axis_count; ++i)
        if (points->axes[i].dim == dim)
            axes[count++] = &points->axes[i];
    double *numbers = columns ? calloc(count * length + 1, sizeof *numbers) : NULL;
    bool    ok = numbers || fail(err, ERROR_INTERNAL, "out of memory for the columns of %zu points", length);
    ok = ok && read_columns(points, axes, count, length, numbers, columns, err) &&
         rows_recognise(columns, length, count, &points->arena, &rows, err);
    free(numbers);
    if (!ok || rows.kind == ROWS_OWN || (study->rows.kind != ROWS_OWN && rows.kind < study->rows.kind))
        return ok;
    study->rows = rows;
    study->first = axes[rows.first]->name;
    study->second = axes[rows.second]->name;
    return true;
}

// Rows of Saltelli's or of Morris' become a design with roles.
static bool recognise_lists(Study *study, Error *err)
{
    const Points *points = &study->points;
    for (size_t dim = 0; dim < points->dim_count; ++dim)
        if (points->dims[dim].together && !recognise(study, dim, err))
            return false;
    if (study->rows.kind != ROWS_SALTELLI && study->rows.kind != ROWS_MORRIS)
        return true;
    study->random = true;
    study->kind = study->rows.kind == ROWS_MORRIS ? SAMPLING_MORRIS : SAMPLING_SALTELLI;
    study->samples = study->rows.samples;
    study->roles = study->rows.roles;
    study->second_order = study->rows.second_order;
    study->nets = 1;
    study->row_points = study->samples * study->roles;
    study->row_count = points->count / study->row_points;
    study->factor_count = 0;
    return list_factors(study, true, err);
}

static bool read_times(Study *study, Error *err)
{
    const Points        *points = &study->points;
    const StoreVariable *time = store_read_variable(points->group, "time");
    if (!time || time->rank != 1)
        return true;
    double *times = arena_take(&study->points.arena, (size_t)time->count, sizeof *times, err);
    study->times = times;
    return times && store_read_numbers(points->file, points->group, time, NULL, NULL, times, err);
}

double study_axis_value(const Study *study, const char *name, uint64_t row)
{
    const Points *points = &study->points;
    for (size_t i = 0; i < points->axis_count; ++i)
        if (strcmp(points->axes[i].name, name) == 0 && points->axes[i].values)
            return points_axis_value(points, i, row * study->row_points);
    return (double)NAN;
}

bool study_open(const StoreFile *file, const StoreGroup *group, Study *study, Error *err)
{
    char *text = NULL, *arrays = NULL;
    *study = (Study){.label = group->label};
    bool ok = points_open_design(file, group, &study->points, err) &&
              store_read_text(file, group, study_arrays, &arrays, err) &&
              store_read_text(file, group, "sampling", &text, err) && list_factors(study, text != NULL, err) &&
              read_times(study, err);
    study->roles = 1;
    study->samples = study->row_points = study->points.count;
    study->row_count = 1;
    ok = ok && (text ? read_sampling(study, text, err) : recognise_lists(study, err) && read_groups(study, NULL, err));
    study->arrays = arrays != NULL;
    free(arrays);
    free(text);
    if (!ok)
        study_close(study);
    return ok;
}

bool study_open_all(const StoreFile *file, const char *const *labels, size_t label_count, Study *studies, size_t *count,
                    Error *err)
{
    *count = 0;
    for (size_t i = 0; i < label_count; ++i)
        if (!store_read_choose(file, labels[i], err))
            return false;
    for (size_t g = 0; g < file->group_count; ++g) {
        if (label_count > 0 && !card_lists(labels, label_count, file->groups[g].label))
            continue;
        if (!study_open(file, &file->groups[g], &studies[*count], err))
            return false;
        ++*count;
    }
    return true;
}

void study_close(Study *study)
{
    points_close(&study->points);
    *study = (Study){0};
}

bool study_is_grid(const Study *study)
{
    for (size_t d = 0; d < study->points.dim_count; ++d)
        if (study->points.dims[d].together && study->rows.kind != ROWS_GRID)
            return false;
    return !study->random;
}

bool study_is_net(const Study *study)
{
    return study->random && (study->kind == SAMPLING_SOBOL || study->kind == SAMPLING_SALTELLI);
}

size_t study_width(const StudyOutput *output)
{
    for (size_t i = 0; i < output->variable->rank; ++i)
        if (strcmp(output->variable->dims[i], "sample") == 0)
            return (size_t)output->variable->shape[i];
    return 1;
}

// Whether the first dimensions of a variable are the points', and then only `sample`, where it is wanted, and `dof`.
static bool is_output(const Points *points, const StoreVariable *variable, bool over_time, bool *vector)
{
    const StoreVariable *status = points->status;
    size_t               at = status->rank;
    if (variable <= status || variable->scale || variable->rank < at)
        return false;
    for (size_t i = 0; i < at; ++i)
        if (strcmp(variable->dims[i], status->dims[i]) != 0)
            return false;
    if (over_time && (at == variable->rank || strcmp(variable->dims[at++], "sample") != 0))
        return false;
    *vector = at < variable->rank && strcmp(variable->dims[at], "dof") == 0;
    return at + *vector == variable->rank;
}

static size_t component_count(const StoreVariable *variable, bool vector)
{
    return vector ? (size_t)variable->shape[variable->rank - 1] : 1;
}

static bool fail_outputs(const Study *study, const StudyOutput *all, size_t count, const char *name, bool over_time,
                         Error *err)
{
    const char *near = NULL;
    for (size_t i = 0; name && !near && i < count; ++i)
        near = suggest(name, &all[i].name, 1);
    if (count == 0 && over_time)
        return fail(err, ERROR_USAGE,
                    "%s: group '%s' stores no trajectory of each point: add `trajectory: {samples: 100}` to the sweep",
                    study->points.file->path, study->label);
    return fail(err, ERROR_USAGE, "%s: group '%s' has no %s '%.60s'", study->points.file->path, study->label,
                over_time ? "field" : "metric", name ? name : "") ||
           suggest_add(err, near, "");
}

bool study_outputs(Study *study, const char *name, bool over_time, StudyOutput **outputs, size_t *count, Error *err)
{
    Points           *points = &study->points;
    const StoreGroup *group = points->group;
    size_t            most = 0, found = 0;
    bool              vector;
    for (size_t i = 0; i < group->variable_count; ++i)
        if (is_output(points, &group->variables[i], over_time, &vector))
            most += component_count(&group->variables[i], vector);
    StudyOutput *all = arena_take(&points->arena, most, sizeof *all, err);
    for (size_t i = 0; all && i < group->variable_count; ++i) {
        const StoreVariable *variable = &group->variables[i];
        if (!is_output(points, variable, over_time, &vector))
            continue;
        for (size_t c = 0; c < component_count(variable, vector); ++c) {
            StudyOutput *output = &all[found++];
            *output = (StudyOutput){.name = variable->name,
                                    .variable = variable,
                                    .component = c,
                                    .vector = vector,
                                    .unit = store_read_unit(group, variable, c)};
            if (vector && !(output->name = arena_format(&points->arena, err, "%s[%zu]", variable->name, c)))
                return false;
        }
    }
    *outputs = all;
    *count = found;
    size_t               component = 0;
    const StoreVariable *asked = all && name ? store_read_address(group, name, &component) : NULL;
    for (size_t i = 0; asked && i < found; ++i)
        if (all[i].variable == asked && component == (all[i].vector ? all[i].component : SIZE_MAX)) {
            *outputs = &all[i];
            *count = 1;
            return true;
        }
    return all && (name || found == 0 ? fail_outputs(study, all, found, name, over_time, err) : true);
}

bool study_derivative(const Study *study, const StudyOutput *output, const char *factor, Arena *arena,
                      StudyOutput *derivative, Error *err)
{
    const char *name = arena_format(arena, err, "%s_d_%s", output->variable->name, factor);
    *derivative = *output;
    derivative->largest = NULL;
    derivative->shifts = NULL;
    derivative->variable = name ? store_read_variable(study->points.group, name) : NULL;
    bool vector;
    if (derivative->variable &&
        (!is_output(&study->points, derivative->variable, false, &vector) || vector != output->vector ||
         component_count(derivative->variable, vector) <= (vector ? output->component : 0)))
        derivative->variable = NULL;
    return name != NULL;
}

// So many numbers are in memory at a time, unless one base sample has more.
enum { PART_NUMBERS = 1 << 18 };

typedef struct StudyScan {
    const Study       *study;
    const StudyOutput *output;
    StudyFailed        failed;
    size_t             width;            // numbers of a point
    double            *status, *values;  // [points of a part], [points of a part][width]
    double             worst;
} StudyScan;

// Reads a part of one row: points first .. first + count - 1 along the last dimension.
static bool read_part(const StudyScan *scan, const StoreVariable *variable, uint64_t row, uint64_t first, size_t count,
                      double *numbers, Error *err)
{
    const Points *points = &scan->study->points;
    const size_t  rank = points->status->rank;
    uint64_t      start[STORE_READ_RANK] = {0}, length[STORE_READ_RANK];
    for (size_t i = 0; i < variable->rank; ++i)
        length[i] = i < rank ? 1 : variable->shape[i];
    if (rank > 0) {
        start[rank - 1] = first;
        length[rank - 1] = count;
    }
    for (size_t i = rank; i-- > 1; row /= variable->shape[i - 1])
        start[i - 1] = row % variable->shape[i - 1];
    if (variable != points->status && scan->output->vector) {
        start[variable->rank - 1] = scan->output->component;
        length[variable->rank - 1] = 1;
    }
    return store_read_numbers(points->file, points->group, variable, variable->rank ? start : NULL,
                              variable->rank ? length : NULL, numbers, err);
}

// The same in the order of the roles, of rows that another program wrote in one of its own.
static bool read_roles(const StudyScan *scan, const StoreVariable *variable, uint64_t row, uint64_t first, size_t count,
                       size_t width, double *numbers, Error *err)
{
    const RowList *rows = &scan->study->rows;
    const size_t   roles = rows->roles, samples = count / roles;
    double        *kept = malloc(count * width * sizeof *kept);
    bool           ok = kept || fail(err, ERROR_INTERNAL, "out of memory for %zu points", count);
    if (ok && !rows->by_matrix)
        ok = read_part(scan, variable, row, first, count, kept, err);
    for (size_t role = 0; ok && role < roles; ++role) {
        const double *from = kept + (rows->by_matrix ? 0 : rows->place[role]) * width;
        if (rows->by_matrix)
            ok = read_part(scan, variable, row, rows_find(rows, first / roles, role), samples, kept, err);
        for (size_t s = 0; ok && s < samples; ++s)
            memcpy(numbers + (s * roles + role) * width, from + s * (rows->by_matrix ? 1 : roles) * width,
                   width * sizeof *numbers);
    }
    free(kept);
    return ok;
}

static bool read_points(const StudyScan *scan, const StoreVariable *variable, uint64_t row, uint64_t first,
                        size_t count, size_t width, double *numbers, Error *err)
{
    return scan->study->rows.kind == ROWS_SALTELLI ? read_roles(scan, variable, row, first, count, width, numbers, err)
                                                   : read_part(scan, variable, row, first, count, numbers, err);
}

static bool is_ok(const StudyScan *scan, size_t point)
{
    if (scan->status[point] != (double)STATUS_OK)
        return false;
    for (size_t i = 0; (scan->failed != STUDY_CLASSIFY || scan->study->arrays) && i < scan->width; ++i)
        if (!isfinite(scan->values[point * scan->width + i]))
            return false;
    return true;
}

// Gives the points of a base sample their numbers. Returns how many failed.
static size_t mend(StudyScan *scan, size_t first)
{
    size_t failed = 0;
    for (size_t i = first; i < first + scan->study->roles; ++i) {
        const bool ok = is_ok(scan, i);
        failed += !ok;
        for (size_t k = 0; k < scan->width; ++k) {
            double *value = &scan->values[i * scan->width + k];
            if (scan->failed == STUDY_CLASSIFY)
                *value = ok ? 0.0 : 1.0;
            else if (!ok && scan->failed == STUDY_WORST)
                *value = scan->worst;
            else if (!ok && scan->failed == STUDY_EACH)
                *value = (double)NAN;
        }
    }
    return failed;
}

typedef void SeePart(StudyScan *scan, uint64_t first, size_t count, void *user);

// Goes through the study's rows from `row` on in parts of whole base samples.
static bool walk(StudyScan *scan, uint64_t row, uint64_t row_count, SeePart *see, void *user, Error *err)
{
    const Study   *study = scan->study;
    const Points  *points = &study->points;
    const uint64_t length = points->dim_count ? points->dims[points->dim_count - 1].count : 1;
    uint64_t       most = PART_NUMBERS / scan->width / study->roles * study->roles, seen = 0;
    if (most < study->roles)
        most = study->roles;
    if (most > length)
        most = length;
    scan->status = malloc(most * sizeof *scan->status);
    scan->values = malloc(most * scan->width * sizeof *scan->values);
    bool ok = (scan->status && scan->values) ||
              fail(err, ERROR_INTERNAL, "out of memory for %llu points", (unsigned long long)most);
    for (uint64_t r = row; ok && r < row + row_count; ++r)
        for (uint64_t first = 0; ok && first < length; first += most) {
            const size_t count = (size_t)(length - first < most ? length - first : most);
            ok = read_points(scan, points->status, r, first, count, 1, scan->status, err) &&
                 read_points(scan, scan->output->variable, r, first, count, scan->width, scan->values, err);
            if (ok)
                see(scan, seen, count, user);
            seen += count;
        }
    free(scan->values);
    free(scan->status);
    return ok;
}

static void find_worst(StudyScan *scan, uint64_t first, size_t count, void *user)
{
    double *worst = user;
    (void)first;
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < scan->width && is_ok(scan, i); ++k)
            *worst = fmax(*worst, scan->values[i * scan->width + k]);
}

// Squares of outputs that are tiny or huge fit into a double once these are moved by a power of two.
static void shift(const StudyScan *scan, size_t first)
{
    const StudyOutput *output = scan->output;
    for (size_t i = first; output->shifts && i < first + scan->study->roles; ++i)
        for (size_t k = 0; k < scan->width; ++k) {
            double *value = &scan->values[i * scan->width + k];
            if (isfinite(*value))
                output->largest[k] = fmax(output->largest[k], fabs(*value));
            if (output->shifts[k] != 0)
                *value = ldexp(*value, output->shifts[k]);
        }
}

typedef struct Shown {
    StudySee   *see;
    void       *user;
    StudyTally *tally;
} Shown;

static void show_part(StudyScan *scan, uint64_t first, size_t count, void *user)
{
    const Shown *shown = user;
    const size_t roles = scan->study->roles;
    for (size_t i = 0; i < count; i += roles) {
        const size_t failed = mend(scan, i);
        const bool   counts = failed == 0 || (scan->failed != STUDY_DROP && scan->failed != STUDY_REFUSE);
        ++shown->tally->samples;
        shown->tally->points += roles;
        shown->tally->failed += failed;
        shown->tally->dropped += !counts;
        shift(scan, i);
        shown->see((first + i) / roles, counts ? &scan->values[i * scan->width] : NULL, shown->user);
    }
}

bool study_scan(const Study *study, const StudyOutput *output, uint64_t row, StudyFailed failed, StudySee *see,
                void *user, StudyTally *tally, Error *err)
{
    StudyScan      scan = {.study = study, .output = output, .failed = failed, .width = study_width(output)};
    Shown          shown = {see, user, tally};
    const uint64_t before = tally->failed;
    const uint64_t length = study->points.dim_count ? study->points.dims[study->points.dim_count - 1].count : 1;
    const uint64_t first = study->random ? row : 0, rows = study->random ? 1 : study->points.count / length;
    scan.worst = -INFINITY;
    if (failed == STUDY_WORST && !walk(&scan, first, rows, find_worst, &scan.worst, err))
        return false;
    if (!walk(&scan, first, rows, show_part, &shown, err))
        return false;
    return failed != STUDY_REFUSE || tally->failed == before ||
           fail(err, ERROR_INPUT, "%s: group '%s': %llu points have no '%s', and --failed is refuse",
                study->points.file->path, study->label, (unsigned long long)(tally->failed - before), output->name);
}
