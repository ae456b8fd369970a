// morris -- trajectories of one step for each group of factors, and the choice of trajectories that are far apart.
#include "base/philox.h"
#include "design/draw.h"

#include <math.h>

// The order in which groups move: step s moves order[s - 1] (Fisher and Yates).
static void shuffle(const Sampling *sampling, uint64_t trajectory, size_t order[SAMPLING_FACTORS])
{
    for (size_t i = 0; i < sampling->group_count; ++i) {
        const uint32_t bits = philox(sampling->seed, trajectory, draw_for(DRAW_ORDER, i)).word[0];
        const size_t   from = philox_below(bits, i + 1);
        order[i] = order[from];
        order[from] = i;
    }
}

// A factor is at one of two levels, half of all levels apart: below first, or above.
static unsigned lower_level(const Sampling *sampling, size_t factor, uint64_t trajectory, bool *up)
{
    const Philox draw = philox(sampling->seed, trajectory, draw_for(DRAW_LEVEL, factor));
    *up = draw.word[1] >> 31;
    return philox_below(draw.word[0], sampling->levels / 2);
}

unsigned morris_level(const Sampling *sampling, size_t factor, uint64_t trajectory, size_t step)
{
    size_t         order[SAMPLING_FACTORS], at = 0;
    bool           up;
    const unsigned low = lower_level(sampling, factor, trajectory, &up);
    shuffle(sampling, trajectory, order);
    while (at < step && order[at] != sampling_group(sampling, factor))
        ++at;
    const bool moved = at < step;
    return moved == up ? low + sampling->levels / 2 : low;
}

size_t morris_moved(const Sampling *sampling, uint64_t trajectory, size_t step, bool *up)
{
    size_t order[SAMPLING_FACTORS], factor = 0;
    shuffle(sampling, trajectory, order);
    const size_t group = order[step - 1];
    while (sampling_group(sampling, factor) != group)
        ++factor;
    lower_level(sampling, factor, trajectory, up);
    return 1 + group;
}

// Levels of all points of a trajectory: [roles][factor_count].
static void find_levels(const Sampling *sampling, uint64_t trajectory, unsigned short *levels)
{
    for (size_t s = 0; s < sampling->roles; ++s)
        for (size_t f = 0; f < sampling->factor_count; ++f)
            levels[s * sampling->factor_count + f] = (unsigned short)morris_level(sampling, f, trajectory, s);
}

// The sum of the distances between each point of one trajectory and each of the other, in levels.
static double distance(const Sampling *sampling, const unsigned short *a, const unsigned short *b)
{
    const size_t d = sampling->factor_count;
    double       sum = 0.0;
    for (size_t i = 0; i < sampling->roles; ++i)
        for (size_t j = 0; j < sampling->roles; ++j) {
            double squares = 0.0;
            for (size_t f = 0; f < d; ++f) {
                const double apart = (double)a[i * d + f] - (double)b[j * d + f];
                squares += apart * apart;
            }
            sum += sqrt(squares);
        }
    return sum;
}

// The greedy choice.
//   squares  [count][count] squared distances
//   sums     [count] zeros; written: of squared distances to the trajectories taken
static void take_far(const double *squares, size_t count, double *sums, bool *taken, size_t wanted)
{
    size_t best = 0;
    for (size_t i = 1; i < count * count; ++i)
        if (squares[i] > squares[best])
            best = i;
    size_t next = best / count;
    for (size_t n = 0; n < wanted; ++n) {
        taken[next] = true;
        for (size_t i = 0; i < count; ++i)
            sums[i] += squares[next * count + i];
        next = count;
        for (size_t i = 0; i < count; ++i)
            if (!taken[i] && (next == count || sums[i] > sums[next]))
                next = i;
    }
}

bool morris_choose(const Sampling *sampling, uint32_t *chosen, Error *err)
{
    const size_t    count = (size_t)sampling->optimise, each = sampling->roles * sampling->factor_count;
    Arena           room = {0};
    unsigned short *levels = arena_take(&room, count * each, sizeof *levels, err);
    double         *squares = arena_take(&room, count * count, sizeof *squares, err);
    double         *sums = arena_take(&room, count, sizeof *sums, err);
    bool           *taken = arena_take(&room, count, sizeof *taken, err), made = levels && squares && sums && taken;
    for (size_t i = 0; made && i < count; ++i)
        find_levels(sampling, i, &levels[i * each]);
    for (size_t i = 0; made && i < count; ++i)
        for (size_t j = 0; j < i; ++j) {
            const double apart = distance(sampling, &levels[i * each], &levels[j * each]);
            squares[i * count + j] = squares[j * count + i] = apart * apart;
        }
    if (made)
        take_far(squares, count, sums, taken, (size_t)sampling->samples);
    for (size_t i = 0, next = 0; made && i < count; ++i)
        if (taken[i])
            chosen[next++] = (uint32_t)i;
    arena_free(&room);
    return made;
}
