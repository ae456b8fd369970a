// pursuit -- orthogonal least squares on the matrix of products, residuals at the points.
#include "analysis/sensitivity/pursuit.h"

#include <math.h>
#include <string.h>

// Further models that are looked at without a gain: so many, and a part of the terms taken.
enum { PATIENCE = 10, PATIENCE_PART = 4 };

// A candidate of which a smaller share than this is new depends on the terms taken; a residual of a smaller share of
// the values is rounding.
static const double least_new = 1e-8, rounding = 1e-26;

bool pursuit_make_room(Pursuit *p, Arena *arena, Error *err)
{
    const size_t count = p->regressors->count;
    p->rows = arena_take(arena, p->most * p->stride, sizeof(double), err);
    p->columns = p->rows ? arena_take(arena, p->most * count, sizeof(double), err) : NULL;
    p->inverse = p->columns ? arena_take(arena, p->most * p->most, sizeof(double), err) : NULL;
    p->lengths = p->inverse ? arena_take(arena, p->stride, sizeof(double), err) : NULL;
    p->products = p->lengths ? arena_take(arena, p->stride, sizeof(double), err) : NULL;
    p->residuals = p->products ? arena_take(arena, count, sizeof(double), err) : NULL;
    p->leverage = p->residuals ? arena_take(arena, count, sizeof(double), err) : NULL;
    return p->leverage != NULL;
}

static void begin(Pursuit *p)
{
    const size_t count = p->regressors->count;
    memcpy(p->residuals, p->values, count * sizeof *p->residuals);
    memset(p->leverage, 0, count * sizeof *p->leverage);
    memcpy(p->products, p->moments, p->basis->count * sizeof *p->products);
    for (size_t j = 0; j < p->basis->count; ++j)
        p->lengths[j] = p->gram[j * p->stride + j];
}

// The candidate that lessens the residual most; the count of candidates where none does.
static size_t choose(const Pursuit *p)
{
    size_t best = p->basis->count;
    double most = 0.0;
    for (size_t j = 0; j < p->basis->count; ++j) {
        const double length = p->lengths[j];
        if (length <= least_new * p->gram[j * p->stride + j])
            continue;
        const double gain = p->products[j] * p->products[j] / length;
        if (gain > most) {
            most = gain;
            best = j;
        }
    }
    return best;
}

// The new row of products, and the new column at the points.
static void orthogonalise(Pursuit *p, const size_t *terms, size_t k)
{
    const size_t count = p->regressors->count, candidates = p->basis->count, term = terms[k];
    double      *row = &p->rows[k * p->stride], *column = &p->columns[k * count];
    const double scale = 1.0 / sqrt(p->lengths[term]);
    memcpy(row, &p->gram[term * p->stride], candidates * sizeof *row);
    regressors_find(p->regressors, &p->basis->terms[term], column);
    for (size_t i = 0; i < k; ++i) {
        const double *other_row = &p->rows[i * p->stride], *other = &p->columns[i * count];
        const double  share = other_row[term];
        for (size_t j = 0; j < candidates; ++j)
            row[j] -= share * other_row[j];
        for (size_t j = 0; j < count; ++j)
            column[j] -= share * other[j];
    }
    for (size_t j = 0; j < candidates; ++j)
        row[j] *= scale;
    for (size_t j = 0; j < count; ++j)
        column[j] *= scale;
}

// Takes the new column out of the residual and the candidates.
static void take(Pursuit *p, size_t term, size_t k)
{
    const size_t  count = p->regressors->count;
    const double *row = &p->rows[k * p->stride], *column = &p->columns[k * count];
    double        share = 0.0;
    for (size_t i = 0; i < count; ++i)
        share += p->weights[i] * column[i] * p->residuals[i];
    for (size_t i = 0; i < count; ++i) {
        p->residuals[i] -= share * column[i];
        p->leverage[i] += p->weights[i] * column[i] * column[i];
    }
    for (size_t j = 0; j < p->basis->count; ++j) {
        p->products[j] -= share * row[j];
        p->lengths[j] -= row[j] * row[j];
    }
    p->lengths[term] = -1.0;
}

// The squared length of the new column of the inverse triangle: its part of the trace of (A'A)^-1.
static double add_inverse(Pursuit *p, size_t term, size_t k)
{
    const double pivot = p->rows[k * p->stride + term];
    double       sum = 1.0 / (pivot * pivot);
    for (size_t i = 0; i < k; ++i) {
        double entry = 0.0;
        for (size_t l = i; l < k; ++l)
            entry -= p->inverse[i * p->most + l] * p->rows[l * p->stride + term];
        p->inverse[i * p->most + k] = entry / pivot;
        sum += entry / pivot * (entry / pivot);
    }
    p->inverse[k * p->most + k] = 1.0 / pivot;
    return sum;
}

// Sums over the points of the fit, and over the points left out of it.
typedef struct PursuitSums {
    double fitted, whole;  // number of points, and of weights
    double residual, leave_one_out, left_out;
} PursuitSums;

static PursuitSums sum_errors(const Pursuit *p)
{
    PursuitSums sums = {0};
    for (size_t i = 0; i < p->regressors->count; ++i) {
        const double residual = p->residuals[i], one_out = residual / fmax(1.0 - p->leverage[i], 1e-12);
        if (p->weights[i] > 0.0) {
            sums.fitted += 1.0;
            sums.whole += p->weights[i];
            sums.residual += p->weights[i] * residual * residual;
            sums.leave_one_out += p->weights[i] * one_out * one_out;
        } else {
            sums.left_out += p->counts[i] * residual * residual;
        }
    }
    return sums;
}

void pursuit_find(Pursuit *p, PursuitFound *found)
{
    size_t chosen = 0, best = 0;
    double trace = 0.0, first = 0.0;
    found->corrected = HUGE_VAL;
    begin(p);
    for (size_t k = 0; k < p->most && k <= best + PATIENCE + best / PATIENCE_PART; ++k) {
        found->terms[k] = chosen;
        orthogonalise(p, found->terms, k);
        take(p, chosen, k);
        trace += add_inverse(p, chosen, k);
        const PursuitSums sums = sum_errors(p);
        const double      terms = (double)(k + 1), n = sums.fitted;
        const double corrected = sums.leave_one_out / sums.whole * n / (n - terms) * (1.0 + trace * sums.whole / n);
        first = k == 0 ? sums.residual : first;
        if (n > terms && corrected < found->corrected) {
            found->corrected = corrected;
            found->left_out = sums.left_out;
            found->count = k + 1;
            best = k;
        }
        chosen = choose(p);
        if (chosen == p->basis->count || sums.residual <= rounding * first)
            break;
    }
}
