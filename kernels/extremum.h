// extremum.h -- where a coordinate turns between observations: the quartic through five of them.
//
// A parabola through three misses the height of A cos(W s) by up to A W^4/128, W the angle between two observations,
// which is more than many a method damps in a cycle; the quartic by up to A W^6/200.

// y(s) = y0 + s (y1 + s (y2 + s (y3 + s y4))), s in observations from the one in the middle.
typedef struct Quartic {
    real y0, y1, y2, y3, y4;
} Quartic;

// Through the observations a to e, at s = -2 to 2; from differences to the middle one, so that an offset does no harm.
static Quartic quartic_through(real a, real b, real c, real d, real e)
{
    const real    near_sum = (d - c) + (b - c), near_rise = (d - c) - (b - c);
    const real    far_sum = (e - c) + (a - c), far_rise = (e - c) - (a - c);
    const Quartic q = {c, (8.0 * near_rise - far_rise) * (1.0 / 12.0), (16.0 * near_sum - far_sum) * (1.0 / 24.0),
                       (far_rise - 2.0 * near_rise) * (1.0 / 12.0), (far_sum - 4.0 * near_sum) * (1.0 / 24.0)};
    return q;
}

static real quartic_at(const Quartic *q, real s) { return q->y0 + s * (q->y1 + s * (q->y2 + s * (q->y3 + s * q->y4))); }

static real quartic_slope(const Quartic *q, real s)
{
    return q->y1 + s * (2.0 * q->y2 + s * (3.0 * q->y3 + s * (4.0 * q->y4)));
}

static real quartic_curvature(const Quartic *q, real s) { return 2.0 * q->y2 + s * (6.0 * q->y3 + s * (12.0 * q->y4)); }

// Whether the middle one of three observations is not passed by its neighbours; no number among them: it is not.
static mask turns(real rise, real next) { return ((rise > ZERO) & (next <= ZERO)) | ((rise < ZERO) & (next >= ZERO)); }

// The same of the last five observations, of which the middle one is the third: BEFORE(o, n) is a track's number n
// before. Not a number stands where there was no observation, and where the first is one, all are.
#define LAST_QUARTIC(BEFORE, o) quartic_through(BEFORE(o, 4), BEFORE(o, 3), BEFORE(o, 2), BEFORE(o, 1), BEFORE(o, 0))
#define LAST_TURNS(BEFORE, o) \
    (turns(BEFORE(o, 2) - BEFORE(o, 3), BEFORE(o, 1) - BEFORE(o, 2)) & (BEFORE(o, 4) == BEFORE(o, 4)))

// The vertex of the parabola through the middle three, and its height.
static real parabola_vertex(const Quartic *q, real *height)
{
    const real slope = q->y1 + q->y3, s = -slope / (2.0 * (q->y2 + q->y4));
    *height = q->y0 + 0.5 * s * slope;
    return s;
}

static real clamped(real s) { return larger(ZERO - 1.0, smaller(s, ONE)); }

// Where the quartic turns: two steps of Newton's method from the parabola's vertex, with the curvature there, none of
// them to beyond 1 on either side. The error of a height is the square of the distance left, less than the quartic's.
static real quartic_turn(const Quartic *q, real vertex)
{
    const real at = clamped(vertex);
    const real per_curvature = 1.0 / quartic_curvature(q, at);
    real       s = at;
    UNROLL
    for (int step = 0; step < 2; ++step) {
        s = clamped(s - quartic_slope(q, s) * per_curvature);
    }
    return s;
}

// The tangents of the last four observations before the present one, of a metric that keeps `tangent_state: [NAME_1,
// NAME_2, NAME_3, NAME_4]`; and the quartic through tangents j of these and of the present one.
#define BACK_BEGIN(m, name)                                                                                   \
    {                                                                                                         \
        (m)->name##_1 = (m)->name##_2 = (m)->name##_3 = (m)->name##_4 = ZERO;                                 \
        EACH_TANGENT(j)                                                                                       \
            (m)->d_##name##_1[j] = (m)->d_##name##_2[j] = (m)->d_##name##_3[j] = (m)->d_##name##_4[j] = ZERO; \
    }
#define BACK_NEXT(m, name, d)                        \
    EACH_TANGENT(j) {                                \
        (m)->d_##name##_4[j] = (m)->d_##name##_3[j]; \
        (m)->d_##name##_3[j] = (m)->d_##name##_2[j]; \
        (m)->d_##name##_2[j] = (m)->d_##name##_1[j]; \
        (m)->d_##name##_1[j] = (d)[j];               \
    }
#define BACK_QUARTIC(m, name, d, j) \
    quartic_through((m)->d_##name##_4[j], (m)->d_##name##_3[j], (m)->d_##name##_2[j], (m)->d_##name##_1[j], (d)[j])
