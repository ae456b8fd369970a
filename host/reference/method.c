// method -- steps by the equations of a card: their initial vectors, and the use of their ends.
#include "reference/method.h"

#include "catalog/catalog.h"
#include "reference/eigen.h"
#include "reference/tangents.h"

#include <math.h>
#include <string.h>

void step_copy_state(size_t n, State *to, const State *from)
{
    const size_t bytes = n * sizeof(double);
    memcpy(to->x, from->x, bytes);
    memcpy(to->v, from->v, bytes);
    for (size_t k = 0; k < REFERENCE_VECTORS; ++k)
        memcpy(to->own[k], from->own[k], bytes);
    memcpy(to->scale, from->scale, bytes);
    for (size_t k = 0; k < REFERENCE_EARLIER; ++k)
        memcpy(to->earlier[k], from->earlier[k], bytes);
    to->earlier_count = from->earlier_count;
    to->spacing = from->spacing;
}

bool method_is_finite(const State *state, size_t n)
{
    return eigen_all_finite(n, state->x) && eigen_all_finite(n, state->v) && eigen_all_finite(n, state->own[0]);
}

bool method_check(const Card *card, Error *err)
{
    return equations_given(card) ||
           fail(err, ERROR_DEVICE, "the reference has no method '%s': its card has no equations",
                catalog_embeds(card) ? card->name : card->path);
}

size_t method_vector(const Card *card, const char *name)
{
    size_t k = 0;
    while (k < card->state_count && strcmp(card->state[k], name) != 0)
        ++k;
    return k;
}

const ReferenceMethod *method_read(const Card *card, Arena *arena, Error *err)
{
    ReferenceMethod *method = arena_take(arena, 1, sizeof *method, err);
    if (!method || !method_check(card, err) || !equations_read(card, arena, &method->equations, err))
        return NULL;
    if (card->state_count > REFERENCE_VECTORS) {
        fail(err, ERROR_INPUT, "%s: the reference keeps at most %d vectors of a method's state", card->path,
             REFERENCE_VECTORS);
        return NULL;
    }
    method->card = card;
    method->implicit = card->unknown != UNKNOWN_NONE;
    method->history = card->history;
    method->adaptive = card->adaptive;
    const size_t a = method_vector(card, "a");
    method->a = a < card->state_count ? a : EQUATIONS_NONE;
    return method;
}

static void begin(MethodWalk *walk, const Step *step, const EquationPart *part, const State *now, Tally *tally)
{
    const size_t bytes = REFERENCE_DOFS * sizeof(double);
    walk->step = step;
    walk->part = part;
    walk->tally = tally;
    memcpy(walk->vectors[EQUATIONS_X], now->x, bytes);
    memcpy(walk->vectors[EQUATIONS_V], now->v, bytes);
    if (step->previous) {
        memcpy(walk->vectors[EQUATIONS_X_EARLIER], step->previous->x, bytes);
        memcpy(walk->vectors[EQUATIONS_V_EARLIER], step->previous->v, bytes);
    }
    for (size_t k = 0; k < step->method->card->state_count; ++k)
        memcpy(walk->vectors[EQUATIONS_STATE + k], now->own[k], bytes);
}

static void take_ends(const MethodWalk *walk, State *next)
{
    const EquationPart *part = walk->part;
    const size_t        bytes = walk->step->problem->dofs * sizeof(double);
    memcpy(next->x, walk->vectors[part->ends[0]], bytes);
    memcpy(next->v, walk->vectors[part->ends[1]], bytes);
    for (size_t k = 0; k < walk->step->method->card->state_count; ++k)
        if (part->ends[2 + k] != EQUATIONS_NONE)
            memcpy(next->own[k], walk->vectors[part->ends[2 + k]], bytes);
    const size_t first = 2 + walk->step->method->card->state_count;
    for (size_t k = 0; walk->step->scratch && k < walk->step->method->card->scratch_count; ++k)
        if (part->ends[first + k] != EQUATIONS_NONE)
            memcpy(walk->step->scratch[k], walk->vectors[part->ends[first + k]], bytes);
}

void method_start(const Step *step, State *state)
{
    const EquationPart *part = &step->method->equations.start;
    MethodWalk          walk;
    SolveEnd            end;
    begin(&walk, step, part, state, NULL);
    if (part->line_count == 0 || !walk_part(&walk, &end))
        return;
    // Sizes that an error is measured by are none before the first substep.
    static const double none[REFERENCE_DOFS];
    for (size_t k = 0; k < step->method->card->state_count; ++k)
        memcpy(state->own[k], part->ends[k] != EQUATIONS_NONE ? walk.vectors[part->ends[k]] : none,
               step->problem->dofs * sizeof(double));
    if (step->tangents)
        tangents_start(&walk);
}

// Keeps the accelerations that the next guess may be extrapolated from.
static void remember(const Step *step, State *next)
{
    const State *now = step->now;
    const size_t count = now->spacing == step->h ? now->earlier_count : 0, bytes = step->problem->dofs * sizeof(double);
    for (size_t k = REFERENCE_EARLIER; --k > 0;)
        memcpy(next->earlier[k], now->earlier[k - 1], bytes);
    memcpy(next->earlier[0], now->own[step->method->a], bytes);
    next->earlier_count = count < REFERENCE_EARLIER ? count + 1 : count;
    next->spacing = step->h;
}

SolveEnd method_step(const Step *step, Tally *tally, State *next)
{
    const Equations *equations = &step->method->equations;
    MethodWalk       walk;
    SolveEnd         end;
    begin(&walk, step, step->method->history && !step->previous ? &equations->first : &equations->step, step->now,
          tally);
    if (!walk_part(&walk, &end))
        return end;
    take_ends(&walk, next);
    if (step->tangents)
        tangents_step(&walk);
    if (step->rules->extrapolated && step->method->a != EQUATIONS_NONE)
        remember(step, next);
    return SOLVE_ACCEPTED;
}

static double parameter(const Step *step, const char *name)
{
    const size_t i = card_parameter(step->method->card, name);
    return i < step->method->card->parameter_count ? step->parameters[i] : (double)NAN;
}

// |error| over the permitted error of y, which came from y_n; not a number where one of these is none.
static double over_permitted(const Step *step, double error, double size, double before, double after)
{
    return fabs(error) / (parameter(step, "atol") * size + parameter(step, "rtol") * fmax(fabs(before), fabs(after)));
}

// The largest size of a component so far, a 512th forgotten each time; the first time also its movement, or 1 where it
// is at rest.
static double grown(double size, double now, double moved)
{
    size = size == 0.0 ? fabs(moved) : size * (511.0 / 512.0);
    size = fmax(size, fabs(now));
    return size == 0.0 ? 1.0 : size;
}

// The larger, and not a number where either is none.
static double worse(double a, double b)
{
    return isnan(a) || a > b ? a : b;  // a comparison with NaN chooses b
}

void step_sizes(const Step *step, double *size_x, double *size_v)
{
    const Card   *card = step->method->card;
    const State  *now = step->now;
    const double *a = now->own[step->method->a], *kept_x = now->own[method_vector(card, "size_x")],
                 *kept_v = now->own[method_vector(card, "size_v")], h = step->h;
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        size_x[i] = grown(kept_x[i], now->x[i], h * fmax(fabs(now->v[i]), h * fabs(a[i])));
        size_v[i] = grown(kept_v[i], now->v[i], h * a[i]);
    }
}

SolveEnd method_trial(const Step *step, Tally *tally, State *next, double *error)
{
    const EquationPart *part = &step->method->equations.step;
    const State        *now = step->now;
    const Card         *card = step->method->card;
    MethodWalk          walk;
    SolveEnd            end;
    double              worst = 0.0;
    begin(&walk, step, part, now, tally);
    *error = (double)NAN;
    if (!walk_part(&walk, &end))
        return end;
    take_ends(&walk, next);
    if (step->tangents)
        tangents_step(&walk);
    const double *error_x = walk_vector(&walk, part->error_x), *error_v = walk_vector(&walk, part->error_v);
    double       *size_x = next->own[method_vector(card, "size_x")], *size_v = next->own[method_vector(card, "size_v")];
    step_sizes(step, size_x, size_v);
    for (size_t i = 0; i < step->problem->dofs; ++i) {
        if (!step->problem->first_order)
            worst = worse(worst, over_permitted(step, error_x[i], size_x[i], now->x[i], next->x[i]));
        worst = worse(worst, over_permitted(step, error_v[i], size_v[i], now->v[i], next->v[i]));
    }
    *error = worst;
    return SOLVE_ACCEPTED;
}
