// polynomials -- recurrences in closed form, and by the discretised Stieltjes procedure on nodes.
#include "analysis/sensitivity/polynomials.h"

#include "base/arena.h"
#include "base/sort.h"

#include <math.h>

enum { GAUSS = 40, PANELS = 40 };

// Where the degree ends: the greatest inner product between two polynomials, by which they are not orthonormal.
static const double most_product = 1e-9;

// A measure of finitely many nodes; the weights sum to 1 once it is done.
typedef struct PolynomialNodes {
    double *places, *weights;  // [count]; in the arena
    size_t  count;
    Arena   arena;
} PolynomialNodes;

static bool make_nodes(PolynomialNodes *nodes, size_t room, Error *err)
{
    nodes->places = arena_take(&nodes->arena, room, sizeof(double), err);
    nodes->weights = arena_take(&nodes->arena, room, sizeof(double), err);
    return nodes->places && nodes->weights;
}

double polynomials_place(const Polynomials *polynomials, double x)
{
    return ((polynomials->logarithm ? log(x) : x) - polynomials->shift) / polynomials->scale;
}

void polynomials_find(const Polynomials *polynomials, double t, size_t degree, double *values)
{
    const double *root = polynomials->root;
    values[0] = 1.0;
    for (size_t k = 0; k < degree; ++k) {
        const double before = k > 0 ? root[k] * values[k - 1] : 0.0;
        values[k + 1] = ((t - polynomials->centre[k]) * values[k] - before) / root[k + 1];
    }
}

// Shifts and scales the nodes to mean 0 and variance 1. False where there is one place only.
static bool standardise(PolynomialNodes *nodes, Polynomials *polynomials)
{
    double sum = 0.0, mean = 0.0, variance = 0.0;
    for (size_t i = 0; i < nodes->count; ++i)
        sum += nodes->weights[i];
    for (size_t i = 0; i < nodes->count; ++i)
        mean += (nodes->weights[i] /= sum) * nodes->places[i];
    for (size_t i = 0; i < nodes->count; ++i)
        variance += nodes->weights[i] * (nodes->places[i] - mean) * (nodes->places[i] - mean);
    polynomials->shift = mean;
    polynomials->scale = variance > 0.0 ? sqrt(variance) : 1.0;
    for (size_t i = 0; i < nodes->count; ++i)
        nodes->places[i] = (nodes->places[i] - mean) / polynomials->scale;
    return nodes->count > 1 && variance > 0.0;
}

// The discretised Stieltjes procedure, for polynomials of norm 1; `now` and `before` are the last two at the nodes.
static void run_stieltjes(const PolynomialNodes *nodes, size_t degree, double *now, double *before,
                          Polynomials *polynomials)
{
    double *centre = polynomials->centre, *root = polynomials->root;
    for (size_t i = 0; i < nodes->count; ++i)
        now[i] = 1.0;
    for (size_t k = 0; k < degree; ++k) {
        double norm = 0.0;
        for (size_t i = 0; i < nodes->count; ++i)
            centre[k] += nodes->weights[i] * nodes->places[i] * now[i] * now[i];
        for (size_t i = 0; i < nodes->count; ++i) {
            const double next = (nodes->places[i] - centre[k]) * now[i] - (k > 0 ? root[k] * before[i] : 0.0);
            before[i] = now[i];
            now[i] = next;
            norm += nodes->weights[i] * next * next;
        }
        root[k + 1] = sqrt(norm);
        if (!(root[k + 1] > 0.0))
            return;
        for (size_t i = 0; i < nodes->count; ++i)
            now[i] /= root[k + 1];
        polynomials->degree = k + 1;
    }
}

// Lowers the degree to where the recurrence, in rounded numbers, still gives orthonormal polynomials.
static void limit_degree(const PolynomialNodes *nodes, Polynomials *polynomials)
{
    enum { MOST = POLYNOMIALS_MOST + 1 };
    double products[MOST][MOST] = {{0.0}}, values[MOST];
    for (size_t i = 0; i < nodes->count; ++i) {
        polynomials_find(polynomials, nodes->places[i], polynomials->degree, values);
        for (size_t k = 0; k <= polynomials->degree; ++k)
            for (size_t j = 0; j <= k; ++j)
                products[k][j] += nodes->weights[i] * values[k] * values[j];
    }
    for (size_t k = 0; k <= polynomials->degree; ++k)
        for (size_t j = 0; j <= k; ++j)
            if (!(fabs(products[k][j] - (j == k ? 1.0 : 0.0)) < most_product)) {
                polynomials->degree = k - 1;
                return;
            }
}

static bool make_from_nodes(PolynomialNodes *nodes, Polynomials *polynomials, Error *err)
{
    if (!standardise(nodes, polynomials))
        return true;
    const size_t degree = nodes->count - 1 < POLYNOMIALS_MOST ? nodes->count - 1 : POLYNOMIALS_MOST;
    double      *now = arena_take(&nodes->arena, 2 * nodes->count, sizeof *now, err);
    if (!now)
        return false;
    run_stieltjes(nodes, degree, now, now + nodes->count, polynomials);
    limit_degree(nodes, polynomials);
    return true;
}

// Each value once, with the number of times it is there.
bool polynomials_make_data(const double *values, size_t count, Polynomials *polynomials, Error *err)
{
    PolynomialNodes nodes = {0};
    bool            ok = count > 0 ? make_nodes(&nodes, count, err) : fail(err, ERROR_INPUT, "there are no values");
    *polynomials = (Polynomials){.scale = 1.0};
    for (size_t i = 0; ok && i < count; ++i) {
        nodes.places[i] = values[i];
        if (!isfinite(values[i]))
            ok = fail(err, ERROR_INPUT, "value %zu is %g, which has no place on its axis", i, values[i]);
    }
    if (ok)
        sort_numbers(nodes.places, count);
    for (size_t i = 0; ok && i < count; ++i) {
        if (nodes.count == 0 || nodes.places[i] != nodes.places[nodes.count - 1]) {
            nodes.places[nodes.count] = nodes.places[i];
            nodes.weights[nodes.count++] = 0.0;
        }
        nodes.weights[nodes.count - 1] += 1.0;
    }
    ok = ok && make_from_nodes(&nodes, polynomials, err);
    arena_free(&nodes.arena);
    return ok;
}

// The nodes and weights of Gauss and Legendre on -1..1, by Newton's method from Chebyshev's nodes.
static void find_gauss(double *places, double *weights)
{
    enum { STEPS = 20 };
    for (int i = 0; i < GAUSS; ++i) {
        double x = cos(M_PI * (i + 0.75) / (GAUSS + 0.5)), slope = 1.0;
        for (int step = 0; step < STEPS; ++step) {
            double now = x, before = 1.0;
            for (int k = 2; k <= GAUSS; ++k) {
                const double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
                before = now;
                now = next;
            }
            slope = GAUSS * (x * now - before) / (x * x - 1.0);
            x -= now / slope;
        }
        places[i] = x;
        weights[i] = 2.0 / ((1.0 - x * x) * slope * slope);
    }
}

typedef double Density(const double *numbers, double x);

// Adds `panels` equal panels between low and high, weighted by a density that is smooth there.
static void add_panels(PolynomialNodes *nodes, double low, double high, int panels, Density *density,
                       const double *numbers)
{
    double       places[GAUSS], weights[GAUSS];
    const double half = 0.5 * (high - low) / panels;
    find_gauss(places, weights);
    for (int panel = 0; panel < panels && half > 0.0; ++panel)
        for (int i = 0; i < GAUSS; ++i) {
            const double x = low + half * (2 * panel + 1 + places[i]);
            nodes->places[nodes->count] = x;
            nodes->weights[nodes->count++] = weights[i] * half * density(numbers, x);
        }
}

static double find_triangle(const double *n, double x)
{
    return x < n[1] ? (x - n[0]) / (n[1] - n[0]) : (n[2] - x) / (n[2] - n[1]);
}

// Of z = (x - mean) / deviation, relative to the density at n[0], where it is greatest.
static double find_bell(const double *n, double z)
{
    return exp(-0.5 * (z - n[0]) * (z + n[0]));
}

static bool make_triangular(const double *n, Polynomials *polynomials, Error *err)
{
    PolynomialNodes nodes = {0};
    bool            ok = make_nodes(&nodes, 2 * GAUSS, err);
    for (size_t side = 0; ok && side < 2; ++side)
        add_panels(&nodes, n[side], n[side + 1], 1, find_triangle, n);
    ok = ok && make_from_nodes(&nodes, polynomials, err);
    arena_free(&nodes.arena);
    return ok;
}

static bool make_truncated(const double *n, Polynomials *polynomials, Error *err)
{
    // Beyond where the density has fallen by exp(-200) nothing is left, at any degree.
    const double    low = (n[2] - n[0]) / n[1], high = (n[3] - n[0]) / n[1];
    const double    peak = fmin(fmax(0.0, low), high), reach = sqrt(peak * peak + 400.0);
    PolynomialNodes nodes = {0};
    bool            ok = make_nodes(&nodes, PANELS * GAUSS, err);
    if (ok)
        add_panels(&nodes, fmax(low, -reach), fmin(high, reach), PANELS, find_bell, &peak);
    ok = ok && make_from_nodes(&nodes, polynomials, err);
    arena_free(&nodes.arena);
    polynomials->shift = n[0] + n[1] * polynomials->shift;
    polynomials->scale *= n[1];
    return ok;
}

// t runs from -1 to 1 between the ends.
static void place_between(double low, double high, Polynomials *polynomials)
{
    polynomials->shift = 0.5 * low + 0.5 * high;
    polynomials->scale = 0.5 * high - 0.5 * low;
    polynomials->degree = POLYNOMIALS_MOST;
}

static void make_legendre(double low, double high, Polynomials *polynomials)
{
    place_between(low, high, polynomials);
    for (int k = 1; k <= POLYNOMIALS_MOST; ++k)
        polynomials->root[k] = k / sqrt(4.0 * k * k - 1.0);
}

static void make_hermite(double mean, double deviation, Polynomials *polynomials)
{
    polynomials->shift = mean;
    polynomials->scale = deviation;
    polynomials->degree = POLYNOMIALS_MOST;
    for (int k = 1; k <= POLYNOMIALS_MOST; ++k)
        polynomials->root[k] = sqrt(k);
}

// Gautschi 2004, table 1.1: of the weight (1 - t)^a (1 + t)^b.
static void make_jacobi(const double *n, Polynomials *polynomials)
{
    const double b = n[0] - 1.0, a = n[1] - 1.0, sum = a + b;
    place_between(n[2], n[3], polynomials);
    polynomials->centre[0] = (b - a) / (sum + 2.0);
    polynomials->root[1] = sqrt(4.0 * (1.0 + a) * (1.0 + b) / ((sum + 3.0) * (sum + 2.0) * (sum + 2.0)));
    for (int k = 1; k <= POLYNOMIALS_MOST; ++k) {
        const double twice = 2.0 * k + sum;
        polynomials->centre[k] = (b - a) * sum / (twice * (twice + 2.0));
        if (k > 1)
            polynomials->root[k] =
                sqrt(4.0 * k * (k + a) * (k + b) * (k + sum) / (twice * twice * (twice + 1.0) * (twice - 1.0)));
    }
}

// Gautschi 2004, table 1.2, on `count` whole numbers; the unit of t is half the distance between the ends.
static void make_discrete(const double *n, Polynomials *polynomials)
{
    const double count = n[1] - n[0] + 1.0, half = 0.5 * (count - 1.0);
    place_between(n[0], n[1], polynomials);
    if (count <= POLYNOMIALS_MOST)
        polynomials->degree = (size_t)count - 1;
    for (size_t k = 1; k <= polynomials->degree; ++k) {
        const double square = (double)k * (double)k;
        polynomials->root[k] =
            0.5 * sqrt(square * (count - (double)k) * (count + (double)k) / (4.0 * square - 1.0)) / half;
    }
}

bool polynomials_make(const Distribution *distribution, Polynomials *polynomials, Error *err)
{
    const double *n = distribution->numbers;
    *polynomials = (Polynomials){.scale = 1.0};
    polynomials->logarithm =
        distribution->kind == DISTRIBUTION_LOGUNIFORM || distribution->kind == DISTRIBUTION_LOGNORMAL;
    switch (distribution->kind) {
    case DISTRIBUTION_UNIFORM: make_legendre(n[0], n[1], polynomials); break;
    case DISTRIBUTION_LOGUNIFORM: make_legendre(log(n[0]), log(n[1]), polynomials); break;
    case DISTRIBUTION_NORMAL:
    case DISTRIBUTION_LOGNORMAL: make_hermite(n[0], n[1], polynomials); break;
    case DISTRIBUTION_TRUNCATED_NORMAL: return make_truncated(n, polynomials, err);
    case DISTRIBUTION_TRIANGULAR: return make_triangular(n, polynomials, err);
    case DISTRIBUTION_BETA: make_jacobi(n, polynomials); break;
    case DISTRIBUTION_CHOICE:
        return polynomials_make_data(distribution->values, distribution->value_count, polynomials, err);
    case DISTRIBUTION_INTEGER: make_discrete(n, polynomials); break;
    case DISTRIBUTION_COUNT: break;
    }
    return true;
}
