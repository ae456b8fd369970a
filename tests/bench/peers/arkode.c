// arkode -- SUNDIALS ARKODE: the implicit midpoint rule with fixed steps, one system after the other.
//
// The rule is given as a table of one stage. Newton's method is ARKODE's own, with its defaults: a dense matrix by
// differences, which it uses again for up to 20 steps, and a stop by the size of the update.
#include <arkode/arkode_arkstep.h>

#include "sundials.h"

void *peer_make(const Job *job)
{
    Solver *s = solver_make();
    double  c = 0.5, A = 0.5, b = 1.0;
    solver_load(s, job->start);
    s->memory = ARKStepCreate(NULL, right_side, 0.0, s->y, s->context);
    ARKodeButcherTable midpoint = ARKodeButcherTable_Create(1, 2, 0, &c, &A, &b, NULL);
    peer_must(s->memory && midpoint, "ARKStepCreate");
    peer_must(ARKStepSetTables(s->memory, 2, 0, midpoint, NULL) == 0, "ARKStepSetTables");
    ARKodeButcherTable_Free(midpoint);
    peer_must(ARKStepSStolerances(s->memory, 0.0, job->setting) == 0, "ARKStepSStolerances");
    peer_must(ARKStepSetUserData(s->memory, s) == 0, "ARKStepSetUserData");
    peer_must(ARKStepSetLinearSolver(s->memory, s->linear, s->matrix) == 0, "ARKStepSetLinearSolver");
    peer_must(ARKStepSetFixedStep(s->memory, job->h) == 0, "ARKStepSetFixedStep");
    peer_must(ARKStepSetMaxNonlinIters(s->memory, 50) == 0, "ARKStepSetMaxNonlinIters");
    return s;
}

void peer_run(void *peer, const Job *job)
{
    Solver     *s = peer;
    sunrealtype t;
    for (size_t i = 0; i < job->points; ++i) {
        solver_load(s, job->start + i * ROW);
        peer_must(ARKStepReInit(s->memory, NULL, right_side, 0.0, s->y) == 0, "ARKStepReInit");
        for (size_t n = 0; n < job->steps; ++n)
            peer_must(ARKStepEvolve(s->memory, 2.0 * (double)job->steps * job->h, s->y, &t, ARK_ONE_STEP) >= 0,
                      "ARKStepEvolve");
        memcpy(job->final + i * STATE, N_VGetArrayPointer(s->y), STATE * sizeof *job->final);
    }
}

void peer_end(void *peer)
{
    Solver *s = peer;
    ARKStepFree(&s->memory);
    solver_free(s);
}
