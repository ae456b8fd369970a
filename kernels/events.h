// events.h -- finds where formulas change their sign within a substep, sets states there, and begins the method anew.
//
// Each formula of the sweep's `events` has a side: above 0 or below. A substep at whose end one has crossed to its
// other side is not taken. It is tried again with the size in the middle of a bracket: `low` is the largest size tried
// so far after which none has crossed, `high` the least after which one has. A trial moves no state. Where rounding has
// closed the bracket, the substep of the size `high` is taken, and the event passes: states are set, and a piece
// begins. A formula that is 0 where a piece begins has the side to which it moves.

// How many places of events a step may have. With more the point ends as `chatter`.
#define EVENTS_OF_STEP 64

static real event_side(real value) { return choose(value > 0.0, ONE, choose(value < 0.0, ZERO - 1.0, ZERO)); }

static mask event_crosses(real side, real value, mask up, mask down)
{
    return (up & (side < 0.0) & (value >= 0.0)) | (down & (side > 0.0) & (value <= 0.0));
}

// Which formulas have crossed with these values, and whether any has.
static mask events_crossed(const Point *q, const real when[EVENTS], mask crossed[EVENTS])
{
    mask any = NO;
#define CROSSES(number, up, down, sets, first, most, stops)                   \
    crossed[number] = event_crosses(q->side[number], when[number], up, down); \
    any = any | crossed[number];
    EVENT_ENTRIES(CROSSES)
    return any;
}

// What the search makes of a substep of a size that was tried in the lanes `tried`, with the formulas' values at its
// end. Returns the lanes that do not take it.
//   ends  written: lanes that take it up to an event
static mask events_search(mask tried, real size, const real when[EVENTS], Point *q, mask *ends)
{
    mask       crossed[EVENTS];
    const mask any = tried & events_crossed(q, when, crossed), searching = q->high > 0.0,
               last = searching & (size == q->high), held = tried & ((searching & !last) | (any & !searching));
    *ends = any & last;
    q->low = choose(held, choose(searching, choose(any, q->low, size), ZERO), q->low);
    // A guess that remembers less than at the first try may lead back over the crossing: there is none then.
    q->high = choose(held, choose(any, size, q->high), choose(tried & !*ends, ZERO, q->high));
    for (int i = 0; i < EVENTS; ++i)
        q->side[i] =
            choose(*ends & crossed[i], 2.0 * q->side[i], choose(tried & !held, event_side(when[i]), q->side[i]));
    return held;
}

// Of lanes that end a piece at an event those where no formula that has crossed was ever on its other side, whatever
// the size: it returns sooner than numbers can tell.
//   before  values where the substep began
static mask events_unresolved(mask ends, const real before[EVENTS], const Point *q)
{
    mask left = NO;
    for (int i = 0; i < EVENTS; ++i)
        left = left | ((q->side[i] > 1.0) & (before[i] > 0.0)) | ((q->side[i] < -1.0) & (before[i] < 0.0));
    return ends & (q->low <= 0.0) & !left;
}

// Ends a piece at an event, so far into the step; beside a break or the step's end it is an event there.
static void events_arrive(mask ends, real reached, const Settings *set, Point *q)
{
    const real from = to_real(q->step) * set->h, end = piece_end(q, set);
    const real at = choose(end - reached <= break_near(from + set->h), end, reached);
    PIECE_BEGUN(q) = choose(ends, at, PIECE_BEGUN(q));
    q->level = choose_whole(ends, (whole)(0), q->level);
    q->index = choose_whole(ends, (whole)(0), q->index);
    q->low = choose(ends, ZERO, q->low);
    q->high = choose(ends, ZERO - 1.0, q->high);
}

// Formulas at a time and a state: values, how fast they change along the motion, and which have just crossed.
typedef struct EventState {
    real when[EVENTS], slope[EVENTS];
    mask fired[EVENTS];
} EventState;

static void events_look(real t, const Params *p, const Point *q, EventState *seen)
{
    Params here = *p;
    breaks_window(q, &here);
    event_values(t, q->s.x, q->s.v, p, seen->when);
    event_slopes(t, q->s.x, q->s.v, &here, seen->slope);
    for (int i = 0; i < EVENTS; ++i)
        seen->fired[i] = real_abs(q->side[i]) > 1.0;
}

// Whether a formula is at 0 where a piece begins. One that has just crossed is where its value is the same as before,
// or less than it changes by in 2^-32 of a step.
static mask event_at(const EventState *before, const EventState *now, int i, const Settings *set)
{
    const mask near = real_abs(now->when[i]) <= 0x1p-32 * set->h * real_abs(now->slope[i]);
    return (now->when[i] == 0.0) | (before->fired[i] & ((now->when[i] == before->when[i]) | near));
}

// The sides where a piece begins.
//   before, now  before states were set, and since then
static void events_begin_sides(mask m, const EventState *before, const EventState *now, const Settings *set, Point *q)
{
    for (int i = 0; i < EVENTS; ++i) {
        const mask stays = (now->when[i] == before->when[i]) & !before->fired[i] & (q->side[i] != 0.0);
        const real side = event_side(choose(event_at(before, now, i, set), now->slope[i], now->when[i]));
        q->side[i] = choose(m & !stays, side, q->side[i]);
    }
}

// Begins at the point's first state.
static void events_begin(const Params *p, const Settings *set, Point *q)
{
    EventState now;
    q->low = q->high = q->spared = q->crowd = ZERO;
    q->ended = TIME_AFTER(to_real(set->steps), set->h, p);
    for (int i = 0; i < EVENTS; ++i)
        q->side[i] = q->seen[i] = ZERO;
    for (int i = 0; i < EVENT_TIMES; ++i)
        q->times[i] = NOT_A_NUMBER;
    events_look(START_TIME(p), p, q, &now);
    events_begin_sides(YES, &now, &now, set, q);
}

// Takes the lanes m past a break, as breaks_pass() does.
static mask events_pass_break(mask m, const Params *p, const MethodParams *method, const Settings *set, Point *q)
{
    const real t = q->next;
    EventState before, now;
    events_look(t, p, q, &before);
    const mask done = breaks_pass(m, p, method, set, q);
    events_look(t, p, q, &now);
    events_begin_sides(m, &before, &now, set, q);
    return done;
}

// Takes the lanes m past the events that they have come to. Returns those whose step ends there.
static mask events_pass(mask m, const Params *p, const MethodParams *method, const Settings *set, Point *q)
{
    const real t = TIME_AFTER(to_real(q->step), set->h, p) + PIECE_BEGUN(q);
    EventState before, now;
    mask       stop = NO, against = NO;
    events_look(t, p, q, &before);
#define PASS_EVENT(number, up, down, sets, first, most, stops)                                        \
    {                                                                                                 \
        const mask fired = m & before.fired[number];                                                  \
        real       x[DOF], v[DOF];                                                                    \
        EACH_DOF(i) {                                                                                 \
            x[i] = q->s.x[i];                                                                         \
            v[i] = q->s.v[i];                                                                         \
        }                                                                                             \
        event_set##number(t, q->s.x, q->s.v, p, x, v);                                                \
        EACH_DOF(i) {                                                                                 \
            q->s.x[i] = choose(fired, x[i], q->s.x[i]);                                               \
            q->s.v[i] = choose(fired, v[i], q->s.v[i]);                                               \
        }                                                                                             \
        for (int k = 0; k < (most); ++k)                                                              \
            q->times[(first) + k] = choose(fired & (q->seen[number] == k), t, q->times[(first) + k]); \
        q->seen[number] = q->seen[number] + choose(fired, ONE, ZERO);                                 \
        stop = stop | (fired & (stops));                                                              \
    }
    EVENT_ENTRIES(PASS_EVENT)
    breaks_anew(m, p, method, q);
    events_look(t, p, q, &now);
    // A formula that has crossed against its slope, and is set so that it does not return: the method's own step is
    // longer than the motion between two events.
#define AGAINST(number, up, down, sets, first, most, stops)                                 \
    against =                                                                               \
        against | (m & (sets)&before.fired[number] & event_at(&before, &now, number, set) & \
                   (before.slope[number] * q->side[number] >= 0.0) & (now.slope[number] * q->side[number] <= 0.0));
    EVENT_ENTRIES(AGAINST)
    events_begin_sides(m, &before, &now, set, q);
    q->crowd = q->crowd + choose(m, ONE, ZERO);
    q->high = choose(m, ZERO, q->high);
    q->ended = choose(stop, t, q->ended);
    q->status = choose_whole(against | (m & (q->crowd > EVENTS_OF_STEP)), (whole)(STATUS_CHATTER), q->status);
    q->status = choose_whole(stop, (whole)(STATUS_OK), q->status);
    // A break at the step's end passes before the step ends.
    return breaks_end(m & (stop | !piece_over(q, set)), set, q);
}
