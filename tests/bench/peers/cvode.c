// cvode -- SUNDIALS CVODE: variable order and steps, one system after the other, at the driver's choice of tolerance.
//
// Modes: `bdf` with a dense matrix by differences, for stiff systems, and `adams` with fixed-point iteration.
#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "sundials.h"

void *peer_make(const Job *job)
{
    Solver    *s = solver_make();
    const bool adams = strcmp(job->mode, "adams") == 0;
    solver_load(s, job->start);
    s->memory = CVodeCreate(adams ? CV_ADAMS : CV_BDF, s->context);
    peer_must(s->memory != NULL, "CVodeCreate");
    peer_must(CVodeInit(s->memory, right_side, 0.0, s->y) == 0, "CVodeInit");
    peer_must(CVodeSStolerances(s->memory, job->setting, job->setting) == 0, "CVodeSStolerances");
    peer_must(CVodeSetUserData(s->memory, s) == 0, "CVodeSetUserData");
    peer_must(CVodeSetMaxNumSteps(s->memory, 100000000) == 0, "CVodeSetMaxNumSteps");
    if (adams) {
        s->fixed_point = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
        peer_must(s->fixed_point && CVodeSetNonlinearSolver(s->memory, s->fixed_point) == 0, "fixed-point iteration");
    } else {
        peer_must(CVodeSetLinearSolver(s->memory, s->linear, s->matrix) == 0, "CVodeSetLinearSolver");
    }
    return s;
}

void peer_run(void *peer, const Job *job)
{
    Solver      *s = peer;
    const double end = (double)job->steps * job->h;
    sunrealtype  t;
    for (size_t i = 0; i < job->points; ++i) {
        solver_load(s, job->start + i * ROW);
        peer_must(CVodeReInit(s->memory, 0.0, s->y) == 0, "CVodeReInit");
        peer_must(CVodeSetStopTime(s->memory, end) == 0, "CVodeSetStopTime");
        peer_must(CVode(s->memory, end, s->y, &t, CV_NORMAL) >= 0, "CVode");
        memcpy(job->final + i * STATE, N_VGetArrayPointer(s->y), STATE * sizeof *job->final);
    }
}

void peer_end(void *peer)
{
    Solver *s = peer;
    CVodeFree(&s->memory);
    solver_free(s);
}
