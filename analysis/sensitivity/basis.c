// basis -- terms of a degree, found by taking one factor after the other.
#include "analysis/sensitivity/basis.h"

#include <math.h>

// A sum of powers is compared with another one within this share of it.
static const double tolerance = 1e-9;

// The terms between two degrees, while they are found.
typedef struct Shell {
    Basis *basis;
    double inside, outside;  // sums of k^q above which a term is in it, and to which it may go
    bool   full;
} Shell;

bool basis_make(size_t room, size_t factor_count, const size_t *most, double norm, Arena *arena, Basis *basis,
                Error *err)
{
    *basis = (Basis){.count = 1, .room = room, .factor_count = factor_count, .most = most, .norm = norm};
    basis->terms = arena_take(arena, room + 1, sizeof *basis->terms, err);
    return basis->terms != NULL;
}

// Adds the terms that go on from `term`, whose sum is `sum`, with factors from `first` on.
static void add_products(Shell *shell, BasisTerm *term, double sum, size_t first)
{
    Basis       *basis = shell->basis;
    const size_t at = term->order;
    if (at == BASIS_ORDER)
        return;
    ++term->order;
    for (size_t factor = first; factor < basis->factor_count && !shell->full; ++factor) {
        term->factors[at] = (uint16_t)factor;
        for (size_t degree = 1; degree <= basis->most[factor] && !shell->full; ++degree) {
            const double next = sum + pow((double)degree, basis->norm);
            if (next > shell->outside)
                break;
            term->degrees[at] = (uint8_t)degree;
            shell->full = next > shell->inside && basis->count == basis->room;
            if (next > shell->inside && !shell->full)
                basis->terms[basis->count++] = *term;
            add_products(shell, term, next, factor + 1);
        }
    }
    --term->order;
}

bool basis_add(Basis *basis, size_t degree)
{
    const double wide = 1.0 + tolerance, power = basis->norm;
    Shell        shell = {.basis = basis,
                          .inside = pow((double)degree - 1.0, power) * wide,
                          .outside = pow((double)degree, power) * wide};
    BasisTerm    term = {.order = 0};
    const size_t before = basis->count;
    add_products(&shell, &term, 0.0, 0);
    if (shell.full)
        basis->count = before;
    return !shell.full;
}
