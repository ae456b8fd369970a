// samples.h -- stores what a trajectory's samples hold, when they are due.

#include "substeps.h"

// Whether samples are taken at given times (times.h), and not after given steps.
#ifdef SAMPLE_TIMES
#define TIMED 1
#else
#define TIMED 0
#endif

// Frames are [tile][sample][row][TILE]: all that a lane group writes at a time is one run of memory.
#define TILE FRAME_TILE(LANES)

static global SCALAR *frame_at(global SCALAR *frames, size_t column, size_t sample, size_t samples)
{
    return frames + (column / TILE * samples + sample) * (FRAME_ROWS * TILE) + column % TILE;
}

// The first of the lanes' columns where these are one whole part of a tile, else -1.
static SCALAR_WHOLE first_column(whole column)
{
    SCALAR_WHOLE each[LANES];
    spread_whole(column, each);
    bool in_a_row = each[0] >= 0 && each[0] % LANES == 0;
    for (int lane = 1; lane < LANES; ++lane)
        in_a_row = in_a_row && each[lane] == each[0] + lane;
    return in_a_row ? each[0] : -1;
}

// What a lane group knows of its samples. Most of it is wanted only where one is due, and stays in memory until then:
// the steps in between need the registers.
typedef struct Sampling {
    global SCALAR       *frames;
    global SCALAR       *taken;  // row of `state`: samples so far
    global const SCALAR *parameters;
    size_t               stride, samples;
    SCALAR_WHOLE         first;  // first_column()
    SCALAR_WHOLE         divisor;
    real                 begin;  // the time at which a point begins
} Sampling;

#if TIMED
// The step after which sample k is due; -1 where nothing is stored, and behind the last.
static whole sample_step(const Sampling *s, whole k)
{
    global const SCALAR *row = s->parameters;
    const size_t         stride = s->stride;
    const whole          due = time_step(k, load(row + ROW_H * stride), s->begin, load_whole(row + ROW_STEPS * stride));
    return choose_whole(load_whole(row + ROW_SLOT * stride) >= 0, due, (whole)(-1));
}
#else
// The step after which sample k is due, k `every` + floor(k remainder / divisor); -1 where nothing is stored.
static whole sample_step(const Sampling *s, whole k)
{
    const whole every = load_whole(s->parameters + ROW_EVERY * s->stride),
                column = load_whole(s->parameters + ROW_SLOT * s->stride);
    whole step = k * every;
    if (s->divisor > 1)
        step += k * load_whole(s->parameters + ROW_REMAINDER * s->stride) / s->divisor;
    return choose_whole(column >= 0, step, (whole)(-1));
}
#endif

// Writes the next sample of the lanes `due`: all at once where their columns are in a row and the sample is the same,
// else number by number.
static void save_frame(const Sampling *s, mask due, whole sample, const real *frame)
{
    const SCALAR_WHOLE common = or_lanes(choose_whole(due, sample, (whole)(0)));
    if (s->first >= 0 && !any_lane(due & (sample != common))) {
        global SCALAR *to = frame_at(s->frames, (size_t)s->first, (size_t)common, s->samples);
        for (int r = 0; r < FRAME_ROWS; ++r, to += TILE)
            save(to, choose(due, frame[r], load(to)));
        return;
    }
    SCALAR_WHOLE wanted[LANES], places[LANES], columns[LANES];
    SCALAR       numbers[LANES];
    spread_whole(due, wanted);
    spread_whole(sample, places);
    spread_whole(load_whole(s->parameters + ROW_SLOT * s->stride), columns);
    for (int r = 0; r < FRAME_ROWS; ++r) {
        spread(frame[r], numbers);
        for (int lane = 0; lane < LANES; ++lane)
            if (wanted[lane])
                frame_at(s->frames, (size_t)columns[lane], (size_t)places[lane], s->samples)[r * TILE] = numbers[lane];
    }
}

// What a sample holds, of lanes that are at time t and have made so many updates.
static void find_frame(real t, whole updates, const Point *q, const Params *p, real *frame)
{
    int row = 0;
#define SAVE_VECTOR(name) \
    EACH_DOF(i)           \
        frame[row++] = q->s.name[i];
#define SAVE_NUMBER(value) frame[row++] = value;
    FRAME(SAVE_VECTOR, SAVE_NUMBER)
}

// Takes the sample of the lanes `due`; returns the steps after which their next ones are due.
static whole take_sample(const Sampling *s, mask due, const real *frame)
{
    const whole sample = load_whole(s->taken), next = count(sample, due);
    save_frame(s, due, sample, frame);
    save_whole(s->taken, next);
    return sample_step(s, next);
}

// Samples that all lanes take after the same steps of a path, into memory that lies in a row: a step counts one number
// down, and moves nothing else.
typedef struct Series {
    bool           together;
    SCALAR_WHOLE   left, every;  // steps until the next sample; between two
    SCALAR_WHOLE   taken;        // samples along the path
    global SCALAR *to;
} Series;

static bool all_equal(whole x) { return !any_lane(x != or_lanes(x)); }

// Lanes that have taken the same steps and take samples as often have taken the same ones.
//   due  steps after which their next samples are
static Series series_begin(const Sampling *s, bool all, whole step, whole due)
{
    const whole every = load_whole(s->parameters + ROW_EVERY * s->stride),
                remainder = load_whole(s->parameters + ROW_REMAINDER * s->stride), taken = load_whole(s->taken);
    const bool   together = all && s->first >= 0 && !any_lane(remainder != 0) && all_equal(every) && all_equal(step);
    const Series series = {together, or_lanes(due - step), or_lanes(every), 0,
                           together ? frame_at(s->frames, (size_t)s->first, (size_t)or_lanes(taken), s->samples)
                                    : s->frames};
    return series;
}

static void series_take(Series *series, const real *frame)
{
    for (int r = 0; r < FRAME_ROWS; ++r)
        save(series->to + r * TILE, frame[r]);
    series->to += FRAME_ROWS * TILE;
    series->left = series->every;
    series->taken += 1;
}

// From here on lanes take samples by themselves. Returns the steps after which their next ones are due.
static whole series_end(Series *series, const Sampling *s, whole due)
{
    const SCALAR_WHOLE taken = series->taken;
    if (!series->together)
        return due;
    series->together = false;
    save_whole(s->taken, load_whole(s->taken) + taken);
    return due + taken * series->every;
}

// Takes the samples at t = 0 of the lanes `running`; returns the steps after which their next ones are due.
static whole sampling_begin(const Sampling *s, mask running, const Point *q, const Params *p, real h)
{
    const whole first = sample_step(s, (whole)(0));
    real        frame[FRAME_ROWS + 1];
    find_frame(TIME_AFTER(to_real(q->step), h, p), q->n.updates, q, p, frame);
    save_whole(s->taken, (whole)(0));
    return choose_whole(running, take_sample(s, running & (first == 0), frame), (whole)(-1));
}

// Goes on in the lanes `running`, whose next samples are always due after a later step.
static whole sampling_go_on(const Sampling *s, mask running)
{
    return choose_whole(running, sample_step(s, load_whole(s->taken)), (whole)(-1));
}

// Takes the samples that are due after an attempt; returns the steps after which the next ones are.
//   due       the steps after which they are due
//   straight  it went along the path, which all lanes at work are on
//   stepped   lanes that have completed a step
//   earlier   their states before it; read where samples lie between steps
static whole sampling_observe(const Sampling *s, Series *series, whole due, bool straight, mask stepped,
                              const Path *path, const Seen *earlier, const Point *q, const Params *p, real h)
{
#if TIMED && defined(ARCS)
    return due;  // arcs.h takes them
#else
    const whole step = q->step + path->taken;
    mask        now = YES;
    bool        wanted;
    if (series->together && straight) {
        series->left -= 1;
        wanted = series->left == 0;
    } else {
        due = series_end(series, s, due);
        now = stepped & (step == due);
        wanted = any_lane(now);
    }
    if (wanted) {
        real frame[FRAME_ROWS + 1];
#if TIMED
        do {
            Point      there = *q;
            const real t = sample_time(load_whole(s->taken));
            time_state(t, step, earlier, &q->s, p, h, &there.s);
            find_frame(t, q->n.updates + STAGES * path->taken, &there, p, frame);
            due = choose_whole(now, take_sample(s, now, frame), due);
            now = now & (due == step);
        } while (any_lane(now));
#else
        find_frame(TIME_AFTER(to_real(step), h, p), q->n.updates + STAGES * path->taken, q, p, frame);
        if (series->together)
            series_take(series, frame);
        else
            due = choose_whole(now, take_sample(s, now, frame), due);
#endif
    }
    return due;
#endif
}
