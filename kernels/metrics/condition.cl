//: metric: condition
//: title: Condition number of the Newton matrix in the 2-norm
//: listed: true
//: needs: [newton]
//: results:
//:   condition_max:  {unit: "1", records: [condition], about: largest over every Jacobian formed}
//:   condition_mean: {unit: "1", records: [condition, condition_mean], about: logarithmic mean over the last Jacobian of each accepted solve}
//:   condition_last: {unit: "1", records: [condition], about: last Jacobian of the last accepted solve}

static real M(condition_max)(const Point *q)
{
    return choose(q->condition.largest > ZERO, q->condition.largest, NOT_A_NUMBER);
}

// Solves that were accepted: all solves of whole steps, and the others that did not fail.
static real M(condition_mean)(const Point *q)
{
    const whole accepted = count_solves(q) - count_unsolved(q);
    return real_exp((q->condition.log_sum + real_log(q->condition.product)) / to_real(accepted));
}

static real M(condition_last)(const Point *q) { return q->condition.last; }
