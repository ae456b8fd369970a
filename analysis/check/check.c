// check -- the way through the examinations.
#include "analysis/check/check.h"

#include "analysis/check/lines.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 20 };

// An error of the card begins with "PATH:LINE:COLUMN: ".
static void add_card_error(Check *check, const char *message)
{
    const size_t length = strlen(check->path);
    char        *end;
    size_t       line = 1;
    if (strncmp(message, check->path, length) == 0 && message[length] == ':') {
        const size_t said = strtoul(message + length + 1, &end, 10);
        message += length + 1;
        message += strspn(message, " ");
        if (said > 0 && *end == ':') {
            line = said;
            message = end + 1;
        }
    }
    findings_add(&check->findings, FINDING_WRONG, line, "%s%s", strspn(message, "0123456789") ? "column " : "",
                 message);
    check->broken = true;
}

static bool read_card(Check *check, Error *err)
{
    Error refused = {0};
    char *text;
    if (!file_read(check->path, LARGEST_FILE, &check->arena, &text, NULL, err))
        return false;
    if (!card_read(check->path, text, &check->arena, &check->card, &refused) ||
        !catalog_check_card(&check->catalog, &check->card, &refused)) {
        if (refused.kind == ERROR_INTERNAL)
            *err = refused;
        else
            add_card_error(check, refused.message);
        return refused.kind != ERROR_INTERNAL;
    }
    return check->card.table_count == 0 || fail(err, ERROR_INPUT,
                                                "%s:%zu: the file asks for tables, which a sweep file has: `pendula "
                                                "conform SWEEP.yaml` examines it there",
                                                check->path, lines_key(&check->card, "tables"));
}

static bool open_device(Check *check, const char *which, Error *err)
{
    if (check->device_count == CHECK_DEVICES)
        return fail(err, ERROR_USAGE, "check: at most %d devices", CHECK_DEVICES);
    if (!device_open(which, PRECISION_DOUBLE, &check->devices[check->device_count], err))
        return false;
    Device *device = check->devices[check->device_count++];
    if (!check->native && strcmp(device_info(device)->platform, "native") == 0)
        check->native = device;
    return true;
}

// The native ones first, which compile fastest, and the first of OpenCL.
static bool open_devices(Check *check, Error *err)
{
    DeviceInfo *infos = NULL;
    size_t      count = 0;
    bool        ok = true;
    for (size_t i = 0; ok && i < check->asked.count; ++i)
        ok = open_device(check, check->asked.items[i], err);
    ok = ok && (check->asked.count > 0 || device_list(&infos, &count, err));
    for (int native = 1; ok && native >= 0; --native) {
        const size_t most = native ? CHECK_DEVICES - 1 : check->device_count + 1;
        for (size_t d = 0; ok && d < count && check->device_count < most; ++d) {
            char number[24];
            snprintf(number, sizeof number, "%zu", d);
            if ((strcmp(infos[d].platform, "native") == 0) == native)
                ok = open_device(check, number, err);
        }
    }
    free(infos);
    return ok;
}

bool check_file(Check *check, Error *err)
{
    if (!catalog_read(&check->catalog, err) || !read_card(check, err))
        return false;
    if (check->card.parameter_count > CHECK_PARAMETERS)
        return fail(err, ERROR_INPUT, "%s: more than %d parameters cannot be examined", check->path, CHECK_PARAMETERS);
    if (!check->broken)
        check_promises(check);
    if (check->broken)
        return findings_check(&check->findings, err);
    const bool problem = check->card.kind == CARD_PROBLEM;
    if (!problem)
        findings_add(&check->findings, FINDING_NOTE, 0,
                     "memory: not examined: only a problem is compiled as C by itself");
    bool ok = open_devices(check, err) && (!problem || check_memory(check, err)) &&
              (!problem || check->broken || check_laws(check, err)) &&
              ((problem && check->broken) || check_kernels(check, err)) &&
              (check->broken || check->card.kind == CARD_METRIC || check_certificates(check, err)) &&
              check_stability(check, err);
    // A compiler that the signal ended has found nothing.
    if (ok && check->signals && *check->signals)
        ok = fail(err, ERROR_STOPPED, "stopped by a signal");
    return ok && findings_check(&check->findings, err);
}

void check_free(Check *check)
{
    for (size_t d = 0; d < check->device_count; ++d)
        device_close(check->devices[d]);
    findings_free(&check->findings);
    arena_free(&check->arena);
    catalog_free(&check->catalog);
}
