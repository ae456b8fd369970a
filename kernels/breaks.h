// breaks.h -- takes points past a break: states are set, and the method begins anew.

// Sets what the entries set that have a time in (passed, time], in the order of the entries, and looks for the next
// one.
static void breaks_set(mask m, const Params *p, Point *q)
{
    const real time = q->next, near = time + break_near(time);
    real       passed = time;
#define SET_OF(number)                                                    \
    {                                                                     \
        const mask due = m & (break_after##number(q->passed, p) <= near); \
        real       x[DOF], v[DOF];                                        \
        EACH_DOF(i) {                                                     \
            x[i] = q->s.x[i];                                             \
            v[i] = q->s.v[i];                                             \
        }                                                                 \
        break_set##number(time, q->s.x, q->s.v, p, x, v);                 \
        EACH_DOF(i) {                                                     \
            q->s.x[i] = choose(due, x[i], q->s.x[i]);                     \
            q->s.v[i] = choose(due, v[i], q->s.v[i]);                     \
        }                                                                 \
    }
#define LAST_OF(number) passed = larger(break_until##number(near, p), passed);
    BREAK_SETS(SET_OF)
    BREAK_ENTRIES(LAST_OF)
    q->passed = choose(m, passed, q->passed);
    q->next = choose(m, breaks_next(passed, p), q->next);
}

// Begins: breaks at t = 0 lie before the first step. Returns the lanes whose breaks are numbers.
static mask breaks_begin(const Params *p, Point *q)
{
    mask good = YES;
    for (int i = 0; i < BREAK_NUMBERS; ++i)
        good = good & (p->break_numbers[i] == p->break_numbers[i]);
    q->passed = -ZERO - NEXT_TO_NOTHING;
    q->next = breaks_next(q->passed, p);
    q->begun = q->gap = ZERO;
    breaks_set(q->next <= 0.0, p, q);
    return good;
}

// The window of time that forces see in the piece of each lane.
static void breaks_window(const Point *q, Params *p)
{
    p->break_from = q->passed * (1.0 + BREAK_NEAR);
    p->break_below = q->next * (1.0 - BREAK_NEAR);
}

// Ends a piece in the lanes `done`. Returns those whose step ends with it; the others are at a break.
static mask breaks_arrive(mask done, Point *q, const Settings *set)
{
    const real end = piece_end(q, set);
    q->gap = choose(done, end - PIECE_BEGUN(q), q->gap);
    PIECE_BEGUN(q) = choose(done, end, PIECE_BEGUN(q));
    const mask finished = done & !piece_over(q, set);
    PIECE_BEGUN(q) = choose(finished, ZERO, PIECE_BEGUN(q));
    return finished;
}

// Begins the method anew in the lanes m, from states that were set.
static void breaks_anew(mask m, const Params *p, const MethodParams *method, Point *q)
{
    Params after = *p;
    State  begun = q->s;
    breaks_window(q, &after);
    ENTER(begun)
    start(&after, method, &begun);
    LEAVE(begun)
#define BEGIN_ANEW(name) \
    EACH_DOF(i)          \
        q->s.name[i] = choose(m, begun.name[i], q->s.name[i]);
    STATE(BEGIN_ANEW)
#undef BEGIN_ANEW
}

// Ends the step of those of the lanes m whose piece has come to the step's end, and returns them.
static mask breaks_end(mask m, const Settings *set, Point *q)
{
    const mask done = m & (PIECE_BEGUN(q) >= set->h);
    PIECE_BEGUN(q) = choose(done, ZERO, PIECE_BEGUN(q));
    q->gap = choose(m, ZERO, q->gap);
    q->step = count(q->step, done);
    return done;
}

// Takes the lanes m past the break that they have come to. Returns those whose step ends there.
static mask breaks_pass(mask m, const Params *p, const MethodParams *method, const Settings *set, Point *q)
{
    breaks_set(m, p, q);
    breaks_anew(m, p, method, q);
    return breaks_end(m, set, q);
}
