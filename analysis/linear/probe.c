// probe -- sweep that measures matrices: its axes are filled anew for every launch.
#include "analysis/linear/probe.h"

#include "analysis/linear/setting.h"
#include "engine/engine.h"

#include <math.h>
#include <stdlib.h>

// Oscillators per launch.
enum { PROBE_POINTS = 4096 };

struct Probe {
    const Card *method;
    size_t      n;
    Spec        spec;
    Plan        plan;
    Engine      engine;
    double     *states;  // [n][PROBE_POINTS]
};

size_t probe_size(const Card *method)
{
    return 2 + method->state_count + (method->history ? 2 : 0);
}

JacobianRule probe_rule(const Card *method)
{
    const bool once = method->solver == SOLVER_LINEARISED || method->solver == SOLVER_ROSENBROCK;
    return once ? JACOBIAN_ANALYTIC : JACOBIAN_CENTRAL;
}

static void write_sweep(Text *text, const Card *method, const ProbeOptions *options)
{
    static const char *const rules[] = {"central", "forward", "analytic"};
    text_add(text,
             "problem: harmonic_oscillator\ndesign: zip\nparameters: {omega: 1, zeta: {linear: [0, 1, %d]}}\n"
             "step: {linear: [1, 2, %d]}\nsteps: 2\nnewton: {tolerance: 0, jacobian: %s}\nmetrics: [status]\n"
             "methods: [",
             PROBE_POINTS, PROBE_POINTS, rules[options->jacobian]);
    setting_add_card(text, method);
    text_add(text, ": {");
    const char *before = "";
    for (size_t i = 0; i < method->parameter_count; ++i) {
        // Any value in the range will do: numbers are replaced.
        const CardParameter *own = &method->parameters[i];
        if (options->choices ? isnan(options->choices[i]) : own->derived)
            continue;
        const double value = own->choices && options->choices ? options->choices[i]
                             : isnan(own->initial)            ? 0.5 * (own->least + own->most)
                                                              : own->initial;
        text_add(text, "%s", before);
        setting_add_value(text, own, value, PROBE_POINTS);
        before = ", ";
    }
    text_add(text, "}]\n");
}

static bool build(Probe *probe, Device *device, const Catalog *catalog, const ProbeOptions *options, Error *err)
{
    Text  sweep = {0};
    Plan *plan = &probe->plan;
    write_sweep(&sweep, probe->method, options);
    const bool ok = text_check(&sweep, err) && spec_read_text("probe", sweep.text, NULL, 0, &probe->spec, err) &&
                    plan_make(&probe->spec, catalog, plan, err) &&
                    engine_make(&probe->engine, device, plan, plan->groups, options->lanes, err);
    text_free(&sweep);
    return ok;
}

bool probe_make(Device *device, const Catalog *catalog, const Card *method, const ProbeOptions *options, Probe **probe,
                Error *err)
{
    const size_t n = probe_size(method);
    *probe = NULL;
    if (n > MATRIX_MOST)
        return fail(err, ERROR_INPUT, "%s: a state of %zu vectors is too large to probe, at most %d", method->name, n,
                    MATRIX_MOST);
    Probe *made = calloc(1, sizeof *made);
    if (made) {
        made->method = method;
        made->n = n;
        made->states = calloc(n * PROBE_POINTS, sizeof *made->states);
    }
    if (!made || !made->states) {
        probe_free(made);
        return fail(err, ERROR_INTERNAL, "out of memory");
    }
    if (!build(made, device, catalog, options, err)) {
        probe_free(made);
        return within(err, "probing '%s'", method->name);
    }
    *probe = made;
    return true;
}

void probe_free(Probe *probe)
{
    if (!probe)
        return;
    engine_free(&probe->engine);
    plan_free(&probe->plan);
    spec_free(&probe->spec);
    free(probe->states);
    free(probe);
}

// The factor that gives component i of the state the unit of x. A method's own vectors are accelerations.
static double unit_of(const Card *method, size_t i, double h)
{
    const size_t own = 2 + method->state_count;
    return i == 0 || i == own ? 1.0 : i == 1 || i == own + 1 ? h : h * h;
}

// Unit `unit` of an oscillator is the unit vector, to which that of x is added: the floor guard measures rounding by x
// and v, so that a solve to the last bit needs a state where they do not vanish.
static void load_point(Probe *probe, const ProbePoint *point, size_t first, size_t stride)
{
    Group *group = probe->plan.groups;
    for (size_t unit = 0; unit < probe->n; ++unit) {
        const size_t at = first + unit;
        engine_place(group, group->step, at, point->omega_h);
        for (size_t i = 0; i < group->problem->parameter_count; ++i)
            engine_place(group, group->problem_parameters[i], at, point->zeta);
        for (size_t i = 0; i < group->method->parameter_count; ++i)
            engine_place(group, group->method_parameters[i], at, point->parameters[i]);
        for (size_t i = 0; i < probe->n; ++i)
            probe->states[i * stride + at] =
                i == 0 || i == unit ? 1.0 / unit_of(probe->method, i, point->omega_h) : 0.0;
    }
}

static Matrix read_point(const Probe *probe, const ProbePoint *point, size_t first, size_t stride)
{
    Matrix m = {.n = probe->n};
    for (size_t i = 0; i < probe->n; ++i) {
        const double *became = &probe->states[i * stride + first], scale = unit_of(probe->method, i, point->omega_h);
        for (size_t unit = 0; unit < probe->n; ++unit)
            m.a[i][unit] = scale * (unit == 0 ? became[0] : became[unit] - became[0]);
    }
    return m;
}

bool probe_matrices(Probe *probe, const ProbePoint *points, size_t count, Matrix *matrices, Error *err)
{
    const size_t n = probe->n;
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < PROBE_POINTS / n ? count - done : PROBE_POINTS / n;
        for (size_t i = 0; i < now; ++i)
            load_point(probe, &points[done + i], i * n, now * n);
        if (!program_probe(probe->engine.program, now * n, n, probe->states, err))
            return within(err, "probing '%s'", probe->method->name);
        for (size_t i = 0; i < now; ++i)
            matrices[done + i] = read_point(probe, &points[done + i], i * n, now * n);
    }
    return true;
}
