// tangent_solve.h -- the tangents of a solve's unknown, from the unknown that was accepted (tangent.h).

#include "newton.h"

// Gaussian elimination as in linear.h, of all right sides at once.
static void tangent_eliminate(MATRIX(A), real b[TANGENTS][PADDED], real size[ROWS])
{
    real inverse[DOF];
    for (int j = 0; j < TANGENTS; ++j)
        for (int i = DOF; i < PADDED; ++i)
            b[j][i] = ZERO;
    EACH_DOF(k) {
        EACH_BELOW(k, i)
        {
            const mask larger = real_abs(ENTRY(A, i, k)) * size[k] > real_abs(ENTRY(A, k, k)) * size[i];
            if (UNLIKELY(any_lane(larger))) {
                EACH_RIGHT(k, k, j)
                {
                    const real up = ENTRY(A, i, j), down = ENTRY(A, k, j);
                    ENTRY(A, k, j) = choose(larger, up, down);
                    ENTRY(A, i, j) = choose(larger, down, up);
                }
                for (int j = 0; j < TANGENTS; ++j) {
                    const real up = b[j][i], down = b[j][k];
                    b[j][k] = choose(larger, up, down);
                    b[j][i] = choose(larger, down, up);
                }
                const real of_i = size[i], of_k = size[k];
                size[k] = choose(larger, of_i, of_k);
                size[i] = choose(larger, of_k, of_i);
            }
        }
        inverse[k] = 1.0 / ENTRY(A, k, k);
        EACH_BELOW(k, i)
        {
            const real factor = ENTRY(A, i, k) * inverse[k];
            EACH_RIGHT(k, k + 1, j)
            ENTRY(A, i, j) = real_fma(-factor, ENTRY(A, k, j), ENTRY(A, i, j));
            for (int j = 0; j < TANGENTS; ++j)
                b[j][i] = real_fma(-factor, b[j][k], b[j][i]);
        }
    }
    for (int l = 0; l < TANGENTS; ++l) {
        for (int i = DOF; i < PADDED; ++i)
            b[l][i] = ZERO;
        UNROLL
        for (int i = DOF - 1; i >= 0; --i) {
            EACH_RIGHT(i, i + 1, j)
            b[l][i] = real_fma(-ENTRY(A, i, j), b[l][j], b[l][i]);
            b[l][i] = b[l][i] * inverse[i];
        }
    }
}

//   scale  [DOF] sizes of the velocities of the substeps before, where RELATIVE
//   u      its first DOF numbers are the accepted unknown; the others are written
static void tangent_solve(const Stage *k, const Params *p, const real *scale, real u[STATE_DOF])
{
    real   x[DOF], v[DOF], b[TANGENTS][PADDED], size[ROWS];
    Linear at;
    MATRIX(J);
    EACH_DOF(i) {
        x[i] = real_fma(k->cx, u[i], k->X[i]);
        v[i] = real_fma(k->cv, u[i], k->V[i]);
    }
    linear_find(k->t, x, v, p, &at);
    for (int j = 0; j < TANGENTS; ++j)
        EACH_DOF(i)
            b[j][i] = real_fma(k->q, linear_row(&at, k->X, k->V, j, i), k->B[(j + 1) * DOF + i]);
    EACH_DOF(i) {
        EACH_COLUMN(j)
            J[i][j] = (ON_DIAGONAL(i, j) ? k->A : ZERO) - k->q * (k->cx * at.dadx[i][j] + k->cv * at.dadv[i][j]);
#if RELATIVE
        size[i] = larger(larger(scale[i], real_abs(v[i])), ZERO + NEXT_TO_NOTHING);
#else
        size[i] = ONE;
#endif
    }
    for (int i = DOF; i < ROWS; ++i) {
        size[i] = ONE;
        EACH_COLUMN(j)
            J[i][j] = ZERO;
    }
    tangent_eliminate(J, b, size);
    for (int j = 0; j < TANGENTS; ++j)
        EACH_DOF(i)
            u[(j + 1) * DOF + i] = b[j][i];
}
