// laws -- what must hold between the functions of a problem's file, wherever it is asked.
//
// Functions are the file's own in long double, so that rounding, of 2^-64, is far below every bound. A derivative is
// taken by differences (slope.h), and permitted is 16 times what these say of their error, and 2^-40 of the largest
// term of the equation: a literal of the file that is rounded to double is 2^-53 off, and 2^13 operations may gather
// that.
#include "analysis/check/lines.h"
#include "analysis/check/places.h"
#include "analysis/check/slope.h"
#include "analysis/conform/points/flow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const long double rounding = 0x1p-40L, margin = 16.0L;

enum { MOST_TURNS = 2000 };

// A law, and the place where it is hurt most.
typedef struct Law {
    const char *function;  // whose line a finding has
    const char *name;      // of what must be equal
    const char *other;     // what it must equal; NULL: it must be finite
    const char *remedy;
    size_t      judged, wrong, others;  // others: hurt where a word is not the default
    long double said, expected, bound, ratio;
    size_t      row, column;
    bool        matrix, vector;  // the place in it is named
    bool        lenient;         // another word than the default may mean an equation that is wrong on purpose
    Text        at;
} Law;

typedef struct Laws {
    Check      *check;
    Exact       exact;
    CheckPlaces places;
    Law jacobian_x, jacobian_v, sum, kinetic, rest, force, power, start_x, start_v, velocity, acceleration, period,
        finite[5];
    bool   damped;  // the energy changes where neither `dissipation` nor `drive` says why
    size_t unjudged;
} Laws;

static void judge(Laws *laws, Law *law, const CheckPlace *place, size_t row, size_t column, long double said,
                  long double expected, long double bound)
{
    const long double ratio = isfinite(said) ? fabsl(said - expected) / (bound > 0.0L ? bound : 0x1p-16000L) : INFINITY;
    if (!isfinite(expected) || !isfinite(bound))
        return;
    ++law->judged;
    if (ratio <= 1.0L)
        return;
    ++law->wrong;
    law->others += laws->places.other;
    // What the defaults show comes first.
    if (!(ratio > law->ratio) || (law->ratio > 0.0L && laws->places.set > 0))
        return;
    law->ratio = ratio;
    law->said = said;
    law->expected = expected;
    law->bound = bound;
    law->row = row;
    law->column = column;
    text_free(&law->at);
    places_write(&laws->places, place, &law->at);
}

static void report(Laws *laws, Law *law)
{
    Findings         *findings = &laws->check->findings;
    char              part[48] = "", equal[200] = "";
    const FindingKind kind = law->lenient && law->wrong == law->others ? FINDING_NOTE : FINDING_WRONG;
    if (!law->name)
        return;
    if (law->matrix)
        snprintf(part, sizeof part, "[%zu][%zu]", law->row, law->column);
    else if (law->vector)
        snprintf(part, sizeof part, "[%zu]", law->row);
    if (law->other)
        snprintf(equal, sizeof equal, ", %s%s %.9Lg", law->other, law->matrix ? "" : part, law->expected);
    const size_t line = lines_function(&laws->check->card, law->function);
    if (law->wrong > 0)
        findings_add(findings, kind, line ? line : 1, "%s%s is %.9Lg%s, at %s (%zu of %zu comparisons differ): %s",
                     law->name, part, law->said, equal, law->at.text ? law->at.text : "", law->wrong, law->judged,
                     law->remedy);
    else if (law->judged > 0)
        findings_add(findings, FINDING_RIGHT, 0, "%s is %s: %zu comparisons", law->name,
                     law->other ? law->other : "a finite number", law->judged);
    text_free(&law->at);
}

// What is differentiated: by a component of x or v, or by the time of the closed form.
typedef struct Ask {
    const Laws       *laws;
    const CheckPlace *place;
    size_t            component;
    bool              of_v;
    int               what;
} Ask;

enum { ASK_ACCELERATION, ASK_POTENTIAL, ASK_DISSIPATION, ASK_ENERGY, ASK_SOLUTION };

static void ask(const void *user, long double by, long double *rows)
{
    const Ask         *asked = user;
    const CheckPlaces *places = &asked->laws->places;
    const Exact       *exact = &asked->laws->exact;
    CheckPlace         moved = *asked->place;
    if (asked->what == ASK_SOLUTION) {
        exact->solution(moved.t + by, places->params, rows, rows + places->n);
        return;
    }
    (asked->of_v ? moved.v : moved.x)[asked->component] += by;
    if (places->card->first_order)
        memcpy(moved.x, moved.v, sizeof moved.x);
    switch (asked->what) {
    case ASK_ACCELERATION: places_accelerate(places, &moved, rows); break;
    case ASK_POTENTIAL: *rows = exact->potential(moved.x, places->params); break;
    case ASK_DISSIPATION: *rows = exact->dissipation(moved.x, moved.v, places->params); break;
    default: *rows = exact->energy(moved.x, moved.v, places->params);
    }
}

static Derivative differentiate(const Laws *laws, const CheckPlace *place, int what, bool of_v, size_t component)
{
    const Ask  asked = {laws, place, component, of_v, what};
    Derivative slope[SLOPE_ROWS];
    slope_find(ask, &asked, 1, laws->places.size[of_v][component], slope);
    return slope[0];
}

static void check_jacobian(Laws *laws, const CheckPlace *place)
{
    const CheckPlaces *places = &laws->places;
    const size_t       n = places->n;
    long double        said[2][PLACES_DOFS * PLACES_DOFS], largest[PLACES_DOFS] = {0};
    Derivative         slopes[2 * PLACES_DOFS][SLOPE_ROWS];
    if (!laws->exact.jacobian)
        return;
    for (size_t i = 0; i < n * n; ++i)
        said[0][i] = said[1][i] = NAN;
    laws->exact.jacobian(place->t, place->x, place->v, places->params, said[0], said[1]);
    for (size_t j = 0; j < 2 * n; ++j) {
        const Ask asked = {laws, place, j % n, j >= n, ASK_ACCELERATION};
        slope_find(ask, &asked, n, places->size[j >= n][j % n], slopes[j]);
        for (size_t i = 0; i < n; ++i)
            largest[i] = fmaxl(largest[i], fabsl(slopes[j][i].value));
    }
    for (size_t j = places->card->first_order ? n : 0; j < 2 * n; ++j)
        for (size_t i = 0; i < n; ++i)
            judge(laws, j < n ? &laws->jacobian_x : &laws->jacobian_v, place, i, j % n, said[j >= n][i * n + j % n],
                  slopes[j][i].value, margin * slopes[j][i].error + rounding * largest[i]);
}

static void check_energies(Laws *laws, const CheckPlace *place)
{
    const CheckPlaces *places = &laws->places;
    const Exact       *exact = &laws->exact;
    long double        mass[PLACES_DOFS], square = 0.0L;
    const long double  kinetic = exact->kinetic ? exact->kinetic(place->x, place->v, places->params) : 0.0L;
    if (exact->energy && exact->kinetic && exact->potential) {
        const long double potential = exact->potential(place->x, places->params);
        judge(laws, &laws->sum, place, 0, 0, exact->energy(place->x, place->v, places->params), kinetic + potential,
              rounding * (fabsl(kinetic) + fabsl(potential)));
    }
    if (!exact->kinetic || !exact->masses)
        return;
    exact->masses(places->params, mass);
    for (size_t i = 0; i < places->n; ++i)
        square += 0.5L * mass[i] * place->v[i] * place->v[i];
    judge(laws, &laws->kinetic, place, 0, 0, kinetic, square, rounding * square);
}

// What the forces of one component are: the potential's, friction's, the drive's.
typedef struct Forces {
    Derivative  pull, drag;
    long double drive;
} Forces;

static Forces find_forces(const Laws *laws, const CheckPlace *place, size_t i)
{
    Forces      forces = {0};
    long double drive[PLACES_DOFS] = {0};
    if (laws->exact.potential)
        forces.pull = differentiate(laws, place, ASK_POTENTIAL, false, i);
    if (laws->exact.dissipation)
        forces.drag = differentiate(laws, place, ASK_DISSIPATION, true, i);
    if (laws->exact.drive)
        laws->exact.drive(place->t, laws->places.params, drive);
    forces.drive = drive[i];
    return forces;
}

// At rest first: a difference that is there without velocities is not the friction's fault.
static void check_force(Laws *laws, const CheckPlace *place, Law *law)
{
    const CheckPlaces *places = &laws->places;
    long double        mass[PLACES_DOFS], a[PLACES_DOFS];
    if (!laws->exact.masses || !laws->exact.potential || !places_accelerate(places, place, a))
        return;
    laws->exact.masses(places->params, mass);
    for (size_t i = 0; i < places->n; ++i) {
        const Forces      f = find_forces(laws, place, i);
        const long double terms = fabsl(f.pull.value) + fabsl(f.drag.value) + fabsl(f.drive) + fabsl(mass[i] * a[i]);
        judge(laws, law, place, i, 0, mass[i] * a[i], f.drive - f.pull.value - f.drag.value,
              margin * (f.pull.error + f.drag.error) + rounding * terms);
    }
}

static void check_forces(Laws *laws, const CheckPlace *place)
{
    CheckPlace still = *place;
    memset(still.v, 0, sizeof still.v);
    check_force(laws, &still, &laws->rest);
    check_force(laws, place, &laws->force);
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
    later.t += 0.73L / (places->rate > 0.0L ? places->rate : 1.0L);
    places_accelerate(places, place, a);
    if (!places_accelerate(places, &back, b) || !places_accelerate(places, &later, c))
        return false;
    for (size_t i = 0; i < places->n; ++i)
        if (fabsl(a[i] - b[i]) > rounding * fabsl(a[i]) || fabsl(a[i] - c[i]) > rounding * fabsl(a[i]))
            return false;
    return true;
}

static void check_power(Laws *laws, const CheckPlace *place)
{
    const CheckPlaces *places = &laws->places;
    const Exact       *exact = &laws->exact;
    long double        a[PLACES_DOFS], change = 0.0L, expected = 0.0L, error = 0.0L, terms = 0.0L;
    if (!exact->energy || !places_accelerate(places, place, a))
        return;
    const bool said = exact->dissipation || exact->drive || exact->masses;
    for (size_t i = 0; i < places->n; ++i) {
        const Derivative by_x = differentiate(laws, place, ASK_ENERGY, false, i),
                         by_v = differentiate(laws, place, ASK_ENERGY, true, i);
        const Forces f = find_forces(laws, place, i);
        change += (places->card->first_order ? 0.0L : by_x.value * place->v[i]) + by_v.value * a[i];
        expected += (f.drive - f.drag.value) * place->v[i];
        terms += fabsl(by_x.value * place->v[i]) + fabsl(by_v.value * a[i]) + fabsl(f.drive * place->v[i]);
        error += by_x.error * fabsl(place->v[i]) + by_v.error * fabsl(a[i]) + f.drag.error * fabsl(place->v[i]);
    }
    const long double bound = margin * error + rounding * terms;
    if (said || is_reversible(laws, place)) {
        judge(laws, &laws->power, place, 0, 0, change, expected, bound);
    } else {
        ++laws->unjudged;
        laws->damped = laws->damped || fabsl(change - expected) > bound;
    }
}

// The closed form at a few times of a set.
static void check_exact(Laws *laws)
{
    CheckPlaces      *places = &laws->places;
    const size_t      n = places->n;
    const long double rate = places->rate > 0.0L ? places->rate : 1.0L;
    const bool        first = places->card->first_order;
    if (!laws->exact.solution)
        return;
    for (int k = 0; k <= PLACES_STATIONS; ++k) {
        CheckPlace  at = {.t = 0.7L * k / rate};
        long double a[PLACES_DOFS];
        Derivative  slopes[SLOPE_ROWS];
        for (size_t i = 0; i < n; ++i)
            at.x[i] = at.v[i] = NAN;
        laws->exact.solution(at.t, places->params, at.x, at.v);
        if (first)
            memcpy(at.v, at.x, sizeof at.v);
        // A form that holds for some parameters says so by NaN, but not for the defaults.
        if (places->set > 0 && !isfinite(flow_norm(at.x, n) + flow_norm(at.v, n)))
            return;
        const Ask asked = {laws, &at, 0, false, ASK_SOLUTION};
        slope_find(ask, &asked, 2 * n, 1.0L / rate, slopes);
        const bool moves = places_accelerate(places, &at, a);
        for (size_t i = 0; i < n; ++i) {
            const long double x = rounding * (places->largest[0] + fabsl(at.x[i])),
                              v = rounding * (places->largest[1] + fabsl(at.v[i]));
            if (k == 0) {
                judge(laws, &laws->start_x, &at, i, 0, at.x[i], places->states[0].x[i], x);
                if (!first)
                    judge(laws, &laws->start_v, &at, i, 0, at.v[i], places->states[0].v[i], v);
            }
            // Of a first-order system the derivative of x is the rate.
            const Derivative *change = &slopes[first ? i : n + i];
            if (!first)
                judge(laws, &laws->velocity, &at, i, 0, at.v[i], slopes[i].value,
                      margin * slopes[i].error + v + rate * x);
            if (moves)
                judge(laws, &laws->acceleration, &at, i, 0, a[i], change->value,
                      margin * change->error + rate * v + rate * rate * x);
        }
    }
}

// After a period velocity and acceleration are those of the start; a coordinate may have gone round. A damped motion
// does not come back.
static void check_period(Laws *laws)
{
    const CheckPlaces *places = &laws->places;
    if (!laws->exact.period || !is_reversible(laws, &places->states[0]))
        return;
    const long double period = laws->exact.period(places->params), turns = period * places->rate;
    if (!isfinite(period) || !(turns < MOST_TURNS))
        return;
    CheckPlace  end = places->states[0];
    long double a[PLACES_DOFS], b[PLACES_DOFS];
    Flow        flow = {.exact = &laws->exact, .params = places->params, .dofs = places->n, .unit = 0x1p-53L};
    places_accelerate(places, &end, a);
    flow.rounding = 0x1p-46L * flow_norm(a, places->n);
    if (!(period > 0.0L) || !flow_move(&flow, 0.0L, period, end.x, end.v) || !places_accelerate(places, &end, b)) {
        judge(laws, &laws->period, &places->states[0], 0, 0, NAN, 0.0L, 1.0L);
        return;
    }
    for (size_t i = 0; i < places->n; ++i) {
        const long double bound = 1e-9L * (1.0L + turns) * (places->largest[1] + places->largest[0] * places->rate);
        judge(laws, &laws->period, &places->states[0], i, 0, end.v[i], places->states[0].v[i], bound);
        judge(laws, &laws->period, &places->states[0], i, 0, b[i] / places->rate, a[i] / places->rate, bound);
    }
}

// A number that must be finite.
static void demand(Laws *laws, int which, const char *function, const char *name, const CheckPlace *place,
                   long double number)
{
    Law *law = &laws->finite[which];
    law->function = function;
    law->name = name;
    law->remedy = "it must be finite wherever acceleration() is";
    judge(laws, law, place, 0, 0, number, isfinite(number) ? number : 0.0L, 1.0L);
}

static void check_finite(Laws *laws, const CheckPlace *place)
{
    const Exact *exact = &laws->exact;
    const void  *params = laws->places.params;
    if (exact->fast)
        demand(laws, 0, "fast", "fast()", place, exact->fast(place->x, params));
    if (exact->slow)
        demand(laws, 1, "slow", "slow()", place, exact->slow(place->x, params));
    if (exact->limit_start) {
        long double angle[1] = {NAN}, rate[1] = {NAN}, pull[1] = {NAN};
        exact->limit_start(params, angle, rate);
        demand(laws, 2, "limit_start", "limit_start()", place, angle[0] + rate[0]);
        exact->limit_acceleration(place->t, angle, rate, params, pull);
        demand(laws, 3, "limit_acceleration", "limit_acceleration()", place, pull[0]);
    }
    if (exact->energy)
        demand(laws, 4, "energy", "energy()", place, exact->energy(place->x, place->v, params));
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

static void name_laws(Laws *laws)
{
    const bool first = laws->check->card.first_order;
#define LAW(member, in, of, equals, what, ...) \
    laws->member = (Law){.function = in, .name = of, .other = equals, .remedy = what, __VA_ARGS__}
    LAW(jacobian_x, "jacobian", "jacobian(): dadx", "the difference of acceleration()",
        "dadx[i][j] is the derivative of a[i] by x[j]", .matrix = true);
    LAW(jacobian_v, "jacobian", first ? "jacobian()" : "jacobian(): dadv",
        first ? "the difference of rate()" : "the difference of acceleration()",
        first ? "row i holds the derivatives of component i" : "dadv[i][j] is the derivative of a[i] by v[j]",
        .matrix = true);
    LAW(sum, "energy", "energy()", "kinetic() + potential()", "a term is missing, or one too many in one of them");
    LAW(kinetic, "kinetic", "kinetic()", "half the sum of masses() times v^2", "one of them is wrong");
    LAW(rest, "potential", "masses() times acceleration() at rest", "-dU/dx + F",
        "potential(), drive() or masses() do not belong to acceleration()", .vector = true, .lenient = true);
    LAW(force, laws->exact.dissipation ? "dissipation" : "acceleration", "masses() times acceleration()",
        "-dU/dx - dR/dv + F",
        "the force that depends on v is not that of dissipation(), which is 0 where it is not defined", .vector = true,
        .lenient = true);
    LAW(power, "energy", "dE/dt along the motion", "what drive() gives less what dissipation() takes",
        "energy() lacks a term or has one too many; a force without a potential has no energy to promise",
        .lenient = true);
    LAW(start_x, "exact", "exact() at t = 0: x", "initial_state()", "the closed form begins elsewhere", .vector = true);
    LAW(start_v, "exact", "exact() at t = 0: v", "initial_state()", "the closed form begins elsewhere", .vector = true);
    LAW(velocity, "exact", "exact(): v", "the derivative of its x by t", "one of them is wrong", .vector = true);
    LAW(acceleration, "exact", first ? "rate() on exact()" : "acceleration() on exact()",
        first ? "the derivative of its u by t" : "the derivative of its v by t",
        "the closed form is not a solution of the equation", .vector = true);
    LAW(period, "period", "after period() the motion's v or a", "that of the start", "it is not the period",
        .vector = true);
#undef LAW
}

bool check_laws(Check *check, Error *err)
{
    const Card  *card = &check->card;
    Laws         laws = {.check = check};
    const size_t dofs = check_dofs(card);
    Error        refused = {0};
    size_t       states = 0;
    if (!exact_make(card, dofs, &laws.exact, &refused)) {
        if (refused.kind == ERROR_KERNEL)
            check_messages(check, "as C", refused.message);
        else
            findings_add(&check->findings, FINDING_NOTE, 0, "laws: not examined: %s", refused.message);
        return true;
    }
    name_laws(&laws);
    bool ok = places_make(card, &laws.exact, dofs, &laws.places, err);
    bool goes = ok && check_start(&laws);
    check->step = 0.05 / (double)(goes && laws.places.rate > 0.0L ? laws.places.rate : 1.0L);
    for (int set = 0; goes && set < laws.places.sets && !(check->signals && *check->signals); ++set) {
        places_load(&laws.places, set);
        for (size_t s = 0; s < laws.places.state_count; ++s) {
            const CheckPlace *place = &laws.places.states[s];
            check_jacobian(&laws, place);
            check_energies(&laws, place);
            check_forces(&laws, place);
            check_power(&laws, place);
            check_finite(&laws, place);
        }
        states += laws.places.state_count;
        if (laws.places.starts) {
            check_exact(&laws);
            check_period(&laws);
        }
    }
    if (goes) {
        Law *const all[] = {&laws.jacobian_x,   &laws.jacobian_v, &laws.sum,       &laws.kinetic,   &laws.rest,
                            &laws.force,        &laws.power,      &laws.start_x,   &laws.start_v,   &laws.velocity,
                            &laws.acceleration, &laws.period,     &laws.finite[0], &laws.finite[1], &laws.finite[2],
                            &laws.finite[3],    &laws.finite[4]};
        // One finding says it.
        if (laws.rest.wrong > laws.rest.others)
            laws.force.wrong = laws.force.judged = 0;
        findings_add(&check->findings, FINDING_RIGHT, 0, "%s() is finite: %zu states in %d sets of parameters",
                     check_motion(card), states, laws.places.sets);
        for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
            report(&laws, all[i]);
        if (laws.damped && !card->first_order)
            findings_add(
                &check->findings, FINDING_NOTE, lines_function(card, "energy"),
                "energy() changes along the motion at some of %zu states where a force depends on v or t: it is "
                "not judged there; promise `masses` and `potential`, with `dissipation` or `drive`, to have it judged",
                laws.unjudged);
    }
    places_free(&laws.places);
    exact_free(&laws.exact);
    return ok;
}
