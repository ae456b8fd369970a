// rows.h -- loads the numbers of a lane group from the rows of `state`, or saves them, in the order of shared.h.

#include "point.h"

// The rows of a column, one after another. Each number is loaded, saved, or loaded into some of the lanes only.
enum { LOADS, SAVES, RESTORES };
typedef struct Cursor {
    global SCALAR *at;
    size_t         stride;
    int            does;
    mask           stays;  // lanes whose numbers RESTORES leaves as they are
} Cursor;

static void pass_real(Cursor *c, real *x)
{
    if (c->does == SAVES)
        save(c->at, *x);
    else
        *x = c->does == LOADS ? load(c->at) : choose(c->stays, *x, load(c->at));
    c->at += c->stride;
}

static void pass_whole(Cursor *c, whole *n)
{
    if (c->does == SAVES)
        save_whole(c->at, *n);
    else
        *n = c->does == LOADS ? load_whole(c->at) : choose_whole(c->stays, *n, load_whole(c->at));
    c->at += c->stride;
}

#define PASS_VECTOR(name) \
    EACH_OF_STATE(i)      \
        pass_real(c, &of->s.name[i]);
#define PASS_REAL(name) pass_real(c, &of->name);
#define PASS_WHOLE(name) pass_whole(c, &of->name);
#define PASS_TRACK(number, value, past, bent)  \
    for (int k = PAST - (past); k < PAST; ++k) \
        pass_real(c, &of->track[number][k]);

static void pass_point(Cursor *c, Point *of)
{
    STATE(PASS_VECTOR)
#if RELATIVE
    EACH_DOF(i)
        pass_real(c, &of->v_scale[i]);
#endif
    PLACE_ROWS(PASS_WHOLE)
    COUNTER_ROWS(PASS_WHOLE)
    CONDITION_ROWS(PASS_REAL)
#if ADAPTIVE
    SUBSTEP_ROWS(PASS_REAL)
#endif
#ifdef BREAK_NUMBERS
    BREAK_ROWS(PASS_REAL)
#endif
#ifdef EVENTS
    EVENT_ROWS(PASS_REAL)
    for (int i = 0; i < EVENTS; ++i)
        pass_real(c, &of->side[i]);
    for (int i = 0; i < EVENTS; ++i)
        pass_real(c, &of->seen[i]);
    for (int i = 0; i < EVENT_TIMES; ++i)
        pass_real(c, &of->times[i]);
#endif
#ifdef DEVIATIONS
    EACH_DOF(i)
        pass_real(c, &of->size_x[i]);
    EACH_DOF(i)
        pass_real(c, &of->size_v[i]);
#endif
}

static void pass_metrics(Cursor *c, Metrics *of) { METRICS(PASS_REAL, PASS_WHOLE) }

static void pass_tracks(Cursor *c, Block *of) { EACH_TRACK(PASS_TRACK) }

static void pass_state(int does, global SCALAR *column, size_t stride, Point *q, Metrics *metrics, Block *block)
{
    Cursor c = {column, stride, does, YES};
    pass_point(&c, q);
    pass_metrics(&c, metrics);
    pass_tracks(&c, block);
}

// The states at the last step's beginning, of samples between steps that are not shown arcs: rows before the last.
#if defined(SAMPLE_TIMES) && !defined(ARCS)
#define EARLIER_ROWS (2 * STATE_DOF)
#else
#define EARLIER_ROWS 0
#endif

static void pass_earlier(int does, global SCALAR *row, size_t stride, Seen *earlier)
{
    Cursor c = {row, stride, does, YES};
    EACH_OF_STATE(i) {
        pass_real(&c, &earlier->x[i]);
        pass_real(&c, &earlier->v[i]);
    }
}

// The host sizes the buffer by counting the same rows; where the two part, this does not compile.
#define ONE_ROW(name) +1
#ifdef BREAK_NUMBERS
#define BROKEN_ROWS (0 BREAK_ROWS(ONE_ROW))
#else
#define BROKEN_ROWS 0
#endif
#ifdef EVENTS
#define SEARCH_ROWS (0 EVENT_ROWS(ONE_ROW) + 2 * EVENTS + EVENT_TIMES)
#else
#define SEARCH_ROWS 0
#endif
#ifdef DEVIATIONS
#define SIZE_ROWS (2 * DOF)
#else
#define SIZE_ROWS 0
#endif
#define PAST_ROWS(number, value, past, bent) +(past)
typedef char rows_are_the_hosts[(VECTOR_ROWS PLACE_ROWS(ONE_ROW) COUNTER_ROWS(ONE_ROW) CONDITION_ROWS(ONE_ROW)
                                     METRICS(ONE_ROW, ONE_ROW) EACH_TRACK(PAST_ROWS) +
                                 (ADAPTIVE ? 0 SUBSTEP_ROWS(ONE_ROW) : 0) + BROKEN_ROWS + SEARCH_ROWS + SIZE_ROWS +
                                 KEPT_ROWS + EARLIER_ROWS + (FRAME_ROWS > 0)) == STATE_ROWS
                                    ? 1
                                    : -1];
