// petsc -- PETSc's TSALPHA2, the generalized-alpha method: systems one by one, or all of a worker as one large system.
//
// Modes: `each` and `batch`. The matrix has a block for each system, solved by its inverse (PCPBJACOBI). Newton's
// method stops where the largest residual is within the tolerance, for the batch that of all systems. PETSc finds the
// first acceleration by two half steps of its own and a difference: it is led to the kernels' by a constant
// acceleration while it takes them.
#include <petscts.h>

#include "peer.h"
#include "physics.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { START_STAGES = 2, MOST_ITERATIONS = 10 };

typedef struct Batch {
    TS       ts;
    Vec      x, v;
    Mat      matrix;
    size_t   points;
    double   tolerance;
    Physics *physics;
    double  *start;   // [points][DOFS] acceleration while PETSc starts
    double   factor;  // what PETSc makes of a constant acceleration: so much of it
    int      stage;
    bool     uniform;  // x'' = 1 in place of the physics, to find the factor
} Batch;

#define PETSC(call) peer_must((call) == 0, #call)

static bool starting(const Batch *b)
{
    return b->stage <= START_STAGES;
}

static PetscErrorCode before_stage(TS ts, PetscReal time)
{
    Batch *b;
    (void)time;
    PETSC(TSGetApplicationContext(ts, &b));
    ++b->stage;
    return 0;
}

static PetscErrorCode residual(TS ts, PetscReal t, Vec x, Vec v, Vec a, Vec f, void *batch)
{
    const Batch       *b = batch;
    const PetscScalar *xs, *vs, *as;
    PetscScalar       *fs;
    double             wanted[DOFS];
    (void)ts, (void)t;
    PETSC(VecGetArrayRead(x, &xs));
    PETSC(VecGetArrayRead(v, &vs));
    PETSC(VecGetArrayRead(a, &as));
    PETSC(VecGetArray(f, &fs));
    for (size_t s = 0; s < b->points; ++s) {
        acceleration(&b->physics[s], xs + s * DOFS, vs + s * DOFS, wanted);
        for (size_t i = s * DOFS; i < (s + 1) * DOFS; ++i)
            fs[i] = as[i] - (b->uniform ? 1.0 : starting(b) ? b->start[i] : wanted[i - s * DOFS]);
    }
    PETSC(VecRestoreArray(f, &fs));
    PETSC(VecRestoreArrayRead(a, &as));
    PETSC(VecRestoreArrayRead(v, &vs));
    PETSC(VecRestoreArrayRead(x, &xs));
    return 0;
}

static PetscErrorCode jacobian(TS ts, PetscReal t, Vec x, Vec v, Vec a, PetscReal shift_v, PetscReal shift_a, Mat J,
                               Mat P, void *batch)
{
    const Batch       *b = batch;
    const PetscScalar *xs;
    double             block[DOFS * DOFS];
    (void)ts, (void)t, (void)v, (void)a, (void)shift_v, (void)J;
    PETSC(VecGetArrayRead(x, &xs));
    for (size_t s = 0; s < b->points; ++s) {
        const PetscInt row = (PetscInt)s;
        stiffness_matrix(&b->physics[s], xs + s * DOFS, block);
        for (int i = 0; i < DOFS * DOFS; ++i)
            block[i] = (i % (DOFS + 1) == 0 ? shift_a : 0.0) - (b->uniform || starting(b) ? 0.0 : block[i]);
        PETSC(MatSetValuesBlocked(P, 1, &row, 1, &row, block, INSERT_VALUES));
    }
    PETSC(VecRestoreArrayRead(x, &xs));
    PETSC(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
    PETSC(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
    return 0;
}

// Where rounding keeps the residual above the tolerance, the last iterate is taken.
static PetscErrorCode converged(SNES snes, PetscInt iteration, PetscReal x_norm, PetscReal update_norm,
                                PetscReal f_norm, SNESConvergedReason *reason, void *batch)
{
    const Batch *b = batch;
    Vec          f;
    PetscReal    largest;
    (void)x_norm, (void)update_norm, (void)f_norm;
    PETSC(SNESGetFunction(snes, &f, NULL, NULL));
    PETSC(VecNorm(f, NORM_INFINITY, &largest));
    *reason =
        largest <= b->tolerance || iteration >= MOST_ITERATIONS ? SNES_CONVERGED_FNORM_ABS : SNES_CONVERGED_ITERATING;
    return 0;
}

static void set_solver(Batch *b)
{
    SNES           snes;
    SNESLineSearch search;
    KSP            solver;
    PC             factor;
    PETSC(TSGetSNES(b->ts, &snes));
    PETSC(SNESSetConvergenceTest(snes, converged, b, NULL));
    PETSC(SNESGetLineSearch(snes, &search));
    PETSC(SNESLineSearchSetType(search, SNESLINESEARCHBASIC));
    PETSC(SNESGetKSP(snes, &solver));
    PETSC(KSPSetType(solver, KSPPREONLY));
    PETSC(KSPGetPC(solver, &factor));
    PETSC(PCSetType(factor, PCPBJACOBI));
}

static void integrate(Batch *b, const double *rows, size_t steps, double h)
{
    PetscScalar *xs, *vs;
    b->stage = 0;
    PETSC(VecGetArray(b->x, &xs));
    PETSC(VecGetArray(b->v, &vs));
    for (size_t s = 0; s < b->points; ++s) {
        const double *row = rows + s * ROW;
        physics_set(row[0], &b->physics[s]);
        memcpy(xs + s * DOFS, row + 1, DOFS * sizeof *xs);
        memcpy(vs + s * DOFS, row + 1 + DOFS, DOFS * sizeof *vs);
        acceleration(&b->physics[s], row + 1, row + 1 + DOFS, b->start + s * DOFS);
        for (int i = 0; i < DOFS; ++i)
            b->start[s * DOFS + (size_t)i] /= b->factor;
    }
    PETSC(VecRestoreArray(b->v, &vs));
    PETSC(VecRestoreArray(b->x, &xs));
    PETSC(TSSetTime(b->ts, 0.0));
    PETSC(TSSetStepNumber(b->ts, 0));
    PETSC(TSSetTimeStep(b->ts, h));
    PETSC(TSSetMaxSteps(b->ts, (PetscInt)steps));
    PETSC(TSSetMaxTime(b->ts, 2.0 * (double)steps * h));
    PETSC(TS2SetSolution(b->ts, b->x, b->v));
    PETSC(TSSolve(b->ts, b->x));
}

// With x'' = 1 from rest the two half steps give c; then the trapezoidal rule makes v_1 = h (c + 1)/2.
static double start_factor(Batch *b, const double *row)
{
    const double       h = 0.01;
    const PetscScalar *vs;
    double            *rest = calloc(b->points * ROW, sizeof *rest), factor;
    peer_must(rest != NULL, "memory");
    for (size_t s = 0; s < b->points; ++s)
        memcpy(rest + s * ROW, row, (1 + DOFS) * sizeof *rest);
    PETSC(TSAlpha2SetParams(b->ts, 1.0, 1.0, 0.5, 0.25));
    b->uniform = true;
    b->factor = 1.0;
    integrate(b, rest, 1, h);
    b->uniform = false;
    PETSC(VecGetArrayRead(b->v, &vs));
    factor = 2.0 * vs[0] / h - 1.0;
    PETSC(VecRestoreArrayRead(b->v, &vs));
    free(rest);
    return factor;
}

void *peer_make(const Job *job)
{
    Batch *b = calloc(1, sizeof *b);
    PETSC(PetscInitializeNoArguments());
    peer_must(b != NULL, "memory");
    b->points = strcmp(job->mode, "batch") == 0 ? job->points : 1;
    // The acceleration is found from x, as (x_{n+1} - x_n - ...)/(h^2 beta): below h = 0.006 its rounding is larger.
    b->tolerance = fmax(job->setting, 16.0 * PETSC_MACHINE_EPSILON / (job->h * job->h));
    b->physics = calloc(b->points, sizeof *b->physics);
    b->start = calloc(b->points * DOFS, sizeof *b->start);
    peer_must(b->physics && b->start, "memory");
    const PetscInt size = (PetscInt)b->points * DOFS;
    PETSC(VecCreateSeq(PETSC_COMM_SELF, size, &b->x));
    PETSC(VecDuplicate(b->x, &b->v));
    PETSC(MatCreateSeqBAIJ(PETSC_COMM_SELF, DOFS, size, size, 1, NULL, &b->matrix));
    PETSC(TSCreate(PETSC_COMM_SELF, &b->ts));
    PETSC(TSSetType(b->ts, TSALPHA2));
    PETSC(TSSetApplicationContext(b->ts, b));
    PETSC(TSSetI2Function(b->ts, NULL, residual, b));
    PETSC(TSSetI2Jacobian(b->ts, b->matrix, b->matrix, jacobian, b));
    PETSC(TSSetPreStage(b->ts, before_stage));
    PETSC(TSSetExactFinalTime(b->ts, TS_EXACTFINALTIME_STEPOVER));
    set_solver(b);
    b->factor = start_factor(b, job->start);
    PETSC(TSAlpha2SetRadius(b->ts, 0.6));
    return b;
}

void peer_run(void *peer, const Job *job)
{
    Batch             *b = peer;
    const PetscScalar *xs, *vs;
    for (size_t first = 0; first < job->points; first += b->points) {
        integrate(b, job->start + first * ROW, job->steps, job->h);
        PETSC(VecGetArrayRead(b->x, &xs));
        PETSC(VecGetArrayRead(b->v, &vs));
        for (size_t s = 0; s < b->points; ++s) {
            memcpy(job->final + (first + s) * STATE, xs + s * DOFS, DOFS * sizeof *xs);
            memcpy(job->final + (first + s) * STATE + DOFS, vs + s * DOFS, DOFS * sizeof *vs);
        }
        PETSC(VecRestoreArrayRead(b->v, &vs));
        PETSC(VecRestoreArrayRead(b->x, &xs));
    }
}

void peer_end(void *peer)
{
    Batch *b = peer;
    PETSC(TSDestroy(&b->ts));
    PETSC(MatDestroy(&b->matrix));
    PETSC(VecDestroy(&b->v));
    PETSC(VecDestroy(&b->x));
    free(b->start);
    free(b->physics);
    free(b);
    PETSC(PetscFinalize());
}
