// gauss -- nodes, weights and stages of the collocation.
#include "support/gauss.h"
#include "support/test.h"

enum { STAGES = 8, MOST_ITERATIONS = 200, ITERATIONS_MORE = 4 };

typedef struct GaussRule {
    long double node[STAGES], weight[STAGES];
    long double once[STAGES][STAGES], twice[STAGES][STAGES];  // integrals to a node, and integrals of these
    long double end[STAGES];                                  // twice integrated to 1
} GaussRule;

// Legendre's polynomial at z, and its derivative.
static long double legendre(long double z, long double *slope)
{
    long double before = 1.0L, now = z;
    for (int k = 2; k <= STAGES; ++k) {
        const long double next = ((2 * k - 1) * z * now - (k - 1) * before) / k;
        before = now;
        now = next;
    }
    *slope = STAGES * (z * now - before) / (z * z - 1.0L);
    return now;
}

// The polynomial that is 1 at node j and 0 at the others.
static long double lagrange(const GaussRule *rule, int j, long double at)
{
    long double product = 1.0L;
    for (int k = 0; k < STAGES; ++k)
        if (k != j)
            product *= (at - rule->node[k]) / (rule->node[j] - rule->node[k]);
    return product;
}

static GaussRule make_rule(void)
{
    GaussRule rule = {0};
    for (int i = 0; i < STAGES; ++i) {
        long double z = -cosl(acosl(-1.0L) * (i + 0.75L) / (STAGES + 0.5L)), slope;
        for (int turn = 0; turn < 10; ++turn)
            z -= legendre(z, &slope) / slope;
        legendre(z, &slope);
        rule.node[i] = (1.0L + z) / 2.0L;
        rule.weight[i] = 1.0L / ((1.0L - z * z) * slope * slope);
    }
    for (int i = 0; i < STAGES; ++i)
        for (int j = 0; j < STAGES; ++j)
            for (int k = 0; k < STAGES; ++k)
                rule.once[i][j] += rule.node[i] * rule.weight[k] * lagrange(&rule, j, rule.node[i] * rule.node[k]);
    for (int i = 0; i < STAGES; ++i)
        for (int j = 0; j < STAGES; ++j) {
            rule.end[j] += rule.weight[i] * rule.once[i][j];
            for (int k = 0; k < STAGES; ++k)
                rule.twice[i][j] += rule.once[i][k] * rule.once[k][j];
        }
    return rule;
}

// The state at time share `c` of the step, from the accelerations of all stages with these weights.
static void stage_state(size_t n, long double h, long double c, const LawPlace *start, const long double *once,
                        const long double *twice, LawNumber a[STAGES][LAW_DOFS], LawPlace *place)
{
    place->t = start->t + c * h;
    for (size_t d = 0; d < n; ++d) {
        LawNumber v = 0.0L, x = 0.0L;
        for (int j = 0; j < STAGES; ++j) {
            v += once[j] * a[j][d];
            x += twice[j] * a[j][d];
        }
        place->v[d] = start->v[d] + h * v;
        place->x[d] = start->x[d] + c * h * start->v[d] + h * h * x;
    }
}

// One sweep over the stages; whether none has moved by more than rounding. An acceleration may be the small difference
// of large terms: these are as large as rate v and rate^2 x.
static bool iterate(const GaussRule *rule, const Law *law, LawKind kind, size_t n, long double h, const LawPlace *start,
                    LawNumber a[STAGES][LAW_DOFS], LawPlace *place)
{
    LawNumber   next[LAW_DOFS];
    long double change = 0.0L, size = 0.0L;
    for (int i = 0; i < STAGES; ++i) {
        stage_state(n, h, rule->node[i], start, rule->once[i], rule->twice[i], a, place);
        law_ask(law, kind, place, next);
        for (size_t d = 0; d < n; ++d) {
            const long double x = fabsl(creall(place->x[d])), v = fabsl(creall(place->v[d]));
            change = fmaxl(change, fabsl(creall(next[d] - a[i][d])));
            size = fmaxl(size, fmaxl(fabsl(creall(next[d])), fmaxl(v / h, x / (h * h))));
            a[i][d] = next[d];
        }
    }
    return change <= 0x1p-57L * size;
}

static void step(const GaussRule *rule, const Law *law, LawKind kind, size_t n, long double h, LawPlace *place)
{
    LawNumber      a[STAGES][LAW_DOFS];
    const LawPlace start = *place;
    int            iteration = 0;
    for (int i = 0; i < STAGES; ++i)
        law_ask(law, kind, place, a[i]);
    while (!iterate(rule, law, kind, n, h, &start, a, place))
        if (++iteration > MOST_ITERATIONS)
            fail_msg("%s: a step of %Lg does not converge at t = %Lg", law->name, h, creall(start.t));
    for (int i = 0; i < ITERATIONS_MORE; ++i)
        iterate(rule, law, kind, n, h, &start, a, place);
    stage_state(n, h, 1.0L, &start, rule->weight, rule->end, a, place);
}

void gauss_move(const Law *law, LawKind kind, long double to, long double rate, LawPlace *place)
{
    const GaussRule   rule = make_rule();
    const long double from = creall(place->t), steps = ceill((to - from) * rate);
    const size_t      n = kind == LAW_LIMIT_ACCELERATION ? 1 : place->n;
    for (long double i = 0.0L; i < steps; ++i)
        step(&rule, law, kind, n, (to - from) / steps, place);
    place->t = to;
}
