// test_frames -- trajectories are the same numbers however the kernel writes them: a row of lanes at once, or one by
// one.
#include "support/kernel_case.h"

AROUND_ALL(open_device, close_device)

// 84 points of four numbers of steps, so that neighbours in a lane group part; some use up their budget on the way.
static const char sweep[] = "problem: pendulum\n"
                            "%s\n"
                            "methods: [theta2]\n"
                            "end: 10\n"
                            "substeps: {budget: 2}\n"
                            "newton: {tolerance: 1.0e-13}\n"
                            "metrics: [status, updates, x_final]\n"
                            "trajectory: {fields: [x, v, energy], %s}\n";

// The step's axis is the slowest: lane groups are of one number of steps, but for the last of each.
static const char grid[] = "parameters: {x0: {linear: [0.1, 3.1, 21]}}\nsteps: [40, 50, 64, 100]";

// The same points, neighbours of different numbers of steps.
static const char mixed[] =
    "design: zip\n"
    "parameters: {x0: [0.1, 0.1, 0.1, 0.1, 0.7, 0.7, 0.7, 0.7, 1.3, 1.3, 1.3, 1.3, 1.9, 1.9, 1.9, 1.9,\n"
    "                  2.5, 2.5, 2.5, 2.5, 3.1, 3.1, 3.1, 3.1, 0.4, 0.4, 0.4, 0.4, 1.0, 1.0, 1.0, 1.0]}\n"
    "steps: [40, 50, 64, 100, 40, 50, 64, 100, 40, 50, 64, 100, 40, 50, 64, 100,\n"
    "        40, 50, 64, 100, 40, 50, 64, 100, 40, 50, 64, 100, 40, 50, 64, 100]";

static void run(Ran *ran, Device *device, int lanes, const char *points, const char *trajectory, const char *more)
{
    char text[2048];
    assert_in_range(snprintf(text, sizeof text, sweep, points, trajectory), 1, (int)sizeof text - 1);
    strncat(text, more, sizeof text - 1 - strlen(text));
    run_text(ran, device, lanes, text);
}

// One lane writes each number where it belongs; more lanes must do the same.
static void expect_lanes_agree(Device *device, const char *points, const char *trajectory, const char *more)
{
    static const int lanes[] = {2, 4, 16};
    Ran              one SCOPED(ran_free) = {0};
    run(&one, device, 1, points, trajectory, more);
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; ++i) {
        Ran many SCOPED(ran_free) = {0};
        run(&many, device, lanes[i], points, trajectory, more);
        assert_same(&many, &one, "at one lane");
    }
}

TEST(lanes_that_take_samples_together_agree)
{
    expect_lanes_agree(*state, grid, "every: 1", "");
    expect_lanes_agree(*state, grid, "every: 7", "precision: single\n");
}

TEST(lanes_whose_samples_part_agree)
{
    expect_lanes_agree(*state, mixed, "samples: 9", "");
    expect_lanes_agree(*state, mixed, "every: 3", "");
    expect_lanes_agree(*state, mixed, "samples: 3", "");  // of 20, 25, 32 and 50 steps, without a remainder
}

// Slots then leave out columns, and rows of lanes begin anywhere.
TEST(scattered_trajectories_agree)
{
    expect_lanes_agree(*state, grid, "every: 3, where: {x0: [0.4, 0.55, 1.0, 1.9, 2.8, 3.1]}", "");
    expect_lanes_agree(*state, grid, "samples: 11, where: {steps: [50, 100]}", "");
}

// Steps that are halved often: lanes go on one by one, and are at other steps when they next take a whole one.
TEST(lanes_that_drift_apart_agree)
{
    static const char drifting[] = "problem: double_pendulum\n"
                                   "parameters: {th1: {linear: [0.3, 2.9, 27]}, w1: 0.3}\n"
                                   "methods: [generalized_alpha]\n"
                                   "step: 0.25\n"
                                   "steps: 400\n"
                                   "newton: {tolerance: 1.0e-10, max_updates: 3}\n"
                                   "metrics: [status, failed_solves, updates, x_final]\n"
                                   "trajectory: {fields: [x, updates], every: %d}\n";
    for (int every = 1; every <= 3; ++every) {
        char text[1024];
        Ran  one SCOPED(ran_free) = {0}, many SCOPED(ran_free) = {0};
        assert_in_range(snprintf(text, sizeof text, drifting, every), 1, (int)sizeof text - 1);
        run_text(&one, *state, 1, text);
        run_text(&many, *state, 8, text);
        assert_same(&many, &one, "at one lane");
        double failed = 0;
        for (size_t p = 0; p < 27; ++p)
            failed += number(&one, 0, "failed_solves", p);
        assert_true(failed > 100);
    }
}

// A trajectory is numbers as far as the point came and NaN from there on, in each of its fields.
TEST(trajectories_end_where_the_point_does)
{
    size_t ended = 0;
    Ran    ran SCOPED(ran_free) = {0};
    run(&ran, *state, 16, grid, "every: 1", "");
    const Group *group = group_at(&ran, 0);
    for (size_t p = 0; p < group->point_count; ++p) {
        const bool   ok = number(&ran, 0, "status", p) == STATUS_OK;
        const size_t steps = (size_t)group_steps(group, p);
        size_t       samples = 0;
        while (samples <= 100 && !isnan(element(&ran, 0, "x", p, samples)))
            ++samples;
        for (size_t k = 0; k <= 100; ++k)
            assert_true(isnan(element(&ran, 0, "v", p, k)) == (k >= samples) &&
                        isnan(element(&ran, 0, "energy", p, k)) == (k >= samples));
        if (ok)
            assert_int_equal(samples, steps + 1);
        else
            assert_in_range(samples, 1, steps);
        ended += !ok;
    }
    assert_in_range(ended, 1, group->point_count - 1);
}

// What the first of two batches holds stays as it is while the second is computed into the other set of buffers.
TEST(a_set_waits_until_it_is_fetched)
{
    Ran ran SCOPED(ran_free) = {0};
    run(&ran, *state, 16, grid, "every: 2", "");
    const Group     *group = group_at(&ran, 0);
    const RunOptions options = {0};
    const size_t     half = 42;
    Batch            batches[2];
    Results          results[2];
    for (int set = 0; set < 2; ++set) {
        const size_t first = set ? half : 0;
        batches[set] =
            (Batch){.group = group, .first_point = first, .point_count = half, .first_slot = first, .slot_count = half};
        assert_fine(results_make(group, half, half, &results[set], &err) &&
                    program_compute(ran.engines[0].program, set, &batches[set], &options, &err));
    }
    for (int set = 0; set < 2; ++set) {
        assert_fine(program_fetch(ran.engines[0].program, set, &results[set], &err));
        for (size_t v = 0; v < group->variable_count; ++v)
            for (size_t i = 0; i < half; ++i)
                assert_same_row(&results[set], i, &ran.results[0], i + (set ? half : 0), v, "in one batch");
    }
    for (int set = 0; set < 2; ++set)
        results_free(&results[set]);
}
