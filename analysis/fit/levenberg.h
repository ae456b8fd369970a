// levenberg -- the least sum of squares from many starts at once, within bounds, by the method of Levenberg and
// Marquardt.
//
// A step s from p minimises |J s + r|^2 + damping |D s|^2 within the bounds, D being the largest lengths that the
// columns of J had: J. J. More, The Levenberg-Marquardt algorithm: implementation and theory, Lecture Notes in
// Mathematics 630 (1978) 105-116. A parameter whose step would leave its bounds is put onto its bound, and the others
// are solved for again; one that stands on a bound and would leave it by the gradient does not move: C. Kanzow, N.
// Yamashita and M. Fukushima, Levenberg-Marquardt methods with strong local convergence properties for solving
// nonlinear equations with convex constraints, J. Comput. Appl. Math. 172 (2004) 375-397. The damping follows the ratio
// of the reduction to that of the model: H. B. Nielsen, Damping parameter in Marquardt's method, IMM-REP-1999-05.
//
// No number is compared with an absolute one: a fit takes the same steps whatever the units of parameters and residuals
// are. All starts that go on are evaluated in one batch, and those that have ended are left out. A point that has no
// sum of squares counts as a step that made it worse.
#pragma once

#include "analysis/fit/triangle.h"
#include "base/arena.h"

#include <stdint.h>

typedef enum LevenbergEnd {
    LEVENBERG_RUNNING,
    LEVENBERG_SQUARES,     // the sum of squares falls by a part below `least_fall`, and so it would by the model
    LEVENBERG_STEP,        // the step is below `least_step` of the parameters, both times D
    LEVENBERG_GRADIENT,    // the cosine between residuals and each column of J is below `least_cosine`
    LEVENBERG_ITERATIONS,  // there were as many as permitted
    LEVENBERG_FAILED,      // the start has no sum of squares
    LEVENBERG_END_COUNT
} LevenbergEnd;
extern const char *const levenberg_ends[LEVENBERG_END_COUNT];  // "running", "squares", ...

// A fit from one start.
typedef struct LevenbergFit {
    double      *point;     // [parameters]
    double      *triangle;  // [triangle_size(parameters)] there
    double       squares;   // r^T r there
    LevenbergEnd end;
    unsigned     iterations;
} LevenbergFit;

struct Levenberg;

typedef struct LevenbergRequest {
    size_t        parameters;  // 1..TRIANGLE_MOST
    size_t        starts;
    const double *points;         // [starts][parameters] within the bounds
    const double *lower, *upper;  // [starts][parameters] perhaps infinite; equal: the parameter is held
    double        least_fall, least_step, least_cosine;
    unsigned      iterations;
    // Evaluates residuals and their derivatives at points.
    //   points     [count][parameters]
    //   triangles  [count][triangle_size(parameters)] zeroed; written
    //   fine       [count] written: whether the point has finite numbers
    bool (*evaluate)(const double *points, size_t count, double *triangles, bool *fine, void *user, Error *err);
    void (*iterated)(const struct Levenberg *levenberg, void *user);  // after each iteration; or NULL
    void *user;
} LevenbergRequest;

// Release with levenberg_free(), also after a failure.
typedef struct Levenberg {
    const LevenbergRequest *request;
    LevenbergFit           *fits;         // [starts]
    size_t                  running;      // fits that go on
    unsigned                iteration;    // that ended last
    uint64_t                evaluations;  // points
    double                  least;        // sum of squares of all fits; INFINITY: none has one
    Arena                   arena;
} Levenberg;

// Runs all starts to their end.
//   request    borrowed; must outlive the fits
//   levenberg  written
// Errors: ERROR_INTERNAL (memory), those of evaluate().
bool levenberg_run(const LevenbergRequest *request, Levenberg *levenberg, Error *err);
void levenberg_free(Levenberg *levenberg);
