// demand -- lines of equations with bounds, and their demands.
#include "analysis/conform/certificate/demand.h"

#include "analysis/conform/certificate/minimum.h"
#include "analysis/conform/certificate/sets.h"
#include "analysis/conform/certificate/derived.h"
#include "analysis/conform/certificate/updates.h"

#include <string.h>

static const Ball   zero = {0.0L, 0.0L}, one = {1.0L, 0.0L};
static const Vector nothing;

// A step under way. Vectors are filled line by line.
typedef struct DemandWalk {
    Judge              *judge;
    const EquationPart *part;
    Ball                numbers[EQUATIONS_NUMBERS];
    Vector              vectors[EQUATIONS_VECTORS];
    const Vector       *last;    // unknown of the solve before, or NULL
    const Slopes       *slopes;  // of linear stages, else NULL
    bool                start;
} DemandWalk;

static Ball leaf(const DemandWalk *walk, size_t index)
{
    const CertificateSubstep *substep = walk->judge->substep;
    if (!equations_leaf(substep->method, &index))
        return ball(substep->parameters[index]);
    switch (index) {
    case EQUATIONS_H: return walk->judge->h;
    case EQUATIONS_H_EARLIER: return ball(substep->spacing);
    case EQUATIONS_STARTER: return substep->start == START_TRAPEZOIDAL ? zero : one;
    default: return walk->numbers[index - EQUATIONS_OWN];
    }
}

// Whether the kernel's precision holds a number.
static bool holds(const Judge *judge, long double at)
{
    return judge->u < 0x1p-40L ? (long double)(double)at == at : (long double)(float)at == at;
}

static Ball quotient(const Judge *judge, Ball a, Ball b)
{
    const long double at = a.at / b.at;
    const bool        exact = a.off == 0.0L && b.off == 0.0L && holds(judge, at) && at * b.at == a.at;
    return exact ? ball(at) : ball_div(judge->u, a, b);
}

static Ball power(const Judge *judge, Ball a, Ball exponent)
{
    Ball product = a;
    for (int k = 1; k < (int)exponent.at; ++k)
        product = ball_mul(judge->u, product, a);
    return exponent.off == 0.0L && exponent.at >= 1.0L && exponent.at == (long double)(int)exponent.at
               ? product
               : ball_call(judge->u, FUNCTION_POW, a, exponent);
}

static Ball evaluate(const DemandWalk *walk, const Node *node)
{
    const Judge   *judge = walk->judge;
    const Roundoff u = judge->u;
    const Ball a = node->left ? evaluate(walk, node->left) : zero, b = node->right ? evaluate(walk, node->right) : zero;
    switch (node->kind) {
    case NODE_NUMBER: return holds(judge, node->number) ? ball(node->number) : ball_rounded(u, node->number, 0.0L);
    case NODE_PI: return ball_rounded(u, acosl(-1.0L), 0.0L);
    case NODE_TIME: return judge->t;
    case NODE_PARAMETER: return leaf(walk, node->index);
    case NODE_NEGATE: return (Ball){-a.at, a.off};
    case NODE_ADD: return ball_add(u, a, b);
    case NODE_SUBTRACT: return ball_sub(u, a, b);
    case NODE_MULTIPLY: return ball_mul(u, a, b);
    case NODE_DIVIDE: return quotient(judge, a, b);
    case NODE_POWER: return power(judge, a, b);
    case NODE_CALL: return ball_call(u, node->function, a, b);
    default: return (Ball){NAN, INFINITY};
    }
}

static Vector sum_of(const DemandWalk *walk, const EquationTerm *terms, size_t count)
{
    Term summands[EQUATIONS_TERMS];
    for (size_t k = 0; k < count; ++k)
        summands[k] = (Term){walk->numbers[terms[k].factor], &walk->vectors[terms[k].vector]};
    return equations_sum(walk->judge, count, summands);
}

// A vector; NULL for none, which is zero.
static const Vector *vector_of(const DemandWalk *walk, size_t vector)
{
    return vector == EQUATIONS_NONE ? NULL : &walk->vectors[vector];
}

// The kernel's numbers for an end of the step, or NULL.
static const double *end_of(const DemandWalk *walk, size_t end)
{
    const CertificateSubstep *substep = walk->judge->substep;
    const WalkState          *after = &substep->after;
    const size_t              n = walk->judge->n, states = substep->method->state_count;
    if (end == EQUATIONS_NONE)
        return NULL;
    if (walk->start)
        return after->own + end * n;
    if (end < 2)
        return end == 0 ? after->x : after->v;
    const size_t own = end - 2, kept = substep->newton->extrapolated ? substep->method->guess_state_count : 0;
    if (own < states)
        return after->own + own * n;
    return after->own + (own + kept) * n;
}

// Demands that the kernel has a vector that is an end of the step, and takes the kernel's numbers for it.
static void demand_end(DemandWalk *walk, const EquationLine *line)
{
    Judge        *judge = walk->judge;
    const double *kernel = end_of(walk, line->end);
    Vector       *vector = &walk->vectors[line->target];
    if (!kernel)
        return;
    const char *text = line->text ? line->text : "an end of the step";
    if (line->position && !walk->start)
        equations_position(judge, text, vector, kernel);
    else
        equations_equal(judge, text, vector, kernel);
    if (judge->substep->accepted)
        *vector = equations_known(judge, kernel);
}

static Vector force_at(const DemandWalk *walk, const EquationLine *line)
{
    const Vector *x = vector_of(walk, line->x), *v = vector_of(walk, line->v);
    return equations_acceleration(walk->judge, evaluate(walk, line->time), x ? x : &nothing, v ? v : &nothing);
}

// Half the time over which K v_0 is a difference. By the absolute rule the cube root of the precision of a unit of x,
// or of x_0 where that is larger, over the speed. Else 2^-17, in single precision 2^-7, of the least x_i/v_i, or of the
// least v_i/a_i where no coordinate has both.
static Ball half_width(const Judge *judge, const Vector *x, const Vector *v, const Vector *a)
{
    const WalkState *after = &judge->substep->after;
    const Roundoff   u = judge->u;
    if (!judge->substep->newton->scaled_residual) {
        const Ball root = ball_rounded(u, cbrtl(2.0L * u), 0.0L),
                   size_x = ball(larger_of(equations_size(judge, after->x), 1.0L)),
                   size_v = ball(larger_of(equations_size(judge, after->v), 1.0L));
        return ball_div(u, ball_mul(u, root, size_x), size_v);
    }
    const long double power = u < 0x1p-40L ? 0x1p-17L : 0x1p-7L;
    Ball              least = {INFINITY, 0.0L}, other = least;
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball speed = {fabsl(v->i[i].at), 0.0L}, force = {fabsl(a->i[i].at), a->i[i].off},
                   time = ball_div(u, (Ball){fabsl(x->i[i].at), 0.0L}, speed), change = ball_div(u, speed, force);
        if (x->i[i].at != 0.0L && speed.at > 0.0L && time.at < least.at)
            least = time;
        if (speed.at > 0.0L && force.at > 0.0L && change.at < other.at)
            other = change;
    }
    const Ball time = least.at < INFINITY ? least : other.at < INFINITY ? other : one;
    return (Ball){power * time.at, power * (time.off + 2.0L * u * time.at)};
}

// K v = -(da/dx) v by a central difference along v.
static Vector stiff_at(const DemandWalk *walk, const EquationLine *line)
{
    const Judge   *judge = walk->judge;
    const Roundoff u = judge->u;
    const Vector  *x = vector_of(walk, line->x), *v = vector_of(walk, line->v);
    const Ball     t = evaluate(walk, line->time);
    const Vector   a = equations_acceleration(judge, t, x, v);
    const Ball     way = half_width(judge, x, v, &a), per = ball_div(u, one, ball_add(u, way, way));
    const Vector   there = SUM(judge, {one, x}, {way, v}), back = SUM(judge, {one, x}, {(Ball){-way.at, way.off}, v}),
                 ahead = equations_acceleration(judge, t, &there, v),
                 behind = equations_acceleration(judge, t, &back, v);
    return SUM(judge, {per, &behind}, {(Ball){-per.at, per.off}, &ahead});
}

// The polynomial through the accelerations at t, t - h and t - 2h, as far as there are some, in Newton's form: at t + h
// each of its differences has the weight 1.
static Vector extrapolated(const Judge *judge, const Vector *a)
{
    const WalkState *before = &judge->substep->before;
    const size_t     first_kept = judge->substep->method->state_count;
    const double    *once = before->own + first_kept * judge->n, *twice = once + judge->n;
    const Ball       minus = {-1.0L, 0.0L};
    if (isnan(once[0]))
        return *a;
    const Vector earlier = equations_known(judge, once), slope = SUM(judge, {one, a}, {minus, &earlier});
    if (isnan(twice[0]))
        return SUM(judge, {one, a}, {one, &slope});
    const Vector first = equations_known(judge, twice),
                 bend = SUM(judge, {one, &slope}, {minus, &earlier}, {one, &first});
    return SUM(judge, {one, a}, {one, &slope}, {one, &bend});
}

// Demands that the next guess is extrapolated from the accelerations before the new one.
static void demand_earlier(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const size_t              n = judge->n, first = substep->method->state_count * n;
    const bool                resized = substep->after.level != substep->before.level || substep->forgets;
    for (size_t i = first; substep->accepted && !resized && i < first + 2 * n; ++i) {
        const double kept = substep->after.own[i], was = substep->before.own[i - n];
        if (kept != was && !(isnan(kept) && isnan(was)))
            equations_fail(judge, "the accelerations that a guess is extrapolated from", kept, was);
    }
}

// Where Newton's method begins; a linear stage is solved for from 0. A linearised equation is linearised at x_n, at
// which its guess stands: how the kernel's is rounded moves only where its differences are made.
static Vector guess_of(const DemandWalk *walk, const Solve *solve)
{
    const Judge  *judge = walk->judge;
    const Card   *method = judge->substep->method;
    const bool    extrapolates = judge->substep->newton->extrapolated;
    const Vector *x = &walk->vectors[EQUATIONS_X], *v = &walk->vectors[EQUATIONS_V];
    Vector        guess = {0};
    if (method->solver == SOLVER_LINEARISED) {
        for (size_t i = 0; i < judge->n; ++i)
            guess.i[i] = ball((x->i[i].at - solve->x->i[i].at) / solve->cx.at);
        return guess;
    }
    if (solve->slopes)
        return guess;
    if (method->unknown == UNKNOWN_ACCELERATION) {
        const Vector a = equations_known(judge, equations_own(judge, &judge->substep->before, "a"));
        return extrapolates ? extrapolated(judge, &a) : a;
    }
    if (walk->last || !extrapolates)
        return walk->last ? *walk->last : *v;
    const Vector a = equations_acceleration(judge, judge->t, x, v);
    return SUM(judge, {one, v}, {judge->h, &a});
}

// Finds the kernel's unknown of a solve; false where it is not known.
static bool find_unknown(const DemandWalk *walk, const EquationLine *line, const Solve *solve, Vector *u)
{
    const Judge  *judge = walk->judge;
    const double *kept = end_of(walk, line->end), *force = end_of(walk, line->back.solved);
    if (kept) {
        *u = equations_known(judge, kept);
        return true;
    }
    if (force && solve->q.at != 0.0L) {
        const Vector a = equations_known(judge, force), sum = SUM(judge, {one, solve->rest}, {solve->q, &a});
        for (size_t i = 0; i < judge->n; ++i)
            u->i[i] = solve->A.at == 1.0L && solve->A.off == 0.0L ? sum.i[i] : ball_div(judge->u, sum.i[i], solve->A);
        return true;
    }
    const double *other = end_of(walk, line->back.end);
    if (!other)
        return false;
    const Vector others = sum_of(walk, line->back.terms, line->back.count);
    const Ball   factor = walk->numbers[line->back.factor];
    for (size_t i = 0; i < judge->n; ++i) {
        const Ball end = {other[i], judge->u * fabsl((long double)other[i])},
                   sum = {end.at - others.i[i].at, end.off + others.i[i].off};
        u->i[i] = (Ball){sum.at / factor.at, (sum.off + fabsl(sum.at / factor.at) * factor.off) / fabsl(factor.at)};
    }
    return true;
}

// Judges a solve; false where its unknown is not known, and the lines after it cannot be judged.
static bool demand_solve(DemandWalk *walk, const EquationLine *line)
{
    Judge                    *judge = walk->judge;
    const CertificateSubstep *substep = judge->substep;
    const Solver              solver = substep->method->solver;
    const Vector             *rest = vector_of(walk, line->rest), *x = vector_of(walk, line->x);
    Vector                   *u = &walk->vectors[line->target];
    long double               mass[CERTIFICATE_DOFS] = {0};
    // A position depends on the unknown in a system of second order only.
    Solve solve = {.equation = line->text,
                   .A = walk->numbers[line->A],
                   .q = walk->numbers[line->q],
                   .t = evaluate(walk, line->time),
                   .cx = substep->point->problem->first_order ? zero : walk->numbers[line->cx],
                   .cv = walk->numbers[line->cv],
                   .rest = rest ? rest : &nothing,
                   .x = x,
                   .v = vector_of(walk, line->v),
                   .acceleration = substep->method->unknown == UNKNOWN_ACCELERATION,
                   .slopes = walk->slopes};
    if (solver == SOLVER_LINE_SEARCH) {
        substep->point->exact->masses(substep->point->params, mass);
        solve.masses = mass;
    }
    const Vector guess = guess_of(walk, &solve);
    solve.guess = &guess;
    const bool known = find_unknown(walk, line, &solve, u);
    if (!known)
        solved_follow(judge, &solve);
    else if (solver == SOLVER_LINEARISED || solver == SOLVER_ROSENBROCK)
        solved_linear(judge, &solve, &guess, u);
    else
        solved_demand(judge, &solve, u);
    if (solver == SOLVER_LINE_SEARCH)
        minimum_demand(judge, &solve, u);
    walk->last = u;
    if (known && substep->accepted)
        return true;
    // A solution that is not kept, or is of a substep that failed, can be found again.
    if (judge->solve_count == 0 || !judge->solves[judge->solve_count - 1].accepted)
        return false;
    *u = judge->solves[judge->solve_count - 1].u;
    return true;
}

static bool take_line(DemandWalk *walk, const EquationLine *line)
{
    Vector *target = &walk->vectors[line->target];
    switch (line->kind) {
    case EQUATION_SUM: *target = sum_of(walk, line->terms, line->count); break;
    case EQUATION_FORCE: *target = force_at(walk, line); break;
    case EQUATION_STIFF: *target = stiff_at(walk, line); break;
    case EQUATION_SOLVE: return demand_solve(walk, line);
    case EQUATION_SOLVED:
        // Where the solve weighs its acceleration, that has shown the solve's unknown.
        if (walk->numbers[walk->part->lines[line->of].q].at != 0.0L) {
            *target = equations_known(walk->judge, end_of(walk, line->end));
            return true;
        }
        *target = force_at(walk, line);
        break;
    }
    demand_end(walk, line);
    return true;
}

static bool take_part(DemandWalk *walk)
{
    const EquationPart *part = walk->part;
    for (size_t k = 0; k < part->number_count; ++k) {
        const double given = equations_given_number(part, k, walk->judge->substep->parameters);
        walk->numbers[k] = isnan(given) ? evaluate(walk, part->numbers[k]) : ball(given);
    }
    const CertificateSubstep *substep = walk->judge->substep;
    const bool                derived = substep->tangents && substep->accepted && !substep->lost;
    for (size_t k = 0; k < part->line_count; ++k) {
        const EquationLine *line = &part->lines[k];
        if (!take_line(walk, line))
            return false;
        if (derived)
            derived_line(walk->judge, part, line, walk->numbers, walk->vectors,
                         line->time ? evaluate(walk, line->time) : zero, walk->start);
    }
    return true;
}

void demand_step(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const WalkState          *before = &substep->before;
    const Card               *method = substep->method;
    DemandWalk                walk = {.judge = judge};
    walk.part = method->history && !substep->previous_x ? &substep->equations->first : &substep->equations->step;
    if (method->adaptive)
        adaptive_place(judge);
    walk.vectors[EQUATIONS_X] = equations_known(judge, before->x);
    walk.vectors[EQUATIONS_V] = equations_known(judge, before->v);
    if (substep->previous_x) {
        walk.vectors[EQUATIONS_X_EARLIER] = equations_known(judge, substep->previous_x);
        walk.vectors[EQUATIONS_V_EARLIER] = equations_known(judge, substep->previous_v);
    }
    for (size_t k = 0; k < method->state_count; ++k)
        walk.vectors[EQUATIONS_STATE + k] = equations_known(judge, before->own + k * judge->n);
    if (substep->tangents)
        derived_step(judge);
    Slopes slopes;
    if (method->solver == SOLVER_ROSENBROCK) {
        derive_slopes(judge, &slopes);
        walk.slopes = &slopes;
    }
    const bool whole = take_part(&walk);
    if (method->adaptive && whole && substep->solved)
        adaptive_decide(judge, &walk.vectors[walk.part->error_x], &walk.vectors[walk.part->error_v],
                        &walk.vectors[walk.part->ends[0]], &walk.vectors[walk.part->ends[1]]);
    if (method->adaptive && !substep->solved)
        adaptive_unsolved(judge);
    if (substep->newton->extrapolated && method->guess_state_count > 0)
        demand_earlier(judge);
}

// Initial numbers, and a parameter's effect on them to first order, as in equations_acceleration().
typedef struct Initial {
    long double x[CERTIFICATE_DOFS], v[CERTIFICATE_DOFS];
} Initial;

// As a method sees it: of a first-order system in place of the velocities.
static void find_initial(const CertificateSubstep *substep, const void *params, Initial *at)
{
    substep->point->exact->initial_state(params, at->x, at->v);
    for (size_t i = 0; substep->point->problem->first_order && i < substep->point->dofs; ++i) {
        at->v[i] = at->x[i];
        at->x[i] = 0.0L;
    }
}

static void widen(const Judge *judge, const Initial *at, const Initial *moved, long double per, Vector *x, Vector *v)
{
    for (size_t i = 0; i < judge->n; ++i) {
        x->i[i].off += fabsl(moved->x[i] - at->x[i]) * per;
        v->i[i].off += fabsl(moved->v[i] - at->v[i]) * per;
    }
}

// x_0 and v_0. They are off by as many roundings as the file has operators: of a parameter, of the result, or of the
// value of a function of elementary.h.
static void initial_state(const Judge *judge, Vector *x, Vector *v)
{
    const CertificateSubstep *substep = judge->substep;
    const Exact              *exact = substep->point->exact;
    const size_t              n = judge->n, parameters = substep->point->problem->parameter_count;
    const long double         inside = (long double)(exact->operations + (int)n) * judge->u, nudge = 0x1p-24L;
    Initial                   at = {0}, moved = {0};
    exact->move(0, 0.0L);
    find_initial(substep, substep->point->params, &at);
    const int calls = exact->elementary ? exact->calls() : 0;
    for (size_t i = 0; i < n; ++i) {
        x->i[i] = (Ball){at.x[i], inside * fabsl(at.x[i])};
        v->i[i] = (Ball){at.v[i], inside * fabsl(at.v[i])};
    }
    for (int call = 1; call <= calls; ++call) {
        exact->move(call, inside);
        find_initial(substep, substep->point->params, &moved);
        widen(judge, &at, &moved, 1.0L, x, v);
    }
    exact->move(0, 0.0L);
    long double *values = substep->point->moved_values;
    memcpy(values, substep->point->values, parameters * sizeof *values);
    for (size_t k = 0; k < parameters; ++k) {
        if (substep->point->problem->parameters[k].choices || values[k] == 0.0L)
            continue;
        const long double here = values[k];
        values[k] = here * (1.0L + nudge);
        exact->load(substep->point->moved_params, values);
        values[k] = here;
        find_initial(substep, substep->point->moved_params, &moved);
        widen(judge, &at, &moved, inside / nudge, x, v);
    }
}

void demand_start(Judge *judge)
{
    const CertificateSubstep *substep = judge->substep;
    const WalkState          *after = &substep->after;
    const Card               *method = substep->method;
    const bool                anew = substep->anew;
    Vector                    x, v;
    if (anew) {
        x = equations_known(judge, substep->before.x);
        v = equations_known(judge, substep->before.v);
    } else {
        initial_state(judge, &x, &v);
    }
    sets_apply(judge, &x, &v);
    equations_equal(judge, anew ? "x past a break" : "x_0", &x, after->x);
    equations_equal(judge, anew ? "v past a break" : "v_0", &v, after->v);
    x = equations_known(judge, after->x);
    v = equations_known(judge, after->v);
    if (substep->tangents && !substep->lost)
        derived_start(judge);
    if (substep->equations) {
        DemandWalk walk = {.judge = judge, .part = &substep->equations->start, .start = true};
        walk.vectors[EQUATIONS_X] = x;
        walk.vectors[EQUATIONS_V] = v;
        take_part(&walk);
        for (size_t k = 0; k < method->state_count; ++k)
            if (walk.part->ends[k] == EQUATIONS_NONE)
                equations_equal(judge, "a size before the first substep", &nothing, after->own + k * judge->n);
    }
    if (substep->previous_x) {
        equations_equal(judge, "the earlier x of a point that begins", &x, substep->previous_x);
        equations_equal(judge, "the earlier v of a point that begins", &v, substep->previous_v);
    }
    if (method->adaptive && !anew) {
        equations_number(judge, "the first size proposed", 0, judge->h, after->proposed);
        equations_number(judge, "the time that a point begins at", 0, ball(0.0L), after->reached);
    }
}
