// plot_map_scale -- kinds of cells, and the scale of their values.
#include "analysis/plot/plot_map.h"

#include <math.h>

const char *const plot_map_colours[MAP_KINDS] = {"#d9d9d9", "#21918c", "#e31a1c", "#fb6a4a", "#ff1493",
                                                 "#7f0000", "#000000", NULL,      "#eeeeee"};

int plot_map_kind(const Map *map, double status, double value)
{
    if (!(status >= 0.0 && status < STATUS_COUNT))
        return STATUS_NOT_RUN;
    if (map->categories || status != (double)STATUS_OK)
        return (int)status;
    return isfinite(value) ? MAP_VALUE : MAP_NO_VALUE;
}

// The range of the palette.
static FigureRange find_range(FigureRange shown)
{
    return figure_widen(shown, 0.0, fmax(fabs(shown.low), 1.0) * 0.5);
}

// The range of the scale: 0 to 0 where no point has a value.
static FigureRange find_shown(const PlotClip *clip)
{
    return clip->low <= clip->high ? (FigureRange){clip->low, clip->high} : (FigureRange){0.0, 0.0};
}

static void add_palette(Text *script, FigureRange range)
{
    text_add(script,
             "set palette defined (0 '#440154', 0.13 '#472878', 0.25 '#3b528b', 0.38 '#2c718e', 0.5 '#21918c', 0.63 "
             "'#28ae80', "
             "0.75 '#5ec962', 0.88 '#addc30', 1 '#fde725')\n"
             "set cbrange [%.9g:%.9g]\n",
             range.low, range.high);
}

void plot_map_palette(const Map *map)
{
    add_palette(&map->figure->script, find_range(find_shown(&map->clip)));
    if (map->clip.logarithmic)
        text_add(&map->figure->script, "set logscale cb\n");
}

void plot_map_scale(const Map *map)
{
    const FigureRange shown = find_shown(&map->clip);
    Text             *script = &map->figure->script;
    text_add(script, "set encoding utf8\n");
    add_palette(script, find_range(shown));
    text_add(script, "shown(value) = value < %.9g ? %.9g : value > %.9g ? %.9g : value\n", shown.low, shown.low,
             shown.high, shown.high);
    gnuplot_label(script, "set cblabel ", map->metric->name, map->metric->unit);
    text_add(script, " offset 1\n");
    if (map->clip.logarithmic)
        text_add(script, "set logscale cb\n%s", shown.high > 100.0 * shown.low ? "set format cb '10^{%L}'\n" : "");
}
