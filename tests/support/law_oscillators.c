// law_oscillators -- laws of springs in one dimension: oscillators of Wu, Fang, Duffing, van der Pol, and the chain.
#include "support/law.h"

// Fang 2018, eq. 1; Wu 2018, problem 1 with omega 1, zeta 0, x0 1.
typedef struct Harmonic {
    LawNumber omega, zeta, x0, v0, forcing, force, force_omega;
} Harmonic;

static const LawParameter harmonic_parameters[] = {
    LAW_ABOVE("omega", 1.0, "rad/s", 0.0),
    LAW_FROM("zeta", 0.0, "1", 0.0),
    LAW_FREE("x0", 1.0, "m"),
    LAW_FREE("v0", 0.0, "m/s"),
    LAW_WORDS("forcing", "none cosine"),
    LAW_FREE("force", 0.0, "m/s2"),
    LAW_FROM("force_omega", 1.0, "rad/s", 0.0),
};

LAW_FORMULA(Harmonic, harmonic_drive, p->forcing == 1.0L ? p->force * ccosl(p->force_omega * place->t) : 0.0L)

LAW_FUNCTION(Harmonic, harmonic_acceleration)
{
    harmonic_drive(place, out);
    *out -= 2.0L * p->zeta * p->omega * place->v[0] + p->omega * p->omega * place->x[0];
}

LAW_FORMULA(Harmonic, harmonic_potential, law_power(p->omega * place->x[0], 2) / 2.0L)

// Half the power that the damping takes, 2 zeta omega v times v.
LAW_FORMULA(Harmonic, harmonic_dissipation, (2.0L * p->zeta * p->omega * place->v[0]) * place->v[0] / 2.0L)

// From the roots of the characteristic equation, -zeta omega +- i w.
LAW_FUNCTION(Harmonic, harmonic_period)
{
    const LawNumber square = p->omega * p->omega - law_power(p->zeta * p->omega, 2);
    const bool      turns = p->forcing == 0.0L && creall(p->zeta) < 1.0L;
    *out = turns ? 2.0L * acosl(-1.0L) / csqrtl(square) : (LawNumber)NAN;
}

const Law law_harmonic_oscillator = {
    .name = "harmonic_oscillator",
    .provides = "energy kinetic potential jacobian exact period slow masses dissipation drive slopes gradients",
    .dofs = 1,
    LAW_TABLE(harmonic_parameters),
    .start = "x0",
    .functions = {[LAW_ACCELERATION] = harmonic_acceleration,
                  [LAW_KINETIC] = law_unit_kinetic,
                  [LAW_POTENTIAL] = harmonic_potential,
                  [LAW_DISSIPATION] = harmonic_dissipation,
                  [LAW_DRIVE] = harmonic_drive,
                  [LAW_MASSES] = law_unit_masses,
                  [LAW_SLOW] = law_first_coordinate,
                  [LAW_PERIOD] = harmonic_period},
};

// Wu 2018, section 3.1, with Rayleigh damping: matrices that are diagonal, written as vectors.
typedef struct Modal {
    LawNumber m[2], d[2], k[2], r_m, r_k, x0[2], v0[2];
} Modal;

static const LawParameter modal_parameters[] = {
    LAW_ABOVE("m1", 1.0, "kg", 0.0),  LAW_ABOVE("m2", 1.0, "kg", 0.0), LAW_FROM("d1", 0.0, "kg/s", 0.0),
    LAW_FROM("d2", 0.0, "kg/s", 0.0), LAW_FROM("k1", 1.0, "N/m", 0.0), LAW_FROM("k2", 100.0, "N/m", 0.0),
    LAW_FROM("r_m", 0.0, "1/s", 0.0), LAW_FROM("r_k", 0.0, "s", 0.0),  LAW_FREE("x01", 1.0, "m"),
    LAW_FREE("x02", 1.0, "m"),        LAW_FREE("v01", 0.0, "m/s"),     LAW_FREE("v02", 0.0, "m/s"),
};

// What dashpots hold against the velocities: D, and a share of each of the other matrices.
static LawNumber modal_drag(const LawPlace *place, int i)
{
    const Modal *p = (const void *)place->parameters;
    return p->d[i] * place->v[i] + p->r_m * (p->m[i] * place->v[i]) + p->r_k * (p->k[i] * place->v[i]);
}

LAW_FUNCTION(Modal, modal_acceleration)
{
    for (int i = 0; i < 2; ++i)
        out[i] = -modal_drag(place, i) / p->m[i] - p->k[i] / p->m[i] * place->x[i];
}

LAW_FUNCTION(Modal, modal_kinetic)
{
    *out = 0.0L;
    for (int i = 0; i < 2; ++i)
        *out += p->m[i] * place->v[i] * place->v[i] / 2.0L;
}

LAW_FUNCTION(Modal, modal_potential)
{
    *out = 0.0L;
    for (int i = 0; i < 2; ++i)
        *out += p->k[i] * place->x[i] * place->x[i] / 2.0L;
}

LAW_FORMULA(void, modal_dissipation, (modal_drag(place, 0) * place->v[0] + modal_drag(place, 1) * place->v[1]) / 2.0L)

LAW_FUNCTION(Modal, modal_masses)
{
    out[0] = p->m[0];
    out[1] = p->m[1];
}

const Law law_modal_oscillators = {
    .name = "modal_oscillators",
    .provides = "energy kinetic potential jacobian fast slow exact masses dissipation slopes gradients",
    .dofs = 2,
    LAW_TABLE(modal_parameters),
    .start = "x01",
    .functions = {[LAW_ACCELERATION] = modal_acceleration,
                  [LAW_KINETIC] = modal_kinetic,
                  [LAW_POTENTIAL] = modal_potential,
                  [LAW_DISSIPATION] = modal_dissipation,
                  [LAW_MASSES] = modal_masses,
                  [LAW_FAST] = law_second_coordinate,
                  [LAW_SLOW] = law_first_coordinate},
};

// Guckenheimer and Holmes 1983, eq. 2.2.1 with every coefficient free: x'' + delta x' + alpha x + beta x^3 = force cos
// W t.
typedef struct Duffing {
    LawNumber delta, alpha, beta, force, force_omega, x0, v0;
} Duffing;

static const LawParameter duffing_parameters[] = {
    LAW_FROM("delta", 0.3, "1/s", 0.0),
    LAW_FREE("alpha", -1.0, "1/s2"),
    LAW_FREE("beta", 1.0, "1/(m2 s2)"),
    LAW_FREE("force", 0.2, "m/s2"),
    LAW_FROM("force_omega", 1.2, "rad/s", 0.0),
    LAW_FREE("x0", 1.2, "m"),
    LAW_FREE("v0", 0.0, "m/s"),
};

LAW_FORMULA(Duffing, duffing_drive, ccosl(p->force_omega * place->t) * p->force)

LAW_FUNCTION(Duffing, duffing_acceleration)
{
    duffing_drive(place, out);
    *out -= p->delta * place->v[0] + p->alpha * place->x[0] + p->beta * law_power(place->x[0], 3);
}

LAW_FORMULA(Duffing, duffing_potential,
            0.5L * p->alpha * law_power(place->x[0], 2) + 0.25L * p->beta * law_power(place->x[0], 4))

LAW_FORMULA(Duffing, duffing_dissipation, p->delta * place->v[0] * place->v[0] / 2.0L)

const Law law_duffing = {
    .name = "duffing",
    .provides = "energy kinetic potential jacobian masses dissipation drive slow slopes gradients",
    .dofs = 1,
    LAW_TABLE(duffing_parameters),
    .start = "x0",
    .functions = {[LAW_ACCELERATION] = duffing_acceleration,
                  [LAW_KINETIC] = law_unit_kinetic,
                  [LAW_POTENTIAL] = duffing_potential,
                  [LAW_DISSIPATION] = duffing_dissipation,
                  [LAW_DRIVE] = duffing_drive,
                  [LAW_MASSES] = law_unit_masses,
                  [LAW_SLOW] = law_first_coordinate},
};

// Guckenheimer and Holmes 1983, section 2.1: x'' - mu (1 - x^2) x' + x = 0. The potential is the linear spring's.
typedef struct VanDerPol {
    LawNumber mu, x0, v0;
} VanDerPol;

static const LawParameter van_der_pol_parameters[] = {
    LAW_FROM("mu", 1.0, "1/s", 0.0),
    LAW_FREE("x0", 2.0, "1"),
    LAW_FREE("v0", 0.0, "1/s"),
};

LAW_FUNCTION(VanDerPol, van_der_pol_acceleration)
{
    const LawNumber x = place->x[0], v = place->v[0];
    *out = -x + p->mu * v - p->mu * x * x * v;
}

LAW_FORMULA(void, van_der_pol_potential, place->x[0] * place->x[0] / 2.0L)

const Law law_van_der_pol = {
    .name = "van_der_pol",
    .provides = "energy kinetic jacobian slow slopes gradients",
    .dofs = 1,
    LAW_TABLE(van_der_pol_parameters),
    .start = "x0",
    .functions = {[LAW_ACCELERATION] = van_der_pol_acceleration,
                  [LAW_KINETIC] = law_unit_kinetic,
                  [LAW_POTENTIAL] = van_der_pol_potential,
                  [LAW_SLOW] = law_first_coordinate},
};
