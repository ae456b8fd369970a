// distribution -- quantiles and probabilities in closed form; quantiles of Beta by Newton's method.
#include "design/distribution.h"

#include <math.h>

const char *const distribution_names[DISTRIBUTION_COUNT] = {
    "uniform", "loguniform", "normal", "truncated_normal", "lognormal", "triangular", "beta", "choice", "integer"};

const char *const distribution_arguments[DISTRIBUTION_COUNT] = {
    "a, b",       "a, b",       "mean, deviation",   "mean, deviation, a, b",
    "mu, sigma",  "a, mode, b", "alpha, beta, a, b", "value, ...",
    "first, last"};

static const size_t number_counts[DISTRIBUTION_COUNT] = {2, 2, 2, 4, 2, 3, 4, 0, 2};

// How far apart whole numbers may be, so that each is a double and their count too.
static const double most_whole = 0x1p53;

// With larger parameters the logarithms of the Gamma function leave a probability fewer than nine digits.
static const double most_beta = 1e6;

size_t distribution_number_count(DistributionKind kind)
{
    return number_counts[kind];
}

// Why two numbers cannot be the ends of a kind; NULL: they can.
static const char *refuse_ends(double a, double b)
{
    if (!(a < b))
        return "the first end must be less than the second";
    return isfinite(b - a) ? NULL : "the ends are too far apart";
}

static const char *refuse_integer(double a, double b)
{
    if (a != floor(a) || b != floor(b) || fabs(a) > most_whole || fabs(b) > most_whole || b - a >= most_whole)
        return "both ends must be whole numbers, with fewer than 2^53 between them";
    return refuse_ends(a, b);
}

// The quantiles are found between two probabilities: their difference must have digits, and not be so small that the
// density underflows.
static const char *refuse_truncated(const double *n)
{
    const double lower = (n[2] - n[0]) / n[1], upper = (n[3] - n[0]) / n[1];
    const double below = distribution_normal(lower > 0.0 ? -upper : lower),
                 above = distribution_normal(lower > 0.0 ? -lower : upper);
    if (!(n[2] < n[3]) || (above - below >= 0x1p-960 && above - below >= 0x1p-30 * above))
        return refuse_ends(n[2], n[3]);
    return "hardly anything of the normal distribution lies between the ends: move them, or use uniform";
}

static const char *refuse_beta(const double *n)
{
    if (!(n[0] > 0.0 && n[1] > 0.0 && n[0] <= most_beta && n[1] <= most_beta))
        return "alpha and beta must be greater than 0 and at most 10^6";
    return refuse_ends(n[2], n[3]);
}

const char *distribution_refuses(const Distribution *distribution)
{
    const double *n = distribution->numbers;
    switch (distribution->kind) {
    case DISTRIBUTION_UNIFORM: return refuse_ends(n[0], n[1]);
    case DISTRIBUTION_LOGUNIFORM: return n[0] > 0.0 ? refuse_ends(n[0], n[1]) : "the first end must be greater than 0";
    case DISTRIBUTION_NORMAL:
    case DISTRIBUTION_LOGNORMAL: return n[1] > 0.0 ? NULL : "the standard deviation must be greater than 0";
    case DISTRIBUTION_TRUNCATED_NORMAL:
        return n[1] > 0.0 ? refuse_truncated(n) : "the standard deviation must be greater than 0";
    case DISTRIBUTION_TRIANGULAR:
        return n[0] <= n[1] && n[1] <= n[2] ? refuse_ends(n[0], n[2]) : "the mode must lie between the ends";
    case DISTRIBUTION_BETA: return refuse_beta(n);
    case DISTRIBUTION_CHOICE: return distribution->value_count > 0 ? NULL : "a choice needs at least one value";
    case DISTRIBUTION_INTEGER: return refuse_integer(n[0], n[1]);
    case DISTRIBUTION_COUNT: break;
    }
    return "not a distribution";
}

double distribution_normal(double z)
{
    return 0.5 * erfc(-z * M_SQRT1_2);
}

// Lower tail, u > 1e-310: an approximation to 4.5e-4 (Abramowitz and Stegun, 26.2.23), then two steps of Halley's
// method, each of which triples the number of digits.
static double lower_normal_quantile(double u)
{
    const double t = sqrt(-2.0 * log(u));
    double z = (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
    for (int i = 0; i < 2; ++i) {
        // The residual divided by the density.
        const double step = (distribution_normal(z) - u) * exp(0.5 * z * z) / (0.5 * M_SQRT1_2 * M_2_SQRTPI);
        z -= step / (1.0 + 0.5 * z * step);
    }
    return z;
}

double distribution_normal_quantile(double u)
{
    if (u <= 0.0)
        return -INFINITY;
    if (u >= 1.0)
        return INFINITY;
    if (u == 0.5)
        return 0.0;
    return u < 0.5 ? lower_normal_quantile(u) : -lower_normal_quantile(1.0 - u);
}

// The standard normal value between lower and upper, u of the probability between them below it. Above the mean the
// mirror image has the digits.
static double truncated_quantile(double lower, double upper, double u)
{
    if (lower > 0.0)
        return -truncated_quantile(-upper, -lower, 1.0 - u);
    const double below = distribution_normal(lower);
    const double z = distribution_normal_quantile(below + u * (distribution_normal(upper) - below));
    return fmin(fmax(z, lower), upper);
}

static double truncated_probability(double lower, double upper, double z)
{
    if (z <= lower)
        return 0.0;
    if (z >= upper)
        return 1.0;
    if (lower > 0.0)
        return 1.0 - truncated_probability(-upper, -lower, -z);
    const double below = distribution_normal(lower);
    return (distribution_normal(z) - below) / (distribution_normal(upper) - below);
}

// x^a (1 - x)^b / (a B(a, b)) times the continued fraction of the incomplete Beta function (DLMF 8.17.22), which
// converges fast for x < (a + 1)/(a + b + 2). Evaluated by Lentz's method.
static double beta_fraction(double x, double a, double b)
{
    enum { TERMS = 10000 };
    const double tiny = 1e-300;
    double       c = 1.0, d = 1.0 / fmax(fabs(1.0 - (a + b) * x / (a + 1.0)), tiny), value = d;
    for (int m = 1; m <= TERMS; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
                     odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0));
        d = 1.0 / (1.0 + even * d);
        c = 1.0 + even / c;
        value *= d * c;
        d = 1.0 / (1.0 + odd * d);
        c = 1.0 + odd / c;
        value *= d * c;
        if (fabs(d * c - 1.0) < 1e-16)
            break;
    }
    return value * exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b)) / a;
}

// The regularised incomplete Beta function I_x(a, b).
static double beta_probability(double x, double a, double b)
{
    if (x <= 0.0 || x >= 1.0)
        return x <= 0.0 ? 0.0 : 1.0;
    return x < (a + 1.0) / (a + b + 2.0) ? beta_fraction(x, a, b) : 1.0 - beta_fraction(1.0 - x, b, a);
}

// Of a probability in the lower half: Newton's method for log I as a function of log x, which is nearly straight, from
// the leading term x^a / (a B(a, b)); halving where it leaves the bracket.
static double lower_beta_quantile(double u, double a, double b)
{
    enum { STEPS = 200 };
    const double log_beta = lgamma(a) + lgamma(b) - lgamma(a + b);
    double       low = -745.0, high = 0.0, y = (log(u) + log(a) + log_beta) / a;
    for (int i = 0; i < STEPS; ++i) {
        if (!(y > low && y < high))
            y = 0.5 * (low + high);
        const double x = exp(y), share = beta_probability(x, a, b), miss = log(share / u);
        if (miss > 0.0)
            high = y;
        else
            low = y;
        // The derivative of log I is x times the density over I.
        const double step = miss * share / exp(a * y + (b - 1.0) * log1p(-x) - log_beta);
        if (miss == 0.0 || fabs(step) <= 1e-16 * fmax(fabs(y), 1.0) || high - low <= 1e-16 * fabs(low))
            return exp(isfinite(step) ? y - step : y);
        y -= step;
    }
    return exp(y);
}

static double beta_quantile(double u, double a, double b)
{
    if (u <= 0.0 || u >= 1.0)
        return u <= 0.0 ? 0.0 : 1.0;
    if (u <= 0.5)
        return lower_beta_quantile(u, a, b);
    // The complement has the digits of the probability. Where the density is large, the digits of the value are behind
    // them.
    const double x = 1.0 - lower_beta_quantile(1.0 - u, b, a);
    const double log_density = (a - 1.0) * log(x) + (b - 1.0) * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b);
    return x < 0.5 && log_density > 0.0 ? lower_beta_quantile(u, a, b) : x;
}

// Fractions of the width are multiplied, not lengths: the square of a length may overflow.
static double triangular_quantile(const double *n, double u)
{
    const double width = n[2] - n[0], left = (n[1] - n[0]) / width;
    if (u <= 0.0 || u >= 1.0)
        return u <= 0.0 ? n[0] : n[2];
    if (u < left)
        return fmin(n[0] + width * sqrt(u * left), n[2]);
    return fmax(n[2] - width * sqrt((1.0 - u) * ((n[2] - n[1]) / width)), n[0]);
}

static double triangular_probability(const double *n, double x)
{
    const double width = n[2] - n[0];
    if (x <= n[0] || x >= n[2])
        return x <= n[0] ? 0.0 : 1.0;
    if (x < n[1])
        return (x - n[0]) / width * ((x - n[0]) / (n[1] - n[0]));
    return 1.0 - (n[2] - x) / width * ((n[2] - x) / (n[2] - n[1]));
}

// The index of one of `count` equally likely values.
static double pick(double count, double u)
{
    return fmin(floor(u * count), count - 1.0);
}

static double choice_probability(const Distribution *distribution, double x)
{
    size_t below = 0;
    for (size_t i = 0; i < distribution->value_count; ++i)
        below += distribution->values[i] <= x;
    return (double)below / (double)distribution->value_count;
}

// Exact at both ends; a + (b - a) may be more than b.
static double between(double a, double b, double u)
{
    return fmin(fmax(a * (1.0 - u) + b * u, a), b);
}

double distribution_quantile(const Distribution *distribution, double u)
{
    const double *n = distribution->numbers;
    switch (distribution->kind) {
    case DISTRIBUTION_UNIFORM: return between(n[0], n[1], u);
    case DISTRIBUTION_LOGUNIFORM:
        if (u <= 0.0 || u >= 1.0)
            return u <= 0.0 ? n[0] : n[1];
        return fmin(fmax(exp(between(log(n[0]), log(n[1]), u)), n[0]), n[1]);
    case DISTRIBUTION_NORMAL: return n[0] + n[1] * distribution_normal_quantile(u);
    case DISTRIBUTION_TRUNCATED_NORMAL:
        if (u <= 0.0 || u >= 1.0)
            return u <= 0.0 ? n[2] : n[3];
        return fmin(fmax(n[0] + n[1] * truncated_quantile((n[2] - n[0]) / n[1], (n[3] - n[0]) / n[1], u), n[2]), n[3]);
    case DISTRIBUTION_LOGNORMAL: return exp(n[0] + n[1] * distribution_normal_quantile(u));
    case DISTRIBUTION_TRIANGULAR: return triangular_quantile(n, u);
    case DISTRIBUTION_BETA: return between(n[2], n[3], beta_quantile(u, n[0], n[1]));
    case DISTRIBUTION_CHOICE: return distribution->values[(size_t)pick((double)distribution->value_count, u)];
    case DISTRIBUTION_INTEGER: return n[0] + pick(n[1] - n[0] + 1.0, u);
    case DISTRIBUTION_COUNT: break;
    }
    return (double)NAN;
}

double distribution_at_normal(const Distribution *distribution, double z)
{
    const double *n = distribution->numbers;
    if (distribution->kind == DISTRIBUTION_NORMAL)
        return n[0] + n[1] * z;
    if (distribution->kind == DISTRIBUTION_LOGNORMAL)
        return exp(n[0] + n[1] * z);
    // The mirror image has the digits.
    if (distribution->kind == DISTRIBUTION_TRUNCATED_NORMAL && z > 0.0) {
        const Distribution mirror = {.kind = distribution->kind, .numbers = {-n[0], n[1], -n[3], -n[2]}};
        return -distribution_quantile(&mirror, distribution_normal(-z));
    }
    // A probability may round up to 1, where a distribution without ends is infinite.
    return distribution_quantile(distribution, fmin(distribution_normal(z), 1.0 - 0x1p-53));
}

double distribution_probability(const Distribution *distribution, double x)
{
    const double *n = distribution->numbers;
    switch (distribution->kind) {
    case DISTRIBUTION_UNIFORM: return fmin(fmax((x - n[0]) / (n[1] - n[0]), 0.0), 1.0);
    case DISTRIBUTION_LOGUNIFORM: return x <= n[0] ? 0.0 : fmin((log(x) - log(n[0])) / (log(n[1]) - log(n[0])), 1.0);
    case DISTRIBUTION_NORMAL: return distribution_normal((x - n[0]) / n[1]);
    case DISTRIBUTION_TRUNCATED_NORMAL:
        return truncated_probability((n[2] - n[0]) / n[1], (n[3] - n[0]) / n[1], (x - n[0]) / n[1]);
    case DISTRIBUTION_LOGNORMAL: return x <= 0.0 ? 0.0 : distribution_normal((log(x) - n[0]) / n[1]);
    case DISTRIBUTION_TRIANGULAR: return triangular_probability(n, x);
    case DISTRIBUTION_BETA: return beta_probability((x - n[2]) / (n[3] - n[2]), n[0], n[1]);
    case DISTRIBUTION_CHOICE: return choice_probability(distribution, x);
    case DISTRIBUTION_INTEGER: return fmin(fmax((floor(x) - n[0] + 1.0) / (n[1] - n[0] + 1.0), 0.0), 1.0);
    case DISTRIBUTION_COUNT: break;
    }
    return (double)NAN;
}

bool distribution_is_discrete(const Distribution *distribution)
{
    return distribution->kind == DISTRIBUTION_CHOICE || distribution->kind == DISTRIBUTION_INTEGER;
}

void distribution_support(const Distribution *distribution, double *least, double *most)
{
    *least = distribution_quantile(distribution, 0.0);
    *most = distribution_quantile(distribution, 1.0);
    // The values of a choice are in the order in which they are written.
    for (size_t i = 0; distribution->kind == DISTRIBUTION_CHOICE && i < distribution->value_count; ++i) {
        *least = fmin(*least, distribution->values[i]);
        *most = fmax(*most, distribution->values[i]);
    }
}

// With t half of log(b / a) and m the root of a b, the variance is m^2 sinh t / t (cosh t - sinh t / t). Of a small t
// the difference is its series.
static double loguniform_deviation(double a, double b)
{
    enum { TERMS = 12 };
    const double t = 0.5 * log1p((b - a) / a), quotient = sinh(t) / t;
    double       apart = 0.0, term = 1.0;
    for (int k = 1; k <= TERMS && t < 1.0; ++k) {
        term *= t * t / (2.0 * k * (2.0 * k + 1.0));
        apart += 2.0 * k * term;
    }
    return sqrt(a) * sqrt(b) * sqrt(quotient * (t < 1.0 ? apart : cosh(t) - quotient));
}

// Of the standard normal one between two ends, by Gauss's rule of three nodes in equal panels: the closed form cancels
// where the ends are near to each other or far from 0. Beyond `far` the density is 1e-35 of its largest.
static double truncated_deviation(double lower, double upper)
{
    enum { PANELS = 512, NODES = 3 };
    static const double places[NODES] = {-0.77459666924148337704, 0.0, 0.77459666924148337704}, weights[] = {5, 8, 5};
    const double        peak = fmin(fmax(0.0, lower), upper), far = sqrt(peak * peak + 160.0);
    const double from = fmax(lower, peak < 0.0 ? -far : -sqrt(160.0)), to = fmin(upper, peak > 0.0 ? far : sqrt(160.0));
    double       whole = 0.0, first = 0.0, second = 0.0;
    for (int i = 0; i < PANELS; ++i)
        for (int k = 0; k < NODES; ++k) {
            const double part = ((double)i + 0.5 + 0.5 * places[k]) / PANELS, z = from + part * (to - from);
            const double weight = weights[k] * exp(-0.5 * (z - peak) * (z + peak)), step = part - first;
            whole += weight;
            first += step * weight / whole;
            second += weight * step * (part - first);
        }
    return (to - from) * sqrt(second / whole);
}

static double choice_deviation(const Distribution *distribution)
{
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < distribution->value_count; ++i) {
        const double step = distribution->values[i] - mean;
        mean += step / (double)(i + 1);
        squares += step * (distribution->values[i] - mean);
    }
    return sqrt(squares / (double)distribution->value_count);
}

double distribution_deviation(const Distribution *distribution)
{
    const double *n = distribution->numbers, width = n[1] - n[0];
    switch (distribution->kind) {
    case DISTRIBUTION_UNIFORM: return width / sqrt(12.0);
    case DISTRIBUTION_LOGUNIFORM: return loguniform_deviation(n[0], n[1]);
    case DISTRIBUTION_NORMAL: return n[1];
    case DISTRIBUTION_TRUNCATED_NORMAL: return n[1] * truncated_deviation((n[2] - n[0]) / n[1], (n[3] - n[0]) / n[1]);
    case DISTRIBUTION_LOGNORMAL: return exp(n[0] + 0.5 * n[1] * n[1]) * sqrt(expm1(n[1] * n[1]));
    case DISTRIBUTION_TRIANGULAR: {
        const double whole = n[2] - n[0], left = (n[1] - n[0]) / whole, right = (n[2] - n[1]) / whole;
        return whole * sqrt((left * left + left * right + right * right) / 18.0);
    }
    case DISTRIBUTION_BETA: return (n[3] - n[2]) * sqrt(n[0] * n[1] / (n[0] + n[1] + 1.0)) / (n[0] + n[1]);
    case DISTRIBUTION_CHOICE: return choice_deviation(distribution);
    case DISTRIBUTION_INTEGER: return sqrt(width / 12.0) * sqrt(width + 2.0);
    case DISTRIBUTION_COUNT: break;
    }
    return (double)NAN;
}
