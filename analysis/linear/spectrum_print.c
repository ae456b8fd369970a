// spectrum_print -- rows and limits, line by line.
#include "analysis/linear/spectrum.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 64 };

// The columns of a table in front of the method and its parameters.
#define NUMBER .gap = 1, .width = 14, .digits = 9
enum { ROW_NUMBERS = 6, LIMIT_NUMBERS = 3 };
static const TableColumn of_rows[ROW_NUMBERS] = {{"omega_h", NUMBER},      {"zeta", NUMBER},
                                                 {"radius", NUMBER},       {"damping_ratio", NUMBER},
                                                 {"period_error", NUMBER}, {"radius_kernel", NUMBER}};
static const TableColumn of_limits[LIMIT_NUMBERS] = {
    {"zeta", NUMBER}, {"critical", "theory", NUMBER}, {"critical_kernel", "kernel", NUMBER}};

// The numbers, the method, and the parameters of all entries, each once.
static size_t list_columns(const Spectrum *spectrum, const TableColumn *numbers, size_t count,
                           TableColumn columns[MOST_COLUMNS])
{
    memcpy(columns, numbers, count * sizeof *numbers);
    columns[count++] = (TableColumn){"method", .formats = TABLE_CSV | TABLE_JSON};
    for (size_t e = 0; e < spectrum->entry_count; ++e)
        for (size_t i = 0; i < spectrum->entries[e].method->parameter_count && count < MOST_COLUMNS; ++i) {
            const char *name = spectrum->entries[e].method->parameters[i].name;
            size_t      k = 0;
            while (k < count && strcmp(columns[k].name, name) != 0)
                ++k;
            if (k == count && !isnan(spectrum->entries[e].parameters[i]))
                columns[count++] = (TableColumn){name, .formats = TABLE_CSV | TABLE_JSON};
        }
    return count;
}

static void add_row(Table *table, const SpectrumEntry *entry, const double *numbers, size_t count)
{
    const Card *method = entry->method;
    table_row(table);
    for (size_t i = 0; i < count; ++i)
        if (isinf(numbers[i]) && table->format == FORMAT_JSON)
            table_word(table, table->columns[i].name, "inf");
        else
            table_number(table, table->columns[i].name, numbers[i]);
    table_word(table, "method", method->name);
    table_open(table, "parameters", "{");
    for (size_t c = count + 1; c < table->column_count; ++c)
        for (size_t i = 0; i < method->parameter_count; ++i) {
            const CardParameter *parameter = &method->parameters[i];
            if (strcmp(parameter->name, table->columns[c].name) != 0 || isnan(entry->parameters[i]))
                continue;
            if (parameter->choices)
                table_word(table, parameter->name, parameter->choices[(size_t)entry->parameters[i]]);
            else
                table_number(table, parameter->name, entry->parameters[i]);
        }
    table_close(table, "}");
    table_end_row(table);
}

// "generalized_alpha: rho_inf = 0.6"
static void begin_text(Text *text, const SpectrumEntry *entry)
{
    text_add(text, "%s%s", entry->method->name, entry->method->parameter_count ? ": " : "");
    spectrum_place(text, entry);
    text_add(text, "%s\n", entry->theory ? "" : " (no equations on its card: all is the kernel's)");
}

void spectrum_print(Text *text, Format format, const Spectrum *spectrum, const SpectrumRow *rows,
                    const SpectrumLimit *limits, size_t per_entry)
{
    TableColumn  columns[MOST_COLUMNS];
    Table        table = {TABLE(text, format, columns)};
    const size_t count = rows ? ROW_NUMBERS : LIMIT_NUMBERS;
    table.column_count = list_columns(spectrum, rows ? of_rows : of_limits, count, columns);
    if (format == FORMAT_TEXT && !rows)
        text_add(text, "%sLargest Omega with a spectral radius of at most 1\n", text->length ? "\n" : "");
    table_begin(&table);
    for (size_t i = 0; i < spectrum->entry_count * per_entry; ++i) {
        const SpectrumEntry *entry = &spectrum->entries[i / per_entry];
        const double        *numbers = rows ? (const double[]){rows[i].omega_h,           rows[i].zeta,
                                                               rows[i].mode.radius,       rows[i].mode.damping_ratio,
                                                               rows[i].mode.period_error, rows[i].radius_kernel}
                                            : (const double[]){limits[i].zeta, limits[i].theory, limits[i].kernel};
        if (format == FORMAT_TEXT && i % per_entry == 0) {
            text_add(text, "%s", rows && i ? "\n" : "");
            begin_text(text, entry);
            if (!rows && *entry->method->critical)
                text_add(text, "  by its card: %s\n", entry->method->critical);
            table_heading(&table);
        }
        add_row(&table, entry, numbers, count);
    }
    table_end(&table);
    text_add(text, "%s", format == FORMAT_JSON ? "\n" : "");
}
