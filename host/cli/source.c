// source -- `pendula source SWEEP.yaml`: the composed kernel of each group, as compiled.
#include "base/outputs.h"
#include "terminal/commands.h"
#include "terminal/sweep_argument.h"
#include "compose/compose.h"
#include "device/build.h"

#include <string.h>

typedef struct SourceArguments {
    SweepArgument sweep;
    const char   *label, *device;
} SourceArguments;

static const Option source_options[] = {
    SWEEP_ARGUMENT_SET(SourceArguments, sweep),
    {"method", 0, "LABEL", OPTION_TEXT(SourceArguments, label), "only the group of this label"},
    {"group", 0, "LABEL", OPTION_TEXT(SourceArguments, label), "the same"},
    {"device", 'd', "DEVICE", OPTION_TEXT(SourceArguments, device),
     "the device whose build options to tell, as for `pendula run`"}};

const Usage source_command_usage = {
    USAGE_OPTIONS(source_options), .arguments = SWEEP_ARGUMENT(SourceArguments, sweep),
    .about = "Prints the OpenCL C source of each group of a sweep, exactly as it is compiled.",
    .notes = "The text is the same on every device. What differs, lanes and precision, are build options, told in a "
             "comment in front."};

static void add_front(Text *text, const Device *device, const Plan *plan, const Group *group)
{
    char options[BUILD_OPTIONS_SIZE];
    if (!device) {
        text_add(text, "// no device here: build options depend on one\n");
        return;
    }
    const DeviceInfo *info = device_info(device);
    build_options(info, plan->precision, build_lanes(info, plan->precision, group), build_local_size(info), options);
    text_add(text, "// build options on %s: %s\n", device_info(device)->name, options);
}

static bool add_group(Text *text, const Device *device, const Plan *plan, const Group *group, Error *err)
{
    Text       composed SCOPED(text_free) = {0};
    const bool ok = compose(plan, group, &composed, err);
    if (ok) {
        text_add(text, "%s", text->length ? "\n" : "");
        add_front(text, device, plan, group);
        text_add_bytes(text, composed.text, composed.length);
    }
    return ok;
}

static bool unknown_label(const Plan *plan, const char *label, Error *err)
{
    Text labels SCOPED(text_free) = {0};
    for (size_t g = 0; g < plan->group_count; ++g)
        text_add(&labels, "%s%s", g ? ", " : "", plan->groups[g].label);
    fail(err, ERROR_USAGE, "--method: the sweep has no group '%.100s'; there is %.2000s", label,
         labels.text ? labels.text : "none");
    return false;
}

static bool add_groups(Text *text, const Device *device, const SourceArguments *source, Error *err)
{
    const Plan *plan = &source->sweep.plan;
    bool        found = false;
    for (size_t g = 0; g < plan->group_count; ++g) {
        if (source->label && strcmp(source->label, plan->groups[g].label) != 0)
            continue;
        if (!add_group(text, device, plan, &plan->groups[g], err))
            return false;
        found = true;
    }
    return found || unknown_label(plan, source->label, err);
}

static bool print_source(void *arguments, Error *err)
{
    SourceArguments *given = arguments;
    Device          *device = NULL;
    Text             text SCOPED(text_free) = {0};
    Error            none;
    bool             ok = sweep_argument_read(&given->sweep, err);
    // Without a device there is still a source; one that was asked for must be there.
    ok = ok && (device_open(given->device, given->sweep.plan.precision, &device, given->device ? err : &none) ||
                !given->device);
    ok = ok && add_groups(&text, device, given, err) && outputs_write(&(Outputs){0}, "-", &text, err);
    device_close(device);
    sweep_argument_free(&given->sweep);
    return ok;
}

OPTIONS_COMMAND(source_command, SourceArguments, source_command_usage, print_source, 0)
