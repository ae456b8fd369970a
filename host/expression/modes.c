// modes -- Cholesky's factor of the mass, and Jacobi's rotations.
#include "expression/modes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define AT(matrix, i, j) ((matrix)[(i)*n + (j)])

static bool is_symmetric(size_t n, const double *a)
{
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < i; ++j)
            if (AT(a, i, j) != AT(a, j, i))
                return false;
    return true;
}

// M = L L', L in the lower triangle.
static bool factor(size_t n, const double *mass, double *lower)
{
    for (size_t j = 0; j < n; ++j)
        for (size_t i = j; i < n; ++i) {
            double rest = AT(mass, i, j);
            for (size_t k = 0; k < j; ++k)
                rest -= AT(lower, i, k) * AT(lower, j, k);
            if (i == j && !(rest > 0.0))
                return false;
            AT(lower, i, j) = i == j ? sqrt(rest) : rest / AT(lower, j, j);
        }
    return true;
}

// A = L^-1 K L^-T, whose eigenvalues are the squares of the natural frequencies.
static void reduce(size_t n, const double *lower, double *a)
{
    for (size_t j = 0; j < n; ++j)
        for (size_t i = 0; i < n; ++i) {
            for (size_t k = 0; k < i; ++k)
                AT(a, i, j) -= AT(lower, i, k) * AT(a, k, j);
            AT(a, i, j) /= AT(lower, i, i);
        }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            for (size_t k = 0; k < j; ++k)
                AT(a, i, j) -= AT(lower, j, k) * AT(a, i, k);
            AT(a, i, j) /= AT(lower, j, j);
        }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < i; ++j)
            AT(a, i, j) = AT(a, j, i) = 0.5 * (AT(a, i, j) + AT(a, j, i));
}

// Rotates rows and columns p and q so that their common element vanishes; `vectors` has the rotations' product.
static void rotate(size_t n, double *a, double *vectors, size_t p, size_t q)
{
    const double theta = (AT(a, q, q) - AT(a, p, p)) / (2.0 * AT(a, p, q)),
                 t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0)), c = 1.0 / sqrt(t * t + 1.0),
                 s = t * c;
    for (size_t k = 0; k < n; ++k) {
        const double left = AT(a, k, p), right = AT(a, k, q);
        AT(a, k, p) = c * left - s * right;
        AT(a, k, q) = s * left + c * right;
    }
    for (size_t k = 0; k < n; ++k) {
        const double left = AT(a, p, k), right = AT(a, q, k), first = AT(vectors, k, p), second = AT(vectors, k, q);
        AT(a, p, k) = c * left - s * right;
        AT(a, q, k) = s * left + c * right;
        AT(vectors, k, p) = c * first - s * second;
        AT(vectors, k, q) = s * first + c * second;
    }
    AT(a, p, q) = AT(a, q, p) = 0.0;
}

// Leaves the eigenvalues on the diagonal of a symmetric matrix, and eigenvectors in the columns of `vectors`.
static void diagonalise(size_t n, double *a, double *vectors)
{
    enum { MOST_SWEEPS = 60 };
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            AT(vectors, i, j) = i == j;
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < MOST_SWEEPS; ++sweep) {
        rotated = false;
        for (size_t p = 0; p < n; ++p)
            for (size_t q = p + 1; q < n; ++q)
                if (fabs(AT(a, p, q)) > 0.25 * DBL_EPSILON * sqrt(fabs(AT(a, p, p))) * sqrt(fabs(AT(a, q, q)))) {
                    rotate(n, a, vectors, p, q);
                    rotated = true;
                }
    }
}

// The mode of the smallest eigenvalue that is not taken yet.
static size_t take_least(size_t n, const double *a, bool *taken)
{
    size_t least = n;
    for (size_t i = 0; i < n; ++i)
        if (!taken[i] && (least == n || AT(a, i, i) < AT(a, least, least)))
            least = i;
    taken[least] = true;
    return least;
}

// 2 omega w w' with w = M phi = L times the eigenvector.
static void add_mode(size_t n, const double *lower, const double *vectors, size_t mode, double omega, double *damping)
{
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j <= i; ++j) {
            double left = 0.0, right = 0.0;
            for (size_t k = 0; k <= i; ++k)
                left += AT(lower, i, k) * AT(vectors, k, mode);
            for (size_t k = 0; k <= j; ++k)
                right += AT(lower, j, k) * AT(vectors, k, mode);
            AT(damping, i, j) = AT(damping, j, i) = 2.0 * omega * (left * right);
        }
}

static double largest_eigenvalue(size_t n, const double *a)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; ++i)
        largest = fmax(largest, fabs(AT(a, i, i)));
    return largest;
}

static bool make(size_t n, const double *mass, const double *stiffness, double *room, bool *taken, double *modes,
                 const char **why)
{
    double *lower = room, *a = lower + n * n, *vectors = a + n * n;
    for (size_t k = 0; k < n * n; ++k)
        a[k] = stiffness[k];
    if (!factor(n, mass, lower)) {
        *why = "the mass matrix is not positive definite";
        return false;
    }
    reduce(n, lower, a);
    diagonalise(n, a, vectors);
    // A free motion has the eigenvalue 0, but for roundoff.
    const double roundoff = (double)n * DBL_EPSILON * largest_eigenvalue(n, a);
    for (size_t i = 0; i < n; ++i) {
        const size_t mode = take_least(n, a, taken);
        const double square = AT(a, mode, mode);
        if (!(square >= -roundoff)) {
            *why = "the stiffness matrix is not positive semidefinite: a mode without a frequency has no damping ratio";
            return false;
        }
        add_mode(n, lower, vectors, mode, square > roundoff ? sqrt(square) : 0.0, modes + i * n * n);
    }
    return true;
}

bool modes_damping(size_t n, const double *mass, const double *stiffness, double *modes, const char **why)
{
    if (!is_symmetric(n, mass) || !is_symmetric(n, stiffness)) {
        *why = "mass and stiffness must be symmetric";
        return false;
    }
    double *room = calloc(3 * n * n, sizeof *room);
    bool   *taken = calloc(n, sizeof *taken);
    *why = "out of memory";
    const bool made = room && taken && make(n, mass, stiffness, room, taken, modes, why);
    free(room);
    free(taken);
    return made;
}
