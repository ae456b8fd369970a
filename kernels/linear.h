// linear.h -- linear algebra of DOF unknowns, one system per lane, unrolled into registers where they are few.

#include "matrix.h"

// max |x_i|; NaN in x may be lost: test with finite() first.
static real norm(const real x[DOF])
{
    real largest = real_abs(x[0]);
    EACH_DOF_FROM(1, i)
        largest = larger(largest, real_abs(x[i]));
    return largest;
}

static mask finite(const real x[DOF])
{
    mask good = is_finite(x[0]);
    EACH_DOF_FROM(1, i)
        good = good & is_finite(x[i]);
    return good;
}

// Solves A y = b by Gaussian elimination with partial pivoting; A is destroyed, b becomes y. Where RELATIVE, rows are
// compared over their sizes. Returns the lanes with a zero or non-finite pivot, where y means nothing. Each
// lane picks its own pivots: rows are exchanged by choose(), and only where a lane asks. What stands behind the last
// row of a band is 0.
static mask solve(MATRIX(A), real b[PADDED], const real *sizes)
{
#if RELATIVE
    real size[ROWS];
    EACH_DOF(i)
        size[i] = sizes[i];
    for (int i = DOF; i < ROWS; ++i)
        size[i] = ONE;
#endif
    for (int i = DOF; i < PADDED; ++i)
        b[i] = ZERO;
    real inverse[DOF];
    mask singular = NO;
    EACH_DOF(k) {
        EACH_BELOW(k, i)
        {
#if RELATIVE
            const mask larger = real_abs(ENTRY(A, i, k)) * size[k] > real_abs(ENTRY(A, k, k)) * size[i];
#else
            const mask larger = real_abs(ENTRY(A, i, k)) > real_abs(ENTRY(A, k, k));
#endif
            if (UNLIKELY(any_lane(larger))) {
                EACH_RIGHT(k, k, j)
                {
                    const real up = ENTRY(A, i, j), down = ENTRY(A, k, j);
                    ENTRY(A, k, j) = choose(larger, up, down);
                    ENTRY(A, i, j) = choose(larger, down, up);
                }
                const real up = b[i], down = b[k];
                b[k] = choose(larger, up, down);
                b[i] = choose(larger, down, up);
#if RELATIVE
                const real of_i = size[i], of_k = size[k];
                size[k] = choose(larger, of_i, of_k);
                size[i] = choose(larger, of_k, of_i);
#endif
            }
        }
        singular = singular | (ENTRY(A, k, k) == ZERO) | !is_finite(ENTRY(A, k, k));
        inverse[k] = 1.0 / ENTRY(A, k, k);
        EACH_BELOW(k, i)
        {
            const real factor = ENTRY(A, i, k) * inverse[k];
            EACH_RIGHT(k, k + 1, j)
            ENTRY(A, i, j) = real_fma(-factor, ENTRY(A, k, j), ENTRY(A, i, j));
            b[i] = real_fma(-factor, b[k], b[i]);
        }
    }
    for (int i = DOF; i < PADDED; ++i)
        b[i] = ZERO;
    UNROLL
    for (int i = DOF - 1; i >= 0; --i) {
        EACH_RIGHT(i, i + 1, j)
        b[i] = real_fma(-ENTRY(A, i, j), b[j], b[i]);
        b[i] = b[i] * inverse[i];
    }
    return singular;
}

// Condition number in the 2-norm, sigma_max / sigma_min: 1 for one unknown, infinite for a singular matrix of more. It
// does not depend on the scale of A.
#if DOF == 1
static real condition_number(const real A[DOF][DOF]) { return ONE; }
#elif DOF == 2
// With T = ||A||_F^2 the sum and the difference of the singular values are the roots of T + 2 det and T - 2 det, in
// either order; written as sums of squares they lose nothing near 1, where T^2 - 4 det^2 would lose half the digits.
// The square of half their sum, over sigma_max sigma_min = |det|, is the number: one root, of their product, is enough
// for it.
static real condition_number(const real A[DOF][DOF])
{
    const real sum = A[0][0] + A[1][1], turn = A[0][1] - A[1][0];
    const real gap = A[0][0] - A[1][1], shear = A[0][1] + A[1][0];
    const real one = real_fma(sum, sum, turn * turn), other = real_fma(gap, gap, shear * shear);
    const real square = 0.25 * (one + other) + 0.5 * real_sqrt(one * other);
    const real D = real_abs(A[0][0] * A[1][1] - A[0][1] * A[1][0]);
    return choose(D == ZERO, REAL_INFINITY, square / D);
}
#else
// One-sided Jacobi (Hestenes 1958): rotations make the columns orthogonal; their lengths are then the singular values.
static real condition_number(const real matrix[DOF][DOF])
{
    real A[DOF][DOF];
    for (int i = 0; i < DOF; ++i)
        for (int j = 0; j < DOF; ++j)
            A[i][j] = matrix[i][j];
    mask turning = YES;
    for (int sweep = 0; sweep < 30 && any_lane(turning); ++sweep) {
        turning = NO;
        for (int p = 0; p < DOF - 1; ++p)
            for (int q = p + 1; q < DOF; ++q) {
                real pp = ZERO, qq = ZERO, pq = ZERO;
                for (int i = 0; i < DOF; ++i) {
                    pp = real_fma(A[i][p], A[i][p], pp);
                    qq = real_fma(A[i][q], A[i][q], qq);
                    pq = real_fma(A[i][p], A[i][q], pq);
                }
                const mask turn = real_abs(pq) > 4.0 * EPSILON * real_sqrt(pp * qq);
                turning = turning | turn;
                const real zeta = (qq - pp) / (2.0 * pq);
                const real size = 1.0 / (real_abs(zeta) + real_sqrt(real_fma(zeta, zeta, ONE)));
                const real tangent = choose(turn, choose(zeta < ZERO, -size, size), ZERO);
                const real cosine = 1.0 / real_sqrt(real_fma(tangent, tangent, ONE));
                const real sine = cosine * tangent;
                for (int i = 0; i < DOF; ++i) {
                    const real left = A[i][p], right = A[i][q];
                    A[i][p] = cosine * left - sine * right;
                    A[i][q] = sine * left + cosine * right;
                }
            }
    }
    real largest = ZERO, smallest = REAL_INFINITY;
    for (int j = 0; j < DOF; ++j) {
        real square = ZERO;
        for (int i = 0; i < DOF; ++i)
            square = real_fma(A[i][j], A[i][j], square);
        largest = larger(largest, square);
        smallest = smaller(smallest, square);
    }
    return choose(smallest == ZERO, REAL_INFINITY, real_sqrt(largest / smallest));
}
#endif
