// plot_trajectory -- gnuplot script of trajectories: ranges, scales and panels of the fields, and the legend.
#include "analysis/plot/trajectories.h"
#include "base/sort.h"
#include "catalog/catalog.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 20000, TIME_HEIGHT = 48, MOST_SPOTS = 600, MOST_SORTED = 4096 };

static const double far_beyond = 1000.0;

// The time from which on a field keeps, within 2 % of its whole range, to where it is in the last quarter.
static double settling_time(const PlotCurve *curve, const PlotRow *row)
{
    const double *numbers = trajectories_numbers(curve, row);
    const size_t  used = curve->last - curve->first, late = curve->first + used * 3 / 4;
    size_t        i = curve->last;
    if (used == 0)
        return 0.0;
    // A curve that ends early has nothing to show behind its end.
    while (i > curve->first && !isfinite(numbers[i - 1]))
        --i;
    const FigureRange whole = figure_range(numbers + curve->first, i - curve->first),
                      rest = figure_range(numbers + late, i > late ? i - late : 0);
    if (i < curve->last || rest.low > rest.high)
        return curve->time[i > curve->first ? i - 1 : curve->first];
    const double room = 0.02 * (whole.high - whole.low);
    while (i > curve->first && numbers[i - 1] >= rest.low - room && numbers[i - 1] <= rest.high + room)
        --i;
    // A curve that covers more than half of its range in the last quarter does not settle.
    return rest.high - rest.low > 0.5 * (whole.high - whole.low) ? curve->time[curve->last - 1]
                                                                 : curve->time[i < curve->last ? i : curve->last - 1];
}

// A field that settles early in all curves is shown until then, unless a time was asked for.
static void find_time(const Trajectories *picture, PlotRow *row)
{
    const PlotRequest *request = picture->request;
    double             settled = 0.0;
    row->time = picture->time;
    if (!row->settles || request->from > 0.0 || request->to > 0.0)
        return;
    for (size_t i = 0; i < picture->count; ++i)
        settled = fmax(settled, settling_time(&picture->curves[i], row));
    settled *= 1.5;
    row->zoomed = settled > 0.0 && settled < 0.3 * row->time.high;
    row->time.high = row->zoomed ? settled : row->time.high;
}

// The value below which a fiftieth of a curve's positive numbers lie: passes through zero end there. 0 without any.
static double smallest_shown(const PlotCurve *curve, const PlotRow *row)
{
    static const size_t part = 50;
    const double       *numbers = trajectories_numbers(curve, row);
    const size_t        every = (curve->last - curve->first) / MOST_SORTED + 1;
    double              sorted[MOST_SORTED];
    size_t              count = 0;
    for (size_t i = curve->first; i < curve->last; i += every)
        if (isfinite(numbers[i]) && numbers[i] > 0.0)
            sorted[count++] = numbers[i];
    sort_numbers(sorted, count);
    return count > 0 ? sorted[count / part] : 0.0;
}

// The range of a panel: of all numbers, or on a logarithmic scale of the positive ones, passes through zero left out.
// Groups side by side are to be compared, and have one range. A linear scale leaves out numbers far beyond the
// magnitude that half of the curves do not exceed.
static PlotPanel find_panel(const Trajectories *picture, const PlotRow *row, size_t column, bool logarithmic)
{
    PlotPanel   panel = {.logarithmic = logarithmic, .range = figure_range(NULL, 0)};
    FigureRange ranges[PLOT_MOST_CURVES];
    double      sorted[PLOT_MOST_CURVES], magnitudes[PLOT_MOST_CURVES];
    size_t      count = 0;
    for (size_t i = 0; i < picture->count; ++i) {
        const PlotCurve *curve = &picture->curves[i];
        const bool       inside = curve->column == column || picture->apart;
        ranges[i] = trajectories_range(curve, row, curve->first, inside ? curve->last : curve->first);
        magnitudes[i] = fmax(fabs(ranges[i].low), fabs(ranges[i].high));
        if (ranges[i].low <= ranges[i].high)
            sorted[count++] = magnitudes[i];
    }
    sort_numbers(sorted, count);
    const double usual = count > 0 && !logarithmic ? sorted[(count - 1) / 2] : 0.0;
    for (size_t i = 0; i < picture->count; ++i) {
        const PlotCurve *curve = &picture->curves[i];
        if (ranges[i].low > ranges[i].high)
            continue;
        if (usual > 0.0 && magnitudes[i] > far_beyond * usual) {
            ++panel.beyond;
            panel.furthest = fmax(panel.furthest, magnitudes[i]);
            continue;
        }
        if (logarithmic)
            ranges[i].low = smallest_shown(curve, row);
        if (logarithmic && !(ranges[i].low > 0.0))
            continue;
        figure_take_in(&panel.range, ranges[i].low);
        figure_take_in(&panel.range, ranges[i].high);
        panel.filled = panel.filled || curve->column == column;
    }
    return panel;
}

// A logarithmic scale is chosen for numbers that are nowhere negative and span more than a linear one can show.
static PlotPanel choose_panel(const Trajectories *picture, const PlotRow *row, size_t column)
{
    const PlotScale scale = picture->request->scale;
    const PlotPanel linear = find_panel(picture, row, column, false);
    if (scale == PLOT_SCALE_LINEAR || (scale == PLOT_SCALE_CHOSEN && !row->spans))
        return linear;
    const PlotPanel logarithmic = find_panel(picture, row, column, true);
    const bool      spans = linear.range.low >= 0.0 && logarithmic.range.high >= 30.0 * logarithmic.range.low;
    return logarithmic.filled && (spans || scale == PLOT_SCALE_LOG) ? logarithmic : linear;
}

// Finds the ranges of all rows. One without any number is left out, as the condition number is where no method needs
// Newton's.
// Errors: ERROR_USAGE (none has a number).
static bool find_rows(Trajectories *picture, Error *err)
{
    const size_t fields = picture->row_count;
    picture->row_count = 0;
    for (size_t i = 0; i < fields; ++i) {
        PlotRow *row = &picture->rows[picture->row_count];
        bool     filled = false;
        *row = picture->rows[i];
        for (size_t column = 0; column < picture->column_count; ++column) {
            row->panels[column] = choose_panel(picture, row, column);
            filled = filled || row->panels[column].filled;
        }
        find_time(picture, row);
        picture->row_count += filled;
    }
    return picture->row_count > 0 ||
           fail(err, ERROR_USAGE, "%s: there is no number to draw: the points failed, or no method here has the field",
                picture->file->file.path);
}

// What a picture's axis calls a coordinate, and the sweep's word for any other field.
static const char *name_of(const PlotRow *row)
{
    return row->per_dof ? row->label : row->name;
}

static void say_quarter(Text *said, const PlotCurve *curve, const PlotRow *row, size_t quarter)
{
    const size_t used = curve->last - curve->first, first = curve->first + used * quarter / 4,
                 last = curve->first + used * (quarter + 1) / 4;
    const FigureRange range = trajectories_range(curve, row, first, last);
    if (range.low > range.high || !isfinite(trajectories_numbers(curve, row)[last - 1]))
        text_add(said, "(ended)");
    else
        text_add(said, "%.3g", range.high - range.low);
}

static bool say_curve(const Trajectories *picture, const PlotCurve *curve, Error *err)
{
    Text       *said = picture->figure->said;
    const char *name = trajectories_name(picture, curve, TRAJECTORY_WHOLE, err);
    if (!name)
        return false;
    text_add(said, "  %s", name);
    for (size_t i = 0; i < picture->row_count; ++i) {
        const PlotRow    *row = &picture->rows[i];
        const FigureRange range = trajectories_range(curve, row, curve->first, curve->last);
        text_add(said, "%s %s ", i ? "," : ":", name_of(row));
        if (range.low > range.high) {
            text_add(said, "(none)");
        } else if (row->per_dof || row->settles) {
            say_quarter(said, curve, row, 0);
            text_add(said, " -> ");
            say_quarter(said, curve, row, 3);
        } else {
            text_add(said, "%.4g to %.4g", range.low, range.high);
        }
    }
    text_add(said, "\n");
    return true;
}

static bool say(const Trajectories *picture, Error *err)
{
    Text *said = picture->figure->said;
    text_add(said, "  how far coordinates range in the first quarter of the time -> in the last; what others span:\n");
    for (size_t i = 0; i < picture->count; ++i)
        if (!say_curve(picture, &picture->curves[i], err))
            return false;
    if (picture->left_out)
        text_add(said, "  %zu more groups are not drawn\n", picture->left_out);
    if (picture->fields_left)
        text_add(said, "  %zu more coordinates and fields are not drawn; ask for them with --field\n",
                 picture->fields_left);
    return true;
}

static void add_block(const Trajectories *picture, size_t number)
{
    Text            *script = &picture->figure->script;
    const PlotCurve *curve = &picture->curves[number];
    const size_t     every = (curve->last - curve->first) / MOST_SAMPLES + 1;
    text_add(script, "$t%zu << END\n", number);
    for (size_t i = curve->first; i < curve->last; i += every) {
        double numbers[1 + PLOT_ROWS] = {curve->time[i]};
        for (size_t k = 0; k < picture->row_count; ++k)
            numbers[1 + k] = trajectories_numbers(curve, &picture->rows[k])[i];
        gnuplot_numbers(script, numbers, 1 + picture->row_count);
    }
    text_add(script, "END\n");
}

// The problem's equation, where the catalog knows the problem, says which coordinate is which.
static bool add_caption(const Trajectories *picture, Error *err)
{
    Catalog catalog = {0};
    Text    caption = {0};
    char   *name = NULL;
    bool    ok = store_read_text(&picture->file->file, NULL, "problem", &name, err) && catalog_read(&catalog, err);
    if (ok && name) {
        const Card *card = catalog_find(&catalog, CARD_PROBLEM, name);
        text_add(&caption, "%s%s%s", name, card ? ":  " : "", card ? card->equation : "");
        figure_caption(picture->figure, &caption);
    }
    free(name);
    catalog_free(&catalog);
    return ok;
}

// The first curves lie under the others: they are drawn wider, so that they show.
static void add_style(Text *script, size_t line)
{
    text_add(script, "with lines lw %.1f dt %zu lc rgb '%s' ", line < 3 ? 2.4 - 0.5 * (double)line : 1.3,
             line / FIGURE_COLOURS + 1, figure_colours[line % FIGURE_COLOURS]);
}

static void add_range(Figure *figure, const PlotRow *row, const PlotPanel *panel, const double *limits)
{
    Text       *script = &figure->script;
    FigureRange range = panel->range;
    if (panel->logarithmic) {
        range.low = fmax(pow(10.0, floor(log10(range.low) + 1e-9)), 1e-300);
        range.high = pow(10.0, ceil(log10(range.high) - 1e-9));
        range.high = range.high > range.low ? range.high : 10.0 * range.low;
    } else if (range.low == 0.0 && range.high == 0.0) {
        range = (FigureRange){-1.0, 1.0};
    } else {
        range = figure_widen(range, 0.06, 0.1 * fmax(fabs(range.high), 1e-300));
    }
    range = figure_limit(limits, range);
    // Numbers of runs that blow up end where gnuplot does.
    range = (FigureRange){fmax(range.low, -1e300), fmin(range.high, 1e300)};
    figure_span(figure, "x", "time", "s", false, row->time);
    figure_span(figure, "y", row->label, row->unit, panel->logarithmic, range);
    text_add(script, "unset logscale y\n%sset yrange [%.12g:%.12g]\nset format y '%s'\n",
             panel->logarithmic ? "set logscale y\n" : "", range.low, range.high,
             panel->logarithmic ? "10^{%L}" : "%.9g");
}

static void add_time(Text *script, const PlotRow *row, bool bottom)
{
    text_add(script, "set xrange [%.9g:%.9g]\n", row->time.low, row->time.high);
    if (row->zoomed || bottom)
        text_add(script, "set xlabel 'time [s]%s'\nset format x '%%g'\n", row->zoomed ? ", until it settles" : "");
    else
        text_add(script, "set xlabel ''\nset format x ''\n");
}

// Whether the legend is drawn with a panel: each column has one where it has groups of its own.
static bool has_key(const Trajectories *picture, size_t row, size_t column)
{
    size_t first = 0;
    while (picture->last[first] == picture->row_count)
        ++first;
    return picture->lines[column] > 1 && row == picture->last[column] && (picture->apart || column == first);
}

// A reader who points at a curve sees its nearest sample, of some as far apart as their number needs.
static void add_spots(Trajectories *picture, const PlotRow *row, size_t number)
{
    const PlotCurve *curve = &picture->curves[number];
    const double    *numbers = trajectories_numbers(curve, row);
    const size_t     share = FIGURE_SPOTS / (picture->count * picture->row_count), used = curve->last - curve->first,
                 most = share < MOST_SPOTS ? share : MOST_SPOTS, every = most ? (used + most - 1) / most : 0,
                 label = figure_spot_label(picture->figure, picture->figure->entries[number].text);
    for (size_t i = curve->first; every && i < curve->last; i += every)
        if (curve->time[i] <= row->time.high && !(numbers[i] <= 0.0 && picture->figure->scales[1].logarithmic))
            figure_spot_labelled(picture->figure, curve->time[i], numbers[i], label);
}

// The legend's entries are lines without data, so that a curve has one also where it has no numbers.
static void add_panel(Trajectories *picture, size_t number, size_t column)
{
    const PlotRow *row = &picture->rows[number];
    const bool     key = has_key(picture, number, column);
    Figure        *figure = picture->figure;
    if (!row->panels[column].filled)
        return;
    figure_place(figure, column, row->down);
    text_add(&figure->script, "unset title\n");
    if (number == 0) {
        gnuplot_label(&figure->script, "set title ", picture->titles[column], "");
        text_add(&figure->script, "\n");
    }
    gnuplot_label(&figure->script, "set ylabel ", row->label, row->unit);
    text_add(&figure->script, "\n");
    add_range(figure, row, &row->panels[column], picture->request->y_limits);
    add_time(&figure->script, row, number == picture->last[column]);
    figure_key(figure, !key ? FIGURE_NO_KEY : picture->apart ? (int)column : FIGURE_ALL_COLUMNS, 38);
    for (size_t entry = 0; entry <= key; ++entry)
        for (size_t i = 0; i < picture->count; ++i) {
            if (picture->curves[i].column != column)
                continue;
            if (entry)
                text_add(figure_layer(figure), "NaN ");
            else
                text_add(figure_layer(figure), "$t%zu using 1:%zu ", i, number + 2);
            add_style(&figure->script, picture->curves[i].line);
            figure_layer_title(figure, entry ? i : FIGURE_UNTITLED);
        }
    for (size_t i = 0; i < picture->count; ++i)
        if (picture->curves[i].column == column)
            add_spots(picture, row, i);
    figure_end_panel(figure);
    text_add(&figure->script, "unset label 1\n");
}

// Finds the titles of the columns and the entries of the legend.
static bool find_words(Trajectories *picture, Error *err)
{
    for (size_t i = 0; i < picture->count; ++i) {
        const PlotCurve *curve = &picture->curves[i];
        const char      *name = trajectories_name(picture, curve, TRAJECTORY_LEGEND, err),
                   **title = &picture->titles[curve->column];
        *title = picture->lines[curve->column]++ ? *title : trajectories_name(picture, curve, TRAJECTORY_TITLE, err);
        if (!name || !*title)
            return false;
        text_add(figure_entry(picture->figure), "%s", name);
    }
    return true;
}

static void find_frame(Trajectories *picture)
{
    Figure      *figure = picture->figure;
    const size_t columns = picture->column_count;
    bool         own[PLOT_ROWS] = {false};  // a row with a time of its own, or the last of some column
    for (size_t column = 0; column < columns; ++column) {
        picture->last[column] = picture->row_count;
        for (size_t row = 0; row < picture->row_count; ++row)
            picture->last[column] = picture->rows[row].panels[column].filled ? row : picture->last[column];
        if (picture->last[column] < picture->row_count)
            own[picture->last[column]] = true;
        if (picture->lines[column] > figure->panel_entries)
            figure->panel_entries = picture->lines[column];
    }
    figure->rows = (unsigned)picture->row_count;
    figure->columns = (unsigned)columns;
    figure->panel = (FigureSize){columns == 1 ? 760 : columns < 4 ? 430 : 320, picture->row_count < 4 ? 230 : 170};
    figure->between = (FigureSize){115, 22};
    figure->around = (FigureRoom){110, 30, *picture->titles[0] ? 75 : 50, 105};
    figure->placed = true;
    // A row with a time of its own has it below.
    for (size_t i = 0; i < picture->row_count; ++i) {
        picture->rows[i].down = (unsigned)i * (figure->panel.height + figure->between.height) + figure->extra;
        figure->extra += i + 1 < picture->row_count && (own[i] || picture->rows[i].zoomed) ? TIME_HEIGHT : 0;
    }
}

// Adds a line for each field of which curves leave the scale.
static void note_beyond(const Trajectories *picture)
{
    for (size_t i = 0; i < picture->row_count; ++i) {
        const PlotPanel *panels = picture->rows[i].panels;
        size_t           beyond = 0;
        double           furthest = 0.0;
        for (size_t column = 0; column < picture->column_count; ++column) {
            beyond = picture->apart ? panels[column].beyond : beyond + panels[column].beyond;
            furthest = fmax(furthest, panels[column].furthest);
        }
        if (beyond > 0)
            text_add(&picture->figure->notes, "%s: %zu of %zu curves leave the scale, up to %.3g\n",
                     name_of(&picture->rows[i]), beyond, picture->count, furthest);
    }
}

static bool add_picture(Trajectories *picture, Error *err)
{
    note_beyond(picture);
    find_frame(picture);
    text_add(&picture->figure->script, "set encoding utf8\n");
    for (size_t i = 0; i < picture->count; ++i)
        add_block(picture, i);
    figure_begin(picture->figure);
    if (!add_caption(picture, err))
        return false;
    for (size_t row = 0; row < picture->row_count; ++row)
        for (size_t column = 0; column < picture->column_count; ++column)
            add_panel(picture, row, column);
    return true;
}

static bool add_trajectory(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err)
{
    Trajectories *picture = arena_take(&figure->arena, 1, sizeof *picture, err);
    if (!picture)
        return false;
    picture->file = file;
    picture->request = request;
    picture->figure = figure;
    return trajectories_choose(picture, err) && plot_fields_choose(picture, err) && trajectories_read(picture, err) &&
           find_rows(picture, err) && find_words(picture, err) && say(picture, err) && add_picture(picture, err);
}

const PlotMaker plot_trajectory = {"no trajectories are stored; add `trajectory:` to the sweep", plot_fields_stored,
                                   PLOT_NO_METRIC, add_trajectory};
