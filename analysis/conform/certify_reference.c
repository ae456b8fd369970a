// certify_reference -- a step of the reference's method between states of the kernel's.
#include "analysis/conform/certify_reference.h"

#include <math.h>
#include <string.h>

bool certify_reference_make(const Plan *plan, const Batch *batch, const ReferenceOptions *options,
                            CertifyReference *reference, Error *err)
{
    const Group *group = batch->group;
    Error        why;
    reference->knows = method_known(group->method) && point_problem(group->problem, group->dofs, &why);
    return !reference->knows || point_make(plan, batch, options, NULL, &reference->run, err);
}

void certify_reference_free(CertifyReference *reference)
{
    point_free(&reference->run);
    *reference = (CertifyReference){0};
}

static CertificateEnd end_of(SolveEnd end)
{
    return end == SOLVE_ACCEPTED     ? CERTIFICATE_ACCEPTED
           : end == SOLVE_SINGULAR   ? CERTIFICATE_SINGULAR
           : end == SOLVE_NOT_FINITE ? CERTIFICATE_NOT_FINITE
                                     : CERTIFICATE_MISSED;
}

bool certify_reference_agrees(CertifyReference *reference, uint64_t point, const CertificateSubstep *substep)
{
    const size_t n = substep->dofs;
    State        now = {0}, next, previous = {0};
    Tally        tally = {.condition_last = NAN, .condition_max = NAN};
    if (!reference->knows)
        return false;
    point_begin(&reference->run, point, &reference->rules, &reference->stepping);
    reference->rules.conditions = false;
    Step step = reference->stepping.step;
    memcpy(now.x, substep->before.x, n * sizeof *now.x);
    memcpy(now.v, substep->before.v, n * sizeof *now.v);
    for (size_t k = 0; k < substep->method->state_count; ++k)
        memcpy(now.own[k], substep->before.own[k], n * sizeof *now.own[k]);
    if (substep->before.scale)
        memcpy(now.scale, substep->before.scale, n * sizeof *now.scale);
    // A guess is extrapolated from what the kernel has at the substep's own size.
    const size_t kept = substep->method->state_count,
                 earlier = substep->newton->extrapolated ? substep->method->guess_state_count : 0;
    for (size_t k = 0; k < earlier && !isnan(substep->before.own[kept + k][0]); ++k) {
        memcpy(now.earlier[k], substep->before.own[kept + k], n * sizeof *now.earlier[k]);
        now.earlier_count = k + 1;
    }
    now.spacing = substep->h;
    step.t = substep->t;
    step.h = substep->h;
    step.now = &now;
    if (substep->previous) {
        memcpy(previous.x, substep->previous->x, n * sizeof *previous.x);
        memcpy(previous.v, substep->previous->v, n * sizeof *previous.v);
        step.previous = &previous;
        step.spacing = substep->spacing;
    }
    next = now;
    const SolveEnd           end = stepping_step(step, &tally, &next);
    const CertificateCounts *counts = &substep->counts;
    const bool               modified = substep->newton->modified;
    return (end == SOLVE_ACCEPTED) == substep->accepted && tally.updates == counts->updates &&
           (!substep->end_said || end_of(end) == substep->end) && tally.stagnated_solves == counts->stagnated &&
           (modified ? tally.jacobians : (uint64_t)(end == SOLVE_SINGULAR)) == counts->jacobians &&
           (!substep->solves_said || tally.accepted_solves + tally.failed_solves == counts->solves);
}
