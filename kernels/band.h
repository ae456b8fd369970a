// band.h -- the Newton matrix of a problem with a band: formed and solved with, to the bits of the whole one.
//
// Each function does what one of newton.h or linear.h does, without the operations with entries that are 0, which
// change no bit. Columns that share no row are differenced together (Curtis, Powell and Reid 1974).

#define REACH (BAND_BELOW + BAND_ABOVE)  // of a row behind its pivot
#define GROUPS (REACH + 1)               // columns so far apart share no row
#define EACH_OF_ROW(i, j) \
    UNROLL                \
    for (int j = i > BAND_BELOW ? i - BAND_BELOW : 0; j < DOF && j <= i + BAND_ABOVE; ++j)
#define EACH_OF_COLUMN(j, i) \
    UNROLL                   \
    for (int i = j > BAND_ABOVE ? j - BAND_ABOVE : 0; i < DOF && i <= j + BAND_BELOW; ++i)
#define EACH_OF_GROUP(group, j) \
    UNROLL                      \
    for (int j = group; j < DOF; j += GROUPS)
#if REACH <= 12
#define EACH_FROM(first, i, count) _Pragma("unroll") for (int i = first; i < first + count; ++i)
#else
#define EACH_FROM(first, i, count) _Pragma("nounroll") for (int i = first; i < first + count; ++i)
#endif

// As solve(). At column k only the rows down to k + BAND_BELOW have entries in it, and none of these beyond column
// k + REACH.
static mask band_solve(MATRIX(A), real right[DOF], const real *sizes)
{
    real b[DOF + REACH], inverse[DOF];
    EACH_DOF(i)
        b[i] = right[i];
    EACH_FROM(DOF, i, REACH)
        b[i] = ZERO;
#if RELATIVE
    real size[ROWS];
    EACH_DOF(i)
        size[i] = sizes[i];
    EACH_FROM(DOF, i, BAND_BELOW)
        size[i] = ONE;
#endif
    mask singular = NO;
    EACH_DOF(k) {
        EACH_FROM(k + 1, i, BAND_BELOW) {
#if RELATIVE
            const mask larger = real_abs(ENTRY(A, i, k)) * size[k] > real_abs(ENTRY(A, k, k)) * size[i];
#else
            const mask larger = real_abs(ENTRY(A, i, k)) > real_abs(ENTRY(A, k, k));
#endif
            if (UNLIKELY(any_lane(larger))) {
                EACH_FROM(k, j, REACH + 1) {
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
        EACH_FROM(k + 1, i, BAND_BELOW) {
            const real factor = ENTRY(A, i, k) * inverse[k];
            EACH_FROM(k + 1, j, REACH)
                ENTRY(A, i, j) = real_fma(-factor, ENTRY(A, k, j), ENTRY(A, i, j));
            b[i] = real_fma(-factor, b[k], b[i]);
        }
    }
    EACH_FROM(DOF, i, REACH)
        b[i] = ZERO;
    for (int i = DOF - 1; i >= 0; --i) {
        EACH_FROM(i + 1, j, REACH)
            b[i] = real_fma(-ENTRY(A, i, j), b[j], b[i]);
        b[i] = b[i] * inverse[i];
        right[i] = b[i];
    }
    return singular;
}

// As form_matrix().
#if JACOBIAN == ANALYTIC
static void form_matrix(const Solve *of, const real u[DOF], Iteration *it, MATRIX(J))
{
    const Stage *k = of->k;
    real         x[DOF], v[DOF];
    MATRIX(dadx);
    MATRIX(dadv);
    EACH_DOF(i) {
        x[i] = real_fma(k->cx, u[i], k->X[i]);
        v[i] = real_fma(k->cv, u[i], k->V[i]);
    }
    jacobian(k->t, x, v, of->p, dadx, dadv);
    EACH_DOF(i)
        EACH_COLUMN(j)
            J[i][j] = (j == BAND_BELOW ? k->A : ZERO) - k->q * (k->cx * dadx[i][j] + k->cv * dadv[i][j]);
    EACH_FROM(DOF, i, BAND_BELOW)
        EACH_COLUMN(j)
            J[i][j] = ZERO;
}
#else
static void form_matrix(const Solve *of, const real u[DOF], Iteration *it, MATRIX(J))
{
#if !RELATIVE
    const real s = larger(STENCIL * norm(u), STENCIL * ONE);
    EACH_DOF(j)
        it->reach[j] = s;
#endif
    for (int i = 0; i < ROWS; ++i)
        EACH_COLUMN(j)
            J[i][j] = ZERO;
    for (int group = 0; group < GROUPS; ++group) {
        real moved[DOF], ahead[DOF], behind[DOF];
        EACH_DOF(i) {
            moved[i] = u[i];
            behind[i] = it->f[i];
        }
        EACH_OF_GROUP(group, j)
            moved[j] = u[j] + it->reach[j];
        residual(moved, of->k, of->p, ahead);
#if JACOBIAN == CENTRAL
        EACH_OF_GROUP(group, j)
            moved[j] = u[j] - it->reach[j];
        residual(moved, of->k, of->p, behind);
#endif
        EACH_OF_GROUP(group, j)
            EACH_OF_COLUMN(j, i)
                ENTRY(J, i, j) = ahead[i] - behind[i];
    }
}
#endif

// A sum of at_floor(): of row i.
static real band_noise(const Solve *of, const Iteration *it, const MATRIX(J), const real rounded[DOF], int i,
                       real noise)
{
    EACH_OF_ROW(i, j)
        noise = real_fma(real_abs(ENTRY(J, i, j) - (i == j ? of->k->A * width(it, j) : ZERO)), rounded[j], noise);
    return noise;
}

// The whole matrix.
static void band_whole(const MATRIX(J), real whole[DOF][DOF])
{
    EACH_DOF(i) {
        EACH_DOF(j)
            whole[i][j] = ZERO;
        EACH_OF_ROW(i, j)
            whole[i][j] = ENTRY(J, i, j);
    }
}
