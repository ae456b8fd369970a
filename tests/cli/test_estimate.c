// test_estimate -- `pendula plan` against the run: an adaptive method's work, and a time where nothing is compiled yet.
#include "store/store_read.h"

#include "support/program_case.h"

AROUND_ALL(make_place, remove_place)

// Trials a step grow with the frequency, four decades of it: most steps belong to points that need few.
static const char uneven_sweep[] = "problem: harmonic_oscillator\n"
                                   "parameters: {omega: {log: [0.1, 1000, 40]}, x0: {linear: [1, 2, 20]}}\n"
                                   "methods: [dopri5_adaptive]\n"
                                   "step: 0.1\n"
                                   "end: 4\n"
                                   "metrics: [status, evaluations]\n";
enum { POINTS = 40 * 20, EVALUATIONS = 6 };  // of a trial

static double planned_work(const Command *command)
{
    double      work = 0.0;
    const char *time = strstr(command->out, "\ntime: "), *count = time ? strstr(time, " for ") : NULL;
    assert_non_null(count);
    assert_int_equal(sscanf(count, " for %lf substeps and updates", &work), 1);
    return work;
}

static double computed_work(const char *name)
{
    StoreFile file SCOPED(store_read_close) = {0};
    double    evaluations[POINTS], sum = 0.0;
    assert_fine(store_read_open(path_of(name).text, &file, &err));
    const StoreGroup    *group = store_read_group(&file, "dopri5_adaptive");
    const StoreVariable *variable = store_read_variable(group, "evaluations");
    assert_int_equal(variable->count, POINTS);
    assert_true(store_read_numbers(&file, group, variable, NULL, NULL, evaluations, &err));
    for (size_t i = 0; i < POINTS; ++i)
        sum += evaluations[i];
    return sum / EVALUATIONS;
}

TEST(the_work_of_an_adaptive_method)
{
    place_write("uneven.yaml", uneven_sweep);
    EXPECT(0, "800 points on ", "run", "uneven.yaml", "--progress", "none");
    Command      command = ENDED(0, "plan", "uneven.yaml");
    const double planned = planned_work(&command), computed = computed_work("uneven.h5");
    print_message("planned %.4g, computed %.4g\n", planned, computed);
    assert_true(planned > computed / 1.5 && planned < computed * 1.5);
}

// Nothing is in any cache, and the first launch of a sweep of two points takes far longer than the rest.
TEST(a_small_sweep_on_a_cold_cache)
{
    const Path         cache = path_of("cold");
    const Surroundings cold = {.variable = "POCL_CACHE_DIR", .value = cache.text};
    assert_int_equal(mkdir(cache.text, 0700), 0);
    place_write(
        "small.yaml",
        "problem: pendulum\nparameters: {x0: [0.5, 1]}\nmethods: [rk4]\nstep: 0.1\nend: 100\nmetrics: [status]\n");
    Ending ending = program_run_in(&cold, WORDS("plan", "small.yaml"));
    assert_code(&ending.command, 0);
    // 2 points of 1000 steps.
    assert_true(planned_work(&ending.command) == 2000.0);
    assert_contains(ending.command.out, "to compile what the caches did not have");
}
