// attributes -- titles, settings, units and flags as HDF5 attributes.
#include "store/header.h"

#include "base/hash.h"
#include "plan/metric.h"
#include "plan/results.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char attributes_values[] = "flag_values", attributes_meanings[] = "flag_meanings",
           attributes_units[] = "coordinate_units", attributes_velocities[] = "velocities",
           attributes_velocity_units[] = "velocity_units";
const char attributes_fill[] = "_FillValue";

void attributes_fingerprint(const Plan *plan, char text[FINGERPRINT_DIGITS + 1])
{
    const uint64_t hash = hash_text(plan->fingerprint, plan->computed_by);
    snprintf(text, FINGERPRINT_DIGITS + 1, "%016" PRIx64, hash_bytes(hash, &plan->numbers, sizeof plan->numbers));
}

bool attributes_of_file(hid_t file, const Plan *plan)
{
    char fingerprint[FINGERPRINT_DIGITS + 1], numbers[16];
    attributes_fingerprint(plan, fingerprint);
    snprintf(numbers, sizeof numbers, "%d", plan->numbers);
    return h5_write_text(file, "Conventions", "CF-1.10") && h5_write_text(file, "title", plan->title) &&
           h5_write_text(file, "program", "pendula") && h5_write_text(file, "version", PENDULA_VERSION) &&
           h5_write_text(file, "problem", plan->problem->name) && h5_write_text(file, "sweep", plan->spec->text) &&
           h5_write_text(file, "overrides", plan->spec->overrides) && h5_write_text(file, "settings", plan->settings) &&
           h5_write_text(file, "fingerprint", fingerprint) && h5_write_text(file, "computed_by", plan->computed_by) &&
           h5_write_text(file, "numbers", numbers) && (!plan->part || h5_write_text(file, "shard", plan->part)) &&
           (!plan->history || h5_write_text(file, "history", plan->history)) &&
           h5_write_text(file, "precision", plan->precision == PRECISION_SINGLE ? "single" : "double");
}

// A quantity that follows an axis is a dataset, not an attribute.
static bool write_quantity(hid_t section, const char *name, Quantity quantity)
{
    return quantity.axis >= 0 || h5_write_double(section, name, quantity.value);
}

static bool write_whole_quantity(hid_t section, const char *name, Quantity quantity)
{
    return quantity.axis >= 0 || h5_write_whole(section, name, (int64_t)quantity.value);
}

// A parameter's attribute. `rival`, if not NULL, is the card whose parameters have the plain names.
static bool write_parameter(hid_t section, const Card *card, size_t index, Quantity quantity, const Card *rival)
{
    if (!quantity_given(quantity))
        return true;
    const CardParameter *parameter = &card->parameters[index];
    char                 name[512];
    bool                 taken = rival && card_parameter(rival, parameter->name) < rival->parameter_count;
    if (taken || H5Aexists(section, parameter->name) != 0)
        snprintf(name, sizeof name, "%s.%s", card->name, parameter->name);
    else
        snprintf(name, sizeof name, "%s", parameter->name);
    if (parameter->choice_count > 0 && quantity.axis < 0)
        return h5_write_text(section, name, parameter->choices[(size_t)quantity.value]);
    return write_quantity(section, name, quantity);
}

// Step, number of steps and end: the given ones, and the derived one too where no point differs from another; the name
// of the parameter at which motions begin.
static bool write_stepping(hid_t section, const Group *group)
{
    const size_t begin = group->problem->begin;
    if (begin && !h5_write_text(section, "begins_at", group->problem->parameters[begin - 1].name))
        return false;
    if (group_is_timed(group))
        return (!group->step_given || write_quantity(section, "step", group->step)) &&
               (!group->steps_given || write_whole_quantity(section, "steps", group->steps)) &&
               (!group->end_given || write_quantity(section, "end", group->end));
    const double   step = group_step(group, 0);
    const uint64_t steps = group_steps(group, 0);
    return h5_write_double(section, "step", step) && h5_write_whole(section, "steps", (int64_t)steps) &&
           h5_write_double(section, "end", group_end(group, 0));
}

static bool write_scale(hid_t section, const Group *group)
{
    const double *scale = group->newton.scale;
    bool          written = true;
    for (size_t i = 0; scale && written && i < group->dofs; ++i) {
        char name[256];
        snprintf(name, sizeof name, "newton.scale.%s", group->coordinates[i].name);
        written = scale[i] == 0.0 || h5_write_double(section, name, scale[i]);
    }
    return written;
}

static bool write_iterations(hid_t section, const Group *group)
{
    const Newton *newton = &group->newton;
    return h5_write_text(section, "newton.residual", newton->scaled_residual ? "scaled" : "raw") &&
           h5_write_text(section, "newton.floor_guard", newton->floor_guard ? "true" : "false") &&
           h5_write_text(section, "newton.update", newton->modified ? "modified" : "full") &&
           h5_write_text(section, "newton.guess", newton->extrapolated ? "extrapolated" : "last") &&
           write_quantity(section, "newton.tolerance", newton->tolerance) &&
           write_whole_quantity(section, "newton.max_updates", newton->max_updates) && write_scale(section, group);
}

static bool write_newton(hid_t section, const Group *group)
{
    static const char *const jacobians[] = {"central", "forward", "analytic"};
    const Newton            *newton = &group->newton;
    const Substeps          *substeps = &group->substeps;
    return (!group_iterates(group) || write_iterations(section, group)) &&
           h5_write_text(section, "newton.stencil", newton->cube_root_stencil ? "cbrt" : "sqrt") &&
           h5_write_text(section, "newton.jacobian", jacobians[newton->jacobian]) &&
           h5_write_whole(section, "substeps.max_depth", substeps->max_depth) &&
           h5_write_double(section, "substeps.budget", substeps->budget) &&
           (!group->method->history || h5_write_text(section, "substeps.start", group_start_names[substeps->start]));
}

// How samples at given times come from the states around them.
static const char *name_interpolation(const Group *group)
{
    if (!group_arcs(group))
        return "cubic Hermite interpolation of x and v in the step that reaches a time: off by O(h^4)";
    return card_dense(group->method) < group->method->scratch_count
               ? "the method's dense output in the substep that reaches a time"
               : "cubic Hermite interpolation of x and v in the substep that reaches a time";
}

static bool write_trajectory(hid_t section, const Group *group)
{
    const Trajectory *trajectory = &group->trajectory;
    if (!trajectory->stored)
        return true;
    if (trajectory->times)
        return h5_write_whole(section, "trajectory.times", (int64_t)trajectory->sample_count) &&
               h5_write_text(section, "trajectory.between", name_interpolation(group));
    return trajectory->every > 0 ? h5_write_whole(section, "trajectory.every", (int64_t)trajectory->every)
                                 : h5_write_whole(section, "trajectory.samples", (int64_t)trajectory->sample_count);
}

// How its points are made: of axes that are a grid, of all axes together, or of a file's records or a random design,
// alone or inside a grid.
static const char *design_of(const Group *group)
{
    if (group->sampling)
        return sampling_names[group->sampling->kind];
    if (group->design == DESIGN_ZIP)
        return "zip";
    for (size_t d = 0; d < group->dim_count; ++d)
        if (strcmp(group->dims[d].name, group_point_dim) == 0)
            return "points";
    return "grid";
}

// Words in one text, with a space between them.
static bool write_words(hid_t id, const char *name, const char *const *words, size_t count)
{
    Text text SCOPED(text_free) = {0};
    for (size_t i = 0; i < count; i++)
        text_add(&text, "%s%s", i ? " " : "", words[i]);
    return !text.failed && h5_write_text(id, name, text.text);
}

bool attributes_of_group(hid_t section, const Group *group)
{
    bool written = h5_write_text(section, "method", group->method->name) &&
                   h5_write_text(section, "design", design_of(group)) &&
                   (!group->sampling || h5_write_text(section, "sampling", group->sampling_text)) &&
                   write_stepping(section, group);
    for (size_t i = 0; written && i < group->problem->parameter_count; i++)
        written = write_parameter(section, group->problem, i, group->problem_parameters[i], NULL);
    for (size_t i = 0; written && i < group->method->parameter_count; i++)
        written = write_parameter(section, group->method, i, group->method_parameters[i], group->problem);
    return written && (group->method->unknown == UNKNOWN_NONE || write_newton(section, group)) &&
           write_trajectory(section, group) && h5_write_whole(section, "first_block", (int64_t)group->first_block) &&
           h5_write_whole(section, "block_points", (int64_t)group->block_points);
}

// The meanings of the numbers 0, 1, 2, ... of a dataset, as CF flags of its type.
//   words  [count] without spaces; they stand in one text
static bool write_flags(hid_t id, hid_t type, const char *const *words, size_t count)
{
    int values[CARD_DOFS + STATUS_COUNT];
    for (size_t i = 0; i < count; i++)
        values[i] = (int)i;
    return h5_write_numbers(id, attributes_values, type, H5T_NATIVE_INT, values, count) &&
           write_words(id, attributes_meanings, words, count);
}

// The degrees of freedom are numbered; their names and units are said in texts, which every reader of HDF5 and netCDF
// knows: arrays of strings are not read by all.
static bool write_dofs(hid_t id, const Group *group)
{
    const char *words[4][CARD_DOFS];
    for (size_t i = 0; i < group->dofs; i++) {
        const Dof *coordinate = &group->coordinates[i];
        words[0][i] = coordinate->name;
        words[1][i] = coordinate->unit;
        words[2][i] = coordinate->velocity;
        words[3][i] = coordinate->velocity_unit;
    }
    return write_flags(id, H5T_STD_I32LE, words[0], group->dofs) &&
           write_words(id, attributes_units, words[1], group->dofs) &&
           (group->problem->first_order || (write_words(id, attributes_velocities, words[2], group->dofs) &&
                                            write_words(id, attributes_velocity_units, words[3], group->dofs)));
}

// How a metric was observed, where its file leaves a choice.
static bool write_metric_options(hid_t id, const Group *group, const MetricInstance *instance)
{
    const Card *card = instance->card;
    bool        written = true;
    if (card_takes(card, "of"))
        written = h5_write_text(id, "of", metric_observed(group, instance));
    if (written && card_takes(card, "window"))
        written = h5_write_double(id, "from", instance->from) && h5_write_double(id, "to", instance->to);
    for (size_t i = 0; written && i < card->parameter_count; ++i) {
        const CardParameter  *parameter = &card->parameters[i];
        const MetricArgument *argument = &instance->arguments[i];
        const char           *word = argument->formula         ? argument->text
                                     : parameter->choice_count ? parameter->choices[(size_t)argument->value]
                                                               : NULL;
        written =
            word ? h5_write_text(id, parameter->name, word) : h5_write_double(id, parameter->name, argument->value);
    }
    return written;
}

bool attributes_of_dataset(hid_t id, hid_t type, const Dataset *dataset, const Group *group)
{
    bool written = (!dataset->unit[0] || h5_write_text(id, "units", dataset->unit)) &&
                   (!dataset->about[0] || h5_write_text(id, "long_name", dataset->about)) &&
                   (!dataset->coordinates[0] || h5_write_text(id, "coordinates", dataset->coordinates));
    if (written && dataset->kind == DATASET_ALONG && group->axes[dataset->index].distribution)
        return h5_write_text(id, "distribution", group->axes[dataset->index].distribution);
    if (written && dataset->kind == DATASET_DOF && group->coordinates)
        return write_dofs(id, group);
    if (!written || dataset->kind != DATASET_VARIABLE)
        return written;
    const Variable *variable = &group->variables[dataset->index];
    if (variable->source == SOURCE_STATUS)
        return write_flags(id, H5T_STD_I8LE, plan_status_names, STATUS_COUNT);
    // Readers of netCDF leave out numbers of an integer metric that were not computed; a real one is NaN there, or of a
    // point that was not run 0.
    const int64_t fill = results_fill(variable->type);
    return (variable->source != SOURCE_METRIC && variable->source != SOURCE_METRIC_D) ||
           ((fill == 0 || h5_write_numbers(id, attributes_fill, type, H5T_NATIVE_INT64, &fill, 1)) &&
            write_metric_options(id, group, &group->instances[variable->instance]));
}
