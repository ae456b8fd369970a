// claims_lab -- runs sweeps from their texts and finds numbers in what came out.
#include "analysis/claims_lab.h"

#include "compose/compose.h"
#include "reference/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What one group gave: the numbers of all its points, or of one step from unit states.
typedef struct LabGroup {
    Solution solution;
    Results  results;
    double  *states;  // [states][point] of a probed group, else NULL
    size_t   state_count;
} LabGroup;

typedef struct LabRun {
    bool      tried;
    Spec      spec;
    Plan      plan;
    LabGroup *groups;  // [plan.group_count]
} LabRun;

struct Lab {
    Device *device;
    Catalog catalog;
    Error   err;  // the first thing that went wrong
    LabRun  runs[LAB_SWEEPS];
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
    if (!catalog_read(&made->catalog, err) || !device_open(device, &made->device, err)) {
        lab_close(made);
        return false;
    }
    *lab = made;
    return true;
}

static void free_run(LabRun *run)
{
    for (size_t g = 0; run->groups && g < run->plan.group_count; ++g) {
        results_free(&run->groups[g].results);
        solution_free(&run->groups[g].solution);
        free(run->groups[g].states);
    }
    free(run->groups);
    plan_free(&run->plan);
    spec_free(&run->spec);
}

void lab_close(Lab *lab)
{
    if (!lab)
        return;
    for (size_t i = 0; i < LAB_SWEEPS; ++i)
        free_run(&lab->runs[i]);
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

// No more lanes than there are points: narrow kernels compile faster.
static int few_lanes(const Device *device, const Group *group)
{
    const int most = device_info(device)->lanes_double;
    int       lanes = 1;
    while (lanes < most && (uint64_t)lanes < group->point_count)
        lanes *= 2;
    return lanes;
}

// What row `row` of a state is multiplied by to have the unit of x: x, v, the method's own accelerations, then the state
// one step back.
static double unit_of(const Card *method, size_t row, double h)
{
    const size_t own = 2 + method->state_count;
    return row == 0 || row == own ? 1.0 : row == 1 || row == own + 1 ? h : h * h;
}

// The point's number along axis v0 is the number of its unit vector. To each the unit vector of x is added: the floor
// guard measures rounding by x and v, and must not meet a state where both vanish.
static bool probe(Lab *lab, Program *program, const Group *group, size_t unit_axis, LabGroup *out)
{
    const Card  *method = group->method;
    const size_t count = (size_t)group->point_count;
    out->state_count = 2 + method->state_count + (method->history ? 2 : 0);
    out->states = calloc(out->state_count * count, sizeof *out->states);
    if (!out->states)
        return fail(&lab->err, ERROR_INTERNAL, "out of memory");
    for (size_t row = 0; row < out->state_count; ++row)
        for (size_t p = 0; p < count; ++p)
            out->states[row * count + p] = row == 0 || row == group_index(group, unit_axis, p)
                                               ? 1.0 / unit_of(method, row, group_step(group, p))
                                               : 0.0;
    if (!program_probe(program, count, out->state_count, out->states, &lab->err))
        return false;
    for (size_t row = 0; row < out->state_count; ++row)
        for (size_t p = 0; p < count; ++p)
            out->states[row * count + p] *= unit_of(method, row, group_step(group, p));
    return true;
}

static bool run_whole(Lab *lab, Program *program, const Plan *plan, const Group *group, LabGroup *out)
{
    const ReferenceOptions reference = {0};
    const RunOptions       options = {0};
    Batch                  all = batch_make(group, 0, group->block_count);
    if (!solve_group(plan, group, &reference, &out->solution, &lab->err) ||
        !results_make(group, all.point_count, all.slot_count, &out->results, &lab->err))
        return false;
    all.solution = &out->solution;
    return program_run(program, &all, &options, &out->results, &lab->err);
}

static const Axis *find_axis(const Group *group, const char *name)
{
    for (size_t a = 0; a < group->axis_count; ++a)
        if (strcmp(group->axes[a].name, name) == 0)
            return &group->axes[a];
    return NULL;
}

static bool run_group(Lab *lab, const LabText *sweep, const Plan *plan, const Group *group, LabGroup *out)
{
    const bool  probed = strcmp(plan->title, "probe") == 0;
    const Axis *units = find_axis(group, "v0");
    Text        source = {0};
    Program    *program = NULL;
    char        what[128];
    snprintf(what, sizeof what, "%s, %s", sweep->name, group->label);
    if (lab->say)
        lab->say(what, lab->user);
    bool ok = compose(plan, group, &source, &lab->err) &&
              device_build(lab->device, plan, group, source.text, few_lanes(lab->device, group), &program, &lab->err);
    if (ok && probed)
        ok = units ? probe(lab, program, group, (size_t)(units - group->axes), out)
                   : fail(&lab->err, ERROR_INTERNAL, "no axis v0 to tell unit vectors apart");
    else if (ok)
        ok = run_whole(lab, program, plan, group, out);
    program_free(program);
    text_free(&source);
    return ok || within(&lab->err, "claims: %s", what);
}

static bool run_sweep(Lab *lab, LabSweep sweep)
{
    LabRun *run = &lab->runs[sweep];
    if (run->tried)
        return lab->err.kind == ERROR_NONE;
    run->tried = true;
    const LabText *text = &lab_texts[sweep];
    bool           ok = lab->err.kind == ERROR_NONE && spec_read_text(text->name, text->text, &run->spec, &lab->err) &&
              plan_make(&run->spec, &lab->catalog, &run->plan, &lab->err);
    run->groups = ok ? calloc(run->plan.group_count, sizeof *run->groups) : NULL;
    if (ok && !run->groups)
        ok = fail(&lab->err, ERROR_INTERNAL, "out of memory");
    for (size_t g = 0; ok && g < run->plan.group_count; ++g)
        ok = run_group(lab, text, &run->plan, &run->plan.groups[g], &run->groups[g]);
    return ok;
}

// Where a number is.
typedef struct Spot {
    const Group    *group;  // NULL: something went wrong
    const LabGroup *found;
    uint64_t        point;
} Spot;

static bool lost(Lab *lab, LabSweep sweep, const char *group, const char *what)
{
    return fail(&lab->err, ERROR_INTERNAL, "claims: %s, group '%s': no %s", lab_texts[sweep].name, group, what);
}

static Spot find_group(Lab *lab, LabSweep sweep, const char *label)
{
    const LabRun *run = &lab->runs[sweep];
    if (!run_sweep(lab, sweep))
        return (Spot){0};
    for (size_t g = 0; g < run->plan.group_count; ++g)
        if (strcmp(run->plan.groups[g].label, label) == 0)
            return (Spot){&run->plan.groups[g], &run->groups[g], 0};
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

// `free_axis`: the one that need not be named, or NULL.
static Spot find_spot(Lab *lab, LabSweep sweep, const char *label, const At *at, const char *free_axis)
{
    Spot spot = find_group(lab, sweep, label);
    for (size_t a = 0; spot.group && a < spot.group->axis_count; ++a) {
        const Axis *axis = &spot.group->axes[a];
        size_t      index = 0;
        if (!(free_axis && strcmp(axis->name, free_axis) == 0) && !place_axis(axis, at, &index)) {
            lost(lab, sweep, label, axis->name);
            return (Spot){0};
        }
        spot.point = spot.point * axis->count + index;
    }
    return spot;
}

static double read_number(Lab *lab, LabSweep sweep, const Spot *spot, const char *name, size_t element)
{
    for (size_t v = 0; spot->group && v < spot->group->variable_count; ++v) {
        const Variable *variable = &spot->group->variables[v];
        bool            stored = true;
        if (strcmp(variable->name, name) != 0)
            continue;
        const uint64_t row = variable->trajectory ? group_slot(spot->group, spot->point, &stored) : spot->point;
        if (stored && element < variable->width)
            return results_value(&spot->found->results, v, (size_t)row, element);
    }
    if (spot->group)
        lost(lab, sweep, spot->group->label, name);
    return (double)NAN;
}

double lab_number(Lab *lab, LabSweep sweep, const char *group, const char *variable, const At *at)
{
    return lab_component(lab, sweep, group, variable, at, 0);
}

double lab_component(Lab *lab, LabSweep sweep, const char *group, const char *variable, const At *at, size_t dof)
{
    const Spot spot = find_spot(lab, sweep, group, at, NULL);
    return read_number(lab, sweep, &spot, variable, dof);
}

double lab_sample(Lab *lab, LabSweep sweep, const char *group, const char *variable, const At *at, size_t sample,
                  size_t dof)
{
    const Spot spot = find_spot(lab, sweep, group, at, NULL);
    size_t     width = 1;
    for (size_t v = 0; spot.group && v < spot.group->variable_count; ++v)
        if (strcmp(spot.group->variables[v].name, variable) == 0 && spot.group->variables[v].per_dof)
            width = spot.group->dofs;
    return read_number(lab, sweep, &spot, variable, sample * width + dof);
}

size_t lab_samples(Lab *lab, LabSweep sweep, const char *group, const At *at)
{
    const Spot spot = find_spot(lab, sweep, group, at, NULL);
    return spot.group ? group_samples(spot.group, spot.point) : 0;
}

const double *lab_axis(Lab *lab, LabSweep sweep, const char *group, const char *name, size_t *count)
{
    const Spot  spot = find_group(lab, sweep, group);
    const Axis *axis = spot.group ? find_axis(spot.group, name) : NULL;
    *count = axis ? axis->count : 0;
    if (spot.group && !axis)
        lost(lab, sweep, group, name);
    return axis ? axis->values : NULL;
}

Matrix lab_matrix(Lab *lab, LabSweep sweep, const char *group, const At *at)
{
    const Spot spot = find_spot(lab, sweep, group, at, "v0");
    if (!spot.group)
        return (Matrix){.n = 1, .a = {{(double)NAN}}};
    const Axis  *units = find_axis(spot.group, "v0");
    const size_t n = spot.found->state_count, count = (size_t)spot.group->point_count;
    Matrix       m = {.n = n};
    size_t       stride = 1;
    for (const Axis *after = units + 1; after < spot.group->axes + spot.group->axis_count; ++after)
        stride *= after->count;
    for (size_t i = 0; i < n; ++i) {
        const double *became = &spot.found->states[i * count + spot.point];
        for (size_t unit = 0; unit < n; ++unit)
            m.a[i][unit] = unit == 0 ? became[0] : became[unit * stride] - became[0];
    }
    return m;
}
