// lists -- problems, methods, metrics and devices, for the library's callers.
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

struct PendulaCatalog {
    Catalog catalog;
};

struct PendulaDevices {
    DeviceInfo *list;
    size_t      count;
};

PendulaCatalog *pendula_catalog_new(PendulaError **error)
{
    PLAIN_NUMERALS;
    PendulaCatalog *catalog = library_new(sizeof *catalog, error);
    Error           err = {0};
    if (catalog && !catalog_read(&catalog->catalog, &err)) {
        library_fail(error, &err);
        free(catalog);
        return NULL;
    }
    return catalog;
}

typedef struct Listed {
    const Card *card;  // NULL: of a metric that every point has
    const char *name, *title, *unit;
} Listed;

static Listed list_one(const Card *card, const CardResult *result)
{
    return result ? (Listed){card, result->name, result->about, result->unit}
                  : (Listed){card, card->name, card->title, ""};
}

// A metric's card has an entry for each of its results, with the result's description as its title.
static bool find(const PendulaCatalog *catalog, PendulaKind kind, size_t index, Listed *entry)
{
    static const CardKind kinds[] = {
        [PENDULA_PROBLEM] = CARD_PROBLEM, [PENDULA_METHOD] = CARD_METHOD, [PENDULA_METRIC] = CARD_METRIC};
    if (catalog && kind == PENDULA_METRIC && index < OWN_METRICS) {
        *entry = list_one(NULL, &catalog_own_metrics[index]);
        return true;
    }
    index -= kind == PENDULA_METRIC ? OWN_METRICS : 0;
    for (size_t i = 0; catalog && (size_t)kind < sizeof kinds / sizeof *kinds && i < catalog->catalog.card_count; ++i) {
        const Card *card = &catalog->catalog.cards[i];
        if (card->kind != kinds[kind])
            continue;
        const size_t entries = kind == PENDULA_METRIC ? card->result_count : 1;
        if (index < entries) {
            *entry = list_one(card, kind == PENDULA_METRIC ? &card->results[index] : NULL);
            return true;
        }
        index -= entries;
    }
    return false;
}

const char *pendula_catalog_name(const PendulaCatalog *catalog, PendulaKind kind, size_t index)
{
    Listed entry;
    return find(catalog, kind, index, &entry) ? entry.name : NULL;
}

const char *pendula_catalog_title(const PendulaCatalog *catalog, PendulaKind kind, size_t index)
{
    Listed entry;
    return find(catalog, kind, index, &entry) ? entry.title : NULL;
}

const char *pendula_catalog_unit(const PendulaCatalog *catalog, PendulaKind kind, size_t index)
{
    Listed entry;
    return find(catalog, kind, index, &entry) ? entry.unit : NULL;
}

bool pendula_catalog_parameter(const PendulaCatalog *catalog, PendulaKind kind, size_t index, size_t which,
                               PendulaParameter *parameter)
{
    Listed        entry;
    CardParameter key;
    if (!parameter || parameter->size <= sizeof parameter->size || !find(catalog, kind, index, &entry) || !entry.card ||
        !card_key(entry.card, which, &key))
        return false;
    const size_t           size = parameter->size;
    const PendulaParameter found = {.name = key.name,
                                    .unit = key.unit ? key.unit : "",
                                    .about = key.about ? key.about : "",
                                    .choices = (const char *const *)key.choices,
                                    .choice_count = key.choice_count,
                                    .initial = key.initial,
                                    .least = key.least,
                                    .most = key.most};
    memcpy(parameter, &found, size < sizeof found ? size : sizeof found);
    parameter->size = size;
    return true;
}

void pendula_catalog_free(PendulaCatalog *catalog)
{
    if (catalog)
        catalog_free(&catalog->catalog);
    free(catalog);
}

PendulaDevices *pendula_devices_new(PendulaError **error)
{
    PLAIN_NUMERALS;
    PendulaDevices *devices = library_new(sizeof *devices, error);
    Error           err = {0};
    if (devices && !device_list(&devices->list, &devices->count, &err)) {
        library_fail(error, &err);
        free(devices);
        return NULL;
    }
    return devices;
}

size_t pendula_devices_count(const PendulaDevices *devices)
{
    return devices ? devices->count : 0;
}

bool pendula_devices_get(const PendulaDevices *devices, size_t index, PendulaDevice *device)
{
    if (!device || device->size <= sizeof device->size || index >= pendula_devices_count(devices))
        return false;
    const DeviceInfo   *info = &devices->list[index];
    const size_t        size = device->size;
    const PendulaDevice found = {.name = info->name,
                                 .platform = info->platform,
                                 .driver = info->driver,
                                 .version = info->version,
                                 .gpu = info->gpu,
                                 .fp64 = info->fp64,
                                 .compute_units = info->compute_units,
                                 .memory = info->memory};
    memcpy(device, &found, size < sizeof found ? size : sizeof found);
    device->size = size;
    return true;
}

void pendula_devices_free(PendulaDevices *devices)
{
    if (devices)
        free(devices->list);
    free(devices);
}
