// fit -- free parameters found, points of all starts and conditions run, residuals made of their samples.
#include "analysis/fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Numbers of samples of a launch, and points, at most.
enum { MOST_NUMBERS = 1 << 24, MOST_POINTS = 1 << 15 };

// A difference reaches to both sides by this part of a parameter, or of a thousandth of its spread where that is more.
static const double difference_part = 0x1p-13, difference_spread = 1e-3;

static bool is_range(const Axis *axis)
{
    return axis->form == FORM_RANDOM || axis->form == FORM_LINEAR || axis->form == FORM_LOG;
}

static bool is_discrete(const Group *group, const Axis *axis)
{
    return axis->whole || (!axis->values && distribution_is_discrete(&group->sampling->factors[axis->factor]));
}

bool fit_find_free(const char *path, const Measurements *data, const Group *group, const char *by[TRIANGLE_MOST],
                   size_t *count, Error *err)
{
    *count = 0;
    for (size_t a = 0; a < group->axis_count; ++a) {
        const Axis *axis = &group->axes[a];
        if (measurements_axis(data, axis->name) < data->axis_count)
            continue;
        if (axis->role != AXIS_PROBLEM || !is_range(axis)) {
            if (axis->values && axis->count == 1)
                continue;
            return fail(err, ERROR_INPUT,
                        "%s: group '%s': axis '%s' is neither fitted nor a column of %s: give it one value by -s", path,
                        group->label, axis->name, data->path);
        }
        if (is_discrete(group, axis))
            return fail(err, ERROR_INPUT,
                        "%s: group '%s': parameter '%s' takes certain numbers only and cannot be fitted: give it one "
                        "value by -s",
                        path, group->label, axis->name);
        if (*count == TRIANGLE_MOST)
            return fail(err, ERROR_INPUT, "%s: group '%s': more than %d parameters to fit", path, group->label,
                        TRIANGLE_MOST);
        by[(*count)++] = axis->name;
    }
    return *count > 0 || fail(err, ERROR_INPUT,
                              "%s: group '%s' has no parameter to fit: give some a distribution, as by --distribution "
                              "'NAME={uniform: [a, b]}', or a range, as {linear: [a, b, n]}",
                              path, group->label);
}

// Bounds and starts of a parameter.
static bool make_parameter(const Group *group, const char *name, FitParameter *made)
{
    const Axis          *axis = group_axis(group, name);
    const CardParameter *card = &group->problem->parameters[card_parameter(group->problem, name)];
    *made = (FitParameter){.name = name, .unit = axis->unit, .axis = (size_t)(axis - group->axes)};
    if (axis->values) {
        const double first = axis->values[0], last = axis->values[axis->count - 1];
        made->distribution =
            (Distribution){.kind = axis->form == FORM_LOG ? DISTRIBUTION_LOGUNIFORM : DISTRIBUTION_UNIFORM,
                           .numbers = {fmin(first, last), fmax(first, last)}};
    } else {
        made->distribution = group->sampling->factors[axis->factor];
    }
    distribution_support(&made->distribution, &made->lower, &made->upper);
    made->lower = fmax(made->lower, card->least_open ? nextafter(card->least, INFINITY) : card->least);
    made->upper = fmin(made->upper, card->most_open ? nextafter(card->most, -INFINITY) : card->most);
    made->spread = distribution_quantile(&made->distribution, 0.75) - distribution_quantile(&made->distribution, 0.25);
    return made->lower < made->upper;
}

static bool make_parameters(GroupFit *fit, Error *err)
{
    const char     *by[TRIANGLE_MOST];
    const GroupFit *given = fit;
    if (!fit_find_free(fit->request->path, fit->request->data, fit->group, by, &fit->parameter_count, err))
        return false;
    fit->parameters = arena_take(&fit->arena, fit->parameter_count, sizeof *fit->parameters, err);
    for (size_t j = 0; fit->parameters && j < fit->parameter_count; ++j)
        if (!make_parameter(given->group, by[j], &fit->parameters[j]))
            return fail(err, ERROR_INPUT, "%s: group '%s': parameter '%s' has no room between its bounds",
                        fit->request->path, fit->group->label, by[j]);
    return fit->parameters != NULL;
}

// Starts in the distributions, by a Sobol' sequence; a start out of the bounds stands on them.
static bool make_starts(GroupFit *fit, Error *err)
{
    const size_t  k = fit->parameter_count, n = (size_t)fit->request->starts;
    Distribution *factors = arena_take(&fit->arena, k, sizeof *factors, err);
    double       *points = arena_take(&fit->arena, n, k * sizeof *points, err),
           *lower = arena_take(&fit->arena, n, k * sizeof *lower, err),
           *upper = arena_take(&fit->arena, n, k * sizeof *upper, err);
    if (!factors || !points || !lower || !upper)
        return false;
    for (size_t j = 0; j < k; ++j)
        factors[j] = fit->parameters[j].distribution;
    Sampling starts = {.kind = SAMPLING_SOBOL,
                       .samples = n,
                       .seed = fit->request->seed,
                       .factors = factors,
                       .factor_count = k,
                       .group_count = k};
    if (!sampling_make(&starts, &fit->arena, err))
        return false;
    for (size_t i = 0; i < n * k; ++i) {
        const FitParameter *parameter = &fit->parameters[i % k];
        lower[i] = parameter->lower;
        upper[i] = parameter->upper;
        points[i] = fmin(fmax(sampling_value(&starts, i % k, i / k), lower[i]), upper[i]);
    }
    fit->asked.points = points;
    fit->asked.lower = lower;
    fit->asked.upper = upper;
    return true;
}

static bool check_group(const GroupFit *fit, Error *err)
{
    const Measurements *data = fit->request->data;
    for (size_t k = 0; k < data->axis_count; ++k)
        if (!group_axis(fit->group, data->axes[k]))
            return fail(err, ERROR_INPUT, "%s: group '%s' has no axis '%s', which %s has a column of",
                        fit->request->path, fit->group->label, data->axes[k], data->path);
    return data->count >= fit->parameter_count ||
           fail(err, ERROR_INPUT, "%s: %zu measured values are too few for %zu parameters", data->path, data->count,
                fit->parameter_count);
}

// The dataset of samples of a quantity, or of its derivative by a parameter.
static bool find_variables(GroupFit *fit, Error *err)
{
    const Measurements *data = fit->request->data;
    const size_t        width = 1 + (fit->derived ? fit->parameter_count : 0);
    fit->variables = arena_take(&fit->arena, data->quantity_count * width, sizeof *fit->variables, err);
    for (size_t i = 0; fit->variables && i < data->quantity_count * width; ++i) {
        const char *field = data->quantities[i / width].field;
        char        name[256];
        snprintf(name, sizeof name, "%s%s%s", field, i % width > 0 ? "_d_" : "",
                 i % width > 0 ? fit->parameters[i % width - 1].name : "");
        const Variable *variable = group_variable_named(fit->group, name);
        if (!variable || !variable->trajectory)
            return fail(err, ERROR_INTERNAL, "%s: no samples of '%s'", fit->request->path, name);
        fit->variables[i] = (size_t)(variable - fit->group->variables);
    }
    return fit->variables != NULL;
}

// A parameter's value at the point of a variant: its own, or a difference away from it, within its bounds.
static double parameter_at(const GroupFit *fit, const double *point, size_t j, size_t variant)
{
    const FitParameter *parameter = &fit->parameters[j];
    const double        reach = difference_part * fmax(fabs(point[j]), difference_spread * parameter->spread);
    if (variant == 0 || (variant - 1) / 2 != j)
        return point[j];
    return fmin(fmax(point[j] + (variant % 2 ? reach : -reach), parameter->lower), parameter->upper);
}

// Fills in the axes of point `at` of the list.
static void place(GroupFit *fit, const double *point, size_t condition, size_t variant, size_t at)
{
    const Measurements *data = fit->request->data;
    for (size_t a = 0; a < fit->group->axis_count; ++a) {
        const Axis  *axis = &fit->group->axes[a];
        const size_t k = measurements_axis(data, axis->name);
        fit->list.points.axes[a].values[at] = k < data->axis_count ? data->conditions[condition * data->axis_count + k]
                                              : axis->values       ? axis->values[0]
                                                                   : 0.0;
    }
    for (size_t j = 0; j < fit->parameter_count; ++j)
        fit->list.points.axes[fit->parameters[j].axis].values[at] = parameter_at(fit, point, j, variant);
}

// The sample of a dataset at a point of the list.
static double sample_at(const GroupFit *fit, const MeasuredValue *measured, size_t which, size_t at)
{
    const MeasuredQuantity *quantity = &fit->request->data->quantities[measured->quantity];
    const size_t            width = 1 + (fit->derived ? fit->parameter_count : 0);
    const size_t            variable = fit->variables[measured->quantity * width + which];
    const size_t            per = fit->group->variables[variable].per_dof ? fit->group->dofs : 1;
    return results_value(&fit->list.results, variable, at, measured->time * per + quantity->component);
}

// The residual of a measured value and its derivatives, of the point whose variants begin at `at`.
static void find_row(const GroupFit *fit, const double *point, const MeasuredValue *measured, size_t at, double *row)
{
    const size_t k = fit->parameter_count;
    for (size_t j = 0; j < k; ++j)
        row[j] = fit->derived
                     ? sample_at(fit, measured, 1 + j, at)
                     : (sample_at(fit, measured, 0, at + 1 + 2 * j) - sample_at(fit, measured, 0, at + 2 + 2 * j)) /
                           (parameter_at(fit, point, j, 1 + 2 * j) - parameter_at(fit, point, j, 2 + 2 * j));
    row[k] = sample_at(fit, measured, 0, at) - measured->value;
    for (size_t j = 0; j <= k; ++j)
        row[j] /= measured->sigma;
}

// Residuals of a parameter vector from a launch, where its points begin at `at`.
static bool take(const GroupFit *fit, const double *point, size_t at, double *triangle)
{
    const Measurements *data = fit->request->data;
    const size_t        k = fit->parameter_count;
    double              row[TRIANGLE_MOST + 1];
    for (size_t i = 0; i < data->condition_count * fit->variants; ++i)
        if ((Status)results_value(&fit->list.results, 0, at + i, 0) != STATUS_OK)
            return false;
    for (size_t i = 0; i < data->count; ++i) {
        find_row(fit, point, &data->list[i], at + data->list[i].condition * fit->variants, row);
        for (size_t j = 0; j <= k; ++j)
            if (!isfinite(row[j]))
                return false;
        triangle_add(triangle, k, row);
    }
    return true;
}

static bool evaluate(const double *points, size_t count, double *triangles, bool *fine, void *user, Error *err)
{
    GroupFit           *fit = user;
    const Measurements *data = fit->request->data;
    const size_t        k = fit->parameter_count, each = data->condition_count * fit->variants;
    size_t              part;
    for (size_t first = 0; first < count; first += part) {
        part = count - first < fit->room / each ? count - first : fit->room / each;
        for (size_t i = 0; i < part * each; ++i)
            place(fit, points + (first + i / each) * k, i % each / fit->variants, i % fit->variants, i);
        if (!point_list_run(&fit->list, part * each, err))
            return false;
        for (size_t i = 0; i < part; ++i)
            fine[first + i] = take(fit, points + (first + i) * k, i * each, triangles + (first + i) * triangle_size(k));
    }
    return true;
}

static void see_iteration(const Levenberg *levenberg, void *user)
{
    const GroupFit *fit = user;
    (void)levenberg;
    if (fit->request->iterated)
        fit->request->iterated(fit, fit->request->user);
}

bool fit_make(const FitRequest *request, const FitStudy *study, const Group *group, GroupFit *fit, Error *err)
{
    *fit = (GroupFit){.request = request,
                      .group = group,
                      .plan = &study->plan,
                      .study = study,
                      .derived = study->derived,
                      .below = (double)NAN};
    if (!make_parameters(fit, err) || !check_group(fit, err) || !make_starts(fit, err) || !find_variables(fit, err))
        return false;
    fit->variants = fit->derived ? 1 : 1 + 2 * fit->parameter_count;
    fit->asked.parameters = fit->parameter_count;
    fit->asked.starts = (size_t)request->starts;
    fit->asked.least_fall = 1e-13;
    fit->asked.least_step = 1e-12;
    fit->asked.least_cosine = 1e-12;
    fit->asked.iterations = (unsigned)request->iterations;
    fit->asked.evaluate = evaluate;
    fit->asked.iterated = see_iteration;
    fit->asked.user = fit;
    return true;
}

// How many points a launch has: those of all starts, or of the profiles' fits, or as many whole fits as there is room
// for.
static size_t find_room(const GroupFit *fit)
{
    const size_t each = fit->request->data->condition_count * fit->variants;
    size_t       numbers = 1;
    for (size_t v = 0; v < fit->group->variable_count; ++v)
        numbers += fit->group->variables[v].width;
    const size_t most = MOST_NUMBERS / numbers < MOST_POINTS ? MOST_NUMBERS / numbers : MOST_POINTS,
                 starts = most / each > 0 ? most / each : 1, own = (size_t)fit->request->starts,
                 wanted = own > fit->request->room ? own : fit->request->room;
    return each * (starts < wanted ? starts : wanted);
}

bool fit_build(GroupFit *fit, Error *err)
{
    fit->room = find_room(fit);
    fit->list = (PointList){.plan = fit->plan,
                            .group = fit->group,
                            .device = fit->request->device,
                            .notice = fit->request->notice,
                            .signals = fit->request->signals};
    return point_list_build(&fit->list, fit->room, true, &fit->arena, err);
}

bool fit_run(GroupFit *fit, Error *err)
{
    if (!fit_build(fit, err))
        return false;
    point_list_begin(&fit->list);
    const bool ok = levenberg_run(&fit->asked, &fit->levenberg, err);
    point_list_end(&fit->list);
    return ok || (err->kind != ERROR_STOPPED && within(err, "%s: group '%s'", fit->request->path, fit->group->label));
}

bool fit_show(GroupFit *fit, const double *point, double *numbers, Error *err)
{
    const Measurements *data = fit->request->data;
    const size_t times = fit->group->trajectory.sample_count, width = 1 + (fit->derived ? fit->parameter_count : 0);
    for (size_t c = 0; c < data->condition_count; ++c) {
        place(fit, point, c, 0, 0);
        if (!point_list_run(&fit->list, 1, err))
            return false;
        for (size_t i = 0; i < data->quantity_count * times; ++i) {
            const MeasuredQuantity *quantity = &data->quantities[i / times];
            const size_t            variable = fit->variables[i / times * width],
                         per = fit->group->variables[variable].per_dof ? fit->group->dofs : 1;
            numbers[c * data->quantity_count * times + i] =
                results_value(&fit->list.results, variable, 0, i % times * per + quantity->component);
        }
    }
    return true;
}

void fit_free(GroupFit *fit)
{
    point_list_free(&fit->list);
    levenberg_free(&fit->levenberg);
    arena_free(&fit->arena);
    *fit = (GroupFit){0};
}
