// chaos_effects -- variance, indices and their intervals from the coefficients of an expansion.
#include "analysis/sensitivity/chaos.h"

#include "base/philox.h"

#include <math.h>
#include <string.h>

enum { SIGNS = 64 };  // in one word of random bits

static bool take_effects(size_t factor_count, Arena *arena, ChaosEffects *effects, Error *err)
{
    effects->count = 2 + 3 * factor_count + factor_count * factor_count;
    effects->numbers = arena_take(arena, effects->count, sizeof(double), err);
    if (!effects->numbers)
        return false;
    effects->mean = effects->numbers;
    effects->variance = effects->mean + 1;
    effects->first = effects->variance + 1;
    effects->total = effects->first + factor_count;
    effects->shapley = effects->total + factor_count;
    effects->pair = effects->shapley + factor_count;
    return true;
}

// Adds a term's part of the variance to the effects that it belongs to.
static void add_part(const BasisTerm *term, double part, size_t factor_count, ChaosEffects *effects)
{
    for (size_t k = 0; k < term->order; ++k) {
        const size_t factor = term->factors[k];
        effects->total[factor] += part;
        effects->shapley[factor] += part / term->order;
        if (term->order == 1)
            effects->first[factor] += part;
    }
    if (term->order == 2) {
        effects->pair[term->factors[0] * factor_count + term->factors[1]] += part;
        effects->pair[term->factors[1] * factor_count + term->factors[0]] += part;
    }
}

// Sudret 2008, equations 34 to 41.
static void find_effects(const Chaos *chaos, const double *coefficients, ChaosEffects *effects)
{
    double variance = 0.0;
    memset(effects->numbers, 0, effects->count * sizeof *effects->numbers);
    for (size_t t = 1; t < chaos->term_count; ++t)
        variance += coefficients[t] * coefficients[t];
    for (size_t t = 1; t < chaos->term_count; ++t)
        add_part(&chaos->terms[t], coefficients[t] * coefficients[t] / variance, chaos->factor_count, effects);
    for (size_t i = 2; !(variance > 0.0) && i < effects->count; ++i)
        effects->numbers[i] = (double)NAN;
    *effects->mean = coefficients[0];
    *effects->variance = variance;
}

bool chaos_make_effects(const Chaos *chaos, Arena *arena, ChaosEffects *effects, Error *err)
{
    if (!take_effects(chaos->factor_count, arena, effects, err))
        return false;
    find_effects(chaos, chaos->coefficients, effects);
    return true;
}

// Coefficients that another sample might have given. `room` holds a number for each point and each term.
static void draw_coefficients(const Chaos *chaos, size_t replicate, uint64_t seed, double *room, double *coefficients)
{
    const size_t count = chaos->point_count, terms = chaos->term_count;
    double      *signs = room, *sums = room + count;
    uint64_t     bits = 0;
    for (size_t i = 0; i < count; ++i) {
        if (i % SIGNS == 0)
            bits = philox_bits(seed, i / SIGNS, replicate);
        signs[i] = bits >> (i % SIGNS) & 1 ? 1.0 : -1.0;
    }
    for (size_t j = 0; j < terms; ++j) {
        const double *push = &chaos->pushes[j * count];
        sums[j] = 0.0;
        for (size_t i = 0; i < count; ++i)
            sums[j] += signs[i] * push[i];
    }
    for (size_t t = 0; t < terms; ++t) {
        coefficients[t] = chaos->coefficients[t];
        for (size_t j = 0; j < terms; ++j)
            coefficients[t] += chaos->inverse[t * terms + j] * sums[j];
    }
}

bool chaos_make_conf(const Chaos *chaos, size_t replicates, uint64_t seed, Arena *arena, ChaosEffects *conf, Error *err)
{
    ChaosEffects drawn, mean;
    double      *room = arena_take(arena, chaos->point_count + 2 * chaos->term_count, sizeof *room, err);
    if (!room || !take_effects(chaos->factor_count, arena, conf, err) ||
        !take_effects(chaos->factor_count, arena, &drawn, err) || !take_effects(chaos->factor_count, arena, &mean, err))
        return false;
    for (size_t r = 0; r < replicates; ++r) {
        double *coefficients = room + chaos->point_count + chaos->term_count;
        draw_coefficients(chaos, r, seed, room, coefficients);
        find_effects(chaos, coefficients, &drawn);
        for (size_t i = 0; i < conf->count; ++i) {
            const double step = drawn.numbers[i] - mean.numbers[i];
            mean.numbers[i] += step / (double)(r + 1);
            conf->numbers[i] += step * (drawn.numbers[i] - mean.numbers[i]);
        }
    }
    for (size_t i = 0; i < conf->count; ++i)
        conf->numbers[i] = 1.96 * sqrt(conf->numbers[i] / ((double)replicates - 1.0));
    return true;
}
