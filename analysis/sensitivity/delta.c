// delta -- kernel densities of an output and of classes of it, the area between them, and its bootstrap.
#include "analysis/sensitivity/delta.h"
#include "analysis/sensitivity/resample.h"

enum { PLACES = 100, MOST_CLASSES = 48 };

// Where densities are found.
typedef struct DeltaPlaces {
    double first, step;
} DeltaPlaces;

// The points that are used, by ascending x, and a bootstrap sample of them.
typedef struct DeltaWork {
    size_t      count;
    double     *x, *y;              // [count]
    double     *drawn_x, *drawn_y;  // [count]
    uint32_t   *times;              // [count]: how often each point was drawn
    size_t      starts[MOST_CLASSES + 2];
    DeltaPlaces places;
} DeltaWork;

// Adds exp(-u^2 / 2) at the places on one side of y, u the distance in widths, from the place `at` on. Along even
// places the quotient of neighbours has a constant quotient itself: there are three exponentials, however many places.
static void add_side(double *density, long at, long direction, double u, double step)
{
    double value = exp(-0.5 * u * u), quotient = exp(-step * (u + 0.5 * step));
    for (const double next = exp(-step * step); at >= 0 && at < PLACES && value > 1e-24; at += direction) {
        density[at] += value;
        value *= quotient;
        quotient *= next;
    }
}

// The kernel density of y[count] by Silverman's width. False where all y are the same.
static bool find_density(const DeltaPlaces *places, const double *y, size_t count, double *density)
{
    ResampleSpread spread = {0};
    for (size_t i = 0; i < count; ++i)
        resample_add(&spread, y[i]);
    const double width = resample_deviation(&spread) * pow(0.75 * (double)count, -0.2), step = places->step / width;
    if (!(spread.squares > 0.0 && isfinite(step)))
        return false;
    for (size_t k = 0; k < PLACES; ++k)
        density[k] = 0.0;
    for (size_t i = 0; i < count; ++i) {
        const double place = (y[i] - places->first) / places->step;
        const long   below = (long)fmin(fmax(floor(place), 0.0), PLACES - 1);
        add_side(density, below, -1, (place - (double)below) * step, step);
        add_side(density, below + 1, 1, ((double)below + 1.0 - place) * step, step);
    }
    for (size_t k = 0; k < PLACES; ++k)
        density[k] /= (double)count * width * 2.5066282746310005024;
    return true;
}

// The area between two densities, by trapezia.
static double find_area(const DeltaPlaces *places, const double *a, const double *b)
{
    double area = 0.0;
    for (size_t k = 0; k < PLACES; ++k)
        area += fabs(a[k] - b[k]) * (k == 0 || k == PLACES - 1 ? 0.5 : 1.0);
    return area * places->step;
}

static double find_plain(DeltaWork *work, const double *x, const double *y, size_t classes, size_t *class_count)
{
    double all[PLACES], some[PLACES], sum = 0.0;
    *class_count = given_cut(x, work->count, classes, work->starts);
    const bool spread = find_density(&work->places, y, work->count, all);
    for (size_t c = 0; spread && c < *class_count; ++c) {
        const size_t start = work->starts[c], count = work->starts[c + 1] - start;
        const bool   wide = find_density(&work->places, y + start, count, some);
        sum += (double)count * (wide ? find_area(&work->places, all, some) : 2.0);
    }
    return spread ? 0.5 * sum / (double)work->count : (double)NAN;
}

// Neither index nor density ever sees which points were drawn twice.
static void draw(DeltaWork *work, uint64_t seed, uint64_t replicate)
{
    resample_draw(seed, replicate, work->count, work->times);
    for (size_t i = 0, next = 0; i < work->count; ++i)
        for (uint32_t k = 0; k < work->times[i]; ++k, ++next) {
            work->drawn_x[next] = work->x[i];
            work->drawn_y[next] = work->y[i];
        }
}

static bool make_work(const GivenOrder *order, const double *y, Arena *arena, DeltaWork *work, Error *err)
{
    *work = (DeltaWork){.x = arena_take(arena, order->count, sizeof *work->x, err),
                        .y = arena_take(arena, order->count, sizeof *work->y, err),
                        .drawn_x = arena_take(arena, order->count, sizeof *work->drawn_x, err),
                        .drawn_y = arena_take(arena, order->count, sizeof *work->drawn_y, err),
                        .times = arena_take(arena, order->count, sizeof *work->times, err)};
    if (!work->x || !work->y || !work->drawn_x || !work->drawn_y || !work->times)
        return false;
    for (size_t i = 0; i < order->count; ++i)
        if (isfinite(y[order->points[i]])) {
            work->x[work->count] = order->x[i];
            work->y[work->count++] = y[order->points[i]];
        }
    return true;
}

static size_t find_classes(size_t count)
{
    const double n = (double)count;
    return (size_t)fmin(ceil(pow(n, 2.0 / (7.0 + tanh((1500.0 - n) / 500.0)))), MOST_CLASSES);
}

// The outcome; and the places, from the least to the largest y.
static Outcome describe(DeltaWork *work)
{
    double         least = INFINITY, most = -INFINITY;
    int            exponent;
    ResampleSpread spread = {0};
    for (size_t i = 0; i < work->count; ++i) {
        least = fmin(least, work->y[i]);
        most = fmax(most, work->y[i]);
        resample_add(&spread, work->y[i]);
    }
    const double squares = squares_about(work->y, work->count, spread.mean, &exponent);
    work->places = (DeltaPlaces){least, (most - least) / (PLACES - 1)};
    return outcome_of(work->count, 4, ldexp(squares / (double)work->count, 2 * exponent),
                      fmax(fabs(least), fabs(most)));
}

bool delta_find(const GivenOrder *order, const double *y, size_t replicates, uint64_t seed, Delta *found, Error *err)
{
    Arena          room SCOPED(arena_free) = {0};
    ResampleSpread spread = {0};
    DeltaWork      work;
    *found = (Delta){.plain = (double)NAN, .value = (double)NAN, .conf = (double)NAN};
    if (!make_work(order, y, &room, &work, err))
        return false;
    found->count = work.count;
    found->outcome = describe(&work);
    if (found->outcome != OUTCOME_FOUND)
        return true;
    const size_t classes = find_classes(work.count);
    size_t       drawn;
    found->plain = found->value = find_plain(&work, work.x, work.y, classes, &found->class_count);
    for (size_t r = 0; r < replicates; ++r) {
        draw(&work, seed, r);
        resample_add(&spread, find_plain(&work, work.drawn_x, work.drawn_y, classes, &drawn));
    }
    if (spread.count > 0)
        found->value = 2.0 * found->plain - spread.mean;
    found->conf = resample_half_width(resample_deviation(&spread));
    return true;
}
