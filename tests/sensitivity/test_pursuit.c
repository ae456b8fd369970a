// test_pursuit -- the terms taken, their errors and products, against fits of each model by itself.
#include "analysis/sensitivity/least_squares.h"
#include "analysis/sensitivity/pursuit.h"
#include "base/philox.h"
#include "support/test.h"

enum { COUNT = 90, FACTORS = 2, CANDIDATES = 15, DEGREE = 4, OUT = 10 };

// A regression of a function with noise in two correlated factors, the last points left out of the fit.
typedef struct Problem {
    Polynomials polynomials[FACTORS];
    double      x[FACTORS][COUNT], weights[COUNT], counts[COUNT], values[COUNT];
    double      gram[CANDIDATES * CANDIDATES], moments[CANDIDATES], columns[CANDIDATES][COUNT];
    size_t      points[COUNT], most[FACTORS], terms[CANDIDATES];
    Regressors  regressors;
    Basis       basis;
    Pursuit     pursuit;
} Problem;

static double find_unit(uint64_t i, uint64_t k)
{
    return philox_unit(philox_bits(11, i, k));
}

static void fill_points(Problem *problem)
{
    for (size_t i = 0; i < COUNT; ++i) {
        problem->points[i] = i;
        for (size_t k = 0; k < FACTORS; ++k)
            problem->x[k][i] = k == 0 ? find_unit(i, k) : 0.7 * problem->x[0][i] + 0.3 * find_unit(i, k);
        problem->counts[i] = 1.0 + (double)(i % 3);
        problem->weights[i] = i < COUNT - OUT ? problem->counts[i] : 0.0;
        problem->values[i] = exp(problem->x[0][i]) * problem->x[1][i] + find_unit(i, 7) - 1.3;
    }
}

static void make_problem(Problem *problem)
{
    const Distribution uniform = {.kind = DISTRIBUTION_UNIFORM, .numbers = {0, 1}};
    const double      *columns[] = {problem->x[0], problem->x[1]};
    memset(problem, 0, sizeof *problem);
    fill_points(problem);
    for (size_t k = 0; k < FACTORS; ++k) {
        problem->most[k] = DEGREE;
        assert_true(polynomials_make(&uniform, &problem->polynomials[k], &err));
    }
    assert_true(pursuit_tabulate(problem->polynomials, FACTORS, columns, problem->points, COUNT, &arena,
                                 &problem->regressors, &err));
    assert_true(pursuit_begin(CANDIDATES, FACTORS, problem->most, 1.0, &arena, &problem->basis, &err));
    for (size_t degree = 1; degree <= DEGREE; ++degree) {
        assert_true(pursuit_add_terms(&problem->basis, degree));
        assert_true(pursuit_add_degree(&problem->regressors, &arena, &err));
    }
    assert_int_equal(problem->basis.count, CANDIDATES);
    for (size_t j = 0; j < CANDIDATES; ++j) {
        pursuit_column(&problem->regressors, &problem->basis.terms[j], problem->columns[j]);
        for (size_t i = 0; i < COUNT; ++i)
            problem->moments[j] += problem->weights[i] * problem->columns[j][i] * problem->values[i];
    }
    assert_true(pursuit_add_gram(&problem->regressors, &problem->basis, 0, 0, COUNT, problem->weights, 1.0,
                                 problem->gram, CANDIDATES, &err));
}

static PursuitFound find(Problem *problem, size_t most)
{
    PursuitFound found = {.terms = problem->terms};
    problem->pursuit = (Pursuit){.regressors = &problem->regressors,
                                 .basis = &problem->basis,
                                 .gram = problem->gram,
                                 .moments = problem->moments,
                                 .stride = CANDIDATES,
                                 .weights = problem->weights,
                                 .counts = problem->counts,
                                 .values = problem->values,
                                 .most = most};
    assert_true(pursuit_make_room(&problem->pursuit, &arena, &err));
    pursuit_find(&problem->pursuit, &found);
    return found;
}

// A model fitted by itself.
typedef struct Model {
    double residual;   // sum of weight * error^2
    double corrected;  // by the definition
    double left_out;   // sum of counts * error^2 at the points left out
} Model;

static Model fit(Problem *problem, const size_t *terms, size_t count)
{
    enum { ROWS = COUNT - OUT };
    double       matrix[CANDIDATES * ROWS], values[ROWS], whole = 0.0, one_out = 0.0, trace = 0.0;
    Model        model = {0};
    LeastSquares squares;
    for (size_t i = 0; i < ROWS; ++i) {
        whole += problem->weights[i];
        values[i] = sqrt(problem->weights[i]) * problem->values[i];
        for (size_t t = 0; t < count; ++t)
            matrix[t * ROWS + i] = sqrt(problem->weights[i]) * problem->columns[terms[t]][i];
    }
    assert_true(least_squares_find(ROWS, count, matrix, values, &arena, &squares, &err));
    for (size_t i = 0; i < COUNT; ++i) {
        double miss = problem->values[i];
        for (size_t t = 0; t < count; ++t)
            miss -= squares.coefficients[t] * problem->columns[terms[t]][i];
        if (i >= ROWS) {
            model.left_out += problem->counts[i] * miss * miss;
            continue;
        }
        model.residual += problem->weights[i] * miss * miss;
        one_out += problem->weights[i] * pow(miss / (1.0 - squares.leverages[i]), 2.0) / whole;
    }
    // The trace of the inverse of C = A'A / whole.
    for (size_t i = 0; i < count * count; ++i)
        trace += whole * squares.inverse[i] * squares.inverse[i];
    model.corrected = one_out * ROWS / (double)(ROWS - count) * (1.0 + trace / ROWS);
    return model;
}

TEST(products_are_sums_over_the_points)
{
    Problem problem;
    make_problem(&problem);
    for (size_t i = 0; i < CANDIDATES; ++i)
        for (size_t j = 0; j < CANDIDATES; ++j) {
            double sum = 0.0;
            for (size_t k = 0; k < COUNT; ++k)
                sum += problem.weights[k] * problem.columns[i][k] * problem.columns[j][k];
            assert_near(problem.gram[i * CANDIDATES + j], sum, 1e-11);
        }
    // A part that is taken out, and the rest too, leaves nothing.
    assert_true(pursuit_add_gram(&problem.regressors, &problem.basis, 0, 0, 37, problem.weights, -1.0, problem.gram,
                                 CANDIDATES, &err));
    assert_true(pursuit_add_gram(&problem.regressors, &problem.basis, 0, 37, COUNT, problem.weights, -1.0, problem.gram,
                                 CANDIDATES, &err));
    for (size_t i = 0; i < CANDIDATES * CANDIDATES; ++i)
        assert_near(problem.gram[i], 0.0, 1e-11);
}

// Columns are products of Legendre's polynomials.
TEST(columns_are_products)
{
    Problem problem;
    make_problem(&problem);
    for (size_t j = 0; j < CANDIDATES; ++j) {
        const BasisTerm *term = &problem.basis.terms[j];
        for (size_t i = 0; i < COUNT; ++i) {
            double product = 1.0;
            for (size_t k = 0; k < term->order; ++k) {
                const double t = 2.0 * problem.x[term->factors[k]][i] - 1.0, square = t * t;
                const double p[] = {1.0, sqrt(3.0) * t, sqrt(5.0) * (1.5 * square - 0.5),
                                    sqrt(7.0) * t * (2.5 * square - 1.5),
                                    3.0 * (4.375 * square * square - 3.75 * square + 0.375)};
                product *= p[term->degrees[k]];
            }
            assert_near(problem.columns[j][i], product, 1e-13);
        }
    }
}

// Each term is the one with which the fit has the least residual.
TEST(each_term_is_the_best_one)
{
    Problem problem;
    make_problem(&problem);
    const PursuitFound found = find(&problem, CANDIDATES);
    assert_in_range(found.count, 3, CANDIDATES - 1);
    assert_int_equal(found.terms[0], 0);
    for (size_t taken = 1; taken < found.count; ++taken) {
        size_t terms[CANDIDATES];
        memcpy(terms, found.terms, found.count * sizeof *terms);
        const double residual = fit(&problem, terms, taken + 1).residual;
        for (size_t j = 0; j < CANDIDATES; ++j) {
            bool there = false;
            for (size_t t = 0; t < taken; ++t)
                there = there || found.terms[t] == j;
            terms[taken] = j;
            assert_true(there || fit(&problem, terms, taken + 1).residual >= residual * (1.0 - 1e-12));
        }
    }
}

// The errors are those of the definition, and the model is the one where they are least.
TEST(errors_are_those_of_the_model)
{
    Problem problem;
    make_problem(&problem);
    const PursuitFound found = find(&problem, CANDIDATES);
    const Model        model = fit(&problem, found.terms, found.count);
    assert_near(found.corrected, model.corrected, 1e-12);
    assert_near(found.left_out, model.left_out, 1e-11);
    for (size_t most = 1; most < CANDIDATES; ++most) {
        const PursuitFound shorter = find(&problem, most);
        assert_true(shorter.count <= most);
        assert_true(most < found.count ? shorter.corrected > found.corrected : shorter.count == found.count);
        assert_near(shorter.corrected, fit(&problem, shorter.terms, shorter.count).corrected, 1e-12);
    }
}

// A candidate of which a part of 1e-5 is new is not taken, whatever that part explains.
TEST(a_dependent_candidate_is_not_taken)
{
    Problem problem;
    make_problem(&problem);
    for (size_t i = 0; i < COUNT; ++i) {
        const double part = find_unit(i, 5) - 0.5;
        problem.x[1][i] = problem.x[0][i] + 1e-6 * part;
        problem.values[i] = problem.x[0][i] + 100.0 * part;
    }
    const double *columns[] = {problem.x[0], problem.x[1]};
    assert_true(pursuit_tabulate(problem.polynomials, FACTORS, columns, problem.points, COUNT, &arena,
                                 &problem.regressors, &err));
    assert_true(pursuit_add_degree(&problem.regressors, &arena, &err));
    problem.basis.count = 3;
    memset(problem.gram, 0, sizeof problem.gram);
    assert_true(pursuit_add_gram(&problem.regressors, &problem.basis, 0, 0, COUNT, problem.weights, 1.0, problem.gram,
                                 CANDIDATES, &err));
    for (size_t j = 0; j < 3; ++j) {
        pursuit_column(&problem.regressors, &problem.basis.terms[j], problem.columns[j]);
        problem.moments[j] = 0.0;
        for (size_t i = 0; i < COUNT; ++i)
            problem.moments[j] += problem.weights[i] * problem.columns[j][i] * problem.values[i];
    }
    assert_in_range(find(&problem, 3).count, 1, 2);
    assert_true((problem.pursuit.lengths[1] < 0.0) != (problem.pursuit.lengths[2] < 0.0));
}
