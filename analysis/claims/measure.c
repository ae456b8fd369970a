// measure -- measures made of the lab's numbers.
#include "analysis/claims/measure.h"

#include "analysis/claims/printed.h"

#include <math.h>
#include <string.h>

enum { OMEGAS = 201, MOST_ZETAS = 64 };

static const double not_measured = (double)NAN;

// Steps through all combinations of lists, the last fastest; false after the last.
static bool next_of_all(size_t *at, const size_t *counts, size_t lists)
{
    for (size_t i = lists; i-- > 0;) {
        if (++at[i] < counts[i])
            return true;
        at[i] = 0;
    }
    return false;
}

static size_t count_all(const size_t *counts, size_t lists)
{
    size_t all = 1;
    for (size_t i = 0; i < lists; ++i)
        all *= counts[i];
    return all;
}

static bool fill(Value *value, const Scope *scope, size_t count, double number, Error *err)
{
    *value = formula_list(scope, count, err);
    for (size_t i = 0; value->at && i < count; ++i)
        value->at[i] = number;
    return value->at != NULL;
}

bool measure_needs_lab(const Measure *measure)
{
    return strpbrk(measure->arguments, "mp") != NULL;
}

static bool call_each(const MeasureCall *call, Value *value, Error *err)
{
    const Measure *measure = call->measure;
    size_t         counts[MEASURE_VALUES], at[MEASURE_VALUES] = {0};
    for (size_t i = 0; i < call->count; ++i)
        counts[i] = call->values[i].count;
    if (!fill(value, call->scope, count_all(counts, call->count) * measure->outs, not_measured, err))
        return false;
    if (value->count == 0 || (call->scope->dry && measure_needs_lab(measure)))
        return true;
    double *out = value->at;
    do {
        double arguments[MEASURE_VALUES];
        for (size_t i = 0; i < call->count; ++i)
            arguments[i] = call->values[i].at[at[i]];
        if (measure->plain)
            measure->plain(arguments, out);
        else
            measure->each(call, arguments, out);
        out += measure->outs;
    } while (next_of_all(at, counts, call->count));
    return true;
}

bool measure_call(const MeasureCall *call, Value *value, Error *err)
{
    return call->measure->whole ? call->measure->whole(call, value, err) : call_each(call, value, err);
}

// Spectra of kernels.

static double find_radius(const MeasureCall *call, double value, double omega, double zeta)
{
    Matrix matrix;
    lab_matrices(call->scope->lab, call->method, value, zeta, &omega, 1, &matrix);
    return matrix_radius(matrix);
}

static void measure_radius(const MeasureCall *call, const double *a, double *out)
{
    *out = find_radius(call, a[0], a[1], a[2]);
}

// Radii at Omegas from `from` to `to`, both included, evenly in their logarithms.
static void find_radii(const MeasureCall *call, double value, double zeta, double from, double to, double *omegas,
                       double *radii)
{
    Matrix matrices[OMEGAS];
    for (int i = 0; i < OMEGAS; ++i)
        omegas[i] = from * pow(to / from, (double)i / (OMEGAS - 1));
    lab_matrices(call->scope->lab, call->method, value, zeta, omegas, OMEGAS, matrices);
    for (int i = 0; i < OMEGAS; ++i)
        radii[i] = matrix_radius(matrices[i]);
}

static void measure_largest_radius(const MeasureCall *call, const double *a, double *out)
{
    double radii[OMEGAS], omegas[OMEGAS];
    find_radii(call, a[0], a[1], 1e-2, 1e4, omegas, radii);
    *out = 0.0;
    // A radius that is NaN must not be lost in a comparison.
    for (int i = 0; i < OMEGAS; ++i)
        *out = radii[i] <= *out ? *out : radii[i];
}

static void measure_most_damping(const MeasureCall *call, const double *a, double *out)
{
    double radii[OMEGAS], omegas[OMEGAS];
    find_radii(call, a[0], 0.0, 1e-1, 1e2, omegas, radii);
    *out = 0.0;
    for (int i = 0; i < OMEGAS; ++i)
        *out = fmax(*out, -log(radii[i]) / omegas[i]);
}

static bool measure_limits(const MeasureCall *call, Value *value, Error *err)
{
    const Value zetas = call->values[1];
    if (!fill(value, call->scope, zetas.count, not_measured, err))
        return false;
    if (!call->scope->dry)
        lab_limits(call->scope->lab, call->method, call->values[0].at[0], zetas.at, zetas.count, value->at);
    return true;
}

// Between two of the kernels' limits at a time.
static void measure_passes(const MeasureCall *call, const double *a, double *out)
{
    enum { ZETAS = 21 };
    Lab   *lab = call->scope->lab;
    double low = 0.0, high = 1.0, zetas[ZETAS], limits[ZETAS], others[ZETAS];
    for (int turn = 0; turn < 3; ++turn) {
        int i = 0;
        for (int k = 0; k < ZETAS; ++k)
            zetas[k] = low + (high - low) * k / (ZETAS - 1);
        lab_limits(lab, call->method, 0.0, zetas, ZETAS, limits);
        lab_limits(lab, call->other, a[0], zetas, ZETAS, others);
        while (i < ZETAS && limits[i] <= others[i])
            ++i;
        *out = i == 0 ? low : (double)INFINITY;
        if (i == 0 || i == ZETAS)
            return;
        low = zetas[i - 1];
        high = zetas[i];
    }
    *out = 0.5 * (low + high);
}

// Matrices, as lists of their entries.

static bool put_matrix(const Scope *scope, Matrix matrix, Value *value, Error *err)
{
    *value = formula_list(scope, matrix.n * matrix.n, err);
    for (size_t i = 0; value->at && i < value->count; ++i)
        value->at[i] = matrix.a[i / matrix.n][i % matrix.n];
    return value->at != NULL;
}

static bool measure_matrix(const MeasureCall *call, Value *value, Error *err)
{
    Matrix matrix = {.n = 1, .a = {{not_measured}}};
    if (!call->scope->dry)
        lab_matrices(call->scope->lab, call->method, call->values[0].at[0], call->values[2].at[0], call->values[1].at,
                     1, &matrix);
    return put_matrix(call->scope, matrix, value, err);
}

static Matrix list_matrix(Value list)
{
    Matrix matrix = {.n = 1};
    while (matrix.n < MATRIX_MOST && matrix.n * matrix.n < list.count)
        ++matrix.n;
    for (size_t i = 0; i < matrix.n * matrix.n; ++i)
        matrix.a[i / matrix.n][i % matrix.n] = i < list.count ? list.at[i] : not_measured;
    return matrix;
}

static bool measure_spectral_radius(const MeasureCall *call, Value *value, Error *err)
{
    const bool known = !call->scope->dry || call->values[0].count > 1;
    return fill(value, call->scope, 1, known ? matrix_radius(list_matrix(call->values[0])) : not_measured, err);
}

static bool measure_determinant(const MeasureCall *call, Value *value, Error *err)
{
    return fill(value, call->scope, 1, matrix_determinant(list_matrix(call->values[0])), err);
}

static bool measure_inverse(const MeasureCall *call, Value *value, Error *err)
{
    return put_matrix(call->scope, matrix_inverse(list_matrix(call->values[0])), value, err);
}

// Numbers of sweeps.

// What is asked of the point at a place. `more`: what else the caller knows.
typedef bool Visit(const Scope *scope, const Place *place, const At *at, const double *more, Value *value, Error *err);

static bool add_number(const Scope *scope, double number, Value *value, Error *err)
{
    if ((value->count & (value->count - 1)) == 0) {  // full at powers of two
        double *larger = arena_take(scope->arena, value->count ? 2 * value->count : 1, sizeof *larger, err);
        if (!larger)
            return false;
        if (value->count > 0)
            memcpy(larger, value->at, value->count * sizeof *larger);
        value->at = larger;
    }
    value->at[value->count++] = number;
    return true;
}

static bool visit_all(const Scope *scope, const Place *place, Visit *visit, const double *more, Value *value,
                      Error *err)
{
    size_t counts[PLACE_AXES], which[PLACE_AXES] = {0};
    for (size_t i = 0; i < place->axis_count; ++i)
        counts[i] = place->axes[i].count;
    *value = (Value){0};
    do {
        At at[PLACE_AXES + 2] = {{0}};  // a visit may add one
        for (size_t i = 0; i < place->axis_count; ++i)
            at[i] = (At){place->axes[i].name, place->axes[i].values[which[i]]};
        if (!(scope->dry ? add_number(scope, not_measured, value, err) : visit(scope, place, at, more, value, err)))
            return false;
    } while (next_of_all(which, counts, place->axis_count));
    return true;
}

static double find_at(const At *at, const char *axis, double otherwise)
{
    for (; at->axis; ++at)
        if (strcmp(at->axis, axis) == 0)
            return at->value;
    return otherwise;
}

static bool visit_number(const Scope *scope, const Place *place, const At *at, const double *more, Value *value,
                         Error *err)
{
    Lab         *lab = scope->lab;
    const size_t samples = lab_samples(lab, place->sweep, place->group, place->variable, at);
    const size_t dof = (size_t)find_at(at, "dof", 0.0), first = (size_t)find_at(at, "sample", 0.0);
    const size_t end = find_at(at, "sample", -1.0) >= 0.0 ? first + 1 : samples;
    (void)more;
    if (samples == 0)
        return add_number(scope, lab_number(lab, place->sweep, place->group, place->variable, at), value, err);
    for (size_t i = first; i < end; ++i)
        if (!add_number(scope, lab_sample(lab, place->sweep, place->group, place->variable, at, i, dof), value, err))
            return false;
    return true;
}

bool measure_place(const Scope *scope, const Place *place, Value *value, Error *err)
{
    if (!place->variable)
        return fail(err, ERROR_INPUT, "%s.%s names no variable", place->sweep, place->group);
    return visit_all(scope, place, visit_number, NULL, value, err);
}

// The error of a group's point, against the pendulum from (1, v) at t = end.
static double find_error(const Scope *scope, const Place *place, const At *at, double v, double end)
{
    const Motion right = printed_pendulum(find_at(at, "zeta", 0.0), (Motion){1.0, v}, end);
    return fmax(fabs(lab_number(scope->lab, place->sweep, place->group, "x_final", at) - right.x),
                fabs(lab_number(scope->lab, place->sweep, place->group, "v_final", at) - right.v));
}

static bool visit_error(const Scope *scope, const Place *place, const At *at, const double *more, Value *value,
                        Error *err)
{
    return add_number(scope, find_error(scope, place, at, more[0], more[1]), value, err);
}

static bool visit_order(const Scope *scope, const Place *place, const At *at, const double *more, Value *value,
                        Error *err)
{
    At coarse[PLACE_AXES + 2], fine[PLACE_AXES + 2];
    memcpy(coarse, at, sizeof coarse);
    memcpy(fine, at, sizeof fine);
    coarse[place->axis_count] = (At){"steps", more[2]};
    fine[place->axis_count] = (At){"steps", 2.0 * more[2]};
    return add_number(
        scope,
        log2(find_error(scope, place, coarse, more[0], more[1]) / find_error(scope, place, fine, more[0], more[1])),
        value, err);
}

static bool measure_visit(const MeasureCall *call, Value *value, Error *err)
{
    double more[MEASURE_VALUES];
    for (size_t i = 0; i < call->count; ++i)
        more[i] = call->values[i].at[0];
    return visit_all(call->scope, &call->place, call->count == 3 ? visit_order : visit_error, more, value, err);
}

static const Measure measures[] = {
    {.name = "radius", .arguments = "mvvv", .outs = 1, .each = measure_radius},
    {.name = "largest_radius", .arguments = "mvv", .outs = 1, .each = measure_largest_radius},
    {.name = "most_damping", .arguments = "mv", .outs = 1, .each = measure_most_damping},
    {.name = "limits", .arguments = "mvv", .whole = measure_limits},
    {.name = "passes", .arguments = "mov", .outs = 1, .each = measure_passes},
    {.name = "matrix", .arguments = "mvvv", .whole = measure_matrix},
    {.name = "spectral_radius", .arguments = "v", .whole = measure_spectral_radius},
    {.name = "determinant", .arguments = "v", .whole = measure_determinant},
    {.name = "inverse", .arguments = "v", .whole = measure_inverse},
    {.name = "error", .arguments = "pvv", .whole = measure_visit},
    {.name = "order", .arguments = "pvvv", .whole = measure_visit},
};
enum { MEASURES = sizeof measures / sizeof *measures };

const Measure *measure_find(const char *name)
{
    for (size_t i = 0; i < MEASURES; ++i)
        if (strcmp(measures[i].name, name) == 0)
            return &measures[i];
    for (size_t i = 0; i < printed_measure_count; ++i)
        if (strcmp(printed_measures[i].name, name) == 0)
            return &printed_measures[i];
    return NULL;
}
