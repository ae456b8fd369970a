// laws -- relations that must hold between the functions of a problem's file, wherever they are checked.
//
// The table behind the formulas has an entry for each law. Functions are the file's own in long double, so that
// rounding, of 2^-64, is far below every bound. A derivative is taken by differences (slope.h), and permitted is 16
// times its estimated error, plus 2^-40 of the largest term of the equation: a literal of the file that is rounded to
// double is 2^-53 off, and 2^13 operations may gather that.
#include "analysis/check/lines.h"
#include "analysis/check/places.h"
#include "analysis/check/slope.h"
#include "analysis/conform/points/flow.h"
#include "base/scoped.h"
#include "catalog/problem_c.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const long double rounding = 0x1p-40L, margin = 16.0L;

enum { MOST_TURNS = 2000, MOST_NEEDS = 3 };

// The two sides of an equation, and how far they may be apart; nothing is judged where the last two are not finite.
typedef struct LawSides {
    long double said, expected, bound;
} LawSides;

// How often a law was judged, and the place where it is hurt most.
typedef struct LawVerdict {
    size_t      judged, wrong, others;  // others: hurt where a choice is not the default
    LawSides    sides;
    long double ratio;
    size_t      row, column;
    Text        at;
} LawVerdict;

typedef struct Laws {
    Check      *check;
    Exact       exact;
    CheckPlaces places;
    int         which;     // of several numbers that a formula gives: the law's
    LawVerdict *verdicts;  // one for each law
    bool        damped;    // the energy changes where neither `dissipation` nor `drive` says why
    size_t      unjudged;
    // Of matrices, with rows of n: a law's sides; the matrices that the file gives; derivatives, [2 n][n].
    LawSides    *sides;
    long double *said[2];
    Derivative  *slopes;
    long double *by[2];  // [parameters][n] what slopes() gives, or start_slopes() of x and of v
} Laws;

// Writes the sides at a place.
typedef void LawFormula(Laws *laws, const CheckPlace *place, LawSides *sides);

typedef enum LawShape { NUMBER, VECTOR, TWO_VECTORS, MATRIX, BY_PARAMETERS } LawShape;
typedef enum LawPlace { AT_STATES, AT_REST, AT_START, ON_EXACT } LawPlace;

typedef enum LawFlag {
    FIRST_ORDER = 1,
    SECOND_ORDER = 2,  // the problem has to be of this order
    LENIENT = 4,       // another choice than the default may mean an equation that is wrong on purpose
    YIELDS = 8         // nothing is said of it where the law before it is hurt
} LawFlag;

// An entry of the table, in the order of LAW().
typedef struct Law {
    const char *function;  // whose line a finding has; where the file does not define it, the motion's
    const char *name;      // of the quantity that is checked
    const char *other;     // of the quantity it must equal; NULL: it must be finite
    const char *remedy;
    LawFormula *formula;
    int         which;
    LawShape    shape;
    LawPlace    where;
    unsigned    flags;
    const char *needs[MOST_NEEDS];  // names that the card has to provide
} Law;

enum { BY_X, BY_V, FAST, SLOW, ENERGY, LIMIT_START, LIMIT_ACCELERATION };

static long double rate_of(const Laws *laws)
{
    return places_rate(&laws->places);
}

static Derivative differentiate(const Laws *laws, const CheckPlace *place, PlaceOf of, bool by_v, size_t component)
{
    const PlaceFunction function = {&laws->places, place, component, by_v, of, false};
    Derivative          slope[SLOPE_ROWS];
    slope_find(places_ask, &function, 1, laws->places.size[by_v][component], slope);
    return slope[0];
}

static void jacobian(Laws *laws, const CheckPlace *place, LawSides *sides)
{
    const CheckPlaces *places = &laws->places;
    const size_t       n = places->n;
    const bool         by_v = laws->which == BY_V;
    long double        largest[PLACES_DOFS] = {0};
    for (size_t i = 0; i < n * n; ++i)
        laws->said[0][i] = laws->said[1][i] = NAN;
    laws->exact.jacobian(place->t, place->x, place->v, places->params, laws->said[0], laws->said[1]);
    for (size_t j = 0; j < 2 * n; ++j) {
        const PlaceFunction function = {places, place, j % n, j >= n, OF_ACCELERATION, false};
        slope_find(places_ask, &function, n, places->size[j >= n][j % n], &laws->slopes[j * n]);
        for (size_t i = 0; i < n; ++i)
            largest[i] = fmaxl(largest[i], fabsl(laws->slopes[j * n + i].value));
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            const Derivative *slope = &laws->slopes[(by_v ? n + j : j) * n + i];
            sides[i * n + j] =
                (LawSides){laws->said[by_v][i * n + j], slope->value, margin * slope->error + rounding * largest[i]};
        }
}

// The derivatives by parameters, of the acceleration or of the start; whole numbers and choices have none.
//   said  [parameters that are numbers][n]
//   size  [n] of the numbers
static void compare_slopes(const Laws *laws, const CheckPlace *place, PlaceOf of, const long double *said,
                           const long double *size, LawSides *sides)
{
    const CheckPlaces *places = &laws->places;
    const Card        *card = places->card;
    const size_t       n = places->n, first = laws->which == BY_V ? n : 0;
    long double        sizes[2 * PLACES_DOFS];
    for (size_t i = 0; i < 2 * n; ++i)
        sizes[i] = of == OF_START ? places->size[i >= n][i % n] : size[i % n];
    for (size_t k = 0; k < card->parameter_count; ++k) {
        const PlaceFunction function = {places, place, k, false, of, true};
        const size_t        rows = of == OF_START && !card->first_order ? 2 * n : n;
        Derivative          slopes[SLOPE_ROWS];
        if (card->parameters[k].choices || card->parameters[k].whole)
            continue;
        const long double scale = places_scale(&function, places->values[k], rows, sizes);
        slope_find(places_ask, &function, rows, scale, slopes);
        for (size_t i = 0; i < n; ++i) {
            const Derivative *slope = &slopes[first + i];
            sides[i * card->parameter_count + k] =
                (LawSides){said[problem_c_slope(card, k) * n + i], slope->value,
                           margin * slope->error + rounding * (fabsl(slope->value) + size[i] / scale)};
        }
    }
}

static void slopes(Laws *laws, const CheckPlace *place, LawSides *sides)
{
    const CheckPlaces *places = &laws->places;
    long double        a[PLACES_DOFS], largest[PLACES_DOFS] = {0};
    for (size_t s = 0; s < places->state_count; ++s)
        for (size_t i = 0; places_accelerate(places, &places->states[s], a) && i < places->n; ++i)
            largest[i] = fmaxl(largest[i], fabsl(a[i]));
    laws->exact.slopes(place->t, place->x, place->v, places->params, laws->by[0]);
    compare_slopes(laws, place, OF_ACCELERATION, laws->by[0], largest, sides);
}

static void start_slopes(Laws *laws, const CheckPlace *start, LawSides *sides)
{
    const bool of_v = laws->which == BY_V;
    laws->exact.start_slopes(laws->places.params, laws->by[0], laws->by[1]);
    compare_slopes(laws, start, OF_START, laws->by[of_v], laws->places.size[of_v], sides);
}

static void energy_is_sum(Laws *laws, const CheckPlace *place, LawSides *sides)
{
    const Exact      *exact = &laws->exact;
    const void       *params = laws->places.params;
    const long double kinetic = exact->kinetic(place->x, place->v, params),
                      potential = exact->potential(place->x, params);
    *sides = (LawSides){exact->energy(place->x, place->v, params), kinetic + potential,
                        rounding * (fabsl(kinetic) + fabsl(potential))};
}

static void kinetic_is_square(Laws *laws, const CheckPlace *place, LawSides *sides)
{
    const CheckPlaces *places = &laws->places;
    long double        mass[PLACES_DOFS], square = 0.0L;
    laws->exact.masses(places->params, mass);
    for (size_t i = 0; i < places->n; ++i)
        square += 0.5L * mass[i] * place->v[i] * place->v[i];
    *sides = (LawSides){laws->exact.kinetic(place->x, place->v, places->params), square, rounding * square};
}

// The forces of one component: the potential's, friction's, the drive's.
typedef struct Forces {
    Derivative  pull, drag;
    long double drive;
} Forces;

static Forces find_forces(const Laws *laws, const CheckPlace *place, size_t i)
{
    Forces      forces = {0};
    long double drive[PLACES_DOFS] = {0};
    if (laws->exact.potential)
        forces.pull = differentiate(laws, place, OF_POTENTIAL, false, i);
    if (laws->exact.dissipation)
        forces.drag = differentiate(laws, place, OF_DISSIPATION, true, i);
    if (laws->exact.drive)
        laws->exact.drive(place->t, laws->places.params, drive);
    forces.drive = drive[i];
    return forces;
}

static void force_has_terms(Laws *laws, const CheckPlace *place, LawSides *sides)
{
    const CheckPlaces *places = &laws->places;
    long double        mass[PLACES_DOFS], a[PLACES_DOFS];
    if (!places_accelerate(places, place, a))
        return;
    laws->exact.masses(places->params, mass);
    for (size_t i = 0; i < places->n; ++i) {
        const Forces      f = find_forces(laws, place, i);
        const long double terms = fabsl(f.pull.value) + fabsl(f.drag.value) + fabsl(f.drive) + fabsl(mass[i] * a[i]);
        sides[i] = (LawSides){mass[i] * a[i], f.drive - f.pull.value - f.drag.value,
                              margin * (f.pull.error + f.drag.error) + rounding * terms};
    }
}

// Whether the motion can be run backwards: its acceleration is the same at -v, and at other times. A change of
// the energy along such a motion is not caused by friction.
static bool is_reversible(const Laws *laws, const CheckPlace *place)
{
    const CheckPlaces *places = &laws->places;
    long double        a[PLACES_DOFS], b[PLACES_DOFS], c[PLACES_DOFS];
    CheckPlace         back = *place, later = *place;
    for (size_t i = 0; i < places->n; ++i)
        back.v[i] = -place->v[i];
    later.t += 0.73L / rate_of(laws);
    places_accelerate(places, place, a);
    if (!places_accelerate(places, &back, b) || !places_accelerate(places, &later, c))
        return false;
    for (size_t i = 0; i < places->n; ++i)
        if (fabsl(a[i] - b[i]) > rounding * fabsl(a[i]) || fabsl(a[i] - c[i]) > rounding * fabsl(a[i]))
            return false;
    return true;
}

// Where no function says which forces change the energy, only a motion that can be run backwards is judged.
static void power_has_causes(Laws *laws, const CheckPlace *place, LawSides *sides)
{
    const CheckPlaces *places = &laws->places;
    const Exact       *exact = &laws->exact;
    long double        a[PLACES_DOFS], change = 0.0L, expected = 0.0L, error = 0.0L, terms = 0.0L;
    if (!places_accelerate(places, place, a))
        return;
    for (size_t i = 0; i < places->n; ++i) {
        const Derivative by_x = differentiate(laws, place, OF_ENERGY, false, i),
                         by_v = differentiate(laws, place, OF_ENERGY, true, i);
        const Forces f = find_forces(laws, place, i);
        change += (places->card->first_order ? 0.0L : by_x.value * place->v[i]) + by_v.value * a[i];
        expected += (f.drive - f.drag.value) * place->v[i];
        terms += fabsl(by_x.value * place->v[i]) + fabsl(by_v.value * a[i]) + fabsl(f.drive * place->v[i]);
        error += by_x.error * fabsl(place->v[i]) + by_v.error * fabsl(a[i]) + f.drag.error * fabsl(place->v[i]);
    }
    const long double bound = margin * error + rounding * terms;
    if (exact->dissipation || exact->drive || exact->masses || is_reversible(laws, place)) {
        *sides = (LawSides){change, expected, bound};
    } else {
        ++laws->unjudged;
        laws->damped = laws->damped || fabsl(change - expected) > bound;
    }
}

// The rounding of a component of the closed form.
static long double rounded(const Laws *laws, bool of_v, long double component)
{
    return rounding * (laws->places.largest[of_v] + fabsl(component));
}

static void exact_begins(Laws *laws, const CheckPlace *at, LawSides *sides)
{
    const bool         of_v = laws->which == BY_V;
    const CheckPlace  *start = &laws->places.states[0];
    const long double *said = of_v ? at->v : at->x, *expected = of_v ? start->v : start->x;
    for (size_t i = 0; at->t == 0.0L && i < laws->places.n; ++i)
        sides[i] = (LawSides){said[i], expected[i], rounded(laws, of_v, said[i])};
}

// The velocity is the derivative of the closed form's x, the acceleration that of its v; of a first-order system the
// rate is the derivative of x.
static void exact_moves(Laws *laws, const CheckPlace *at, LawSides *sides)
{
    const CheckPlaces  *places = &laws->places;
    const PlaceFunction function = {places, at, 0, false, OF_SOLUTION, false};
    const bool          of_v = laws->which == BY_V;
    const long double   rate = rate_of(laws), scale = of_v ? rate : 1.0L;
    long double         a[PLACES_DOFS];
    Derivative          slopes[SLOPE_ROWS];
    if (of_v && !places_accelerate(places, at, a))
        return;
    slope_find(places_ask, &function, 2 * places->n, 1.0L / rate, slopes);
    for (size_t i = 0; i < places->n; ++i) {
        const Derivative *change = &slopes[of_v && !places->card->first_order ? places->n + i : i];
        const long double x = rounded(laws, false, at->x[i]), v = rounded(laws, true, at->v[i]);
        sides[i] = (LawSides){of_v ? a[i] : at->v[i], change->value, margin * change->error + scale * (v + rate * x)};
    }
}

// After a period velocity and acceleration equal the start's; a coordinate may have gone round. A damped motion does
// not come back.
static void motion_has_period(Laws *laws, const CheckPlace *start, LawSides *sides)
{
    const CheckPlaces *places = &laws->places;
    const long double  period = laws->exact.period(places->params), turns = period * places->rate;
    if (!is_reversible(laws, start) || !isfinite(period) || !(turns < MOST_TURNS))
        return;
    CheckPlace  end = *start;
    long double a[PLACES_DOFS], b[PLACES_DOFS];
    Flow        flow = {.exact = &laws->exact, .params = places->params, .dofs = places->n, .unit = 0x1p-53L};
    places_accelerate(places, &end, a);
    flow.rounding = 0x1p-46L * flow_norm(a, places->n);
    if (!(period > 0.0L) || !flow_move(&flow, 0.0L, period, end.x, end.v) || !places_accelerate(places, &end, b)) {
        *sides = (LawSides){NAN, 0.0L, 1.0L};
        return;
    }
    const long double bound = 1e-9L * (1.0L + turns) * (places->largest[1] + places->largest[0] * places->rate);
    for (size_t i = 0; i < places->n; ++i) {
        sides[2 * i] = (LawSides){end.v[i], start->v[i], bound};
        sides[2 * i + 1] = (LawSides){b[i] / places->rate, a[i] / places->rate, bound};
    }
}

static void is_finite(Laws *laws, const CheckPlace *place, LawSides *sides)
{
    const Exact *exact = &laws->exact;
    const void  *params = laws->places.params;
    long double  number = NAN, angle[1] = {NAN}, rate[1] = {NAN};
    if (exact->limit_start)
        exact->limit_start(params, angle, rate);
    switch (laws->which) {
    case FAST: number = exact->fast(place->x, params); break;
    case SLOW: number = exact->slow(place->x, params); break;
    case ENERGY: number = exact->energy(place->x, place->v, params); break;
    case LIMIT_START: number = angle[0] + rate[0]; break;
    case LIMIT_ACCELERATION: exact->limit_acceleration(place->t, angle, rate, params, &number); break;
    }
    *sides = (LawSides){number, isfinite(number) ? number : 0.0L, 1.0L};
}

#define WHEREVER "it must be finite wherever acceleration() is"
#define LAW(line, of, equals, advice, sides, one_of, form, places, flag, ...) \
    {                                                                         \
        line, of, equals, advice, sides, one_of, form, places, flag,          \
        {                                                                     \
            __VA_ARGS__                                                       \
        }                                                                     \
    }
static const Law laws_of_problems[] = {
    LAW("jacobian", "jacobian(): dadx", "the difference of acceleration()",
        "dadx[i][j] is the derivative of a[i] by x[j]", jacobian, BY_X, MATRIX, AT_STATES, SECOND_ORDER, "jacobian"),
    LAW("jacobian", "jacobian(): dadv", "the difference of acceleration()",
        "dadv[i][j] is the derivative of a[i] by v[j]", jacobian, BY_V, MATRIX, AT_STATES, SECOND_ORDER, "jacobian"),
    LAW("jacobian", "jacobian()", "the difference of rate()", "row i holds the derivatives of component i", jacobian,
        BY_V, MATRIX, AT_STATES, FIRST_ORDER, "jacobian"),
    LAW("slopes", "slopes()", "the difference of acceleration()",
        "it is the derivative of a component by a parameter, 0 where nothing is set", slopes, 0, BY_PARAMETERS,
        AT_STATES, SECOND_ORDER, "slopes"),
    LAW("slopes", "slopes()", "the difference of rate()",
        "it is the derivative of a component by a parameter, 0 where nothing is set", slopes, 0, BY_PARAMETERS,
        AT_STATES, FIRST_ORDER, "slopes"),
    LAW("start_slopes", "start_slopes() of x", "the difference of initial_state()",
        "it is the derivative of x by a parameter, 0 where nothing is set", start_slopes, BY_X, BY_PARAMETERS, AT_START,
        0, "slopes"),
    LAW("start_slopes", "start_slopes() of v", "the difference of initial_state()",
        "it is the derivative of v by a parameter, 0 where nothing is set", start_slopes, BY_V, BY_PARAMETERS, AT_START,
        SECOND_ORDER, "slopes"),
    LAW("energy", "energy()", "kinetic() + potential()", "a term is missing, or one too many in one of them",
        energy_is_sum, 0, NUMBER, AT_STATES, 0, "energy", "kinetic", "potential"),
    LAW("kinetic", "kinetic()", "half the sum of masses() times v^2", "one of them is wrong", kinetic_is_square, 0,
        NUMBER, AT_STATES, 0, "kinetic", "masses"),
    // At rest first: a difference that is there without velocities is not the friction's fault.
    LAW("potential", "masses() times acceleration() at rest", "-dU/dx + F",
        "potential(), drive() or masses() do not belong to acceleration()", force_has_terms, 0, VECTOR, AT_REST,
        LENIENT, "masses", "potential"),
    LAW("dissipation", "masses() times acceleration()", "-dU/dx - dR/dv + F",
        "the force that depends on v is not that of dissipation(), which is 0 where it is not defined", force_has_terms,
        0, VECTOR, AT_STATES, LENIENT | YIELDS, "masses", "potential"),
    LAW("energy", "dE/dt along the motion", "what drive() gives less what dissipation() takes",
        "energy() lacks a term or has one too many; a force without a potential has no energy to promise",
        power_has_causes, 0, NUMBER, AT_STATES, LENIENT, "energy"),
    LAW("exact", "exact() at t = 0: x", "initial_state()", "the closed form begins elsewhere", exact_begins, BY_X,
        VECTOR, ON_EXACT, 0, "exact"),
    LAW("exact", "exact() at t = 0: v", "initial_state()", "the closed form begins elsewhere", exact_begins, BY_V,
        VECTOR, ON_EXACT, SECOND_ORDER, "exact"),
    LAW("exact", "exact(): v", "the derivative of its x by t", "one of them is wrong", exact_moves, BY_X, VECTOR,
        ON_EXACT, SECOND_ORDER, "exact"),
    LAW("exact", "acceleration() on exact()", "the derivative of its v by t",
        "the closed form is not a solution of the equation", exact_moves, BY_V, VECTOR, ON_EXACT, SECOND_ORDER,
        "exact"),
    LAW("exact", "rate() on exact()", "the derivative of its u by t",
        "the closed form is not a solution of the equation", exact_moves, BY_V, VECTOR, ON_EXACT, FIRST_ORDER, "exact"),
    LAW("period", "after period() the motion's v or a", "that of the start", "it is not the period", motion_has_period,
        0, TWO_VECTORS, AT_START, 0, "period"),
    LAW("fast", "fast()", NULL, WHEREVER, is_finite, FAST, NUMBER, AT_STATES, 0, "fast"),
    LAW("slow", "slow()", NULL, WHEREVER, is_finite, SLOW, NUMBER, AT_STATES, 0, "slow"),
    LAW("limit_start", "limit_start()", NULL, WHEREVER, is_finite, LIMIT_START, NUMBER, AT_STATES, 0, "limit"),
    LAW("limit_acceleration", "limit_acceleration()", NULL, WHEREVER, is_finite, LIMIT_ACCELERATION, NUMBER, AT_STATES,
        0, "limit"),
    LAW("energy", "energy()", NULL, WHEREVER, is_finite, ENERGY, NUMBER, AT_STATES, 0, "energy"),
};
enum { LAWS = sizeof laws_of_problems / sizeof *laws_of_problems };

static bool is_asked(const Card *card, const Law *law)
{
    bool asked = !(law->flags & (card->first_order ? SECOND_ORDER : FIRST_ORDER));
    for (size_t i = 0; i < MOST_NEEDS && law->needs[i]; ++i)
        asked = asked && card_provides(card, law->needs[i]);
    return asked;
}

static void judge(LawVerdict *verdict, const CheckPlaces *places, const CheckPlace *place, size_t row, size_t column,
                  const LawSides *sides)
{
    const long double permitted = sides->bound > 0.0L ? sides->bound : 0x1p-16000L,
                      ratio = isfinite(sides->said) ? fabsl(sides->said - sides->expected) / permitted : INFINITY;
    if (!isfinite(sides->expected) || !isfinite(sides->bound))
        return;
    ++verdict->judged;
    if (ratio <= 1.0L)
        return;
    ++verdict->wrong;
    verdict->others += places->other;
    // A violation at the defaults comes first.
    if (!(ratio > verdict->ratio) || (verdict->ratio > 0.0L && places->set > 0))
        return;
    verdict->ratio = ratio;
    verdict->sides = *sides;
    verdict->row = row;
    verdict->column = column;
    text_free(&verdict->at);
    places_write(places, place, &verdict->at);
}

// Judges the laws that are asked at such places.
static void walk(Laws *laws, LawPlace where, const CheckPlace *place)
{
    const CheckPlaces *places = &laws->places;
    LawSides          *sides = laws->sides;
    for (size_t l = 0; l < LAWS; ++l) {
        const Law   *law = &laws_of_problems[l];
        const size_t columns = law->shape == MATRIX          ? places->n
                               : law->shape == BY_PARAMETERS ? places->card->parameter_count
                               : law->shape == TWO_VECTORS   ? 2
                                                             : 1,
                     count = (law->shape == NUMBER ? 1 : places->n) * columns;
        if (law->where != where || !is_asked(places->card, law))
            continue;
        for (size_t i = 0; i < count; ++i)
            sides[i] = (LawSides){NAN, NAN, NAN};
        laws->which = law->which;
        law->formula(laws, place, sides);
        for (size_t i = 0; i < count; ++i)
            judge(&laws->verdicts[l], places, place, i / columns, i % columns, &sides[i]);
    }
}

// The closed form at a few times of a set.
static void walk_exact(Laws *laws)
{
    const CheckPlaces *places = &laws->places;
    const size_t       n = places->n;
    for (int k = 0; laws->exact.exact && k <= PLACES_STATIONS; ++k) {
        CheckPlace at = {.t = 0.7L * k / rate_of(laws)};
        for (size_t i = 0; i < n; ++i)
            at.x[i] = at.v[i] = NAN;
        laws->exact.exact(at.t, places->params, at.x, at.v);
        if (places->card->first_order)
            memcpy(at.v, at.x, sizeof at.v);
        // A form that holds for some parameters says so by NaN, but not for the defaults.
        if (places->set > 0 && !isfinite(flow_norm(at.x, n) + flow_norm(at.v, n)))
            return;
        walk(laws, ON_EXACT, &at);
    }
}

static void report(Check *check, const Law *law, const LawVerdict *verdict)
{
    const FindingKind kind = law->flags & LENIENT && verdict->wrong == verdict->others ? FINDING_NOTE : FINDING_WRONG;
    char              part[160] = "", equal[300] = "";
    if (verdict->judged == 0)  // there may be no parameter
        return;
    if (law->shape == BY_PARAMETERS)
        snprintf(part, sizeof part, " by %.100s, component %zu,", check->card.parameters[verdict->column].name,
                 verdict->row);
    else if (law->shape == MATRIX)
        snprintf(part, sizeof part, "[%zu][%zu]", verdict->row, verdict->column);
    else if (law->shape != NUMBER)
        snprintf(part, sizeof part, "[%zu]", verdict->row);
    if (law->other)
        snprintf(equal, sizeof equal, ", %s%s %.9Lg", law->other,
                 law->shape == MATRIX || law->shape == BY_PARAMETERS ? "" : part, verdict->sides.expected);
    const size_t own = lines_function(&check->card, law->function),
                 line = own ? own : lines_function(&check->card, check_motion(&check->card));
    if (verdict->wrong > 0)
        findings_add(&check->findings, kind, line ? line : 1,
                     "%s%s is %.9Lg%s, at %s (%zu of %zu comparisons differ): %s", law->name, part, verdict->sides.said,
                     equal, verdict->at.text ? verdict->at.text : "", verdict->wrong, verdict->judged, law->remedy);
    else
        findings_add(&check->findings, FINDING_RIGHT, 0, "%s is %s: %zu comparisons", law->name,
                     law->other ? law->other : "a finite number", verdict->judged);
}

static void report_all(Laws *laws, size_t states)
{
    Check *check = laws->check;
    findings_add(&check->findings, FINDING_RIGHT, 0, "%s() is finite: %zu states in %d sets of parameters",
                 check_motion(&check->card), states, laws->places.sets);
    for (size_t l = 0; l < LAWS; ++l) {
        const Law        *law = &laws_of_problems[l];
        const LawVerdict *before = law->flags & YIELDS ? &laws->verdicts[l - 1] : NULL;
        if (!before || before->wrong == before->others)
            report(check, law, &laws->verdicts[l]);
    }
    if (laws->damped && !check->card.first_order)
        findings_add(
            &check->findings, FINDING_NOTE, lines_function(&check->card, "energy"),
            "energy() changes along the motion at some of %zu states where a force depends on v or t: it is "
            "not judged there; promise `masses` and `potential`, with `dissipation` or `drive`, to have it judged",
            laws->unjudged);
}

// Where the defaults begin; false: nothing more can be asked.
static bool check_start(Laws *laws)
{
    CheckPlaces *places = &laws->places;
    Text         at = {0};
    places_load(places, 0);
    if (places->starts)
        return true;
    const CheckPlace *start = &places->states[0];
    const bool        state = isfinite(flow_norm(start->x, places->n) + flow_norm(start->v, places->n));
    places_write(places, start, &at);
    const char *function = state ? check_motion(&laws->check->card) : "initial_state";
    findings_add(
        &laws->check->findings, FINDING_WRONG, lines_function(&laws->check->card, function),
        "%s() is not a finite number at the defaults, %s: set every component, and look for a division by 0, a "
        "root or a logarithm of less than 0",
        function, at.text ? at.text : "");
    text_free(&at);
    laws->check->broken = true;
    return false;
}

static bool make_room(Laws *laws, size_t n, Arena *arena, Error *err)
{
    const size_t parameters = laws->check->card.parameter_count + 1;
    // A vector may be two.
    laws->sides = arena_take(arena, n * (n + parameters), sizeof *laws->sides, err);
    laws->said[0] = laws->sides ? arena_take(arena, 2 * n * n, sizeof **laws->said, err) : NULL;
    laws->slopes = laws->said[0] ? arena_take(arena, 2 * n * n, sizeof *laws->slopes, err) : NULL;
    laws->by[0] = laws->slopes ? arena_take(arena, 2 * n * parameters, sizeof **laws->by, err) : NULL;
    if (!laws->by[0])
        return false;
    laws->said[1] = laws->said[0] + n * n;
    laws->by[1] = laws->by[0] + n * parameters;
    return true;
}

bool check_laws(Check *check, Error *err)
{
    Arena        arena SCOPED(arena_free) = {0};
    LawVerdict   verdicts[LAWS] = {0};
    Laws         laws = {.check = check, .verdicts = verdicts};
    const size_t dofs = check_dofs(&check->card);
    Error        refused = {0};
    size_t       states = 0;
    if (!exact_make(&check->card, dofs, &laws.exact, &refused)) {
        if (refused.kind == ERROR_KERNEL)
            check_messages(check, "as C", refused.message);
        else
            findings_add(&check->findings, FINDING_NOTE, 0, "laws: not examined: %s", refused.message);
        return true;
    }
    const bool ok = make_room(&laws, dofs, &arena, err) &&
                    places_make(&check->card, &laws.exact, dofs, &laws.places, err),
               goes = ok && check_start(&laws);
    check->step = 0.05 / (double)(goes ? rate_of(&laws) : 1.0L);
    for (int set = 0; goes && set < laws.places.sets && !(check->signals && *check->signals); ++set) {
        places_load(&laws.places, set);
        for (size_t s = 0; s < laws.places.state_count; ++s) {
            CheckPlace still = laws.places.states[s];
            memset(still.v, 0, sizeof still.v);
            walk(&laws, AT_STATES, &laws.places.states[s]);
            walk(&laws, AT_REST, &still);
        }
        states += laws.places.state_count;
        if (laws.places.starts) {
            walk_exact(&laws);
            walk(&laws, AT_START, &laws.places.states[0]);
        }
    }
    if (goes)
        report_all(&laws, states);
    for (size_t l = 0; l < LAWS; ++l)
        text_free(&verdicts[l].at);
    places_free(&laws.places);
    exact_free(&laws.exact);
    return ok;
}
