// law_oscillators -- laws of springs in one dimension: oscillators of Wu, Fang, Duffing, van der Pol, and the chain.
#include "support/law.h"

static void first_coordinate(const LawPlace *place, LawNumber *out)
{
    *out = place->x[0];
}

static void second_coordinate(const LawPlace *place, LawNumber *out)
{
    *out = place->x[1];
}

static void unit_mass(const LawPlace *place, LawNumber *out)
{
    (void)place;
    *out = 1.0L;
}

static void unit_kinetic(const LawPlace *place, LawNumber *out)
{
    *out = place->v[0] * place->v[0] / 2.0L;
}

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

static void harmonic_start(const LawPlace *place, LawNumber *out)
{
    const Harmonic *p = (const void *)place->parameters;
    out[0] = p->x0;
    out[1] = p->v0;
}

static void harmonic_drive(const LawPlace *place, LawNumber *out)
{
    const Harmonic *p = (const void *)place->parameters;
    *out = p->forcing == 1.0L ? p->force * ccosl(p->force_omega * place->t) : 0.0L;
}

static void harmonic_acceleration(const LawPlace *place, LawNumber *out)
{
    const Harmonic *p = (const void *)place->parameters;
    harmonic_drive(place, out);
    *out -= 2.0L * p->zeta * p->omega * place->v[0] + p->omega * p->omega * place->x[0];
}

static void harmonic_potential(const LawPlace *place, LawNumber *out)
{
    const Harmonic *p = (const void *)place->parameters;
    *out = law_power(p->omega * place->x[0], 2) / 2.0L;
}

// Half the power that the damping takes, 2 zeta omega v times v.
static void harmonic_dissipation(const LawPlace *place, LawNumber *out)
{
    const Harmonic *p = (const void *)place->parameters;
    *out = (2.0L * p->zeta * p->omega * place->v[0]) * place->v[0] / 2.0L;
}

// From the roots of the characteristic equation, -zeta omega +- i w.
static void harmonic_period(const LawPlace *place, LawNumber *out)
{
    const Harmonic *p = (const void *)place->parameters;
    const LawNumber square = p->omega * p->omega - law_power(p->zeta * p->omega, 2);
    const bool      turns = p->forcing == 0.0L && creall(p->zeta) < 1.0L;
    *out = turns ? 2.0L * acosl(-1.0L) / csqrtl(square) : (LawNumber)NAN;
}

const Law law_harmonic_oscillator = {
    .name = "harmonic_oscillator",
    .provides = "energy kinetic potential jacobian exact period slow masses dissipation drive",
    .dofs = 1,
    .parameters = harmonic_parameters,
    .parameter_count = sizeof harmonic_parameters / sizeof *harmonic_parameters,
    .functions = {[LAW_START] = harmonic_start,
                  [LAW_ACCELERATION] = harmonic_acceleration,
                  [LAW_KINETIC] = unit_kinetic,
                  [LAW_POTENTIAL] = harmonic_potential,
                  [LAW_DISSIPATION] = harmonic_dissipation,
                  [LAW_DRIVE] = harmonic_drive,
                  [LAW_MASSES] = unit_mass,
                  [LAW_SLOW] = first_coordinate,
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

static void modal_start(const LawPlace *place, LawNumber *out)
{
    const Modal *p = (const void *)place->parameters;
    for (int i = 0; i < 2; ++i) {
        out[i] = p->x0[i];
        out[2 + i] = p->v0[i];
    }
}

// What dashpots hold against the velocities: D, and a share of each of the other matrices.
static LawNumber modal_drag(const LawPlace *place, int i)
{
    const Modal *p = (const void *)place->parameters;
    return p->d[i] * place->v[i] + p->r_m * (p->m[i] * place->v[i]) + p->r_k * (p->k[i] * place->v[i]);
}

static void modal_acceleration(const LawPlace *place, LawNumber *out)
{
    const Modal *p = (const void *)place->parameters;
    for (int i = 0; i < 2; ++i)
        out[i] = -modal_drag(place, i) / p->m[i] - p->k[i] / p->m[i] * place->x[i];
}

static void modal_kinetic(const LawPlace *place, LawNumber *out)
{
    const Modal *p = (const void *)place->parameters;
    *out = 0.0L;
    for (int i = 0; i < 2; ++i)
        *out += p->m[i] * place->v[i] * place->v[i] / 2.0L;
}

static void modal_potential(const LawPlace *place, LawNumber *out)
{
    const Modal *p = (const void *)place->parameters;
    *out = 0.0L;
    for (int i = 0; i < 2; ++i)
        *out += p->k[i] * place->x[i] * place->x[i] / 2.0L;
}

static void modal_dissipation(const LawPlace *place, LawNumber *out)
{
    *out = (modal_drag(place, 0) * place->v[0] + modal_drag(place, 1) * place->v[1]) / 2.0L;
}

static void modal_masses(const LawPlace *place, LawNumber *out)
{
    const Modal *p = (const void *)place->parameters;
    out[0] = p->m[0];
    out[1] = p->m[1];
}

const Law law_modal_oscillators = {
    .name = "modal_oscillators",
    .provides = "energy kinetic potential jacobian fast slow exact masses dissipation",
    .dofs = 2,
    .parameters = modal_parameters,
    .parameter_count = sizeof modal_parameters / sizeof *modal_parameters,
    .functions = {[LAW_START] = modal_start,
                  [LAW_ACCELERATION] = modal_acceleration,
                  [LAW_KINETIC] = modal_kinetic,
                  [LAW_POTENTIAL] = modal_potential,
                  [LAW_DISSIPATION] = modal_dissipation,
                  [LAW_MASSES] = modal_masses,
                  [LAW_FAST] = second_coordinate,
                  [LAW_SLOW] = first_coordinate},
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

static void duffing_start(const LawPlace *place, LawNumber *out)
{
    const Duffing *p = (const void *)place->parameters;
    out[0] = p->x0;
    out[1] = p->v0;
}

static void duffing_drive(const LawPlace *place, LawNumber *out)
{
    const Duffing *p = (const void *)place->parameters;
    *out = p->force * ccosl(p->force_omega * place->t);
}

static void duffing_acceleration(const LawPlace *place, LawNumber *out)
{
    const Duffing *p = (const void *)place->parameters;
    duffing_drive(place, out);
    *out -= p->delta * place->v[0] + p->alpha * place->x[0] + p->beta * law_power(place->x[0], 3);
}

static void duffing_potential(const LawPlace *place, LawNumber *out)
{
    const Duffing *p = (const void *)place->parameters;
    *out = p->alpha * law_power(place->x[0], 2) / 2.0L + p->beta * law_power(place->x[0], 4) / 4.0L;
}

static void duffing_dissipation(const LawPlace *place, LawNumber *out)
{
    const Duffing *p = (const void *)place->parameters;
    *out = p->delta * place->v[0] * place->v[0] / 2.0L;
}

const Law law_duffing = {
    .name = "duffing",
    .provides = "energy kinetic potential jacobian masses dissipation drive slow",
    .dofs = 1,
    .parameters = duffing_parameters,
    .parameter_count = sizeof duffing_parameters / sizeof *duffing_parameters,
    .functions = {[LAW_START] = duffing_start,
                  [LAW_ACCELERATION] = duffing_acceleration,
                  [LAW_KINETIC] = unit_kinetic,
                  [LAW_POTENTIAL] = duffing_potential,
                  [LAW_DISSIPATION] = duffing_dissipation,
                  [LAW_DRIVE] = duffing_drive,
                  [LAW_MASSES] = unit_mass,
                  [LAW_SLOW] = first_coordinate},
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

static void van_der_pol_start(const LawPlace *place, LawNumber *out)
{
    const VanDerPol *p = (const void *)place->parameters;
    out[0] = p->x0;
    out[1] = p->v0;
}

static void van_der_pol_acceleration(const LawPlace *place, LawNumber *out)
{
    const VanDerPol *p = (const void *)place->parameters;
    const LawNumber  x = place->x[0], v = place->v[0];
    *out = -x + p->mu * v - p->mu * x * x * v;
}

static void van_der_pol_potential(const LawPlace *place, LawNumber *out)
{
    *out = place->x[0] * place->x[0] / 2.0L;
}

const Law law_van_der_pol = {
    .name = "van_der_pol",
    .provides = "energy kinetic jacobian slow",
    .dofs = 1,
    .parameters = van_der_pol_parameters,
    .parameter_count = sizeof van_der_pol_parameters / sizeof *van_der_pol_parameters,
    .functions = {[LAW_START] = van_der_pol_start,
                  [LAW_ACCELERATION] = van_der_pol_acceleration,
                  [LAW_KINETIC] = unit_kinetic,
                  [LAW_POTENTIAL] = van_der_pol_potential,
                  [LAW_SLOW] = first_coordinate},
};
