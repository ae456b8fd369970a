// stiff_cvode -- SUNDIALS CVODE on a stiff system, one point after the other: BDF of variable order, a dense or a
// banded matrix.
//
// stiff.py compiles this file as a library, with the system's right side in right_side.h.
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "right_side.h"

#include <string.h>

static int right_side(sunrealtype t, N_Vector y, N_Vector dy, void *parameters)
{
    rate(t, parameters, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

// Integrates every point from `start` to time `end`. The matrix is made by differences, as is the default.
//   parameters  [points][PARAMETERS]
//   atol        [UNKNOWNS]
//   final       [points][UNKNOWNS] written
// Returns the steps of all points, or -1 where a call failed.
long stiff_run(size_t points, double *parameters, const double *start, double end, double rtol, const double *atol,
               double *final)
{
    SUNContext context = NULL;
    long       steps = 0;
    if (SUNContext_Create(NULL, &context) != 0)
        return -1;
    N_Vector  y = N_VNew_Serial(UNKNOWNS, context), tolerances = N_VClone(y);
    SUNMatrix matrix =
        BAND ? SUNBandMatrix(UNKNOWNS, BAND, BAND, context) : SUNDenseMatrix(UNKNOWNS, UNKNOWNS, context);
    SUNLinearSolver linear = BAND ? SUNLinSol_Band(y, matrix, context) : SUNLinSol_Dense(y, matrix, context);
    void           *memory = CVodeCreate(CV_BDF, context);
    memcpy(N_VGetArrayPointer(y), start, UNKNOWNS * sizeof *start);
    memcpy(N_VGetArrayPointer(tolerances), atol, UNKNOWNS * sizeof *atol);
    int fine = CVodeInit(memory, right_side, 0.0, y) == 0 && CVodeSVtolerances(memory, rtol, tolerances) == 0 &&
               CVodeSetLinearSolver(memory, linear, matrix) == 0 && CVodeSetMaxNumSteps(memory, 100000000) == 0 &&
               CVodeSetMaxErrTestFails(memory, 100) == 0;
    for (size_t i = 0; fine && i < points; ++i) {
        sunrealtype t;
        long        own = 0;
        memcpy(N_VGetArrayPointer(y), start, UNKNOWNS * sizeof *start);
        fine = CVodeReInit(memory, 0.0, y) == 0 && CVodeSetUserData(memory, parameters + i * PARAMETERS) == 0 &&
               CVodeSetStopTime(memory, end) == 0 && CVode(memory, end, y, &t, CV_NORMAL) >= 0 &&
               CVodeGetNumSteps(memory, &own) == 0;
        steps += own;
        memcpy(final + i * UNKNOWNS, N_VGetArrayPointer(y), UNKNOWNS * sizeof *final);
    }
    CVodeFree(&memory);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(tolerances);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return fine ? steps : -1;
}
