// card -- declarations in the first lines of a kernel file.
//
// Every file in kernels/problems, kernels/methods and kernels/metrics begins with lines "//: " that hold a YAML
// mapping: its card. The card is the file's only registration: names, defaults, units and ranges come from here and
// nowhere else. The keys of each kind are listed in kernels/README.md.
#pragma once

#include "base/arena.h"
#include "catalog/curve.h"

#include "kernels/shared.h"

#include <stddef.h>

// The most degrees of freedom that a problem can have, and observations that a metric can look back.
enum { CARD_DOFS = 256, CARD_PAST = 8 };

typedef enum CardKind { CARD_PROBLEM, CARD_METHOD, CARD_METRIC } CardKind;

// The unknown of Newton's method: fixes the units in which a residual is measured (method cards, key `unknown`).
typedef enum Unknown { UNKNOWN_NONE, UNKNOWN_VELOCITY, UNKNOWN_ACCELERATION } Unknown;

// How it is solved for (key `solver`): Newton's method; one linear solve per step, its solution taken as it is;
// Newton's method on the gradient of an objective, each update cut back until the objective falls; or linear stages
// with one matrix, that of the derivatives where the substep begins.
typedef enum Solver { SOLVER_NEWTON, SOLVER_LINEARISED, SOLVER_LINE_SEARCH, SOLVER_ROSENBROCK } Solver;

// One entry under `parameters:`. A parameter with choices is a name in the sweep file and a uniform int in the kernel.
typedef struct CardParameter {
    const char  *name, *unit, *about;
    double       initial;      // the default; for a choice its index
    bool         derived;      // `default: equations`, of a method: they give it where a sweep does not; initial is NAN
    double       least, most;  // permitted range; -INFINITY, INFINITY where none is declared
    bool         since_begin;  // `min: begin`: least is the time at which the motion begins, 0 or set by a sweep
    bool         least_open;   // `above: x` in place of `min: x`: least itself is not permitted
    bool         most_open;    // `below: x` in place of `max: x`
    bool         whole;        // `type: whole`
    const char **choices;      // [choice_count] or NULL
    size_t       choice_count;
} CardParameter;

// One entry under `coordinates:` of a problem.
typedef struct CardCoordinate {
    const char *name, *unit;
} CardCoordinate;

// Numbers that a kernel keeps only where a result or a field asks for it (key `records`).
#define CARD_RECORD(NAME, word) RECORD_##NAME,
typedef enum Record { RECORDS(CARD_RECORD) RECORD_COUNT } Record;
#undef CARD_RECORD

// The limit that a counter cannot pass (key `limit`): the steps of its point, the updates that the settings permit it,
// the depth to which they let steps be halved.
typedef enum Limit { LIMIT_NONE, LIMIT_STEPS, LIMIT_UPDATES, LIMIT_DEPTH } Limit;

// One entry under `results:` of a metric file: a number per point.
typedef struct CardResult {
    const char  *name, *unit, *about;
    bool         whole;                  // an integer counter: i64 in the result file, else f64
    bool         small;                  // one of 32 bits (`bits: 32`): i32 there
    Limit        limit;                  // of a counter: the most that it may be
    bool         records[RECORD_COUNT];  // records that the kernel has to keep for it
    const char  *samples;                // parameter of the card that says how many numbers it has; NULL: one
    bool         per_dof;                // as many for each degree of freedom; with samples
    bool         tangent;                // it has derivatives, with `derivatives`; where the card has tangents
    const char **needs;                  // [need_count] in addition to the card's
    size_t       need_count;
} CardResult;

typedef struct Card {
    CardKind        kind;
    const char     *name;      // the file's stem
    const char     *title;     // one line
    const char     *equation;  // problems: the equation; methods and metrics: "" or the formula
    const char     *origin;    // methods: paper and equations (key `source`), else ""
    const char     *conventions, *rho_infinity, *critical, *conserves;  // methods: text, or ""
    const char     *path;              // "problems/pendulum.cl" for embedded files, else the path given
    const char     *text;              // the whole file
    bool            damped;            // problems made of formulas: the acceleration depends on v
    bool            first_order;       // problems: u' = rate(t, u); methods: suit such problems too
    size_t          dofs;              // problems: 1..256; the largest where a parameter says how many
    const char     *dofs_parameter;    // problems with `dofs: NAME`: that parameter, a whole constant; else NULL
    bool            banded;            // problems: the Newton matrix has a band, outside of which it is 0
    size_t          below, above;      // its width on either side of the diagonal
    size_t          begin;             // problems: 1 + the index of the parameter at which motions begin; 0: at t = 0
    CardCoordinate *coordinates;       // problems: [coordinate_count]
    size_t          coordinate_count;  // dofs, or 1 with `dofs: NAME`: the stem of numbered names; 0: the card has none
    int             order;             // methods: order of accuracy of x and v
    int             order_damped;      // methods: the same where the acceleration depends on v
    int             order_driven;      // methods: the same where the acceleration depends on t
    Unknown         unknown;           // methods; UNKNOWN_NONE: explicit, no Newton
    Solver          solver;            // methods
    int             stages;            // implicit methods: solves per step, 1..8
    int             evaluations;       // explicit methods: accelerations per step, of an adaptive one per substep tried
    bool            adaptive;          // methods: chooses substeps by an error estimate
    int             error_order;       // adaptive methods: power of h by which the error of a substep falls
    bool            history;           // methods: needs the state one step back (x_prev, v_prev), a two-step method
    bool            extrapolates;      // methods: have an extrapolated guess, `newton: {guess: extrapolated}`
    const char    **provides;          // problems: optional functions defined, by their names in kernels/README.md
    size_t          provide_count;
    const char    **tables;  // problems: tables of the sweep file that the text asks for
    size_t          table_count;
    const CurveSet *curves;     // problems: these tables, set by the plan; NULL: the text asks for none
    const char    **stiffness;  // problems: parameters by which the cost of a point differs most
    size_t          stiffness_count;
    const char    **needs;  // methods, metrics: features of the problem; `newton`: only implicit methods have it;
                            // `of` needs a coordinate
    size_t       need_count;
    const char **state;  // methods: vectors of DOF kept between steps; metrics: reals kept between steps
    size_t       state_count;
    const char **scratch;  // methods: vectors of DOF handed from one stage of a step to the next
    size_t       scratch_count;
    const char **guess_state;  // methods that extrapolate: vectors of DOF that their guess keeps between substeps
    size_t       guess_state_count;
    // methods: lists of statements (host/equations), or NULL
    const struct YamlNode *equations, *equations_first, *equations_start, *tableau;
    const char           **counts;  // metrics: integers kept between steps
    size_t                 count_count;
    const char           **vectors;  // metrics: vectors of DOF kept between steps
    size_t                 vector_count;
    const char           **tangents;  // metrics: those of `state` and `vectors` that have tangents, with `derivatives`
    size_t                 tangent_count;
    const char            *deviations;     // metrics: parameter that says how many the kernel carries along; NULL: none
    const char           **tangent_state;  // metrics: reals kept between steps only with `derivatives`, with tangents
    size_t                 tangent_state_count;
    const char           **options;  // metrics: which of `of`, `window` (from, to) its entries accept
    size_t                 option_count;
    int                    past;  // metrics: observations before the last that they look at
    int  after_turn;              // metrics: observe only so many observations after a possible turn or zero; 0: all
    bool listed;                  // metrics: computed only where a sweep lists them
    bool of_events;               // metrics: made by the host of a sweep's events
    bool interpolates;  // metrics: looks between its observations, by kernels/between.h, which its file includes
    bool takes_arcs;    // and may be shown substeps (kernels/arcs.h): asks for no number that is found at steps
    CardParameter *parameters;  // of a metric, without a default: its entry must say it
    size_t         parameter_count;
    CardResult    *results;  // metrics
    size_t         result_count;
} Card;

// Reads the card of a kernel file.
//   path   borrowed text used in messages and kept in the card
//   text   the whole file, NUL-terminated; borrowed, must outlive the card
//   arena  owns everything else the card points to
// Errors: ERROR_INPUT (no card, unknown or missing key, wrong type; message "path:line:column: ..."), ERROR_INTERNAL.
bool card_read(const char *path, const char *text, Arena *arena, Card *card, Error *err);

// How many numbers a result of a point has, where the entry says so many samples.
size_t card_result_width(const CardResult *result, size_t samples, size_t dofs);

// How many numbers a metric keeps of a point between steps, of a problem with so many degrees of freedom.
size_t card_state_rows(const Card *metric, size_t dofs);

// The index of the parameter of that name; parameter_count where there is none.
size_t card_parameter(const Card *card, const char *name);

// Whether a method's parameter number i has an effect. It has none where the equations name it only in statements for
// derived parameters that have values of their own.
//   values  [parameter_count] NAN: the equations give it
bool card_parameter_counts(const Card *method, size_t i, const double *values);

// Whether a name stands in a text as a whole word.
bool card_names(const char *text, const char *name);

// Whether list[count] contains word.
bool card_lists(const char *const *list, size_t count, const char *word);

// Whether a card lists a name under `provides`, `needs` or `options`.
bool card_provides(const Card *card, const char *word);
bool card_needs(const Card *card, const char *word);
bool card_takes(const Card *card, const char *option);

// Where among a method's scratch vectors its dense output begins: dense_x_1, dense_v_1 to dense_v_3, its own state
// within a substep (kernels/between.h); scratch_count where it has none.
size_t card_dense(const Card *method);

// The key at a place of those that an entry of a sweep takes: of a metric its options, then the card's parameters.
// False behind the last.
bool card_key(const Card *card, size_t place, CardParameter *key);
