// regressors -- columns from tables of polynomials, products of columns by blocks of points.
#include "analysis/sensitivity/regressors.h"

#include <math.h>
#include <stdlib.h>

// Points of a block, whose terms stay in the cache, and the ones that are summed together.
enum { BLOCK = 64, TOGETHER = 4 };

bool regressors_make(const Polynomials *polynomials, size_t factor_count, const double *const *x, const size_t *points,
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

bool regressors_add_degree(Regressors *regressors, Arena *arena, Error *err)
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

void regressors_find(const Regressors *regressors, const BasisTerm *term, double *column)
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

bool regressors_add_gram(const Regressors *regressors, const Basis *basis, size_t first, size_t start, size_t end,
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
