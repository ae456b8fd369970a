// law -- laws by name, and their derivatives along the imaginary axis.
#include "support/law.h"
#include <string.h>

static const Law *const laws[] = {&law_harmonic_oscillator,
                                  &law_modal_oscillators,
                                  &law_duffing,
                                  &law_van_der_pol,
                                  &law_spring_chain,
                                  &law_pendulum,
                                  &law_double_pendulum,
                                  &law_barrier_particle,
                                  &law_elastic_pendulum_polar,
                                  &law_elastic_pendulum_cartesian,
                                  &law_friction_block,
                                  &law_lorenz,
                                  &law_robertson,
                                  &law_fitzhugh_nagumo};

// So short that its square is beyond rounding.
static const long double stride = 0x1p-300L;

LawNumber law_power(LawNumber base, int exponent)
{
    LawNumber product = 1.0L;
    for (int i = 0; i < exponent; ++i)
        product *= base;
    return product;
}

void law_first_coordinate(const LawPlace *place, LawNumber *out)
{
    *out = place->x[0];
}

void law_second_coordinate(const LawPlace *place, LawNumber *out)
{
    *out = place->x[1];
}

void law_unit_masses(const LawPlace *place, LawNumber *out)
{
    for (size_t i = 0; i < place->n; ++i)
        out[i] = 1.0L;
}

void law_unit_kinetic(const LawPlace *place, LawNumber *out)
{
    *out = 0.0L;
    for (size_t i = 0; i < place->n; ++i)
        *out += place->v[i] * place->v[i] / 2.0L;
}

const Law *law_find(const char *name)
{
    for (size_t i = 0; i < sizeof laws / sizeof *laws; ++i)
        if (strcmp(laws[i]->name, name) == 0)
            return laws[i];
    return NULL;
}

LawNumber *law_parameter(const Law *law, LawPlace *place, const char *name)
{
    for (size_t i = 0; i < law->parameter_count; ++i)
        if (strcmp(law->parameters[i].name, name) == 0)
            return &place->parameters[i];
    return NULL;
}

void law_begin(const Law *law, LawPlace *place)
{
    LawNumber start[2 * LAW_DOFS];
    law_ask(law, LAW_START, place, start);
    place->t = 0.0L;
    memcpy(place->x, start, place->n * sizeof *start);
    memcpy(place->v, start + place->n, place->n * sizeof *start);
}

void law_enter(const Law *law, LawPlace *place)
{
    for (size_t i = 0; law->first_order && i < place->n; ++i) {
        place->v[i] = place->x[i];
        place->x[i] = 0.0L;
    }
}

const LawNumber *law_coordinates(const Law *law, const LawPlace *place)
{
    return law->first_order ? place->v : place->x;
}

size_t law_rows(LawKind kind, size_t n)
{
    switch (kind) {
    case LAW_START: return 2 * n;
    case LAW_ACCELERATION:
    case LAW_DRIVE:
    case LAW_MASSES: return n;
    case LAW_LIMIT_START: return 2;
    default: return 1;
    }
}

bool law_lists(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return true;
    return false;
}

// The state that parameters are; a system of first order has no velocities.
static void read_start(const Law *law, const LawPlace *place, LawNumber *out)
{
    size_t first = 0;
    while (strcmp(law->parameters[first].name, law->start) != 0)
        ++first;
    for (size_t i = 0; i < 2 * place->n; ++i)
        out[i] = law->first_order && i >= place->n ? 0.0L : place->parameters[first + i];
}

void law_ask(const Law *law, LawKind kind, const LawPlace *place, LawNumber *out)
{
    LawNumber potential = 0.0L;
    if (kind == LAW_START && law->start) {
        read_start(law, place, out);
        return;
    }
    law->functions[kind == LAW_ENERGY ? LAW_KINETIC : kind](place, out);
    if (kind == LAW_ENERGY) {
        law->functions[LAW_POTENTIAL](place, &potential);
        *out += potential;
    }
}

void law_derivative(const Law *law, LawKind kind, LawPlace *place, LawNumber *input, long double *derivative)
{
    LawNumber       out[2 * LAW_DOFS];
    const LawNumber before = *input;
    *input += stride * I;
    law_ask(law, kind, place, out);
    *input = before;
    for (size_t row = 0; row < law_rows(kind, place->n); ++row)
        derivative[row] = cimagl(out[row]) / stride;
}

static void add_share(const Law *law, LawKind kind, LawPlace *place, LawNumber *input, long double *condition)
{
    long double derivative[2 * LAW_DOFS];
    if (creall(*input) == 0.0L)
        return;
    law_derivative(law, kind, place, input, derivative);
    for (size_t row = 0; row < law_rows(kind, place->n); ++row)
        condition[row] += fabsl(creall(*input) * derivative[row]);
}

void law_value(const Law *law, LawKind kind, const LawPlace *place, long double *value, long double *condition)
{
    LawPlace  moved = *place;
    LawNumber out[2 * LAW_DOFS];
    law_ask(law, kind, place, out);
    for (size_t row = 0; row < law_rows(kind, place->n); ++row) {
        value[row] = creall(out[row]);
        condition[row] = fabsl(value[row]);
    }
    for (size_t i = 0; i < law->parameter_count; ++i)
        if (!law->parameters[i].choices && !law->parameters[i].whole)
            add_share(law, kind, &moved, &moved.parameters[i], condition);
    add_share(law, kind, &moved, &moved.t, condition);
    for (size_t i = 0; i < place->n; ++i) {
        add_share(law, kind, &moved, &moved.x[i], condition);
        add_share(law, kind, &moved, &moved.v[i], condition);
    }
}
