// test_library -- the library by its header alone: results in memory are the file's, errors have code and place, runs
// can be cancelled, and threads do not disturb each other.
#include "pendula.h"

#include "support/same_results.h"
#include "support/test.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static const char pendulum[] = "problem: pendulum\n"
                               "parameters: {x0: {linear: [0.5, 2.5, 7]}}\n"
                               "methods: [theta2, rk4, generalized_alpha, tr_bdf2, dopri5]\n"
                               "step: [0.05, 0.1]\n"
                               "end: 5\n"
                               "metrics: [updates, x_final, v_final, energy_drift]\n"
                               "trajectory: {every: 10, fields: [x, energy], where: {step: 0.1}}\n";
// Some of its points fail.
static const char spring[] = "problem: elastic_pendulum_cartesian\n"
                             "parameters: {eps: {log: [1e-5, 1e-1, 9]}}\n"
                             "methods: [theta2, rk4, generalized_alpha, tr_bdf2, symplectic_euler]\n"
                             "step: 0.1\n"
                             "end: 10\n"
                             "substeps: {budget: 4}\n"
                             "metrics: [status, updates, x_final, depth_max]\n";
static const char lorenz[] = "problem: lorenz\n"
                             "parameters: {rho: {linear: [10, 28, 11]}}\n"
                             "methods: [rk4, dopri5, trapezoidal, bdf2, backward_euler]\n"
                             "step: 0.01\n"
                             "steps: 200\n"
                             "precision: single\n"
                             "metrics: [x_final, x_max]\n"
                             "trajectory: {samples: 5, fields: [x]}\n";

static void refuse(PendulaError *error)
{
    fail_msg("%s", pendula_error_text(error));
}

static PendulaSweep *sweep_of(const char *text)
{
    PendulaError *error = NULL;
    PendulaSweep *sweep = pendula_sweep_from_text(text, NULL, &error);
    if (!sweep)
        refuse(error);
    return sweep;
}

static PendulaResult *run(PendulaSweep *sweep, const PendulaRunOptions *options)
{
    PendulaError  *error = NULL;
    PendulaResult *result = pendula_sweep_run(sweep, options, &error);
    if (!result)
        refuse(error);
    assert_null(error);
    return result;
}

static PendulaResult *run_on(PendulaSweep *sweep, const char *device)
{
    PendulaRunOptions options = pendula_run_options();
    options.device = device;
    return run(sweep, &options);
}

TEST(results_in_memory_are_the_files_on_every_device)
{
    static const char *const texts[] = {pendulum, spring, lorenz}, *const devices[] = {"cpu", "native", "reference"};
    char folder[] = "/tmp/pendula_library_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file.h5", folder);
    for (size_t t = 0; t < 3; ++t)
        for (size_t d = 0; d < 3; ++d) {
            PendulaSweep     *sweep = sweep_of(texts[t]);
            PendulaRunOptions options = pendula_run_options();
            options.device = devices[d];
            PendulaResult *memory = run(sweep, &options);
            options.file = path;
            options.mode = PENDULA_REPLACE;
            PendulaResult *file = run(sweep, &options), *again = pendula_result_open(path, NULL);
            assert_non_null(again);
            assert_true(pendula_result_complete(memory));
            assert_true(pendula_result_complete(file));
            assert_true(same_results(memory, file) > 20);
            same_results(file, again);
            same_results(file, memory);
            pendula_result_free(memory);
            pendula_result_free(file);
            pendula_result_free(again);
            pendula_sweep_free(sweep);
        }
    unlink(path);
    snprintf(path, sizeof path, "%s/file.h5.log", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/file.h5.lock", folder);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

TEST(a_point_that_fails_is_a_status)
{
    PendulaSweep  *sweep = sweep_of(spring);
    PendulaResult *result = run(sweep, NULL);
    double         status[9];
    size_t         failed = 0;
    assert_true(pendula_result_read(result, "theta2", "status", status, 9, NULL));
    for (size_t i = 0; i < 9; ++i) {
        assert_non_null(pendula_status_name((int)status[i]));
        failed += status[i] != 1;
    }
    assert_true(failed > 0);
    assert_string_equal(pendula_status_name(1), "ok");
    assert_null(pendula_status_name(-1));
    assert_null(pendula_status_name(1000));
    pendula_result_free(result);
    pendula_sweep_free(sweep);
}

TEST(a_sweep_is_made_call_by_call)
{
    static const double x0[] = {0.5, 0.75, 1, 1.5, 1.75, 2.125, 2.5};
    PendulaSweep       *sweep = pendula_sweep_new(NULL),
                 *text = sweep_of("problem: pendulum\n"
                                  "parameters: {x0: [0.5, 0.75, 1, 1.5, 1.75, 2.125, 2.5]}\n"
                                  "methods: [{theta2: {theta: 0.25}}]\n"
                                  "step: 0.05\nend: 5\nmetrics: [x_final]\n");
    const double step = 0.1, half = 0.05;
    assert_int_equal(pendula_sweep_groups(sweep), 0);
    assert_null(pendula_sweep_settings(sweep));
    assert_true(pendula_sweep_set(sweep, "problem", "pendulum", NULL));
    assert_true(pendula_sweep_set_numbers(sweep, "parameters.x0", x0, 7, NULL));
    assert_true(pendula_sweep_set(sweep, "methods", "[theta2]", NULL));
    assert_true(pendula_sweep_set(sweep, "methods.theta2.theta", "0.5", NULL));
    assert_true(pendula_sweep_set_numbers(sweep, "step", &step, 1, NULL));
    assert_true(pendula_sweep_set(sweep, "end", "5", NULL));
    assert_true(pendula_sweep_set(sweep, "metrics", "[x_final]", NULL));
    // The last value of a key counts.
    assert_true(pendula_sweep_set_numbers(sweep, "step", &half, 1, NULL));
    assert_true(pendula_sweep_set(sweep, "methods.theta2.theta", "0.25", NULL));
    assert_true(pendula_sweep_plan(sweep, NULL));
    assert_int_equal(pendula_sweep_groups(sweep), 1);
    assert_string_equal(pendula_sweep_label(sweep, 0), "theta2");
    assert_int_equal(pendula_sweep_points(sweep), 7);
    assert_true(pendula_sweep_bytes(sweep) >= 7 * 8);
    assert_non_null(strstr(pendula_sweep_settings(sweep), "pendulum"));
    PendulaResult *a = run(sweep, NULL), *b = run(text, NULL);
    double         left[7], right[7];
    assert_true(pendula_result_read(a, "theta2", "x_final", left, 7, NULL));
    assert_true(pendula_result_read(b, "theta2", "x_final", right, 7, NULL));
    assert_memory_equal(left, right, sizeof left);
    pendula_result_free(a);
    pendula_result_free(b);
    pendula_sweep_free(sweep);
    pendula_sweep_free(text);
}

// Small swings about 0 have the frequency sqrt(k): what the caller gives reaches its point.
static void check_oscillators(PendulaSweep *sweep, size_t count)
{
    static const char *const names[] = {"omega", "x0"};
    double                  *values = calloc(2 * count, sizeof *values), *ends = calloc(count, sizeof *ends);
    for (size_t i = 0; i < count; ++i) {
        values[2 * i] = 1 + 0.5 * (double)i / (double)count;
        values[2 * i + 1] = 2 - (double)(i % 3);
    }
    assert_true(pendula_sweep_set_points(sweep, names, 2, values, count, NULL));
    PendulaResult *result = run(sweep, NULL);
    assert_int_equal(pendula_result_size(result, "rk4", "x_final"), count);
    assert_true(pendula_result_read(result, "rk4", "x_final", ends, count, NULL));
    for (size_t i = 0; i < count; ++i)
        assert_true(fabs(ends[i] - values[2 * i + 1] * cos(3 * values[2 * i])) < 1e-6);
    pendula_result_free(result);
    free(values);
    free(ends);
}

TEST(points_are_given_as_an_array_again_and_again)
{
    PendulaSweep *sweep = sweep_of("problem: harmonic_oscillator\nmethods: [rk4]\nparameters: {zeta: 0, v0: 0}\nstep: "
                                   "0.01\nend: 3\nmetrics: [x_final]\n");
    check_oscillators(sweep, 5);
    check_oscillators(sweep, 5);
    check_oscillators(sweep, 3000);
    check_oscillators(sweep, 6000);  // so many that the device itself writes what all have in common
    check_oscillators(sweep, 1);
    // Without given points it is the sweep of the text.
    assert_true(pendula_sweep_set_points(sweep, NULL, 0, NULL, 0, NULL));
    PendulaResult *result = run(sweep, NULL);
    assert_int_equal(pendula_result_size(result, NULL, "x_final"), 1);
    pendula_result_free(result);
    pendula_sweep_free(sweep);
}

// The columns of points that follow each other in one sweep; nothing is a refusal.
typedef struct GivenCase {
    const char *names[3];
    size_t      columns, count;
    double      values[12];
    const char *refusal;
} GivenCase;

// A sweep that has had other points is one that never had: same arrays, same refusals, and the results before stay.
TEST(points_that_change_are_those_of_a_new_sweep)
{
    static const char      text[] = "problem: pendulum\nmethods: [generalized_alpha, {theta2: {theta: 0.75}}]\n"
                                    "parameters: {zeta: 0.01}\nstep: 0.05\nend: 3\n"
                                    "metrics: [updates, x_final, error_final, {mean_value: {from: 1, to: 2}}]\n";
    static const char      stored[] = "problem: pendulum\nmethods: [rk4]\nstep: 0.05\nend: 3\nmetrics: [x_final]\n"
                                      "trajectory: {samples: 4, fields: [x]}\n";
    static const GivenCase cases[] = {
        {{"x0", "rho_inf"}, 2, 3, {1, 0.5, 2, 0.6, 2.5, 0.7}, NULL},
        {{"x0", "rho_inf"}, 2, 3, {0.5, 1, 1.5, 0, 2, 0.25}, NULL},
        {{"x0", "rho_inf"}, 2, 3, {0.5, 1, 1.5, 2, 2, 0.25}, "rho_inf"},
        {{"x0", "rho_inf"}, 2, 3, {-1, 1, -1.5, 0.5, -2, 0.25}, NULL},
        {{"x0", "rho_inf"}, 2, 4, {-1, 1, -1.5, 0.5, -2, 0.25, 1, 1}, NULL},
        {{"rho_inf", "x0"}, 2, 4, {1, 1, 0.5, 2, 0.25, 0.5, 0, 1}, NULL},
        {{"zeta"}, 1, 2, {0.1, 0.2}, "zeta"},
        {{"g"}, 1, 2, {9, 3}, NULL},
        {{"g", "tolerance"}, 2, 2, {9, 1e-6, 3, 1e-3}, NULL},
        {{"g", "tolerance"}, 2, 2, {9, 1e-3, 3, 1e-6}, NULL},
        {{"g", "nothing"}, 2, 2, {9, 1e-3, 3, 1e-6}, "nothing"},
        {{"g", "tolerance"}, 2, 2, {9, 1e-3, 3, -1}, "tolerance"},
    };
    const char *const texts[] = {text, stored};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; ++t) {
        PendulaSweep    *sweep = sweep_of(texts[t]);
        PendulaResult   *before = NULL, *first = NULL;
        const GivenCase *of_first = NULL;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
            const GivenCase *c = &cases[i];
            PendulaSweep    *fresh = sweep_of(texts[t]);
            PendulaError    *error = NULL, *expected = NULL;
            assert_true(pendula_sweep_set_points(sweep, c->names, c->columns, c->values, c->count, NULL));
            assert_true(pendula_sweep_set_points(fresh, c->names, c->columns, c->values, c->count, NULL));
            const bool fine = pendula_sweep_plan(fresh, &expected);
            assert_int_equal(pendula_sweep_plan(sweep, &error), fine);
            assert_string_equal(pendula_error_text(error), pendula_error_text(expected));
            assert_true(t > 0 || fine == !c->refusal);
            assert_true(!c->refusal || fine || strstr(pendula_error_text(error), c->refusal));
            if (fine) {
                assert_string_equal(pendula_sweep_settings(sweep), pendula_sweep_settings(fresh));
                PendulaResult *result = run_on(sweep, "reference"), *new = run_on(fresh, "reference");
                assert_true(same_results(result, new) > 0);
                pendula_result_free(new);
                new = run(sweep, NULL);
                pendula_result_free(before);
                before = run(fresh, NULL);
                assert_true(same_results(new, before) > 0);
                pendula_result_free(result);
                if (first) {
                    pendula_result_free(new);
                } else {
                    first = new;
                    of_first = c;
                }
            }
            pendula_error_free(error);
            pendula_error_free(expected);
            pendula_sweep_free(fresh);
        }
        assert_non_null(first);
        PendulaSweep *fresh = sweep_of(texts[t]);
        assert_true(pendula_sweep_set_points(fresh, of_first->names, of_first->columns, of_first->values,
                                             of_first->count, NULL));
        pendula_result_free(before);
        before = run(fresh, NULL);
        assert_true(same_results(first, before) > 0);
        pendula_sweep_free(fresh);
        pendula_sweep_free(sweep);
        pendula_result_free(before);
        pendula_result_free(first);
    }
}

TEST(a_kernel_file_is_given_as_a_text)
{
    static const char card[] =
        "//: problem: mine\n//: title: A spring\n//: equation: x'' = -k x\n//: dofs: 1\n//: parameters:\n"
        "//:   k: {default: 4.0, unit: \"1/s^2\", about: stiffness over mass}\n\n"
        "static void initial_state(const Params *p, real x[DOF], real v[DOF])\n{\n    x[0] = ONE;\n    v[0] = "
        "ZERO;\n}\n\n"
        "static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])\n{\n    "
        "a[0] = -p->k * x[0];\n}\n";
    PendulaSweep *sweep = pendula_sweep_new(NULL);
    PendulaError *error = NULL;
    double        end;
    assert_true(pendula_sweep_set(sweep, "problem", "./mine.cl", NULL));
    assert_true(pendula_sweep_set(sweep, "methods", "[rk4]", NULL));
    assert_true(pendula_sweep_set(sweep, "step", "0.01", NULL));
    assert_true(pendula_sweep_set(sweep, "end", "2", NULL));
    assert_false(pendula_sweep_plan(sweep, &error));
    assert_int_equal(pendula_error_code(error), PENDULA_IO);
    pendula_error_free(error);
    assert_true(pendula_sweep_set_file(sweep, "./mine.cl", card, NULL));
    PendulaResult *result = run(sweep, NULL);
    assert_true(pendula_result_read(result, "rk4", "x_final", &end, 1, NULL));
    assert_true(fabs(end - cos(4)) < 1e-6);
    pendula_result_free(result);
    pendula_sweep_free(sweep);
}

TEST(a_result_outlives_its_sweep)
{
    PendulaSweep  *sweep = sweep_of(pendulum);
    PendulaResult *result = run(sweep, NULL), *other;
    PendulaArray   array = {.size = sizeof array};
    assert_true(pendula_result_find(result, "rk4", "x0", &array));
    const double *x0 = array.data;
    assert_true(pendula_sweep_set(sweep, "parameters.x0", "[1, 2]", NULL));
    other = run(sweep, NULL);
    assert_int_equal(pendula_result_size(other, "rk4", "x0"), 2);
    pendula_sweep_free(sweep);
    assert_int_equal(pendula_result_size(result, "rk4", "x0"), 7);
    assert_true(x0[0] == 0.5 && x0[6] == 2.5);
    assert_string_equal(pendula_result_label(result, 0), "theta2");
    pendula_result_free(other);
    pendula_result_free(result);
}

static void expect(bool done, PendulaError *error, int code, int line, int column, const char *words)
{
    assert_false(done);
    assert_non_null(error);
    assert_int_equal(pendula_error_code(error), code);
    if (!strstr(pendula_error_text(error), words))
        fail_msg("the error is: %s", pendula_error_text(error));
    assert_int_equal(pendula_error_line(error), line);
    assert_int_equal(pendula_error_column(error), column);
    assert_int_equal(pendula_error_file(error) != NULL, line > 0);
    pendula_error_free(error);
}

// Makes a call, which takes &error, and expects its error.
#define EXPECT(call, ...)                 \
    do {                                  \
        PendulaError *error = NULL;       \
        const bool    done = (call) != 0; \
        expect(done, error, __VA_ARGS__); \
    } while (0)

TEST(errors_have_code_and_place)
{
    EXPECT(pendula_sweep_from_text("problem: pendulm\nmethods: [rk4]\nstep: 1\nend: 2\n", NULL, &error), PENDULA_INPUT,
           1, 10, "pendulum");
    EXPECT(pendula_sweep_from_text("problem: pendulum\nmethods: [rk4]\nstep: 1\n", "folder/of.yaml", &error),
           PENDULA_INPUT, 1, 1, "folder/of.yaml:1:1: ");
    EXPECT(pendula_sweep_from_file("no such file", &error), PENDULA_IO, 0, 0, "no such file");
    EXPECT(pendula_result_open("no such file", &error), PENDULA_IO, 0, 0, "no such file");

    PendulaSweep *sweep = sweep_of(lorenz);
    const double  nan = NAN, one = 1;
    const char   *name = "sigma", *wrong = "sigmaa";
    EXPECT(pendula_sweep_set(sweep, "parameters.rhoo", "2", &error) && pendula_sweep_plan(sweep, &error), PENDULA_USAGE,
           0, 0, "parameters.rhoo");
    pendula_sweep_free(sweep);
    sweep = sweep_of(lorenz);
    EXPECT(pendula_sweep_set_numbers(sweep, "step", &nan, 1, &error), PENDULA_USAGE, 0, 0, "nan");
    EXPECT(pendula_sweep_set_points(sweep, &name, 1, &nan, 1, &error), PENDULA_USAGE, 0, 0, "sigma");
    EXPECT(pendula_sweep_set_points(sweep, &wrong, 1, &one, 1, &error) && pendula_sweep_plan(sweep, &error),
           PENDULA_INPUT, 0, 0, "sigmaa");
    assert_true(pendula_sweep_set_points(sweep, NULL, 0, NULL, 0, NULL));
    PendulaRunOptions options = pendula_run_options();
    options.device = "no such device";
    EXPECT(pendula_sweep_run(sweep, &options, &error), PENDULA_DEVICE, 0, 0, "no such device");
    options = pendula_run_options();
    options.lanes = 3;
    EXPECT(pendula_sweep_run(sweep, &options, &error), PENDULA_USAGE, 0, 0, "3 lanes");
    options = (PendulaRunOptions){0};
    EXPECT(pendula_sweep_run(sweep, &options, &error), PENDULA_USAGE, 0, 0, "size");
    options = pendula_run_options();
    options.file = "/no such folder/of.h5";
    EXPECT(pendula_sweep_run(sweep, &options, &error), PENDULA_IO, 0, 0, "no such folder");
    assert_true(pendula_sweep_set_points(sweep, &name, 1, &one, 1, NULL));
    EXPECT(pendula_sweep_run(sweep, &options, &error), PENDULA_USAGE, 0, 0,
           "a file is replayed from the sweep's text, which does not have the points that were given");
    PendulaResult *result = run(sweep, NULL);
    double         number;
    EXPECT(pendula_result_read(result, "rk4", "no_such", &number, 1, &error), PENDULA_USAGE, 0, 0, "no_such");
    EXPECT(pendula_result_read(result, "rk4", "x_max", &number, 2, &error), PENDULA_USAGE, 0, 0, "room for 2");
    pendula_result_free(result);
    pendula_sweep_free(sweep);
}

TEST(nothing_is_an_argument_that_is_refused)
{
    PendulaArray  array = {.size = 4};
    PendulaSweep *sweep = pendula_sweep_new(NULL);
    assert_null(pendula_sweep_from_text(NULL, NULL, NULL));
    assert_null(pendula_sweep_from_file(NULL, NULL));
    assert_null(pendula_result_open(NULL, NULL));
    assert_null(pendula_sweep_run(NULL, NULL, NULL));
    assert_null(pendula_sweep_run(sweep, NULL, NULL));
    assert_false(pendula_sweep_plan(NULL, NULL));
    assert_false(pendula_sweep_set(NULL, "a", "b", NULL));
    assert_false(pendula_sweep_set(sweep, NULL, "b", NULL));
    assert_false(pendula_sweep_set(sweep, "a=b", "b", NULL));
    assert_false(pendula_sweep_set(sweep, "a", NULL, NULL));
    assert_false(pendula_sweep_set_numbers(sweep, "a", NULL, 1, NULL));
    assert_false(pendula_sweep_set_numbers(sweep, "a", (double[]){1}, 0, NULL));
    assert_false(pendula_sweep_set_file(sweep, NULL, NULL, NULL));
    assert_false(pendula_sweep_set_points(sweep, NULL, 1, NULL, 1, NULL));
    assert_false(pendula_result_read(NULL, NULL, NULL, NULL, 0, NULL));
    assert_false(pendula_result_array(NULL, NULL, 0, &array));
    assert_false(pendula_result_find(NULL, NULL, NULL, NULL));
    assert_int_equal(pendula_result_groups(NULL), 0);
    assert_int_equal(pendula_result_size(NULL, "rk4", "x_final"), 0);
    assert_null(pendula_result_label(NULL, 0));
    assert_false(pendula_result_complete(NULL));
    assert_null(pendula_sweep_warning(sweep, 0));
    assert_null(pendula_sweep_label(sweep, 0));
    assert_int_equal(pendula_error_code(NULL), 0);
    assert_string_equal(pendula_error_text(NULL), "");
    pendula_sweep_cancel(NULL);
    pendula_sweep_free(sweep);
    pendula_sweep_free(NULL);
    pendula_result_free(NULL);
    pendula_error_free(NULL);
    pendula_catalog_free(NULL);
    pendula_devices_free(NULL);
}

// A caller that was compiled with an older header, and one with a newer one.
TEST(structs_of_other_sizes_are_taken)
{
    PendulaSweep *sweep = sweep_of(lorenz);
    struct {
        PendulaRunOptions known;
        char              more[32];
    } newer = {.known = pendula_run_options()};
    PendulaRunOptions older = pendula_run_options();
    newer.known.size = sizeof newer;
    older.size = offsetof(PendulaRunOptions, memory);
    older.memory = 1;  // not of that header's
    PendulaResult *a = run(sweep, &newer.known), *b = run(sweep, &older);
    PendulaArray   array = {.size = offsetof(PendulaArray, rank), .rank = 99};
    assert_true(pendula_result_find(a, "rk4", "x_max", &array));
    assert_int_equal(array.rank, 99);
    assert_int_equal(array.size, offsetof(PendulaArray, rank));
    same_results(a, b);
    pendula_result_free(a);
    pendula_result_free(b);
    pendula_sweep_free(sweep);
}

// So long that nobody waits for its end.
static const char endless[] = "problem: lorenz\nparameters: {rho: {linear: [1, 28, 4000]}}\nmethods: [rk4]\nstep: "
                              "1e-6\nsteps: 1000000000\nmetrics: [x_max, updates]\n";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Calls {
    size_t count, points;
    double last;  // time of the last call, which ended the run
} Calls;

static bool end_soon(const PendulaProgress *progress, void *user)
{
    Calls *calls = user;
    calls->points = progress->points_total;
    calls->last = now();
    return ++calls->count < 3;
}

static void check_cancelled(PendulaResult *result, PendulaError *error)
{
    static double status[4000], x_max[4000];
    assert_non_null(result);
    assert_int_equal(pendula_error_code(error), PENDULA_STOPPED);
    assert_false(pendula_result_complete(result));
    assert_true(pendula_result_read(result, "rk4", "status", status, 4000, NULL));
    assert_true(pendula_result_read(result, "rk4", "x_max", x_max, 4000, NULL));
    for (size_t i = 0; i < 4000; ++i)
        assert_true(status[i] == 0 && isnan(x_max[i]));
    pendula_result_free(result);
    pendula_error_free(error);
}

TEST(a_run_ends_when_its_progress_says_so)
{
    static const char *const devices[] = {"cpu", "native", "reference"};
    for (size_t d = 0; d < 3; ++d) {
        PendulaSweep     *sweep = sweep_of(endless);
        PendulaRunOptions options = pendula_run_options();
        options.device = devices[d];
        options.progress = end_soon;
        // The second run has the programs of the first, and stays in this thread on devices.
        for (int run = 0; run < 2; ++run) {
            Calls         calls = {0};
            PendulaError *error = NULL;
            options.user = &calls;
            PendulaResult *result = pendula_sweep_run(sweep, &options, &error);
            assert_true(now() - calls.last < 2);
            assert_int_equal(calls.points, 4000);
            check_cancelled(result, error);
        }
        pendula_sweep_free(sweep);
    }
}

static void *cancel_soon(void *sweep)
{
    nanosleep(&(struct timespec){.tv_sec = 3}, NULL);
    pendula_sweep_cancel(sweep);
    return NULL;
}

TEST(another_thread_cancels_a_run_and_seconds_do)
{
    static const char *const devices[] = {"cpu", "reference"};
    for (size_t d = 0; d < 2; ++d)
        for (int by_seconds = 0; by_seconds < 2; ++by_seconds) {
            PendulaSweep     *sweep = sweep_of(endless);
            PendulaError     *error = NULL;
            PendulaRunOptions options = pendula_run_options();
            pthread_t         thread;
            options.device = devices[d];
            options.seconds = by_seconds ? 3 : 0;
            if (!by_seconds)
                assert_int_equal(pthread_create(&thread, NULL, cancel_soon, sweep), 0);
            const double   begin = now();
            PendulaResult *result = pendula_sweep_run(sweep, &options, &error);
            assert_true(now() - begin < 3 + 2);
            if (!by_seconds)
                pthread_join(thread, NULL);
            check_cancelled(result, error);
            pendula_sweep_free(sweep);
        }
}

typedef struct Job {
    const char    *text, *device;
    PendulaResult *result;
    PendulaError  *error;
} Job;

static void *do_job(void *given)
{
    Job              *job = given;
    PendulaRunOptions options = pendula_run_options();
    PendulaSweep     *sweep = pendula_sweep_from_text(job->text, NULL, &job->error);
    options.device = job->device;
    job->result = sweep ? pendula_sweep_run(sweep, &options, &job->error) : NULL;
    pendula_sweep_free(sweep);
    return NULL;
}

TEST(four_threads_have_a_sweep_each)
{
    Job       jobs[] = {{.text = pendulum, .device = "cpu"},
                        {.text = spring, .device = "cpu"},
                        {.text = lorenz, .device = "native"},
                        {.text = pendulum, .device = "reference"}};
    pthread_t threads[4];
    for (size_t i = 0; i < 4; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, do_job, &jobs[i]), 0);
    for (size_t i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < 4; ++i) {
        PendulaSweep *sweep = sweep_of(jobs[i].text);
        if (!jobs[i].result)
            refuse(jobs[i].error);
        PendulaResult *alone = run_on(sweep, jobs[i].device);
        same_results(jobs[i].result, alone);
        pendula_result_free(jobs[i].result);
        pendula_result_free(alone);
        pendula_sweep_free(sweep);
    }
}

TEST(problems_methods_metrics_and_devices_are_listed)
{
    PendulaCatalog *catalog = pendula_catalog_new(NULL);
    PendulaDevices *devices = pendula_devices_new(NULL);
    PendulaDevice   device = {.size = sizeof device};
    size_t          count[3] = {0};
    bool            pendulum_is_there = false;
    for (PendulaKind kind = PENDULA_PROBLEM; kind <= PENDULA_METRIC; ++kind)
        for (const char *name; (name = pendula_catalog_name(catalog, kind, count[kind])) != NULL; ++count[kind]) {
            assert_non_null(pendula_catalog_title(catalog, kind, count[kind]));
            pendulum_is_there = pendulum_is_there || (kind == PENDULA_PROBLEM && strcmp(name, "pendulum") == 0);
        }
    assert_true(pendulum_is_there && count[PENDULA_PROBLEM] >= 11 && count[PENDULA_METHOD] >= 30 &&
                count[PENDULA_METRIC] >= 30);
    assert_true(pendula_devices_count(devices) >= 1);
    assert_true(pendula_devices_get(devices, 0, &device));
    assert_true(*device.name && device.memory > 0);
    assert_false(pendula_devices_get(devices, 1000, &device));
    assert_non_null(strchr(pendula_version(), '.'));
    pendula_catalog_free(catalog);
    pendula_devices_free(devices);
}
