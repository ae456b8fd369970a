// list -- `pendula list problems|methods|metrics|devices`: one line or one JSON object each.
#include "base/json.h"
#include "cli/cards.h"
#include "terminal/commands.h"
#include "terminal/options.h"
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum ListWhat { LIST_PROBLEMS, LIST_METHODS, LIST_METRICS, LIST_DEVICES, LIST_COUNT } ListWhat;
static const char *const list_names[LIST_COUNT] = {"problems", "methods", "metrics", "devices"};

typedef struct ListArguments {
    const char *what;
    ListWhat    which;
    Format      format;
    bool        json, markdown;
} ListArguments;

static const Option list_options[] = {
    {"json", 0, NULL, OPTION_FLAG(ListArguments, json), "an array of objects, for programs"},
    {"markdown", 0, NULL, OPTION_FLAG(ListArguments, markdown),
     "a table of problems, methods or metrics for a page in docs"}};

static bool check(void *arguments, Error *err)
{
    ListArguments *list = arguments;
    unsigned       which = 0;
    if (!options_find_word("list", list->what, list_names, LIST_COUNT, &which, err))
        return false;
    list->which = (ListWhat)which;
    list->format = list->markdown ? FORMAT_MARKDOWN : list->json ? FORMAT_JSON : FORMAT_TEXT;
    return !list->markdown || list->which != LIST_DEVICES ||
           fail(err, ERROR_USAGE, "--markdown lists problems, methods or metrics");
}

const Usage list_command_usage = {USAGE_OPTIONS(list_options),
                                  .check = check,
                                  .arguments =
                                      ARGUMENTS_ONE(ListArguments, what, "problems|methods|metrics|devices", "list"),
                                  .remedy = "Name problems, methods, metrics or devices",
                                  .about = "Lists what sweeps can be made of, and the devices they can run on.",
                                  .notes = "`pendula show NAME` describes one of them."};

// A name, in a page of docs with a link to its file where it has one.
static void add_link(Table *table, const char *name, const char *path)
{
    if (path)
        table_format(table, "link", "[%s](../kernels/%s)", name, path);
    else
        table_word(table, "link", name);
}

// The order, and where it is less: "2, damped 1, driven 1".
static void add_orders(Table *table, const Card *card)
{
    char damped[32] = "", driven[32] = "";
    if (card->order_damped != card->order)
        snprintf(damped, sizeof damped, ", damped %d", card->order_damped);
    if (card->order_driven != card->order)
        snprintf(driven, sizeof driven, ", driven %d", card->order_driven);
    table_format(table, "number", "%d%s%s", card->order, damped, driven);
}

// The names as the card has them: with `dofs: NAME` the stem.
static void add_coordinates(Table *table, const Card *card)
{
    const char *names[CARD_DOFS];
    for (size_t i = 0; i < card->coordinate_count; ++i)
        names[i] = card->coordinates[i].name;
    table_words(table, "coordinates", names, card->coordinate_count);
}

// A problem or a method.
static void add_card(Table *table, const Card *card)
{
    const bool        problem = card->kind == CARD_PROBLEM, implicit = card->unknown != UNKNOWN_NONE;
    const char *const range = card->dofs_parameter ? "1-" : "";
    Text              parameters SCOPED(text_free) = {0};
    table_row(table);
    add_link(table, card->name, card->path);
    table_word(table, "name", card->name);
    if (problem)
        table_format(table, "size", "%s%zu dof%s", range, card->dofs, card->dofs == 1 ? "" : "s");
    else
        table_format(table, "size", "order %d", card->order);
    // Where people read, it is said beside the title; programs find it under its name.
    table_format(table, "title", "%s%s", card->title,
                 !card->first_order || table->format == FORMAT_JSON ? ""
                 : problem                                          ? " (first order)"
                                                                    : " (first-order systems too)");
    table_truth(table, "first_order", card->first_order);
    if (problem) {
        table_whole(table, "dofs", (int64_t)card->dofs);
        if (card->dofs_parameter)
            table_word(table, "dofs_parameter", card->dofs_parameter);
        table_format(table, "number", "%s%zu", range, card->dofs);
        add_coordinates(table, card);
    } else {
        table_whole(table, "order", card->order);
        table_whole(table, "order_damped", card->order_damped);
        table_whole(table, "order_driven", card->order_driven);
        table_truth(table, "implicit", implicit);
        table_truth(table, "adaptive", card->adaptive);
        table_truth(table, "extrapolates", card->extrapolates);
        add_orders(table, card);
        table_word(table, "kind", implicit ? "implicit" : "explicit");
    }
    table_words(table, problem ? "provides" : "needs", problem ? card->provides : card->needs,
                problem ? card->provide_count : card->need_count);
    for (size_t i = 0; i < card->parameter_count; ++i)
        text_add(&parameters, "%s`%s`", i ? ", " : "", card->parameters[i].name);
    table_word(table, "takes", parameters.text);
    table_format(table, "note", problem ? "`%s`" : "%s", problem ? card->equation : card->origin);
    if (table->format == FORMAT_JSON) {
        json_member(table->text, "parameters");
        cards_parameters(table->text, FORMAT_JSON, card);
    }
    table_end_row(table);
}

static void add_option(Table *options, const char *name, const char *about)
{
    table_row(options);
    table_word(options, "name", name);
    table_word(options, "about", about);
    table_end_row(options);
}

// The options that entries of a metric take, in json.
static void add_options(Text *text, const Card *card)
{
    Table options = {.text = text, .format = FORMAT_JSON};
    json_member(text, "parameters");
    table_begin(&options);
    CardParameter key;
    for (size_t i = 0; card && card_key(card, i, &key); ++i)
        add_option(&options, key.name, key.about);
    table_end(&options);
}

// A result of a metric file; card is NULL for a result that every point has.
static void add_metric(Table *table, const Card *card, const CardResult *result, const char *type)
{
    table_row(table);
    add_link(table, result->name, card ? card->path : NULL);
    table_word(table, "name", result->name);
    table_word(table, "measure", result->unit);
    table_word(table, "title", result->about);
    table_word(table, "unit", result->unit);
    table_word(table, "type", type);
    if (card)
        table_word(table, "metric", card->name);
    table_truth(table, "listed", card && card->listed);
    table_open(table, "needs", "[");
    for (size_t i = 0; card && i < card->need_count; ++i)
        table_word(table, NULL, card->needs[i]);
    for (size_t i = 0; i < result->need_count; ++i)
        table_word(table, NULL, result->needs[i]);
    table_close(table, "]");
    if (table->format == FORMAT_JSON)
        add_options(table->text, card);
    table_end_row(table);
}

// A section of the page, beneath the table.
static void add_equations(Text *text, const Card *card)
{
    if (card->kind != CARD_METHOD)
        return;
    text_add(text, "\n### %s\n```\n", card->name);
    cards_equations(text, card);
    text_add(text, "```\n");
}

static bool list_cards(Text *text, const ListArguments *list, Error *err)
{
    const bool        problems = list->which == LIST_PROBLEMS, metrics = list->which == LIST_METRICS;
    const TableColumn card_columns[] = {
        {"link", .heading = "name", .formats = TABLE_MARKDOWN, .left = true},
        {"name", .formats = TABLE_TEXT | TABLE_JSON, .width = 28, .left = true},
        {"size", .formats = TABLE_TEXT, .gap = 1, .width = problems ? 9 : 7, .left = true},
        {"title", .gap = 2, .left = true},
        {"number", .heading = problems ? "dofs" : "order", .formats = TABLE_MARKDOWN, .left = true},
        {problems ? "provides" : "kind", .formats = problems ? TABLE_JSON | TABLE_MARKDOWN : TABLE_MARKDOWN,
         .left = true},
        {"takes", .heading = "parameters", .formats = TABLE_MARKDOWN, .left = true},
        {"note", .heading = problems ? "equation" : "source", .formats = TABLE_MARKDOWN, .left = true}};
    const TableColumn metric_columns[] = {
        {"link", .heading = "name", .formats = TABLE_MARKDOWN, .left = true},
        {"name", .formats = TABLE_TEXT | TABLE_JSON, .width = 26, .left = true},
        {"measure", .heading = "unit", .formats = TABLE_TEXT | TABLE_MARKDOWN, .gap = 1, .width = 4, .left = true},
        {"title", .heading = "about", .gap = 2, .left = true}};
    Table      table = {TABLE(text, list->format, card_columns)};
    Catalog    catalog SCOPED(catalog_free) = {0};
    const bool read = catalog_read(&catalog, err);
    if (metrics)
        table = (Table){TABLE(text, list->format, metric_columns)};
    table_begin(&table);
    for (size_t i = 0; read && metrics && i < OWN_METRICS; ++i)
        add_metric(&table, NULL, &catalog_own_metrics[i], i ? "real" : "status");
    for (size_t i = 0; read && i < catalog.card_count; ++i) {
        const Card *card = &catalog.cards[i];
        for (size_t r = 0; metrics && r < card->result_count; ++r)
            add_metric(&table, card, &card->results[r], card->results[r].whole ? "whole" : "real");
        if (!metrics && card->kind == (problems ? CARD_PROBLEM : CARD_METHOD))
            add_card(&table, card);
    }
    table_end(&table);
    const bool equations = read && list->which == LIST_METHODS && list->format == FORMAT_MARKDOWN;
    text_add(text, "%s",
             equations ? "\n## Equations\nAs `pendula show` prints them; kernels/README.md says what their words are.\n"
                       : "");
    for (size_t i = 0; equations && i < catalog.card_count; ++i)
        add_equations(text, &catalog.cards[i]);
    return read;
}

static void add_device(Table *table, const DeviceInfo *info, size_t index)
{
    table_row(table);
    table_word(table, "name", info->name);
    table_word(table, "title", info->platform);
    table_whole(table, "index", (int64_t)index);
    table_word(table, "type", info->gpu ? "gpu" : "cpu");
    table_word(table, "platform", info->platform);
    table_word(table, "driver", info->driver);
    table_word(table, "version", info->version);
    table_truth(table, "fp64", info->fp64);
    table_whole(table, "compute_units", info->compute_units);
    table_whole(table, "memory", (int64_t)info->memory);
    table_whole(table, "largest_buffer", (int64_t)info->largest_buffer);
    table_whole(table, "work_group", (int64_t)info->work_group);
    table_truth(table, "rounds_single", info->rounds_single);
    table_truth(table, "denormal_single", info->denormal_single);
    table_whole(table, "lanes", info->lanes_double);
    table_whole(table, "lanes_single", info->lanes_single);
    table_words(table, "parameters", NULL, 0);
    table_end_row(table);
}

// A device is a few lines of text, not a table row.
static void describe_device(Text *text, const DeviceInfo *info, size_t index)
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
    Table       table = {.text = text, .format = list->format};
    DeviceInfo *infos SCOPED(scoped_free) = NULL;
    size_t      count = 0;
    const bool  listed = device_list(&infos, &count, err), json = list->format == FORMAT_JSON;
    table_begin(&table);
    for (size_t i = 0; listed && i < count; ++i) {
        if (json)
            add_device(&table, &infos[i], i);
        else
            describe_device(text, &infos[i], i);
    }
    table_end(&table);
    if (listed && count == 0 && !json)
        text_add(text,
                 "no OpenCL device, and no C compiler for `native`; the package pocl-opencl-icd makes a device of the "
                 "CPU, and so does gcc; `-d reference` needs none\n");
    return listed;
}

static bool print_list(void *arguments, Error *err)
{
    const ListArguments *list = arguments;
    Text                 text SCOPED(text_free) = {0};
    bool ok = list->which == LIST_DEVICES ? list_devices(&text, list, err) : list_cards(&text, list, err);
    text_add(&text, "%s", list->format == FORMAT_JSON ? "\n" : "");
    return ok && options_print(&text, err);
}

OPTIONS_COMMAND(list_command, ListArguments, list_command_usage, print_list, 0)
