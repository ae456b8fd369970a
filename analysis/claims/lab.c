// lab -- runs sweeps from their texts and finds numbers in what came out.
#include "analysis/claims/lab.h"

#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 4 };

typedef struct LabRun {
    bool     tried;
    Spec     spec;
    Plan     plan;
    Results *results;  // [plan.group_count] the numbers of all points of each group
} LabRun;

struct Lab {
    Device *device;
    Catalog catalog;
    Error   err;     // the first thing that went wrong
    LabRun *runs;    // [claims_file_count]
    Probe **probes;  // [catalog.card_count] of the methods that were asked for, else NULL
    void (*say)(const char *what, void *user);
    void *user;
};

bool lab_open(const char *device, void (*say)(const char *what, void *user), void *user, Lab **lab, Error *err)
{
    Lab *made = calloc(1, sizeof *made);
    *lab = NULL;
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->say = say;
    made->user = user;
    bool ok = catalog_read(&made->catalog, err) && device_open(device, PRECISION_DOUBLE, &made->device, err);
    if (ok) {
        made->runs = calloc(claims_file_count, sizeof *made->runs);
        made->probes = calloc(made->catalog.card_count, sizeof(Probe *));
        ok = (made->runs && made->probes) || fail(err, ERROR_INTERNAL, "out of memory");
    }
    if (ok)
        *lab = made;
    else
        lab_close(made);
    return ok;
}

static void free_run(LabRun *run)
{
    for (size_t g = 0; run->results && g < run->plan.group_count; ++g)
        results_free(&run->results[g]);
    free(run->results);
    plan_free(&run->plan);
    spec_free(&run->spec);
}

void lab_close(Lab *lab)
{
    if (!lab)
        return;
    for (size_t i = 0; lab->runs && i < claims_file_count; ++i)
        free_run(&lab->runs[i]);
    for (size_t c = 0; lab->probes && c < lab->catalog.card_count; ++c)
        probe_free(lab->probes[c]);
    free(lab->probes);
    free(lab->runs);
    device_close(lab->device);
    catalog_free(&lab->catalog);
    free(lab);
}

bool lab_check(const Lab *lab, Error *err)
{
    if (lab->err.kind == ERROR_NONE)
        return true;
    *err = lab->err;
    return false;
}

// Narrow kernels compile faster, and here there is more to compile than to compute.
static int few_lanes(const Device *device, const Group *group)
{
    const int own = device_info(device)->lanes_double, most = own < MOST_LANES ? own : MOST_LANES;
    int       lanes = 1;
    while (lanes < most && (uint64_t)lanes < group->point_count)
        lanes *= 2;
    return lanes;
}

static bool run_group(Lab *lab, const char *sweep, const Plan *plan, const Group *group, Results *results)
{
    Engine           engine = {0};
    const RunOptions options = {0};
    char             what[128];
    snprintf(what, sizeof what, "%s, %s", sweep, group->label);
    if (lab->say)
        lab->say(what, lab->user);
    const bool ok = engine_make(&engine, lab->device, plan, group, few_lanes(lab->device, group), &lab->err) &&
                    engine_run_all(&engine, &options, results, &lab->err);
    engine_free(&engine);
    return ok || within(&lab->err, "claims: %s", what);
}

static bool run_sweep(Lab *lab, const TextFile *file, const char *name, LabRun *run)
{
    bool ok = spec_read_text(file->path, file->text, NULL, 0, &run->spec, &lab->err) &&
              plan_make(&run->spec, &lab->catalog, &run->plan, &lab->err);
    run->results = ok ? calloc(run->plan.group_count, sizeof *run->results) : NULL;
    if (ok && !run->results)
        ok = fail(&lab->err, ERROR_INTERNAL, "out of memory");
    for (size_t g = 0; ok && g < run->plan.group_count; ++g)
        ok = run_group(lab, name, &run->plan, &run->plan.groups[g], &run->results[g]);
    return ok;
}

// The sweep of that name, which is run when it is first asked for; NULL where something went wrong.
static const LabRun *find_run(Lab *lab, const char *name)
{
    for (size_t i = 0; lab->err.kind == ERROR_NONE && i < claims_file_count; ++i) {
        const char *stem = strrchr(claims_files[i].path, '/') + 1;
        LabRun     *run = &lab->runs[i];
        if (strncmp(claims_files[i].path, "sweeps/", strlen("sweeps/")) != 0 ||
            strncmp(stem, name, strlen(name)) != 0 || strcmp(stem + strlen(name), ".yaml") != 0)
            continue;
        const bool ok = run->tried || run_sweep(lab, &claims_files[i], name, run);
        run->tried = true;
        return ok ? run : NULL;
    }
    if (lab->err.kind == ERROR_NONE)
        fail(&lab->err, ERROR_INTERNAL, "claims: no sweep '%s'", name);
    return NULL;
}

static const Axis *find_axis(const Group *group, const char *name)
{
    for (size_t a = 0; a < group->axis_count; ++a)
        if (strcmp(group->axes[a].name, name) == 0)
            return &group->axes[a];
    return NULL;
}

// Where a number is.
typedef struct Spot {
    const Group   *group;  // NULL: something went wrong
    const Results *results;
    uint64_t       point;
} Spot;

static bool lost(Lab *lab, const char *sweep, const char *group, const char *what)
{
    return fail(&lab->err, ERROR_INTERNAL, "claims: %s, group '%s': no %s", sweep, group, what);
}

static Spot find_group(Lab *lab, const char *sweep, const char *label)
{
    const LabRun *run = find_run(lab, sweep);
    if (!run)
        return (Spot){0};
    for (size_t g = 0; g < run->plan.group_count; ++g)
        if (strcmp(run->plan.groups[g].label, label) == 0)
            return (Spot){&run->plan.groups[g], &run->results[g], 0};
    lost(lab, sweep, label, "such group");
    return (Spot){0};
}

// The number of the value on the axis: that value itself, or one within rounding of it.
static bool find_value(const Axis *axis, double value, size_t *index)
{
    for (size_t i = 0; i < axis->count; ++i) {
        *index = i;
        if (axis->values[i] == value)
            return true;
    }
    for (size_t i = 0; i < axis->count; ++i) {
        *index = i;
        if (fabs(axis->values[i] - value) <= 1e-9 * fabs(value))
            return true;
    }
    return false;
}

static bool place_axis(const Axis *axis, const At *at, size_t *index)
{
    for (; at->axis; ++at)
        if (strcmp(at->axis, axis->name) == 0)
            return find_value(axis, at->value, index);
    *index = 0;
    return axis->count == 1;
}

// In a zip any one axis tells the point.
static bool find_in_zip(const Group *group, const At *at, uint64_t *point)
{
    const Axis *axis = at->axis ? find_axis(group, at->axis) : NULL;
    size_t      index = 0;
    const bool  found = axis && find_value(axis, at->value, &index);
    *point = index;
    return found;
}

static bool find_in_grid(const Group *group, const At *at, uint64_t *point)
{
    *point = 0;
    for (size_t a = 0; a < group->axis_count; ++a) {
        const Axis *axis = &group->axes[a];
        size_t      index = 0;
        if (!place_axis(axis, at, &index))
            return false;
        *point = *point * axis->count + index;
    }
    return true;
}

static Spot find_spot(Lab *lab, const char *sweep, const char *label, const At *at)
{
    Spot spot = find_group(lab, sweep, label);
    if (!spot.group || (spot.group->design == DESIGN_ZIP ? find_in_zip(spot.group, at, &spot.point)
                                                         : find_in_grid(spot.group, at, &spot.point)))
        return spot;
    lost(lab, sweep, label, "point at that place");
    return (Spot){0};
}

static const Variable *find_variable(const Group *group, const char *name)
{
    for (size_t v = 0; v < group->variable_count; ++v)
        if (strcmp(group->variables[v].name, name) == 0)
            return &group->variables[v];
    return NULL;
}

static double read_number(Lab *lab, const char *sweep, const Spot *spot, const char *name, size_t element)
{
    const Variable *variable = spot->group ? find_variable(spot->group, name) : NULL;
    bool            stored = true;
    if (variable) {
        const uint64_t row = variable->trajectory ? group_slot(spot->group, spot->point, &stored) : spot->point;
        if (stored && element < variable->width)
            return results_value(spot->results, (size_t)(variable - spot->group->variables), (size_t)row, element);
    }
    if (spot->group)
        lost(lab, sweep, spot->group->label, name);
    return (double)NAN;
}

double lab_number(Lab *lab, const char *sweep, const char *group, const char *variable, const At *at)
{
    const Spot spot = find_spot(lab, sweep, group, at);
    return read_number(lab, sweep, &spot, variable, 0);
}

double lab_sample(Lab *lab, const char *sweep, const char *group, const char *variable, const At *at, size_t sample,
                  size_t dof)
{
    const Spot spot = find_spot(lab, sweep, group, at);
    // x and v are the vectors of a trajectory.
    const bool vector = strcmp(variable, "x") == 0 || strcmp(variable, "v") == 0;
    return read_number(lab, sweep, &spot, variable, spot.group && vector ? sample * spot.group->dofs + dof : sample);
}

size_t lab_samples(Lab *lab, const char *sweep, const char *group, const char *variable, const At *at)
{
    const Spot      spot = find_spot(lab, sweep, group, at);
    const Variable *found = spot.group ? find_variable(spot.group, variable) : NULL;
    return found && found->trajectory ? group_samples(spot.group, spot.point) : 0;
}

static Probe *find_probe(Lab *lab, const Card *method)
{
    Probe            **probe = &lab->probes[method - lab->catalog.cards];
    const ProbeOptions options = {.lanes = 1, .jacobian = probe_rule(method)};
    if (*probe)
        return *probe;
    if (lab->say)
        lab->say(method->name, lab->user);
    return probe_make(lab->device, &lab->catalog, method, &options, probe, &lab->err) ? *probe : NULL;
}

// The method of that name, its probe, and its parameters: the first as given, the others as their card has them.
typedef struct Probed {
    Probe  *probe;       // NULL: something went wrong
    double *parameters;  // owned by the caller
} Probed;

static Probed find_method(Lab *lab, const char *name, double value)
{
    Probed      found = {0};
    const Card *method = catalog_find(&lab->catalog, CARD_METHOD, name);
    if (!method)
        fail(&lab->err, ERROR_INTERNAL, "claims: no method '%s'", name);
    if (lab->err.kind != ERROR_NONE)
        return found;
    found.parameters = calloc(method->parameter_count + 1, sizeof *found.parameters);
    if (!found.parameters)
        fail(&lab->err, ERROR_INTERNAL, "out of memory");
    else
        found.probe = find_probe(lab, method);
    for (size_t i = 0; found.probe && i < method->parameter_count; ++i)
        found.parameters[i] = i == 0 ? value : method->parameters[i].initial;
    return found;
}

void lab_matrices(Lab *lab, const char *method, double value, double zeta, const double *omegas, size_t count,
                  Matrix *matrices)
{
    const Probed found = find_method(lab, method, value);
    ProbePoint  *points = calloc(count, sizeof *points);
    bool         ok = found.probe && (points || fail(&lab->err, ERROR_INTERNAL, "out of memory"));
    for (size_t i = 0; ok && i < count; ++i)
        points[i] = (ProbePoint){omegas[i], zeta, found.parameters};
    ok = ok && probe_matrices(found.probe, points, count, matrices, &lab->err);
    for (size_t i = 0; !ok && i < count; ++i)
        matrices[i] = (Matrix){.n = 1, .a = {{(double)NAN}}};
    free(points);
    free(found.parameters);
}

void lab_limits(Lab *lab, const char *method, double value, const double *zetas, size_t count, double *limits)
{
    const Probed found = find_method(lab, method, value);
    const bool   ok = found.probe && spectrum_search(found.probe, found.parameters, zetas, count, limits, &lab->err);
    for (size_t i = 0; !ok && i < count; ++i)
        limits[i] = (double)NAN;
    free(found.parameters);
}
