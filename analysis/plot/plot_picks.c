// plot_picks -- a curve of many points: the extremes of each block of them.
#include "analysis/plot/plot_kind.h"

#include <math.h>

enum { CURVE_CELLS = 1 << 14, CURVE_BLOCKS = 1 << 10 };  // a curve of more cells shows so many blocks

// The extremes of the block that is being read.
typedef struct Picker {
    PlotPicks *picks;
    bool       spread;
    size_t     first, end;       // of the block
    size_t     least, most;      // cells; `end`: none has a value
    double     lowest, highest;  // their values
} Picker;

static void add_pick(PlotPicks *picks, size_t cell, double value)
{
    picks->cells[picks->count] = cell;
    picks->values[picks->count++] = value;
}

// Adds the cells of the block, the first one where none has a value.
static void end_block(Picker *picker)
{
    PlotPicks *picks = picker->picks;
    const bool rises = picker->least < picker->most;
    if (picker->least == picker->end) {
        add_pick(picks, picker->first, (double)NAN);
        return;
    }
    add_pick(picks, rises ? picker->least : picker->most, rises ? picker->lowest : picker->highest);
    if (picker->least != picker->most)
        add_pick(picks, rises ? picker->most : picker->least, rises ? picker->highest : picker->lowest);
}

static void see_cell(Picker *picker, size_t cell, double value)
{
    // Of cells in no order the first one is enough.
    if (!isfinite(value) || (picker->spread && cell != picker->first))
        return;
    if (picker->least == picker->end || value < picker->lowest) {
        picker->least = cell;
        picker->lowest = value;
    }
    if (picker->most == picker->end || value > picker->highest) {
        picker->most = cell;
        picker->highest = value;
    }
}

static void see_curve(const PlotRun *run, void *user)
{
    Picker *picker = user;
    for (size_t i = 0; i < run->count; ++i) {
        const size_t cell = run->places[run->along] + i;
        if (cell > 0 && cell == picker->end)
            end_block(picker);
        if (cell == picker->end) {
            picker->first = cell;
            picker->end = picker->least = picker->most = cell + picker->picks->each;
        }
        see_cell(picker, cell, run->values[i]);
    }
}

static bool pick_all(const PlotSlice *slice, const PlotMetric *metric, Arena *arena, PlotPicks *picks, Error *err)
{
    PlotSlice whole = *slice;
    if (!plot_slice_fill(&whole, metric, arena, err))
        return false;
    picks->values = whole.values;
    picks->count = slice->count;
    for (size_t i = 0; i < slice->count; ++i)
        picks->cells[i] = i;
    return true;
}

bool plot_picks_read(const PlotSlice *slice, const PlotMetric *metric, bool spread, Arena *arena, PlotPicks *picks,
                     Error *err)
{
    const bool   all = slice->count <= CURVE_CELLS;
    const size_t room = all ? slice->count : 2 * (CURVE_BLOCKS + 1);
    *picks = (PlotPicks){.each = all ? 1 : (slice->count + CURVE_BLOCKS - 1) / CURVE_BLOCKS};
    picks->cells = arena_take(arena, room, sizeof *picks->cells, err);
    if (!picks->cells || all)
        return picks->cells && pick_all(slice, metric, arena, picks, err);
    Picker picker = {.picks = picks, .spread = spread};
    picks->values = arena_take(arena, room, sizeof *picks->values, err);
    if (!picks->values || !plot_slice_scan(slice, metric, see_curve, &picker, err))
        return false;
    end_block(&picker);
    return true;
}

void plot_picks_say(Text *notes, const PlotPicks *picks, const char *label, bool spread)
{
    if (picks->each > 1)
        text_add(notes,
                 spread ? "%s: one of %zu points is drawn\n"
                        : "%s: the least and the greatest of each %zu points are drawn\n",
                 label, picks->each);
}
