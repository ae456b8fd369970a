// compose -- writes the prologue and expands includes.
#include "compose/compose.h"

#include "catalog/functions.h"
#include "catalog/problem_c.h"
#include "compose/break_functions.h"
#include "compose/event_functions.h"
#include "compose/outline.h"
#include "compose/tracks.h"
#include "plan/metric.h"

#include <math.h>
#include <string.h>

enum { MAX_INCLUDED = 64 };

// The files already in the text: each is included once.
typedef struct Included {
    const char *paths[MAX_INCLUDED];
    size_t      count;
} Included;

static const char include_directive[] = "#include \"";

// The first line of a file, from a line on, that includes another; its length, and the path between its quotes. NULL:
// there is none.
//   text  the file from its beginning, in which `from` is the beginning of a line
static const char *find_include(const char *text, const char *from, size_t *length, char *path, size_t capacity)
{
    const size_t skip = sizeof include_directive - 1;
    for (const char *line = from; (line = strstr(line, include_directive)); line += skip) {
        const char  *quote = line + skip + strcspn(line + skip, "\"\n");
        const size_t size = (size_t)(quote - line) - skip;
        if ((line != text && line[-1] != '\n') || *quote != '"' || size == 0 || size >= capacity)
            continue;
        memcpy(path, line + skip, size);
        path[size] = '\0';
        *length = strcspn(line, "\n");
        return line;
    }
    return NULL;
}

static int count_lines(const char *from, const char *end)
{
    int count = 0;
    while ((from = memchr(from, '\n', (size_t)(end - from)))) {
        ++from;
        ++count;
    }
    return count;
}

// Adds a file, each of its includes in their place. `text_of` is the file's own text where it is not an embedded one.
static bool add_file(Text *out, const char *path, const char *text_of, Included *included, Error *err)
{
    for (size_t i = 0; i < included->count; ++i)
        if (strcmp(included->paths[i], path) == 0)
            return true;
    const char *text = text_of ? text_of : catalog_file(path);
    if (!text)
        return fail(err, ERROR_INPUT, "kernel file '%s' does not exist", path);
    if (included->count == MAX_INCLUDED)
        return fail(err, ERROR_INPUT, "kernel file '%s': more than %d files included", path, MAX_INCLUDED);
    included->paths[included->count++] = path;
    text_add(out, "#line 1 \"%s\"\n", path);
    const char *from = text, *line;
    char        wanted[256];
    size_t      length;
    for (int number = 1; (line = find_include(text, from, &length, wanted, sizeof wanted)); from = line + length) {
        // The table keeps the path, so it must be the catalog's own string and not this buffer.
        const char *kept = catalog_path(wanted);
        text_add_bytes(out, from, (size_t)(line - from));
        number += count_lines(from, line) + 1;
        if (!kept)
            return fail(err, ERROR_INPUT, "%s:%d: included file '%s' does not exist", path, number - 1, wanted);
        if (!add_file(out, kept, NULL, included, err))
            return false;
        text_add(out, "#line %d \"%s\"\n", number, path);
        length += line[length] == '\n';
    }
    length = strlen(from);
    text_add_bytes(out, from, length);
    if (length > 0 && from[length - 1] != '\n')
        text_add_bytes(out, "\n", 1);
    return true;
}

// A number as a C literal; infinities by name.
static void add_number(Text *out, double value)
{
    if (isinf(value))
        text_add(out, value > 0 ? "REAL_INFINITY" : "-REAL_INFINITY");
    else
        text_add(out, "%.17g%s", value, value == floor(value) && fabs(value) < 1e17 ? ".0" : "");
}

// struct Params or MethodParams, the macro that loads it, the names of choices, and GIVEN_OR() of derived parameters.
//   breaks  of the sweep, whose numbers stand there too; or NULL
static void add_parameters(Text *out, const Card *card, const Quantity *quantities, const Breaks *breaks,
                           const char *type, const char *list, char owner)
{
    size_t count = 0;
    text_add(out, "typedef struct %s {\n", type);
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (quantity_given(quantities[i])) {
            text_add(out, "    %s %s;\n", card->parameters[i].choice_count ? "int" : "real", card->parameters[i].name);
            ++count;
        }
    text_add(out, "%s", count == 0 ? "    int none;\n" : "");
    text_add(out, "%s", card->curves ? "    global const SCALAR *curves;\n" : "");
    if (breaks)
        text_add(out, "    real break_numbers[%zu], break_from, break_below;\n",
                 breaks->number_count ? breaks->number_count : 1);
    text_add(out, "} %s;\n", type);
    for (size_t i = 0; i < card->parameter_count; ++i)
        for (size_t c = 0; c < card->parameters[i].choice_count; ++c)
            text_add(out, "#define %s_%s %zu\n", card->parameters[i].name, card->parameters[i].choices[c], c);
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (card->parameters[i].derived)
            text_add(out, "#define GIVEN_%s(formula) %s%s\n", card->parameters[i].name,
                     quantity_given(quantities[i]) ? "m->" : "",
                     quantity_given(quantities[i]) ? card->parameters[i].name : "formula");
    text_add(out, card->kind == CARD_METHOD ? "#define GIVEN_OR(name, formula) GIVEN_##name(formula)\n" : "");
    text_add(out, "#define %s(X, CHOICE)", list);
    for (size_t i = 0; i < card->parameter_count; ++i) {
        if (!quantity_given(quantities[i]))
            continue;
        if (card->parameters[i].choice_count)
            text_add(out, " CHOICE(%c, %s, %d)", owner, card->parameters[i].name, (int)quantities[i].value);
        else
            text_add(out, " X(%c, %s)", owner, card->parameters[i].name);
    }
    text_add(out, "\n");
}

// The least sizes of coordinates that the sweep file sets, in the kernel's precision.
static void add_scale(Text *out, const Plan *plan, const Group *group)
{
    const double *scale = group->newton.scale;
    for (size_t i = 0; scale && i < group->dofs; ++i) {
        text_add(out, i == 0 ? "#define NEWTON_SCALE " : ", ");
        add_number(out, plan->precision == PRECISION_SINGLE ? (double)(float)scale[i] : scale[i]);
    }
    text_add(out, scale ? "\n" : "");
}

static void add_settings(Text *out, const Plan *plan, const Group *group)
{
    const bool implicit = group->method->unknown != UNKNOWN_NONE;
#define RECORD_NAME(NAME, word) #NAME,
    static const char *const records[RECORD_COUNT] = {RECORDS(RECORD_NAME)};
#undef RECORD_NAME
    static const char *const jacobians[] = {"CENTRAL", "FORWARD", "ANALYTIC"};
    static const char *const solvers[] = {"NEWTON", "LINEARISED", "LINE_SEARCH", "ROSENBROCK"};
    static const char *const starts[START_COUNT] = {"START_THETA1", "START_TRAPEZOIDAL", "START_VARIABLE"};
    text_add(
        out,
        "// pendula: problem %s, method %s, group %s, %s precision; build options: -D LANES=1|2|4|8|16|32 -D SINGLE=%d "
        "-D LOCAL_SIZE=1|64\n",
        group->problem->name, group->method->name, group->label,
        plan->precision == PRECISION_SINGLE ? "single" : "double", plan->precision == PRECISION_SINGLE);
    text_add(out, "#define DOF %zu\n", group->dofs);
    if (group->derivative_count > 0)
        text_add(out, "#define TANGENTS %zu\n#define STATE_DOF %zu\n#define COORDINATES %zu\n", group->derivative_count,
                 group_state_dofs(group), group->dofs);
    if (group->problem->banded)
        text_add(out, "#define BAND_BELOW %zu\n#define BAND_ABOVE %zu\n", group->problem->below, group->problem->above);
    text_add(out, "#define FIRST_ORDER %d\n", group->problem->first_order);
    text_add(out, "#define IMPLICIT %d\n", implicit);
    text_add(out, "#define RELATIVE %d\n", group_keeps_scale(group));
    text_add(out, "#define ADAPTIVE %d\n", group->method->adaptive);
    text_add(out, "#define EVALUATIONS %d\n", group->method->evaluations);
    text_add(out, "#define ERROR_ORDER %d\n", group->method->error_order);
    text_add(out, "#define HISTORY %d\n", group->method->history);
    text_add(out, "#define LINEAR_STAGES %d\n", group->method->solver == SOLVER_ROSENBROCK);
    if (implicit) {
        static const char *const stencils[2][2] = {{"SQRT_EPSILON", "CBRT_EPSILON"}, {"SQRT_POWER", "CBRT_POWER"}};
        text_add(out, "#define UNKNOWN_IS_VELOCITY %d\n", group->method->unknown == UNKNOWN_VELOCITY);
        text_add(out, "#define STENCIL %s\n",
                 stencils[group->newton.scaled_residual || group->method->solver == SOLVER_ROSENBROCK]
                         [group->newton.cube_root_stencil]);
        text_add(out, "#define FLOOR_GUARD %d\n", group->newton.floor_guard);
        add_scale(out, plan, group);
        text_add(out, "#define JACOBIAN %s\n", jacobians[group->newton.jacobian]);
        text_add(out, "#define MODIFIED %d\n", group->newton.modified);
        text_add(out, "#define EXTRAPOLATED %d\n", group->newton.extrapolated);
        text_add(out, "#define JACOBIAN_EVALUATIONS %zu\n", group_jacobian_evaluations(group));
        text_add(out, "#define STAGES %d\n", group->method->stages);
        text_add(out, "#define SOLVER %s\n", solvers[group->method->solver]);
        text_add(out, "#define START %s\n", starts[group->substeps.start]);
    } else {
        text_add(out, "#define MODIFIED 0\n#define JACOBIAN_EVALUATIONS 0\n#define STAGES 0\n");
    }
    for (int record = 0; record < RECORD_COUNT; ++record)
        text_add(out, "#define RECORD_%s %d\n", records[record], implicit && group_records(group, (Record)record));
    text_add(out, "#define MAX_DEPTH %d\n", group->substeps.max_depth);
    text_add(out, group_arcs(group) ? "#define ARCS\n" : "");
}

// Functions that the problem does not provide and a file may use all the same: the period, of a result that is not
// asked for then, and forces and energies that are not there.
static void add_missing(Text *out, const Group *group)
{
    const Card *problem = group->problem;
    if (!card_provides(problem, "period"))
        text_add(out, "#define period(p) NOT_A_NUMBER\n");
    if (!card_provides(problem, "dissipation"))
        text_add(out, "#define dissipation(x, v, p) ZERO\n");
    // By another name: a file may have a function of its own called kinetic().
    text_add(out, "#define kinetic_or_none(x, v, p) %s\n",
             card_provides(problem, "kinetic") ? "kinetic(x, v, p)" : "ZERO");
    if (!card_provides(problem, "fast"))
        text_add(out, "#define fast(x, p) ZERO\n");
    if (!card_provides(problem, "drive"))
        text_add(out, "#define drive(t, p, force) EACH_DOF(i) (force)[i] = ZERO\n");
    text_add(out, "#define DRIVEN %d\n", card_provides(problem, "drive"));
    text_add(out, "#define TABLE_ROWS %zu\n#define TABLE_X %d\n#define TABLE_LIMIT %d\n", group->solution.rows,
             group->solution.x, group->solution.limit);
    text_add(out, "#define SLOW %d\n", card_provides(problem, "slow"));
    text_add(out, "#define EXACT %d\n", card_provides(problem, "exact"));
    if (problem->first_order)
        text_add(out, "#define JACOBIAN_GIVEN %d\n", card_provides(problem, "jacobian"));
}

static void add_state(Text *out, const Group *group)
{
    const Card       *method = group->method;
    const char *const size = group->derivative_count > 0 ? "STATE_DOF" : "DOF";
    text_add(out, "typedef struct State {\n    real x[%s], v[%s];\n", size, size);
    for (size_t i = 0; i < method->state_count; ++i)
        text_add(out, "    real %s[%s];\n", method->state[i], size);
    const bool extrapolated = method->extrapolates && group->newton.extrapolated;
    for (size_t i = 0; extrapolated && i < method->guess_state_count; ++i)
        text_add(out, "    real %s[%s];\n", method->guess_state[i], size);
    for (size_t i = 0; i < method->scratch_count; ++i)
        text_add(out, "    real %s[%s];\n", method->scratch[i], size);
    if (method->history)
        text_add(out, "    real x_prev[%s], v_prev[%s];\n", size, size);
    text_add(out, "} State;\n#define OWN_STATE(X) X(x) X(v)");
    for (size_t i = 0; i < method->state_count; ++i)
        text_add(out, " X(%s)", method->state[i]);
    if (extrapolated)
        text_add(out, "\n#define GUESS_STATE(X)");
    for (size_t i = 0; extrapolated && i < method->guess_state_count; ++i)
        text_add(out, " X(%s)", method->guess_state[i]);
    text_add(out, "\n#define STATE(X) OWN_STATE(X)%s", extrapolated ? " GUESS_STATE(X)" : "");
    for (size_t i = 0; group->walked && i < method->scratch_count; ++i)
        text_add(out, " X(%s)", method->scratch[i]);
    text_add(out, "%s\n", method->history ? " X(x_prev) X(v_prev)" : "");
    if (!group_arcs(group) || card_dense(method) == method->scratch_count)
        return;
    text_add(out, "#define DENSE\n#define DENSE_STATE(X)");
    for (size_t i = card_dense(method); i < method->scratch_count; ++i)
        text_add(out, " X(%s)", method->scratch[i]);
    text_add(out, "\n");
}

// The mask of times within the window; where there is none it is a constant, and code that depends on it is left out.
static void add_window(Text *out, const Group *group, const MetricInstance *instance)
{
    if (instance->from <= (group->problem->begin ? -INFINITY : 0.0) && isinf(instance->to)) {
        text_add(out, "#define WITHIN(t) YES\n");
        return;
    }
    text_add(out, "#define WITHIN(t) (((t) >= ");
    add_number(out, instance->from);
    text_add(out, ") & ((t) <= ");
    add_number(out, instance->to);
    text_add(out, "))\n");
}

// The struct of the metrics' arguments, and the list that loads it: a parameter row each, in the order of the
// instances.
static void add_arguments(Text *out, const Group *group)
{
    size_t count = 0;
    text_add(out, "struct Arguments {\n");
    for (size_t i = 0; i < group->instance_count; ++i) {
        const Card *card = group->instances[i].card;
        if (card->parameter_count)
            text_add(out, "    struct {\n");
        for (size_t k = 0; k < card->parameter_count; ++k, ++count)
            text_add(out, "        %s %s;\n", card->parameters[k].choice_count ? "int" : "real",
                     card->parameters[k].name);
        if (card->parameter_count)
            text_add(out, "    } metric%zu;\n", i);
    }
    text_add(out, "%s};\n#define METRIC_ARGUMENTS(X, CHOICE)", count ? "" : "    int none;\n");
    for (size_t i = 0; i < group->instance_count; ++i)
        for (size_t k = 0; k < group->instances[i].card->parameter_count; ++k) {
            const CardParameter *parameter = &group->instances[i].card->parameters[k];
            text_add(out, " %s(arguments, metric%zu.%s", parameter->choice_count ? "CHOICE" : "X", i, parameter->name);
            if (parameter->choice_count)
                text_add(out, ", %d", (int)group->instances[i].arguments[k].value);
            text_add(out, ")");
        }
    text_add(out, "\n");
}

// The number of state rows that hold samples of the first instances.
static size_t kept_rows(const Group *group, size_t instances)
{
    size_t rows = 0;
    for (size_t i = 0; i < instances; ++i)
        for (size_t r = 0; r < group->instances[i].card->result_count; ++r) {
            const CardResult *result = &group->instances[i].card->results[r];
            rows += result->samples ? metric_width(&group->instances[i], result, group->dofs) : 0;
        }
    return rows;
}

// Where the samples of an instance stand among the state's rows that hold samples, for its file.
static void add_places(Text *out, const Group *group, size_t number)
{
    const MetricInstance *instance = &group->instances[number];
    size_t                row = kept_rows(group, number);
    for (size_t r = 0; r < instance->card->result_count; ++r) {
        const CardResult *result = &instance->card->results[r];
        if (!result->samples)
            continue;
        const size_t width = metric_width(instance, result, group->dofs), per = result->per_dof ? group->dofs : 1;
        text_add(out, "#define metric%zu_%s_AT %zu\n#define metric%zu_%s_PER %zu\n#define metric%zu_%s_MOST %zu\n",
                 number, result->name, row, number, result->name, per, number, result->name, width / per);
        row += width;
    }
}

static bool add_instance(Text *out, const Group *group, const Tracks *tracks, size_t number, Included *included,
                         Error *err)
{
    const MetricInstance *instance = &group->instances[number];
    const Card           *card = instance->card;
    text_add(out, "#define M(name) metric%zu_##name\n", number);
    if (card->parameter_count)
        text_add(out, "#define ARGUMENT(name) (o->arguments->metric%zu.name)\n", number);
    for (size_t i = 0; i < card->parameter_count; ++i)
        for (size_t c = 0; c < card->parameters[i].choice_count; ++c)
            text_add(out, "#define metric%zu_%s_%s %zu\n", number, card->parameters[i].name,
                     card->parameters[i].choices[c], c);
    add_places(out, group, number);
    if (card_takes(card, "of"))
        tracks_add_observed(out, tracks, group, instance);
    if (card_takes(card, "window")) {
        add_window(out, group, instance);
    }
    if (card_state_rows(card, 1)) {
        text_add(out, "typedef struct metric%zu_State {\n", number);
        for (size_t i = 0; i < card->state_count; ++i)
            text_add(out, "    real %s;\n", card->state[i]);
        for (size_t i = 0; i < card->vector_count; ++i)
            text_add(out, "    real %s[DOF];\n", card->vectors[i]);
        for (size_t i = 0; i < card->count_count; ++i)
            text_add(out, "    whole %s;\n", card->counts[i]);
        text_add(out, "} metric%zu_State;\n", number);
    }
    // A metric file may be run more than once, with other options: it is not "included" for good. The files that it
    // includes are.
    const size_t before = included->count;
    if (!add_file(out, card->path, card->text, included, err))
        return false;
    included->paths[before] = included->paths[--included->count];
    text_add(out, "#undef M\n#undef OF\n#undef OF_BEFORE\n#undef OF_STATE\n#undef WITHIN\n#undef ARGUMENT\n");
    return true;
}

static bool keeps_state(const MetricInstance *instance)
{
    return card_state_rows(instance->card, 1) > 0;
}

// The numbers of an instance's state: reals, then integers.
static void add_members(Text *out, const Card *card, size_t number, size_t dofs)
{
    for (size_t s = 0; s < card->state_count; ++s)
        text_add(out, " R(metric%zu.%s)", number, card->state[s]);
    for (size_t s = 0; s < card->vector_count; ++s)
        for (size_t k = 0; k < dofs; ++k)
            text_add(out, " R(metric%zu.%s[%zu])", number, card->vectors[s], k);
    for (size_t s = 0; s < card->count_count; ++s)
        text_add(out, " W(metric%zu.%s)", number, card->counts[s]);
}

// The lists of the metrics that are shown arcs, and of their numbers.
static void add_arc_lists(Text *out, const Group *group)
{
    text_add(out, "\n#define ARC_METRICS(X)");
    for (size_t i = 0; i < group->instance_count; ++i)
        if (card_takes_arcs(group->instances[i].card))
            text_add(out, " X(metric%zu)", i);
    text_add(out, "\n#define ARC_NUMBERS(R, W)");
    for (size_t i = 0; i < group->instance_count; ++i)
        if (card_takes_arcs(group->instances[i].card))
            add_members(out, group->instances[i].card, i, group->dofs);
}

// The struct of all metrics' states and the lists that start, observe, keep and save them.
static void add_metric_lists(Text *out, const Group *group, const Tracks *tracks)
{
    const bool arcs = group_arcs(group);
    size_t     rows = 0;
    for (size_t i = 0; i < group->instance_count; ++i)
        rows += card_state_rows(group->instances[i].card, group->dofs);
    text_add(out, "#define METRIC_ROWS %zu\n", rows);
    text_add(out, "typedef struct Metrics {\n%s", rows ? "" : "    int none;\n");
    for (size_t i = 0; i < group->instance_count; ++i)
        if (keeps_state(&group->instances[i]))
            text_add(out, "    metric%zu_State metric%zu;\n", i, i);
    text_add(out, "} Metrics;\n");
    text_add(out, "#define METRIC_NAMES(X)");
    for (size_t i = 0; i < group->instance_count; ++i)
        if (keeps_state(&group->instances[i]) && !group_shows_arcs(group, &group->instances[i]))
            text_add(out, " X(metric%zu, %zu, %d)", i, tracks_find(tracks, &group->instances[i]),
                     group->instances[i].card->after_turn);
    text_add(out, "\n#define METRICS(R, W)");
    for (size_t i = 0; i < group->instance_count; ++i)
        add_members(out, group->instances[i].card, i, group->dofs);
    if (arcs)
        add_arc_lists(out, group);
    text_add(out, "\n#define RESULTS(R, W)");
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        if (variable->source != SOURCE_METRIC || variable->sampled)
            continue;
        const MetricInstance *instance = &group->instances[variable->instance];
        const CardResult     *result = &instance->card->results[variable->result];
        if (group->method->unknown == UNKNOWN_NONE && card_needs(instance->card, "newton"))
            text_add(out, " R(NOT_A_NUMBER)");
        else if (keeps_state(instance))
            text_add(out, " %c(metric%zu_%s(o, &metrics->metric%zu))", result->whole ? 'W' : 'R', variable->instance,
                     result->name, variable->instance);
        else
            text_add(out, " %c(metric%zu_%s(q))", result->whole ? 'W' : 'R', variable->instance, result->name);
    }
    text_add(out, "\n");
}

// The list of results with several numbers, and how many of them are there: the metric's own count.
static void add_samples(Text *out, const Group *group)
{
    text_add(out, "#define KEPT_ROWS %zu\n#define SAMPLES(X)", kept_rows(group, group->instance_count));
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        if (!variable->sampled)
            continue;
        const char *name = group->instances[variable->instance].card->results[variable->result].name;
        text_add(out, " X(metric%zu_%s, metric%zu_%s(o, &metrics->metric%zu))", variable->instance, name,
                 variable->instance, name, variable->instance);
    }
    text_add(out, "\n");
}

// The times of the samples, in the sweep's precision, where a trajectory has them.
static bool add_times(Text *out, const Group *group, Included *included, Error *err)
{
    const Trajectory *trajectory = &group->trajectory;
    if (!trajectory->times)
        return true;
    text_add(out, "#define SAMPLE_TIMES %zu\nconstant SCALAR TIMES[SAMPLE_TIMES] = {", trajectory->sample_count);
    for (size_t k = 0; k < trajectory->sample_count; ++k) {
        text_add(out, k == 0 ? "" : ", ");
        add_number(out, group_sample_time(group, k));
    }
    text_add(out, "};\n");
    return add_file(out, "times.h", NULL, included, err);
}

static void add_frame(Text *out, const Group *group)
{
    text_add(out, "#define FRAME_ROWS %zu\n#define FRAME(VECTOR, NUMBER)", compose_rows(group).frame);
    for (size_t i = 0; i < group->variable_count; ++i)
        if (group->variables[i].source == SOURCE_OBSERVED)
            text_add(out, " NUMBER(observed_%s(t, q->s.x, q->s.v, p))", group->variables[i].name);
        else if (group->variables[i].trajectory)
            text_add(out, " %s(%s)", group->variables[i].per_dof ? "VECTOR" : "NUMBER",
                     field_table[group->variables[i].source - SOURCE_X].kernel);
    text_add(out, "\n");
}

// The matrix, with an analytic Jacobian its two derivatives, the one at the guess where that is kept, and copies for
// condition numbers. Linear stages keep both derivatives, the factors and which rows change places.
// Tangents have both derivatives and a matrix of their own, and right sides.
static size_t matrix_numbers(const Group *group)
{
    const Card  *problem = group->problem;
    const size_t n = group->dofs, whole = n * n,
                 one = problem->banded ? (n + problem->below) * (2 * problem->below + problem->above + 1) : whole;
    const bool   conditions = group_records(group, RECORD_CONDITION);
    const size_t tangents = group->derivative_count > 0 ? 3 * one + 2 * group_state_dofs(group) : 0;
    if (group->method->unknown == UNKNOWN_NONE)
        return tangents;
    const size_t made = group->newton.jacobian == JACOBIAN_ANALYTIC ? 3 : 1, kept = group->newton.modified ? 1 : 0,
                 copies = group_iterates(group) ? made + kept : 4;
    return copies * one + (conditions ? 3 * whole : 0) + tangents;
}

Rows compose_rows(const Group *group)
{
#define ROW_OF(name) PLACE_##name,
    enum { PLACE_ROWS(ROW_OF) };
#undef ROW_OF
#define ONE_ROW(member) +1
    const size_t point = 0 PLACE_ROWS(ONE_ROW) COUNTER_ROWS(ONE_ROW) CONDITION_ROWS(ONE_ROW);
    const size_t substep = 0 SUBSTEP_ROWS(ONE_ROW), broken = 0 BREAK_ROWS(ONE_ROW), searched = 0 EVENT_ROWS(ONE_ROW),
                 dofs = group->dofs, state_dofs = group_state_dofs(group);
#undef ONE_ROW
    const Card  *method = group->method;
    Rows         rows = {0};
    const size_t vectors =
        (2 + group_kept_vectors(group) + (group->walked ? method->scratch_count : 0) + (method->history ? 2 : 0)) *
            state_dofs +
        (group_keeps_scale(group) ? dofs : 0);
    rows.step = vectors + PLACE_step;
    rows.level = vectors + PLACE_level;
    rows.state = vectors + point + (method->adaptive ? substep : 0) + (group->breaks ? broken : 0);
    if (group->events)
        rows.state += searched + 2 * group->events->count + group->events->times;
    for (size_t i = 0; i < group->instance_count; ++i)
        rows.state += card_state_rows(group->instances[i].card, dofs);
    const Tracks tracks = tracks_of(group);
    rows.state += tracks_rows(&tracks);
    if (method->history)
        rows.stack = (size_t)group->substeps.max_depth * 2 * state_dofs;
    rows.parameters = ROW_PROBLEM + group->problem->parameter_count;
    for (size_t i = 0; i < method->parameter_count; ++i)
        rows.parameters += quantity_given(group->method_parameters[i]);
    for (size_t i = 0; i < group->instance_count; ++i)
        rows.parameters += group->instances[i].card->parameter_count;
    rows.parameters += group->breaks ? group->breaks->number_count : 0;
    rows.kept = kept_rows(group, group->instance_count);
    rows.state += rows.kept;
    rows.numbers = RESULT_METRICS(dofs);
    for (size_t i = 0; i < group->variable_count; ++i) {
        if (group->variables[i].sampled)
            rows.results += group->variables[i].width;
        else if (group->variables[i].source == SOURCE_METRIC)
            rows.numbers += 1;
        if (group->variables[i].trajectory)
            rows.frame += group->variables[i].per_dof ? dofs : 1;
    }
    rows.tangents = rows.numbers;
    rows.numbers += 2 * (state_dofs - dofs);
    if (rows.frame) {
        // The number of the next sample, and the step before.
        rows.state += 1 + (group->trajectory.times && !group_arcs(group) ? 2 * dofs : 0);
        rows.numbers += 1;  // how many samples there are
    }
    rows.results += rows.numbers;
    rows.matrix = matrix_numbers(group);
    return rows;
}

// The functions of the tables that the problem asks for.
static bool add_curves(Text *text, const CurveSet *curves, Included *included, Error *err)
{
    if (!curves)
        return true;
    const bool added = add_file(text, "curve.h", NULL, included, err);
    text_add(text, "#line 1 \"prologue\"\n#define CURVES\n");
    curve_write_kernel(curves, text);
    for (size_t i = 0; i < curves->count; ++i)
        if (strcmp(curves->list[i].name, spec_data) == 0)
            text_add(text, "#define DATA_HEAD %llu\n#define DATA_COUNT %zu\n#define DATA_WIDTH %zu\n",
                     (unsigned long long)curves->list[i].head, curves->list[i].count,
                     curve_width(curves->list[i].between));
    return added;
}

// The functions of the observed quantities that metrics and trajectories ask for.
static void add_observed(Text *text, const Group *group)
{
    const Observing *observing = group->observing;
    for (size_t k = 0; observing && k < observing->count; ++k) {
        bool asked = false;
        for (size_t i = 0; i < group->instance_count; ++i) {
            const MetricInstance *instance = &group->instances[i];
            asked = asked ||
                    (card_takes(instance->card, "of") && instance->of == OBSERVED_FORMULA && instance->of_dof == k);
        }
        for (size_t i = 0; i < group->variable_count; ++i)
            asked = asked || (group->variables[i].source == SOURCE_OBSERVED && group->variables[i].instance == k);
        if (asked)
            text_add(text, "#line 1 \"observe %s\"\n%s", observing->list[k].name, observing->list[k].kernel);
    }
}

// The problem's file; a long one between two texts that make calls of its functions.
static bool add_problem(Text *text, const Group *group, Included *included, Error *err)
{
    const Card *problem = group->problem;
    const bool  outlined = outline_needed(problem->text, group->dofs);
    if (outlined && !add_file(text, "calls.h", NULL, included, err))
        return false;
    if (outlined)
        outline_begin(problem->text, text);
    if (!add_file(text, problem->path, problem->text, included, err))
        return false;
    if (outlined)
        outline_end(text);
    return true;
}

// The parameters and the initial values that tangents are derivatives by, by the numbers of the tangents.
static void add_tangents(Text *out, const Group *group)
{
    text_add(out, "#define SLOPES(X)");
    for (size_t i = 0; i < group->derivative_count; ++i)
        if (group->derivatives[i].by == BY_PARAMETER)
            text_add(out, " X(%zu, %s)", i, group->derivatives[i].name);
    text_add(out, "\n#define START_VALUES(X)");
    for (size_t i = 0; i < group->derivative_count; ++i)
        if (group->derivatives[i].by != BY_PARAMETER)
            text_add(out, " X(%zu, %c, %zu)", i, group->derivatives[i].by == BY_COORDINATE ? 'x' : 'v',
                     group->derivatives[i].index);
    text_add(out, "\n");
}

// The method's file. With derivatives its vectors have tangents behind them, and its accelerations are theirs too.
static bool add_method(Text *text, const Group *group, Included *included, Error *err)
{
    const Card *method = group->method;
    if (group->derivative_count == 0)
        return add_file(text, method->path, method->text, included, err);
    bool ok = add_file(text, "tangent.h", NULL, included, err);
    text_add(text, "#line 1 \"prologue\"\n#undef DOF\n#define DOF STATE_DOF\n"
                   "#define acceleration tangent_acceleration\n");
    ok = ok && add_file(text, method->path, method->text, included, err);
    text_add(text, "#line 1 \"prologue\"\n#undef DOF\n#define DOF COORDINATES\n#undef acceleration\n");
    return ok && (method->unknown == UNKNOWN_NONE || add_file(text, "tangent_solve.h", NULL, included, err));
}

// The text behind real.h: the prologue, the group's files and the kernel.
static bool add_group(Text *text, const Group *group, Included *included, Error *err)
{
    text_add(text, "#line 1 \"prologue\"\n");
    add_parameters(text, group->problem, group->problem_parameters, group->breaks, "Params", "PROBLEM_PARAMETERS", 'p');
    add_parameters(text, group->method, group->method_parameters, NULL, "MethodParams", "METHOD_PARAMETERS", 'm');
    if (card_provides(group->problem, "slopes"))
        problem_c_slopes(group->problem, text);
    if (group->derivative_count > 0)
        add_tangents(text, group);
    add_missing(text, group);
    if (group->problem->begin)
        text_add(text, "#define START_TIME(p) ((p)->%s)\n", group->problem->parameters[group->problem->begin - 1].name);
    add_state(text, group);
    text_add(text, "#define STATE_ROWS %zu\n#define RESULT_ROWS %zu\n", compose_rows(group).state,
             compose_rows(group).numbers);
    bool ok = add_curves(text, group->problem->curves, included, err) &&
              add_file(text, "matrix.h", NULL, included, err) && add_problem(text, group, included, err) &&
              (!group->problem->first_order || add_file(text, "first_order.h", NULL, included, err));
    add_observed(text, group);
    ok = ok &&
         (!group->breaks ||
          (add_file(text, "break_times.h", NULL, included, err) && break_functions_add(text, group, err))) &&
         (!group->events || event_functions_add(text, group, err)) && add_file(text, "point.h", NULL, included, err) &&
         add_file(text, "linear.h", NULL, included, err) && add_file(text, "solution.h", NULL, included, err) &&
         add_method(text, group, included, err);
    const Tracks tracks = tracks_of(group);
    tracks_add(text, &tracks);
    ok = ok && add_file(text, "observation.h", NULL, included, err);
    text_add(text, "#line 1 \"prologue\"\n");
    add_arguments(text, group);
    for (size_t i = 0; ok && i < group->instance_count; ++i)
        ok = add_instance(text, group, &tracks, i, included, err);
    if (ok) {
        text_add(text, "#line 1 \"prologue\"\n");
        add_metric_lists(text, group, &tracks);
        add_samples(text, group);
        add_frame(text, group);
        ok = add_times(text, group, included, err) &&
             (!group->breaks || add_file(text, "breaks.h", NULL, included, err)) &&
             (!group->events || add_file(text, "events.h", NULL, included, err)) &&
             (!group_arcs(group) || add_file(text, "arcs.h", NULL, included, err)) &&
             add_file(text, "sweep.cl", NULL, included, err);
    }
    return ok;
}

bool compose(const Plan *plan, const Group *group, Text *text, Error *err)
{
    // Whether elementary.h is needed is known from the text behind it; an include of it there adds nothing.
    Included included = {.paths = {"elementary.h"}, .count = 1}, elementary = {0};
    Text     behind = {0};
    *text = (Text){0};
    add_settings(text, plan, group);
    bool ok = add_file(text, "real.h", NULL, &included, err) && add_group(&behind, group, &included, err) &&
              text_check(&behind, err);
    if (ok && functions_count_elementary(behind.text) > 0)
        ok = add_file(text, "elementary.h", NULL, &elementary, err);
    if (ok) {
        text_add_bytes(text, behind.text, behind.length);
        ok = text_check(text, err);
    }
    text_free(&behind);
    if (!ok)
        text_free(text);
    return ok;
}
