// law_contacts -- laws of barrier and friction, as in Incremental Potential Contact (Li et al. 2020).
#include "support/law.h"

typedef struct Barrier {
    LawNumber kappa, d_hat, g, mass, x0, v0;
} Barrier;

static const LawParameter barrier_parameters[] = {
    LAW_ABOVE("kappa", 1000.0, "N/m", 0.0), LAW_ABOVE("d_hat", 0.1, "m", 0.0), LAW_FREE("g", 9.81, "m/s2"),
    LAW_ABOVE("mass", 1.0, "kg", 0.0),      LAW_ABOVE("x0", 1.0, "m", 0.0),    LAW_FREE("v0", 0.0, "m/s"),
};

// Eq. 6 of the paper, b = -(d - d^)^2 ln(d/d^) below d^, and its derivative (d^ - d) (2 ln(d/d^) - d^/d + 1).
LAW_FUNCTION(Barrier, barrier_acceleration)
{
    const LawNumber d = place->x[0], slope = (p->d_hat - d) * (2.0L * clogl(d / p->d_hat) - p->d_hat / d + 1.0L);
    *out = -p->g - (creall(d) < creall(p->d_hat) ? p->kappa * slope / p->mass : 0.0L);
}

LAW_FORMULA(Barrier, barrier_kinetic, 0.5L * p->mass * place->v[0] * place->v[0])

LAW_FUNCTION(Barrier, barrier_potential)
{
    const LawNumber d = place->x[0], b = -law_power(d - p->d_hat, 2) * clogl(d / p->d_hat);
    *out = p->mass * p->g * d + (creall(d) < creall(p->d_hat) ? p->kappa * b : 0.0L);
}

LAW_FORMULA(Barrier, barrier_masses, p->mass)

const Law law_barrier_particle = {
    .name = "barrier_particle",
    .provides = "energy kinetic potential jacobian masses slopes gradients",
    .dofs = 1,
    LAW_TABLE(barrier_parameters),
    .start = "x0",
    .functions = {[LAW_ACCELERATION] = barrier_acceleration,
                  [LAW_KINETIC] = barrier_kinetic,
                  [LAW_POTENTIAL] = barrier_potential,
                  [LAW_MASSES] = barrier_masses},
};

typedef struct Friction {
    LawNumber mu, v_smooth, phi, g, mass, x0, v0;
} Friction;

static const LawParameter friction_parameters[] = {
    LAW_FROM("mu", 0.5, "1", 0.0),
    LAW_ABOVE("v_smooth", 0.1, "m/s", 0.0),
    {.name = "phi",
     .unit = "rad",
     .initial = 0.3,
     .least = -M_PI_2,
     .least_open = true,
     .most = M_PI_2,
     .most_open = true},
    LAW_FROM("g", 9.81, "m/s2", 0.0),
    LAW_ABOVE("mass", 1.0, "kg", 0.0),
    LAW_FREE("x0", 0.0, "m"),
    LAW_FREE("v0", 1.0, "m/s"),
};

// What presses the block to the incline, times the coefficient.
static LawNumber friction_limit(const LawPlace *place)
{
    const Friction *p = (const void *)place->parameters;
    return p->mu * p->mass * p->g * ccosl(p->phi);
}

// The paper's f1(y) = -y^2/e^2 + 2 y/e below e and 1 beyond, against the motion.
LAW_FUNCTION(Friction, friction_acceleration)
{
    const int       way = creall(place->v[0]) < 0.0L ? -1 : 1;
    const LawNumber y = way * place->v[0], e = p->v_smooth;
    const LawNumber f1 = creall(y) < creall(e) ? -y * y / (e * e) + 2.0L * y / e : 1.0L;
    *out = (p->mass * p->g * csinl(p->phi) - way * friction_limit(place) * f1) / p->mass;
}

LAW_FORMULA(Friction, friction_kinetic, 0.5L * p->mass * place->v[0] * place->v[0])

// The way is downhill: the block is x sin(phi) lower than at 0.
LAW_FORMULA(Friction, friction_potential, -(p->mass * p->g) * (place->x[0] * csinl(p->phi)))

// The paper's f0(y) = -y^3/(3 e^2) + y^2/e + e/3 below e and y beyond.
LAW_FUNCTION(Friction, friction_dissipation)
{
    const LawNumber y = creall(place->v[0]) < 0.0L ? -place->v[0] : place->v[0], e = p->v_smooth;
    const LawNumber f0 = -y * y * y / (3.0L * e * e) + y * y / e + e / 3.0L;
    *out = friction_limit(place) * (creall(y) < creall(e) ? f0 : y);
}

LAW_FORMULA(Friction, friction_masses, p->mass)

const Law law_friction_block = {
    .name = "friction_block",
    .provides = "energy kinetic potential jacobian masses dissipation slopes gradients",
    .dofs = 1,
    LAW_TABLE(friction_parameters),
    .start = "x0",
    .functions = {[LAW_ACCELERATION] = friction_acceleration,
                  [LAW_KINETIC] = friction_kinetic,
                  [LAW_POTENTIAL] = friction_potential,
                  [LAW_DISSIPATION] = friction_dissipation,
                  [LAW_MASSES] = friction_masses},
};
