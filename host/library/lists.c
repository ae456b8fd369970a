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
    PendulaCatalog *catalog = library_new(sizeof *catalog, error);
    Error           err = {0};
    if (catalog && !catalog_read(&catalog->catalog, &err)) {
        library_fail(error, &err);
        free(catalog);
        return NULL;
    }
    return catalog;
}

// A metric's card has an entry for each of its results, with the result's description as its title.
static bool find(const PendulaCatalog *catalog, PendulaKind kind, size_t index, const char **name, const char **title)
{
    static const CardKind kinds[] = {
        [PENDULA_PROBLEM] = CARD_PROBLEM, [PENDULA_METHOD] = CARD_METHOD, [PENDULA_METRIC] = CARD_METRIC};
    for (size_t i = 0; catalog && (size_t)kind < sizeof kinds / sizeof *kinds && i < catalog->catalog.card_count; ++i) {
        const Card *card = &catalog->catalog.cards[i];
        if (card->kind != kinds[kind])
            continue;
        const size_t entries = kind == PENDULA_METRIC ? card->result_count : 1;
        if (index < entries) {
            *name = kind == PENDULA_METRIC ? card->results[index].name : card->name;
            *title = kind == PENDULA_METRIC ? card->results[index].about : card->title;
            return true;
        }
        index -= entries;
    }
    return false;
}

const char *pendula_catalog_name(const PendulaCatalog *catalog, PendulaKind kind, size_t index)
{
    const char *name = NULL, *title;
    return find(catalog, kind, index, &name, &title) ? name : NULL;
}

const char *pendula_catalog_title(const PendulaCatalog *catalog, PendulaKind kind, size_t index)
{
    const char *name, *title = NULL;
    return find(catalog, kind, index, &name, &title) ? title : NULL;
}

void pendula_catalog_free(PendulaCatalog *catalog)
{
    if (catalog)
        catalog_free(&catalog->catalog);
    free(catalog);
}

PendulaDevices *pendula_devices_new(PendulaError **error)
{
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
