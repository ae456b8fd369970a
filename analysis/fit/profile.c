// profile -- sides of parameters on their way outwards, each with the solutions that it has found.
#include "analysis/fit/profile.h"

#include "analysis/fit/estimates.h"
#include "analysis/pairs/roots.h"
#include "base/scoped.h"

#include <math.h>
#include <string.h>

const char profile_all[] = "all";

// The values that are looked at first, in distances of the interval by J^T J.
static const double grid[] = {0.5, 1.0, 1.5, 2.0, 3.0, 4.0};
enum { GRID = sizeof grid / sizeof *grid, MOST_ROUNDS = 400, MOST_DOUBLINGS = 40, SEEDS = 2 + FIT_OPTIMA };

// Parts: of q by which tau may miss it; of the distance, to which brackets are narrowed; of the spread of a parameter's
// starts, the first values lying no further out; of the sum of squares by which another one is less.
static const double miss_part = 1e-9, width_part = 1e-9, spread_part = 1.0 / 8.0, less_part = 1e-9;

// A side of a parameter.
typedef struct ProfileSide {
    FitParameter *parameter;
    size_t        number;  // of the parameter
    double        sign, bound;
    double        unit;                 // distance of the first values
    GoldenNode    inside;               // the value furthest out with tau below q, and tau
    double        near[TRIANGLE_MOST];  // the solution there
    bool          held;                 // between two values: a bracket
    RootBracket   bracket;
    unsigned      doublings;
    bool          done;
} ProfileSide;

// A value of a parameter at which the others are fitted, and what is found.
typedef struct ProfileTry {
    ProfileSide *side;
    double       at, tau;
    double       point[TRIANGLE_MOST];
    size_t       starts;
    bool         narrows;  // it lies in the side's bracket
} ProfileTry;

typedef struct ProfileRun {
    GroupFit    *fit;
    ProfileSide *sides;  // [side_count]
    size_t       side_count;
    double       reach, error;  // q, s
    ProfileTry  *tries;         // [count] at most GRID of each side
    size_t       count;
    double      *points, *lower, *upper;  // [profile_room()][parameter_count]
} ProfileRun;

static size_t find_parameter(const GroupFit *fit, const char *name)
{
    size_t j = 0;
    while (j < fit->parameter_count && strcmp(fit->parameters[j].name, name) != 0)
        ++j;
    return j;
}

bool profile_check(const GroupFit *fit, const Words *names, Error *err)
{
    for (size_t i = 0; i < names->count; ++i) {
        Text known = {0};
        if (find_parameter(fit, names->items[i]) < fit->parameter_count || strcmp(names->items[i], profile_all) == 0)
            continue;
        for (size_t j = 0; j < fit->parameter_count; ++j)
            text_add(&known, "%s%s", j > 0 ? ", " : "", fit->parameters[j].name);
        fail(err, ERROR_USAGE, "--profile: '%.60s' is no parameter that is fitted; these are: %.200s, or %s",
             names->items[i], known.text ? known.text : "", profile_all);
        text_free(&known);
        return false;
    }
    return true;
}

size_t profile_room(size_t parameters)
{
    return 2 * parameters * GRID * SEEDS;
}

// Where the linear model has the others when a parameter moves from a solution to a value.
static void predict(const ProfileRun *run, const ProfileSide *side, const double *from, double at, double *point)
{
    const GroupFit *fit = run->fit;
    const size_t    k = fit->parameter_count, j = side->number;
    const double    variance = fit->inverse[j * k + j];
    for (size_t i = 0; i < k; ++i) {
        const FitParameter *other = &fit->parameters[i];
        const double        slope = variance > 0.0 ? fit->inverse[i * k + j] / variance : 0.0;
        point[i] = fmin(fmax(from[i] + slope * (at - from[j]), other->lower), other->upper);
    }
    point[j] = at;
}

// The starts of a value's fit. Returns how many there are.
static size_t add_starts(const ProfileRun *run, const ProfileTry *wanted, double *points)
{
    const GroupFit    *fit = run->fit;
    const ProfileSide *side = wanted->side;
    const size_t       k = fit->parameter_count;
    size_t             count = 0;
    predict(run, side, fit->optima[0].fit->point, wanted->at, points + count++ * k);
    if (side->inside.q != side->parameter->value)
        predict(run, side, side->near, wanted->at, points + count++ * k);
    for (size_t n = 1; n < fit->optimum_count; ++n) {
        memcpy(points + count * k, fit->optima[n].fit->point, k * sizeof *points);
        points[count++ * k + side->number] = wanted->at;
    }
    return count;
}

static double find_tau(ProfileRun *run, double squares)
{
    GroupFit    *fit = run->fit;
    const double rise = squares - fit->squares;
    if (-rise > less_part * fit->squares && !(squares >= fit->below))
        fit->below = squares;
    return rise > 0.0 ? sqrt(rise) / run->error : 0.0;
}

// Starts and bounds of a value's fits.
static void place_starts(const ProfileRun *run, ProfileTry *wanted, size_t first)
{
    const GroupFit *fit = run->fit;
    const size_t    k = fit->parameter_count;
    wanted->starts = add_starts(run, wanted, run->points + first * k);
    for (size_t i = first * k; i < (first + wanted->starts) * k; ++i) {
        const bool held = i % k == wanted->side->number;
        run->lower[i] = held ? wanted->at : fit->parameters[i % k].lower;
        run->upper[i] = held ? wanted->at : fit->parameters[i % k].upper;
    }
}

// Fits the others at all values, in one batch.
static bool solve(ProfileRun *run, Error *err)
{
    const size_t     k = run->fit->parameter_count;
    LevenbergRequest asked = run->fit->asked;
    Levenberg        levenberg = {0};
    asked.starts = 0;
    for (size_t t = 0; t < run->count; ++t) {
        place_starts(run, &run->tries[t], asked.starts);
        asked.starts += run->tries[t].starts;
    }
    asked.points = run->points;
    asked.lower = run->lower;
    asked.upper = run->upper;
    asked.iterated = NULL;
    const bool          ok = levenberg_run(&asked, &levenberg, err);
    const LevenbergFit *fits = levenberg.fits;
    for (size_t t = 0; ok && t < run->count; ++t) {
        ProfileTry         *wanted = &run->tries[t];
        const LevenbergFit *best = fits;
        for (size_t i = 1; i < wanted->starts; ++i)
            best = fits[i].squares < best->squares ? &fits[i] : best;
        memcpy(wanted->point, best->point, k * sizeof *best->point);
        wanted->tau = find_tau(run, best->squares);
        fits += wanted->starts;
    }
    levenberg_free(&levenberg);
    return ok;
}

static void end_side(ProfileSide *side, double at, double looked)
{
    const size_t which = side->sign > 0.0;
    side->done = true;
    side->parameter->ends[which] = at;
    side->parameter->looked[which] = looked;
}

// Takes in what was found at a value; values of a side come in the order of their distance.
static void take(const ProfileRun *run, const ProfileTry *found)
{
    ProfileSide     *side = found->side;
    const GoldenNode node = {found->at, found->tau};
    if (side->held && !found->narrows)
        return;
    if (found->narrows)
        roots_take(&side->bracket, node);
    if (found->tau < run->reach) {
        side->inside = node;
        memcpy(side->near, found->point, sizeof side->near);
        if (found->at == side->bound)
            end_side(side, (double)NAN, side->bound);
    } else if (!side->held) {
        side->bracket = roots_bracket(run->reach, side->inside, node);
        side->held = true;
    }
}

static void add_try(ProfileRun *run, ProfileSide *side, double at)
{
    run->tries[run->count++] = (ProfileTry){.side = side, .at = at, .narrows = side->held};
}

// A value at some distance, in units; the bound where it lies beyond.
static double place_of(const ProfileSide *side, double distance)
{
    const double at = side->parameter->value + side->sign * distance * side->unit;
    return side->sign > 0.0 ? fmin(at, side->bound) : fmax(at, side->bound);
}

static void begin_side(ProfileRun *run, size_t number, double sign)
{
    GroupFit     *fit = run->fit;
    FitParameter *of = &fit->parameters[number];
    ProfileSide  *side = &run->sides[run->side_count++];
    *side = (ProfileSide){.parameter = of,
                          .number = number,
                          .sign = sign,
                          .bound = sign > 0.0 ? of->upper : of->lower,
                          .unit = of->deviation > 0.0 ? fmin(run->reach * of->deviation, spread_part * of->spread)
                                                      : spread_part * of->spread,
                          .inside = {of->value, 0.0}};
    memcpy(side->near, fit->optima[0].fit->point, fit->parameter_count * sizeof *side->near);
    of->profiled = true;
    end_side(side, (double)NAN, of->value);
    side->done = of->value == side->bound;
    double last = of->value;
    for (size_t i = 0; i < GRID && !side->done && last != side->bound; ++i)
        add_try(run, side, last = place_of(side, grid[i]));
}

// The next value of a side, or its end.
static void go_on(ProfileRun *run, ProfileSide *side)
{
    GoldenNode best;
    if (!side->held) {
        if (++side->doublings > MOST_DOUBLINGS)
            end_side(side, (double)NAN, side->inside.q);
        else
            add_try(run, side, place_of(side, ldexp(grid[GRID - 1], (int)side->doublings)));
        return;
    }
    if (roots_best(&side->bracket, &best) > miss_part * run->reach)
        roots_narrow(&side->bracket, width_part * fabs(best.q - side->parameter->value));
    else
        side->bracket.done = true;
    if (side->bracket.done)
        end_side(side, best.q, best.q);
    else
        add_try(run, side, roots_next(&side->bracket));
}

static bool find_ends(ProfileRun *run, Error *err)
{
    for (int round = 0; run->count > 0 && round < MOST_ROUNDS; ++round) {
        if (!solve(run, err))
            return false;
        for (size_t t = 0; t < run->count; ++t)
            take(run, &run->tries[t]);
        run->count = 0;
        for (size_t i = 0; i < run->side_count; ++i)
            if (!run->sides[i].done)
                go_on(run, &run->sides[i]);
    }
    return true;
}

static bool is_wanted(const Words *names, const char *name)
{
    for (size_t i = 0; i < names->count; ++i)
        if (strcmp(names->items[i], name) == 0 || strcmp(names->items[i], profile_all) == 0)
            return true;
    return false;
}

bool profile_find(GroupFit *fit, const Words *names, Error *err)
{
    Arena        arena SCOPED(arena_free) = {0};
    const size_t k = fit->parameter_count, room = profile_room(k);
    ProfileRun   run = {.fit = fit,
                        .sides = arena_take(&arena, 2 * k, sizeof *run.sides, err),
                        .reach = estimates_reach(fit),
                        .error = fit->request->absolute ? 1.0 : fit->error,
                        .tries = arena_take(&arena, 2 * k * GRID, sizeof *run.tries, err),
                        .points = arena_take(&arena, room, k * sizeof *run.points, err),
                        .lower = arena_take(&arena, room, k * sizeof *run.lower, err),
                        .upper = arena_take(&arena, room, k * sizeof *run.upper, err)};
    if (!run.sides || !run.tries || !run.points || !run.lower || !run.upper || !profile_check(fit, names, err))
        return false;
    if (!isfinite(run.error) || !isfinite(run.reach))
        return fail(err, ERROR_INPUT,
                    "%s: --profile: %zu measured values for %zu parameters leave no error to measure by: give the "
                    "deviations of the errors, by --sigma absolute",
                    fit->request->data->path, fit->request->data->count, k);
    for (size_t j = 0; j < k; ++j)
        for (int side = 0; side < 2 && is_wanted(names, fit->parameters[j].name); ++side)
            begin_side(&run, j, side ? 1.0 : -1.0);
    return find_ends(&run, err);
}
