// plot_raster -- a map of many cells: a block of cells has one colour, and a panel is an image of even pixels.
//
// A panel is two images: the lower one has the colours of kinds, the upper one the colours of values, and holes.
#include "analysis/plot/plot_map.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_CELLS = 1 << 14, MOST_BLOCKS = 1024, FEWEST_BLOCKS = 256 };
enum { COLOURS = 1000, FEW_DIGITS = 4, MOST_DIGITS = 9 };

// Beyond these gnuplot's matrices, which have single precision, cannot hold a value, or a difference of values.
static const double least_float = 1e-37, most_float = 1e37, finest = 1e-3;

// The points of a block.
typedef struct MapTally {
    double   mean;  // of the points that have a value
    uint32_t counts[MAP_KINDS];
} MapTally;

// The tallies of a panel in the making.
typedef struct MapCount {
    const Map       *map;
    const MapRaster *raster;
    MapTally        *tallies;  // [blocks along x][blocks along y]
} MapCount;

bool plot_raster_wanted(const PlotFile *file)
{
    size_t cells = 0;
    for (size_t g = 0; g < file->group_count; ++g)
        cells += plot_slice_find(&file->groups[g], 2).count;
    return cells > MOST_CELLS;
}

static size_t block_count(const MapRaster *raster)
{
    return raster->sides[0].blocks * raster->sides[1].blocks;
}

static void see_run(const PlotRun *run, void *user)
{
    const MapCount   *count = user;
    const RasterSide *sides = count->raster->sides;
    size_t            places[2] = {run->places[0], run->places[1]};
    for (size_t i = 0; i < run->count; ++i, ++places[run->along]) {
        const size_t block = raster_block(&sides[0], places[0]) * sides[1].blocks + raster_block(&sides[1], places[1]);
        MapTally    *tally = &count->tallies[block];
        const int    kind = plot_map_kind(count->map, run->status[i], run->values[i]);
        ++tally->counts[kind];
        if (kind == MAP_VALUE)
            tally->mean += (run->values[i] - tally->mean) / (double)tally->counts[kind];
    }
}

// Where more than half of the points are good they are shown, else the most frequent other kind.
static int choose_kind(const MapTally *tally, int good, uint64_t *hidden)
{
    uint64_t points = 0;
    int      most = STATUS_NOT_RUN;
    for (int kind = 0; kind < MAP_KINDS; ++kind) {
        points += tally->counts[kind];
        if (kind != good && tally->counts[kind] > tally->counts[most])
            most = kind;
    }
    if (2 * (uint64_t)tally->counts[good] <= points)
        return most;
    *hidden += points - tally->counts[good];
    return good;
}

static void take_tallies(Map *map, MapRaster *raster, const MapTally *tallies)
{
    // The kind of points whose number a block shows.
    const int good = map->categories ? STATUS_OK : MAP_VALUE;
    for (size_t i = 0; i < block_count(raster); ++i) {
        const int  kind = choose_kind(&tallies[i], good, &raster->hidden);
        const bool drawn = kind == MAP_VALUE && isfinite(tallies[i].mean);
        raster->kinds[i] = (unsigned char)(kind == MAP_VALUE && !drawn ? MAP_NO_VALUE : kind);
        raster->values[i] = drawn ? tallies[i].mean : (double)NAN;
        map->has[raster->kinds[i]] = raster->has[drawn] = true;
    }
}

static bool read_panel(Map *map, size_t number, RasterSize size, Error *err)
{
    Arena     *arena = &map->figure->arena, work = {0};
    MapRaster *raster = &map->rasters[number];
    for (size_t k = 0; k < 2; ++k) {
        const MapSpan *span = &map->spans[number][k];
        if (!raster_side(span->values, span->edges, span->count, size, arena, &raster->sides[k], err))
            return false;
    }
    MapCount count = {map, raster, arena_take(&work, block_count(raster), sizeof(MapTally), err)};
    raster->values = arena_take(arena, block_count(raster), sizeof *raster->values, err);
    raster->kinds = arena_take(arena, block_count(raster), sizeof *raster->kinds, err);
    const bool ok = count.tallies && raster->values && raster->kinds &&
                    plot_slice_scan(&map->slices[number], map->metric, see_run, &count, err);
    if (ok)
        take_tallies(map, raster, count.tallies);
    arena_free(&work);
    return ok;
}

// The range of the scale is that of the blocks.
static bool find_clip(Map *map, Error *err)
{
    const size_t panels = map->file->group_count;
    Arena        work = {0};
    size_t       room = 0, count = 0;
    for (size_t g = 0; g < panels; ++g)
        room += block_count(&map->rasters[g]);
    double *values = arena_take(&work, room, sizeof *values, err);
    map->boxed = panels;
    for (size_t g = panels; values && g-- > 0;)
        for (size_t i = 0; i < block_count(&map->rasters[g]); ++i)
            if (map->rasters[g].kinds[i] == MAP_VALUE) {
                values[count++] = map->rasters[g].values[i];
                map->boxed = g;
            }
    if (values)
        map->clip = plot_slice_clip(values, count);
    arena_free(&work);
    return values != NULL;
}

// A picture has a million blocks, whatever its panels are, as far as that leaves enough to each.
static RasterSize find_size(const Map *map)
{
    const double     share = MOST_BLOCKS / sqrt((double)map->file->group_count);
    const FigureSize panel = map->figure->panel;
    const size_t     most = share > FEWEST_BLOCKS ? (size_t)share : FEWEST_BLOCKS;
    const unsigned   longer = panel.width > panel.height ? panel.width : panel.height;
    return (RasterSize){.most = most, .least = longer < most ? longer : most};
}

bool plot_raster_read(Map *map, Error *err)
{
    const size_t     panels = map->file->group_count;
    const RasterSize size = find_size(map);
    map->rasters = arena_take(&map->figure->arena, panels, sizeof *map->rasters, err);
    for (size_t g = 0; map->rasters && g < panels; ++g)
        if (!read_panel(map, g, size, err))
            return false;
    return map->rasters && find_clip(map, err);
}

static bool are_alike(const Map *map)
{
    for (size_t g = 1; g < map->file->group_count; ++g)
        for (size_t k = 0; k < 2; ++k)
            if (map->rasters[g].sides[k].each != map->rasters[0].sides[k].each)
                return false;
    return true;
}

static void say_block(const Map *map, size_t number, bool alike)
{
    const RasterSide *sides = map->rasters[number].sides;
    Text             *notes = &map->figure->notes;
    if (sides[0].each <= 1 && sides[1].each <= 1)
        return;
    if (!alike)
        text_add(notes, "%s: ", map->file->groups[number].points.group->label);
    text_add(notes, "each cell is a block of %zu x %zu points: %s\n", sides[0].each, sides[1].each,
             map->categories ? "how most of them ended"
                             : "their mean, or how they ended where half or more have no value");
}

void plot_raster_say(const Map *map)
{
    const bool alike = are_alike(map);
    uint64_t   hidden = 0;
    for (size_t g = 0; g < map->file->group_count; ++g) {
        hidden += map->rasters[g].hidden;
        if (g == 0 || !alike)
            say_block(map, g, alike);
    }
    if (hidden)
        text_add(&map->figure->notes, "%" PRIu64 " points %s are in cells that show the others\n", hidden,
                 map->categories ? "that are not ok" : "without a value");
}

// Whether the script holds the values of the scale themselves.
static bool is_plain(const PlotClip *clip)
{
    const double span = clip->high - clip->low, most = fmax(fabs(clip->low), fabs(clip->high));
    if (clip->logarithmic)
        return clip->low >= least_float && clip->high <= most_float;
    return most <= most_float && (span == 0.0 || (span >= least_float && span >= most * finest));
}

// The number of the script for a value: itself, or where that cannot be its place on the scale, from 0 to 1.
static double number_of(const PlotClip *clip, double value)
{
    const double shown = fmin(fmax(value, clip->low), clip->high);
    if (is_plain(clip))
        return shown;
    return clip->logarithmic ? (log10(shown) - log10(clip->low)) / (log10(clip->high) - log10(clip->low))
                             : (shown / 2.0 - clip->low / 2.0) / (clip->high / 2.0 - clip->low / 2.0);
}

// The digits by which a thousandth of the scale is seen.
static int count_digits(const PlotClip *clip)
{
    const double span = (clip->high - clip->low) / COLOURS, most = fmax(fabs(clip->low), fabs(clip->high));
    if (clip->logarithmic || !is_plain(clip))
        return FEW_DIGITS;
    return span > 0.0 ? (int)ceil(log10(most / span)) : MOST_DIGITS;
}

// Adds the rows of a matrix, the lowest one first.
//   clip  of the values; NULL: the kinds
static void add_matrix(Text *script, const MapRaster *raster, const PlotClip *clip)
{
    const RasterSide *x = &raster->sides[0], *y = &raster->sides[1];
    const int         digits = clip ? count_digits(clip) : 0;
    for (size_t row = 0; row < y->pixels; ++row) {
        for (size_t column = 0; column < x->pixels; ++column) {
            const size_t block = x->block_at[column] * y->blocks + y->block_at[row];
            if (!clip)
                text_add(script, "%d ", (int)raster->kinds[block]);
            else if (raster->kinds[block] == MAP_VALUE)
                text_add(script, "%.*g ", digits, number_of(clip, raster->values[block]));
            else
                text_add(script, "NaN ");
        }
        text_add(script, "\n");
    }
    text_add(script, "END\n");
}

void plot_raster_data(const Map *map, size_t number)
{
    const MapRaster *raster = &map->rasters[number];
    Text            *script = &map->figure->script;
    if (raster->has[true]) {
        text_add(script, "$ok%zu << END\n", number);
        add_matrix(script, raster, &map->clip);
    }
    if (raster->has[false]) {
        text_add(script, "$kind%zu << END\n", number);
        add_matrix(script, raster, NULL);
    }
}

// The colours of kinds are a palette: that of kind k lies at k.
static void add_kinds(Text *script)
{
    text_add(script, "set palette defined (");
    for (int kind = 0; kind < MAP_KINDS; ++kind)
        text_add(script, "%s%d '%s'", kind ? ", " : "", kind,
                 plot_map_colours[kind == MAP_VALUE ? MAP_NO_VALUE : kind]);
    text_add(script, ")\nunset logscale cb\nset cbrange [0:%d]\n", MAP_KINDS - 1);
}

// The second axes count pixels: an image on a logarithmic axis is even there.
static void add_range(const Map *map, size_t number, size_t k)
{
    const RasterSide *side = &map->rasters[number].sides[k];
    const double     *limits = k ? map->request->y_limits : map->request->x_limits;
    const bool        given = limits[0] < limits[1];
    const double      range[2] = {given ? raster_place(side, limits[0]) : -0.5,
                             given ? raster_place(side, limits[1]) : (double)side->pixels - 0.5};
    Text *script = &map->figure->script;
    text_add(script, "set %s2range [", k ? "y" : "x");
    gnuplot_number(script, range[0]);
    text_add(script, ":");
    gnuplot_number(script, range[1]);
    text_add(script, "]\n");
}

static void add_image(Text *script, const char *name, size_t number, const char *using)
{
    text_add(script, "$%s%zu matrix %saxes x2y2 with image notitle", name, number, using);
}

void plot_raster_under(const Map *map, size_t number)
{
    Text      *script = &map->figure->script;
    const bool values = map->rasters[number].has[true], kinds = map->rasters[number].has[false];
    for (size_t k = 0; k < 2; ++k)
        add_range(map, number, k);
    if (kinds)
        add_kinds(script);
    if (kinds && values) {
        text_add(script, "unset border\nunset title\nunset key\n");
        for (size_t k = 0; k < 2; ++k)
            text_add(script, "unset %clabel\nunset %ctics\n", "xy"[k], "xy"[k]);
        text_add(script, "plot ");
        add_image(script, "kind", number, "");
        text_add(script, "\nset multiplot previous\nset border\n");
    }
    if (values)
        plot_map_palette(map);
}

void plot_raster_layer(const Map *map, size_t number)
{
    const PlotClip *clip = &map->clip;
    Text           *script = figure_layer(map->figure), using = {0};
    const bool      values = map->rasters[number].has[true];
    if (values && !is_plain(clip))
        text_add(&using, clip->logarithmic ? "using 1:2:(%.9g**(1-$3)*%.9g**$3) " : "using 1:2:(%.9g*(1-$3)+%.9g*$3) ",
                 clip->low, clip->high);
    add_image(script, values ? "ok" : "kind", number, using.text ? using.text : "");
    script->failed = script->failed || using.failed;
    text_free(&using);
}
