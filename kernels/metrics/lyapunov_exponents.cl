//: metric: lyapunov_exponents
//: title: Lyapunov exponents, the largest first
//: source: Benettin, Galgani, Giorgilli and Strelcyn 1980, Meccanica 15, section 3; Kaplan and Yorke 1979, Lecture Notes in Mathematics 730
//: listed: true
//: needs: [jacobian]
//: deviations: exponents
//: state: [sum, lost]
//: tangents: [sum, lost]
//: counts: [seen]
//: options: [window]
//: parameters:
//:   exponents: {default: 1, min: 1, max: 32, type: whole, unit: "1", about: "how many, at most two for each degree of freedom, or one of a system of first order"}
//: results:
//:   lyapunov_spectrum:  {unit: 1/s, samples: exponents, about: "mean rates of growth over the window, of a length, of an area by both of the first two, and so on"}
//:   lyapunov_sum:       {unit: 1/s, about: "their sum, with all of them the mean rate at which a volume grows"}
//:   lyapunov_dimension: {unit: "1", about: "the number of exponents up to which their sum is not below 0, and a part of the next one (Kaplan and Yorke); NaN where they are too few"}

// The state has more deviations than these exponents where another entry asks for more. Sums are of two numbers each,
// the second of what the first has lost to rounding.

#define EXPONENTS M(lyapunov_spectrum_MOST)

static void M(add)(mask in, real more, real *sum, real *lost)
{
    const real next = *sum + more, moved = next - *sum, off = (*sum - (next - moved)) + (more - moved);
    *sum = choose(in, next, *sum);
    *lost = choose(in, *lost + off, *lost);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->sum = m->lost = ZERO;
    EACH_TANGENT(j)
        m->d_sum[j] = m->d_lost[j] = ZERO;
    m->seen = (whole)(0);
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const mask in = WITHIN(o->t) & WITHIN(o->before);
    for (int j = 0; j < EXPONENTS; ++j) {
        const real growth = real_log(o->s->growth[j]);
        M(add)(in, growth, &m->d_sum[j], &m->d_lost[j]);
        M(add)(in, growth, &m->sum, &m->lost);
    }
    m->seen = count(m->seen, in);
}

static real M(exponent)(const Observation *o, const M(State) *m, int j)
{
    return (m->d_sum[j] + m->d_lost[j]) / (to_real(m->seen) * o->h);
}

// Keeps the exponents, which are asked for once they are known.
static whole M(lyapunov_spectrum)(const Observation *o, const M(State) *m)
{
    for (int j = 0; j < EXPONENTS; ++j)
        KEEP(lyapunov_spectrum, YES, (whole)((SCALAR_WHOLE)j), 0, M(exponent)(o, m, j));
    return choose_whole(m->seen > 0, (whole)((SCALAR_WHOLE)EXPONENTS), (whole)(0));
}

static real M(lyapunov_sum)(const Observation *o, const M(State) *m)
{
    return (m->sum + m->lost) / (to_real(m->seen) * o->h);
}

static real M(lyapunov_dimension)(const Observation *o, const M(State) *m)
{
    real above = ZERO, found = ZERO + (EXPONENTS == DEVIATION_BOTH ? DEVIATION_BOTH + 0.0 : NOT_A_NUMBER);
    mask open = m->seen > 0;
    found = choose(open, found, NOT_A_NUMBER);
    for (int j = 0; j < EXPONENTS; ++j) {
        const real exponent = M(exponent)(o, m, j), next = above + exponent;
        const mask below = open & (next < 0.0);
        found = choose(below, to_real((whole)((SCALAR_WHOLE)j)) - above / exponent, found);
        open = open & !below;
        above = next;
    }
    return found;
}

#undef EXPONENTS
