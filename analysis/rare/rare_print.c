// rare_print -- a row for each number: the probability, the nearest point, then each run and its levels.
#include "analysis/rare/rare_print.h"

#include <inttypes.h>
#include <math.h>

typedef struct RarePrint {
    const Rare *rare;
    Table       table;
} RarePrint;

// A row of a run and of a level, both from 1 on; 0: of all of them.
static void add_row(RarePrint *print, const char *statistic, const char *factor, size_t run, size_t level,
                    IntervalEstimate estimate)
{
    Table *table = &print->table;
    table_row(table);
    table_word(table, "label", print->rare->group->label);
    table_word(table, "statistic", statistic);
    table_word(table, "factor", factor);
    table_number(table, "run", run > 0 ? (double)run : (double)NAN);
    table_number(table, "level", level > 0 ? (double)level : (double)NAN);
    table_number(table, "value", estimate.value);
    table_number(table, "low", estimate.low);
    table_number(table, "high", estimate.high);
    table_end_row(table);
}

static void add_number(RarePrint *print, const char *statistic, size_t run, size_t level, double number)
{
    add_row(print, statistic, NULL, run, level, (IntervalEstimate){number, (double)NAN, (double)NAN});
}

static void add_nearest(RarePrint *print)
{
    const Rare   *rare = print->rare;
    const Subset *subset = &rare->subset;
    add_number(print, "distance", 0, 0, subset->distance);
    for (size_t i = 0; i < rare->group->axis_count; ++i) {
        const Axis *axis = &rare->group->axes[i];
        if (!axis->values)
            add_row(print, "nearest", axis->name, 0, 0,
                    (IntervalEstimate){rare_factor(rare, axis->factor, subset->nearest), (double)NAN, (double)NAN});
    }
}

static void add_run(RarePrint *print, size_t r)
{
    const SubsetRun *run = &print->rare->subset.runs[r];
    add_row(print, "run", NULL, r + 1, 0, run->interval);
    add_number(print, "variation", r + 1, 0, run->variation);
    for (size_t i = 1; i < run->level_count; ++i) {
        const SubsetLevel *level = &run->levels[i];
        add_number(print, "threshold", r + 1, i, rare_threshold(print->rare, level->threshold));
        add_number(print, "above", r + 1, i, level->probability);
        add_number(print, "acceptance", r + 1, i, level->acceptance);
    }
}

static void print_heading(Text *text, const Rare *rare)
{
    const RareRequest *request = rare->request;
    text_add(text, "%s: P(%s %s %.6g)\n  %" PRIu64 " points, %" PRIu64 " runs of %" PRIu64 " points a level",
             rare->group->label, request->metric, request->below ? "<" : ">", request->value, rare->subset.point_count,
             request->runs, request->samples);
    if (rare->failed_count > 0)
        text_add(text, "; %" PRIu64 " failed or have no number: they count as %s the event", rare->failed_count,
                 request->failed == SPREAD_WORST ? "in" : "outside of");
    text_add(text, "\n");
}

bool rare_print(const Rare *rares, size_t count, Format format, Text *text, Error *err)
{
    enum { PROGRAMS = TABLE_CSV | TABLE_JSON };
    static const TableColumn columns[] = {{.name = "label", .formats = PROGRAMS},
                                          {.name = "statistic", .gap = 2, .width = 11, .left = true},
                                          {.name = "factor", .gap = 1, .width = 12, .left = true},
                                          {.name = "run", .gap = 1, .width = 4, .digits = 6},
                                          {.name = "level", .gap = 1, .width = 6, .digits = 6},
                                          {.name = "value", .gap = 2, .width = 12, .digits = 6},
                                          {.name = "low", .gap = 2, .width = 12, .digits = 6},
                                          {.name = "high", .gap = 2, .width = 12, .digits = 6}};
    RarePrint                print = {.table = {TABLE(text, format, columns)}};
    table_begin(&print.table);
    for (size_t g = 0; g < count; ++g) {
        print.rare = &rares[g];
        if (format == FORMAT_TEXT) {
            text_add(text, g > 0 ? "\n" : "");
            print_heading(text, print.rare);
            table_heading(&print.table);
        }
        add_row(&print, "probability", NULL, 0, 0, print.rare->subset.probability);
        add_nearest(&print);
        for (size_t r = 0; r < print.rare->request->runs; ++r)
            add_run(&print, r);
    }
    table_end(&print.table);
    return text_check(text, err);
}
