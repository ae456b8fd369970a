// test_levenberg -- the method of Levenberg and Marquardt on problems with certified or closed solutions.
#include "analysis/fit/levenberg.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum { MOST_DATA = 40, MOST_STARTS = 64 };

// Nonlinear regression of the Statistical Reference Datasets of NIST, www.itl.nist.gov/div898/strd/nls: data, both
// starts, certified values with 11 digits and standard deviations.
typedef struct Regression {
    const char *name;
    size_t      parameters, count;
    double      x[MOST_DATA], y[MOST_DATA];
    double      starts[2][TRIANGLE_MOST];
    double      certified[TRIANGLE_MOST], deviations[TRIANGLE_MOST];
    double      squares;
    // The model and its derivatives by the parameters.
    double (*model)(const double *b, double x, double *slopes);
} Regression;

static double misra1a(const double *b, double x, double *slopes)
{
    const double e = exp(-b[1] * x);
    slopes[0] = 1.0 - e;
    slopes[1] = b[0] * x * e;
    return b[0] * (1.0 - e);
}

static double thurber(const double *b, double x, double *slopes)
{
    const double above = b[0] + x * (b[1] + x * (b[2] + x * b[3])), below = 1.0 + x * (b[4] + x * (b[5] + x * b[6]));
    for (int i = 0; i < 4; ++i)
        slopes[i] = pow(x, i) / below;
    for (int i = 1; i < 4; ++i)
        slopes[3 + i] = -above * pow(x, i) / (below * below);
    return above / below;
}

static double mgh09(const double *b, double x, double *slopes)
{
    const double above = x * x + x * b[1], below = x * x + x * b[2] + b[3];
    slopes[0] = above / below;
    slopes[1] = b[0] * x / below;
    slopes[2] = -b[0] * above * x / (below * below);
    slopes[3] = -b[0] * above / (below * below);
    return b[0] * above / below;
}

static double lanczos(const double *b, double x, double *slopes)
{
    double sum = 0.0;
    for (int i = 0; i < 6; i += 2) {
        slopes[i] = exp(-b[i + 1] * x);
        slopes[i + 1] = -b[i] * x * slopes[i];
        sum += b[i] * slopes[i];
    }
    return sum;
}

static const Regression regressions[] = {
    {"Misra1a",
     2,
     14,
     {77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0},
     {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78},
     {{500.0, 1e-4}, {250.0, 5e-4}},
     {2.3894212918e+02, 5.5015643181e-04},
     {2.7070075241e+00, 7.2668688436e-06},
     1.2455138894e-01,
     misra1a},
    {"Thurber",
     7,
     37,
     {-3.067, -2.981, -2.921, -2.912, -2.840, -2.797, -2.702, -2.699, -2.633, -2.481, -2.363, -2.322, -1.501,
      -1.460, -1.274, -1.212, -1.100, -1.046, -0.915, -0.714, -0.566, -0.545, -0.400, -0.309, -0.109, -0.103,
      0.010,  0.119,  0.377,  0.790,  0.963,  1.006,  1.115,  1.572,  1.841,  2.047,  2.200},
     {80.574,   84.248,   87.264,   87.195,   89.076,   89.608,   89.868,   90.101,   92.405,   95.854,
      100.696,  101.060,  401.672,  390.724,  567.534,  635.316,  733.054,  759.087,  894.206,  990.785,
      1090.109, 1080.914, 1122.643, 1178.351, 1260.531, 1273.514, 1288.339, 1327.543, 1353.863, 1414.509,
      1425.208, 1421.384, 1442.962, 1464.350, 1468.705, 1447.894, 1457.628},
     {{1000.0, 1000.0, 400.0, 40.0, 0.7, 0.3, 0.03}, {1300.0, 1500.0, 500.0, 75.0, 1.0, 0.4, 0.05}},
     {1.2881396800e+03, 1.4910792535e+03, 5.8323836877e+02, 7.5416644291e+01, 9.6629502864e-01, 3.9797285797e-01,
      4.9727297349e-02},
     {4.6647963344e+00, 3.9571156086e+01, 2.8698696102e+01, 5.5675370270e+00, 3.1333340687e-02, 1.4984928198e-02,
      6.5842344623e-03},
     5.6427082397e+03,
     thurber},
    {"MGH09",
     4,
     11,
     {4.0, 2.0, 1.0, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625},
     {0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246},
     {{25.0, 39.0, 41.5, 39.0}, {0.25, 0.39, 0.415, 0.39}},
     {1.9280693458e-01, 1.9128232873e-01, 1.2305650693e-01, 1.3606233068e-01},
     {1.1435312227e-02, 1.9633220911e-01, 8.0842031232e-02, 9.0025542308e-02},
     3.0750560385e-04,
     mgh09},
    {"Lanczos3",
     6,
     24,
     {0.00, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50, 0.55,
      0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 1.00, 1.05, 1.10, 1.15},
     {2.5134, 2.0443, 1.6684, 1.3664, 1.1232, 0.9269, 0.7679, 0.6389, 0.5338, 0.4479, 0.3776, 0.3197,
      0.2720, 0.2325, 0.1997, 0.1723, 0.1493, 0.1301, 0.1138, 0.1000, 0.0883, 0.0783, 0.0698, 0.0624},
     {{1.2, 0.3, 5.6, 5.5, 6.5, 7.6}, {0.5, 0.7, 3.6, 4.2, 4.0, 6.3}},
     {8.6816414977e-02, 9.5498101505e-01, 8.4400777463e-01, 2.9515951832e+00, 1.5825685901e+00, 4.9863565084e+00},
     {1.7197908859e-02, 9.7041624475e-02, 4.1488663282e-02, 1.0766312506e-01, 5.8371576281e-02, 3.4436403035e-02},
     1.6117193594e-08,
     lanczos}};

// Residuals of a regression with parameters in units of their own.
typedef struct Scaled {
    const Regression *of;
    double            units[TRIANGLE_MOST], residual_unit;
} Scaled;

static bool evaluate_regression(const double *points, size_t count, double *triangles, bool *fine, void *user,
                                UNUSED Error *problem)
{
    const Scaled *scaled = user;
    const size_t  k = scaled->of->parameters;
    for (size_t n = 0; n < count; ++n) {
        double b[TRIANGLE_MOST], row[TRIANGLE_MOST + 1];
        for (size_t j = 0; j < k; ++j)
            b[j] = points[n * k + j] / scaled->units[j];
        for (size_t i = 0; i < scaled->of->count; ++i) {
            row[k] = scaled->of->model(b, scaled->of->x[i], row) - scaled->of->y[i];
            for (size_t j = 0; j < k; ++j)
                row[j] *= scaled->residual_unit / scaled->units[j];
            row[k] *= scaled->residual_unit;
            triangle_add(triangles + n * triangle_size(k), k, row);
        }
        fine[n] = true;
    }
    return true;
}

// Bounds, starts and limits of a run.
typedef struct Trial {
    double points[MOST_STARTS * TRIANGLE_MOST], lower[MOST_STARTS * TRIANGLE_MOST], upper[MOST_STARTS * TRIANGLE_MOST];
    LevenbergRequest request;
} Trial;

static void begin_trial(Trial *trial, size_t parameters, size_t starts)
{
    for (size_t i = 0; i < starts * parameters; ++i) {
        trial->lower[i] = -INFINITY;
        trial->upper[i] = INFINITY;
    }
    trial->request = (LevenbergRequest){.parameters = parameters,
                                        .starts = starts,
                                        .points = trial->points,
                                        .lower = trial->lower,
                                        .upper = trial->upper,
                                        .least_fall = 1e-14,
                                        .least_step = 1e-13,
                                        .least_cosine = 1e-13,
                                        .iterations = 2000};
}

static Trial trial;

static void check_regression(const Scaled *scaled, const LevenbergFit *fit, const char *start)
{
    const Regression *of = scaled->of;
    const size_t      k = of->parameters;
    double            inverse[TRIANGLE_MOST * TRIANGLE_MOST], vectors[TRIANGLE_MOST * TRIANGLE_MOST], worst = 0.0,
                                                                                           worst_deviation = 0.0;
    bool free[TRIANGLE_MOST];
    memset(free, true, sizeof free);
    assert_int_equal(triangle_invert(fit->triangle, k, free, 1e-13, inverse, vectors), 0);
    for (size_t j = 0; j < k; ++j) {
        const double deviation = sqrt(inverse[j * k + j] * fit->squares / (double)(of->count - k));
        worst = fmax(worst, fabs(fit->point[j] / scaled->units[j] / of->certified[j] - 1.0));
        worst_deviation = fmax(worst_deviation, fabs(deviation / scaled->units[j] / of->deviations[j] - 1.0));
    }
    print_message("%s, start %s: %s after %u iterations, values %.1e, deviations %.1e\n", of->name, start,
                  levenberg_ends[fit->end], fit->iterations, worst, worst_deviation);
    assert_true(worst < 1e-7);
    assert_true(worst_deviation < 1e-6);
    assert_near(fit->squares / (scaled->residual_unit * scaled->residual_unit) / of->squares, 1.0, 1e-8);
    assert_true(fit->end == LEVENBERG_SQUARES || fit->end == LEVENBERG_STEP || fit->end == LEVENBERG_GRADIENT);
}

static void run_regression(const Scaled *scaled)
{
    Levenberg    levenberg;
    const size_t k = scaled->of->parameters;
    begin_trial(&trial, k, 2);
    for (size_t s = 0; s < 2; ++s)
        for (size_t j = 0; j < k; ++j)
            trial.points[s * k + j] = scaled->of->starts[s][j] * scaled->units[j];
    trial.request.evaluate = evaluate_regression;
    trial.request.user = (void *)(uintptr_t)scaled;
    assert_fine(levenberg_run(&trial.request, &levenberg, &err));
    check_regression(scaled, &levenberg.fits[0], "1");
    check_regression(scaled, &levenberg.fits[1], "2");
    levenberg_free(&levenberg);
}

TEST(certified_regressions)
{
    for (size_t i = 0; i < sizeof regressions / sizeof *regressions; ++i) {
        Scaled scaled = {.of = &regressions[i], .residual_unit = 1.0};
        for (size_t j = 0; j < TRIANGLE_MOST; ++j)
            scaled.units[j] = 1.0;
        run_regression(&scaled);
    }
}

// With units that are powers of two every number of a fit is that of the other units, scaled.
TEST(units_of_parameters_and_residuals)
{
    for (size_t i = 0; i < sizeof regressions / sizeof *regressions; ++i) {
        Scaled       scaled[2] = {{.of = &regressions[i], .residual_unit = 1.0},
                                  {.of = &regressions[i], .residual_unit = 0x1p-40}};
        Levenberg    levenberg[2];
        const size_t k = regressions[i].parameters;
        for (size_t j = 0; j < TRIANGLE_MOST; ++j) {
            scaled[0].units[j] = 1.0;
            scaled[1].units[j] = j % 2 ? 0x1p40 : 0x1p-40;
        }
        for (size_t n = 0; n < 2; ++n) {
            begin_trial(&trial, k, 1);
            for (size_t j = 0; j < k; ++j)
                trial.points[j] = regressions[i].starts[1][j] * scaled[n].units[j];
            trial.request.evaluate = evaluate_regression;
            trial.request.user = &scaled[n];
            assert_fine(levenberg_run(&trial.request, &levenberg[n], &err));
        }
        assert_int_equal(levenberg[0].fits[0].iterations, levenberg[1].fits[0].iterations);
        assert_int_equal(levenberg[0].fits[0].end, levenberg[1].fits[0].end);
        for (size_t j = 0; j < k; ++j)
            assert_near(levenberg[1].fits[0].point[j] / scaled[1].units[j] / levenberg[0].fits[0].point[j], 1.0, 1e-9);
        levenberg_free(&levenberg[0]);
        levenberg_free(&levenberg[1]);
    }
}

// Rosenbrock's function as residuals 10 (y - x^2) and 1 - x. Where `cliff` is finite it has no number beyond x = cliff.
static bool evaluate_rosenbrock(const double *points, size_t count, double *triangles, bool *fine, void *user,
                                UNUSED Error *problem)
{
    const double *cliff = user;
    for (size_t n = 0; n < count; ++n) {
        const double x = points[2 * n], y = points[2 * n + 1];
        fine[n] = !(x > *cliff);
        triangle_add(triangles + n * triangle_size(2), 2, (double[]){-20.0 * x, 10.0, 10.0 * (y - x * x)});
        triangle_add(triangles + n * triangle_size(2), 2, (double[]){-1.0, 0.0, 1.0 - x});
    }
    return true;
}

static Levenberg run_rosenbrock(size_t starts, double *cliff)
{
    Levenberg levenberg;
    trial.request.starts = starts;
    trial.request.evaluate = evaluate_rosenbrock;
    trial.request.user = cliff;
    assert_fine(levenberg_run(&trial.request, &levenberg, &err));
    return levenberg;
}

TEST(rosenbrock_from_many_starts)
{
    double cliff = INFINITY;
    begin_trial(&trial, 2, 25);
    for (size_t i = 0; i < 25; ++i) {
        trial.points[2 * i] = -2.0 + (double)(i % 5);
        trial.points[2 * i + 1] = -2.0 + (double)(i / 5);
    }
    Levenberg all = run_rosenbrock(25, &cliff);
    assert_int_equal(all.running, 0);
    for (size_t i = 0; i < 25; ++i) {
        assert_near(all.fits[i].point[0], 1.0, 1e-12);
        assert_near(all.fits[i].point[1], 1.0, 1e-12);
        assert_true(all.fits[i].squares < 1e-24);
        assert_true(all.fits[i].iterations < 60);
    }
    // The starts do not know of each other.
    memcpy(trial.points, trial.points + 2 * 7, 2 * sizeof *trial.points);
    Levenberg one = run_rosenbrock(1, &cliff);
    assert_memory_equal(one.fits[0].point, all.fits[7].point, 2 * sizeof(double));
    assert_int_equal(one.fits[0].iterations, all.fits[7].iterations);
    levenberg_free(&one);
    levenberg_free(&all);
}

// With x <= b < 1 the minimum lies at x = b, y = b^2; with y <= c < 1 where the derivative by x of
// 100 (c - x^2)^2 + (1 - x)^2 is 0.
TEST(minima_on_bounds)
{
    double cliff = INFINITY;
    begin_trial(&trial, 2, 3);
    for (size_t i = 0; i < 3; ++i) {
        trial.points[2 * i] = -1.2;
        trial.points[2 * i + 1] = 0.2;
    }
    trial.upper[0] = 0.5;
    trial.upper[3] = 0.25;
    trial.lower[4] = trial.upper[4] = -1.2;
    Levenberg levenberg = run_rosenbrock(3, &cliff);
    assert_near(levenberg.fits[0].point[0], 0.5, 0.0);
    assert_near(levenberg.fits[0].point[1], 0.25, 1e-12);
    const double x = levenberg.fits[1].point[0];
    assert_near(levenberg.fits[1].point[1], 0.25, 0.0);
    assert_near(-400.0 * x * (0.25 - x * x), 2.0 * (1.0 - x), 1e-6);
    assert_near(levenberg.fits[2].point[0], -1.2, 0.0);
    assert_near(levenberg.fits[2].point[1], 1.44, 1e-9);
    for (size_t i = 0; i < 3; ++i)
        assert_int_not_equal(levenberg.fits[i].end, LEVENBERG_ITERATIONS);
    levenberg_free(&levenberg);
}

// A start on lower bounds leaves them where the sum of squares falls inwards; with x >= 3/2 the minimum lies on it.
TEST(lower_bounds)
{
    double cliff = INFINITY;
    begin_trial(&trial, 2, 2);
    memcpy(trial.points, (double[]){-2.0, -2.0, 2.0, 2.0}, 4 * sizeof *trial.points);
    memcpy(trial.lower, (double[]){-2.0, -2.0, 1.5, -INFINITY}, 4 * sizeof *trial.lower);
    Levenberg levenberg = run_rosenbrock(2, &cliff);
    assert_near(levenberg.fits[0].point[0], 1.0, 1e-12);
    assert_near(levenberg.fits[0].point[1], 1.0, 1e-12);
    assert_near(levenberg.fits[1].point[0], 1.5, 0.0);
    assert_near(levenberg.fits[1].point[1], 2.25, 1e-12);
    levenberg_free(&levenberg);
}

// The minimum lies beyond the cliff: the fit ends on this side of it.
TEST(a_minimum_without_a_number)
{
    double cliff = 0.5;
    begin_trial(&trial, 2, 1);
    memcpy(trial.points, (double[]){-1.2, 1.0}, 2 * sizeof *trial.points);
    Levenberg levenberg = run_rosenbrock(1, &cliff);
    assert_true(levenberg.fits[0].point[0] <= cliff);
    assert_true(levenberg.fits[0].squares >= 0.25);
    assert_int_not_equal(levenberg.fits[0].end, LEVENBERG_FAILED);
    levenberg_free(&levenberg);
}

// The way from the far start leads beyond the cliff for some damping; a start beyond it fails, and the others go on.
TEST(points_without_a_number)
{
    double cliff = 1.05;
    begin_trial(&trial, 2, 3);
    memcpy(trial.points, (double[]){-1.2, 1.0, 2.0, 2.0, 0.0, 4.0}, 6 * sizeof *trial.points);
    Levenberg levenberg = run_rosenbrock(3, &cliff);
    assert_int_equal(levenberg.fits[1].end, LEVENBERG_FAILED);
    assert_int_equal(levenberg.fits[1].iterations, 0);
    for (size_t i = 0; i < 3; i += 2) {
        assert_near(levenberg.fits[i].point[0], 1.0, 1e-12);
        assert_near(levenberg.fits[i].point[1], 1.0, 1e-12);
    }
    assert_near(levenberg.least, 0.0, 1e-24);
    levenberg_free(&levenberg);
}

TEST(as_many_iterations_as_permitted)
{
    double cliff = INFINITY;
    begin_trial(&trial, 2, 1);
    memcpy(trial.points, (double[]){-1.2, 1.0}, 2 * sizeof *trial.points);
    trial.request.iterations = 3;
    Levenberg levenberg = run_rosenbrock(1, &cliff);
    assert_int_equal(levenberg.fits[0].end, LEVENBERG_ITERATIONS);
    assert_int_equal(levenberg.fits[0].iterations, 3);
    assert_int_equal((int)levenberg.evaluations, 4);
    levenberg_free(&levenberg);
}

// A factor of known rows: lengths, gradient, squares, inverse and spectrum by hand.
//
//     J = [ 3 0 ]   r = [ 1 ]     J^T J = [ 25 4 ]   J^T r = [ 11 ]   r^T r = 9
//         [ 4 1 ]       [ 2 ]             [  4 5 ]           [ -2 ]
//         [ 0 2 ]       [ -2]
TEST(triangle_of_known_rows)
{
    const bool both[] = {true, true}, second[] = {false, true};
    double     triangle[9] = {0}, inverse[4], values[2], vectors[4], s[2] = {0.5, 0.0};
    triangle_add(triangle, 2, (double[]){3.0, 0.0, 1.0});
    triangle_add(triangle, 2, (double[]){4.0, 1.0, 2.0});
    triangle_add(triangle, 2, (double[]){0.0, 2.0, -2.0});
    assert_near(triangle_squares(triangle, 2), 9.0, 1e-14);
    assert_near(triangle_squares_at(triangle, 2, (double[]){1.0, -1.0}), 16.0 + 25.0 + 16.0, 1e-13);
    assert_near(triangle_gradient(triangle, 2, 0), 11.0, 1e-14);
    assert_near(triangle_gradient(triangle, 2, 1), -2.0, 1e-14);
    assert_near(triangle_length(triangle, 2, 0), 5.0, 1e-14);
    assert_near(triangle_length(triangle, 2, 1), sqrt(5.0), 1e-14);
    assert_int_equal(triangle_invert(triangle, 2, both, 1e-7, inverse, vectors), 0);
    assert_near(inverse[0], 5.0 / 109.0, 1e-15);
    assert_near(inverse[1], -4.0 / 109.0, 1e-15);
    assert_near(inverse[3], 25.0 / 109.0, 1e-15);
    assert_int_equal(triangle_invert(triangle, 2, second, 1e-7, inverse, vectors), 0);
    assert_near(inverse[0], 0.0, 0.0);
    assert_near(inverse[3], 0.2, 1e-15);
    // (J^T J + 2 D^2) s = -J^T r with D = diag(1, 2).
    triangle_solve(triangle, 2, 2.0, (double[]){1.0, 2.0}, both, inverse);
    assert_near(27.0 * inverse[0] + 4.0 * inverse[1], -11.0, 1e-13);
    assert_near(4.0 * inverse[0] + 13.0 * inverse[1], 2.0, 1e-13);
    // The second alone, the first held at a half: 5 s = 2 - 4 / 2.
    triangle_solve(triangle, 2, 0.0, (double[]){1.0, 1.0}, second, s);
    assert_near(s[0], 0.5, 0.0);
    assert_near(s[1], 0.0, 1e-14);
    // Columns of length 1 with the cosine 4 / sqrt(125).
    const double cosine = 4.0 / sqrt(125.0);
    triangle_spectrum(triangle, 2, both, values, vectors);
    assert_near(values[0], sqrt(1.0 + cosine), 1e-14);
    assert_near(values[1], sqrt(1.0 - cosine), 1e-14);
    assert_near(fabs(vectors[2]), sqrt(0.5), 1e-14);
    assert_near(vectors[2] + vectors[3], 0.0, 1e-14);
}

// 1e-9 (p^2 - 2) of p; q, which is large, changes nothing.
static bool see_idle(const double *points, size_t count, double *triangles, bool *fine, void *user, Error *why)
{
    (void)user, (void)why;
    for (size_t i = 0; i < count; ++i) {
        const double p = points[2 * i];
        triangle_add(triangles + 9 * i, 2, (double[]){2e-9 * p, 0.0, 1e-9 * (p * p - 2.0)});
        fine[i] = true;
    }
    return true;
}

TEST(an_idle_parameter_ends_nothing)
{
    Levenberg levenberg;
    begin_trial(&trial, 2, 1);
    trial.points[0] = 30.0;
    trial.points[1] = 1e12;
    trial.request.evaluate = see_idle;
    assert_true(levenberg_run(&trial.request, &levenberg, &err));
    assert_near(levenberg.fits[0].point[0], sqrt(2.0), 1e-12);
    assert_near(levenberg.fits[0].point[1], 1e12, 0.0);
    levenberg_free(&levenberg);
}

TEST(triangle_of_parallel_columns)
{
    const bool both[] = {true, true};
    double     triangle[9] = {0}, inverse[4], values[2], vectors[4];
    for (int i = 1; i < 6; ++i)
        triangle_add(triangle, 2, (double[]){i, 0.0, 1.0});
    triangle_spectrum(triangle, 2, both, values, vectors);
    assert_int_equal(triangle_invert(triangle, 2, both, 1e-7, inverse, vectors), 1);
    assert_near(inverse[0], 1.0 / 55.0, 1e-17);
    assert_near(inverse[3], 0.0, 0.0);
    assert_near(values[0], 1.0, 1e-14);
    assert_near(values[1], 0.0, 0.0);
    assert_near(fabs(vectors[3]), 1.0, 1e-14);
    triangle_solve(triangle, 2, 1e-3, (double[]){1.0, 1.0}, both, inverse);
    assert_near(inverse[1], 0.0, 0.0);
    // Columns that differ by 1e-9 of their length are parallel where 1e-7 counts, and two where 1e-12 does.
    memset(triangle, 0, sizeof triangle);
    for (int i = 1; i < 6; ++i)
        triangle_add(triangle, 2, (double[]){i, i + (i == 3 ? 1e-8 : 0.0), 1.0});
    assert_int_equal(triangle_invert(triangle, 2, both, 1e-7, inverse, vectors), 1);
    assert_int_equal(triangle_invert(triangle, 2, both, 1e-12, inverse, vectors), 0);
}
