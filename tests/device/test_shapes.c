// test_shapes -- which shapes a trial compares, what it says, and that it changes no bit and no other choice.
#include "device/shapes.h"

#include "device/build.h"

#include "support/command.h"
#include "support/kernel_case.h"

static size_t list(DeviceInfo info, int lanes, size_t local_size, Shape shapes[SHAPES_MOST])
{
    return shapes_list(&info, (Shape){lanes, local_size}, 4096, shapes);
}

static void assert_shape(Shape shape, int lanes, size_t local_size)
{
    assert_int_equal(shape.lanes, lanes);
    assert_int_equal(shape.local_size, local_size);
}

// Lanes that no point would fill are not chosen, and not tried.
TEST(test_lanes_of_few_points)
{
    static const struct {
        uint64_t points;
        int      lanes, chain_lanes;
    } cases[] = {{1, 1, 1},  {2, 2, 2},   {3, 4, 4},   {4, 4, 4},   {5, 8, 8},
                 {9, 16, 8}, {16, 16, 8}, {17, 16, 8}, {100, 16, 8}};
    const DeviceInfo cpu = {.vectors = true, .work_group = 4096, .lanes_double = 16, .lanes_single = 16};
    const DeviceInfo gpu = {.gpu = true, .work_group = 1024, .lanes_double = 1, .lanes_single = 1};
    Shape            shapes[SHAPES_MOST];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const Group one = {.dofs = 1, .point_count = cases[i].points},
                    chain = {.dofs = 8, .point_count = one.point_count};
        assert_int_equal(build_lanes(&cpu, PRECISION_DOUBLE, &one), cases[i].lanes);
        assert_int_equal(build_lanes(&cpu, PRECISION_SINGLE, &chain), cases[i].chain_lanes);
        assert_int_equal(build_lanes(&gpu, PRECISION_DOUBLE, &one), 1);
    }
    assert_int_equal(shapes_list(&cpu, (Shape){16, 1}, 17, shapes), 3);
    assert_int_equal(shapes_list(&cpu, (Shape){16, 1}, 16, shapes), 2);
    assert_shape(shapes[1], 8, 1);
    assert_int_equal(shapes_list(&cpu, (Shape){2, 1}, 2, shapes), 1);
    assert_int_equal(shapes_list(&gpu, (Shape){1, 64}, 1, shapes), 4);
}

// A long run of one degree of freedom takes four registers of 512 bits a group, where the compiler has such vectors.
TEST(test_lanes_of_a_long_run)
{
    DeviceInfo wide = {.vectors = true, .wide = true, .work_group = 4096, .lanes_double = 16, .lanes_single = 32};
    Group      group = {.dofs = 1,
                        .problem = &(Card){.kind = CARD_PROBLEM},
                        .point_count = 1 << 20,
                        .steps_given = true,
                        .steps = {.value = 4768, .axis = -1}};
    assert_int_equal(build_lanes(&wide, PRECISION_DOUBLE, &group), 16);
    group.steps.value = 4769;
    assert_int_equal(build_lanes(&wide, PRECISION_DOUBLE, &group), 32);
    assert_int_equal(build_lanes(&wide, PRECISION_SINGLE, &group), 32);
    group.dofs = 2;
    assert_int_equal(build_lanes(&wide, PRECISION_DOUBLE, &group), 16);
    assert_int_equal(build_lanes(&wide, PRECISION_SINGLE, &group), 32);
    group.dofs = 8;
    assert_int_equal(build_lanes(&wide, PRECISION_DOUBLE, &group), 8);
    assert_int_equal(build_lanes(&wide, PRECISION_SINGLE, &group), 16);
    group.dofs = 1;
    wide.wide = false;
    assert_int_equal(build_lanes(&wide, PRECISION_DOUBLE, &group), 16);
    wide = (DeviceInfo){.vectors = true, .wide = true, .work_group = 4096, .lanes_double = 8, .lanes_single = 16};
    assert_int_equal(build_lanes(&wide, PRECISION_DOUBLE, &group), 8);
}

TEST(test_lanes_of_a_cpu)
{
    const DeviceInfo cpu = {.vectors = true, .work_group = 4096};
    Shape            shapes[SHAPES_MOST];
    assert_int_equal(list(cpu, 16, 1, shapes), 3);
    assert_shape(shapes[0], 16, 1);
    assert_shape(shapes[1], 8, 1);
    assert_shape(shapes[2], 32, 1);
    assert_int_equal(list(cpu, 32, 1, shapes), 2);
    assert_shape(shapes[1], 16, 1);
    assert_int_equal(list(cpu, 2, 1, shapes), 2);
    assert_shape(shapes[1], 4, 1);
    assert_int_equal(list(cpu, 1, 1, shapes), 1);
    assert_int_equal(list((DeviceInfo){.work_group = 4096}, 16, 1, shapes), 1);
}

TEST(test_work_groups_of_a_gpu)
{
    Shape shapes[SHAPES_MOST];
    assert_int_equal(list((DeviceInfo){.gpu = true, .work_group = 1024}, 1, 64, shapes), 4);
    assert_shape(shapes[0], 1, 64);
    assert_shape(shapes[1], 1, 32);
    assert_shape(shapes[2], 1, 128);
    assert_shape(shapes[3], 1, 256);
    assert_int_equal(list((DeviceInfo){.gpu = true, .work_group = 128}, 1, 64, shapes), 3);
    assert_shape(shapes[2], 1, 128);
    assert_int_equal(list((DeviceInfo){.gpu = true, .work_group = 16}, 1, 16, shapes), 1);
}

static void assert_words(const ShapeTrial *trial, const char *expected)
{
    Text text SCOPED(text_free) = {0};
    shapes_describe(trial, &text);
    assert_string_equal(text.text, expected);
}

TEST(test_words)
{
    assert_words(&(ShapeTrial){3, {{16, 1}, {8, 1}, {32, 1}}, {2e9, 1e9, 2.5e9}, 2, 0},
                 "16 lanes 1.000, 8 lanes 0.500, 32 lanes 1.250: 32 lanes taken");
    assert_words(&(ShapeTrial){3, {{16, 1}, {8, 1}, {32, 1}}, {2e9, 1e9, 0.0}, 0, 0},
                 "16 lanes 1.000, 8 lanes 0.500, 32 lanes not to be had: 16 lanes taken");
    assert_words(&(ShapeTrial){2, {{1, 64}, {1, 128}}, {1e9, 1.1e9}, 1, 0},
                 "work groups of 64 1.000, work groups of 128 1.100: work groups of 128 taken");
}

static void assert_chosen(size_t expected, double first, double second, double third)
{
    const ShapeTrial trial = {3, {{16, 1}, {8, 1}, {32, 1}}, {first, second, third}, 0, 0};
    assert_int_equal(shapes_choose(&trial), expected);
}

TEST(test_choice)
{
    assert_chosen(0, 1e9, 0.9e9, 0.8e9);
    assert_chosen(0, 1e9, 1.01e9, 0.0);
    assert_chosen(0, 1e9, 0.0, 1.019e9);
    assert_chosen(1, 1e9, 1.05e9, 1.03e9);
    assert_chosen(2, 1e9, 1.03e9, 1.05e9);
    assert_chosen(2, 1e9, 0.0, 1.021e9);
}

static const char sweep[] = "problem: duffing\nparameters: {x0: {linear: [0.5, 2, 400]}}\nmethods: [theta1]\n"
                            "step: 0.05\nsteps: 60\nmetrics: [status, updates, x_final]\n"
                            "trajectory: {every: 20, fields: [x, v]}\n";

// Of several shapes the one is taken that the rates say, and none changes a bit.
TEST(test_trial_changes_no_bit)
{
    Ran        plain SCOPED(ran_free) = {0}, tried SCOPED(ran_free) = {0}, again SCOPED(ran_free) = {0};
    ShapeTrial trial;
    run_text(&plain, *state, 4, sweep);
    build_text(&tried, *state, 0, sweep);
    Engine *engine = &tried.engines[0];
    Batch   batch = batch_make(engine->group, 0, engine->group->block_count);
    assert_false(shapes_pending(plain.engines[0].program));  // its lanes were asked for
    assert_true(shapes_pending(engine->program));
    while (shapes_build_next(engine->program))
        ;
    batch.solution = &engine->solution;
    assert_true(shapes_trial(engine->program, 0, &batch, NULL, &trial, &err));
    assert_true(trial.count >= 2);
    for (size_t i = 0; i < trial.count; ++i) {
        assert_true(trial.rates[i] > 0.0);
        assert_true(trial.rates[i] <= 1.02 * trial.rates[0] || trial.rates[i] <= trial.rates[trial.taken]);
    }
    assert_true(trial.taken == 0 || trial.rates[trial.taken] > 1.02 * trial.rates[0]);
    assert_int_equal(program_lanes(engine->program), trial.shapes[trial.taken].lanes);
    assert_false(shapes_pending(engine->program));
    assert_true(engine_run_all(engine, &(RunOptions){0}, &tried.results[0], &err));
    assert_same(&tried, &plain, "after a trial");
    build_text(&again, *state, 0, sweep);
    assert_int_equal(program_lanes(again.engines[0].program), trial.shapes[trial.taken].lanes);
    assert_false(shapes_pending(again.engines[0].program));
}

// A turn lasts, also where the first launch compiles for longer: short turns time the loading of points.
TEST(test_turns_last)
{
    Ran        tried SCOPED(ran_free) = {0};
    ShapeTrial trial;
    build_text(&tried, *state, 0,
               "problem: duffing\nparameters: {x0: {linear: [0.5, 2, 64]}}\nmethods: [rk4]\nstep: 0.05\n"
               "steps: 1000000\nmetrics: [status]\n");
    Engine *engine = &tried.engines[0];
    Batch   batch = batch_make(engine->group, 0, engine->group->block_count);
    while (shapes_build_next(engine->program))
        ;
    batch.solution = &engine->solution;
    assert_true(shapes_trial(engine->program, 0, &batch, NULL, &trial, &err));
    assert_true(trial.work >= 1024);
}

TEST(test_signal_ends_a_trial)
{
    static const volatile sig_atomic_t two = 2;
    Ran                                ran SCOPED(ran_free) = {0};
    ShapeTrial                         trial;
    // Other equations than those of the trial before, which is remembered.
    build_text(&ran, *state, 0, "problem: pendulum\nmethods: [rk4]\nstep: 0.05\nsteps: 60\nmetrics: [status]\n");
    Engine   *engine = &ran.engines[0];
    const int lanes = program_lanes(engine->program);
    Batch     batch = batch_make(engine->group, 0, 1);
    while (shapes_build_next(engine->program))
        ;
    batch.solution = &engine->solution;
    assert_refused(shapes_trial(engine->program, 0, &batch, &(RunOptions){.signals = &two}, &trial, &err),
                   ERROR_STOPPED, "");
    assert_int_equal(program_lanes(engine->program), lanes);
}

// What trials find is remembered where no other test looks.
static int begin(void **state)
{
    return make_place(NULL) != 0 || setenv("PENDULA_CACHE_DIR", place.path, 1) != 0 ? -1 : open_device(state);
}

static int end(void **state)
{
    return close_device(state) + remove_place(NULL);
}

AROUND_ALL(begin, end)
