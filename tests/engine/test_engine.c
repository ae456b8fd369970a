// test_engine -- points in the caller's arrays: values in, results out, on a device and on the reference, several at
// once, stopped and used again.
#include "engine/engine.h"

#include "support/plan_from.h"

#include <pthread.h>

enum { POINTS = 5 };

// An undamped oscillator whose frequencies are the caller's: those of the sweep only say how many there are.
static const char sweep[] = "problem: harmonic_oscillator\ndesign: zip\nparameters: {omega: [1, 1, 1, 1, 1]}\n"
                            "methods: [rk4]\nstep: 0.01\nsteps: 100\nmetrics: [status, x_final, v_final]\n";

typedef struct Oscillators {
    Made    made;
    Device *device;  // NULL: the reference
    Engine  engine;
    Results results;
    double  omega[POINTS];
    Error   err;
    bool    fine;
} Oscillators;

static void make(Oscillators *all, bool on_device, double first, int lanes)
{
    memset(all, 0, sizeof *all);
    plan_from(&all->made, sweep, (const char *)NULL);
    if (!all->made.fine)
        fail_msg("%s", all->made.err.message);
    Group *group = all->made.plan.groups;
    for (size_t i = 0; i < POINTS; ++i) {
        all->omega[i] = first + 0.25 * (double)i;
        for (size_t k = 0; k < group->problem->parameter_count; ++k)
            engine_place(group, group->problem_parameters[k], i, all->omega[i]);
    }
    if ((on_device && !device_open(NULL, PRECISION_DOUBLE, &all->device, &all->err)) ||
        !engine_make(&all->engine, all->device, &all->made.plan, group, lanes, &all->err))
        fail_msg("%s", all->err.message);
}

// Not by assertions: these belong to the thread that runs the test.
static void *run(void *argument)
{
    Oscillators     *all = argument;
    const RunOptions options = {0};
    all->fine = engine_run_all(&all->engine, &options, &all->results, &all->err);
    return NULL;
}

static double found(const Oscillators *all, VariableSource source, size_t point)
{
    const Group *group = all->engine.group;
    return results_value(&all->results, (size_t)(group_variable(group, source) - group->variables), point, 0);
}

// x = x0 cos(omega t) + v0 / omega sin(omega t), at t = 1; rk4 is off by about (omega h)^4 / 120.
static void expect_cosines(const Oscillators *all)
{
    const Group *group = all->engine.group;
    if (!all->fine)
        fail_msg("%s", all->err.message);
    for (size_t i = 0; i < POINTS; ++i) {
        const double omega = all->omega[i];
        assert_int_equal((int)found(all, SOURCE_STATUS, i), STATUS_OK);
        assert_near(found(all, SOURCE_X_FINAL, i), cos(omega), 1e-6);
        assert_near(found(all, SOURCE_V_FINAL, i), -omega * sin(omega), 1e-5);
    }
    assert_int_equal(group->point_count, POINTS);
}

static void finish(Oscillators *all)
{
    results_free(&all->results);
    engine_free(&all->engine);
    device_close(all->device);
    made_free(&all->made);
}

TEST(the_callers_values_are_run)
{
    for (int on_device = 0; on_device < 2; ++on_device) {
        Oscillators all;
        make(&all, on_device, 0.5, 0);
        assert_true((all.engine.program != NULL) == on_device);
        run(&all);
        expect_cosines(&all);
        finish(&all);
    }
}

TEST(new_values_count_from_the_next_run_on)
{
    Oscillators all;
    make(&all, true, 0.5, 1);
    run(&all);
    expect_cosines(&all);
    Group *group = all.made.plan.groups;
    for (size_t i = 0; i < POINTS; ++i) {
        all.omega[i] = 3.0 - 0.5 * (double)i;
        for (size_t k = 0; k < group->problem->parameter_count; ++k)
            engine_place(group, group->problem_parameters[k], i, all.omega[i]);
    }
    results_free(&all.results);
    run(&all);
    expect_cosines(&all);
    finish(&all);
}

TEST(built_again_it_gives_the_same_bits)
{
    Oscillators all;
    Results     narrow SCOPED(results_free);
    make(&all, true, 0.7, 1);
    run(&all);
    expect_cosines(&all);
    narrow = all.results;
    if (!engine_build(&all.engine, all.device, 4, &all.err))
        fail_msg("%s", all.err.message);
    assert_int_equal(program_lanes(all.engine.program), 4);
    run(&all);
    expect_cosines(&all);
    for (size_t v = 0; v < all.engine.group->variable_count; ++v) {
        const Variable *variable = &all.engine.group->variables[v];
        assert_memory_equal(results_at(&narrow, v, 0), results_at(&all.results, v, 0),
                            POINTS * variable->width * group_type_bytes(variable->type));
    }
    finish(&all);
}

TEST(several_run_at_once)
{
    enum { ENGINES = 3 };
    static Oscillators all[ENGINES];
    pthread_t          threads[ENGINES];
    for (int i = 0; i < ENGINES; ++i)
        make(&all[i], i > 0, 0.5 + 0.1 * i, 1);
    for (int i = 0; i < ENGINES; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, run, &all[i]), 0);
    for (int i = 0; i < ENGINES; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < ENGINES; ++i) {
        expect_cosines(&all[i]);
        finish(&all[i]);
    }
}

TEST(a_stopped_engine_can_run_again)
{
    for (int on_device = 0; on_device < 2; ++on_device) {
        volatile sig_atomic_t signals = 2;
        const RunOptions      options = {.signals = &signals};
        Oscillators           all;
        make(&all, on_device, 0.5, 1);
        assert_false(engine_run_all(&all.engine, &options, &all.results, &all.err));
        assert_int_equal(all.err.kind, ERROR_STOPPED);
        results_free(&all.results);
        run(&all);
        expect_cosines(&all);
        finish(&all);
    }
}

// A device whose kernel is missing is not replaced by the reference.
TEST(what_is_not_built_does_not_run)
{
    Oscillators all;
    make(&all, true, 0.5, 1);
    program_free(all.engine.program);
    all.engine.program = NULL;
    run(&all);
    assert_false(all.fine);
    assert_int_equal(all.err.kind, ERROR_INTERNAL);
    assert_non_null(strstr(all.err.message, "not built"));
    finish(&all);
}
