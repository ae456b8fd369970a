//: metric: counters
//: title: How much work a point took
//: results:
//:   steps:                {unit: "1", type: whole, limit: steps, about: completed steps}
//:   substeps:             {unit: "1", type: whole, about: accepted substeps smaller than a step}
//:   updates:              {unit: "1", type: whole, limit: updates, about: "Newton updates (linear solves), failed solves included"}
//:   updates_per_step_max: {unit: "1", type: whole, bits: 32, limit: updates, records: [step_updates], about: most updates within one step}
//:   jacobians:            {unit: "1", type: whole, about: "Jacobians made, singular ones included"}
//:   residual_evaluations: {unit: "1", type: whole, about: "residuals evaluated, differences for the Jacobian included"}
//:   evaluations:          {unit: "1", type: whole, about: "residual_evaluations, among which analytic Jacobians are not; of an explicit method accelerations, trials of an adaptive one included"}
//:   failed_solves:        {unit: "1", type: whole, about: "Newton solves that failed and were halved; of an adaptive method, substeps tried again"}
//:   stagnated_solves:     {unit: "1", type: whole, about: "solves accepted at the rounding floor above the tolerance; of an adaptive method also substeps of the least size, taken above its tolerance"}
//:   depth_max:            {unit: "1", type: whole, bits: 32, limit: depth, about: deepest halving level tried}

static whole M(steps)(const Point *q) { return q->step; }
static whole M(substeps)(const Point *q) { return q->n.substeps; }
static whole M(updates)(const Point *q) { return q->n.updates; }

// The kernel leaves out steps that took a single update.
static whole M(updates_per_step_max)(const Point *q)
{
    const mask one = (q->n.updates_per_step_max == 0) & (q->n.updates > 0) & (q->step > 0);
    return count(q->n.updates_per_step_max, one);
}

static whole M(jacobians)(const Point *q) { return MODIFIED ? q->n.jacobians : q->n.updates + q->n.jacobians; }

// A step has as many solves as its method has stages; of an adaptive method other_solves are all. One residual per
// solve, but where stages are linear, one per update, and the residuals of the Jacobians.
static whole M(residual_evaluations)(const Point *q)
{
    const whole solves = IMPLICIT ? (LINEAR_STAGES ? (whole)(0) : count_solves(q)) : (whole)(0);
    return solves + q->n.updates + JACOBIAN_EVALUATIONS * M(jacobians)(q);
}

// Evaluations that begin a point or set up a solve are not counted.
static whole M(evaluations)(const Point *q)
{
    const whole tried = q->n.other_solves + (ADAPTIVE ? (whole)(0) : q->step);
    return IMPLICIT ? M(residual_evaluations)(q) : EVALUATIONS * tried;
}

static whole M(failed_solves)(const Point *q) { return q->n.failed_solves; }
static whole M(stagnated_solves)(const Point *q) { return q->n.stagnated_solves + count_forced(q); }
static whole M(depth_max)(const Point *q) { return q->n.depth_max; }
