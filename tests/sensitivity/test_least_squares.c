// test_least_squares -- fits in closed form, leave-one-out by refits, refused ranks.
#include "base/philox.h"
#include "analysis/sensitivity/least_squares.h"
#include "support/test.h"

enum { ROWS = 24, COLUMNS = 5 };

static double find_random(uint64_t row, uint64_t column)
{
    return 2.0 * philox_unit(philox_bits(5, row, column)) - 1.0;
}

static void fill(double *matrix, double *values)
{
    for (size_t i = 0; i < ROWS; ++i) {
        for (size_t j = 0; j < COLUMNS; ++j)
            matrix[j * ROWS + i] = (j == 0 ? 1.0 : 0.0) + (double)(j + 1) * find_random(i, j);
        values[i] = find_random(i, 99);
    }
}

// Intercept, slope and leverages of a straight line: 1/n + (x - mean)^2 / sum (x - mean)^2.
TEST(a_line_is_fitted)
{
    const double x[] = {0, 1, 2, 3, 10}, y[] = {1, 2, 2, 5, 11}, mean_x = 3.2, mean_y = 4.2;
    double       matrix[10], xx = 0.0, xy = 0.0;
    LeastSquares fit;
    for (size_t i = 0; i < 5; ++i) {
        matrix[i] = 1.0;
        matrix[5 + i] = x[i];
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    assert_true(least_squares_find(5, 2, matrix, y, &arena, &fit, &err));
    assert_near(fit.coefficients[1], xy / xx, 1e-14);
    assert_near(fit.coefficients[0], mean_y - mean_x * xy / xx, 1e-14);
    for (size_t i = 0; i < 5; ++i)
        assert_near(fit.leverages[i], 0.2 + (x[i] - mean_x) * (x[i] - mean_x) / xx, 1e-14);
}

// Q'Q = 1, and (A'A) inverse inverse' = 1.
TEST(factors_are_those_of_the_matrix)
{
    double       matrix[COLUMNS * ROWS], values[ROWS], gram[COLUMNS][COLUMNS], covariance[COLUMNS][COLUMNS];
    LeastSquares fit;
    fill(matrix, values);
    assert_true(least_squares_find(ROWS, COLUMNS, matrix, values, &arena, &fit, &err));
    assert_int_equal(fit.rank, COLUMNS);
    for (size_t i = 0; i < COLUMNS; ++i)
        for (size_t j = 0; j < COLUMNS; ++j) {
            double product = 0.0;
            gram[i][j] = covariance[i][j] = 0.0;
            for (size_t k = 0; k < ROWS; ++k) {
                gram[i][j] += matrix[i * ROWS + k] * matrix[j * ROWS + k];
                product += fit.orthogonal[i * ROWS + k] * fit.orthogonal[j * ROWS + k];
            }
            for (size_t k = 0; k < COLUMNS; ++k)
                covariance[i][j] += fit.inverse[i * COLUMNS + k] * fit.inverse[j * COLUMNS + k];
            assert_near(product, i == j, 1e-14);
        }
    for (size_t i = 0; i < COLUMNS; ++i)
        for (size_t j = 0; j < COLUMNS; ++j) {
            double product = 0.0;
            for (size_t k = 0; k < COLUMNS; ++k)
                product += gram[i][k] * covariance[k][j];
            assert_near(product, i == j, 1e-12);
        }
}

static double find_residual(const double *matrix, const double *values, const double *coefficients, size_t row)
{
    double residual = values[row];
    for (size_t j = 0; j < COLUMNS; ++j)
        residual -= coefficients[j] * matrix[j * ROWS + row];
    return residual;
}

TEST(leverages_give_the_errors_of_refits)
{
    double       matrix[COLUMNS * ROWS], values[ROWS], fewer[COLUMNS * (ROWS - 1)], fewer_values[ROWS - 1];
    LeastSquares fit, refit;
    fill(matrix, values);
    assert_true(least_squares_find(ROWS, COLUMNS, matrix, values, &arena, &fit, &err));
    for (size_t out = 0; out < ROWS; ++out) {
        for (size_t i = 0, at = 0; i < ROWS; ++i) {
            if (i == out)
                continue;
            for (size_t j = 0; j < COLUMNS; ++j)
                fewer[j * (ROWS - 1) + at] = matrix[j * ROWS + i];
            fewer_values[at++] = values[i];
        }
        assert_true(least_squares_find(ROWS - 1, COLUMNS, fewer, fewer_values, &arena, &refit, &err));
        assert_near(find_residual(matrix, values, refit.coefficients, out),
                    find_residual(matrix, values, fit.coefficients, out) / (1.0 - fit.leverages[out]), 1e-12);
    }
}

// The columns that are left, in the order found, make a fit with the same residuals.
TEST(dependent_columns_are_refused_and_named)
{
    double       matrix[COLUMNS * ROWS], values[ROWS], kept[COLUMNS * ROWS];
    LeastSquares fit;
    fill(matrix, values);
    for (size_t i = 0; i < ROWS; ++i)
        matrix[3 * ROWS + i] = 2.0 * matrix[ROWS + i] - matrix[2 * ROWS + i];
    assert_refused(least_squares_find(ROWS, COLUMNS, matrix, values, &arena, &fit, &err), ERROR_INPUT, "");
    assert_string_equal(err.message, "24 rows determine only 4 of 5 coefficients");
    assert_int_equal(fit.rank, 4);
    assert_in_range(fit.order[4], 1, 3);
    for (size_t j = 0; j < 4; ++j)
        memcpy(&kept[j * ROWS], &matrix[fit.order[j] * ROWS], ROWS * sizeof *kept);
    assert_true(least_squares_find(ROWS, 4, kept, values, &arena, &fit, &err));
}

// What is new in a column may be small, but not as small as rounding.
TEST(nearly_dependent_columns)
{
    const struct {
        double part;
        bool   fits;
    } cases[] = {{1e-3, true}, {1e-10, true}, {1e-17, false}, {0.0, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        double       matrix[COLUMNS * ROWS], values[ROWS];
        LeastSquares fit;
        fill(matrix, values);
        for (size_t i = 0; i < ROWS; ++i)
            matrix[4 * ROWS + i] = matrix[i] + cases[c].part * matrix[4 * ROWS + i];
        assert_int_equal(least_squares_find(ROWS, COLUMNS, matrix, values, &arena, &fit, &err), cases[c].fits);
        assert_int_equal(fit.rank, cases[c].fits ? COLUMNS : COLUMNS - 1);
    }
}

TEST(fewer_rows_than_columns)
{
    double       matrix[COLUMNS * ROWS], values[ROWS];
    LeastSquares fit;
    fill(matrix, values);
    assert_false(least_squares_find(3, COLUMNS, matrix, values, &arena, &fit, &err));
    assert_int_equal(fit.rank, 3);
    assert_true(least_squares_find(COLUMNS, COLUMNS, matrix, values, &arena, &fit, &err));
    for (size_t i = 0; i < COLUMNS; ++i)
        assert_near(fit.leverages[i], 1.0, 1e-14);
    memset(matrix, 0, sizeof matrix);
    assert_false(least_squares_find(ROWS, COLUMNS, matrix, values, &arena, &fit, &err));
    assert_int_equal(fit.rank, 0);
    assert_false(least_squares_find(0, 1, matrix, values, &arena, &fit, &err));
    assert_false(least_squares_find(1, 0, matrix, values, &arena, &fit, &err));
}
