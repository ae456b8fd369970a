// sundials -- parts common to the ARKODE and the CVODE peer: serial vectors, a dense matrix, the right-hand side.
#pragma once

#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "peer.h"
#include "physics.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A solver with the one system that it works on.
typedef struct Solver {
    SUNContext         context;
    N_Vector           y;
    SUNMatrix          matrix;
    SUNLinearSolver    linear;
    SUNNonlinearSolver fixed_point;  // or NULL
    void              *memory;       // the integrator's
    Physics            physics;
} Solver;

static Solver *solver_make(void)
{
    Solver *s = calloc(1, sizeof *s);
    peer_must(s && SUNContext_Create(NULL, &s->context) == 0, "SUNContext_Create");
    s->y = N_VNew_Serial(STATE, s->context);
    s->matrix = SUNDenseMatrix(STATE, STATE, s->context);
    s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
    peer_must(s->y && s->matrix && s->linear, "making vectors and matrices");
    return s;
}

static void solver_load(Solver *s, const double *row)
{
    physics_set(row[0], &s->physics);
    memcpy(N_VGetArrayPointer(s->y), row + 1, STATE * sizeof *row);
}

static void solver_free(Solver *s)
{
    if (s->fixed_point)
        SUNNonlinSolFree(s->fixed_point);
    SUNLinSolFree(s->linear);
    SUNMatDestroy(s->matrix);
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
    free(s);
}

static int right_side(sunrealtype t, N_Vector y, N_Vector dy, void *solver)
{
    const Solver *s = solver;
    (void)t;
    slope(&s->physics, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}
