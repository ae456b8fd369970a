// study_scan -- reads the points of a study, a base sample after the other.
#include "analysis/sensitivity/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    for (size_t i = 0; scan->failed != STUDY_CLASSIFY && i < scan->width; ++i)
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
        const bool   counts = failed == 0 || scan->failed == STUDY_WORST || scan->failed == STUDY_CLASSIFY;
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
