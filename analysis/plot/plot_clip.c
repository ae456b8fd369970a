// plot_clip -- sorted values: their ends compared with those between.
#include "analysis/plot/plot_clip.h"

#include "analysis/plot/figure.h"

#include <math.h>

enum { FEWEST = 8, SHARE = 50 };

static const double stretch = 9.0, decades = 2.0;

static bool wants_logarithmic(double low, double high)
{
    return low > 0.0 && high >= 20.0 * low;
}

// Whether a value so far from the others, which span so much, is left out. All on the scale: decades, or as they are.
static bool is_far(double distance, double span, bool logarithmic)
{
    return span > 0.0 && distance > (logarithmic ? fmax(span, decades) : stretch * span);
}

PlotClip plot_clip_find(double *values, size_t count)
{
    if (count == 0)
        return (PlotClip){.low = INFINITY, .high = -INFINITY};
    figure_sort(values, count);
    const size_t share = count / SHARE, some = count < FEWEST ? 0 : share ? share : 1;
    PlotClip     clip = {.least = values[0], .most = values[count - 1], .count = count};
    const bool   logarithmic = wants_logarithmic(clip.least, clip.most);
    double       ends[4] = {clip.least, values[some], values[count - 1 - some], clip.most};
    for (int k = 0; logarithmic && k < 4; ++k)
        ends[k] = log10(ends[k]);
    const double span = ends[2] - ends[1];
    clip.low = is_far(ends[1] - ends[0], span, logarithmic) ? values[some] : clip.least;
    clip.high = is_far(ends[3] - ends[2], span, logarithmic) ? values[count - 1 - some] : clip.most;
    for (size_t i = 0; i < count; ++i)
        clip.beyond += values[i] < clip.low || values[i] > clip.high;
    clip.logarithmic = wants_logarithmic(clip.low, clip.high);
    return clip;
}

void plot_clip_say(Text *notes, const PlotClip *clip, const char *name)
{
    if (clip->beyond == 0)
        return;
    text_add(notes, "%s: the scale ends where %zu of %zu points lie beyond it,", name, clip->beyond, clip->count);
    if (clip->least < clip->low)
        text_add(notes, " down to %.3g%s", clip->least, clip->most > clip->high ? " and" : "");
    if (clip->most > clip->high)
        text_add(notes, " up to %.3g", clip->most);
    text_add(notes, "\n");
}
