// law_chain -- law of the chain of springs, put together spring by spring.
#include "support/law.h"

// Fermi, Pasta and Ulam's cubic springs between equal masses, the first one at a wall; stiffnesses from k to k/eps^2 in
// a geometric sequence; to each spring a dashpot, to each mass a drag.
typedef struct Chain {
    LawNumber n, mass, k, eps, cubic, r_m, r_k, x0, v0;
} Chain;

static const LawParameter parameters[] = {
    {.name = "n", .unit = "1", .initial = 4.0, .least = 1.0, .most = 32.0, .whole = true},
    LAW_ABOVE("mass", 1.0, "kg", 0.0),
    LAW_ABOVE("k", 1.0, "N/m", 0.0),
    {.name = "eps", .unit = "1", .initial = 0.1, .least = 0.0, .least_open = true, .most = 1.0},
    LAW_FREE("cubic", 0.0, "1/m2"),
    LAW_FROM("r_m", 0.0, "1/s", 0.0),
    LAW_FROM("r_k", 0.0, "s", 0.0),
    LAW_FREE("x0", 0.1, "m"),
    LAW_FREE("v0", 0.0, "m/s"),
};

static LawNumber stiffness(const Chain *p, size_t spring, size_t n)
{
    return n == 1 ? p->k : p->k * cexpl(-2.0L * (long double)spring / (long double)(n - 1) * clogl(p->eps));
}

// Elongation of a spring, or its rate.
static LawNumber difference(const LawNumber *values, size_t spring)
{
    return spring == 0 ? values[0] : values[spring] - values[spring - 1];
}

// The whole chain is stretched evenly; the free end alone may move.
LAW_FUNCTION(Chain, start)
{
    const size_t n = place->n;
    for (size_t i = 0; i < n; ++i) {
        out[i] = p->x0 / (long double)n * (long double)(i + 1);
        out[n + i] = i + 1 == n ? p->v0 : 0.0L;
    }
}

LAW_FUNCTION(Chain, acceleration)
{
    for (size_t i = 0; i < place->n; ++i)
        out[i] = -p->r_m * place->v[i];
    for (size_t spring = 0; spring < place->n; ++spring) {
        const LawNumber d = difference(place->x, spring), rate = difference(place->v, spring);
        const LawNumber k = stiffness(p, spring, place->n),
                        pull = k * d + k * p->cubic * law_power(d, 3) + p->r_k * k * rate;
        out[spring] -= pull / p->mass;
        if (spring > 0)
            out[spring - 1] += pull / p->mass;
    }
}

LAW_FUNCTION(Chain, kinetic)
{
    *out = 0.0L;
    for (size_t i = 0; i < place->n; ++i)
        *out += p->mass / 2.0L * law_power(place->v[i], 2);
}

LAW_FUNCTION(Chain, potential)
{
    *out = 0.0L;
    for (size_t spring = 0; spring < place->n; ++spring) {
        const LawNumber d = difference(place->x, spring), k = stiffness(p, spring, place->n);
        *out += k * d * d / 2.0L + k * p->cubic * law_power(d, 4) / 4.0L;
    }
}

LAW_FUNCTION(Chain, dissipation)
{
    *out = 0.0L;
    for (size_t i = 0; i < place->n; ++i) {
        const LawNumber rate = difference(place->v, i);
        *out += p->r_m * p->mass * place->v[i] * place->v[i] / 2.0L;
        *out += p->r_k * stiffness(p, i, place->n) * rate * rate / 2.0L;
    }
}

LAW_FUNCTION(Chain, masses)
{
    for (size_t i = 0; i < place->n; ++i)
        out[i] = p->mass;
}

LAW_FORMULA(void, fast, difference(place->x, place->n - 1))

LAW_FORMULA(void, slow, difference(place->x, 0))

const Law law_spring_chain = {
    .name = "spring_chain",
    .provides = "energy kinetic potential jacobian masses dissipation fast slow slopes gradients",
    .dofs_parameter = "n",
    .dofs = 32,
    LAW_TABLE(parameters),
    .functions = {[LAW_START] = start,
                  [LAW_ACCELERATION] = acceleration,
                  [LAW_KINETIC] = kinetic,
                  [LAW_POTENTIAL] = potential,
                  [LAW_DISSIPATION] = dissipation,
                  [LAW_MASSES] = masses,
                  [LAW_FAST] = fast,
                  [LAW_SLOW] = slow},
};
