// samples.h -- stores what a trajectory's samples hold, when they are due.

#if FRAME_ROWS
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
} Sampling;

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

// Writes the next sample of the lanes `due`: all at once where their columns are in a row and the sample is the same,
// else number by number.
static void save_frame(const Sampling *s, mask due, whole sample, const real frame[FRAME_ROWS])
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

// Takes the sample that is due in the lanes `due`; returns the steps after which the next ones are.
static whole take_sample(const Sampling *s, mask due, const Point *q, const Params *p, real h)
{
    real  frame[FRAME_ROWS];
    whole sample = load_whole(s->taken);
    int   row = 0;
#define SAVE_VECTOR(name) \
    EACH_DOF(i)           \
        frame[row++] = q->s.name[i];
#define SAVE_NUMBER(value) frame[row++] = value;
    FRAME(SAVE_VECTOR, SAVE_NUMBER)
    save_frame(s, due, sample, frame);
    sample = count(sample, due);
    save_whole(s->taken, sample);
    return sample_step(s, sample);
}
#endif
