// list -- `pendula list problems|methods|metrics|devices`: what there is, one line or one JSON object each.
#include "base/json.h"
#include "base/suggest.h"
#include "cli/cards.h"
#include "terminal/commands.h"
#include "terminal/options.h"
#include "device/device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum ListWhat { LIST_PROBLEMS, LIST_METHODS, LIST_METRICS, LIST_DEVICES, LIST_COUNT } ListWhat;
static const char *const list_names[LIST_COUNT] = {"problems", "methods", "metrics", "devices"};

typedef struct ListArguments {
    const char *what;
    ListWhat    which;
    bool        json;
} ListArguments;

enum { KEY_JSON = OPTION_LONG };

static const struct argp_option list_options[] = {{"json", KEY_JSON, NULL, 0, "an array of objects, for programs", 0},
                                                  {0}};

static error_t find_what(ListArguments *list, struct argp_state *state)
{
    for (size_t i = 0; i < LIST_COUNT; ++i) {
        if (strcmp(list_names[i], list->what) != 0)
            continue;
        list->which = (ListWhat)i;
        return 0;
    }
    const char *near = suggest(list->what, list_names, LIST_COUNT);
    if (near)
        return options_refuse(state, "there is no list of '%.100s', did you mean '%s'?", list->what, near);
    return options_refuse(state, "there is no list of '%.100s': problems, methods, metrics or devices", list->what);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options       *options = state->input;
    ListArguments *list = options->target;
    switch (key) {
    case KEY_JSON: list->json = true; return 0;
    case ARGP_KEY_ARG:
        if (list->what)
            return options_refuse(state, "one list at a time, got '%.100s' and '%.100s'", list->what, value);
        list->what = value;
        return find_what(list, state);
    case ARGP_KEY_NO_ARGS: return options_refuse(state, "a list of what: problems, methods, metrics or devices?");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp list_argp = {list_options,
                                      parse_option,
                                      "problems|methods|metrics|devices",
                                      "Lists what sweeps can be made of, and the devices they can run on.\v"
                                      "`pendula show NAME` tells all about one of them.",
                                      NULL,
                                      NULL,
                                      NULL};

static void begin_object(Text *text, const char *name, const char *title)
{
    text_add(text, "%s{", text->length > 1 ? ",\n " : "");
    json_key(text, "name");
    json_string(text, name);
    text_add(text, ", ");
    json_key(text, "title");
    json_string(text, title);
}

static void add_words(Text *text, const char *key, const char *const *words, size_t count)
{
    text_add(text, ", ");
    json_key(text, key);
    text_add(text, "[");
    for (size_t i = 0; i < count; ++i) {
        text_add(text, "%s", i ? ", " : "");
        json_string(text, words[i]);
    }
    text_add(text, "]");
}

// A problem or a method.
static void add_card_json(Text *text, const Card *card)
{
    begin_object(text, card->name, card->title);
    if (card->kind == CARD_PROBLEM) {
        text_add(text, ", \"dofs\": %zu", card->dofs);
        if (card->dofs_parameter)
            text_add(text, ", \"dofs_parameter\": \"%s\"", card->dofs_parameter);
        add_words(text, "provides", card->provides, card->provide_count);
    } else {
        text_add(text, ", \"order\": %d, \"order_damped\": %d, \"implicit\": %s, \"adaptive\": %s", card->order,
                 card->order_damped, card->unknown == UNKNOWN_NONE ? "false" : "true",
                 card->adaptive ? "true" : "false");
        add_words(text, "needs", card->needs, card->need_count);
    }
    text_add(text, ", \"parameters\": [");
    for (size_t i = 0; i < card->parameter_count; ++i) {
        text_add(text, "%s", i ? ", " : "");
        cards_parameter_json(text, &card->parameters[i]);
    }
    text_add(text, "]}");
}

static void add_card(Text *text, const Card *card)
{
    text_add(text, "%-28s ", card->name);
    if (card->kind == CARD_PROBLEM)
        text_add(text, "%s%zu dof%s  ", card->dofs_parameter ? "1-" : "", card->dofs,
                 card->dofs_parameter ? "s"
                 : card->dofs == 1    ? "    "
                                      : "s   ");
    else
        text_add(text, "order %d  ", card->order);
    text_add(text, "%s\n", card->title);
}

static void add_option_json(Text *text, const char *name, const char *about, bool first)
{
    text_add(text, "%s{\"name\": \"%s\", \"about\": \"%s\"}", first ? "" : ", ", name, about);
}

static void add_result_json(Text *text, const Card *card, const CardResult *result)
{
    const char *needs[32];
    size_t      count = 0;
    for (size_t i = 0; i < card->need_count && count < 32; ++i)
        needs[count++] = card->needs[i];
    for (size_t i = 0; i < result->need_count && count < 32; ++i)
        needs[count++] = result->needs[i];
    begin_object(text, result->name, result->about);
    text_add(text, ", \"unit\": ");
    json_string(text, result->unit);
    text_add(text, ", \"type\": \"%s\", \"metric\": ", result->whole ? "whole" : "real");
    json_string(text, card->name);
    add_words(text, "needs", needs, count);
    text_add(text, ", \"parameters\": [");
    const bool of = card_lists(card->options, card->option_count, "of");
    if (of)
        add_option_json(text, "of", "the coordinate: slow, fast, x0, x1, ...", true);
    if (card_lists(card->options, card->option_count, "window")) {
        add_option_json(text, "from", "start of the window in time", !of);
        add_option_json(text, "to", "end of the window in time", false);
    }
    text_add(text, "]}");
}

static void add_metrics(Text *text, const Card *card, bool json)
{
    for (size_t i = 0; i < card->result_count; ++i) {
        if (json)
            add_result_json(text, card, &card->results[i]);
        else
            text_add(text, "%-26s %-4s  %s\n", card->results[i].name, card->results[i].unit, card->results[i].about);
    }
}

static void add_own_metrics(Text *text, bool json)
{
    for (size_t i = 0; i < OWN_METRICS; ++i) {
        const OwnMetric *own = &own_metrics[i];
        if (!json) {
            text_add(text, "%-26s %-4s  %s\n", own->name, own->unit, own->about);
            continue;
        }
        begin_object(text, own->name, own->about);
        text_add(text, ", \"unit\": \"%s\", \"type\": \"%s\", \"needs\": [], \"parameters\": []}", own->unit,
                 i ? "real" : "status");
    }
}

static bool list_cards(Text *text, const ListArguments *list, Error *err)
{
    static const CardKind kinds[] = {CARD_PROBLEM, CARD_METHOD, CARD_METRIC};
    Catalog               catalog = {0};
    const bool            read = catalog_read(&catalog, err);
    if (read && list->which == LIST_METRICS)
        add_own_metrics(text, list->json);
    for (size_t i = 0; read && i < catalog.card_count; ++i) {
        const Card *card = &catalog.cards[i];
        if (card->kind != kinds[list->which])
            continue;
        if (card->kind == CARD_METRIC)
            add_metrics(text, card, list->json);
        else if (list->json)
            add_card_json(text, card);
        else
            add_card(text, card);
    }
    catalog_free(&catalog);
    return read;
}

static void add_device_json(Text *text, const DeviceInfo *info, size_t index)
{
    begin_object(text, info->name, info->platform);
    text_add(text, ", \"index\": %zu, \"type\": \"%s\", \"platform\": ", index, info->gpu ? "gpu" : "cpu");
    json_string(text, info->platform);
    text_add(text, ", \"driver\": ");
    json_string(text, info->driver);
    text_add(text, ", \"version\": ");
    json_string(text, info->version);
    text_add(text, ", \"fp64\": %s, \"compute_units\": %u, \"memory\": %" PRIu64 ", \"largest_buffer\": %" PRIu64,
             info->fp64 ? "true" : "false", info->compute_units, info->memory, info->largest_buffer);
    text_add(text, ", \"work_group\": %zu, \"rounds_single\": %s, \"denormal_single\": %s", info->work_group,
             info->rounds_single ? "true" : "false", info->denormal_single ? "true" : "false");
    text_add(text, ", \"lanes\": %d, \"lanes_single\": %d, \"parameters\": []}", info->lanes_double,
             info->lanes_single);
}

static void add_device(Text *text, const DeviceInfo *info, size_t index)
{
    text_add(text, "%zu  %s  %s\n", index, info->gpu ? "gpu" : "cpu", info->name);
    text_add(text, "   %s, driver %s, %s\n", info->platform, info->driver, info->version);
    text_add(text, "   %u compute units, %.1f GiB, %s, lanes %d (single precision %d)\n", info->compute_units,
             (double)info->memory / (1 << 30), info->fp64 ? "double precision" : "no double precision",
             info->lanes_double, info->lanes_single);
    if (!info->rounds_single)
        text_add(text, "   single precision: division and square root are not correctly rounded\n");
    if (!info->denormal_single)
        text_add(text, "   single precision: denormal numbers become zero\n");
}

static bool list_devices(Text *text, const ListArguments *list, Error *err)
{
    DeviceInfo *infos = NULL;
    size_t      count = 0;
    const bool  listed = device_list(&infos, &count, err);
    for (size_t i = 0; listed && i < count; ++i) {
        if (list->json)
            add_device_json(text, &infos[i], i);
        else
            add_device(text, &infos[i], i);
    }
    if (listed && count == 0 && !list->json)
        text_add(text,
                 "no OpenCL device; the package pocl-opencl-icd makes one of the CPU, `-d reference` needs none\n");
    free(infos);
    return listed;
}

bool list_command(int argc, char **argv, Error *err)
{
    ListArguments list = {0};
    Text          text = {0};
    bool          done = false;
    bool          ok = options_parse(&list_argp, argc, argv, &list, &done, err);
    if (ok && !done) {
        text_add(&text, "%s", list.json ? "[" : "");
        ok = list.which == LIST_DEVICES ? list_devices(&text, &list, err) : list_cards(&text, &list, err);
        text_add(&text, "%s", list.json ? "]\n" : "");
        ok = ok && options_print(&text, err);
    }
    text_free(&text);
    return ok;
}
