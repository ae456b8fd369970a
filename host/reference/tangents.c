// tangents -- lines differentiated one by one, for all names at once.
#include "reference/tangents.h"

#include "reference/eigen.h"

#include <math.h>
#include <string.h>

// The first vectors of a state in a block.
enum { TANGENT_X, TANGENT_V, TANGENT_OWN };

bool tangents_make(const Group *group, const ReferenceMethod *method, Arena *arena, Tangents **made, Error *err)
{
    const size_t count = group->derivative_count, n = group->dofs,
                 vectors = TANGENT_OWN + group->method->state_count + group->method->scratch_count,
                 block = count * vectors * n;
    const EquationPart *parts[] = {&method->equations.step, &method->equations.first, &method->equations.start};
    *made = NULL;
    if (count == 0)
        return true;
    Tangents *tangents = arena_take(arena, 1, sizeof *tangents, err);
    if (!tangents)
        return false;
    *tangents = (Tangents){.group = group, .n = n, .vectors = vectors};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (parts[i]->vector_count > tangents->line_vectors)
            tangents->line_vectors = parts[i]->vector_count;
    const struct {
        double **room;
        size_t   numbers;
    } rooms[] = {
        {&tangents->now, block},
        {&tangents->next, block},
        {&tangents->begun, block},
        {&tangents->before, block},
        {&tangents->halves, ((size_t)group->substeps.max_depth + 1) * block},
        {&tangents->lines, count * tangents->line_vectors * n},
        {&tangents->in_x, n * n},
        {&tangents->in_v, n * n},
        {&tangents->in_parameters, 2 * (group->problem->parameter_count + 1) * n},
        {&tangents->matrix, n * n},
        {&tangents->right, count * n},
    };
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; ++i)
        if (!(*rooms[i].room = arena_take(arena, rooms[i].numbers, sizeof(double), err)))
            return false;
    *made = tangents;
    return true;
}

static double *of_block(const Tangents *tangents, double *block, size_t derivative, size_t vector)
{
    return block + (derivative * tangents->vectors + vector) * tangents->n;
}

static double *of_line(const Tangents *tangents, size_t derivative, size_t vector)
{
    return tangents->lines + (derivative * tangents->line_vectors + vector) * tangents->n;
}

// The derivatives by the parameter that a name stands for; NULL: it stands for an initial value.
static const double *by_parameter(const Tangents *tangents, size_t derivative, const double *vectors)
{
    const Tangent *by = &tangents->group->derivatives[derivative];
    return by->by == BY_PARAMETER ? vectors + problem_c_slope(tangents->group->problem, by->index) * tangents->n : NULL;
}

void tangents_begin(Tangents *tangents, const ReferenceProblem *problem, const void *params)
{
    const size_t n = tangents->n, first = problem->first_order ? TANGENT_V : TANGENT_X;
    double      *in_x = tangents->in_parameters, *in_v = in_x + (tangents->group->problem->parameter_count + 1) * n;
    memset(tangents->now, 0, tangents_bytes(tangents));
    problem->start_slopes(params, in_x, in_v);
    for (size_t j = 0; j < tangents->group->derivative_count; ++j) {
        const Tangent *by = &tangents->group->derivatives[j];
        double *x = of_block(tangents, tangents->now, j, first), *v = of_block(tangents, tangents->now, j, TANGENT_V);
        if (by->by != BY_PARAMETER) {
            (by->by == BY_COORDINATE ? x : v)[by->index] = 1.0;
            continue;
        }
        if (!problem->first_order)
            memcpy(v, by_parameter(tangents, j, in_v), n * sizeof *v);
        memcpy(x, by_parameter(tangents, j, in_x), n * sizeof *x);
    }
}

// Finds the derivatives of the acceleration at a place.
static void find_linear(const MethodWalk *walk, const EquationLine *line, const double *x, const double *v)
{
    const Step     *step = walk->step;
    const Tangents *tangents = step->tangents;
    const double    t = walk_time(walk, line);
    step->problem->jacobian(t, x, v, step->params, tangents->in_x, tangents->in_v);
    step->problem->slopes(t, x, v, step->params, tangents->in_parameters);
}

// da = a_x dx + a_v dv + a_c.
//   x, v  vectors of the step, or EQUATIONS_NONE
static void apply_linear(const Tangents *tangents, size_t derivative, size_t x, size_t v, double *da)
{
    const size_t  n = tangents->n;
    const double *dx = x == EQUATIONS_NONE ? NULL : of_line(tangents, derivative, x),
                 *dv = v == EQUATIONS_NONE ? NULL : of_line(tangents, derivative, v),
                 *dc = by_parameter(tangents, derivative, tangents->in_parameters);
    for (size_t i = 0; i < n; ++i) {
        da[i] = dc ? dc[i] : 0.0;
        for (size_t k = 0; k < n; ++k)
            da[i] += (dx ? tangents->in_x[i * n + k] * dx[k] : 0.0) + (dv ? tangents->in_v[i * n + k] * dv[k] : 0.0);
    }
}

static void derive_sum(const MethodWalk *walk, const EquationLine *line, size_t derivative)
{
    const Tangents *tangents = walk->step->tangents;
    double         *sum = of_line(tangents, derivative, line->target);
    memset(sum, 0, tangents->n * sizeof *sum);
    for (size_t k = 0; k < line->count; ++k)
        for (size_t i = 0; i < tangents->n; ++i)
            sum[i] += walk->numbers[line->terms[k].factor] * of_line(tangents, derivative, line->terms[k].vector)[i];
}

static void derive_force(const MethodWalk *walk, const EquationLine *line)
{
    const Tangents *tangents = walk->step->tangents;
    find_linear(walk, line, walk_vector(walk, line->x), walk_vector(walk, line->v));
    for (size_t j = 0; j < tangents->group->derivative_count; ++j)
        apply_linear(tangents, j, line->x, line->v, of_line(tangents, j, line->target));
}

static void derive_solve(const MethodWalk *walk, const EquationLine *line)
{
    const Tangents *tangents = walk->step->tangents;
    const size_t    n = tangents->n, count = tangents->group->derivative_count;
    const double    A = walk->numbers[line->A], q = walk->numbers[line->q], cx = walk->numbers[line->cx],
                 cv = walk->numbers[line->cv], *u = walk_vector(walk, line->target), *x = walk_vector(walk, line->x),
                 *v = walk_vector(walk, line->v);
    double there_x[REFERENCE_DOFS], there_v[REFERENCE_DOFS];
    for (size_t i = 0; i < n; ++i) {
        there_x[i] = x[i] + cx * u[i];
        there_v[i] = v[i] + cv * u[i];
    }
    find_linear(walk, line, there_x, there_v);
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < n; ++k)
            tangents->matrix[i * n + k] =
                (i == k ? A : 0.0) - q * (cx * tangents->in_x[i * n + k] + cv * tangents->in_v[i * n + k]);
    for (size_t j = 0; j < count; ++j) {
        double *right = tangents->right + j * n;
        apply_linear(tangents, j, line->x, line->v, right);
        for (size_t i = 0; i < n; ++i)
            right[i] = q * right[i] + (line->rest == EQUATIONS_NONE ? 0.0 : of_line(tangents, j, line->rest)[i]);
    }
    const bool solved = eigen_solve_all(n, count, tangents->matrix, tangents->right);
    for (size_t j = 0; j < count; ++j)
        for (size_t i = 0; i < n; ++i)
            of_line(tangents, j, line->target)[i] = solved ? tangents->right[j * n + i] : (double)NAN;
}

// The acceleration of a solve by its equation, as in walk_part().
static void derive_solved(const MethodWalk *walk, const EquationLine *line)
{
    const Tangents     *tangents = walk->step->tangents;
    const EquationLine *solve = &walk->part->lines[line->of];
    const double        A = walk->numbers[solve->A], q = walk->numbers[solve->q];
    if (q == 0.0) {
        derive_force(walk, line);
        return;
    }
    for (size_t j = 0; j < tangents->group->derivative_count; ++j)
        for (size_t i = 0; i < tangents->n; ++i) {
            const double rest = solve->rest == EQUATIONS_NONE ? 0.0 : of_line(tangents, j, solve->rest)[i];
            of_line(tangents, j, line->target)[i] = (A * of_line(tangents, j, solve->target)[i] - rest) / q;
        }
}

// Lines of damping by stiffness belong to linearised methods, which `derivatives` refuses.
static void derive_lines(const MethodWalk *walk)
{
    for (size_t k = 0; k < walk->part->line_count; ++k) {
        const EquationLine *line = &walk->part->lines[k];
        if (line->kind == EQUATION_FORCE)
            derive_force(walk, line);
        else if (line->kind == EQUATION_SOLVE)
            derive_solve(walk, line);
        else if (line->kind == EQUATION_SOLVED)
            derive_solved(walk, line);
        for (size_t j = 0; line->kind == EQUATION_SUM && j < walk->step->tangents->group->derivative_count; ++j)
            derive_sum(walk, line, j);
    }
}

// Puts a vector of a block where the lines look for it.
static void put(const Tangents *tangents, size_t derivative, size_t to, const double *block, size_t from)
{
    memcpy(of_line(tangents, derivative, to), block + (derivative * tangents->vectors + from) * tangents->n,
           tangents->n * sizeof *block);
}

static void begin_lines(const MethodWalk *walk)
{
    const Tangents *tangents = walk->step->tangents;
    for (size_t j = 0; j < tangents->group->derivative_count; ++j) {
        for (size_t k = 0; k < 2; ++k)
            put(tangents, j, EQUATIONS_X + k, tangents->now, TANGENT_X + k);
        for (size_t k = 0; walk->step->previous && k < 2; ++k)
            put(tangents, j, EQUATIONS_X_EARLIER + k, walk->step->previous_tangents, TANGENT_X + k);
        for (size_t k = 0; k < tangents->group->method->state_count; ++k)
            put(tangents, j, EQUATIONS_STATE + k, tangents->now, TANGENT_OWN + k);
    }
}

// Takes the vectors at the end of the lines into a block.
//   first, end  the vectors of a state that they are, from the first end on
static void take_ends(const MethodWalk *walk, double *block, size_t first, size_t end)
{
    const Tangents *tangents = walk->step->tangents;
    for (size_t j = 0; j < tangents->group->derivative_count; ++j)
        for (size_t k = first; k < end; ++k) {
            const size_t from = walk->part->ends[k - first];
            if (from != EQUATIONS_NONE)
                memcpy(of_block(tangents, block, j, k), of_line(tangents, j, from), tangents->n * sizeof *block);
        }
}

void tangents_start(const MethodWalk *walk)
{
    begin_lines(walk);
    derive_lines(walk);
    take_ends(walk, walk->step->tangents->now, TANGENT_OWN, TANGENT_OWN + walk->step->method->card->state_count);
}

void tangents_step(const MethodWalk *walk)
{
    Tangents *tangents = walk->step->tangents;
    memcpy(tangents->next, tangents->now, tangents_bytes(tangents));
    begin_lines(walk);
    derive_lines(walk);
    take_ends(walk, tangents->next, TANGENT_X, tangents->vectors);
}

static void swap(double **a, double **b)
{
    double *was = *a;
    *a = *b;
    *b = was;
}

void tangents_take(Tangents *tangents)
{
    if (tangents)
        swap(&tangents->now, &tangents->next);
}

size_t tangents_bytes(const Tangents *tangents)
{
    return tangents->group->derivative_count * tangents->vectors * tangents->n * sizeof(double);
}

static void copy(const Tangents *tangents, double *to)
{
    memcpy(to, tangents->now, tangents_bytes(tangents));
}

void tangents_enter_step(Tangents *tangents)
{
    if (tangents)
        copy(tangents, tangents->begun);
}

void tangents_leave_step(Tangents *tangents)
{
    if (tangents)
        swap(&tangents->begun, &tangents->before);
}

const double *tangents_split(Tangents *tangents, int level)
{
    if (!tangents)
        return NULL;
    double *kept =
        tangents->halves + (size_t)level * tangents->group->derivative_count * tangents->vectors * tangents->n;
    copy(tangents, kept);
    return kept;
}

const double *tangents_vector(const Tangents *tangents, const double *block, size_t derivative, bool velocity)
{
    const size_t vector = velocity || tangents->group->problem->first_order ? TANGENT_V : TANGENT_X;
    return block + (derivative * tangents->vectors + vector) * tangents->n;
}

const double *tangents_final(const Tangents *tangents, size_t derivative, bool velocity)
{
    return tangents_vector(tangents, tangents->now, derivative, velocity);
}
