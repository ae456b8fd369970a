// engine -- the one place where kernels are composed, built and run.
#include "engine/engine.h"

#include "compose/compose.h"
#include "reference/reference.h"

#include <string.h>

bool engine_compose(Engine *engine, const Plan *plan, const Group *group, Error *err)
{
    *engine = (Engine){.plan = plan, .group = group};
    return compose(plan, group, &engine->source, err);
}

bool engine_build(Engine *engine, Device *device, int lanes, Error *err)
{
    program_free(engine->program);
    engine->program = NULL;
    engine->device = device;
    return !device ||
           device_build(device, engine->plan, engine->group, engine->source.text, lanes, &engine->program, err);
}

bool engine_take(Engine *engine, Engine *from)
{
    if (!from->program || engine->plan->precision != from->plan->precision ||
        strcmp(engine->source.text, from->source.text) != 0 ||
        !program_serve(from->program, engine->plan, engine->group, engine->source.text))
        return false;
    engine->device = from->device;
    engine->program = from->program;
    from->program = NULL;
    return true;
}

bool engine_take_alike(Engine *engine, Device *device, const Plan *plan, const Group *group, Engine *from)
{
    if (!from->source.text || !from->program != !device ||
        (device && !program_serve(from->program, plan, group, from->source.text)))
        return false;
    *engine =
        (Engine){.plan = plan, .group = group, .device = device, .source = from->source, .program = from->program};
    from->source = (Text){0};
    from->program = NULL;
    return true;
}

bool engine_solve(Engine *engine, const volatile sig_atomic_t *stop, Error *err)
{
    const ReferenceOptions options = {.stop = stop};
    solution_free(&engine->solution);
    return solve_group(engine->plan, engine->group, &options, &engine->solution, err);
}

bool engine_leave_unsolved(Engine *engine, Error *err)
{
    solution_free(&engine->solution);
    return engine->group->solution.rows == 0 || solution_make(engine->group, &engine->solution, err);
}

bool engine_make(Engine *engine, Device *device, const Plan *plan, const Group *group, int lanes, Error *err)
{
    return engine_compose(engine, plan, group, err) && engine_solve(engine, NULL, err) &&
           engine_build(engine, device, lanes, err);
}

void engine_place(Group *group, Quantity quantity, size_t point, double value)
{
    if (quantity.axis >= 0)
        group->axes[quantity.axis].values[point] = value;
}

bool engine_run(const Engine *engine, const Batch *batch, const RunOptions *options, Results *results, Error *err)
{
    Batch compared = *batch;
    if (!compared.solution)
        compared.solution = &engine->solution;
    if (options->signals && *options->signals)
        return fail(err, ERROR_STOPPED, "stopped by a signal");
    if (engine->device)
        return engine->program ? program_run(engine->program, &compared, options, results, err)
                               : fail(err, ERROR_INTERNAL, "the kernel of '%s' is not built", engine->group->label);
    const ReferenceOptions reference = {.stop = options->signals};
    return reference_run(engine->plan, &compared, &reference, results, err);
}

bool engine_run_all(const Engine *engine, const RunOptions *options, Results *results, Error *err)
{
    const Batch all = batch_make(engine->group, 0, engine->group->block_count);
    return results_make(engine->group, all.point_count, all.slot_count, results, err) &&
           engine_run(engine, &all, options, results, err);
}

void engine_free(Engine *engine)
{
    program_free(engine->program);
    solution_free(&engine->solution);
    text_free(&engine->source);
    *engine = (Engine){0};
}
