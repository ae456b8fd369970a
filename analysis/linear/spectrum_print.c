// spectrum_print -- rows and limits, line by line.
#include "analysis/linear/spectrum_print.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

enum { MOST_NAMES = 64 };

static void add_json(Text *text, const char *key, double number)
{
    json_key(text, key);
    if (isinf(number))
        text_add(text, "\"inf\"");
    else
        json_number(text, number);
    text_add(text, ", ");
}

// A number as text has it in a column.
static void add_column(Text *text, double number)
{
    if (isnan(number))
        text_add(text, " %14s", "-");
    else if (isinf(number))
        text_add(text, " %14s", "infinite");
    else
        text_add(text, " %14.9g", number);
}

// The parameters of all entries, each name once.
static size_t list_parameters(const Spectrum *spectrum, const char *names[MOST_NAMES])
{
    size_t count = 0;
    for (size_t e = 0; e < spectrum->entry_count; ++e)
        for (size_t i = 0; i < spectrum->entries[e].method->parameter_count; ++i) {
            const char *name = spectrum->entries[e].method->parameters[i].name;
            size_t      k = 0;
            while (k < count && strcmp(names[k], name) != 0)
                ++k;
            if (k == count && count < MOST_NAMES)
                names[count++] = name;
        }
    return count;
}

static void add_value(Text *text, const SpectrumEntry *entry, size_t parameter, bool quoted)
{
    const CardParameter *about = &entry->method->parameters[parameter];
    if (about->choices)
        text_add(text, quoted ? "\"%s\"" : "%s", about->choices[(size_t)entry->parameters[parameter]]);
    else
        json_number(text, entry->parameters[parameter]);
}

// ",METHOD" and the entry's parameters, empty where it has not that one.
static void end_csv(Text *text, const Spectrum *spectrum, const SpectrumEntry *entry)
{
    const char  *names[MOST_NAMES];
    const size_t count = list_parameters(spectrum, names);
    text_add(text, ",%s", entry->method->name);
    for (size_t k = 0; k < count; ++k) {
        text_add(text, ",");
        for (size_t i = 0; i < entry->method->parameter_count; ++i)
            if (strcmp(entry->method->parameters[i].name, names[k]) == 0)
                add_value(text, entry, i, false);
    }
    text_add(text, "\n");
}

static void begin_csv(Text *text, const Spectrum *spectrum, const char *columns)
{
    const char  *names[MOST_NAMES];
    const size_t count = list_parameters(spectrum, names);
    text_add(text, "%s,method", columns);
    for (size_t k = 0; k < count; ++k)
        text_add(text, ",%s", names[k]);
    text_add(text, "\n");
}

static void end_json(Text *text, const SpectrumEntry *entry)
{
    json_key(text, "method");
    json_string(text, entry->method->name);
    text_add(text, ", ");
    json_key(text, "parameters");
    for (size_t i = 0; i < entry->method->parameter_count; ++i) {
        text_add(text, "%s", i ? ", " : "{");
        json_key(text, entry->method->parameters[i].name);
        add_value(text, entry, i, true);
    }
    text_add(text, "%s}}", entry->method->parameter_count ? "" : "{");
}

// "generalized_alpha: rho_inf = 0.6"
static void begin_text(Text *text, const SpectrumEntry *entry)
{
    text_add(text, "%s%s", entry->method->name, entry->method->parameter_count ? ": " : "");
    spectrum_place(text, entry);
    text_add(text, "%s\n", entry->theory ? "" : " (no row of theory: all is the kernel's)");
}

void spectrum_print_rows(Text *text, Format format, const Spectrum *spectrum, const SpectrumRow *rows, size_t per_entry)
{
    if (format == FORMAT_CSV)
        begin_csv(text, spectrum, "omega_h,zeta,radius,damping_ratio,period_error,radius_kernel");
    for (size_t i = 0; i < spectrum->entry_count * per_entry; ++i) {
        static const char *const names[] = {"omega_h",       "zeta",         "radius",
                                            "damping_ratio", "period_error", "radius_kernel"};
        enum { COLUMNS = sizeof names / sizeof *names };
        const SpectrumEntry *entry = &spectrum->entries[i / per_entry];
        const SpectrumRow   *row = &rows[i];
        const double         numbers[COLUMNS] = {row->omega_h,           row->zeta,
                                                 row->mode.radius,       row->mode.damping_ratio,
                                                 row->mode.period_error, row->radius_kernel};
        if (format == FORMAT_TEXT && i % per_entry == 0) {
            text_add(text, "%s", i ? "\n" : "");
            begin_text(text, entry);
            for (size_t k = 0; k < COLUMNS; ++k)
                text_add(text, " %14s", names[k]);
            text_add(text, "\n");
        }
        if (format == FORMAT_JSON)
            text_add(text, "%s\n  {", i ? "," : "[");
        for (size_t k = 0; k < COLUMNS; ++k) {
            if (format == FORMAT_TEXT)
                add_column(text, numbers[k]);
            else if (format == FORMAT_JSON)
                add_json(text, names[k], numbers[k]);
            else {
                text_add(text, "%s", k ? "," : "");
                format_number(text, numbers[k]);
            }
        }
        if (format == FORMAT_TEXT)
            text_add(text, "\n");
        else if (format == FORMAT_JSON)
            end_json(text, entry);
        else
            end_csv(text, spectrum, entry);
    }
    text_add(text, "%s", format == FORMAT_JSON ? "\n]\n" : "");
}

static void print_limits_text(Text *text, const Spectrum *spectrum, const SpectrumLimit *limits, size_t per_entry)
{
    text_add(text, "%sLargest Omega with a spectral radius of at most 1\n", text->length ? "\n" : "");
    for (size_t e = 0; e < spectrum->entry_count; ++e) {
        const SpectrumEntry *entry = &spectrum->entries[e];
        begin_text(text, entry);
        if (*entry->method->critical)
            text_add(text, "  by its card: %s\n", entry->method->critical);
        text_add(text, " %14s %14s %14s\n", "zeta", "closed form", "kernel");
        for (size_t k = 0; k < per_entry; ++k) {
            const SpectrumLimit *limit = &limits[e * per_entry + k];
            add_column(text, limit->zeta);
            add_column(text, limit->theory);
            add_column(text, limit->kernel);
            text_add(text, "\n");
        }
    }
}

void spectrum_print_limits(Text *text, Format format, const Spectrum *spectrum, const SpectrumLimit *limits,
                           size_t per_entry)
{
    if (format == FORMAT_TEXT) {
        print_limits_text(text, spectrum, limits, per_entry);
        return;
    }
    if (format == FORMAT_CSV)
        begin_csv(text, spectrum, "zeta,critical,critical_kernel");
    for (size_t i = 0; i < spectrum->entry_count * per_entry; ++i) {
        const SpectrumEntry *entry = &spectrum->entries[i / per_entry];
        if (format == FORMAT_CSV) {
            format_number(text, limits[i].zeta);
            text_add(text, ",");
            format_number(text, limits[i].theory);
            text_add(text, ",");
            format_number(text, limits[i].kernel);
            end_csv(text, spectrum, entry);
            continue;
        }
        text_add(text, "%s\n  {", i ? "," : "[");
        add_json(text, "zeta", limits[i].zeta);
        add_json(text, "critical", limits[i].theory);
        add_json(text, "critical_kernel", limits[i].kernel);
        end_json(text, entry);
    }
    text_add(text, "%s", format == FORMAT_JSON ? "\n]\n" : "");
}
