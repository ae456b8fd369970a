// test_sweeps -- the shipped sweep files run on a device and give what their comments say.
#include "run/run.h"
#include "store/store_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NUMBERS = 64, MOST_OVERRIDES = 8 };

typedef struct Ran {
    char       folder[32], path[80];
    RunSummary summary;
    StoreFile  file;
} Ran;

// Runs sweeps/NAME.yaml into a file of its own; the overrides end with NULL.
static void run_shipped(Ran *ran, const char *name, const char *const *overrides)
{
    Error      err = {0};
    char       sweep[4096], beside[96];
    RunRequest request = {.sweep = sweep, .output = ran->path, .overrides = overrides, .mode = STORE_NEW};
    while (overrides && overrides[request.override_count])
        ++request.override_count;
    memset(ran, 0, sizeof *ran);
    strncpy(ran->folder, "/tmp/pendula-sweeps-XXXXXX", sizeof ran->folder - 1);
    assert_non_null(mkdtemp(ran->folder));
    snprintf(ran->path, sizeof ran->path, "%s/%s.h5", ran->folder, name);
    snprintf(sweep, sizeof sweep, "%s/sweeps/%s.yaml", PENDULA_SOURCE_DIR, name);
    const bool fine = run_sweep(&request, &ran->summary, &err) && store_read_open(ran->path, &ran->file, &err);
    snprintf(beside, sizeof beside, "%s.log", ran->path);
    unlink(beside);
    snprintf(beside, sizeof beside, "%s.lock", ran->path);
    unlink(beside);
    unlink(ran->path);
    rmdir(ran->folder);
    if (!fine)
        fail_msg("%s", err.message);
    assert_int_equal(ran->file.blocks_done, ran->file.block_count);
}

// The numbers of a variable, in the order of the file.
static void read_numbers(const Ran *ran, const char *label, const char *name, size_t count, double *numbers)
{
    Error                err = {0};
    const StoreGroup    *group = store_read_group(&ran->file, label);
    const StoreVariable *variable = group ? store_read_variable(group, name) : NULL;
    if (!variable)
        fail_msg("no %s/%s", label, name);
    assert_int_equal(variable->count, count);
    if (!store_read_numbers(&ran->file, group, variable, NULL, NULL, numbers, &err))
        fail_msg("%s", err.message);
}

static double read_number(const Ran *ran, const char *label, const char *name, size_t count, size_t index)
{
    double numbers[MOST_NUMBERS];
    assert_true(index < count && count <= MOST_NUMBERS);
    read_numbers(ran, label, name, count, numbers);
    return numbers[index];
}

static void assert_within(double found, double wanted, double share)
{
    if (!(fabs(found - wanted) <= share * fabs(wanted)))
        fail_msg("%.9g is not within %g of %.9g", found, share, wanted);
}

// At the pair (0.6, 0.07) generalized_alpha damps the fast mode more than theta2, at every step.
static void test_problem_1(void **state)
{
    Ran    ran;
    double alpha[20], theta[20];
    (void)state;
    run_shipped(&ran, "wu2018_p1", NULL);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 40);
    read_numbers(&ran, "generalized_alpha", "high_frequency_amplitude", 20, alpha);
    read_numbers(&ran, "theta2", "high_frequency_amplitude", 20, theta);
    for (size_t step = 0; step < 5; ++step)
        assert_true(theta[4 * step + 1] > alpha[4 * step + 1]);
    store_read_close(&ran.file);
}

static void test_problem_2(void **state)
{
    Ran ran;
    (void)state;
    run_shipped(&ran, "wu2018_p2", NULL);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 4);
    assert_true(read_number(&ran, "generalized_alpha", "updates", 2, 0) == 50001);
    assert_true(read_number(&ran, "generalized_alpha", "updates", 2, 1) == 50001);
    assert_within(read_number(&ran, "theta2", "updates", 2, 0), 69295, 0.012);
    assert_within(read_number(&ran, "theta2", "updates", 2, 1), 87052, 0.012);
    store_read_close(&ran.file);
}

static void test_problem_3(void **state)
{
    Ran ran;
    (void)state;
    run_shipped(&ran, "wu2018_p3", NULL);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 17);
    assert_within(read_number(&ran, "generalized_alpha", "updates", 3, 0), 1302, 0.005);
    assert_within(read_number(&ran, "theta2", "updates", 3, 0), 1940, 0.005);
    assert_within(read_number(&ran, "theta2", "updates", 3, 1), 1946, 0.01);
    // Raw tolerance 1e-9 lies under the rounding floor at eps = 1e-4: the point ends, with a status.
    assert_true(read_number(&ran, "generalized_alpha_tight", "status", 3, 2) == STATUS_BUDGET_EXCEEDED);
    assert_true(read_number(&ran, "generalized_alpha_robust", "status", 3, 2) == STATUS_OK);
    assert_true(read_number(&ran, "theta2_tight", "status", 3, 2) == STATUS_OK);
    // Neither the radius of +-6 nor the condition number of 6e4.
    assert_true(read_number(&ran, "generalized_alpha", "radius_error_max", 3, 1) < 2e-3);
    assert_true(read_number(&ran, "generalized_alpha", "condition_max", 3, 1) < 1600);
    assert_within(read_number(&ran, "generalized_alpha", "condition_mean", 3, 1), 698.5, 0.01);
    assert_within(read_number(&ran, "theta2", "condition_mean", 3, 1), 655.4, 0.01);
    assert_within(read_number(&ran, "generalized_alpha", "condition_mean", 3, 2), 7e4, 0.1);
    store_read_close(&ran.file);
}

static void test_problem_4(void **state)
{
    Ran ran;
    (void)state;
    run_shipped(&ran, "wu2018_p4", NULL);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 12);
    assert_within(read_number(&ran, "generalized_alpha", "updates", 6, 0), 2640, 0.01);
    assert_within(read_number(&ran, "theta2", "updates", 6, 0), 2534, 0.01);
    for (size_t point = 0; point < 6; ++point) {
        assert_true(read_number(&ran, "theta2", "radius_error_max", 6, point) < 0.02);
        const bool wrong = point % 3 == 2;
        assert_true((read_number(&ran, "generalized_alpha", "radius_error_max", 6, point) > 1) == wrong);
    }
    store_read_close(&ran.file);
}

static void test_oscillator(void **state)
{
    Ran ran;
    (void)state;
    run_shipped(&ran, "td004_oscillator", NULL);
    assert_within(read_number(&ran, "backward_euler", "error_max", 1, 0), 2.9975e-2, 2e-5);
    assert_true(read_number(&ran, "trapezoidal", "error_max", 1, 0) < 2e-4);
    assert_true(read_number(&ran, "rk4", "error_max", 1, 0) < 2e-8);
    store_read_close(&ran.file);
}

// The whole of it takes longer than a test may: two steps of the eight, and a fifth of the time.
static void test_quickstart(void **state)
{
    Ran               ran;
    const char *const overrides[] = {"step=[0.05, 0.1]", "end=10", NULL};
    (void)state;
    run_shipped(&ran, "quickstart", overrides);
    assert_int_equal(ran.summary.points, 2 * 41 * (51 + 101));
    assert_int_equal(ran.summary.by_status[STATUS_OK], ran.summary.points);
    // What README.md says is to be seen, at h = 0.05 and rho_inf = 0.6, theta = 0.07; each eps is ten times the one ten
    // before it.
    static double alpha[2 * 41 * 51], theta[2 * 41 * 101];
    read_numbers(&ran, "generalized_alpha", "energy_drift", 2 * 41 * 51, alpha);
    read_numbers(&ran, "theta2", "energy_drift", 2 * 41 * 101, theta);
    assert_within(alpha[30 * 51 + 30], 1.47, 0.01);
    assert_within(alpha[20 * 51 + 30], 7.78, 0.01);
    assert_within(alpha[10 * 51 + 30], 604, 0.01);
    for (size_t eps = 0; eps < 41; ++eps)
        assert_true(theta[eps * 101 + 7] < 1.6);
    const StoreVariable *x = store_read_variable(store_read_group(&ran.file, "theta2"), "x");
    assert_non_null(x);
    assert_int_equal(x->count, 2 * 201 * 2);
    store_read_close(&ran.file);
}

// Every shipped sweep has a test above.
static void test_none_is_forgotten(void **state)
{
    glob_t found;
    (void)state;
    assert_int_equal(glob(PENDULA_SOURCE_DIR "/sweeps/*.yaml", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 6);
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none_is_forgotten), cmocka_unit_test(test_problem_1), cmocka_unit_test(test_problem_2),
        cmocka_unit_test(test_problem_3),         cmocka_unit_test(test_problem_4), cmocka_unit_test(test_oscillator),
        cmocka_unit_test(test_quickstart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
