// band.h -- the Newton matrix of a problem with a band by differences: columns that share no row are moved together.
//
// The bits are those of form_matrix() in newton.h, for the whole matrix.

#include "groups.h"

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
