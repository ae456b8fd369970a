// distribution -- distributions of the factors of a random design: quantiles, probabilities, ends.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum DistributionKind {
    DISTRIBUTION_UNIFORM,           // [a, b]
    DISTRIBUTION_LOGUNIFORM,        // [a, b], 0 < a: the logarithm is uniform
    DISTRIBUTION_NORMAL,            // [mean, deviation]
    DISTRIBUTION_TRUNCATED_NORMAL,  // [mean, deviation, a, b]: the normal one inside a..b
    DISTRIBUTION_LOGNORMAL,         // [mu, sigma] of the natural logarithm
    DISTRIBUTION_TRIANGULAR,        // [a, mode, b]
    DISTRIBUTION_BETA,              // [alpha, beta, a, b]: Beta(alpha, beta) on a..b
    DISTRIBUTION_CHOICE,            // [value, ...], each as likely as the others
    DISTRIBUTION_INTEGER,           // [a, b]: the whole numbers from a to b, each as likely as the others
    DISTRIBUTION_COUNT
} DistributionKind;

extern const char *const distribution_names[DISTRIBUTION_COUNT];      // "uniform", ...
extern const char *const distribution_arguments[DISTRIBUTION_COUNT];  // "a, b", ...

enum { DISTRIBUTION_NUMBERS = 4 };

typedef struct Distribution {
    DistributionKind kind;
    double           numbers[DISTRIBUTION_NUMBERS];  // as listed above
    const double    *values;                         // [value_count] of a choice; borrowed
    size_t           value_count;
} Distribution;

// How many numbers a kind takes; 0: any number of them.
size_t distribution_number_count(DistributionKind kind);

// Why the numbers make no distribution; NULL where they make one. Static text.
const char *distribution_refuses(const Distribution *distribution);

// The quantile of a probability u, 0 <= u <= 1; at 0 and 1 an end of the support, which may be infinite.
double distribution_quantile(const Distribution *distribution, double u);

// The value as far in the distribution as z is in the standard normal one: the quantile of the probability below z.
// Above the mean this keeps digits that the probability loses.
double distribution_at_normal(const Distribution *distribution, double z);

// The probability at or below x.
double distribution_probability(const Distribution *distribution, double x);

// Whether x takes finitely many values.
bool distribution_is_discrete(const Distribution *distribution);

// The smallest and the largest value, perhaps infinite.
void distribution_support(const Distribution *distribution, double *least, double *most);

// The standard deviation.
double distribution_deviation(const Distribution *distribution);

// The standard normal distribution, and its inverse.
double distribution_normal(double z);
double distribution_normal_quantile(double u);
