// compose -- writes the prologue, and the kernel files behind it.
#include "compose/compose.h"

#include "catalog/functions.h"
#include "catalog/problem_c.h"
#include "compose/break_functions.h"
#include "compose/event_functions.h"
#include "compose/included.h"
#include "compose/literal.h"
#include "compose/metric_text.h"
#include "compose/outline.h"
#include "compose/tracks.h"

#include <string.h>

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
        literal_add(out, plan->precision == PRECISION_SINGLE ? (double)(float)scale[i] : scale[i]);
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
    if (group_tangents(group) > 0)
        text_add(out, "#define TANGENTS %zu\n#define STATE_DOF %zu\n#define COORDINATES %zu\n", group_tangents(group),
                 group_state_dofs(group), group->dofs);
    text_add(out, group->deviation_count > 0 ? "#define DEVIATIONS\n" : "");
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
    const char *const size = group_tangents(group) > 0 ? "STATE_DOF" : "DOF";
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

// The times of the samples, in the sweep's precision, where a trajectory has them.
static bool add_times(Text *out, const Group *group, Included *included, Error *err)
{
    const Trajectory *trajectory = &group->trajectory;
    if (!trajectory->times)
        return true;
    text_add(out, "#define SAMPLE_TIMES %zu\nconstant SCALAR TIMES[SAMPLE_TIMES] = {", trajectory->sample_count);
    for (size_t k = 0; k < trajectory->sample_count; ++k) {
        text_add(out, k == 0 ? "" : ", ");
        literal_add(out, group_sample_time(group, k));
    }
    text_add(out, "};\n");
    return included_add(out, "times.h", NULL, included, err);
}

static bool is_field_derivative(const Variable *variable)
{
    return variable->source == SOURCE_X_D || variable->source == SOURCE_V_D || variable->source == SOURCE_OBSERVED_D;
}

// The numbers of a field that is a derivative, where they stand behind the state's, or of a formula.
static void add_field_derivative(Text *out, const Group *group, const Variable *variable)
{
    const size_t first = (variable->tangent + 1) * group->dofs;
    if (variable->source == SOURCE_OBSERVED_D)
        text_add(out, " NUMBER(observed_%s_tangent(t, q->s.x, q->s.v, p, %zu))",
                 group->observing->list[variable->instance].name, variable->tangent);
    for (size_t i = 0; variable->per_dof && i < group->dofs; ++i)
        text_add(out, " NUMBER(q->s.%c[%zu])", variable->source == SOURCE_X_D ? 'x' : 'v', first + i);
}

static void add_frame(Text *out, const Group *group)
{
    text_add(out, "#define FRAME_ROWS %zu\n#define FRAME(VECTOR, NUMBER)", compose_rows(group).frame);
    for (size_t i = 0; i < group->variable_count; ++i)
        if (group->variables[i].source == SOURCE_OBSERVED)
            text_add(out, " NUMBER(observed_%s(t, q->s.x, q->s.v, p))", group->variables[i].name);
        else if (is_field_derivative(&group->variables[i]))
            add_field_derivative(out, group, &group->variables[i]);
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
    const size_t tangents = group_tangents(group) > 0 ? 3 * one + 2 * group_state_dofs(group) : 0;
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
    rows.state += group->deviation_count > 0 ? 2 * dofs : 0;
    for (size_t i = 0; i < group->instance_count; ++i)
        rows.state += group_metric_rows(group, &group->instances[i]);
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
    rows.kept = metric_text_kept(group, group->instance_count);
    rows.state += rows.kept;
    rows.numbers = RESULT_METRICS(dofs);
    for (size_t i = 0; i < group->variable_count; ++i) {
        if (group->variables[i].sampled)
            rows.results += group->variables[i].width;
        else if (group->variables[i].source == SOURCE_METRIC || group->variables[i].source == SOURCE_METRIC_D)
            rows.numbers += 1;
        if (group->variables[i].trajectory)
            rows.frame += group->variables[i].per_dof ? dofs : 1;
    }
    rows.tangents = rows.numbers;
    rows.numbers += 2 * (state_dofs - dofs);
    if (rows.frame) {
        // The number of the next sample, and the step before.
        rows.state += 1 + (group->trajectory.times && !group_arcs(group) ? 2 * state_dofs : 0);
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
    const bool added = included_add(text, "curve.h", NULL, included, err);
    text_add(text, "#line 1 \"prologue\"\n#define CURVES\n");
    curve_write_kernel(curves, text);
    for (size_t i = 0; i < curves->count; ++i)
        if (strcmp(curves->list[i].name, spec_data) == 0)
            text_add(text, "#define DATA_HEAD %llu\n#define DATA_COUNT %zu\n#define DATA_WIDTH %zu\n",
                     (unsigned long long)curves->list[i].head, curves->list[i].count,
                     curve_width(curves->list[i].between));
    return added;
}

// The tangents of the observed quantities that metrics and trajectories ask for.
static void add_observed_tangents(Text *text, const Group *group)
{
    const Observing *observing = group->observing;
    for (size_t k = 0; observing && k < observing->count; ++k) {
        bool asked = false;
        for (size_t i = 0; i < group->instance_count; ++i)
            asked =
                asked || (card_takes(group->instances[i].card, "of") && group->instances[i].of == OBSERVED_FORMULA &&
                          group->instances[i].of_dof == k && group_has_tangents(group, &group->instances[i]));
        bool field = false;
        for (size_t i = 0; i < group->variable_count; ++i)
            field = field || (group->variables[i].source == SOURCE_OBSERVED_D && group->variables[i].instance == k);
        if (asked || field)
            text_add(text, "#line 1 \"tangents of %s\"\n%s", observing->list[k].name, observing->list[k].tangents);
        if (field)
            text_add(text,
                     "static real observed_%s_tangent(real t, const real x[STATE_DOF], const real v[STATE_DOF], "
                     "const Params *p, int j)\n{\n    real d[TANGENTS];\n    observed_%s_tangents(t, x, v, p, d);\n"
                     "    return d[j];\n}\n",
                     observing->list[k].name, observing->list[k].name);
    }
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
    if (outlined && !included_add(text, "calls.h", NULL, included, err))
        return false;
    if (outlined)
        outline_begin(problem->text, text);
    if (!included_add(text, problem->path, problem->text, included, err))
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
    if (!card_provides(group->problem, "gradients"))
        return;
    // The numbers of which the problem has gradients: by the whole state, and by coordinates alone.
    static const struct {
        const char *name;
        bool        state;
    } numbers[] = {{"energy", true}, {"kinetic", true}, {"slow", false}, {"fast", false}};
    text_add(out, "#define GRADIENTS(STATE, PLACE)");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (card_provides(group->problem, numbers[i].name))
            text_add(out, " %s(%s)", numbers[i].state && !group->problem->first_order ? "STATE" : "PLACE",
                     numbers[i].name);
    text_add(out, "\n#define kinetic_or_none_tangents(x, v, p, d) %s\n",
             card_provides(group->problem, "kinetic") ? "kinetic_tangents(x, v, p, d)"
                                                      : "EACH_TANGENT(j) (d)[j] = ZERO");
}

// The method's file. Its vectors may have tangents behind them, and its accelerations are theirs too.
static bool add_method(Text *text, const Group *group, Included *included, Error *err)
{
    const Card *method = group->method;
    if (group_tangents(group) == 0)
        return included_add(text, method->path, method->text, included, err);
    bool ok = included_add(text, "tangent.h", NULL, included, err) &&
              (group->deviation_count == 0 || included_add(text, "deviations.h", NULL, included, err));
    add_observed_tangents(text, group);
    text_add(text, "#line 1 \"prologue\"\n#undef DOF\n#define DOF STATE_DOF\n"
                   "#define acceleration tangent_acceleration\n");
    ok = ok && included_add(text, method->path, method->text, included, err);
    text_add(text, "#line 1 \"prologue\"\n#undef DOF\n#define DOF COORDINATES\n#undef acceleration\n");
    return ok && (method->unknown == UNKNOWN_NONE || included_add(text, "tangent_solve.h", NULL, included, err));
}

// The text behind real.h: the prologue, the group's files and the kernel.
static bool add_group(Text *text, const Group *group, Included *included, Error *err)
{
    text_add(text, "#line 1 \"prologue\"\n");
    add_parameters(text, group->problem, group->problem_parameters, group->breaks, "Params", "PROBLEM_PARAMETERS", 'p');
    add_parameters(text, group->method, group->method_parameters, NULL, "MethodParams", "METHOD_PARAMETERS", 'm');
    if (card_provides(group->problem, "slopes"))
        problem_c_slopes(group->problem, text);
    if (card_provides(group->problem, "gradients"))
        problem_c_gradient(group->problem, text);
    if (group->derivative_count > 0)
        add_tangents(text, group);
    add_missing(text, group);
    if (group->problem->begin)
        text_add(text, "#define START_TIME(p) ((p)->%s)\n", group->problem->parameters[group->problem->begin - 1].name);
    add_state(text, group);
    text_add(text, "#define STATE_ROWS %zu\n#define RESULT_ROWS %zu\n", compose_rows(group).state,
             compose_rows(group).numbers);
    bool ok = add_curves(text, group->problem->curves, included, err) &&
              included_add(text, "matrix.h", NULL, included, err) && add_problem(text, group, included, err) &&
              (!group->problem->first_order || included_add(text, "first_order.h", NULL, included, err));
    add_observed(text, group);
    ok = ok &&
         (!group->breaks ||
          (included_add(text, "break_times.h", NULL, included, err) && break_functions_add(text, group, err))) &&
         (!group->events || event_functions_add(text, group, err)) &&
         included_add(text, "point.h", NULL, included, err) && included_add(text, "linear.h", NULL, included, err) &&
         included_add(text, "solution.h", NULL, included, err) && add_method(text, group, included, err);
    const Tracks tracks = tracks_of(group);
    tracks_add(text, &tracks);
    ok = ok && included_add(text, "observation.h", NULL, included, err);
    text_add(text, "#line 1 \"prologue\"\n");
    metric_text_arguments(text, group);
    for (size_t i = 0; ok && i < group->instance_count; ++i)
        ok = metric_text_instance(text, group, &tracks, i, included, err);
    if (ok) {
        text_add(text, "#line 1 \"prologue\"\n");
        metric_text_lists(text, group, &tracks);
        add_frame(text, group);
        ok = add_times(text, group, included, err) &&
             (!group->breaks || included_add(text, "breaks.h", NULL, included, err)) &&
             (!group->events || included_add(text, "events.h", NULL, included, err)) &&
             (!group_arcs(group) || included_add(text, "arcs.h", NULL, included, err)) &&
             included_add(text, "sweep.cl", NULL, included, err);
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
    bool ok = included_add(text, "real.h", NULL, &included, err) && add_group(&behind, group, &included, err) &&
              text_check(&behind, err);
    if (ok && functions_count_elementary(behind.text) > 0)
        ok = included_add(text, "elementary.h", NULL, &elementary, err);
    if (ok) {
        text_add_bytes(text, behind.text, behind.length);
        ok = text_check(text, err);
    }
    text_free(&behind);
    if (!ok)
        text_free(text);
    return ok;
}
