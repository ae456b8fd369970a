// gsl -- GSL: its rk4 stepper with fixed steps, one system after the other.
//
// GSL estimates the error of every step by taking it twice more at half the step, and returns the finer result. So the
// result is that of rk4 at h/2, for the work of three steps.
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "peer.h"
#include "physics.h"

#include <stdlib.h>
#include <string.h>

typedef struct Stepper {
    gsl_odeiv2_step *step;
    Physics          physics;
} Stepper;

static int right_side(double t, const double y[], double dy[], void *physics)
{
    (void)t;
    slope(physics, y, dy);
    return GSL_SUCCESS;
}

void *peer_make(const Job *job)
{
    Stepper *s = calloc(1, sizeof *s);
    (void)job;
    peer_must(s != NULL, "memory");
    s->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk4, STATE);
    peer_must(s->step != NULL, "gsl_odeiv2_step_alloc");
    return s;
}

void peer_run(void *peer, const Job *job)
{
    Stepper                *s = peer;
    const gsl_odeiv2_system system = {right_side, NULL, STATE, &s->physics};
    double                  error[STATE];
    for (size_t i = 0; i < job->points; ++i) {
        double *y = job->final + i * STATE;
        physics_set(job->start[i * ROW], &s->physics);
        memcpy(y, job->start + i * ROW + 1, STATE * sizeof *y);
        gsl_odeiv2_step_reset(s->step);
        for (size_t n = 0; n < job->steps; ++n)
            peer_must(gsl_odeiv2_step_apply(s->step, (double)n * job->h, job->h, y, error, NULL, NULL, &system) ==
                          GSL_SUCCESS,
                      "gsl_odeiv2_step_apply");
    }
}

void peer_end(void *peer)
{
    Stepper *s = peer;
    gsl_odeiv2_step_free(s->step);
    free(s);
}
