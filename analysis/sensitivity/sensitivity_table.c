// sensitivity_table -- rows of a table, the moments of its output, and why it has no indices.
#include "analysis/sensitivity/sensitivity.h"

#include "analysis/sensitivity/outcome.h"
#include "analysis/sensitivity/squares.h"

#include <math.h>

bool sensitivity_take_rows(SensitivityTable *table, const char *const *names, size_t count, bool pairs, Arena *arena,
                           Error *err)
{
    table->row_count = count + (pairs ? count * (count - 1) / 2 : 0);
    table->rows = arena_take(arena, table->row_count, sizeof *table->rows, err);
    for (size_t i = 0; table->rows && i < table->row_count; ++i)
        for (size_t k = 0; k < SENSITIVITY_NUMBERS; ++k)
            table->rows[i].numbers[k] = (double)NAN;
    for (size_t i = 0; table->rows && i < count; ++i)
        table->rows[i].factor = names[i];
    for (size_t i = 0, next = count; table->rows && pairs && i < count; ++i)
        for (size_t k = i + 1; k < count; ++k) {
            table->rows[next].factor = names[i];
            table->rows[next++].other = names[k];
        }
    return table->rows != NULL;
}

size_t sensitivity_factors(const SensitivityTable *table)
{
    size_t count = 0;
    while (count < table->row_count && !table->rows[count].other)
        ++count;
    return count;
}

void sensitivity_describe(SensitivityTable *table, const double *numbers, size_t count)
{
    double sum = 0.0;
    size_t used = 0;
    int    exponent;
    for (size_t i = 0; i < count; ++i)
        if (isfinite(numbers[i])) {
            sum += numbers[i];
            ++used;
        }
    table->mean = sum / (double)used;
    const double squares = squares_about(numbers, count, table->mean, &exponent);
    table->deviation = ldexp(sqrt(squares / (double)used), exponent);
    if (used == 0)
        table->trouble = sensitivity_trouble(OUTCOME_TOO_FEW);
}

const char *sensitivity_trouble(int outcome)
{
    switch ((Outcome)outcome) {
    case OUTCOME_FOUND: return NULL;
    case OUTCOME_CONSTANT: return "the output is constant: it depends on no factor";
    case OUTCOME_TOO_FEW: return "too few samples are left without a failed point";
    case OUTCOME_TOO_LARGE: return "the output is too large to be squared: take its logarithm";
    }
    return NULL;
}
