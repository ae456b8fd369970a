// test_analyses -- analyses by the library's header: indices, fronts, spectra and pairs are those of closed forms,
// indices of a result in memory those of its file, and kernels conform.
#include "pendula.h"

#include "support/same_results.h"
#include "support/test.h"

#include <time.h>
#include <unistd.h>

enum { FACTORS = 3 };
static const double      pi = 3.14159265358979323846;
static const char *const factors[FACTORS] = {"a", "b", "c"}, *const output[] = {"y"};

// The radical inverse of a number in a base: points of Halton's sequence.
static double halton(unsigned base, unsigned number)
{
    double part = 1.0, sum = 0.0;
    for (; number; number /= base) {
        part /= base;
        sum += part * (number % base);
    }
    return sum;
}

static void draw(unsigned number, unsigned first, double least, double most, double point[FACTORS])
{
    static const unsigned primes[] = {2, 3, 5, 7, 11, 13};
    for (unsigned i = 0; i < FACTORS; ++i)
        point[i] = least + (most - least) * halton(primes[first + i], number + 20);
}

static double ishigami(const double x[FACTORS])
{
    return sin(x[0]) + 7.0 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4.0) * sin(x[0]);
}

// Rows in SALib's order: A, AB_1, .., [BA_1, ..], B.
static size_t fill_saltelli(size_t samples, bool second, double *x, double *y)
{
    const size_t roles = second ? 2 * FACTORS + 2 : FACTORS + 2;
    for (size_t k = 0; k < samples; ++k) {
        double a[FACTORS], b[FACTORS];
        draw((unsigned)k, 0, -pi, pi, a);
        draw((unsigned)k, FACTORS, -pi, pi, b);
        for (size_t r = 0; r < roles; ++r) {
            double      *row = x + (k * roles + r) * FACTORS;
            const bool   of_b = r > FACTORS;
            const size_t mixed = r == 0 || r + 1 == roles ? FACTORS : (r - 1) % FACTORS;
            for (size_t i = 0; i < FACTORS; ++i)
                row[i] = (of_b != (i == mixed)) ? b[i] : a[i];
            y[k * roles + r] = ishigami(row);
        }
    }
    return samples * roles;
}

static void refuse(PendulaError *error)
{
    fail_msg("%s", pendula_error_text(error));
}

static PendulaResult *analyse(const double *x, const double *y, size_t points, const PendulaSensitivityOptions *options)
{
    PendulaError  *error = NULL;
    PendulaResult *found = pendula_sensitivity(x, factors, FACTORS, y, output, 1, points, options, &error);
    if (!found)
        refuse(error);
    assert_null(error);
    assert_int_equal(pendula_result_groups(found), 1);
    assert_string_equal(pendula_result_label(found, 0), "y");
    assert_true(pendula_result_complete(found));
    return found;
}

// The numbers of an array, which has so many.
static const double *numbers(const PendulaResult *found, const char *name, size_t count)
{
    PendulaArray array = {.size = sizeof array};
    if (!pendula_result_find(found, "y", name, &array))
        fail_msg("there is no '%s'", name);
    assert_int_equal(array.count, count);
    assert_int_equal(array.type, PENDULA_F64);
    return array.data;
}

static bool says(const PendulaResult *found, const char *words)
{
    const char *line;
    for (size_t i = 0; (line = pendula_result_text(found, "y", "message", i)) != NULL; ++i)
        if (strstr(line, words))
            return true;
    return false;
}

TEST(rows_of_saltelli_have_the_indices_of_ishigami)
{
    static const double first[] = {0.313905, 0.442411, 0.0}, total[] = {0.557589, 0.442411, 0.243684};
    enum { SAMPLES = 4096, MOST = SAMPLES * (2 * FACTORS + 2) };
    double *x = malloc(MOST * FACTORS * sizeof *x), *y = malloc(MOST * sizeof *y);
    for (int second = 0; second < 2; ++second) {
        const size_t   points = fill_saltelli(SAMPLES, second == 1, x, y);
        PendulaResult *found = analyse(x, y, points, NULL);
        PendulaArray   none = {.size = sizeof none};
        assert_string_equal(pendula_result_text(found, "y", "index", 0), "sobol");
        assert_true(says(found, "rows of Saltelli's design, a base sample after the other"));
        assert_int_equal(pendula_result_find(found, "y", "S2", &none), second == 1);
        for (size_t i = 0; i < FACTORS; ++i) {
            assert_string_equal(pendula_result_text(found, "y", "factor", i), factors[i]);
            assert_near(numbers(found, "S1", FACTORS)[i], first[i], 0.02);
            assert_near(numbers(found, "ST", FACTORS)[i], total[i], 0.02);
            assert_true(numbers(found, "S1_conf", FACTORS)[i] > 0.0 && numbers(found, "ST_conf", FACTORS)[i] < 0.1);
        }
        assert_null(pendula_result_text(found, "y", "factor", FACTORS));
        assert_near(numbers(found, "mean", 1)[0], 3.5, 0.05);
        if (second) {
            const double *pairs = numbers(found, "S2", FACTORS * FACTORS);
            assert_near(pairs[2], 0.243684, 0.03);
            assert_near(pairs[1], 0.0, 0.03);
            assert_true(pairs[6] == pairs[2] && isnan(pairs[0]));
        }
        pendula_result_free(found);
    }
    free(x);
    free(y);
}

TEST(a_point_without_a_number_takes_its_sample_with_it)
{
    enum { SAMPLES = 256, POINTS = SAMPLES * (FACTORS + 2) };
    double                   *x = malloc(POINTS * FACTORS * sizeof *x), *y = malloc(POINTS * sizeof *y);
    PendulaSensitivityOptions options = pendula_sensitivity_options();
    PendulaError             *error = NULL;
    fill_saltelli(SAMPLES, false, x, y);
    y[7] = (double)NAN;
    PendulaResult *found = analyse(x, y, POINTS, &options);
    assert_true(numbers(found, "failed", 1)[0] == 1.0 && numbers(found, "dropped", 1)[0] == 1.0);
    assert_true(says(found, "1 points failed or have no number"));
    pendula_result_free(found);
    options.failed = "refuse";
    assert_null(pendula_sensitivity(x, factors, FACTORS, y, output, 1, POINTS, &options, &error));
    assert_int_equal(pendula_error_code(error), PENDULA_INPUT);
    pendula_error_free(error);
    for (size_t i = 0; i < POINTS; ++i)
        y[i] = 2.0;
    found = analyse(x, y, POINTS, NULL);
    assert_true(isnan(numbers(found, "S1", FACTORS)[0]) && says(found, "no indices: the output is constant"));
    pendula_result_free(found);
    free(x);
    free(y);
}

// Of four levels, each step by two of them.
TEST(trajectories_of_morris_have_the_slopes_of_a_linear_function)
{
    static const size_t orders[][FACTORS] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
    enum { ROWS = 4 * (FACTORS + 1) };
    double x[ROWS][FACTORS], y[ROWS];
    for (size_t t = 0; t < 4; ++t) {
        double at[FACTORS] = {(double)(t % 2), (double)(t / 2), (double)((t + 1) % 2)};
        for (size_t s = 0; s <= FACTORS; ++s) {
            if (s > 0)
                at[orders[t][s - 1]] += 2.0;
            memcpy(x[t * (FACTORS + 1) + s], at, sizeof at);
            y[t * (FACTORS + 1) + s] = 5.0 + 2.0 * at[0] - 3.0 * at[1];
        }
    }
    static const double slopes[] = {6.0, -9.0, 0.0};  // over the range from 0 to 3
    PendulaResult      *found = analyse(&x[0][0], y, ROWS, NULL);
    assert_string_equal(pendula_result_text(found, "y", "index", 0), "morris");
    for (size_t i = 0; i < FACTORS; ++i) {
        assert_near(numbers(found, "mu", FACTORS)[i], slopes[i], 1e-12);
        assert_near(numbers(found, "mu_star", FACTORS)[i], fabs(slopes[i]), 1e-12);
        assert_near(numbers(found, "sigma", FACTORS)[i], 0.0, 1e-12);
    }
    pendula_result_free(found);
}

// y = a + b^2 + a b, uniform from 0 to 1: an expansion of degree 2 is exact.
TEST(an_expansion_has_the_indices_of_a_polynomial)
{
    static const char *const uniform[] = {"{uniform: [0, 1]}", "{uniform: [0, 1]}", "{uniform: [0, 1]}"};
    const double             a = 9.0 / 48.0, b = 4.0 / 45.0 + 1.0 / 48.0 + 1.0 / 12.0, both = 1.0 / 144.0;
    const double             first[] = {a, b, 0.0}, total[] = {a + both, b + both, 0.0}, all = a + b + both;
    enum { POINTS = 200 };
    double x[POINTS][FACTORS], y[POINTS];
    for (unsigned i = 0; i < POINTS; ++i) {
        draw(i, 0, 0.0, 1.0, x[i]);
        y[i] = x[i][0] + x[i][1] * x[i][1] + x[i][0] * x[i][1];
    }
    PendulaSensitivityOptions options = pendula_sensitivity_options();
    options.index = "chaos";
    options.distributions = uniform;
    PendulaResult *found = analyse(&x[0][0], y, POINTS, &options);
    assert_near(numbers(found, "Q2", 1)[0], 1.0, 1e-9);
    for (size_t i = 0; i < FACTORS; ++i) {
        assert_near(numbers(found, "S1", FACTORS)[i], first[i] / all, 1e-9);
        assert_near(numbers(found, "ST", FACTORS)[i], total[i] / all, 1e-9);
        assert_near(numbers(found, "shapley", FACTORS)[i], 0.5 * (first[i] + total[i]) / all, 1e-9);
    }
    assert_near(numbers(found, "S2", FACTORS * FACTORS)[1], both / all, 1e-9);
    pendula_result_free(found);
    // At places within the distribution the expansion is the polynomial; at others it gives NaN.
    static const double at[][FACTORS] = {{0.3, 0.7, 0.1}, {1.0, 0.0, 1.0}, {0.5, 1.25, 0.5}};
    PendulaError       *error = NULL;
    found = pendula_predict(&x[0][0], factors, FACTORS, y, output, 1, POINTS, &at[0][0], 3, &options, &error);
    if (!found)
        refuse(error);
    assert_near(numbers(found, "Q2", 1)[0], 1.0, 1e-9);
    for (size_t i = 0; i < 2; ++i) {
        assert_near(numbers(found, "value", 3)[i], at[i][0] + at[i][1] * at[i][1] + at[i][0] * at[i][1], 1e-12);
        assert_true(numbers(found, "error", 3)[i] >= 0.0 && numbers(found, "error", 3)[i] < 1e-12);
    }
    assert_true(isnan(numbers(found, "value", 3)[2]) && isnan(numbers(found, "error", 3)[2]));
    assert_true(says(found, "no prediction at place 2: b = 1.25 lies outside 0 to 1"));
    pendula_result_free(found);
    assert_null(pendula_predict(&x[0][0], factors, FACTORS, y, output, 1, POINTS, NULL, 3, NULL, &error));
    assert_int_equal(pendula_error_code(error), PENDULA_USAGE);
    pendula_error_free(error);
    // The same points without them: the first order by ranks.
    found = analyse(&x[0][0], y, POINTS, NULL);
    assert_string_equal(pendula_result_text(found, "y", "index", 0), "given");
    assert_true(numbers(found, "pawn", FACTORS)[0] > numbers(found, "pawn_dummy", FACTORS)[0]);
    assert_true(numbers(found, "pawn", FACTORS)[2] < numbers(found, "pawn", FACTORS)[0]);
    pendula_result_free(found);
}

static void check_refused(const double *x, const char *const *names, const char *name, size_t points,
                          const PendulaSensitivityOptions *options, const char *words)
{
    const double        *y = x;  // any numbers
    PendulaError        *error = NULL;
    const PendulaResult *found = pendula_sensitivity(x, names, FACTORS, y, &name, 1, points, options, &error);
    assert_null(found);
    assert_int_equal(pendula_error_code(error), PENDULA_USAGE);
    if (!strstr(pendula_error_text(error), words))
        fail_msg("'%s' is not in: %s", words, pendula_error_text(error));
    pendula_error_free(error);
}

TEST(what_does_not_fit_is_refused)
{
    static const char *const twice[] = {"a", "b", "a"}, *const status[] = {"a", "status", "c"};
    PendulaSensitivityOptions options = pendula_sensitivity_options();
    enum { POINTS = 40 };
    double x[POINTS][FACTORS], star[7][FACTORS] = {{0}};
    for (unsigned i = 0; i < POINTS; ++i)
        draw(i, 0, 0.0, 1.0, x[i]);
    for (size_t i = 1; i < 7; ++i)
        star[i][(i - 1) / 2] = i % 2 ? 1.0 : -1.0;
    check_refused(&star[0][0], factors, "y", 7, NULL, "its points move one factor at a time");
    check_refused(&x[0][0], twice, "y", POINTS, NULL, "'a' is the name of two columns");
    check_refused(&x[0][0], factors, "c", POINTS, NULL, "'c' is the name of two columns");
    check_refused(&x[0][0], status, "y", POINTS, NULL, "no factor can be called 'status'");
    check_refused(&x[0][0], factors, NULL, POINTS, NULL, "output 0 has no name");
    check_refused(&x[0][0], factors, "y", 0, NULL, "at least one of each");
    check_refused(NULL, factors, "y", POINTS, NULL, "NULL");
    options.index = "morris";
    check_refused(&x[0][0], factors, "y", POINTS, &options, "does not serve the index morris; given does");
    options.index = "sobl";
    check_refused(&x[0][0], factors, "y", POINTS, &options, "index: 'sobl' is none of sobol, morris");
    options.index = NULL;
    options.size = 0;
    check_refused(&x[0][0], factors, "y", POINTS, &options, "the options have no size");
    x[3][1] = (double)INFINITY;
    check_refused(&x[0][0], factors, "y", POINTS, NULL, "point 3 has no finite 'b'");
    for (unsigned i = 0; i < POINTS; ++i) {
        draw(i, 0, 0.0, 1.0, x[i]);
        x[i][2] = exp(x[i][0]);
    }
    check_refused(&x[0][0], factors, "y", POINTS, NULL, "'a' and 'c' go together");
}

TEST(a_result_in_memory_has_the_indices_of_its_file)
{
    static const char *const designs[] = {"saltelli: {samples: 64, second_order: true}", "morris: {trajectories: 12}",
                                          "local: {}", "one_at_a_time: {}", "lhs: {samples: 200}"};
    static const char *const indices[] = {"sobol", "morris", "local", "swing", "given"};
    char                     folder[] = "/tmp/pendula_analyses_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file.h5", folder);
    for (size_t i = 0; i < sizeof designs / sizeof *designs; ++i) {
        char text[512];
        snprintf(text, sizeof text,
                 "problem: harmonic_oscillator\nparameters: {omega: {uniform: [1, 2]}, x0: {uniform: [1, 2]}}\n"
                 "design: {%s, inside: grid}\nmethods: [rk4, theta2]\nstep: [0.05, 0.1]\nend: 2\nmetrics: [x_final, "
                 "energy_drift]\n",
                 designs[i]);
        PendulaError     *error = NULL;
        PendulaRunOptions options = pendula_run_options();
        PendulaSweep     *sweep = pendula_sweep_from_text(text, NULL, &error);
        if (!sweep)
            refuse(error);
        options.device = "reference";
        PendulaResult *memory = pendula_sweep_run(sweep, &options, &error);
        options.file = path;
        options.mode = PENDULA_REPLACE;
        PendulaResult *file = memory ? pendula_sweep_run(sweep, &options, &error) : NULL;
        PendulaResult *a = file ? pendula_result_sensitivity(memory, "theta2", NULL, &error) : NULL;
        PendulaResult *b = a ? pendula_result_sensitivity(file, "theta2", NULL, &error) : NULL;
        PendulaArray   array = {.size = sizeof array};
        if (!b)
            refuse(error);
        assert_true(same_results(a, b) > 5);
        assert_string_equal(pendula_result_text(a, "x_final[0]", "index", 0), indices[i]);
        // A table for each step, where the design stands inside a grid.
        assert_true(pendula_result_find(a, "x_final[0]", "mean", &array));
        assert_int_equal(array.count, 2);
        assert_string_equal(array.dims[0], "step");
        pendula_result_free(a);
        pendula_result_free(b);
        assert_null(pendula_result_sensitivity(memory, "rk5", NULL, &error));
        assert_int_equal(pendula_error_code(error), PENDULA_USAGE);
        pendula_error_free(error);
        pendula_result_free(memory);
        pendula_result_free(file);
        pendula_sweep_free(sweep);
    }
    unlink(path);
    rmdir(folder);
}

TEST(a_result_of_an_analysis_is_not_one_of_a_run)
{
    const double   omega = 1.0, zeta = 0.0;
    PendulaError  *error = NULL;
    PendulaResult *found = pendula_spectrum((const char *[]){"rk4"}, 1, NULL, 0, &omega, 1, &zeta, 1, NULL, &error);
    if (!found)
        refuse(error);
    for (int way = 0; way < 2; ++way) {
        assert_null(way ? pendula_result_conform(found, NULL, &error)
                        : pendula_result_sensitivity(found, NULL, NULL, &error));
        assert_int_equal(pendula_error_code(error), PENDULA_USAGE);
        assert_string_equal(pendula_error_text(error), "the result is that of an analysis: give that of the run");
        pendula_error_free(error);
        error = NULL;
    }
    pendula_result_free(found);
}

TEST(a_front_is_what_no_other_point_dominates)
{
    enum { POINTS = 300, MOST = 4 };
    double values[POINTS * MOST];
    bool   front[POINTS];
    for (size_t count = 1; count <= MOST; ++count) {
        size_t on = 0;
        for (size_t i = 0; i < POINTS * count; ++i)
            values[i] = floor(20.0 * halton(2 + (unsigned)(i % count), (unsigned)(7 * i + 1)));
        values[5 * count] = (double)NAN;
        values[6 * count] = (double)-INFINITY;
        assert_true(pendula_pareto(values, count, POINTS, front, NULL));
        for (size_t i = 0; i < POINTS; ++i) {
            bool best = i != 5 && i != 6;
            for (size_t k = 0; best && k < POINTS; ++k) {
                bool as_good = k != 5 && k != 6, better = false;
                for (size_t o = 0; o < count; ++o) {
                    as_good = as_good && values[k * count + o] <= values[i * count + o];
                    better = better || values[k * count + o] < values[i * count + o];
                }
                best = !(as_good && better);
            }
            assert_int_equal(front[i], best);
            on += front[i];
        }
        assert_true(on > 0 && on < POINTS);
    }
    PendulaError *error = NULL;
    assert_false(pendula_pareto(values, 5, 1, front, &error));
    assert_int_equal(pendula_error_code(error), PENDULA_USAGE);
    pendula_error_free(error);
    assert_false(pendula_pareto(NULL, 2, 1, front, NULL));
    assert_true(pendula_pareto(values, 2, 0, front, NULL));
}

TEST(spectra_are_those_of_closed_forms)
{
    static const char *const methods[] = {"newmark", "generalized_alpha", "rk4", "symplectic_euler"};
    static const char *const settings[] = {"newmark.beta=0.25", "newmark.gamma=0.5", "rho_inf=0.3,0.6"};
    const double             omegas[] = {0.1, 1.0, 1e6}, zetas[] = {0.0, 0.05};
    PendulaError            *error = NULL;
    PendulaResult           *found = pendula_spectrum(methods, 4, settings, 3, omegas, 3, zetas, 2, NULL, &error);
    double                   radius[6], period[6], damping[6], critical[2], kernel[6], axis[3];
    if (!found)
        refuse(error);
    assert_int_equal(pendula_result_groups(found), 5);
    // The trapezoidal rule: it damps nothing, and turns by 2 atan(Omega/2).
    const char *label = pendula_result_label(found, 0);
    assert_string_equal(pendula_result_text(found, label, "method", 0), "newmark");
    assert_true(pendula_result_read(found, label, "radius", radius, 6, NULL) &&
                pendula_result_read(found, label, "period_error", period, 6, NULL) &&
                pendula_result_read(found, label, "damping_ratio", damping, 6, NULL) &&
                pendula_result_read(found, label, "critical", critical, 2, NULL) &&
                pendula_result_read(found, label, "radius_kernel", kernel, 6, NULL) &&
                pendula_result_read(found, label, "omega_h", axis, 3, NULL));
    for (size_t i = 0; i < 2; ++i) {
        assert_near(radius[i], 1.0, 1e-12);
        assert_near(damping[i], 0.0, 1e-12);
        assert_near(period[i], omegas[i] / (2.0 * atan(0.5 * omegas[i])) - 1.0, 1e-9);
        assert_true(isnan(kernel[i]) && axis[i] == omegas[i]);
    }
    assert_true(radius[4] < 1.0 && isinf(critical[0]));
    for (size_t k = 0; k < 2; ++k) {
        assert_true(pendula_result_read(found, pendula_result_label(found, 1 + k), "radius", radius, 6, NULL));
        assert_near(radius[2], k ? 0.6 : 0.3, 1e-3);
    }
    assert_true(pendula_result_read(found, pendula_result_label(found, 3), "critical", critical, 2, NULL));
    assert_near(critical[0], 2.0 * sqrt(2.0), 1e-6);
    assert_true(pendula_result_read(found, pendula_result_label(found, 4), "critical", critical, 2, NULL));
    assert_near(critical[0], 2.0, 1e-6);
    pendula_result_free(found);
    assert_null(pendula_spectrum((const char *[]){"rk5"}, 1, NULL, 0, omegas, 3, zetas, 2, NULL, &error));
    assert_int_equal(pendula_error_code(error), PENDULA_USAGE);
    pendula_error_free(error);
    assert_null(pendula_spectrum(methods, 1, NULL, 0, (double[]){0.0}, 1, zetas, 2, NULL, NULL));
    assert_null(pendula_spectrum(methods, 0, NULL, 0, omegas, 3, zetas, 2, NULL, NULL));
}

// The radius of the theta method goes to (1 - theta)/theta, that of generalised alpha to rho_inf.
TEST(pairs_are_those_of_a_closed_form)
{
    const double        values[] = {0.25, 0.5, 1.0};
    PendulaPairsOptions options = pendula_pairs_options();
    PendulaError       *error = NULL;
    double              from[3], to[3];
    options.criterion = "high_frequency";
    options.range[0] = 0.5;
    options.range[1] = 1.0;
    PendulaResult *found = pendula_pairs("generalized_alpha", "theta1", values, 3, &options, &error);
    if (!found)
        refuse(error);
    assert_true(pendula_result_read(found, NULL, "rho_inf", from, 3, NULL) &&
                pendula_result_read(found, NULL, "theta1", to, 3, NULL));
    for (size_t i = 0; i < 3; ++i) {
        assert_true(from[i] == values[i]);
        assert_near(to[i], 1.0 / (1.0 + values[i]), 1e-9);
        assert_string_equal(pendula_result_text(found, NULL, "reason", i), "");
    }
    assert_non_null(pendula_result_text(found, NULL, "message", 0));
    pendula_result_free(found);
    // Where the range has none, a reason says so.
    options.range[0] = 0.9;
    found = pendula_pairs("generalized_alpha", "theta1", &values[2], 1, &options, NULL);
    assert_true(pendula_result_read(found, NULL, "theta1", to, 1, NULL) && isnan(to[0]));
    assert_true(*pendula_result_text(found, NULL, "reason", 0));
    pendula_result_free(found);
    options.criterion = "low";
    assert_null(pendula_pairs("generalized_alpha", "theta1", values, 3, &options, &error));
    assert_int_equal(pendula_error_code(error), PENDULA_USAGE);
    pendula_error_free(error);
    options.criterion = "radius";
    options.omega_h = -1.0;
    assert_null(pendula_pairs("generalized_alpha", "theta1", values, 3, &options, NULL));
    assert_null(pendula_pairs(NULL, "theta1", values, 3, NULL, NULL));
}

// Of two of three points, each of ten steps; the beginning of a point counts too.
static void check_conforms(PendulaResult *found, PendulaError *error)
{
    static const char *const names[] = {"passed",  "points",           "same_bits", "substeps", "substeps_certified",
                                        "metrics", "metrics_certified"};
    if (!found)
        refuse(error);
    assert_int_equal(pendula_result_groups(found), 2);
    for (size_t g = 0; g < 2; ++g) {
        double      counts[7];
        const char *label = pendula_result_label(found, g), *line;
        bool        conforms = false;
        for (size_t i = 0; i < 7; ++i)
            assert_true(pendula_result_read(found, label, names[i], &counts[i], 1, NULL));
        assert_true(counts[0] == 1.0 && counts[1] == 2.0 && counts[2] == 2.0);
        assert_true(counts[3] == 22.0 && counts[4] == 22.0 && counts[5] > 20.0 && counts[6] == counts[5]);
        for (size_t i = 0; (line = pendula_result_text(found, label, "message", i)) != NULL; ++i)
            conforms = conforms || strcmp(line, "conforms") == 0;
        assert_true(conforms);
    }
    pendula_result_free(found);
}

// The sweep's text lacks what is set by a key, which counts too.
TEST(kernels_of_a_sweep_and_of_its_results_conform)
{
    static const char *const devices[] = {"native"}, *const none[] = {"no such"};
    PendulaConformOptions check = pendula_conform_options();
    char                  folder[] = "/tmp/pendula_analyses_XXXXXX", path[64];
    PendulaError         *error = NULL;
    PendulaRunOptions     options = pendula_run_options();
    PendulaSweep         *sweep = pendula_sweep_from_text("problem: pendulum\nparameters: {x0: [0.5, 1.0, 1.5]}\n"
                                                                  "methods: [rk4, theta1]\nstep: 0.1\nend: 5\n",
                                                          NULL, &error);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file.h5", folder);
    if (!sweep || !pendula_sweep_set(sweep, "end", "1", &error))
        refuse(error);
    check.devices = devices;
    check.device_count = 1;
    check.sample = 2;
    check_conforms(pendula_sweep_conform(sweep, &check, &error), error);
    options.device = "reference";
    PendulaResult *memory = pendula_sweep_run(sweep, &options, &error);
    check_conforms(memory ? pendula_result_conform(memory, &check, &error) : NULL, error);
    options.file = path;
    PendulaResult *file = pendula_sweep_run(sweep, &options, &error);
    check_conforms(file ? pendula_result_conform(file, &check, &error) : NULL, error);
    pendula_result_free(file);
    pendula_result_free(memory);
    check.devices = none;
    assert_null(pendula_sweep_conform(sweep, &check, &error));
    assert_int_equal(pendula_error_code(error), PENDULA_DEVICE);
    pendula_error_free(error);
    check.devices = devices;
    assert_true(pendula_sweep_set_points(sweep, (const char *[]){"v0"}, 1, (double[]){0.5}, 1, NULL));
    assert_null(pendula_sweep_conform(sweep, &check, &error));
    assert_int_equal(pendula_error_code(error), PENDULA_USAGE);
    pendula_error_free(error);
    assert_null(pendula_sweep_conform(NULL, &check, NULL));
    assert_null(pendula_result_conform(NULL, &check, NULL));
    pendula_sweep_free(sweep);
    unlink(path);
    rmdir(folder);
}

typedef struct Watched {
    PendulaSweep   *sweep;  // is cancelled; NULL: the call back says so
    double          begun, told;
    PendulaProgress last;
} Watched;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Ends it after a second.
static bool end_later(const PendulaProgress *progress, void *user)
{
    Watched *watched = user;
    watched->last = *progress;
    if (watched->begun == 0.0)
        watched->begun = seconds_now();
    if (watched->told > 0.0 || seconds_now() < watched->begun + 1.0)
        return true;
    watched->told = seconds_now();
    if (!watched->sweep)
        return false;
    pendula_sweep_cancel(watched->sweep);
    return true;
}

TEST(a_check_of_kernels_is_cancelled_within_two_seconds)
{
    static const char *const devices[] = {"native"};
    PendulaError            *error = NULL;
    PendulaConformOptions    check = pendula_conform_options();
    PendulaRunOptions        options = pendula_run_options();
    PendulaSweep *sweep = pendula_sweep_from_text("problem: pendulum\nparameters: {x0: {linear: [0.5, 1.5, 1000]}}\n"
                                                  "methods: [theta2]\nstep: 0.001\nend: 1000\n",
                                                  NULL, &error);
    if (!sweep)
        refuse(error);
    options.device = "reference";
    options.seconds = 0.1;
    PendulaResult *part = pendula_sweep_run(sweep, &options, NULL);
    assert_non_null(part);
    check.devices = devices;
    check.device_count = 1;
    check.progress = end_later;
    for (int way = 0; way < 3; ++way) {
        Watched watched = {.sweep = way == 1 ? sweep : NULL};
        check.user = &watched;
        assert_null(way == 2 ? pendula_result_conform(part, &check, &error)
                             : pendula_sweep_conform(sweep, &check, &error));
        assert_int_equal(pendula_error_code(error), PENDULA_STOPPED);
        assert_true(watched.told > 0.0 && seconds_now() - watched.told < 3.0);
        assert_true(watched.last.points_total == 1000 && watched.last.points_done < 1000);
        pendula_error_free(error);
        error = NULL;
    }
    pendula_result_free(part);
    pendula_sweep_free(sweep);
}
