// forms -- inside of equations: sums of vectors while statements are read, and the lines that they become.
#pragma once

#include "base/yaml.h"
#include "equations/equations.h"

// A sum of vectors, in the order of the text, each once.
typedef struct EquationForm {
    size_t count;
    struct {
        const Node *factor;
        size_t      vector;
    } terms[EQUATIONS_TERMS];
} EquationForm;

// The state of a vector while statements are read.
typedef enum EquationSlotKind {
    SLOT_KNOWN,     // a line gives it, or the step begins with it
    SLOT_UNKNOWN,   // the unknown of the solve
    SLOT_DEFERRED,  // a sum with the unknown in it
    SLOT_FORCE,     // the acceleration in the equation of the unknown
    SLOT_SOLVED,    // that acceleration, once the equation is closed
    SLOT_BALANCE,   // a name for it that is an end
} EquationSlotKind;

typedef struct EquationSlot {
    EquationSlotKind kind;
    const char      *name, *text;
    EquationForm     form;  // of a deferred sum
    const Node      *time;  // of an acceleration
    EquationForm     x, v;
    size_t           at_x, at_v;  // vectors that these are, or EQUATIONS_NONE
} EquationSlot;

typedef struct EquationsReading {
    const Card     *card;
    Arena          *arena;
    Error          *err;
    Expressions     table;
    const YamlNode *place;  // the statement that is read
    const char     *text;   // its whole text
    const Node     *numbers[EQUATIONS_NUMBERS];
    size_t          given[EQUATIONS_NUMBERS];  // as in EquationPart
    EquationLine    lines[EQUATIONS_LINES];
    EquationSlot    slots[EQUATIONS_VECTORS];
    size_t          number_count, line_count, slot_count;
    size_t          unknown;  // the slot that is solved for, or EQUATIONS_NONE
    size_t          force;    // the slot of the acceleration in its equation, or EQUATIONS_NONE
    size_t          end_count;
    const char     *end_names[EQUATIONS_ENDS];
    EquationPart   *part;
} EquationsReading;

// Fails at the statement under way, with a name in quotes behind the reason if there is one. Always false.
bool forms_wrong(EquationsReading *reading, const char *why, const char *name);

// A card's tableau of Butcher as the statements that it stands for. A row is "c | a, b, ...": a stage's time and its
// weights of the slopes before it, the last number its own where it is implicit; "x1 | ..." gives the end of the step,
// and "error | ..." how far it is from that of another order. With y = (x, v) and y' = (v, accel): y_i = y + h (a_i1
// y'_1 + a_i2 y'_2 + ...). A method that keeps the acceleration has it for the first slope.
//   list  written: a sequence of statements, each at the place of its row
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool tableau_write(const Card *card, Arena *arena, YamlNode **list, Error *err);

// A text without the spaces about it; NULL with err filled when memory runs out.
char *forms_trim(const char *text, size_t length, Arena *arena, Error *err);

// The place of a number among the part's, which is added where it is new.
bool forms_number(EquationsReading *reading, const Node *node, size_t *index);

// The same of a number that a derived parameter may stand for, or none for EQUATIONS_NONE.
bool forms_given_number(EquationsReading *reading, const Node *node, size_t parameter, size_t *index);

// A new line; NULL on failure.
EquationLine *forms_line(EquationsReading *reading, EquationKind kind, size_t target, const char *text);

// A new vector, and a name for it in formulas; EQUATIONS_NONE on failure.
size_t forms_slot(EquationsReading *reading, EquationSlotKind kind, const char *name);

// Adds a vector to a sum; or factor times another sum.
bool forms_add_term(EquationsReading *reading, EquationForm *form, const Node *factor, size_t vector);
bool forms_add(EquationsReading *reading, EquationForm *form, const Node *factor, const EquationForm *other);

// The factor of a vector in a sum; NULL: the vector is not in it.
const Node *forms_factor(const EquationForm *form, size_t vector);

// Whether a sum has the unknown in it, or its acceleration.
bool forms_pending(const EquationsReading *reading, const EquationForm *form);

// The summands but for one vector, for a line.
bool forms_terms(EquationsReading *reading, const EquationForm *form, size_t without, const EquationTerm **terms,
                 size_t *count);

// A line that adds up a sum into a vector.
bool forms_sum(EquationsReading *reading, const EquationForm *form, size_t target, const char *text);

// A vector that has a sum but for one of its vectors: one that is there, or a new one; EQUATIONS_NONE for no summand.
bool forms_vector(EquationsReading *reading, const EquationForm *form, size_t without, size_t *slot);
