// pursuit -- orthogonal least squares on the matrix of products, residuals at the points; columns from tables of
// polynomials, products of columns by blocks of points; terms of a degree, one factor after the other.
#include "analysis/sensitivity/pursuit.h"

#include <math.h>
#include <stdlib.h>
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
    pursuit_column(p->regressors, &p->basis->terms[term], column);
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

// Points of a block, whose terms stay in the cache, and the ones that are summed together.
enum { BLOCK = 64, TOGETHER = 4 };

bool pursuit_tabulate(const Polynomials *polynomials, size_t factor_count, const double *const *x, const size_t *points,
                      size_t count, Arena *arena, Regressors *regressors, Error *err)
{
    *regressors = (Regressors){.factor_count = factor_count, .count = count, .polynomials = polynomials};
    regressors->places = arena_take(arena, factor_count * count, sizeof(double), err);
    regressors->tables[0] = regressors->places ? arena_take(arena, factor_count * count, sizeof(double), err) : NULL;
    if (!regressors->tables[0])
        return false;
    for (size_t factor = 0; factor < factor_count; ++factor)
        for (size_t i = 0; i < count; ++i) {
            regressors->places[factor * count + i] = polynomials_place(&polynomials[factor], x[factor][points[i]]);
            regressors->tables[0][factor * count + i] = 1.0;
        }
    return true;
}

bool pursuit_add_degree(Regressors *regressors, Arena *arena, Error *err)
{
    const size_t count = regressors->count, k = regressors->degree;
    double      *table = arena_take(arena, regressors->factor_count * count, sizeof *table, err);
    if (!table)
        return false;
    for (size_t factor = 0; factor < regressors->factor_count; ++factor) {
        const Polynomials *polynomials = &regressors->polynomials[factor];
        const double      *t = &regressors->places[factor * count], *now = &regressors->tables[k][factor * count];
        const double      *before = &regressors->tables[k > 0 ? k - 1 : 0][factor * count];
        double            *next = &table[factor * count];
        for (size_t i = 0; k < polynomials->degree && i < count; ++i)
            next[i] = ((t[i] - polynomials->centre[k]) * now[i] - (k > 0 ? polynomials->root[k] * before[i] : 0.0)) /
                      polynomials->root[k + 1];
    }
    regressors->tables[k + 1] = table;
    regressors->degree = k + 1;
    return true;
}

// The same for `many` points from `first` on, `stride` apart in the column, each times its scale.
static void fill(const Regressors *regressors, const BasisTerm *term, size_t first, size_t many, const double *scales,
                 double *column, size_t stride)
{
    for (size_t i = 0; i < many; ++i)
        column[i * stride] = scales ? scales[i] : 1.0;
    for (size_t k = 0; k < term->order; ++k) {
        const double *table =
            &regressors->tables[term->degrees[k]][(size_t)term->factors[k] * regressors->count + first];
        for (size_t i = 0; i < many; ++i)
            column[i * stride] *= table[i];
    }
}

void pursuit_column(const Regressors *regressors, const BasisTerm *term, double *column)
{
    fill(regressors, term, 0, regressors->count, NULL, column, 1);
}

// Adds the products of a block to the rows of gram below the diagonal.
static void add_block(const double *restrict block, size_t first, size_t last, double sign, double *restrict gram,
                      size_t stride)
{
    for (size_t i = first; i < last; ++i) {
        double *restrict out = &gram[i * stride];
        for (size_t r = 0; r < BLOCK; r += TOGETHER) {
            const double *b0 = &block[r * stride], *b1 = b0 + stride, *b2 = b1 + stride, *b3 = b2 + stride;
            const double  a0 = sign * b0[i], a1 = sign * b1[i], a2 = sign * b2[i], a3 = sign * b3[i];
            for (size_t j = 0; j <= i; ++j)
                out[j] += (a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
        }
    }
}

bool pursuit_add_gram(const Regressors *regressors, const Basis *basis, size_t first, size_t start, size_t end,
                      const double *weights, double sign, double *gram, size_t stride, Error *err)
{
    double  scales[BLOCK];
    double *block = malloc(BLOCK * stride * sizeof *block);
    if (!block)
        return fail(err, ERROR_INTERNAL, "out of memory for %zu terms", stride);
    for (; start < end; start += BLOCK) {
        const size_t many = end - start < BLOCK ? end - start : BLOCK;
        for (size_t i = 0; i < many; ++i)
            scales[i] = sqrt(weights[start + i]);
        for (size_t i = many * stride; i < BLOCK * stride; ++i)
            block[i] = 0.0;
        for (size_t t = 0; t < basis->count; ++t)
            fill(regressors, &basis->terms[t], start, many, scales, &block[t], stride);
        add_block(block, first, basis->count, sign, gram, stride);
    }
    for (size_t i = first; i < basis->count; ++i)
        for (size_t j = 0; j < i; ++j)
            gram[j * stride + i] = gram[i * stride + j];
    free(block);
    return true;
}

// A sum of powers is compared with another one within this share of it.
static const double tolerance = 1e-9;

// The terms between two degrees, while they are found.
typedef struct Shell {
    Basis *basis;
    double inside, outside;  // sums of k^q above which a term is in it, and to which it may go
    bool   full;
} Shell;

bool pursuit_begin(size_t room, size_t factor_count, const size_t *most, double norm, Arena *arena, Basis *basis,
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

bool pursuit_add_terms(Basis *basis, size_t degree)
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
