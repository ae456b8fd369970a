// law_rates -- laws of first order: Lorenz, Robertson, FitzHugh and Nagumo.
//
// As a method sees them within a step (kernels/first_order.h): the state stands in v, its rate in place of the
// acceleration. Between steps, where energy and coordinates are asked, it stands in x.
#include "support/law.h"

LAW_FORMULA(void, no_kinetic, 0.0L)

// Lorenz 1963, eq. 25 to 27, as a linear part and the two products that conserve (x^2 + y^2 + z^2)/2.
typedef struct Lorenz {
    LawNumber sigma, rho, beta, start[3];
} Lorenz;

static const LawParameter lorenz_parameters[] = {
    LAW_ABOVE("sigma", 10.0, "1", 0.0), LAW_FREE("rho", 28.0, "1"), LAW_ABOVE("beta", 8.0 / 3.0, "1", 0.0),
    LAW_FREE("x0", 1.0, "1"),           LAW_FREE("y0", 0.0, "1"),   LAW_FREE("z0", 0.0, "1"),
};

LAW_FUNCTION(Lorenz, lorenz_rate)
{
    const LawNumber linear[3][3] = {{-p->sigma, p->sigma, 0.0L}, {p->rho, -1.0L, 0.0L}, {0.0L, 0.0L, -p->beta}};
    const LawNumber turning[3] = {0.0L, -place->v[0] * place->v[2], place->v[0] * place->v[1]};
    for (size_t i = 0; i < 3; ++i) {
        out[i] = turning[i];
        for (size_t j = 0; j < 3; ++j)
            out[i] += linear[i][j] * place->v[j];
    }
}

const Law law_lorenz = {
    .name = "lorenz",
    .provides = "jacobian slopes",
    .first_order = true,
    .dofs = 3,
    LAW_TABLE(lorenz_parameters),
    .start = "x0",
    .functions = {[LAW_ACCELERATION] = lorenz_rate},
};

// Robertson 1966, as reactions: A -> B at k1 A, B + B -> B + C at k2 B^2, B + C -> A + C at k3 B C.
typedef struct Robertson {
    LawNumber k1, k2, k3, clock, t0;
} Robertson;

static const LawParameter robertson_parameters[] = {
    LAW_ABOVE("k1", 0.04, "1/s", 0.0),        LAW_ABOVE("k2", 3e7, "1/s", 0.0), LAW_ABOVE("k3", 1e4, "1/s", 0.0),
    LAW_WORDS("clock", "linear logarithmic"), LAW_ABOVE("t0", 1e-6, "s", 0.0),
};

// All of it A.
LAW_FUNCTION(Robertson, robertson_start)
{
    for (size_t i = 0; i < 6; ++i)
        out[i] = i == 0 ? 1.0L : 0.0L;
}

LAW_FUNCTION(Robertson, robertson_rate)
{
    static const int stoichiometry[3][3] = {{-1, 0, 1}, {1, -1, -1}, {0, 1, 0}};
    const LawNumber  speed[3] = {p->k1 * place->v[0], p->k2 * place->v[1] * place->v[1],
                                 p->k3 * place->v[1] * place->v[2]};
    for (size_t i = 0; i < 3; ++i) {
        out[i] = 0.0L;
        for (size_t j = 0; j < 3; ++j)
            out[i] += stoichiometry[i][j] * speed[j];
        // The clock shows the logarithm of the seconds since t0: d(seconds)/dt = t0 e^t.
        if (p->clock == 1.0L)
            out[i] *= p->t0 * cexpl(place->t);
    }
}

LAW_FORMULA(void, robertson_sum, place->x[0] + place->x[1] + place->x[2])

const Law law_robertson = {
    .name = "robertson",
    .provides = "energy jacobian slopes gradients",
    .first_order = true,
    .dofs = 3,
    LAW_TABLE(robertson_parameters),
    .functions = {[LAW_START] = robertson_start,
                  [LAW_ACCELERATION] = robertson_rate,
                  [LAW_KINETIC] = no_kinetic,
                  [LAW_POTENTIAL] = robertson_sum},
};

// FitzHugh 1961: the membrane leaves its cubic nullcline, the recovery its straight one.
typedef struct Nerve {
    LawNumber eps, alpha, beta, current, start[2];
} Nerve;

static const LawParameter nerve_parameters[] = {
    LAW_ABOVE("eps", 0.08, "1", 0.0), LAW_FREE("alpha", 0.7, "1"), LAW_FROM("beta", 0.8, "1", 0.0),
    LAW_FREE("current", 0.5, "1"),    LAW_FREE("v0", -1.0, "1"),   LAW_FREE("w0", -0.5, "1"),
};

LAW_FUNCTION(Nerve, nerve_rate)
{
    const LawNumber v = place->v[0], w = place->v[1], cubic = p->current + v * (1.0L - v * v / 3.0L);
    out[0] = cubic - w;
    out[1] = p->eps * (p->alpha + v) - p->eps * p->beta * w;
}

const Law law_fitzhugh_nagumo = {
    .name = "fitzhugh_nagumo",
    .provides = "jacobian slow fast slopes gradients",
    .first_order = true,
    .dofs = 2,
    LAW_TABLE(nerve_parameters),
    .start = "v0",
    .functions =
        {[LAW_ACCELERATION] = nerve_rate, [LAW_FAST] = law_first_coordinate, [LAW_SLOW] = law_second_coordinate},
};
