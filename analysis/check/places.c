// places -- sets of parameters, and a motion in each.
#include "analysis/check/places.h"
#include "analysis/check/slope.h"
#include "analysis/conform/judgement/scale.h"
#include "analysis/conform/points/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const long double part = 0.4L;  // of the fastest time from one station to the next

// The choices that are not a default: after the sets of drawn numbers each choice has a set.
static int count_choices(const Card *card)
{
    int count = 0;
    for (size_t i = 0; i < card->parameter_count; ++i)
        count += card->parameters[i].choices ? (int)card->parameters[i].choice_count - 1 : 0;
    return count;
}

bool places_make(const Card *card, const Exact *exact, size_t dofs, CheckPlaces *places, Error *err)
{
    *places =
        (CheckPlaces){.card = card, .exact = exact, .n = dofs, .sets = CHECK_SETS + count_choices(card), .seed = 7};
    places->params = calloc(1, exact->bytes);
    return places->params || fail(err, ERROR_INTERNAL, "out of memory");
}

void places_free(CheckPlaces *places)
{
    free(places->params);
    *places = (CheckPlaces){0};
}

// Loads the set's values, one of them moved.
static void load_moved(const CheckPlaces *places, size_t moved, long double by)
{
    long double values[CHECK_PARAMETERS] = {0};
    for (size_t i = 0; i < places->card->parameter_count; ++i)
        values[i] = places->values[i] + (i == moved ? by : 0.0L);
    places->exact->load(places->params, values);
}

static void load_values(CheckPlaces *places, int set)
{
    const Card *card = places->card;
    uint64_t    seed = 1;
    int         other = set - CHECK_SETS;  // the number of a choice other than the default
    // The numbers are the sweeps', so that a finding here can be met there.
    // A force that a choice switches on may be 0 by default: other choices come with drawn numbers.
    const int last = set < CHECK_SETS ? set : 1 + other % (CHECK_SETS - 1);
    for (int drawn = 0; drawn <= last; ++drawn)
        for (size_t i = 0; i < card->parameter_count; ++i)
            places->values[i] = check_value(&card->parameters[i], drawn, &seed);
    places->set = set;
    places->other = set >= CHECK_SETS;
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        const int            more = parameter->choices ? (int)parameter->choice_count - 1 : 0;
        if (other >= 0 && other < more)
            places->values[i] = other + (other >= (int)parameter->initial);
        other -= more;
    }
    load_moved(places, 0, 0.0L);
}

bool places_accelerate(const CheckPlaces *places, const CheckPlace *place, long double *a)
{
    for (size_t i = 0; i < places->n; ++i)
        a[i] = NAN;
    places->exact->acceleration(place->t, place->x, place->v, places->params, a);
    return isfinite(flow_norm(a, places->n)) && isfinite(flow_norm(place->x, places->n)) &&
           isfinite(flow_norm(place->v, places->n));
}

// The state of a first-order system stands in v, where methods have it within a step, and in x, where it is between
// steps (kernels/first_order.h).
static void settle(const CheckPlaces *places, CheckPlace *place)
{
    if (places->card->first_order)
        memcpy(place->x, place->v, sizeof place->x);
}

void places_ask(const void *user, long double by, long double *rows)
{
    const PlaceFunction *function = user;
    const CheckPlaces   *places = function->places;
    const Exact         *exact = places->exact;
    CheckPlace           moved = *function->place;
    if (function->of == OF_SOLUTION) {
        exact->exact(moved.t + by, places->params, rows, rows + places->n);
        return;
    }
    if (function->by_parameter)
        load_moved(places, function->component, by);
    else
        (function->by_v ? moved.v : moved.x)[function->component] += by;
    settle(places, &moved);
    switch (function->of) {
    case OF_ACCELERATION: places_accelerate(places, &moved, rows); break;
    case OF_POTENTIAL: *rows = exact->potential(moved.x, places->params); break;
    case OF_DISSIPATION: *rows = exact->dissipation(moved.x, moved.v, places->params); break;
    case OF_START: exact->initial_state(places->params, rows, rows + places->n); break;
    default: *rows = exact->energy(moved.x, moved.v, places->params);
    }
    if (function->by_parameter)
        load_moved(places, function->component, 0.0L);
}

long double places_scale(const PlaceFunction *function, double value, size_t rows, const long double *sizes)
{
    const long double scale = value != 0.0 ? fabsl((long double)value) : scale_find(places_ask, function, rows, sizes);
    return scale > 0.0L ? scale : 1.0L;
}

long double places_rate(const CheckPlaces *places)
{
    const CheckPlace *start = &places->states[0];
    long double       a[PLACES_DOFS], rate = places->rate;
    if (rate > 0.0L || !places->starts || !places_accelerate(places, start, a))
        return rate > 0.0L ? rate : 1.0L;
    const long double most = flow_norm(a, places->n), v = flow_norm(start->v, places->n),
                      x = flow_norm(start->x, places->n);
    rate = v > 0.0L ? most / v : x > 0.0L ? sqrtl(most / x) : 0.0L;
    return rate > 0.0L && isfinite(rate) ? rate : 1.0L;
}

// Row sums of the derivatives by x and by v at the initial state.
static void find_rate(CheckPlaces *places)
{
    long double sums[2][PLACES_DOFS] = {{0}};
    places->rate = 0.0L;
    for (size_t j = 0; j < 2 * places->n; ++j) {
        const bool          of_v = j >= places->n;
        const PlaceFunction function = {places, &places->states[0], j % places->n, of_v, OF_ACCELERATION, false};
        Derivative          slopes[SLOPE_ROWS];
        const long double   at = (of_v ? places->states[0].v : places->states[0].x)[j % places->n];
        slope_find(places_ask, &function, places->n, places_scale(&function, (double)at, places->n, NULL), slopes);
        for (size_t i = 0; i < places->n; ++i)
            if (slopes[i].error <= 0.5L * fabsl(slopes[i].value))
                sums[of_v][i] += fabsl(slopes[i].value);
    }
    for (size_t i = 0; i < places->n; ++i)
        places->rate = fmaxl(places->rate, fmaxl(sqrtl(sums[0][i]), sums[1][i]));
}

static void add_state(CheckPlaces *places, const CheckPlace *place)
{
    long double a[PLACES_DOFS];
    if (places->state_count < PLACES_STATES && places_accelerate(places, place, a))
        places->states[places->state_count++] = *place;
}

static void follow(CheckPlaces *places)
{
    const long double length = part / places_rate(places);
    CheckPlace        now = places->states[0];
    Flow              flow = {.exact = places->exact, .params = places->params, .dofs = places->n, .unit = 0x1p-53L};
    long double       a[PLACES_DOFS];
    for (int k = 1; k < PLACES_STATIONS && places_accelerate(places, &now, a); ++k) {
        flow.rounding = 0x1p-46L * flow_norm(a, places->n);
        if (!flow_move(&flow, now.t, length, now.x, now.v))
            break;
        now.t += length;
        settle(places, &now);
        add_state(places, &now);
    }
}

// Of a component that never moves: its velocity reaches as far as its place goes in the fastest time, and the reverse.
// Of one that is 0 and stays there the acceleration says what is far.
static long double find_size(const CheckPlaces *places, bool of_v, size_t i)
{
    const long double   other = places->size[!of_v][i], rate = places_rate(places);
    const PlaceFunction function = {places, &places->states[0], i, of_v, OF_ACCELERATION, false};
    long double         a[PLACES_DOFS], largest[PLACES_DOFS] = {0};
    if (other > 0.0L)
        return of_v ? other * rate : other / rate;
    for (size_t s = 0; s < places->state_count; ++s)
        for (size_t k = 0; places_accelerate(places, &places->states[s], a) && k < places->n; ++k)
            largest[k] = fmaxl(largest[k], fabsl(a[k]));
    return flow_norm(largest, places->n) > 0.0L ? places_scale(&function, 0.0, places->n, largest) : 1.0L;
}

static void find_sizes(CheckPlaces *places)
{
    long double found[2][PLACES_DOFS];
    memset(places->size, 0, sizeof places->size);
    places->largest[0] = places->largest[1] = 0.0L;
    for (size_t s = 0; s < places->state_count; ++s)
        for (size_t i = 0; i < places->n; ++i) {
            places->size[0][i] = fmaxl(places->size[0][i], fabsl(places->states[s].x[i]));
            places->size[1][i] = fmaxl(places->size[1][i], fabsl(places->states[s].v[i]));
        }
    for (size_t i = 0; i < places->n; ++i)
        for (int k = 0; k < 2; ++k)
            found[k][i] = places->size[k][i] > 0.0L ? places->size[k][i] : find_size(places, k == 1, i);
    memcpy(places->size, found, sizeof found);
    for (size_t i = 0; i < places->n; ++i)
        for (int k = 0; k < 2; ++k)
            places->largest[k] = fmaxl(places->largest[k], places->size[k][i]);
}

void places_load(CheckPlaces *places, int set)
{
    CheckPlace  start = {0};
    long double a[PLACES_DOFS];
    load_values(places, set);
    for (size_t i = 0; i < places->n; ++i)
        start.x[i] = start.v[i] = NAN;
    places->exact->initial_state(places->params, start.x, start.v);
    if (places->card->first_order)
        memcpy(start.v, start.x, sizeof start.v);
    places->starts = places_accelerate(places, &start, a);
    places->states[0] = start;
    places->state_count = places->starts;
    if (!places->starts)
        return;
    find_rate(places);
    follow(places);
    find_sizes(places);
    const size_t stations = places->state_count;
    for (size_t s = 0; s < PLACES_STATES; ++s) {
        CheckPlace off = places->states[s % stations];
        for (size_t i = 0; i < places->n; ++i) {
            off.x[i] += 0.4L * places->size[0][i] * (2.0L * check_draw(&places->seed) - 1.0L);
            off.v[i] += 0.4L * places->size[1][i] * (2.0L * check_draw(&places->seed) - 1.0L);
        }
        off.t += check_draw(&places->seed);
        settle(places, &off);
        add_state(places, &off);
    }
}

static void write_vector(const char *name, const long double *numbers, size_t n, Text *text)
{
    text_add(text, ", %s = ", name);
    for (size_t i = 0; i < n && i < 4; ++i)
        text_add(text, "%s%.6Lg", i ? ", " : n > 1 ? "(" : "", numbers[i]);
    text_add(text, n > 4 ? ", ...)" : n > 1 ? ")" : "");
}

void places_write(const CheckPlaces *places, const CheckPlace *place, Text *text)
{
    const char *before = ", with ";
    text_add(text, "t = %.6Lg", place->t);
    write_vector("x", place->x, places->n, text);
    if (!places->card->first_order)
        write_vector("v", place->v, places->n, text);
    for (size_t i = 0; i < places->card->parameter_count; ++i) {
        const CardParameter *parameter = &places->card->parameters[i];
        if (places->values[i] == parameter->initial)
            continue;
        if (parameter->choices)
            text_add(text, "%s%s = %s", before, parameter->name, parameter->choices[(size_t)places->values[i]]);
        else
            text_add(text, "%s%s = %.6g", before, parameter->name, places->values[i]);
        before = ", ";
    }
}
