// lab -- runs sweeps from their texts, probes kernels, and finds numbers in the results.
#include "analysis/claims/lab.h"

#include "analysis/claims/lists.h"
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 4, MOST_ADDED = 32 };

typedef struct LabSweep {
    const char        *name, *path;  // name: NULL, that of the path's file
    const char        *text;         // NULL: read from the path
    const char *const *overrides;    // [override_count]
    size_t             override_count;
    Spec               spec;
    Plan               plan;
    Results           *results;  // [plan.group_count] the numbers of all points of each group; NULL: not run
} LabSweep;

bool lab_open(Lab *lab, Error *err)
{
    if (!catalog_read(&lab->catalog, err))
        return false;
    lab->sweeps = calloc(claims_file_count + MOST_ADDED, sizeof *lab->sweeps);
    lab->probes = calloc(lab->catalog.card_count, sizeof(Probe *));
    if (!lab->sweeps || !lab->probes)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (; lab->sweep_count < claims_file_count; ++lab->sweep_count)
        lab->sweeps[lab->sweep_count] =
            (LabSweep){.path = claims_files[lab->sweep_count].path, .text = claims_files[lab->sweep_count].text};
    return true;
}

bool lab_add_sweep(Lab *lab, const char *name, const char *path, const char *const *overrides, size_t count, Error *err)
{
    if (lab->sweep_count == claims_file_count + MOST_ADDED)
        return fail(err, ERROR_INPUT, "more than %d sweeps", (int)MOST_ADDED);
    lab->sweeps[lab->sweep_count++] =
        (LabSweep){.name = name, .path = path, .overrides = overrides, .override_count = count};
    return true;
}

void lab_close(Lab *lab)
{
    for (size_t i = 0; i < lab->sweep_count; ++i) {
        LabSweep *sweep = &lab->sweeps[i];
        for (size_t g = 0; sweep->results && g < sweep->plan.group_count; ++g)
            results_free(&sweep->results[g]);
        free(sweep->results);
        plan_free(&sweep->plan);
        spec_free(&sweep->spec);
    }
    for (size_t c = 0; lab->probes && c < lab->catalog.card_count; ++c)
        probe_free(lab->probes[c]);
    free(lab->probes);
    free(lab->sweeps);
    device_close(lab->device);
    catalog_free(&lab->catalog);
    *lab = (Lab){0};
}

static bool run_group(const Lab *lab, const char *name, const Plan *plan, size_t g, Results *results, Error *err)
{
    const Group     *group = &plan->groups[g];
    Engine           engine = {0};
    const RunOptions options = {0};
    char             what[128];
    // Narrow kernels compile faster, and here there is more to compile than to compute.
    const int own = device_info(lab->device)->lanes_double, most = own < MOST_LANES ? own : MOST_LANES;
    int       lanes = 1;
    while (lanes < most && (uint64_t)lanes < group->point_count)
        lanes *= 2;
    snprintf(what, sizeof what, "%s, %s", name, group->label);
    if (lab->say)
        lab->say(what, lab->user);
    const bool ok = engine_make(&engine, lab->device, plan, group, lanes, err) &&
                    engine_run_all(&engine, &options, &results[g], err);
    engine_free(&engine);
    return ok || within(err, "claims: %s", what);
}

// The sweep of that name: planned, and run where there is a device.
static bool find_sweep(const Lab *lab, const char *name, LabSweep **found, Error *err)
{
    char      path[128];
    LabSweep *sweep = lab->sweeps, *end = sweep + lab->sweep_count;
    snprintf(path, sizeof path, "sweeps/claims/%s.yaml", name);
    while (sweep < end && strcmp(sweep->name ? sweep->name : sweep->path, sweep->name ? name : path) != 0)
        ++sweep;
    if (sweep == end)
        return fail(err, ERROR_INPUT, "there is no %s", path);
    *found = sweep;
    if (!sweep->plan.groups &&
        !((sweep->text ? spec_read_text(path, sweep->text, NULL, 0, &sweep->spec, err)
                       : spec_read(sweep->path, sweep->overrides, sweep->override_count, &sweep->spec, err)) &&
          plan_make(&sweep->spec, &lab->catalog, &sweep->plan, err)))
        return false;
    if (sweep->results || !lab->device)
        return true;
    sweep->results = calloc(sweep->plan.group_count, sizeof *sweep->results);
    bool ok = sweep->results || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t g = 0; ok && g < sweep->plan.group_count; ++g)
        ok = run_group(lab, name, &sweep->plan, g, sweep->results, err);
    return ok;
}

// The values of one axis that are looked at.
typedef struct Pick {
    size_t  *at;  // [count] their numbers on the axis
    size_t   count;
    uint64_t stride;  // points from one value to the next
} Pick;

// A place while its numbers are read.
typedef struct Reading {
    const Group    *group;
    const Results  *results;   // NULL: NaN
    const Variable *variable;  // NULL: the error
    Pick            picks[2 * PLACE_AXES];
    size_t          pick_count, first, end, dof;  // of samples; end 0: all
    Value          *value;                        // with room for all
} Reading;

// The number of the value on the axis that is the nearest, which must be within rounding of it.
static bool find_value(const Axis *axis, double value, size_t *index)
{
    *index = 0;
    for (size_t i = 1; i < axis->count; ++i)
        if (fabs(axis->values[i] - value) < fabs(axis->values[*index] - value))
            *index = i;
    return fabs(axis->values[*index] - value) <= 1e-9 * fabs(value);
}

static double read_number(const Reading *reading, const Variable *variable, uint64_t row, size_t element)
{
    return results_value(reading->results, (size_t)(variable - reading->group->variables), (size_t)row, element);
}

static double find_parameter(const Group *group, const char *name, uint64_t point)
{
    size_t i = 0;
    while (i < group->problem->parameter_count && strcmp(group->problem->parameters[i].name, name) != 0)
        ++i;
    return i < group->problem->parameter_count ? group_value(group, group->problem_parameters[i], point) : (double)NAN;
}

static double find_error(const Reading *reading, uint64_t point)
{
    const Group *group = reading->group;
    const double motion[] = {find_parameter(group, "zeta", point), find_parameter(group, "x0", point),
                             find_parameter(group, "v0", point), group_value(group, group->end, point)};
    double       right[LISTS_LEAST_ROOM];
    lists_apply("pendulum", motion, sizeof motion / sizeof *motion, right);
    return fmax(fabs(read_number(reading, group_variable_named(group, "x_final"), point, 0) - right[0]),
                fabs(read_number(reading, group_variable_named(group, "v_final"), point, 0) - right[1]));
}

// Adds the numbers of a point; false where it has none.
static bool read_point(const Reading *reading, uint64_t point)
{
    const Group    *group = reading->group;
    const Variable *variable = reading->variable;
    Value          *value = reading->value;
    bool            stored = true;
    uint64_t        row = point;
    size_t          end = reading->end;
    if (point >= group->point_count)  // more than one axis of a zip
        return false;
    if (!variable) {
        value->at[value->count++] = reading->results ? find_error(reading, point) : (double)NAN;
        return true;
    }
    if (variable->trajectory)
        row = group_slot(group, point, &stored);
    if (variable->trajectory && end == 0)
        end = group_samples(group, point);
    for (size_t sample = reading->first; sample < (end ? end : 1); ++sample) {
        const size_t element = sample * (variable->per_dof ? group->dofs : 1) + reading->dof;
        if (!stored || element >= variable->width)
            return false;
        value->at[value->count++] = reading->results ? read_number(reading, variable, row, element) : (double)NAN;
    }
    return true;
}

static bool read_points(const Reading *reading, size_t pick, uint64_t point)
{
    if (pick == reading->pick_count)
        return read_point(reading, point);
    for (size_t i = 0; i < reading->picks[pick].count; ++i)
        if (!read_points(reading, pick + 1, point + reading->picks[pick].at[i] * reading->picks[pick].stride))
            return false;
    return true;
}

// Picks values of an axis of the group; all of them where `values` is NULL.
static bool pick_values(Reading *reading, size_t axis, const Value *values, Arena *arena, Error *err)
{
    const Group *group = reading->group;
    const Axis  *from = &group->axes[axis];
    const size_t count = values ? values->count : from->count;
    Pick        *pick = &reading->picks[reading->pick_count++];
    *pick = (Pick){arena_take(arena, count, sizeof *pick->at, err), count, 1};
    for (size_t d = from->dim + 1; d < group->dim_count; ++d)
        pick->stride *= group->dims[d].count;
    for (size_t i = 0; pick->at && i < count; ++i) {
        pick->at[i] = i;
        if (values && !find_value(from, values->at[i], &pick->at[i]))
            return fail(err, ERROR_INPUT, "axis '%s' has no value %.16g", from->name, values->at[i]);
    }
    return pick->at != NULL;
}

// Takes the axes of a place: the group's axes as they are named, then one of each dimension that is left.
static bool pick_all(Reading *reading, const Place *place, Arena *arena, Error *err)
{
    const Group *group = reading->group;
    bool         named[PLACE_AXES] = {false};
    if (group->axis_count > PLACE_AXES)
        return fail(err, ERROR_INPUT, "more than %d axes", (int)PLACE_AXES);
    for (size_t i = 0; i < place->axis_count; ++i) {
        const char  *name = place->axes[i].name;
        const Value *values = &place->axes[i].values;
        const Axis  *axis = group_axis(group, name);
        const double number = values->count == 1 && values->at[0] >= 0.0 ? fmin(values->at[0], 1e9) : (double)NAN;
        if (axis && !named[axis - group->axes]) {
            named[axis - group->axes] = true;
            if (!pick_values(reading, (size_t)(axis - group->axes), values, arena, err))
                return false;
        } else if (strcmp(name, "sample") == 0 && !isnan(number)) {
            reading->first = (size_t)number;
            reading->end = reading->first + 1;
        } else if (strcmp(name, "dof") == 0 && !isnan(number)) {
            reading->dof = (size_t)number;
        } else {
            return fail(err, ERROR_INPUT, "axis '%s' is not there, or there twice", name);
        }
    }
    for (size_t d = 0; d < group->dim_count; ++d) {
        size_t first = group->axis_count;
        bool   picked = false;
        for (size_t a = group->axis_count; a-- > 0;)
            if (group->axes[a].dim == d) {
                picked = picked || named[a];
                first = a;
            }
        if (!picked && !pick_values(reading, first, NULL, arena, err))
            return false;
    }
    return true;
}

bool lab_place(Lab *lab, const Place *place, Arena *arena, Value *value, Error *err)
{
    LabSweep *sweep = NULL;
    size_t    g = 0, most = 1;
    if (!find_sweep(lab, place->sweep, &sweep, err))
        return false;
    while (g < sweep->plan.group_count && strcmp(sweep->plan.groups[g].label, place->group) != 0)
        ++g;
    if (g == sweep->plan.group_count)
        return fail(err, ERROR_INPUT, "%s has no group '%s'", place->sweep, place->group);
    const Group *group = &sweep->plan.groups[g];
    const bool   error = strcmp(place->variable, "error") == 0;
    Reading      reading = {.group = group,
                            .results = sweep->results ? &sweep->results[g] : NULL,
                            .variable = group_variable_named(group, place->variable),
                            .value = value};
    if (!reading.variable &&
        !(error && group_variable_named(group, "x_final") && group_variable_named(group, "v_final")))
        return fail(err, ERROR_INPUT, "%s.%s has no variable '%s'", place->sweep, place->group, place->variable);
    if (!pick_all(&reading, place, arena, err))
        return within(err, "%s.%s", place->sweep, place->group);
    for (size_t i = 0; i < reading.pick_count; ++i)
        most *= reading.picks[i].count;
    if (reading.variable && reading.variable->trajectory && reading.end == 0)
        most *= group->trajectory.sample_count;
    *value = (Value){arena_take(arena, most, sizeof *value->at, err), 0};
    return value->at && (read_points(&reading, 0, 0) || fail(err, ERROR_INPUT, "%s.%s: '%s' is not stored there",
                                                             place->sweep, place->group, place->variable));
}

size_t lab_lists(const char *name)
{
    if (strcmp(name, "limits") == 0)
        return 2;
    return strcmp(name, "radius") == 0 || strcmp(name, "matrix") == 0 ? 3 : 0;
}

// The probe of a method, which is built when it is first asked for with a device.
static bool find_probe(Lab *lab, const Card *method, Probe **probe, Error *err)
{
    Probe            **kept = &lab->probes[method - lab->catalog.cards];
    const ProbeOptions options = {.lanes = 1, .jacobian = probe_rule(method)};
    if (!*kept && lab->device) {
        if (lab->say)
            lab->say(method->name, lab->user);
        if (!probe_make(lab->device, &lab->catalog, method, &options, kept, err))
            return false;
    }
    *probe = *kept;
    return true;
}

// Radii, or entries of matrices, behind each other.
static bool find_matrices(Probe *probe, const ProbePoint *points, size_t count, size_t rows, bool radii, Arena *arena,
                          double *out, Error *err)
{
    Matrix *matrices = arena_take(arena, count, sizeof *matrices, err);
    if (!matrices || !probe_matrices(probe, points, count, matrices, err))
        return false;
    for (size_t i = 0; i < count; ++i) {
        if (radii)
            out[i] = matrix_radius(matrices[i]);
        for (size_t k = 0; k < rows * rows && !radii; ++k)
            out[i * rows * rows + k] = matrices[i].a[k / rows][k % rows];
    }
    return true;
}

bool lab_method(Lab *lab, const char *name, const char *method, const Value *lists, Arena *arena, Value *value,
                Error *err)
{
    const Card  *card = catalog_find(&lab->catalog, CARD_METHOD, method);
    const bool   limits = lab_lists(name) == 2, radii = strcmp(name, "radius") == 0;
    const size_t values = lists[0].count, omegas = limits ? 1 : lists[1].count, zetas = lists[limits ? 1 : 2].count;
    Probe       *probe;
    if (!card)
        return fail(err, ERROR_INPUT, "there is no method '%s'", method);
    if (!find_probe(lab, card, &probe, err))
        return false;
    const size_t count = values * omegas * zetas, rows = probe_size(card), wide = radii || limits ? 1 : rows * rows;
    ProbePoint  *points = arena_take(arena, count, sizeof *points, err);
    *value = (Value){arena_take(arena, count * wide, sizeof *value->at, err), count * wide};
    if (!points || !value->at)
        return false;
    for (size_t i = 0; !probe && i < value->count; ++i)
        value->at[i] = (double)NAN;
    bool ok = true;
    for (size_t v = 0; probe && ok && v < values; ++v) {
        double *parameters = arena_take(arena, card->parameter_count, sizeof *parameters, err);
        if (!parameters)
            return false;
        for (size_t i = 0; i < card->parameter_count; ++i)
            parameters[i] = i == 0 ? lists[0].at[v] : card->parameters[i].initial;
        if (limits)
            ok = spectrum_search(probe, parameters, lists[1].at, zetas, value->at + v * zetas, err);
        for (size_t i = 0; !limits && i < omegas * zetas; ++i)
            points[v * omegas * zetas + i] = (ProbePoint){lists[1].at[i / zetas], lists[2].at[i % zetas], parameters};
    }
    return ok && (!probe || limits || find_matrices(probe, points, count, rows, radii, arena, value->at, err));
}
