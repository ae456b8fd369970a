// law_pendulums -- laws of pendulums: Newton's second law in the plane, with the pull of rods and springs.
#include "support/law.h"

static const long double half_turn = 3.14159265358979323846264338327950288L;

// A vector in the plane.
typedef struct LawVector {
    LawNumber x, y;
} LawVector;

static LawNumber dot(LawVector a, LawVector b)
{
    return a.x * b.x + a.y * b.y;
}

static LawNumber cross(LawVector a, LawVector b)
{
    return a.x * b.y - a.y * b.x;
}

static LawVector scaled(LawNumber by, LawVector a)
{
    return (LawVector){by * a.x, by * a.y};
}

static LawVector sum(LawVector a, LawVector b)
{
    return (LawVector){a.x + b.x, a.y + b.y};
}

// Wu 2018, problem 2, damped and driven.
typedef struct Pendulum {
    LawNumber g, zeta, x0, v0, forcing, force, force_omega;
} Pendulum;

static const LawParameter pendulum_parameters[] = {
    LAW_ABOVE("g", 1.0, "1/s2", 0.0),
    LAW_FROM("zeta", 0.0, "1/s", 0.0),
    LAW_FREE("x0", 1.0, "rad"),
    LAW_FREE("v0", 0.0, "rad/s"),
    LAW_WORDS("forcing", "none cosine"),
    LAW_FREE("force", 0.0, "1/s2"),
    LAW_FROM("force_omega", 1.0, "rad/s", 0.0),
};

LAW_FORMULA(Pendulum, pendulum_drive, p->forcing == 1.0L ? p->force * ccosl(p->force_omega * place->t) : 0.0L)

// The weight along the way of a bob on a rod of length 1, at (sin x, -cos x).
LAW_FUNCTION(Pendulum, pendulum_acceleration)
{
    const LawVector way = {ccosl(place->x[0]), csinl(place->x[0])};
    pendulum_drive(place, out);
    *out += dot((LawVector){0.0L, -p->g}, way) - 2.0L * p->zeta * place->v[0];
}

// The bob's height over its lowest place.
LAW_FORMULA(Pendulum, pendulum_potential, (1.0L - ccosl(place->x[0])) * p->g)

LAW_FORMULA(Pendulum, pendulum_dissipation, 2.0L * p->zeta * place->v[0] * place->v[0] / 2.0L)

// Legendre's integral of the first kind as a mean over equal angles, which for a periodic integrand converges faster
// than any power of their number.
static void pendulum_period(const LawPlace *place, LawNumber *out)
{
    enum { ANGLES = 400 };
    const Pendulum *p = (const void *)place->parameters;
    const LawNumber square = (p->v0 * p->v0 / 2.0L + p->g * (1.0L - ccosl(p->x0))) / (2.0L * p->g);
    LawNumber       mean = 0.0L;
    for (int i = 0; i < ANGLES; ++i)
        mean += 1.0L / csqrtl(1.0L - square * powl(sinl(half_turn * (i + 0.5L) / ANGLES), 2.0L)) / ANGLES;
    const bool swings = p->forcing == 0.0L && p->zeta == 0.0L && creall(square) < 1.0L;
    *out = swings ? 2.0L * half_turn / csqrtl(p->g) * mean : (LawNumber)NAN;
}

const Law law_pendulum = {
    .name = "pendulum",
    .provides = "energy kinetic potential jacobian period slow masses dissipation drive slopes gradients",
    .dofs = 1,
    LAW_TABLE(pendulum_parameters),
    .start = "x0",
    .functions = {[LAW_ACCELERATION] = pendulum_acceleration,
                  [LAW_KINETIC] = law_unit_kinetic,
                  [LAW_POTENTIAL] = pendulum_potential,
                  [LAW_DISSIPATION] = pendulum_dissipation,
                  [LAW_DRIVE] = pendulum_drive,
                  [LAW_MASSES] = law_unit_masses,
                  [LAW_SLOW] = law_first_coordinate,
                  [LAW_PERIOD] = pendulum_period},
};

// Landau and Lifshitz, Mechanics, section 5, problem 1, by the tensions of the two rods.
typedef struct Double {
    LawNumber l1, l2, m1, m2, g, th1, th2, w1, w2;
} Double;

static const LawParameter double_parameters[] = {
    LAW_ABOVE("l1", 1.0, "m", 0.0),  LAW_ABOVE("l2", 1.0, "m", 0.0), LAW_ABOVE("m1", 1.0, "kg", 0.0),
    LAW_ABOVE("m2", 1.0, "kg", 0.0), LAW_FREE("g", 9.81, "m/s2"),    LAW_FREE("th1", 1.0, "rad"),
    LAW_FREE("th2", 0.5, "rad"),     LAW_FREE("w1", 0.0, "rad/s"),   LAW_FREE("w2", 0.0, "rad/s"),
};

// Along a rod away from its upper end, and across it the way its angle grows.
static LawVector along(LawNumber angle)
{
    return (LawVector){csinl(angle), -ccosl(angle)};
}

static LawVector across(LawNumber angle)
{
    return (LawVector){ccosl(angle), csinl(angle)};
}

// A rod of length l keeps its ends apart: along it, the lower end is accelerated against the upper one by -l w^2. The
// two conditions give the tensions, and these the accelerations of the bobs.
LAW_FUNCTION(Double, double_acceleration)
{
    const LawVector rod1 = along(place->x[0]), rod2 = along(place->x[1]), weight = {0.0L, -p->g};
    const LawNumber turn1 = p->l1 * place->v[0] * place->v[0], turn2 = p->l2 * place->v[1] * place->v[1];
    const LawNumber c = dot(rod1, rod2), s = cross(rod1, rod2), pull1 = dot(weight, rod1) + turn1;
    const LawNumber tension2 = (c * pull1 + turn2) / (1.0L / p->m2 + s * s / p->m1);
    const LawNumber tension1 = p->m1 * pull1 + tension2 * c;
    const LawVector upper = sum(weight, sum(scaled(-tension1 / p->m1, rod1), scaled(tension2 / p->m1, rod2)));
    const LawVector lower = sum(weight, scaled(-tension2 / p->m2, rod2));
    out[0] = dot(upper, across(place->x[0])) / p->l1;
    out[1] = dot(sum(lower, scaled(-1.0L, upper)), across(place->x[1])) / p->l2;
}

LAW_FUNCTION(Double, double_kinetic)
{
    const LawVector upper = scaled(p->l1 * place->v[0], across(place->x[0]));
    const LawVector lower = sum(upper, scaled(p->l2 * place->v[1], across(place->x[1])));
    *out = p->m1 / 2.0L * dot(upper, upper) + p->m2 / 2.0L * dot(lower, lower);
}

// Each bob's weight times its height over its lowest place.
LAW_FUNCTION(Double, double_potential)
{
    const LawVector upper = scaled(p->l1, along(place->x[0])), lower = sum(upper, scaled(p->l2, along(place->x[1])));
    *out = p->m1 * p->g * (upper.y + p->l1) + p->m2 * p->g * (lower.y + p->l1 + p->l2);
}

const Law law_double_pendulum = {
    .name = "double_pendulum",
    .provides = "energy kinetic potential jacobian slow slopes gradients",
    .dofs = 2,
    LAW_TABLE(double_parameters),
    .start = "th1",
    .functions = {[LAW_ACCELERATION] = double_acceleration,
                  [LAW_KINETIC] = double_kinetic,
                  [LAW_POTENTIAL] = double_potential,
                  [LAW_SLOW] = law_first_coordinate},
};

// Wu 2018, problems 3 and 4: a bob of mass 1 on a spring of rest length 1 and stiffness 1/eps^2.
typedef struct Elastic {
    LawNumber eps, k, g, variant, gravity;
} Elastic;

static const LawParameter elastic_parameters[] = {
    LAW_ABOVE("eps", 0.01, "s", 0.0),    LAW_FREE("k", 1.0, "1"),
    LAW_FREE("g", 1.0, "m/s2"),          LAW_WORDS("variant", "right printed"),
    LAW_WORDS("gravity", "e1 minus_e2"),
};

static LawVector elastic_down(const Elastic *p)
{
    return p->gravity == 0.0L ? (LawVector){1.0L, 0.0L} : (LawVector){0.0L, -1.0L};
}

static LawVector elastic_force(const Elastic *p, LawVector q)
{
    const LawNumber stiffness = 1.0L / (p->eps * p->eps), r = csqrtl(dot(q, q));
    return sum(scaled(-stiffness * (1.0L - 1.0L / r), q), scaled(p->g, elastic_down(p)));
}

// r, th and their rates as a place and a velocity in the plane, and back.
static void to_plane(LawNumber r, LawNumber th, LawNumber r_rate, LawNumber th_rate, LawVector *q, LawVector *u)
{
    const LawVector out = {ccosl(th), csinl(th)}, side = {-csinl(th), ccosl(th)};
    *q = scaled(r, out);
    *u = sum(scaled(r_rate, out), scaled(r * th_rate, side));
}

// Section 2.5.3: the spring k eps longer than at rest, at 45 degrees, r' = 1/sqrt 2, th' = -1/sqrt 2.
LAW_FUNCTION(Elastic, polar_start)
{
    out[0] = 1.0L + p->k * p->eps;
    out[1] = atan2l(1.0L, 1.0L);
    out[2] = sqrtl(0.5L);
    out[3] = -sqrtl(0.5L);
}

static void plane_start(const LawPlace *place, LawNumber *out)
{
    LawNumber polar[4];
    LawVector q, u;
    polar_start(place, polar);
    to_plane(polar[0], polar[1], polar[2], polar[3], &q, &u);
    out[0] = q.x;
    out[1] = q.y;
    out[2] = u.x;
    out[3] = u.y;
}

// Eq. 16 as printed, its eps^2 read as eps^-2. Where gravity is along -e_2 the angle from it is th + pi/2.
LAW_FUNCTION(Elastic, plane_acceleration)
{
    const LawVector q = {place->x[0], place->x[1]};
    const LawNumber r = csqrtl(dot(q, q)), stretch = (r - 1.0L) / (p->eps * p->eps);
    const LawVector grad_r = scaled(1.0L / r, q), grad_th = scaled(1.0L / (r * r), (LawVector){q.y, q.x});
    const LawNumber cosine = p->gravity == 0.0L ? q.x / r : -q.y / r, sine = p->gravity == 0.0L ? q.y / r : q.x / r;
    const LawVector printed = sum(scaled(-stretch - p->g * cosine, grad_r), scaled(p->g * r * sine, grad_th));
    const LawVector a = p->variant == 0.0L ? elastic_force(p, q) : printed;
    out[0] = a.x;
    out[1] = a.y;
}

// From r^2 = q.q and r^2 th' = q x q', differentiated; or eq. 15 as printed.
LAW_FUNCTION(Elastic, polar_acceleration)
{
    const LawNumber r = place->x[0], th = place->x[1], r_rate = place->v[0], th_rate = place->v[1];
    const LawNumber from_rest = p->gravity == 0.0L ? th : th + half_turn / 2.0L;
    LawVector       q, u;
    to_plane(r, th, r_rate, th_rate, &q, &u);
    const LawVector force = elastic_force(p, q);
    out[0] = (dot(q, force) + dot(u, u) - r_rate * r_rate) / r;
    out[1] = (cross(q, force) - 2.0L * r * r_rate * th_rate) / (r * r);
    if (p->variant == 0.0L)
        return;
    out[0] = -(r - 1.0L) / (p->eps * p->eps) + th * th / law_power(r, 3) + p->g * ccosl(from_rest);
    out[1] = -p->g / r * csinl(from_rest);
}

static void polar_kinetic(const LawPlace *place, LawNumber *out)
{
    LawVector q, u;
    to_plane(place->x[0], place->x[1], place->v[0], place->v[1], &q, &u);
    *out = dot(u, u) / 2.0L;
}

static LawNumber elastic_potential(const Elastic *p, LawVector q)
{
    return law_power(csqrtl(dot(q, q)) - 1.0L, 2) / (p->eps * p->eps) / 2.0L - p->g * dot(elastic_down(p), q);
}

LAW_FORMULA(Elastic, plane_potential, elastic_potential(p, (LawVector){place->x[0], place->x[1]}))

LAW_FUNCTION(Elastic, polar_potential)
{
    LawVector q, u;
    to_plane(place->x[0], place->x[1], 0.0L, 0.0L, &q, &u);
    *out = elastic_potential(p, q);
}

LAW_FORMULA(void, plane_fast, csqrtl(place->x[0] * place->x[0] + place->x[1] * place->x[1]) - 1.0L)

LAW_FORMULA(void, polar_fast, place->x[0] - 1.0L)

// The angle from e_1, whose differential is (x dy - y dx)/r^2.
static void plane_slow(const LawPlace *place, LawNumber *out)
{
    const long double x = creall(place->x[0]), y = creall(place->x[1]);
    *out = atan2l(y, x) + I * (x * cimagl(place->x[1]) - y * cimagl(place->x[0])) / (x * x + y * y);
}

// A rod in the spring's place, with the angle and the rate of the start.
static void limit_start(const LawPlace *place, LawNumber *out)
{
    LawNumber polar[4];
    polar_start(place, polar);
    out[0] = polar[1];
    out[1] = polar[3];
}

LAW_FUNCTION(Elastic, limit_acceleration)
{
    const LawVector side = {-csinl(place->x[0]), ccosl(place->x[0])};
    *out = p->g * dot(elastic_down(p), side);
}

const Law law_elastic_pendulum_cartesian = {
    .name = "elastic_pendulum_cartesian",
    .provides = "energy kinetic potential jacobian fast slow masses limit slopes gradients",
    .dofs = 2,
    LAW_TABLE(elastic_parameters),
    .functions = {[LAW_START] = plane_start,
                  [LAW_ACCELERATION] = plane_acceleration,
                  [LAW_KINETIC] = law_unit_kinetic,
                  [LAW_POTENTIAL] = plane_potential,
                  [LAW_MASSES] = law_unit_masses,
                  [LAW_FAST] = plane_fast,
                  [LAW_SLOW] = plane_slow,
                  [LAW_LIMIT_START] = limit_start,
                  [LAW_LIMIT_ACCELERATION] = limit_acceleration},
};

const Law law_elastic_pendulum_polar = {
    .name = "elastic_pendulum_polar",
    .provides = "energy kinetic potential jacobian fast slow limit slopes gradients",
    .dofs = 2,
    LAW_TABLE(elastic_parameters),
    .functions = {[LAW_START] = polar_start,
                  [LAW_ACCELERATION] = polar_acceleration,
                  [LAW_KINETIC] = polar_kinetic,
                  [LAW_POTENTIAL] = polar_potential,
                  [LAW_FAST] = polar_fast,
                  [LAW_SLOW] = law_second_coordinate,
                  [LAW_LIMIT_START] = limit_start,
                  [LAW_LIMIT_ACCELERATION] = limit_acceleration},
};
