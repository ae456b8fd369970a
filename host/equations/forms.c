// forms -- sums in the order of the text, each vector once; lines of a part.
#include "equations/forms.h"

#include <string.h>

bool forms_wrong(EquationsReading *reading, const char *why, const char *name)
{
    return yaml_fail(reading->place, reading->err, "equations: %s%s%s%s", why, name ? " '" : "", name ? name : "",
                     name ? "'" : "");
}

char *forms_trim(const char *text, size_t length, Arena *arena, Error *err)
{
    for (; length > 0 && *text == ' '; --length)
        ++text;
    while (length > 0 && text[length - 1] == ' ')
        --length;
    return arena_format(arena, err, "%.*s", (int)length, text);
}

bool forms_given_number(EquationsReading *reading, const Node *node, size_t parameter, size_t *index)
{
    if (!node)
        return false;
    for (*index = 0; *index < reading->number_count; ++*index)
        if (reading->numbers[*index] == node && reading->given[*index] == parameter)
            return true;
    if (reading->number_count == EQUATIONS_NUMBERS)
        return forms_wrong(reading, "they have too many numbers", NULL);
    reading->given[reading->number_count] = parameter;
    reading->numbers[reading->number_count++] = node;
    return true;
}

bool forms_number(EquationsReading *reading, const Node *node, size_t *index)
{
    return forms_given_number(reading, node, EQUATIONS_NONE, index);
}

EquationLine *forms_line(EquationsReading *reading, EquationKind kind, size_t target, const char *text)
{
    if (reading->line_count == EQUATIONS_LINES) {
        forms_wrong(reading, "they have too many lines", NULL);
        return NULL;
    }
    EquationLine *line = &reading->lines[reading->line_count++];
    *line = (EquationLine){.kind = kind,
                           .target = target,
                           .end = EQUATIONS_NONE,
                           .text = text,
                           .x = EQUATIONS_NONE,
                           .v = EQUATIONS_NONE,
                           .rest = EQUATIONS_NONE,
                           .back = {.solved = EQUATIONS_NONE, .end = EQUATIONS_NONE}};
    return line;
}

size_t forms_slot(EquationsReading *reading, EquationSlotKind kind, const char *name)
{
    if (reading->slot_count == EQUATIONS_VECTORS) {
        forms_wrong(reading, "they have too many vectors", NULL);
        return EQUATIONS_NONE;
    }
    const size_t slot = reading->slot_count++;
    reading->slots[slot] = (EquationSlot){.kind = kind, .name = name, .text = reading->text};
    if (name && !expression_name(&reading->table, name, expression_leaf(&reading->table, NODE_COORDINATE, slot)))
        return EQUATIONS_NONE;
    return slot;
}

bool forms_add_term(EquationsReading *reading, EquationForm *form, const Node *factor, size_t vector)
{
    if (!factor)
        return false;
    for (size_t k = 0; k < form->count; ++k)
        if (form->terms[k].vector == vector) {
            form->terms[k].factor = expression_add(&reading->table, form->terms[k].factor, factor);
            return form->terms[k].factor != NULL;
        }
    if (form->count == EQUATIONS_TERMS)
        return forms_wrong(reading, "a sum has too many terms", NULL);
    form->terms[form->count].factor = factor;
    form->terms[form->count++].vector = vector;
    return true;
}

bool forms_add(EquationsReading *reading, EquationForm *form, const Node *factor, const EquationForm *other)
{
    for (size_t k = 0; k < other->count; ++k)
        if (!forms_add_term(reading, form, expression_multiply(&reading->table, factor, other->terms[k].factor),
                            other->terms[k].vector))
            return false;
    return true;
}

const Node *forms_factor(const EquationForm *form, size_t vector)
{
    for (size_t k = 0; k < form->count; ++k)
        if (form->terms[k].vector == vector)
            return form->terms[k].factor;
    return NULL;
}

bool forms_pending(const EquationsReading *reading, const EquationForm *form)
{
    for (size_t k = 0; k < form->count; ++k)
        if (reading->slots[form->terms[k].vector].kind == SLOT_BALANCE)
            return true;
    return (reading->unknown != EQUATIONS_NONE && forms_factor(form, reading->unknown)) ||
           (reading->force != EQUATIONS_NONE && forms_factor(form, reading->force));
}

bool forms_terms(EquationsReading *reading, const EquationForm *form, size_t without, const EquationTerm **terms,
                 size_t *count)
{
    EquationTerm *written = arena_take(reading->arena, form->count, sizeof *written, reading->err);
    *count = 0;
    for (size_t k = 0; written && k < form->count; ++k) {
        if (form->terms[k].vector == without)
            continue;
        EquationTerm *term = &written[(*count)++];
        term->vector = form->terms[k].vector;
        if (!forms_number(reading, form->terms[k].factor, &term->factor))
            return false;
    }
    *terms = written;
    return written != NULL;
}

bool forms_sum(EquationsReading *reading, const EquationForm *form, size_t target, const char *text)
{
    EquationLine *line = forms_line(reading, EQUATION_SUM, target, text);
    return line && forms_terms(reading, form, EQUATIONS_NONE, &line->terms, &line->count);
}

bool forms_vector(EquationsReading *reading, const EquationForm *form, size_t without, size_t *slot)
{
    EquationForm rest = {0};
    for (size_t k = 0; k < form->count; ++k)
        if (form->terms[k].vector != without && !expression_is(form->terms[k].factor, 0.0) &&
            !forms_add_term(reading, &rest, form->terms[k].factor, form->terms[k].vector))
            return false;
    *slot = EQUATIONS_NONE;
    if (rest.count == 0)
        return true;
    *slot = rest.terms[0].vector;
    if (rest.count == 1 && expression_is(rest.terms[0].factor, 1.0))
        return true;
    *slot = forms_slot(reading, SLOT_KNOWN, NULL);
    return *slot != EQUATIONS_NONE && forms_sum(reading, &rest, *slot, NULL);
}
