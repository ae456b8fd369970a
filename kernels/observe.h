// observe.h -- shows a block of observations to the metrics.

#include "rows.h"

// Shows observations `from` up to `to` of the block to one metric after the other.
//   step  of the first of them
#define OBSERVE_METRIC(name, track, after)                                                                     \
    {                                                                                                          \
        const uint due = block_due(b, from, to, track, after);                                                 \
        if (due != 0) {                                                                                        \
            name##_State m = metrics->name;                                                                    \
            for (uint at = from; at < to; ++at)                                                                \
                if ((after) == 0 || (due >> at & 1) != 0) {                                                    \
                    const Observation o = block_observation(b, &always, at, step + (SCALAR_WHOLE)(at - from)); \
                    name##_observe(&o, &m);                                                                    \
                }                                                                                              \
            metrics->name = m;                                                                                 \
        }                                                                                                      \
    }

// Called, not inlined, where it is rare: the steps in between have the registers for themselves.
#if METRIC_ROWS && BLOCK > 1
__attribute__((noinline))
#else
static
#endif
void observe_block(Block *b, Metrics *metrics, const Observation *given, whole step, uint from, uint to)
{
    const Params           p = *given->p;
    const struct Arguments arguments = *given->arguments;
    Observation            always = *given;
    always.p = &p;
    always.arguments = &arguments;
    for (uint at = from; at < to; ++at) {
        const Observation o = block_observation(b, &always, at, step + (SCALAR_WHOLE)(at - from));
        block_find(b, &o);
    }
    block_find_bends(b, from, to);
    METRIC_NAMES(OBSERVE_METRIC)
}

// Ends a block: shows it to the metrics, and begins the next one. Lanes that have not stepped are rare: their metrics
// are kept in memory meanwhile.
//   last    number of the last observation, which was made after `step`
//   partly  there are lanes that have not stepped
static void observe_steps(Block *block, Metrics *metrics, const Observation *always, whole step, uint last, bool partly,
                          mask stepped)
{
    const uint     from = partly ? last : 0;
    global SCALAR *rows = always->kept - (size_t)(METRIC_ROWS + TRACK_ROWS) * always->stride;
    if (BLOCK > 1 && from > 0)
        observe_block(block, metrics, always, choose_whole(stepped, step - 1, step) - (SCALAR_WHOLE)(last - 1), 0,
                      last);
    if (UNLIKELY(partly)) {
        Cursor c = {rows, always->stride, SAVES, YES};
        pass_metrics(&c, metrics);
    }
    observe_block(block, metrics, always, step - (SCALAR_WHOLE)(last - from), from, last + 1);
    if (UNLIKELY(partly)) {
        Cursor c = {rows, always->stride, RESTORES, stepped};
        pass_metrics(&c, metrics);
    }
    block_begin(block, last, partly, stepped);
}

// The observation of the points where they are, apart from the blocks of a path.
static Observation observe_now(Block *block, const Observation *always, const Point *q)
{
    block_see(&q->s, &block->seen[0]);
    const Observation o = observation(always, q->step, &block->seen[0], PAST - 1);
    block_find(block, &o);
    return o;
}
