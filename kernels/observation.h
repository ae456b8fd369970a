// observation.h -- the last observations of a lane group, kept until there are enough for the metrics to look through.
//
// A metric looks through a block of observations before the next metric does: its state is then in registers, and the
// steps in between have the registers for themselves. A track is a quantity that metrics look at, one number per
// observation: it is computed once for all of them, and its last numbers of the block before are there too. Steps that
// some lanes have not made end a block, so that a block's observations are a step apart in every lane.
//
// The prologue lists the tracks: TRACK(number, value of an observation, numbers of the past, whether its bends are
// asked for), and PAST, the most numbers of the past, of which at least one is where the observation at t = 0 stands.

#if LOCAL_SIZE > 1
#define BLOCK 1  // a GPU's registers hold a single one
#elif DOF <= 2
#define BLOCK 16
#elif DOF <= 8
#define BLOCK 8
#else
#define BLOCK 4
#endif

// Number i of a block; a constant where there is one, so that a compiler keeps it in registers.
#define NUMBER(i) (BLOCK == 1 ? 0 : (i))

typedef struct Block {
    Seen seen[BLOCK];
    real track[TRACKS + 1][PAST + BLOCK];
    uint bends[TRACKS + 1];  // bit i: track[i - 1] may be an extremum, or the track may cross zero up to track[i]
} Block;

// Number n before the observation's own: 0 is that one.
#define TRACK_BEFORE(o, number, n) ((o)->block->track[number][(o)->place - (n)])

#define PAST_BITS ((1u << PAST) - 1)

static Observation observation(const Observation *always, whole step, const Seen *seen, uint place)
{
    Observation o = *always;
    o.t = TIME_AFTER(to_real(step), o.h, o.p);
    o.before = TIME_AFTER(to_real(step - 1), o.h, o.p);
    o.after = TIME_AFTER(to_real(step + 1), o.h, o.p);
    o.step = step;
    o.s = seen;
    o.place = place;
    return o;
}

// Observation number `at` of the block, after `step`.
static Observation block_observation(const Block *b, const Observation *always, uint at, whole step)
{
    return observation(always, step, &b->seen[NUMBER(at)], PAST + NUMBER(at));
}

static void block_see(const State *s, Seen *seen)
{
    EACH_OF_STATE(i) {
        seen->x[i] = s->x[i];
        seen->v[i] = s->v[i];
    }
}

// Finds the tracks' numbers at an observation. They are found of a copy of its state, which no number that is written
// can be a part of: what two tracks have in common is then computed once.
#define FIND_TRACK(number, value, past, bent) b->track[number][given->place] = value;

static void block_find(Block *b, const Observation *given)
{
    const Seen         seen = *given->s;
    Observation        copy = *given;
    const Observation *o = &copy;
    copy.s = &seen;
    EACH_TRACK(FIND_TRACK)
}

// Whether numbers `from` up to `to` of a track rise or fall in every lane, from two numbers before, and all stand on
// one side of zero, from the number before. A track that falls is turned over: it rises then, and its ends are its
// extremes. The sum is not a number where one of its terms is none.
static bool block_is_straight(const real *track, uint from, uint to)
{
    const whole turn = as_whole(track[to - 1] - track[from - 2]) & ((SCALAR_WHOLE)1 << SIGN_BIT);
    const real  first = track[from - 1], last = track[to - 1];
    real        before = as_real(as_whole(track[from - 2]) ^ turn), least = REAL_INFINITY, sum = before;
    for (uint i = from - 1; i < to; ++i) {
        const real now = as_real(as_whole(track[i]) ^ turn);
        least = smaller(now - before, least);
        sum = sum + now;
        before = now;
    }
    const mask above = (first > ZERO) & (last > ZERO), below = (first < ZERO) & (last < ZERO);
    return all_lanes((least > ZERO) & (above | below) & (sum == sum));
}

// Finds where among numbers `from` up to `to` a track may bend.
static uint block_bends(const real *track, uint from, uint to)
{
    whole found = (whole)(0);
    if (UNLIKELY(!block_is_straight(track, from, to))) {
        real rise = track[from - 1] - track[from - 2];
        for (uint i = from; i < to; ++i) {
            const real next = track[i] - track[i - 1], turn = next * rise, side = track[i] * track[i - 1];
            found = choose_whole((turn > ZERO) & (side > ZERO), found, found | (whole)((SCALAR_WHOLE)1 << i));
            rise = next;
        }
    }
    return (uint)or_lanes(found);
}

#define FIND_BENDS(number, value, past, bent) \
    if (bent && PAST > 1)                     \
        b->bends[number] |= block_bends(b->track[number], PAST + NUMBER(from), PAST + NUMBER(to - 1) + 1);

static void block_find_bends(Block *b, uint from, uint to) { EACH_TRACK(FIND_BENDS) }

// A block without a past; with one, every bend in it is possible.
static void block_clear(Block *b)
{
    for (int i = 0; i < TRACKS; ++i) {
        b->bends[i] = PAST_BITS;
        for (int k = 0; k < PAST; ++k)
            b->track[i][k] = NOT_A_NUMBER;
    }
}

// Begins the next block: the last numbers become the past, in lanes that have not made the last step the ones before.
//   last  number of the last observation
#define KEEP_TRACK(number, value, past, bent)                                                              \
    for (uint k = PAST - (past); k < PAST; ++k)                                                            \
        b->track[number][k] = choose(stepped, b->track[number][k + last + 1], b->track[number][k + last]); \
    b->bends[number] = partly ? PAST_BITS : b->bends[number] >> (last + 1) & PAST_BITS;

static void block_begin(Block *b, uint last, bool partly, mask stepped) { EACH_TRACK(KEEP_TRACK) }

// The observations `from` up to `to` that a metric has to look at, a bit each: all of them, or with `after` the
// ones so many observations after a bend.
static uint block_due(const Block *b, uint from, uint to, int track, int after)
{
    const uint all = (1u << to) - (1u << from);
    return after > 0 ? b->bends[track] << (after - 1) >> PAST & all : all;
}
