// test_sweeps -- the shipped sweep files run on a device and give what their comments say.
#include "run/run.h"
#include "store/store_read.h"

#include "support/program_case.h"

#include <glob.h>

AROUND_ALL(make_place, remove_place)

enum { MOST_NUMBERS = 64, MOST_OVERRIDES = 8 };

typedef struct Ran {
    RunSummary summary;
    StoreFile  file;
} Ran;

static void ran_free(Ran *ran)
{
    store_read_close(&ran->file);
}

// Runs sweeps/NAME.yaml into a file of its own; the overrides end with NULL.
static Ran run_shipped(const char *name, const char *const *overrides)
{
    Ran  ran = {0};
    char sweep[4096], output[64];
    snprintf(output, sizeof output, "%s.h5", name);
    const Path path = path_of(output);
    RunRequest request = {.sweep = sweep, .output = path.text, .overrides = overrides, .mode = STORE_NEW};
    while (overrides && overrides[request.override_count])
        ++request.override_count;
    snprintf(sweep, sizeof sweep, "%s/sweeps/%s.yaml", PENDULA_SOURCE_DIR, name);
    const bool fine = run_sweep(&request, &ran.summary, &err) && store_read_open(path.text, &ran.file, &err);
    drop_result(output);
    if (!fine)
        fail_msg("%s", err.message);
    assert_int_equal(ran.file.blocks_done, ran.file.block_count);
    return ran;
}

// The numbers of a variable, in the order of the file.
static void read_numbers(const Ran *ran, const char *label, const char *name, size_t count, double *numbers)
{
    const StoreGroup    *group = store_read_group(&ran->file, label);
    const StoreVariable *variable = group ? store_read_variable(group, name) : NULL;
    if (!variable)
        fail_msg("no %s/%s", label, name);
    assert_int_equal(variable->count, count);
    assert_fine(store_read_numbers(&ran->file, group, variable, NULL, NULL, numbers, &err));
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
TEST(test_problem_1)
{
    double alpha[20], theta[20];
    Ran    ran SCOPED(ran_free) = run_shipped("wu2018_p1", NULL);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 40);
    read_numbers(&ran, "generalized_alpha", "high_frequency_amplitude", 20, alpha);
    read_numbers(&ran, "theta2", "high_frequency_amplitude", 20, theta);
    for (size_t step = 0; step < 5; ++step)
        assert_true(theta[4 * step + 1] > alpha[4 * step + 1]);
}

TEST(test_problem_2)
{
    Ran ran SCOPED(ran_free) = run_shipped("wu2018_p2", NULL);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 4);
    assert_true(read_number(&ran, "generalized_alpha", "updates", 2, 0) == 50001);
    assert_true(read_number(&ran, "generalized_alpha", "updates", 2, 1) == 50001);
    assert_within(read_number(&ran, "theta2", "updates", 2, 0), 69295, 0.012);
    assert_within(read_number(&ran, "theta2", "updates", 2, 1), 87052, 0.012);
}

TEST(test_problem_3)
{
    Ran ran SCOPED(ran_free) = run_shipped("wu2018_p3", NULL);
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
}

TEST(test_problem_4)
{
    Ran ran SCOPED(ran_free) = run_shipped("wu2018_p4", NULL);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 12);
    assert_within(read_number(&ran, "generalized_alpha", "updates", 6, 0), 2640, 0.01);
    assert_within(read_number(&ran, "theta2", "updates", 6, 0), 2534, 0.01);
    for (size_t point = 0; point < 6; ++point) {
        assert_true(read_number(&ran, "theta2", "radius_error_max", 6, point) < 0.02);
        const bool wrong = point % 3 == 2;
        assert_true((read_number(&ran, "generalized_alpha", "radius_error_max", 6, point) > 1) == wrong);
    }
}

// Figures 2 and 3 of the report: Chung's method is the most accurate; the explicit Euler method settles latest, the
// implicit one first.
TEST(test_oscillator)
{
    static const char *const methods[] = {"explicit_euler", "half_implicit_euler", "implicit_euler", "chung_lee",
                                          "near_exact"};
    double                   error[5], kinetic[5], settling[5];
    Ran                      ran SCOPED(ran_free) = run_shipped("td004_oscillator", NULL);
    for (size_t i = 0; i < 5; ++i) {
        error[i] = read_number(&ran, methods[i], "error_max", 1, 0);
        kinetic[i] = read_number(&ran, methods[i], "kinetic_max", 1, 0);
        settling[i] = read_number(&ran, methods[i], "kinetic_integral", 1, 0);
    }
    assert_within(error[0], 3.32e-2, 2e-3);
    assert_within(error[1], 1.76e-2, 2e-3);
    assert_within(error[2], 2.9975e-2, 2e-5);
    assert_within(error[3], 1.66e-4, 2e-3);
    assert_true(error[4] < 2e-8);
    assert_within(kinetic[0], 2.88e-2, 2e-3);
    assert_within(kinetic[1], 1.79e-2, 3e-3);
    assert_within(kinetic[2], 1.16e-2, 3e-3);
    assert_within(kinetic[3], 1.82e-2, 3e-3);
    assert_true(settling[2] < settling[1] && settling[1] < settling[3] && settling[4] < settling[0]);
    const StoreVariable *x = store_read_variable(store_read_group(&ran.file, "chung_lee"), "kinetic");
    assert_non_null(x);
    assert_int_equal(x->count, 801);
}

// The largest error falls by 2 to the order of the method where the steps are halved.
TEST(test_convergence)
{
    static const struct {
        const char *label;
        double      factor;
    } methods[] = {{"explicit_euler", 2}, {"implicit_euler", 2}, {"chung_lee", 4},
                   {"trapezoidal", 4},    {"theta2", 4},         {"rk4", 16}};
    Ran ran SCOPED(ran_free) = run_shipped("td004_convergence", NULL);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        double error[6];
        read_numbers(&ran, methods[i].label, "error_max", 6, error);
        assert_within(error[4] / error[5], methods[i].factor, 0.02);
    }
    assert_within(read_number(&ran, "trapezoidal", "error_max", 6, 3), 1.71e-4, 5e-3);
}

// Figures 1 and 2 of the paper: what is left of the amplitudes.
TEST(test_figure_oscillators)
{
    static const double left[2][3] = {{0.970, 0.648, 0.078}, {0.976, 0.712, 0.150}};
    Ran                 ran SCOPED(ran_free) = run_shipped("wu2018_fig_oscillators", NULL);
    for (size_t method = 0; method < 2; ++method) {
        const char *label = method ? "theta2" : "generalized_alpha";
        double      slow[3], fast[3];
        read_numbers(&ran, label, "amplitude_final_slow", 3, slow);
        read_numbers(&ran, label, "amplitude_final_fast", 3, fast);
        for (size_t step = 0; step < 3; ++step) {
            assert_true(fabs(slow[step] - 1) < 4e-4);
            assert_true(fabs(fast[step] - left[method][step]) < 6e-4);
        }
    }
}

// A pair damps the slow mode alike within a third; generalized_alpha damps the fast one more.
TEST(test_figure_decay)
{
    static const char *const labels[4][2] = {{"alpha_0_9", "theta_0_001"},
                                             {"alpha_0_6", "theta_0_07"},
                                             {"alpha_0_5", "theta_0_15"},
                                             {"alpha_0_3", "theta_0_45"}};
    static const double      fast[4][2] = {{5.8e-4, 5.3e-4}, {5.1e-2, 3.8e-2}, {0.107, 0.083}, {0.321, 0.267}};
    Ran                      ran SCOPED(ran_free) = run_shipped("wu2018_fig_decay", NULL);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 16);
    for (size_t pair = 0; pair < 4; ++pair) {
        double slow[2];
        for (size_t method = 0; method < 2; ++method) {
            slow[method] = read_number(&ran, labels[pair][method], "decay_rate_slow", 2, 0);
            assert_within(read_number(&ran, labels[pair][method], "decay_rate_fast", 2, 1), fast[pair][method], 0.012);
            assert_true(read_number(&ran, labels[pair][method], "energy_ratio", 2, 0) > 0.99);
        }
        assert_within(slow[0], slow[1], 1.0 / 3);
    }
}

// Figures 3 to 8: both lengths keep to 1, and the angles to a rigid pendulum's; no condition number near 6e4.
TEST(test_figure_pendulum)
{
    static const char *const labels[2] = {"generalized_alpha", "theta2"};
    static const double      angle[2][2] = {{0.122, 0.355}, {0.099, 0.0274}}, mean[2][2] = {{7.97, 698}, {7.54, 655}};
    Ran                      ran SCOPED(ran_free) = run_shipped("wu2018_fig_pendulum", NULL);
    for (size_t method = 0; method < 2; ++method)
        for (size_t eps = 0; eps < 2; ++eps) {
            assert_true(read_number(&ran, labels[method], "visually_correct", 2, eps) == 1);
            assert_true(read_number(&ran, labels[method], "radius_error_max", 2, eps) < (eps ? 1.01e-3 : 1.06e-2));
            assert_within(read_number(&ran, labels[method], "angle_error_max", 2, eps), angle[method][eps], 0.01);
            assert_within(read_number(&ran, labels[method], "condition_mean", 2, eps), mean[method][eps], 0.01);
            assert_true(read_number(&ran, labels[method], "condition_max", 2, eps) < 1600);
        }
}

// Figures 9 to 19, in the order of the file.
TEST(test_figure_cartesian)
{
    static const double length[2][5] = {{0.001, 1.66, 1.66, 0.010, 0.010}, {0.001, 1e-4, 4.1e-4, 0.0105, 0.010}};
    static const double angle[2][5] = {{0.78, 3.14, 3.14, 0.173, 0.094}, {3.14, 3.11, 1.47, 0.40, 0.127}};
    Ran                 ran SCOPED(ran_free) = run_shipped("wu2018_fig_cartesian", NULL);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 10);
    for (size_t method = 0; method < 2; ++method)
        for (size_t point = 0; point < 5; ++point) {
            const char *label = method ? "theta2" : "generalized_alpha";
            assert_within(read_number(&ran, label, "radius_error_max", 5, point), length[method][point], 0.01);
            assert_within(read_number(&ran, label, "angle_error_max", 5, point), angle[method][point], 0.02);
            assert_true((read_number(&ran, label, "visually_correct", 5, point) == 1) == (point >= 3));
        }
    assert_within(read_number(&ran, "generalized_alpha", "condition_max", 5, 4), 2.15, 0.01);
    assert_within(read_number(&ran, "theta2", "condition_max", 5, 4), 2.10, 0.01);
}

// The whole of it takes longer than a test may: two steps of the eight, and a fifth of the time.
TEST(test_quickstart)
{
    const char *const overrides[] = {"step=[0.05, 0.1]", "end=10", NULL};
    Ran               ran SCOPED(ran_free) = run_shipped("quickstart", overrides);
    assert_int_equal(ran.summary.points, 2 * 41 * (51 + 101));
    assert_int_equal(ran.summary.by_status[STATUS_OK], ran.summary.points);
    // What README.md says is to be seen, at h = 0.05 and rho_inf = 0.6, theta = 0.07; each eps is ten times the one ten
    // before it.
    static double alpha[2 * 41 * 51], theta[2 * 41 * 101];
    read_numbers(&ran, "generalized_alpha", "energy_drift", 2 * 41 * 51, alpha);
    read_numbers(&ran, "theta2", "energy_drift", 2 * 41 * 101, theta);
    // The first was 1.47 of |v0|^2/2 = 0.5, before the scale was the kinetic energy at r = 1.01.
    assert_within(alpha[30 * 51 + 30], 1.47 * 0.5 / (0.25 * (1.0 + 1.01 * 1.01)), 0.01);
    assert_within(alpha[20 * 51 + 30], 7.78, 0.01);
    assert_within(alpha[10 * 51 + 30], 604, 0.01);
    for (size_t eps = 0; eps < 41; ++eps)
        assert_true(theta[eps * 101 + 7] < 1.6);
    const StoreVariable *x = store_read_variable(store_read_group(&ran.file, "theta2"), "x");
    assert_non_null(x);
    assert_int_equal(x->count, 2 * 201 * 2);
}

// Lorenz's rate in long double, at the parameters of the sweep.
static void lorenz_rate(long double rho, const long double u[3], long double du[3])
{
    du[0] = 10.0L * (u[1] - u[0]);
    du[1] = u[0] * (rho - u[2]) - u[1];
    du[2] = u[0] * u[1] - 8.0L / 3.0L * u[2];
}

// The state at t = 1 by the explicit midpoint rule with 20,000 steps, whose own error is below 1e-6.
static void lorenz_move(long double rho, long double u[3])
{
    const long double h = 1.0L / 20000;
    for (int step = 0; step < 20000; ++step) {
        long double k[3], middle[3];
        lorenz_rate(rho, u, k);
        for (int i = 0; i < 3; ++i)
            middle[i] = u[i] + 0.5L * h * k[i];
        lorenz_rate(rho, middle, k);
        for (int i = 0; i < 3; ++i)
            u[i] += h * k[i];
    }
}

// The ensemble, every 16th system: in single precision, 1000 roundings of coordinates up to 20.
TEST(test_lorenz)
{
    enum { COUNT = 64 };
    static double     final[2][COUNT * 3];
    const char *const overrides[] = {"parameters.rho={linear: [0, 21, 64]}", NULL};
    Ran               ran SCOPED(ran_free) = run_shipped("lorenz_ensemble", overrides);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 2 * COUNT);
    read_numbers(&ran, "dopri5", "x_final", COUNT * 3, final[0]);
    read_numbers(&ran, "rk4", "x_final", COUNT * 3, final[1]);
    for (size_t point = 0; point < COUNT; ++point) {
        long double u[3] = {1.0L, 0.0L, 0.0L};
        lorenz_move(21.0L * (long double)point / (COUNT - 1), u);
        for (size_t i = 0; i < 3; ++i)
            for (size_t method = 0; method < 2; ++method)
                assert_true(fabsl(final[method][point * 3 + i] - u[i]) < 1e-3L);
    }
}

// What the file says of the first species at the end, which SciPy's Radau, BDF and LSODA have as 5.16809602e-4.
TEST(test_robertson)
{
    double final[12];
    Ran    ran SCOPED(ran_free) = run_shipped("robertson", NULL);
    assert_int_equal(ran.summary.by_status[STATUS_OK], 12);
    read_numbers(&ran, "backward_euler", "x_final", 12, final);
    assert_within(final[9], 5.20e-4, 1e-3);
    read_numbers(&ran, "bdf2", "x_final", 12, final);
    assert_within(final[9], 5.16809602e-4, 1e-3);
    read_numbers(&ran, "tr_bdf2", "x_final", 12, final);
    assert_within(final[9], 5.16809602e-4, 1e-3);
    assert_true(read_number(&ran, "bdf2", "energy_drift", 4, 3) < 1e-11);
}

// Every shipped sweep has a test above, or in a check: pairs_* in check_findings.py, response_spectrum in
// check_tables.py, shear_building in check_matrices.py, base_shear in check_observe.py, dosing in check_breaks.py,
// bouncing_ball in check_events.py, network in check_networks.py, stiff_reaction in check_stiff.py, heat_rod in
// check_wide.py, alpha_decks in check_alpha.py, engine_map in check_maps.py.
TEST(test_none_is_forgotten)
{
    glob_t found;
    assert_int_equal(glob(PENDULA_SOURCE_DIR "/sweeps/*.yaml", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 26);
    globfree(&found);
}
