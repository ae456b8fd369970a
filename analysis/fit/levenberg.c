// levenberg -- steps of all fits that go on: solved for, evaluated in one batch, taken or refused.
#include "analysis/fit/levenberg.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *const levenberg_ends[LEVENBERG_END_COUNT] = {"running",  "squares",    "step",
                                                         "gradient", "iterations", "failed"};

// The damping at the start, and the largest, beyond which no step is found.
static const double first_damping = 1e-3, most_damping = 1e40;

// A fit on its way.
typedef struct LevenbergWay {
    LevenbergFit *fit;
    const double *lower, *upper;
    double       *scale;  // [parameters] D
    double        damping, growth;
    double        expected;  // sum of squares behind the step, by the model
    double        length;    // of the step, and of the parameters, both times D
    double        size;
} LevenbergWay;

typedef struct LevenbergRun {
    Levenberg    *levenberg;
    LevenbergWay *ways;       // [starts]
    size_t       *going;      // [running] numbers of the fits that go on
    double       *points;     // [starts][parameters] of a batch
    double       *triangles;  // [starts][...]
    bool         *fine;       // [starts]
} LevenbergRun;

static void grow_scale(const LevenbergRequest *request, LevenbergWay *way)
{
    for (size_t j = 0; j < request->parameters; ++j)
        way->scale[j] = fmax(way->scale[j], triangle_length(way->fit->triangle, request->parameters, j));
}

// Whether a parameter may move from where it stands: not on a bound that the gradient leads out of, nor held.
static bool may_move(const LevenbergWay *way, size_t k, size_t j)
{
    const double at = way->fit->point[j], slope = triangle_gradient(way->fit->triangle, k, j);
    return way->lower[j] < way->upper[j] && !(at <= way->lower[j] && slope >= 0.0) &&
           !(at >= way->upper[j] && slope <= 0.0);
}

// Whether no parameter that may move has a gradient to follow.
static bool is_flat(const LevenbergRequest *request, const LevenbergWay *way)
{
    const size_t k = request->parameters;
    const double norm = sqrt(way->fit->squares);
    for (size_t j = 0; j < k; ++j) {
        const double slope = fabs(triangle_gradient(way->fit->triangle, k, j)),
                     length = triangle_length(way->fit->triangle, k, j);
        if (may_move(way, k, j) && slope > request->least_cosine * length * norm)
            return false;
    }
    return true;
}

// The step, and the point behind it.
static void find_step(const LevenbergRequest *request, LevenbergWay *way, double *trial)
{
    const size_t  k = request->parameters;
    const double *point = way->fit->point;
    double        step[TRIANGLE_MOST] = {0}, scale[TRIANGLE_MOST] = {0};
    bool          free[TRIANGLE_MOST] = {false}, bent = true;
    for (size_t j = 0; j < k; ++j) {
        free[j] = may_move(way, k, j);
        scale[j] = way->scale[j] > 0.0 ? way->scale[j] : 1.0;
    }
    // Each round puts at least one more parameter onto its bound.
    while (bent) {
        bent = false;
        triangle_solve(way->fit->triangle, k, way->damping, scale, free, step);
        for (size_t j = 0; j < k; ++j) {
            const double there = point[j] + step[j];
            if (!free[j] || (there >= way->lower[j] && there <= way->upper[j]))
                continue;
            step[j] = (there < way->lower[j] ? way->lower[j] : way->upper[j]) - point[j];
            free[j] = false;
            bent = true;
        }
    }
    way->length = way->size = 0.0;
    for (size_t j = 0; j < k; ++j) {
        trial[j] = fmin(fmax(point[j] + step[j], way->lower[j]), way->upper[j]);
        way->length = hypot(way->length, way->scale[j] * step[j]);
        way->size = hypot(way->size, way->scale[j] * point[j]);
    }
    way->expected = triangle_squares_at(way->fit->triangle, k, step);
}

static void refuse(LevenbergWay *way)
{
    way->damping *= way->growth;
    way->growth *= 2.0;
}

// Takes the step or refuses it, and ends the fit where nothing is left to gain.
static void judge(const LevenbergRequest *request, LevenbergWay *way, const double *trial, const double *triangle,
                  bool fine)
{
    const size_t  k = request->parameters;
    LevenbergFit *fit = way->fit;
    const double  squares = fine ? triangle_squares(triangle, k) : INFINITY, before = fit->squares;
    const double  fall = before - squares, expected = before - way->expected;
    const bool    better = fall > 0.0 && expected > 0.0, small = way->length <= request->least_step * way->size,
               slight = expected <= request->least_fall * before && fabs(fall) <= request->least_fall * before;
    ++fit->iterations;
    if (better) {
        const double above = 2.0 * fall / expected - 1.0;
        way->damping *= fmax(1.0 / 3.0, 1.0 - above * above * above);
        way->growth = 2.0;
        memcpy(fit->point, trial, k * sizeof *trial);
        memcpy(fit->triangle, triangle, triangle_size(k) * sizeof *triangle);
        fit->squares = squares;
        grow_scale(request, way);
    } else {
        refuse(way);
    }
    if (slight)
        fit->end = LEVENBERG_SQUARES;
    else if (small || !(way->damping < most_damping))
        fit->end = LEVENBERG_STEP;
    else if (better && is_flat(request, way))
        fit->end = LEVENBERG_GRADIENT;
    else if (fit->iterations >= request->iterations)
        fit->end = LEVENBERG_ITERATIONS;
}

// Evaluates the points of the fits that go on.
static bool evaluate(LevenbergRun *run, Error *err)
{
    Levenberg              *levenberg = run->levenberg;
    const LevenbergRequest *request = levenberg->request;
    memset(run->triangles, 0, levenberg->running * triangle_size(request->parameters) * sizeof *run->triangles);
    if (!request->evaluate(run->points, levenberg->running, run->triangles, run->fine, request->user, err))
        return false;
    levenberg->evaluations += levenberg->running;
    for (size_t i = 0; i < levenberg->running; ++i) {
        const double squares =
            triangle_squares(run->triangles + i * triangle_size(request->parameters), request->parameters);
        run->fine[i] = run->fine[i] && isfinite(squares);
    }
    return true;
}

static void leave_out_ended(LevenbergRun *run)
{
    Levenberg *levenberg = run->levenberg;
    size_t     left = 0;
    levenberg->least = INFINITY;
    for (size_t i = 0; i < levenberg->running; ++i)
        if (run->ways[run->going[i]].fit->end == LEVENBERG_RUNNING)
            run->going[left++] = run->going[i];
    levenberg->running = left;
    for (size_t i = 0; i < levenberg->request->starts; ++i)
        if (levenberg->fits[i].end != LEVENBERG_FAILED)
            levenberg->least = fmin(levenberg->least, levenberg->fits[i].squares);
    if (levenberg->request->iterated)
        levenberg->request->iterated(levenberg, levenberg->request->user);
}

static bool begin(LevenbergRun *run, Error *err)
{
    Levenberg              *levenberg = run->levenberg;
    const LevenbergRequest *request = levenberg->request;
    const size_t            k = request->parameters, size = triangle_size(k);
    memcpy(run->points, request->points, request->starts * k * sizeof *run->points);
    levenberg->running = request->starts;
    if (!evaluate(run, err))
        return false;
    for (size_t i = 0; i < request->starts; ++i) {
        LevenbergWay *way = &run->ways[i];
        LevenbergFit *fit = way->fit;
        memcpy(fit->point, request->points + i * k, k * sizeof *fit->point);
        memcpy(fit->triangle, run->triangles + i * size, size * sizeof *fit->triangle);
        fit->squares = run->fine[i] ? triangle_squares(fit->triangle, k) : INFINITY;
        grow_scale(request, way);
        fit->end = !run->fine[i] ? LEVENBERG_FAILED : is_flat(request, way) ? LEVENBERG_GRADIENT : LEVENBERG_RUNNING;
        run->going[i] = i;
    }
    leave_out_ended(run);
    return true;
}

static bool iterate(LevenbergRun *run, Error *err)
{
    Levenberg              *levenberg = run->levenberg;
    const LevenbergRequest *request = levenberg->request;
    const size_t            k = request->parameters;
    for (size_t i = 0; i < levenberg->running; ++i)
        find_step(request, &run->ways[run->going[i]], run->points + i * k);
    if (!evaluate(run, err))
        return false;
    for (size_t i = 0; i < levenberg->running; ++i)
        judge(request, &run->ways[run->going[i]], run->points + i * k, run->triangles + i * triangle_size(k),
              run->fine[i]);
    ++levenberg->iteration;
    leave_out_ended(run);
    return true;
}

static bool make_run(LevenbergRun *run, Error *err)
{
    Levenberg              *levenberg = run->levenberg;
    const LevenbergRequest *request = levenberg->request;
    Arena                  *arena = &levenberg->arena;
    const size_t            n = request->starts, k = request->parameters, size = triangle_size(k);
    double                 *points = arena_take(arena, n, k * sizeof *points, err),
           *scales = arena_take(arena, n, k * sizeof *scales, err),
           *triangles = arena_take(arena, n, size * sizeof *triangles, err);
    levenberg->fits = arena_take(arena, n, sizeof *levenberg->fits, err);
    run->ways = arena_take(arena, n, sizeof *run->ways, err);
    run->going = arena_take(arena, n, sizeof *run->going, err);
    run->points = arena_take(arena, n, k * sizeof *run->points, err);
    run->triangles = arena_take(arena, n, size * sizeof *run->triangles, err);
    run->fine = arena_take(arena, n, sizeof *run->fine, err);
    if (!points || !scales || !triangles || !levenberg->fits || !run->ways || !run->going || !run->points ||
        !run->triangles || !run->fine)
        return false;
    for (size_t i = 0; i < n; ++i) {
        levenberg->fits[i] = (LevenbergFit){.point = points + i * k, .triangle = triangles + i * size};
        run->ways[i] = (LevenbergWay){.fit = &levenberg->fits[i],
                                      .lower = request->lower + i * k,
                                      .upper = request->upper + i * k,
                                      .scale = scales + i * k,
                                      .damping = first_damping,
                                      .growth = 2.0};
    }
    return true;
}

bool levenberg_run(const LevenbergRequest *request, Levenberg *levenberg, Error *err)
{
    LevenbergRun run = {.levenberg = levenberg};
    *levenberg = (Levenberg){.request = request, .least = INFINITY};
    bool ok = make_run(&run, err) && begin(&run, err);
    while (ok && levenberg->running > 0)
        ok = iterate(&run, err);
    return ok;
}

void levenberg_free(Levenberg *levenberg)
{
    arena_free(&levenberg->arena);
    *levenberg = (Levenberg){0};
}
