// turning.h -- derivatives of an extreme where its quantity turns, which is between observations.
//
// The largest observation is O(h^2) below the extreme of the motion, but its derivative is O(h) off: it is that at a
// fixed time. A parabola goes through the observation and its neighbours, and others through their tangents. At the
// vertex of the first the others are the tangents of the extreme, within O(h^3): a small change moves the vertex, and
// the height by no more than the square of that.
//
// A metric keeps `tangent_state: [last, older]`, the last observations that it saw and their tangents.

#ifdef TANGENTS

// Begins without observations: these are NaN, with which every comparison is false, and nothing turns.
#define TURNING_BEGIN(m, in)                                      \
    {                                                             \
        (m)->last = choose(in, ZERO + NOT_A_NUMBER, (m)->last);   \
        (m)->older = choose(in, ZERO + NOT_A_NUMBER, (m)->older); \
        EACH_TANGENT(j) {                                         \
            (m)->d_last[j] = choose(in, ZERO, (m)->d_last[j]);    \
            (m)->d_older[j] = choose(in, ZERO, (m)->d_older[j]);  \
        }                                                         \
    }

// Lanes whose last observation is above both neighbours, or below both.
#define TURNED(m, now) \
    ((((m)->last > (m)->older) & ((m)->last > (now))) | (((m)->last < (m)->older) & ((m)->last < (now))))

// Fills `real turn[TANGENTS]` with the tangents at the vertex of the parabola through the last two observations and
// now.
#define TURNING_TANGENTS(m, now, d, turn) \
    vertex_tangents((m)->older, (m)->last, now, (m)->d_older, (m)->d_last, d, turn)

// What was seen now, in the lanes `in`, is the last observation from here on.
#define TURNING_NEXT(m, in, now, d)                                        \
    {                                                                      \
        (m)->older = choose(in, (m)->last, (m)->older);                    \
        (m)->last = choose(in, now, (m)->last);                            \
        EACH_TANGENT(j) {                                                  \
            (m)->d_older[j] = choose(in, (m)->d_last[j], (m)->d_older[j]); \
            (m)->d_last[j] = choose(in, (d)[j], (m)->d_last[j]);           \
        }                                                                  \
    }

static void vertex_tangents(real a, real b, real c, const real da[TANGENTS], const real db[TANGENTS],
                            const real dc[TANGENTS], real d[TANGENTS])
{
    const real s = 0.5 * (a - c) / ((c - b) + (a - b));
    EACH_TANGENT(j)
        d[j] = db[j] + 0.5 * s * ((dc[j] - da[j]) + s * ((dc[j] - db[j]) + (da[j] - db[j])));
}

#endif
