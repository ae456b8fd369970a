// bench_print -- numbers with three digits, and the device and software they were measured on.
#include "analysis/bench/bench.h"

#include "base/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

enum { MOST_CPUINFO = 1 << 24 };

static bool has_plain(const BenchResult *result)
{
    return result->race.ratio.median > 0.0;
}

static bool has_differences(const BenchResult *result)
{
    return result->race.ratio_by_differences.median > 0.0;
}

static bool has_bare(const BenchResult *result)
{
    return result->race.bare_ratio.median > 0.0;
}

static double percent_apart(const Spread *spread)
{
    return 100.0 * (spread->upper - spread->lower) / spread->median;
}

void bench_print_lines(const BenchResult *result, bool new_device, Text *text)
{
    const RaceResult *race = &result->race;
    if (new_device)
        text_add(
            text,
            "%s%s\n%s\nat best %.4g operations/s; the plain loops on %d thread%s\n\n"
            "workload  lanes   points   steps/s  spread  updates/s   plain C    ratio    between      peak      bare "
            "/bare\n",
            result->device_number ? "\n" : "", result->device->name, result->device->platform_version,
            result->peak_flops, result->asked->threads, result->asked->threads == 1 ? "" : "s");
    // A long name gets a line to itself.
    text_add(text, "%-8s%s", result->workload, strlen(result->workload) > 8 ? "\n        " : "");
    text_add(text, " %6d %8" PRIu64 " %9.3g %6.1f%%", race->lanes, race->points, race->steps_per_s.median,
             percent_apart(&race->steps_per_s));
    if (isnan(result->updates_per_step))
        text_add(text, "          -");
    else
        text_add(text, " %10.3g", race->steps_per_s.median * result->updates_per_step);
    if (has_plain(result))
        text_add(text, " %9.3g %8.2f  %6.2f %6.2f %5.1f%%", race->plain_steps_per_s.median, race->ratio.median,
                 race->ratio.lower, race->ratio.upper, 100.0 * result->peak_fraction);
    else
        text_add(text, "         -        -       -      -      -");
    if (has_bare(result))
        text_add(text, " %9.3g %5.2f\n", race->bare_steps_per_s.median, race->bare_ratio.median);
    else
        text_add(text, "         -     -\n");
    if (race->trial.count > 0) {
        text_add(text, "         trial: ");
        shapes_describe(&race->trial, text);
        text_add(text, "\n");
    }
}

static void add_spread(Table *table, const char *key, const Spread *spread, bool there)
{
    static const char *const ends[] = {"", "_min", "_max", "_lower", "_upper"};
    const double             values[] = {spread->median, spread->least, spread->most, spread->lower, spread->upper};
    char                     name[64];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        snprintf(name, sizeof name, "%s%s", key, ends[i]);
        table_number(table, name, there ? values[i] : (double)NAN);
    }
}

void bench_print_json(const BenchResult *result, Table *table)
{
    const RaceResult *race = &result->race;
    table_row(table);
    table_word(table, "workload", result->workload);
    table_word(table, "device", result->device->name);
    table_word(table, "problem", result->asked->group->problem->name);
    table_word(table, "method", result->asked->group->method->name);
    table_word(table, "precision", result->asked->plan->precision == PRECISION_SINGLE ? "single" : "double");
    table_number(table, "lanes", race->lanes);
    Text trial = {0};
    if (race->trial.count > 0)
        shapes_describe(&race->trial, &trial);
    table_word(table, "trial", trial.text ? trial.text : "");
    text_free(&trial);
    table_number(table, "points", (double)race->points);
    table_number(table, "steps", (double)race->steps);
    table_number(table, "repetitions", result->asked->repetitions);
    table_number(table, "threads", result->asked->threads);
    add_spread(table, "steps_per_s", &race->steps_per_s, true);
    table_number(table, "updates_per_s", race->steps_per_s.median * result->updates_per_step);
    add_spread(table, "plain_c_steps_per_s", &race->plain_steps_per_s, has_plain(result));
    add_spread(table, "ratio", &race->ratio, has_plain(result));
    table_number(table, "ratio_by_differences",
                 has_differences(result) ? race->ratio_by_differences.median : (double)NAN);
    table_number(table, "bare_kernel_steps_per_s", has_bare(result) ? race->bare_steps_per_s.median : (double)NAN);
    add_spread(table, "bare_ratio", &race->bare_ratio, has_bare(result));
    table_number(table, "flops_per_step", result->flops_per_step);
    table_number(table, "peak_flops", result->peak_flops);
    table_number(table, "peak_fraction", result->peak_fraction);
    table_number(table, "bytes", (double)race->bytes);
    table_number(table, "bytes_per_step", (double)race->bytes / (double)race->steps);
    table_number(table, "overhead", race->overhead);
    table_end_row(table);
}

// The processor's name as the system has it.
static void add_processor(Text *text)
{
    Arena       arena = {0};
    Error       none;
    char       *read;
    const char *line =
        file_read("/proc/cpuinfo", MOST_CPUINFO, &arena, &read, NULL, &none) ? strstr(read, "model name") : NULL;
    const char *name = line ? strchr(line, ':') : NULL;
    if (name) {
        name += 1 + strspn(name + 1, " \t");
        text_add(text, "%.*s", (int)strcspn(name, "\n"), name);
    } else {
        text_add(text, "a processor without a name");
    }
    arena_free(&arena);
}

void bench_print_page_begin(const char *words, Text *text)
{
    char         date[16];
    const time_t seconds = time(NULL);
    struct tm    parts;
    gmtime_r(&seconds, &parts);
    strftime(date, sizeof date, "%Y-%m-%d", &parts);
    text_add(text, "# Speed\n\nMeasured on ");
    add_processor(text);
    text_add(text,
             ", %s, by pendula " PENDULA_VERSION " compiled with " COMPILER ". This page is the output of\n\n"
             "    pendula bench %s\n",
             date, words);
}

static void add_cell(Text *text, bool there, const char *format, double number)
{
    if (there)
        text_add(text, format, number);
    else
        text_add(text, " - |");
}

void bench_print_page(const BenchResult *result, bool new_device, Text *text)
{
    const RaceResult *race = &result->race;
    if (new_device)
        text_add(text,
                 "\n## %s\n%s, driver %s; %u compute units, at best %.4g operations per second (`fma` counted as two, "
                 "measured). The plain loops have %d thread%s; medians of %d repetitions.\n\n"
                 "| workload | problem, method | lanes | points | steps/s (spread) | updates/step | plain C | ratio "
                 "(quartiles) | to differences | bare kernel | to bare | of peak | bytes/step |\n"
                 "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
                 result->device->name, result->device->platform_version, result->device->driver,
                 result->device->compute_units, result->peak_flops, result->asked->threads,
                 result->asked->threads == 1 ? "" : "s", result->asked->repetitions);
    text_add(text, "| %s | %s, %s%s | %d | %" PRIu64 " | %.3g (%.1f %%) |", result->workload,
             result->asked->group->problem->name, result->asked->group->method->name,
             result->asked->plan->precision == PRECISION_SINGLE ? ", single" : "", race->lanes, race->points,
             race->steps_per_s.median, percent_apart(&race->steps_per_s));
    add_cell(text, !isnan(result->updates_per_step), " %.3f |", result->updates_per_step);
    add_cell(text, has_plain(result), " %.3g |", race->plain_steps_per_s.median);
    if (has_plain(result))
        text_add(text, " **%.1f** (%.1f to %.1f) |", race->ratio.median, race->ratio.lower, race->ratio.upper);
    else
        text_add(text, " - |");
    add_cell(text, has_differences(result), " %.1f |", race->ratio_by_differences.median);
    add_cell(text, has_bare(result), " %.3g |", race->bare_steps_per_s.median);
    add_cell(text, has_bare(result), " %.2f |", race->bare_ratio.median);
    add_cell(text, !isnan(result->peak_fraction), " %.0f %% |", 100.0 * result->peak_fraction);
    text_add(text, " %.2g |\n", (double)race->bytes / (double)race->steps);
}

void bench_print_page_end(bool gpu, Text *text)
{
    text_add(
        text,
        "\nSteps are those of one point: points times steps over the time of the kernels. `plain C` is the same "
        "algorithm as a loop over the points, one after the other, on all cores (analysis/bench/plain*: -O3 "
        "-march=native, libm, no contraction, elimination unrolled); kernel and loop run in turns, and before "
        "that must have made the same updates and come to the same states. `ratio` is kernel over loop, the "
        "median of the repetitions and their quartiles; where a workload's Jacobian is analytic (`a`), so is the "
        "loop's, and `to differences` is the ratio to the loop that makes it by differences. `bare kernel` is the same "
        "algorithm on the same device as a kernel made by hand, with as many lanes and "
        "nothing else (analysis/bench/bare.cl); it takes its turns with the others, and `to bare` is the kernel over "
        "it. "
        "`of peak` is the share of the device's best rate, in operations counted in the formulas, sine and cosine by "
        "their polynomials (analysis/bench/plain_newton.h); compilers save some of them, where differences leave a "
        "part "
        "of the system unmoved (W4, W5); that of `s` is of single precision's. Bytes are those of parameters, "
        "state and results that a run reads and writes.\n");
    if (!gpu)
        text_add(text, "\nNot measured on a GPU.\n");
}
