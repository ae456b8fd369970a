// read -- statements of a card as lines: sums of vectors, accelerations, and equations for an unknown.
#include "equations/forms.h"
#include "expression/formula.h"

#include <stdlib.h>
#include <string.h>

// A line that asks an acceleration, or the like of it.
static bool add_force(EquationsReading *reading, EquationKind kind, size_t target, const char *text, const Node *time,
                      size_t x, size_t v)
{
    EquationLine *line = forms_line(reading, kind, target, text);
    if (!line)
        return false;
    line->time = time;
    line->x = x;
    line->v = v;
    return true;
}

// Where the acceleration of an equation that is closed is asked.
static bool place_force(EquationsReading *reading, const EquationSlot *force, EquationKind kind, size_t target,
                        const char *text)
{
    size_t x = force->at_x, v = force->at_v;
    if ((x == EQUATIONS_NONE && !forms_vector(reading, &force->x, EQUATIONS_NONE, &x)) ||
        (v == EQUATIONS_NONE && !forms_vector(reading, &force->v, EQUATIONS_NONE, &v)))
        return false;
    return add_force(reading, kind, target, text, force->time, x, v);
}

// Makes it known.
static bool evaluate_force(EquationsReading *reading, size_t slot)
{
    reading->slots[slot].kind = SLOT_KNOWN;
    return place_force(reading, &reading->slots[slot], EQUATION_FORCE, slot, NULL);
}

// Adds factor times a formula, which must be a sum of vectors.
static bool add_linear(EquationsReading *reading, EquationForm *form, const Node *node, const Node *factor)
{
    Expressions *table = &reading->table;
    if (!node || !factor)
        return false;
    switch (node->kind) {
    case NODE_COORDINATE: {
        const EquationSlot *slot = &reading->slots[node->index];
        if (slot->kind == SLOT_DEFERRED)
            return forms_add(reading, form, factor, &slot->form);
        if (slot->kind == SLOT_SOLVED && !evaluate_force(reading, node->index))
            return false;
        return forms_add_term(reading, form, factor, node->index);
    }
    case NODE_NEGATE: return add_linear(reading, form, node->left, expression_negate(table, factor));
    case NODE_ADD:
        return add_linear(reading, form, node->left, factor) && add_linear(reading, form, node->right, factor);
    case NODE_SUBTRACT:
        return add_linear(reading, form, node->left, factor) &&
               add_linear(reading, form, node->right, expression_negate(table, factor));
    case NODE_MULTIPLY:
        if (!expression_uses(node->left, NODE_COORDINATE))
            return add_linear(reading, form, node->right, expression_multiply(table, factor, node->left));
        if (!expression_uses(node->right, NODE_COORDINATE))
            return add_linear(reading, form, node->left, expression_multiply(table, factor, node->right));
        break;
    case NODE_DIVIDE:
        if (!expression_uses(node->right, NODE_COORDINATE))
            return add_linear(reading, form, node->left, expression_divide(table, factor, node->right));
        break;
    default: break;
    }
    return forms_wrong(reading, "a vector is a sum of vectors with numbers for factors", NULL);
}

static bool linear(EquationsReading *reading, const Node *node, EquationForm *form)
{
    *form = (EquationForm){0};
    return add_linear(reading, form, node, expression_number(&reading->table, 1.0));
}

// The vector that a formula is the name of, or EQUATIONS_NONE.
static size_t vector_of(const Node *node)
{
    return node->kind == NODE_COORDINATE ? node->index : EQUATIONS_NONE;
}

// A call in a formula: accel(t, x, v) or stiff(t, x, v).
static const Node *make_call(void *user, size_t function, const Node *const *arguments)
{
    EquationsReading *reading = user;
    EquationForm      x, v;
    const bool        stiff = function == 1;
    if (expression_uses(arguments[0], NODE_COORDINATE)) {
        forms_wrong(reading, "accel(t, x, v): the time is a number", NULL);
        return NULL;
    }
    if (!linear(reading, arguments[1], &x) || !linear(reading, arguments[2], &v))
        return NULL;
    const bool pending = forms_pending(reading, &x) || forms_pending(reading, &v);
    if (pending && (reading->force != EQUATIONS_NONE || stiff)) {
        const EquationSlot *force = &reading->slots[reading->force];
        if (stiff || force->time != arguments[0] || memcmp(&force->x, &x, sizeof x) != 0 ||
            memcmp(&force->v, &v, sizeof v) != 0) {
            forms_wrong(reading, "an equation has one acceleration at what it is solved for", NULL);
            return NULL;
        }
        return expression_leaf(&reading->table, NODE_COORDINATE, reading->force);
    }
    if (pending) {
        const size_t slot = reading->force = forms_slot(reading, SLOT_FORCE, NULL);
        if (slot == EQUATIONS_NONE)
            return NULL;
        reading->slots[slot].time = arguments[0];
        reading->slots[slot].x = x;
        reading->slots[slot].v = v;
        reading->slots[slot].at_x = vector_of(arguments[1]);
        reading->slots[slot].at_v = vector_of(arguments[2]);
        return expression_leaf(&reading->table, NODE_COORDINATE, slot);
    }
    size_t at_x, at_v;
    if (!forms_vector(reading, &x, EQUATIONS_NONE, &at_x) || !forms_vector(reading, &v, EQUATIONS_NONE, &at_v))
        return NULL;
    const EquationKind kind = stiff ? EQUATION_STIFF : EQUATION_FORCE;
    for (size_t k = 0; k < reading->line_count; ++k) {
        const EquationLine *line = &reading->lines[k];
        if (line->kind == kind && line->time == arguments[0] && line->x == at_x && line->v == at_v)
            return expression_leaf(&reading->table, NODE_COORDINATE, line->target);
    }
    const size_t slot = forms_slot(reading, SLOT_KNOWN, NULL);
    return slot != EQUATIONS_NONE && add_force(reading, kind, slot, NULL, arguments[0], at_x, at_v)
               ? expression_leaf(&reading->table, NODE_COORDINATE, slot)
               : NULL;
}

static const ExpressionCall calls[] = {{"accel", 3, make_call}, {"stiff", 3, make_call}};

static const Node *read_formula(EquationsReading *reading, const char *text, size_t offset)
{
    YamlNode place = *reading->place;
    place.text = text;
    place.column += offset;
    const Node *formula = formula_read(&reading->table, &place, "equations", reading->err);
    if (!formula || !expression_uses(formula, NODE_CHOICE))
        return formula;
    forms_wrong(reading, "equations have no choices by if", NULL);
    return NULL;
}

// Which end has this name, or EQUATIONS_NONE.
static size_t end_of(const EquationsReading *reading, const char *name)
{
    for (size_t e = 0; e < reading->end_count; ++e)
        if (strcmp(reading->end_names[e], name) == 0)
            return e;
    return EQUATIONS_NONE;
}

// The only vector of a form, with the factor 1; EQUATIONS_NONE where it is another one.
static size_t alone(const EquationForm *form)
{
    return form->count == 1 && expression_is(form->terms[0].factor, 1.0) ? form->terms[0].vector : EQUATIONS_NONE;
}

// NAME = a sum of vectors.
static bool define_vector(EquationsReading *reading, const char *name, const Node *node)
{
    EquationForm form;
    if (!linear(reading, node, &form))
        return false;
    const bool   pending = forms_pending(reading, &form);
    const size_t only = alone(&form), slot = forms_slot(reading, SLOT_KNOWN, name);
    if (slot == EQUATIONS_NONE)
        return false;
    // An end that is the acceleration of an equation is found from the equation itself.
    const bool balance = only != EQUATIONS_NONE && end_of(reading, name) != EQUATIONS_NONE &&
                         (only == reading->force || (reading->slots[only].kind == SLOT_SOLVED));
    if (balance && !pending)
        return forms_wrong(reading, "write the acceleration of an equation that is kept before the equation", NULL);
    if (pending) {
        reading->slots[slot].kind = balance ? SLOT_BALANCE : SLOT_DEFERRED;
        reading->slots[slot].form = form;
        return true;
    }
    return forms_sum(reading, &form, slot, reading->text);
}

static bool define_number(EquationsReading *reading, const char *name, const Node *node)
{
    const size_t parameter = card_parameter(reading->card, name);
    size_t       index;
    if (expression_uses(node, NODE_TIME))
        return forms_wrong(reading, "only accel(t, x, v) depends on t, not", name);
    return forms_given_number(reading, node, parameter < reading->card->parameter_count ? parameter : EQUATIONS_NONE,
                              &index) &&
           expression_name(&reading->table, name,
                           expression_leaf(&reading->table, NODE_PARAMETER,
                                           reading->card->parameter_count + EQUATIONS_OWN + index));
}

// From which end the unknown is found again that is none itself: the acceleration of the solve, else v1 or a vector of
// the state, else x1.
static bool find_back(EquationsReading *reading, size_t unknown, EquationBack *back)
{
    *back = (EquationBack){.solved = EQUATIONS_NONE, .end = EQUATIONS_NONE};
    if (reading->slots[unknown].name && end_of(reading, reading->slots[unknown].name) != EQUATIONS_NONE)
        return true;
    size_t chosen = EQUATIONS_NONE;
    for (size_t s = 0; s < reading->slot_count; ++s) {
        const EquationSlot *slot = &reading->slots[s];
        const size_t        end = slot->name ? end_of(reading, slot->name) : EQUATIONS_NONE;
        if (end == EQUATIONS_NONE)
            continue;
        if (slot->kind == SLOT_BALANCE)
            back->solved = end;
        if (slot->kind == SLOT_DEFERRED && forms_factor(&slot->form, unknown) &&
            (chosen == EQUATIONS_NONE || back->end == EQUATIONS_X)) {
            chosen = s;
            back->end = end;
        }
    }
    if (chosen == EQUATIONS_NONE)
        return true;
    const EquationForm *form = &reading->slots[chosen].form;
    return forms_number(reading, forms_factor(form, unknown), &back->factor) &&
           forms_terms(reading, form, unknown, &back->terms, &back->count);
}

// Adds the lines of a vector that was said by the unknown before it was solved for.
static bool write_deferred(EquationsReading *reading, size_t s, size_t solve)
{
    const size_t  force = reading->force;
    EquationSlot *slot = &reading->slots[s];
    const bool    balance = slot->kind == SLOT_BALANCE;
    if (slot->kind != SLOT_DEFERRED && !balance)
        return true;
    slot->kind = SLOT_KNOWN;
    if (balance) {
        if (!place_force(reading, &reading->slots[force], EQUATION_SOLVED, s, slot->text))
            return false;
        reading->lines[reading->line_count - 1].of = solve;
        return true;
    }
    if (forms_factor(&slot->form, force) && reading->slots[force].kind == SLOT_SOLVED &&
        !evaluate_force(reading, force))
        return false;
    return forms_sum(reading, &slot->form, s, slot->text);
}

// The sum of left and right that stands beside the unknown and its acceleration, on the right.
static bool find_rest(EquationsReading *reading, const EquationForm *left, const EquationForm *right, size_t *rest)
{
    const Node  *one = expression_number(&reading->table, 1.0), *minus = expression_number(&reading->table, -1.0);
    EquationForm all = {0}, known = {0};
    if (!forms_add(reading, &all, one, right) || !forms_add(reading, &all, minus, left))
        return false;
    for (size_t k = 0; k < all.count; ++k)
        if (all.terms[k].vector != reading->unknown && all.terms[k].vector != reading->force &&
            !forms_add_term(reading, &known, all.terms[k].factor, all.terms[k].vector))
            return false;
    return forms_vector(reading, &known, EQUATIONS_NONE, rest);
}

// left - right, each being a factor or none.
static bool difference(EquationsReading *reading, const Node *left, const Node *right, size_t *number)
{
    const Node *zero = expression_number(&reading->table, 0.0);
    return forms_number(reading, expression_subtract(&reading->table, left ? left : zero, right ? right : zero),
                        number);
}

// left = right, an equation for the unknown.
static bool close_equation(EquationsReading *reading, const Node *left, const Node *right)
{
    const size_t unknown = reading->unknown;
    EquationForm a, b;
    size_t       rest, x, v;
    EquationBack back;
    if (!linear(reading, left, &a) || !linear(reading, right, &b))
        return false;
    const size_t force = reading->force;
    if (force == EQUATIONS_NONE)
        return forms_wrong(reading, "an equation that is solved has an acceleration at what it is solved for", NULL);
    const EquationSlot of = reading->slots[force];
    if (!find_rest(reading, &a, &b, &rest) || !forms_vector(reading, &of.x, unknown, &x) ||
        !forms_vector(reading, &of.v, unknown, &v) || !find_back(reading, unknown, &back))
        return false;
    EquationLine *line = forms_line(reading, EQUATION_SOLVE, unknown, reading->text);
    if (!line || !difference(reading, forms_factor(&a, unknown), forms_factor(&b, unknown), &line->A) ||
        !difference(reading, forms_factor(&b, force), forms_factor(&a, force), &line->q) ||
        !difference(reading, forms_factor(&of.x, unknown), NULL, &line->cx) ||
        !difference(reading, forms_factor(&of.v, unknown), NULL, &line->cv))
        return false;
    line->time = of.time;
    line->rest = rest;
    line->x = x;
    line->v = v;
    line->back = back;
    reading->slots[unknown].kind = SLOT_KNOWN;
    reading->slots[force].kind = SLOT_SOLVED;
    const size_t solve = reading->line_count - 1, count = reading->slot_count;
    for (size_t s = 0; s < count; ++s)
        if (!write_deferred(reading, s, solve))
            return false;
    reading->unknown = reading->force = EQUATIONS_NONE;
    return true;
}

static bool begin_solve(EquationsReading *reading, const char *name)
{
    if (reading->unknown != EQUATIONS_NONE)
        return forms_wrong(reading, "no equation was given yet for", reading->slots[reading->unknown].name);
    if (!yaml_spells_name(name) || expression_find(&reading->table, name))
        return forms_wrong(reading, "solve is followed by a new name, not", name);
    reading->unknown = forms_slot(reading, SLOT_UNKNOWN, name);
    return reading->unknown != EQUATIONS_NONE;
}

static bool read_statement(EquationsReading *reading, const YamlNode *node)
{
    const char *text;
    reading->place = node;
    if (!yaml_text(node, "equations", &text, reading->err))
        return false;
    reading->text = text;
    if (strncmp(text, "solve ", 6) == 0) {
        const char *name = forms_trim(text + 6, strlen(text + 6), reading->arena, reading->err);
        return name && begin_solve(reading, name);
    }
    const char *sign = strchr(text, '=');
    if (!sign || strchr(sign + 1, '='))
        return forms_wrong(reading, "a statement is 'solve NAME' or has one '='; this has none or more:", text);
    const char *left = forms_trim(text, (size_t)(sign - text), reading->arena, reading->err);
    if (!left)
        return false;
    const bool  fresh = yaml_spells_name(left) && !expression_find(&reading->table, left);
    const Node *right = read_formula(reading, sign + 1, (size_t)(sign + 1 - text));
    if (!right)
        return false;
    if (fresh)
        return expression_uses(right, NODE_COORDINATE) ? define_vector(reading, left, right)
                                                       : define_number(reading, left, right);
    if (reading->unknown == EQUATIONS_NONE)
        return forms_wrong(reading, "what stands left of '=' is a new name, where nothing is solved for; not", left);
    const Node *equal = read_formula(reading, left, 0);
    return equal && close_equation(reading, equal, right);
}

static bool name_leaf(EquationsReading *reading, const char *name, size_t index)
{
    return expression_name(&reading->table, name, expression_leaf(&reading->table, NODE_PARAMETER, index));
}

typedef enum PartKind { PART_STEP, PART_TWO_STEP, PART_START } PartKind;

// Names that statements may use from the beginning, and the ends of the part.
static bool begin(EquationsReading *reading, const char *const *ends, size_t end_count, PartKind kind)
{
    const Card  *card = reading->card;
    const size_t own = card->parameter_count;
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (!card->parameters[i].derived && !name_leaf(reading, card->parameters[i].name, i))
            return false;
    if (!name_leaf(reading, "h", own + EQUATIONS_H) ||
        (kind == PART_TWO_STEP && !name_leaf(reading, "h_prev", own + EQUATIONS_H_EARLIER)) ||
        !name_leaf(reading, "starter", own + EQUATIONS_STARTER) ||
        !expression_name(&reading->table, "t", expression_leaf(&reading->table, NODE_TIME, 0)) ||
        !expression_name(&reading->table, "pi", expression_leaf(&reading->table, NODE_PI, 0)))
        return false;
    const bool  history = kind == PART_TWO_STEP;
    const char *given[EQUATIONS_STATE] = {"x", "v", history ? "x_prev" : NULL, history ? "v_prev" : NULL};
    for (size_t i = 0; i < EQUATIONS_STATE; ++i)
        if (forms_slot(reading, SLOT_KNOWN, given[i]) == EQUATIONS_NONE)
            return false;
    for (size_t k = 0; k < card->state_count; ++k)
        if (forms_slot(reading, SLOT_KNOWN, kind == PART_START ? NULL : card->state[k]) == EQUATIONS_NONE)
            return false;
    reading->end_count = end_count;
    memcpy(reading->end_names, ends, end_count * sizeof *ends);
    return true;
}

static void note_positions(EquationsReading *reading)
{
    bool position[EQUATIONS_VECTORS] = {[EQUATIONS_X] = true, [EQUATIONS_X_EARLIER] = true};
    for (size_t k = 0; k < reading->line_count; ++k) {
        EquationLine *line = &reading->lines[k];
        for (size_t i = 0; i < line->count; ++i)
            line->position = line->position || position[line->terms[i].vector];
        position[line->target] = line->position;
    }
}

// Notes which vectors are ends of the step, and at which lines they are made. Every vector that the kernel keeps is
// given, but for sizes that adaptive methods keep.
static bool finish(EquationsReading *reading, const YamlNode *list, PartKind kind)
{
    EquationPart *part = reading->part;
    reading->place = list;
    if (reading->unknown != EQUATIONS_NONE)
        return forms_wrong(reading, "no equation is given for", reading->slots[reading->unknown].name);
    for (size_t e = 0; e < EQUATIONS_ENDS; ++e)
        part->ends[e] = EQUATIONS_NONE;
    part->error_x = part->error_v = EQUATIONS_NONE;
    for (size_t s = 0; s < reading->slot_count; ++s) {
        const char *name = reading->slots[s].name;
        if (!name)
            continue;
        const size_t e = end_of(reading, name);
        if (e != EQUATIONS_NONE)
            part->ends[e] = s;
        if (strcmp(name, "error_x") == 0)
            part->error_x = s;
        if (strcmp(name, "error_v") == 0)
            part->error_v = s;
    }
    note_positions(reading);
    for (size_t k = 0; k < reading->line_count; ++k)
        for (size_t e = 0; e < reading->end_count; ++e)
            if (part->ends[e] == reading->lines[k].target)
                reading->lines[k].end = e;
    for (size_t i = 0; kind != PART_START && i < reading->card->parameter_count; ++i)
        if (!expression_find(&reading->table, reading->card->parameters[i].name))
            return forms_wrong(reading, "none gives the default of", reading->card->parameters[i].name);
    size_t       *given = arena_take(reading->arena, reading->number_count, sizeof *given, reading->err);
    const Node  **numbers = arena_take(reading->arena, reading->number_count, sizeof *numbers, reading->err);
    EquationLine *lines = arena_take(reading->arena, reading->line_count, sizeof *lines, reading->err);
    if (!given || !numbers || !lines)
        return false;
    memcpy(given, reading->given, reading->number_count * sizeof *given);
    memcpy(numbers, reading->numbers, reading->number_count * sizeof *numbers);
    memcpy(lines, reading->lines, reading->line_count * sizeof *lines);
    part->numbers = numbers;
    part->given = given;
    part->number_count = reading->number_count;
    part->lines = lines;
    part->line_count = reading->line_count;
    part->vector_count = reading->slot_count;
    for (size_t e = 0; e < reading->end_count; ++e)
        if (part->ends[e] == EQUATIONS_NONE && !(reading->card->adaptive && e > (kind == PART_START ? 0 : 2)))
            return forms_wrong(reading, "none gives", reading->end_names[e]);
    return true;
}

static bool read_part(const Card *card, const YamlNode *list, const char *const *ends, size_t end_count, PartKind kind,
                      Arena *arena, EquationPart *part, Error *err)
{
    EquationsReading *reading = calloc(1, sizeof *reading);
    if (!reading)
        return fail(err, ERROR_INTERNAL, "out of memory");
    reading->card = card;
    reading->arena = arena;
    reading->err = err;
    reading->part = part;
    reading->place = list;
    reading->unknown = reading->force = EQUATIONS_NONE;
    reading->table =
        (Expressions){.arena = arena, .err = err, .words = {.calls = calls, .call_count = 2, .user = reading}};
    bool fine = begin(reading, ends, end_count, kind);
    for (size_t i = 0; fine && i < list->count; ++i)
        fine = read_statement(reading, list->items[i]);
    fine = fine && finish(reading, list, kind);
    free(reading);
    return fine;
}

bool equations_given(const Card *card)
{
    return card->equations || card->tableau;
}

static bool read_step(Equations *equations, const YamlNode *list, PartKind kind, Arena *arena, EquationPart *part,
                      Error *err)
{
    const Card *card = equations->card;
    const char *ends[EQUATIONS_ENDS] = {"x1", "v1"};
    size_t      count = 2;
    for (size_t k = 0; k < card->state_count; ++k)
        if (!(ends[count++] = arena_format(arena, err, "%s1", card->state[k])))
            return false;
    for (size_t k = 0; k < card->scratch_count; ++k)
        ends[count++] = card->scratch[k];
    equations->ends = count;
    return read_part(card, list, ends, count, kind, arena, part, err);
}

bool equations_read(const Card *card, Arena *arena, Equations *equations, Error *err)
{
    *equations = (Equations){.card = card};
    if (2 + card->state_count + card->scratch_count > EQUATIONS_ENDS)
        return yaml_fail(card->equations, err, "equations: at most %d vectors of state and scratch",
                         EQUATIONS_ENDS - 2);
    YamlNode       *made = NULL;
    const YamlNode *list = card->equations;
    if (!list && !tableau_write(card, arena, &made, err))
        return false;
    list = list ? list : made;
    if (!read_step(equations, list, card->history ? PART_TWO_STEP : PART_STEP, arena, &equations->step, err))
        return false;
    if (card->history && !card->equations_first)
        return yaml_fail(list, err, "equations: a method with history has 'equations_first' too");
    if (card->equations_first && !read_step(equations, card->equations_first, PART_STEP, arena, &equations->first, err))
        return false;
    return !card->equations_start || read_part(card, card->equations_start, card->state, card->state_count, PART_START,
                                               arena, &equations->start, err);
}
